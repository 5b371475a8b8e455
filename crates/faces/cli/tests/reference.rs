//! docs/reference/cli.md is what the program says of itself.

use std::path::Path;
use std::process::Command;

/// Set `BOUTON_UPDATE=1` to write the page anew.
#[test]
fn the_reference_of_the_command_line_is_up_to_date() {
    let output = Command::new(env!("CARGO_BIN_EXE_bouton")).args(["man", "--markdown"]).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let made = String::from_utf8(output.stdout).expect("a page is text");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .find(|folder| folder.join("docs/SUMMARY.md").exists());
    let page = root.expect("the manual").join("docs/reference/cli.md");
    if std::env::var_os("BOUTON_UPDATE").is_some() {
        std::fs::write(&page, &made).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(made == kept, "run `bouton man --markdown > docs/reference/cli.md`");
}

//! What people type and what they get: every command, its JSON, and its errors.

#[test]
fn commands() {
    // Progress is reported after some seconds; it is not part of an answer.
    let cases = trycmd::TestCases::new();
    cases.env("BOUTON_THEOREMS", "off").env("BOUTON_QUIET", "1").case("tests/cmd/*.trycmd");
}

/// A rule file in which a heap may be forgotten is noted on standard error, unless that is
/// unwanted.
#[test]
fn heaps_left_free_are_noted() {
    let file = std::env::temp_dir().join(format!("bouton-left-free-{}.toml", std::process::id()));
    for (moves, is_noted) in
        [("q0+1 = p0", true), ("q0+1 = p0 & q1 <= p1", false), ("q0 = p0", false)]
    {
        let text = format!("name = \"left-free\"\nheaps = 2\nmove = \"{moves}\"\n");
        std::fs::write(&file, text).expect("a folder for temporary files");
        for quiet in [false, true] {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bouton"));
            command
                .env_remove("BOUTON_QUIET")
                .env("BOUTON_THEOREMS", "off")
                .arg("--rules")
                .arg(&file);
            let output = command
                .args(["solve", "left-free", "1,2"])
                .args(quiet.then_some("--quiet"))
                .output();
            let said = String::from_utf8_lossy(&output.expect("a run").stderr).into_owned();
            assert_eq!(said.contains("says nothing of q1"), is_noted && !quiet, "{moves}: {said}");
        }
    }
    std::fs::remove_file(&file).expect("the file");
}

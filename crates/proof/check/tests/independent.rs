//! No passage of the checker stands in the crates whose certificates it checks: copied code repeats
//! a mistake instead of finding it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Lines of code side by side that make a passage, and characters in them.
const LINES: usize = 5;
const CHARACTERS: usize = 60;

/// Returns the Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
    all
}

/// Returns the passages of a file without blanks; comments, declarations of types and tests left
/// out.
fn passages(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a source file");
    let mut lines: Vec<String> = Vec::new();
    let mut declares = false;
    for line in text.lines().take_while(|line| !line.starts_with("mod tests")) {
        let bare: String = line.split_whitespace().collect();
        let starts =
            ["enum", "struct"].map(|word| line.trim_start_matches("pub ").starts_with(word));
        declares |= starts.contains(&true) && line.ends_with('{');
        if !declares && !bare.is_empty() && !bare.starts_with("//") && !bare.starts_with("#[") {
            lines.push(bare);
        }
        declares &= line != "}";
    }
    let joined = lines.windows(LINES).map(|window| window.join("\n"));
    joined.filter(|passage| passage.len() > CHARACTERS).collect()
}

#[test]
fn no_passage_is_shared_with_what_makes_certificates() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut makers = files(&crates.join("proof/prover/src"));
    for folder in ["foundation", "theories"] {
        makers.extend(files(&crates.join(folder)));
    }
    let mut known: HashMap<String, &PathBuf> = HashMap::new();
    for file in &makers {
        known.extend(passages(file).into_iter().map(|passage| (passage, file)));
    }
    assert!(known.len() > 10_000, "{} passages", known.len());
    let own = files(&crates.join("proof/check/src"));
    let own = own.iter().filter(|file| !file.to_string_lossy().contains("components"));
    let mut count = 0;
    for file in own {
        for passage in passages(file) {
            count += 1;
            assert!(
                !known.contains_key(&passage),
                "{file:?} and {:?}:\n{passage}",
                known[&passage]
            );
        }
    }
    assert!(count > 2000, "{count} passages");
}

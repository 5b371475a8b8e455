//! The second checker accepts every certificate of the repository that it covers.

use std::path::{Path, PathBuf};

use bouton_second_check::{Verdict, check};

/// Certificates that are not accepted, and why.
const EXCEPTIONS: [(&str, &str); 1] = [("no-value", "a proof of version 1, kept because it once misled a reader")];

fn certificates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["fuzz/corpus/certificate", "crates/study/literature/data/circles", "docs/finds"];
    let mut paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder of certificates"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_none_or(|extension| extension == "cert"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn certificates_of_the_repository_are_accepted() {
    let (mut accepted, mut open) = (0, Vec::new());
    for path in certificates() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("text");
        if EXCEPTIONS.iter().any(|(exception, _)| *exception == name) {
            assert!(!matches!(check(&text), Ok(Verdict::Accepted { .. })), "{name}");
            continue;
        }
        match check(&text) {
            Ok(Verdict::Accepted { .. }) => accepted += 1,
            Ok(Verdict::Unknown(why)) => open.push(format!("{name}: {why}")),
            other => panic!("{name}: {other:?}"),
        }
    }
    println!("{accepted} accepted, {} open:\n{}", open.len(), open.join("\n"));
    assert!(accepted >= 35, "{accepted} accepted");
}

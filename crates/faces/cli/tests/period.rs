//! Periods of sequences of which not all values have room.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::process::{Command, Output};

fn bouton(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bouton")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A short period is found among the first heaps, however far the search may go.
#[test]
fn a_short_period_takes_few_heaps() {
    let kayles = text(&bouton(&["period", "kayles", "--to", "250000000"]).stdout);
    assert!(kayles.contains("heaps 0..167 compared"), "{kayles}");
}

/// A search that ended with its budget goes on from its file; one whose file is of another game, or
/// damaged, does not begin.
#[test]
fn a_search_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("windows").display().to_string();
    let search = |game: &str, more: &[&str]| {
        let long =
            ["period", game, "--to", "15000000", "--memory", "8", "--checkpoint", &file, "--json"];
        bouton(&[&long[..], more].concat())
    };
    let heaps = |output: &Output| -> u64 {
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["verdict"], "unknown", "{told}");
        told["to"].as_u64().unwrap()
    };
    let first = heaps(&search("0.106", &["--nodes", "10000000"]));
    assert!((9_000_000..=10_000_000).contains(&first), "{first}");
    // The four million heaps before the window are computed again, no others.
    let next = heaps(&search("0.106", &["--nodes", "8000000"]));
    assert!((first + 3_000_000..=first + 4_000_000).contains(&next), "{first} {next}");
    assert!(heaps(&search("0.106", &[])) >= 15_000_000);
    let refused = |output: Output| text(&output.stderr) + &text(&output.stdout);
    let told = refused(search("0.104", &[]));
    assert!(told.contains("checkpoint of 0.106"), "{told}");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let told = refused(search("0.106", &[]));
    assert!(told.contains("damaged"), "{told}");
}

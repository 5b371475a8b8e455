//! Where memory ends, the program says so.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test")]

#[path = "../../page/tests/fits/mod.rs"]
mod fits;

use std::process::{Command, Output};

/// Asks for many values within so much memory.
fn within(megabytes: usize, options: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_bouton");
    let memory = megabytes * 1024;
    let line =
        format!("ulimit -v {memory} && exec '{program}' values 0.07 --to 400000 --quiet {options}");
    Command::new("sh").args(["-c", &line]).env("RUST_BACKTRACE", "0").output().unwrap()
}

#[test]
fn the_end_of_memory_is_told() {
    let mut told = 0;
    // How much a program needs before it begins differs from machine to machine.
    for megabytes in 20..160 {
        let output = within(megabytes, ">/dev/null");
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => break,
            Some(2) if said.contains("no file is half written") => {
                if told == 0 {
                    let answer =
                        serde_json::from_slice(&within(megabytes, "--json").stdout).unwrap();
                    fits::Schema::read().describes("error", &answer).unwrap();
                }
                told += 1;
            }
            // The loader ended, before the program began.
            Some(127) | None if !said.contains("memory allocation") => {}
            // The program ended before it could prepare for the end of memory.
            None if told == 0 => {}
            other => panic!("{megabytes} MB: {other:?}, {said}"),
        }
    }
    assert!(told > 0, "no limit was between too little to begin and enough");
}

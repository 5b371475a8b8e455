//! Checks certificate files, one after the other: `bouton-check FILE…`. Exit status 0 if all are accepted, 1 if one is
//! rejected, 2 if one can't be read.

use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: bouton-check FILE…");
        return ExitCode::from(2);
    }
    let mut status = 0;
    for file in files {
        let verdict = match std::fs::read_to_string(&file) {
            Ok(text) => bouton_check::check(&text),
            Err(error) => {
                eprintln!("{file}: {error}");
                status = 2;
                continue;
            }
        };
        match verdict {
            Ok(accepted) => {
                println!("{file}: accepted: {}: {} ({})", accepted.game, accepted.claim, accepted.work)
            }
            Err(rejected) => {
                println!("{file}: {rejected}");
                status = status.max(1);
            }
        }
    }
    ExitCode::from(status)
}

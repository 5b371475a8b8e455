//! Checks the certificates given as arguments, and prints a verdict for each.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut good = true;
    for path in std::env::args().skip(1) {
        let said = std::fs::read_to_string(&path)
            .map_err(|error| error.to_string())
            .and_then(|text| bouton_second_check::check(&text));
        match said {
            Ok(verdict) => {
                good &= verdict.word() == "accepted";
                println!("{path}: {verdict:?}");
            }
            Err(why) => {
                good = false;
                println!("{path}: no certificate: {why}");
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

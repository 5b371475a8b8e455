//! `bouton check`: is this certificate a proof?

use crate::Ending;
use crate::fault::Fault;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Check a certificate with the independent checker
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bouton check kayles.cert")]
pub struct Check {
    /// The certificate
    file: PathBuf,
}

impl Check {
    pub fn run(self, json: bool) -> Result<Ending, Fault> {
        let name = self.file.display().to_string();
        let text = std::fs::read_to_string(&self.file).map_err(|error| Fault::File(name, error))?;
        let mut out = std::io::stdout().lock();
        match bouton_check::check(&text) {
            Ok(accepted) => {
                if json {
                    let value = json!({
                        "verdict": "accepted",
                        "kind": accepted.kind,
                        "game": accepted.game,
                        "claim": accepted.claim,
                        "work": accepted.work,
                    });
                    writeln!(out, "{value}")?;
                } else {
                    writeln!(out, "accepted: {}: {}\n  {}", accepted.game, accepted.claim, accepted.work)?;
                }
                Ok(Ending::Done)
            }
            Err(rejected) => {
                if json {
                    let value =
                        json!({"verdict": "rejected", "line": rejected.line, "reason": rejected.reason});
                    writeln!(out, "{value}")?;
                } else {
                    writeln!(out, "{rejected}")?;
                }
                Ok(Ending::Negative)
            }
        }
    }
}

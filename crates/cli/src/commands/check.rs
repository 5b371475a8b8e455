//! `bouton check`: is this certificate a proof?

use crate::Status;
use crate::context::Context;
use crate::fault::Fault;
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Check a certificate with the independent checker
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton check kayles.cert\n  bouton check 0.16.cert --depth 20000\n\nExit status 1 if the certificate is rejected."
)]
pub struct Check {
    /// The certificate
    file: PathBuf,
    /// Proofs of periods: heaps up to this size are computed a second time, by trying all moves
    #[arg(long, value_name = "N", default_value_t = 2000)]
    depth: usize,
}

impl Check {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let json = context.json;
        let name = self.file.display().to_string();
        let text = std::fs::read_to_string(&self.file).map_err(|error| Fault::File(name, error))?;
        let mut out = std::io::stdout().lock();
        match bouton_check::check_to(&text, self.depth) {
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
                Ok(Status::Done)
            }
            Err(rejected) => {
                if json {
                    let value =
                        json!({"verdict": "rejected", "line": rejected.line, "reason": rejected.reason});
                    writeln!(out, "{value}")?;
                } else {
                    writeln!(out, "{rejected}")?;
                }
                Ok(Status::Negative)
            }
        }
    }
}

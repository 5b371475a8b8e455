//! `bouton check`: are these certificates proofs?

use crate::Status;
use crate::context::Context;
use crate::fault::Fault;
use bouton_check::{Reason, check_within};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Check certificates with the independent checker
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bouton check kayles.cert\n  bouton check 0.16.cert --depth 20000\n  bouton check *.cert\n\nExit status 1 if a certificate is rejected, or not checked within --seconds."
)]
pub struct Check {
    /// The certificates
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Proofs of periods: heaps up to this size are computed a second time, by trying all moves
    #[arg(long, value_name = "N", default_value_t = 2000)]
    depth: usize,
}

impl Check {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let several = self.files.len() > 1;
        let mut status = Status::Done;
        let mut values = Vec::new();
        let budget = context.budget();
        for path in &self.files {
            let file = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|error| Fault::File(file.clone(), error))?;
            let checked = check_within(&text, self.depth, &mut || budget.interrupted().is_none());
            let (mut value, told) = match checked {
                Ok(accepted) => (
                    json!({
                        "verdict": "accepted",
                        "kind": accepted.kind,
                        "game": accepted.game,
                        "claim": accepted.claim,
                        "work": accepted.work,
                    }),
                    format!("accepted: {}: {}\n  {}", accepted.game, accepted.claim, accepted.work),
                ),
                Err(rejected) => {
                    status = Status::Negative;
                    let told = rejected.to_string();
                    let verdict = if rejected.reason == Reason::Stopped { "unknown" } else { "rejected" };
                    let reason = rejected.reason.to_string();
                    (json!({"verdict": verdict, "line": rejected.line, "reason": reason}), told)
                }
            };
            if several {
                value["file"] = file.clone().into();
            }
            match (context.json, several) {
                (true, _) => values.push(value),
                (false, true) => writeln!(std::io::stdout(), "{file}: {told}")?,
                (false, false) => writeln!(std::io::stdout(), "{told}")?,
            }
        }
        if context.json {
            let value = if several { Value::from(values) } else { values.remove(0) };
            writeln!(std::io::stdout(), "{value}")?;
        }
        Ok(status)
    }
}

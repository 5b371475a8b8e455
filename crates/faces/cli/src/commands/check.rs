//! `bouton check`: are these certificates proofs?

use super::{AnswerFile, print_one_or_all};
use crate::context::Context;
use crate::error::CommandError;
use crate::{Status, progress};
use bouton_check::{Limits, Reason, Rejected, check_limited};
use bouton_report::answers::GameName;
use bouton_report::answers::verdict::{CertificateChecked, CheckFound};
use clap::Args;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a check may take if nothing else is said. A little less than 15 s, as what is held must be
/// given back, too.
const SECONDS: Duration = Duration::from_millis(14_400);

/// Check certificates with the independent checker
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton check kayles.cert
  bouton check 0.16.cert --depth 20000
  bouton check *.cert

The answer comes within --seconds (by default 15 for each file) and --memory, whatever the file
contains. Exit status 1 if a certificate is rejected, or if a limit was reached.")]
pub struct Check {
    /// The certificates
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// For proofs of periods: compute heaps up to N a second time, by trying all moves
    #[arg(long, value_name = "N", value_parser = super::number::<usize>, default_value_t = 2000)]
    depth: usize,
    /// Use at most MB megabytes
    #[arg(long, value_name = "MB", value_parser = super::number::<u32>, default_value_t = 1000)]
    memory: u32,
    #[command(flatten)]
    pub answer: AnswerFile,
}

impl Check {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let several = self.files.len() > 1;
        let mut status = Status::Done;
        let mut values = Vec::new();
        let limits =
            Limits { depth: self.depth, steps: u64::MAX, bytes: 1_000_000 * self.memory as usize };
        for path in &self.files {
            let file = path.display().to_string();
            let budget = match context.seconds {
                Some(_) => context.budget(),
                None => context.budget().within(SECONDS),
            };
            let checked = match read(path, limits.bytes)
                .map_err(|error| CommandError::File(file.clone(), error))?
            {
                Some(text) => {
                    progress::watched(context, &format!("checking {file}"), &budget, |budget| {
                        check_limited(&text, &limits, &mut || budget.interrupted().is_none())
                    })
                }
                None => Err(Rejected::new(0, Reason::TooBig)),
            };
            let (told, found) = match checked {
                Ok(accepted) => (
                    format!(
                        "accepted: {}: {}\n  {}\n  {}",
                        accepted.game, accepted.claim, accepted.work, accepted.theorem
                    ),
                    CheckFound::Accepted {
                        kind: accepted.kind,
                        game: GameName(accepted.game),
                        claim: accepted.claim,
                        work: accepted.work,
                        theorem: accepted.theorem,
                    },
                ),
                Err(rejected) => {
                    status = Status::Negative;
                    let more = match rejected.reason {
                        Reason::Stopped => "; --seconds S allows more",
                        Reason::TooBig => "; --memory MB allows more",
                        _ => "",
                    };
                    let told = format!("{rejected}{more}");
                    (
                        told,
                        CheckFound::refused(
                            rejected.line,
                            rejected.reason.is_verdict(),
                            rejected.reason,
                        ),
                    )
                }
            };
            match (context.json, several) {
                (true, _) => {
                    values.push(CertificateChecked { found, file: several.then_some(file) })
                }
                (false, true) => writeln!(context.out(), "{file}: {told}")?,
                (false, false) => writeln!(context.out(), "{told}")?,
            }
        }
        if context.json {
            print_one_or_all(context, &values, several)?;
        }
        Ok(status)
    }
}

/// Reads a file as text; `None` if it alone is more than half of the memory allowed.
fn read(path: &Path, bytes: usize) -> io::Result<Option<String>> {
    let (mut text, most) = (String::new(), bytes as u64 / 2);
    File::open(path)?.take(most + 1).read_to_string(&mut text)?;
    Ok(Some(text).filter(|text| text.len() as u64 <= most))
}

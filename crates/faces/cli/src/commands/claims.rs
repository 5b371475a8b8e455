//! `bouton claims`: the published claims with their recorded verdicts; verified, and recorded anew.

use super::{AnswerFile, BudgetArgs};
use crate::Status;
use crate::context::Context;
use crate::error::{CommandError, write_file};
use bouton_core::Meter;
use bouton_literature::{Recorded, VerdictComparison, row, verdicts_text};
use bouton_report::answers::verdict::{ClaimEntry, Grounds};
use bouton_report::answers::{OrNull, Seconds};
use bouton_report::to_json;
use bouton_study::{Bound, ClaimError, PublishedClaim, Verdict, settle};
use clap::Args;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::channel;

/// List published claims with their verdicts; --verify computes the verdicts again
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bouton claims
  bouton claims kayles
  bouton claims --id S5
  bouton claims --verdict refuted
  bouton claims --verify --id C8
  bouton claims --verify --id K6 --to 150
  bouton claims --verify --seconds 600 --record verdicts.toml

Exit status 1 if a verdict differs from the recorded one, or if none is recorded and the claim is
refuted or unknown.")]
pub struct Claims {
    /// List only claims about this game, or with this text in row, game, statement or source
    #[arg(value_name = "TEXT")]
    about: Option<String>,
    /// Compute the verdicts again, and compare them with the recorded ones
    #[arg(long)]
    verify: bool,
    /// Search circles of Kotzig's Nim up to N cells
    #[arg(long, value_name = "N", value_parser = super::number::<usize>, default_value_t = 80,
        requires = "verify")]
    to: usize,
    /// List only claims with this verdict on record: proved, holds, refuted, unknown, …
    #[arg(long, value_name = "VERDICT")]
    verdict: Option<String>,
    /// List only the claims of this row
    #[arg(long, value_name = "ROW")]
    id: Option<String>,
    /// Write all recorded verdicts to a file, with the new ones in place of the old
    #[arg(long, value_name = "FILE", requires = "verify")]
    record: Option<PathBuf>,
    #[command(flatten)]
    pub answer: AnswerFile,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Instances and parts that are printed of one claim.
const SHOWN: usize = 20;

/// One claim for one game, settled.
struct ClaimVerdict<'c> {
    claim: &'c PublishedClaim,
    game: &'c str,
    verdict: Verdict,
    seconds: f64,
}

/// What claims are to be about: a text, and the game that it names.
struct About {
    text: String,
    game: Option<String>,
}

impl About {
    fn new(context: &Context, text: &str) -> About {
        let game = context.catalogue.parse(text).ok().map(|named| named.game.name());
        About { text: text.to_lowercase(), game }
    }

    fn covers(&self, claim: &PublishedClaim) -> bool {
        let speaks = |game: &String| bouton_literature::speaks_of(claim, game).unwrap_or_default();
        let texts = [&claim.id, &claim.game, &claim.statement, &claim.source];
        self.game.as_ref().is_some_and(speaks)
            || texts.iter().any(|text| text.to_lowercase().contains(&self.text))
    }
}

impl Claims {
    pub fn run(self, context: &Context) -> Result<Status, CommandError> {
        let wanted =
            |id: &str| self.id.as_ref().is_none_or(|wanted| row(id) == wanted || id == wanted);
        let all = bouton_literature::claims()?.into_iter().chain(bouton_literature::controls()?);
        let about = self.about.as_deref().map(|text| About::new(context, text));
        let claims: Vec<PublishedClaim> = all
            .filter(|claim| wanted(&claim.id))
            .filter(|claim| about.as_ref().is_none_or(|about| about.covers(claim)))
            .collect();
        if let Some(About { text, .. }) = about.as_ref().filter(|_| claims.is_empty()) {
            return Err(CommandError::Usage(format!("no published claim is about `{text}`")));
        }
        if claims.is_empty() {
            return Err(CommandError::Usage(format!(
                "the published claims have no row {}",
                self.id.unwrap_or_default()
            )));
        }
        let recorded = Recorded::all()?;
        let on_record = |id: &str, game: &str| {
            recorded.iter().find(|record| record.id == id && record.game == game)
        };
        if let Some(verdict) = &self.verdict {
            let mut words: Vec<&str> =
                recorded.iter().map(|record| record.verdict.as_str()).collect();
            words.sort_unstable();
            words.dedup();
            if !words.contains(&verdict.as_str()) {
                let accepted = words.join(", ");
                return Err(CommandError::Usage(format!(
                    "no verdict on record is `{verdict}`; accepted: {accepted}"
                )));
            }
        }
        let instances: Vec<(&PublishedClaim, &str)> = claims
            .iter()
            .flat_map(|claim| claim.instances().into_iter().map(move |game| (claim, game)))
            .filter(|(claim, game)| {
                let record = on_record(&claim.id, game).map(|record| record.verdict.as_str());
                self.verdict.as_deref().is_none_or(|wanted| record == Some(wanted))
            })
            .collect();
        let (mut status, mut values, mut anew) = (Status::Done, Vec::new(), Vec::new());
        if self.verify {
            let bound = Bound {
                to: self.to,
                budget: self.budget.budget(context),
                theorems: bouton_literature::theorems(),
            };
            settle_all(&instances, &bound, |settled| {
                let record = on_record(&settled.claim.id, settled.game);
                let expected = match record {
                    Some(record) => record.is(&settled.verdict),
                    None => !matches!(settled.verdict, Verdict::Refuted(_) | Verdict::Unknown(_)),
                };
                if !expected {
                    status = Status::Negative;
                }
                if context.json {
                    values.push(to_json(&settled.entry(record)));
                } else {
                    settled.print(&mut context.out(), record)?;
                }
                anew.push(Recorded::new(settled.claim, settled.game, &settled.verdict));
                Ok(())
            })?;
        } else {
            for (claim, game) in &instances {
                let record = on_record(&claim.id, game);
                if context.json {
                    values.push(to_json(&bouton_report::claim(claim, game, record)));
                } else {
                    list(&mut context.out(), claim, game, record)?;
                }
            }
        }
        if context.json {
            writeln!(context.out(), "[{}]", values.join(","))?;
        }
        if let Some(file) = &self.record {
            let text = verdicts_text(merged(recorded, anew)?);
            write_file(file, text)?;
        }
        Ok(status)
    }
}

/// Returns all verdicts in the order of the claims of the literature: those found now, then those
/// on record.
fn merged(old: Vec<Recorded>, anew: Vec<Recorded>) -> Result<Vec<Recorded>, CommandError> {
    let mut known: HashMap<(String, String), Recorded> = HashMap::new();
    for record in old.into_iter().chain(anew) {
        known.insert((record.id.clone(), record.game.clone()), record);
    }
    let claims = bouton_literature::claims()?.into_iter().chain(bouton_literature::controls()?);
    let mut all = Vec::new();
    for claim in claims {
        for game in claim.instances() {
            all.extend(known.remove(&(claim.id.clone(), game.to_owned())));
        }
    }
    Ok(all)
}

/// Settles claims side by side on the current rayon pool, so that none waits for another, and tells
/// each in its turn.
fn settle_all(
    instances: &[(&PublishedClaim, &str)],
    bound: &Bound,
    mut tell: impl FnMut(ClaimVerdict<'_>) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let (send, receive) = channel::<(usize, Result<Verdict, ClaimError>, f64)>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            instances.par_iter().enumerate().with_max_len(1).for_each_with(
                send,
                |send, (i, (claim, game))| {
                    let meter = Meter::new(&bound.budget);
                    let verdict = settle(claim, game, bound, &|_| {});
                    // Nobody listens any more only after an error, when nothing more is wanted.
                    let _ = send.send((i, verdict, meter.elapsed().as_secs_f64()));
                },
            );
        });
        let (mut early, mut turn) = (HashMap::new(), 0);
        for (i, verdict, seconds) in receive {
            early.insert(i, (verdict, seconds));
            while let Some((verdict, seconds)) = early.remove(&turn) {
                let (claim, game) = instances[turn];
                let verdict = verdict.map_err(|error| CommandError::Claim(claim.id.clone(), error));
                let told = verdict
                    .and_then(|verdict| tell(ClaimVerdict { claim, game, verdict, seconds }));
                if told.is_err() {
                    if let Some(watch) = &bound.budget.watch {
                        watch.stop.store(true, std::sync::atomic::Ordering::Relaxed);
                    }
                    return told;
                }
                turn += 1;
            }
        }
        Ok(())
    })
}

impl ClaimVerdict<'_> {
    fn entry<'s>(&'s self, record: Option<&'s Recorded>) -> ClaimEntry<'s> {
        ClaimEntry {
            verdict: Some(self.verdict.kind().as_str()),
            grounds: Some(Grounds::new(&self.verdict)),
            found: Some(self.verdict.found()),
            as_recorded: Some(OrNull(record.map(|record| record.is(&self.verdict)))),
            seconds: Some(Seconds(self.seconds)),
            ..bouton_report::claim(self.claim, self.game, record)
        }
    }

    fn print(&self, out: &mut impl Write, record: Option<&Recorded>) -> std::io::Result<()> {
        let ClaimVerdict { claim, game, verdict, seconds } = self;
        writeln!(out, "{} {game}\n  {} ({})", claim.id, claim.statement, claim.source)?;
        print(out, verdict)?;
        match record {
            Some(record) if record.standing(verdict) == VerdictComparison::AsRecorded => {
                writeln!(out, "  as recorded; {seconds:.1} s\n")?;
            }
            Some(record) if record.is(verdict) => writeln!(
                out,
                "  as recorded for such circles; on larger ones: {}, {}; {seconds:.1} s\n",
                record.verdict, record.found
            )?,
            Some(record) => writeln!(
                out,
                "  NOT AS RECORDED: {}, {}{}; {seconds:.1} s\n",
                record.verdict,
                record.found,
                record
                    .certificate
                    .as_ref()
                    .map_or_else(String::new, |hash| format!(", certificate {hash}"))
            )?,
            None => writeln!(out, "  nothing is recorded; {seconds:.1} s\n")?,
        }
        out.flush()
    }
}

/// Writes a claim with what is recorded of it.
fn list(
    out: &mut impl Write,
    claim: &PublishedClaim,
    game: &str,
    record: Option<&Recorded>,
) -> std::io::Result<()> {
    writeln!(out, "{} {game}\n  {} ({})", claim.id, claim.statement, claim.source)?;
    match record {
        Some(record) => {
            writeln!(out, "  {}: {}", record.verdict, record.found)?;
            if let Some(hash) = &record.certificate {
                writeln!(out, "  certificate {hash}")?;
            }
            if let Some(recheck) = &record.recheck {
                writeln!(out, "  {recheck}")?;
            }
            writeln!(out)
        }
        None => writeln!(out, "  nothing is recorded\n"),
    }
}

/// Writes a verdict with what it stands on.
fn print(out: &mut impl Write, verdict: &Verdict) -> std::io::Result<()> {
    writeln!(out, "  {}: {}", verdict.kind(), verdict.found())?;
    if let Some(hash) = verdict.certificate() {
        writeln!(out, "  certificate {hash}")?;
    }
    let lines = |out: &mut dyn Write, all: &[String]| {
        all.iter().take(SHOWN).try_for_each(|line| writeln!(out, "    {line}"))?;
        match all.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => writeln!(out, "    … and {more} more (--json lists them)"),
        }
    };
    if let Verdict::Refuted(refuted) = verdict {
        writeln!(out, "  {}", refuted.recheck)?;
        lines(out, &refuted.others)?;
    }
    let Some(computed) = verdict.computed() else { return Ok(()) };
    if matches!(verdict, Verdict::Refuted(_) | Verdict::Unknown(_)) && !computed.words.is_empty() {
        writeln!(out, "  {}", computed.words)?;
    }
    lines(out, &computed.parts)?;
    if !computed.left.is_empty() {
        let first: Vec<&str> = computed.left.iter().take(3).map(String::as_str).collect();
        writeln!(
            out,
            "  {} left out within the budget, the smallest {}",
            computed.left.len(),
            first.join(", ")
        )?;
    }
    Ok(())
}

//! `bouton period`: the period of a nim-sequence, proved.

use super::BudgetArgs;
use super::proof_file::ProofFile;
use crate::context::Context;
use crate::error::CommandError;
use crate::{Status, progress};
use bouton_core::{Meter, NotationError};
use bouton_engine::Game;
use bouton_engine::game::HeapPeriod;
use bouton_octal::sequence::{PeriodSearch, PeriodSearchReport};
use bouton_octal::sequence_of;
use bouton_report::answers::sequence::{PeriodFound, PeriodVerdict};
use bouton_report::answers::{OrNull, Reason};
use bouton_report::write_json;
use bouton_study::{ObservedPeriod, ObservedSequence, observed_sequence, sequence_by_rules};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// Find the period of a nim-sequence, and prove it
#[derive(Debug, Args)]
#[command(
    name = "period",
    after_help = "\
Examples:
  bouton period kayles
  bouton period 0.16 --certificate 0.16.cert
  bouton period kayles --certificate kayles.v
  bouton period 0.104 --to 250000000 --checkpoint 0.104.values
  bouton period 0.106 --to 800000000000 --checkpoint 0.106.windows
  bouton period 'S(1,4,7)' --json"
)]
pub struct PeriodOf {
    /// A take-and-break game: 0.77, kayles(3), grundy, S(1,4,7)
    game: String,
    /// Compute heaps up to N
    #[arg(long, value_name = "N", value_parser = super::number::<usize>,
        default_value_t = 1_000_000)]
    to: usize,
    /// Keep the values in a file, and continue from the values it holds; only the latest values if
    /// all would exceed --memory
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write the proof to a file that `bouton check` verifies; FILE.v is a theorem for Coq
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write into a file as its ending says: the proof as .cert or, for Coq, as .v, or the answer
    /// as .json or .txt
    #[arg(short, long, value_name = "FILE", conflicts_with = "certificate")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Longer periods, and more exceptions, are not printed.
const PRINTED: usize = 240;

impl PeriodOf {
    /// Tells the proved period of a heap whose moves are bounded, perhaps with a memory.
    fn by_bounded_steps(
        &self,
        context: &Context,
        game: &dyn Game,
    ) -> Result<Option<Status>, CommandError> {
        let what = format!("period of {}", game.name());
        let found = progress::watched(context, &what, &self.budget.budget(context), |budget| {
            game.heap_period(&budget)
        });
        let remembers = game.table_shape().is_some_and(|shape| shape.numbers > 1);
        let HeapPeriod { preperiod, period, most_taken, alike_from, cycle, memories, values } =
            match found {
                None => return Ok(None),
                Some(Ok(found)) => found,
                Some(Err(end)) => {
                    let mut out = context.out();
                    match context.json {
                        true => write_json(
                            &mut out,
                            &PeriodFound {
                                reason: Some(OrNull(Some(Reason::new(end)))),
                                ..PeriodFound::none(game.name(), 0)
                            },
                        )?,
                        false => writeln!(out, "{}: no period was found ({end})", game.name())?,
                    }
                    return Ok(Some(Status::Negative));
                }
            };
        if self.certificate.is_some() || self.checkpoint.is_some() {
            let of = if remembers {
                "with a memory"
            } else {
                "from which some numbers are taken while it is small"
            };
            let message = format!(
                "no certificate states the period of a heap {of}; leave --certificate and \
                 --checkpoint out"
            );
            return Err(CommandError::Usage(format!("{}: {message}", game.name())));
        }
        let mut out = context.out();
        if context.json {
            let found = PeriodFound {
                verdict: PeriodVerdict::Proved,
                period: Some(period),
                preperiod: Some(preperiod),
                saltus: Some(0),
                proof: Some(OrNull(Some("bounded steps"))),
                cycle: Some(OrNull(values.get(preperiod as usize..).map(<[u32]>::to_vec))),
                ..PeriodFound::none(game.name(), preperiod + period - 1)
            };
            write_json(&mut out, &found)?;
            return Ok(Some(Status::Done));
        }
        let whatever = if remembers { ", whatever is remembered" } else { "" };
        writeln!(out, "{}: period {period} from {preperiod} on{whatever}", game.name())?;
        let window = match most_taken {
            1 => "one heap has".to_owned(),
            many => format!("{many} heaps in a row have"),
        };
        writeln!(
            out,
            "  proved: a move takes at most {most_taken}, heaps from {alike_from} on {}are moved in \
             alike, and {window} the same values as {period} further on{}",
            match cycle {
                1 => String::new(),
                cycle => format!("with the same remainder modulo {cycle} "),
            },
            if remembers {
                format!(", for all memories that play leads to: {memories}")
            } else {
                String::new()
            }
        )?;
        if let Some(cycle) = values.get(preperiod as usize..).filter(|cycle| cycle.len() <= PRINTED)
        {
            let cycle: Vec<String> = cycle.iter().map(u32::to_string).collect();
            let nothing = if remembers { ", with nothing remembered" } else { "" };
            writeln!(out, "  values from {preperiod}{nothing}: {}", cycle.join(" "))?;
        }
        Ok(Some(Status::Done))
    }

    /// Tells what the values show of a game that no theory of periods covers.
    fn observed(
        &self,
        context: &Context,
        game: &dyn Game,
        error: NotationError,
    ) -> Result<Status, CommandError> {
        if game.single(1).is_none() || game.rule_files().is_empty() {
            return Err(error.into());
        }
        if self.certificate.is_some() || self.checkpoint.is_some() {
            let message = "no theory proves a period of these rules, so --certificate and \
                --checkpoint have nothing to keep";
            return Err(CommandError::Usage(format!("{}: {message}", game.name())));
        }
        let what = format!("period of {}", game.name());
        let found = progress::watched(context, &what, &self.budget.budget(context), |budget| {
            observed_sequence(game, self.to, &budget)
        });
        let Some(ObservedSequence { values, found, fault }) = found else {
            return Err(error.into());
        };
        if let Some(fault) = fault {
            return Err(CommandError::Usage(fault.to_string()));
        }
        let (game, to) = (game.name(), values.len().saturating_sub(1));
        let mut out = context.out();
        if context.json {
            let none = PeriodFound::none(game, to as u64);
            let found = match found {
                Some(ObservedPeriod { preperiod, period, saltus }) => PeriodFound {
                    verdict: PeriodVerdict::Holds,
                    period: Some(period as u64),
                    preperiod: Some(preperiod as u64),
                    saltus: Some(saltus),
                    proof: Some(OrNull(None)),
                    ..none
                },
                None => none,
            };
            write_json(&mut out, &found)?;
            return Ok(Status::Negative);
        }
        match found {
            Some(ObservedPeriod { preperiod, period, saltus }) => {
                let adds = if saltus != 0 { format!(", saltus {saltus}") } else { String::new() };
                writeln!(out, "{game}: period {period} from {preperiod} on{adds}")?;
                writeln!(
                    out,
                    "  holds to {to}; not proved: no theory of periods covers these rules; bouton \
                     study {game} --values seeks another proof"
                )?;
                if period <= PRINTED {
                    let cycle: Vec<String> =
                        values[preperiod..][..period].iter().map(u32::to_string).collect();
                    writeln!(out, "  values from {preperiod}: {}", cycle.join(" "))?;
                }
            }
            None => writeln!(out, "{game}: no period is seen in the values of heaps 0..{to}")?,
        }
        Ok(Status::Negative)
    }

    pub fn run(mut self, context: &Context) -> Result<Status, CommandError> {
        let is_output = self.certificate.is_none();
        self.certificate = self.certificate.or(self.output.take_if(|file| super::is_proof(file)));
        let as_json = context.json;
        super::only_normal(context, &mut self.game)?;
        let named = super::game_alone(context, &self.game)?;
        let sequence = match sequence_of(&*named.game) {
            Ok(sequence) => sequence,
            Err(error) => match sequence_by_rules(&*named.game) {
                Some(sequence) => {
                    if !as_json {
                        let name = named.game.name();
                        writeln!(context.out(), "{name} is {}", sequence.game())?;
                    }
                    sequence
                }
                None => match self.by_bounded_steps(context, &*named.game)? {
                    Some(status) => return Ok(status),
                    None => return self.observed(context, &*named.game, error),
                },
            },
        };
        let what = format!("period of {}", sequence.game());
        let searched = progress::watched(context, &what, &self.budget.budget(context), |budget| {
            let search = PeriodSearch {
                bytes: budget.bytes,
                file: self.checkpoint.as_deref(),
                ..PeriodSearch::new(self.to.saturating_add(1))
            };
            search.run(sequence, &mut Meter::new(&budget))
        });
        // Without a file there is nothing that could be wrong with it.
        let file =
            self.checkpoint.as_deref().map_or(String::new(), |file| file.display().to_string());
        let PeriodSearchReport { sequence, found, heaps, end } =
            searched.map_err(|error| CommandError::Checkpoint(file, error))?;
        let heaps = heaps.saturating_sub(1);
        let mut out = context.out();
        let game = sequence.game().to_owned();
        if as_json {
            write_json(&mut out, &bouton_report::period(&sequence, found.as_ref(), heaps, end))?;
        }
        let Some(found) = found else {
            if !as_json {
                match end {
                    None => writeln!(
                        out,
                        "{game}: no period is supported by the {} values of heaps 0..{heaps}",
                        heaps + 1
                    )?,
                    Some(end) => writeln!(
                        out,
                        "{game}: no period is seen up to heap {heaps}, where the search ended \
                         ({end}); a longer one may find it"
                    )?,
                }
            }
            if let Some(file) = &self.certificate {
                ProofFile::write(file, None)?.tell(&mut out, as_json, is_output)?;
            }
            return Ok(Status::Negative);
        };
        if !as_json {
            let exceptions = found.exceptions(&sequence);
            let saltus =
                if found.saltus > 0 { format!(", saltus {}", found.saltus) } else { String::new() };
            writeln!(out, "{game}: period {} from {} on{saltus}", found.period, found.preperiod)?;
            match found.proof {
                Some(_) => writeln!(
                    out,
                    "  proved: {}, heaps 0..{heaps} compared",
                    bouton_octal::proof_word(&found)
                )?,
                None => writeln!(out, "  holds to {heaps}; not proved")?,
            }
            if found.period <= PRINTED && found.preperiod + found.period <= sequence.len() {
                let first = found.preperiod.div_ceil(found.period) * found.period;
                let cycle: Vec<String> = found.cycle(&sequence).map(|v| v.to_string()).collect();
                writeln!(out, "  values from {first}: {}", cycle.join(" "))?;
            }
            let many = exceptions.len();
            match exceptions.last() {
                Some(_) if many <= PRINTED => {
                    let listed: Vec<String> =
                        exceptions.iter().map(|(n, value)| format!("{n}:{value}")).collect();
                    writeln!(out, "  {many} exceptions: {}", listed.join(" "))?;
                }
                Some((last, _)) => writeln!(out, "  {many} exceptions, the last at {last}")?,
                None => {}
            }
        }
        let mut is_complete = found.proof.is_some();
        if let Some(file) = &self.certificate {
            let certificate = found.certificate(&sequence).map(|certificate| certificate.to_text());
            let proof = ProofFile::write(file, certificate.as_deref())?;
            proof.tell(&mut out, as_json, is_output)?;
            is_complete &= proof.is_written();
        }
        Ok(if is_complete { Status::Done } else { Status::Negative })
    }
}

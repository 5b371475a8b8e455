//! `bouton period`: the period of a nim-sequence, proved.

use super::{BudgetArgs, values};
use crate::context::Context;
use crate::fault::{Fault, is_for_coq, write_file};
use crate::{Status, progress};
use bouton_solve::sequence::period::seek;
use bouton_solve::sequence::recurrence::{Recurrence, START};
use bouton_solve::sequence::window::Stop;
use bouton_solve::sequence::{CheckpointError, Period, Sequence};
use bouton_solve::{LimitReached, Meter};
use bouton_study::sequence_of;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// Find and prove the period of the nim-values of single heaps
#[derive(Debug, Args)]
#[command(
    name = "period",
    after_help = "Examples:\n  bouton period kayles\n  bouton period 0.16 --certificate 0.16.cert\n  bouton period kayles --certificate kayles.v\n  bouton period 0.104 --to 250000000 --checkpoint 0.104.values\n  bouton period 0.106 --to 800000000000 --checkpoint 0.106.windows\n  bouton period 'S(1,4,7)' --json"
)]
pub struct PeriodOf {
    /// A taking-and-breaking game: 0.77, kayles(3), grundy, S(1,4,7)
    game: String,
    /// Look at heaps up to this size
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    to: usize,
    /// Keep the values in this file, and go on from those it holds; where they would take more than --memory, only the latest
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Write the proof to this file, for `bouton check`; FILE.v: as a theorem for Coq
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Longer periods, and more exceptions, are not printed.
const PRINTED: usize = 240;

/// Values between two additions to a checkpoint, at least.
const STEP: usize = 1 << 23;

/// Longer sequences are first looked at by their window, which is faster, unless their values are to be kept.
const LONG: usize = 1 << 26;

impl PeriodOf {
    pub fn run(self, context: &Context) -> Result<Status, Fault> {
        let as_json = context.json;
        let named = context.catalogue.parse(&self.game)?;
        let begin = || sequence_of(&*named.game);
        let most = self.to.saturating_add(1);
        let what = format!("period of {}", begin()?.game());
        let searched = progress::watched(context, &what, &self.budget.budget(context), |budget| {
            let mut meter = Meter::new(&budget);
            let far = match self.budget.is_past(most) || most > LONG && self.checkpoint.is_none() {
                true => self.far(begin()?, most, &mut meter)?,
                false => None,
            };
            far.map_or_else(|| self.near(begin()?, most, &mut meter), Ok)
        })?;
        let Searched { sequence, found, heaps } = searched;
        let heaps = heaps.saturating_sub(1);
        let (found, spent) = match found {
            Ok(found) => (found, None),
            Err(spent) => (None, Some(spent)),
        };
        let mut out = std::io::stdout().lock();
        let game = sequence.game().to_owned();
        if as_json {
            writeln!(out, "{}", bouton_report::period(&sequence, found.as_ref(), heaps, spent))?;
        }
        let Some(found) = found else {
            if !as_json {
                let why = spent.map_or(String::new(), |spent| format!(" ({spent})"));
                writeln!(
                    out,
                    "{game}: no period is supported by the {} values of heaps 0..{heaps}{why}",
                    heaps + 1
                )?;
            }
            return Ok(Status::Negative);
        };
        if let Some(file) = &self.certificate {
            let certificate = found.certificate(&sequence).ok_or_else(|| {
                Fault::Usage(format!(
                    "no certificate: the period of {game} holds to {heaps}, but is not proved"
                ))
            })?;
            let text = certificate.to_text();
            let text = match is_for_coq(file) {
                true => bouton_coq::export(&text)
                    .map_err(|why| Fault::Usage(format!("no theorem for Coq: {why}")))?,
                false => text,
            };
            write_file(file, text)?;
        }
        if !as_json {
            let exceptions = found.exceptions(&sequence);
            let saltus = if found.saltus > 0 { format!(", saltus {}", found.saltus) } else { String::new() };
            writeln!(out, "{game}: period {} from {} on{saltus}", found.period, found.preperiod)?;
            match found.proof {
                Some(_) => writeln!(
                    out,
                    "  proved: {}, heaps 0..{heaps} compared",
                    bouton_study::proof_word(&found)
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
        Ok(if found.proof.is_some() { Status::Done } else { Status::Negative })
    }
}

/// What was found, and how many heaps were looked at.
struct Searched {
    sequence: Sequence,
    found: Result<Option<Period>, LimitReached>,
    heaps: usize,
}

/// Why a search without all values ended.
enum Ended {
    Stop(Stop),
    Fault(Fault),
}

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Ended {
        Ended::Stop(stop)
    }
}

impl PeriodOf {
    /// Looks at a sequence of which all values are kept.
    fn near(&self, mut sequence: Sequence, most: usize, meter: &mut Meter) -> Result<Searched, Fault> {
        let mut checkpoint = None;
        if let Some(file) = &self.checkpoint {
            let resumed = values::resumed(file, sequence)?;
            checkpoint = Some((file, resumed.0));
            sequence = resumed.1;
        }
        loop {
            let step = sequence.len() + STEP.max(sequence.len() / 4);
            let to = if checkpoint.is_some() { most.min(step) } else { most };
            let found = seek(&mut sequence, to, meter);
            if let Some((file, checkpoint)) = &mut checkpoint {
                checkpoint.append(&sequence).map_err(|error| values::kept(file, error))?;
            }
            let proved = matches!(found, Ok(Some(found)) if found.proof.is_some());
            if proved || found.is_err() || to >= most {
                let heaps = sequence.len();
                return Ok(Searched { sequence, found, heaps });
            }
        }
    }

    /// Looks at a sequence by its window, where it has settled among the first heaps.
    fn far(&self, mut sequence: Sequence, most: usize, meter: &mut Meter) -> Result<Option<Searched>, Fault> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let resumed = match &self.checkpoint {
            Some(file) => match Recurrence::open(file, &mut sequence, meter) {
                // Values, perhaps.
                Err(CheckpointError::Foreign) => return Ok(None),
                opened => opened.map_err(|error| Fault::Checkpoint(file.display().to_string(), error))?,
            },
            None => None,
        };
        let search = match resumed {
            Some(search) => Some(search),
            None => {
                let found = seek(&mut sequence, START.min(most), meter);
                if found.is_err() || matches!(found, Ok(Some(found)) if found.proof.is_some()) {
                    let heaps = sequence.len();
                    return Ok(Some(Searched { sequence, found, heaps }));
                }
                Recurrence::new(&sequence)
            }
        };
        let Some(mut search) = search.map(|search| search.on(threads)) else { return Ok(None) };
        let game = sequence.game().to_owned();
        let keep = |search: &Recurrence| match &self.checkpoint {
            Some(file) => search.save(file, &game).map_err(|error| values::kept(file, error)),
            None => Ok(()),
        };
        let found = search.seek(&sequence, most, meter, |search| keep(search).map_err(Ended::Fault));
        keep(&search)?;
        let found = match found {
            Ok(found) => Ok(found),
            Err(Ended::Stop(Stop::LimitReached(spent))) => Err(spent),
            Err(Ended::Stop(Stop::Unsettled(heap))) => {
                let why = format!(
                    "heap {heap} of {game} does not follow from the {} before it: with more --memory all are kept",
                    search.width()
                );
                return Err(Fault::Unknown(why));
            }
            Err(Ended::Fault(fault)) => return Err(fault),
        };
        Ok(Some(Searched { sequence, found, heaps: search.len() }))
    }
}

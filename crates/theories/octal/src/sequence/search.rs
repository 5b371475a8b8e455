//! Looks for a period the way that suits the length: with all values at hand, or by the window alone, where that is faster or
//! memory ends (see `recurrence`). Which way is taken hangs on what is asked for, never on the clock or the machine.

use super::period::seek;
use super::recurrence::{Recurrence, START};
use super::window::Stop;
use super::{Checkpoint, CheckpointError, Period, Room, Sequence};
use bouton_core::{LimitReached, Meter};
use std::fmt;
use std::path::Path;

/// Longer sequences are first looked at by their window, which is faster, unless their values are to be kept in a file.
pub const LONG: usize = 1 << 26;

/// Values between two additions to a checkpoint, at least.
const STEP: usize = 1 << 23;

/// How a period is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Search<'f> {
    /// How many heaps are looked at, at most: 0..`most`.
    pub most: usize,
    /// Bytes that the values may take; without it, as many as they want.
    pub bytes: Option<u64>,
    /// Keeps the values, or the latest of them, and goes on from those it holds.
    pub file: Option<&'f Path>,
    /// Longer sequences are first looked at by their window.
    pub long: usize,
    /// How many heaps are looked at with all values before.
    pub start: usize,
    /// On one thread, or on two.
    pub threads: usize,
}

/// What was found.
#[derive(Debug)]
pub struct Searched {
    /// The values that were kept: all, or those of the first heaps.
    pub sequence: Sequence,
    /// The period.
    pub found: Option<Period>,
    /// How many heaps were looked at.
    pub heaps: usize,
    /// Why it ended before, if it did.
    pub end: Option<End>,
}

/// Why a search ended before the last heap, without a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The budget.
    LimitReached(LimitReached),
    /// This heap does not follow from so many before it, and there is no memory for all.
    Unsettled {
        /// The heap.
        heap: usize,
        /// How many values were kept.
        width: usize,
    },
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::LimitReached(spent) => spent.fmt(f),
            End::Unsettled { heap, width } => write!(
                f,
                "heap {heap} does not follow from the {width} before it: with more memory all are kept"
            ),
        }
    }
}

/// Why a window goes no further.
enum Halt {
    Stop(Stop),
    File(CheckpointError),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

impl Search<'_> {
    /// Heaps 0..`most`, without a file, on as many threads as the machine has.
    pub fn to(most: usize) -> Search<'static> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Search { most, bytes: None, file: None, long: LONG, start: START, threads }
    }

    /// Seeks the period of a sequence of which nothing is known yet.
    pub fn run(&self, sequence: Sequence, meter: &mut Meter) -> Result<Searched, CheckpointError> {
        let fits = self.bytes.is_none_or(|bytes| self.most as u64 <= bytes);
        if fits && (self.most <= self.long || self.file.is_some()) {
            return self.near(sequence, meter);
        }
        let anew = sequence.anew();
        match self.far(sequence, fits, meter)? {
            Ok(searched) => Ok(searched),
            // What a file holds comes first.
            Err(_) if self.file.is_some() => self.near(anew, meter),
            Err(known) => self.near(known, meter),
        }
    }

    /// With all values.
    fn near(&self, mut sequence: Sequence, meter: &mut Meter) -> Result<Searched, CheckpointError> {
        let mut checkpoint = None;
        if let Some(file) = self.file {
            let (opened, resumed) = Checkpoint::resume(file, sequence)?;
            (checkpoint, sequence) = (Some(opened), resumed);
        }
        loop {
            let step = sequence.len() + STEP.max(sequence.len() / 4);
            let to = if checkpoint.is_some() { self.most.min(step) } else { self.most };
            let found = seek(&mut sequence, to, meter);
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.append(&sequence)?;
            }
            if found.is_err() || is_proved(found) || to >= self.most {
                return Ok(Searched::of(sequence, found));
            }
        }
    }

    /// By the window, where the sequence has settled among the first heaps; else the sequence is given back as far as it is known.
    /// So it is, too, where a heap does not follow from the window, if all values fit.
    fn far(
        &self,
        mut sequence: Sequence,
        fits: bool,
        meter: &mut Meter,
    ) -> Result<Result<Searched, Sequence>, CheckpointError> {
        let resumed = match self.file {
            Some(file) => match Recurrence::open(file, &mut sequence, meter) {
                // Values, perhaps.
                Err(CheckpointError::Foreign) => return Ok(Err(sequence)),
                opened => opened?,
            },
            None => None,
        };
        let search = match resumed {
            Some(search) => Some(search),
            None => {
                let found = seek(&mut sequence, self.start.min(self.most), meter);
                if found.is_err() || is_proved(found) {
                    return Ok(Ok(Searched::of(sequence, found)));
                }
                Recurrence::new(&sequence)
            }
        };
        let Some(mut search) = search.map(|search| search.on(self.threads)) else { return Ok(Err(sequence)) };
        let game = sequence.game().to_owned();
        let keep = |search: &Recurrence| match self.file {
            Some(file) => search.save(file, &game).map_err(CheckpointError::from),
            None => Ok(()),
        };
        let found = search.seek(&sequence, self.most, meter, |search| keep(search).map_err(Halt::File));
        keep(&search)?;
        let (found, end) = match found {
            Ok(found) => (found, None),
            Err(Halt::Stop(Stop::LimitReached(spent))) => (None, Some(End::LimitReached(spent))),
            Err(Halt::Stop(Stop::Unsettled(_))) if fits => return Ok(Err(sequence)),
            Err(Halt::Stop(Stop::Unsettled(heap))) => {
                (None, Some(End::Unsettled { heap, width: search.width() }))
            }
            Err(Halt::File(error)) => return Err(error),
        };
        Ok(Ok(Searched { sequence, found, heaps: search.len(), end }))
    }
}

impl Searched {
    fn of(sequence: Sequence, found: Result<Option<Period>, LimitReached>) -> Searched {
        let heaps = sequence.len();
        let (found, end) = match found {
            Ok(found) => (found, None),
            Err(spent) => (None, Some(End::LimitReached(spent))),
        };
        Searched { sequence, found, heaps, end }
    }
}

fn is_proved(found: Result<Option<Period>, LimitReached>) -> bool {
    matches!(found, Ok(Some(found)) if found.proof.is_some())
}

impl Checkpoint {
    /// A sequence that goes on from a checkpoint, which is begun where there is none. What has no room in memory lies in a
    /// file beside it.
    pub fn resume(file: &Path, sequence: Sequence) -> Result<(Checkpoint, Sequence), CheckpointError> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let room = Room { folder: Some(folder.unwrap_or(Path::new(".")).to_owned()), ..Room::default() };
        let (checkpoint, values) = Checkpoint::open(file, sequence.game(), room.clone())?;
        let sequence = sequence.within(room).resume(values)?;
        Ok((checkpoint, sequence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{Proof, TakeBreak};
    use bouton_core::Budget;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn sequence(text: &str) -> Sequence {
        Sequence::new(TakeBreak::parse(text).unwrap()).on(1)
    }

    /// Windows from so many heaps on.
    fn early(most: usize, start: usize) -> Search<'static> {
        Search { long: 0, start, threads: 1, ..Search::to(most) }
    }

    /// The period of 0.16, 149,459 from 105,351 on (A. Gangolli, T. Plambeck 1989), either way.
    #[test]
    fn both_ways_find_the_same() {
        for (search, is_far) in [
            (Search::to(1 << 22), false),
            (early(1 << 22, 200_000), true),
            // A byte each is too much.
            (Search { bytes: Some(300_000), start: 200_000, ..Search::to(1 << 22) }, true),
        ] {
            let searched = search.run(sequence("0.16"), &mut meter()).unwrap();
            let found = searched.found.unwrap();
            assert_eq!((found.period, found.preperiod, searched.end), (149_459, 105_351, None));
            let by_window = matches!(found.proof, Some(Proof::Window { since: Some(200_000), .. }));
            assert_eq!((by_window, searched.sequence.len() == 200_000), (is_far, is_far), "{found:?}");
            assert!(searched.heaps >= searched.sequence.len());
        }
        // Kayles has its period among the first heaps, 12 from 71 on (R. K. Guy, C. A. B. Smith 1956): there is no window to come.
        let searched = early(1 << 22, 200_000).run(sequence("0.77"), &mut meter()).unwrap();
        let found = searched.found.unwrap();
        assert_eq!((found.period, found.preperiod, found.proof), (12, 71, Some(Proof::Octal)));
    }

    /// What has not settled is looked at with all values: in 0.276 half of the heaps are rare, 0.6 has too few heaps yet, and codes
    /// that leave three have no windows at all.
    #[test]
    fn what_has_not_settled_is_kept() {
        for (text, most, start) in [("0.276", 20_000, 10_000), ("0.6", 60_000, 30_000), ("0.8", 800, 300)] {
            let mut searches = [Search::to(most), early(most, start)]
                .map(|search| search.run(sequence(text), &mut meter()).unwrap());
            assert_eq!(searches.each_ref().map(|searched| searched.heaps), [most; 2], "{text}");
            let [near, far] = &mut searches;
            assert!(near.sequence.values().eq(far.sequence.values()), "{text}");
            assert_eq!((near.found, near.end), (far.found, far.end), "{text}");
        }
    }

    /// What its budget ends says how far it came.
    #[test]
    fn budgets_end_both_ways() {
        let short = || Meter::new(&Budget { nodes: Some(600_000), ..Budget::default() });
        for search in [Search::to(1 << 22), early(1 << 22, 250_000)] {
            let searched = search.run(sequence("0.106"), &mut short()).unwrap();
            assert!(matches!(searched.end, Some(End::LimitReached(LimitReached::Nodes(_)))), "{searched:?}");
            assert!((250_000..=600_000).contains(&searched.heaps) && searched.found.is_none());
        }
    }
}

//! Search for a period by the method that suits the length.
//!
//! Either all values are kept, or only a window of them, if that is faster or memory is short (see
//! [`recurrence`](super::recurrence)). The choice depends on the request only, never on the clock
//! or the machine.

use super::period::{apparent_period, find_period};
use super::recurrence::{FULL_PREFIX, Recurrence};
use super::window::WindowStop;
use super::{Checkpoint, CheckpointError, Period, Sequence, StorageBudget};
use bouton_core::{LimitReached, Meter};
use std::fmt;
use std::path::Path;

/// Longer sequences are first searched by their window, which is faster, unless a file keeps their
/// values.
pub const WINDOW_THRESHOLD: usize = 1 << 26;

/// Minimum number of values between two additions to a checkpoint.
const STEP: usize = 1 << 23;

/// Parameters of a search for a period.
#[derive(Debug, Clone, Copy)]
pub struct PeriodSearch<'f> {
    /// Number of heaps searched, at most: 0..`max_heaps`.
    pub max_heaps: usize,
    /// Bytes that the values may take; `None` for no limit.
    pub bytes: Option<u64>,
    /// File that keeps the values, or the latest of them; a search continues from it.
    pub file: Option<&'f Path>,
    /// Longer sequences are first searched by their window.
    pub window_threshold: usize,
    /// Number of heaps that are first searched with all values.
    pub full_prefix: usize,
    /// Number of threads: one or two.
    pub threads: usize,
}

/// The result of a search.
#[derive(Debug)]
pub struct PeriodSearchReport {
    /// The values kept: all, or those of the first heaps.
    pub sequence: Sequence,
    /// The period, if one was found.
    pub found: Option<Period>,
    /// Number of heaps searched.
    pub heaps: usize,
    /// The reason why the search ended early, if it did.
    pub end: Option<SearchEnd>,
}

/// Reasons why a search ends before the last heap without a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEnd {
    /// The budget is exhausted.
    LimitReached(LimitReached),
    /// A value does not follow from the window, and memory does not hold all values.
    Unsettled {
        /// The heap with this value.
        heap: usize,
        /// Number of values kept.
        width: usize,
    },
}

impl fmt::Display for SearchEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchEnd::LimitReached(spent) => spent.fmt(f),
            SearchEnd::Unsettled { heap, width } => write!(
                f,
                "heap {heap} does not follow from the {width} before it: with more memory all are \
                 kept"
            ),
        }
    }
}

/// Reasons why a search by the window stops.
enum WindowSearchError {
    Stop(WindowStop),
    File(CheckpointError),
}

impl From<WindowStop> for WindowSearchError {
    fn from(stop: WindowStop) -> WindowSearchError {
        WindowSearchError::Stop(stop)
    }
}

impl PeriodSearch<'_> {
    /// Creates a search of heaps 0..`max_heaps` without a file, on as many threads as the machine
    /// has.
    pub fn new(max_heaps: usize) -> PeriodSearch<'static> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        PeriodSearch {
            max_heaps,
            bytes: None,
            file: None,
            window_threshold: WINDOW_THRESHOLD,
            full_prefix: FULL_PREFIX,
            threads,
        }
    }

    /// Searches for the period of an empty sequence.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn run(
        &self,
        sequence: Sequence,
        meter: &mut Meter,
    ) -> Result<PeriodSearchReport, CheckpointError> {
        let fits = self.bytes.is_none_or(|bytes| self.max_heaps as u64 <= bytes);
        if fits && (self.max_heaps <= self.window_threshold || self.file.is_some()) {
            return self.with_all_values(sequence, meter);
        }
        let anew = sequence.restarted();
        match self.by_window(sequence, fits, meter)? {
            Ok(searched) => Ok(searched),
            // The values in a file take precedence.
            Err(_) if self.file.is_some() => self.with_all_values(anew, meter),
            Err(known) => self.with_all_values(known, meter),
        }
    }

    /// Searches with all values.
    fn with_all_values(
        &self,
        mut sequence: Sequence,
        meter: &mut Meter,
    ) -> Result<PeriodSearchReport, CheckpointError> {
        let mut checkpoint = None;
        if let Some(file) = self.file {
            let (opened, resumed) = Checkpoint::resume(file, sequence)?;
            (checkpoint, sequence) = (Some(opened), resumed);
        }
        loop {
            let step = sequence.len() + STEP.max(sequence.len() / 4);
            let to = if checkpoint.is_some() { self.max_heaps.min(step) } else { self.max_heaps };
            let found = find_period(&mut sequence, to, meter);
            if let Some(checkpoint) = &mut checkpoint {
                checkpoint.append(&sequence)?;
            }
            if found.is_err() || is_proved(found) || to >= self.max_heaps {
                return Ok(PeriodSearchReport::from_sequence(sequence, found));
            }
        }
    }

    /// Searches by the window if the sequence settles among the first heaps.
    ///
    /// Returns the sequence as far as it is known if it does not settle, or if all values fit and
    /// some heap does not follow from the window.
    fn by_window(
        &self,
        mut sequence: Sequence,
        fits: bool,
        meter: &mut Meter,
    ) -> Result<Result<PeriodSearchReport, Sequence>, CheckpointError> {
        let resumed = match self.file {
            Some(file) => match Recurrence::open(file, &mut sequence, meter) {
                // The file may hold plain values.
                Err(CheckpointError::Foreign) => return Ok(Err(sequence)),
                opened => opened?,
            },
            None => None,
        };
        let search = match resumed {
            Some(search) => Some(search),
            None => {
                let found = find_period(&mut sequence, self.full_prefix.min(self.max_heaps), meter);
                if found.is_err() || is_proved(found) {
                    return Ok(Ok(PeriodSearchReport::from_sequence(sequence, found)));
                }
                Recurrence::new(&sequence)
            }
        };
        let Some(mut search) = search.map(|search| search.with_threads(self.threads)) else {
            return Ok(Err(sequence));
        };
        let game = sequence.game().to_owned();
        let keep = |search: &Recurrence| match self.file {
            Some(file) => search.save(file, &game).map_err(CheckpointError::from),
            None => Ok(()),
        };
        let found = search.seek(&sequence, self.max_heaps, meter, |search| {
            keep(search).map_err(WindowSearchError::File)
        });
        keep(&search)?;
        let (found, end) = match found {
            Ok(found) => (found, None),
            Err(WindowSearchError::Stop(WindowStop::LimitReached(spent))) => {
                (None, Some(SearchEnd::LimitReached(spent)))
            }
            Err(WindowSearchError::Stop(WindowStop::Unsettled(_))) if fits => {
                return Ok(Err(sequence));
            }
            Err(WindowSearchError::Stop(WindowStop::Unsettled(heap))) => {
                (None, Some(SearchEnd::Unsettled { heap, width: search.width() }))
            }
            Err(WindowSearchError::File(error)) => return Err(error),
        };
        Ok(Ok(PeriodSearchReport { sequence, found, heaps: search.len(), end }))
    }
}

impl PeriodSearchReport {
    fn from_sequence(
        sequence: Sequence,
        found: Result<Option<Period>, LimitReached>,
    ) -> PeriodSearchReport {
        let heaps = sequence.len();
        let (found, end) = match found {
            Ok(found) => (found, None),
            Err(spent) => (apparent_period(&sequence), Some(SearchEnd::LimitReached(spent))),
        };
        PeriodSearchReport { sequence, found, heaps, end }
    }
}

fn is_proved(found: Result<Option<Period>, LimitReached>) -> bool {
    matches!(found, Ok(Some(found)) if found.proof.is_some())
}

impl Checkpoint {
    /// Continues a sequence from a checkpoint file, which is created if it does not exist. Values
    /// beyond the memory are stored in a file beside it.
    ///
    /// # Errors
    ///
    /// See [`Checkpoint::open`].
    pub fn resume(
        file: &Path,
        sequence: Sequence,
    ) -> Result<(Checkpoint, Sequence), CheckpointError> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let storage = StorageBudget {
            folder: Some(folder.unwrap_or(Path::new(".")).to_owned()),
            ..StorageBudget::default()
        };
        let (checkpoint, values) = Checkpoint::open(file, sequence.game(), storage.clone())?;
        let sequence = sequence.with_storage(storage).resume(values)?;
        Ok((checkpoint, sequence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{PeriodProof, TakeAndBreakCode};
    use bouton_core::Budget;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn sequence(text: &str) -> Sequence {
        Sequence::new(TakeAndBreakCode::parse(text).unwrap()).with_threads(1)
    }

    /// Windows from this many heaps on.
    fn early(most: usize, start: usize) -> PeriodSearch<'static> {
        PeriodSearch {
            window_threshold: 0,
            full_prefix: start,
            threads: 1,
            ..PeriodSearch::new(most)
        }
    }

    /// The period of 0.16, 149,459 from 105,351 on (A. Gangolli, T. Plambeck 1989), either way.
    #[test]
    fn both_ways_find_the_same() {
        for (search, is_far) in [
            (PeriodSearch::new(1 << 22), false),
            (early(1 << 22, 200_000), true),
            // A byte each is too much.
            (
                PeriodSearch {
                    bytes: Some(300_000),
                    full_prefix: 200_000,
                    ..PeriodSearch::new(1 << 22)
                },
                true,
            ),
        ] {
            let searched = search.run(sequence("0.16"), &mut meter()).unwrap();
            let found = searched.found.unwrap();
            assert_eq!((found.period, found.preperiod, searched.end), (149_459, 105_351, None));
            let by_window =
                matches!(found.proof, Some(PeriodProof::Window { since: Some(200_000), .. }));
            assert_eq!(
                (by_window, searched.sequence.len() == 200_000),
                (is_far, is_far),
                "{found:?}"
            );
            assert!(searched.heaps >= searched.sequence.len());
        }
        // Kayles has its period among the first heaps, 12 from 71 on (R. K. Guy, C. A. B. Smith
        // 1956): there is no window to come.
        let searched = early(1 << 22, 200_000).run(sequence("0.77"), &mut meter()).unwrap();
        let found = searched.found.unwrap();
        assert_eq!(
            (found.period, found.preperiod, found.proof),
            (12, 71, Some(PeriodProof::Octal))
        );
    }

    /// What has not settled is looked at with all values: in 0.276 half of the heaps are rare, 0.6
    /// has too few heaps yet, and codes that leave three have no windows at all.
    #[test]
    fn what_has_not_settled_is_kept() {
        for (text, most, start) in
            [("0.276", 20_000, 10_000), ("0.6", 60_000, 30_000), ("0.8!", 800, 300)]
        {
            let mut searches = [PeriodSearch::new(most), early(most, start)]
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
        for search in [PeriodSearch::new(1 << 22), early(1 << 22, 250_000)] {
            let searched = search.run(sequence("0.106"), &mut short()).unwrap();
            assert!(
                matches!(searched.end, Some(SearchEnd::LimitReached(LimitReached::Nodes(_)))),
                "{searched:?}"
            );
            assert!((250_000..=600_000).contains(&searched.heaps) && searched.found.is_none());
        }
    }
}

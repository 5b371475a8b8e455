//! Nim-sequences of taking-and-breaking games: the nim-values of single heaps 0, 1, 2, …
//!
//! ```text
//! Sequence            interface: extend, value, resume
//!   planner           chooses the engine and the next one when it stops
//!   engine            one of
//!     plain           any code, one heap at a time
//!     subtraction     subtraction games
//!     split_engine    all splits in vectors: short runs, many rare heaps, values above 255
//!     sparse          few rare heaps, one byte a value, 64 heaps at once
//!     paged_sparse    few rare heaps, larger values
//! period, search      periods, their proofs, and the search for them
//!   arithmetic        proofs of periods with a saltus
//!   window, recurrence  settled sequences longer than any memory
//! ```
//!
//! All engines give the same values; they differ in speed and memory only.

mod arithmetic;
mod byte_values;
pub mod checkpoint;
pub mod code;
mod common_block;
mod common_run;
mod engine;
mod exclusion;
mod kernel;
mod membership_scan;
mod mirrored_values;
mod moves;
mod overflow_values;
mod paged_sparse;
pub mod period;
mod pipeline;
pub mod plain;
mod planner;
pub mod recurrence;
mod repeats;
pub mod search;
mod short_shifts;
mod simd_value;
mod space;
mod sparse;
mod split_engine;
mod split_scan;
mod storage;
mod subtraction;
mod sums_by_total;
mod terms;
pub mod window;

pub use arithmetic::ArithmeticProof;
pub use bouton_simd::Simd;
pub use byte_values::ByteValues;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use code::{CodeDigit, TakeAndBreakCode};
pub use period::{Period, PeriodProof};
pub use planner::MAX_HEAPS;
pub use search::{PeriodSearch, PeriodSearchReport};
pub use space::SparseSpace;
pub use storage::StorageBudget;
pub use subtraction::SubtractionSequence;
pub use window::Window;

use bouton_core::{HeapMoves, LimitReached, Meter, NotationError};
use engine::Engine;
use moves::CodeMoves;
use period::MoveLimits;
use planner::{MAX_NARROW_HEAPS, Planner, check_narrow};
use std::ops::Range;

/// The nim-sequence of a game, computed as far as requested. All values are kept.
#[derive(Debug)]
pub struct Sequence {
    game: String,
    code: Option<TakeAndBreakCode>,
    move_limits: Option<MoveLimits>,
    simd: Simd,
    storage: StorageBudget,
    threads: Option<usize>,
    engine: Engine,
}

impl Sequence {
    /// Creates an empty sequence that uses the best instructions of this processor.
    pub fn new(code: TakeAndBreakCode) -> Sequence {
        Sequence::with_simd(code, Simd::best())
    }

    /// Creates an empty sequence that uses the given instructions. The values do not depend on
    /// them.
    pub fn with_simd(code: TakeAndBreakCode, simd: Simd) -> Sequence {
        Sequence {
            game: code.to_string(),
            move_limits: MoveLimits::from_code(&code),
            simd,
            storage: StorageBudget::default(),
            threads: None,
            engine: Engine::Plain(Vec::new(), splitting_moves(&code)),
            code: Some(code),
        }
    }

    /// Creates the empty sequence of a subtraction game; `None` if the set is empty or contains 0.
    pub fn from_subtraction_set(set: &[u64]) -> Option<Sequence> {
        let game = SubtractionSequence::new(set)?;
        let set: Vec<String> = game.subtraction_set().iter().map(usize::to_string).collect();
        Some(Sequence {
            game: format!("S({})", set.join(",")),
            code: None,
            move_limits: Some(MoveLimits::from_subtraction_set(game.subtraction_set())),
            simd: Simd::best(),
            storage: StorageBudget::default(),
            threads: None,
            engine: Engine::Subtraction(game),
        })
    }

    /// Creates the empty sequence of the single heaps of a game.
    ///
    /// # Errors
    ///
    /// If the code is not valid, or nothing can be taken.
    pub fn from_moves(moves: &HeapMoves) -> Result<Sequence, NotationError> {
        match moves {
            HeapMoves::Code(code) => Ok(Sequence::new(TakeAndBreakCode::parse(code)?)),
            HeapMoves::Take(set) => Sequence::from_subtraction_set(set).ok_or_else(|| {
                NotationError::new(
                    "",
                    0..0,
                    "nothing can be taken",
                    "numbers to take, at least 1 each",
                )
            }),
        }
    }

    /// Returns the same sequence without values.
    pub fn restarted(&self) -> Sequence {
        let engine = match &self.engine {
            Engine::Subtraction(game) => Engine::Subtraction(game.restarted()),
            _ => Engine::Plain(Vec::new(), self.code.as_ref().and_then(splitting_moves)),
        };
        Sequence {
            game: self.game.clone(),
            code: self.code.clone(),
            move_limits: self.move_limits,
            simd: self.simd,
            storage: self.storage.clone(),
            threads: self.threads,
            engine,
        }
    }

    /// Sets the limits of the storage. To be called before any value is computed.
    pub fn with_storage(mut self, storage: StorageBudget) -> Sequence {
        self.storage = storage;
        self
    }

    /// Sets the number of threads for long runs, at most 4; by default, that of the machine's
    /// processors.
    ///
    /// The values do not depend on it.
    pub fn with_threads(mut self, threads: usize) -> Sequence {
        self.threads = Some(threads);
        self
    }

    /// Returns the limits of the storage.
    pub fn storage(&self) -> &StorageBudget {
        &self.storage
    }

    /// Continues from known values, those of heaps 0..`values.len()`.
    ///
    /// # Errors
    ///
    /// If the values exceed the storage.
    pub fn resume(mut self, values: ByteValues) -> Result<Sequence, LimitReached> {
        let planner = Planner { storage: &self.storage, simd: self.simd };
        let engine = std::mem::replace(&mut self.engine, Engine::Plain(Vec::new(), None));
        self.engine = planner.resume(engine, values)?;
        Ok(self)
    }

    /// Returns the name of the game: a code, or S(…).
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Returns the properties on which the period theorem depends; `None` if it does not apply.
    pub fn move_limits(&self) -> Option<MoveLimits> {
        self.move_limits
    }

    /// Returns the number of known values: those of heaps 0..`len`.
    pub fn len(&self) -> usize {
        self.engine.len()
    }

    /// Returns whether no value is known yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the nim-value of a heap of size `n`, below [`Sequence::len`].
    pub fn value(&self, n: usize) -> u32 {
        self.engine.value(n)
    }

    /// Returns the known nim-values of heaps 0, 1, ….
    pub fn values(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        (0..self.len()).map(|n| self.value(n))
    }

    /// Extends a list of values of heaps 0, 1, … to `len` of them, by the known ones and by a
    /// proved period; returns whether these are all.
    pub fn list_values(&self, values: &mut Vec<u32>, period: Option<Period>, len: usize) -> bool {
        values.extend(self.values().take(len));
        let of_period = |n| period.and_then(|period| period.value(self, n));
        values.extend((values.len()..len).map_while(of_period));
        values.len() >= len
    }

    /// See [`Engine::next_repeat`].
    fn next_repeat(&self, distances: Range<usize>) -> Option<usize> {
        self.engine.next_repeat(distances)
    }

    /// See [`Engine::last_change`].
    fn last_change(&self, period: usize, saltus: u32) -> Option<usize> {
        self.engine.last_change(period, saltus)
    }

    /// Returns the sparse space in use and its rare heaps, ascending; `None` if the engine uses no
    /// space.
    pub fn rares(&self) -> Option<(&SparseSpace, Vec<usize>)> {
        self.engine.rares()
    }

    /// See [`Engine::window`].
    fn window(&self) -> Option<(usize, usize)> {
        self.engine.window()
    }

    /// Returns the last values if, as far as is known, they determine the next ones: no recent heap
    /// is rare, or needs a witness that is far away.
    pub fn settled_window(&self) -> Option<Window> {
        self.engine.settled_window()
    }

    /// Extends the values to heaps 0..`len`. Charges one node of the budget for each heap.
    ///
    /// # Errors
    ///
    /// If the budget ends, the values exceed the storage, or `len` exceeds [`MAX_HEAPS`]. Known
    /// values are kept.
    pub fn extend(&mut self, len: usize, meter: &mut Meter) -> Result<(), LimitReached> {
        if len > MAX_HEAPS {
            return Err(LimitReached::TooManyHeaps(MAX_HEAPS as u64));
        }
        // Called only if it matters, because the query of the system is slow.
        let threads = self.threads;
        let threads = || {
            threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
        };
        let planner = Planner { storage: &self.storage, simd: self.simd };
        while self.engine.len() < len {
            let mut len = len;
            if !matches!(self.engine, Engine::Sparse(..) | Engine::PagedSparse(..)) {
                check_narrow(self.engine.len())?;
                len = len.min(MAX_NARROW_HEAPS);
            }
            if let Some(engine) = planner.reserve(&self.engine, len)? {
                self.engine = engine;
            }
            let next =
                planner.advance(&mut self.engine, self.code.as_ref(), len, threads, meter)?;
            if let Some(engine) = next {
                self.engine = engine;
            }
        }
        Ok(())
    }
}

/// Returns the moves of a code if some of them leave two heaps and none leaves more.
fn splitting_moves(code: &TakeAndBreakCode) -> Option<CodeMoves> {
    CodeMoves::new(code).filter(|moves| !moves.pairs.is_empty())
}

/// Returns a deterministic generator of numbers below a bound: a linear congruence (D. E. Knuth's
/// MMIX).
#[cfg(test)]
pub(crate) fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

#[cfg(test)]
mod tests;

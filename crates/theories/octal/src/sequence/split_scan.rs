//! Scan of all splits of a heap in vectors: 64 sums an instruction while all values are bytes, else
//! 32.
//!
//! The values are stored forwards and in reverse, so that the splits of a move are two contiguous
//! runs.
//!
//! ```text
//!  values     | 0 | 1 | 2 | …            smaller heap a ascends
//!  reversed   | … | n−k−1 | n−k−2 | …    larger heap n−k−a descends in step
//! ```
//!
//! Several open values at a time are sought in the first splits, where most are found. A single one
//! that stays open is sought in all splits.

use super::kernel::Kernel;
use super::moves::CodeMoves;
use super::simd_value::SimdValue;
use super::space::SparseSpace;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;
use std::ops::Range;

/// One more than the largest value that these vectors hold.
pub const VALUES: usize = 1 << 16;

/// Number of values sought together.
const BATCH: usize = 4;

/// Values are sought together in this number of splits for each possible value.
const PREFIX: usize = 12;

/// Number of splits scanned at once, for a batch and for one value.
const BATCH_SPLITS: usize = 512;
const STRETCH: usize = 1024;

/// The values, forwards and in reverse.
#[derive(Debug, Default)]
pub struct ValueRuns<V> {
    pub values: Vec<V>,
    /// Heap n has index `reversed.len() − 1 − n`.
    pub reversed: Vec<V>,
}

impl<V: SimdValue + Default> ValueRuns<V> {
    /// Doubles the capacity; allocates at least 1,024 values.
    pub fn grow(&mut self) {
        self.reversed = vec![V::default(); (2 * self.values.len()).max(1024)];
        let backwards = self.reversed.iter_mut().rev().zip(&self.values);
        backwards.for_each(|(reversed, value)| *reversed = *value);
    }

    /// Appends a value, for which there must be capacity.
    pub fn push(&mut self, value: V) {
        let place = self.reversed.len() - 1 - self.values.len();
        self.reversed[place] = value;
        self.values.push(value);
    }

    /// Returns the smaller and the larger heaps of a move's first `half` splits, by ascending
    /// smaller heap from 1 on; `rest` tokens are left.
    pub fn splits(&self, rest: usize, half: usize) -> (&[V], &[V]) {
        let from = self.reversed.len() - rest;
        (&self.values[1..1 + half], &self.reversed[from..from + half])
    }
}

/// The splits of a heap whose value is sought.
#[derive(Debug)]
pub struct SplitScan<'s, V> {
    pub simd: Simd,
    pub runs: &'s ValueRuns<V>,
    pub moves: &'s CodeMoves,
    pub n: usize,
    pub space: &'s SparseSpace,
    /// Bound on all values so far.
    pub bound: usize,
    /// Common values below this are decided: those not marked are not sums.
    pub settled: usize,
    pub marked: MarkedSplits,
}

/// Splits with small heaps that are marked already and need no scan.
#[derive(Debug, Clone, Copy)]
pub struct MarkedSplits {
    /// The splits of heaps `start..start + block` were marked at once.
    pub start: usize,
    pub block: usize,
    /// Number of small heaps for each move, if there are as many.
    pub count: usize,
    /// Marked values are below this. The mark of 0 is ignored, because a heap with itself may have
    /// set it.
    pub below: usize,
    /// Offset of the small heaps from the first possible one.
    pub skipped: usize,
}

impl MarkedSplits {
    /// Returns the small heaps for a move that takes `taken` tokens: at all heaps of the block the
    /// other heap lies before the block.
    pub fn heaps(&self, taken: usize) -> Range<usize> {
        let from = self.block.saturating_sub(taken).max(1) + self.skipped;
        from..(from + self.count)
            .min(self.start / 2)
            .min(self.start.saturating_sub(taken))
            .max(from)
    }
}

/// The value of a heap if it is below [`VALUES`], and the number of common and of rare values that
/// were sought and found.
pub type ScanResult = (Option<u16>, [usize; 2]);

impl<V: SimdValue + Default> SplitScan<'_, V> {
    /// Returns the least value that is not a sum. `unmarked` returns the least number from a given
    /// one on that may not be a sum.
    pub fn least_unreached(
        &self,
        unmarked: impl Fn(usize) -> usize,
        meter: &mut Meter,
    ) -> Result<ScanResult, LimitReached> {
        let mut open = 0;
        let mut reached = [0; 2];
        loop {
            let mut batch = [0; BATCH];
            let mut some = 0;
            let mut free = None;
            while some < BATCH {
                open = unmarked(open);
                if open >= VALUES {
                    break;
                }
                if open < self.settled && self.space.is_common(open as u32, self.n) {
                    free = Some(open as u16);
                    break;
                }
                batch[some] = open as u16;
                some += 1;
                open += 1;
                if open > self.bound {
                    // Values above all values so far are hardly ever sums: one is enough.
                    break;
                }
            }
            let lanes = batch.map(V::from_value);
            let new = batch[..some]
                .iter()
                .all(|value| (1..self.marked.below).contains(&usize::from(*value)));
            let marked =
                MarkedSplits { count: if new { self.marked.count } else { 0 }, ..self.marked };
            let (near, passed) =
                self.scan_prefix(&lanes.map(Option::unwrap_or_default), some, marked);
            for ((value, lane), near) in batch[..some].iter().zip(lanes).zip(near) {
                // A sum of lanes fits in a lane.
                if lane.is_none_or(|lane| !near && !self.scan_rest(lane, marked, passed)) {
                    return Ok((Some(*value), reached));
                }
                reached[usize::from(!self.space.is_common(u32::from(*value), self.n))] += 1;
            }
            if free.is_some() || open >= VALUES {
                return Ok((free, reached));
            }
            meter.spend(0)?;
        }
    }

    /// Returns the number of splits of a move that are scanned for a whole batch.
    fn prefix(&self) -> usize {
        (PREFIX * self.bound / self.moves.pairs.len()).max(64)
    }

    /// Visits the splits of each move that need a scan, in numbered runs by the smaller heap, until
    /// `visit` returns `true`.
    ///
    /// The runs are the splits before the marked ones and those after them; one run if few are
    /// marked.
    #[inline]
    pub fn any_run(
        &self,
        marked: MarkedSplits,
        mut visit: impl FnMut(usize, &[V], &[V]) -> bool,
    ) -> bool {
        self.moves.pairs.iter().enumerate().any(|(i, (taken, unequal))| {
            let half = self.moves.half(self.n, *taken, *unequal);
            let (small, large) = self.runs.splits(self.n.saturating_sub(*taken), half);
            let heaps = marked.heaps(*taken);
            // The smaller heap of the first split is 1. Whole vectors are scanned.
            let first = (heaps.start - 1).next_multiple_of(64 / size_of::<V>());
            let last = (heaps.end - 1).min(half);
            if last < first + BATCH_SPLITS {
                return visit(2 * i, small, large);
            }
            visit(2 * i, &small[..first], &large[..first])
                || visit(2 * i + 1, &small[last..], &large[last..])
        })
    }

    /// Returns which of the first `some` values of a batch are sums of the first splits, until all
    /// are or one is left; and the run of splits and the index at which the scan ended.
    fn scan_prefix(
        &self,
        batch: &[V; BATCH],
        some: usize,
        marked: MarkedSplits,
    ) -> ([bool; BATCH], [usize; 2]) {
        let mut reached = [false; BATCH];
        let mut passed = [usize::MAX, 0];
        if some <= 1 {
            return (reached, [0, 0]);
        }
        let prefix = self.prefix();
        self.any_run(marked, |run, small, large| {
            let half = prefix.min(small.len());
            for from in (0..half).step_by(BATCH_SPLITS) {
                let to = (from + BATCH_SPLITS).min(half);
                let here =
                    Kernel(self.simd).contains_sums(&small[from..to], &large[from..to], batch);
                reached.iter_mut().zip(here).for_each(|(reached, here)| *reached |= here);
                if reached[..some].iter().filter(|reached| !**reached).count() <= 1 {
                    passed = [run, to];
                    return true;
                }
            }
            false
        });
        (reached, passed)
    }

    /// Returns whether a value is a sum of the splits from `passed` and `place` on.
    fn scan_rest(&self, value: V, marked: MarkedSplits, [passed, place]: [usize; 2]) -> bool {
        self.any_run(marked, |run, small, large| {
            let from = match run.cmp(&passed) {
                std::cmp::Ordering::Less => self.prefix().min(small.len()),
                std::cmp::Ordering::Equal => place,
                std::cmp::Ordering::Greater => 0,
            };
            let mut splits = small[from..].chunks(STRETCH).zip(large[from..].chunks(STRETCH));
            splits.any(|(small, large)| Kernel(self.simd).contains_sums(small, large, &[value])[0])
        })
    }
}

//! Engine that computes one heap at a time from all splits, in vectors.
//!
//! It serves games without a useful sparse space, values above 255, and short runs.
//!
//! First the sums of some heaps are marked ([`super::exclusion`]): of rare ones, which reach the
//! common values, and of small ones, which reach the rare values. The values left open below the
//! least free value are then sought in the other splits ([`super::split_scan`]). If rare heaps are
//! few, all their sums are marked, and the least common value that is not among them needs no
//! search. The number of marked heaps adapts to the number of values left open before. If rare
//! heaps are many, all sums of a total are found by a membership scan instead, provided that the
//! processor supports it ([`super::sums_by_total`]).
//!
//! The space may have any mask, wider than a byte's. Source of rare and common values: see
//! [`super::space`]. Marking a sample and searching for the rest in vectors is ours.

use super::exclusion::{BitSets, ExclusionSets, FlagSets, ValueSets};
use super::kernel::Kernel;
use super::moves::CodeMoves;
use super::simd_value::SimdValue;
use super::space::{SparseSpace, ValueCounts};
use super::split_scan::{SplitScan, ValueRuns};
use super::sums_by_total::SumsByTotal;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;

/// Above 255, searching all splits for one value costs as much as marking it in n / 24 splits.
const FULL_SEARCH: usize = 24;

/// One more than the largest byte.
const BYTES: usize = 1 << 8;

/// Above 255, one value in this many, and two more, are left to searches.
const LEFT_OPEN: usize = 256;

/// If more than one heap in this many is rare and values exceed a byte, small heaps are marked
/// instead of rare ones.
const DENSE: usize = 5;

/// Number of values of a heap that are left to searches while all values are bytes.
const OPEN: usize = 2;

/// The number of marks changes by one in this many at a time.
const PACE: usize = 8;

/// Minimum number of heaps whose sums are marked.
const LEAST_MARKS: usize = 16;

/// Fixed cost of a membership scan for a total, in marks.
const SCAN_OVERHEAD: usize = 128;

/// If heaps have more splits than this, the clock is polled every `POLL_INTERVAL` heaps.
const MANY_SPLITS: usize = 1 << 18;
const POLL_INTERVAL: usize = 64;

/// A nim-sequence under construction, while all values are below [`super::split_scan::VALUES`].
#[derive(Debug)]
pub struct SplitEngine {
    space: SparseSpace,
    simd: Simd,
    words: ValueRuns<u16>,
    /// The values as bytes, as long as they fit.
    bytes: Option<ValueRuns<u8>>,
    rares: Vec<u32>,
    /// The values of the rare heaps.
    rare_values: Vec<u16>,
    /// Bound on all values so far: a power of two.
    bound: usize,
    /// Number of rare and of small heaps whose sums are marked, for each move.
    rare_marks: usize,
    small_marks: usize,
    /// The marks of the current block while values are bytes, and later.
    byte_marks: Option<ExclusionSets<BitSets>>,
    word_marks: Option<ExclusionSets<FlagSets>>,
    /// The sums of two heaps, if they are found for whole totals.
    totals: SumsByTotal,
    next_choice: usize,
}

/// Reasons why the engine stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitStop {
    /// The budget is exhausted.
    LimitReached(LimitReached),
    /// The value of the next heap is too large.
    ValueTooLarge,
    /// The length has doubled: another engine may be faster from here on.
    Doubled,
}

impl From<LimitReached> for SplitStop {
    fn from(spent: LimitReached) -> SplitStop {
        SplitStop::LimitReached(spent)
    }
}

impl SplitEngine {
    /// Continues from known values; `None` if one is too large.
    pub fn new(
        moves: &CodeMoves,
        values: impl Iterator<Item = u32>,
        simd: Simd,
    ) -> Option<SplitEngine> {
        let values: Vec<u16> = values.map(u16::try_from).collect::<Result<_, _>>().ok()?;
        let next_choice = (2 * values.len()).max(512);
        let bound = values
            .iter()
            .fold(1, |most, value| most.max(usize::from(*value) + 1))
            .next_power_of_two();
        let mut words = ValueRuns { values, reversed: Vec::new() };
        words.grow();
        let bytes = (bound <= BYTES).then(|| {
            let mut bytes = ValueRuns {
                values: words.values.iter().map(|value| *value as u8).collect(),
                reversed: Vec::new(),
            };
            bytes.grow();
            bytes
        });
        let mut pairs = SplitEngine {
            space: SparseSpace { mask: 1, by_position: None },
            simd,
            bound,
            words,
            bytes,
            rares: Vec::new(),
            rare_values: Vec::new(),
            rare_marks: LEAST_MARKS,
            small_marks: LEAST_MARKS,
            byte_marks: None,
            word_marks: None,
            totals: SumsByTotal::new(moves),
            next_choice,
        };
        pairs.choose(moves);
        Some(pairs)
    }

    /// Returns the values so far.
    pub fn values(&self) -> &[u16] {
        &self.words.values
    }

    /// Returns the space in use.
    pub fn space(&self) -> &SparseSpace {
        &self.space
    }

    /// Returns the rare heaps so far, ascending.
    pub fn rares(&self) -> &[u32] {
        &self.rares
    }

    /// Switches to the space in which the fewest heaps so far are rare.
    fn choose(&mut self, moves: &CodeMoves) {
        (self.byte_marks, self.word_marks) = (None, None);
        let mut tally = ValueCounts::new(self.bound);
        self.words
            .values
            .iter()
            .enumerate()
            .skip(1)
            .for_each(|(n, value)| tally.add(n, u32::from(*value), 1));
        let (space, rare) = tally.choose(moves.parity());
        if 10 * rare < 9 * self.rares.len() as u64 || self.rares.is_empty() {
            self.space = space;
            let rare = |n: &usize| !self.space.is_common(u32::from(self.words.values[*n]), *n);
            self.rares = (1..self.words.values.len()).filter(rare).map(|n| n as u32).collect();
            self.rare_values = self.rares.iter().map(|n| self.words.values[*n as usize]).collect();
        }
    }

    /// Extends the values to heaps 0..`len`.
    pub fn extend(
        &mut self,
        moves: &CodeMoves,
        len: usize,
        meter: &mut Meter,
    ) -> Result<(), SplitStop> {
        while self.words.values.len() < len {
            let n = self.words.values.len();
            if n == self.next_choice {
                self.next_choice = 2 * n;
                self.choose(moves);
                return Err(SplitStop::Doubled);
            }
            if n >= self.words.reversed.len() {
                meter.check_bytes(16 * n as u64)?;
                self.words.grow();
                self.bytes.iter_mut().for_each(ValueRuns::grow);
            }
            meter.spend(1)?;
            if n.is_multiple_of(POLL_INTERVAL) && n * moves.pairs.len() > MANY_SPLITS {
                meter.poll(16 * n as u64)?;
            }
            let value = match self.bytes {
                Some(_) => self.next_byte(moves, n, meter)?,
                None => self.next_word(moves, n, meter)?,
            };
            self.words.push(value);
            self.bound = self.bound.max((usize::from(value) + 1).next_power_of_two());
            match &mut self.bytes {
                Some(bytes) if self.bound <= BYTES => bytes.push(value as u8),
                bytes => *bytes = None,
            }
            if !self.space.is_common(u32::from(value), n) {
                self.rares.push(n as u32);
                self.rare_values.push(value);
            }
        }
        Ok(())
    }

    /// Computes the value of heap `n`, the next one, while all values are bytes.
    fn next_byte(
        &mut self,
        moves: &CodeMoves,
        n: usize,
        meter: &mut Meter,
    ) -> Result<u16, SplitStop> {
        let SplitEngine { space, simd, bytes, rares, bound, .. } = self;
        let Some(bytes) = bytes else { return Err(SplitStop::ValueTooLarge) };
        if is_sieve_profitable(*simd, rares.len() * moves.pairs.len() * *bound / BYTES, *bound, n) {
            return self.totals.next(*simd, moves, bytes).ok_or(SplitStop::ValueTooLarge);
        }
        if !self.byte_marks.as_ref().is_some_and(|marks| marks.covers(n)) {
            let counts = [&mut self.rare_marks, &mut self.small_marks];
            let search = Kernel(*simd).search_cost(*bound);
            let (rares, all) =
                marks_wanted(counts, self.byte_marks.as_ref(), OPEN, rares, n, search, false);
            let marks = ExclusionSets::from_bytes(
                *simd,
                moves,
                &bytes.values,
                rares,
                all,
                self.small_marks,
                *bound - 1,
            );
            self.byte_marks = Some(marks);
        }
        let Some(marks) = &mut self.byte_marks else { return Err(SplitStop::ValueTooLarge) };
        least_value(*simd, moves, bytes, marks, space, rares, *bound, meter)
    }

    /// Computes the value of heap `n`, the next one, if values exceed a byte.
    fn next_word(
        &mut self,
        moves: &CodeMoves,
        n: usize,
        meter: &mut Meter,
    ) -> Result<u16, SplitStop> {
        let SplitEngine { space, simd, words, rares, rare_values, bound, .. } = self;
        if is_sieve_profitable(*simd, rares.len() * moves.pairs.len(), *bound, n) {
            return self.totals.next(*simd, moves, words).ok_or(SplitStop::ValueTooLarge);
        }
        if !self.word_marks.as_ref().is_some_and(|marks| marks.covers(n)) {
            let aim = *bound / LEFT_OPEN + 2;
            let counts = [&mut self.rare_marks, &mut self.small_marks];
            // If many heaps are rare, contiguous small heaps reach common values with less work.
            let dense = DENSE * rares.len() > n;
            let (rares, all) =
                marks_wanted(counts, self.word_marks.as_ref(), aim, rares, n, FULL_SEARCH, dense);
            let rares = (rares, &rare_values[..rares.len()]);
            let before = self.word_marks.take();
            let marks = ExclusionSets::from_words(
                before,
                moves,
                words,
                rares,
                all,
                self.small_marks,
                *bound,
                dense,
            );
            self.word_marks = Some(marks);
        }
        let Some(marks) = &mut self.word_marks else { return Err(SplitStop::ValueTooLarge) };
        least_value(*simd, moves, words, marks, space, rares, *bound, meter)
    }
}

/// Returns whether a membership scan of a total is faster than `marks` single marks: each value is
/// removed once, and a scan handles 16 splits or more in the time of a mark.
fn is_sieve_profitable(simd: Simd, marks: usize, bound: usize, n: usize) -> bool {
    marks > bound + n / 16 + SCAN_OVERHEAD && Kernel(simd).has_vbmi2()
}

/// Adapts the numbers of rare and of small heaps to mark to the values left open in the previous
/// block.
///
/// Returns the rare heaps to mark and whether these are all. All are marked if that costs no more
/// than a search.
fn marks_wanted<'r, S: ValueSets>(
    [rare_marks, small_marks]: [&mut usize; 2],
    before: Option<&ExclusionSets<S>>,
    aim: usize,
    rares: &'r [u32],
    n: usize,
    search: usize,
    dense: bool,
) -> (&'r [u32], bool) {
    if let Some(before) = before {
        let aim = aim * S::HEAPS;
        let [common, rare] = before.open;
        if dense {
            adjust(small_marks, (common + rare) / 2, aim);
        } else {
            adjust(small_marks, rare, aim);
            if !before.all_rares {
                adjust(rare_marks, common, aim);
            }
        }
    }
    let all = rares.len() <= *rare_marks + n / search;
    let most = if all {
        rares.len()
    } else if dense {
        0
    } else {
        *rare_marks
    };
    (&rares[..most.min(rares.len())], all)
}

/// Computes the value of the next heap.
#[expect(clippy::too_many_arguments)]
fn least_value<V: SimdValue + Default, S: ValueSets>(
    simd: Simd,
    moves: &CodeMoves,
    runs: &ValueRuns<V>,
    marks: &mut ExclusionSets<S>,
    space: &SparseSpace,
    rares: &[u32],
    bound: usize,
    meter: &mut Meter,
) -> Result<u16, SplitStop> {
    let n = runs.values.len();
    if moves.pairs.iter().any(|(_, unequal)| *unequal) && !space.is_common(0, n) {
        // A heap with itself, which is no split of unequal heaps, may have marked it.
        marks.unmark_zero(n);
    }
    moves.singles(n).for_each(|rest| marks.mark(n, runs.values[rest].value()));
    let mut settled = 0;
    if marks.all_rares {
        marks.mark_short_shifts(moves, rares, n, |a, b| (runs.values[a] ^ runs.values[b]).value());
        settled = marks.small.below;
    }
    let splits = SplitScan { simd, runs, moves, n, space, bound, settled, marked: marks.small };
    let (found, open) = splits.least_unreached(|from| marks.next_unmarked(n, from), meter)?;
    (0..2).for_each(|class| marks.open[class] += open[class]);
    found.ok_or(SplitStop::ValueTooLarge)
}

/// Increases the number of marks if more values were left open than aimed at, else decreases it.
fn adjust(marks: &mut usize, open: usize, aim: usize) {
    if open > aim {
        *marks += *marks / PACE + 1;
    } else {
        *marks -= *marks / (2 * PACE);
    }
    *marks = (*marks).max(LEAST_MARKS);
}

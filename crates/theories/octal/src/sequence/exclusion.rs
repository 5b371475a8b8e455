//! Sums marked for neighbouring heaps at once, before the splits of a heap are scanned.
//!
//! The sums of heap n with a heap r, for neighbouring n, are a contiguous run of values, which is
//! loaded once. While all values are bytes, the kernel of [`super::sparse`] marks 64 heaps in a few
//! instructions ([`BitSets`]); later eight heaps are marked, one by one ([`FlagSets`]). Marks only
//! save searches, with one exception: if the sums of all rare heaps are marked, an unmarked common
//! value is not a sum.

use super::kernel::{Kernel, LANES, LaneSets, Term};
use super::moves::CodeMoves;
use super::split_scan::{MarkedSplits, VALUES, ValueRuns};
use bouton_simd::Simd;
use std::ops::Range;

/// The sums marked for a block of heaps.
#[derive(Debug)]
pub struct ExclusionSets<S> {
    set: S,
    /// The splits of small heaps that are marked, and the position of the block.
    pub small: MarkedSplits,
    /// Whether all sums of rare heaps are marked, except those of
    /// [`ExclusionSets::mark_short_shifts`].
    pub all_rares: bool,
    /// Number of common and of rare values that the marks of this block left open so far.
    pub open: [usize; 2],
}

/// One set of values for each heap of a block.
pub trait ValueSets {
    /// Number of heaps in a block.
    const HEAPS: usize;

    /// Marks a value at a heap of the block.
    fn mark(&mut self, place: usize, value: usize);

    /// Removes the mark of 0.
    fn unmark_zero(&mut self, place: usize);

    /// Returns the least number from `from` on that is not marked.
    fn next_unmarked(&self, place: usize, from: usize) -> usize;
}

/// Sets of values below 128 and of values in 128..256.
#[derive(Debug)]
pub struct BitSets {
    sets: [LaneSets; 2],
}

/// Number of codes that one call of the kernel and one plane cover.
const CODES: usize = 128;
const PLANE: usize = 8;

impl ValueSets for BitSets {
    const HEAPS: usize = LANES;

    fn mark(&mut self, place: usize, value: usize) {
        let code = value % CODES;
        self.sets[value / CODES][place][code / 64] |= 1 << (code % 64);
    }

    fn unmark_zero(&mut self, place: usize) {
        self.sets[0][place][0] &= !1;
    }

    fn next_unmarked(&self, place: usize, from: usize) -> usize {
        let [low, high] = [&self.sets[0][place], &self.sets[1][place]];
        let words = [low[0], low[1], high[0], high[1]];
        let mut word = from / 64;
        let mut ahead = u64::MAX << (from % 64);
        while let Some(set) = words.get(word) {
            let open = !set & ahead;
            if open != 0 {
                return 64 * word + open.trailing_zeros() as usize;
            }
            (word, ahead) = (word + 1, u64::MAX);
        }
        from.max(2 * CODES)
    }
}

/// Number of heaps in a block of values above 255.
pub const FLAG_HEAPS: usize = 8;

/// For each value below [`VALUES`], one byte for each heap.
#[derive(Debug)]
pub struct FlagSets {
    flags: Box<[[u8; FLAG_HEAPS]; VALUES]>,
    /// No value from here on is marked.
    end: usize,
}

impl ValueSets for FlagSets {
    const HEAPS: usize = FLAG_HEAPS;

    fn mark(&mut self, place: usize, value: usize) {
        self.flags[value][place] = 1;
        self.end = self.end.max(value + 1);
    }

    fn unmark_zero(&mut self, place: usize) {
        self.flags[0][place] = 0;
    }

    fn next_unmarked(&self, place: usize, from: usize) -> usize {
        let open = (from..self.end).find(|value| self.flags[*value][place] == 0);
        open.unwrap_or(from.max(self.end))
    }
}

impl FlagSets {
    /// Marks, at the heaps from `start` on, the sums of the given heaps with the rest that a move
    /// of `taken` tokens leaves.
    #[inline(never)]
    fn sums(
        &mut self,
        reversed: &[u16],
        start: usize,
        taken: usize,
        heaps: impl Iterator<Item = (usize, u16)>,
    ) {
        // Heap n has index reversed.len() − 1 − n. The last element of the window belongs to the
        // first heap of the block.
        let end = reversed.len() - start + taken;
        let flags = &mut *self.flags;
        for (heap, value) in heaps {
            let window: &[u16; FLAG_HEAPS] = reversed[end + heap - FLAG_HEAPS..][..FLAG_HEAPS]
                .try_into()
                .expect("as long as a block");
            let four = |at: usize| {
                let word = (0..4).fold(0, |word, i| word | u64::from(window[at + i]) << (16 * i));
                word ^ (u64::from(value) * 0x0001_0001_0001_0001)
            };
            let words = [four(0), four(4)];
            for i in 0..FLAG_HEAPS {
                flags[usize::from((words[i / 4] >> (16 * (i % 4))) as u16)][FLAG_HEAPS - 1 - i] = 1;
            }
        }
    }
}

impl<S: ValueSets> ExclusionSets<S> {
    /// Returns whether the block contains heap `n`.
    pub fn covers(&self, n: usize) -> bool {
        (self.small.start..self.small.start + S::HEAPS).contains(&n)
    }

    /// Marks a value at heap `n`.
    pub fn mark(&mut self, n: usize, value: usize) {
        self.set.mark(n - self.small.start, value);
    }

    /// Removes the mark of 0 at heap `n`.
    pub fn unmark_zero(&mut self, n: usize) {
        self.set.unmark_zero(n - self.small.start);
    }

    /// Returns the least number from `from` on that is not marked at heap `n`.
    pub fn next_unmarked(&self, n: usize, from: usize) -> usize {
        self.set.next_unmarked(n - self.small.start, from)
    }

    /// Marks the splits of heap `n` that contain a rare heap and are too close to be marked for the
    /// whole block. Each is marked once or twice.
    pub fn mark_short_shifts(
        &mut self,
        moves: &CodeMoves,
        rares: &[u32],
        n: usize,
        sum: impl Fn(usize, usize) -> usize,
    ) {
        let (start, set) = (self.small.start, &mut self.set);
        for (taken, unequal) in &moves.pairs {
            let shift = |rare: u32| rare as usize + taken;
            let first = rares.iter().take_while(|rare| shift(**rare) < S::HEAPS.min(n));
            let last = rares.iter().rev().take_while(|rare| shift(**rare) >= start.max(S::HEAPS));
            for rare in first.chain(last.filter(|rare| shift(**rare) < n)) {
                let (rare, other) = (*rare as usize, n - shift(*rare));
                if !unequal || rare != other {
                    set.mark(n - start, sum(rare, other));
                }
            }
        }
    }

    /// Returns the indices of the rare heaps that are far enough to be marked for the whole block.
    fn block_rares(small: &MarkedSplits, taken: usize, rares: &[u32]) -> Range<usize> {
        let place = |bound: usize| rares.partition_point(|rare| *rare as usize + taken < bound);
        place(S::HEAPS)..place(small.start).max(place(S::HEAPS))
    }

    fn new(set: S, small: MarkedSplits, all_rares: bool) -> ExclusionSets<S> {
        ExclusionSets { set, small, all_rares, open: [0; 2] }
    }
}

impl ExclusionSets<BitSets> {
    /// Marks the sums of the given rare heaps and of `small` small heaps for the next block.
    ///
    /// `most` is the largest value so far.
    pub fn from_bytes(
        simd: Simd,
        moves: &CodeMoves,
        bytes: &[u8],
        rares: &[u32],
        all_rares: bool,
        small: usize,
        most: usize,
    ) -> ExclusionSets<BitSets> {
        let planes = most / PLANE + 1;
        let small = MarkedSplits {
            start: bytes.len(),
            block: LANES,
            count: small,
            below: planes * PLANE,
            skipped: 0,
        };
        let mut terms = Vec::with_capacity((rares.len() + small.count) * moves.pairs.len());
        for (taken, _) in &moves.pairs {
            let rares = &rares[ExclusionSets::<BitSets>::block_rares(&small, *taken, rares)];
            let heaps = rares.iter().map(|rare| *rare as usize).chain(small.heaps(*taken));
            terms.extend(heaps.map(|heap| Term {
                shift: (heap + taken) as u32,
                byte: bytes[heap],
                page: 0,
            }));
        }
        let mut sets = [[[0; 2]; LANES]; 2];
        for (half, (sets, flip)) in sets.iter_mut().zip([0, CODES as u8]).enumerate() {
            let planes = planes.saturating_sub(half * CODES / PLANE).min(CODES / PLANE);
            if planes > 0 {
                Kernel(simd).mark(bytes, small.start, &terms, flip, planes, sets);
            }
        }
        ExclusionSets::new(BitSets { sets }, small, all_rares)
    }
}

impl ExclusionSets<FlagSets> {
    /// Marks the sums for the next block when values exceed a byte; all are below `bound`.
    ///
    /// Reuses the allocation of `before`. If `middle` holds, the other heaps are those about a
    /// quarter of the heap moved in, else small ones.
    #[expect(clippy::too_many_arguments)]
    pub fn from_words(
        before: Option<ExclusionSets<FlagSets>>,
        moves: &CodeMoves,
        words: &ValueRuns<u16>,
        (rares, rare_values): (&[u32], &[u16]),
        all_rares: bool,
        small: usize,
        bound: usize,
        middle: bool,
    ) -> ExclusionSets<FlagSets> {
        let mut set = match before {
            Some(ExclusionSets { mut set, .. }) => {
                set.flags[..set.end].fill([0; FLAG_HEAPS]);
                set
            }
            None => {
                let flags = vec![[0; FLAG_HEAPS]; VALUES].into_boxed_slice();
                FlagSets { flags: flags.try_into().expect("so many values"), end: 0 }
            }
        };
        set.end = bound;
        let skipped = if middle { (words.values.len() / 2).saturating_sub(small) / 2 } else { 0 };
        let small = MarkedSplits {
            start: words.values.len(),
            block: FLAG_HEAPS,
            count: small,
            below: bound,
            skipped,
        };
        for (taken, _) in &moves.pairs {
            let rare = ExclusionSets::<FlagSets>::block_rares(&small, *taken, rares);
            let rare = rares[rare.clone()].iter().zip(&rare_values[rare]);
            set.sums(
                &words.reversed,
                small.start,
                *taken,
                rare.map(|(rare, value)| (*rare as usize, *value)),
            );
            let heaps = small.heaps(*taken).zip(words.values[small.heaps(*taken)].iter().copied());
            set.sums(&words.reversed, small.start, *taken, heaps);
        }
        ExclusionSets::new(set, small, all_rares)
    }
}

#[cfg(test)]
mod tests;

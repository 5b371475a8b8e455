//! Sums marked for neighbouring heaps at once: what [`super::pairs`] knows of a heap before it looks through its splits.
//!
//! The sum of heap n with a heap r, for neighbouring n, is a run of neighbours, read once. While all values are bytes the
//! kernel of [`super::sparse`] marks 64 heaps in a few instructions each ([`Bits`]); after that eight are marked, each by
//! itself ([`Flags`]). Marks spare searches and decide nothing by themselves, but where all rare heaps are among them: then
//! a common value that is not marked is no sum.

use super::kernel::{Kernel, LANES, Sets, Term};
use super::moves::Moves;
use super::splits::{Marked, Runs, VALUES};
use bouton_simd::Simd;
use std::ops::Range;

/// The sums marked for a block of heaps.
#[derive(Debug)]
pub struct Marks<S> {
    set: S,
    /// The splits of small heaps that are marked; the block.
    pub small: Marked,
    /// Whether all sums of rare heaps are marked, but those of [`Marks::mark_near`].
    pub all_rares: bool,
    /// What was left open so far in this block, of common values and of rare ones.
    pub open: [usize; 2],
}

/// A set of values for each heap of a block.
pub trait Set {
    /// Heaps of a block.
    const HEAPS: usize;

    /// Marks a value at a heap of the block.
    fn mark(&mut self, place: usize, value: usize);

    /// Takes the mark of 0 away.
    fn unmark0(&mut self, place: usize);

    /// The least number from `from` on that is not marked.
    fn unmarked(&self, place: usize, from: usize) -> usize;
}

/// Values below 128, and the others: below 256.
#[derive(Debug)]
pub struct Bits {
    sets: [Sets; 2],
}

/// Codes of one call of the kernel, and of one of its planes.
const CODES: usize = 128;
const PLANE: usize = 8;

impl Set for Bits {
    const HEAPS: usize = LANES;

    fn mark(&mut self, place: usize, value: usize) {
        let code = value % CODES;
        self.sets[value / CODES][place][code / 64] |= 1 << (code % 64);
    }

    fn unmark0(&mut self, place: usize) {
        self.sets[0][place][0] &= !1;
    }

    fn unmarked(&self, place: usize, from: usize) -> usize {
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

/// Heaps of a block past a byte.
pub const FEW: usize = 8;

/// For each value below [`VALUES`] a byte a heap.
#[derive(Debug)]
pub struct Flags {
    flags: Box<[[u8; FEW]; VALUES]>,
    /// None is marked from here on.
    end: usize,
}

impl Set for Flags {
    const HEAPS: usize = FEW;

    fn mark(&mut self, place: usize, value: usize) {
        self.flags[value][place] = 1;
        self.end = self.end.max(value + 1);
    }

    fn unmark0(&mut self, place: usize) {
        self.flags[0][place] = 0;
    }

    fn unmarked(&self, place: usize, from: usize) -> usize {
        let open = (from..self.end).find(|value| self.flags[*value][place] == 0);
        open.unwrap_or(from.max(self.end))
    }
}

impl Flags {
    /// Marks at the heaps from `start` on the sums of these heaps with what a move that takes `taken` leaves beside them.
    #[inline(never)]
    fn sums(&mut self, back: &[u16], start: usize, taken: usize, heaps: impl Iterator<Item = (usize, u16)>) {
        // Heap n stands at back.len() − 1 − n: the last of the window is beside the first heap of the block.
        let end = back.len() - start + taken;
        let flags = &mut *self.flags;
        for (heap, value) in heaps {
            let window: &[u16; FEW] = back[end + heap - FEW..][..FEW].try_into().expect("as long as a block");
            let four = |at: usize| {
                let word = (0..4).fold(0, |word, i| word | u64::from(window[at + i]) << (16 * i));
                word ^ (u64::from(value) * 0x0001_0001_0001_0001)
            };
            let words = [four(0), four(4)];
            for i in 0..FEW {
                flags[usize::from((words[i / 4] >> (16 * (i % 4))) as u16)][FEW - 1 - i] = 1;
            }
        }
    }
}

impl<S: Set> Marks<S> {
    /// Whether these are marks of heap `n`.
    pub fn has(&self, n: usize) -> bool {
        (self.small.start..self.small.start + S::HEAPS).contains(&n)
    }

    /// Marks a value at heap `n`.
    pub fn mark(&mut self, n: usize, value: usize) {
        self.set.mark(n - self.small.start, value);
    }

    /// Takes the mark of 0 away.
    pub fn unmark0(&mut self, n: usize) {
        self.set.unmark0(n - self.small.start);
    }

    /// The least number from `from` on that is not marked at heap `n`.
    pub fn unmarked(&self, n: usize, from: usize) -> usize {
        self.set.unmarked(n - self.small.start, from)
    }

    /// Marks the splits of heap `n` that have a rare heap and are too near to be marked for a block: each once or twice.
    pub fn mark_near(&mut self, moves: &Moves, rares: &[u32], n: usize, sum: impl Fn(usize, usize) -> usize) {
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

    /// Which of the rare heaps are far enough to be marked for the block.
    fn rares(small: &Marked, taken: usize, rares: &[u32]) -> Range<usize> {
        let place = |bound: usize| rares.partition_point(|rare| *rare as usize + taken < bound);
        place(S::HEAPS)..place(small.start).max(place(S::HEAPS))
    }

    fn new(set: S, small: Marked, all_rares: bool) -> Marks<S> {
        Marks { set, small, all_rares, open: [0; 2] }
    }
}

impl Marks<Bits> {
    /// Marks for the heaps to come the sums of these rare heaps, and of so many others, small ones. `most` is the largest
    /// value so far.
    pub fn of_bytes(
        simd: Simd,
        moves: &Moves,
        bytes: &[u8],
        rares: &[u32],
        all_rares: bool,
        small: usize,
        most: usize,
    ) -> Marks<Bits> {
        let planes = most / PLANE + 1;
        let small =
            Marked { start: bytes.len(), block: LANES, count: small, below: planes * PLANE, skipped: 0 };
        let mut terms = Vec::with_capacity((rares.len() + small.count) * moves.pairs.len());
        for (taken, _) in &moves.pairs {
            let rares = &rares[Marks::<Bits>::rares(&small, *taken, rares)];
            let heaps = rares.iter().map(|rare| *rare as usize).chain(small.heaps(*taken));
            terms.extend(heaps.map(|heap| Term { shift: (heap + taken) as u32, byte: bytes[heap], page: 0 }));
        }
        let mut sets = [[[0; 2]; LANES]; 2];
        for (half, (sets, flip)) in sets.iter_mut().zip([0, CODES as u8]).enumerate() {
            let planes = planes.saturating_sub(half * CODES / PLANE).min(CODES / PLANE);
            if planes > 0 {
                Kernel(simd).mark(bytes, small.start, &terms, flip, planes, sets);
            }
        }
        Marks::new(Bits { sets }, small, all_rares)
    }
}

impl Marks<Flags> {
    /// The same, all values being below `bound`; in the room of the block before. The others are small, or those about a quarter of
    /// the heap moved in.
    #[expect(clippy::too_many_arguments)]
    pub fn of_words(
        before: Option<Marks<Flags>>,
        moves: &Moves,
        words: &Runs<u16>,
        (rares, rare_values): (&[u32], &[u16]),
        all_rares: bool,
        small: usize,
        bound: usize,
        middle: bool,
    ) -> Marks<Flags> {
        let mut set = match before {
            Some(Marks { mut set, .. }) => {
                set.flags[..set.end].fill([0; FEW]);
                set
            }
            None => {
                let flags = vec![[0; FEW]; VALUES].into_boxed_slice();
                Flags { flags: flags.try_into().expect("so many values"), end: 0 }
            }
        };
        set.end = bound;
        let skipped = if middle { (words.values.len() / 2).saturating_sub(small) / 2 } else { 0 };
        let small = Marked { start: words.values.len(), block: FEW, count: small, below: bound, skipped };
        for (taken, _) in &moves.pairs {
            let rare = Marks::<Flags>::rares(&small, *taken, rares);
            let rare = rares[rare.clone()].iter().zip(&rare_values[rare]);
            set.sums(&words.back, small.start, *taken, rare.map(|(rare, value)| (*rare as usize, *value)));
            let heaps = small.heaps(*taken).zip(words.values[small.heaps(*taken)].iter().copied());
            set.sums(&words.back, small.start, *taken, heaps);
        }
        Marks::new(set, small, all_rares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::TakeBreak;
    use crate::sequence::random;
    use std::collections::BTreeSet;

    /// What is marked at the heaps of a block, against all splits: nothing that is no sum, all sums of rare heaps, and all
    /// of the small heaps that need no second look.
    #[track_caller]
    fn marks_sums<S: Set>(marks: &mut Marks<S>, moves: &Moves, values: &[usize], rares: &[u32], what: &str) {
        let rare: BTreeSet<usize> = rares.iter().map(|rare| *rare as usize).collect();
        let start = marks.small.start;
        for n in start..start + S::HEAPS {
            let before = &rares[..rares.partition_point(|rare| (*rare as usize) < n)];
            marks.mark_near(moves, before, n, |a, b| values[a] ^ values[b]);
            marks.unmark0(n);
            let limit = marks.small.below;
            let marked: BTreeSet<usize> =
                (1..limit).filter(|value| marks.unmarked(n, *value) != *value).collect();
            let (mut sums, mut due) = (BTreeSet::new(), BTreeSet::new());
            for (taken, unequal) in &moves.pairs {
                let from = S::HEAPS.saturating_sub(*taken).max(1) + marks.small.skipped;
                let to = (start / 2).min(from + marks.small.count);
                for a in (1..n - taken).filter(|a| !unequal || n - taken != 2 * a) {
                    let (b, sum) = (n - taken - a, values[a] ^ values[n - taken - a]);
                    sums.insert(sum);
                    let small = (from..to).contains(&a) && a <= b;
                    if sum > 0 && sum < limit && (small || rare.contains(&a)) {
                        due.insert(sum);
                    }
                }
            }
            assert!(due.is_subset(&marked), "{what} {n}: {:?}", due.difference(&marked));
            assert!(marked.is_subset(&sums), "{what} {n}: {:?}", marked.difference(&sums));
        }
    }

    #[test]
    fn what_is_marked_is_what_splits_reach() {
        let mut any = random(1);
        let mut random = |below: usize| any(below as u64) as usize;
        let codes = [
            "0.6",
            "0.07",
            "4!.0",
            "0.4064",
            "0.000000000000000000000000000000000000000000000000000000000000000000004",
        ];
        for round in 0..60 {
            let code = codes[round % codes.len()];
            let moves = Moves::new(&TakeBreak::parse(code).unwrap()).unwrap();
            let (start, small, most) = (256 + random(300), random(200), [40, 255, 700][round % 3]);
            let values: Vec<usize> = (0..start + LANES).map(|_| random(most + 1)).collect();
            let rares: Vec<u32> = (1..values.len() as u32).filter(|_| random(9) == 0).collect();
            let before = rares.partition_point(|rare| (*rare as usize) < start);
            if most < 256 {
                let bytes: Vec<u8> = values[..start].iter().map(|value| *value as u8).collect();
                for simd in Simd::all() {
                    let mut marks =
                        Marks::of_bytes(simd, &moves, &bytes, &rares[..before], true, small, most);
                    marks_sums(&mut marks, &moves, &values, &rares, code);
                }
            }
            let mut words = Runs {
                values: values[..start].iter().map(|value| *value as u16).collect(),
                back: Vec::new(),
            };
            words.grow();
            let heaps: Vec<u16> = rares[..before].iter().map(|rare| values[*rare as usize] as u16).collect();
            let mut marks = None;
            // The second time in the room of the first.
            for _ in 0..2 {
                let bound = (most + 1).next_power_of_two();
                let mut these = Marks::of_words(
                    marks.take(),
                    &moves,
                    &words,
                    (&rares[..before], &heaps),
                    true,
                    small,
                    bound,
                    round % 2 == 0,
                );
                these.mark(start, 2 * bound);
                assert_eq!(these.unmarked(start, 2 * bound), 2 * bound + 1);
                assert_eq!(these.unmarked(start + 1, 2 * bound), 2 * bound);
                marks_sums(&mut these, &moves, &values, &rares, code);
                marks = Some(these);
            }
        }
    }
}

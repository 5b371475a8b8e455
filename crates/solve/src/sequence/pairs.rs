//! Nim-sequences one heap at a time, all splits in vectors: for games without a sparse space worth the name, for values
//! past a byte, and for short runs.
//!
//! First the sums of some heaps are marked: of rare ones, which reach the common values, and of small ones, which reach
//! the rare values; 64 heaps at once while all values are bytes ([`super::marks`]), one by one after that. What is
//! left open below the least free value is then looked for through all splits ([`super::splits`]). Where rare heaps are
//! few, all their sums are marked, and the least common value that is none of them needs no search. How many heaps are
//! marked follows how many values were left open before.
//!
//! The space may have any mask, wider than a byte's. Source of the rare and the common: see [`super::space`]; marking a
//! sample and searching for the rest in vectors is ours.

use super::kernel::{LANES, Simd};
use super::marks::{Marks, Seen};
use super::moves::Moves;
use super::space::{Space, Tally};
use super::splits::{Found, Runs, Splits, VALUES};
use crate::{LimitReached, Meter};

/// A search through all splits for one value costs as much as marking one in so many of them, one by one.
const FULL_SEARCH: usize = 24;

/// One more than the largest byte.
const BYTES: usize = 1 << 8;

/// From here on sums are marked for many heaps at once.
const FIRST_BLOCK: usize = 512;

/// One value in so many is left to searches.
const LEFT_OPEN: usize = 256;

/// Where one heap in so many is rare, small heaps are marked in the place of rare ones, if it is done one by one.
const DENSE: usize = 5;

/// So many values of a heap are left to searches, where sums are marked for many heaps at once.
const OPEN: usize = 2;

/// The least number of heaps whose sums are marked.
const LEAST_MARKS: usize = 16;

/// Where heaps have more splits than this, the clock is looked at every so many heaps.
const MANY_SPLITS: usize = 1 << 18;
const MANY: usize = 64;

/// A nim-sequence under construction, while all values are below [`VALUES`].
#[derive(Debug)]
pub struct Pairs {
    space: Space,
    simd: Simd,
    words: Runs<u16>,
    /// The same in bytes, as long as they fit.
    bytes: Option<Runs<u8>>,
    rares: Vec<u32>,
    /// Their values.
    rare_values: Vec<u16>,
    /// Which values are marked at the heap at work: those that bear its stamp.
    stamps: Box<[u8; VALUES]>,
    stamp: u8,
    /// Above all values so far: a power of two.
    bound: usize,
    /// How many rare heaps and how many small ones are marked with what goes with them, for each move.
    rare_marks: usize,
    small_marks: usize,
    /// What is marked for the heaps at work, while values are bytes.
    marks: Option<Marks>,
    next_choice: usize,
}

/// What stopped the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The budget.
    LimitReached(LimitReached),
    /// The value of the next heap is too large.
    Large,
    /// The length has doubled: another engine may be faster from here on.
    Doubled,
}

impl From<LimitReached> for Stop {
    fn from(spent: LimitReached) -> Stop {
        Stop::LimitReached(spent)
    }
}

impl Pairs {
    /// Goes on from known values; `None` where one is too large.
    pub fn new(moves: &Moves, values: impl Iterator<Item = u32>, simd: Simd) -> Option<Pairs> {
        let values: Vec<u16> = values.map(u16::try_from).collect::<Result<_, _>>().ok()?;
        let stamps: Box<[u8; VALUES]> = vec![0; VALUES].into_boxed_slice().try_into().ok()?;
        let next_choice = (2 * values.len()).max(512);
        let bound =
            values.iter().fold(1, |most, value| most.max(usize::from(*value) + 1)).next_power_of_two();
        let mut words = Runs { values, back: Vec::new() };
        words.grow();
        let bytes = (bound <= BYTES).then(|| {
            let mut bytes =
                Runs { values: words.values.iter().map(|value| *value as u8).collect(), back: Vec::new() };
            bytes.grow();
            bytes
        });
        let mut pairs = Pairs {
            space: Space { mask: 1, by_position: None },
            simd,
            bound,
            words,
            bytes,
            rares: Vec::new(),
            rare_values: Vec::new(),
            stamps,
            stamp: 0,
            rare_marks: LEAST_MARKS,
            small_marks: LEAST_MARKS,
            marks: None,
            next_choice,
        };
        pairs.choose(moves);
        Some(pairs)
    }

    /// The values so far.
    pub fn values(&self) -> &[u16] {
        &self.words.values
    }

    /// The space in use.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The rare heaps so far, ascending.
    pub fn rares(&self) -> &[u32] {
        &self.rares
    }

    /// Takes the space in which the fewest heaps so far are rare.
    fn choose(&mut self, moves: &Moves) {
        self.marks = None;
        let mut tally = Tally::new(self.bound);
        self.words.values.iter().enumerate().skip(1).for_each(|(n, value)| tally.add(n, u32::from(*value)));
        let (space, rare) = tally.choose(moves.parity());
        if space != self.space && (10 * rare < 9 * self.rares.len() as u64 || self.rares.is_empty()) {
            self.space = space;
            let rare = |n: &usize| !self.space.is_common(u32::from(self.words.values[*n]), *n);
            self.rares = (1..self.words.values.len()).filter(rare).map(|n| n as u32).collect();
            self.rare_values = self.rares.iter().map(|n| self.words.values[*n as usize]).collect();
        }
    }

    /// Extends the values to heaps 0..`len`.
    pub fn extend(&mut self, moves: &Moves, len: usize, meter: &mut Meter) -> Result<(), Stop> {
        while self.words.values.len() < len {
            let n = self.words.values.len();
            if n == self.next_choice {
                self.next_choice = 2 * n;
                self.choose(moves);
                return Err(Stop::Doubled);
            }
            if n >= self.words.back.len() {
                meter.holding(16 * n as u64)?;
                self.words.grow();
                self.bytes.iter_mut().for_each(Runs::grow);
            }
            meter.spend(1)?;
            if n.is_multiple_of(MANY) && n * moves.pairs.len() > MANY_SPLITS {
                meter.within_node(16 * n as u64)?;
            }
            let value = match self.bytes {
                Some(_) if n >= FIRST_BLOCK => self.next_byte(moves, n, meter)?,
                _ => self.next_word(moves, n, meter)?,
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

    /// The value of heap `n`, the next one, while all values are bytes.
    fn next_byte(&mut self, moves: &Moves, n: usize, meter: &mut Meter) -> Result<u16, Stop> {
        if !self.marks.as_ref().is_some_and(|marks| marks.has(n)) {
            self.mark(moves);
        }
        let Pairs { space, simd, bytes, rares, bound, .. } = self;
        let (Some(bytes), Some(marks)) = (bytes, &mut self.marks) else { return Err(Stop::Large) };
        let mut seen = marks.seen(n);
        if moves.pairs.iter().any(|(_, unequal)| *unequal) && !space.is_common(0, n) {
            // A heap beside itself, which is no split of unequal heaps, may have marked it.
            seen[0] &= !1;
        }
        let mut mark = |value: u8| seen[usize::from(value) / 64] |= 1 << (value % 64);
        moves.singles(n).for_each(|rest| mark(bytes.values[rest]));
        let mut settled = 0;
        if marks.all_rares {
            marks.visit_rares(moves, rares, n, |a, b| mark(bytes.values[a] ^ bytes.values[b]));
            settled = marks.limit;
        }
        let splits = Splits { simd: *simd, runs: bytes, moves, n, space, bound: *bound, settled };
        let (found, open) = splits.least(|from| unmarked(&seen, from), meter)?;
        (0..2).for_each(|class| marks.open[class] += open[class]);
        found.ok_or(Stop::Large)
    }

    /// Marks sums for the next heaps.
    fn mark(&mut self, moves: &Moves) {
        if let Some(before) = &self.marks {
            let aim = OPEN * LANES;
            let [common, rare] = before.open;
            follow(&mut self.small_marks, rare, aim, 8);
            if !before.all_rares {
                follow(&mut self.rare_marks, common, aim, 8);
            }
        }
        let Some(bytes) = &self.bytes else { return };
        let n = bytes.values.len();
        let most = self.bound - 1;
        let all = self.rares.len() <= self.rare_marks + n / self.simd.search(self.bound);
        let rares = if all { &self.rares[..] } else { &self.rares[..self.rare_marks.min(self.rares.len())] };
        self.marks = Some(Marks::new(self.simd, moves, &bytes.values, rares, all, self.small_marks, most));
    }

    /// The value of heap `n`, the next one: sums are marked one by one.
    fn next_word(&mut self, moves: &Moves, n: usize, meter: &mut Meter) -> Result<u16, Stop> {
        let Pairs { space, simd, words, rares, rare_values, stamps, stamp, bound, .. } = self;
        let (rare_marks, small_marks) = (&mut self.rare_marks, &mut self.small_marks);
        let values = &words.values;
        if *stamp == u8::MAX {
            // No sum is above.
            stamps[..*bound].fill(0);
            *stamp = 0;
        }
        *stamp += 1;
        let stamp = *stamp;
        for rest in moves.singles(n) {
            stamps[usize::from(values[rest])] = stamp;
        }
        // All rare heaps, where they are so few that this costs no more than a search through all splits; none, where they
        // are so many that small heaps, which stand side by side, reach common values with less work.
        let all_rares = rares.len() <= *rare_marks + n / FULL_SEARCH;
        let no_rares = !all_rares && DENSE * rares.len() > n;
        for (taken, unequal) in &moves.pairs {
            let rest = n.saturating_sub(*taken);
            let most = if all_rares {
                rares.len()
            } else if no_rares {
                0
            } else {
                *rare_marks
            };
            // Of unequal heaps none is half of the rest: that one stands alone.
            let half = (*unequal && rest % 2 == 0).then_some((rest / 2) as u32);
            let count = rares.partition_point(|rare| (*rare as usize) < rest).min(most);
            // Heap rest − r stands as far behind heap `rest` in the values backwards as r is large.
            let (heaps, values) = (&rares[..count], &rare_values[..count]);
            let others = &words.back[words.back.len() - 1 - rest..];
            let mut mark = |heaps: &[u32], values: &[u16]| {
                for (rare, value) in heaps.iter().zip(values) {
                    stamps[usize::from(value ^ others[*rare as usize])] = stamp;
                }
            };
            match half.and_then(|half| heaps.binary_search(&half).ok()) {
                Some(at) => {
                    mark(&heaps[..at], &values[..at]);
                    mark(&heaps[at + 1..], &values[at + 1..]);
                }
                None => mark(heaps, values),
            }
            let (small, large) = words.splits(rest, moves.half(n, *taken, *unequal));
            let (small, large) = (small.iter().take(*small_marks), large.iter());
            small.zip(large).for_each(|(a, b)| stamps[usize::from(a ^ b)] = stamp);
        }
        let unseen = |from: usize| {
            let word = u64::from_ne_bytes([stamp; 8]);
            let mut at = from;
            while at < VALUES && !at.is_multiple_of(8) {
                if stamps[at] != stamp {
                    return at;
                }
                at += 1;
            }
            let words = stamps[at..].chunks_exact(8);
            for bytes in words {
                if u64::from_ne_bytes(bytes.try_into().expect("eight bytes")) != word {
                    return at + bytes.iter().position(|byte| *byte != stamp).unwrap_or(0);
                }
                at += 8;
            }
            VALUES
        };
        let settled = if all_rares { VALUES } else { 0 };
        let splits = Splits { simd: *simd, runs: words, moves, n, space, bound: *bound, settled };
        let (found, [open_common, open_rare]): Found = splits.least(unseen, meter)?;
        let aim = *bound / LEFT_OPEN + 2;
        if no_rares {
            follow(small_marks, (open_rare + open_common) / 2, aim, 32);
        } else {
            follow(small_marks, open_rare, aim, 32);
        }
        if !all_rares && !no_rares {
            follow(rare_marks, open_common, aim, 32);
        }
        found.ok_or(Stop::Large)
    }
}

/// More marks where more was left open than aimed at, fewer where less was.
fn follow(marks: &mut usize, open: usize, aim: usize, pace: usize) {
    if open > aim {
        *marks += *marks / pace + 1;
    } else {
        *marks -= *marks / (2 * pace);
    }
    *marks = (*marks).max(LEAST_MARKS);
}

/// The least number from `from` on that is not in the set.
fn unmarked(seen: &Seen, from: usize) -> usize {
    let mut word = from / 64;
    let mut ahead = u64::MAX << (from % 64);
    while let Some(set) = seen.get(word) {
        let open = !set & ahead;
        if open != 0 {
            return 64 * word + open.trailing_zeros() as usize;
        }
        (word, ahead) = (word + 1, u64::MAX);
    }
    from.max(BYTES)
}

//! Nim-sequences one heap at a time, all splits in vectors: for games without a sparse space worth the name, for values
//! past a byte, and for short runs.
//!
//! At each heap, first the sums of some pairs are marked one by one: of rare heaps with what goes with them, which
//! reach the common values, and of small heaps, which reach the rare ones. What is left open below the least free
//! value is then looked for through all splits, 64 sums an instruction while all values are bytes, 32 after that. Where rare heaps are few, all their sums
//! are marked, and the least common value that is none of them needs no search. How many pairs are marked follows how
//! many values were left open at the heaps before.
//!
//! The space may have any mask, wider than a byte's. Source of the rare and the common: see [`super::space`]; marking a
//! sample and searching for the rest in vectors is ours.

use super::kernel::Simd;
use super::lane::Lane;
use super::moves::Moves;
use super::space::{Space, Tally};
use crate::{LimitReached, Meter};

/// One more than the largest value that these vectors hold.
const VALUES: usize = 1 << 16;

/// Values looked for together, where most of them will be found soon.
pub const BATCH: usize = 4;

/// A search through all splits for one value costs as much as marking one in so many of them.
const FULL_SEARCH: usize = 24;

/// The same in bytes.
const FULL_SEARCH_BYTES: usize = 48;

/// One more than the largest byte.
const BYTES: usize = 1 << 8;

/// Values looked for together are looked for in so many splits for each value there may be: most are found there.
const PREFIX: usize = 12;

/// One value in so many is left to searches.
const LEFT_OPEN: usize = 256;

/// The least number of pairs that are marked one by one.
const LEAST_MARKS: usize = 16;

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
    next_choice: usize,
}

/// The values, and the values backwards: a move's splits are two runs of neighbours.
#[derive(Debug, Default)]
struct Runs<V> {
    values: Vec<V>,
    /// Heap n at place `back.len() − 1 − n`.
    back: Vec<V>,
}

impl<V: Lane + Default> Runs<V> {
    /// Makes room for twice the values, at least one.
    fn grow(&mut self) {
        self.back = vec![V::default(); (2 * self.values.len()).max(1024)];
        let backwards = self.back.iter_mut().rev().zip(&self.values);
        backwards.for_each(|(back, value)| *back = *value);
    }

    /// Adds a value, for which there is room.
    fn push(&mut self, value: V) {
        let place = self.back.len() - 1 - self.values.len();
        self.back[place] = value;
        self.values.push(value);
    }

    /// The smaller and the larger heap of each of a move's first `half` splits, by the smaller, from 1 on; `rest` tokens are left.
    fn splits(&self, rest: usize, half: usize) -> (&[V], &[V]) {
        let from = self.back.len() - rest;
        (&self.values[1..1 + half], &self.back[from..from + half])
    }
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
            let value = self.next(moves, n, meter)?;
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

    /// The value of heap `n`, the next one.
    fn next(&mut self, moves: &Moves, n: usize, meter: &mut Meter) -> Result<u16, Stop> {
        let Pairs { space, simd, words, bytes, rares, rare_values, stamps, stamp, bound, .. } = self;
        let (rare_marks, small_marks) = (&mut self.rare_marks, &mut self.small_marks);
        let values = &words.values;
        if *stamp == u8::MAX {
            stamps.fill(0);
            *stamp = 0;
        }
        *stamp += 1;
        let stamp = *stamp;
        for rest in moves.singles(n) {
            stamps[usize::from(values[rest])] = stamp;
        }
        let full_search = if bytes.is_some() { FULL_SEARCH_BYTES } else { FULL_SEARCH };
        // All rare heaps, where they are so few that this costs no more than a search through all splits.
        let all_rares = rares.len() <= *rare_marks + n / full_search;
        for (taken, unequal) in &moves.pairs {
            let rest = n.saturating_sub(*taken);
            let most = if all_rares { rares.len() } else { *rare_marks };
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
        // What may be the value: with all rare heaps marked, the first common one not seen, or a rare one below.
        let mut open = 0;
        let (mut open_common, mut open_rare) = (0, 0);
        let prefix = (PREFIX * *bound / moves.pairs.len()).max(64);
        let found = 'found: loop {
            let mut batch = [u16::MAX; BATCH];
            let mut some = 0;
            let mut free = None;
            while some < BATCH {
                open = unseen(open);
                if open == VALUES {
                    break;
                }
                let common = space.is_common(open as u32, n);
                if all_rares && common {
                    free = Some(open as u16);
                    break;
                }
                batch[some] = open as u16;
                some += 1;
                open += 1;
                if open > *bound {
                    // Above all values so far nothing is reached, or hardly ever: one is enough.
                    break;
                }
            }
            let bytes = bytes.as_ref();
            let reached = match bytes {
                Some(bytes) => near(*simd, bytes, moves, n, prefix, &batch.map(|value| value as u8), some),
                None => near(*simd, words, moves, n, prefix, &batch, some),
            };
            for (value, reached) in batch[..some].iter().zip(reached) {
                // Sums of bytes are bytes.
                let is_reached = match bytes {
                    Some(bytes) => {
                        usize::from(*value) < BYTES
                            && (reached || far(*simd, bytes, moves, n, prefix, *value as u8))
                    }
                    None => reached || far(*simd, words, moves, n, prefix, *value),
                };
                if !is_reached {
                    break 'found Some(*value);
                }
                *(if space.is_common(u32::from(*value), n) { &mut open_common } else { &mut open_rare }) += 1;
            }
            if let Some(free) = free {
                break 'found Some(free);
            }
            if open >= VALUES {
                break 'found None;
            }
            meter.spend(0)?;
        };
        // More marks where much was left open, fewer where little was.
        let aim = *bound / LEFT_OPEN + 2;
        let follow = |marks: &mut usize, open: usize| {
            if open > aim {
                *marks += *marks / 32 + 1
            } else {
                *marks -= *marks / 64
            }
            *marks = (*marks).max(LEAST_MARKS);
        };
        follow(small_marks, open_rare);
        if !all_rares {
            follow(rare_marks, open_common);
        }
        found.ok_or(Stop::Large)
    }
}

/// Which of the first `some` values of a batch are sums of the first `prefix` splits of a move.
fn near<V: Lane + Default>(
    simd: Simd,
    runs: &Runs<V>,
    moves: &Moves,
    n: usize,
    prefix: usize,
    batch: &[V; BATCH],
    some: usize,
) -> [bool; BATCH] {
    let mut reached = [false; BATCH];
    for (taken, unequal) in &moves.pairs {
        if reached[..some].iter().all(|reached| *reached) {
            break;
        }
        let half = moves.half(n, *taken, *unequal).min(prefix);
        let (small, large) = runs.splits(n.saturating_sub(*taken), half);
        let here = simd.reach(small, large, batch);
        reached.iter_mut().zip(here).for_each(|(reached, here)| *reached |= here);
    }
    reached
}

/// Whether a value is a sum of the other splits.
fn far<V: Lane + Default>(
    simd: Simd,
    runs: &Runs<V>,
    moves: &Moves,
    n: usize,
    prefix: usize,
    value: V,
) -> bool {
    moves.pairs.iter().any(|(taken, unequal)| {
        let (small, large) = runs.splits(n.saturating_sub(*taken), moves.half(n, *taken, *unequal));
        let from = prefix.min(small.len());
        let (small, large) = (small[from..].chunks(STRETCH), large[from..].chunks(STRETCH));
        small.zip(large).any(|(small, large)| simd.reach(small, large, &[value])[0])
    })
}

/// Where heaps have more splits than this, the clock is looked at every so many heaps.
const MANY_SPLITS: usize = 1 << 18;
const MANY: usize = 64;

/// Splits looked through at once.
const STRETCH: usize = 2048;

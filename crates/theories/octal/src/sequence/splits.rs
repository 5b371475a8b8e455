//! All splits of a heap in vectors: 64 sums an instruction while all values are bytes, 32 after that.
//!
//! The values stand in two runs, forwards and backwards, so that a move's splits are two runs of neighbours. Values in
//! question are looked for a few at a time through the first splits, where most are found, and the least one left alone
//! through all of them.

use super::kernel::Kernel;
use super::lane::Lane;
use super::moves::Moves;
use super::space::Space;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;
use std::ops::Range;

/// One more than the largest value that these vectors hold.
pub const VALUES: usize = 1 << 16;

/// Values looked for together, where most of them will be found soon.
const BATCH: usize = 4;

/// Values looked for together are looked for in so many splits for each value there may be: most are found there.
const PREFIX: usize = 12;

/// Splits looked through at once, for a whole batch and for one value.
const FEW: usize = 512;
const STRETCH: usize = 1024;

/// The values, and the values backwards: a move's splits are two runs of neighbours.
#[derive(Debug, Default)]
pub struct Runs<V> {
    pub values: Vec<V>,
    /// Heap n at place `back.len() − 1 − n`.
    pub back: Vec<V>,
}

impl<V: Lane + Default> Runs<V> {
    /// Makes room for twice the values, at least one.
    pub fn grow(&mut self) {
        self.back = vec![V::default(); (2 * self.values.len()).max(1024)];
        let backwards = self.back.iter_mut().rev().zip(&self.values);
        backwards.for_each(|(back, value)| *back = *value);
    }

    /// Adds a value, for which there is room.
    pub fn push(&mut self, value: V) {
        let place = self.back.len() - 1 - self.values.len();
        self.back[place] = value;
        self.values.push(value);
    }

    /// The smaller and the larger heap of each of a move's first `half` splits, by the smaller, from 1 on; `rest` tokens are left.
    pub fn splits(&self, rest: usize, half: usize) -> (&[V], &[V]) {
        let from = self.back.len() - rest;
        (&self.values[1..1 + half], &self.back[from..from + half])
    }
}

/// The splits of a heap whose value is not known.
#[derive(Debug)]
pub struct Splits<'s, V> {
    pub simd: Simd,
    pub runs: &'s Runs<V>,
    pub moves: &'s Moves,
    pub n: usize,
    pub space: &'s Space,
    /// Above all values so far.
    pub bound: usize,
    /// Of common values below this it is known whether they are sums: those not marked are none.
    pub settled: usize,
    pub marked: Marked,
}

/// Splits with small heaps that need no second look: the values in question are none of their sums.
#[derive(Debug, Clone, Copy)]
pub struct Marked {
    /// The heaps `start..start + block` are those whose splits were marked at once.
    pub start: usize,
    pub block: usize,
    /// So many small heaps for each move, where there are as many.
    pub count: usize,
    /// Values that are marked: those below this, but not 0, which a heap beside itself may have marked.
    pub below: usize,
    /// The small heaps begin so far from the first that could be.
    pub skipped: usize,
}

impl Marked {
    /// The small heaps for a move that takes `taken`: what they leave beside them at all heaps of the block lies before it.
    pub fn heaps(&self, taken: usize) -> Range<usize> {
        let from = self.block.saturating_sub(taken).max(1) + self.skipped;
        from..(from + self.count).min(self.start / 2).min(self.start.saturating_sub(taken)).max(from)
    }
}

/// The value of a heap, if it is below [`VALUES`]; and how many values were looked for in vain, common ones and rare ones.
pub type Found = (Option<u16>, [usize; 2]);

impl<V: Lane + Default> Splits<'_, V> {
    /// The least value that is no sum. `unmarked` is the least number from a given one on that may be no sum.
    pub fn least(&self, unmarked: impl Fn(usize) -> usize, meter: &mut Meter) -> Result<Found, LimitReached> {
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
                    // Above all values so far nothing is reached, or hardly ever: one is enough.
                    break;
                }
            }
            let lanes = batch.map(V::of);
            let new = batch[..some].iter().all(|value| (1..self.marked.below).contains(&usize::from(*value)));
            let marked = Marked { count: if new { self.marked.count } else { 0 }, ..self.marked };
            let (near, passed) = self.near(&lanes.map(Option::unwrap_or_default), some, marked);
            for ((value, lane), near) in batch[..some].iter().zip(lanes).zip(near) {
                // A sum of lanes is a lane.
                if lane.is_none_or(|lane| !near && !self.far(lane, marked, passed)) {
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

    /// How many splits of a move are looked through for a whole batch.
    fn prefix(&self) -> usize {
        (PREFIX * self.bound / self.moves.pairs.len()).max(64)
    }

    /// Visits the splits of each move that are to be looked through, by the smaller heap, in runs with their numbers, until
    /// told to stop: those before the marked ones, and those past them; all in one, where few are marked.
    #[inline]
    pub fn any_run(&self, marked: Marked, mut visit: impl FnMut(usize, &[V], &[V]) -> bool) -> bool {
        self.moves.pairs.iter().enumerate().any(|(i, (taken, unequal))| {
            let half = self.moves.half(self.n, *taken, *unequal);
            let (small, large) = self.runs.splits(self.n.saturating_sub(*taken), half);
            let heaps = marked.heaps(*taken);
            // The smaller heap of the first split is 1. Whole vectors are looked through.
            let first = (heaps.start - 1).next_multiple_of(64 / size_of::<V>());
            let last = (heaps.end - 1).min(half);
            if last < first + FEW {
                return visit(2 * i, small, large);
            }
            visit(2 * i, &small[..first], &large[..first]) || visit(2 * i + 1, &small[last..], &large[last..])
        })
    }

    /// Which of the first `some` values of a batch are sums of the first splits, until all are or one is left; and how
    /// far it came: the run of splits it was at, and the place there.
    fn near(&self, batch: &[V; BATCH], some: usize, marked: Marked) -> ([bool; BATCH], [usize; 2]) {
        let mut reached = [false; BATCH];
        let mut passed = [usize::MAX, 0];
        if some <= 1 {
            return (reached, [0, 0]);
        }
        let prefix = self.prefix();
        self.any_run(marked, |run, small, large| {
            let half = prefix.min(small.len());
            for from in (0..half).step_by(FEW) {
                let to = (from + FEW).min(half);
                let here = Kernel(self.simd).reach(&small[from..to], &large[from..to], batch);
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

    /// Whether a value is a sum, of what was not passed.
    fn far(&self, value: V, marked: Marked, [passed, place]: [usize; 2]) -> bool {
        self.any_run(marked, |run, small, large| {
            let from = match run.cmp(&passed) {
                std::cmp::Ordering::Less => self.prefix().min(small.len()),
                std::cmp::Ordering::Equal => place,
                std::cmp::Ordering::Greater => 0,
            };
            let mut splits = small[from..].chunks(STRETCH).zip(large[from..].chunks(STRETCH));
            splits.any(|(small, large)| Kernel(self.simd).reach(small, large, &[value])[0])
        })
    }
}

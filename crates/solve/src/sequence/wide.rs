//! Nim-sequences in a sparse space, one heap at a time, for values of any size. Slower than [`super::sparse`], which
//! hands over to it when a value no longer fits a byte.

use super::moves::Moves;
use super::space::Space;
use crate::{LimitReached, Meter};

/// A nim-sequence under construction.
#[derive(Debug)]
pub struct Wide {
    space: Space,
    values: Vec<u32>,
    rares: Vec<u32>,
    /// Sets of values, a bit each: those that are options of the heap at work, the rare ones still in question, and the
    /// values that are common at heap 0. Sums stay below the first half.
    seen: Vec<u64>,
    open: Vec<u64>,
    common: Vec<u64>,
}

fn insert(set: &mut [u64], value: u32) {
    set[value as usize / 64] |= 1 << (value % 64);
}

impl Wide {
    /// Goes on from the values of heaps 0..`values.len()`.
    pub fn new(space: Space, values: Vec<u32>) -> Wide {
        let rares =
            (1..values.len()).filter(|n| !space.is_common(values[*n], *n)).map(|n| n as u32).collect();
        let bound = values.iter().fold(255, |most, v| most.max(*v)) + 1;
        let mut wide = Wide { space, values, rares, seen: Vec::new(), open: Vec::new(), common: Vec::new() };
        wide.widen(bound.next_power_of_two() as usize / 32);
        wide
    }

    /// Sets of so many words.
    fn widen(&mut self, words: usize) {
        for set in [&mut self.seen, &mut self.open] {
            set.resize(words, 0);
        }
        self.common = vec![0; words];
        let common = (0..64 * words as u32).filter(|value| self.space.is_common(*value, 0));
        common.for_each(|value| insert(&mut self.common, value));
    }

    /// The values so far.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The space in use.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The rare heaps so far, ascending.
    pub fn rares(&self) -> &[u32] {
        &self.rares
    }

    /// Extends the values to heaps 0..`len`: O(rares + witnesses looked at) a heap.
    pub fn extend(&mut self, moves: &Moves, len: usize, meter: &mut Meter) -> Result<(), LimitReached> {
        while self.values.len() < len {
            meter.node()?;
            let value = self.next(moves);
            let n = self.values.len();
            if !self.space.is_common(value, n) {
                self.rares.push(n as u32);
            }
            self.values.push(value);
            if value as usize >= 32 * self.seen.len() {
                self.widen(2 * self.seen.len());
            }
        }
        meter.holding(4 * self.values.len() as u64)
    }

    fn next(&mut self, moves: &Moves) -> u32 {
        let Wide { space, values, rares, seen, open, common } = self;
        let n = values.len();
        seen.fill(0);
        for rest in moves.singles(n) {
            insert(seen, values[rest]);
        }
        for (taken, unequal) in &moves.pairs {
            for r in rares.iter().take_while(|r| **r as usize + taken < n) {
                let (r, other) = (*r as usize, n - taken - *r as usize);
                if !unequal || r != other {
                    insert(seen, values[r] ^ values[other]);
                }
            }
        }
        let turned = if space.is_common(0, n) == space.is_common(0, 0) { 0 } else { u64::MAX };
        let free = |w: usize| (common[w] ^ turned) & !seen[w];
        // No value of the upper half is seen, and some of them are common.
        let word = (0..seen.len()).find(|w| free(*w) != 0).expect("values are as many as numbers");
        let least = free(word).trailing_zeros();
        let mut left = 0;
        for w in 0..open.len() {
            let below = if w < word { u64::MAX } else { (1 << least) - 1 };
            open[w] = if w > word { 0 } else { !(common[w] ^ turned) & !seen[w] & below };
            left += open[w].count_ones();
        }
        'all: for (taken, unequal) in &moves.pairs {
            for a in 1..=moves.half(n, *taken, *unequal) {
                if left == 0 {
                    break 'all;
                }
                let sum = values[a] ^ values[n - taken - a];
                let bit = 1 << (sum % 64);
                left -= u32::from(open[sum as usize / 64] & bit != 0);
                open[sum as usize / 64] &= !bit;
            }
        }
        let rare = open.iter().position(|set| *set != 0);
        rare.map_or(64 * word as u32 + least, |w| 64 * w as u32 + open[w].trailing_zeros())
    }
}

//! Nim-sequences in a sparse space, one heap at a time, for values of any size. Slower than [`super::sparse`], which
//! hands over to it when a value no longer fits a byte.

use super::moves::Moves;
use super::space::Space;
use crate::{Meter, Spent};

/// A nim-sequence under construction.
#[derive(Debug)]
pub struct Wide {
    space: Space,
    values: Vec<u32>,
    rares: Vec<u32>,
    /// Value v is an option of the heap at work where `seen[v]` is its number.
    seen: Vec<u64>,
}

impl Wide {
    /// Goes on from the values of heaps 0..`values.len()`.
    pub fn new(space: Space, values: Vec<u32>) -> Wide {
        let rares =
            (1..values.len()).filter(|n| !space.is_common(values[*n], *n)).map(|n| n as u32).collect();
        let bound = values.iter().fold(255, |most, v| most.max(*v)) + 1;
        let bound = bound.next_power_of_two();
        Wide { space, values, rares, seen: vec![0; 2 * bound as usize] }
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
    pub fn extend(&mut self, moves: &Moves, len: usize, meter: &mut Meter) -> Result<(), Spent> {
        while self.values.len() < len {
            meter.node()?;
            let value = self.next(moves);
            let n = self.values.len();
            if !self.space.is_common(value, n) {
                self.rares.push(n as u32);
            }
            self.values.push(value);
            if value as usize >= self.seen.len() / 2 {
                // Sums stay below the first half; the least common value that is no option lies below the end.
                self.seen.resize(self.seen.len() * 2, 0);
            }
        }
        meter.holding(4 * self.values.len() as u64)
    }

    fn next(&mut self, moves: &Moves) -> u32 {
        let Wide { space, values, rares, seen } = self;
        let n = values.len();
        let stamp = n as u64 + 1;
        for rest in moves.singles(n) {
            seen[values[rest] as usize] = stamp;
        }
        for (taken, unequal) in &moves.pairs {
            for r in rares.iter().take_while(|r| **r as usize + taken < n) {
                let (r, other) = (*r as usize, n - taken - *r as usize);
                if !unequal || r != other {
                    seen[(values[r] ^ values[other]) as usize] = stamp;
                }
            }
        }
        let common = (0..).find(|v| space.is_common(*v, n) && seen.get(*v as usize) != Some(&stamp));
        let common = common.expect("values are as many as numbers");
        let below: Vec<u32> =
            (0..common).filter(|v| !space.is_common(*v, n) && seen[*v as usize] != stamp).collect();
        let mut open = below.len();
        for (taken, unequal) in &moves.pairs {
            for a in 1..=moves.half(n, *taken, *unequal) {
                if open == 0 {
                    return common;
                }
                let sum = values[a] ^ values[n - taken - a];
                if seen[sum as usize] != stamp {
                    seen[sum as usize] = stamp;
                    open -= usize::from(sum < common);
                }
            }
        }
        below.into_iter().find(|v| seen[*v as usize] != stamp).unwrap_or(common)
    }
}

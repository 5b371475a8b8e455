//! Boxes of games whose moves depend on the heaps: position by position, with a bit or a number for
//! each, looked up for whole runs of options ([`Runs`]).

use super::game::is_least;
use super::rows::positions;
use super::{HeapTableError, Limits, Plan};
use crate::heap_options::{HeapOptions, Runs};
use bouton_core::{HeapGame, Play, Symmetry};
use std::ops::ControlFlow::{self, Break, Continue};

/// A game of this kind.
#[derive(Debug, Clone)]
pub struct RunSweep {
    heaps: usize,
    symmetry: Symmetry,
    runs: Runs,
}

/// A box, and the current position.
struct BoxWalk {
    side: usize,
    strides: Vec<usize>,
    p: Vec<u32>,
    q: Vec<u32>,
}

impl BoxWalk {
    fn new(heaps: usize, max: u32) -> BoxWalk {
        let side = max as usize + 1;
        let strides = (0..heaps).rev().map(|axis| side.pow(axis as u32)).collect();
        BoxWalk { side, strides, p: vec![0; heaps], q: vec![0; heaps] }
    }

    /// Goes to the next position.
    fn step(&mut self) {
        if let Some(axis) =
            (0..self.p.len()).rev().find(|axis| (self.p[*axis] as usize) + 1 < self.side)
        {
            self.p[axis] += 1;
            self.p[axis + 1..].fill(0);
        }
    }

    fn cells(&self) -> usize {
        self.side.pow(self.p.len() as u32)
    }
}

/// Returns the place of a run, and how far apart its options are.
fn place(strides: &[usize], q: &[u32], heap: usize, low: u32) -> [usize; 2] {
    let others = strides.iter().zip(q).enumerate().filter(|(axis, _)| *axis != heap);
    let base: usize = others.map(|(_, (stride, size))| stride * *size as usize).sum();
    [base + strides[heap] * low as usize, strides[heap]]
}

/// Returns whether one of this many bits is set.
fn has_one(bits: &[u64], [first, stride]: [usize; 2], count: usize) -> bool {
    if stride > 1 {
        return (0..count)
            .map(|i| first + i * stride)
            .any(|at| bits[at / 64] >> (at % 64) & 1 == 1);
    }
    let (from, to) = (first / 64, (first + count - 1) / 64);
    let (low, high) = (u64::MAX << (first % 64), u64::MAX >> (63 - (first + count - 1) % 64));
    if from == to {
        return bits[from] & low & high != 0;
    }
    bits[from] & low != 0
        || bits[to] & high != 0
        || bits[from + 1..to].iter().any(|word| *word != 0)
}

impl RunSweep {
    /// Returns the game, if its moves are runs: a fixed number of heaps that keep their places, a
    /// condition of linear comparisons, and no other restriction.
    pub fn new(game: &HeapGame) -> Option<RunSweep> {
        let moves = &game.moves;
        if game.shrinks || moves.permutation.is_some() || moves.domain.is_some() || game.heaps == 0
        {
            return None;
        }
        let runs = HeapOptions::new(moves, Some(game.heaps), false).runs(game.heaps)?;
        Some(RunSweep { heaps: game.heaps, symmetry: game.symmetry, runs })
    }

    fn admit(&self, max: u32, limits: Limits, bits: u64) -> Result<Plan, HeapTableError> {
        let all = positions(self.heaps, max);
        let bytes = |max, _| {
            let cells = u64::try_from(positions(self.heaps, max)).unwrap_or(u64::MAX);
            (cells / 8).saturating_mul(bits).saturating_add(64)
        };
        limits.admit(max, all, 1, u32::MAX - 1, bytes).map(|plan| Plan { threads: 1, ..plan })
    }

    /// Visits the P-positions with heaps ≤ `max` that are the least of their symmetry class, in
    /// lexicographic order, until `visit` or `progress` breaks; `progress` receives the number of
    /// further positions that are settled.
    pub fn p_positions<B>(
        &self,
        max: u32,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan(max, limits)?;
        let mut walk = BoxWalk::new(self.heaps, max);
        let mut is_p = vec![0u64; walk.cells() / 64 + 1];
        let mut run = || {
            for at in 0..walk.cells() {
                let mut is_stuck = true;
                let BoxWalk { strides, p, q, side } = &mut walk;
                let end = self.runs.visit(p, q, |q, heap, [low, high]| {
                    is_stuck = false;
                    let count = (high - low) as usize + 1;
                    if has_one(&is_p, place(strides, q, heap, low), count) {
                        Break(())
                    } else {
                        Continue(())
                    }
                });
                if end.is_continue() && (!is_stuck || play == Play::Normal) {
                    is_p[at / 64] |= 1 << (at % 64);
                    if is_least(self.symmetry, p) {
                        visit(p)?;
                    }
                }
                if (at + 1).is_multiple_of(*side) {
                    progress(*side as u128)?;
                }
                walk.step();
            }
            Continue(())
        };
        Ok(run())
    }

    /// Visits the nim-values of all positions with heaps ≤ `max` likewise.
    pub fn nim_values<B>(
        &self,
        max: u32,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32], u32) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan_values(max, limits)?;
        let mut walk = BoxWalk::new(self.heaps, max);
        let mut values = vec![0u32; walk.cells()];
        // For each value the last position that reaches it, plus one.
        let mut reached = vec![0usize; 2];
        let mut run = || {
            for at in 0..walk.cells() {
                let BoxWalk { strides, p, q, side } = &mut walk;
                let _ = self.runs.visit::<()>(p, q, |q, heap, [low, high]| {
                    let [first, stride] = place(strides, q, heap, low);
                    for i in 0..=(high - low) as usize {
                        reached[values[first + i * stride] as usize] = at + 1;
                    }
                    Continue(())
                });
                let value = reached.iter().take_while(|last| **last == at + 1).count();
                values[at] = value as u32;
                if value + 1 == reached.len() {
                    // One more than the greatest value is never reached.
                    reached.push(0);
                }
                if is_least(self.symmetry, p) {
                    visit(p, value as u32)?;
                }
                if (at + 1).is_multiple_of(*side) {
                    progress(*side as u128)?;
                }
                walk.step();
            }
            Continue(())
        };
        Ok(run())
    }

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        self.admit(max, limits, 1)
    }

    /// Plans the table of nim-values with heaps ≤ `max`.
    pub fn plan_values(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        self.admit(max, limits, 32)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_tables::{by_trying, compare_tables};
    use bouton_core::{Digits, Moves, Symmetry, Windows};

    /// Tables of one to three heaps by asking the formula of every pair of positions.
    #[test]
    fn as_the_formula_says() {
        let conditions = [
            (1, "q0 < p0 & p0 <= 2*q0+1", 200),
            (1, "q0 < p0 & (3*q0 <= p0 | p0 <= q0+2)", 100),
            (2, "q1 = p1 & q0 < p0 & p0 >= p1 | q0 = p0 & q1 < p1 & p1 >= p0", 11),
            (2, "q0 = p0 & q1 < p1 & q1 != p0 | q1 = p1 & p0 <= q0+p1", 11),
            (2, "q0 <= q1 & q0+q1 < p0+p1 | q0 = q1+1", 9),
            (
                3,
                "q0 = p0 & q1 = p1 & p2 <= q2+p0 | q0+1 = p0 & q1+q2 = p1 | q2 < p1 & q0 = p0 & \
                 q1 = p1",
                4,
            ),
        ];
        for (heaps, condition, max) in conditions {
            let moves = Moves::with_formula(Windows::Any(heaps), condition).unwrap();
            let formula = moves.condition.clone().unwrap();
            let game = HeapGame {
                heaps,
                symmetry: Symmetry::None,
                shrinks: false,
                moves,
                digits: Digits::Binary,
            };
            let game = RunSweep::new(&game).unwrap();
            let side: u32 = max + 1;
            let numbers = |number: u32| -> Vec<u32> {
                (0..heaps).rev().map(|axis| number / side.pow(axis as u32) % side).collect()
            };
            let all: Vec<Vec<u32>> = (0..side.pow(heaps as u32)).map(numbers).collect();
            let brute = by_trying(&formula, heaps, &all);
            let positions = all.len() as u128;
            compare_tables(&game, max, all.into_iter().zip(brute), positions, condition);
        }
    }

    #[test]
    fn runs_of_bits_are_searched() {
        for at in [0, 1, 63, 64, 65, 127, 128, 191] {
            let mut bits = [0u64; 3];
            bits[at / 64] |= 1 << (at % 64);
            for first in [0, 1, 62, 63, 64, 65, 126, 128] {
                for count in [1, 2, 63, 64] {
                    assert_eq!(
                        has_one(&bits, [first, 1], count),
                        (first..first + count).contains(&at)
                    );
                    let strided = (0..count.min(20)).any(|i| first + 3 * i == at);
                    assert_eq!(has_one(&bits, [first, 3], count.min(20)), strided);
                }
            }
        }
    }
}

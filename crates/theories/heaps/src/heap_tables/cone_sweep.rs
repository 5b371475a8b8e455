//! The sweep of games whose takings do not depend on the heaps: rows of bits, shifted.
//!
//! A position p is N if and only if p − t is P for one of the takings t, and these are cones
//! ([`Cone`]): c, and any tokens more from the heaps of a set w. So what reaches P by the cones of
//! one w is the OR over their c of the P-positions shifted by c, and then a prefix OR along each
//! axis of w. As in [`super::rows`] a row along the last axis is a word of bits, a line is the rows
//! along the last axis but one, prefix ORs along the axes before are kept in tables each along one
//! axis ([`super::layout`]), and those along the last two are done once a line for all w together.
//! Takings that touch the last two heaps alone lead to the same line: its rows are settled one
//! after the other, and where the last heap may be lowered alone the P-positions of a row in
//! ascending order, or, where only one number may be taken, all together by doubling: y is P if it
//! is free and y − a is not.
//!
//! Nim-values: the positions of value v are those left by the values before that reach none of
//! value v. So plane after plane is swept in the same way, as far as something is left.
//!
//! As many places along the first two axes are looked back to as the deepest cone goes. O(box / 64
//! · cones).

mod cone_groups;
mod last_heap;
mod pieces;
mod worker;

use super::rows::positions;
use super::slab_pipeline;
use super::values::Values;
use super::words::{FITTED, Word};
use super::{HeapTableError, Limits, Plan};
use crate::heap_options::Cone;
use bouton_core::{Arrange, MAX_HEAPS, Play};
use bouton_simd::Simd;
use cone_groups::AxisLayout;
use pieces::PieceResult;
use std::ops::ControlFlow::{self, Continue};
use worker::ShiftWorker;

/// Heaps are at most this.
pub(super) const MAX_HEAP: u32 = 4095;
/// Words of a row at most.
const WORDS: usize = MAX_HEAP as usize / 64 + 1;

/// Rows of a vector: lines are filled up to whole ones.
const LANES: usize = 8;

/// A game of this kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConeSweep {
    heaps: usize,
    cones: Vec<Cone>,
}

/// How far a box goes: the greatest first heap, and the greatest of the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub first: u32,
    pub max: u32,
}

/// What is asked of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Outcomes(Play),
    Values,
}

impl ConeSweep {
    /// Returns the game on this many heaps, 1 to 15, with these takings: a number a heap each, and
    /// a token at least.
    pub(super) fn new(heaps: usize, cones: Vec<Cone>) -> Option<ConeSweep> {
        let fits = |cone: &Cone| {
            cone.least.len() == heaps
                && cone.least.iter().any(|taken| *taken > 0)
                && cone.free >> heaps == 0
        };
        ((1..=MAX_HEAPS).contains(&heaps) && cones.iter().all(fits))
            .then_some(ConeSweep { heaps, cones })
    }

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        self.admit(None, max, limits, false)
    }

    /// Plans the table of nim-values with heaps ≤ `max`.
    pub fn plan_values(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        self.admit(None, max, limits, true)
    }

    fn admit(
        &self,
        first: Option<u32>,
        max: u32,
        limits: Limits,
        values: bool,
    ) -> Result<Plan, HeapTableError> {
        let need = |max: u32, threads: usize| {
            // A smaller box is a cube.
            let first = first.filter(|first| *first >= max).unwrap_or(max);
            let planes = if values { self.planes(max) } else { 1 };
            self.bytes(Extent { first, max }, threads, planes, values)
        };
        let words = max as usize / 64 + 1;
        limits.admit(max, positions(self.heaps, max), words, MAX_HEAP, need)
    }

    /// Returns a bound that every nim-value is below: one is at most the number of moves left, and
    /// of ways to move.
    fn planes(&self, max: u32) -> u64 {
        let least =
            self.cones.iter().map(|cone| cone.least.iter().map(|taken| u64::from(*taken)).sum());
        let moves = self.heaps as u64 * u64::from(max) / least.min().unwrap_or(1).max(1);
        let few = self.cones.iter().all(|cone| cone.free == 0);
        1 + if few { moves.min(self.cones.len() as u64) } else { moves }
    }

    /// Returns bytes of all that is kept.
    fn bytes(&self, extent: Extent, threads: usize, planes: u64, values: bool) -> u64 {
        let cut = AxisLayout::new(self.heaps, extent);
        let row = match extent.max {
            ..=15 => 2,
            16..=31 => 4,
            32..=255 => 8 * (u64::from(extent.max) / 64 + 1).next_power_of_two(),
            256..=1023 => 128,
            _ => 8 * WORDS as u64,
        };
        let times = |all: u64, axis: usize| all.saturating_mul(cut.sides[axis] as u64);
        let line = cut.line as u64 * row;
        let within = |from: usize| (from..cut.outer).fold(line, times);
        let piece = within(2);
        let slab = times(piece, 1);
        let depth = |axis: usize| {
            let depths = self.cones.iter().map(|cone| cut.least_by_axis(cone)[axis]);
            depths.filter(|depth| (*depth as usize) < cut.sides[axis]).max().unwrap_or(0)
        };
        let (slabs, pieces) = (u64::from(depth(0)), u64::from(depth(1)));
        // What goes to the visitor: two slabs may wait.
        let waiting = if threads > 1 { 3 } else { 1 };
        let mut sum = slab.saturating_mul(slabs + if values { 1 } else { waiting });
        sum = sum.saturating_add(piece.saturating_mul(pieces * (slabs + 1)));
        let mut frees: Vec<u32> = self.cones.iter().map(|cone| cone.free).collect();
        frees.arrange();
        frees.dedup();
        for free in frees {
            for axis in (0..cut.outer).filter(|axis| free << cut.pad >> axis & 1 == 1) {
                let (size, times) = match axis {
                    0 => (slab, 1),
                    // On the way from thread to thread, and back.
                    _ => (within(axis + 1), 3 * threads as u64 - 2),
                };
                sum = sum.saturating_add(size.saturating_mul(times));
            }
        }
        sum = sum.saturating_mul(planes);
        if values {
            let all =
                cut.sides[1..].iter().fold(2, |all: u64, side| all.saturating_mul(*side as u64));
            let part = all / cut.sides[1] as u64;
            sum = sum.saturating_add(if threads > 1 { all.saturating_mul(waiting) } else { part });
        }
        sum
    }

    /// Visits the rows of the box in lexicographic order: the heaps but the last, and which sizes
    /// of the last make a P-position, 64 a word. `progress` receives from time to time the number
    /// of positions settled since; either may break.
    pub(super) fn rows<B>(
        &self,
        extent: Extent,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut row: impl FnMut(&[u32], &[u64]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let threads = self.admit(Some(extent.first), extent.max, limits, false)?.threads;
        Ok(slab_pipeline::with_break_value(|end| {
            let visit: &mut Visitor<'_> = &mut |part| match part {
                Visited::Row(heaps, bits) => slab_pipeline::keep_break_value(row(heaps, bits), end),
                Visited::Values(_) => Continue(()),
                Visited::Settled(positions) => {
                    slab_pipeline::keep_break_value(progress(positions), end)
                }
            };
            self.run(Simd::best(), extent, threads, Asked::Outcomes(play), visit)
        }))
    }

    /// Visits the nim-values of all positions with heaps ≤ `max`, in lexicographic order, part by
    /// part, until `visit` breaks. The parts are the same whatever the number of threads.
    pub fn values<B>(
        &self,
        max: u32,
        limits: Limits,
        mut visit: impl FnMut(&Values<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let threads = self.plan_values(max, limits)?.threads;
        let extent = Extent { first: max, max };
        Ok(slab_pipeline::with_break_value(|end| {
            let visit: &mut Visitor<'_> = &mut |part| match part {
                Visited::Values(values) => slab_pipeline::keep_break_value(visit(values), end),
                Visited::Row(..) | Visited::Settled(_) => Continue(()),
            };
            self.run(Simd::best(), extent, threads, Asked::Values, visit)
        }))
    }

    fn run(
        &self,
        simd: Simd,
        extent: Extent,
        threads: usize,
        asked: Asked,
        visit: &mut Visitor<'_>,
    ) -> ControlFlow<()> {
        match (extent.max as usize / 64 + 1).next_power_of_two() {
            1 if FITTED && extent.max < 16 => {
                self.start::<u16>(simd, extent, threads, asked, visit)
            }
            1 if FITTED && extent.max < 32 => {
                self.start::<u32>(simd, extent, threads, asked, visit)
            }
            1 => self.start::<u64>(simd, extent, threads, asked, visit),
            2 if FITTED => self.start::<[u64; 2]>(simd, extent, threads, asked, visit),
            2 | 4 => self.start::<[u64; 4]>(simd, extent, threads, asked, visit),
            8 | 16 => self.start::<[u64; 16]>(simd, extent, threads, asked, visit),
            _ => self.start::<[u64; WORDS]>(simd, extent, threads, asked, visit),
        }
    }

    fn start<W: Word>(
        &self,
        simd: Simd,
        extent: Extent,
        threads: usize,
        asked: Asked,
        visit: &mut Visitor<'_>,
    ) -> ControlFlow<()> {
        let cut = AxisLayout::new(self.heaps, extent);
        let make = || ShiftWorker::<W>::new(simd, self, extent, asked);
        let (heaps, words) = (self.heaps, extent.max as usize / 64 + 1);
        let (slabs, pieces) = (cut.sides[0] as u32, cut.sides[1] as u32);
        slab_pipeline::run(
            threads,
            &make,
            slabs,
            pieces,
            &mut |slab, piece, found: PieceResult<W>| {
                let mut p = [0u32; MAX_HEAPS];
                let prefix = &[slab, piece][cut.pad.min(2)..];
                p[..prefix.len()].copy_from_slice(prefix);
                let settled = match found {
                    PieceResult::Values(values) => {
                        let part = Values::new(prefix, &values, heaps, extent.max);
                        return visit(Visited::Values(&part));
                    }
                    PieceResult::Outcomes(settled) => settled,
                };
                let mut bits = [0u64; WORDS];
                let of_line = cut.sides[cut.outer];
                for line in settled.planes[0].chunks_exact(cut.line) {
                    for row in &line[..of_line] {
                        (0..W::WORDS).for_each(|w| bits[w] = row.word(w));
                        visit(Visited::Row(&p[..heaps - 1], &bits[..words]))?;
                        let room = |i: &usize| (p[*i] as usize) + 1 < cut.sides[i + cut.pad];
                        if let Some(axis) = (prefix.len()..heaps - 1).rev().find(room) {
                            p[axis] += 1;
                            p[axis + 1..heaps - 1].fill(0);
                        }
                    }
                }
                let positions = cut.sides[2..].iter().fold(1, |all, side| all * *side as u128);
                visit(Visited::Settled(positions))
            },
        )
    }
}

/// What the visitor is shown.
enum Visited<'s> {
    Row(&'s [u32], &'s [u64]),
    Values(&'s Values<'s>),
    /// This many positions more are settled.
    Settled(u128),
}

/// Who is shown the parts of a box.
type Visitor<'v> = dyn FnMut(Visited<'_>) -> ControlFlow<()> + 'v;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_options::LineCone;
    use crate::heap_tables::line_cone_sweep::tests::{Known, brute, lost};
    use crate::heap_tables::random;

    /// Returns every position of a box. A free axis is a step of one token along it.
    fn known(heaps: usize, cones: &[Cone], extent: Extent) -> Vec<Known> {
        let step = |axis: usize| (0..heaps).map(|i| u32::from(i == axis)).collect::<Vec<u32>>();
        let as_lines = |cone: &Cone| LineCone {
            least: cone.least.clone(),
            steps: (0..heaps).filter(|axis| cone.free >> axis & 1 == 1).map(step).collect(),
        };
        let cones: Vec<LineCone> = cones.iter().map(as_lines).collect();
        let first = if heaps == 1 { extent.max } else { extent.first };
        brute(heaps, &cones, [first, extent.max])
    }

    fn outcomes(
        game: &ConeSweep,
        simd: Simd,
        extent: Extent,
        threads: usize,
        play: Play,
    ) -> Vec<Vec<u32>> {
        let (mut all, mut settled) = (Vec::new(), 0);
        let done = game.run(simd, extent, threads, Asked::Outcomes(play), &mut |shown| {
            match shown {
                Visited::Row(heaps, bits) => {
                    for y in (0..64 * bits.len()).filter(|y| bits[y / 64] >> (y % 64) & 1 == 1) {
                        all.push([heaps, &[y as u32]].concat());
                    }
                }
                Visited::Settled(positions) => settled += positions,
                Visited::Values(_) => unreachable!("not asked for"),
            }
            Continue(())
        });
        assert_eq!(done, Continue(()));
        let first = if game.heaps == 1 { extent.max } else { extent.first };
        assert_eq!(settled, positions(game.heaps - 1, extent.max) * (u128::from(first) + 1));
        all
    }

    fn values(game: &ConeSweep, simd: Simd, max: u32, threads: usize) -> Vec<(Vec<u32>, u16)> {
        let mut all = Vec::new();
        let done =
            game.run(simd, Extent { first: max, max }, threads, Asked::Values, &mut |shown| {
                match shown {
                    Visited::Values(part) => part.each(|p, value| {
                        all.push((p.to_vec(), value));
                        Continue(())
                    }),
                    Visited::Row(..) | Visited::Settled(_) => unreachable!("not asked for"),
                }
            });
        assert_eq!(done, Continue(()));
        all
    }

    fn compare(heaps: usize, cones: &[Cone], extent: Extent) {
        let game = ConeSweep::new(heaps, cones.to_vec()).unwrap();
        let known = known(heaps, cones, extent);
        for simd in Simd::all() {
            for threads in [1, 3] {
                for play in [Play::Normal, Play::Misere] {
                    let (found, expected) =
                        (outcomes(&game, simd, extent, threads, play), lost(&known, play));
                    assert_eq!(found, expected, "{cones:?} {extent:?} {simd:?} {threads} {play}");
                }
                if extent.first == extent.max {
                    let expected: Vec<_> =
                        known.iter().map(|(p, value, _)| (p.clone(), *value)).collect();
                    let found = values(&game, simd, extent.max, threads);
                    assert!(found == expected, "{cones:?} {extent:?} {simd:?} {threads}");
                }
            }
        }
    }

    /// Cones drawn at random, in boxes of all widths of rows.
    #[test]
    fn like_brute_force() {
        let mut random = random(7);
        for (heaps, max, games) in [
            (1, 20, 8),
            (1, 70, 4),
            (1, 300, 4),
            (2, 9, 12),
            (2, 20, 8),
            (2, 40, 6),
            (3, 5, 16),
            (3, 8, 8),
            (4, 3, 16),
            (4, 4, 8),
            (5, 2, 12),
            (6, 1, 6),
            (6, 2, 2),
        ] {
            for _ in 0..games {
                let count = 1 + random(5);
                let cones = (0..count).map(|_| {
                    let mut least: Vec<u32> =
                        (0..heaps).map(|_| random(8).saturating_sub(4) as u32).collect();
                    least[random(heaps as u64) as usize] += 1;
                    let free = random(1 << heaps) as u32 & random(1 << heaps) as u32;
                    Cone { least, free: if random(2) == 0 { 0 } else { free } }
                });
                let cones: Vec<Cone> = cones.collect();
                compare(heaps, &cones, Extent { first: max, max });
                if heaps > 1 && heaps < 4 {
                    compare(heaps, &cones, Extent { first: max + 3, max });
                }
            }
        }
    }

    /// Tables that hold nothing of a value between two others.
    #[test]
    fn values_with_gaps() {
        // Two tokens at least in all, from three neighbours on a circle of four.
        let pairs = |heap: usize| (0..4).map(move |other| (heap, other));
        let mut cones = Vec::new();
        for (start, (one, other)) in
            (0..4).flat_map(|s| (0..4).flat_map(pairs).map(move |pair| (s, pair)))
        {
            let free = (0..3).fold(0u32, |free, i| free | 1 << ((start + i) % 4));
            if free >> one & free >> other & 1 == 1 {
                let mut least = vec![0; 4];
                least[one] += 1;
                least[other] += 1;
                cones.push(Cone { least, free });
            }
        }
        compare(4, &cones, Extent { first: 5, max: 5 });
    }

    /// Rows of several words: boxes with few first heaps.
    #[test]
    fn long_rows_like_brute_force() {
        let mut random = random(3);
        for (heaps, first, max, games) in [
            (2, 7, 70, 6),
            (2, 5, 130, 6),
            (2, 4, 200, 4),
            (2, 2, 300, 3),
            (2, 1, 1100, 2),
            (3, 1, 66, 3),
        ] {
            for _ in 0..games {
                let cones = (0..1 + random(4)).map(|_| {
                    let mut least: Vec<u32> = (0..heaps).map(|_| random(3) as u32).collect();
                    let wide = [1, 3, 63, 64, 65, 100, 190];
                    least[heaps - 1] += wide[random(7) as usize] * random(2) as u32;
                    least[random(heaps as u64) as usize] += 1;
                    Cone { least, free: (random(1 << heaps) & random(1 << heaps)) as u32 }
                });
                let cones: Vec<Cone> = cones.collect();
                compare(heaps, &cones, Extent { first, max });
            }
        }
    }
}

//! The sweep of games whose takings are cones along any directions ([`LineCone`]): Wythoff's
//! diagonal, the same number from several heaps.
//!
//! What reaches P by the cones with the steps s₁, …, sₖ is C₀, the OR over their least takings b of
//! the P-positions shifted by b, and then Cᵢ(p) = Cᵢ₋₁(p) ∨ Cᵢ(p − sᵢ). Along the last axis stands
//! a row, a bit a position; a step of the last heap alone is done within the row, by doubling. Of
//! every Cᵢ as many slabs are kept as its step goes back along the first axis. Takings of the last
//! heap alone lead to the same row: its P-positions are settled in ascending order.
//!
//! Nim-values: the positions of value v are those left by the values before that reach none of
//! value v. O(box / 64 · cones) for each value. Where the cones are lines, [`RaySweep`] finds them.

use super::ray_sweep::RaySweep;
use super::rows::positions;
use super::values::Values;
use super::{HeapTableError, Limits, Plan};
use crate::heap_options::LineCone;
use bouton_core::{Arrange, MAX_HEAPS, Play};
use std::ops::ControlFlow::{self, Break, Continue};

/// Heaps are at most this.
pub(super) const MAX_HEAP: u32 = u16::MAX as u32;

/// A game of this kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineConeSweep {
    heaps: usize,
    cones: Vec<LineCone>,
}

/// A shift that leads to another row.
#[derive(Debug, Clone)]
struct Shift {
    /// What it takes along the axes before the last.
    needs: Vec<(usize, u32)>,
    /// How many slabs it goes back, and then how many rows.
    slab: usize,
    row: usize,
    /// What it takes along the last axis.
    bits: usize,
}

impl Shift {
    fn fits(&self, p: &[u32]) -> bool {
        self.needs.iter().all(|(axis, taken)| p[*axis] >= *taken)
    }
}

/// The last slabs of rows.
struct Ring {
    slabs: usize,
    rows: Vec<u64>,
}

/// A table of positions that a step has been made from any number of times.
struct StepTable {
    step: Shift,
    ring: Ring,
}

/// The cones with one set of steps.
struct ConeGroup {
    /// The least takings: of other heaps, and of the last heap alone.
    apart: Vec<Shift>,
    near: Vec<usize>,
    tables: Vec<StepTable>,
    /// Steps of the last heap alone.
    along: Vec<usize>,
}

/// Takings of the last heap alone.
enum LastHeapMoves {
    None,
    /// This many or more.
    From(usize),
    /// Those of the bits.
    Any(Vec<u64>),
}

/// Rows of a box.
#[derive(Debug, Clone, Copy)]
struct RowLayout {
    heaps: usize,
    side: usize,
    /// Words of a row.
    words: usize,
    /// Slabs, and rows of a slab.
    slabs: usize,
    rows: usize,
}

impl RowLayout {
    /// Returns the cut of a box that fits into memory.
    fn new(heaps: usize, max: u32) -> RowLayout {
        let side = max as usize + 1;
        let rows = side.pow(heaps.saturating_sub(2) as u32);
        RowLayout {
            heaps,
            side,
            words: side.div_ceil(64),
            slabs: if heaps > 1 { side } else { 1 },
            rows,
        }
    }

    fn shift(&self, taken: &[u32]) -> Shift {
        let (last, others) = taken.split_last().expect("a heap at least");
        let needs = (0..)
            .zip(others)
            .filter(|(_, taken)| **taken > 0)
            .map(|(axis, t)| (axis, *t))
            .collect();
        let slab = others.first().map_or(0, |taken| *taken as usize);
        let row = others.iter().skip(1).fold(0, |row, taken| row * self.side + *taken as usize);
        Shift { needs, slab, row, bits: *last as usize }
    }
}

impl Ring {
    fn new(slabs: usize, cut: RowLayout) -> Ring {
        Ring { slabs, rows: vec![0; slabs * cut.rows * cut.words] }
    }

    /// Returns where a row begins.
    fn at(&self, cut: RowLayout, slab: usize, row: usize) -> usize {
        (slab % self.slabs * cut.rows + row) * cut.words
    }

    fn row(&self, cut: RowLayout, slab: usize, row: usize) -> &[u64] {
        &self.rows[self.at(cut, slab, row)..][..cut.words]
    }

    fn row_mut(&mut self, cut: RowLayout, slab: usize, row: usize) -> &mut [u64] {
        let at = self.at(cut, slab, row);
        &mut self.rows[at..][..cut.words]
    }
}

/// Adds a row, this many places on.
fn add_shifted(to: &mut [u64], from: &[u64], by: usize) {
    let (words, bits) = (by / 64, by % 64);
    let Some(to) = to.get_mut(words..) else { return };
    if bits == 0 {
        to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
        return;
    }
    if let (Some(to), Some(from)) = (to.first_mut(), from.first()) {
        *to |= from << bits;
    }
    let pairs = from.iter().zip(from.iter().skip(1));
    to.iter_mut()
        .skip(1)
        .zip(pairs)
        .for_each(|(to, (low, high))| *to |= high << bits | low >> (64 - bits));
}

/// Adds to a row all that is any multiples of a step behind it.
fn add_multiples(row: &mut [u64], step: usize) {
    let mut by = step;
    while by < 64 * row.len() {
        let (words, bits) = (by / 64, by % 64);
        for i in (words..row.len()).rev() {
            let low = if bits > 0 && i > words { row[i - words - 1] >> (64 - bits) } else { 0 };
            row[i] |= row[i - words] << bits | low;
        }
        by *= 2;
    }
}

/// Returns the least place of a row at or behind word `from`.
fn first_place(row: &[u64], from: usize) -> Option<usize> {
    let word = (from..row.len()).find(|word| row[*word] != 0)?;
    Some(64 * word + row[word].trailing_zeros() as usize)
}

/// Returns how many places of a row there are.
fn count(row: &[u64]) -> usize {
    row.iter().map(|word| word.count_ones() as usize).sum()
}

impl LastHeapMoves {
    /// Leaves the places of a row that reach none of those left.
    fn settle(&self, open: &mut [u64]) {
        match self {
            LastHeapMoves::None => {}
            LastHeapMoves::From(least) => {
                let Some(end) = first_place(open, 0).map(|first| first + least) else { return };
                if let Some([word, rest @ ..]) = open.get_mut(end / 64..) {
                    *word &= (1 << (end % 64)) - 1;
                    rest.fill(0);
                }
            }
            LastHeapMoves::Any(takings) => {
                let mut next = first_place(open, 0);
                while let Some(place) = next {
                    let (word, bits) = (place / 64, place % 64);
                    let mut carried = 0;
                    for (to, taking) in open[word..].iter_mut().zip(takings.iter().chain([&0])) {
                        *to &= !(taking << bits | carried);
                        carried = if bits > 0 { taking >> (64 - bits) } else { 0 };
                    }
                    let rest = if bits < 63 { open[word] >> (bits + 1) << (bits + 1) } else { 0 };
                    next = if rest != 0 {
                        Some(64 * word + rest.trailing_zeros() as usize)
                    } else {
                        first_place(open, word + 1)
                    };
                }
            }
        }
    }
}

impl LineConeSweep {
    /// Returns the game on this many heaps, 1 to 15, with these takings: a number a heap each, and
    /// a token at least.
    pub(super) fn new(heaps: usize, cones: Vec<LineCone>) -> Option<LineConeSweep> {
        let fits = |taken: &Vec<u32>| taken.len() == heaps && taken.iter().any(|taken| *taken > 0);
        let sound = cones.iter().all(|cone| fits(&cone.least) && cone.steps.iter().all(fits));
        ((1..=MAX_HEAPS).contains(&heaps) && sound).then_some(LineConeSweep { heaps, cones })
    }

    pub(super) fn heaps(&self) -> usize {
        self.heaps
    }

    pub(super) fn cones(&self) -> &[LineCone] {
        &self.cones
    }

    /// Returns whether the cones are the same if any two neighbouring heaps change places.
    pub(super) fn is_symmetric(&self) -> bool {
        let ordered = |mut cones: Vec<LineCone>| {
            cones.iter_mut().for_each(|cone| cone.steps.arrange());
            cones.arrange();
            cones.dedup();
            cones
        };
        let all = ordered(self.cones.clone());
        (1..self.heaps).all(|heap| {
            let mut turned = self.cones.clone();
            for cone in &mut turned {
                cone.least.swap(heap - 1, heap);
                cone.steps.iter_mut().for_each(|step| step.swap(heap - 1, heap));
            }
            ordered(turned) == all
        })
    }

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        self.admit(max, MAX_HEAP, limits, false)
    }

    /// Plans the table of nim-values with heaps ≤ `max`.
    pub fn plan_values(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        // No value is above the number of tokens, and values have 16 bits.
        self.admit(max, (u32::from(u16::MAX) - 1) / self.heaps as u32, limits, true)
    }

    fn admit(
        &self,
        max: u32,
        most: u32,
        limits: Limits,
        values: bool,
    ) -> Result<Plan, HeapTableError> {
        let words = max as usize / 64 + 1;
        let need = |max: u32, _: usize| self.bytes(max, values);
        limits
            .admit(max, positions(self.heaps, max), words, most, need)
            .map(|plan| Plan { threads: 1, ..plan })
    }

    /// Returns the steps and least takings of the cones that fit into a box, those with the same
    /// steps together.
    fn bundles(&self, max: u32) -> Vec<[Vec<&Vec<u32>>; 2]> {
        let fits = |taken: &&Vec<u32>| taken.iter().all(|taken| *taken <= max);
        let mut all: Vec<[Vec<&Vec<u32>>; 2]> = Vec::new();
        for cone in self.cones.iter().filter(|cone| fits(&&cone.least)) {
            let steps: Vec<&Vec<u32>> = cone.steps.iter().filter(fits).collect();
            match all.iter_mut().find(|[known, _]| *known == steps) {
                Some([_, least]) => least.push(&cone.least),
                None => all.push([steps, vec![&cone.least]]),
            }
        }
        all
    }

    /// Returns bytes of all that is kept.
    fn bytes(&self, max: u32, values: bool) -> u64 {
        if values && let Some(rays) = RaySweep::new(self, max) {
            return rays.bytes();
        }
        let side = u64::from(max) + 1;
        let row = 8 * side.div_ceil(64);
        let slab = (0..self.heaps.saturating_sub(2)).fold(row, |all, _| all.saturating_mul(side));
        let back = |taken: &[u32]| if self.heaps > 1 { u64::from(taken[0]) + 1 } else { 1 };
        let moved = |step: &&&Vec<u32>| step[..self.heaps - 1].iter().any(|taken| *taken > 0);
        let bundles = self.bundles(max);
        let all = bundles.iter().flat_map(|[_, least]| least).map(|taken| back(taken));
        let found = all.max().unwrap_or(1);
        let tables =
            bundles.iter().flat_map(|[steps, _]| steps.iter().filter(moved)).map(|step| back(step));
        let slabs = found + tables.sum::<u64>();
        let cells = (0..self.heaps).fold(1, |all: u64, _| all.saturating_mul(side));
        let all = if self.heaps > 1 { slab.saturating_mul(side) } else { slab };
        let box_of = if values { cells.saturating_mul(2).saturating_add(all) } else { 0 };
        slab.saturating_mul(slabs).saturating_add(box_of)
    }

    /// Visits the rows of the box in lexicographic order: the heaps but the last, and which sizes
    /// of the last make a P-position, 64 a word. `progress` is called now and then with how many
    /// more positions are settled; either may break.
    pub(super) fn rows<B>(
        &self,
        max: u32,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut row: impl FnMut(&[u32], &[u64]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan(max, limits)?;
        let mut sweeper = LineSweep::new(self, max);
        let cut = sweeper.cut;
        let positions = (cut.rows * cut.side) as u128;
        let mut open = sweeper.whole.clone();
        let mut run = || {
            for slab in 0..cut.slabs {
                let mut p = sweeper.begin(slab);
                for number in 0..cut.rows {
                    open.copy_from_slice(&sweeper.whole);
                    if play == Play::Misere {
                        self.leave_out_stuck(&p[..cut.heaps - 1], &mut open);
                    }
                    sweeper.settle(&p, slab, number, &open);
                    row(&p[..cut.heaps - 1], sweeper.found.row(cut, slab, number))?;
                    next_row(&mut p, cut);
                }
                progress(positions)?;
            }
            Continue(())
        };
        Ok(run())
    }

    /// Leaves out the places of a row with no move: they are no P-positions in misère play.
    fn leave_out_stuck(&self, p: &[u32], open: &mut [u64]) {
        let has_room =
            |cone: &&LineCone| cone.least.iter().zip(p).all(|(taken, heap)| taken <= heap);
        let last = |cone: &LineCone| cone.least.last().map_or(0, |taken| *taken as usize);
        let least = self.cones.iter().filter(has_room).map(last).min().unwrap_or(usize::MAX);
        for (word, open) in open.iter_mut().enumerate() {
            match least.saturating_sub(64 * word) {
                0 => {}
                few @ 1..64 => *open &= u64::MAX << few,
                _ => *open = 0,
            }
        }
    }

    /// Visits the nim-values of all positions with heaps ≤ `max`, in lexicographic order, until
    /// `visit` or `progress` breaks.
    pub(super) fn values<B>(
        &self,
        max: u32,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&Values<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan_values(max, limits)?;
        if let Some(rays) = RaySweep::new(self, max) {
            let found = rays.values(&mut progress);
            return Ok(match found {
                Continue(values) => visit(&Values::new(&[], &values, self.heaps, max)),
                Break(end) => Break(end),
            });
        }
        let mut sweeper = LineSweep::new(self, max);
        let cut = sweeper.cut;
        let mut open = sweeper.whole.repeat(cut.slabs * cut.rows);
        let mut values = vec![0u16; cut.slabs * cut.rows * cut.side];
        let mut left = values.len();
        let mut run = || {
            for value in 0..u16::MAX {
                if left == 0 {
                    break;
                }
                for slab in 0..cut.slabs {
                    let mut p = sweeper.begin(slab);
                    let before = left;
                    for number in 0..cut.rows {
                        let at = slab * cut.rows + number;
                        let open = &mut open[at * cut.words..][..cut.words];
                        sweeper.settle(&p, slab, number, open);
                        let found = sweeper.found.row(cut, slab, number);
                        for (word, (open, found)) in open.iter_mut().zip(found).enumerate() {
                            *open &= !found;
                            let mut rest = *found;
                            while rest != 0 {
                                let last = 64 * word + rest.trailing_zeros() as usize;
                                values[at * cut.side + last] = value;
                                rest &= rest - 1;
                                left -= 1;
                            }
                        }
                        next_row(&mut p, cut);
                    }
                    progress((before - left) as u128)?;
                }
            }
            visit(&Values::new(&[], &values, cut.heaps, max))
        };
        Ok(run())
    }
}

/// Goes to the next row of a slab.
fn next_row(p: &mut [u32], cut: RowLayout) {
    if let Some(axis) =
        (1..cut.heaps.max(1) - 1).rev().find(|axis| (p[*axis] as usize) + 1 < cut.side)
    {
        p[axis] += 1;
        p[axis + 1..].fill(0);
    }
}

/// The state of a sweep.
struct LineSweep {
    cut: RowLayout,
    bundles: Vec<ConeGroup>,
    alone: LastHeapMoves,
    /// P-positions, or those of the value at hand.
    found: Ring,
    /// All places of a row.
    whole: Vec<u64>,
    /// What a bundle reaches, and all of them.
    own: Vec<u64>,
    reached: Vec<u64>,
}

impl LineSweep {
    fn new(game: &LineConeSweep, max: u32) -> LineSweep {
        let cut = RowLayout::new(game.heaps, max);
        let is_near = |taken: &&Vec<u32>| taken[..cut.heaps - 1].iter().all(|taken| *taken == 0);
        let last = |taken: &Vec<u32>| taken[cut.heaps - 1] as usize;
        let mut depth = 0;
        let mut alone = vec![0u64; cut.words];
        let mut bundles = Vec::new();
        for [steps, least] in game.bundles(max) {
            let (along, steps): (Vec<_>, Vec<_>) = steps.into_iter().partition(is_near);
            let (near, apart): (Vec<_>, Vec<_>) = least.into_iter().partition(is_near);
            let along: Vec<usize> = along.into_iter().map(last).collect();
            let near: Vec<usize> = near.into_iter().map(last).collect();
            let apart: Vec<Shift> = apart.into_iter().map(|taken| cut.shift(taken)).collect();
            let mut row = vec![0; cut.words];
            near.iter().for_each(|taken| row[taken / 64] |= 1 << (taken % 64));
            along.iter().for_each(|step| add_multiples(&mut row, *step));
            alone.iter_mut().zip(row).for_each(|(all, own)| *all |= own);
            depth = apart.iter().map(|shift| shift.slab).fold(depth, usize::max);
            let tables = steps.into_iter().map(|step| {
                let step = cut.shift(step);
                StepTable { ring: Ring::new(step.slab + 1, cut), step }
            });
            bundles.push(ConeGroup { apart, near, tables: tables.collect(), along });
        }
        let mut whole = vec![u64::MAX; cut.words];
        if !cut.side.is_multiple_of(64) {
            whole[cut.words - 1] = (1 << (cut.side % 64)) - 1;
        }
        alone.iter_mut().zip(&whole).for_each(|(alone, whole)| *alone &= whole);
        let alone = match first_place(&alone, 0) {
            None => LastHeapMoves::None,
            Some(least) if count(&alone) == cut.side - least => LastHeapMoves::From(least),
            Some(_) => {
                let words = alone.iter().rposition(|word| *word != 0).map_or(0, |word| word + 1);
                alone.truncate(words);
                LastHeapMoves::Any(alone)
            }
        };
        let blank = vec![0; cut.words];
        let found = Ring::new(depth + 1, cut);
        LineSweep { cut, bundles, alone, found, whole, own: blank.clone(), reached: blank }
    }

    /// Returns the heaps before the first row of a slab.
    fn begin(&self, slab: usize) -> Vec<u32> {
        let mut p = vec![0; self.cut.heaps];
        if self.cut.heaps > 1 {
            p[0] = slab as u32;
        }
        p
    }

    /// Finds the places of a row among the open ones that reach none of those found.
    fn settle(&mut self, p: &[u32], slab: usize, number: usize, open: &[u64]) {
        let LineSweep { cut, bundles, alone, found, own, reached, .. } = self;
        let cut = *cut;
        reached.fill(0);
        for bundle in &mut *bundles {
            own.fill(0);
            for shift in bundle.apart.iter().filter(|shift| shift.fits(p)) {
                add_shifted(own, found.row(cut, slab - shift.slab, number - shift.row), shift.bits);
            }
            for StepTable { step, ring } in &mut bundle.tables {
                if step.fits(p) {
                    add_shifted(own, ring.row(cut, slab - step.slab, number - step.row), step.bits);
                }
                ring.row_mut(cut, slab, number).copy_from_slice(own);
            }
            bundle.along.iter().for_each(|step| add_multiples(own, *step));
            reached.iter_mut().zip(&*own).for_each(|(all, own)| *all |= own);
        }
        let here = found.row_mut(cut, slab, number);
        here.iter_mut()
            .zip(open)
            .zip(&*reached)
            .for_each(|((here, open), reached)| *here = open & !reached);
        alone.settle(here);
        for ConeGroup { near, tables, .. } in bundles {
            for StepTable { ring, .. } in tables {
                let to = ring.row_mut(cut, slab, number);
                near.iter().for_each(|taken| add_shifted(to, found.row(cut, slab, number), *taken));
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_tables::random;

    pub(in super::super) const FREE: Limits = Limits { bytes: 1 << 30, threads: 1 };

    /// A position with its nim-value and whether it is P in misère play.
    pub(in super::super) type Known = (Vec<u32>, u16, bool);

    /// Returns every position of a box, from the takings one by one. The first heap has up to
    /// `first` tokens, the others up to `max`.
    pub(in super::super) fn brute(
        heaps: usize,
        cones: &[LineCone],
        [first, max]: [u32; 2],
    ) -> Vec<Known> {
        let place = |number: u32, i: usize| {
            number / (max + 1).pow((heaps - 1 - i) as u32)
                % if i == 0 { first + 1 } else { max + 1 }
        };
        let heaps_of = |number: u32| (0..heaps).map(|i| place(number, i)).collect::<Vec<u32>>();
        let positions = (first + 1) * (max + 1).pow(heaps as u32 - 1);
        // The number of p − q is the difference of their numbers where no heap is below zero.
        let taking = |number| cones.iter().any(|cone| cone.contains(&heaps_of(number)));
        let takings: Vec<bool> = (0..positions).map(taking).collect();
        let mut all: Vec<Known> = Vec::new();
        for number in 0..positions {
            let p = heaps_of(number);
            let is_option = |before: u32, q: &[u32]| {
                p.iter().zip(q).all(|(p, q)| q <= p) && takings[(number - before) as usize]
            };
            let options: Vec<(u16, bool)> = (0..)
                .zip(&all)
                .filter(|(before, (q, ..))| is_option(*before, q))
                .map(|(_, (_, value, is_p))| (*value, *is_p))
                .collect();
            let value =
                (0..).find(|value| options.iter().all(|(other, _)| other != value)).unwrap();
            let is_p = !options.is_empty() && !options.iter().any(|(_, is_p)| *is_p);
            all.push((p, value, is_p));
        }
        all
    }

    /// Returns the P-positions among these.
    pub(in super::super) fn lost(known: &[Known], play: Play) -> Vec<Vec<u32>> {
        let is_p =
            |(_, value, is_p): &&Known| if play == Play::Normal { *value == 0 } else { *is_p };
        known.iter().filter(is_p).map(|(p, ..)| p.clone()).collect()
    }

    /// Returns Wythoff's pairs ⌊kφ⌋, ⌊kφ²⌋ up to `most` (W. A. Wythoff 1907), in both orders.
    pub(in super::super) fn wythoff_pairs(most: u32) -> Vec<[u32; 2]> {
        let golden = f64::midpoint(1.0, 5f64.sqrt());
        let pairs =
            (0..).map(|k| ((f64::from(k) * golden) as u32, (f64::from(k) * golden) as u32 + k));
        let mut all: Vec<_> =
            pairs.take_while(|(_, b)| *b <= most).flat_map(|(a, b)| [[a, b], [b, a]]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn compare(heaps: usize, cones: &[LineCone], max: u32) {
        let game = LineConeSweep::new(heaps, cones.to_vec()).unwrap();
        let brute = brute(heaps, cones, [max; 2]);
        for play in [Play::Normal, Play::Misere] {
            let (mut found, mut settled) = (Vec::new(), 0);
            let progress = |positions| {
                settled += positions;
                Continue(())
            };
            let end = game.rows::<()>(max, play, FREE, progress, |before, bits| {
                let last = (0..64 * bits.len()).filter(|y| bits[y / 64] >> (y % 64) & 1 == 1);
                found.extend(last.map(|y| [before, &[y as u32]].concat()));
                Continue(())
            });
            assert_eq!(end, Ok(Continue(())));
            assert_eq!(settled, brute.len() as u128);
            assert_eq!(found, lost(&brute, play), "{cones:?} {max} {play}");
        }
        let (mut found, mut settled) = (Vec::new(), 0);
        let progress = |positions| {
            settled += positions;
            Continue(())
        };
        let end = game.values::<()>(max, FREE, progress, |part| {
            part.each(|p, value| {
                found.push((p.to_vec(), value));
                Continue(())
            })
        });
        assert_eq!(end, Ok(Continue(())));
        assert_eq!(settled, brute.len() as u128);
        let expected: Vec<_> = brute.iter().map(|(p, value, _)| (p.clone(), *value)).collect();
        assert!(found == expected, "{cones:?} {max}");
    }

    /// Cones drawn at random, also with rows of several words.
    #[test]
    fn like_brute_force() {
        let mut random = random(5);
        for (heaps, max, games) in [
            (1, 30, 20),
            (1, 200, 10),
            (2, 12, 60),
            (2, 70, 3),
            (3, 5, 30),
            (3, 8, 6),
            (4, 3, 20),
            (5, 2, 8),
        ] {
            for _ in 0..games {
                let mut taking = |most: u64| {
                    let mut taken: Vec<u32> =
                        (0..heaps).map(|_| random(most + 3).saturating_sub(3) as u32).collect();
                    taken[random(heaps as u64) as usize] += 1;
                    taken
                };
                let wide = if max > 64 { 70 } else { 3 };
                let mut cones = Vec::new();
                for number in 0..4 {
                    let mut steps: Vec<Vec<u32>> = (0..number % 3).map(|_| taking(2)).collect();
                    steps.sort_unstable();
                    steps.dedup();
                    cones.push(LineCone {
                        least: taking(if number % 2 == 0 { 2 } else { wide }),
                        steps,
                    });
                }
                compare(heaps, &cones, max);
                compare(heaps, &cones[1..3], max);
            }
        }
    }

    /// What reaches beyond a row that fills its words ends with them.
    #[test]
    fn rows_of_whole_words() {
        let line =
            |taken: [u32; 2]| LineCone { least: taken.to_vec(), steps: vec![taken.to_vec()] };
        compare(2, &[line([0, 1]), line([1, 0]), line([1, 2])], 63);
        let many = |least| LineCone { least: vec![least], steps: vec![vec![1]] };
        for least in [1, 3, 60, 64, 100, 128] {
            compare(1, &[many(least)], 127);
        }
    }

    #[test]
    fn wythoff() {
        let line =
            |taken: [u32; 2]| LineCone { least: taken.to_vec(), steps: vec![taken.to_vec()] };
        let game = LineConeSweep::new(2, vec![line([0, 1]), line([1, 0]), line([1, 1])]).unwrap();
        let mut found = Vec::new();
        let end = game.rows::<()>(
            3000,
            Play::Normal,
            FREE,
            |_| Continue(()),
            |before, bits| {
                found.extend(
                    (0..3001)
                        .filter(|y| bits[y / 64] >> (y % 64) & 1 == 1)
                        .map(|y| [before[0], y as u32]),
                );
                Continue(())
            },
        );
        assert_eq!(end, Ok(Continue(())));
        assert_eq!(found, wythoff_pairs(3000));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let cone = LineCone { least: vec![1, 1], steps: vec![vec![1, 1]] };
        let game = LineConeSweep::new(2, vec![cone]).unwrap();
        assert!(matches!(
            game.plan(MAX_HEAP + 1, FREE),
            Err(HeapTableError::HeapTooLarge { most: MAX_HEAP, .. })
        ));
        assert!(matches!(game.plan_values(40_000, FREE), Err(HeapTableError::HeapTooLarge { .. })));
        let few = Limits { bytes: 1000, threads: 1 };
        assert!(matches!(game.plan_values(100, few), Err(HeapTableError::TooLarge { .. })));
        assert!(
            LineConeSweep::new(2, vec![LineCone { least: vec![0, 0], steps: Vec::new() }])
                .is_none()
        );
    }
}

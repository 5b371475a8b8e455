//! Nim-values of a box, by a set of values a face.
//!
//! Let V_w(p) be the values of p and of all that is reached from p by lowering heaps of the face w
//! only. Then V_w(p) = {g(p)} ∪ ⋃_{i∈w} V_w(p − e_i), and g(p) is the least number in no V_w(p −
//! e_i), i ∈ w. As in [`super::rows`] only the union along the axes of w before the last two is
//! kept, in tables each along one axis ([`super::layout`]); along the last two it is a running
//! union.
//!
//! Sets are bits, 64 values a plane. Whether g(p) is below 64 hangs on the first plane alone, and
//! if it is not, the next plane decides: so planes are settled one after the other, and one that
//! holds nothing costs nothing.
//!
//! No position of an anti-diagonal reaches another one, so L of them are settled at once, each in a
//! lane: lane j holds the rows j, j + L, j + 2L, … of the last axis but one, one after the other
//! and j places behind lane 0. The least value in no set S is the bit ¬S ∧ (S + 1).

use super::layout::{self, AxisLayout, Layout, PrefixTable, Storage};
use super::rows::{self, add, gather, positions};
use super::slab_pipeline::{self, SlabWorker};
use super::words::each;
use super::{HeapTableError, Limits, Plan, Windows};
use bouton_core::{Arrange, MAX_HEAPS};
use bouton_simd::Simd;
use std::cell::Cell;
use std::ops::ControlFlow::{self, Continue};

/// Heaps are at most this: values, no more than the tokens of 15 heaps, stay below 2¹⁶.
pub(super) const MAX_HEAP: u32 = 1023;

/// Values of a plane.
const PLANE: usize = u64::BITS as usize;

/// A value that is not known beforehand.
pub(super) const FREE: u16 = u16::MAX;

/// What is known of a line of the last two heaps beforehand: given the heaps before, writes the
/// value of each of its positions or [`FREE`]; `false` if all are free.
pub(super) type Given<'g> = dyn Fn(&[u32], &mut [u16]) -> bool + Sync + 'g;

/// Planes that hold the values of positions with this many tokens.
fn planes(tokens: usize) -> usize {
    tokens / PLANE + 1
}

/// Sets of a plane, of the positions along a diagonal.
type Lanes<const L: usize> = [u64; L];

/// Lanes for heaps up to `max`: few for small boxes, for what sticks out of a group is idle.
fn lanes(simd: Simd, max: u32) -> usize {
    if simd == Simd::Avx512 && max >= 15 { 8 } else { 4 }
}

/// Slots of a line of this many rows and places, all lanes together.
fn line(side: usize, lanes: usize) -> usize {
    (side.div_ceil(lanes) * side.max(lanes) + lanes - 1) * lanes
}

/// Plans the table of nim-values with heaps ≤ `max`, or tells the largest box that fits.
pub fn plan(game: &Windows, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
    let sets = |max: u32| planes(game.heaps().saturating_mul(max as usize)) as u64;
    let need = |max: u32, threads: usize| {
        let side = u64::from(max) + 1;
        // What is refused must not hang on the processor.
        let line = line(side as usize, lanes(Simd::Avx512, max)) as u64 * size_of::<u64>() as u64;
        let cut = AxisLayout { pad: rows::leading_axes(game), inner: 2 };
        // Places, those without a value, and values; what is known of it.
        let own = threads as u64 * (3 * line + 2 * side * side);
        layout::bytes(game, cut, max, line.saturating_mul(sets(max)), threads).saturating_add(own)
    };
    limits.admit(max, positions(game.heaps(), max), sets(max) as usize, MAX_HEAP, need)
}

/// A part of the box: all positions that begin with the same heaps, two at most.
#[derive(Debug)]
pub struct Values<'a> {
    /// The first heaps.
    pub prefix: &'a [u32],
    /// The values of the positions in lexicographic order.
    pub values: &'a [u16],
    heaps: usize,
    max: u32,
}

impl<'a> Values<'a> {
    /// Returns a part of the box of this many heaps up to `max`.
    pub(super) fn new(prefix: &'a [u32], values: &'a [u16], heaps: usize, max: u32) -> Values<'a> {
        Values { prefix, values, heaps, max }
    }

    /// Visits the positions of the part with their values, in lexicographic order.
    pub fn each<B>(&self, mut visit: impl FnMut(&[u32], u16) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut p = [0u32; MAX_HEAPS];
        let n = self.heaps;
        self.rows(|heaps, values| {
            p[..n - 1].copy_from_slice(heaps);
            for (last, value) in (0..).zip(values) {
                p[n - 1] = last;
                visit(&p[..n], *value)?;
            }
            Continue(())
        })
    }

    /// Visits the rows of the part: the heaps but the last, and the values by the last.
    pub fn rows<B>(
        &self,
        mut visit: impl FnMut(&[u32], &[u16]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut p = [0u32; MAX_HEAPS];
        let fixed = self.prefix.len();
        p[..fixed].copy_from_slice(self.prefix);
        for values in self.values.chunks_exact(self.max as usize + 1) {
            visit(&p[..self.heaps - 1], values)?;
            if let Some(axis) = (fixed..self.heaps - 1).rev().find(|i| p[*i] < self.max) {
                p[axis] += 1;
                p[axis + 1..self.heaps].fill(0);
            }
        }
        Continue(())
    }
}

/// Visits the nim-values of all positions with heaps ≤ `max`, in lexicographic order, part by part,
/// until `visit` breaks. The parts are the same whatever the number of threads.
pub fn sweep<B>(
    game: &Windows,
    max: u32,
    limits: Limits,
    visit: impl FnMut(&Values<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, HeapTableError> {
    let threads = plan(game, max, limits)?.threads;
    Ok(run(Simd::best(), game, max, threads, None, visit))
}

/// Sweeps with what is known beforehand.
pub(super) fn run<B>(
    simd: Simd,
    game: &Windows,
    max: u32,
    threads: usize,
    given: Option<&Given<'_>>,
    mut visit: impl FnMut(&Values<'_>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    slab_pipeline::with_break_value(|end| {
        let visit: &mut Visitor<'_> = &mut |part| slab_pipeline::keep_break_value(visit(part), end);
        match lanes(simd, max) {
            8 => start::<8>(simd, game, max, threads, given, visit),
            _ => start::<4>(simd, game, max, threads, given, visit),
        }
    })
}

/// Who is shown the parts of a box.
type Visitor<'v> = dyn FnMut(&Values<'_>) -> ControlFlow<()> + 'v;

fn start<const L: usize>(
    simd: Simd,
    game: &Windows,
    max: u32,
    threads: usize,
    given: Option<&Given<'_>>,
    visit: &mut Visitor<'_>,
) -> ControlFlow<()> {
    let pad = rows::leading_axes(game);
    let slabs = if pad > 0 { 1 } else { max + 1 };
    let pieces = if pad > 1 { 1 } else { max + 1 };
    let make = || Valuer::<L>::new(simd, game, max, given);
    slab_pipeline::run(threads, &make, slabs, pieces, &mut |slab, piece, values: Vec<u16>| {
        let prefix = &[slab, piece][pad..];
        visit(&Values { prefix, values: &values, heaps: game.heaps(), max })
    })
}

/// Sets that are kept for lines, plane by plane.
struct Kept<const L: usize> {
    planes: Vec<Vec<Lanes<L>>>,
    /// How many planes of each line hold something; the others hold anything.
    heights: Vec<u16>,
    size: usize,
}

impl<const L: usize> Kept<L> {
    fn new(size: usize, line: usize) -> Self {
        Kept { planes: Vec::new(), heights: vec![0; size / line], size }
    }

    /// Makes room for a plane.
    fn reach(&mut self, plane: usize) {
        while self.planes.len() <= plane {
            self.planes.push(vec![[0; L]; self.size]);
        }
    }
}

/// One worker; a unit is a line of the last two axes.
struct Valuer<'g, const L: usize> {
    simd: Simd,
    given: Option<&'g Given<'g>>,
    axes: usize,
    pad: usize,
    side: usize,
    /// Slots from one row of a lane to the next, and of a line.
    pitch: usize,
    line: usize,
    tables: Vec<PrefixTable>,
    /// The tables of what faces reach in each of the four ways of holding the last two axes.
    ways: [Vec<usize>; 4],
    /// How many planes hold something of what each table has from the place before, and of that and
    /// what it takes over.
    heights: Vec<[u16; 2]>,
    own: Kept<L>,
    /// Slots of a piece.
    piece: usize,
    /// Whether some face holds both the last axes.
    both: bool,
    /// The places of a line, and those without a value.
    places: Vec<Lanes<L>>,
    open: Vec<Lanes<L>>,
    /// What is known of the line beforehand: values, and those of them in the plane at hand.
    known: Vec<u16>,
    stated: Vec<Lanes<L>>,
    /// The value of each position, as a set, if it is in this plane.
    here: Vec<Lanes<L>>,
    /// The values found so far in the line.
    numbers: Vec<[u16; L]>,
    /// What is reached in each of the ways in a stretch of slots.
    reached: [Vec<Lanes<L>>; 4],
    nothing: Vec<Lanes<L>>,
    running: Running<L>,
}

/// What is reached along the last two axes.
struct Running<const L: usize> {
    /// Along the last but one, along the last, and along both, in the slot before.
    along: [Lanes<L>; 3],
    /// Along the last but one and along both, by the last lane, where the first lane needs it.
    edges: Vec<[u64; 2]>,
    /// All but the lanes that begin a row, by the slot of a stretch.
    within: Vec<Lanes<L>>,
}

/// What a stretch of slots reads.
struct Stretch<'s, const L: usize> {
    ways: [&'s [Lanes<L>]; 4],
    stated: &'s [Lanes<L>],
}

impl<const L: usize> Running<L> {
    /// Values what is `open` in the stretch from a slot on, and closes it; whether something is
    /// left. `BOTH` if some face holds both the last axes: then it reaches what is valued here,
    /// whatever other faces there are.
    #[inline(always)]
    fn scan<const BOTH: bool>(
        &mut self,
        from: usize,
        stretch: Stretch<'_, L>,
        open: &mut [Lanes<L>],
        here: &mut [Lanes<L>],
    ) -> bool {
        let (slots, pitch) = (open.len(), self.within.len());
        let [plain, along, grows, both] = each(&[][..], |way| &stretch.ways[way][..slots]);
        let (stated, here, within) =
            (&stretch.stated[..slots], &mut here[..slots], &self.within[..slots]);
        let edges = Cell::from_mut(&mut self.edges[from..]).as_slice_of_cells();
        let (edges, ahead) = (&edges[..slots], &edges[pitch - L + 1..][..slots]);
        let [mut one, mut two, mut three] = self.along;
        let mut left = [0; L];
        for t in 0..slots {
            let [edge_one, edge_three] = edges[t].get();
            one = or(next(one, edge_one), along[t]);
            two = each(0, |j| two[j] & within[t][j] | grows[t][j]);
            let mut taken = or(or(two, plain[t]), one);
            if BOTH {
                let above = next(three, edge_three);
                three = each(0, |j| three[j] & within[t][j] | both[t][j] | above[j]);
                taken = or(taken, three);
            }
            let value =
                each(0, |j| !taken[j] & taken[j].wrapping_add(1) & open[t][j] | stated[t][j]);
            if BOTH {
                three = or(three, value);
            } else {
                (one, two) = (or(one, value), or(two, value));
            }
            here[t] = value;
            let still = each(0, |j| u64::from(taken[j] == u64::MAX).wrapping_neg() & open[t][j]);
            open[t] = still;
            left = or(left, still);
            ahead[t].set([one[L - 1], three[L - 1]]);
        }
        self.along = [one, two, three];
        left != [0; L]
    }
}

/// Returns the sets one lane on, behind `first`.
#[inline(always)]
fn next<const L: usize>(sets: Lanes<L>, first: u64) -> Lanes<L> {
    each(0, |j| if j == 0 { first } else { sets[j - 1] })
}

/// Returns those in either.
#[inline(always)]
fn or<const L: usize>(a: Lanes<L>, b: Lanes<L>) -> Lanes<L> {
    each(0, |j| a[j] | b[j])
}

impl<'g, const L: usize> Valuer<'g, L> {
    fn new(simd: Simd, game: &Windows, max: u32, given: Option<&'g Given<'g>>) -> Self {
        let (pad, side) = (rows::leading_axes(game), max as usize + 1);
        let (pitch, line) = (side.max(L), line(side, L) / L);
        let Layout { tables, own, piece } =
            Layout::new(game, AxisLayout { pad, inner: 2 }, side, line);
        let mut ways: [Vec<usize>; 4] = Default::default();
        for (way, of) in ways.iter_mut().enumerate() {
            for (i, _) in tables.iter().enumerate().filter(|(_, table)| table.ways >> way & 1 == 1)
            {
                let line = std::iter::successors(Some(i), |i| tables[*i].parent);
                of.extend(line);
            }
            of.arrange();
            of.dedup();
        }
        let all = vec![[0; L]; line];
        let mut valuer = Valuer {
            simd,
            given,
            axes: game.heaps() + pad,
            pad,
            side,
            pitch,
            line,
            heights: vec![[0; 2]; tables.len()],
            tables,
            ways,
            own: Kept::new(own, line),
            piece,
            places: all.clone(),
            open: all.clone(),
            known: if given.is_some() { vec![FREE; side * side] } else { Vec::new() },
            stated: if given.is_some() { all.clone() } else { Vec::new() },
            here: all,
            numbers: vec![[0; L]; line],
            reached: std::array::from_fn(|_| vec![[0; L]; pitch]),
            nothing: vec![[0; L]; pitch],
            both: game.faces().iter().any(|face| face >> (game.heaps() - 2) == 3),
            running: Running {
                along: [[0; L]; 3],
                edges: vec![[0; 2]; line + pitch],
                within: (0..pitch)
                    .map(|t| each(0, |j| if t == j { 0 } else { u64::MAX }))
                    .collect(),
            },
        };
        for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
            let slot = valuer.slot(x, y);
            valuer.places[slot][x % L] = u64::MAX;
        }
        valuer
    }

    /// Returns the slot of a place of a line; its lane is x modulo L.
    fn slot(&self, x: usize, y: usize) -> usize {
        x / L * self.pitch + x % L + y
    }

    #[inline(always)]
    fn sweep(&mut self, at: (u32, u32), current: &mut Kept<L>) -> Vec<u16> {
        let outer = self.axes - 2;
        let mut p = [0u32; MAX_HEAPS + 2];
        (p[0], p[1]) = at;
        let mut stands = u32::from(at.0 > 0) | u32::from(at.1 > 0) << 1;
        let cells = self.side * self.side;
        let mut values = vec![0; cells * self.side.pow(outer as u32 - 2)];
        self.tables.iter_mut().for_each(PrefixTable::rewind);
        for line in values.chunks_exact_mut(cells) {
            self.settle(&p[self.pad..outer.max(self.pad)], stands, current, line);
            layout::next_line(&mut p[..outer], self.side as u32 - 1, &mut stands, &mut self.tables);
        }
        values
    }

    /// Settles the line at `p`.
    #[inline(always)]
    fn settle(&mut self, p: &[u32], stands: u32, current: &mut Kept<L>, values: &mut [u16]) {
        let filled = self.look(stands, current);
        self.open.copy_from_slice(&self.places);
        let known = self.given.is_some_and(|given| given(p, &mut self.known));
        let sought = if known { self.close() } else { 1 };
        let (mut plane, mut top, mut left) = (0, 0, true);
        while left || plane < sought || plane < filled {
            current.reach(plane);
            self.own.reach(plane);
            if left || plane < sought {
                if known {
                    self.state(plane);
                }
                left = self.scan(plane, known, current);
                if self.number(plane) {
                    top = plane + 1;
                }
            } else {
                self.keep(plane, 0, self.line, false, current);
            }
            plane += 1;
        }
        self.deal(values);
        for (table, [_, height]) in self.tables.iter().zip(&self.heights) {
            let kept = match table.home {
                Storage::Piece(_) => &mut *current,
                Storage::Own(_) => &mut self.own,
            };
            kept.heights[table.at / self.line] = (*height).max(top as u16);
        }
    }

    /// Looks how many planes each table has to take over; the most.
    #[inline(always)]
    fn look(&mut self, stands: u32, current: &Kept<L>) -> usize {
        let mut filled = 0;
        for (i, table) in self.tables.iter().enumerate() {
            let heights = match table.home {
                Storage::Piece(_) => &current.heights,
                Storage::Own(_) => &self.own.heights,
            };
            let old = if stands >> table.axis & 1 == 1 { heights[table.at / self.line] } else { 0 };
            let all = table.parent.map_or(old, |parent| old.max(self.heights[parent][1]));
            self.heights[i] = [old, all];
            filled = filled.max(all);
        }
        filled.into()
    }

    /// Closes the places whose values are known; planes that hold these.
    fn close(&mut self) -> usize {
        let mut sought = 1;
        for (at, value) in self.known.iter().enumerate().filter(|(_, value)| **value != FREE) {
            let (x, y) = (at / self.side, at % self.side);
            let slot = self.slot(x, y);
            self.open[slot][x % L] = 0;
            sought = sought.max(planes((*value).into()));
        }
        sought
    }

    /// States the known values of a plane.
    fn state(&mut self, plane: usize) {
        self.stated.fill([0; L]);
        for (at, value) in self.known.iter().enumerate().filter(|(_, value)| **value != FREE) {
            if usize::from(*value) / PLANE == plane {
                let (x, y) = (at / self.side, at % self.side);
                let slot = self.slot(x, y);
                self.stated[slot][x % L] = 1 << (usize::from(*value) % PLANE);
            }
        }
    }

    /// Values what is open in a plane; whether something is left.
    #[inline(always)]
    fn scan(&mut self, plane: usize, known: bool, current: &mut Kept<L>) -> bool {
        let mut left = false;
        self.running.along = [[0; L]; 3];
        self.running.edges[..self.pitch].fill([0; 2]);
        for from in (0..self.line).step_by(self.pitch) {
            let slots = self.pitch.min(self.line - from);
            let far = self.tables.iter().filter(|table| matches!(table.home, Storage::Piece(_)));
            far.for_each(|table| {
                layout::prefetch(&current.planes[plane], table.at + self.line + from, slots)
            });
            let mut ways = [&self.nothing[..]; 4];
            for ((way, of), reached) in ways.iter_mut().zip(&self.ways).zip(&mut self.reached) {
                let reached = &mut reached[..slots];
                let mut sources =
                    of.iter().filter(|i| usize::from(self.heights[**i][0]) > plane).map(|i| {
                        let table = &self.tables[*i];
                        let kept =
                            if let Storage::Piece(_) = table.home { &*current } else { &self.own };
                        &kept.planes[plane][table.at + from..][..slots]
                    });
                let Some(first) = sources.next() else { continue };
                *way = match (sources.next(), sources.next(), sources.next()) {
                    (None, ..) => first,
                    (Some(a), None, _) => unite(reached, [first, a]),
                    (Some(a), Some(b), None) => unite(reached, [first, a, b]),
                    (Some(a), Some(b), Some(c)) => {
                        unite(reached, [first, a, b, c]);
                        sources.for_each(|source| add(reached, source));
                        reached
                    }
                };
            }
            let stated = if known { &self.stated[from..] } else { &self.nothing[..] };
            let (stretch, range) = (Stretch { ways, stated }, from..from + slots);
            let (open, here) = (&mut self.open[range.clone()], &mut self.here[range]);
            left |= if self.both {
                self.running.scan::<true>(from, stretch, open, here)
            } else {
                self.running.scan::<false>(from, stretch, open, here)
            };
            self.keep(plane, from, slots, true, current);
        }
        left
    }

    /// Brings a stretch of all tables up to this line in a plane, in which something is `found` or
    /// not.
    #[inline(always)]
    fn keep(
        &mut self,
        plane: usize,
        from: usize,
        slots: usize,
        found: bool,
        current: &mut Kept<L>,
    ) {
        let (piece, own) = (&mut current.planes[plane], &mut self.own.planes[plane]);
        for (table, [old, all]) in self.tables.iter().zip(&self.heights) {
            let holds = |height: &u16| usize::from(*height) > plane;
            if !found && !holds(all) {
                continue;
            }
            let (kept, parent) = layout::unit(&self.tables, table, from, slots, piece, own);
            let more = match table.parent {
                Some(i) => parent.filter(|_| found || holds(&self.heights[i][1])),
                None => found.then(|| &self.here[from..from + slots]),
            };
            gather(table, holds(old), kept, more, None);
        }
    }

    /// Puts down the values found in a plane; whether there are any.
    #[inline(always)]
    fn number(&mut self, plane: usize) -> bool {
        let mut any = [0; L];
        for (numbers, sets) in self.numbers.iter_mut().zip(&self.here) {
            // Of a set with one number or none. A position has its value in one plane only.
            let found: Lanes<L> = each(0, |j| {
                let number = (PLANE * plane) as u64 + u64::from(sets[j].trailing_zeros());
                number & u64::from(sets[j] != 0).wrapping_neg()
            });
            let before = if plane == 0 { [0; L] } else { *numbers };
            *numbers = each(0, |j| before[j] | found[j] as u16);
            any = or(any, *sets);
        }
        any != [0; L]
    }

    /// Writes the values of a line row by row.
    #[inline(always)]
    fn deal(&self, values: &mut [u16]) {
        for (x, row) in values.chunks_exact_mut(self.side).enumerate() {
            for (value, numbers) in row.iter_mut().zip(&self.numbers[self.slot(x, 0)..]) {
                *value = numbers[x % L];
            }
        }
    }
}

/// Writes the union of some sets, and returns it.
#[inline(always)]
fn unite<'u, const L: usize, const N: usize>(
    union: &'u mut [Lanes<L>],
    sources: [&[Lanes<L>]; N],
) -> &'u [Lanes<L>] {
    let sources: [_; N] = each(&[][..], |i| &sources[i][..union.len()]);
    for (t, sets) in union.iter_mut().enumerate() {
        *sets = sources.iter().fold([0; L], |sets, source| or(sets, source[t]));
    }
    union
}

impl<const L: usize> SlabWorker for Valuer<'_, L> {
    type Piece = Kept<L>;
    type Carried = Kept<L>;
    type Output = Vec<u16>;

    fn new_piece(&self) -> Self::Piece {
        Kept::new(self.piece, self.line)
    }

    fn new_carried(&self) -> Self::Carried {
        Kept::new(self.own.size, self.line)
    }

    fn swap_carried(&mut self, carried: Self::Carried) -> Self::Carried {
        std::mem::replace(&mut self.own, carried)
    }

    fn process(&mut self, slab: u32, piece: u32, current: &mut Self::Piece) -> Vec<u16> {
        let at = (slab, piece);
        let simd = self.simd;
        bouton_simd::multiversion! {
            [const L: usize] (
                valuer: &mut Valuer<'_, L> = self, at: (u32, u32) = at, current:
                    &mut Kept<L> = current
            ) -> Vec<u16> { valuer.sweep(at, current) }
            ["avx512f", "avx512cd", "bmi1"] if L == 8 && simd == Simd::Avx512,
            ["avx2", "bmi1"] if simd != Simd::Portable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::{Nimber, mex};

    fn swept(simd: Simd, game: &Windows, max: u32, threads: usize) -> Vec<(Vec<u32>, u16)> {
        let mut all = Vec::new();
        let done = run::<()>(simd, game, max, threads, None, |part| {
            part.each(|p, value| {
                all.push((p.to_vec(), value));
                Continue(())
            })
        });
        assert_eq!(done, Continue(()));
        all
    }

    /// Returns all positions with their nim-values by the rules alone: all positions below within
    /// one face are options.
    fn brute(game: &Windows, max: u32) -> Vec<(Vec<u32>, u16)> {
        let n = game.heaps();
        let side = u64::from(max) + 1;
        let mut found: Vec<(Vec<u32>, u16)> = Vec::new();
        for code in 0..side.pow(n as u32) {
            let p: Vec<u32> =
                (0..n).map(|i| (code / side.pow((n - 1 - i) as u32) % side) as u32).collect();
            let is_option = |q: &[u32]| {
                let changed = (0..n).filter(|i| q[*i] != p[*i]).fold(0u32, |set, i| set | 1 << i);
                (0..n).all(|i| q[i] <= p[i]) && game.faces().iter().any(|f| changed & !f == 0)
            };
            let value =
                mex(found.iter().filter(|(q, _)| is_option(q)).map(|(_, v)| Nimber((*v).into())));
            found.push((p, value.0 as u16));
        }
        found
    }

    /// On all kinds of processors that this one can be; boxes of 16 places and more are those of
    /// eight lanes.
    #[test]
    fn like_brute_force() {
        for (n, max) in [(2, 20), (2, 70), (3, 8), (3, 17), (4, 4), (5, 3), (6, 2), (7, 1)] {
            for k in 1..=n {
                for game in [Windows::circular(n, k), Windows::moore(n, k)] {
                    let game = game.expect("a game");
                    let brute = brute(&game, max);
                    for simd in Simd::all() {
                        assert_eq!(swept(simd, &game, max, 1), brute, "{game:?} {simd:?}");
                    }
                }
            }
        }
        for faces in [&[0b0011, 0b0110, 0b1000][..], &[0b0111, 0b1001], &[0b1010, 0b0101, 0b1100]] {
            let game = Windows::simplicial(4, faces).expect("a game");
            let brute = brute(&game, 4);
            for simd in Simd::all() {
                assert_eq!(swept(simd, &game, 4, 1), brute, "{game:?} {simd:?}");
            }
        }
    }

    /// Eight lanes and four, one thread and three, in boxes too large for brute force.
    #[test]
    fn alike_on_all_processors() {
        if Simd::best() != Simd::Avx512 {
            println!("AVX-512 skipped: no such processor");
        }
        for (n, k, max) in [(4, 2, 18), (5, 2, 15), (5, 3, 15), (6, 4, 7)] {
            let game = Windows::circular(n, k).expect("a game");
            let plain = swept(Simd::Portable, &game, max, 1);
            for simd in Simd::all() {
                assert_eq!(swept(simd, &game, max, 3), plain, "{game:?} {simd:?}");
            }
        }
    }

    /// Nim-sums, by Bouton's theorem, in more than one plane.
    #[test]
    fn nim() {
        let game = Windows::circular(3, 1).expect("a game");
        for simd in Simd::all() {
            let all = swept(simd, &game, 150, 1);
            assert_eq!(all.len(), 151 * 151 * 151);
            assert!(
                all.iter().all(|(p, value)| p[0] ^ p[1] ^ p[2] == u32::from(*value)),
                "{simd:?}"
            );
        }
    }

    /// All heaps in one face: the value is the number of tokens, here in four planes.
    #[test]
    fn values_past_the_first_plane() {
        let game = Windows::circular(3, 3).expect("a game");
        for threads in [1, 2, 3] {
            let all = swept(Simd::best(), &game, 170, threads);
            assert_eq!(all.len(), 171 * 171 * 171);
            assert!(all.iter().all(|(p, value)| p.iter().sum::<u32>() == u32::from(*value)));
        }
    }
}

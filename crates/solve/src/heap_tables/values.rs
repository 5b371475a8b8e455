//! Nim-values of a box, by a set of values a face.
//!
//! Let V_w(p) be the values of p and of all that is reached from p by lowering heaps of the face w only. Then
//! V_w(p) = {g(p)} ∪ ⋃_{i∈w} V_w(p − e_i), and g(p) is the least number in no V_w(p − e_i), i ∈ w. As in [`super::rows`]
//! only the union along the axes of w before the last two is kept; along these it is a running union.
//!
//! Sets are bits, 64 values a plane. Whether g(p) is below 64 hangs on the first plane alone, and if it is not, the next
//! plane decides: so planes are settled one after the other, and one that holds nothing costs nothing.
//!
//! No position of an anti-diagonal reaches another one, so L of them are settled at once, each in a lane: lane j of a
//! *group* holds row x + j of the last heap but one, j places behind lane 0. The least value in no set S is the bit
//! ¬S ∧ (S + 1).

use super::layout::{self, Cut, Home, Layout, Table};
use super::rows::{self, add, gather, positions};
use super::slabs::{self, Worker};
use super::{HeapTableError, Limits, Plan, Windows};
use crate::sequence::Simd;
use bouton_rules::MAX_HEAPS;
use std::ops::ControlFlow::{self, Continue};

/// Heaps are at most this: values, no more than the tokens of 15 heaps, stay below 2¹⁶.
const MOST: u32 = 1023;

/// Values of a plane.
const PLANE: usize = u64::BITS as usize;

/// A value that is not known beforehand.
pub(super) const FREE: u16 = u16::MAX;

/// What is known of a line of the last two heaps beforehand: given the heaps before, writes the value of each of its
/// positions or [`FREE`]; `false` if all are free.
pub(super) type Given<'g> = dyn Fn(&[u32], &mut [u16]) -> bool + Sync + 'g;

/// Planes that hold the values of positions with so many tokens.
fn planes(tokens: usize) -> usize {
    tokens / PLANE + 1
}

/// Sets of a plane, of the positions along a diagonal.
type Lanes<const L: usize> = [u64; L];

/// Lanes for heaps up to `max`: few for small boxes, for what sticks out of a group is idle.
fn lanes(simd: Simd, max: u32) -> usize {
    if simd == Simd::Avx512 && max >= 15 { 8 } else { 4 }
}

/// Plans the table of nim-values with heaps ≤ `max`, or tells the largest box that fits.
pub fn plan(game: &Windows, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
    let sets = |max: u32| planes(game.heaps().saturating_mul(max as usize)) as u64;
    let need = |max: u32, threads: usize| {
        let (side, lanes) = (u64::from(max) + 1, lanes(Simd::best(), max) as u64);
        let line = side.div_ceil(lanes) * (side + lanes - 1) * lanes * size_of::<u64>() as u64;
        let cut = Cut { pad: rows::pad(game), inner: 2 };
        // A line of places without a value, and its values.
        let own = threads as u64 * (line + 2 * side * side);
        layout::bytes(game, cut, max, line.saturating_mul(sets(max)), threads).saturating_add(own)
    };
    limits.admit(max, positions(game.heaps(), max), sets(max) as usize, MOST, need)
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

impl Values<'_> {
    /// Visits the positions of the part with their values, in lexicographic order.
    pub fn each<B>(&self, mut visit: impl FnMut(&[u32], u16) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut p = [0u32; MAX_HEAPS];
        let fixed = self.prefix.len();
        p[..fixed].copy_from_slice(self.prefix);
        for value in self.values {
            visit(&p[..self.heaps], *value)?;
            if let Some(axis) = (fixed..self.heaps).rev().find(|i| p[*i] < self.max) {
                p[axis] += 1;
                p[axis + 1..self.heaps].fill(0);
            }
        }
        Continue(())
    }
}

/// Visits the nim-values of all positions with heaps ≤ `max`, in lexicographic order, part by part, until `visit`
/// breaks. The parts are the same whatever the number of threads.
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
    slabs::ending(|end| {
        let visit: &mut Visitor<'_> = &mut |part| slabs::put_aside(visit(part), end);
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
    let pad = rows::pad(game);
    let slabs = if pad > 0 { 1 } else { max + 1 };
    let pieces = if pad > 1 { 1 } else { max + 1 };
    let make = || Valuer::<L>::new(simd, game, max, given);
    slabs::run(threads, &make, slabs, pieces, &mut |slab, piece, values: Vec<u16>| {
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
    tables: Vec<Table>,
    /// How many planes hold something of what each table has from the place before, and of that and what it takes over.
    heights: Vec<[u16; 2]>,
    own: Kept<L>,
    /// Vectors of a piece.
    piece: usize,
    /// Vectors of a group, and of a line.
    steps: usize,
    line: usize,
    /// The places of a line, and those without a value.
    places: Vec<Lanes<L>>,
    /// Whether some face holds both the last axes.
    both: bool,
    open: Vec<Lanes<L>>,
    /// What is known of the line beforehand.
    known: Vec<u16>,
    group: Group<L>,
}

/// What is needed of a group while it is settled.
struct Group<const L: usize> {
    /// What faces reach in each of the four ways of holding the last two axes; those not needed stay empty.
    ways: [Vec<Lanes<L>>; 4],
    /// Values known beforehand.
    given: Vec<Lanes<L>>,
    /// The value of each position, as a set, if it is in this plane.
    here: Vec<Lanes<L>>,
    /// What faces reach along the last axis but one, and along both, in the last row of the group before, each place
    /// L − 1 further on.
    edges: Vec<[u64; 2]>,
}

impl<const L: usize> Group<L> {
    /// Values what is `open`, and closes it; whether something is left. `BOTH` if some face holds both the last axes:
    /// then what is valued here is reached by it, whatever other faces there are.
    #[inline(always)]
    fn scan<const BOTH: bool>(&mut self, open: &mut [Lanes<L>]) -> bool {
        let steps = open.len();
        let [plain, along, grows, both] = self.ways.each_ref().map(|way| &way[..steps]);
        let (given, here, edges) = (&self.given[..steps], &mut self.here[..steps], &mut self.edges[..]);
        let edges = &mut edges[..steps + L - 1];
        let (mut one, mut two, mut three) = ([0; L], [0; L], [0; L]);
        let mut left = [0; L];
        for t in 0..steps {
            let [edge_one, edge_three] = edges[t + L - 1];
            one = or(next(one, edge_one), along[t]);
            two = or(two, grows[t]);
            let mut taken = or(or(two, plain[t]), one);
            if BOTH {
                three = or(or(three, both[t]), next(three, edge_three));
                taken = or(taken, three);
            }
            let value = each(|j| !taken[j] & taken[j].wrapping_add(1) & open[t][j] | given[t][j]);
            if BOTH {
                three = or(three, value);
            } else {
                (one, two) = (or(one, value), or(two, value));
            }
            here[t] = value;
            let still = each(|j| u64::from(taken[j] == u64::MAX).wrapping_neg() & open[t][j]);
            open[t] = still;
            left = or(left, still);
            edges[t] = [one[L - 1], three[L - 1]];
        }
        left != [0; L]
    }
}

/// Sets by their lane; a loop, for calls would cost more than what they do.
#[inline(always)]
fn each<const L: usize>(set: impl Fn(usize) -> u64) -> Lanes<L> {
    let mut sets = [0; L];
    for (j, of) in sets.iter_mut().enumerate() {
        *of = set(j);
    }
    sets
}

/// The sets one lane on, behind `first`.
#[inline(always)]
fn next<const L: usize>(sets: Lanes<L>, first: u64) -> Lanes<L> {
    each(|j| if j == 0 { first } else { sets[j - 1] })
}

#[inline(always)]
fn or<const L: usize>(a: Lanes<L>, b: Lanes<L>) -> Lanes<L> {
    each(|j| a[j] | b[j])
}

impl<'g, const L: usize> Valuer<'g, L> {
    fn new(simd: Simd, game: &Windows, max: u32, given: Option<&'g Given<'g>>) -> Self {
        let (pad, side) = (rows::pad(game), max as usize + 1);
        let steps = side + L - 1;
        let line = side.div_ceil(L) * steps;
        let Layout { tables, own, piece } = Layout::new(game, Cut { pad, inner: 2 }, side, line);
        let mut places = vec![[0; L]; line];
        for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
            places[x / L * steps + x % L + y][x % L] = u64::MAX;
        }
        let empty = || vec![[0; L]; steps];
        Valuer {
            simd,
            given,
            axes: game.heaps() + pad,
            pad,
            side,
            heights: vec![[0; 2]; tables.len()],
            tables,
            own: Kept::new(own, line),
            piece,
            steps,
            line,
            both: game.faces().iter().any(|face| face >> (game.heaps() - 2) == 3),
            open: places.clone(),
            places,
            known: vec![FREE; side * side],
            group: Group {
                ways: std::array::from_fn(|_| empty()),
                given: empty(),
                here: empty(),
                edges: vec![[0; 2]; steps + L - 1],
            },
        }
    }

    #[inline(always)]
    fn sweep(&mut self, at: (u32, u32), current: &mut Kept<L>) -> Vec<u16> {
        let outer = self.axes - 2;
        let mut p = [0u32; MAX_HEAPS + 2];
        (p[0], p[1]) = at;
        let mut stands = u32::from(at.0 > 0) | u32::from(at.1 > 0) << 1;
        let cells = self.side * self.side;
        let mut values = vec![0; cells * self.side.pow(outer as u32 - 2)];
        self.tables.iter_mut().for_each(Table::rewind);
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
            let scans = left || plane < sought;
            left = false;
            current.reach(plane);
            self.own.reach(plane);
            self.group.edges.fill([0; 2]);
            for (i, from) in (0..self.line).step_by(self.steps).enumerate() {
                self.gather(plane, from, scans, current);
                if !scans {
                    continue;
                }
                if known {
                    self.give(plane, i);
                }
                let open = &mut self.open[from..from + self.steps];
                left |= if self.both { self.group.scan::<true>(open) } else { self.group.scan::<false>(open) };
                self.keep(plane, from, current);
                let rows = values.chunks_exact_mut(self.side).skip(i * L).take(L);
                if rows_of::<L>(rows, plane, &self.group.here) {
                    top = plane + 1;
                }
            }
            plane += 1;
        }
        for (table, [_, height]) in self.tables.iter().zip(&self.heights) {
            let kept = match table.home {
                Home::Piece(_) => &mut *current,
                Home::Own(_) => &mut self.own,
            };
            kept.heights[table.at / self.line] = (*height).max(top as u16);
        }
        if known {
            self.group.given.fill([0; L]);
        }
    }

    /// Looks how many planes each table has to take over; the most.
    #[inline(always)]
    fn look(&mut self, stands: u32, current: &Kept<L>) -> usize {
        let mut filled = 0;
        for (i, table) in self.tables.iter().enumerate() {
            let heights = match table.home {
                Home::Piece(_) => &current.heights,
                Home::Own(_) => &self.own.heights,
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
            self.open[x / L * self.steps + x % L + y][x % L] = 0;
            sought = sought.max(planes((*value).into()));
        }
        sought
    }

    /// Puts down the known values of a group in a plane.
    fn give(&mut self, plane: usize, group: usize) {
        self.group.given.fill([0; L]);
        for (j, row) in self.known.chunks_exact(self.side).skip(group * L).take(L).enumerate() {
            for (y, value) in row.iter().enumerate().filter(|(_, value)| **value != FREE) {
                if usize::from(*value) / PLANE == plane {
                    self.group.given[y + j][j] = 1 << (usize::from(*value) % PLANE);
                }
            }
        }
    }

    /// Brings a group of all tables up to this line in a plane, and finds what is reached in it if it `scans`.
    #[inline(always)]
    fn gather(&mut self, plane: usize, from: usize, scans: bool, current: &mut Kept<L>) {
        let (piece, own) = (&mut current.planes[plane], &mut self.own.planes[plane]);
        for (table, [old, all]) in self.tables.iter().zip(&self.heights) {
            let holds = |height: &u16| usize::from(*height) > plane;
            if !scans && !holds(all) {
                continue;
            }
            let (here, parent) = layout::unit(&self.tables, table, from, self.steps, piece, own);
            let parent = parent.filter(|_| scans || table.parent.is_some_and(|i| holds(&self.heights[i][1])));
            gather(table, holds(old), here, parent, scans.then_some(&mut self.group.ways));
        }
    }

    /// Adds the values found in a group to the tables.
    #[inline(always)]
    fn keep(&mut self, plane: usize, from: usize, current: &mut Kept<L>) {
        for table in &self.tables {
            let kept = match table.home {
                Home::Piece(_) => &mut *current,
                Home::Own(_) => &mut self.own,
            };
            add(&mut kept.planes[plane][table.at + from..][..self.steps], &self.group.here);
        }
    }
}

/// Writes the values found in a plane into the rows of a group; whether there are any.
#[inline(always)]
fn rows_of<'v, const L: usize>(
    rows: impl Iterator<Item = &'v mut [u16]>,
    plane: usize,
    here: &[Lanes<L>],
) -> bool {
    let mut any = 0;
    for (j, row) in rows.enumerate() {
        for (value, sets) in row.iter_mut().zip(&here[j..]) {
            let set = sets[j];
            any |= set;
            let found = (PLANE * plane) as u16 + set.trailing_zeros() as u16;
            *value = if set == 0 { *value } else { found };
        }
    }
    any != 0
}

impl<const L: usize> Worker for Valuer<'_, L> {
    type Piece = Kept<L>;
    type Carried = Kept<L>;
    type Found = Vec<u16>;

    fn blank(&self) -> Self::Piece {
        Kept::new(self.piece, self.line)
    }

    fn room(&self) -> Self::Carried {
        Kept::new(self.own.size, self.line)
    }

    fn carry(&mut self, carried: Self::Carried) -> Self::Carried {
        std::mem::replace(&mut self.own, carried)
    }

    fn step(
        &mut self,
        slab: u32,
        piece: u32,
        current: &mut Self::Piece,
    ) -> Vec<u16> {
        let at = (slab, piece);
        #[cfg(target_arch = "x86_64")]
        {
            /// Compiled for processors with AVX2.
            #[target_feature(enable = "avx2,bmi1")]
            fn avx2<const L: usize>(
                valuer: &mut Valuer<'_, L>,
                at: (u32, u32),
                current: &mut Kept<L>,
            ) -> Vec<u16> {
                valuer.sweep(at, current)
            }
            /// Compiled for processors with AVX-512.
            #[target_feature(enable = "avx512f,bmi1")]
            fn avx512<const L: usize>(
                valuer: &mut Valuer<'_, L>,
                at: (u32, u32),
                current: &mut Kept<L>,
            ) -> Vec<u16> {
                valuer.sweep(at, current)
            }
            let bits = is_x86_feature_detected!("bmi1");
            if L == 8 && self.simd == Simd::Avx512 && bits && is_x86_feature_detected!("avx512f") {
                // SAFETY: the processor has these instructions.
                return unsafe { avx512(self, at, current) };
            }
            if self.simd != Simd::Portable && bits && is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has these instructions.
                return unsafe { avx2(self, at, current) };
            }
        }
        self.sweep(at, current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_rules::{Nimber, mex};

    fn swept(game: &Windows, max: u32, threads: usize) -> Vec<(Vec<u32>, u16)> {
        let mut all = Vec::new();
        let done = sweep::<()>(game, max, Limits { bytes: 1 << 28, threads }, |part| {
            part.each(|p, value| {
                all.push((p.to_vec(), value));
                Continue(())
            })
        });
        assert_eq!(done, Ok(Continue(())));
        all
    }

    /// By the rules alone: all positions below within one face are options.
    fn brute(game: &Windows, max: u32) -> Vec<(Vec<u32>, u16)> {
        let n = game.heaps();
        let side = u64::from(max) + 1;
        let mut found: Vec<(Vec<u32>, u16)> = Vec::new();
        for code in 0..side.pow(n as u32) {
            let p: Vec<u32> = (0..n).map(|i| (code / side.pow((n - 1 - i) as u32) % side) as u32).collect();
            let is_option = |q: &[u32]| {
                let changed = (0..n).filter(|i| q[*i] != p[*i]).fold(0u32, |set, i| set | 1 << i);
                (0..n).all(|i| q[i] <= p[i]) && game.faces().iter().any(|f| changed & !f == 0)
            };
            let value = mex(found.iter().filter(|(q, _)| is_option(q)).map(|(_, v)| Nimber((*v).into())));
            found.push((p, value.0 as u16));
        }
        found
    }

    #[test]
    fn like_brute_force() {
        for (n, max) in [(2, 20), (3, 8), (4, 4), (5, 3), (6, 2)] {
            for k in 1..=n {
                for game in [Windows::circular(n, k), Windows::moore(n, k)] {
                    let game = game.expect("a game");
                    assert_eq!(swept(&game, max, 1), brute(&game, max), "{game:?}");
                }
            }
        }
        for faces in [&[0b0011, 0b0110, 0b1000][..], &[0b0111, 0b1001], &[0b1010, 0b0101, 0b1100]] {
            let game = Windows::simplicial(4, faces).expect("a game");
            assert_eq!(swept(&game, 4, 1), brute(&game, 4), "{game:?}");
        }
    }

    /// All heaps in one face: the value is the number of tokens, here in four planes.
    #[test]
    fn values_past_the_first_plane() {
        let game = Windows::circular(3, 3).expect("a game");
        for threads in [1, 2, 3] {
            let all = swept(&game, 170, threads);
            assert_eq!(all.len(), 171 * 171 * 171);
            assert!(all.iter().all(|(p, value)| p.iter().sum::<u32>() == u32::from(*value)));
        }
    }
}

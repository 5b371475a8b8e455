//! Nim-values of a box, by a set of values a face.
//!
//! Let V_w(p) be the values of p and of all that is reached from p by lowering heaps of the face w only. Then
//! V_w(p) = {g(p)} ∪ ⋃_{i∈w} V_w(p − e_i), and g(p) is the least number in no V_w(p − e_i), i ∈ w. Sets are bits. As in
//! [`super::rows`] only the union along the axes of w before the last is kept; along the last axis it is a running
//! union. No value is greater than the number of tokens, so sets lie in planes of 128 values, and a line looks at those
//! planes only that its tokens reach: all but the first are empty nearly everywhere, and memory never touched is free.

use super::layout::{self, Cut, Home, Layout, Table};
use super::rows::positions;
use super::slabs::{self, Worker};
use super::words::Word;
use super::{HeapTableError, Limits, Plan, Windows};
use bouton_rules::MAX_HEAPS;
use std::ops::ControlFlow::{self, Continue};

/// Heaps are at most this: values, no more than the tokens of 15 heaps, stay below 2¹⁶.
const MOST: u32 = 1023;

/// A set of values of one plane.
type Set = [u64; 2];

fn pad(game: &Windows) -> usize {
    3usize.saturating_sub(game.heaps())
}

/// Planes that hold the values of positions with so many tokens.
fn planes(tokens: usize) -> usize {
    tokens / Set::BITS + 1
}

/// Plans the table of nim-values with heaps ≤ `max`, or tells the largest box that fits.
pub fn plan(game: &Windows, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
    let sets = |max: u32| planes(game.heaps().saturating_mul(max as usize)) as u64;
    let need = |max: u32, threads: usize| {
        let unit = (u64::from(max) + 1).saturating_mul(size_of::<Set>() as u64).saturating_mul(sets(max));
        layout::bytes(game, Cut { pad: pad(game), inner: 1 }, max, unit, threads)
    };
    limits.admit(max, positions(game.heaps(), max), 2 * sets(max) as usize, MOST, need)
}

/// A part of the box: all positions that begin with the same one or two heaps.
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
    mut visit: impl FnMut(&Values<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, HeapTableError> {
    let threads = plan(game, max, limits)?.threads;
    Ok(slabs::ending(|end| sweep_each(game, max, threads, &mut |part| slabs::put_aside(visit(part), end))))
}

fn sweep_each(
    game: &Windows,
    max: u32,
    threads: usize,
    visit: &mut dyn FnMut(&Values<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let pad = pad(game);
    let slabs = if pad > 0 { 1 } else { max + 1 };
    slabs::run(threads, &|| Valuer::new(game, max), slabs, max + 1, &mut |slab, piece, values: Vec<u16>| {
        let prefix = &[slab, piece][pad..];
        visit(&Values { prefix, values: &values, heaps: game.heaps(), max })
    })
}

/// One worker; a unit is a line along the last axis.
struct Valuer {
    axes: usize,
    max: u32,
    tables: Vec<Table>,
    planes: Vec<Plane>,
    /// Sets of a piece, in each plane.
    piece: usize,
}

/// The sets of 128 values.
struct Plane {
    own: Vec<Vec<Set>>,
    /// Values reached by faces without the last heap, and with it.
    ways: [Vec<Set>; 2],
    /// The value of each position of the line, as a set, if it is in this plane.
    here: Vec<Set>,
}

impl Plane {
    /// Brings the tables up to this line, and finds what is reached in it.
    #[inline(always)]
    fn gather(&mut self, tables: &[Table], stands: u32, current: &mut [Set], before: Option<&[Set]>) {
        let side = self.here.len();
        self.ways.iter_mut().for_each(|way| way.fill(Set::EMPTY));
        for table in tables {
            let kept = match table.home {
                Home::Piece(_) => &mut *current,
                Home::Own(which) => &mut self.own[which],
            };
            let (earlier, line) = kept.split_at_mut(table.at);
            let line = &mut line[..side];
            if stands >> table.first & 1 == 0 {
                line.fill(Set::EMPTY);
            }
            for (_, back) in table.back.iter().filter(|(axis, _)| stands >> axis & 1 == 1) {
                join(line, &earlier[table.at - back..][..side]);
            }
            if let (true, Some(before)) = (table.beside, before) {
                join(line, &before[table.at..][..side]);
            }
            for way in (0..2).filter(|way| table.ways >> way & 1 == 1) {
                join(&mut self.ways[way], line);
            }
        }
    }

    /// A line that no value of this plane reaches: what was left of the sweep along a table's first axis goes.
    #[inline(always)]
    fn clear(&mut self, tables: &[Table], stands: u32) {
        let side = self.here.len();
        for table in tables.iter().filter(|table| stands >> table.first & 1 == 0) {
            if let Home::Own(which) = table.home {
                self.own[which][table.at..][..side].fill(Set::EMPTY);
            }
        }
    }

    /// Adds the values found to the tables.
    #[inline(always)]
    fn keep(&mut self, tables: &[Table], current: &mut [Set]) {
        for table in tables {
            let kept = match table.home {
                Home::Piece(_) => &mut *current,
                Home::Own(which) => &mut self.own[which],
            };
            join(&mut kept[table.at..][..self.here.len()], &self.here);
        }
    }
}

impl Valuer {
    fn new(game: &Windows, max: u32) -> Self {
        let (pad, side) = (pad(game), max as usize + 1);
        let Layout { tables, own, piece } = Layout::new(game, Cut { pad, inner: 1 }, side, side);
        let line = || vec![Set::EMPTY; side];
        let plane = || Plane {
            own: own.iter().map(|size| vec![Set::EMPTY; *size]).collect(),
            ways: [line(), line()],
            here: line(),
        };
        let planes = (0..planes(game.heaps() * max as usize)).map(|_| plane()).collect();
        Valuer { axes: game.heaps() + pad, max, tables, planes, piece }
    }

    #[inline(always)]
    fn sweep(
        &mut self,
        at: (u32, u32),
        current: &mut [Vec<Set>],
        before: Option<&Vec<Vec<Set>>>,
    ) -> Vec<u16> {
        let outer = self.axes - 1;
        let mut p = [0u32; MAX_HEAPS + 2];
        (p[0], p[1]) = at;
        let mut stands = u32::from(at.0 > 0) | u32::from(at.1 > 0) << 1;
        let mut values = Vec::with_capacity((self.max as usize + 1).pow(outer as u32 - 1));
        self.tables.iter_mut().for_each(Table::rewind);
        loop {
            let tokens: u32 = p[..outer].iter().sum();
            let reached = planes((tokens + self.max) as usize);
            self.settle(reached, stands, current, before, &mut values);
            if !layout::next_line(&mut p[..outer], self.max, &mut stands, &mut self.tables) {
                return values;
            }
        }
    }

    /// Settles a line, whose values lie in the first `reached` planes.
    #[inline(always)]
    fn settle(
        &mut self,
        reached: usize,
        stands: u32,
        current: &mut [Vec<Set>],
        before: Option<&Vec<Vec<Set>>>,
        values: &mut Vec<u16>,
    ) {
        let (these, beyond) = self.planes.split_at_mut(reached);
        for (i, plane) in these.iter_mut().enumerate() {
            plane.gather(&self.tables, stands, &mut current[i], before.map(|before| &before[i][..]));
        }
        beyond.iter_mut().for_each(|plane| plane.clear(&self.tables, stands));
        if let [Plane { ways: [plain, along], here, .. }] = these {
            let mut run = Set::EMPTY;
            for ((plain, along), here) in plain.iter().zip(along).zip(here) {
                run = run.or(*along);
                let value = free(run.or(*plain)).unwrap_or(0);
                *here = Set::one(value);
                run = run.or(*here);
                values.push(value as u16);
            }
        } else {
            let mut runs = vec![Set::EMPTY; reached];
            for x in 0..=self.max as usize {
                let mut found = None;
                for (i, (plane, run)) in these.iter_mut().zip(&mut runs).enumerate() {
                    *run = run.or(plane.ways[1][x]);
                    let least = free(run.or(plane.ways[0][x])).filter(|_| found.is_none());
                    plane.here[x] = least.map_or(Set::EMPTY, Set::one);
                    *run = run.or(plane.here[x]);
                    found = found.or(least.map(|value| Set::BITS * i + value));
                }
                values.push(found.unwrap_or(0) as u16);
            }
        }
        for (plane, current) in these.iter_mut().zip(current) {
            plane.keep(&self.tables, current);
        }
    }
}

/// The least value that is not in a set. There is one in some plane, for no value exceeds the number of tokens.
#[inline(always)]
fn free(taken: Set) -> Option<usize> {
    Set::below(Set::BITS).minus(taken).least()
}

/// Adds `from` to `to`.
#[inline(always)]
fn join(to: &mut [Set], from: &[Set]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = to.or(*from));
}

impl Worker for Valuer {
    type Piece = Vec<Vec<Set>>;
    type Carried = Vec<Vec<Vec<Set>>>;
    type Found = Vec<u16>;

    fn blank(&self) -> Self::Piece {
        self.planes.iter().map(|_| vec![Set::EMPTY; self.piece]).collect()
    }

    fn room(&self) -> Self::Carried {
        let empty = |table: &Vec<Set>| vec![Set::EMPTY; table.len()];
        self.planes.iter().map(|plane| plane.own.iter().map(empty).collect()).collect()
    }

    fn carry(&mut self, carried: Self::Carried) -> Self::Carried {
        let change = |(plane, own): (&mut Plane, Vec<Vec<Set>>)| std::mem::replace(&mut plane.own, own);
        self.planes.iter_mut().zip(carried).map(change).collect()
    }

    fn step(
        &mut self,
        slab: u32,
        piece: u32,
        current: &mut Self::Piece,
        before: Option<&Self::Piece>,
    ) -> Vec<u16> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
            /// The same, compiled for processors with AVX2.
            #[target_feature(enable = "avx2,bmi1")]
            fn wide(
                valuer: &mut Valuer,
                at: (u32, u32),
                current: &mut [Vec<Set>],
                before: Option<&Vec<Vec<Set>>>,
            ) -> Vec<u16> {
                valuer.sweep(at, current, before)
            }
            // SAFETY: the processor has these instructions.
            return unsafe { wide(self, (slab, piece), current, before) };
        }
        self.sweep((slab, piece), current, before)
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

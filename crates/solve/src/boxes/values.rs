//! Nim-values of a box, by a set of values a face.
//!
//! Let V_w(p) be the values of p and of all that is reached from p by lowering heaps of the face w only. Then
//! V_w(p) = {g(p)} ∪ ⋃_{i∈w} V_w(p − e_i), and g(p) is the least number in no V_w(p − e_i), i ∈ w. Sets are bits. As in
//! [`super::rows`] only the union along the axes of w before the last is kept; along the last axis it is a running
//! union. Sets are narrow at first: where a value does not fit, the box is done again with wider sets.

use super::layout::{self, Cut, Home, Layout, Table};
use super::ring::{self, Worker};
use super::rows::positions;
use super::words::Word;
use super::{BoxError, Limits, Plan, Windows};
use bouton_rules::MAX_HEAPS;
use std::ops::ControlFlow::{self, Break, Continue};

/// Heaps are at most this: values stay below 2¹⁶ where they fit into the widest sets.
const MOST: u32 = 1023;

/// Words of the widest sets.
const WIDEST: usize = 32;

fn pad(game: &Windows) -> usize {
    3usize.saturating_sub(game.heaps())
}

/// Words of 64 values in which the values of all positions surely fit, or the widest.
fn enough(game: &Windows, max: u32) -> usize {
    // No value is greater than the number of tokens.
    let most = game.heaps() as u64 * u64::from(max);
    match (most as usize / 64 + 1).next_power_of_two() {
        ..=2 => 2,
        words @ (4 | 8) => words,
        _ => WIDEST,
    }
}

/// Plans the table of nim-values with heaps ≤ `max`, or tells the largest box that fits. The sets are taken to be half
/// as wide as surely suffices; wider ones, if needed, take twice the bytes.
pub fn plan(game: &Windows, max: u32, limits: Limits) -> Result<Plan, BoxError> {
    let words = (enough(game, max) / 2).max(2);
    plan_with(game, max, limits, words)
}

fn plan_with(game: &Windows, max: u32, limits: Limits, words: usize) -> Result<Plan, BoxError> {
    let need = |max: u32, threads: usize| {
        let unit = (u64::from(max) + 1) * 8 * words as u64;
        layout::bytes(game, Cut { pad: pad(game), inner: 1 }, max, unit, threads)
    };
    limits.admit(max, positions(game.heaps(), max), words, MOST, need)
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

/// Why there are no values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValuesError {
    /// The tables would not fit.
    #[error(transparent)]
    Box(#[from] BoxError),
    /// Some value is greater than what the widest sets hold.
    #[error("some nim-value is at least {0}, past the widest sets of this engine")]
    TooGreat(usize),
}

/// Visits the nim-values of all positions with heaps ≤ `max`, in lexicographic order, part by part, until `visit`
/// breaks. The parts are the same whatever the number of threads.
pub fn sweep<B>(
    game: &Windows,
    max: u32,
    limits: Limits,
    mut visit: impl FnMut(&Values<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ValuesError> {
    let mut done = 0;
    let mut words = 2;
    loop {
        let threads = plan_with(game, max, limits, words)?.threads;
        let end = match words {
            2 => start::<[u64; 2], B>(game, max, threads, &mut done, &mut visit),
            4 => start::<[u64; 4], B>(game, max, threads, &mut done, &mut visit),
            8 => start::<[u64; 8], B>(game, max, threads, &mut done, &mut visit),
            _ => start::<[u64; WIDEST], B>(game, max, threads, &mut done, &mut visit),
        };
        match end {
            Continue(()) => return Ok(Continue(())),
            Break(Some(end)) => return Ok(Break(end)),
            Break(None) if words >= WIDEST => return Err(ValuesError::TooGreat(64 * WIDEST)),
            Break(None) if words == 8 => words = WIDEST,
            Break(None) => words *= 2,
        }
    }
}

/// Goes on after the first `done` parts; breaks with `None` where a value doesn't fit.
fn start<W: Word, B>(
    game: &Windows,
    max: u32,
    threads: usize,
    done: &mut u64,
    visit: &mut impl FnMut(&Values<'_>) -> ControlFlow<B>,
) -> ControlFlow<Option<B>> {
    let pad = pad(game);
    let workers: Vec<_> = (0..threads.max(1)).map(|_| Valuer::<W>::new(game, max)).collect();
    let slabs = if pad > 0 { 1 } else { max + 1 };
    let mut part = 0;
    ring::run(workers, slabs, max + 1, |slab, piece, values: Option<Vec<u16>>| {
        let Some(values) = values else { return Break(None) };
        part += 1;
        if part <= *done {
            return Continue(());
        }
        *done = part;
        let prefix = &[slab, piece][pad..];
        visit(&Values { prefix, values: &values, heaps: game.heaps(), max }).map_break(Some)
    })
}

/// One worker; a unit is a line along the last axis.
struct Valuer<W> {
    axes: usize,
    max: u32,
    tables: Vec<Table>,
    own: Vec<Vec<W>>,
    piece: usize,
    /// Values reached by faces without the last heap, and with it.
    ways: [Vec<W>; 2],
    /// The value of each position of the line, as a set.
    here: Vec<W>,
}

impl<W: Word> Valuer<W> {
    fn new(game: &Windows, max: u32) -> Self {
        let (pad, side) = (pad(game), max as usize + 1);
        let Layout { tables, own, piece } = Layout::new(game, Cut { pad, inner: 1 }, side, side);
        let line = || vec![W::EMPTY; side];
        let own = own.into_iter().map(|size| vec![W::EMPTY; size]).collect();
        Valuer { axes: game.heaps() + pad, max, tables, own, piece, ways: [line(), line()], here: line() }
    }

    #[inline(always)]
    fn sweep(&mut self, at: (u32, u32), current: &mut [W], before: Option<&[W]>) -> Option<Vec<u16>> {
        let outer = self.axes - 1;
        let mut p = [0u32; MAX_HEAPS + 2];
        let mut stands = u32::from(at.0 > 0) | u32::from(at.1 > 0) << 1;
        let mut values = Vec::with_capacity((self.max as usize + 1).pow(outer as u32 - 1));
        self.tables.iter_mut().for_each(Table::rewind);
        loop {
            self.settle(stands, current, before, &mut values)?;
            let Some(axis) = (2..outer).rev().find(|i| p[*i] < self.max) else {
                return Some(values);
            };
            p[axis] += 1;
            p[axis + 1..outer].fill(0);
            self.tables
                .iter_mut()
                .for_each(|table| table.at = table.at.wrapping_add_signed(table.step[axis]));
            stands = stands & ((1 << axis) - 1) | 1 << axis;
        }
    }

    /// Settles a line; `None` where a value doesn't fit.
    #[inline(always)]
    fn settle(
        &mut self,
        stands: u32,
        current: &mut [W],
        before: Option<&[W]>,
        values: &mut Vec<u16>,
    ) -> Option<()> {
        let side = self.max as usize + 1;
        self.ways.iter_mut().for_each(|way| way.fill(W::EMPTY));
        for table in &self.tables {
            let kept = match table.home {
                Home::Piece(_) => &mut *current,
                Home::Own(which) => &mut self.own[which],
            };
            let (earlier, line) = kept.split_at_mut(table.at);
            let line = &mut line[..side];
            if stands >> table.first & 1 == 0 {
                line.fill(W::EMPTY);
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
        let mut run = W::EMPTY;
        let [plain, along] = &self.ways;
        for ((plain, along), here) in plain.iter().zip(along).zip(&mut self.here) {
            run = run.or(*along);
            let value = W::below(W::BITS).minus(run.or(*plain)).least()?;
            *here = W::one(value);
            run = run.or(*here);
            values.push(value as u16);
        }
        for table in &self.tables {
            let kept = match table.home {
                Home::Piece(_) => &mut *current,
                Home::Own(which) => &mut self.own[which],
            };
            join(&mut kept[table.at..][..side], &self.here);
        }
        Some(())
    }
}

/// Adds `from` to `to`.
#[inline(always)]
fn join<W: Word>(to: &mut [W], from: &[W]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = to.or(*from));
}

impl<W: Word> Worker for Valuer<W> {
    type Piece = Vec<W>;
    type Found = Option<Vec<u16>>;

    fn blank(&self) -> Vec<W> {
        vec![W::EMPTY; self.piece]
    }

    fn step(
        &mut self,
        slab: u32,
        piece: u32,
        current: &mut Vec<W>,
        before: Option<&Vec<W>>,
    ) -> Option<Vec<u16>> {
        let (at, before) = ((slab, piece), before.map(|before| &before[..]));
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
            /// The same, compiled for processors with AVX2.
            #[target_feature(enable = "avx2,bmi1")]
            fn wide<W: Word>(
                valuer: &mut Valuer<W>,
                at: (u32, u32),
                current: &mut [W],
                before: Option<&[W]>,
            ) -> Option<Vec<u16>> {
                valuer.sweep(at, current, before)
            }
            // SAFETY: the processor has these instructions.
            return unsafe { wide(self, at, current, before) };
        }
        self.sweep(at, current, before)
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

    /// All heaps in one face: the value is the number of tokens, here past the narrow sets twice.
    #[test]
    fn sets_widen() {
        let game = Windows::circular(3, 3).expect("a game");
        for threads in [1, 2, 3] {
            let all = swept(&game, 170, threads);
            assert_eq!(all.len(), 171 * 171 * 171);
            assert!(all.iter().all(|(p, value)| p.iter().sum::<u32>() == u32::from(*value)));
        }
    }
}

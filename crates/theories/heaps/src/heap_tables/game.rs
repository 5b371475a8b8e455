//! Which heap games the sweeps can do, read off their moves as plain data, and their boxes up to
//! symmetry.

use super::cone_sweep::{self, Extent};
use super::mark_sweep::MarkSweep;
use super::values::{self, Values};
use super::{
    ConeSweep, HeapTableError, Limits, LineConeSweep, Plan, Windows, line_cone_sweep, pairs,
    plan_within, shrinking, sweep_pieces,
};
use crate::heap_options::{Cone, HeapOptions, LineCone};
use bouton_core::{HeapGame, MAX_HEAPS, Play, Symmetry, Windows as Stated};
use std::ops::ControlFlow::{self, Continue};

/// A game whose boxes can be swept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeapSweep {
    kind: Kind,
    symmetry: Symmetry,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Faces(Windows),
    Shrinking {
        n: usize,
        k: usize,
    },
    /// With the sweep for heaps beyond those of the first.
    Cones(ConeSweep, LineConeSweep),
    LineCones(LineConeSweep),
}

/// Cones of takings, at most.
const MAX_CONES: usize = 2048;

/// Cones along any directions, at most: each is work for every row.
const MAX_LINES: usize = 512;

impl HeapSweep {
    /// Returns the game, if any tokens may leave any heaps of a window and nothing else is asked,
    /// or what is asked does not depend on the heaps.
    pub fn from_game(game: &HeapGame) -> Option<HeapSweep> {
        if game.moves.permutation.is_some() {
            return None;
        }
        let n = game.heaps;
        if game.moves.condition.is_some() {
            if game.shrinks {
                return None;
            }
            let options = HeapOptions::new(&game.moves, Some(n), false);
            let lines = match options.cones(n, MAX_CONES) {
                Some(cones) => cones.iter().map(LineCone::from).collect(),
                None => options.line_cones(n, MAX_LINES)?,
            };
            let cones: Option<Vec<Cone>> = lines.iter().map(LineCone::along_axes).collect();
            let lines = LineConeSweep::new(n, lines)?;
            let kind = match cones {
                Some(cones) => Kind::Cones(ConeSweep::new(n, cones)?, lines),
                None => Kind::LineCones(lines),
            };
            return Some(HeapSweep { kind, symmetry: game.symmetry });
        }
        let kind = match (game.shrinks, &game.moves.windows) {
            (true, &Stated::Arc(k)) if (2..=MAX_HEAPS).contains(&n) => {
                Kind::Shrinking { n, k: k.min(n) }
            }
            (false, &Stated::Arc(k)) => Kind::Faces(Windows::circular(n, k).ok()?),
            (false, &Stated::Any(k)) => Kind::Faces(Windows::moore(n, k).ok()?),
            (false, Stated::Faces(faces)) => {
                let masks: Vec<u32> =
                    faces.iter().map(|f| f.iter().fold(0, |face, h| face | 1 << h)).collect();
                Kind::Faces(Windows::simplicial(n, &masks).ok()?)
            }
            _ => return None,
        };
        Some(HeapSweep { kind, symmetry: game.symmetry })
    }

    /// Returns whether heaps may be as great as this for the sweep to be tried; else other engines
    /// take the game.
    pub fn is_suitable(&self, max: u32) -> bool {
        match self.kind {
            Kind::Cones(..) | Kind::LineCones(_) => max <= line_cone_sweep::MAX_HEAP,
            Kind::Faces(_) | Kind::Shrinking { .. } => true,
        }
    }

    /// Returns whether a row of positions has one P-position at most, for each heap may be lowered
    /// alone to any size.
    pub fn is_sparse(&self) -> bool {
        matches!(self.kind, Kind::Faces(_) | Kind::Shrinking { .. })
    }

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        match &self.kind {
            Kind::Faces(game) if game.heaps() == 2 => pairs::plan(max, limits),
            Kind::Faces(game) => plan_within(game, max, limits),
            Kind::Shrinking { n, k } => shrinking::plan(*n, *k, max, limits),
            Kind::Cones(game, _) if max <= cone_sweep::MAX_HEAP => game.plan(max, limits),
            Kind::Cones(_, game) | Kind::LineCones(game) => match marks(game, max) {
                Some(marks) => marks.plan(max, limits),
                None => game.plan(max, limits),
            },
        }
    }

    /// Plans the table of nim-values with heaps ≤ `max`.
    pub fn plan_values(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        match &self.kind {
            Kind::Faces(game) => values::plan(game, max, limits),
            Kind::Shrinking { n, k } => shrinking::plan_values(*n, *k, max, limits),
            Kind::Cones(game, _) if max <= cone_sweep::MAX_HEAP => game.plan_values(max, limits),
            Kind::Cones(_, game) | Kind::LineCones(game) => game.plan_values(max, limits),
        }
    }

    /// Visits the P-positions with heaps ≤ `max` that are the least of their symmetry class, in
    /// lexicographic order, until `visit` or `progress` breaks; `progress` receives from time to
    /// time the number of positions settled since.
    pub fn p_positions<B>(
        &self,
        max: u32,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let symmetry = self.symmetry;
        if let Some(sweep) = self.row_sweep(max) {
            let mut visit = |p: &[u32]| if is_least(symmetry, p) { visit(p) } else { Continue(()) };
            let row = |heaps: &[u32], bits: &[u64]| least_of_row(symmetry, heaps, bits, &mut visit);
            return sweep.rows(max, play, limits, progress, row);
        }
        let mut visit = |p: &[u32]| if is_least(symmetry, p) { visit(p) } else { Continue(()) };
        match &self.kind {
            Kind::Faces(game) if game.heaps() == 2 => {
                pairs::sweep(game, max, play, limits, progress, visit)
            }
            Kind::Faces(game) => sweep_pieces(game, max, play, limits, |part| {
                part.each(&mut visit)?;
                progress(part.positions)
            }),
            Kind::Shrinking { n, k } => {
                shrinking::sweep_all(*n, *k, max, play, limits, progress, visit)
            }
            Kind::Cones(_, game) | Kind::LineCones(game) => {
                let marks = marks(game, max).expect("other games of lines are swept by rows");
                marks.p_positions(max, play, limits, progress, visit)
            }
        }
    }

    /// Returns the sweep that finds the P-positions with heaps ≤ `max` row by row; `None` if they
    /// are found one by one.
    pub fn row_sweep(&self, max: u32) -> Option<RowSweep<'_>> {
        match &self.kind {
            Kind::Cones(game, _) if max <= cone_sweep::MAX_HEAP => Some(RowSweep::Cones(game)),
            Kind::Cones(_, game) | Kind::LineCones(game) if marks(game, max).is_none() => {
                Some(RowSweep::LineCones(game))
            }
            _ => None,
        }
    }

    /// Returns the same with the nim-values of all positions.
    pub fn nim_values<B>(
        &self,
        max: u32,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32], u16) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let symmetry = self.symmetry;
        let part = |part: &Values<'_>| {
            part.rows(|heaps, values| least_values(symmetry, heaps, values, &mut visit))?;
            progress(part.values.len() as u128)
        };
        match &self.kind {
            Kind::Faces(game) => values::sweep(game, max, limits, part),
            Kind::Cones(game, _) if max <= cone_sweep::MAX_HEAP => game.values(max, limits, part),
            Kind::Cones(_, game) | Kind::LineCones(game) => {
                game.values(max, limits, progress, |part| {
                    part.rows(|heaps, values| least_values(symmetry, heaps, values, &mut visit))
                })
            }
            Kind::Shrinking { n, k } => {
                let visit = |p: &[u32], value| {
                    if is_least(symmetry, p) { visit(p, value) } else { Continue(()) }
                };
                shrinking::sweep_values(*n, *k, max, limits, progress, visit)
            }
        }
    }
}

/// A sweep row by row along the last heap.
#[derive(Debug, Clone, Copy)]
pub enum RowSweep<'g> {
    /// Of takings that do not depend on the heaps.
    Cones(&'g ConeSweep),
    /// Of takings along lines.
    LineCones(&'g LineConeSweep),
}

impl RowSweep<'_> {
    /// Visits the rows of the box with heaps ≤ `max` in lexicographic order: the heaps but the
    /// last, and which sizes of the last make a P-position, 64 a word. `progress` is called
    /// from time to time with the number of positions settled since; either may break.
    ///
    /// # Errors
    /// If the box is too large.
    pub fn rows<B>(
        self,
        max: u32,
        play: Play,
        limits: Limits,
        progress: impl FnMut(u128) -> ControlFlow<B>,
        row: impl FnMut(&[u32], &[u64]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        match self {
            RowSweep::Cones(game) => {
                game.rows(Extent { first: max, max }, play, limits, progress, row)
            }
            RowSweep::LineCones(game) => game.rows(max, play, limits, progress, row),
        }
    }
}

/// Returns the sweep by marks on lines, if it takes the game to so great heaps.
fn marks(game: &LineConeSweep, max: u32) -> Option<MarkSweep> {
    MarkSweep::new(game).filter(|_| max < line_cone_sweep::MAX_HEAP)
}

/// Visits the positions of a row that are least of their class, where `bits` says which there are.
fn least_of_row<B>(
    symmetry: Symmetry,
    heaps: &[u32],
    bits: &[u64],
    visit: &mut impl FnMut(&[u32]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some((from, sure)) = least_last(symmetry, heaps) else { return Continue(()) };
    let mut p = [0u32; MAX_HEAPS];
    let n = heaps.len() + 1;
    p[..n - 1].copy_from_slice(heaps);
    for (w, word) in bits.iter().enumerate().skip(from as usize / 64) {
        let mut word = *word;
        if w == from as usize / 64 {
            word &= u64::MAX << (from % 64);
        }
        while word != 0 {
            p[n - 1] = (64 * w) as u32 + word.trailing_zeros();
            word &= word - 1;
            if p[n - 1] >= sure || is_least(symmetry, &p[..n]) {
                visit(&p[..n])?;
            }
        }
    }
    Continue(())
}

/// Visits the positions of a row that are least of their class, with their values.
fn least_values<B>(
    symmetry: Symmetry,
    heaps: &[u32],
    values: &[u16],
    visit: &mut impl FnMut(&[u32], u16) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let Some((from, sure)) = least_last(symmetry, heaps) else { return Continue(()) };
    let mut p = [0u32; MAX_HEAPS];
    let n = heaps.len() + 1;
    p[..n - 1].copy_from_slice(heaps);
    for (last, value) in (0..).zip(values).skip(from as usize) {
        p[n - 1] = last;
        if last >= sure || is_least(symmetry, &p[..n]) {
            visit(&p[..n], *value)?;
        }
    }
    Continue(())
}

/// Returns from which last heap on a position with these heaps before it may be the least of its
/// class, and from which on it is.
fn least_last(symmetry: Symmetry, heaps: &[u32]) -> Option<(u32, u32)> {
    let (Some(first), Some(last)) = (heaps.first(), heaps.last()) else { return Some((0, 0)) };
    match symmetry {
        Symmetry::None => Some((0, 0)),
        Symmetry::Full => heaps.is_sorted().then_some((*last, *last)),
        Symmetry::Ring => {
            // No heap is less than the first, and the one after it is at most the one before it.
            let next = heaps.get(1).unwrap_or(first);
            let alone = heaps[1..].iter().all(|heap| heap > first);
            let sure = if alone { next.max(first) + 1 } else { u32::MAX };
            heaps.iter().all(|heap| heap >= first).then_some((*next.max(first), sure))
        }
    }
}

/// Returns whether no image of `p` is less.
pub(super) fn is_least(symmetry: Symmetry, p: &[u32]) -> bool {
    match symmetry {
        Symmetry::None => true,
        Symmetry::Full => p.is_sorted(),
        Symmetry::Ring => {
            let n = p.len();
            let first = p.first();
            (0..n).filter(|start| p.get(*start) <= first).all(|start| {
                let ahead = (0..n).map(|i| p[(start + i) % n]);
                let back = (0..n).map(|i| p[(start + n - i) % n]);
                p.iter().copied().le(ahead) && p.iter().copied().le(back)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a row holds of all of it, and rows that are passed over have no least
    /// position.
    #[test]
    fn rows_know_their_least_positions() {
        for symmetry in [Symmetry::None, Symmetry::Full, Symmetry::Ring] {
            for n in 1..=5usize {
                for number in 0..4usize.pow(n as u32 - 1) {
                    let heaps: Vec<u32> =
                        (1..n).map(|i| (number / 4usize.pow(i as u32 - 1) % 4) as u32).collect();
                    let mut least = Vec::new();
                    let bits = [0b10_1111];
                    let end = least_of_row::<()>(symmetry, &heaps, &bits, &mut |p| {
                        least.push(p.to_vec());
                        Continue(())
                    });
                    assert_eq!(end, Continue(()));
                    let mut valued = Vec::new();
                    let end = least_values::<()>(
                        symmetry,
                        &heaps,
                        &[0, 1, 2, 3, 9, 5],
                        &mut |p, value| {
                            valued.extend((value < 9).then(|| p.to_vec()));
                            Continue(())
                        },
                    );
                    assert_eq!(end, Continue(()));
                    let images = |p: &[u32]| -> Vec<Vec<u32>> {
                        let mut images = vec![p.to_vec()];
                        match symmetry {
                            Symmetry::None => {}
                            Symmetry::Full => images[0].sort_unstable(),
                            Symmetry::Ring => {
                                for by in 0..n {
                                    let turned = [&p[by..], &p[..by]].concat();
                                    images.push(turned.iter().rev().copied().collect());
                                    images.push(turned);
                                }
                            }
                        }
                        images
                    };
                    let all = [0, 1, 2, 3, 5].map(|last| [&heaps[..], &[last]].concat());
                    let expected: Vec<_> = all
                        .into_iter()
                        .filter(|p| images(p).iter().all(|image| p <= image))
                        .collect();
                    assert_eq!(least, expected, "{symmetry:?} {heaps:?}");
                    assert_eq!(valued, expected, "{symmetry:?} {heaps:?}");
                }
            }
        }
    }
}

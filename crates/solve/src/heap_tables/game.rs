//! Which heap games the sweeps can do, read off their moves as plain data, and their boxes up to symmetry.

use super::values::{self, Values};
use super::{HeapTableError, Limits, Plan, Windows, pairs, plan_within, shrinking, sweep_pieces};
use bouton_rules::{HeapGame, MAX_HEAPS, Play, Symmetry, Windows as Stated};
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
    Shrinking { n: usize, k: usize },
}

impl HeapSweep {
    /// The game, if any tokens may leave any heaps of a window and nothing else is asked.
    pub fn of(game: &HeapGame) -> Option<HeapSweep> {
        if game.moves.condition.is_some() || game.moves.turned.is_some() {
            return None;
        }
        let n = game.heaps;
        let kind = match (game.shrinks, &game.moves.windows) {
            (true, &Stated::Arc(k)) if (2..=MAX_HEAPS).contains(&n) => Kind::Shrinking { n, k: k.min(n) },
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

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        match &self.kind {
            Kind::Faces(game) if game.heaps() == 2 => pairs::plan(max, limits),
            Kind::Faces(game) => plan_within(game, max, limits),
            Kind::Shrinking { n, k } => shrinking::plan(*n, *k, max, limits),
        }
    }

    /// Plans the table of nim-values with heaps ≤ `max`.
    pub fn plan_values(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        match &self.kind {
            Kind::Faces(game) => values::plan(game, max, limits),
            Kind::Shrinking { n, k } => shrinking::plan_values(*n, *k, max, limits),
        }
    }

    /// Visits the P-positions with heaps ≤ `max` that are the least of their symmetry class, in lexicographic order,
    /// until `visit` or `progress` breaks; `progress` is told now and then how many more positions are settled.
    pub fn p_positions<B>(
        &self,
        max: u32,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let symmetry = self.symmetry;
        let mut visit = |p: &[u32]| if is_least(symmetry, p) { visit(p) } else { Continue(()) };
        match &self.kind {
            Kind::Faces(game) if game.heaps() == 2 => pairs::sweep(game, max, play, limits, progress, visit),
            Kind::Faces(game) => sweep_pieces(game, max, play, limits, |part| {
                part.each(&mut visit)?;
                progress(part.positions)
            }),
            Kind::Shrinking { n, k } => shrinking::sweep_all(*n, *k, max, play, limits, progress, visit),
        }
    }

    /// The same with the nim-values of all positions.
    pub fn nim_values<B>(
        &self,
        max: u32,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32], u16) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let symmetry = self.symmetry;
        let mut visit = |p: &[u32], value| if is_least(symmetry, p) { visit(p, value) } else { Continue(()) };
        match &self.kind {
            Kind::Faces(game) => values::sweep(game, max, limits, |part: &Values<'_>| {
                part.each(&mut visit)?;
                progress(part.values.len() as u128)
            }),
            Kind::Shrinking { n, k } => shrinking::sweep_values(*n, *k, max, limits, progress, visit),
        }
    }
}

/// Whether no image of `p` is less.
fn is_least(symmetry: Symmetry, p: &[u32]) -> bool {
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

//! Positions as numbers: heaps, rows, stones and purses. What tables, forms and proofs speak of.

use crate::{HeapGame, HeapMoves, Moves, Ruleset, Symmetry};
use std::ops::ControlFlow;

/// The positions of which a game has tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableShape {
    /// How many numbers make a position.
    pub numbers: usize,
    /// Which of them may change places.
    pub symmetry: Symmetry,
}

/// A game's positions as lists of numbers. A game whose positions are no such lists has nothing to
/// say here.
pub trait Coordinates: Ruleset {
    /// Returns the heaps that a statement about positions speaks of, where a fixed number of
    /// numbers makes a position.
    fn heap_game(&self) -> Option<HeapGame> {
        None
    }

    /// Returns how many numbers make a position and which may change places, where a fixed number
    /// does: what tables are made of, though there may be no statement of the moves.
    fn table_shape(&self) -> Option<TableShape> {
        self.heap_game().map(|game| TableShape { numbers: game.heaps, symmetry: game.symmetry })
    }

    /// Returns why there are tables and play, but no statement of the moves that a proof could
    /// begin with.
    fn tables_only(&self) -> Option<String> {
        None
    }

    /// Returns what a move is, on as many heaps as a position has; of a game whose heaps stay where
    /// they are emptied.
    fn moves(&self) -> Option<Moves> {
        None
    }

    /// Returns how a single heap is played, where a code or a set of takings says it all.
    fn heap_moves(&self) -> Option<HeapMoves> {
        None
    }

    /// Returns the numbers that make the position, where some of 64 bits do. Law:
    /// `position(sizes(p)) == p`.
    fn sizes(&self, p: &Self::Position) -> Option<Vec<u64>> {
        let _ = p;
        None
    }

    /// Returns the position that these numbers make, if there is one.
    fn position(&self, sizes: &[u64]) -> Option<Self::Position> {
        let _ = sizes;
        None
    }

    /// Visits the positions with every heap at most `max` in lexicographic order, at least every
    /// canonical one; `None` where the game is not one on a fixed number of heaps.
    fn positions_up_to<B>(
        &self,
        max: u32,
        visit: impl FnMut(Self::Position) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        let _ = (max, visit);
        None
    }

    /// Returns the position of one heap, row or pile of `size`, where single numbers are positions:
    /// gives nim-sequences.
    fn single(&self, size: u32) -> Option<Self::Position> {
        let _ = size;
        None
    }
}

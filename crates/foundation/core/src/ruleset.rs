//! The rules of one game, with its parameters fixed.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The rules of one game with its parameters fixed: CN(5,2), 0.77, S(1,4,7).
///
/// The two players have the same moves from the same position *as they see it*: a position is always seen by the
/// player about to move, and options by the other one, whose turn it then is.
pub trait Ruleset: Send + Sync {
    /// One position, as plain data; the rules stay in `self`.
    type Position: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Visits every option of `p` until `visit` breaks. The same option may come more than once.
    ///
    /// Engines look first at what is visited last, so small takings should come before large ones: then the smallest
    /// options are settled first and searches stay shallow.
    fn options<B>(
        &self,
        p: &Self::Position,
        visit: impl FnMut(Self::Position) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// A bound on the moves that can still be made, which shows that play ends: every move lowers it. `None` where it
    /// is 2⁶⁴ or more; where it is known, it is known of all options.
    fn rank(&self, p: &Self::Position) -> Option<u64>;

    /// The least position of p's symmetry class. Law: options(canonical(p)) ≅ options(p).
    fn canonical(&self, p: Self::Position) -> Self::Position {
        p
    }

    /// The same position seen by the other player, as when a move is made elsewhere in a sum.
    fn turned(&self, p: Self::Position) -> Self::Position {
        p
    }
}

/// Both players have the same options whoever is to move: nim-values and sums exist.
pub trait Impartial: Ruleset {
    /// Visits the independent summands of `p`; the position is their sum. Law: nim-value(p) is their nim-sum.
    fn summands(&self, p: &Self::Position, mut visit: impl FnMut(Self::Position)) {
        visit(p.clone());
    }
}

/// What a move of a [`Scored`] game brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Consequence {
    /// Points the mover wins by this move.
    pub gain: u32,
    /// Whether the mover moves again.
    pub again: bool,
}

/// A game won on points, like Dots and Boxes: positions have a best margin instead of an outcome.
pub trait Scored: Ruleset {
    /// Visits every option with what it brings, until `visit` breaks.
    fn scored_options<B>(
        &self,
        p: &Self::Position,
        visit: impl FnMut(Self::Position, Consequence) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// The most points that can still be won from `p`; the margin lies in −bound..=bound.
    fn points_left(&self, p: &Self::Position) -> u32;
}

//! The rules of one game, with its parameters fixed.

use crate::{Budget, LimitReached, RuleFault};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The rules of one game with its parameters fixed: CN(5,2), 0.77, S(1,4,7).
///
/// The two players have the same moves from the same position *as they see it*: a position is
/// always seen by the player about to move, and options by the other one, whose turn it then is.
pub trait Ruleset: Send + Sync {
    /// One position, as plain data; the rules stay in `self`.
    type Position: Clone + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// Visits every option of `p` until `visit` breaks. The same option may come more than once.
    ///
    /// Engines look first at what is visited last, so small takings should come before large ones:
    /// then the smallest options are settled first and searches stay shallow.
    fn options<B>(
        &self,
        p: &Self::Position,
        visit: impl FnMut(Self::Position) -> ControlFlow<B>,
    ) -> ControlFlow<B>;

    /// Returns a bound on the moves that can still be made, which shows that play ends: every move
    /// lowers it. `None` where it is 2⁶⁴ or more; where it is known, it is known of all options.
    fn rank(&self, p: &Self::Position) -> Option<u64>;

    /// Returns the least position of p's symmetry class. Law: options(canonical(p)) ≅ options(p).
    fn canonical(&self, p: Self::Position) -> Self::Position {
        p
    }

    /// Returns the same position seen by the other player, as when a move is made elsewhere in a
    /// sum.
    fn seen_by_opponent(&self, p: Self::Position) -> Self::Position {
        p
    }

    /// Prepares for a request on this thread: what stopped the rules before is forgotten, and rules
    /// that are a program end with this budget.
    fn begin(&self, budget: &Budget) {
        let _ = budget;
    }

    /// Returns why rules that are a program failed or were stopped since [`Ruleset::begin`], on
    /// this thread. Options, canonical forms and summands that were visited since are not to be
    /// relied upon.
    fn stopped(&self) -> Option<LimitReached> {
        None
    }

    /// Returns whether options are found by a program or a search, so that they cost more than a
    /// look at the clock and may be stopped: see [`Ruleset::stopped`].
    fn is_program(&self) -> bool {
        false
    }

    /// Returns whether play may be endless, so that a very long line of play is not believed to
    /// end.
    fn may_be_endless(&self) -> bool {
        self.is_program()
    }

    /// Returns the bytes that a position holds beside those of its own type.
    fn bytes_of(&self, p: &Self::Position) -> usize {
        let _ = p;
        0
    }

    /// Returns what is said of a line of play that comes back to its first position, or that does
    /// not seem to end.
    fn endless(&self, line: &[Self::Position]) -> RuleFault {
        RuleFault::new(&endless(line.iter().map(|p| format!("{p:?}"))))
    }
}

/// Both players have the same options whoever is to move: nim-values and sums exist.
pub trait Impartial: Ruleset {
    /// Visits the independent summands of `p`; the position is their sum. Law: nim-value(p) is
    /// their nim-sum.
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

    /// Returns the most points that can still be won from `p`; the margin lies in −bound..=bound.
    fn points_left(&self, p: &Self::Position) -> u32;
}

/// Number of positions of an endless line that are shown.
const SHOWN: usize = 8;

/// Returns the words for a line of play that comes back to its first position, or that does not
/// seem to end.
pub fn endless(line: impl ExactSizeIterator<Item = String> + Clone) -> String {
    let count = line.len();
    let (first, last) = (line.clone().next(), line.clone().last());
    let mut shown: Vec<String> = line.take(SHOWN).collect();
    if first == last && count > 1 {
        if count > SHOWN {
            shown.push(format!("… → {}", last.unwrap_or_default()));
        }
        return format!("play need not end: {} is a cycle of moves", shown.join(" → "));
    }
    format!(
        "play does not seem to end: a line of {count} moves begins {} → …; every move must bring \
         the end nearer",
        shown.join(" → ")
    )
}

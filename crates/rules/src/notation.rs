//! How people write games and positions, and how they are told of slips.

use crate::{Board, HeapGame, HeapMoves, RuleSource, Ruleset};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// A text that could not be read: where, why, and what would be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}; accepted: {accepted}")]
pub struct NotationError {
    /// The whole text as typed.
    pub text: String,
    /// The place of the slip in `text`, in bytes; may be empty (something is missing there).
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// The form that would be accepted.
    pub accepted: String,
}

impl NotationError {
    /// An error about the bytes `at` of `text`.
    pub fn new(
        text: &str,
        at: Range<usize>,
        message: impl Into<String>,
        accepted: impl Into<String>,
    ) -> NotationError {
        NotationError { text: text.to_owned(), at, message: message.into(), accepted: accepted.into() }
    }

    /// The same error for a longer text in which this text starts at byte `offset`.
    pub fn within(mut self, whole: &str, offset: usize) -> NotationError {
        self.text = whole.to_owned();
        self.at = self.at.start + offset..self.at.end + offset;
        self
    }
}

/// A game as people write it: its name, its positions, its board.
///
/// Law: `read(print(p)) == p` for every position, and the family's parser reads `name()` back to the same rules.
pub trait Notation: Ruleset {
    /// The game in its normal form: `CN(5,2)`.
    fn name(&self) -> String;

    /// The rules in one or two sentences, parameters filled in.
    fn describe(&self) -> String;

    /// The form of a position, as shown in errors: `5 heaps, e.g. 1,2,3,2,1`.
    fn position_form(&self) -> String;

    /// Reads a position. Every position that is accepted is a legal one of this game.
    fn read(&self, text: &str) -> Result<Self::Position, NotationError>;

    /// Writes a position so that [`Notation::read`] reads it back.
    fn print(&self, p: &Self::Position) -> String;

    /// The position from which the game by its name starts, where it has one: Γ(1,4;23), dots(3x3).
    fn start(&self) -> Option<Self::Position> {
        None
    }

    /// The heaps that a statement about positions speaks of, where a fixed number of numbers makes a position.
    fn heap_game(&self) -> Option<HeapGame> {
        None
    }

    /// How a single heap is played, where a code or a set of takings says it all.
    fn heap_moves(&self) -> Option<HeapMoves> {
        None
    }

    /// The rule files that the game was read from; none for the games that come with Bouton.
    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        Vec::new()
    }

    /// The numbers that make the position, in a game with a [`HeapGame`].
    fn sizes(&self, p: &Self::Position) -> Vec<u64> {
        let _ = p;
        Vec::new()
    }

    /// Visits the positions with every heap at most `max` in lexicographic order, at least every canonical one;
    /// `None` where the game is not one on a fixed number of heaps.
    fn positions_up_to<B>(
        &self,
        max: u32,
        visit: impl FnMut(Self::Position) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        let _ = (max, visit);
        None
    }

    /// The position of one heap, row or pile of `size`, where single numbers are positions: gives nim-sequences.
    fn single(&self, size: u32) -> Option<Self::Position> {
        let _ = size;
        None
    }

    /// The move from `p` to its option `q` in words short enough for a list of moves.
    fn move_text(&self, p: &Self::Position, q: &Self::Position) -> String {
        let _ = p;
        self.print(q)
    }

    /// What the position looks like.
    fn board(&self, p: &Self::Position) -> Board;
}

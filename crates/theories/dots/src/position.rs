//! A position without captures: lines on the board, and the chains and loops taken off it.

use super::chains::{Code, Multisets};
use super::grid::{Grid, Word};
use super::table::Key;

/// What is open where nothing can be captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Open lines of the boxes on the board.
    pub open: Word,
    /// Chains and loops taken off the board.
    pub set: Code,
}

/// A position in its canonical form, ready to be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub state: State,
    pub key: Key,
    /// The number of its boxes.
    pub boxes: u32,
}

impl Node {
    /// A position that is in its canonical form.
    #[inline]
    pub fn new(grid: &Grid, state: State, boxes: u32) -> Node {
        // The multisets' codes have at most so many bits as the word has room for.
        let key = state.open | u64::from(state.set).checked_shl(grid.lines).unwrap_or(0);
        Node { state, key: Key::mix(key), boxes }
    }

    /// The canonical form of any position of so many boxes: independent chains and loops that came about when the
    /// lines `drawn` were drawn last are taken off.
    #[inline]
    pub fn of(grid: &Grid, sets: &Multisets, state: State, drawn: Word, boxes: u32) -> Node {
        let two = grid.counts(state.open).two;
        let (open, set) = sets.strip(grid, state.open, two, two & grid.touched(drawn), state.set);
        Node::new(grid, State { open: grid.canonical(open), set }, boxes)
    }
}

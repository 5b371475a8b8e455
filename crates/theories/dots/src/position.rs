//! Positions without captures: open lines on the board, and the removed chains and loops.

use super::chains::{Code, Multisets};
use super::grid::{Grid, Word};
use super::table::Key;

/// The open lines of a position without captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenLines {
    /// The open lines on the board.
    pub open: Word,
    /// The multiset of removed chains and loops.
    pub set: Code,
}

/// A position in canonical form with its table key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub state: OpenLines,
    pub key: Key,
    /// The number of boxes.
    pub boxes: u32,
}

impl Node {
    /// Returns the node of a position that is in canonical form.
    #[inline]
    pub fn new(grid: &Grid, state: OpenLines, boxes: u32) -> Node {
        // The codes of multisets have at most as many bits as the lines leave free.
        let key = state.open | u64::from(state.set).checked_shl(grid.lines).unwrap_or(0);
        Node { state, key: Key::mix(key), boxes }
    }

    /// Returns the node of any position of `boxes` boxes, in canonical form. Independent chains and
    /// loops that arose with the last drawn lines `drawn` are removed.
    #[inline]
    pub fn from_position(
        grid: &Grid,
        sets: &Multisets,
        state: OpenLines,
        drawn: Word,
        boxes: u32,
    ) -> Node {
        let two = grid.counts(state.open).two;
        let (open, set) = sets.strip(grid, state.open, two, two & grid.touched(drawn), state.set);
        Node::new(grid, OpenLines { open: grid.canonical(open), set }, boxes)
    }
}

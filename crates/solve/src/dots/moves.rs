//! The moves worth weighing where nothing can be captured, best guess first.
//!
//! Safe lines (no box gets its third line) come first, nearest the centre first: on 3 × 4 any other order costs ten times
//! the positions. Every line of a chain opens the whole chain, so one stands for all: in a chain of two its middle
//! line, which leaves the other no choice; openings come after the safe lines, least gift first.

use super::captures::close;
use super::chains::{Code, Multisets};
use super::grid::{Grid, Word};
use smallvec::SmallVec;

/// A position without captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Open lines of the boxes on the board.
    pub open: Word,
    /// Chains and loops taken off the board.
    pub set: Code,
}

/// What a move leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Option_ {
    pub state: State,
    /// Boxes given to the other, who is to move.
    pub gift: u32,
    /// Boxes that he can leave in turn: see [`super::captures`].
    pub deal: i32,
}

pub(super) type Options = SmallVec<[Option_; 64]>;

/// All options worth weighing. Independent chains and loops are not yet taken off.
pub(super) fn options(grid: &Grid, sets: &Multisets, from: State) -> Options {
    let mut options = Options::new();
    let State { open, set } = from;
    let two = grid.counts(open).two;
    let safe = open & !grid.around(two) & !grid.doubles(open);
    for ring in &grid.rings {
        let mut lines = safe & ring;
        while lines != 0 {
            let line = lines & lines.wrapping_neg();
            lines ^= line;
            options.push(Option_ { state: State { open: open ^ line, set }, gift: 0, deal: 0 });
        }
    }
    let safe = options.len();
    let mut left = two;
    while left != 0 {
        let first = left & left.wrapping_neg();
        let chain = grid.reached(first, two, open);
        left &= !chain;
        let of = if chain.count_ones() == 2 { grid.within(chain) } else { grid.around(first) } & open;
        let closed = close(grid, open & !(of & of.wrapping_neg()));
        let state = State { open: closed.open, set };
        options.push(Option_ { state, gift: closed.count, deal: closed.deal });
    }
    for (kind, rest) in sets.openings(set) {
        let state = State { open, set: *rest };
        options.push(Option_ { state, gift: kind.boxes, deal: kind.deal() });
    }
    options[safe..].sort_by_key(|option| option.gift);
    options
}

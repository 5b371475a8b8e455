//! The moves worth weighing where nothing can be captured, best guess first.
//!
//! Every line of a chain opens the whole chain, so one stands for all: in a chain of two its middle line, which leaves
//! the other no choice. Openings come first, least gift first: most are refuted by the table. Safe lines (no box gets
//! its third line) follow in the order of [`Grid::rings`]; on 3 × 4 a bad order costs ten times the positions.

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
#[inline]
pub(super) fn options(grid: &Grid, sets: &Multisets, from: State, options: &mut Options) {
    let State { open, set } = from;
    let two = grid.counts(open).two;
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
    options.sort_by_key(|option| option.gift);
    let safe = open & !grid.around(two) & !grid.doubles(open);
    for ring in &grid.rings {
        let mut lines = safe & ring;
        while lines != 0 {
            let line = lines & lines.wrapping_neg();
            lines ^= line;
            options.push(Option_ { state: State { open: open ^ line, set }, gift: 0, deal: 0 });
        }
    }
}

//! Captures: the position after every box that can be closed is closed, and the two ways to play
//! that need to be considered.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, ch. 16 (1982). A player who
//! can close boxes closes them all and moves on, or declines the last two of a row that ends in an
//! open line (the last four of a ring) and passes the move to the opponent. With c boxes to close
//! and the value V of the remaining position for the player to move there, the margin is c + V, or
//! c − 2 − (2 + V), or c − 4 − (4 + V).

use super::grid::{Grid, Word};

/// The position after all captures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Captures {
    /// The lines that remain open.
    pub open: Word,
    /// The number of boxes closed.
    pub count: u32,
    /// The number of boxes that can be declined: 2, 4, or 0 for none.
    pub deal: i32,
}

/// Closes every box that has one open line, until there is none.
#[inline]
pub(super) fn close(grid: &Grid, start: Word) -> Captures {
    let mut open = start;
    let counts = grid.counts(open);
    let live = counts.live();
    let mut one = counts.one;
    if one == 0 {
        return Captures { open, count: 0, deal: 0 };
    }
    let left = loop {
        open &= !grid.around(one);
        let counts = grid.counts(open);
        one = counts.one;
        if one == 0 {
            break counts.live();
        }
    };
    let taken = live & !left;
    // The open lines around the captured boxes: lines between two of them, and exits.
    let inner = start & grid.within(taken);
    let exits = start & grid.around(taken) & !inner;
    let ends = grid.touched(exits) & taken;
    let deal = if ends & grid.touched(inner) != 0 {
        2
    } else if has_path_of_four(grid, inner) {
        4
    } else {
        0
    };
    Captures { open, count: taken.count_ones(), deal }
}

/// Returns whether four boxes in a row are linked by lines of a forest: some line has two boxes
/// that both have another line.
#[inline]
fn has_path_of_four(grid: &Grid, inner: Word) -> bool {
    let counts = grid.counts(inner);
    inner & grid.within(counts.two | counts.three | counts.four) != 0
}

//! Captures: what is left when every box that can be closed is closed, and the only two ways to play worth weighing.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, ch. 16 (1982). Who can close boxes closes them all and
//! moves on, or all but the last two of a row that ends in an open line (the last four of a ring), which he leaves to
//! the other together with the move. With c boxes to be closed and the value V of what is left, to the player who is to
//! move there: c + V, or c − 2 − (2 + V), or c − 4 − (4 + V).

use super::grid::{Grid, Word};

/// All captures made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closed {
    /// Open lines that are left.
    pub open: Word,
    /// Boxes closed.
    pub count: u32,
    /// Boxes that can be left to the other: 2, 4, or 0 for none.
    pub deal: i32,
}

/// Closes every box that has one open line, until none has.
#[inline]
pub(super) fn close(grid: &Grid, start: Word) -> Closed {
    let mut open = start;
    let counts = grid.counts(open);
    let live = counts.live();
    let mut one = counts.one;
    if one == 0 {
        return Closed { open, count: 0, deal: 0 };
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
    // What was open around the boxes taken: lines between two of them, and exits.
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
    Closed { open, count: taken.count_ones(), deal }
}

/// Whether four boxes in a row are linked by lines of a forest: a line in it both of whose boxes have another.
#[inline]
fn has_path_of_four(grid: &Grid, inner: Word) -> bool {
    let counts = grid.counts(inner);
    inner & grid.within(counts.two | counts.three | counts.four) != 0
}

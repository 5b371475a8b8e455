//! The structure of a position as players see it: chains, loops, joints, safe lines, and the advice
//! of the long-chain rule.
//!
//! Source: E. R. Berlekamp, *The Dots and Boxes Game* (2000). Every turn but the last ends with a
//! line that closes no box. From a position of L open lines and B boxes there are therefore L − B +
//! 1 turns, and one more for every line that closes two boxes at once. The player in control
//! declines the last two boxes of every long chain but the last one, which makes such a line; a
//! loop makes two. With K long chains there are L − B + K turns, up to an even number, and the
//! player who makes the last one has been in control: the player to move wants that number odd.

use super::captures::{Captures, close};
use super::grid::{Grid, Word};
use bouton_core::Arrange;

/// A row of boxes with two open lines each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The places of the boxes, row by row from 0, from one end to the other or around.
    pub boxes: Vec<u32>,
    /// Whether the chain is a loop.
    pub is_loop: bool,
    /// Whether the chain is a component: both ends lead out of the board.
    pub is_independent: bool,
}

impl Chain {
    /// Returns whether the chain has at least three boxes and is no loop: opening it is loony.
    pub fn is_long(&self) -> bool {
        !self.is_loop && self.boxes.len() >= 3
    }
}

/// The structure of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// The number of boxes that can be closed.
    pub captures: u32,
    /// The number of these boxes that can be declined: 2, 4, or 0 for none.
    pub deal: u32,
    /// The chains and loops after all captures, longest first.
    pub chains: Vec<Chain>,
    /// The boxes with three or four open lines.
    pub joints: Vec<u32>,
    /// The set of lines that are open after all captures.
    pub open: u64,
    /// The set of lines after which nothing can be captured.
    pub safe: u64,
    /// The set of lines that close a box.
    pub closing: u64,
    /// The set of lines after which captures can be declined, once all present captures are made.
    pub loony: u64,
    /// The places of the boxes that can be closed.
    pub captured: Vec<u32>,
    /// Whether the player to move wants an odd number of long chains.
    pub wants_odd: bool,
}

impl Structure {
    /// Returns the number of long chains.
    pub fn long_chains(&self) -> usize {
        self.chains.iter().filter(|chain| chain.is_long()).count()
    }

    /// Returns whether the number of long chains is the one that the player to move wants.
    pub fn suits_mover(&self) -> bool {
        (self.long_chains() % 2 == 1) == self.wants_odd
    }

    /// Reads the structure of a position with these open lines.
    pub(super) fn new(grid: &Grid, start: Word) -> Structure {
        let Captures { open, count, deal } = close(grid, start);
        let counts = grid.counts(open);
        let mut chains = Vec::new();
        let mut left = counts.two;
        while left != 0 {
            let boxes = grid.reached(left & left.wrapping_neg(), counts.two, open);
            left &= !boxes;
            let lines = grid.around(boxes) & open;
            chains.push(Chain {
                boxes: in_order(grid, boxes, open),
                is_loop: lines.count_ones() == boxes.count_ones(),
                is_independent: grid.touched(lines) == boxes,
            });
        }
        chains.arrange_by_key(|chain| std::cmp::Reverse(chain.boxes.len()));
        let (lines, boxes) = (open.count_ones(), counts.live().count_ones());
        Structure {
            captures: count,
            deal: deal as u32,
            chains,
            joints: places(grid, counts.three | counts.four),
            open,
            safe: open & !grid.around(counts.two),
            closing: start & grid.around(grid.counts(start).one),
            loony: bits(open).filter(|line| close(grid, open ^ line).deal != 0).sum(),
            captured: places(grid, grid.counts(start).live() & !counts.live()),
            wants_odd: (lines + boxes).is_multiple_of(2),
        }
    }
}

/// Returns the boxes of a set from one end to the other, each beside its predecessor.
fn in_order(grid: &Grid, boxes: Word, open: Word) -> Vec<u32> {
    let neighbours = |of: Word| grid.touched(grid.around(of) & open) & boxes & !of;
    let ends = bits(boxes).find(|b| neighbours(*b).count_ones() < 2);
    let mut now = ends.unwrap_or(boxes & boxes.wrapping_neg());
    let (mut row, mut left) = (Vec::new(), boxes);
    while now != 0 {
        row.push(now);
        left &= !now;
        let next = neighbours(now) & left;
        now = next & next.wrapping_neg();
    }
    row.iter().flat_map(|b| places(grid, *b)).collect()
}

fn bits(mut set: Word) -> impl Iterator<Item = Word> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

/// Returns the places of boxes, row by row from 0.
fn places(grid: &Grid, boxes: Word) -> Vec<u32> {
    bits(boxes).map(|b| grid.box_place(b.trailing_zeros())).collect()
}

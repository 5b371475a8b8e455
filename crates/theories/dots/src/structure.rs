//! A position as players see it: chains, loops, joints, safe lines, and the advice of the long-chain rule.
//!
//! Source: E. R. Berlekamp, *The Dots and Boxes Game* (2000). Every turn but the last ends with a line that closes no box,
//! so from a position of L open lines and B boxes there are L − B + 1 turns, and one more for every line that closes two
//! boxes at once. Who is in control declines the last two boxes of every long chain but the last one, which makes such a
//! line; a loop makes two. So with K long chains there are L − B + K turns or an even number more, and who makes the last
//! one has been in control: the player to move wants that number odd.

use super::captures::{Closed, close};
use super::grid::{Grid, Word};

/// A row of boxes with two open lines each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// Its boxes from one end to the other, or around: each its place, row by row from 0.
    pub boxes: Vec<u32>,
    /// Whether its ends are linked.
    pub is_loop: bool,
    /// Whether nothing else hangs on it: both ends lead out of the board.
    pub is_independent: bool,
}

impl Chain {
    /// At least three boxes and no loop: opening it is loony.
    pub fn is_long(&self) -> bool {
        !self.is_loop && self.boxes.len() >= 3
    }
}

/// What a position consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// Boxes that can be closed now.
    pub captures: u32,
    /// How many of them can be left to the other together with the move: 2, 4, or 0 for none.
    pub deal: u32,
    /// Chains and loops when they are closed, longest first.
    pub chains: Vec<Chain>,
    /// Boxes with three or four open lines.
    pub joints: Vec<u32>,
    /// Lines that are open when all captures are made, as a set.
    pub open: u64,
    /// Those after which nothing can be captured.
    pub safe: u64,
    /// Lines that close a box now, as a set.
    pub closing: u64,
    /// Lines after which captures can be left to the other together with the move, once all there are now are made.
    pub loony: u64,
    /// Boxes that can be closed now, each its place.
    pub captured: Vec<u32>,
    /// The player to move wants an odd number of long chains, else an even one.
    pub wants_odd: bool,
}

impl Structure {
    /// The number of long chains as the position stands.
    pub fn long_chains(&self) -> usize {
        self.chains.iter().filter(|chain| chain.is_long()).count()
    }

    /// Whether the number of long chains as the position stands is what the player to move wants.
    pub fn suits_mover(&self) -> bool {
        (self.long_chains() % 2 == 1) == self.wants_odd
    }

    /// Reads the structure of a position with these open lines.
    pub(super) fn new(grid: &Grid, start: Word) -> Structure {
        let Closed { open, count, deal } = close(grid, start);
        let counts = grid.counts(open);
        let mut chains = Vec::new();
        let mut left = counts.two;
        while left != 0 {
            let boxes = grid.reached(left & left.wrapping_neg(), counts.two, open);
            left &= !boxes;
            let lines = grid.around(boxes) & open;
            chains.push(Chain {
                boxes: in_a_row(grid, boxes, open),
                is_loop: lines.count_ones() == boxes.count_ones(),
                is_independent: grid.touched(lines) == boxes,
            });
        }
        chains.sort_by_key(|chain| std::cmp::Reverse(chain.boxes.len()));
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

/// The boxes of a set from one end to the other, each beside the one before.
fn in_a_row(grid: &Grid, boxes: Word, open: Word) -> Vec<u32> {
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

/// The places of boxes, row by row from 0.
fn places(grid: &Grid, boxes: Word) -> Vec<u32> {
    bits(boxes).map(|b| grid.place(b.trailing_zeros())).collect()
}

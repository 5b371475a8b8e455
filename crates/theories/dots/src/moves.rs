//! The moves to consider if nothing can be captured, most promising first.
//!
//! Every line of a chain opens the whole chain, so one line stands for all: in a chain of two the
//! middle line, which leaves the opponent no choice. Openings are searched first, smallest gift
//! first. Safe lines (after which no box has three lines drawn) follow in the order of
//! [`Grid::rings`]; on 3 × 4 a bad order costs ten times the positions.
//!
//! If the opponent may capture, he gains c − d + |V + d| (see [`super::captures`]), so a move is
//! good enough if V lies between two bounds. Opening a long chain of c boxes gains at most 2 − c,
//! which usually excludes it.

use super::captures::close;
use super::chains::{Code, Kind, Multisets};
use super::grid::Grid;
use super::position::{Node, OpenLines};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::ops::ControlFlow::{self, Continue};

/// An option and the values of it that are good enough: `low..=high`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub node: Node,
    pub low: i32,
    pub high: i32,
}

impl Candidate {
    /// Returns the values of the remaining position for which giving away `gift` boxes has a margin
    /// of at least `least`, or `None` if there are none. `boxes` boxes remain.
    #[inline]
    fn window(gift: u32, deal: i32, boxes: u32, least: i32) -> Option<(i32, i32)> {
        let (gift, all) = (gift as i32, boxes as i32);
        let high = -least - gift;
        let low = if deal == 0 { i32::MIN } else { least + gift - 2 * deal };
        (low <= high && low <= all && high >= -all).then_some((low, high))
    }
}

/// Visits the safe moves whose margin may be at least `least`. The position must be canonical.
#[inline]
pub(super) fn safe<B>(
    grid: &Grid,
    sets: &Multisets,
    from: &Node,
    least: i32,
    mut visit: impl FnMut(Candidate) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let OpenLines { open, set } = from.state;
    let Some((low, high)) = Candidate::window(0, 0, from.boxes, least) else { return Continue(()) };
    let counts = grid.counts(open);
    let safe = open & !grid.around(counts.two) & !grid.doubles(open);
    if safe == 0 {
        return Continue(());
    }
    let images = grid.images(open);
    for ring in &grid.rings {
        let mut lines = safe & ring;
        while lines != 0 {
            let line = lines & lines.wrapping_neg();
            lines ^= line;
            // Only a box that had three open lines can belong to a new chain.
            let new = grid.touched(line) & counts.three;
            let (rest, larger) = sets.strip(grid, open ^ line, counts.two | new, new, set);
            let canonical = if larger == set {
                grid.least(&grid.without(&images, line))
            } else {
                grid.canonical(rest)
            };
            debug_assert_eq!(canonical, grid.canonical(rest));
            let node = Node::new(grid, OpenLines { open: canonical, set: larger }, from.boxes);
            visit(Candidate { node, low, high })?;
        }
    }
    Continue(())
}

/// Visits the openings whose margin may be at least `least`, smallest gift first.
#[inline]
pub(super) fn openings<B>(
    grid: &Grid,
    sets: &Multisets,
    from: &Node,
    least: i32,
    visit: impl FnMut(Candidate) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let OpenLines { open, set } = from.state;
    let two = grid.counts(open).two;
    let mut candidates: SmallVec<[Candidate; 16]> = SmallVec::new();
    let mut left = two;
    while left != 0 {
        let first = left & left.wrapping_neg();
        let chain = grid.reached(first, two, open);
        left &= !chain;
        let boxes = chain.count_ones();
        let lines = grid.around(chain) & open;
        if boxes > 2 && least > 2 - boxes as i32 && lines.count_ones() > boxes {
            continue;
        }
        let of = if boxes == 2 { grid.within(chain) & open } else { lines };
        let closed = close(grid, open & !(of & of.wrapping_neg()));
        let boxes = from.boxes - closed.count;
        if let Some((low, high)) = Candidate::window(closed.count, closed.deal, boxes, least) {
            let state = OpenLines { open: closed.open, set };
            let node = Node::from_position(grid, sets, state, open ^ closed.open, boxes);
            candidates.push(Candidate { node, low, high });
        }
    }
    for (kind, rest) in sets.openings(set) {
        candidates.extend(off_board(grid, from, *kind, *rest, least));
    }
    if candidates.len() > 1 {
        candidates.sort_by_key(|opening| Reverse(opening.node.boxes));
    }
    candidates.into_iter().try_for_each(visit)
}

/// Returns the opening of a chain or loop that is removed from the board.
#[inline]
fn off_board(grid: &Grid, from: &Node, kind: Kind, rest: Code, least: i32) -> Option<Candidate> {
    let boxes = from.boxes - kind.boxes;
    let (low, high) = Candidate::window(kind.boxes, kind.deal(), boxes, least)?;
    Some(Candidate {
        node: Node::new(grid, OpenLines { open: from.state.open, set: rest }, boxes),
        low,
        high,
    })
}

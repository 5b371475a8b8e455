//! Which part of a board a move touches: a token, a pin, a cell, a square, a line.

use crate::scene::Part;
use bouton_core::Board;

/// The part of a board that a move between two boards is made on, where it is one.
pub fn touched(from: &Board, to: &Board) -> Option<Part> {
    within(from, to, 0)
}

fn within(from: &Board, to: &Board, summand: usize) -> Option<Part> {
    let one = |a: &[u32], b: &[u32]| {
        let mut changed = (0..a.len()).filter(|i| a[*i] != b[*i]);
        match (a.len() == b.len(), changed.next(), changed.next()) {
            (true, Some(heap), None) if b[heap] < a[heap] => {
                Some(Part::Token { summand, heap, left: b[heap].into() })
            }
            _ => None,
        }
    };
    match (from, to) {
        (Board::Row(a), Board::Row(b)) => one(a, b),
        (Board::Ring(a), Board::Ring(b)) if a.len() == b.len() => one(a, b),
        // A circle that closed up: one whole heap went.
        (Board::Ring(a), Board::Ring(b)) => {
            let heap = (0..a.len())
                .find(|i| a[..*i] == b[..(*i).min(b.len())] && a[i + 1..] == b[(*i).min(b.len())..])?;
            Some(Part::Token { summand, heap, left: 0 })
        }
        (Board::Pins(a), Board::Pins(b)) => pins(a, b, summand),
        (Board::Track { .. }, Board::Track { token, .. }) => Some(Part::Cell { summand, cell: *token }),
        (Board::Queen { .. }, Board::Queen { x, y }) => Some(Part::Square { summand, x: *x, y: *y }),
        (Board::Purses { .. }, Board::Purses { stones, .. }) => {
            Some(Part::Token { summand, heap: 0, left: *stones })
        }
        (
            Board::Dots { horizontal: h, vertical: v, .. },
            Board::Dots { horizontal: h2, vertical: v2, .. },
        ) => {
            let new = |a: &[bool], b: &[bool]| a.iter().zip(b).position(|(a, b)| a != b);
            let across = new(h, h2).map(|line| Part::Line { horizontal: true, line });
            across.or_else(|| new(v, v2).map(|line| Part::Line { horizontal: false, line }))
        }
        (Board::Coins { whole: a, .. }, Board::Coins { whole: b, .. }) => {
            a.iter().zip(b).position(|(a, b)| a != b).map(|line| Part::Line { horizontal: false, line })
        }
        (Board::Sum(a), Board::Sum(b)) => {
            let moved: Vec<usize> = (0..a.len().min(b.len())).filter(|i| !same(&a[*i], &b[*i])).collect();
            match moved[..] {
                [i] => within(&a[i], &b[i], i),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether two boards show the same, whoever is to move.
fn same(a: &Board, b: &Board) -> bool {
    match (a, b) {
        (Board::Purses { stones: x, .. }, Board::Purses { stones: y, .. }) => x == y,
        _ => a == b,
    }
}

/// One or two neighbouring pins of one row went.
fn pins(a: &[u32], b: &[u32], summand: usize) -> Option<Part> {
    let (before, after): (u32, u32) = (a.iter().sum(), b.iter().sum());
    let count = before.checked_sub(after).filter(|count| (1..=2).contains(count))?;
    // The rows before it stay; then come what stood before the pins, if any, and what stood behind them.
    let row = a.iter().zip(b).take_while(|(x, y)| x == y).count().min(a.len() - 1);
    let rest = a.len() - row - 1;
    let new = b.get(row..b.len().checked_sub(rest)?)?;
    let first = match new {
        [] => 0,
        [all] if all + count == a[row] => 0,
        [left, right] if left + right + count == a[row] => *left,
        _ => return None,
    };
    Some(Part::Pins { summand, row, first, count })
}

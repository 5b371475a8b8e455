//! The part of a board that a move changes: a token, a pin, a cell, a square, a line.

use crate::board::squares_of;
use crate::scene::BoardPart;
use bouton_core::Board;

/// Returns the part of a board on which the move between two boards is made, if it is a single one.
pub fn changed_part(from: &Board, to: &Board) -> Option<BoardPart> {
    changed_part_of(from, to, 0)
}

fn changed_part_of(from: &Board, to: &Board, summand: usize) -> Option<BoardPart> {
    let one = |a: &[u32], b: &[u32]| {
        let mut changed = (0..a.len().min(b.len())).filter(|i| a[*i] != b[*i]);
        match (a.len() == b.len(), changed.next(), changed.next()) {
            (true, Some(heap), None) if b[heap] < a[heap] => {
                Some(BoardPart::Token { summand, heap, left: b[heap].into() })
            }
            _ => None,
        }
    };
    match (from, to) {
        (Board::Row(a), Board::Row(b))
        | (Board::Several { heaps: a, .. }, Board::Several { heaps: b, .. })
        | (Board::Complex { heaps: a, .. }, Board::Complex { heaps: b, .. }) => one(a, b),
        (Board::Pile(a), Board::Pile(b)) => one(&[*a], &[*b]),
        (Board::Ring(a), Board::Ring(b)) if a.len() == b.len() => one(a, b),
        (Board::Loop(a), Board::Loop(b)) if a.len() == b.len() => one(a, b),
        // A circle that closed up: a whole heap was removed.
        (Board::Ring(a), Board::Ring(b)) | (Board::Loop(a), Board::Loop(b)) => {
            let heap = (0..a.len())
                .find(|i| a[..*i] == b[..(*i).min(b.len())] && a[i + 1..] == b[(*i).min(b.len())..])?;
            Some(BoardPart::Token { summand, heap, left: 0 })
        }
        (Board::Pins(a), Board::Pins(b)) | (Board::Beads(a), Board::Beads(b)) => pins(a, b, summand),
        (Board::Strip(_), Board::Strip(_)) => {
            let [_, reached] = from.places_apart(to)?;
            Some(BoardPart::Square { summand, x: *reached.first()?, y: 0 })
        }
        // Of the coins that are turned, the one farthest to the left.
        (Board::Faces(_), Board::Faces(_)) => {
            let turned = from.places_apart(to)?.concat();
            Some(BoardPart::Square { summand, x: turned.into_iter().min()?, y: 0 })
        }
        (Board::Track { .. }, Board::Track { token, .. }) => Some(BoardPart::Cell { summand, cell: *token }),
        (Board::Text(a), Board::Text(b)) => squares(a, b, summand),
        (Board::Queen { .. }, Board::Queen { x, y }) => Some(BoardPart::Square { summand, x: *x, y: *y }),
        (Board::Purses { .. }, Board::Purses { stones, .. }) => {
            Some(BoardPart::Token { summand, heap: 0, left: *stones })
        }
        (
            Board::Dots { horizontal: h, vertical: v, .. },
            Board::Dots { horizontal: h2, vertical: v2, .. },
        ) => {
            let new = |a: &[bool], b: &[bool]| a.iter().zip(b).position(|(a, b)| a != b);
            let across = new(h, h2).map(|line| BoardPart::Line { horizontal: true, line });
            across.or_else(|| new(v, v2).map(|line| BoardPart::Line { horizontal: false, line }))
        }
        (Board::Coins { whole: a, .. }, Board::Coins { whole: b, .. }) => {
            a.iter().zip(b).position(|(a, b)| a != b).map(|line| BoardPart::Line { horizontal: false, line })
        }
        (Board::Sum(a), Board::Sum(b)) => {
            let moved: Vec<usize> =
                (0..a.len().min(b.len())).filter(|i| !shows_same(&a[*i], &b[*i])).collect();
            match moved[..] {
                [i] => changed_part_of(&a[i], &b[i], i),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether two boards show the same position, whoever is to move.
fn shows_same(a: &Board, b: &Board) -> bool {
    match (a, b) {
        (Board::Purses { stones: x, .. }, Board::Purses { stones: y, .. }) => x == y,
        _ => a == b,
    }
}

/// Returns the squares that differ between two pictures of squares: one, two free ones that touch,
/// or the lower left one of more.
fn squares(a: &str, b: &str, summand: usize) -> Option<BoardPart> {
    let (a, b) = (squares_of(a)?, squares_of(b).unwrap_or_default());
    // A picture that loses lines stands on its lowest one.
    let gone = a.len().checked_sub(b.len())?;
    let left = |x: usize, y: usize| b.get(y.checked_sub(gone)?)?.get(x);
    let mut changed: Vec<(u32, u32)> = Vec::new();
    for (y, row) in a.iter().enumerate() {
        for (x, character) in row.iter().enumerate() {
            if left(x, y) != Some(character) {
                changed.push((x as u32, y as u32));
            }
        }
    }
    let one = |(x, y): (u32, u32)| BoardPart::Square { summand, x, y };
    match changed[..] {
        [] => None,
        [at] => Some(one(at)),
        // Something is put on two free squares.
        [(x, y), (u, v)]
            if x.abs_diff(u) + y.abs_diff(v) == 1
                && [(x, y), (u, v)].iter().all(|(x, y)| a[*y as usize][*x as usize] == '.') =>
        {
            Some(BoardPart::Domino { summand, x, y, upright: x == u })
        }
        _ => {
            let left = changed.iter().map(|(x, _)| *x).min()?;
            let low = changed.iter().map(|(_, y)| *y).max()?;
            changed.contains(&(left, low)).then(|| one((left, low)))
        }
    }
}

/// Returns the removed pins, if they are neighbouring pins of one row, or where a row is cut.
fn pins(a: &[u32], b: &[u32], summand: usize) -> Option<BoardPart> {
    let (before, after): (u32, u32) = (a.iter().sum(), b.iter().sum());
    let count = before.checked_sub(after).filter(|_| !a.is_empty())?;
    // The rows before it stay; then come the pins before the removed ones, if any, and those behind
    // them.
    let row = a.iter().zip(b).take_while(|(x, y)| x == y).count().min(a.len() - 1);
    let rest = a.len() - row - 1;
    let new = b.get(row..b.len().checked_sub(rest)?)?;
    let first = match new {
        [] => 0,
        [all] if count > 0 && all + count == a[row] => 0,
        [left, right] if left + right + count == a[row] => *left,
        _ => return None,
    };
    Some(BoardPart::Pins { summand, row, first, count })
}

//! The part of a board that a move changes: a token, a pin, a cell, a square, a line.

use crate::board::squares_of;
use crate::scene::BoardPart;
use bouton_core::{Board, Card, GraphBoard, GraphStand};

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
        | (Board::Remembering { heaps: a, .. }, Board::Remembering { heaps: b, .. })
        | (Board::Several { heaps: a, .. }, Board::Several { heaps: b, .. })
        | (Board::Complex { heaps: a, .. }, Board::Complex { heaps: b, .. }) => one(a, b),
        (Board::Pile(a), Board::Pile(b)) => one(&[*a], &[*b]),
        (Board::Ring(a), Board::Ring(b)) if a.len() == b.len() => one(a, b),
        (Board::Loop(a), Board::Loop(b)) if a.len() == b.len() => one(a, b),
        // A circle that closed up: a whole heap was removed.
        (Board::Ring(a), Board::Ring(b)) | (Board::Loop(a), Board::Loop(b)) => {
            let heap = (0..a.len()).find(|i| {
                a[..*i] == b[..(*i).min(b.len())] && a[i + 1..] == b[(*i).min(b.len())..]
            })?;
            Some(BoardPart::Token { summand, heap, left: 0 })
        }
        (Board::Pins(a), Board::Pins(b)) | (Board::Beads(a), Board::Beads(b)) => {
            pins(a, b, summand)
        }
        (Board::Strip(_), Board::Strip(_)) => {
            let [_, reached] = from.places_apart(to)?;
            Some(BoardPart::Square { summand, x: *reached.first()?, y: 0 })
        }
        // Of the coins that are turned, the one farthest to the left.
        (Board::Faces(_), Board::Faces(_)) => {
            let turned = from.places_apart(to)?.concat();
            Some(BoardPart::Square { summand, x: turned.into_iter().min()?, y: 0 })
        }
        (Board::Track { .. }, Board::Track { token, .. }) => {
            Some(BoardPart::Cell { summand, cell: *token })
        }
        (Board::Graph(a), Board::Graph(b)) => graph(a, b, summand),
        (Board::Sheets(a), Board::Sheets(b)) => cut(a, b, summand),
        (Board::Cards { cards: a, .. }, Board::Cards { cards: b, .. }) => card(a, b, summand),
        (Board::Text(a), Board::Text(b)) => squares(a, b, summand),
        (Board::Queen { .. }, Board::Queen { x, y }) => {
            Some(BoardPart::Square { summand, x: *x, y: *y })
        }
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
        (Board::Coins { whole: a, .. }, Board::Coins { whole: b, .. }) => a
            .iter()
            .zip(b)
            .position(|(a, b)| a != b)
            .map(|line| BoardPart::Line { horizontal: false, line }),
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

/// Returns the squares that differ between two pictures of squares: one, two that touch and are
/// both free or both taken, the one to which something moves, or the lower left one of more.
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
    let was = |x: u32, y: u32| a[y as usize][x as usize];
    // Squares that are full stand for more than themselves.
    let alike = |a: char, b: char| (a == '.') == (b == '.') && a != '#' && b != '#';
    match changed[..] {
        [] => None,
        [at] => Some(one(at)),
        // Something is put on two free squares, or done with what stands on two.
        [(x, y), (u, v)] if x.abs_diff(u) + y.abs_diff(v) == 1 && alike(was(x, y), was(u, v)) => {
            Some(BoardPart::Domino { summand, x, y, upright: x == u })
        }
        _ => {
            // A free square on which something stands now.
            let mut reached = changed.iter().filter(|(x, y)| {
                was(*x, *y) == '.'
                    && left(*x as usize, *y as usize).is_some_and(|now| !matches!(now, '.' | '#'))
            });
            if let (Some(at), None) = (reached.next(), reached.next()) {
                return Some(one(*at));
            }
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

/// Returns the node to which the token goes, or the node or edge that is taken: one of those whose
/// loss leaves exactly what is left.
fn graph(a: &GraphBoard, b: &GraphBoard, summand: usize) -> Option<BoardPart> {
    let node = |node: usize| BoardPart::GraphNode { summand, node };
    if let (Some(from), Some(to)) = (a.token, b.token) {
        let name = &b.nodes[to];
        return (a.nodes[from] != *name)
            .then(|| a.nodes.iter().position(|own| own == name).map(node))?;
    }
    let stays: Vec<bool> = a.nodes.iter().map(|name| b.nodes.contains(name)).collect();
    let left = edges_by_name(b, |_| true);
    let leaves = |keeps: &dyn Fn(usize) -> bool| edges_by_name(a, keeps) == left;
    if !a.takes_nodes || stays.iter().all(|stays| *stays) {
        // The edge alone, with those that it held up, or with those at its ends.
        let held = |cut: usize| match a.stand {
            GraphStand::Ground(ground) => held_up(a, ground, cut),
            _ => vec![true; a.edges.len()],
        };
        let touches =
            |x: usize, y: usize| a.edges[x].ends.iter().any(|end| a.edges[y].ends.contains(end));
        return (0..a.edges.len())
            .find(|cut| {
                let held = held(*cut);
                leaves(&|edge| edge != *cut && held[edge])
                    || matches!(a.stand, GraphStand::Free) && leaves(&|edge| !touches(edge, *cut))
            })
            .map(|edge| BoardPart::GraphEdge { summand, edge });
    }
    // The node alone, with its neighbours, or with what is above it.
    let next =
        |x: usize, y: usize| a.edges.iter().any(|edge| edge.ends == [x, y] || edge.ends == [y, x]);
    let above = |from: usize| {
        let mut above = vec![false; a.nodes.len()];
        above[from] = true;
        for _ in 0..a.nodes.len() {
            a.edges.iter().for_each(|edge| above[edge.ends[1]] |= above[edge.ends[0]]);
        }
        above
    };
    let takes = |from: usize| match a.stand {
        GraphStand::Levels => vec![above(from)],
        _ => {
            let with = (0..a.nodes.len()).map(|other| other == from || next(from, other)).collect();
            vec![with, (0..a.nodes.len()).map(|other| other == from).collect()]
        }
    };
    let all: Vec<bool> = stays.iter().map(|stays| !stays).collect();
    (0..a.nodes.len()).find(|from| takes(*from).contains(&all)).map(node)
}

/// Returns the edges that are kept, by the names of their ends, in order.
fn edges_by_name(graph: &GraphBoard, keeps: impl Fn(usize) -> bool) -> Vec<(&str, &str, u8)> {
    let kept = (0..graph.edges.len()).filter(|edge| keeps(*edge));
    let mut all: Vec<(&str, &str, u8)> = kept
        .map(|edge| {
            let [x, y] = graph.edges[edge].ends.map(|end| &*graph.nodes[end]);
            (x.min(y), x.max(y), graph.edges[edge].kind as u8)
        })
        .collect();
    all.sort_unstable();
    all
}

/// Returns the edges that hang together with the ground without one of them.
fn held_up(graph: &GraphBoard, ground: usize, cut: usize) -> Vec<bool> {
    let mut reached = vec![false; graph.nodes.len()];
    reached[ground] = true;
    for _ in 0..graph.nodes.len() {
        for (edge, stated) in graph.edges.iter().enumerate() {
            if edge != cut && stated.ends.iter().any(|end| reached[*end]) {
                stated.ends.iter().for_each(|end| reached[*end] = true);
            }
        }
    }
    graph.edges.iter().map(|edge| reached[edge.ends[0]]).collect()
}

/// Returns the line along which one sheet is cut: into parts that stay, or so that one part stays.
fn cut(a: &[(u32, u32)], b: &[(u32, u32)], summand: usize) -> Option<BoardPart> {
    let turned = |(rows, columns): (u32, u32)| (rows.min(columns), rows.max(columns));
    let mut new: Vec<(u32, u32)> = b.iter().copied().map(turned).collect();
    let mut old = None;
    for (sheet, size) in a.iter().enumerate() {
        match new.iter().position(|other| *other == turned(*size)) {
            Some(at) => {
                new.swap_remove(at);
            }
            None if old.is_none() => old = Some(sheet),
            None => return None,
        }
    }
    let sheet = old?;
    let (rows, columns) = a[sheet];
    // The lengths of the parts along a side, if the other side is whole.
    let along = |side: u32, other: u32| {
        let length = |part: &(u32, u32)| match *part {
            (x, y) if y == other => Some(x),
            (x, y) if x == other => Some(y),
            _ => None,
        };
        let lengths: Option<Vec<u32>> = new.iter().map(length).collect();
        lengths.filter(|lengths| {
            lengths.iter().sum::<u32>() <= side && lengths.iter().all(|part| *part < side)
        })
    };
    let place = |lengths: Vec<u32>| lengths.into_iter().min().unwrap_or(0);
    let upright = along(columns, rows).map(|lengths| (place(lengths), true));
    let (at, upright) =
        upright.or_else(|| along(rows, columns).map(|lengths| (place(lengths), false)))?;
    Some(BoardPart::Cut { summand, sheet, at, upright })
}

/// Returns the first card of which there are fewer, or that is another one.
fn card(a: &[Card], b: &[Card], summand: usize) -> Option<BoardPart> {
    let place = (0..a.len()).find(|place| b.get(*place) != Some(&a[*place]))?;
    Some(BoardPart::Square { summand, x: u32::try_from(place).ok()?, y: 0 })
}

//! Moves in words, by what they change on the board.

use bouton_core::{Board, Card, GraphBoard, GraphStand, number_with_noun};
use bouton_draw::board::squares_of;
use bouton_draw::move_highlight::changed_part;
use bouton_draw::scene::BoardPart;
use bouton_engine::Game;
use bouton_engine::sum::Sum;
use std::fmt;
use std::ops::Sub;

/// The form of the verb: of a move that was made, or of one that can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerbForm {
    /// *Took 2 from the first heap*.
    Past,
    /// *Take 2 from the first heap*.
    Imperative,
}

impl VerbForm {
    /// Returns the word in this form.
    fn choose(self, past: &'static str, imperative: &'static str) -> &'static str {
        match self {
            VerbForm::Past => past,
            VerbForm::Imperative => imperative,
        }
    }
}

/// Returns what a move between two boards does, in words; `None` if the boards do not tell.
pub fn describe_change(before: &Board, after: &Board, form: VerbForm) -> Option<String> {
    let (took, moved) = (form.choose("took", "take"), form.choose("moved", "move"));
    if let (Some(a), Some(b)) = (before.rows(), after.rows()) {
        let count = a.iter().sum::<u32>().checked_sub(b.iter().sum())?;
        let (verb, noun) = match before {
            Board::Beads(_) => (took, "bead"),
            _ => (form.choose("knocked down", "knock down"), "pin"),
        };
        return match count {
            0 if b.len() > a.len() => Some(format!("{} a row", form.choose("split", "split"))),
            0 => None,
            count => Some(format!("{verb} {}", number_with_noun(count, noun))),
        };
    }
    if let (Some(a), Some(b)) = (before.heaps(), after.heaps())
        && a.len() == b.len()
    {
        return taken(a, b).map(|taken| format!("{took} {taken}"));
    }
    Some(match (before, after) {
        (Board::Track { visited, token: from }, Board::Track { token, .. }) => {
            let steps = (token + visited.len() - from) % visited.len().max(1);
            format!("{moved} {steps} on, to cell {token}")
        }
        (Board::Strip(_), Board::Strip(_)) => {
            let [left, reached] = before.places_apart(after)?;
            format!("{moved} a coin from {} to {}", left.first()?, reached.first()?)
        }
        (Board::Faces(_), Board::Faces(_)) => {
            let turned_over = form.choose("turned", "turn");
            let mut turned = before.places_apart(after)?.concat();
            turned.sort_unstable();
            let listed: Vec<String> = turned.iter().map(u32::to_string).collect();
            match &listed[..] {
                [] => return None,
                [one] => format!("{turned_over} coin {one}"),
                more => format!("{turned_over} coins {}", more.join(", ")),
            }
        }
        (Board::Queen { .. }, Board::Queen { x, y }) => format!("{moved} the queen to {x},{y}"),
        (Board::Purses { stones: a, .. }, Board::Purses { stones: b, .. }) => {
            let taken = a.checked_sub(*b)?;
            let them = if taken == 1 { "it" } else { "them" };
            format!(
                "{took} {} and {} for {them}",
                number_with_noun(taken, "stone"),
                form.choose("paid", "pay")
            )
        }
        (Board::Graph(graph), Board::Graph(_)) => {
            of_graph(graph, changed_part(before, after)?, (took, moved, form.choose("cut", "cut")))?
        }
        (Board::Sheets(sheets), Board::Sheets(_)) => match changed_part(before, after)? {
            BoardPart::Cut { sheet, at, upright, .. } => {
                let (rows, columns) = *sheets.get(sheet)?;
                let line = if upright { "column" } else { "row" };
                let side = if upright { columns } else { rows };
                let cut = form.choose("cut", "cut");
                let whole = format!("{cut} the {rows} by {columns} sheet");
                match (at, after_area(after) < after_area(before)) {
                    (0, _) => format!("{took} all of the {rows} by {columns} sheet"),
                    (at, true) => format!(
                        "{cut} {} off the {rows} by {columns} sheet",
                        number_with_noun(side - at, line)
                    ),
                    (at, false) => format!("{whole} after {line} {at}"),
                }
            }
            _ => return None,
        },
        (Board::Cards { cards, .. }, Board::Cards { cards: left, .. }) => {
            // Cards that were replaced are no choice of one.
            let count =
                |cards: &[Card]| cards.iter().map(|card| u64::from(card.count)).sum::<u64>();
            match changed_part(before, after)? {
                BoardPart::Square { x, .. } if count(left) < count(cards) => {
                    format!("{} {}", form.choose("chose", "choose"), cards.get(x as usize)?.name)
                }
                _ => return None,
            }
        }
        (Board::Text(a), Board::Text(b)) => of_squares(&squares_of(a)?, &squares_of(b)?, form)?,
        (Board::Sum(_), Board::Sum(_)) => {
            let (summand, words) = in_summand(before, after, form)?;
            format!("{words} in summand {}", summand + 1)
        }
        _ => return None,
    })
}

/// Returns what is taken from heaps that keep their places: `2 from the second heap`, from the only
/// heap `2 tokens`; `None` if a heap grows, or none is lowered.
pub fn taken<N: Copy + Ord + Sub<Output = N> + fmt::Display + From<u8>>(
    before: &[N],
    after: &[N],
) -> Option<String> {
    if before.len() != after.len() || before.iter().zip(after).any(|(before, after)| after > before)
    {
        return None;
    }
    let told = |i: usize| match before.len() {
        1 => number_with_noun(before[i] - after[i], "token"),
        _ => format!("{} from the {} heap", before[i] - after[i], ordinal(i + 1)),
    };
    let lowered: Vec<String> =
        (0..before.len()).filter(|i| after[*i] < before[*i]).map(told).collect();
    match &lowered[..] {
        [] => None,
        [one] => Some(one.clone()),
        [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
    }
}

/// Says what is remembered behind a move.
pub(crate) fn remembers(numbers: &str) -> String {
    let are = if numbers.contains(',') { "are" } else { "is" };
    format!(", and {numbers} {are} remembered")
}

const ORDINALS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// Returns the place in a row that a word says; `None` if it is none.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn place_of_ordinal(word: &str) -> Option<u64> {
    ORDINALS.iter().position(|ordinal| *ordinal == word).map(|at| at as u64 + 1)
}

/// Returns a place in a row in words.
pub(crate) fn ordinal(n: usize) -> String {
    match (n.checked_sub(1).and_then(|at| ORDINALS.get(at)), n % 10, n / 10 % 10) {
        (Some(word), ..) => (*word).into(),
        (None, 1, ten) if ten != 1 => format!("{n}st"),
        (None, 2, ten) if ten != 1 => format!("{n}nd"),
        (None, 3, ten) if ten != 1 => format!("{n}rd"),
        _ => format!("{n}th"),
    }
}

/// Returns the summand, counted from 0, in which a move of a sum is made, and what it does there.
fn in_summand(before: &Board, after: &Board, form: VerbForm) -> Option<(usize, String)> {
    let (Board::Sum(a), Board::Sum(b)) = (before, after) else { return None };
    // Purses change hands in every summand.
    let plain = |board: &Board| match board {
        Board::Purses { stones, .. } => {
            Board::Row(vec![u32::try_from(*stones).unwrap_or(u32::MAX)])
        }
        board => board.clone(),
    };
    let moved = |i: &usize| plain(&a[*i]) != plain(&b[*i]);
    let i = (0..a.len().min(b.len())).find(moved)?;
    Some((i, describe_change(&a[i], &b[i], form)?))
}

/// Returns what a move of a game between two boards does, in words; where the game is a sum, with
/// the name of the summand in the position `from`. `None` if the boards do not tell.
pub fn describe_move(
    game: &dyn Game,
    from: &str,
    [before, after]: [&Board; 2],
    form: VerbForm,
) -> Option<String> {
    let Some(sum) = game.ruleset().downcast_ref::<Sum>() else {
        return describe_change(before, after, form);
    };
    let (i, mut words) = in_summand(before, after, form)?;
    if let (Board::Sum(a), Board::Sum(b)) = (before, after)
        && let (Some(a), Some(b)) = (a[i].heaps(), b[i].heaps())
        && let Some(heaps) = a.len().checked_sub(sum.memory()[i]).filter(|heaps| *heaps < a.len())
        && let Some(taken) = taken(&a[..heaps], &b[..heaps])
    {
        let numbers: Vec<String> = b[heaps..].iter().map(u32::to_string).collect();
        let took = form.choose("took", "take");
        words = format!("{took} {taken}{}", remembers(&numbers.join(",")));
    }
    let summands = sum.summands_of(from).ok()?;
    let name = &summands.get(i)?.game;
    Some(match summands.iter().filter(|summand| summand.game == *name).count() {
        1 => format!("{words} in {name}"),
        _ => format!("{words} in summand {}, {name}", i + 1),
    })
}

/// Returns the squares of all sheets of a board.
fn after_area(board: &Board) -> u64 {
    let Board::Sheets(sheets) = board else { return 0 };
    sheets.iter().map(|(rows, columns)| u64::from(*rows) * u64::from(*columns)).sum()
}

/// Returns what a move on a graph does.
fn of_graph(
    graph: &GraphBoard,
    part: BoardPart,
    (took, moved, cut): (&str, &str, &str),
) -> Option<String> {
    let name = |node: usize| graph.nodes.get(node).cloned();
    Some(match part {
        BoardPart::GraphNode { node, .. } if graph.token.is_some() => {
            format!("{moved} the token to {}", name(node)?)
        }
        BoardPart::GraphNode { node, .. } => format!("{took} node {}", name(node)?),
        BoardPart::GraphEdge { edge, .. } => {
            let [a, b] = graph.edges.get(edge)?.ends;
            match graph.stand {
                GraphStand::Ground(ground) if a == ground => {
                    format!("{cut} the edge from the ground to {}", name(b)?)
                }
                GraphStand::Ground(ground) if b == ground => {
                    format!("{cut} the edge from the ground to {}", name(a)?)
                }
                GraphStand::Ground(_) => {
                    format!("{cut} the edge between {} and {}", name(a)?, name(b)?)
                }
                _ => format!("{took} the edge between {} and {}", name(a)?, name(b)?),
            }
        }
        _ => return None,
    })
}

/// Returns what a move on a picture of squares does: it fills one or two, frees one, or moves what
/// stands on one.
fn of_squares(before: &[Vec<char>], after: &[Vec<char>], form: VerbForm) -> Option<String> {
    let lengths = |rows: &[Vec<char>]| rows.iter().map(Vec::len).collect::<Vec<_>>();
    if lengths(before) != lengths(after) {
        return None;
    }
    let mut changed = Vec::new();
    for (y, row) in before.iter().enumerate() {
        for (x, was) in row.iter().enumerate() {
            if after[y][x] != *was {
                changed.push((x, y, *was, after[y][x]));
            }
        }
    }
    let place = |x: usize, y: usize| match before.len() {
        1 => format!("square {}", x + 1),
        _ => format!("row {}, column {}", y + 1, x + 1),
    };
    let moved = form.choose("moved", "move");
    Some(match changed[..] {
        [(x, y, '.', _)] => format!("{} {}", form.choose("marked", "mark"), place(x, y)),
        [(x, y, _, '.')] => {
            format!("{} the piece on {}", form.choose("took", "take"), place(x, y))
        }
        [(x, y, '.', a), (u, v, '.', b)] if a == b && x.abs_diff(u) + y.abs_diff(v) == 1 => {
            format!("{} a domino on {} and {}", form.choose("put", "put"), place(x, y), place(u, v))
        }
        [(x, y, a, to), (u, v, '.', b)] if a == b && matches!(to, '.' | '#') => {
            format!("{moved} {a} from {} to {}", place(x, y), place(u, v))
        }
        [(x, y, '.', a), (u, v, b, to)] if a == b && matches!(to, '.' | '#') => {
            format!("{moved} {a} from {} to {}", place(u, v), place(x, y))
        }
        // One piece takes another one.
        [(x, y, a, '.'), (u, v, _, b)] if a == b => {
            format!("{moved} {a} from {} to {}", place(x, y), place(u, v))
        }
        [(x, y, _, b), (u, v, a, '.')] if a == b => {
            format!("{moved} {a} from {} to {}", place(u, v), place(x, y))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(picture: &str) -> Board {
        Board::Text(picture.to_owned())
    }

    #[test]
    fn moves_are_told_and_proposed() {
        let said = |before: &Board, after: &Board| {
            let told = [VerbForm::Past, VerbForm::Imperative]
                .map(|form| describe_change(before, after, form));
            told.map(Option::unwrap_or_default)
        };
        let row = |heaps: &[u32]| Board::Row(heaps.to_vec());
        assert_eq!(
            said(&row(&[3, 4]), &row(&[3, 2])),
            ["took 2 from the second heap", "take 2 from the second heap"]
        );
        assert_eq!(said(&text("..."), &text("##."))[1], "put a domino on square 1 and square 2");
        assert_eq!(said(&text("T.F"), &text(".TF"))[0], "moved T from square 1 to square 2");
        assert_eq!(
            said(&text("LRL\n..."), &text(".LL\n..."))[1],
            "move L from row 1, column 1 to row 1, column 2"
        );
        let sheets = |all: &[(u32, u32)]| Board::Sheets(all.to_vec());
        assert_eq!(
            said(&sheets(&[(4, 6)]), &sheets(&[(4, 2), (4, 4)]))[0],
            "cut the 4 by 6 sheet after column 2"
        );
        assert_eq!(
            said(&sheets(&[(7, 25)]), &sheets(&[(7, 11)]))[1],
            "cut 14 columns off the 7 by 25 sheet"
        );
        assert_eq!(said(&sheets(&[(2, 4)]), &sheets(&[]))[1], "take all of the 2 by 4 sheet");
        assert_eq!(said(&row(&[3]), &row(&[4])), ["", ""]);
    }
}

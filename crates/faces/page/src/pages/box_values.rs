//! The panel beside a board of Dots and Boxes, which has no table of positions: the margins of
//! whole boards or of pairs of chains, and the long-chain rule with the numbers of the position.

use crate::playthrough::Playthrough;
use crate::request::encoded;
use bouton_core::{Board, Budget};
use bouton_dots::board_values;
use bouton_engine::Settings;
use bouton_games::Catalogue;
use maud::{Markup, html};

/// The longest side of boards in the table.
const MAX_BOARD_SIDE: u32 = 6;

/// Returns the table and the rule; nothing for boards of other games.
pub(super) fn panel(
    catalogue: &Catalogue,
    playthrough: &Playthrough,
    budget: &Budget,
) -> Option<Markup> {
    let board = playthrough.game.board(playthrough.now()).ok()?;
    let (table, open) = match &board {
        Board::Dots { horizontal, vertical, .. } => {
            let lines = horizontal.iter().chain(vertical).filter(|drawn| !**drawn).count();
            (boards(&playthrough.game.name()), lines)
        }
        Board::Coins { whole, .. } => {
            (chains(catalogue, budget)?, whole.iter().filter(|whole| **whole).count())
        }
        _ => return None,
    };
    let left = crate::playthrough::boxes(Some(&board)).iter().filter(|taken| !**taken).count();
    Some(html! { (table) @if open > 0 { (rule(matches!(board, Board::Dots { .. }), open, left)) } })
}

/// Shows what boards of one border are worth.
fn boards(name: &str) -> Markup {
    let all = board_values();
    let border = |game: &str| ["swedish", "icelandic"].into_iter().find(|word| game.contains(word));
    let shown: Vec<_> = all
        .iter()
        .filter(|board| border(&board.game()) == border(name) && board.columns <= MAX_BOARD_SIDE)
        .collect();
    let side =
        |side: fn(&&bouton_dots::BoardValue) -> u32| shown.iter().map(side).max().unwrap_or(0);
    let (rows, columns) = (side(|board| board.rows), side(|board| board.columns));
    html! {
        h2 { "What boards are worth" }
        p.notation { "Boxes of who begins less those of the other, with best play on both sides. \
            A click plays the board." }
        table.worth {
            thead { tr { th scope="col" { "boxes" } @for c in 1..=columns { th scope="col" { (c) } }
                } }
            tbody {
                @for r in 1..=rows {
                    tr {
                        th scope="row" { (r) }
                        @for c in 1..=columns {
                            @match shown.iter().find(|board|
                                (board.rows, board.columns) == (r.min(c), r.max(c))) {
                                Some(board) => td { a href={ "/play?game=" (encoded(&board.game()))
                                    } aria-current=[(board.game() == name).then_some("true")] {
                                        (signed(board.margin)) } },
                                None => td.to { "–" },
                            }
                        }
                    }
                }
            }
        }
        p { a href="/table?game=dots" { "All values and their sources" } }
    }
}

/// Returns a margin with its sign, as it is written.
fn signed(margin: i32) -> String {
    match margin {
        0 => "0".into(),
        margin if margin < 0 => format!("−{}", -i64::from(margin)),
        margin => format!("+{margin}"),
    }
}

/// Shows what two chains of coins, both tied to the ground at both ends, are worth to whoever has
/// to move.
fn chains(catalogue: &Catalogue, budget: &Budget) -> Option<Markup> {
    /// Coins in a chain.
    const LENGTHS: std::ops::RangeInclusive<u32> = 2..=5;
    /// Nodes for each of them.
    const NODES: u64 = 50_000;
    let mut rows = Vec::new();
    for first in LENGTHS {
        let mut row = Vec::new();
        for second in LENGTHS {
            let name = two_chains(first.min(second), first.max(second));
            let game = catalogue.parse(&name).ok()?.game;
            let budget = Budget { nodes: Some(NODES), ..budget.clone() };
            let found =
                game.session(Settings { budget, ..Settings::default() }).evaluate(&game.start()?);
            row.push((name, found.ok()?.ok().and_then(|found| found.margin)));
        }
        rows.push((first, row));
    }
    Some(html! {
        h2 { "What two chains are worth" }
        p.notation { "Two chains of coins, each tied to the ground at both ends: coins of who has \
            to move less those of the other, with best play on both sides. A click plays them." }
        table.worth {
            thead { tr { th scope="col" { "coins" } @for second in LENGTHS {
                th scope="col" { (second) } } } }
            tbody {
                @for (first, row) in &rows {
                    tr { th scope="row" { (first) } @for (name, margin) in row {
                        td { a href={ "/play?game=" (encoded(name)) }
                            { @match margin { Some(margin) => (signed(*margin)), None => "?" } } }
                    } }
                }
            }
        }
    })
}

/// Returns the game on two chains of this many coins.
fn two_chains(first: u32, second: u32) -> String {
    let chain = |from: u32, to: u32| {
        let links = (from..to).map(|coin| format!("{coin}-{}", coin + 1));
        let mut strings = vec![format!("{from}-0")];
        strings.extend(links);
        strings.push(format!("{to}-0"));
        strings.join(",")
    };
    format!("coins({},{})", chain(1, first), chain(first + 1, first + second))
}

/// Shows the long-chain rule with the numbers of a position.
fn rule(is_dots: bool, open: usize, left: usize) -> Markup {
    let (lines, boxes) = if is_dots { ("lines", "boxes") } else { ("strings", "coins") };
    let wanted = if (open + left).is_multiple_of(2) { "an odd number" } else { "an even number" };
    html! {
        h2 { "The long-chain rule" }
        p { "A chain is long if it has three " (boxes) " or more. Whoever never has to open a long \
            chain takes almost all of them. With L " (lines) " left, B " (boxes)
            " left and in the end K long chains, L − B + K turns are left, or an even number more \
             (Berlekamp). Whoever makes the last one takes the last chain." }
        details {
            summary { "What it says here" }
            p { "Here L − B = " (open) " − " (left) ", so whoever is to move wants " strong {
                (wanted) " of long chains" } ". This is a rule of play, not a proof: with few "
                    (boxes) " short chains can decide." }
        }
        p { a href="/learn?course=dots" { "Learn it step by step" } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand (Berlekamp): with two long chains of a ≤ b the opener loses a − 2 and gains 2, then
    /// loses b, or if the other takes all of the first chain, has lost a and wins b.
    #[test]
    fn two_long_chains() {
        for (a, b) in [(3i32, 3i32), (3, 4), (4, 4), (3, 5), (4, 5), (5, 5)] {
            let name = two_chains(a as u32, b as u32);
            let Ok(named) = Catalogue::standard().parse(&name) else { panic!("{name}") };
            let start = named.game.start().unwrap_or_default();
            let mut session = named.game.session(Settings::default());
            let Ok(Ok(found)) = session.evaluate(&start) else { panic!("{name}") };
            assert_eq!(found.margin, Some(-(a - 4 + b).max(a - b)), "{name}");
        }
    }

    #[test]
    fn margins_are_written_with_their_signs() {
        assert_eq!([-2, 0, 3].map(signed), ["−2", "0", "+3"]);
    }
}

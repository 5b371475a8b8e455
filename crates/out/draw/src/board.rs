//! Boards: heaps in a row, in a pile or on a ring, rows of pins, strings of beads, coins on a
//! strip, coins in a row, the circular track, the queen's board, dots, coins, purses, sums.
//!
//! Heaps too tall to count are drawn as a bar with their number, and boards too wide are cut. The
//! description says so.

mod circle;
mod heaps;
mod pins;
mod purses;
mod squares;
mod strip;

use crate::boxes::{coins, dots};
use crate::cards::cards;
use crate::graph::graph;
use crate::scene::{ACCENT, Anchor, BAD, BoardPart, Colour, GOOD, INK, Scene, text_width};
use crate::sheets::sheets;
use bouton_core::{Board, DotsStructure};
use circle::track;
use heaps::{Middle, Stand, ring, row};
use pins::{pins, removed_pins};
use purses::purses;
pub use squares::squares_of;
use squares::{characters, queen, squares};
use strip::strip;

/// The tallest heap that is drawn token by token.
const MAX_TOKENS: u32 = 24;
/// The greatest number of heaps drawn.
const MAX_HEAPS: usize = 40;
/// The longest row of pins that is drawn pin by pin.
const MAX_PINS: u32 = 80;
/// The largest circle of cells that is drawn completely; of a larger one only the cells around the
/// token are drawn.
const MAX_CELLS: usize = 256;
/// The number of cells drawn on either side of the token on a larger circle.
const CELLS_AROUND: usize = 20;
/// The number of squares on a side of the queen's board that are drawn.
const MAX_SQUARES: u32 = 24;

/// The number of squares of a strip that are drawn.
const MAX_STRIP: u32 = 200;
/// Squares of a strip side by side: on a board for fingers, 44 pixels each on a telephone, and
/// otherwise.
const STRIP_SQUARES: [u32; 2] = [7, 20];

/// Marks on a board in addition to the position.
#[derive(Debug, Clone, Copy, Default)]
pub struct BoardView<'v> {
    /// The board before the last move; removed tokens are outlined.
    pub before: Option<&'v Board>,
    /// An incomplete move: the heaps that it would leave. Tokens above are outlined as chosen.
    pub draft: Option<&'v [u32]>,
    /// The owner of each box, row by row, or of each coin: true is the first player.
    pub owners: Option<&'v [Option<bool>]>,
    /// The structure of the position.
    pub sight: Option<&'v DotsStructure>,
    /// The values of moves, each at the part of the board that makes the move.
    pub values: &'v [(BoardPart, MoveValue)],
    /// The numbers of pins that moves take from a row, but for 1; 0 if rows are cut. Each has
    /// handles below the pins.
    pub handles: &'v [u32],
    /// The pairs of squares of a picture that a move changes, and the lines along which sheets are
    /// cut: each has a joint.
    pub joints: &'v [BoardPart],
    /// The board with which the game began: what is left keeps its place on it.
    pub start: Option<&'v Board>,
    /// Whether the board is for fingers: rows are further apart, and small parts have invisible
    /// areas around them that take the touch.
    pub touch: bool,
}

/// The value of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveValue {
    /// The value in a few characters.
    pub text: String,
    /// The loss against the best move, if both values are known.
    pub loss: Option<u32>,
}

impl MoveValue {
    pub(crate) fn colour(&self) -> Colour {
        match self.loss {
            Some(0) => GOOD,
            Some(1..=2) => ACCENT,
            Some(_) => BAD,
            None => INK,
        }
    }
}

/// Lays out a board.
pub fn scene(title: &str, board: &Board) -> Scene {
    scene_with(title, board, BoardView::default())
}

/// Lays out a board with the marks of a view.
pub fn scene_with(title: &str, board: &Board, view: BoardView<'_>) -> Scene {
    let mut scene = Scene::new(title, describe(board));
    draw(&mut scene, board, view, 0, 0.0);
    scene
}

/// Describes a board in words.
pub fn describe(board: &Board) -> String {
    let list = |sizes: &[u32]| {
        let listed: Vec<String> = sizes.iter().take(MAX_HEAPS).map(u32::to_string).collect();
        let rest = if sizes.len() > MAX_HEAPS {
            format!(" and {} more", sizes.len() - MAX_HEAPS)
        } else {
            String::new()
        };
        listed.join(", ") + &rest
    };
    let heaps = |n: usize| if n == 1 { "1 heap".into() } else { format!("{n} heaps") };
    match board {
        Board::Row(sizes) if sizes.is_empty() => "No heap is left.".into(),
        Board::Row(sizes) => format!("{} in a row: {}.", heaps(sizes.len()), list(sizes)),
        Board::Remembering { heaps: sizes, remembered } => {
            let row = describe(&Board::Row(sizes.clone()));
            format!("{row} Remembered: {}.", remembered.replace(',', ", "))
        }
        Board::Several { heaps: sizes, at_once } => {
            format!("{} in a row: {}. {}.", heaps(sizes.len()), list(sizes), at_most(*at_once))
        }
        Board::Complex { heaps: sizes, faces } => {
            let faces: Vec<String> = faces.iter().map(|face| face_text(face)).collect();
            let (count, sizes) = (heaps(sizes.len()), list(sizes));
            format!(
                "{count}: {sizes}. One move takes from heaps of one face; the faces: {}.",
                faces.join("; ")
            )
        }
        Board::Pile(size) => format!("A pile of {size}."),
        Board::Ring(sizes) | Board::Loop(sizes) if sizes.is_empty() => {
            "No heap is left on the circle.".into()
        }
        Board::Ring(sizes) => {
            format!("{} on a circle, clockwise: {}.", heaps(sizes.len()), list(sizes))
        }
        Board::Loop(sizes) => {
            let heaps = heaps(sizes.len());
            format!("{heaps} on a circle that closes up, clockwise: {}.", list(sizes))
        }
        Board::Pins(rows) if rows.is_empty() => "No pin is left.".into(),
        Board::Pins(rows) => format!("Rows of pins: {}.", list(rows)),
        Board::Beads(rows) if rows.is_empty() => "No bead is left.".into(),
        Board::Beads(rows) => format!("Strings of beads: {}.", list(rows)),
        Board::Strip(squares) if squares.is_empty() => "No coin is on the strip.".into(),
        Board::Strip(squares) => format!("Coins on these squares of a strip: {}.", list(squares)),
        Board::Faces(heads) if heads.is_empty() => "A row of coins, all tails.".into(),
        Board::Faces(heads) => format!("A row of coins, heads at these places: {}.", list(heads)),
        Board::Track { visited, token } => {
            let all = || {
                visited
                    .iter()
                    .enumerate()
                    .filter(|(_, is_visited)| **is_visited)
                    .map(|(cell, _)| cell as u32)
            };
            // As many cells as a completely drawn circle can have.
            let cells: Vec<String> = all().take(MAX_CELLS).map(|cell| cell.to_string()).collect();
            let rest = all().count() - cells.len();
            let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            let (n, cells) = (visited.len(), cells.join(", "));
            format!("A circle of {n} cells, token on cell {token}. Visited: {cells}{rest}.")
        }
        Board::Queen { x, y } => {
            format!(
                "A queen {x} squares from the left edge and {y} from the lower edge; heaps of {x} \
                 and {y}."
            )
        }
        Board::Dots { rows, columns, horizontal, vertical } => {
            let drawn = horizontal.iter().chain(vertical).filter(|line| **line).count();
            let lines = horizontal.len() + vertical.len();
            format!("A board of {rows} by {columns} boxes; {drawn} of {lines} lines are drawn.")
        }
        Board::Coins { strings, whole } => {
            let left: Vec<String> = strings
                .iter()
                .zip(whole)
                .filter(|(_, whole)| **whole)
                .map(|((a, b), _)| match b {
                    Some(b) => format!("{} and {}", a + 1, b + 1),
                    None => format!("{} and the ground", a + 1),
                })
                .collect();
            if left.is_empty() {
                "All coins are taken.".into()
            } else {
                format!("Strings between {}.", left.join(", "))
            }
        }
        Board::Purses { stones, mover, other } => {
            let purse = |dollars: &Option<u64>| {
                dollars.map_or("unlimited money".into(), |d| format!("{d} dollars"))
            };
            format!(
                "A pile of {stones} stones. The player to move has {}, the other {}.",
                purse(mover),
                purse(other)
            )
        }
        Board::Graph(graph) => crate::graph::describe(graph),
        Board::Sheets(sheets) => crate::sheets::describe(sheets),
        Board::Cards { cards, note } => crate::cards::describe(cards, note),
        Board::Text(picture) => {
            let lines: Vec<&str> = picture.lines().collect();
            format!("{}.", lines.join(" / "))
        }
        Board::Sum(boards) => {
            let parts: Vec<String> = boards
                .iter()
                .enumerate()
                .map(|(i, b)| format!("Summand {}: {}", i + 1, describe(b)))
                .collect();
            parts.join(" ")
        }
    }
}

/// Returns how many heaps a move lowers, in words.
fn at_most(heaps: usize) -> String {
    format!("up to {heaps} heaps in one move")
}

/// Returns the heaps of a face as they are counted, from 1.
fn face_text(face: &[usize]) -> String {
    face.iter().map(|heap| (heap + 1).to_string()).collect::<Vec<_>>().join(",")
}

/// Draws a board below `top`, and enlarges the scene to contain it.
fn draw(scene: &mut Scene, board: &Board, view: BoardView<'_>, summand: usize, top: f64) {
    let (width, height) = match board {
        Board::Row(sizes) => row(scene, sizes, view, summand, top, Stand::Row),
        Board::Remembering { heaps, remembered } => {
            /// The size of the letters below the heaps.
            const LETTERS: f64 = 14.0;
            let (width, height) = row(scene, heaps, view, summand, top, Stand::Row);
            let words = format!("remembered: {}", remembered.replace(',', ", "));
            let width = width.max(text_width(&words, LETTERS) + 24.0);
            scene.text(width / 2.0, top + height + 2.0, LETTERS, words, Anchor::Middle);
            (width, height + 18.0)
        }
        Board::Several { heaps, at_once } => {
            row(scene, heaps, view, summand, top, Stand::Several(*at_once))
        }
        Board::Pile(size) => row(scene, &[*size], view, summand, top, Stand::Pile),
        Board::Ring(sizes) => ring(scene, sizes, view, summand, top, Middle::Circle),
        Board::Loop(sizes) => ring(scene, sizes, view, summand, top, Middle::String),
        Board::Complex { heaps, faces } => {
            ring(scene, heaps, view, summand, top, Middle::Faces(faces))
        }
        Board::Pins(rows) | Board::Beads(rows) => {
            let before = view.before.and_then(|before| removed_pins(before.rows()?, rows));
            let are_beads = matches!(board, Board::Beads(_));
            pins(scene, rows, before, (view, are_beads), summand, top)
        }
        Board::Strip(places) | Board::Faces(places) => {
            let before = view.before.and_then(Board::places).unwrap_or(places);
            strip(scene, board, before, view.touch, summand, top)
        }
        Board::Track { visited, token } => {
            let before = match view.before {
                Some(Board::Track { token: before, .. }) if before != token => Some(*before),
                _ => None,
            };
            track(scene, visited, *token, before, summand, top)
        }
        Board::Queen { x, y } => {
            let before = match view.before {
                Some(Board::Queen { x: a, y: b }) if (a, b) != (x, y) => Some((*a, *b)),
                _ => None,
            };
            queen(scene, (*x, *y), before, summand, top)
        }
        Board::Dots { rows, columns, horizontal, vertical } => {
            dots(scene, (*rows, *columns), horizontal, vertical, view, top)
        }
        Board::Coins { strings, whole } => coins(scene, strings, whole, view, top),
        Board::Purses { stones, mover, other } => {
            let before = match view.before {
                Some(Board::Purses { stones: before, .. }) => *before,
                _ => *stones,
            };
            purses(scene, (*stones, before), (*mover, *other), view.touch, summand, top)
        }
        Board::Graph(board) => graph(scene, board, view, summand, top),
        Board::Sheets(all) => sheets(scene, all, view, summand, top),
        Board::Cards { cards: all, note } => cards(scene, all, note, view, summand, top),
        Board::Text(picture) => match squares_of(picture) {
            Some(rows) => squares(scene, &rows, view, summand, top),
            None => characters(scene, picture, top),
        },
        Board::Sum(boards) => {
            for (i, part) in boards.iter().enumerate() {
                if i > 0 {
                    let y = scene.height.max(top);
                    scene.text(12.0, y + 8.0, 20.0, "+", Anchor::Start);
                    scene.height = y + 16.0;
                }
                let y = scene.height.max(top);
                let before = match view.before {
                    Some(Board::Sum(before)) if before.len() == boards.len() => before.get(i),
                    _ => None,
                };
                let start = match view.start {
                    Some(Board::Sum(start)) if start.len() == boards.len() => start.get(i),
                    _ => None,
                };
                let part_view = BoardView {
                    before,
                    start,
                    owners: None,
                    draft: None,
                    sight: None,
                    values: &[],
                    ..view
                };
                draw(scene, part, part_view, i, y);
            }
            return;
        }
    };
    scene.width = scene.width.max(width);
    scene.height = scene.height.max(top + height);
}

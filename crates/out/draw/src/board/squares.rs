//! The queen's board, boards of squares, and pictures of characters.

use super::{BoardView, MAX_SQUARES};
use crate::scene::{
    ACCENT, Anchor, BoardPart, INK, PAPER, PURSE, SPENT, Scene, Shape, Style, TOKEN, WASH,
};
use bouton_core::Board;

pub(super) fn queen(
    scene: &mut Scene,
    (x, y): (u32, u32),
    before: Option<(u32, u32)>,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let side = 22.0;
    let margin = 26.0;
    // Only the squares near the queen and her lines fit; a distant board shows its upper right
    // corner. Her previous square is shown if it fits.
    let from = before.filter(|(a, b)| *a.max(b) <= MAX_SQUARES && *a >= x && *b >= y);
    let (far, high) = from.unwrap_or((x, y));
    let (columns, rows) = (far.clamp(4, MAX_SQUARES) + 1, high.clamp(4, MAX_SQUARES) + 1);
    let (first, lowest) = (x.saturating_sub(columns - 1), y.saturating_sub(rows - 1));
    for row in 0..rows {
        let yy = top + margin / 2.0 + f64::from(rows - 1 - row) * side;
        for column in 0..columns {
            let xx = margin + f64::from(column) * side;
            let (cx, cy) = (first + column, lowest + row);
            let part = BoardPart::Square { summand, x: cx, y: cy };
            let below = cx <= x && cy <= y;
            let reached = below && (cx == x || cy == y || x - cx == y - cy);
            let fill = if reached { WASH } else { PAPER };
            scene.add_part(
                part,
                Shape::Box(xx, yy, side, side, 0.0),
                Style::line(SPENT, 1.0).filled(fill),
            );
            if (cx, cy) == (x, y) {
                let place =
                    Shape::Text(xx + side / 2.0, yy + side / 2.0, 18.0, "♛".into(), Anchor::Middle);
                scene.add_part(part, place, Style::fill(ACCENT));
            }
            if from == Some((cx, cy)) {
                let place = Shape::Circle(xx + side / 2.0, yy + side / 2.0, 6.0);
                scene.add(place, Style::line(ACCENT, 2.0).dashed(true));
            }
        }
        if (lowest + row).is_multiple_of(if rows > 12 { 5 } else { 1 }) {
            let label = (lowest + row).to_string();
            scene.text(margin - 4.0, yy + side / 2.0, 10.0, label, Anchor::End);
        }
    }
    let floor = top + margin / 2.0 + f64::from(rows) * side;
    for column in
        (0..columns).filter(|c| (first + c).is_multiple_of(if columns > 12 { 5 } else { 1 }))
    {
        let label = (first + column).to_string();
        scene.text(
            margin + (f64::from(column) + 0.5) * side,
            floor + 10.0,
            10.0,
            label,
            Anchor::Middle,
        );
    }
    (margin + f64::from(columns) * side + 12.0, floor - top + 22.0)
}

/// Lines and characters of a line that are drawn of a picture made of characters.
const MAX_CHARACTERS: usize = 100;

/// Returns the characters of a picture of squares, row by row from the top: a dot is a free square,
/// `#` a full one, and a letter is what stands on a square. `None` for a picture with other signs,
/// or of letters alone that are not all capitals.
pub fn squares_of(picture: &str) -> Option<Vec<Vec<char>>> {
    let rows: Vec<Vec<char>> =
        picture.lines().map(|line| line.chars().filter(|c| !c.is_whitespace()).collect()).collect();
    let is_plain = |c: &char| matches!(c, '.' | '#');
    let all = rows.iter().flatten();
    let is_small =
        rows.len() <= MAX_CHARACTERS && rows.iter().all(|row| row.len() <= MAX_CHARACTERS);
    let is_drawn = all.clone().any(is_plain)
        || all.clone().next().is_some() && all.clone().all(char::is_ascii_uppercase);
    let fits = is_small && is_drawn && all.clone().all(|c| is_plain(c) || c.is_alphabetic());
    fits.then_some(rows)
}

/// Draws squares, free or full or with a letter, and joints between two of them, which select both.
/// What the last move changed has a ring.
pub(super) fn squares(
    scene: &mut Scene,
    rows: &[Vec<char>],
    view: BoardView<'_>,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    const SIDE: f64 = 34.0;
    const JOINT: f64 = 22.0;
    let before = match view.before {
        Some(Board::Text(before)) => squares_of(before),
        _ => None,
    };
    let place = |x: usize, y: usize| (8.0 + SIDE * x as f64, top + 8.0 + SIDE * y as f64);
    for (y, row) in rows.iter().enumerate() {
        for (x, character) in row.iter().enumerate() {
            let part = BoardPart::Square { summand, x: x as u32, y: y as u32 };
            let (left, high) = place(x, y);
            let fill = if *character == '#' { PURSE } else { PAPER };
            let square = Shape::Box(left, high, SIDE, SIDE, 0.0);
            scene.add_part(part, square, Style::line(SPENT, 1.0).filled(fill));
            if character.is_alphabetic() {
                let (cx, cy) = (left + SIDE / 2.0, high + SIDE / 2.0);
                // Marks stand on the square alone; pieces are discs, those of Left and heads dark.
                let disc = match character {
                    'X' | 'x' | 'O' | 'o' => None,
                    'L' | 'T' | 'H' => Some((TOKEN, PAPER)),
                    _ => Some((PURSE, INK)),
                };
                if let Some((fill, _)) = disc {
                    let circle = Shape::Circle(cx, cy, SIDE * 0.36);
                    scene.add_part(part, circle, Style::line(INK, 1.0).filled(fill));
                }
                let size = if disc.is_some() { 13.0 } else { 20.0 };
                let text = Shape::Text(cx, cy, size, character.to_string(), Anchor::Middle);
                scene.add_part(part, text, Style::fill(disc.map_or(INK, |(_, ink)| ink)));
            }
            let was = before.as_ref().and_then(|rows| rows.get(y)?.get(x));
            if was.is_some_and(|was| was != character) {
                let ring = Shape::Box(left + 3.0, high + 3.0, SIDE - 6.0, SIDE - 6.0, 3.0);
                scene.add(ring, Style::line(ACCENT, 2.0).dashed(true));
            }
        }
    }
    for part in view.joints {
        if let BoardPart::Domino { summand: own, x, y, upright } = *part
            && own == summand
        {
            let (left, high) = place(x as usize, y as usize);
            let (a, b) = if upright { (SIDE / 2.0, SIDE) } else { (SIDE, SIDE / 2.0) };
            let (across, down) = (left + a - JOINT / 2.0, high + b - JOINT / 2.0);
            scene.add_part(*part, Shape::Box(across, down, JOINT, JOINT, 0.0), Style::default());
            scene.add_part(*part, Shape::Circle(left + a, high + b, 4.0), Style::fill(SPENT));
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    (16.0 + SIDE * columns as f64, 16.0 + SIDE * rows.len() as f64)
}

/// Draws a picture made of characters, each in a square of its own.
pub(super) fn characters(scene: &mut Scene, picture: &str, top: f64) -> (f64, f64) {
    const SQUARE: f64 = 16.0;
    let (mut rows, mut columns) = (0, 1);
    for (row, line) in picture.lines().take(MAX_CHARACTERS).enumerate() {
        rows = row + 1;
        for (column, character) in line.chars().take(MAX_CHARACTERS).enumerate() {
            columns = columns.max(column + 1);
            if !character.is_whitespace() {
                let (x, y) = (SQUARE * (column as f64 + 1.0), top + SQUARE * (row as f64 + 1.0));
                scene.text(x, y, SQUARE - 2.0, character.to_string(), Anchor::Middle);
            }
        }
    }
    (SQUARE * (columns as f64 + 1.0), SQUARE * (rows as f64 + 1.0))
}

//! Boards: heaps in a row or on a ring, rows of pins, the circular track, the queen's board, dots, purses, sums.
//!
//! Heaps too tall to count are drawn as a bar with their number, boards too wide are cut, and the words say so.

use crate::scene::{ACCENT, Anchor, INK, Ink, PAPER, Part, SPENT, Scene, Shape, TOKEN, text_width};
use bouton_rules::Board;
use std::f64::consts::TAU;

/// The tallest heap that is drawn token by token.
const TALL: u32 = 24;
/// The most heaps drawn.
const MANY: usize = 40;
/// The longest row of pins drawn pin by pin.
const LONG: u32 = 80;
/// Squares of the queen's board drawn on a side.
const SQUARES: u32 = 24;

/// The board laid out.
pub fn scene(title: &str, board: &Board) -> Scene {
    let mut scene = Scene::new(title, describe(board));
    draw(&mut scene, board, 0, 0.0);
    scene
}

/// The board in words.
pub fn describe(board: &Board) -> String {
    let list = |sizes: &[u32]| {
        let shown: Vec<String> = sizes.iter().take(MANY).map(u32::to_string).collect();
        let rest =
            if sizes.len() > MANY { format!(" and {} more", sizes.len() - MANY) } else { String::new() };
        shown.join(", ") + &rest
    };
    let heaps = |n: usize| if n == 1 { "1 heap".into() } else { format!("{n} heaps") };
    match board {
        Board::Row(sizes) if sizes.is_empty() => "No heap is left.".into(),
        Board::Row(sizes) => format!("{} in a row: {}.", heaps(sizes.len()), list(sizes)),
        Board::Ring(sizes) if sizes.is_empty() => "No heap is left on the circle.".into(),
        Board::Ring(sizes) => format!("{} on a circle, clockwise: {}.", heaps(sizes.len()), list(sizes)),
        Board::Pins(rows) if rows.is_empty() => "No pin is left.".into(),
        Board::Pins(rows) => format!("Rows of pins: {}.", list(rows)),
        Board::Track { visited, token } => {
            let cells: Vec<String> = visited
                .iter()
                .enumerate()
                .filter(|(_, seen)| **seen)
                .map(|(cell, _)| cell.to_string())
                .collect();
            format!(
                "A circle of {} cells, token on cell {token}. Visited: {}.",
                visited.len(),
                cells.join(", ")
            )
        }
        Board::Queen { x, y } => {
            format!(
                "A queen {x} squares from the left edge and {y} from the lower edge; heaps of {x} and {y}."
            )
        }
        Board::Dots { rows, columns, horizontal, vertical } => {
            let drawn = horizontal.iter().chain(vertical).filter(|line| **line).count();
            let lines = horizontal.len() + vertical.len();
            format!("A board of {rows} by {columns} boxes; {drawn} of {lines} lines are drawn.")
        }
        Board::Purses { stones, mover, other } => {
            let purse =
                |dollars: &Option<u64>| dollars.map_or("unlimited money".into(), |d| format!("{d} dollars"));
            format!(
                "A pile of {stones} stones. The player to move has {}, the other {}.",
                purse(mover),
                purse(other)
            )
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

/// Draws a board below `top`, and widens the scene to hold it.
fn draw(scene: &mut Scene, board: &Board, summand: usize, top: f64) {
    let (width, height) = match board {
        Board::Row(sizes) => row(scene, sizes, summand, top),
        Board::Ring(sizes) => ring(scene, sizes, summand, top),
        Board::Pins(rows) => pins(scene, rows, summand, top),
        Board::Track { visited, token } => track(scene, visited, *token, summand, top),
        Board::Queen { x, y } => queen(scene, *x, *y, summand, top),
        Board::Dots { rows, columns, horizontal, vertical } => {
            dots(scene, *rows, *columns, horizontal, vertical, top)
        }
        Board::Purses { stones, mover, other } => purses(scene, *stones, *mover, *other, summand, top),
        Board::Sum(boards) => {
            for (i, part) in boards.iter().enumerate() {
                if i > 0 {
                    let y = scene.height.max(top);
                    scene.text(12.0, y + 8.0, 20.0, "+", Anchor::Start);
                    scene.height = y + 16.0;
                }
                let y = scene.height.max(top);
                draw(scene, part, i, y);
            }
            return;
        }
    };
    scene.width = scene.width.max(width);
    scene.height = scene.height.max(top + height);
}

/// One heap as a column of tokens that stands on `y`.
fn heap(scene: &mut Scene, size: u64, place: (usize, usize), x: f64, y: f64, step: f64) {
    let (summand, heap) = place;
    let r = step * 0.42;
    let shown = if size > u64::from(TALL) { 0 } else { size };
    for left in 0..shown {
        let y = y - step * (left as f64 + 0.5);
        let part = Part::Token { summand, heap, left };
        scene.add_part(part, Shape::Circle(x, y, r), Ink::line(INK, 1.0).filled(TOKEN));
    }
    if size > u64::from(TALL) {
        let height = step * 12.0;
        let part = Part::Token { summand, heap, left: 0 };
        scene.add_part(
            part,
            Shape::Box(x - r, y - height, 2.0 * r, height, 4.0),
            Ink::line(INK, 1.0).filled(TOKEN),
        );
    }
    scene.text(x, y + 12.0, 14.0, size.to_string(), Anchor::Middle);
}

fn row(scene: &mut Scene, sizes: &[u32], summand: usize, top: f64) -> (f64, f64) {
    let (step, margin) = (20.0, 16.0);
    let tallest = sizes.iter().copied().max().unwrap_or(0);
    let tallest = if tallest > TALL { 12 } else { tallest.max(1) };
    let floor = top + margin + step * f64::from(tallest);
    let mut x = margin;
    for (i, size) in sizes.iter().take(MANY).enumerate() {
        let width = (text_width(&size.to_string(), 14.0) + 8.0).max(30.0);
        heap(scene, u64::from(*size), (summand, i), x + width / 2.0, floor, step);
        x += width + 6.0;
    }
    if sizes.len() > MANY {
        let rest = format!("… and {} more", sizes.len() - MANY);
        scene.text(x, floor - 8.0, 14.0, &rest, Anchor::Start);
        x += text_width(&rest, 14.0);
    }
    let width = (x + margin).max(120.0);
    scene.add(Shape::Line(margin / 2.0, floor + 1.0, width - margin / 2.0, floor + 1.0), Ink::line(INK, 1.5));
    (width, floor - top + 32.0)
}

fn ring(scene: &mut Scene, sizes: &[u32], summand: usize, top: f64) -> (f64, f64) {
    let n = sizes.len().max(1);
    let tallest = sizes.iter().copied().max().unwrap_or(0);
    // Tokens lie on rays from the rim outwards; too many become a plain number.
    let drawn = tallest <= 12;
    let step = 20.0;
    let inner = (n as f64 * 26.0 / TAU).max(44.0);
    let outer = inner + if drawn { step * f64::from(tallest.max(1)) } else { 2.0 * step } + 14.0;
    let centre = (outer + 14.0, top + outer + 14.0);
    let at = |i: usize, r: f64| {
        let angle = TAU * i as f64 / n as f64;
        (centre.0 + r * angle.sin(), centre.1 - r * angle.cos())
    };
    scene.add(Shape::Circle(centre.0, centre.1, inner), Ink::line(SPENT, 2.0));
    for (i, size) in sizes.iter().enumerate() {
        let (x, y) = at(i, inner - 16.0);
        scene.text(x, y, 14.0, size.to_string(), Anchor::Middle);
        if drawn {
            for left in 0..*size {
                let (x, y) = at(i, inner + step * (f64::from(left) + 0.5));
                let part = Part::Token { summand, heap: i, left: left.into() };
                scene.add_part(part, Shape::Circle(x, y, step * 0.42), Ink::line(INK, 1.0).filled(TOKEN));
            }
        } else if *size > 0 {
            let (x, y) = at(i, inner + step);
            let part = Part::Token { summand, heap: i, left: 0 };
            scene.add_part(part, Shape::Circle(x, y, step * 0.8), Ink::line(INK, 1.0).filled(TOKEN));
        }
    }
    (2.0 * centre.0, 2.0 * (centre.1 - top))
}

fn pins(scene: &mut Scene, rows: &[u32], summand: usize, top: f64) -> (f64, f64) {
    let (mut x, y) = (16.0, top + 16.0);
    for (row, size) in rows.iter().take(MANY).enumerate() {
        let start = x;
        for first in 0..(*size).min(LONG) {
            let ink = Ink::line(INK, 1.0).filled(TOKEN);
            let part = Part::Pins { summand, row, first, count: 1 };
            scene.add_part(part, Shape::Box(x, y + 10.0, 10.0, 30.0, 5.0), ink);
            scene.add_part(part, Shape::Circle(x + 5.0, y + 6.0, 6.0), ink);
            // Between two pins, the place to hit both.
            if first + 1 < *size {
                let part = Part::Pins { summand, row, first, count: 2 };
                scene.add_part(part, Shape::Circle(x + 14.0, y + 27.0, 3.5), Ink::fill(SPENT));
            }
            x += 18.0;
        }
        if *size > LONG {
            scene.text(x, y + 24.0, 14.0, "…", Anchor::Start);
            x += 16.0;
        }
        scene.text((start + x - 8.0) / 2.0, y + 54.0, 14.0, size.to_string(), Anchor::Middle);
        x += 22.0;
    }
    if rows.len() > MANY {
        scene.text(x, y + 24.0, 14.0, format!("… {} rows more", rows.len() - MANY), Anchor::Start);
        x += 120.0;
    }
    (x.max(120.0), 84.0)
}

fn track(scene: &mut Scene, visited: &[bool], token: usize, summand: usize, top: f64) -> (f64, f64) {
    let n = visited.len();
    let cell_radius = if n <= 40 { 13.0 } else { 9.0 };
    let radius = (n as f64 * (2.0 * cell_radius + 5.0) / TAU).max(46.0);
    let centre = (radius + 2.0 * cell_radius + 4.0, top + radius + 2.0 * cell_radius + 4.0);
    scene.add(Shape::Circle(centre.0, centre.1, radius), Ink::line(SPENT, 2.0));
    for (cell, seen) in visited.iter().enumerate() {
        let angle = TAU * cell as f64 / n as f64;
        let (x, y) = (centre.0 + radius * angle.sin(), centre.1 - radius * angle.cos());
        let part = Part::Cell { summand, cell };
        let (fill, letters) = match (cell == token, *seen) {
            (true, _) => (ACCENT, PAPER),
            (false, true) => (SPENT, INK),
            (false, false) => (PAPER, INK),
        };
        let ink = Ink::line(INK, if cell == token { 2.5 } else { 1.2 }).filled(fill);
        scene.add_part(part, Shape::Circle(x, y, cell_radius), ink);
        let text = Shape::Text(x, y, cell_radius * 0.9, cell.to_string(), Anchor::Middle);
        scene.add_part(part, text, Ink::fill(letters));
        if *seen && cell != token {
            let d = cell_radius * 0.7;
            scene.add_part(part, Shape::Line(x - d, y + d, x + d, y - d), Ink::line(INK, 1.0));
        }
    }
    (2.0 * centre.0, 2.0 * (centre.1 - top))
}

fn queen(scene: &mut Scene, x: u32, y: u32, summand: usize, top: f64) -> (f64, f64) {
    let side = 22.0;
    let margin = 26.0;
    // Only the squares near the queen and her ways fit; far boards show their upper right corner.
    let (columns, rows) = (x.min(SQUARES) + 1, y.min(SQUARES) + 1);
    let (first, lowest) = (x - (columns - 1), y - (rows - 1));
    for row in 0..rows {
        let yy = top + margin / 2.0 + f64::from(rows - 1 - row) * side;
        for column in 0..columns {
            let xx = margin + f64::from(column) * side;
            let (cx, cy) = (first + column, lowest + row);
            let part = Part::Square { summand, x: cx, y: cy };
            let reached = cx == x || cy == y || x - cx == y - cy;
            let fill = if reached { [0xe3, 0xee, 0xf6] } else { PAPER };
            scene.add_part(part, Shape::Box(xx, yy, side, side, 0.0), Ink::line(SPENT, 1.0).filled(fill));
            if (cx, cy) == (x, y) {
                let place = Shape::Text(xx + side / 2.0, yy + side / 2.0, 18.0, "♛".into(), Anchor::Middle);
                scene.add_part(part, place, Ink::fill(ACCENT));
            }
        }
        if (lowest + row).is_multiple_of(if rows > 12 { 5 } else { 1 }) {
            let label = (lowest + row).to_string();
            scene.text(margin - 4.0, yy + side / 2.0, 10.0, label, Anchor::End);
        }
    }
    let floor = top + margin / 2.0 + f64::from(rows) * side;
    for column in (0..columns).filter(|c| (first + c).is_multiple_of(if columns > 12 { 5 } else { 1 })) {
        let label = (first + column).to_string();
        scene.text(margin + (f64::from(column) + 0.5) * side, floor + 10.0, 10.0, label, Anchor::Middle);
    }
    (margin + f64::from(columns) * side + 12.0, floor - top + 22.0)
}

fn dots(
    scene: &mut Scene,
    rows: usize,
    columns: usize,
    horizontal: &[bool],
    vertical: &[bool],
    top: f64,
) -> (f64, f64) {
    let (side, margin) = (48.0, 22.0);
    let at = |r: usize, c: usize| (margin + c as f64 * side, top + margin + r as f64 * side);
    for r in 0..rows {
        for c in 0..columns {
            let closed = horizontal[r * columns + c]
                && horizontal[(r + 1) * columns + c]
                && vertical[r * (columns + 1) + c]
                && vertical[r * (columns + 1) + c + 1];
            if closed {
                let (x, y) = at(r, c);
                scene.add(
                    Shape::Box(x + 6.0, y + 6.0, side - 12.0, side - 12.0, 3.0),
                    Ink::fill([0xe3, 0xee, 0xf6]),
                );
            }
        }
    }
    let mut line = |horizontal: bool, index: usize, drawn: bool, from: (f64, f64), to: (f64, f64)| {
        let part = Part::Line { horizontal, line: index };
        let ink = if drawn { Ink::line(INK, 4.0) } else { Ink::line(SPENT, 1.0).dashed(true) };
        // A broad band around an open line makes it easy to hit.
        if !drawn {
            let band = if horizontal {
                Shape::Box(from.0 + 8.0, from.1 - 9.0, side - 16.0, 18.0, 4.0)
            } else {
                Shape::Box(from.0 - 9.0, from.1 + 8.0, 18.0, side - 16.0, 4.0)
            };
            scene.add_part(part, band, Ink::fill(PAPER));
        }
        scene.add_part(part, Shape::Line(from.0, from.1, to.0, to.1), ink);
    };
    for r in 0..=rows {
        for c in 0..columns {
            line(true, r * columns + c, horizontal[r * columns + c], at(r, c), at(r, c + 1));
        }
        for c in (0..=columns).filter(|_| r < rows) {
            let index = r * (columns + 1) + c;
            line(false, index, vertical[index], at(r, c), at(r + 1, c));
        }
    }
    let letters = (rows + 1) * (columns + 1) <= 26;
    for r in 0..=rows {
        for c in 0..=columns {
            let (x, y) = at(r, c);
            scene.add(Shape::Circle(x, y, 4.5), Ink::fill(INK));
            if letters {
                let letter = char::from(b'A' + (r * (columns + 1) + c) as u8);
                scene.text(x - 9.0, y - 10.0, 11.0, letter.to_string(), Anchor::Middle);
            }
        }
    }
    (2.0 * margin + columns as f64 * side, 2.0 * margin + rows as f64 * side)
}

fn purses(
    scene: &mut Scene,
    stones: u64,
    mover: Option<u64>,
    other: Option<u64>,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let tall = u64::from(TALL);
    let height = 20.0 * if stones > tall { 12.0 } else { stones.max(3) as f64 };
    let floor = top + 16.0 + height;
    let purse = |dollars: Option<u64>| dollars.map_or("∞".into(), |d| d.to_string());
    for (x, who, dollars) in [(70.0, "to move", mover), (250.0, "other", other)] {
        scene.add(
            Shape::Box(x - 46.0, floor - 44.0, 92.0, 44.0, 12.0),
            Ink::line(INK, 1.5).filled([0xf6, 0xee, 0xdd]),
        );
        scene.text(x, floor - 22.0, 15.0, format!("$ {}", purse(dollars)), Anchor::Middle);
        scene.text(x, floor + 12.0, 12.0, who, Anchor::Middle);
    }
    heap(scene, stones, (summand, 0), 160.0, floor, 20.0);
    (320.0, floor - top + 32.0)
}

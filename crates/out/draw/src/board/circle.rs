//! The circular track.

use super::{CELLS_AROUND, MAX_CELLS};
use crate::scene::{ACCENT, Anchor, BoardPart, INK, PAPER, SPENT, Scene, Shape, Style};
use std::f64::consts::TAU;

pub(super) fn track(
    scene: &mut Scene,
    visited: &[bool],
    token: usize,
    before: Option<usize>,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let n = visited.len();
    if n > MAX_CELLS {
        return arc(scene, visited, token, summand, top);
    }
    let cell_radius = if n <= 40 { 13.0 } else { 9.0 };
    let radius = (n as f64 * (2.0 * cell_radius + 5.0) / TAU).max(46.0);
    let centre = (radius + 2.0 * cell_radius + 4.0, top + radius + 2.0 * cell_radius + 4.0);
    scene.add(Shape::Circle(centre.0, centre.1, radius), Style::line(SPENT, 2.0));
    let at = |cell: usize| {
        let angle = TAU * cell as f64 / n as f64;
        (centre.0 + radius * angle.sin(), centre.1 - radius * angle.cos())
    };
    if let Some(before) = before.filter(|cell| *cell < n) {
        // The last move, as a line.
        let ((a, b), (x, y)) = (at(before), at(token));
        scene.add(Shape::Line(a, b, x, y), Style::line(ACCENT, 3.0));
    }
    for (cell, is_visited) in visited.iter().enumerate() {
        self::cell(
            scene,
            BoardPart::Cell { summand, cell },
            at(cell),
            cell_radius,
            (cell == token, *is_visited),
        );
    }
    (2.0 * centre.0, 2.0 * (centre.1 - top))
}

/// Draws a cell of a circle: whether it holds the token, and whether it was visited.
fn cell(
    scene: &mut Scene,
    part: BoardPart,
    (x, y): (f64, f64),
    radius: f64,
    (token, is_visited): (bool, bool),
) {
    let BoardPart::Cell { cell, .. } = part else { return };
    let (fill, letters) = match (token, is_visited) {
        (true, _) => (ACCENT, PAPER),
        (false, true) => (SPENT, INK),
        (false, false) => (PAPER, INK),
    };
    let ink = Style::line(INK, if token { 2.5 } else { 1.2 }).filled(fill);
    scene.add_part(part, Shape::Circle(x, y, radius), ink);
    let number = cell.to_string();
    // Long numbers get smaller type.
    let size = (radius * 0.9).min(radius * 3.2 / number.len() as f64);
    scene.add_part(part, Shape::Text(x, y, size, number, Anchor::Middle), Style::fill(letters));
    if is_visited && !token {
        let d = radius * 0.7;
        scene.add_part(part, Shape::Line(x - d, y + d, x + d, y - d), Style::line(INK, 1.0));
    }
}

/// Draws the cells around the token of a circle that is too large to be drawn completely, in a bent
/// line, clockwise from the left.
fn arc(scene: &mut Scene, visited: &[bool], token: usize, summand: usize, top: f64) -> (f64, f64) {
    let (n, radius) = (visited.len(), 15.0);
    let drawn = 2 * CELLS_AROUND + 1;
    let large = drawn as f64 * (2.0 * radius + 4.0) / (TAU / 2.0);
    let centre = (large + 3.0 * radius, top + large + 3.0 * radius);
    let at = |i: f64| {
        let angle = TAU / 2.0 * (i + 0.5) / drawn as f64 - TAU / 4.0;
        (centre.0 + large * angle.sin(), centre.1 - large * angle.cos())
    };
    for i in 0..drawn {
        let number = (token + n + i - CELLS_AROUND) % n;
        let is = (number == token, visited[number]);
        cell(scene, BoardPart::Cell { summand, cell: number }, at(i as f64), radius, is);
    }
    let (below, words) = (centre.1 + 12.0, format!("… {} more cells …", n - drawn));
    scene.text(centre.0, below, 14.0, words, Anchor::Middle);
    (2.0 * centre.0, below + 16.0 - top)
}

//! Sheets of squares that moves cut along their lines.

use crate::board::BoardView;
use crate::scene::{ACCENT, Anchor, BoardPart, INK, PURSE, SPENT, Scene, Shape, Style, WASH};
use bouton_core::Board;

/// The greatest number of squares on a side that are drawn.
const MAX_SQUARES: u32 = 60;
/// The width of a board for fingers, within its margins: 44 pixels for each square of six.
const WIDTH: f64 = 286.0;
/// The space for handles.
const HANDLE: f64 = 46.0;

/// Describes sheets in words.
pub(crate) fn describe(sheets: &[(u32, u32)]) -> String {
    let sizes: Vec<String> =
        sheets.iter().map(|(rows, columns)| format!("{rows} by {columns}")).collect();
    match &sizes[..] {
        [] => "No sheet is left.".into(),
        [one] => format!("A sheet of {one} squares."),
        more => format!("Sheets of {} squares.", more.join(", ")),
    }
}

/// Draws sheets side by side, as many as fit, with a handle at each line along which a move cuts.
pub(crate) fn sheets(
    scene: &mut Scene,
    all: &[(u32, u32)],
    view: BoardView<'_>,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let before: &[(u32, u32)] = match view.before {
        Some(Board::Sheets(before)) => before,
        _ => all,
    };
    let longest = all.iter().map(|(_, columns)| *columns).max().unwrap_or(1).clamp(1, MAX_SQUARES);
    let side = (WIDTH / f64::from(longest)).min(if view.touch { 46.0 } else { 30.0 });
    // Where no move cuts there is no handle.
    let handle = if view.joints.iter().any(|part| matches!(part, BoardPart::Cut { .. })) {
        HANDLE
    } else {
        12.0
    };
    let (mut x, mut y, mut deepest, mut width) = (handle, top + handle, 0.0_f64, 0.0_f64);
    let mut old: Vec<(u32, u32)> = before.to_vec();
    for (sheet, (rows, columns)) in all.iter().enumerate() {
        let (wide, tall) = (
            side * f64::from((*columns).min(MAX_SQUARES)),
            side * f64::from((*rows).min(MAX_SQUARES)),
        );
        if x > handle && x + wide > handle + WIDTH {
            (x, y, deepest) = (handle, y + deepest + handle, 0.0);
        }
        // What the last move cut is new here.
        let is_old =
            old.iter().position(|size| *size == (*rows, *columns) || *size == (*columns, *rows));
        if let Some(at) = is_old {
            old.swap_remove(at);
        }
        let outline =
            if is_old.is_none() { Style::line(ACCENT, 3.0) } else { Style::line(INK, 1.5) };
        scene.add(
            Shape::Box(x, y, wide, tall, 0.0),
            outline.filled(if *rows.min(columns) > 1 { PURSE } else { WASH }),
        );
        for line in 1..(*columns).min(MAX_SQUARES) {
            let at = x + side * f64::from(line);
            scene.add(Shape::Line(at, y, at, y + tall), Style::line(SPENT, 1.0));
        }
        for line in 1..(*rows).min(MAX_SQUARES) {
            let at = y + side * f64::from(line);
            scene.add(Shape::Line(x, at, x + wide, at), Style::line(SPENT, 1.0));
        }
        for part in view.joints {
            if let BoardPart::Cut { summand: own, sheet: on, at, upright } = *part
                && (own, on) == (summand, sheet)
            {
                let at = side * f64::from(at.min(MAX_SQUARES));
                // The handle alone is touched: lines cross each other.
                let ((a, b), line, stub) = if upright {
                    let x = x + at;
                    ((x, y - 16.0), Shape::Line(x, y, x, y + tall), Shape::Line(x, y - 10.0, x, y))
                } else {
                    let y = y + at;
                    ((x - 16.0, y), Shape::Line(x, y, x + wide, y), Shape::Line(x - 10.0, y, x, y))
                };
                scene.add(line, Style::line(INK, 2.0).dashed(true));
                let (w, z) = if upright { (a, y - HANDLE / 2.0) } else { (x - HANDLE / 2.0, b) };
                let area = Shape::Box(w - HANDLE / 2.0, z - HANDLE / 2.0, HANDLE, HANDLE, 0.0);
                scene.add_part(*part, area, Style::default());
                scene.add_part(*part, stub, Style::line(INK, 2.0));
                scene.add_part(*part, Shape::Circle(a, b, 6.0), Style::line(INK, 1.5).filled(WASH));
            }
        }
        let size = format!("{rows} × {columns}");
        scene.text(x + wide / 2.0, y + tall + 12.0, 12.0, size, Anchor::Middle);
        width = width.max(x + wide);
        deepest = deepest.max(tall + 24.0);
        x += wide + handle.max(20.0);
    }
    (width.max(WIDTH + handle) + 12.0, y + deepest + 6.0 - top)
}

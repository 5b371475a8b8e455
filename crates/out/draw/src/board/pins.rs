//! Rows of pins, strings of beads.

use super::heaps::MIN_WIDTH;
use super::{BoardView, MAX_HEAPS, MAX_PINS};
use crate::scene::{Anchor, BoardPart, INK, SPENT, Scene, Shape, Style, TOKEN};

/// Returns the pins that the last move removed: their number, and the pins before them in a row of
/// the present board.
pub(super) fn removed_pins(before: &[u32], after: &[u32]) -> Option<(usize, u32, u32)> {
    let count = before.iter().sum::<u32>().checked_sub(after.iter().sum())?;
    let row = before
        .iter()
        .zip(after)
        .take_while(|(x, y)| x == y)
        .count()
        .min(before.len().checked_sub(1)?);
    let rest = before.len() - row - 1;
    match *after.get(row..after.len().checked_sub(rest)?)? {
        [] => Some((row, 0, count)),
        [stays] => (stays + count == before[row]).then_some((row, stays, count)),
        [left, right] => (left + right + count == before[row]).then_some((row, left, count)),
        _ => None,
    }
}

pub(super) fn pins(
    scene: &mut Scene,
    rows: &[u32],
    removed_pins: Option<(usize, u32, u32)>,
    (view, are_beads): (BoardView<'_>, bool),
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let touch = view.touch;
    let handles: &[u32] = if touch { view.handles } else { &[2] };
    // Where there are handles of several kinds, their number stands before them.
    let words = |count: u32| if count == 0 { "cut".to_owned() } else { count.to_string() };
    let many = if handles.len() > 1 { 16.0 } else { 0.0 };
    let (mut x, y) = (16.0 + many, top + 24.0);
    let pitch = if touch { 24.0 } else { 18.0 };
    let bead = pitch * 0.4;
    // On a board for fingers several pins are chosen by a handle below them.
    let (handle, label) =
        if touch { (58.0, 60.0 + pitch * handles.len() as f64) } else { (27.0, 54.0) };
    // Removed pins are drawn where they stood.
    let fallen = |scene: &mut Scene, x: &mut f64, row: usize, size: Option<u32>| {
        if let Some((_, _, count)) =
            removed_pins.filter(|(at, stays, _)| *at == row && size.is_none_or(|n| n == *stays))
        {
            for _ in 0..count.min(8) {
                let shape = match are_beads {
                    true => Shape::Circle(*x + 5.0, y + 20.0, bead),
                    false => Shape::Box(*x - 2.0, y + 32.0, 14.0, 8.0, 4.0),
                };
                scene.add(shape, Style::line(SPENT, 1.2).dashed(true));
                *x += pitch;
            }
        }
    };
    for (row, size) in rows.iter().take(MAX_HEAPS).enumerate() {
        let is_split = removed_pins.is_some_and(|(at, stays, _)| at == row && stays != *size);
        if is_split {
            fallen(scene, &mut x, row, None);
        }
        let start = x;
        if many > 0.0 && row == 0 {
            for (line, count) in handles.iter().enumerate() {
                let at = y + handle + pitch * line as f64;
                scene.text(start - 10.0, at, 11.0, words(*count), Anchor::End);
            }
        }
        if are_beads && *size > 0 {
            let end = x + pitch * f64::from((*size).min(MAX_PINS) - 1) + 5.0 + pitch / 2.0;
            scene.add(
                Shape::Line(x + 5.0 - pitch / 2.0, y + 20.0, end, y + 20.0),
                Style::line(INK, 2.0),
            );
        }
        for first in 0..(*size).min(MAX_PINS) {
            let ink = Style::line(INK, 1.0).filled(TOKEN);
            let part = BoardPart::Pins { summand, row, first, count: 1 };
            if touch {
                scene.add_part(
                    part,
                    Shape::Box(x + 5.0 - pitch / 2.0, y - 4.0, pitch, 48.0, 0.0),
                    Style::default(),
                );
            }
            if are_beads {
                scene.add_part(part, Shape::Circle(x + 5.0, y + 20.0, bead), ink);
            } else {
                scene.add_part(part, Shape::Box(x, y + 10.0, 10.0, 30.0, 5.0), ink);
                scene.add_part(part, Shape::Circle(x + 5.0, y + 6.0, 6.0), ink);
            }
            // A handle below the middle of some pins selects them, below a gap the cut there.
            for (line, count) in handles.iter().enumerate() {
                let (last, first) =
                    if *count == 0 { (first + 1, first + 1) } else { (first + count, first) };
                if last > *size || *count == 0 && last == *size {
                    continue;
                }
                let part = BoardPart::Pins { summand, row, first, count: *count };
                let middle =
                    x + 5.0 + pitch * if *count == 0 { 0.5 } else { f64::from(count - 1) / 2.0 };
                if touch {
                    let at = y + handle + pitch * line as f64;
                    let area =
                        Shape::Box(middle - pitch / 2.0, at - pitch / 2.0, pitch, pitch, 0.0);
                    scene.add_part(part, area, Style::default());
                    let join = match count {
                        0 => Shape::Box(middle - 2.0, at - 8.0, 4.0, 16.0, 2.0),
                        _ => Shape::Box(middle - 9.0, at - 3.0, 18.0, 6.0, 3.0),
                    };
                    scene.add_part(part, join, Style::fill(SPENT));
                } else if !are_beads {
                    scene.add_part(
                        part,
                        Shape::Circle(middle, y + handle, 3.5),
                        Style::fill(SPENT),
                    );
                }
            }
            x += pitch;
        }
        if *size > MAX_PINS {
            scene.text(x, y + 24.0, 14.0, "…", Anchor::Start);
            x += 16.0;
        }
        scene.text((start + x - 8.0) / 2.0, y + label, 14.0, size.to_string(), Anchor::Middle);
        x += 22.0;
        if !is_split {
            x -= 14.0;
            let stood = x;
            fallen(scene, &mut x, row, Some(*size));
            x += if x > stood { 4.0 } else { 14.0 };
        }
    }
    if removed_pins.is_some_and(|(at, ..)| at >= rows.len()) {
        fallen(scene, &mut x, rows.len(), None);
    }
    if rows.len() > MAX_HEAPS {
        scene.text(
            x,
            y + 24.0,
            14.0,
            format!("… {} rows more", rows.len() - MAX_HEAPS),
            Anchor::Start,
        );
        x += 120.0;
    }
    (x.max(MIN_WIDTH), label + 42.0)
}

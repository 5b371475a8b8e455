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

/// Draws rows of pins, or strings of beads, below `top`; returns width and height.
pub(super) fn pins(
    scene: &mut Scene,
    rows: &[u32],
    removed_pins: Option<(usize, u32, u32)>,
    (view, are_beads): (BoardView<'_>, bool),
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let pins = PinDrawing::new(view, are_beads, removed_pins, summand, top);
    let mut x = 16.0 + if pins.handles.len() > 1 { 16.0 } else { 0.0 };
    for (row, size) in rows.iter().copied().take(MAX_HEAPS).enumerate() {
        let is_split = removed_pins.is_some_and(|(at, stays, _)| at == row && stays != size);
        if is_split {
            pins.fallen(scene, &mut x, row, None);
        }
        if row == 0 {
            pins.handle_names(scene, x - 10.0);
        }
        let start = x;
        pins.row(scene, &mut x, row, size);
        let middle = (start + x - 8.0) / 2.0;
        scene.text(middle, pins.y + pins.label, 14.0, size.to_string(), Anchor::Middle);
        x += 22.0;
        if !is_split {
            x -= 14.0;
            let stood = x;
            pins.fallen(scene, &mut x, row, Some(size));
            x += if x > stood { 4.0 } else { 14.0 };
        }
    }
    if removed_pins.is_some_and(|(at, ..)| at >= rows.len()) {
        pins.fallen(scene, &mut x, rows.len(), None);
    }
    if rows.len() > MAX_HEAPS {
        let more = format!("… {} rows more", rows.len() - MAX_HEAPS);
        scene.text(x, pins.y + 24.0, 14.0, more, Anchor::Start);
        x += 120.0;
    }
    (x.max(MIN_WIDTH), pins.label + 42.0)
}

/// What all pins of a board have in common.
struct PinDrawing<'v> {
    are_beads: bool,
    removed: Option<(usize, u32, u32)>,
    summand: usize,
    /// Whether the board is for touch: several pins are then chosen by a handle below them.
    touch: bool,
    /// How many pins each kind of handle selects; 0 for a cut.
    handles: &'v [u32],
    /// The top of the pins, and what is below it: the first handle, and the numbers.
    y: f64,
    handle: f64,
    label: f64,
    /// From pin to pin, and the radius of a bead.
    pitch: f64,
    bead: f64,
}

impl<'v> PinDrawing<'v> {
    fn new(
        view: BoardView<'v>,
        are_beads: bool,
        removed: Option<(usize, u32, u32)>,
        summand: usize,
        top: f64,
    ) -> PinDrawing<'v> {
        let touch = view.touch;
        let handles: &[u32] = if touch { view.handles } else { &[2] };
        let pitch = if touch { 24.0 } else { 18.0 };
        let (handle, label) =
            if touch { (58.0, 60.0 + pitch * handles.len() as f64) } else { (27.0, 54.0) };
        PinDrawing {
            are_beads,
            removed,
            summand,
            touch,
            handles,
            y: top + 24.0,
            handle,
            label,
            pitch,
            bead: pitch * 0.4,
        }
    }

    /// Draws removed pins where they stood: of a row that has so many pins, if a size is given.
    fn fallen(&self, scene: &mut Scene, x: &mut f64, row: usize, size: Option<u32>) {
        let is_here = |(at, stays, _): &(usize, u32, u32)| {
            *at == row && size.is_none_or(|size| size == *stays)
        };
        let Some((_, _, count)) = self.removed.filter(is_here) else { return };
        for _ in 0..count.min(8) {
            let shape = match self.are_beads {
                true => Shape::Circle(*x + 5.0, self.y + 20.0, self.bead),
                false => Shape::Box(*x - 2.0, self.y + 32.0, 14.0, 8.0, 4.0),
            };
            scene.add(shape, Style::line(SPENT, 1.2).dashed(true));
            *x += self.pitch;
        }
    }

    /// Writes before the first row how many pins each handle selects, if there are several kinds.
    fn handle_names(&self, scene: &mut Scene, x: f64) {
        if self.handles.len() < 2 {
            return;
        }
        for (line, count) in self.handles.iter().enumerate() {
            let name = if *count == 0 { "cut".to_owned() } else { count.to_string() };
            scene.text(x, self.handle_line(line), 11.0, name, Anchor::End);
        }
    }

    /// Returns the middle of a line of handles.
    fn handle_line(&self, line: usize) -> f64 {
        self.y + self.handle + self.pitch * line as f64
    }

    /// Draws a row with its handles from `x` on, which becomes its end.
    fn row(&self, scene: &mut Scene, x: &mut f64, row: usize, size: u32) {
        let PinDrawing { y, pitch, .. } = *self;
        if self.are_beads && size > 0 {
            let end = *x + pitch * f64::from(size.min(MAX_PINS) - 1) + 5.0 + pitch / 2.0;
            let string = Shape::Line(*x + 5.0 - pitch / 2.0, y + 20.0, end, y + 20.0);
            scene.add(string, Style::line(INK, 2.0));
        }
        for first in 0..size.min(MAX_PINS) {
            self.pin(scene, *x, row, first);
            for (line, count) in self.handles.iter().enumerate() {
                self.handle(scene, (*x, line), row, (first, *count), size);
            }
            *x += pitch;
        }
        if size > MAX_PINS {
            scene.text(*x, y + 24.0, 14.0, "…", Anchor::Start);
            *x += 16.0;
        }
    }

    fn pin(&self, scene: &mut Scene, x: f64, row: usize, first: u32) {
        let PinDrawing { y, pitch, summand, .. } = *self;
        let ink = Style::line(INK, 1.0).filled(TOKEN);
        let part = BoardPart::Pins { summand, row, first, count: 1 };
        if self.touch {
            let area = Shape::Box(x + 5.0 - pitch / 2.0, y - 4.0, pitch, 48.0, 0.0);
            scene.add_part(part, area, Style::default());
        }
        if self.are_beads {
            scene.add_part(part, Shape::Circle(x + 5.0, y + 20.0, self.bead), ink);
        } else {
            scene.add_part(part, Shape::Box(x, y + 10.0, 10.0, 30.0, 5.0), ink);
            scene.add_part(part, Shape::Circle(x + 5.0, y + 6.0, 6.0), ink);
        }
    }

    /// Draws the handle below the middle of some pins, which selects them, or below a gap for the
    /// cut there; none if the row of this size ends before.
    fn handle(
        &self,
        scene: &mut Scene,
        (x, line): (f64, usize),
        row: usize,
        (first, count): (u32, u32),
        size: u32,
    ) {
        let PinDrawing { y, pitch, summand, .. } = *self;
        let (last, first) =
            if count == 0 { (first + 1, first + 1) } else { (first + count, first) };
        if last > size || count == 0 && last == size {
            return;
        }
        let part = BoardPart::Pins { summand, row, first, count };
        let middle = x + 5.0 + pitch * if count == 0 { 0.5 } else { f64::from(count - 1) / 2.0 };
        if self.touch {
            let at = self.handle_line(line);
            let area = Shape::Box(middle - pitch / 2.0, at - pitch / 2.0, pitch, pitch, 0.0);
            scene.add_part(part, area, Style::default());
            let join = match count {
                0 => Shape::Box(middle - 2.0, at - 8.0, 4.0, 16.0, 2.0),
                _ => Shape::Box(middle - 9.0, at - 3.0, 18.0, 6.0, 3.0),
            };
            scene.add_part(part, join, Style::fill(SPENT));
        } else if !self.are_beads {
            let dot = Shape::Circle(middle, y + self.handle, 3.5);
            scene.add_part(part, dot, Style::fill(SPENT));
        }
    }
}

//! Boards of boxes: dots with lines between them, and coins on strings; their structure, and the
//! values of lines.

use crate::board::{BoardView, MoveValue};
use crate::scene::{
    ACCENT, Anchor, BAD, BoardPart, Colour, GOOD, INK, LONG, LOOP, PAPER, PURSE, RING, SHORT,
    SPENT, Scene, Shape, Style, WASH, text_width,
};
use bouton_core::{Board, Group, GroupKind, LineKind};
use std::f64::consts::TAU;

/// The side of a box, and the margin of the board.
const SIDE: f64 = 48.0;
const MARGIN: f64 = 22.0;

/// Draws a board of dots below `top`; returns width and height.
pub(crate) fn dots(
    scene: &mut Scene,
    (rows, columns): (usize, usize),
    horizontal: &[bool],
    vertical: &[bool],
    view: BoardView<'_>,
    top: f64,
) -> (f64, f64) {
    let at = |r: usize, c: usize| (MARGIN + c as f64 * SIDE, top + MARGIN + r as f64 * SIDE);
    let middle = |b: usize| {
        let (x, y) = at(b / columns, b % columns);
        (x + SIDE / 2.0, y + SIDE / 2.0)
    };
    for group in view.sight.iter().flat_map(|sight| &sight.groups) {
        self::group(scene, group, middle);
    }
    for b in 0..rows * columns {
        let (r, c) = (b / columns, b % columns);
        let closed = horizontal[b]
            && horizontal[b + columns]
            && vertical[r * (columns + 1) + c]
            && vertical[r * (columns + 1) + c + 1];
        if closed {
            closed_box(scene, at(r, c), view.owners.and_then(|owners| *owners.get(b)?));
        }
    }
    let mut line = |horizontal: bool, index: usize, drawn: bool, ends: [(f64, f64); 2]| {
        if drawn {
            drawn_line(scene, horizontal, index, ends, view);
        } else {
            open_line(scene, horizontal, index, ends, view);
        }
    };
    for r in 0..=rows {
        for c in 0..columns {
            line(true, r * columns + c, horizontal[r * columns + c], [at(r, c), at(r, c + 1)]);
        }
        for c in (0..=columns).filter(|_| r < rows) {
            let index = r * (columns + 1) + c;
            line(false, index, vertical[index], [at(r, c), at(r + 1, c)]);
        }
    }
    let letters = (rows + 1) * (columns + 1) <= 26;
    for r in 0..=rows {
        for c in 0..=columns {
            let (x, y) = at(r, c);
            scene.add(Shape::Circle(x, y, 4.5), Style::fill(INK));
            if letters {
                let letter = char::from(b'A' + (r * (columns + 1) + c) as u8);
                scene.text(x - 9.0, y - 10.0, 11.0, letter.to_string(), Anchor::Middle);
            }
        }
    }
    (2.0 * MARGIN + columns as f64 * SIDE, 2.0 * MARGIN + rows as f64 * SIDE)
}

/// Draws a closed box with this upper left corner, and who closed it: the first player or the
/// second.
fn closed_box(scene: &mut Scene, (x, y): (f64, f64), owner: Option<bool>) {
    let fill = if owner == Some(false) { PURSE } else { WASH };
    let area = Shape::Box(x + 6.0, y + 6.0, SIDE - 12.0, SIDE - 12.0, 3.0);
    scene.add(area, Style::fill(fill));
    if let Some(first) = owner {
        let middle = (x + SIDE / 2.0, y + SIDE / 2.0);
        scene.text(middle.0, middle.1, 16.0, if first { "I" } else { "II" }, Anchor::Middle);
    }
}

/// Draws a line that is drawn on the board: in another colour if the last move drew it.
fn drawn_line(
    scene: &mut Scene,
    horizontal: bool,
    index: usize,
    [from, to]: [(f64, f64); 2],
    view: BoardView<'_>,
) {
    let is_new = match view.before {
        Some(Board::Dots { horizontal: h, vertical: v, .. }) => {
            (if horizontal { h } else { v }).get(index) == Some(&false)
        }
        _ => false,
    };
    let colour = if is_new { ACCENT } else { INK };
    let part = BoardPart::Line { horizontal, line: index };
    scene.add_part(part, Shape::Line(from.0, from.1, to.0, to.1), Style::line(colour, 4.0));
}

/// Draws a line that may be drawn, with its value or with where it leads, if that is known.
fn open_line(
    scene: &mut Scene,
    horizontal: bool,
    index: usize,
    [from, to]: [(f64, f64); 2],
    view: BoardView<'_>,
) {
    let part = BoardPart::Line { horizontal, line: index };
    let place = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    // A disc around the middle of an open line takes the touch; discs of neighbouring lines
    // touch, but do not overlap.
    if view.touch {
        let area = Shape::Circle(place.0, place.1, SIDE / 8.0_f64.sqrt());
        scene.add_part(part, area, Style::default());
    }
    let leads = view.sight.and_then(|sight| {
        *(if horizontal { &sight.horizontal } else { &sight.vertical }).get(index)?
    });
    let value = move_value(view, part);
    let ink = match (value, leads) {
        (Some(value), _) => {
            Style::line(value.colour(), if value.loss == Some(0) { 2.5 } else { 1.0 })
        }
        (None, Some(leads)) => Style::line(colour(leads), 1.5),
        (None, None) => Style::line(SPENT, 1.0),
    };
    scene.add_part(part, Shape::Line(from.0, from.1, to.0, to.1), ink.dashed(true));
    match (value, leads) {
        (Some(value), _) => tag(scene, part, place, value),
        (None, Some(leads)) => sign(scene, part, place, leads),
        (None, None) => {}
    }
}

/// Draws a chain or loop: tinted boxes, with a path through them from the box that holds their
/// number.
fn group(scene: &mut Scene, group: &Group, middle: impl Fn(usize) -> (f64, f64)) {
    let (tint, way) = match group.kind {
        GroupKind::Captures => (PURSE, ACCENT),
        GroupKind::Chain => (SHORT, SPENT),
        GroupKind::LongChain => (LONG, GOOD),
        GroupKind::Loop => (LOOP, RING),
    };
    for (x, y) in group.boxes.iter().map(|b| middle(*b)) {
        scene.add(
            Shape::Box(x - SIDE / 2.0 + 3.0, y - SIDE / 2.0 + 3.0, SIDE - 6.0, SIDE - 6.0, 4.0),
            Style::fill(tint),
        );
    }
    if group.kind != GroupKind::Captures {
        let back = (group.kind == GroupKind::Loop)
            .then(|| [group.boxes[group.boxes.len() - 1], group.boxes[0]]);
        let steps = group.boxes.windows(2).map(|two| [two[0], two[1]]).chain(back);
        for [(x, y), (u, v)] in steps.map(|step| step.map(&middle)) {
            scene.add(Shape::Line(x, y, u, v), Style::line(way, 2.0));
        }
    }
    let Some(first) = group.boxes.first() else { return };
    let (x, y) = middle(*first);
    scene.add(Shape::Circle(x, y, 10.0), Style::line(way, 1.5).filled(PAPER));
    scene.text(x, y, 13.0, group.boxes.len().to_string(), Anchor::Middle);
}

fn colour(leads: LineKind) -> Colour {
    match leads {
        LineKind::Closes => ACCENT,
        LineKind::Safe => GOOD,
        LineKind::Gives => SPENT,
        LineKind::Loony => BAD,
    }
}

/// Draws the consequence of a line as a sign on its middle: a ring is safe, a dot closes a box, a
/// cross is loony.
fn sign(scene: &mut Scene, part: BoardPart, (x, y): (f64, f64), leads: LineKind) {
    let (r, ink) = (3.5, Style::line(colour(leads), 1.8));
    match leads {
        LineKind::Closes => scene.add_part(part, Shape::Circle(x, y, r), Style::fill(ACCENT)),
        LineKind::Safe => scene.add_part(part, Shape::Circle(x, y, r), ink.filled(PAPER)),
        LineKind::Gives => {}
        LineKind::Loony => {
            scene.add_part(part, Shape::Line(x - r, y - r, x + r, y + r), ink);
            scene.add_part(part, Shape::Line(x - r, y + r, x + r, y - r), ink);
        }
    }
}

/// Draws the value of a line on its middle.
fn tag(scene: &mut Scene, part: BoardPart, (x, y): (f64, f64), value: &MoveValue) {
    let (size, colour) = (11.0, value.colour());
    let width = text_width(&value.text, size) + 6.0;
    let ink = if value.loss == Some(0) { Style::line(colour, 1.5) } else { Style::default() };
    scene.add_part(part, Shape::Box(x - width / 2.0, y - 8.0, width, 16.0, 4.0), ink.filled(PAPER));
    scene.add_part(
        part,
        Shape::Text(x, y, size, value.text.clone(), Anchor::Middle),
        Style::fill(colour),
    );
}

fn move_value<'v>(view: BoardView<'v>, part: BoardPart) -> Option<&'v MoveValue> {
    view.values.iter().find(|(of, _)| *of == part).map(|(_, value)| value)
}

/// Draws coins on a circle with the strings between them; strings to the ground lead outwards.
pub(crate) fn coins(
    scene: &mut Scene,
    strings: &[(usize, Option<usize>)],
    whole: &[bool],
    view: BoardView<'_>,
    top: f64,
) -> (f64, f64) {
    let count =
        strings.iter().flat_map(|(a, b)| [Some(*a), *b]).flatten().max().map_or(0, |last| last + 1);
    let (coin, ground) = (14.0, 40.0);
    let radius = if count < 2 { 0.0 } else { (30.0 * count as f64 / TAU).max(60.0) };
    let centre = radius + ground + 22.0;
    let direction = |i: usize| {
        let angle = TAU * i as f64 / count.max(1) as f64 - TAU / 4.0;
        (angle.cos(), angle.sin())
    };
    let at = |i: usize| {
        let (x, y) = direction(i);
        (centre + radius * x, top + centre + radius * y)
    };
    let is_new = |string: usize| match view.before {
        Some(Board::Coins { whole, .. }) => whole.get(string) == Some(&true),
        _ => false,
    };
    for (i, (a, b)) in strings.iter().enumerate() {
        // Strings with the same ends lie side by side.
        let twins: Vec<usize> = (0..strings.len()).filter(|j| strings[*j] == (*a, *b)).collect();
        let place = twins.iter().position(|j| *j == i).unwrap_or(0) as f64;
        let aside = 9.0 * (place - (twins.len() as f64 - 1.0) / 2.0);
        let (x, y) = at(*a);
        let (u, v) = match b {
            Some(b) => at(*b),
            None => {
                let (dx, dy) = direction(*a);
                (x + ground * dx, y + ground * dy)
            }
        };
        let length = (u - x).hypot(v - y).max(1.0);
        let (dx, dy) = (-(v - y) / length * aside, (u - x) / length * aside);
        let part = BoardPart::Line { horizontal: false, line: i };
        let line = Shape::Line(x + dx, y + dy, u + dx, v + dy);
        if whole[i] {
            // A broad band makes a string easy to select. A horizontal one needs the circle on it,
            // because a line without height has no area in browsers.
            scene.add_part(part, line.clone(), Style::line(PAPER, 12.0));
            let radius = if view.touch { 16.0 } else { 6.0 };
            let middle = Shape::Circle((x + u) / 2.0 + dx, (y + v) / 2.0 + dy, radius);
            scene.add_part(
                part,
                middle,
                if view.touch { Style::default() } else { Style::fill(PAPER) },
            );
            let value = move_value(view, part);
            scene.add_part(part, line, Style::line(value.map_or(INK, MoveValue::colour), 2.5));
            if let Some(value) = value {
                tag(scene, part, ((x + u) / 2.0 + dx, (y + v) / 2.0 + dy), value);
            }
            if b.is_none() {
                scene.add(Shape::Circle(u + dx, v + dy, 3.0), Style::fill(SPENT));
            }
        } else if is_new(i) {
            scene.add(line, Style::line(ACCENT, 1.5).dashed(true));
        }
    }
    for i in 0..count {
        let (x, y) = at(i);
        let held = |j: usize| whole[j] && (strings[j].0 == i || strings[j].1 == Some(i));
        let owner = view.owners.and_then(|owners| *owners.get(i)?);
        let taken = !(0..strings.len()).any(held);
        let ink = match (taken, owner) {
            (false, _) => Style::line(INK, 1.5).filled(PAPER),
            (true, Some(false)) => Style::fill(PURSE),
            (true, _) => Style::fill(WASH),
        };
        scene.add(Shape::Circle(x, y, coin), ink);
        let name = match (taken, owner) {
            (true, Some(first)) => if first { "I" } else { "II" }.to_owned(),
            _ => (i + 1).to_string(),
        };
        scene.text(x, y, 13.0, name, Anchor::Middle);
    }
    (2.0 * centre, 2.0 * centre)
}

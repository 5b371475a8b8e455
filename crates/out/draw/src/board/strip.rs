//! Coins on a strip of squares, coins in a row.

use super::{MAX_STRIP, STRIP_SQUARES};
use crate::scene::{ACCENT, Anchor, BoardPart, INK, PAPER, SPENT, Scene, Shape, Style, TOKEN};
use bouton_core::Board;

/// Draws coins on a strip of squares, or a row of coins. What the last move changed has a ring.
pub(super) fn strip(
    scene: &mut Scene,
    board: &Board,
    before: &[u32],
    touch: bool,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let (places, faces) = (board.places().unwrap_or_default(), matches!(board, Board::Faces(_)));
    let (side, line) = if touch { (44.0, STRIP_SQUARES[0]) } else { (34.0, STRIP_SQUARES[1]) };
    let first = u32::from(faces);
    let farthest = places.iter().chain(before).max().map_or(0, |place| place + 1 - first);
    let count = farthest.clamp(6, MAX_STRIP);
    let place_of = |i: u32| {
        let (row, column) = (i / line, i % line);
        (6.0 + side * f64::from(column), top + 8.0 + (side + 20.0) * f64::from(row))
    };
    for i in 0..count {
        let place = i + first;
        let part = BoardPart::Square { summand, x: place, y: 0 };
        let ((x, y), has) = (place_of(i), places.binary_search(&place).is_ok());
        let had = before.binary_search(&place).is_ok();
        let (cx, cy, r) = (x + side / 2.0, y + side / 2.0, side * 0.36);
        let square = Shape::Box(x, y, side, side, 0.0);
        if !faces {
            scene.add_part(part, square, Style::line(SPENT, 1.0).filled(PAPER));
        } else if touch {
            scene.add_part(part, square, Style::default());
        }
        let outline = match (has != had, has) {
            (true, _) => Style::line(ACCENT, 3.0).dashed(!has && !faces),
            (false, true) => Style::line(INK, 1.0),
            (false, false) => Style::line(SPENT, 1.5),
        };
        if faces || has || had {
            let fill = if has { TOKEN } else { PAPER };
            scene.add_part(part, Shape::Circle(cx, cy, r), outline.filled(fill));
        }
        if faces {
            let (letter, colour) = if has { ("H", PAPER) } else { ("T", INK) };
            let letter = Shape::Text(cx, cy, side * 0.38, letter.into(), Anchor::Middle);
            scene.add_part(part, letter, Style::fill(colour));
        }
        scene.text(cx, y + side + 8.0, 11.0, place.to_string(), Anchor::Middle);
    }
    let rows = count.div_ceil(line);
    let mut height = 12.0 + (side + 20.0) * f64::from(rows);
    if farthest > MAX_STRIP {
        let (rest, y) = (farthest - MAX_STRIP, top + height + 4.0);
        scene.text(6.0, y, 14.0, format!("… and {rest} more to the right"), Anchor::Start);
        height += 20.0;
    }
    (12.0 + side * f64::from(count.min(line)), height)
}

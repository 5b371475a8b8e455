//! Cards in a row, with what is said below them.

use crate::board::BoardView;
use crate::scene::{ACCENT, Anchor, BoardPart, INK, PAPER, SPENT, Scene, Shape, Style, text_width};
use bouton_core::{Board, Card};

/// Cards side by side: on a telephone each takes 44 pixels.
const LINE: usize = 6;
/// The distance of cards, and their height.
const STEP: (f64, f64) = (56.0, 70.0);
/// The greatest number of cards that are drawn.
const MAX_CARDS: usize = 120;

/// Describes cards in words.
pub(crate) fn describe(cards: &[Card], note: &str) -> String {
    let names: Vec<String> = cards
        .iter()
        .filter(|card| card.count > 0)
        .take(MAX_CARDS)
        .map(|card| {
            if card.count == 1 {
                card.name.clone()
            } else {
                format!("{} ({} of them)", card.name, card.count)
            }
        })
        .collect();
    let cards = if names.is_empty() {
        "No card is left.".into()
    } else {
        format!("Cards: {}.", names.join(", "))
    };
    if note.is_empty() { cards } else { format!("{cards} {note}.") }
}

/// Draws cards. Those that are gone since the beginning leave their places empty.
pub(crate) fn cards(
    scene: &mut Scene,
    all: &[Card],
    note: &str,
    view: BoardView<'_>,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let listed = |board: Option<&Board>| match board {
        Some(Board::Cards { cards, .. }) => Some(cards.clone()),
        _ => None,
    };
    let mut names: Vec<&str> = all.iter().map(|card| &*card.name).collect();
    names.sort_unstable();
    let is_set = names.windows(2).all(|pair| pair[0] != pair[1]);
    let holds = |whole: &Vec<Card>| {
        is_set && all.iter().all(|card| whole.iter().any(|own| own.name == card.name))
    };
    let whole = listed(view.start).filter(holds).unwrap_or_else(|| all.to_vec());
    let before = listed(view.before);
    for (place, card) in whole.iter().enumerate().take(MAX_CARDS) {
        let at = if whole.len() == all.len() {
            Some(place)
        } else {
            all.iter().position(|own| own.name == card.name)
        };
        let (x, y) =
            (8.0 + STEP.0 * (place % LINE) as f64, top + 8.0 + STEP.1 * (place / LINE) as f64);
        let (cx, cy) = (x + STEP.0 / 2.0, y + STEP.1 / 2.0);
        let shape = Shape::Box(x + 4.0, y + 4.0, STEP.0 - 8.0, STEP.1 - 8.0, 6.0);
        let held = |cards: &[Card]| {
            cards.iter().find(|own| own.name == card.name).map_or(0, |own| own.count)
        };
        let own = at.map_or(0, |at| all[at].count);
        let is_changed = is_set && before.as_ref().is_some_and(|before| held(before) != held(all));
        let line = if is_changed { Style::line(ACCENT, 2.5) } else { Style::line(SPENT, 1.2) };
        let Some(at) = at.filter(|_| own > 0) else {
            scene.add(shape, line.dashed(true));
            let ink = Style::fill(if is_changed { ACCENT } else { SPENT });
            scene
                .add(Shape::Text(cx, cy, size(&card.name), card.name.clone(), Anchor::Middle), ink);
            continue;
        };
        let part = BoardPart::Square { summand, x: at as u32, y: 0 };
        let area = Shape::Box(x, y, STEP.0, STEP.1, 0.0);
        scene.add_part(part, area, Style::default());
        let line = if is_changed { line } else { Style::line(INK, 1.5) };
        scene.add_part(part, shape, line.filled(PAPER));
        let text = Shape::Text(cx, cy, size(&card.name), card.name.clone(), Anchor::Middle);
        scene.add_part(part, text, Style::fill(INK));
        if own > 1 {
            let count =
                Shape::Text(cx, y + STEP.1 - 14.0, 11.0, format!("× {own}"), Anchor::Middle);
            scene.add_part(part, count, Style::fill(INK));
        }
    }
    let lines = whole.len().min(MAX_CARDS).div_ceil(LINE).max(1);
    let mut height = 16.0 + STEP.1 * lines as f64;
    let wide = 16.0 + STEP.0 * whole.len().clamp(1, LINE) as f64;
    let width = wide.max(text_width(note, 15.0) + 16.0).max(180.0);
    if !note.is_empty() {
        scene.text(width / 2.0, top + height + 8.0, 15.0, note, Anchor::Middle);
        height += 26.0;
    }
    (width, height)
}

/// Returns the size of the letters on a card.
fn size(name: &str) -> f64 {
    (20.0_f64).min(60.0 / name.chars().count().max(1) as f64)
}

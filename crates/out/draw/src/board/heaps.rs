//! Heaps in a row, in a pile or on a ring.

use super::{BoardView, MAX_HEAPS, MAX_TOKENS, at_most};
use crate::scene::{
    ACCENT, Anchor, BoardPart, INK, PAPER, SPENT, Scene, Shape, Style, TOKEN, WASH, text_width,
};
use bouton_core::Board;
use std::f64::consts::TAU;

/// A heap: its size, its size before the last move, and its size after an incomplete move.
#[derive(Clone, Copy)]
pub(super) struct DrawnHeap {
    pub(super) size: u64,
    pub(super) before: u64,
    pub(super) keeps: u64,
    pub(super) summand: usize,
    pub(super) heap: usize,
}

impl DrawnHeap {
    fn part(&self, left: u64) -> BoardPart {
        BoardPart::Token { summand: self.summand, heap: self.heap, left }
    }

    /// Returns the style of the token above `left` others: present, chosen, or removed.
    fn ink(&self, left: u64) -> Style {
        match left {
            left if left >= self.size => Style::line(SPENT, 1.5).dashed(true),
            left if left >= self.keeps => Style::line(ACCENT, 2.0).filled(PAPER).dashed(true),
            _ => Style::line(INK, 1.0).filled(TOKEN),
        }
    }

    fn label(&self) -> String {
        if self.keeps < self.size {
            format!("{} → {}", self.size, self.keeps)
        } else {
            self.size.to_string()
        }
    }
}

/// The style of heaps: tokens of this distance in some columns, or bars of which the tallest stands
/// for `tallest` tokens.
#[derive(Clone, Copy)]
pub(super) struct HeapStyle {
    pub(super) step: f64,
    pub(super) columns: u64,
    pub(super) bars: Option<u64>,
    pub(super) touch: bool,
    /// Whether the tokens are piled up, each row one shorter than the one below it.
    pub(super) is_pile: bool,
}

/// The height of the tallest bar, in steps.
const BAR_STEPS: u64 = 12;
/// The distance of tokens on a board for fingers: 44 pixels or more on a telephone.
const TOUCH_STEP: f64 = 25.0;
/// The greatest number of tokens above each other on a board for fingers.
const TOUCH_ROWS: u64 = 8;

impl HeapStyle {
    /// Returns the style for heaps of up to `tallest` tokens, `heaps` of them side by side.
    pub(super) fn from_sizes(tallest: u64, heaps: usize, touch: bool) -> HeapStyle {
        let columns =
            if tallest > 10 && heaps <= 3 { tallest.div_ceil(TOUCH_ROWS).min(4) } else { 1 };
        let step = if touch { TOUCH_STEP } else { 20.0 };
        let bars = (tallest > u64::from(MAX_TOKENS)).then_some(tallest);
        HeapStyle { step, columns, bars, touch, is_pile: false }
    }

    /// Returns the tokens in the lowest row of a pile of so many.
    fn base(tokens: u64) -> u64 {
        (1..).find(|base| base * (base + 1) / 2 >= tokens).unwrap_or(1)
    }

    /// Returns the place of a token, from the middle of the heap and its floor, in steps.
    fn place(&self, left: u64, tokens: u64) -> (f64, f64) {
        if !self.is_pile {
            let across = (left % self.columns) as f64 - (self.columns - 1) as f64 / 2.0;
            return (across, (left / self.columns) as f64 + 0.5);
        }
        let (mut row, mut width, mut first) = (0, HeapStyle::base(tokens), 0);
        while width > 1 && left >= first + width {
            (first, width, row) = (first + width, width - 1, row + 1);
        }
        ((left - first) as f64 - (width - 1) as f64 / 2.0, row as f64 + 0.5)
    }

    pub(super) fn height(&self, tallest: u64) -> f64 {
        let rows = match self.bars {
            Some(_) => BAR_STEPS,
            None if self.is_pile => HeapStyle::base(tallest).max(5),
            None => tallest.div_ceil(self.columns).max(5),
        };
        self.step * rows as f64
    }

    fn width(&self, heap: &DrawnHeap) -> f64 {
        let label = text_width(&heap.label(), 14.0) + 10.0;
        let columns =
            if self.is_pile { HeapStyle::base(heap.before.max(heap.size)) } else { self.columns };
        let columns = if self.bars.is_some() { 1 } else { columns };
        label.max(self.step * columns as f64 + 10.0).max(34.0)
    }
}

/// Draws a heap that stands on `y`, with its middle at `x`.
pub(super) fn heap(scene: &mut Scene, heap: DrawnHeap, x: f64, y: f64, style: HeapStyle) {
    let HeapStyle { step, columns, bars, touch, is_pile } = style;
    let r = step * 0.42;
    if let Some(tallest) = bars {
        let height = |tokens: u64| step * BAR_STEPS as f64 * tokens as f64 / tallest.max(1) as f64;
        // The tokens that stay, those that are chosen, and those that the last move removed. A bar
        // is no button: a number says what is left.
        let drawn = heap.before.min(tallest);
        let parts = [(0, heap.keeps), (heap.keeps, heap.size), (heap.size, drawn)];
        for (low, high) in parts.into_iter().filter(|(low, high)| low < high) {
            let (base, tall) = (height(low), height(high) - height(low));
            scene.add(Shape::Box(x - r, y - base - tall, 2.0 * r, tall, 2.0), heap.ink(low));
        }
    } else {
        for left in 0..heap.size.max(heap.before).min(u64::from(MAX_TOKENS) + columns) {
            let (across, up) = style.place(left, heap.size.max(heap.before));
            let at = (x + across * step, y - step * up);
            let circle = Shape::Circle(at.0, at.1, r);
            if left < heap.size {
                if touch {
                    // A heap in one column is as broad as its place.
                    let width = if columns == 1 && !is_pile { style.width(&heap) } else { step };
                    let area = Shape::Box(at.0 - width / 2.0, at.1 - step / 2.0, width, step, 0.0);
                    scene.add_part(heap.part(left), area, Style::default());
                }
                scene.add_part(heap.part(left), circle, heap.ink(left));
            } else {
                scene.add(circle, heap.ink(left));
            }
        }
    }
    let ink = if heap.keeps < heap.size { ACCENT } else { INK };
    scene.add(Shape::Text(x, y + 13.0, 14.0, heap.label(), Anchor::Middle), Style::fill(ink));
}

/// Returns the heaps of a board with the marks of the view.
fn heaps(sizes: &[u32], view: BoardView<'_>, summand: usize) -> Vec<DrawnHeap> {
    let before = view.before.and_then(Board::heaps).filter(|before| before.len() == sizes.len());
    let draft = view.draft.filter(|draft| draft.len() == sizes.len());
    let heap = |(heap, size): (usize, &u32)| DrawnHeap {
        size: (*size).into(),
        before: before.map_or(*size, |before| before[heap]).into(),
        keeps: draft.map_or(*size, |draft| draft[heap]).into(),
        summand,
        heap,
    };
    sizes.iter().enumerate().map(heap).collect()
}

/// The least width of a board.
pub(super) const MIN_WIDTH: f64 = 180.0;

/// How heaps stand side by side.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stand {
    /// Each for itself.
    Row,
    /// With a bracket below: one move lowers at most this number of heaps.
    Several(usize),
    /// One heap, piled up.
    Pile,
}

/// Draws heaps side by side, or one heap as a pile.
pub(super) fn row(
    scene: &mut Scene,
    sizes: &[u32],
    view: BoardView<'_>,
    summand: usize,
    top: f64,
    stand: Stand,
) -> (f64, f64) {
    let is_pile = stand == Stand::Pile;
    let margin = if view.touch { 8.0 } else { 16.0 };
    let all = heaps(sizes, view, summand);
    let tallest = all.iter().map(|heap| heap.size.max(heap.before)).max().unwrap_or(0);
    let tallest =
        tallest.min(all.iter().map(|heap| heap.size).max().unwrap_or(0).max(u64::from(MAX_TOKENS)));
    let style = HeapStyle { is_pile, ..HeapStyle::from_sizes(tallest, all.len(), view.touch) };
    let floor = top + margin + style.height(tallest);
    let widths: Vec<f64> = all.iter().take(MAX_HEAPS).map(|heap| style.width(heap) + 6.0).collect();
    let rest = if sizes.len() > MAX_HEAPS {
        format!("… and {} more", sizes.len() - MAX_HEAPS)
    } else {
        String::new()
    };
    let inner = widths.iter().sum::<f64>() + text_width(&rest, 14.0);
    let bracket = match stand {
        Stand::Several(at_once) if sizes.len() > 1 => Some(at_most(at_once)),
        _ => None,
    };
    let words = bracket.as_ref().map_or(0.0, |words| text_width(words, 12.0));
    let width = (inner.max(words) + 2.0 * margin).max(MIN_WIDTH);
    let mut x = (width - inner) / 2.0;
    let from = x;
    scene.add(
        Shape::Line(margin / 2.0, floor + 1.0, width - margin / 2.0, floor + 1.0),
        Style::line(INK, 1.5),
    );
    for (one, wide) in all.into_iter().zip(widths) {
        heap(scene, one, x + wide / 2.0, floor, style);
        x += wide;
    }
    if !rest.is_empty() {
        scene.text(x, floor - 8.0, 14.0, &rest, Anchor::Start);
    }
    let Some(words) = bracket else { return (width, floor - top + 32.0) };
    let (low, ink) = (floor + 32.0, Style::line(ACCENT, 1.5));
    for end in [from + 6.0, x - 6.0] {
        scene.add(Shape::Line(end, low - 6.0, end, low), ink);
    }
    scene.add(Shape::Line(from + 6.0, low, x - 6.0, low), ink);
    scene.text(width / 2.0, low + 11.0, 12.0, words, Anchor::Middle);
    (width, floor - top + 58.0)
}

/// The radius of a circle of heaps on a board for touch, within its margins.
const TOUCH_RADIUS: f64 = 146.0;

/// What joins heaps around a middle.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Middle<'f> {
    /// A circle.
    Circle,
    /// A string from heap to heap, which closes up.
    String,
    /// The maximal faces of a complex, each with its heaps.
    Faces(&'f [Vec<usize>]),
}

/// Draws heaps on a circle, on a loop that closes up, or at the vertices of a complex.
pub(super) fn ring(
    scene: &mut Scene,
    sizes: &[u32],
    view: BoardView<'_>,
    summand: usize,
    top: f64,
    middle: Middle<'_>,
) -> (f64, f64) {
    let all = heaps(sizes, view, summand);
    let ring = RingPlan::new(&all, view, middle, top);
    ring.draw_middle(scene, middle, sizes.len());
    for (i, heap) in all.iter().enumerate() {
        ring.draw_label(scene, i, heap);
        if ring.drawn {
            ring.draw_tokens(scene, i, heap, view.touch);
        } else {
            ring.draw_bar(scene, i, heap);
        }
    }
    (2.0 * ring.centre.0, 2.0 * (ring.centre.1 - top))
}

/// Where heaps around a middle are drawn.
struct RingPlan {
    /// How many there are, at least 1.
    count: usize,
    centre: (f64, f64),
    /// The radius of the middle.
    inner: f64,
    /// The radius of the discs with the numbers of the heaps, at the vertices of a complex; sizes
    /// then stand at their ends.
    disc: f64,
    /// Whether tokens are drawn, on rays from the rim outwards; too many become bars in proportion.
    drawn: bool,
    /// From token to token.
    step: f64,
    /// The length of the tallest bar, and its tokens.
    length: f64,
    tallest: u64,
}

impl RingPlan {
    fn new(all: &[DrawnHeap], view: BoardView<'_>, middle: Middle<'_>, top: f64) -> RingPlan {
        let count = all.len().max(1);
        let disc = if matches!(middle, Middle::Faces(_)) { 13.0 } else { 0.0 };
        let tallest = all.iter().map(|heap| heap.size.max(heap.before)).max().unwrap_or(0);
        let drawn = tallest <= 12;
        let least = if view.touch { 38.0 } else { 48.0 };
        let inner = (count as f64 * (26.0 + disc) / TAU).max(least);
        // On a board for touch tokens are as large as a telephone has room for, from the first
        // board of a game on.
        let first = view.start.and_then(Board::heaps).and_then(|heaps| heaps.iter().max().copied());
        let longest = tallest.max(first.unwrap_or(0).into());
        let room = (TOUCH_RADIUS - inner - disc) / longest.max(1) as f64;
        let apart =
            if count > 1 { 2.0 * inner * (TAU / 2.0 / count as f64).sin() } else { TOUCH_RADIUS };
        let is_large = view.touch && longest <= 12;
        let step = if is_large { room.min(apart).clamp(20.0, 44.0) } else { 20.0 };
        let tallest = if view.touch && drawn { longest.min(12) } else { tallest };
        let length = if drawn { step * tallest.max(3) as f64 } else { step * 7.0 };
        let outer = inner + length + if disc > 0.0 { disc + 14.0 } else { 8.0 };
        let centre = (outer + 14.0, top + outer + 14.0);
        RingPlan { count, centre, inner, disc, drawn, step, length, tallest }
    }

    /// Returns the point of a heap's ray at this distance from the centre.
    fn at(&self, heap: usize, r: f64) -> (f64, f64) {
        let angle = TAU * heap as f64 / self.count as f64;
        (self.centre.0 + r * angle.sin(), self.centre.1 - r * angle.cos())
    }

    fn draw_middle(&self, scene: &mut Scene, middle: Middle<'_>, heaps: usize) {
        let (centre, inner) = (self.centre, self.inner);
        match middle {
            Middle::Circle => {
                scene.add(Shape::Circle(centre.0, centre.1, inner), Style::line(SPENT, 2.0))
            }
            Middle::String => {
                for i in 0..heaps {
                    let ((a, b), (x, y)) =
                        (self.at(i, inner), self.at((i + 1) % self.count, inner));
                    scene.add(Shape::Line(a, b, x, y), Style::line(ACCENT, 3.0));
                }
            }
            // Areas first, so that no edge is hidden.
            Middle::Faces(faces) => {
                let corners = |face: &[usize]| face.iter().map(|i| self.at(*i, inner)).collect();
                let (areas, edges): (Vec<_>, Vec<_>) =
                    faces.iter().filter(|face| face.len() > 1).partition(|face| face.len() > 2);
                for face in &areas {
                    scene.add(Shape::Polygon(corners(face)), Style::fill(WASH));
                }
                for face in areas.iter().chain(&edges) {
                    scene.add(Shape::Polygon(corners(face)), Style::line(ACCENT, 3.0));
                }
            }
        }
    }

    /// Draws the number of a heap, if heaps have some, and its size.
    fn draw_label(&self, scene: &mut Scene, i: usize, heap: &DrawnHeap) {
        let RingPlan { inner, disc, .. } = *self;
        if disc > 0.0 {
            let (x, y) = self.at(i, inner);
            scene.add(Shape::Circle(x, y, disc), Style::line(ACCENT, 2.0).filled(PAPER));
            scene.text(x, y, 13.0, (i + 1).to_string(), Anchor::Middle);
        }
        let end = heap.size.max(heap.before) as f64;
        let end = match self.drawn {
            true => inner + disc + 10.0 + self.step * end,
            false => inner + disc + 10.0 + self.length * end / self.tallest.max(1) as f64,
        };
        let (x, y) = self.at(i, if disc > 0.0 { end } else { inner - 18.0 });
        let ink = if heap.keeps < heap.size { ACCENT } else { INK };
        let label = if heap.keeps < heap.size { heap.keeps } else { heap.size };
        scene.add(Shape::Text(x, y, 14.0, label.to_string(), Anchor::Middle), Style::fill(ink));
    }

    fn draw_tokens(&self, scene: &mut Scene, i: usize, heap: &DrawnHeap, touch: bool) {
        for left in 0..heap.size.max(heap.before) {
            let (x, y) = self.at(i, self.inner + self.disc + self.step * (left as f64 + 0.5));
            let circle = Shape::Circle(x, y, self.step * 0.42);
            if left >= heap.size {
                scene.add(circle, heap.ink(left));
                continue;
            }
            if touch {
                let area = Shape::Circle(x, y, self.step / 2.0);
                scene.add_part(heap.part(left), area, Style::default());
            }
            scene.add_part(heap.part(left), circle, heap.ink(left));
        }
    }

    /// Draws a ray in proportion, as bars are in a row: no buttons.
    fn draw_bar(&self, scene: &mut Scene, i: usize, heap: &DrawnHeap) {
        let at_tokens = |tokens: u64| {
            let along = self.length * tokens as f64 / self.tallest.max(1) as f64;
            self.at(i, self.inner + self.disc + along)
        };
        let parts = [(0, heap.keeps), (heap.keeps, heap.size), (heap.size, heap.before)];
        for (low, high) in parts.into_iter().filter(|(low, high)| low < high) {
            let ((x, y), (u, v)) = (at_tokens(low), at_tokens(high));
            let (ink, dashed) = match low {
                low if low >= heap.size => (SPENT, true),
                low if low >= heap.keeps => (ACCENT, true),
                _ => (TOKEN, false),
            };
            scene.add(Shape::Line(x, y, u, v), Style::line(ink, 12.0).dashed(dashed));
        }
    }
}

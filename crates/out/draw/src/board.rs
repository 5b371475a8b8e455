//! Boards: heaps in a row, in a pile or on a ring, rows of pins, strings of beads, coins on a
//! strip, coins in a row, the circular track, the queen's board, dots, coins, purses, sums.
//!
//! Heaps too tall to count are drawn as a bar with their number, and boards too wide are cut. The
//! description says so.

use crate::boxes::{coins, dots};
use crate::cards::cards;
use crate::graph::graph;
use crate::scene::{
    ACCENT, Anchor, BAD, BoardPart, Colour, GOOD, INK, PAPER, PURSE, SPENT, Scene, Shape, Style,
    TOKEN, WASH, text_width,
};
use crate::sheets::sheets;
use bouton_core::{Board, Sight};
use std::f64::consts::TAU;

/// The tallest heap that is drawn token by token.
const MAX_TOKENS: u32 = 24;
/// The greatest number of heaps drawn.
const MAX_HEAPS: usize = 40;
/// The longest row of pins that is drawn pin by pin.
const MAX_PINS: u32 = 80;
/// The largest circle of cells that is drawn completely; of a larger one only the cells around the
/// token are drawn.
const MAX_CELLS: usize = 256;
/// The number of cells drawn on either side of the token on a larger circle.
const CELLS_AROUND: usize = 20;
/// The number of squares on a side of the queen's board that are drawn.
const MAX_SQUARES: u32 = 24;

/// The number of squares of a strip that are drawn.
const MAX_STRIP: u32 = 200;
/// Squares of a strip side by side: on a board for fingers, 44 pixels each on a telephone, and
/// otherwise.
const STRIP_SQUARES: [u32; 2] = [7, 20];

/// Marks on a board in addition to the position.
#[derive(Debug, Clone, Copy, Default)]
pub struct BoardView<'v> {
    /// The board before the last move; removed tokens are outlined.
    pub before: Option<&'v Board>,
    /// An incomplete move: the heaps that it would leave. Tokens above are outlined as chosen.
    pub draft: Option<&'v [u32]>,
    /// The owner of each box, row by row, or of each coin: true is the first player.
    pub owners: Option<&'v [Option<bool>]>,
    /// The structure of the position.
    pub sight: Option<&'v Sight>,
    /// The values of moves, each at the part of the board that makes the move.
    pub values: &'v [(BoardPart, MoveValue)],
    /// The numbers of pins that moves take from a row, but for 1; 0 if rows are cut. Each has
    /// handles below the pins.
    pub handles: &'v [u32],
    /// The pairs of squares of a picture that a move changes, and the lines along which sheets are
    /// cut: each has a joint.
    pub joints: &'v [BoardPart],
    /// The board with which the game began: what is left keeps its place on it.
    pub start: Option<&'v Board>,
    /// Whether the board is for fingers: rows are further apart, and small parts have invisible
    /// areas around them that take the touch.
    pub touch: bool,
}

/// The value of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveValue {
    /// The value in a few characters.
    pub text: String,
    /// The loss against the best move, if both values are known.
    pub loss: Option<u32>,
}

impl MoveValue {
    pub(crate) fn colour(&self) -> Colour {
        match self.loss {
            Some(0) => GOOD,
            Some(1..=2) => ACCENT,
            Some(_) => BAD,
            None => INK,
        }
    }
}

/// Lays out a board.
pub fn scene(title: &str, board: &Board) -> Scene {
    scene_with(title, board, BoardView::default())
}

/// Lays out a board with the marks of a view.
pub fn scene_with(title: &str, board: &Board, view: BoardView<'_>) -> Scene {
    let mut scene = Scene::new(title, describe(board));
    draw(&mut scene, board, view, 0, 0.0);
    scene
}

/// Describes a board in words.
pub fn describe(board: &Board) -> String {
    let list = |sizes: &[u32]| {
        let listed: Vec<String> = sizes.iter().take(MAX_HEAPS).map(u32::to_string).collect();
        let rest = if sizes.len() > MAX_HEAPS {
            format!(" and {} more", sizes.len() - MAX_HEAPS)
        } else {
            String::new()
        };
        listed.join(", ") + &rest
    };
    let heaps = |n: usize| if n == 1 { "1 heap".into() } else { format!("{n} heaps") };
    match board {
        Board::Row(sizes) if sizes.is_empty() => "No heap is left.".into(),
        Board::Row(sizes) => format!("{} in a row: {}.", heaps(sizes.len()), list(sizes)),
        Board::Several { heaps: sizes, at_once } => {
            format!("{} in a row: {}. {}.", heaps(sizes.len()), list(sizes), at_most(*at_once))
        }
        Board::Complex { heaps: sizes, faces } => {
            let faces: Vec<String> = faces.iter().map(|face| face_text(face)).collect();
            let (count, sizes) = (heaps(sizes.len()), list(sizes));
            format!(
                "{count}: {sizes}. One move takes from heaps of one face; the faces: {}.",
                faces.join("; ")
            )
        }
        Board::Pile(size) => format!("A pile of {size}."),
        Board::Ring(sizes) | Board::Loop(sizes) if sizes.is_empty() => {
            "No heap is left on the circle.".into()
        }
        Board::Ring(sizes) => {
            format!("{} on a circle, clockwise: {}.", heaps(sizes.len()), list(sizes))
        }
        Board::Loop(sizes) => {
            let heaps = heaps(sizes.len());
            format!("{heaps} on a circle that closes up, clockwise: {}.", list(sizes))
        }
        Board::Pins(rows) if rows.is_empty() => "No pin is left.".into(),
        Board::Pins(rows) => format!("Rows of pins: {}.", list(rows)),
        Board::Beads(rows) if rows.is_empty() => "No bead is left.".into(),
        Board::Beads(rows) => format!("Strings of beads: {}.", list(rows)),
        Board::Strip(squares) if squares.is_empty() => "No coin is on the strip.".into(),
        Board::Strip(squares) => format!("Coins on these squares of a strip: {}.", list(squares)),
        Board::Faces(heads) if heads.is_empty() => "A row of coins, all tails.".into(),
        Board::Faces(heads) => format!("A row of coins, heads at these places: {}.", list(heads)),
        Board::Track { visited, token } => {
            let all = || {
                visited
                    .iter()
                    .enumerate()
                    .filter(|(_, is_visited)| **is_visited)
                    .map(|(cell, _)| cell as u32)
            };
            // As many cells as a completely drawn circle can have.
            let cells: Vec<String> = all().take(MAX_CELLS).map(|cell| cell.to_string()).collect();
            let rest = all().count() - cells.len();
            let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            let (n, cells) = (visited.len(), cells.join(", "));
            format!("A circle of {n} cells, token on cell {token}. Visited: {cells}{rest}.")
        }
        Board::Queen { x, y } => {
            format!(
                "A queen {x} squares from the left edge and {y} from the lower edge; heaps of {x} \
                 and {y}."
            )
        }
        Board::Dots { rows, columns, horizontal, vertical } => {
            let drawn = horizontal.iter().chain(vertical).filter(|line| **line).count();
            let lines = horizontal.len() + vertical.len();
            format!("A board of {rows} by {columns} boxes; {drawn} of {lines} lines are drawn.")
        }
        Board::Coins { strings, whole } => {
            let left: Vec<String> = strings
                .iter()
                .zip(whole)
                .filter(|(_, whole)| **whole)
                .map(|((a, b), _)| match b {
                    Some(b) => format!("{} and {}", a + 1, b + 1),
                    None => format!("{} and the ground", a + 1),
                })
                .collect();
            if left.is_empty() {
                "All coins are taken.".into()
            } else {
                format!("Strings between {}.", left.join(", "))
            }
        }
        Board::Purses { stones, mover, other } => {
            let purse = |dollars: &Option<u64>| {
                dollars.map_or("unlimited money".into(), |d| format!("{d} dollars"))
            };
            format!(
                "A pile of {stones} stones. The player to move has {}, the other {}.",
                purse(mover),
                purse(other)
            )
        }
        Board::Graph(graph) => crate::graph::describe(graph),
        Board::Sheets(sheets) => crate::sheets::describe(sheets),
        Board::Cards { cards, note } => crate::cards::describe(cards, note),
        Board::Text(picture) => {
            let lines: Vec<&str> = picture.lines().collect();
            format!("{}.", lines.join(" / "))
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

/// Returns how many heaps a move lowers, in words.
fn at_most(heaps: usize) -> String {
    format!("up to {heaps} heaps in one move")
}

/// Returns the heaps of a face as they are counted, from 1.
fn face_text(face: &[usize]) -> String {
    face.iter().map(|heap| (heap + 1).to_string()).collect::<Vec<_>>().join(",")
}

/// Draws a board below `top`, and enlarges the scene to contain it.
fn draw(scene: &mut Scene, board: &Board, view: BoardView<'_>, summand: usize, top: f64) {
    let (width, height) = match board {
        Board::Row(sizes) => row(scene, sizes, view, summand, top, Stand::Row),
        Board::Several { heaps, at_once } => {
            row(scene, heaps, view, summand, top, Stand::Several(*at_once))
        }
        Board::Pile(size) => row(scene, &[*size], view, summand, top, Stand::Pile),
        Board::Ring(sizes) => ring(scene, sizes, view, summand, top, Middle::Circle),
        Board::Loop(sizes) => ring(scene, sizes, view, summand, top, Middle::String),
        Board::Complex { heaps, faces } => {
            ring(scene, heaps, view, summand, top, Middle::Faces(faces))
        }
        Board::Pins(rows) | Board::Beads(rows) => {
            let before = view.before.and_then(|before| removed_pins(before.rows()?, rows));
            let are_beads = matches!(board, Board::Beads(_));
            pins(scene, rows, before, (view, are_beads), summand, top)
        }
        Board::Strip(places) | Board::Faces(places) => {
            let before = view.before.and_then(Board::places).unwrap_or(places);
            strip(scene, board, before, view.touch, summand, top)
        }
        Board::Track { visited, token } => {
            let before = match view.before {
                Some(Board::Track { token: before, .. }) if before != token => Some(*before),
                _ => None,
            };
            track(scene, visited, *token, before, summand, top)
        }
        Board::Queen { x, y } => {
            let before = match view.before {
                Some(Board::Queen { x: a, y: b }) if (a, b) != (x, y) => Some((*a, *b)),
                _ => None,
            };
            queen(scene, (*x, *y), before, summand, top)
        }
        Board::Dots { rows, columns, horizontal, vertical } => {
            dots(scene, (*rows, *columns), horizontal, vertical, view, top)
        }
        Board::Coins { strings, whole } => coins(scene, strings, whole, view, top),
        Board::Purses { stones, mover, other } => {
            let before = match view.before {
                Some(Board::Purses { stones: before, .. }) => *before,
                _ => *stones,
            };
            purses(scene, (*stones, before), (*mover, *other), view.touch, summand, top)
        }
        Board::Graph(board) => graph(scene, board, view, summand, top),
        Board::Sheets(all) => sheets(scene, all, view, summand, top),
        Board::Cards { cards: all, note } => cards(scene, all, note, view, summand, top),
        Board::Text(picture) => match squares_of(picture) {
            Some(rows) => squares(scene, &rows, view, summand, top),
            None => characters(scene, picture, top),
        },
        Board::Sum(boards) => {
            for (i, part) in boards.iter().enumerate() {
                if i > 0 {
                    let y = scene.height.max(top);
                    scene.text(12.0, y + 8.0, 20.0, "+", Anchor::Start);
                    scene.height = y + 16.0;
                }
                let y = scene.height.max(top);
                let before = match view.before {
                    Some(Board::Sum(before)) if before.len() == boards.len() => before.get(i),
                    _ => None,
                };
                let start = match view.start {
                    Some(Board::Sum(start)) if start.len() == boards.len() => start.get(i),
                    _ => None,
                };
                let part_view = BoardView {
                    before,
                    start,
                    owners: None,
                    draft: None,
                    sight: None,
                    values: &[],
                    ..view
                };
                draw(scene, part, part_view, i, y);
            }
            return;
        }
    };
    scene.width = scene.width.max(width);
    scene.height = scene.height.max(top + height);
}

/// A heap: its size, its size before the last move, and its size after an incomplete move.
#[derive(Clone, Copy)]
struct DrawnHeap {
    size: u64,
    before: u64,
    keeps: u64,
    summand: usize,
    heap: usize,
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
struct HeapStyle {
    step: f64,
    columns: u64,
    bars: Option<u64>,
    touch: bool,
    /// Whether the tokens are piled up, each row one shorter than the one below it.
    is_pile: bool,
}

/// The height of the tallest bar, in steps.
const BAR_STEPS: u64 = 12;
/// The distance of tokens on a board for fingers: 44 pixels or more on a telephone.
const TOUCH_STEP: f64 = 25.0;
/// The greatest number of tokens above each other on a board for fingers.
const TOUCH_ROWS: u64 = 8;

impl HeapStyle {
    /// Returns the style for heaps of up to `tallest` tokens, `heaps` of them side by side.
    fn from_sizes(tallest: u64, heaps: usize, touch: bool) -> HeapStyle {
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

    fn height(&self, tallest: u64) -> f64 {
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
fn heap(scene: &mut Scene, heap: DrawnHeap, x: f64, y: f64, style: HeapStyle) {
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
const MIN_WIDTH: f64 = 180.0;

/// How heaps stand side by side.
#[derive(Clone, Copy, PartialEq)]
enum Stand {
    /// Each for itself.
    Row,
    /// With a bracket below: one move lowers at most this number of heaps.
    Several(usize),
    /// One heap, piled up.
    Pile,
}

/// Draws heaps side by side, or one heap as a pile.
fn row(
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

/// The radius of a circle of heaps for fingers, within its margins.
const FINGERS: f64 = 146.0;

/// What joins heaps around a middle.
#[derive(Clone, Copy, PartialEq)]
enum Middle<'f> {
    /// A circle.
    Circle,
    /// A string from heap to heap, which closes up.
    String,
    /// The maximal faces of a complex, each with its heaps.
    Faces(&'f [Vec<usize>]),
}

/// Draws heaps on a circle, on a loop that closes up, or at the vertices of a complex.
fn ring(
    scene: &mut Scene,
    sizes: &[u32],
    view: BoardView<'_>,
    summand: usize,
    top: f64,
    middle: Middle<'_>,
) -> (f64, f64) {
    let n = sizes.len().max(1);
    // The vertices of a complex are discs with the numbers of the heaps; sizes stand at their ends.
    let disc = if matches!(middle, Middle::Faces(_)) { 13.0 } else { 0.0 };
    let all = heaps(sizes, view, summand);
    let tallest = all.iter().map(|heap| heap.size.max(heap.before)).max().unwrap_or(0);
    // Tokens lie on rays from the rim outwards; too many become bars in proportion.
    let drawn = tallest <= 12;
    let inner = (n as f64 * (26.0 + disc) / TAU).max(if view.touch { 38.0 } else { 48.0 });
    // On a board for fingers tokens are as large as a telephone has room for, from the first board
    // of a game on.
    let first = view.start.and_then(Board::heaps).and_then(|heaps| heaps.iter().max().copied());
    let longest = tallest.max(first.unwrap_or(0).into());
    let room = (FINGERS - inner - disc) / longest.max(1) as f64;
    let apart = if n > 1 { 2.0 * inner * (TAU / 2.0 / n as f64).sin() } else { FINGERS };
    let step = if view.touch && longest <= 12 { room.min(apart).clamp(20.0, 44.0) } else { 20.0 };
    let tallest = if view.touch && drawn { longest.min(12) } else { tallest };
    let length = if drawn { step * tallest.max(3) as f64 } else { step * 7.0 };
    let outer = inner + length + if disc > 0.0 { disc + 14.0 } else { 8.0 };
    let centre = (outer + 14.0, top + outer + 14.0);
    let at = |i: usize, r: f64| {
        let angle = TAU * i as f64 / n as f64;
        (centre.0 + r * angle.sin(), centre.1 - r * angle.cos())
    };
    match middle {
        Middle::Circle => {
            scene.add(Shape::Circle(centre.0, centre.1, inner), Style::line(SPENT, 2.0))
        }
        Middle::String => {
            for i in 0..sizes.len() {
                let ((a, b), (x, y)) = (at(i, inner), at((i + 1) % n, inner));
                scene.add(Shape::Line(a, b, x, y), Style::line(ACCENT, 3.0));
            }
        }
        // Areas first, so that no edge is hidden.
        Middle::Faces(faces) => {
            let corners = |face: &[usize]| face.iter().map(|i| at(*i, inner)).collect();
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
    for (i, heap) in all.iter().enumerate() {
        if disc > 0.0 {
            let (x, y) = at(i, inner);
            scene.add(Shape::Circle(x, y, disc), Style::line(ACCENT, 2.0).filled(PAPER));
            scene.text(x, y, 13.0, (i + 1).to_string(), Anchor::Middle);
        }
        let end = heap.size.max(heap.before) as f64;
        let end = inner
            + disc
            + 10.0
            + if drawn { step * end } else { length * end / tallest.max(1) as f64 };
        let (x, y) = at(i, if disc > 0.0 { end } else { inner - 18.0 });
        let ink = if heap.keeps < heap.size { ACCENT } else { INK };
        let label = if heap.keeps < heap.size { heap.keeps } else { heap.size };
        scene.add(Shape::Text(x, y, 14.0, label.to_string(), Anchor::Middle), Style::fill(ink));
        if drawn {
            for left in 0..heap.size.max(heap.before) {
                let (x, y) = at(i, inner + disc + step * (left as f64 + 0.5));
                let circle = Shape::Circle(x, y, step * 0.42);
                if left < heap.size {
                    if view.touch {
                        scene.add_part(
                            heap.part(left),
                            Shape::Circle(x, y, step / 2.0),
                            Style::default(),
                        );
                    }
                    scene.add_part(heap.part(left), circle, heap.ink(left));
                } else {
                    scene.add(circle, heap.ink(left));
                }
            }
        } else {
            // Rays in proportion, as bars are in a row: no buttons.
            let at_tokens =
                |tokens: u64| at(i, inner + disc + length * tokens as f64 / tallest.max(1) as f64);
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
    (2.0 * centre.0, 2.0 * (centre.1 - top))
}

/// Returns the pins that the last move removed: their number, and the pins before them in a row of
/// the present board.
fn removed_pins(before: &[u32], after: &[u32]) -> Option<(usize, u32, u32)> {
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

fn pins(
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

/// Draws coins on a strip of squares, or a row of coins. What the last move changed has a ring.
fn strip(
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

fn track(
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

fn queen(
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
const MOST_CHARACTERS: usize = 100;

/// Returns the characters of a picture of squares, row by row from the top: a dot is a free square,
/// `#` a full one, and a letter is what stands on a square. `None` for a picture with other signs,
/// or of letters alone that are not all capitals.
pub fn squares_of(picture: &str) -> Option<Vec<Vec<char>>> {
    let rows: Vec<Vec<char>> =
        picture.lines().map(|line| line.chars().filter(|c| !c.is_whitespace()).collect()).collect();
    let is_plain = |c: &char| matches!(c, '.' | '#');
    let all = rows.iter().flatten();
    let is_small =
        rows.len() <= MOST_CHARACTERS && rows.iter().all(|row| row.len() <= MOST_CHARACTERS);
    let is_drawn = all.clone().any(is_plain)
        || all.clone().next().is_some() && all.clone().all(char::is_ascii_uppercase);
    let fits = is_small && is_drawn && all.clone().all(|c| is_plain(c) || c.is_alphabetic());
    fits.then_some(rows)
}

/// Draws squares, free or full or with a letter, and joints between two of them, which select both.
/// What the last move changed has a ring.
fn squares(
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
fn characters(scene: &mut Scene, picture: &str, top: f64) -> (f64, f64) {
    const SQUARE: f64 = 16.0;
    let (mut rows, mut columns) = (0, 1);
    for (row, line) in picture.lines().take(MOST_CHARACTERS).enumerate() {
        rows = row + 1;
        for (column, character) in line.chars().take(MOST_CHARACTERS).enumerate() {
            columns = columns.max(column + 1);
            if !character.is_whitespace() {
                let (x, y) = (SQUARE * (column as f64 + 1.0), top + SQUARE * (row as f64 + 1.0));
                scene.text(x, y, SQUARE - 2.0, character.to_string(), Anchor::Middle);
            }
        }
    }
    (SQUARE * (columns as f64 + 1.0), SQUARE * (rows as f64 + 1.0))
}

fn purses(
    scene: &mut Scene,
    (stones, before): (u64, u64),
    (mover, other): (Option<u64>, Option<u64>),
    touch: bool,
    summand: usize,
    top: f64,
) -> (f64, f64) {
    let listed = if stones > u64::from(MAX_TOKENS) {
        stones
    } else {
        before.clamp(stones, u64::from(MAX_TOKENS))
    };
    let style = HeapStyle {
        columns: listed.div_ceil(8).clamp(1, 3),
        ..HeapStyle::from_sizes(listed, 1, touch)
    };
    let floor = top + 16.0 + style.height(listed);
    let purse = |dollars: Option<u64>| dollars.map_or("∞".into(), |d| d.to_string());
    for (x, who, dollars) in [(70.0, "to move", mover), (250.0, "other", other)] {
        scene.add(
            Shape::Box(x - 46.0, floor - 44.0, 92.0, 44.0, 12.0),
            Style::line(INK, 1.5).filled(PURSE),
        );
        scene.text(x, floor - 22.0, 15.0, format!("$ {}", purse(dollars)), Anchor::Middle);
        scene.text(x, floor + 12.0, 12.0, who, Anchor::Middle);
    }
    let pile = DrawnHeap { size: stones, before: listed, keeps: stones, summand, heap: 0 };
    heap(scene, pile, 160.0, floor, style);
    (320.0, floor - top + 32.0)
}

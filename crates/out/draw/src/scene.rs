//! Scenes, the common input of all writers: circles, lines, boxes and texts on a plane.
//!
//! Lengths are in pixels of the SVG; y grows downwards.

/// A drawing with its description.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The width of the plane.
    pub width: f64,
    /// The height of the plane.
    pub height: f64,
    /// The title, one line.
    pub title: String,
    /// The picture in words.
    pub description: String,
    /// The marks, back to front.
    pub marks: Vec<Mark>,
    /// A block of cells under all marks.
    pub raster: Option<Raster>,
}

/// A block of coloured cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The side of a cell, in whole pixels.
    pub side: usize,
    /// The number of cells in a row.
    pub columns: usize,
    /// The colours, row by row from the top.
    pub cells: Vec<Colour>,
}

/// A mark of a drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The shape.
    pub shape: Shape,
    /// The style.
    pub ink: Style,
    /// The part of the board that the mark belongs to. Marks of one part are consecutive.
    pub part: Option<BoardPart>,
}

/// The shape of a mark.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Centre and radius.
    Circle(f64, f64, f64),
    /// Left, top, width, height, and the radius of the corners.
    Box(f64, f64, f64, f64, f64),
    /// Start and end.
    Line(f64, f64, f64, f64),
    /// The corners.
    Polygon(Vec<(f64, f64)>),
    /// An anchor at half the height of a digit, the type size, the text, and the kind of the
    /// anchor.
    Text(f64, f64, f64, String, Anchor),
}

/// The point of a text that is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// Red, green, blue.
pub type Colour = [u8; 3];

/// Fill and outline.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Style {
    /// The colour of the inside; of the letters, for a text.
    pub fill: Option<Colour>,
    /// The colour of the outline.
    pub line: Option<Colour>,
    /// The width of the outline.
    pub width: f64,
    /// Whether the outline is dashed.
    pub dashed: bool,
}

impl Style {
    /// Returns a filled style without outline.
    pub fn fill(colour: Colour) -> Style {
        Style { fill: Some(colour), ..Style::default() }
    }

    /// Returns a style with an outline only.
    pub fn line(colour: Colour, width: f64) -> Style {
        Style { line: Some(colour), width, ..Style::default() }
    }

    /// Returns the style with this fill.
    pub fn filled(self, colour: Colour) -> Style {
        Style { fill: Some(colour), ..self }
    }

    /// Returns the style with a dashed or solid outline.
    pub fn dashed(self, dashed: bool) -> Style {
        Style { dashed, ..self }
    }
}

/// A part of a board, which a page can make a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoardPart {
    /// A token: of the `heap` of this summand, with `left` tokens below it.
    Token {
        /// The summand, from 0.
        summand: usize,
        /// The heap, from 0.
        heap: usize,
        /// The tokens left if this token and all above it are removed.
        left: u64,
    },
    /// Neighbouring pins of a row, or the place where it is cut.
    Pins {
        /// The summand, from 0.
        summand: usize,
        /// The row, from 0.
        row: usize,
        /// The first pin, from 0; of a cut the one behind it.
        first: u32,
        /// The number of pins; 0 for a cut.
        count: u32,
    },
    /// A cell of a circular track.
    Cell {
        /// The summand, from 0.
        summand: usize,
        /// The cell.
        cell: usize,
    },
    /// Two squares of a picture that touch.
    Domino {
        /// The summand, from 0.
        summand: usize,
        /// The column of the left or upper square.
        x: u32,
        /// Its row, from the top.
        y: u32,
        /// Whether the other square is below it, else to the right of it.
        upright: bool,
    },
    /// A node of a graph.
    GraphNode {
        /// The summand, from 0.
        summand: usize,
        /// The node, from 0.
        node: usize,
    },
    /// An edge of a graph.
    GraphEdge {
        /// The summand, from 0.
        summand: usize,
        /// The edge, from 0.
        edge: usize,
    },
    /// A line along which a sheet of squares is cut.
    Cut {
        /// The summand, from 0.
        summand: usize,
        /// The sheet, from 0.
        sheet: usize,
        /// The squares on the left of the line, or above it.
        at: u32,
        /// Whether the line runs from top to bottom.
        upright: bool,
    },
    /// A square of the queen's board, of a strip, or of a picture; or a card, of which `x` is the
    /// place.
    Square {
        /// The summand, from 0.
        summand: usize,
        /// The distance from the west edge.
        x: u32,
        /// The distance from the south edge.
        y: u32,
    },
    /// A line between dots.
    Line {
        /// Whether the line is horizontal.
        horizontal: bool,
        /// The place of the line in the list of the board.
        line: usize,
    },
    /// A node of a tree.
    Node(usize),
}

impl Scene {
    /// Returns an empty plane.
    pub fn new(title: impl Into<String>, description: impl Into<String>) -> Scene {
        Scene {
            width: 0.0,
            height: 0.0,
            title: title.into(),
            description: description.into(),
            marks: Vec::new(),
            raster: None,
        }
    }

    /// Adds a mark.
    pub fn add(&mut self, shape: Shape, ink: Style) {
        self.marks.push(Mark { shape, ink, part: None });
    }

    /// Adds a mark of a part.
    pub fn add_part(&mut self, part: BoardPart, shape: Shape, ink: Style) {
        self.marks.push(Mark { shape, ink, part: Some(part) });
    }

    /// Adds a text.
    pub fn text(&mut self, x: f64, y: f64, size: f64, text: impl Into<String>, anchor: Anchor) {
        self.add(Shape::Text(x, y, size, text.into(), anchor), Style::fill(INK));
    }
}

/// Lines and letters.
pub const INK: Colour = [0x1b, 0x1f, 0x24];
/// The background.
pub const PAPER: Colour = [0xff, 0xff, 0xff];
/// Tokens.
pub const TOKEN: Colour = [0x0b, 0x5c, 0x8f];
/// Visited or removed tokens, and everything out of play.
pub const SPENT: Colour = [0xb4, 0xbc, 0xc4];
/// Highlights.
pub const ACCENT: Colour = [0xc7, 0x5b, 0x00];

/// The background of reachable places and of boxes of the first player.
pub const WASH: Colour = [0xe3, 0xee, 0xf6];
/// The background of purses and of boxes of the second player.
pub const PURSE: Colour = [0xf6, 0xee, 0xdd];

/// Moves that keep a win or are safe; and the paths of long chains.
pub const GOOD: Colour = [0x0a, 0x65, 0x37];
/// Moves that lose a win.
pub const BAD: Colour = [0x9a, 0x1f, 0x1f];
/// The background of long chains.
pub const LONG: Colour = [0xd8, 0xee, 0xe0];
/// The background of loops.
pub const LOOP: Colour = [0xe9, 0xe0, 0xf4];
/// The paths of loops.
pub const RING: Colour = [0x6a, 0x4a, 0x9c];
/// The background of short chains.
pub const SHORT: Colour = [0xec, 0xee, 0xf0];

/// The palette by names, for pages with other colours in dark mode.
pub const PALETTE: [(Colour, &str); 13] = [
    (INK, "ink"),
    (PAPER, "paper"),
    (TOKEN, "token"),
    (SPENT, "spent"),
    (ACCENT, "accent"),
    (WASH, "wash"),
    (PURSE, "purse"),
    (GOOD, "good"),
    (BAD, "bad"),
    (LONG, "long"),
    (LOOP, "loop"),
    (RING, "ring"),
    (SHORT, "short"),
];

/// Estimates the width of a text.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.6
}

//! What a picture comes down to before a writer takes it: circles, lines, boxes and words on a plane.
//!
//! Lengths are in pixels of the SVG, y grows downwards.

/// A drawing, and what it says to those who don't see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width of the plane.
    pub width: f64,
    /// Height of the plane.
    pub height: f64,
    /// A line that names the picture.
    pub title: String,
    /// The picture in words.
    pub description: String,
    /// What is drawn, back to front.
    pub marks: Vec<Mark>,
    /// A block of cells under all marks.
    pub raster: Option<Raster>,
}

/// A block of coloured cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Side of a cell; a whole number.
    pub side: usize,
    /// Cells in a row.
    pub columns: usize,
    /// Colours, row by row from the top.
    pub cells: Vec<Colour>,
}

/// One thing drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Its form.
    pub shape: Shape,
    /// How it is inked.
    pub ink: Ink,
    /// What it stands for; marks of one part follow each other.
    pub part: Option<Part>,
}

/// The form of a mark.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Centre and radius.
    Circle(f64, f64, f64),
    /// Left, top, width, height, and the radius of its corners.
    Box(f64, f64, f64, f64, f64),
    /// From, to.
    Line(f64, f64, f64, f64),
    /// Words around a point, middle of the baseline's height, with the size of the type.
    Text(f64, f64, f64, String, Anchor),
}

/// Which point of a text is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Red, green, blue.
pub type Colour = [u8; 3];

/// Fill and outline.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Ink {
    /// Colour inside; of the letters, for a text.
    pub fill: Option<Colour>,
    /// Colour of the outline.
    pub line: Option<Colour>,
    /// Its width.
    pub width: f64,
    /// Whether it is dashed.
    pub dashed: bool,
}

impl Ink {
    /// Filled, no outline.
    pub fn fill(colour: Colour) -> Ink {
        Ink { fill: Some(colour), ..Ink::default() }
    }

    /// An outline.
    pub fn line(colour: Colour, width: f64) -> Ink {
        Ink { line: Some(colour), width, ..Ink::default() }
    }

    /// The same with this inside.
    pub fn filled(self, colour: Colour) -> Ink {
        Ink { fill: Some(colour), ..self }
    }

    /// The same, dashed if so.
    pub fn dashed(self, dashed: bool) -> Ink {
        Ink { dashed, ..self }
    }
}

/// What a mark stands for, so that a page can make it a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// A token: of the `heap` of this summand, with `left` tokens below it.
    Token {
        /// The summand, from 0.
        summand: usize,
        /// The heap, from 0.
        heap: usize,
        /// What would be left if it and all above it went.
        left: u64,
    },
    /// One pin of a row, or two that stand side by side.
    Pins {
        /// The summand, from 0.
        summand: usize,
        /// The row, from 0.
        row: usize,
        /// The first of them, from 0.
        first: u32,
        /// 1 or 2.
        count: u32,
    },
    /// A cell of a circular track.
    Cell {
        /// The summand, from 0.
        summand: usize,
        /// The cell.
        cell: usize,
    },
    /// A square of the queen's board.
    Square {
        /// The summand, from 0.
        summand: usize,
        /// From the west edge.
        x: u32,
        /// From the south edge.
        y: u32,
    },
    /// A line between dots.
    Line {
        /// Horizontal or vertical.
        horizontal: bool,
        /// Its place in the board's list.
        line: usize,
    },
    /// A node of a tree.
    Node(usize),
}

impl Scene {
    /// An empty plane.
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
    pub fn add(&mut self, shape: Shape, ink: Ink) {
        self.marks.push(Mark { shape, ink, part: None });
    }

    /// Adds a mark that stands for something.
    pub fn add_part(&mut self, part: Part, shape: Shape, ink: Ink) {
        self.marks.push(Mark { shape, ink, part: Some(part) });
    }

    /// Adds words.
    pub fn text(&mut self, x: f64, y: f64, size: f64, text: impl Into<String>, anchor: Anchor) {
        self.add(Shape::Text(x, y, size, text.into(), anchor), Ink::fill(INK));
    }
}

/// Lines and letters.
pub const INK: Colour = [0x1b, 0x1f, 0x24];
/// Behind everything.
pub const PAPER: Colour = [0xff, 0xff, 0xff];
/// Tokens.
pub const TOKEN: Colour = [0x0b, 0x5c, 0x8f];
/// What is visited, taken or out of play.
pub const SPENT: Colour = [0xb4, 0xbc, 0xc4];
/// What stands out.
pub const ACCENT: Colour = [0xc7, 0x5b, 0x00];

/// Behind what is within reach, or the first player's.
pub const WASH: Colour = [0xe3, 0xee, 0xf6];
/// Behind purses, and what is the second player's.
pub const PURSE: Colour = [0xf6, 0xee, 0xdd];

/// What keeps a win, or is safe; and the ways of long chains.
pub const GOOD: Colour = [0x0a, 0x65, 0x37];
/// What throws it away.
pub const BAD: Colour = [0x9a, 0x1f, 0x1f];
/// Behind long chains.
pub const LONG: Colour = [0xd8, 0xee, 0xe0];
/// Behind loops.
pub const LOOP: Colour = [0xe9, 0xe0, 0xf4];
/// The ways of loops.
pub const RING: Colour = [0x6a, 0x4a, 0x9c];
/// Behind short chains.
pub const SHORT: Colour = [0xec, 0xee, 0xf0];

/// The palette by names, for pages that have colours of their own for the dark.
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

/// About how wide a text of this size is.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * size * 0.6
}

//! The values of boards as data, found by the engine (`cargo run --release -p bouton-dots --example
//! dots_boards -- 3x3 3x3:swedish …`). Tests compute most of them again. No engine reads them.

use super::Border;

/// A board, the margin of its first player, and the number of openings that keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardValue {
    /// The number of rows, at most that of columns.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// The lines drawn at the start.
    pub border: Border,
    /// The boxes of the first player less those of the second.
    pub margin: i32,
    /// The number of first moves that keep the margin, if it is known.
    pub best: Option<u32>,
    /// The number of first moves.
    pub openings: u32,
    /// The source of the margin.
    pub source: &'static str,
}

impl Border {
    /// Returns the word that names and pages use.
    pub fn word(self) -> &'static str {
        match self {
            Border::Open => "open",
            Border::Swedish => "swedish",
            Border::Icelandic => "icelandic",
        }
    }
}

impl BoardValue {
    /// Returns the name of the game.
    pub fn game(&self) -> String {
        let border = if self.border == Border::Open {
            String::new()
        } else {
            format!(";{}", self.border.word())
        };
        format!("dots({}x{}{border})", self.rows, self.columns)
    }
}

/// Returns all boards of at most 16 boxes that are solved, and larger ones that are published.
pub fn board_values() -> Vec<BoardValue> {
    let lines = include_str!("../../data/dots.csv").lines().skip(1);
    let read = |line: &'static str| {
        let mut fields = line.split(',');
        let mut next = || fields.next();
        let (rows, columns) = next()?.split_once('x')?;
        let border = match next()? {
            "swedish" => Border::Swedish,
            "icelandic" => Border::Icelandic,
            _ => Border::Open,
        };
        Some(BoardValue {
            rows: rows.parse().ok()?,
            columns: columns.parse().ok()?,
            border,
            margin: next()?.parse().ok()?,
            best: next()?.parse().ok(),
            openings: next()?.parse().ok()?,
            source: next()?,
        })
    };
    lines.filter_map(read).collect()
}

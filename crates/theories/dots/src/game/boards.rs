//! What boards are worth, as data: found by the engine (`cargo run --release -p bouton-dots --example dots_boards -- 3x3 3x3:swedish …`),
//! tests find most of them again. No engine reads this.

use super::Border;

/// A board, what its first player wins, and how many openings keep that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardValue {
    /// Boxes down, no more than across.
    pub rows: u32,
    /// Boxes across.
    pub columns: u32,
    /// What is drawn when play begins.
    pub border: Border,
    /// The first player's boxes less the other's.
    pub margin: i32,
    /// First lines that keep the margin, where they were counted.
    pub best: Option<u32>,
    /// First lines in all.
    pub openings: u32,
    /// Who found the margin.
    pub source: &'static str,
}

impl Border {
    /// As the table and pages have it.
    pub fn word(self) -> &'static str {
        match self {
            Border::Open => "open",
            Border::Swedish => "swedish",
            Border::Icelandic => "icelandic",
        }
    }
}

impl BoardValue {
    /// The game's name.
    pub fn game(&self) -> String {
        let border =
            if self.border == Border::Open { String::new() } else { format!(";{}", self.border.word()) };
        format!("dots({}x{}{border})", self.rows, self.columns)
    }
}

/// All boards of at most 16 boxes that were solved, and larger ones that are published.
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

//! One entry of a published table: nim-values, records, periods, single positions, rows and lines
//! of Wythoff's game.

use crate::answer::{read_outcome, read_play};
use bouton_core::{Outcome, Play};
use serde::Deserialize;

/// An entry, by what it is about. Games and positions are in the notation of the command line.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "table", rename_all = "snake_case", deny_unknown_fields)]
pub enum Entry {
    /// Nim-values of single heaps `from`, `from` + 1, …
    Values {
        /// The game.
        game: String,
        /// The first heap.
        from: u64,
        /// The values.
        values: Vec<u32>,
    },
    /// The greatest nim-value of the heaps `from..=to`, and every heap that has it.
    Greatest {
        /// The game.
        game: String,
        /// The first heap.
        from: usize,
        /// The last heap.
        to: usize,
        /// The value.
        value: u32,
        /// The heaps.
        at: Vec<usize>,
    },
    /// Ultimate periodicity of a nim-sequence; what is not given is not claimed.
    Period(Period),
    /// Ultimate periodicity of a row of Wythoff's game: the nim-values of `row`,n less n.
    RowPeriod {
        /// The game; only Wythoff's has rows here.
        game: String,
        /// The row.
        row: usize,
        /// The period.
        period: Option<usize>,
        /// The first column from which it holds.
        preperiod: Option<usize>,
    },
    /// The least number that is not among these.
    Mex {
        /// These.
        of: Vec<u32>,
        /// It.
        value: u32,
    },
    /// The nim-sum of these.
    NimSum {
        /// These.
        of: Vec<u32>,
        /// It.
        value: u32,
    },
    /// One position.
    Position(Position),
    /// Nim-values of two heaps: row i, column j for the heaps i, j.
    Grid {
        /// The game.
        game: String,
        /// The values.
        rows: Vec<Vec<u32>>,
    },
    /// Lines of the table of Wythoff's nim-values hold each number exactly once.
    Lines {
        /// Rows and columns computed.
        size: usize,
        /// Diagonals beside the main one, looked at.
        diagonals: usize,
    },
    /// Nim-values of such sums are the nim-sums of those of their summands: positions as
    /// `kayles:9 + grundy:9`.
    Sums {
        /// The sums.
        sums: Vec<String>,
    },
}

/// Ultimate periodicity of a nim-sequence.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// The game.
    pub game: String,
    /// The period.
    pub period: usize,
    /// The first heap from which it holds.
    pub preperiod: usize,
    /// What a period adds.
    pub saltus: u32,
    /// Heaps and values that do not follow the period carried back to 0.
    pub exceptions: Option<Vec<(usize, u32)>>,
    /// One period, from a multiple of it on.
    pub values: Option<Vec<u32>>,
}

/// One position, with whatever is printed of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The game.
    pub game: String,
    /// The position; empty for the game's start.
    pub position: String,
    /// The convention.
    #[serde(default, deserialize_with = "read_play")]
    pub play: Play,
    /// The outcome.
    #[serde(default, deserialize_with = "outcome")]
    pub outcome: Option<Outcome>,
    /// The nim-value.
    pub nim_value: Option<u32>,
    /// The mover's boxes less the other's, of those still to be made, in a game won on points.
    pub margin: Option<i32>,
    /// All options.
    pub options: Option<Vec<String>>,
    /// Options that win or, on points, are best.
    pub winning: Option<Vec<String>>,
    /// Whether these are all.
    #[serde(default)]
    pub all_winning: bool,
}

fn outcome<'d, D: serde::Deserializer<'d>>(from: D) -> Result<Option<Outcome>, D::Error> {
    read_outcome(from).map(Some)
}

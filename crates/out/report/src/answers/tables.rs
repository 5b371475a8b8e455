//! Tables: P-positions of a box, nim-values, and tables over two numbers, as `bouton positions`,
//! `values` and `heatmap --json` print them.

use super::solve::OutcomeOrDraw;
use super::{GameName, Margin, Numbers, OutcomeLetter, PlayName, Reason};
use bouton_core::{LimitReached, Play};
use bouton_draw::Heatmap;
use bouton_draw::heatmap::CellKind;
use bouton_engine::Game;
use serde::{Serialize, Serializer};

/// P-positions of a box.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "positions")]
pub struct PPositions<'a> {
    /// The game.
    pub game: GameName,
    /// The convention.
    pub play: PlayName,
    /// The greatest heap.
    pub max: u64,
    /// The number of positions: a number below 2^64, or a text of decimal digits.
    pub count: PositionCount,
    /// The theorem by which they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theorem: Option<&'a str>,
    /// The hash of its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<&'a str>,
    /// The slice that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slice: Option<&'a str>,
    /// Positions and their nim-values.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "with_values")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<(Listed<'a>, Option<u32>)>>"))]
    pub values: Option<&'a PositionList>,
    /// The positions as arrays of numbers, or as texts if they are no lists of numbers.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "listed")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Listed<'a>>>"))]
    pub positions: Option<&'a PositionList>,
    /// The positions as texts.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_texts")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<&'a str>>"))]
    pub texts: Option<&'a PositionList>,
    /// Why there are no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// How many positions there are.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "position_count", untagged)]
pub enum PositionCount {
    /// Below 2^64.
    Number(u64),
    /// Decimal digits of 2^64 or more.
    Digits(String),
}

impl PositionCount {
    /// Returns the count that is written in decimal digits.
    pub fn from_digits(digits: String) -> PositionCount {
        digits.parse().map_or(PositionCount::Digits(digits), PositionCount::Number)
    }
}

/// A position of a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "listed", untagged)]
pub enum Listed<'a> {
    /// As an array of numbers.
    Numbers(Vec<u64>),
    /// As a text.
    Text(&'a str),
}

/// Positions as texts, with their nim-values if these were asked for, and little memory beside: an
/// answer may have millions.
#[derive(Debug, Default)]
pub struct PositionList {
    /// One after the other.
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
    /// None, or one for each.
    values: Vec<u32>,
}

impl PositionList {
    /// Adds a position, with its nim-value if all have theirs.
    pub fn push(&mut self, position: &str, value: Option<u32>) {
        self.text.push_str(position);
        self.ends.push(self.text.len());
        self.values.extend(value);
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.text[*start..*end])
    }

    /// Returns the positions as arrays of numbers if all are lists of them, else as texts.
    fn listed(&self) -> impl Iterator<Item = Listed<'_>> {
        let are_numbers = self.texts().all(|text| Numbers::read(text).is_some());
        self.texts().map(move |text| match Numbers::read(text) {
            Some(Numbers(numbers)) if are_numbers => Listed::Numbers(numbers),
            _ => Listed::Text(text),
        })
    }
}

/// Returns P-positions, as `bouton positions --json`.
pub fn positions<'a>(
    game: &dyn Game,
    play: Play,
    max: u32,
    list: &'a PositionList,
    spent: Option<LimitReached>,
) -> PPositions<'a> {
    PPositions {
        game: GameName(game.name()),
        play: play.into(),
        max: max.into(),
        count: PositionCount::Number(list.len() as u64),
        theorem: None,
        certificate: None,
        slice: None,
        values: None,
        positions: Some(list),
        texts: Some(list),
        reason: spent.map(Reason::new),
    }
}

/// A nim-sequence.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NimSequence<'a> {
    /// The game.
    pub game: GameName,
    /// The heap of the first value.
    pub from: u32,
    /// The values.
    pub values: &'a [u32],
    /// The positions, with n for a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<&'a str>,
    /// Why there are no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// Nim-values of named positions.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedValues<'a> {
    /// The game.
    pub game: GameName,
    /// The values by the names of the positions.
    #[serde(serialize_with = "in_order")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, Option<u32>>")
    )]
    pub values: Vec<(&'a str, u32)>,
    /// Why there are no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// Outcomes of the nodes of a graph with a cycle, on which play need not end.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedOutcomes<'a> {
    /// The game.
    pub game: GameName,
    /// What is known by the names of the positions.
    #[serde(serialize_with = "in_order")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, NamedOutcome>")
    )]
    pub outcomes: Vec<(&'a str, NamedOutcome)>,
}

/// The outcome of a node.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "named_outcome")]
pub struct NamedOutcome {
    /// Who wins, if anyone can force it.
    pub outcome: OutcomeOrDraw,
    /// How many moves play lasts if the winner hurries and the loser holds out; null in a draw.
    pub remoteness: Option<u32>,
}

/// A nim-sequence in a file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptSequence {
    /// The game.
    pub game: String,
    /// How many values there are.
    pub values: usize,
    /// How many were in the file.
    pub resumed: usize,
    /// How many heaps are rare, where the values of a sparse space are distinguished.
    pub rare: Option<usize>,
    /// The last heap that is rare.
    pub last_rare: Option<usize>,
    /// Values greater than all before, each after its heap.
    pub records: Vec<(usize, u32)>,
    /// The last of them.
    pub record: Option<(usize, u32)>,
    /// The file.
    pub checkpoint: String,
    /// Why there are no more.
    pub reason: Option<Reason>,
}

/// Margins of boards of Dots and Boxes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardMargins {
    /// The game.
    pub game: GameName,
    /// The boards.
    pub boards: Vec<BoardMargin>,
}

/// The margin of a board.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardMargin {
    /// The game.
    pub game: GameName,
    /// The margin of the first player.
    pub margin: Margin,
    /// The number of first lines that keep the margin.
    pub best: Option<u32>,
    /// The number of first lines.
    pub openings: u32,
    /// Who found the margin.
    pub source: &'static str,
}

/// Returns a nim-sequence, as `bouton values --json`.
pub fn values<'a>(
    game: &dyn Game,
    values: &'a [u32],
    spent: Option<LimitReached>,
) -> NimSequence<'a> {
    NimSequence {
        game: GameName(game.name()),
        from: 0,
        values,
        positions: None,
        reason: spent.map(Reason::new),
    }
}

/// Rows of Wythoff's game, with their periods.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WythoffPeriods {
    /// The game.
    pub game: &'static str,
    /// The columns that were computed.
    pub columns: usize,
    /// What is known of the periods.
    pub verdict: ProvedTag,
    /// The rows from the first on.
    pub rows: Vec<WythoffRow>,
    /// Why there are no more.
    pub reason: Option<Reason>,
}

/// Proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "proved", rename_all = "lowercase")]
pub enum ProvedTag {
    /// Proved.
    Proved,
}

/// A row of Wythoff's game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WythoffRow {
    /// The period of the row.
    pub period: usize,
    /// The column from which it holds.
    pub preperiod: usize,
    /// The period of this row and those before it together.
    pub joint: usize,
    /// The column from which that holds.
    pub joint_from: usize,
}

/// Nim-values of rows of Wythoff's game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WythoffValues {
    /// The game.
    pub game: &'static str,
    /// The values, row by row.
    pub values: Vec<Vec<u32>>,
}

/// A table over two numbers.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "heatmap")]
pub struct TableOfTwo<'a> {
    /// The game, with x and y in place of numbers.
    pub game: &'a str,
    /// The position, with x and y in place of numbers.
    pub position: Option<&'a str>,
    /// The convention.
    pub play: PlayName,
    /// What the cells tell.
    pub of: CellContent,
    /// The first and the last column.
    pub x: [u64; 2],
    /// The first and the last row.
    pub y: [u64; 2],
    /// The cells, row by row; null where they are unknown.
    pub rows: Vec<Vec<Option<Cell>>>,
    /// Why cells are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// What the cells of a table tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CellContent {
    /// The outcome.
    Outcome,
    /// The nim-value.
    NimValue,
    /// The margin.
    Margin,
    /// The threshold of a game with cash.
    Threshold,
}

/// A cell of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Cell {
    /// An outcome.
    Outcome(OutcomeLetter),
    /// A value.
    Value(i64),
}

/// Returns a table, as `bouton heatmap --json`.
pub fn heatmap(heatmap: &Heatmap) -> TableOfTwo<'_> {
    let of = match heatmap.what {
        CellKind::Outcome => CellContent::Outcome,
        CellKind::NimValue => CellContent::NimValue,
        CellKind::Margin => CellContent::Margin,
        CellKind::Threshold => CellContent::Threshold,
    };
    let cell = |cell: &Option<i64>| match (*cell, of) {
        (None, _) => None,
        (Some(0), CellContent::Outcome) => Some(Cell::Outcome(OutcomeLetter::P)),
        (Some(_), CellContent::Outcome) => Some(Cell::Outcome(OutcomeLetter::N)),
        (Some(value), _) => Some(Cell::Value(value)),
    };
    let rows = heatmap.cells.chunks(heatmap.columns().max(1));
    TableOfTwo {
        game: &heatmap.game,
        position: heatmap.position.as_deref(),
        play: heatmap.play.into(),
        of,
        x: [*heatmap.x.start(), *heatmap.x.end()],
        y: [*heatmap.y.start(), *heatmap.y.end()],
        rows: rows.map(|row| row.iter().map(cell).collect()).collect(),
        reason: heatmap.spent.map(Reason::new),
    }
}

fn in_order<T: Copy + Serialize, S: Serializer>(
    values: &[(&str, T)],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(values.iter().copied())
}

fn with_values<S: Serializer>(list: &Option<&PositionList>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(list.iter().flat_map(|list| list.listed().zip(&list.values)))
}

fn listed<S: Serializer>(list: &Option<&PositionList>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(list.iter().flat_map(|list| list.listed()))
}

fn as_texts<S: Serializer>(list: &Option<&PositionList>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(list.iter().flat_map(|list| list.texts()))
}

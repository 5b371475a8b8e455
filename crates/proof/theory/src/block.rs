//! Parts of a paper, as theories hand them to reports.

use bouton_core::{Formula, Outcome, Play};

/// A part of a paper.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A theorem or the like.
    Statement(Statement),
    /// A table: its head, its rows.
    Table(Vec<String>, Vec<Vec<String>>),
    /// Numbers, and the value of each, under the names of both.
    Values([String; 2], Vec<(usize, u32)>),
    /// Items.
    List(Vec<String>),
    /// A picture.
    Picture(Picture),
}

/// A theorem or the like, with its proof.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// What is before the forms.
    pub lead: String,
    /// What is stated.
    pub forms: Vec<StatedForm>,
    /// Why, or how far.
    pub proof: String,
}

/// What a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementKind {
    /// Proved.
    Theorem,
    /// Agrees with what was computed.
    Conjecture,
    /// Nothing was found.
    Observation,
}

/// A line of a statement.
#[derive(Debug, Clone, PartialEq)]
pub enum StatedForm {
    /// In words, on a line of its own.
    Line(String),
    /// In words that go on where the line before ends.
    Words(String),
    /// A formula.
    Formula(Formula),
}

/// A picture as data.
#[derive(Debug, Clone, PartialEq)]
pub enum Picture {
    /// Numbers by x and y.
    Grid(NumberGrid),
    /// Outcomes of a family by its parameter.
    Outcomes(OutcomeRow),
    /// A token's way round a circle.
    Route(Route),
    /// The nim-values of single heaps.
    NimSequence(NimSequence),
}

/// Numbers by x and y, to be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberGrid {
    /// The greatest x and y.
    pub most: usize,
    /// The numbers, row by row from y = 0 on, x running fastest; `None` where one is unknown.
    pub cells: Vec<Option<i64>>,
    /// What they are.
    pub caption: String,
}

/// The outcomes of a family's games by its parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeRow {
    /// The convention.
    pub play: Play,
    /// The least parameter.
    pub from: u64,
    /// The outcomes, `None` where one is unknown.
    pub outcomes: Vec<Option<Outcome>>,
}

/// A token's way round a circle, from the first cell on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Over the picture.
    pub title: String,
    /// Cells of the circle.
    pub cells: usize,
    /// The steps, at least 1, each with whether it is drawn filled.
    pub steps: Vec<(usize, bool)>,
    /// What it shows.
    pub caption: String,
}

/// Nim-values of single heaps, with their period where one is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NimSequence {
    /// The values of the heaps 0, 1, ….
    pub values: Vec<u32>,
    /// The period, what it adds, and the heap from which on it holds.
    pub period: Option<NimPeriod>,
}

/// G(n + period) = G(n) + saltus from the preperiod on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NimPeriod {
    /// The period.
    pub period: usize,
    /// From here on.
    pub preperiod: usize,
    /// What a period adds.
    pub saltus: u32,
}

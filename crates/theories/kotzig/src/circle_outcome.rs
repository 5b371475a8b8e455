//! The outcome of a game on one circle as data.

use bouton_core::{Outcome, Play};
use bouton_theory::answer::{OutcomeLetter, PlayName};
use serde::Serialize;

/// A game on one circle, and its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "circle_outcome")]
pub struct CircleOutcome<'a> {
    /// The steps.
    pub moves: &'a [u64],
    /// The number of cells.
    pub n: u64,
    /// The convention.
    pub play: PlayName,
    /// The outcome; null if it is unknown.
    pub outcome: Option<OutcomeLetter>,
}

impl<'a> CircleOutcome<'a> {
    /// Returns a game with its outcome, if it is known.
    pub fn new(
        moves: &'a [u64],
        n: u64,
        play: Play,
        outcome: Option<Outcome>,
    ) -> CircleOutcome<'a> {
        CircleOutcome { moves, n, play: play.into(), outcome: outcome.map(OutcomeLetter::from) }
    }
}

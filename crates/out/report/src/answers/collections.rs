//! Many games at once: what a sweep did, and what atlases hold, as `bouton sweep` and `bouton atlas
//! --json` print them.

use super::{PlayName, Seconds};
use serde::Serialize;

/// What a sweep into the database did.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "sweep")]
pub struct Swept {
    /// The family.
    pub family: String,
    /// The games of the family in the ranges.
    pub instances: u64,
    /// How many of those entered are different.
    pub games: u64,
    /// How many were solved now.
    pub solved: u64,
    /// Positions expanded.
    pub nodes: u64,
    /// Games of the file that are unknown.
    pub unknown: Vec<String>,
    /// Games of the ranges that were not entered.
    pub not_entered: u64,
    /// The time taken.
    pub seconds: Seconds,
}

/// Plans of atlases, or what is known of their games.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Plans<P> {
    /// The plans.
    pub plans: Vec<P>,
}

/// A plan of an atlas.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "plan")]
pub struct PlanEntry {
    /// Its name.
    pub plan: String,
    /// What it is about.
    pub about: String,
    /// The number of its games.
    pub games: usize,
    /// The budget of each game.
    pub budget: String,
}

/// How many entries of an atlas have which status.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "plan_counts")]
pub struct PlanCounts {
    /// The name of the plan.
    pub plan: String,
    /// The number of games of the plan.
    pub games: usize,
    /// The number of games studied.
    pub studied: usize,
    /// The number of entries. A family of Kotzig's Nim has two, one per convention.
    pub entries: usize,
    /// The number of entries proved for all sizes.
    pub proved: usize,
    /// The number of entries that hold as far as computed.
    pub holds: usize,
    /// The number of entries refuted by a larger table.
    pub refuted: usize,
    /// The number of entries without a form.
    pub none: usize,
    /// The budget of each game.
    pub budget: String,
}

/// The games of a plan.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanGames {
    /// The name of the plan.
    pub plan: String,
    /// The digest of its games and limits.
    pub digest: String,
    /// The games.
    pub games: Vec<PlanGame>,
}

/// A game of a plan.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanGame {
    /// The game.
    pub game: String,
    /// The convention.
    pub play: PlayName,
}

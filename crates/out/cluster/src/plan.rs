//! A plan: what is wanted, as a short text; how it is divided; what the files say together.

use crate::census::Which;
use crate::shard::{FileError, Head, Shard};
use crate::table::Table;
use crate::{FORMAT, VERSION, atlas, census, sweep};
use bouton_certificate::sha256;
use bouton_core::NotationError;
use serde::{Deserialize, Serialize};

/// Work as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    text: String,
    whole: Whole,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "lowercase")]
enum Whole {
    Sweep(sweep::Family),
    Census(census::Census),
    Atlas(atlas::Atlas),
}

#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    version: String,
    #[serde(flatten)]
    whole: Whole,
}

/// A shard of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it does.
    pub shard: Shard,
    /// Seconds of a processor that it may take, roughly.
    pub seconds: f64,
}

/// What is wrong with a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A family that could not be read.
    #[error("{0}")]
    Notation(#[from] NotationError),
    /// Ranges, digits and bounds.
    #[error("{0}")]
    Usage(String),
    /// Not the text of a plan.
    #[error("not the text of a plan: {0}")]
    Text(String),
    /// Another program's.
    #[error(
        "the plan was made by bouton {0}, this is bouton {VERSION}; accepted: the same version, or another folder"
    )]
    Version(String),
}

impl Part {
    /// Cuts a list where about a 4096th of the whole work is done, two seconds at least and a minute at most.
    pub(crate) fn divide<T>(all: &[T], costs: Vec<f64>, of: impl Fn(&[T]) -> Shard) -> Vec<Part> {
        let target = (costs.iter().sum::<f64>() / 4096.0).clamp(2.0, 60.0);
        let (mut parts, mut start, mut sum) = (Vec::new(), 0, 0.0);
        for (at, cost) in costs.iter().enumerate() {
            sum += cost;
            if sum >= target || at + 1 == all.len() {
                parts.push(Part { shard: of(&all[start..=at]), seconds: sum });
                (start, sum) = (at + 1, 0.0);
            }
        }
        parts
    }
}

impl Plan {
    /// Every game of a family of Kotzig's Nim, with a range (first and last value) for each parameter.
    pub fn sweep(
        family: &str,
        ranges: Vec<(String, i64, i64)>,
        misere: bool,
        nodes: u64,
    ) -> Result<Plan, PlanError> {
        Plan::of(Whole::Sweep(sweep::Family { family: family.trim().to_owned(), ranges, misere, nodes }))
    }

    /// Taking-and-breaking codes, heaps up to `to`, `each` so many seconds at most.
    pub fn census(codes: Which, to: u64, each: Option<f64>) -> Result<Plan, PlanError> {
        Plan::of(Whole::Census(census::Census { codes, to, each }))
    }

    /// An atlas's plan: the name of one that comes with the program, or its text.
    pub fn atlas(plan: &str, seconds: Option<f64>) -> Result<Plan, PlanError> {
        let shipped = bouton_atlas::PLANS.iter().find(|(name, _)| *name == plan);
        let text = shipped.map_or(plan, |(_, text)| text).to_owned();
        Plan::of(Whole::Atlas(atlas::Atlas { plan: text, seconds }))
    }

    fn of(whole: Whole) -> Result<Plan, PlanError> {
        let text = Text { format: FORMAT, version: VERSION.into(), whole };
        let written = serde_json::to_string(&text).map_err(|error| PlanError::Text(error.to_string()))?;
        let parts = match &text.whole {
            Whole::Sweep(sweep) => sweep.parts()?,
            Whole::Census(census) => census.parts()?,
            Whole::Atlas(atlas) => atlas.parts()?,
        };
        Ok(Plan { text: written, whole: text.whole, parts })
    }

    /// Reads a plan's text.
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let slip = |error: serde_json::Error| PlanError::Text(error.to_string());
        Head::other(text).map_err(slip)?.map_or(Ok(()), |other| Err(PlanError::Version(other)))?;
        let read: Text = serde_json::from_str(text).map_err(slip)?;
        Plan::of(read.whole)
    }

    /// The plan as JSON, in one line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The hash of the text.
    pub fn digest(&self) -> String {
        sha256(self.text.as_bytes())
    }

    /// What it is about, in words.
    pub fn rules(&self) -> String {
        match &self.whole {
            Whole::Sweep(sweep) => sweep.rules(),
            Whole::Census(census) => census.rules(),
            Whole::Atlas(atlas) => atlas.rules(),
        }
    }

    /// What each game may cost, in words.
    pub fn budget(&self) -> String {
        match &self.whole {
            Whole::Sweep(sweep) => format!("{} nodes a game", sweep.nodes),
            Whole::Census(census) => census.budget(),
            Whole::Atlas(atlas) => atlas.budget(),
        }
    }

    /// The shards, those that are to begin first in front.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What the files say together: for each shard its file's bytes, or nothing. Shards that are missing leave unknown what they
    /// would tell.
    pub fn table(&self, files: Vec<Option<Vec<u8>>>) -> Result<Table, TableError> {
        let read = |(part, bytes): (&Part, Option<Vec<u8>>)| {
            bytes
                .map(|bytes| part.shard.open(bytes).map_err(|why| TableError::File(part.shard.name(), why)))
                .transpose()
        };
        let found = self.parts.iter().zip(files).map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(match &self.whole {
            Whole::Sweep(sweep) => sweep.table(&found)?,
            Whole::Census(census) => census.table(&self.parts, &found)?,
            Whole::Atlas(atlas) => atlas.table(&self.parts, &found),
        })
    }
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file, by its shard's name.
    #[error("{0}.parquet {1}")]
    File(String, FileError),
    /// The plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

//! Plans: what to compute, as a short text; its division into shards; the table of their files.

use crate::census::{CensusPlan, CodeSet};
use crate::document::{self, DocumentError};
use crate::shard::{FileError, Shard};
use crate::table::ResultTable;
use crate::work::PlanWork;
use crate::{atlas, sweep};
use bouton_certificate::sha256;
use bouton_core::NotationError;
use bouton_store::UsageError;
use serde::Serialize;
use std::sync::Arc;

/// A computation, divided into shards.
#[derive(Debug, Clone)]
pub struct Plan {
    text: String,
    work: Arc<dyn PlanWork>,
    shards: Vec<PlannedShard>,
}

/// A shard of a plan.
#[derive(Debug, Clone)]
pub struct PlannedShard {
    /// The shard.
    pub shard: Shard,
    /// The expected processor time, in seconds.
    pub seconds: f64,
}

/// An error of a plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The family cannot be read.
    #[error("{0}")]
    Notation(#[from] NotationError),
    /// The text, the ranges, the digits or the bounds are not accepted.
    #[error("{0}")]
    Usage(#[from] UsageError),
}

impl From<DocumentError> for PlanError {
    fn from(error: DocumentError) -> PlanError {
        PlanError::Usage(error.usage("plan", "the same version, or another folder"))
    }
}

impl PlannedShard {
    /// Divides a list of games into shards of about 1/4096 of the total cost, but at least two
    /// seconds and at most a minute each. `costs` are the expected seconds of the games.
    pub(crate) fn divide<T>(
        games: &[T],
        costs: &[f64],
        shard: impl Fn(&[T]) -> Shard,
    ) -> Vec<PlannedShard> {
        let target = (costs.iter().sum::<f64>() / 4096.0).clamp(2.0, 60.0);
        let (mut shards, mut start, mut seconds) = (Vec::new(), 0, 0.0);
        for (at, cost) in costs.iter().enumerate() {
            seconds += cost;
            if seconds >= target || at + 1 == games.len() {
                shards.push(PlannedShard { shard: shard(&games[start..=at]), seconds });
                (start, seconds) = (at + 1, 0.0);
            }
        }
        shards
    }
}

impl Plan {
    /// Plans a sweep: every game of a family of Kotzig's Nim, with a range (first and last value)
    /// for each parameter, and at most `nodes` positions per game.
    ///
    /// # Errors
    /// Fails if the family cannot be read or the ranges are not accepted.
    pub fn sweep(
        family: &str,
        ranges: Vec<(String, i64, i64)>,
        misere: bool,
        nodes: u64,
    ) -> Result<Plan, PlanError> {
        Plan::new(sweep::SweepPlan { family: family.trim().to_owned(), ranges, misere, nodes })
    }

    /// Plans a census of take-and-break codes: heaps up to `to`, at most `each` seconds per code.
    ///
    /// # Errors
    /// Fails if the codes or bounds are not accepted.
    pub fn census(codes: CodeSet, to: u64, each: Option<f64>) -> Result<Plan, PlanError> {
        Plan::new(CensusPlan { codes, to, each })
    }

    /// Plans an atlas: the name of a plan that ships with the program, or the text of one.
    ///
    /// # Errors
    /// Fails if the plan of the atlas cannot be read.
    pub fn atlas(plan: &str, seconds: Option<f64>) -> Result<Plan, PlanError> {
        let shipped = bouton_atlas::PLANS.iter().find(|(name, _)| *name == plan);
        let plan = shipped.map_or(plan, |(_, text)| text).to_owned();
        Plan::new(atlas::AtlasWork { plan, seconds })
    }

    pub(crate) fn new(work: impl PlanWork + Serialize + 'static) -> Result<Plan, PlanError> {
        let text = document::write(work.kind(), &work).map_err(DocumentError::from)?;
        let shards = work.shards()?;
        Ok(Plan { text, work: Arc::new(work), shards })
    }

    /// Reads the text of a plan.
    ///
    /// # Errors
    /// Fails if the text is malformed, of another version, or not accepted.
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        (document::kind(text)?.read_plan)(text)
    }

    /// Returns the plan as JSON, in one line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the SHA-256 of the text.
    pub fn digest(&self) -> String {
        sha256(self.text.as_bytes())
    }

    /// Describes the games.
    pub fn rules(&self) -> String {
        self.work.rules()
    }

    /// Describes the budget of each game.
    pub fn budget(&self) -> String {
        self.work.budget()
    }

    /// Returns the shards, longest first.
    pub fn shards(&self) -> &[PlannedShard] {
        &self.shards
    }

    /// Combines the files of the shards, in the order of [`Plan::shards`]. A missing file (`None`)
    /// leaves its games unknown.
    ///
    /// # Errors
    /// Fails if a file is damaged or belongs to another shard.
    pub fn table(&self, files: Vec<Option<Vec<u8>>>) -> Result<ResultTable, TableError> {
        let open = |(PlannedShard { shard, .. }, bytes): (&PlannedShard, Option<Vec<u8>>)| {
            let file = bytes.map(|bytes| shard.open(bytes)).transpose();
            file.map_err(|error| TableError::File(shard.name(), error))
        };
        let files = self.shards.iter().zip(files).map(open).collect::<Result<Vec<_>, _>>()?;
        Ok(self.work.table(&self.shards, &files)?)
    }
}

/// An error of the table of a plan.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file cannot be used; it is named by its shard.
    #[error("{0}.parquet {1}")]
    File(String, FileError),
    /// The plan cannot be expanded.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

//! Kinds of work: what a plan and a shard have to provide, and the list of all kinds.

use crate::plan::{Plan, PlanError, PlannedShard};
use crate::shard::{Shard, ShardError};
use crate::table::ResultTable;
use crate::{atlas, census, document, sweep};
use bouton_core::Budget;
use bouton_store::parquet::ParquetTable;
use bouton_store::sealed::Rows;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// The content of a plan: the whole of a computation.
pub(crate) trait PlanWork: Debug + Send + Sync {
    /// Returns the entry of [`KINDS`].
    fn kind(&self) -> &'static WorkKind;

    /// Describes the games.
    fn rules(&self) -> String;

    /// Describes the budget of each game.
    fn budget(&self) -> String;

    /// Divides the work, longest shards first.
    fn shards(&self) -> Result<Vec<PlannedShard>, PlanError>;

    /// Combines the files of the shards. Missing files leave their games unknown.
    fn table(
        &self,
        shards: &[PlannedShard],
        files: &[Option<ParquetTable>],
    ) -> Result<ResultTable, PlanError>;
}

/// The content of a shard: a list of games and the budget of each.
pub(crate) trait ShardWork: Debug + Send + Sync {
    /// Returns the entry of [`KINDS`].
    fn kind(&self) -> &'static WorkKind;

    /// Returns the number of games.
    fn games(&self) -> usize;

    /// Describes the games.
    fn rules(&self) -> String;

    /// Describes the budget of each game.
    fn budget(&self) -> String;

    /// Solves the games. `budget` only interrupts; the budget of each game is part of the shard.
    fn run(&self, budget: &Budget) -> Result<Rows, ShardError>;

    /// Returns whether the file has long texts and is therefore compressed.
    fn is_packed(&self) -> bool {
        false
    }
}

/// A kind of work: its name in texts, and how the texts of its plans and shards are read.
#[derive(Debug)]
pub(crate) struct WorkKind {
    pub name: &'static str,
    pub read_plan: fn(&str) -> Result<Plan, PlanError>,
    pub read_shard: fn(&str) -> Result<Shard, ShardError>,
}

/// All kinds of work.
pub(crate) static KINDS: [&WorkKind; 3] = [&sweep::KIND, &census::KIND, &atlas::KIND];

impl WorkKind {
    pub const fn new<P, S>(name: &'static str) -> WorkKind
    where
        P: PlanWork + Serialize + DeserializeOwned + 'static,
        S: ShardWork + Serialize + DeserializeOwned + 'static,
    {
        WorkKind { name, read_plan: read_plan::<P>, read_shard: read_shard::<S> }
    }
}

fn read_plan<P>(text: &str) -> Result<Plan, PlanError>
where
    P: PlanWork + Serialize + DeserializeOwned + 'static,
{
    Plan::new(document::content::<P>(text)?)
}

fn read_shard<S>(text: &str) -> Result<Shard, ShardError>
where
    S: ShardWork + Serialize + DeserializeOwned + 'static,
{
    Ok(Shard::with_text(text.to_owned(), document::content::<S>(text)?))
}

//! Atlases as shards: the games of an atlas plan, with their entries and certificates.

use crate::plan::{PlanError, PlannedShard};
use crate::shard::{Shard, ShardError};
use crate::table::{ResultTable, TextInterner};
use crate::work::{PlanWork, ShardWork, WorkKind};
use bouton_atlas::{AtlasPlan, EntryLimits, Job, cells, entry, study_jobs};
use bouton_core::{Budget, LimitReached, Play};
use bouton_store::UsageError;
use bouton_store::parquet::{Cell, ColumnKind, ParquetTable};
use bouton_store::sealed::Rows;
use serde::{Deserialize, Serialize};

pub(crate) static KIND: WorkKind = WorkKind::new::<AtlasWork, AtlasShard>("atlas");

/// The content of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AtlasWork {
    /// The atlas plan as TOML.
    pub plan: String,
    /// Seconds per game instead of the plan's.
    pub seconds: Option<f64>,
}

/// The content of a shard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AtlasShard {
    seconds: Option<f64>,
    nodes: Option<u64>,
    memory: u64,
    to: Option<i64>,
    /// The names of the games, and whether play is misère.
    games: Vec<(String, bool)>,
}

/// Returns the columns of a file: those of an atlas, then the certificate.
fn columns() -> Vec<(&'static str, ColumnKind)> {
    bouton_atlas::COLUMNS.into_iter().chain([("proof", ColumnKind::Text)]).collect()
}

impl AtlasWork {
    fn read(&self) -> Result<AtlasPlan, PlanError> {
        let usage = |error: UsageError| error.at("the plan");
        let plan = AtlasPlan::parse(&self.plan).map_err(usage)?;
        match self.seconds {
            Some(seconds) => Ok(plan.with_seconds(seconds).map_err(usage)?),
            None => Ok(plan),
        }
    }
}

impl PlanWork for AtlasWork {
    fn kind(&self) -> &'static WorkKind {
        &KIND
    }

    fn rules(&self) -> String {
        self.read().map_or(String::new(), |plan| format!("atlas {}: {}", plan.name, plan.about))
    }

    fn budget(&self) -> String {
        self.read().map_or(String::new(), |plan| plan.limits.to_string())
    }

    fn shards(&self) -> Result<Vec<PlannedShard>, PlanError> {
        let plan = self.read()?;
        let EntryLimits { seconds, nodes, memory, to } = plan.limits;
        let games: Vec<_> =
            plan.jobs.iter().map(|job| (job.game.clone(), job.play == Play::Misere)).collect();
        // Most games take less time than their limit.
        let cost = seconds.map_or(1.0, |seconds| seconds.min(10.0) / 2.0);
        let shard = |games: &[(String, bool)]| {
            Shard::new(AtlasShard { seconds, nodes, memory, to, games: games.to_vec() })
        };
        Ok(PlannedShard::divide(&games, &vec![cost; games.len()], shard))
    }

    /// Returns the rows of all files, with the numbers of their games in the plan.
    fn table(
        &self,
        shards: &[PlannedShard],
        files: &[Option<ParquetTable>],
    ) -> Result<ResultTable, PlanError> {
        let (mut table, mut texts) = (ResultTable::new(&columns()), TextInterner::default());
        let (mut start, mut entries) = (0, Vec::new());
        for (PlannedShard { shard, .. }, file) in shards.iter().zip(files) {
            for row in file.iter().flat_map(|file| &file.rows) {
                let number = match row.first() {
                    Some(Cell::Integer(number)) => Cell::Integer(start + number),
                    _ => Cell::Null,
                };
                let row: Vec<Cell<'_>> =
                    std::iter::once(number).chain(row.iter().skip(1).cloned()).collect();
                entries.extend(entry(&row));
                table.push(row, &mut texts);
            }
            start += shard.games() as i64;
        }
        // If the file cannot be made, `Table::parquet` makes one of the columns and reports why.
        table.file = bouton_atlas::Atlas::new(&self.read()?, entries).to_parquet().ok();
        Ok(table)
    }
}

impl AtlasShard {
    fn limits(&self) -> EntryLimits {
        EntryLimits { seconds: self.seconds, nodes: self.nodes, memory: self.memory, to: self.to }
    }
}

impl ShardWork for AtlasShard {
    fn kind(&self) -> &'static WorkKind {
        &KIND
    }

    fn games(&self) -> usize {
        self.games.len()
    }

    fn rules(&self) -> String {
        "games studied, entries of an atlas".into()
    }

    fn budget(&self) -> String {
        self.limits().to_string()
    }

    fn run(&self, budget: &Budget) -> Result<Rows, ShardError> {
        let play = |is_misere| if is_misere { Play::Misere } else { Play::Normal };
        let jobs: Vec<Job> = self
            .games
            .iter()
            .map(|(game, misere)| Job { game: game.clone(), play: play(*misere) })
            .collect();
        let mut rows = Vec::new();
        for studied in study_jobs(jobs.iter().enumerate(), &self.limits(), budget) {
            let studied = studied.map_err(|error| ShardError::game(error.to_string()))?;
            let Some((number, entries)) = studied else {
                let limit = budget.interrupted().unwrap_or(LimitReached::Cancelled);
                return Err(ShardError::Interrupted(limit));
            };
            for (entry, proof) in entries {
                let row = cells(number, &entry);
                rows.push(row.into_iter().chain([Cell::from_text(proof)]).collect());
            }
        }
        Ok(Rows { columns: columns(), rows })
    }

    fn is_packed(&self) -> bool {
        true
    }
}

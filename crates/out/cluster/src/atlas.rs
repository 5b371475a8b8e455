//! An atlas as shards: the games of a plan of `bouton_atlas`, some to a shard, with their certificates.

use crate::plan::{Part, PlanError};
use crate::seal::Rows;
use crate::shard::{Shard, ShardError, Work, rows, word};
use crate::table::{Table, Words};
use bouton_atlas::{Each, EntryError, Job, cells, entry, studied};
use bouton_core::{Budget, LimitReached, Play};
use bouton_store::parquet::{self, Kind, Owned};
use serde::{Deserialize, Serialize};

/// What a plan says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Atlas {
    /// The plan as TOML.
    pub plan: String,
    /// Seconds for each game instead of the plan's.
    pub seconds: Option<f64>,
}

/// What a shard says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Jobs {
    seconds: Option<f64>,
    nodes: Option<u64>,
    memory: u64,
    to: Option<i64>,
    /// Names, and whether play is misère.
    pub games: Vec<(String, bool)>,
}

/// The column behind those of an atlas.
const PROOF: (&str, Kind) = ("proof", Kind::Word);

impl Atlas {
    pub fn read(&self) -> Result<bouton_atlas::Plan, PlanError> {
        let wrong = |error: bouton_atlas::PlanError| PlanError::Usage(format!("the plan: {error}"));
        let plan = bouton_atlas::Plan::parse(&self.plan).map_err(wrong)?;
        match self.seconds {
            Some(seconds) => plan.with_seconds(seconds).map_err(wrong),
            None => Ok(plan),
        }
    }

    pub fn parts(&self) -> Result<Vec<Part>, PlanError> {
        let plan = self.read()?;
        let Each { seconds, nodes, memory, to } = plan.each;
        let games: Vec<_> =
            plan.jobs.iter().map(|job| (job.game.clone(), job.play == Play::Misere)).collect();
        // Many games end long before their seconds do.
        let cost = seconds.map_or(1.0, |seconds| seconds.min(10.0) / 2.0);
        let of = |games: &[(String, bool)]| {
            Shard::of(Work::Atlas(Jobs { seconds, nodes, memory, to, games: games.to_vec() }))
        };
        Ok(Part::divide(&games, vec![cost; games.len()], of))
    }

    /// The rows that there are, with the numbers of their games in the plan.
    pub fn table(&self, parts: &[Part], found: &[Option<parquet::Table>]) -> Table {
        let columns: Vec<_> = bouton_atlas::COLUMNS.iter().copied().chain([PROOF]).collect();
        let (mut table, mut words) = (Table::new(&columns), Words::default());
        let (mut start, mut entries) = (0, Vec::new());
        for (part, found) in parts.iter().zip(found) {
            for row in found.iter().flat_map(|found| &found.rows) {
                let number = match row.first() {
                    Some(Owned::Integer(number)) => Owned::Integer(start + number),
                    _ => Owned::Null,
                };
                let row: Vec<Owned> = std::iter::once(number).chain(row.iter().skip(1).cloned()).collect();
                entries.extend(entry(&row));
                table.push(row, &mut words);
            }
            start += part.shard.games() as i64;
        }
        // What cannot be written is told when it is asked for: then the columns are.
        table.file =
            self.read().ok().and_then(|plan| bouton_atlas::Atlas::of(&plan, entries).to_parquet().ok());
        table
    }

    pub fn rules(&self) -> String {
        self.read().map_or(String::new(), |plan| format!("atlas {}: {}", plan.name, plan.about))
    }

    pub fn budget(&self) -> String {
        self.read().map_or(String::new(), |plan| plan.budget())
    }
}

impl Jobs {
    fn each(&self) -> Each {
        Each { seconds: self.seconds, nodes: self.nodes, memory: self.memory, to: self.to }
    }

    pub fn rules(&self) -> String {
        "games studied, entries of an atlas".into()
    }

    pub fn budget(&self) -> String {
        self.each().words()
    }

    pub fn run(&self, budget: &Budget) -> Result<Rows, ShardError> {
        let jobs: Vec<Job> = self
            .games
            .iter()
            .map(|(game, misere)| Job {
                game: game.clone(),
                play: if *misere { Play::Misere } else { Play::Normal },
            })
            .collect();
        let columns: Vec<_> = bouton_atlas::COLUMNS.iter().copied().chain([PROOF]).collect();
        let mut told = Vec::new();
        for found in studied(jobs.iter().enumerate(), &self.each(), budget) {
            let (number, entries) = match found {
                Ok(Some(found)) => found,
                Ok(None) => {
                    return Err(ShardError::Interrupted(
                        budget.interrupted().unwrap_or(LimitReached::Cancelled),
                    ));
                }
                Err(error) => return Err(slip(&error)),
            };
            for (entry, proof) in entries {
                let row = cells(number, &entry).into_iter().map(|cell| match cell {
                    parquet::Entry::Integer(number) => Owned::Integer(number),
                    parquet::Entry::Word(text) => Owned::Word(text.to_owned()),
                    parquet::Entry::Null => Owned::Null,
                });
                told.push(row.chain([word(proof)]).collect());
            }
        }
        Ok(rows(&columns, told))
    }
}

fn slip(error: &EntryError) -> ShardError {
    ShardError::Game(error.to_string())
}

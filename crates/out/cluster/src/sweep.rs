//! Sweeps of Kotzig's Nim: every game of a family over ranges of its parameters.
//!
//! Many games are one game under other numbers ([`Circulant::with_shortest_steps`]). A shard lists
//! different games only, neighbours in n together, because the solver learns from each for the
//! next. The table has a row for every game as the user named it.

use crate::plan::{PlanError, PlannedShard};
use crate::shard::{Shard, ShardError, is_external};
use crate::table::{Column, ResultTable};
use crate::work::{PlanWork, ShardWork, WorkKind};
use bouton_core::{Budget, Play};
use bouton_kotzig::shard::{self, Solved};
use bouton_kotzig::{Circulant, KotzigFamily, Range, Techniques};
use bouton_store::UsageError;
use bouton_store::family::{MAX_MOVES, NamedGame, named_games, relative_cost};
use bouton_store::parquet::{Cell, ColumnKind, GAME_COLUMNS, ParquetTable};
use bouton_store::sealed::Rows;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) static KIND: WorkKind = WorkKind::new::<SweepPlan, SweepShard>("sweep");

/// The content of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SweepPlan {
    pub family: String,
    /// The name, first and last value of each parameter.
    pub ranges: Vec<(String, i64, i64)>,
    pub misere: bool,
    /// The greatest number of positions expanded per game.
    pub nodes: u64,
}

/// The content of a shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SweepShard {
    misere: bool,
    nodes: u64,
    /// The moves and the number of cells of each game.
    games: Vec<(Vec<u64>, u64)>,
}

/// Returns the columns of a file.
fn columns() -> Vec<(&'static str, ColumnKind)> {
    let search = [("nodes", ColumnKind::Integer), ("reason", ColumnKind::Text)];
    GAME_COLUMNS.into_iter().chain(search).collect()
}

fn play(is_misere: bool) -> Play {
    if is_misere { Play::Misere } else { Play::Normal }
}

impl SweepPlan {
    /// Returns the expected seconds of a game: the average over all pairs of steps with n ≤ 104
    /// (docs/design/cluster.md). Only the size of shards depends on it.
    fn seconds(&self, game: &Circulant) -> f64 {
        /// Positions per second.
        const RATE: f64 = 1e7;
        // A theorem decides these games.
        if !self.misere && game.is_two_coloured() {
            return 1e-5;
        }
        let unit = if game.n() <= 80 { 1.4e-6 } else { 3.2e-6 };
        (unit * relative_cost(game)).min(self.nodes as f64 / RATE)
    }

    /// Reads the family and its ranges, in the order of its parameters.
    fn read(&self) -> Result<(KotzigFamily, Vec<Range>), PlanError> {
        let family = KotzigFamily::parse(&self.family)?;
        let names = family.names();
        if let Some((name, ..)) = self.ranges.iter().find(|(name, ..)| !names.contains(name)) {
            return Err(UsageError::new(
                format!("{family} has no parameter {name}"),
                names.join(", "),
            )
            .into());
        }
        let range = |name: &String| {
            let mut given = self.ranges.iter().filter(|(known, ..)| known == name);
            match (given.next(), given.next()) {
                (Some((_, first, last)), None) => Ok(Range::new(*first, *last)),
                (None, _) => Err(UsageError::plain(format!(
                    "the parameter {name} of {family} needs a range, such as 1..72"
                ))),
                _ => Err(UsageError::plain(format!("the parameter {name} has two ranges"))),
            }
        };
        let ranges = names.iter().map(range).collect::<Result<Vec<Range>, UsageError>>()?;
        Ok((family, ranges))
    }

    /// Returns every game of the plan with its narrow form.
    fn games(&self) -> Result<Vec<NamedGame>, PlanError> {
        let (family, ranges) = self.read()?;
        let games = named_games(&family, &ranges)?;
        if games.is_empty() {
            return Err(UsageError::new(
                format!("{family} has no game within these ranges"),
                "ascending moves from 1 on, n in 1..256",
            )
            .into());
        }
        Ok(games)
    }
}

impl PlanWork for SweepPlan {
    fn kind(&self) -> &'static WorkKind {
        &KIND
    }

    fn rules(&self) -> String {
        format!("{}, {} play", self.family, bouton_report::play_word(play(self.misere)))
    }

    fn budget(&self) -> String {
        format!("{} nodes a game", self.nodes)
    }

    /// Divides the different games, largest circles first.
    fn shards(&self) -> Result<Vec<PlannedShard>, PlanError> {
        let mut forms: Vec<Arc<Circulant>> =
            self.games()?.into_iter().map(|(_, form)| form).collect();
        forms.sort_by(|a, b| b.n().cmp(&a.n()).then_with(|| a.cmp(b)));
        forms.dedup();
        let costs: Vec<f64> = forms.iter().map(|game| self.seconds(game)).collect();
        let games: Vec<_> =
            forms.iter().map(|game| (game.moves().to_vec(), game.n() as u64)).collect();
        Ok(PlannedShard::divide(&games, &costs, |games| {
            Shard::new(SweepShard { misere: self.misere, nodes: self.nodes, games: games.to_vec() })
        }))
    }

    /// Returns a row for each game of the plan, in the order of the parameters. An unknown outcome
    /// is null.
    fn table(
        &self,
        _: &[PlannedShard],
        files: &[Option<ParquetTable>],
    ) -> Result<ResultTable, PlanError> {
        let mut outcomes: HashMap<(Vec<u64>, u64), Arc<str>> = HashMap::new();
        let (p, n): (Arc<str>, Arc<str>) = ("P".into(), "N".into());
        for row in files.iter().flatten().flat_map(|file| &file.rows) {
            let moves: Vec<u64> = row.iter().take(MAX_MOVES).filter_map(Cell::number).collect();
            let (cells, outcome) = (row.get(MAX_MOVES), row.get(MAX_MOVES + 2));
            if let (Some(cells), Some(outcome)) =
                (cells.and_then(Cell::number), outcome.and_then(Cell::text))
            {
                outcomes.insert((moves, cells), if outcome == "P" { p.clone() } else { n.clone() });
            }
        }
        let (family, _) = self.read()?;
        let games = self.games()?;
        let play: Arc<str> = bouton_report::play_word(play(self.misere)).into();
        let mut columns = Vec::new();
        for at in 0..family.moves() {
            let step = |(game, _): &NamedGame| game.moves().get(at).map(|step| *step as i64);
            columns
                .push((format!("m{}", at + 1), Column::Integers(games.iter().map(step).collect())));
        }
        let cells = games.iter().map(|(game, _)| Some(game.n() as i64)).collect();
        columns.push(("n".into(), Column::Integers(cells)));
        columns.push(("play".into(), Column::Texts(vec![Some(play); games.len()])));
        let outcome = |(_, form): &NamedGame| {
            outcomes.get(&(form.moves().to_vec(), form.n() as u64)).cloned()
        };
        columns.push(("outcome".into(), Column::Texts(games.iter().map(outcome).collect())));
        let mut names: HashMap<*const Circulant, Arc<str>> = HashMap::new();
        let name = |(_, form): &NamedGame| {
            Some(names.entry(Arc::as_ptr(form)).or_insert_with(|| form.to_string().into()).clone())
        };
        columns.push(("form".into(), Column::Texts(games.iter().map(name).collect())));
        Ok(ResultTable { columns, file: None })
    }
}

impl ShardWork for SweepShard {
    fn kind(&self) -> &'static WorkKind {
        &KIND
    }

    fn games(&self) -> usize {
        self.games.len()
    }

    fn rules(&self) -> String {
        let play = bouton_report::play_word(play(self.misere));
        format!("Kotzig's Nim, {play} play, outcomes from the first cell")
    }

    fn budget(&self) -> String {
        format!("{} nodes a game", self.nodes)
    }

    fn run(&self, budget: &Budget) -> Result<Rows, ShardError> {
        let game = |(moves, n): &(Vec<u64>, u64)| {
            Circulant::new(moves, *n)
                .map_err(|error| ShardError::game(format!("{moves:?};{n}: {error}")))
        };
        let batch = shard::Shard {
            play: play(self.misere),
            techniques: Techniques::default(),
            nodes: self.nodes,
            games: self.games.iter().map(game).collect::<Result<_, _>>()?,
        };
        let solved = shard::solve(&batch, budget);
        let play = bouton_report::play_word(batch.play);
        let mut rows = Vec::new();
        for ((moves, n), Solved { outcome, nodes }) in self.games.iter().zip(solved) {
            if let Some(limit) = outcome.err().filter(|limit| is_external(*limit)) {
                return Err(ShardError::Interrupted(limit));
            }
            let step = |at| moves.get(at).map_or(Cell::Null, |step| Cell::from_number(*step));
            let mut row: Vec<Cell<'_>> = (0..MAX_MOVES).map(step).collect();
            row.extend([
                Cell::from_number(*n),
                Cell::Text(play.into()),
                Cell::from_text(outcome.ok().map(|outcome| outcome.to_string())),
                Cell::from_number(nodes),
                Cell::from_text(outcome.err().map(|limit| limit.to_string())),
            ]);
            rows.push(row);
        }
        Ok(Rows { columns: columns(), rows })
    }
}

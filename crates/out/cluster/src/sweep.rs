//! A sweep of Kotzig's Nim: every game of a family over ranges of its parameters.
//!
//! Many games are one game under other numbers ([`Circulant::narrow`]): a shard holds those that differ, neighbours in n
//! together, since the solver learns from each for the next. The table holds every game as it was asked for.

use crate::plan::{Part, PlanError};
use crate::seal::Rows;
use crate::shard::{Shard, ShardError, Work, number, of_the_machine, rows, word};
use crate::table::{Column, Table};
use bouton_core::{Budget, Play};
use bouton_kotzig::shard::{self, Solved};
use bouton_kotzig::{Circulant, Techniques};
use bouton_kotzig::{KotzigFamily, Range};
use bouton_store::parquet::{self, Kind, Owned};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// What a plan says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Family {
    pub family: String,
    /// Each parameter's name, first and last value.
    pub ranges: Vec<(String, i64, i64)>,
    pub misere: bool,
    /// Positions expanded for a game at most.
    pub nodes: u64,
}

/// What a shard says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Games {
    misere: bool,
    nodes: u64,
    /// Steps and cells.
    pub games: Vec<(Vec<u64>, u64)>,
}

/// Moves of a row, as in the database.
const MOVES: usize = 6;
/// Games of a plan, as they are asked for.
const MOST: i128 = 50_000_000;

const COLUMNS: [(&str, Kind); MOVES + 5] = [
    ("m1", Kind::Integer),
    ("m2", Kind::Integer),
    ("m3", Kind::Integer),
    ("m4", Kind::Integer),
    ("m5", Kind::Integer),
    ("m6", Kind::Integer),
    ("n", Kind::Integer),
    ("play", Kind::Word),
    ("outcome", Kind::Word),
    ("nodes", Kind::Integer),
    ("reason", Kind::Word),
];

impl Family {
    fn play(&self) -> Play {
        if self.misere { Play::Misere } else { Play::Normal }
    }

    /// Seconds that a game takes on average, measured on all pairs of steps with n ≤ 104 (docs/design/cluster.md). Only the size of
    /// shards hangs on it.
    fn seconds(&self, game: &Circulant) -> f64 {
        /// Positions a second.
        const RATE: f64 = 1e7;
        // A theorem answers these.
        if !self.misere && game.is_two_coloured() {
            return 1e-5;
        }
        let unit = if game.n() <= 80 { 1.4e-6 } else { 3.2e-6 };
        (unit * 1.13f64.powi(game.n() as i32)).min(self.nodes as f64 / RATE)
    }

    /// The family and its ranges, in the order of its parameters.
    fn read(&self) -> Result<(KotzigFamily, Vec<Range>), PlanError> {
        let family = KotzigFamily::parse(&self.family)?;
        if family.moves() > MOVES {
            return Err(PlanError::Usage(format!("{family} has more than {MOVES} moves")));
        }
        let names = family.names();
        if let Some((name, ..)) = self.ranges.iter().find(|(name, ..)| !names.contains(name)) {
            return Err(PlanError::Usage(format!(
                "{family} has no parameter {name}; accepted: {}",
                names.join(", ")
            )));
        }
        let of = |name: &String| {
            let mut given = self.ranges.iter().filter(|(known, ..)| known == name);
            match (given.next(), given.next()) {
                (Some((_, first, last)), None) if first <= last => Ok(Range::new(*first, *last)),
                (Some((_, first, last)), None) => Err(PlanError::Usage(format!(
                    "the range {name} = {first}..{last} is empty; accepted: smaller end first"
                ))),
                (None, _) => Err(PlanError::Usage(format!(
                    "the parameter {name} of {family} needs a range, such as 1..72"
                ))),
                _ => Err(PlanError::Usage(format!("the parameter {name} has two ranges"))),
            }
        };
        let ranges = names.iter().map(of).collect::<Result<Vec<Range>, PlanError>>()?;
        let size = ranges.iter().map(|range| i128::from(*range.end()) - i128::from(*range.start()) + 1);
        if size.fold(1i128, i128::saturating_mul) > MOST {
            return Err(PlanError::Usage(format!(
                "the ranges hold more than {MOST} games; accepted: parts of them, a folder each"
            )));
        }
        Ok((family, ranges))
    }

    /// Every game as asked for, with the one that is searched for it.
    fn instances(&self) -> Result<Vec<(Circulant, Arc<Circulant>)>, PlanError> {
        let (family, ranges) = self.read()?;
        let asked: Vec<Circulant> =
            family.instances(&ranges).into_iter().map(|instance| instance.game).collect();
        if asked.is_empty() {
            return Err(PlanError::Usage(format!(
                "{family} has no game within these ranges; accepted: ascending moves from 1 on, n in 1..256"
            )));
        }
        let keys: Vec<(Vec<usize>, usize)> = asked.par_iter().map(|game| (game.steps(), game.n())).collect();
        let mut different: Vec<&(Vec<usize>, usize)> = keys.iter().collect();
        different.par_sort_unstable();
        different.dedup();
        let narrow = |&(steps, n): &&(Vec<usize>, usize)| {
            // Without a step that counts, one round the circle is as good as any.
            let moves = if steps.is_empty() {
                vec![*n as u64]
            } else {
                steps.iter().map(|step| *step as u64).collect()
            };
            let game = Circulant::new(&moves, *n as u64).ok()?;
            Some(((steps.clone(), *n), game.narrow()))
        };
        let narrow: Vec<_> = different.par_iter().filter_map(narrow).collect();
        // Equal forms are one.
        let mut known: HashMap<Circulant, Arc<Circulant>> = HashMap::new();
        let mut forms: HashMap<(Vec<usize>, usize), Arc<Circulant>> = HashMap::with_capacity(narrow.len());
        for (key, form) in narrow {
            let form = known.entry(form).or_insert_with_key(|form| Arc::new(form.clone())).clone();
            forms.insert(key, form);
        }
        Ok(keys.iter().zip(asked).map(|(key, game)| (game, forms[key].clone())).collect())
    }

    /// The shards: games with many cells first, each shard of about `target` seconds.
    pub fn parts(&self) -> Result<Vec<Part>, PlanError> {
        let mut forms: Vec<Arc<Circulant>> = self.instances()?.into_iter().map(|(_, form)| form).collect();
        forms.sort_by(|a, b| b.n().cmp(&a.n()).then_with(|| a.cmp(b)));
        forms.dedup();
        let costs = forms.iter().map(|game| self.seconds(game)).collect();
        let games: Vec<_> = forms.iter().map(|game| (game.moves().to_vec(), game.n() as u64)).collect();
        let of = |games: &[(Vec<u64>, u64)]| {
            Shard::of(Work::Sweep(Games { misere: self.misere, nodes: self.nodes, games: games.to_vec() }))
        };
        Ok(Part::divide(&games, costs, of))
    }

    /// A row a game as asked for, in the order of the parameters; the outcome is null where it is not known.
    pub fn table(&self, found: &[Option<parquet::Table>]) -> Result<Table, PlanError> {
        let mut outcomes: HashMap<(Vec<u64>, u64), Arc<str>> = HashMap::new();
        let (p, n): (Arc<str>, Arc<str>) = ("P".into(), "N".into());
        for row in found.iter().flatten().flat_map(|table| &table.rows) {
            let integer = |at: usize| match row.get(at) {
                Some(Owned::Integer(number)) => u64::try_from(*number).ok(),
                _ => None,
            };
            let moves: Vec<u64> = (0..MOVES).filter_map(integer).collect();
            match (integer(MOVES), row.get(MOVES + 2)) {
                (Some(cells), Some(Owned::Word(word))) => {
                    outcomes.insert((moves, cells), if word == "P" { p.clone() } else { n.clone() });
                }
                _ => continue,
            }
        }
        let (family, _) = self.read()?;
        let instances = self.instances()?;
        let play: Arc<str> = bouton_report::play_word(self.play()).into();
        let mut columns = Vec::new();
        for at in 0..family.moves() {
            let of = |(game, _): &(Circulant, _)| game.moves().get(at).map(|step| *step as i64);
            columns.push((format!("m{}", at + 1), Column::Integers(instances.iter().map(of).collect())));
        }
        let cells = instances.iter().map(|(game, _)| Some(game.n() as i64)).collect();
        columns.push(("n".into(), Column::Integers(cells)));
        columns.push(("play".into(), Column::Words(vec![Some(play); instances.len()])));
        let outcome = |(_, form): &(_, Arc<Circulant>)| {
            outcomes.get(&(form.moves().to_vec(), form.n() as u64)).cloned()
        };
        columns.push(("outcome".into(), Column::Words(instances.iter().map(outcome).collect())));
        let mut names: HashMap<*const Circulant, Arc<str>> = HashMap::new();
        let name = |(_, form): &(_, Arc<Circulant>)| {
            Some(names.entry(Arc::as_ptr(form)).or_insert_with(|| form.to_string().into()).clone())
        };
        columns.push(("form".into(), Column::Words(instances.iter().map(name).collect())));
        Ok(Table { columns, file: None })
    }

    pub fn rules(&self) -> String {
        format!("{}, {} play", self.family, bouton_report::play_word(self.play()))
    }
}

impl Games {
    fn play(&self) -> Play {
        if self.misere { Play::Misere } else { Play::Normal }
    }

    pub fn rules(&self) -> String {
        format!("Kotzig's Nim, {} play, outcomes from the first cell", bouton_report::play_word(self.play()))
    }

    pub fn budget(&self) -> String {
        format!("{} nodes a game", self.nodes)
    }

    pub fn run(&self, budget: &Budget) -> Result<Rows, ShardError> {
        let of = |(moves, n): &(Vec<u64>, u64)| {
            Circulant::new(moves, *n).map_err(|slip| ShardError::Game(format!("{moves:?};{n}: {slip}")))
        };
        let games = self.games.iter().map(of).collect::<Result<Vec<Circulant>, _>>()?;
        let all =
            shard::Shard { play: self.play(), techniques: Techniques::default(), nodes: self.nodes, games };
        let found = shard::solve(&all, budget);
        let play = bouton_report::play_word(self.play());
        let mut told = Vec::new();
        for ((moves, n), Solved { outcome, nodes }) in self.games.iter().zip(found) {
            if let Some(limit) = outcome.err().filter(|limit| of_the_machine(*limit)) {
                return Err(ShardError::Interrupted(limit));
            }
            let mut row: Vec<Owned> =
                (0..MOVES).map(|at| moves.get(at).map_or(Owned::Null, |step| number(*step))).collect();
            row.extend([
                number(*n),
                Owned::Word(play.into()),
                word(outcome.ok().map(|outcome| outcome.to_string())),
                number(nodes),
                word(outcome.err().map(|limit| limit.to_string())),
            ]);
            told.push(row);
        }
        Ok(rows(&COLUMNS, told))
    }
}

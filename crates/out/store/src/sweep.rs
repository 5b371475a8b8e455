//! A sweep: every game of a family over ranges of its parameters, on all cores, into a database.
//!
//! Games are entered first, each canonical one once. Then come rounds of growing budgets, so that a few hard games do
//! not hold up the rest. One thread writes; it reports what it has committed, so a sweep killed at any moment goes on
//! from there when it is called again.

use crate::database::{Database, MAX_MOVES, StoreError};
use bouton_core::{Budget, Play, Watch};
use bouton_kotzig::shard::{self, Solved};
use bouton_kotzig::{Circulant, Techniques};
use bouton_kotzig::{KotzigFamily, Range};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// How to sweep.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The convention.
    pub play: Play,
    /// Nodes for a game at most; games that need more stay unknown.
    pub nodes: u64,
    /// Threads; 0 for one a core.
    pub threads: usize,
}

/// How far a sweep is, as committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Games to be solved in this round.
    pub games: u64,
    /// Of these, tried.
    pub done: u64,
    /// Nodes expanded in the whole sweep.
    pub nodes: u64,
    /// The budget of this round, in nodes a game.
    pub budget: u64,
    /// Since the sweep began.
    pub elapsed: Duration,
    /// For the rest of this round, by the cells still to come.
    pub left: Option<Duration>,
}

/// What a sweep has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Games asked for.
    pub instances: u64,
    /// Canonical games among them.
    pub games: u64,
    /// Of these, solved by this sweep; the others were known, or are unknown.
    pub solved: u64,
    /// Nodes expanded.
    pub nodes: u64,
    /// Canonical games of this convention in the database that have no outcome.
    pub unknown: Vec<Circulant>,
    /// Whether it was stopped.
    pub stopped: bool,
}

/// The budget of the first round, in nodes, and its growth from round to round.
const FIRST: u64 = 1 << 20;
const GROWTH: u64 = 32;

/// Sweeps. `stop` ends it after the verdicts at hand are written; `report` is called after every commit.
pub fn sweep(
    database: &mut Database,
    family: &KotzigFamily,
    ranges: &[Range],
    how: &Settings,
    stop: &Arc<Watch>,
    mut report: impl FnMut(&Progress),
) -> Result<Report, StoreError> {
    check(family, ranges)?;
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(how.threads)
        .build()
        .map_err(|error| StoreError::Usage(format!("no threads: {error}")))?;
    let instances = pool.install(|| {
        family
            .instances(ranges)
            .into_par_iter()
            .map(|i| {
                let form = i.game.narrow();
                (i, form)
            })
            .collect::<Vec<_>>()
    });
    let mut forms: Vec<&Circulant> = instances.iter().map(|(_, form)| form).collect();
    forms.sort();
    forms.dedup();
    let mut sum = Report {
        instances: instances.len() as u64,
        games: forms.len() as u64,
        solved: 0,
        nodes: 0,
        unknown: Vec::new(),
        stopped: false,
    };
    database.enter(&instances, how.play)?;
    let mut budget = FIRST.min(how.nodes);
    loop {
        let games = database.open_games(how.play, budget)?;
        round(database, games, budget, how, &pool, stop, &mut sum, started, &mut report)?;
        sum.stopped = stop.stop.load(Ordering::Relaxed);
        if sum.stopped || budget >= how.nodes {
            break;
        }
        budget = budget.saturating_mul(GROWTH).min(how.nodes);
    }
    sum.unknown = database.open_games(how.play, u64::MAX)?;
    Ok(sum)
}

fn check(family: &KotzigFamily, ranges: &[Range]) -> Result<(), StoreError> {
    if family.moves() > MAX_MOVES {
        return Err(StoreError::Usage(format!("a database holds games of at most {MAX_MOVES} moves")));
    }
    if family.names().len() != ranges.len() {
        let names = family.names().join(", ");
        return Err(StoreError::Usage(format!("{family} needs a range for each of: {names}")));
    }
    for (name, range) in family.names().iter().zip(ranges) {
        if range.is_empty() {
            let (start, end) = (range.start(), range.end());
            return Err(StoreError::Usage(format!(
                "the range {name} = {start}..{end} is empty: smaller end first"
            )));
        }
    }
    let size = ranges.iter().try_fold(1i64, |size, range| {
        size.checked_mul(range.end().checked_sub(*range.start())?.checked_add(1)?)
    });
    if size.is_none_or(|size| size > 50_000_000) {
        return Err(StoreError::Usage(
            "the ranges hold more than 50,000,000 games: sweep them in parts".into(),
        ));
    }
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn round(
    database: &mut Database,
    games: Vec<Circulant>,
    budget: u64,
    how: &Settings,
    pool: &rayon::ThreadPool,
    stop: &Arc<Watch>,
    sum: &mut Report,
    started: Instant,
    report: &mut impl FnMut(&Progress),
) -> Result<(), StoreError> {
    /// Time between two commits.
    const EVERY: Duration = Duration::from_millis(200);
    let total = games.len() as u64;
    // What a game costs grows by about an eighth with each cell.
    let cost = |game: &Circulant| 1.13f64.powi(game.n() as i32);
    let (whole_cost, round_started) = (games.iter().map(cost).sum::<f64>(), Instant::now());
    let shards = shard::divide(games, how.play, Techniques::default(), budget);
    let (send, receive) = channel::<Vec<(Circulant, Solved)>>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            pool.install(|| {
                shards.into_par_iter().with_max_len(1).for_each_with(send, |send, shard| {
                    if !stop.stop.load(Ordering::Relaxed) {
                        let budget = Budget { watch: Some(stop.clone()), ..Budget::default() };
                        let verdicts = shard::solve(&shard, &budget);
                        // The receiver goes only after a failed write, when nothing more is wanted.
                        let _ = send.send(shard.games.into_iter().zip(verdicts).collect());
                    }
                });
            });
        });
        let (mut done, mut done_cost, mut waiting, mut committed) = (0, 0.0, Vec::new(), Instant::now());
        loop {
            let more = receive.recv_timeout(EVERY);
            let over = matches!(more, Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
            let finished = more.unwrap_or_default();
            // A search that was stopped has not been tried with its whole budget.
            waiting.extend(
                finished.into_iter().filter(|(_, v)| v.outcome != Err(bouton_core::LimitReached::Cancelled)),
            );
            if !waiting.is_empty() && (over || committed.elapsed() >= EVERY) {
                if let Err(error) = database.record(&waiting, how.play, budget) {
                    stop.stop.store(true, Ordering::Relaxed);
                    drop(receive);
                    return Err(error);
                }
                done += waiting.len() as u64;
                for (game, verdict) in waiting.drain(..) {
                    done_cost += cost(&game);
                    sum.nodes += verdict.nodes;
                    sum.solved += u64::from(verdict.outcome.is_ok());
                }
                let left = round_started.elapsed().mul_f64((whole_cost / done_cost - 1.0).clamp(0.0, 1e6));
                report(&Progress {
                    games: total,
                    done,
                    nodes: sum.nodes,
                    budget,
                    elapsed: started.elapsed(),
                    left: (done_cost > 0.0).then_some(left),
                });
                committed = Instant::now();
            }
            if over {
                return Ok(());
            }
        }
    })
}

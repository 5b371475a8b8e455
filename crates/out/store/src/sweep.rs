//! A sweep: every game of a family over ranges of its parameters, on all cores, into a database.
//!
//! Games are entered in stages, each narrow form once: first some with small parameters, before the
//! others are listed, then those with the fewest cells first. The games of a stage are tried with a
//! first budget before the next stage is entered, so that a sweep that is stopped soon has solved
//! small games. Rounds of growing budgets over all games follow, so that a few hard games do not
//! delay the others. One thread writes and reports what it has committed, often at first. A sweep
//! that is killed at any moment is resumed by the same call.

use crate::UsageError;
use crate::database::{Database, StoreError};
use crate::family::{NarrowForms, games, relative_cost, small_games};
use bouton_core::{Budget, Play, Watch};
use bouton_kotzig::shard::{self, Solved};
use bouton_kotzig::{Circulant, Techniques};
use bouton_kotzig::{KotzigFamily, Range};
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The options of a sweep.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The convention.
    pub play: Play,
    /// The greatest number of nodes per game. Games that need more stay unknown.
    pub nodes: u64,
    /// The number of threads; 0 for one per core.
    pub threads: usize,
}

/// The progress of a sweep, as committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The number of games in this round.
    pub games: u64,
    /// The number of games tried in this round.
    pub done: u64,
    /// The number of nodes expanded in the whole sweep.
    pub nodes: u64,
    /// The budget of this round, in nodes per game.
    pub budget: u64,
    /// The time since the sweep began.
    pub elapsed: Duration,
    /// The estimated time to the end of this round.
    pub left: Option<Duration>,
}

/// The result of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The number of games of the family within the ranges.
    pub instances: u64,
    /// The number of them that were not entered before the sweep was stopped.
    pub not_entered: u64,
    /// The number of different games among those entered.
    pub games: u64,
    /// The number of different games that this sweep has solved.
    pub solved: u64,
    /// The number of nodes expanded.
    pub nodes: u64,
    /// The games of this convention in the database that have no outcome.
    pub unknown: Vec<Circulant>,
    /// Whether the sweep was stopped before its end.
    pub stopped: bool,
}

/// The number of games of the first stage, the factor from one stage to the next, and the most
/// games of a stage.
const FIRST_STAGE: usize = 1 << 10;
const STAGE_GROWTH: usize = 4;
const LARGEST_STAGE: usize = 1 << 16;
/// The budget of the first round, in nodes.
const FIRST_BUDGET: u64 = 1 << 20;
/// The factor of the budget from one round to the next.
const BUDGET_GROWTH: u64 = 32;
/// The time to the first commit of a sweep, and the longest time between two, up to which it
/// doubles.
const FIRST_COMMIT: Duration = Duration::from_millis(5);
const COMMIT_INTERVAL: Duration = Duration::from_millis(200);

/// Solves all games of a family over `ranges`, and writes their outcomes into the database.
///
/// `stop` ends the sweep after the verdicts found so far are written. `report` is called after
/// every commit.
///
/// # Errors
/// Fails if the ranges are not accepted or the database cannot be written.
pub fn sweep(
    database: &mut Database,
    family: &KotzigFamily,
    ranges: &[Range],
    settings: &Settings,
    stop: &Arc<Watch>,
    report: impl FnMut(&Progress),
) -> Result<Report, StoreError> {
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.threads)
        .build()
        .map_err(|error| StoreError::Usage(format!("no threads: {error}")))?;
    let usage = |error: UsageError| StoreError::Usage(error.to_string());
    let small = small_games(family, ranges, FIRST_STAGE).map_err(usage)?;
    let sum = Report {
        instances: 0,
        not_entered: 0,
        games: 0,
        solved: 0,
        nodes: 0,
        unknown: Vec::new(),
        stopped: false,
    };
    let mut run =
        SweepRun { database, settings, pool, stop, sum, started, interval: FIRST_COMMIT, report };
    let (mut forms, mut stage) = (NarrowForms::default(), FIRST_STAGE);
    let mut budget = FIRST_BUDGET.min(settings.nodes);
    let entered: HashSet<Circulant> = small.iter().cloned().collect();
    run.enter(small, &mut forms)?;
    run.round(budget)?;
    let mut games = games(family, ranges).map_err(usage)?;
    run.sum.instances = games.len() as u64;
    games.retain(|game| !entered.contains(game));
    // The fewest cells last, whence stages are taken; games of as many cells as they are named.
    games.sort_by_key(|game| std::cmp::Reverse(game.n()));
    loop {
        run.sum.not_entered = games.len() as u64;
        run.sum.stopped = stop.stop.load(Ordering::Relaxed);
        if run.sum.stopped || games.is_empty() && budget >= settings.nodes {
            break;
        }
        if games.is_empty() {
            budget = budget.saturating_mul(BUDGET_GROWTH).min(settings.nodes);
        } else {
            stage = (STAGE_GROWTH * stage).min(LARGEST_STAGE);
            let named = games.split_off(games.len().saturating_sub(stage));
            run.enter(named, &mut forms)?;
        }
        run.round(budget)?;
    }
    run.sum.unknown = run.database.open_games(settings.play, u64::MAX)?;
    Ok(run.sum)
}

/// A sweep that is under way.
struct SweepRun<'a, F> {
    database: &'a mut Database,
    settings: &'a Settings,
    pool: rayon::ThreadPool,
    stop: &'a Arc<Watch>,
    sum: Report,
    started: Instant,
    /// The time to the next commit.
    interval: Duration,
    report: F,
}

impl<F: FnMut(&Progress)> SweepRun<'_, F> {
    /// Enters games under their narrow forms.
    fn enter(&mut self, named: Vec<Circulant>, forms: &mut NarrowForms) -> Result<(), StoreError> {
        let entered = self.pool.install(|| forms.of(named));
        self.database.enter(&entered, self.settings.play)?;
        self.sum.games = forms.different() as u64;
        Ok(())
    }

    /// Searches every game without an outcome that has not been tried with `budget` nodes.
    fn round(&mut self, budget: u64) -> Result<(), StoreError> {
        let SweepRun { database, settings, pool, stop, sum, started, interval, report } = self;
        let games = database.open_games(settings.play, budget)?;
        let total = games.len() as u64;
        let (total_cost, round_started) =
            (games.iter().map(relative_cost).sum::<f64>(), Instant::now());
        let shards = shard::divide(games, settings.play, Techniques::default(), budget);
        let (send, receive) = channel::<Vec<(Circulant, Solved)>>();
        std::thread::scope(|scope| {
            let (pool, stop): (&rayon::ThreadPool, &Arc<Watch>) = (pool, stop);
            scope.spawn(move || {
                pool.install(|| {
                    shards.into_par_iter().with_max_len(1).for_each_with(send, |send, shard| {
                        if !stop.stop.load(Ordering::Relaxed) {
                            let budget = Budget { watch: Some(stop.clone()), ..Budget::default() };
                            let verdicts = shard::solve(&shard, &budget);
                            // The receiver is dropped only after a failed write, when verdicts can
                            // no longer be kept.
                            let _ = send.send(shard.games.into_iter().zip(verdicts).collect());
                        }
                    });
                });
            });
            let (mut done, mut done_cost) = (0, 0.0);
            let (mut waiting, mut committed) = (Vec::new(), Instant::now());
            loop {
                let received = receive.recv_timeout(*interval);
                let is_over =
                    matches!(received, Err(std::sync::mpsc::RecvTimeoutError::Disconnected));
                // A search that was stopped has not been tried with its whole budget.
                let is_tried =
                    |solved: &Solved| solved.outcome != Err(bouton_core::LimitReached::Cancelled);
                waiting.extend(
                    received.unwrap_or_default().into_iter().filter(|(_, solved)| is_tried(solved)),
                );
                if !waiting.is_empty() && (is_over || committed.elapsed() >= *interval) {
                    *interval = (2 * *interval).min(COMMIT_INTERVAL);
                    if let Err(error) = database.record(&waiting, settings.play, budget) {
                        stop.stop.store(true, Ordering::Relaxed);
                        drop(receive);
                        return Err(error);
                    }
                    done += waiting.len() as u64;
                    for (game, solved) in waiting.drain(..) {
                        done_cost += relative_cost(&game);
                        sum.nodes += solved.nodes;
                        sum.solved += u64::from(solved.outcome.is_ok());
                    }
                    let factor = (total_cost / done_cost - 1.0).clamp(0.0, 1e6);
                    report(&Progress {
                        games: total,
                        done,
                        nodes: sum.nodes,
                        budget,
                        elapsed: started.elapsed(),
                        left: (done_cost > 0.0).then(|| round_started.elapsed().mul_f64(factor)),
                    });
                    committed = Instant::now();
                }
                if is_over {
                    return Ok(());
                }
            }
        })
    }
}

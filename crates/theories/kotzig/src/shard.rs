//! A shard: a list of games, one convention, one budget a game. Solving it is a pure function.
//!
//! Nothing is shared between shards, so they may run on threads, in processes or on the machines of
//! a cluster, in any order and more than once: the answers and the node counts are the same.

use super::{Circulant, Solver, Techniques};
use bouton_core::{Arrange, Budget, LimitReached, Meter, Outcome, Play};

/// Games to solve together. One solver runs through them and learns, so neighbours should be alike.
#[derive(Debug, Clone)]
pub struct Shard {
    /// The convention.
    pub play: Play,
    /// What may be used.
    pub techniques: Techniques,
    /// Nodes for each game at most.
    pub nodes: u64,
    /// The games, searched with the steps as they are.
    pub games: Vec<Circulant>,
}

/// The result of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// The outcome, or why it is unknown.
    pub outcome: Result<Outcome, LimitReached>,
    /// Nodes expanded.
    pub nodes: u64,
}

/// Bytes for the tables of one search.
const BYTES: u64 = 256 << 20;

/// Solves a shard, in order. What interrupts the `budget` ends it early: the games left have no
/// outcome. Its nodes and bytes do not count, those of the shard do.
pub fn solve(shard: &Shard, budget: &Budget) -> Vec<Solved> {
    let mut solver = Solver::new(shard.play, shard.techniques);
    let budget = Budget { nodes: Some(shard.nodes), bytes: Some(BYTES), ..budget.clone() };
    let solved = |game: &Circulant| {
        let mut meter = Meter::new(&budget);
        let outcome = solver.outcome(game, &mut meter);
        Solved { outcome, nodes: meter.nodes() }
    };
    shard.games.iter().map(solved).collect()
}

/// Games of one shard.
const SIZE: usize = 16;

/// Divides games into shards, large circles first, so that no thread is left alone with the long
/// ones at the end.
pub fn divide(
    mut games: Vec<Circulant>,
    play: Play,
    techniques: Techniques,
    nodes: u64,
) -> Vec<Shard> {
    games.arrange_by_key(|game| std::cmp::Reverse(game.n()));
    games
        .chunks(SIZE)
        .map(|games| Shard { play, techniques, nodes, games: games.to_vec() })
        .collect()
}

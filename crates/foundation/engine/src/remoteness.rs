//! How long play lasts: the winner hurries, the loser holds out.
//!
//! The remoteness of a position without moves is 0; of a position that the player to move wins, one
//! more than the least remoteness of an option lost for the other; of a lost one, one more than the
//! greatest of its options. Where positions may come again, a position from which neither player
//! can force the end is a draw, and has none. Source: C. A. B. Smith, *Graphs and composite games*,
//! J. Combin. Theory 1 (1966); Berlekamp, Conway, Guy, *Winning Ways*, ch. 9.

use crate::game_graph::GameGraph;
use bouton_core::{Arrange, LimitReached, Meter, Outcome, Play};
use rustc_hash::FxHashMap;

/// A position's outcome, and the number of moves that play lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remoteness {
    /// Who wins.
    pub outcome: Outcome,
    /// The number of moves, if the winner wins as soon and the loser loses as late as possible.
    pub moves: u32,
}

/// Returns the remoteness of every node of a finite graph, given by the options of each; `None` for
/// draws.
///
/// Nodes are settled backwards from those without options, in the order of their remoteness.
#[must_use]
pub fn retrograde(options: &[Vec<u32>], play: Play) -> Vec<Option<Remoteness>> {
    // The nodes that lead to each node, one node behind the other.
    let mut starts = vec![0; options.len() + 1];
    for to in options.iter().flatten() {
        starts[*to as usize + 1] += 1;
    }
    for node in 0..options.len() {
        starts[node + 1] += starts[node];
    }
    let mut filled = starts.clone();
    let mut sources = vec![0; starts[options.len()]];
    for (from, options) in options.iter().enumerate() {
        for to in options {
            sources[filled[*to as usize]] = from;
            filled[*to as usize] += 1;
        }
    }
    // Options of each node that are not known to be won for the player then to move.
    let mut left: Vec<usize> = options.iter().map(Vec::len).collect();
    let mut known = vec![None; options.len()];
    let mut settled = Vec::new();
    for node in (0..options.len()).filter(|node| options[*node].is_empty()) {
        known[node] = Some(Remoteness { outcome: play.terminal(), moves: 0 });
        settled.push(node);
    }
    let mut next = 0;
    while let Some(node) = settled.get(next).copied() {
        next += 1;
        let Some(Remoteness { outcome, moves }) = known[node] else { continue };
        for from in &sources[starts[node]..starts[node + 1]] {
            if known[*from].is_some() {
                continue;
            }
            let outcome = match outcome {
                Outcome::P => Outcome::N,
                Outcome::N => {
                    left[*from] -= 1;
                    if left[*from] > 0 {
                        continue;
                    }
                    Outcome::P
                }
            };
            known[*from] = Some(Remoteness { outcome, moves: moves + 1 });
            settled.push(*from);
        }
    }
    known
}

/// Bytes for each position and for each move: numbers, remoteness, and places in the graph.
const POSITION_BYTES: u64 = 96;
const MOVE_BYTES: u64 = 12;

/// Returns the remoteness of nodes of a game that the last move decides; `None` for a draw. Charges
/// one node of the budget for each position reached; all of them are visited.
///
/// # Errors
///
/// If the budget ends, or the rules fail.
pub fn remoteness(
    graph: &mut dyn GameGraph,
    nodes: &[u32],
    play: Play,
    meter: &mut Meter,
) -> Result<Vec<Option<Remoteness>>, LimitReached> {
    let mut reached: Vec<u32> = Vec::new();
    let mut places: FxHashMap<u32, u32> = FxHashMap::default();
    let mut place = |node: u32, reached: &mut Vec<u32>| {
        *places.entry(node).or_insert_with(|| {
            reached.push(node);
            reached.len() as u32 - 1
        })
    };
    let roots: Vec<u32> =
        nodes.iter().map(|node| place(graph.canonical(*node), &mut reached)).collect();
    let (mut options, mut moves) = (Vec::new(), 0);
    while let Some(node) = reached.get(options.len()).copied() {
        meter.spend_one()?;
        meter.check_bytes(POSITION_BYTES * reached.len() as u64 + MOVE_BYTES * moves)?;
        let to = graph.options(node).to_vec();
        let mut to: Vec<u32> = to.into_iter().map(|option| graph.canonical(option)).collect();
        if let Some(stopped) = graph.stopped() {
            return Err(stopped);
        }
        to.arrange();
        to.dedup();
        to.iter_mut().for_each(|option| *option = place(*option, &mut reached));
        moves += to.len() as u64;
        options.push(to);
    }
    let known = retrograde(&options, play);
    Ok(roots.into_iter().map(|root| known[root as usize]).collect())
}

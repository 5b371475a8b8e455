//! How long play lasts: the winner hurries, the loser holds out.
//!
//! The remoteness of a position without moves is 0; of a position that the player to move wins, one
//! more than the least remoteness of an option lost for the other; of a lost one, one more than the
//! greatest of its options. Source: C. A. B. Smith, *Graphs and composite games*, J. Combin. Theory
//! 1 (1966); Berlekamp, Conway, Guy, *Winning Ways*, ch. 9.

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

impl Remoteness {
    /// Returns what follows from the options.
    fn from_options(play: Play, options: impl Iterator<Item = Remoteness>) -> Remoteness {
        let (mut soonest, mut latest) = (None, None);
        for option in options {
            let moves = option.moves + 1;
            match option.outcome {
                Outcome::P => soonest = Some(soonest.map_or(moves, |least: u32| least.min(moves))),
                Outcome::N => latest = latest.max(Some(moves)),
            }
        }
        match (soonest, latest) {
            (Some(moves), _) => Remoteness { outcome: Outcome::N, moves },
            (None, Some(moves)) => Remoteness { outcome: Outcome::P, moves },
            (None, None) => {
                let outcome = if play == Play::Normal { Outcome::P } else { Outcome::N };
                Remoteness { outcome, moves: 0 }
            }
        }
    }
}

/// Bytes for each position: its number, its remoteness, and its place in the graph.
const BYTES: u64 = 64;

/// Returns the remoteness of a node of a game that the last move decides. Charges one node of the
/// budget for each position reached; all of them are visited.
///
/// # Errors
///
/// If the budget ends.
pub fn remoteness(
    graph: &mut dyn GameGraph,
    node: u32,
    play: Play,
    meter: &mut Meter,
) -> Result<Remoteness, LimitReached> {
    let mut known: FxHashMap<u32, Remoteness> = FxHashMap::default();
    let root = graph.canonical(node);
    // Positions whose options are open, with these options.
    let mut open: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(node) = next.take() {
            meter.node()?;
            meter.holding(BYTES * (known.len() + open.len()) as u64)?;
            let options: Vec<u32> = graph.options(node).to_vec();
            let mut canonical: Vec<u32> =
                options.into_iter().map(|option| graph.canonical(option)).collect();
            canonical.arrange();
            canonical.dedup();
            open.push((node, canonical));
        }
        let Some((node, options)) = open.last() else { break };
        next = options.iter().find(|option| !known.contains_key(option)).copied();
        if next.is_none() {
            let found = options.iter().filter_map(|option| known.get(option).copied());
            known.insert(*node, Remoteness::from_options(play, found));
            open.pop();
        }
    }
    // The root is the last that is closed.
    Ok(known[&root])
}

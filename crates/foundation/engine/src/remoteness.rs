//! How long play lasts: the winner hurries, the loser holds out.
//!
//! The remoteness of a position without moves is 0; of a position that the player to move wins, one
//! more than the least remoteness of an option lost for the other; of a lost one, one more than the
//! greatest of its options. Where positions may come again, a position from which neither player
//! can force the end is a draw, and has none. Source: C. A. B. Smith, *Graphs and composite games*,
//! J. Combin. Theory 1 (1966); Berlekamp, Conway, Guy, *Winning Ways*, ch. 9.

use crate::erased::NamedRuleset;
use crate::evaluator::{Evaluator, ReachedOption, options_in_order};
use crate::game::{Evaluation, Kind, Settings};
use crate::game_graph::GameGraph;
use crate::numbered::Numbered;
use bouton_core::{Arrange, LimitReached, Meter, Outcome, Play, Ruleset};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::ops::ControlFlow::Continue;

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
fn retrograde(options: &[Vec<u32>], play: Play) -> Vec<Option<Remoteness>> {
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

/// Returns all positions that play reaches from some, by number, and the numbers of the options of
/// each, each once; `options` returns those of one, or why the rules failed. Charges one node of the
/// budget for each.
fn reached<P: Clone + Eq + Hash>(
    roots: impl IntoIterator<Item = P>,
    mut options: impl FnMut(&P) -> Result<Vec<P>, LimitReached>,
    meter: &mut Meter,
) -> Result<(Numbered<P>, Vec<Vec<u32>>), LimitReached> {
    let (mut numbered, mut all, mut moves) = (Numbered::new(), Vec::new(), 0);
    for root in roots {
        numbered.number(root);
    }
    while let Some(p) = numbered.positions().get(all.len()) {
        meter.spend_one()?;
        let bytes = POSITION_BYTES + size_of::<P>() as u64;
        meter.check_bytes(bytes * numbered.positions().len() as u64 + MOVE_BYTES * moves)?;
        let to = options(p)?;
        let mut to: Vec<u32> = to.into_iter().map(|option| numbered.number(option)).collect();
        to.arrange();
        to.dedup();
        moves += to.len() as u64;
        all.push(to);
    }
    Ok((numbered, all))
}

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
    let roots: Vec<u32> = nodes.iter().map(|node| graph.canonical(*node)).collect();
    let options = |node: &u32| {
        let to = graph.options(*node)?.to_vec();
        let to = to.into_iter().map(|option| graph.canonical(option)).collect();
        graph.stopped().map_or(Ok(to), Err)
    };
    let (mut numbered, options) = reached(roots.iter().copied(), options, meter)?;
    let known = retrograde(&options, play);
    Ok(roots.into_iter().map(|root| known[numbered.number(root) as usize]).collect())
}

/// Evaluates games in which positions may come again, backwards from the positions without moves.
pub struct ByRemoteness<R: Ruleset> {
    play: Play,
    known: FxHashMap<R::Position, Option<Remoteness>>,
}

impl<R: NamedRuleset + 'static> Evaluator<R> for ByRemoteness<R> {
    const KIND: Kind = Kind::LastMove;
    const MAY_COME_AGAIN: bool = true;

    fn new(_: &R, settings: &Settings) -> ByRemoteness<R> {
        ByRemoteness { play: settings.play, known: FxHashMap::default() }
    }

    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        let p = rules.canonical(p.clone());
        if !self.known.contains_key(&p) {
            let all = rules.all().into_iter().flatten().map(|p| rules.canonical(p));
            let options = |p: &R::Position| {
                let mut to = Vec::new();
                let _ = rules.options(p, |option| {
                    to.push(rules.canonical(option));
                    Continue::<()>(())
                });
                rules.stopped().map_or(Ok(to), Err)
            };
            let (numbered, options) =
                reached(std::iter::once(p.clone()).chain(all), options, meter)?;
            let known = retrograde(&options, self.play);
            self.known.extend(numbered.into_positions().into_iter().zip(known));
        }
        let outcome = self.known[&p].map(|known| known.outcome);
        Ok(Evaluation { outcome, is_draw: outcome.is_none(), ..Evaluation::default() })
    }

    /// Returns the moves that win, the soonest first, then those that draw, then those that lose,
    /// the latest first: a win that is put off again and again never comes.
    fn moves(
        &self,
        rules: &R,
        p: &R::Position,
        most: usize,
    ) -> Result<Vec<ReachedOption<R>>, LimitReached> {
        let mut moves = options_in_order(rules, p, most)?;
        moves.arrange_by_key(|(option, _)| {
            match self.known.get(&rules.canonical(option.clone())).copied().flatten() {
                Some(Remoteness { outcome: Outcome::P, moves }) => (0, i64::from(moves)),
                None => (1, 0),
                Some(Remoteness { outcome: Outcome::N, moves }) => (2, -i64::from(moves)),
            }
        });
        Ok(moves)
    }
}

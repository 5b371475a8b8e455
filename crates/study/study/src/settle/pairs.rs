//! Pairs of two sequences put to the prover: one by least numbers that are free, the other from it.

use super::form::{ProvedSet, accepted, refuted, undecided};
use crate::move_system::{StatedError, certified_name, stated_in};
use bouton_core::{Budget, Meter, Play};
use bouton_engine::Game;
use bouton_prover::{Counterexample, MoveSystem, Pairs, pairs_certificate, prove_pairs};
use bouton_theory::prover_budget;
use bouton_theory::recheck::{IsClaimed, recheck_by};
use bouton_theory::verdict::{Size, Statement, Unknown, Verdict};
use std::collections::HashSet;

/// The most tokens of positions that are looked at before a proof is sought.
const TOKENS: u64 = 160;

/// Settles that the P-positions of this game on two heaps, in normal play, are these pairs, in both
/// orders: proved, or refuted by the least position. Nodes of the budget are steps of the automata.
pub fn settle_pairs(
    game: &dyn Game,
    pairs: &Pairs,
    budget: &Budget,
) -> Result<Verdict, StatedError> {
    let (moves, _) = stated_in(Play::Normal, game)?;
    if let Some(why) = unfit(&moves) {
        return Ok(Unknown::because(why));
    }
    let limits = prover_budget(budget);
    if let Ok(few) = pairs.list(usize::MAX, TOKENS) {
        let few: HashSet<[u64; 2]> = few.into_iter().flat_map(|[a, b]| [[a, b], [b, a]]).collect();
        let is_pair = |heaps: &[u64]| matches!(heaps, [x, y] if few.contains(&[*x, *y]));
        if let Some(found) = counterexample(game, &is_pair, &limits) {
            let claimed: &IsClaimed<'_> = &|heaps| Some(is_pair(heaps));
            let again = recheck_by(game, &moves, claimed, &found);
            return Ok(refuted(found, again));
        }
    }
    proved_pairs(game, pairs, budget)
}

/// Proves that the P-positions of this game on two heaps, in normal play, are these pairs, in both
/// orders. Pairs that are not proved are not refuted: the verdict is unknown.
pub(crate) fn proved_pairs(
    game: &dyn Game,
    pairs: &Pairs,
    budget: &Budget,
) -> Result<Verdict, StatedError> {
    let (moves, numeration) = stated_in(Play::Normal, game)?;
    if let Some(why) = unfit(&moves) {
        return Ok(Unknown::because(why));
    }
    let budget = prover_budget(budget);
    let proof = match prove_pairs(&moves, pairs, &mut Meter::new(&budget)) {
        Ok(Some(proof)) => proof,
        Ok(None) => {
            return Ok(Unknown::because(
                "what is seen of the first pairs does not show that these are all",
            ));
        }
        Err(reason) => return Ok(undecided(&reason)),
    };
    let name = certified_name(game, numeration, numeration).unwrap_or_else(|| game.name());
    let certificate = pairs_certificate(&name, pairs, &proof).seal();
    // No move between two pairs; from above a pair, and from between two, there is one.
    let size = Size { cases: 1, parts: 2, sets: 0 };
    Ok(accepted(
        ProvedSet { play: Play::Normal, statement: Statement::Pairs(pairs.clone()), size },
        certificate,
        &budget,
    ))
}

/// Returns why a game is none that the theorem on pairs speaks of, if so.
fn unfit(moves: &MoveSystem) -> Option<&'static str> {
    let [board] = &moves.boards[..] else { return Some("pairs are of two heaps") };
    let stay = moves.ways.iter().all(|way| way.heaps.iter().map(|heap| heap.0).eq(0..2));
    let fits =
        board.heaps == 2 && moves.memory == 0 && !board.positive && moves.domain.is_none() && stay;
    (!fits).then_some(
        "pairs are of two heaps that stay in their places, of any size, and of nothing that is \
         remembered",
    )
}

/// Returns the first position, of those with few tokens, that is a pair with an option that is one,
/// or no pair and without such an option; `None` if there is none, or the time is up.
fn counterexample(
    game: &dyn Game,
    is_pair: &dyn Fn(&[u64]) -> bool,
    budget: &Budget,
) -> Option<Counterexample> {
    let mut graph = game.graph();
    for sum in 0..=TOKENS {
        for x in 0..=sum / 2 {
            if budget.interrupted().is_some() {
                return None;
            }
            let position = vec![x, sum - x];
            let node = graph.position(&position)?;
            let options: Option<Vec<Vec<u64>>> = graph
                .options(node)
                .ok()?
                .to_vec()
                .into_iter()
                .map(|option| graph.sizes(option))
                .collect();
            let reached = options?.into_iter().find(|option| is_pair(option));
            if is_pair(&position) == reached.is_some() {
                let option = reached.map(|option| (0, option));
                return Some(Counterexample {
                    board: 0,
                    position,
                    option,
                    over: false,
                    least: true,
                });
            }
        }
    }
    None
}

//! Pairs of two sequences put to the prover: one by least numbers that are free, the other from it.

use super::form::{ProvedSet, accepted, undecided};
use crate::move_system::{StatedError, certified_name, stated_in};
use bouton_core::{Budget, Meter, Play};
use bouton_engine::Game;
use bouton_prover::{Numeration, Pairs, pairs_certificate, prove_pairs};
use bouton_theory::prover_budget;
use bouton_theory::verdict::{Size, Statement, Unknown, Verdict};

/// Settles that the P-positions of this game on two heaps, in normal play, are these pairs. Pairs
/// that are not proved are not refuted here: the verdict is unknown. Nodes of the budget are steps
/// of the automata.
pub fn settle_pairs(
    game: &dyn Game,
    pairs: &Pairs,
    budget: &Budget,
) -> Result<Verdict, StatedError> {
    let (moves, numeration) = stated_in(Play::Normal, game)?;
    let [board] = &moves.boards[..] else {
        return Ok(Unknown::because("pairs are of two heaps"));
    };
    let stay = moves.ways.iter().all(|way| way.heaps.iter().map(|heap| heap.0).eq(0..2));
    if board.heaps != 2 || moves.memory > 0 || board.positive || moves.domain.is_some() || !stay {
        return Ok(Unknown::because(
            "pairs are of two heaps that stay in their places, of any size, and of nothing that is \
             remembered",
        ));
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
    let name = certified_name(game, numeration, Numeration::Binary).unwrap_or_else(|| game.name());
    let certificate = pairs_certificate(&name, pairs, &proof).seal();
    // No move between two pairs; from above a pair, and from between two, there is one.
    let size = Size { cases: 1, parts: 2, sets: 0 };
    Ok(accepted(
        ProvedSet { play: Play::Normal, statement: Statement::Pairs(pairs.clone()), size },
        certificate,
        &budget,
    ))
}

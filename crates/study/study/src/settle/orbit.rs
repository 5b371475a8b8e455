//! Orbits put to the prover: P-positions of one heap, each a function of the one before.

use super::form::{ProvedSet, accepted, undecided};
use crate::move_system::{StatedError, certified_name, stated_in};
use bouton_core::{Budget, Meter, Play};
use bouton_engine::Game;
use bouton_prover::{Numeration, Orbit, orbit_certificate, prove_orbit};
use bouton_theory::prover_budget;
use bouton_theory::verdict::{Size, Statement, Unknown, Verdict};

/// Settles that the P-positions of this game on one heap, in normal play, are 0 and the heaps that
/// an orbit's steps lead to. An orbit of which the theorem does not speak is not refuted: the
/// verdict is unknown. Nodes of the budget are steps of the automata.
pub fn settle_orbit(
    game: &dyn Game,
    orbit: &Orbit,
    budget: &Budget,
) -> Result<Verdict, StatedError> {
    let (moves, numeration) = stated_in(Play::Normal, game)?;
    let ([board], [way]) = (&moves.boards[..], &moves.ways[..]) else {
        return Ok(Unknown::because("an orbit is of one heap"));
    };
    if board.heaps != 1 || moves.memory > 0 || board.positive || moves.domain.is_some() {
        return Ok(Unknown::because(
            "an orbit is of one heap, of any size, and of nothing that is remembered",
        ));
    }
    let budget = prover_budget(budget);
    match prove_orbit(way.condition.as_ref(), orbit, &mut Meter::new(&budget)) {
        Ok(true) => {}
        Ok(false) => {
            return Ok(Unknown::because("heaps are not options of all those before their steps"));
        }
        Err(reason) => return Ok(undecided(&reason)),
    }
    let name = certified_name(game, numeration, Numeration::Binary).unwrap_or_else(|| game.name());
    let certificate = orbit_certificate(&name, orbit).seal();
    // No option lies beyond the step, and every heap before it has one: a case and a part.
    let size = Size { cases: 1, parts: 1, sets: 0 };
    Ok(accepted(
        ProvedSet { play: Play::Normal, statement: Statement::Orbit(*orbit), size },
        certificate,
        &budget,
    ))
}

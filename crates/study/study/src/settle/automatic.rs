//! Claims put to the prover that reads by automata (crates/proof/prover, automatic): an automaton
//! as a claim, and formulas that normal forms are too large for.

use super::form::{ProvedSet, accepted, refuted, undecided};
use super::misere;
use crate::move_system::{StatedError, certified_name, stated_in};
use bouton_core::{Budget, Claim, Meter, Play};
use bouton_engine::Game;
use bouton_prover::{
    Acceptor, Attempt, AutomaticClaim, CounterexampleChoice, MoveSystem, Numeration,
    prove_automatic,
};
use bouton_theory::prover_budget;
use bouton_theory::recheck::{IsClaimed, recheck_by};
use bouton_theory::verdict::{Size, Statement, Verdict};

/// Images of one position under the game's symmetry, at most.
const MAX_IMAGES: usize = 720;
/// Heaps of a game, at most, for whose formulas this is a second way.
const SECOND: usize = 5;

/// Settles that this game's P-positions are those that an automaton accepts, reading the binary
/// digits of all heaps together. Nodes of the budget are letters read.
pub fn settle_automaton(
    game: &dyn Game,
    play: Play,
    automaton: &Acceptor,
    budget: &Budget,
) -> Result<Verdict, StatedError> {
    settle_automaton_or_refute(game, play, automaton, CounterexampleChoice::Least, budget)
}

/// Settles the same; which counterexample is wanted is said.
pub(crate) fn settle_automaton_or_refute(
    game: &dyn Game,
    play: Play,
    automaton: &Acceptor,
    wanted: CounterexampleChoice,
    budget: &Budget,
) -> Result<Verdict, StatedError> {
    if game.heap_game().is_some_and(|stated| misere::applies(&stated, play)) {
        return Ok(misere::settle_misere_automaton(
            game,
            automaton,
            wanted,
            &prover_budget(budget),
        ));
    }
    let (moves, numeration) = stated_in(play, game)?;
    Ok(settle_read(
        game,
        &moves,
        numeration,
        AutomaticClaim::Automaton(automaton),
        wanted,
        &prover_budget(budget),
    ))
}

/// Returns the images in which a formula about this game counts; none where this way is not for it.
pub(super) fn images(
    game: &dyn Game,
    moves: &MoveSystem,
    claims: &[Claim],
) -> Option<Vec<Vec<usize>>> {
    let ([board], [_]) = (&moves.boards[..], claims) else { return None };
    if board.heaps > SECOND || moves.misere {
        return None;
    }
    let images = game.heap_game()?.symmetry.permutations(board.heaps, MAX_IMAGES)?;
    // A claim that is taken as it stands is another one than that of certificates, where there are
    // symmetries.
    (board.symmetries.len() > 1 || images.len() == 1).then_some(images)
}

/// Proves, checks, or refutes.
pub(super) fn settle_read(
    game: &dyn Game,
    moves: &MoveSystem,
    numeration: Numeration,
    what: AutomaticClaim<'_>,
    wanted: CounterexampleChoice,
    budget: &Budget,
) -> Verdict {
    let meter = &mut Meter::new(budget);
    match prove_automatic(moves, what, wanted, meter) {
        Attempt::Proved(proof) => {
            let name =
                certified_name(game, numeration, Numeration::Binary).unwrap_or_else(|| game.name());
            let certificate = proof.certificate(&name, moves, what).seal();
            let size = Size { cases: proof.cases, parts: moves.ways.len(), sets: proof.sets() };
            let statement = match what {
                AutomaticClaim::Automaton(automaton) => Statement::Automaton(automaton.clone()),
                AutomaticClaim::Formula { claim, .. } => {
                    Statement::Formulas(vec![claim.formula().clone()])
                }
            };
            accepted(ProvedSet { play: moves.play(), statement, size }, certificate, budget)
        }
        Attempt::Refuted(found) => {
            let claimed: &IsClaimed<'_> = &|heaps| match what {
                AutomaticClaim::Automaton(automaton) => Some(automaton.holds(heaps)),
                AutomaticClaim::Formula { claim, images, .. } => {
                    claim.holds_up_to(heaps, images).ok()
                }
            };
            let again = recheck_by(game, moves, claimed, &found);
            refuted(found, again)
        }
        Attempt::Unknown(reason) => undecided(&reason),
    }
}

//! A form put to the prover: proved, and the proof accepted by the independent checker; refuted, and looked at again by the
//! rules alone; or unknown.

use super::automatic::{images, settle_read};
use super::recheck::{Contradiction, recheck};
use crate::checked::checked;
use crate::form::{Form, FormError};
use crate::verdict::{Failure, Proved, Recheck, Refuted, Size, Theorem, Unknown, Verdict};
use bouton_core::{Budget, Claim, Meter, Play};
use bouton_engine::Game;
use bouton_prover::{
    Counterexample, MoveSystem, Numeration, Read, Undecided, default_budget, prove, reading, written_name,
};

/// Why a game's moves are not at hand as formulas.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} {why}")]
pub struct StatedError {
    game: String,
    why: String,
}

/// The moves of a game as formulas, and the digits in which its heaps are read.
pub fn stated(game: &dyn Game) -> Result<(MoveSystem, Numeration), StatedError> {
    let wrong = |why: String| StatedError { game: game.name(), why };
    let moves = game.heap_game().ok_or_else(|| {
        wrong("is no game on a fixed number of heaps whose moves are stated as a formula".into())
    })?;
    MoveSystem::of(&moves).map_err(|error| wrong(format!("is beyond the prover: {error}")))
}

/// The same in misère play, if asked for.
pub fn stated_in(play: Play, game: &dyn Game) -> Result<(MoveSystem, Numeration), StatedError> {
    let (moves, numeration) = stated(game)?;
    let moves = match play {
        Play::Normal => moves,
        Play::Misere => moves.in_misere_play().map_err(|error| StatedError {
            game: game.name(),
            why: format!("is beyond the prover: {error}"),
        })?,
    };
    Ok((moves, numeration))
}

/// The game with claims about it taken as they stand, not up to symmetry.
pub fn as_it_stands(moves: &mut MoveSystem) {
    // The first symmetry is the identity.
    moves.boards.iter_mut().for_each(|board| board.symmetries.truncate(1));
}

/// What certificates call the game: rule files are written out, and so is a game that is read in other digits than its own.
/// None if it cannot be read in these digits.
pub(crate) fn certified_name(game: &dyn Game, stated: Numeration, read: Numeration) -> Option<String> {
    let name = game.name();
    let written = || written_name(&game.heap_game()?, read);
    if !game.rule_files().is_empty() {
        return Some(written().unwrap_or(name));
    }
    if stated == read { Some(name) } else { written() }
}

/// What a form of a game's P-positions cannot be settled for.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SettleFormError {
    /// The game's moves are not at hand.
    #[error(transparent)]
    Stated(#[from] StatedError),
    /// The form says nothing of the game.
    #[error(transparent)]
    Form(#[from] FormError),
}

/// Settles a form of this game's P-positions. Nodes of the budget are steps of the automata.
pub fn settle_form(game: &dyn Game, form: &Form, budget: &Budget) -> Result<Verdict, SettleFormError> {
    let (mut moves, numeration) = stated_in(form.play, game)?;
    if form.exactly {
        as_it_stands(&mut moves);
    }
    let claims = form.claims(&moves)?;
    Ok(settle_claims(game, &moves, numeration, &claims, &proving(budget)))
}

/// The part of a budget with which normal forms begin where automata are a second way.
const FIRST: u64 = 512;

/// What the prover may spend of a budget.
pub(crate) fn proving(budget: &Budget) -> Budget {
    let default = default_budget();
    Budget { nodes: budget.nodes.or(default.nodes), bytes: budget.bytes.or(default.bytes), ..budget.clone() }
}

/// Settles claims, one for each board, read in the digits that they ask for, or else in the game's own.
pub(crate) fn settle_claims(
    game: &dyn Game,
    moves: &MoveSystem,
    numeration: Numeration,
    claims: &[Claim],
    budget: &Budget,
) -> Verdict {
    let read = reading(moves, claims, numeration);
    let (read, name) = match certified_name(game, numeration, read) {
        Some(name) => (read, name),
        None => (numeration, game.name()),
    };
    let normally = |budget: &Budget| settle_normal(game, moves, read, &name, claims, budget);
    // Where there is a second way the first one begins with a small part of the budget.
    let Some(images) = images(game, moves, read, claims) else { return normally(budget) };
    let part = budget.deadline.map(|deadline| deadline.left() / 5);
    let first = part.map_or_else(|| budget.clone(), |part| budget.within(part));
    let first = Budget { nodes: budget.nodes.map(|nodes| nodes / FIRST), ..first };
    let settled = normally(&first);
    if !matches!(settled, Verdict::Unknown(_)) || budget.interrupted().is_some() {
        return settled;
    }
    match settle_read(game, moves, numeration, Read::Formula(&claims[0], &images), budget) {
        Verdict::Unknown(_) => normally(budget),
        other => other,
    }
}

/// The same by normal forms.
fn settle_normal(
    game: &dyn Game,
    moves: &MoveSystem,
    read: Numeration,
    name: &str,
    claims: &[Claim],
    budget: &Budget,
) -> Verdict {
    let meter = &mut Meter::new(budget);
    match prove(moves, claims, read, meter) {
        bouton_prover::Verdict::Proved(proof) => {
            let certificate = match proof.certificate(name, moves, claims, read, meter) {
                Ok(certificate) => certificate.into_text(),
                Err(reason) => return undecided(&reason),
            };
            let size = Size::of(&proof);
            drop(proof);
            accepted(size, certificate, budget)
        }
        bouton_prover::Verdict::Refuted(found) => {
            let again = recheck(game, moves, claims, &found);
            refuted(found, again)
        }
        bouton_prover::Verdict::Unknown(reason) => undecided(&reason),
    }
}

/// What has a proof, if the independent checker accepts the certificate.
pub(super) fn accepted(size: Size, certificate: String, budget: &Budget) -> Verdict {
    match checked(&certificate, budget) {
        Err(limit) => Unknown::spent(limit),
        Ok(Ok(_)) => Verdict::Proved(Proved::Theorem(Box::new(Theorem { size, certificate }))),
        Ok(Err(why)) => Unknown::because(format!(
            "the prover has a proof, but the independent checker does not accept it: {why}; please report this"
        )),
    }
}

/// What has a counterexample, if the second look does not contradict it.
pub(super) fn refuted(found: Counterexample, again: Result<Recheck, Contradiction>) -> Verdict {
    match again {
        Ok(recheck) => Verdict::Refuted(Refuted {
            least: found.least,
            counterexample: Failure::Position(found),
            recheck,
            others: Vec::new(),
            computed: Default::default(),
        }),
        Err(contradiction) => Unknown::because(contradiction.to_string()),
    }
}

pub(super) fn undecided(reason: &Undecided) -> Verdict {
    Verdict::Unknown(Unknown {
        budget: matches!(reason, Undecided::Limit(_)),
        reason: reason.to_string(),
        computed: Default::default(),
    })
}

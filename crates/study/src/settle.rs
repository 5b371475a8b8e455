//! A form put to the prover: proved, and the proof accepted by the independent checker; refuted, and looked at again by the
//! rules alone; or unknown.

use crate::form::{Form, FormError};
use crate::recheck::recheck;
use bouton_logic::{Claim, Counterexample, HeapGame, Numeration, Proof, Verdict, prove, written_name};
use bouton_rules::{Budget, Meter, Play};
use bouton_solve::Game;

/// What was proved, with the certificate that the checker accepted.
#[derive(Debug, Clone)]
pub struct Theorem {
    /// The proof.
    pub proof: Proof,
    /// The certificate as `bouton check` reads it.
    pub certificate: String,
}

/// What became of a form.
#[derive(Debug, Clone)]
pub enum Settled {
    /// It is right for all heap sizes.
    Proved(Box<Theorem>),
    /// It is wrong here; and what a search by the rules alone says of that, where it is within reach.
    Refuted(Counterexample, Option<String>),
    /// Neither was found; why.
    Unknown(String),
}

/// Why a game's moves are not at hand as formulas.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} {why}")]
pub struct StatedError {
    game: String,
    why: String,
}

/// The moves of a game as formulas, and the digits in which its heaps are read.
pub fn stated(game: &dyn Game) -> Result<(HeapGame, Numeration), StatedError> {
    let wrong = |why: String| StatedError { game: game.name(), why };
    let moves = game.heap_game().ok_or_else(|| {
        wrong("is no game on a fixed number of heaps whose moves are stated as a formula".into())
    })?;
    HeapGame::of(&moves).map_err(|error| wrong(format!("is beyond the prover: {error}")))
}

/// The same in misère play, if asked for.
pub fn stated_in(play: Play, game: &dyn Game) -> Result<(HeapGame, Numeration), StatedError> {
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
pub fn as_it_stands(moves: &mut HeapGame) {
    // The first symmetry is the identity.
    moves.boards.iter_mut().for_each(|board| board.symmetries.truncate(1));
}

/// What certificates call the game: rule files are written out.
fn certified_name(game: &dyn Game) -> String {
    let name = game.name();
    let own = bouton_games::is_registered(&name).then(|| written_name(&game.heap_game()?)).flatten();
    own.unwrap_or(name)
}

/// Settles a form of this game's P-positions, its moves being stated so, within the budget: proof and check.
pub fn settle(
    game: &dyn Game,
    moves: &HeapGame,
    numeration: Numeration,
    form: &Form,
    budget: &Budget,
) -> Result<Settled, FormError> {
    Ok(settle_claims(game, moves, numeration, &form.claims(moves)?, budget))
}

/// Settles claims, one for each board.
pub(crate) fn settle_claims(
    game: &dyn Game,
    moves: &HeapGame,
    numeration: Numeration,
    claims: &[Claim],
    budget: &Budget,
) -> Settled {
    match prove(moves, claims, numeration, &mut Meter::new(budget)) {
        Verdict::Proved(proof) => {
            let certificate = proof.certificate(&certified_name(game), moves, claims).to_text();
            match bouton_check::check(&certificate) {
                Ok(_) => Settled::Proved(Box::new(Theorem { proof, certificate })),
                Err(why) => Settled::Unknown(format!(
                    "the prover has a proof, but the independent checker does not accept it: {why}"
                )),
            }
        }
        Verdict::Refuted(found) => {
            let play = if moves.misere { Play::Misere } else { Play::Normal };
            let again = recheck(game, play, &found);
            Settled::Refuted(found, again)
        }
        Verdict::Unknown(reason) => Settled::Unknown(reason.to_string()),
    }
}

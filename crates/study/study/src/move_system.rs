//! A game as the prover takes it: its moves as formulas, what certificates call it, and what a
//! proof may cost.

use crate::single_heaps::single_heap_sequence;
use bouton_core::Play;
use bouton_engine::Game;
use bouton_prover::{MoveSystem, Numeration, written_name};

/// Why a game's moves are not at hand as formulas.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} {why}")]
pub struct StatedError {
    game: String,
    why: String,
}

/// Returns the moves of a game as formulas, and the digits in which its heaps are read.
pub fn stated(game: &dyn Game) -> Result<(MoveSystem, Numeration), StatedError> {
    let wrong = |why: String| StatedError { game: game.name(), why };
    let moves = game.heap_game().ok_or_else(|| wrong(no_formula(game)))?;
    MoveSystem::from_heap_game(&moves)
        .map_err(|error| wrong(format!("is beyond the prover: {error}")))
}

/// Returns why there is no formula of the moves, and which command answers instead.
fn no_formula(game: &dyn Game) -> String {
    let name = game.name();
    if !game.rule_files().is_empty() {
        return "is beyond a proof, which reads rule files of at most 7 heaps whose moves are one \
                formula, without `splits`, `falls` or `heaps = \"any\"`"
            .into();
    }
    let reads = "a proof reads a fixed number of heaps whose moves are a formula";
    if single_heap_sequence(game).is_ok() {
        format!("has any number of heaps, and {reads}; try: bouton period {name}")
    } else if game.single(1).is_some() {
        format!("has any number of heaps, and {reads}; try: {name}(3), of three heaps")
    } else {
        format!("is no game on heaps of this kind: {reads}")
    }
}

/// Returns the same in misère play, if asked for.
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

/// Removes the symmetries, so that claims are taken as they stand.
pub fn as_it_stands(moves: &mut MoveSystem) {
    // The first symmetry is the identity.
    moves.boards.iter_mut().for_each(|board| board.symmetries.truncate(1));
}

/// Returns the game's name in certificates. Rule files are written out, and so are games that the
/// checker does not know by name or that are read in other digits than their own. `None` if the
/// game cannot be read in these digits.
pub(crate) fn certified_name(
    game: &dyn Game,
    stated: Numeration,
    read: Numeration,
) -> Option<String> {
    let name = game.name();
    let written = || written_name(&game.heap_game()?, read);
    let has_own_name = game.rule_files().is_empty() && bouton_check::knows_game(&name);
    match (has_own_name, stated == read) {
        (true, true) => Some(name),
        (true, false) => written(),
        (false, _) => Some(written().unwrap_or(name)),
    }
}

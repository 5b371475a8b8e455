//! Games played in single heaps, by their codes.

use bouton_games::parse;
use bouton_rules::{HeapMoves, NotationError};
use bouton_solve::sequence::{Sequence, TakeBreak};

/// The nim-sequence of a game's single heaps.
pub fn sequence_of(text: &str) -> Result<Sequence, NotationError> {
    let moves = parse(text)?.game.heap_moves().ok_or_else(|| {
        let form = "a code like 0.77 or 4!.0, kayles(K), dawson-kayles, grundy or S(s,…)";
        NotationError::new(text, 0..text.len(), "no code says how single heaps of this game are played", form)
    })?;
    Sequence::of(&moves)
}

/// The code of a game for its misère quotient; and the game's name.
pub fn code_of(text: &str) -> Result<(TakeBreak, String), NotationError> {
    let game = parse(text)?.game;
    let code = match game.heap_moves() {
        Some(HeapMoves::Code(code)) => Some(TakeBreak::parse(&code)?),
        Some(HeapMoves::Take(set)) => TakeBreak::subtraction(&set),
        None => None,
    };
    let code = code.ok_or_else(|| {
        let form = "a code like 0.77, kayles(K), dawson-kayles, grundy or S(s,…) with s up to 256";
        NotationError::new(text, 0..text.len(), "this game has no code", form)
    })?;
    Ok((code, game.name()))
}

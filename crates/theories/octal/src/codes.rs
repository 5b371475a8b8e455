//! Games played in single heaps, by their codes.

use crate::sequence::{Sequence, TakeAndBreakCode};
use bouton_core::{HeapMoves, NotationError};
use bouton_engine::Game;

/// Returns the nim-sequence of a game's single heaps.
pub fn sequence_of(game: &dyn Game) -> Result<Sequence, NotationError> {
    let moves = game.heap_moves().ok_or_else(|| {
        let text = &game.name();
        let form = "a code like 0.77 or 4!.0, kayles(K), dawson-kayles, grundy or S(s,…)";
        let form = match game.single(1) {
            Some(_) => format!("{form}; the values one by one: bouton values {text}"),
            None => form.to_owned(),
        };
        NotationError::new(
            text,
            0..text.len(),
            "no code says how single heaps of this game are played",
            form,
        )
    })?;
    Sequence::from_moves(&moves)
}

/// Returns the code of a game for its misère quotient; that of Nim, too.
pub fn code_of(game: &dyn Game) -> Result<TakeAndBreakCode, NotationError> {
    // Not in the page, which would grow.
    #[cfg(not(target_family = "wasm"))]
    let moves = game.heap_moves().or_else(|| bouton_engine::sum::takes_any(game));
    #[cfg(target_family = "wasm")]
    let moves = game.heap_moves();
    let code = match moves {
        Some(HeapMoves::Code(code)) => Some(TakeAndBreakCode::parse(&code)?),
        Some(HeapMoves::Take(set)) => TakeAndBreakCode::subtraction(&set),
        None => None,
    };
    code.ok_or_else(|| {
        let text = &game.name();
        let form = "a code like 0.77, kayles(K), dawson-kayles, grundy or S(s,…) with s up to 256";
        NotationError::new(text, 0..text.len(), "this game has no code", form)
    })
}

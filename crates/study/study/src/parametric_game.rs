//! Names of games with parameters.

use bouton_core::NotationError;
use bouton_prover::parametric::{ParametricGame, ParametricPositions};

/// What a game with parameters looks like.
const GAMES: &str = "a subtraction game with letters for numbers: S(1,h), S(1,2*h,2*h+1), S(L..M), \
                     NIM(1,L;n;d,e)";

/// Reads `S(1,h,h+1)`, `S(L..M)`, `NIM(1,L;n;d,e)` or `NIM(1,L)` for short: numbers, and
/// expressions in parameters.
///
/// # Errors
///
/// If the text is no such game, or no parameter occurs in it.
pub fn parametric_game(text: &str) -> Result<ParametricGame, NotationError> {
    /// What is before the amounts of the short name.
    const HEAD: &str = "NIM(";
    let text = text.trim();
    let short = text.strip_prefix(HEAD).and_then(|rest| rest.strip_suffix(')'));
    match short.filter(|amounts| !amounts.contains(';')) {
        Some(amounts) => ParametricGame::new(ParametricPositions::StonesAndPurses, amounts, GAMES)
            .map_err(|error| error.in_longer_text(text, HEAD.len())),
        None => ParametricGame::parse(text, GAMES),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn games_are_read_by_their_names() {
        for (text, name, has_purses) in [
            (" S(1, h) ", "S(1,h)", false),
            ("NIM(1,L)", "NIM(1,L;n;d,e)", true),
            ("NIM(1, L;n;d,e)", "NIM(1,L;n;d,e)", true),
        ] {
            let game = parametric_game(text).unwrap();
            assert_eq!((game.name(), game.has_purses()), (name, has_purses));
        }
        for (text, place) in [
            ("S(1,n)", "n"),
            ("S(1,3)", "1,3"),
            ("S(1,h", "S(1,h"),
            ("S(1,h mod 2)", "mod"),
            ("NIM(1,L;a)", "NIM(1,L;a)"),
        ] {
            let error = parametric_game(text).unwrap_err();
            assert_eq!(&error.text[error.at.clone()], place, "{error:?}");
        }
    }
}

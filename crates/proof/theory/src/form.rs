//! A form of the P-positions: a formula for the whole board, and for boards with fewer heaps.

use crate::answer::read_play;
use bouton_core::{Claim, FormulaError, Play};
use bouton_prover::MoveSystem;
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// A form of the P-positions of a game on a fixed number of heaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// What holds of the whole board's: a formula over the heaps a, b, c, …
    #[serde(rename = "form")]
    pub whole: String,
    /// What holds of boards with fewer heaps; of those not listed no position is P, but the empty
    /// one.
    #[serde(default)]
    pub smaller: Vec<SmallerBoard>,
    /// Whether it is meant as it stands, not up to the game's symmetry.
    #[serde(default)]
    pub exactly: bool,
    /// The convention.
    #[serde(default, deserialize_with = "read_play")]
    pub play: Play,
}

/// The P-positions of the boards with some smaller number of heaps, written `3: a=b=c`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SmallerBoard {
    /// The number of heaps.
    pub heaps: usize,
    /// A formula over them.
    pub formula: String,
}

/// A text that is no [`SmallerBoard`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write a smaller number of heaps of this game, a colon, a formula")]
pub struct SmallerBoardError;

impl FromStr for SmallerBoard {
    type Err = SmallerBoardError;

    fn from_str(text: &str) -> Result<SmallerBoard, SmallerBoardError> {
        let (heaps, formula) = text.split_once(':').ok_or(SmallerBoardError)?;
        let heaps = heaps.trim().parse().map_err(|_| SmallerBoardError)?;
        Ok(SmallerBoard { heaps, formula: formula.trim().to_owned() })
    }
}

impl TryFrom<String> for SmallerBoard {
    type Error = SmallerBoardError;

    fn try_from(text: String) -> Result<SmallerBoard, SmallerBoardError> {
        text.parse()
    }
}

impl fmt::Display for SmallerBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.heaps, self.formula)
    }
}

/// Why a form says nothing of a game.
#[derive(Debug, Clone, thiserror::Error)]
pub enum FormError {
    /// A formula that could not be read, and its text.
    #[error("{1}")]
    Formula(String, FormulaError),
    /// A number of heaps that the game has no smaller board with.
    #[error("{0}: {SmallerBoardError}")]
    NoBoard(SmallerBoard),
    /// Two formulas for one number of heaps.
    #[error("two claims for {0} heaps; accepted: one, as '{0}: a=b'")]
    TwoFormulas(usize),
}

impl Form {
    /// Reads a claim file: the formula, lines like `3: a=b=c`, comments from # on.
    pub fn read(text: &str) -> Form {
        let mut form = Form::default();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("").trim();
            if let Ok(board) = line.parse() {
                form.smaller.push(board);
                continue;
            }
            let formula =
                form.smaller.last_mut().map_or(&mut form.whole, |board| &mut board.formula);
            *formula = format!("{formula} {line}").trim().to_owned();
        }
        form
    }

    /// Returns one claim for each board of the game.
    ///
    /// # Errors
    ///
    /// A formula that cannot be read, and a smaller board that the game lacks or that is listed
    /// twice.
    pub fn claims(&self, game: &MoveSystem) -> Result<Vec<Claim>, FormError> {
        let read = |text: &str, heaps: usize| {
            let claim = Claim::parse(text, heaps).and_then(|claim| game.within(claim));
            claim.map_err(|error| FormError::Formula(text.to_owned(), error))
        };
        let last = game.boards.len() - 1;
        let mut claims = Vec::new();
        for (board, rules) in game.boards.iter().enumerate() {
            let text = if board == last {
                &self.whole
            } else if rules.heaps == 0 && !game.misere {
                "true"
            } else {
                "false"
            };
            claims.push(read(text, rules.heaps)?);
        }
        for (number, smaller) in self.smaller.iter().enumerate() {
            let heaps = smaller.heaps;
            if self.smaller[..number].iter().any(|other| other.heaps == heaps) {
                return Err(FormError::TwoFormulas(heaps));
            }
            let board = game.boards[..last].iter().position(|board| board.heaps == heaps);
            let board = board.ok_or_else(|| FormError::NoBoard(smaller.clone()))?;
            claims[board] = read(&smaller.formula, heaps)?;
        }
        Ok(claims)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn smaller_boards_are_read_and_written() {
        let board: SmallerBoard = " 3 :a=b=c ".parse().unwrap();
        assert_eq!((board.heaps, &*board.formula), (3, "a=b=c"));
        assert_eq!(board.to_string().parse(), Ok(board));
        for text in ["", "a = b", "x: a = b", "-1: a", "3"] {
            assert_eq!(text.parse::<SmallerBoard>(), Err(SmallerBoardError), "{text}");
        }
        let form = Form::read("a = c # up to turns\n& b = d\n3: a = b\n & b = c\n1: false");
        assert_eq!(form.whole, "a = c & b = d");
        let lines: Vec<String> = form.smaller.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["3: a = b & b = c", "1: false"]);
    }

    #[test]
    fn no_formula_is_dropped() {
        let game = bouton_games::parse("SCN(4,2)").unwrap().game;
        let (moves, _) = MoveSystem::from_heap_game(&game.heap_game().unwrap()).unwrap();
        let claims = |smaller: &[&str]| {
            let smaller = smaller.iter().map(|text| text.parse().unwrap()).collect();
            Form { whole: "a = c & b = d & a != b".into(), smaller, ..Form::default() }
                .claims(&moves)
        };
        assert!(claims(&["3: a = b & b = c"]).is_ok());
        assert!(matches!(claims(&["3: a = b", "3: b = c"]), Err(FormError::TwoFormulas(3))));
        assert!(
            matches!(claims(&["4: a = b"]), Err(FormError::NoBoard(board)) if board.heaps == 4)
        );
        assert!(matches!(claims(&["3: a = "]), Err(FormError::Formula(..))));
    }
}

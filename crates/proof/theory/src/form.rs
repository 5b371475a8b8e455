//! A form of the P-positions: a formula for the whole board, and for boards with fewer heaps.

use crate::claim::PlayWord;
use bouton_core::{Claim, FormulaError, Play};
use bouton_prover::MoveSystem;
use serde::Deserialize;

/// A form of the P-positions of a game on a fixed number of heaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// What holds of the whole board's: a formula over the heaps a, b, c, …
    #[serde(rename = "form")]
    pub whole: String,
    /// What holds of boards with fewer heaps, as `3: a=b=c`; without a line none of them is P, but
    /// the empty one.
    #[serde(default)]
    pub smaller: Vec<String>,
    /// Whether it is meant as it stands, not up to the game's symmetry.
    #[serde(default)]
    pub exactly: bool,
    /// The convention.
    #[serde(default, with = "PlayWord")]
    pub play: Play,
}

/// Why a form says nothing of a game.
#[derive(Debug, Clone, thiserror::Error)]
pub enum FormError {
    /// A formula that could not be read, and its text.
    #[error("{1}")]
    Formula(String, FormulaError),
    /// A line about fewer heaps that is none.
    #[error("{0}: write a smaller number of heaps of this game, a colon, a formula")]
    Smaller(String),
}

impl Form {
    /// Reads a claim file: the formula, lines like `3: a=b=c`, comments from # on.
    pub fn read(text: &str) -> Form {
        let mut form = Form::default();
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("").trim();
            let begins = line.split_once(':').is_some_and(|(n, _)| n.trim().parse::<usize>().is_ok());
            match form.smaller.last_mut() {
                _ if begins => form.smaller.push(line.to_owned()),
                Some(last) => *last = format!("{last} {line}"),
                None => form.whole = format!("{} {line}", form.whole).trim().to_owned(),
            }
        }
        form
    }

    /// One claim for each board.
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
        for smaller in &self.smaller {
            let place = smaller
                .split_once(':')
                .and_then(|(n, text)| Some((n.trim().parse::<usize>().ok()?, text.trim())));
            let found = place.and_then(|(n, text)| {
                Some((game.boards[..last].iter().position(|b| b.heaps == n)?, n, text))
            });
            let Some((board, heaps, text)) = found else {
                return Err(FormError::Smaller(smaller.clone()));
            };
            claims[board] = read(text, heaps)?;
        }
        Ok(claims)
    }
}

//! A form of the P-positions: a formula for the whole board, and for boards with fewer heaps.

use bouton_logic::{Claim, FormulaError, HeapGame};

/// A form of the P-positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// What holds of the whole board's.
    pub whole: String,
    /// What holds of boards with fewer heaps, as `3: a=b=c`; without a line none of them is P, but the empty one.
    pub smaller: Vec<String>,
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
    /// The form that a claim of the ledger prints.
    pub fn of(claim: &bouton_ledger::Claim) -> Option<Form> {
        let list = claim.more.get("smaller").and_then(|list| list.as_array());
        let smaller =
            list.into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect();
        Some(Form { whole: claim.form.clone()?, smaller })
    }

    /// Reads a claim file: the formula, lines like `3: a=b=c`, comments from # on.
    pub fn read(text: &str) -> Form {
        let mut form = Form { whole: String::new(), smaller: Vec::new() };
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
    pub fn claims(&self, game: &HeapGame) -> Result<Vec<Claim>, FormError> {
        let read = |text: &str, heaps: usize| {
            Claim::parse(text, heaps).map_err(|error| FormError::Formula(text.to_owned(), error))
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

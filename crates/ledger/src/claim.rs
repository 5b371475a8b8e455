//! One published claim.

use crate::pattern::Pattern;
use bouton_logic::Formula;
use serde::Deserialize;

/// A claim as the ledger's files hold it.
#[derive(Debug, Clone, Deserialize)]
pub struct Claim {
    /// Its row in the ledger: `C7`.
    pub id: String,
    /// The game in normal notation, or a pattern whose small letters stand for numbers: `CN(n,k)`.
    pub game: String,
    /// A formula over the pattern's letters that says for which of them the claim is meant.
    pub when: Option<String>,
    /// Where it is printed.
    pub source: String,
    /// The claim in words.
    pub statement: String,
    /// The P-positions as a formula over the heaps a, b, c, …, up to the game's symmetry.
    pub form: Option<String>,
    /// Whatever else the file says, for the engine that verifies this kind of claim.
    #[serde(flatten)]
    pub more: toml::Table,
}

/// A slip in the ledger's own files.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// Not TOML, or not a list of claims.
    #[error("{0}: {1}")]
    File(String, Box<toml::de::Error>),
    /// A condition that is no formula over the pattern's letters.
    #[error("claim {0}: {1}")]
    When(String, String),
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    claim: Vec<Claim>,
}

/// Reads the claims of one file.
pub(crate) fn read(name: &str, text: &str) -> Result<Vec<Claim>, LedgerError> {
    let file: File = toml::from_str(text).map_err(|error| LedgerError::File(name.into(), Box::new(error)))?;
    Ok(file.claim)
}

impl Claim {
    /// Whether the claim is about misère play.
    pub fn is_misere(&self) -> bool {
        self.more.get("play").and_then(toml::Value::as_str) == Some("misere")
    }

    /// Whether the claim is about the game of this name.
    pub fn speaks_of(&self, game: &str) -> Result<bool, LedgerError> {
        let Some(letters) = Pattern::new(&self.game).matches(game) else { return Ok(false) };
        let Some(when) = &self.when else { return Ok(true) };
        let (names, values): (Vec<String>, Vec<u64>) = letters.into_iter().unzip();
        let slip = |error: &dyn std::fmt::Display| LedgerError::When(self.id.clone(), error.to_string());
        let formula = Formula::parse_over(when, &names).map_err(|error| slip(&error))?;
        formula.holds(&values).map_err(|error| slip(&error))
    }
}

//! Theorems on parts of a game as data.

use bouton_certificate::SealedCertificate;
use bouton_theory::form::Form;
use serde::Serialize;

/// A theorem on some of the positions.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartialTheorem {
    /// The heaps that are empty, counted from 0.
    pub empty: Vec<usize>,
    /// A heap, and what it is at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<(usize, u32)>,
    /// How many heaps there are at most, where emptied heaps leave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heaps_at_most: Option<usize>,
    /// What holds of the positions, over the letters of the heaps, if they are those that a move
    /// leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<String>,
    /// The game on these positions, as the certificate calls it.
    pub game: String,
    /// Its P-positions, over the letters of the whole game's heaps.
    pub form: String,
    /// Whether the form is meant up to a symmetry of the game on the others.
    pub up_to_symmetry: bool,
    /// How many classes of P-positions of the last table have an image among these positions.
    pub classes: usize,
    /// How many there are.
    pub of: usize,
    /// The form as a claim about the game on these positions, if it is a formula.
    #[serde(skip)]
    pub claim: Option<Form>,
    /// As `bouton check` reads it.
    #[serde(skip)]
    pub certificate: SealedCertificate,
}

/// Theorems on parts of a game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    /// The theorems: none says what another one says.
    pub theorems: Vec<PartialTheorem>,
    /// How many classes of P-positions of the last table have an image among the positions of one
    /// of them.
    pub classes: usize,
}

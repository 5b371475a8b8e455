//! Why a published claim cannot be read.

use crate::form::FormError;
use bouton_core::{FormulaError, NotationError};
use bouton_prover::AcceptorError;

/// Why a claim cannot be read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ClaimError {
    /// A game, a family of games or a position.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A formula, and its text.
    #[error("{1}")]
    Formula(String, FormulaError),
    /// A formula that has no value at some numbers.
    #[error("a formula has no value: {0}")]
    Undecided(#[from] bouton_core::Unknown),
    /// A claim in the words of a theory, and why these say nothing.
    #[error("{0}")]
    Words(String),
    /// A form of the P-positions.
    #[error(transparent)]
    Form(#[from] FormError),
    /// An automaton.
    #[error(transparent)]
    Automaton(#[from] AcceptorError),
    /// A game that the claim cannot be about.
    #[error("{game} {why}")]
    Game {
        /// The game.
        game: String,
        /// What it lacks.
        why: &'static str,
    },
}

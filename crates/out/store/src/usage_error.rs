//! What a person asked for and is not accepted.

use bouton_core::NotationError;

/// An input that is not accepted: what is wrong with it, and what would be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}{accepted}", if accepted.is_empty() { "" } else { "; accepted: " })]
pub struct UsageError {
    /// What is wrong.
    pub message: String,
    /// The accepted form; empty if none can be named.
    pub accepted: String,
}

impl UsageError {
    /// Returns an error with an accepted form.
    pub fn new(message: impl Into<String>, accepted: impl Into<String>) -> UsageError {
        UsageError { message: message.into(), accepted: accepted.into() }
    }

    /// Returns an error for which no accepted form can be named.
    pub fn plain(message: impl Into<String>) -> UsageError {
        UsageError::new(message, "")
    }

    /// Returns the error with the place of the input in front of its message.
    #[must_use]
    pub fn at(self, place: &str) -> UsageError {
        UsageError { message: format!("{place}: {}", self.message), ..self }
    }
}

impl From<NotationError> for UsageError {
    fn from(error: NotationError) -> UsageError {
        UsageError::new(error.message, error.accepted)
    }
}

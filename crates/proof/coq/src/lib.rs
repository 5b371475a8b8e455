//! Certificates as theorems for Coq: a readable statement, and data from which Coq's kernel
//! computes that the statement is true, by a checker proved sound once (the folder `coq`). Those on
//! Kotzig's Nim are written in numbers for the extracted checker alone.
//!
//! Rust searches and Coq checks. Everything written has passed the same check in Rust, so that it
//! compiles. Whatever cannot be written is named in one sentence ([`ExportError`]). This crate does
//! not know how certificates are found.
//!
//! The method is reflection: Boutin, Using reflection to build efficient and certified decision
//! procedures, TACS 1997.

mod automatic;
mod board;
mod body;
mod case;
mod cash;
mod cover;
mod data;
mod export;
mod file;
mod form;
mod formula;
mod game;
mod kotzig;
mod laps;
mod numbers;
mod orbit;
mod parameters;
mod period;
mod refute;
mod shrinking;
mod stuck;

#[doc(hidden)]
pub use export::{Mutation, export_mutated, translate_mutated};
pub use export::{export, is_exported, translate};

/// The reason why a certificate cannot be exported, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ExportError {
    /// The reason.
    pub reason: String,
}

impl ExportError {
    fn new(reason: impl Into<String>) -> ExportError {
        ExportError { reason: reason.into() }
    }

    /// Returns the reason for a certificate whose lines are not as they should be.
    fn unreadable() -> ExportError {
        ExportError::new("the certificate cannot be read")
    }
}

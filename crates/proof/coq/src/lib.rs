//! Certificates on P-positions and periods, written down for Coq: a theorem whose statement anyone can read, and data from which Coq's
//! kernel computes that it is true, by a checker that is proved sound once (the folder `coq`).
//!
//! Searches are done here; Coq checks. What is written has passed the same check in Rust, so that it compiles; what cannot be written is
//! named in one sentence ([`NotCovered`]).
//!
//! The method is reflection: Boutin, Using reflection to build efficient and certified decision procedures, TACS 1997.

mod board;
mod breaking;
mod certificate;
mod closing;
mod cover;
mod file;
mod form;
mod formula;
mod game;
mod part;
mod refute;
mod theorem;
mod write;

pub use theorem::export;
#[doc(hidden)]
pub use theorem::{Spoiled, spoiled};

/// Why a certificate is not written down for Coq, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotCovered {
    /// What is not covered.
    pub reason: String,
}

impl NotCovered {
    fn new(reason: impl Into<String>) -> NotCovered {
        NotCovered { reason: reason.into() }
    }
}

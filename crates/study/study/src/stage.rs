//! The stages of the pipeline of one game, reported as they are reached.

use crate::board::Round;
use bouton_conjecture::OutcomeTable;

/// A stage that has been reached.
#[derive(Clone, Copy)]
pub enum Stage<'s> {
    /// A table was made, in this many seconds.
    Table(&'s OutcomeTable, f64),
    /// A form of all of it was found.
    Guess(&'s Round),
    /// The form was compared with a larger table.
    Larger(&'s Round),
    /// A proof is sought.
    Proof,
}

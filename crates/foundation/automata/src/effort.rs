//! What proofs and decisions may cost, and why they end without an answer.
//!
//! One meter counts for the whole of a proof. A node is a step of an automaton, or a set of states
//! met; algebra counts for nothing but looks at the clock, and is bounded by the limits on
//! alternatives and images.

use crate::digits::Unreadable;
use crate::normal::NoNormalForm;
use bouton_core::{Budget, LimitReached, Meter};

/// Bytes that no budget goes beyond: lists of states are numbered with 32 bits.
const MAX_BYTES: u64 = 1 << 33;

/// Returns what a proof or a decision may cost where nothing else is said: 2^31 nodes and 2^31
/// bytes.
pub fn default_budget() -> Budget {
    Budget { nodes: Some(1 << 31), bytes: Some(1 << 31), ..Budget::default() }
}

/// Why a claim or a formula was not decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// It has no normal form that the method can use.
    #[error("beyond the method: {0}")]
    Beyond(#[from] NoNormalForm),
    /// The budget is spent.
    #[error(transparent)]
    Limit(#[from] LimitReached),
    /// A comparison cannot be read digit by digit.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// A step of a proof was not found in the form in which the checker verifies it; which.
    #[error("proved, but not written down: {0} was not found as sums and walks")]
    Derivation(String),
    /// A word of arithmetic, which no automaton reads.
    #[error("{0} is beyond the prover: tables only")]
    Word(&'static str),
    /// What automata do not read.
    #[error("automata do not read {0}")]
    Automatic(&'static str),
    /// A witness was found that is no number of 64 bits.
    #[error("the least witness is beyond 64 bits")]
    Wide,
}

/// How many turns of a loop go between two looks.
pub const HELD: usize = 1024;

/// Says what is held.
pub fn check_memory(meter: &Meter, bytes: usize) -> Result<(), LimitReached> {
    let bytes = bytes as u64;
    if bytes > MAX_BYTES { Err(LimitReached::Bytes(MAX_BYTES)) } else { meter.check_bytes(bytes) }
}

/// Looks at the clock now and then: for every turn of a loop that spends nothing else. `turn` is
/// its number.
#[inline]
pub fn poll_in_loop(turn: usize, meter: &mut Meter) -> Result<(), LimitReached> {
    if turn.is_multiple_of(4 * HELD) { meter.poll(0) } else { Ok(()) }
}

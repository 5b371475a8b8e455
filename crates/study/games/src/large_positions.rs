//! What the theorems on large positions share: how numbers are read, and what is said of a
//! position.

use bouton_core::{Nimber, Outcome};
use bouton_engine::Evaluation;

/// Returns the numbers of a position, a list with or without brackets; `None` of others.
pub fn numbers(position: &str) -> Option<Vec<u64>> {
    let list = position.trim_start_matches('[').trim_end_matches(']').split(',');
    list.map(|number| number.trim().parse().ok()).collect()
}

/// Returns the evaluation of a position of which the outcome is known.
pub fn of_outcome(is_lost: bool) -> Evaluation {
    let outcome = if is_lost { Outcome::P } else { Outcome::N };
    Evaluation { outcome: Some(outcome), ..Evaluation::default() }
}

/// Returns the evaluation of a position of this nim-value, which is left out from 2^32 on.
pub fn of_value(value: u64) -> Evaluation {
    Evaluation { nim_value: u32::try_from(value).ok().map(Nimber), ..of_outcome(value == 0) }
}

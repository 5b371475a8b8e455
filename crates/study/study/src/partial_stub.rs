//! What a build without theorems on parts of a game finds of them: nothing.

use crate::partial_theorem::Parts;
use crate::pipeline::Pipeline;
use crate::tables::Tables;
use crate::theorems::{Known, Theorems};
use bouton_core::{Budget, HeapGame, Play};
use bouton_engine::Game;
use bouton_theory::certificates::TheoremError;
use num_bigint::BigUint;

/// Returns whether time is kept for parts of this game.
pub(crate) fn reserves_time(_: &HeapGame, _: Play) -> bool {
    false
}

/// Returns the part of a budget that a line may take.
pub(crate) fn before_parts(_: &HeapGame, budget: &Budget) -> Budget {
    budget.clone()
}

/// Returns the theorems found on parts.
pub(crate) fn partial_theorems(_: &Tables<'_>, _: Option<&dyn Game>, _: &Pipeline) -> Parts {
    Parts::default()
}

/// Returns the theorem about a part of a game that has a position.
#[allow(clippy::unnecessary_wraps, reason = "other builds read files")]
pub(crate) fn theorem_on_part(
    _: &Theorems,
    _: &dyn Game,
    _: &[BigUint],
    _: Play,
) -> Result<Option<(Known, Vec<usize>)>, TheoremError> {
    Ok(None)
}

//! What a build without theorems on families of games answers: nothing.

use crate::answer::Answer;
use bouton_core::{Budget, Play};
use bouton_engine::Game;

/// Returns whether a theorem is asked first.
pub(crate) fn comes_first(_: &dyn Game, _: &str) -> bool {
    false
}

/// Returns what a theorem says of a position.
pub(crate) fn answer(_: &dyn Game, _: &str, _: Play, _: &Budget) -> Option<Answer> {
    None
}

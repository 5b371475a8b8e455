//! What a build without theorems on families of games answers: nothing.

use crate::answer::Answer;
use bouton_certificate::SealedCertificate;
use bouton_core::{Budget, Play};
use bouton_engine::Game;
use bouton_prover::parametric::ParametricClaim;

/// Returns whether a theorem is asked first.
pub(crate) fn comes_first(_: &dyn Game, _: &str) -> bool {
    false
}

/// Returns what a theorem says of a position.
pub(crate) fn answer(_: &dyn Game, _: &str, _: Play, _: &Budget) -> Option<Answer> {
    None
}

/// Returns the published forms of a family.
pub(crate) fn published_forms(
    _: &str,
) -> impl Iterator<Item = (&'static ParametricClaim, &'static str, Option<SealedCertificate>)> {
    std::iter::empty()
}

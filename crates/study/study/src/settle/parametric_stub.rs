//! What a build without theorems on families of games says of claims on them.

use bouton_core::Budget;
use bouton_theory::ClaimError;
use bouton_theory::claim::ParametricSays;
use bouton_theory::verdict::{Unknown, Verdict};

/// Says that this build has no prover of such claims.
#[allow(clippy::unnecessary_wraps, reason = "other builds read the game")]
pub(super) fn settle(_: &str, _: &ParametricSays, _: &Budget) -> Result<Verdict, ClaimError> {
    Ok(Unknown::because(
        "this page has no prover of claims on all games of a family; the program has",
    ))
}

//! Certificates put to the independent checker within a budget.

use bouton_check::{Accepted, DEPTH, Reason, Rejected, check_within};
use bouton_core::{Budget, LimitReached};

/// Returns what the checker says of a certificate; or what ended it, and then nothing is known.
pub fn check_certificate(
    certificate: &str,
    budget: &Budget,
) -> Result<Result<Accepted, Rejected>, LimitReached> {
    match check_within(certificate, DEPTH, &mut || budget.interrupted().is_none()) {
        Err(rejected) if rejected.reason == Reason::Stopped => {
            Err(budget.interrupted().unwrap_or(LimitReached::Cancelled))
        }
        judged => Ok(judged),
    }
}

//! NIM with Cash: a win condition for all n, d and e, proved.

use bouton_games::Cash;
use bouton_rules::NotationError;
use bouton_solve::cash::Condition;
use bouton_solve::{LimitReached, Meter};
use std::time::Instant;

/// A condition looked for and, if found, accepted by the independent checker.
#[derive(Debug)]
pub struct WinCondition {
    /// The condition; none if none was found.
    pub condition: Option<Condition>,
    /// What the checker says of its certificate.
    pub checked: String,
    /// Time it took, in seconds.
    pub seconds: f64,
}

/// Why a condition is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CashError {
    /// The budget ended.
    #[error("no win condition found: {0}")]
    LimitReached(#[from] LimitReached),
    /// A slip of ours.
    #[error("the certificate was {0}; please report this")]
    Rejected(String),
}

/// Reads NIM(A), or a game with cash.
pub fn cash_rules(text: &str) -> Result<Cash, NotationError> {
    match text.trim_end().strip_suffix(')').filter(|head| !head.contains(';')) {
        Some(head) => Cash::parse(&format!("{head};n;d,e)")).map_err(|mut error| {
            error.at = error.at.start.min(text.len())..error.at.end.min(text.len());
            NotationError { text: text.to_owned(), ..error }
        }),
        None => Cash::parse(text),
    }
}

/// Seeks the win condition of a set of takings.
pub fn win_condition(set: &[u64], meter: &mut Meter) -> Result<WinCondition, CashError> {
    let started = Instant::now();
    let condition = Condition::find(set, meter)?;
    let check = |condition: &Condition| {
        let verdict = bouton_check::check(&condition.certificate().to_text());
        verdict.map(|accepted| accepted.work).map_err(|rejected| CashError::Rejected(rejected.to_string()))
    };
    let checked = condition.as_ref().map(check).transpose()?.unwrap_or_default();
    Ok(WinCondition { condition, checked, seconds: started.elapsed().as_secs_f64() })
}

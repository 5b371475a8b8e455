//! The study of NIM with Cash: a win condition for all n, d and e, proved.

use crate::{Cash, Condition, Proof, Thresholds};
use bouton_certificate::SealedCertificate;
use bouton_core::clock::Instant;
use bouton_core::{Budget, LimitReached, Meter, NotationError};
use bouton_theory::checked::check_certificate;
use bouton_theory::verdict::VerdictKind;
use serde::Serialize;

/// The result of the search for a win condition, accepted by the independent checker.
#[derive(Debug)]
pub struct WinCondition {
    /// The condition, if one was found.
    pub condition: Option<Condition>,
    /// The checker's description of the certificate.
    pub checked: String,
    /// The elapsed time, in seconds.
    pub seconds: f64,
}

/// An error of the search for a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CashError {
    /// The budget is exhausted.
    #[error("no win condition found: {0}")]
    LimitReached(#[from] LimitReached),
    /// The checker rejects the certificate.
    #[error("the certificate was {0}; please report this")]
    Rejected(String),
    /// A table from the rules contradicts the condition.
    #[error("condition and table differ at n = {0}, d = {1}; please report this")]
    Differs(u32, usize),
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

/// Searches for the win condition of a set A.
pub fn win_condition(set: &[u64], meter: &mut Meter) -> Result<WinCondition, CashError> {
    let started = Instant::now();
    let condition = Condition::find(set, meter)?;
    let check = |condition: &Condition| {
        let verdict = check_certificate(&condition.certificate().to_text(), meter.budget())?;
        verdict
            .map(|accepted| accepted.work)
            .map_err(|rejected| CashError::Rejected(rejected.to_string()))
    };
    let checked = condition.as_ref().map(check).transpose()?.unwrap_or_default();
    Ok(WinCondition { condition, checked, seconds: started.elapsed().as_secs_f64() })
}

/// The results on NIM with Cash for one set A.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CashStudy {
    /// Proved for all n, d and e, or unknown.
    pub verdict: VerdictKind,
    /// The win condition in words, line by line; empty if none was found.
    pub condition: Vec<String>,
    /// The form of the proof: "window" or "words".
    pub proof: Option<&'static str>,
    /// The count of numbers in the condition.
    pub size: usize,
    /// The checker's description of the certificate.
    pub checked: String,
    /// The number of stones and dollars up to which the condition was compared with a table from
    /// the rules.
    pub compared_to: u32,
    /// The number of thresholds compared, all equal.
    pub compared: u64,
    /// The thresholds of a small table. Row n has for each purse d of the player to move the number
    /// of purses of the other that lose to it.
    pub thresholds: Vec<Vec<u32>>,
    /// The reason why there is no condition.
    pub reason: Option<String>,
    /// The elapsed time, in seconds.
    pub seconds: f64,
    /// The certificate.
    #[serde(skip)]
    pub certificate: Option<SealedCertificate>,
}

/// The default number of stones and dollars up to which a condition is compared.
const DEFAULT_COMPARED: u32 = 200;
/// The greatest number: the table has a purse for each stone and dollar.
const MAX_COMPARED: u32 = 4000;
/// The number of stones and dollars in the stored table.
const TABLE_SIZE: u32 = 30;

/// Searches for the win condition, and compares it with a table of at most `max` stones and
/// dollars.
pub(crate) fn study(
    rules: &Cash,
    max: Option<u32>,
    budget: &Budget,
) -> Result<CashStudy, CashError> {
    let started = Instant::now();
    let most = max.unwrap_or(DEFAULT_COMPARED).min(MAX_COMPARED);
    let (found, reason) = match win_condition(&rules.set, &mut Meter::new(budget)) {
        Ok(found) => (found, None),
        Err(CashError::LimitReached(spent)) => {
            let nothing = WinCondition { condition: None, checked: String::new(), seconds: 0.0 };
            (nothing, Some(spent.to_string()))
        }
        Err(error) => return Err(error),
    };
    let mut small = Thresholds::new(&rules.set, TABLE_SIZE);
    let (compared, compared_to) = match &found.condition {
        Some(condition) => compare(condition, most, budget)?,
        None => (0, 0),
    };
    let none = || {
        "none of the kinds that are sought fits; single positions can still be solved".to_owned()
    };
    Ok(CashStudy {
        verdict: if found.condition.is_some() { VerdictKind::Proved } else { VerdictKind::Unknown },
        reason: reason.or_else(|| found.condition.is_none().then(none)),
        proof: found.condition.as_ref().map(|condition| match condition.proof {
            Proof::Window(_) => "window",
            Proof::Words(_) => "words",
        }),
        size: found.condition.as_ref().map_or(0, Condition::size),
        condition: found.condition.as_ref().map_or(Vec::new(), Condition::explain),
        certificate: found.condition.map(|condition| condition.certificate().seal()),
        checked: found.checked,
        compared_to,
        compared,
        thresholds: (0..=TABLE_SIZE).map(|_| small.next_row().to_vec()).collect(),
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Compares a condition with thresholds from the rules alone, while time remains. Returns the
/// number of thresholds, and the last row that was compared completely.
fn compare(condition: &Condition, most: u32, budget: &Budget) -> Result<(u64, u32), CashError> {
    let mut table = Thresholds::new(condition.set(), most);
    let (mut compared, mut to) = (0, 0);
    for n in 0..=most {
        if budget.interrupted().is_some() {
            break;
        }
        for (d, threshold) in table.next_row().iter().enumerate() {
            let wins = |e: u32| condition.mover_wins(&n.into(), Some(&d.into()), Some(&e.into()));
            let agrees = (*threshold == 0 || wins(threshold - 1))
                && (*threshold > most || !wins(*threshold));
            if !agrees {
                return Err(CashError::Differs(n, d));
            }
            compared += 1;
        }
        to = n;
    }
    Ok((compared, to))
}

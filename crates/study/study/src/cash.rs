//! NIM with Cash: a win condition for all n, d and e, proved.

use crate::checked::checked;
use bouton_cash::{Condition, Proof, Thresholds};
use bouton_core::clock::Instant;
use bouton_core::{Budget, LimitReached, Meter, NotationError};
use bouton_games::Cash;
use serde::Serialize;

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
    /// Another one.
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

/// Seeks the win condition of a set of takings.
pub fn win_condition(set: &[u64], meter: &mut Meter) -> Result<WinCondition, CashError> {
    let started = Instant::now();
    let condition = Condition::find(set, meter)?;
    let check = |condition: &Condition| {
        let verdict = checked(&condition.certificate().to_text(), meter.budget())?;
        verdict.map(|accepted| accepted.work).map_err(|rejected| CashError::Rejected(rejected.to_string()))
    };
    let checked = condition.as_ref().map(check).transpose()?.unwrap_or_default();
    Ok(WinCondition { condition, checked, seconds: started.elapsed().as_secs_f64() })
}

/// What is known of NIM with Cash on one set of takings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CashStudy {
    /// "proved" for all n, d and e, or "unknown".
    pub verdict: &'static str,
    /// The win condition in words, a line each; empty if none was found.
    pub condition: Vec<String>,
    /// What proves it: "window" or "words".
    pub proof: Option<&'static str>,
    /// Numbers that it takes to write the condition down.
    pub size: usize,
    /// What the independent checker says of the certificate.
    pub checked: String,
    /// Stones and dollars up to which it was held against a table made from the rules alone.
    pub compared_to: u32,
    /// Thresholds of that table, all as the condition says.
    pub compared: u64,
    /// The thresholds of a small table: for n stones and d dollars of the mover, how many purses of the other the mover
    /// beats; rows by n.
    pub thresholds: Vec<Vec<u32>>,
    /// Why there is no condition.
    pub reason: Option<String>,
    /// Time it took, in seconds.
    pub seconds: f64,
    /// What `bouton check` reads.
    #[serde(skip)]
    pub certificate: Option<String>,
}

/// Stones and dollars up to which a condition is held against the table, unless told.
const COMPARED: u32 = 200;
/// The most that are: the table holds a purse for each stone and dollar.
const MOST_COMPARED: u32 = 4000;
/// Stones and dollars of the table that is kept.
const SHOWN: u32 = 30;

/// Seeks the win condition, and holds it against a table with at most `max` stones and dollars.
pub(crate) fn study(rules: &Cash, max: Option<u32>, budget: &Budget) -> Result<CashStudy, CashError> {
    let started = Instant::now();
    let most = max.unwrap_or(COMPARED).min(MOST_COMPARED);
    let (found, reason) = match win_condition(&rules.set, &mut Meter::new(budget)) {
        Ok(found) => (found, None),
        Err(CashError::LimitReached(spent)) => {
            let nothing = WinCondition { condition: None, checked: String::new(), seconds: 0.0 };
            (nothing, Some(spent.to_string()))
        }
        Err(error) => return Err(error),
    };
    let mut small = Thresholds::new(&rules.set, SHOWN);
    let (compared, compared_to) = match &found.condition {
        Some(condition) => compare(condition, most, budget)?,
        None => (0, 0),
    };
    let none = || "none of the kinds that are sought fits; single positions can still be solved".to_owned();
    Ok(CashStudy {
        verdict: if found.condition.is_some() { "proved" } else { "unknown" },
        reason: reason.or_else(|| found.condition.is_none().then(none)),
        proof: found.condition.as_ref().map(|condition| match condition.proof {
            Proof::Window(_) => "window",
            Proof::Words(_) => "words",
        }),
        size: found.condition.as_ref().map_or(0, Condition::size),
        condition: found.condition.as_ref().map_or(Vec::new(), Condition::explain),
        certificate: found.condition.map(|condition| condition.certificate().to_text()),
        checked: found.checked,
        compared_to,
        compared,
        thresholds: (0..=SHOWN).map(|_| small.next_row().to_vec()).collect(),
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Holds a condition against thresholds made from the rules alone, while there is time; how many, and the last row of
/// stones that was compared in full.
fn compare(condition: &Condition, most: u32, budget: &Budget) -> Result<(u64, u32), CashError> {
    let mut table = Thresholds::new(condition.set(), most);
    let (mut compared, mut to) = (0, 0);
    for n in 0..=most {
        if budget.interrupted().is_some() {
            break;
        }
        for (d, threshold) in table.next_row().iter().enumerate() {
            let wins = |e: u32| condition.mover_wins(&n.into(), Some(&d.into()), Some(&e.into()));
            let agrees = (*threshold == 0 || wins(threshold - 1)) && (*threshold > most || !wins(*threshold));
            if !agrees {
                return Err(CashError::Differs(n, d));
            }
            compared += 1;
        }
        to = n;
    }
    Ok((compared, to))
}

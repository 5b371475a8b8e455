//! A game with letters for numbers, for all values of them: `S(1,h)`, `S(L..M)`.
//!
//! P-positions for single values, computed from the rules, give forms in the parameters
//! ([`bouton_conjecture::piecewise_form`]); each is proved for all values of its class, and lesser
//! values that the class leaves out are proved apart. Nothing is called proved that the independent
//! checker has not accepted.

use bouton_certificate::SealedCertificate;
use bouton_conjecture::piecewise_form;
use bouton_core::clock::Instant;
use bouton_core::{Budget, Meter, NotationError};
use bouton_prover::parametric::{ParametricClaim, ParametricGame, ParametricVerdict};
use bouton_theory::checked::checked;
use bouton_theory::verdict::VerdictKind;
use serde::Serialize;

/// What is found of a game with parameters, for all their values.
#[derive(Debug, Clone, Serialize)]
pub struct ParametricStudy {
    /// The game.
    pub game: String,
    /// The parameters.
    pub parameters: Vec<String>,
    /// Proved if theorems cover all values looked at; else unknown.
    pub verdict: VerdictKind,
    /// Statements, each for the values that satisfy a condition; none if no form is found.
    pub statements: Vec<ParametricStatement>,
    /// Time that all of it took, in seconds.
    pub seconds: f64,
}

/// A statement for all values that satisfy a condition.
#[derive(Debug, Clone, Serialize)]
pub struct ParametricStatement {
    /// The condition.
    pub condition: String,
    /// The form of the P-positions.
    pub form: String,
    /// Proved, or unknown: it holds of small values and positions.
    pub verdict: VerdictKind,
    /// The proof, accepted by the checker.
    #[serde(skip)]
    pub certificate: Option<SealedCertificate>,
}

/// What became of a claim for all values of its parameters.
#[derive(Debug, Clone)]
pub enum ParametricSettled {
    /// A proof, accepted by the checker.
    Proved(SealedCertificate),
    /// The least parameters and position of which it is wrong.
    Refuted {
        /// Values in the order in which the game names the parameters.
        parameters: Vec<i64>,
        /// Heap, or stones and purses.
        position: Vec<i64>,
        /// Whether the position is P.
        is_p: bool,
    },
    /// Neither; why.
    Unknown(String),
}

/// Proves a claim for all values of its parameters, or finds the least counterexample.
pub fn settle_parametric(claim: &ParametricClaim, budget: &Budget) -> ParametricSettled {
    match claim.prove(&mut Meter::new(budget)) {
        ParametricVerdict::Proved(certificate) => {
            let sealed = certificate.seal();
            match checked(&sealed, budget) {
                Ok(Ok(_)) => ParametricSettled::Proved(sealed),
                Ok(Err(rejected)) => ParametricSettled::Unknown(rejected.to_string()),
                Err(limit) => ParametricSettled::Unknown(limit.to_string()),
            }
        }
        ParametricVerdict::Refuted { parameters, position, is_p } => {
            ParametricSettled::Refuted { parameters, position, is_p }
        }
        ParametricVerdict::Unknown(open) => ParametricSettled::Unknown(open.to_string()),
    }
}

/// The greatest value of one parameter from which forms are read, and the heaps looked at.
const VALUES: i64 = 48;
const HEAPS: usize = 600;
/// The same of the first of two parameters; the second goes as far beyond it.
const PAIRS: i64 = 9;
/// The greatest modulus of the classes of a parameter.
const MOST_CLASSES: i64 = 12;
/// The number of first values of a class that may be exceptions.
const MOST_SKIPPED: usize = 2;

/// Values of the parameters, and which heaps of a period are P in the game for these values; `None`
/// if they are not periodic from 0 on as far as is looked.
type GameTable = (Vec<i64>, Option<Vec<bool>>);

/// Studies a game with one or two parameters and one heap, within a budget.
///
/// # Errors
///
/// If the game has purses, or three parameters or more.
pub fn study_parametric(
    game: &ParametricGame,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<ParametricStudy, NotationError> {
    let started = Instant::now();
    let tables = tables(game)?;
    let mut statements = Vec::new();
    let mut proved = Vec::new();
    for claim in claims(game, &tables, budget) {
        tell(&claim.statement());
        let certificate = match settle_parametric(&claim, budget) {
            ParametricSettled::Proved(certificate) => Some(certificate),
            // No form is stated of which it is known that it is wrong.
            ParametricSettled::Refuted { .. } => continue,
            ParametricSettled::Unknown(_) => None,
        };
        let (condition, form) = (claim.condition().to_owned(), claim.form().to_owned());
        let verdict = if certificate.is_some() { VerdictKind::Proved } else { VerdictKind::Unknown };
        if certificate.is_some() {
            proved.push(claim);
        }
        statements.push(ParametricStatement { condition, form, verdict, certificate });
    }
    // Beyond the tables a class has what it has of as many values as its modulus: all are looked
    // at.
    let beyond = (VALUES + 1..=VALUES + MOST_CLASSES * MOST_CLASSES).map(|value| vec![value]);
    let all = tables.iter().map(|(values, _)| values.clone());
    let all = all.chain(beyond.filter(|_| game.parameters().len() == 1));
    let open = all.into_iter().any(|values| !proved.iter().any(|claim| claim.is_of(&values)));
    Ok(ParametricStudy {
        game: game.name().to_owned(),
        parameters: game.parameters().to_vec(),
        verdict: if open || proved.is_empty() { VerdictKind::Unknown } else { VerdictKind::Proved },
        statements,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Returns a theorem on the games of a class that has these values of the parameters, with its
/// proof, which the checker accepted; `None` if none is found within the budget.
pub(crate) fn parametric_theorem(
    game: &ParametricGame,
    values: &[i64],
    budget: &Budget,
) -> Option<(ParametricClaim, SealedCertificate)> {
    let tables = tables(game).ok()?;
    let own = claims(game, &tables, budget).into_iter().filter(|claim| claim.is_of(values));
    own.into_iter().find_map(|claim| match settle_parametric(&claim, budget) {
        ParametricSettled::Proved(certificate) => Some((claim, certificate)),
        _ => None,
    })
}

/// Returns the games with small values of the parameters, and who wins in them.
fn tables(game: &ParametricGame) -> Result<Vec<GameTable>, NotationError> {
    let refuse = |what: &str| {
        let accepted = "S(…) with one or two letters for numbers, e.g. S(1,h), S(L..M)";
        Err(NotationError::new(game.name(), 0..game.name().len(), what, accepted))
    };
    if game.has_purses() {
        return refuse("forms for all values are sought of one heap without purses");
    }
    let values: Vec<Vec<i64>> = match game.parameters().len() {
        1 => (0..=VALUES).map(|value| vec![value]).collect(),
        2 => {
            (0..=PAIRS).flat_map(|first| (0..=first + PAIRS).map(move |second| vec![first, second])).collect()
        }
        _ => return refuse("forms for all values are sought of two parameters at most"),
    };
    let games = values.into_iter().filter_map(|values| {
        let amounts = game.amounts(&values).filter(|all| !all.is_empty())?;
        Some((values, period_of(&amounts)))
    });
    Ok(games.collect())
}

/// Returns which heaps of the least period are P, if a heap from which these amounts, ascending,
/// are taken is periodic from 0 on as far as is looked.
fn period_of(amounts: &[i64]) -> Option<Vec<bool>> {
    let mut is_p: Vec<bool> = Vec::with_capacity(HEAPS);
    for heap in 0..HEAPS {
        let taken = amounts.iter().filter_map(|amount| heap.checked_sub(*amount as usize));
        let wins = taken.into_iter().any(|left| is_p[left]);
        is_p.push(!wins);
    }
    let period = (1..=HEAPS / 3).find(|period| (*period..HEAPS).all(|n| is_p[n] == is_p[n - period]))?;
    is_p.truncate(period);
    Some(is_p)
}

/// Returns claims on the game for classes of its parameters.
fn claims(game: &ParametricGame, tables: &[GameTable], budget: &Budget) -> Vec<ParametricClaim> {
    let names: Vec<&str> = game.parameters().iter().map(String::as_str).collect();
    match names[..] {
        [name] => claims_of_one(game, name, tables),
        [one, other] => claims_of_two(game, [one, other], tables, &mut Meter::new(budget)),
        _ => Vec::new(),
    }
}

/// The games that are periodic from 0 on.
fn periodic<'t>(tables: impl Iterator<Item = &'t GameTable>) -> Vec<(Vec<i64>, Vec<bool>)> {
    tables.filter_map(|(values, period)| Some((values.clone(), period.clone()?))).collect()
}

/// Returns claims on a game with one parameter: one for each class of values that has a form, and
/// one for each lesser value of such a class.
fn claims_of_one(game: &ParametricGame, name: &str, tables: &[GameTable]) -> Vec<ParametricClaim> {
    let mut best: (usize, Vec<ParametricClaim>) = (0, Vec::new());
    for modulus in 1..=MOST_CLASSES {
        let (mut covered, mut all) = (0, Vec::new());
        for residue in 0..modulus {
            let class: Vec<&GameTable> =
                tables.iter().filter(|(values, _)| values[0] % modulus == residue).collect();
            let found = (0..=MOST_SKIPPED.min(class.len())).find_map(|from| {
                // A class has a form if each of its games has it.
                let own = periodic(class[from..].iter().copied());
                let form = piecewise_form(&[name], &own).filter(|_| own.len() + from == class.len())?;
                let rest = match modulus {
                    1 => String::new(),
                    _ => format!(" & {name} mod {modulus} = {residue}"),
                };
                let condition = format!("{name} >= {}{rest}", own.first()?.0[0]);
                Some((from, ParametricClaim::parse(game, &condition, &form).ok()?))
            });
            let Some((from, claim)) = found else { continue };
            covered += class.len();
            all.push(claim);
            for (values, period) in &class[..from] {
                let Some(form) = period.as_ref().map(|period| single_form(period)) else { continue };
                all.extend(ParametricClaim::parse(game, &format!("{name} = {}", values[0]), &form).ok());
            }
        }
        if covered > best.0 {
            best = (covered, all);
        }
    }
    best.1
}

/// Returns the form of a single game.
fn single_form(period: &[bool]) -> String {
    let residues = (0..period.len()).filter(|residue| period[*residue]);
    residues.map(|residue| format!("a mod {} = {residue}", period.len())).collect::<Vec<_>>().join(" | ")
}

/// Returns a claim on a game with two parameters, for all values from some on, if it has a form.
fn claims_of_two(
    game: &ParametricGame,
    [one, other]: [&str; 2],
    tables: &[GameTable],
    meter: &mut Meter,
) -> Vec<ParametricClaim> {
    for first in 1..=3 {
        for (sign, least) in [(">=", 0), (">", 1)] {
            let own = |(values, _): &&GameTable| values[0] >= first && values[1] >= values[0] + least;
            let games = periodic(tables.iter().filter(own));
            let Some(form) = piecewise_form(&[one, other], &games) else { continue };
            let condition = format!("{one} >= {first} & {other} {sign} {one}");
            let Ok(claim) = ParametricClaim::parse(game, &condition, &form) else { continue };
            if claim.counterexample(PAIRS, HEAPS as i64 / 6, meter) == Ok(None) {
                return vec![claim];
            }
        }
    }
    Vec::new()
}

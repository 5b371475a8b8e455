//! A game with letters for numbers, for all values of them: `S(1,h)`, `S(L..M)`.
//!
//! P-positions for single values, computed from the rules, give forms in the parameter
//! ([`bouton_conjecture::parametric_forms`]); each is proved for all values of its class, and the
//! values that no class has are proved apart. Nothing is called proved that the independent checker
//! has not accepted.

use bouton_certificate::SealedCertificate;
use bouton_conjecture::parametric_forms;
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
const VALUES: i64 = 14;
const HEAPS: usize = 400;
/// The same of the first of two parameters; the second goes as far beyond it.
const PAIRS: i64 = 9;

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
    let refuse = |what: &str| {
        let accepted = "S(…) with one or two letters for numbers, e.g. S(1,h), S(L..M)";
        Err(NotationError::new(game.name(), 0..game.name().len(), what, accepted))
    };
    if game.has_purses() {
        return refuse("forms for all values are sought of one heap without purses");
    }
    let mut meter = Meter::new(budget);
    let values: Vec<Vec<i64>> = match game.parameters().len() {
        1 => (0..=VALUES).map(|value| vec![value]).collect(),
        2 => {
            (0..=PAIRS).flat_map(|first| (0..=first + PAIRS).map(move |second| vec![first, second])).collect()
        }
        _ => return refuse("forms for all values are sought of two parameters at most"),
    };
    // The games among them, with the form of each.
    let forms: Vec<(Vec<i64>, String)> = values
        .into_iter()
        .filter_map(|values| Some((game.amounts(&values).filter(|all| !all.is_empty())?, values)))
        .filter_map(|(amounts, values)| Some((values, periodic_form(&amounts)?)))
        .collect();
    let claims = match game.parameters() {
        [name] => of_one(game, name, &forms),
        names => of_two(game, names, &forms, &mut meter),
    };
    let mut statements = Vec::new();
    let mut covered = vec![false; forms.len()];
    for claim in claims {
        tell(&claim.statement());
        let certificate = match settle_parametric(&claim, budget) {
            ParametricSettled::Proved(certificate) => Some(certificate),
            // No form is stated of which it is known that it is wrong.
            ParametricSettled::Refuted { .. } => continue,
            ParametricSettled::Unknown(_) => None,
        };
        for ((values, _), covered) in forms.iter().zip(&mut covered) {
            *covered |= certificate.is_some() && claim.is_of(values);
        }
        let (condition, form) = (claim.condition().to_owned(), claim.form().to_owned());
        let verdict = if certificate.is_some() { VerdictKind::Proved } else { VerdictKind::Unknown };
        statements.push(ParametricStatement { condition, form, verdict, certificate });
    }
    let proved = !covered.is_empty() && !covered.contains(&false);
    Ok(ParametricStudy {
        game: game.name().to_owned(),
        parameters: game.parameters().to_vec(),
        verdict: if proved { VerdictKind::Proved } else { VerdictKind::Unknown },
        statements,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Returns the P-positions of a heap from which these amounts, ascending, are taken: residues
/// modulo the least period, if they are periodic from 0 on as far as is looked.
fn periodic_form(amounts: &[i64]) -> Option<String> {
    let mut is_p: Vec<bool> = Vec::with_capacity(HEAPS);
    for heap in 0..HEAPS {
        let taken = amounts.iter().filter_map(|amount| heap.checked_sub(*amount as usize));
        let wins = taken.into_iter().any(|left| is_p[left]);
        is_p.push(!wins);
    }
    let period = (1..=HEAPS / 3).find(|period| (*period..HEAPS).all(|n| is_p[n] == is_p[n - period]))?;
    let residues = (0..period).filter(|residue| is_p[*residue]);
    Some(residues.map(|residue| format!("a mod {period} = {residue}")).collect::<Vec<_>>().join(" | "))
}

/// Returns claims on a game with one parameter: one for each class of values, and one for each
/// value that no class has.
fn of_one(game: &ParametricGame, name: &str, forms: &[(Vec<i64>, String)]) -> Vec<ParametricClaim> {
    let texts: Vec<(i64, &str)> = forms.iter().map(|(values, text)| (values[0], text.as_str())).collect();
    let mut left: Vec<(i64, &str)> = texts.clone();
    let mut claims = Vec::new();
    for one in parametric_forms(&texts) {
        let Some(first) = one.values.first() else { continue };
        let class = match one.modulus {
            1 => String::new(),
            modulus => format!(" & {name} mod {modulus} = {}", one.residue),
        };
        let form = one.text(name).replace('/', " div ");
        if let Ok(claim) = ParametricClaim::parse(game, &format!("{name} >= {first}{class}"), &form) {
            left.retain(|(value, _)| !claim.is_of(&[*value]));
            claims.push(claim);
        }
    }
    // Without a class there is nothing to be said of all values.
    if !claims.is_empty() {
        let single = left.iter().map(|(value, text)| (format!("{name} = {value}"), *text));
        claims.extend(single.filter_map(|(value, text)| ParametricClaim::parse(game, &value, text).ok()));
    }
    claims
}

/// Returns a claim on a game with two parameters, if its forms are linear in the second one for
/// each value of the first, and these in the first.
fn of_two(
    game: &ParametricGame,
    names: &[String],
    forms: &[(Vec<i64>, String)],
    meter: &mut Meter,
) -> Vec<ParametricClaim> {
    let [one, other] = names else { return Vec::new() };
    let firsts: std::collections::BTreeSet<i64> = forms.iter().map(|(values, _)| values[0]).collect();
    let mut rows: Vec<(i64, String)> = Vec::new();
    for first in firsts {
        let own = forms.iter().filter(|(values, _)| values[0] == first);
        let own: Vec<(i64, &str)> = own.map(|(values, text)| (values[1], text.as_str())).collect();
        if let [form] = &parametric_forms(&own)[..] {
            rows.push((first, form.text(other)));
        }
    }
    let rows: Vec<(i64, &str)> = rows.iter().map(|(first, text)| (*first, text.as_str())).collect();
    let found = parametric_forms(&rows);
    let [form] = &found[..] else { return Vec::new() };
    let form = form.text(one).replace('/', " div ");
    for first in 1..=3 {
        for condition in [format!("{other} >= {one}"), format!("{other} > {one}")] {
            let condition = format!("{one} >= {first} & {condition}");
            let Ok(claim) = ParametricClaim::parse(game, &condition, &form) else { continue };
            if claim.counterexample(PAIRS, HEAPS as i64 / 4, meter) == Ok(None) {
                return vec![claim];
            }
        }
    }
    Vec::new()
}

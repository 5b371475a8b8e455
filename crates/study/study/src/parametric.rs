//! A game with letters for numbers, for all values of them: `S(1,h)`, `S(L..M)`, `NIM(1,L)`.
//!
//! P-positions for single values, computed from the rules, give forms in the parameters
//! ([`bouton_conjecture::piecewise_form`], [`bouton_conjecture::purse_form`]); each is proved for
//! all values of its class, and lesser values that the class leaves out are proved apart. If no
//! form is found, published forms of the game are tried as claims, and said to be so. Nothing is
//! called proved that the independent checker has not accepted.

use crate::by_parameter::published_forms;
use bouton_certificate::SealedCertificate;
use bouton_conjecture::{
    HeapOutcomes, PurseOutcomes, PurseRows, piecewise_form, purse_form, single_purse_form,
};
use bouton_core::clock::Instant;
use bouton_core::{Budget, Meter, NotationError};
use bouton_prover::parametric::{
    ParametricClaim, ParametricCondition, ParametricGame, ParametricVerdict,
};
use bouton_theory::checked::check_certificate;
use bouton_theory::verdict::VerdictKind;
use serde::Serialize;

/// What is found of a game with parameters, for all their values.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParametricStudy {
    /// The game.
    pub game: String,
    /// The parameters.
    pub parameters: Vec<String>,
    /// The condition on them that the study was asked for.
    pub condition: Option<String>,
    /// Proved if theorems cover all values looked at; else unknown.
    pub verdict: VerdictKind,
    /// Statements, each for the values that satisfy a condition; none if no form is found.
    pub statements: Vec<ParametricStatement>,
    /// Time that all of it took, in seconds.
    pub seconds: f64,
}

/// A statement for all values that satisfy a condition.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParametricStatement {
    /// The condition.
    pub condition: String,
    /// The same as a class of values, if it is one.
    pub class: Option<ValueClass>,
    /// The form of the P-positions.
    pub form: String,
    /// The source whose form was tried as a claim; `None` if the form was found from tables.
    pub claimed: Option<String>,
    /// Proved, or unknown: it holds of small values and positions.
    pub verdict: VerdictKind,
    /// The proof, accepted by the checker.
    #[serde(skip)]
    pub certificate: Option<SealedCertificate>,
}

/// Values of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ValueClass {
    /// One value.
    #[serde(rename = "value")]
    One(i64),
    /// Those from some on that leave a remainder.
    #[serde(untagged)]
    From {
        /// The least of them.
        from: i64,
        /// The divisor.
        modulus: i64,
        /// The remainder.
        residue: i64,
    },
}

impl ValueClass {
    /// Returns the condition that a parameter is of the class.
    fn condition(self, name: &str) -> String {
        match self {
            ValueClass::One(value) => format!("{name} = {value}"),
            ValueClass::From { from, modulus: 1, .. } => format!("{name} >= {from}"),
            ValueClass::From { from, modulus, residue } => {
                format!("{name} >= {from} & {name} mod {modulus} = {residue}")
            }
        }
    }
}

/// The result of a claim for all values of its parameters.
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
            match check_certificate(&sealed, budget) {
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

/// Settles a claim: by a certificate at hand if the checker accepts it, else by a proof or a
/// counterexample of its own.
pub(crate) fn settle_published(
    claim: &ParametricClaim,
    certificate: Option<&SealedCertificate>,
    budget: &Budget,
) -> ParametricSettled {
    match certificate.filter(|known| matches!(check_certificate(known.as_str(), budget), Ok(Ok(_))))
    {
        Some(known) => ParametricSettled::Proved(known.clone()),
        None => settle_parametric(claim, budget),
    }
}

/// The heaps looked at.
const HEAPS: usize = 600;
/// The greatest value of the first of two parameters; the second goes as far beyond it.
const PAIRS: i64 = 9;
/// How many stones are looked at for each that a move may take.
const STONES: usize = 14;
/// The values of a parameter of which is looked whether they have a theorem.
const COVERED: i64 = 192;
/// The number of first values of a class that may be exceptions.
const MAX_SKIPPED: usize = 2;

/// What is read off the table of a game.
trait Pattern: Clone {
    /// The greatest value of one parameter from which forms are read.
    const VALUES: i64;
    /// The greatest modulus of the classes of a parameter.
    const MAX_CLASSES: i64;
    /// The greatest heap, or number of stones, of a first comparison of a form with play.
    const MAX_FIRST_HEAP: i64;

    /// Returns what is read off the game with these amounts, ascending; `None` if it has no period
    /// as far as is looked.
    fn read(amounts: &[i64]) -> Option<Self>;

    /// Returns a form in the parameters that is right of all games.
    fn form(names: &[&str], games: &[(Vec<i64>, Self)]) -> Option<String>;

    /// Returns the form of a single game.
    fn single(&self) -> Option<String>;
}

/// Values of the parameters, and what is read off the game for these values.
type GameTable<P> = (Vec<i64>, Option<P>);

/// A claim, with the class of values that it is for.
type ClassClaim = (Option<ValueClass>, ParametricClaim);

/// Studies a game with one or two parameters, for the values that satisfy a condition, if there is
/// one.
///
/// # Errors
///
/// If the game has three parameters or more.
pub fn study_parametric(
    game: &ParametricGame,
    condition: Option<&ParametricCondition>,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<ParametricStudy, NotationError> {
    if game.has_purses() {
        study_by::<PurseRows>(game, condition, budget, tell)
    } else {
        study_by::<HeapOutcomes>(game, condition, budget, tell)
    }
}

fn study_by<P: Pattern>(
    game: &ParametricGame,
    condition: Option<&ParametricCondition>,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<ParametricStudy, NotationError> {
    let started = Instant::now();
    let wanted = |values: &[i64]| condition.is_none_or(|condition| condition.is_of(values));
    let tables = tables::<P>(game)?;
    let mut statements = Vec::new();
    let mut proved = Vec::new();
    let settled = |(class, claim): &ClassClaim,
                   source: Option<(&str, Option<&SealedCertificate>)>| {
        tell(&claim.statement());
        let known = source.and_then(|(_, certificate)| certificate);
        let certificate = match settle_published(claim, known, budget) {
            ParametricSettled::Proved(certificate) => Some(certificate),
            // No form is stated of which it is known that it is wrong.
            ParametricSettled::Refuted { .. } => return None,
            ParametricSettled::Unknown(_) => None,
        };
        Some(ParametricStatement {
            condition: claim.condition().to_owned(),
            class: *class,
            form: claim.form().to_owned(),
            claimed: source.map(|(source, _)| source.to_owned()),
            verdict: if certificate.is_some() { VerdictKind::Proved } else { VerdictKind::Unknown },
            certificate,
        })
    };
    for claim in claims(game, condition, &tables, budget) {
        let Some(statement) = settled(&claim, None) else { continue };
        if statement.certificate.is_some() {
            proved.push(claim.1);
        }
        statements.push(statement);
    }
    let all = |proved: &[ParametricClaim]| {
        // Beyond the tables a class has what it has of as many values as its modulus: all are
        // looked at.
        let beyond = (P::VALUES + 1..=COVERED).map(|value| vec![value]);
        let inside = tables.iter().map(|(values, _)| values.clone());
        let mut all = inside.chain(beyond.filter(|_| game.parameters().len() == 1));
        !proved.is_empty()
            && all.all(|values| !wanted(&values) || proved.iter().any(|claim| claim.is_of(&values)))
    };
    if !all(&proved) {
        // What no form was found for.
        for (claim, source, certificate) in published_forms(game.name()) {
            let is_open = |values: &[i64]| {
                wanted(values)
                    && claim.is_of(values)
                    && !proved.iter().any(|known| known.is_of(values))
            };
            if !tables.iter().any(|(values, _)| is_open(values)) {
                continue;
            }
            let claim = (None, claim.clone());
            let Some(statement) = settled(&claim, Some((source, certificate.as_ref()))) else {
                continue;
            };
            if statement.certificate.is_some() {
                proved.push(claim.1);
            }
            statements.push(statement);
        }
    }
    Ok(ParametricStudy {
        game: game.name().to_owned(),
        parameters: game.parameters().to_vec(),
        condition: condition.map(|condition| condition.text().to_owned()),
        verdict: if all(&proved) { VerdictKind::Proved } else { VerdictKind::Unknown },
        statements,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Returns a theorem on the games on one heap of a class that has these values of the parameters,
/// with its proof, which the checker accepted; `None` if none is found within the budget.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn parametric_theorem(
    game: &ParametricGame,
    values: &[i64],
    budget: &Budget,
) -> Option<(ParametricClaim, SealedCertificate)> {
    let tables = tables::<HeapOutcomes>(game).ok()?;
    let own = claims(game, None, &tables, budget).into_iter().map(|(_, claim)| claim);
    own.filter(|claim| claim.is_of(values)).find_map(|claim| {
        match settle_parametric(&claim, budget) {
            ParametricSettled::Proved(certificate) => Some((claim, certificate)),
            _ => None,
        }
    })
}

/// Returns what is read off the games with small values of the parameters.
fn tables<P: Pattern>(game: &ParametricGame) -> Result<Vec<GameTable<P>>, NotationError> {
    let values: Vec<Vec<i64>> = match game.parameters().len() {
        1 => (0..=P::VALUES).map(|value| vec![value]).collect(),
        2 => (0..=PAIRS)
            .flat_map(|first| (0..=first + PAIRS).map(move |second| vec![first, second]))
            .collect(),
        _ => {
            let (what, accepted) = (
                "forms for all values are sought of two parameters at most",
                "S(…) or NIM(…) with one or two letters for numbers, e.g. S(1,h), S(L..M), \
                 NIM(1,L)",
            );
            return Err(NotationError::new(game.name(), 0..game.name().len(), what, accepted));
        }
    };
    let games = values.into_iter().filter_map(|values| {
        let amounts = game.amounts(&values).filter(|all| !all.is_empty())?;
        Some((values, P::read(&amounts)))
    });
    Ok(games.collect())
}

/// One heap.
impl Pattern for HeapOutcomes {
    const VALUES: i64 = 48;
    const MAX_CLASSES: i64 = 12;
    const MAX_FIRST_HEAP: i64 = HEAPS as i64 / 6;

    fn read(amounts: &[i64]) -> Option<HeapOutcomes> {
        let mut is_p: Vec<bool> = Vec::with_capacity(HEAPS);
        for heap in 0..HEAPS {
            let taken = amounts.iter().filter_map(|amount| heap.checked_sub(*amount as usize));
            let wins = taken.into_iter().any(|left| is_p[left]);
            is_p.push(!wins);
        }
        HeapOutcomes::from_row(&is_p)
    }

    fn form(names: &[&str], games: &[(Vec<i64>, HeapOutcomes)]) -> Option<String> {
        piecewise_form(names, games)
    }

    fn single(&self) -> Option<String> {
        let (start, length) = (self.preperiod.len(), self.period.len());
        let residues = (0..length).filter(|at| self.period[*at]).map(|at| (start + at) % length);
        let behind: Vec<String> =
            residues.map(|residue| format!("a mod {length} = {residue}")).collect();
        if start == 0 {
            return Some(behind.join(" | "));
        }
        let before = (0..start).filter(|heap| self.preperiod[*heap]);
        let mut all: Vec<String> = before.map(|heap| format!("a = {heap}")).collect();
        if !behind.is_empty() {
            all.push(format!("a >= {start} & ({})", behind.join(" | ")));
        }
        Some(all.join(" | "))
    }
}

/// Stones and purses, if one of the amounts is 1.
impl Pattern for PurseRows {
    const VALUES: i64 = 14;
    const MAX_CLASSES: i64 = 4;
    const MAX_FIRST_HEAP: i64 = 16;

    fn read(amounts: &[i64]) -> Option<PurseRows> {
        let amounts: Vec<usize> = amounts.iter().map(|amount| *amount as usize).collect();
        let most = STONES * (amounts.last()? + 1);
        if amounts[0] != 1 {
            return None;
        }
        PurseOutcomes::compute(&amounts, most).describe()
    }

    fn form(names: &[&str], games: &[(Vec<i64>, PurseRows)]) -> Option<String> {
        purse_form(names, games)
    }

    fn single(&self) -> Option<String> {
        single_purse_form(self)
    }
}

/// Returns claims on the game for classes of its parameters.
fn claims<P: Pattern>(
    game: &ParametricGame,
    condition: Option<&ParametricCondition>,
    tables: &[GameTable<P>],
    budget: &Budget,
) -> Vec<ClassClaim> {
    let names: Vec<&str> = game.parameters().iter().map(String::as_str).collect();
    match names[..] {
        [name] => claims_of_one(game, condition, name, tables),
        [one, other] => {
            let own = claim_of_two(game, condition, [one, other], tables, &mut Meter::new(budget));
            own.map(|claim| (None, claim)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns a form in the parameters that is right of these games; `None` if of one nothing is read.
fn form_of<P: Pattern>(names: &[&str], games: &[&GameTable<P>]) -> Option<String> {
    let games = games.iter().map(|(values, pattern)| Some((values.clone(), pattern.clone()?)));
    P::form(names, &games.collect::<Option<Vec<_>>>()?)
}

/// Returns claims on a game with one parameter: one for each class of values that has a form, and
/// one for each lesser value of such a class; classes without values that satisfy the condition are
/// left out.
fn claims_of_one<P: Pattern>(
    game: &ParametricGame,
    condition: Option<&ParametricCondition>,
    name: &str,
    tables: &[GameTable<P>],
) -> Vec<ClassClaim> {
    let wanted =
        |(values, _): &&GameTable<P>| condition.is_none_or(|condition| condition.is_of(values));
    // Classes within the condition are better than those that the condition cuts.
    let mut best: ((usize, bool), Vec<ClassClaim>) = ((0, false), Vec::new());
    for modulus in 1..=P::MAX_CLASSES {
        let (mut covered, mut whole, mut all) = (0, true, Vec::new());
        for residue in 0..modulus {
            let class: Vec<&GameTable<P>> =
                tables.iter().filter(|(values, _)| values[0] % modulus == residue).collect();
            let class: Vec<&GameTable<P>> =
                class.into_iter().skip_while(|own| !wanted(own)).collect();
            let cut = condition.filter(|_| !class.iter().all(wanted));
            let class: Vec<&GameTable<P>> = class.into_iter().filter(wanted).collect();
            let found = (0..=MAX_SKIPPED.min(class.len())).find_map(|from| {
                // A class has a form if each of its games has it.
                let own = &class[from..];
                let form = form_of(&[name], own)?;
                let own = ValueClass::From { from: own.first()?.0[0], modulus, residue };
                let text = own.condition(name);
                let (class, text) = match cut {
                    None => (Some(own), text),
                    Some(cut) => (None, format!("{text} & ({})", cut.text())),
                };
                Some((from, (class, ParametricClaim::parse(game, &text, &form).ok()?)))
            });
            let Some((from, claim)) = found else { continue };
            covered += class.len();
            whole &= cut.is_none();
            all.push(claim);
            for (values, pattern) in &class[..from] {
                let Some(form) = pattern.as_ref().and_then(P::single) else { continue };
                let own = ValueClass::One(values[0]);
                let claim = ParametricClaim::parse(game, &own.condition(name), &form);
                all.extend(claim.ok().map(|claim| (Some(own), claim)));
            }
        }
        if (covered, whole) > best.0 && covered > 0 {
            best = ((covered, whole), all);
        }
    }
    best.1
}

/// Returns a claim on a game with two parameters, for all values from some on, if it has a form.
fn claim_of_two<P: Pattern>(
    game: &ParametricGame,
    condition: Option<&ParametricCondition>,
    [one, other]: [&str; 2],
    tables: &[GameTable<P>],
    meter: &mut Meter,
) -> Option<ParametricClaim> {
    for first in 1..=3 {
        for (sign, least) in [(">=", 0), (">", 1)] {
            let own = |(values, _): &&GameTable<P>| {
                let is_of = condition.is_none_or(|condition| condition.is_of(values));
                is_of && values[0] >= first && values[1] >= values[0] + least
            };
            let games: Vec<&GameTable<P>> = tables.iter().filter(own).collect();
            let Some(form) = form_of(&[one, other], &games) else { continue };
            let rest = condition.map(|own| format!(" & ({})", own.text())).unwrap_or_default();
            let condition = format!("{one} >= {first} & {other} {sign} {one}{rest}");
            let Ok(claim) = ParametricClaim::parse(game, &condition, &form) else { continue };
            if claim.counterexample(PAIRS, P::MAX_FIRST_HEAP, meter) == Ok(None) {
                return Some(claim);
            }
        }
    }
    None
}

//! The verdict on a claim: [`settle`] for published claims of every kind, [`settle_form`] for any
//! form.

mod automatic;
mod form;
mod heaps;
mod misere;
mod orbit;
mod pairs;
#[cfg(not(target_family = "wasm"))]
mod parametric;
// The prover of theorems on families would be a twentieth of the static site.
#[cfg(target_family = "wasm")]
#[path = "parametric_stub.rs"]
mod parametric;
mod table;

pub use automatic::settle_automaton;
pub(crate) use automatic::settle_automaton_or_refute;
pub(crate) use form::settle_claims;
pub use form::{SettleFormError, settle_form};
pub(crate) use misere::{applies as applies_to_misere, settle_misere};
pub use orbit::settle_orbit;
pub(crate) use pairs::proved_pairs;
pub use pairs::settle_pairs;

use crate::nim_values::{ValuePlace, value_claim, with_value};
use crate::theorems::Theorems;
use bouton_core::{Budget, Formula, Meter};
use bouton_engine::Game;
use bouton_prover::{Acceptor, Decision, Numeration, Undecided, decide};
use bouton_theory::claim::{ClaimStatement, PublishedClaim, Sentence, Values};
use bouton_theory::form::Form;
use bouton_theory::verdict::{CoqTheorem, Failure, Proved, Recheck, Refuted, Unknown, Verdict};
use bouton_theory::{ClaimBound, ClaimError, ClaimRequest, prover_budget};

/// How far to go.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The largest game of a family: the cells of a circle.
    pub to: usize,
    /// What a computation may cost: its nodes are steps of the prover, or positions expanded for
    /// one game.
    pub budget: Budget,
    /// The theorems that claims about families may be compared with; each is checked again before
    /// it counts.
    pub theorems: Theorems,
}

/// Settles a claim for one of its [instances](PublishedClaim::instances). `tell` hears what is
/// being done.
pub fn settle(
    claim: &PublishedClaim,
    game: &str,
    bound: &Bound,
    tell: &dyn Fn(&str),
) -> Result<Verdict, ClaimError> {
    if let Some(limit) = bound.budget.interrupted() {
        return Ok(Unknown::limit_reached(limit));
    }
    tell(&format!("claim {}, {game}", claim.id));
    let computed = computed_verdict(claim, game, bound)?;
    Ok(match (computed, &claim.coq) {
        (Verdict::Holds(computed), Some(theorem)) => {
            Verdict::ProvedCoq(CoqTheorem { theorem: theorem.clone(), computed })
        }
        (verdict, _) => verdict,
    })
}

/// Settles a claim by what the engines find.
fn computed_verdict(
    claim: &PublishedClaim,
    game: &str,
    bound: &Bound,
) -> Result<Verdict, ClaimError> {
    match &claim.says {
        ClaimStatement::PPositions(_)
        | ClaimStatement::Values(_)
        | ClaimStatement::Automaton(_)
        | ClaimStatement::Listed(_) => {
            settle_for(&*bouton_games::parse(game)?.game, &claim.says, &bound.budget)
        }
        ClaimStatement::ContainsAll(set) => heaps::contains_all(game, set, bound),
        ClaimStatement::Contained(set) => heaps::contained(game, set, bound),
        ClaimStatement::Corresponds(correspondence) => {
            heaps::corresponds(game, correspondence, bound)
        }
        ClaimStatement::Witness(witness) => heaps::witness(game, witness, bound),
        ClaimStatement::Parametric(says) => parametric::settle(game, says, &bound.budget),
        ClaimStatement::Sentence(sentence) => decided(sentence, &bound.budget),
        ClaimStatement::Tables(tables) => table::settle(&tables.entries, bound),
        ClaimStatement::Remark(remark) => Ok(Verdict::NotSettled(remark.why.clone())),
        ClaimStatement::Theory(_) => theory_verdict(claim, game, bound),
    }
}

/// Settles a claim by the theory to which it belongs.
fn theory_verdict(
    claim: &PublishedClaim,
    game: &str,
    bound: &Bound,
) -> Result<Verdict, ClaimError> {
    let Bound { to, budget, theorems } = bound;
    let bound = ClaimBound { to: *to, budget, certificates: theorems.certificates() };
    let request = ClaimRequest { claim, game, bound };
    let settled = bouton_games::THEORIES.iter().find_map(|theory| theory.verify_claim(&request));
    settled.unwrap_or_else(|| Ok(Unknown::because("no theory here settles such a claim")))
}

/// Settles what is said of a game on heaps that is at hand, whether or not a catalogue names it:
/// its P-positions, as a form or as an automaton, its nim-values, or a list of either. Nodes of the
/// budget are steps of the automata, or positions.
pub fn settle_for(
    game: &dyn Game,
    says: &ClaimStatement,
    budget: &Budget,
) -> Result<Verdict, ClaimError> {
    let settled = match says {
        ClaimStatement::PPositions(form) => settle_form(game, form, budget),
        ClaimStatement::Values(values) => {
            let (beside, form) = valued(game, values)?;
            settle_form(&*beside, &form, budget)
        }
        ClaimStatement::Automaton(claim) => {
            let lacks = ClaimError::Game {
                game: game.name(),
                why: "is no game on a fixed number of heaps",
            };
            let heaps = game.heap_game().ok_or(lacks)?.heaps;
            let automaton = Acceptor::parse(&claim.automaton, heaps)?;
            settle_automaton(game, claim.play, &automaton, budget).map_err(SettleFormError::Stated)
        }
        ClaimStatement::Listed(listed) => return heaps::listed(game, listed, budget),
        ClaimStatement::Remark(remark) => return Ok(Verdict::NotSettled(remark.why.clone())),
        _ => return Err(ClaimError::Game { game: game.name(), why: "has no claim of this kind" }),
    };
    match settled {
        Ok(verdict) => Ok(verdict),
        Err(SettleFormError::Stated(why)) => Ok(Unknown::because(why.to_string())),
        Err(SettleFormError::Form(error)) => Err(error.into()),
    }
}

/// Holds a form of the P-positions or of the nim-values against tables with ever greater heaps,
/// while there is time: refuted, or how far it holds.
pub fn compare_with_tables(
    game: &dyn Game,
    says: &ClaimStatement,
    budget: &Budget,
) -> Result<Verdict, ClaimError> {
    match says {
        ClaimStatement::PPositions(form) => heaps::compare_with_tables(game, form, budget),
        ClaimStatement::Values(values) => {
            let (beside, form) = valued(game, values)?;
            heaps::compare_with_tables(&*beside, &form, budget)
        }
        _ => settle_for(game, says, budget),
    }
}

/// Returns a form of nim-values as one of the P-positions beside a heap of Nim.
fn valued(game: &dyn Game, claim: &Values) -> Result<(Box<dyn Game>, Form), ClaimError> {
    let lacks = |why| ClaimError::Game { game: game.name(), why };
    let beside = with_value(game).map_err(|_| lacks("is no game on a fixed number of heaps"))?;
    let stated =
        beside.heap_game().ok_or_else(|| lacks("is no game on a fixed number of heaps"))?;
    let whole = value_claim(&claim.values, ValuePlace::in_sum(&stated))
        .map_err(|error| ClaimError::Formula(claim.values.clone(), error))?;
    Ok((beside, Form { whole, ..Form::default() }))
}

/// Decides a sentence of the logic. There is nothing that could look at it again: the decision is
/// the automaton's.
fn decided(claim: &Sentence, budget: &Budget) -> Result<Verdict, ClaimError> {
    let formula = Formula::parse(&claim.sentence)
        .map_err(|error| ClaimError::Formula(claim.sentence.clone(), error))?;
    Ok(match decide(&formula, Numeration::Binary, &mut Meter::new(&prover_budget(budget))) {
        Ok(Decision::True(_)) => Verdict::Proved(Proved::Decided),
        Ok(Decision::False(_)) => Verdict::Refuted(Refuted {
            counterexample: Failure::Words("the sentence is false".into()),
            least: false,
            recheck: Recheck::OutOfReach("a sentence has one decision procedure here".into()),
            others: Vec::new(),
            computed: Default::default(),
        }),
        Ok(Decision::Open(_)) => Unknown::because("the sentence has free variables"),
        Err(reason) => Verdict::Unknown(Unknown {
            budget: matches!(reason, Undecided::Limit(_)),
            reason: reason.to_string(),
            computed: Default::default(),
        }),
    })
}

//! A form put to the prover: proved, and the proof accepted by the independent checker; refuted,
//! and looked at again by the rules alone; or unknown.

use super::automatic::{images, settle_read};
use super::misere;
use super::pairs::settle_pairs;
use crate::move_system::{StatedError, as_it_stands, certified_name, stated_in};
use bouton_certificate::SealedCertificate;
use bouton_core::{Budget, Claim, Meter, Play};
use bouton_engine::Game;
use bouton_prover::{
    Attempt, AutomaticClaim, BY_MEX, Counterexample, CounterexampleChoice, MoveSystem, Numeration,
    Pairs, Undecided, automatic_digits, choose_numeration, prove,
};
use bouton_theory::checked::check_certificate;
use bouton_theory::form::{Form, FormError};
use bouton_theory::prover_budget;
use bouton_theory::recheck::{Contradiction, recheck};
use bouton_theory::verdict::{
    Failure, ProofSize, Proved, Recheck, Refuted, Scope, Size, Statement, Theorem, Unknown, Verdict,
};
use serde_json::Map;

/// What a form of a game's P-positions cannot be settled for.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SettleFormError {
    /// The game's moves are not at hand.
    #[error(transparent)]
    Stated(#[from] StatedError),
    /// The form says nothing of the game.
    #[error(transparent)]
    Form(#[from] FormError),
}

/// Settles a form of this game's P-positions. Nodes of the budget are steps of the automata.
pub fn settle_form(
    game: &dyn Game,
    form: &Form,
    budget: &Budget,
) -> Result<Verdict, SettleFormError> {
    if form.whole.trim_start().starts_with(BY_MEX) {
        return settle_form_by_mex(game, form, budget);
    }
    if let Some(stated) = game.heap_game().filter(|stated| misere::applies(stated, form.play)) {
        if let Some(smaller) = form.smaller.first() {
            return Err(FormError::NoBoard(smaller.clone()).into());
        }
        let claim = Claim::parse(&form.whole, stated.heaps)
            .map_err(|error| FormError::Formula(form.whole.clone(), error))?;
        return Ok(misere::settle_misere(game, &claim, form.exactly, &prover_budget(budget)));
    }
    let (mut moves, numeration) = stated_in(form.play, game)?;
    if form.exactly {
        as_it_stands(&mut moves);
    }
    let claims = form.claims(&moves)?;
    Ok(settle_claims(game, &moves, numeration, &claims, &prover_budget(budget)))
}

/// Settles a form that says of which pairs of sequences the P-positions are.
fn settle_form_by_mex(
    game: &dyn Game,
    form: &Form,
    budget: &Budget,
) -> Result<Verdict, SettleFormError> {
    if let Some(smaller) = form.smaller.first() {
        return Err(FormError::NoBoard(smaller.clone()).into());
    }
    if form.play != Play::Normal {
        return Ok(Unknown::because("pairs by mex are settled in normal play"));
    }
    if form.exactly {
        return Ok(Unknown::because(
            "pairs by mex are meant in both orders, not as they stand: leave --no-symmetry out",
        ));
    }
    let pairs =
        Pairs::parse(&form.whole).map_err(|error| FormError::Formula(form.whole.clone(), error))?;
    Ok(settle_pairs(game, &pairs, budget)?)
}

/// The part of a budget with which normal forms begin where automata are a second way.
const FIRST: u64 = 512;

/// Settles claims, one for each board, read in the digits that they ask for, or else in the game's
/// own.
pub(crate) fn settle_claims(
    game: &dyn Game,
    moves: &MoveSystem,
    numeration: Numeration,
    claims: &[Claim],
    budget: &Budget,
) -> Verdict {
    let read = choose_numeration(moves, claims, numeration);
    let (read, name) = match certified_name(game, numeration, read) {
        Some(name) => (read, name),
        None => (numeration, game.name()),
    };
    let normally = |budget: &Budget| settle_normal(game, moves, read, &name, claims, budget);
    let digits = automatic_digits(moves, claims, read);
    let Some((images, digits)) = images(game, moves, claims).zip(digits) else {
        return normally(budget);
    };
    // Where there is a second way the first one begins with a small part of the budget. With digits
    // of Zeckendorf the second way takes more, and is asked only what is beyond the first.
    let binary = read == Numeration::Binary;
    let zeckendorf = read == Numeration::ZECKENDORF;
    let part = |of: u32| budget.deadline.map(|deadline| deadline.left() / of);
    let within = |part: Option<_>| part.map_or_else(|| budget.clone(), |part| budget.within(part));
    let first = if zeckendorf { budget.clone() } else { within(part(if binary { 5 } else { 20 })) };
    let share = match (binary, zeckendorf) {
        (true, _) => FIRST,
        (_, true) => 1,
        _ => FIRST / 8,
    };
    let first = Budget { nodes: budget.nodes.map(|nodes| nodes / share), ..first };
    let settled = normally(&first);
    let Verdict::Unknown(unknown) = &settled else { return settled };
    if budget.interrupted().is_some() || zeckendorf && unknown.budget {
        return settled;
    }
    let what = AutomaticClaim::Formula { claim: &claims[0], images: &images, digits };
    let second = if binary { budget.clone() } else { within(part(2)) };
    match settle_read(game, moves, numeration, what, CounterexampleChoice::Least, &second) {
        Verdict::Unknown(_) if binary || unknown.budget => normally(budget),
        Verdict::Unknown(_) => settled,
        other => other,
    }
}

/// Settles the form by normal forms.
fn settle_normal(
    game: &dyn Game,
    moves: &MoveSystem,
    read: Numeration,
    name: &str,
    claims: &[Claim],
    budget: &Budget,
) -> Verdict {
    let meter = &mut Meter::new(budget);
    match prove(moves, claims, read, meter) {
        Attempt::Proved(proof) => {
            let certificate = match proof.certificate(name, moves, claims, read, meter) {
                Ok(certificate) => certificate.seal(),
                Err(reason) => return undecided(&reason),
            };
            let size = Size::from_proof(&proof);
            drop(proof);
            let claimed = claims.iter().map(|claim| claim.formula().clone()).collect();
            let proved =
                ProvedSet { play: moves.play(), statement: Statement::Formulas(claimed), size };
            accepted(proved, certificate, budget)
        }
        Attempt::Refuted(found) => {
            let again = recheck(game, moves, claims, &found);
            refuted(found, again)
        }
        Attempt::Unknown(reason) => undecided(&reason),
    }
}

/// The P-positions as they were proved.
pub(super) struct ProvedSet {
    /// The convention.
    pub play: Play,
    /// Which they are.
    pub statement: Statement,
    /// How large the proof is.
    pub size: Size,
}

/// Returns the verdict on what has a proof, if the independent checker accepts the certificate.
pub(super) fn accepted(
    proved: ProvedSet,
    certificate: SealedCertificate,
    budget: &Budget,
) -> Verdict {
    let ProvedSet { play, statement, size } = proved;
    match check_certificate(&certificate, budget) {
        Err(limit) => Unknown::limit_reached(limit),
        Ok(Ok(accepted)) => Verdict::Proved(Proved::Theorem(Box::new(Theorem {
            game: accepted.game,
            play,
            scope: Scope::AllHeapSizes,
            statement,
            text: accepted.claim,
            size: ProofSize::Cases(size),
            work: accepted.work,
            details: Map::new(),
            certificate,
        }))),
        Ok(Err(why)) => Unknown::because(format!(
            "the prover has a proof, but the independent checker does not accept it: {why}; \
             please report this"
        )),
    }
}

/// Returns the verdict on what has a counterexample, if the second look does not contradict it.
pub(super) fn refuted(found: Counterexample, again: Result<Recheck, Contradiction>) -> Verdict {
    match again {
        Ok(recheck) => Verdict::Refuted(Refuted {
            least: found.least,
            counterexample: Failure::Position(found),
            recheck,
            others: Vec::new(),
            computed: Default::default(),
        }),
        Err(contradiction) => Unknown::because(contradiction.to_string()),
    }
}

pub(super) fn undecided(reason: &Undecided) -> Verdict {
    Verdict::Unknown(Unknown {
        budget: matches!(reason, Undecided::Limit(_)),
        reason: reason.to_string(),
        computed: Default::default(),
    })
}

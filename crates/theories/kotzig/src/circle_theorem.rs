//! Kotzig's Nim on circles of every size: theorems read off certificates, sought, and compared with
//! claims.
//!
//! A theorem is made in one way only: the independent checker accepts a certificate, and what it
//! says is then read. So a theorem that comes with the program and one that was found a moment ago
//! are the same thing. Claims are compared with it by deciding, as a sentence of the logic, that
//! both are the same set of numbers. Its automata label positions, and so give winning moves.

use crate::invariant::{self, Automaton, CircleClaim, ClassProof, Label, body};
use crate::recheck::{Recomputed, recheck_outcome};
use crate::revolutions::automata::{self, RevolutionLayer};
use crate::ring::Ring;
use crate::{Circulant, KotzigFamily, MAX_CELLS, Solver, Techniques, revolutions};
use bouton_automata::{Decision, Numeration, decide};
use bouton_certificate::{Certificate, CertificateKind, SealedCertificate};
use bouton_core::{
    Budget, Formula, FormulaBuilder, LimitReached, Meter, Outcome, Play, Relation, Term,
};
use bouton_theory::checked::check_certificate;
use bouton_theory::verdict::{
    Computed, Count, FailedInstance, Failure, ProofSize, Proved, Recheck, Refuted, Scope,
    Statement, Theorem, Unknown, Verdict,
};
use bouton_theory::{CertificateStore, named_fields, prover_budget};
use serde::Serialize;
use std::fmt::Display;

/// Which circles are in P, proved for every size.
#[derive(Debug, Clone)]
pub struct CircleTheorem {
    /// The family, as `Gamma(1,4;n)`.
    pub game: String,
    /// The steps, ascending; negative ones go back.
    pub steps: Vec<i64>,
    /// The convention.
    pub play: Play,
    /// The circles in P, a formula over n.
    pub p_positions: Formula,
    /// The classes of n, by residue, each with an automaton; none in a proof by revolutions.
    pub classes: Vec<CircleClass>,
    /// The revolutions of a proof by revolutions.
    pub laps: Vec<RevolutionLayer>,
    /// How much the checker checked, in words.
    pub work: String,
    /// What exactly is proved, in the checker's words.
    pub theorem: String,
    /// The certificate as `bouton check` reads it.
    pub certificate: SealedCertificate,
    /// The circles in P as the certificate writes it.
    formula: String,
}

/// One class of n of a theorem on circles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "circle_class")]
pub struct CircleClass {
    /// n modulo the number of classes.
    pub residue: usize,
    /// From this many cells on by the automaton; smaller ones by search.
    pub from: usize,
    /// Whether the player to move first loses.
    pub in_p: bool,
    /// States of the automaton.
    pub states: usize,
    /// The automaton on the cells clockwise from the one after the token.
    #[serde(skip)]
    pub automaton: Automaton,
}

/// What a verdict tells of a theorem on circles of every size.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TheoremDetails<'a> {
    /// Which circles are in P, as a formula over n.
    pub p_positions: &'a str,
    /// The classes of n.
    pub classes: &'a [CircleClass],
    /// The revolutions of the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub laps: Option<&'a [RevolutionLayer]>,
    /// What exactly is proved.
    pub theorem: &'a str,
}

impl From<(usize, ClassProof)> for CircleClass {
    fn from((residue, proof): (usize, ClassProof)) -> CircleClass {
        let ClassProof { from, in_p, automaton } = proof;
        CircleClass { residue, from, in_p, states: automaton.size(), automaton }
    }
}

/// Nodes for one circle, and the largest, where a claim is compared with the first circles before a
/// proof is sought.
const TRIED: (u64, usize) = (2_000_000, 60);
/// The least number for which a claim fails is sought up to here, where it is known that there is
/// one.
const MAX_NUMBERS: u64 = 10_000_000;

/// Circles of more cells than this are searched again, which the rules alone would not end; with so
/// many nodes.
const MAX_RECHECKED_CELLS: u64 = 80;
const SEARCHED: u64 = 1_000_000_000;
/// Bytes for revolutions, where no limit was set.
const LAPS_BYTES: u64 = 6_000_000_000;
/// Two steps no longer than this take a minute; so do more of them, if no longer than that, or they
/// are too many soon.
const MAX_SHORT_STEP: i64 = 5;
const FEW_OF_MANY: i64 = 4;

impl CircleTheorem {
    /// Returns the theorem that a certificate proves: the checker's refusal, or an end of the
    /// budget, is an error. Milliseconds for an automaton of thousands of states.
    pub fn from_certificate(
        certificate: &str,
        budget: &Budget,
    ) -> Result<Result<CircleTheorem, String>, LimitReached> {
        let accepted = match check_certificate(certificate, budget)? {
            Ok(accepted) => accepted,
            Err(rejected) => return Ok(Err(rejected.to_string())),
        };
        let read = move || {
            let parsed = Certificate::parse(certificate).ok()?;
            let (classes, laps) = match parsed.kind {
                CertificateKind::Circle => {
                    let classes = body::read(&parsed.body)?.into_iter().enumerate();
                    (classes.map(CircleClass::from).collect(), vec![])
                }
                CertificateKind::Laps => (vec![], automata::read(&parsed.body)?),
                _ => return None,
            };
            let CircleClaim { play, p_positions: formula } = CircleClaim::parse(&parsed.claim)?;
            let family = KotzigFamily::parse(&parsed.game).ok()?;
            Some(CircleTheorem {
                steps: steps(&family)?,
                p_positions: Formula::parse_over(&formula, &["n".to_owned()]).ok()?,
                formula,
                classes,
                laps,
                play,
                game: parsed.game,
                work: accepted.work,
                theorem: accepted.theorem,
                certificate: SealedCertificate::read(certificate)?,
            })
        };
        Ok(read().ok_or_else(|| "it is no theorem on circles of every size".to_owned()))
    }

    /// Returns the theorem on circles with these steps, negative ones going back (or with all
    /// turned round), whose certificate is in the store and is accepted by the checker now:
    /// milliseconds. What is no such certificate counts for nothing.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn from_store(
        store: &CertificateStore,
        steps: &[i64],
        play: Play,
        budget: &Budget,
    ) -> Result<Option<CircleTheorem>, LimitReached> {
        let name = every_circle(steps);
        for certificate in store.about(&name, play) {
            if let Ok(theorem) = CircleTheorem::from_certificate(&certificate, budget)?
                && theorem.game == name
                && theorem.play == play
            {
                return Ok(Some(theorem));
            }
        }
        Ok(None)
    }

    /// Returns which circles are in P, as a formula over n.
    pub fn statement(&self) -> String {
        self.formula.clone()
    }

    /// Returns the certificate's hash.
    pub fn hash(&self) -> &str {
        self.certificate.hash()
    }

    /// Returns the states of all automata.
    pub fn states(&self) -> usize {
        let laps = self.laps.iter().map(|lap| lap.tapes + lap.classes + lap.words);
        self.classes.iter().map(|class| class.states).chain(laps).sum()
    }

    /// Returns how large the proof is.
    pub fn size(&self) -> ProofSize {
        let parts = match self.laps.len() {
            0 => Count { count: self.classes.len(), unit: "class", adds: true },
            laps => Count { count: laps, unit: "lap", adds: false },
        };
        ProofSize::Parts(vec![parts, Count { count: self.states(), unit: "state", adds: true }])
    }

    /// Returns the theorem as verdicts have it; with `laps` that JSON lists revolutions even where
    /// there are none.
    fn into_theorem(self, laps: bool) -> Theorem {
        let details = named_fields(&TheoremDetails {
            p_positions: &self.formula,
            classes: &self.classes,
            laps: (laps || !self.laps.is_empty()).then_some(&self.laps),
            theorem: &self.theorem,
        });
        Theorem {
            size: self.size(),
            game: self.game,
            play: self.play,
            scope: Scope::EveryN,
            statement: Statement::Formulas(vec![self.p_positions]),
            text: self.formula,
            work: self.work,
            details,
            certificate: self.certificate,
        }
    }

    /// Returns what these theorems prove together.
    pub(crate) fn proved(theorems: Vec<CircleTheorem>) -> Proved {
        let several = theorems.len() > 1;
        Proved::from_theorems(
            theorems.into_iter().map(|theorem| theorem.into_theorem(several)).collect(),
        )
    }

    /// Returns who wins from the start of the circle of n cells, n from 1 on.
    pub fn outcome(&self, n: u64) -> Option<Outcome> {
        let p = self.p_positions.holds(&[n]).ok()?;
        Some(if p { Outcome::P } else { Outcome::N })
    }

    /// Returns what the automata say of a position as the proof sees it. `None` where they say
    /// nothing. O(n).
    pub(crate) fn label(&self, ring: &Ring) -> Option<Outcome> {
        if !self.laps.is_empty() {
            let steps: Option<Vec<usize>> =
                self.steps.iter().map(|step| usize::try_from(*step).ok()).collect();
            let wins = automata::mover_wins(&self.laps, &steps?, &ring.marked, ring.token)?;
            return Some(if wins { Outcome::N } else { Outcome::P });
        }
        let word = ring.word();
        let n = word.len() + 1;
        let class = &self.classes[n % self.classes.len()];
        if n < class.from {
            return None;
        }
        let automaton = &class.automaton;
        let end = word.fold(1, |state, marked| automaton.next(state, usize::from(marked)));
        match automaton.label(end) {
            Label::None => None,
            Label::A => Some(Outcome::P),
            Label::B => Some(Outcome::N),
        }
    }

    /// Returns the least n from 1 on for which the claim and the theorem differ; `None` if they are
    /// the same for every n.
    fn differs(&self, claim: &Formula, budget: &Budget) -> Result<Option<u64>, Box<Unknown>> {
        let mut builder = FormulaBuilder::default();
        let n = builder.bind("n");
        let same = builder.embed(claim, &[n]).iff(builder.embed(&self.p_positions, &[n]));
        let meant = Term::Variable(n).compared(Relation::AtLeast, Term::Number(1));
        let sentence = builder.build(meant.implies(same).for_all(vec![n]));
        if is_true(&sentence, budget)? {
            return Ok(None);
        }
        let mut meter = Meter::new(budget);
        for n in 1..=MAX_NUMBERS {
            meter.spend_one().map_err(|limit| unknown(limit.to_string(), true))?;
            let claimed = claim.holds(&[n]).map_err(|why| unknown(why.to_string(), false))?;
            if self.outcome(n).is_some_and(|outcome| outcome.is_p() != claimed) {
                return Ok(Some(n));
            }
        }
        Err(unknown(format!("the claim is false, but not for n up to {MAX_NUMBERS}"), false))
    }

    /// Returns the verdict on a claim about the circles' P-positions, a formula over n.
    pub fn verdict(self, claim: &Formula, budget: &Budget) -> Verdict {
        match self.differs(claim, budget) {
            Ok(None) => Verdict::Proved(CircleTheorem::proved(vec![self])),
            Ok(Some(n)) => self.refutes(n, None, budget),
            Err(unknown) => Verdict::Unknown(*unknown),
        }
    }

    /// Returns the verdict on a claim that this theorem contradicts first at the circle of n cells,
    /// which is looked at again; under another name if the claim is about that.
    pub(crate) fn refutes(&self, n: u64, named: Option<NamedCircle>, budget: &Budget) -> Verdict {
        let Some(found) = self.outcome(n) else {
            return Unknown::because(format!("no outcome of the circle of {n} cells is known"));
        };
        let named = named.unwrap_or_else(|| NamedCircle { steps: self.steps.clone(), cells: n });
        let game = Circulant::from_signed(&named.steps, named.cells);
        let again = game.map_or(Recomputed::OutOfReach, |game| match n <= MAX_RECHECKED_CELLS {
            true => recheck_outcome(&game, found, self.play, budget),
            false => searched(&game, found, self.play, budget),
        });
        let instance = FailedInstance { game: named.name(), size: named.cells, found };
        refuted(instance, again, Some(self.hash()))
    }
}

/// A circle as a claim names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedCircle {
    /// The steps, ascending; negative ones go back.
    pub steps: Vec<i64>,
    /// The cells.
    pub cells: u64,
}

impl NamedCircle {
    fn name(&self) -> String {
        name(&self.steps, self.cells)
    }
}

/// Looks again at the outcome of a circle that is too large for the rules alone, by the search.
fn searched(game: &Circulant, found: Outcome, play: Play, budget: &Budget) -> Recomputed {
    let nodes = budget.nodes.unwrap_or(SEARCHED).min(SEARCHED);
    let mut meter = Meter::new(&Budget { nodes: Some(nodes), ..budget.clone() });
    match Solver::new(play, Techniques::default()).outcome(game, &mut meter) {
        Ok(outcome) if outcome == found => Recomputed::Searched,
        Ok(_) => Recomputed::Contradicted,
        Err(_) => Recomputed::OutOfReach,
    }
}

/// Returns the verdict on a claim that is wrong of this game, which was looked at again.
/// `certificate`: the hash of one that settles the game for sure.
fn refuted(instance: FailedInstance, again: Recomputed, certificate: Option<&str>) -> Verdict {
    let FailedInstance { game, found, .. } = &instance;
    let recheck = match (again, certificate) {
        (Recomputed::Contradicted, _) => {
            return Unknown::because(format!(
                "{game} was found to be {found}, but not by the rules alone; please report this"
            ));
        }
        (Recomputed::OutOfReach, Some(hash)) => Recheck::Confirmed(format!(
            "too large for the rules alone; the checker accepts the certificate {hash}, which \
             settles every n"
        )),
        (Recomputed::Searched, Some(hash)) => Recheck::Confirmed(format!(
            "{}; the checker accepts the certificate {hash}, which settles every n",
            Recomputed::Searched.words()
        )),
        (Recomputed::OutOfReach, None) => {
            Recheck::OutOfReach("too large for the rules alone".into())
        }
        (again, _) => Recheck::Confirmed(again.words().into()),
    };
    Verdict::Refuted(Refuted {
        counterexample: Failure::Instance(instance),
        least: true,
        recheck,
        others: Vec::new(),
        computed: Computed::default(),
    })
}

fn unknown(reason: String, budget: bool) -> Box<Unknown> {
    Box::new(Unknown { reason, budget, computed: Computed::default() })
}

/// Returns whether a closed sentence over numbers is true.
pub(crate) fn is_true(sentence: &Formula, budget: &Budget) -> Result<bool, Box<Unknown>> {
    match decide(sentence, Numeration::Binary, &mut Meter::new(&prover_budget(budget))) {
        Ok(Decision::True(_)) => Ok(true),
        Ok(Decision::False(_)) => Ok(false),
        Ok(Decision::Open(_)) => {
            Err(unknown("the claim is about more than its parameters".into(), false))
        }
        Err(reason) => Err(unknown(reason.to_string(), true)),
    }
}

/// Why a theorem on a family cannot be sought.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoCircles {
    /// Its moves vary, or its circles are not all n.
    #[error(
        "{0}: a theorem for every n is about fixed steps and the circle of n cells, as in \
         Gamma(1,4;n)"
    )]
    Family(String),
}

/// Returns the steps of a family that has all circles with fixed steps; negative ones go back.
pub(crate) fn steps(family: &KotzigFamily) -> Option<Vec<i64>> {
    let whole = family.names() == ["n"] && family.line(&[None]) == Some([1, 0]);
    whole.then(|| family.fixed()).flatten()
}

/// Returns how a certificate names circles of every size with these steps; a circle may be turned
/// over.
pub(crate) fn every_circle(steps: &[i64]) -> String {
    name(&invariant::canonical_steps(steps), "n")
}

/// Returns the name of the game with these steps on this many cells.
pub(crate) fn name(steps: &[i64], cells: impl Display) -> String {
    let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
    format!("Gamma({};{cells})", steps.join(","))
}

/// Seeks and checks a theorem on a family with fixed steps; the reason if there is none. `tell`
/// hears what is being done.
pub fn circles(
    family: &KotzigFamily,
    play: Play,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<Result<CircleTheorem, Box<Unknown>>, NoCircles> {
    let steps = steps(family).ok_or_else(|| NoCircles::Family(family.to_string()))?;
    // Revolutions decide where they are not too many; an invariant may be had where they are, but
    // has to be found.
    let share = Budget { bytes: Some(budget.bytes.unwrap_or(LAPS_BYTES)), ..half(budget) };
    let certificate =
        match revolutions::decide(&invariant::canonical_steps(&steps), play, &share, tell) {
            Ok(found) => found.certificate(),
            Err(LimitReached::Cancelled) => {
                return Ok(Err(unknown(LimitReached::Cancelled.to_string(), true)));
            }
            Err(_) => match invariant::prove(&steps, play, budget, tell) {
                Ok(found) => found.certificate(),
                Err(partial) => {
                    return Ok(Err(unknown(partial.to_string(), partial.limit.is_some())));
                }
            },
        };
    tell("checking");
    Ok(accepted(&certificate.to_text(), budget))
}

/// Returns the theorem of a certificate that was found a moment ago.
fn accepted(certificate: &str, budget: &Budget) -> Result<CircleTheorem, Box<Unknown>> {
    match CircleTheorem::from_certificate(certificate, budget) {
        Ok(Ok(theorem)) => Ok(theorem),
        Ok(Err(why)) => Err(unknown(
            format!("a proof was found, but the checker says: {why}; please report this"),
            false,
        )),
        Err(limit) => Err(unknown(limit.to_string(), true)),
    }
}

fn half(budget: &Budget) -> Budget {
    match budget.deadline {
        Some(deadline) => budget.within(deadline.left() / 2),
        None => budget.clone(),
    }
}

/// Returns the theorem on circles with steps whose revolutions are few and short, within a share of
/// the budget.
pub(crate) fn by_few_revolutions(
    steps: &[i64],
    play: Play,
    budget: &Budget,
) -> Option<CircleTheorem> {
    let most = if steps.len() > 2 { FEW_OF_MANY } else { MAX_SHORT_STEP };
    if steps.last().is_none_or(|furthest| *furthest > most) {
        return None;
    }
    let share = Budget { bytes: Some(budget.bytes.unwrap_or(LAPS_BYTES)), ..half(budget) };
    let found = revolutions::decide(steps, play, &share, &|_| ()).ok()?;
    accepted(&found.certificate().to_text(), budget).ok()
}

/// Returns the verdict on a claim about a family, a formula over n; without one, on what is found.
/// Small circles come first: they refute most wrong claims in no time.
pub fn settle_circles(
    family: &KotzigFamily,
    claim: Option<&Formula>,
    play: Play,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<Verdict, NoCircles> {
    let steps = steps(family).ok_or_else(|| NoCircles::Family(family.to_string()))?;
    if let Some(verdict) = claim.and_then(|claim| fails_early(&steps, claim, play, budget)) {
        return Ok(verdict);
    }
    Ok(match (circles(family, play, budget, tell)?, claim) {
        (Ok(theorem), Some(claim)) => theorem.verdict(claim, budget),
        (Ok(theorem), None) => Verdict::Proved(CircleTheorem::proved(vec![theorem])),
        (Err(unknown), _) => Verdict::Unknown(*unknown),
    })
}

/// Returns the least circle for which a claim is wrong, if it is a small one; by the fast search,
/// and then by the rules alone.
fn fails_early(steps: &[i64], claim: &Formula, play: Play, budget: &Budget) -> Option<Verdict> {
    let mut solver = Solver::new(play, Techniques::default());
    // A quarter of the time.
    let share = match budget.deadline {
        Some(deadline) => budget.within(deadline.left() / 4),
        None => budget.clone(),
    };
    for n in 1..=TRIED.1.min(MAX_CELLS) as u64 {
        let game = Circulant::from_signed(steps, n).ok()?;
        let mut meter = Meter::new(&Budget { nodes: Some(TRIED.0), ..share.clone() });
        let found = solver.outcome(&game, &mut meter).ok()?;
        if claim.holds(&[n]).ok()? != found.is_p() {
            let instance = FailedInstance { game: game.to_string(), size: n, found };
            return Some(refuted(instance, recheck_outcome(&game, found, play, budget), None));
        }
    }
    None
}

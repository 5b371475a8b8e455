//! The study of a family of Kotzig's Nim with one parameter: outcomes in both plays, a conjecture
//! that fits them, a theorem on circles of every size if one is stored or found in time, and the
//! verdicts on published claims about the family.

use crate::circle_theorem::{CircleClass, CircleTheorem, circles, steps};
use crate::claims;
use crate::classification::{Classification, Solved, nim_values, outcomes};
use crate::playout::Playout;
use crate::revolutions::automata::RevolutionLayer;
use crate::{KotzigFamily, MAX_CELLS, Range};
use bouton_certificate::SealedCertificate;
use bouton_core::clock::Instant;
use bouton_core::{Budget, Formula, Outcome, Play};
use bouton_theory::claim::RecordedClaim;
use bouton_theory::verdict::{Unknown, Verdict, VerdictKind};
use bouton_theory::{CertificateStore, ClaimBound, ClaimError, TheoryRequest};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use std::time::Duration;

/// The greatest value of the parameter, and nodes for each game, by default.
const TO: i64 = 60;
const NODES: u64 = 100_000_000;
/// Positions for a nim-value at most.
const VALUE_NODES: u64 = 100_000;
/// How long a theorem is sought in one play, where no end is set.
const THEOREM_TIME: Duration = Duration::from_secs(20);

/// What is known of a family.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "family_study")]
pub struct FamilyStudy {
    /// The family, as `Gamma(1,4;n)`.
    #[serde(skip)]
    pub family: String,
    /// The parameter's name.
    pub parameter: String,
    /// Its values looked at: the least and the greatest.
    pub range: [i64; 2],
    /// In normal play.
    pub normal: Outcomes,
    /// In misère play.
    pub misere: Outcomes,
    /// The nim-values of the first games: parameter and value.
    pub nim_values: Vec<(i64, u32)>,
    /// What is published of the family.
    pub published: Vec<SettledClaim>,
}

/// The outcomes of a family in one play.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "family_outcomes")]
pub struct Outcomes {
    /// Parameter and outcome, none where the budget ended; in JSON P, N or ?.
    #[serde(serialize_with = "letters")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<(i64, String)>"))]
    pub outcomes: Vec<(i64, Option<Outcome>)>,
    /// The parameters whose outcome is unknown.
    pub unknown: Vec<i64>,
    /// Why.
    pub reason: Option<String>,
    /// A classification of the P-positions that fits with enough evidence; it is conjectured.
    pub p_positions: Option<String>,
    /// The greatest parameter that it was fitted to.
    pub fitted_to: Option<i64>,
    /// What is proved of every circle.
    pub theorem: Option<Box<FamilyTheorem>>,
    /// Why nothing is, of a family that a theorem could be about.
    pub not_proved: Option<String>,
    /// Time that the outcomes took, in seconds.
    pub seconds: f64,
}

/// A theorem on circles of every size as a part of a study.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "family_theorem")]
pub struct FamilyTheorem {
    /// The circles in P, a formula over n.
    pub p_positions: String,
    /// The same read.
    #[serde(skip)]
    pub formula: Formula,
    /// What exactly is proved, in the checker's words.
    pub theorem: String,
    /// The classes of n; none in a proof by revolutions.
    pub classes: Vec<CircleClass>,
    /// The revolutions of a proof by revolutions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub laps: Vec<RevolutionLayer>,
    /// How much was checked, in words.
    pub work: String,
    /// The certificate's hash.
    pub hash: String,
    /// Whether it was at hand before, or found in this study.
    pub at_hand: bool,
    /// Time that finding or checking took, in seconds.
    pub seconds: f64,
    /// A game in which the winner moves as the automata say.
    pub walk: Option<Playout>,
    /// The certificate as `bouton check` reads it.
    #[serde(skip)]
    pub certificate: SealedCertificate,
}

/// A published claim, settled.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "published_of_family")]
pub struct SettledClaim {
    /// The id of the claim.
    pub id: String,
    /// What it says in words.
    pub statement: String,
    /// Where it is printed.
    pub source: String,
    /// The verdict in a word or two.
    #[serde(rename = "verdict")]
    pub word: VerdictKind,
    /// Its grounds.
    pub found: String,
    /// What is on record of it.
    pub recorded: Option<RecordedClaim>,
    /// The verdict whole.
    #[serde(skip)]
    pub verdict: Verdict,
}

impl SettledClaim {
    /// Returns what is on record of the claim, where that is another verdict.
    pub(crate) fn otherwise_recorded(&self) -> Option<&RecordedClaim> {
        self.recorded.as_ref().filter(|recorded| recorded.verdict != self.word)
    }
}

/// Studies a family with the parameter from 1 to `request.to`, 60 if it is not given. A deadline is
/// shared: a fifth of the time for each step.
///
/// # Errors
/// A published claim that cannot be read. An exhausted budget is part of the study.
pub(crate) fn study(
    family: &KotzigFamily,
    request: &TheoryRequest<'_>,
) -> Result<FamilyStudy, ClaimError> {
    let TheoryRequest { to, budget, tell, .. } = *request;
    let none = CertificateStore::none();
    let certificates = request.certificates.unwrap_or(&none);
    let parameter = family.names().first().cloned().unwrap_or_default();
    let most = if parameter == "n" { MAX_CELLS as i64 } else { i64::from(u16::MAX) };
    let range = 1..=to.unwrap_or(TO).min(most);
    let nodes = budget.nodes.unwrap_or(NODES);
    // A fifth each for the outcomes in both plays and for a theorem in each, as much for what is
    // published.
    let share = |parts: u32| match budget.deadline {
        Some(deadline) => budget.within(deadline.left() / parts),
        None => budget.clone(),
    };
    let play = |play: Play, parts: u32| {
        tell(&format!("{family}, outcomes in {play} play"));
        Outcomes::compute(
            &parameter,
            family,
            &range,
            play,
            &Budget { nodes: Some(nodes), ..share(parts) },
        )
    };
    let (mut normal, mut misere) = (play(Play::Normal, 5), play(Play::Misere, 4));
    let few = Budget { nodes: Some(VALUE_NODES), ..share(4) };
    let nim_values = nim_values(family, std::slice::from_ref(&range), &few);
    let both = [(Play::Normal, 3, &mut normal), (Play::Misere, 2, &mut misere)];
    for (play, parts, outcomes) in both.into_iter().filter(|_| request.certificates.is_some()) {
        let share = Budget { nodes: None, ..share(parts).within(THEOREM_TIME) };
        outcomes.prove(family, play, certificates, &share, tell);
    }
    let cells = family.at(&[*range.end()]).map_or(*range.end() as usize, |game| game.n());
    let budget = &Budget { nodes: Some(nodes), ..budget.clone() };
    let bound = ClaimBound { to: cells, budget, certificates };
    let mut published = Vec::new();
    for claim in (request.published)(&family.to_string()) {
        let Some(says) = claim.says.theory() else { continue };
        tell(&format!("claim {}, {}", claim.id, claim.game));
        let verdict = match budget.interrupted() {
            Some(limit) => Unknown::limit_reached(limit),
            None => claims::verify(&claim.game, claim.when.as_deref(), says, bound)?,
        };
        published.push(SettledClaim {
            word: verdict.kind(),
            found: verdict.found(),
            id: claim.id,
            statement: claim.statement,
            source: claim.source,
            recorded: claim.recorded,
            verdict,
        });
    }
    Ok(FamilyStudy {
        family: family.to_string(),
        parameter,
        range: [*range.start(), *range.end()],
        normal,
        misere,
        nim_values: nim_values
            .iter()
            .map(|(instance, value)| (instance.values[0], value.0))
            .collect(),
        published,
    })
}

impl Outcomes {
    fn compute(
        name: &str,
        family: &KotzigFamily,
        range: &Range,
        play: Play,
        budget: &Budget,
    ) -> Outcomes {
        let started = Instant::now();
        let solved = outcomes(family, std::slice::from_ref(range), play, budget);
        let fit = fit(name, &solved);
        let unknown = solved.iter().filter(|s| s.outcome.is_err());
        Outcomes {
            outcomes: solved
                .iter()
                .map(|s| (s.instance.values[0], s.outcome.as_ref().ok().copied()))
                .collect(),
            unknown: unknown.map(|s| s.instance.values[0]).collect(),
            reason: solved.iter().find_map(|s| s.outcome.as_ref().err()).map(ToString::to_string),
            p_positions: fit.as_ref().map(ToString::to_string),
            fitted_to: fit.as_ref().map(|fit| *fit.fitted.end()),
            theorem: None,
            not_proved: None,
            seconds: started.elapsed().as_secs_f64(),
        }
    }

    /// Takes the stored theorem or seeks one, if steps are fixed and the length varies.
    fn prove(
        &mut self,
        family: &KotzigFamily,
        play: Play,
        store: &CertificateStore,
        budget: &Budget,
        tell: &dyn Fn(&str),
    ) {
        let Some(steps) = steps(family) else { return };
        let started = Instant::now();
        let at_hand = CircleTheorem::from_store(store, &steps, play, budget);
        let (found, at_hand) = match at_hand {
            Ok(Some(theorem)) => (Ok(theorem), true),
            Err(limit) => (Err(limit.to_string()), true),
            Ok(None) => {
                tell(&format!("{family}, a proof for every n in {play} play"));
                match circles(family, play, budget, tell) {
                    Ok(found) => (found.map_err(|unknown| unknown.reason), false),
                    Err(_) => return,
                }
            }
        };
        match found {
            Ok(theorem) => match self.contradicts(&theorem) {
                None => {
                    let seconds = started.elapsed().as_secs_f64();
                    self.theorem = Some(Box::new(FamilyTheorem::new(theorem, at_hand, seconds)));
                }
                Some(n) => {
                    self.not_proved = Some(format!(
                        "the search of n = {n} contradicts a certificate that the checker \
                         accepts; please report this"
                    ));
                }
            },
            Err(why) => self.not_proved = Some(why),
        }
    }

    /// Returns where a theorem says something else than what was computed.
    fn contradicts(&self, theorem: &CircleTheorem) -> Option<i64> {
        let other = |(n, computed): &&(i64, Option<Outcome>)| {
            let proved = theorem.outcome(n.unsigned_abs());
            proved.is_some() && computed.is_some() && proved != *computed
        };
        self.outcomes.iter().find(other).map(|(n, _)| *n)
    }
}

/// Returns an outcome as tables have it: P, N or ?.
pub(crate) fn letter(outcome: Option<Outcome>) -> char {
    match outcome {
        Some(Outcome::P) => 'P',
        Some(Outcome::N) => 'N',
        None => '?',
    }
}

fn letters<S: Serializer>(outcomes: &[(i64, Option<Outcome>)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(outcomes.iter().map(|(n, outcome)| (n, letter(*outcome))))
}

impl FamilyTheorem {
    fn new(theorem: CircleTheorem, at_hand: bool, seconds: f64) -> FamilyTheorem {
        FamilyTheorem {
            p_positions: theorem.statement(),
            hash: theorem.hash().to_owned(),
            walk: Playout::shown(&theorem),
            formula: theorem.p_positions,
            theorem: theorem.theorem,
            classes: theorem.classes,
            laps: theorem.laps,
            work: theorem.work,
            at_hand,
            seconds,
            certificate: theorem.certificate,
        }
    }
}

/// Returns the classification of the P-positions up to the first unknown.
fn fit(name: &str, solved: &[Solved]) -> Option<Classification> {
    let known = solved.iter().take_while(|s| s.outcome.is_ok()).count();
    let (first, last) = (solved.first()?, solved[..known].last()?);
    let within = first.instance.values[0]..=last.instance.values[0];
    let is_p = |s: &&Solved| s.outcome == Ok(Outcome::P);
    let members: BTreeSet<i64> =
        solved[..known].iter().filter(is_p).map(|s| s.instance.values[0]).collect();
    Classification::fit(name, &members, &within)
}

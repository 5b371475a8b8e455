//! Claims and the verdicts on them, the same in every answer.

use super::{GameName, Hash, OrNull, OutcomeLetter, PlayName, Reason, Seconds};
use bouton_core::{Play, heaps_text};
use bouton_literature::{PublishedGame, Recorded};
use bouton_study::{Failure, Proved, PublishedClaim, Size, Theorem, Verdict, VerdictKind};
use serde::Serialize;
use serde_json::{Map, Value};

/// What a verdict stands on, and the amount of computation.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Grounds<'a> {
    /// The size of a proof.
    #[serde(flatten)]
    pub proof: Option<ProofFields<'a>>,
    /// Several proofs, one for each case of the claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theorems: Option<Vec<TheoremOf<'a>>>,
    /// The hash of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Hash>,
    /// The theorem in Coq.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coq: Option<&'a str>,
    /// A position of which the claim is wrong.
    #[serde(flatten)]
    pub failed: Option<FailedPosition<'a>>,
    /// In words: where the claim fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<String>,
    /// Whether no smaller counterexample was passed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<bool>,
    /// What a second look by the rules alone says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recheck: Option<String>,
    /// Further counterexamples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others: Option<&'a [String]>,
    /// Why it is not settled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Whether a larger budget may settle it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<bool>,
    /// What was computed.
    #[serde(flatten)]
    pub computed: Option<ComputedFields<'a>>,
}

/// The size of a proof, and what its theory tells of it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofFields<'a> {
    /// Cases shown impossible: a move from one claimed position to another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<usize>,
    /// Kinds of positions from which a move into the claim is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<usize>,
    /// Sets of possibilities looked at to see that these are all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<usize>,
    /// What its theory tells of it.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<bouton_kotzig::TheoremDetails<'a>>"))]
    pub details: &'a Map<String, Value>,
}

/// A position of which a claim is wrong.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailedPosition<'a> {
    /// The position.
    pub position: String,
    /// The position as numbers.
    #[cfg_attr(feature = "schema", schemars(with = "super::Numbers"))]
    pub numbers: &'a [u64],
    /// An option that is claimed, too.
    pub option: OrNull<String>,
}

/// What was computed of a claim.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComputedFields<'a> {
    /// What was computed.
    pub computed: &'a str,
    /// How many instances, positions or entries.
    pub instances: u64,
    /// How far: cells of a circle, the greatest heap; null where it is no number.
    pub to: OrNull<u64>,
    /// One line for each part, where there are parts.
    pub entries: &'a [String],
    /// What was left out because it would have cost too much, smallest first.
    pub left: &'a [String],
}

/// A theorem on the circles of every size.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "circle_theorem")]
pub struct TheoremOf<'a> {
    /// The game.
    pub game: &'a str,
    /// The convention.
    pub play: PlayName,
    /// How large the proof is.
    #[serde(flatten)]
    pub proof: ProofFields<'a>,
    /// The hash of the certificate.
    pub hash: Hash,
}

impl<'a> ProofFields<'a> {
    fn new(theorem: &'a Theorem) -> ProofFields<'a> {
        let size = theorem.cases();
        ProofFields {
            cases: size.map(|Size { cases, .. }| cases),
            parts: size.map(|Size { parts, .. }| parts),
            sets: size.map(|Size { sets, .. }| sets),
            details: &theorem.details,
        }
    }
}

impl<'a> Grounds<'a> {
    /// Returns what a verdict stands on.
    pub fn new(verdict: &'a Verdict) -> Grounds<'a> {
        let mut grounds = Grounds::default();
        match verdict {
            Verdict::Proved(Proved::Theorem(theorem)) => {
                grounds.proof = Some(ProofFields::new(theorem));
                grounds.hash = Some(Hash(theorem.hash().to_owned()));
            }
            Verdict::Proved(Proved::Theorems(theorems)) => {
                let one = |theorem: &'a Theorem| TheoremOf {
                    game: &theorem.game,
                    play: theorem.play.into(),
                    proof: ProofFields::new(theorem),
                    hash: Hash(theorem.hash().to_owned()),
                };
                grounds.theorems = Some(theorems.iter().map(one).collect());
                grounds.hash = verdict.certificate().map(Hash);
            }
            Verdict::ProvedCoq(by_coq) => grounds.coq = Some(&by_coq.theorem),
            Verdict::Refuted(refuted) => {
                if let Failure::Position(found) = &refuted.counterexample {
                    grounds.failed = Some(FailedPosition {
                        position: heaps_text(&found.position),
                        numbers: &found.position,
                        option: OrNull(found.option.as_ref().map(|(_, option)| heaps_text(option))),
                    });
                }
                grounds.counterexample = Some(refuted.counterexample.to_string());
                grounds.least = Some(refuted.least);
                grounds.recheck = Some(refuted.recheck.to_string());
                grounds.others = Some(&refuted.others);
            }
            Verdict::Unknown(unknown) => {
                grounds.reason = Some(Reason::new(&unknown.reason));
                grounds.budget = Some(unknown.budget);
            }
            Verdict::NotSettled(why) => grounds.reason = Some(Reason::new(why)),
            Verdict::Proved(_) | Verdict::Holds(_) => {}
        }
        let computed = verdict.computed().filter(|computed| computed.instances > 0);
        grounds.computed = computed.map(|computed| ComputedFields {
            computed: &computed.words,
            instances: computed.instances,
            to: OrNull(computed.to),
            entries: &computed.parts,
            left: &computed.left,
        });
        grounds
    }
}

/// A claim about the P-positions of a game, or about the circles of every size.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "claim")]
pub struct ClaimSettled<'a> {
    /// The game.
    pub game: &'a str,
    /// The convention.
    pub play: PlayName,
    /// The claim.
    pub claim: &'a str,
    /// The time taken.
    pub seconds: Seconds,
    /// The verdict.
    pub verdict: VerdictKind,
    /// Its grounds.
    #[serde(flatten)]
    pub grounds: Grounds<'a>,
    /// The file of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<OrNull<&'a str>>,
}

/// Returns the verdict on a claim about P-positions, as `bouton prove --json`, with the file of the
/// certificate.
pub fn proof_verdict<'a>(
    game: &'a str,
    play: Play,
    claim: &'a str,
    verdict: &'a Verdict,
    seconds: f64,
    certificate: Option<&'a str>,
) -> ClaimSettled<'a> {
    ClaimSettled {
        game,
        play: play.into(),
        claim,
        seconds: Seconds(seconds),
        verdict: verdict.kind(),
        grounds: Grounds::new(verdict),
        certificate: verdict.certificate().map(|_| OrNull(certificate)),
    }
}

/// A claim about a game with parameters.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParametricVerdict<'a> {
    /// The game.
    pub game: &'a str,
    /// The values of the parameters that it is about.
    pub condition: String,
    /// The claim.
    pub claim: String,
    /// The verdict.
    pub verdict: VerdictKind,
    /// Values of the parameters and a position of which it is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<ParametricCounterexample<'a>>,
}

/// Values of parameters and a position of which a claim is wrong.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParametricCounterexample<'a> {
    /// The values of the parameters.
    pub parameters: &'a [i64],
    /// The position.
    pub position: &'a [i64],
    /// Its outcome.
    pub outcome: OutcomeLetter,
}

/// A published claim for a game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimEntry<'a> {
    /// Its id.
    pub id: &'a str,
    /// The game.
    pub game: &'a str,
    /// What is claimed.
    pub statement: &'a str,
    /// Where it is published.
    pub source: &'a str,
    /// The verdict: found now, or the one on record.
    pub verdict: Option<&'static str>,
    /// The verdict on record.
    pub recorded: Option<&'a Recorded>,
    /// What the verdict stands on, where it was found now.
    #[serde(flatten)]
    pub grounds: Option<Grounds<'a>>,
    /// What the verdict stands on, in a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Whether the verdict on record is the same; null if nothing is recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_recorded: Option<OrNull<bool>>,
    /// The time taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Seconds>,
}

/// Returns a claim for one of its games with the recorded verdict, as `bouton claims --json`.
pub fn claim<'a>(
    claim: &'a PublishedClaim,
    game: &'a str,
    record: Option<&'a Recorded>,
) -> ClaimEntry<'a> {
    ClaimEntry {
        id: &claim.id,
        game,
        statement: &claim.statement,
        source: &claim.source,
        verdict: record.map(|record| record.verdict.as_str()),
        recorded: record,
        grounds: None,
        found: None,
        as_recorded: None,
        seconds: None,
    }
}

/// A published game.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LiteratureEntry<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its title.
    pub title: &'a str,
    /// The game as commands read it.
    pub game: &'a str,
    /// The rules.
    pub rules: &'a str,
    /// The formula of a rule file.
    #[serde(rename = "move")]
    pub moves: Option<&'a str>,
    /// Where it is published.
    pub source: &'a str,
    /// What is claimed.
    pub statement: &'a str,
    /// The claim as a formula.
    pub claim: Option<String>,
    /// Why the claim is no formula.
    pub not_expressible: Option<&'a str>,
    /// The convention.
    pub play: PlayName,
    /// The verdict: found now, or the one on record.
    pub verdict: Option<&'static str>,
    /// Its grounds, in a line.
    pub found: Option<String>,
    /// The verdict on record.
    pub recorded: Option<&'a Recorded>,
    /// Whether the verdict on record is the same; null if nothing is recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_recorded: Option<OrNull<bool>>,
    /// The time taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Seconds>,
}

/// Returns a published game with the verdict on its claim, as `bouton games --published --json`.
pub fn published_game<'a>(
    game: &'a PublishedGame,
    record: Option<&'a Recorded>,
) -> LiteratureEntry<'a> {
    LiteratureEntry {
        name: &game.name,
        title: &game.title,
        game: &game.claim.game,
        rules: &game.rules,
        moves: game.file.as_ref().map(|file| file.moves.trim()),
        source: &game.claim.source,
        statement: &game.claim.statement,
        claim: game.formula(),
        not_expressible: game.why_no_formula(),
        play: game.claim.says.play().into(),
        verdict: record.map(|record| record.verdict.as_str()),
        found: record.map(|record| record.found.clone()),
        recorded: record,
        as_recorded: None,
        seconds: None,
    }
}

/// A certificate checked.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "checked")]
pub struct CertificateChecked {
    /// What the independent checker says.
    #[serde(flatten)]
    pub found: CheckFound,
    /// The file, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// What the independent checker says of a certificate.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum CheckFound {
    /// It is a proof.
    Accepted {
        /// Its kind.
        kind: String,
        /// The game.
        game: GameName,
        /// The claim.
        claim: String,
        /// How much was checked.
        work: String,
        /// What exactly is proved.
        theorem: String,
    },
    /// It is none.
    Rejected {
        /// Where it is rejected; 0 if no single line is at fault.
        line: usize,
        /// Why it is rejected.
        reason: Reason,
    },
    /// It was not read to its end.
    Unknown {
        /// Where it was left; 0 if that is no single line.
        line: usize,
        /// Why it is unknown.
        reason: Reason,
    },
}

impl CheckFound {
    /// Returns that a certificate is not accepted, and whether that is for what it says.
    pub fn refused(line: usize, is_verdict: bool, why: impl ToString) -> CheckFound {
        let reason = Reason::new(why);
        if is_verdict {
            CheckFound::Rejected { line, reason }
        } else {
            CheckFound::Unknown { line, reason }
        }
    }
}

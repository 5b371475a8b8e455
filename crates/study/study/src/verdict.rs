//! What became of a claim: one type for every kind of claim and everyone who asks.

use crate::circles::CircleTheorem;
use bouton_certificate::{AUTOMATON_CLAIM, Header, seal};
use bouton_prover::{Counterexample, Proof};
use std::fmt;

/// The verdict on a claim, with what it stands on.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// True: for all sizes, or all that it speaks of was computed.
    Proved(Proved),
    /// True as far as computed.
    Holds(Computed),
    /// False; a counterexample was looked at again by other means, or it is said why not.
    Refuted(Refuted),
    /// Neither was found; why.
    Unknown(Unknown),
    /// No computation settles it; why.
    NotSettled(String),
}

/// What shows that a claim is true.
#[derive(Debug, Clone)]
pub enum Proved {
    /// A proof for all heap sizes, accepted by the independent checker.
    Theorem(Box<Theorem>),
    /// Proofs for circles of every size, accepted by the independent checker: one, or one for each set of steps.
    Circles(Vec<CircleTheorem>),
    /// The decision of a sentence of the logic.
    Decided,
    /// All that the claim speaks of was computed, or has its own proof.
    Computed(Computed),
}

/// What was proved, with the certificate that the checker accepted.
#[derive(Debug, Clone)]
pub struct Theorem {
    /// How large its proof is.
    pub size: Size,
    /// The certificate as `bouton check` reads it.
    pub certificate: String,
}

/// How large a proof is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Cases shown impossible: a move from one claimed position to another.
    pub cases: usize,
    /// Kinds of positions from which a move into the claim is given.
    pub parts: usize,
    /// Sets of possibilities looked at to see that these are all.
    pub sets: usize,
}

impl Size {
    /// That of a proof by normal forms.
    pub fn of(proof: &Proof) -> Size {
        Size { cases: proof.cases, parts: proof.parts.iter().map(Vec::len).sum(), sets: proof.sets() }
    }
}

impl Theorem {
    /// Whether what is proved is an automaton, not a formula.
    pub fn is_of_an_automaton(&self) -> bool {
        Header::parse(&self.certificate).is_some_and(|header| header.claim == AUTOMATON_CLAIM)
    }

    /// The certificate's hash, as its last line has it.
    pub fn hash(&self) -> &str {
        seal(&self.certificate).unwrap_or_default()
    }
}

/// What was computed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Computed {
    /// In words: how many of what, and how far.
    pub words: String,
    /// How many instances, positions or entries.
    pub instances: u64,
    /// How far: cells of a circle, the greatest heap; none where it is no number.
    pub to: Option<u64>,
    /// One line for each part, where there are parts.
    pub parts: Vec<String>,
    /// What was left out because it would have cost too much, smallest first.
    pub left: Vec<String>,
    /// Nodes expanded.
    pub nodes: u64,
}

/// A claim that is false.
#[derive(Debug, Clone)]
pub struct Refuted {
    /// Where it fails, the least instance first computed.
    pub counterexample: Failure,
    /// Whether no smaller one was passed over.
    pub least: bool,
    /// The second look at it.
    pub recheck: Recheck,
    /// Other instances that fail.
    pub others: Vec<String>,
    /// What was computed.
    pub computed: Computed,
}

/// Where a claim fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A position of a heap game.
    Position(Counterexample),
    /// Something else, in words.
    Words(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Position(position) => position.fmt(f),
            Failure::Words(words) => f.write_str(words),
        }
    }
}

/// How a counterexample was looked at again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recheck {
    /// Confirmed, by means that share nothing with the engine; how.
    Confirmed(String),
    /// Not within reach; why.
    OutOfReach(String),
}

impl fmt::Display for Recheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recheck::Confirmed(how) => f.write_str(how),
            Recheck::OutOfReach(why) => write!(f, "not re-checked: {why}"),
        }
    }
}

/// Why there is no verdict.
#[derive(Debug, Clone)]
pub struct Unknown {
    /// The reason.
    pub reason: String,
    /// Whether a larger budget could help.
    pub budget: bool,
    /// What was computed before.
    pub computed: Computed,
}

impl Unknown {
    /// A reason that is not the budget's end.
    pub fn because(reason: impl Into<String>) -> Verdict {
        Verdict::Unknown(Unknown { reason: reason.into(), budget: false, computed: Computed::default() })
    }

    /// The end of a budget.
    pub fn spent(limit: bouton_core::LimitReached) -> Verdict {
        Verdict::Unknown(Unknown { reason: limit.to_string(), budget: true, computed: Computed::default() })
    }
}

impl Verdict {
    /// The verdict in one word or two.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Proved(_) => "proved",
            Verdict::Holds(_) => "holds",
            Verdict::Refuted(_) => "refuted",
            Verdict::Unknown(_) => "unknown",
            Verdict::NotSettled(_) => "not settled",
        }
    }

    /// The certificate's hash, of a theorem; of several, their hashes with blanks between.
    pub fn certificate(&self) -> Option<String> {
        match self {
            Verdict::Proved(Proved::Theorem(theorem)) => Some(theorem.hash().to_owned()),
            Verdict::Proved(Proved::Circles(theorems)) => {
                Some(theorems.iter().map(CircleTheorem::hash).collect::<Vec<_>>().join(" "))
            }
            _ => None,
        }
    }

    /// What it stands on, in a line.
    pub fn found(&self) -> String {
        match self {
            Verdict::Proved(Proved::Theorem(theorem)) => {
                let Size { cases, parts, sets } = theorem.size;
                format!("for all heap sizes: {cases} cases, {parts} parts, {sets} sets; certificate accepted")
            }
            Verdict::Proved(Proved::Circles(theorems)) => {
                let parts: Vec<String> = theorems.iter().map(CircleTheorem::parts).collect();
                let parts = match &parts[..] {
                    _ if theorems.iter().all(|theorem| theorem.laps.is_empty()) => {
                        let all: usize = theorems.iter().map(|theorem| theorem.classes.len()).sum();
                        format!("{all} classes")
                    }
                    parts => parts.join(", "),
                };
                let states: usize = theorems.iter().map(CircleTheorem::states).sum();
                let accepted = match theorems.len() {
                    1 => "certificate accepted".to_owned(),
                    count => format!("{count} certificates accepted"),
                };
                format!("for every n: {parts}, {states} states; {accepted}")
            }
            Verdict::Proved(Proved::Decided) => "decided as a sentence".into(),
            Verdict::Proved(Proved::Computed(computed)) | Verdict::Holds(computed) => computed.words.clone(),
            Verdict::Refuted(refuted) => {
                format!("{}{}", refuted.counterexample, if refuted.least { "; the least" } else { "" })
            }
            Verdict::Unknown(unknown) => unknown.reason.clone(),
            Verdict::NotSettled(why) => why.clone(),
        }
    }

    /// What was computed, but for a theorem or a sentence.
    pub fn computed(&self) -> Option<&Computed> {
        match self {
            Verdict::Proved(Proved::Computed(computed)) | Verdict::Holds(computed) => Some(computed),
            Verdict::Refuted(refuted) => Some(&refuted.computed),
            Verdict::Unknown(unknown) => Some(&unknown.computed),
            Verdict::Proved(_) | Verdict::NotSettled(_) => None,
        }
    }
}

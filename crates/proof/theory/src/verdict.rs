//! The result of a claim: one type for every kind of claim and everyone who asks.

use bouton_certificate::SealedCertificate;
use bouton_core::{Formula, Outcome, Play, number_with_noun};
use bouton_prover::{Acceptor, Counterexample, Orbit, Pairs, Proof};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// The verdict on a claim, with its grounds.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// True: for all sizes, or all that it speaks of was computed.
    Proved(Proved),
    /// True for all values of its parameters, by a theorem of the Coq library.
    ProvedCoq(CoqTheorem),
    /// True as far as computed.
    Holds(Computed),
    /// False; a counterexample was looked at again by other means, or it is said why not.
    Refuted(Refuted),
    /// Neither was found; why.
    Unknown(Unknown),
    /// No computation settles it; why.
    NotSettled(String),
}

/// A verdict without its grounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "verdict")]
pub enum VerdictKind {
    /// True.
    #[serde(rename = "proved")]
    Proved,
    /// True by a theorem of the Coq library.
    #[serde(rename = "proved (Coq)")]
    ProvedCoq,
    /// True as far as computed.
    #[serde(rename = "holds")]
    Holds,
    /// False.
    #[serde(rename = "refuted")]
    Refuted,
    /// Neither was found.
    #[serde(rename = "unknown")]
    Unknown,
    /// No computation settles it.
    #[serde(rename = "not settled")]
    NotSettled,
}

impl VerdictKind {
    /// Every kind.
    pub const ALL: [VerdictKind; 6] = [
        VerdictKind::Proved,
        VerdictKind::ProvedCoq,
        VerdictKind::Holds,
        VerdictKind::Refuted,
        VerdictKind::Unknown,
        VerdictKind::NotSettled,
    ];

    /// Returns the verdict in one word or two.
    pub fn as_str(self) -> &'static str {
        match self {
            VerdictKind::Proved => "proved",
            VerdictKind::ProvedCoq => "proved (Coq)",
            VerdictKind::Holds => "holds",
            VerdictKind::Refuted => "refuted",
            VerdictKind::Unknown => "unknown",
            VerdictKind::NotSettled => "not settled",
        }
    }
}

impl fmt::Display for VerdictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What shows that a claim is true.
#[derive(Debug, Clone)]
pub enum Proved {
    /// A proof, accepted by the independent checker.
    Theorem(Box<Theorem>),
    /// Several proofs, each accepted by the independent checker: one for each case of the claim.
    Theorems(Vec<Theorem>),
    /// The decision of a sentence of the logic.
    Decided,
    /// All that the claim speaks of was computed, or has its own proof.
    Computed(Computed),
}

/// A theorem of the Coq library, which Coq checks and this program does not, with what was computed
/// of the claim here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoqTheorem {
    /// The file of the library and the theorem's name in it, as `Ledger.v N2`.
    pub theorem: String,
    /// The instances computed, none of which is wrong.
    pub computed: Computed,
}

/// What was proved, with the certificate that the checker accepted.
#[derive(Debug, Clone)]
pub struct Theorem {
    /// The game, or the family of games, as the certificate names it.
    pub game: String,
    /// The convention.
    pub play: Play,
    /// Which of its positions or games the theorem speaks of.
    pub scope: Scope,
    /// What is proved.
    pub statement: Statement,
    /// The same as people write it, as the certificate has it.
    pub text: String,
    /// How large the proof is.
    pub size: ProofSize,
    /// How much the checker checked, in words.
    pub work: String,
    /// What only the theory of the game knows of the proof: fields of the verdict's JSON, in order.
    pub details: Map<String, Value>,
    /// The certificate as `bouton check` reads it.
    pub certificate: SealedCertificate,
}

/// What a theorem speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All positions, whatever the sizes of the heaps.
    AllHeapSizes,
    /// The start of every game of a family with one parameter n.
    EveryN,
    /// All positions of every game of a family with parameters that satisfy a condition.
    AllParameters,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scope::AllHeapSizes => "for all heap sizes",
            Scope::EveryN => "for every n",
            Scope::AllParameters => "for all values of the parameters",
        })
    }
}

/// Which positions are P.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// Those of which a formula holds: one for each board, the game's own last.
    Formulas(Vec<Formula>),
    /// Those whose digits an automaton accepts.
    Automaton(Acceptor),
    /// Of one heap 0, and what a step leads to from there, again and again.
    Orbit(Orbit),
    /// Of two heaps the pairs of two sequences, in both orders.
    Pairs(Pairs),
    /// Those of which a form with parameters holds.
    Parametric {
        /// The condition on the parameters.
        condition: String,
        /// The form.
        form: String,
    },
}

/// How large a proof is, as its kind counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofSize {
    /// A proof by cases.
    Cases(Size),
    /// Parts of another kind of proof.
    Parts(Vec<Count>),
}

/// This many parts of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub count: usize,
    /// Of what, in the singular.
    pub unit: &'static str,
    /// Whether those of several proofs are counted together.
    pub adds: bool,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&number_with_noun(self.count, self.unit))
    }
}

impl ProofSize {
    fn counts(&self) -> Vec<Count> {
        match self {
            ProofSize::Parts(counts) => counts.clone(),
            ProofSize::Cases(Size { cases, parts, sets }) => {
                [(*cases, "case"), (*parts, "part"), (*sets, "set")]
                    .into_iter()
                    .map(|(count, unit)| Count { count, unit, adds: true })
                    .collect()
            }
        }
    }

    /// Returns the size of several proofs: what has one unit is added up, the rest is listed.
    fn total<'s>(sizes: impl IntoIterator<Item = &'s ProofSize>) -> String {
        let mut columns: Vec<Vec<Count>> = Vec::new();
        for size in sizes {
            for (column, count) in size.counts().into_iter().enumerate() {
                if columns.len() == column {
                    columns.push(Vec::new());
                }
                columns[column].push(count);
            }
        }
        let told = columns.into_iter().flat_map(|column| {
            let first = column[0];
            if column.iter().all(|count| count.adds && count.unit == first.unit) {
                let count = column.iter().map(|count| count.count).sum();
                return vec![Count { count, ..first }];
            }
            column
        });
        told.map(|count| count.to_string()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for ProofSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ProofSize::total([self]))
    }
}

/// How large a proof by cases is.
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
    /// Returns the size of a proof by normal forms.
    pub fn from_proof(proof: &Proof) -> Size {
        Size {
            cases: proof.cases,
            parts: proof.parts.iter().map(Vec::len).sum(),
            sets: proof.sets(),
        }
    }
}

impl Theorem {
    /// Returns whether what is proved is an automaton, not a formula.
    pub fn is_of_an_automaton(&self) -> bool {
        matches!(self.statement, Statement::Automaton(_))
    }

    /// Returns the certificate's hash.
    pub fn hash(&self) -> &str {
        self.certificate.hash()
    }

    /// Returns the size of a proof by cases.
    pub fn cases(&self) -> Option<Size> {
        match self.size {
            ProofSize::Cases(size) => Some(size),
            ProofSize::Parts(_) => None,
        }
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
    /// A game of a family.
    Instance(FailedInstance),
    /// Something else, in words.
    Words(String),
}

/// A game of a family for which a claim is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedInstance {
    /// The game.
    pub game: String,
    /// Its size: the cells of a circle.
    pub size: u64,
    /// What its start is; the claim says the other.
    pub found: Outcome,
}

impl fmt::Display for FailedInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claimed = if self.found.is_p() { Outcome::N } else { Outcome::P };
        write!(f, "{} is {}, claimed {claimed}", self.game, self.found)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Position(position) => position.fmt(f),
            Failure::Instance(instance) => instance.fmt(f),
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
    /// Returns a reason that is not the budget's end.
    pub fn because(reason: impl Into<String>) -> Verdict {
        Verdict::Unknown(Unknown {
            reason: reason.into(),
            budget: false,
            computed: Computed::default(),
        })
    }

    /// Returns the end of a budget.
    pub fn limit_reached(limit: bouton_core::LimitReached) -> Verdict {
        Verdict::Unknown(Unknown {
            reason: limit.to_string(),
            budget: true,
            computed: Computed::default(),
        })
    }
}

impl Proved {
    /// Returns what these theorems prove together.
    pub fn from_theorems(mut theorems: Vec<Theorem>) -> Proved {
        match theorems.len() {
            1 => Proved::Theorem(theorems.remove(0).into()),
            _ => Proved::Theorems(theorems),
        }
    }

    /// Returns the theorems on which it stands.
    pub fn theorems(&self) -> &[Theorem] {
        match self {
            Proved::Theorem(theorem) => std::slice::from_ref(&**theorem),
            Proved::Theorems(theorems) => theorems,
            Proved::Decided | Proved::Computed(_) => &[],
        }
    }
}

impl Verdict {
    /// Returns the verdict alone.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Proved(_) => VerdictKind::Proved,
            Verdict::ProvedCoq(_) => VerdictKind::ProvedCoq,
            Verdict::Holds(_) => VerdictKind::Holds,
            Verdict::Refuted(_) => VerdictKind::Refuted,
            Verdict::Unknown(_) => VerdictKind::Unknown,
            Verdict::NotSettled(_) => VerdictKind::NotSettled,
        }
    }

    /// Returns the theorems on which the verdict stands.
    pub fn theorems(&self) -> &[Theorem] {
        match self {
            Verdict::Proved(proved) => proved.theorems(),
            _ => &[],
        }
    }

    /// Returns the certificate's hash, of a theorem; of several, their hashes with blanks between.
    pub fn certificate(&self) -> Option<String> {
        let hashes: Vec<&str> = self.theorems().iter().map(Theorem::hash).collect();
        (!hashes.is_empty()).then(|| hashes.join(" "))
    }

    /// Returns the size of the least game of a family for which the claim is wrong.
    pub fn fails_at(&self) -> Option<u64> {
        match self {
            Verdict::Refuted(Refuted {
                counterexample: Failure::Instance(instance),
                least: true,
                ..
            }) => Some(instance.size),
            _ => None,
        }
    }

    /// Returns its grounds, in a line.
    pub fn found(&self) -> String {
        match self {
            Verdict::Proved(Proved::Computed(computed)) | Verdict::Holds(computed) => {
                computed.words.clone()
            }
            Verdict::ProvedCoq(by_coq) => {
                format!("coq: {}; {}", by_coq.theorem, by_coq.computed.words)
            }
            Verdict::Proved(Proved::Decided) => "decided as a sentence".into(),
            Verdict::Proved(proved) => {
                let theorems = proved.theorems();
                let size = ProofSize::total(theorems.iter().map(|theorem| &theorem.size));
                let accepted = match theorems.len() {
                    1 => "certificate accepted".to_owned(),
                    count => format!("{count} certificates accepted"),
                };
                let scope = theorems
                    .first()
                    .map_or(String::new(), |theorem| format!("{}: ", theorem.scope));
                format!("{scope}{size}; {accepted}")
            }
            Verdict::Refuted(refuted) => {
                format!(
                    "{}{}",
                    refuted.counterexample,
                    if refuted.least { "; the least" } else { "" }
                )
            }
            Verdict::Unknown(unknown) => unknown.reason.clone(),
            Verdict::NotSettled(why) => why.clone(),
        }
    }

    /// Returns what was computed, but for a theorem or a sentence.
    pub fn computed(&self) -> Option<&Computed> {
        match self {
            Verdict::Proved(Proved::Computed(computed)) | Verdict::Holds(computed) => {
                Some(computed)
            }
            Verdict::ProvedCoq(by_coq) => Some(&by_coq.computed),
            Verdict::Refuted(refuted) => Some(&refuted.computed),
            Verdict::Unknown(unknown) => Some(&unknown.computed),
            Verdict::Proved(_) | Verdict::NotSettled(_) => None,
        }
    }
}

//! What is published of a game, as typed data: the statement, where it is printed, and what of it
//! can be settled.
//!
//! [`ClaimStatement`] has the kinds of claims that speak of games on heaps,
//! [`ClaimStatement::Theory`] for those that belong to a theory, and [`ClaimStatement::Remark`] for
//! what no computation settles, with the reason. Read with serde; a key or a word that a kind does
//! not have is refused.

use crate::answer::{read_outcome, read_play};
use crate::form::Form;
use crate::table_entry::Entry;
use crate::verdict::VerdictKind;
use bouton_core::{Outcome, Play};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A published claim.
#[derive(Debug, Clone)]
pub struct PublishedClaim {
    /// Its id and, in brackets, which part of it: `N7 (5.5)`.
    pub id: String,
    /// The game in normal notation, a pattern whose small letters stand for numbers, as `CN(n,k)`,
    /// or a family of Kotzig's Nim.
    pub game: String,
    /// Of a pattern: the games for which the claim is settled.
    pub games: Vec<String>,
    /// The text of the rule file of the game, if it is one: the name alone may be another's.
    pub rules: Option<String>,
    /// A formula over the pattern's letters that says for which of them the claim is meant.
    pub when: Option<String>,
    /// Where it is printed.
    pub source: String,
    /// The claim in words.
    pub statement: String,
    /// The file and the theorem of the Coq library that prove the claim for all values of its
    /// parameters, as `Ledger.v N2`.
    pub coq: Option<String>,
    /// What is to be settled.
    pub says: ClaimStatement,
    /// What is on record of it for the game that is asked about.
    pub recorded: Option<RecordedClaim>,
}

/// The verdict that is on record of a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "recorded_claim")]
pub struct RecordedClaim {
    /// The verdict.
    pub verdict: VerdictKind,
    /// How far, the counterexample, the reason.
    pub found: String,
}

impl fmt::Display for RecordedClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.found {
            "" => self.verdict.fmt(f),
            found => write!(f, "{}: {found}", self.verdict),
        }
    }
}

impl PublishedClaim {
    /// Returns the games for which it is settled: those it lists, or the one that it is about.
    pub fn instances(&self) -> Vec<&str> {
        if self.games.is_empty() {
            return vec![&self.game];
        }
        self.games.iter().map(String::as_str).collect()
    }
}

/// What a claim says, by its kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ClaimStatement {
    /// These are the P-positions, for all heap sizes.
    PPositions(Form),
    /// These are the nim-values, for all heap sizes.
    Values(Values),
    /// An automaton that reads the heaps' digits accepts the P-positions, for all heap sizes.
    Automaton(AutomatonClaim),
    /// These are the P-positions among those with heaps up to a bound.
    Listed(Listed),
    /// All P-positions are among these.
    ContainsAll(Set),
    /// These are P-positions, perhaps not all.
    Contained(Set),
    /// The P-positions without an empty heap are those of another game, this many tokens taken from
    /// each heap.
    Corresponds(Correspondence),
    /// There is a position like this.
    Witness(Witness),
    /// A form of the P-positions is right for all values of the game's parameters.
    Parametric(ParametricSays),
    /// A closed formula of the logic is true.
    Sentence(Sentence),
    /// Tables and single positions.
    Tables(Tables),
    /// Nothing that a computation could settle.
    Remark(Remark),
    /// What only a theory can read and settle.
    #[serde(skip)]
    Theory(Arc<dyn TheoryClaim>),
}

/// A claim of a kind that belongs to a theory.
pub trait TheoryClaim: Any + fmt::Debug + Send + Sync {
    /// Returns the convention that the claim is about.
    fn play(&self) -> Play {
        Play::Normal
    }

    /// Returns the claim as a formula, where it is one.
    fn formula(&self) -> Option<String> {
        None
    }
}

/// A kind of claim that belongs to a theory, as data files write it.
#[derive(Debug, Clone, Copy)]
pub struct ClaimKind {
    /// The word for it.
    pub name: &'static str,
    /// The keys that it may have.
    pub keys: &'static [&'static str],
    /// Reads a claim from its keys.
    pub read: fn(Value) -> Result<ClaimStatement, serde_json::Error>,
}

impl ClaimKind {
    /// Returns the kind of claims that are read as `C`.
    pub const fn new<C: TheoryClaim + DeserializeOwned>(
        name: &'static str,
        keys: &'static [&'static str],
    ) -> ClaimKind {
        ClaimKind {
            name,
            keys,
            read: |keys| Ok(ClaimStatement::from(serde_json::from_value::<C>(keys)?)),
        }
    }
}

impl<C: TheoryClaim> From<C> for ClaimStatement {
    fn from(claim: C) -> ClaimStatement {
        ClaimStatement::Theory(Arc::new(claim))
    }
}

impl ClaimStatement {
    /// Returns the keys of a kind, as data files have them; empty for a word that is none.
    pub fn keys(kind: &str) -> &'static [&'static str] {
        let found = KINDS.iter().find(|(name, _)| *name == kind);
        found.map_or(&[], |(_, keys)| keys)
    }

    /// Returns the convention that the claim is about.
    pub fn play(&self) -> Play {
        match self {
            ClaimStatement::PPositions(form) => form.play,
            ClaimStatement::ContainsAll(set) | ClaimStatement::Contained(set) => set.play,
            ClaimStatement::Witness(witness) => witness.play,
            ClaimStatement::Listed(listed) => listed.play,
            ClaimStatement::Automaton(claim) => claim.play,
            ClaimStatement::Theory(claim) => claim.play(),
            _ => Play::Normal,
        }
    }

    /// Returns the claim of a theory, if it is of this type.
    pub fn theory<C: TheoryClaim>(&self) -> Option<&C> {
        let ClaimStatement::Theory(claim) = self else { return None };
        (&**claim as &dyn Any).downcast_ref()
    }
}

/// Every kind that belongs to no theory, with its keys.
pub const KINDS: &[(&str, &[&str])] = &[
    ("p-positions", &["form", "smaller", "exactly", "play"]),
    ("values", &["values"]),
    ("automaton", &["automaton", "play"]),
    ("listed", &["positions", "to", "among", "values", "why", "play"]),
    ("contains-all", &["formula", "to", "play"]),
    ("contained", &["formula", "to", "play"]),
    ("corresponds", &["with", "less", "to"]),
    ("witness", &["formula", "outcome", "to", "play"]),
    ("parametric", &["where", "instead"]),
    ("sentence", &["sentence"]),
    ("tables", &["entries"]),
    ("remark", &["why"]),
];

/// Nim-values of a game on a fixed number of heaps.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Values {
    /// A formula over the heaps a, b, c, … and v that holds if and only if v is the value.
    pub values: String,
}

/// An automaton that accepts the P-positions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutomatonClaim {
    /// As Walnut writes automata: the numeration of each heap, then states with their output and
    /// where each letter leads.
    pub automaton: String,
    /// The convention.
    #[serde(default, deserialize_with = "read_play")]
    pub play: Play,
}

/// The P-positions up to a bound, one by one, of a statement that is no formula here.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// They, one of each class; with nim-values the value behind the heaps.
    pub positions: Vec<Vec<u64>>,
    /// The greatest heap, and the greatest value.
    pub to: u32,
    /// Which positions are spoken of: a formula over the heaps a, b, c, …; none for all of them.
    pub among: Option<String>,
    /// Whether heaps and values are listed instead: positions beside a heap of Nim.
    #[serde(default)]
    pub values: bool,
    /// Why the statement is no formula.
    pub why: String,
    /// The convention.
    #[serde(default, deserialize_with = "read_play")]
    pub play: Play,
}

/// Positions of a game on a fixed number of heaps, up to its symmetry.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Set {
    /// A formula over the heaps a, b, c, …; a heap that has left a circle counts as 0.
    pub formula: String,
    /// The greatest heap of the positions looked at.
    pub to: u32,
    /// The convention.
    #[serde(default, deserialize_with = "read_play")]
    pub play: Play,
}

/// P-positions that correspond to those of another game.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correspondence {
    /// The other game, on as many heaps.
    pub with: String,
    /// Tokens taken from every heap; heaps have at least this many.
    pub less: u32,
    /// The greatest heap of the positions looked at.
    pub to: u32,
}

/// A position that is said to be.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// A formula over the heaps a, b, c, … that an image of the position satisfies.
    pub formula: String,
    /// Its outcome.
    #[serde(deserialize_with = "read_outcome")]
    pub outcome: Outcome,
    /// The greatest heap of the positions looked at.
    pub to: u32,
    /// The convention.
    #[serde(default, deserialize_with = "read_play")]
    pub play: Play,
}

/// A form with which the program answers positions of a family of games, or a changed one.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParametricSays {
    /// The condition on the parameters under which the form is stated.
    #[serde(rename = "where")]
    pub condition: String,
    /// Names in the form, and what they stand for instead.
    #[serde(default)]
    pub instead: Vec<[String; 2]>,
}

/// A closed formula of the logic.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    /// The formula.
    pub sentence: String,
}

/// Tables and single positions.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// Each entry is settled.
    #[serde(default)]
    pub entries: Vec<Entry>,
}

/// Something that no computation settles.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// Why not.
    pub why: String,
}

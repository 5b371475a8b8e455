//! What is published of a game, as typed data: the statement, where it is printed, and what of it can be settled.
//!
//! [`Says`] is closed: every kind of claim that a study knows, and [`Says::Remark`] for what no
//! computation settles, with the reason. Read with serde; a key or a word that a kind does not have is refused.

use crate::form::Form;
use crate::table_entry::Entry;
use bouton_core::{Outcome, Play};
use serde::Deserialize;

/// A published claim.
#[derive(Debug, Clone)]
pub struct PublishedClaim {
    /// Its row in the ledger and, in brackets, which part of it: `N7 (5.5)`.
    pub id: String,
    /// The game in normal notation, a pattern whose small letters stand for numbers, as `CN(n,k)`, or a family of
    /// Kotzig's Nim.
    pub game: String,
    /// Of a pattern: the games for which the claim is settled.
    pub games: Vec<String>,
    /// A formula over the pattern's letters that says for which of them the claim is meant.
    pub when: Option<String>,
    /// Where it is printed.
    pub source: String,
    /// The claim in words.
    pub statement: String,
    /// What is to be settled.
    pub says: Says,
}

impl PublishedClaim {
    /// The games for which it is settled: those it lists, or the one that it is about.
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
pub enum Says {
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
    /// The P-positions without an empty heap are those of another game, so many tokens taken from each heap.
    Corresponds(Correspondence),
    /// There is a position like this.
    Witness(Witness),
    /// A closed formula of the logic is true.
    Sentence(Sentence),
    /// Which games of a family of Kotzig's Nim are in P.
    Family(FamilyClaim),
    /// A formula over what NIM with Cash is made of.
    Cash(CashClaim),
    /// Tables and single positions.
    Tables(Tables),
    /// Nothing that a computation could settle.
    Remark(Remark),
}

impl Says {
    /// The keys of a kind, as data files have them; empty for a word that is none.
    pub fn keys(kind: &str) -> &'static [&'static str] {
        let found = KINDS.iter().find(|(name, _)| *name == kind);
        found.map_or(&[], |(_, keys)| keys)
    }

    /// The convention that the claim is about.
    pub fn play(&self) -> Play {
        match self {
            Says::PPositions(form) => form.play,
            Says::ContainsAll(set) | Says::Contained(set) => set.play,
            Says::Witness(witness) => witness.play,
            Says::Family(family) => family.play,
            Says::Listed(listed) => listed.play,
            Says::Automaton(claim) => claim.play,
            _ => Play::Normal,
        }
    }
}

/// Every kind with its keys.
pub const KINDS: &[(&str, &[&str])] = &[
    ("p-positions", &["form", "smaller", "exactly", "play"]),
    ("values", &["values"]),
    ("automaton", &["automaton", "play"]),
    ("listed", &["positions", "to", "among", "values", "why", "play"]),
    ("contains-all", &["formula", "to", "play"]),
    ("contained", &["formula", "to", "play"]),
    ("corresponds", &["with", "less", "to"]),
    ("witness", &["formula", "outcome", "to", "play"]),
    ("sentence", &["sentence"]),
    ("family", &["p", "same", "settled", "play", "parity", "replay", "most", "cells"]),
    ("cash", &["for", "where", "holds", "table"]),
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
    /// As Walnut writes automata: the numeration of each heap, then states with their output and where each letter leads.
    pub automaton: String,
    /// The convention.
    #[serde(default, with = "PlayWord")]
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
    #[serde(default, with = "PlayWord")]
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
    #[serde(default, with = "PlayWord")]
    pub play: Play,
}

/// P-positions that correspond to those of another game.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correspondence {
    /// The other game, on as many heaps.
    pub with: String,
    /// Tokens taken from every heap; heaps have at least so many.
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
    #[serde(with = "OutcomeWord")]
    pub outcome: Outcome,
    /// The greatest heap of the positions looked at.
    pub to: u32,
    /// The convention.
    #[serde(default, with = "PlayWord")]
    pub play: Play,
}

/// A closed formula of the logic.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    /// The formula.
    pub sentence: String,
}

/// What is said of the games of a family of Kotzig's Nim; `when` says which of them are meant.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "FamilyKeys")]
pub struct FamilyClaim {
    /// What is said of each.
    pub says: OfFamily,
    /// The convention.
    pub play: Play,
    /// Whether the parity theorem may be used; not when it is what the claim says.
    pub parity: bool,
    /// Whether the winner's strategy is found and replayed in each game.
    pub replay: bool,
    /// The greatest value of a parameter other than n; none for the size of the largest circle looked at.
    pub most: Option<u32>,
    /// The largest circle to look at, in cells; none for as large as the bound allows.
    pub cells: Option<usize>,
}

/// What is said of the games of a family; formulas are over its parameters.
#[derive(Debug, Clone)]
pub enum OfFamily {
    /// Those with this property are in P, and no others.
    P(String),
    /// Each has the outcome of the game that this family holds at the same parameters.
    Same(String),
    /// They are so many, and each has an outcome that is known.
    Settled(u64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyKeys {
    p: Option<String>,
    same: Option<String>,
    settled: Option<u64>,
    #[serde(default, with = "PlayWord")]
    play: Play,
    #[serde(default = "yes")]
    parity: bool,
    #[serde(default)]
    replay: bool,
    most: Option<u32>,
    cells: Option<usize>,
}

fn yes() -> bool {
    true
}

impl TryFrom<FamilyKeys> for FamilyClaim {
    type Error = &'static str;

    fn try_from(keys: FamilyKeys) -> Result<FamilyClaim, &'static str> {
        let FamilyKeys { p, same, settled, play, parity, replay, most, cells } = keys;
        let says = match (p, same, settled) {
            (Some(p), None, None) => OfFamily::P(p),
            (None, Some(same), None) => OfFamily::Same(same),
            (None, None, Some(count)) => OfFamily::Settled(count),
            _ => return Err("one of `p`, `same` and `settled` is needed, and only one"),
        };
        Ok(FamilyClaim { says, play, parity, replay, most, cells })
    }
}

/// A formula over numbers, sets A and the objects of *NIM with Cash*: of all values bound that satisfy `where`, it holds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CashClaim {
    /// What binds the names, in order, apart by `;`.
    #[serde(rename = "for")]
    pub binders: String,
    /// Which values are meant.
    #[serde(rename = "where")]
    pub condition: Option<String>,
    /// The formula.
    pub holds: String,
    /// Stones and dollars that the tables go up to.
    #[serde(default = "table_size")]
    pub table: u32,
}

fn table_size() -> u32 {
    150
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

/// A convention as data files write it.
#[derive(Deserialize)]
#[serde(remote = "Play", rename_all = "lowercase")]
pub(crate) enum PlayWord {
    Normal,
    Misere,
}

/// An outcome as data files write it.
#[derive(Deserialize)]
#[serde(remote = "Outcome")]
pub(crate) enum OutcomeWord {
    P,
    N,
}

//! Published claims on families of Kotzig's Nim, as data files write them.

use bouton_core::Play;
use bouton_theory::answer::read_play;
use bouton_theory::claim::{ClaimKind, TheoryClaim};
use serde::Deserialize;

/// The kind of these claims.
pub(crate) const FAMILY: ClaimKind = ClaimKind::new::<FamilyClaim>(
    "family",
    &["p", "same", "settled", "play", "parity", "replay", "most", "cells"],
);

/// What is said of the games of a family of Kotzig's Nim; `when` says which of them are meant.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "FamilyKeys")]
pub struct FamilyClaim {
    /// What is said of each.
    pub says: FamilyStatement,
    /// The convention.
    pub play: Play,
    /// Whether the parity theorem may be used; not when it is what the claim says.
    pub parity: bool,
    /// Whether the winner's strategy is found and replayed in each game.
    pub replay: bool,
    /// The greatest value of a parameter other than n; none for the size of the largest circle
    /// looked at.
    pub most: Option<u32>,
    /// The largest circle to look at, in cells; none for as large as the bound allows.
    pub cells: Option<usize>,
}

/// What is said of the games of a family; formulas are over its parameters.
#[derive(Debug, Clone)]
pub enum FamilyStatement {
    /// Those with this property are in P, and no others.
    P(String),
    /// Each has the outcome of the game that this family holds at the same parameters.
    Same(String),
    /// They are this many, and each has an outcome that is known.
    Settled(u64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyKeys {
    p: Option<String>,
    same: Option<String>,
    settled: Option<u64>,
    #[serde(default, deserialize_with = "read_play")]
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
            (Some(p), None, None) => FamilyStatement::P(p),
            (None, Some(same), None) => FamilyStatement::Same(same),
            (None, None, Some(count)) => FamilyStatement::Settled(count),
            _ => return Err("one of `p`, `same` and `settled` is needed, and only one"),
        };
        Ok(FamilyClaim { says, play, parity, replay, most, cells })
    }
}

impl TheoryClaim for FamilyClaim {
    fn play(&self) -> Play {
        self.play
    }

    fn formula(&self) -> Option<String> {
        match &self.says {
            FamilyStatement::P(p) => Some(format!("P iff {p}")),
            FamilyStatement::Same(_) | FamilyStatement::Settled(_) => None,
        }
    }
}

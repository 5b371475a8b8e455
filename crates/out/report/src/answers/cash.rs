//! NIM with Cash, as `bouton cash --json` prints it.

use super::failure::UnknownTag;
use super::tables::ProvedTag;
use super::{GameName, OutcomeLetter, Seconds};
use bouton_cash::{Cash, Proof, WinCondition};
use bouton_core::Notation;
use serde::Serialize;

/// A win condition.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ConditionFound<'a> {
    /// A condition, proved for all heaps and purses.
    Proved(ConditionProved<'a>),
    /// None was found.
    Unknown {
        /// The game.
        game: GameName,
        /// The verdict.
        verdict: UnknownTag,
        /// Always null.
        condition: Option<Vec<String>>,
        /// The time taken.
        seconds: Seconds,
    },
}

/// A win condition that is proved.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConditionProved<'a> {
    /// The game.
    pub game: GameName,
    /// The verdict.
    pub verdict: ProvedTag,
    /// The numbers in the condition.
    pub size: usize,
    /// The condition, line by line.
    pub condition: Vec<String>,
    /// How much the independent checker checked.
    pub checked: &'a str,
    /// The time taken.
    pub seconds: Seconds,
    /// The kind of proof.
    #[serde(flatten)]
    pub proof: ProofKind,
}

/// The kind of the proof of a win condition.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "proof", rename_all = "lowercase")]
pub enum ProofKind {
    /// By a window of heaps that repeats.
    Window {
        /// The period.
        period: usize,
        /// What a period adds to purses.
        gain: i64,
    },
    /// By words over the moves.
    Words {
        /// The number of words.
        period: usize,
    },
}

/// The winning moves of a position with several piles.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PilesSolved {
    /// The outcome.
    pub outcome: OutcomeLetter,
    /// The moves that win.
    pub winning: Vec<PileMove>,
}

/// A move with several piles.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PileMove {
    /// The pile, from 1 on.
    pub pile: usize,
    /// What is taken.
    pub take: u64,
}

/// Returns a win condition, or the statement that none was found.
pub fn condition<'a>(rules: &Cash, found: &'a WinCondition) -> ConditionFound<'a> {
    let (game, seconds) = (GameName(rules.name()), Seconds(found.seconds));
    let Some(condition) = &found.condition else {
        let verdict = UnknownTag::Unknown;
        return ConditionFound::Unknown { game, verdict, condition: None, seconds };
    };
    ConditionFound::Proved(ConditionProved {
        game,
        verdict: ProvedTag::Proved,
        size: condition.size(),
        condition: condition.explain(),
        checked: &found.checked,
        seconds,
        proof: match &condition.proof {
            Proof::Window(window) => ProofKind::Window { period: window.period, gain: window.gain },
            Proof::Words(words) => ProofKind::Words { period: words.paths.len() },
        },
    })
}

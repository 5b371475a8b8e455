//! What is in place of an answer: an error of the input, or work that was broken off.

use super::{GameName, Reason};
use serde::Serialize;

/// Bad input, with exit status 2.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "error")]
pub struct Failure<'a> {
    /// What is wrong, and where.
    pub error: Wrong<'a>,
    /// The line of the input, of `solve -`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// What is wrong, and where.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "wrong")]
pub struct Wrong<'a> {
    /// What is wrong.
    pub message: &'a str,
    /// The text that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'a str>,
    /// The place in it, in characters from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[usize; 2]>,
    /// What would be accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<&'a str>,
}

impl<'a> Failure<'a> {
    /// Returns an error without a place.
    pub fn new(message: &'a str) -> Failure<'a> {
        Failure { error: Wrong { message, text: None, at: None, accepted: None }, line: None }
    }

    /// Returns an error at a place of a text, in bytes.
    pub fn at(
        message: &'a str,
        text: &'a str,
        at: &std::ops::Range<usize>,
        accepted: &'a str,
    ) -> Failure<'a> {
        let character = |byte: usize| text.char_indices().take_while(|(at, _)| *at < byte).count();
        let at = Some([character(at.start), character(at.end)]);
        Failure {
            error: Wrong { message, text: Some(text), at, accepted: Some(accepted) },
            line: None,
        }
    }
}

/// A command that its budget ended in a step that cannot poll the clock.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "unknown")]
pub struct BrokenOff {
    /// The game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameName>,
    /// The verdict.
    pub verdict: UnknownTag,
    /// Why something is unknown.
    pub reason: Reason,
    /// The line of the input, of `solve -`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// Unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum UnknownTag {
    /// Unknown.
    Unknown,
}

impl BrokenOff {
    /// Returns what is told of work that ended for a reason, of a game if it is known.
    pub fn new(game: Option<String>, why: impl ToString) -> BrokenOff {
        let verdict = UnknownTag::Unknown;
        BrokenOff { game: game.map(GameName), verdict, reason: Reason::new(why), line: None }
    }
}

//! How people write games and positions, and errors in what they write.

use crate::{Player, RuleSource, Ruleset};
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A text that could not be read: where, why, and what would be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}; accepted: {accepted}")]
pub struct NotationError {
    /// The whole text as typed.
    pub text: String,
    /// The place of the error in `text`, in bytes; may be empty (something is missing there).
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// The form that would be accepted.
    pub accepted: String,
}

impl NotationError {
    /// Returns an error about the bytes `at` of `text`.
    pub fn new(
        text: &str,
        at: Range<usize>,
        message: impl Into<String>,
        accepted: impl Into<String>,
    ) -> NotationError {
        NotationError {
            text: text.to_owned(),
            at,
            message: message.into(),
            accepted: accepted.into(),
        }
    }

    /// Returns the same error for a longer text in which this text starts at byte `offset`.
    pub fn in_longer_text(mut self, whole: &str, offset: usize) -> NotationError {
        self.text = whole.to_owned();
        self.at = self.at.start + offset..self.at.end + offset;
        self
    }
}

/// A move as a list of moves has it, by what the text says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveText {
    /// The position that it leads to.
    Position(String),
    /// What it changes: `heap 1: 5 → 2`.
    Change(String),
    /// What the player does: `take 2`, or the name of the line drawn.
    Words(String),
}

impl MoveText {
    /// Returns the move made in the summand `name` of a sum.
    #[must_use]
    pub fn in_summand(&self, name: &str) -> MoveText {
        let text = format!("{name}: {self}");
        match self {
            MoveText::Change(_) => MoveText::Change(text),
            MoveText::Position(_) | MoveText::Words(_) => MoveText::Words(text),
        }
    }
}

impl Deref for MoveText {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            MoveText::Position(text) | MoveText::Change(text) | MoveText::Words(text) => text,
        }
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

/// Returns whether a text is a row of signs: nothing but `+` and `-`, and at least two of them.
pub fn is_row_of_signs(text: &str) -> bool {
    text.len() >= 2 && text.bytes().all(|c| matches!(c, b'+' | b'-'))
}

/// Returns whether the `+` at a byte stands in a word, or behind a colon, that is a row of signs.
pub fn is_in_row_of_signs(text: &str, at: usize) -> bool {
    let is_end = |c: char| c.is_whitespace() || c == ':';
    let word = [text[..at].rsplit(is_end).next(), text[at..].split(is_end).next()];
    is_row_of_signs(&word.into_iter().flatten().collect::<String>())
}

/// Returns a number with its noun: `1 box`, `2 boxes`.
pub fn number_with_noun<N: fmt::Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let end = match noun {
        _ if number == N::from(1) => "",
        noun if noun.ends_with(['s', 'x']) => "es",
        _ => "s",
    };
    format!("{number} {noun}{end}")
}

/// Returns the text of a position with these heaps: `1,2,3`; that of no heaps is `0`.
pub fn heaps_text<T: ToString>(heaps: &[T]) -> String {
    if heaps.is_empty() {
        return "0".into();
    }
    heaps.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

/// Appends numbers in decimal digits, with commas between them.
pub fn write_numbers(text: &mut Vec<u8>, numbers: &[u64]) {
    for (place, number) in numbers.iter().enumerate() {
        if place > 0 {
            text.push(b',');
        }
        // A number of 64 bits has 20 digits at most.
        let mut digits = [0; 20];
        let first = write_digits(&mut digits, 20, *number);
        text.extend_from_slice(&digits[first..]);
    }
}

/// Writes the decimal digits of a number before place `end`; returns the place of the first one.
#[inline]
pub fn write_digits(text: &mut [u8], end: usize, number: u64) -> usize {
    let (mut at, mut rest) = (end, number);
    while at == end || rest > 0 {
        at -= 1;
        text[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    at
}

/// A game as people write it: its name, its rules in words, its positions and moves as text.
///
/// Law: `read(print(p)) == p` for every position, and the family's parser reads `name()` back to
/// the same rules.
pub trait Notation: Ruleset {
    /// Returns the game in its normal form: `CN(5,2)`.
    fn name(&self) -> String;

    /// Returns the rules in one or two sentences, parameters filled in.
    fn describe(&self) -> String;

    /// Returns the form of a position, as shown in errors: `5 heaps, e.g. 1,2,3,2,1`.
    fn position_form(&self) -> String;

    /// Reads a position. Every position that is accepted is a legal one of this game.
    fn read(&self, text: &str) -> Result<Self::Position, NotationError>;

    /// Writes a position so that [`Notation::read`] reads it back.
    fn print(&self, p: &Self::Position) -> String;

    /// Returns the position from which the game by its name starts, where it has one: Γ(1,4;23),
    /// dots(3x3).
    fn start(&self) -> Option<Self::Position> {
        None
    }

    /// Returns all positions, if they are listed one by one as the nodes of a graph are.
    fn all(&self) -> Option<Vec<Self::Position>> {
        None
    }

    /// Returns the move from `p` to its option `q`, short enough for a list of moves.
    fn move_text(&self, p: &Self::Position, q: &Self::Position) -> MoveText {
        let _ = p;
        MoveText::Position(self.print(q))
    }

    /// Returns the player to move, if the players have names because their moves differ.
    fn mover(&self, p: &Self::Position) -> Option<Player> {
        let _ = p;
        None
    }

    /// Returns the rule files that the game was read from; none for the games that come with
    /// Bouton.
    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_decimal_digits() {
        let numbers = [0, 9, 10, 100, 12_345_678_901, u64::MAX];
        let mut text = b"*".to_vec();
        write_numbers(&mut text, &numbers);
        assert_eq!(
            text,
            format!("*{}", numbers.map(|number| number.to_string()).join(",")).into_bytes()
        );
        write_numbers(&mut text, &[]);
        assert!(text.ends_with(b"5"));
    }
}

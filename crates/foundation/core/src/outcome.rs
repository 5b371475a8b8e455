//! Who wins, and under which convention.

use std::fmt;

/// Which player the end of the game favours. An argument of *solving*, never a part of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Play {
    /// Whoever cannot move loses.
    #[default]
    Normal,
    /// Whoever cannot move wins.
    Misere,
}

/// The outcome class of a position under perfect play, seen by the player about to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The *next* player (the one to move) wins.
    N,
    /// The *previous* player wins: the one to move loses.
    P,
}

/// A player of a game in which the two have different moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Left, in pictures blue or vertical.
    Left,
    /// Right, in pictures red or horizontal.
    Right,
}

/// The outcome of a position for either player to begin: who wins under perfect play.
///
/// Source: J. H. Conway, *On Numbers and Games* (1976).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutcomeClass {
    /// Left wins, whoever begins.
    L,
    /// Right wins, whoever begins.
    R,
    /// Whoever begins wins.
    N,
    /// Whoever begins loses.
    P,
}

impl Player {
    /// Returns the other player.
    #[must_use]
    pub fn other(self) -> Player {
        match self {
            Player::Left => Player::Right,
            Player::Right => Player::Left,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Left => "Left",
            Player::Right => "Right",
        })
    }
}

impl OutcomeClass {
    /// Returns the class of a position by its outcomes with Left and with Right to move.
    pub fn from_outcomes(left: Outcome, right: Outcome) -> OutcomeClass {
        match (left, right) {
            (Outcome::N, Outcome::N) => OutcomeClass::N,
            (Outcome::N, Outcome::P) => OutcomeClass::L,
            (Outcome::P, Outcome::N) => OutcomeClass::R,
            (Outcome::P, Outcome::P) => OutcomeClass::P,
        }
    }

    /// Returns who wins, in words.
    pub fn in_words(self) -> &'static str {
        match self {
            OutcomeClass::L => "Left wins, whoever begins",
            OutcomeClass::R => "Right wins, whoever begins",
            OutcomeClass::N => "whoever begins wins",
            OutcomeClass::P => "whoever begins loses",
        }
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutcomeClass::L => "L",
            OutcomeClass::R => "R",
            OutcomeClass::N => "N",
            OutcomeClass::P => "P",
        })
    }
}

impl Play {
    /// Returns the outcome of a position without options.
    pub fn terminal(self) -> Outcome {
        match self {
            Play::Normal => Outcome::P,
            Play::Misere => Outcome::N,
        }
    }
}

impl Outcome {
    /// Returns `true` for P-positions.
    pub fn is_p(self) -> bool {
        self == Outcome::P
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Play::Normal => "normal",
            Play::Misere => "misère",
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::N => "N",
            Outcome::P => "P",
        })
    }
}

//! Why a file is no rule file.

use super::MAX_NUMBERS;
use super::decisions::{MAX_GROWTH, NoMove};
use crate::catalogue::NameTaken;
use bouton_core::{FormulaError, RuleFault};
use bouton_rulesets::searched_rules::falls_example;

/// Why a file is no rule file.
#[derive(Debug, thiserror::Error)]
pub enum RuleFileError {
    /// Not TOML, a field missing or unknown.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// The name holds a sign that names of games don't hold, or does not begin with a letter.
    #[error(
        "the name `{0}`: {1}; a name is a letter, then letters, digits and `-`, e.g. name = \
         \"my-game\""
    )]
    Sign(String, String),
    /// The name is that of a family.
    #[error("{0}")]
    Taken(#[from] NameTaken),
    /// A parameter that formulas could not have.
    #[error("the parameter `{0}`: {1}")]
    Parameter(String, &'static str),
    /// Values that the parameters cannot have.
    #[error("({0}) are no values here: {1}")]
    Values(String, String),
    /// Too few or too many heaps.
    #[error(
        "heaps = {0}: a rule file has 1 to {MAX_NUMBERS} heaps, or heaps = \"any\" for any \
         number of heaps of one rule"
    )]
    Heaps(usize),
    /// Too many heaps and remembered numbers, or a symmetry among them.
    #[error("heaps = {0}, memory = {1}: {2}")]
    Memory(usize, usize, String),
    /// Fields that do not go together.
    #[error("{0}")]
    Fields(&'static str),
    /// A quantity that falls is no number over the heaps, or the options of small positions are
    /// none.
    #[error("{0}")]
    Rules(RuleFault),
    /// What is remembered grows too fast.
    #[error(
        "what is remembered grows beyond {MAX_GROWTH} times all numbers of the position, as in \
         {0} → {1}"
    )]
    Growth(String, String),
    /// The move is no formula; with its text.
    #[error("the move: {1}")]
    Move(String, FormulaError),
    /// The moves have no automaton within the limits.
    #[error("the move: {0}")]
    Undecided(#[from] bouton_automata::Undecided),
    /// No position has a move: all that the formula holds of raises a heap or takes nothing.
    #[error("no position has a move: {0}")]
    NoMoves(NoMove),
    /// One of the alternatives gives no move.
    #[error("the alternative `{0}` gives no move: {1}")]
    NoMovesBy(String, NoMove),
    /// A step that an alternative states raises a heap.
    #[error(
        "{alternative} holds of {from} → {to}, which raises a heap, and says how far it may grow; \
         no heap of a rule file grows: if such steps are not meant, write move = \"(…){bounds}\"; \
         if they are, say what falls with every move, as falls = \"{}\"",
        falls_example(from.split(',').count())
    )]
    Raises {
        /// The alternative.
        alternative: String,
        /// The least position.
        from: String,
        /// Its least option.
        to: String,
        /// What makes the formula say so.
        bounds: String,
    },
    /// The positions that occur are no set without quantifiers.
    #[error("positions = \"{0}\": {1}")]
    Positions(String, String),
    /// The positions in which games begin are no set without quantifiers, or what follows is not
    /// seen.
    #[error("start = \"{0}\": {1}")]
    Start(String, String),
    /// A move leaves the positions that occur.
    #[error(
        "the move {0} → {1} leaves the positions that occur: widen `positions`, or have the move \
         keep to them"
    )]
    Leaves(String, String),
    /// The positions that occur are not as symmetric as the file says.
    #[error(
        "of {0} and its image only one is among the positions that occur, but the file says they \
         are alike"
    )]
    PositionsSymmetry(String),
    /// The symmetry does not hold.
    #[error(
        "the game is not as symmetric as the file says: of {0} → {1} and its image only one is a \
         move"
    )]
    Symmetry(String, String),
}

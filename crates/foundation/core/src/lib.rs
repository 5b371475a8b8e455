//! What a take-away game *is*: its rules, and the words in which people state them.
//!
//! One noun a file. A family of games implements [`Ruleset`] (what the moves are), one of
//! [`Impartial`] and [`Scored`] where it applies (what may be computed from them), [`Notation`]
//! (how people write it), [`Coordinates`] (positions as numbers) and [`Appearance`] (what they look
//! like). Nothing here solves anything.

mod arrange;
mod board;
mod budget;
pub mod clock;
mod coordinates;
mod digit_system;
pub mod expression;
mod heap_game;
mod heap_moves;
mod heaps;
mod names;
mod nimber;
mod notation;
mod number_list;
mod outcome;
mod rule_source;
mod ruleset;
mod scanner;
mod sight;
mod symmetry;

pub use arrange::Arrange;
pub use board::{Appearance, Board, Card, EdgeKind, GraphBoard, GraphEdge, GraphStand};
pub use bouton_formula::{
    ArithmeticSymbol, Claim, FixedValue, FixedVariables, Formula, FormulaBuilder, FormulaError,
    LinearSystems, MAX_CLAIM_HEAPS, MAX_DEPTH, MAX_NUMBER, MAX_PERIOD, MAX_VARIABLES, Node, Number,
    Period, Relation, STEPS, Slope, Surd, Term, Unknown, divisors, gcd, without_extremes,
};
pub use budget::{Budget, Deadline, LimitReached, Meter, Watch};
pub use coordinates::{Coordinates, TableShape};
pub use digit_system::{DigitSystem, DigitValue};
pub use heap_game::{Digits, Domain, HeapGame, Memory, Moves, Windows};
pub use heap_moves::HeapMoves;
pub use heaps::{HeapList, Heaps, MAX_HEAPS, Rows, positions_in_box, positions_up_to_sides};
pub use names::letters_and_digits;
pub use nimber::{Mex, Nimber, mex};
pub use notation::{
    MoveText, Notation, NotationError, heaps_text, is_in_row_of_signs, is_row_of_signs,
    number_with_noun, write_digits, write_numbers,
};
pub use number_list::{comma_list, comma_list_for, has_dash_or_slash};
pub use outcome::{Outcome, OutcomeClass, Play, Player};
pub use rule_source::{RuleFault, RuleSource};
pub use ruleset::{Consequence, Impartial, Ruleset, Scored, endless};
pub use scanner::{Scanner, WrittenNumber};
pub use sight::{DotsStructure, Group, GroupKind, LineKind};
pub use symmetry::Symmetry;

//! Engines that solve games from their rules.
//!
//! Generic engines work on any ruleset; [`game`] puts one object-safe face on all of them.

pub mod atlas;
pub mod boxes;
pub mod budget;
pub mod cash;
pub mod circulant;
pub mod game;
pub mod margins;
pub mod misere;
pub mod nim_values;
pub mod outcomes;
pub mod sequence;
pub mod sum;
pub mod table;
pub mod wythoff;

pub use budget::{Budget, Meter, Spent, Watch};
pub use game::{Analysis, Game, How, Judgement, Kind, Move, Session};

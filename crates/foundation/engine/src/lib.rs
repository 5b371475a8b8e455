//! Engines that solve games from their rules.
//!
//! Generic engines work on any ruleset; [`game`] puts one object-safe face on all of them.

pub mod atlas;
pub mod cash;
pub mod circulant;
pub mod dots;
pub mod game;
pub mod heap_options;
pub mod heap_tables;
pub mod margins;
pub mod misere;
pub mod nim_values;
pub mod outcomes;
pub mod sequence;
pub mod sum;
pub mod table;
pub mod wythoff;

pub use bouton_core::{Budget, LimitReached, Meter, Watch};
pub use game::{Analysis, BestPlay, Evaluation, Game, Kind, Move, Remark, Session, Settings};

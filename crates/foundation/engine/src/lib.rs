//! Engines that solve any game from its rules, and [`game`], the one object-safe face of all games.
//!
//! No game is known here. A theory with a faster method hands it in as an [`game::Evaluator`] or as a
//! [`game::BoxTables`].

pub mod atlas;
pub mod game;
pub mod margins;
pub mod nim_values;
pub mod outcomes;
pub mod sum;
pub mod table;

pub use game::{Analysis, BestPlay, Evaluation, Game, Kind, Move, Remark, Session, Settings};

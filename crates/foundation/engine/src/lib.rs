//! Engines that solve any game from its rules, and [`game`], the object-safe interface to all
//! games.
//!
//! No game is known here. A theory with a faster method supplies it as a [`game::Evaluator`] or as
//! [`game::BoxTables`].

pub mod box_outcomes;
mod erased;
mod evaluator;
pub mod family;
pub mod game;
pub mod game_graph;
pub mod margins;
pub mod nim_values;
mod numbered;
pub mod outcomes;
pub mod remoteness;
pub mod sum;

pub use game::{Analysis, BestPlay, Evaluation, Game, Kind, Move, Remark, Session, Settings};

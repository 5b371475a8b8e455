//! Engines that solve games from their rules.

pub mod budget;

pub use budget::{Budget, Meter, Spent, Watch};

//! Misère play, beyond outcomes: genera of positions, and misère quotients of taking-and-breaking
//! games.

pub mod genus;
pub mod quotient;

pub use genus::{Genera, Genus};
pub use quotient::{Quotient, QuotientError};

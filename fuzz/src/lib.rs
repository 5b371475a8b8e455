//! Random inputs for every parser, and forged certificates for the checker.

pub mod forge;
pub mod lot;

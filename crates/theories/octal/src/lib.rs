//! Theory of taking-and-breaking games: nim-values of single heaps, their periods, and misère play.

mod codes;
mod findings;
pub mod misere;
pub mod sequence;
mod study;
mod theory;

pub use codes::{code_of, sequence_of};
pub use study::{NimSequenceStudy, Repeats, proof_word};
pub use theory::TakingAndBreaking;

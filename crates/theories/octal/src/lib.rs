//! Taking-and-breaking games, whose positions are sums of heaps: Kayles, Grundy's game and all that
//! have a code such as 0.77.
//!
//! - [`sequence`]: nim-values of single heaps by several engines, and their periods with proofs
//!   and certificates (`sequence/period.rs`).
//! - [`misere`]: genera and misère quotients.
//! - `codes`: which games of the catalogue have a code. `study`, `findings`, `theory`: what
//!   [`TakingAndBreaking`] brings as a theory.
//!
//! Source: R. K. Guy, C. A. B. Smith, *The G-values of various games*, Proc. Camb. Phil. Soc. 52
//! (1956) 514–526; T. E. Plambeck, A. N. Siegel, *Misère quotients for impartial games*, J. Combin.
//! Theory Ser. A 115 (2008) 593–622.

mod codes;
mod findings;
pub mod misere;
pub mod sequence;
mod study;
mod theory;

pub use codes::{code_of, sequence_of};
pub use study::{NimSequenceStudy, Repeats, proof_word};
pub use theory::TakingAndBreaking;

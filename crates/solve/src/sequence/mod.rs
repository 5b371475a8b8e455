//! Nim-sequences of taking-and-breaking games: the nim-values of single heaps 0, 1, 2, …

pub mod code;

pub use code::{Digit, TakeBreak};

//! Theory of taking-and-breaking games: nim-values of single heaps, their periods, and misère play.

pub mod misere;
pub mod sequence;

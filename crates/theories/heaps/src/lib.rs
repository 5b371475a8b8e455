//! Heap games: a position is a list of heap sizes, and a move lowers some of them.
//!
//! [`heap_options`] generates options from moves as data; [`heap_tables`] sweeps whole boxes of
//! positions; [`single_heap`] has tables of one heap, [`splits`] those of one that becomes several;
//! [`evaluator`] implements `Game` for such games, and [`heap_rules`] plays them;
//! [`wythoff`] has rows of nim-values of Wythoff's game.

pub mod evaluator;
pub mod heap_options;
pub mod heap_rules;
pub mod heap_tables;
mod possible_outcomes;
pub mod rings;
pub mod rows;
pub mod single_heap;
pub mod splits;
pub mod wythoff;

pub use evaluator::{ByHeaps, BySweep, impartial, last_move};

//! Heap games: a position is a list of heap sizes, and a move lowers some of them.
//!
//! [`heap_options`] generates options from moves as data; [`heap_tables`] sweeps whole boxes of
//! positions; [`single_heap`] has tables of one heap; [`evaluator`] gives such games the face of
//! all games; [`wythoff`] has rows of nim-values of Wythoff's game.

pub mod evaluator;
pub mod heap_options;
pub mod heap_tables;
pub mod single_heap;
pub mod wythoff;

pub use evaluator::{BySweep, impartial, last_move};

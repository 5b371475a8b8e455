//! Whole boxes of heap games: the P-positions with every heap at most `max`, row by row.
//!
//! [`windows`] says, as plain data, which heaps a move may touch; [`rows`] sweeps the box; [`shrinking`] uses the
//! same sweep for circles that close up.

pub mod rows;
pub mod shrinking;
pub mod windows;

pub use rows::{BoxError, MAX_SIDE, Plan, plan, sweep};
pub use windows::Windows;

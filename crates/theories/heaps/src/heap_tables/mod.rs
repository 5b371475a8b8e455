//! Whole boxes of heap games: the P-positions with every heap at most `max`, row by row.
//!
//! [`windows`] says, as plain data, which heaps a move may touch; [`rows`] sweeps the box;
//! [`shrinking`] uses the same sweep for circles that close up; [`values`] finds nim-values. Where
//! moves are given by what leaves, box by box: [`takings`], and what follows leading digits:
//! [`endings`].

mod endings;
mod game;
mod layout;
mod lines;
mod marks;
mod pairs;
pub mod rows;
mod shifts;
pub mod shrinking;
mod slabs;
#[cfg_attr(target_family = "wasm", path = "no_spanwise.rs")]
mod spanwise;
mod stepwise;
mod takings;
pub mod values;
pub mod windows;
mod words;

pub use endings::Endings;
pub use game::HeapSweep;
pub use lines::Lines;
pub use rows::{HeapTableError, Limits, MAX_SIDE, Part, Plan, plan, plan_within, sweep, sweep_pieces};
pub use shifts::Shifts;
pub use spanwise::Spanwise;
pub use stepwise::Stepwise;
pub use takings::{Swept, Takings};
pub use windows::Windows;

/// Returns a generator of numbers below what it is asked for, the same for the same seed.
#[cfg(test)]
pub(crate) fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

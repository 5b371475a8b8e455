//! Heaps that become several, each of which is played by itself: the values of all options of a
//! heap, and the heaps that are lost.
//!
//! [`Loops`], [`Ranges`] and [`SubtractionSet`] read a rule; [`Marks`] collects the values of the
//! options that they find for the next heap of a [`ValueTable`].

#[cfg(not(target_family = "wasm"))]
mod loops;
#[cfg(not(target_family = "wasm"))]
pub mod lost;
#[cfg(not(target_family = "wasm"))]
mod ranges;
mod subtraction_set;
mod value_table;

#[cfg(not(target_family = "wasm"))]
pub use loops::Loops;
#[cfg(not(target_family = "wasm"))]
pub use ranges::Ranges;
pub use subtraction_set::SubtractionSet;
pub use value_table::{Marks, ValueTable};

/// Steps of the search for the options of one position, at most.
pub const STEPS: u64 = 1 << 23;

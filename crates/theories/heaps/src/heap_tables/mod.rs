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
mod rays;
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
pub use game::{HeapSweep, RowSweep};
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

/// Returns nim-values, and in misère play whether they are P-positions, of positions of stated moves
/// by trying each pair. The options of a position stand before it; heaps come first, then what is
/// remembered.
#[cfg(test)]
pub(crate) fn by_trying(
    condition: &bouton_core::Formula,
    heaps: usize,
    all: &[Vec<u32>],
) -> Vec<(u32, bool)> {
    let mut found: Vec<(u32, bool)> = Vec::new();
    for p in all {
        let is_option = |q: &[u32]| {
            let values: Vec<u64> =
                p.iter().zip(q).flat_map(|(p, q)| [u64::from(*p), u64::from(*q)]).collect();
            q[..heaps].iter().zip(p).all(|(q, p)| q <= p)
                && q[..heaps] != p[..heaps]
                && condition.holds(&values).expect("a condition has a truth for each pair")
        };
        let options: Vec<(u32, bool)> =
            all.iter().zip(&found).filter(|(q, _)| is_option(q)).map(|(_, found)| *found).collect();
        let value = (0..).find(|value| options.iter().all(|(other, _)| other != value));
        let value = value.expect("there are more numbers than options");
        found.push((value, !options.is_empty() && !options.iter().any(|(_, is_p)| *is_p)));
    }
    found
}

//! Whole boxes of heap games: the P-positions with every heap at most `max`, row by row.
//!
//! [`windows`] says, as plain data, which heaps a move may touch; [`rows`] sweeps the box;
//! [`shrinking`] uses the same sweep for circles that close up; [`values`] finds nim-values. Where
//! moves are given by what leaves, box by box: [`takings`], and what follows leading digits:
//! [`residuals`].

mod game;
mod layout;
mod lines;
mod marks;
mod pairs;
mod rays;
mod residuals;
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

pub use game::{HeapSweep, RowSweep};
pub use lines::Lines;
pub use residuals::Residuals;
pub use rows::{
    BoxPart, HeapTableError, Limits, MAX_SIDE, Plan, plan, plan_within, sweep, sweep_pieces,
};
pub use shifts::Shifts;
pub use spanwise::Spanwise;
pub use stepwise::Stepwise;
pub use takings::{SubtractionVectors, Swept};
pub use windows::Windows;

/// Returns a generator of numbers below what it is asked for, the same for the same seed.
#[cfg(test)]
pub(crate) fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

/// Returns nim-values, and in misère play whether they are P-positions, of positions of stated
/// moves by trying each pair. The options of a position stand before it; heaps come first, then
/// what is remembered.
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

/// Compares the tables of a box with positions of which [`by_trying`] found nim-values and, in
/// misère play, whether they are P; and what is spent on outcomes with the number of positions.
#[cfg(test)]
pub(crate) fn compare_tables(
    tables: &dyn bouton_engine::game::BoxTables,
    max: u32,
    found: impl Iterator<Item = (Vec<u32>, (u32, bool))>,
    positions: u128,
    game: &str,
) {
    use bouton_core::{Budget, Meter, Play};
    use std::ops::ControlFlow::Continue;

    const BYTES: u64 = 1 << 30;
    let found: Vec<(Vec<u64>, (u32, bool))> =
        found.map(|(p, known)| (p.into_iter().map(u64::from).collect(), known)).collect();
    let mut values = Vec::new();
    let end =
        tables.nim_values(max, BYTES, &mut Meter::new(&Budget::default()), &mut |p, value| {
            values.push((p.to_vec(), value.0));
            Continue(())
        });
    assert_eq!(end, Ok(()), "{game}");
    let expected: Vec<_> = found.iter().map(|(p, (value, _))| (p.clone(), *value)).collect();
    assert_eq!(values, expected, "{game}");
    for play in [Play::Normal, Play::Misere] {
        let (mut listed, mut meter) = (Vec::new(), Meter::new(&Budget::default()));
        let end = tables.p_positions(max, play, BYTES, &mut meter, &mut |p| {
            listed.push(p.to_vec());
            Continue(())
        });
        assert_eq!((end, u128::from(meter.nodes())), (Ok(()), positions), "{game}");
        let is_p = |(_, (value, misere)): &&(Vec<u64>, (u32, bool))| match play {
            Play::Normal => *value == 0,
            Play::Misere => *misere,
        };
        let expected: Vec<_> = found.iter().filter(is_p).map(|(p, _)| p.clone()).collect();
        assert_eq!(listed, expected, "{game} {play}");
    }
}

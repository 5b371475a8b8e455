//! Whole boxes of heap games: the P-positions, or the nim-values, of all positions with every heap
//! at most `max`.
//!
//! A *sweep* settles the positions of a box in an order in which options come first. Which sweep
//! takes a game depends on how its moves read as data ([`crate::heap_options`]). A *taking* is the
//! list of numbers of tokens that a move takes from the heaps; a *cone* is a least taking and any
//! multiples of some steps added to it.
//!
//! - [`rows`]: any tokens from the heaps of a face: Nim, Moore's Nim, circular Nim ([`Windows`]).
//!   Finds P-positions, heaps to 1,023. Time: faces · heaps / 64 a position. Memory: a bit for each
//!   position of a slab and face.
//! - `pairs`: the same on two heaps. Finds P-positions, any heaps. Time: constant for each size of
//!   the first heap. Memory: a bit for each size.
//! - [`values`]: as `rows`. Finds nim-values, heaps to 1,023. Time: faces · heaps / 64 a position
//!   and 64 values. Memory: a set of values for each place of a slab and face.
//! - [`shrinking`]: circular Nim whose circle closes up where a heap is emptied. Finds both, heaps
//!   to 1,023. Time: as `rows` and `values`. Memory: as those, and the boxes of smaller circles.
//! - [`ConeSweep`]: cones whose steps are one token of one heap, the same from all positions:
//!   subtraction games on several heaps, Nim with a least taking. Finds both, heaps to 4,095. Time:
//!   cones / 64 a position, for each value. Memory: as many slabs as the deepest cone goes back, a
//!   bit a position; for each value as many.
//! - [`LineConeSweep`]: cones along any directions: Wythoff's game and its kin. Finds P-positions,
//!   heaps to 65,535; nim-values, 65,534 tokens in all. Time: cones / 64 a position, for each
//!   value. Memory: for each cone as many slabs as its step goes back; for each value as many.
//! - `MarkSweep`: cones of `LineConeSweep` with one step at most on two or three heaps, if the last
//!   heap may be lowered to any size. Finds P-positions. Time: steps · side / 64 a row. Memory: a
//!   bit for each size on each line; for three heaps rows of the slabs that cones go back to.
//! - `RaySweep`: cones of `LineConeSweep` that are single takings or all multiples of one step.
//!   Finds nim-values. Time: cones a position, and a look at words of 64 values that no line has
//!   full. Memory: the values, and a set of values for each line.
//! - [`SpanSweep`]: moves that lower one heap, within bounds and to remainders that depend on all
//!   numbers, and others by constants; also with what is remembered of the last move
//!   ([`Span`](crate::heap_options::Span)). Finds both; the heaps may have bounds of their own.
//!   Time: P-positions: options / 64 a position; nim-values: a step for each heap if all sizes from
//!   a bound on are reached, else one for each option. Memory: P-positions: a bit a position;
//!   nim-values: a size for each value and line, or 32 bits a position.
//! - [`RunSweep`]: moves by linear comparisons that no sweep above takes, as those that lower
//!   several heaps by numbers that depend on the heaps. Finds both. Time: options a position; runs
//!   along the last heap at 64 a step. Memory: a bit a position; nim-values: 32 bits.
//!
//! [`HeapSweep`] is the first of these sweeps, to `RaySweep`, that takes a game; the evaluator
//! ([`crate::evaluator`]) tries it before [`crate::single_heap`] (one heap whose options are ranges
//! of sizes), [`SpanSweep`] and [`RunSweep`], in this order. How each works stands in its module
//! and in docs/design/boxes.md.
//!
//! Two sweeps serve guesses about subtraction games, whose takings [`SubtractionVectors`] lists:
//! [`OutcomeBox`] keeps the box as bits, and [`Residuals`] for every tuple of leading binary digits
//! a sum that says which digits after it make a P-position. Both come from the rows of
//! [`ConeSweep`].
//!
//! Below the sweeps: `layout` says where tables of a box are kept, `slab_pipeline` shares a box
//! among threads, `words` has sets of small numbers.

mod cone_sweep;
mod game;
mod layout;
mod line_cone_sweep;
mod mark_sweep;
mod pairs;
mod ray_sweep;
mod residuals;
pub mod rows;
mod run_sweep;
pub mod shrinking;
mod slab_pipeline;
#[cfg_attr(target_family = "wasm", path = "span_sweep_stub.rs")]
mod span_sweep;
mod subtraction_vectors;
pub mod values;
pub mod windows;
mod words;

pub use cone_sweep::ConeSweep;
pub use game::{HeapSweep, RowSweep};
pub use line_cone_sweep::LineConeSweep;
pub use residuals::Residuals;
pub use rows::{
    BoxPart, HeapTableError, Limits, MAX_SIDE, Plan, plan, plan_within, sweep, sweep_pieces,
};
pub use run_sweep::RunSweep;
pub use span_sweep::SpanSweep;
pub use subtraction_vectors::{OutcomeBox, SubtractionVectors};
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
/// moves by trying each pair. The options of a position are before it; heaps come first, then
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

//! Positions by number.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Positions, each once, numbered in the order in which they come.
pub(crate) struct Numbered<P> {
    positions: Vec<P>,
    numbers: FxHashMap<P, u32>,
}

impl<P: Clone + Eq + Hash> Numbered<P> {
    pub(crate) fn new() -> Numbered<P> {
        Numbered { positions: Vec::new(), numbers: FxHashMap::default() }
    }

    /// Returns the number of a position, which is new if the position is.
    #[inline(never)]
    pub(crate) fn number(&mut self, p: P) -> u32 {
        let Numbered { positions, numbers } = self;
        *numbers.entry(p).or_insert_with_key(|p| {
            positions.push(p.clone());
            u32::try_from(positions.len() - 1).expect("fewer than 2^32 positions fit in memory")
        })
    }

    /// Returns all positions, by number.
    pub(crate) fn positions(&self) -> &[P] {
        &self.positions
    }

    /// Returns all positions, by number.
    pub(crate) fn into_positions(self) -> Vec<P> {
        self.positions
    }
}

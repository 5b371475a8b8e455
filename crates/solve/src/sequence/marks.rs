//! Sums marked for 64 heaps at once: what [`super::pairs`] knows of a heap before it looks through its splits.
//!
//! While all values are bytes, the kernel of [`super::sparse`] marks the sums of a heap with what stands before 64 neighbouring
//! heaps in a few instructions a heap, where one by one a sum takes six. Marks spare searches and decide nothing by
//! themselves, but where all rare heaps are among them: then a common value that is not marked is no sum.

use super::kernel::{LANES, Sets, Simd, Term};
use super::moves::Moves;

/// The sums marked for a block of heaps.
#[derive(Debug)]
pub struct Marks {
    start: usize,
    /// Values below 128, and the others.
    sets: [Sets; 2],
    /// Values from this on are not marked.
    pub limit: usize,
    /// Whether all sums of rare heaps are marked, but those of [`Marks::visit_rares`].
    pub all_rares: bool,
    /// What was left open so far in this block, of common values and of rare ones.
    pub open: [usize; 2],
}

/// Values of a set below 256.
pub type Seen = [u64; 4];

/// Codes of one call of the kernel, and of one of its planes.
const CODES: usize = 128;
const PLANE: usize = 8;

impl Marks {
    /// Marks for the heaps from `bytes.len()` on the sums of these rare heaps, and of so many others, small ones. `most` is the
    /// largest value so far.
    pub fn new(
        simd: Simd,
        moves: &Moves,
        bytes: &[u8],
        rares: &[u32],
        all_rares: bool,
        small: usize,
        most: usize,
    ) -> Marks {
        let start = bytes.len();
        let mut terms = Vec::with_capacity((rares.len() + small) * moves.pairs.len());
        for (taken, _) in &moves.pairs {
            let shift = |heap: usize| heap + taken;
            let few = LANES.saturating_sub(*taken).max(1)..start / 2;
            let small = few.take(small);
            let heaps = rares.iter().map(|rare| *rare as usize).chain(small);
            let far = heaps.filter(|heap| (LANES..start).contains(&shift(*heap)));
            terms.extend(far.map(|heap| Term { shift: shift(heap) as u32, byte: bytes[heap] }));
        }
        let planes = most / PLANE + 1;
        let mut sets = [[[0; 2]; LANES]; 2];
        for (half, (sets, flip)) in sets.iter_mut().zip([0, CODES as u8]).enumerate() {
            let planes = planes.saturating_sub(half * CODES / PLANE).min(CODES / PLANE);
            if planes > 0 {
                simd.mark(bytes, start, &terms, flip, planes, sets);
            }
        }
        Marks { start, sets, limit: planes * PLANE, all_rares, open: [0; 2] }
    }

    /// Whether these are marks of heap `n`.
    pub fn has(&self, n: usize) -> bool {
        (self.start..self.start + LANES).contains(&n)
    }

    /// The values marked at heap `n`.
    pub fn seen(&self, n: usize) -> Seen {
        let [low, high] = [0, 1].map(|half| self.sets[half][n - self.start]);
        [low[0], low[1], high[0], high[1]]
    }

    /// Visits the splits of heap `n` that have a rare heap and are too near for the kernel: each once or twice.
    pub fn visit_rares(&self, moves: &Moves, rares: &[u32], n: usize, mut visit: impl FnMut(usize, usize)) {
        for (taken, unequal) in &moves.pairs {
            let shift = |rare: u32| rare as usize + taken;
            let first = rares.iter().take_while(|rare| shift(**rare) < LANES.min(n));
            let last = rares.iter().rev().take_while(|rare| shift(**rare) >= self.start.max(LANES));
            for rare in first.chain(last.filter(|rare| shift(**rare) < n)) {
                let (rare, other) = (*rare as usize, n - shift(*rare));
                if !unequal || rare != other {
                    visit(rare, other);
                }
            }
        }
    }
}

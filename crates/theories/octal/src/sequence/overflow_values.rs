//! Heaps with values above 255 in a sequence whose other values are bytes.
//!
//! Their sums with other heaps exceed a byte, too; only sums of two of them may not. Such a sum is
//! common if one of the two is rare. Each rare one therefore keeps a cursor for each move, which
//! advances along the common ones to the heap that the next sum belongs to. There may be very many
//! heaps as long as few are rare: 13 of 2.7·10⁸ in Grundy's game.

use super::moves::CodeMoves;
use super::space::SparseSpace;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The least of these values.
pub const FIRST_OVERFLOW: u32 = 256;

/// Returns the maximum number of them among `heaps` heaps; each costs a scan of all rare heaps.
pub fn max_count(heaps: usize) -> usize {
    64 + heaps / 1024
}

/// Returns the maximum number of rare ones; every common one passes each of them.
fn max_rare_count(heaps: usize) -> usize {
    max_count(heaps).min(1 << 14)
}

/// Heaps above 255 with their values.
#[derive(Debug, Default)]
pub struct OverflowValues {
    /// All of them, ascending by heap.
    heaps: Vec<(usize, u32)>,
    /// Those of rare value.
    rares: Vec<(usize, u32)>,
    /// For each rare one and move, the next common sum: its heap, the rare one, the move, the index
    /// of the common one.
    next: BinaryHeap<Reverse<(usize, u32, u32, usize)>>,
    /// Rare ones and moves that have passed all common ones.
    waiting: Vec<(u32, u32)>,
    /// The heap of the last query, and its sums.
    here: (usize, Vec<u32>),
}

impl OverflowValues {
    /// Creates the list from heaps in ascending order; the values of `known` heaps are known.
    /// Chooses the bits of the mask beyond a byte.
    pub fn new(
        heaps: Vec<(usize, u32)>,
        space: &mut SparseSpace,
        moves: &CodeMoves,
        known: usize,
    ) -> OverflowValues {
        space.mask = fewest_rare(&heaps, space);
        let rares =
            heaps.iter().filter(|(n, value)| !space.is_common(*value, *n)).copied().collect();
        let mut large = OverflowValues { heaps, rares, ..OverflowValues::default() };
        (0..large.rares.len()).for_each(|rare| large.point(space, moves, rare, known));
        large
    }

    /// Chooses the bits of the mask beyond a byte again if more than half of the heaps are rare.
    /// Bytes keep their meaning.
    pub fn choose_space_again(&mut self, space: &mut SparseSpace, moves: &CodeMoves, known: usize) {
        if 2 * self.rares.len() > self.heaps.len() {
            let here = std::mem::take(&mut self.here);
            *self = OverflowValues {
                here,
                ..OverflowValues::new(std::mem::take(&mut self.heaps), space, moves, known)
            };
        }
    }

    /// Returns all of them, ascending.
    pub fn heaps(&self) -> &[(usize, u32)] {
        &self.heaps
    }

    /// Returns those of rare value, ascending.
    pub fn rares(&self) -> &[(usize, u32)] {
        &self.rares
    }

    /// Returns whether they are few enough among `heaps` heaps to be listed separately.
    pub fn are_few(&self, heaps: usize) -> bool {
        self.heaps.len() <= max_count(heaps) && self.rares.len() <= max_rare_count(heaps)
    }

    /// Returns the value of heap `n` if it is one of these.
    pub fn value(&self, n: usize) -> Option<u32> {
        let place = self.heaps.binary_search_by_key(&n, |large| large.0).ok()?;
        Some(self.heaps[place].1)
    }

    /// Adds heap `n`, the next one whose value is found.
    pub fn push(&mut self, space: &SparseSpace, moves: &CodeMoves, n: usize, value: u32) {
        self.heaps.push((n, value));
        if space.is_common(value, n) {
            for (rare, pair) in std::mem::take(&mut self.waiting) {
                self.seek(space, moves, rare, pair, self.heaps.len() - 1);
            }
        } else {
            self.rares.push((n, value));
            self.point(space, moves, self.rares.len() - 1, n + 1);
        }
    }

    /// Returns the common sums of two of them that are options of heap `n`. Queries ascend, without
    /// gaps.
    #[inline]
    pub fn sums(&mut self, space: &SparseSpace, moves: &CodeMoves, n: usize) -> &[u32] {
        if self.here.0 != n {
            self.here.0 = n;
            self.here.1.clear();
            while self.next.peek().is_some_and(|next| next.0.0 <= n) {
                self.take_next(space, moves);
            }
        }
        &self.here.1
    }

    fn take_next(&mut self, space: &SparseSpace, moves: &CodeMoves) {
        if let Some(Reverse((heap, rare, pair, place))) = self.next.pop() {
            if heap == self.here.0 {
                self.here.1.push(self.rares[rare as usize].1 ^ self.heaps[place].1);
            }
            self.seek(space, moves, rare, pair, place + 1);
        }
    }

    /// Moves the cursors of a rare one to the first sums of heap `from` or a larger one.
    fn point(&mut self, space: &SparseSpace, moves: &CodeMoves, rare: usize, from: usize) {
        for (pair, (taken, _)) in moves.pairs.iter().enumerate() {
            let with = self.rares[rare].0 + taken;
            let place = self.heaps.partition_point(|(n, _)| n + with < from);
            self.seek(space, moves, rare as u32, pair as u32, place);
        }
    }

    /// Moves a cursor of a rare one to its sum with the first common one from an index on.
    fn seek(&mut self, space: &SparseSpace, moves: &CodeMoves, rare: u32, pair: u32, from: usize) {
        match (from..self.heaps.len())
            .find(|place| space.is_common(self.heaps[*place].1, self.heaps[*place].0))
        {
            Some(place) => {
                let heap = self.heaps[place].0
                    + self.rares[rare as usize].0
                    + moves.pairs[pair as usize].0;
                self.next.push(Reverse((heap, rare, pair, place)));
            }
            None => self.waiting.push((rare, pair)),
        }
    }
}

/// Returns the mask of a space with the bits of the second byte that make the fewest of these heaps
/// rare; higher bits are 0.
fn fewest_rare(heaps: &[(usize, u32)], space: &SparseSpace) -> u32 {
    // By second byte, how many more heaps would be common without any of its bits.
    let mut more = [0i64; 256];
    let bytes = SparseSpace { mask: space.mask & (FIRST_OVERFLOW - 1), ..*space };
    for (n, value) in heaps {
        more[(*value >> 8) as usize & 255] += if bytes.is_common(*value, *n) { 1 } else { -1 };
    }
    let common = |mask: u32| {
        let even = |second: u32| (second & mask).count_ones().is_multiple_of(2);
        (0..256)
            .map(|second| if even(second) { more[second as usize] } else { -more[second as usize] })
            .sum::<i64>()
    };
    bytes.mask | (0..256).rev().max_by_key(|mask| common(*mask)).unwrap_or(0) << 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::TakeAndBreakCode;
    use std::collections::BTreeSet;

    /// Compares with all sums of two, for heaps that are added later and some known before.
    #[test]
    fn each_common_sum_is_visited_once_at_its_heap() {
        let moves = CodeMoves::new(&TakeAndBreakCode::parse("4!.0407").unwrap()).unwrap();
        let mut space = SparseSpace { mask: 0b0101_0110, by_position: None };
        let heaps: Vec<(usize, u32)> =
            (0..90).map(|i| (300 + 7 * i + i * i % 5, 256 + (i * i * 37 % 300) as u32)).collect();
        for there in [0, 1, 40, 90] {
            let known = heaps.get(there).map_or(2000, |(n, _)| *n);
            let mut large = OverflowValues::new(heaps[..there].to_vec(), &mut space, &moves, known);
            let rare = |mask: u32| {
                heaps[..there]
                    .iter()
                    .filter(|(_, value)| (value & mask).count_ones().is_multiple_of(2))
                    .count()
            };
            assert!((0..4).all(|more| large.rares().len() <= rare(0b0101_0110 | more << 8)));
            let mut visited = 0;
            for n in known..2000 {
                // A repeated query has the same answer.
                assert_eq!(
                    large.sums(&space, &moves, n).len(),
                    large.sums(&space, &moves, n).len()
                );
                let mut found = large.sums(&space, &moves, n).to_vec();
                let mut expected = Vec::new();
                for (taken, unequal) in &moves.pairs {
                    for (i, (a, v)) in heaps.iter().enumerate() {
                        for (b, w) in heaps[i..]
                            .iter()
                            .filter(|(b, _)| a + b + taken == n && !(*unequal && a == b))
                        {
                            expected.extend(Some(v ^ w).filter(|sum| space.is_common(*sum, a + b)));
                        }
                    }
                }
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{n}");
                visited += found.len();
                if let Some((_, value)) = heaps.iter().find(|(heap, _)| *heap == n) {
                    large.push(&space, &moves, n, *value);
                }
            }
            assert!(visited > 500 || there == 90, "{visited}");
            let rares: BTreeSet<_> = large.rares().iter().copied().collect();
            assert!(
                heaps.iter().all(|heap| rares.contains(heap) != space.is_common(heap.1, heap.0))
            );
        }
    }
}

//! Sets of cells of a circle as machine words, as wide as the circle needs.

use super::MAX_CELLS;
use super::position::rotated;
use std::hash::Hash;

/// A set of cells.
pub(super) trait Cells: Copy + Eq + Hash + Send + Sync {
    /// No cell.
    const EMPTY: Self;
    /// How many cells there may be.
    const CAPACITY: usize;
    /// Returns the set with these bits, all below [`Cells::CAPACITY`].
    fn of(words: [u64; MAX_CELLS / 64]) -> Self;
    /// Returns the first 64 cells.
    fn low(self) -> u64;
    /// Returns those in either.
    fn or(self, other: Self) -> Self;
    /// Returns those in both.
    fn and(self, other: Self) -> Self;
    /// Returns those here that are not in `other`.
    fn minus(self, other: Self) -> Self;
    /// Returns whether there is none.
    fn is_empty(self) -> bool;
    /// Returns whether there is one at most.
    fn is_lone(self) -> bool;
    /// Returns how many.
    fn count(self) -> usize;
    /// Returns the least, of one at least.
    fn least(self) -> usize;
    /// Returns the set with the cell `by` of the circle of n, 0 to n − 1, called 0; `all` are its
    /// cells.
    fn rotated(self, by: usize, n: usize, all: Self) -> Self;

    #[inline(always)]
    fn one(cell: usize) -> Self {
        let mut words = [0; MAX_CELLS / 64];
        words[cell / 64] = 1 << (cell % 64);
        Self::of(words)
    }
}

macro_rules! cells {
    ($($word:ty),*) => {$(
        impl Cells for $word {
            const EMPTY: Self = 0;
            const CAPACITY: usize = <$word>::BITS as usize;
            #[inline(always)]
            fn of(words: [u64; MAX_CELLS / 64]) -> Self {
                (u128::from(words[1]) << 64 | u128::from(words[0])) as $word
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self & !other
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn is_lone(self) -> bool {
                self & self.wrapping_sub(1) == 0
            }
            #[inline(always)]
            fn count(self) -> usize {
                self.count_ones() as usize
            }
            #[inline(always)]
            fn least(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn rotated(self, by: usize, n: usize, all: Self) -> Self {
                if by == 0 {
                    return self;
                }
                (self >> by | self << (n - by)) & all
            }
        }
    )*};
}

cells!(u64, u128);

impl Cells for [u64; MAX_CELLS / 64] {
    const EMPTY: Self = [0; MAX_CELLS / 64];
    const CAPACITY: usize = MAX_CELLS;
    #[inline(always)]
    fn of(words: [u64; MAX_CELLS / 64]) -> Self {
        words
    }
    #[inline(always)]
    fn low(self) -> u64 {
        self[0]
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        let mut cells = self;
        cells.iter_mut().zip(other).for_each(|(cells, more)| *cells |= more);
        cells
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        let mut cells = self;
        cells.iter_mut().zip(other).for_each(|(cells, more)| *cells &= more);
        cells
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let mut cells = self;
        cells.iter_mut().zip(other).for_each(|(cells, more)| *cells &= !more);
        cells
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
    #[inline(always)]
    fn is_lone(self) -> bool {
        self.count() <= 1
    }
    #[inline(always)]
    fn count(self) -> usize {
        self.iter().map(|word| word.count_ones() as usize).sum()
    }
    #[inline(always)]
    fn least(self) -> usize {
        let word = self.iter().position(|word| *word != 0).unwrap_or(0);
        64 * word + self[word].trailing_zeros() as usize
    }
    #[inline(always)]
    fn rotated(self, by: usize, n: usize, _all: Self) -> Self {
        rotated(self, by, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against lists of cells, on every circle that fits; a set holds the multiples of each number.
    fn like_lists<C: Cells>() {
        for n in (1..=C::CAPACITY).filter(|n| *n < 70 || n % 61 < 3 || *n == C::CAPACITY) {
            let set =
                |list: &[usize]| list.iter().fold(C::EMPTY, |set, cell| set.or(C::one(*cell)));
            let all = set(&(0..n).collect::<Vec<usize>>());
            for multiple in [1, 3, 7, 50, 300] {
                let list: Vec<usize> = (0..n).step_by(multiple).collect();
                let cells = set(&list);
                assert_eq!(
                    (cells.count(), cells.least(), cells.is_lone()),
                    (list.len(), 0, list.len() == 1)
                );
                assert_eq!(
                    cells.low(),
                    list.iter().filter(|c| **c < 64).fold(0, |low, c| low | 1 << c)
                );
                assert!(
                    cells.minus(all).is_empty() && cells.and(all) == cells && !cells.is_empty()
                );
                for by in 0..n {
                    let rotated: Vec<usize> = list.iter().map(|cell| (cell + n - by) % n).collect();
                    assert!(cells.rotated(by, n, all) == set(&rotated), "{n} {multiple} {by}");
                }
            }
        }
    }

    #[test]
    fn cells_are_sets() {
        like_lists::<u64>();
        like_lists::<u128>();
        like_lists::<[u64; MAX_CELLS / 64]>();
    }
}

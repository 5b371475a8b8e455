//! Nim-values (Grundy numbers) and the minimal excludant.
//!
//! Source: R. P. Sprague, *Über mathematische Kampfspiele*, Tôhoku Math. J. 41 (1936); P. M.
//! Grundy, *Mathematics and games*, Eureka 2 (1939). In normal play every finite impartial position
//! equals one nim-heap.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

/// A nim-value `*n`: the size of the nim-heap that a position equals in normal play. Sums add with
/// `^`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Nimber(pub u32);

impl BitXor for Nimber {
    type Output = Nimber;
    fn bitxor(self, other: Nimber) -> Nimber {
        Nimber(self.0 ^ other.0)
    }
}

impl BitXorAssign for Nimber {
    fn bitxor_assign(&mut self, other: Nimber) {
        self.0 ^= other.0;
    }
}

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "*{}", self.0)
    }
}

/// Returns the least number that does not occur: `mex {0, 1, 2, 6} = 3`.
pub fn mex(values: impl IntoIterator<Item = Nimber>) -> Nimber {
    let mut seen = Mex::default();
    values.into_iter().for_each(|v| seen.insert(v));
    seen.value()
}

/// A set of nim-values under construction, to take its mex. Reusable: [`Mex::clear`] keeps the
/// memory.
///
/// Holds one bit a value up to the greatest inserted; O(1) an insertion, O(greatest/64) a mex.
#[derive(Debug, Clone, Default)]
pub struct Mex {
    words: Vec<u64>,
}

impl Mex {
    /// Forgets all values.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Adds one value.
    pub fn insert(&mut self, value: Nimber) {
        let (word, bit) = (value.0 as usize / 64, value.0 % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    /// Returns the least value not inserted.
    pub fn value(&self) -> Nimber {
        let full = self.words.iter().take_while(|w| **w == u64::MAX).count();
        let rest = self.words.get(full).map_or(0, |w| w.trailing_ones());
        Nimber((full * 64) as u32 + rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of Heubach & Dufour's slides on circular Nim.
    #[test]
    fn mex_of_the_slides() {
        assert_eq!(mex([1, 4, 5, 7].map(Nimber)), Nimber(0));
        assert_eq!(mex([0, 1, 2, 6].map(Nimber)), Nimber(3));
        assert_eq!(mex([]), Nimber(0));
    }

    #[test]
    fn mex_past_a_word() {
        assert_eq!(mex((0..200).map(Nimber)), Nimber(200));
        assert_eq!(mex((0..200).filter(|v| *v != 64).map(Nimber)), Nimber(64));
    }
}

//! Sparse spaces: the division of the nim-values of a game that splits heaps in two into rare and
//! common ones.
//!
//! Fix a mask. A value is common if the parity of `popcount(value & mask)` is odd, rare if it is
//! even. The sum of two rare or two common values is rare, the sum of a rare and a common value is
//! common. So only sums with a rare term can equal a common value: if few heaps are rare, the least
//! common value that is not an option follows from few sums. In a space by position the parity of
//! the heap's size is added; the rule of sums then holds if every move that leaves two heaps takes
//! a number of tokens of the same parity. The rule holds for every mask, so a poor choice costs
//! time but never a wrong value.
//!
//! ```text
//!  byte of a value below 256:   | class (1 = common) | 7 bits of the code |
//! ```
//!
//! One bit of the value is determined by the class and the other bits; the class takes its place.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, ch. 4; A. Gangolli, T.
//! Plambeck, *A note on periodicity in some octal games*, Int. J. Game Theory 18 (1989).

/// A sparse space with its encoding of values as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparseSpace {
    /// The mask, at least 1. If values are bytes, its last byte is not 0, and its other bytes apply
    /// to the few values above 255.
    pub mask: u32,
    /// The parity of the tokens that two-heap moves take if the parity of the heap's size counts,
    /// else `None`.
    pub by_position: Option<usize>,
}

/// The bit of a byte that marks a common value.
pub const COMMON: u8 = 0x80;

/// Number of occurrences of each value at even and at odd sizes.
#[derive(Debug)]
pub struct ValueCounts {
    counts: [Vec<i64>; 2],
}

impl ValueCounts {
    /// Creates counts of values below `bound`, a power of two.
    pub fn new(bound: usize) -> ValueCounts {
        ValueCounts { counts: [vec![0; bound.max(2)], vec![0; bound.max(2)]] }
    }

    /// Adds `heaps` occurrences of `value` at sizes of the parity of `size`.
    #[inline]
    pub fn add(&mut self, size: usize, value: u32, heaps: i64) {
        self.counts[size % 2][value as usize] += heaps;
    }

    /// Returns the space in which the fewest of the counted values are rare, and their number.
    ///
    /// `parity` is that of the tokens which all two-heap moves take, if they agree. All masks are
    /// evaluated at once by a Walsh–Hadamard transform: O(bound·log bound).
    pub fn choose(self, parity: Option<usize>) -> (SparseSpace, u64) {
        let total: i64 = self.counts.iter().flatten().sum();
        // For each mask, how many more counted values have even parity than odd.
        let [even, odd] = self.counts.map(|mut counts| {
            let mut half = 1;
            while half < counts.len() {
                for pair in counts.chunks_exact_mut(2 * half) {
                    let (low, high) = pair.split_at_mut(half);
                    low.iter_mut().zip(high).for_each(|(a, b)| (*a, *b) = (*a + *b, *a - *b));
                }
                half *= 2;
            }
            counts
        });
        let by_value = (1..even.len()).map(|mask| (None, mask, even[mask] + odd[mask]));
        let by_position = parity.into_iter().flat_map(|parity| {
            let turned = if parity == 0 { 1 } else { -1 };
            let (even, odd) = (&even, &odd);
            (1..even.len()).map(move |mask| (Some(parity), mask, turned * (even[mask] - odd[mask])))
        });
        let (by_position, mask, more) = by_value
            .chain(by_position)
            .min_by_key(|(by_position, mask, more)| (*more, *by_position, *mask))
            .expect("at least one mask");
        (SparseSpace { mask: mask as u32, by_position }, ((total + more) / 2) as u64)
    }
}

impl SparseSpace {
    /// Returns whether `value` is common at heaps of this size.
    pub fn is_common(&self, value: u32, size: usize) -> bool {
        let turn = self.by_position.is_some_and(|parity| (size ^ parity) & 1 == 1);
        ((value & self.mask).count_ones() % 2 == 1) != turn
    }

    /// Returns the class bit if bytes are flipped at heaps of this size, else 0.
    #[inline]
    pub fn class_flip(&self, size: usize) -> u8 {
        match self.by_position {
            Some(parity) if (size ^ parity) & 1 == 1 => COMMON,
            _ => 0,
        }
    }

    /// Returns the byte of a value below 256 before the flip. The map is linear, and monotone
    /// within a class.
    pub fn encode(&self, value: u32) -> u8 {
        self.encode_paged(value).0
    }

    /// Returns the value of a byte before the flip.
    pub fn decode(&self, byte: u8) -> u32 {
        self.decode_paged(byte, 0)
    }

    /// Returns the byte of a value below 2^16 before the flip, and the page with the remaining bits
    /// of its code. The map is linear, and monotone within a class.
    pub fn encode_paged(&self, value: u32) -> (u8, u8) {
        let class = if (value & self.mask).count_ones() % 2 == 1 { COMMON } else { 0 };
        let low = (1u32 << self.mask.trailing_zeros()) - 1;
        let code = value & low | (value >> 1) & !low;
        ((code & 0x7F) as u8 | class, (code >> 7) as u8)
    }

    /// Returns the value of a byte before the flip and a page.
    pub fn decode_paged(&self, byte: u8, page: u8) -> u32 {
        let code = u32::from(page) << 7 | u32::from(byte & !COMMON);
        let bit = self.mask.trailing_zeros();
        let low = (1u32 << bit) - 1;
        let value = code & low | (code & !low) << 1;
        let class = u32::from(byte >> 7) ^ (value & self.mask).count_ones() & 1;
        value | class << bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_linear_and_keep_the_order_in_a_class() {
        for mask in 1..256 {
            let space = SparseSpace { mask, by_position: None };
            for v in 0..256 {
                assert_eq!(space.decode(space.encode(v)), v);
                assert_eq!(space.is_common(v, 0), space.encode(v) & COMMON != 0);
                for w in 0..256 {
                    assert_eq!(space.encode(v ^ w), space.encode(v) ^ space.encode(w));
                    if space.is_common(v, 0) == space.is_common(w, 0) {
                        assert_eq!(
                            v < w,
                            space.encode(v) < space.encode(w),
                            "mask {mask}: {v} {w}"
                        );
                    } else if v < w {
                        // Across classes up to the bit left out.
                        let bit = mask.trailing_zeros();
                        assert!((space.encode(v) & 0x7F) >> bit <= (space.encode(w) & 0x7F) >> bit);
                    }
                }
            }
        }
    }

    /// Values 1, 2, 4, 7 are odious; the Grundy values of Kayles' period are exactly these and 8
    /// (Winning Ways).
    #[test]
    fn chooses_the_space_with_fewest_rares() {
        let mut tally = ValueCounts::new(16);
        for (value, count) in [(1, 50), (2, 50), (4, 50), (7, 50), (8, 50), (0, 3), (3, 2), (6, 4)]
        {
            (0..count).for_each(|i| tally.add(i, value, 1));
        }
        assert_eq!(tally.choose(None), (SparseSpace { mask: 15, by_position: None }, 9));
        // By position: even values at even sizes, odd ones at odd sizes.
        let mut tally = ValueCounts::new(256);
        for (size, value) in [(0, 0), (0, 2), (1, 1), (1, 3)] {
            tally.add(size, value, 9);
        }
        let (space, rare) = tally.choose(Some(1));
        assert_eq!((space.mask, space.by_position, rare), (1, Some(1), 0));
    }
}

//! Sparse spaces: how the nim-values of a game that splits heaps in two fall into rare and common ones.
//!
//! Fix a mask. Values are common where the parity of `popcount(value & mask)` is odd, rare where it is even. Sums of
//! two rare or two common values are rare, of a rare and a common one common. So only sums with a rare term can hit
//! a common value: where rare heaps are few, the least common value that is no option is found from few sums.
//! By position, the parity of the heap's size is added; the rule of sums then holds where every move that leaves two
//! heaps takes a number of tokens of one parity. The rule holds for every mask, so a badly chosen one costs time but
//! never a wrong value.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, ch. 4; A. Gangolli, T. Plambeck, *A note on
//! periodicity in some octal games*, Int. J. Game Theory 18 (1989).

/// A sparse space, with values as bytes: one bit that the others determine gives its place to the class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space {
    /// The mask, at least 1; where values are bytes its last byte is not 0, and the others are for the few values past a byte.
    pub mask: u32,
    /// Whether the parity of the heap's size counts, and the parity of what two-heap moves take.
    pub by_position: Option<usize>,
}

/// The bit of a byte that says that a value is common.
pub const COMMON: u8 = 0x80;

/// How often each value occurs at even and at odd sizes.
#[derive(Debug)]
pub struct Tally {
    counts: [Vec<i64>; 2],
}

impl Tally {
    /// Of values below `bound`, a power of two.
    pub fn new(bound: usize) -> Tally {
        Tally { counts: [vec![0; bound.max(2)], vec![0; bound.max(2)]] }
    }

    /// Counts so many heaps of sizes of one parity.
    #[inline]
    pub fn add(&mut self, size: usize, value: u32, heaps: i64) {
        self.counts[size % 2][value as usize] += heaps;
    }

    /// The space in which the fewest of the counted values are rare, and how many those are. `parity` is that of what
    /// all two-heap moves take, where they agree. All masks at once, by a Walsh–Hadamard transform: O(bound·log bound).
    pub fn choose(self, parity: Option<usize>) -> (Space, u64) {
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
        (Space { mask: mask as u32, by_position }, ((total + more) / 2) as u64)
    }
}

impl Space {
    /// Whether `value` is common at heaps of this size.
    pub fn is_common(&self, value: u32, size: usize) -> bool {
        let turn = self.by_position.is_some_and(|parity| (size ^ parity) & 1 == 1);
        ((value & self.mask).count_ones() % 2 == 1) != turn
    }

    /// What is added to bytes at heaps of this size.
    #[inline]
    pub fn turn(&self, size: usize) -> u8 {
        match self.by_position {
            Some(parity) if (size ^ parity) & 1 == 1 => COMMON,
            _ => 0,
        }
    }

    /// The byte of a value below 256 before the turn: linear, and within a class in the order of the values.
    pub fn encode(&self, value: u32) -> u8 {
        self.encode_paged(value).0
    }

    /// The value of a byte before the turn.
    pub fn decode(&self, byte: u8) -> u32 {
        self.decode_paged(byte, 0)
    }

    /// The byte of a value below 2^16 before the turn, and the page of its code, which goes on where the byte ends: linear, and
    /// within a class in the order of the values.
    pub fn encode_paged(&self, value: u32) -> (u8, u8) {
        let class = if (value & self.mask).count_ones() % 2 == 1 { COMMON } else { 0 };
        let low = (1u32 << self.mask.trailing_zeros()) - 1;
        let code = value & low | (value >> 1) & !low;
        ((code & 0x7F) as u8 | class, (code >> 7) as u8)
    }

    /// The value of a byte before the turn and a page.
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
            let space = Space { mask, by_position: None };
            for v in 0..256 {
                assert_eq!(space.decode(space.encode(v)), v);
                assert_eq!(space.is_common(v, 0), space.encode(v) & COMMON != 0);
                for w in 0..256 {
                    assert_eq!(space.encode(v ^ w), space.encode(v) ^ space.encode(w));
                    if space.is_common(v, 0) == space.is_common(w, 0) {
                        assert_eq!(v < w, space.encode(v) < space.encode(w), "mask {mask}: {v} {w}");
                    } else if v < w {
                        // Across classes up to the bit left out.
                        let bit = mask.trailing_zeros();
                        assert!((space.encode(v) & 0x7F) >> bit <= (space.encode(w) & 0x7F) >> bit);
                    }
                }
            }
        }
    }

    /// Values 1, 2, 4, 7 are odious; the Grundy values of Kayles' period are exactly these and 8 (Winning Ways).
    #[test]
    fn chooses_the_space_with_fewest_rares() {
        let mut tally = Tally::new(16);
        for (value, count) in [(1, 50), (2, 50), (4, 50), (7, 50), (8, 50), (0, 3), (3, 2), (6, 4)] {
            (0..count).for_each(|i| tally.add(i, value, 1));
        }
        assert_eq!(tally.choose(None), (Space { mask: 15, by_position: None }, 9));
        // By position: even values at even sizes, odd ones at odd sizes.
        let mut tally = Tally::new(256);
        for (size, value) in [(0, 0), (0, 2), (1, 1), (1, 3)] {
            tally.add(size, value, 9);
        }
        let (space, rare) = tally.choose(Some(1));
        assert_eq!((space.mask, space.by_position, rare), (1, Some(1), 0));
    }
}

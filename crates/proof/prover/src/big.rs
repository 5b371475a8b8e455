//! Whole numbers of any size, for heaps as large as anyone writes.

use bouton_core::Number;
use num_bigint::{BigInt, BigUint};

/// A whole number of any size.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Big(pub BigInt);

impl Big {
    /// Returns the number if it is not negative.
    pub fn natural(&self) -> Option<BigUint> {
        self.0.to_biguint()
    }
}

impl From<u64> for Big {
    fn from(value: u64) -> Big {
        Big(value.into())
    }
}

impl From<&BigUint> for Big {
    fn from(value: &BigUint) -> Big {
        Big(value.clone().into())
    }
}

impl Number for Big {
    fn plus(&self, other: &Big) -> Option<Big> {
        Some(Big(&self.0 + &other.0))
    }

    fn times(&self, k: i64) -> Option<Big> {
        Some(Big(&self.0 * k))
    }

    fn divided(&self, by: u64) -> (Big, Big) {
        (Big(&self.0 / by), Big(&self.0 % by))
    }

    fn digit_sum(modulus: u8, values: &[Big]) -> Option<Big> {
        let values = values.iter().map(Big::natural).collect::<Option<Vec<BigUint>>>()?;
        let mut sum = BigUint::ZERO;
        for place in 0..values.iter().map(BigUint::bits).max().unwrap_or(0) {
            let ones = values.iter().filter(|value| value.bit(place)).count();
            sum += BigUint::from(ones % usize::from(modulus)) << place;
        }
        Some(Big(sum.into()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Large numbers and machine numbers agree where both reach.
    #[test]
    fn operations_agree_with_machine_numbers() {
        let agree = |big: Option<Big>, small: Option<i128>| {
            assert_eq!(big.map(|b| b.0), small.map(BigInt::from))
        };
        for x in (0..3000u64).chain([1 << 40, u64::MAX]) {
            let (big, small) = (Big::from(x), i128::from(x));
            agree(big.shift(), small.shift());
            for y in [1u64, 2, 7, 12345, 1 << 50] {
                let (more, other) = (Big::from(y), i128::from(y));
                agree(big.plus(&more), small.plus(&other));
                agree(big.times(-3), small.times(-3));
                let parts = (big.divided(y), small.divided(y));
                agree(Some(parts.0.0), Some(parts.1.0));
                agree(Some(parts.0.1), Some(parts.1.1));
                for modulus in [2, 3, 9] {
                    let sum = Big::digit_sum(modulus, &[big.clone(), more.clone(), more.clone()]);
                    agree(sum, i128::digit_sum(modulus, &[small, other, other]));
                }
            }
        }
        agree(Big(BigInt::from(-1)).shift(), (-1i128).shift());
        agree(Big::digit_sum(2, &[Big(BigInt::from(-1))]), i128::digit_sum(2, &[-1]));
    }
}

//! How numbers are written: digits to a base, or those of Zeckendorf to a base.

use std::fmt;

/// A number and, of Zeckendorf's digits, what it is with a digit 0 more; 0 of others.
pub type DigitValue = [u64; 2];

/// Digits of numbers. Several numbers are read together, a column of digits at a time: column Σ
/// d·base^i has the digit d of number i.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigitSystem {
    /// The base, from 2 to 10: digits are less.
    pub base: usize,
    /// Whether the digits are those of Zeckendorf. To base b they weigh 1, b, (b − 1)·b + 1, …,
    /// each b − 1 times the one before and the one before that more, and 0 stands behind every
    /// b − 1: to base 2 they weigh 1, 2, 3, 5, …, and no two neighbours are 1 (Fraenkel 1982).
    pub zeckendorf: bool,
}

impl DigitSystem {
    /// Returns the digits to a base.
    pub fn to_base(base: usize) -> DigitSystem {
        DigitSystem { base, zeckendorf: false }
    }

    /// Returns the digits of Zeckendorf to a base.
    pub fn zeckendorf(base: usize) -> DigitSystem {
        DigitSystem { base, zeckendorf: true }
    }

    /// Returns whether a column may follow another one: behind no number's greatest digit of
    /// Zeckendorf comes another one than 0.
    pub fn may_follow(self, mut last: usize, mut column: usize) -> bool {
        while self.zeckendorf && last > 0 && column > 0 {
            if last % self.base == self.base - 1 && !column.is_multiple_of(self.base) {
                return false;
            }
            (last, column) = (last / self.base, column / self.base);
        }
        true
    }

    /// Returns a number after one more digit; `None` beyond 64 bits.
    pub fn grown(self, [number, more]: DigitValue, digit: u64) -> Option<DigitValue> {
        let base = self.base as u64;
        if !self.zeckendorf {
            return Some([number.checked_mul(base)?.checked_add(digit)?, 0]);
        }
        // A digit weighs 1, and b with a zero behind it.
        let longer = more.checked_mul(base - 1)?.checked_add(number)?;
        Some([more.checked_add(digit)?, longer.checked_add(base * digit)?])
    }

    /// Returns the digits of a number, least significant first; none for 0.
    pub fn digits(self, number: u64) -> Vec<usize> {
        let base = self.base as u64;
        // The weight before the first, which is 1.
        let (mut before, mut weights) = (1, Vec::new());
        let mut weight = Some(1u64);
        while let Some(own) = weight.filter(|own| *own <= number) {
            weights.push(own);
            weight = match self.zeckendorf {
                true => own.checked_mul(base - 1).and_then(|more| more.checked_add(before)),
                false => own.checked_mul(base),
            };
            before = own;
        }
        let mut rest = number;
        let mut digits: Vec<usize> = Vec::with_capacity(weights.len());
        // The greatest weight is taken off again and again, less often than the base says.
        for weight in weights.into_iter().rev() {
            digits.push((rest / weight) as usize);
            rest %= weight;
        }
        digits.reverse();
        digits
    }

    /// Returns the columns of some numbers, most significant first; none where all are 0.
    pub fn columns(self, numbers: &[u64]) -> Vec<usize> {
        let all: Vec<Vec<usize>> = numbers.iter().map(|number| self.digits(*number)).collect();
        let longest = all.iter().map(Vec::len).max().unwrap_or(0);
        let digit = |own: &Vec<usize>, place: usize| own.get(place).copied().unwrap_or(0);
        let column =
            |place| all.iter().rev().fold(0, |column, own| self.base * column + digit(own, place));
        (0..longest).rev().map(column).collect()
    }
}

impl fmt::Display for DigitSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DigitSystem { base, zeckendorf } = *self;
        let name = if zeckendorf { "digits of Zeckendorf" } else { "digits" };
        match (zeckendorf, base) {
            (false, 2) => f.write_str("binary digits"),
            (true, 2) => f.write_str(name),
            (false, _) => write!(f, "{name} to base {base}"),
            (true, _) => {
                let weights = (base, (base - 1) * base + 1);
                write!(f, "{name} to base {base} (they weigh 1, {}, {}, …)", weights.0, weights.1)
            }
        }
    }
}

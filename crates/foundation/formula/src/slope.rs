//! Quadratic irrational numbers as continued fractions [a; (b, c, …)], the quotients in parentheses
//! coming again and again.
//!
//! ⌊nα⌋ is computed without roots: with the convergents p/q of α, the number n − 1 is a sum of q's,
//! the greatest first, and the same sum of the p's is ⌊nα⌋ but for the whole part of α (A.
//! Ostrowski, Abh. Math. Sem. Hamburg 1 (1922) 77–98; the argument is in docs/design/logic.md).

use crate::arithmetic::gcd;
use crate::number::Number;
use std::fmt;

/// Most quotients of a period.
pub const MAX_PERIOD: usize = 8;

/// The quotients that come again and again, the shortest list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    /// Zeros after the last.
    quotients: [u8; MAX_PERIOD],
}

impl Period {
    /// The period of the golden ratio [1; (1)].
    pub const GOLDEN: Period = Period { quotients: [1, 0, 0, 0, 0, 0, 0, 0] };

    /// Returns the period of 1 to [`MAX_PERIOD`] quotients, each from 1 to 255; `None` of others.
    pub fn new(quotients: &[u64]) -> Option<Period> {
        let n = quotients.len();
        let own = (1..=n)
            .find(|k| n.is_multiple_of(*k) && (0..n).all(|i| quotients[i] == quotients[i % k]))?;
        let mut period = Period { quotients: [0; MAX_PERIOD] };
        for (i, quotient) in quotients[..own].iter().enumerate() {
            *period.quotients.get_mut(i)? = u8::try_from(*quotient).ok().filter(|q| *q > 0)?;
        }
        Some(period)
    }

    /// Returns the quotients, at least one.
    pub fn quotients(&self) -> impl Iterator<Item = i64> + '_ {
        self.quotients.iter().take_while(|q| **q > 0).map(|q| i64::from(*q))
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.quotients().map(|q| q.to_string()).collect();
        f.write_str(&all.join(","))
    }
}

/// The number (whole + times·√root)/by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surd {
    /// b
    pub whole: i64,
    /// r
    pub times: i64,
    /// d, without small squares in it.
    pub root: i64,
    /// c
    pub by: i64,
}

/// Squares of greater numbers are left in a root.
const FACTOR: i64 = 1 << 12;

impl Surd {
    /// Returns (whole + √root)/by in lowest terms, square factors taken out of the root; `None` if
    /// `root` or `by` is not above 0, or `root` is a square.
    pub fn new(whole: i64, mut root: i64, by: i64) -> Option<Surd> {
        if root <= 0 || by <= 0 || root.isqrt().pow(2) == root {
            return None;
        }
        let mut times = 1;
        let mut factor = 2;
        while factor * factor <= root && factor < FACTOR {
            while root % (factor * factor) == 0 {
                root /= factor * factor;
                times *= factor;
            }
            factor += 1;
        }
        let common = gcd(gcd(whole.into(), times.into()), by.into()) as i64;
        Some(Surd { whole: whole / common, times: times / common, root, by: by / common })
    }
}

impl fmt::Display for Surd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.times == 1 { String::new() } else { self.times.to_string() };
        let root = format!("{times}√{}", self.root);
        match (self.whole, self.by) {
            (0, 1) => f.write_str(&root),
            (0, by) => write!(f, "{root}/{by}"),
            (whole, 1) => write!(f, "{whole}+{root}"),
            (whole, by) => write!(f, "({whole}+{root})/{by}"),
        }
    }
}

/// The number [whole; (period)].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slope {
    /// The part before the fraction.
    pub whole: u32,
    /// The quotients of the fraction.
    pub period: Period,
}

impl Slope {
    /// The golden ratio.
    pub const GOLDEN: Slope = Slope { whole: 1, period: Period::GOLDEN };

    /// Returns the greatest number at most n times this; None of negative numbers, or where a
    /// number is too big.
    pub fn floor<N: Number>(&self, n: &N) -> Option<N> {
        let zero = N::from(0);
        if *n <= zero {
            return (*n == zero).then_some(zero);
        }
        // q and p of the convergents, from the first on.
        let mut quotients: Vec<i64> = self.period.quotients().collect();
        let whole = N::from(u64::from(self.whole));
        let mut before = (zero.clone(), N::from(1));
        let mut now = (N::from(1), whole.clone());
        let mut all = Vec::new();
        let mut rest = n.plus(&N::from(1).times(-1)?)?;
        while now.0 <= rest {
            let a = quotients[0];
            quotients.rotate_left(1);
            let next = (now.0.times(a)?.plus(&before.0)?, now.1.times(a)?.plus(&before.1)?);
            all.push(now.clone());
            (before, now) = (now, next);
        }
        let mut sum = whole;
        for (q, p) in all.iter().rev() {
            while *q <= rest {
                rest = rest.plus(&q.times(-1)?)?;
                sum = sum.plus(p)?;
            }
        }
        Some(sum)
    }

    /// Returns the number as (b + r√d)/c, in lowest terms. None where these numbers are too big.
    pub fn surd(&self) -> Option<Surd> {
        // x = 1/θ is (p·x + q)/(u·x + v).
        let mut rows = [[1i64, 0], [0, 1]];
        for a in self.period.quotients() {
            for row in &mut rows {
                *row =
                    [row[0].checked_mul(a)?.checked_add(row[1]).filter(|x| *x < 1 << 28)?, row[0]];
            }
        }
        let [[p, q], [u, v]] = rows;
        // So u·x² − (p − v)·x − q = 0, and θ = (√((p − v)² + 4qu) − (p − v))/2q.
        let twice = 2 * q;
        Surd::new(twice * i64::from(self.whole) - (p - v), (p - v) * (p - v) + 4 * q * u, twice)
    }

    /// Returns the number nearly, as a float.
    pub fn value(&self) -> f64 {
        let all: Vec<i64> = self.period.quotients().collect();
        let tail = (0..40).rev().fold(0.0, |x, i| 1.0 / (all[i % all.len()] as f64 + x));
        f64::from(self.whole) + tail
    }
}

impl fmt::Display for Slope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{};({})]", self.whole, self.period)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// (b + √d)/c is the number; its multiples by whole square roots.
    #[test]
    fn floors_are_those_of_roots() {
        let cases: [(u32, &[u64], i128, i128, i128); 9] = [
            (1, &[1], 1, 5, 2),
            (1, &[2], 0, 2, 1),
            (1, &[3], -1, 13, 2),
            (1, &[4], -1, 5, 1),
            (1, &[1, 2], 0, 3, 1),
            (2, &[2, 4], 0, 6, 1),
            (2, &[1, 1, 1, 4], 0, 7, 1),
            (3, &[2, 6], 0, 12, 1),
            (0, &[2], -1, 2, 1),
        ];
        for (whole, period, b, d, c) in cases {
            let slope = Slope { whole, period: Period::new(period).unwrap() };
            // Lowest terms, with the square in the root's place.
            let surd = slope.surd().unwrap();
            assert_eq!((surd.whole * c as i64, surd.times.pow(2) * surd.root * (c * c) as i64), {
                (b as i64 * surd.by, d as i64 * surd.by.pow(2))
            });
            assert!(
                (slope.value() - (b as f64 + (d as f64).sqrt()) / c as f64).abs() < 1e-9,
                "{slope}"
            );
            for n in (0..5000i128).chain([1 << 40, (1 << 50) + 12345]) {
                // ⌊(bn + √(dn²))/c⌋ = ⌊(bn + ⌊√(dn²)⌋)/c⌋.
                let expected = (b * n + (d * n * n).isqrt()).div_euclid(c);
                assert_eq!(slope.floor(&n), Some(expected), "{slope} {n}");
            }
            assert_eq!(slope.floor(&-1i128), None);
        }
    }

    #[test]
    fn periods_are_the_shortest() {
        assert_eq!(Period::new(&[2, 1, 2, 1]), Period::new(&[2, 1]));
        assert_eq!(Period::new(&[1, 1]), Some(Period::GOLDEN));
        assert_ne!(Period::new(&[1, 2]), Period::new(&[2, 1]));
        assert_eq!(Period::new(&[1, 2]).unwrap().to_string(), "1,2");
        for wrong in [&[][..], &[0], &[256], &[1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            assert_eq!(Period::new(wrong), None, "{wrong:?}");
        }
    }
}

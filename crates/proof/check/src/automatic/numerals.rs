//! Numerals: digits whose weights are a recurrence, of order d, with whole coefficients a₁, …, a_d
//! from 0 on, a₁ and a_d at least 1, such that in the order of rows each end aᵢ, …, a_d with i > 1
//! is less than a₁, …, a_d. To base b it is (b), for Zeckendorf's digits (1, 1).
//!
//! **Weights.** w_k = a₁·w_{k−1} + a₂·w_{k−2} + …, d terms and for k < d the k terms that there
//! are, and then 1 more; so w₀ = 1.
//!
//! **Numerals.** A row of digits is read the most significant first, with a *mark*, which is 0
//! before the first. With mark j a digit below a_{j+1} leads to mark 0; the digit a_{j+1} leads to
//! mark j + 1, if that is below d; no other digit may follow. A row that is read to its end is a
//! *numeral*. So zeros before a row change nothing, digits are at most a₁, and the mark is known by
//! the last d − 1 digits: it is the greatest j with a₁, …, a_j as the last digits, or 0. (Let a₁,
//! …, a_j be read after mark m. Its digits are a_{m+1}, a_{m+2}, … in turn, or the first that is
//! not is greater, as that end is less than the whole, and may not follow. So mark m + j is
//! reached.) Nothing but this rests on how the ends compare.
//!
//! **Theorem.** Every number has a numeral, and but for zeros before it only one.
//!
//! *Proof.* Let m(j, k) = a_{j+1}·w_{k−1} + a_{j+2}·w_{k−2} + …, the terms that there are up to a_d
//! and w₀, and 1 more if k < d − j. So m(0, k) = w_k, m(j, 0) = 1, and for k > 0 m(j, k) is
//! a_{j+1}·w_{k−1} + m(j + 1, k − 1), without the last term if j + 1 = d. The values of the rows of
//! k digits that may follow mark j are 0, 1, …, m(j, k) − 1, each of one row. This is so for k = 0.
//! For k > 0 rows that begin with c < a_{j+1} have values c·w_{k−1} + n, n < m(0, k − 1) = w_{k−1}:
//! all below a_{j+1}·w_{k−1}, each of one row. Those that begin with a_{j+1}, if j + 1 < d, have
//! the values from there on that are less than m(j, k). ∎
//!
//! **Values.** Of a sum of digits times coefficients its *value* on what is read is kept, and what
//! that will be after 1, 2, …, d − 1 zeros more: v₀, …, v_{d−1}. After d zeros it is a₁·v_{d−1} +
//! … + a_d·v₀, since w_{k+d} = a₁·w_{k+d−1} + … + a_d·w_k for all k ≥ 0. So after a column that
//! weighs x₀, x₁, … (with 0, 1, … zeros behind it) v₀, …, v_{d−1} become v₁ + x₀, …, v_{d−1} +
//! x_{d−2} and a₁·v_{d−1} + … + a_d·v₀ + x_{d−1}.
//!
//! **Certain from here on** ([`Numerals::floor`]). Let each column weigh at least x₀, x₁, …. Let L₀
//! = A and L_{i+1} = L_i − x_i. If v_i ≥ L_i for all i, then again after any column, as v_{i+1} +
//! x_i ≥ L_i, if a₁·L_{d−1} + … + a_d·L₀ + x_{d−1} ≥ L_{d−1}. With L_i = A + s_i this is A·(a − 1)
//! ≥ s_{d−1} − x_{d−1} − (a₁·s_{d−1} + … + a_d·s₀), where a = a₁ + … + a_d, so some A will do, and
//! more is as good.

use std::cmp::Ordering;
use std::fmt;

/// The greatest order.
const ORDER: usize = 4;
/// The greatest number of digits.
const DIGITS: u32 = 10;

/// How numbers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numerals {
    /// The coefficients, then zeros.
    coefficients: [u32; ORDER],
    order: usize,
}

impl Numerals {
    pub const BINARY: Numerals = Numerals { coefficients: [2, 0, 0, 0], order: 1 };
    pub const ZECKENDORF: Numerals = Numerals { coefficients: [1, 1, 0, 0], order: 2 };

    /// Returns the numerals of these coefficients; `None` if an end is not less than the whole, the
    /// last one is 0, they are more than four, or if there are not from 2 to 10 digits.
    pub fn by(own: &[u32]) -> Option<Numerals> {
        if (1..own.len()).any(|from| own[from..] >= *own)
            || own.len() > ORDER
            || own.last().is_none_or(|last| *last == 0)
            || own[0] > DIGITS
        {
            return None;
        }
        let mut coefficients = [0; ORDER];
        coefficients[..own.len()].copy_from_slice(own);
        let numerals = Numerals { coefficients, order: own.len() };
        (2..=DIGITS).contains(&numerals.base()).then_some(numerals)
    }

    /// Returns how many coefficients there are.
    pub fn order(self) -> usize {
        self.order
    }

    /// Returns the coefficients.
    pub fn coefficients(&self) -> &[u32] {
        &self.coefficients[..self.order]
    }

    /// Returns how many digits there are: a₁ is one of them unless it leads to mark d.
    pub fn base(self) -> u32 {
        self.coefficients[0] + u32::from(self.order > 1)
    }

    /// Returns how many rows of marks numbers have of which there are so many columns.
    pub fn marks(self, columns: u32) -> usize {
        let (mut marks, mut read) = (1, 1);
        while read < columns {
            (marks, read) = (marks * self.order, read * self.base());
        }
        marks
    }

    /// Returns the marks of numbers, Σ mark·d^i, after a column, which has the digit e of number i
    /// as e·b^i; or the first number of which the row is no numeral any more.
    pub fn after(self, mut marks: u32, mut column: u32) -> Result<u32, usize> {
        let (order, base) = (self.order as u32, self.base());
        let (mut after, mut one, mut number) = (0, 1, 0);
        // To a base all marks are 0, and all digits are below the coefficient.
        while order > 1 && column + marks > 0 {
            let mark = marks % order;
            match (column % base).cmp(&self.coefficients[mark as usize]) {
                Ordering::Less => {}
                Ordering::Equal if mark + 1 < order => after += one * (mark + 1),
                _ => return Err(number),
            }
            (marks, column) = (marks / order, column / base);
            (one, number) = (one * order, number + 1);
        }
        Ok(after)
    }

    /// Returns w₀, …, w_d: what a digit 1 weighs, with so many zeros behind it.
    pub fn weights(self) -> Vec<i64> {
        let mut weights: Vec<i64> = Vec::new();
        for k in 0..=self.order {
            weights.push(self.recurred(&weights) + i64::from(k < self.order));
        }
        weights
    }

    /// Returns Σ aᵢ·v, the last of some values with a₁, the one before with a₂, and so on.
    fn recurred(&self, values: &[i64]) -> i64 {
        self.coefficients().iter().zip(values.iter().rev()).map(|(a, v)| i64::from(*a) * v).sum()
    }

    /// Adds to a list what a value becomes after a column that weighs so much.
    pub fn grow(&self, value: &[i64], weighs: &[i64], list: &mut Vec<i64>) {
        let last = self.order - 1;
        list.extend(value[1..].iter().zip(weighs).map(|(v, x)| v + x));
        list.push(self.recurred(value) + weighs[last]);
    }

    /// Returns L₀, …, L_{d−1} with L₀ at least `least`, such that what is so great stays so if each
    /// column weighs at least so much.
    pub fn floor(&self, weighs: &[i64], least: i64) -> Vec<i64> {
        let mut limits = vec![0];
        for (i, x) in weighs.iter().enumerate() {
            limits.push(limits[i] - x);
        }
        // s_{d−1} − x_{d−1} comes last.
        let missing = limits[self.order] - self.recurred(&limits[..self.order]);
        let by = self.coefficients.iter().sum::<u32>() - 1;
        let a = least.max(-(-missing).div_euclid(i64::from(by)));
        limits.truncate(self.order);
        limits.iter_mut().for_each(|limit| *limit += a);
        limits
    }
}

impl fmt::Display for Numerals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = self.weights();
        match self.coefficients() {
            [2] => write!(f, "binary digits"),
            [base] => write!(f, "digits to base {base}"),
            [1, 1] => write!(f, "digits of Zeckendorf"),
            [_, 1] => write!(
                f,
                "digits of Zeckendorf to base {} (they weigh 1, {}, {}, …)",
                weights[1], weights[1], weights[2]
            ),
            several => {
                let listed = |all: &[String]| all.join(", ");
                let several: Vec<String> = several.iter().map(u32::to_string).collect();
                let weights: Vec<String> = weights.iter().map(i64::to_string).collect();
                let (several, weights) = (listed(&several), listed(&weights));
                write!(f, "digits by the recurrence {several} (they weigh {weights}, …)")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Returns all numerals.
    fn all() -> Vec<Numerals> {
        let code = |code: u32| (0..4).map(|i| code / 11u32.pow(i) % 11).collect::<Vec<_>>();
        let all = (0..11u32.pow(4))
            .map(code)
            .filter_map(|own| Numerals::by(&own[..own.iter().rposition(|one| *one > 0)? + 1]));
        all.collect()
    }

    /// The theorem, and that a value is the number: rows in their order are 0, 1, 2, …, and a row
    /// is a numeral if no digits side by side, zeros behind it among them, are the coefficients or
    /// more.
    #[test]
    fn every_number_has_one_numeral() {
        let all = all();
        assert_eq!(all.len(), 2859);
        for numerals in all {
            let (own, base, order) = (numerals.coefficients(), numerals.base(), numerals.order());
            let weights = numerals.weights();
            let places = (1..=7).take_while(|places| base.pow(*places) <= 4000).last().unwrap();
            let mut number = 0;
            for code in 0..base.pow(places) {
                let row: Vec<u32> =
                    (0..places).rev().map(|place| code / base.pow(place) % base).collect();
                let ended = [&row[..], &vec![0; order]].concat();
                let mut read: Result<(u32, Vec<i64>), usize> = Ok((0, vec![0; order]));
                for digit in &row {
                    read = read.and_then(|(mark, value)| {
                        let weighs: Vec<i64> =
                            weights.iter().map(|w| i64::from(*digit) * w).collect();
                        let mut next = Vec::new();
                        numerals.grow(&value, &weighs, &mut next);
                        Ok((numerals.after(mark, *digit)?, next))
                    });
                }
                assert_eq!(
                    read.is_ok(),
                    ended.windows(order).all(|window| window < own),
                    "{own:?} {row:?}"
                );
                if let Ok((mark, value)) = read {
                    assert_eq!(value[0], number, "{own:?} {row:?}");
                    let is_end = |j: &usize| row.ends_with(&own[..*j]);
                    assert_eq!(mark, (0..order).rev().find(is_end).unwrap() as u32);
                    number += 1;
                }
            }
        }
    }

    /// What is at least its floor stays so after any column, and one less in any place need not:
    /// the column that weighs least leads below.
    #[test]
    fn floors_are_kept() {
        let mut seed = 7u64;
        let mut below = |n: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        for numerals in all() {
            let weights = numerals.weights();
            let least: Vec<i64> =
                weights[..numerals.order()].iter().map(|w| -(below(9) as i64) * w).collect();
            let from = below(40) as i64 - 20;
            let floor = numerals.floor(&least, from);
            assert!(floor[0] >= from);
            for _ in 0..20 {
                let value: Vec<i64> = floor.iter().map(|limit| limit + below(3) as i64).collect();
                let weighs: Vec<i64> = least.iter().map(|x| x + below(3) as i64).collect();
                let mut next = Vec::new();
                numerals.grow(&value, &weighs, &mut next);
                assert!(next.iter().zip(&floor).all(|(v, limit)| v >= limit), "{numerals}");
            }
            if floor[0] > from {
                let lower: Vec<i64> = floor.iter().map(|limit| limit - 1).collect();
                let mut next = Vec::new();
                numerals.grow(&lower, &least, &mut next);
                assert!(next.iter().zip(&lower).any(|(v, limit)| v < limit), "{numerals}");
            }
        }
    }

    #[test]
    fn coefficients_that_are_refused() {
        for wrong in
            [&[][..], &[0], &[1], &[11], &[10, 1], &[1, 2], &[3, 0], &[2, 1, 3], &[1, 1, 1, 1, 1]]
        {
            assert_eq!(Numerals::by(wrong), None, "{wrong:?}");
        }
        assert_eq!(Numerals::by(&[2]), Some(Numerals::BINARY));
        assert_eq!(Numerals::by(&[1, 1]), Some(Numerals::ZECKENDORF));
    }
}

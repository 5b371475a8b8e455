//! Numerals: digits whose weights are a recurrence, of order d, with whole coefficients a₁, …, a_d
//! from 0 on, a₁ at least 1 and none above it. The last of them may repeat for ever, not all zeros
//! and not all of them; if they do not, a_d is at least 1. To base b it is (b), for Zeckendorf's
//! digits (1, 1), to base 2 + √3 (3, 2) of which the 2 repeats.
//!
//! **Marks.** A row of digits is read the most significant first, with a *mark*, which is 0 before
//! the first. With mark j a digit below a_{j+1} leads to mark 0; the digit a_{j+1} leads to mark
//! j′, which is j + 1 below d, the mark of the first coefficient that repeats for j + 1 = d, and
//! none if there is no such; no other digit may follow. A row that is read to its end is a
//! *numeral*. So zeros before a row change nothing, and digits are at most a₁.
//!
//! **Weights.** m(j, k) is how many rows of k digits may follow mark j: m(j, 0) = 1 and m(j, k + 1)
//! = a_{j+1}·m(0, k) + m(j′, k), without the last term if there is no j′. A digit with k digits
//! behind it weighs w_k = m(0, k).
//!
//! **Theorem.** Every number has a numeral, and but for zeros before it only one.
//!
//! *Proof.* The values of the rows of k digits that may follow mark j are 0, 1, …, m(j, k) − 1,
//! each of one row. This is so for k = 0. Of k + 1 digits those that begin with c < a_{j+1} have
//! values c·w_k + n, n < m(0, k) = w_k: all below a_{j+1}·w_k, each of one row. Those that begin
//! with a_{j+1}, if they may, have the values from there on that are less than m(j, k + 1). And
//! each m(j, k) is at least 1, so that w_k grows beyond all bounds: w_{k+1} = a₁·w_k + m(1, k), or
//! 2·w_k at least if d = 1. ∎
//!
//! **Values.** Of a sum of digits times coefficients its *value* V₀ = Σ x·m(0, k) on what is read
//! is kept, and V_j = Σ x·m(j, k) for all marks j, k being how many digits are behind. By what m
//! is, after a column that weighs x₀, x₁, … with nothing behind it V_j becomes a_{j+1}·V₀ + V_{j′}
//! + x_j.
//!
//! **Certain from here on** ([`Numerals::floor`]). Let each column weigh at least x₀, x₁, …. Let L₀
//! = A and L_{j+1} = L_j − a_{j+1}·A − x_j. If V_j ≥ L_j for all j, then again after any column, as
//! a_{j+1}·V₀ + V_{j+1} + x_j ≥ L_j, if for the last j, too, a_{j+1}·A + L_{j′} + x_j ≥ L_j, where
//! L_{j′} is 0 if there is no j′. What is on the left grows with A faster by a fixed number: a₁ + …
//! + a_d − 1, or the sum of those that repeat. So some A will do, and more is as good.

use std::cmp::Ordering;
use std::fmt;

/// The greatest order.
const ORDER: usize = 6;
/// The greatest number of digits.
const DIGITS: u32 = 10;

/// How numbers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numerals {
    /// The coefficients, then zeros.
    coefficients: [u32; ORDER],
    order: usize,
    /// How many of the last ones repeat.
    repeated: usize,
}

impl Numerals {
    pub const BINARY: Numerals =
        Numerals { coefficients: [2, 0, 0, 0, 0, 0], order: 1, repeated: 0 };
    pub const ZECKENDORF: Numerals =
        Numerals { coefficients: [1, 1, 0, 0, 0, 0], order: 2, repeated: 0 };

    /// Returns the numerals of these coefficients, the latter of which repeat for ever; `None` if
    /// they are not as they should be, are more than six, or if there are not from 2 to 10 digits.
    pub fn by(once: &[u32], for_ever: &[u32]) -> Option<Numerals> {
        let own = [once, for_ever].concat();
        let most = *once.first()?;
        let is_endless = for_ever.iter().any(|a| *a > 0);
        if own.len() > ORDER
            || most == 0
            || most > DIGITS
            || own.iter().any(|a| *a > most)
            || !is_endless && (!for_ever.is_empty() || once.last() == Some(&0))
        {
            return None;
        }
        let mut coefficients = [0; ORDER];
        coefficients[..own.len()].copy_from_slice(&own);
        let numerals = Numerals { coefficients, order: own.len(), repeated: for_ever.len() };
        (2..=DIGITS).contains(&numerals.base()).then_some(numerals)
    }

    /// Returns how many coefficients there are.
    pub fn order(self) -> usize {
        self.order
    }

    /// Returns the coefficients, those that repeat for ever apart.
    pub fn coefficients(&self) -> (&[u32], &[u32]) {
        self.coefficients[..self.order].split_at(self.order - self.repeated)
    }

    /// Returns how many digits there are: a₁ is one of them unless there are no others.
    pub fn base(self) -> u32 {
        self.coefficients[0] + u32::from(self.order > 1)
    }

    /// Returns the mark to which the coefficient behind a mark leads, if it may follow.
    fn next(self, mark: usize) -> Option<usize> {
        let last = (self.repeated > 0).then(|| self.order - self.repeated);
        if mark + 1 < self.order { Some(mark + 1) } else { last }
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
            let mark = (marks % order) as usize;
            match (column % base).cmp(&self.coefficients[mark]) {
                Ordering::Less => {}
                Ordering::Equal => after += one * self.next(mark).ok_or(number)? as u32,
                Ordering::Greater => return Err(number),
            }
            (marks, column) = (marks / order, column / base);
            (one, number) = (one * order, number + 1);
        }
        Ok(after)
    }

    /// Returns m(0, k), m(1, k), …: how many rows of so many digits may follow each mark.
    pub fn rows(self, digits: u32) -> Vec<i64> {
        let mut rows = vec![1; self.order];
        for _ in 0..digits {
            rows = self.grown(&rows, &vec![0; self.order]);
        }
        rows
    }

    /// Returns V₀, V₁, … after a column that weighs so much.
    fn grown(self, value: &[i64], weighs: &[i64]) -> Vec<i64> {
        let mut grown = Vec::with_capacity(self.order);
        self.grow(value, weighs, &mut grown);
        grown
    }

    /// Adds to a list what V₀, V₁, … become after a column that weighs so much.
    pub fn grow(&self, value: &[i64], weighs: &[i64], list: &mut Vec<i64>) {
        let own = self.coefficients[..self.order].iter().zip(weighs).enumerate();
        list.extend(own.map(|(mark, (coefficient, weighs))| {
            let behind = self.next(mark).map_or(0, |next| value[next]);
            i64::from(*coefficient) * value[0] + behind + weighs
        }));
    }

    /// Returns L₀, …, L_{d−1} with L₀ at least `least`, such that what is so great stays so if each
    /// column weighs at least so much.
    pub fn floor(&self, weighs: &[i64], least: i64) -> Vec<i64> {
        let last = self.order - 1;
        let limits = |a: i64| {
            let mut limits = vec![a];
            for (mark, x) in weighs[..last].iter().enumerate() {
                limits.push(limits[mark] - i64::from(self.coefficients[mark]) * a - x);
            }
            limits
        };
        // By how much the last one grows.
        let more = |a: i64| {
            let limits = limits(a);
            self.grown(&limits, weighs)[last] - limits[last]
        };
        let by = more(1) - more(0);
        limits(least.max(-more(0).div_euclid(by)))
    }
}

impl fmt::Display for Numerals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights: Vec<i64> = (0..3).map(|digits| self.rows(digits)[0]).collect();
        match self.coefficients() {
            ([2], []) => return write!(f, "binary digits"),
            ([base], []) => return write!(f, "digits to base {base}"),
            ([1, 1], []) => return write!(f, "digits of Zeckendorf"),
            ([_, 1], []) => write!(f, "digits of Zeckendorf to base {}", weights[1])?,
            (once, for_ever) => {
                let listed: Vec<String> =
                    once.iter().chain(for_ever).chain(for_ever).map(u32::to_string).collect();
                let end = if self.repeated > 0 { ", …" } else { "" };
                write!(f, "digits by the recurrence {}{end}", listed.join(", "))?;
            }
        }
        write!(f, " (they weigh {}, {}, {}, …)", weights[0], weights[1], weights[2])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Returns all numerals of at most three coefficients, and of as many as six that are small.
    fn all() -> Vec<Numerals> {
        let mut all = Vec::new();
        for (places, base) in [(1, 11), (2, 11), (3, 11), (4, 4), (5, 3), (6, 3)] {
            for code in 0..u32::pow(base, places) {
                let own: Vec<u32> = (0..places).map(|i| code / base.pow(i) % base).collect();
                for once in 0..=own.len() {
                    let (once, for_ever) = own.split_at(once);
                    all.extend(Numerals::by(once, for_ever));
                }
            }
        }
        all
    }

    /// The theorem, and that a value is the number: rows that may be read are numerals of 0, 1, …,
    /// as many as there are rows, each once; in their order if each end of the coefficients is less
    /// than the whole.
    #[test]
    fn every_number_has_one_numeral() {
        let all = all();
        let (mut ordered, mut endless) = (0, 0);
        for numerals in &all {
            let (base, order) = (numerals.base(), numerals.order());
            let (once, for_ever) = numerals.coefficients();
            let whole: Vec<u32> = once
                .iter()
                .chain(for_ever.iter().cycle())
                .copied()
                .chain(std::iter::repeat(0))
                .take(30)
                .collect();
            let is_ordered = (1..order).all(|from| whole[from..] < whole[..30 - from]);
            ordered += usize::from(is_ordered);
            endless += usize::from(!for_ever.is_empty());
            let places = (1..=7).take_while(|places| base.pow(*places) <= 1000).last().unwrap();
            let mut numbers = Vec::new();
            for code in 0..base.pow(places) {
                let row: Vec<u32> =
                    (0..places).rev().map(|place| code / base.pow(place) % base).collect();
                let mut read: Result<(u32, Vec<i64>), usize> = Ok((0, vec![0; order]));
                for digit in &row {
                    read = read.and_then(|(mark, value)| {
                        let weighs = vec![i64::from(*digit); order];
                        Ok((numerals.after(mark, *digit)?, numerals.grown(&value, &weighs)))
                    });
                }
                if is_ordered {
                    // Ends of the row, zeros behind it, are less than the coefficients.
                    let ended = [&row[..], &[0; 20]].concat();
                    let is_less = (0..row.len()).all(|from| ended[from..][..20] < whole[..20]);
                    assert_eq!(read.is_ok(), is_less, "{numerals}: {row:?}");
                }
                if let Ok((_, value)) = read {
                    // By the weights.
                    let weighed = row.iter().rev().zip(0..);
                    let sum: i64 = weighed.map(|(d, k)| i64::from(*d) * numerals.rows(k)[0]).sum();
                    assert_eq!(value[0], sum, "{numerals}: {row:?}");
                    numbers.push(sum);
                }
            }
            assert_eq!(numbers.len() as i64, numerals.rows(places)[0]);
            if !is_ordered {
                numbers.sort_unstable();
            }
            assert!(numbers.iter().copied().eq(0..numbers.len() as i64), "{numerals}");
        }
        assert!(ordered > 700 && endless > 700, "{ordered} {endless} {}", all.len());
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
            let least: Vec<i64> = vec![-(below(9) as i64); numerals.order()];
            let from = below(40) as i64 - 20;
            let floor = numerals.floor(&least, from);
            assert!(floor[0] >= from);
            for _ in 0..10 {
                let value: Vec<i64> = floor.iter().map(|limit| limit + below(3) as i64).collect();
                let more = below(3) as i64;
                let weighs: Vec<i64> = least.iter().map(|x| x + more).collect();
                let next = numerals.grown(&value, &weighs);
                assert!(next.iter().zip(&floor).all(|(v, limit)| v >= limit), "{numerals}");
            }
            // From one less in the first place, and as little more in the others as it keeps, the
            // column that weighs least leads below.
            if floor[0] > from {
                let mut lower = floor;
                let mut taken = 1;
                for (mark, limit) in lower.iter_mut().enumerate() {
                    *limit -= taken;
                    taken -= i64::from(numerals.coefficients[mark]);
                }
                let next = numerals.grown(&lower, &least);
                assert!(next.iter().zip(&lower).any(|(v, limit)| v < limit), "{numerals}");
            }
        }
    }

    #[test]
    fn coefficients_that_are_refused() {
        for (once, for_ever) in [
            (&[][..], &[][..]),
            (&[0], &[]),
            (&[1], &[]),
            (&[11], &[]),
            (&[10, 1], &[]),
            (&[1, 2], &[]),
            (&[3, 0], &[]),
            (&[2, 1, 3], &[]),
            (&[1, 1, 1, 1, 1, 1, 1], &[]),
            (&[3], &[0]),
            (&[3], &[4]),
            (&[], &[3]),
        ] {
            assert_eq!(Numerals::by(once, for_ever), None, "{once:?} {for_ever:?}");
        }
        assert_eq!(Numerals::by(&[2], &[]), Some(Numerals::BINARY));
        assert_eq!(Numerals::by(&[1, 1], &[]), Some(Numerals::ZECKENDORF));
    }
}

//! Multiples of quadratic irrational numbers, rounded down, in digits of a unit β of their field.
//!
//! Let α = [a; b₁, …, b_L, b₁, …] and ξ = α − a + b_L = [b_L; b₁, …, b_{L−1}, b_L, …], the period
//! written once or twice. With (p, p′; q, q′) the product of the matrices (b, 1; 1, 0) of b_L,
//! b₁, …, b_{L−1} and ξ again behind these quotients, ξ = (p·ξ + p′)/(q·ξ + q′). So q·ξ + q′ =: β,
//! above 1, is an eigenvalue, the other one is (−1)^L/β, and with T = p + q′ their sum, β² = T·β −
//! (−1)^L. As ξ = (β − q′)/q, for every n
//!
//! ⌊n·α⌋ = (a − b_L)·n + ⌊(⌊n·β⌋ − q′·n)/q⌋.
//!
//! **L odd.** Let digits be by t, 1, t = T: with w₋₁ = 1, w₀ = 1, w_{k+1} = t·w_k + w_{k−1}
//! ([`super::numerals`]). Let v₋₁ = 0, v₀ = 1 follow the same recurrence, P(m) = Σ d_k·v_k for
//! the digits of m, and γ = (β − 1)/t. Then ⌊(m + 1)·γ⌋ = P(m).
//!
//! *Proof.* δ_k = w_k·γ − v_k follows the recurrence, too, with δ₋₁ = γ and δ₀ = γ − 1 = −γ/β,
//! since γ·(1 + 1/β) = (β² − 1)/(t·β) = 1. So δ_k = γ·c^{k+1}, c = −1/β, and (m + 1)·γ − P(m) =
//! γ·(1 + Σ d_k·c^{k+1}), where d_k ≤ t and 1 − c² = −t·c. The terms with k even are not above 0,
//! and more than t·c/(1 − c²) = −1 together, as there are finitely many; those with k odd are
//! less than t·c²/(1 − c²) = −c. So this is above 0, and below γ·(1 + 1/β) = 1. ∎
//!
//! So for n > 0, with m = t·n − 1, ⌊n·β⌋ = n + ⌊t·n·γ⌋ = n + P(m). The *shift* of m is m + P(m).
//! (By 1, 1 that is m with a 0 behind its digits.) In it a digit 1 is 1 + 1 and 1 + 0 for the two
//! marks, as v₋₁ = 0.
//!
//! **L even.** Let digits be by t − 1 and then t − 2 for ever, t = T > 2: the weights are w_{k+2}
//! = t·w_{k+1} − w_k, w₀ = 1, w₁ = t. The *shift* S(n) is n with a 0 behind its digits. Then S(n)
//! − 1 = ⌊n·β⌋ for n > 0.
//!
//! *Proof.* Let c = 1/β, so that t·c = 1 + c². Of w_{k+1} − β·w_k the first is t − β = c, and
//! each next one is c times the one before: (t − β)·w_{k+1} − w_k = c·(w_{k+1} − β·w_k). So S(n)
//! − n·β = Σ d_k·c^{k+1} =: D, which is above 0. Rows of k digits have D ≤ 1 − (1 − c)·c^k if
//! they may follow mark 0, and D ≤ 1 − c^k if they may follow mark 1. This is so for k = 0. For
//! one digit more it is enough that (t − 2)·c ≤ (1 − c) − (1 − c)·c (mark 0, a digit up to t − 2,
//! then mark 0), (t − 1)·c ≤ 1 − (1 − c)·c (mark 0, digit t − 1, then mark 1), (t − 3)·c ≤ (1 −
//! c) − c (mark 1, a digit up to t − 3, then mark 0), and (t − 2)·c ≤ 1 − c (mark 1, digit t − 2,
//! then mark 1). With t·c = 1 + c² both sides of the first are (1 − c)², and both of the second are
//! 1 − c + c²; the third says c² ≤ c, and the fourth (1 − c)² ≤ 1 − c. So 0 < D < 1. ∎

use super::numerals::Numerals;
use crate::p_positions::form::Form;
use crate::work::Reason;

/// Most quotients of a period, and the greatest number that is counted with.
const QUOTIENTS: usize = 8;
const GREATEST: i64 = 1 << 30;

/// α, by the unit of the digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiple {
    /// a − b_L.
    pub whole: i64,
    /// q.
    pub by: i64,
    /// q′.
    less: i64,
    /// T, if L is odd.
    odd: Option<i64>,
}

impl Numerals {
    /// Returns what the digit 1 weighs in the shift, for each mark.
    pub fn shifted(self) -> Vec<i64> {
        if let ([_, 1], []) = self.coefficients() { vec![2, 1] } else { self.rows(1) }
    }
}

impl Multiple {
    /// Returns the number [whole; (period)], if these are digits of its unit.
    pub fn new(whole: i64, period: &[i64], numerals: Numerals) -> Option<Multiple> {
        let (last, begin) = period.split_last()?;
        let is_counted = |b: &i64| (1..GREATEST).contains(b);
        if period.len() > QUOTIENTS || !period.iter().all(is_counted) {
            return None;
        }
        let once = [&[*last], begin].concat();
        [1, 2].into_iter().find_map(|times| {
            let ([mut p, mut before], [mut q, mut less]) = ([1i64, 0], [0i64, 1]);
            for b in once.repeat(times) {
                // So products are below 2^60.
                if p >= GREATEST {
                    return None;
                }
                (p, before) = (p * b + before, p);
                (q, less) = (q * b + less, q);
            }
            let t = p + less;
            let is_odd = once.len() * times % 2 == 1;
            let is_of_unit = match numerals.coefficients() {
                ([first, 1], []) => is_odd && i64::from(*first) == t,
                ([first], [second]) => {
                    !is_odd && i64::from(*first) == t - 1 && i64::from(*second) == t - 2
                }
                _ => false,
            };
            let own = Multiple { whole: whole - last, by: q, less, odd: is_odd.then_some(t) };
            is_of_unit.then_some(own)
        })
    }

    /// Returns the number whose shift is asked for n > 0.
    pub fn shifts(&self, n: &Form) -> Result<Form, Reason> {
        match self.odd {
            Some(t) => Form::constant(-1).plus(t, n),
            None => Ok(n.clone()),
        }
    }

    /// Returns ⌊n·β⌋ − q′·n for n > 0, by that shift.
    pub fn divided(&self, shift: &Form, n: &Form) -> Result<Form, Reason> {
        // n + P(m), P(m) being the shift less m = t·n − 1.
        let multiple = match self.odd {
            Some(t) => shift.plus(1 - t, n)?.plus(1, &Form::constant(1))?,
            None => shift.plus(-1, &Form::constant(1))?,
        };
        multiple.plus(-self.less, n)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Returns the shift of a number, whose digits are the greatest that fit, one after the other.
    fn shift(numerals: Numerals, number: i64) -> i64 {
        let (mut rest, mut mark, mut sum) = (number, 0, 0);
        let places = (0..).take_while(|place| numerals.rows(*place)[0] <= number).count() as u32;
        for place in (0..places).rev() {
            let weight = numerals.rows(place)[0];
            let digit = (rest / weight).min(i64::from(numerals.base()) - 1);
            rest -= digit * weight;
            mark = numerals.after(mark, digit as u32).unwrap();
            // What the digit weighs in the shift, zeros behind it.
            let mut weighs = numerals.shifted();
            for _ in 0..place {
                let mut next = Vec::new();
                numerals.grow(&weighs, &[0, 0], &mut next);
                weighs = next;
            }
            sum += digit * weighs[0];
        }
        assert_eq!(rest, 0);
        sum
    }

    /// Multiples are those of (b + √d)/c, by whole square roots.
    #[test]
    fn multiples_are_those_of_roots() {
        type Case = (i64, &'static [i64], (i64, i64, i64), &'static [u32], &'static [u32]);
        let cases: [Case; 15] = [
            (1, &[1], (1, 5, 2), &[1, 1], &[]),
            (2, &[1], (3, 5, 2), &[1, 1], &[]),
            (1, &[1], (1, 5, 2), &[2], &[1]),
            (1, &[2], (0, 2, 1), &[2, 1], &[]),
            (3, &[2], (2, 2, 1), &[2, 1], &[]),
            (1, &[2], (0, 2, 1), &[5], &[4]),
            (1, &[3], (-1, 13, 2), &[3, 1], &[]),
            (0, &[4], (-2, 5, 1), &[4, 1], &[]),
            (1, &[1, 2], (0, 3, 1), &[3], &[2]),
            (1, &[2, 1], (1, 3, 2), &[3], &[2]),
            (2, &[2, 4], (0, 6, 1), &[9], &[8]),
            (2, &[1, 4], (0, 8, 1), &[5], &[4]),
            (3, &[1, 6], (0, 15, 1), &[7], &[6]),
            (3, &[6], (0, 10, 1), &[6, 1], &[]),
            (0, &[2, 1, 1], (-2, 10, 3), &[6, 1], &[]),
        ];
        for (whole, period, (b, d, c), once, for_ever) in cases {
            let numerals = Numerals::by(once, for_ever).unwrap();
            let own = Multiple::new(whole, period, numerals).unwrap();
            for n in 0..700 {
                let form = Form::constant(n);
                let shifted = own.shifts(&form).unwrap().constant;
                let part = if n == 0 {
                    Form::default()
                } else {
                    own.divided(&Form::constant(shift(numerals, shifted)), &form).unwrap()
                };
                let value = own.whole * n + part.constant.div_euclid(own.by);
                let exact = (b * n + (d * n * n).isqrt()).div_euclid(c);
                assert_eq!(value, exact, "[{whole}; {period:?}], {numerals}, {n}");
            }
        }
    }

    #[test]
    fn digits_of_other_units_are_refused() {
        let by = |once: &[u32], for_ever: &[u32]| Numerals::by(once, for_ever).unwrap();
        let cases: [(&[i64], Numerals); 11] = [
            (&[1], Numerals::BINARY),
            (&[2], Numerals::ZECKENDORF),
            (&[1], by(&[2, 1], &[])),
            (&[1, 2], by(&[2, 1], &[])),
            (&[1, 2], by(&[4], &[3])),
            (&[1, 2], by(&[3], &[1])),
            (&[2], by(&[2, 1, 1], &[])),
            (&[], Numerals::ZECKENDORF),
            (&[0], Numerals::ZECKENDORF),
            (&[1; 9], Numerals::ZECKENDORF),
            (&[1 << 29; 8], Numerals::ZECKENDORF),
        ];
        for (period, numerals) in cases {
            assert_eq!(Multiple::new(1, period, numerals), None, "{period:?} {numerals}");
        }
    }
}

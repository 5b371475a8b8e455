//! Digits of a continued fraction θ = [0; a₁, a₂, …] whose quotients come again after L of them.
//!
//! Let q₋₁ = 0, q₀ = 1, p₋₁ = 1, p₀ = 0, and u_i = a_i·u_{i−1} + u_{i−2} for both; δ_i = q_i·θ −
//! p_i, so that δ₋₁ = −1, δ₀ = θ, δ_i = a_i·δ_{i−1} + δ_{i−2}; the signs of δ alternate, and δ_i
//! goes to 0. A *numeral* is a row of digits d_i with d_i ≤ a_{i+1}, d₀ < a₁, and d_{i−1} = 0 where
//! d_i = a_{i+1}; it stands for n = Σ d_i·q_i.
//!
//! 1. *Every number has a numeral.* Take q_i off for the greatest q_i ≤ n, again and again: less
//!    than q_{i+1} = a_{i+1}·q_i + q_{i−1} was there, so this happens at most a_{i+1} times, and if
//!    so often, less than q_{i−1} is left. If a₁ = 1, then d₀ < a₁ is 0 in every numeral, and is
//!    not written.
//! 2. *A numeral of j digits is below q_j.* By induction: with d_{j−1} < a_j at most (a_j −
//!    1)·q_{j−1} + q_{j−1} − 1; with d_{j−1} = a_j the next digit is 0, and it is at most
//!    a_j·q_{j−1} + q_{j−2} − 1.
//! 3. *⌊(n + 1)θ⌋ = Σ d_i·p_i.* (n + 1)θ − Σ d_i·p_i is δ₀ + Σ d_i·δ_i. Its positive terms (i even)
//!    are at most δ₀ + (a₁ − 1)·δ₀ + a₃·δ₂ + … = a₁·δ₀ + a₃·δ₂ + …, where a_{i+1}·δ_i = δ_{i+1} −
//!    δ_{i−1}: that is less than −δ₋₁ = 1. Its negative terms (i odd) are at least a₂·δ₁ + a₄·δ₃ +
//!    … > −δ₀. So the sum is in (0, 1). ∎
//!
//! The *shift* of n is n + ⌊(n + 1)θ⌋ = Σ d_i·(q_i + p_i); it never falls as n rises, and of a
//! numeral of j digits it is below q_j + p_j (2; and ⌊q_j·θ⌋ ≤ p_j). With all quotients 1 the
//! numerals are Zeckendorf's with a 0 behind, and the shift puts one more there.
//!
//! Sequences u as above have u_{i+2L} = t·u_{i+L} − (−1)^L·u_i, t = q_L + p_{L−1} (Cayley and
//! Hamilton), which [`Digits::ostrowski`] sees confirmed.

use super::{Digits, Round, Value};

/// Most quotients of a period, the greatest of them, most bits of a round.
const QUOTIENTS: usize = 8;
const MAX_QUOTIENT: i64 = 255;
const BITS: usize = 8;

impl Digits {
    /// Returns the digits of a number whose continued fraction has this period; `None` unless it
    /// has 1 to 8 quotients from 1 to 255, no shorter period, and rounds of few enough bits.
    pub fn ostrowski(period: &[i64]) -> Option<Digits> {
        let length = period.len();
        let repeats =
            |k: usize| length.is_multiple_of(k) && (k..length).all(|i| period[i] == period[i - k]);
        if !(1..=QUOTIENTS).contains(&length)
            || !period.iter().all(|a| (1..=MAX_QUOTIENT).contains(a))
            || (1..length).any(repeats)
        {
            return None;
        }
        // The sequences from their element 0 on.
        let first = usize::from(period[0] == 1);
        let sequence = |mut before: i64, mut now: i64| {
            let mut all = vec![now];
            for i in 0..3 * length + 2 {
                (before, now) = (
                    now,
                    period[i % length]
                        .checked_mul(now)?
                        .checked_add(before)
                        .filter(|u| *u < 1 << 50)?,
                );
                all.push(now);
            }
            Some(all)
        };
        let (q, p) = (sequence(0, 1)?, sequence(1, 0)?);
        let odd = length % 2 == 1;
        let trace = q[length] + p[length - 1];
        let follows = |u: &[i64], i: usize| {
            u[i + 2 * length] == trace * u[i + length] + if odd { u[i] } else { -u[i] }
        };
        // Two elements side by side decide all that follow.
        if ![0, 1].iter().all(|i| follows(&q, *i) && follows(&p, *i)) {
            return None;
        }
        let weigh = |u: &dyn Fn(usize) -> i64, place: usize| {
            let (now, later) = (u(place + first), u(place + first + length));
            (now, if odd { later } else { later - now })
        };
        let pair = |place: usize| [weigh(&|i| q[i], place), weigh(&|i| q[i] + p[i], place)];
        let greatest = |place: usize| period[(place + first) % length];
        let width = |place: usize| 64 - greatest(place).leading_zeros() as usize;
        let bits = (0..length).map(width).sum();
        if bits > BITS {
            return None;
        }
        let read = |code: usize| {
            let (mut weighs, mut at, mut spelt) = ([(0, 0); 2], 0, true);
            let (mut begins, mut full) = (true, false);
            for place in (0..length).rev() {
                let digit = (0..width(place))
                    .fold(0, |digit, bit| 2 * digit + (code >> (at + bit) & 1) as i64);
                at += width(place);
                for (sum, (x, y)) in weighs.iter_mut().zip(pair(place)) {
                    *sum = (sum.0 + digit * x, sum.1 + digit * y);
                }
                spelt &= digit <= greatest(place) && !(full && digit > 0);
                begins &= place + 1 < length || digit == 0;
                full = digit == greatest(place);
            }
            Round { weighs, spells: spelt.then_some((begins, full)) }
        };
        let rounds = (0..1usize << bits).map(read).collect();
        let (period, one) = (period.to_vec(), pair(0));
        Some(Digits { period, binary: false, bits, trace, odd, closed: first == 0, rounds, one })
    }

    /// Returns whether a value is at most z, which is not above 0, after any number of rounds of
    /// zeros, one or more.
    ///
    /// After m rounds it is s_m with s_{m+2} = t·s_{m+1} − (−1)^L·s_m. L odd: if s₁, s₂ ≤ z ≤ 0,
    /// then s₃ ≤ (t + 1)·z ≤ z, and so on. L even, t > 2: if s₂ ≤ s₁ ≤ z ≤ 0, then s₃ − s₂ = (t −
    /// 2)·s₂ + (s₂ − s₁) ≤ 0, and so on.
    pub fn stays(&self, value: Value, z: i64) -> bool {
        let one = self.grown(value, (0, 0));
        let two = self.grown(one, (0, 0));
        z <= 0 && one.0 <= z && two.0 <= if self.odd { z } else { one.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// b, d, c of (b + √d)/c.
    type Theta = (i64, i64, i64);

    /// Returns ⌊(b·m + √(d·m²))/c⌋.
    fn multiple((b, d, c): Theta, m: i64) -> i64 {
        (b * m + (d * m * m).isqrt()).div_euclid(c)
    }

    /// The numerals of so many rounds are the numbers from 0 on, each once, and shifts are n + ⌊(n
    /// + 1)θ⌋, θ = (b + √d)/c by whole roots.
    #[test]
    fn numerals_are_numbers_and_shifts_are_multiples() {
        let cases: [(&[i64], Theta); 9] = [
            (&[1], (-1, 5, 2)),
            (&[2], (-1, 2, 1)),
            (&[3], (-3, 13, 2)),
            (&[4], (-2, 5, 1)),
            (&[1, 2], (-1, 3, 1)),
            (&[2, 1], (-1, 3, 2)),
            (&[2, 4], (-2, 6, 1)),
            (&[1, 1, 1, 4], (-2, 7, 1)),
            (&[2, 1, 1], (-2, 10, 3)),
        ];
        for (period, theta) in cases {
            check(&Digits::ostrowski(period).unwrap(), theta);
        }
    }

    fn check(digits: &Digits, theta: Theta) {
        let mut words = vec![(false, [(0, 0); 2])];
        while words.len() < 5000 {
            let mut next = Vec::new();
            for (full, values) in &words {
                for code in 0..1 << digits.bits {
                    let Some(full) = digits.spelt(*full, code) else { continue };
                    let grown = |i: usize| digits.grown(values[i], digits.weight(code, i == 1));
                    next.push((full, [grown(0), grown(1)]));
                }
            }
            words = next;
        }
        words.retain(|word| digits.ends(word.0));
        words.sort_unstable_by_key(|word| word.1[0].0);
        for (n, (_, [number, shift])) in (0..).zip(&words) {
            assert_eq!(number.0, n, "{:?}", digits.period);
            assert_eq!(shift.0, n + multiple(theta, n + 1), "{:?} {n}", digits.period);
        }
    }

    #[test]
    fn a_period_has_one_name() {
        for wrong in [&[][..], &[0], &[256], &[1, 1], &[2, 3, 2, 3], &[200, 200], &[1; 9]] {
            assert!(Digits::ostrowski(wrong).is_none(), "{wrong:?}");
        }
    }
}

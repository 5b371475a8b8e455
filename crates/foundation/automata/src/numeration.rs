//! How numbers are written: in binary digits, or in those that a continued fraction makes
//! (Ostrowski 1922).
//!
//! The quotients a₁, a₂, … of θ = [0; a₁, a₂, …] come again and again. With q₀ = 1, q₁ = a₁,
//! q_{i+1} = a_{i+1}·q_i + q_{i−1} every number is a sum Σ d_i·q_i with d_i ≤ a_{i+1}, d₀ < a₁, and
//! d_{i−1} = 0 wherever d_i = a_{i+1}. If a₁ = 1, then d₀ = 0 is not written: for the golden ratio,
//! where all quotients are 1, the others are the digits of Zeckendorf. The same digits with the
//! numerators of the convergents in place of the q's make ⌊(n + 1)θ⌋ (docs/design/logic.md), which
//! is what makes multiples of θ readable.
//!
//! A *round* is a digit of each place of one period, so that all rounds are alike; each digit is
//! written in bits. Two numbers are kept of what is read: the value v, and what it is after one
//! round of zeros more (less v itself where the period has an even length). A round makes of them a
//! linear function of them without minus, and adds what its bits weigh. By Cayley and Hamilton's
//! theorem that is so of every sequence with u_{i+1} = a_{i+1}·u_i + u_{i−1}: of the q's, and of
//! the numerators.

use bouton_core::Digits;
use bouton_formula::Period;
use num_bigint::BigUint;

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numeration {
    /// Base 2.
    Binary,
    /// By the convergents of the continued fraction with these quotients.
    Ostrowski(Period),
}

impl From<Digits> for Numeration {
    fn from(digits: Digits) -> Numeration {
        match digits {
            Digits::Binary => Numeration::Binary,
            Digits::Zeckendorf => Numeration::ZECKENDORF,
        }
    }
}

/// A value, and the second number kept with it.
pub type Value = (i64, i64);

/// What a round of digits is.
#[derive(Debug, Clone)]
pub struct Round {
    /// Bits of one number, the most significant digit first, and of each digit the most significant
    /// bit.
    pub bits: usize,
    /// What each bit weighs, in the number and in its shift, n + ⌊(n + 1)θ⌋.
    pub plain: Vec<Value>,
    /// In the shift.
    pub shift: Vec<Value>,
    /// What 1 weighs in the number and in its shift.
    pub one: [Value; 2],
    /// What a round makes of the two numbers.
    matrix: [[i64; 2]; 2],
    /// For each bit, how many follow in its digit, and the greatest digit.
    places: Vec<(usize, i64)>,
    /// Whether the last digit is less than the greatest.
    closed: bool,
    binary: bool,
    odd: bool,
}

/// The most bits of a round that are read.
pub const MAX_BITS: usize = 8;

impl Numeration {
    /// Sums of Fibonacci numbers 1, 2, 3, 5, …, no two neighbours.
    pub const ZECKENDORF: Numeration = Numeration::Ostrowski(Period::GOLDEN);

    /// Returns the bits of one number in a round.
    #[inline]
    pub fn bits(self) -> usize {
        match self {
            Numeration::Binary => 1,
            Numeration::Ostrowski(period) => period.quotients().map(width).sum(),
        }
    }

    /// Returns what a round is.
    pub fn round(self) -> Round {
        let Numeration::Ostrowski(period) = self else {
            let (plain, matrix) = (vec![(1, 0)], [[2, 0], [0, 0]]);
            let shift = vec![(0, 0)];
            let one = [(1, 0), (0, 0)];
            let places = vec![(0, 1)];
            return Round {
                bits: 1,
                plain,
                shift,
                one,
                matrix,
                places,
                closed: false,
                binary: true,
                odd: true,
            };
        };
        let (quotients, closed) = written(period);
        let length = quotients.len();
        let odd = length % 2 == 1;
        // Sequences by their elements before the first and at it.
        let sequence = |before: i64, first: i64| {
            let mut all = vec![first];
            let mut last = before;
            for i in 0..2 * length {
                let next = quotients[i % length].saturating_mul(all[i]).saturating_add(last);
                last = all[i];
                all.push(next);
            }
            all
        };
        let (numbers, numerators) = if closed {
            (sequence(0, 1), sequence(1, 0))
        } else {
            (sequence(1, 1), sequence(0, 1))
        };
        let second = |u: &[i64], i: usize| u[i + length] - if odd { 0 } else { u[i] };
        let plain = |i: usize| (numbers[i], second(&numbers, i));
        let shift =
            |i: usize| (numbers[i] + numerators[i], second(&numbers, i) + second(&numerators, i));
        let mut round = Round {
            bits: self.bits(),
            plain: Vec::new(),
            shift: Vec::new(),
            one: [plain(0), shift(0)],
            matrix: [[0; 2]; 2],
            places: Vec::new(),
            closed,
            binary: false,
            odd,
        };
        for i in (0..length).rev() {
            for bit in (0..width(quotients[i])).rev() {
                let times = |(v, w): Value| (v << bit, w << bit);
                round.plain.push(times(plain(i)));
                round.shift.push(times(shift(i)));
                round.places.push((bit, quotients[i]));
            }
        }
        // The trace of the product of the quotients' matrices.
        let mut product = [[1i64, 0], [0, 1]];
        for a in &quotients {
            for row in &mut product {
                *row = [row[0].saturating_mul(*a).saturating_add(row[1]), row[0]];
            }
        }
        let trace = product[0][0].saturating_add(product[1][1]);
        round.matrix = if odd { [[0, 1], [1, trace]] } else { [[1, 1], [trace - 2, trace - 1]] };
        round
    }

    /// Returns the number that bits stand for, most significant first, whole rounds; None beyond 64
    /// bits.
    pub fn value(self, bits: impl Iterator<Item = bool>) -> Option<u64> {
        if self == Numeration::Binary {
            let mut bits = bits;
            return bits.try_fold(0u64, |value, bit| Some(value.checked_mul(2)? | u64::from(bit)));
        }
        u64::try_from(self.number(&bits.collect::<Vec<bool>>())).ok()
    }

    /// Returns the bits of a number, most significant first, whole rounds of them; none for 0.
    pub fn digits(self, value: u64) -> Vec<bool> {
        self.digits_of(&value.into())
    }

    /// Returns the same for a number of any size.
    pub fn digits_of(self, value: &BigUint) -> Vec<bool> {
        let Numeration::Ostrowski(period) = self else {
            return (0..value.bits()).rev().map(|place| value.bit(place)).collect();
        };
        let (quotients, closed) = written(period);
        let length = quotients.len();
        let mut weights = vec![BigUint::from(1u8)];
        let mut last = BigUint::from(u8::from(!closed));
        while weights[weights.len() - 1] <= *value || !weights.len().is_multiple_of(length) {
            let i = weights.len() - 1;
            let next = &weights[i] * quotients[i % length] as u64 + &last;
            last = weights[i].clone();
            weights.push(next);
        }
        let mut rest = value.clone();
        let mut bits = Vec::new();
        for (i, weight) in weights.iter().enumerate().rev() {
            let mut digit = 0u64;
            while *weight <= rest {
                rest -= weight;
                digit += 1;
            }
            bits.extend((0..width(quotients[i % length])).rev().map(|bit| digit >> bit & 1 == 1));
        }
        let round = self.bits();
        let zeros = bits.chunks(round).take_while(|round| !round.contains(&true)).count();
        bits.split_off(zeros * round)
    }

    /// Returns the number of any size that bits stand for, most significant first, whole rounds.
    pub fn number(self, bits: &[bool]) -> BigUint {
        let round = self.round();
        let (mut value, mut second) = (BigUint::ZERO, BigUint::ZERO);
        for bits in bits.chunks(round.bits) {
            let line = |[a, b]: [i64; 2]| &value * a as u64 + &second * b as u64;
            let (mut v, mut w) = (line(round.matrix[0]), line(round.matrix[1]));
            for (_, (x, y)) in bits.iter().zip(&round.plain).filter(|(bit, _)| **bit) {
                v += *x as u64;
                w += *y as u64;
            }
            (value, second) = (v, w);
        }
        value
    }
}

/// Returns bits of a digit that is at most this.
fn width(most: i64) -> usize {
    (64 - most.leading_zeros()) as usize
}

/// Returns the greatest digits of the places, from the last place on, again and again; whether the
/// last digit is less.
fn written(period: Period) -> (Vec<i64>, bool) {
    let mut quotients: Vec<i64> = period.quotients().collect();
    let closed = quotients[0] > 1;
    if !closed {
        quotients.rotate_left(1);
    }
    (quotients, closed)
}

impl Round {
    /// Returns the two numbers after one more round of zeros.
    #[inline]
    pub fn extended(&self, (a, b): Value) -> Value {
        let [[p, q], [r, s]] = self.matrix;
        (p * a + q * b, r * a + s * b)
    }

    /// Returns a numeral's state after one more bit, the one with this number in its round: whether
    /// the last digit is the greatest there, and the bits of an unfinished one. None where it is no
    /// numeral.
    #[inline]
    pub fn state_after_bit(&self, bit: usize, (full, begun): Value, one: bool) -> Option<Value> {
        if self.binary {
            return Some((0, 0));
        }
        let (left, most) = self.places[bit];
        let digit = 2 * begun + i64::from(one);
        if digit > most || full == 1 && one {
            return None;
        }
        Some(if left > 0 { (full, digit) } else { (i64::from(digit == most), 0) })
    }

    /// Returns the same for the bits of a whole round.
    pub fn state_after_round(&self, full: i64, code: u32) -> Option<i64> {
        let start = Some((full, 0));
        let end = (0..self.bits)
            .fold(start, |state, bit| self.state_after_bit(bit, state?, code >> bit & 1 == 1));
        end.map(|(full, _)| full)
    }

    /// Returns whether a numeral may end in this state.
    #[inline]
    pub fn is_final(&self, full: i64) -> bool {
        full == 0 || !self.closed
    }

    /// Returns whether, however many rounds of zeros follow (at least one), the first number is
    /// then at most this, which is not above 0.
    ///
    /// With s_m the number after m rounds, s_{m+2} = t·s_{m+1} ± s_m, t the trace. If the period's
    /// length is odd, the sign is plus, and s₁, s₂ ≤ z ≤ 0 will do; else s₂ ≤ s₁ ≤ z ≤ 0, for then
    /// s₃ − s₂ = (t − 2)·s₂ + (s₂ − s₁) is not above 0, and so on.
    #[inline]
    pub fn stays_at_most(&self, value: Value, most: i64) -> bool {
        let first = self.extended(value);
        let second = self.extended(first);
        first.0 <= most && second.0 <= if self.odd { most } else { first.0 }
    }

    /// Returns the least (A, B) such that what is at least it stays so whatever bits of at least
    /// this weight follow, A being at least this; the contrary of everything for the greatest.
    pub fn floor(&self, (w, x): Value, least: i64) -> Value {
        let over = |n: i64, d: i64| -((-n).div_euclid(d));
        match self.matrix {
            [[2, 0], _] => ((-w).max(least), 0),
            // B + w ≥ A and A + t·B + x ≥ B, with B = A − w.
            [[0, _], [_, t]] => {
                let a = over((t - 1) * w - x, t).max(least);
                (a, a - w)
            }
            // A + B + w ≥ A and p·A + (p + 1)·B + x ≥ B, with B = −w.
            [_, [p, _]] => (over(p * w - x, p).max(least), -w),
        }
    }

    /// Returns the greatest values of a round's bits that spell something, in the number and in its
    /// shift.
    pub fn greatest(&self, shift: bool) -> Value {
        let weights = if shift { &self.shift } else { &self.plain };
        let codes =
            (0..1u32 << self.bits).filter(|code| self.state_after_round(0, *code).is_some());
        codes.fold((0, 0), |most, code| {
            let value = self.weight(weights, code);
            (most.0.max(value.0), most.1.max(value.1))
        })
    }

    /// Returns what the bits of a round weigh.
    pub fn weight(&self, weights: &[Value], code: u32) -> Value {
        let chosen = weights.iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1);
        chosen.fold((0, 0), |(v, w), (_, (x, y))| (v + x, w + y))
    }

    /// Returns whether the digits are binary.
    #[inline]
    pub fn is_binary(&self) -> bool {
        self.binary
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_formula::Slope;

    fn periods() -> Vec<Period> {
        let all: [&[u64]; 12] = [
            &[1],
            &[2],
            &[3],
            &[4],
            &[7],
            &[1, 2],
            &[2, 1],
            &[1, 1, 2],
            &[2, 1, 1],
            &[1, 1, 1, 4],
            &[2, 4],
            &[3, 1, 2],
        ];
        all.iter().map(|period| Period::new(period).unwrap()).collect()
    }

    /// Every word of this many rounds that is a numeral is another number, and these are all
    /// numbers from 0 on; its value in the second sequence is n + ⌊(n + 1)θ⌋.
    #[test]
    fn numerals_are_the_numbers() {
        for period in periods() {
            let numeration = Numeration::Ostrowski(period);
            let round = numeration.round();
            let slope = Slope { whole: 1, period };
            // Numerals with the two numbers of both sequences.
            let mut words = vec![(Vec::<bool>::new(), 0i64, [(0i64, 0i64); 2])];
            while words.len() < 4000 {
                let mut next = Vec::new();
                for (word, full, values) in &words {
                    for code in 0..1u32 << round.bits {
                        let Some(full) = round.state_after_round(*full, code) else { continue };
                        let mut word = word.clone();
                        word.extend((0..round.bits).map(|bit| code >> bit & 1 == 1));
                        let grown = |i: usize, weights: &[Value]| {
                            let (a, b) = round.extended(values[i]);
                            let (x, y) = round.weight(weights, code);
                            (a + x, b + y)
                        };
                        next.push((word, full, [grown(0, &round.plain), grown(1, &round.shift)]));
                    }
                }
                words = next;
            }
            let mut seen = Vec::new();
            for (word, _, [plain, shift]) in words.iter().filter(|word| round.is_final(word.1)) {
                let n = numeration.value(word.iter().copied()).unwrap();
                assert_eq!(plain.0 as u64, n);
                let short: Vec<bool> = numeration.digits(n);
                assert!(
                    word.ends_with(&short) && !word[..word.len() - short.len()].contains(&true)
                );
                let multiple = slope.floor(&(i128::from(n) + 1)).unwrap();
                assert_eq!(i128::from(shift.0) + 1, multiple, "{period} {n}");
                seen.push(n);
            }
            seen.sort_unstable();
            assert!(
                seen.len() > 2000 && (0..seen.len() as u64).eq(seen.iter().copied()),
                "{period}"
            );
        }
    }

    #[test]
    fn numbers_beyond_words_are_written() {
        for numeration in
            periods().into_iter().map(Numeration::Ostrowski).chain([Numeration::Binary])
        {
            let value = BigUint::from(7u8).pow(50);
            let bits = numeration.digits_of(&value);
            assert_eq!(bits.len() % numeration.bits(), 0);
            assert_eq!(numeration.number(&bits), value);
            assert_eq!(numeration.value(bits.into_iter()), None);
            for n in [0, 1, 2, 1 << 40, u64::MAX] {
                assert_eq!(numeration.value(numeration.digits(n).into_iter()), Some(n));
            }
        }
    }
}

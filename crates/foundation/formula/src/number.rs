//! Whole numbers in which terms have values: machine numbers where speed counts, larger ones where
//! heaps are huge.

use crate::arithmetic::ArithmeticSymbol;
use crate::formula::Term;
use crate::slope::Slope;
use smallvec::SmallVec;

/// Whole numbers, negative ones too. Where a result can't be had, it is `None`: it is too big, or
/// the operation is one on natural numbers and an argument is negative.
pub trait Number: Clone + Ord + From<u64> {
    /// Returns the sum.
    fn plus(&self, other: &Self) -> Option<Self>;
    /// Returns the multiple by k.
    fn times(&self, k: i64) -> Option<Self>;
    /// Returns the quotient, rounded towards 0, and the remainder by a positive number.
    fn divided(&self, by: u64) -> (Self, Self);
    /// Sums binary digits place by place modulo a number from 2 to 9; modulus 2 is the nim-sum.
    fn digit_sum(modulus: u8, values: &[Self]) -> Option<Self>;
    /// Returns the value of a word of arithmetic; by default there is none.
    fn arithmetic(word: ArithmeticSymbol, values: &[Self]) -> Option<Self> {
        let _ = (word, values);
        None
    }
    /// Returns the number whose Zeckendorf digits are those of this one with a 0 put after them.
    fn shift(&self) -> Option<Self> {
        // It is one less than the greatest number at most n + 1 times the golden ratio.
        let minus = Self::from(1).times(-1)?;
        Slope::GOLDEN
            .floor(&self.plus(&Self::from(1))?)?
            .plus(&minus)
            .filter(|_| *self >= Self::from(0))
    }
}

/// Digit sums reach values below 2^100.
impl Number for i128 {
    fn plus(&self, other: &i128) -> Option<i128> {
        self.checked_add(*other)
    }

    fn times(&self, k: i64) -> Option<i128> {
        self.checked_mul(i128::from(k))
    }

    fn divided(&self, by: u64) -> (i128, i128) {
        (self / i128::from(by), self % i128::from(by))
    }

    fn arithmetic(word: ArithmeticSymbol, values: &[i128]) -> Option<i128> {
        word.value(values)
    }

    fn digit_sum(modulus: u8, values: &[i128]) -> Option<i128> {
        if values.iter().any(|v| *v < 0 || *v >> 100 != 0) {
            return None;
        }
        if modulus == 2 {
            return Some(values.iter().fold(0, |sum, v| sum ^ v));
        }
        let top = values.iter().fold(0, |all, v| all | v);
        let places = 128 - top.leading_zeros();
        let digit =
            |place: u32| values.iter().map(|v| v >> place & 1).sum::<i128>() % i128::from(modulus);
        Some((0..places).map(|place| digit(place) << place).sum())
    }
}

impl Term {
    /// Returns the term's value where its variables have these; `None` if one is unknown, or a
    /// value can't be had.
    pub fn value<N: Number>(&self, of: &impl Fn(usize) -> Option<N>) -> Option<N> {
        let values = |parts: &[Term]| {
            parts.iter().map(|part| part.value(of)).collect::<Option<SmallVec<[N; 4]>>>()
        };
        let best = |parts: &[Term], better: fn(N, N) -> N| {
            let (first, rest) = parts.split_first()?;
            rest.iter().try_fold(first.value(of)?, |best, part| Some(better(best, part.value(of)?)))
        };
        match self {
            Term::Number(value) => Some(N::from(*value)),
            Term::Variable(v) => of(*v),
            Term::Sum(parts) => {
                parts.iter().try_fold(N::from(0), |sum, part| sum.plus(&part.value(of)?))
            }
            Term::Multiple(k, inner) => inner.value(of)?.times(*k),
            Term::DigitSum(modulus, parts) => N::digit_sum(*modulus, &values(parts)?),
            Term::Min(parts) => best(parts, N::min),
            Term::Max(parts) => best(parts, N::max),
            Term::Quotient(inner, by) => Some(inner.value(of)?.divided(*by).0),
            Term::Remainder(inner, by) => Some(inner.value(of)?.divided(*by).1),
            Term::Shift(inner) => inner.value(of)?.shift(),
            Term::Floor(slope, inner) => slope.floor(&inner.value(of)?),
            Term::Arithmetic(word, parts) => N::arithmetic(*word, &values(parts)?),
        }
    }
}

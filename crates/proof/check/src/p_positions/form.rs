//! Linear forms Σ c·t + k, where t is a digit sum of variables or the shift of one; and how they
//! grow round by round ([`super::digits`]).
//!
//! Variables are natural numbers, read from the most significant digit on, a round of each at a
//! time. Every t, and so every form without its constant, is known with a second number, and both
//! become what the digits make of them and what the new round *weighs*.

use super::digits::Digits;
pub use super::digits::Value;
use crate::work::Reason;

/// A variable's number. Those of the position's heaps come first: a heap's number is its
/// variable's.
pub type Variable = usize;

/// What a form is linear in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// Binary digits added place by place modulo a number; ascending, none as often as that number.
    /// A single one has the modulus 2.
    Sum(u8, Vec<Variable>),
    /// The shift of a number, of the digits in which it is read.
    Shift(Variable),
}

/// Σ c·t + k: ascending, no coefficient 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    /// Bases and coefficients.
    pub terms: Vec<(Base, i64)>,
    /// The constant k.
    pub constant: i64,
}

/// Largest coefficient or constant, and most that the coefficients of one form add up to.
const MAX_NUMBER: i64 = 1 << 40;
const TOTAL: i64 = 1 << 44;

fn fit(x: Option<i64>) -> Result<i64, Reason> {
    x.filter(|x| (-MAX_NUMBER..=MAX_NUMBER).contains(x))
        .ok_or_else(|| "numbers grow too big".into())
}

impl Form {
    /// Returns a constant.
    pub fn constant(constant: i64) -> Form {
        Form { terms: Vec::new(), constant }
    }

    /// Returns a variable.
    pub fn variable(v: Variable) -> Form {
        Form { terms: vec![(Base::Sum(2, vec![v]), 1)], constant: 0 }
    }

    /// Returns 1 − v, which is at most 0 where the variable is not 0.
    pub fn not_empty(v: Variable) -> Form {
        Form { terms: vec![(Base::Sum(2, vec![v]), -1)], constant: 1 }
    }

    /// Returns a digit sum.
    pub fn sum(modulus: u8, mut variables: Vec<Variable>) -> Form {
        variables.sort_unstable();
        let mut kept = Vec::new();
        for same in variables.chunk_by(|a, b| a == b) {
            kept.extend_from_slice(&same[..same.len() % usize::from(modulus)]);
        }
        match kept[..] {
            [] => Form::default(),
            [v] => Form::variable(v),
            _ => Form { terms: vec![(Base::Sum(modulus, kept), 1)], constant: 0 },
        }
    }

    /// Returns self + k·other. Fails if a number grows too large.
    pub fn plus(&self, k: i64, other: &Form) -> Result<Form, Reason> {
        let add = |x: i64, c: i64| fit(c.checked_mul(k).and_then(|c| c.checked_add(x)));
        let mut sum =
            Form { constant: add(self.constant, other.constant)?, terms: self.terms.clone() };
        for (base, c) in &other.terms {
            match sum.terms.binary_search_by(|term| term.0.cmp(base)) {
                Ok(at) => sum.terms[at].1 = add(sum.terms[at].1, *c)?,
                Err(at) => sum.terms.insert(at, (base.clone(), add(0, *c)?)),
            }
        }
        sum.terms.retain(|(_, c)| *c != 0);
        Ok(sum)
    }

    /// Returns self − other. Fails if a number grows too large.
    pub fn minus(&self, other: &Form) -> Result<Form, Reason> {
        self.plus(-1, other)
    }

    /// Returns 1 + self, which is at most 0 where the form is not at least 0.
    pub fn one_more(&self) -> Result<Form, Reason> {
        self.plus(1, &Form::constant(1))
    }

    /// Returns 1 − self, which is at most 0 where the form is not.
    pub fn contrary(&self) -> Result<Form, Reason> {
        Form::constant(1).minus(self)
    }

    /// Divides the form by a number, if that divides all coefficients, and rounds the constant up.
    /// The result is at most 0 wherever the form is: if d·t + k ≤ 0, the integer t is at most −k/d,
    /// so at most that rounded down.
    pub fn divided(mut self, by: i64) -> Form {
        if by > 1 && self.terms.iter().all(|(_, c)| c % by == 0) {
            self.terms.iter_mut().for_each(|(_, c)| *c /= by);
            self.constant = -(-self.constant).div_euclid(by);
        }
        self
    }

    /// Returns whether it is positive whatever the variables are.
    pub fn is_positive(&self) -> bool {
        self.constant > 0 && self.terms.iter().all(|(_, c)| *c >= 0)
    }

    /// Returns the variables, with repetitions.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.terms
            .iter()
            .flat_map(|(base, _)| match base {
                Base::Sum(_, all) => &all[..],
                Base::Shift(v) => std::slice::from_ref(v),
            })
            .copied()
    }

    /// Returns the steps that looking at it takes.
    pub fn size(&self) -> usize {
        4 + 2 * self.terms.len() + self.variables().count()
    }

    /// Returns what the bits of a round of each variable weigh, if [`Form::spread`] says that it
    /// can be read in these digits.
    pub fn weight(&self, code: &dyn Fn(Variable) -> u32, digits: &Digits) -> Value {
        self.terms.iter().fold((0, 0), |(a, b), (base, c)| {
            let (w, x) = match base {
                Base::Sum(_, one) if one.len() == 1 => digits.weight(code(one[0]), false),
                Base::Sum(modulus, all) => (
                    (all.iter().filter(|v| code(**v) == 1).count() % usize::from(*modulus)) as i64,
                    0,
                ),
                Base::Shift(v) => digits.weight(code(*v), true),
            };
            (a + c * w, b + c * x)
        })
    }

    /// Returns the least and the greatest weight of any numerals' rounds. Fails if the form cannot
    /// be read in these digits: digit sums are read in binary digits alone, shifts in others alone.
    pub fn spread(&self, digits: &Digits) -> Result<(Value, Value), Reason> {
        let (mut least, mut greatest, mut total) = ((0, 0), (0, 0), 0i64);
        let (number, shift) = (digits.most(false), digits.most(true));
        for (base, c) in &self.terms {
            let (x, y) = match (base, digits.binary) {
                (Base::Sum(modulus, _), true) => (i64::from(modulus - 1), 0),
                (Base::Sum(_, one), false) if one.len() == 1 => number,
                (Base::Shift(_), false) => shift,
                _ => return Err("a condition that cannot be read in these digits".into()),
            };
            let fit = |x: i64| c.checked_mul(x).filter(|x| x.abs() <= TOTAL);
            let (x, y) = fit(x).zip(fit(y)).ok_or("numbers grow too big")?;
            total += x.abs();
            if total > TOTAL {
                return Err("numbers grow too big".into());
            }
            let side = if *c > 0 { &mut greatest } else { &mut least };
            *side = (side.0 + x, side.1 + y);
        }
        Ok((least, greatest))
    }

    /// Returns the values that matter for "form ≤ 0": from the first down it holds whatever
    /// follows, and from the second up it does not.
    pub fn limits(&self, digits: &Digits) -> Result<(Value, Value), Reason> {
        let (least, greatest) = self.spread(digits)?;
        let (a, b) = digits.floor((-greatest.0, -greatest.1), self.constant);
        Ok(((-a, -b), digits.floor(least, 1 - self.constant)))
    }
}

/// Returns whether one value is at most another.
pub fn at_most(one: Value, other: Value) -> bool {
    one.0 <= other.0 && one.1 <= other.1
}

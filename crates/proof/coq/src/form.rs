//! Linear forms over nim-sums of variables, as in coq/Forms.v.

use bouton_prover::derivation::{Base, LinearForm};

/// The number of a variable.
pub type Variable = u32;

/// A sum of multiples of nim-sums and a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    /// The coefficients and nim-sums, in ascending order of the variables. No nim-sum occurs twice
    /// and no coefficient is 0.
    pub terms: Vec<(i64, Vec<Variable>)>,
    /// The constant.
    pub constant: i64,
}

/// The greatest absolute value of a coefficient.
const MAX_COEFFICIENT: i64 = 1 << 40;

impl Form {
    /// Returns a constant form.
    pub fn constant(constant: i64) -> Form {
        Form { terms: Vec::new(), constant }
    }

    /// Returns the form of a variable.
    pub fn variable(v: Variable) -> Form {
        Form { terms: vec![(1, vec![v])], constant: 0 }
    }

    /// Returns a nim-sum. A variable that occurs twice cancels.
    pub fn sum(variables: &[Variable]) -> Form {
        let joined = nim_sum(variables, &[]);
        if joined.is_empty() {
            return Form::default();
        }
        Form { terms: vec![(1, joined)], constant: 0 }
    }

    /// Returns k·self + other. Numbers beyond 2^40 are clamped, which every check rejects.
    pub fn add_times(&self, k: i64, other: &Form) -> Form {
        let fit = |x: i64| x.clamp(-MAX_COEFFICIENT, MAX_COEFFICIENT);
        let mut sum = other.clone();
        sum.constant = fit(k.saturating_mul(self.constant).saturating_add(other.constant));
        for (c, variables) in &self.terms {
            let c = fit(k.saturating_mul(*c));
            if c == 0 {
                continue;
            }
            match sum.terms.iter().position(|(_, other)| other == variables) {
                Some(at) => {
                    sum.terms[at].0 = fit(sum.terms[at].0 + c);
                    if sum.terms[at].0 == 0 {
                        sum.terms.remove(at);
                    }
                }
                None => sum.terms.push((c, variables.clone())),
            }
        }
        sum
    }

    /// Returns self + other.
    pub fn plus(&self, other: &Form) -> Form {
        self.add_times(1, other)
    }

    /// Returns self − other.
    pub fn minus(&self, other: &Form) -> Form {
        other.add_times(-1, self)
    }

    /// Returns k·self.
    pub fn times(&self, k: i64) -> Form {
        self.add_times(k, &Form::default())
    }

    /// Returns whether the form is positive for all values of the variables.
    pub fn is_positive(&self) -> bool {
        self.constant > 0 && self.terms.iter().all(|(c, _)| *c >= 0)
    }

    /// Returns the form in the representation of the prover.
    pub fn to_linear_form(&self) -> LinearForm {
        let base = |(c, variables): &(i64, Vec<Variable>)| Some((Base::sum(2, variables.clone())?, *c));
        let mut terms: Vec<(Base, i64)> = self.terms.iter().filter_map(base).collect();
        terms.sort();
        LinearForm { terms, constant: self.constant }
    }

    /// Divides by a common divisor of the coefficients and rounds the constant up. The result is at
    /// most 0 wherever the form is.
    pub fn divided(&self, by: i64) -> Form {
        if by <= 1 || self.terms.iter().any(|(c, _)| c % by != 0) {
            return self.clone();
        }
        let terms = self.terms.iter().map(|(c, v)| (c / by, v.clone())).collect();
        Form { terms, constant: -(-self.constant).div_euclid(by) }
    }

    /// Returns the sum of the positive coefficients and that of the negative ones, the latter as a
    /// natural number.
    pub fn spread(&self) -> (i64, i64) {
        let up = self.terms.iter().map(|(c, _)| (*c).max(0)).sum();
        (up, self.terms.iter().map(|(c, _)| (-*c).max(0)).sum())
    }

    /// Returns the value of the form without its constant if each variable is a digit.
    pub fn weight(&self, digit: impl Fn(Variable) -> bool) -> i64 {
        self.terms.iter().filter(|(_, vs)| is_odd(vs, &digit)).map(|(c, _)| c).sum()
    }
}

/// Returns whether an odd number of the variables have the digit 1.
pub fn is_odd(variables: &[Variable], digit: &impl Fn(Variable) -> bool) -> bool {
    variables.iter().filter(|v| digit(**v)).count() % 2 == 1
}

/// Returns the nim-sum of two nim-sums.
pub fn nim_sum(left: &[Variable], right: &[Variable]) -> Vec<Variable> {
    let mut all: Vec<Variable> = [left, right].concat();
    all.sort_unstable();
    let is_odd = |same: &[Variable]| (same.len() % 2 == 1).then(|| same[0]);
    all.chunk_by(|a, b| a == b).filter_map(is_odd).collect()
}

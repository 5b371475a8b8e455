//! Linear forms over nim-sums of variables and sums of their digits, as in coq/Forms.v.

use bouton_prover::derivation::{Base, LinearForm};

/// The number of a variable.
pub type Variable = u32;

/// What a form is a sum of multiples of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Summand {
    /// A nim-sum; the variables ascend.
    NimSum(Vec<Variable>),
    /// Binary digits added place by place modulo a number other than 2; the variables ascend, and
    /// one may occur more than once.
    SumModulo(u8, Vec<Variable>),
}

impl Summand {
    /// Returns the variables.
    pub fn variables(&self) -> &[Variable] {
        match self {
            Summand::NimSum(variables) | Summand::SumModulo(_, variables) => variables,
        }
    }

    /// Returns the modulus.
    fn modulus(&self) -> u8 {
        match self {
            Summand::NimSum(_) => 2,
            Summand::SumModulo(modulus, _) => *modulus,
        }
    }

    /// Returns the digit of the sum if each variable is a digit.
    pub fn digit(&self, digit: &impl Fn(Variable) -> bool) -> i64 {
        let count = self.variables().iter().filter(|v| digit(**v)).count();
        (count % usize::from(self.modulus())) as i64
    }

    /// Returns the value of the sum of numbers below 2^48.
    pub fn value(&self, at: &impl Fn(Variable) -> u64) -> i64 {
        let place = |place: u32| self.digit(&|v| at(v) >> place & 1 == 1) << place;
        (0..48).map(place).sum()
    }
}

/// A sum of multiples of nim-sums, or of other sums of digits, and a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    /// The coefficients and what is multiplied. No sum occurs twice and no coefficient is 0.
    pub terms: Vec<(i64, Summand)>,
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
        Form { terms: vec![(1, Summand::NimSum(vec![v]))], constant: 0 }
    }

    /// Returns a nim-sum. A variable that occurs twice cancels.
    pub fn sum(variables: &[Variable]) -> Form {
        let joined = nim_sum(variables, &[]);
        if joined.is_empty() {
            return Form::default();
        }
        Form { terms: vec![(1, Summand::NimSum(joined))], constant: 0 }
    }

    /// Returns a sum of binary digits modulo a number other than 2.
    pub fn sum_modulo(modulus: u8, variables: impl Iterator<Item = Variable>) -> Form {
        let mut variables: Vec<Variable> = variables.collect();
        variables.sort_unstable();
        Form { terms: vec![(1, Summand::SumModulo(modulus, variables))], constant: 0 }
    }

    /// Returns k·self + other. Numbers beyond 2^40 are clamped, which every check rejects.
    pub fn add_times(&self, k: i64, other: &Form) -> Form {
        let fit = |x: i64| x.clamp(-MAX_COEFFICIENT, MAX_COEFFICIENT);
        let mut sum = other.clone();
        sum.constant = fit(k.saturating_mul(self.constant).saturating_add(other.constant));
        for (c, summand) in &self.terms {
            let c = fit(k.saturating_mul(*c));
            if c == 0 {
                continue;
            }
            match sum.terms.iter().position(|(_, other)| other == summand) {
                Some(at) => {
                    sum.terms[at].0 = fit(sum.terms[at].0 + c);
                    if sum.terms[at].0 == 0 {
                        sum.terms.remove(at);
                    }
                }
                None => sum.terms.push((c, summand.clone())),
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
        let base = |(c, summand): &(i64, Summand)| {
            Some((Base::sum(summand.modulus(), summand.variables().to_vec())?, *c))
        };
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

    /// Returns the most that the digits add to the form, and the most that they take from it.
    pub fn spread(&self) -> (i64, i64) {
        let top = |summand: &Summand| i64::from(summand.modulus()) - 1;
        let up = self.terms.iter().map(|(c, summand)| (*c).max(0) * top(summand)).sum();
        (up, self.terms.iter().map(|(c, summand)| (-*c).max(0) * top(summand)).sum())
    }

    /// Returns the value of the form without its constant if each variable is a digit.
    pub fn weight(&self, digit: impl Fn(Variable) -> bool) -> i64 {
        self.terms.iter().map(|(c, summand)| c * summand.digit(&digit)).sum()
    }
}

/// Returns the nim-sum of two nim-sums.
pub fn nim_sum(left: &[Variable], right: &[Variable]) -> Vec<Variable> {
    let mut all: Vec<Variable> = [left, right].concat();
    all.sort_unstable();
    let is_odd = |same: &[Variable]| (same.len() % 2 == 1).then(|| same[0]);
    all.chunk_by(|a, b| a == b).filter_map(is_odd).collect()
}

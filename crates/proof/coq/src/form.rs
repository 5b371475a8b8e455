//! Linear forms over nim-sums of variables, as coq/Forms.v has them.

use bouton_prover::derivation::{Base, LinearForm};

/// A variable's number.
pub type Variable = u32;

/// Coefficients and nim-sums, the variables ascending; and a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form {
    /// No nim-sum twice, no coefficient 0.
    pub terms: Vec<(i64, Vec<Variable>)>,
    /// What is added.
    pub constant: i64,
}

/// Greatest coefficient that sums are followed to.
const MOST: i64 = 1 << 40;

impl Form {
    /// A constant.
    pub fn constant(constant: i64) -> Form {
        Form { terms: Vec::new(), constant }
    }

    /// A variable.
    pub fn variable(v: Variable) -> Form {
        Form { terms: vec![(1, vec![v])], constant: 0 }
    }

    /// A nim-sum; a variable twice in it is gone.
    pub fn sum(variables: &[Variable]) -> Form {
        let joined = join(variables, &[]);
        if joined.is_empty() {
            return Form::default();
        }
        Form { terms: vec![(1, joined)], constant: 0 }
    }

    /// k·self + other; numbers beyond 2^40 stay there, which no check accepts.
    pub fn add_times(&self, k: i64, other: &Form) -> Form {
        let fit = |x: i64| x.clamp(-MOST, MOST);
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

    /// self + other.
    pub fn plus(&self, other: &Form) -> Form {
        self.add_times(1, other)
    }

    /// self − other.
    pub fn minus(&self, other: &Form) -> Form {
        other.add_times(-1, self)
    }

    /// k·self.
    pub fn times(&self, k: i64) -> Form {
        self.add_times(k, &Form::default())
    }

    /// Whether it is positive whatever the variables are.
    pub fn is_positive(&self) -> bool {
        self.constant > 0 && self.terms.iter().all(|(c, _)| *c >= 0)
    }

    /// As the prover has it.
    pub fn linear(&self) -> LinearForm {
        let base = |(c, variables): &(i64, Vec<Variable>)| Some((Base::sum(2, variables.clone())?, *c));
        let mut terms: Vec<(Base, i64)> = self.terms.iter().filter_map(base).collect();
        terms.sort();
        LinearForm { terms, constant: self.constant }
    }

    /// Divided by a common divisor of the coefficients, the constant rounded up: at most 0 wherever the form is.
    pub fn divided(&self, by: i64) -> Form {
        if by <= 1 || self.terms.iter().any(|(c, _)| c % by != 0) {
            return self.clone();
        }
        let terms = self.terms.iter().map(|(c, v)| (c / by, v.clone())).collect();
        Form { terms, constant: -(-self.constant).div_euclid(by) }
    }

    /// What the coefficients above 0 add up to, and what those below do, as a natural number.
    pub fn spread(&self) -> (i64, i64) {
        let up = self.terms.iter().map(|(c, _)| (*c).max(0)).sum();
        (up, self.terms.iter().map(|(c, _)| (-*c).max(0)).sum())
    }

    /// What one digit of each variable adds.
    pub fn weight(&self, digit: impl Fn(Variable) -> bool) -> i64 {
        self.terms.iter().filter(|(_, vs)| odd(vs, &digit)).map(|(c, _)| c).sum()
    }
}

/// Whether an odd number of the variables have a 1.
pub fn odd(variables: &[Variable], digit: &impl Fn(Variable) -> bool) -> bool {
    variables.iter().filter(|v| digit(**v)).count() % 2 == 1
}

/// The nim-sum of two.
pub fn join(left: &[Variable], right: &[Variable]) -> Vec<Variable> {
    let mut all: Vec<Variable> = [left, right].concat();
    all.sort_unstable();
    let odd = |same: &[Variable]| (same.len() % 2 == 1).then(|| same[0]);
    all.chunk_by(|a, b| a == b).filter_map(odd).collect()
}

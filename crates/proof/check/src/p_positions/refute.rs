//! Refutations: why forms cannot all be at most 0.
//!
//! **Theorem.** If [`Refutation::refutes`] says so of forms f₁, …, f_r, then for no natural numbers
//! all f_i ≤ 0. *Proof.* Let all be ≤ 0. Each step adds a form that is ≤ 0, too: Σ λ_i·f_i with λ_i
//! ≥ 0, divided and rounded ([`Form::divided`]; Chvátal 1973), or −t, as digit sums are natural. If
//! then a form is positive whatever the variables are, this is absurd (Farkas 1902). Else so says a
//! walk through all digits ([`walk`]): a digit sum that is at most 0 is 0. ∎
//!
//! Which sums to take, and what to walk with, stands in the file.

use super::digits::Digits;
use super::form::{Form, Variable};
use super::list;
use super::walk::walk;
use crate::work::{Reason, Work, number};

#[derive(Debug)]
enum Step {
    /// Multipliers and places of forms, and what the sum is divided by.
    Sum(Vec<(i64, usize)>, i64),
    /// A variable is at least 0.
    Natural(Variable),
}

/// Forms derived, and then perhaps a walk with some, while others are sums of digits that are 0.
#[derive(Debug)]
pub struct Refutation {
    steps: Vec<Step>,
    walk: Option<(Vec<usize>, Vec<usize>)>,
}

impl Refutation {
    /// Reads `2*0 1*3 /2; n4; walk 5,6 zero 1`.
    pub fn read(text: &str) -> Option<Refutation> {
        let mut one = Refutation { steps: Vec::new(), walk: None };
        for step in text.split("; ").filter(|step| !step.is_empty()) {
            if one.walk.is_some() {
                return None;
            } else if let Some(rest) = step.strip_prefix("walk ") {
                let (walked, zeros) = rest.split_once(" zero ").unwrap_or((rest, "-"));
                one.walk = Some((list(walked)?, list(zeros)?));
            } else if let Some(v) = step.strip_prefix('n') {
                one.steps.push(Step::Natural(number(v)?));
            } else {
                let (sum, by) = step.split_once(" /").unwrap_or((step, "1"));
                let part = |part: &str| {
                    let (k, at) = part.split_once('*').unwrap_or(("1", part));
                    Some((i64::from(number::<u32>(k)?), number(at)?))
                };
                let parts = sum.split(' ').map(part).collect::<Option<_>>()?;
                one.steps.push(Step::Sum(parts, number::<u32>(by)?.into()));
            }
        }
        Some(one)
    }

    /// Returns whether it shows that the forms cannot all be at most 0.
    pub fn refutes(
        &self,
        given: &[Form],
        digits: &Digits,
        work: &Work<'_>,
    ) -> Result<bool, Reason> {
        let mut derived: Vec<Form> = Vec::with_capacity(self.steps.len());
        work.spend(16 + 64 * self.steps.len())?;
        for step in &self.steps {
            let form = match step {
                Step::Natural(v) => Form::default().minus(&Form::variable(*v))?,
                Step::Sum(parts, by) => {
                    let mut sum = Form::default();
                    for (k, at) in parts {
                        let own = named(given, &derived, *at)?;
                        work.spend(16 + 4 * (sum.size() + own.size()))?;
                        sum = sum.plus(*k, own)?;
                    }
                    sum.divided(*by)
                }
            };
            if form.is_positive() {
                return Ok(true);
            }
            derived.push(form);
        }
        let Some((walked, zeros)) = &self.walk else { return Ok(false) };
        let forms = |places: &[usize]| -> Result<Vec<&Form>, Reason> {
            places.iter().map(|at| named(given, &derived, *at)).collect()
        };
        walk(&forms(walked)?, &forms(zeros)?, digits, work)
    }
}

/// Returns the form of this place, given or derived.
fn named<'f>(given: &'f [Form], derived: &'f [Form], at: usize) -> Result<&'f Form, Reason> {
    let form = given.get(at).or_else(|| derived.get(at.checked_sub(given.len())?));
    form.ok_or_else(|| "a refutation names a form that is not there".into())
}

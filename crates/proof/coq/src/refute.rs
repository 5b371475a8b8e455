//! Refutations: data from which Coq sees that forms cannot all be at most 0, and their check (coq/Refute.v). The search is the prover's
//! ([`bouton_prover::derivation`]).

use crate::form::{Form, Variable, odd};
use bouton_prover::{Numeration, derivation};
use rustc_hash::{FxHashMap, FxHashSet};

/// A form derived from those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Multipliers and places, and what the sum is divided by.
    Sum(Vec<(i64, usize)>, i64),
    /// A nim-sum is at least 0.
    Natural(Vec<Variable>),
}

/// A refutation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refutation {
    /// Forms added to those given.
    pub steps: Vec<Step>,
    /// The places of the forms to walk with.
    pub walked: Vec<usize>,
    /// The places of nim-sums that are 0.
    pub zeros: Vec<usize>,
    /// Above how many states there are; 0 if there is no walk.
    pub fuel: usize,
}

/// Most states of a walk, most variables in it.
const STATES: usize = 60_000;
const VARIABLES: usize = 12;

impl Refutation {
    /// Whether it shows that the forms cannot all be at most 0: what Coq checks.
    pub fn refutes(&self, given: &[Form]) -> bool {
        let Some(all) = self.derived(given) else { return false };
        all.iter().any(Form::is_positive)
            || self.fuel > 0 && self.states(given).is_some_and(|states| states < self.fuel)
    }

    /// The forms given and those derived.
    fn derived(&self, given: &[Form]) -> Option<Vec<Form>> {
        let mut all = given.to_vec();
        for step in &self.steps {
            all.push(match step {
                Step::Sum(parts, by) => {
                    if parts.iter().any(|(k, at)| *k < 0 || *at >= all.len()) {
                        return None;
                    }
                    let sum =
                        parts.iter().rev().fold(Form::default(), |sum, (k, at)| all[*at].add_times(*k, &sum));
                    sum.divided(*by)
                }
                Step::Natural(variables) => Form::sum(variables).times(-1),
            });
        }
        Some(all)
    }

    /// How many states the walk has.
    fn states(&self, given: &[Form]) -> Option<usize> {
        let all = self.derived(given)?;
        let at = |places: &[usize]| places.iter().map(|at| all.get(*at).cloned()).collect::<Option<Vec<_>>>();
        let zeros: Vec<Vec<Variable>> = at(&self.zeros)?.iter().filter_map(vanishing).collect();
        walk(&at(&self.walked)?, &zeros)
    }

    /// Looks for a refutation.
    pub fn find(given: &[Form]) -> Option<Refutation> {
        if given.iter().any(Form::is_positive) {
            return Some(Refutation::default());
        }
        let found =
            derivation::refutation(&given.iter().map(Form::linear).collect::<Vec<_>>(), Numeration::Binary)?;
        let step = |step: derivation::Step| match step {
            derivation::Step::Sum(parts, by) => Step::Sum(parts, by),
            derivation::Step::Natural(v) => Step::Natural(vec![v]),
        };
        let (walked, zeros) = found.walk.unwrap_or_default();
        let mut one =
            Refutation { steps: found.steps.into_iter().map(step).collect(), walked, zeros, fuel: 0 };
        if !one.walked.is_empty() || !one.zeros.is_empty() {
            // Coq is told how long the walk is.
            one.fuel = STATES + 2;
            one.fuel = one.states(given)? + 2;
        }
        Some(one).filter(|one| one.refutes(given))
    }
}

/// The nim-sum that is 0 where the form is at most 0.
fn vanishing(form: &Form) -> Option<Vec<Variable>> {
    match &form.terms[..] {
        [(c, variables)] if *c > 0 && form.constant >= 0 => Some(variables.clone()),
        _ => None,
    }
}

/// Up to where a form is forgotten, and from where on it is dead.
fn limits(form: &Form) -> (i64, i64) {
    let (up, down) = form.spread();
    ((-up).min(-form.constant), down.max(1 - form.constant))
}

/// How many states a walk meets with forms at most 0 and nim-sums that are 0, if it finds no numbers; at most [`STATES`].
fn walk(forms: &[Form], zeros: &[Vec<Variable>]) -> Option<usize> {
    let mut variables: Vec<Variable> = forms
        .iter()
        .flat_map(|form| form.terms.iter().flat_map(|(_, v)| v))
        .chain(zeros.iter().flatten())
        .copied()
        .collect();
    variables.sort_unstable();
    variables.dedup();
    if variables.len() > VARIABLES {
        return None;
    }
    let limits: Vec<(i64, i64)> = forms.iter().map(limits).collect();
    let mut letters: Vec<Vec<i64>> = Vec::new();
    for word in 0..1u32 << variables.len() {
        let digit = |v: Variable| variables.binary_search(&v).is_ok_and(|at| word >> at & 1 == 1);
        if zeros.iter().all(|sum| !odd(sum, &digit)) {
            letters.push(forms.iter().map(|form| form.weight(digit)).collect());
        }
    }
    letters.sort_unstable();
    letters.dedup();
    let start: Vec<i64> = limits.iter().map(|(low, _)| if *low >= 0 { *low } else { 0 }).collect();
    let mut seen: FxHashSet<Vec<i64>> = FxHashSet::default();
    seen.insert(start.clone());
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let ends = |((v, (low, _)), form): ((&i64, &(i64, i64)), &Form)| v <= low || v + form.constant <= 0;
        if state.iter().zip(&limits).zip(forms).all(ends) || seen.len() > STATES {
            return None;
        }
        'next: for letter in &letters {
            let mut next = Vec::with_capacity(state.len());
            for ((v, (low, high)), x) in state.iter().zip(&limits).zip(letter) {
                if v <= low {
                    next.push(*low);
                    continue;
                }
                let v = 2 * v + x;
                if v >= *high {
                    continue 'next;
                }
                next.push(v.max(*low));
            }
            if !seen.contains(&next) {
                seen.insert(next.clone());
                open.push(next);
            }
        }
    }
    Some(seen.len())
}

/// Refutations met before, by what they refute.
#[derive(Debug, Default)]
pub struct Known(FxHashMap<Vec<Form>, Option<Refutation>>);

impl Known {
    /// Looks for a refutation, once.
    pub fn find(&mut self, forms: &[Form]) -> Option<Refutation> {
        if let Some(known) = self.0.get(forms) {
            return known.clone();
        }
        let found = Refutation::find(forms);
        if self.0.len() < 100_000 {
            self.0.insert(forms.to_vec(), found.clone());
        }
        found
    }
}

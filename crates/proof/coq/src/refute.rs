//! Refutations: data from which Coq sees that forms cannot all be at most 0, and their check
//! (coq/Refute.v). The search is that of the prover ([`bouton_prover::derivation`]).

use crate::form::{Form, Summand, Variable};
use bouton_prover::{Numeration, derivation};
use rustc_hash::{FxHashMap, FxHashSet};

/// A form derived from earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DerivationStep {
    /// A sum of multiples of earlier forms, given by their places, divided by a number.
    Sum(Vec<(i64, usize)>, i64),
    /// A variable, which is at least 0.
    Natural(Variable),
}

/// A refutation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refutation {
    /// The derived forms, after the given ones.
    pub steps: Vec<DerivationStep>,
    /// The places of the forms that the walk follows.
    pub walked: Vec<usize>,
    /// The places of sums of digits that are 0.
    pub zeros: Vec<usize>,
    /// A bound above the number of states of the walk; 0 if there is no walk.
    pub fuel: usize,
}

/// The greatest number of states of a walk, and of variables in it.
const MAX_STATES: usize = 60_000;
const MAX_VARIABLES: usize = 12;

impl Refutation {
    /// Returns whether the refutation shows that the forms cannot all be at most 0: the check of
    /// Coq.
    pub fn refutes(&self, given: &[Form]) -> bool {
        let Some(all) = self.derived(given) else { return false };
        all.iter().any(Form::is_positive)
            || self.fuel > 0 && self.states(given).is_some_and(|states| states < self.fuel)
    }

    /// Returns the given forms and the derived ones.
    fn derived(&self, given: &[Form]) -> Option<Vec<Form>> {
        let mut all = given.to_vec();
        for step in &self.steps {
            all.push(match step {
                DerivationStep::Sum(parts, by) => {
                    if parts.iter().any(|(k, at)| *k < 0 || *at >= all.len()) {
                        return None;
                    }
                    let sum = parts
                        .iter()
                        .rev()
                        .fold(Form::default(), |sum, (k, at)| all[*at].add_times(*k, &sum));
                    sum.divided(*by)
                }
                DerivationStep::Natural(v) => Form::variable(*v).times(-1),
            });
        }
        Some(all)
    }

    /// Returns the number of states of the walk.
    fn states(&self, given: &[Form]) -> Option<usize> {
        let all = self.derived(given)?;
        let at = |places: &[usize]| {
            places.iter().map(|at| all.get(*at).cloned()).collect::<Option<Vec<_>>>()
        };
        let zeros: Vec<Summand> = at(&self.zeros)?.iter().filter_map(vanishing).collect();
        walk(&at(&self.walked)?, &zeros)
    }

    /// Searches for a refutation.
    pub fn find(given: &[Form]) -> Option<Refutation> {
        if given.iter().any(Form::is_positive) {
            return Some(Refutation::default());
        }
        let found = derivation::refutation(
            &given.iter().map(Form::to_linear_form).collect::<Vec<_>>(),
            Numeration::Binary,
        )?;
        let step = |step: derivation::Step| match step {
            derivation::Step::Sum(parts, by) => DerivationStep::Sum(parts, by),
            derivation::Step::Natural(v) => DerivationStep::Natural(v),
        };
        let (walked, zeros) = found.walk.unwrap_or_default();
        let mut refutation = Refutation {
            steps: found.steps.into_iter().map(step).collect(),
            walked,
            zeros,
            fuel: 0,
        };
        if !refutation.walked.is_empty() || !refutation.zeros.is_empty() {
            // Coq needs the length of the walk.
            refutation.fuel = MAX_STATES + 2;
            refutation.fuel = refutation.states(given)? + 2;
        }
        Some(refutation).filter(|refutation| refutation.refutes(given))
    }
}

/// Returns the sum of digits that is 0 wherever the form is at most 0.
fn vanishing(form: &Form) -> Option<Summand> {
    match &form.terms[..] {
        [(c, summand)] if *c > 0 && form.constant >= 0 => Some(summand.clone()),
        _ => None,
    }
}

/// Returns the value from which a form is satisfied whatever follows, and the value from which it
/// cannot be.
fn limits(form: &Form) -> (i64, i64) {
    let (up, down) = form.spread();
    ((-up).min(-form.constant), down.max(1 - form.constant))
}

/// Walks over all numbers by their digits. Returns the number of states met, at most
/// [`MAX_STATES`], if no numbers have all forms at most 0 and all sums in `zeros` 0.
fn walk(forms: &[Form], zeros: &[Summand]) -> Option<usize> {
    let mut variables: Vec<Variable> = forms
        .iter()
        .flat_map(|form| form.terms.iter().map(|(_, summand)| summand))
        .chain(zeros)
        .flat_map(Summand::variables)
        .copied()
        .collect();
    variables.sort_unstable();
    variables.dedup();
    if variables.len() > MAX_VARIABLES {
        return None;
    }
    let limits: Vec<(i64, i64)> = forms.iter().map(limits).collect();
    let mut letters: Vec<Vec<i64>> = Vec::new();
    for digits in 0..1u32 << variables.len() {
        let digit = |v: Variable| variables.binary_search(&v).is_ok_and(|at| digits >> at & 1 == 1);
        if zeros.iter().all(|sum| sum.digit(&digit) == 0) {
            letters.push(forms.iter().map(|form| form.weight(digit)).collect());
        }
    }
    letters.sort_unstable();
    letters.dedup();
    let start: Vec<i64> = limits.iter().map(|(low, _)| if *low >= 0 { *low } else { 0 }).collect();
    let mut visited: FxHashSet<Vec<i64>> = FxHashSet::default();
    visited.insert(start.clone());
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let ends = |((v, (low, _)), form): ((&i64, &(i64, i64)), &Form)| {
            v <= low || v + form.constant <= 0
        };
        if state.iter().zip(&limits).zip(forms).all(ends) || visited.len() > MAX_STATES {
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
            if !visited.contains(&next) {
                visited.insert(next.clone());
                open.push(next);
            }
        }
    }
    Some(visited.len())
}

/// The refutations found so far, by their forms.
#[derive(Debug, Default)]
pub struct RefutationCache(FxHashMap<Vec<Form>, Option<Refutation>>);

impl RefutationCache {
    /// Searches for a refutation, once for each list of forms.
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

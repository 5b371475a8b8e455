//! Refutations: data from which Coq sees that forms cannot all be at most 0, their search, and their check (coq/Refute.v).
//!
//! First multipliers are looked for. Where there are none, equations are put in, variables outside nim-sums are
//! eliminated (Fourier 1826, Motzkin 1936) and sums are rounded (Chvátal 1973), until a sum is positive or a walk through the digits of what is
//! left is short.

use crate::farkas::multipliers;
use crate::form::{Form, Variable, odd};
use rustc_hash::{FxHashMap, FxHashSet};

/// A form derived from those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Multipliers and places, and what the sum is divided by.
    Sum(Vec<(i64, usize)>, i64),
    /// A nim-sum is at least 0. (The search has no need of it.)
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

/// Most states of a walk, most variables in it, most forms in an elimination.
const STATES: usize = 60_000;
const VARIABLES: usize = 12;
const FORMS: usize = 300;

impl Refutation {
    /// Whether it shows that the forms cannot all be at most 0: what Coq checks.
    pub fn refutes(&self, given: &[Form]) -> bool {
        let mut all = given.to_vec();
        for step in &self.steps {
            all.push(match step {
                Step::Sum(parts, by) => {
                    if parts.iter().any(|(k, at)| *k < 0 || *at >= all.len()) {
                        return false;
                    }
                    let sum =
                        parts.iter().rev().fold(Form::default(), |sum, (k, at)| all[*at].add_times(*k, &sum));
                    sum.divided(*by)
                }
                Step::Natural(variables) => Form::sum(variables).times(-1),
            });
        }
        if all.iter().any(Form::is_positive) {
            return true;
        }
        if self.fuel == 0 || self.walked.iter().chain(&self.zeros).any(|at| *at >= all.len()) {
            return false;
        }
        let forms: Vec<Form> = self.walked.iter().map(|at| all[*at].clone()).collect();
        let zeros: Vec<Vec<Variable>> = self.zeros.iter().filter_map(|at| vanishing(&all[*at])).collect();
        walk(&forms, &zeros).is_some_and(|states| states < self.fuel)
    }

    /// Looks for a refutation.
    pub fn find(given: &[Form]) -> Option<Refutation> {
        if given.iter().any(Form::is_positive) {
            return Some(Refutation::default());
        }
        if let Some(one) = by_remainder(given).filter(|one| one.refutes(given)) {
            return Some(one);
        }
        if let Some(found) = multipliers(given) {
            let parts: Vec<(i64, usize)> = found.into_iter().zip(0..).filter(|(k, _)| *k != 0).collect();
            let one = Refutation { steps: vec![Step::Sum(parts, 1)], ..Refutation::default() };
            if one.refutes(given) {
                return Some(one);
            }
        }
        let mut search = Search { all: given.to_vec(), steps: Vec::new(), given: given.len() };
        let left = search.eliminate();
        let found = match left {
            Err(at) => Some(search.pruned(&[at], &[], 0)),
            Ok(left) => search.walked(&left),
        };
        found.filter(|one| one.refutes(given))
    }
}

/// Equations that add up to one whose coefficients have a common divisor that the constant has not: from both sides it is
/// rounded up, and the two say 1 ≤ 0.
fn by_remainder(given: &[Form]) -> Option<Refutation> {
    // Each equation with what it is the sum of: multipliers, places of the form and of its negative.
    type Sum = Vec<(i64, usize, usize)>;
    let mut equations: Vec<(Form, Sum)> = Vec::new();
    for (i, form) in given.iter().enumerate() {
        let contrary = form.times(-1);
        let is_contrary = |other: &Form| {
            other.constant == contrary.constant
                && other.terms.len() == contrary.terms.len()
                && other.terms.iter().all(|(c, v)| contrary.coefficient(v) == *c)
        };
        if let Some(j) = given[i + 1..].iter().position(is_contrary) {
            equations.push((form.clone(), vec![(1, i, i + 1 + j)]));
        }
    }
    while let Some((form, sum)) = equations.pop() {
        let by = form.content();
        if by == 0 && form.constant == 0 {
            continue;
        }
        if by != 1 && (by == 0 || form.constant % by != 0) {
            let side = |sign: i64| {
                let place = |(k, low, high): &(i64, usize, usize)| {
                    (k.abs(), if k.signum() == sign { *low } else { *high })
                };
                sum.iter().map(place).collect::<Vec<_>>()
            };
            let n = given.len();
            let steps = vec![
                Step::Sum(side(1), by.max(1)),
                Step::Sum(side(-1), by.max(1)),
                Step::Sum(vec![(1, n), (1, n + 1)], 1),
            ];
            return Some(Refutation { steps, ..Refutation::default() });
        }
        let Some((c, base)) = form.terms.iter().find(|(c, _)| c.abs() == 1).cloned() else { continue };
        for (other, own) in &mut equations {
            let k = -other.coefficient(&base) * c;
            if k == 0 {
                continue;
            }
            *other = form.add_times(k, other);
            for (times, low, high) in &sum {
                match own.iter_mut().find(|(_, l, _)| l == low) {
                    Some(known) => known.0 += k * times,
                    None => own.push((k * times, *low, *high)),
                }
            }
            own.retain(|(times, ..)| *times != 0);
        }
    }
    None
}

/// The nim-sum that is 0 where the form is at most 0.
fn vanishing(form: &Form) -> Option<Vec<Variable>> {
    match &form.terms[..] {
        [(c, variables)] if *c > 0 && form.constant >= 0 => Some(variables.clone()),
        _ => None,
    }
}

struct Search {
    all: Vec<Form>,
    steps: Vec<Step>,
    given: usize,
}

impl Search {
    /// Adds up forms, divides by what divides all coefficients; the place of the sum.
    fn add(&mut self, parts: Vec<(i64, usize)>) -> usize {
        let sum = parts.iter().rev().fold(Form::default(), |sum, (k, at)| self.all[*at].add_times(*k, &sum));
        let by = sum.content().max(1);
        let sum = sum.divided(by);
        if let Some(known) = self.all.iter().position(|form| *form == sum) {
            return known;
        }
        self.all.push(sum);
        self.steps.push(Step::Sum(parts, by));
        self.all.len() - 1
    }

    /// Eliminates what can be without loss; places of what is left, or the place of a contradiction.
    fn eliminate(&mut self) -> Result<Vec<usize>, usize> {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.all.len() {
            let by = self.all[at].content();
            let at = if by > 1 { self.add(vec![(1, at)]) } else { at };
            open.push(at);
        }
        loop {
            open.sort_unstable();
            open.dedup();
            if let Some(at) = open.iter().find(|at| self.all[**at].is_positive()) {
                return Err(*at);
            }
            open.retain(|at| !self.all[*at].is_idle());
            self.thin(&mut open);
            if open.len() > FORMS {
                return Ok(open);
            }
            match self.solved(&open).or_else(|| self.projected(&open)) {
                Some(next) => open = next,
                None => return Ok(open),
            }
        }
    }

    /// Drops forms that say no more than another.
    fn thin(&self, open: &mut Vec<usize>) {
        let mut kept: Vec<usize> = Vec::new();
        for at in open.iter() {
            let weaker = |one: &Form, other: &Form| {
                // one ≤ other everywhere: the difference is idle.
                one.minus(other).is_idle()
            };
            if kept.iter().any(|k| weaker(&self.all[*at], &self.all[*k])) {
                continue;
            }
            kept.retain(|k| !weaker(&self.all[*k], &self.all[*at]));
            kept.push(*at);
        }
        *open = kept;
    }

    /// The variables that stand alone everywhere, never in a nim-sum of several.
    fn alone(&self, open: &[usize]) -> Vec<Variable> {
        let (mut alone, mut within) = (FxHashSet::default(), FxHashSet::default());
        for (_, variables) in open.iter().flat_map(|at| &self.all[*at].terms) {
            match variables[..] {
                [v] => drop(alone.insert(v)),
                _ => within.extend(variables.iter().copied()),
            }
        }
        let mut alone: Vec<Variable> = alone.difference(&within).copied().collect();
        alone.sort_unstable();
        alone
    }

    /// An equation, as two forms, put into all others.
    fn solved(&mut self, open: &[usize]) -> Option<Vec<usize>> {
        let alone = self.alone(open);
        let mut best: Option<(usize, Variable, usize, usize)> = None;
        for (i, &low) in open.iter().enumerate() {
            let contrary = self.all[low].times(-1);
            let Some(&high) = open[i + 1..].iter().find(|at| {
                let form = &self.all[**at];
                form.constant == contrary.constant
                    && form.terms.len() == contrary.terms.len()
                    && form.terms.iter().all(|(c, v)| contrary.coefficient(v) == *c)
            }) else {
                continue;
            };
            for v in &alone {
                let size = contrary.terms.len();
                if self.all[low].coefficient(&[*v]).abs() == 1 && best.is_none_or(|(least, ..)| size < least)
                {
                    best = Some((size, *v, low, high));
                }
            }
        }
        let (_, v, low, high) = best?;
        let own = self.all[low].coefficient(&[v]);
        let mut next = Vec::new();
        for &at in open.iter().filter(|at| **at != low && **at != high) {
            let c = self.all[at].coefficient(&[v]);
            next.push(match c {
                0 => at,
                c if c.signum() == own.signum() => self.add(vec![(1, at), (c.abs(), high)]),
                c => self.add(vec![(1, at), (c.abs(), low)]),
            });
        }
        // The variable is natural: what it equals is at least 0. Its coefficient is 1 in one of the two forms: that one
        // without the variable.
        let with_one = if own > 0 { low } else { high };
        next.push(self.without(with_one, v));
        Some(next)
    }

    /// The form with a variable of positive coefficient dropped.
    fn without(&mut self, at: usize, v: Variable) -> usize {
        let c = self.all[at].coefficient(&[v]);
        self.all.push(Form::variable(v).times(-1));
        self.steps.push(Step::Natural(vec![v]));
        let natural = self.all.len() - 1;
        self.add(vec![(1, at), (c, natural)])
    }

    /// A variable that has bounds only, gone: every lower bound is at most every upper one.
    fn projected(&mut self, open: &[usize]) -> Option<Vec<usize>> {
        let mut best: Option<(usize, Variable)> = None;
        for v in self.alone(open) {
            let (mut low, mut high, mut units) = (1, 0, (true, true));
            for at in open {
                match self.all[*at].coefficient(&[v]) {
                    0 => {}
                    c if c < 0 => {
                        low += 1;
                        units.0 &= c == -1;
                    }
                    c => {
                        high += 1;
                        units.1 &= c == 1;
                    }
                }
            }
            if (units.0 || units.1) && low * high <= 64 && best.is_none_or(|(least, _)| low * high < least) {
                best = Some((low * high, v));
            }
        }
        let (_, v) = best?;
        let coefficient = |all: &[Form], at: usize| all[at].coefficient(&[v]);
        let (mut lows, mut highs, mut next) = (Vec::new(), Vec::new(), Vec::new());
        for &at in open {
            match coefficient(&self.all, at) {
                0 => next.push(at),
                c if c < 0 => lows.push(at),
                _ => highs.push(at),
            }
        }
        for high in highs {
            let up = coefficient(&self.all, high);
            next.push(self.without(high, v));
            for &low in &lows {
                let down = -coefficient(&self.all, low);
                next.push(self.add(vec![(up, low), (down, high)]));
            }
        }
        Some(next)
    }

    /// Walks with what is left; if that is much, with ever more of it.
    fn walked(&self, left: &[usize]) -> Option<Refutation> {
        let zeros: Vec<usize> = left
            .iter()
            .copied()
            .filter(|at| self.all[*at].constant == 0 && vanishing(&self.all[*at]).is_some())
            .collect();
        let walked: Vec<usize> = left.iter().copied().filter(|at| !zeros.contains(at)).collect();
        let forms: Vec<Form> = walked.iter().map(|at| self.all[*at].clone()).collect();
        let sums: Vec<Vec<Variable>> = zeros.iter().filter_map(|at| vanishing(&self.all[*at])).collect();
        let states = walk(&forms, &sums)?;
        Some(self.pruned(&walked, &zeros, states + 2))
    }

    /// The steps that these places rest on, and the places in their new numbers.
    fn pruned(&self, walked: &[usize], zeros: &[usize], fuel: usize) -> Refutation {
        let mut needed = vec![false; self.all.len()];
        walked.iter().chain(zeros).for_each(|at| needed[*at] = true);
        for at in (self.given..self.all.len()).rev() {
            if needed[at]
                && let Step::Sum(parts, _) = &self.steps[at - self.given]
            {
                parts.iter().for_each(|(_, parent)| needed[*parent] = true);
            }
        }
        let mut number: Vec<usize> = (0..self.all.len()).collect();
        let mut steps = Vec::new();
        for at in self.given..self.all.len() {
            if !needed[at] {
                continue;
            }
            number[at] = self.given + steps.len();
            steps.push(match &self.steps[at - self.given] {
                Step::Sum(parts, by) => Step::Sum(parts.iter().map(|(k, p)| (*k, number[*p])).collect(), *by),
                natural => natural.clone(),
            });
        }
        let places = |list: &[usize]| list.iter().map(|at| number[*at]).collect::<Vec<_>>();
        if fuel == 0 {
            return Refutation { steps, ..Refutation::default() };
        }
        Refutation { steps, walked: places(walked), zeros: places(zeros), fuel }
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

//! Refutations: data from which the checker sees that forms cannot all be at most 0, and the search
//! for them.
//!
//! First multipliers are looked for. Where there are none, equations are put in, variables outside
//! digit sums are eliminated (Fourier 1826, Motzkin 1936) and sums are rounded (Chvátal 1973),
//! until a sum is positive or a walk through the digits of what is left is short.

use super::farkas::multipliers;
use super::form::{
    Digits, Value, at, at_most, content, divided, grown, is_contrary, is_idle, is_positive, limits,
    weight,
};
use bouton_automata::linear_form::{Base, LinearForm, Variable};
use bouton_core::Arrange;
use rustc_hash::FxHashSet;
use std::fmt;

/// A form derived from those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Multipliers and places, and what the sum is divided by.
    Sum(Vec<(i64, usize)>, i64),
    /// A variable is at least 0.
    Natural(Variable),
}

/// A refutation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refutation {
    /// Forms added to those given.
    pub steps: Vec<Step>,
    /// The places of the forms to walk with, and of digit sums that are 0.
    pub walk: Option<(Vec<usize>, Vec<usize>)>,
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = |list: &[usize]| match list {
            [] => "-".to_owned(),
            list => list.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
        };
        let mut all: Vec<String> = Vec::new();
        for step in &self.steps {
            all.push(match step {
                Step::Natural(v) => format!("n{v}"),
                Step::Sum(parts, by) => {
                    let part = |(k, at): &(i64, usize)| {
                        if *k == 1 { at.to_string() } else { format!("{k}*{at}") }
                    };
                    let sum = parts.iter().map(part).collect::<Vec<_>>().join(" ");
                    if *by > 1 { format!("{sum} /{by}") } else { sum }
                }
            });
        }
        if let Some((walked, zeros)) = &self.walk {
            let zero =
                if zeros.is_empty() { String::new() } else { format!(" zero {}", places(zeros)) };
            all.push(format!("walk {}{zero}", places(walked)));
        }
        f.write_str(&all.join("; "))
    }
}

/// Most states of a walk, most bits of a round of all variables in it, most forms in an
/// elimination.
const STATES: usize = 60_000;
const BITS: usize = 15;
const FORMS: usize = 300;

impl Refutation {
    /// Returns a refutation by multipliers, or by a remainder.
    pub fn quick(given: &[LinearForm]) -> Option<Refutation> {
        if let Some(one) = by_remainder(given) {
            return Some(one);
        }
        let parts: Vec<(i64, usize)> =
            multipliers(given)?.into_iter().zip(0..).filter(|(k, _)| *k != 0).collect();
        let fits = parts.iter().all(|(k, _)| (1..1 << 31).contains(k));
        fits.then(|| Refutation { steps: vec![Step::Sum(parts, 1)], walk: None })
    }

    /// Returns any other refutation: variables are eliminated, and what is left is walked digit by
    /// digit.
    pub fn thorough(given: &[LinearForm], digits: &Digits) -> Option<Refutation> {
        let mut search =
            RefutationSearch { all: given.to_vec(), steps: Vec::new(), given: given.len(), digits };
        match search.eliminate()? {
            Err(at) => Some(search.pruned(&[at], None)),
            Ok(left) => search.walked(&left),
        }
    }
}

fn sum(all: &[LinearForm], parts: &[(i64, usize)]) -> Option<LinearForm> {
    parts.iter().try_fold(LinearForm::default(), |sum, (k, at)| sum.plus(all.get(*at)?, *k))
}

/// Equations that add up to one whose coefficients have a common divisor that the constant has not:
/// from both sides it is rounded up, and the two say 1 ≤ 0.
fn by_remainder(given: &[LinearForm]) -> Option<Refutation> {
    // Each equation with what it is the sum of: multipliers, places of the form and of its
    // negative.
    type Sum = Vec<(i64, usize, usize)>;
    let mut equations: Vec<(LinearForm, Sum)> = Vec::new();
    for (i, form) in given.iter().enumerate() {
        if let Some(j) = given[i + 1..].iter().position(|other| is_contrary(form, other)) {
            equations.push((form.clone(), vec![(1, i, i + 1 + j)]));
        }
    }
    while let Some((form, sum)) = equations.pop() {
        let by = content(&form);
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
            let small = sum.iter().all(|(k, ..)| k.abs() < 1 << 31) && by < 1 << 31;
            return small.then_some(Refutation { steps, walk: None });
        }
        let Some((base, c)) = form.terms.iter().find(|(_, c)| c.abs() == 1).cloned() else {
            continue;
        };
        for (other, own) in &mut equations {
            let own_c = other.terms.iter().find(|(own, _)| *own == base).map_or(0, |(_, c)| *c);
            let k = -own_c * c;
            if k == 0 {
                continue;
            }
            *other = other.plus(&form, k)?;
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

/// Returns the digit sum that is 0 where the form is at most 0, with its modulus.
fn vanishing(form: &LinearForm, digits: &Digits) -> Option<(usize, Vec<Variable>)> {
    match &form.terms[..] {
        [(Base::Plain(v), c)] if *c > 0 && form.constant >= 0 => Some((2, vec![*v])),
        [(Base::Sum(modulus, variables), c)]
            if *c > 0 && form.constant >= 0 && digits.round.is_binary() =>
        {
            Some(((*modulus).into(), variables.clone()))
        }
        _ => None,
    }
}

struct RefutationSearch<'d> {
    all: Vec<LinearForm>,
    steps: Vec<Step>,
    given: usize,
    digits: &'d Digits,
}

impl RefutationSearch<'_> {
    /// Adds up forms, divides by what divides all coefficients; the place of the sum.
    fn add(&mut self, parts: Vec<(i64, usize)>) -> Option<usize> {
        let sum = sum(&self.all, &parts)?;
        let by = content(&sum).max(1);
        let sum = divided(sum, by);
        if let Some(known) = self.all.iter().position(|form| *form == sum) {
            return Some(known);
        }
        self.all.push(sum);
        self.steps.push(Step::Sum(parts, by));
        Some(self.all.len() - 1)
    }

    /// Eliminates what can be without loss; places of what is left, or the place of a
    /// contradiction.
    fn eliminate(&mut self) -> Option<Result<Vec<usize>, usize>> {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.all.len() {
            open.push(if content(&self.all[at]) > 1 { self.add(vec![(1, at)])? } else { at });
        }
        loop {
            open.arrange();
            open.dedup();
            if let Some(at) = open.iter().find(|at| is_positive(&self.all[**at])) {
                return Some(Err(*at));
            }
            open.retain(|at| !is_idle(&self.all[*at]));
            self.thin(&mut open)?;
            if open.len() > FORMS {
                return Some(Ok(open));
            }
            match self.solved(&open)? {
                Some(next) => open = next,
                None => match self.projected(&open)? {
                    Some(next) => open = next,
                    None => return Some(Ok(open)),
                },
            }
        }
    }

    /// Drops forms that say no more than another.
    fn thin(&self, open: &mut Vec<usize>) -> Option<()> {
        let mut kept: Vec<usize> = Vec::new();
        for at in open.iter() {
            // one ≤ other everywhere: the difference is idle.
            let weaker = |one: &LinearForm, other: &LinearForm| {
                one.terms.len() <= other.terms.len() + 8
                    && one.plus(other, -1).is_some_and(|rest| is_idle(&rest))
            };
            if kept.iter().any(|k| weaker(&self.all[*at], &self.all[*k])) {
                continue;
            }
            kept.retain(|k| !weaker(&self.all[*k], &self.all[*at]));
            kept.push(*at);
        }
        *open = kept;
        Some(())
    }

    /// Returns the variables that stand alone everywhere, never in a nim-sum of several.
    fn alone(&self, open: &[usize]) -> Vec<Variable> {
        let (mut alone, mut within) = (FxHashSet::default(), FxHashSet::default());
        for (base, _) in open.iter().flat_map(|at| &self.all[*at].terms) {
            match base {
                Base::Plain(v) => drop(alone.insert(*v)),
                other => within.extend(other.variables().iter().copied()),
            }
        }
        let mut alone: Vec<Variable> = alone.difference(&within).copied().collect();
        alone.arrange();
        alone
    }

    /// Puts an equation, as two forms, into all others.
    fn solved(&mut self, open: &[usize]) -> Option<Option<Vec<usize>>> {
        let alone = self.alone(open);
        let mut best: Option<(usize, Variable, usize, usize)> = None;
        for (i, &low) in open.iter().enumerate() {
            let Some(&high) =
                open[i + 1..].iter().find(|at| is_contrary(&self.all[low], &self.all[**at]))
            else {
                continue;
            };
            for v in &alone {
                let size = self.all[low].terms.len();
                if at(&self.all[low], *v).abs() == 1 && best.is_none_or(|(least, ..)| size < least)
                {
                    best = Some((size, *v, low, high));
                }
            }
        }
        let Some((_, v, low, high)) = best else { return Some(None) };
        let own = at(&self.all[low], v);
        let mut next = Vec::new();
        for &place in open.iter().filter(|at| **at != low && **at != high) {
            let c = at(&self.all[place], v);
            next.push(match c {
                0 => place,
                c if c.signum() == own.signum() => self.add(vec![(1, place), (c.abs(), high)])?,
                c => self.add(vec![(1, place), (c.abs(), low)])?,
            });
        }
        // The variable is natural: what it equals is at least 0. Its coefficient is 1 in one of the
        // two forms: that one without the variable.
        let with_one = if own > 0 { low } else { high };
        next.push(self.without(with_one, v)?);
        Some(Some(next))
    }

    /// Returns the form with a variable of positive coefficient dropped.
    fn without(&mut self, place: usize, v: Variable) -> Option<usize> {
        let c = at(&self.all[place], v);
        self.all.push(LinearForm::variable(v).times(-1)?);
        self.steps.push(Step::Natural(v));
        let natural = self.all.len() - 1;
        self.add(vec![(1, place), (c, natural)])
    }

    /// Removes a variable that has bounds only: every lower bound is at most every upper one.
    fn projected(&mut self, open: &[usize]) -> Option<Option<Vec<usize>>> {
        let mut best: Option<(usize, Variable)> = None;
        for v in self.alone(open) {
            let (mut low, mut high, mut units) = (1, 0, (true, true));
            for place in open {
                match at(&self.all[*place], v) {
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
            if (units.0 || units.1)
                && low * high <= 64
                && best.is_none_or(|(least, _)| low * high < least)
            {
                best = Some((low * high, v));
            }
        }
        let Some((_, v)) = best else { return Some(None) };
        let coefficient = |all: &[LinearForm], place: usize| at(&all[place], v);
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
            next.push(self.without(high, v)?);
            for &low in &lows {
                let down = -coefficient(&self.all, low);
                next.push(self.add(vec![(up, low), (down, high)])?);
            }
        }
        Some(Some(next))
    }

    /// Walks with what is left; if that is much, with ever more of it.
    fn walked(&self, left: &[usize]) -> Option<Refutation> {
        let zeros: Vec<usize> = left
            .iter()
            .copied()
            .filter(|at| {
                self.all[*at].constant == 0 && vanishing(&self.all[*at], self.digits).is_some()
            })
            .collect();
        let walked: Vec<usize> = left.iter().copied().filter(|at| !zeros.contains(at)).collect();
        let forms: Vec<&LinearForm> = walked.iter().map(|at| &self.all[*at]).collect();
        let sums: Vec<_> =
            zeros.iter().filter_map(|at| vanishing(&self.all[*at], self.digits)).collect();
        walk(&forms, &sums, self.digits)?;
        Some(self.pruned(&walked, Some(&zeros)))
    }

    /// Returns the steps that these places rest on, and the places in their new numbers.
    fn pruned(&self, walked: &[usize], zeros: Option<&[usize]>) -> Refutation {
        let mut needed = vec![false; self.all.len()];
        walked.iter().chain(zeros.unwrap_or(&[])).for_each(|at| needed[*at] = true);
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
                Step::Sum(parts, by) => {
                    Step::Sum(parts.iter().map(|(k, p)| (*k, number[*p])).collect(), *by)
                }
                natural => natural.clone(),
            });
        }
        let places = |list: &[usize]| list.iter().map(|at| number[*at]).collect::<Vec<_>>();
        Refutation { steps, walk: zeros.map(|zeros| (places(walked), places(zeros))) }
    }
}

/// Returns whether a walk finds no numbers with forms at most 0 and digit sums that are 0; None if
/// it does, or meets more than [`STATES`].
fn walk(forms: &[&LinearForm], zeros: &[(usize, Vec<Variable>)], digits: &Digits) -> Option<()> {
    let of_forms =
        forms.iter().flat_map(|form| form.terms.iter().flat_map(|(base, _)| base.variables()));
    let mut variables: Vec<Variable> =
        of_forms.chain(zeros.iter().flat_map(|zero| &zero.1)).copied().collect();
    variables.arrange();
    variables.dedup();
    if variables.len() * digits.round.bits > BITS {
        return None;
    }
    let limits: Vec<(Value, Value)> =
        forms.iter().map(|form| limits(form, digits)).collect::<Option<_>>()?;
    let letters = letters(forms, zeros, &variables, digits);
    let start: Vec<Value> =
        limits.iter().map(|(low, _)| if at_most((0, 0), *low) { *low } else { (0, 0) }).collect();
    let mut seen: FxHashSet<(u32, Vec<Value>)> = FxHashSet::default();
    let mut open = vec![(0, start)];
    seen.extend(open.iter().cloned());
    while let Some((last, state)) = open.pop() {
        let ended = last == 0 || digits.round.is_final(1);
        let ends = |((v, (low, _)), form): ((&Value, &(Value, Value)), &&LinearForm)| {
            at_most(*v, *low) || v.0 + form.constant <= 0
        };
        if ended && state.iter().zip(&limits).zip(forms).all(ends) || seen.len() > STATES {
            return None;
        }
        'next: for (_, full, weights) in letters.iter().filter(|(begun, ..)| begun & last == 0) {
            let mut next = Vec::with_capacity(state.len());
            for ((v, (low, high)), x) in state.iter().zip(&limits).zip(weights) {
                let v = if at_most(*v, *low) { *low } else { grown(*v, *x, digits) };
                if at_most(*high, v) {
                    continue 'next;
                }
                next.push(if at_most(v, *low) { *low } else { v });
            }
            let next = (*full, next);
            if !seen.contains(&next) {
                seen.insert(next.clone());
                open.push(next);
            }
        }
    }
    Some(())
}

/// Returns what the letters weigh, a round of each variable, where the sums are 0: each once, with
/// the variables whose first digit is not 0, and those whose last digit is the greatest; after such
/// a one no other than 0 may follow.
fn letters(
    forms: &[&LinearForm],
    zeros: &[(usize, Vec<Variable>)],
    variables: &[Variable],
    digits: &Digits,
) -> Vec<(u32, u32, Vec<Value>)> {
    let rounds = &digits.spelt;
    let mut all = Vec::new();
    let mut chosen = vec![0; variables.len()];
    loop {
        let code = |v: Variable| variables.binary_search(&v).map_or(0, |at| rounds[chosen[at]].0);
        if zeros
            .iter()
            .all(|(modulus, sum)| sum.iter().filter(|v| code(**v) != 0).count() % modulus == 0)
        {
            let weights = forms.iter().map(|form| weight(form, &code, digits)).collect();
            let (mut begun, mut full) = (0, 0);
            for (at, round) in chosen.iter().map(|round| rounds[*round]).enumerate() {
                begun |= u32::from(digits.round.state_after_round(1, round.0).is_none()) << at;
                full |= (round.1 as u32) << at;
            }
            all.push((begun, full, weights));
        }
        let Some(at) = chosen.iter().position(|round| round + 1 < rounds.len()) else { break };
        chosen[at] += 1;
        chosen[..at].fill(0);
    }
    all.arrange();
    all.dedup();
    all
}

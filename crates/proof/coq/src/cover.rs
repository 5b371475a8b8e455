//! Labels: the values of a case's conditions in each state of its automaton, found by following all
//! words, and checked as in coq/Cover.v.
//!
//! For conditions on heaps alone the label is the greatest value of each. With guessed digits the
//! label has clauses: lists of vectors, of which some guess attains one.

use crate::ExportError;
use crate::body::Condition;
use crate::form::Variable;
use bouton_prover::{Cover, Numeration, derivation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The automaton of all cases. State 0 accepts nothing, state 1 everything.
#[derive(Debug)]
pub struct CaseAutomaton {
    /// The successors on 0 and on 1.
    pub next: Vec<[u32; 2]>,
    /// Whether numbers may end in a state.
    pub ends: Vec<bool>,
    /// The number of heaps: the digits of one round.
    pub heaps: usize,
}

/// The values of the forms of the conditions.
pub type FormValues = Vec<i64>;

/// The labels of a case.
#[derive(Debug, Clone)]
pub struct Labels {
    /// Guesses for which the vectors of the start hold.
    pub first: Vec<Vec<u64>>,
    /// The clauses by state.
    pub clauses: BTreeMap<u32, Vec<Vec<FormValues>>>,
}

struct ConditionReader<'c> {
    conditions: &'c [Condition],
    low: Vec<i64>,
    high: Vec<i64>,
    /// For each letter of the heaps: the increments with all guessed digits, and those digits.
    weights: Vec<Vec<(FormValues, u32)>>,
}

impl ConditionReader<'_> {
    /// Returns whether the value x is at least as good as y, whatever digits follow.
    fn is_at_least_as_good(&self, i: usize, x: i64, y: i64) -> bool {
        match &self.conditions[i] {
            Condition::Bound(_) => x <= y,
            Condition::Divisible(m, _) => (x - y).rem_euclid(*m as i64) == 0,
            Condition::Differs(_) => {
                x == y || y >= self.high[i] && x >= y || y <= self.low[i] && x <= y
            }
        }
    }

    fn is_satisfied(&self, i: usize, x: i64) -> bool {
        match &self.conditions[i] {
            Condition::Bound(form) => x + form.constant <= 0,
            Condition::Divisible(m, form) => (x + form.constant).rem_euclid(*m as i64) == 0,
            Condition::Differs(form) => x + form.constant != 0,
        }
    }

    fn implies(&self, v: &FormValues, u: &FormValues) -> bool {
        (0..u.len()).all(|i| self.is_at_least_as_good(i, v[i], u[i]))
    }
}

impl CaseAutomaton {
    /// Returns the letters that lead from a state to a state other than 0, with that state.
    fn letters(&self, state: u32) -> Vec<(usize, u32)> {
        let mut all = vec![(0, state)];
        for h in 0..self.heaps {
            let mut next = Vec::with_capacity(2 * all.len());
            for (letter, s) in all {
                let [zero, one] = self.next[s as usize];
                if zero != 0 {
                    next.push((letter, zero));
                }
                if one != 0 {
                    next.push((letter | 1 << h, one));
                }
            }
            all = next;
        }
        all
    }

    /// Finds and checks the labels of a case whose guesses are the variables after the heaps.
    pub fn labels(
        &self,
        start: u32,
        conditions: &[Condition],
        guesses: usize,
    ) -> Result<Labels, ExportError> {
        let reader = self.reader(conditions, guesses)?;
        let wrong = || {
            ExportError::new(
                "an automaton of the certificate accepts more than its conditions, or has too \
                 many guesses side by side",
            )
        };
        let own: Vec<derivation::Condition> = conditions
            .iter()
            .map(|condition| match condition {
                Condition::Bound(form) => derivation::Condition::Bound(form.to_linear_form()),
                Condition::Divisible(m, form) => {
                    derivation::Condition::Divisible(*m as i64, form.to_linear_form(), true)
                }
                Condition::Differs(form) => derivation::Condition::Differs(form.to_linear_form()),
            })
            .collect();
        let cover =
            Cover { next: self.next.clone(), accepting: self.ends.clone(), ..Cover::default() };
        let found =
            derivation::Labels::new(&cover, (self.heaps, guesses), start, &own, Numeration::Binary)
                .ok_or_else(wrong)?;
        // Numbers by their digits; no digits stand for 0.
        let number = |word: &Vec<u32>, g: usize| {
            word.iter().fold(0, |x, letter| 2 * x + u64::from(letter >> g & 1))
        };
        let mut first = vec![vec![0; guesses]];
        first.extend(
            found
                .first
                .iter()
                .map(|word| (0..guesses).map(|g| number(word, g)).collect::<Vec<u64>>()),
        );
        let clause = |clause: &Vec<derivation::Vector>| -> Vec<FormValues> {
            clause.iter().map(|vector| vector.iter().map(|value| value.0).collect()).collect()
        };
        let mut clauses: BTreeMap<u32, Vec<Vec<FormValues>>> = found
            .clauses
            .iter()
            .map(|(state, list)| (*state, list.iter().map(clause).collect()))
            .collect();
        if conditions.is_empty() {
            clauses = self
                .reachable(start)
                .into_iter()
                .map(|state| (state, vec![vec![vec![]]]))
                .collect();
        }
        let labels = Labels { first, clauses };
        if !self.holds(start, &reader, &labels) {
            return Err(wrong());
        }
        Ok(labels)
    }

    /// Returns the states between two rounds that are reachable from a start.
    fn reachable(&self, start: u32) -> Vec<u32> {
        let mut found = vec![start];
        let mut at = 0;
        while let Some(state) = found.get(at).copied() {
            at += 1;
            for (_, to) in self.letters(state) {
                if !found.contains(&to) {
                    found.push(to);
                }
            }
        }
        found
    }

    fn reader<'c>(
        &self,
        conditions: &'c [Condition],
        guesses: usize,
    ) -> Result<ConditionReader<'c>, ExportError> {
        if self.heaps + guesses > 16 {
            return Err(ExportError::new("so many heaps and guesses are not exported"));
        }
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for condition in conditions {
            let (up, down) = condition.form().spread();
            let k = condition.form().constant;
            let differs = matches!(condition, Condition::Differs(_));
            low.push((-up).min(-k - i64::from(differs)));
            high.push(down.max(1 - k));
        }
        let weights = (0..1usize << self.heaps)
            .map(|letter| {
                (0..1u32 << guesses)
                    .map(|guess| {
                        let digit = |v: Variable| {
                            let v = v as usize;
                            if v < self.heaps {
                                letter >> v & 1 == 1
                            } else {
                                guess >> (v - self.heaps) & 1 == 1
                            }
                        };
                        (conditions.iter().map(|c| c.form().weight(digit)).collect(), guess)
                    })
                    .collect()
            })
            .collect();
        Ok(ConditionReader { conditions, low, high, weights })
    }

    /// Checks the labels as Coq does.
    fn holds(&self, start: u32, reader: &ConditionReader<'_>, labels: &Labels) -> bool {
        let n = reader.conditions.len();
        let reachable = |v: &FormValues| {
            labels.first.iter().any(|numbers| {
                let at = |v: Variable| {
                    numbers.get((v as usize).wrapping_sub(self.heaps)).copied().unwrap_or(0)
                };
                let value = |c: &Condition| -> i64 {
                    c.form().terms.iter().map(|(c, summand)| c * summand.value(&at)).sum()
                };
                (0..n).all(|i| reader.is_at_least_as_good(i, value(&reader.conditions[i]), v[i]))
            })
        };
        let Some(at_start) = labels.clauses.get(&start) else { return false };
        if !at_start.iter().any(|clause| clause.iter().all(reachable)) {
            return false;
        }
        for (state, list) in &labels.clauses {
            for clause in list {
                let fits = |v: &FormValues| (0..n).all(|i| reader.is_satisfied(i, v[i]));
                if self.ends[*state as usize] && !clause.iter().any(fits) {
                    return false;
                }
                for (letter, to) in self.letters(*state) {
                    let after: Vec<FormValues> = clause
                        .iter()
                        .flat_map(|v| {
                            reader.weights[letter].iter().map(move |(add, _)| {
                                v.iter().zip(add).map(|(x, y)| 2 * x + y).collect()
                            })
                        })
                        .collect();
                    let leads = |to: &Vec<FormValues>| {
                        to.iter().all(|u| after.iter().any(|v| reader.implies(v, u)))
                    };
                    if !labels.clauses.get(&to).is_some_and(|list| list.iter().any(leads)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Returns whether the sets cover all words, as Coq checks it.
    pub fn covers(&self, starts: &[u32], sets: &[Vec<u32>]) -> bool {
        let mut by_member: FxHashMap<u32, Vec<&Vec<u32>>> = FxHashMap::default();
        for set in sets {
            let Some(first) = set.first() else { return false };
            if !set.iter().any(|s| self.ends[*s as usize]) {
                return false;
            }
            by_member.entry(*first).or_default().push(set);
        }
        let mut fine: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut contains = |all: &[u32]| {
            if fine.contains(all) {
                return true;
            }
            let members: FxHashSet<u32> = all.iter().copied().collect();
            let found = all.iter().any(|s| {
                by_member.get(s).is_some_and(|list| {
                    list.iter().any(|set| set.iter().all(|s| members.contains(s)))
                })
            });
            if found {
                fine.insert(all.to_vec());
            }
            found
        };
        if !contains(starts) {
            return false;
        }
        for set in sets {
            let mut open = vec![(0, set.clone())];
            while let Some((level, set)) = open.pop() {
                if level == self.heaps {
                    if !contains(&set) {
                        return false;
                    }
                    continue;
                }
                for digit in 0..2 {
                    let next: Vec<u32> = set
                        .iter()
                        .map(|s| self.next[*s as usize][digit])
                        .filter(|s| *s != 0)
                        .collect();
                    open.push((level + 1, next));
                }
            }
        }
        true
    }
}

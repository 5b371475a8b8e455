//! Labels: what is known of a part's conditions in each state of its automaton, found by following all words, and checked
//! as coq/Cover.v does.
//!
//! Of conditions on heaps alone the greatest reading is kept, each for itself; readings with guessed digits are clauses: lists of
//! vectors, each of which some guess attains.

use crate::NotCovered;
use crate::certificate::Condition;
use crate::form::Variable;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The automaton of all parts: state 0 accepts nothing, 1 everything.
#[derive(Debug)]
pub struct Machine {
    /// What follows on 0 and on 1.
    pub next: Vec<[u32; 2]>,
    /// Whether numbers may end.
    pub ends: Vec<bool>,
    /// How many digits make a round.
    pub heaps: usize,
}

/// Values of the conditions' forms.
pub type Vector = Vec<i64>;

/// A part's labels.
#[derive(Debug, Clone)]
pub struct Labels {
    /// Guesses with which the start's vectors hold.
    pub first: Vec<Vec<u64>>,
    /// Clauses by state.
    pub clauses: BTreeMap<u32, Vec<Vec<Vector>>>,
}

/// Most vectors side by side.
const VECTORS: usize = 256;

struct Reader<'c> {
    conditions: &'c [Condition],
    low: Vec<i64>,
    high: Vec<i64>,
    /// For each letter of the heaps, what it adds with all guessed digits, and those digits.
    weights: Vec<Vec<(Vector, u32)>>,
}

impl Reader<'_> {
    /// A value put in its class; None if no digits can make the condition hold any more.
    fn clipped(&self, i: usize, x: i64) -> Option<i64> {
        match &self.conditions[i] {
            Condition::Bound(_) if x >= self.high[i] => None,
            Condition::Bound(_) => Some(x.max(self.low[i])),
            Condition::Divisible(m, _) => Some(x.rem_euclid(*m as i64)),
            Condition::Differs(_) => Some(x.clamp(self.low[i], self.high[i])),
        }
    }

    /// Whether a value is as good as another, whatever follows.
    fn good_as(&self, i: usize, x: i64, y: i64) -> bool {
        match &self.conditions[i] {
            Condition::Bound(_) => x <= y,
            Condition::Divisible(m, _) => (x - y).rem_euclid(*m as i64) == 0,
            Condition::Differs(_) => x == y || y >= self.high[i] && x >= y || y <= self.low[i] && x <= y,
        }
    }

    fn good(&self, i: usize, x: i64) -> bool {
        match &self.conditions[i] {
            Condition::Bound(form) => x + form.constant <= 0,
            Condition::Divisible(m, form) => (x + form.constant).rem_euclid(*m as i64) == 0,
            Condition::Differs(form) => x + form.constant != 0,
        }
    }

    fn implies(&self, v: &Vector, u: &Vector) -> bool {
        (0..u.len()).all(|i| self.good_as(i, v[i], u[i]))
    }
}

impl Machine {
    /// The letters that lead somewhere from a state, and where.
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

    /// Finds the labels of a part whose guesses are the variables after the heaps, and checks them.
    pub fn labels(&self, start: u32, conditions: &[Condition], guesses: usize) -> Result<Labels, NotCovered> {
        let reader = self.reader(conditions, guesses)?;
        let wrong = || NotCovered::new("an automaton of the certificate accepts more than its conditions");
        // What is read on heaps alone is joined: the greatest value of each bound; remainders where they are one.
        let guessed: Vec<bool> = conditions
            .iter()
            .map(|c| !c.form().is_below(self.heaps as Variable) || !matches!(c, Condition::Bound(_)))
            .collect();
        let plain: Vec<usize> = (0..conditions.len()).filter(|i| !guessed[*i]).collect();
        let zero: Vector = vec![0; conditions.len()];
        let mut greatest: FxHashMap<u32, Vector> = FxHashMap::default();
        greatest.insert(start, plain.iter().map(|i| reader.low[*i].max(0)).collect());
        let mut open = vec![start];
        let mut moves: FxHashMap<u32, Vec<(usize, u32)>> = FxHashMap::default();
        while let Some(state) = open.pop() {
            let own = greatest[&state].clone();
            let letters = moves.entry(state).or_insert_with(|| self.letters(state));
            for (letter, to) in letters.iter() {
                let add = &reader.weights[*letter][0].0;
                let mut next = Vector::with_capacity(own.len());
                for (x, i) in own.iter().zip(&plain) {
                    next.push(reader.clipped(*i, 2 * x + add[*i]).ok_or_else(wrong)?);
                }
                match greatest.get_mut(to) {
                    None => {
                        greatest.insert(*to, next);
                        open.push(*to);
                    }
                    Some(known) => {
                        let mut more = false;
                        for (x, y) in known.iter_mut().zip(next) {
                            more |= y > *x;
                            *x = (*x).max(y);
                        }
                        if more {
                            open.push(*to);
                        }
                    }
                }
            }
        }
        // Clauses over the others.
        let others: Vec<usize> = (0..conditions.len()).filter(|i| guessed[*i]).collect();
        let (first_vectors, first) = self.first(&reader, &others, guesses)?;
        let mut clauses: BTreeMap<u32, Vec<Vec<Vector>>> = BTreeMap::new();
        let weaker = |from: &[Vector], to: &[Vector]| {
            to.iter().all(|u| {
                from.iter().any(|v| others.iter().enumerate().all(|(at, i)| reader.good_as(*i, v[at], u[at])))
            })
        };
        let mut open = vec![(start, first_vectors.clone())];
        clauses.insert(start, vec![first_vectors]);
        while let Some((state, clause)) = open.pop() {
            if !clauses[&state].contains(&clause) {
                continue;
            }
            for (letter, to) in &moves[&state] {
                let mut next: Vec<Vector> = Vec::new();
                for v in &clause {
                    'weights: for (add, _) in &reader.weights[*letter] {
                        let mut u = Vector::with_capacity(others.len());
                        for (x, i) in v.iter().zip(&others) {
                            match reader.clipped(*i, 2 * x + add[*i]) {
                                Some(x) => u.push(x),
                                None => continue 'weights,
                            }
                        }
                        next.push(u);
                    }
                }
                let next = weakest(next, &|v, u| {
                    others.iter().enumerate().all(|(at, i)| reader.good_as(*i, v[at], u[at]))
                });
                if next.is_empty() {
                    return Err(wrong());
                }
                if next.len() > VECTORS {
                    return Err(NotCovered::new("a part has too many guesses side by side"));
                }
                let known = clauses.entry(*to).or_default();
                if known.iter().any(|old| weaker(&next, old)) {
                    continue;
                }
                known.retain(|old| !weaker(old, &next));
                known.push(next.clone());
                open.push((*to, next));
            }
        }
        // Both together.
        let merged = |state: u32, clause: &Vec<Vector>| -> Vec<Vector> {
            let whole = |v: &Vector| {
                let mut all = zero.clone();
                plain.iter().zip(&greatest[&state]).for_each(|(i, x)| all[*i] = *x);
                others.iter().zip(v).for_each(|(i, x)| all[*i] = *x);
                all
            };
            clause.iter().map(whole).collect()
        };
        let clauses: BTreeMap<u32, Vec<Vec<Vector>>> = clauses
            .iter()
            .map(|(state, list)| (*state, list.iter().map(|clause| merged(*state, clause)).collect()))
            .collect();
        let labels = Labels { first, clauses };
        if !self.holds(start, &reader, &labels) {
            return Err(wrong());
        }
        Ok(labels)
    }

    fn reader<'c>(&self, conditions: &'c [Condition], guesses: usize) -> Result<Reader<'c>, NotCovered> {
        if self.heaps + guesses > 16 {
            return Err(NotCovered::new("so many heaps and guesses are not exported"));
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
        Ok(Reader { conditions, low, high, weights })
    }

    /// The vectors before the first digit of any heap: guessed numbers may have more digits. With the guesses.
    fn first(
        &self,
        reader: &Reader<'_>,
        others: &[usize],
        guesses: usize,
    ) -> Result<(Vec<Vector>, Vec<Vec<u64>>), NotCovered> {
        let start: Vector = vec![0; others.len()];
        let start: Option<Vector> = start.iter().zip(others).map(|(x, i)| reader.clipped(*i, *x)).collect();
        let Some(start) = start else { return Ok((vec![], vec![])) };
        let mut found = vec![(start, vec![0u64; guesses])];
        let mut at = 0;
        while at < found.len() && guesses > 0 {
            let (v, own) = found[at].clone();
            at += 1;
            'weights: for (add, digits) in &reader.weights[0] {
                let mut u = Vector::with_capacity(others.len());
                for (x, i) in v.iter().zip(others) {
                    match reader.clipped(*i, 2 * x + add[*i]) {
                        Some(x) => u.push(x),
                        None => continue 'weights,
                    }
                }
                if found.iter().all(|(known, _)| *known != u) && found.len() < VECTORS {
                    let numbers =
                        own.iter().zip(0..).map(|(x, g)| 2 * x + u64::from(digits >> g & 1)).collect();
                    found.push((u, numbers));
                }
            }
        }
        let better = |v: &Vector, u: &Vector| {
            others.iter().enumerate().all(|(at, i)| reader.good_as(*i, v[at], u[at]))
        };
        let vectors = weakest(found.iter().map(|(v, _)| v.clone()).collect(), &better);
        let first = vectors
            .iter()
            .filter_map(|v| found.iter().find(|(known, _)| known == v).map(|(_, numbers)| numbers.clone()))
            .collect();
        Ok((vectors, first))
    }

    /// The check that Coq makes.
    fn holds(&self, start: u32, reader: &Reader<'_>, labels: &Labels) -> bool {
        let n = reader.conditions.len();
        let reached = |v: &Vector| {
            labels.first.iter().any(|numbers| {
                let at =
                    |v: &Variable| numbers.get((*v as usize).wrapping_sub(self.heaps)).copied().unwrap_or(0);
                let value = |c: &Condition| -> i64 {
                    let sum = |vs: &Vec<Variable>| vs.iter().map(at).fold(0, |a, b| a ^ b) as i64;
                    c.form().terms.iter().map(|(c, vs)| c * sum(vs)).sum()
                };
                (0..n).all(|i| reader.good_as(i, value(&reader.conditions[i]), v[i]))
            })
        };
        let Some(at_start) = labels.clauses.get(&start) else { return false };
        if !at_start.iter().any(|clause| clause.iter().all(reached)) {
            return false;
        }
        for (state, list) in &labels.clauses {
            for clause in list {
                let fits = |v: &Vector| (0..n).all(|i| reader.good(i, v[i]));
                if self.ends[*state as usize] && !clause.iter().any(fits) {
                    return false;
                }
                for (letter, to) in self.letters(*state) {
                    let after: Vec<Vector> = clause
                        .iter()
                        .flat_map(|v| {
                            reader.weights[letter]
                                .iter()
                                .map(move |(add, _)| v.iter().zip(add).map(|(x, y)| 2 * x + y).collect())
                        })
                        .collect();
                    let leads =
                        |to: &Vec<Vector>| to.iter().all(|u| after.iter().any(|v| reader.implies(v, u)));
                    if !labels.clauses.get(&to).is_some_and(|list| list.iter().any(leads)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether the sets cover all words, as Coq checks it.
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
                by_member
                    .get(s)
                    .is_some_and(|list| list.iter().any(|set| set.iter().all(|s| members.contains(s))))
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
                    let next: Vec<u32> =
                        set.iter().map(|s| self.next[*s as usize][digit]).filter(|s| *s != 0).collect();
                    open.push((level + 1, next));
                }
            }
        }
        true
    }
}

/// The vectors that no other is better than: the easiest to continue.
fn weakest(mut all: Vec<Vector>, better: &dyn Fn(&Vector, &Vector) -> bool) -> Vec<Vector> {
    all.sort_unstable();
    all.dedup();
    let mut kept: Vec<Vector> = Vec::new();
    for v in all {
        if kept.iter().any(|k| better(k, &v)) {
            continue;
        }
        kept.retain(|k| !better(&v, k));
        kept.push(v);
    }
    kept
}

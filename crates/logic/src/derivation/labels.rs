//! Labels of an automaton's states: what is known of a part's conditions there (crates/check, p_positions/cover.rs).
//!
//! A state has the greatest value of each inequality without guesses, over all words that lead there; of the other conditions clauses, each a list
//! of vectors for one of which there is a guess. Values beyond which nothing changes are joined.

use super::form::{Digits, Value, at_most, grown, limits, weight};
use crate::cover::Cover;
use crate::linear_form::{Base, LinearForm, Variable};
use crate::numeration::Numeration;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, VecDeque};

/// What a part says of heaps and guesses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The form is at most 0.
    Bound(LinearForm),
    /// Divisible, or (`false`) not.
    Divisible(i64, LinearForm, bool),
    /// The form is not 0.
    Differs(LinearForm),
    /// The digits of a guess are a numeral's, or (`true`) those of a heap are not.
    Neighbours(Variable, bool),
}

impl Condition {
    /// Whether it is on variables from this one on.
    pub fn is_on(&self, guesses: Variable) -> bool {
        match self {
            Condition::Bound(form) | Condition::Divisible(_, form, _) | Condition::Differs(form) => {
                form.terms.iter().any(|(base, _)| base.variables().iter().any(|v| *v >= guesses))
            }
            Condition::Neighbours(v, _) => *v >= guesses,
        }
    }
}

/// A vector of values, one a condition.
pub type Vector = Vec<Value>;

/// Labels, and words of guessed letters that come before the heaps' digits.
#[derive(Debug, Default)]
pub struct Labels {
    /// The words.
    pub first: Vec<Vec<u32>>,
    /// The clauses of each state.
    pub clauses: BTreeMap<u32, Vec<Vec<Vector>>>,
}

/// Most vectors side by side, most bits of heaps and guesses.
const VECTORS: usize = 256;
const BITS: usize = 20;

struct Reader<'c> {
    conditions: &'c [Condition],
    digits: &'c Digits,
    /// Bits of the heaps, and of the guesses, in a round.
    heaps: usize,
    guesses: usize,
    low: Vec<Value>,
    high: Vec<Value>,
    /// What a letter of the heaps, and of the guesses above it, weighs.
    weights: FxHashMap<u32, Vector>,
}

impl Reader<'_> {
    fn weigh(&mut self, letter: u32) {
        let (conditions, digits, guesses, heaps) = (self.conditions, self.digits, self.guesses, self.heaps);
        let bits = digits.round.bits;
        for guess in 0..1u32 << guesses {
            let letter = letter | guess << heaps;
            self.weights.entry(letter).or_insert_with(|| {
                let code = |v: Variable| letter >> (v as usize * bits) & ((1 << bits) - 1);
                let one = |condition: &Condition| match condition {
                    Condition::Bound(form) | Condition::Divisible(_, form, _) | Condition::Differs(form) => {
                        weight(form, &code, digits)
                    }
                    Condition::Neighbours(v, _) => (i64::from(code(*v)), 0),
                };
                conditions.iter().map(one).collect()
            });
        }
    }

    /// In Ostrowski digits: whether a comparison holds of all numerals that follow.
    fn sure(&self, i: usize, (a, b): Value) -> bool {
        let round = &self.digits.round;
        if round.is_binary() {
            return false;
        }
        // That sign·form + more is at most 0. What 1 weighs where coefficients are positive: numerals of m rounds are below what 1 becomes in m rounds.
        let at_most = |form: &LinearForm, sign: i64, more: i64| {
            let (mut w, mut x, mut sum) = (0, 0, 0);
            for (base, c) in form.terms.iter().map(|(base, c)| (base, c * sign)).filter(|(_, c)| *c > 0) {
                let (y, z) = round.one[usize::from(matches!(base, Base::Shift(..)))];
                (w, x, sum) = (w + c * y, x + c * z, sum + c);
            }
            let (a, b, k) = (sign * a, sign * b, sign * form.constant + more);
            a + k <= 0 && round.stays((a + w, b + x), 0.min(sum - k))
        };
        match &self.conditions[i] {
            Condition::Bound(form) => at_most(form, 1, 0),
            Condition::Differs(form) => at_most(form, 1, 1) || at_most(form, -1, 1),
            _ => false,
        }
    }

    /// The value after a letter, put in its class; None if the condition cannot hold any more.
    fn after(&self, i: usize, x: Value, weights: &[Value]) -> Option<Value> {
        let w = weights[i];
        if self.sure(i, x) {
            return Some(x);
        }
        match &self.conditions[i] {
            Condition::Neighbours(..) if x.0 == 2 => Some(x),
            Condition::Neighbours(_, met) => match self.digits.round.spelt_whole(x.0, w.0 as u32) {
                None => met.then_some((2, 0)),
                Some(full) => Some((full, 0)),
            },
            _ => self.clipped(i, grown(x, w, self.digits)),
        }
    }

    fn clipped(&self, i: usize, x: Value) -> Option<Value> {
        match &self.conditions[i] {
            Condition::Bound(_) if at_most(self.high[i], x) => None,
            Condition::Bound(_) => Some(if at_most(x, self.low[i]) { self.low[i] } else { x }),
            Condition::Divisible(m, ..) => Some((x.0.rem_euclid(*m), x.1.rem_euclid(*m))),
            Condition::Differs(_) if at_most(self.high[i], x) => Some(self.high[i]),
            Condition::Differs(_) if at_most(x, self.low[i]) => Some(self.low[i]),
            Condition::Differs(_) | Condition::Neighbours(..) => Some(x),
        }
    }

    /// Whether a value is as good as another, whatever follows.
    fn good_as(&self, i: usize, x: Value, y: Value) -> bool {
        if self.sure(i, x) {
            return true;
        }
        match &self.conditions[i] {
            Condition::Bound(_) => at_most(x, y),
            Condition::Divisible(m, ..) => (x.0 - y.0) % m == 0 && (x.1 - y.1) % m == 0,
            Condition::Differs(_) => {
                x == y
                    || at_most(self.high[i], y) && at_most(y, x)
                    || at_most(y, self.low[i]) && at_most(x, y)
            }
            Condition::Neighbours(_, false) => x.0 <= y.0,
            Condition::Neighbours(_, true) => x.0 >= y.0,
        }
    }
}

/// The letters that lead somewhere from a state, and where.
fn letters(cover: &Cover, heaps: usize, state: u32) -> Vec<(u32, u32)> {
    let mut all = vec![(0, state)];
    for h in 0..heaps {
        let steps = all.into_iter().flat_map(|(letter, s)| {
            let [zero, one] = cover.next[s as usize];
            [(letter, zero), (letter | 1 << h, one)]
        });
        all = steps.filter(|(_, to)| *to != 0).collect();
    }
    all
}

impl Labels {
    /// The labels of a part with these conditions, whose guesses are the variables after the heaps. None if there are too many.
    pub fn of(
        cover: &Cover,
        (heaps, guesses): (usize, usize),
        start: u32,
        conditions: &[Condition],
        numeration: Numeration,
    ) -> Option<Labels> {
        let digits = &Digits::new(numeration);
        if start == 0 || conditions.is_empty() {
            return Some(Labels::default());
        }
        let (variables, bits) = (heaps, digits.round.bits);
        let (heaps, guesses) = (heaps * bits, guesses * bits);
        if heaps + guesses > BITS {
            return None;
        }
        let mut reader = Reader {
            conditions,
            digits,
            heaps,
            guesses,
            low: Vec::new(),
            high: Vec::new(),
            weights: FxHashMap::default(),
        };
        for condition in conditions {
            let (low, high) = match condition {
                Condition::Bound(form) | Condition::Divisible(_, form, _) => limits(form, digits)?,
                Condition::Differs(form) => {
                    (limits(&form.plus(&LinearForm::constant(1), 1)?, digits)?.0, limits(form, digits)?.1)
                }
                Condition::Neighbours(..) => Default::default(),
            };
            reader.low.push(low);
            reader.high.push(high);
        }
        reader.weigh(0);
        // What is read on heaps alone is joined; of two numbers a value neither need be greater.
        let alone = |condition: &Condition| match condition {
            Condition::Bound(form) => {
                digits.round.is_binary()
                    && form
                        .terms
                        .iter()
                        .all(|(base, _)| base.variables().iter().all(|v| (*v as usize) < variables))
            }
            _ => false,
        };
        let (plain, others): (Vec<usize>, Vec<usize>) =
            (0..conditions.len()).partition(|i| alone(&conditions[*i]));
        let mut moves: FxHashMap<u32, Vec<(u32, u32)>> = FxHashMap::default();
        let greatest = reader.greatest(cover, start, &plain, &mut moves)?;
        let (first_vectors, first) = reader.first(&others)?;
        let clauses = reader.clauses(start, first_vectors, &others, &moves)?;
        let whole = |state: u32, v: &Vector| {
            let mut all = vec![(0, 0); conditions.len()];
            plain.iter().zip(&greatest[&state]).for_each(|(i, x)| all[*i] = *x);
            others.iter().zip(v).for_each(|(i, x)| all[*i] = *x);
            all
        };
        let merged = |(state, list): (u32, Vec<Vec<Vector>>)| {
            (state, list.iter().map(|clause| clause.iter().map(|v| whole(state, v)).collect()).collect())
        };
        Some(Labels { first, clauses: clauses.into_iter().map(merged).collect() })
    }
}

impl Reader<'_> {
    /// The greatest values of some conditions in every state; where states lead is kept.
    fn greatest(
        &mut self,
        cover: &Cover,
        start: u32,
        plain: &[usize],
        moves: &mut FxHashMap<u32, Vec<(u32, u32)>>,
    ) -> Option<FxHashMap<u32, Vector>> {
        let begin = plain.iter().map(|i| self.clipped(*i, (0, 0))).collect::<Option<Vector>>()?;
        let mut greatest: FxHashMap<u32, Vector> = FxHashMap::default();
        greatest.insert(start, begin);
        // First come, first served, each waiting once: values grow least often so.
        let mut open = VecDeque::from([start]);
        let mut waits: FxHashSet<u32> = [start].into_iter().collect();
        let mut next = Vector::with_capacity(plain.len());
        while let Some(state) = open.pop_front() {
            waits.remove(&state);
            let own = greatest[&state].clone();
            if let Entry::Vacant(entry) = moves.entry(state) {
                let own = letters(cover, self.heaps, state);
                own.iter().for_each(|(letter, _)| self.weigh(*letter));
                entry.insert(own);
            }
            for (letter, to) in &moves[&state] {
                let weights = &self.weights[letter];
                next.clear();
                for (x, i) in own.iter().zip(plain) {
                    next.push(self.after(*i, *x, weights)?);
                }
                let more = match greatest.entry(*to) {
                    Entry::Vacant(entry) => {
                        entry.insert(next.clone());
                        true
                    }
                    Entry::Occupied(entry) => {
                        let known = entry.into_mut().iter_mut().zip(&next);
                        known.fold(false, |more, (x, y)| {
                            let greater = *y > *x;
                            *x = (*x).max(*y);
                            more | greater
                        })
                    }
                };
                if more && waits.insert(*to) {
                    open.push_back(*to);
                }
            }
        }
        Some(greatest)
    }

    fn better(&self, others: &[usize], v: &Vector, u: &Vector) -> bool {
        others.iter().enumerate().all(|(at, i)| self.good_as(*i, v[at], u[at]))
    }

    fn step(&self, others: &[usize], v: &Vector, letter: u32) -> Option<Vector> {
        let weights = &self.weights[&letter];
        v.iter().zip(others).map(|(x, i)| self.after(*i, *x, weights)).collect()
    }

    /// The vectors that no other is better than: the easiest to continue.
    fn weakest(&self, others: &[usize], mut all: Vec<Vector>) -> Vec<Vector> {
        all.sort_unstable();
        all.dedup();
        let mut kept: Vec<Vector> = Vec::new();
        for v in all {
            if !kept.iter().any(|k| self.better(others, k, &v)) {
                kept.retain(|k| !self.better(others, &v, k));
                kept.push(v);
            }
        }
        kept
    }

    /// The vectors before the first digit of any heap, as guessed numbers may have more digits; with the words that lead there.
    fn first(&self, others: &[usize]) -> Option<(Vec<Vector>, Vec<Vec<u32>>)> {
        let start: Vector = others.iter().map(|i| self.clipped(*i, (0, 0))).collect::<Option<_>>()?;
        let mut found: Vec<(Vector, Vec<u32>)> = vec![(start, Vec::new())];
        let mut at = 0;
        while at < found.len() && self.guesses > 0 {
            let (v, word) = found[at].clone();
            at += 1;
            for guess in 0..1u32 << self.guesses {
                let Some(u) = self.step(others, &v, guess << self.heaps) else { continue };
                if found.iter().all(|(known, _)| *known != u) && found.len() < VECTORS {
                    found.push((u, [&word[..], &[guess]].concat()));
                }
            }
        }
        let vectors = self.weakest(others, found.iter().map(|(v, _)| v.clone()).collect());
        let word = |v: &Vector| found.iter().find(|(known, _)| known == v).map(|(_, word)| word.clone());
        let words = vectors.iter().filter_map(word).filter(|word| !word.is_empty()).collect();
        Some((vectors, words))
    }

    /// Clauses over some conditions.
    fn clauses(
        &self,
        start: u32,
        first: Vec<Vector>,
        others: &[usize],
        moves: &FxHashMap<u32, Vec<(u32, u32)>>,
    ) -> Option<BTreeMap<u32, Vec<Vec<Vector>>>> {
        let weaker = |from: &[Vector], to: &[Vector]| {
            to.iter().all(|u| from.iter().any(|v| self.better(others, v, u)))
        };
        let mut clauses: BTreeMap<u32, Vec<Vec<Vector>>> = BTreeMap::new();
        let mut open = vec![(start, first.clone())];
        clauses.insert(start, vec![first]);
        while let Some((state, clause)) = open.pop() {
            if !clauses[&state].contains(&clause) {
                continue;
            }
            for (letter, to) in &moves[&state] {
                let guesses = 0..1u32 << self.guesses;
                let next = clause.iter().flat_map(|v| {
                    guesses.clone().filter_map(|g| self.step(others, v, letter | g << self.heaps))
                });
                let next = self.weakest(others, next.collect());
                // No vector says nothing: nothing may be accepted from there on.
                if next.len() > VECTORS {
                    return None;
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
        Some(clauses)
    }
}

//! Labels of an automaton's states: what is known of a part's conditions there (crates/proof/check,
//! p_positions/cover.rs).
//!
//! A state has the greatest value of each inequality without guesses, over all words that lead
//! there; of the other conditions clauses, each a list of vectors for one of which there is a
//! guess. Values beyond which nothing changes are joined.

use super::form::{Digits, Value, at_most, grown, limits, weight};
use crate::cover::Cover;
use bouton_automata::linear_form::{Base, LinearForm, Variable};
use bouton_automata::numeration::Numeration;
use bouton_core::Arrange;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::hash::Hash;

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
    /// Returns whether it is on variables from this one on.
    pub fn is_on(&self, guesses: Variable) -> bool {
        match self {
            Condition::Bound(form)
            | Condition::Divisible(_, form, _)
            | Condition::Differs(form) => {
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

/// Where a part's letters lead: the states between rounds that can be reached, and from each the
/// letters of the heaps that do not lead to state 0. All conditions of a part are read along the
/// same letters.
#[derive(Debug)]
pub struct ReachableStates {
    /// The states, in the order in which they are met.
    states: Vec<u32>,
    /// The letters that lead somewhere.
    letters: Vec<u32>,
    /// For each state letters, by place in the list, and where they lead, by place among the
    /// states.
    moves: Vec<Vec<(u32, u32)>>,
}

impl ReachableStates {
    /// Follows the cover from a state, by letters of this many bits; `None` if these are too many.
    pub fn new(cover: &Cover, bits: usize, start: u32) -> Option<ReachableStates> {
        if bits > BITS {
            return None;
        }
        let mut reach =
            ReachableStates { states: vec![start], letters: Vec::new(), moves: Vec::new() };
        let mut places: FxHashMap<u32, u32> = [(start, 0)].into_iter().collect();
        let mut rows = vec![u32::MAX; 1 << bits];
        let (mut all, mut next) = (Vec::new(), Vec::new());
        while let Some(&state) = reach.states.get(reach.moves.len()) {
            all.clear();
            all.push((0u32, state));
            for h in 0..bits {
                next.clear();
                for &(letter, s) in &all {
                    let [zero, one] = cover.next[s as usize];
                    let both = [(letter, zero), (letter | 1 << h, one)];
                    next.extend(both.into_iter().filter(|(_, to)| *to != 0));
                }
                std::mem::swap(&mut all, &mut next);
            }
            let mut moves = Vec::with_capacity(all.len());
            for &(letter, to) in &all {
                let row = &mut rows[letter as usize];
                if *row == u32::MAX {
                    *row = reach.letters.len() as u32;
                    reach.letters.push(letter);
                }
                let place = *places.entry(to).or_insert_with(|| {
                    reach.states.push(to);
                    reach.states.len() as u32 - 1
                });
                moves.push((*row, place));
            }
            reach.moves.push(moves);
        }
        Some(reach)
    }
}

struct Reader<'c> {
    conditions: &'c [Condition],
    digits: &'c Digits,
    /// Bits of the heaps, and of the guesses, in a round.
    heaps: usize,
    guesses: usize,
    low: Vec<Value>,
    high: Vec<Value>,
}

impl Reader<'_> {
    /// Returns what a letter of the heaps and the guesses above it weighs in some conditions.
    fn weights(&self, of: &[usize], letter: u32) -> Vector {
        let (digits, bits) = (self.digits, self.digits.round.bits);
        let code = |v: Variable| letter >> (v as usize * bits) & ((1 << bits) - 1);
        let one = |condition: &Condition| match condition {
            Condition::Bound(form)
            | Condition::Divisible(_, form, _)
            | Condition::Differs(form) => weight(form, &code, digits),
            Condition::Neighbours(v, _) => (i64::from(code(*v)), 0),
        };
        of.iter().map(|i| one(&self.conditions[*i])).collect()
    }

    /// Returns whether in Ostrowski digits a comparison holds of all numerals that follow.
    fn sure(&self, i: usize, (a, b): Value) -> bool {
        let round = &self.digits.round;
        if round.is_binary() {
            return false;
        }
        // That sign·form + more is at most 0. What 1 weighs where coefficients are positive:
        // numerals of m rounds are below what 1 becomes in m rounds.
        let at_most = |form: &LinearForm, sign: i64, more: i64| {
            let (mut w, mut x, mut sum) = (0, 0, 0);
            for (base, c) in
                form.terms.iter().map(|(base, c)| (base, c * sign)).filter(|(_, c)| *c > 0)
            {
                let (y, z) = round.one[usize::from(matches!(base, Base::Shift(..)))];
                (w, x, sum) = (w + c * y, x + c * z, sum + c);
            }
            let (a, b, k) = (sign * a, sign * b, sign * form.constant + more);
            a + k <= 0 && round.stays_at_most((a + w, b + x), 0.min(sum - k))
        };
        match &self.conditions[i] {
            Condition::Bound(form) => at_most(form, 1, 0),
            Condition::Differs(form) => at_most(form, 1, 1) || at_most(form, -1, 1),
            _ => false,
        }
    }

    /// Returns the value after a letter, put in its class; None if the condition cannot hold any
    /// more.
    fn after(&self, i: usize, x: Value, w: Value) -> Option<Value> {
        if self.sure(i, x) {
            return Some(x);
        }
        match &self.conditions[i] {
            Condition::Neighbours(..) if x.0 == 2 => Some(x),
            Condition::Neighbours(_, met) => {
                match self.digits.round.state_after_round(x.0, w.0 as u32) {
                    None => met.then_some((2, 0)),
                    Some(full) => Some((full, 0)),
                }
            }
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

    /// Returns whether a value is as good as another, whatever follows.
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

impl Labels {
    /// Returns the labels of a part with these conditions, whose guesses are the variables after
    /// the heaps. None if there are too many.
    pub fn new(
        cover: &Cover,
        (heaps, guesses): (usize, usize),
        start: u32,
        conditions: &[Condition],
        numeration: Numeration,
    ) -> Option<Labels> {
        if start == 0 || conditions.is_empty() {
            return Some(Labels::default());
        }
        let digits = &Digits::new(numeration);
        Labels::along(
            &ReachableStates::new(cover, heaps * digits.round.bits, start)?,
            (heaps, guesses),
            conditions,
            digits,
        )
    }

    /// Returns the same along letters that are known.
    pub(super) fn along(
        reach: &ReachableStates,
        (heaps, guesses): (usize, usize),
        conditions: &[Condition],
        digits: &Digits,
    ) -> Option<Labels> {
        let (variables, bits) = (heaps, digits.round.bits);
        let (heaps, guesses) = (heaps * bits, guesses * bits);
        if heaps + guesses > BITS {
            return None;
        }
        let mut reader =
            Reader { conditions, digits, heaps, guesses, low: Vec::new(), high: Vec::new() };
        for condition in conditions {
            let (low, high) = match condition {
                Condition::Bound(form) | Condition::Divisible(_, form, _) => limits(form, digits)?,
                Condition::Differs(form) => (
                    limits(&form.plus(&LinearForm::constant(1), 1)?, digits)?.0,
                    limits(form, digits)?.1,
                ),
                Condition::Neighbours(..) => Default::default(),
            };
            reader.low.push(low);
            reader.high.push(high);
        }
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
        let greatest = reader.greatest(reach, &plain)?;
        let (first_vectors, first) = reader.first(&others)?;
        let clauses = reader.clauses(reach, first_vectors, &others)?;
        let whole = |place: usize, v: &Vector| {
            let mut all = vec![(0, 0); conditions.len()];
            let own = &greatest[place * plain.len()..][..plain.len()];
            plain.iter().zip(own).for_each(|(i, x)| all[*i] = (*x, 0));
            others.iter().zip(v).for_each(|(i, x)| all[*i] = *x);
            all
        };
        let merged = |(place, list): (usize, Vec<Vec<Vector>>)| {
            let clause = |clause: Vec<Vector>| clause.iter().map(|v| whole(place, v)).collect();
            (reach.states[place], list.into_iter().map(clause).collect())
        };
        let mut all = BTreeMap::new();
        all.extend(clauses.into_iter().enumerate().map(merged));
        Some(Labels { first, clauses: all })
    }
}

impl Reader<'_> {
    /// Returns the greatest values of some inequalities in binary digits, state by state.
    fn greatest(&self, reach: &ReachableStates, plain: &[usize]) -> Option<Vec<i64>> {
        let width = plain.len();
        let limits: Vec<(i64, i64)> =
            plain.iter().map(|i| (self.low[*i].0, self.high[*i].0)).collect();
        let mut weights = Vec::with_capacity(reach.letters.len() * width);
        for letter in &reach.letters {
            weights.extend(self.weights(plain, *letter).iter().map(|w| w.0));
        }
        let mut greatest = vec![i64::MIN; reach.states.len() * width];
        for (at, i) in plain.iter().enumerate() {
            greatest[at] = self.clipped(*i, (0, 0))?.0;
        }
        // First come, first served, each waiting once: values grow least often so.
        let mut open = VecDeque::from([0]);
        let (mut waits, mut met) =
            (vec![false; reach.states.len()], vec![false; reach.states.len()]);
        (waits[0], met[0]) = (true, true);
        let mut own = Vec::with_capacity(width);
        while let Some(place) = open.pop_front() {
            waits[place] = false;
            own.clear();
            own.extend(greatest[place * width..][..width].iter().map(|x| 2 * x));
            for &(row, to) in &reach.moves[place] {
                let (weights, to) = (&weights[row as usize * width..][..width], to as usize);
                let mut more = !std::mem::replace(&mut met[to], true);
                let known = greatest[to * width..][..width].iter_mut();
                for (((x, w), (low, high)), known) in
                    own.iter().zip(weights).zip(&limits).zip(known)
                {
                    let next = x + w;
                    if next >= *high {
                        return None;
                    }
                    let next = next.max(*low);
                    more |= next > *known;
                    *known = next.max(*known);
                }
                if more && !std::mem::replace(&mut waits[to], true) {
                    open.push_back(to);
                }
            }
        }
        Some(greatest)
    }

    fn better(&self, others: &[usize], v: &Vector, u: &Vector) -> bool {
        others.iter().enumerate().all(|(at, i)| self.good_as(*i, v[at], u[at]))
    }

    fn step(&self, others: &[usize], v: &Vector, weights: &Vector) -> Option<Vector> {
        v.iter().zip(others).zip(weights).map(|((x, i), w)| self.after(*i, *x, *w)).collect()
    }

    /// Returns the vectors that no other is better than: the easiest to continue.
    fn weakest(&self, others: &[usize], mut all: Vec<Vector>) -> Vec<Vector> {
        all.arrange();
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

    /// Returns the vectors before the first digit of any heap, as guessed numbers may have more
    /// digits; with the words that lead there.
    fn first(&self, others: &[usize]) -> Option<(Vec<Vector>, Vec<Vec<u32>>)> {
        let start: Vector =
            others.iter().map(|i| self.clipped(*i, (0, 0))).collect::<Option<_>>()?;
        let guesses: Vec<u32> = (0..1 << self.guesses).collect();
        let weights: Vec<Vector> =
            guesses.iter().map(|guess| self.weights(others, guess << self.heaps)).collect();
        let mut found: Vec<(Vector, Vec<u32>)> = vec![(start, Vec::new())];
        let mut at = 0;
        while at < found.len() && self.guesses > 0 {
            let (v, word) = found[at].clone();
            at += 1;
            for (guess, weights) in guesses.iter().zip(&weights) {
                let Some(u) = self.step(others, &v, weights) else { continue };
                if found.iter().all(|(known, _)| *known != u) && found.len() < VECTORS {
                    found.push((u, [&word[..], &[*guess]].concat()));
                }
            }
        }
        let vectors = self.weakest(others, found.iter().map(|(v, _)| v.clone()).collect());
        let word =
            |v: &Vector| found.iter().find(|(known, _)| known == v).map(|(_, word)| word.clone());
        let words = vectors.iter().filter_map(word).filter(|word| !word.is_empty()).collect();
        Some((vectors, words))
    }

    /// Clauses over some conditions, state by state.
    fn clauses(
        &self,
        reach: &ReachableStates,
        first: Vec<Vector>,
        others: &[usize],
    ) -> Option<Vec<Vec<Vec<Vector>>>> {
        if others.is_empty() {
            return Some(vec![vec![first]; reach.states.len()]);
        }
        let mut known = Known::new(self, others, &reach.letters);
        let first = first.into_iter().map(|v| known.vectors.number(v)).collect();
        let first = known.clauses.number(first);
        let mut clauses: Vec<Vec<u32>> = vec![Vec::new(); reach.states.len()];
        let mut open = vec![(0, first)];
        clauses[0].push(first);
        while let Some((place, clause)) = open.pop() {
            if !clauses[place].contains(&clause) {
                continue;
            }
            for &(row, to) in &reach.moves[place] {
                let next = known.clause_after(clause, row)?;
                let own = &mut clauses[to as usize];
                if own.iter().any(|old| known.says_no_more(next, *old)) {
                    continue;
                }
                own.retain(|old| !known.says_no_more(*old, next));
                own.push(next);
                open.push((to as usize, next));
            }
        }
        let vectors = |clause: &u32| {
            known.clauses.list[*clause as usize]
                .iter()
                .map(|v| known.vectors.list[*v as usize].clone())
                .collect()
        };
        Some(clauses.iter().map(|list| list.iter().map(vectors).collect()).collect())
    }
}

/// Most that is kept of what follows from clauses, and of how they compare.
const KEPT: usize = 1 << 20;

/// Things, each once and known by number.
struct Interner<T> {
    list: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Interner<T> {
        Interner { list: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    fn number(&mut self, one: T) -> u32 {
        if let Some(known) = self.numbers.get(&one) {
            return *known;
        }
        let number = self.list.len() as u32;
        self.numbers.insert(one.clone(), number);
        self.list.push(one);
        number
    }
}

/// The vectors and clauses met, what follows from them, and how they compare: the same ones come
/// again in many states.
struct Known<'r> {
    reader: &'r Reader<'r>,
    others: &'r [usize],
    /// For each letter its row of weights: letters that weigh alike have one.
    rows: Vec<u32>,
    /// Weights, one a guess.
    weights: Vec<Vec<Vector>>,
    vectors: Interner<Vector>,
    /// The vectors after one, by the row.
    steps: FxHashMap<(u32, u32), Vec<u32>>,
    /// Whether one vector is as good as another.
    better: FxHashMap<(u32, u32), bool>,
    clauses: Interner<Vec<u32>>,
    /// The clause after one, by the row.
    after: FxHashMap<(u32, u32), u32>,
    /// Whether one clause says no more than another.
    weaker: FxHashMap<(u32, u32), bool>,
}

impl<'r> Known<'r> {
    fn new(reader: &'r Reader<'r>, others: &'r [usize], letters: &[u32]) -> Known<'r> {
        let mut weights = Interner::default();
        let guesses = 0..1u32 << reader.guesses;
        let row = |letter: &u32| {
            guesses.clone().map(|g| reader.weights(others, letter | g << reader.heaps)).collect()
        };
        let rows = letters.iter().map(|letter| weights.number(row(letter))).collect();
        Known {
            reader,
            others,
            rows,
            weights: weights.list,
            vectors: Interner::default(),
            steps: FxHashMap::default(),
            better: FxHashMap::default(),
            clauses: Interner::default(),
            after: FxHashMap::default(),
            weaker: FxHashMap::default(),
        }
    }

    /// Returns the clause after one and a letter. None if it has too many vectors.
    fn clause_after(&mut self, clause: u32, letter: u32) -> Option<u32> {
        let row = self.rows[letter as usize];
        if let Some(next) = self.after.get(&(clause, row)) {
            return Some(*next);
        }
        let mut all = Vec::new();
        for at in 0..self.clauses.list[clause as usize].len() {
            let v = self.clauses.list[clause as usize][at];
            if self.steps.len() >= KEPT {
                self.steps.clear();
            }
            let Known { reader, others, vectors, .. } = self;
            let steps = self.steps.entry((v, row)).or_insert_with(|| {
                let v = vectors.list[v as usize].clone();
                let next =
                    self.weights[row as usize].iter().filter_map(|w| reader.step(others, &v, w));
                next.map(|v| vectors.number(v)).collect()
            });
            all.extend_from_slice(steps);
        }
        all.arrange_by(|v, u| self.vectors.list[*v as usize].cmp(&self.vectors.list[*u as usize]));
        all.dedup();
        let mut kept: Vec<u32> = Vec::new();
        for v in all {
            if !kept.iter().any(|k| self.is_better(*k, v)) {
                kept.retain(|k| !self.is_better(v, *k));
                kept.push(v);
            }
        }
        // No vector says nothing: nothing may be accepted from there on.
        if kept.len() > VECTORS {
            return None;
        }
        let next = self.clauses.number(kept);
        if self.after.len() < KEPT {
            self.after.insert((clause, row), next);
        }
        Some(next)
    }

    /// Returns whether one vector is as good as another.
    fn is_better(&mut self, v: u32, u: u32) -> bool {
        if let Some(known) = self.better.get(&(v, u)) {
            return *known;
        }
        let all = &self.vectors.list;
        let better = self.reader.better(self.others, &all[v as usize], &all[u as usize]);
        if self.better.len() < KEPT {
            self.better.insert((v, u), better);
        }
        better
    }

    /// Returns whether one clause says no more than another.
    fn says_no_more(&mut self, one: u32, other: u32) -> bool {
        if let Some(known) = self.weaker.get(&(one, other)) {
            return *known;
        }
        let [from, to] = [one, other].map(|clause| self.clauses.list[clause as usize].clone());
        let weaker = to.iter().all(|u| from.iter().any(|v| self.is_better(*v, *u)));
        if self.weaker.len() < KEPT {
            self.weaker.insert((one, other), weaker);
        }
        weaker
    }
}

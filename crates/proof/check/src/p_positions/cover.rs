//! The automata of condition II: what each accepts satisfies its part's conditions, and together
//! they accept everything.
//!
//! **Labels.** A label of a state is a list of clauses, each a list of vectors with a value for
//! each condition. It says: whatever rounds of digits lead from the start to the state, one of the
//! clauses is true; and a clause is true if for each of its vectors there are guessed numbers with
//! which every condition's value is *as good as* the vector's: whatever follows, if the condition
//! holds with the one, it does with the other. A clause without vectors says nothing, and is never
//! enough where numbers may end. [`Automaton::implies`] checks that at the start, that each clause
//! leads to a clause after each letter, and that where numbers may end a vector of each clause
//! satisfies the conditions. By induction on rounds every accepted word does, for some guess.
//! Letters that weigh alike in all conditions, whatever is guessed, and lead to one state have the
//! same to be checked, which is done once.
//!
//! **Sets.** [`Automaton::covers`]: every set has an accepting member, the states after any letter
//! contain a set (or state 1), and so do the starts. By induction on rounds every word is accepted
//! from some start ([`crate::sets`]).

mod sure;

use super::digits::Digits;
use super::form::{Form, Value, Variable, at_most};
use crate::sets::Listed;
use crate::work::{Reason, Work};
use rustc_hash::{FxHashMap, FxHashSet};
use sure::Ones;

/// The state from which nothing is accepted, and the one from which everything is.
pub const NOTHING: u32 = 0;
pub const EVERYTHING: u32 = 1;

/// What a part says of heaps and guesses: something of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub kind: Kind,
    pub form: Form,
}

/// What is said of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It is at most 0.
    Bound,
    /// It is divisible, or (`false`) is not.
    Divisible(i64, bool),
    /// It is not 0.
    Differs,
    /// It is a variable whose digits are a numeral's, or (`true`) are not.
    Neighbours(bool),
}

/// Vectors, side by side in one list.
pub type Clause = Vec<Value>;

/// Some of a part's conditions, all that are on guesses or none of them; labels of states, and
/// words of letters of guesses to begin with.
#[derive(Debug, Default)]
pub struct Labels {
    pub conditions: Vec<Condition>,
    pub guesses: usize,
    pub first: Vec<Vec<u32>>,
    pub clauses: FxHashMap<u32, Vec<Clause>>,
}

/// A deterministic automaton that reads the bits of a round of each heap in turn.
pub struct Automaton<'d> {
    pub next: Vec<[u32; 2]>,
    /// Whether numbers may end here.
    pub accepting: Vec<bool>,
    pub heaps: usize,
    pub digits: &'d Digits,
    pub work: &'d Work<'d>,
}

/// Most bits of a round of heaps and guesses together.
const BITS: usize = 20;
/// Values beyond this are not followed: to have fewer of them shows no more.
pub const MAX_VALUE: i64 = 1 << 50;

impl Condition {
    /// Returns the condition that the digits of a variable are those of a numeral, or (`met`) not.
    pub fn neighbours(v: Variable, met: bool) -> Condition {
        Condition { kind: Kind::Neighbours(met), form: Form::variable(v) }
    }

    /// Returns two values: from the first down the form stays below 0, from the second up above it.
    pub fn limits(&self, digits: &Digits) -> Result<(Value, Value), Reason> {
        let (low, high) = self.form.limits(digits)?;
        let below = self.form.one_more()?.limits(digits)?.0;
        Ok((if self.kind == Kind::Differs { below } else { low }, high))
    }

    /// Returns whether x is as good as y, whatever follows.
    fn good_as(&self, x: Value, y: Value, (low, high): (Value, Value)) -> bool {
        match self.kind {
            Kind::Bound => at_most(x, y),
            Kind::Divisible(m, _) => (x.0 - y.0) % m == 0 && (x.1 - y.1) % m == 0,
            Kind::Differs => {
                x == y || at_most(high, y) && at_most(y, x) || at_most(y, low) && at_most(x, y)
            }
            // 1 where the last digit is the greatest there, 2 where the digits are no numeral's.
            Kind::Neighbours(false) => x.0 <= y.0,
            Kind::Neighbours(true) => x.0 >= y.0,
        }
    }

    /// Returns what the bits of a round weigh; of a numeral, these bits themselves.
    pub fn weight(&self, code: &dyn Fn(Variable) -> u32, digits: &Digits) -> Value {
        match self.kind {
            Kind::Neighbours(_) => (self.form.variables().map(|v| i64::from(code(v))).sum(), 0),
            _ => self.form.weight(code, digits),
        }
    }

    /// Returns whether the value is good where numbers end.
    fn good(&self, x: Value, digits: &Digits) -> bool {
        let end = x.0 + self.form.constant;
        match self.kind {
            Kind::Bound => end <= 0,
            Kind::Divisible(m, divisible) => (end % m == 0) == divisible,
            Kind::Differs => end != 0,
            Kind::Neighbours(met) => met == (x.0 >= 2 || x.0 == 1 && !digits.ends(true)),
        }
    }

    /// Returns the value after a letter of this weight; `None` if the condition cannot hold any
    /// more.
    pub fn grown(&self, x: Value, weight: Value, digits: &Digits) -> Option<Value> {
        match self.kind {
            // A file may say any value.
            Kind::Neighbours(met) if x.0 >= 2 => met.then_some((2, 0)),
            Kind::Neighbours(met) => match digits.spelt(x.0 == 1, weight.0 as u32) {
                None => met.then_some((2, 0)),
                Some(full) => Some((full.into(), 0)),
            },
            _ => Some(digits.grown(x, weight)),
        }
    }
}

/// Conditions as they are read along digits.
struct Reader<'c> {
    conditions: &'c [Condition],
    digits: &'c Digits,
    limits: Vec<(Value, Value)>,
    ones: Vec<[Ones; 2]>,
    work: &'c Work<'c>,
}

impl Reader<'_> {
    fn sure(&self, i: usize, x: Value) -> bool {
        !self.digits.binary && self.conditions[i].sure(x, &self.ones[i], self.digits)
    }

    fn good_as(&self, x: &[Value], y: &[Value]) -> bool {
        let all = self.conditions.iter().zip(&self.limits).zip(x.iter().zip(y)).enumerate();
        let mut all = all
            .map(|(i, ((one, limits), (x, y)))| self.sure(i, *x) || one.good_as(*x, *y, *limits));
        all.all(|good| good)
    }

    /// Adds the vector after a letter, unless a condition cannot hold any more.
    fn grow(&self, v: &[Value], weights: &[Value], after: &mut Clause) {
        let before = after.len();
        after.extend_from_slice(v);
        for (i, (x, weight)) in after[before..].iter_mut().zip(weights).enumerate() {
            // What is sure stays so.
            if self.sure(i, *x) {
                continue;
            }
            match self.conditions[i].grown(*x, *weight, self.digits) {
                Some(next) if next.0.abs().max(next.1.abs()) <= MAX_VALUE => *x = next,
                _ => return after.truncate(before),
            }
        }
    }

    /// Checks that some clause of the state that is reached follows from these vectors: each vector
    /// of it is no better than one of them.
    fn check_clause_follows(
        &self,
        vectors: &[Value],
        to: Option<&Vec<Clause>>,
    ) -> Result<(), Reason> {
        let (width, clauses) = (self.conditions.len(), to.map_or(&[][..], |to| to));
        let values = clauses.iter().map(Vec::len).sum::<usize>();
        self.work.spend(values.saturating_mul(vectors.len() / width))?;
        let reached = |u: &[Value]| vectors.chunks(width).any(|v| self.good_as(v, u));
        if clauses.iter().any(|clause| clause.chunks(width).all(reached)) {
            return Ok(());
        }
        Err("a label does not follow".into())
    }
}

impl Automaton<'_> {
    /// Checks that every word accepted from the start satisfies the conditions, for some guesses.
    /// O(states · letters · vectors).
    pub fn implies(&self, start: u32, labels: &Labels) -> Result<(), Reason> {
        let Labels { conditions, guesses, first, clauses } = labels;
        let (width, digits, work) = (conditions.len(), self.digits, self.work);
        if start == NOTHING || width == 0 {
            return Ok(());
        }
        let (heaps, guesses) = (self.heaps * digits.bits, guesses * digits.bits);
        if heaps + guesses > BITS {
            return Err("too many heaps and guesses".into());
        }
        let limits = conditions.iter().map(|one| one.limits(digits)).collect::<Result<_, _>>()?;
        let ones =
            conditions.iter().map(|one| [one.ones(1, digits), one.ones(-1, digits)]).collect();
        let reader = &Reader { conditions, digits, limits, ones, work };
        // What letters of the heaps weigh with each letter of guesses, one after the other: each
        // list once, and the number of each letter's.
        work.hold(32 << heaps)?;
        let mut known: FxHashMap<Clause, usize> = FxHashMap::default();
        let (mut weights, mut numbers): (Vec<Clause>, Vec<usize>) = Default::default();
        for letter in 0..1u32 << heaps {
            work.spend((32 * width) << guesses)?;
            let with = |guess: u32| {
                let letter = letter | guess << heaps;
                let code =
                    move |v: Variable| letter >> (v * digits.bits) & ((1 << digits.bits) - 1);
                conditions.iter().map(move |one| one.weight(&code, digits))
            };
            let own: Clause = (0..1u32 << guesses).flat_map(with).collect();
            if !known.contains_key(&own) {
                work.hold((96 + 32 * width) << guesses)?;
                known.insert(own.clone(), weights.len());
                weights.push(own.clone());
            }
            numbers.push(known[&own]);
        }
        // Guessed numbers may have more digits than the heaps.
        let mut begun: Clause = vec![(0, 0); width];
        for word in first {
            let mut vector: Clause = vec![(0, 0); width];
            for letter in word {
                work.spend(16 + 4 * width)?;
                let weights = &weights[numbers[0]][*letter as usize * width..][..width];
                let mut next = Clause::new();
                vector.chunks(width).for_each(|v| reader.grow(v, weights, &mut next));
                vector = next;
            }
            begun.extend(vector);
        }
        reader.check_clause_follows(&begun, clauses.get(&start))?;
        let mut after: Clause = Vec::new();
        // Where a clause has been found to lead, and by what weights.
        let mut led: FxHashSet<(u32, usize)> = FxHashSet::default();
        for (state, list) in clauses {
            let on = self.live_letters(*state)?;
            for clause in list {
                let good = |v: &[Value]| (0..width).all(|i| conditions[i].good(v[i], digits));
                if self.accepting[*state as usize] && !clause.chunks(width).any(good) {
                    return Err("an automaton accepts what its conditions do not".into());
                }
                led.clear();
                for (letter, to) in &on {
                    work.spend(4)?;
                    let number = numbers[*letter as usize];
                    if !led.insert((*to, number)) {
                        continue;
                    }
                    work.spend(clause.len() << guesses)?;
                    after.clear();
                    for weights in weights[number].chunks(width) {
                        clause.chunks(width).for_each(|v| reader.grow(v, weights, &mut after));
                    }
                    reader.check_clause_follows(&after, clauses.get(to))?;
                }
            }
        }
        Ok(())
    }

    /// Returns the letters after which something may be accepted, and the states that they lead to.
    fn live_letters(&self, state: u32) -> Result<Vec<(u32, u32)>, Reason> {
        let mut all = vec![(0, state)];
        for level in 0..self.heaps * self.digits.bits {
            self.work.spend(4 * all.len())?;
            let next = |(letter, at): (u32, u32)| {
                let [zero, one] = self.next[at as usize];
                [(letter, zero), (letter | 1 << level, one)]
            };
            all = all.into_iter().flat_map(next).filter(|(_, to)| *to != NOTHING).collect();
        }
        Ok(all)
    }

    /// Checks that whatever is read, one of the automata accepts. Each of the `sets` has a member
    /// that accepts if the numbers end there, and whatever digits come next, the states after them
    /// contain one of the sets again.
    pub fn covers(&self, starts: &[u32], sets: &[Vec<u32>]) -> Result<(), Reason> {
        let work = self.work;
        let mut listed = Listed::new(sets, self.next.len(), work)?;
        let mut start = starts.to_vec();
        let mut covered = !self.normalise(&mut start) || listed.contained(&start)?;
        covered &= sets.iter().all(|set| set.iter().any(|s| self.accepting[*s as usize]));
        // Digit by digit, for all sets at once: what is reached by fewer digits need not be kept,
        // and each set goes once its followers are known.
        let mut held = sets.iter().map(|set| 96 + 8 * set.len()).sum();
        work.hold(held)?;
        let mut here: FxHashSet<Vec<u32>> = sets.iter().cloned().collect();
        for _ in 0..self.heaps * self.digits.bits {
            let (mut there, left) = (FxHashSet::default(), work.bytes());
            for set in here {
                for digit in 0..2 {
                    work.spend(8 * set.len() + 8)?;
                    let mut next: Vec<u32> =
                        set.iter().map(|s| self.next[*s as usize][digit]).collect();
                    if self.normalise(&mut next) && !there.contains(&next) {
                        work.hold(96 + 8 * next.len())?;
                        there.insert(next);
                    }
                }
            }
            let taken = left - work.bytes();
            work.release(work.bytes() + held);
            (here, held) = (there, taken);
        }
        for set in sets {
            here.remove(set);
        }
        for set in here {
            covered &= listed.contained(&set)?;
        }
        if covered { Ok(()) } else { Err("there are numbers that no part accepts".into()) }
    }

    /// Sorts states, drops repetitions and the state that accepts nothing. Returns false if one
    /// accepts everything.
    fn normalise(&self, set: &mut Vec<u32>) -> bool {
        set.retain(|s| *s != NOTHING);
        set.sort_unstable();
        set.dedup();
        set.first() != Some(&EVERYTHING)
    }
}

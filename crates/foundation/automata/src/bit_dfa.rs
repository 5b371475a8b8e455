//! Deterministic automata that read one digit of one variable at a time: determinised, minimised,
//! and products of them.

use crate::conjunction_nfa::{CERTAIN, ConjunctionNfa};
use crate::effort::{HELD, Undecided, check_memory, poll_in_loop};
use crate::linear_form::{Atom, Variable};
use crate::normal::Conjunction;
use crate::numeration::{Numeration, Round, Value};
use crate::slices::Slices;
use bouton_core::{Arrange, LimitReached, Meter};
use rustc_hash::FxHashMap;

/// The state from which nothing is accepted.
pub const DEAD: u32 = 0;
/// The state from which everything is accepted.
pub const FULL: u32 = 1;

/// A deterministic automaton that reads a round of each variable in turn, bit by bit.
pub struct BitDfa {
    /// What follows on 0 and on 1.
    pub next: Vec<[u32; 2]>,
    /// The variable whose digit comes next.
    pub level: Vec<u8>,
    /// Whether the numbers may end here.
    pub accepting: Vec<bool>,
    /// The first state.
    pub start: u32,
}

impl BitDfa {
    /// Returns the automaton of no words: its start is [`DEAD`].
    pub fn accepting_nothing() -> BitDfa {
        BitDfa {
            next: vec![[DEAD; 2], [FULL; 2]],
            level: vec![0; 2],
            accepting: vec![false, true],
            start: DEAD,
        }
    }

    /// Returns the minimal deterministic automaton of a conjunction.
    pub fn from_nfa(
        nfa: &mut ConjunctionNfa,
        free: usize,
        meter: &mut Meter,
    ) -> Result<BitDfa, LimitReached> {
        let mut automaton = BitDfa::accepting_nothing();
        // State s + 2 is the set of states of the nfa with number s.
        let mut sets = Slices::default();
        let number = |set: &[u32], sets: &mut Slices| match set {
            [] => DEAD,
            [CERTAIN, ..] => FULL,
            // A set knows its level, as its states do.
            _ => sets.insert(set).0 + 2,
        };
        let starts = nfa.starts(meter)?;
        automaton.start = number(&starts, &mut sets);
        automaton.level.resize(sets.len() + 2, 0);
        let mut at = 0;
        let (mut set, mut reached) = (Vec::new(), Vec::new());
        while at < sets.len() {
            set.clear();
            set.extend_from_slice(sets.get(at as u32));
            let level = automaton.level[at + 2] as usize;
            let mut followers = [DEAD; 2];
            for (digit, follower) in followers.iter_mut().enumerate() {
                reached.clear();
                for &state in &set {
                    nfa.step(state, level, digit, &mut reached, meter)?;
                }
                reached = nfa.without_contained(reached, meter)?;
                *follower = number(&reached, &mut sets);
                automaton.level.resize(sets.len() + 2, ((level + 1) % free) as u8);
            }
            automaton.next.push(followers);
            automaton.accepting.push(level == 0 && set.iter().any(|&state| nfa.accepts(state)));
            at += 1;
            if at % HELD == 0 {
                check_memory(meter, nfa.bytes() + sets.bytes() + 16 * at)?;
            }
        }
        let start = automaton.start as usize;
        let (mut automaton, class) = automaton.minimal(free, meter)?;
        automaton.start = class[start];
        Ok(automaton)
    }

    /// Returns the minimal automaton of a conjunction.
    ///
    /// Conditions without a common guess are read separately, a few at a time. Each automaton is
    /// minimised, and so is each product of two. The product of all has many times the states of
    /// the result.
    pub fn from_condition(
        numeration: Numeration,
        free: &[Variable],
        conjunction: &Conjunction,
        levels: usize,
        meter: &mut Meter,
    ) -> Result<BitDfa, Undecided> {
        let mut all = Vec::new();
        let Some(conjunction) = conjunction.clone().with_less_guessed(meter)? else {
            return Ok(BitDfa::accepting_nothing());
        };
        // Conditions are certain where they hold of all numerals that follow. So that they hold
        // where other digits follow, too, none are accepted: the last part asks for numerals, it
        // guesses.
        let mut parts = apart(&conjunction).into_iter().peekable();
        while let Some(part) = parts.next() {
            let numerals = if parts.peek().is_none() { free } else { &[] };
            let nfa = &mut ConjunctionNfa::new(numeration, free, &part, numerals)?;
            all.push(BitDfa::from_nfa(nfa, levels, meter)?);
        }
        // Neighbours together, as long as there are two.
        while all.len() > 1 {
            let mut next = Vec::with_capacity(all.len().div_ceil(2));
            let mut rest = all.into_iter();
            while let Some(one) = rest.next() {
                next.push(match rest.next() {
                    Some(other) => one.product(&other, levels, meter)?,
                    None => one,
                });
            }
            all = next;
        }
        Ok(all.pop().unwrap_or(BitDfa { start: FULL, ..BitDfa::accepting_nothing() }))
    }

    /// Makes the minimal automaton of what both accept.
    fn product(
        &self,
        other: &BitDfa,
        free: usize,
        meter: &mut Meter,
    ) -> Result<BitDfa, LimitReached> {
        let mut both = BitDfa::accepting_nothing();
        let mut ids: FxHashMap<u64, u32> = FxHashMap::default();
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut id = |a: u32, b: u32, open: &mut Vec<(u32, u32)>| match (a, b) {
            (DEAD, _) | (_, DEAD) => DEAD,
            (FULL, FULL) => FULL,
            _ => *ids.entry(u64::from(a) << 32 | u64::from(b)).or_insert_with(|| {
                open.push((a, b));
                open.len() as u32 + FULL
            }),
        };
        both.start = id(self.start, other.start, &mut open);
        let mut at = 0;
        while at < open.len() {
            meter.spend(2)?;
            let (a, b) = open[at];
            at += 1;
            let [left, right] = [self.next[a as usize], other.next[b as usize]];
            both.next.push([0, 1].map(|digit| id(left[digit], right[digit], &mut open)));
            both.level.push(if a > FULL {
                self.level[a as usize]
            } else {
                other.level[b as usize]
            });
            both.accepting.push(self.accepting[a as usize] && other.accepting[b as usize]);
            if at % HELD == 0 {
                check_memory(meter, 32 * open.len() + 16 * at)?;
            }
        }
        let start = both.start as usize;
        let (mut minimal, class) = both.minimal(free, meter)?;
        minimal.start = class[start];
        Ok(minimal)
    }

    /// Accepts what is no numeral among the bits of one of the variables.
    pub fn no_numeral(own: usize, round: &Round, free: usize) -> BitDfa {
        let mut automaton = BitDfa::accepting_nothing();
        let mut ids: FxHashMap<(usize, Value), u32> = FxHashMap::default();
        let mut open = vec![(0, (0, 0))];
        ids.insert(open[0], FULL + 1);
        let mut at = 0;
        while at < open.len() {
            let (level, state) = open[at];
            at += 1;
            let bit = level.checked_sub(own * round.bits).filter(|bit| *bit < round.bits);
            let next = [false, true].map(|one| {
                let after = match bit {
                    Some(bit) => round.state_after_bit(bit, state, one),
                    None => Some(state),
                };
                let Some(after) = after else { return FULL };
                let key = ((level + 1) % free, after);
                *ids.entry(key).or_insert_with(|| {
                    open.push(key);
                    open.len() as u32 + FULL
                })
            });
            automaton.next.push(next);
            automaton.level.push(level as u8);
            automaton.accepting.push(level == 0 && !round.is_final(state.0));
        }
        automaton.start = FULL + 1;
        automaton
    }

    /// Takes another automaton's states in; returns where its start is now.
    pub fn join(&mut self, other: BitDfa) -> u32 {
        let offset = self.next.len() as u32 - 2;
        let moved = |s: u32| if s <= FULL { s } else { s + offset };
        self.next.extend(other.next[2..].iter().map(|followers| followers.map(moved)));
        self.level.extend(&other.level[2..]);
        self.accepting.extend(&other.accepting[2..]);
        moved(other.start)
    }

    /// Merges states that accept the same, by refinement of the states between two rounds (Moore
    /// 1956), those within a round following from them; also the class of each state.
    pub fn minimal(
        self,
        free: usize,
        meter: &mut Meter,
    ) -> Result<(BitDfa, Vec<u32>), LimitReached> {
        let count = self.next.len();
        let some = self.reaches(|s| self.accepting[s], meter)?;
        let gap = self.reaches(|s| self.level[s] == 0 && !self.accepting[s], meter)?;
        let mut class: Vec<u32> = (0..count)
            .map(|s| match (some[s] || s == FULL as usize, gap[s] && s != FULL as usize) {
                (false, _) => DEAD,
                (_, false) => FULL,
                _ => 2 + u32::from(self.accepting[s]),
            })
            .collect();
        let mut by_level: Vec<Vec<u32>> = vec![Vec::new(); free];
        for s in (0..count).filter(|&s| class[s] > FULL) {
            by_level[self.level[s] as usize].push(s as u32);
        }
        let mut rounds = 0;
        let (mut next, mut level, mut accepting);
        // Followers' classes, and whether the state accepts, in one word: what was apart in the
        // pass before is apart in their followers or in that. In one room for all passes, large
        // enough from the beginning.
        let mut ids: FxHashMap<u64, u32> = FxHashMap::default();
        ids.reserve(by_level.iter().map(Vec::len).max().unwrap_or(0));
        loop {
            (next, level, accepting) = (vec![[DEAD; 2], [FULL; 2]], vec![0; 2], vec![false, true]);
            let mut refined = Vec::new();
            for l in (0..free).rev() {
                ids.clear();
                for (at, &s) in by_level[l].iter().enumerate() {
                    poll_in_loop(at, meter)?;
                    let followers = self.next[s as usize].map(|t| class[t as usize]);
                    let accepts = self.accepting[s as usize];
                    let key = u64::from(followers[0]) << 33
                        | u64::from(followers[1]) << 1
                        | u64::from(accepts);
                    let id = *ids.entry(key).or_insert_with(|| {
                        next.push(followers);
                        level.push(l as u8);
                        accepting.push(accepts);
                        next.len() as u32 - 1
                    });
                    if l == 0 {
                        refined.push(id);
                    } else {
                        class[s as usize] = id;
                    }
                }
                if l == 0 {
                    by_level[0].iter().zip(&refined).for_each(|(&s, &id)| class[s as usize] = id);
                    if ids.len() == rounds {
                        // Nothing was split: the classes between rounds only changed their names.
                        rounds = usize::MAX;
                    } else {
                        rounds = ids.len();
                    }
                }
            }
            if rounds == usize::MAX {
                break;
            }
        }
        // The followers written down last still have the names of the round before.
        for s in (0..count).filter(|&s| class[s] > FULL) {
            next[class[s] as usize] = self.next[s].map(|t| class[t as usize]);
        }
        Ok((BitDfa { next, level, accepting, start: DEAD }, class))
    }

    /// Returns the states from which a state of this kind can be reached.
    fn reaches(
        &self,
        goal: impl Fn(usize) -> bool,
        meter: &mut Meter,
    ) -> Result<Vec<bool>, LimitReached> {
        let count = self.next.len();
        // Predecessors, in one array by counting.
        let mut from = vec![0u32; count + 1];
        self.next.iter().flatten().for_each(|&t| from[t as usize + 1] += 1);
        (0..count).for_each(|t| from[t + 1] += from[t]);
        let mut fill = from.clone();
        let mut before = vec![0u32; 2 * count];
        for (s, followers) in self.next.iter().enumerate() {
            poll_in_loop(s, meter)?;
            for &t in followers {
                before[fill[t as usize] as usize] = s as u32;
                fill[t as usize] += 1;
            }
        }
        let mut found: Vec<bool> = (0..count).map(&goal).collect();
        let mut work: Vec<usize> = (0..count).filter(|&s| found[s]).collect();
        let mut at = 0;
        while let Some(t) = work.pop() {
            at += 1;
            poll_in_loop(at, meter)?;
            for &s in &before[from[t] as usize..from[t + 1] as usize] {
                if !std::mem::replace(&mut found[s as usize], true) {
                    work.push(s as usize);
                }
            }
        }
        Ok(found)
    }
}

/// Most conditions without guesses that are read side by side.
const MAX_SIDE_BY_SIDE: usize = 3;

/// Conjunctions that together say the same: guesses that no condition shares are apart, conditions
/// without any a few at a time.
fn apart(conjunction: &Conjunction) -> Vec<Conjunction> {
    let guesses = |atom: &Atom| {
        conjunction.chosen.iter().copied().filter(|&v| atom.form.contains(v)).collect::<Vec<_>>()
    };
    let (mut alone, mut guessed) = (Vec::new(), Vec::<Conjunction>::new());
    for atom in &conjunction.atoms {
        let mut own = Conjunction { atoms: vec![atom.clone()], chosen: guesses(atom) };
        if own.chosen.is_empty() {
            alone.push(atom.clone());
            continue;
        }
        let shares = |one: &mut Conjunction| one.chosen.iter().any(|v| own.chosen.contains(v));
        for other in guessed.extract_if(.., shares).collect::<Vec<_>>() {
            own.atoms.extend(other.atoms);
            own.chosen.extend(other.chosen);
        }
        own.atoms.arrange();
        own.chosen.arrange();
        own.chosen.dedup();
        guessed.push(own);
    }
    let lots = alone.len().div_ceil(MAX_SIDE_BY_SIDE).max(1);
    let few = alone.chunks(alone.len().div_ceil(lots).max(1));
    few.map(|atoms| Conjunction { atoms: atoms.to_vec(), chosen: Vec::new() })
        .chain(guessed)
        .collect()
}

//! Does a union of conjunctions hold of everything? Does one hold of anything?
//!
//! Each part becomes a small automaton that reads one digit of one variable at a time: determinised and minimised by
//! itself, then all are minimised together. The union is explored as sets of their states, without ever building a
//! product: dead states are dropped, a set that holds a state that accepts everything is finished, and so is one that contains a
//! set already explored (antichains: De Wulf, Doyen, Henzinger & Raskin, CAV 2006), small sets first.

use crate::digits::Unreadable;
use crate::effort::{HELD, Undecided, held, in_lots};
use crate::linear_form::Variable;
use crate::machine::{CERTAIN, Machine};
use crate::normal::Conjunction;
use crate::numeration::{Numeration, Round, Value};
use crate::slices::Slices;
use bouton_rules::{LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How an exploration ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Covered {
    /// Everything is covered.
    All(Cover),
    /// This point is not.
    Except(Vec<u64>),
}

/// Why a union of parts holds of everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cover {
    /// The states after digit 0 and digit 1: state 0 accepts nothing, state 1 everything.
    pub next: Vec<[u32; 2]>,
    /// Whether numbers may end in a state, after a round of digits.
    pub accepting: Vec<bool>,
    /// How many digits of a round have been read in each state.
    pub level: Vec<u8>,
    /// The first state of each part.
    pub starts: Vec<u32>,
    /// Sets of states between two rounds, sorted. Each has an accepting member, and whatever round follows, the states
    /// after it contain one of the sets or state 1; so do the first states.
    pub sets: Vec<Vec<u32>>,
}

/// One part of a union.
#[derive(Debug, Clone, Copy)]
pub enum Piece<'c> {
    /// Where the conjunction holds.
    Holds(&'c Conjunction),
    /// Where the digits of this one of the variables are no numeral.
    Neighbours(usize),
}

/// Whether every point satisfies one of the parts.
pub fn covers(
    numeration: Numeration,
    free: &[Variable],
    parts: &[Piece<'_>],
    meter: &mut Meter,
) -> Result<Covered, Undecided> {
    if free.is_empty() {
        // One point, and every conjunction in normal form without variables is true of it.
        return Ok(if parts.is_empty() {
            Covered::Except(Vec::new())
        } else {
            Covered::All(Cover::default())
        });
    }
    let levels = levels_of(numeration, free)?;
    let mut all = Automaton::trivial();
    let mut starts = Vec::new();
    for part in parts {
        let automaton = match part {
            Piece::Holds(condition) => {
                Automaton::of(&mut Machine::new(numeration, free, condition, &[])?, levels, meter)?
            }
            Piece::Neighbours(own) => Automaton::no_numeral(*own, &numeration.round(), levels),
        };
        starts.push(all.join(automaton));
        held(meter, 16 * all.next.len())?;
    }
    let (all, class) = all.minimal(levels, meter)?;
    starts.iter_mut().for_each(|start| *start = class[*start as usize]);
    let explorer = Explorer {
        automaton: &all,
        numeration,
        free: levels,
        meter,
        sets: Slices::default(),
        came: Vec::new(),
    };
    Ok(match explorer.run(FULL, starts.clone())? {
        Explored::All(sets) => {
            Covered::All(Cover { next: all.next, accepting: all.accepting, level: all.level, starts, sets })
        }
        Explored::Except(word) => Covered::Except(word),
    })
}

/// Bits of a round of these variables; an error where a letter cannot hold them.
fn levels_of(numeration: Numeration, free: &[Variable]) -> Result<usize, Undecided> {
    let levels = free.len() * numeration.bits();
    if levels > u32::BITS as usize { Err(Unreadable::Period.into()) } else { Ok(levels) }
}

/// Values of the chosen variables, in their order, that satisfy a conjunction over them alone; None if there are none.
pub fn satisfied(
    numeration: Numeration,
    conjunction: &Conjunction,
    meter: &mut Meter,
) -> Result<Option<Vec<u64>>, Undecided> {
    let free = &conjunction.chosen;
    if free.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let levels = levels_of(numeration, free)?;
    let condition = Conjunction { atoms: conjunction.atoms.clone(), chosen: Vec::new() };
    let mut machine = Machine::new(numeration, free, &condition, free)?;
    let automaton = Automaton::of(&mut machine, levels, meter)?;
    let explorer = Explorer {
        automaton: &automaton,
        numeration,
        free: levels,
        meter,
        sets: Slices::default(),
        came: Vec::new(),
    };
    match explorer.run(automaton.start, Vec::new())? {
        Explored::All(_) => Ok(None),
        Explored::Except(values) => Ok(Some(values)),
    }
}

/// The state from which nothing is accepted.
const DEAD: u32 = 0;
/// The state from which everything is accepted.
const FULL: u32 = 1;

/// A deterministic automaton that reads a round of each variable in turn, bit by bit.
struct Automaton {
    next: Vec<[u32; 2]>,
    /// The variable whose digit comes next.
    level: Vec<u8>,
    /// Whether the numbers may end here.
    accepting: Vec<bool>,
    start: u32,
}

impl Automaton {
    fn trivial() -> Automaton {
        Automaton {
            next: vec![[DEAD; 2], [FULL; 2]],
            level: vec![0; 2],
            accepting: vec![false, true],
            start: DEAD,
        }
    }

    /// The minimal automaton of a machine.
    fn of(machine: &mut Machine, free: usize, meter: &mut Meter) -> Result<Automaton, LimitReached> {
        let mut automaton = Automaton::trivial();
        // State s + 2 is the set of machine states with number s.
        let mut sets = Slices::default();
        let number = |set: &[u32], sets: &mut Slices| match set {
            [] => DEAD,
            [CERTAIN, ..] => FULL,
            // A set knows its level, as its states do.
            _ => sets.insert(set).0 + 2,
        };
        let starts = machine.starts(meter)?;
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
                    machine.step(state, level, digit, &mut reached, meter)?;
                }
                reached = machine.reduced(reached, meter)?;
                *follower = number(&reached, &mut sets);
                automaton.level.resize(sets.len() + 2, ((level + 1) % free) as u8);
            }
            automaton.next.push(followers);
            automaton.accepting.push(level == 0 && set.iter().any(|&state| machine.accepts(state)));
            at += 1;
            if at % HELD == 0 {
                held(meter, machine.bytes() + sets.bytes() + 16 * at)?;
            }
        }
        let start = automaton.start as usize;
        let (mut automaton, class) = automaton.minimal(free, meter)?;
        automaton.start = class[start];
        Ok(automaton)
    }

    /// Accepts what is no numeral among the bits of one of the variables.
    fn no_numeral(own: usize, round: &Round, free: usize) -> Automaton {
        let mut automaton = Automaton::trivial();
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
                    Some(bit) => round.spelt(bit, state, one),
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
            automaton.accepting.push(level == 0 && !round.ends(state.0));
        }
        automaton.start = FULL + 1;
        automaton
    }

    /// Takes another automaton's states in; returns where its start is now.
    fn join(&mut self, other: Automaton) -> u32 {
        let offset = self.next.len() as u32 - 2;
        let moved = |s: u32| if s <= FULL { s } else { s + offset };
        self.next.extend(other.next[2..].iter().map(|followers| followers.map(moved)));
        self.level.extend(&other.level[2..]);
        self.accepting.extend(&other.accepting[2..]);
        moved(other.start)
    }

    /// Merges states that accept the same, by refinement of the states between two rounds (Moore 1956), those within a round
    /// following from them; also the class of each state.
    fn minimal(&self, free: usize, meter: &mut Meter) -> Result<(Automaton, Vec<u32>), LimitReached> {
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
        loop {
            (next, level, accepting) = (vec![[DEAD; 2], [FULL; 2]], vec![0; 2], vec![false, true]);
            let mut refined = Vec::new();
            for l in (0..free).rev() {
                let mut ids: FxHashMap<(u32, [u32; 2]), u32> = FxHashMap::default();
                for (at, &s) in by_level[l].iter().enumerate() {
                    in_lots(at, meter)?;
                    let followers = self.next[s as usize].map(|t| class[t as usize]);
                    let own = if l == 0 { class[s as usize] } else { 0 };
                    let id = *ids.entry((own, followers)).or_insert_with(|| {
                        next.push(followers);
                        level.push(l as u8);
                        accepting.push(self.accepting[s as usize]);
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
        Ok((Automaton { next, level, accepting, start: DEAD }, class))
    }

    /// The states from which a state of this kind can be reached.
    fn reaches(&self, goal: impl Fn(usize) -> bool, meter: &mut Meter) -> Result<Vec<bool>, LimitReached> {
        let count = self.next.len();
        // Predecessors, in one array by counting.
        let mut from = vec![0u32; count + 1];
        self.next.iter().flatten().for_each(|&t| from[t as usize + 1] += 1);
        (0..count).for_each(|t| from[t + 1] += from[t]);
        let mut fill = from.clone();
        let mut before = vec![0u32; 2 * count];
        for (s, followers) in self.next.iter().enumerate() {
            in_lots(s, meter)?;
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
            in_lots(at, meter)?;
            for &s in &before[from[t] as usize..from[t + 1] as usize] {
                if !std::mem::replace(&mut found[s as usize], true) {
                    work.push(s as usize);
                }
            }
        }
        Ok(found)
    }
}

/// What an explorer found.
enum Explored {
    /// The sets explored, without the domain's states.
    All(Vec<Vec<u32>>),
    Except(Vec<u64>),
}

/// Sets of states of the parts, under a state of the domain: a list of numbers, the domain's first.
struct Explorer<'a> {
    automaton: &'a Automaton,
    numeration: Numeration,
    free: usize,
    meter: &'a mut Meter,
    /// Sets between two rounds of digits.
    sets: Slices,
    /// The set before each, and the round of digits that led here.
    came: Vec<(u32, u32)>,
}

impl Explorer<'_> {
    fn run(mut self, domain: u32, parts: Vec<u32>) -> Result<Explored, Undecided> {
        let mut queue = BinaryHeap::new();
        let mut explored: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        let mut halfway: Vec<Slices> = (0..self.free).map(|_| Slices::default()).collect();
        let mut first = vec![domain];
        first.extend(parts);
        if domain != DEAD && self.clean(&mut first) {
            self.meet(&first, u32::MAX, 0, &mut queue);
        }
        let mut kept = Vec::new();
        while let Some(Reverse((_, id))) = queue.pop() {
            self.meter.node()?;
            let set = self.sets.get(id).to_vec();
            let accepts = |s: &u32| self.automaton.accepting[*s as usize];
            if accepts(&set[0]) && !set[1..].iter().any(accepts) {
                return self.word(id).map(Explored::Except);
            }
            // Explored sets are found by their last member: it tends to be the rarest.
            let candidates = set[1..].iter().chain([&DEAD]).filter_map(|&p| explored.get(&(set[0], p)));
            let mut compared = 0;
            let known = candidates.flatten().any(|&small| {
                compared += 1;
                contained(&self.sets.get(small)[1..], &set[1..])
            });
            if compared > HELD {
                self.meter.within_node(0)?;
            }
            if known {
                continue;
            }
            let key = (set[0], set[1..].last().copied().unwrap_or(DEAD));
            explored.entry(key).or_default().push(id);
            kept.push(set[1..].to_vec());
            self.expand(id, set, &mut halfway, &mut queue)?;
        }
        Ok(Explored::All(kept))
    }

    fn meet(&mut self, set: &[u32], from: u32, letter: u32, queue: &mut BinaryHeap<Reverse<(usize, u32)>>) {
        if let (id, true) = self.sets.insert(set) {
            queue.push(Reverse((set.len(), id)));
            self.came.push((from, letter));
        }
    }

    /// All rounds of digits from a set.
    fn expand(
        &mut self,
        id: u32,
        set: Vec<u32>,
        halfway: &mut [Slices],
        queue: &mut BinaryHeap<Reverse<(usize, u32)>>,
    ) -> Result<(), LimitReached> {
        // The level, the digits so far, and the set's number among those of the level before.
        let mut work = vec![(0usize, 0u32, u32::MAX)];
        let (mut own, mut next) = (set, Vec::new());
        let mut done = 0;
        while let Some((level, letter, place)) = work.pop() {
            if level > 0 {
                own.clear();
                own.extend_from_slice(halfway[level - 1].get(place));
            }
            self.meter.spend(own.len() as u64)?;
            if done % HELD == 0 {
                held(self.meter, self.sets.bytes() + halfway.iter().map(Slices::bytes).sum::<usize>())?;
            }
            done += 1;
            for digit in 0..2 {
                next.clear();
                next.extend(own.iter().map(|&s| self.automaton.next[s as usize][digit]));
                if next[0] == DEAD || !self.clean(&mut next) {
                    continue;
                }
                let letter = letter | (digit as u32) << level;
                if level + 1 == self.free {
                    self.meet(&next, id, letter, queue);
                } else if let (place, true) = halfway[level].insert(&next) {
                    work.push((level + 1, letter, place));
                }
            }
        }
        Ok(())
    }

    /// Sorts the parts' states and drops dead ones; false if one of them accepts everything.
    fn clean(&self, set: &mut Vec<u32>) -> bool {
        if set[1..].contains(&FULL) {
            return false;
        }
        // The domain's state stays in front.
        let mut kept = 1;
        for at in 1..set.len() {
            if set[at] != DEAD {
                set[kept] = set[at];
                kept += 1;
            }
        }
        set.truncate(kept);
        set[1..].sort_unstable();
        let mut kept = set.len().min(2);
        for at in 2..set.len() {
            if set[at] != set[at - 1] {
                set[kept] = set[at];
                kept += 1;
            }
        }
        set.truncate(kept);
        true
    }

    /// The numbers that lead to a set.
    fn word(&self, mut id: u32) -> Result<Vec<u64>, Undecided> {
        let mut letters = Vec::new();
        while self.came[id as usize].0 != u32::MAX {
            let (from, letter) = self.came[id as usize];
            letters.push(letter);
            id = from;
        }
        letters.reverse();
        let bits = self.numeration.bits();
        let digits = |heap: usize| {
            let own = heap * bits..(heap + 1) * bits;
            letters.iter().flat_map(move |letter| own.clone().map(move |level| letter >> level & 1 == 1))
        };
        (0..self.free / bits).map(|heap| self.numeration.value(digits(heap)).ok_or(Undecided::Wide)).collect()
    }
}

/// Whether a sorted list is contained in another.
fn contained(small: &[u32], big: &[u32]) -> bool {
    let mut rest = big.iter();
    small.len() <= big.len() && small.iter().all(|s| rest.by_ref().any(|b| b == s))
}

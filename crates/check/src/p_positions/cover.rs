//! The automata of condition II: what each accepts satisfies its part's conditions, and together they accept everything.

use super::digits::{FAILS, HOLDS, Reader, State};
use super::linear::{Atom, Variable};
use super::witness::{Part, Stands};
use crate::work::{Reason, Work};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The state from which nothing is accepted, and the one from which everything is.
pub const NOTHING: u32 = 0;
pub const EVERYTHING: u32 = 1;

/// A deterministic automaton that reads a digit of each heap in turn.
#[derive(Debug)]
pub struct Automaton {
    pub next: Vec<[u32; 2]>,
    /// Whether numbers may end here.
    pub accepting: Vec<bool>,
    pub heaps: usize,
    pub zeckendorf: bool,
}

/// The states that a start leads to, each with the number of digits of the round that have been read: a place.
struct Places {
    level: Vec<usize>,
    /// Whether numbers may end here.
    ends: Vec<bool>,
    /// The places after digit 0 and digit 1; [`NOWHERE`] where nothing is accepted any more.
    next: Vec<[u32; 2]>,
}

const NOWHERE: u32 = u32::MAX;

/// Clauses known at a place that a new one is held against: to drop what follows from others is a matter of speed alone.
const RECENT: usize = 16;

/// Most tuples of a clause.
const MOST: usize = 1 << 12;

/// Bytes that something known at a place takes in a table.
const FACT: usize = 128;

impl Automaton {
    /// Checks that every word accepted from `start` satisfies the part's conditions, for some guessed digits: each
    /// condition's state is carried along beside the automaton's, and accepts wherever that one does. O(states · conditions).
    pub fn implies(&self, start: u32, part: &Part, work: &mut Work<'_>) -> Result<(), Reason> {
        if start == NOTHING {
            return Ok(());
        }
        let places = self.places(start, work)?;
        let heaps: Vec<Variable> = (0..self.heaps as Variable).collect();
        let mut reader = Reader::new(self.zeckendorf, heaps);
        let guessed = |atom: &&Atom| atom.form.variables().iter().any(|v| part.guesses.contains(v));
        let mut known = Vec::new();
        for atom in part.conditions.iter().filter(|atom| !guessed(atom)) {
            let first = reader.start(atom, work)?;
            places.satisfy(&mut reader, first, &mut known, work)?;
        }
        if let Stands::Neighbours(h) = part.stands {
            let first = reader.neighbours(h as Variable, true, work)?;
            places.satisfy(&mut reader, first, &mut known, work)?;
        }
        let atoms: Vec<&Atom> = part.conditions.iter().filter(guessed).collect();
        if atoms.is_empty() {
            return Ok(());
        }
        places.satisfy_one(&mut Guesses::new(self, &atoms, &part.guesses, work)?, self.heaps, work)
    }

    fn places(&self, start: u32, work: &mut Work<'_>) -> Result<Places, Reason> {
        let mut numbers: FxHashMap<(u32, usize), u32> = FxHashMap::default();
        let mut found = vec![(start, 0)];
        numbers.insert(found[0], 0);
        let mut places = Places { level: Vec::new(), ends: Vec::new(), next: Vec::new() };
        let mut at = 0;
        while let Some(&(state, level)) = found.get(at) {
            at += 1;
            work.hold(FACT)?;
            places.level.push(level);
            places.ends.push(level == 0 && self.accepting[state as usize]);
            places.next.push(self.next[state as usize].map(|to| match to {
                NOTHING => NOWHERE,
                to => *numbers.entry((to, (level + 1) % self.heaps)).or_insert_with(|| {
                    found.push((to, (level + 1) % self.heaps));
                    found.len() as u32 - 1
                }),
            }));
        }
        Ok(places)
    }

    /// Checks that whatever is read, one of the automata accepts. Each of the `sets` has a member that accepts if the numbers
    /// end there, and whatever digits come next, the states after them contain one of the sets again.
    pub fn covers(&self, starts: &[u32], sets: &[Vec<u32>], work: &mut Work<'_>) -> Result<(), Reason> {
        let mut listed = Listed {
            exact: sets.iter().map(Vec::as_slice).collect(),
            by_last: FxHashMap::default(),
            marks: vec![0; self.next.len()],
            mark: 0,
            fine: FxHashSet::default(),
        };
        work.hold(32 * self.next.len() + 96 * sets.len())?;
        work.spend(sets.iter().map(|set| 8 + 2 * set.len()).sum())?;
        for (i, set) in sets.iter().enumerate() {
            let last = set.last().ok_or("an empty set covers nothing")?;
            listed.by_last.entry(*last).or_default().push(i);
        }
        let escapes = || Reason::from("there are numbers that no part accepts");
        let mut start = starts.to_vec();
        if self.tidy(&mut start) && !listed.within(&start, sets, work)? {
            return Err(escapes());
        }
        let mut seen: Vec<FxHashSet<Vec<u32>>> = vec![FxHashSet::default(); self.heaps];
        for set in sets {
            if !set.iter().any(|s| self.accepting[*s as usize]) {
                return Err(escapes());
            }
            let mut open = vec![(0, set.clone())];
            while let Some((level, set)) = open.pop() {
                for digit in 0..2 {
                    work.spend(8 * set.len() + 8)?;
                    let mut next: Vec<u32> = set.iter().map(|s| self.next[*s as usize][digit]).collect();
                    if !self.tidy(&mut next) {
                        continue;
                    }
                    if next.is_empty() {
                        return Err(escapes());
                    }
                    if level + 1 == self.heaps {
                        if !listed.within(&next, sets, work)? {
                            return Err(escapes());
                        }
                    } else if seen[level + 1].insert(next.clone()) {
                        work.hold(96 + 8 * next.len())?;
                        open.push((level + 1, next));
                    }
                }
            }
        }
        Ok(())
    }

    /// Sorts states and drops those that accept nothing; false if one accepts everything.
    fn tidy(&self, set: &mut Vec<u32>) -> bool {
        set.retain(|s| *s != NOTHING);
        set.sort_unstable();
        set.dedup();
        set.first() != Some(&EVERYTHING)
    }
}

impl Places {
    /// Checks that a condition with this first state holds of every word that ends where words may end. Of two states of one
    /// inequality only the stronger is carried on: what follows it implies what follows the other.
    fn satisfy(
        &self,
        reader: &mut Reader,
        first: State,
        known: &mut Vec<State>,
        work: &mut Work<'_>,
    ) -> Result<(), Reason> {
        work.spend(self.next.len() / 4)?;
        known.clear();
        known.resize(self.next.len(), HOLDS);
        // Mostly there is one state at a place; what stands beside it is kept apart.
        let mut beside: FxHashMap<u32, Vec<State>> = FxHashMap::default();
        let mut met = vec![(0, first)];
        let mut open: VecDeque<(u32, State)> = VecDeque::new();
        loop {
            for (place, fact) in met.drain(..) {
                let strongest = &mut known[place as usize];
                if fact == HOLDS || (*strongest != HOLDS && reader.implies(*strongest, fact)) {
                    continue;
                }
                if self.ends[place as usize] && !reader.accepts(fact) {
                    return Err("an automaton accepts what its conditions do not".into());
                }
                if *strongest == HOLDS || reader.implies(fact, *strongest) {
                    *strongest = fact;
                } else {
                    let others = beside.entry(place).or_default();
                    work.hold(if others.is_empty() { FACT } else { 8 })?;
                    work.spend(2 * others.len())?;
                    if others.iter().any(|other| reader.implies(*other, fact)) {
                        continue;
                    }
                    others.retain(|other| !reader.implies(fact, *other));
                    others.push(fact);
                }
                open.push_back((place, fact));
            }
            let Some((place, fact)) = open.pop_front() else { return Ok(()) };
            work.spend(8)?;
            let replaced = known[place as usize] != fact
                && !beside.get(&place).is_some_and(|others| others.contains(&fact));
            if replaced {
                continue;
            }
            for (digit, to) in self.next[place as usize].into_iter().enumerate() {
                if to != NOWHERE {
                    met.push((to, reader.step(fact, digit, work)?));
                }
            }
        }
    }

    /// The same of conditions with guessed digits: some guess satisfies all of them.
    fn satisfy_one(&self, guesses: &mut Guesses, heaps: usize, work: &mut Work<'_>) -> Result<(), Reason> {
        let mut clauses: Vec<Vec<u32>> = vec![Vec::new(); self.next.len()];
        let mut all: FxHashSet<(u32, u32)> = FxHashSet::default();
        let mut met = vec![(0, guesses.first(heaps, work)?)];
        let mut open = Vec::new();
        loop {
            'met: for (place, clause) in met.drain(..) {
                if guesses.is_true(clause) || !all.insert((place, clause)) {
                    continue;
                }
                work.hold(FACT)?;
                let here = &mut clauses[place as usize];
                for known in &here[here.len().saturating_sub(RECENT)..] {
                    work.spend(guesses.size(*known) * guesses.size(clause))?;
                    if guesses.implies(*known, clause) {
                        continue 'met;
                    }
                }
                if self.ends[place as usize] && !guesses.accepts(clause) {
                    return Err("an automaton accepts what its conditions do not".into());
                }
                here.push(clause);
                open.push((place, clause));
            }
            let Some((place, clause)) = open.pop() else { return Ok(()) };
            work.spend(8)?;
            for (digit, to) in self.next[place as usize].into_iter().enumerate() {
                if to != NOWHERE {
                    met.push((to, guesses.step(clause, self.level[place as usize], digit, heaps, work)?));
                }
            }
        }
    }
}

/// The sets of a certificate, found by what they contain.
struct Listed<'s> {
    exact: FxHashSet<&'s [u32]>,
    by_last: FxHashMap<u32, Vec<usize>>,
    marks: Vec<u32>,
    mark: u32,
    /// Sets that were found to contain one.
    fine: FxHashSet<Vec<u32>>,
}

impl Listed<'_> {
    fn within(&mut self, big: &[u32], sets: &[Vec<u32>], work: &mut Work<'_>) -> Result<bool, Reason> {
        if self.exact.contains(big) || self.fine.contains(big) {
            return Ok(true);
        }
        self.mark += 1;
        big.iter().for_each(|s| self.marks[*s as usize] = self.mark);
        for s in big {
            for i in self.by_last.get(s).into_iter().flatten() {
                let inside = sets[*i].iter().take_while(|s| self.marks[**s as usize] == self.mark).count();
                work.spend(2 + inside)?;
                if inside == sets[*i].len() {
                    work.hold(96 + 4 * big.len())?;
                    self.fine.insert(big.to_vec());
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Conditions with guessed digits: a clause is a list of tuples of their states, one of which is right.
struct Guesses {
    reader: Reader,
    /// Tuples, sorted, without states that hold for certain.
    tuples: Vec<Vec<State>>,
    tuple_numbers: FxHashMap<Vec<State>, u32>,
    /// Clauses: sorted tuples, and how many states they have.
    clauses: Vec<Vec<u32>>,
    sizes: Vec<usize>,
    clause_numbers: FxHashMap<Vec<u32>, u32>,
    steps: FxHashMap<(u32, usize), u32>,
    /// What follows a tuple on a digit.
    moves: FxHashMap<(u32, usize), Vec<u32>>,
    start: Vec<State>,
}

impl Guesses {
    fn new(
        automaton: &Automaton,
        atoms: &[&Atom],
        guesses: &[Variable],
        work: &mut Work<'_>,
    ) -> Result<Guesses, Reason> {
        let levels = (0..automaton.heaps as Variable).chain(guesses.iter().copied()).collect();
        let mut reader = Reader::new(automaton.zeckendorf, levels);
        let mut start = Vec::new();
        for atom in atoms {
            start.push(reader.start(atom, work)?);
        }
        for v in guesses.iter().filter(|_| automaton.zeckendorf) {
            start.push(reader.neighbours(*v, false, work)?);
        }
        Ok(Guesses {
            reader,
            tuples: Vec::new(),
            tuple_numbers: FxHashMap::default(),
            clauses: Vec::new(),
            sizes: Vec::new(),
            clause_numbers: FxHashMap::default(),
            steps: FxHashMap::default(),
            moves: FxHashMap::default(),
            start,
        })
    }

    /// The clause before any digit of the heaps: guessed numbers may have more digits than they.
    fn first(&mut self, heaps: usize, work: &mut Work<'_>) -> Result<u32, Reason> {
        let Some(start) = self.tuple(self.start.clone(), work)? else {
            return self.clause(Vec::new(), work);
        };
        let mut all = vec![start];
        let mut at = 0;
        while at < all.len() {
            let mut clause = self.clause(vec![all[at]], work)?;
            for level in 0..heaps {
                clause = self.step(clause, level, 0, heaps, work)?;
            }
            for tuple in self.clauses[clause as usize].clone() {
                work.spend(all.len())?;
                if !all.contains(&tuple) {
                    all.push(tuple);
                }
            }
            at += 1;
        }
        self.clause(all, work)
    }

    fn tuple(&mut self, mut states: Vec<State>, work: &mut Work<'_>) -> Result<Option<u32>, Reason> {
        states.retain(|s| *s != HOLDS);
        states.sort_unstable();
        states.dedup();
        if states.contains(&FAILS) {
            return Ok(None);
        }
        if let Some(known) = self.tuple_numbers.get(&states) {
            return Ok(Some(*known));
        }
        work.hold(128 + 8 * states.len())?;
        self.tuples.push(states.clone());
        self.tuple_numbers.insert(states, self.tuples.len() as u32 - 1);
        Ok(Some(self.tuples.len() as u32 - 1))
    }

    /// A clause's number; tuples that imply another one are left out.
    fn clause(&mut self, mut tuples: Vec<u32>, work: &mut Work<'_>) -> Result<u32, Reason> {
        tuples.sort_unstable();
        tuples.dedup();
        let states: usize = tuples.iter().map(|tuple| 1 + self.tuples[*tuple as usize].len()).sum();
        work.spend(4 * states * states)?;
        let idle = |i: usize| {
            let within = |j: usize| {
                j != i
                    && self.stronger(tuples[i], tuples[j])
                    && (j < i || !self.stronger(tuples[j], tuples[i]))
            };
            (0..tuples.len()).any(within)
        };
        let kept: Vec<u32> = (0..tuples.len()).filter(|i| !idle(*i)).map(|i| tuples[i]).collect();
        if let Some(known) = self.clause_numbers.get(&kept) {
            return Ok(*known);
        }
        work.hold(128 + 8 * kept.len())?;
        self.sizes.push(kept.iter().map(|tuple| 1 + self.tuples[*tuple as usize].len()).sum());
        self.clauses.push(kept.clone());
        self.clause_numbers.insert(kept, self.clauses.len() as u32 - 1);
        Ok(self.clauses.len() as u32 - 1)
    }

    fn stronger(&self, strong: u32, weak: u32) -> bool {
        let (strong, weak) = (&self.tuples[strong as usize], &self.tuples[weak as usize]);
        weak.iter().all(|w| strong.iter().any(|s| self.reader.implies(*s, *w)))
    }

    /// How many states a clause has.
    fn size(&self, clause: u32) -> usize {
        self.sizes[clause as usize]
    }

    fn is_true(&self, clause: u32) -> bool {
        self.clauses[clause as usize].iter().any(|tuple| self.tuples[*tuple as usize].is_empty())
    }

    /// Whether one clause implies another: each of its tuples implies one of the other's.
    fn implies(&self, strong: u32, weak: u32) -> bool {
        let (strong, weak) = (&self.clauses[strong as usize], &self.clauses[weak as usize]);
        strong.iter().all(|s| weak.iter().any(|w| self.stronger(*s, *w)))
    }

    fn accepts(&self, clause: u32) -> bool {
        let holds = |tuple: &u32| self.tuples[*tuple as usize].iter().all(|s| self.reader.accepts(*s));
        self.clauses[clause as usize].iter().any(holds)
    }

    /// The clause after the digit of the heap on this level, and after the last one the guessed digits.
    fn step(
        &mut self,
        from: u32,
        level: usize,
        digit: usize,
        heaps: usize,
        work: &mut Work<'_>,
    ) -> Result<u32, Reason> {
        if let Some(known) = self.steps.get(&(from, digit)) {
            return Ok(*known);
        }
        let mut tuples = Vec::new();
        for at in 0..self.clauses[from as usize].len() {
            let tuple = self.clauses[from as usize][at];
            if !self.moves.contains_key(&(tuple, digit)) {
                let all = self.moved(tuple, level, digit, heaps, work)?;
                work.hold(64 + 4 * all.len())?;
                self.moves.insert((tuple, digit), all);
            }
            tuples.extend_from_slice(&self.moves[&(tuple, digit)]);
        }
        if tuples.len() > MOST {
            return Err("too many guesses side by side".into());
        }
        let to = self.clause(tuples, work)?;
        work.hold(48)?;
        self.steps.insert((from, digit), to);
        Ok(to)
    }

    /// The tuples after the digit of the heap on this level, and after the last one the guessed digits.
    fn moved(
        &mut self,
        tuple: u32,
        level: usize,
        digit: usize,
        heaps: usize,
        work: &mut Work<'_>,
    ) -> Result<Vec<u32>, Reason> {
        let mut here = vec![self.tuples[tuple as usize].clone()];
        let last = if level + 1 == heaps { self.reader.levels() } else { level + 1 };
        for place in level..last {
            let mut next = Vec::new();
            for tuple in here {
                let matters = tuple.iter().any(|s| self.reader.matters(*s, place));
                let digits = match place {
                    _ if place == level => digit..digit + 1,
                    _ if matters => 0..2,
                    _ => 0..1,
                };
                for digit in digits {
                    work.spend(8 * tuple.len() + 8)?;
                    let mut states = Vec::with_capacity(tuple.len());
                    for s in &tuple {
                        states.push(self.reader.step(*s, digit, work)?);
                    }
                    if !states.contains(&FAILS) {
                        next.push(states);
                    }
                }
            }
            here = next;
            if here.len() > MOST {
                return Err("too many guesses side by side".into());
            }
        }
        let mut tuples = Vec::new();
        for states in here {
            tuples.extend(self.tuple(states, work)?);
        }
        Ok(tuples)
    }
}

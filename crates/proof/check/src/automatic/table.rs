//! Automata as tables: a line a state, the next state for each column of digits.

use super::machine::{Machine, Says};
use crate::tuples::Tuples;
use crate::work::{Reason, Work, number};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// A deterministic automaton over columns of digits to one base, most significant first. State 0 is
/// where it begins.
#[derive(Debug, Default)]
pub struct Table {
    /// Columns of digits: column Σ d·base^i has the digit d of number i.
    pub columns: u32,
    /// The next states, all columns of one state after the other.
    next: Vec<u32>,
    pub accepts: Vec<bool>,
    /// Whether something can still be accepted.
    pub alive: Vec<bool>,
}

/// Most places in one table.
const PLACES: usize = 1 << 24;

/// States of a machine, numbered as they come up.
struct Interned {
    all: Vec<Vec<i64>>,
    numbers: FxHashMap<Vec<i64>, u32>,
}

impl Interned {
    fn number(&mut self, state: Vec<i64>, work: &Work<'_>) -> Result<u32, Reason> {
        let new = self.all.len() as u32;
        Ok(match self.numbers.entry(state) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(entry) => {
                work.hold(96 + 16 * entry.key().len())?;
                self.all.push(entry.key().clone());
                *entry.insert(new)
            }
        })
    }

    /// Returns the states after a column of the first variables, of so many columns, whatever the
    /// digits of the others are; those without hope left out.
    fn after(
        &mut self,
        machine: &Machine,
        state: u32,
        (column, columns): (u32, u32),
        work: &Work<'_>,
    ) -> Result<Vec<u32>, Reason> {
        let from = self.all[state as usize].clone();
        let mut after = Vec::new();
        for guess in 0..machine.letters() / columns {
            let Some(to) = machine.step(&from, guess * columns + column, work)? else { continue };
            if !machine.is_hopeless(&to) {
                after.push(self.number(to, work)?);
            }
        }
        after.sort_unstable();
        after.dedup();
        Ok(after)
    }
}

impl Table {
    /// Reads lines `! 0 1` (accepts) or `- 0 1`.
    pub fn read<'t>(
        columns: u32,
        states: usize,
        mut line: impl FnMut() -> &'t str,
        work: &Work<'_>,
    ) -> Result<Table, Reason> {
        let mut table = Table { columns, next: Vec::new(), accepts: Vec::new(), alive: Vec::new() };
        let columns = columns as usize;
        if states == 0 || states.saturating_mul(columns) > PLACES {
            return Err("an automaton has one state at least, and not too many".into());
        }
        for _ in 0..states {
            let line = line();
            work.hold(4 * columns + 2)?;
            work.spend(4 * line.len())?;
            let (mark, rest) = line.split_once(' ').ok_or("a state is `! 0 1` or `- 0 1`")?;
            table.accepts.push(match mark {
                "!" => true,
                "-" => false,
                _ => return Err("a state begins with `!` or `-`".into()),
            });
            let before = table.next.len();
            for word in rest.split(' ') {
                let to = number::<u32>(word).filter(|to| (*to as usize) < states);
                table.next.push(to.ok_or("there is no such state")?);
            }
            if table.next.len() - before != columns {
                return Err("a state has one follower for each column".into());
            }
        }
        // So a word says what it says with zeros before it, where there is room for the digits of
        // all that is defined by its numbers.
        if table.next[0] != 0 {
            return Err(
                "leading zeros should change nothing: they lead from state 0 to itself".into()
            );
        }
        table.find_alive(work)?;
        Ok(table)
    }

    /// Checks that this table accepts whatever the other one does, and nothing else, where one
    /// number more, in this place, is 2.
    pub fn is_at_two(
        &self,
        own: &Table,
        base: u32,
        more: usize,
        work: &Work<'_>,
    ) -> Result<(), Reason> {
        let below = base.pow(more as u32);
        let with = |column: u32, digit: u32| {
            column % below + digit * below + column / below * (below * base)
        };
        // How far the digits of 2 are read.
        let digits: &[u32] = if base == 2 { &[1, 0] } else { &[2] };
        let mut pairs: Tuples<'_, (u32, u32, usize)> = Tuples::new(48, work);
        pairs.add(&(0, 0, 0))?;
        while let Some((state, own_state, read)) = pairs.next() {
            if read == digits.len() {
                if self.accepts[state as usize] != own.accepts[own_state as usize] {
                    return Err(
                        "with 2 as one number more this is not the automaton of the claim".into()
                    );
                }
                continue;
            }
            for column in 0..own.columns {
                work.spend(8)?;
                let to = own.step(own_state, column);
                if read == 0 {
                    pairs.add(&(self.step(state, with(column, 0)), to, 0))?;
                }
                pairs.add(&(self.step(state, with(column, digits[read])), to, read + 1))?;
            }
        }
        Ok(())
    }

    /// Returns the table that accepts what this one does not.
    pub fn complement(&self, work: &Work<'_>) -> Result<Table, Reason> {
        work.hold(4 * self.next.len() + 2 * self.states())?;
        let accepts = self.accepts.iter().map(|accepts| !accepts).collect();
        let mut table =
            Table { columns: self.columns, next: self.next.clone(), accepts, alive: Vec::new() };
        table.find_alive(work)?;
        Ok(table)
    }

    /// Finds the states from which something can still be accepted.
    fn find_alive(&mut self, work: &Work<'_>) -> Result<(), Reason> {
        let columns = self.columns as usize;
        self.alive = self.accepts.clone();
        loop {
            work.spend(2 * self.next.len())?;
            let mut more = false;
            for state in 0..self.states() {
                if !self.alive[state]
                    && (0..columns)
                        .any(|column| self.alive[self.next[state * columns + column] as usize])
                {
                    self.alive[state] = true;
                    more = true;
                }
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// Makes the table that accepts the numerals of the machine's first `free` variables with which
    /// some values of the others make it hold. Fails if it grows too large.
    ///
    /// A state is the set of the machine's states after some digits of the others. Values with more
    /// digits than the numbers read are those that are read beside leading zeros: the first set has
    /// all states that these lead to, so zeros lead from it to itself.
    pub fn projected(
        machine: &Machine,
        base: u32,
        free: usize,
        work: &Work<'_>,
    ) -> Result<Table, Reason> {
        let columns = base.pow(free as u32);
        let mut states = Interned { all: Vec::new(), numbers: FxHashMap::default() };
        let mut first = vec![states.number(machine.start(), work)?];
        let mut at = 0;
        while at < first.len() {
            for to in states.after(machine, first[at], (0, columns), work)? {
                if !first.contains(&to) {
                    first.push(to);
                }
            }
            work.spend(first.len() * first.len())?;
            at += 1;
        }
        first.sort_unstable();
        let mut table = Table { columns, next: Vec::new(), accepts: Vec::new(), alive: Vec::new() };
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::from_iter([(first.clone(), 0)]);
        let mut sets = vec![first];
        let mut followers: FxHashMap<(u32, u32), Vec<u32>> = FxHashMap::default();
        while table.accepts.len() < sets.len() {
            let set = sets[table.accepts.len()].clone();
            let mut accepts = false;
            for state in &set {
                accepts |= machine.says(&states.all[*state as usize], work)? == Says::Truth(true);
            }
            table.accepts.push(accepts);
            for column in 0..columns {
                let mut next = Vec::new();
                for state in &set {
                    let own = match followers.entry((*state, column)) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(new) => {
                            let own = states.after(machine, *state, (column, columns), work)?;
                            work.hold(64 + 4 * own.len())?;
                            new.insert(own)
                        }
                    };
                    next.extend_from_slice(own);
                }
                work.spend(2 + 8 * next.len())?;
                next.sort_unstable();
                next.dedup();
                let new = sets.len() as u32;
                let to = match numbers.entry(next) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(entry) => {
                        work.hold(128 + 8 * entry.key().len() + 4 * columns as usize)?;
                        sets.push(entry.key().clone());
                        *entry.insert(new)
                    }
                };
                table.next.push(to);
                if table.next.len() > PLACES {
                    return Err("what a quantifier says takes too large an automaton".into());
                }
            }
        }
        table.merged(work)
    }

    /// Returns the table with one state for all states that accept the same: of two states in one
    /// class both accept or neither does, and each column leads from both to states in one class.
    fn merged(&self, work: &Work<'_>) -> Result<Table, Reason> {
        let columns = self.columns as usize;
        let mut class: Vec<u32> = self.accepts.iter().map(|accepts| u32::from(*accepts)).collect();
        let (mut count, mut first) = (0, Vec::new());
        loop {
            work.spend(4 * self.next.len())?;
            let before = work.bytes();
            work.hold(4 * self.next.len() + 64 * self.states())?;
            // Classes are numbered as they come up; the first state is in class 0.
            let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            let mut finer = Vec::with_capacity(class.len());
            first.clear();
            for (state, own) in class.iter().enumerate() {
                let followers = self.next[state * columns..][..columns].iter();
                let mut key: Vec<u32> = followers.map(|to| class[*to as usize]).collect();
                key.push(*own);
                let new = numbers.len() as u32;
                finer.push(*numbers.entry(key).or_insert_with(|| {
                    first.push(state);
                    new
                }));
            }
            work.release(before);
            class = finer;
            if first.len() == count {
                break;
            }
            count = first.len();
        }
        let mut table = Table { columns: self.columns, ..Table::default() };
        for state in first {
            let followers = self.next[state * columns..][..columns].iter();
            table.next.extend(followers.map(|to| class[*to as usize]));
            table.accepts.push(self.accepts[state]);
        }
        table.find_alive(work)?;
        Ok(table)
    }

    pub fn states(&self) -> usize {
        self.accepts.len()
    }

    /// Returns the state after a column.
    pub fn step(&self, state: u32, column: u32) -> u32 {
        self.next[state as usize * self.columns as usize + column as usize]
    }

    /// Checks that the automaton accepts what the machine holds of, and nothing else: whatever
    /// digits are read together.
    pub fn is(&self, machine: &Machine, work: &Work<'_>) -> Result<(), Reason> {
        let mut states: Tuples<'_, (u32, Vec<i64>)> =
            Tuples::new(96 + 16 * machine.start().len(), work);
        states.add(&(0, machine.start()))?;
        while let Some((state, values)) = states.next() {
            if let Says::Truth(truth) = machine.says(&values, work)?
                && truth != self.accepts[state as usize]
            {
                return Err("an automaton accepts something else than its formula".into());
            }
            for letter in 0..machine.letters() {
                // Of the variables that the machine defines those values count that fit and are
                // numerals.
                if let Err(variable) = machine.marks(&values, letter)
                    && machine.base().saturating_pow(variable as u32) < self.columns
                {
                    if self.alive[self.step(state, letter % self.columns) as usize] {
                        return Err("an automaton accepts what is no numeral".into());
                    }
                    continue;
                }
                let Some(values) = machine.step(&values, letter, work)? else { continue };
                // The variables that the machine defines come after the automaton's.
                states.add(&(self.step(state, letter % self.columns), values))?;
            }
        }
        Ok(())
    }

    /// Checks that it accepts the union of the images of another, and nothing else, both read in
    /// so many digits.
    pub fn is_union(
        &self,
        one: &Table,
        images: &[Vec<usize>],
        base: u32,
        work: &Work<'_>,
    ) -> Result<(), Reason> {
        let column = |letter: u32, image: &[usize]| {
            image
                .iter()
                .enumerate()
                .map(|(place, heap)| {
                    letter / base.pow(*heap as u32) % base * base.pow(place as u32)
                })
                .sum()
        };
        let mut tuples = Tuples::new(104 + 8 * images.len(), work);
        tuples.add(&vec![0u32; images.len() + 1])?;
        while let Some(states) = tuples.next() {
            work.spend(states.len())?;
            let some = states[1..].iter().any(|state| one.accepts[*state as usize]);
            if some != self.accepts[states[0] as usize] {
                return Err(
                    "an automaton does not accept the union of the images of another".into()
                );
            }
            for letter in 0..self.columns {
                work.spend(8 * states.len())?;
                let own = states[1..].iter().zip(images);
                let own = own.map(|(state, image)| one.step(*state, column(letter, image)));
                let next: Vec<u32> =
                    [self.step(states[0], letter)].into_iter().chain(own).collect();
                tuples.add(&next)?;
            }
        }
        Ok(())
    }
}

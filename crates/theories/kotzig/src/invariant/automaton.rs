//! Automata that label words, and the smallest equal one.

use rustc_hash::FxHashMap;
use std::fmt::Write;

/// What is said of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// Nothing.
    None,
    /// The mover loses.
    A,
    /// The mover wins.
    B,
}

/// A deterministic automaton on free (0) and marked (1) cells. State 0 says nothing of any word;
/// the first is 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    states: Vec<([u32; 2], Label)>,
}

impl Automaton {
    /// Returns the smallest automaton that labels as these states do from `start`; state 0 of them
    /// is the one that says nothing.
    pub(super) fn new(states: Vec<([u32; 2], Label)>, start: u32) -> Automaton {
        let classes = classes(&states);
        // Numbered as they are met from the start; 0 keeps its class.
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        number.insert(classes[0], 0);
        let mut order = vec![0u32];
        let mut meet = |state: u32, order: &mut Vec<u32>| {
            *number.entry(classes[state as usize]).or_insert_with(|| {
                order.push(state);
                order.len() as u32 - 1
            })
        };
        let first = meet(start, &mut order);
        let mut smallest = vec![([0; 2], Label::None)];
        if first == 0 {
            // Nothing is said of any word.
            smallest.push(([0; 2], Label::None));
        }
        let mut at = 1;
        while at < order.len() {
            let (next, label) = states[order[at] as usize];
            smallest.push((next.map(|to| meet(to, &mut order)), label));
            at += 1;
        }
        Automaton { states: smallest }
    }

    /// Returns an automaton with these states from 1 on: where to go on a free and on a marked
    /// cell, and the label. A state that is not there counts as 0.
    pub fn from_states(mut states: Vec<([u32; 2], Label)>) -> Automaton {
        states.insert(0, ([0; 2], Label::None));
        let count = states.len() as u32;
        for (next, _) in &mut states {
            *next = next.map(|to| if to < count { to } else { 0 });
        }
        Automaton { states }
    }

    /// Returns the states but 0.
    pub fn size(&self) -> usize {
        self.states.len() - 1
    }

    /// Returns the state after a letter.
    pub fn next(&self, state: u32, letter: usize) -> u32 {
        self.states[state as usize].0[letter]
    }

    /// Returns what is said of the words that end in a state.
    pub fn label(&self, state: u32) -> Label {
        self.states[state as usize].1
    }

    /// Returns the automaton whose states a certificate lists, as [`lines`](Self::lines) writes
    /// them; `None` if a line is no state.
    pub(super) fn from_lines<'l>(lines: impl Iterator<Item = &'l str>) -> Option<Automaton> {
        let state = |line: &str| {
            let mut words = line.split(' ');
            let next = [words.next()?.parse().ok()?, words.next()?.parse().ok()?];
            let label = match words.next() {
                None => Label::None,
                Some("A") => Label::A,
                Some(_) => Label::B,
            };
            Some((next, label))
        };
        Some(Automaton::from_states(lines.map(state).collect::<Option<_>>()?))
    }

    /// Returns the states as lines of a certificate.
    pub(super) fn lines(&self) -> String {
        let mut lines = String::new();
        for ([zero, one], label) in &self.states[1..] {
            let label = match label {
                Label::None => "",
                Label::A => " A",
                Label::B => " B",
            };
            let _ = writeln!(lines, "{zero} {one}{label}");
        }
        lines
    }
}

/// Returns the class of each state: those that label all words alike share one. By refinement
/// (Moore), a pass a length.
fn classes(states: &[([u32; 2], Label)]) -> Vec<u32> {
    let mut class: Vec<u32> = states.iter().map(|(_, label)| *label as u32).collect();
    let mut count = 0;
    loop {
        let mut index: FxHashMap<(u32, u32, u32), u32> = FxHashMap::default();
        let finer: Vec<u32> = states
            .iter()
            .enumerate()
            .map(|(i, (next, _))| {
                let fresh = index.len() as u32;
                *index
                    .entry((class[i], class[next[0] as usize], class[next[1] as usize]))
                    .or_insert(fresh)
            })
            .collect();
        class = finer;
        if index.len() == count {
            return class;
        }
        count = index.len();
    }
}

//! Automata that agree with a table as far as it was looked at.

use std::collections::HashMap;

/// A deterministic automaton with an output in each state; state 0 is where it begins.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The next states, by letter.
    pub next: Vec<Vec<usize>>,
    /// The outputs.
    pub out: Vec<u8>,
}

impl Learned {
    /// Returns the automaton in which two words lead to one state if no letters told them apart, at
    /// most `tails` of them behind both; `None` where it has more than `most` states or the table
    /// ends. If the table is a regular set's, that is its automaton, once `tails` is large.
    pub fn new(
        letters: usize,
        tails: usize,
        most: usize,
        output: &mut dyn FnMut(&[usize]) -> Option<u8>,
    ) -> Option<Learned> {
        let mut suffixes: Vec<Vec<usize>> = vec![Vec::new()];
        let mut first = 0;
        for _ in 0..tails {
            let end = suffixes.len();
            for at in first..end {
                for letter in 0..letters {
                    let longer = [&suffixes[at][..], &[letter]].concat();
                    suffixes.push(longer);
                }
            }
            first = end;
        }
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut words: Vec<Vec<usize>> = vec![Vec::new()];
        let mut learned = Learned { next: Vec::new(), out: Vec::new() };
        let mut outputs = |word: &[usize]| -> Option<Vec<u8>> {
            suffixes.iter().map(|suffix| output(&[word, suffix].concat())).collect()
        };
        known.insert(outputs(&[])?, 0);
        let mut at = 0;
        while at < words.len() {
            let word = words[at].clone();
            learned.out.push(outputs(&word)?[0]);
            let mut row = Vec::new();
            for letter in 0..letters {
                let longer = [&word[..], &[letter]].concat();
                let signature = outputs(&longer)?;
                let fresh = known.len();
                let state = *known.entry(signature).or_insert(fresh);
                if state == fresh {
                    words.push(longer);
                }
                row.push(state);
            }
            learned.next.push(row);
            if words.len() > most {
                return None;
            }
            at += 1;
        }
        Some(learned)
    }

    /// Returns the state that a word leads to.
    pub fn state(&self, word: &[usize]) -> usize {
        word.iter().fold(0, |state, letter| self.next[state][*letter])
    }

    /// Returns the same automaton but for one word, whose output becomes another.
    pub fn but(&self, word: &[usize], output: u8) -> Learned {
        let mut changed = self.clone();
        let (mut old, mut new) = (0, 0);
        for (i, letter) in word.iter().enumerate() {
            old = self.next[old][*letter];
            let copy = changed.next.len();
            changed.next.push(self.next[old].clone());
            changed.out.push(if i + 1 == word.len() { output } else { self.out[old] });
            changed.next[new][*letter] = copy;
            new = copy;
        }
        changed
    }
}

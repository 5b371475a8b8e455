//! Automata as tables, and Walnut's text of them.

use crate::decide::{Automatic, Decision, decide};
use crate::effort::{Undecided, held, in_lots};
use crate::numeration::Numeration;
use bouton_rules::{Formula, LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::ops::Range;

/// Digits of a column at most.
pub(super) const TRACKS: usize = 12;
/// States of an automaton in a file at most.
const STATES: usize = 100_000;

/// A deterministic automaton over columns of binary digits, most significant first. State 0 is where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptor {
    /// Numbers that are read together: bit i of a column is the digit of number i.
    pub tracks: usize,
    /// The next state by state and column.
    pub next: Vec<Vec<u32>>,
    /// Whether the numbers may end here.
    pub accepts: Vec<bool>,
}

/// Why a text is no automaton, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct AcceptorError {
    /// What is wrong.
    pub why: String,
    /// The bytes of the text that are.
    pub at: Range<usize>,
}

impl Acceptor {
    /// Reads Walnut's text of an automaton on so many numbers: `msd_2` for each of them, then each state with its output 0 or 1, and its transitions
    /// `0 1 -> 2`, the digits in the order of the numbers. What is left out leads to where nothing is accepted. The first state is where it begins, and leading
    /// zeros lead from there to itself. `#` begins a comment.
    pub fn parse(text: &str, tracks: usize) -> Result<Acceptor, AcceptorError> {
        let wrong = |why: String, at: Range<usize>| AcceptorError { why, at };
        // Lines that say something, each with its words and their places.
        let mut lines: Vec<Vec<(&str, usize)>> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let said = line.split('#').next().unwrap_or("");
            let mut words = Vec::new();
            let mut from = 0;
            for word in said.split_whitespace() {
                let place = said[from..].find(word).map_or(from, |found| from + found);
                words.push((word, at + place));
                from = place + word.len();
            }
            if !words.is_empty() {
                lines.push(words);
            }
            at += line.len();
        }
        let span = |(word, at): (&str, usize)| at..at + word.len();
        let end = text.len()..text.len();
        if tracks == 0 || tracks > TRACKS {
            return Err(wrong(format!("automata read from 1 to {TRACKS} numbers here"), end));
        }
        let Some((systems, rest)) = lines.split_first() else {
            return Err(wrong("an automaton begins with `msd_2` for each heap".into(), end));
        };
        if let Some(other) = systems.iter().find(|word| word.0 != "msd_2") {
            return Err(wrong(
                "only `msd_2` is read here: binary digits, most significant first".into(),
                span(*other),
            ));
        }
        if systems.len() != tracks {
            let last = systems[systems.len() - 1];
            let why = format!("`msd_2` stands {} times, and there are {tracks} numbers", systems.len());
            return Err(wrong(why, systems[0].1..span(last).end));
        }
        // States by the number that the file gives them, in the order in which they stand there.
        let mut known: FxHashMap<&str, (u32, Range<usize>)> = FxHashMap::default();
        let mut accepts = Vec::new();
        for words in rest.iter().filter(|words| words.iter().all(|word| word.0 != "->")) {
            let [state, output] = words[..] else {
                let why = "a state is a number and its output, 0 or 1; a transition digits, `->` and a state";
                return Err(wrong(why.into(), words[0].1..span(words[words.len() - 1]).end));
            };
            if state.0.is_empty() || !state.0.bytes().all(|b| b.is_ascii_digit()) {
                return Err(wrong("a state is a number".into(), span(state)));
            }
            let output = match output.0 {
                "0" => false,
                "1" => true,
                _ => return Err(wrong("a state's output is 0 or 1".into(), span(output))),
            };
            if known.insert(state.0, (accepts.len() as u32, span(state))).is_some() {
                return Err(wrong(format!("state {} stands twice", state.0), span(state)));
            }
            accepts.push(output);
            if accepts.len() > STATES {
                return Err(wrong("too many states".into(), span(state)));
            }
        }
        if accepts.is_empty() {
            return Err(wrong("there is no state".into(), end));
        }
        let dead = accepts.len() as u32;
        let mut next = vec![vec![dead; 1 << tracks]; accepts.len() + 1];
        accepts.push(false);
        let mut own: Option<u32> = None;
        for words in rest {
            let Some(arrow) = words.iter().position(|word| word.0 == "->") else {
                own = known.get(words[0].0).map(|(state, _)| *state);
                continue;
            };
            let Some(own) = own else {
                return Err(wrong("a transition stands below its state".into(), span(words[0])));
            };
            let mut column = 0;
            for (track, word) in words[..arrow].iter().enumerate() {
                match word.0 {
                    "0" => {}
                    "1" if track < tracks => column |= 1 << track,
                    "1" => {}
                    _ => return Err(wrong("a digit is 0 or 1".into(), span(*word))),
                }
            }
            if arrow != tracks {
                let last = if arrow == 0 { words[0] } else { words[arrow - 1] };
                let why = format!("{arrow} digits stand here, and there are {tracks} numbers");
                return Err(wrong(why, words[0].1..span(last).end));
            }
            let [to] = words[arrow + 1..] else {
                return Err(wrong("one state should stand behind `->`".into(), span(words[arrow])));
            };
            let Some((state, _)) = known.get(to.0) else {
                return Err(wrong(format!("there is no state {}", to.0), span(to)));
            };
            let place: &mut u32 = &mut next[own as usize][column];
            if *place != dead {
                let why = "these digits have a transition already: the automaton is not deterministic";
                return Err(wrong(why.into(), words[0].1..span(words[arrow - 1]).end));
            }
            *place = *state;
        }
        if next[0][0] != 0 {
            // An automaton that says something of numbers, whatever zeros stand before them.
            let first = known.values().find(|(state, _)| *state == 0).map_or(end, |(_, at)| at.clone());
            let why = "digits 0 should lead from the first state to itself: leading zeros change no number";
            return Err(wrong(why.into(), first));
        }
        Ok(Acceptor { tracks, next, accepts })
    }

    /// Walnut's text; states from which nothing is accepted are left out.
    pub fn walnut(&self) -> String {
        let alive = self.alive();
        let mut text = vec!["msd_2"; self.tracks].join(" ") + "\n";
        for state in (0..self.next.len()).filter(|state| alive[*state] || *state == 0) {
            // Writing into a string does not fail.
            let _ = writeln!(text, "\n{state} {}", u8::from(self.accepts[state]));
            for number in 0..1usize << self.tracks {
                // The first number's digit changes last.
                let digit = |track: usize| number >> (self.tracks - 1 - track) & 1;
                let column = (0..self.tracks).fold(0, |column, track| column | digit(track) << track);
                let to = self.next[state][column] as usize;
                if alive[to] {
                    let digits: Vec<String> =
                        (0..self.tracks).map(|track| digit(track).to_string()).collect();
                    let _ = writeln!(text, "{} -> {to}", digits.join(" "));
                }
            }
        }
        text
    }

    /// States from which something is accepted.
    pub fn alive(&self) -> Vec<bool> {
        let mut alive = self.accepts.clone();
        loop {
            let before = alive.iter().filter(|one| **one).count();
            for state in (0..alive.len()).rev() {
                alive[state] = alive[state] || self.next[state].iter().any(|to| alive[*to as usize]);
            }
            if alive.iter().filter(|one| **one).count() == before {
                return alive;
            }
        }
    }

    /// How many states something can be accepted from.
    pub fn states(&self) -> usize {
        self.alive().into_iter().filter(|alive| *alive).count()
    }

    /// Whether it accepts these numbers.
    pub fn holds(&self, numbers: &[u64]) -> bool {
        let digits = 64 - numbers.iter().fold(0, |all, x| all | x).leading_zeros();
        let column = |place: u32| {
            numbers
                .iter()
                .enumerate()
                .fold(0, |column, (track, x)| column | ((x >> place & 1) as usize) << track)
        };
        let end = (0..digits).rev().fold(0, |state, place| self.next[state as usize][column(place)]);
        self.accepts[end as usize]
    }

    /// The automaton of a formula's free variables.
    pub(super) fn of(formula: &Formula, meter: &mut Meter) -> Result<Acceptor, Undecided> {
        let read = match decide(formula, Numeration::Binary, meter)? {
            Decision::Open(Automatic { dfa, .. }) => dfa,
            decided => {
                let accepts = vec![matches!(decided, Decision::True(_))];
                return Ok(Acceptor { tracks: 0, next: vec![vec![0]], accepts });
            }
        };
        let tracks = formula.free;
        let mut number: FxHashMap<usize, u32> = FxHashMap::default();
        let mut open = vec![read.start()];
        number.insert(read.start(), 0);
        let (mut next, mut accepts) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < open.len() {
            meter.many(1 << tracks)?;
            held(meter, open.len() << (tracks + 2))?;
            let mut row = Vec::with_capacity(1 << tracks);
            for column in 0..1u32 << tracks {
                let to = read.step(open[at], |v| column >> v & 1 == 1);
                let new = number.len() as u32;
                row.push(*number.entry(to).or_insert_with(|| {
                    open.push(to);
                    new
                }));
            }
            next.push(row);
            accepts.push(read.accepts(open[at]));
            at += 1;
        }
        Ok(Acceptor { tracks, next, accepts })
    }

    /// The union of images: image σ of a tuple has its number σ(i) in place i.
    pub(super) fn union(&self, images: &[Vec<usize>], meter: &mut Meter) -> Result<Acceptor, LimitReached> {
        let column = |letter: usize, image: &[usize]| {
            image.iter().enumerate().fold(0, |column, (place, heap)| column | (letter >> heap & 1) << place)
        };
        let first = vec![0u32; images.len()];
        let mut number: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        number.insert(first.clone(), 0);
        let mut open = vec![first];
        let (mut next, mut accepts) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < open.len() {
            meter.many((images.len() as u64) << self.tracks)?;
            held(meter, open.len() * (8 * images.len() + (4 << self.tracks)))?;
            let states = open[at].clone();
            accepts.push(states.iter().any(|state| self.accepts[*state as usize]));
            let mut row = Vec::with_capacity(1 << self.tracks);
            for letter in 0..1usize << self.tracks {
                let mut to: Vec<u32> = Vec::with_capacity(images.len());
                to.extend(
                    states
                        .iter()
                        .zip(images)
                        .map(|(state, image)| self.next[*state as usize][column(letter, image)]),
                );
                let new = open.len() as u32;
                row.push(*number.entry(to).or_insert_with_key(|to| {
                    open.push(to.clone());
                    new
                }));
            }
            next.push(row);
            at += 1;
        }
        Acceptor { tracks: self.tracks, next, accepts }.minimal(meter)
    }

    /// The least automaton that accepts the same (Moore 1956), its states numbered as they are met.
    pub(super) fn minimal(&self, meter: &mut Meter) -> Result<Acceptor, LimitReached> {
        let mut class: Vec<u32> = self.accepts.iter().map(|accepts| u32::from(*accepts)).collect();
        let mut classes = 0;
        loop {
            let mut number: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
            let mut refined = Vec::with_capacity(class.len());
            for (state, row) in self.next.iter().enumerate() {
                in_lots(state, meter)?;
                let key = (class[state], row.iter().map(|to| class[*to as usize]).collect::<Vec<_>>());
                let new = number.len() as u32;
                refined.push(*number.entry(key).or_insert(new));
            }
            class = refined;
            if number.len() == classes {
                break;
            }
            classes = number.len();
        }
        // One state of each class, from the first on.
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        number.insert(class[0], 0);
        let mut open = vec![0u32];
        let (mut next, mut accepts) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < open.len() {
            let state = open[at] as usize;
            accepts.push(self.accepts[state]);
            let mut row = Vec::new();
            for to in &self.next[state] {
                let new = number.len() as u32;
                row.push(*number.entry(class[*to as usize]).or_insert_with(|| {
                    open.push(*to);
                    new
                }));
            }
            next.push(row);
            at += 1;
        }
        Ok(Acceptor { tracks: self.tracks, next, accepts })
    }
}

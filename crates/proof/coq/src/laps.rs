//! Kotzig's Nim on circles of every length, lap by lap, as coq/KotzigLaps.v states it: the automata
//! of a certificate of kind `laps`.

use crate::ExportError;
use crate::formula::{Formula, Term};
use crate::kotzig::{self, TokenStatement};
use bouton_check::Envelope;
use std::collections::HashMap;
use std::str::Lines;

/// Who wins Kotzig's Nim, and the automata of each lap.
#[derive(Debug)]
pub struct TokenLaps {
    /// The statement; all steps go forwards.
    pub statement: TokenStatement,
    /// The least number of cells of which the laps speak.
    pub from: u64,
    /// The number of cells from which on the outcomes are periodic.
    pub periodic_from: u64,
    /// The period.
    pub period: u64,
    /// The laps.
    pub laps: Vec<Lap>,
}

/// A state of an automaton: the next ones on a free and on a marked cell, 0 for none, and what
/// stands there. States are counted from 1 on.
type State<T> = ([u64; 2], T);

/// The automata of a lap.
#[derive(Debug)]
pub struct Lap {
    /// Whether a tape may end.
    pub tapes: Vec<State<bool>>,
    /// The state of `words`, and for each of the first cells 0 if it is marked, otherwise 1, 2 or 3
    /// if nothing is said, or the mover loses, or wins, with the token there.
    pub classes: Vec<State<(u64, Vec<u64>)>>,
    /// What is said: 0 for nothing, 1 if the mover loses, 2 if the mover wins.
    pub words: Vec<State<u64>>,
}

/// Returns the theorem of a certificate of kind `laps`, with another claim if one is given.
pub fn token_laps(envelope: &Envelope<'_>, claim: Option<&str>) -> Result<TokenLaps, ExportError> {
    let statement = kotzig::statement(envelope, claim)?;
    let (from, laps) = read(envelope.body).ok_or_else(ExportError::unreadable)?;
    let (first, period) = blank_tape_period(&laps[0], from);
    // Claims may compare the number of cells with numbers below.
    let periodic_from = first.max(greatest(&statement.claim).saturating_add(1));
    Ok(TokenLaps { statement, from, periodic_from, period, laps })
}

/// Returns a number of cells from which on what the first lap says of the blank tape is periodic,
/// and the period.
fn blank_tape_period(lap: &Lap, from: u64) -> (u64, u64) {
    let (mut tape, class) = (next(&lap.tapes, 1, 0), next(&lap.classes, 1, 1));
    let mut word = match class {
        0 => 0,
        class => lap.classes[class as usize - 1].1.0,
    };
    let mut met = HashMap::new();
    for cells in 1.. {
        if cells >= from
            && let Some(first) = met.insert((tape, word), cells)
        {
            return (first, cells - first);
        }
        (tape, word) = (next(&lap.tapes, tape, 0), next(&lap.words, word, 0));
    }
    unreachable!("the automata have finitely many states")
}

/// Returns the state after this one, with the cell's mark.
fn next<T>(states: &[State<T>], state: u64, mark: usize) -> u64 {
    match state {
        0 => 0,
        state => states[state as usize - 1].0[mark],
    }
}

/// Returns the greatest number that a formula compares something with.
fn greatest(formula: &Formula) -> u64 {
    let number = |term: &Term| if let Term::Number(k) = term { *k } else { 0 };
    match formula {
        Formula::Known(_) => 0,
        Formula::Equal(a, b) | Formula::AtMost(a, b) | Formula::Less(a, b) => {
            number(a).max(number(b))
        }
        Formula::Not(f) | Formula::Exists(_, f) => greatest(f),
        Formula::And(f, g) | Formula::Or(f, g) => greatest(f).max(greatest(g)),
    }
}

fn read(body: &str) -> Option<(u64, Vec<Lap>)> {
    let mut lines = body.lines();
    let (count, from) = lines.next()?.strip_prefix("laps ")?.split_once(" from ")?;
    let laps = (0..count.parse().ok()?).map(|_| lap(&mut lines)).collect::<Option<Vec<_>>>()?;
    (lines.next().is_none() && !laps.is_empty()).then_some((from.parse().ok()?, laps))
}

fn lap(lines: &mut Lines<'_>) -> Option<Lap> {
    let words: Vec<&str> = lines.next()?.split(' ').collect();
    let ["lap", _, "tapes", tapes, "classes", classes, "words", words] = words[..] else {
        return None;
    };
    let lap = Lap {
        tapes: states(lines, tapes, |rest| match rest {
            [] => Some(false),
            ["."] => Some(true),
            _ => None,
        })?,
        classes: states(lines, classes, |rest| {
            let [word, label] = rest else { return None };
            let label = if *label == "-" { "" } else { label };
            let letters = label.chars().map(|letter| ".?LW".find(letter).map(|place| place as u64));
            Some((word.parse().ok()?, letters.collect::<Option<_>>()?))
        })?,
        words: states(lines, words, |rest| {
            let [said] = rest else { return None };
            "?LW".find(said).map(|place| place as u64)
        })?,
    };
    let fits = lap.classes.iter().all(|(_, (word, _))| *word <= lap.words.len() as u64);
    (fits && !lap.tapes.is_empty() && !lap.classes.is_empty()).then_some(lap)
}

/// Reads so many states, and by `of` what stands behind the next ones.
fn states<T>(
    lines: &mut Lines<'_>,
    count: &str,
    of: impl Fn(&[&str]) -> Option<T>,
) -> Option<Vec<State<T>>> {
    let count: usize = count.parse().ok()?;
    let state = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let (next, rest) = words.split_at_checked(2)?;
        let to = |word: &str| word.parse().ok().filter(|to| *to <= count as u64);
        Some(([to(next[0])?, to(next[1])?], of(rest)?))
    };
    let states: Vec<_> = lines.take(count).map(state).collect::<Option<_>>()?;
    (states.len() == count).then_some(states)
}

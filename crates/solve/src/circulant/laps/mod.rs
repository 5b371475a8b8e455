//! Kotzig's Nim on circles of every size, lap by lap: a decision, not a search.
//!
//! With steps forwards a game is a few laps, as each marks at least every Mth cell, M the furthest step. Let a *tape* be the word of the
//! circle's cells, marked or free. Given who wins on every tape when a lap begins, as an automaton that reads tapes, the
//! lap before can be solved for all tapes at once: from the tape's end back, cell by cell, who wins with the token there is
//! a function of the class of what was left behind ([`ends`]), and there are finitely many such functions. Read forwards again ([`runs`])
//! that is the automaton of the tapes before that lap. Only tapes that play can leave are looked at ([`tapes`]); those are few
//! when many laps are over, and simple when few are. So from the last lap back to the first, whose tape is blank: there the
//! automaton reads 0s only, and says who wins for every n.
//!
//! That outcomes are eventually periodic is K. Liang, *A finite automaton approach to combinatorial games*, arXiv 2608.13273; the states of this
//! construction might be a tower of as many exponents as there are laps. What makes them few: laps apart, with the token's own place as the cut, and
//! tapes that come up. Measured in docs/design/kotzig.md. The automata, with the runs on the cells ahead of the token, are a certificate
//! that the checker verifies locally, without knowing how they were made.

mod ends;
mod partition;
mod rows;
mod runs;
mod tapes;

use super::invariant::PSet;
use super::{Circulant, Solver, Techniques};
use bouton_rules::{Budget, Certificate, LimitReached, Meter, Play};
use ends::Ends;
use partition::coarsest;
use runs::{Runs, Value};
use std::fmt::Write;
use tapes::{NONE, Tapes};

/// The furthest step for which circles are decided.
pub const MAX_STEP: usize = 12;
/// Steps at most.
pub const MAX_STEPS: usize = 4;
/// Circles below this number of cells may be left to search.
const MOST_FROM: usize = 65;
/// More laps than the furthest step has cells, at most: small circles may take some.
const MORE_LAPS: usize = 2;

/// A cell that is marked.
const MARKED: u8 = 0;
/// The mover wins.
const WON: u8 = 1;
/// The mover loses.
const LOST: u8 = 2;
/// It takes more laps.
const OPEN: u8 = 3;
/// There is no such tape.
const UNKNOWN: u8 = u8::NOTHING;

/// What the beginning of a lap brings, by the cell that the token comes to.
type Label = [u8; MAX_STEP];

/// The steps and the convention.
struct Rules {
    /// Ascending.
    steps: Vec<usize>,
    play: Play,
}

impl Rules {
    fn furthest(&self) -> usize {
        self.steps.last().copied().unwrap_or(1)
    }

    fn without_a_move(&self) -> u8 {
        // Not yet told apart from a mover all of whose options are won by the other.
        MARKED
    }

    /// The value of a position so far, with one more option.
    fn with_option(&self, value: u8, option: u8) -> u8 {
        match option {
            LOST => WON,
            _ if value == WON => WON,
            _ => LOST,
        }
    }

    /// The value, given whether there are open options; `MARKED` stands for no option that is known.
    fn with_open(&self, value: u8, open: bool) -> u8 {
        match (value, open) {
            (WON | UNKNOWN, _) => value,
            (_, true) => OPEN,
            (MARKED, false) if self.play == Play::Misere => WON,
            _ => LOST,
        }
    }
}

/// Classes of what lies behind the token, or of whole tapes: an automaton that reads tapes, and what it says of the lap to come.
struct Classes {
    next: Vec<[u32; 2]>,
    labels: Vec<Label>,
}

/// A lap of the proof.
#[derive(Debug, Clone)]
struct Lap {
    /// The tapes before it.
    tapes: Tapes,
    /// The classes of tapes after it: next states, the state of `words` for the cells ahead of the token, what the next lap brings.
    classes: Vec<([u32; 2], u32, Label)>,
    /// The cells ahead of the token: next states, and who wins at their end.
    words: Vec<([u32; 2], u8)>,
}

/// A theorem on circles of every size.
#[derive(Debug, Clone)]
pub struct Theorem {
    steps: Vec<usize>,
    play: Play,
    /// The circles that are in P.
    pub p_positions: PSet,
    /// From so many cells on by laps.
    pub from: usize,
    laps: Vec<Lap>,
}

/// Whether a set of steps is one that laps can decide.
pub fn fits(steps: &[i64]) -> bool {
    let within = |step: &i64| (1..=MAX_STEP as i64).contains(step);
    (1..=MAX_STEPS).contains(&steps.len()) && steps.iter().all(within) && steps.is_sorted_by(|a, b| a < b)
}

/// Decides who wins on the circle of n cells for every n, with these steps, ascending and [fitting](fits); `tell` hears what is being
/// done. What it costs grows fast with the furthest step: (1,4) 0.1 s, (2,5) a minute.
///
/// # Errors
/// The budget, or [`LimitReached::Reach`] where the automata grow past what is sensible.
pub fn decide(
    steps: &[i64],
    play: Play,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<Theorem, LimitReached> {
    if !fits(steps) {
        return Err(LimitReached::Reach);
    }
    let rules = Rules { steps: steps.iter().map(|step| *step as usize).collect(), play };
    let mut meter = Meter::new(budget);
    for count in rules.furthest().max(2)..=rules.furthest() + MORE_LAPS {
        let laps = laps(&rules, count, &mut meter, tell)?;
        if let Some((from, below, classes)) = outcomes(&rules, &laps, budget)? {
            let p_positions = PSet::new(&below, classes);
            return Ok(Theorem { steps: rules.steps, play, p_positions, from, laps });
        }
    }
    Err(LimitReached::Reach)
}

/// Solves so many laps, the last one first.
fn laps(
    rules: &Rules,
    count: usize,
    meter: &mut Meter,
    tell: &dyn Fn(&str),
) -> Result<Vec<Lap>, LimitReached> {
    let furthest = rules.furthest();
    let mut tapes = vec![Tapes::blank()];
    for lap in 1..count {
        let entries = if lap == 1 { 1 } else { furthest };
        tapes.push(tapes[lap - 1].after_lap(&rules.steps, entries, meter)?);
    }
    // After the last lap nothing is known.
    let mut label = [UNKNOWN; MAX_STEP];
    label[..furthest].fill(OPEN);
    let mut after = Classes { next: vec![[0, 0]], labels: vec![label] };
    let mut laps = Vec::new();
    for (number, tapes) in tapes.into_iter().enumerate().rev() {
        let ends = Ends::of(rules, &tapes, &after, meter)?;
        tell(&format!("lap {} of {count}: {} ends of tapes", number + 1, ends.next.len()));
        let (starts, words) = words(&ends, &after, meter)?;
        tell(&format!("lap {} of {count}: {} words ahead of the token", number + 1, words.len()));
        let before =
            if number > 0 { classes(&ends, meter)? } else { Classes { next: vec![], labels: vec![] } };
        let classes =
            (0..after.next.len()).map(|class| (after.next[class], starts[class], after.labels[class]));
        laps.push(Lap { tapes, classes: classes.collect(), words });
        after = before;
    }
    laps.reverse();
    Ok(laps)
}

/// By class of what lies behind the token, its own cell with it, the automaton of the cells ahead; `NONE` where no token can be.
#[allow(clippy::type_complexity)]
fn words(
    ends: &Ends,
    after: &Classes,
    meter: &mut Meter,
) -> Result<(Vec<u32>, Vec<([u32; 2], u8)>), LimitReached> {
    let (classes, columns) = coarsest(&ends.next, &ends.before);
    let mut rows = vec![NONE; columns.len()];
    for (end, class) in classes.iter().enumerate() {
        rows[*class as usize] = ends.before[end];
    }
    // A row is by class without the token's cell.
    let mut without = vec![NONE; after.next.len()];
    for (class, next) in after.next.iter().enumerate() {
        if next[1] != NONE {
            without[next[1] as usize] = class as u32;
        }
    }
    let mut runs: Runs<u8> = Runs::over(&columns);
    let mut starts = Vec::with_capacity(without.len());
    for class in without {
        starts.push(match class {
            NONE => NONE,
            class => {
                let value = |row: &u32| match *row {
                    NONE => UNKNOWN,
                    row => ends.rows.get(row, class as usize),
                };
                runs.state(rows.iter().map(value).collect(), meter)?
            }
        });
    }
    Ok((starts, runs.next.into_iter().zip(runs.last).collect()))
}

/// The classes of the tapes before a lap.
fn classes(ends: &Ends, meter: &mut Meter) -> Result<Classes, LimitReached> {
    if ends.texts.len() >= usize::from(u16::NOTHING) {
        return Err(LimitReached::Reach);
    }
    let (classes, columns) = coarsest(&ends.next, &ends.labels);
    let mut row = vec![u16::NOTHING; columns.len()];
    for (end, class) in classes.iter().enumerate() {
        row[*class as usize] = ends.labels[end] as u16;
    }
    let mut runs: Runs<u16> = Runs::over(&columns);
    runs.state(row, meter)?;
    let text = |label: &u16| match *label {
        u16::NOTHING => [UNKNOWN; MAX_STEP],
        label => ends.texts[usize::from(label)],
    };
    Ok(Classes { labels: runs.last.iter().map(text).collect(), next: runs.next })
}

/// From where on the first lap says who wins, the outcomes below, and those from there on by residue: whether they are in P. `None` if it
/// does not say for all from [`MOST_FROM`] on.
#[allow(clippy::type_complexity)]
fn outcomes(
    rules: &Rules,
    laps: &[Lap],
    budget: &Budget,
) -> Result<Option<(usize, Vec<bool>, Vec<bool>)>, LimitReached> {
    let first = &laps[0];
    let mut state = match first.classes[0].0[1] {
        NONE => NONE,
        class => first.classes[class as usize].1,
    };
    let mut seen = vec![usize::MAX; first.words.len()];
    // Place 0 means nothing.
    let mut values = vec![UNKNOWN];
    while state != NONE && seen[state as usize] == usize::MAX {
        seen[state as usize] = values.len();
        let (next, value) = first.words[state as usize];
        values.push(value);
        state = next[0];
    }
    if state == NONE {
        return Ok(None);
    }
    let repeats = seen[state as usize];
    let known = |n: &usize| matches!(values[*n], WON | LOST);
    let last_open = (1..values.len()).rev().find(|n| !known(n)).unwrap_or(0);
    let from = (last_open + 1).max(rules.furthest() + 1);
    if last_open >= repeats || from > MOST_FROM {
        return Ok(None);
    }
    let period = values.len() - repeats;
    let at = |n: usize| values[if n < values.len() { n } else { repeats + (n - repeats) % period }] == LOST;
    let steps: Vec<i64> = rules.steps.iter().map(|step| *step as i64).collect();
    let mut solver = Solver::new(rules.play, Techniques::default());
    let mut meter = Meter::new(budget);
    let mut below = Vec::new();
    for n in 1..from.max(repeats) {
        below.push(if n < from {
            let game = Circulant::of_signed(&steps, n as u64).map_err(|_| LimitReached::Reach)?;
            solver.outcome(&game, &mut meter)?.is_p()
        } else {
            at(n)
        });
    }
    let whole = from.max(repeats);
    let first_whole = whole.next_multiple_of(period);
    let classes = (0..period).map(|residue| at(first_whole + residue)).collect();
    Ok(Some((from, below, classes)))
}

impl Theorem {
    /// The statement: which circles are in P.
    pub fn statement(&self) -> String {
        let misere = if self.play == Play::Misere { "in misere play " } else { "" };
        format!("{misere}P iff {}", self.p_positions)
    }

    /// States of all automata.
    pub fn states(&self) -> usize {
        self.laps.iter().map(|lap| lap.tapes.next.len() + lap.classes.len() + lap.words.len()).sum()
    }

    /// The certificate, kind `laps`.
    pub fn certificate(&self) -> Certificate {
        let mut body = format!("laps {} from {}\n", self.laps.len(), self.from);
        let furthest = self.steps.last().copied().unwrap_or(1);
        let to = |state: u32| state.wrapping_add(1);
        for (number, lap) in self.laps.iter().enumerate() {
            let Lap { tapes, classes, words } = lap;
            let (t, c, w) = (tapes.next.len(), classes.len(), words.len());
            let _ = writeln!(body, "lap {} tapes {t} classes {c} words {w}", number + 1);
            for (next, ends) in tapes.next.iter().zip(&tapes.ends) {
                let _ = writeln!(body, "{} {}{}", to(next[0]), to(next[1]), if *ends { " ." } else { "" });
            }
            for (next, start, label) in classes {
                let letter = |value: &u8| match *value {
                    MARKED => '.',
                    WON => 'W',
                    LOST => 'L',
                    _ => '?',
                };
                let label = &label[..furthest];
                let text = match label.iter().all(|value| *value == UNKNOWN) {
                    true => "-".to_owned(),
                    false => label.iter().map(letter).collect(),
                };
                let _ = writeln!(body, "{} {} {} {text}", to(next[0]), to(next[1]), to(*start));
            }
            for (next, value) in words {
                let value = match *value {
                    WON => 'W',
                    LOST => 'L',
                    _ => '?',
                };
                let _ = writeln!(body, "{} {} {value}", to(next[0]), to(next[1]));
            }
        }
        let steps: Vec<String> = self.steps.iter().map(usize::to_string).collect();
        Certificate {
            kind: "laps".into(),
            game: format!("Gamma({};n)", steps.join(",")),
            claim: self.statement(),
            body,
        }
    }
}

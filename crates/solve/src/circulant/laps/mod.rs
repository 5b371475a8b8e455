//! Kotzig's Nim on circles of every size, lap by lap: a decision, not a search.
//!
//! With steps forwards a game is a few laps, as each marks at least every Mth cell, M the furthest step. Let a *tape* be the word of the
//! circle's cells, marked or free. Given who wins on every tape when a lap begins, as an automaton that reads tapes, the
//! lap before can be solved for all tapes at once: from the tape's end back, cell by cell, who wins with the token there is
//! a function of the class of what was left behind ([`ends`]), and there are finitely many such functions. Read forwards again ([`runs`])
//! that is the automaton of the tapes before that lap. Only tapes that play can leave are looked at ([`tapes`]); those are few
//! when many laps are over, and simple when few are; where they are too many all the same, only those that play by a habit leaves in the first lap ([`courses`]). So from the last lap back to the first, whose tape is blank: there the
//! automaton reads 0s only, and says who wins for every n.
//!
//! That outcomes are eventually periodic is K. Liang, *A finite automaton approach to combinatorial games*, arXiv 2608.13273; the states of this
//! construction might be a tower of as many exponents as there are laps. What makes them few: laps apart, with the token's own place as the cut, and
//! tapes that come up. Measured in docs/design/kotzig.md. The automata, with the runs on the cells ahead of the token, are a certificate
//! that the checker verifies locally, without knowing how they were made.

mod courses;
mod ends;
mod partition;
mod rows;
mod runs;
mod tapes;

use super::invariant::PSet;
use super::{Circulant, Solver, Techniques};
use bouton_rules::{Budget, Certificate, LimitReached, Meter, Play};
use courses::Courses;
use ends::Ends;
use partition::coarsest;
use runs::{Runs, Value};
use std::fmt::Write;
use std::rc::Rc;
use tapes::{NONE, Tapes};

/// The furthest step for which circles are decided.
pub const MAX_STEP: usize = 12;
/// Steps at most.
pub const MAX_STEPS: usize = 4;
/// Circles below this number of cells may be left to search.
const MOST_FROM: usize = 65;
/// More laps than the furthest step has cells, at most: small circles may take some.
const MORE_LAPS: usize = 2;

/// Ends of tapes at most where a keeper never departs; with each time that he may, four times as many. With any courses, as with one.
const FEW_ENDS: usize = 1 << 15;
/// How often he may.
const MOST_DEPARTURES: u8 = 3;

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

    /// What courses of a lap, the first or a later one, leave of the tapes before it.
    fn after(
        &self,
        tapes: &[Tapes],
        lap: usize,
        courses: Courses,
        meter: &mut Meter,
    ) -> Result<Tapes, LimitReached> {
        let entries = if lap == 1 { 1 } else { self.furthest() };
        tapes[lap - 1].after_lap(&self.steps, entries, courses, meter)
    }

    /// After the last lap nothing is known.
    fn nothing(&self) -> Classes {
        let mut label = [UNKNOWN; MAX_STEP];
        label[..self.furthest()].fill(OPEN);
        Classes { next: vec![[0, 0]], labels: vec![label] }
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
    for laps in rules.furthest().max(2)..=rules.furthest() + MORE_LAPS {
        let found = Seeking::new(&rules, laps, budget, tell)?.theorem()?;
        if found.is_some() {
            return found.ok_or(LimitReached::Reach);
        }
    }
    Err(LimitReached::Reach)
}

/// A lap solved, from its end back, and the classes of the tapes before it.
struct Solved {
    ends: Ends,
    before: Classes,
}

/// All laps solved, the last one first.
type Solution = Vec<Rc<Solved>>;

/// The search for a proof with so many laps.
struct Seeking<'s> {
    rules: &'s Rules,
    budget: &'s Budget,
    meter: Meter,
    tell: &'s dyn Fn(&str),
    /// The tapes before each lap that any courses leave.
    any: Vec<Tapes>,
    /// Laps on these, the last one first: all that courses of the first lap leave as they are.
    later: Solution,
}

impl<'s> Seeking<'s> {
    fn new(
        rules: &'s Rules,
        laps: usize,
        budget: &'s Budget,
        tell: &'s dyn Fn(&str),
    ) -> Result<Seeking<'s>, LimitReached> {
        let mut meter = Meter::new(budget);
        let mut any = vec![Tapes::blank()];
        for lap in 1..laps {
            any.push(rules.after(&any, lap, Courses::Any, &mut meter)?);
        }
        Ok(Seeking { rules, budget, meter, tell, any, later: vec![] })
    }

    /// With any courses first. Where those are too many, with a keeper in the first lap: all sums that steps make, with few departures, then
    /// the sum by which the most circles were decided with more of them. `None` if these laps are too few.
    fn theorem(&mut self) -> Result<Option<Theorem>, LimitReached> {
        match self.decided(Courses::Any, FEW_ENDS << 2) {
            Err(LimitReached::Reach) => {}
            Ok((solution, said)) => return self.whole(&solution, &said),
            Err(limit) => return Err(limit),
        }
        let mut sums: Vec<usize> = Vec::new();
        for (place, step) in self.rules.steps.iter().enumerate() {
            sums.extend(self.rules.steps[place + 1..].iter().map(|other| step + other));
        }
        sums.sort_unstable();
        sums.dedup();
        for departures in 0..=MOST_DEPARTURES {
            let mut open = Vec::new();
            for &sum in &sums {
                let ends = FEW_ENDS << (2 * departures);
                let (solution, said) = match self.decided(Courses::Kept { sum, departures }, ends) {
                    Err(LimitReached::Reach) => continue,
                    found => found?,
                };
                if let Some(theorem) = self.whole(&solution, &said)? {
                    return Ok(Some(theorem));
                }
                open.push((said.open(), sum));
            }
            open.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            sums = open
                .into_iter()
                .filter(|(open, _)| *open < 1.0 || departures == 0)
                .map(|(_, sum)| sum)
                .collect();
            if departures > 0 {
                sums.truncate(1);
            }
        }
        Err(LimitReached::Reach)
    }

    /// The laps with these courses of the first one, and what they say; no more than so many ends of tapes.
    fn decided(&mut self, courses: Courses, most: usize) -> Result<(Solution, Said), LimitReached> {
        let laps = self.any.len();
        let kept = match courses {
            Courses::Any => self.any[1].clone(),
            courses => self.rules.after(&self.any, 1, courses, &mut self.meter)?,
        };
        if let Courses::Kept { sum, departures } = courses {
            (self.tell)(&format!("lap 1 of {laps}: a player makes {sum}, but for {departures} times"));
        }
        let mut solution: Solution = Vec::new();
        for lap in (0..laps).rev() {
            if lap > 1
                && let Some(known) = self.later.get(laps - 1 - lap)
            {
                solution.push(known.clone());
                continue;
            }
            let tapes = if lap == 1 { &kept } else { &self.any[lap] };
            let nothing = self.rules.nothing();
            let after = solution.last().map_or(&nothing, |lap| &lap.before);
            let ends = Ends::of(
                self.rules,
                tapes,
                after,
                lap == 0 && courses != Courses::Any,
                most,
                &mut self.meter,
            )?;
            (self.tell)(&format!("lap {} of {laps}: {} ends of tapes", lap + 1, ends.next.len()));
            let before = match lap {
                0 => Classes { next: vec![], labels: vec![] },
                _ => classes(&ends, &mut self.meter)?,
            };
            let made = Rc::new(Solved { ends, before });
            if lap > 1 {
                self.later.push(made.clone());
            }
            solution.push(made);
        }
        let after = &solution[laps - 2].before;
        let (starts, words) = words(&solution[laps - 1].ends, after, &mut self.meter)?;
        let said = Said::of(after, &starts, &words);
        Ok((solution, said))
    }

    /// The theorem, with all automata, if this is said of all circles but small ones.
    fn whole(&mut self, solution: &[Rc<Solved>], said: &Said) -> Result<Option<Theorem>, LimitReached> {
        let Some((from, below, classes)) = outcomes(self.rules, said, self.budget)? else { return Ok(None) };
        let mut laps = Vec::new();
        let nothing = self.rules.nothing();
        for (lap, solved) in solution.iter().rev().enumerate() {
            let after = solution.iter().rev().nth(lap + 1).map_or(&nothing, |next| &next.before);
            let (starts, words) = words(&solved.ends, after, &mut self.meter)?;
            (self.tell)(&format!(
                "lap {} of {}: {} words ahead of the token",
                lap + 1,
                solution.len(),
                words.len()
            ));
            let classes =
                (0..after.next.len()).map(|class| (after.next[class], starts[class], after.labels[class]));
            laps.push(Lap { tapes: self.any[lap].clone(), classes: classes.collect(), words });
        }
        let (steps, play) = (self.rules.steps.clone(), self.rules.play);
        Ok(Some(Theorem { steps, play, p_positions: PSet::new(&below, classes), from, laps }))
    }
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

/// What the first lap says of the blank circle of n cells, for every n.
struct Said {
    /// By n; place 0 means nothing.
    values: Vec<u8>,
    /// Where they repeat from.
    repeats: usize,
}

impl Said {
    fn of(after: &Classes, starts: &[u32], words: &[([u32; 2], u8)]) -> Said {
        let mut state = match after.next[0][1] {
            NONE => NONE,
            class => starts[class as usize],
        };
        let mut seen = vec![usize::MAX; words.len()];
        let mut values = vec![UNKNOWN];
        while state != NONE && seen[state as usize] == usize::MAX {
            seen[state as usize] = values.len();
            let (next, value) = words[state as usize];
            values.push(value);
            state = next[0];
        }
        if state == NONE {
            values.push(UNKNOWN);
            return Said { repeats: values.len() - 1, values };
        }
        Said { repeats: seen[state as usize], values }
    }

    fn knows(&self, n: usize) -> bool {
        matches!(self.values[n], WON | LOST)
    }

    fn is_lost(&self, n: usize) -> bool {
        let period = self.values.len() - self.repeats;
        let n = if n < self.values.len() { n } else { self.repeats + (n - self.repeats) % period };
        self.values[n] == LOST
    }

    /// Of how many of those that repeat nothing is said.
    fn open(&self) -> f64 {
        let open = (self.repeats..self.values.len()).filter(|n| !self.knows(*n)).count();
        open as f64 / (self.values.len() - self.repeats) as f64
    }
}

/// From where on the first lap says who wins, the outcomes below, and those from there on by residue: whether they are in P. `None` if it
/// does not say for all from [`MOST_FROM`] on.
#[allow(clippy::type_complexity)]
fn outcomes(
    rules: &Rules,
    said: &Said,
    budget: &Budget,
) -> Result<Option<(usize, Vec<bool>, Vec<bool>)>, LimitReached> {
    let last_open = (1..said.values.len()).rev().find(|n| !said.knows(*n)).unwrap_or(0);
    let from = (last_open + 1).max(rules.furthest() + 1);
    if last_open >= said.repeats || from > MOST_FROM {
        return Ok(None);
    }
    let steps: Vec<i64> = rules.steps.iter().map(|step| *step as i64).collect();
    let mut solver = Solver::new(rules.play, Techniques::default());
    let mut meter = Meter::new(budget);
    let whole = from.max(said.repeats);
    let mut below = Vec::new();
    for n in 1..whole {
        below.push(if n < from {
            let game = Circulant::of_signed(&steps, n as u64).map_err(|_| LimitReached::Reach)?;
            solver.outcome(&game, &mut meter)?.is_p()
        } else {
            said.is_lost(n)
        });
    }
    let period = said.values.len() - said.repeats;
    let first_whole = whole.next_multiple_of(period);
    let classes = (0..period).map(|residue| said.is_lost(first_whole + residue)).collect();
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

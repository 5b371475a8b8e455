//! Kotzig's Nim on circles of every size, lap by lap: a decision, not a search.
//!
//! With steps forwards a game is a few laps, as each marks at least every Mth cell, M the furthest step. Let a *tape* be the word of the
//! circle's cells, marked or free. Given who wins on every tape when a lap begins, as an automaton that reads tapes, the
//! lap before can be solved for all tapes at once: from the tape's end back, cell by cell, who wins with the token there is
//! a function of the class of what was left behind ([`ends`]), and there are finitely many such functions. Read forwards again ([`runs`])
//! that is the automaton of the tapes before that lap. Only tapes that play can leave are looked at ([`tapes`]); those are few
//! when many laps are over, and simple when few are; where they are too many all the same, only those that play by a habit
//! leaves in the first lap ([`courses`]). So from the last lap back to the first, whose tape is blank: there the
//! automaton reads 0s only, and says who wins for every n.
//!
//! That outcomes are eventually periodic is K. Liang, *A finite automaton approach to combinatorial games*, arXiv 2608.13273; the states of this
//! construction might be a tower of as many exponents as there are laps. What makes them few: laps apart, with the token's own place as the cut, and
//! tapes that come up. Measured in docs/design/kotzig.md. The automata, with the runs on the cells ahead of the token, are a certificate
//! that the checker verifies locally, without knowing how they were made.

pub(crate) mod automata;
mod courses;
mod ends;
mod partition;
mod rows;
mod runs;
mod said;
mod seeking;
mod tapes;
mod theorem;

use bouton_core::{Budget, LimitReached, Meter, Play};
use courses::Courses;
use runs::Value;
use seeking::Seeking;
use tapes::Tapes;
pub use theorem::Theorem;

/// The furthest step for which circles are decided.
pub const MAX_STEP: usize = 12;
/// Steps at most.
pub const MAX_STEPS: usize = 4;
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

/// Whether a set of steps is one that laps can decide.
pub fn fits(steps: &[i64]) -> bool {
    let within = |step: &i64| (1..=MAX_STEP as i64).contains(step);
    (1..=MAX_STEPS).contains(&steps.len()) && steps.iter().all(within) && steps.is_sorted_by(|a, b| a < b)
}

/// Decides who wins on the circle of n cells for every n, with these steps, ascending and [fitting](fits); `tell` hears what is being
/// done. What it costs grows fast with the furthest step: (1,4) 0.1 s, (2,5) and (1,2,4) a minute.
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
        if let Some(found) = Seeking::new(&rules, laps, budget, tell)?.theorem()? {
            return Ok(found);
        }
    }
    Err(LimitReached::Reach)
}

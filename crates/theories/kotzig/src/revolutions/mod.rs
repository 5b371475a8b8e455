//! Kotzig's Nim on circles of every size, one revolution of the token after the other: a decision,
//! not a search.
//!
//! With steps forwards a game is a few revolutions, since each marks at least every Mth cell, M the
//! furthest step. Let the *circle word* be the word of the circle's cells, marked or free. Given
//! who wins on every circle word when a revolution begins, as an automaton that reads circle words,
//! the revolution before can be solved for all circle words at once: by [`backward_induction`] from
//! the last cell back, who wins with the token on a cell is a function of the class of what was
//! left behind, and there are finitely many such functions. Read forwards again ([`reversal`]) this
//! is the automaton of the circle words before that revolution. Only circle words that play can
//! leave are looked at ([`circle_words`]). They are few when many revolutions are over, and simple
//! when few are. Where they are too many all the same, one player follows a fixed strategy in the
//! first revolution ([`strategy_restriction`]). So from the last revolution back to the first,
//! whose circle word is blank: there the automaton reads 0s only, and says who wins for every n.
//!
//! That outcomes are eventually periodic is K. Liang, *A finite automaton approach to combinatorial
//! games*, arXiv 2608.13273. The states of this construction might be a tower of as many exponents
//! as there are revolutions. They are few because revolutions are solved apart, words are cut at
//! the token, and only words that come up are read. Measured in docs/design/kotzig.md. The automata
//! are a certificate of kind `laps`, which the checker verifies locally, without knowing how they
//! were made. In certificates and JSON a revolution is called a lap.

pub(crate) mod automata;
mod backward_induction;
mod circle_words;
mod outcomes;
mod partition;
mod proof_search;
mod reversal;
mod row_interner;
mod strategy_restriction;
mod theorem;

use bouton_core::{Budget, LimitReached, Meter, Play};
use circle_words::CircleWords;
use proof_search::ProofSearch;
use reversal::Value;
use strategy_restriction::StrategyRestriction;
pub use theorem::RevolutionTheorem;

/// The furthest step for which circles are decided.
pub const MAX_STEP: usize = 12;
/// Steps at most.
pub const MAX_STEPS: usize = 4;
/// More revolutions than the furthest step has cells, at most: small circles may take some.
const MORE_REVOLUTIONS: usize = 2;

/// A cell that is marked.
const MARKED: u8 = 0;
/// The mover wins.
const WON: u8 = 1;
/// The mover loses.
const LOST: u8 = 2;
/// It takes more revolutions.
const OPEN: u8 = 3;
/// There is no such circle word.
const UNKNOWN: u8 = u8::NOTHING;

/// What the beginning of a revolution brings, by the cell that the token comes to.
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

    /// Returns the value of a position before its options are looked at:
    /// [`with_open`](Self::with_open) turns it into that of a position without a move.
    fn without_options(&self) -> u8 {
        MARKED
    }

    /// Returns the value of a position so far, with one more option.
    fn with_option(&self, value: u8, option: u8) -> u8 {
        match option {
            LOST => WON,
            _ if value == WON => WON,
            _ => LOST,
        }
    }

    /// Returns what a revolution leaves of the circle words before it, the first one under a
    /// restriction.
    fn after(
        &self,
        tapes: &[CircleWords],
        lap: usize,
        restriction: StrategyRestriction,
        meter: &mut Meter,
    ) -> Result<CircleWords, LimitReached> {
        let entries = if lap == 1 { 1 } else { self.furthest() };
        tapes[lap - 1].after_lap(&self.steps, entries, restriction, meter)
    }

    /// Returns classes of which nothing is known: those after the last revolution.
    fn nothing(&self) -> Classes {
        let mut label = [UNKNOWN; MAX_STEP];
        label[..self.furthest()].fill(OPEN);
        Classes { next: vec![[0, 0]], labels: vec![label] }
    }

    /// Returns the value, given whether there are open options; `MARKED` stands for no option that
    /// is known.
    fn with_open(&self, value: u8, open: bool) -> u8 {
        match (value, open) {
            (WON | UNKNOWN, _) => value,
            (_, true) => OPEN,
            (MARKED, false) if self.play == Play::Misere => WON,
            _ => LOST,
        }
    }
}

/// Classes of what lies behind the token, or of whole circle words: an automaton that reads them,
/// and what it says of the revolution to come.
struct Classes {
    next: Vec<[u32; 2]>,
    labels: Vec<Label>,
}

/// Returns whether steps are 1 to [`MAX_STEPS`], ascending, from 1 to [`MAX_STEP`]: those that
/// [`decide`] takes.
pub fn fits(steps: &[i64]) -> bool {
    let within = |step: &i64| (1..=MAX_STEP as i64).contains(step);
    (1..=MAX_STEPS).contains(&steps.len())
        && steps.iter().all(within)
        && steps.is_sorted_by(|a, b| a < b)
}

/// Decides who wins on the circle of n cells for every n, with these steps, ascending and
/// [fitting](fits); `tell` is called with each step of the work. What it costs grows fast with the
/// furthest step: (1,4) 0.1 s, (2,5) and (1,2,4) some 20 s.
///
/// # Errors
/// The budget, or [`LimitReached::NumbersTooLarge`] if the steps do not [fit](fits) or the automata
/// grow past fixed bounds.
pub fn decide(
    steps: &[i64],
    play: Play,
    budget: &Budget,
    tell: &dyn Fn(&str),
) -> Result<RevolutionTheorem, LimitReached> {
    if !fits(steps) {
        return Err(LimitReached::NumbersTooLarge);
    }
    let rules = Rules { steps: steps.iter().map(|step| *step as usize).collect(), play };
    for laps in rules.furthest().max(2)..=rules.furthest() + MORE_REVOLUTIONS {
        if let Some(found) = ProofSearch::new(&rules, laps, budget, tell)?.theorem()? {
            return Ok(found);
        }
    }
    Err(LimitReached::NumbersTooLarge)
}

//! What a first revolution says of the blank circle of n cells, for every n.

use super::circle_words::NONE;
use super::{Classes, LOST, Rules, UNKNOWN, WON};
use crate::{Circulant, Solver, Techniques};
use bouton_core::{Budget, LimitReached, Meter};

/// Circles below this number of cells may be left to search.
const MAX_FROM: usize = 65;

/// What the first revolution says of the blank circle of n cells, for every n.
pub(super) struct FirstRevolution {
    /// By n; place 0 means nothing.
    values: Vec<u8>,
    /// Where they repeat from.
    repeats: usize,
}

impl FirstRevolution {
    pub(super) fn new(
        after: &Classes,
        starts: &[u32],
        words: &[([u32; 2], u8)],
    ) -> FirstRevolution {
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
            return FirstRevolution { repeats: values.len() - 1, values };
        }
        FirstRevolution { repeats: seen[state as usize], values }
    }

    fn knows(&self, n: usize) -> bool {
        matches!(self.values[n], WON | LOST)
    }

    fn is_lost(&self, n: usize) -> bool {
        let period = self.values.len() - self.repeats;
        let n = if n < self.values.len() { n } else { self.repeats + (n - self.repeats) % period };
        self.values[n] == LOST
    }

    /// Returns how many of those that repeat nothing is said of.
    pub(super) fn open(&self) -> f64 {
        let open = (self.repeats..self.values.len()).filter(|n| !self.knows(*n)).count();
        open as f64 / (self.values.len() - self.repeats) as f64
    }

    /// Returns the outcomes, the small circles searched; `None` if not all from [`MAX_FROM`] on
    /// are said.
    pub(super) fn outcomes(
        &self,
        rules: &Rules,
        budget: &Budget,
    ) -> Result<Option<Outcomes>, LimitReached> {
        let last_open = (1..self.values.len()).rev().find(|n| !self.knows(*n)).unwrap_or(0);
        let from = (last_open + 1).max(rules.furthest() + 1);
        if last_open >= self.repeats || from > MAX_FROM {
            return Ok(None);
        }
        let steps: Vec<i64> = rules.steps.iter().map(|step| *step as i64).collect();
        let mut solver = Solver::new(rules.play, Techniques::default());
        let mut meter = Meter::new(budget);
        let whole = from.max(self.repeats);
        let mut below = Vec::new();
        for n in 1..whole {
            below.push(if n < from {
                let game = Circulant::from_signed(&steps, n as u64)
                    .map_err(|_| LimitReached::NumbersTooLarge)?;
                solver.outcome(&game, &mut meter)?.is_p()
            } else {
                self.is_lost(n)
            });
        }
        let period = self.values.len() - self.repeats;
        let first_whole = whole.next_multiple_of(period);
        let classes = (0..period).map(|residue| self.is_lost(first_whole + residue)).collect();
        Ok(Some(Outcomes { from, below, classes }))
    }
}

/// Who wins on every circle.
pub(super) struct Outcomes {
    /// From this many cells on by revolutions.
    pub from: usize,
    /// Whether circles are in P: those before the ones that repeat, by n - 1.
    pub below: Vec<bool>,
    /// From there on by residue.
    pub classes: Vec<bool>,
}

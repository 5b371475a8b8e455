//! Nim-values of any position of any impartial ruleset, by memo search on summands.
//!
//! Idea: the value of a position is the nim-sum of its summands' values (Sprague, Grundy), and the
//! value of a summand is the mex of its options' values. Only canonical summands are kept.

use bouton_core::{Impartial, LimitReached, Meter, Mex, Nimber, Ruleset};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow::{Break, Continue};

/// Number of options visited between two polls of the budget.
const POLL_INTERVAL: usize = 1 << 12;

/// Length of the list of open summands from which on it is searched for a cycle, whenever it has
/// doubled.
const DEEP: usize = 1 << 12;

/// Number of moves from which on a line of play of a program counts as endless.
pub(crate) const ENDLESS: usize = 1 << 20;

/// Known nim-values, kept between requests.
#[derive(Debug)]
pub struct NimValues<P> {
    known: FxHashMap<P, Nimber>,
    /// Summands to be evaluated; `true` after a summand's options have been pushed above it.
    open: Vec<(P, bool)>,
    mex: Mex,
    visits: usize,
}

impl<P: Clone + Eq + std::hash::Hash> Default for NimValues<P> {
    fn default() -> Self {
        NimValues { known: FxHashMap::default(), open: Vec::new(), mex: Mex::default(), visits: 0 }
    }
}

impl<P: Clone + Eq + std::hash::Hash> NimValues<P> {
    /// Returns the number of summands with known values.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the approximate number of bytes in use, each position with this many beside its own.
    fn bytes(&self, beside: usize) -> u64 {
        (self.known.capacity() * (size_of::<(P, Nimber)>() + 1)
            + self.open.capacity() * size_of::<(P, bool)>()
            + (self.known.len() + self.open.len()) * beside) as u64
    }

    /// Looks for a cycle in the line of summands whose options are open.
    fn acyclic<R: Impartial<Position = P>>(&self, rules: &R) -> Result<(), LimitReached> {
        let line: Vec<&P> =
            self.open.iter().filter(|(_, expanded)| *expanded).map(|(p, _)| p).collect();
        line_of_play(rules, &line)
    }

    /// Returns the nim-value of `p`.
    ///
    /// Charges at most one node for each summand reachable from `p`; the options of each are
    /// visited at most twice.
    ///
    /// # Errors
    ///
    /// If the budget ends. Known values are kept.
    pub fn nim_value<R: Impartial<Position = P>>(
        &mut self,
        rules: &R,
        p: &P,
        meter: &mut Meter,
    ) -> Result<Nimber, LimitReached> {
        self.open.clear();
        let first = sum(rules, &self.known, p, &mut self.open);
        if let Some(stopped) = rules.stopped() {
            return Err(stopped);
        }
        if let Some(value) = first {
            return Ok(value);
        }
        let mut deep = DEEP;
        while let Some((top, expanded)) = self.open.last().cloned() {
            if self.known.contains_key(&top) {
                self.open.pop();
                continue;
            }
            if !expanded {
                meter.spend_one()?;
                if rules.is_program() {
                    meter.poll(self.bytes(rules.bytes_of(&top)))?;
                } else if meter.nodes().is_multiple_of(1024) {
                    meter.check_bytes(self.bytes(0))?;
                }
                if self.open.len() >= deep {
                    self.acyclic(rules)?;
                    deep = 2 * self.open.len();
                }
            }
            let before = self.open.len();
            self.mex.clear();
            let beside = rules.bytes_of(&top);
            let held = self.bytes(beside);
            let (known, open, mex) = (&self.known, &mut self.open, &mut self.mex);
            let visits = &mut self.visits;
            let end = rules.options(&top, |option| {
                if let Some(value) = sum(rules, known, &option, open) {
                    mex.insert(value);
                }
                *visits += 1;
                if visits.is_multiple_of(POLL_INTERVAL) {
                    let more = (open.len() - before) * (size_of::<(P, bool)>() + beside);
                    if let Err(spent) = meter.poll(held + more as u64) {
                        return Break(spent);
                    }
                }
                Continue(())
            });
            if let Break(spent) = end {
                return Err(spent);
            }
            if let Some(stopped) = rules.stopped() {
                return Err(stopped);
            }
            if self.open.len() == before {
                self.open.pop();
                self.known.insert(top, self.mex.value());
            } else {
                self.open[before - 1].1 = true;
            }
        }
        let value = sum(rules, &self.known, p, &mut self.open);
        match rules.stopped() {
            Some(stopped) => Err(stopped),
            None => Ok(value.expect("all summands are settled")),
        }
    }
}

/// Returns the nim-sum of the summands of `p`, or `None` after pushing those not known onto `open`.
fn sum<R: Impartial>(
    rules: &R,
    known: &FxHashMap<R::Position, Nimber>,
    p: &R::Position,
    open: &mut Vec<(R::Position, bool)>,
) -> Option<Nimber> {
    let mut value = Some(Nimber(0));
    rules.summands(p, |summand| {
        let summand = rules.canonical(summand);
        match known.get(&summand) {
            Some(found) => value = value.map(|v| v ^ *found),
            None => {
                value = None;
                open.push((summand, false));
            }
        }
    });
    value
}

/// Looks for a cycle in a line of play, each position an option of the one before or a summand of
/// an option.
///
/// # Errors
///
/// If a position comes twice, or if play may be endless and the line is too long to be believed.
pub(crate) fn line_of_play<R: Ruleset>(
    rules: &R,
    line: &[&R::Position],
) -> Result<(), LimitReached> {
    let mut last = FxHashMap::default();
    let mut shortest: Option<(usize, usize)> = None;
    for (i, p) in line.iter().enumerate() {
        if let Some(before) = last.insert(*p, i)
            && shortest.is_none_or(|(from, to)| i - before < to - from)
        {
            shortest = Some((before, i));
        }
    }
    let (from, to) = match shortest {
        Some(cycle) => cycle,
        None if line.len() >= ENDLESS && rules.may_be_endless() => (0, line.len() - 1),
        None => return Ok(()),
    };
    let line: Vec<R::Position> = line[from..=to].iter().map(|p| (*p).clone()).collect();
    Err(LimitReached::Rules(rules.endless(&line)))
}

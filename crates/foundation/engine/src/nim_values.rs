//! Nim-values of any position of any impartial ruleset, by memo search on summands.
//!
//! Idea: the value of a position is the nim-sum of its summands' values (Sprague, Grundy), and the
//! value of a summand is the mex of its options' values. Only canonical summands are kept.

use bouton_core::{Impartial, LimitReached, Meter, Mex, Nimber};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow::{Break, Continue};

/// Number of options visited between two polls of the budget.
const MANY: usize = 1 << 12;

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

    /// Returns the approximate number of bytes in use.
    fn bytes(&self) -> u64 {
        (self.known.capacity() * (size_of::<(P, Nimber)>() + 1)
            + self.open.capacity() * size_of::<(P, bool)>()) as u64
    }

    /// Returns the nim-value of `p`.
    ///
    /// Charges at most one node for each summand reachable from `p`; the options of each are
    /// visited at most twice.
    ///
    /// # Errors
    ///
    /// If the budget ends. Known values are kept.
    pub fn of<R: Impartial<Position = P>>(
        &mut self,
        rules: &R,
        p: &P,
        meter: &mut Meter,
    ) -> Result<Nimber, LimitReached> {
        self.open.clear();
        if let Some(value) = sum(rules, &self.known, p, &mut self.open) {
            return Ok(value);
        }
        while let Some((top, expanded)) = self.open.last().cloned() {
            if self.known.contains_key(&top) {
                self.open.pop();
                continue;
            }
            if !expanded {
                meter.node()?;
                if meter.nodes().is_multiple_of(1024) {
                    meter.holding(self.bytes())?;
                }
            }
            let before = self.open.len();
            self.mex.clear();
            let held = self.bytes();
            let (known, open, mex) = (&self.known, &mut self.open, &mut self.mex);
            let visits = &mut self.visits;
            let end = rules.options(&top, |option| {
                if let Some(value) = sum(rules, known, &option, open) {
                    mex.insert(value);
                }
                *visits += 1;
                if visits.is_multiple_of(MANY) {
                    let more = (open.len() - before) * size_of::<(P, bool)>();
                    if let Err(spent) = meter.within_node(held + more as u64) {
                        return Break(spent);
                    }
                }
                Continue(())
            });
            if let Break(spent) = end {
                return Err(spent);
            }
            if self.open.len() == before {
                self.open.pop();
                self.known.insert(top, self.mex.value());
            } else {
                self.open[before - 1].1 = true;
            }
        }
        Ok(sum(rules, &self.known, p, &mut self.open).expect("all summands are settled"))
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

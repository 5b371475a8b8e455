//! Outcomes of a box of positions of any ruleset, two bits a position.
//!
//! For games without a faster method ([`crate::game::BoxTables`]). Positions are decided in the
//! order of the queries. If moves lower heaps and the order is lexicographic, every option comes
//! first. An option that has not come yet is decided by memoised search, so the order affects speed
//! only.

use crate::outcomes::Outcomes;
use bouton_core::{Coordinates, LimitReached, Meter, Outcome, Play};
use std::ops::ControlFlow::{Break, Continue};

/// Outcomes of the positions of a box, found so far.
#[derive(Debug)]
pub struct BoxOutcomes<P> {
    play: Play,
    heaps: usize,
    side: u64,
    /// Decided positions, and P-positions among them, by their sizes in mixed radix.
    known: Vec<u64>,
    is_p: Vec<u64>,
    others: Outcomes<P>,
}

impl<P: Clone + Eq + std::hash::Hash> BoxOutcomes<P> {
    /// Creates a table for positions of `heaps` sizes of at most `max`, in at most `limit` bytes.
    ///
    /// If it does not fit, all positions are left to memoised search.
    pub fn new(play: Play, heaps: usize, max: u32, limit: u64) -> BoxOutcomes<P> {
        let side = u64::from(max) + 1;
        let cells = side.checked_pow(heaps as u32).filter(|cells| cells / 4 <= limit);
        let words = cells.map_or(0, |cells| cells as usize / 64 + 1);
        let others = Outcomes::new(play);
        BoxOutcomes { play, heaps, side, known: vec![0; words], is_p: vec![0; words], others }
    }

    /// Returns the word and the bit of a position, if it is in the table. Missing heaps count as
    /// leading empty ones.
    fn place(&self, sizes: &[u64]) -> Option<(usize, u64)> {
        let at = sizes
            .iter()
            .try_fold(0u64, |at, size| (*size < self.side).then(|| at * self.side + size))?;
        let word = at as usize / 64;
        (sizes.len() <= self.heaps && word < self.known.len()).then_some((word, 1 << (at % 64)))
    }

    /// Returns the outcome of a canonical position.
    pub fn outcome<R: Coordinates<Position = P>>(
        &mut self,
        rules: &R,
        p: &P,
        meter: &mut Meter,
    ) -> Result<Outcome, LimitReached> {
        let Some((word, bit)) = rules.sizes(p).and_then(|sizes| self.place(&sizes)) else {
            return self.others.outcome(rules, p, meter);
        };
        meter.spend_one()?;
        let mut terminal = true;
        let end =
            rules.options(p, |option| {
                terminal = false;
                match rules.sizes(&rules.canonical(option)).and_then(|sizes| self.place(&sizes)) {
                    Some((word, bit)) if self.known[word] & bit != 0 => {
                        if self.is_p[word] & bit != 0 { Break(true) } else { Continue(()) }
                    }
                    _ => Break(false),
                }
            });
        if let Some(stopped) = rules.stopped() {
            return Err(stopped);
        }
        let outcome = match end {
            Break(true) => Outcome::N,
            Break(false) => self.others.outcome(rules, p, meter)?,
            Continue(()) if terminal => self.play.terminal(),
            Continue(()) => Outcome::P,
        };
        self.known[word] |= bit;
        if outcome.is_p() {
            self.is_p[word] |= bit;
        }
        Ok(outcome)
    }
}

//! Outcomes of a box of positions of any ruleset, two bits a position.
//!
//! For games without a faster method ([`crate::game::BoxTables`]).
//! Positions are settled in the order in which they come; where heaps are lowered and the order is lexicographic
//! every option has come before. Where one hasn't, memo search settles the position, so the order matters to speed only.

use crate::outcomes::Outcomes;
use bouton_core::{Coordinates, LimitReached, Meter, Outcome, Play};
use std::ops::ControlFlow::{Break, Continue};

/// Outcomes found so far.
#[derive(Debug)]
pub struct Table<P> {
    play: Play,
    heaps: usize,
    side: u64,
    /// Which positions are settled, and which of them are P, by their sizes in mixed radix.
    known: Vec<u64>,
    is_p: Vec<u64>,
    others: Outcomes<P>,
}

impl<P: Clone + Eq + std::hash::Hash> Table<P> {
    /// A table of positions of `heaps` sizes of at most `max`, in at most `limit` bytes. Where that doesn't do, all is
    /// left to memo search.
    pub fn new(play: Play, heaps: usize, max: u32, limit: u64) -> Table<P> {
        let side = u64::from(max) + 1;
        let cells = side.checked_pow(heaps as u32).filter(|cells| cells / 4 <= limit);
        let words = cells.map_or(0, |cells| cells as usize / 64 + 1);
        let others = Outcomes::new(play);
        Table { play, heaps, side, known: vec![0; words], is_p: vec![0; words], others }
    }

    /// The place of a position, if it is in the table. Missing heaps stand in front, empty.
    fn place(&self, sizes: &[u64]) -> Option<(usize, u64)> {
        let at =
            sizes.iter().try_fold(0u64, |at, size| (*size < self.side).then(|| at * self.side + size))?;
        let word = at as usize / 64;
        (sizes.len() <= self.heaps && word < self.known.len()).then_some((word, 1 << (at % 64)))
    }

    /// The outcome of a canonical position.
    pub fn of<R: Coordinates<Position = P>>(
        &mut self,
        rules: &R,
        p: &P,
        meter: &mut Meter,
    ) -> Result<Outcome, LimitReached> {
        let Some((word, bit)) = rules.sizes(p).and_then(|sizes| self.place(&sizes)) else {
            return self.others.of(rules, p, meter);
        };
        meter.node()?;
        let mut terminal = true;
        let end = rules.options(p, |option| {
            terminal = false;
            match rules.sizes(&rules.canonical(option)).and_then(|sizes| self.place(&sizes)) {
                Some((word, bit)) if self.known[word] & bit != 0 => {
                    if self.is_p[word] & bit != 0 {
                        Break(true)
                    } else {
                        Continue(())
                    }
                }
                _ => Break(false),
            }
        });
        let outcome = match end {
            Break(true) => Outcome::N,
            Break(false) => self.others.of(rules, p, meter)?,
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

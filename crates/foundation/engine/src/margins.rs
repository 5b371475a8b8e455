//! Best margins of games won on points, by alpha-beta search with a table of bounds.
//!
//! Source: D. E. Knuth and R. W. Moore, *An analysis of alpha-beta pruning*, Artificial
//! Intelligence 6 (1975). The margin of a position is the mover's points less the other's from
//! there on, so it does not depend on the score.

use bouton_core::{Arrange, Consequence, LimitReached, Meter, Scored};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow::Continue;

/// Known bounds of margins, kept between requests.
#[derive(Debug)]
pub struct Margins<P> {
    bounds: FxHashMap<P, Bounds>,
}

/// Bounds of a margin: it lies in `low..=high`.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: i32,
    high: i32,
}

impl<P: Clone + Eq + std::hash::Hash> Default for Margins<P> {
    fn default() -> Self {
        Margins { bounds: FxHashMap::default() }
    }
}

impl<P: Clone + Eq + std::hash::Hash> Margins<P> {
    /// Returns the best margin that the mover can force from `p`. The recursion is as deep as the
    /// game is long.
    pub fn margin<R: Scored<Position = P>>(
        &mut self,
        rules: &R,
        p: &P,
        meter: &mut Meter,
    ) -> Result<i32, LimitReached> {
        let bound = rules.points_left(p) as i32;
        self.search(rules, p, Bounds { low: -bound, high: bound }, meter)
    }

    /// Returns the margin after a move, for the player who makes it.
    pub fn after<R: Scored<Position = P>>(
        &mut self,
        rules: &R,
        option: &P,
        consequence: Consequence,
        meter: &mut Meter,
    ) -> Result<i32, LimitReached> {
        let rest = self.margin(rules, option, meter)?;
        Ok(consequence.gain as i32 + if consequence.again { rest } else { -rest })
    }

    /// Returns the known lower and upper bound of the margin, without a search.
    pub fn known<R: Scored<Position = P>>(&self, rules: &R, p: &P) -> (i32, i32) {
        let bound = rules.points_left(p) as i32;
        self.bounds
            .get(&rules.canonical(p.clone()))
            .map_or((-bound, bound), |known| (known.low, known.high))
    }

    /// Returns the first move that keeps the margin, and its points; `None` if there are no moves.
    pub fn best_move<R: Scored<Position = P>>(
        &mut self,
        rules: &R,
        p: &P,
        meter: &mut Meter,
    ) -> Result<Option<(P, Consequence)>, LimitReached> {
        let margin = self.margin(rules, p, meter)?;
        let mut options = Vec::new();
        let _ = rules.scored_options(p, |option, consequence| {
            options.push((option, consequence));
            Continue::<()>(())
        });
        for (option, consequence) in options {
            if self.after(rules, &option, consequence, meter)? == margin {
                return Ok(Some((option, consequence)));
            }
        }
        Ok(None)
    }

    /// Searches with a window of margins. A result inside the window is exact; one at or beyond an
    /// edge is a bound on that side.
    fn search<R: Scored<Position = P>>(
        &mut self,
        rules: &R,
        p: &P,
        window: Bounds,
        meter: &mut Meter,
    ) -> Result<i32, LimitReached> {
        let p = rules.canonical(p.clone());
        let bound = rules.points_left(&p) as i32;
        let known = self.bounds.get(&p).copied().unwrap_or(Bounds { low: -bound, high: bound });
        if known.low >= window.high || known.low == known.high {
            return Ok(known.low);
        }
        if known.high <= window.low {
            return Ok(known.high);
        }
        let (mut low, high) = (window.low.max(known.low), window.high.min(known.high));
        meter.spend_one()?;
        if meter.nodes().is_multiple_of(1024) {
            meter.check_bytes((self.bounds.capacity() * (size_of::<(P, Bounds)>() + 1)) as u64)?;
        }
        let mut options = Vec::new();
        let _ = rules.scored_options(&p, |option, consequence| {
            options.push((consequence, option));
            Continue::<()>(())
        });
        let start = low;
        let mut best = if options.is_empty() { 0 } else { -bound };
        // Greatest gains first, because they narrow the window soonest.
        options.arrange_by_key(|(consequence, _)| std::cmp::Reverse(consequence.gain));
        for (consequence, option) in options {
            let gain = consequence.gain as i32;
            let value = if consequence.again {
                gain + self.search(
                    rules,
                    &option,
                    Bounds { low: low - gain, high: high - gain },
                    meter,
                )?
            } else {
                gain - self.search(
                    rules,
                    &option,
                    Bounds { low: gain - high, high: gain - low },
                    meter,
                )?
            };
            best = best.max(value);
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        let entry = self.bounds.entry(p).or_insert(known);
        if best > start {
            entry.low = entry.low.max(best);
        }
        if best < high {
            entry.high = entry.high.min(best);
        }
        Ok(best)
    }
}

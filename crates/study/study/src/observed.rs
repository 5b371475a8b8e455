//! Periods that are seen in values, of games for which no theory proves them.

use bouton_core::Budget;
use bouton_engine::{Game, Settings};
use std::time::Duration;

/// Values that are made first.
const FIRST: usize = 500;
/// No more values are begun after so long, where nobody says how long.
const PATIENCE: Duration = Duration::from_secs(10);

/// A period that fits the values of heaps 0, 1, …; not proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedPeriod {
    /// From this heap on.
    pub preperiod: usize,
    /// The period.
    pub period: usize,
    /// What each period adds.
    pub saltus: i64,
}

/// Values of single heaps, and the period that they show.
#[derive(Debug, Clone)]
pub struct ObservedSequence {
    /// The nim-values of heaps 0, 1, ….
    pub values: Vec<u32>,
    /// The period, if there is one.
    pub found: Option<ObservedPeriod>,
}

/// Returns the least period that the later half of the values shows at least three times, after
/// fewer values than that half.
pub fn observed_period(values: &[u32]) -> Option<ObservedPeriod> {
    let n = values.len();
    let at = |i: usize| i64::from(values[i]);
    (1..=n / 4).find_map(|period| {
        let saltus = at(n - 1) - at(n - 1 - period);
        let differs = |i: &usize| at(*i) - at(i - period) != saltus;
        let preperiod = (period..n).rev().find(differs).map_or(0, |last| last + 1 - period);
        let is_seen = preperiod <= n / 2 && n - preperiod >= 3 * period && n >= 8;
        is_seen.then_some(ObservedPeriod { preperiod, period, saltus })
    })
}

/// Makes values of single heaps until they show a period, at most up to heap `to`; `None` where the
/// game has none.
pub fn observed_sequence(game: &dyn Game, to: usize, budget: &Budget) -> Option<ObservedSequence> {
    let mut session = game.session(Settings { budget: budget.clone(), ..Settings::default() });
    let patience = if budget.deadline.is_some() { budget.clone() } else { budget.within(PATIENCE) };
    let mut len = FIRST.min(to);
    loop {
        let mut values = Vec::new();
        let end = session.values(u32::try_from(len).ok()?, &mut |_, value| values.push(value.0))?;
        let found = observed_period(&values);
        // A period is looked at once more with twice the values: short runs deceive.
        let is_sure = found.is_some_and(|found| len >= 8 * (found.preperiod + found.period));
        if end.is_err() || len >= to || is_sure || patience.interrupted().is_some() {
            return Some(ObservedSequence { values, found });
        }
        len = (2 * len).min(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_seen() {
        let period = |of: &dyn Fn(usize) -> u32, n: usize| {
            let values: Vec<u32> = (0..n).map(of).collect();
            observed_period(&values).map(|found| (found.preperiod, found.period, found.saltus))
        };
        assert_eq!(period(&|n| (n % 7) as u32, 100), Some((0, 7, 0)));
        assert_eq!(period(&|n| if n < 10 { 9 } else { (n % 3) as u32 }, 100), Some((10, 3, 0)));
        assert_eq!(period(&|n| (n / 4 * 2 + n % 2) as u32, 100), Some((0, 4, 2)));
        assert_eq!(period(&|n| n as u32, 100), Some((0, 1, 1)));
        // The exponent of 2 in n has no period.
        assert_eq!(period(&|n| (n as u32 + 1).trailing_zeros(), 200), None);
        // Too late, too seldom.
        assert_eq!(period(&|n| if n < 60 { (n * n % 11) as u32 } else { 0 }, 100), None);
        assert_eq!(period(&|n| (n % 40) as u32, 100), None);
    }
}

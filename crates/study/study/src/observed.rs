//! Periods, recurrences and losing sizes that are seen in values, of games for which no theory
//! proves them.

use bouton_conjecture::{Fit, OutcomeTable, conjecture, recurrence};
use bouton_core::clock::Instant;
use bouton_core::{Budget, LimitReached, Meter, RuleFault};
use bouton_engine::{Game, Settings};
use bouton_octal::NimSequenceStudy;
use std::time::Duration;

/// Values that are made first.
const FIRST: usize = 500;
/// No more values are begun after so long, where nobody says how long.
const VALUES_TIME: Duration = Duration::from_secs(10);

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
#[derive(Debug, Clone, Default)]
pub struct ObservedSequence {
    /// The nim-values of heaps 0, 1, ….
    pub values: Vec<u32>,
    /// The period, if there is one.
    pub found: Option<ObservedPeriod>,
    /// What is wrong with the rules, if they fail at the next heap.
    pub fault: Option<RuleFault>,
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
    let patience =
        if budget.deadline.is_some() { budget.clone() } else { budget.within(VALUES_TIME) };
    let mut len = FIRST.min(to);
    loop {
        let mut values = Vec::new();
        let end = session.values(u32::try_from(len).ok()?, &mut |_, value| values.push(value.0))?;
        let found = observed_period(&values);
        // A period is looked at once more with twice the values: short runs deceive.
        let is_sure = found.is_some_and(|found| len >= 8 * (found.preperiod + found.period));
        if end.is_err() || len >= to || is_sure || patience.interrupted().is_some() {
            let fault = match end {
                Err(LimitReached::Rules(fault)) => Some(fault),
                _ => None,
            };
            return Some(ObservedSequence { values, found, fault });
        }
        len = (2 * len).min(to);
    }
}

/// Heaps of a study in which no theory tells how many are enough.
const STUDIED: usize = 8192;

/// Returns what the values of single heaps show.
pub(crate) fn observed_study(
    game: &dyn Game,
    max: Option<u32>,
    budget: &Budget,
) -> NimSequenceStudy {
    let started = Instant::now();
    let to = max.map_or(STUDIED, |max| max as usize);
    // What the values show takes time, too.
    let share = budget.deadline.map_or_else(|| budget.clone(), |end| budget.within(end.left() / 2));
    let ObservedSequence { values, found, .. } =
        observed_sequence(game, to, &share).unwrap_or_default();
    let period = found.and_then(|found| {
        let saltus = u32::try_from(found.saltus).ok()?;
        Some((found.preperiod, found.period, saltus))
    });
    // What the budget ends is not shown.
    let mut shown = Vec::new();
    if period.is_none_or(|(_, _, saltus)| saltus > 0) {
        let mut meter = Meter::new(budget);
        // Places are counted from 1 in many games.
        let from_one = values.get(1..).unwrap_or_default();
        for (of, values) in [("a heap of n", &values[..]), ("a heap of n+1", from_one)] {
            if period.is_none()
                && shown.is_empty()
                && let Ok(Some(found)) = recurrence(0, &signed(values), &mut meter)
            {
                shown.push(format!("nim-value a(n) of {of}: {found}"));
            }
        }
        if let Ok(Some(losing)) = losing_sizes(&values, &mut meter) {
            shown.push(format!("one heap: P iff {losing}"));
        }
    }
    NimSequenceStudy::observed(game.name(), values, period, shown, started.elapsed().as_secs_f64())
}

fn signed(values: &[u32]) -> Vec<i64> {
    values.iter().map(|value| i64::from(*value)).collect()
}

/// Returns the sizes a of value 0: a form of one heap, or a recurrence of which they are the ones.
fn losing_sizes(values: &[u32], meter: &mut Meter) -> Result<Option<String>, LimitReached> {
    let is_p: Vec<bool> = values.iter().map(|value| *value == 0).collect();
    let form = OutcomeTable::of_one_heap(&is_p).map(|table| conjecture(&table, meter));
    if let Some(form) = form.filter(|form| form.fit() == Fit::Whole) {
        return Ok(Some(form.form.to_string()));
    }
    let ones: Vec<i64> = is_p.iter().map(|is_p| i64::from(*is_p)).collect();
    Ok(recurrence(0, &ones, meter)?.map(|found| format!("a(n) = 1, where {found}")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
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

    /// The exponent of 2 of n; P iff n is odd, or an odd power of 2: both by the rules alone.
    #[test]
    fn games_without_a_theory_are_studied_by_their_values() {
        let value = |values: &[u32], options: &mut dyn Iterator<Item = usize>| {
            let options: Vec<u32> = options.map(|n| values[n]).collect();
            (0..).find(|value| !options.contains(value)).unwrap()
        };
        for (name, least, nim_values, losing) in [
            (
                "divisor",
                1,
                Some(
                    "nim-value a(n) of a heap of n: a(2n) = a(n) + 1, a(2n+1) = 0; first a(0) = 0",
                ),
                "one heap: P iff a mod 2 = 1",
            ),
            ("deleting-divisors", 2, None, "one heap: P iff this automaton of "),
        ] {
            let mut values: Vec<u32> = Vec::new();
            for n in 0..=2048 {
                let mut divisors = (least..n).filter(|d| n % d == 0).map(|d| n - d);
                values.push(value(&values, &mut divisors));
            }
            let game = bouton_games::parse(name).unwrap().game;
            let found = observed_study(&*game, Some(2048), &Budget::default());
            assert_eq!(found.listed, values[..1000], "{name}");
            let (last, others) = found.shown.split_last().unwrap();
            assert_eq!(
                (found.period, others.first().map(String::as_str)),
                (None, nim_values),
                "{name}"
            );
            assert!(last.starts_with(losing), "{name}: {last}");
        }
    }

    /// Winning Ways, chapter 14: the values of Mock Turtles are the numbers with an odd number of
    /// binary ones, from place 1 on.
    #[test]
    fn places_are_counted_from_one() {
        let game = bouton_games::parse("mock-turtles").unwrap().game;
        let found = observed_study(&*game, Some(100), &Budget::default());
        let odious = (0..).filter(|n: &u32| n.count_ones() % 2 == 1).take(100);
        assert_eq!(found.listed[1..], odious.collect::<Vec<_>>());
        let expected = "nim-value a(n) of a heap of n+1: a(2n) = a(n) + 2n, a(2n+1) = -a(n) + 6n \
            + 3; first a(0) = 1";
        assert_eq!(found.shown[0], expected);
    }
}

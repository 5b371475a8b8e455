//! Win conditions by window: for most sets, one pair (p, q) shifts the whole table.
//!
//! Idea: for large c, v_c(n) = ±c + r(n). Suppose that from some N on, for one window of max A
//! values, the sign at n + p is that at n and r(n + p) = r(n) ∓ q. Then v_{c+q}(n + p) = v_c(n) on
//! that window for all c ≥ C, and therefore for all n ≥ N, since the recurrence for v does not
//! contain c. There remain the lines for n < N + p and a row in n for each c < C + q; a row is
//! periodic once max A consecutive values repeat. The proof is in docs/design/cash.md.

use super::paths::{Line, next_line};
use bouton_core::{LimitReached, Meter};
use num_bigint::BigInt;

/// v_c(n) for one c: `values`, of which the last `period` repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// v_c(0), v_c(1), …
    pub values: Vec<i64>,
    /// The number of values that repeat.
    pub period: usize,
}

/// v_c(n) for all n and all c ≥ 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// p: the stones by which the table is shifted.
    pub period: usize,
    /// q: v_{c+q}(n + p) = v_c(n) for n ≥ `from` and c ≥ `rich`. May be 0 or negative.
    pub gain: i64,
    /// N.
    pub from: usize,
    /// C.
    pub rich: i64,
    /// The lines for n < N + p, which hold for c ≥ C + q (c ≥ C if q < 0).
    pub lines: Vec<Line>,
    /// The rows for c = 2, 3, … up to the first c of the lines.
    pub rows: Vec<Row>,
}

/// The first c that the purses alone do not decide.
pub(super) const FIRST_UNDECIDED: i64 = 2;

impl Window {
    /// Searches for a shift; `None` if there is none within `most` stones. Charges one node per n
    /// of each row.
    pub fn find(
        set: &[u64],
        most: usize,
        meter: &mut Meter,
    ) -> Result<Option<Window>, LimitReached> {
        let Some(reach) = set.last().and_then(|a| usize::try_from(*a).ok()).filter(|a| *a < most)
        else {
            return Ok(None);
        };
        let mut lines: Vec<Line> = Vec::new();
        // From n to n + p this height decreases by q, for both signs.
        let height = |line: Line| if line.rises { line.shift } else { -line.shift };
        let shifted = |lines: &[Line], early: usize, late: usize, gain: i64| {
            lines[early].rises == lines[late].rises
                && height(lines[early]) - height(lines[late]) == gain
        };
        let mut cycle = PeriodFinder::default();
        let (period, gain) = loop {
            if lines.len() >= most {
                return Ok(None);
            }
            meter.spend_one()?;
            lines.push(next_line(set, &lines));
            let repeat = cycle.find_repeat(lines.len() - 1, reach, |early, late| {
                let gain = height(lines[early]) - height(lines[late]);
                (0..reach).all(|back| shifted(&lines, early - back, late - back, gain))
            });
            if let Some(early) = repeat {
                let late = lines.len() - 1;
                break (late - early, height(lines[early]) - height(lines[late]));
            }
        };
        let mut from = lines.len() - reach - period;
        while from > 0 && shifted(&lines, from - 1, from - 1 + period, gain) {
            from -= 1;
        }
        while lines.len() < from + period + reach {
            lines.push(next_line(set, &lines));
        }
        let later = gain.max(0);
        let window =
            (from..from + reach).flat_map(|n| [lines[n].from, lines[n + period].from - later]);
        let rich = lines[..from + period].iter().map(|line| line.from - later).chain(window).max();
        let rich = rich.unwrap_or(FIRST_UNDECIDED).max(FIRST_UNDECIDED);
        let mut rows = Vec::new();
        for c in FIRST_UNDECIDED..rich + later {
            match row(set, c, most, meter)? {
                Some(row) => rows.push(row),
                None => return Ok(None),
            }
        }
        lines.truncate(from + period);
        Ok(Some(Window { period, gain, from, rich, lines, rows }))
    }

    /// Returns v_c(n) for c ≥ 2.
    pub fn value(&self, n: &BigInt, c: &BigInt) -> BigInt {
        let (mut n, mut c) = (n.clone(), c.clone());
        let stones = (&n - self.from) / self.period;
        let times = if self.gain > 0 { stones.min((&c - self.rich) / self.gain) } else { stones };
        // Below C the table is not shifted.
        if times > BigInt::ZERO && c >= BigInt::from(self.rich) {
            n -= &times * self.period;
            c -= times * self.gain;
        }
        let row = usize::try_from(&c - FIRST_UNDECIDED).ok().and_then(|row| self.rows.get(row));
        if let Some(row) = row {
            let before = row.values.len() - row.period;
            let place = match usize::try_from(&n) {
                Ok(n) if n < row.values.len() => n,
                _ => before + usize::try_from((n - before) % row.period).unwrap_or(0),
            };
            return row.values[place].into();
        }
        let line = usize::try_from(n).ok().and_then(|n| self.lines.get(n));
        // Every n has been reduced below N + p, unless c is that of a row.
        line.map_or(BigInt::ZERO, |line| if line.rises { c + line.shift } else { line.shift - c })
    }
}

/// Computes v_c(n) for one c and all n; `None` if no period appears within `most` stones.
fn row(set: &[u64], c: i64, most: usize, meter: &mut Meter) -> Result<Option<Row>, LimitReached> {
    let reach = set.last().map_or(1, |a| *a as usize);
    let mut values: Vec<i64> = Vec::new();
    let mut cycle = PeriodFinder::default();
    loop {
        let n = values.len();
        if n >= most {
            return Ok(None);
        }
        meter.spend_one()?;
        let options = set.iter().take_while(|a| **a <= n as u64);
        let best = options.map(|a| -(*a as i64) - values[n - *a as usize]).max();
        values.push(best.unwrap_or(-(c + n as i64)));
        let same = |early: usize, late: usize| {
            (0..reach).all(|back| values[early - back] == values[late - back])
        };
        if let Some(early) = cycle.find_repeat(n, reach, same) {
            let period = n - early;
            let mut len = n + 1;
            while len > period && values[len - 1] == values[len - 1 - period] {
                len -= 1;
            }
            values.truncate(len.max(period));
            return Ok(Some(Row { values, period }));
        }
    }
}

/// Brent's search for the least period: each term is compared with one that advances at powers of
/// two.
#[derive(Default)]
struct PeriodFinder {
    kept: usize,
}

impl PeriodFinder {
    /// Returns the earlier of two equal windows of `reach` terms, by their last terms; `now` is the
    /// newest term.
    fn find_repeat(
        &mut self,
        now: usize,
        reach: usize,
        same: impl Fn(usize, usize) -> bool,
    ) -> Option<usize> {
        if self.kept + 1 >= reach && now > self.kept && same(self.kept, now) {
            return Some(self.kept);
        }
        if now >= (2 * self.kept).max(reach) {
            self.kept = now;
        }
        None
    }
}

//! What repeats in a table: from some line on every line is the one a period before, or that and a constant more.
//!
//! Seen in the table, not proved: a period counts where it is seen twice and at least sixteen cells say so.

/// A table that repeats in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeats {
    /// The first line, counted from 0, from which on lines repeat.
    pub preperiod: usize,
    /// After so many lines.
    pub period: usize,
    /// What is added with every period (the saltus).
    pub saltus: i64,
}

/// Cells that must agree.
const EVIDENCE: usize = 16;

impl Repeats {
    /// The shortest period of `lines` lines of `width` cells each, `cell(line, i)` the i-th of a line; `None` where there is none or a cell
    /// is unknown. O(lines² · width).
    pub fn of(lines: usize, width: usize, cell: impl Fn(usize, usize) -> Option<i64>) -> Option<Repeats> {
        // From the end backwards: the first line that differs ends the repetition.
        let found = |period: usize| {
            let saltus = cell(lines - 1, 0)? - cell(lines - 1 - period, 0)?;
            let same = |line: usize| {
                (0..width).all(|i| match (cell(line, i), cell(line + period, i)) {
                    (Some(a), Some(b)) => a + saltus == b,
                    _ => false,
                })
            };
            let preperiod = (0..lines - period).rev().find(|line| !same(*line)).map_or(0, |line| line + 1);
            let agree = (lines - period - preperiod.min(lines - period)) * width;
            let seen = preperiod + 2 * period <= lines && agree >= EVIDENCE;
            seen.then_some(Repeats { preperiod, period, saltus })
        };
        (1..=lines / 2).find_map(found)
    }

    /// In words, of lines called so that begin with number `first`.
    pub fn words(&self, lines: &str, first: u64) -> String {
        let from = first + self.preperiod as u64;
        let more = match self.saltus {
            0 => String::new(),
            s if s > 0 => format!(", {s} more each time"),
            s => format!(", {} less each time", -s),
        };
        match self.period {
            1 => format!("From {from} on all {lines} are equal{more}."),
            p => format!("From {from} on {lines} repeat every {p}{more}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_period_and_where_it_begins() {
        let values = [5, 7, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0];
        let found = Repeats::of(values.len(), 1, |line, _| Some(values[line]));
        assert_eq!(found, Some(Repeats { preperiod: 2, period: 3, saltus: 0 }));
        // Nim-values of one heap of Nim: each the one before and one more.
        let nim = Repeats::of(20, 2, |line, i| Some((line + i) as i64));
        assert_eq!(nim, Some(Repeats { preperiod: 0, period: 1, saltus: 1 }));
        // A period seen once is none, nor is one with too few cells, nor one with an unknown cell in it.
        assert_eq!(Repeats::of(21, 1, |line, _| Some((line % 12) as i64)), None);
        assert_eq!(Repeats::of(6, 1, |line, _| Some((line % 2) as i64)), None);
        assert_eq!(Repeats::of(20, 1, |line, _| (line != 19).then_some(0)), None);
        assert_eq!(Repeats::of(0, 1, |_, _| None), None);
    }
}

//! Repetition in a table: from some line on, every line equals the line one period before, up to a
//! constant.
//!
//! The repetition is observed in the table, not proved. A period counts if the table contains it
//! twice and at least sixteen cells confirm it.

/// A repetition of the lines of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repetition {
    /// The first line, counted from 0, that repeats.
    pub preperiod: usize,
    /// The number of lines of a period.
    pub period: usize,
    /// The constant added with every period (the saltus).
    pub saltus: i64,
}

/// The number of cells that must agree.
const EVIDENCE: usize = 16;

impl Repetition {
    /// Finds the shortest period of `lines` lines of `width` cells each; `cell(line, i)` is the
    /// i-th of a line. Returns `None` if there is none or if a cell is unknown. O(lines² · width).
    pub fn find(
        lines: usize,
        width: usize,
        cell: impl Fn(usize, usize) -> Option<i64>,
    ) -> Option<Repetition> {
        // From the end backwards, the first line that differs ends the repetition.
        let found = |period: usize| {
            let saltus = cell(lines - 1, 0)? - cell(lines - 1 - period, 0)?;
            let same = |line: usize| {
                (0..width).all(|i| match (cell(line, i), cell(line + period, i)) {
                    (Some(a), Some(b)) => a + saltus == b,
                    _ => false,
                })
            };
            let preperiod =
                (0..lines - period).rev().find(|line| !same(*line)).map_or(0, |line| line + 1);
            let agree = (lines - period - preperiod.min(lines - period)) * width;
            let is_confirmed = preperiod + 2 * period <= lines && agree >= EVIDENCE;
            is_confirmed.then_some(Repetition { preperiod, period, saltus })
        };
        (1..=lines / 2).find_map(found)
    }

    /// Describes the repetition of lines with the name `lines` that begin with number `first`.
    pub fn describe(&self, lines: &str, first: u64) -> String {
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
        let found = Repetition::find(values.len(), 1, |line, _| Some(values[line]));
        assert_eq!(found, Some(Repetition { preperiod: 2, period: 3, saltus: 0 }));
        // Nim-values of one heap of Nim: each value is one more than its predecessor.
        let nim = Repetition::find(20, 2, |line, i| Some((line + i) as i64));
        assert_eq!(nim, Some(Repetition { preperiod: 0, period: 1, saltus: 1 }));
        // No period: one that occurs once, one with too few cells, and one with an unknown cell.
        assert_eq!(Repetition::find(21, 1, |line, _| Some((line % 12) as i64)), None);
        assert_eq!(Repetition::find(6, 1, |line, _| Some((line % 2) as i64)), None);
        assert_eq!(Repetition::find(20, 1, |line, _| (line != 19).then_some(0)), None);
        assert_eq!(Repetition::find(0, 1, |_, _| None), None);
    }
}

//! Nim-values of Wythoff's game by rows, and the additive periods of rows, proved.
//!
//! With r(k, n) = G(k, n) − n every row k is a sequence of small numbers: n − 2k ≤ G(k, n) ≤ n +
//! 2k. A sliding set of bits for each row holds the values used in it near n, another one those on
//! the diagonal; both move by one bit a column, so a column of K rows costs O(K²/64) words.
//!
//! Proof of a period: let rows 0..k repeat together, r(i, n + p) = r(i, n) for n ≥ e. If r(k, ·) on
//! a window of 4·K ≥ 4k + 4 columns from e on is repeated p columns later, then the row's used
//! values near its end are repeated, relative to n, and what the other rows put on columns and
//! diagonals is repeated too: row k repeats from e on.
//!
//! Source: A. Dress, A. Flammenkamp, N. Pink, *Additive periodicity of the Sprague-Grundy function
//! of certain Nim games*, Adv. Appl. Math. 22 (1999); H. Landman, *A simple FSM-based proof of the
//! additive periodicity of the Sprague-Grundy function of Wythoff's game*, More Games of No Chance
//! (2002).

use bouton_core::{LimitReached, Meter, Moves, Node, Term, Windows};
use bouton_engine::Game;

/// Returns the moves: any number from one of two heaps, or the same number from both.
pub fn moves() -> Moves {
    let (before, after) = (Moves::size_before, Moves::size_after);
    let both = |one: Term, other: Term| Term::Sum(vec![one, other]);
    let diagonal = both(before(0), after(1)).equals(both(before(1), after(0)));
    Moves::with_condition(
        Windows::Any(2),
        Node::any([after(0).equals(before(0)), after(1).equals(before(1)), diagonal]),
    )
}

/// Returns whether a game is stated as two heaps with the moves of Wythoff's game.
pub fn is_wythoff(game: &dyn Game) -> bool {
    game.heap_game()
        .is_some_and(|stated| stated.heaps == 2 && !stated.shrinks && stated.moves == moves())
}

/// The nim-values of rows 0..`rows`, as far as computed.
#[derive(Debug, Clone)]
pub struct Wythoff {
    rows: usize,
    /// Bits before that of value n in each set.
    before: usize,
    words: usize,
    /// For each row, the values used in it; bit `before + d` is value n + d.
    used: Vec<u64>,
    /// For each row, the values on the diagonal through its next cell.
    diagonals: Vec<u64>,
    /// r(k, n), column by column.
    deviations: Vec<i16>,
}

/// The most rows.
pub const MAX_ROWS: usize = 4096;

/// The additive period of a row: G(k, n + period) = G(k, n) + period for n ≥ preperiod, for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPeriod {
    /// The row's least period.
    pub period: usize,
    /// Where it begins; the least such column.
    pub preperiod: usize,
    /// The period that this row and all rows before it have together.
    pub joint: usize,
    /// Where that begins at the latest.
    pub joint_from: usize,
}

impl Wythoff {
    /// Prepares rows 0..`rows`, without a column yet; `None` past [`MAX_ROWS`].
    pub fn new(rows: usize) -> Option<Wythoff> {
        if rows > MAX_ROWS {
            return None;
        }
        let before = 2 * rows;
        let words = (4 * rows + 2).div_ceil(64);
        // Negative values count as used.
        let negative = (0..words).map(|w| match before.saturating_sub(64 * w) {
            bits @ 0..64 => (1 << bits) - 1,
            _ => u64::MAX,
        });
        let used: Vec<u64> = negative.collect::<Vec<u64>>().repeat(rows);
        Some(Wythoff {
            rows,
            before,
            words,
            used,
            diagonals: vec![0; rows * words],
            deviations: Vec::new(),
        })
    }

    /// Returns how many columns are known.
    pub fn columns(&self) -> usize {
        self.deviations.len().checked_div(self.rows).unwrap_or(0)
    }

    /// Returns the nim-value of heaps k < rows and n < columns.
    pub fn value(&self, k: usize, n: usize) -> u32 {
        (n as i64 + i64::from(self.deviations[n * self.rows + k])) as u32
    }

    fn deviation(&self, k: usize, n: usize) -> i16 {
        self.deviations[n * self.rows + k]
    }

    /// Extends all rows to columns 0..`columns`; a node of the budget is a cell.
    pub fn extend(&mut self, columns: usize, meter: &mut Meter) -> Result<(), LimitReached> {
        if self.rows == 0 {
            return Ok(());
        }
        meter.check_bytes((columns.saturating_mul(2 * self.rows)) as u64)?;
        let (rows, words) = (self.rows, self.words);
        let mut column = vec![0u64; words];
        while self.columns() < columns {
            column.fill(0);
            for _ in 0..rows {
                meter.spend_one()?;
            }
            for k in 0..rows {
                let used = &mut self.used[k * words..][..words];
                let diagonal = &mut self.diagonals[k * words..][..words];
                let free = (0..words).find_map(|w| {
                    let taken = used[w] | column[w] | diagonal[w];
                    (taken != u64::MAX).then(|| (w, taken.trailing_ones()))
                });
                // A cell has at most n + 2k options, so one of the values up to n + 2k is free.
                let (w, bit) = free.expect("the window holds n + 2k");
                for set in [&mut *used, &mut *diagonal, &mut column] {
                    set[w] |= 1 << bit;
                }
                // Values below n − 2k are all used: what leaves the window need not be kept.
                debug_assert!(used[0] & 1 == 1, "row {k}");
                shift(used);
                shift(diagonal);
                self.deviations.push((64 * w + bit as usize) as i16 - self.before as i16);
            }
            // The diagonal of row k goes on in row k + 1 of the next column.
            self.diagonals.copy_within(..(rows - 1) * words, words);
            self.diagonals[..words].fill(0);
        }
        Ok(())
    }

    /// Returns the periods of rows 0, 1, … as far as they can be proved from the columns known.
    pub fn periods(&self) -> Vec<RowPeriod> {
        let mut periods: Vec<RowPeriod> = Vec::new();
        let (columns, window) = (self.columns(), 4 * self.rows + 4);
        let (mut joint, mut from) = (1, 0);
        for k in 0..self.rows {
            let agrees = |n: usize, p: usize| self.deviation(k, n) == self.deviation(k, n + p);
            let start_of =
                |p: usize| (0..columns - p).rev().find(|n| !agrees(*n, p)).map_or(0, |n| n + 1);
            let fits =
                (1..).map(|m| m * joint).take_while(|p| p + window <= columns).find_map(|p| {
                    let start = start_of(p).max(from);
                    (start + window + p <= columns).then_some((p, start))
                });
            let Some((p, start)) = fits else { break };
            (joint, from) = (p, start);
            // The least period divides the proved one, and shows in one proved period.
            let own = (1..=p).filter(|d| p.is_multiple_of(*d));
            let own = own
                .into_iter()
                .find(|d| (start..start + p - d).all(|n| agrees(n, *d)))
                .unwrap_or(p);
            let preperiod = (0..start).rev().find(|n| !agrees(*n, own)).map_or(0, |n| n + 1);
            periods.push(RowPeriod { period: own, preperiod, joint, joint_from: from });
        }
        periods
    }
}

/// Moves all bits down by one.
fn shift(set: &mut [u64]) {
    for w in 0..set.len() {
        let carry = set.get(w + 1).map_or(0, |next| next << 63);
        set[w] = set[w] >> 1 | carry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::{Budget, Nimber, mex};

    fn wythoff(rows: usize, columns: usize) -> Wythoff {
        let mut wythoff = Wythoff::new(rows).unwrap();
        wythoff.extend(columns, &mut Meter::new(&Budget::default())).unwrap();
        wythoff
    }

    #[test]
    fn values_from_the_rules_alone() {
        let (rows, columns) = (70, 260);
        let mut brute = vec![vec![0u32; columns]; rows];
        for k in 0..rows {
            for n in 0..columns {
                let left = (0..n).map(|j| brute[k][j]);
                let up = (0..k).map(|i| brute[i][n]);
                let both = (1..=k.min(n)).map(|d| brute[k - d][n - d]);
                brute[k][n] = mex(left.chain(up).chain(both).map(Nimber)).0;
            }
        }
        for height in [1, 2, 17, 70] {
            let fast = wythoff(height, columns);
            for (k, row) in brute.iter().enumerate().take(height) {
                assert!((0..columns).all(|n| fast.value(k, n) == row[n]), "row {k} of {height}");
            }
        }
    }

    /// P-positions (⌊mφ⌋, ⌊mφ²⌋): W. A. Wythoff 1907.
    #[test]
    fn p_positions_are_wythoffs_pairs() {
        let table = wythoff(100, 200);
        let phi = (1.0 + 5f64.sqrt()) / 2.0;
        for k in 0..100 {
            for n in k..200 {
                let m = (n - k) as f64;
                let pair = k == (m * phi).floor() as usize;
                assert_eq!(table.value(k, n) == 0, pair, "{k},{n}");
            }
        }
    }

    /// Every proof is compared with columns far past those it saw.
    #[test]
    fn proved_rows_go_on() {
        let mut table = wythoff(24, 6_000);
        let periods = table.periods();
        // Periods of the first rows: G. P. Michon, Mathematical Games, and H. Landman 2002.
        let own: Vec<usize> = periods.iter().map(|row| row.period).take(12).collect();
        assert_eq!(own, [1, 3, 3, 6, 12, 24, 12, 24, 24, 24, 24, 48]);
        table.extend(20_000, &mut Meter::new(&Budget::default())).unwrap();
        for (k, row) in periods.iter().enumerate() {
            let holds = |n: usize| table.deviation(k, n) == table.deviation(k, n + row.period);
            assert!((row.preperiod..20_000 - row.period).all(holds), "row {k}");
            assert!(row.preperiod == 0 || !holds(row.preperiod - 1), "row {k}");
        }
    }

    #[test]
    fn empty_and_too_large() {
        assert_eq!(wythoff(0, 10).columns(), 0);
        assert!(wythoff(3, 0).periods().is_empty());
        assert!(Wythoff::new(MAX_ROWS + 1).is_none());
    }
}

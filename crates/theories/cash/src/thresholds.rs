//! Tables of thresholds: the greatest purse of the opponent that the player to move beats.
//!
//! Idea: more money never hurts its owner, so T_n(d) = #{e : the player to move wins (n; d, e)}
//! contains all outcomes. Taking a leaves the opponent to move with e against d − a dollars, and
//! the opponent loses iff T_{n−a}(e) ≤ d − a. So T_n(d) is the maximum of #{e : T_{n−a}(e) ≤ d −
//! a}, and the table for all n, d ≤ D costs O(D²·|A|) without a search.

/// The rows T_n(d) for n = 0, 1, 2, … in turn and d = 0..=D.
#[derive(Debug, Clone)]
pub struct Thresholds {
    set: Vec<usize>,
    most: usize,
    /// The next n.
    stones: usize,
    row: Vec<u32>,
    /// For each of the last max A rows, in a ring buffer, and y = 0..=D: #{e ≤ D : T(e) ≤ y}.
    inverse_rows: Vec<Vec<u32>>,
}

impl Thresholds {
    /// Returns the table for purses up to `most` < 2³². `set` is the set A: ascending, not empty,
    /// members at least 1.
    pub fn new(set: &[u64], most: u32) -> Thresholds {
        let most = most as usize;
        let set: Vec<usize> =
            set.iter().map_while(|a| usize::try_from(*a).ok().filter(|a| *a <= most)).collect();
        let reach = set.last().copied().unwrap_or(0);
        Thresholds {
            set,
            most,
            stones: 0,
            row: vec![0; most + 1],
            inverse_rows: vec![vec![0; most + 1]; reach + 1],
        }
    }

    /// Computes the row of the next n for d = 0..=D. For e ≤ D the player to move wins (n; d, e)
    /// iff `e < row[d]`. For n ≤ D, the value D + 1 means that the player to move wins against
    /// unlimited money, and d = D stands for unlimited money of the player to move.
    pub fn next_row(&mut self) -> &[u32] {
        let n = self.stones;
        let places = self.inverse_rows.len();
        self.row.fill(0);
        for a in self.set.iter().copied().take_while(|a| *a <= n) {
            let inverse_rows = &self.inverse_rows[(n - a) % places];
            for (best, count) in self.row[a..].iter_mut().zip(inverse_rows) {
                *best = (*best).max(*count);
            }
        }
        let inverse_rows = &mut self.inverse_rows[n % places];
        let mut from = 0;
        for (richer, least) in self.row.iter().enumerate() {
            let least = (*least as usize).min(self.most + 1);
            inverse_rows[from..least].fill(richer as u32);
            from = least;
        }
        inverse_rows[from..].fill(self.most as u32 + 1);
        self.stones += 1;
        &self.row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invariant::tests::{BruteForce, subsets};

    /// Every subset of {1..6}, all n, d, e up to 120.
    #[test]
    fn tables_agree_with_the_rules() {
        const BOUND: usize = 120;
        for set in subsets(6) {
            let plain = BruteForce::new(&set, BOUND);
            let mut table = Thresholds::new(&set, BOUND as u32);
            for n in 0..=BOUND {
                let row = table.next_row();
                for (d, threshold) in row.iter().enumerate() {
                    for e in 0..=BOUND {
                        assert_eq!(
                            (e as u32) < *threshold,
                            plain.wins(n, d, e),
                            "{set:?} {n} {d} {e}"
                        );
                    }
                }
            }
        }
    }
}

//! The objects of the paper for one set: W, f, g, C, critical states, periods.
//!
//! Source: W. Gasarch, J. Purtilo, D. Ulrich, *NIM with Cash*, Definitions 2.1, 2.3, 3.1, 4.1, 4.3,
//! 4.4. Player I is the player to move. The paper intends f^I(n) and f^II(n) as the least purses
//! with which a player can still win. The definitions do not always give these, so the least purses
//! are computed as well.

use super::thresholds::Thresholds;

/// W, f, g and the least purses for n = 0..=N.
#[derive(Debug, Clone)]
pub struct Objects {
    set: Vec<usize>,
    wins: Vec<bool>,
    rich: Vec<[i64; 2]>,
    intended_purses: Vec<[i64; 2]>,
}

impl Objects {
    /// Computes the objects for n up to `most` in O(most²·|A|) steps.
    pub fn new(set: &[u64], most: u32) -> Objects {
        let set: Vec<usize> = set.iter().map_while(|a| usize::try_from(*a).ok()).collect();
        let first = set.first().copied().unwrap_or(usize::MAX);
        let mut objects =
            Objects { set, wins: Vec::new(), rich: Vec::new(), intended_purses: Vec::new() };
        let all: Vec<u64> = objects.set.iter().map(|a| *a as u64).collect();
        let mut table = Thresholds::new(&all, most);
        for n in 0..=most as usize {
            let takings: Vec<usize> = objects.set.iter().copied().take_while(|a| *a <= n).collect();
            let wins = takings.iter().any(|a| !objects.wins[n - a]);
            // Definitions 2.1 and 2.3.
            let [mut mover, mut other] = [0, 0];
            if n >= first {
                other = takings.iter().map(|a| objects.rich[n - a][0]).max().unwrap_or(0);
                let good = |a: &&usize| {
                    if wins { !objects.wins[n - *a] } else { objects.rich[n - *a][0] == other }
                };
                let costs = takings.iter().filter(good).map(|a| objects.rich[n - a][1] + *a as i64);
                mover = costs.min().unwrap_or(0);
            }
            objects.intended_purses.push(intended_purses(table.next_row(), n, wins));
            objects.wins.push(wins);
            objects.rich.push([mover, other]);
        }
        objects
    }

    /// Returns the number of values of n.
    pub fn stones(&self) -> usize {
        self.wins.len()
    }

    /// Returns whether W(n) = I: without cash, the player to move wins.
    pub fn wins(&self, n: usize) -> bool {
        self.wins[n]
    }

    /// Returns f^I(n) and f^II(n) as defined.
    pub fn rich(&self, n: usize) -> [i64; 2] {
        self.rich[n]
    }

    /// Returns the intended values of f: the least purse with which the winner without cash wins
    /// against unlimited money, and the least with which the other player wins against one dollar
    /// less than that.
    pub fn intended_purses(&self, n: usize) -> [i64; 2] {
        self.intended_purses[n]
    }

    /// Returns g^I(n) and g^II(n), Def. 3.1: with less a player is poor.
    pub fn poor(&self, n: usize) -> [i64; 2] {
        let (n, first) = (n as i64, self.set[0] as i64);
        let i = n % (2 * first);
        [(n - i) / 2 + (i + 1).min(first), (n - i) / 2 + (i - first + 1).max(0)]
    }

    /// Returns C^I(n, a) = f^I(n) − f^II(n − a) − a and C^II(n, a) = f^II(n) − f^I(n − a), for a ≤
    /// n. Def. 4.4 as printed has f^I(n) − f^I(n − a) + a for the first; Lemma 4.5 and all values
    /// in the paper need the formula used here.
    pub fn cost(&self, n: usize, a: usize) -> [i64; 2] {
        let ([mover, other], [next_mover, next_other]) = (self.rich[n], self.rich[n - a]);
        [mover - next_other - a as i64, other - next_mover]
    }

    /// Returns whether neither player is rich or poor, Def. 4.1 (with f^II for the second purse).
    pub fn is_critical(&self, n: usize, d: i64, e: i64) -> bool {
        let ([rich_mover, rich_other], [poor_mover, poor_other]) = (self.rich[n], self.poor(n));
        (poor_mover..rich_mover).contains(&d) && (poor_other..rich_other).contains(&e)
    }

    /// Returns the least m up to N/2 for which W and C have period m on all computed n from `from`
    /// on. Def. 4.4 has `from` = 0, and compares n ≥ a only.
    pub fn cash_period(&self, from: usize) -> Option<usize> {
        let top = self.stones();
        (1..=top.saturating_sub(from) / 2).find(|m| {
            (from + m..top).all(|n| {
                let mut costs = self.set.iter().filter(|a| **a + m <= n);
                self.wins[n] == self.wins[n - m]
                    && costs.all(|a| self.cost(n, *a) == self.cost(n - m, *a))
            })
        })
    }
}

/// Returns the least purses of the players, from T_n.
fn intended_purses(row: &[u32], n: usize, wins: bool) -> [i64; 2] {
    let all = row.len() as u32;
    let mut rows = row[..=n].iter();
    if wins {
        let mover = rows.position(|threshold| *threshold == all).unwrap_or(n);
        let other = mover.checked_sub(1).map_or(0, |poorer| row[poorer]);
        [mover as i64, other.into()]
    } else {
        let other = row[n];
        let mover = rows.position(|threshold| *threshold == other).unwrap_or(n);
        [mover as i64, other.into()]
    }
}

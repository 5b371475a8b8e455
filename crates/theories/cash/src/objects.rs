//! The paper's own objects for one set: W, f, g, C, critical states, periods.
//!
//! Source: W. Gasarch, J. Purtilo, D. Ulrich, *NIM with Cash*, Definitions 2.1, 2.3, 3.1, 4.1, 4.3, 4.4. Player I is the player
//! about to move. The paper wants f^I(n) and f^II(n) to be the least purses with which a player can still hope; as
//! defined they are not always that, so the least purses stand beside them.

use super::thresholds::Thresholds;

/// W, f, g and the least purses for n = 0..=N.
#[derive(Debug, Clone)]
pub struct Objects {
    set: Vec<usize>,
    wins: Vec<bool>,
    rich: Vec<[i64; 2]>,
    least: Vec<[i64; 2]>,
}

/// A state as the paper counts it (Def. 4.3): n mod m, and what each player lacks of riches, less one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// n mod m.
    pub residue: usize,
    /// f^I(n) − 1 − d.
    pub mover: i64,
    /// f^II(n) − 1 − e.
    pub other: i64,
}

impl Objects {
    /// For n up to `most`: O(most²·|A|).
    pub fn new(set: &[u64], most: u32) -> Objects {
        let set: Vec<usize> = set.iter().map_while(|a| usize::try_from(*a).ok()).collect();
        let first = set.first().copied().unwrap_or(usize::MAX);
        let mut objects = Objects { set, wins: Vec::new(), rich: Vec::new(), least: Vec::new() };
        let all: Vec<u64> = objects.set.iter().map(|a| *a as u64).collect();
        let mut table = Thresholds::new(&all, most);
        for n in 0..=most as usize {
            let takings: Vec<usize> = objects.set.iter().copied().take_while(|a| *a <= n).collect();
            let wins = takings.iter().any(|a| !objects.wins[n - a]);
            // Definitions 2.1 and 2.3.
            let [mut mover, mut other] = [0, 0];
            if n >= first {
                other = takings.iter().map(|a| objects.rich[n - a][0]).max().unwrap_or(0);
                let good =
                    |a: &&usize| if wins { !objects.wins[n - *a] } else { objects.rich[n - *a][0] == other };
                let costs = takings.iter().filter(good).map(|a| objects.rich[n - a][1] + *a as i64);
                mover = costs.min().unwrap_or(0);
            }
            objects.least.push(least(table.next_row(), n, wins));
            objects.wins.push(wins);
            objects.rich.push([mover, other]);
        }
        objects
    }

    /// How many n there are.
    pub fn stones(&self) -> usize {
        self.wins.len()
    }

    /// W(n) = I: without cash, the player about to move wins.
    pub fn wins(&self, n: usize) -> bool {
        self.wins[n]
    }

    /// f^I(n) and f^II(n) as defined.
    pub fn rich(&self, n: usize) -> [i64; 2] {
        self.rich[n]
    }

    /// What they are meant to be: the least purse with which the winner without cash wins against unlimited money, and
    /// the least with which the other player wins against one dollar less than that.
    pub fn least(&self, n: usize) -> [i64; 2] {
        self.least[n]
    }

    /// g^I(n) and g^II(n), Def. 3.1: below them a player is poor.
    pub fn poor(&self, n: usize) -> [i64; 2] {
        let (n, first) = (n as i64, self.set[0] as i64);
        let i = n % (2 * first);
        [(n - i) / 2 + (i + 1).min(first), (n - i) / 2 + (i - first + 1).max(0)]
    }

    /// C^I(n, a) = f^I(n) − f^II(n − a) − a and C^II(n, a) = f^II(n) − f^I(n − a), for a ≤ n. Def. 4.4 as printed has
    /// f^I(n) − f^I(n − a) + a for the first; Lemma 4.5 and all values in the paper need what stands here.
    pub fn cost(&self, n: usize, a: usize) -> [i64; 2] {
        let ([mover, other], [next_mover, next_other]) = (self.rich[n], self.rich[n - a]);
        [mover - next_other - a as i64, other - next_mover]
    }

    /// Whether neither player is rich or poor, Def. 4.1 (with f^II for the second purse).
    pub fn critical(&self, n: usize, d: i64, e: i64) -> bool {
        let ([rich_mover, rich_other], [poor_mover, poor_other]) = (self.rich[n], self.poor(n));
        (poor_mover..rich_mover).contains(&d) && (poor_other..rich_other).contains(&e)
    }

    /// Def. 4.3.
    pub fn state(&self, n: usize, d: i64, e: i64, modulus: usize) -> State {
        let [mover, other] = self.rich[n];
        State { residue: n % modulus, mover: mover - 1 - d, other: other - 1 - e }
    }

    /// The least m up to half of N for which W and C come again with period m on all n seen, from `from` on: Def. 4.4
    /// has `from` = 0, and compares n ≥ a only.
    pub fn cash_period(&self, from: usize) -> Option<usize> {
        let top = self.stones();
        (1..=top.saturating_sub(from) / 2).find(|m| {
            (from + m..top).all(|n| {
                let mut costs = self.set.iter().filter(|a| **a + m <= n);
                self.wins[n] == self.wins[n - m] && costs.all(|a| self.cost(n, *a) == self.cost(n - m, *a))
            })
        })
    }
}

/// From T_n: the least purses of mover and other.
fn least(row: &[u32], n: usize, wins: bool) -> [i64; 2] {
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

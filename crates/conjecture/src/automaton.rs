//! Automata learned from a table: the last resort, for sets that no shape fits.
//!
//! The binary digits of all heaps are read together, most significant first. Two beginnings are taken for one state if
//! the same short endings lead from them to P-positions (Myhill and Nerode's relation, bounded); the automaton counts
//! only if it then accepts exactly the P-positions of the table.

use crate::table::Table;
use rustc_hash::FxHashMap;

/// States at most.
const MOST_STATES: usize = 400;
/// Bits of a state's signature at most, as a power of two.
const SIGNATURE: usize = 12;

/// A deterministic automaton over columns of binary digits, most significant first; state 0 is where it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    /// Heaps of a position; bit i of a column is a digit of heap i.
    pub heaps: usize,
    /// The next state by state and column.
    pub next: Vec<Vec<usize>>,
    /// Whether positions that end here are P.
    pub accepts: Vec<bool>,
}

/// The automaton of a table, if its P-positions with heaps below the greatest power of two are those of one.
pub fn automaton(table: &Table) -> Option<Automaton> {
    let heaps = table.heaps();
    let digits = (table.most() + 1).ilog2() as usize;
    if table.least() != 0 || heaps > 6 || table.class_count() == 0 {
        return None;
    }
    let ending = (SIGNATURE / heaps).clamp(1, 3);
    if digits < ending + 2 {
        return None;
    }
    let side = 1i64 << (digits - ending);
    let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    let mut beginnings = vec![vec![0i64; heaps]];
    numbers.insert(signature(table, &beginnings[0], ending), 0);
    let mut next: Vec<Vec<usize>> = Vec::new();
    let mut at = 0;
    while at < beginnings.len() {
        let mut row = Vec::new();
        for column in 0..1usize << heaps {
            let p: Vec<i64> =
                beginnings[at].iter().enumerate().map(|(i, x)| 2 * x + (column >> i & 1) as i64).collect();
            if p.iter().any(|x| *x >= side) || beginnings.len() > MOST_STATES {
                return None;
            }
            let new = beginnings.len();
            let state = *numbers.entry(signature(table, &p, ending)).or_insert(new);
            if state == new {
                beginnings.push(p);
            }
            row.push(state);
        }
        next.push(row);
        at += 1;
    }
    let accepts = beginnings.iter().map(|p| table.is_p(p)).collect();
    let found = Automaton { heaps, next, accepts };
    (found.mismatch(table).is_none() && found.count(digits) == within(table, 1 << digits)).then_some(found)
}

/// Which endings lead from a beginning to P-positions.
fn signature(table: &Table, beginning: &[i64], ending: usize) -> Vec<u64> {
    let endings = 1usize << (ending * beginning.len());
    let mut bits = vec![0u64; endings.div_ceil(64)];
    let mut p = vec![0; beginning.len()];
    for code in 0..endings {
        let mut rest = code;
        for (place, x) in p.iter_mut().zip(beginning) {
            *place = x << ending | (rest & ((1 << ending) - 1)) as i64;
            rest >>= ending;
        }
        bits[code / 64] |= u64::from(table.is_p(&p)) << (code % 64);
    }
    // The beginning itself is a position, too.
    bits.push(u64::from(table.is_p(beginning)));
    bits
}

/// P-positions with all heaps below `bound`.
fn within(table: &Table, bound: u16) -> u128 {
    let all = 0..table.count();
    all.filter(|i| table.point(*i).iter().all(|x| *x < bound)).count() as u128
}

impl Automaton {
    /// Whether it accepts a position.
    pub fn accepts(&self, p: &[i64]) -> bool {
        let digits = 64 - p.iter().fold(0, |all, x| all | x).leading_zeros();
        let column =
            |place: u32| p.iter().enumerate().fold(0, |c, (i, x)| c | ((x >> place & 1) as usize) << i);
        let end = (0..digits).rev().fold(0, |state, place| self.next[state][column(place)]);
        self.accepts[end]
    }

    /// Positions of so many digits that it accepts.
    fn count(&self, digits: usize) -> u128 {
        let mut ways: Vec<u128> = self.accepts.iter().map(|a| u128::from(*a)).collect();
        for _ in 0..digits {
            ways = self.next.iter().map(|row| row.iter().map(|to| ways[*to]).sum()).collect();
        }
        ways[0]
    }

    /// A position of the table that it gets wrong: a P-position that it rejects, or, searched for only if their numbers
    /// differ, another one that it accepts.
    pub fn mismatch(&self, table: &Table) -> Option<Vec<i64>> {
        let digits = (table.most() + 1).ilog2() as usize;
        let rejected = table.classes().find(|p| !self.accepts(p));
        if rejected.is_some() || self.count(digits) == within(table, 1 << digits) {
            return rejected;
        }
        let mut wrong = None;
        table.each_class((1 << digits) - 1, &mut |p, outcome| {
            let p: Vec<i64> = p.iter().map(|x| *x as i64).collect();
            if self.accepts(&p) && !outcome.is_p() {
                wrong = Some(p);
                return std::ops::ControlFlow::Break(());
            }
            std::ops::ControlFlow::Continue(())
        });
        wrong
    }

    /// Bits it takes to say.
    pub(crate) fn cost(&self) -> f64 {
        let states = self.next.len() as f64;
        states * (self.next[0].len() as f64 * states.log2().max(1.0) + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Images;

    #[test]
    fn regular_sets_are_learned_and_others_are_not() {
        let images = || Images::Listed(vec![vec![0, 1], vec![1, 0]]);
        // x = 2y or y = 2x: regular; x = y²: not.
        let doubles: Vec<[u64; 2]> = (0..64).map(|x| [x, 2 * x]).collect();
        let table = Table::new(2, 0, 127, images(), doubles.iter().map(|p| &p[..])).unwrap();
        let found = automaton(&table).unwrap();
        for a in 0..500 {
            for b in 0..500 {
                assert_eq!(found.accepts(&[a, b]), a == 2 * b || b == 2 * a, "{a},{b}");
            }
        }
        let squares: Vec<[u64; 2]> = (0..12).map(|x| [x, x * x]).collect();
        let table = Table::new(2, 0, 127, images(), squares.iter().map(|p| &p[..])).unwrap();
        assert_eq!(automaton(&table), None);
    }
}

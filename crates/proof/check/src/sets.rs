//! Sets of states that are listed: whether some states contain one of them.
//!
//! If each listed set has a member that accepts where a word may end, and the states that follow on
//! a set contain a listed set, whatever letter comes next, then by induction on words some state
//! that is reached from a listed set accepts, whatever is read.

use crate::work::{Reason, Work};
use rustc_hash::FxHashMap;

/// Listed sets, found by their last members.
pub(crate) struct Listed<'s> {
    sets: &'s [Vec<u32>],
    by_last: FxHashMap<u32, Vec<usize>>,
    /// When each state was there last.
    marks: Vec<u64>,
    mark: u64,
    work: &'s Work<'s>,
}

impl<'s> Listed<'s> {
    /// Reads sets of states below a number.
    pub(crate) fn new(
        sets: &'s [Vec<u32>],
        states: usize,
        work: &'s Work<'_>,
    ) -> Result<Listed<'s>, Reason> {
        work.hold((8 * states).saturating_add(64 * sets.len()))?;
        let mut by_last: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (i, set) in sets.iter().enumerate() {
            by_last.entry(*set.last().ok_or("a set has no states")?).or_default().push(i);
        }
        Ok(Listed { sets, by_last, marks: vec![0; states], mark: 0, work })
    }

    /// Returns whether these states contain a listed set.
    pub(crate) fn contained(&mut self, states: &[u32]) -> Result<bool, Reason> {
        self.work.spend(4 + 2 * states.len())?;
        self.mark += 1;
        states.iter().for_each(|s| self.marks[*s as usize] = self.mark);
        for i in states.iter().filter_map(|s| self.by_last.get(s)).flatten() {
            let set = &self.sets[*i];
            let inside = set.iter().take_while(|s| self.marks[**s as usize] == self.mark).count();
            self.work.spend(2 + inside)?;
            if inside == set.len() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

//! Tuples of states, followed until nothing new comes up.
//!
//! Several automata read the same letters: what comes up of their states together is found from the
//! first tuple by all letters. What holds of the first one, and of all that follow on one of which
//! it holds, holds of whatever is read, by induction on its length. All products of automata in
//! this crate are followed here.

use crate::work::{Reason, Work};
use rustc_hash::FxHashSet;
use std::borrow::Borrow;
use std::hash::Hash;

/// Tuples, each looked at once.
pub(crate) struct Tuples<'w, T> {
    seen: FxHashSet<T>,
    open: Vec<T>,
    /// Bytes that one takes.
    bytes: usize,
    work: &'w Work<'w>,
}

impl<'w, T: Hash + Eq + Clone> Tuples<'w, T> {
    /// Returns a collection without tuples, each of which will take this many bytes.
    pub(crate) fn new(bytes: usize, work: &'w Work<'_>) -> Tuples<'w, T> {
        Tuples { seen: FxHashSet::default(), open: Vec::new(), bytes, work }
    }

    /// Adds a tuple, unless it came up before.
    pub(crate) fn add<Q>(&mut self, tuple: &Q) -> Result<(), Reason>
    where
        T: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = T> + ?Sized,
    {
        self.work.spend(8)?;
        if !self.seen.contains(tuple) {
            self.work.hold(self.bytes)?;
            self.seen.insert(tuple.to_owned());
            self.open.push(tuple.to_owned());
        }
        Ok(())
    }

    /// Returns a tuple that was not looked at yet.
    pub(crate) fn next(&mut self) -> Option<T> {
        self.open.pop()
    }

    /// Returns how many came up.
    pub(crate) fn count(&self) -> usize {
        self.seen.len()
    }
}

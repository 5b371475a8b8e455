//! A transposition table for several threads: whole keys, in shards with a lock each.
//!
//! The search asks about subtrees of at least 48 nodes, so a thread is at a lock for a hundredth of
//! its time, and with 64 of them hardly ever waits.

use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 64;

/// The table.
pub(super) struct SharedTable<C> {
    shards: Vec<Shard<C>>,
    /// Entries of a shard before it is emptied.
    most: usize,
}

#[repr(align(64))]
struct Shard<C>(Mutex<FxHashMap<[C; 2], bool>>);

impl<C: Copy + Eq + Hash> SharedTable<C> {
    /// Returns a table of at most this many entries.
    pub fn new(entries: usize) -> SharedTable<C> {
        let shard = |_| Shard(Mutex::default());
        SharedTable { shards: (0..SHARDS).map(shard).collect(), most: (entries / SHARDS).max(1) }
    }

    /// Locks the shard of a position, chosen by bits of the hash that its map uses neither for a
    /// place nor, much, for a tag.
    fn shard(&self, key: &[C; 2]) -> MutexGuard<'_, FxHashMap<[C; 2], bool>> {
        let shard = FxBuildHasher.hash_one(key) >> 40;
        self.shards[shard as usize % SHARDS].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what is known of a key.
    pub fn get(&self, key: &[C; 2]) -> Option<bool> {
        self.shard(key).get(key).copied()
    }

    /// Keeps what was found.
    pub fn insert(&self, key: [C; 2], wins: bool) {
        let mut shard = self.shard(&key);
        if shard.len() >= self.most {
            *shard = FxHashMap::default();
        }
        shard.insert(key, wins);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_keys_or_nothing() {
        let table = SharedTable::<u64>::new(1 << 20);
        (0..10_000).for_each(|key| table.insert([key, key / 7], key % 3 == 0));
        for key in 0..10_000 {
            assert_eq!(table.get(&[key, key / 7]), Some(key % 3 == 0));
            assert_eq!(table.get(&[key, key / 7 + 1]), None);
        }
        // Where there is room for a key a shard, the last ones stay.
        let small = SharedTable::<u64>::new(0);
        (0..10_000).for_each(|key| small.insert([key, 0], true));
        let known = (0..10_000).filter(|key| small.get(&[*key, 0]) == Some(true)).count();
        assert!((1..=SHARDS).contains(&known), "{known}");
    }
}

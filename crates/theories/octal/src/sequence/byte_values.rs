//! Compact storage of known nim-values: one byte each, and a list of the few values from 255 on.

use super::storage::{ByteStore, StorageBudget};
use bouton_core::LimitReached;

/// The nim-values of heaps 0, 1, 2, …
#[derive(Debug)]
pub struct ByteValues {
    bytes: ByteStore,
    /// Heaps of value [`ESCAPE`] or more, ascending, with their values.
    long: Vec<(usize, u32)>,
}

/// The byte stored for values that are listed separately, and the least of these values.
pub const ESCAPE: u32 = 255;

impl ByteValues {
    /// Creates an empty list.
    pub fn new(storage: StorageBudget) -> ByteValues {
        ByteValues { bytes: ByteStore::new(storage), long: Vec::new() }
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reserves space for `len` values in all.
    ///
    /// # Errors
    ///
    /// If the storage budget does not allow it.
    pub fn reserve(&mut self, len: usize) -> Result<(), LimitReached> {
        self.bytes.reserve(len)
    }

    /// Appends a value. Space must have been reserved by [`ByteValues::reserve`].
    pub fn push(&mut self, value: u32) {
        if value >= ESCAPE {
            self.long.push((self.len(), value));
        }
        self.bytes.push(value.min(ESCAPE) as u8);
    }

    /// Returns the value of heap `n`, which is below [`ByteValues::len`].
    pub fn get(&self, n: usize) -> u32 {
        match u32::from(self.bytes[n]) {
            ESCAPE => escaped_value(&self.long, n).unwrap_or(ESCAPE),
            value => value,
        }
    }

    /// Returns all values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + Clone {
        (0..self.len()).map(|n| self.get(n))
    }

    /// Returns the bytes and the list of values from [`ESCAPE`] on.
    pub(super) fn into_parts(self) -> (ByteStore, Vec<(usize, u32)>) {
        (self.bytes, self.long)
    }
}

/// Returns the listed value of heap `n`, or `None` if its value is a plain byte.
pub(super) fn escaped_value(long: &[(usize, u32)], n: usize) -> Option<u32> {
    let place = long.binary_search_by_key(&n, |long| long.0).ok()?;
    Some(long[place].1)
}

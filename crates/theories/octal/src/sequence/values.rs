//! Known nim-values, a byte each; the few from 255 on stand aside.

use super::history::{History, Room};
use bouton_core::LimitReached;

/// The nim-values of heaps 0, 1, 2, …
#[derive(Debug)]
pub struct Values {
    bytes: History,
    /// Heaps of value [`LONG`] and more, ascending, with their values.
    long: Vec<(usize, u32)>,
}

/// The byte of longer values, and the least of these.
pub const LONG: u32 = 255;

impl Values {
    /// None yet.
    pub fn new(room: Room) -> Values {
        Values { bytes: History::new(room), long: Vec::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sees that `len` values have room.
    pub fn reserve(&mut self, len: usize) -> Result<(), LimitReached> {
        self.bytes.reserve(len)
    }

    /// Adds one; there must be room, see [`Values::reserve`].
    pub fn push(&mut self, value: u32) {
        if value >= LONG {
            self.long.push((self.len(), value));
        }
        self.bytes.push(value.min(LONG) as u8);
    }

    /// The value of a heap below [`Values::len`].
    pub fn get(&self, n: usize) -> u32 {
        match u32::from(self.bytes[n]) {
            LONG => long_value(&self.long, n).unwrap_or(LONG),
            value => value,
        }
    }

    /// All in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + Clone {
        (0..self.len()).map(|n| self.get(n))
    }

    /// The bytes and the longer values.
    pub(super) fn into_parts(self) -> (History, Vec<(usize, u32)>) {
        (self.bytes, self.long)
    }
}

/// The longer value of heap `n`, where it has one.
pub(super) fn long_value(long: &[(usize, u32)], n: usize) -> Option<u32> {
    let place = long.binary_search_by_key(&n, |long| long.0).ok()?;
    Some(long[place].1)
}

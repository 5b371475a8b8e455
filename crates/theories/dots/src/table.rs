//! Bounds by position, eight bytes each, shared by threads without locks.
//!
//! An entry is one word, so it is read and written at once: 48 bits of the key, the work it took (its logarithm), and both
//! bounds. Keys are mixed by a bijection and the place of a line of four entries is the rest of the key; from 2^16 lines
//! on, no two positions share an entry. The entry that took least work gives way.

use super::memory::{Words, prefetch};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries in a line: half a line of the processor's cache.
const WAYS: usize = 4;
/// Fewer would make keys ambiguous.
const LEAST_LINES: usize = 1 << 17;
/// Bytes before the entries of a table in a file: a multiple of any page.
const HEADER: u64 = 1 << 16;

/// What is known of a position: its value lies in `low..=high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: i32,
    pub high: i32,
}

#[derive(Debug)]
pub(super) struct Table {
    words: Words,
    /// The number of lines, as a power of two.
    bits: u32,
}

/// A mixed key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(pub u64);

impl Key {
    /// A bijection: the finalizer of MurmurHash3.
    #[inline]
    pub fn mix(key: u64) -> Key {
        let mut k = key;
        k = (k ^ k >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        k = (k ^ k >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        Key(k ^ k >> 33)
    }
}

impl Table {
    /// A table of at most so many bytes, and of at least four megabytes.
    pub fn new(bytes: u64) -> Table {
        let bits = Table::bits(bytes);
        Table { words: Words::new(WAYS << bits), bits }
    }

    fn bits(bytes: u64) -> u32 {
        usize::try_from(bytes / (8 * WAYS as u64)).unwrap_or(usize::MAX).max(LEAST_LINES).ilog2()
    }

    /// A table in a file, found again as it was left: every entry is one word, so a run that was killed leaves none half
    /// written. The file begins with `title`, which says what the table is of.
    ///
    /// # Errors
    /// When the file cannot be made or mapped, or holds something else.
    pub fn in_file(path: &Path, bytes: u64, title: &str) -> io::Result<Table> {
        let bits = Table::bits(bytes);
        let count = WAYS << bits;
        let length = HEADER + 8 * count as u64;
        let mut header = format!("{title}\n").into_bytes();
        header.resize(HEADER as usize, 0);
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let found = file.metadata()?.len();
        if found == 0 {
            file.write_all(&header)?;
            file.set_len(length)?;
        } else {
            let mut there = vec![0; HEADER as usize];
            let read = file.read_exact(&mut there);
            if read.is_err() || there != header || found != length {
                return Err(io::Error::other(format!("{} is a table of something else", path.display())));
            }
        }
        Ok(Table { words: Words::in_file(&file, HEADER, count)?, bits })
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (8 * WAYS as u64) << self.bits
    }

    #[inline]
    fn line(&self, key: Key) -> &[AtomicU64] {
        let start = WAYS * (key.0 >> (64 - self.bits)) as usize;
        &self.words.all()[start..start + WAYS]
    }

    /// Asks for the line of a key ahead of time.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.line(key));
    }

    /// The bounds of a position of so many boxes, if they are known.
    #[inline]
    pub fn get(&self, key: Key, boxes: u32) -> Option<Bounds> {
        let tag = key.0 << 16;
        let found = self
            .line(key)
            .iter()
            .map(|entry| entry.load(Relaxed))
            .find(|e| (e ^ tag) >> 16 == 0 && *e & 0xffff != 0)?;
        let (low, high) = ((found >> 5 & 31) as i32, (found & 31) as i32);
        Some(Bounds { low: 2 * low - boxes as i32, high: 2 * high - boxes as i32 })
    }

    /// Keeps the bounds of a position of so many boxes, that took `nodes` nodes.
    #[inline]
    pub fn put(&self, key: Key, boxes: u32, bounds: Bounds, nodes: u64) {
        let tag = key.0 << 16;
        let work = u64::from((nodes | 1).ilog2()).min(62) + 1;
        let steps = |margin: i32| ((margin + boxes as i32) / 2) as u64;
        let new = tag | work << 10 | steps(bounds.low) << 5 | steps(bounds.high);
        let line = self.line(key);
        let (mut place, mut least) = (0, u64::MAX);
        for (i, entry) in line.iter().enumerate() {
            let old = entry.load(Relaxed);
            if (old ^ tag) >> 16 == 0 && old & 0xffff != 0 {
                let old_work = old >> 10 & 63;
                let new = new & !(63 << 10) | work.max(old_work) << 10;
                return entry.store(new, Relaxed);
            }
            let work = old >> 10 & 63;
            if work < least {
                (place, least) = (i, work);
            }
        }
        line[place].store(new, Relaxed);
    }
}

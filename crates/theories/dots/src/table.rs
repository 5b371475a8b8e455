//! Bounds by position, eight bytes each, shared by threads without locks.
//!
//! An entry is one word, so it is read and written atomically: 48 bits of the key, the logarithm of
//! the work, and both bounds. Keys are mixed by a bijection; the rest of the key selects a bucket
//! of four entries. From 2^16 buckets on, no two positions share an entry. The entry of least work
//! is replaced.

use super::memory::{SharedWords, prefetch};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of entries in a bucket: half a cache line.
const BUCKET: usize = 4;
/// The least number of buckets; with fewer, keys would be ambiguous.
const MIN_BUCKETS: usize = 1 << 17;
/// The bytes before the entries of a table in a file: a multiple of any page size.
const HEADER: u64 = 1 << 16;

/// Bounds on the value of a position: `low..=high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: i32,
    pub high: i32,
}

#[derive(Debug)]
pub(super) struct BoundTable {
    words: SharedWords,
    /// The number of buckets, as a power of two.
    bits: u32,
}

/// A mixed key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(pub u64);

impl Key {
    /// Mixes a key by a bijection: the finalizer of MurmurHash3.
    #[inline]
    pub fn mix(key: u64) -> Key {
        let mut k = key;
        k = (k ^ k >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        k = (k ^ k >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        Key(k ^ k >> 33)
    }
}

impl BoundTable {
    /// Returns a table of at most `bytes` bytes, but at least four megabytes.
    pub fn new(bytes: u64) -> BoundTable {
        let bits = BoundTable::bits(bytes);
        BoundTable { words: SharedWords::new(BUCKET << bits), bits }
    }

    fn bits(bytes: u64) -> u32 {
        usize::try_from(bytes / (8 * BUCKET as u64)).unwrap_or(usize::MAX).max(MIN_BUCKETS).ilog2()
    }

    /// Opens a table in a file, with the entries of earlier runs. Every entry is one word, so a
    /// killed run leaves no half-written entry. The file begins with `title`, which names its
    /// contents.
    ///
    /// # Errors
    /// Fails if the file cannot be made or mapped, or has another title.
    pub fn in_file(path: &Path, bytes: u64, title: &str) -> io::Result<BoundTable> {
        let bits = BoundTable::bits(bytes);
        let count = BUCKET << bits;
        let length = HEADER + 8 * count as u64;
        let mut header = format!("{title}\n").into_bytes();
        header.resize(HEADER as usize, 0);
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let found = file.metadata()?.len();
        if found == 0 {
            file.write_all(&header)?;
            file.set_len(length)?;
        } else {
            let mut stored_title = vec![0; HEADER as usize];
            let read = file.read_exact(&mut stored_title);
            if read.is_err() || stored_title != header || found != length {
                return Err(io::Error::other(format!(
                    "{} is a table of something else",
                    path.display()
                )));
            }
        }
        Ok(BoundTable { words: SharedWords::in_file(&file, HEADER, count)?, bits })
    }

    /// Returns the memory of the table, in bytes.
    pub fn bytes(&self) -> u64 {
        (8 * BUCKET as u64) << self.bits
    }

    #[inline]
    fn line(&self, key: Key) -> &[AtomicU64] {
        let start = BUCKET * (key.0 >> (64 - self.bits)) as usize;
        &self.words.all()[start..start + BUCKET]
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        prefetch(self.line(key));
    }

    /// Returns the bounds of a position of `boxes` boxes, if they are stored.
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

    /// Stores the bounds of a position of `boxes` boxes that took `nodes` nodes.
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

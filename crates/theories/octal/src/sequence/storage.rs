//! Storage of the bytes of a nim-sequence: memory, and a memory-mapped file beyond it.
//!
//! Every heap may be an option of later ones, so the whole history is kept. The file has no name
//! and vanishes with the process. Its disk space is allocated by writing zeros before it is mapped:
//! a full disk is then an error, not a fault of the mapping later.

use bouton_core::LimitReached;
use memmap2::MmapMut;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

/// Limits of the storage of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageBudget {
    /// Bytes of memory.
    pub memory: u64,
    /// Folder of the file used beyond the memory; `None` if larger requests are errors.
    pub folder: Option<PathBuf>,
}

impl Default for StorageBudget {
    /// Returns seven eighths of the free memory, or no limit if the system does not report it; no
    /// file.
    fn default() -> StorageBudget {
        let told = std::fs::read_to_string("/proc/meminfo").ok();
        let free = told
            .as_deref()
            .and_then(|text| text.lines().find(|line| line.starts_with("MemAvailable:")));
        let kibibytes = free.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        StorageBudget {
            memory: kibibytes.map_or(u64::MAX, |free| free * 1024 / 8 * 7),
            folder: None,
        }
    }
}

impl StorageBudget {
    /// Returns an error if memory does not hold `bytes` bytes.
    pub(super) fn check(&self, bytes: u64) -> Result<(), LimitReached> {
        if bytes > self.memory {
            Err(LimitReached::Memory { needed: bytes, free: self.memory })
        } else {
            Ok(())
        }
    }
}

/// A growing list of bytes.
#[derive(Debug)]
pub struct ByteStore {
    bytes: Backing,
    len: usize,
    budget: StorageBudget,
}

#[derive(Debug)]
enum Backing {
    Memory(Vec<u8>),
    /// A file, and its mapping, which covers the file.
    Mapped(File, MmapMut),
}

/// Number of bytes written at once to allocate disk space.
const CHUNK: usize = 1 << 20;

impl ByteStore {
    /// Creates an empty store.
    pub fn new(budget: StorageBudget) -> ByteStore {
        ByteStore { bytes: Backing::Memory(Vec::new()), len: 0, budget }
    }

    /// Reserves space for `len` bytes in all.
    pub fn reserve(&mut self, len: usize) -> Result<(), LimitReached> {
        match &mut self.bytes {
            Backing::Mapped(_, map) if len <= map.len() => Ok(()),
            Backing::Mapped(..) => self.map(len),
            Backing::Memory(bytes) if len <= bytes.capacity() => Ok(()),
            Backing::Memory(bytes) => {
                match self.budget.check(len as u64).and_then(|()| grow(bytes, len)) {
                    Err(_) if self.budget.folder.is_some() => self.map(len),
                    held => held,
                }
            }
        }
    }

    /// Moves the bytes to a file, or enlarges the file.
    fn map(&mut self, len: usize) -> Result<(), LimitReached> {
        let full = |error: io::Error| LimitReached::Disk { needed: len as u64, why: error.kind() };
        let (mut file, known) = match &self.bytes {
            Backing::Memory(bytes) => {
                let folder = self.budget.folder.clone().unwrap_or_else(std::env::temp_dir);
                let mut file = tempfile::tempfile_in(folder).map_err(full)?;
                file.write_all(bytes).map_err(full)?;
                (file, bytes.len())
            }
            Backing::Mapped(file, map) => (file.try_clone().map_err(full)?, map.len()),
        };
        let wanted = len.max(known + known / 8);
        file.seek(SeekFrom::Start(known as u64)).map_err(full)?;
        for from in (known..wanted).step_by(CHUNK) {
            file.write_all(&vec![0; CHUNK.min(wanted - from)]).map_err(full)?;
        }
        // SAFETY: no other process can open the file, which has no name, and it is as long as the
        // mapping.
        let map = unsafe { MmapMut::map_mut(&file) }.map_err(full)?;
        self.bytes = Backing::Mapped(file, map);
        Ok(())
    }

    /// Appends a byte. Space must have been reserved by [`ByteStore::reserve`].
    #[inline]
    pub fn push(&mut self, byte: u8) {
        match &mut self.bytes {
            Backing::Memory(bytes) => bytes.push(byte),
            Backing::Mapped(_, map) => map[self.len] = byte,
        }
        self.len += 1;
    }
}

/// Enlarges a vector to `len` bytes, and an eighth more if possible.
///
/// Doubling, the default of vectors, is too much if the bytes fill the memory.
fn grow(bytes: &mut Vec<u8>, len: usize) -> Result<(), LimitReached> {
    let more = len - bytes.len();
    let done = bytes.try_reserve_exact(more + len / 8).or_else(|_| bytes.try_reserve_exact(more));
    done.map_err(|_| LimitReached::Memory { needed: len as u64, free: bytes.capacity() as u64 })
}

impl Deref for ByteStore {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Backing::Memory(bytes) => bytes,
            Backing::Mapped(_, map) => &map[..self.len],
        }
    }
}

impl DerefMut for ByteStore {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.bytes {
            Backing::Memory(bytes) => bytes,
            Backing::Mapped(_, map) => &mut map[..self.len],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_move_into_a_file_and_stay_the_same() {
        let byte = |n: usize| (n * n / 7) as u8;
        let mut history =
            ByteStore::new(StorageBudget { memory: 5000, folder: Some(std::env::temp_dir()) });
        for len in [10, 4000, 5001, 20_000, 20_001, 3_000_000] {
            history.reserve(len).unwrap();
            (history.len()..len).for_each(|n| history.push(byte(n)));
            assert_eq!(matches!(history.bytes, Backing::Mapped(..)), len > 5000, "{len}");
            assert!(history.len() == len && history.iter().enumerate().all(|(n, b)| *b == byte(n)));
        }
    }

    #[test]
    fn what_has_no_room_is_refused_and_nothing_is_lost() {
        let mut small = ByteStore::new(StorageBudget { memory: 100, folder: None });
        small.reserve(100).unwrap();
        small.push(7);
        // A vector may have taken more than it was asked for.
        assert_eq!(small.reserve(1000), Err(LimitReached::Memory { needed: 1000, free: 100 }));
        let nowhere = std::env::temp_dir().join("bouton-no-such-folder/at-all");
        let mut lost = ByteStore::new(StorageBudget { memory: 100, folder: Some(nowhere) });
        lost.reserve(1).unwrap();
        lost.push(7);
        assert_eq!(
            lost.reserve(1000),
            Err(LimitReached::Disk { needed: 1000, why: io::ErrorKind::NotFound })
        );
        assert_eq!((&small[..], &lost[..]), (&[7][..], &[7][..]));
    }
}

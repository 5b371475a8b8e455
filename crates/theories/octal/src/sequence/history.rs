//! The bytes of a nim-sequence: in memory while there is room, then in a memory-mapped file.
//!
//! All heaps so far may be options of the next ones, so the whole history stays. The file has no name and goes with
//! the process. Its room on the disk is taken by writing zeros before it is mapped: a full disk is an error then, and
//! no fault of the mapping later.

use bouton_core::LimitReached;
use memmap2::MmapMut;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

/// Where values may be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// Bytes of memory.
    pub memory: u64,
    /// Where the file lies that is used past that; without it, what needs more is refused.
    pub folder: Option<PathBuf>,
}

impl Default for Room {
    /// All memory that is free now, less an eighth; without limit where the system does not tell. No file.
    fn default() -> Room {
        let told = std::fs::read_to_string("/proc/meminfo").ok();
        let free =
            told.as_deref().and_then(|text| text.lines().find(|line| line.starts_with("MemAvailable:")));
        let kibibytes = free.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        Room { memory: kibibytes.map_or(u64::MAX, |free| free * 1024 / 8 * 7), folder: None }
    }
}

impl Room {
    /// Whether memory holds so many bytes.
    pub(super) fn hold(&self, bytes: u64) -> Result<(), LimitReached> {
        if bytes > self.memory {
            Err(LimitReached::Memory { needed: bytes, free: self.memory })
        } else {
            Ok(())
        }
    }
}

/// Bytes that grow at the end.
#[derive(Debug)]
pub struct History {
    bytes: Bytes,
    len: usize,
    room: Room,
}

#[derive(Debug)]
enum Bytes {
    Memory(Vec<u8>),
    /// As long as the room in the file.
    Mapped(File, MmapMut),
}

/// Bytes written at once to take room on the disk.
const CHUNK: usize = 1 << 20;

impl History {
    /// Nothing yet.
    pub fn new(room: Room) -> History {
        History { bytes: Bytes::Memory(Vec::new()), len: 0, room }
    }

    /// Sees that `len` bytes have room.
    pub fn reserve(&mut self, len: usize) -> Result<(), LimitReached> {
        match &mut self.bytes {
            Bytes::Mapped(_, map) if len <= map.len() => Ok(()),
            Bytes::Mapped(..) => self.map(len),
            Bytes::Memory(bytes) if len <= bytes.capacity() => Ok(()),
            Bytes::Memory(bytes) => match self.room.hold(len as u64).and_then(|()| grow(bytes, len)) {
                Err(_) if self.room.folder.is_some() => self.map(len),
                held => held,
            },
        }
    }

    /// Moves into a file, or gives the file more room.
    fn map(&mut self, len: usize) -> Result<(), LimitReached> {
        let full = |error: io::Error| LimitReached::Disk { needed: len as u64, why: error.kind() };
        let (mut file, known) = match &self.bytes {
            Bytes::Memory(bytes) => {
                let folder = self.room.folder.clone().unwrap_or_else(std::env::temp_dir);
                let mut file = tempfile::tempfile_in(folder).map_err(full)?;
                file.write_all(bytes).map_err(full)?;
                (file, bytes.len())
            }
            Bytes::Mapped(file, map) => (file.try_clone().map_err(full)?, map.len()),
        };
        let wanted = len.max(known + known / 8);
        file.seek(SeekFrom::Start(known as u64)).map_err(full)?;
        for from in (known..wanted).step_by(CHUNK) {
            file.write_all(&vec![0; CHUNK.min(wanted - from)]).map_err(full)?;
        }
        // SAFETY: nobody else can open the file, for it has no name; it is as long as what is mapped.
        let map = unsafe { MmapMut::map_mut(&file) }.map_err(full)?;
        self.bytes = Bytes::Mapped(file, map);
        Ok(())
    }

    /// Adds a byte; there must be room, see [`History::reserve`].
    #[inline]
    pub fn push(&mut self, byte: u8) {
        match &mut self.bytes {
            Bytes::Memory(bytes) => bytes.push(byte),
            Bytes::Mapped(_, map) => map[self.len] = byte,
        }
        self.len += 1;
    }
}

/// Gives bytes in memory room for `len`, and an eighth more where that can be had: twice as much, as vectors take by
/// themselves, is too much where they fill the memory.
fn grow(bytes: &mut Vec<u8>, len: usize) -> Result<(), LimitReached> {
    let more = len - bytes.len();
    let done = bytes.try_reserve_exact(more + len / 8).or_else(|_| bytes.try_reserve_exact(more));
    done.map_err(|_| LimitReached::Memory { needed: len as u64, free: bytes.capacity() as u64 })
}

impl Deref for History {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Memory(bytes) => bytes,
            Bytes::Mapped(_, map) => &map[..self.len],
        }
    }
}

impl DerefMut for History {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.bytes {
            Bytes::Memory(bytes) => bytes,
            Bytes::Mapped(_, map) => &mut map[..self.len],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_move_into_a_file_and_stay_the_same() {
        let byte = |n: usize| (n * n / 7) as u8;
        let mut history = History::new(Room { memory: 5000, folder: Some(std::env::temp_dir()) });
        for len in [10, 4000, 5001, 20_000, 20_001, 3_000_000] {
            history.reserve(len).unwrap();
            (history.len()..len).for_each(|n| history.push(byte(n)));
            assert_eq!(matches!(history.bytes, Bytes::Mapped(..)), len > 5000, "{len}");
            assert!(history.len() == len && history.iter().enumerate().all(|(n, b)| *b == byte(n)));
        }
    }

    #[test]
    fn what_has_no_room_is_refused_and_nothing_is_lost() {
        let mut small = History::new(Room { memory: 100, folder: None });
        small.reserve(100).unwrap();
        small.push(7);
        // A vector may have taken more than it was asked for.
        assert_eq!(small.reserve(1000), Err(LimitReached::Memory { needed: 1000, free: 100 }));
        let nowhere = std::env::temp_dir().join("bouton-no-such-folder/at-all");
        let mut lost = History::new(Room { memory: 100, folder: Some(nowhere) });
        lost.reserve(1).unwrap();
        lost.push(7);
        assert_eq!(
            lost.reserve(1000),
            Err(LimitReached::Disk { needed: 1000, why: io::ErrorKind::NotFound })
        );
        assert_eq!((&small[..], &lost[..]), (&[7][..], &[7][..]));
    }
}

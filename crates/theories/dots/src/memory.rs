//! Zero-initialised words of memory, in huge pages if the system has them. Otherwise every random
//! access would also miss the translation of its address.

use memmap2::{MmapMut, MmapOptions};
use std::fs::File;
use std::io;
use std::sync::atomic::AtomicU64;

/// Words that threads share.
#[derive(Debug)]
pub(super) enum SharedWords {
    Mapped(MmapMut),
    Owned(Vec<AtomicU64>),
}

impl SharedWords {
    /// Allocates `count` words.
    pub fn new(count: usize) -> SharedWords {
        match MmapMut::map_anon(8 * count) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                SharedWords::Mapped(map)
            }
            Err(_) => SharedWords::Owned((0..count).map(|_| AtomicU64::new(0)).collect()),
        }
    }

    /// Maps `count` words of a file from the byte `start`, which must begin a page.
    pub fn in_file(file: &File, start: u64, count: usize) -> io::Result<SharedWords> {
        // SAFETY: no other process should change the file. If one does, words are wrong, but memory
        // is safe.
        Ok(SharedWords::Mapped(unsafe {
            MmapOptions::new().offset(start).len(8 * count).map_mut(file)?
        }))
    }

    #[inline]
    pub fn all(&self) -> &[AtomicU64] {
        match self {
            // SAFETY: the mapping is aligned to a page, its length is a multiple of 8, it lives as
            // long as `self`, and all accesses go through this function as atomic words.
            SharedWords::Mapped(map) => unsafe {
                std::slice::from_raw_parts(map.as_ptr().cast::<AtomicU64>(), map.len() / 8)
            },
            SharedWords::Owned(words) => words,
        }
    }
}

/// Prefetches the cache line that begins with these words.
#[inline]
pub(super) fn prefetch(words: &[AtomicU64]) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of an existing address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(words.as_ptr().cast::<i8>(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}

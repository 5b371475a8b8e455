//! Words of memory, zero at first, in large pages where the system has them: without them every look at a random place
//! would also miss the translation of its address.

use memmap2::{MmapMut, MmapOptions};
use std::fs::File;
use std::io;
use std::sync::atomic::AtomicU64;

/// Words that threads share.
#[derive(Debug)]
pub(super) enum Words {
    Mapped(MmapMut),
    Owned(Vec<AtomicU64>),
}

impl Words {
    /// So many words.
    pub fn new(count: usize) -> Words {
        match MmapMut::map_anon(8 * count) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                Words::Mapped(map)
            }
            Err(_) => Words::Owned((0..count).map(|_| AtomicU64::new(0)).collect()),
        }
    }

    /// So many words of a file, from a byte on that begins a page.
    pub fn in_file(file: &File, start: u64, count: usize) -> io::Result<Words> {
        // SAFETY: nobody else is to change the file meanwhile; if somebody does, words are wrong, memory is not.
        Ok(Words::Mapped(unsafe { MmapOptions::new().offset(start).len(8 * count).map_mut(file)? }))
    }

    #[inline]
    pub fn all(&self) -> &[AtomicU64] {
        match self {
            // SAFETY: the mapping is aligned to a page, its length is a multiple of 8, it lives as long as `self`, and
            // it is reached only as atomic words through this function.
            Words::Mapped(map) => unsafe {
                std::slice::from_raw_parts(map.as_ptr().cast::<AtomicU64>(), map.len() / 8)
            },
            Words::Owned(words) => words,
        }
    }
}

/// Asks for the line of the processor's cache that begins with these words ahead of time.
#[inline]
pub(super) fn prefetch(words: &[AtomicU64]) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint on an address that exists.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(words.as_ptr().cast::<i8>(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}

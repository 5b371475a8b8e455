//! Heaps of tokens, as positions hold them.

use std::fmt;
use std::hash::Hash;
use std::ops::ControlFlow::{self, Continue};
use std::ops::{Deref, DerefMut};

/// The most heaps that [`Heaps`] holds.
pub const MAX_HEAPS: usize = 15;

/// Rows or heaps in any number, for games whose position lists them.
pub type Rows = smallvec::SmallVec<[u32; 8]>;

/// A list of heaps as a position: [`Heaps`] or [`Rows`].
pub trait HeapList:
    Clone + Eq + Ord + Hash + fmt::Debug + Send + Sync + DerefMut<Target = [u32]> + 'static
{
    /// Returns the heaps in this order.
    fn of(heaps: &[u32]) -> Self;

    /// Returns the same heaps in the same order without the empty ones.
    fn closed_up(&self) -> Self;
}

/// Visits all lists of `n` heaps of at most `max`, in lexicographic order.
pub fn positions_in_box<P: HeapList, B>(
    n: usize,
    max: u32,
    visit: impl FnMut(P) -> ControlFlow<B>,
) -> ControlFlow<B> {
    positions_up_to_sides(&vec![max; n], visit)
}

/// As [`positions_in_box`], with a greatest value for each number of its own.
pub fn positions_up_to_sides<P: HeapList, B>(
    most: &[u32],
    mut visit: impl FnMut(P) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut p = P::of(&vec![0; most.len()]);
    loop {
        visit(p.clone())?;
        let last = (0..most.len()).rev().find(|place| p[*place] < most[*place]);
        let Some(last) = last else { return Continue(()) };
        p[last] += 1;
        p[last + 1..].fill(0);
    }
}

impl HeapList for Heaps {
    #[inline]
    fn of(heaps: &[u32]) -> Heaps {
        Heaps::from(heaps)
    }

    #[inline]
    fn closed_up(&self) -> Heaps {
        if !self.contains(&0) {
            return *self;
        }
        let mut left = Heaps::empty(0);
        for heap in self.iter().filter(|heap| **heap > 0) {
            left.heaps[left.len as usize] = *heap;
            left.len += 1;
        }
        left
    }
}

impl HeapList for Rows {
    #[inline]
    fn of(heaps: &[u32]) -> Rows {
        Rows::from_slice(heaps)
    }

    #[inline]
    fn closed_up(&self) -> Rows {
        self.iter().copied().filter(|heap| *heap > 0).collect()
    }
}

/// A fixed, small number of heaps (at most [`MAX_HEAPS`]), each of 0..2³² tokens, in one cache line
/// and `Copy`.
///
/// For games on a fixed circle or row, where the option visitor's speed counts. Ordered
/// lexicographically.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Heaps {
    heaps: [u32; MAX_HEAPS],
    len: u32,
}

impl Heaps {
    /// Returns `len` empty heaps, at most [`MAX_HEAPS`].
    #[inline]
    pub fn empty(len: usize) -> Heaps {
        assert!(len <= MAX_HEAPS, "at most {MAX_HEAPS} heaps, not {len}");
        Heaps { heaps: [0; MAX_HEAPS], len: len as u32 }
    }

    /// Tokens in all.
    #[inline]
    pub fn total(&self) -> u64 {
        self.iter().map(|h| u64::from(*h)).sum()
    }

    /// Returns the heaps turned by `by` places: heap `by` comes first.
    #[inline]
    pub fn rotated(&self, by: usize) -> Heaps {
        let mut turned = *self;
        turned.rotate_left(by);
        turned
    }
}

impl From<&[u32]> for Heaps {
    #[inline]
    fn from(heaps: &[u32]) -> Heaps {
        let mut all = Heaps::empty(heaps.len());
        all.copy_from_slice(heaps);
        all
    }
}

impl<const N: usize> From<[u32; N]> for Heaps {
    fn from(heaps: [u32; N]) -> Heaps {
        Heaps::from(&heaps[..])
    }
}

impl Deref for Heaps {
    type Target = [u32];
    #[inline]
    fn deref(&self) -> &[u32] {
        &self.heaps[..self.len as usize]
    }
}

impl DerefMut for Heaps {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.heaps[..self.len as usize]
    }
}

impl fmt::Debug for Heaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

//! Where the last bytes of a sequence stood before: the first look for a period.

use super::kernel::Kernel;
use super::space::COMMON;
use bouton_simd::Simd;
use std::ops::Range;

/// Distances compared at once.
const STRIDE: usize = 256;

/// The last values that must be repeated for a closer look.
const REPEATED: usize = 8;

/// Heaps compared at once.
const STRETCH: usize = 4096;

/// The least distance in `distances` at which the last bytes are repeated, but for the class, which odd distances turn in a space by
/// position; or which reaches past the first heap.
pub fn next(simd: Simd, bytes: &[u8], distances: Range<usize>) -> Option<usize> {
    let Some(last) = bytes.len().checked_sub(REPEATED) else { return distances.min() };
    let end: [u8; REPEATED] = std::array::from_fn(|j| bytes[last + j]);
    let four: [u8; 4] = std::array::from_fn(|j| end[j]);
    let fits = |distance: &usize| {
        let at = last.checked_sub(*distance);
        at.is_none_or(|at| (0..REPEATED).all(|j| (bytes[at + j] ^ end[j]) & !COMMON == 0))
    };
    let mut from = distances.start;
    while from < distances.end {
        let to = distances.end.min(from + STRIDE);
        let whole =
            last.checked_sub(from + STRIDE - 1).and_then(|at| bytes.get(at..at + STRIDE + REPEATED - 1));
        // Where values are many, few are left after four.
        let seen = |whole: &[u8]| {
            Kernel(simd).repeats(&whole[..STRIDE + 3], &four, !COMMON)
                && Kernel(simd).repeats(whole, &end, !COMMON)
        };
        let hit = whole.is_none_or(seen);
        if let Some(found) = hit.then(|| (from..to).find(fits)).flatten() {
            return Some(found);
        }
        from = to;
    }
    None
}

/// A place from which on the bytes before `end` are those `period` before, as far as whole stretches go.
pub fn equal_from(bytes: &[u8], period: usize, mut end: usize) -> usize {
    while end >= period + STRETCH && bytes[end - STRETCH..end] == bytes[end - period - STRETCH..end - period]
    {
        end -= STRETCH;
    }
    end
}

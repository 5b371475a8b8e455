//! First test for a period: earlier occurrences of the last bytes of a sequence.

use super::kernel::Kernel;
use super::space::COMMON;
use bouton_simd::Simd;
use std::ops::Range;

/// Number of distances compared at once.
const STRIDE: usize = 256;

/// Number of last values that must repeat.
const REPEATED: usize = 8;

/// Number of heaps compared at once.
const STRETCH: usize = 4096;

/// Returns the least distance in `distances` at which the last bytes repeat, or which reaches past
/// the first heap.
///
/// The class is ignored, because odd distances flip it in a space by position.
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
        let whole = last
            .checked_sub(from + STRIDE - 1)
            .and_then(|at| bytes.get(at..at + STRIDE + REPEATED - 1));
        // Among many values, few distances survive a comparison of four.
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

/// Returns a heap from which on the bytes before `end` equal those `period` earlier, in whole
/// stretches.
pub fn equal_from(bytes: &[u8], period: usize, mut end: usize) -> usize {
    while end >= period + STRETCH
        && bytes[end - STRETCH..end] == bytes[end - period - STRETCH..end - period]
    {
        end -= STRETCH;
    }
    end
}

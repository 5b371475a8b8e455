//! What games with heaps in fixed places share: parameters of circles, the least image of a circle,
//! boxes.

use bouton_core::{HeapList, MAX_HEAPS, NotationError, Scanner};

/// Reads `(n,k` with 1 ≤ k ≤ n ≤ [`MAX_HEAPS`].
pub fn parameters(scanner: &mut Scanner<'_>) -> Result<(usize, usize), NotationError> {
    scanner.expect("(")?;
    let start = scanner.at();
    let n = scanner.number("the number of heaps n", MAX_HEAPS as u64)? as usize;
    if n == 0 {
        return Err(scanner.error(start..scanner.at(), "a circle needs at least one heap"));
    }
    scanner.expect(",")?;
    let start = scanner.at();
    let k = scanner.number("the window k", u64::MAX)? as usize;
    if k == 0 || k > n {
        return Err(scanner.error(
            start..scanner.at(),
            format!("a window of k = {k} heaps needs 1 <= k <= n = {n}"),
        ));
    }
    Ok((n, k))
}

/// Returns the lexicographically least of all rotations and reflections, at most [`MAX_HEAPS`]
/// heaps. O(n) where the circle fits a word, else O(n) for each heap that is minimal.
#[inline]
pub fn least_image<P: HeapList>(mut p: P) -> P {
    let n = p.len();
    if n == 0 || n > 8 || p.iter().any(|heap| *heap > 0xff) {
        return least_of_long(p);
    }
    // A byte a heap, the first one on top: words are ordered as the lists are.
    let mut round = p.iter().fold(0, |word, heap| word << 8 | u64::from(*heap));
    let mut back = round.swap_bytes() >> (64 - 8 * n);
    let mut best = round.min(back);
    for _ in 1..n {
        round = (round & 0xff) << (8 * n - 8) | round >> 8;
        back = (back & 0xff) << (8 * n - 8) | back >> 8;
        best = best.min(round).min(back);
    }
    for heap in p.iter_mut().rev() {
        *heap = best as u32 & 0xff;
        best >>= 8;
    }
    p
}

#[inline(never)]
fn least_of_long<P: HeapList>(mut p: P) -> P {
    let n = p.len();
    let Some(least) = p.iter().copied().min() else { return p };
    // Twice round, each way: an image is n heaps in a row.
    let (mut round, mut back) = ([0; 2 * MAX_HEAPS], [0; 2 * MAX_HEAPS]);
    for (i, heap) in p.iter().enumerate() {
        (round[i], round[n + i]) = (*heap, *heap);
        (back[n - 1 - i], back[2 * n - 1 - i]) = (*heap, *heap);
    }
    let mut best = &round[..n];
    for start in (0..n).filter(|i| p[*i] == least) {
        let mirrored = n - 1 - start;
        for image in [&round[start..start + n], &back[mirrored..mirrored + n]] {
            if image < best {
                best = image;
            }
        }
    }
    p.copy_from_slice(best);
    p
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::{Heaps, positions_in_box};
    use std::ops::ControlFlow::Continue;

    #[test]
    fn the_least_image_is_the_least_of_all() {
        let _ = positions_in_box(5, 3, |p: Heaps| {
            let turned = (0..5).map(|by| p.rotated(by));
            let mut back = p;
            back.reverse();
            let least = turned.chain((0..5).map(|by| back.rotated(by))).min();
            assert_eq!(Some(least_image(p)), least);
            assert_eq!(Some(least_of_long(p)), least);
            Continue::<()>(())
        });
        // Sizes on both sides of a byte, circles on both sides of a word.
        for n in 1..=10 {
            for seed in 0..300u32 {
                let heap = |i: u32| {
                    (seed.wrapping_mul(2_654_435_761).wrapping_add(i * 40_503) >> 7) % (2 + seed)
                };
                let p = Heaps::from(&(0..n).map(heap).collect::<Vec<_>>()[..]);
                assert_eq!(least_image(p), least_of_long(p));
            }
        }
        for n in 1..4 {
            let _ = positions_in_box(n, 2, |p: Heaps| {
                let mut sorted = p;
                sorted.sort_unstable();
                assert_eq!(least_image(p), sorted);
                Continue::<()>(())
            });
        }
    }
}

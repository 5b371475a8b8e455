//! What games with heaps in fixed places share: parameters of circles, the least image of a circle, boxes.

use bouton_rules::{HeapList, MAX_HEAPS, NotationError, Scanner};
use std::cmp::Ordering;
use std::ops::ControlFlow::{self, Continue};

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
        return Err(
            scanner.error(start..scanner.at(), format!("a window of k = {k} heaps needs 1 <= k <= n = {n}"))
        );
    }
    Ok((n, k))
}

/// The lexicographically least of all rotations and reflections. O(n) for each heap that is minimal.
pub fn least_image<P: HeapList>(p: P) -> P {
    let heaps: &[u32] = &p;
    let n = heaps.len();
    let Some(least) = heaps.iter().min() else { return p };
    // An image is where it starts and which way it runs (+1 or n−1 steps each).
    let image = |start: usize, step: usize| {
        let mut place = start;
        (0..n).map(move |_| {
            let here = place;
            place += step;
            place -= if place >= n { n } else { 0 };
            here
        })
    };
    let mut best = (0, 1);
    let mut found = false;
    for start in (0..n).filter(|i| heaps[*i] == *least) {
        for step in [1, n - 1] {
            let less = || {
                let pairs = image(start, step).zip(image(best.0, best.1));
                pairs.map(|(i, j)| heaps[i].cmp(&heaps[j])).find(|order| order.is_ne())
                    == Some(Ordering::Less)
            };
            if !found || less() {
                (best, found) = ((start, step), true);
            }
        }
    }
    let mut least = p.clone();
    let places: &mut [u32] = &mut least;
    places.iter_mut().zip(image(best.0, best.1)).for_each(|(to, from)| *to = heaps[from]);
    least
}

/// Visits all lists of `n` heaps of at most `max`, in lexicographic order.
pub fn boxed<P: HeapList, B>(
    n: usize,
    max: u32,
    mut visit: impl FnMut(P) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut p = P::of(&vec![0; n]);
    loop {
        visit(p.clone())?;
        let Some(last) = p.iter().rposition(|heap| *heap < max) else { return Continue(()) };
        p[last] += 1;
        p[last + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_rules::Heaps;

    #[test]
    fn the_least_image_is_the_least_of_all() {
        let _ = boxed(5, 3, |p: Heaps| {
            let turned = (0..5).map(|by| p.rotated(by));
            let mut back = p;
            back.reverse();
            let least = turned.chain((0..5).map(|by| back.rotated(by))).min();
            assert_eq!(Some(least_image(p)), least);
            Continue::<()>(())
        });
        for n in 1..4 {
            let _ = boxed(n, 2, |p: Heaps| {
                let mut sorted = p;
                sorted.sort_unstable();
                assert_eq!(least_image(p), sorted);
                Continue::<()>(())
            });
        }
    }
}

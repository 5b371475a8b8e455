//! Who wins on heaps whose moves take any number from a window, by marking: every position below
//! the one asked for, in lexicographic order. One that is not marked is P, and then all positions
//! are marked from which a move leads to it.
//!
//! It knows the windows and nothing else: no symmetry, no tables shared with the engines. As many
//! positions as the box below has are visited, and each P-position's predecessors; a bit a position
//! is kept.

use bouton_core::{HeapGame, Play};

/// Positions at and below the one asked for, at most.
const WITHIN: u64 = 1 << 26;
/// Marks made, at most.
const MARKS: u64 = 1 << 34;
/// Heaps, at most: sets of them are listed.
const MAX_HEAPS: usize = 10;
/// Windows of one circle, at most.
const WINDOWS: usize = 2000;

/// Returns whether the player to move loses; `None` if the game has other moves, or that takes too
/// long. Heaps of a circle that closes up are those that are left.
pub(super) fn is_lost(stated: &HeapGame, play: Play, heaps: &[u64]) -> Option<bool> {
    let n = heaps.len();
    if stated.moves.condition.is_some()
        || stated.moves.permutation.is_some()
        || n == 0
        || n > MAX_HEAPS
    {
        return None;
    }
    if !stated.shrinks && n != stated.heaps {
        return None;
    }
    let mut size = 1u64;
    // The first heap changes slowest.
    let mut strides = vec![0usize; n];
    for (i, heap) in heaps.iter().enumerate().rev() {
        strides[i] = usize::try_from(size).ok()?;
        size = size.checked_mul(heap.checked_add(1)?).filter(|size| *size <= WITHIN)?;
    }
    let sides: Vec<usize> = heaps.iter().map(|heap| *heap as usize + 1).collect();
    let raises = raises(stated, n)?;
    let mut marked = vec![0u64; (size as usize).div_ceil(64)];
    let mut p = vec![0usize; n];
    let mut left = MARKS;
    for at in 0..size as usize {
        let over = at == 0 && play == Play::Misere;
        if marked[at / 64] >> (at % 64) & 1 == 0 && !over {
            if at as u64 == size - 1 {
                return Some(true);
            }
            let mask =
                p.iter().enumerate().fold(0, |mask, (i, heap)| mask | usize::from(*heap > 0) << i);
            for raised in &raises[mask] {
                mark(&mut marked, &mut left, at, raised, &p, &sides, &strides);
            }
            if left == 0 {
                return None;
            }
        }
        for i in (0..n).rev() {
            p[i] += 1;
            if p[i] < sides[i] {
                break;
            }
            p[i] = 0;
        }
    }
    Some(false)
}

/// Returns for every set of heaps that are not empty, as bits, the sets of heaps that a move may
/// have lowered to get there.
fn raises(stated: &HeapGame, n: usize) -> Option<Vec<Vec<Vec<usize>>>> {
    let windows: Vec<Vec<Vec<usize>>> =
        (0..=n).map(|m| stated.moves.windows.on_heaps(m, WINDOWS)).collect::<Option<_>>()?;
    let among = |mask: usize, raised: usize| {
        let full = (1 << n) - 1;
        // The circle before the move: on one that closes up, only the heaps that were there.
        let circle: Vec<usize> = (0..n)
            .filter(|i| (if stated.shrinks { mask | raised } else { full }) >> i & 1 == 1)
            .collect();
        let covers = |window: &Vec<usize>| {
            let window = window.iter().fold(0, |bits, place| bits | 1 << circle[*place]);
            raised & !window == 0
        };
        windows[circle.len()].iter().any(covers)
    };
    let bits = |set: usize| (0..n).filter(|i| set >> i & 1 == 1).collect::<Vec<usize>>();
    let sets = |mask| (1..1 << n).filter(|raised| among(mask, *raised)).map(bits).collect();
    Some((0..1usize << n).map(sets).collect())
}

/// Marks the positions that are `p`, found at `at`, with more on each of the heaps `raised`.
fn mark(
    marked: &mut [u64],
    left: &mut u64,
    at: usize,
    raised: &[usize],
    p: &[usize],
    sides: &[usize],
    strides: &[usize],
) {
    let Some((&heap, rest)) = raised.split_first() else {
        marked[at / 64] |= 1 << (at % 64);
        return;
    };
    let steps = sides[heap] - p[heap];
    if rest.is_empty() {
        *left = left.saturating_sub(steps as u64);
    }
    for more in 1..steps {
        mark(marked, left, at + more * strides[heap], rest, p, sides, strides);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the rules of Nim in both plays, and the published forms of CN(4,2) and SCN(4,2).
    #[test]
    fn what_is_known_of_small_games() {
        let stated = |name: &str| bouton_games::parse(name).unwrap().game.heap_game().unwrap();
        let found = |name: &str, play, heaps: &[u64]| is_lost(&stated(name), play, heaps).unwrap();
        for (a, b, c) in
            (0..6).flat_map(|a| (0..6).flat_map(move |b| (0..6).map(move |c| (a, b, c))))
        {
            assert_eq!(found("nim(3)", Play::Normal, &[a, b, c]), a ^ b ^ c == 0);
            let misere = if a.max(b).max(c) >= 2 { a ^ b ^ c == 0 } else { a ^ b ^ c == 1 };
            assert_eq!(found("nim(3)", Play::Misere, &[a, b, c]), misere);
            assert_eq!(found("CN(4,2)", Play::Normal, &[a, b, c, 2]), a == c && b == 2);
        }
        for heaps in [[1, 2, 1, 2], [3, 1, 3, 1], [2, 2, 2, 2], [1, 2, 2, 1]] {
            let [a, b, c, d] = heaps;
            assert_eq!(
                found("SCN(4,2)", Play::Normal, &heaps),
                a == c && b == d && a != b,
                "{heaps:?}"
            );
        }
        assert!(
            found("SCN(4,2)", Play::Normal, &[3, 3, 3])
                && !found("SCN(4,2)", Play::Normal, &[3, 3, 2])
        );
        assert_eq!(is_lost(&stated("CN(6,4)"), Play::Normal, &[1 << 20; 6]), None);
        assert_eq!(is_lost(&stated("wythoff"), Play::Normal, &[1, 2]), None);
    }
}

//! Circles that close up: SCN(n,k) by the row sweep, with the results of smaller circles forced.
//!
//! A position with an emptied heap is one of the smaller circle, so inside the box its outcome is known beforehand;
//! only rows whose other heaps all stand are searched. Source of the game: *Shrinking Circular Nim*, whose Theorem 2.3 is tested below.

use super::rows::{Row, run};
use super::{BoxError, Windows};
use std::ops::ControlFlow;

/// The P-position of each row of one circle, by all heaps but the last in mixed radix; `None` where there is none.
struct Circle {
    side: usize,
    last: Vec<Option<u32>>,
}

impl Circle {
    fn at(&self, others: impl Iterator<Item = u32>) -> Option<u32> {
        self.last[others.fold(0, |at, h| at * self.side + h as usize)]
    }
}

/// Visits all P-positions of SCN(n,k) with heaps in 1..=`max`, all n of them standing, in lexicographic order until
/// `visit` breaks. The tables of the smaller circles count against `limit`, in bytes, as the slab does.
pub fn sweep<B>(
    n: usize,
    k: usize,
    max: u32,
    limit: u64,
    mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, BoxError> {
    if k == 0 {
        return Err(BoxError::EmptyWindow);
    }
    let game = Windows::circular(n, k)?;
    let need = |max: u32| {
        let rows = |m: usize| (u64::from(max) + 1).saturating_pow(m as u32 - 1);
        let tables = (1..n).fold(0u64, |sum, m| sum.saturating_add(rows(m).saturating_mul(8)));
        super::rows::plan(&game, max, u64::MAX).map(|plan| plan.bytes.saturating_add(tables))
    };
    let bytes = need(max)?;
    if bytes > limit {
        let fits = (0..max).rev().find(|m| need(*m).is_ok_and(|bytes| bytes <= limit));
        return Err(BoxError::TooLarge { max, bytes, limit, fits });
    }
    let side = max as usize + 1;
    // A circle of one heap: only the empty one is P.
    let mut smaller = vec![Circle { side, last: vec![Some(0)] }];
    for m in 2..n {
        let mut circle = Circle { side, last: vec![None; side.pow(m as u32 - 1)] };
        let game = Windows::circular(m, k)?;
        let done = run::<()>(
            &game,
            max,
            limit,
            |p| rule(&smaller, p),
            |p| {
                let at = p[..m - 1].iter().fold(0, |at, h| at * side + *h as usize);
                circle.last[at] = Some(p[m - 1]);
                ControlFlow::Continue(())
            },
        )?;
        debug_assert!(done.is_continue());
        smaller.push(circle);
    }
    run(
        &game,
        max,
        limit,
        |p| rule(&smaller, p),
        |p| {
            if p.contains(&0) { ControlFlow::Continue(()) } else { visit(p) }
        },
    )
}

/// `smaller[m]` is the circle of m + 1 heaps; `p` are all heaps of the next circle but the last.
fn rule(smaller: &[Circle], p: &[u32]) -> Row {
    let standing = p.iter().filter(|h| **h > 0).count();
    if standing < p.len() {
        return Row::Forced(smaller[standing].at(p.iter().copied().filter(|h| *h > 0)));
    }
    let (last, others) = (p[p.len() - 1], &p[..p.len() - 1]);
    if smaller[others.len()].at(others.iter().copied()) == Some(last) {
        Row::Forced(Some(0))
    } else {
        Row::Search(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    fn swept(n: usize, k: usize, max: u32) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let done = sweep::<()>(n, k, max, 1 << 28, |p| {
            all.push(p.to_vec());
            ControlFlow::Continue(())
        });
        assert_eq!(done, Ok(ControlFlow::Continue(())));
        all
    }

    /// The rules alone: lower heaps of a window, drop the empty ones, look whether the position left is P.
    fn is_p(k: usize, p: &[u32], known: &mut FxHashMap<Vec<u32>, bool>) -> bool {
        if let Some(answer) = known.get(p) {
            return *answer;
        }
        let mut answer = true;
        for start in 0..p.len() {
            let window: Vec<usize> = (0..k.min(p.len())).map(|i| (start + i) % p.len()).collect();
            let choices: u32 = window.iter().map(|i| p[*i] + 1).product();
            for code in 1..choices {
                let (mut q, mut code) = (p.to_vec(), code);
                for i in &window {
                    q[*i] -= code % (p[*i] + 1);
                    code /= p[*i] + 1;
                }
                q.retain(|h| *h > 0);
                answer &= !is_p(k, &q, known);
            }
        }
        known.insert(p.to_vec(), answer);
        answer
    }

    #[test]
    fn like_brute_force() {
        for (n, max) in [(2, 9u32), (3, 8), (4, 6), (5, 4), (6, 3)] {
            for k in 1..=n {
                let mut known = FxHashMap::default();
                let all = (0..max.pow(n as u32)).map(|code| {
                    (0..n).map(|i| code / max.pow((n - 1 - i) as u32) % max + 1).collect::<Vec<u32>>()
                });
                let brute: Vec<Vec<u32>> = all.filter(|p| is_p(k, p, &mut known)).collect();
                assert_eq!(swept(n, k, max), brute, "SCN({n},{k})");
            }
        }
    }

    /// SCN(4,2), Theorem 2.3 of the paper: (a,b,a,b) with a ≠ b.
    #[test]
    fn shrinking_four_two() {
        let theorem = (1..=30).flat_map(|a| (1..=30).filter(move |b| a != *b).map(move |b| vec![a, b, a, b]));
        assert_eq!(swept(4, 2, 30), theorem.collect::<Vec<_>>());
    }
}

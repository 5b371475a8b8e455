//! Circles that close up: SCN(n,k) by the row sweep, with the results of smaller circles forced.
//!
//! A position with an emptied heap is one of the smaller circle, so inside the box its outcome is
//! known beforehand; only rows whose other heaps all stand are searched. The rules say what an
//! emptied heap does in misère play too: only the empty circle has no move. Nim-values are found in
//! the same way. Source of the game: *Shrinking Circular Nim*, whose Theorem 2.3 is tested below.

use super::rows::{Limits, MAX_SIDE, Plan, Rule, plan_within, positions, run};
use super::values::{self, FREE};
use super::words::Word;
use super::{HeapTableError, Windows};
use bouton_core::{MAX_HEAPS, Play};
use bouton_simd::Simd;
use std::ops::ControlFlow::{self, Break, Continue};

/// Where a row has no P-position.
const NONE: u16 = u16::MAX;

/// The P-position of each row of one circle, by all heaps but the last in mixed radix.
struct Circle {
    heaps: usize,
    side: usize,
    last: Vec<u16>,
}

impl Circle {
    fn at(&self, others: impl Iterator<Item = u32>) -> Option<usize> {
        let last = self.last[others.fold(0, |at, heap| at * self.side + heap as usize)];
        (last != NONE).then_some(last.into())
    }

    /// Returns the next P-position after row `from` with all heaps standing, and the row after it.
    fn next(&self, from: usize, p: &mut [u32; MAX_HEAPS]) -> Option<usize> {
        let digit =
            |row: usize, i: usize| row / self.side.pow((self.heaps - 2 - i) as u32) % self.side;
        let stands = |row: &usize| {
            ![NONE, 0].contains(&self.last[*row]) && (0..self.heaps - 1).all(|i| digit(*row, i) > 0)
        };
        let row = (from..self.last.len()).find(stands)?;
        (0..self.heaps - 1).for_each(|i| p[i] = digit(row, i) as u32);
        p[self.heaps - 1] = self.last[row].into();
        Some(row + 1)
    }
}

/// `circles[m]` is the circle of m + 1 heaps; the sweep is of the next larger.
pub(super) struct Smaller(Vec<Circle>);

impl Smaller {
    /// Writes what a line of the next larger circle is known to be; see [`Rule::line`].
    #[inline(never)]
    pub fn line<W: Word>(&self, p: &[u32], reached: &mut [W]) {
        let all = W::below(W::BITS);
        let (heaps, side) = (self.0.len() + 1, self.0[0].side);
        let standing = p.iter().filter(|heap| **heap > 0).count();
        let others = || p.iter().copied().filter(|heap| *heap > 0);
        for (x, row) in reached[..side].iter_mut().enumerate() {
            let x = (x > 0).then_some(x as u32);
            let left = standing + usize::from(x.is_some());
            if left < heaps - 1 {
                let known = self.0[left].at(others().chain(x));
                *row = known.map_or(all, |y| all.minus(W::one(y)));
            } else {
                // The last heap emptied leaves the others.
                let known = self.0[left - 1].at(others()) == x.map(|x| x as usize);
                *row = if known { all.minus(W::one(0)) } else { row.or(W::one(0)) };
            }
        }
    }
}

/// Plans the sweep of SCN(n,k), the tables of the smaller circles included.
pub fn plan(n: usize, k: usize, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
    if k == 0 {
        return Err(HeapTableError::EmptyWindow);
    }
    let game = Windows::circular(n, k)?;
    let free = Limits { bytes: u64::MAX, ..limits };
    let need = |max: u32, threads: usize| {
        let rows = |m: usize| (u64::from(max) + 1).saturating_pow(m as u32 - 1);
        let tables = (1..n).fold(0u64, |sum, m| sum.saturating_add(rows(m).saturating_mul(2)));
        let plan = plan_within(&game, max, Limits { threads, ..free });
        plan.map_or(u64::MAX, |plan| plan.bytes.saturating_add(tables))
    };
    let words = plan_within(&game, max.min(MAX_SIDE as u32 - 1), free)?.words;
    limits.admit(max, positions(n, max), words, MAX_SIDE as u32 - 1, need)
}

/// Visits all P-positions of SCN(n,k) with heaps in 1..=`max`, all n of them standing, in
/// lexicographic order until `visit` breaks. The tables of the smaller circles count against
/// `limit`, in bytes, as the slab does.
pub fn sweep<B>(
    n: usize,
    k: usize,
    max: u32,
    limit: u64,
    mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, HeapTableError> {
    let limits = Limits::bytes(limit);
    sweep_all(
        n,
        k,
        max,
        Play::Normal,
        limits,
        |_| Continue(()),
        |p| {
            if p.len() == n { visit(p) } else { Continue(()) }
        },
    )
}

/// Visits all P-positions of at most n heaps in 1..=`max`, in lexicographic order, a circle before
/// those that go on from it, until `visit` or `progress` breaks; `progress` receives from time to
/// time the number of positions settled since.
pub fn sweep_all<B>(
    n: usize,
    k: usize,
    max: u32,
    play: Play,
    limits: Limits,
    mut progress: impl FnMut(u128) -> ControlFlow<B>,
    mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, HeapTableError> {
    let threads = plan(n, k, max, limits)?.threads;
    let side = max as usize + 1;
    // A circle of one heap: in normal play only the empty one is P, in misère play only the single
    // token.
    let lone = match play {
        Play::Normal => 0,
        Play::Misere if max == 0 => NONE,
        Play::Misere => 1,
    };
    let mut rule = Rule::Closes(Smaller(vec![Circle { heaps: 1, side, last: vec![lone] }]));
    for m in 2..n {
        let mut last = vec![NONE; side.pow(m as u32 - 1)];
        let done = run(&Windows::circular(m, k)?, max, threads, &rule, |part| {
            let _ = part.each::<()>(|p| {
                last[p[..m - 1].iter().fold(0, |at, h| at * side + *h as usize)] = p[m - 1] as u16;
                Continue(())
            });
            progress(part.positions)
        });
        if let Break(end) = done {
            return Ok(Break(end));
        }
        if let Rule::Closes(smaller) = &mut rule {
            smaller.0.push(Circle { heaps: m, side, last });
        }
    }
    let circles = match &rule {
        Rule::Closes(smaller) => &smaller.0[..],
        _ => &[],
    };
    // The smaller circles' own P-positions, each list in order, merged as the largest circle's
    // come.
    let mut lists: Vec<Option<(usize, [u32; MAX_HEAPS])>> = Vec::new();
    for circle in circles {
        let mut p = [0; MAX_HEAPS];
        lists.push(circle.next(0, &mut p).map(|row| (row, p)));
    }
    let mut catch_up = |before: Option<&[u32]>, visit: &mut dyn FnMut(&[u32]) -> ControlFlow<B>| {
        loop {
            let heads = lists
                .iter()
                .enumerate()
                .filter_map(|(i, head)| head.as_ref().map(|(_, p)| (p[..=i].to_vec(), i)));
            let Some((p, which)) = heads.min().filter(|(p, _)| before.is_none_or(|q| p[..] < *q))
            else {
                return Continue(());
            };
            visit(&p)?;
            lists[which] = lists[which]
                .take()
                .and_then(|(row, mut p)| circles[which].next(row, &mut p).map(|row| (row, p)));
        }
    };
    if play == Play::Normal
        && let Break(end) = visit(&[])
    {
        return Ok(Break(end));
    }
    let done = run(&Windows::circular(n, k)?, max, threads, &rule, |part| {
        part.each(|p| {
            if p.contains(&0) {
                return Continue(());
            }
            catch_up(Some(p), &mut visit)?;
            visit(p)
        })?;
        progress(part.positions)
    });
    if let Break(end) = done {
        return Ok(Break(end));
    }
    Ok(catch_up(None, &mut visit))
}

/// Nim-values of the smaller circles, those of m heaps at m, by heaps in mixed radix; those with an
/// emptied heap too.
struct SmallerValues {
    side: usize,
    circles: Vec<Vec<u16>>,
}

impl SmallerValues {
    /// Returns the value of these heaps, of which as many stand as some circle has.
    fn of(&self, heaps: impl Iterator<Item = u32>) -> u16 {
        let (mut count, mut at) = (0, 0);
        for heap in heaps.filter(|heap| *heap > 0) {
            (count, at) = (count + 1, at * self.side + heap as usize);
        }
        self.circles[count][at]
    }

    /// Writes what a line of the next larger circle is known to be; see [`values::Given`].
    fn line(&self, p: &[u32], known: &mut [u16]) -> bool {
        let all = p.contains(&0);
        for (x, row) in (0..).zip(known.chunks_exact_mut(self.side)) {
            for (y, value) in (0..).zip(row) {
                let falls = all || x == 0 || y == 0;
                *value = if falls { self.of(p.iter().copied().chain([x, y])) } else { FREE };
            }
        }
        true
    }
}

/// Plans the sweep of the nim-values of SCN(n,k), those of the smaller circles included.
pub fn plan_values(n: usize, k: usize, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
    if k == 0 {
        return Err(HeapTableError::EmptyWindow);
    }
    let game = Windows::circular(n, k)?;
    let free = |threads: usize| Limits { bytes: u64::MAX, threads };
    let smaller = |max: u32| {
        (0..n).fold(0u64, |sum, m| {
            sum.saturating_add((u64::from(max) + 1).saturating_pow(m as u32).saturating_mul(2))
        })
    };
    let need = |max: u32, threads: usize| {
        let plan = values::plan(&game, max, free(threads));
        plan.map_or(u64::MAX, |plan| plan.bytes.saturating_add(smaller(max)))
    };
    let words = values::plan(&game, max.min(values::MAX_HEAP), free(1))?.words;
    limits.admit(max, positions(n, max), words, values::MAX_HEAP, need)
}

/// Visits the nim-values of all positions of at most n heaps in 1..=`max`, in lexicographic order,
/// a circle before those that go on from it, until `visit` or `progress` breaks.
pub fn sweep_values<B>(
    n: usize,
    k: usize,
    max: u32,
    limits: Limits,
    mut progress: impl FnMut(u128) -> ControlFlow<B>,
    mut visit: impl FnMut(&[u32], u16) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, HeapTableError> {
    let threads = plan_values(n, k, max, limits)?.threads;
    let mut smaller = SmallerValues {
        side: max as usize + 1,
        circles: vec![vec![0], (0..=max as u16).collect()],
    };
    for m in 2..n {
        let mut found = Vec::with_capacity(smaller.side.pow(m as u32));
        let given = |p: &[u32], known: &mut [u16]| smaller.line(p, known);
        let done = values::run(
            Simd::best(),
            &Windows::circular(m, k)?,
            max,
            threads,
            Some(&given),
            |part| {
                found.extend_from_slice(part.values);
                progress(part.values.len() as u128)
            },
        );
        if let Break(end) = done {
            return Ok(Break(end));
        }
        smaller.circles.push(found);
    }
    if let Break(end) = visit(&[], 0) {
        return Ok(Break(end));
    }
    if max == 0 {
        return Ok(Continue(()));
    }
    let given = |p: &[u32], known: &mut [u16]| smaller.line(p, known);
    Ok(values::run(Simd::best(), &Windows::circular(n, k)?, max, threads, Some(&given), |part| {
        part.each(|p, value| {
            if p.contains(&0) {
                return Continue(());
            }
            // The smaller circles that come just before: what is before some last heaps of one
            // token each.
            let ones = p.iter().rev().take_while(|heap| **heap == 1).count();
            for m in (n - ones).max(1)..n {
                visit(&p[..m], smaller.of(p[..m].iter().copied()))?;
            }
            visit(p, value)
        })?;
        progress(part.values.len() as u128)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    fn swept(n: usize, k: usize, max: u32) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let done = sweep::<()>(n, k, max, 1 << 28, |p| {
            all.push(p.to_vec());
            Continue(())
        });
        assert_eq!(done, Ok(Continue(())));
        all
    }

    /// Returns the options by the rules alone: lower heaps of a window, drop the empty ones.
    fn options(k: usize, p: &[u32]) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
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
                all.push(q);
            }
        }
        all
    }

    /// Returns whether a position is P, by the rules alone.
    fn is_p(k: usize, p: &[u32], known: &mut FxHashMap<Vec<u32>, bool>) -> bool {
        if let Some(answer) = known.get(p) {
            return *answer;
        }
        let answer = options(k, p).iter().all(|q| !is_p(k, q, known));
        known.insert(p.to_vec(), answer);
        answer
    }

    #[test]
    fn like_brute_force() {
        for (n, max) in [(2, 9u32), (3, 8), (4, 6), (5, 4), (6, 3)] {
            for k in 1..=n {
                let mut known = FxHashMap::default();
                let all = (0..max.pow(n as u32)).map(|code| {
                    (0..n)
                        .map(|i| code / max.pow((n - 1 - i) as u32) % max + 1)
                        .collect::<Vec<u32>>()
                });
                let brute: Vec<Vec<u32>> = all.filter(|p| is_p(k, p, &mut known)).collect();
                assert_eq!(swept(n, k, max), brute, "SCN({n},{k})");
            }
        }
    }

    /// SCN(4,2), Theorem 2.3 of the paper: (a,b,a,b) with a ≠ b.
    #[test]
    fn shrinking_four_two() {
        let theorem =
            (1..=30).flat_map(|a| (1..=30).filter(move |b| a != *b).map(move |b| vec![a, b, a, b]));
        assert_eq!(swept(4, 2, 30), theorem.collect::<Vec<_>>());
    }

    /// SCN(6,4), Conjecture 3.7 of the paper: beside five equal heaps, opposite differences are
    /// equal, with at most one z for each x, y, t; and beside these there are three positions
    /// named. There are others.
    #[test]
    fn shrinking_six_four() {
        let images = |p: &[u32]| -> Vec<Vec<u32>> {
            let at =
                |start: usize, step: usize| (0..6).map(|i| p[(start + i * step) % 6]).collect();
            (0..6).flat_map(|start| [at(start, 1), at(start, 5)]).collect()
        };
        let difference = |p: &[u32]| {
            let t = p[3].checked_sub(p[0])?;
            (p[1] == p[4] + t && p[5] == p[2] + t).then_some((p[0], p[4], t))
        };
        let (mut third, mut others) = (FxHashMap::default(), Vec::new());
        for p in swept(6, 4, 25) {
            let all = images(&p);
            for q in all.iter().filter(|q| difference(q).is_some()) {
                assert_eq!(*third.entry(difference(q)).or_insert(q[2]), q[2], "{q:?}");
            }
            if all.iter().all(|q| difference(q).is_none()) && all.iter().min() == Some(&p) {
                others.push(p);
            }
        }
        let named = [[5, 9, 10, 7, 8, 12], [5, 10, 11, 7, 9, 13], [5, 11, 11, 8, 9, 14]];
        assert!(named.iter().all(|p| others.contains(&p.to_vec())), "{others:?}");
        others.retain(|p| !named.iter().any(|q| q[..] == p[..]));
        assert_eq!(others, [[9, 19, 19, 14, 15, 24], [9, 20, 20, 14, 16, 25]]);
    }

    /// Returns the value by the rules alone.
    fn value(k: usize, p: &[u32], known: &mut FxHashMap<Vec<u32>, u16>) -> u16 {
        if let Some(value) = known.get(p) {
            return *value;
        }
        let reached: Vec<u16> = options(k, p).iter().map(|q| value(k, q, known)).collect();
        let value = (0..).find(|value| !reached.contains(value)).unwrap_or_default();
        known.insert(p.to_vec(), value);
        value
    }

    /// All positions in order, each with its value.
    #[test]
    fn values_like_brute_force() {
        for (n, max) in [(2, 9u32), (2, 17), (3, 6), (4, 4), (5, 3)] {
            for k in 1..=n {
                let (mut known, mut brute) = (FxHashMap::default(), Vec::new());
                for m in 0..=n {
                    for code in 0..max.pow(m as u32) {
                        let p: Vec<u32> =
                            (0..m).map(|i| code / max.pow((m - 1 - i) as u32) % max + 1).collect();
                        let value = value(k, &p, &mut known);
                        brute.push((p, value));
                    }
                }
                brute.sort();
                for threads in [1, 2] {
                    let (mut all, limits) = (Vec::new(), Limits { bytes: 1 << 28, threads });
                    let done = sweep_values::<()>(
                        n,
                        k,
                        max,
                        limits,
                        |_| Continue(()),
                        |p, value| {
                            all.push((p.to_vec(), value));
                            Continue(())
                        },
                    );
                    assert_eq!(done, Ok(Continue(())));
                    assert_eq!(all, brute, "SCN({n},{k})");
                }
            }
        }
    }
}

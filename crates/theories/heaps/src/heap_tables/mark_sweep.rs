//! Games of two or three heaps whose takings lie on lines, where the last heap may be lowered to
//! any size: a row has one P-position at most, and each strikes out the lines through it.
//!
//! Every line along a step holds a bit for each size of its last heap, counted from its first row.
//! A row is settled by the first size that is marked on none of the lines through it: an OR of
//! words of as many lines as there are steps. The mark of a P-position q by takings L + k·s is set
//! when the sweep comes to the row of q + L. If the takings are the same in every order of the
//! heaps, only rows with x ≤ y are searched, from y on; q has its place in the rows of all its
//! orders. O(rows · steps · side / 64), and bits for each line; [`super::LineConeSweep`] keeps rows
//! of whole slabs and settles every word of every row.

use super::line_cone_sweep::{LineConeSweep, MAX_HEAP};
use super::rows::positions;
use super::{HeapTableError, Limits, Plan};
use bouton_core::Play;
use std::ops::ControlFlow::{self, Continue};

/// A row without a P-position so far.
const NONE: u16 = u16::MAX;

/// A game of this kind. Two heaps are three of which the first is empty.
#[derive(Debug, Clone)]
pub(super) struct MarkSweep {
    heaps: usize,
    /// Takings along a step that moves another heap than the last: the step and the least takings.
    along: Vec<([u32; 3], Vec<[u32; 3]>)>,
    /// Single takings.
    single: Vec<[u32; 3]>,
    /// The least takings of those that go on with the last heap alone.
    above: Vec<[u32; 3]>,
    /// The least takings of all moves.
    least: Vec<[u32; 3]>,
    /// Whether the takings are the same in every order of the heaps.
    symmetric: bool,
}

/// The lines along one step.
struct LineFamily {
    step: [usize; 3],
    side: usize,
    /// Words of a line, and the bit of size 0 in its first row.
    words: usize,
    zero: usize,
    marks: Vec<u64>,
}

impl LineFamily {
    /// Returns the words of a line, the bit of size 0 in its first row, and the number of lines.
    fn extent(step: [u32; 3], side: u64) -> [u64; 3] {
        let [first, second, last] = step.map(u64::from);
        let count = |step: u64| (side - 1).checked_div(step).unwrap_or(u64::MAX);
        let zero = count(first).min(count(second)) * last;
        let lines = match [first, second] {
            [0, second] => second.min(side),
            [first, 0] => first.min(side) * side,
            [first, second] => (first.min(side) + second.min(side)) * side,
        };
        [(zero + side) / 64 + 2, zero, lines]
    }

    fn new(step: [u32; 3], side: usize) -> LineFamily {
        let [words, zero, lines] =
            LineFamily::extent(step, side as u64).map(|number| number as usize);
        let step = step.map(|taken| taken as usize);
        LineFamily { step, side, words, zero, marks: vec![0; lines * words] }
    }

    /// Returns the bit of size 0 of a row.
    fn bit(&self, [x, y]: [usize; 2]) -> usize {
        let [first, second, last] = self.step;
        let count = |heap: usize, step: usize| heap.checked_div(step).unwrap_or(usize::MAX);
        let steps = count(x, first).min(count(y, second));
        let (x, y) = (x - steps * first, y - steps * second);
        let line = match (first, second) {
            (0, _) => y,
            _ if x < first => x * self.side + y,
            _ => (first.min(self.side) + y) * self.side + x,
        };
        64 * line * self.words + self.zero - steps * last
    }

    /// Returns the marks of 64 sizes, from this bit on.
    #[inline(always)]
    fn word(&self, bit: usize) -> u64 {
        let (word, shift) = (bit / 64, bit % 64);
        // The other word is moved out whole where the shift is 0.
        self.marks[word] >> shift | self.marks[word + 1] << 1 << (63 - shift)
    }
}

/// Adds an empty heap in front of two.
fn padded(taken: &[u32]) -> Option<[u32; 3]> {
    match *taken {
        [y, z] => Some([0, y, z]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

impl MarkSweep {
    /// Returns the game, if it is of this kind.
    pub(super) fn new(game: &LineConeSweep) -> Option<MarkSweep> {
        let mut marks = MarkSweep {
            heaps: game.heaps(),
            along: Vec::new(),
            single: Vec::new(),
            above: Vec::new(),
            least: Vec::new(),
            symmetric: game.is_symmetric(),
        };
        let mut is_free = false;
        for cone in game.cones() {
            let mut least = padded(&cone.least)?;
            marks.least.push(least);
            match &cone.steps[..] {
                [] => marks.single.push(least),
                [step] => match padded(step)? {
                    step @ [0, 0, taken] if least[..2] == [0, 0] => {
                        is_free |= step == least && taken == 1
                    }
                    [0, 0, 1] => marks.above.push(least),
                    [0, 0, _] => return None,
                    step => {
                        if least[..2] == [0, 0] {
                            // The last heap alone does the least of these takings.
                            least = [step[0], step[1], least[2].checked_add(step[2])?];
                        }
                        match marks.along.iter_mut().find(|(known, _)| *known == step) {
                            Some((_, all)) => all.push(least),
                            None => marks.along.push((step, vec![least])),
                        }
                    }
                },
                _ => return None,
            }
        }
        marks.single.retain(|taken| taken[..2] != [0, 0]);
        is_free.then_some(marks)
    }

    /// Returns how many slabs of rows are kept.
    fn slabs(&self, max: u32) -> usize {
        match (self.heaps, self.symmetric) {
            (2, _) => 1,
            (_, true) => max as usize + 1,
            _ => {
                self.least
                    .iter()
                    .map(|least| least[0])
                    .filter(|back| *back <= max)
                    .max()
                    .unwrap_or(0) as usize
                    + 1
            }
        }
    }

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub(super) fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        let bytes = |max: u32, _: usize| {
            let side = u64::from(max) + 1;
            let lanes = self.along.iter().map(|(step, _)| {
                let [words, _, lines] = LineFamily::extent(*step, side);
                words.saturating_mul(lines).saturating_mul(8)
            });
            lanes.fold(2 * side * self.slabs(max) as u64, u64::saturating_add)
        };
        let all = positions(self.heaps, max);
        limits
            .admit(max, all, max as usize / 64 + 1, MAX_HEAP - 1, bytes)
            .map(|plan| Plan { threads: 1, ..plan })
    }

    /// Returns whether the position with these heaps and an empty last one has no move.
    fn is_stuck(&self, [x, y]: [usize; 2]) -> bool {
        let fits =
            |least: &[u32; 3]| least[0] as usize <= x && least[1] as usize <= y && least[2] == 0;
        !self.least.iter().any(fits)
    }

    /// Visits the P-positions with heaps ≤ `max` in lexicographic order, until `visit` or
    /// `progress` breaks; `progress` receives the number of further positions settled.
    pub(super) fn p_positions<B>(
        &self,
        max: u32,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan(max, limits)?;
        let side = max as usize + 1;
        let mut found =
            LastHeaps { rows: vec![NONE; side * self.slabs(max)], slabs: self.slabs(max), side };
        let mut lanes: Vec<LineFamily> =
            self.along.iter().map(|(step, _)| LineFamily::new(*step, side)).collect();
        let mut bits = vec![0; lanes.len()];
        let mut single = Vec::new();
        let mut run = || {
            for x in 0..if self.heaps == 2 { 1 } else { side } {
                lanes
                    .iter_mut()
                    .filter(|lane| lane.step[0] == 0)
                    .for_each(|lane| lane.marks.fill(0));
                if !self.symmetric {
                    found.slab_mut(x).fill(NONE);
                }
                for y in 0..side {
                    for ((lane, (_, least)), bit) in
                        lanes.iter_mut().zip(&self.along).zip(&mut bits)
                    {
                        *bit = lane.bit([x, y]);
                        for size in least.iter().filter_map(|least| found.reached([x, y], least)) {
                            let at = *bit + size;
                            lane.marks[at / 64] |= 1 << (at % 64);
                        }
                    }
                    if found.at([x, y]) == NONE && (!self.symmetric || self.heaps == 2 || x <= y) {
                        single.clear();
                        single.extend(
                            self.single.iter().filter_map(|taken| found.reached([x, y], taken)),
                        );
                        let above =
                            self.above.iter().filter_map(|least| found.reached([x, y], least));
                        let end = above.min().unwrap_or(side);
                        let first = if self.symmetric { y } else { 0 };
                        let is_stuck = play == Play::Misere && first == 0 && self.is_stuck([x, y]);
                        let mut at = if is_stuck { 1 } else { first };
                        while at < end {
                            let mut marks = 0;
                            lanes
                                .iter()
                                .zip(&bits)
                                .for_each(|(lane, bit)| marks |= lane.word(bit + at));
                            for size in single.iter().filter(|size| (at..at + 64).contains(size)) {
                                marks |= 1 << (size - at);
                            }
                            if marks != u64::MAX {
                                let size = at + marks.trailing_ones() as usize;
                                if size < end {
                                    self.enter(&mut found, [x, y, size]);
                                }
                                break;
                            }
                            at += 64;
                        }
                    }
                    let last = found.at([x, y]);
                    if last != NONE {
                        let p = [x as u32, y as u32, u32::from(last)];
                        visit(&p[3 - self.heaps..])?;
                    }
                    progress(side as u128)?;
                }
            }
            Continue(())
        };
        Ok(run())
    }

    /// Notes a P-position, in the rows of all its orders if the takings are the same in each.
    fn enter(&self, found: &mut LastHeaps, [x, y, z]: [usize; 3]) {
        match (self.symmetric, self.heaps) {
            (false, _) => found.put([x, y], z),
            (true, 2) => [[y, z], [z, y]].into_iter().for_each(|[y, z]| found.put([0, y], z)),
            (true, _) => [[x, y, z], [x, z, y], [y, x, z], [y, z, x], [z, x, y], [z, y, x]]
                .into_iter()
                .for_each(|[x, y, z]| found.put([x, y], z)),
        }
    }
}

/// The last heap of the P-position of each row.
struct LastHeaps {
    rows: Vec<u16>,
    slabs: usize,
    side: usize,
}

impl LastHeaps {
    fn slab_mut(&mut self, x: usize) -> &mut [u16] {
        &mut self.rows[x % self.slabs * self.side..][..self.side]
    }

    fn at(&self, [x, y]: [usize; 2]) -> u16 {
        self.rows[x % self.slabs * self.side + y]
    }

    fn put(&mut self, [x, y]: [usize; 2], z: usize) {
        self.slab_mut(x)[y] = z as u16;
    }

    /// Returns the last heap from which this taking leads from a row to a P-position.
    fn reached(&self, [x, y]: [usize; 2], taken: &[u32; 3]) -> Option<usize> {
        let [first, second, last] = taken.map(|taken| taken as usize);
        let before = self.at([x.checked_sub(first)?, y.checked_sub(second)?]);
        let size = usize::from(before) + last;
        (before != NONE && size < self.side).then_some(size)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_options::LineCone;
    use crate::heap_tables::line_cone_sweep::tests::{FREE, brute, lost, wythoff_pairs};
    use crate::heap_tables::random;

    fn compare(heaps: usize, cones: Vec<LineCone>, max: u32, symmetric: bool) {
        let marks = MarkSweep::new(&LineConeSweep::new(heaps, cones.clone()).unwrap()).unwrap();
        assert!(!symmetric || marks.symmetric, "{cones:?}");
        let brute = brute(heaps, &cones, [max; 2]);
        for play in [Play::Normal, Play::Misere] {
            let (mut found, mut settled) = (Vec::new(), 0);
            let progress = |positions| {
                settled += positions;
                Continue(())
            };
            let end = marks.p_positions::<()>(max, play, FREE, progress, |p| {
                found.push(p.to_vec());
                Continue(())
            });
            assert_eq!((end, settled), (Ok(Continue(())), brute.len() as u128));
            assert_eq!(found, lost(&brute, play), "{cones:?} {max} {play}");
        }
    }

    /// Returns all orders of two or three numbers.
    fn orders(taken: &[u32]) -> Vec<Vec<usize>> {
        let n = taken.len();
        let all =
            (0..n.pow(n as u32)).map(|code| (0..n).map(|i| code / n.pow(i as u32) % n).collect());
        all.filter(|order: &Vec<usize>| (0..n).all(|i| order.contains(&i))).collect()
    }

    /// Lines, single takings and takings that go on with the last heap, with any symmetry.
    #[test]
    fn as_the_rules_say() {
        let mut random = random(48);
        for number in 0..120 {
            let heaps = 2 + number % 2;
            let max = if heaps == 3 { 7 } else { if number % 20 == 0 { 66 } else { 14 } };
            let last = |i: usize| u32::from(i + 1 == heaps);
            let alone: Vec<u32> = (0..heaps).map(last).collect();
            let mut cones = vec![LineCone { least: alone.clone(), steps: vec![alone.clone()] }];
            for _ in 0..1 + random(4) {
                let mut taken =
                    |most: u64| (0..heaps).map(|_| random(most) as u32).collect::<Vec<_>>();
                let (mut step, other) = (taken(3), taken(4));
                step[0] += 1;
                if step[1..].iter().all(|taken| *taken == 0) {
                    step[0] = 1;
                }
                let least = if other.iter().any(|taken| *taken > 0) { other } else { step.clone() };
                cones.push(match random(4) {
                    0 => LineCone { least, steps: Vec::new() },
                    1 => LineCone { least, steps: vec![alone.clone()] },
                    2 => LineCone { least, steps: vec![step] },
                    _ => LineCone { least: step.clone(), steps: vec![step] },
                });
            }
            compare(heaps, cones.clone(), max, false);
            // The same in every order; what goes on with another heap than the last lies on a line,
            // too.
            let turn =
                |taken: &Vec<u32>, order: &Vec<usize>| order.iter().map(|i| taken[*i]).collect();
            let turned = |cone: &LineCone, order: &Vec<usize>| LineCone {
                least: turn(&cone.least, order),
                steps: cone.steps.iter().map(|step| turn(step, order)).collect(),
            };
            let all = cones.iter().flat_map(|cone| {
                orders(&alone).into_iter().map(|order| turned(cone, &order)).collect::<Vec<_>>()
            });
            compare(heaps, all.collect(), max, true);
        }
    }

    /// Wythoff's pairs, and the sum of all numbers of the 1,264
    /// lost triples to 100 of the game that takes the same number from any of three heaps (Project
    /// Euler 260: 173,895).
    #[test]
    fn published_tables() {
        let line = |taken: &[u32]| LineCone { least: taken.to_vec(), steps: vec![taken.to_vec()] };
        let cones = [[0, 1], [1, 0], [1, 1]].map(|taken| line(&taken)).to_vec();
        let wythoff = MarkSweep::new(&LineConeSweep::new(2, cones).unwrap()).unwrap();
        let mut found = Vec::new();
        let end = wythoff.p_positions::<()>(
            5000,
            Play::Normal,
            FREE,
            |_| Continue(()),
            |p| {
                found.push([p[0], p[1]]);
                Continue(())
            },
        );
        assert_eq!(end, Ok(Continue(())));
        assert_eq!(found, wythoff_pairs(5000));

        let cones = (1..8u32).map(|bits| line(&[bits & 1, bits >> 1 & 1, bits >> 2])).collect();
        let same_number = MarkSweep::new(&LineConeSweep::new(3, cones).unwrap()).unwrap();
        let mut sums = Vec::new();
        let end = same_number.p_positions::<()>(
            100,
            Play::Normal,
            FREE,
            |_| Continue(()),
            |p| {
                if p.is_sorted() {
                    sums.push(p.iter().sum::<u32>());
                }
                Continue(())
            },
        );
        assert_eq!(end, Ok(Continue(())));
        assert_eq!((sums.len(), sums.iter().sum::<u32>()), (1264, 173_895));
    }

    #[test]
    fn other_games_are_refused() {
        let line = |least: [u32; 2], step: [u32; 2]| LineCone {
            least: least.to_vec(),
            steps: vec![step.to_vec()],
        };
        let new = |cones: Vec<LineCone>| MarkSweep::new(&LineConeSweep::new(2, cones).unwrap());
        let alone = line([0, 1], [0, 1]);
        assert!(new(vec![alone.clone(), line([1, 1], [1, 1])]).is_some());
        // Only two and more may leave the last heap; multiples of two after a token of the first.
        assert!(new(vec![line([0, 2], [0, 1])]).is_none());
        assert!(new(vec![alone.clone(), line([1, 0], [0, 2])]).is_none());
        let both = LineCone { least: vec![1, 0], steps: vec![vec![0, 1], vec![1, 0]] };
        assert!(new(vec![alone.clone(), both]).is_none());
        let few = Limits { bytes: 1000, threads: 1 };
        let game = new(vec![alone, line([1, 1], [1, 1])]).unwrap();
        assert!(matches!(game.plan(2000, few), Err(HeapTableError::TooLarge { .. })));
    }
}

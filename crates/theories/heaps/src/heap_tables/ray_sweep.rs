//! Nim-values of games whose takings are single ones, or any multiples of one step.
//!
//! The options by the multiples of a step are the positions behind on a line. Of each line that
//! goes on, the values found on it so far are kept as a set of bits. Positions come in
//! lexicographic order: the value of one is the least number that is in no set of its lines, and no
//! value of an option by a single taking. It then joins the sets. Which words of a set are full is
//! kept too, so that few words are looked at: those that no line has full.
//!
//! A line whose step first goes back along some axis has its place by the remainder of the position
//! along that axis, and by where it crosses the further axes, counted around: as it goes on,
//! another line takes its place only when it has left the box.

use super::line_cone_sweep::LineConeSweep;
use bouton_core::MAX_HEAPS;
use std::ops::ControlFlow::{self, Continue};

/// Bytes that sets may take in any case. Where it is more, they may take
/// [`BYTES_A_POSITION`] for each position.
const FEW_BYTES: u64 = 1 << 22;
const BYTES_A_POSITION: u64 = 4;

/// A game of this kind in the box with heaps up to some greatest one.
#[derive(Debug)]
pub(super) struct RaySweep {
    heaps: usize,
    side: usize,
    steps: Vec<Vec<u32>>,
    takings: Vec<Vec<u32>>,
}

/// The lines of one step.
struct LineFamily {
    step: Vec<u32>,
    /// The first axis along which the step goes back.
    axis: usize,
    /// Where the sets begin.
    from: usize,
    /// Of the row that is being filled: the place of the line through its first position, how many
    /// lines come before it, and how many places there are.
    row: usize,
    place: usize,
    places: usize,
    /// Lines begin at the positions of the row before this one.
    begins: usize,
}

/// A single taking: how far its option is before a position, and what it takes of the last heap.
struct Taking {
    taken: Vec<u32>,
    back: usize,
}

impl RaySweep {
    /// Returns the game, if it is one and its sets take few bytes.
    pub(super) fn new(game: &LineConeSweep, max: u32) -> Option<RaySweep> {
        let (heaps, side) = (game.heaps(), max as usize + 1);
        let fits = |taken: &Vec<u32>| taken.iter().all(|taken| *taken <= max);
        let (mut steps, mut takings) = (Vec::new(), Vec::new());
        for cone in game.cones().iter().filter(|cone| fits(&cone.least)) {
            match &cone.steps[..] {
                [step] if *step == cone.least => steps.push(step.clone()),
                [] => takings.push(cone.least.clone()),
                [step] if !fits(step) => takings.push(cone.least.clone()),
                _ => return None,
            }
        }
        let rays = RaySweep { heaps, side, steps, takings };
        let most = FEW_BYTES.max(BYTES_A_POSITION.saturating_mul(rays.positions()));
        (!rays.steps.is_empty() && rays.set_bytes() <= most).then_some(rays)
    }

    fn positions(&self) -> u64 {
        (0..self.heaps).fold(1u64, |all, _| all.saturating_mul(self.side as u64))
    }

    /// Returns the number of lines of a step that are kept.
    fn lines(&self, step: &[u32]) -> u64 {
        let axis = first_axis(step);
        (axis + 1..self.heaps)
            .fold(step[axis].into(), |all: u64, _| all.saturating_mul(self.side as u64))
    }

    /// Returns the bytes of all sets, at most.
    fn set_bytes(&self) -> u64 {
        let on_line = |step: &Vec<u32>| {
            (self.side as u64 - 1) / u64::from(step.iter().copied().max().unwrap_or(1))
        };
        let options = self.steps.iter().map(on_line).sum::<u64>() + self.takings.len() as u64;
        let words = (options / 64 + 1).next_power_of_two();
        let words = words + words.div_ceil(64);
        let lines = self.steps.iter().fold(0u64, |all, step| all.saturating_add(self.lines(step)));
        lines.saturating_mul(8 * words)
    }

    /// Returns the bytes of all that is kept, at most.
    pub(super) fn bytes(&self) -> u64 {
        self.set_bytes().saturating_add(self.positions().saturating_mul(2))
    }

    /// Returns the nim-values of the box in lexicographic order; `progress` receives
    /// the number of positions of each slab.
    pub(super) fn values<B>(
        &self,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
    ) -> ControlFlow<B, Vec<u16>> {
        let (n, side) = (self.heaps, self.side);
        let stride = |axis: usize| side.pow((n - 1 - axis) as u32);
        let mut lanes: Vec<LineFamily> = Vec::new();
        let mut count = 0;
        for step in &self.steps {
            let axis = first_axis(step);
            lanes.push(LineFamily {
                step: step.clone(),
                axis,
                from: count,
                row: 0,
                place: 0,
                places: 1,
                begins: 0,
            });
            count += self.lines(step) as usize;
        }
        let mut sets = Sets::new(count);
        let back = |taken: &Vec<u32>| (0..n).map(|axis| taken[axis] as usize * stride(axis)).sum();
        let takings: Vec<Taking> = self
            .takings
            .iter()
            .map(|taken| Taking { taken: taken.clone(), back: back(taken) })
            .collect();
        let rows = stride(0);
        let rows_of_slab = if n > 1 { rows / side } else { rows };
        let mut values: Vec<u16> = Vec::with_capacity(rows * side);
        let mut p = [0u32; MAX_HEAPS];
        let mut lines = vec![0usize; lanes.len()];
        let mut near: Vec<u16> = Vec::with_capacity(takings.len());
        for number in 0..rows {
            let before = &p[..n - 1];
            lanes.iter_mut().for_each(|lane| lane.begin(before, side));
            let fits = |taking: &&Taking| {
                taking.taken.iter().zip(before).all(|(taken, heap)| taken <= heap)
            };
            let possible: Vec<(usize, usize)> = takings
                .iter()
                .filter(fits)
                .map(|taking| (taking.taken[n - 1] as usize, taking.back))
                .collect();
            for last in 0..side {
                for (line, lane) in lines.iter_mut().zip(&mut lanes) {
                    *line = lane.from + lane.row + lane.place;
                    lane.place = if lane.place + 1 == lane.places { 0 } else { lane.place + 1 };
                    if last < lane.begins {
                        sets.clear(*line);
                    }
                }
                near.clear();
                let here = values.len();
                near.extend(
                    possible
                        .iter()
                        .filter(|(taken, _)| *taken <= last)
                        .map(|(_, back)| values[here - back]),
                );
                let value = sets.mex(&lines, &near);
                sets.put(&lines, value);
                values.push(value as u16);
            }
            if let Some(axis) = (0..n - 1).rev().find(|axis| (p[*axis] as usize) + 1 < side) {
                p[axis] += 1;
                p[axis + 1..].fill(0);
            }
            if (number + 1).is_multiple_of(rows_of_slab) {
                progress((rows_of_slab * side) as u128)?;
            }
        }
        Continue(values)
    }
}

/// Returns the first axis along which a step goes back.
fn first_axis(step: &[u32]) -> usize {
    step.iter().position(|taken| *taken > 0).expect("no step is 0")
}

impl LineFamily {
    /// Goes to the row of these heaps before the last one.
    fn begin(&mut self, before: &[u32], side: usize) {
        let (axis, last) = (self.axis, before.len());
        let along = self.step[axis] as usize;
        let fits = before.iter().zip(&self.step).all(|(heap, taken)| heap >= taken);
        self.begins = if fits { self.step[last] as usize } else { side };
        if axis == last {
            (self.row, self.place, self.places) = (0, 0, along);
            return;
        }
        let at = before[axis] as usize;
        let around = |i: usize, heap: usize| {
            (heap + side - at / along * self.step[i] as usize % side) % side
        };
        let row =
            (axis + 1..last).fold(at % along, |row, i| row * side + around(i, before[i] as usize));
        (self.row, self.place, self.places) = (row * side, around(last, 0), side);
    }
}

/// Sets of values: of each the words that are full, as bits, and its words.
struct Sets {
    words: usize,
    bits: Vec<u64>,
}

/// Returns the number of words that tell which of this many words are full.
const fn marks(words: usize) -> usize {
    words.div_ceil(64)
}

impl Sets {
    fn new(count: usize) -> Sets {
        Sets { words: 1, bits: vec![0; 2 * count] }
    }

    fn size(&self) -> usize {
        self.words + marks(self.words)
    }

    fn clear(&mut self, line: usize) {
        let size = self.size();
        self.bits[line * size..][..size].fill(0);
    }

    /// Returns the least number that is in none of these sets and is none of these values.
    #[inline]
    fn mex(&self, lines: &[usize], near: &[u16]) -> usize {
        let (size, marks) = (self.size(), marks(self.words));
        let union =
            |word: usize| lines.iter().fold(0, |all, line| all | self.bits[line * size + word]);
        for first in 0..marks {
            let mut open = !union(first);
            while open != 0 {
                let word = 64 * first + open.trailing_zeros() as usize;
                open &= open - 1;
                if word >= self.words {
                    break;
                }
                let mut seen = union(marks + word);
                for value in near {
                    seen |= u64::from(usize::from(*value) / 64 == word) << (value % 64);
                }
                if seen != u64::MAX {
                    return 64 * word + seen.trailing_ones() as usize;
                }
            }
        }
        64 * self.words
    }

    /// Puts a value into these sets.
    #[inline]
    fn put(&mut self, lines: &[usize], value: usize) {
        while value / 64 >= self.words {
            self.widen();
        }
        let (size, marks) = (self.size(), marks(self.words));
        for line in lines {
            let set = &mut self.bits[line * size..][..size];
            let word = value / 64;
            set[marks + word] |= 1 << (value % 64);
            if set[marks + word] == u64::MAX {
                set[word / 64] |= 1 << (word % 64);
            }
        }
    }

    /// Gives each set twice the words.
    fn widen(&mut self) {
        let (from, to) = (self.size(), 2 * self.words + marks(2 * self.words));
        let mut bits = vec![0; self.bits.len() / from * to];
        for (to, from) in bits.chunks_exact_mut(to).zip(self.bits.chunks_exact(from)) {
            let (full, words) = from.split_at(marks(self.words));
            to[..full.len()].copy_from_slice(full);
            to[marks(2 * self.words)..][..words.len()].copy_from_slice(words);
        }
        (self.words, self.bits) = (2 * self.words, bits);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_options::LineCone;
    use crate::heap_tables::line_cone_sweep::tests::{FREE, brute};
    use crate::heap_tables::random;
    use std::ops::ControlFlow::Break;

    fn compare(heaps: usize, cones: &[LineCone], max: u32) {
        let game = LineConeSweep::new(heaps, cones.to_vec()).unwrap();
        let rays = RaySweep::new(&game, max).unwrap();
        let (mut settled, expected) = (0, brute(heaps, cones, [max; 2]));
        let found = rays.values(|positions| {
            settled += positions;
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(settled, expected.len() as u128);
        let expected = expected.iter().map(|(_, value, _)| *value).collect();
        assert!(found == Continue(expected), "{cones:?} {max}");
    }

    fn line(taken: &[u32]) -> LineCone {
        LineCone { least: taken.to_vec(), steps: vec![taken.to_vec()] }
    }

    /// Lines and single takings drawn at random.
    #[test]
    fn like_brute_force() {
        let mut random = random(48);
        for (heaps, max, games) in
            [(1, 300, 30), (2, 11, 80), (2, 70, 6), (3, 4, 60), (3, 8, 12), (4, 3, 30), (5, 2, 10)]
        {
            for _ in 0..games {
                let mut taking = |greatest: u64| {
                    let mut taken: Vec<u32> =
                        (0..heaps).map(|_| random(greatest + 3).saturating_sub(2) as u32).collect();
                    taken[random(heaps as u64) as usize] += 1;
                    taken
                };
                let mut cones: Vec<LineCone> = (0..3).map(|_| line(&taking(2))).collect();
                for _ in 0..2 {
                    cones.push(LineCone { least: taking(3), steps: Vec::new() });
                }
                cones.retain(|cone| cone.least.iter().all(|taken| *taken <= max));
                if cones.iter().any(|cone| !cone.steps.is_empty()) {
                    compare(heaps, &cones, max);
                }
            }
        }
    }

    /// Sets of several words, most of them full; steps that leave the box at once.
    #[test]
    fn long_lines() {
        compare(1, &[line(&[1])], 700);
        // A heap of nim has its size as its value.
        let nim = RaySweep::new(&LineConeSweep::new(1, vec![line(&[1])]).unwrap(), 9000).unwrap();
        assert_eq!(nim.values(|_| ControlFlow::<()>::Continue(())), Continue((0..=9000).collect()));
        compare(2, &[line(&[0, 1]), line(&[1, 0])], 90);
        compare(
            2,
            &[line(&[0, 1]), line(&[1, 0]), line(&[1, 1]), line(&[60, 1]), line(&[3, 60])],
            70,
        );
    }

    /// The values are those that the sweep value by value finds.
    #[test]
    fn like_the_sweep() {
        let steps: [&[u32]; 5] = [&[0, 0, 1], &[0, 1, 0], &[0, 2, 1], &[1, 0, 0], &[1, 1, 2]];
        let cones: Vec<LineCone> = steps.into_iter().map(line).collect();
        // Two equal steps are one, but then the cone is no line.
        let mut twice = cones.clone();
        let step = twice[4].steps[0].clone();
        twice[4].steps.push(step);
        let [rays, sweep] = [cones, twice].map(|cones| {
            let game = LineConeSweep::new(3, cones).unwrap();
            let mut values = Vec::new();
            let end = game.values::<()>(
                45,
                FREE,
                |_| Continue(()),
                |part| {
                    values.extend_from_slice(part.values);
                    Continue(())
                },
            );
            assert_eq!(end, Ok(Continue(())));
            (RaySweep::new(&game, 45).is_some(), values)
        });
        assert!(rays.0 && !sweep.0 && rays.1 == sweep.1);
    }

    #[test]
    fn other_games_are_left_to_the_sweep() {
        let far = LineCone { least: vec![2, 2], steps: vec![vec![1, 1]] };
        let plane = LineCone { least: vec![1, 0], steps: vec![vec![0, 1], vec![1, 0]] };
        for cones in [vec![line(&[0, 1]), far], vec![line(&[0, 1]), plane]] {
            assert!(RaySweep::new(&LineConeSweep::new(2, cones).unwrap(), 9).is_none());
        }
        let single = LineCone { least: vec![1, 1], steps: Vec::new() };
        assert!(RaySweep::new(&LineConeSweep::new(2, vec![single]).unwrap(), 9).is_none());
        // The sets of five directions along the first axis take more than the values.
        let pairs = (0..5).map(|i| line(&[0, 1, 2, 3, 4].map(|j| u32::from(j == 0 || i == j))));
        let axes: Vec<LineCone> = pairs.chain([line(&[0, 0, 0, 0, 1])]).collect();
        assert!(RaySweep::new(&LineConeSweep::new(5, axes).unwrap(), 30).is_none());
    }

    #[test]
    fn a_sweep_ends_when_it_is_told() {
        let rays = RaySweep::new(&LineConeSweep::new(2, vec![line(&[1, 1])]).unwrap(), 9).unwrap();
        assert_eq!(rays.values(|_| Break("enough")), Break("enough"));
    }
}

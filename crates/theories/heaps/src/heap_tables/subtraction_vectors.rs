//! Games in which what may be taken does not depend on the heaps: a position p is N if and only if
//! p − t is P for one of the takings t.
//!
//! A row of positions along the last axis is a few words, a bit a position. Takings that lower
//! another heap lead to rows that are settled: each is a row shifted, 64 positions an operation.
//! Takings of the last heap alone lead to the same row, whose P-positions are therefore settled in
//! ascending order. Of the first axis only as many places are kept as the deepest taking goes back.
//! O(box / 64 · takings), and a step for each P-position where the last heap may be lowered alone.

use super::cone_sweep::{self, ConeSweep, Extent};
use super::{HeapTableError, Limits};
use crate::heap_options::{Cone, HeapOptions};
use bouton_core::{HeapGame, Play};
use std::ops::ControlFlow::{self, Continue};

/// Ways to take, at most.
const MAX_TAKINGS: usize = 256;

/// A game of this kind, and the greatest heaps of a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubtractionVectors {
    heaps: usize,
    first: u32,
    max: u32,
    list: Vec<Vec<u32>>,
}

/// A box: which positions are P.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeBox {
    heaps: usize,
    side: usize,
    /// Words of a row.
    words: usize,
    bits: Vec<u64>,
}

impl SubtractionVectors {
    /// Returns the takings from heaps up to `max`, if the game is of this kind.
    pub fn of(game: &HeapGame, max: u32) -> Option<SubtractionVectors> {
        SubtractionVectors::with_first_heap(game, max, max)
    }

    /// Returns the same where the first heap may have up to `first`, and the others up to `max`.
    pub fn with_first_heap(game: &HeapGame, first: u32, max: u32) -> Option<SubtractionVectors> {
        if game.heaps == 0
            || game.shrinks
            || game.moves.permutation.is_some()
            || game.moves.condition.is_none()
        {
            return None;
        }
        let first = if game.heaps == 1 { max } else { first };
        if max > cone_sweep::MAX_HEAP {
            return None;
        }
        let mut most = vec![max; game.heaps];
        most[0] = first;
        let options = HeapOptions::new(&game.moves, Some(game.heaps), false);
        let list = options.subtraction_vectors(&most, MAX_TAKINGS)?;
        Some(SubtractionVectors { heaps: game.heaps, first, max, list })
    }

    /// Returns the rows of the box in lexicographic order: the heaps but the last, and which sizes
    /// of the last make a P-position. `progress` receives from time to time the number of
    /// positions settled since, and may break.
    pub fn rows<B>(
        &self,
        play: Play,
        limits: Limits,
        progress: impl FnMut(u128) -> ControlFlow<B>,
        mut row: impl FnMut(&[u32], &[u64]),
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let cones = self.list.iter().map(|taking| Cone { least: taking.clone(), free: 0 });
        let Some(game) = ConeSweep::new(self.heaps, cones.collect()) else {
            return Err(HeapTableError::WrongHeapCount(self.heaps));
        };
        let extent = Extent { first: self.first, max: self.max };
        game.rows(extent, play, limits, progress, |heaps, bits| {
            row(heaps, bits);
            Continue(())
        })
    }

    /// Returns the box, whole; `progress` as in [`SubtractionVectors::rows`]. The first heap goes
    /// as far as the others.
    pub fn sweep<B>(
        &self,
        play: Play,
        limits: Limits,
        progress: impl FnMut(u128) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B, OutcomeBox>, HeapTableError> {
        let side = self.max as usize + 1;
        let words = side.div_ceil(64);
        let bytes = |max: u32| {
            let side = u64::from(max) + 1;
            side.saturating_pow(self.heaps as u32 - 1).saturating_mul(side.div_ceil(64) * 8)
        };
        if bytes(self.max) > limits.bytes {
            let fits = (0..self.max).rev().find(|max| bytes(*max) <= limits.bytes);
            let (max, bytes) = (self.max, bytes(self.max));
            return Err(HeapTableError::TooLarge { max, bytes, limit: limits.bytes, fits });
        }
        let mut swept = OutcomeBox { heaps: self.heaps, side, words, bits: Vec::new() };
        let end = self.rows(play, limits, progress, |_, row| swept.bits.extend_from_slice(row))?;
        Ok(end.map_continue(|()| swept))
    }
}

impl OutcomeBox {
    /// Returns whether a position is P; false outside the box.
    #[inline]
    pub fn is_p(&self, position: &[i64]) -> bool {
        let side = self.side as i64;
        let Some((last, others)) = position.split_last() else { return false };
        if others.len() + 1 != self.heaps || position.iter().any(|heap| !(0..side).contains(heap)) {
            return false;
        }
        let row = others.iter().fold(0, |row, heap| row * side + heap) as usize;
        self.bits[row * self.words + *last as usize / 64] >> (last % 64) & 1 == 1
    }

    /// Returns how many P-positions there are.
    pub fn count(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Visits the P-positions in lexicographic order until `visit` breaks.
    pub fn each<B>(&self, mut visit: impl FnMut(&[u32]) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut position = vec![0u32; self.heaps];
        for (row, words) in self.bits.chunks(self.words).enumerate() {
            let mut rest = row;
            for heap in position.iter_mut().rev().skip(1) {
                *heap = (rest % self.side) as u32;
                rest /= self.side;
            }
            for (w, word) in words.iter().enumerate() {
                let mut word = *word;
                while word != 0 {
                    position[self.heaps - 1] = (64 * w) as u32 + word.trailing_zeros();
                    word &= word - 1;
                    visit(&position)?;
                }
            }
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::{Moves, Symmetry, Windows};

    fn game(heaps: usize, condition: &str) -> HeapGame {
        let moves = Moves::with_formula(Windows::Any(heaps), condition).unwrap();
        HeapGame {
            heaps,
            symmetry: Symmetry::None,
            shrinks: false,
            moves,
            digits: bouton_core::Digits::Binary,
        }
    }

    /// Returns games, and what can be taken, written down by hand.
    fn games() -> Vec<(HeapGame, Vec<Vec<u32>>)> {
        vec![
            (game(1, "q0+1 = p0 | q0+3 = p0 | q0+4 = p0"), vec![vec![1], vec![3], vec![4]]),
            (
                game(2, "q0+1 = p0 & q1 = p1 | q0 = p0 & q1+3 = p1 | q0+2 = p0 & q1+2 = p1"),
                vec![vec![0, 3], vec![1, 0], vec![2, 2]],
            ),
            // From either heap as many, or from both: 70 from the last comes from another word.
            (
                game(2, "q0 + q1 + 2 = p0 + p1 & q0 + 1 >= p0 | q0 = p0 & q1 + 70 = p1"),
                vec![vec![0, 2], vec![0, 70], vec![1, 1]],
            ),
            (
                game(3, "~(q0+1 < p0 | q1+1 < p1 | q2+1 < p2) & p0 - q0 + p1 - q1 + p2 - q2 = 2"),
                vec![vec![0, 1, 1], vec![1, 0, 1], vec![1, 1, 0]],
            ),
        ]
    }

    #[test]
    fn boxes_are_those_of_the_takings_alone() {
        for (game, takings) in games() {
            for max in [0u32, 1, 5, 63, 64, 130] {
                if game.heaps == 3 && max > 63 {
                    continue;
                }
                let found = SubtractionVectors::of(&game, max).unwrap();
                let fit = |taking: &&Vec<u32>| taking.iter().all(|taken| *taken <= max);
                assert_eq!(found.list, takings.iter().filter(fit).cloned().collect::<Vec<_>>());
                for play in [Play::Normal, Play::Misere] {
                    let mut settled = 0;
                    let limits = Limits { bytes: 1 << 24, threads: 1 };
                    let swept = found.sweep::<()>(play, limits, |positions| {
                        settled += positions;
                        Continue(())
                    });
                    let Ok(Continue(swept)) = swept else { panic!("{swept:?}") };
                    let side = u64::from(max) + 1;
                    assert_eq!(settled, u128::from(side.pow(game.heaps as u32)));
                    let mut known = vec![false; side.pow(game.heaps as u32) as usize];
                    let (mut count, mut listed) = (0, Vec::new());
                    let _ = swept.each::<()>(|p| {
                        listed.push(p.iter().map(|heap| u64::from(*heap)).collect::<Vec<_>>());
                        Continue(())
                    });
                    for number in 0..known.len() {
                        let mut rest = number as u64;
                        let mut p = vec![0u64; game.heaps];
                        for heap in p.iter_mut().rev() {
                            *heap = rest % side;
                            rest /= side;
                        }
                        let mut options = takings
                            .iter()
                            .filter(|taking| {
                                taking
                                    .iter()
                                    .zip(&p)
                                    .all(|(taken, heap)| u64::from(*taken) <= *heap)
                            })
                            .map(|taking| {
                                let left = p
                                    .iter()
                                    .zip(taking)
                                    .map(|(heap, taken)| heap - u64::from(*taken));
                                left.fold(0, |number, heap| number * side + heap) as usize
                            })
                            .peekable();
                        let stuck = options.peek().is_none();
                        let is_p = if stuck {
                            play == Play::Normal
                        } else {
                            !options.any(|option| known[option])
                        };
                        known[number] = is_p;
                        assert_eq!(
                            swept.is_p(&p.iter().map(|heap| *heap as i64).collect::<Vec<_>>()),
                            is_p,
                            "{p:?}, {play}"
                        );
                        if is_p {
                            assert_eq!(listed[count], p);
                            count += 1;
                        }
                    }
                    assert_eq!((swept.count(), listed.len()), (count as u64, count));
                }
            }
        }
    }

    #[test]
    fn other_games_are_left_to_others() {
        for condition in [
            "q0 = p1 & q1 = p0",
            "q0 + q0 = p0 & q1 = p1",
            "q0 <= p0",
            "q0 mod 2 = 0",
            "q0 = 0 & q1 = p1",
        ] {
            assert_eq!(SubtractionVectors::of(&game(2, condition), 300), None, "{condition}");
        }
        let small = SubtractionVectors::of(&game(2, "q0+1 = p0 & q1 = p1"), 127).unwrap();
        let limits = Limits { bytes: 1000, threads: 1 };
        let error = small.sweep::<()>(Play::Normal, limits, |_| Continue(())).unwrap_err();
        assert!(
            matches!(error, HeapTableError::TooLarge { bytes: 2048, fits: Some(63), .. }),
            "{error:?}"
        );
    }

    #[test]
    fn a_sweep_ends_when_told_to() {
        let found = SubtractionVectors::of(&game(3, "q0+1 = p0 & q1 = p1 & q2 = p2"), 255).unwrap();
        let limits = Limits { bytes: 1 << 24, threads: 1 };
        let end = found.sweep(Play::Normal, limits, |_| ControlFlow::Break("enough"));
        assert_eq!(end.map(ControlFlow::break_value), Ok(Some("enough")));
    }
}

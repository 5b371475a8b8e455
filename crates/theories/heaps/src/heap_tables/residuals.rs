//! What follows a beginning: for every tuple of leading binary digits, which digits that may come
//! after make a P-position, as one number.
//!
//! A box of 2^k sizes a heap is cut into blocks: positions that share all but their last e digits.
//! Of a block only a sum over its rows is kept, each row's bits times a number drawn for its place
//! in the block, modulo 2^64, for e and for all shorter endings (multilinear hashing: Carter &
//! Wegman 1979). Blocks with one sum are taken for alike: two others come together with a chance of
//! 2^-57 where e is 3, of 2^-33 where it is 5 (more is not taken), and whoever asks has a proof to
//! judge by. So boxes need not be held: 2^35 positions leave 10^6 numbers. O(positions / 2^e).

use super::{HeapTableError, Limits, SubtractionVectors};
use bouton_core::{HeapGame, Play};
use std::ops::ControlFlow;

/// Blocks at most.
const MAX_BLOCKS: usize = 1 << 24;

/// The blocks of a box. The first heap may have some sizes more than the others.
#[derive(Debug, Clone)]
pub struct Residuals {
    heaps: usize,
    /// Beginnings of a heap, and of the first one.
    side: usize,
    first: usize,
    sums: Vec<u64>,
    /// Whether a beginning is P as it stands.
    is_p: Vec<bool>,
    count: u64,
}

impl Residuals {
    /// Returns the endings of up to `ending` digits in the box of heaps with `digits` digits, if
    /// the game is one of takings. Where `tall`, the first heap goes an eighth further.
    pub fn of<B>(
        game: &HeapGame,
        digits: u32,
        ending: u32,
        tall: bool,
        play: Play,
        limits: Limits,
        progress: impl FnMut(u128) -> ControlFlow<B>,
    ) -> Option<Result<ControlFlow<B, Residuals>, HeapTableError>> {
        let heaps = game.heaps;
        if digits > 16 || ending > 5 || ending > digits {
            return None;
        }
        let side = 1usize << (digits - ending);
        let first = if tall && heaps > 1 { side + side / 8 } else { side };
        let sizes = |side: usize| ((side << ending) - 1) as u32;
        let takings = SubtractionVectors::with_first_heap(game, sizes(first), sizes(side))?;
        let blocks = side.checked_pow(heaps as u32 - 1).and_then(|rows| rows.checked_mul(first));
        let blocks = blocks.filter(|blocks| *blocks <= MAX_BLOCKS)?;
        let mut found = Residuals {
            heaps,
            side,
            first,
            sums: vec![0; blocks],
            is_p: vec![false; blocks],
            count: 0,
        };
        let end = takings.rows(play, limits, progress, |heaps, row| found.add(ending, heaps, row));
        Some(end.map(|end| end.map_continue(|()| found)))
    }

    /// Adds a row.
    fn add(&mut self, ending: u32, heaps: &[u32], row: &[u64]) {
        if heaps.first().is_none_or(|heap| (*heap as usize) >> ending < self.side) {
            self.count += row.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        }
        for level in (0..=ending).rev() {
            let side = |place: usize| if place == 0 { self.first } else { self.side };
            if heaps.iter().enumerate().any(|(place, heap)| (heap >> level) as usize >= side(place))
            {
                return;
            }
            let block =
                heaps.iter().fold(0, |block, heap| block * self.side + (heap >> level) as usize)
                    * self.side;
            let within =
                |code: u64, heap: &u32| code << level | u64::from(heap & ((1 << level) - 1));
            let place = mixed(heaps.iter().fold(u64::from(level) << 56, within)) | 1;
            let all = u64::MAX >> (64 - (1u32 << level));
            for (at, sum) in self.sums[block..block + self.side].iter_mut().enumerate() {
                let bits = row[(at << level) / 64] >> ((at << level) % 64) & all;
                *sum = sum.wrapping_add(place.wrapping_mul(bits));
            }
            if level == 0 {
                let own = self.is_p[block..block + self.side].iter_mut().enumerate();
                own.for_each(|(at, is_p)| *is_p = row[at / 64] >> (at % 64) & 1 == 1);
            }
        }
    }

    fn block(&self, beginning: &[i64]) -> Option<usize> {
        if beginning.len() != self.heaps {
            return None;
        }
        let mut block = 0;
        for (place, digits) in beginning.iter().enumerate() {
            let digits = usize::try_from(*digits).ok()?;
            if digits >= if place == 0 { self.first } else { self.side } {
                return None;
            }
            block = block * self.side + digits;
        }
        Some(block)
    }

    /// Returns what may follow this beginning, as a number; none outside the box.
    pub fn after(&self, beginning: &[i64]) -> Option<u64> {
        self.block(beginning).map(|block| self.sums[block])
    }

    /// Returns whether a beginning is P as it stands; false outside the box.
    pub fn is_p(&self, beginning: &[i64]) -> bool {
        self.block(beginning).is_some_and(|block| self.is_p[block])
    }

    /// Counts the P-positions of the box, the first heap as far as the others.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Mixes all bits (D. Stafford's constants for the finish of MurmurHash3).
#[inline]
fn mixed(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::{Digits, Moves, Symmetry, Windows};
    use std::collections::HashMap;
    use std::ops::ControlFlow::Continue;

    const LIMITS: Limits = Limits { bytes: 1 << 24, threads: 1 };

    fn game(heaps: usize, condition: &str) -> HeapGame {
        let moves = Moves::with_formula(Windows::Any(heaps), condition).unwrap();
        HeapGame { heaps, symmetry: Symmetry::None, shrinks: false, moves, digits: Digits::Binary }
    }

    /// Two beginnings have one sum if and only if the same endings make P-positions of them, in
    /// boxes of one to three heaps.
    #[test]
    fn sums_are_alike_where_blocks_are() {
        let games = [
            (1, "q0+1 = p0 | q0+4 = p0 | q0+9 = p0", 7, 2),
            (2, "q0+1 = p0 & q1 = p1 | q0 = p0 & q1+2 = p1 | q0+3 = p0 & q1+1 = p1", 6, 2),
            (2, "q0+2 = p0 & q1+1 = p1 | q0+1 = p0 & q1+2 = p1", 7, 3),
            (
                3,
                "q0+1 = p0 & q1+1 = p1 & q2 = p2 | q0 = p0 & q1+1 = p1 & q2+1 = p2 | q0+1 = p0 & \
                 q1 = p1 & q2+1 = p2",
                5,
                2,
            ),
        ];
        for (heaps, condition, digits, ending) in games {
            let game = game(heaps, condition);
            for (tall, play) in [(false, Play::Normal), (true, Play::Normal), (true, Play::Misere)]
            {
                let found =
                    Residuals::of::<()>(
                        &game,
                        digits,
                        ending,
                        tall,
                        play,
                        LIMITS,
                        |_| Continue(()),
                    );
                let Some(Ok(Continue(found))) = found else { panic!("{condition}") };
                // A cube that has the tall box in it.
                let wide = SubtractionVectors::of(&game, (2 << digits) - 1).unwrap();
                let Ok(Continue(wide)) = wide.sweep::<()>(play, LIMITS, |_| Continue(())) else {
                    panic!("{condition}")
                };
                let side = 1i64 << (digits - ending);
                let first = if tall && heaps > 1 { side + side / 8 } else { side };
                assert_eq!((found.side, found.first), (side as usize, first as usize));
                let mut blocks: HashMap<Vec<bool>, u64> = HashMap::new();
                let mut sums: HashMap<u64, Vec<bool>> = HashMap::new();
                for number in 0..first * side.pow(heaps as u32 - 1) {
                    let mut rest = number;
                    let mut beginning = vec![0; heaps];
                    for heap in beginning.iter_mut().skip(1).rev() {
                        *heap = rest % side;
                        rest /= side;
                    }
                    beginning[0] = rest;
                    let mut block = Vec::new();
                    for level in 0..=ending {
                        for code in 0..1i64 << (level as usize * heaps) {
                            let low = |place: usize| {
                                code >> (place * level as usize) & ((1 << level) - 1)
                            };
                            let p: Vec<i64> = beginning
                                .iter()
                                .enumerate()
                                .map(|(i, x)| (x << level) + low(i))
                                .collect();
                            block.push(wide.is_p(&p));
                        }
                    }
                    assert_eq!(found.is_p(&beginning), block[0], "{condition}, {beginning:?}");
                    let sum = found.after(&beginning).unwrap();
                    assert_eq!(
                        *blocks.entry(block.clone()).or_insert(sum),
                        sum,
                        "{condition}, {beginning:?}"
                    );
                    assert_eq!(
                        *sums.entry(sum).or_insert(block.clone()),
                        block,
                        "{condition}, {beginning:?}"
                    );
                }
                let mut outside = vec![0; heaps];
                outside[heaps - 1] = side.max(first);
                assert_eq!(found.after(&outside), None);
                let cube = SubtractionVectors::of(&game, (1 << digits) - 1).unwrap();
                let Ok(Continue(cube)) = cube.sweep::<()>(play, LIMITS, |_| Continue(())) else {
                    panic!("{condition}")
                };
                assert_eq!(found.count(), cube.count());
                assert!(blocks.len() > 4, "{condition}: {}", blocks.len());
            }
        }
    }
}

//! Two heaps: P-positions row by row, without tables and as far as numbers go.
//!
//! Since each heap may be lowered alone, a row and a column hold at most one P-position, and a
//! row's is at the least column that nothing reaches: one that no row before has taken and, where a
//! move may lower both heaps, one left of all P-positions before. O(1) a row on average.

use super::{HeapTableError, Limits, Plan, Windows};
use bouton_core::Play;
use std::ops::ControlFlow::{self, Continue};

/// Rows between two words about progress.
const ROWS: u32 = 1 << 12;

/// Plans the sweep: a bit a column.
pub fn plan(max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
    let bytes = |max: u32| (u64::from(max) + 64) / 64 * 8;
    if bytes(max) > limits.bytes {
        let fits =
            (limits.bytes / 8).checked_sub(1).map(|words| (words * 64 + 63).min(max.into()) as u32);
        return Err(HeapTableError::TooLarge { max, bytes: bytes(max), limit: limits.bytes, fits });
    }
    let side = u128::from(max) + 1;
    Ok(Plan {
        bytes: bytes(max),
        positions: side * side,
        words: (bytes(max) / 8) as usize,
        threads: 1,
    })
}

/// Visits the P-positions of a game of two heaps in lexicographic order until `visit` or `progress`
/// breaks; `progress` receives from time to time the number of positions settled since.
pub fn sweep<B>(
    game: &Windows,
    max: u32,
    play: Play,
    limits: Limits,
    mut progress: impl FnMut(u128) -> ControlFlow<B>,
    mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, HeapTableError> {
    let mut taken = vec![0u64; plan(max, limits)?.words];
    let both = game.faces().contains(&0b11);
    let misere = play == Play::Misere;
    // All columns before this one are taken; P-positions must be left of `right`.
    let (mut free, mut right) = (0u64, u64::from(max) + 1);
    let is_taken = |taken: &[u64], y: u64| taken[(y / 64) as usize] >> (y % 64) & 1 == 1;
    let mut run = || {
        for x in 0..=max {
            while free <= max.into() && is_taken(&taken, free) {
                free += 1;
            }
            // In misère play the empty position is N.
            let mut y = free.max(u64::from(misere && x == 0));
            while y < right && is_taken(&taken, y) {
                y += 1;
            }
            if y < right {
                taken[(y / 64) as usize] |= 1 << (y % 64);
                right = if both { y } else { right };
                visit(&[x, y as u32])?;
            }
            if x % ROWS == ROWS - 1 || x == max {
                progress(u128::from(x % ROWS + 1) * (u128::from(max) + 1))?;
            }
        }
        Continue(())
    };
    Ok(run())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap_tables::sweep_pieces;

    /// The same as the sweep of bit rows.
    #[test]
    fn as_the_row_sweep() {
        for faces in [&[1, 2][..], &[3]] {
            for play in [Play::Normal, Play::Misere] {
                for max in [0, 1, 2, 7, 63, 64, 130] {
                    let game = Windows::simplicial(2, faces).expect("two heaps");
                    let (mut plain, mut rows) = (Vec::new(), Vec::new());
                    let limits = Limits { bytes: 1 << 20, threads: 1 };
                    let mut settled = 0;
                    let done = sweep::<()>(
                        &game,
                        max,
                        play,
                        limits,
                        |n| {
                            settled += n;
                            Continue(())
                        },
                        |p| {
                            plain.push([p[0], p[1]]);
                            Continue(())
                        },
                    );
                    assert_eq!(done, Ok(Continue(())));
                    assert_eq!(settled, (u128::from(max) + 1).pow(2));
                    let done = sweep_pieces::<()>(&game, max, play, limits, |part| {
                        part.each(|p| {
                            rows.push([p[0], p[1]]);
                            Continue(())
                        })
                    });
                    assert_eq!(done, Ok(Continue(())));
                    assert_eq!(plain, rows, "{faces:?} {play:?} {max}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let limits = Limits { bytes: 16, threads: 1 };
        assert_eq!(plan(127, limits).map(|plan| plan.bytes), Ok(16));
        let error = plan(128, limits).expect_err("three words");
        assert_eq!(
            error,
            HeapTableError::TooLarge { max: 128, bytes: 24, limit: 16, fits: Some(127) }
        );
    }
}

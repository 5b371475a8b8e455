//! Dots and Boxes by the rules alone, for comparison. No code is shared with the engine.

use std::collections::HashMap;

/// A board: the four lines of each box, numbered row by row from top to bottom.
pub struct Plain {
    pub lines: u32,
    boxes: Vec<u64>,
}

impl Plain {
    pub fn new(rows: u32, columns: u32) -> Plain {
        let row = 2 * columns + 1;
        let four = |r: u32, c: u32| {
            let top = r * row + c;
            [top, top + columns, top + columns + 1, top + row].iter().map(|line| 1u64 << line).sum()
        };
        let boxes = (0..rows).flat_map(|r| (0..columns).map(move |c| four(r, c))).collect();
        Plain { lines: rows * row + columns, boxes }
    }

    /// Returns the number of boxes whose lines are all drawn.
    pub fn closed(&self, drawn: u64) -> i32 {
        self.boxes.iter().filter(|four| *four & !drawn == 0).count() as i32
    }

    /// Returns the values of all positions, by the set of lines drawn: the remaining boxes of the
    /// player to move less those of the opponent. One byte per position.
    pub fn all(&self) -> Vec<i8> {
        let size = 1u64 << self.lines;
        let mut values = vec![0i8; size as usize];
        // The boxes that each line may close.
        let beside: Vec<Vec<u64>> = (0..self.lines)
            .map(|line| self.boxes.iter().copied().filter(|four| four >> line & 1 == 1).collect())
            .collect();
        for drawn in (0..size - 1).rev() {
            let mut best = i8::MIN;
            let mut open = !drawn & (size - 1);
            while open != 0 {
                let line = open.trailing_zeros();
                open &= open - 1;
                let next = drawn | 1 << line;
                let gain =
                    beside[line as usize].iter().filter(|four| *four & !next == 0).count() as i8;
                let rest = values[next as usize];
                best = best.max(if gain > 0 { gain + rest } else { -rest });
            }
            values[drawn as usize] = best;
        }
        values
    }

    /// Returns by heap whether the player to move wins Nimstring beside a heap of Nim, from each
    /// set of lines drawn. A player who cannot move loses; a player who closes a box must move
    /// again.
    pub fn nimstring(&self, heaps: usize) -> Vec<Vec<bool>> {
        let size = 1u64 << self.lines;
        let mut wins = vec![vec![false; size as usize]; heaps];
        for drawn in (0..size).rev() {
            for heap in 0..heaps {
                let smaller = (0..heap).any(|smaller| !wins[smaller][drawn as usize]);
                let line = (0..self.lines).filter(|line| drawn >> line & 1 == 0).any(|line| {
                    let next = drawn | 1 << line;
                    wins[heap][next as usize] == (self.closed(next) > self.closed(drawn))
                });
                wins[heap][drawn as usize] = smaller || line;
            }
        }
        wins
    }

    /// Returns the value of one position, by alpha-beta with a table of bounds.
    pub fn value(&self, drawn: u64, known: &mut HashMap<u64, (i32, i32)>) -> i32 {
        self.search(drawn, -100, 100, known)
    }

    fn search(
        &self,
        drawn: u64,
        alpha: i32,
        beta: i32,
        known: &mut HashMap<u64, (i32, i32)>,
    ) -> i32 {
        let left = self.boxes.len() as i32 - self.closed(drawn);
        let (least, most) = known.get(&drawn).copied().unwrap_or((-left, left));
        if least >= beta || least == most {
            return least;
        }
        if most <= alpha {
            return most;
        }
        let (mut low, high) = (alpha.max(least), beta.min(most));
        let start = low;
        let mut best = -100;
        for wanted in [true, false] {
            for line in (0..self.lines).filter(|line| drawn >> line & 1 == 0) {
                let next = drawn | 1 << line;
                let gain = self.closed(next) - self.closed(drawn);
                if (gain > 0) != wanted || best >= high {
                    continue;
                }
                let value = if gain > 0 {
                    gain + self.search(next, low - gain, high - gain, known)
                } else {
                    -self.search(next, -high, -low, known)
                };
                best = best.max(value);
                low = low.max(best);
            }
        }
        let bounds =
            (if best > start { best } else { least }, if best < high { best } else { most });
        known.insert(drawn, bounds);
        best
    }
}

/// Returns a set of `count` of the first `lines` lines.
pub fn random_lines(random: &mut fastrand::Rng, count: u32, lines: u32) -> u64 {
    random
        .choose_multiple(0..lines, count as usize)
        .into_iter()
        .fold(0, |set, line| set | 1 << line)
}

//! Dots and Boxes by its rules alone, to compare with: nothing here is shared with the engine.

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

    /// Boxes whose lines are all drawn.
    pub fn closed(&self, drawn: u64) -> i32 {
        self.boxes.iter().filter(|four| *four & !drawn == 0).count() as i32
    }

    /// Values of all positions, by the set of lines drawn: the boxes of who is to move less those of the other from
    /// there on. One byte each.
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
                let gain = beside[line as usize].iter().filter(|four| *four & !next == 0).count() as i8;
                let rest = values[next as usize];
                best = best.max(if gain > 0 { gain + rest } else { -rest });
            }
            values[drawn as usize] = best;
        }
        values
    }

    /// Who wins Nimstring beside a heap of Nim: whether the player to move wins from each set of lines drawn, by heap.
    /// Who cannot move loses; who closes a box must move again.
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

    /// The value of one position, by alpha-beta with a table of bounds.
    pub fn value(&self, drawn: u64, known: &mut HashMap<u64, (i32, i32)>) -> i32 {
        self.search(drawn, -100, 100, known)
    }

    fn search(&self, drawn: u64, alpha: i32, beta: i32, known: &mut HashMap<u64, (i32, i32)>) -> i32 {
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
        let bounds = (if best > start { best } else { least }, if best < high { best } else { most });
        known.insert(drawn, bounds);
        best
    }
}

/// SplitMix64: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A set of `count` of so many lines.
    pub fn lines(&mut self, count: u32, of: u32) -> u64 {
        let mut set = 0u64;
        while set.count_ones() < count {
            set |= 1 << (self.next() % u64::from(of));
        }
        set
    }
}

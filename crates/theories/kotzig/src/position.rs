//! A position in play: the marked cells and the token.

use super::{Circulant, MAX_CELLS};
use std::fmt;

/// The marked cells of a circle, the token's among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    marked: [u64; MAX_CELLS / 64],
    token: u8,
}

impl Position {
    /// Returns the start of every game: the token on cell 0, which is marked.
    pub fn start() -> Position {
        Position { marked: [1, 0, 0, 0], token: 0 }
    }

    /// Returns the token on `token`, and `cells` marked; `None` unless the token's cell is marked
    /// and all lie on the circle of `game`.
    pub fn new(
        game: &Circulant,
        cells: impl IntoIterator<Item = usize>,
        token: usize,
    ) -> Option<Position> {
        let mut position = Position { marked: [0; 4], token: u8::try_from(token).ok()? };
        for cell in cells {
            (cell < game.n()).then(|| position.mark(cell))?;
        }
        position.has(token).then_some(position)
    }

    /// Returns the token's cell.
    pub fn token(&self) -> usize {
        usize::from(self.token)
    }

    /// Returns whether a cell is marked. Cells from 256 on never are.
    pub fn has(&self, cell: usize) -> bool {
        self.marked.get(cell / 64).is_some_and(|word| word >> (cell % 64) & 1 == 1)
    }

    fn mark(&mut self, cell: usize) {
        self.marked[cell / 64] |= 1 << (cell % 64);
    }

    /// Returns the position after a step of `game`, if its cell is free.
    pub fn after(&self, game: &Circulant, step: u64) -> Option<Position> {
        let cell = (self.token() + (step % game.n() as u64) as usize) % game.n();
        if self.has(cell) {
            return None;
        }
        let mut next = Position { token: cell as u8, ..*self };
        next.mark(cell);
        Some(next)
    }

    /// Returns the options of the position: each step of `game` whose cell is free, ascending, and
    /// where it leads. Of steps equal mod n the first alone.
    pub fn options(&self, game: &Circulant) -> Vec<(u64, Position)> {
        let mut options: Vec<(u64, Position)> = Vec::new();
        for step in game.moves() {
            if let Some(next) = self.after(game, *step)
                && options.iter().all(|(_, other)| other.token != next.token)
            {
                options.push((*step, next));
            }
        }
        options
    }

    /// Returns the marked cells, ascending.
    pub fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let position = *self;
        (0..MAX_CELLS).filter(move |cell| position.has(*cell))
    }

    /// Returns the position on the circle divided by `g`, for a token on cell 0: cells that `g`
    /// does not divide are out of reach and fall away.
    pub(super) fn scaled_down(&self, g: usize) -> Position {
        let mut scaled_down = Position { marked: [0; 4], token: 0 };
        self.cells().filter(|cell| cell % g == 0).for_each(|cell| scaled_down.mark(cell / g));
        scaled_down
    }

    /// Returns the same position with the token's cell called 0, on a circle of n cells.
    pub fn rotated(&self, n: usize) -> Position {
        if self.token == 0 {
            return *self;
        }
        Position { marked: rotated(self.marked, self.token(), n), token: 0 }
    }

    /// Returns how many cells are marked.
    pub fn count(&self) -> usize {
        self.marked.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Returns a set of cells of a circle of n, with the cell `by`, 0 to n, called 0. O(1).
#[inline]
pub(super) fn rotated(set: [u64; 4], by: usize, n: usize) -> [u64; 4] {
    if n <= 128 {
        let set = u128::from(set[1]) << 64 | u128::from(set[0]);
        let up = set.checked_shl((n - by) as u32).unwrap_or(0);
        let rotated = (set.checked_shr(by as u32).unwrap_or(0) | up) & u128::MAX >> (128 - n);
        return [rotated as u64, (rotated >> 64) as u64, 0, 0];
    }
    let (low, high) = (shifted_down(set, by), shifted_up(set, n - by));
    let mask = |i: usize| match n.saturating_sub(64 * i) {
        64.. => u64::MAX,
        cells => (1 << cells) - 1,
    };
    std::array::from_fn(|i| (low[i] | high[i]) & mask(i))
}

/// Returns the set with every member less by `by`; those below 0 fall off.
fn shifted_down(set: [u64; 4], by: usize) -> [u64; 4] {
    let (words, bits) = (by / 64, by % 64);
    std::array::from_fn(|i| {
        let low = set.get(i + words).copied().unwrap_or(0);
        let high = set.get(i + words + 1).copied().unwrap_or(0);
        if bits == 0 { low } else { low >> bits | high << (64 - bits) }
    })
}

/// Returns the set with every member greater by `by`; those past the end fall off.
fn shifted_up(set: [u64; 4], by: usize) -> [u64; 4] {
    let (words, bits) = (by / 64, by % 64);
    let word = |i: usize| i.checked_sub(words).map_or(0, |i| set[i]);
    std::array::from_fn(|i| {
        let below = if i == 0 { 0 } else { word(i - 1) };
        if bits == 0 { word(i) } else { word(i) << bits | below >> (64 - bits) }
    })
}

/// Returns the free cells that a token on `token` can reach, bit i for the cell i after the
/// token's. Positions of one circle with the same reach have the same game tree. O(n) a step.
pub(super) fn reach(
    steps: &[usize],
    n: usize,
    token: usize,
    is_free: impl Fn(usize) -> bool,
) -> [u64; MAX_CELLS / 64] {
    let mut reach = [0; MAX_CELLS / 64];
    let mut stack = vec![token];
    while let Some(cell) = stack.pop() {
        for step in steps {
            let next = (cell + step) % n;
            let place = (next + n - token) % n;
            if is_free(next) && reach[place / 64] >> (place % 64) & 1 == 0 {
                reach[place / 64] |= 1 << (place % 64);
                stack.push(next);
            }
        }
    }
    reach
}

/// As the game's notation writes it: `0,2,5/5`.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, cell) in self.cells().enumerate() {
            write!(f, "{}{cell}", if i == 0 { "" } else { "," })?;
        }
        write!(f, "/{}", self.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turning the circle cell by cell, as anyone would.
    #[test]
    fn turning_is_turning_cell_by_cell() {
        for n in [1, 2, 63, 64, 65, 127, 128, 129, 200, 255, 256] {
            let game = Circulant::new(&[1], n as u64).unwrap();
            let cells: Vec<usize> = (0..n).filter(|cell| cell * cell % 7 < 3).collect();
            for token in &cells {
                let position = Position::new(&game, cells.iter().copied(), *token).unwrap();
                let expected =
                    Position::new(&game, cells.iter().map(|cell| (cell + n - token) % n), 0);
                assert_eq!(Some(position.rotated(n)), expected, "n = {n}, token = {token}");
                assert_eq!(position.count(), cells.len());
            }
        }
    }
}

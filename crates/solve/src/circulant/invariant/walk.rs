//! Positions on one circle as the search for invariants sees them, and what a local strategy may look at.
//!
//! A position is the marks as seen from the token, and how far the token has come since the start, laps included. The
//! features are marks near the token, ahead and behind; marks near the start cell; how near that cell is; the lap; the place
//! modulo a number; and the last move. All that an automaton can keep track of while it reads a word.

/// Circles are at most so large: marks are bits of a word.
pub(super) const MAX_N: u32 = 127;

/// The rules on one circle.
#[derive(Debug, Clone)]
pub(super) struct Circle {
    pub steps: Vec<u32>,
    pub n: u32,
    pub misere: bool,
}

/// A position: bit i of `marks` the cell i after the token's, bit 0 set; `come` the cells that the token has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Spot {
    pub marks: u128,
    pub come: u32,
}

impl Spot {
    pub(super) const START: Spot = Spot { marks: 1, come: 0 };
}

impl Circle {
    /// The position after a step, if its cell is free, with cells near it marked that no play can come to any more. n is at
    /// least twice the greatest step.
    #[inline]
    pub(super) fn after(&self, spot: Spot, step: u32) -> Option<Spot> {
        if spot.marks >> step & 1 == 1 {
            return None;
        }
        let greatest = *self.steps.last().unwrap_or(&1);
        let first = (1u128 << greatest) - 1;
        let last = (spot.marks >> (self.n + 1 - greatest)) as usize;
        let made = without_lost(&self.steps, (spot.marks >> 1 & first) as usize, last, step as usize);
        let marks = spot.marks & !(first << 1) | (made as u128) << 1;
        let turned = (marks >> step | marks << (self.n - step)) & (u128::MAX >> (128 - self.n));
        Some(Spot { marks: turned, come: spot.come + step })
    }
}

/// What a step makes of the first M letters of a word, M the greatest step, if these are its last M − 1: the new cell of the token
/// is marked, and each of these cells that can't be come to any more, as the cells that lead there are marked and none
/// is the token's. The game is the same, and its positions are fewer. The first letter is the lowest bit in both.
#[inline]
pub(super) fn without_lost(steps: &[u32], first: usize, last: usize, token: usize) -> usize {
    let greatest = *steps.last().unwrap_or(&1) as usize;
    // The last part, the cell that the token leaves, the first part.
    let mut cells = first << greatest | 1 << (greatest - 1) | last;
    let at = |cell: usize| cell + greatest - 1;
    cells |= 1 << at(token);
    for cell in 1..=greatest {
        let leads = |step: &u32| {
            let from = at(cell) - *step as usize;
            from == at(token) || cells >> from & 1 == 0
        };
        if cells >> at(cell) & 1 == 0 && !steps.iter().any(leads) {
            cells |= 1 << at(cell);
        }
    }
    cells >> greatest
}

/// Where a feature is to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// It is the same in all positions at one place.
    Known(bool),
    /// Whether a cell is marked, so many after the token.
    Cell(u32),
}

/// What a strategy looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct View {
    /// Cells ahead of the token and behind it.
    pub ahead: u32,
    pub behind: u32,
    /// Cells around the start cell, on each side.
    pub start: u32,
    /// Distances to the start cell that are told apart, before and after it.
    pub near: u32,
    /// The place is known modulo this; 0 or 1 for not at all.
    pub modulus: u32,
    /// Laps that are told apart.
    pub laps: u32,
}

impl View {
    /// The features of a position where a move has to be chosen, after the other player's step number `last`.
    pub(super) fn features(&self, circle: &Circle, spot: Spot, last: u8) -> u128 {
        let n = circle.n;
        let (lap, place) = (spot.come / n, spot.come % n);
        let mut bits = 0u128;
        let mut at = 0;
        let mut push = |bit: bool| {
            bits |= u128::from(bit) << at;
            at += 1;
        };
        (0..circle.steps.len().max(2) as u8 - 1).for_each(|i| push(last == i + 1));
        for i in 1..=self.ahead.max(self.behind) {
            if i <= self.ahead {
                push(i < n && spot.marks >> i & 1 == 1);
            }
            if i <= self.behind {
                push(i < n && spot.marks >> (n - i) & 1 == 1);
            }
        }
        (1..=self.laps).for_each(|l| push(lap >= l));
        (1..self.modulus).for_each(|r| push(place % self.modulus == r));
        (1..=self.near).for_each(|d| push(n - place <= d));
        (1..=self.near).for_each(|d| push(place < d));
        if self.start > 0 {
            for i in 0..=2 * self.start {
                let from_start = (n + i - self.start) % n;
                let cell = (from_start + n - place) % n;
                push(spot.marks >> cell & 1 == 1);
            }
        }
        bits
    }

    /// Where the features are to be seen, the token so many cells from the start, laps included.
    pub(super) fn looks(&self, circle: &Circle, come: u32, last: u8) -> Vec<Look> {
        let n = circle.n;
        let (lap, place) = (come / n, come % n);
        let cell = |i: u32| match i {
            0 => Look::Known(true),
            _ => Look::Cell(i),
        };
        let mut looks = Vec::new();
        (0..circle.steps.len().max(2) as u8 - 1).for_each(|i| looks.push(Look::Known(last == i + 1)));
        for i in 1..=self.ahead.max(self.behind) {
            if i <= self.ahead {
                looks.push(if i < n { cell(i) } else { Look::Known(false) });
            }
            if i <= self.behind {
                looks.push(if i < n { cell(n - i) } else { Look::Known(false) });
            }
        }
        (1..=self.laps).for_each(|l| looks.push(Look::Known(lap >= l)));
        (1..self.modulus).for_each(|r| looks.push(Look::Known(place % self.modulus == r)));
        (1..=self.near).for_each(|d| looks.push(Look::Known(n - place <= d)));
        (1..=self.near).for_each(|d| looks.push(Look::Known(place < d)));
        if self.start > 0 {
            looks.extend((0..=2 * self.start).map(|i| cell(((n + i - self.start) % n + n - place) % n)));
        }
        looks
    }

    /// How many features there are; at most 128 can be used.
    pub(super) fn count(&self, steps: usize) -> u32 {
        let start = if self.start > 0 { 2 * self.start + 1 } else { 0 };
        steps.max(2) as u32 - 1 + self.ahead + self.behind + self.laps + self.modulus.max(1) - 1
            + 2 * self.near
            + start
    }
}

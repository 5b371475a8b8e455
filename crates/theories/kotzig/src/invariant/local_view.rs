//! Positions on one circle as the search for invariants sees them, and what a local strategy may
//! look at.
//!
//! A position is the marks as seen from the token, and how far the token has come since the start,
//! revolutions included. The features are marks near the token, ahead and behind; marks near the
//! start cell; how near that cell is; the revolution; the place modulo a number; and the last move.
//! All that an automaton can keep track of while it reads a word.

/// Circles are at most so large: marks are bits of a word.
pub(super) const MAX_N: u32 = 127;

/// The rules on one circle.
#[derive(Debug, Clone)]
pub(super) struct CircleRules {
    pub steps: Steps,
    pub n: u32,
    pub misere: bool,
}

/// A position: bit i of `marks` the cell i after the token's, bit 0 set; `come` the cells that the
/// token has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct MarkedPosition {
    pub marks: u128,
    pub come: i32,
}

impl MarkedPosition {
    pub(super) const START: MarkedPosition = MarkedPosition { marks: 1, come: 0 };
}

impl CircleRules {
    /// Returns the position after a step, if its cell is free, with cells near it marked that no
    /// play can come to any more. n is at least the cells [around](Steps::window_size).
    #[inline]
    pub(super) fn after(&self, spot: MarkedPosition, step: i32) -> Option<MarkedPosition> {
        if !self.is_free(spot, step) {
            return None;
        }
        let (n, width) = (self.n, self.steps.width as u32);
        let ahead = spot.marks & ((1 << (width + 1)) - 1);
        let behind = (spot.marks >> (n - width)) as usize;
        let made = self.steps.cells_after((ahead as usize) << width | behind, step);
        let marks = spot.marks
            | (made >> width) as u128
            | ((made & ((1 << width) - 1)) as u128) << (n - width);
        let on = step.rem_euclid(n as i32) as u32;
        let turned = (marks >> on | marks << (n - on)) & (u128::MAX >> (128 - n));
        Some(MarkedPosition { marks: turned, come: spot.come + step })
    }

    /// Returns whether the cell of a step is free.
    #[inline]
    pub(super) fn is_free(&self, spot: MarkedPosition, step: i32) -> bool {
        spot.marks >> step.rem_euclid(self.n as i32) & 1 == 0
    }
}

/// The steps, forwards or, negative, backwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Steps {
    /// Ascending.
    pub all: Vec<i32>,
    /// The furthest forwards and backwards.
    forth: i32,
    back: i32,
    /// Both together.
    pub width: usize,
}

impl Steps {
    /// Takes steps in ascending order, the last one forwards.
    pub(super) fn new(all: Vec<i32>) -> Steps {
        let (forth, back) = (*all.last().unwrap_or(&1), -all.first().unwrap_or(&1).min(&0));
        Steps { all, forth, back, width: (forth + back) as usize }
    }

    /// Returns the furthest step back. Steps that only go forwards are the usual case.
    pub(super) fn max_step_back(&self) -> i32 {
        self.back
    }

    /// Returns the furthest step forwards.
    pub(super) fn max_step_forward(&self) -> i32 {
        self.forth
    }

    /// Returns the cells before and after the token that decide what a move makes of the cells near
    /// it.
    pub(super) fn window_size(&self) -> (usize, usize) {
        (self.width - usize::from(self.back == 0), self.width)
    }

    /// Returns what a step makes of the cells around the token, bit W + i the one i after the
    /// token's old cell, W the width: the new cell of the token is marked, and each cell within a
    /// step that can't be come to any more, as the cells that lead there are marked and none is the
    /// token's. The game is the same, and its positions are fewer.
    #[inline]
    pub(super) fn cells_after(&self, mut cells: usize, token: i32) -> usize {
        let width = self.width as i32;
        cells |= 1 << (width + token);
        for cell in -self.back..=self.forth {
            let leads =
                |step: &i32| cell - step == token || cells >> (width + cell - step) & 1 == 0;
            if cell != 0 && cells >> (width + cell) & 1 == 0 && !self.all.iter().any(leads) {
                cells |= 1 << (width + cell);
            }
        }
        cells
    }
}

/// Where a feature is to be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FeatureSource {
    /// It is the same in all positions at one place.
    Known(bool),
    /// Whether a cell is marked, this many after the token.
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
    /// Distances to the start cell that are distinguished, before and after it.
    pub near: u32,
    /// The place is known modulo this; 0 or 1 for not at all.
    pub modulus: u32,
    /// Revolutions that are distinguished.
    pub laps: u32,
}

impl View {
    /// Returns the features of a position where a move has to be chosen, after the other player's
    /// step number `last`.
    pub(super) fn features(&self, circle: &CircleRules, spot: MarkedPosition, last: u8) -> u128 {
        let n = circle.n;
        let (lap, place) = lap_and_place(spot.come, n);
        let mut bits = 0u128;
        let mut at = 0;
        let mut push = |bit: bool| {
            bits |= u128::from(bit) << at;
            at += 1;
        };
        (0..circle.steps.all.len().max(2) as u8 - 1).for_each(|i| push(last == i + 1));
        for i in 1..=self.ahead.max(self.behind) {
            if i <= self.ahead {
                push(i < n && spot.marks >> i & 1 == 1);
            }
            if i <= self.behind {
                push(i < n && spot.marks >> (n - i) & 1 == 1);
            }
        }
        (1..=self.laps as i32).for_each(|l| push(lap >= l));
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

    /// Returns where the features are to be seen, the token this many cells from the start,
    /// revolutions included.
    pub(super) fn looks(&self, circle: &CircleRules, come: i32, last: u8) -> Vec<FeatureSource> {
        let n = circle.n;
        let (lap, place) = lap_and_place(come, n);
        let cell = |i: u32| match i {
            0 => FeatureSource::Known(true),
            _ => FeatureSource::Cell(i),
        };
        let mut looks = Vec::new();
        (0..circle.steps.all.len().max(2) as u8 - 1)
            .for_each(|i| looks.push(FeatureSource::Known(last == i + 1)));
        for i in 1..=self.ahead.max(self.behind) {
            if i <= self.ahead {
                looks.push(if i < n { cell(i) } else { FeatureSource::Known(false) });
            }
            if i <= self.behind {
                looks.push(if i < n { cell(n - i) } else { FeatureSource::Known(false) });
            }
        }
        (1..=self.laps as i32).for_each(|l| looks.push(FeatureSource::Known(lap >= l)));
        (1..self.modulus).for_each(|r| looks.push(FeatureSource::Known(place % self.modulus == r)));
        (1..=self.near).for_each(|d| looks.push(FeatureSource::Known(n - place <= d)));
        (1..=self.near).for_each(|d| looks.push(FeatureSource::Known(place < d)));
        if self.start > 0 {
            looks.extend(
                (0..=2 * self.start).map(|i| cell(((n + i - self.start) % n + n - place) % n)),
            );
        }
        looks
    }

    /// Returns how many features there are; at most 128 can be used.
    pub(super) fn count(&self, steps: usize) -> u32 {
        let start = if self.start > 0 { 2 * self.start + 1 } else { 0 };
        steps.max(2) as u32 - 1 + self.ahead + self.behind + self.laps + self.modulus.max(1) - 1
            + 2 * self.near
            + start
    }
}

/// Returns how often the token has come past the start, and how far it is from it.
fn lap_and_place(come: i32, n: u32) -> (i32, u32) {
    (come.div_euclid(n as i32), come.rem_euclid(n as i32) as u32)
}

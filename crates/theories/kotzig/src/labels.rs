//! Retrograde labels on the cells that are still free, found for all cells at once.
//!
//! A free cell all of whose successors are marked is *stuck*: whoever has to move there loses
//! (normal play), so it is P for the player about to move from it. A free cell with a free P
//! successor is N. Nobody enters an N cell as long as there is a choice, so it counts as gone for
//! the cells before it, and these may become stuck in turn. Entering a labelled cell decides the
//! game, so as long as the game is open no labelled cell has been entered, and labels stay valid:
//! they only have to be extended when a cell is marked.
//!
//! In misère play a stuck cell is N, and a cell whose successors have all gone is P or N as it has
//! a free N successor (an *escape* that loses) or not.
//!
//! Which cells have a successor in a set is the set rotated by each step: a few operations for the
//! whole circle. A position is so small that lines copy it, and nothing is ever taken back.

use super::cells::Cells;
use super::{MAX_CELLS, Position};

/// The circle. `K`: how many steps it has, or 0 for any number.
pub(super) struct SearchedCircle<C, const K: usize> {
    pub n: usize,
    misere: bool,
    all: C,
    steps: Vec<usize>,
    /// The cells after each cell.
    next: Vec<C>,
}

/// The free cells of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Labels<C> {
    /// Those not known to be decided.
    pub open: C,
    /// Those where the player about to move loses: who comes there wins.
    p: C,
    /// Those where the player about to move wins; kept in misère play only.
    n: C,
}

/// Whether the player about to move has a choice.
pub(super) enum MoverChoice {
    /// The game is decided: whether the mover wins.
    Decided(bool),
    /// One move does not lose at once.
    Forced(u8),
    /// Several moves lead to open cells.
    Choice,
}

impl<C: Cells, const K: usize> SearchedCircle<C, K> {
    /// Returns the circle of `n` cells with distinct steps in 1..n. O(nk).
    pub fn new(steps: &[usize], n: usize, misere: bool) -> Self {
        assert!((K == 0 || steps.len() == K) && (1..=C::CAPACITY).contains(&n));
        let set = |cells: &mut dyn Iterator<Item = usize>| {
            cells.fold(C::EMPTY, |set, cell| set.or(C::one(cell)))
        };
        let next = |cell: usize| set(&mut steps.iter().map(|step| (cell + step) % n));
        SearchedCircle {
            n,
            misere,
            all: set(&mut (0..n)),
            steps: steps.to_vec(),
            next: (0..n).map(next).collect(),
        }
    }

    /// Returns the steps.
    #[inline(always)]
    pub fn steps(&self) -> &[usize] {
        if K == 0 { &self.steps } else { &self.steps[..K] }
    }

    /// Returns the labels of a position. O(n) turns of the circle.
    pub fn labels(&self, position: &Position) -> Labels<C> {
        let marked = position.cells().fold(C::EMPTY, |set, cell| set.or(C::one(cell)));
        let mut labels = Labels { open: self.all.minus(marked), p: C::EMPTY, n: C::EMPTY };
        self.spread(&mut labels);
        labels
    }

    /// Returns the set with the cell `by` called 0.
    #[inline(always)]
    pub fn rotated(&self, set: C, by: usize) -> C {
        set.rotated(by, self.n, self.all)
    }

    /// Returns the cells with a successor in the set.
    #[inline(always)]
    pub fn before(&self, set: C) -> C {
        self.steps().iter().fold(C::EMPTY, |before, step| before.or(self.rotated(set, *step)))
    }

    /// Returns the cells that a move from this one leads to, if they are open.
    #[inline(always)]
    pub fn options(&self, labels: &Labels<C>, token: u8) -> C {
        self.next[usize::from(token)].and(labels.open)
    }

    /// Returns what the player about to move from the token's cell sees.
    #[inline(always)]
    pub fn mover_choice(&self, labels: &Labels<C>, token: u8) -> MoverChoice {
        let next = self.next[usize::from(token)];
        if !next.and(labels.p).is_empty() {
            return MoverChoice::Decided(true);
        }
        let open = next.and(labels.open);
        if open.is_empty() {
            MoverChoice::Decided(self.misere && next.and(labels.n).is_empty())
        } else if open.is_lone() {
            MoverChoice::Forced(open.least() as u8)
        } else {
            MoverChoice::Choice
        }
    }

    /// Marks an open cell and extends the labels.
    #[inline(always)]
    pub fn mark(&self, labels: &mut Labels<C>, cell: u8) {
        labels.open = labels.open.minus(C::one(cell.into()));
        self.spread(labels);
    }

    #[inline(always)]
    fn spread(&self, labels: &mut Labels<C>) {
        loop {
            let stuck = labels.open.minus(self.before(labels.open.or(labels.p)));
            if stuck.is_empty() {
                return;
            }
            labels.open = labels.open.minus(stuck);
            let mut lost = stuck;
            if self.misere {
                lost = stuck.and(self.before(labels.n));
                labels.n = labels.n.or(stuck.minus(lost));
            }
            labels.p = labels.p.or(lost);
            let won = self.before(lost).and(labels.open);
            labels.open = labels.open.minus(won);
            if self.misere {
                labels.n = labels.n.or(won);
            }
        }
    }

    /// Returns the open cells within reach of the token as bits from the token on, and those of
    /// them with an escape.
    pub fn key(&self, labels: &Labels<C>, token: u8) -> [C; 2] {
        let open = self.rotated(labels.open, token.into());
        let (mut reach, mut fresh) = (C::EMPTY, C::one(0));
        while !fresh.is_empty() {
            let after = |after: C, step: &usize| after.or(self.rotated(fresh, self.n - step));
            fresh = self.steps().iter().fold(C::EMPTY, after).and(open).minus(reach);
            reach = reach.or(fresh);
        }
        let mut escapes = C::EMPTY;
        if self.misere {
            escapes = self.rotated(self.before(labels.n), token.into()).and(reach);
        }
        [reach, escapes]
    }

    /// Returns the open cells from `half` before the token to `half` after it, 31 at most; fewer
    /// where the circle is smaller.
    #[inline(always)]
    pub fn window(&self, labels: &Labels<C>, token: u8, half: usize) -> u64 {
        let from = usize::from(token) + self.n - half % self.n;
        let from = if from < self.n { from } else { from - self.n };
        self.rotated(labels.open, from).low() & ((1 << (2 * half + 1).min(self.n)) - 1)
    }
}

const _: () = assert!(MAX_CELLS - 1 <= u8::MAX as usize, "cells are told as bytes");

//! Retrograde labels on the cells that are still free, kept up to date as play goes on and taken back.
//!
//! A free cell all of whose successors are marked is *stuck*: who has to move there loses (normal play), so it is P
//! for the player about to move from it. A free cell with a free P successor is N. Nobody enters an N cell as long as
//! there is a choice, so it counts as gone for the cells before it, and these may become stuck in turn. Entering a
//! labelled cell decides the game, so as long as the game is open no labelled cell has been entered, and labels stay
//! valid: they only have to be extended when a cell is marked.
//!
//! In misère play a stuck cell is N, and a cell whose successors have all gone is P or N as it has a free N
//! successor (an *escape* that loses) or not.

use super::{MAX_CELLS, Track};

/// Free, and not known to be decided.
const OPEN: u8 = 0;
/// Visited by the token.
const MARKED: u8 = 1;
/// Who comes here wins.
const P: u8 = 2;
/// Who comes here loses.
const N: u8 = 3;

// What the trail takes back, above the eight bits of the cell.
const STATUS: u16 = 0;
const DEGREE: u16 = 1 << 8;
const ESCAPE: u16 = 2 << 8;

/// The circle with its labels. `K`: the most steps; all tables are indexed by bytes and as long as a byte goes, so
/// that no bound is ever checked.
pub(super) struct Labels<const K: usize, const MISERE: bool> {
    pub n: usize,
    k: usize,
    next: [[u8; K]; MAX_CELLS],
    back: [[u8; K]; MAX_CELLS],
    status: [u8; MAX_CELLS],
    /// Open or P successors, for open cells.
    degree: [u8; MAX_CELLS],
    /// N successors, for open cells; kept in misère play only.
    escapes: [u8; MAX_CELLS],
    /// The open cells as bits.
    pub open: [u64; MAX_CELLS / 64],
    /// How many they are.
    pub open_count: usize,
    trail: Vec<u16>,
    settled: Vec<u8>,
}

/// What the player about to move sees.
pub(super) enum Sight {
    /// The game is decided: whether the mover wins.
    Decided(bool),
    /// One move does not lose at once.
    Forced(u8),
    /// Several moves lead to open cells.
    Choice,
}

impl<const K: usize, const MISERE: bool> Labels<K, MISERE> {
    /// The circle of `n` cells with at most `K` distinct steps in 1..n, in the given position. O(nk).
    pub fn new(steps: &[usize], n: usize, track: &Track) -> Box<Self> {
        assert!(steps.len() <= K && (1..=MAX_CELLS).contains(&n));
        let mut labels = Box::new(Labels {
            n,
            k: steps.len(),
            next: [[0; K]; MAX_CELLS],
            back: [[0; K]; MAX_CELLS],
            status: [MARKED; MAX_CELLS],
            degree: [0; MAX_CELLS],
            escapes: [0; MAX_CELLS],
            open: [0; MAX_CELLS / 64],
            open_count: 0,
            trail: Vec::with_capacity(MAX_CELLS * (K + 1)),
            settled: Vec::with_capacity(MAX_CELLS),
        });
        for cell in (0..n).filter(|cell| !track.has(*cell)) {
            labels.status[cell] = OPEN;
            labels.open[cell / 64] |= 1 << (cell % 64);
            labels.open_count += 1;
        }
        for cell in 0..n {
            for (i, step) in steps.iter().enumerate() {
                let next = (cell + step) % n;
                labels.next[cell][i] = next as u8;
                labels.back[next][i] = cell as u8;
                labels.degree[cell] += u8::from(labels.status[next] == OPEN);
            }
        }
        let stuck = |labels: &Self, cell: usize| labels.status[cell] == OPEN && labels.degree[cell] == 0;
        let stuck: Vec<u8> = (0..n).filter(|cell| stuck(&labels, *cell)).map(|cell| cell as u8).collect();
        stuck.into_iter().for_each(|cell| labels.settle(cell));
        labels.spread();
        labels.trail.clear();
        labels
    }

    #[inline]
    fn k(&self) -> usize {
        if K <= 4 { K } else { self.k }
    }

    #[inline]
    pub fn next(&self, cell: u8, i: usize) -> u8 {
        self.next[usize::from(cell)][i]
    }

    /// The number of steps.
    #[inline]
    pub fn steps(&self) -> usize {
        self.k()
    }

    #[inline]
    pub fn is_open(&self, cell: u8) -> bool {
        self.status[usize::from(cell)] == OPEN
    }

    #[inline]
    pub fn is_p(&self, cell: u8) -> bool {
        self.status[usize::from(cell)] == P
    }

    #[inline]
    pub fn has_escape(&self, cell: u8) -> bool {
        MISERE && self.escapes[usize::from(cell)] > 0
    }

    /// The cells that have an escape, open or not; in misère play only. O(n).
    pub fn escaping(&self) -> [u64; MAX_CELLS / 64] {
        let mut set = [0; MAX_CELLS / 64];
        for cell in (0..self.n).filter(|cell| self.escapes[*cell] > 0) {
            set[cell / 64] |= 1 << (cell % 64);
        }
        set
    }

    /// What the player about to move from the token's cell sees.
    #[inline]
    pub fn sight(&self, token: u8) -> Sight {
        let (mut open, mut last, mut escape) = (0, 0, false);
        for i in 0..self.k() {
            let cell = self.next(token, i);
            match self.status[usize::from(cell)] {
                P => return Sight::Decided(true),
                OPEN => (open, last) = (open + 1, cell),
                status => escape |= status == N,
            }
        }
        match open {
            0 => Sight::Decided(MISERE && !escape),
            1 => Sight::Forced(last),
            _ => Sight::Choice,
        }
    }

    /// Marks an open cell and extends the labels.
    #[inline]
    pub fn mark(&mut self, cell: u8) {
        self.set(cell, MARKED);
        for i in 0..self.k() {
            self.lower(self.back[usize::from(cell)][i], false);
        }
        self.spread();
    }

    /// A point to come [`back`](Self::back_to) to.
    #[inline]
    pub fn point(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all marks and labels since `point`.
    #[inline]
    pub fn back_to(&mut self, point: usize) {
        while self.trail.len() > point {
            let Some(entry) = self.trail.pop() else { return };
            let cell = usize::from(entry as u8);
            match entry & !0xff {
                STATUS => {
                    self.status[cell] = OPEN;
                    self.open[cell / 64] |= 1 << (cell % 64);
                    self.open_count += 1;
                }
                change => {
                    self.degree[cell] += 1;
                    if MISERE && change == ESCAPE {
                        self.escapes[cell] -= 1;
                    }
                }
            }
        }
    }

    #[inline]
    fn set(&mut self, cell: u8, status: u8) {
        let at = usize::from(cell);
        self.status[at] = status;
        self.open[at / 64] &= !(1 << (at % 64));
        self.open_count -= 1;
        self.trail.push(STATUS | u16::from(cell));
    }

    /// One successor of `cell` has gone: marked, or (`escape`) labelled N.
    #[inline]
    fn lower(&mut self, cell: u8, escape: bool) {
        let at = usize::from(cell);
        if self.status[at] != OPEN {
            return;
        }
        self.degree[at] -= 1;
        if MISERE && escape {
            self.escapes[at] += 1;
            self.trail.push(ESCAPE | u16::from(cell));
        } else {
            self.trail.push(DEGREE | u16::from(cell));
        }
        if self.degree[at] == 0 {
            self.settle(cell);
        }
    }

    #[inline]
    fn settle(&mut self, cell: u8) {
        self.set(cell, if !MISERE || self.has_escape(cell) { P } else { N });
        self.settled.push(cell);
    }

    #[inline]
    fn spread(&mut self) {
        while let Some(cell) = self.settled.pop() {
            let p = self.is_p(cell);
            for i in 0..self.k() {
                let before = self.back[usize::from(cell)][i];
                if MISERE && !p {
                    self.lower(before, true);
                } else if self.is_open(before) {
                    self.set(before, N);
                    for j in 0..self.k() {
                        self.lower(self.back[usize::from(before)][j], true);
                    }
                }
            }
        }
    }
}

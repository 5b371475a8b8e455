//! Is the margin at least t? Alpha-beta with null windows and a table of bounds.
//!
//! Margins have the parity of the number of boxes, so windows step by two. A move is good enough when what it leads to lies
//! between two bounds: two questions. Before any option is searched the table is asked for all of them.

use super::chains::Multisets;
use super::graph::Representatives;
use super::grid::Grid;
use super::moves::{self, Candidate};
use super::position::{Node, State};
use super::table::{Bounds, Table};
use super::threads::Busy;
use bouton_rules::{LimitReached, Meter};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Positions with fewer open lines are sooner searched than compared with others.
const LEAST_LINES: u32 = 12;

/// So many options are asked for before the first is looked up: memory is slow.
const AHEAD: usize = 6;

/// What all threads share.
#[derive(Debug)]
pub(super) struct Shared {
    pub grid: Grid,
    pub sets: Multisets,
    pub table: Table,
    /// Of each thread its own.
    representatives: Vec<Mutex<Representatives>>,
}

/// One thread's search.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pub shared: &'a Shared,
    pub meter: &'a mut Meter,
    /// What the other threads are searching, if there are any.
    pub busy: Option<&'a Busy>,
    /// Positions that stand for equal ones.
    pub representatives: &'a mut Representatives,
    /// Candidates of the positions that are being searched, one after the other.
    pub candidates: &'a mut Vec<Candidate>,
}

impl Shared {
    pub fn new(grid: Grid, sets: Multisets, table: Table, threads: usize) -> Shared {
        let bytes = table.bytes() / 8 / threads as u64;
        let representatives = (0..threads).map(|_| Mutex::new(Representatives::new(bytes))).collect();
        Shared { grid, sets, table, representatives }
    }

    /// The representatives of a thread.
    pub fn representatives(&self, thread: usize) -> MutexGuard<'_, Representatives> {
        // Any state of theirs is a right one.
        self.representatives[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of the value of a position.
    #[inline]
    pub fn known(&self, node: Node) -> Bounds {
        if node.state.open == 0 {
            let value = self.sets.value(node.state.set);
            return Bounds { low: value, high: value };
        }
        let all = node.boxes as i32;
        self.table.get(node.key, node.boxes).unwrap_or(Bounds { low: -all, high: all })
    }
}

impl Candidate {
    /// Whether the value is good enough, if the bounds tell.
    #[inline]
    fn decided(&self, known: Bounds) -> Option<bool> {
        if known.high < self.low || known.low > self.high {
            Some(false)
        } else {
            (known.low >= self.low && known.high <= self.high).then_some(true)
        }
    }
}

impl Search<'_> {
    /// Whether the value of a position is at least `least`, which has the parity of its boxes.
    pub fn at_least(&mut self, node: Node, least: i32) -> Result<bool, LimitReached> {
        let shared = self.shared;
        let known = shared.known(node);
        if known.low >= least || known.high < least {
            return Ok(known.low >= least);
        }
        self.meter.node()?;
        let before = self.meter.nodes();
        let start = self.candidates.len();
        let mut answer = self.by_table(&node, least).map(Ok);
        if answer.is_none() {
            answer = self.by_twin(&node, least);
        }
        let answer = answer.unwrap_or_else(|| self.any(start, node.boxes));
        self.candidates.truncate(start);
        let good = answer?;
        // Another thread may have learnt more meanwhile.
        let known = shared.known(node);
        let bounds = if good {
            Bounds { low: known.low.max(least), high: known.high }
        } else {
            Bounds { low: known.low, high: known.high.min(least - 2) }
        };
        shared.table.put(node.key, node.boxes, bounds, self.meter.nodes() - before);
        Ok(good)
    }

    /// Finds the candidates, and whether one is known to be good enough or none can be. Those that are not known stay.
    #[inline]
    fn by_table(&mut self, node: &Node, least: i32) -> Option<bool> {
        let (grid, sets, table) = (&self.shared.grid, &self.shared.sets, &self.shared.table);
        let start = self.candidates.len();
        let mut next = start;
        // Safe moves first: they are sooner found.
        let found = moves::safe(grid, sets, node, least, |candidate| {
            table.prefetch(candidate.node.key);
            self.candidates.push(candidate);
            self.look(&mut next, AHEAD)
        });
        if found.is_break() || self.look(&mut next, 0).is_break() {
            return Some(true);
        }
        let safe = next - start;
        let found = moves::openings(grid, sets, node, least, |candidate| {
            table.prefetch(candidate.node.key);
            self.candidates.push(candidate);
            self.look(&mut next, AHEAD)
        });
        if found.is_break() || self.look(&mut next, 0).is_break() {
            return Some(true);
        }
        let left = &mut self.candidates[start..];
        left.rotate_left(safe);
        left.is_empty().then_some(false)
    }

    /// Looks up candidates from `next` on but for the last `ahead`: those that are no good are taken out.
    #[inline]
    fn look(&mut self, next: &mut usize, ahead: usize) -> ControlFlow<()> {
        while *next + ahead < self.candidates.len() {
            let candidate = &self.candidates[*next];
            match candidate.decided(self.shared.known(candidate.node)) {
                Some(true) => return Break(()),
                Some(false) => {
                    self.candidates.remove(*next);
                }
                None => *next += 1,
            }
        }
        Continue(())
    }

    /// What is found for an equal position that stands for this one, if there is another.
    #[inline]
    fn by_twin(&mut self, node: &Node, least: i32) -> Option<Result<bool, LimitReached>> {
        if node.state.open.count_ones() < LEAST_LINES {
            return None;
        }
        let open = self.representatives.of(&self.shared.grid, node.state.open);
        if open == node.state.open {
            return None;
        }
        let twin = Node::new(&self.shared.grid, State { open, set: node.state.set }, node.boxes);
        Some(self.at_least(twin, least))
    }

    /// Whether one of the candidates from `start` on is good enough.
    fn any(&mut self, start: usize, boxes: u32) -> Result<bool, LimitReached> {
        let end = self.candidates.len();
        let Some(busy) = self.busy.filter(|_| boxes >= Busy::LEAST_BOXES) else {
            for i in start..end {
                if self.good(self.candidates[i])? {
                    return Ok(true);
                }
            }
            return Ok(false);
        };
        // What another thread is searching waits; by then the table may know it.
        let mut waiting: SmallVec<[Candidate; 64]> = SmallVec::new();
        for i in start..end {
            let candidate = self.candidates[i];
            if i > start && !busy.enter(candidate.node.key) {
                waiting.push(candidate);
                continue;
            }
            let good = self.good(candidate);
            if i > start {
                busy.leave(candidate.node.key);
            }
            if good? {
                return Ok(true);
            }
        }
        for candidate in waiting {
            if self.good(candidate)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn good(&mut self, candidate: Candidate) -> Result<bool, LimitReached> {
        let all = candidate.node.boxes as i32;
        if candidate.high < all && self.at_least(candidate.node, candidate.high + 2)? {
            return Ok(false);
        }
        Ok(candidate.low <= -all || self.at_least(candidate.node, candidate.low)?)
    }
}

//! Is the margin at least t? Alpha-beta with null windows and a table of bounds.
//!
//! Margins have the parity of the number of boxes, so windows step by two. Where the other may capture he gains
//! c − d + |V + d| (see [`super::captures`]), so a move is good enough when V lies between two bounds: two questions. Before
//! any option is searched the table is asked for all of them.

use super::chains::Multisets;
use super::graph::Representatives;
use super::grid::{Grid, Word};
use super::moves::{Option_, Options, State, options};
use super::table::{Bounds, Key, Table};
use super::threads::Busy;
use bouton_rules::{LimitReached, Meter};
use smallvec::SmallVec;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Positions with fewer open lines are sooner searched than compared with others.
const LEAST_LINES: u32 = 12;

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
}

/// A position without captures, ready to be looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    state: State,
    key: Key,
    /// The number of its boxes.
    pub boxes: u32,
}

/// An option and the values of it that are good enough: `low..=high`.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    node: Node,
    low: i32,
    high: i32,
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

    /// The canonical form of a position of so many boxes without captures, the lines `drawn` drawn last.
    #[inline]
    pub fn node(&self, state: State, drawn: Word, boxes: u32) -> Node {
        let (open, set) = self.sets.strip(&self.grid, state.open, drawn, state.set);
        self.settled(State { open: self.grid.canonical(open), set }, boxes)
    }

    /// A position in its canonical form.
    #[inline]
    fn settled(&self, state: State, boxes: u32) -> Node {
        // The multisets' codes have at most so many bits as the word has room for.
        let key = state.open | u64::from(state.set).checked_shl(self.grid.lines).unwrap_or(0);
        Node { state, key: Key::mix(key), boxes }
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
    /// The values of an option that make the mover's margin at least `least`; `None` if there are none.
    #[inline]
    fn new(shared: &Shared, from: Node, option: &Option_, least: i32) -> Option<Candidate> {
        let gift = option.gift as i32;
        let high = -least - gift;
        let low = if option.deal == 0 { i32::MIN } else { least + gift - 2 * option.deal };
        let boxes = from.boxes - option.gift;
        let all = boxes as i32;
        if low > high || low > all || high < -all {
            return None;
        }
        let node = shared.node(option.state, from.state.open ^ option.state.open, boxes);
        Some(Candidate { node, low, high })
    }

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
        if let Some(twin) = self.twin(node) {
            let before = self.meter.nodes();
            let good = self.at_least(twin, least)?;
            let (own, twins) = (shared.known(node), shared.known(twin));
            let bounds = Bounds { low: own.low.max(twins.low), high: own.high.min(twins.high) };
            shared.table.put(node.key, node.boxes, bounds, self.meter.nodes() - before);
            return Ok(good);
        }
        self.meter.node()?;
        let before = self.meter.nodes();
        let mut candidates: SmallVec<[Candidate; 64]> = SmallVec::new();
        let mut all = Options::new();
        options(&shared.grid, &shared.sets, node.state, &mut all);
        for option in &all {
            if let Some(candidate) = Candidate::new(shared, node, option, least) {
                shared.table.prefetch(candidate.node.key);
                candidates.push(candidate);
            }
        }
        let mut good = false;
        candidates.retain(|candidate| match candidate.decided(shared.known(candidate.node)) {
            Some(decided) => {
                good |= decided;
                false
            }
            None => true,
        });
        if !good {
            good = self.any(&candidates, node.boxes)?;
        }
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

    /// The position that stands for an equal one, if that is another.
    #[inline]
    fn twin(&mut self, node: Node) -> Option<Node> {
        if node.state.open.count_ones() < LEAST_LINES {
            return None;
        }
        let open = self.representatives.of(&self.shared.grid, node.state.open);
        (open != node.state.open)
            .then(|| self.shared.settled(State { open, set: node.state.set }, node.boxes))
    }

    /// Whether one of the candidates is good enough.
    fn any(&mut self, candidates: &[Candidate], boxes: u32) -> Result<bool, LimitReached> {
        let Some(busy) = self.busy.filter(|_| boxes >= Busy::LEAST_BOXES) else {
            for candidate in candidates {
                if self.good(candidate)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        };
        // What another thread is searching waits; by then the table may know it.
        let mut waiting: SmallVec<[&Candidate; 64]> = SmallVec::new();
        for (i, candidate) in candidates.iter().enumerate() {
            if i > 0 && !busy.enter(candidate.node.key) {
                waiting.push(candidate);
                continue;
            }
            let good = self.good(candidate);
            if i > 0 {
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

    fn good(&mut self, candidate: &Candidate) -> Result<bool, LimitReached> {
        let all = candidate.node.boxes as i32;
        if candidate.high < all && self.at_least(candidate.node, candidate.high + 2)? {
            return Ok(false);
        }
        Ok(candidate.low <= -all || self.at_least(candidate.node, candidate.low)?)
    }
}

//! The question whether a margin is at least t: alpha-beta with null windows and a table of bounds.
//!
//! Margins have the parity of the number of boxes, so windows step by two. A move is good enough if
//! the value of its option lies between two bounds: two questions. The table is probed for all
//! options before any is searched.

use super::chains::Multisets;
use super::grid::Grid;
use super::journal::Journal;
use super::moves::{self, Candidate};
use super::order::Waiting;
use super::position::Node;
use super::table::{BoundTable, Bounds};
use super::threads::ActivePositions;
use bouton_core::{LimitReached, Meter};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};

/// The number of options whose table entries are prefetched before the first is read, to hide the
/// latency of memory.
const PREFETCH_DISTANCE: usize = 16;

/// The data that all threads share.
#[derive(Debug)]
pub(super) struct SharedSearch {
    pub grid: Grid,
    pub sets: Multisets,
    pub table: BoundTable,
    /// The journal of a run that can be resumed.
    pub journal: Option<Journal>,
}

/// The search of one thread.
#[derive(Debug)]
pub(super) struct SearchThread<'a> {
    pub shared: &'a SharedSearch,
    pub meter: &'a mut Meter,
    /// The positions that other threads are searching, if there are any.
    pub busy: Option<&'a ActivePositions>,
    /// The candidates of the positions under search, one after the other.
    pub candidates: Vec<Candidate>,
    /// The queued options of the same positions.
    pub waiting: Vec<Waiting>,
    /// The finished share of the question, and the share of the present position.
    pub done: f64,
    pub part: f64,
}

impl SharedSearch {
    pub fn new(grid: Grid, sets: Multisets, table: BoundTable) -> SharedSearch {
        SharedSearch { grid, sets, table, journal: None }
    }

    /// Returns whether the value of a position is at least `least`, which must have the parity of
    /// its boxes, with one thread.
    pub fn search(
        &self,
        meter: &mut Meter,
        busy: Option<&ActivePositions>,
        node: Node,
        least: i32,
    ) -> Result<bool, LimitReached> {
        let mut search = SearchThread {
            shared: self,
            meter,
            busy,
            candidates: Vec::new(),
            waiting: Vec::new(),
            done: 0.0,
            part: 1.0,
        };
        search.at_least(node, least)
    }

    /// Returns the known bounds on the value of a position.
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
    /// Returns whether the value is good enough, if the bounds decide that.
    #[inline]
    fn decided(&self, known: Bounds) -> Option<bool> {
        if known.high < self.low || known.low > self.high {
            Some(false)
        } else {
            (known.low >= self.low && known.high <= self.high).then_some(true)
        }
    }
}

impl SearchThread<'_> {
    /// Returns whether the value of a position is at least `least`, which must have the parity of
    /// its boxes.
    fn at_least(&mut self, node: Node, least: i32) -> Result<bool, LimitReached> {
        let shared = self.shared;
        let known = shared.known(node);
        if known.low >= least || known.high < least {
            return Ok(known.low >= least);
        }
        self.meter.spend_one()?;
        let before = self.meter.nodes();
        let start = self.candidates.len();
        let answer = self.probe_all(&node, least).map_or_else(|| self.any_good(start, &node), Ok);
        self.candidates.truncate(start);
        let is_good = answer?;
        self.store(&node, least, is_good, before);
        Ok(is_good)
    }

    /// Returns the same for a queued option, whose own undecided options are among the candidates.
    fn at_least_of(&mut self, waiting: &Waiting, least: i32) -> Result<bool, LimitReached> {
        let node = waiting.candidate.node;
        let known = self.shared.known(node);
        if known.low >= least || known.high < least {
            return Ok(known.low >= least);
        }
        let before = self.meter.nodes();
        let start = self.candidates.len();
        let (from, to) = waiting.options.unwrap_or_default();
        self.candidates.extend_from_within(from..to);
        let mut next = start;
        let answer = if self.probe(&mut next, 0).is_break() {
            Ok(true)
        } else if self.candidates.len() == start {
            Ok(false)
        } else {
            self.any_good(start, &node)
        };
        self.candidates.truncate(start);
        let is_good = answer?;
        self.store(&node, least, is_good, before);
        Ok(is_good)
    }

    /// Stores an answer that took the nodes since `before`.
    #[inline]
    pub fn store(&mut self, node: &Node, least: i32, is_good: bool, before: u64) {
        // Another thread may have stored better bounds.
        let known = self.shared.known(*node);
        let bounds = if is_good {
            Bounds { low: known.low.max(least), high: known.high }
        } else {
            Bounds { low: known.low, high: known.high.min(least - 2) }
        };
        self.shared.table.put(node.key, node.boxes, bounds, self.meter.nodes() - before);
    }

    /// Generates the candidates and probes the table. Returns the answer if one is good enough or
    /// none can be; the undecided ones stay.
    #[inline]
    pub fn probe_all(&mut self, node: &Node, least: i32) -> Option<bool> {
        let (grid, sets, table) = (&self.shared.grid, &self.shared.sets, &self.shared.table);
        let start = self.candidates.len();
        let mut next = start;
        // Safe moves come first: they are cheaper to generate.
        let found = moves::safe(grid, sets, node, least, |candidate| {
            table.prefetch(candidate.node.key);
            self.candidates.push(candidate);
            self.probe(&mut next, PREFETCH_DISTANCE)
        });
        if found.is_break() || self.probe(&mut next, 0).is_break() {
            return Some(true);
        }
        let safe = next - start;
        let found = moves::openings(grid, sets, node, least, |candidate| {
            table.prefetch(candidate.node.key);
            self.candidates.push(candidate);
            self.probe(&mut next, PREFETCH_DISTANCE)
        });
        if found.is_break() || self.probe(&mut next, 0).is_break() {
            return Some(true);
        }
        let left = &mut self.candidates[start..];
        left.rotate_left(safe);
        left.is_empty().then_some(false)
    }

    /// Probes candidates from `next` on, except for the last `ahead`, and removes those that are
    /// not good enough.
    #[inline]
    fn probe(&mut self, next: &mut usize, ahead: usize) -> ControlFlow<()> {
        // Undecided candidates move down over the removed ones.
        let (mut from, last) = (*next, self.candidates.len());
        let mut end = Continue(());
        while from + ahead < last {
            let candidate = self.candidates[from];
            from += 1;
            match candidate.decided(self.shared.known(candidate.node)) {
                Some(true) => {
                    end = Break(());
                    break;
                }
                Some(false) => {}
                None => {
                    self.candidates[*next] = candidate;
                    *next += 1;
                }
            }
        }
        if *next < from {
            self.candidates.copy_within(from.., *next);
            self.candidates.truncate(last - (from - *next));
        }
        end
    }

    /// Returns whether one of the candidates from `start` on, options of a position, is good
    /// enough.
    fn any_good(&mut self, start: usize, from: &Node) -> Result<bool, LimitReached> {
        let (end, first) = (self.candidates.len(), self.waiting.len());
        let answer =
            if self.queue(start..end, from)? { Ok(true) } else { self.any_waiting(first, from) };
        self.waiting.truncate(first);
        self.candidates.truncate(end);
        answer
    }

    /// Returns whether one of the options queued from `first` on is good enough.
    fn any_waiting(&mut self, first: usize, from: &Node) -> Result<bool, LimitReached> {
        let last = self.waiting.len();
        let journal = self.shared.journal.as_ref().filter(|journal| journal.is_above(from));
        let busy = self.busy.filter(|_| from.boxes >= ActivePositions::MIN_BOXES);
        if journal.is_none() && busy.is_none() {
            for i in first..last {
                if self.is_good(self.waiting[i])? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let (done, part) = (self.done, self.part);
        let each = part / (last - first).max(1) as f64;
        let mut count = 0;
        // A position that another thread or shard is searching is postponed; by then the table or a
        // journal may know it.
        let mut postponed: SmallVec<[usize; 64]> = SmallVec::new();
        let mut found = false;
        for i in first..last {
            let waiting = self.waiting[i];
            let node = waiting.candidate.node;
            let is_free =
                journal.is_none_or(|journal| journal.is_above(&node) || journal.owns(&node));
            let enters = i > first && is_free;
            if !is_free || enters && busy.is_some_and(|busy| !busy.enter(node.key)) {
                postponed.push(i);
                continue;
            }
            self.part = each;
            let is_good = self.is_good_recorded(journal, waiting);
            if let (true, Some(busy)) = (enters, busy) {
                busy.leave(node.key);
            }
            found = is_good?;
            if found {
                break;
            }
            count += 1;
            self.report(journal, done + each * f64::from(count));
        }
        for i in postponed {
            if found {
                break;
            }
            self.part = each;
            found = self.is_good_recorded(journal, self.waiting[i])?;
            count += 1;
            self.report(journal, done + each * f64::from(count));
        }
        self.part = part;
        self.report(journal, done + part);
        Ok(found)
    }

    /// Reports the finished share of the question.
    fn report(&mut self, journal: Option<&Journal>, done: f64) {
        if let Some(journal) = journal {
            self.done = done;
            journal.set_share(done);
        }
    }

    /// Returns whether a candidate is good enough, with the journal if there is one.
    fn is_good_recorded(
        &mut self,
        journal: Option<&Journal>,
        waiting: Waiting,
    ) -> Result<bool, LimitReached> {
        let (shared, candidate) = (self.shared, &waiting.candidate);
        let node = &candidate.node;
        let Some(journal) = journal else { return self.is_good(waiting) };
        journal.read_others(shared);
        let known = shared.known(*node);
        let noted = journal.recorded(node).unwrap_or(known);
        let bounds = Bounds { low: known.low.max(noted.low), high: known.high.min(noted.high) };
        if let Some(decided) = candidate.decided(bounds) {
            return Ok(decided);
        }
        let before = self.meter.nodes();
        let is_good = self.is_good(waiting)?;
        journal.record(node, shared.known(*node), self.meter.nodes() - before, &shared.sets);
        Ok(is_good)
    }

    fn is_good(&mut self, waiting: Waiting) -> Result<bool, LimitReached> {
        let candidate = waiting.candidate;
        let all = candidate.node.boxes as i32;
        if candidate.high < all {
            let least = candidate.high + 2;
            let too_much = if waiting.options.is_none() {
                self.at_least(candidate.node, least)?
            } else {
                self.at_least_of(&waiting, least)?
            };
            if too_much {
                return Ok(false);
            }
        }
        Ok(candidate.low <= -all || self.at_least(candidate.node, candidate.low)?)
    }
}

//! Is the margin at least t? Alpha-beta with null windows and a table of bounds.
//!
//! Margins have the parity of the number of boxes, so windows step by two. A move is good enough when what it leads to lies
//! between two bounds: two questions. Before any option is searched the table is asked for all of them.

use super::chains::Multisets;
use super::grid::Grid;
use super::journal::Journal;
use super::moves::{self, Candidate};
use super::order::Waiting;
use super::position::Node;
use super::table::{Bounds, Table};
use super::threads::Busy;
use bouton_core::{LimitReached, Meter};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};

/// So many options are asked for before the first is looked up: memory is slow.
const AHEAD: usize = 16;

/// What all threads share.
#[derive(Debug)]
pub(super) struct Shared {
    pub grid: Grid,
    pub sets: Multisets,
    pub table: Table,
    /// What is noted of a run that can be taken up again.
    pub journal: Option<Journal>,
}

/// One thread's search.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pub shared: &'a Shared,
    pub meter: &'a mut Meter,
    /// What the other threads are searching, if there are any.
    pub busy: Option<&'a Busy>,
    /// Candidates of the positions that are being searched, one after the other.
    pub candidates: Vec<Candidate>,
    /// Options that wait to be searched, of the same positions.
    pub waiting: Vec<Waiting>,
    /// How far the present question is, and the part of it that the present position is.
    pub done: f64,
    pub part: f64,
}

impl Shared {
    pub fn new(grid: Grid, sets: Multisets, table: Table) -> Shared {
        Shared { grid, sets, table, journal: None }
    }

    /// Whether the value of a position is at least `least`, which has the parity of its boxes, by one thread.
    pub fn search(
        &self,
        meter: &mut Meter,
        busy: Option<&Busy>,
        node: Node,
        least: i32,
    ) -> Result<bool, LimitReached> {
        let mut search = Search {
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
    fn at_least(&mut self, node: Node, least: i32) -> Result<bool, LimitReached> {
        let shared = self.shared;
        let known = shared.known(node);
        if known.low >= least || known.high < least {
            return Ok(known.low >= least);
        }
        self.meter.node()?;
        let before = self.meter.nodes();
        let start = self.candidates.len();
        let answer = self.by_table(&node, least).map_or_else(|| self.any(start, &node), Ok);
        self.candidates.truncate(start);
        let good = answer?;
        self.learn(&node, least, good, before);
        Ok(good)
    }

    /// The same of an option that waits: those of its own options that were not decided are at hand.
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
        let answer = if self.look(&mut next, 0).is_break() {
            Ok(true)
        } else if self.candidates.len() == start {
            Ok(false)
        } else {
            self.any(start, &node)
        };
        self.candidates.truncate(start);
        let good = answer?;
        self.learn(&node, least, good, before);
        Ok(good)
    }

    /// Keeps an answer that took the nodes since `before`.
    #[inline]
    pub fn learn(&mut self, node: &Node, least: i32, good: bool, before: u64) {
        // Another thread may have learnt more meanwhile.
        let known = self.shared.known(*node);
        let bounds = if good {
            Bounds { low: known.low.max(least), high: known.high }
        } else {
            Bounds { low: known.low, high: known.high.min(least - 2) }
        };
        self.shared.table.put(node.key, node.boxes, bounds, self.meter.nodes() - before);
    }

    /// Finds the candidates, and whether one is known to be good enough or none can be. Those that are not known stay.
    #[inline]
    pub fn by_table(&mut self, node: &Node, least: i32) -> Option<bool> {
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
        // Those that stay move down over those that do not.
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

    /// Whether one of the candidates from `start` on, options of a position, is good enough.
    fn any(&mut self, start: usize, from: &Node) -> Result<bool, LimitReached> {
        let (end, first) = (self.candidates.len(), self.waiting.len());
        let answer = if self.line_up(start..end, from)? { Ok(true) } else { self.any_waiting(first, from) };
        self.waiting.truncate(first);
        self.candidates.truncate(end);
        answer
    }

    /// Whether one of those that wait from `first` on, options of a position, is good enough.
    fn any_waiting(&mut self, first: usize, from: &Node) -> Result<bool, LimitReached> {
        let last = self.waiting.len();
        let journal = self.shared.journal.as_ref().filter(|journal| journal.is_above(from));
        let busy = self.busy.filter(|_| from.boxes >= Busy::LEAST_BOXES);
        if journal.is_none() && busy.is_none() {
            for i in first..last {
                if self.good(self.waiting[i])? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let (done, part) = (self.done, self.part);
        let each = part / (last - first).max(1) as f64;
        let mut count = 0;
        // What another thread or shard is searching is put off; by then the table or a journal may know it.
        let mut put_off: SmallVec<[usize; 64]> = SmallVec::new();
        let mut found = false;
        for i in first..last {
            let waiting = self.waiting[i];
            let node = waiting.candidate.node;
            let is_free = journal.is_none_or(|journal| journal.is_above(&node) || journal.owns(&node));
            let enters = i > first && is_free;
            if !is_free || enters && busy.is_some_and(|busy| !busy.enter(node.key)) {
                put_off.push(i);
                continue;
            }
            self.part = each;
            let good = self.good_noted(journal, waiting);
            if let (true, Some(busy)) = (enters, busy) {
                busy.leave(node.key);
            }
            found = good?;
            if found {
                break;
            }
            count += 1;
            self.tell(journal, done + each * f64::from(count));
        }
        for i in put_off {
            if found {
                break;
            }
            self.part = each;
            found = self.good_noted(journal, self.waiting[i])?;
            count += 1;
            self.tell(journal, done + each * f64::from(count));
        }
        self.part = part;
        self.tell(journal, done + part);
        Ok(found)
    }

    /// So much of the question is done.
    fn tell(&mut self, journal: Option<&Journal>, done: f64) {
        if let Some(journal) = journal {
            self.done = done;
            journal.set_share(done);
        }
    }

    /// Whether a candidate is good enough, by the journal if there is one.
    fn good_noted(&mut self, journal: Option<&Journal>, waiting: Waiting) -> Result<bool, LimitReached> {
        let (shared, candidate) = (self.shared, &waiting.candidate);
        let node = &candidate.node;
        let Some(journal) = journal else { return self.good(waiting) };
        journal.look(shared);
        let known = shared.known(*node);
        let noted = journal.known(node).unwrap_or(known);
        let bounds = Bounds { low: known.low.max(noted.low), high: known.high.min(noted.high) };
        if let Some(decided) = candidate.decided(bounds) {
            return Ok(decided);
        }
        let before = self.meter.nodes();
        let good = self.good(waiting)?;
        journal.note(node, shared.known(*node), self.meter.nodes() - before, &shared.sets);
        Ok(good)
    }

    fn good(&mut self, waiting: Waiting) -> Result<bool, LimitReached> {
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

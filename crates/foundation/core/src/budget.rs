//! How much a computation may cost. The end of a budget is a value, never a wrong answer.

use crate::clock::Instant;
use crate::rule_source::RuleFault;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The most that a computation may spend. The default has no limit.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// Positions expanded. The only limit that gives the same verdict on every machine.
    pub nodes: Option<u64>,
    /// Memory held by tables, in bytes, to within a factor of two.
    pub bytes: Option<u64>,
    /// When to stop. Clones of a budget share it: a command with many steps has one clock.
    pub deadline: Option<Deadline>,
    /// By which other threads read the progress and stop the work.
    pub watch: Option<Arc<Watch>>,
}

/// A point in time, and how long after the start of the work it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    /// Returns the deadline this long from now.
    pub fn after(limit: Duration) -> Deadline {
        let now = Instant::now();
        // Nobody waits for a century.
        let at =
            now.checked_add(limit).unwrap_or_else(|| now + Duration::from_secs(100 * 365 * 86_400));
        Deadline { at, limit }
    }

    /// Returns whether the time is up.
    pub fn is_past(&self) -> bool {
        Instant::now() >= self.at
    }

    /// Returns the time left, zero when it is up.
    pub fn left(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Returns how long after the start of the work it is.
    pub fn limit(&self) -> Duration {
        self.limit
    }
}

impl Budget {
    /// Returns the same budget with a deadline `limit` from the call, unless an earlier one is set.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Budget {
        let sooner = self.deadline.filter(|deadline| deadline.left() <= limit);
        Budget { deadline: Some(sooner.unwrap_or_else(|| Deadline::after(limit))), ..self.clone() }
    }

    /// Returns why work must stop now, if it must, nodes and bytes left out: the time is up, or
    /// somebody asked to stop.
    pub fn interrupted(&self) -> Option<LimitReached> {
        if self.watch.as_ref().is_some_and(|watch| watch.stop.load(Ordering::Relaxed)) {
            return Some(LimitReached::Cancelled);
        }
        self.deadline.filter(Deadline::is_past).map(|deadline| LimitReached::Time(deadline.limit))
    }
}

/// Shared state of running work: its progress, and a request to stop.
#[derive(Debug, Default)]
pub struct Watch {
    /// Nodes spent so far, updated every few thousand.
    pub nodes: AtomicU64,
    /// Set to stop the work; it ends with [`LimitReached::Cancelled`].
    pub stop: AtomicBool,
}

/// Why a computation ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitReached {
    /// The node limit was reached.
    #[error("budget spent: {0} nodes")]
    Nodes(u64),
    /// The memory limit was reached.
    #[error("budget spent: {0} bytes")]
    Bytes(u64),
    /// The time limit was reached.
    #[error("budget spent: {} s", (.0.as_secs_f64() * 100.0).round() / 100.0)]
    Time(Duration),
    /// The machine has less memory.
    #[error("out of memory: {needed} bytes are needed, {free} are free")]
    Memory {
        /// Bytes.
        needed: u64,
        /// Bytes.
        free: u64,
    },
    /// The disk has no room for a file of `needed` bytes.
    #[error("out of disk space: a file of {needed} bytes is needed: {why}")]
    Disk {
        /// Bytes.
        needed: u64,
        /// What the file system says.
        why: std::io::ErrorKind,
    },
    /// The game has more heaps than are counted.
    #[error("out of reach: more than {0} heaps")]
    TooManyHeaps(u64),
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The rules of the game have an error, or play need not end.
    #[error("{0}")]
    Rules(RuleFault),
    /// Numbers too large for every method at hand.
    #[error("out of reach: the numbers are too large for every method at hand")]
    NumbersTooLarge,
}

/// Counts what is spent against a [`Budget`].
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    nodes: u64,
    next_look: u64,
    started: Instant,
}

/// Nodes between two polls of the clock and the watch.
const LOOK_EVERY: u64 = 4096;

impl Meter {
    /// Creates a meter that has spent nothing, and starts its clock.
    pub fn new(budget: &Budget) -> Meter {
        let mut meter =
            Meter { budget: budget.clone(), nodes: 0, next_look: 0, started: Instant::now() };
        meter.plan_look();
        meter
    }

    fn plan_look(&mut self) {
        self.next_look = (self.nodes + LOOK_EVERY).min(self.budget.nodes.unwrap_or(u64::MAX));
    }

    /// Spends one node. Polls the clock and the watch once in a few thousand nodes.
    #[inline]
    pub fn spend_one(&mut self) -> Result<(), LimitReached> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Spends `nodes` nodes, and polls as [`Meter::spend_one`] does.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> Result<(), LimitReached> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > self.next_look { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), LimitReached> {
        if let Some(limit) = self.budget.nodes.filter(|limit| self.nodes >= *limit) {
            return Err(LimitReached::Nodes(limit));
        }
        if let Some(watch) = &self.budget.watch {
            watch.nodes.store(self.nodes, Ordering::Relaxed);
        }
        if let Some(interrupted) = self.budget.interrupted() {
            return Err(interrupted);
        }
        self.plan_look();
        Ok(())
    }

    /// Spends `nodes` nodes, and polls the clock and the watch in any case.
    pub fn spend_and_poll(&mut self, nodes: u64) -> Result<(), LimitReached> {
        self.nodes = self.nodes.saturating_add(nodes);
        self.look()
    }

    /// Polls the clock and the watch, and checks the `bytes` that tables hold. Spends nothing: for
    /// calls during one node that has very many options.
    pub fn poll(&mut self, bytes: u64) -> Result<(), LimitReached> {
        if self.budget.nodes.is_none_or(|limit| self.nodes < limit) {
            self.look()?;
        }
        self.check_bytes(bytes)
    }

    /// Checks that the budget allows tables of `bytes` bytes.
    pub fn check_bytes(&self, bytes: u64) -> Result<(), LimitReached> {
        match self.budget.bytes {
            Some(limit) if bytes > limit => Err(LimitReached::Bytes(limit)),
            _ => Ok(()),
        }
    }

    /// Returns a meter for a part of the work, with the same clock and at most `nodes` of the nodes
    /// that are left. [`Meter::join`] adds what it spent to this meter.
    pub fn fork(&self, nodes: u64) -> Meter {
        let left = self.budget.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let mut part = Meter {
            budget: Budget { nodes: Some(nodes.min(left)), ..self.budget.clone() },
            nodes: 0,
            next_look: 0,
            started: self.started,
        };
        part.plan_look();
        part
    }

    /// Adds the nodes that a meter of [`Meter::fork`] has spent.
    pub fn join(&mut self, part: &Meter) {
        self.nodes += part.nodes;
        self.plan_look();
    }

    /// Returns the nodes spent so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the budget that is spent.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_node_limit_is_exact() {
        for limit in [0, 1, 4095, 4096, 4097, 10_000] {
            let mut meter = Meter::new(&Budget { nodes: Some(limit), ..Budget::default() });
            let spent = (0..).find_map(|_| meter.spend_one().err());
            assert_eq!((meter.nodes(), spent), (limit, Some(LimitReached::Nodes(limit))));
        }
    }

    #[test]
    fn a_watch_stops_the_work() {
        let watch = Arc::new(Watch::default());
        let mut meter = Meter::new(&Budget { watch: Some(watch.clone()), ..Budget::default() });
        watch.stop.store(true, Ordering::Relaxed);
        assert_eq!((0..).find_map(|_| meter.spend_one().err()), Some(LimitReached::Cancelled));
    }
}

//! The positions that threads are searching, so that others postpone them.
//!
//! Source: T. Kerrigan, *Simplified ABDADA* (2017): each thread searches the whole tree and
//! postpones positions that another thread is searching.

use super::position::Node;
use super::search::SharedSearch;
use super::table::Key;
use bouton_core::{Budget, LimitReached, Meter, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The positions under search, by a part of their keys.
#[derive(Debug)]
pub(super) struct ActivePositions(Vec<AtomicU64>);

impl ActivePositions {
    /// The least number of boxes of a position that is entered.
    pub const MIN_BOXES: u32 = 6;
    const SLOTS: usize = 1 << 12;

    pub fn new() -> ActivePositions {
        ActivePositions((0..ActivePositions::SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, key: Key) -> &AtomicU64 {
        &self.0[key.0 as usize % ActivePositions::SLOTS]
    }

    /// Enters a position, unless another thread is searching it.
    pub fn enter(&self, key: Key) -> bool {
        let slot = self.slot(key);
        if slot.load(Relaxed) == key.0 {
            return false;
        }
        slot.store(key.0, Relaxed);
        true
    }

    /// Removes a position.
    pub fn leave(&self, key: Key) {
        let _ = self.slot(key).compare_exchange(key.0, 0, Relaxed, Relaxed);
    }
}

/// Returns whether the value of a position is at least `least`, with several threads. The first
/// thread that has an answer stops the others.
pub(super) fn ask(
    shared: &SharedSearch,
    threads: usize,
    node: Node,
    least: i32,
    meter: &mut Meter,
) -> Result<bool, LimitReached> {
    let known = shared.known(node);
    if known.low >= least || known.high < least {
        return Ok(known.low >= least);
    }
    let busy = ActivePositions::new();
    let watches: Vec<Arc<Watch>> = (0..threads).map(|_| Arc::new(Watch::default())).collect();
    let stop = || watches.iter().for_each(|watch| watch.stop.store(true, Relaxed));
    let caller = std::thread::current();
    let work = |watch: &Arc<Watch>| {
        let mut meter = Meter::new(&Budget { watch: Some(watch.clone()), ..Budget::default() });
        let answer = shared.search(&mut meter, Some(&busy), node, least);
        watch.nodes.store(meter.nodes(), Relaxed);
        if answer.is_ok() {
            stop();
        }
        caller.unpark();
        answer
    };
    std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> =
            watches.iter().map(|watch| scope.spawn(move || work(watch))).collect();
        let (mut counted, mut limit) = (0, None);
        loop {
            let finished = workers.iter().all(|worker| worker.is_finished());
            let nodes = watches.iter().map(|watch| watch.nodes.load(Relaxed)).sum();
            if let Err(reached) = meter.spend_and_poll(nodes - counted)
                && limit.is_none()
                && !finished
            {
                limit = Some(reached);
                stop();
            }
            counted = nodes;
            if finished {
                break;
            }
            std::thread::park_timeout(Duration::from_millis(20));
        }
        let answers = workers.into_iter().filter_map(|worker| worker.join().ok());
        match answers.flatten().next() {
            Some(answer) => Ok(answer),
            None => Err(limit.unwrap_or(LimitReached::Cancelled)),
        }
    })
}

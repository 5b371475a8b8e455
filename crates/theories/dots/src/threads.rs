//! What threads tell each other besides the table: the positions that they are searching.
//!
//! Source: T. Kerrigan, *Simplified ABDADA* (2017): each thread searches the whole tree and puts off what another is at.

use super::position::Node;
use super::search::Shared;
use super::table::Key;
use bouton_core::{Budget, LimitReached, Meter, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The positions being searched, by a part of their keys.
#[derive(Debug)]
pub(super) struct Busy(Vec<AtomicU64>);

impl Busy {
    /// Smaller positions are not worth a note.
    pub const LEAST_BOXES: u32 = 6;
    const PLACES: usize = 1 << 12;

    pub fn new() -> Busy {
        Busy((0..Busy::PLACES).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(&self, key: Key) -> &AtomicU64 {
        &self.0[key.0 as usize % Busy::PLACES]
    }

    /// Notes a position, unless another thread is at it.
    pub fn enter(&self, key: Key) -> bool {
        let place = self.place(key);
        if place.load(Relaxed) == key.0 {
            return false;
        }
        place.store(key.0, Relaxed);
        true
    }

    /// Deletes the note.
    pub fn leave(&self, key: Key) {
        let _ = self.place(key).compare_exchange(key.0, 0, Relaxed, Relaxed);
    }
}

/// Whether the value of a position is at least so much, by so many threads. The first to know stops the others.
pub(super) fn ask(
    shared: &Shared,
    threads: usize,
    node: Node,
    least: i32,
    meter: &mut Meter,
) -> Result<bool, LimitReached> {
    let known = shared.known(node);
    if known.low >= least || known.high < least {
        return Ok(known.low >= least);
    }
    let busy = Busy::new();
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
        let workers: Vec<_> = watches.iter().map(|watch| scope.spawn(move || work(watch))).collect();
        let (mut counted, mut limit) = (0, None);
        loop {
            let finished = workers.iter().all(|worker| worker.is_finished());
            let nodes = watches.iter().map(|watch| watch.nodes.load(Relaxed)).sum();
            if let Err(reached) = meter.many(nodes - counted)
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

//! Slabs over threads: each worker does its pieces of every slab, half a slab behind the worker
//! before it.
//!
//! A box is cut into slabs along its first axis, a slab into pieces along the second. A piece needs
//! the same piece of the slab before, which it overwrites, and what a worker carries along a slab.
//! So a worker keeps its pieces to itself, in its core's caches; at the end of its part of a slab
//! it hands what it carries to the next worker. Where pieces do not divide evenly the parts begin
//! elsewhere in every other slab, and a piece changes hands. Pieces are owned by one worker at a
//! time: none is locked.

use bouton_core::clock::Instant;
use std::collections::VecDeque;
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Who does pieces, one at a time.
pub(super) trait SlabWorker: Send {
    /// What is kept of a piece for the next slab.
    type Piece: Send + 'static;
    /// What is carried from piece to piece along a slab.
    type Carried: Send + 'static;
    /// What is found in a piece.
    type Output: Send + 'static;
    /// Returns a piece before the first slab.
    fn new_piece(&self) -> Self::Piece;
    /// Makes room for what is carried, whatever stands there.
    fn new_carried(&self) -> Self::Carried;
    /// Changes what is carried for this, and returns it.
    fn swap_carried(&mut self, carried: Self::Carried) -> Self::Carried;
    /// Does one piece.
    fn process(&mut self, slab: u32, piece: u32, current: &mut Self::Piece) -> Self::Output;
}

/// What workers hand over, whatever its type.
type Any = Box<dyn std::any::Any + Send>;

/// Returns what a worker of this type has handed over.
fn own<T: 'static>(any: Any) -> T {
    *any.downcast().unwrap_or_else(|_| unreachable!("workers of one run are of one type"))
}

/// A worker whose types are unknown, so that what runs workers is compiled once.
trait AnyWorker {
    /// As [`SlabWorker::new_piece`].
    fn new_piece(&self) -> Any;
    /// As [`SlabWorker::new_carried`].
    fn new_carried(&self) -> Any;
    /// As [`SlabWorker::swap_carried`].
    fn swap_carried(&mut self, carried: Any) -> Any;
    /// As [`SlabWorker::process`].
    fn process(&mut self, slab: u32, piece: u32, current: &mut Any) -> Any;
}

impl<W: SlabWorker> AnyWorker for W {
    fn new_piece(&self) -> Any {
        Box::new(SlabWorker::new_piece(self))
    }

    fn new_carried(&self) -> Any {
        Box::new(SlabWorker::new_carried(self))
    }

    fn swap_carried(&mut self, carried: Any) -> Any {
        Box::new(SlabWorker::swap_carried(self, own(carried)))
    }

    fn process(&mut self, slab: u32, piece: u32, current: &mut Any) -> Any {
        let Some(current) = current.downcast_mut() else {
            unreachable!("workers of one run are of one type");
        };
        Box::new(SlabWorker::process(self, slab, piece, current))
    }
}

/// Runs what takes a visitor that breaks with nothing, for one that breaks with something.
pub(super) fn with_break_value<B>(
    run: impl FnOnce(&mut Option<B>) -> ControlFlow<()>,
) -> ControlFlow<B> {
    let mut end = None;
    let _ = run(&mut end);
    end.map_or(Continue(()), Break)
}

/// Puts aside what a visitor breaks with.
pub(super) fn keep_break_value<B>(visited: ControlFlow<B>, end: &mut Option<B>) -> ControlFlow<()> {
    match visited {
        Continue(()) => Continue(()),
        Break(with) => {
            *end = Some(with);
            Break(())
        }
    }
}

/// What a worker hands to the next one at the end of its part of a slab.
struct Handed {
    /// Its last piece, if the next worker does it from the next slab on.
    piece: Option<Any>,
    carried: Any,
}

/// What comes back.
enum Back {
    /// A piece that the worker before does from the next slab on.
    Piece(Any),
    /// Room for what is carried.
    Room(Any),
}

/// Returns the parts of a slab: worker `i` of `count` does these of this many pieces.
fn part(slab: u32, i: u32, count: u32, pieces: u32) -> Range<u32> {
    let begin = |i: u32| (i * pieces + slab % count) / count;
    begin(i)..begin(i + 1)
}

/// What is found goes to the visitor in this many lots a slab and worker.
const LOTS: u32 = 4;

/// Does all slabs with at most this many workers and visits what is found, slab by slab and piece
/// by piece whatever the number of workers, until `visit` breaks. Workers run at most two slabs
/// ahead of the visitor.
pub(super) fn run<W: SlabWorker>(
    workers: usize,
    make: &(dyn Fn() -> W + Sync),
    slabs: u32,
    pieces: u32,
    visit: &mut dyn FnMut(u32, u32, W::Output) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let visit_own = &mut |slab, piece, found| visit(slab, piece, own(found));
    run_any(workers, &|| Box::new(make()), slabs, pieces, visit_own)
}

fn run_any<'w>(
    workers: usize,
    make: &(dyn Fn() -> Box<dyn AnyWorker + 'w> + Sync),
    slabs: u32,
    pieces: u32,
    visit: &mut dyn FnMut(u32, u32, Any) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // A part has at least two pieces, so that no worker is ever left without one.
    let count = (slabs.min(pieces / 2) as usize).min(workers).max(1) as u32;
    // WebAssembly has no threads; said here, the module of the page is without them.
    if count == 1 || cfg!(target_family = "wasm") {
        let mut worker = make();
        let mut waiting: Vec<Any> = (0..pieces).map(|_| worker.new_piece()).collect();
        for slab in 0..slabs {
            for (piece, current) in (0..pieces).zip(&mut waiting) {
                visit(slab, piece, worker.process(slab, piece, current))?;
            }
        }
        return Continue(());
    }
    std::thread::scope(|scope| {
        let mut results = Vec::new();
        // From each worker on to the next one, and back.
        let (mut from_before, mut back) = (None, None);
        for i in 0..count {
            let (tell, hear) = queue::<Vec<Any>, _>(sync_channel(2 * LOTS as usize));
            results.push(hear);
            let (hand_on, next_from_before) = queue::<Handed, _>(channel());
            let (next_back, from_after) = queue::<Back, _>(channel());
            let turn = Turn { i, count, slabs, pieces };
            let neighbours = Neighbours {
                from_before: from_before.replace(next_from_before),
                hand_on: (i + 1 < count).then_some(hand_on),
                back: back.replace(next_back),
                from_after,
            };
            scope.spawn(move || {
                // Made here, for what two workers write all the time must not lie in one line of a
                // cache.
                let mut worker = make();
                let blank = part(0, i, count, pieces).map(|_| worker.new_piece()).collect();
                // Whoever finds that a neighbour or the visitor has gone stops too.
                let _ = turn.work(&mut *worker, blank, &neighbours, |found| tell.send(found));
            });
        }
        for slab in 0..slabs {
            for (i, result) in (0..count).zip(&results) {
                let mut todo = part(slab, i, count, pieces);
                while !todo.is_empty() {
                    let Some(found) = result.receive() else {
                        unreachable!("a worker ends only after its last slab");
                    };
                    for found in found {
                        visit(slab, todo.start, found)?;
                        todo.start += 1;
                    }
                }
            }
        }
        Continue(())
    })
}

/// How long a neighbour is looked out for before going to sleep: to be woken takes about as long.
const LOOK_OUT: Duration = Duration::from_micros(300);

/// Waits for a signal; `None` if whoever gives it has gone.
fn await_signal(signals: &Receiver<()>) -> Option<()> {
    let started = Instant::now();
    while started.elapsed() < LOOK_OUT {
        match signals.try_recv() {
            Ok(()) => return Some(()),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => (0..64).for_each(|_| std::hint::spin_loop()),
        }
    }
    signals.recv().ok()
}

/// What signals that a value is in a queue.
trait Signal {
    /// Gives a signal; `None` if nobody hears it any more.
    fn give(&self) -> Option<()>;
}

impl Signal for Sender<()> {
    fn give(&self) -> Option<()> {
        self.send(()).ok()
    }
}

impl Signal for SyncSender<()> {
    fn give(&self) -> Option<()> {
        self.send(()).ok()
    }
}

/// The values that were sent and not received.
type Sent<T> = Arc<Mutex<VecDeque<T>>>;

fn locked<T>(sent: &Sent<T>) -> MutexGuard<'_, VecDeque<T>> {
    sent.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The end of a queue at which values are sent.
struct Sending<T, S> {
    values: Sent<T>,
    signal: S,
}

impl<T, S: Signal> Sending<T, S> {
    /// Sends a value; `None` if the receiver has gone.
    fn send(&self, value: T) -> Option<()> {
        locked(&self.values).push_back(value);
        self.signal.give()
    }
}

/// The end of a queue at which values are received.
struct Receiving<T> {
    values: Sent<T>,
    signals: Receiver<()>,
}

impl<T> Receiving<T> {
    /// Waits for the next value, asleep; `None` if the sender has gone.
    fn receive(&self) -> Option<T> {
        self.signals.recv().ok()?;
        locked(&self.values).pop_front()
    }

    /// Waits for a value that will soon be there: first on the lookout.
    fn await_soon(&self) -> Option<T> {
        await_signal(&self.signals)?;
        locked(&self.values).pop_front()
    }
}

/// Returns the two ends of a queue. Its channel has signals alone, one for each value: so channels
/// are compiled once, and not once for all that workers send.
fn queue<T, S>((signal, signals): (S, Receiver<()>)) -> (Sending<T, S>, Receiving<T>) {
    let values = Sent::default();
    (Sending { values: values.clone(), signal }, Receiving { values, signals })
}

/// The queues of a worker.
struct Neighbours {
    /// None for the first worker.
    from_before: Option<Receiving<Handed>>,
    /// None for the last one.
    hand_on: Option<Sending<Handed, Sender<()>>>,
    /// None for the first worker.
    back: Option<Sending<Back, Sender<()>>>,
    from_after: Receiving<Back>,
}

/// Whose turn it is.
struct Turn {
    i: u32,
    count: u32,
    slabs: u32,
    pieces: u32,
}

impl Turn {
    /// Returns this worker's part of a slab.
    fn part(&self, slab: u32) -> Range<u32> {
        part(slab, self.i, self.count, self.pieces)
    }

    /// Does this worker's parts of all slabs, `mine` being the pieces of its part as the slab
    /// before left them, in order; `None` if somebody has gone.
    fn work(
        &self,
        worker: &mut dyn AnyWorker,
        mut mine: VecDeque<Any>,
        neighbours: &Neighbours,
        tell: impl Fn(Vec<Any>) -> Option<()>,
    ) -> Option<()> {
        let mut room = None;
        let give_back = |what: Back| {
            // After the last slab nobody needs it.
            let _ = neighbours.back.as_ref().map(|back| back.send(what));
        };
        for slab in 0..self.slabs {
            let part = self.part(slab);
            let next = if slab + 1 < self.slabs { self.part(slab + 1) } else { part.clone() };
            let lot = (part.len() as u32).div_ceil(LOTS) as usize;
            let (mut done, mut away): (VecDeque<Any>, _) = (VecDeque::new(), None);
            if let Some(from_before) = &neighbours.from_before {
                let handed = from_before.await_soon()?;
                give_back(Back::Room(worker.swap_carried(handed.carried)));
                done.extend(handed.piece);
            }
            let mut all_found = Vec::new();
            for piece in part.clone() {
                while mine.is_empty() {
                    match neighbours.from_after.await_soon()? {
                        Back::Piece(piece) => mine.push_back(piece),
                        Back::Room(carried) => room = Some(carried),
                    }
                }
                let mut current = mine.pop_front()?;
                all_found.push(worker.process(slab, piece, &mut current));
                if piece < next.start {
                    give_back(Back::Piece(current));
                } else if piece < next.end {
                    done.push_back(current);
                } else {
                    away = Some(current);
                }
                if all_found.len() == lot || piece + 1 == part.end {
                    tell(std::mem::take(&mut all_found))?;
                }
            }
            if let Some(hand_on) = &neighbours.hand_on {
                // What was handed on last time is back once the next worker is at that slab.
                if slab == 0 {
                    room = Some(worker.new_carried());
                }
                while room.is_none() {
                    match neighbours.from_after.await_soon()? {
                        Back::Piece(piece) => done.push_back(piece),
                        Back::Room(carried) => room = Some(carried),
                    }
                }
                let carried = worker.swap_carried(room.take()?);
                hand_on.send(Handed { piece: away, carried })?;
            }
            mine = done;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts in each piece what it has seen: the number of a piece follows from that of the slab
    /// before and from what is carried, which follows from the pieces before.
    #[derive(Default)]
    struct Counter {
        carried: u64,
    }

    impl SlabWorker for Counter {
        type Piece = u64;
        type Carried = u64;
        type Output = u64;

        fn new_piece(&self) -> u64 {
            0
        }

        fn new_carried(&self) -> u64 {
            0
        }

        fn swap_carried(&mut self, carried: u64) -> u64 {
            std::mem::replace(&mut self.carried, carried)
        }

        fn process(&mut self, slab: u32, piece: u32, current: &mut u64) -> u64 {
            self.carried =
                if piece == 0 { slab.into() } else { (self.carried * 3 + *current) % 1009 };
            *current = (*current * 5 + self.carried + 1) % 1_000_003;
            *current
        }
    }

    fn found(workers: usize, slabs: u32, pieces: u32, stop: usize) -> Vec<(u32, u32, u64)> {
        let mut all = Vec::new();
        let _ = run(workers, &Counter::default, slabs, pieces, &mut |slab, piece, found| {
            all.push((slab, piece, found));
            if all.len() == stop { Break(()) } else { Continue(()) }
        });
        all
    }

    #[test]
    fn any_number_of_workers_finds_the_same() {
        for (slabs, pieces) in [(1, 1), (1, 7), (7, 1), (2, 2), (3, 5), (11, 11), (9, 4), (16, 33)]
        {
            let all = found(1, slabs, pieces, usize::MAX);
            assert_eq!(all.len() as u32, slabs * pieces);
            for workers in 2..=6 {
                assert_eq!(
                    found(workers, slabs, pieces, usize::MAX),
                    all,
                    "{workers} {slabs} {pieces}"
                );
                let stop = all.len() / 2 + 1;
                assert_eq!(found(workers, slabs, pieces, stop), all[..stop.min(all.len())]);
            }
        }
    }
}

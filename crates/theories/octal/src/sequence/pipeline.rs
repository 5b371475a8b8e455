//! Blocks of a sparse space on several threads.
//!
//! The codes that long shifts reach in a block do not depend on the blocks just before it. Each
//! thread takes the next free block, marks the terms of long shift on a copy of the latest bytes,
//! and waits for its turn. Then it marks the terms of short shift, decides the values and appends
//! them. With two threads nine tenths of the work need not wait. The values are those of one
//! thread, because a set of options does not depend on the order in which it grows.
//!
//! On a busy machine a thread may be kept from its processor while others wait for its block. One
//! that has waited for longer than a block takes computes that block itself; what the late thread
//! has prepared is dropped.

use super::kernel::{Kernel, LANES, Term};
use super::moves::CodeMoves;
use super::space::COMMON;
use super::sparse::{SparseEngine, SparseStop};
use super::terms::{ReachedCodes, Terms};
use bouton_core::Meter;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of threads: with more threads more terms must wait.
pub const MAX_THREADS: usize = 4;

/// Minimum number of blocks for which threads pay off.
pub const MIN_BLOCKS: usize = 1 << 9;

/// Minimum number of terms: with fewer, a block is finished before another thread is notified, and
/// threads on busy processors wait for each other.
pub const MIN_TERMS: usize = 256;

/// Minimum number of bytes in a thread's copy. Terms of larger shift wait, too.
const WINDOW: usize = 1 << 17;

/// Maximum number of blocks until witnesses recorded by one thread reach the others.
const NEWS: usize = 32;

/// Number of times that the turn is polled before the thread does what it waits for.
const SPINS: usize = 1 << 12;

/// Turn that means that there are no more blocks.
const STOPPED: usize = usize::MAX;

/// The state owned by the thread whose turn it is.
struct SharedWork<'a> {
    sparse: &'a mut SparseEngine,
    moves: &'a CodeMoves,
    meter: &'a mut Meter,
    /// Number of times that a turn is polled.
    spins: usize,
    /// The first heap of the first block.
    first: usize,
    blocks: usize,
    /// The first block that no thread has taken.
    free: usize,
    /// Shifts of the terms that do not wait; these terms, and the others.
    shifts: Range<u32>,
    far: Arc<Terms>,
    close: Vec<Term>,
    /// Number of terms in `far` or `close`, and number of recorded witnesses when `far` was last
    /// updated.
    sorted: usize,
    reported: usize,
    end: Result<(), SparseStop>,
}

/// A thread's copy of the latest bytes.
struct RecentBytes {
    /// The first heap of the copy; even, because bytes may depend on the parity of the size.
    base: usize,
    bytes: Vec<u8>,
}

impl RecentBytes {
    fn from_bytes(bytes: &[u8]) -> RecentBytes {
        let base = bytes.len().saturating_sub(WINDOW + MAX_THREADS * LANES) & !1;
        RecentBytes { base, bytes: bytes[base..].to_vec() }
    }

    /// Appends the bytes that were computed since.
    fn follow(&mut self, bytes: &[u8]) {
        if self.bytes.len() > 4 * WINDOW {
            *self = RecentBytes::from_bytes(bytes);
        } else {
            self.bytes.extend(&bytes[self.base + self.bytes.len()..]);
        }
    }
}

/// Stops all threads if one of them panics.
struct StopOnPanic<'a>(&'a AtomicUsize);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(STOPPED, Ordering::Release);
        }
    }
}

/// Computes the values of `blocks` blocks on at most `threads` threads.
pub fn extend(
    sparse: &mut SparseEngine,
    moves: &CodeMoves,
    blocks: usize,
    threads: usize,
    meter: &mut Meter,
) -> Result<(), SparseStop> {
    extend_by(sparse, moves, blocks, threads, SPINS, meter)
}

fn extend_by(
    sparse: &mut SparseEngine,
    moves: &CodeMoves,
    blocks: usize,
    threads: usize,
    spins: usize,
    meter: &mut Meter,
) -> Result<(), SparseStop> {
    let threads = threads.clamp(1, MAX_THREADS);
    let shifts = (threads * LANES) as u32..WINDOW as u32;
    let terms = sparse.terms();
    let line = SharedWork {
        first: sparse.len(),
        blocks,
        free: 0,
        far: Arc::new(terms.with_shifts_in(&shifts)),
        close: terms.rare.iter().filter(|term| !shifts.contains(&term.shift)).copied().collect(),
        sorted: terms.rare.len(),
        reported: terms.remembered,
        shifts,
        end: Ok(()),
        sparse,
        moves,
        meter,
        spins,
    };
    let (line, turn) = (Mutex::new(line), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let work = || work(&line, &turn);
        for _ in 1..threads {
            // If no thread can be started, the others do its work.
            drop(std::thread::Builder::new().spawn_scoped(scope, work));
        }
        work();
    });
    line.into_inner().unwrap_or_else(PoisonError::into_inner).end
}

/// Takes blocks until none is left.
fn work(line: &Mutex<SharedWork<'_>>, turn: &AtomicUsize) {
    let _alarm = StopOnPanic(turn);
    let lock = || line.lock().unwrap_or_else(PoisonError::into_inner);
    let mut guard = lock();
    let (blocks, simd, spins) = (guard.blocks, guard.sparse.simd(), guard.spins);
    let mut latest = RecentBytes::from_bytes(guard.sparse.bytes());
    loop {
        latest.follow(guard.sparse.bytes());
        let (block, far) = (guard.free, guard.far.clone());
        guard.free += 1;
        let (done, start) = (guard.done(), guard.start(block));
        drop(guard);
        // Only after the lock is released, so that the next thread can acquire it at once.
        turn.fetch_max(done, Ordering::Release);
        if block >= blocks {
            return;
        }
        let reached = far.reach(simd, &latest.bytes, start - latest.base);
        drop(far);
        guard = loop {
            for _ in 0..spins {
                if turn.load(Ordering::Acquire) >= block {
                    break;
                }
                std::hint::spin_loop();
            }
            let mut guard = lock();
            let next = guard.done();
            if turn.load(Ordering::Acquire) == STOPPED || next >= block {
                break guard;
            }
            latest.follow(guard.sparse.bytes());
            let late =
                guard.far.clone().reach(simd, &latest.bytes, guard.start(next) - latest.base);
            guard.finish(next, late, turn);
            let done = guard.done();
            drop(guard);
            turn.fetch_max(done, Ordering::Release);
        };
        // Unless another thread has computed it.
        if guard.done() == block {
            guard.finish(block, reached, turn);
        }
        if turn.load(Ordering::Acquire) == STOPPED {
            return;
        }
    }
}

impl SharedWork<'_> {
    /// Returns the first heap of a block.
    fn start(&self, block: usize) -> usize {
        self.first + block * LANES
    }

    /// Returns the number of blocks that are computed.
    fn done(&self) -> usize {
        (self.sparse.len() - self.first) / LANES
    }

    /// Computes the values of a block, given the codes that the terms of long shift reach there;
    /// stops all threads if that fails.
    fn finish(&mut self, block: usize, reached: ReachedCodes, turn: &AtomicUsize) {
        self.end = self.values(block, reached);
        if self.end.is_err() {
            turn.store(STOPPED, Ordering::Release);
        }
    }

    fn values(&mut self, block: usize, mut reached: ReachedCodes) -> Result<(), SparseStop> {
        let start = self.start(block);
        self.sparse.take_fresh(start);
        let terms = self.sparse.terms();
        for term in &terms.rare[self.sorted..] {
            if self.shifts.contains(&term.shift) {
                Arc::make_mut(&mut self.far).rare.push(*term);
            } else {
                self.close.push(*term);
            }
        }
        self.sorted = terms.rare.len();
        if self.far.planes < terms.planes {
            Arc::make_mut(&mut self.far).planes = terms.planes;
        }
        if block.is_multiple_of(NEWS) && self.reported != terms.remembered {
            self.reported = terms.remembered;
            Arc::make_mut(&mut self.far).update_from(terms, &self.shifts);
        }
        let (simd, bytes) = (self.sparse.simd(), self.sparse.bytes());
        for missing in [&self.close, &self.far.rare[reached.looked_at..]] {
            Kernel(simd).mark(bytes, start, missing, COMMON, reached.planes, &mut reached.common);
        }
        self.sparse.finish(self.moves, start, &reached, self.meter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{ByteValues, StorageBudget, TakeAndBreakCode, plain};
    use bouton_core::{Budget, LimitReached};
    use bouton_simd::Simd;

    /// Returns a pinned sparse engine for the first heaps.
    fn lasting(text: &str, known: usize) -> (CodeMoves, SparseEngine) {
        let code = TakeAndBreakCode::parse(text).unwrap();
        let moves = CodeMoves::new(&code).unwrap();
        let mut values = ByteValues::new(StorageBudget::default());
        values.reserve(known).unwrap();
        let plain = plain::nim_values(&code, known, &mut Meter::new(&Budget::default())).unwrap();
        plain.into_iter().for_each(|value| values.push(value));
        let Ok(mut sparse) = SparseEngine::new(&moves, values, Simd::best()) else {
            panic!("{text}")
        };
        sparse.pin();
        (moves, sparse)
    }

    /// New rare heaps, new witnesses, values past a byte, spaces by position, and a budget that
    /// ends inside a block: the values equal those of one thread, which other tests compare with
    /// all splits.
    #[test]
    fn threads_find_what_one_finds() {
        let large = "0.".to_owned() + &"3".repeat(229) + "7";
        for (text, len) in [
            ("4!.0", 100_000),
            ("0.104", 60_000),
            ("0.454", 40_000),
            ("0.165", 60_000),
            (&large, 3000),
        ] {
            let mut free = Meter::new(&Budget::default());
            let (moves, mut one) = lasting(text, 300);
            one.extend(&moves, len, || 1, &mut free).unwrap();
            let past_a_byte = (1000..len).filter(|n| one.value(*n) > 255).count();
            assert_eq!(past_a_byte > 0, text == large, "{text}: {past_a_byte}");
            for threads in 2..=4 {
                let (_, mut many) = lasting(text, 300);
                many.extend(&moves, 600, || 1, &mut free).unwrap();
                let short = Budget { nodes: Some(len as u64 / 2 + 7), ..Budget::default() };
                let mut short = Meter::new(&short);
                // Without patience each thread computes what the others have not.
                let spins = if threads == 3 { 0 } else { SPINS };
                let blocks = (len - 600) / LANES;
                let spent = extend_by(&mut many, &moves, blocks, threads, spins, &mut short);
                assert!(
                    matches!(spent, Err(SparseStop::LimitReached(LimitReached::Nodes(_)))),
                    "{text}"
                );
                assert_eq!(many.len(), 600 + len / 2 + 7, "{text}");
                let blocks = (len - many.len()) / LANES;
                extend_by(&mut many, &moves, blocks, threads, spins, &mut free).unwrap();
                assert!(len - many.len() < LANES);
                let differs = (0..many.len()).find(|n| many.value(*n) != one.value(*n));
                assert_eq!(differs, None, "{text} on {threads} threads");
            }
        }
    }

    /// Long stretches use several threads, and the reason for stopping is returned.
    #[test]
    fn long_runs_go_on_several_threads() {
        let (moves, mut sparse) = lasting("4!.0", 300);
        let asked = std::cell::Cell::new(0);
        let threads = || {
            asked.set(asked.get() + 1);
            2
        };
        let mut meter = Meter::new(&Budget::default());
        sparse.extend(&moves, 64 * MIN_BLOCKS, threads, &mut meter).unwrap();
        assert_eq!(asked.get(), 0);
        sparse.extend(&moves, 300_000, threads, &mut meter).unwrap();
        assert_eq!(asked.get(), 1);
        let large = "0.".to_owned() + &"3".repeat(229) + "7";
        let (moves, mut sparse) = lasting(&large, 300);
        sparse.extend(&moves, 600, || 1, &mut meter).unwrap();
        assert_eq!(
            extend(&mut sparse, &moves, 1000, 2, &mut meter),
            Err(SparseStop::ValueTooLarge)
        );
    }
}

//! Blocks of a sparse space on several threads.
//!
//! What far heaps reach in a block can be found before the blocks just before it are done. So each thread takes the next
//! block that none has, finds what terms of large shift reach there, on a copy of the latest bytes, and waits for its turn.
//! Then it adds what the terms of small shift reach, finds the values and goes on: with two threads nine tenths of the
//! work need not wait. The values are those of one thread, for sets of options don't depend on the order they grow in.

use super::kernel::{Kernel, LANES, Term};
use super::moves::Moves;
use super::space::COMMON;
use super::sparse::{Sparse, Stop};
use super::terms::{Reached, Terms};
use bouton_core::Meter;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most threads: the more there are, the more terms must wait.
pub const MOST_THREADS: usize = 4;

/// So few blocks are not worth a thread.
pub const LEAST_BLOCKS: usize = 1 << 9;

/// With fewer terms a block is done before another thread has heard of it; and where processors are busy with other work, each
/// waits for the other.
pub const LEAST_TERMS: usize = 256;

/// How far back a thread's copy of the bytes reaches at least. Terms of larger shift wait too.
const WINDOW: usize = 1 << 17;

/// Witnesses remembered by one thread reach the others after at most so many blocks.
const NEWS: usize = 32;

/// Looks at whose turn it is before other programs are let in.
const SPINS: usize = 1 << 12;

/// In place of a turn: no more blocks.
const STOPPED: usize = usize::MAX;

/// What the thread whose turn it is has to itself.
struct Line<'a> {
    sparse: &'a mut Sparse,
    moves: &'a Moves,
    meter: &'a mut Meter,
    /// The first heap of the first block.
    first: usize,
    blocks: usize,
    /// The first block that no thread has taken.
    free: usize,
    /// Shifts of terms that don't wait; these, and those that do.
    shifts: Range<u32>,
    far: Arc<Terms>,
    close: Vec<Term>,
    /// How many terms are among `far` or `close`, and how often witnesses had been remembered when `far` was told of them.
    sorted: usize,
    told: usize,
    end: Result<(), Stop>,
}

/// A thread's copy of the latest bytes.
struct Latest {
    /// The first heap of the copy: even, for bytes may depend on the parity of the size.
    base: usize,
    bytes: Vec<u8>,
}

impl Latest {
    fn of(bytes: &[u8]) -> Latest {
        let base = bytes.len().saturating_sub(WINDOW + MOST_THREADS * LANES) & !1;
        Latest { base, bytes: bytes[base..].to_vec() }
    }

    /// Takes what came since.
    fn follow(&mut self, bytes: &[u8]) {
        if self.bytes.len() > 4 * WINDOW {
            *self = Latest::of(bytes);
        } else {
            self.bytes.extend(&bytes[self.base + self.bytes.len()..]);
        }
    }
}

/// Stops all threads when one of them panics.
struct Alarm<'a>(&'a AtomicUsize);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(STOPPED, Ordering::Release);
        }
    }
}

/// Finds the values of so many blocks.
pub fn extend(
    sparse: &mut Sparse,
    moves: &Moves,
    blocks: usize,
    threads: usize,
    meter: &mut Meter,
) -> Result<(), Stop> {
    let threads = threads.clamp(1, MOST_THREADS);
    let shifts = (threads * LANES) as u32..WINDOW as u32;
    let terms = sparse.terms();
    let line = Line {
        first: sparse.len(),
        blocks,
        free: 0,
        far: Arc::new(terms.within(&shifts)),
        close: terms.rare.iter().filter(|term| !shifts.contains(&term.shift)).copied().collect(),
        sorted: terms.rare.len(),
        told: terms.remembered,
        shifts,
        end: Ok(()),
        sparse,
        moves,
        meter,
    };
    let (line, turn) = (Mutex::new(line), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let work = || work(&line, &turn);
        for _ in 1..threads {
            // Without room for a thread the others do its work.
            drop(std::thread::Builder::new().spawn_scoped(scope, work));
        }
        work();
    });
    line.into_inner().unwrap_or_else(PoisonError::into_inner).end
}

/// Takes blocks until none is left.
fn work(line: &Mutex<Line<'_>>, turn: &AtomicUsize) {
    let _alarm = Alarm(turn);
    let lock = || line.lock().unwrap_or_else(PoisonError::into_inner);
    let mut guard = lock();
    let (first, blocks, simd) = (guard.first, guard.blocks, guard.sparse.simd());
    let mut latest = Latest::of(guard.sparse.bytes());
    loop {
        let (block, far) = (guard.free, guard.far.clone());
        guard.free += 1;
        let done = (guard.sparse.len() - first) / LANES;
        drop(guard);
        // Only now, lest the next one finds the door still closed.
        turn.fetch_max(done, Ordering::Release);
        if block >= blocks {
            return;
        }
        let reached = far.reach(simd, &latest.bytes, first + block * LANES - latest.base);
        drop(far);
        let mut looks = 0;
        while turn.load(Ordering::Acquire) != block {
            match turn.load(Ordering::Relaxed) {
                STOPPED => return,
                _ if looks < SPINS => std::hint::spin_loop(),
                _ => std::thread::yield_now(),
            }
            looks += 1;
        }
        guard = lock();
        guard.end = guard.finish(block, reached);
        if guard.end.is_err() {
            turn.store(STOPPED, Ordering::Release);
            return;
        }
        latest.follow(guard.sparse.bytes());
    }
}

impl Line<'_> {
    /// Finds the values of a block, given what the terms that don't wait reach there.
    fn finish(&mut self, block: usize, mut reached: Reached) -> Result<(), Stop> {
        let start = self.first + block * LANES;
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
        if block.is_multiple_of(NEWS) && self.told != terms.remembered {
            self.told = terms.remembered;
            Arc::make_mut(&mut self.far).follow(terms, &self.shifts);
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
    use crate::sequence::{Room, TakeBreak, Values, plain};
    use bouton_core::{Budget, LimitReached};
    use bouton_simd::Simd;

    /// A sparse space of the first heaps, which goes on whatever comes.
    fn lasting(text: &str, known: usize) -> (Moves, Sparse) {
        let code = TakeBreak::parse(text).unwrap();
        let moves = Moves::new(&code).unwrap();
        let mut values = Values::new(Room::default());
        values.reserve(known).unwrap();
        let plain = plain::nim_values(&code, known, &mut Meter::new(&Budget::default())).unwrap();
        plain.into_iter().for_each(|value| values.push(value));
        let Ok(mut sparse) = Sparse::new(&moves, values, Simd::best()) else { panic!("{text}") };
        sparse.last();
        (moves, sparse)
    }

    /// New rare heaps, new witnesses, values past a byte, spaces by position: as one thread finds them, which is held against
    /// all splits elsewhere; a budget that ends amid a block, too.
    #[test]
    fn threads_find_what_one_finds() {
        let large = "0.".to_owned() + &"3".repeat(229) + "7";
        for (text, len) in
            [("4!.0", 100_000), ("0.104", 60_000), ("0.454", 40_000), ("0.165", 60_000), (&large, 3000)]
        {
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
                let spent = extend(&mut many, &moves, (len - 600) / LANES, threads, &mut short);
                assert!(matches!(spent, Err(Stop::LimitReached(LimitReached::Nodes(_)))), "{text}");
                assert_eq!(many.len(), 600 + len / 2 + 7, "{text}");
                let blocks = (len - many.len()) / LANES;
                extend(&mut many, &moves, blocks, threads, &mut free).unwrap();
                assert!(len - many.len() < LANES);
                let differs = (0..many.len()).find(|n| many.value(*n) != one.value(*n));
                assert_eq!(differs, None, "{text} on {threads} threads");
            }
        }
    }

    /// Long stretches go on several threads, and what ends there is told.
    #[test]
    fn long_runs_go_on_several_threads() {
        let (moves, mut sparse) = lasting("4!.0", 300);
        let asked = std::cell::Cell::new(0);
        let threads = || {
            asked.set(asked.get() + 1);
            2
        };
        let mut meter = Meter::new(&Budget::default());
        sparse.extend(&moves, 64 * LEAST_BLOCKS, threads, &mut meter).unwrap();
        assert_eq!(asked.get(), 0);
        sparse.extend(&moves, 300_000, threads, &mut meter).unwrap();
        assert_eq!(asked.get(), 1);
        let large = "0.".to_owned() + &"3".repeat(229) + "7";
        let (moves, mut sparse) = lasting(&large, 300);
        sparse.extend(&moves, 600, || 1, &mut meter).unwrap();
        assert_eq!(extend(&mut sparse, &moves, 1000, 2, &mut meter), Err(Stop::Large));
    }
}

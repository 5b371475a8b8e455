//! Periods longer than any memory: the first recurrence of a window.
//!
//! A settled sequence continues by its window (see [`super::window`]), and older values are
//! forgotten.
//!
//! Landmarks: each heap has a hash of the window before it, updated from that of the previous heap.
//! If its first bits are 0, the heap is recorded under the hash. The number of landmarks is
//! limited; when there are more, one more bit must be 0. The heap after the last recorded window is
//! a landmark, too, which detects periods so short that they have no other. A landmark that occurs
//! again is an apparent repeat. To prove it, the earlier window is recomputed from a recorded one
//! and compared value by value. The last heap whose value differs from that a period later is found
//! by recomputing both stretches in step.
//!
//! Source: distinguished points as in P. C. van Oorschot, M. J. Wiener, *Parallel collision search
//! with cryptanalytic applications*, J. Cryptology 12 (1999), and R. P. Brent, *An improved Monte
//! Carlo factorization algorithm*, BIT 20 (1980); the hash is a cyclic polynomial: J. D. Cohen,
//! *Recursive hashing functions for n-grams*, ACM TOIS 15 (1997).

mod file;

use super::period::{Period, PeriodProof};
use super::window::{STRETCH, Window, WindowStop};
use super::{MAX_HEAPS, Sequence};
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Number of heaps that are known before a window continues.
pub const FULL_PREFIX: usize = 1 << 22;

/// Number of leading zero bits of a landmark at first.
const ZEROS: u32 = 10;

/// Maximum number of landmarks, and of recorded windows.
const LANDMARKS: usize = 1 << 14;
const KEPT: usize = 512;

/// Number of heaps between two recorded windows at first.
const APART: usize = 1 << 22;

/// A search for a recurrence of the window.
#[derive(Debug)]
pub struct Recurrence {
    window: Window,
    marks: Landmarks,
    /// Recorded windows, ascending, each with the heap after it; and their minimum distance.
    kept: Vec<(usize, Vec<u8>)>,
    apart: usize,
    /// Distances at which landmarks occurred again, not yet proved to be periods.
    open: Vec<usize>,
}

/// The landmarks of the windows so far.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Landmarks {
    /// The hash of the window, and that of the last recorded one.
    hash: u64,
    kept: u64,
    /// Landmarks with the heaps after them; the number of their leading zero bits.
    heaps: FxHashMap<u64, usize>,
    zeros: u32,
}

impl Recurrence {
    /// Starts after the known values, at least [`FULL_PREFIX`]; `None` if they have not settled.
    pub fn new(sequence: &Sequence) -> Option<Recurrence> {
        let window = sequence.settled_window()?;
        let kept = vec![(window.len(), window.latest(window.width()).to_vec())];
        let mut marks = Landmarks { hash: 0, kept: 0, heaps: FxHashMap::default(), zeros: ZEROS };
        marks.keep(&window);
        Some(Recurrence { window, marks, kept, apart: APART, open: Vec::new() })
    }

    /// Sets the number of threads: one or two.
    pub fn with_threads(self, threads: usize) -> Recurrence {
        Recurrence { window: self.window.with_threads(threads), ..self }
    }

    /// Returns the number of heaps searched.
    pub fn len(&self) -> usize {
        self.window.len()
    }

    /// Returns the number of values before a heap that determine its value.
    pub fn width(&self) -> usize {
        self.window.width()
    }

    /// Returns `false`.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Continues until a period is proved, at most to heaps 0..`most`.
    ///
    /// `sequence` holds the values before the start of the search. `keep` is called from time to
    /// time.
    ///
    /// # Errors
    ///
    /// If the budget ends, or a heap does not follow from the window; the progress is kept. Errors
    /// of `keep` are passed on.
    pub fn seek<E: From<WindowStop>>(
        &mut self,
        sequence: &Sequence,
        most: usize,
        meter: &mut Meter,
        mut keep: impl FnMut(&Recurrence) -> Result<(), E>,
    ) -> Result<Option<Period>, E> {
        let mut next = self.len() + self.len() / 16;
        loop {
            while let Some(distance) = self.open.last() {
                let period = self.prove(sequence, *distance, meter)?;
                self.open.pop();
                if period.is_some() {
                    return Ok(period);
                }
            }
            if self.len() >= most {
                return Ok(None);
            }
            if self.len() >= MAX_HEAPS {
                return Err(
                    WindowStop::LimitReached(LimitReached::TooManyHeaps(MAX_HEAPS as u64)).into()
                );
            }
            let Recurrence { window, marks, open, .. } = self;
            window.advance(meter, |window| *open = marks.matches(window))?;
            self.keep();
            if self.len() >= next {
                keep(self)?;
                next = self.len() + self.len() / 16;
            }
        }
    }

    /// Records the window if the last recorded one is far away. If there are too many, every other
    /// one is removed.
    fn keep(&mut self) {
        if self.kept.last().is_some_and(|(last, _)| self.len() < last + self.apart) {
            return;
        }
        self.kept.push((self.len(), self.window.latest(self.window.width()).to_vec()));
        if self.kept.len() > KEPT {
            self.apart *= 2;
            let mut first = false;
            self.kept.retain(|_| {
                first = !first;
                first
            });
        }
        self.marks.keep(&self.window);
    }

    /// Returns a window that continues from the last recorded one before heap `len` until its last
    /// stretch contains or passes that heap.
    fn restored_window(&self, len: usize, meter: &mut Meter) -> Result<Window, WindowStop> {
        let (from, bytes) =
            self.kept.iter().rev().find(|(from, _)| *from <= len).unwrap_or(&self.kept[0]);
        let mut window = self.window.moved_to(*from, bytes);
        while window.len() < len {
            window.advance(meter, |_| ())?;
        }
        Ok(window)
    }

    /// Returns the period of this distance, or of a divisor of it, if the last window equals the
    /// one a distance earlier.
    fn prove(
        &self,
        sequence: &Sequence,
        distance: usize,
        meter: &mut Meter,
    ) -> Result<Option<Period>, WindowStop> {
        let (start, width, len) = (self.kept[0].0, self.window.width(), self.len());
        let mut repeats = |distance: usize| -> Result<bool, WindowStop> {
            let Some(before) = (len - start).checked_sub(distance).map(|rest| start + rest) else {
                return Ok(false);
            };
            let again = self.restored_window(before, meter)?;
            Ok(self.window.repeats_at(distance)
                && again.preceding(before) == self.window.latest(width))
        };
        if !repeats(distance)? {
            return Ok(None);
        }
        let mut period = distance;
        for prime in primes(distance) {
            while period.is_multiple_of(prime) && repeats(period / prime)? {
                period /= prime;
            }
        }
        let preperiod = self.preperiod(sequence, period, meter)?;
        let from = start.max(preperiod + width);
        let proof = Some(PeriodProof::Window { width, from, since: Some(start) });
        Ok(Some(Period { period, preperiod, saltus: 0, compared: len, proof }))
    }

    /// Returns the preperiod, given that the last window but a period repeats.
    fn preperiod(
        &self,
        sequence: &Sequence,
        period: usize,
        meter: &mut Meter,
    ) -> Result<usize, WindowStop> {
        let width = self.window.width();
        let mut end = self.len() - period;
        for (from, bytes) in self.kept.iter().rev().filter(|(from, _)| *from < self.len() - period)
        {
            let mut early = self.window.moved_to(*from, bytes);
            let late = self.restored_window(from + period, meter)?;
            let mut late = self.window.moved_to(from + period, late.preceding(from + period));
            let mut last = first_difference(early.preceding(*from), late.preceding(from + period))
                .map(|place| from - width + place);
            while early.len() < end {
                early.advance(meter, |_| ())?;
                late.advance(meter, |_| ())?;
                let differing = first_difference(early.latest(STRETCH), late.latest(STRETCH));
                last = differing.map(|place| early.len() - STRETCH + place).or(last);
            }
            if let Some(last) = last {
                return Ok(last + 1);
            }
            end = *from;
        }
        // Everything that the windows cover repeats.
        let mut last = None;
        let mut late = self.restored_window(period.max(self.kept[0].0), meter)?;
        for n in 0..end {
            while late.len() <= n + period {
                late.advance(meter, |_| ())?;
            }
            let value = if n + period < sequence.len() {
                sequence.value(n + period)
            } else {
                late.value(n + period, late.preceding(n + period + 1)[width - 1])
            };
            if value != sequence.value(n) {
                last = Some(n);
            }
        }
        Ok(last.map_or(0, |n| n + 1))
    }
}

impl Landmarks {
    /// Starts with a window, or continues: the heap after it is a landmark until the next one is
    /// recorded.
    fn keep(&mut self, window: &Window) {
        self.hash = hash(window.latest(window.width()));
        self.kept = self.hash;
        self.heaps.insert(window_key(window, self.hash, window.len()), window.len());
    }

    /// Scans the last stretch and returns the distances at which landmarks occur again.
    fn matches(&mut self, window: &Window) -> Vec<usize> {
        let mut distances = Vec::new();
        let comes = window.latest(STRETCH);
        let goes = window.latest(STRETCH + window.width());
        let out = window.width() as u32 % u64::BITS;
        for (n, (comes, goes)) in (window.len() - STRETCH + 1..).zip(comes.iter().zip(goes)) {
            self.hash =
                rotated(self.hash, *comes) ^ HASH_WORDS[usize::from(*goes)].rotate_left(out);
            if self.hash >> (u64::BITS - self.zeros) != 0 && self.hash != self.kept {
                continue;
            }
            let before = self.heaps.insert(window_key(window, self.hash, n), n);
            distances.extend(before.map(|before| n - before));
            if self.heaps.len() > LANDMARKS {
                self.zeros += 1;
                let (upper, kept) = (u64::BITS - self.zeros, self.kept);
                self.heaps.retain(|hash, _| *hash >> upper == 0 || *hash == kept);
            }
        }
        // The least distance is tried first.
        distances.sort_unstable_by_key(|distance| Reverse(*distance));
        distances.dedup();
        distances
    }
}

/// Returns the last index at which two stretches differ.
fn first_difference(one: &[u8], other: &[u8]) -> Option<usize> {
    if one == other { None } else { one.iter().zip(other).rposition(|(a, b)| a != b) }
}

/// Returns the key of a landmark, which includes the parity of the heap if bytes depend on it.
fn window_key(window: &Window, hash: u64, heap: usize) -> u64 {
    if window.repeats_at(1) { hash } else { hash ^ (heap % 2) as u64 }
}

/// Returns the hash of some bytes.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |hash, byte| rotated(hash, *byte))
}

/// Returns the hash after one more byte.
#[inline]
fn rotated(hash: u64, byte: u8) -> u64 {
    hash.rotate_left(1) ^ HASH_WORDS[usize::from(byte)]
}

/// A pseudo-random number for each byte: squares of Weyl's sequence, rotated (B. Widynski,
/// *Squares*, 2020).
const HASH_WORDS: [u64; 256] = {
    let (mut words, mut i) = ([0; 256], 0);
    while i < 256 {
        let weyl = (i as u64 + 1).wrapping_mul(0xB5AD_4ECE_DA1C_E2A9);
        let (mut x, mut round) = (weyl, 0);
        while round < 5 {
            x = x.wrapping_mul(x).wrapping_add(weyl).rotate_left(32);
            round += 1;
        }
        words[i] = x;
        i += 1;
    }
    words
};

/// Returns the prime divisors of a number.
fn primes(mut number: usize) -> Vec<usize> {
    let mut primes = Vec::new();
    let mut prime = 2;
    while prime * prime <= number {
        if number.is_multiple_of(prime) {
            primes.push(prime);
            while number.is_multiple_of(prime) {
                number /= prime;
            }
        }
        prime += 1;
    }
    if number > 1 {
        primes.push(number);
    }
    primes
}

#[cfg(test)]
mod tests;

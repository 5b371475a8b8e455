//! Periods longer than any memory. A settled sequence goes on by its window (see `window`), older values are forgotten, and
//! still the first repeat is seen.
//!
//! Landmarks: each heap has a hash of the window before it, made from that of the heap before. Where its first bits are 0, the
//! heap is remembered under it. There may be so many; when there are more, one bit more must be 0. The heap behind the last
//! window kept is a landmark, too: a period so short that it has no other brings it back. A landmark seen before is a
//! repeat, of which the proof is made: windows were kept now and then, so the one of before is made again and compared,
//! value by value. The last heap that has not the value a period later is found by making both stretches again, side by side.
//!
//! Source: distinguished points as in P. C. van Oorschot, M. J. Wiener, *Parallel collision search with cryptanalytic
//! applications*, J. Cryptology 12 (1999), and R. P. Brent, *An improved Monte Carlo factorization algorithm*, BIT 20 (1980);
//! the hash is a cyclic polynomial: J. D. Cohen, *Recursive hashing functions for n-grams*, ACM TOIS 15 (1997).

mod file;

use super::period::{Period, Proof};
use super::window::{STRETCH, Stop, Window};
use super::{MOST_HEAPS, Sequence};
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Heaps known before a window goes on.
pub const START: usize = 1 << 22;

/// The first bits that are 0 at first.
const ZEROS: u32 = 10;

/// The most landmarks, and the most windows kept.
const LANDMARKS: usize = 1 << 14;
const KEPT: usize = 512;

/// Heaps between two windows kept, at first.
const APART: usize = 1 << 22;

/// A search for a repeat, as far as it is.
#[derive(Debug)]
pub struct Recurrence {
    window: Window,
    marks: Landmarks,
    /// Windows kept, ascending, each with the heap behind it; and how far apart they are at least.
    kept: Vec<(usize, Vec<u8>)>,
    apart: usize,
    /// Distances at which landmarks recurred, not yet proved to be periods.
    open: Vec<usize>,
}

/// What is remembered of the windows so far.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Landmarks {
    /// The hash of the window, and that of the last one kept.
    hash: u64,
    kept: u64,
    /// Landmarks, and the heaps behind them; how many first bits of theirs are 0.
    heaps: FxHashMap<u64, usize>,
    zeros: u32,
}

impl Recurrence {
    /// Starts behind the values known, at least [`START`]; `None` where they have not settled.
    pub fn new(sequence: &Sequence) -> Option<Recurrence> {
        let window = sequence.settled()?;
        let kept = vec![(window.len(), window.latest(window.width()).to_vec())];
        let mut marks = Landmarks { hash: 0, kept: 0, heaps: FxHashMap::default(), zeros: ZEROS };
        marks.keep(&window);
        Some(Recurrence { window, marks, kept, apart: APART, open: Vec::new() })
    }

    /// On one thread, or on two.
    pub fn on(self, threads: usize) -> Recurrence {
        Recurrence { window: self.window.on(threads), ..self }
    }

    /// How many heaps have been looked at.
    pub fn len(&self) -> usize {
        self.window.len()
    }

    /// How many values before a heap tell its value.
    pub fn width(&self) -> usize {
        self.window.width()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Goes on until a period is proved, at most to heaps 0..`most`, given the sequence whose values it started behind. What has
    /// been looked at is kept when the budget ends, or at a heap that is not settled. `keep` is called now and then.
    pub fn seek<E: From<Stop>>(
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
            if self.len() >= MOST_HEAPS {
                return Err(Stop::LimitReached(LimitReached::Heaps(MOST_HEAPS as u64)).into());
            }
            let Recurrence { window, marks, open, .. } = self;
            window.advance(meter, |window| *open = marks.look(window))?;
            self.keep();
            if self.len() >= next {
                keep(self)?;
                next = self.len() + self.len() / 16;
            }
        }
    }

    /// Keeps the window, where the last one kept is far; every other one goes where they are many.
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

    /// A window that goes on from the last one kept before heap `len`, until its last stretch ends there or behind.
    fn again(&self, len: usize, meter: &mut Meter) -> Result<Window, Stop> {
        let (from, bytes) = self.kept.iter().rev().find(|(from, _)| *from <= len).unwrap_or(&self.kept[0]);
        let mut window = self.window.at(*from, bytes);
        while window.len() < len {
            window.advance(meter, |_| ())?;
        }
        Ok(window)
    }

    /// The period of this distance, or of a part of it, if the last window is that of a period before.
    fn prove(&self, sequence: &Sequence, distance: usize, meter: &mut Meter) -> Result<Option<Period>, Stop> {
        let (start, width, len) = (self.kept[0].0, self.window.width(), self.len());
        let mut repeats = |distance: usize| -> Result<bool, Stop> {
            let Some(before) = (len - start).checked_sub(distance).map(|rest| start + rest) else {
                return Ok(false);
            };
            let again = self.again(before, meter)?;
            Ok(self.window.repeats_at(distance) && again.before(before) == self.window.latest(width))
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
        let proof = Some(Proof::Window { width, from, since: Some(start) });
        Ok(Some(Period { period, preperiod, saltus: 0, compared: len, proof }))
    }

    /// From where on the values are those of a period later, given that this is so at the last window but a period.
    fn preperiod(&self, sequence: &Sequence, period: usize, meter: &mut Meter) -> Result<usize, Stop> {
        let width = self.window.width();
        let mut end = self.len() - period;
        for (from, bytes) in self.kept.iter().rev().filter(|(from, _)| *from < self.len() - period) {
            let mut early = self.window.at(*from, bytes);
            let late = self.again(from + period, meter)?;
            let mut late = self.window.at(from + period, late.before(from + period));
            let mut last =
                differs(early.before(*from), late.before(from + period)).map(|place| from - width + place);
            while early.len() < end {
                early.advance(meter, |_| ())?;
                late.advance(meter, |_| ())?;
                let differing = differs(early.latest(STRETCH), late.latest(STRETCH));
                last = differing.map(|place| early.len() - STRETCH + place).or(last);
            }
            if let Some(last) = last {
                return Ok(last + 1);
            }
            end = *from;
        }
        // All is repeated that the windows know of.
        let mut last = None;
        let mut late = self.again(period.max(self.kept[0].0), meter)?;
        for n in 0..end {
            while late.len() <= n + period {
                late.advance(meter, |_| ())?;
            }
            let value = if n + period < sequence.len() {
                sequence.value(n + period)
            } else {
                late.value(n + period, late.before(n + period + 1)[width - 1])
            };
            if value != sequence.value(n) {
                last = Some(n);
            }
        }
        Ok(last.map_or(0, |n| n + 1))
    }
}

impl Landmarks {
    /// Begins with a window, or goes on: the heap behind it is a landmark until the next one is kept.
    fn keep(&mut self, window: &Window) {
        self.hash = hash(window.latest(window.width()));
        self.kept = self.hash;
        self.heaps.insert(name(window, self.hash, window.len()), window.len());
    }

    /// Looks at the last stretch; the distances at which landmarks recur.
    fn look(&mut self, window: &Window) -> Vec<usize> {
        let mut distances = Vec::new();
        let comes = window.latest(STRETCH);
        let goes = window.latest(STRETCH + window.width());
        let out = window.width() as u32 % u64::BITS;
        for (n, (comes, goes)) in (window.len() - STRETCH + 1..).zip(comes.iter().zip(goes)) {
            self.hash = turned(self.hash, *comes) ^ WORDS[usize::from(*goes)].rotate_left(out);
            if self.hash >> (u64::BITS - self.zeros) != 0 && self.hash != self.kept {
                continue;
            }
            let before = self.heaps.insert(name(window, self.hash, n), n);
            distances.extend(before.map(|before| n - before));
            if self.heaps.len() > LANDMARKS {
                self.zeros += 1;
                let (upper, kept) = (u64::BITS - self.zeros, self.kept);
                self.heaps.retain(|hash, _| *hash >> upper == 0 || *hash == kept);
            }
        }
        // The least is looked at first.
        distances.sort_unstable_by_key(|distance| Reverse(*distance));
        distances.dedup();
        distances
    }
}

/// The last place at which two stretches differ.
fn differs(one: &[u8], other: &[u8]) -> Option<usize> {
    if one == other { None } else { one.iter().zip(other).rposition(|(a, b)| a != b) }
}

/// What a landmark is remembered under: where bytes depend on the parity of the heap, this is in it.
fn name(window: &Window, hash: u64, heap: usize) -> u64 {
    if window.repeats_at(1) { hash } else { hash ^ (heap % 2) as u64 }
}

/// The hash of some bytes.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |hash, byte| turned(hash, *byte))
}

/// The hash with a byte more.
#[inline]
fn turned(hash: u64, byte: u8) -> u64 {
    hash.rotate_left(1) ^ WORDS[usize::from(byte)]
}

/// A number that looks random for each byte: squares of Weyl's sequence, turned (B. Widynski, *Squares*, 2020).
const WORDS: [u64; 256] = {
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

/// The primes that divide a number.
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
mod tests {
    use super::*;
    use crate::sequence::period::seek;
    use crate::sequence::{CheckpointError, TakeBreak};
    use bouton_core::Budget;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn sequence(text: &str, len: usize) -> Sequence {
        let mut sequence = Sequence::new(TakeBreak::parse(text).unwrap()).on(1);
        sequence.extend(len, &mut meter()).unwrap();
        sequence
    }

    fn found(search: &mut Recurrence, sequence: &Sequence, most: usize) -> Option<Period> {
        search.seek(sequence, most, &mut meter(), |_| Ok::<_, Stop>(())).unwrap()
    }

    /// The same periods as with all values at hand, of which those of 0.16 are long (A. Gangolli, T. Plambeck 1989), wherever the
    /// window begins: behind the preperiod, before it, and less than a period after it.
    #[test]
    fn periods_are_those_of_the_whole_history() {
        for (text, start) in [("0.77", 400_000), ("0.16", 400_000), ("0.16", 250_000)] {
            let mut whole = sequence(text, 64);
            let expected = seek(&mut whole, 1 << 22, &mut meter()).unwrap().unwrap();
            let known = sequence(text, start);
            let Some(mut search) = Recurrence::new(&known) else { panic!("{text} has settled") };
            let period = found(&mut search, &known, 1 << 22).unwrap();
            assert_eq!((period.period, period.preperiod), (expected.period, expected.preperiod), "{text}");
        }
    }

    /// What was begun goes on from its file, to the same end; a damaged or another game's file is refused.
    #[test]
    fn a_search_goes_on_from_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("windows");
        let known = sequence("0.106", 300_000);
        let mut search = Recurrence::new(&known).unwrap();
        assert_eq!(found(&mut search, &known, 3_000_000), None);
        search.save(&path, known.game()).unwrap();
        let mut again = sequence("0.106", 64);
        let mut resumed = Recurrence::open(&path, &mut again, &mut meter()).unwrap().unwrap();
        assert_eq!((resumed.len(), again.len()), (search.len(), known.len()));
        for search in [&mut search, &mut resumed] {
            assert_eq!(found(search, &known, 6_000_000), None);
        }
        assert_eq!(resumed.window.latest(STRETCH), search.window.latest(STRETCH));
        assert_eq!((&resumed.marks, &resumed.kept), (&search.marks, &search.kept));
        let mut short = Meter::new(&Budget { nodes: Some(1 << 19), ..Budget::default() });
        let spent = resumed.seek(&known, 1 << 30, &mut short, |_| Ok::<_, Stop>(()));
        assert!(matches!(spent, Err(Stop::LimitReached(LimitReached::Nodes(_)))));

        let nowhere = folder.path().join("nowhere");
        assert!(Recurrence::open(&nowhere, &mut again, &mut meter()).unwrap().is_none());
        let mut other = sequence("0.104", 64);
        let refused = Recurrence::open(&path, &mut other, &mut meter());
        assert!(matches!(refused, Err(CheckpointError::OtherGame(game)) if game == "0.106"));
        let mut text = std::fs::read(&path).unwrap();
        let middle = text.len() / 2;
        text[middle] ^= 1;
        std::fs::write(&path, &text).unwrap();
        assert!(matches!(
            Recurrence::open(&path, &mut again, &mut meter()),
            Err(CheckpointError::Damaged(_))
        ));
        std::fs::write(&path, &text[..10]).unwrap();
        assert!(matches!(Recurrence::open(&path, &mut again, &mut meter()), Err(CheckpointError::Foreign)));
    }

    /// Hashes made from one another are those of the windows, and landmarks are as dense as they should be.
    #[test]
    fn hashes_follow_the_window() {
        let known = sequence("0.106", 300_000);
        let mut search = Recurrence::new(&known).unwrap();
        let Recurrence { window, marks, .. } = &mut search;
        window.advance(&mut meter(), |window| drop(marks.look(window))).unwrap();
        assert_eq!(search.marks.hash, hash(search.window.latest(search.window.width())));
        assert!((STRETCH >> (ZEROS + 1)..STRETCH >> (ZEROS - 1)).contains(&search.marks.heaps.len()));
    }

    #[test]
    fn numbers_have_their_primes() {
        assert_eq!(primes(1), []);
        assert_eq!(primes(149_459), [149_459]);
        assert_eq!(primes(11_770_282), [2, 5_885_141]);
    }
}

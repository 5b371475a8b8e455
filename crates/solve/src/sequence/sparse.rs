//! Nim-sequences at speed: a sparse space, one byte a value, 64 heaps at once.
//!
//! At each heap the sums with a rare term give the least common value that is no option; the rare values below it are
//! options unless a full search finds no witness, and then the least such is the value: a new rare heap, however
//! late. Terms whose shift is below 64 reach into the block at work and are looked at heap by heap, for the one code in
//! question. Sums of two common heaps that have witnessed rare values before are tried first.
//!
//! A few heaps may have values past a byte. Their sums with other heaps don't fit a byte either, so they stand aside
//! in a list, with a byte of the rare class in their place: rare terms then reach no common code through them, and
//! common terms no rare one. Only sums of two of them are added by hand.
//!
//! Source: I. Caines, C. Gates, R. K. Guy, R. J. Nowakowski, *Periods in taking and splitting games*, Amer. Math.
//! Monthly 106 (1999); A. Flammenkamp's computations of octal games; the byte planes are ours.

use super::history::History;
use super::kernel::{FOUND, LANES, Sets, Simd, TARGETS, Targets, Term};
use super::moves::Moves;
use super::space::{COMMON, Space, Tally};
use super::values::{LONG, Values, long_value};
use crate::{LimitReached, Meter};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

/// Blocks begin here; before, heaps come one at a time.
const FIRST_BLOCK: usize = 512;

/// The most witnesses remembered.
const WITNESSES: usize = 2048;

/// Witnesses of larger shift are not remembered, and spoil [`Sparse::window`].
const FAR: usize = 1 << 16;

/// The most heaps of values past a byte among so many: they must be few, for all sums of two are looked at.
fn most_large(heaps: usize) -> usize {
    (64 + heaps / 1024).min(1 << 14)
}

/// The most heaps of which common sums of two such heaps are kept.
const MOST_LARGE_SUMS: usize = 1 << 20;

/// Shorter sequences are faster looked through one heap at a time.
const LEAST_HEAPS: usize = 1 << 17;

/// Whether so few rare heaps among so many are better used than all splits looked through, by measurement.
fn pays(rares: usize, heaps: usize) -> bool {
    64 * rares <= heaps
}

/// Heaps compared at once.
const STRETCH: usize = 4096;

/// Distances compared at once.
const STRIDE: usize = 256;

/// Rounds of looking for witnesses of a few rare values at a time.
const ROUNDS: usize = 2;

/// So few terms are all marked for all codes.
const FEW: usize = 64;

/// Heaps looked at to sort terms, and how many of their codes a term must add to be marked for all codes.
const SAMPLE: usize = 512;
const LEAST_GAIN: u32 = 1;

/// A nim-sequence under construction, while all values fit a byte.
#[derive(Debug)]
pub struct Sparse {
    space: Space,
    simd: Simd,
    /// Bytes of the heaps so far.
    bytes: History,
    rares: Vec<u32>,
    /// The heaps of values past a byte, ascending, with their values; and the common sums of two, by the heap they
    /// are of. There are few: such values mostly have one class.
    large: Vec<(u32, u32)>,
    large_sums: BTreeMap<usize, Vec<u32>>,
    /// Terms of the rare heaps: of shift below 64; that reach back before the block at work; that do not yet.
    near: Vec<Near>,
    terms: Vec<Term>,
    fresh: Vec<Term>,
    /// Sums of which pairs to try first for rare values.
    witnesses: Vec<Term>,
    /// How many of the terms and witnesses come first, and are marked for all codes.
    leading_terms: usize,
    leading_witnesses: usize,
    oldest_witness: usize,
    /// Behind the last heap that needed a witness from further away than [`FAR`].
    near_since: usize,
    /// For each code of a common value, the rare codes of lower values; then the same for sizes that turn bytes.
    below: [Vec<[u64; 2]>; 2],
    /// Planes that the values of late took.
    planes: usize,
    /// When to choose the space again.
    next_choice: usize,
    /// Whether it goes on where other engines are faster.
    lasting: bool,
}

/// Terms of shifts below 64, one a shift: at place i that of shift 64 − i, beside the heap it is added to.
#[derive(Debug)]
struct Near {
    bytes: [u8; LANES],
    /// All ones where there is a term.
    there: [u8; LANES],
}

/// A set of bytes; common ones in the upper half.
type Seen = [u64; 4];

fn mark(seen: &mut Seen, byte: u8) {
    seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
}

/// In place of the byte of a larger value.
const LARGE: u8 = 0;

/// Codes of one class are below this.
const ALL: u32 = 128;

/// The first code of a set, or [`ALL`].
fn first(set: [u64; 2]) -> u32 {
    if set[0] != 0 { set[0].trailing_zeros() } else { 64 + set[1].trailing_zeros() }
}

/// The codes below `code`.
fn prefix(code: u32) -> [u64; 2] {
    let bits = 1u128.checked_shl(code).map_or(u128::MAX, |bit| bit - 1);
    [bits as u64, (bits >> 64) as u64]
}

fn without(set: [u64; 2], other: [u64; 2]) -> [u64; 2] {
    [set[0] & !other[0], set[1] & !other[1]]
}

/// What stopped the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The budget.
    LimitReached(LimitReached),
    /// The value of the next heap does not fit a byte.
    Large,
    /// Looking through all splits of each heap would cost less.
    Dense,
}

impl From<LimitReached> for Stop {
    fn from(spent: LimitReached) -> Stop {
        Stop::LimitReached(spent)
    }
}

impl Sparse {
    /// Goes on from known values; gives them back with the space where too many are 256 or more.
    pub fn new(moves: &Moves, values: Values, simd: Simd) -> Result<Sparse, (Space, Values)> {
        let mut tally = Tally::new(256);
        let mut large: Vec<(u32, u32)> = Vec::new();
        for (n, value) in values.iter().enumerate() {
            match value {
                0..256 if n > 0 => tally.add(n, value),
                0..256 => {}
                _ => large.push((n as u32, value)),
            }
        }
        let (space, _) = tally.choose(moves.parity());
        if large.len() > most_large(values.len()) {
            return Err((space, values));
        }
        let (bytes, long) = values.into_parts();
        let known = bytes.len();
        let mut sparse = Sparse {
            bytes,
            rares: Vec::new(),
            large,
            large_sums: BTreeMap::new(),
            near: Vec::new(),
            terms: Vec::new(),
            fresh: Vec::new(),
            witnesses: Vec::new(),
            leading_terms: 0,
            leading_witnesses: 0,
            oldest_witness: 0,
            near_since: known,
            below: [Vec::new(), Vec::new()],
            planes: 1,
            next_choice: 2 * known.max(1024),
            lasting: false,
            space,
            simd,
        };
        sparse.recode(moves, |n, byte| match u32::from(byte) {
            LONG => long_value(&long, n).filter(|value| *value < 256).unwrap_or(0),
            value => value,
        });
        if sparse.len() > 2 * SAMPLE {
            sparse.sort_terms(moves);
        }
        Ok(sparse)
    }

    /// Whether this engine is faster than [`super::pairs`] from these values on.
    pub fn would_serve(moves: &Moves, values: &[u16]) -> bool {
        if values.len() < LEAST_HEAPS {
            return false;
        }
        let mut tally = Tally::new(256);
        let mut large = 0;
        for (n, value) in values.iter().enumerate().skip(1) {
            if *value < 256 { tally.add(n, u32::from(*value)) } else { large += 1 }
        }
        let (_, rare) = tally.choose(moves.parity());
        large <= most_large(values.len()) / 2 && pays(rare as usize, values.len())
    }

    /// Whether it is so for the values that it has.
    pub fn serves(&self) -> bool {
        self.len() >= LEAST_HEAPS && pays(self.rares.len(), self.len())
    }

    /// Sees that this engine goes on even where others are faster: it needs the least room.
    pub fn last(&mut self) {
        self.lasting = true;
    }

    /// The space in use.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// How many values are known.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The nim-value of a heap below [`Sparse::len`].
    #[inline]
    pub fn value(&self, n: usize) -> u32 {
        if let Some(value) = self.large_value(n) {
            return value;
        }
        self.space.decode(self.bytes[n] ^ self.space.turn(n))
    }

    /// The value past a byte, where heap `n` has one.
    #[inline]
    fn large_value(&self, n: usize) -> Option<u32> {
        if self.bytes[n] != LARGE || self.large.is_empty() {
            return None;
        }
        let place = self.large.binary_search_by_key(&(n as u32), |large| large.0).ok()?;
        Some(self.large[place].1)
    }

    /// The least distance in `distances` at which the last values seem to be repeated: each that fits is among them.
    pub fn next_repeat(&self, distances: Range<usize>) -> Option<usize> {
        let bytes: &[u8] = &self.bytes;
        let Some(last) = bytes.len().checked_sub(8).filter(|_| self.large.is_empty()) else {
            return distances.min();
        };
        // Odd distances turn all bytes of a space by position: the class is left out.
        let end: [u8; 4] = std::array::from_fn(|j| bytes[last + j]);
        let differs = |word: &[u8]| (0..4).fold(0, |differs, j| differs | (word[j] ^ end[j])) & !COMMON;
        let fits = |distance: &usize| {
            let at = last.checked_sub(*distance);
            at.is_none_or(|at| (0..8).all(|j| (bytes[at + j] ^ bytes[last + j]) & !COMMON == 0))
        };
        let mut from = distances.start;
        while from < distances.end {
            let to = distances.end.min(from + STRIDE);
            let whole = last.checked_sub(from + STRIDE - 1).and_then(|at| bytes.get(at..at + STRIDE + 3));
            let hit = whole
                .is_none_or(|whole| (0..STRIDE).fold(false, |hit, i| hit | (differs(&whole[i..i + 4]) == 0)));
            if let Some(found) = hit.then(|| (from..to).find(fits)).flatten() {
                return Some(found);
            }
            from = to;
        }
        None
    }

    /// The last heap whose value is not that of the heap `period` smaller.
    pub fn last_change(&self, period: usize) -> Option<usize> {
        let mut end = self.bytes.len();
        if self.large.is_empty() && self.space.turn(0) == self.space.turn(period) {
            // Whole stretches at once.
            while end >= period + STRETCH
                && self.bytes[end - STRETCH..end] == self.bytes[end - period - STRETCH..end - period]
            {
                end -= STRETCH;
            }
        }
        (period..end).rev().find(|n| self.value(*n) != self.value(n - period))
    }

    /// The heaps of rare value so far, ascending.
    pub fn rares(&self) -> &[u32] {
        &self.rares
    }

    /// How far back the values have been looked at lately to find a value, and since which heap. All common sums of
    /// a heap come from rare terms within this distance, and so do sums that witness its rare options.
    pub fn window(&self, moves: &Moves) -> (usize, usize) {
        let last_rare = self.rares.last().map_or(0, |rare| *rare as usize);
        (FAR.max(last_rare) + moves.most_taken(), self.near_since)
    }

    /// Writes all values as bytes of the space, given what a heap's byte means now, and finds the rare heaps.
    fn recode(&mut self, moves: &Moves, value: impl Fn(usize, u8) -> u32) {
        let space = self.space.clone();
        for (n, byte) in self.bytes.iter_mut().enumerate() {
            *byte = space.encode(value(n, *byte)) ^ space.turn(n);
        }
        self.large.iter().for_each(|(n, _)| self.bytes[*n as usize] = LARGE);
        let rare = |n: &usize| self.bytes[*n] & COMMON == 0 && self.large_value(*n).is_none();
        self.rares = (1..self.bytes.len()).filter(rare).map(|n| n as u32).collect();
        self.near.clear();
        for terms in [&mut self.terms, &mut self.fresh, &mut self.witnesses] {
            terms.clear();
        }
        // Rare values below a common one have codes below the next multiple of the bit left out.
        (self.leading_terms, self.leading_witnesses, self.oldest_witness) = (usize::MAX, usize::MAX, 0);
        self.planes = (1 << space.mask.trailing_zeros()).max(8) / 8;
        for i in 0..self.rares.len() {
            self.add_terms(moves, self.rares[i]);
        }
        self.large_sums.clear();
        (0..self.large.len()).for_each(|place| self.add_large_sums(moves, place));
        self.below = [0, COMMON].map(|turn| {
            let rares: Vec<u32> = (0..128).map(|code| space.decode(code ^ turn)).collect();
            let commons = (0..128).map(|code| space.decode(code ^ COMMON ^ turn));
            commons
                .map(|value| {
                    let bits = (0..128)
                        .filter(|code| rares[*code] < value)
                        .fold(0u128, |bits, code| bits | 1 << code);
                    [bits as u64, (bits >> 64) as u64]
                })
                .collect()
        });
    }

    fn add_terms(&mut self, moves: &Moves, rare: u32) {
        for (taken, _) in &moves.pairs {
            let term = Term { shift: rare + *taken as u32, byte: self.bytes[rare as usize] };
            if (term.shift as usize) < LANES { self.add_near(term) } else { self.fresh.push(term) }
        }
    }

    fn add_near(&mut self, term: Term) {
        let place = LANES - term.shift as usize;
        let free = match self.near.iter().position(|near| near.there[place] == 0) {
            Some(free) => free,
            None => {
                self.near.push(Near { bytes: [0; LANES], there: [0; LANES] });
                self.near.len() - 1
            }
        };
        (self.near[free].bytes[place], self.near[free].there[place]) = (term.byte, 0xFF);
    }

    /// Whether terms of small shift reach a common byte at heap `n`.
    fn is_near(&self, recent: &[u8; LANES], byte: u8) -> bool {
        self.near.iter().any(|near| {
            let hits = (0..LANES).fold(0, |hits, i| {
                let equal = if recent[i] ^ near.bytes[i] == byte { 0xFF } else { 0 };
                hits | (equal & near.there[i])
            });
            hits != 0
        })
    }

    /// The rare codes of values below that of a common code, at heap `n`.
    fn below(&self, n: usize, code: u32) -> [u64; 2] {
        self.below[usize::from(self.space.turn(n) != 0)][code as usize]
    }

    /// Extends the values to heaps 0..`len`.
    pub fn extend(&mut self, moves: &Moves, len: usize, meter: &mut Meter) -> Result<(), Stop> {
        meter.holding(len.saturating_add(8 * (self.rares.len() + self.terms.len())) as u64)?;
        self.bytes.reserve(len)?;
        while self.bytes.len() < len {
            let n = self.bytes.len();
            if n >= self.next_choice {
                self.next_choice = 2 * n;
                self.choose_again(moves);
                if !self.lasting && !pays(self.rares.len() / 2, n) {
                    return Err(Stop::Dense);
                }
                self.sort_terms(moves);
            }
            if n < FIRST_BLOCK || len - n < LANES {
                meter.node()?;
                let found = self.alone(moves, n, Seen::default());
                self.push(moves, found)?;
            } else {
                self.block(moves, n, meter)?;
            }
        }
        Ok(())
    }

    fn choose_again(&mut self, moves: &Moves) {
        let mut tally = Tally::new(256);
        // Larger values stand aside in every space.
        let counted =
            (1..self.bytes.len()).filter(|n| self.bytes[*n] != LARGE || self.large_value(*n).is_none());
        let values = counted.map(|n| (n, self.space.decode(self.bytes[n] ^ self.space.turn(n))));
        values.for_each(|(n, value)| tally.add(n, value));
        let (space, rare) = tally.choose(moves.parity());
        if space != self.space && 10 * rare < 9 * self.rares.len() as u64 {
            let old = std::mem::replace(&mut self.space, space);
            self.recode(moves, |n, byte| old.decode(byte ^ old.turn(n)));
        }
    }

    /// Puts the terms and witnesses in the lead that would have served best at a sample of heaps.
    fn sort_terms(&mut self, moves: &Moves) {
        let n = self.len();
        // Of short sequences fewer: sorting must not cost more than what it saves.
        let count = (n / 32).min((n / 2048).clamp(64, SAMPLE));
        let heaps = (1..=count).map(|i| n - i * (n / 2 / count).max(1));
        let sample: Vec<(usize, u32)> = heaps
            .filter(|heap| self.bytes[*heap] & COMMON != 0)
            .map(|heap| (heap, u32::from(self.bytes[heap] & !COMMON)))
            .collect();
        let all = self.terms.iter().chain(&self.fresh).filter(|term| (term.shift as usize) < n);
        let all: Vec<Term> = all.copied().collect();
        self.fresh.retain(|term| term.shift as usize >= n);
        let few = all.len() <= FEW;
        (self.terms, self.leading_terms) =
            self.sorted(all, COMMON, sample.iter().map(|(heap, code)| (*heap, prefix(*code))).collect());
        if few {
            self.leading_terms = usize::MAX;
        }
        let mut pool = std::mem::take(&mut self.witnesses);
        for (taken, _) in &moves.pairs {
            let sizes = LANES..(n / 4).min(2 * WITNESSES / moves.pairs.len());
            pool.extend(sizes.map(|a| Term { shift: (a + taken) as u32, byte: self.bytes[a] }));
        }
        pool.retain(|term| term.byte & COMMON != 0);
        pool.sort_unstable_by_key(|term| term.shift);
        pool.dedup();
        (self.witnesses, self.leading_witnesses) = self.sorted(
            pool,
            0,
            sample.iter().map(|(heap, code)| (*heap, self.below(*heap, *code))).collect(),
        );
        self.witnesses.truncate(WITNESSES);
    }

    /// The terms, greedily sorted by how many of the wanted codes at the sample's heaps they add, and how many of them
    /// add enough to be marked for all codes.
    fn sorted(&self, terms: Vec<Term>, flip: u8, mut sample: Vec<(usize, [u64; 2])>) -> (Vec<Term>, usize) {
        let gain = |term: &Term, sample: &mut Vec<(usize, [u64; 2])>, take: bool| {
            let mut gain = 0;
            for (heap, wanted) in sample.iter_mut().filter(|(heap, _)| (term.shift as usize) < *heap) {
                let code = self.bytes[*heap - term.shift as usize] ^ term.byte ^ flip;
                let bit = 1 << (code & 63);
                if code < 0x80 && wanted[usize::from(code >> 6)] & bit != 0 {
                    gain += 1;
                    if take {
                        wanted[usize::from(code >> 6)] &= !bit;
                    }
                }
            }
            gain
        };
        // Gains only fall: one that is still the greatest when computed anew is the greatest.
        let gains = terms.iter().enumerate().map(|(i, term)| (gain(term, &mut sample, false), Reverse(i)));
        let mut heap: BinaryHeap<(u32, Reverse<usize>)> = gains.collect();
        let mut order = Vec::with_capacity(terms.len());
        while let Some((_, Reverse(i))) = heap.pop() {
            let now = gain(&terms[i], &mut sample, false);
            if heap.peek().is_some_and(|(next, _)| *next > now) {
                heap.push((now, Reverse(i)));
                continue;
            }
            if now < LEAST_GAIN {
                heap.push((now, Reverse(i)));
                break;
            }
            gain(&terms[i], &mut sample, true);
            order.push(terms[i]);
        }
        let leading = order.len();
        order.extend(heap.into_sorted_vec().into_iter().rev().map(|(_, Reverse(i))| terms[i]));
        (order, leading)
    }

    /// Takes the next heap's byte to the history; `None` where its value has none.
    fn push(&mut self, moves: &Moves, byte: Option<u8>) -> Result<(), Stop> {
        let n = self.bytes.len();
        let Some(byte) = byte else { return self.push_large(moves) };
        self.bytes.push(byte);
        if byte & COMMON == 0 {
            self.rares.push(n as u32);
            self.add_terms(moves, n as u32);
        }
        if self.large_sums.first_key_value().is_some_and(|(first, _)| *first <= n) {
            self.large_sums.pop_first();
            self.near_since = n + 1;
        }
        Ok(())
    }

    /// The next heap has all values of a byte among its options. Larger ones come only from larger ones.
    fn push_large(&mut self, moves: &Moves) -> Result<(), Stop> {
        let n = self.bytes.len();
        if self.large.len() >= most_large(n) || self.large_sums.len() > MOST_LARGE_SUMS {
            return Err(Stop::Large);
        }
        let mut seen: Vec<u32> = moves.singles(n).map(|rest| self.value(rest)).collect();
        for (taken, unequal) in &moves.pairs {
            for (size, value) in self.large.iter().take_while(|(size, _)| *size as usize + taken < n) {
                let other = n - taken - *size as usize;
                if !unequal || other != *size as usize {
                    seen.push(value ^ self.value(other));
                }
            }
        }
        seen.sort_unstable();
        let value = (256..).find(|value| seen.binary_search(value).is_err()).ok_or(Stop::Large)?;
        self.bytes.push(LARGE);
        self.large.push((n as u32, value));
        self.large_sums.remove(&n);
        self.add_large_sums(moves, self.large.len() - 1);
        self.near_since = n + 1;
        Ok(())
    }

    /// Keeps the common sums of a large value, by its place in the list, with those before it and itself.
    fn add_large_sums(&mut self, moves: &Moves, place: usize) {
        let (n, value) = self.large[place];
        for (taken, unequal) in &moves.pairs {
            for (size, other) in self.large[..=place].iter().filter(|(size, _)| !unequal || *size != n) {
                let (heap, sum) = (n as usize + *size as usize + taken, value ^ other);
                if heap >= self.bytes.len() && sum < 256 && self.space.is_common(sum, heap) {
                    self.large_sums.entry(heap).or_default().push(sum);
                }
            }
        }
    }

    /// The byte of heap `n`, the next one, with all terms looked at; `seen` may hold some options.
    fn alone(&mut self, moves: &Moves, n: usize, mut seen: Seen) -> Option<u8> {
        self.add_sums(&self.terms, n, &mut seen);
        self.decide(moves, n, seen, ALL)
    }

    /// Adds the common sums with rare terms. The rare ones may be of a heap with itself, where a move leaves unequal
    /// heaps.
    fn add_sums(&self, terms: &[Term], n: usize, seen: &mut Seen) {
        for term in terms.iter().filter(|term| (term.shift as usize) < n) {
            let byte = self.bytes[n - term.shift as usize] ^ term.byte;
            if byte & COMMON != 0 {
                mark(seen, byte);
            }
        }
    }

    fn block(&mut self, moves: &Moves, start: usize, meter: &mut Meter) -> Result<(), Stop> {
        // From now on the other heap of these is never empty and lies before the block.
        self.terms.extend(self.fresh.extract_if(.., |term| (term.shift as usize) < start));
        let planes = self.planes;
        let (lead, rest) = self.terms.split_at(self.leading_terms.min(self.terms.len()));
        let (mut common, mut rare): (Sets, Sets) = ([[0; 2]; LANES], [[0; 2]; LANES]);
        self.simd.mark(&self.bytes, start, lead, COMMON, planes, &mut common);
        let past = 8 * planes as u32;
        let limits = self.settle(start, rest, COMMON, &mut common, |_, set| without(prefix(past), *set));
        let (lead, rest) = self.witnesses.split_at(self.leading_witnesses.min(self.witnesses.len()));
        self.simd.mark(&self.bytes, start, lead, 0, planes, &mut rare);
        for _ in 0..ROUNDS {
            let settled = self.settle(start, rest, 0, &mut rare, |lane, set| {
                let code = first(without(prefix(past), common[lane])).min(past - 1);
                without(self.below(start + lane, code), *set)
            });
            if settled == [ALL; LANES] {
                break;
            }
        }
        for lane in 0..LANES {
            meter.node()?;
            let n = start + lane;
            let seen = [rare[lane][0], rare[lane][1], common[lane][0], common[lane][1]];
            let byte = match self.decide(moves, n, seen, limits[lane].min(past)) {
                Some(byte) => byte,
                // Past what was looked at: alone, and with more planes from the next block on.
                None => match self.alone(moves, n, seen) {
                    Some(byte) => byte,
                    None => {
                        self.push(moves, None)?;
                        continue;
                    }
                },
            };
            let code = usize::from(byte & !COMMON);
            self.planes = self.planes.max((code / 8 + 1).next_power_of_two());
            self.push(moves, Some(byte))?;
        }
        Ok(())
    }

    /// Settles in each lane the first few codes of `open`: adds those that the terms reach to the set. Returns up to
    /// where a lane is settled.
    fn settle(
        &self,
        start: usize,
        terms: &[Term],
        flip: u8,
        sets: &mut Sets,
        open: impl Fn(usize, &[u64; 2]) -> [u64; 2],
    ) -> [u32; LANES] {
        let mut targets: Targets = [[FOUND; LANES]; TARGETS];
        let mut limits = [ALL; LANES];
        if terms.is_empty() {
            return limits;
        }
        for lane in 0..LANES {
            let mut codes = open(lane, &sets[lane]);
            for target in &mut targets {
                match first(codes) {
                    ALL => break,
                    code => {
                        target[lane] = code as u8;
                        codes[code as usize / 64] &= !(1 << (code % 64));
                    }
                }
            }
            // The first code that is not settled.
            limits[lane] = first(codes);
        }
        let sought = targets;
        if sought[0] == [FOUND; LANES] {
            return limits;
        }
        self.simd.strike(&self.bytes, start, terms, flip, &mut targets);
        for (sought, left) in sought.iter().zip(&targets) {
            for lane in (0..LANES).filter(|lane| sought[*lane] != left[*lane]) {
                sets[lane][usize::from(sought[lane] >> 6)] |= 1 << (sought[lane] & 63);
            }
        }
        limits
    }

    /// The byte of heap `n` when `seen` holds the sums with all of `terms`, for codes below `codes`. `None` where all
    /// common values of these codes are options and, if that is all values of a byte, the rare ones too.
    fn decide(&mut self, moves: &Moves, n: usize, mut seen: Seen, codes: u32) -> Option<u8> {
        if !self.large_sums.is_empty() {
            for value in self.large_sums.get(&n).into_iter().flatten() {
                mark(&mut seen, self.space.encode(*value) ^ self.space.turn(n));
            }
        }
        for rest in moves.singles(n).filter(|rest| self.large_value(*rest).is_none()) {
            mark(&mut seen, self.bytes[rest] ^ self.space.turn(rest) ^ self.space.turn(n));
        }
        self.add_sums(&self.fresh, n, &mut seen);
        let mut recent = [0; LANES];
        recent.copy_from_slice(&self.bytes[n - LANES..n]);
        let code = loop {
            let code = first([!seen[2], !seen[3]]);
            if code >= codes && codes < ALL {
                return None;
            }
            if code == ALL || !self.is_near(&recent, COMMON | code as u8) {
                break code;
            }
            mark(&mut seen, COMMON | code as u8);
        };
        // With all common values below 256 among the options, a rare one may still be the least that is none.
        let rares = if code == ALL { prefix(ALL) } else { self.below(n, code) };
        let mut open = without(rares, [seen[0], seen[1]]);
        while open != [0, 0] {
            let rare = first(open);
            match self.witness(moves, n, rare as u8) {
                None => return Some(rare as u8),
                Some(term) => {
                    self.remember(n, term);
                    open[rare as usize / 64] &= !(1 << (rare % 64));
                }
            }
        }
        (code < ALL).then_some(COMMON | code as u8)
    }

    /// Two heaps left by a move from `n` whose bytes sum to `byte`: all are tried.
    fn witness(&self, moves: &Moves, n: usize, byte: u8) -> Option<Term> {
        moves.pairs.iter().find_map(|(taken, unequal)| {
            let half = moves.half(n, *taken, *unequal);
            let rest = n.saturating_sub(*taken);
            let mut from = 1;
            while let Some(at) =
                self.simd.find(&self.bytes[from..1 + half], &self.bytes[rest - half..rest + 1 - from], byte)
            {
                let a = from + at;
                if self.large_value(a).is_none() && self.large_value(rest - a).is_none() {
                    return Some(Term { shift: (a + taken) as u32, byte: self.bytes[a] });
                }
                from = a + 1;
            }
            let value = self.space.decode(byte ^ self.space.turn(n));
            let mut pairs = self.large.iter().take_while(|(a, _)| *a as usize <= half);
            let (a, _) =
                pairs.find(|(a, large)| self.large_value(rest - *a as usize) == Some(large ^ value))?;
            Some(Term { shift: a + *taken as u32, byte: LARGE })
        })
    }

    fn remember(&mut self, n: usize, term: Term) {
        if term.shift as usize > FAR {
            self.near_since = n + 1;
            return;
        }
        if (term.shift as usize) < LANES || term.byte & COMMON == 0 {
            return;
        }
        if self.witnesses.len() < WITNESSES {
            self.witnesses.push(term);
        } else {
            let lead = if self.leading_witnesses < WITNESSES { self.leading_witnesses } else { 0 };
            self.oldest_witness = (self.oldest_witness + 1).clamp(lead, WITNESSES);
            if self.oldest_witness == WITNESSES {
                self.oldest_witness = lead;
            }
            self.witnesses[self.oldest_witness] = term;
        }
    }
}

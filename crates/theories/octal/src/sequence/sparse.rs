//! Nim-sequences at speed: a sparse space, one byte a value, 64 heaps at once.
//!
//! At each heap the sums with a rare term give the least common value that is no option; the rare values below it are
//! options unless a full search finds no witness, and then the least such is the value: a new rare heap, however
//! late. Terms whose shift is below 64 reach into the block at work and are looked at heap by heap, for the one code in
//! question. Sums of two common heaps that have witnessed rare values before are tried first.
//!
//! A few heaps may have values past a byte. Their sums with other heaps don't fit a byte either, so they stand aside
//! (see `large`), with a byte of the rare class in their place: rare terms then reach no common code through them, and
//! common terms no rare one.
//!
//! Source: I. Caines, C. Gates, R. K. Guy, R. J. Nowakowski, *Periods in taking and splitting games*, Amer. Math.
//! Monthly 106 (1999); A. Flammenkamp's computations of octal games; the byte planes are ours.

use super::brisk::{BACK, Brisk};
use super::history::History;
use super::kernel::{Kernel, LANES, Term};
use super::large::{self, Large};
use super::moves::Moves;
use super::near::Nearest;
use super::pipeline;
use super::repeats;
use super::space::{COMMON, Space, Tally};
use super::terms::{ALL, Codes, Reached, SAMPLE, Terms, codes};
use super::values::{LONG, Values, long_value};
use super::window::Window;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;
use std::cell::OnceCell;
use std::ops::Range;

/// Blocks begin here; before, heaps come one at a time.
const FIRST_BLOCK: usize = 512;

/// Witnesses of larger shift are not remembered, and spoil [`Sparse::window`].
pub const FAR: usize = 1 << 16;

/// How far each move is looked at for a witness before any is looked at further.
pub const FIRST_LOOK: usize = 1 << 10;

/// Shorter sequences are faster looked through one heap at a time.
const LEAST_HEAPS: usize = 1 << 17;

/// Whether so few rare heaps among so many are better used than all splits looked through, by measurement.
fn pays(rares: usize, heaps: usize) -> bool {
    64 * rares <= heaps
}

/// The largest heap that may be rare: with what moves take, its size is a number of 32 bits. Common ones may be larger.
pub fn most_rare(moves: &Moves) -> usize {
    u32::MAX as usize - moves.most_taken()
}

/// A nim-sequence under construction, while almost all values fit a byte.
#[derive(Debug)]
pub struct Sparse {
    simd: Simd,
    /// Bytes of the heaps so far.
    bytes: History,
    /// Heaps whose byte is rare, and heaps of values past a byte.
    rares: Vec<u32>,
    large: Large,
    /// Terms of the rare heaps: of shift below 64; that reach back before the block at work; that do not yet.
    near: Nearest,
    /// The same of shift below 64, with single heaps, for where nothing rare is near.
    brisk: Option<Brisk>,
    terms: Terms,
    fresh: Vec<Term>,
    /// Behind the last heap that needed a witness from further away than [`FAR`].
    near_since: usize,
    /// When to choose the space again.
    next_choice: usize,
    /// Whether it goes on where other engines are faster.
    lasting: bool,
}

/// The codes of the rare and of the common options of a heap.
type Seen = [Codes; 2];

fn mark(seen: &mut Seen, byte: u8) {
    seen[usize::from(byte >> 7)] |= 1 << (byte & !COMMON);
}

/// In place of the byte of a larger value.
const LARGE: u8 = 0;

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
        let (space, _, large) = choose(moves, values.iter());
        let mut late = (most_rare(moves) + 1..values.len()).map(|n| (n, values.get(n)));
        if !large.are_few(values.len()) || late.any(|(n, v)| v < large::LEAST && !space.is_common(v, n)) {
            return Err((space, values));
        }
        let (bytes, long) = values.into_parts();
        let known = bytes.len();
        let mut sparse = Sparse {
            bytes,
            rares: Vec::new(),
            large,
            near: Nearest::default(),
            brisk: None,
            terms: Terms::new(space),
            fresh: Vec::new(),
            near_since: known,
            next_choice: 2 * known.max(1024),
            lasting: false,
            simd,
        };
        sparse.recode(moves, |n, byte| match u32::from(byte) {
            LONG => long_value(&long, n).filter(|value| *value < large::LEAST).unwrap_or(0),
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
        let (_, rare, large) = choose(moves, values.iter().map(|value| u32::from(*value)));
        large.are_few(values.len() / 2) && pays(rare as usize, values.len())
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
        &self.terms.space
    }

    /// The bytes of all heaps so far.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The terms of shift 64 or more.
    pub(super) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The instructions in use.
    pub(super) fn simd(&self) -> Simd {
        self.simd
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
        self.terms.space.decode(self.bytes[n] ^ self.terms.space.turn(n))
    }

    /// The value past a byte, where heap `n` has one.
    #[inline]
    fn large_value(&self, n: usize) -> Option<u32> {
        if self.bytes[n] == LARGE { self.large.value(n) } else { None }
    }

    /// The least distance in `distances` at which the last values seem to be repeated: each that fits is among them.
    pub fn next_repeat(&self, distances: Range<usize>) -> Option<usize> {
        if !self.large.heaps().is_empty() {
            return distances.min();
        }
        repeats::next(self.simd, &self.bytes, distances)
    }

    /// The last heap whose value is not that of the heap `period` smaller.
    pub fn last_change(&self, period: usize) -> Option<usize> {
        let mut end = self.bytes.len();
        if self.large.heaps().is_empty() && self.terms.space.turn(0) == self.terms.space.turn(period) {
            end = repeats::equal_from(&self.bytes, period, end);
        }
        (period..end).rev().find(|n| self.value(*n) != self.value(n - period))
    }

    /// The heaps of rare value so far, ascending.
    pub fn rares(&self) -> Vec<usize> {
        let large = self.large.rares().iter().map(|(n, _)| *n);
        let mut rares: Vec<usize> = self.rares.iter().map(|n| *n as usize).chain(large).collect();
        rares.sort_unstable();
        rares
    }

    /// How far back the values have been looked at lately to find a value, and since which heap. All common sums of
    /// a heap come from rare terms within this distance, and so do sums that witness its rare options.
    pub fn window(&self, moves: &Moves) -> (usize, usize) {
        let last_rare = self.rares().last().copied().unwrap_or(0);
        (FAR.max(last_rare) + moves.most_taken(), self.near_since)
    }

    /// The last heaps, if those to come follow from them as far as is seen.
    pub fn settled(&self, moves: &Moves) -> Option<Window> {
        let (width, since) = self.window(moves);
        let quiet = self.large.heaps().is_empty() && self.fresh.is_empty() && since + width <= self.len();
        Window::new(self.simd, moves, self.brisk.as_ref()?, &self.terms, &self.bytes, width).filter(|_| quiet)
    }

    /// Writes all values as bytes of the space, given what a heap's byte means now, and finds the rare heaps.
    fn recode(&mut self, moves: &Moves, value: impl Fn(usize, u8) -> u32) {
        let space = &self.terms.space;
        for (n, byte) in self.bytes.iter_mut().enumerate() {
            *byte = space.encode(value(n, *byte)) ^ space.turn(n);
        }
        self.large.heaps().iter().for_each(|(n, _)| self.bytes[*n] = LARGE);
        let rare = |n: &usize| self.bytes[*n] & COMMON == 0 && self.large_value(*n).is_none();
        self.rares = (1..self.bytes.len()).filter(rare).map(|n| n as u32).collect();
        (self.near, self.fresh) = (Nearest::default(), Vec::new());
        self.brisk = Brisk::new(moves, space);
        for i in 0..self.rares.len() {
            self.add_terms(moves, self.rares[i]);
        }
    }

    fn add_terms(&mut self, moves: &Moves, rare: u32) {
        for (taken, _) in &moves.pairs {
            let term = Term { shift: rare + *taken as u32, byte: self.bytes[rare as usize], page: 0 };
            match term.shift as usize {
                shift @ ..LANES => {
                    self.near.add(shift, term.byte, 0);
                    if let Some(brisk) = &mut self.brisk {
                        brisk.add(shift, term.byte);
                    }
                }
                _ => self.fresh.push(term),
            }
        }
    }

    /// Extends the values to heaps 0..`len`. `threads` tells how many there are; it is asked where that matters.
    pub fn extend(
        &mut self,
        moves: &Moves,
        len: usize,
        threads: impl Fn() -> usize,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        meter.holding(len.saturating_add(8 * (self.rares.len() + self.terms.rare.len())) as u64)?;
        self.bytes.reserve(len)?;
        let on = OnceCell::new();
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
            let blocks = (len.min(self.next_choice) - n) / LANES;
            if n < FIRST_BLOCK || blocks == 0 {
                meter.node()?;
                let found = self.alone(moves, n, Seen::default());
                self.push(moves, found)?;
            } else if blocks >= pipeline::LEAST_BLOCKS
                && self.terms.rare.len() >= pipeline::LEAST_TERMS
                && *on.get_or_init(&threads) > 1
            {
                pipeline::extend(self, moves, blocks, *on.get_or_init(&threads), meter)?;
            } else {
                self.block(moves, n, meter)?;
            }
        }
        Ok(())
    }

    fn choose_again(&mut self, moves: &Moves) {
        // By parity of the size; heap 0 does not count, nor do large ones, which stand aside in every space.
        let mut counts = [[0; 256]; 2];
        for (n, byte) in self.bytes.iter().enumerate().skip(1) {
            counts[n % 2][usize::from(*byte)] += 1;
        }
        self.large.heaps().iter().for_each(|(n, _)| counts[n % 2][usize::from(LARGE)] -= 1);
        let old = &self.terms.space;
        let mut tally = Tally::new(large::LEAST as usize);
        for (n, counts) in counts.iter().enumerate() {
            let decoded = |byte: usize| old.decode(byte as u8 ^ old.turn(n));
            counts.iter().enumerate().for_each(|(byte, count)| tally.add(n, decoded(byte), *count));
        }
        let (mut space, rare) = tally.choose(moves.parity());
        let known = self.bytes.len();
        if 10 * rare < 9 * self.rares.len() as u64 && known <= most_rare(moves) {
            self.large = Large::new(self.large.heaps().to_vec(), &mut space, moves, known);
            let old = std::mem::replace(&mut self.terms, Terms::new(space)).space;
            self.recode(moves, |n, byte| old.decode(byte ^ old.turn(n)));
            // What was reached by a rare heap of the old space may be rare in the new one, and want a witness that nobody looked for.
            self.near_since = known;
        } else {
            self.large.choose_again(&mut self.terms.space, moves, known);
        }
    }

    fn sort_terms(&mut self, moves: &Moves) {
        self.take_fresh(self.len());
        let taken: Vec<usize> = moves.pairs.iter().map(|(taken, _)| *taken).collect();
        self.terms.sort(&self.bytes, &taken);
    }

    /// From now on the other heap of these is never empty and lies before the block that begins at `start`.
    pub(super) fn take_fresh(&mut self, start: usize) {
        self.terms.rare.extend(self.fresh.extract_if(.., |term| (term.shift as usize) < start));
    }

    /// Takes the next heap's byte to the history; `None` where its value has none.
    fn push(&mut self, moves: &Moves, byte: Option<u8>) -> Result<(), Stop> {
        let n = self.bytes.len();
        let Some(byte) = byte else { return self.push_large(moves) };
        let rare = byte & COMMON == 0;
        if rare && n > most_rare(moves) {
            return Err(LimitReached::Heaps(n as u64).into());
        }
        self.bytes.push(byte);
        if rare {
            self.rares.push(n as u32);
            self.add_terms(moves, n as u32);
        }
        Ok(())
    }

    /// The next heap has all values of a byte among its options.
    fn push_large(&mut self, moves: &Moves) -> Result<(), Stop> {
        let n = self.bytes.len();
        if !self.large.are_few(n) {
            self.large.choose_again(&mut self.terms.space, moves, n);
            if !self.large.are_few(n) {
                return Err(Stop::Large);
            }
        }
        let space = &self.terms.space;
        let value = |heap: usize| if heap < n { self.large_value(heap) } else { None };
        // What reaches common values: large heaps beside rare ones of any value.
        let mut seen: Vec<u32> = moves.singles(n).map(|rest| self.value(rest)).collect();
        for (taken, _) in &moves.pairs {
            let rest = n.saturating_sub(*taken);
            for rare in self.rares.iter().map(|rare| *rare as usize).take_while(|rare| *rare < rest) {
                seen.extend(value(rest - rare).map(|large| large ^ self.value(rare)));
            }
            for (rare, large) in self.large.rares().iter().take_while(|(rare, _)| *rare < rest) {
                seen.push(large ^ self.value(rest - rare));
            }
        }
        seen.sort_unstable();
        let is_option = |value: &u32| {
            seen.binary_search(value).is_ok()
                || !space.is_common(*value, n) && self.large_witness(moves, n, *value)
        };
        let value = (large::LEAST..).find(|value| !is_option(value)).ok_or(Stop::Large)?;
        self.bytes.push(LARGE);
        let Sparse { large, terms, .. } = self;
        large.push(&terms.space, moves, n, value);
        self.near_since = n + 1;
        Ok(())
    }

    /// Whether a large heap and another one are left by a move from `n`, with this sum.
    fn large_witness(&self, moves: &Moves, n: usize, value: u32) -> bool {
        moves.pairs.iter().any(|(taken, unequal)| {
            let heaps = self.large.heaps().iter().take_while(|(size, _)| size + taken < n);
            heaps.map(|(size, large)| (*size, n - taken - size, large)).any(|(size, other, large)| {
                large ^ self.value(other) == value && !(*unequal && other == size)
            })
        })
    }

    /// The byte of heap `n`, the next one, with all terms looked at; `seen` may hold some options.
    fn alone(&mut self, moves: &Moves, n: usize, mut seen: Seen) -> Option<u8> {
        self.add_sums(&self.terms.rare, n, &mut seen);
        self.decide(moves, n, seen, ALL)
    }

    /// Adds the common sums with rare terms. The rare ones may be of a heap with itself, where a move leaves unequal
    /// heaps.
    fn add_sums(&self, terms: &[Term], n: usize, seen: &mut Seen) {
        if terms.is_empty() {
            return;
        }
        // Whether each byte is there: no sum waits for the one before.
        let mut there = [false; 256];
        for term in terms.iter().filter(|term| (term.shift as usize) < n) {
            there[usize::from(self.bytes[n - term.shift as usize] ^ term.byte)] = true;
        }
        let commons = there[usize::from(COMMON)..].iter().enumerate();
        seen[1] |= commons.fold(0, |set, (code, there)| set | Codes::from(*there) << code);
    }

    fn block(&mut self, moves: &Moves, start: usize, meter: &mut Meter) -> Result<(), Stop> {
        self.take_fresh(start);
        let reached = self.terms.reach(self.simd, &self.bytes, start);
        self.finish(moves, start, &reached, meter)
    }

    /// Finds the values of a block, given what all of [`Terms`] reach there.
    pub(super) fn finish(
        &mut self,
        moves: &Moves,
        start: usize,
        reached: &Reached,
        meter: &mut Meter,
    ) -> Result<(), Stop> {
        let past = 8 * reached.planes as u32;
        let mut lane = 0;
        while lane < LANES {
            lane += self.go(start, lane, reached, meter)?;
            if lane == LANES {
                break;
            }
            meter.node()?;
            let n = start + lane;
            let seen = [codes(reached.rare[lane]), codes(reached.common[lane])];
            let byte = match self.decide(moves, n, seen, reached.limits[lane].min(past)) {
                Some(byte) => Some(byte),
                // Past what was looked at: alone, and with more planes from the next block on.
                None => self.alone(moves, n, seen),
            };
            if let Some(byte) = byte {
                let code = usize::from(byte & !COMMON);
                self.terms.planes = self.terms.planes.max((code / 8 + 1).next_power_of_two());
            }
            self.push(moves, byte)?;
            lane += 1;
        }
        Ok(())
    }

    /// Finds values of a block from `lane` on where nothing rare is near; how many.
    fn go(
        &mut self,
        start: usize,
        lane: usize,
        reached: &Reached,
        meter: &mut Meter,
    ) -> Result<usize, LimitReached> {
        let Some(brisk) = &self.brisk else { return Ok(0) };
        let quiet = self.rares.last().is_none_or(|rare| *rare as usize + BACK < start + lane);
        if !quiet
            || !brisk.pays()
            || !brisk.serves(reached.planes)
            || !self.fresh.is_empty()
            || !self.large.heaps().is_empty()
        {
            return Ok(0);
        }
        let (last, _) = self.bytes[start + lane - BACK..].as_chunks();
        let (bytes, found) = brisk.go(self.simd, &self.terms, &last[0], start, lane, reached);
        for byte in &bytes[..found] {
            meter.node()?;
            self.bytes.push(*byte);
        }
        Ok(found)
    }

    /// The byte of heap `n` when `seen` holds the sums with all of `terms`, for codes below `codes`. `None` where all
    /// common values of these codes are options and, if that is all values of a byte, the rare ones too.
    fn decide(&mut self, moves: &Moves, n: usize, mut seen: Seen, codes: u32) -> Option<u8> {
        let Sparse { large, terms: Terms { space, .. }, near_since, .. } = self;
        for sum in large.sums(space, moves, n) {
            *near_since = n + 1;
            if *sum < large::LEAST {
                mark(&mut seen, space.encode(*sum) ^ space.turn(n));
            }
        }
        for rest in moves.singles(n).filter(|rest| self.large_value(*rest).is_none()) {
            mark(&mut seen, self.bytes[rest] ^ self.terms.space.turn(rest) ^ self.terms.space.turn(n));
        }
        self.add_sums(&self.fresh, n, &mut seen);
        let (recent, _) = self.bytes[n - LANES..n].as_chunks();
        seen[1] = self.near.settle(self.simd, &recent[0], seen[1], codes);
        let code = seen[1].trailing_ones();
        if code >= codes && codes < ALL {
            return None;
        }
        // With all common values below 256 among the options, a rare one may still be the least that is none.
        let mut open = if code == ALL { Codes::MAX } else { self.terms.below(n, code) } & !seen[0];
        while open != 0 {
            let rare = open.trailing_zeros();
            match self.witness(moves, n, rare as u8) {
                None => return Some(rare as u8),
                Some(term) => self.remember(n, term),
            }
            open &= open - 1;
        }
        (code < ALL).then_some(COMMON | code as u8)
    }

    /// Two heaps left by a move from `n` whose bytes sum to `byte`: all are tried, those with a small heap first, whatever
    /// the move. (Move by move a search for what one move never leaves goes through the whole history at each heap.)
    fn witness(&self, moves: &Moves, n: usize, byte: u8) -> Option<Term> {
        let reach = moves.pairs.iter().map(|(taken, unequal)| {
            let half = moves.half(n, *taken, *unequal);
            (*taken, n.saturating_sub(*taken), half)
        });
        let most = reach.clone().map(|(.., half)| half).max()?;
        let mut looked = 0;
        while looked < most {
            let upto = (looked * 4).max(FIRST_LOOK);
            for (taken, rest, half) in reach.clone() {
                if let Some(a) = self.split(rest, looked + 1, half.min(upto), byte) {
                    let shift = u32::try_from(a + taken).unwrap_or(u32::MAX);
                    return Some(Term { shift, byte: self.bytes[a], page: 0 });
                }
            }
            looked = upto;
        }
        let value = self.terms.space.decode(byte ^ self.terms.space.turn(n));
        reach.clone().find_map(|(taken, rest, half)| {
            let mut pairs = self.large.heaps().iter().take_while(|(a, _)| *a <= half);
            let (a, _) = pairs.find(|(a, large)| self.large_value(rest - a) == Some(large ^ value))?;
            // Never remembered, for its byte is of the rare class; its shift is told where it has room.
            Some(Term { shift: u32::try_from(a + taken).unwrap_or(u32::MAX), byte: LARGE, page: 0 })
        })
    }

    /// A heap from `from` to `to` whose byte and that of what it leaves of `rest` sum to `byte`; heaps with values past a byte
    /// are left out.
    fn split(&self, rest: usize, mut from: usize, to: usize, byte: u8) -> Option<usize> {
        while from <= to {
            let (some, others) = (&self.bytes[from..=to], &self.bytes[rest - to..=rest - from]);
            let a = from + Kernel(self.simd).find(some, others, byte)?;
            if self.large_value(a).is_none() && self.large_value(rest - a).is_none() {
                return Some(a);
            }
            from = a + 1;
        }
        None
    }

    fn remember(&mut self, n: usize, term: Term) {
        if term.shift as usize > FAR {
            self.near_since = n + 1;
        } else if term.shift as usize >= LANES && term.byte & COMMON != 0 {
            self.terms.remember(term);
        }
    }
}

/// The space in which the fewest of the values are rare, how many of a byte those are, and the heaps of larger values.
fn choose(moves: &Moves, values: impl Iterator<Item = u32>) -> (Space, u64, Large) {
    let mut tally = Tally::new(large::LEAST as usize);
    let (mut heaps, mut known) = (Vec::new(), 0);
    for (n, value) in values.enumerate() {
        match value {
            0..large::LEAST if n > 0 => tally.add(n, value, 1),
            0..large::LEAST => {}
            _ => heaps.push((n, value)),
        }
        known = n + 1;
    }
    let (mut space, rare) = tally.choose(moves.parity());
    let large = Large::new(heaps, &mut space, moves, known);
    (space, rare, large)
}

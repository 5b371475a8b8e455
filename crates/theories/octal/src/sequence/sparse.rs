//! Sparse-space engine: one byte a value, 64 heaps at once.
//!
//! At each heap the sums with a rare term determine the least common value that is not an option.
//! The rare values below it are options unless a full search finds no witness, and then the least
//! such value is the heap's: a new rare heap, however late. Terms of shift below 64 lie in the
//! current block and are tested heap by heap, for the one code in question. Sums of two common
//! heaps that were witnesses before are tried first.
//!
//! A few heaps may have values above 255. Their sums with other heaps do not fit in a byte, so they
//! are listed separately (see [`super::overflow_values`]). A byte of the rare class takes their
//! place: rare terms then reach no common code through them, and common terms no rare one.
//!
//! Source: I. Caines, C. Gates, R. K. Guy, R. J. Nowakowski, *Periods in taking and splitting
//! games*, Amer. Math. Monthly 106 (1999); A. Flammenkamp's computations of octal games; the byte
//! planes are ours.

use super::byte_values::{ByteValues, ESCAPE, escaped_value};
use super::common_run::{CommonRun, LOOKBACK};
use super::kernel::{Kernel, LANES, Term};
use super::moves::CodeMoves;
use super::overflow_values::{self, OverflowValues};
use super::pipeline;
use super::repeats;
use super::short_shifts::ShortShiftTerms;
use super::space::{COMMON, SparseSpace, ValueCounts};
use super::storage::ByteStore;
use super::terms::{ALL_CODES, CodeSet, ReachedCodes, SAMPLE, Terms, codes};
use super::window::Window;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;
use std::cell::OnceCell;
use std::ops::Range;

/// Blocks begin here; smaller heaps are computed one at a time.
const FIRST_BLOCK: usize = 512;

/// Witnesses of larger shift are not recorded, and end [`SparseEngine::window`].
pub const MAX_WITNESS_SHIFT: usize = 1 << 16;

/// Number of splits of each move that are scanned for a witness before any move is scanned further.
pub const FIRST_LOOK: usize = 1 << 10;

/// Shorter sequences are faster one heap at a time.
const LEAST_HEAPS: usize = 1 << 17;

/// Returns whether the rare heaps are few enough for this engine to be faster than scanning all
/// splits (measured).
fn is_profitable(rares: usize, heaps: usize) -> bool {
    64 * rares <= heaps
}

/// Returns the largest heap that may be rare: with the tokens that moves take, its size must be a
/// 32-bit number. Common heaps may be larger.
pub fn max_rare_heap(moves: &CodeMoves) -> usize {
    u32::MAX as usize - moves.most_taken()
}

/// A nim-sequence under construction, while almost all values fit in a byte.
#[derive(Debug)]
pub struct SparseEngine {
    simd: Simd,
    /// Bytes of the heaps so far.
    bytes: ByteStore,
    /// Heaps whose byte is rare, and heaps of values above 255.
    rares: Vec<u32>,
    large: OverflowValues,
    /// Terms of the rare heaps: of shift below 64; those that reach back before the current block;
    /// the others.
    near: ShortShiftTerms,
    /// The terms of shift below 64 and the single-heap moves, for the scalar fast path.
    common_run: Option<CommonRun>,
    terms: Terms,
    fresh: Vec<Term>,
    /// One more than the last heap that needed a witness farther away than [`MAX_WITNESS_SHIFT`].
    near_since: usize,
    /// Length at which the space is chosen again.
    next_choice: usize,
    /// Whether this engine continues even if others are faster.
    pinned: bool,
}

/// The codes of the rare and of the common options of a heap.
type SeenCodes = [CodeSet; 2];

fn mark(seen: &mut SeenCodes, byte: u8) {
    seen[usize::from(byte >> 7)] |= 1 << (byte & !COMMON);
}

/// Replaces the byte of a value above 255.
const LARGE: u8 = 0;

/// Reasons why the engine stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SparseStop {
    /// The budget is exhausted.
    LimitReached(LimitReached),
    /// The value of the next heap does not fit in a byte.
    ValueTooLarge,
    /// Scanning all splits of each heap would be faster.
    TooDense,
}

impl From<LimitReached> for SparseStop {
    fn from(spent: LimitReached) -> SparseStop {
        SparseStop::LimitReached(spent)
    }
}

impl SparseEngine {
    /// Continues from known values.
    ///
    /// # Errors
    ///
    /// Returns the values with the chosen space if too many of them are above 255.
    pub fn new(
        moves: &CodeMoves,
        values: ByteValues,
        simd: Simd,
    ) -> Result<SparseEngine, (SparseSpace, ByteValues)> {
        let (space, _, large) = choose(moves, values.iter());
        let mut late = (max_rare_heap(moves) + 1..values.len()).map(|n| (n, values.get(n)));
        if !large.are_few(values.len())
            || late.any(|(n, v)| v < overflow_values::FIRST_OVERFLOW && !space.is_common(v, n))
        {
            return Err((space, values));
        }
        let (bytes, long) = values.into_parts();
        let known = bytes.len();
        let mut sparse = SparseEngine {
            bytes,
            rares: Vec::new(),
            large,
            near: ShortShiftTerms::default(),
            common_run: None,
            terms: Terms::new(space),
            fresh: Vec::new(),
            near_since: known,
            next_choice: 2 * known.max(1024),
            pinned: false,
            simd,
        };
        sparse.recode(moves, |n, byte| match u32::from(byte) {
            ESCAPE => escaped_value(&long, n)
                .filter(|value| *value < overflow_values::FIRST_OVERFLOW)
                .unwrap_or(0),
            value => value,
        });
        if sparse.len() > 2 * SAMPLE {
            sparse.sort_terms(moves);
        }
        Ok(sparse)
    }

    /// Returns whether this engine is faster than [`super::split_engine`] from these values on.
    pub fn is_suitable(moves: &CodeMoves, values: &[u16]) -> bool {
        if values.len() < LEAST_HEAPS {
            return false;
        }
        let (_, rare, large) = choose(moves, values.iter().map(|value| u32::from(*value)));
        large.are_few(values.len() / 2) && is_profitable(rare as usize, values.len())
    }

    /// Returns whether this engine is the faster one for its present values.
    pub fn is_profitable(&self) -> bool {
        self.len() >= LEAST_HEAPS && is_profitable(self.rares.len(), self.len())
    }

    /// Keeps this engine even if others are faster: it needs the least memory.
    pub fn pin(&mut self) {
        self.pinned = true;
    }

    /// Returns the space in use.
    pub fn space(&self) -> &SparseSpace {
        &self.terms.space
    }

    /// Returns the bytes of all heaps so far.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the terms of shift 64 or more.
    pub(super) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the instructions in use.
    pub(super) fn simd(&self) -> Simd {
        self.simd
    }

    /// Returns the number of known values.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the nim-value of a heap below [`SparseEngine::len`].
    #[inline]
    pub fn value(&self, n: usize) -> u32 {
        if let Some(value) = self.large_value(n) {
            return value;
        }
        self.terms.space.decode(self.bytes[n] ^ self.terms.space.class_flip(n))
    }

    /// Returns the value of heap `n` if it is above 255.
    #[inline]
    fn large_value(&self, n: usize) -> Option<u32> {
        if self.bytes[n] == LARGE { self.large.value(n) } else { None }
    }

    /// Returns the least distance in `distances` at which the last values seem to repeat. No true
    /// repetition is missed.
    pub fn next_repeat(&self, distances: Range<usize>) -> Option<usize> {
        if !self.large.heaps().is_empty() {
            return distances.min();
        }
        repeats::next(self.simd, &self.bytes, distances)
    }

    /// Returns the last heap whose value differs from that of the heap `period` smaller.
    pub fn last_change(&self, period: usize) -> Option<usize> {
        let mut end = self.bytes.len();
        if self.large.heaps().is_empty()
            && self.terms.space.class_flip(0) == self.terms.space.class_flip(period)
        {
            end = repeats::equal_from(&self.bytes, period, end);
        }
        (period..end).rev().find(|n| self.value(*n) != self.value(n - period))
    }

    /// Returns the rare heaps so far, ascending.
    pub fn rares(&self) -> Vec<usize> {
        let large = self.large.rares().iter().map(|(n, _)| *n);
        let mut rares: Vec<usize> = self.rares.iter().map(|n| *n as usize).chain(large).collect();
        rares.sort_unstable();
        rares
    }

    /// Returns the width of the dependence window, and the heap from which on it applies.
    ///
    /// All common sums of such a heap come from rare terms within this distance, and so do sums
    /// that witness its rare options.
    pub fn window(&self, moves: &CodeMoves) -> (usize, usize) {
        let last_rare = self.rares().last().copied().unwrap_or(0);
        (MAX_WITNESS_SHIFT.max(last_rare) + moves.most_taken(), self.near_since)
    }

    /// Returns the last heaps if, as far as is known, they determine the next ones.
    pub fn settled_window(&self, moves: &CodeMoves) -> Option<Window> {
        let (width, since) = self.window(moves);
        let quiet =
            self.large.heaps().is_empty() && self.fresh.is_empty() && since + width <= self.len();
        Window::new(self.simd, moves, self.common_run.as_ref()?, &self.terms, &self.bytes, width)
            .filter(|_| quiet)
    }

    /// Encodes all values in the space, given the present value of a heap's byte, and finds the
    /// rare heaps.
    fn recode(&mut self, moves: &CodeMoves, value: impl Fn(usize, u8) -> u32) {
        let space = &self.terms.space;
        for (n, byte) in self.bytes.iter_mut().enumerate() {
            *byte = space.encode(value(n, *byte)) ^ space.class_flip(n);
        }
        self.large.heaps().iter().for_each(|(n, _)| self.bytes[*n] = LARGE);
        let rare = |n: &usize| self.bytes[*n] & COMMON == 0 && self.large_value(*n).is_none();
        self.rares = (1..self.bytes.len()).filter(rare).map(|n| n as u32).collect();
        (self.near, self.fresh) = (ShortShiftTerms::default(), Vec::new());
        self.common_run = CommonRun::new(moves, space);
        for i in 0..self.rares.len() {
            self.add_terms(moves, self.rares[i]);
        }
    }

    fn add_terms(&mut self, moves: &CodeMoves, rare: u32) {
        for (taken, _) in &moves.pairs {
            let term =
                Term { shift: rare + *taken as u32, byte: self.bytes[rare as usize], page: 0 };
            match term.shift as usize {
                shift @ ..LANES => {
                    self.near.add(shift, term.byte, 0);
                    if let Some(common_run) = &mut self.common_run {
                        common_run.add(shift, term.byte);
                    }
                }
                _ => self.fresh.push(term),
            }
        }
    }

    /// Extends the values to heaps 0..`len`.
    ///
    /// `threads` returns the number of threads; it is called only if that matters.
    pub fn extend(
        &mut self,
        moves: &CodeMoves,
        len: usize,
        threads: impl Fn() -> usize,
        meter: &mut Meter,
    ) -> Result<(), SparseStop> {
        meter.check_bytes(
            len.saturating_add(8 * (self.rares.len() + self.terms.rare.len())) as u64
        )?;
        self.bytes.reserve(len)?;
        let on = OnceCell::new();
        while self.bytes.len() < len {
            let n = self.bytes.len();
            if n >= self.next_choice {
                self.next_choice = 2 * n;
                self.choose_space_again(moves);
                if !self.pinned && !is_profitable(self.rares.len() / 2, n) {
                    return Err(SparseStop::TooDense);
                }
                self.sort_terms(moves);
            }
            let blocks = (len.min(self.next_choice) - n) / LANES;
            if n < FIRST_BLOCK || blocks == 0 {
                meter.spend_one()?;
                let found = self.alone(moves, n, SeenCodes::default());
                self.push(moves, found)?;
            } else if blocks >= pipeline::MIN_BLOCKS
                && self.terms.rare.len() >= pipeline::MIN_TERMS
                && *on.get_or_init(&threads) > 1
            {
                pipeline::extend(self, moves, blocks, *on.get_or_init(&threads), meter)?;
            } else {
                self.block(moves, n, meter)?;
            }
        }
        Ok(())
    }

    fn choose_space_again(&mut self, moves: &CodeMoves) {
        // By parity of the size. Heap 0 and the heaps above 255, which are listed in every space,
        // do not count.
        let mut counts = [[0; 256]; 2];
        for (n, byte) in self.bytes.iter().enumerate().skip(1) {
            counts[n % 2][usize::from(*byte)] += 1;
        }
        self.large.heaps().iter().for_each(|(n, _)| counts[n % 2][usize::from(LARGE)] -= 1);
        let old = &self.terms.space;
        let mut tally = ValueCounts::new(overflow_values::FIRST_OVERFLOW as usize);
        for (n, counts) in counts.iter().enumerate() {
            let decoded = |byte: usize| old.decode(byte as u8 ^ old.class_flip(n));
            counts.iter().enumerate().for_each(|(byte, count)| tally.add(n, decoded(byte), *count));
        }
        let (mut space, rare) = tally.choose(moves.parity());
        let known = self.bytes.len();
        if 10 * rare < 9 * self.rares.len() as u64 && known <= max_rare_heap(moves) {
            self.large = OverflowValues::new(self.large.heaps().to_vec(), &mut space, moves, known);
            let old = std::mem::replace(&mut self.terms, Terms::new(space)).space;
            self.recode(moves, |n, byte| old.decode(byte ^ old.class_flip(n)));
            // A sum with a rare heap of the old space may be rare in the new one, without a
            // recorded witness.
            self.near_since = known;
        } else {
            self.large.choose_space_again(&mut self.terms.space, moves, known);
        }
    }

    fn sort_terms(&mut self, moves: &CodeMoves) {
        self.take_fresh(self.len());
        let taken: Vec<usize> = moves.pairs.iter().map(|(taken, _)| *taken).collect();
        self.terms.sort(&self.bytes, &taken);
    }

    /// Takes up terms whose other heap is from now on not empty and before the block that begins at
    /// `start`.
    pub(super) fn take_fresh(&mut self, start: usize) {
        self.terms.rare.extend(self.fresh.extract_if(.., |term| (term.shift as usize) < start));
    }

    /// Appends the byte of the next heap; `None` if its value does not fit in a byte.
    fn push(&mut self, moves: &CodeMoves, byte: Option<u8>) -> Result<(), SparseStop> {
        let n = self.bytes.len();
        let Some(byte) = byte else { return self.push_large(moves) };
        let rare = byte & COMMON == 0;
        if rare && n > max_rare_heap(moves) {
            return Err(LimitReached::TooManyHeaps(n as u64).into());
        }
        self.bytes.push(byte);
        if rare {
            self.rares.push(n as u32);
            self.add_terms(moves, n as u32);
        }
        Ok(())
    }

    /// Appends the next heap, which has all values below 256 among its options.
    fn push_large(&mut self, moves: &CodeMoves) -> Result<(), SparseStop> {
        let n = self.bytes.len();
        if !self.large.are_few(n) {
            self.large.choose_space_again(&mut self.terms.space, moves, n);
            if !self.large.are_few(n) {
                return Err(SparseStop::ValueTooLarge);
            }
        }
        let space = &self.terms.space;
        let value = |heap: usize| if heap < n { self.large_value(heap) } else { None };
        // Sums that reach common values: large heaps with rare ones of any value.
        let mut seen: Vec<u32> = moves.singles(n).map(|rest| self.value(rest)).collect();
        for (taken, _) in &moves.pairs {
            let rest = n.saturating_sub(*taken);
            for rare in self.rares.iter().map(|rare| *rare as usize).take_while(|rare| *rare < rest)
            {
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
        let value = (overflow_values::FIRST_OVERFLOW..)
            .find(|value| !is_option(value))
            .ok_or(SparseStop::ValueTooLarge)?;
        self.bytes.push(LARGE);
        let SparseEngine { large, terms, .. } = self;
        large.push(&terms.space, moves, n, value);
        self.near_since = n + 1;
        Ok(())
    }

    /// Returns whether a move from `n` leaves a large heap and another one with this sum.
    fn large_witness(&self, moves: &CodeMoves, n: usize, value: u32) -> bool {
        moves.pairs.iter().any(|(taken, unequal)| {
            let heaps = self.large.heaps().iter().take_while(|(size, _)| size + taken < n);
            heaps.map(|(size, large)| (*size, n - taken - size, large)).any(
                |(size, other, large)| {
                    large ^ self.value(other) == value && !(*unequal && other == size)
                },
            )
        })
    }

    /// Computes the byte of heap `n`, the next one, from all terms; `seen` may hold some options.
    fn alone(&mut self, moves: &CodeMoves, n: usize, mut seen: SeenCodes) -> Option<u8> {
        self.add_sums(&self.terms.rare, n, &mut seen);
        self.decide(moves, n, seen, ALL_CODES)
    }

    /// Adds the common sums with rare terms. A rare sum may belong to a heap with itself, which is
    /// no option if a move leaves unequal heaps.
    fn add_sums(&self, terms: &[Term], n: usize, seen: &mut SeenCodes) {
        if terms.is_empty() {
            return;
        }
        // Flags for each byte, so that no sum waits for the one before.
        let mut there = [false; 256];
        for term in terms.iter().filter(|term| (term.shift as usize) < n) {
            there[usize::from(self.bytes[n - term.shift as usize] ^ term.byte)] = true;
        }
        let commons = there[usize::from(COMMON)..].iter().enumerate();
        seen[1] |= commons.fold(0, |set, (code, there)| set | CodeSet::from(*there) << code);
    }

    fn block(
        &mut self,
        moves: &CodeMoves,
        start: usize,
        meter: &mut Meter,
    ) -> Result<(), SparseStop> {
        self.take_fresh(start);
        let reached = self.terms.reach(self.simd, &self.bytes, start);
        self.finish(moves, start, &reached, meter)
    }

    /// Computes the values of a block, given the codes that all of [`Terms`] reach there.
    pub(super) fn finish(
        &mut self,
        moves: &CodeMoves,
        start: usize,
        reached: &ReachedCodes,
        meter: &mut Meter,
    ) -> Result<(), SparseStop> {
        let past = 8 * reached.planes as u32;
        let mut lane = 0;
        while lane < LANES {
            lane += self.extend_common_run(start, lane, reached, meter)?;
            if lane == LANES {
                break;
            }
            meter.spend_one()?;
            let n = start + lane;
            let seen = [codes(reached.rare[lane]), codes(reached.common[lane])];
            let byte = match self.decide(moves, n, seen, reached.limits[lane].min(past)) {
                Some(byte) => Some(byte),
                // Beyond the marked codes: compute this heap alone, and use more planes from the
                // next block on.
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

    /// Computes values of a block from `lane` on by the scalar fast path; returns their number.
    fn extend_common_run(
        &mut self,
        start: usize,
        lane: usize,
        reached: &ReachedCodes,
        meter: &mut Meter,
    ) -> Result<usize, LimitReached> {
        let Some(common_run) = &self.common_run else { return Ok(0) };
        let quiet = self.rares.last().is_none_or(|rare| *rare as usize + LOOKBACK < start + lane);
        if !quiet
            || !common_run.is_profitable()
            || !common_run.is_applicable(reached.planes)
            || !self.fresh.is_empty()
            || !self.large.heaps().is_empty()
        {
            return Ok(0);
        }
        let (last, _) = self.bytes[start + lane - LOOKBACK..].as_chunks();
        let (bytes, found) =
            common_run.extend(self.simd, &self.terms, &last[0], start, lane, reached);
        for byte in &bytes[..found] {
            meter.spend_one()?;
            self.bytes.push(*byte);
        }
        Ok(found)
    }

    /// Returns the byte of heap `n` if `seen` holds the sums with all of `terms`, for codes below
    /// `codes`.
    ///
    /// `None` if all common values of these codes are options and, if these are all values of a
    /// byte, the rare ones too.
    fn decide(
        &mut self,
        moves: &CodeMoves,
        n: usize,
        mut seen: SeenCodes,
        codes: u32,
    ) -> Option<u8> {
        let SparseEngine { large, terms: Terms { space, .. }, near_since, .. } = self;
        for sum in large.sums(space, moves, n) {
            *near_since = n + 1;
            if *sum < overflow_values::FIRST_OVERFLOW {
                mark(&mut seen, space.encode(*sum) ^ space.class_flip(n));
            }
        }
        for rest in moves.singles(n).filter(|rest| self.large_value(*rest).is_none()) {
            mark(
                &mut seen,
                self.bytes[rest]
                    ^ self.terms.space.class_flip(rest)
                    ^ self.terms.space.class_flip(n),
            );
        }
        self.add_sums(&self.fresh, n, &mut seen);
        let (recent, _) = self.bytes[n - LANES..n].as_chunks();
        seen[1] = self.near.settle(self.simd, &recent[0], seen[1], codes);
        let code = seen[1].trailing_ones();
        if code >= codes && codes < ALL_CODES {
            return None;
        }
        // If all common values below 256 are options, a rare one may still be the least that is
        // not.
        let mut open =
            if code == ALL_CODES { CodeSet::MAX } else { self.terms.below(n, code) } & !seen[0];
        while open != 0 {
            let rare = open.trailing_zeros();
            match self.witness(moves, n, rare as u8) {
                None => return Some(rare as u8),
                Some(term) => self.remember(n, term),
            }
            open &= open - 1;
        }
        (code < ALL_CODES).then_some(COMMON | code as u8)
    }

    /// Returns a term whose sum at `n` is `byte`, if a move leaves such a split.
    ///
    /// All splits are tried, those with a small heap first, whatever the move. Move by move, a
    /// search for a byte that one move never leaves would scan the whole history at each heap.
    fn witness(&self, moves: &CodeMoves, n: usize, byte: u8) -> Option<Term> {
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
        let value = self.terms.space.decode(byte ^ self.terms.space.class_flip(n));
        reach.clone().find_map(|(taken, rest, half)| {
            let mut pairs = self.large.heaps().iter().take_while(|(a, _)| *a <= half);
            let (a, _) =
                pairs.find(|(a, large)| self.large_value(rest - a) == Some(large ^ value))?;
            // Not recorded, because its byte is of the rare class; its shift is reported if it
            // fits.
            Some(Term { shift: u32::try_from(a + taken).unwrap_or(u32::MAX), byte: LARGE, page: 0 })
        })
    }

    /// Returns a heap in `from..=to` whose byte and that of the rest of `rest` sum to `byte`, if
    /// any. Heaps with values above 255 are skipped.
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
        if term.shift as usize > MAX_WITNESS_SHIFT {
            self.near_since = n + 1;
        } else if term.shift as usize >= LANES && term.byte & COMMON != 0 {
            self.terms.remember(term);
        }
    }
}

/// Returns the space in which the fewest values are rare, the number of rare bytes, and the heaps
/// of larger values.
fn choose(
    moves: &CodeMoves,
    values: impl Iterator<Item = u32>,
) -> (SparseSpace, u64, OverflowValues) {
    let mut tally = ValueCounts::new(overflow_values::FIRST_OVERFLOW as usize);
    let (mut heaps, mut known) = (Vec::new(), 0);
    for (n, value) in values.enumerate() {
        match value {
            0..overflow_values::FIRST_OVERFLOW if n > 0 => tally.add(n, value, 1),
            0..overflow_values::FIRST_OVERFLOW => {}
            _ => heaps.push((n, value)),
        }
        known = n + 1;
    }
    let (mut space, rare) = tally.choose(moves.parity());
    let large = OverflowValues::new(heaps, &mut space, moves, known);
    (space, rare, large)
}

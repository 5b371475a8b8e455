//! Sparse-space engine for values above 255: 64 heaps at once, one page of codes after another.
//!
//! The method is that of [`super::sparse`], with longer codes: a heap has a byte, its class and
//! seven bits of its code, and a page, the remaining bits. The kernel marks one page at a time; a
//! code on another page counts as a code of the other class. Terms that seldom add anything are not
//! marked. They are compared with the first six open codes, in rounds, until at most two stay open.
//!
//! Within a class codes ascend with the values, so the rare values below a common one have the
//! first codes of their class.

use super::kernel::{FOUND, Kernel, LANES, LaneSets, PageFilter, TARGETS, Targets, Term};
use super::membership_scan::OpenValues;
use super::mirrored_values::{self, MirroredValues};
use super::moves::CodeMoves;
use super::overflow_values;
use super::repeats;
use super::short_shifts::ShortShiftTerms;
use super::space::{COMMON, SparseSpace, ValueCounts};
use super::sparse::{FIRST_LOOK, MAX_WITNESS_SHIFT, SparseStop, max_rare_heap};
use super::storage::{ByteStore, StorageBudget};
use super::terms::{sample, sorted};
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;
use std::ops::Range;

/// One more than the largest value.
pub const VALUES: usize = 1 << 12;

/// Number of codes of a class.
const CODES: usize = VALUES / 2;

/// Number of codes of a page.
const PAGE: usize = 128;

/// Number of codes of a plane.
const PLANE: usize = 8;

/// Blocks begin here; smaller heaps are computed one at a time.
const FIRST_BLOCK: usize = 512;

/// Number of small heaps that are tried as witnesses, over all moves, and number of witnesses that
/// are compared with open codes besides those marked.
const WITNESSES: usize = 1 << 12;
const REMEMBERED: usize = 1 << 7;

/// Maximum number of terms sorted by use; terms of larger heaps follow unsorted.
const SORTED: usize = 1 << 14;

/// From this number of codes on, rare values are sought by a membership scan, if the processor
/// supports it; and number of splits of each move that are scanned first.
const SCANNED: usize = 256;
const FIRST_SPLITS: usize = 1 << 10;

/// Rounds of comparing six common codes at a time, and number of codes that may stay open.
const ROUNDS: usize = 3;
const OPEN: usize = 2;

/// Shorter sequences are faster one heap at a time.
const LEAST_HEAPS: usize = 1 << 15;

/// Returns whether the rare heaps are few enough for this engine to be faster than scanning all
/// splits (measured).
fn is_profitable(rares: usize, heaps: usize) -> bool {
    16 * rares <= heaps
}

/// A set of codes of one class.
type PagedCodeSet = [u64; CODES / 64];

/// A nim-sequence under construction, while all values are below [`VALUES`].
#[derive(Debug)]
pub struct PagedSparseEngine {
    simd: Simd,
    space: SparseSpace,
    /// Bytes and pages of the heaps so far.
    bytes: ByteStore,
    pages: ByteStore,
    rares: Vec<u32>,
    /// Terms of the rare heaps: of shift below 64; those that do not reach back before the current
    /// block yet; the others.
    near: ShortShiftTerms,
    fresh: Vec<Term>,
    rare: Vec<Term>,
    /// Sums of pairs that are tried first for rare values.
    witnesses: Vec<Term>,
    /// Both ends of the sequence, if rare values are sought by a membership scan.
    ends: Option<MirroredValues>,
    /// Number of leading terms and of leading witnesses, which are marked for all codes.
    leading: [usize; 2],
    /// Index of the witness overwritten last.
    oldest: usize,
    /// Bound on the codes of common values so far, in whole planes.
    codes: usize,
    /// One more than the last heap that needed a witness farther away than [`MAX_WITNESS_SHIFT`].
    near_since: usize,
    next_choice: usize,
    pinned: bool,
    /// Scratch space for the codes reached in a block: common and rare ones, by page.
    sets: [Vec<LaneSets>; 2],
}

impl PagedSparseEngine {
    /// Continues from known values; `None` if one is too large.
    ///
    /// # Errors
    ///
    /// If the storage budget does not hold the values.
    pub fn new(
        moves: &CodeMoves,
        values: impl ExactSizeIterator<Item = u32> + Clone,
        storage: &StorageBudget,
        simd: Simd,
    ) -> Result<Option<PagedSparseEngine>, LimitReached> {
        let known = values.len();
        // Two bytes are stored for each value.
        let half = StorageBudget { memory: storage.memory / 2, ..storage.clone() };
        let Some(space) = choose(moves, values.clone(), VALUES).map(|(space, _)| space) else {
            return Ok(None);
        };
        let mut wide = PagedSparseEngine {
            simd,
            space,
            bytes: ByteStore::new(half.clone()),
            pages: ByteStore::new(half),
            rares: Vec::new(),
            near: ShortShiftTerms::default(),
            fresh: Vec::new(),
            rare: Vec::new(),
            witnesses: Vec::new(),
            ends: None,
            leading: [0; 2],
            oldest: 0,
            codes: PLANE,
            near_since: known,
            next_choice: 2 * known.max(1024),
            pinned: false,
            sets: [Vec::new(), Vec::new()],
        };
        wide.reserve(known)?;
        for (n, value) in values.enumerate() {
            let (byte, page) = wide.space.encode_paged(value);
            wide.push(moves, byte ^ wide.space.class_flip(n), page)?;
        }
        wide.sort_terms(moves);
        Ok(Some(wide))
    }

    /// Returns whether this engine is the fastest from these values on: if many values exceed a
    /// byte, few are rare, and AVX-512 is available. Without it, pages cost more than marking
    /// single sums.
    pub fn is_suitable(
        moves: &CodeMoves,
        values: impl ExactSizeIterator<Item = u32> + Clone,
        simd: Simd,
    ) -> bool {
        let known = values.len();
        let large =
            || values.clone().filter(|value| *value >= overflow_values::FIRST_OVERFLOW).count();
        // With values close to the limit, the engine would soon be abandoned.
        let chosen = || choose(moves, values.clone(), VALUES / 2);
        Kernel(simd).has_vbmi2()
            && known >= LEAST_HEAPS
            && large() > overflow_values::max_count(known)
            && chosen().is_some_and(|(_, rare)| is_profitable(rare as usize, known))
    }

    /// Keeps this engine even if others are faster: it needs less memory.
    pub fn pin(&mut self) {
        self.pinned = true;
    }

    /// Returns the space in use.
    pub fn space(&self) -> &SparseSpace {
        &self.space
    }

    /// Returns the number of known values.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the nim-value of a heap below [`PagedSparseEngine::len`].
    #[inline]
    pub fn value(&self, n: usize) -> u32 {
        self.space.decode_paged(self.bytes[n] ^ self.space.class_flip(n), self.pages[n])
    }

    /// Returns the rare heaps so far, ascending.
    pub fn rares(&self) -> &[u32] {
        &self.rares
    }

    /// Returns the dependence window, as [`super::sparse::SparseEngine::window`] does.
    pub fn window(&self, moves: &CodeMoves) -> (usize, usize) {
        let last_rare = self.rares.last().map_or(0, |rare| *rare as usize);
        (MAX_WITNESS_SHIFT.max(last_rare) + moves.most_taken(), self.near_since)
    }

    /// Returns the least distance in `distances` at which the last values seem to repeat. No true
    /// repetition is missed.
    pub fn next_repeat(&self, distances: Range<usize>) -> Option<usize> {
        repeats::next(self.simd, &self.bytes, distances)
    }

    /// Returns the last heap whose value differs from that of the heap `period` smaller.
    pub fn last_change(&self, period: usize) -> Option<usize> {
        let mut end = self.len();
        if self.space.class_flip(0) == self.space.class_flip(period) {
            end = repeats::equal_from(&self.bytes, period, end).max(repeats::equal_from(
                &self.pages,
                period,
                end,
            ));
        }
        (period..end).rev().find(|n| self.value(*n) != self.value(n - period))
    }

    fn reserve(&mut self, len: usize) -> Result<(), LimitReached> {
        self.bytes.reserve(len)?;
        self.pages.reserve(len)
    }

    /// Extends the values to heaps 0..`len`.
    pub fn extend(
        &mut self,
        moves: &CodeMoves,
        len: usize,
        meter: &mut Meter,
    ) -> Result<(), SparseStop> {
        meter
            .check_bytes(2 * len.saturating_add(8 * (self.rares.len() + self.rare.len())) as u64)?;
        self.reserve(len)?;
        while self.len() < len {
            let n = self.len();
            if n >= self.next_choice {
                self.next_choice = 2 * n;
                self.choose_space_again(moves)?;
                if !self.pinned && !is_profitable(self.rares.len() / 2, n) {
                    return Err(SparseStop::TooDense);
                }
                self.sort_terms(moves);
            }
            if n < FIRST_BLOCK || len.min(self.next_choice) - n < LANES {
                meter.spend_one()?;
                let (byte, page) = self.alone(moves, n)?;
                self.push(moves, byte, page)?;
            } else {
                self.block(moves, n, meter)?;
            }
        }
        Ok(())
    }

    /// Switches to the space in which the fewest heaps so far are rare, if these are much fewer.
    fn choose_space_again(&mut self, moves: &CodeMoves) -> Result<(), SparseStop> {
        let values = (0..self.len()).map(|n| self.value(n));
        let Some((space, rare)) = choose(moves, values, VALUES) else {
            return Err(SparseStop::ValueTooLarge);
        };
        if 10 * rare >= 9 * self.rares.len() as u64 || self.len() > max_rare_heap(moves) {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.space, space);
        for n in 0..self.len() {
            let (byte, page) = (&mut self.bytes[n], &mut self.pages[n]);
            let value = old.decode_paged(*byte ^ old.class_flip(n), *page);
            (*byte, *page) = self.space.encode_paged(value);
            *byte ^= self.space.class_flip(n);
        }
        (self.rares, self.near) = (Vec::new(), ShortShiftTerms::default());
        (self.rare, self.fresh, self.witnesses) = (Vec::new(), Vec::new(), Vec::new());
        (self.codes, self.ends) = (PLANE, None);
        for n in 0..self.len() {
            self.file(moves, n);
        }
        // A sum with a rare heap of the old space may be rare in the new one, without a recorded
        // witness.
        self.near_since = self.len();
        Ok(())
    }

    /// Moves the terms and witnesses to the front that would have been most useful on a sample of
    /// heaps.
    fn sort_terms(&mut self, moves: &CodeMoves) {
        let n = self.len();
        self.take_fresh(n);
        self.ends = (Kernel(self.simd).has_vbmi2() && self.codes >= SCANNED).then(|| {
            let mut ends = MirroredValues::new(moves.most_taken());
            self.bytes
                .iter()
                .zip(&*self.pages)
                .for_each(|(byte, page)| ends.push(word(*byte, *page)));
            ends
        });
        let starts = sample(n);
        let heaps = || starts.iter().flat_map(|start| *start..start + LANES);
        // Rare heaps want no codes.
        let wanted = |codes: &dyn Fn(usize, usize) -> usize| -> Vec<PagedCodeSet> {
            let common = |n: usize| (self.bytes[n] & COMMON != 0).then(|| self.code(n));
            heaps().map(|n| prefix(common(n).map_or(0, |code| codes(n, code)))).collect()
        };
        let [rare_wanted, witnesses_wanted] =
            [wanted(&|_, code| code), wanted(&|n, code| self.rares_below(n, code))];
        let sorted = |terms: Vec<Term>, flip: u8, wanted: Vec<PagedCodeSet>| {
            // Codes of the other class follow the wanted ones.
            let wanted = wanted.into_iter().map(|set| -> [u64; VALUES / 64] {
                std::array::from_fn(|word| set.get(word).copied().unwrap_or(0))
            });
            let reach = |term: &Term, start: usize, run: &mut [u16]| {
                if let Some(from) = start.checked_sub(term.shift as usize) {
                    let heaps = self.bytes[from..].iter().zip(&self.pages[from..]);
                    run.iter_mut().zip(heaps).for_each(|(code, (byte, page))| {
                        *code = word(byte ^ term.byte ^ flip, page ^ term.page);
                    });
                }
            };
            sorted(terms, &starts, CODES as u16, reach, wanted.collect())
        };
        let mut first = self.rare.clone();
        let rest = first.split_off(first.len().min(SORTED));
        let (mut rare, leading) = sorted(first, COMMON, rare_wanted);
        rare.extend(rest);
        if self.ends.is_some() {
            (self.rare, self.witnesses, self.leading) = (rare, Vec::new(), [leading, 0]);
            return;
        }
        let mut pool = self.witnesses.clone();
        let each = WITNESSES / moves.pairs.len().max(1);
        for (taken, _) in &moves.pairs {
            pool.extend((LANES..(n / 4).min(each)).map(|a| self.term(a, *taken)));
        }
        pool.retain(|term| term.byte & COMMON != 0);
        pool.sort_unstable_by_key(|term| term.shift);
        pool.dedup();
        let (mut witnesses, leading_witnesses) = sorted(pool, 0, witnesses_wanted);
        witnesses.truncate(leading_witnesses + REMEMBERED);
        (self.rare, self.witnesses, self.leading) = (rare, witnesses, [leading, leading_witnesses]);
        self.oldest = 0;
    }

    /// Returns the term of a heap as one of two that a move leaves.
    fn term(&self, heap: usize, taken: usize) -> Term {
        Term { shift: (heap + taken) as u32, byte: self.bytes[heap], page: self.pages[heap] }
    }

    /// Returns the code of heap `n`.
    fn code(&self, n: usize) -> usize {
        usize::from(self.pages[n]) * PAGE + usize::from(self.bytes[n] & !COMMON)
    }

    /// Returns the number of rare values below that of a common code at heap `n`; they have the
    /// first codes.
    fn rares_below(&self, n: usize, code: usize) -> usize {
        let (byte, page) = split(code);
        let value =
            self.space.decode_paged(byte ^ COMMON ^ self.space.class_flip(n), page) as usize;
        // Bit `bit` determines which of 2·2^bit neighbouring values are rare.
        let bit = self.space.mask.trailing_zeros();
        ((value + (1 << bit)) >> (bit + 1)) << bit
    }

    /// Activates the terms whose other heap lies before the block that begins at `start`.
    fn take_fresh(&mut self, start: usize) {
        self.rare.extend(self.fresh.extract_if(.., |term| (term.shift as usize) < start));
    }

    /// Appends the byte and the page of the next heap.
    fn push(&mut self, moves: &CodeMoves, byte: u8, page: u8) -> Result<(), LimitReached> {
        let n = self.len();
        if byte & COMMON == 0 && n > max_rare_heap(moves) {
            return Err(LimitReached::TooManyHeaps(n as u64));
        }
        self.bytes.push(byte);
        self.pages.push(page);
        if let Some(ends) = &mut self.ends {
            ends.push(word(byte, page));
        }
        self.file(moves, n);
        Ok(())
    }

    /// Registers a known heap: its code, or its terms if it is rare.
    fn file(&mut self, moves: &CodeMoves, n: usize) {
        if self.bytes[n] & COMMON != 0 {
            self.codes = self.codes.max((self.code(n) + 1).next_multiple_of(PLANE));
        } else if n > 0 {
            self.rares.push(n as u32);
            for (taken, _) in &moves.pairs {
                let term = self.term(n, *taken);
                match term.shift as usize {
                    shift @ ..LANES => self.near.add(shift, term.byte, term.page),
                    _ => self.fresh.push(term),
                }
            }
        }
    }

    /// Computes heaps `start..start + 64`.
    fn block(
        &mut self,
        moves: &CodeMoves,
        start: usize,
        meter: &mut Meter,
    ) -> Result<(), SparseStop> {
        self.take_fresh(start);
        let codes = self.codes;
        let [mut common, mut rare] = std::mem::take(&mut self.sets);
        let pages = codes.div_ceil(PAGE);
        for sets in [&mut common, &mut rare] {
            sets.clear();
            sets.resize(pages, [[0; 2]; LANES]);
        }
        let (lead, rest) = self.rare.split_at(self.leading[0].min(self.rare.len()));
        self.mark(start, lead, COMMON, codes, &mut common);
        let limits = self.settle(start, rest, COMMON, &mut common, [codes; LANES], ROUNDS);
        let below = std::array::from_fn(|lane| {
            let free = free(|word| word_of(&common, lane, word), 0, codes).unwrap_or(codes - 1);
            self.rares_below(start + lane, free).min(codes)
        });
        if self.ends.is_none() {
            let (lead, rest) = self.witnesses.split_at(self.leading[1].min(self.witnesses.len()));
            self.mark(start, lead, 0, codes, &mut rare);
            self.settle(start, rest, 0, &mut rare, below, 1);
        }
        let mut done = Ok(());
        for (lane, limit) in limits.into_iter().enumerate() {
            done = meter.spend_one().map_err(SparseStop::from).and_then(|()| {
                let n = start + lane;
                let mut seen = [&rare, &common].map(|sets| gathered(sets, lane));
                let found = match self.decide(moves, n, &mut seen, limit)? {
                    Some(found) => found,
                    None => self.alone(moves, n)?,
                };
                if found.0 & COMMON == 0 {
                    // All splits have been scanned.
                    meter.poll(2 * n as u64)?;
                }
                Ok(self.push(moves, found.0, found.1)?)
            });
            if done.is_err() {
                break;
            }
        }
        self.sets = [common, rare];
        done
    }

    /// Marks the codes below `codes` that terms reach in a block.
    fn mark(&self, start: usize, terms: &[Term], flip: u8, codes: usize, sets: &mut [LaneSets]) {
        for (page, sets) in sets.iter_mut().enumerate() {
            let planes = (codes - page * PAGE).min(PAGE) / PLANE;
            let page = PageFilter { pages: &self.pages, page: page as u8 };
            Kernel(self.simd).mark_page(&self.bytes, page, start, terms, flip, planes, sets);
        }
    }

    /// Seeks, in each lane, the first codes below `upto` missing from the sets among those that
    /// terms reach.
    ///
    /// Six codes are sought at a time, until at most two stay open. Returns the code up to which
    /// each lane is complete.
    fn settle(
        &self,
        start: usize,
        terms: &[Term],
        flip: u8,
        sets: &mut [LaneSets],
        upto: [usize; LANES],
        rounds: usize,
    ) -> [usize; LANES] {
        if terms.is_empty() {
            return upto;
        }
        let (mut limits, mut open) = ([0; LANES], [0; LANES]);
        for _ in 0..rounds {
            let mut targets: [Targets; 2] = [[[FOUND; LANES]; TARGETS]; 2];
            let mut some = false;
            for lane in 0..LANES {
                if open[lane] >= OPEN || limits[lane] >= upto[lane] {
                    continue;
                }
                let mut code = limits[lane];
                let mut sought = 0;
                while let Some(next) = free(|word| word_of(sets, lane, word), code, upto[lane]) {
                    code = next;
                    if sought == TARGETS {
                        break;
                    }
                    (targets[0][sought][lane], targets[1][sought][lane]) = split(code);
                    (sought, code, some) = (sought + 1, code + 1, true);
                }
                limits[lane] = if sought == TARGETS { code } else { upto[lane] };
                open[lane] += sought;
            }
            if !some {
                break;
            }
            let sought = targets;
            Kernel(self.simd).strike_pages(
                [&self.bytes, &self.pages],
                start,
                terms,
                flip,
                &mut targets,
            );
            for ((bytes, pages), left) in sought[0].iter().zip(&sought[1]).zip(&targets[0]) {
                for lane in (0..LANES).filter(|lane| bytes[*lane] != left[*lane]) {
                    let (byte, page) = (bytes[lane], usize::from(pages[lane]));
                    sets[page][lane][usize::from(byte >> 6)] |= 1 << (byte & 63);
                    open[lane] -= 1;
                }
            }
        }
        limits
    }

    /// Computes the byte and the page of heap `n`, the next one, from all terms.
    fn alone(&mut self, moves: &CodeMoves, n: usize) -> Result<(u8, u8), SparseStop> {
        let mut seen = [[0; CODES / 64]; 2];
        for term in self.rare.iter().filter(|term| (term.shift as usize) < n) {
            self.add_sum(term, n, &mut seen);
        }
        self.decide(moves, n, &mut seen, CODES)?.ok_or(SparseStop::ValueTooLarge)
    }

    /// Marks the sum with a term if it is common; a rare sum may belong to a heap with itself.
    fn add_sum(&self, term: &Term, n: usize, seen: &mut [PagedCodeSet; 2]) {
        let other = n - term.shift as usize;
        let byte = self.bytes[other] ^ term.byte;
        if byte & COMMON != 0 {
            mark(seen, byte, self.pages[other] ^ term.page);
        }
    }

    /// Returns the byte and the page of heap `n` if `seen` holds the sums with all of `rare`, for
    /// common codes below `codes`. `None` if all of these codes are options.
    fn decide(
        &mut self,
        moves: &CodeMoves,
        n: usize,
        seen: &mut [PagedCodeSet; 2],
        codes: usize,
    ) -> Result<Option<(u8, u8)>, SparseStop> {
        if moves.pairs.iter().any(|(_, unequal)| *unequal) {
            // A heap with itself, which is no split of unequal heaps, may have marked it.
            seen[0][0] &= !1;
        }
        for rest in moves.singles(n) {
            let turn = self.space.class_flip(rest) ^ self.space.class_flip(n);
            mark(seen, self.bytes[rest] ^ turn, self.pages[rest]);
        }
        for term in self.fresh.iter().filter(|term| (term.shift as usize) < n) {
            self.add_sum(term, n, seen);
        }
        let [rare, common] = &*seen;
        let mut from = 0;
        let code = loop {
            let Some(code) = free(|word| common[word], from, codes) else { return Ok(None) };
            let (byte, page) = split(code);
            if !self.reached_near(n, byte | COMMON, page) {
                break code;
            }
            from = code + 1;
        };
        // The rare codes that are still missing.
        let below = self.rares_below(n, code);
        let mut open = prefix(below);
        open.iter_mut().zip(rare).for_each(|(open, rare)| *open &= !rare);
        if let Some(ends) = &self.ends {
            self.strike_sums(ends, moves, n, &mut open);
        }
        for (word, mut open) in open.into_iter().enumerate().take(below.div_ceil(64)) {
            while open != 0 {
                let (byte, page) = split(64 * word + open.trailing_zeros() as usize);
                match self.witness(moves, n, byte, page) {
                    None => return Ok(Some((byte, page))),
                    Some(term) => self.remember(n, term),
                }
                open &= open - 1;
            }
        }
        let (byte, page) = split(code);
        Ok(Some((byte | COMMON, page)))
    }

    /// Removes the sums of splits with small heaps from `open`, alternating between moves.
    fn strike_sums(
        &self,
        ends: &MirroredValues,
        moves: &CodeMoves,
        n: usize,
        open: &mut OpenValues,
    ) {
        let (mut from, mut to) = (1, FIRST_SPLITS);
        while from < mirrored_values::KEPT {
            for (taken, unequal) in &moves.pairs {
                let to = to.min(moves.half(n, *taken, *unequal) + 1);
                let (some, others) = ends.splits(n.saturating_sub(*taken), from, to);
                Kernel(self.simd).strike_sums(some, others, 0, open);
                if *open == [0; CODES / 64] {
                    return;
                }
            }
            (from, to) = (to, (2 * to).min(mirrored_values::KEPT));
        }
    }

    /// Returns whether terms of shift below 64 reach this code.
    fn reached_near(&self, n: usize, byte: u8, page: u8) -> bool {
        let last = n.checked_sub(LANES).and_then(|from| {
            Some([self.bytes[from..n].first_chunk()?, self.pages[from..n].first_chunk()?])
        });
        match last {
            Some(recent) => self.near.reach_page(self.simd, recent, [byte, page]),
            None => false,
        }
    }

    /// Returns a term whose sum at `n` is this code, if a move leaves such a split. All splits are
    /// tried, those with a small heap first, whatever the move.
    fn witness(&self, moves: &CodeMoves, n: usize, byte: u8, page: u8) -> Option<Term> {
        let reach = moves.pairs.iter().map(|(taken, unequal)| {
            let half = moves.half(n, *taken, *unequal);
            (*taken, n.saturating_sub(*taken), half)
        });
        let most = reach.clone().map(|(.., half)| half).max()?;
        let mut looked = 0;
        while looked < most {
            let upto = (looked * 4).max(FIRST_LOOK);
            for (taken, rest, half) in reach.clone() {
                if let Some(a) = self.pair(rest, looked + 1, half.min(upto), byte, page) {
                    let shift = u32::try_from(a + taken).unwrap_or(u32::MAX);
                    return Some(Term { shift, byte: self.bytes[a], page: self.pages[a] });
                }
            }
            looked = upto;
        }
        None
    }

    /// Returns a heap in `from..=to` whose sum with the rest of `rest` is this code, if any.
    fn pair(&self, rest: usize, mut from: usize, to: usize, byte: u8, page: u8) -> Option<usize> {
        while from <= to {
            let (some, others) = (&self.bytes[from..=to], &self.bytes[rest - to..=rest - from]);
            let a = from + Kernel(self.simd).find(some, others, byte)?;
            if self.pages[a] ^ self.pages[rest - a] == page {
                return Some(a);
            }
            from = a + 1;
        }
        None
    }

    /// Records a pair that was a witness.
    fn remember(&mut self, n: usize, term: Term) {
        if term.shift as usize > MAX_WITNESS_SHIFT {
            self.near_since = n + 1;
        } else if self.ends.is_none() && term.shift as usize >= LANES && term.byte & COMMON != 0 {
            let lead = self.leading[1];
            if self.witnesses.len() < lead + REMEMBERED {
                self.witnesses.push(term);
            } else {
                self.oldest = (self.oldest + 1) % REMEMBERED;
                self.witnesses[lead + self.oldest] = term;
            }
        }
    }
}

/// Returns the space in which the fewest values are rare, and their number; `None` if a value is
/// not below `limit`.
fn choose(
    moves: &CodeMoves,
    values: impl Iterator<Item = u32>,
    limit: usize,
) -> Option<(SparseSpace, u64)> {
    let mut tally = ValueCounts::new(limit);
    for (n, value) in values.enumerate() {
        if value as usize >= limit {
            return None;
        }
        if n > 0 {
            tally.add(n, value, 1);
        }
    }
    Some(tally.choose(moves.parity()))
}

/// Splits a code into the seven bits of its byte and its page.
fn split(code: usize) -> (u8, u8) {
    ((code % PAGE) as u8, (code / PAGE) as u8)
}

/// Packs a code into a word; common codes lie beyond a table.
fn word(byte: u8, page: u8) -> u16 {
    let class = u16::from(byte >> 7) * CODES as u16;
    class | u16::from(page) << 7 | u16::from(byte & !COMMON)
}

fn mark(seen: &mut [PagedCodeSet; 2], byte: u8, page: u8) {
    let code = usize::from(page) * PAGE + usize::from(byte & !COMMON);
    seen[usize::from(byte >> 7)][code / 64] |= 1 << (code % 64);
}

/// Returns the set of codes below `code`.
fn prefix(code: usize) -> PagedCodeSet {
    std::array::from_fn(|word| match code.saturating_sub(64 * word) {
        64.. => u64::MAX,
        bits => (1 << bits) - 1,
    })
}

/// Returns the least code in `from..upto` that is not in a set, given by its words, if any.
#[inline]
fn free(set: impl Fn(usize) -> u64, from: usize, upto: usize) -> Option<usize> {
    let mut ahead = u64::MAX << (from % 64);
    for word in from / 64..upto.div_ceil(64) {
        let open = !set(word) & ahead;
        if open != 0 {
            return Some(64 * word + open.trailing_zeros() as usize).filter(|code| *code < upto);
        }
        ahead = u64::MAX;
    }
    None
}

/// Returns one word of a lane's set.
#[inline]
fn word_of(sets: &[LaneSets], lane: usize, word: usize) -> u64 {
    sets[word / 2][lane][word % 2]
}

/// Returns the whole set of a lane.
fn gathered(sets: &[LaneSets], lane: usize) -> PagedCodeSet {
    std::array::from_fn(|word| sets.get(word / 2).map_or(0, |sets| sets[lane][word % 2]))
}

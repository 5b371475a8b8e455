//! Nim-sequences at speed where values are past a byte and few heaps are rare: 64 heaps at once, a page of codes after the other.
//!
//! As [`super::sparse`], with codes that go on where a byte ends: beside each heap's byte, its class and seven bits of its code, stands the
//! page that the code is of. The kernel marks a page at a time; what is on another page is no code of the wanted class. Terms that seldom
//! add anything are not marked but held against the first six codes left open, in rounds until two stay open.
//!
//! Within a class codes are in the order of the values, so the rare values below a common one are the first codes of theirs.

use super::ends::{self, Ends};
use super::history::{History, Room};
use super::kernel::{FOUND, Kernel, LANES, Page, Sets, TARGETS, Targets, Term};
use super::large;
use super::moves::Moves;
use super::near::Nearest;
use super::repeats;
use super::sieve::Table;
use super::space::{COMMON, Space, Tally};
use super::sparse::{FAR, FIRST_LOOK, Stop, most_rare};
use super::terms::{sample, sorted};
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;
use std::ops::Range;

/// One more than the largest value.
pub const VALUES: usize = 1 << 12;

/// Codes of a class are below this.
const CODES: usize = VALUES / 2;

/// Codes of a page.
const PAGE: usize = 128;

/// Codes of a plane.
const PLANE: usize = 8;

/// Blocks begin here; before, heaps come one at a time.
const FIRST_BLOCK: usize = 512;

/// The small heaps that are tried as witnesses, over all moves, and how many are held against open codes beside those marked.
const WITNESSES: usize = 1 << 12;
const REMEMBERED: usize = 1 << 7;

/// The most terms that are sorted by use; later ones are of larger heaps and come last.
const SORTED: usize = 1 << 14;

/// From so many codes on rare values are looked for by a sieve, where the processor has what that takes; the splits of each move that are
/// looked at first.
const SIEVED: usize = 256;
const FIRST_SPLITS: usize = 1 << 10;

/// Rounds of looking for six common codes at a time, until so many stay open.
const ROUNDS: usize = 3;
const OPEN: usize = 2;

/// Shorter sequences are faster looked through one heap at a time.
const LEAST_HEAPS: usize = 1 << 15;

/// Whether so few rare heaps among so many are better used than all splits looked through, by measurement.
fn pays(rares: usize, heaps: usize) -> bool {
    16 * rares <= heaps
}

/// A set of codes of one class.
type Codes = [u64; CODES / 64];

/// A nim-sequence under construction, while all values are below [`VALUES`].
#[derive(Debug)]
pub struct Wide {
    simd: Simd,
    space: Space,
    /// Bytes of the heaps so far, and pages.
    bytes: History,
    pages: History,
    rares: Vec<u32>,
    /// Terms of the rare heaps: of shift below 64; that do not reach back before the block at work yet; the others.
    near: Nearest,
    fresh: Vec<Term>,
    rare: Vec<Term>,
    /// Sums of which pairs to try first for rare values.
    witnesses: Vec<Term>,
    /// Both ends, where rare values are looked for by a sieve.
    ends: Option<Ends>,
    /// How many of both come first, and are marked for all codes.
    leading: [usize; 2],
    /// The witness written over last.
    oldest: usize,
    /// Above all codes of common values so far: whole planes.
    codes: usize,
    /// Behind the last heap that needed a witness from further away than [`FAR`].
    near_since: usize,
    next_choice: usize,
    lasting: bool,
    /// Room for what is reached in a block: common codes and rare ones, by page.
    sets: [Vec<Sets>; 2],
}

impl Wide {
    /// Goes on from known values; `None` where one is too large. Refused where they have no room.
    pub fn new(
        moves: &Moves,
        values: impl ExactSizeIterator<Item = u32> + Clone,
        room: &Room,
        simd: Simd,
    ) -> Result<Option<Wide>, LimitReached> {
        let known = values.len();
        // Of each value two bytes are kept.
        let half = Room { memory: room.memory / 2, ..room.clone() };
        let Some(space) = choose(moves, values.clone(), VALUES).map(|(space, _)| space) else {
            return Ok(None);
        };
        let mut wide = Wide {
            simd,
            space,
            bytes: History::new(half.clone()),
            pages: History::new(half),
            rares: Vec::new(),
            near: Nearest::default(),
            fresh: Vec::new(),
            rare: Vec::new(),
            witnesses: Vec::new(),
            ends: None,
            leading: [0; 2],
            oldest: 0,
            codes: PLANE,
            near_since: known,
            next_choice: 2 * known.max(1024),
            lasting: false,
            sets: [Vec::new(), Vec::new()],
        };
        wide.reserve(known)?;
        for (n, value) in values.enumerate() {
            let (byte, page) = wide.space.encode_paged(value);
            wide.push(moves, byte ^ wide.space.turn(n), page)?;
        }
        wide.sort_terms(moves);
        Ok(Some(wide))
    }

    /// Whether this engine is faster than the others from these values on: where so many are past a byte that they cannot stand aside, few are
    /// rare, and there is AVX-512. Elsewhere pages cost more than marks one by one.
    pub fn would_serve(
        moves: &Moves,
        values: impl ExactSizeIterator<Item = u32> + Clone,
        simd: Simd,
    ) -> bool {
        let known = values.len();
        let large = || values.clone().filter(|value| *value >= large::LEAST).count();
        // Where values are near the limit already, it would soon be left again.
        let chosen = || choose(moves, values.clone(), VALUES / 2);
        Kernel(simd).sifts()
            && known >= LEAST_HEAPS
            && large() > large::most(known)
            && chosen().is_some_and(|(_, rare)| pays(rare as usize, known))
    }

    /// Sees that this engine goes on even where others are faster: it needs less room.
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

    /// The nim-value of a heap below [`Wide::len`].
    #[inline]
    pub fn value(&self, n: usize) -> u32 {
        self.space.decode_paged(self.bytes[n] ^ self.space.turn(n), self.pages[n])
    }

    /// The heaps of rare value so far, ascending.
    pub fn rares(&self) -> &[u32] {
        &self.rares
    }

    /// As [`super::sparse::Sparse::window`].
    pub fn window(&self, moves: &Moves) -> (usize, usize) {
        let last_rare = self.rares.last().map_or(0, |rare| *rare as usize);
        (FAR.max(last_rare) + moves.most_taken(), self.near_since)
    }

    /// The least distance in `distances` at which the last values seem to be repeated: each that fits is among them.
    pub fn next_repeat(&self, distances: Range<usize>) -> Option<usize> {
        repeats::next(self.simd, &self.bytes, distances)
    }

    /// The last heap whose value is not that of the heap `period` smaller.
    pub fn last_change(&self, period: usize) -> Option<usize> {
        let mut end = self.len();
        if self.space.turn(0) == self.space.turn(period) {
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
    pub fn extend(&mut self, moves: &Moves, len: usize, meter: &mut Meter) -> Result<(), Stop> {
        meter.holding(2 * len.saturating_add(8 * (self.rares.len() + self.rare.len())) as u64)?;
        self.reserve(len)?;
        while self.len() < len {
            let n = self.len();
            if n >= self.next_choice {
                self.next_choice = 2 * n;
                self.choose_again(moves)?;
                if !self.lasting && !pays(self.rares.len() / 2, n) {
                    return Err(Stop::Dense);
                }
                self.sort_terms(moves);
            }
            if n < FIRST_BLOCK || len.min(self.next_choice) - n < LANES {
                meter.node()?;
                let (byte, page) = self.alone(moves, n)?;
                self.push(moves, byte, page)?;
            } else {
                self.block(moves, n, meter)?;
            }
        }
        Ok(())
    }

    /// Takes the space in which the fewest heaps so far are rare, if these are much fewer.
    fn choose_again(&mut self, moves: &Moves) -> Result<(), Stop> {
        let values = (0..self.len()).map(|n| self.value(n));
        let Some((space, rare)) = choose(moves, values, VALUES) else { return Err(Stop::Large) };
        if 10 * rare >= 9 * self.rares.len() as u64 || self.len() > most_rare(moves) {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.space, space);
        for n in 0..self.len() {
            let (byte, page) = (&mut self.bytes[n], &mut self.pages[n]);
            let value = old.decode_paged(*byte ^ old.turn(n), *page);
            (*byte, *page) = self.space.encode_paged(value);
            *byte ^= self.space.turn(n);
        }
        (self.rares, self.near) = (Vec::new(), Nearest::default());
        (self.rare, self.fresh, self.witnesses) = (Vec::new(), Vec::new(), Vec::new());
        (self.codes, self.ends) = (PLANE, None);
        for n in 0..self.len() {
            self.file(moves, n);
        }
        // What was reached by a rare heap of the old space may be rare in the new one, and want a witness that nobody looked for.
        self.near_since = self.len();
        Ok(())
    }

    /// Puts the terms and the witnesses in the lead that would have served best at a sample of heaps.
    fn sort_terms(&mut self, moves: &Moves) {
        let n = self.len();
        self.take_fresh(n);
        self.ends = (Kernel(self.simd).sifts() && self.codes >= SIEVED).then(|| {
            let mut ends = Ends::new(moves.most_taken());
            self.bytes.iter().zip(&*self.pages).for_each(|(byte, page)| ends.push(word(*byte, *page)));
            ends
        });
        let starts = sample(n);
        let heaps = || starts.iter().flat_map(|start| *start..start + LANES);
        // Of rare heaps nothing is wanted.
        let wanted = |codes: &dyn Fn(usize, usize) -> usize| -> Vec<Codes> {
            let common = |n: usize| (self.bytes[n] & COMMON != 0).then(|| self.code(n));
            heaps().map(|n| prefix(common(n).map_or(0, |code| codes(n, code)))).collect()
        };
        let [rare_wanted, witnesses_wanted] =
            [wanted(&|_, code| code), wanted(&|n, code| self.rares_below(n, code))];
        let sorted = |terms: Vec<Term>, flip: u8, wanted: Vec<Codes>| {
            // Codes of the other class stand past the wanted ones.
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

    /// The term of a heap as one of two that a move leaves.
    fn term(&self, heap: usize, taken: usize) -> Term {
        Term { shift: (heap + taken) as u32, byte: self.bytes[heap], page: self.pages[heap] }
    }

    /// The code of heap `n`.
    fn code(&self, n: usize) -> usize {
        usize::from(self.pages[n]) * PAGE + usize::from(self.bytes[n] & !COMMON)
    }

    /// How many rare values are below that of a common code at heap `n`: their codes are the first.
    fn rares_below(&self, n: usize, code: usize) -> usize {
        let (byte, page) = split(code);
        let value = self.space.decode_paged(byte ^ COMMON ^ self.space.turn(n), page) as usize;
        // Bit `bit` says which of 2·2^bit neighbouring values are rare.
        let bit = self.space.mask.trailing_zeros();
        ((value + (1 << bit)) >> (bit + 1)) << bit
    }

    /// Takes terms of which the other heap lies before the block that begins at `start`.
    fn take_fresh(&mut self, start: usize) {
        self.rare.extend(self.fresh.extract_if(.., |term| (term.shift as usize) < start));
    }

    /// Takes the next heap's byte and page.
    fn push(&mut self, moves: &Moves, byte: u8, page: u8) -> Result<(), LimitReached> {
        let n = self.len();
        if byte & COMMON == 0 && n > most_rare(moves) {
            return Err(LimitReached::Heaps(n as u64));
        }
        self.bytes.push(byte);
        self.pages.push(page);
        if let Some(ends) = &mut self.ends {
            ends.push(word(byte, page));
        }
        self.file(moves, n);
        Ok(())
    }

    /// Files a heap that is known: its terms, if it is rare.
    fn file(&mut self, moves: &Moves, n: usize) {
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

    /// Heaps `start..start + 64`.
    fn block(&mut self, moves: &Moves, start: usize, meter: &mut Meter) -> Result<(), Stop> {
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
            done = meter.node().map_err(Stop::from).and_then(|()| {
                let n = start + lane;
                let mut seen = [&rare, &common].map(|sets| gathered(sets, lane));
                let found = match self.decide(moves, n, &mut seen, limit)? {
                    Some(found) => found,
                    None => self.alone(moves, n)?,
                };
                if found.0 & COMMON == 0 {
                    // All splits were looked through.
                    meter.within_node(2 * n as u64)?;
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

    /// Marks what terms reach in a block, codes below `codes`.
    fn mark(&self, start: usize, terms: &[Term], flip: u8, codes: usize, sets: &mut [Sets]) {
        for (page, sets) in sets.iter_mut().enumerate() {
            let planes = (codes - page * PAGE).min(PAGE) / PLANE;
            let page = Page { pages: &self.pages, page: page as u8 };
            Kernel(self.simd).mark_page(&self.bytes, page, start, terms, flip, planes, sets);
        }
    }

    /// Looks in each lane for the first codes not in the sets, below `upto`, among what terms reach, six at a time, until two
    /// stay open. Up to where a lane is settled.
    fn settle(
        &self,
        start: usize,
        terms: &[Term],
        flip: u8,
        sets: &mut [Sets],
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
            Kernel(self.simd).strike_pages([&self.bytes, &self.pages], start, terms, flip, &mut targets);
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

    /// The byte and the page of heap `n`, the next one, with all terms looked at.
    fn alone(&mut self, moves: &Moves, n: usize) -> Result<(u8, u8), Stop> {
        let mut seen = [[0; CODES / 64]; 2];
        for term in self.rare.iter().filter(|term| (term.shift as usize) < n) {
            self.add_sum(term, n, &mut seen);
        }
        self.decide(moves, n, &mut seen, CODES)?.ok_or(Stop::Large)
    }

    /// Marks the sum with a term, if it is common: a rare one may be of a heap with itself.
    fn add_sum(&self, term: &Term, n: usize, seen: &mut [Codes; 2]) {
        let other = n - term.shift as usize;
        let byte = self.bytes[other] ^ term.byte;
        if byte & COMMON != 0 {
            mark(seen, byte, self.pages[other] ^ term.page);
        }
    }

    /// The byte and the page of heap `n` when `seen` holds the sums with all of `rare`, for common codes below `codes`. `None`
    /// where all of these are options.
    fn decide(
        &mut self,
        moves: &Moves,
        n: usize,
        seen: &mut [Codes; 2],
        codes: usize,
    ) -> Result<Option<(u8, u8)>, Stop> {
        if moves.pairs.iter().any(|(_, unequal)| *unequal) {
            // A heap beside itself may have marked it, which is no split of unequal heaps.
            seen[0][0] &= !1;
        }
        for rest in moves.singles(n) {
            let turn = self.space.turn(rest) ^ self.space.turn(n);
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
        // The rare codes that are wanted, and not yet found.
        let below = self.rares_below(n, code);
        let mut open = prefix(below);
        open.iter_mut().zip(rare).for_each(|(open, rare)| *open &= !rare);
        if let Some(ends) = &self.ends {
            self.sift(ends, moves, n, &mut open);
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

    /// Strikes out what splits with small heaps sum to, those of each move by turns.
    fn sift(&self, ends: &Ends, moves: &Moves, n: usize, open: &mut Table) {
        let (mut from, mut to) = (1, FIRST_SPLITS);
        while from < ends::HEAPS {
            for (taken, unequal) in &moves.pairs {
                let to = to.min(moves.half(n, *taken, *unequal) + 1);
                let (some, others) = ends.splits(n.saturating_sub(*taken), from, to);
                Kernel(self.simd).sift(some, others, 0, open);
                if *open == [0; CODES / 64] {
                    return;
                }
            }
            (from, to) = (to, (2 * to).min(ends::HEAPS));
        }
    }

    /// Whether terms of shift below 64 reach this.
    fn reached_near(&self, n: usize, byte: u8, page: u8) -> bool {
        let last = n
            .checked_sub(LANES)
            .and_then(|from| Some([self.bytes[from..n].first_chunk()?, self.pages[from..n].first_chunk()?]));
        match last {
            Some(recent) => self.near.reach_page(self.simd, recent, [byte, page]),
            None => false,
        }
    }

    /// Two heaps left by a move from `n` that sum to this: all are tried, those with a small heap first, whatever the move.
    fn witness(&self, moves: &Moves, n: usize, byte: u8, page: u8) -> Option<Term> {
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

    /// A heap from `from` to `to` that sums to this with what it leaves of `rest`.
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

    /// Remembers a pair that was a witness.
    fn remember(&mut self, n: usize, term: Term) {
        if term.shift as usize > FAR {
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

/// The space in which the fewest of the values are rare, and how many those are; `None` where a value is not below `limit`.
fn choose(moves: &Moves, values: impl Iterator<Item = u32>, limit: usize) -> Option<(Space, u64)> {
    let mut tally = Tally::new(limit);
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

/// A code as the seven bits of its byte and its page.
fn split(code: usize) -> (u8, u8) {
    ((code % PAGE) as u8, (code / PAGE) as u8)
}

/// A code as a word; past those of a table, where it is common.
fn word(byte: u8, page: u8) -> u16 {
    let class = u16::from(byte >> 7) * CODES as u16;
    class | u16::from(page) << 7 | u16::from(byte & !COMMON)
}

fn mark(seen: &mut [Codes; 2], byte: u8, page: u8) {
    let code = usize::from(page) * PAGE + usize::from(byte & !COMMON);
    seen[usize::from(byte >> 7)][code / 64] |= 1 << (code % 64);
}

/// The codes below `code`.
fn prefix(code: usize) -> Codes {
    std::array::from_fn(|word| match code.saturating_sub(64 * word) {
        64.. => u64::MAX,
        bits => (1 << bits) - 1,
    })
}

/// The least code from `from` on that is not in a set, given word by word, if it is below `upto`.
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

/// A word of a lane's set.
#[inline]
fn word_of(sets: &[Sets], lane: usize, word: usize) -> u64 {
    sets[word / 2][lane][word % 2]
}

/// A lane's set.
fn gathered(sets: &[Sets], lane: usize) -> Codes {
    std::array::from_fn(|word| sets.get(word / 2).map_or(0, |sets| sets[lane][word % 2]))
}

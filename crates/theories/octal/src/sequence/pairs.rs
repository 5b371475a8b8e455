//! Nim-sequences one heap at a time, all splits in vectors: for games without a sparse space worth the name, for values
//! past a byte, and for short runs.
//!
//! First the sums of some heaps are marked: of rare ones, which reach the common values, and of small ones, which reach
//! the rare values; 64 heaps at once while all values are bytes, eight after that ([`super::marks`]). What is
//! left open below the least free value is then looked for through the other splits ([`super::splits`]). Where rare heaps
//! are few, all their sums are marked, and the least common value that is none of them needs no search. How many heaps are
//! marked follows how many values were left open before. Where rare heaps are many, all sums of a total are found by a sieve instead, if the
//! processor has what that takes ([`super::totals`]).
//!
//! The space may have any mask, wider than a byte's. Source of the rare and the common: see [`super::space`]; marking a
//! sample and searching for the rest in vectors is ours.

use super::kernel::Kernel;
use super::lane::Lane;
use super::marks::{Bits, Flags, Marks, Set};
use super::moves::Moves;
use super::space::{Space, Tally};
use super::splits::{Runs, Splits};
use super::totals::Totals;
use bouton_core::{LimitReached, Meter};
use bouton_simd::Simd;

/// A search through all splits for one value costs as much as marking one in so many of them, past a byte.
const FULL_SEARCH: usize = 24;

/// One more than the largest byte.
const BYTES: usize = 1 << 8;

/// One value in so many is left to searches, past a byte, and two more.
const LEFT_OPEN: usize = 256;

/// Where more than one heap in so many is rare, small heaps are marked in the place of rare ones, past a byte.
const DENSE: usize = 5;

/// So many values of a heap are left to searches, while all are bytes.
const OPEN: usize = 2;

/// How fast the number of marks follows what was left open: by one in so many.
const PACE: usize = 8;

/// The least number of heaps whose sums are marked.
const LEAST_MARKS: usize = 16;

/// A sieve for a total takes as long as so many marks, whatever it finds.
const SIEVE: usize = 128;

/// Where heaps have more splits than this, the clock is looked at every so many heaps.
const MANY_SPLITS: usize = 1 << 18;
const MANY: usize = 64;

/// A nim-sequence under construction, while all values are below [`super::splits::VALUES`].
#[derive(Debug)]
pub struct Pairs {
    space: Space,
    simd: Simd,
    words: Runs<u16>,
    /// The same in bytes, as long as they fit.
    bytes: Option<Runs<u8>>,
    rares: Vec<u32>,
    /// Their values.
    rare_values: Vec<u16>,
    /// Above all values so far: a power of two.
    bound: usize,
    /// How many rare heaps and how many small ones are marked with what goes with them, for each move.
    rare_marks: usize,
    small_marks: usize,
    /// What is marked for the heaps at work: while values are bytes, and after that.
    byte_marks: Option<Marks<Bits>>,
    word_marks: Option<Marks<Flags>>,
    /// What two heaps sum to, where that is found for all totals.
    totals: Totals,
    next_choice: usize,
}

/// What stopped the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The budget.
    LimitReached(LimitReached),
    /// The value of the next heap is too large.
    Large,
    /// The length has doubled: another engine may be faster from here on.
    Doubled,
}

impl From<LimitReached> for Stop {
    fn from(spent: LimitReached) -> Stop {
        Stop::LimitReached(spent)
    }
}

impl Pairs {
    /// Goes on from known values; `None` where one is too large.
    pub fn new(moves: &Moves, values: impl Iterator<Item = u32>, simd: Simd) -> Option<Pairs> {
        let values: Vec<u16> = values.map(u16::try_from).collect::<Result<_, _>>().ok()?;
        let next_choice = (2 * values.len()).max(512);
        let bound =
            values.iter().fold(1, |most, value| most.max(usize::from(*value) + 1)).next_power_of_two();
        let mut words = Runs { values, back: Vec::new() };
        words.grow();
        let bytes = (bound <= BYTES).then(|| {
            let mut bytes =
                Runs { values: words.values.iter().map(|value| *value as u8).collect(), back: Vec::new() };
            bytes.grow();
            bytes
        });
        let mut pairs = Pairs {
            space: Space { mask: 1, by_position: None },
            simd,
            bound,
            words,
            bytes,
            rares: Vec::new(),
            rare_values: Vec::new(),
            rare_marks: LEAST_MARKS,
            small_marks: LEAST_MARKS,
            byte_marks: None,
            word_marks: None,
            totals: Totals::new(moves),
            next_choice,
        };
        pairs.choose(moves);
        Some(pairs)
    }

    /// The values so far.
    pub fn values(&self) -> &[u16] {
        &self.words.values
    }

    /// The space in use.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The rare heaps so far, ascending.
    pub fn rares(&self) -> &[u32] {
        &self.rares
    }

    /// Takes the space in which the fewest heaps so far are rare.
    fn choose(&mut self, moves: &Moves) {
        (self.byte_marks, self.word_marks) = (None, None);
        let mut tally = Tally::new(self.bound);
        self.words
            .values
            .iter()
            .enumerate()
            .skip(1)
            .for_each(|(n, value)| tally.add(n, u32::from(*value), 1));
        let (space, rare) = tally.choose(moves.parity());
        if 10 * rare < 9 * self.rares.len() as u64 || self.rares.is_empty() {
            self.space = space;
            let rare = |n: &usize| !self.space.is_common(u32::from(self.words.values[*n]), *n);
            self.rares = (1..self.words.values.len()).filter(rare).map(|n| n as u32).collect();
            self.rare_values = self.rares.iter().map(|n| self.words.values[*n as usize]).collect();
        }
    }

    /// Extends the values to heaps 0..`len`.
    pub fn extend(&mut self, moves: &Moves, len: usize, meter: &mut Meter) -> Result<(), Stop> {
        while self.words.values.len() < len {
            let n = self.words.values.len();
            if n == self.next_choice {
                self.next_choice = 2 * n;
                self.choose(moves);
                return Err(Stop::Doubled);
            }
            if n >= self.words.back.len() {
                meter.holding(16 * n as u64)?;
                self.words.grow();
                self.bytes.iter_mut().for_each(Runs::grow);
            }
            meter.spend(1)?;
            if n.is_multiple_of(MANY) && n * moves.pairs.len() > MANY_SPLITS {
                meter.within_node(16 * n as u64)?;
            }
            let value = match self.bytes {
                Some(_) => self.next_byte(moves, n, meter)?,
                None => self.next_word(moves, n, meter)?,
            };
            self.words.push(value);
            self.bound = self.bound.max((usize::from(value) + 1).next_power_of_two());
            match &mut self.bytes {
                Some(bytes) if self.bound <= BYTES => bytes.push(value as u8),
                bytes => *bytes = None,
            }
            if !self.space.is_common(u32::from(value), n) {
                self.rares.push(n as u32);
                self.rare_values.push(value);
            }
        }
        Ok(())
    }

    /// The value of heap `n`, the next one, while all values are bytes.
    fn next_byte(&mut self, moves: &Moves, n: usize, meter: &mut Meter) -> Result<u16, Stop> {
        let Pairs { space, simd, bytes, rares, bound, .. } = self;
        let Some(bytes) = bytes else { return Err(Stop::Large) };
        if pays(*simd, rares.len() * moves.pairs.len() * *bound / BYTES, *bound, n) {
            return self.totals.next(*simd, moves, bytes).ok_or(Stop::Large);
        }
        if !self.byte_marks.as_ref().is_some_and(|marks| marks.has(n)) {
            let counts = [&mut self.rare_marks, &mut self.small_marks];
            let search = Kernel(*simd).search(*bound);
            let (rares, all) = chosen(counts, self.byte_marks.as_ref(), OPEN, rares, n, search, false);
            let marks =
                Marks::of_bytes(*simd, moves, &bytes.values, rares, all, self.small_marks, *bound - 1);
            self.byte_marks = Some(marks);
        }
        let Some(marks) = &mut self.byte_marks else { return Err(Stop::Large) };
        next(*simd, moves, bytes, marks, space, rares, *bound, meter)
    }

    /// The value of heap `n`, the next one, past a byte.
    fn next_word(&mut self, moves: &Moves, n: usize, meter: &mut Meter) -> Result<u16, Stop> {
        let Pairs { space, simd, words, rares, rare_values, bound, .. } = self;
        if pays(*simd, rares.len() * moves.pairs.len(), *bound, n) {
            return self.totals.next(*simd, moves, words).ok_or(Stop::Large);
        }
        if !self.word_marks.as_ref().is_some_and(|marks| marks.has(n)) {
            let aim = *bound / LEFT_OPEN + 2;
            let counts = [&mut self.rare_marks, &mut self.small_marks];
            // Where many heaps are rare, small heaps, which stand side by side, reach common values with less work.
            let dense = DENSE * rares.len() > n;
            let (rares, all) = chosen(counts, self.word_marks.as_ref(), aim, rares, n, FULL_SEARCH, dense);
            let rares = (rares, &rare_values[..rares.len()]);
            let before = self.word_marks.take();
            let marks = Marks::of_words(before, moves, words, rares, all, self.small_marks, *bound, dense);
            self.word_marks = Some(marks);
        }
        let Some(marks) = &mut self.word_marks else { return Err(Stop::Large) };
        next(*simd, moves, words, marks, space, rares, *bound, meter)
    }
}

/// Whether the sums of a total are found sooner than all rare heaps are marked, at the cost of so many single marks: each value is struck
/// out once, and a sieve looks at 16 splits or more while a sum is marked.
fn pays(simd: Simd, marks: usize, bound: usize, n: usize) -> bool {
    marks > bound + n / 16 + SIEVE && Kernel(simd).sifts()
}

/// Sets how many rare and how many small heaps are to be marked, by what was left open in the block before; which rare
/// ones, and whether these are all: so they are where that costs no more than a search.
fn chosen<'r, S: Set>(
    [rare_marks, small_marks]: [&mut usize; 2],
    before: Option<&Marks<S>>,
    aim: usize,
    rares: &'r [u32],
    n: usize,
    search: usize,
    dense: bool,
) -> (&'r [u32], bool) {
    if let Some(before) = before {
        let aim = aim * S::HEAPS;
        let [common, rare] = before.open;
        if dense {
            follow(small_marks, (common + rare) / 2, aim);
        } else {
            follow(small_marks, rare, aim);
            if !before.all_rares {
                follow(rare_marks, common, aim);
            }
        }
    }
    let all = rares.len() <= *rare_marks + n / search;
    let most = if all {
        rares.len()
    } else if dense {
        0
    } else {
        *rare_marks
    };
    (&rares[..most.min(rares.len())], all)
}

/// The value of the next heap.
#[expect(clippy::too_many_arguments)]
fn next<V: Lane + Default, S: Set>(
    simd: Simd,
    moves: &Moves,
    runs: &Runs<V>,
    marks: &mut Marks<S>,
    space: &Space,
    rares: &[u32],
    bound: usize,
    meter: &mut Meter,
) -> Result<u16, Stop> {
    let n = runs.values.len();
    if moves.pairs.iter().any(|(_, unequal)| *unequal) && !space.is_common(0, n) {
        // A heap beside itself, which is no split of unequal heaps, may have marked it.
        marks.unmark0(n);
    }
    moves.singles(n).for_each(|rest| marks.mark(n, runs.values[rest].value()));
    let mut settled = 0;
    if marks.all_rares {
        marks.mark_near(moves, rares, n, |a, b| (runs.values[a] ^ runs.values[b]).value());
        settled = marks.small.below;
    }
    let splits = Splits { simd, runs, moves, n, space, bound, settled, marked: marks.small };
    let (found, open) = splits.least(|from| marks.unmarked(n, from), meter)?;
    (0..2).for_each(|class| marks.open[class] += open[class]);
    found.ok_or(Stop::Large)
}

/// More marks where more was left open than aimed at, fewer where less was.
fn follow(marks: &mut usize, open: usize, aim: usize) {
    if open > aim {
        *marks += *marks / PACE + 1;
    } else {
        *marks -= *marks / (2 * PACE);
    }
    *marks = (*marks).max(LEAST_MARKS);
}

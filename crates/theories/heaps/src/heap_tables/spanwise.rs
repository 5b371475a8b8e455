//! Boxes of games whose moves are spans ([`Span`]): row by row along the last number, in
//! lexicographic order.
//!
//! *P-positions.* One table has a bit for each position, a row of words for all sizes of the last
//! number. Moves of another heap lead to other rows, which are known: for each size of that heap
//! the row there is added to the positions that reach a P-position, with a mask of those from which
//! the move is allowed. If what the last number becomes does not depend on it, as with a memory, a
//! size is one bit, and whole rows follow from it: each P-position says at once from which row a
//! move leads to it ([`Arrivals`]). Positions that are still open are then settled from
//! the least on by the moves of the last heap, whose sizes are looked up 64 at a time. Bounds
//! become intervals, remainders periodic words, exceptions single bits ([`Mask`]). What is
//! remembered may be more than the greatest heap, and the table reaches as far as play leads.
//!
//! *Pairs.* What a move says of two numbers and is no sum (`divides`, ⊕, …) is asked once for each
//! pair, and the answers are rows of bits. With one heap a row is made when its size is settled.
//!
//! *Nim-values.* If a heap may be lowered to any size from a bound on that leaves certain
//! remainders, but perhaps not to one of them, then a value is reached if the last size on the line
//! of this heap that has it is no less ([`LastSizes`]); the size before it counts if that is the
//! exception. Other moves are tried one by one.

use super::game::is_least;
use super::{HeapTableError, Limits, Plan};
use crate::heap_options::{
    Admitted, Form, HEAPS_BELOW, HeapOptions, PairTable, PairTest, Place, Span, Test,
};
use bouton_core::{HeapGame, Play, Symmetry};
use smallvec::SmallVec;
use std::ops::BitOrAssign;
use std::ops::ControlFlow::{self, Break, Continue};

/// The longest common period of remainders for which last sizes are kept.
const MOST_RESIDUES: u64 = 8;

/// Words of the table for each entry of the moves that lead to P-positions, at least.
const ENTRY_WORDS: usize = 4;

/// Pairs that are asked for in any case.
const FEW_PAIRS: u128 = 1 << 22;

/// Values that are looked up together.
const CHUNK: usize = 32;

/// A game of this kind.
#[derive(Debug, Clone)]
pub struct Spanwise {
    numbers: usize,
    tokens: usize,
    symmetry: Symmetry,
    spans: Vec<Span>,
    /// Bounds of the numbers besides that of a box, if there are any.
    limits: Vec<u32>,
}

/// Bits of the positions of a box, in rows along the last number.
struct Bits {
    /// How many rows one more of each number but the last is away.
    strides: Vec<usize>,
    /// The words of a row.
    width: usize,
    words: Vec<u64>,
}

impl Bits {
    fn new(sides: &[usize]) -> Bits {
        let (last, others) = sides.split_last().expect("a game has a heap");
        let strides = (1..=others.len()).map(|from| others[from..].iter().product()).collect();
        let width = last.div_ceil(64);
        Bits { strides, width, words: vec![0; others.iter().product::<usize>() * width] }
    }

    /// Returns the number of words of such a table, saturating.
    fn size(sides: &[usize]) -> u64 {
        let (last, others) = sides.split_last().expect("a game has a heap");
        others.iter().fold(last.div_ceil(64) as u64, |size, side| size.saturating_mul(*side as u64))
    }

    fn row(&self, row: i64) -> &[u64] {
        &self.words[row as usize * self.width..][..self.width]
    }
}

fn has(words: &[u64], place: usize) -> bool {
    words[place / 64] >> (place % 64) & 1 == 1
}

/// Returns the first bits of a row.
fn ones(bits: usize) -> Vec<u64> {
    let mut words = vec![u64::MAX; bits.div_ceil(64)];
    if let Some(last) = words.last_mut() {
        *last >>= (64 - bits % 64) % 64;
    }
    words
}

/// Returns where the option of a span is, as a form, if one more of each number is so far away.
fn address(span: &Span, strides: &[usize]) -> Form {
    let mut form = Form { own: 0, before: vec![0; span.after.len()], constant: 0 };
    span.after.iter().zip(strides).for_each(|(after, stride)| form.add(*stride as i64, after));
    form
}

/// A form of which all but the last number is known.
struct Along<'f> {
    form: &'f Form,
    row: i64,
    last: i64,
}

impl<'f> Along<'f> {
    fn new(form: &'f Form, p: &[u32]) -> Along<'f> {
        let (last, others) = (form.before[p.len() - 1], &p[..p.len() - 1]);
        Along { form, row: form.at(others), last }
    }

    fn at(&self, last: u32) -> i64 {
        self.row + self.last * i64::from(last)
    }

    fn own(&self) -> i64 {
        self.form.own
    }
}

/// Whether a test holds of k · z + r for 64 numbers z, by the remainder of r.
#[derive(Debug)]
struct Pattern {
    modulus: i64,
    /// What 64 more numbers add to the remainder.
    step: i64,
    words: Vec<u64>,
}

impl Pattern {
    /// Returns the pattern; `None` for a test of no remainder.
    fn new(test: Test, k: i64) -> Option<Pattern> {
        let Test::Remainder { modulus, .. } = test else { return None };
        let bit = |rest: i64, z: i64| u64::from(test.holds(k * z + rest)) << z;
        let word = |rest: i64| (0..64).fold(0, |word, z| word | bit(rest, z));
        Some(Pattern {
            modulus,
            step: (64 * k).rem_euclid(modulus),
            words: (0..modulus).map(word).collect(),
        })
    }

    fn word(&self, rest: i64, at: usize) -> u64 {
        self.words[((rest + self.step * at as i64) % self.modulus) as usize]
    }
}

/// The numbers in one place that bounds and tests admit.
#[derive(Debug, Clone)]
struct Mask<'s> {
    low: i64,
    high: i64,
    exceptions: SmallVec<[i64; 2]>,
    patterns: SmallVec<[(&'s Pattern, i64); 2]>,
    /// Only numbers whose bits are set.
    rows: SmallVec<[&'s [u64]; 2]>,
}

impl<'s> Mask<'s> {
    fn new(high: i64) -> Mask<'s> {
        Mask {
            low: 0,
            high,
            exceptions: SmallVec::new(),
            patterns: SmallVec::new(),
            rows: SmallVec::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.low > self.high
    }

    fn clear(&mut self) {
        self.high = self.low - 1;
    }

    /// Admits only numbers z with k · z + rest ≤ 0.
    #[inline]
    fn bound(&mut self, k: i64, rest: i64) {
        match k {
            0 if rest > 0 => self.clear(),
            0 => {}
            1 => self.high = self.high.min(-rest),
            -1 => self.low = self.low.max(rest),
            2.. => self.high = self.high.min((-rest).div_euclid(k)),
            _ => self.low = self.low.max(-((-rest).div_euclid(-k))),
        }
    }

    /// Admits only numbers z of whose k · z + rest the test holds, k ≠ 0.
    #[inline]
    fn test(&mut self, pattern: Option<&'s Pattern>, k: i64, rest: i64) {
        match pattern {
            Some(pattern) => self.patterns.push((pattern, rest.rem_euclid(pattern.modulus))),
            None if rest % k == 0 => self.exceptions.push(-rest / k),
            None => {}
        }
    }

    /// Returns whether all numbers between the bounds are admitted.
    fn is_plain(&self) -> bool {
        self.exceptions.is_empty() && self.patterns.is_empty() && self.rows.is_empty()
    }

    /// Returns the words that have admitted numbers; some if none has.
    fn words(&self) -> std::ops::RangeInclusive<usize> {
        self.low as usize / 64..=self.high as usize / 64
    }

    /// Returns the numbers of a word among [`Mask::words`], as bits.
    #[inline]
    fn word(&self, at: usize) -> u64 {
        let (first, mut word) = (64 * at as i64, u64::MAX);
        if self.low > first {
            word &= u64::MAX << (self.low - first);
        }
        if self.high < first + 63 {
            word &= u64::MAX >> (first + 63 - self.high);
        }
        for (pattern, rest) in &self.patterns {
            word &= pattern.word(*rest, at);
        }
        for row in &self.rows {
            word &= row[at];
        }
        for exception in &self.exceptions {
            if (first..first + 64).contains(exception) {
                word &= !(1 << (exception - first));
            }
        }
        word
    }

    fn has(&self, number: i64) -> bool {
        (self.low..=self.high).contains(&number)
            && self.word(number as usize / 64) >> (number % 64) & 1 == 1
    }

    /// Returns whether an admitted number is set in a row; some number is between the bounds.
    #[inline]
    fn has_one(&self, row: &[u64]) -> bool {
        self.words().any(|at| row[at] != 0 && row[at] & self.word(at) != 0)
    }

    /// Returns whether a number is admitted.
    fn has_any(&self) -> bool {
        !self.is_empty() && self.words().any(|at| self.word(at) != 0)
    }

    /// Visits the admitted numbers from the greatest on until `visit` breaks.
    fn visit(&self, mut visit: impl FnMut(i64) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.is_empty() {
            return Continue(());
        }
        for at in self.words().rev() {
            let mut word = self.word(at);
            while word != 0 {
                let bit = 63 - word.leading_zeros();
                word ^= 1 << bit;
                visit((64 * at) as i64 + i64::from(bit))?;
            }
        }
        Continue(())
    }
}

/// For each row the moves that lead from it to a P-position, as far as they are known by that
/// position.
struct Arrivals {
    /// The first entry of each row.
    heads: Vec<u32>,
    /// Span, size afterwards, and the next entry of the row.
    entries: Vec<[u32; 3]>,
    most: usize,
}

/// No entry.
const END: u32 = u32::MAX;

impl Arrivals {
    fn new(rows: usize, most: usize) -> Arrivals {
        Arrivals { heads: vec![END; rows], entries: Vec::new(), most: most.min(END as usize) }
    }

    /// Adds a move; `false` if there is no room.
    fn add(&mut self, row: usize, span: u32, size: u32) -> bool {
        let has_room = self.entries.len() < self.most;
        if has_room {
            let next = std::mem::replace(&mut self.heads[row], self.entries.len() as u32);
            self.entries.push([span, size, next]);
        }
        has_room
    }

    /// Returns the sizes to which a span leads from a row.
    fn sizes(&self, row: usize, wanted: u32) -> impl Iterator<Item = i64> {
        let mut at = self.heads[row];
        std::iter::from_fn(move || {
            loop {
                let [span, size, next] = *self.entries.get(at as usize)?;
                at = next;
                if span == wanted {
                    return Some(size.into());
                }
            }
        })
    }
}

/// A span, ready for a table of P-positions.
struct RowSpan<'s> {
    span: &'s Span,
    number: u32,
    /// The row of an option, and its last number.
    row: Form,
    last: &'s Form,
    /// The remainders of each test along the sizes, and along the last number.
    by_size: Vec<Option<Pattern>>,
    by_last: Vec<Option<Pattern>>,
    /// The answers to the tests of pairs: along the last number, if another heap is lowered.
    pairs: Vec<PairTable>,
}

/// A span at a row: what is known of its forms if the last number is 0.
struct SpanAtRow<'s> {
    span: &'s RowSpan<'s>,
    /// The first position of the row.
    p: &'s [u32],
    row: i64,
    last: i64,
    bounds: SmallVec<[i64; 4]>,
    tests: SmallVec<[i64; 2]>,
}

/// A row along the last number.
#[derive(Clone, Copy)]
struct Row<'a> {
    /// Its first position, and its number.
    p: &'a [u32],
    number: i64,
    /// How many positions it has, and a bit for each.
    side: usize,
    full: &'a [u64],
}

/// Moves within the row: so much is taken from the last number where the mask says so.
struct WithinRow<'s> {
    taken: i64,
    allowed: Mask<'s>,
}

impl<'s> RowSpan<'s> {
    fn new(span: &'s Span, number: u32, strides: &[usize], sides: &[usize]) -> RowSpan<'s> {
        let last = span.after.len() - 1;
        let preferred = (span.heap != last).then_some(Place::Before(last));
        let patterns = |k: fn(&Form, usize) -> i64| {
            span.tests.iter().map(|(form, test)| Pattern::new(*test, k(form, last))).collect()
        };
        RowSpan {
            span,
            number,
            row: address(span, strides),
            last: &span.after[last],
            by_size: patterns(|form, _| form.own),
            by_last: patterns(|form, last| form.before[last]),
            pairs: span
                .pairs
                .iter()
                .map(|test| PairTable::new(test, preferred, side(span, sides)))
                .collect(),
        }
    }

    /// Returns whether an option tells from which row a move of this span leads to it.
    fn is_invertible(&self) -> bool {
        let last = self.span.after.len() - 1;
        self.span.heap != last
            && self.last.before[last] == 0
            && self.last.before[self.span.heap] != 0
    }

    /// Returns the row from which a move of this span leads to a position, if there is one.
    fn origin(&self, q: &[u32], strides: &[usize], sides: &[usize]) -> Option<usize> {
        let (span, last) = (self.span, q.len() - 1);
        let size = i64::from(q[span.heap]);
        let mut p: SmallVec<[i64; 8]> = q[..last].iter().map(|number| i64::from(*number)).collect();
        for (number, before) in p.iter_mut().enumerate().filter(|(number, _)| *number != span.heap)
        {
            *before -= span.after[number].constant;
        }
        p[span.heap] = 0;
        let known = self.last.before.iter().zip(&p).map(|(k, number)| k * number).sum::<i64>();
        let rest = i64::from(q[last]) - self.last.constant - self.last.own * size - known;
        let factor = self.last.before[span.heap];
        let heap = rest / factor;
        let is_move = rest % factor == 0 && heap >= size + i64::from(span.must_fall);
        p[span.heap] = heap;
        let is_here = p.iter().zip(sides).all(|(number, side)| (0..*side as i64).contains(number));
        let row = || p.iter().zip(strides).map(|(number, stride)| *number as usize * stride).sum();
        (is_move && is_here).then(row)
    }

    /// Returns the span at the row of p, whose last number is 0.
    fn at<'r>(&'r self, p: &'r [u32]) -> SpanAtRow<'r> {
        SpanAtRow {
            span: self,
            p,
            row: self.row.at(p),
            last: self.last.at(p),
            bounds: self.span.bounds.iter().map(|form| form.at(p)).collect(),
            tests: self.span.tests.iter().map(|(form, _)| form.at(p)).collect(),
        }
    }
}

/// Returns how many values a number of a move has.
fn side(span: &Span, sides: &[usize]) -> impl Fn(Place) -> usize {
    move |place| match place {
        Place::Before(number) => sides[number],
        Place::After => sides[span.heap],
    }
}

impl<'s> SpanAtRow<'s> {
    /// Restricts sizes of the last heap, whose span this is, at one of its sizes.
    fn pair_sizes(&self, last: u32, sizes: &mut Mask<'s>) {
        let number =
            |number: usize| if number + 1 == self.p.len() { last } else { self.p[number] } as usize;
        for table in &self.span.pairs {
            let row = table.row(match table.row {
                Some(Place::Before(before)) => number(before),
                Some(Place::After) | None => 0,
            });
            match table.along {
                Place::After => sizes.rows.push(row),
                Place::Before(before) if has(row, number(before)) => {}
                Place::Before(_) => sizes.clear(),
            }
        }
    }

    /// Returns the sizes of the last heap, whose span this is, at one of its sizes.
    #[inline]
    fn sizes(&self, last: u32) -> Mask<'s> {
        let (span, m) = (self.span.span, i64::from(last));
        let mut sizes = Mask::new(m - i64::from(span.must_fall));
        let place = span.after.len() - 1;
        for (form, rest) in span.bounds.iter().zip(&self.bounds) {
            sizes.bound(form.own, rest + form.before[place] * m);
        }
        for (((form, test), rest), pattern) in
            span.tests.iter().zip(&self.tests).zip(&self.span.by_size)
        {
            let rest = rest + form.before[place] * m;
            match form.own {
                0 if test.holds(rest) => {}
                0 => sizes.clear(),
                own => sizes.test(pattern.as_ref(), own, rest),
            }
        }
        self.pair_sizes(last, &mut sizes);
        sizes
    }

    /// Visits those sizes of another heap than the last that are wanted, from the greatest on, or
    /// those that are given, each with the last numbers of the row from which it may be had.
    fn each(
        &self,
        row: Row<'_>,
        wanted: impl Fn(i64) -> bool,
        given: Option<&mut dyn Iterator<Item = i64>>,
        mut visit: impl FnMut(i64, &Mask<'s>) -> ControlFlow<()>,
    ) {
        let (span, place) = (self.span.span, row.p.len() - 1);
        let mut sizes = Mask::new(i64::from(row.p[span.heap]) - i64::from(span.must_fall));
        let mut allowed = Mask::new(row.side as i64 - 1);
        let mut depends = false;
        for (form, rest) in span.bounds.iter().zip(&self.bounds) {
            match (form.own, form.before[place]) {
                (own, 0) => sizes.bound(own, *rest),
                (0, k) => allowed.bound(k, *rest),
                _ => depends = true,
            }
        }
        let tests = || {
            let patterns = self.span.by_size.iter().zip(&self.span.by_last);
            span.tests.iter().zip(&self.tests).zip(patterns)
        };
        for (((form, test), rest), (by_size, by_last)) in tests() {
            match (form.own, form.before[place]) {
                (0, 0) if test.holds(*rest) => {}
                (0, 0) => sizes.clear(),
                (own, 0) => sizes.test(by_size.as_ref(), own, *rest),
                (0, k) => allowed.test(by_last.as_ref(), k, *rest),
                _ => depends = true,
            }
        }
        let mut by_size: SmallVec<[&PairTable; 2]> = SmallVec::new();
        for table in &self.span.pairs {
            let row = match table.row {
                None => 0,
                Some(Place::Before(number)) => row.p[number] as usize,
                Some(Place::After) => {
                    by_size.push(table);
                    continue;
                }
            };
            match table.along {
                Place::After => sizes.rows.push(table.row(row)),
                Place::Before(number) if number == place => allowed.rows.push(table.row(row)),
                Place::Before(number) if has(table.row(row), self.p[number] as usize) => {}
                Place::Before(_) => sizes.clear(),
            }
        }
        depends |= !by_size.is_empty();
        if allowed.is_empty() {
            return;
        }
        // Of a bound on both numbers no size is asked that fails with every last number.
        for (form, rest) in span.bounds.iter().zip(&self.bounds) {
            let k = form.before[place];
            if form.own != 0 && k != 0 {
                sizes.bound(form.own, rest + k * if k > 0 { allowed.low } else { allowed.high });
            }
        }
        let mut each = |size: i64| {
            if !depends {
                return visit(size, &allowed);
            }
            let mut allowed = allowed.clone();
            for (form, rest) in span.bounds.iter().zip(&self.bounds) {
                if form.own != 0 && form.before[place] != 0 {
                    allowed.bound(form.before[place], rest + form.own * size);
                }
            }
            for (((form, _), rest), (_, by_last)) in tests() {
                if form.own != 0 && form.before[place] != 0 {
                    allowed.test(by_last.as_ref(), form.before[place], rest + form.own * size);
                }
            }
            allowed.rows.extend(by_size.iter().map(|table| table.row(size as usize)));
            if allowed.is_empty() { Continue(()) } else { visit(size, &allowed) }
        };
        let _ = match given {
            Some(given) => given.filter(|size| sizes.has(*size)).try_for_each(each),
            None => sizes.visit(|size| if wanted(size) { each(size) } else { Continue(()) }),
        };
    }

    /// Adds the positions of a row that reach a P-position of another row, until all do; moves
    /// within the row are collected.
    fn add_reaching(
        &self,
        row: Row<'_>,
        bits: &Bits,
        arrivals: Option<&Arrivals>,
        reached: &mut [u64],
        within: &mut SmallVec<[WithinRow<'s>; 4]>,
    ) {
        let (to, last) = (&self.span.row, self.span.last);
        // What the last number loses; else it becomes something that does not depend on it.
        let taken = (last.before[row.p.len() - 1] == 1).then_some(-self.last);
        let place = |size: i64| self.row + to.own * size;
        let Some(taken) = taken else {
            // An option is one position.
            let is_p = |size| has(bits.row(place(size)), (self.last + last.own * size) as usize);
            let known = arrivals.filter(|_| self.span.is_invertible());
            let mut known =
                known.map(|arrivals| arrivals.sizes(row.number as usize, self.span.number));
            let known = known.as_mut().map(|sizes| sizes as &mut dyn Iterator<Item = i64>);
            self.each(row, is_p, known, |_, allowed| {
                allowed.words().for_each(|at| reached[at] |= allowed.word(at));
                if reached == row.full { Break(()) } else { Continue(()) }
            });
            return;
        };
        self.each(
            row,
            |_| true,
            None,
            |size, allowed| {
                match place(size) {
                    own if own == row.number => {
                        within.push(WithinRow { taken, allowed: allowed.clone() })
                    }
                    other => add_shifted(bits.row(other), taken as usize, allowed, reached),
                }
                Continue(())
            },
        );
    }

    /// Adds the positions of a row that have a move of this span, until all do.
    fn add_movable(&self, row: Row<'_>, movable: &mut [u64]) {
        self.each(
            row,
            |_| true,
            None,
            |_, allowed| {
                allowed.words().for_each(|at| movable[at] |= allowed.word(at));
                if movable == row.full { Break(()) } else { Continue(()) }
            },
        );
    }
}

/// Adds a row, each place greater by `by`, where the mask allows it.
fn add_shifted(row: &[u64], by: usize, allowed: &Mask<'_>, target: &mut [u64]) {
    if by == 0 && allowed.is_plain() {
        // Rows end with zeros; edges alone are masked.
        let words = allowed.words();
        let (first, last) = (*words.start(), *words.end());
        for at in first + 1..last {
            target[at] |= row[at];
        }
        target[first] |= row[first] & allowed.word(first);
        target[last] |= row[last] & allowed.word(last);
        return;
    }
    let (words, bits) = (by / 64, by % 64);
    for at in allowed.words().filter(|at| *at >= words) {
        let mut word = row[at - words] << bits;
        if bits > 0 && at > words {
            word |= row[at - words - 1] >> (64 - bits);
        }
        if word != 0 {
            target[at] |= word & allowed.word(at);
        }
    }
}

/// A test of pairs, ready to be asked at one position after the other.
struct PairRows<'s> {
    test: &'s PairTest,
    answers: Answers,
}

/// Answers to a test of pairs.
enum Answers {
    All(PairTable),
    /// Those of one size of the only heap.
    Row {
        size: Option<u32>,
        side: usize,
        words: Vec<u64>,
    },
}

impl<'s> PairRows<'s> {
    /// Returns the tests of a span.
    fn new(span: &'s Span, sides: &[usize]) -> Vec<PairRows<'s>> {
        let answers = |test| match *sides {
            [side] => Answers::Row { size: None, side, words: vec![0; side.div_ceil(64)] },
            _ => Answers::All(PairTable::new(test, None, side(span, sides))),
        };
        span.pairs.iter().map(|test| PairRows { test, answers: answers(test) }).collect()
    }

    /// Drops sizes of some words with which it does not hold at a position.
    fn restrict(&mut self, p: &[u32], words: &mut [u64], range: std::ops::RangeInclusive<usize>) {
        let row = match &mut self.answers {
            Answers::All(table) => {
                let number = |place| match place {
                    Some(Place::Before(number)) => p[number] as usize,
                    Some(Place::After) | None => 0,
                };
                let row = table.row(number(table.row));
                match table.along {
                    Place::After => row,
                    along if has(row, number(Some(along))) => return,
                    _ => return words[range].fill(0),
                }
            }
            Answers::Row { size, side, words } => {
                let depends = self.test.places.contains(&Place::Before(0));
                if size.is_none() || depends && *size != Some(p[0]) {
                    words.fill(0);
                    self.test.fill(Place::After, p[0].into(), *side, words);
                    *size = Some(p[0]);
                }
                &words[..]
            }
        };
        words[range.clone()].iter_mut().zip(&row[range]).for_each(|(word, more)| *word &= more);
    }
}

/// Returns the sizes of a span at a position between its bounds, those of which the tests of pairs
/// hold as bits.
fn sizes_of_pairs<'s>(
    span: &'s Span,
    pairs: &mut [PairRows<'_>],
    p: &[u32],
    words: &mut [u64],
) -> Option<Admitted<'s>> {
    let admitted = span.admitted(p)?;
    let (low, high) = (admitted.low, admitted.high);
    let (first, last) = (low as usize / 64, high as usize / 64);
    words[first..=last].fill(u64::MAX);
    words[first] &= u64::MAX << (low % 64);
    words[last] &= u64::MAX >> (63 - high % 64);
    pairs.iter_mut().for_each(|test| test.restrict(p, words, first..=last));
    Some(admitted)
}

/// Visits sizes that are set and pass the tests, until `visit` breaks.
fn visit_sizes(
    admitted: &Admitted<'_>,
    words: &[u64],
    mut visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for at in admitted.low / 64..=admitted.high / 64 {
        let mut word = words[at as usize];
        while word != 0 {
            let size = 64 * at + word.trailing_zeros();
            word &= word - 1;
            if admitted.passes(size) {
                visit(size)?;
            }
        }
    }
    Continue(())
}

/// Sizes of one remainder, numbered from 1 on; 0 is none.
trait Number: Copy + Default + Eq + BitOrAssign {
    /// Returns a number that the type can hold.
    fn of(number: usize) -> Self;

    fn saturating_sub(self, other: Self) -> Self;
}

macro_rules! numbers {
    ($($own:ty),+) => { $(
        impl Number for $own {
            #[inline(always)]
            fn of(number: usize) -> $own {
                number as $own
            }

            #[inline(always)]
            fn saturating_sub(self, other: $own) -> $own {
                self.saturating_sub(other)
            }
        }
    )+ };
}

numbers!(u8, u16);

/// For each line along a heap and each remainder of sizes the last size that has a value, by its
/// number among those of the remainder.
struct LastSizes<N> {
    heap: usize,
    /// The remainders are modulo this number.
    period: usize,
    /// How many lines one more of each later number is away.
    strides: Vec<usize>,
    lines: Vec<Vec<N>>,
    /// The last size before that one, if sizes may be excepted.
    second: Option<Vec<Vec<N>>>,
}

/// The last sizes that have a value, and those before them; the last size below those admitted, and
/// the size that is excepted; all by their numbers.
type Excepted<'l, N> = (&'l [N], &'l [N], N, N);

impl<N: Number> LastSizes<N> {
    fn new(heap: usize, period: usize, has_exceptions: bool, sides: &[usize]) -> LastSizes<N> {
        let later = &sides[heap + 1..];
        let strides: Vec<usize> =
            (1..=later.len()).map(|from| later[from..].iter().product()).collect();
        let lines = vec![Vec::new(); later.iter().product::<usize>() * period];
        LastSizes { heap, period, strides, second: has_exceptions.then(|| lines.clone()), lines }
    }

    /// Starts all lines anew.
    fn clear(&mut self) {
        let second = self.second.iter_mut().flatten();
        self.lines.iter_mut().chain(second).for_each(|line| line.fill(N::default()));
    }

    /// Returns the number of the first line of a position.
    fn line(&self, p: &[u32]) -> usize {
        let later = self.strides.iter().zip(&p[self.heap + 1..]);
        self.period * later.map(|(stride, number)| stride * *number as usize).sum::<usize>()
    }

    fn set(&mut self, p: &[u32], value: usize) {
        let (line, size) = (self.line(p), p[self.heap] as usize);
        let number = line + size % self.period;
        let line = &mut self.lines[number];
        if line.len() <= value {
            let whole = (value / CHUNK + 1) * CHUNK;
            // There are many lines, and each is lengthened a few times only.
            line.reserve_exact(whole - line.len());
            line.resize(whole, N::default());
        }
        let before = std::mem::replace(&mut line[value], N::of(size / self.period + 1));
        if let Some(second) = &mut self.second {
            let second = &mut second[number];
            second.reserve_exact(line.len() - second.len());
            second.resize(line.len(), N::default());
            second[value] = before;
        }
    }
}

/// Returns whether a byte holds the numbers of the sizes of each remainder.
fn fit_bytes(periods: &[(usize, usize)], sides: &[usize]) -> bool {
    periods.iter().all(|(heap, period)| sides[*heap].div_ceil(*period) <= u8::MAX.into())
}

/// Returns what must not be 0.
fn exceptions(span: &Span) -> impl Iterator<Item = &Form> {
    span.tests.iter().filter(|(_, test)| *test == Test::NotZero).map(|(form, _)| form)
}

/// Returns the tests of remainders.
fn remainders(span: &Span) -> impl Iterator<Item = &(Form, Test)> {
    span.tests.iter().filter(|(_, test)| *test != Test::NotZero)
}

/// The remainders of sizes, as bits, of which a test holds along a row.
#[derive(Debug)]
struct Residues<'s> {
    form: &'s Form,
    /// By what the form leaves without the size.
    by_rest: Vec<u8>,
    /// What it leaves at the first position of the row, and how much more at each next one.
    first: u32,
    step: u32,
}

impl<'s> Residues<'s> {
    /// Groups sizes by their remainder modulo `period`.
    fn new(form: &'s Form, test: Test, period: usize) -> Residues<'s> {
        let sizes = |rest: i64| {
            let holds = |size: &usize| test.holds(form.own * *size as i64 + rest);
            (0..period).filter(holds).fold(0, |sizes, size| sizes | 1 << size)
        };
        Residues { form, by_rest: (0..test.modulus()).map(sizes).collect(), first: 0, step: 0 }
    }

    /// Begins the row of p, whose last number is 0.
    fn begin(&mut self, p: &[u32]) {
        let modulus = self.by_rest.len() as i64;
        self.first = self.form.at(p).rem_euclid(modulus) as u32;
        self.step = self.form.before[p.len() - 1].rem_euclid(modulus) as u32;
    }

    #[inline]
    fn admitted(&self, last: u32) -> u8 {
        let modulus = self.by_rest.len() as u32;
        self.by_rest[((self.first + self.step * (last % modulus)) % modulus) as usize]
    }
}

/// Returns the least number that is the index of no entry greater than the bound beside its line.
/// Where a size is excepted the one before it counts.
fn least_unreached<N: Number>(lines: &[(&[N], N)], broken: &[Excepted<'_, N>]) -> usize {
    bouton_simd::multiversion! {
        [N: Number] (lines: &[(&[N], N)] = lines, broken: &[Excepted<'_, N>] = broken) -> usize {
            least_unreached_in(lines, broken)
        }
        ["avx512f", "avx512bw"],
        ["avx2"],
    }
}

#[inline(always)]
fn least_unreached_in<N: Number>(lines: &[(&[N], N)], broken: &[Excepted<'_, N>]) -> usize {
    let mut from = 0;
    loop {
        // How far a last size is past its bound.
        let mut reached = [N::default(); CHUNK];
        for (line, low) in lines {
            if let Some(chunk) = line.get(from..from + CHUNK) {
                for (past, last) in reached.iter_mut().zip(chunk) {
                    *past |= last.saturating_sub(*low);
                }
            }
        }
        for (line, second, low, exception) in broken {
            let chunks = line.get(from..from + CHUNK).zip(second.get(from..from + CHUNK));
            if let Some((chunk, second)) = chunks {
                for ((past, last), second) in reached.iter_mut().zip(chunk).zip(second) {
                    let last = if last == exception { second } else { last };
                    *past |= last.saturating_sub(*low);
                }
            }
        }
        let open = reached
            .iter()
            .enumerate()
            .fold(0u32, |open, (at, past)| open | u32::from(*past == N::default()) << at);
        match open {
            0 => from += CHUNK,
            _ => return from + open.trailing_zeros() as usize,
        }
    }
}

impl Spanwise {
    /// Returns the game, if its moves are spans and its heaps keep their places.
    pub fn new(game: &HeapGame) -> Option<Spanwise> {
        let moves = &game.moves;
        let remembered = moves.memory.count;
        let tokens = game.heaps.checked_sub(remembered).filter(|tokens| *tokens > 0)?;
        let has_order = remembered > 0 && game.symmetry != Symmetry::None;
        if game.shrinks || moves.turned.is_some() || moves.domain.is_some() || has_order {
            return None;
        }
        let spans = HeapOptions::new(moves, Some(game.heaps), false).spans(game.heaps)?;
        let game = Spanwise {
            numbers: game.heaps,
            tokens,
            symmetry: game.symmetry,
            spans,
            limits: Vec::new(),
        };
        // What is remembered follows from the heaps, or is 0 for ever.
        let follows = |form: &Form| form.before[tokens..].iter().all(|k| *k == 0);
        // The rows of one heap are made one by one.
        if game.numbers == 1
            && game.spans.iter().any(|span| !span.pairs.iter().all(PairTest::is_quick))
        {
            return None;
        }
        game.spans.iter().all(|span| span.after[tokens..].iter().all(follows)).then_some(game)
    }

    /// Returns the game on the positions that have at most these numbers, if each keeps its place.
    #[must_use]
    pub fn limited_to(self, limits: Vec<u32>) -> Spanwise {
        if self.symmetry == Symmetry::None { Spanwise { limits, ..self } } else { self }
    }

    /// Returns how many values each number has, if heaps are at most `max`.
    fn sides(&self, max: u32) -> Option<Vec<usize>> {
        let limit =
            |number: usize| i64::from(self.limits.get(number).map_or(max, |limit| max.min(*limit)));
        let mut sides: Vec<i64> = (0..self.numbers).map(limit).collect();
        for span in &self.spans {
            for (side, form) in sides.iter_mut().zip(&span.after).skip(self.tokens) {
                let most = |(heap, k): (usize, &i64)| {
                    let ends = if heap == span.heap { [*k, k + form.own] } else { [*k, *k] };
                    ends.into_iter().max().unwrap_or(0).max(0) * limit(heap)
                };
                let reached = form.before[..self.tokens].iter().enumerate().map(most);
                *side = (*side).max(form.constant + reached.sum::<i64>());
            }
        }
        sides.into_iter().map(|side| usize::try_from(side + 1).ok()).collect()
    }

    /// Returns the number of positions that are settled for a box, saturating.
    pub fn positions(&self, max: u32) -> u128 {
        let sides = self.sides(max).unwrap_or_default();
        if sides.is_empty() {
            return u128::MAX;
        }
        sides.iter().fold(1, |all: u128, side| all.saturating_mul(*side as u128))
    }

    fn admit(
        &self,
        max: u32,
        limits: Limits,
        bytes: impl Fn(&[usize]) -> u64,
    ) -> Result<Plan, HeapTableError> {
        let has_pairs = self.has_pairs();
        let need = |max, _| {
            self.sides(max).map_or(u64::MAX, |sides| match has_pairs {
                true => bytes(&sides).saturating_add(self.pairs(&sides) / 8),
                false => bytes(&sides),
            })
        };
        let most = if has_pairs { HEAPS_BELOW - 1 } else { u32::MAX - 1 };
        let plan = limits.admit(max, self.positions(max), 1, most, need)?;
        // A long heap beside short ones is not worth all its pairs.
        let pairs = self.sides(max).map_or(0, |sides| self.pairs(&sides));
        if !self.limits.is_empty() && u128::from(pairs) > FEW_PAIRS.max(4 * plan.positions) {
            return Err(HeapTableError::Reach { max, most: 0, fits: None });
        }
        Ok(Plan { threads: 1, ..plan })
    }

    fn has_pairs(&self) -> bool {
        self.spans.iter().any(|span| !span.pairs.is_empty())
    }

    /// Returns the number of pairs that are asked for, saturating.
    fn pairs(&self, sides: &[usize]) -> u64 {
        if self.numbers == 1 {
            return 0;
        }
        let of_span = |span: &Span| {
            span.pairs
                .iter()
                .map(|test| PairTable::pairs(test, side(span, sides)))
                .fold(0, u64::saturating_add)
        };
        self.spans.iter().map(of_span).fold(0, u64::saturating_add)
    }

    /// Returns whether nim-values come from the last sizes that have them.
    pub fn has_last_sizes(&self, max: u32) -> bool {
        self.periods(max).is_some()
    }

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        // What is remembered tells where it comes from: a number a row, and a few entries.
        let bytes = if self.tokens < self.numbers { 16 } else { 8 };
        self.admit(max, limits, |sides| Bits::size(sides).saturating_mul(bytes))
    }

    /// Plans the table of nim-values with heaps ≤ `max`.
    pub fn plan_values(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        let periods = self.periods(max);
        self.admit(max, limits, |sides| match &periods {
            None => sides.iter().fold(4, |all: u64, side| all.saturating_mul(*side as u64)),
            // A value is at most the number of options, and an option lowers one heap.
            Some(periods) => {
                let bytes = if fit_bytes(periods, sides) { 1 } else { 2 };
                let values = bytes * sides.iter().sum::<usize>() as u64;
                let lines = |(heap, period): &(usize, usize)| {
                    let later = sides[heap + 1..].iter().map(|side| *side as u64);
                    let has_exceptions =
                        self.spans.iter().any(|span| exceptions(span).next().is_some());
                    let lines = if has_exceptions { 2 } else { 1 };
                    later.fold(*period as u64 * values * lines, u64::saturating_mul)
                };
                periods.iter().map(lines).fold(0, u64::saturating_add)
            }
        })
    }

    /// Returns the heaps that are lowered, each with the common period of remainders of its spans,
    /// if each move lowers one heap to any size from a bound on that leaves certain remainders.
    fn periods(&self, max: u32) -> Option<Vec<(usize, usize)>> {
        if max >= u32::from(u16::MAX) || self.tokens < self.numbers {
            return None;
        }
        let mut periods: Vec<(usize, usize)> = Vec::new();
        for span in &self.spans {
            let is_open = span.bounds.iter().all(|form| form.own <= 0);
            if !span.must_fall || !span.pairs.is_empty() || !is_open || exceptions(span).count() > 1
            {
                return None;
            }
            let place =
                periods.iter().position(|(heap, _)| *heap == span.heap).unwrap_or(periods.len());
            if place == periods.len() {
                periods.push((span.heap, 1));
            }
            let period = &mut periods[place].1;
            // The least common multiple is found by trying.
            let common =
                (1..=MOST_RESIDUES).find(|k| (k * *period as u64).is_multiple_of(span.period))?;
            *period *= common as usize;
            if *period as u64 > MOST_RESIDUES {
                return None;
            }
        }
        Some(periods)
    }

    /// Calls `row` with the first position of each row along the last number, in order.
    fn rows<B>(
        sides: &[usize],
        mut row: impl FnMut(&mut Vec<u32>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let n = sides.len();
        let mut p = vec![0u32; n];
        loop {
            row(&mut p)?;
            p[n - 1] = 0;
            let Some(number) =
                (0..n - 1).rev().find(|number| (p[*number] as usize) + 1 < sides[*number])
            else {
                return Continue(());
            };
            p[number] += 1;
            p[number + 1..].fill(0);
        }
    }

    /// Returns whether a position is one of the box and the least of its symmetry class.
    fn is_listed(&self, p: &[u32], max: u32) -> bool {
        p[self.tokens..].iter().all(|number| *number <= max) && is_least(self.symmetry, p)
    }

    /// Visits the P-positions with numbers ≤ `max` that are the least of their symmetry class, in
    /// lexicographic order, until `visit` or `progress` breaks; `progress` receives the number of
    /// further positions that are settled.
    pub fn p_positions<B>(
        &self,
        max: u32,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan(max, limits)?;
        let Some(sides) = self.sides(max) else { return Ok(Continue(())) };
        if self.numbers == 1 && self.has_pairs() {
            return Ok(self.p_positions_of_one_heap(sides[0], play, progress, visit));
        }
        let mut bits = Bits::new(&sides);
        let strides = bits.strides.clone();
        let spans: Vec<RowSpan<'_>> = (0..)
            .zip(&self.spans)
            .map(|(number, span)| RowSpan::new(span, number, &strides, &sides))
            .collect();
        // The numbers in front of what is remembered are tokens, each of which loses a constant
        // number or is lowered.
        let is_invertible =
            |span: &RowSpan<'_>| self.tokens + 1 == self.numbers && span.is_invertible();
        let of_arrivals: Vec<&RowSpan<'_>> =
            spans.iter().filter(|span| is_invertible(span)).collect();
        let rows = bits.words.len() / bits.width;
        let new_arrivals = || Arrivals::new(rows, bits.words.len() / ENTRY_WORDS);
        let mut arrivals = (!of_arrivals.is_empty()).then(new_arrivals);
        let (last, is_misere) = (self.numbers - 1, play == Play::Misere);
        let (side, full) = (sides[last], ones(sides[last]));
        let (mut reached, mut movable) = (vec![0u64; bits.width], vec![0u64; bits.width]);
        let mut number_of_row = 0i64;
        let end = Self::rows(&sides, |p| {
            let first = p.clone();
            let row = Row { p: &first, number: number_of_row, side, full: &full };
            number_of_row += 1;
            let at_row: SmallVec<[SpanAtRow<'_>; 8]> =
                spans.iter().map(|span| span.at(&first)).collect();
            reached.fill(0);
            movable.fill(0);
            let mut within: SmallVec<[WithinRow<'_>; 4]> = SmallVec::new();
            let (of_last, others): (SmallVec<[_; 8]>, SmallVec<[_; 8]>) =
                at_row.iter().partition(|at| at.span.span.heap == last);
            for at in &others {
                if reached != full {
                    at.add_reaching(row, &bits, arrivals.as_ref(), &mut reached, &mut within);
                }
                if is_misere && movable != full {
                    at.add_movable(row, &mut movable);
                }
            }
            for word in 0..bits.width {
                let mut open = full[word] & !reached[word];
                while open != 0 {
                    let number = 64 * word as u32 + open.trailing_zeros();
                    open &= open - 1;
                    let reaches = |at: &&SpanAtRow<'_>| {
                        let sizes = at.sizes(number);
                        !sizes.is_empty() && sizes.has_one(bits.row(at.row))
                    };
                    let steps = |one: &WithinRow<'_>| {
                        let to = i64::from(number) - one.taken;
                        one.allowed.has(number.into())
                            && to >= 0
                            && has(bits.row(row.number), to as usize)
                    };
                    if of_last.iter().any(reaches) || within.iter().any(steps) {
                        continue;
                    }
                    if is_misere
                        && !has(&movable, number as usize)
                        && !of_last.iter().any(|at| at.sizes(number).has_any())
                    {
                        continue;
                    }
                    let place = row.number as usize * bits.width + word;
                    bits.words[place] |= 1 << (number % 64);
                    p[last] = number;
                    let mut is_full = false;
                    if let Some(known) = &mut arrivals {
                        let mut origins = of_arrivals.iter().filter_map(|span| {
                            Some((
                                span.origin(p, &strides, &sides)?,
                                span.number,
                                p[span.span.heap],
                            ))
                        });
                        is_full = !origins.all(|(row, span, size)| known.add(row, span, size));
                    }
                    if is_full {
                        arrivals = None;
                    }
                    if self.is_listed(p, max) {
                        visit(p)?;
                    }
                }
            }
            progress(side as u128)
        });
        Ok(end)
    }

    /// Visits the P-positions of one heap, whose answers to tests of pairs are made size by size.
    fn p_positions_of_one_heap<B>(
        &self,
        side: usize,
        play: Play,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut pairs: Vec<_> =
            self.spans.iter().map(|span| PairRows::new(span, &[side])).collect();
        let (mut is_p, mut words) = (vec![0u64; side.div_ceil(64)], vec![0u64; side.div_ceil(64)]);
        for size in 0..side as u32 {
            let p = [size];
            let (mut is_stuck, mut reaches) = (true, false);
            for (span, pairs) in self.spans.iter().zip(&mut pairs) {
                let Some(admitted) = sizes_of_pairs(span, pairs, &p, &mut words) else { continue };
                let _ = visit_sizes(&admitted, &words, |option| {
                    is_stuck = false;
                    reaches |= has(&is_p, option as usize);
                    if reaches { Break(()) } else { Continue(()) }
                });
            }
            if !reaches && (!is_stuck || play == Play::Normal) {
                is_p[size as usize / 64] |= 1 << (size % 64);
                visit(&p)?;
            }
            progress(1)?;
        }
        Continue(())
    }

    /// Visits the nim-values of all positions with numbers ≤ `max` likewise.
    pub fn nim_values<B>(
        &self,
        max: u32,
        limits: Limits,
        progress: impl FnMut(u128) -> ControlFlow<B>,
        visit: impl FnMut(&[u32], u32) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        self.plan_values(max, limits)?;
        let Some(sides) = self.sides(max) else { return Ok(Continue(())) };
        Ok(match self.periods(max) {
            Some(periods) if fit_bytes(&periods, &sides) => {
                self.values_by_last_sizes::<u8, _>(max, &sides, &periods, progress, visit)
            }
            Some(periods) => {
                self.values_by_last_sizes::<u16, _>(max, &sides, &periods, progress, visit)
            }
            None => self.values_by_options(max, &sides, progress, visit),
        })
    }

    /// Visits the values if [`Spanwise::periods`] says how sizes are told apart.
    fn values_by_last_sizes<N: Number, B>(
        &self,
        max: u32,
        sides: &[usize],
        periods: &[(usize, usize)],
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32], u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let has_exceptions = |heap: usize| {
            self.spans.iter().any(|span| span.heap == heap && exceptions(span).next().is_some())
        };
        let mut all: Vec<LastSizes<N>> = periods
            .iter()
            .map(|(heap, period)| LastSizes::new(*heap, *period, has_exceptions(*heap), sides))
            .collect();
        let place =
            |span: &Span| periods.iter().position(|(heap, _)| *heap == span.heap).unwrap_or(0);
        let places: Vec<usize> = self.spans.iter().map(place).collect();
        let last = self.numbers - 1;
        let mut residues: Vec<Vec<Residues<'_>>> = Vec::new();
        for (span, place) in self.spans.iter().zip(&places) {
            let period = periods[*place].1;
            residues.push(
                remainders(span).map(|(form, test)| Residues::new(form, *test, period)).collect(),
            );
        }
        let mut before: Option<Vec<u32>> = None;
        Self::rows(sides, |p| {
            // Lines along a heap begin anew if a number in front of it has changed.
            if let Some(before) = &before {
                let changed = (0..last).find(|number| p[*number] != before[*number]).unwrap_or(0);
                all.iter_mut().filter(|sizes| sizes.heap > changed).for_each(LastSizes::clear);
            }
            let bounds: Vec<Vec<Along<'_>>> = self
                .spans
                .iter()
                .map(|span| span.bounds.iter().map(|form| Along::new(form, p)).collect())
                .collect();
            residues.iter_mut().flatten().for_each(|residues| residues.begin(p));
            let excepted: Vec<SmallVec<[Along<'_>; 1]>> = self
                .spans
                .iter()
                .map(|span| exceptions(span).map(|form| Along::new(form, p)).collect())
                .collect();
            for number in 0..sides[last] as u32 {
                p[last] = number;
                let mut lines: SmallVec<[(&[N], N); 8]> = SmallVec::new();
                let mut broken: SmallVec<[Excepted<'_, N>; 4]> = SmallVec::new();
                'spans: for (i, span) in self.spans.iter().enumerate() {
                    let mut sizes = Mask::new(i64::from(p[span.heap]) - 1);
                    bounds[i].iter().for_each(|form| sizes.bound(form.own(), form.at(number)));
                    if sizes.is_empty() {
                        continue;
                    }
                    let mut exception = None;
                    for form in &excepted[i] {
                        match (form.own(), form.at(number)) {
                            (0, 0) => continue 'spans,
                            (0, _) => {}
                            (own, rest) if rest % own == 0 => exception = Some(-rest / own),
                            _ => {}
                        }
                    }
                    let exception =
                        exception.filter(|size| (sizes.low..=sizes.high).contains(size));
                    let sums = &all[places[i]];
                    let line = sums.line(p);
                    let mut admitted = u8::MAX >> (8 - sums.period);
                    residues[i].iter().for_each(|residues| admitted &= residues.admitted(number));
                    while admitted != 0 {
                        let residue = admitted.trailing_zeros() as usize;
                        admitted &= admitted - 1;
                        let at = line + residue;
                        let below =
                            N::of((sizes.low as usize + sums.period - 1 - residue) / sums.period);
                        let is_here = |size: &i64| *size as usize % sums.period == residue;
                        match (exception.filter(is_here), &sums.second) {
                            (Some(size), Some(second)) => {
                                let excepted = N::of(size as usize / sums.period + 1);
                                broken.push((&sums.lines[at], &second[at], below, excepted));
                            }
                            _ => lines.push((&sums.lines[at], below)),
                        }
                    }
                }
                let value = least_unreached(&lines, &broken);
                drop((lines, broken));
                all.iter_mut().for_each(|sizes| sizes.set(p, value));
                if self.is_listed(p, max) {
                    visit(p, value as u32)?;
                }
            }
            before = Some(p.clone());
            progress(sides[last] as u128)
        })
    }

    /// Visits the values by all options.
    fn values_by_options<B>(
        &self,
        max: u32,
        sides: &[usize],
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut visit: impl FnMut(&[u32], u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let strides: Vec<usize> =
            (1..=sides.len()).map(|from| sides[from..].iter().product()).collect();
        let places: Vec<Form> = self.spans.iter().map(|span| address(span, &strides)).collect();
        let mut values = vec![0u32; sides.iter().product()];
        // For each value the last position that reaches it, plus one.
        let mut reached = vec![0usize; 2];
        let mut pairs: Vec<_> = self.spans.iter().map(|span| PairRows::new(span, sides)).collect();
        let mut words = vec![0u64; sides.iter().max().map_or(0, |side| side.div_ceil(64))];
        let (last, mut at) = (self.numbers - 1, 0);
        Self::rows(sides, |p| {
            let rows: Vec<Along<'_>> = places.iter().map(|form| Along::new(form, p)).collect();
            for number in 0..sides[last] as u32 {
                p[last] = number;
                for ((span, place), pairs) in self.spans.iter().zip(&rows).zip(&mut pairs) {
                    let first = place.at(number);
                    let mut reach = |size: u32| {
                        let option = (first + place.own() * i64::from(size)) as usize;
                        reached[values[option] as usize] = at + 1;
                        Continue(())
                    };
                    if pairs.is_empty() {
                        if let Some(sizes) = span.admitted(p) {
                            let _ = sizes.visit::<()>(reach);
                        }
                    } else if let Some(sizes) = sizes_of_pairs(span, pairs, p, &mut words) {
                        let _ = visit_sizes(&sizes, &words, &mut reach);
                    }
                }
                let value = reached.iter().take_while(|last| **last == at + 1).count();
                values[at] = value as u32;
                at += 1;
                if value + 1 == reached.len() {
                    // One more than the greatest value is never reached.
                    reached.push(0);
                }
                if self.is_listed(p, max) {
                    visit(p, value as u32)?;
                }
            }
            progress(sides[last] as u128)
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_tables::{by_trying, compare_tables, random};
    use bouton_core::{Digits, Memory, Moves, Windows};

    fn game(heaps: usize, count: usize, condition: &str) -> HeapGame {
        let moves = Moves::with(Windows::Any(heaps), condition).unwrap();
        let moves = Moves { memory: Memory { count, factor: 2 }, ..moves };
        HeapGame { heaps, symmetry: Symmetry::None, shrinks: false, moves, digits: Digits::Binary }
    }

    /// Tables of stated rules; what is remembered may be up to three times the greatest heap there.
    #[test]
    fn as_the_formula_says() {
        let none: &[u32] = &[];
        let modulo =
            "q1 = p1 & q0 < p0 & (q0+p1) mod 4 != 0 | q0 = p0 & q1 < p1 & (q1+p0) mod 4 != 0";
        let unequal = "q1 = p1 & q0 < p0 & q0 != p1 | q0 = p0 & q1 < p1 & q1 != p0";
        let bounded = "q1 = p1 & q0 < p0 & p0 <= q0+p1+2 | q0 = p0 & q1 < p1 & p1 <= q1+p0+3";
        // Bounds on a size that a greater last heap tightens.
        let tightened = "q1 = p1 & q0 < p0 & p0+2*p1 <= q0+9 | q0 = p0 & q1 < p1 & q1+2*p0 <= 11 \
            | q1 = p1 & q0 < p0 & 3*q0 >= p0+p1";
        // A row is left, or it is not and the last heap loses a token.
        let within = "q0 <= p0 & q1+1 = p1 | q1 = p1 & q0 < p0 & (q0+q1) mod 3 != 1";
        let unlike = "q0+1 = p0 & q1+2 = p1 & p0 <= 2*p1 | q1 = p1 & p0 <= q0+p1 & 3*q0+2*p1 != \
            12 | q0 = p0 & 2*q1 > p1";
        let conditions = [
            (1, 0, "q0 < p0 & (p0-q0) mod 3 = 1", 150, none),
            (
                1,
                0,
                "q0 < p0 & q0 mod 4 = 3 | q0 < p0 & q0 mod 3 = 1 & q0 mod 5 >= 2 & q0 != 7",
                150,
                none,
            ),
            (
                1,
                0,
                "q0 < p0 & p0 <= 2*q0+3 & q0 mod 4 = 3 | q0 < p0 & (p0-q0) mod 2 = 1",
                150,
                none,
            ),
            (2, 0, modulo, 20, none),
            (2, 0, modulo, 140, &[3, 140]),
            (2, 0, modulo, 140, &[140, 3]),
            (2, 0, unequal, 20, none),
            (2, 0, unequal, 140, &[4, 140]),
            // Numbers of sizes that a byte holds, and those that it does not.
            (2, 0, modulo, 300, &[300, 2]),
            (2, 0, unequal, 254, &[254, 2]),
            (2, 0, unequal, 255, &[2, 255]),
            (2, 0, unequal, 300, &[300, 2]),
            (2, 0, bounded, 300, &[300, 2]),
            (2, 0, bounded, 20, none),
            (2, 0, bounded, 140, &[140, 4]),
            (2, 0, bounded, 140, &[4, 140]),
            (2, 0, tightened, 20, none),
            (2, 0, tightened, 140, &[140, 4]),
            (2, 0, tightened, 140, &[4, 140]),
            (2, 0, within, 20, none),
            (2, 0, within, 140, &[2, 140]),
            (2, 0, unlike, 20, none),
            (2, 0, unlike, 140, &[4, 140]),
            (2, 0, "q1 = p1 & p0 <= q0+p1+2 & q0 < p0 | q0+1 = p0 & q1+2 = p1", 20, none),
            (
                3,
                0,
                "q0 = p0 & q1 = p1 & p2 <= q2+p0 | q1 = p1 & q2 = p2 & q0 < p0 & (q0+p2) mod 2 = 1",
                5,
                none,
            ),
            (
                3,
                0,
                "q1 = p1 & q2 = p2 & q0 < p0 | q0 = p0 & q2 = p2 & p1 <= q1+p2 & q1 < p1 | q0 = \
                 p0 & q1 = p1 & q2 < p2",
                70,
                &[2, 2, 70],
            ),
            // What is asked pair by pair, along each heap and across.
            (1, 0, "q0 < p0 & q0 >= 1 & divides(q0, p0)", 150, none),
            (
                1,
                0,
                "q0 < p0 & divides(p0-q0, p0) | q0 < p0 & ~divides(q0, p0) & p0 <= q0+9",
                150,
                none,
            ),
            (
                1,
                0,
                "q0 < p0 & divides(3, p0-q0) & ~square(q0) | q0 < p0 & divides(p0-q0, 60)",
                150,
                none,
            ),
            (
                2,
                0,
                "q1 = p1 & q0 >= 1 & q0 < p0 & divides(q0, p0) | q0 = p0 & q1 < p1 & p1 <= 2*q1+5",
                20,
                none,
            ),
            (
                2,
                0,
                "q1 = p1 & 3*q0+3 < p0 | q0 = p0 & q1 < p1 & divides(p1-q1, p1) & q1 >= 1",
                140,
                &[4, 140],
            ),
            (
                2,
                0,
                "q1 = p1 & q0 < p0 & gcd(q0, p1) <= 2 | q0 = p0 & q1 < p1 & (q1 xor p0) mod 3 != 1",
                20,
                none,
            ),
            (
                2,
                0,
                "q1 = p1 & q0 < p0 & gcd(q0, p1) != 1 & square(p1) | q0 = p0 & q1 < p1 & p1 - q1 \
                 = gcd(p1, 12)",
                140,
                &[140, 4],
            ),
            (
                2,
                0,
                "q1 = p1 & q0 < p0 & q0*p1 <= 40 | q0+1 = p0 & q1+2 = p1 & ~divides(p0, q1) | q0 \
                 = p0 & q1 < p1 & prime(q1)",
                20,
                none,
            ),
            (
                3,
                0,
                "q0 = p0 & q1 = p1 & q2 < p2 & divides(q2, p0) | q0 = p0 & q2 = p2 & q1 < p1 & \
                 bitand(q1, p2) = 0 | q1 = p1 & q2 = p2 & q0 < p0 & (p0 xor p2) > p0",
                5,
                none,
            ),
            (1, 1, "q0 < p0 & divides(q0+1, p1+6) & q1+q0 = p0", 30, none),
            (1, 1, "q0 < p0 & gcd(q0, p1) = 1 & q1+q0 = p0", 12, none),
            (1, 1, "q0 < p0 & p0 <= q0+p1 & q1+2*q0 = 2*p0", 12, none),
            (1, 1, "q0 < p0 & p0 <= q0+p1 & q1+2*q0 = 2*p0", 80, &[6, 80]),
            (1, 1, "q0 < p0 & p0-q0 != p1 & q1+q0 = p0", 12, none),
            (1, 1, "q0 < p0 & p0-q0 <= 3 & p0-q0 != p1 & q1+q0 = p0", 90, &[8, 90]),
            (1, 1, "q0 < p0 & (p0-q0+p1) mod 5 != 2 & q1+q0 = p0", 70, &[9, 70]),
            (
                2,
                1,
                "q1 = p1 & q0 < p0 & p0-q0 != p2 & q2+q0 = p0 | q0 = p0 & q1 < p1 & p1 <= q1+p2+1 \
                 & q2 = 1",
                4,
                none,
            ),
        ];
        for (heaps, count, condition, max, limits) in conditions {
            assert!(is_as_the_formula_says([heaps, count], condition, max, limits), "{condition}");
        }
    }

    /// Conditions drawn by lot on the size afterwards and one number before.
    #[test]
    fn random_pairs() {
        let mut random = random(48);
        let mut covered = 0;
        for _ in 0..80 {
            let mut condition = |heap: usize| -> String {
                // Digits are not those of differences.
                let numbers = [
                    format!("q{heap}"),
                    format!("p{heap}"),
                    "p0".to_owned(),
                    "p1".to_owned(),
                    format!("q{heap}+{}", random(4)),
                    (1 + random(12)).to_string(),
                    format!("p{heap}-q{heap}"),
                    format!("{}*q{heap}-1", 2 + random(3)),
                ];
                let [a, b, c, d] =
                    [8, 8, 6, 6].map(|count| numbers[random(count) as usize].clone());
                let k = random(7);
                match random(9) {
                    0..3 => format!("divides({a}, {b})"),
                    3 => format!("~divides({a}, {b})"),
                    4 => format!("gcd({c}, {d}) <= {}", k + 1),
                    5 => format!("(({c}) xor ({d})) mod 4 != {}", k % 4),
                    6 => format!("({a})*({b}) != {k} & bitand({c}, {k}) = 0"),
                    7 => format!("square({a}) | min({b}, {k}) >= ({c}) div 2"),
                    _ => format!("prime({a}) | ({d}) mod 70 = {k}"),
                }
            };
            let [one, other] = [condition(0), condition(1)];
            let stated = format!("q1 = p1 & q0 < p0 & ({one}) | q0 = p0 & q1 < p1 & ({other})");
            covered += u32::from(is_as_the_formula_says([2, 0], &stated, 9, &[]));
            covered += u32::from(is_as_the_formula_says(
                [1, 0],
                &format!("q0 < p0 & ({})", one.replace("p1", "p0")),
                40,
                &[],
            ));
        }
        assert!(covered > 60, "{covered}");
    }

    /// Returns whether the game is one of this kind; its tables by asking the formula of every pair
    /// of positions.
    fn is_as_the_formula_says(
        [heaps, count]: [usize; 2],
        condition: &str,
        max: u32,
        limits: &[u32],
    ) -> bool {
        let stated = game(heaps + count, count, condition);
        let formula = stated.moves.condition.clone().unwrap();
        let Some(table) = Spanwise::new(&stated) else { return false };
        let table = table.limited_to(limits.to_vec());
        let numbers = heaps + count;
        let most = |number: usize| limits.get(number).copied().unwrap_or(max);
        let side = |number: usize| {
            // What is remembered may be more than there are tokens.
            let reached = (0..heaps).map(most).max().unwrap() * 3;
            if number < heaps { most(number) + 1 } else { most(number).max(reached) + 1 }
        };
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for number in 0..numbers {
            all = all
                .iter()
                .flat_map(|p| (0..side(number)).map(|x| [&p[..], &[x]].concat()))
                .collect();
        }
        let brute = by_trying(&formula, heaps, &all);
        let found =
            all.into_iter().zip(brute).filter(|(p, _)| p.iter().all(|number| *number <= max));
        compare_tables(&table, max, found, table.positions(max), condition);
        true
    }

    /// What is remembered along with itself would have no end, and other symmetries no table.
    #[test]
    fn other_games_are_left_to_other_engines() {
        assert!(Spanwise::new(&game(2, 1, "q0 < p0 & q1 = p1+1")).is_none());
        let full = HeapGame { symmetry: Symmetry::Full, ..game(2, 1, "q0 < p0 & q1 = 0") };
        assert!(Spanwise::new(&full).is_none());
    }
}

//! Spans along rows of positions: which of a row reach P-positions of other rows.

use super::address;
use super::bits::{Bits, has};
use super::mask::{Mask, Pattern};
use crate::heap_options::{Form, PairTable, Place, Span};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};

/// For each row the moves that lead from it to a P-position, as far as they are known by that
/// position.
pub(super) struct Arrivals {
    /// The first entry of each row.
    pub(super) heads: Vec<u32>,
    /// Span, size afterwards, and the next entry of the row.
    pub(super) entries: Vec<[u32; 3]>,
    pub(super) most: usize,
}

/// No entry.
pub(super) const END: u32 = u32::MAX;

impl Arrivals {
    pub(super) fn new(rows: usize, most: usize) -> Arrivals {
        Arrivals { heads: vec![END; rows], entries: Vec::new(), most: most.min(END as usize) }
    }

    /// Adds a move; `false` if there is no room.
    pub(super) fn add(&mut self, row: usize, span: u32, size: u32) -> bool {
        let has_room = self.entries.len() < self.most;
        if has_room {
            let next = std::mem::replace(&mut self.heads[row], self.entries.len() as u32);
            self.entries.push([span, size, next]);
        }
        has_room
    }

    /// Returns the sizes to which a span leads from a row.
    pub(super) fn sizes(&self, row: usize, wanted: u32) -> impl Iterator<Item = i64> {
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
pub(super) struct RowSpan<'s> {
    pub(super) span: &'s Span,
    pub(super) number: u32,
    /// The row of an option, and its last number.
    pub(super) row: Form,
    pub(super) last: &'s Form,
    /// The remainders of each test along the sizes, and along the last number.
    pub(super) by_size: Vec<Option<Pattern>>,
    pub(super) by_last: Vec<Option<Pattern>>,
    /// The answers to the tests of pairs: along the last number, if another heap is lowered.
    pub(super) pairs: Vec<PairTable>,
}

/// A span at a row: what is known of its forms if the last number is 0.
pub(super) struct SpanAtRow<'s> {
    pub(super) span: &'s RowSpan<'s>,
    /// The first position of the row.
    pub(super) p: &'s [u32],
    pub(super) row: i64,
    pub(super) last: i64,
    pub(super) bounds: SmallVec<[i64; 4]>,
    pub(super) tests: SmallVec<[i64; 2]>,
}

/// A row along the last number.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    /// Its first position, and its number.
    pub(super) p: &'a [u32],
    pub(super) number: i64,
    /// How many positions it has, and a bit for each.
    pub(super) side: usize,
    pub(super) full: &'a [u64],
}

/// Moves within the row: so much is taken from the last number where the mask says so.
pub(super) struct WithinRow<'s> {
    pub(super) taken: i64,
    pub(super) allowed: Mask<'s>,
}

impl<'s> RowSpan<'s> {
    pub(super) fn new(
        span: &'s Span,
        number: u32,
        strides: &[usize],
        sides: &[usize],
    ) -> RowSpan<'s> {
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
    pub(super) fn is_invertible(&self) -> bool {
        let last = self.span.after.len() - 1;
        self.span.heap != last
            && self.last.before[last] == 0
            && self.last.before[self.span.heap] != 0
    }

    /// Returns the row from which a move of this span leads to a position, if there is one.
    pub(super) fn origin(&self, q: &[u32], strides: &[usize], sides: &[usize]) -> Option<usize> {
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
    pub(super) fn at<'r>(&'r self, p: &'r [u32]) -> SpanAtRow<'r> {
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
pub(super) fn side(span: &Span, sides: &[usize]) -> impl Fn(Place) -> usize {
    move |place| match place {
        Place::Before(number) => sides[number],
        Place::After => sides[span.heap],
    }
}

impl<'s> SpanAtRow<'s> {
    /// Restricts sizes of the last heap, whose span this is, at one of its sizes.
    pub(super) fn pair_sizes(&self, last: u32, sizes: &mut Mask<'s>) {
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
    pub(super) fn sizes(&self, last: u32) -> Mask<'s> {
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
    pub(super) fn each(
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
    pub(super) fn add_reaching(
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
    pub(super) fn add_movable(&self, row: Row<'_>, movable: &mut [u64]) {
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
pub(super) fn add_shifted(row: &[u64], by: usize, allowed: &Mask<'_>, target: &mut [u64]) {
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

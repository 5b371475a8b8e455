//! Boxes of games whose moves are spans ([`Span`]): row by row along the last number, in
//! lexicographic order.
//!
//! *P-positions.* One table has a bit for each position, a row of words for all sizes of the last
//! number. Moves of another heap lead to other rows, which are known: for each size of that heap
//! the row there is added to the positions that reach a P-position, with a mask of those from which
//! the move is allowed. If what the last number becomes does not depend on it, as with a memory, a
//! size is one bit, and whole rows follow from it: each P-position says at once from which row a
//! move leads to it ([`row_span::Arrivals`]). Positions that are still open are then settled from
//! the least on by the moves of the last heap, whose sizes are looked up 64 at a time. Bounds
//! become intervals, remainders periodic words, exceptions single bits ([`mask::Mask`]). What is
//! remembered may be more than the greatest heap, and the table reaches as far as play leads.
//!
//! *Pairs.* What a move says of two numbers and is no sum (`divides`, ⊕, …) is asked once for each
//! pair, and the answers are rows of bits. With one heap a row is made when its size is settled.
//!
//! *Nim-values.* If a heap may be lowered to any size from a bound on that leaves certain
//! remainders, but perhaps not to one of them, then a value is reached if the last size on the line
//! of this heap that has it is no less ([`last_sizes::LastSizes`]); the size before it counts if
//! that is the exception. Other moves are tried one by one.

mod bits;
mod last_sizes;
mod mask;
mod pair_rows;
mod row_span;

use super::game::is_least;
use super::{HeapTableError, Limits, Plan};
use crate::heap_options::{Form, HEAPS_BELOW, HeapOptions, PairTable, PairTest, Span};
use bits::{Bits, has, ones};
use bouton_core::{HeapGame, Play, Symmetry};
use last_sizes::{
    Excepted, LastSizes, Number, Residues, exceptions, fit_bytes, least_unreached, remainders,
};
use mask::Mask;
use pair_rows::{PairRows, sizes_of_pairs, visit_sizes};
use row_span::{Arrivals, Row, RowSpan, SpanAtRow, WithinRow, side};
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Break, Continue};

/// The longest common period of remainders for which last sizes are kept.
const MAX_RESIDUES: u64 = 8;

/// Words of the table for each entry of the moves that lead to P-positions, at least.
const ENTRY_WORDS: usize = 4;

/// Pairs that are asked for in any case.
const FEW_PAIRS: u128 = 1 << 22;

/// A game of this kind.
#[derive(Debug, Clone)]
pub struct SpanSweep {
    numbers: usize,
    tokens: usize,
    symmetry: Symmetry,
    spans: Vec<Span>,
    /// Bounds of the numbers besides that of a box, if there are any.
    limits: Vec<u32>,
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

impl SpanSweep {
    /// Returns the game, if its moves are spans and its heaps keep their places.
    pub fn new(game: &HeapGame) -> Option<SpanSweep> {
        let moves = &game.moves;
        let remembered = moves.memory.count;
        let tokens = game.heaps.checked_sub(remembered).filter(|tokens| *tokens > 0)?;
        let has_order = remembered > 0 && game.symmetry != Symmetry::None;
        if game.shrinks || moves.permutation.is_some() || moves.domain.is_some() || has_order {
            return None;
        }
        let spans = HeapOptions::new(moves, Some(game.heaps), false).spans(game.heaps)?;
        let game = SpanSweep {
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
    pub fn limited_to(self, limits: Vec<u32>) -> SpanSweep {
        if self.symmetry == Symmetry::None { SpanSweep { limits, ..self } } else { self }
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
            return Err(HeapTableError::HeapTooLarge { max, most: 0, fits: None });
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
                (1..=MAX_RESIDUES).find(|k| (k * *period as u64).is_multiple_of(span.period))?;
            *period *= common as usize;
            if *period as u64 > MAX_RESIDUES {
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

    /// Visits the values if [`SpanSweep::periods`] says how sizes are distinguished.
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
mod tests;

//! Automata learned by asking: is this position P, and where is this automaton wrong?
//!
//! States are beginnings of positions, columns of digits of all heaps, most significant first. Two
//! beginnings are one state as long as every known ending leads from both to P or from both to N.
//! A position on which the automaton is wrong has an ending that tells two beginnings apart that
//! were one state (Rivest and Schapire, Inference of finite automata using homing sequences,
//! Information and Computation 103, 1993); it joins the known ones, and the automaton grows. The
//! least automaton of n states is thus found after at most n wrong ones (Angluin 1987). Zeros
//! before all numbers lead from the first state to itself, since they change no number.

use crate::automaton::{Automaton, exact_fit};
use crate::form::{ClosedForm, FittedForm};
use crate::table::OutcomeTable;
use bouton_core::{DigitSystem, DigitValue};
use rustc_hash::FxHashMap;

/// How positions are read: digits of all heaps together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The digits of each heap.
    pub digits: DigitSystem,
    /// Heaps of a position.
    pub heaps: usize,
}

/// Columns of digits of all heaps ([`DigitSystem`]).
type Columns = Vec<u16>;

/// How many turns of a search go between two looks at the time.
const LOOK: usize = 4096;

/// What is sought among the positions that an automaton accepts.
struct Search<'s> {
    tops: &'s [u64],
    can_accept: &'s [bool],
    looks: usize,
    is_late: &'s dyn Fn() -> bool,
    is_sought: &'s mut dyn FnMut(&[u64]) -> bool,
}

impl Search<'_> {
    /// Returns whether it is too late; from then on in every turn.
    fn is_stopped(&mut self) -> bool {
        if self.looks < LOOK {
            self.looks += 1;
            return false;
        }
        let is_late = (self.is_late)();
        self.looks = if is_late { LOOK } else { 0 };
        is_late
    }
}

impl Reading {
    /// Returns a position after one more column; `None` beyond 64 bits.
    fn grown(self, position: &[DigitValue], column: u16) -> Option<Vec<DigitValue>> {
        let (base, mut rest) = (self.digits.base() as u64, u64::from(column));
        let longer = |value: &DigitValue| {
            let digit = rest % base;
            rest /= base;
            self.digits.extended(*value, digit)
        };
        position.iter().map(longer).collect()
    }

    /// Returns how 0, 1, … are written, so many numbers: in the order of rows of digits.
    fn numbers(self, count: usize) -> Vec<WrittenNumber> {
        let mut all = vec![WrittenNumber { before: 0, last: 0, digits: 0, mark: 0 }];
        let mut before = 0;
        while all.len() < count {
            let WrittenNumber { digits, mark, .. } = all[before];
            // After 0 the digit 0 is 0 again.
            for last in usize::from(before == 0)..self.digits.base() {
                if let Some(mark) = self.digits.after(mark, last) {
                    all.push(WrittenNumber { before, last, digits: digits + 1, mark });
                }
            }
            before += 1;
        }
        all.truncate(count);
        all
    }

    /// Returns the columns of a position, without zeros before them.
    fn columns(self, position: &[u64]) -> Columns {
        self.digits.columns(position).into_iter().map(|column| column as u16).collect()
    }
}

/// A number without its last digit, that digit, how many digits there are, and the mark after them.
struct WrittenNumber {
    before: usize,
    last: usize,
    digits: usize,
    mark: usize,
}

/// What becomes of learning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Learned {
    /// The automaton on which no position was found to be wrong.
    Automaton(Automaton),
    /// More states than allowed are needed.
    TooManyStates,
    /// A position beyond 64 bits would have to be asked for.
    TooLarge,
}

/// Learns an automaton of at most `most` states.
///
/// `is_p` answers for single positions. `refute` returns a position on which an automaton is
/// wrong, or `None` if there is none; each automaton is the least one that has all answers so far.
///
/// # Errors
/// The first error of `is_p` or `refute`.
///
/// # Panics
/// If `refute` returns a position on which the automaton is right.
#[allow(clippy::type_complexity, reason = "the two questions of the learner, in full")]
pub fn learn<E>(
    reading: Reading,
    most: usize,
    is_p: &mut dyn FnMut(&[u64]) -> Result<bool, E>,
    refute: &mut dyn FnMut(&Automaton) -> Result<Option<Vec<u64>>, E>,
) -> Result<Learned, E> {
    let mut learner = Learner { reading, endings: vec![Vec::new()], futures: FxHashMap::default() };
    loop {
        let (beginnings, automaton) = match learner.automaton(most, is_p)? {
            Ok(made) => made,
            Err(end) => return Ok(end),
        };
        let Some(wrong) = refute(&automaton)? else { return Ok(Learned::Automaton(automaton)) };
        match learner.ending(&beginnings, &automaton, &wrong, is_p)? {
            Some(ending) => learner.endings.push(ending),
            None => return Ok(Learned::TooLarge),
        }
    }
}

struct Learner {
    reading: Reading,
    endings: Vec<Columns>,
    /// Of beginnings met: whether each known ending leads to P.
    futures: FxHashMap<Columns, Vec<bool>>,
}

impl Learner {
    /// Returns whether a beginning and what follows are P, and digits of numbers at all; `None`
    /// beyond 64 bits.
    fn ask<E>(
        &self,
        beginning: &[u16],
        ending: &[u16],
        is_p: &mut dyn FnMut(&[u64]) -> Result<bool, E>,
    ) -> Result<Option<bool>, E> {
        let (mut position, mut marks) = (vec![DigitValue::default(); self.reading.heaps], 0);
        for column in beginning.iter().chain(ending) {
            let Some(next) = self.reading.digits.after(marks, usize::from(*column)) else {
                return Ok(Some(false));
            };
            let Some(longer) = self.reading.grown(&position, *column) else { return Ok(None) };
            (position, marks) = (longer, next);
        }
        let position: Vec<u64> = position.into_iter().map(|[heap, ..]| heap).collect();
        is_p(&position).map(Some)
    }

    /// Returns what is known to follow a beginning.
    fn future<E>(
        &mut self,
        beginning: &Columns,
        is_p: &mut dyn FnMut(&[u64]) -> Result<bool, E>,
    ) -> Result<Option<Vec<bool>>, E> {
        let mut future = self.futures.remove(beginning).unwrap_or_default();
        for ending in &self.endings[future.len()..] {
            match self.ask(beginning, ending, is_p)? {
                Some(is_p) => future.push(is_p),
                None => return Ok(None),
            }
        }
        self.futures.insert(beginning.clone(), future.clone());
        Ok(Some(future))
    }

    /// Returns the least automaton with all that is known, and a beginning that leads to each of
    /// its states.
    #[allow(clippy::type_complexity)]
    fn automaton<E>(
        &mut self,
        most: usize,
        is_p: &mut dyn FnMut(&[u64]) -> Result<bool, E>,
    ) -> Result<Result<(Vec<Columns>, Automaton), Learned>, E> {
        let Reading { digits, heaps } = self.reading;
        let mut beginnings: Vec<Columns> = vec![Vec::new()];
        let Some(first) = self.future(&Vec::new(), is_p)? else {
            return Ok(Err(Learned::TooLarge));
        };
        let mut states = FxHashMap::from_iter([(first.clone(), 0)]);
        let (mut accepts, mut next) = (vec![first[0]], Vec::new());
        let mut at = 0;
        while at < beginnings.len() {
            let mut row = Vec::new();
            for column in 0..digits.base().pow(heaps as u32) {
                let mut longer = beginnings[at].clone();
                if column > 0 || !longer.is_empty() {
                    longer.push(column as u16);
                }
                let Some(future) = self.future(&longer, is_p)? else {
                    return Ok(Err(Learned::TooLarge));
                };
                let new = beginnings.len();
                // The first ending is empty: it tells whether the beginning itself is P.
                let is_p = future[0];
                let to = *states.entry(future).or_insert(new);
                if to == new {
                    if new == most {
                        return Ok(Err(Learned::TooManyStates));
                    }
                    beginnings.push(longer);
                    accepts.push(is_p);
                }
                row.push(to);
            }
            next.push(row);
            at += 1;
        }
        Ok(Ok((beginnings, Automaton { digits, heaps, next, accepts })))
    }

    /// Returns the shortest ending of a position, on which the automaton is wrong, that tells apart
    /// two beginnings of one state; `None` beyond 64 bits.
    fn ending<E>(
        &self,
        beginnings: &[Columns],
        automaton: &Automaton,
        wrong: &[u64],
        is_p: &mut dyn FnMut(&[u64]) -> Result<bool, E>,
    ) -> Result<Option<Columns>, E> {
        let word = self.reading.columns(wrong);
        let mut states = vec![0];
        for column in &word {
            states.push(automaton.next[states[states.len() - 1]][usize::from(*column)]);
        }
        let mut later = automaton.accepts[states[word.len()]];
        for at in (0..word.len()).rev() {
            let Some(now) = self.ask(&beginnings[states[at]], &word[at..], is_p)? else {
                return Ok(None);
            };
            if now != later {
                return Ok(Some(word[at + 1..].to_vec()));
            }
            later = now;
        }
        panic!("the automaton is right on {wrong:?}");
    }
}

/// Returns the automaton as a form of the table with which it agrees.
pub fn learned_form(automaton: Automaton, table: &OutcomeTable) -> FittedForm {
    let bits = -table.density().log2();
    exact_fit(automaton, table.class_count(), bits, table.most()).map(ClosedForm::Automaton)
}

impl Automaton {
    /// Returns how it reads positions.
    pub(crate) fn reading(&self) -> Reading {
        Reading { digits: self.digits, heaps: self.heaps }
    }

    /// Returns a position with heaps up to these on which the automaton is wrong, its greatest heap
    /// having the least number of digits; `None` if there is none. O(positions), with four bytes for
    /// each of the positions that these become without their last digits.
    ///
    /// # Panics
    /// Unless there is one number for each heap.
    pub fn least_wrong(&self, tops: &[u64], is_p: &dyn Fn(&[u64]) -> bool) -> Option<Vec<u64>> {
        assert_eq!(tops.len(), self.heaps, "one number for each heap");
        let sides: Vec<usize> = tops.iter().map(|top| *top as usize + 1).collect();
        let numbers = self.reading().numbers(sides.iter().copied().max()?);
        // The state after each position that is another one's without its last digits, the first
        // heap running first.
        let kept: Vec<usize> = sides.iter().map(|side| numbers[side - 1].before + 1).collect();
        let mut states = vec![0u32; kept.iter().product()];
        let longest = numbers.iter().map(|number| number.digits).max()?;
        for digits in 0..=longest {
            let below = numbers.partition_point(|number| number.digits <= digits);
            let mut p = vec![0; self.heaps];
            loop {
                if p.iter().any(|heap| numbers[*heap].digits == digits) {
                    let (mut own, mut before, mut column) = (0, 0, 0);
                    for (heap, kept) in p.iter().zip(&kept).rev() {
                        let number = &numbers[*heap];
                        own = own * kept + heap;
                        before = before * kept + number.before;
                        column = column * self.digits.base() + number.last;
                    }
                    let state = self.next[states[before] as usize][column];
                    if p.iter().zip(&kept).all(|(heap, kept)| heap < kept) {
                        states[own] = state as u32;
                    }
                    let heaps = || p.iter().map(|heap| *heap as u64).collect::<Vec<_>>();
                    if self.accepts[state] != is_p(&heaps()) {
                        return Some(heaps());
                    }
                }
                let Some(heap) = (0..p.len()).find(|heap| p[*heap] + 1 < below.min(sides[*heap]))
                else {
                    break;
                };
                p[heap] += 1;
                p[..heap].fill(0);
            }
        }
        None
    }

    /// Returns the first position with heaps up to these, in the order of rows of columns, that is
    /// accepted and sought; `None` if there is none, or as soon as it is too late. O(positions
    /// accepted · columns).
    pub fn find_accepted(
        &self,
        tops: &[u64],
        is_late: &dyn Fn() -> bool,
        is_sought: &mut dyn FnMut(&[u64]) -> bool,
    ) -> Option<Vec<u64>> {
        let can_accept = self.can_accept();
        let empty = vec![DigitValue::default(); self.heaps];
        let digits = self.reading().columns(tops).len();
        let mut search = Search { tops, can_accept: &can_accept, looks: 0, is_late, is_sought };
        self.accepted_below(0, (&empty, 0), digits, &mut search)
    }

    /// Returns the same among positions that begin with columns read, which lead to a state, and
    /// have so many columns more.
    fn accepted_below(
        &self,
        state: usize,
        (read, marks): (&[DigitValue], usize),
        digits: usize,
        search: &mut Search<'_>,
    ) -> Option<Vec<u64>> {
        let heaps = || read.iter().map(|[heap, ..]| *heap).collect::<Vec<_>>();
        let is_above = || heaps().iter().zip(search.tops).any(|(heap, top)| heap > top);
        if !search.can_accept[state] || is_above() || search.is_stopped() {
            return None;
        }
        if digits == 0 {
            return (self.accepts[state] && (search.is_sought)(&heaps())).then(heaps);
        }
        (0u16..).zip(&self.next[state]).find_map(|(column, to)| {
            let marks = self.digits.after(marks, usize::from(column))?;
            let longer = self.reading().grown(read, column)?;
            self.accepted_below(*to, (&longer, marks), digits - 1, search)
        })
    }

    /// Returns the first of some numbers on which an automaton of one heap to a base is wrong;
    /// `None` if there is none. O(numbers).
    pub fn first_wrong_number(&self, is_p: &[bool]) -> Option<u64> {
        let (base, mut states) = (self.digits.base(), Vec::<u32>::with_capacity(is_p.len()));
        let wrong = (0..).zip(is_p).find(|&(number, is_p)| {
            let before = if number < base { 0 } else { states[number / base] };
            let state = self.next[before as usize][number % base];
            states.push(state as u32);
            self.accepts[state] != *is_p
        });
        wrong.map(|(number, _)| number as u64)
    }

    /// Returns whether it accepts a position.
    pub fn accepts(&self, p: &[i64]) -> bool {
        let p: Vec<u64> = p.iter().map(|x| u64::try_from(*x).unwrap_or(0)).collect();
        let columns = self.reading().columns(&p);
        let end = columns.iter().fold(0, |state, column| self.next[state][usize::from(*column)]);
        self.accepts[end]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use std::collections::HashSet;
    use std::convert::Infallible;

    /// Random numbers, the same in every run.
    struct Random(fastrand::Rng);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0.usize(..n)
        }

        fn automaton(&mut self, base: usize, heaps: usize, states: usize) -> Automaton {
            let columns = base.pow(heaps as u32);
            let row =
                |lot: &mut Random| (0..columns).map(|_| lot.below(states)).collect::<Vec<_>>();
            let mut next: Vec<Vec<usize>> = (0..states).map(|_| row(self)).collect();
            next[0][0] = 0;
            let accepts = (0..states).map(|_| self.below(2) == 1).collect();
            Automaton { digits: DigitSystem::to_base(base), heaps, next, accepts }
        }
    }

    /// Returns how many states the least automaton has: classes of those that are reached, by
    /// refinement.
    fn least_states(automaton: &Automaton) -> usize {
        let mut reached = vec![0];
        let mut at = 0;
        while at < reached.len() {
            for to in &automaton.next[reached[at]] {
                if !reached.contains(to) {
                    reached.push(*to);
                }
            }
            at += 1;
        }
        let mut class: Vec<usize> =
            automaton.accepts.iter().map(|accepts| usize::from(*accepts)).collect();
        let mut count = 0;
        loop {
            let mut kinds: Vec<Vec<usize>> = Vec::new();
            let mut refined = vec![0; class.len()];
            for state in &reached {
                let mut kind = vec![class[*state]];
                kind.extend(automaton.next[*state].iter().map(|to| class[*to]));
                refined[*state] = kinds.iter().position(|own| *own == kind).unwrap_or_else(|| {
                    kinds.push(kind);
                    kinds.len() - 1
                });
            }
            class = refined;
            if kinds.len() == count {
                return count;
            }
            count = kinds.len();
        }
    }

    /// Returns the least position (fewest digits) on which two automata differ: both read it
    /// together.
    fn difference(one: &Automaton, other: &Automaton) -> Option<Vec<u64>> {
        let mut met = HashSet::from([(0, 0)]);
        let mut open = vec![((0, 0), vec![0u64; one.heaps])];
        let mut at = 0;
        while at < open.len() {
            let ((s, t), p) = open[at].clone();
            if one.accepts[s] != other.accepts[t] {
                return Some(p);
            }
            for column in 0..one.next[s].len() {
                let both = (one.next[s][column], other.next[t][column]);
                if met.insert(both) {
                    let base = one.digits.base();
                    let digit = |heap: usize| (column / base.pow(heap as u32) % base) as u64;
                    let longer = |(heap, x): (usize, &u64)| base as u64 * x + digit(heap);
                    open.push((both, p.iter().enumerate().map(longer).collect()));
                }
            }
            at += 1;
        }
        None
    }

    /// Of random automata over digits to every base, the least one is learned, in as many rounds as
    /// it has states at most.
    #[test]
    fn the_least_automaton_is_learned() {
        let mut lot = Random(fastrand::Rng::with_seed(0x3c6e_f372_fe94_f82b));
        let mut states = 0;
        for number in 0..400 {
            let base = 2 + number % 9;
            let heaps = 1 + lot.below(if base > 3 { 1 } else { 3 });
            let count = 1 + lot.below(12);
            let hidden = lot.automaton(base, heaps, count);
            let mut rounds = 0;
            let learned = learn::<Infallible>(
                Reading { digits: DigitSystem::to_base(base), heaps },
                20,
                &mut |p| Ok(hidden.accepts(&p.iter().map(|x| *x as i64).collect::<Vec<_>>())),
                &mut |automaton| {
                    rounds += 1;
                    Ok(difference(&hidden, automaton))
                },
            );
            let Ok(Learned::Automaton(found)) = learned else { panic!("{learned:?}") };
            let least = least_states(&hidden);
            assert_eq!(difference(&hidden, &found), None);
            assert_eq!(found.next.len(), least, "{hidden:?}");
            assert_eq!(least_states(&found), least);
            assert!(rounds <= least + 1);
            states = states.max(least);
        }
        assert!(states > 8);
    }

    /// The first number on which an automaton of one heap is wrong is that of a comparison one by
    /// one.
    #[test]
    fn the_first_wrong_number() {
        let mut lot = Random(fastrand::Rng::with_seed(11));
        for number in 0..300 {
            let automaton = lot.automaton(2 + number % 9, 1, 6);
            let mut is_p: Vec<bool> = (0..2000).map(|x| automaton.accepts(&[x])).collect();
            assert_eq!(automaton.first_wrong_number(&is_p), None);
            let changed = [lot.below(2000), lot.below(2000)];
            changed.iter().for_each(|x| is_p[*x] = !automaton.accepts(&[*x as i64]));
            assert_eq!(
                automaton.first_wrong_number(&is_p),
                changed.iter().min().map(|x| *x as u64)
            );
        }
    }

    /// A position on which an automaton is wrong has a greatest heap with the least number of
    /// digits, in digits of every kind; none is found in a box without one.
    #[test]
    fn the_least_wrong_position() {
        let mut lot = Random(fastrand::Rng::with_seed(5));
        let systems: [&[usize]; 7] =
            [&[2], &[5], &[1, 1], &[3, 2], &[1, 0, 1], &[1, 0, 0, 1], &[1, 1, 1]];
        for number in 0..140 {
            let digits = DigitSystem::from_coefficients(systems[number % 7], &[]).unwrap();
            let columns = digits.base().pow(2);
            let mut next: Vec<Vec<usize>> =
                (0..5).map(|_| (0..columns).map(|_| lot.below(5)).collect()).collect();
            next[0][0] = 0;
            let accepts = (0..5).map(|_| lot.below(2) == 1).collect();
            let automaton = Automaton { digits, heaps: 2, next, accepts };
            let tops = [lot.below(40) as u64, lot.below(90) as u64];
            let wrong: Vec<[u64; 2]> =
                (0..lot.below(4)).map(|_| [lot.below(50) as u64, lot.below(100) as u64]).collect();
            let is_p = |p: &[u64]| {
                automaton.accepts(&[p[0] as i64, p[1] as i64]) != wrong.iter().any(|own| own == p)
            };
            let length = |p: &[u64]| digits.columns(p).len();
            let inside = wrong.iter().filter(|p| p[0] <= tops[0] && p[1] <= tops[1]);
            let least = inside.map(|p| length(p)).min();
            let found = automaton.least_wrong(&tops, &is_p);
            assert_eq!(found.as_ref().map(|p| length(p)), least, "{digits}: {wrong:?} {tops:?}");
            assert!(found.is_none_or(|p| wrong.iter().any(|own| *own == *p)));
        }
    }

    /// Columns of Zeckendorf's digits are what is read of them, numerals, and greater numbers come
    /// later in the order of rows of digits.
    #[test]
    fn columns_of_zeckendorf_are_numbers() {
        for base in 2..=10 {
            let reading = Reading { digits: DigitSystem::zeckendorf(base), heaps: 2 };
            let mut before: Columns = Vec::new();
            for a in 0..2000u64 {
                let p = [a, a * a % 701];
                let columns = reading.columns(&p);
                let grown = columns.iter().fold(vec![DigitValue::default(); 2], |read, column| {
                    reading.grown(&read, *column).unwrap()
                });
                assert_eq!([grown[0][0], grown[1][0]], p);
                let after = |marks, column: &u16| reading.digits.after(marks, usize::from(*column));
                assert!(columns.iter().try_fold(0, after).is_some());
                let alone =
                    Reading { digits: DigitSystem::zeckendorf(base), heaps: 1 }.columns(&[a]);
                assert!(a == 0 || (before.len(), &before) < (alone.len(), &alone), "{base}: {a}");
                before = alone;
            }
        }
    }

    /// Whether two numbers are ⌊nα⌋ and ⌊nα⌋ + kn with α = (2 − k + √(k² + 4))/2 depends on how
    /// their digits of Zeckendorf to base k + 1 end (Fraenkel 1982): learned from their definition
    /// by whole roots.
    #[test]
    fn an_automaton_over_digits_of_zeckendorf_is_learned() {
        for k in 1..=4u64 {
            let lower = |n: u64| (((k * k + 4) * n * n).isqrt() - k * n) / 2 + n;
            let is_p = |p: &[u64]| (0..=p[0]).any(|n| lower(n) == p[0] && p[1] == p[0] + k * n);
            let reading = Reading { digits: DigitSystem::zeckendorf(k as usize + 1), heaps: 2 };
            let learned =
                learn::<Infallible>(reading, 40, &mut |p| Ok(is_p(p)), &mut |automaton| {
                    Ok(automaton.least_wrong(&[150, 250], &is_p))
                });
            let Ok(Learned::Automaton(found)) = learned else { panic!("{learned:?}") };
            for n in 0..3000 {
                let (a, b) = (lower(n) as i64, (lower(n) + k * n) as i64);
                assert!(found.accepts(&[a, b]), "{k}: {a}, {b}");
                assert!(
                    !found.accepts(&[a, b + 1]) && !found.accepts(&[a + 1, b + 1]),
                    "{k}: {a}, {b}"
                );
            }
        }
    }

    #[test]
    fn what_has_too_many_states_is_not_learned() {
        // Squares are no regular set.
        let is_p = |p: &[u64]| p[0].isqrt() * p[0].isqrt() == p[0];
        let learned = learn::<Infallible>(
            Reading { digits: DigitSystem::to_base(2), heaps: 1 },
            12,
            &mut |p| Ok(is_p(p)),
            &mut |automaton| {
                Ok((0..1 << 12)
                    .map(|x| vec![x])
                    .find(|p| automaton.accepts(&[p[0] as i64]) != is_p(p)))
            },
        );
        assert_eq!(learned, Ok(Learned::TooManyStates));
    }
}

//! Moves in one heap at a time, as spans: the heap ends at any size between two bounds that leaves
//! certain remainders, the other heaps lose constant numbers, and what is remembered is a linear
//! function of the heaps and of that size.
//!
//! Linear conditions, remainders by constants, other conditions on two numbers and `|` are read;
//! each alternative of the condition is a span of its own.

use super::pairs::{Comparison, PairTest};
use super::{HeapOptions, Linear, Remainder, Sign, Tree};
use bouton_core::MAX_HEAPS;
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Continue};

/// The most alternatives of a condition.
const MAX_ALTERNATIVES: usize = 64;
/// Coefficients and constants are at most this, so that sums over heaps of 32 bits fit in 64.
const MAX_COEFFICIENT: i64 = 1 << 24;
/// The longest common period of remainders that are stepped through.
const MAX_PERIOD: u64 = 1 << 12;

/// `own · x + Σ before[i] · p[i] + constant`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The coefficient of the size that the heap has afterwards.
    pub own: i64,
    /// The coefficients of the numbers before the move.
    pub before: Vec<i64>,
    /// The constant.
    pub constant: i64,
}

/// What must hold of a form besides bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// It is not 0.
    NotZero,
    /// It leaves one of these remainders.
    Remainder {
        /// At most 64.
        modulus: i64,
        /// The remainders, as bits.
        admitted: u64,
    },
}

/// The moves of one alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The heap that is lowered.
    pub heap: usize,
    /// What the numbers become; that of the heap is x.
    pub after: Vec<Form>,
    /// Whether the heap must lose a token, because no other one does.
    pub must_fall: bool,
    /// Forms that are at most 0.
    pub bounds: Vec<Form>,
    /// Forms of which something else holds.
    pub tests: Vec<(Form, Test)>,
    /// What must hold of two numbers.
    pub pairs: Vec<PairTest>,
    /// Remainders repeat after this many sizes.
    pub period: u64,
}

/// The sizes that a span has at one position.
#[derive(Debug)]
pub struct Admitted<'s> {
    /// The least and the greatest size; remainders and exceptions are left to [`Admitted::visit`].
    pub low: u32,
    /// See `low`.
    pub high: u32,
    /// Tests that depend on the size, with the rest of the form.
    tests: SmallVec<[(&'s Test, i64, i64); 2]>,
    period: u64,
}

impl Test {
    /// Returns the number whose multiples change nothing; 1 if there is none.
    pub fn modulus(self) -> i64 {
        match self {
            Test::NotZero => 1,
            Test::Remainder { modulus, .. } => modulus,
        }
    }

    /// Returns whether it holds of a value.
    pub fn holds(self, value: i64) -> bool {
        match self {
            Test::NotZero => value != 0,
            Test::Remainder { modulus, admitted } => admitted >> value.rem_euclid(modulus) & 1 == 1,
        }
    }
}

impl Form {
    fn zero(numbers: usize) -> Form {
        Form { own: 0, before: vec![0; numbers], constant: 0 }
    }

    /// Returns the value but for the size afterwards.
    #[inline]
    pub fn at(&self, p: &[u32]) -> i64 {
        self.before
            .iter()
            .zip(p)
            .fold(self.constant, |sum, (k, number)| sum + k * i64::from(*number))
    }

    /// Adds a multiple of another form.
    pub fn add(&mut self, times: i64, other: &Form) {
        self.own += times * other.own;
        self.before.iter_mut().zip(&other.before).for_each(|(sum, k)| *sum += times * k);
        self.constant += times * other.constant;
    }

    fn is_constant(&self) -> bool {
        self.own == 0 && self.before.iter().all(|k| *k == 0)
    }
}

impl Admitted<'_> {
    /// Returns whether the tests hold of a size between the bounds.
    #[inline]
    pub fn passes(&self, size: u32) -> bool {
        self.tests.iter().all(|(test, own, rest)| test.holds(own * i64::from(size) + rest))
    }

    /// Visits the sizes until `visit` breaks, not in order.
    #[inline]
    pub fn visit<B>(&self, mut visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.tests.is_empty() {
            return (self.low..=self.high).try_for_each(visit);
        }
        let holds = |size: u32, wanted: fn(&Test) -> bool| {
            let tests = self.tests.iter().filter(|(test, ..)| wanted(test));
            tests.clone().all(|(test, own, rest)| test.holds(own * i64::from(size) + rest))
        };
        let is_exception = |test: &Test| *test == Test::NotZero;
        let has_exceptions = self.tests.iter().any(|(test, ..)| is_exception(test));
        let last = u64::from(self.high).min(u64::from(self.low) + self.period - 1) as u32;
        for first in (self.low..=last).filter(|first| holds(*first, |test| *test != Test::NotZero))
        {
            for size in (first..=self.high).step_by(self.period as usize) {
                if !has_exceptions || holds(size, |test| *test == Test::NotZero) {
                    visit(size)?;
                }
            }
        }
        Continue(())
    }
}

impl Span {
    /// Returns the sizes at a position, tests of pairs aside; `None` if there are none.
    #[inline]
    pub fn admitted(&self, p: &[u32]) -> Option<Admitted<'_>> {
        let (mut low, mut high) = (0, i64::from(p[self.heap]) - i64::from(self.must_fall));
        for form in &self.bounds {
            let rest = form.at(p);
            match form.own {
                0 if rest > 0 => return None,
                0 => {}
                1 => high = high.min(-rest),
                -1 => low = low.max(rest),
                own @ 2.. => high = high.min((-rest).div_euclid(own)),
                own => low = low.max(-((-rest).div_euclid(-own))),
            }
        }
        if low > high {
            return None;
        }
        let mut tests = SmallVec::new();
        for (form, test) in &self.tests {
            let rest = form.at(p);
            match form.own {
                0 if test.holds(rest) => {}
                0 => return None,
                own => tests.push((test, own, rest)),
            }
        }
        Some(Admitted { low: low as u32, high: high as u32, tests, period: self.period })
    }

    /// Reads the parts of an alternative, all of which hold. `None` for other moves; inside, if no
    /// move is one.
    fn new(parts: &[&Tree], tokens: usize, numbers: usize) -> Option<Option<Span>> {
        let mut fixed: Vec<Option<FixedLoss>> = (0..tokens)
            .map(|heap| parts.iter().enumerate().find_map(|(at, part)| fixed_loss(heap, at, part)))
            .collect();
        if fixed.iter().flatten().any(|loss| loss.taken < 0) {
            return Some(None);
        }
        let Some(heap) = lowered_heap(&fixed)? else { return Some(None) };
        fixed[heap] = None;
        let mut used = vec![false; parts.len()];
        let mut after = vec![Form::zero(numbers); numbers];
        for (number, loss) in fixed.iter().enumerate() {
            match loss {
                Some(FixedLoss { at, taken }) => {
                    used[*at] = true;
                    after[number].before[number] = 1;
                    after[number].constant = -small(*taken)?;
                }
                None => after[number].own = 1,
            }
        }
        for number in tokens..numbers {
            let (at, form) = remembered(number, parts, tokens, &after)?;
            used[at] = true;
            after[number] = form;
        }
        let must_fall = fixed.iter().flatten().all(|loss| loss.taken == 0);
        let mut conditions = Conditions { bounds: natural(heap, &after), ..Conditions::default() };
        for (part, _) in parts.iter().zip(&used).filter(|(_, used)| !**used) {
            conditions.add(part, &after, tokens)?;
        }
        let Conditions { mut bounds, tests, pairs } = conditions;
        if bounds.iter().any(|form| form.is_constant() && form.constant > 0) {
            return Some(None);
        }
        // A heap is lowered in any case: by a token, if it must fall.
        let is_implied = |form: &Form| {
            let known = |(number, k): (usize, &i64)| *k == if number == heap { -1 } else { 0 };
            form.own == 1
                && form.before.iter().enumerate().all(known)
                && form.constant <= i64::from(must_fall)
        };
        bounds.retain(|form| !form.is_constant() && !is_implied(form));
        let period = common_period(&tests);
        let span = Span { heap, after, must_fall, bounds, tests, pairs, period };
        (period <= MAX_PERIOD).then_some(Some(span))
    }
}

/// A heap that loses a constant number of tokens.
struct FixedLoss {
    /// The place of the part that says so.
    at: usize,
    taken: i64,
}

/// Returns the equation of a sum with 0 that a part is.
fn equation<'t>(part: &'t &Tree) -> Option<&'t Linear> {
    match part {
        Tree::Linear(linear) if linear.sign == Sign::Zero && linear.known.is_empty() => {
            Some(linear)
        }
        _ => None,
    }
}

/// Returns how many tokens a heap loses by the part in a place, if this says nothing else.
fn fixed_loss(heap: usize, at: usize, part: &&Tree) -> Option<FixedLoss> {
    let Linear { before, after, constant, .. } = equation(part)?;
    let taken = match (&before[..], &after[..]) {
        (&[(one, -1)], &[(other, 1)]) if one == heap && other == heap => *constant,
        (&[(one, 1)], &[(other, -1)]) if one == heap && other == heap => constant.checked_neg()?,
        _ => return None,
    };
    Some(FixedLoss { at, taken })
}

/// Returns the heap that a span lowers: the one that loses no fixed number, or the last that loses
/// one. `None` if several may lose any number; inside, if none loses any.
fn lowered_heap(fixed: &[Option<FixedLoss>]) -> Option<Option<usize>> {
    let mut open = (0..fixed.len()).filter(|heap| fixed[*heap].is_none());
    match (open.next(), open.next()) {
        (Some(heap), None) => Some(Some(heap)),
        (None, _) => {
            Some(fixed.iter().rposition(|loss| loss.as_ref().is_some_and(|loss| loss.taken > 0)))
        }
        _ => None,
    }
}

/// Returns what a number that is remembered becomes, and the place of the part that says so.
fn remembered(
    number: usize,
    parts: &[&Tree],
    tokens: usize,
    after: &[Form],
) -> Option<(usize, Form)> {
    let own = |linear: &Linear| {
        let (ours, others): (Vec<_>, Vec<_>) =
            linear.after.iter().partition(|(place, _)| *place == number);
        let [(_, k @ (1 | -1))] = ours[..] else { return None };
        others.iter().all(|(place, _)| *place < tokens).then_some(k)
    };
    let (at, k, mut said) = parts.iter().enumerate().find_map(|(at, part)| {
        let linear = equation(part)?;
        Some((at, own(linear)?, linear.clone()))
    })?;
    said.after.retain(|(place, _)| *place != number);
    let mut form = after[number].clone();
    form.add(-k, &substituted(&said, after)?);
    Some((at, form))
}

/// Returns the bounds by which no number but the heap's becomes negative, without those that always
/// hold.
fn natural(heap: usize, after: &[Form]) -> Vec<Form> {
    let others = (0..after.len()).filter(|number| *number != heap).map(|number| {
        let mut form = Form::zero(after.len());
        form.add(-1, &after[number]);
        form
    });
    let may_fail =
        |form: &Form| form.constant > 0 || form.own != 0 || form.before.iter().any(|k| *k > 0);
    others.filter(may_fail).collect()
}

/// What must hold of the size that a heap becomes.
#[derive(Default)]
struct Conditions {
    bounds: Vec<Form>,
    tests: Vec<(Form, Test)>,
    pairs: Vec<PairTest>,
}

impl Conditions {
    /// Adds what a part says; `None` if spans cannot say it.
    fn add(&mut self, part: &Tree, after: &[Form], tokens: usize) -> Option<()> {
        match part {
            Tree::Linear(said) if !said.known.is_empty() => {
                self.pairs.push(PairTest::new(&Comparison::from(said), after, tokens)?);
            }
            Tree::Linear(said) => {
                let form = substituted(said, after)?;
                match said.sign {
                    Sign::AtMostZero => self.bounds.push(form),
                    Sign::Zero => {
                        let mut negative = Form::zero(after.len());
                        negative.add(-1, &form);
                        self.bounds.extend([form, negative]);
                    }
                    Sign::NotZero => self.tests.push((form, Test::NotZero)),
                }
            }
            Tree::Remainder(said) if is_natural(said, tokens) => {
                let form = substituted(&said.sum, after)?;
                let test =
                    Test::Remainder { modulus: said.modulus as i64, admitted: said.admitted };
                self.tests.push((form, test));
            }
            Tree::Other(said) => self.pairs.push(PairTest::new(said, after, tokens)?),
            _ => return None,
        }
        Some(())
    }
}

/// Returns after how many sizes the remainders of some tests repeat.
fn common_period(tests: &[(Form, Test)]) -> u64 {
    tests.iter().fold(1, |period, (_, test)| match test {
        Test::Remainder { modulus, .. } => num_integer::lcm(period, *modulus as u64),
        Test::NotZero => period,
    })
}

/// Returns a number that is small enough to be multiplied by a heap.
fn small(number: i64) -> Option<i64> {
    (number.unsigned_abs() <= MAX_COEFFICIENT.unsigned_abs()).then_some(number)
}

/// Returns a sum in which the numbers after the move are replaced; `None` if it is too large.
pub(super) fn substituted(linear: &Linear, after: &[Form]) -> Option<Form> {
    if !linear.known.is_empty() {
        return None;
    }
    let mut form = Form::zero(after.len());
    form.constant = small(linear.constant)?;
    for (place, k) in &linear.before {
        form.before[*place] = small(*k)?;
    }
    for (place, k) in &linear.after {
        form.add(small(*k)?, &after[*place]);
    }
    let all = form.before.iter().chain([&form.own, &form.constant]);
    all.map(|k| small(*k)).collect::<Option<Vec<_>>>()?;
    Some(form)
}

/// Returns whether a sum is a natural number for every move: no heap grows.
fn is_natural(remainder: &Remainder, tokens: usize) -> bool {
    let of = |sums: &[(usize, i64)], place: usize| {
        sums.iter().find(|(other, _)| *other == place).map_or(0, |(_, k)| *k)
    };
    let Linear { before, after, constant, .. } = &remainder.sum;
    let places = before.iter().chain(after).map(|(place, _)| *place);
    *constant >= 0
        && places.into_iter().all(|place| {
            let (p, q) = (of(before, place), of(after, place));
            p >= 0 && if place < tokens { p.saturating_add(q) >= 0 } else { q >= 0 }
        })
}

impl Tree {
    /// Returns the alternatives, of each of which all parts hold.
    fn alternatives(&self) -> Option<Vec<Vec<&Tree>>> {
        let all = match self {
            Tree::Linear(_) | Tree::Remainder(_) | Tree::Other(_) => vec![vec![self]],
            Tree::Beyond => return None,
            Tree::Any(parts) => {
                let each: Option<Vec<_>> = parts.iter().map(Tree::alternatives).collect();
                each?.concat()
            }
            Tree::All(parts) => {
                let mut all: Vec<Vec<&Tree>> = vec![Vec::new()];
                for part in parts {
                    let more = part.alternatives()?;
                    if all.len() * more.len() > MAX_ALTERNATIVES {
                        return None;
                    }
                    let mut joined = Vec::new();
                    for one in &all {
                        joined.extend(more.iter().map(|other| [&one[..], &other[..]].concat()));
                    }
                    all = joined;
                }
                all
            }
        };
        (all.len() <= MAX_ALTERNATIVES).then_some(all)
    }
}

impl HeapOptions {
    /// Returns the moves as spans, if each move is one of a single heap, or takes constant numbers.
    pub fn spans(&self, numbers: usize) -> Option<Vec<Span>> {
        let condition = self.condition.as_ref()?;
        let whole: Vec<usize> = (0..numbers).collect();
        if self.shrinks || numbers > MAX_HEAPS || self.listed.as_deref()? != [whole] {
            return None;
        }
        let tokens = numbers.checked_sub(self.memory.count)?;
        let alternatives = condition.root.alternatives()?;
        let spans = alternatives.iter().map(|parts| Span::new(parts, tokens, numbers));
        Some(spans.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::{Memory, Moves, Windows};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow::Break;

    #[test]
    fn other_moves_are_left_to_other_engines() {
        for condition in [
            "q0 < p0 & q1 < p1",
            "q1 = p1 & p0 mod (q0+1) = 2",
            "q1 = p1 & gcd(q0, p0, p1) = 1",
            "q1 = p1 & E k: q0 = 2*k",
        ] {
            let moves = Moves::with_formula(Windows::Any(2), condition).unwrap();
            assert!(HeapOptions::new(&moves, Some(2), false).spans(2).is_none(), "{condition}");
        }
    }

    /// The options of all small positions, by asking the formula of every step that takes a token.
    #[test]
    fn spans_are_the_options() {
        let conditions = [
            (0, "q0 = p0 & q1 < p1 | q1 = p1 & q0 < p0"),
            (0, "q1 = p1 & q0 < p0 & (q0+p1) mod 3 != 0 | q0+1 = p0 & q1+2 = p1"),
            (0, "q1 = p1 & q0 != p1 & (p0-q0) mod 4 = 1 | q0 = p0 & q1 mod 2 = 0 & q1 mod 3 <= 1"),
            (0, "q0+2 = p0 & 3*q1 <= 2*p1 | q1 = p1 & 2*q0 >= p0 & 2 > q0 mod 5"),
            (0, "q0 = p0+1 & q1 < p1 | q1+1 = p1 & q0 = p0 | q0 = p0 & q1 = p1"),
            (0, "q1 = p1 & 2*q0 = p0 | q0 = p0 & 3*q1+1 = p1 & ~(q1 = 1)"),
            (1, "q0 < p0 & q1 + q0 = p0 & p0-q0 != p1"),
            (1, "q0 < p0 & p0 <= q0+p1 & q1+2*q0 = 2*p0"),
            (1, "q0 < p0 & q1 = 0 & p0 <= q0+p1+1 | q0+1 = p0 & q1 = p1"),
            (1, "q0 < p0 & q1 = p0-q0-1 & (q1+p1) mod 3 = 1"),
        ];
        for (count, condition) in conditions {
            let moves = Moves::with_formula(Windows::Any(2), condition).unwrap();
            let formula = moves.condition.clone().unwrap();
            let moves = Moves { memory: Memory { count, factor: 2 }, ..moves };
            let spans = HeapOptions::new(&moves, Some(2), false).spans(2).unwrap();
            for p in (0..81u32).map(|number| [number / 9, number % 9]) {
                let most = if count == 0 { p[1] } else { 40 };
                let steps = (0..=p[0]).flat_map(|x| (0..=most).map(move |y| [x, y]));
                let is_option = |q: &[u32; 2]| {
                    let values = [p[0], q[0], p[1], q[1]].map(u64::from);
                    q[..2 - count] != p[..2 - count] && formula.holds(&values).unwrap()
                };
                let expected: BTreeSet<[u32; 2]> = steps.filter(is_option).collect();
                let mut found = BTreeSet::new();
                for span in &spans {
                    let Some(sizes) = span.admitted(&p) else { continue };
                    let _ = sizes.visit::<()>(|x| {
                        assert!((sizes.low..=sizes.high).contains(&x), "{condition} {p:?}");
                        let after = |form: &Form| (form.at(&p) + form.own * i64::from(x)) as u32;
                        found.insert([after(&span.after[0]), after(&span.after[1])]);
                        Continue(())
                    });
                    let (mut all, mut visited) = (0, 0);
                    let _ = sizes.visit::<()>(|_| {
                        all += 1;
                        Continue(())
                    });
                    let end = sizes.visit(|_| {
                        visited += 1;
                        if visited == all { Break(()) } else { Continue(()) }
                    });
                    assert_eq!((visited, end.is_break()), (all, all > 0), "{condition} {p:?}");
                }
                assert_eq!(found, expected, "{condition} {p:?}");
            }
        }
    }
}

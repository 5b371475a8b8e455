//! Conditions on two numbers that are no sums: `divides`, `gcd`, ⊕, products, squares, …. Each pair
//! of numbers is asked once, and sweeps look the answers up as bits.
//!
//! Only conditions that have a truth for all heaps are read: no division by a number of the
//! position, and no word of binary digits of what may be negative.

use super::spans::Form;
use super::{Linear, Sign};
use bouton_core::{ArithmeticSymbol, Number, Relation, Term, divisors};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Heaps are below it.
pub const HEAPS_BELOW: u32 = 1 << 31;
/// Values of terms are below it.
pub(super) const VALUES_BELOW: i128 = 1 << 62;

/// Two terms compared, one of which is no sum of multiples of heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub left: Term,
    pub relation: Relation,
    pub right: Term,
}

/// A number of a move: one before it, or the size that its heap has afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The number before the move in this place.
    Before(usize),
    /// The size afterwards.
    After,
}

/// What must hold of at most two numbers of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairTest {
    /// The numbers; at most two.
    pub places: SmallVec<[Place; 2]>,
    left: PairValue,
    relation: Relation,
    right: PairValue,
}

/// A term over two numbers, with a value wherever they are heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PairValue {
    Sum([i64; 2], i64),
    /// A sum of multiples.
    Multiples(Vec<(i64, PairValue)>),
    Nim(Vec<PairValue>),
    Least(Vec<PairValue>),
    Greatest(Vec<PairValue>),
    Quotient(Box<PairValue>, i64),
    Remainder(Box<PairValue>, i64),
    Word(ArithmeticSymbol, SmallVec<[Box<PairValue>; 2]>),
}

/// A value and its bounds.
type Bounded = (PairValue, i128, i128);

/// What is known of a move when its terms are read.
struct Reader<'m> {
    places: &'m [Place],
    after: &'m [Form],
    tokens: usize,
}

fn gcd(a: i64, b: i64) -> i64 {
    match (u32::try_from(a), u32::try_from(b)) {
        (Ok(a), Ok(b)) => num_integer::gcd(a, b).into(),
        _ => num_integer::gcd(a, b),
    }
}

fn divides(by: i64, n: i64) -> bool {
    match (by, n) {
        (..=-1, _) => false,
        (0, n) => n == 0,
        (by, n) => match (u32::try_from(by), u32::try_from(n)) {
            (Ok(by), Ok(n)) => n % by == 0,
            _ => n % by == 0,
        },
    }
}

impl PairValue {
    /// Returns the value at two numbers.
    pub(super) fn at(&self, numbers: [i64; 2]) -> i64 {
        let values = |parts: &'_ [PairValue]| -> SmallVec<[i64; 4]> {
            parts.iter().map(|part| part.at(numbers)).collect()
        };
        match self {
            PairValue::Sum([a, b], constant) => a * numbers[0] + b * numbers[1] + constant,
            PairValue::Multiples(parts) => parts.iter().map(|(k, part)| k * part.at(numbers)).sum(),
            PairValue::Nim(parts) => values(parts).iter().fold(0, |all, value| all ^ value),
            PairValue::Least(parts) => values(parts).iter().copied().min().unwrap_or(0),
            PairValue::Greatest(parts) => values(parts).iter().copied().max().unwrap_or(0),
            PairValue::Quotient(inner, by) => inner.at(numbers) / by,
            PairValue::Remainder(inner, by) => inner.at(numbers) % by,
            PairValue::Word(word, parts) => {
                let values: SmallVec<[i64; 4]> =
                    parts.iter().map(|part| part.at(numbers)).collect();
                match (word, &values[..]) {
                    (ArithmeticSymbol::Divides, &[by, n]) => i64::from(divides(by, n)),
                    (ArithmeticSymbol::Gcd, values) => {
                        values.iter().fold(0, |all, value| gcd(all, *value))
                    }
                    (ArithmeticSymbol::Product, values) => {
                        values.iter().fold(1, |all: i64, value| all.wrapping_mul(*value))
                    }
                    (word, values) => {
                        let wide: SmallVec<[i128; 4]> =
                            values.iter().map(|value| i128::from(*value)).collect();
                        // Pairs that are no move may have no value.
                        let value = <i128 as Number>::arithmetic(*word, &wide);
                        value.and_then(|value| i64::try_from(value).ok()).unwrap_or(0)
                    }
                }
            }
        }
    }
}

impl Reader<'_> {
    /// Returns a term with its bounds; `None` if it may have no value.
    fn value(&self, term: &Term) -> Option<Bounded> {
        let (value, low, high) = match self.sum(term) {
            Some(sum) => sum?,
            None => self.other(term)?,
        };
        (low > -VALUES_BELOW && high < VALUES_BELOW).then_some((value, low, high))
    }

    /// Returns a sum of multiples; `None` of another term, inside if it says more than two numbers.
    fn sum(&self, term: &Term) -> Option<Option<Bounded>> {
        let said = Linear::new(term, Relation::Equal, &Term::Number(0), 2 * self.after.len())?;
        if !said.known.is_empty() {
            return None;
        }
        let of = |sums: &[(usize, i64)], place: usize| {
            sums.iter().find(|(other, _)| *other == place).map_or(0, |(_, k)| *k)
        };
        // No heap grows.
        let is_natural = said.constant >= 0
            && (0..self.after.len()).all(|place| {
                let (p, q) = (of(&said.before, place), of(&said.after, place));
                p >= 0 && if place < self.tokens { p.saturating_add(q) >= 0 } else { q >= 0 }
            });
        Some(self.bounded(&said, is_natural))
    }

    fn bounded(&self, said: &Linear, is_natural: bool) -> Option<Bounded> {
        let form = super::spans::substituted(said, self.after)?;
        let factor = |place: &Place| match place {
            Place::Before(number) => form.before[*number],
            Place::After => form.own,
        };
        let mut factors = [0; 2];
        for (factor_of, place) in factors.iter_mut().zip(self.places) {
            *factor_of = factor(place);
        }
        let most = i128::from(HEAPS_BELOW - 1);
        let constant = i128::from(form.constant);
        let reach =
            |sign: i64| factors.iter().map(|k| i128::from((k * sign).max(0)) * most).sum::<i128>();
        let low = if is_natural { 0 } else { constant - reach(-1) };
        Some((PairValue::Sum(factors, form.constant), low, constant + reach(1)))
    }

    fn other(&self, term: &Term) -> Option<Bounded> {
        let all = |parts: &[Term]| -> Option<(Vec<PairValue>, i128, i128, i128)> {
            let (mut values, mut low, mut high, mut least_high) =
                (Vec::new(), VALUES_BELOW, -VALUES_BELOW, VALUES_BELOW);
            for part in parts {
                let (value, least, most) = self.value(part)?;
                values.push(value);
                (low, high, least_high) = (low.min(least), high.max(most), least_high.min(most));
            }
            (!values.is_empty()).then_some((values, low, high, least_high))
        };
        let digits = |high: i128| (1i128 << (128 - high.max(0).leading_zeros())) - 1;
        let boxed = |values: Vec<PairValue>| values.into_iter().map(Box::new).collect();
        Some(match term {
            Term::Sum(parts) => {
                let (mut values, mut low, mut high) = (Vec::new(), 0, 0);
                for part in parts {
                    let (k, inner) = match part {
                        Term::Multiple(k, inner) => (*k, &**inner),
                        part => (1, part),
                    };
                    let (value, least, most) = self.value(inner)?;
                    let ends =
                        [i128::from(k).checked_mul(least)?, i128::from(k).checked_mul(most)?];
                    (low, high) = (low + ends[0].min(ends[1]), high + ends[0].max(ends[1]));
                    values.push((k, value));
                }
                (PairValue::Multiples(values), low, high)
            }
            Term::Multiple(..) => self.other(&Term::Sum(vec![term.clone()]))?,
            Term::DigitSum(2, parts) => {
                let (values, low, high, _) = all(parts)?;
                (low >= 0).then_some((PairValue::Nim(values), 0, digits(high)))?
            }
            Term::Min(parts) => {
                let (values, low, _, high) = all(parts)?;
                (PairValue::Least(values), low, high)
            }
            Term::Max(parts) => {
                let (values, low, high, _) = all(parts)?;
                (PairValue::Greatest(values), low, high)
            }
            Term::Quotient(inner, by) | Term::Remainder(inner, by) => {
                let by = i64::try_from(*by).ok().filter(|by| *by > 0)?;
                let (value, low, high) = self.value(inner)?;
                if low < 0 {
                    return None;
                }
                match term {
                    Term::Quotient(..) => {
                        (PairValue::Quotient(value.into(), by), 0, high / i128::from(by))
                    }
                    _ => (PairValue::Remainder(value.into(), by), 0, i128::from(by) - 1),
                }
            }
            Term::Arithmetic(word, parts) => {
                let (values, low, high, least_high) = all(parts)?;
                let ends = match word {
                    ArithmeticSymbol::Product if low >= 0 => {
                        let most = parts.iter().map(|part| self.value(part).map(|(.., most)| most));
                        (
                            0,
                            most.collect::<Option<Vec<_>>>()?
                                .into_iter()
                                .try_fold(1, i128::checked_mul)?,
                        )
                    }
                    ArithmeticSymbol::Gcd | ArithmeticSymbol::BitOr if low >= 0 => {
                        (0, digits(high))
                    }
                    ArithmeticSymbol::BitAnd if low >= 0 => (0, least_high),
                    ArithmeticSymbol::DigitSum if low >= 0 => (0, high),
                    ArithmeticSymbol::Divides
                    | ArithmeticSymbol::Prime
                    | ArithmeticSymbol::Square
                    | ArithmeticSymbol::Power => (0, 1),
                    _ => return None,
                };
                (PairValue::Word(*word, boxed(values)), ends.0, ends.1)
            }
            _ => return None,
        })
    }
}

impl PairValue {
    /// Returns a sum of multiples of the one heap before the move and of terms over it.
    pub(super) fn of_one(said: &Linear) -> Option<PairValue> {
        let after = [Form { own: 1, before: vec![0], constant: 0 }];
        let reader = Reader { places: &[Place::Before(0)], after: &after, tokens: 1 };
        reader.value(&Comparison::from(said).left).map(|(value, ..)| value)
    }
}

impl Comparison {
    /// Returns the comparison, if all its numbers are heaps of a window.
    pub fn new(left: &Term, relation: Relation, right: &Term, free: usize) -> Option<Comparison> {
        let mut is_known = true;
        for term in [left, right] {
            term.visit_terms(&mut |inner| {
                is_known &= !matches!(inner, Term::Variable(v) if *v >= free)
            });
        }
        is_known.then(|| Comparison { left: left.clone(), relation, right: right.clone() })
    }

    /// Returns the numbers on which it depends if the numbers after the move are these.
    fn places(&self, after: &[Form]) -> Vec<Place> {
        let mut all = Vec::new();
        for term in [&self.left, &self.right] {
            term.visit_terms(&mut |inner| {
                let Term::Variable(v) = inner else { return };
                if v % 2 == 0 {
                    return all.push(Place::Before(v / 2));
                }
                let form = &after[v / 2];
                let before = form.before.iter().enumerate().filter(|(_, k)| **k != 0);
                all.extend(before.map(|(number, _)| Place::Before(number)));
                all.extend((form.own != 0).then_some(Place::After));
            });
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl From<&Linear> for Comparison {
    fn from(said: &Linear) -> Comparison {
        let number = |places: &[(usize, i64)], odd: usize| -> Vec<(Term, i64)> {
            places.iter().map(|(place, k)| (Term::Variable(2 * place + odd), *k)).collect()
        };
        let constant = (Term::Number(said.constant.unsigned_abs()), said.constant.signum());
        let known = said.known.iter().cloned().chain(Some(constant).filter(|(_, sign)| *sign != 0));
        let all = number(&said.before, 0).into_iter().chain(number(&said.after, 1)).chain(known);
        let relation = match said.sign {
            Sign::Zero => Relation::Equal,
            Sign::NotZero => Relation::Unequal,
            Sign::AtMostZero => Relation::AtMost,
        };
        let left = Term::Sum(all.map(|(term, k)| Term::Multiple(k, term.into())).collect());
        Comparison { left, relation, right: Term::Number(0) }
    }
}

/// The factors of two numbers, and what is added.
type Factors = ([i64; 2], i64);

impl PairTest {
    /// Reads a comparison of a move after which the numbers are these; `None` if it depends on more
    /// than two numbers, or may have no truth.
    pub(crate) fn new(said: &Comparison, after: &[Form], tokens: usize) -> Option<PairTest> {
        let places = said.places(after);
        if places.len() > 2 {
            return None;
        }
        let reader = Reader { places: &places, after, tokens };
        let (left, ..) = reader.value(&said.left)?;
        let (right, ..) = reader.value(&said.right)?;
        Some(PairTest {
            places: places.iter().copied().collect(),
            left,
            relation: said.relation,
            right,
        })
    }

    /// Returns whether it holds of its numbers.
    fn holds(&self, numbers: [i64; 2]) -> bool {
        self.relation.holds(self.left.at(numbers).cmp(&self.right.at(numbers)))
    }

    /// Returns the arguments of `divides`, if that is all that is said, and whether it is to hold.
    fn divisor(&self) -> Option<([Factors; 2], bool)> {
        let (PairValue::Word(ArithmeticSymbol::Divides, parts), PairValue::Sum([0, 0], 1)) =
            (&self.left, &self.right)
        else {
            return None;
        };
        let wanted = match self.relation {
            Relation::Equal => true,
            Relation::Unequal => false,
            _ => return None,
        };
        let sum = |part: &PairValue| match part {
            PairValue::Sum(factors, constant) => Some((*factors, *constant)),
            _ => None,
        };
        Some(([sum(&parts[0])?, sum(&parts[1])?], wanted))
    }

    /// Returns whether a row of answers takes far less time than the numbers in it.
    pub fn is_quick(&self) -> bool {
        self.places.iter().all(|place| *place == Place::After) || self.divisor().is_some()
    }

    /// Returns the numbers in the place `along` with which it holds, or does not hold, the other
    /// number being `other`, ascending, and whether it holds with them; `None` if they are not few.
    pub fn listed(&self, along: Place, other: i64) -> Option<(Vec<i64>, bool)> {
        let own = usize::from(self.places.first() != Some(&along));
        let ([by, n], wanted) = self.divisor()?;
        let ((step @ (1 | -1), rest), (n_step, n_rest)) =
            (line(by, own, other), line(n, own, other))
        else {
            return None;
        };
        // The divisors of what it leaves of n.
        let left = (n_rest - n_step * step * rest).unsigned_abs();
        if left == 0 {
            return None;
        }
        let number = |divisor: u64| (divisor as i64 - rest) * step;
        let mut numbers: Vec<i64> = divisors(left).into_iter().map(number).collect();
        numbers.retain(|number| *number >= 0);
        numbers.sort_unstable();
        Some((numbers, wanted))
    }

    /// Sets the bits of the numbers below `count` in the place `along` with which it holds, the
    /// other number being `other`; all are 0 before.
    pub fn fill(&self, along: Place, other: i64, count: usize, bits: &mut [u64]) {
        let own = usize::from(self.places.first() != Some(&along));
        let mut set = |number: i64| bits[number as usize / 64] |= 1 << (number % 64);
        let end = count as i64;
        if let Some(([by, n], wanted)) = self.divisor() {
            let at = |sum: Factors| line(sum, own, other);
            let is_whole = match (self.listed(along, other), at(by), at(n)) {
                (Some((numbers, _)), ..) => {
                    numbers.into_iter().filter(|number| *number < end).for_each(&mut set);
                    true
                }
                // Its multiples.
                (None, (0, by), (step @ (1 | -1), rest)) if by > 0 => {
                    let first = (-rest * step).rem_euclid(by);
                    (first..end).step_by(by as usize).for_each(&mut set);
                    true
                }
                _ => false,
            };
            if is_whole {
                if !wanted {
                    bits.iter_mut().for_each(|word| *word = !*word);
                    if let (Some(last), 1..) = (bits.get_mut(count / 64), count % 64) {
                        *last &= (1 << (count % 64)) - 1;
                    }
                }
                return;
            }
        }
        if self.fill_by_word(own, other, count, bits) {
            return;
        }
        fill_with(bits, count, |number| {
            self.holds(if own == 0 { [number, other] } else { [other, number] })
        });
    }

    /// Sets the bits, if what is said is one word of two sums, compared with a number.
    fn fill_by_word(&self, own: usize, other: i64, count: usize, bits: &mut [u64]) -> bool {
        let PairValue::Sum([0, 0], number) = self.right else { return false };
        let (word, parts): (_, SmallVec<[&PairValue; 2]>) = match &self.left {
            PairValue::Nim(parts) => (None, parts.iter().collect()),
            PairValue::Word(word, parts) => {
                (Some(*word), parts.iter().map(|part| &**part).collect())
            }
            _ => return false,
        };
        let [PairValue::Sum(a, a_rest), PairValue::Sum(b, b_rest)] = parts[..] else {
            return false;
        };
        let [a, b] = [(*a, *a_rest), (*b, *b_rest)].map(|sum| line(sum, own, other));
        let truths = [Ordering::Less, Ordering::Equal, Ordering::Greater]
            .map(|order| self.relation.holds(order));
        let holds = |value: i64| truths[(value.cmp(&number) as i8 + 1) as usize];
        let at = |(step, rest): (i64, i64), number: i64| step * number + rest;
        match word {
            None => fill_with(bits, count, |i| holds(at(a, i) ^ at(b, i))),
            Some(ArithmeticSymbol::BitAnd) => {
                fill_with(bits, count, |i| holds(at(a, i) & at(b, i)))
            }
            Some(ArithmeticSymbol::BitOr) => fill_with(bits, count, |i| holds(at(a, i) | at(b, i))),
            Some(ArithmeticSymbol::Gcd) => {
                fill_with(bits, count, |i| holds(gcd(at(a, i), at(b, i))))
            }
            Some(ArithmeticSymbol::Divides) => {
                fill_with(bits, count, |i| holds(divides(at(a, i), at(b, i)).into()));
            }
            Some(_) => return false,
        }
        true
    }
}

/// Returns the coefficient of one of two numbers in a sum, and the rest with the other number.
fn line((factors, constant): Factors, own: usize, other: i64) -> (i64, i64) {
    (factors[own], factors[1 - own] * other + constant)
}

/// Sets the bits of the numbers below `count` of which something holds.
fn fill_with(bits: &mut [u64], count: usize, holds: impl Fn(i64) -> bool) {
    for (at, word) in bits.iter_mut().enumerate().take(count.div_ceil(64)) {
        let first = 64 * at;
        for bit in 0..64.min(count - first) {
            *word |= u64::from(holds((first + bit) as i64)) << bit;
        }
    }
}

/// The answers to a test in rows.
#[derive(Debug)]
pub struct PairTable {
    /// The number of which each value has a row; one row if there is none.
    pub row: Option<Place>,
    /// The number whose values are the bits of a row.
    pub along: Place,
    width: usize,
    words: Vec<u64>,
}

impl PairTable {
    /// Returns the numbers of rows and along them: along `preferred`, if the test says it, else
    /// along the size afterwards.
    fn order(test: &PairTest, preferred: Option<Place>) -> (Option<Place>, Place) {
        let has = |place: &Place| test.places.contains(place);
        let along = preferred.filter(has).or(Some(Place::After).filter(has));
        let along = along.or(test.places.last().copied()).unwrap_or(Place::After);
        (test.places.iter().copied().find(|place| *place != along), along)
    }

    /// Returns the number of pairs.
    pub fn pairs(test: &PairTest, side: impl Fn(Place) -> usize) -> u64 {
        let sides = test.places.iter().map(|place| side(*place) as u64);
        sides.fold(1, u64::saturating_mul)
    }

    /// Asks all pairs; numbers in a place are below its side.
    pub fn new(
        test: &PairTest,
        preferred: Option<Place>,
        side: impl Fn(Place) -> usize,
    ) -> PairTable {
        let (row, along) = PairTable::order(test, preferred);
        let (rows, count) = (row.map_or(1, &side), side(along));
        let width = count.div_ceil(64);
        let mut words = vec![0; rows * width];
        for (number, bits) in words.chunks_mut(width).enumerate() {
            test.fill(along, number as i64, count, bits);
        }
        PairTable { row, along, width, words }
    }

    /// Returns the row of a number.
    #[inline]
    pub fn row(&self, number: usize) -> &[u64] {
        &self.words[number * self.width..][..self.width]
    }
}

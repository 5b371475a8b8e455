//! Rules by which a heap becomes at most three, as loops: the values of all options are marked by
//! going through the table of values.
//!
//! A rule is a union of alternatives, and in each of them equations, inequalities, exceptions and
//! remainders hold together. An equation with a number that counts once gives this number by the
//! others. At most two numbers are left to run: the inner one between bounds that the inequalities
//! state, the outer one between bounds from which the inner one is eliminated (Fourier and
//! Motzkin). Which classes of the inner number all remainders admit is asked once, and only those
//! are visited. A remainder inside a longer term is a case for each of its values, and so is each
//! part of `min` and `max`. What is no sum, as `divides` and `gcd`, is asked of the heap and one
//! number that runs ([`PairTest`]), and runs of the numbers of which it holds are visited; divisors
//! are listed.
//! Two heaps whose sum is fixed are visited once if the rule does not distinguish them. Where one
//! heap is left whose size runs from 0 on, or up to the next smaller heap, the first or the last
//! heap of each value tells whether it occurs, and nothing is visited.

use super::Marks;
use crate::heap_options::{Comparison, Form, PairTest, Place};
use bouton_core::{ArithmeticSymbol, Formula, Node, Relation, Term, without_extremes};
use num_integer::Integer;

/// The most alternatives of a rule, and inequalities of one of them.
const MAX_ALTERNATIVES: usize = 32;
const MAX_BOUNDS: usize = 64;

/// Coefficients, constants and moduli are at most this, so that sums fit in 64 bits.
const MAX_COEFFICIENT: i64 = 1 << 20;

/// Classes of remainders of a number that runs, at most.
const MAX_CLASSES: i64 = 64;

/// The most heaps of an option.
const MAX_HEAPS: usize = 3;

/// A sum of multiples of the heap and of numbers that run, and a constant. Numbers: the heap, the
/// outer one, the inner one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sum {
    factors: [i64; MAX_HEAPS + 1],
    constant: i64,
}

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Condition {
    Zero(Sum),
    AtMostZero(Sum),
    NotZero(Sum),
    /// The sum leaves one of these remainders, or another one.
    Remainder {
        sum: Sum,
        admitted: Vec<bool>,
    },
    /// A comparison of other terms, over p0 and q0, q1, ….
    Other(Comparison),
}

/// One way in which a rule holds.
#[derive(Debug, Clone)]
struct Alternative {
    /// Places of the numbers that run: none, the inner one, or the outer and the inner one.
    running: Vec<usize>,
    /// The heaps that are left.
    heaps: Vec<Sum>,
    /// Sums that are at most 0; without the innermost number first.
    bounds: Vec<Sum>,
    exceptions: Vec<Sum>,
    remainders: Vec<(Sum, Vec<bool>)>,
    /// What is asked of the heap and the outer one of two numbers that run, and of the heap and the
    /// inner one.
    asked: [Vec<PairTest>; 2],
}

/// The numbers that may run of which all holds that is asked of them and one heap.
enum Admitted {
    /// These, which ascend.
    Listed(Vec<i64>),
    /// Those whose bits are set but these, which ascend; all have bits if there are none.
    Bits(Vec<u64>, Vec<i64>),
}

/// A rule as loops.
#[derive(Debug, Clone)]
pub struct Loops {
    alternatives: Vec<Alternative>,
}

impl Sum {
    const NONE: Sum = Sum { factors: [0; MAX_HEAPS + 1], constant: 0 };

    fn variable(place: usize) -> Sum {
        let mut sum = Sum::NONE;
        sum.factors[place] = 1;
        sum
    }

    /// Adds a multiple; `None` if numbers become too large.
    fn plus(mut self, times: i64, other: &Sum) -> Option<Sum> {
        let small = |sum: i64| (sum.abs() <= MAX_COEFFICIENT).then_some(sum);
        for (factor, more) in self.factors.iter_mut().zip(&other.factors) {
            *factor = small(*factor + times.checked_mul(*more)?)?;
        }
        self.constant = small(self.constant + times.checked_mul(other.constant)?)?;
        Some(self)
    }

    /// Returns the sum with another in the place of a number.
    fn with(&self, place: usize, value: &Sum) -> Option<Sum> {
        let mut rest = *self;
        rest.factors[place] = 0;
        rest.plus(self.factors[place], value)
    }

    /// Adds a multiple of a linear term.
    fn read(self, term: &Term, times: i64, count: usize) -> Option<Sum> {
        match term {
            Term::Number(number) => {
                let constant = Sum { constant: i64::try_from(*number).ok()?, ..Sum::NONE };
                self.plus(times, &constant)
            }
            Term::Variable(v) if *v <= count => self.plus(times, &Sum::variable(*v)),
            Term::Sum(parts) => {
                parts.iter().try_fold(self, |sum, part| sum.read(part, times, count))
            }
            Term::Multiple(k, inner) => self.read(inner, times.checked_mul(*k)?, count),
            _ => None,
        }
    }

    /// Returns the value if the numbers are these.
    fn at(&self, numbers: &[i64; MAX_HEAPS + 1]) -> i64 {
        self.factors
            .iter()
            .zip(numbers)
            .fold(self.constant, |sum, (factor, number)| sum + factor * number)
    }
}

impl Condition {
    /// Returns the comparison, or its opposite.
    fn new(left: &Term, relation: Relation, right: &Term, count: usize) -> Option<Condition> {
        if let (Term::Remainder(inner, modulus), Term::Number(number)) = (left, right) {
            let sum = Sum::NONE.read(inner, 1, count)?;
            // Subtrahends were replaced by multiples: the sum is a natural number.
            let is_natural = sum.constant >= 0 && sum.factors.iter().all(|factor| *factor >= 0);
            let modulus =
                usize::try_from(*modulus).ok().filter(|modulus| (1..=256).contains(modulus))?;
            let admitted =
                (0..modulus).map(|rest| relation.holds((rest as u64).cmp(number))).collect();
            return is_natural.then_some(Condition::Remainder { sum, admitted });
        }
        let difference = Sum::NONE.read(left, 1, count)?.read(right, -1, count)?;
        let one = Sum { constant: 1, ..Sum::NONE };
        let turned = || Sum::NONE.plus(-1, &difference);
        Some(match relation {
            Relation::Equal => Condition::Zero(difference),
            Relation::Unequal => Condition::NotZero(difference),
            Relation::AtMost => Condition::AtMostZero(difference),
            Relation::Less => Condition::AtMostZero(difference.plus(1, &one)?),
            Relation::AtLeast => Condition::AtMostZero(turned()?),
            Relation::Greater => Condition::AtMostZero(turned()?.plus(1, &one)?),
        })
    }

    /// Returns the sum; what is compared otherwise is said of the heaps themselves.
    fn sum(&mut self) -> Option<&mut Sum> {
        match self {
            Condition::Zero(sum) | Condition::AtMostZero(sum) | Condition::NotZero(sum) => {
                Some(sum)
            }
            Condition::Remainder { sum, .. } => Some(sum),
            Condition::Other(_) => None,
        }
    }

    /// Returns the comparison as one to be asked of each number that runs; `None` if a search for
    /// those of which it holds is quicker.
    fn asked(left: &Term, relation: Relation, right: &Term) -> Option<Condition> {
        let (left, right) = (asked(left)?, asked(right)?);
        Some(Condition::Other(Comparison { left, relation, right }))
    }
}

/// Returns a term with p0, q0, q1, … numbered as in a window of heaps, if it is made of sums,
/// remainders, digits and divisors alone.
fn asked(term: &Term) -> Option<Term> {
    use ArithmeticSymbol::{BitAnd, BitOr, Divides, Gcd};
    let all = |parts: &[Term]| parts.iter().map(asked).collect::<Option<Vec<_>>>();
    Some(match term {
        Term::Number(number) => Term::Number(*number),
        Term::Variable(v) => Term::Variable(if *v == 0 { 0 } else { 2 * v - 1 }),
        Term::Multiple(k, inner) => Term::Multiple(*k, asked(inner)?.into()),
        Term::Remainder(inner, modulus) => Term::Remainder(asked(inner)?.into(), *modulus),
        Term::Sum(parts) => Term::Sum(all(parts)?),
        Term::DigitSum(2, parts) => Term::DigitSum(2, all(parts)?),
        Term::Arithmetic(word @ (BitAnd | BitOr | Divides | Gcd), parts) => {
            Term::Arithmetic(*word, all(parts)?)
        }
        _ => return None,
    })
}

/// Returns the alternatives of a node or of its opposite; `None` if something else is said.
fn alternatives(node: &Node, wanted: bool, count: usize) -> Option<Vec<Vec<Condition>>> {
    let all = match node {
        Node::Constant(value) => {
            if *value == wanted {
                vec![Vec::new()]
            } else {
                Vec::new()
            }
        }
        Node::Compare(left, relation, right) => {
            let relation = if wanted { *relation } else { relation.negated() };
            match without_extremes(left, relation, right) {
                Some(node) => alternatives(&node, true, count)?,
                None => compared(left, relation, right, count)?,
            }
        }
        Node::Not(inner) => alternatives(inner, !wanted, count)?,
        Node::And(parts) | Node::Or(parts) if matches!(node, Node::And(_)) == wanted => {
            let mut all: Vec<Vec<Condition>> = vec![Vec::new()];
            for part in parts {
                let more = alternatives(part, wanted, count)?;
                if all.len() * more.len() > MAX_ALTERNATIVES {
                    return None;
                }
                let joined = |one: &Vec<Condition>| {
                    let one = one.clone();
                    more.iter()
                        .map(move |other| [&one[..], &other[..]].concat())
                        .collect::<Vec<_>>()
                };
                all = all.iter().flat_map(joined).collect();
            }
            all
        }
        Node::And(parts) | Node::Or(parts) => {
            let each = parts.iter().map(|part| alternatives(part, wanted, count));
            each.collect::<Option<Vec<_>>>()?.concat()
        }
        Node::Implies(left, right) if wanted => {
            [alternatives(left, false, count)?, alternatives(right, true, count)?].concat()
        }
        _ => return None,
    };
    (all.len() <= MAX_ALTERNATIVES).then_some(all)
}

/// Returns whether a comparison depends on a number that runs, the heaps being these.
fn depends(said: &Comparison, heaps: &[Sum], place: usize) -> bool {
    let mut depends = false;
    for term in [&said.left, &said.right] {
        term.visit_terms(&mut |inner| {
            if let Term::Variable(v) = inner {
                depends |= v % 2 == 1 && heaps[v / 2].factors[place] != 0;
            }
        });
    }
    depends
}

impl Alternative {
    fn new(mut conditions: Vec<Condition>, count: usize) -> Option<Alternative> {
        let mut heaps: Vec<Sum> = (1..=count).map(Sum::variable).collect();
        let mut running: Vec<usize> = (1..=count).collect();
        // Each equation gives a number, the last one first.
        loop {
            let found = conditions.iter().enumerate().find_map(|(at, condition)| {
                let Condition::Zero(sum) = condition else { return None };
                let place = running.iter().rev().find(|place| sum.factors[**place].abs() == 1)?;
                Some((at, *place, *sum))
            });
            let Some((at, place, sum)) = found else { break };
            conditions.remove(at);
            running.retain(|other| *other != place);
            let mut rest = sum;
            rest.factors[place] = 0;
            let value = Sum::NONE.plus(-sum.factors[place], &rest)?;
            for sum in heaps.iter_mut().chain(conditions.iter_mut().filter_map(Condition::sum)) {
                *sum = sum.with(place, &value)?;
            }
        }
        if running.len() > 2 {
            return None;
        }
        // No heap is negative.
        let mut bounds =
            heaps.iter().map(|heap| Sum::NONE.plus(-1, heap)).collect::<Option<Vec<_>>>()?;
        let (mut exceptions, mut remainders) = (Vec::new(), Vec::new());
        let mut asked = [Vec::new(), Vec::new()];
        for condition in conditions {
            match condition {
                Condition::Zero(sum) => bounds.extend([sum, Sum::NONE.plus(-1, &sum)?]),
                Condition::AtMostZero(sum) => bounds.push(sum),
                Condition::NotZero(sum) => exceptions.push(sum),
                Condition::Remainder { sum, admitted } => remainders.push((sum, admitted)),
                Condition::Other(said) => {
                    let (place, of_place) = match running[..] {
                        [inner] => (inner, 1),
                        [outer, inner] => match [outer, inner].map(|at| depends(&said, &heaps, at))
                        {
                            [true, false] => (outer, 0),
                            [false, true] => (inner, 1),
                            _ => return None,
                        },
                        _ => return None,
                    };
                    let form = |sum: &Sum| {
                        let mut before = vec![0; count];
                        before[0] = sum.factors[0];
                        Form { own: sum.factors[place], before, constant: sum.constant }
                    };
                    let test =
                        PairTest::new(&said, &heaps.iter().map(form).collect::<Vec<_>>(), 1)?;
                    let test = Some(test).filter(|test| test.places.contains(&Place::After))?;
                    asked[of_place].push(test);
                }
            }
        }
        if let [.., inner] = running[..] {
            // Whatever the inner number is, each of its least values is at most each greatest one.
            let (least, most): (Vec<Sum>, Vec<Sum>) = bounds
                .iter()
                .filter(|sum| sum.factors[inner] != 0)
                .partition(|sum| sum.factors[inner] < 0);
            for (low, high) in least.iter().flat_map(|low| most.iter().map(move |high| (low, high)))
            {
                let scaled = Sum::NONE.plus(high.factors[inner], low)?;
                bounds.push(scaled.plus(-low.factors[inner], high)?);
            }
        }
        bounds.sort_by_key(|sum| running.last().is_some_and(|inner| sum.factors[*inner] != 0));
        // Every number that runs has an end.
        let is_bounded = |place: usize| bounds.iter().any(|sum| sum.factors[place] > 0);
        let is_small = bounds.len() <= MAX_BOUNDS && running.iter().all(|place| is_bounded(*place));
        is_small.then_some(Alternative { running, heaps, bounds, exceptions, remainders, asked })
    }

    /// Returns the least and the greatest value of a number, by the bounds in which no later one
    /// counts; nothing if there is none.
    fn ends(&self, place: usize, numbers: &[i64; MAX_HEAPS + 1]) -> Option<(i64, i64)> {
        let (mut low, mut high) = (0, i64::MAX);
        let later = |sum: &&Sum| sum.factors[place + 1..].iter().all(|factor| *factor == 0);
        let mut numbers = *numbers;
        numbers[place] = 0;
        for sum in self.bounds.iter().filter(later) {
            let rest = sum.at(&numbers);
            match sum.factors[place] {
                0 if rest > 0 => return None,
                0 => {}
                own @ 1.. => high = high.min((-rest).div_euclid(own)),
                own => low = low.max(-(-rest).div_euclid(-own)),
            }
        }
        (low <= high).then_some((low, high))
    }

    /// Returns whether the rest of a heap that may stay as it is does: one heap of the same size,
    /// no other.
    fn is_same(heap: i64, sizes: impl Iterator<Item = i64>) -> bool {
        let left: Vec<i64> = sizes.filter(|size| *size > 0).collect();
        left == [heap]
    }

    /// Marks the values of the options of a heap; `None` if one of its heaps is not smaller.
    fn mark(&self, heap: i64, marks: &mut Marks<'_>) -> Option<()> {
        let mut numbers = [0; MAX_HEAPS + 1];
        numbers[0] = heap;
        match self.running[..] {
            [] => {
                let holds =
                    self.bounds.iter().all(|sum| sum.at(&numbers) <= 0) && self.admits(&numbers);
                let sizes = || self.heaps.iter().map(|sum| sum.at(&numbers));
                if holds && !Alternative::is_same(heap, sizes()) {
                    let fits = sizes().all(|size| size < heap);
                    fits.then(|| {
                        marks.mark_value(
                            sizes().fold(0, |value, size| value ^ marks.value(size as u32)),
                        )
                    })?;
                }
            }
            [inner] => {
                let admitted = Admitted::new(&self.asked[1], heap, marks);
                self.mark_along(inner, &numbers, &admitted, marks)?;
            }
            [outer, inner] => {
                let Some((low, high)) = self.ends(outer, &numbers) else { return Some(()) };
                if high > heap && !self.asked[0].is_empty() {
                    return None;
                }
                let [first, second] =
                    self.asked.each_ref().map(|asked| Admitted::new(asked, heap, marks));
                for [low, high] in first.stretches([low, high], &[]) {
                    for number in low..=high {
                        numbers[outer] = number;
                        self.mark_along(inner, &numbers, &second, marks)?;
                    }
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn admits(&self, numbers: &[i64; MAX_HEAPS + 1]) -> bool {
        let remainder = |(sum, admitted): &(Sum, Vec<bool>)| {
            admitted[sum.at(numbers) as usize % admitted.len()]
        };
        self.exceptions.iter().all(|sum| sum.at(numbers) != 0)
            && self.remainders.iter().all(remainder)
    }

    /// Returns by which remainders of the number at a place all remainders are admitted, if the
    /// other numbers are these; `None` if their common modulus is too large.
    fn classes(&self, place: usize, start: &[i64; MAX_HEAPS + 1]) -> Option<Vec<bool>> {
        let period = |(sum, admitted): &(Sum, Vec<bool>)| {
            let modulus = admitted.len() as i64;
            modulus / sum.factors[place].gcd(&modulus)
        };
        let all = self.remainders.iter().map(period).fold(1, |all: i64, one| all.lcm(&one));
        if all > MAX_CLASSES {
            return None;
        }
        let mut at = *start;
        let is_admitted = |(sum, admitted): &(Sum, Vec<bool>), at: &[i64; MAX_HEAPS + 1]| {
            admitted[sum.at(at).rem_euclid(admitted.len() as i64) as usize]
        };
        let class = |number| {
            at[place] = number;
            self.remainders.iter().all(|one| is_admitted(one, &at))
        };
        Some((0..all).map(class).collect())
    }

    /// Marks the values of the options with all numbers but the inner one given.
    fn mark_along(
        &self,
        place: usize,
        numbers: &[i64; MAX_HEAPS + 1],
        admitted: &Admitted,
        marks: &mut Marks<'_>,
    ) -> Option<()> {
        let Some((mut low, mut high)) = self.ends(place, numbers) else { return Some(()) };
        let heap = numbers[0];
        let mut start = *numbers;
        start[place] = 0;
        // The heap left is step · number + rest.
        let lines: Vec<(i64, i64)> =
            self.heaps.iter().map(|sum| (sum.factors[place], sum.at(&start))).collect();
        let sizes = |number: i64| lines.iter().map(move |(step, rest)| step * number + rest);
        while low <= high && Alternative::is_same(heap, sizes(low)) {
            low += 1;
        }
        while low <= high && Alternative::is_same(heap, sizes(high)) {
            high -= 1;
        }
        if low > high {
            return Some(());
        }
        if sizes(low).chain(sizes(high)).any(|size| size >= heap) {
            return None;
        }
        let mut exceptions = Vec::new();
        for sum in &self.exceptions {
            match (sum.factors[place], sum.at(&start)) {
                (0, 0) => return Some(()),
                (0, _) => {}
                (own, rest) if rest % own == 0 => exceptions.push(-rest / own),
                _ => {}
            }
        }
        exceptions.retain(|number| (low..=high).contains(number));
        exceptions.sort_unstable();
        exceptions.dedup();
        let Some(classes) = self.classes(place, &start) else {
            let mut at = start;
            for number in admitted
                .stretches([low, high], &exceptions)
                .into_iter()
                .flat_map(|[low, high]| low..=high)
            {
                at[place] = number;
                if self.admits(&at) {
                    marks.mark_value(
                        sizes(number).fold(0, |value, size| value ^ marks.value(size as u32)),
                    );
                }
            }
            return Some(());
        };
        if !classes.contains(&true) {
            return Some(());
        }
        // Values that are the same for all.
        let fixed = lines.iter().filter(|(step, _)| *step == 0);
        let fixed = fixed.fold(0, |value, (_, rest)| value ^ marks.value(*rest as u32));
        let moving: Vec<(i64, i64)> =
            lines.iter().copied().filter(|(step, _)| *step != 0).collect();
        if let [(1, 0), (-1, sum)] = moving[..]
            && self.asked[1].is_empty()
            && !classes.contains(&false)
            && low + high == sum
            && exceptions.iter().all(|number| exceptions.contains(&(sum - number)))
        {
            high = sum / 2;
            exceptions.retain(|number| *number <= high);
        }
        for stretch in admitted.stretches([low, high], &exceptions) {
            along_classes(&classes, &moving, stretch, fixed, marks);
        }
        Some(())
    }
}

impl Admitted {
    /// Asks all numbers up to the heap: a greater one is the size of a heap that is left, and no
    /// option.
    fn new(asked: &[PairTest], heap: i64, marks: &mut Marks<'_>) -> Admitted {
        let mut listed: Option<Vec<i64>> = None;
        let (mut bits, mut exceptions) = (Vec::new(), Vec::new());
        for test in asked {
            match test.listed(Place::After, heap) {
                Some((mut numbers, true)) => {
                    if let Some(others) = listed {
                        numbers.retain(|number| others.binary_search(number).is_ok());
                    }
                    listed = Some(numbers);
                }
                Some((numbers, false)) => exceptions.extend(numbers),
                None => {
                    let count = heap as usize + 1;
                    marks.visit(count as u64);
                    let mut answers = vec![0; count.div_ceil(64)];
                    test.fill(Place::After, heap, count, &mut answers);
                    if bits.is_empty() {
                        bits = answers;
                    } else {
                        bits.iter_mut().zip(answers).for_each(|(all, one)| *all &= one);
                    }
                }
            }
        }
        exceptions.sort_unstable();
        exceptions.dedup();
        exceptions.retain(|number| *number <= heap);
        let Some(mut listed) = listed else { return Admitted::Bits(bits, exceptions) };
        let has_bit =
            |number: i64| bits.is_empty() || bits[number as usize / 64] >> (number % 64) & 1 == 1;
        listed.retain(|number| {
            *number <= heap && has_bit(*number) && exceptions.binary_search(number).is_err()
        });
        Admitted::Listed(listed)
    }

    /// Returns the stretches of numbers from one to another that are admitted and no exceptions,
    /// which ascend.
    fn stretches(&self, [low, high]: [i64; 2], exceptions: &[i64]) -> Vec<[i64; 2]> {
        let (bits, own) = match self {
            Admitted::Listed(numbers) => {
                let from = numbers.partition_point(|number| *number < low);
                let to = numbers.partition_point(|number| *number <= high);
                return numbers[from..to]
                    .iter()
                    .filter(|number| exceptions.binary_search(number).is_err())
                    .map(|number| [*number; 2])
                    .collect();
            }
            Admitted::Bits(bits, own) => (bits, own),
        };
        let mut exceptions = exceptions.to_vec();
        exceptions.extend(own.iter().filter(|number| (low..=high).contains(*number)));
        exceptions.sort_unstable();
        exceptions.dedup();
        let mut all = Vec::new();
        let mut apart = |[low, high]: [i64; 2]| {
            let from = exceptions.partition_point(|number| *number < low);
            let to = exceptions.partition_point(|number| *number <= high);
            let mut start = low;
            for exception in &exceptions[from..to] {
                all.push([start, exception - 1]);
                start = exception + 1;
            }
            all.push([start, high]);
        };
        if bits.is_empty() {
            apart([low, high]);
        } else {
            // The first number from one on whose bit is this one.
            let next = |from: i64, bit: u64| {
                let word = |at: usize| bits[at] ^ bit.wrapping_sub(1);
                let rest = |at: usize| {
                    word(at) & (u64::MAX << if at == from as usize / 64 { from % 64 } else { 0 })
                };
                let found = (from as usize / 64..bits.len()).find(|at| rest(*at) != 0);
                found
                    .map_or(high + 1, |at| at as i64 * 64 + i64::from(rest(at).trailing_zeros()))
                    .min(high + 1)
            };
            let mut start = next(low, 1);
            while start <= high {
                let end = next(start, 0);
                apart([start, end - 1]);
                start = if end > high { end } else { next(end, 1) };
            }
        }
        all.retain(|[low, high]| low <= high);
        all
    }
}

/// Marks the options with the numbers from one to another that are in some classes of remainders.
fn along_classes(
    classes: &[bool],
    moving: &[(i64, i64)],
    [low, high]: [i64; 2],
    fixed: u32,
    marks: &mut Marks<'_>,
) {
    let period = classes.len() as i64;
    if period == 1 {
        return marks.mark_options(moving, [low, high], fixed);
    }
    for first in
        (low..=high.min(low + period - 1)).filter(|first| classes[(first % period) as usize])
    {
        let line = |(step, rest): &(i64, i64)| (step * period, step * first + rest);
        let lines: Vec<(i64, i64)> = moving.iter().map(line).collect();
        marks.mark_options(&lines, [0, (high - first) / period], fixed);
    }
}

/// Returns the alternatives of a comparison.
fn compared(
    left: &Term,
    relation: Relation,
    right: &Term,
    count: usize,
) -> Option<Vec<Vec<Condition>>> {
    if let Some(condition) = Condition::new(left, relation, right, count) {
        return Some(vec![vec![condition]]);
    }
    by_remainders(left, relation, right, count)
        .or_else(|| Some(vec![vec![Condition::asked(left, relation, right)?]]))
}

/// Returns the alternatives of a comparison, one or more for each remainder of a term in it.
fn by_remainders(
    left: &Term,
    relation: Relation,
    right: &Term,
    count: usize,
) -> Option<Vec<Vec<Condition>>> {
    let remainder = first_remainder(left).or_else(|| first_remainder(right))?;
    let Term::Remainder(inner, modulus) = remainder else { return None };
    let mut all = Vec::new();
    for rest in (0..*modulus).take(MAX_ALTERNATIVES + 1) {
        let with = |term| with_remainder(term, remainder, rest);
        let known = Condition::new(
            &Term::Remainder(inner.clone(), *modulus),
            Relation::Equal,
            &Term::Number(rest),
            count,
        )?;
        for mut others in compared(&with(left), relation, &with(right), count)? {
            others.insert(0, known.clone());
            all.push(others);
        }
        if all.len() > MAX_ALTERNATIVES {
            return None;
        }
    }
    Some(all)
}

/// Returns a remainder that is part of a linear term.
fn first_remainder(term: &Term) -> Option<&Term> {
    match term {
        Term::Remainder(..) => Some(term),
        Term::Sum(parts) => parts.iter().find_map(first_remainder),
        Term::Multiple(_, inner) => first_remainder(inner),
        _ => None,
    }
}

/// Returns a linear term with a number in the place of a remainder.
fn with_remainder(term: &Term, remainder: &Term, rest: u64) -> Term {
    match term {
        _ if term == remainder => Term::Number(rest),
        Term::Sum(parts) => {
            Term::Sum(parts.iter().map(|part| with_remainder(part, remainder, rest)).collect())
        }
        Term::Multiple(k, inner) => {
            Term::Multiple(*k, Box::new(with_remainder(inner, remainder, rest)))
        }
        _ => term.clone(),
    }
}

impl Loops {
    /// Returns the loops of a formula over p0, q0, q1, …, in which q0, q1, … are the heaps; `None`
    /// if it is none of such conditions.
    pub fn new(formula: &Formula) -> Option<Loops> {
        let count = formula.free.checked_sub(1).filter(|count| (1..=MAX_HEAPS).contains(count))?;
        if formula.names.len() > formula.free {
            return None;
        }
        let all = alternatives(&formula.root, true, count)?;
        let alternatives = all.into_iter().map(|conditions| Alternative::new(conditions, count));
        Some(Loops { alternatives: alternatives.collect::<Option<_>>()? })
    }

    /// Marks the values of the options of the next heap. `None` if one of their heaps is not
    /// smaller; some are marked then.
    pub fn mark(&self, marks: &mut Marks<'_>) -> Option<()> {
        let heap = i64::from(marks.heap());
        self.alternatives.iter().try_for_each(|alternative| alternative.mark(heap, marks))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::super::ValueTable;
    use super::*;

    /// Returns the values by asking the formula of all heaps; `None` where one is not smaller.
    fn brute_force(formulas: &[Formula], heaps: u32) -> Option<Vec<u32>> {
        let mut values: Vec<u32> = vec![0];
        for heap in 1..heaps {
            let mut seen = std::collections::BTreeSet::new();
            for formula in formulas {
                let count = formula.free - 1;
                let side = u64::from(heap) + 3;
                for number in 0..side.pow(count as u32) {
                    let sizes: Vec<u64> =
                        (0..count as u32).map(|i| number / side.pow(i) % side).collect();
                    if formula.holds(&[&[u64::from(heap)], &sizes[..]].concat()) != Ok(true) {
                        continue;
                    }
                    let left: Vec<u64> = sizes.iter().copied().filter(|size| *size > 0).collect();
                    if left == [u64::from(heap)] {
                        continue;
                    }
                    if left.iter().any(|size| *size >= u64::from(heap)) {
                        return None;
                    }
                    seen.insert(left.iter().fold(0, |value, size| value ^ values[*size as usize]));
                }
            }
            values.push((0..).find(|value| !seen.contains(value)).unwrap());
        }
        Some(values)
    }

    /// Returns the values by loops; `None` where one of the heaps is not smaller.
    fn by_loops(loops: &[Loops], heaps: u32) -> Option<Vec<u32>> {
        let mut table = ValueTable::default();
        for _ in 1..heaps {
            let mut marks = table.marks();
            loops.iter().try_for_each(|one| one.mark(&mut marks))?;
            let value = marks.least_unmarked();
            table.push(value);
        }
        Some(table.values().to_vec())
    }

    fn formula(text: &str) -> Formula {
        let count = (0..MAX_HEAPS).rev().find(|i| text.contains(&format!("q{i}"))).unwrap() + 1;
        let heaps = (0..count).map(|heap| format!("q{heap}"));
        let names: Vec<String> = std::iter::once("p0".to_owned()).chain(heaps).collect();
        Formula::parse_over(text, &names).unwrap()
    }

    #[test]
    fn loops_are_the_formulas() {
        let rules: [&[&str]; 35] = [
            &["q0 < p0", "q0+q1 = p0 & q1 >= 1 & q0 mod 3 != 0"],
            &["q0+q1+1 = p0 & (q0+q1) mod 3 != 0 & q0 != q1"],
            &["q0+q1 = p0 & q0 >= 1 & q1 >= 1 & q0 mod 2 = q1 mod 2", "q0+1 = p0"],
            &["q0+q1+2 = p0 & q0 + (q1 mod 3) <= 5 & q1 != 4 & (q1 mod 2) + (q0 mod 3) >= 1"],
            &[
                "q0+q1 = p0 & q0 mod 7 != 3 & q1 mod 5 != 2 & q0 != q1 & q0 >= 1",
                "q0 < p0 & (q0+p0) mod 4 = 1",
            ],
            &["q0+q1+q2+1 = p0 & q0 mod 2 = q1 mod 3 & q2 mod 2 = 1"],
            &["q0 < p0", "q0 >= 1 & q0+q1 = p0 & q1 >= 1 & q0 != q1"],
            &["q0 < p0", "q0 >= 1 & q0+q1+3 = p0 & q1 >= 1 & q0+q1 >= 6"],
            &["q0+5 = p0", "q0 >= 1 & q0+q1 = p0 & q1 >= 1 & q0+q1 >= 6"],
            &[
                "q0 < p0 & p0 <= q0+4",
                "q0+q1 = p0 & q0 <= 2*q1 & q1 <= 2*q0 | q0+q1+2 = p0 & q0 mod 3 = 1",
            ],
            &["q0+q1+q2 = p0 & q0 >= 1 & q1 >= q0 & q2 >= q1+1", "q0+1 = p0"],
            &["q0+q1 < p0 & q0 != 3"],
            &["2*q0 = p0 | 3*q0 = p0+1", "q0+q1 = p0 & q1 = 2*q0"],
            &["q0+2*q1 = p0 & q1 >= 1"],
            &["2*q0+3*q1 = p0 & q0 != q1"],
            &["q0 <= p0"],
            &["q0+q1 = p0"],
            &["q0 = 4 | q0 + 7 = p0"],
            &["q0 < p0 & ~(q0 = 2 | q0 + 3 = p0) & (p0 = 9 => q0 = 1)"],
            &["q0+q1+q2+1 = p0 & q0 != q1 & q2 <= q0"],
            &["q0+1 = p0", "q0 >= 1 & q0+q1 = p0 & divides(q0, q1)"],
            &["q0+q1+1 = p0 & ~divides(q1, q0) & q0 != 3", "q0 < p0 & divides(p0-q0, p0)"],
            &["q0+q1 = p0 & q0 >= 1 & q1 >= 1 & gcd(q0, q1) = 1"],
            &["q0+q1+2 = p0 & bitand(q0, q1) = 0 & (q0+p0) mod 3 != 1 & q0 != 5"],
            &[
                "q0+q1 = p0 & q0 != p0 & q0 != 0 & ((q0 xor q1) mod 3 = 1 | divides(3, q0))",
                "q0+2 = p0",
            ],
            &["q0+q1 = p0 & q0 >= 1 & q1 >= 1 & divides(2*q0+1, q1+3) & ~divides(q0, p0+1)"],
            &["q0 >= 1 & q1 >= 1 & q0+q1 = p0 & max(q0, q1) <= 2*min(q0, q1)"],
            &["q0+q1+1 = p0 & 3 < min(q0, q1+1, q0+q1) & max(q0, 7) != q1 | q0+1 = p0 & q1 = 0"],
            &["q0+q1+1 = p0 & (min(q0, q1) = 3 | ~(max(q0+2, q1) >= 2*q0))"],
            &["q0+q1+1 = p0 & q0 mod 70 != q1 mod 70 & bitor(q0, p0) != p0"],
            &["q0 >= 2 & q1 >= q0 & q1 < p0 & divides(q0, p0) & divides(q1, p0)"],
            &["q0 < p0 & q1 < p0 & divides(q0, p0) & ~divides(q1+1, p0+1) & q0 != q1"],
            &["q0 < p0 & q1 <= q0 & gcd(q0, p0) = 1 & divides(q1+2, p0) & (q0+q1) mod 3 != 1"],
            &["1 <= q0 & q0 < p0 & ~divides(p0-q0, p0) & ~divides(q0, 2*p0) & q0 != 5"],
            &["q0 <= p0 & divides(q0, 2*p0) & divides(q0+1, p0) & gcd(q0, 3) = 1"],
        ];
        for texts in rules {
            let formulas: Vec<Formula> = texts.iter().map(|text| formula(text)).collect();
            let loops: Vec<Loops> =
                formulas.iter().map(|formula| Loops::new(formula).unwrap()).collect();
            let heaps = if texts.iter().any(|text| text.contains("q2")) { 18 } else { 34 };
            assert_eq!(by_loops(&loops, heaps), brute_force(&formulas, heaps), "{texts:?}");
        }
    }

    #[test]
    fn random_loops_are_the_formulas() {
        let mut random = crate::heap_tables::random(48);
        let mut covered = 0;
        for _ in 0..150 {
            let pair = |random: &mut dyn FnMut(u64) -> u64| {
                let mut parts = vec![format!("q0+q1+{} = p0", random(4))];
                for _ in 0..1 + random(3) {
                    let (i, k) = (random(2), 1 + random(4));
                    parts.push(match random(12) {
                        0 => format!("q{i} >= {k}"),
                        1 => format!("q0 != {}*q1", 1 + random(2)),
                        2 => format!("q0+q1 >= {k}"),
                        3 => format!("{k}*q{i} <= p0+{}", random(6)),
                        4 => format!("(q{i}+p0) mod {} = {}", k + 1, random(k + 1)),
                        5 => format!("q{i} mod {} != q{} mod {}", k + 1, 1 - i, 1 + random(4)),
                        6 => format!("q{i} mod {} <= {}", k + 4, random(k + 4)),
                        7 => format!("divides(q{i}, q{}+{})", 1 - i, k - 1),
                        8 => format!("~divides(q{i}, p0)"),
                        9 => format!("gcd(q0, q1+{}) <= {k}", k - 1),
                        10 => format!("bitand(q{i}, p0) != {k}"),
                        _ => format!("(q0 <= q1+{k} | q{i} = {k})"),
                    });
                }
                parts.join(" & ")
            };
            let single = |random: &mut dyn FnMut(u64) -> u64| match random(5) {
                0 => "q0 < p0".to_owned(),
                1 => format!("q0 < p0 & p0 <= q0+{}", 1 + random(6)),
                2 => format!("q0+{} = p0", 1 + random(5)),
                3 => format!("q0 < p0 & q0 >= {}", random(4)),
                _ => format!("{}*q0 <= p0 & q0 != p0", 2 + random(2)),
            };
            let texts = [single(&mut random), pair(&mut random)];
            let formulas = texts.each_ref().map(|text| formula(text));
            let Some(loops) = formulas.iter().map(Loops::new).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let (found, expected) = (by_loops(&loops, 26), brute_force(&formulas, 26));
            assert_eq!(found, expected, "{texts:?}");
            covered += u32::from(found.is_some());
        }
        assert!(covered > 100, "{covered}");
    }

    #[test]
    fn other_rules_are_left_to_the_search() {
        for text in
            ["q0 < p0 & square(q0)", "q0 >= p0", "(q0 xor p0) = 1", "q0 < p0 & E k: q0 = 2*k"]
        {
            assert!(Loops::new(&formula(text)).is_none(), "{text}");
        }
    }
}

//! Rules on the one heap left whose sizes are a range: take at most √n, leave at most √n.
//!
//! A rule is a union of alternatives, and in each of them comparisons of polynomials hold together.
//! A polynomial in the heap p and the size q left is monotone in q if no two of its multiples of
//! powers of q differ in sign; or, for sizes up to p, if no two of powers of the number p − q taken
//! do. So each comparison holds from one size on or up to one. That size is sought from the one
//! found for the last heap on, in steps that double, then by halving.
//!
//! One more number of a rule, as in `E k: k >= 1 & k*k <= p0 & q0+k = p0`, is put in terms of the
//! others by an equation.

use super::Marks;
use bouton_core::{ArithmeticSymbol, Formula, Node, Relation, Term};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};

/// The most alternatives of a rule.
const MAX_ALTERNATIVES: usize = 32;
/// The greatest exponent, and the greatest coefficient.
const MAX_EXPONENT: u8 = 4;
const MAX_COEFFICIENT: i128 = 1 << 20;

/// Coefficients by the exponents of the heap, the size left, and one more number.
type Polynomial = BTreeMap<[u8; 3], i128>;

/// A polynomial in the heap and the size left that is at most 0.
#[derive(Debug)]
struct Bound {
    polynomial: Vec<([u8; 3], i128)>,
    /// Whether it holds of sizes up to one; else of sizes from one on.
    is_upper: bool,
    /// Whether that is so of sizes above the heap, too.
    everywhere: bool,
    /// The first size of which it holds no more, or of which it holds, of the last heap.
    last: AtomicI64,
}

/// One way in which a rule holds, before numbers are put in terms of others.
#[derive(Clone, Default)]
struct Conditions {
    /// The number besides the heap and the size left.
    other: Option<usize>,
    compared: Vec<(Polynomial, Relation)>,
}

/// A rule whose options are ranges of sizes.
#[derive(Debug)]
pub struct Ranges {
    alternatives: Vec<Vec<Bound>>,
}

impl Ranges {
    /// Returns the ranges of a formula over p0 and q0; `None` if it is none of such comparisons.
    pub fn new(formula: &Formula) -> Option<Ranges> {
        if formula.free != 2 {
            return None;
        }
        let alternatives = alternatives(&formula.root)?.into_iter().map(bounds);
        Some(Ranges { alternatives: alternatives.collect::<Option<_>>()? })
    }

    /// Marks the values of the options of the next heap. `None` if one of them may not be smaller,
    /// or numbers are too large; some are marked then.
    pub fn mark(&self, marks: &mut Marks<'_>) -> Option<()> {
        let heap = i64::from(marks.heap());
        for bounds in &self.alternatives {
            let (mut low, mut high, mut is_shrinking) = (0, heap, false);
            for bound in bounds {
                let end = bound.end(heap)?;
                match bound.is_upper {
                    true => high = high.min(end),
                    false => low = low.max(end),
                }
                is_shrinking |=
                    bound.is_upper && bound.everywhere && !bound.holds(heap, heap + 1)?;
            }
            if !is_shrinking {
                return None;
            }
            if low < high {
                marks.mark_options(&[(1, 0)], [low, high - 1], 0);
            }
        }
        Some(())
    }
}

impl Bound {
    /// Returns a bound; `None` if the polynomial is not monotone.
    fn new(polynomial: &Polynomial) -> Option<Bound> {
        let signs = |polynomial: &Polynomial| {
            let moving = polynomial.iter().filter(|(exponents, _)| exponents[1] > 0);
            let (mut rises, mut falls) = (false, false);
            moving.for_each(|(_, times)| if *times > 0 { rises = true } else { falls = true });
            (rises, falls)
        };
        let (is_upper, everywhere) = match signs(polynomial) {
            (true, true) => {
                let left = Polynomial::from([([1, 0, 0], 1), ([0, 1, 0], -1)]);
                match signs(&substituted(polynomial, 1, &left)?) {
                    (true, true) => return None,
                    (rises, _) => (!rises, false),
                }
            }
            (_, falls) => (!falls, true),
        };
        let polynomial = polynomial.iter().map(|(exponents, times)| (*exponents, *times)).collect();
        Some(Bound { polynomial, is_upper, everywhere, last: AtomicI64::new(0) })
    }

    fn holds(&self, heap: i64, size: i64) -> Option<bool> {
        let mut sum = 0i128;
        for ([of_heap, of_size, _], times) in &self.polynomial {
            let factors = i128::from(heap).checked_pow((*of_heap).into())?;
            let factors = factors.checked_mul(i128::from(size).checked_pow((*of_size).into())?)?;
            sum = sum.checked_add(factors.checked_mul(*times)?)?;
        }
        Some(sum <= 0)
    }

    /// Returns the first size below the heap of which an upper bound holds no more, or of which a
    /// lower one holds; the heap if there is none.
    fn end(&self, heap: i64) -> Option<i64> {
        let is_reached = |size: i64| Some(size >= heap || self.holds(heap, size)? != self.is_upper);
        let last = self.last.load(Ordering::Relaxed).min(heap);
        // Not reached at `low`, reached at `high`.
        let (mut low, mut high, mut step) = (last - 1, last, 1);
        if is_reached(last)? {
            while low >= 0 && is_reached(low)? {
                (high, step) = (low, 2 * step);
                low = (low - step).max(-1);
            }
        } else {
            (low, high) = (last, last + 1);
            while !is_reached(high)? {
                (low, step) = (high, 2 * step);
                high += step;
            }
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if is_reached(middle)? { high = middle } else { low = middle }
        }
        let end = high.min(heap);
        self.last.store(end, Ordering::Relaxed);
        Some(end)
    }
}

/// Returns the bounds of an alternative.
fn bounds(conditions: Conditions) -> Option<Vec<Bound>> {
    let Conditions { other, mut compared } = conditions;
    if other.is_some() {
        // The number by the others: it stands once in an equation, by itself.
        let alone = |polynomial: &Polynomial| {
            let mut of_it = polynomial.iter().filter(|(exponents, _)| exponents[2] > 0);
            match (of_it.next(), of_it.next()) {
                (Some(([0, 0, 1], sign @ (1 | -1))), None) => Some(*sign),
                _ => None,
            }
        };
        let is_equal = |relation: Relation| relation == Relation::Equal;
        let (place, sign) =
            compared.iter().enumerate().find_map(|(place, (polynomial, relation))| {
                is_equal(*relation).then(|| alone(polynomial)).flatten().map(|sign| (place, sign))
            })?;
        let (mut value, _) = compared.remove(place);
        value.remove(&[0, 0, 1]);
        let value = scaled(&value, -sign)?;
        for (polynomial, _) in &mut compared {
            *polynomial = substituted(polynomial, 2, &value)?;
        }
        compared.push((value, Relation::AtLeast));
    }
    let mut bounds = Vec::new();
    for (polynomial, relation) in compared {
        let plus_one = |polynomial: Polynomial| sum(polynomial, &Polynomial::from([([0; 3], 1)]));
        let negative = || scaled(&polynomial, -1);
        let at_most_zero = match relation {
            Relation::AtMost => vec![polynomial],
            Relation::Less => vec![plus_one(polynomial)?],
            Relation::AtLeast => vec![negative()?],
            Relation::Greater => vec![plus_one(negative()?)?],
            Relation::Equal => vec![negative()?, polynomial],
            Relation::Unequal => return None,
        };
        for polynomial in &at_most_zero {
            bounds.push(Bound::new(polynomial)?);
        }
    }
    Some(bounds)
}

/// Returns the alternatives of a formula; `None` if it is not made of comparisons of polynomials.
fn alternatives(node: &Node) -> Option<Vec<Conditions>> {
    let all = match node {
        Node::Compare(left, relation, right) => {
            let mut other = None;
            let difference =
                sum(polynomial(left, &mut other)?, &scaled(&polynomial(right, &mut other)?, -1)?)?;
            vec![Conditions { other, compared: vec![(difference, *relation)] }]
        }
        Node::Or(parts) => {
            let each: Option<Vec<_>> = parts.iter().map(alternatives).collect();
            each?.concat()
        }
        Node::And(parts) => {
            let mut made = vec![Conditions::default()];
            for part in parts {
                let own = alternatives(part)?;
                let mut joined = Vec::new();
                for one in &made {
                    for more in &own {
                        let other = match (one.other, more.other) {
                            (Some(one), Some(more)) if one != more => return None,
                            (one, more) => one.or(more),
                        };
                        let compared = [&one.compared[..], &more.compared[..]].concat();
                        joined.push(Conditions { other, compared });
                    }
                }
                made = joined;
                if made.len() > MAX_ALTERNATIVES {
                    return None;
                }
            }
            made
        }
        Node::Exists(others, body) => {
            let own = alternatives(body)?;
            let is_said = |one: &Conditions| one.other.is_none_or(|other| others.contains(&other));
            own.iter().all(is_said).then_some(own)?
        }
        _ => return None,
    };
    (all.len() <= MAX_ALTERNATIVES).then_some(all)
}

/// Returns the polynomial that a term is, with at most one number besides the heap and the size
/// left.
fn polynomial(term: &Term, other: &mut Option<usize>) -> Option<Polynomial> {
    match term {
        Term::Number(number) => Some(Polynomial::from([([0; 3], i128::from(*number))])),
        Term::Variable(0) => Some(Polynomial::from([([1, 0, 0], 1)])),
        Term::Variable(1) => Some(Polynomial::from([([0, 1, 0], 1)])),
        Term::Variable(v) => {
            (*other.get_or_insert(*v) == *v).then(|| Polynomial::from([([0, 0, 1], 1)]))
        }
        Term::Sum(parts) => parts
            .iter()
            .try_fold(Polynomial::new(), |all, part| sum(all, &polynomial(part, other)?)),
        Term::Multiple(k, inner) => scaled(&polynomial(inner, other)?, (*k).into()),
        Term::Arithmetic(ArithmeticSymbol::Product, parts) => {
            parts.iter().try_fold(Polynomial::from([([0; 3], 1)]), |all, part| {
                product(&all, &polynomial(part, other)?)
            })
        }
        _ => None,
    }
}

fn sum(mut one: Polynomial, other: &Polynomial) -> Option<Polynomial> {
    for (exponents, times) in other {
        *one.entry(*exponents).or_default() += times;
    }
    one.retain(|_, times| *times != 0);
    one.values().all(|times| times.abs() <= MAX_COEFFICIENT).then_some(one)
}

fn scaled(one: &Polynomial, by: i128) -> Option<Polynomial> {
    product(one, &Polynomial::from([([0; 3], by)]))
}

fn product(one: &Polynomial, other: &Polynomial) -> Option<Polynomial> {
    let mut all = Polynomial::new();
    for (first, times) in one {
        for (second, more) in other {
            let exponents = [0, 1, 2].map(|i| first[i] + second[i]);
            if exponents.iter().any(|exponent| *exponent > MAX_EXPONENT) {
                return None;
            }
            all = sum(all, &Polynomial::from([(exponents, times.checked_mul(*more)?)]))?;
        }
    }
    Some(all)
}

/// Returns a polynomial with another one in the place of a number.
fn substituted(polynomial: &Polynomial, place: usize, value: &Polynomial) -> Option<Polynomial> {
    let mut all = Polynomial::new();
    for (exponents, times) in polynomial {
        let mut rest = *exponents;
        rest[place] = 0;
        let mut part = Polynomial::from([(rest, *times)]);
        for _ in 0..exponents[place] {
            part = product(&part, value)?;
        }
        all = sum(all, &part)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::super::ValueTable;
    use super::*;

    fn by_ranges(text: &str, heaps: u32) -> Option<Vec<u32>> {
        let names = ["p0".to_owned(), "q0".to_owned()];
        let ranges = Ranges::new(&Formula::parse_over(text, &names).unwrap())?;
        let mut table = ValueTable::default();
        for _ in 1..heaps {
            let mut marks = table.marks();
            ranges.mark(&mut marks)?;
            let value = marks.least_unmarked();
            table.push(value);
        }
        Some(table.values().to_vec())
    }

    fn by_rules(heaps: u32, is_option: impl Fn(i64, i64) -> bool) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        for heap in 0..heaps {
            let options = (0..heap).filter(|size| is_option(heap.into(), i64::from(*size)));
            let reached: Vec<u32> = options.map(|size| values[size as usize]).collect();
            values.push((0..).find(|value| !reached.contains(value)).unwrap());
        }
        values
    }

    /// Rules of ranges, each with the same rule as a function of the heap and the size left.
    #[test]
    fn ranges_are_the_rules() {
        type Rule = fn(i64, i64) -> bool;
        let rules: [(&str, Rule); 10] = [
            ("q0 < p0 & q0*q0 <= p0", |p, q| q * q <= p),
            ("q0*q0 <= p0 & q0 <= p0", |p, q| q * q <= p),
            ("q0 < p0 & (p0-q0)*(p0-q0) <= p0", |p, q| (p - q) * (p - q) <= p),
            ("E k: k >= 1 & k*k <= p0 & q0+k = p0", |p, q| (p - q) * (p - q) <= p),
            ("E k: q0 = p0-k & k*(k+1) <= 2*p0+6", |p, q| (p - q) * (p - q + 1) <= 2 * p + 6),
            ("q0 < p0 & q0*p0 <= 40", |p, q| q * p <= 40),
            ("q0 < p0 & q0*q0 > p0", |p, q| q * q > p),
            ("q0+1 = p0 | q0 < p0 & 3*q0*q0 <= p0 + 10", |p, q| q + 1 == p || 3 * q * q <= p + 10),
            ("q0 <= p0 & q0*q0 = p0", |p, q| q * q == p),
            ("q0 < p0 & p0 <= 2*q0 | q0*q0 <= p0 & q0+3 <= p0", |p, q| {
                p <= 2 * q || q * q <= p && q + 3 <= p
            }),
        ];
        for (text, rule) in rules {
            assert_eq!(by_ranges(text, 400).unwrap(), by_rules(400, rule), "{text}");
        }
    }

    #[test]
    fn other_rules_are_none() {
        // Larger heaps, products that rise and fall, and what is no polynomial.
        for text in [
            "(p0-q0)*(p0-q0) <= p0",
            "q0 <= p0*p0 & q0*q0 <= 4*p0*p0",
            "q0 < p0 & q0*q0 <= 3*q0 + p0",
            "q0 < p0 & q0*q0 != p0",
            "q0 < p0 & divides(q0, p0)",
            "E k,l: k*l = p0 & q0+k = p0",
        ] {
            assert_eq!(by_ranges(text, 60), None, "{text}");
        }
    }
}

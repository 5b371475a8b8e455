//! Recurrences of sequences: linear ones in earlier values, and ones from n to b·n + r; and
//! sequences of multiples of an irrational number, rounded down.

use crate::pairs::{size, slope};
use bouton_core::{Arrange, LimitReached, Meter, Surd};
use std::fmt;

/// The prime modulo which a linear recurrence is sought before it is verified.
const PRIME: i128 = (1 << 61) - 1;
/// The most earlier values of a linear recurrence, and its greatest coefficient.
const MAX_ORDER: usize = 8;
const MAX_COEFFICIENT: i128 = 1_000_000;
/// The greatest base.
const MAX_BASE: i64 = 10;
/// The least number of equations that each residue needs, two of which determine its rule.
const EQUATIONS: u32 = 6;
/// The least number of bits that the others say.
const BITS: u32 = 8;

/// A recurrence that a sequence satisfies in the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurrence {
    /// How values follow from earlier ones.
    pub rule: Rule,
    /// The values before the first that follows, with their numbers.
    pub first: Vec<(i64, i64)>,
    /// The last number of the data.
    pub seen_to: i64,
}

/// How values follow from earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// a(n) is the sum of these multiples of a(n-1), a(n-2), ….
    Linear(Vec<i64>),
    /// For each residue r modulo the base, a(base·n + r) = factor·a(n) + slope·n + constant.
    Digits(Vec<[i64; 3]>),
    /// a(n) = ⌊α·(n + shift)⌋ + offset (S. Beatty, Amer. Math. Monthly 33, 1926).
    Beatty {
        /// α, a root of the simplest polynomial that fits.
        number: Surd,
        /// 0 or 1.
        shift: i64,
        /// What is added to the multiple.
        offset: i64,
    },
}

/// Returns the recurrence of a sequence whose first number is `start`, if more than a third of the
/// data confirms it: a linear one, else the one to the least base. A node is a value compared.
pub fn recurrence(
    start: i64,
    values: &[i64],
    meter: &mut Meter,
) -> Result<Option<Recurrence>, LimitReached> {
    meter.spend((values.len() * (MAX_ORDER + MAX_BASE as usize)) as u64)?;
    let seen_to = start + values.len() as i64 - 1;
    let found = linear(values).map(|factors| (factors.len(), Rule::Linear(factors)));
    let found = found.or_else(|| {
        let mut digits = (2..=MAX_BASE).filter_map(|base| digits(start, values, base));
        digits.next().map(|(from, rules)| (from, Rule::Digits(rules)))
    });
    let found = found.or_else(|| Some((0, beatty(start, values)?)));
    Ok(found.map(|(from, rule)| Recurrence {
        rule,
        first: (start..).zip(values.iter().copied()).take(from).collect(),
        seen_to,
    }))
}

/// Returns the coefficients of the shortest linear recurrence (Berlekamp and Massey, modulo a
/// prime), if it has integer coefficients and all values satisfy it.
fn linear(values: &[i64]) -> Option<Vec<i64>> {
    let at = |n: usize| i128::from(values[n]).rem_euclid(PRIME);
    let (mut now, mut before) = (vec![1i128], vec![1i128]);
    let (mut order, mut shift, mut last) = (0, 1, 1i128);
    for n in 0..values.len() {
        let terms = (0..=order.min(now.len() - 1)).map(|i| now[i] * at(n - i) % PRIME);
        let gap = terms.sum::<i128>() % PRIME;
        if gap == 0 {
            shift += 1;
            continue;
        }
        let factor = gap * inverse(last) % PRIME;
        let old = now.clone();
        now.resize(now.len().max(before.len() + shift), 0);
        for (i, term) in before.iter().enumerate() {
            now[i + shift] = (now[i + shift] - factor * term % PRIME).rem_euclid(PRIME);
        }
        if 2 * order <= n {
            (order, before, last, shift) = (n + 1 - order, old, gap, 1);
        } else {
            shift += 1;
        }
        if order > MAX_ORDER {
            return None;
        }
    }
    if order == 0 || values.len() < 3 * order + 4 {
        return None;
    }
    now.resize(order + 1, 0);
    let signed = |x: i128| if x > PRIME / 2 { x - PRIME } else { x };
    let factors: Vec<i128> = now[1..].iter().map(|x| -signed(*x)).collect();
    let is_small = factors.iter().all(|factor| factor.abs() <= MAX_COEFFICIENT);
    let holds = |n: usize| {
        let sum: i128 =
            factors.iter().zip(1..).map(|(f, back)| f * i128::from(values[n - back])).sum();
        sum == i128::from(values[n])
    };
    (is_small && (order..values.len()).all(holds))
        .then(|| factors.iter().map(|f| *f as i64).collect())
}

/// Returns the inverse modulo the prime.
fn inverse(x: i128) -> i128 {
    let (mut power, mut base, mut exponent) = (1, x, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    power
}

/// Returns the rules of the residues to a base, and how many values stand before all that follow:
/// at most a quarter.
fn digits(start: i64, values: &[i64], base: i64) -> Option<(usize, Vec<[i64; 3]>)> {
    if values.is_empty() {
        return None;
    }
    let end = start + values.len() as i64;
    let value = |n: i64| i128::from(values[(n - start) as usize]);
    // An equation between few different values says little.
    let mut distinct = values.to_vec();
    distinct.arrange();
    distinct.dedup();
    let equations = i64::from(EQUATIONS.max(2 + BITS / distinct.len().ilog2().max(1)));
    let mut from = start;
    let mut rules = Vec::new();
    for residue in 0..base {
        // The numbers n of which both a(n) and a(base·n + residue) are known.
        let last = (end - 1 - residue).div_euclid(base);
        let lowest = start.max(0);
        if last - lowest + 1 < equations {
            return None;
        }
        // The rule that holds longest from the end on, the simplest of those.
        let rule = [0, 1, -1, 2, -2, 3, -3, 4].into_iter().find_map(|factor| {
            let rest = |n: i64| value(base * n + residue) - factor * value(n);
            let slope = rest(last) - rest(last - 1);
            let constant = rest(last) - slope * i128::from(last);
            let holds = |n: &i64| rest(*n) == slope * i128::from(*n) + constant;
            let first = (lowest..=last).rev().take_while(holds).last()?;
            let begins = if first == lowest { start } else { base * (first - 1) + residue + 1 };
            let is_long = last - first + 1 >= equations && begins - start <= (end - start) / 4;
            let rule = [factor, slope, constant].map(|x| i64::try_from(x).ok());
            is_long.then_some((begins, [rule[0]?, rule[1]?, rule[2]?]))
        })?;
        from = from.max(rule.0);
        rules.push(rule.1);
    }
    // What is before the least number that follows from a smaller one, too.
    let from = from.max(start.max(0) * base).max(1);
    let before = usize::try_from(from - start).ok()?;
    (before <= values.len() / 4).then_some((before, rules))
}

/// Returns the multiples of an irrational quadratic number, rounded down, that the values are: of
/// the simplest such number, if it is simple for this many values.
fn beatty(start: i64, values: &[i64]) -> Option<Rule> {
    /// Fewer values hardly tell the numbers apart.
    const LEAST: i64 = 16;
    /// The most offsets that are tried on either side.
    const OFFSETS: i64 = 16;
    let len = values.len() as i64;
    if len < LEAST || !(0..1 << 32).contains(&start) {
        return None;
    }
    // The number differs from the mean growth by less than 1/(len − 1).
    let mean = (*values.last()? as f64 - values[0] as f64) / (len - 1) as f64;
    let mut found: Vec<(i64, Rule)> = Vec::new();
    for shift in [0, 1] {
        let from = start + shift;
        let off = 1 + from / (len - 1);
        if off > OFFSETS {
            return None;
        }
        let near = values[0].checked_sub((mean * from as f64) as i64)?;
        for offset in near.checked_sub(off)?..=near.checked_add(off)? {
            let multiples = values.iter().map(|value| value.checked_sub(offset));
            let multiples = multiples.collect::<Option<Vec<i64>>>()?;
            let Some(polynomial) = slope(from, &multiples) else { continue };
            let [a, b, c] = polynomial;
            let number = Surd::new(-b, b * b - 4 * a * c, 2 * a)?;
            found.push((size(polynomial), Rule::Beatty { number, shift, offset }));
        }
    }
    let (size, rule) = found.into_iter().min_by_key(|(size, _)| *size)?;
    (len >= 2 * size).then_some(rule)
}

impl fmt::Display for Recurrence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rule {
            Rule::Linear(factors) => {
                let terms =
                    (1..).zip(factors).map(|(back, factor)| (*factor, format!("a(n-{back})")));
                write!(f, "a(n) = {}", sum(terms))?;
            }
            Rule::Digits(rules) => {
                let base = rules.len();
                for (residue, [factor, slope, constant]) in rules.iter().enumerate() {
                    let left = if residue == 0 {
                        format!("{base}n")
                    } else {
                        format!("{base}n+{residue}")
                    };
                    let terms = [
                        (*factor, "a(n)".into()),
                        (*slope, "n".into()),
                        (*constant, String::new()),
                    ];
                    let comma = if residue == 0 { "" } else { ", " };
                    write!(f, "{comma}a({left}) = {}", sum(terms.into_iter()))?;
                }
            }
            Rule::Beatty { number, shift, offset } => {
                let n = if *shift == 0 { "n".into() } else { format!("(n+{shift})") };
                match (number.whole, number.by) {
                    (0, _) | (_, 2..) => write!(f, "a(n) = ⌊{number}·{n}⌋")?,
                    _ => write!(f, "a(n) = ⌊({number})·{n}⌋")?,
                }
                match offset {
                    0 => {}
                    less if *less < 0 => write!(f, " - {}", less.unsigned_abs())?,
                    more => write!(f, " + {more}")?,
                }
            }
        }
        let first: Vec<String> =
            self.first.iter().map(|(n, value)| format!("a({n}) = {value}")).collect();
        if first.is_empty() { Ok(()) } else { write!(f, "; first {}", first.join(", ")) }
    }
}

/// Returns `2a(n) - n + 1`; 0 if all factors are.
fn sum(terms: impl Iterator<Item = (i64, String)>) -> String {
    let mut text = String::new();
    for (factor, of) in terms.filter(|(factor, _)| *factor != 0) {
        text += match (text.is_empty(), factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let size = factor.unsigned_abs();
        match size == 1 && !of.is_empty() {
            true => text += &of,
            false => text += &format!("{size}{of}"),
        }
    }
    if text.is_empty() { "0".into() } else { text }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    fn found(start: i64, values: &[i64]) -> Option<String> {
        let mut meter = Meter::new(&Budget::default());
        recurrence(start, values, &mut meter).unwrap().map(|found| found.to_string())
    }

    fn ones(n: i64) -> i64 {
        i64::from(n.count_ones())
    }

    #[test]
    fn sequences_that_people_know() {
        let of = |a: &dyn Fn(i64) -> i64, to: i64| (0..to).map(a).collect::<Vec<_>>();
        for (values, text) in [
            (
                vec![0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55],
                "a(n) = a(n-1) + a(n-2); first a(0) = 0, a(1) = 1",
            ),
            (
                of(&|n| n * n, 14),
                "a(n) = 3a(n-1) - 3a(n-2) + a(n-3); first a(0) = 0, a(1) = 1, a(2) = 4",
            ),
            (of(&|n| 1 << n, 12), "a(n) = 2a(n-1); first a(0) = 1"),
            // Ruler, of the places from 1 on.
            (
                of(&|n| i64::from((n + 1).trailing_zeros()), 24),
                "a(2n) = 0, a(2n+1) = a(n) + 1; first a(0) = 0",
            ),
            // Mock Turtles: the odious numbers.
            (
                of(&|n| 2 * n + 1 - ones(n) % 2, 15),
                "a(2n) = a(n) + 2n, a(2n+1) = -a(n) + 6n + 3; first a(0) = 1",
            ),
            // The number of binary digits.
            (
                of(&|n| i64::from(64 - n.leading_zeros()), 32),
                "a(2n) = a(n) + 1, a(2n+1) = a(n) + 1; first a(0) = 0",
            ),
        ] {
            assert_eq!(found(0, &values).as_deref(), Some(text), "{values:?}");
        }
    }

    /// The greater and lesser heaps of the P-positions of Wythoff's game, by the rules alone: the
    /// least number not yet used, and as much more as pairs came before.
    #[test]
    fn wythoff_pairs() {
        let (mut lesser, mut greater) = (vec![0i64], vec![0i64]);
        for n in 1..30 {
            let next = (1..).find(|x| !lesser.contains(x) && !greater.contains(x)).unwrap();
            lesser.push(next);
            greater.push(next + n);
        }
        assert_eq!(found(0, &lesser).as_deref(), Some("a(n) = ⌊(1+√5)/2·n⌋"));
        assert_eq!(found(0, &greater).as_deref(), Some("a(n) = ⌊(3+√5)/2·n⌋"));
        assert_eq!(found(1, &lesser[1..]).as_deref(), Some("a(n) = ⌊(1+√5)/2·n⌋"));
        assert_eq!(found(0, &lesser[1..]).as_deref(), Some("a(n) = ⌊(1+√5)/2·(n+1)⌋"));
        // ⌊n·(1 + √13)/2⌋ − 3 from n = 7 on, and ⌊n·(2 + √2)⌋.
        let floor = |n: i64| (n + (13 * n * n).isqrt()) / 2;
        let late: Vec<i64> = (7..40i64).map(|n| floor(n) - 3).collect();
        assert_eq!(found(7, &late).as_deref(), Some("a(n) = ⌊(1+√13)/2·n⌋ - 3"));
        let silver: Vec<i64> = (1..40i64).map(|n| 2 * n + (2 * n * n).isqrt()).collect();
        assert_eq!(found(1, &silver).as_deref(), Some("a(n) = ⌊(2+√2)·n⌋"));
        lesser[25] += 1;
        assert_eq!(found(0, &lesser), None);
    }

    /// Take at most half: by brute force from the rules.
    #[test]
    fn half_nim() {
        let mut values: Vec<i64> = Vec::new();
        for n in 0..40usize {
            let options = &values[n.div_ceil(2)..n];
            values.push((0..).find(|value| !options.contains(value)).unwrap());
        }
        assert_eq!(found(0, &values).as_deref(), Some("a(2n) = n, a(2n+1) = a(n); first a(0) = 0"));
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71];
        assert_eq!(found(0, &primes), None);
        let mut lot = fastrand::Rng::with_seed(43);
        for few in [2, 3, 5] {
            for _ in 0..200 {
                let values: Vec<i64> = (0..40).map(|_| lot.i64(0..few)).collect();
                assert_eq!(found(0, &values), None, "{values:?}");
            }
        }
        // One value is wrong, late.
        let mut values: Vec<i64> = (0..64i64).map(ones).collect();
        values[60] += 1;
        assert_eq!(found(0, &values), None);
    }

    /// What is printed determines the values.
    #[test]
    fn values_follow() {
        let values: Vec<i64> = (0..100i64).map(|n| if n < 9 { n % 5 } else { ones(n) }).collect();
        let mut meter = Meter::new(&Budget::default());
        let Some(Recurrence { rule: Rule::Digits(rules), first, .. }) =
            recurrence(0, &values, &mut meter).unwrap()
        else {
            panic!("a rule of digits")
        };
        let mut made: Vec<i64> = first.iter().map(|(_, value)| *value).collect();
        for n in made.len()..100 {
            let [factor, slope, constant] = rules[n % rules.len()];
            let n = n / rules.len();
            made.push(factor * made[n] + slope * n as i64 + constant);
        }
        assert_eq!(made, values);
    }
}

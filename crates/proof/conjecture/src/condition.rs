//! Conditions on a position: the conjuncts of a case in addition to its linear equations.
//!
//! All conditions are generated from the number of heaps and the box alone: inequalities with small
//! coefficients, greatest and least heaps, remainders, sums of binary digits by place, minimum and
//! maximum of two sums, and "not in this subspace".

use crate::space::{Row, Space, equation, name, sides, sum, value, weight};
use bouton_core::{Arrange, Claim, Node, Period, Slope};
use std::sync::Arc;

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Condition {
    /// A combination of heaps is at least a constant.
    AtLeast(Row),
    /// A combination of heaps differs from a constant.
    Unequal(Row),
    /// The heap is a minimum.
    Least(usize),
    /// The heap is a maximum.
    Greatest(usize),
    /// A sum of heaps with non-negative coefficients has a remainder modulo a number.
    Remainder(Row, i64, i64),
    /// The binary digits, summed by place modulo a number, have a value.
    Digits {
        /// The modulus of each place; 2 is the nim-sum.
        modulus: u8,
        /// The heaps, as a bit mask.
        heaps: u32,
        /// The number added to each heap.
        shift: i64,
        /// The value, with the same shift.
        value: i64,
    },
    /// A combination of heaps is the minimum or maximum of two others.
    Extremum {
        /// Whether it is the minimum.
        least: bool,
        /// The heap that is the extremum.
        heap: usize,
        /// The two combinations, each with its constant.
        of: [Row; 2],
    },
    /// A heap is more than an irrational multiple of another, or not more.
    Multiple {
        /// The heap that is compared.
        heap: usize,
        /// The heap of which the multiple is.
        of: usize,
        /// The multiple.
        by: Slope,
        /// Whether it is more.
        is_more: bool,
    },
    /// The position is outside a space.
    Outside(Space),
    /// The position occurs: what the rules say of all that do. It holds of a position iff it holds
    /// of its images.
    Occurs(Arc<Claim>),
}

/// Sums digits by place.
fn digits(modulus: u8, values: impl Iterator<Item = i64>) -> i64 {
    if modulus == 2 {
        return values.fold(0, |sum, x| sum ^ x);
    }
    let mut counts = [0u8; 64];
    for mut x in values {
        while x > 0 {
            counts[x.trailing_zeros() as usize] += 1;
            x &= x - 1;
        }
    }
    counts.iter().enumerate().map(|(i, c)| i64::from(c % modulus) << i.min(56)).sum()
}

/// Returns a combination of heaps plus its constant.
fn term(row: &[i64], p: &[i64]) -> i64 {
    value(row, p) + row[p.len()]
}

impl Condition {
    /// Returns whether the condition holds, for heaps below 2^40.
    pub fn holds(&self, p: &[i64]) -> bool {
        match self {
            Condition::AtLeast(row) => value(row, p) >= row[p.len()],
            Condition::Unequal(row) => value(row, p) != row[p.len()],
            Condition::Least(heap) => p.iter().all(|x| *x >= p[*heap]),
            Condition::Greatest(heap) => p.iter().all(|x| *x <= p[*heap]),
            Condition::Remainder(row, modulus, left) => value(row, p).rem_euclid(*modulus) == *left,
            Condition::Digits { modulus, heaps, shift, value } => {
                let members = p.iter().enumerate().filter(|(i, _)| heaps >> i & 1 == 1);
                digits(*modulus, members.map(|(_, x)| x + shift)) == *value
            }
            Condition::Extremum { least, heap, of: [one, other] } => {
                let (one, other) = (term(one, p), term(other, p));
                p[*heap] == if *least { one.min(other) } else { one.max(other) }
            }
            Condition::Multiple { heap, of, by, is_more } => {
                let floor = by.floor(&i128::from(p[*of]));
                floor.is_some_and(|floor| (i128::from(p[*heap]) > floor) == *is_more)
            }
            Condition::Outside(space) => !space.contains(p),
            Condition::Occurs(claim) => {
                let heaps: Option<Vec<u64>> = p.iter().map(|x| u64::try_from(*x).ok()).collect();
                heaps.is_some_and(|heaps| claim.holds(&heaps) == Ok(true))
            }
        }
    }

    /// Returns the length of the condition in symbols.
    pub fn weight(&self) -> u64 {
        match self {
            Condition::AtLeast(row) => weight(row),
            Condition::Unequal(row) => weight(row) + 1,
            Condition::Least(_) | Condition::Greatest(_) => 2,
            Condition::Remainder(row, _, _) => weight(row) + 2,
            Condition::Digits { modulus, heaps, shift, value } => {
                let each = 1 + u64::from(*shift != 0);
                2 + u64::from(heaps.count_ones()).min(3) * each
                    + u64::from(*modulus != 2)
                    + u64::from(*value != 0)
            }
            Condition::Extremum { of: [one, other], .. } => 2 + weight(one) + weight(other),
            Condition::Multiple { .. } => 6,
            Condition::Outside(space) => {
                1 + space.rows().iter().map(|row| weight(row)).sum::<u64>()
            }
            Condition::Occurs(_) => 2,
        }
    }

    /// Returns the condition that holds of the image of a position iff this one holds of the
    /// position.
    pub fn image(&self, permutation: &[usize]) -> Condition {
        let turn = |row: &Row| -> Row {
            permutation.iter().map(|from| row[*from]).chain([row[permutation.len()]]).collect()
        };
        let place = |heap: usize| permutation.iter().position(|from| *from == heap).unwrap_or(heap);
        match self {
            Condition::AtLeast(row) => Condition::AtLeast(turn(row)),
            Condition::Unequal(row) => Condition::Unequal(turn(row)),
            Condition::Least(heap) => Condition::Least(place(*heap)),
            Condition::Greatest(heap) => Condition::Greatest(place(*heap)),
            Condition::Remainder(row, modulus, left) => {
                Condition::Remainder(turn(row), *modulus, *left)
            }
            Condition::Digits { modulus, heaps, shift, value } => {
                let turned = permutation
                    .iter()
                    .enumerate()
                    .filter(|(_, from)| heaps >> **from & 1 == 1)
                    .fold(0, |mask, (i, _)| mask | 1 << i);
                Condition::Digits { modulus: *modulus, heaps: turned, shift: *shift, value: *value }
            }
            Condition::Extremum { least, heap, of: [one, other] } => Condition::Extremum {
                least: *least,
                heap: place(*heap),
                of: [turn(one), turn(other)],
            },
            Condition::Multiple { heap, of, by, is_more } => {
                let (heap, of) = (place(*heap), place(*of));
                Condition::Multiple { heap, of, by: *by, is_more: *is_more }
            }
            Condition::Outside(space) => Condition::Outside(space.image(permutation)),
            Condition::Occurs(_) => self.clone(),
        }
    }

    /// Returns the condition as a formula over `heaps` heaps.
    pub fn text(&self, heaps: usize) -> String {
        match self {
            Condition::AtLeast(row) => {
                let (left, right) = sides(row);
                let constant = row[heaps];
                let alone = |side: &str| side.parse::<u64>().is_ok();
                if alone(&right) {
                    return format!("{left} >= {right}");
                }
                if constant >= 1 && !alone(&left) {
                    // x ≥ y + 1 is printed as y < x.
                    let mut less = row.clone();
                    less[heaps] -= 1;
                    let (left, right) = sides(&less);
                    return format!("{right} < {left}");
                }
                format!("{right} <= {left}")
            }
            Condition::Unequal(row) => equation(row).replace(" = ", " != "),
            Condition::Least(heap) => format!("{} = min", name(*heap)),
            Condition::Greatest(heap) => format!("{} = max", name(*heap)),
            Condition::Remainder(row, modulus, left) => {
                let terms = row[..heaps].iter().copied().enumerate().filter(|(_, c)| *c != 0);
                let text = sum(terms, 0);
                if text.len() == 1 {
                    format!("{text} mod {modulus} = {left}")
                } else {
                    format!("({text}) mod {modulus} = {left}")
                }
            }
            Condition::Digits { modulus, heaps: mask, shift, value } => {
                let word = if *modulus == 2 { "xor".to_owned() } else { format!("xor{modulus}") };
                if *shift == 0 && mask.count_ones() as usize == heaps {
                    return format!("{word} = {value}");
                }
                let member = |h: usize| match shift {
                    0 => name(h).to_string(),
                    s => format!("({}+{s})", name(h)),
                };
                let members: Vec<String> =
                    (0..heaps).filter(|h| mask >> h & 1 == 1).map(member).collect();
                format!("{} = {value}", members.join(&format!(" {word} ")))
            }
            Condition::Extremum { least, heap, of: [one, other] } => {
                // Negative terms and constants move to the other side, the same for both
                // combinations.
                let low: Vec<i64> =
                    one.iter().zip(other).map(|(x, y)| (*x).min(*y).min(0)).collect();
                let lifted = |row: &Row| {
                    let up: Vec<i64> = row.iter().zip(&low).map(|(x, l)| x - l).collect();
                    sum(up[..heaps].iter().copied().enumerate().filter(|(_, c)| *c != 0), up[heaps])
                };
                let mut left: Vec<i64> = low.iter().map(|l| -l).collect();
                left[*heap] += 1;
                let left = sum(
                    left[..heaps].iter().copied().enumerate().filter(|(_, c)| *c != 0),
                    left[heaps],
                );
                let word = if *least { "min" } else { "max" };
                format!("{left} = {word}({}, {})", lifted(one), lifted(other))
            }
            Condition::Multiple { heap, of, by, is_more } => {
                let (heap, floor) = (name(*heap), format!("floor{by}({})", name(*of)));
                if *is_more { format!("{floor} < {heap}") } else { format!("{heap} <= {floor}") }
            }
            Condition::Occurs(claim) => {
                // A row of conditions goes on with others.
                match claim.formula().root {
                    Node::And(_) | Node::Compare(..) => claim.to_string(),
                    _ => format!("({claim})"),
                }
            }
            Condition::Outside(space) => match space.equations().as_slice() {
                [] => "false".into(),
                [one] => equation(one).replace(" = ", " != "),
                all => {
                    let all: Vec<String> = all.iter().map(|row| equation(row)).collect();
                    format!("~({})", all.join(" & "))
                }
            },
        }
    }
}

/// Returns the same conditions, shorter to write: at least k and not k is at least k + 1.
pub(crate) fn tightened(conditions: &[Condition]) -> Vec<Condition> {
    let mut all = conditions.to_vec();
    let excludes = |one: &Condition, row: &Row| match one {
        Condition::Unequal(own) => own == row || own.iter().zip(row).all(|(x, y)| *x == -y),
        _ => false,
    };
    let mut at = 0;
    while at < all.len() {
        if let Condition::AtLeast(mut row) = all[at].clone() {
            let last = row.len() - 1;
            while let Some(place) = all.iter().position(|one| excludes(one, &row)) {
                row[last] += 1;
                all.remove(place);
                at -= usize::from(place < at);
                all[at] = Condition::AtLeast(row.clone());
            }
        }
        at += 1;
    }
    all
}

/// Returns the comparisons of a heap with an irrational multiple of another one: with the golden
/// ratio, with its square, and with the same of the roots of 2.
pub(crate) fn multiples(heaps: usize) -> Vec<Condition> {
    let slopes = [(1, 1), (2, 1), (1, 2), (2, 2)];
    let slopes =
        slopes.map(|(whole, quotient)| Some(Slope { whole, period: Period::new(&[quotient])? }));
    let mut all = Vec::new();
    for heap in 0..heaps {
        for of in (0..heaps).filter(|of| *of != heap) {
            for by in slopes.into_iter().flatten() {
                all.extend([true, false].map(|is_more| Condition::Multiple {
                    heap,
                    of,
                    by,
                    is_more,
                }));
            }
        }
    }
    all
}

/// Returns all conditions that the search considers, simplest first.
pub(crate) fn candidates(heaps: usize, least: i64, most: i64) -> Vec<Condition> {
    let mut all = Vec::new();
    let row = |terms: &[(usize, i64)], constant: i64| -> Row {
        let mut row = vec![0; heaps + 1];
        terms.iter().for_each(|(h, c)| row[*h] += c);
        row[heaps] = constant;
        row
    };
    let bounds = 3.min(most - least);
    for i in 0..heaps {
        all.extend([Condition::Least(i), Condition::Greatest(i)]);
        for c in least + 1..=least + bounds {
            all.push(Condition::AtLeast(row(&[(i, 1)], c)));
            all.push(Condition::AtLeast(row(&[(i, -1)], 1 - c)));
        }
        for c in least..=least + bounds {
            all.push(Condition::Unequal(row(&[(i, 1)], c)));
        }
        for j in (0..heaps).filter(|j| *j != i) {
            all.extend((-2..=3).map(|c| Condition::AtLeast(row(&[(i, 1), (j, -1)], c))));
            all.extend((-1..=2).map(|c| Condition::AtLeast(row(&[(i, 2), (j, -1)], c))));
            all.extend((-1..=2).map(|c| Condition::AtLeast(row(&[(i, 1), (j, -2)], c))));
            if i < j {
                all.extend((-2..=2).map(|c| Condition::Unequal(row(&[(i, 1), (j, -1)], c))));
            }
        }
    }
    let small = heaps <= 8;
    for i in 0..heaps {
        for j in i + 1..heaps {
            for k in (0..heaps).filter(|k| *k != i && *k != j) {
                for c in -1..=2 {
                    all.push(Condition::AtLeast(row(&[(i, 1), (j, 1), (k, -1)], c)));
                    all.push(Condition::AtLeast(row(&[(i, -1), (j, -1), (k, 1)], c)));
                }
                all.push(Condition::Unequal(row(&[(i, 1), (j, 1), (k, -1)], 0)));
                for l in k + 1..heaps {
                    if small && l != i && l != j {
                        all.extend((0..=1).map(|c| {
                            Condition::AtLeast(row(&[(i, 1), (j, 1), (k, -1), (l, -1)], c))
                        }));
                    }
                }
            }
        }
    }
    // Sums of any heaps: remainders, and digits by place.
    if heaps <= 12 {
        for mask in 1u32..1 << heaps {
            let members = mask.count_ones();
            let terms: Vec<(usize, i64)> =
                (0..heaps).filter(|h| mask >> h & 1 == 1).map(|h| (h, 1)).collect();
            if members <= 3 || members as usize == heaps {
                for m in (2..=6).filter(|m| *m <= (most - least + 1) / 2) {
                    all.extend((0..m).map(|r| Condition::Remainder(row(&terms, 0), m, r)));
                }
            }
            if members >= 2 && heaps <= 10 {
                for modulus in 2..=5u8 {
                    if modulus > 2 && members == 2 {
                        continue;
                    }
                    for (shift, value) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)] {
                        if modulus == 2 || value + shift == 0 {
                            all.push(Condition::Digits { modulus, heaps: mask, shift, value });
                        }
                    }
                }
            }
        }
    }
    let mask = (1u32 << heaps) - 1;
    if heaps > 10 {
        all.extend((2..=5).map(|modulus| Condition::Digits {
            modulus,
            heaps: mask,
            shift: 0,
            value: 0,
        }));
    }
    all.arrange_by_key(Condition::weight);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What holds of the positions that occur is one condition among others, whatever it is made
    /// of.
    #[test]
    fn what_occurs_is_read_as_it_is_written() {
        for text in
            ["b <= a div 4", "a >= 1 & b = 0", "a = 0 | b = 0", "a = 0 <=> b = 1", "~(a = b)"]
        {
            let claim = Claim::parse(text, 2).unwrap();
            let occurs = Condition::Occurs(Arc::new(claim.clone()));
            let both = format!("{} & a <= 2", occurs.text(2));
            let read = Claim::parse(&both, 2).unwrap();
            for p in [[0u32, 0], [0, 1], [1, 0], [2, 1], [8, 2], [3, 0], [0, 3]] {
                let wide = p.map(i64::from);
                assert_eq!(occurs.holds(&wide), claim.holds(&p.map(u64::from)) == Ok(true));
                let expected = occurs.holds(&wide) && p[0] <= 2;
                assert_eq!(read.holds(&p.map(u64::from)), Ok(expected), "{both} at {p:?}");
            }
        }
    }

    /// Bounds and what they leave out are one bound; the positions are the same.
    #[test]
    fn bounds_are_tightened() {
        let (at_least, unequal) = (Condition::AtLeast, Condition::Unequal);
        let texts =
            |all: &[Condition]| all.iter().map(|one| one.text(1)).collect::<Vec<_>>().join(" & ");
        for (all, text) in [
            (vec![at_least(vec![1, 3]), unequal(vec![1, 3])], "a >= 4"),
            (vec![unequal(vec![1, 4]), at_least(vec![1, 3]), unequal(vec![1, 3])], "a >= 5"),
            (vec![at_least(vec![-1, -3]), unequal(vec![1, 3])], "a <= 2"),
            (vec![at_least(vec![1, 3]), unequal(vec![1, 5])], "a >= 3 & a != 5"),
        ] {
            let short = tightened(&all);
            assert_eq!(texts(&short), text);
            for a in 0..9 {
                let holds = |all: &[Condition]| all.iter().all(|one| one.holds(&[a]));
                assert_eq!(holds(&all), holds(&short), "{a}");
            }
        }
    }

    /// Multiples by whole numbers and roots are those by fractions: 1 + 1/(1 + 1/(1 + …)).
    #[test]
    fn multiples_are_those_of_continued_fractions() {
        for [whole, quotient] in [[1, 1], [2, 1], [1, 2], [2, 2], [0, 3]] {
            let by = Slope { whole, period: Period::new(&[quotient.into()]).unwrap() };
            let value =
                f64::from(whole) + (0..60).fold(0.0, |rest, _| 1.0 / (f64::from(quotient) + rest));
            for x in 0..500i64 {
                let floor = (x as f64 * value).floor() as i64;
                for (heap, is_more) in [(floor + 1, true), (floor, false)] {
                    let condition = |is_more| Condition::Multiple { heap: 0, of: 1, by, is_more };
                    assert!(condition(is_more).holds(&[heap, x]), "{x} {by}");
                    assert!(!condition(!is_more).holds(&[heap, x]), "{x} {by}");
                }
            }
        }
    }

    /// The formula of every candidate, and of every image of it, agrees with the condition.
    #[test]
    fn texts_mean_the_conditions() {
        let extremum = |least| Condition::Extremum {
            least,
            heap: 2,
            of: [vec![1, 0, 0, -1], vec![-1, 1, 0, 1]],
        };
        let outside =
            Condition::Outside(Space::new(3, &[vec![1, -1, 0, 0], vec![0, 1, -1, 2]]).unwrap());
        let mut all = candidates(3, 0, 20);
        all.extend([extremum(true), extremum(false), outside]);
        all.extend(multiples(3));
        for condition in all {
            for permutation in [[0, 1, 2], [1, 2, 0]] {
                let image = condition.image(&permutation);
                let text = image.text(3);
                let claim = Claim::parse(&text, 3).expect(&text);
                for code in 0..343 {
                    let p = [code / 49, code / 7 % 7, code % 7];
                    let turned = permutation.map(|from| p[from]);
                    assert_eq!(condition.holds(&p), image.holds(&turned), "{text} {p:?}");
                    let heaps = turned.map(|x| x as u64);
                    assert_eq!(claim.holds(&heaps).unwrap(), image.holds(&turned), "{text} {p:?}");
                }
            }
        }
    }
}

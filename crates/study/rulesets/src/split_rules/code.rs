//! The take-and-break code that rules say, where they say one.

use super::Split;
use bouton_core::{Node, Relation, Term};
use bouton_octal::sequence::TakeAndBreakCode;

/// The most digits that are written out.
const MAX_DIGITS: usize = 64;

/// The most heaps of which a code need not say anything.
const MAX_FIRST: usize = 1 << 12;

/// The most alternatives of a rule that are looked at.
const MAX_ALTERNATIVES: usize = 1 << 8;

/// A code, and the least heap from which on the rules say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LaterCode {
    pub code: TakeAndBreakCode,
    pub from: usize,
}

/// Numbers of heaps that may be left, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Left {
    /// Of any sizes.
    any: u32,
    /// Of sizes of which no two are equal.
    different: u32,
}

impl Left {
    fn add(&mut self, more: Left) {
        self.any |= more.any;
        self.different = (self.different | more.different) & !self.any;
    }

    /// Returns the digit as it is written.
    fn digit(self) -> String {
        match self {
            Left { any: any @ 0..16, different: 0 } => format!("{any:X}"),
            Left { any, different } => {
                let all = (0..32).filter_map(|n: u32| match (any >> n & 1, different >> n & 1) {
                    (1, _) => Some(n.to_string()),
                    (_, 1) => Some(format!("{n}!")),
                    _ => None,
                });
                format!("{{{}}}", all.collect::<Vec<_>>().join(","))
            }
        }
    }
}

/// Returns the code of rules each of which says only how many tokens leave the heap, between two
/// bounds or from one on, and as how many heaps the rest is left, their order apart; and perhaps
/// that two heaps are not equal, how many tokens are left at least, or how many there must be.
pub(super) fn code_of(splits: &[Split]) -> Option<LaterCode> {
    let mut digits = vec![Left::default(); MAX_DIGITS];
    // The digit of more tokens than are written out.
    let mut tail = Left::default();
    let (mut last, mut from) = (0, 0);
    let mut takings = Vec::new();
    for split in splits {
        for conditions in alternatives(&split.formula.root)? {
            takings.push(taking(split, &conditions)?);
        }
    }
    for Taking { least, most, left, from: first } in takings {
        from = from.max(first);
        let most = match most {
            Some(most) => {
                last = last.max(most);
                most
            }
            None => {
                last = last.max(least);
                tail.add(left);
                MAX_DIGITS - 1
            }
        };
        if last + 1 >= MAX_DIGITS {
            return None;
        }
        (least..=most).for_each(|taken| digits[taken].add(left));
    }
    // A heap that stays as it is has not moved.
    digits[0].any &= !0b11;
    while last > 0 && digits[last] == tail {
        last -= 1;
    }
    let written: String = digits[1..=last].iter().map(|left| left.digit()).collect();
    let tail = if tail == Left::default() { String::new() } else { format!("[{}]", tail.digit()) };
    let code = TakeAndBreakCode::parse(&format!("{}.{written}{tail}", digits[0].digit())).ok()?;
    (from <= MAX_FIRST).then_some(LaterCode { code, from })
}

/// How many tokens a rule takes, and as how many heaps it leaves the rest.
struct Taking {
    least: usize,
    most: Option<usize>,
    left: Left,
    /// The least heap from which on the rule is this and has no further condition.
    from: usize,
}

/// Returns the least value of s · x + c, s = ±1, compared with 0, if it has one.
fn at_least(sign: i128, relation: Relation, constant: i128) -> Option<i128> {
    match (relation, sign) {
        (Relation::AtLeast, 1) => Some(-constant),
        (Relation::Greater, 1) => Some(-constant + 1),
        (Relation::AtMost, -1) => Some(constant),
        (Relation::Less, -1) => Some(constant + 1),
        _ => None,
    }
}

/// Returns what a rule says by one of its alternatives.
fn taking(split: &Split, conditions: &[&Node]) -> Option<Taking> {
    let count = split.formula.free - 1;
    if !split.is_plain || split.formula.names.len() > split.formula.free {
        return None;
    }
    let (mut least, mut most): (i128, Option<i128>) = (0, None);
    // Several heaps may be more than the one they come from, unless that is excluded.
    let mut is_bounded = count < 2;
    let mut is_positive = vec![false; count];
    // i is at most the next in these.
    let mut ordered = vec![false; count.saturating_sub(1)];
    // So many tokens are left, and so many there are.
    let (mut least_left, mut least_heap) = (0i128, 0i128);
    let mut are_different = false;
    for condition in conditions {
        let Node::Compare(left, relation, right) = *condition else { return None };
        let (mut factors, mut constant) = (vec![0i128; count + 1], 0i128);
        add(left, 1, &mut factors, &mut constant)?;
        add(right, -1, &mut factors, &mut constant)?;
        // Σ factors · variables + constant, compared with 0.
        let sign = factors[0];
        if sign.abs() == 1 && factors[1..].iter().all(|factor| *factor == -sign) {
            // sign · taken + constant.
            let (low, high) = match (relation, sign) {
                (Relation::Equal, sign) => (Some(-constant * sign), Some(-constant * sign)),
                (Relation::AtMost, 1) => (None, Some(-constant)),
                (Relation::Less, 1) => (None, Some(-constant - 1)),
                (Relation::AtLeast, 1) => (Some(-constant), None),
                (Relation::Greater, 1) => (Some(-constant + 1), None),
                (Relation::AtMost, _) => (Some(constant), None),
                (Relation::Less, _) => (Some(constant + 1), None),
                (Relation::AtLeast, _) => (None, Some(constant)),
                (Relation::Greater, _) => (None, Some(constant - 1)),
                (Relation::Unequal, _) => return None,
            };
            is_bounded |= low.is_some_and(|low| low >= 0);
            least = low.map_or(least, |low| least.max(low));
            most = match (most, high) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            continue;
        }
        let said: Vec<usize> = (0..=count).filter(|v| factors[*v] != 0).collect();
        match said[..] {
            [0] if sign.abs() == 1 => {
                least_heap = least_heap.max(at_least(sign, *relation, constant)?)
            }
            // q >= 1 in one of its forms.
            [v] if v > 0 && *relation == Relation::Unequal && constant == 0 => {
                is_positive[v - 1] = true
            }
            [v] if v > 0 && factors[v].abs() == 1 => {
                let bound = at_least(factors[v], *relation, constant)?;
                if bound > 1 && count > 1 {
                    return None;
                }
                least_left = least_left.max(if count == 1 { bound } else { 0 });
                is_positive[v - 1] |= bound >= 1;
            }
            [a, b]
                if a > 0
                    && factors[a] == -factors[b]
                    && constant == 0
                    && *relation == Relation::Unequal =>
            {
                if count > 2 {
                    return None;
                }
                are_different = true;
            }
            // q0 <= q1: the order of the heaps only.
            [a, b]
                if a > 0
                    && b == a + 1
                    && constant == 0
                    && factors[a] == -factors[b]
                    && factors[a].abs() == 1 =>
            {
                let is_order = match relation {
                    Relation::AtMost => factors[a] == 1,
                    Relation::AtLeast => factors[a] == -1,
                    _ => false,
                };
                if !is_order {
                    return None;
                }
                ordered[a - 1] = true;
            }
            _ if sign == 0
                && count > 0
                && said.len() == count
                && factors[1..].iter().all(|one| *one == factors[1]) =>
            {
                let unit = if factors[1].abs() == 1 { factors[1] } else { return None };
                least_left = least_left.max(at_least(unit, *relation, constant)?);
            }
            _ => return None,
        }
    }
    if ordered.iter().any(|is| *is) {
        // The order says nothing only where it is one of all heaps, and which of them may be empty
        // does not depend on the place.
        if !ordered.iter().all(|is| *is) {
            return None;
        }
        for i in 1..count {
            is_positive[i] |= is_positive[i - 1];
        }
        if is_positive.iter().any(|is| *is != is_positive[0]) {
            return None;
        }
    }
    let full = is_positive.iter().filter(|is| **is).count();
    if count > 15 || !is_bounded {
        return None;
    }
    let mut left = Left { any: (full..=count).fold(0, |all, k| all | 1 << k), different: 0 };
    if are_different {
        // Two empty heaps are equal.
        left = Left { any: left.any & 0b10, different: left.any & 0b100 };
    }
    let natural = |number: i128| usize::try_from(number).ok();
    let most = match most {
        None => None,
        Some(most) => Some(natural(most)?),
    };
    // What is left of a heap is enough if it is that of the most tokens.
    let enough = match (least_left > full as i128, most) {
        (false, _) => 0,
        (true, Some(most)) => natural(least_left)?.checked_add(most)?,
        (true, None) => return None,
    };
    Some(Taking { least: natural(least)?, most, left, from: enough.max(natural(least_heap)?) })
}

/// Returns the alternatives joined by `|`, each as its conditions joined by `&`; `None` if they are
/// too many.
fn alternatives(node: &Node) -> Option<Vec<Vec<&Node>>> {
    let all = match node {
        Node::Or(parts) => parts.iter().map(alternatives).collect::<Option<Vec<_>>>()?.concat(),
        Node::And(parts) => parts.iter().try_fold(vec![Vec::new()], |all, part| {
            let more = alternatives(part)?;
            let is_small = all.len() * more.len() <= MAX_ALTERNATIVES;
            let both = all.iter().flat_map(|one| more.iter().map(move |more| (one, more)));
            is_small.then(|| both.map(|(one, more)| [&one[..], more].concat()).collect())
        })?,
        one => vec![vec![one]],
    };
    (all.len() <= MAX_ALTERNATIVES).then_some(all)
}

/// Adds a multiple of a linear term; `None` where it is not linear.
fn add(term: &Term, times: i128, factors: &mut [i128], constant: &mut i128) -> Option<()> {
    match term {
        Term::Number(number) => *constant += times * i128::from(*number),
        Term::Variable(v) => *factors.get_mut(*v)? += times,
        Term::Sum(parts) => {
            return parts.iter().try_for_each(|part| add(part, times, factors, constant));
        }
        Term::Multiple(k, inner) => {
            return add(inner, times.checked_mul(i128::from(*k))?, factors, constant);
        }
        _ => return None,
    }
    Some(())
}

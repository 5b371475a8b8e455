//! The take-and-break code that rules say, where they say one.

use super::Split;
use bouton_core::{Node, Relation, Term};
use bouton_octal::sequence::TakeAndBreakCode;

/// The most digits that are written out.
const MOST_DIGITS: usize = 64;

/// Returns the code of rules each of which says only how many tokens leave the heap, between two
/// bounds or from one on, and as how many heaps the rest is left, their order apart.
pub(super) fn code_of(splits: &[Split]) -> Option<TakeAndBreakCode> {
    let mut digits = vec![0u32; MOST_DIGITS];
    // The digit of more tokens than are written out.
    let mut tail = 0u32;
    let mut last = 0;
    for split in splits {
        let Taking { least, most, heaps } = taking(split)?;
        let most = match most {
            Some(most) => {
                last = last.max(most);
                most
            }
            None => {
                last = last.max(least);
                tail |= heaps;
                MOST_DIGITS - 1
            }
        };
        if last + 1 >= MOST_DIGITS {
            return None;
        }
        (least..=most).for_each(|taken| digits[taken] |= heaps);
    }
    // A heap that stays as it is has not moved.
    digits[0] &= !0b11;
    let digit = |mask: u32| match mask {
        0..16 => format!("{mask:X}"),
        _ => {
            let all: Vec<String> =
                (0..32).filter(|n| mask >> n & 1 == 1).map(|n: u32| n.to_string()).collect();
            format!("{{{}}}", all.join(","))
        }
    };
    while last > 0 && digits[last] == tail {
        last -= 1;
    }
    let written: String = digits[1..=last].iter().map(|mask| digit(*mask)).collect();
    let tail = if tail > 0 { format!("[{}]", digit(tail)) } else { String::new() };
    TakeAndBreakCode::parse(&format!("{}.{written}{tail}", digit(digits[0]))).ok()
}

/// How many tokens a rule takes, and as how many heaps it leaves the rest.
struct Taking {
    least: usize,
    most: Option<usize>,
    /// Bit k: as k heaps.
    heaps: u32,
}

fn taking(split: &Split) -> Option<Taking> {
    let count = split.formula.free - 1;
    if !split.is_plain || split.formula.names.len() > split.formula.free {
        return None;
    }
    let conditions = conditions(&split.formula.root);
    let (mut least, mut most): (i128, Option<i128>) = (0, None);
    let mut is_positive = vec![false; count];
    // i is at most the next in these.
    let mut ordered = vec![false; count.saturating_sub(1)];
    for condition in conditions {
        let Node::Compare(left, relation, right) = condition else { return None };
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
            least = low.map_or(least, |low| least.max(low));
            most = match (most, high) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            continue;
        }
        let said: Vec<usize> = (0..=count).filter(|v| factors[*v] != 0).collect();
        match said[..] {
            // q >= 1 in one of its forms.
            [v] if v > 0 => {
                let is_one = match (relation, factors[v]) {
                    (Relation::AtLeast, 1) => constant == -1,
                    (Relation::Greater, 1) => constant == 0,
                    (Relation::AtMost, -1) => constant == 1,
                    (Relation::Less, -1) => constant == 0,
                    (Relation::Unequal, _) => constant == 0,
                    _ => false,
                };
                if !is_one {
                    return None;
                }
                is_positive[v - 1] = true;
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
    if count > 15 {
        return None;
    }
    let heaps = (full..=count).fold(0, |all, k| all | 1 << k);
    let natural = |number: i128| usize::try_from(number).ok();
    Some(Taking {
        least: natural(least)?,
        most: match most {
            None => None,
            Some(most) => Some(natural(most)?),
        },
        heaps,
    })
}

/// The conditions joined by `&`.
fn conditions(node: &Node) -> Vec<&Node> {
    match node {
        Node::And(all) => all.iter().flat_map(conditions).collect(),
        one => vec![one],
    }
}

/// Adds a multiple of a linear term; `None` where it is not linear.
fn add(term: &Term, times: i128, factors: &mut [i128], constant: &mut i128) -> Option<()> {
    match term {
        Term::Number(number) => *constant += times * i128::from(*number),
        Term::Variable(v) => *factors.get_mut(*v)? += times,
        Term::Sum(parts) => return parts.iter().try_for_each(|part| add(part, times, factors, constant)),
        Term::Multiple(k, inner) => return add(inner, times.checked_mul(i128::from(*k))?, factors, constant),
        _ => return None,
    }
    Some(())
}

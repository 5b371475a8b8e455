//! Rules that only say how many tokens leave a heap: the numbers that may be taken, found once for
//! all heaps.

use super::{Marks, STEPS};
use bouton_core::{Formula, Node, Term, Unknown};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::{Arc, PoisonError, RwLock};

/// The numbers that a formula over p0 and q0 allows to be taken, as far as they were asked for.
#[derive(Debug)]
pub struct SubtractionSet {
    formula: Formula,
    found: RwLock<Arc<KnownTakings>>,
}

#[derive(Debug, Default)]
struct KnownTakings {
    /// Numbers below are found.
    end: u32,
    /// Ascending.
    takings: Vec<u32>,
}

impl SubtractionSet {
    /// Returns the takings of a formula, if it says something of p0 − q0 alone, and does not say
    /// how far a heap may grow.
    pub fn new(formula: &Formula) -> Option<SubtractionSet> {
        if formula.free != 2 || !is_of_difference(&formula.root) {
            return None;
        }
        // What a heap may grow by, an empty one may.
        let mut grows = false;
        let searched = formula.solutions(&[Some(0), None], &[None, None], STEPS, &mut |values| {
            grows |= values[1] > 0;
            if grows { Break(()) } else { Continue(()) }
        });
        let is_shrinking = match searched {
            Ok(_) => !grows,
            // It says nothing of how large a heap may be: smaller than the one that it comes from.
            Err(Unknown::Unbounded(_)) => true,
            Err(_) => false,
        };
        is_shrinking.then(|| SubtractionSet { formula: formula.clone(), found: RwLock::default() })
    }

    /// Visits the numbers from 1 to `heap` that may be taken, in ascending order. `None` where the
    /// formula has no truth for one of them.
    pub fn up_to(&self, heap: u32) -> Option<impl Iterator<Item = u32>> {
        let known = self.found.read().unwrap_or_else(PoisonError::into_inner).clone();
        let found = if known.end > heap {
            known
        } else {
            let end = heap.checked_add(1)?.max(known.end.saturating_mul(2)).max(64);
            let mut takings = known.takings.clone();
            if let Some(more) = self.searched(known.end.max(1), end) {
                takings.extend(more);
                let found = Arc::new(KnownTakings { end, takings });
                *self.found.write().unwrap_or_else(PoisonError::into_inner) = found.clone();
                return Some(SubtractionSet::of_heap(found, heap));
            }
            for taken in known.end.max(1)..end {
                match self.formula.holds(&[taken.into(), 0]) {
                    Ok(true) => takings.push(taken),
                    Ok(false) => {}
                    // Beyond the heap nobody asked.
                    Err(_) if taken > heap => break,
                    Err(_) => return None,
                }
            }
            let end = takings.last().map_or(heap + 1, |last| (last + 1).max(heap + 1));
            let found = Arc::new(KnownTakings { end, takings });
            *self.found.write().unwrap_or_else(PoisonError::into_inner) = found.clone();
            found
        };
        Some(SubtractionSet::of_heap(found, heap))
    }

    /// Returns the numbers from 1 to `heap` that may be taken, if few steps find them all.
    pub fn few_up_to(&self, heap: u32) -> Option<Vec<u32>> {
        /// Steps of the search.
        const FEW_STEPS: u64 = 1 << 16;
        let mut found = Vec::new();
        let most = Some(u64::from(heap));
        let searched =
            self.formula.solutions(&[None, Some(0)], &[most, None], FEW_STEPS, &mut |values| {
                found.extend(
                    u32::try_from(values[0]).ok().filter(|taken| (1..=heap).contains(taken)),
                );
                Continue(())
            });
        searched.ok()?.is_continue().then_some(())?;
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// Marks what is left of the next heap by each taking. `None` where the formula has no truth
    /// for one of them; nothing is marked then.
    pub fn mark(&self, marks: &mut Marks<'_>) -> Option<()> {
        let heap = marks.heap();
        for taken in self.up_to(heap)? {
            marks.mark_value(marks.value(heap - taken));
        }
        Some(())
    }

    fn of_heap(found: Arc<KnownTakings>, heap: u32) -> impl Iterator<Item = u32> {
        let count = found.takings.partition_point(|taken| *taken <= heap);
        (0..count).map(move |place| found.takings[place])
    }

    /// Searches the numbers of a range that may be taken, ascending; `None` if that costs more than
    /// to ask of each, or the formula has no truth for one.
    fn searched(&self, from: u32, end: u32) -> Option<Vec<u32>> {
        let steps = 4 * u64::from(end);
        let mut found = Vec::new();
        let most = Some(u64::from(end) - 1);
        let searched =
            self.formula.solutions(&[None, Some(0)], &[most, None], steps, &mut |values| {
                found.extend(
                    u32::try_from(values[0]).ok().filter(|taken| (from..end).contains(taken)),
                );
                Continue(())
            });
        searched.ok()?.is_continue().then_some(())?;
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

/// Returns whether a formula over p0 and q0, variables 0 and 1, is true or false by their
/// difference.
fn is_of_difference(node: &Node) -> bool {
    match node {
        Node::Constant(_) => true,
        Node::Compare(left, _, right) => is_term_of_difference(&Term::Sum(vec![
            left.clone(),
            Term::Multiple(-1, right.clone().into()),
        ])),
        Node::Not(inner) => is_of_difference(inner),
        Node::And(parts) | Node::Or(parts) => parts.iter().all(is_of_difference),
        Node::Implies(left, right) | Node::Iff(left, right) => {
            is_of_difference(left) && is_of_difference(right)
        }
        Node::Exists(_, body) | Node::Forall(_, body) => is_of_difference(body),
    }
}

/// Returns whether the value of a term is determined by the difference: p0 and q0 cancel in its
/// sums.
fn is_term_of_difference(term: &Term) -> bool {
    /// Adds how often p0 and q0 are in the linear part; `None` where another part is not
    /// determined.
    fn add(term: &Term, times: i64, sums: &mut [i64; 2]) -> Option<()> {
        match term {
            Term::Number(_) => {}
            Term::Variable(v) => {
                if let Some(sum) = sums.get_mut(*v) {
                    *sum = sum.checked_add(times)?;
                }
            }
            Term::Sum(parts) => parts.iter().try_for_each(|part| add(part, times, sums))?,
            Term::Multiple(k, inner) => add(inner, times.checked_mul(*k)?, sums)?,
            // What stood there as a minus is a multiple by less than the modulus.
            Term::Remainder(inner, by) => {
                let mut own = [0; 2];
                add(inner, 1, &mut own)?;
                let together = i128::from(own[0]) + i128::from(own[1]);
                (together.rem_euclid((*by).into()) == 0).then_some(())?;
            }
            Term::Quotient(inner, _) | Term::Shift(inner) | Term::Floor(_, inner) => {
                is_term_of_difference(inner).then_some(())?;
            }
            Term::DigitSum(_, parts)
            | Term::Min(parts)
            | Term::Max(parts)
            | Term::Arithmetic(_, parts) => {
                parts.iter().all(is_term_of_difference).then_some(())?;
            }
        }
        Some(())
    }
    let mut sums = [0; 2];
    add(term, 1, &mut sums).is_some() && sums[0].checked_neg() == Some(sums[1])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Numbers that a search alone finds: no bound of k is seen when one number is asked about.
    #[test]
    fn takings_are_searched() {
        let names = ["p0".to_owned(), "q0".to_owned()];
        let squares = |n: u32| (1..=n).any(|k| k * k == n);
        let formula = Formula::parse_over("E k: k >= 1 & k*k + q0 = p0", &names).unwrap();
        let takings = SubtractionSet::new(&formula).unwrap();
        for heap in [0u32, 5, 40, 3, 97, 1000] {
            let found: Vec<u32> = takings.up_to(heap).unwrap().collect();
            let expected: Vec<u32> = (1..=heap).filter(|taken| squares(*taken)).collect();
            assert_eq!(found, expected, "{heap}");
        }
    }

    /// Where takings are seen, the formula is true of all heaps that differ as much.
    #[test]
    fn takings_are_those_of_the_formula() {
        let names = ["p0".to_owned(), "q0".to_owned()];
        for (text, is_seen) in [
            ("q0 < p0 & square(p0-q0)", true),
            ("prime(p0-q0)", true),
            ("p0 = q0+1 | p0 = q0+7", true),
            ("E k: k >= 1 & p0 = q0 + 3*k", true),
            ("(p0-q0) mod 4 = 3", true),
            ("2*p0 = 2*q0+6", true),
            ("gcd(p0-q0, 12) = 1 & q0 < p0", true),
            ("p0 - q0 = max(3, p0-q0)", true),
            ("q0 < p0 & divides(p0-q0, p0)", false),
            ("2*q0 = p0", false),
            ("p0+q0 = 8", false),
            ("square(p0) & q0+1 = p0", false),
            ("gcd(p0, p0-q0) = 1", false),
            // Some heaps grow.
            ("q0 = p0+2 | q0+1 = p0", false),
        ] {
            let formula = Formula::parse_over(text, &names).unwrap();
            let Some(takings) = SubtractionSet::new(&formula) else {
                assert!(!is_seen, "{text}");
                continue;
            };
            assert!(is_seen, "{text}");
            for heap in [0u32, 5, 40, 3, 97] {
                let found: Vec<u32> = takings.up_to(heap).unwrap().collect();
                let by_formula =
                    |taken: &u32| formula.holds(&[heap.into(), (heap - taken).into()]).unwrap();
                let expected: Vec<u32> = (1..=heap).filter(by_formula).collect();
                assert_eq!(found, expected, "{text} {heap}");
            }
        }
    }
}

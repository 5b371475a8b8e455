//! Sets that depend on ⌊x/d⌋ or x mod m of the heaps only: the form is sought in the smaller table
//! of these numbers.

use crate::effort::SearchBudget;
use crate::fitted_form::FittedForm;
use crate::shape::{Cases, remainder_cases, shape_cases};
use crate::table::{OutcomeTable, TableBuilder};
use bouton_core::LimitReached;
use bouton_formula::{Claim, Node, Term};

/// The number of cases that is small enough to stop the search.
pub(crate) const FEW_CASES: usize = 2;
/// The greatest number of classes listed one by one if remainders make the table finite.
const MAX_LISTED: usize = 40;

/// A form of ⌊x/d⌋ mod m.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scaled {
    /// d.
    pub divisor: i64,
    /// m, if there is one.
    pub modulus: Option<i64>,
    /// The form of the reduced numbers.
    pub inner: Cases,
}

/// Returns the least m, at most half the side, such that adding m to a heap changes no outcome.
fn modulus(table: &OutcomeTable, effort: &SearchBudget<'_>) -> Option<i64> {
    let side = table.most() as i64 + 1;
    (1..=side / 2).take_while(|_| effort.goes_on()).find(|m| {
        table.classes().all(|p| {
            (0..p.len()).all(|i| {
                [*m, -*m].into_iter().all(|step| {
                    let mut q = p.clone();
                    q[i] += step;
                    !(0..side).contains(&q[i]) || table.is_p(&q)
                })
            })
        })
    })
}

/// Returns the table of reduced numbers below `side`; `unsee` returns a heap with a given reduced
/// number.
fn reduced_table(
    table: &OutcomeTable,
    side: i64,
    representative: impl Fn(i64) -> i64,
) -> Option<OutcomeTable> {
    let mut builder =
        TableBuilder::new(table.heaps(), 0, side as u64 - 1, table.images().clone()).ok()?;
    for p in table.classes() {
        let q: Vec<i64> = p.iter().map(|x| representative(*x)).collect();
        if q.iter().all(|x| *x < side) {
            builder.insert(&q.iter().map(|x| *x as u64).collect::<Vec<_>>());
        }
    }
    Some(builder.finish())
}

/// Returns the form of a table that depends on quotients or remainders only.
pub(crate) fn scaled(
    table: &OutcomeTable,
    effort: &SearchBudget<'_>,
) -> Option<FittedForm<Scaled>> {
    if !effort.goes_on() || table.least() != 0 || table.class_count() == 0 {
        return None;
    }
    let d = table.grain() as i64;
    let side = (table.most() as i64 + 1) / d;
    let divided = if d > 1 { reduced_table(table, side, |x| x / d)? } else { table.clone() };
    let m = modulus(&divided, effort);
    if d == 1 && m.is_none() {
        return None;
    }
    let inner = match m {
        Some(m) => reduced_table(&divided, m, |x| x % m)?,
        None => divided,
    };
    let mut found = shape_cases(&inner, effort);
    // Equations between remainders of quotients are harder to prove than lists of them.
    if m.is_some() && d <= 2 {
        let weight = table.class_count() as f64 / inner.class_count().max(1) as f64;
        let other = remainder_cases(&inner, weight, effort);
        if other.missed_count == 0
            && other.form.len() <= FEW_CASES
            && (found.missed_count > 0 || other.form.len() < found.form.len())
        {
            found = other;
        }
    }
    if found.missed_count > 0 {
        // Remainders make the table finite, so it may be listed.
        if m.is_none() || found.missed_count > MAX_LISTED {
            return None;
        }
        let listed: Vec<Vec<i64>> =
            inner.classes().filter(|p| !found.form.holds_up_to(p, inner.permutations())).collect();
        found.said += listed.len() as f64 * table.heaps() as f64 * (m.unwrap_or(2) as f64).log2();
        found.form.exceptions.extend(listed);
    }
    let bits = -table.density().log2();
    found.classes = table.class_count();
    found.bits = bits;
    found.evidence = found.classes as f64 * bits - found.said;
    (found.missed, found.missed_count) = (Vec::new(), 0);
    // The table must contain two periods; or, for quotients, extend as the inner table does, scaled
    // by d.
    found.settled = m.map_or(found.settled * d as u64, |m| (d * m) as u64 / 2);
    found.most = table.most();
    let found = found.map(|inner| Scaled { divisor: d, modulus: m, inner });
    found.form.mismatch(table, effort).is_ok_and(|wrong| wrong.is_none()).then_some(found)
}

impl Scaled {
    fn reduce(&self, p: &[i64]) -> Vec<i64> {
        p.iter().map(|x| self.modulus.map_or(x / self.divisor, |m| x / self.divisor % m)).collect()
    }

    /// Returns the first position of the table that the form classifies wrongly. O(side^heaps).
    pub(crate) fn mismatch(
        &self,
        table: &OutcomeTable,
        effort: &SearchBudget<'_>,
    ) -> Result<Option<Vec<i64>>, LimitReached> {
        table.first_wrong(table.most(), effort, &mut |p, outcome| {
            self.inner.holds_up_to(&self.reduce(p), table.permutations()) != outcome.is_p()
        })
    }

    /// Returns the form as a formula.
    pub fn text(&self) -> String {
        let inner = self.inner.written(false);
        let Ok(claim) = Claim::parse(&inner, self.inner.heaps) else { return inner };
        let mut formula = claim.formula().clone();
        self.replace(&mut formula.root);
        formula.to_string()
    }

    fn replace(&self, node: &mut Node) {
        match node {
            Node::Constant(_) => {}
            Node::Compare(left, _, right) => {
                self.replace_in(left);
                self.replace_in(right);
            }
            Node::Not(inner) | Node::Exists(_, inner) | Node::Forall(_, inner) => {
                self.replace(inner)
            }
            Node::And(parts) | Node::Or(parts) => {
                parts.iter_mut().for_each(|part| self.replace(part))
            }
            Node::Implies(left, right) | Node::Iff(left, right) => {
                self.replace(left);
                self.replace(right);
            }
        }
    }

    fn replace_in(&self, term: &mut Term) {
        match term {
            Term::Number(_) => {}
            Term::Variable(_) => {
                if self.divisor > 1 {
                    *term = Term::Quotient(term.clone().into(), self.divisor as u64);
                }
                if let Some(m) = self.modulus {
                    *term = Term::Remainder(term.clone().into(), m as u64);
                }
            }
            Term::Sum(parts)
            | Term::DigitSum(_, parts)
            | Term::Min(parts)
            | Term::Max(parts)
            | Term::Arithmetic(_, parts) => {
                parts.iter_mut().for_each(|part| self.replace_in(part));
            }
            // The remainder of a sum of remainders is that of the sum.
            Term::Remainder(inner, by)
                if self.divisor == 1
                    && self.modulus.is_some_and(|m| (m as u64).is_multiple_of(*by))
                    && is_linear(inner) => {}
            Term::Multiple(_, inner)
            | Term::Quotient(inner, _)
            | Term::Remainder(inner, _)
            | Term::Shift(inner)
            | Term::Floor(_, inner) => {
                self.replace_in(inner);
            }
        }
    }
}

/// Returns whether a term consists of sums and multiples only.
fn is_linear(term: &Term) -> bool {
    match term {
        Term::Number(_) | Term::Variable(_) => true,
        Term::Sum(parts) => parts.iter().all(is_linear),
        Term::Multiple(_, inner) => is_linear(inner),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Images;
    use bouton_core::{Budget, Meter};

    #[test]
    fn what_is_seen_through_quotients_and_remainders_is_found() {
        for (d, m, most) in [(2, Some(3), 23), (3, None, 29), (1, Some(5), 19), (4, Some(2), 23)] {
            let reduce = |x: u64| m.map_or(x / d, |m| x / d % m);
            let mut positions = Vec::new();
            for a in 0..=most {
                positions
                    .extend((0..=most).filter(|b| reduce(a) == reduce(*b)).map(|b| vec![a, b]));
            }
            let images = Images::Listed(vec![vec![0, 1], vec![1, 0]]);
            let table =
                OutcomeTable::new(2, 0, most, images, positions.iter().map(|p| &p[..])).unwrap();
            let mut meter = Meter::new(&Budget::default());
            let found = scaled(&table, &SearchBudget::new(&mut meter)).unwrap();
            assert!(found.is_whole());
            let form = found.form;
            assert_eq!((form.divisor, form.modulus), (d as i64, m.map(|m| m as i64)));
            let claim = Claim::parse(&form.text(), 2).unwrap();
            for code in 0..900u64 {
                let p = [code / 30, code % 30];
                assert_eq!(claim.holds(&p).unwrap(), reduce(p[0]) == reduce(p[1]), "{claim} {p:?}");
            }
        }
    }
}

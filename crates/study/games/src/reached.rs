//! Positions to which a move leads: read off a rule file's formula, where what is remembered has
//! values that no move leaves behind.
//!
//! Of each alternative of the formula the numbers before the move are put in terms of those after
//! it, by equations; what is said of the numbers after it alone holds of every option. What cannot
//! be put so is left out, which only makes the condition weaker: every option still meets it, so no
//! move leaves the positions that do. That this is so is decided once more, from the rules, before
//! anything is made of it.

use crate::growth;
use bouton_automata::linear_form::{LinearForm, Variable};
use bouton_core::{Formula, Node, Relation, Term};

/// Reads a term as a linear form; `None` if it is none.
fn linear(term: &Term) -> Option<LinearForm> {
    match term {
        Term::Number(number) => Some(LinearForm::constant(i64::try_from(*number).ok()?)),
        Term::Variable(variable) => Some(form_of(*variable)),
        Term::Sum(parts) => {
            parts.iter().try_fold(LinearForm::default(), |sum, part| sum.plus(&linear(part)?, 1))
        }
        Term::Multiple(factor, inner) => linear(inner)?.times(*factor),
        _ => None,
    }
}

fn form_of(variable: usize) -> LinearForm {
    LinearForm::variable(variable as Variable)
}

/// Returns the variables with their coefficients: digit sums and shifts are not read.
pub(crate) fn coefficients(form: &LinearForm) -> impl Iterator<Item = (usize, i64)> {
    form.terms
        .iter()
        .flat_map(|(base, factor)| base.variables().iter().map(|v| (*v as usize, *factor)))
}

/// Returns the parts of a form with a positive sign and those with a negative one, as terms.
fn sides(form: &LinearForm) -> [Term; 2] {
    [1, -1].map(|sign| {
        let mut parts: Vec<Term> = Vec::new();
        for (variable, factor) in coefficients(form).filter(|(_, factor)| factor * sign > 0) {
            parts.push(match factor * sign {
                1 => Term::Variable(variable),
                factor => Term::Multiple(factor, Box::new(Term::Variable(variable))),
            });
        }
        if form.constant * sign > 0 || parts.is_empty() {
            parts.push(Term::Number((form.constant * sign).max(0).unsigned_abs()));
        }
        if parts.len() == 1 { parts.remove(0) } else { Term::Sum(parts) }
    })
}

/// Two linear forms compared: the difference of their sides with 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) form: LinearForm,
    pub(crate) relation: Relation,
}

impl Condition {
    /// Reads a comparison; `None` if it is another condition, or not linear.
    pub(crate) fn read(node: &Node) -> Option<Condition> {
        let Node::Compare(left, relation, right) = node else { return None };
        let form = linear(left)?.plus(&linear(right)?, -1)?;
        Some(Condition { form, relation: *relation })
    }

    /// Returns whether it holds of all numbers.
    pub(crate) fn is_trivial(&self) -> bool {
        let LinearForm { terms, constant } = &self.form;
        let sign = |sign: i64| constant * sign >= 0 && terms.iter().all(|(_, own)| own * sign >= 0);
        match self.relation {
            Relation::AtLeast => sign(1),
            Relation::AtMost => sign(-1),
            Relation::Greater => sign(1) && *constant > 0,
            Relation::Less => sign(-1) && *constant < 0,
            Relation::Equal => terms.is_empty() && *constant == 0,
            Relation::Unequal => terms.is_empty() && *constant != 0,
        }
    }

    pub(crate) fn node(&self) -> Node {
        let [left, right] = sides(&self.form);
        Node::Compare(left, self.relation, right)
    }
}

/// Returns what holds of every position that a move leads to, and of those in which games begin, or
/// nothing is remembered if that is not said: a formula without quantifiers over p0, p1, …, of
/// which the last `memory` are no heaps. `None` if nothing is seen of some alternative.
pub(crate) fn after_a_move(
    condition: &Formula,
    memory: usize,
    start: Option<&Formula>,
) -> Option<Formula> {
    let numbers = condition.free / 2;
    let mut alternatives: Vec<Node> = Vec::new();
    for parts in growth::alternatives(condition) {
        let made = Node::all(after(&parts, numbers, memory)?);
        if !alternatives.contains(&made) {
            alternatives.push(made);
        }
    }
    let nothing = |place: usize| Term::Variable(place).equals(Term::Number(0));
    alternatives.push(match start {
        Some(start) => start.root.clone(),
        None => Node::all((numbers - memory..numbers).map(nothing)),
    });
    let names = (0..numbers).map(|place| format!("p{place}")).collect();
    Some(Formula { names, free: numbers, root: Node::any(alternatives) })
}

/// Returns what an alternative says of the position after the move, as conditions on its numbers
/// from variable 0 on; `None` if nothing.
fn after(parts: &[Node], numbers: usize, memory: usize) -> Option<Vec<Node>> {
    let heaps = numbers - memory;
    let mut conditions: Vec<Condition> = parts.iter().filter_map(Condition::read).collect();
    // No heap grows, and a token is taken.
    let difference = |heap: usize| form_of(2 * heap).plus(&form_of(2 * heap + 1), -1);
    let mut taken = LinearForm::default();
    for heap in 0..heaps {
        let form = difference(heap)?;
        taken = taken.plus(&form, 1)?;
        conditions.push(Condition { form, relation: Relation::AtLeast });
    }
    conditions.push(Condition { form: taken, relation: Relation::Greater });
    for variable in (0..numbers).map(|place| 2 * place) {
        let value = conditions.iter().find_map(|one| match one.relation {
            Relation::Equal => one.form.solved(variable as Variable),
            _ => None,
        });
        let Some(value) = value else { continue };
        for one in &mut conditions {
            one.form = one.form.substitute(variable as Variable, &value)?;
        }
        conditions.push(Condition { form: value, relation: Relation::AtLeast });
    }
    let is_after =
        |one: &Condition| coefficients(&one.form).all(|(v, _)| v < 2 * numbers && v % 2 == 1);
    let mut said: Vec<Node> = Vec::new();
    for one in conditions.iter().filter(|one| is_after(one) && !one.is_trivial()) {
        let form = one.form.renamed(|variable| variable / 2)?;
        let node = Condition { form, relation: one.relation }.node();
        if !said.contains(&node) {
            said.push(node);
        }
    }
    (!said.is_empty()).then_some(said)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Moves;

    fn said(text: &str, numbers: usize, memory: usize) -> Option<String> {
        let condition = Formula::parse_over(text, &Moves::names(numbers)).unwrap();
        after_a_move(&condition, memory, None).map(|formula| formula.to_string())
    }

    #[test]
    fn what_a_move_leaves_is_read_off() {
        // What was taken is remembered.
        assert_eq!(said("q0+q1 = p0 & q1 != p1", 2, 1).unwrap(), "p1 > 0 | p1 = 0");
        // The lesser heap may be remembered, by what was taken from it.
        assert_eq!(
            said("q1 = p1 & q0+q2 = p0 & p0 <= p1 & q3 = 1 | q0 = p0 & q3 = 0", 4, 2).unwrap(),
            "p0 + p2 <= p1 & p3 = 1 & p2 > 0 | p3 = 0 | p2 = 0 & p3 = 0"
        );
        // Half of a heap says nothing of the other numbers.
        assert_eq!(said("2*q0 <= p0 & q1 >= p1", 2, 1), None);
    }
}

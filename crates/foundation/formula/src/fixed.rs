//! Variables of a quantifier whose values equations fix: `A m: m = floor[1;(2)](n) => F` says of
//! one number what `E m: m = floor[1;(2)](n) & F` says of it.
//!
//! Let a body be false (`A`) or true (`E`) only if k·x + s = t, where s and t do not speak of x. If
//! no natural number solves that the body is true, or false, of every x. Else it is so of every x
//! but one. So the quantifier may be the other one, with the equation beside the body.

use crate::formula::{Node, Relation, Term};

/// A quantifier whose variables have one value each, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedVariables {
    /// The values, each over variables from outside and those before it.
    pub values: Vec<FixedValue>,
    /// What is said of them: the body with `true` in the place of the equations.
    pub rest: Node,
}

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedValue {
    /// What fixes it.
    pub equation: Node,
    /// Where no number solves the equation, because the value would be below 0 or no whole number;
    /// `None` if there is always one.
    pub missing: Option<Node>,
}

impl Node {
    /// Returns what fixes the variables of this quantifier; `None` if it is none, or equations that
    /// have to hold where its body is false (`A`) or true (`E`) do not fix all of them.
    pub fn fixed_variables(&self) -> Option<FixedVariables> {
        let (bound, body, truth) = match self {
            Node::Exists(bound, body) => (bound, body, true),
            Node::Forall(bound, body) => (bound, body, false),
            _ => return None,
        };
        let mut equations = Vec::new();
        body.add_equations(truth, &mut Vec::new(), &mut equations);
        let mut known: Vec<usize> = Vec::new();
        let (mut values, mut rest) = (Vec::new(), (**body).clone());
        while known.len() < bound.len() {
            let is_open = |v: usize| bound.contains(&v) && !known.contains(&v);
            let (left, right, (v, value)) = equations
                .iter()
                .find_map(|(left, right)| Some((left, right, value(left, right, &is_open)?)))?;
            known.push(v);
            rest = rest.with_true(left, right);
            values.push(value);
        }
        Some(FixedVariables { values, rest })
    }

    /// Adds the equations that hold wherever the node has this truth, in the order in which they
    /// are written, but for those with variables that are bound within it.
    fn add_equations(&self, truth: bool, within: &mut Vec<usize>, all: &mut Vec<(Term, Term)>) {
        match (self, truth) {
            (Node::Compare(left, Relation::Equal, right), true)
            | (Node::Compare(left, Relation::Unequal, right), false)
                if !within.iter().any(|v| self.mentions(*v)) =>
            {
                all.push((left.clone(), right.clone()));
            }
            (Node::Not(inner), _) => inner.add_equations(!truth, within, all),
            (Node::And(parts), true) | (Node::Or(parts), false) => {
                parts.iter().for_each(|part| part.add_equations(truth, within, all));
            }
            (Node::Implies(left, right), false) => {
                left.add_equations(true, within, all);
                right.add_equations(false, within, all);
            }
            (Node::Exists(bound, body) | Node::Forall(bound, body), _) => {
                within.extend(bound);
                body.add_equations(truth, within, all);
                within.truncate(within.len() - bound.len());
            }
            _ => {}
        }
    }

    /// Returns the node with this equation taken as true.
    fn with_true(self, left: &Term, right: &Term) -> Node {
        let inner = |node: Box<Node>| Box::new(node.with_true(left, right));
        let each = |all: Vec<Node>| all.into_iter().map(|one| one.with_true(left, right)).collect();
        match self {
            Node::Compare(own, relation, other) if own == *left && other == *right => {
                match relation {
                    Relation::Equal => Node::Constant(true),
                    Relation::Unequal => Node::Constant(false),
                    _ => Node::Compare(own, relation, other),
                }
            }
            Node::Not(node) => Node::Not(inner(node)),
            Node::And(parts) => Node::And(each(parts)),
            Node::Or(parts) => Node::Or(each(parts)),
            Node::Implies(one, other) => Node::Implies(inner(one), inner(other)),
            Node::Iff(one, other) => Node::Iff(inner(one), inner(other)),
            Node::Exists(bound, body) => Node::Exists(bound, inner(body)),
            Node::Forall(bound, body) => Node::Forall(bound, inner(body)),
            node => node,
        }
    }
}

/// Returns the open variable that an equation fixes: the only one in it, and a summand, perhaps
/// with a minus or a factor. What is left of its side goes to the other side.
fn value(
    left: &Term,
    right: &Term,
    is_open: &dyn Fn(usize) -> bool,
) -> Option<(usize, FixedValue)> {
    let mut open = Vec::new();
    let equation = Node::Compare(left.clone(), Relation::Equal, right.clone());
    equation.visit_terms(&mut |term| open.extend(term.variable().filter(|v| is_open(*v))));
    let [v] = open[..] else { return None };
    let (own, other) = if left.mentions(v) { (left, right) } else { (right, left) };
    let mut rest = match own {
        Term::Sum(parts) => parts.clone(),
        one => vec![one.clone()],
    };
    let place = rest.iter().position(|part| part.mentions(v))?;
    let factor = match rest.remove(place) {
        Term::Variable(_) => 1,
        Term::Multiple(factor, inner) if inner.variable().is_some() => factor,
        _ => return None,
    };
    let is_alone = rest.is_empty();
    let (rest, other) = (Term::Sum(rest), other.clone());
    let is_natural = rest.is_natural() && other.is_natural();
    let less = |one: &Term, other: &Term| Node::Compare(one.clone(), Relation::Less, other.clone());
    let missing = match u64::try_from(factor) {
        Ok(1) if is_alone && is_natural => None,
        Ok(1) => Some(less(&other, &rest)),
        Err(_) if factor == -1 => Some(less(&rest, &other)),
        Ok(2..) if is_natural => {
            // The rest once less is the rest so often more.
            let below = less(&other, &rest);
            let sum = Term::Sum(vec![other, Term::Multiple(factor - 1, rest.into())]);
            let left = Term::Remainder(sum.into(), factor as u64);
            let indivisible = Node::Compare(left, Relation::Unequal, Term::Number(0));
            Some(Node::Or(vec![below, indivisible]))
        }
        _ => return None,
    };
    Some((v, FixedValue { equation, missing }))
}

impl Term {
    /// Returns the number of the variable that the term is, if it is one.
    fn variable(&self) -> Option<usize> {
        match self {
            Term::Variable(v) => Some(*v),
            _ => None,
        }
    }

    /// Returns whether the value is a natural number because no difference is in it.
    fn is_natural(&self) -> bool {
        match self {
            Term::Multiple(k, inner) => *k >= 0 && inner.is_natural(),
            Term::Sum(parts) | Term::Min(parts) | Term::Max(parts) => {
                parts.iter().all(Term::is_natural)
            }
            Term::Arithmetic(..) => false,
            _ => true,
        }
    }
}

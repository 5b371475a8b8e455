//! Variables of a quantifier whose values equations fix: `A m: m = floor[1;(2)](n) => F` says of
//! one number what `E m: m = floor[1;(2)](n) & F` says of it.
//!
//! Let a body be false (`A`) or true (`E`) only if x = t, where t does not speak of x. If t is no
//! natural number the body is true, or false, of every x. Else it is so of every x but t. So the
//! quantifier may be the other one, with the equation beside the body.

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
    /// Where no number solves the equation, because the value would be below 0; `None` if there is
    /// always one.
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
            | (Node::Compare(left, Relation::Unequal, right), false) => {
                if !within.iter().any(|v| self.mentions(*v)) {
                    all.push((left.clone(), right.clone()));
                }
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
/// with a minus. What is left of its side goes to the other side.
fn value(
    left: &Term,
    right: &Term,
    is_open: &dyn Fn(usize) -> bool,
) -> Option<(usize, FixedValue)> {
    let mut open = Vec::new();
    let sides = Node::Compare(left.clone(), Relation::Equal, right.clone());
    sides.visit_terms(&mut |term| open.extend(term.variable().filter(|v| is_open(*v))));
    let [v] = open[..] else { return None };
    for (own, other) in [(left, right), (right, left)] {
        let parts = match own {
            Term::Sum(parts) => &parts[..],
            one => std::slice::from_ref(one),
        };
        for (place, part) in parts.iter().enumerate() {
            let is_positive = match part {
                Term::Multiple(-1, inner) if inner.variable() == Some(v) => false,
                part if part.variable() == Some(v) => true,
                _ => continue,
            };
            let mut more = parts.to_vec();
            more.remove(place);
            let is_natural = is_positive && more.is_empty() && other.is_natural();
            let (more, other) = (Term::Sum(more), other.clone());
            let (less, more) = if is_positive { (other, more) } else { (more, other) };
            let missing = (!is_natural).then(|| Node::Compare(less, Relation::Less, more));
            let equation = sides.clone();
            return Some((v, FixedValue { equation, missing }));
        }
    }
    None
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

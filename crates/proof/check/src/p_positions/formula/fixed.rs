//! The numbers for which a quantified statement is used: those that its equations name.
//!
//! "For all x, F" is true of each number x, so it may be used for a particular one; and what there
//! is no x for is false of each. Let `k·x + s = t` be an equation in which x is nowhere else. Either
//! t < s, or k does not divide t − s, or there is such an x: then F is used for that one. Whether
//! the equation has anything to do with the truth of F does not matter: less may be used than is
//! said, never more.
//!
//! Equations are looked for where F, if it is false ("for all") or true ("there is"), makes them
//! true: so it is used for the only number that matters. Of several variables one after the other
//! gets its number; s and t may speak of those that have theirs.

use super::{Node, Relation, Term};

/// The number that a variable stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// `k·x + s = t`, as it is written.
    pub equation: Node,
    /// That there is no such x; none if k is 1, s is 0 and t has no minus: then there is always
    /// one.
    pub none: Option<Node>,
}

/// Most variables, and most equations that are looked at.
const VARIABLES: usize = 8;
const EQUATIONS: usize = 64;

/// Returns the numbers for which it is used that the body has this truth whatever these variables
/// are; nothing if equations do not name all of them.
pub fn named(bound: &[usize], body: &Node, truth: bool) -> Vec<Named> {
    let mut equations = Vec::new();
    // Numbers of variables rise from outside to inside.
    let inner = bound.last().map_or(0, |last| last + 1);
    if bound.len() <= VARIABLES {
        gather(body, !truth, inner, &mut equations);
    }
    let (mut left, mut all) = (bound.to_vec(), Vec::new());
    while !left.is_empty() {
        let Some((x, own)) = equations.iter().find_map(|[one, other]| solve(one, other, &left))
        else {
            return Vec::new();
        };
        left.retain(|other| *other != x);
        all.push(own);
    }
    all
}

/// Gathers the equations between numbers from outside and those of the quantifier of which it is
/// plain that they are true if the node has this truth.
fn gather<'n>(node: &'n Node, truth: bool, inner: usize, equations: &mut Vec<[&'n Term; 2]>) {
    match node {
        _ if equations.len() >= EQUATIONS => {}
        Node::Compare(one, Relation::Equal, other)
            if truth && one.count(&|x| x >= inner) + other.count(&|x| x >= inner) == 0 =>
        {
            equations.push([one, other])
        }
        Node::Not(part) => gather(part, !truth, inner, equations),
        Node::Exists(_, part, _) | Node::Forall(_, part, _) => {
            gather(part, truth, inner, equations)
        }
        Node::And(parts) if truth => {
            parts.iter().for_each(|part| gather(part, true, inner, equations))
        }
        Node::Or(parts) if !truth => {
            parts.iter().for_each(|part| gather(part, false, inner, equations))
        }
        _ => {}
    }
}

/// Returns the only one of the variables left that is in the equation, if it is a summand: k·x with
/// k > 0 (and no minus elsewhere, if k > 1), or −x.
fn solve(one: &Term, other: &Term, left: &[usize]) -> Option<(usize, Named)> {
    let is_left = |x: usize| left.contains(&x);
    let (side, t) = match (one.count(&is_left), other.count(&is_left)) {
        (1, 0) => (one, other),
        (0, 1) => (other, one),
        _ => return None,
    };
    let mut s = if let Term::Sum(parts) = side { parts.clone() } else { vec![side.clone()] };
    let at = s.iter().position(|part| part.count(&is_left) == 1)?;
    let (k, x) = match s.remove(at) {
        Term::Variable(x) => (1, x),
        Term::Times(k, part) => match *part {
            Term::Variable(x) => (k, x),
            _ => return None,
        },
        _ => return None,
    };
    let (s, t) = (Term::Sum(s), t.clone());
    let no_minus = s.has_no_minus() && t.has_no_minus();
    let is_zero = s == Term::Sum(Vec::new());
    let none = match k {
        1 if is_zero && no_minus => None,
        1 => Some(Node::Compare(t, Relation::Less, s)),
        -1 => Some(Node::Compare(s, Relation::Less, t)),
        2.. if no_minus => {
            // k divides t − s if and only if it divides t + (k − 1)·s.
            let sum = Term::Sum(vec![t.clone(), Term::Times(k - 1, s.clone().into())]);
            let divided = Node::Compare(Term::Mod(sum.into(), k), Relation::Equal, Term::Number(0));
            let divided = Node::Not(divided.into());
            Some(Node::Or(vec![Node::Compare(t, Relation::Less, s), divided]))
        }
        _ => return None,
    };
    let equation = Node::Compare(one.clone(), Relation::Equal, other.clone());
    Some((x, Named { equation, none }))
}

impl Term {
    /// Returns how often some of the variables are in the term.
    pub fn count(&self, some: &dyn Fn(usize) -> bool) -> usize {
        match self {
            Term::Number(_) => 0,
            Term::Variable(x) => usize::from(some(*x)),
            Term::Sum(parts) | Term::Min(parts) | Term::Max(parts) | Term::Xor(_, parts) => {
                parts.iter().map(|part| part.count(some)).sum()
            }
            Term::Times(_, part)
            | Term::Div(part, _)
            | Term::Mod(part, _)
            | Term::Shift(part)
            | Term::Floor(_, _, part) => part.count(some),
        }
    }
}

//! Quantifiers with less in their scope, so that fewer numbers are read together.
//!
//! For natural numbers x: there is one with F or G if and only if there is one with F or one with
//! G; there is one with F and G, where x is not in F, if and only if F holds and there is one with
//! G; F, where x is not in it, holds for one if and only if it holds; and there is one with x = t and
//! F, where t has neither x nor minus in it, if and only if F holds with t in the place of x. That F
//! is false is said by its parts: "F and G" is false if one of them is, and so on. Variables have
//! numbers of their own, so no other variable is bound by what a part is moved out of or into.

use super::machine::variables;
use crate::p_positions::formula::{Node, Relation, Term};

/// By how many parts of terms a formula may grow by one step.
const GROWTH: usize = 64;

/// Returns a formula that holds if and only if there is an x for which the node has this truth.
pub fn narrowed(x: usize, node: &Node, truth: bool) -> Node {
    if !has(node, x) {
        return signed(node, truth);
    }
    match (node, truth) {
        (Node::Not(inner), _) => narrowed(x, inner, !truth),
        (Node::Or(parts), true) | (Node::And(parts), false) => {
            Node::Or(parts.iter().map(|part| narrowed(x, part, truth)).collect())
        }
        (Node::And(_), true) | (Node::Or(_), false) => {
            let mut all = Vec::new();
            conjuncts(node, truth, &mut all);
            let (mut within, mut all): (Vec<Node>, Vec<Node>) =
                all.into_iter().partition(|part| has(part, x));
            all.push(match &within[..] {
                [one] => narrowed(x, one, true),
                _ => conjunction(x, std::mem::take(&mut within)),
            });
            if all.len() == 1 { all.swap_remove(0) } else { Node::And(all) }
        }
        (Node::Iff(one, other), _) if [one, other].into_iter().all(|own| is_comparison(own)) => {
            let not = |own: &Node| Node::Not(own.clone().into());
            let (one, other) = (&**one, &**other);
            let cases = if truth {
                [[one.clone(), other.clone()], [not(one), not(other)]]
            } else {
                [[one.clone(), not(other)], [not(one), other.clone()]]
            };
            Node::Or(cases.iter().map(|own| narrowed(x, &Node::And(own.to_vec()), true)).collect())
        }
        _ => conjunction(x, vec![signed(node, truth)]),
    }
}

/// Returns a formula that holds if and only if the node has this truth.
fn signed(node: &Node, truth: bool) -> Node {
    match node {
        node if truth => node.clone(),
        Node::Not(inner) => (**inner).clone(),
        node => Node::Not(node.clone().into()),
    }
}

/// Adds formulas all of which hold if and only if the node has this truth.
fn conjuncts(node: &Node, truth: bool, all: &mut Vec<Node>) {
    match (node, truth) {
        (Node::And(parts), true) | (Node::Or(parts), false) => {
            parts.iter().for_each(|part| conjuncts(part, truth, all));
        }
        (Node::Not(inner), _) => conjuncts(inner, !truth, all),
        _ => all.push(signed(node, truth)),
    }
}

/// Returns that there is an x for which these hold, it being in all of them.
fn conjunction(x: usize, mut parts: Vec<Node>) -> Node {
    for place in 0..parts.len() {
        let Some(value) = equation(x, &parts[place]) else { continue };
        let value = value.clone();
        let rest: usize = parts.iter().map(|part| occurrences(x, part)).sum::<usize>() - 1;
        if rest.saturating_mul(size(&value) - 1) > GROWTH {
            continue;
        }
        parts.remove(place);
        let parts = parts.iter().map(|part| in_place(x, &value, part)).collect();
        return Node::And(parts);
    }
    there_is(x, if parts.len() == 1 { parts.swap_remove(0) } else { Node::And(parts) })
}

fn is_comparison(node: &Node) -> bool {
    matches!(node, Node::Compare(..))
}

/// Returns t if the node is x = t, where t has no x and no minus.
fn equation(x: usize, node: &Node) -> Option<&Term> {
    let Node::Compare(one, Relation::Equal, other) = node else { return None };
    let own = |v: usize| v == x;
    [(one, other), (other, one)].into_iter().find_map(|(side, value)| {
        let is_value = *side == Term::Variable(x) && value.count(&own) == 0;
        (is_value && value.has_no_minus()).then_some(value)
    })
}

fn occurrences(x: usize, node: &Node) -> usize {
    let mut all = Vec::new();
    variables(node, &mut all);
    all.iter().filter(|v| **v == x).count()
}

/// Returns how many terms there are in one, itself among them.
fn size(term: &Term) -> usize {
    1 + match term {
        Term::Number(_) | Term::Variable(_) => 0,
        Term::Sum(parts) | Term::Min(parts) | Term::Max(parts) | Term::Xor(_, parts) => {
            parts.iter().map(size).sum()
        }
        Term::Times(_, part)
        | Term::Div(part, _)
        | Term::Mod(part, _)
        | Term::Shift(part)
        | Term::Floor(_, _, part) => size(part),
    }
}

/// Returns the node with a term in the place of x, which it does not bind.
fn in_place(x: usize, value: &Term, node: &Node) -> Node {
    let one = |node: &Node| Box::new(in_place(x, value, node));
    let all = |parts: &[Node]| parts.iter().map(|part| in_place(x, value, part)).collect();
    match node {
        Node::Known(truth) => Node::Known(*truth),
        Node::Compare(left, relation, right) => {
            Node::Compare(put(x, value, left), *relation, put(x, value, right))
        }
        Node::Not(inner) => Node::Not(one(inner)),
        Node::And(parts) => Node::And(all(parts)),
        Node::Or(parts) => Node::Or(all(parts)),
        Node::Iff(left, right) => Node::Iff(one(left), one(right)),
        Node::Exists(bound, body, _) => Node::Exists(bound.clone(), one(body), Vec::new()),
        Node::Forall(bound, body, _) => Node::Forall(bound.clone(), one(body), Vec::new()),
    }
}

fn put(x: usize, value: &Term, term: &Term) -> Term {
    let one = |part: &Term| Box::new(put(x, value, part));
    let all = |parts: &[Term]| parts.iter().map(|part| put(x, value, part)).collect();
    match term {
        Term::Number(number) => Term::Number(*number),
        Term::Variable(v) if *v == x => value.clone(),
        Term::Variable(v) => Term::Variable(*v),
        Term::Sum(parts) => Term::Sum(all(parts)),
        Term::Times(k, part) => Term::Times(*k, one(part)),
        Term::Xor(modulus, parts) => Term::Xor(*modulus, all(parts)),
        Term::Min(parts) => Term::Min(all(parts)),
        Term::Max(parts) => Term::Max(all(parts)),
        Term::Div(part, by) => Term::Div(one(part), *by),
        Term::Mod(part, by) => Term::Mod(one(part), *by),
        Term::Shift(part) => Term::Shift(one(part)),
        Term::Floor(whole, period, part) => Term::Floor(*whole, period.clone(), one(part)),
    }
}

/// Returns what is said of x within such a formula, in each place where it is bound.
pub fn bodies(x: usize, node: &Node) -> Vec<&Node> {
    match node {
        Node::Exists(bound, body, _) if bound[..] == [x] => vec![body],
        Node::And(parts) | Node::Or(parts) => {
            parts.iter().flat_map(|part| bodies(x, part)).collect()
        }
        _ => Vec::new(),
    }
}

fn there_is(x: usize, body: Node) -> Node {
    Node::Exists(vec![x], body.into(), Vec::new())
}

fn has(node: &Node, x: usize) -> bool {
    let mut all = Vec::new();
    variables(node, &mut all);
    all.contains(&x)
}

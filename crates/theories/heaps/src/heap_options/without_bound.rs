//! Conditions without the bound variables that can be spared.
//!
//! `E k: k >= 1 & q0+k = p0 & q1+k = p1` says what `q0 < p0 & p0+q1 = p1+q0` says: an equation in
//! which k has the factor 1 gives k, as far as it is a natural number, and what else is said of k
//! is said of that. Alternatives are looked at one by one; where no equation gives k, its lower
//! bounds are compared with its upper ones. What is left of a quantifier stays, so the formula is
//! an equivalent one.

use bouton_core::{Formula, Node, Relation, Term};

/// At most this many parts may a formula have in the end.
const MAX_PARTS: usize = 1 << 12;
/// Repetitions are left out among this many parts of a conjunction or disjunction.
const MAX_COMPARED: usize = 64;

/// Returns an equivalent formula with as few bound variables as possible; `None` if it has no
/// quantifier that can be spared, or the result would be too large.
pub(super) fn without_bound(formula: &Formula) -> Option<Formula> {
    let mut left = MAX_PARTS;
    if quantifiers(&formula.root) == 0 {
        return None;
    }
    let root = tidy(spared(&formula.root, true, &mut left)?);
    let fewer = quantifiers(&root) < quantifiers(&formula.root);
    fewer.then(|| Formula { root, ..formula.clone() })
}

fn quantifiers(node: &Node) -> usize {
    match node {
        Node::Constant(_) | Node::Compare(..) => 0,
        Node::Not(inner) => quantifiers(inner),
        Node::And(parts) | Node::Or(parts) => parts.iter().map(quantifiers).sum(),
        Node::Implies(left, right) | Node::Iff(left, right) => {
            quantifiers(left) + quantifiers(right)
        }
        Node::Exists(variables, inner) | Node::Forall(variables, inner) => {
            variables.len() + quantifiers(inner)
        }
    }
}

/// Returns the node without what is true or false whatever the numbers are.
fn tidy(node: Node) -> Node {
    let (parts, of_all) = match node {
        Node::And(parts) => (parts, true),
        Node::Or(parts) => (parts, false),
        Node::Compare(left, relation, right) => {
            return match constant(&left).zip(constant(&right)) {
                Some((one, other)) => Node::Constant(relation.holds(one.cmp(&other))),
                None => Node::Compare(left, relation, right),
            };
        }
        node => return node,
    };
    let mut kept: Vec<Node> = Vec::new();
    for part in parts.into_iter().map(tidy) {
        match part {
            Node::Constant(value) if value == of_all => {}
            Node::Constant(value) => return Node::Constant(value),
            Node::And(parts) if of_all => kept.extend(parts),
            Node::Or(parts) if !of_all => kept.extend(parts),
            part => kept.push(part),
        }
    }
    let mut seen: Vec<Node> = Vec::new();
    kept.retain(|part| {
        let is_new = seen.len() > MAX_COMPARED || !seen.contains(part);
        seen.extend(is_new.then(|| part.clone()));
        is_new
    });
    match (kept.len(), of_all) {
        (0, _) => Node::Constant(of_all),
        (1, _) => kept.remove(0),
        (_, true) => Node::And(kept),
        (_, false) => Node::Or(kept),
    }
}

/// Returns the value of a sum without variables.
fn constant(term: &Term) -> Option<i128> {
    match term {
        Term::Number(value) => Some(i128::from(*value)),
        Term::Sum(parts) => {
            parts.iter().try_fold(0i128, |sum, part| sum.checked_add(constant(part)?))
        }
        Term::Multiple(k, inner) => constant(inner)?.checked_mul(i128::from(*k)),
        _ => None,
    }
}

/// Returns the node, or its negation, with negations at comparisons and at quantifiers alone;
/// `None` if it becomes too large.
fn spared(node: &Node, wanted: bool, left: &mut usize) -> Option<Node> {
    *left = left.checked_sub(1)?;
    Some(match node {
        Node::Constant(value) => Node::Constant(*value == wanted),
        Node::Compare(one, relation, other) => {
            let relation = if wanted { *relation } else { relation.negated() };
            Node::Compare(one.clone(), relation, other.clone())
        }
        Node::Not(inner) => spared(inner, !wanted, left)?,
        Node::And(parts) | Node::Or(parts) => {
            let all = parts
                .iter()
                .map(|part| spared(part, wanted, left))
                .collect::<Option<Vec<Node>>>()?;
            if matches!(node, Node::And(_)) == wanted { Node::And(all) } else { Node::Or(all) }
        }
        Node::Implies(one, other) => {
            let both = vec![spared(one, !wanted, left)?, spared(other, wanted, left)?];
            if wanted { Node::Or(both) } else { Node::And(both) }
        }
        Node::Iff(one, other) => {
            let mut case = |truth: bool| {
                Some(Node::And(vec![
                    spared(one, truth, left)?,
                    spared(other, truth == wanted, left)?,
                ]))
            };
            Node::Or(vec![case(true)?, case(false)?])
        }
        Node::Exists(variables, inner) | Node::Forall(variables, inner) => {
            if matches!(node, Node::Exists(..)) != wanted {
                // Something is said of all numbers.
                return Some(if wanted { node.clone() } else { Node::Not(node.clone().into()) });
            }
            let inner = spared(inner, wanted, left)?;
            variables
                .iter()
                .rev()
                .try_fold(inner, |inner, variable| without(*variable, inner, left))?
        }
    })
}

/// Returns a node that says that some number of this variable makes `node` hold.
fn without(variable: usize, node: Node, left: &mut usize) -> Option<Node> {
    if !node.mentions(variable) {
        return Some(node);
    }
    let mut parts = Vec::new();
    match node {
        Node::Or(parts) => {
            let all = parts.into_iter().map(|part| without(variable, part, left));
            return Some(Node::Or(all.collect::<Option<Vec<Node>>>()?));
        }
        node => flatten(node, &mut parts),
    }
    *left = left.checked_sub(parts.len())?;
    // What does not speak of the variable stays outside.
    let (own, mut rest): (Vec<Node>, Vec<Node>) =
        parts.into_iter().partition(|part| part.mentions(variable));
    let solved =
        own.iter().enumerate().find_map(|(at, part)| Some((at, solution(part, variable)?)));
    if let Some((at, value)) = solved {
        rest.push(Node::Compare(value.clone(), Relation::AtLeast, Term::Number(0)));
        let mut others: Vec<Node> = own.clone();
        let equation = others.remove(at);
        let mut beyond = Vec::new();
        for part in others {
            let put = with_value(&part, variable, &value);
            // Where a word takes no differences, it is asked of the variable itself.
            if put.mentions(variable) {
                beyond.push(part);
            } else {
                rest.push(put);
            }
        }
        if !beyond.is_empty() {
            beyond.push(equation);
            rest.push(Node::Exists(vec![variable], Node::And(beyond).into()));
        }
        return Some(Node::And(rest));
    }
    if let Some(at) = own.iter().position(|part| matches!(part, Node::Or(_))) {
        let mut others = own;
        let Node::Or(cases) = others.remove(at) else { return None };
        let cases = cases.into_iter().map(|case| {
            let mut parts = others.clone();
            parts.push(case);
            without(variable, Node::And(parts), left)
        });
        rest.push(Node::Or(cases.collect::<Option<Vec<Node>>>()?));
        return Some(Node::And(rest));
    }
    match between_bounds(&own, variable) {
        Some(bounds) => rest.extend(bounds),
        None => rest.push(Node::Exists(vec![variable], Node::And(own).into())),
    }
    Some(Node::And(rest))
}

/// Collects the parts of a conjunction, those of conjunctions in it one by one.
fn flatten(node: Node, parts: &mut Vec<Node>) {
    match node {
        Node::And(nodes) => nodes.into_iter().for_each(|node| flatten(node, parts)),
        node => parts.push(node),
    }
}

/// Returns the factor of the variable in a sum, and `times` the rest of the sum, added to `rest`;
/// `None` if the variable stands elsewhere, or numbers are too large.
fn split(term: &Term, variable: usize, times: i64, rest: &mut Vec<Term>) -> Option<i64> {
    match term {
        Term::Variable(v) if *v == variable => Some(times),
        Term::Sum(parts) => parts
            .iter()
            .try_fold(0i64, |sum, part| sum.checked_add(split(part, variable, times, rest)?)),
        Term::Multiple(k, inner) => split(inner, variable, times.checked_mul(*k)?, rest),
        term if term.mentions(variable) => None,
        term => {
            rest.push(if times == 1 {
                term.clone()
            } else {
                Term::Multiple(times, term.clone().into())
            });
            Some(0)
        }
    }
}

/// Returns a comparison as factor · variable + rest, compared with 0.
fn linear(node: &Node, variable: usize) -> Option<(i64, Vec<Term>, Relation)> {
    let Node::Compare(left, relation, right) = node else { return None };
    let mut rest = Vec::new();
    let own = split(left, variable, 1, &mut rest)?;
    let other = split(right, variable, -1, &mut rest)?;
    Some((own.checked_add(other)?, rest, *relation))
}

/// Returns the sum of terms, each as often as said.
fn sum(terms: &[Term], times: i64) -> Option<Term> {
    let each = terms.iter().map(|term| match term {
        term if times == 1 => Some(term.clone()),
        Term::Multiple(k, inner) => match k.checked_mul(times)? {
            1 => Some((**inner).clone()),
            k => Some(Term::Multiple(k, inner.clone())),
        },
        term => Some(Term::Multiple(times, term.clone().into())),
    });
    Some(match each.collect::<Option<Vec<Term>>>()? {
        terms if terms.is_empty() => Term::Number(0),
        terms => Term::Sum(terms),
    })
}

/// Returns what the variable is, if the node is an equation in which it has the factor 1 or −1.
fn solution(node: &Node, variable: usize) -> Option<Term> {
    let (factor, rest, relation) = linear(node, variable)?;
    match (factor, relation) {
        (1, Relation::Equal) => sum(&rest, -1),
        (-1, Relation::Equal) => sum(&rest, 1),
        _ => None,
    }
}

/// Returns the node with a sum in place of the variable, where a sum may have differences;
/// elsewhere the variable stays.
fn with_value(node: &Node, variable: usize, value: &Term) -> Node {
    let put = |node: &Node| with_value(node, variable, value);
    match node {
        Node::Compare(left, relation, right) => {
            Node::Compare(put_in(left, variable, value), *relation, put_in(right, variable, value))
        }
        Node::And(parts) => Node::And(parts.iter().map(put).collect()),
        Node::Or(parts) => Node::Or(parts.iter().map(put).collect()),
        Node::Not(inner) => Node::Not(put(inner).into()),
        Node::Exists(variables, inner) => Node::Exists(variables.clone(), put(inner).into()),
        Node::Forall(variables, inner) => Node::Forall(variables.clone(), put(inner).into()),
        Node::Implies(left, right) => Node::Implies(put(left).into(), put(right).into()),
        Node::Iff(left, right) => Node::Iff(put(left).into(), put(right).into()),
        Node::Constant(_) => node.clone(),
    }
}

fn put_in(term: &Term, variable: usize, value: &Term) -> Term {
    let all = |parts: &[Term]| parts.iter().map(|part| put_in(part, variable, value)).collect();
    match term {
        Term::Variable(v) if *v == variable => value.clone(),
        Term::Sum(parts) => Term::Sum(all(parts)),
        Term::Multiple(k, inner) => Term::Multiple(*k, put_in(inner, variable, value).into()),
        // The sum is a natural number, but none of its parts may be negative here.
        Term::Remainder(inner, modulus) if *modulus < 1 << 31 => {
            Term::Remainder(put_in(inner, variable, value).without_minus(*modulus).into(), *modulus)
        }
        term => term.clone(),
    }
}

/// Returns what the bounds of a variable say of other numbers: each lower bound, 0 among them, is
/// at most each upper one. `None` if more than bounds is said, or a variable has another factor.
fn between_bounds(parts: &[Node], variable: usize) -> Option<Vec<Node>> {
    // Sums that the variable is at least, and at most.
    let (mut low, mut high) = (vec![Term::Number(0)], Vec::new());
    for part in parts {
        let (factor, rest, relation) = linear(part, variable)?;
        let (mut rest, is_low) = match (factor, relation) {
            (1, Relation::AtLeast | Relation::Greater)
            | (-1, Relation::AtMost | Relation::Less) => (sum(&rest, -factor)?, true),
            (1, Relation::AtMost | Relation::Less)
            | (-1, Relation::AtLeast | Relation::Greater) => (sum(&rest, -factor)?, false),
            _ => return None,
        };
        if matches!(relation, Relation::Less | Relation::Greater) {
            let one = Term::Number(1);
            let one = if is_low { one } else { Term::Multiple(-1, one.into()) };
            rest = Term::Sum(vec![rest, one]);
        }
        if is_low { low.push(rest) } else { high.push(rest) }
    }
    let pairs = high.iter().flat_map(|high| low.iter().map(move |low| (low, high)));
    Some(
        pairs
            .map(|(low, high)| Node::Compare(low.clone(), Relation::AtMost, high.clone()))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use crate::heap_options::HeapOptions;
    use bouton_core::{HeapList, Heaps, Moves, Windows};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow::Continue;

    /// Returns the options, of positions up to `most`, are those of which the formula itself holds.
    fn options_are_those_of_the_formula(condition: &str, heaps: usize, most: u32) -> HeapOptions {
        let moves = Moves::with_formula(Windows::Any(heaps), condition).unwrap();
        let options = HeapOptions::new(&moves, Some(heaps), false);
        let formula = moves.condition.as_ref().unwrap();
        let all: Vec<Vec<u32>> = (0..(most + 1).pow(heaps as u32))
            .map(|n| (0..heaps as u32).map(|i| n / (most + 1).pow(i) % (most + 1)).collect())
            .collect();
        for p in &all {
            let mut found = BTreeSet::new();
            let _ = options.visit(&Heaps::of(p), |q: Heaps| {
                found.insert(q.to_vec());
                Continue::<()>(())
            });
            let is_option = |q: &&Vec<u32>| {
                let values =
                    p.iter().zip(q.iter()).flat_map(|(p, q)| [u64::from(*p), u64::from(*q)]);
                let falls = q != &p && q.iter().zip(p).all(|(q, p)| q <= p);
                falls && formula.holds(&values.collect::<Vec<u64>>()) == Ok(true)
            };
            let expected: BTreeSet<Vec<u32>> = all.iter().filter(is_option).cloned().collect();
            assert_eq!(found, expected, "{condition} from {p:?}");
        }
        options
    }

    /// The first is Project Euler 260, as it is stated there: the same number from several heaps.
    #[test]
    fn bound_variables_are_spared() {
        for condition in [
            "E k: k >= 1 & (q0+k = p0 | q0 = p0) & (q1+k = p1 | q1 = p1)",
            "E a,b: E k: k >= 1 & (a = 0 | a = k) & (b = 0 | b = k) & q0+a = p0 & q1+b = p1",
            "E k: q0 = p0 - k & q1 = p1 - k & k >= 1 & k <= 3",
            "E k: k > 0 & q0+k = p0 & 2*k+q1 = p1",
            "E k: 1 <= k & q0 + k <= p0 & q1 + k >= p1 & k < 4",
            "~(A k: k = 0 | q0+k != p0 | q1+k != p1)",
            "E k: (k = 1 | k = p1) & q0+k = p0 & q1 = p1",
            "(E k: k >= 1 & q0+k = p0 & q1 = p1) | (E k: k >= 1 & q1+k = p1 & q0 <= k & q0 = p0)",
            "E k: k = p0 div 2 & q0 + k = p0 & q1 = p1 | q0 = p0",
        ] {
            let options = options_are_those_of_the_formula(condition, 2, 5);
            assert!(options.is_exact(), "{condition}");
        }
    }

    /// What is left of a quantifier is asked of the formula.
    #[test]
    fn others_stay() {
        for condition in [
            "E k: q0+k = p0 & q1+k = p1 & k mod 3 = 1",
            "E k: q0+k = p0 & q1 = p1 & (k xor p1) = 2",
            "E k: k >= 1 & q0+2*k = p0 & q1+3*k = p1",
            "E k: q0+3*k = p0 & q1 = p1",
            "A k: k > 2 | q0+k != p0 | q1 != p1",
            "E k: A j: (j >= k | q0+j != p0) & q1 + k = p1 & k <= 3",
            "E k: k != 2 & q0+q1+k = p0+p1 & k < 4 & k != p0",
            "(E k: q0+k = p0 & k >= 2) <=> (E k: q1+k = p1 & k >= 2)",
            "(E k: q0+k = p0 & k >= 2) => q1+1 = p1",
            "E k: floor[1;(1)](k) = p0 - q0 & q1 = p1",
        ] {
            options_are_those_of_the_formula(condition, 2, 4);
        }
        options_are_those_of_the_formula("E k: q0 + k = p0 & k mod 2 = 1", 1, 12);
        options_are_those_of_the_formula("E a,b: a < b & q0 + a + b = p0 & b <= 3", 1, 9);
    }
}

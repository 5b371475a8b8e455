//! Steps by which a formula says that a heap may grow: a rule file has none, and must not lose them
//! in silence.
//!
//! Of an alternative that sets no bound to a heap, as `p0 <= 2*q0`, the steps that raise it are
//! left out: that no heap grows goes without saying. An alternative under which a heap may grow,
//! but only so far, was meant: `q0+q1 = p0`.

use bouton_automata::{AutomaticRelation, Decision, Numeration, Undecided, decide};
use bouton_core::{Formula, Meter, Node, Relation, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The most alternatives made of conjunctions of alternatives; beyond, they stay together.
const MAX_PARTS: usize = 64;
/// The most positions and options looked at for the least example.
const MAX_TRIED: usize = 1 << 20;

/// A step that raises a heap, by an alternative that bounds how far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// The alternative, where there are more.
    pub alternative: Option<String>,
    /// The position.
    pub from: Vec<u64>,
    /// The option.
    pub to: Vec<u64>,
}

/// Returns the alternatives of a formula over heaps before and after, each a list of conditions:
/// those under `&` and `E` too.
pub fn alternatives(formula: &Formula) -> Vec<Vec<Node>> {
    parts(&formula.root, formula.free)
}

/// Returns what a formula states by `|`, each with what stands beside it; behind that, of one with
/// alternatives inside `&`, each of these with all else.
pub fn each_alternative(formula: &Formula) -> Vec<Node> {
    let whole = match &formula.root {
        Node::Or(parts) => &parts[..],
        root => std::slice::from_ref(root),
    };
    let inner = |part: &Node| {
        let Node::And(all) = part else { return Vec::new() };
        let mut found = Vec::new();
        for (at, is_domain) in domain(all, formula.free).into_iter().enumerate() {
            if let (Node::Or(inner), false) = (&all[at], is_domain) {
                for one in inner {
                    let mut all = all.clone();
                    all[at] = one.clone();
                    found.push(Node::And(all));
                }
            }
        }
        found
    };
    whole.iter().flat_map(|part| std::iter::once(part.clone()).chain(inner(part))).collect()
}

fn parts(node: &Node, free: usize) -> Vec<Vec<Node>> {
    match node {
        Node::Or(all) => all.iter().flat_map(|part| parts(part, free)).collect(),
        Node::And(all) => {
            // What is asked of position and option alike says which positions there are: it has no
            // alternatives.
            let domain = domain(all, free);
            let mut made = vec![Vec::new()];
            for (part, is_domain) in all.iter().zip(domain) {
                let own = if is_domain { Vec::new() } else { parts(part, free) };
                if own.is_empty() || made.len() * own.len() > MAX_PARTS {
                    made.iter_mut().for_each(|one| one.push(part.clone()));
                    continue;
                }
                let joined = |one: &Vec<Node>| {
                    own.iter()
                        .map(|more| [&one[..], &more[..]].concat())
                        .collect::<Vec<Vec<Node>>>()
                };
                made = made.iter().flat_map(joined).collect();
            }
            made
        }
        Node::Exists(variables, body) => match parts(body, free) {
            own if own.len() > 1 => own
                .into_iter()
                .map(|one| vec![Node::Exists(variables.clone(), Box::new(Node::And(one)))])
                .collect(),
            _ => vec![vec![node.clone()]],
        },
        _ => vec![vec![node.clone()]],
    }
}

/// Returns which conditions are asked of the option and, word for word, of the position.
fn domain(conditions: &[Node], free: usize) -> Vec<bool> {
    let side = |node: &Node| {
        let (mut before, mut after) = (false, false);
        each_variable(node, &mut |v| {
            before |= v < free && v % 2 == 0;
            after |= v < free && v % 2 == 1;
        });
        (before, after)
    };
    let sides: Vec<(bool, bool)> = conditions.iter().map(side).collect();
    let mut found = vec![false; conditions.len()];
    for (i, one) in conditions.iter().enumerate().filter(|(i, _)| sides[*i] == (false, true)) {
        let image = canonical(one, free, 1);
        for (j, other) in conditions.iter().enumerate().filter(|(j, _)| sides[*j] == (true, false))
        {
            if canonical(other, free, 0) == image {
                (found[i], found[j]) = (true, true);
            }
        }
    }
    found
}

/// Returns the least step that raises a heap by an alternative that bounds it; the last `memory`
/// numbers are no heaps.
pub fn growth(
    formula: &Formula,
    memory: usize,
    numeration: Numeration,
    meter: &mut Meter,
) -> Result<Option<Growth>, Undecided> {
    let free = formula.free;
    let all = alternatives(formula);
    let open = |root: Node, meter: &mut Meter| -> Result<Option<AutomaticRelation>, Undecided> {
        let mut names = formula.names.clone();
        names.push("bound".into());
        let asked = Formula { names, free, root };
        match decide(&asked, numeration, meter)? {
            Decision::Open(found) => {
                Ok(found.dfa.coaccessible_states()[found.dfa.start()].then_some(found))
            }
            _ => unreachable!("p0 and q0 are free"),
        }
    };
    let after: Vec<usize> = (0..free / 2).map(|heap| 2 * heap + 1).collect();
    // For each alternative and heap: a step that raises it, and the positions from which the heap
    // is bounded.
    let mut found: Vec<(usize, Node, AutomaticRelation)> = Vec::new();
    for (number, conditions) in all.iter().enumerate() {
        let domain = domain(conditions, free);
        let other = domain.iter().zip(conditions).filter(|(is_domain, _)| !**is_domain);
        let step: Vec<Node> = other.map(|(_, one)| one.clone()).collect();
        let may_grow = |heap: &usize| {
            let mut is_said = false;
            step.iter().for_each(|one| each_variable(one, &mut |v| is_said |= v == 2 * heap + 1));
            is_said && !conditions.iter().any(|one| keeps(one, *heap))
        };
        let heaps: Vec<usize> = (0..free / 2 - memory).filter(may_grow).collect();
        let grown = |heap: &usize| {
            let [before, after] = [2 * heap, 2 * heap + 1].map(Term::Variable);
            Node::Compare(after, Relation::Greater, before)
        };
        let with = |more: Node| Node::And([&conditions[..], &[more]].concat());
        if heaps.is_empty()
            || open(with(Node::Or(heaps.iter().map(grown).collect())), meter)?.is_none()
        {
            continue;
        }
        for heap in heaps {
            let raises = with(grown(&heap));
            let bound = formula.names.len();
            let within = Node::Compare(
                Term::Variable(2 * heap + 1),
                Relation::AtMost,
                Term::Variable(bound),
            );
            let any = Node::Implies(Box::new(Node::And(step.clone())), Box::new(within));
            let bounded =
                Node::Exists(vec![bound], Box::new(Node::Forall(after.clone(), Box::new(any))));
            let grows = Node::Exists(after.clone(), Box::new(raises.clone()));
            if let Some(positions) = open(Node::And(vec![grows, bounded]), meter)? {
                found.push((number, raises, positions));
            }
        }
    }
    let Some((_, _, first)) = found.first() else { return Ok(None) };
    let pairs = |p: &[u64], q: &[u64]| -> Vec<u64> {
        p.iter().zip(q).flat_map(|(p, q)| [*p, *q]).collect()
    };
    let of =
        |positions: &AutomaticRelation, p: &[u64]| positions.holds(&pairs(p, &vec![0; p.len()]));
    let from = least(some(first, 0), |p| found.iter().any(|(_, _, positions)| of(positions, p)));
    let mut best: Option<(Vec<u64>, usize)> = None;
    for (number, raises, _) in found.iter().filter(|(_, _, positions)| of(positions, &from)) {
        let exactly = |(heap, size): (usize, &u64)| {
            Node::Compare(Term::Variable(2 * heap), Relation::Equal, Term::Number(*size))
        };
        let position = from.iter().enumerate().map(exactly).chain([raises.clone()]).collect();
        let Some(steps) = open(Node::And(position), meter)? else { continue };
        let to = least(some(&steps, 1), |q| steps.holds(&pairs(&from, q)));
        let order = |q: &[u64]| (q.iter().sum::<u64>(), q.to_vec());
        if best.as_ref().is_none_or(|(best, _)| order(&to) < order(best)) {
            best = Some((to, *number));
        }
    }
    Ok(best.map(|(to, number)| {
        let root = Node::And(all[number].clone());
        let alternative = (all.len() > 1).then(|| Formula { root, ..formula.clone() }.to_string());
        Growth { alternative, from, to }
    }))
}

/// Returns values of every other free variable, from this one on, in a tuple of which the automaton
/// holds.
fn some(automaton: &AutomaticRelation, first: usize) -> Vec<u64> {
    let value =
        |digits: &Vec<bool>| automaton.numeration.value(digits.iter().copied()).unwrap_or(u64::MAX);
    let found = automaton.dfa.shortest(&automaton.tracks()).unwrap_or_default();
    found.iter().skip(first).step_by(2).map(value).collect()
}

/// Returns the tuple with the least sum, and of these the first in order, of which this holds as it
/// does of `near`; that one where there are too many to look at.
fn least(near: Vec<u64>, holds: impl Fn(&[u64]) -> bool) -> Vec<u64> {
    let most = near.iter().fold(0u64, |sum, size| sum.saturating_add(*size));
    let mut tried = 0;
    for sum in 0..=most {
        let mut one = vec![0; near.len()];
        let Some(last) = one.last_mut() else { return near };
        *last = sum;
        loop {
            tried += 1;
            if tried > MAX_TRIED {
                return near;
            }
            if holds(&one) {
                return one;
            }
            // The next in order: one more at the last place that has something behind it, and the
            // rest at the end.
            let Some(place) = (1..one.len()).rev().find(|place| one[*place] > 0) else { break };
            let rest = std::mem::take(&mut one[place]) - 1;
            one[place - 1] += 1;
            if let Some(last) = one.last_mut() {
                *last = rest;
            }
        }
    }
    near
}

/// Returns whether the condition shows at once that it does not raise the heap: q < p, q+1 = p, q+x
/// <= p.
fn keeps(node: &Node, heap: usize) -> bool {
    match node {
        Node::And(all) => all.iter().any(|one| keeps(one, heap)),
        Node::Exists(_, body) => keeps(body, heap),
        Node::Compare(left, relation, right) => {
            let mut form = (BTreeMap::new(), 0i128);
            if !add(&mut form, left, 1) || !add(&mut form, right, -1) {
                return false;
            }
            // a·q − b·p + … at most 0, all else not negative, and b at most a.
            let falls = |sign: i128| {
                let of = |v: usize| sign * form.0.get(&v).copied().unwrap_or(0);
                let (before, after) = (2 * heap, 2 * heap + 1);
                let rest = form.0.keys().filter(|v| **v != before).all(|v| of(*v) >= 0);
                of(after) > 0 && -of(before) <= of(after) && rest && sign * form.1 >= 0
            };
            match relation {
                Relation::Equal => falls(1) || falls(-1),
                Relation::Less | Relation::AtMost => falls(1),
                Relation::Greater | Relation::AtLeast => falls(-1),
                Relation::Unequal => false,
            }
        }
        _ => false,
    }
}

/// Adds a multiple of a term to a linear form and its constant; false where the term is not linear.
fn add(form: &mut (BTreeMap<usize, i128>, i128), term: &Term, times: i128) -> bool {
    match term {
        Term::Number(number) => form.1 += times * i128::from(*number),
        Term::Variable(v) => *form.0.entry(*v).or_insert(0) += times,
        Term::Sum(parts) => return parts.iter().all(|part| add(form, part, times)),
        Term::Multiple(k, inner) => {
            return times.checked_mul(i128::from(*k)).is_some_and(|times| add(form, inner, times));
        }
        _ => return false,
    }
    true
}

/// Visits every variable that a condition says, bound ones too.
pub fn each_variable(node: &Node, visit: &mut dyn FnMut(usize)) {
    let _ = renumbered(node, &mut |v| {
        visit(v);
        v
    });
}

/// Returns the condition with bound variables numbered as they come, comparisons one way round, and
/// the option's heaps (1) or the position's (0) as they are: alike where both ask the same of one
/// and of the other.
fn canonical(node: &Node, free: usize, side: usize) -> Node {
    let mut known: FxHashMap<usize, usize> = FxHashMap::default();
    renumbered(node, &mut |v| {
        let next = free + known.len();
        if v < free { v - side } else { *known.entry(v).or_insert(next) }
    })
}

/// Returns the same condition of other variables; `>` and `>=` are turned round.
pub fn renumbered(node: &Node, to: &mut dyn FnMut(usize) -> usize) -> Node {
    let boxed = |node: &Node, to: &mut dyn FnMut(usize) -> usize| Box::new(renumbered(node, to));
    match node {
        Node::Constant(truth) => Node::Constant(*truth),
        Node::Compare(left, relation, right) => {
            let (left, relation, right) = match relation {
                Relation::Greater => (right, Relation::Less, left),
                Relation::AtLeast => (right, Relation::AtMost, left),
                other => (left, *other, right),
            };
            Node::Compare(term(left, to), relation, term(right, to))
        }
        Node::Not(inner) => Node::Not(boxed(inner, to)),
        Node::And(all) => Node::And(all.iter().map(|one| renumbered(one, to)).collect()),
        Node::Or(all) => Node::Or(all.iter().map(|one| renumbered(one, to)).collect()),
        Node::Implies(left, right) => Node::Implies(boxed(left, to), boxed(right, to)),
        Node::Iff(left, right) => Node::Iff(boxed(left, to), boxed(right, to)),
        Node::Exists(variables, body) => {
            Node::Exists(variables.iter().map(|v| to(*v)).collect(), boxed(body, to))
        }
        Node::Forall(variables, body) => {
            Node::Forall(variables.iter().map(|v| to(*v)).collect(), boxed(body, to))
        }
    }
}

fn term(of: &Term, to: &mut dyn FnMut(usize) -> usize) -> Term {
    let mut all = |parts: &[Term]| parts.iter().map(|part| term(part, to)).collect::<Vec<Term>>();
    match of {
        Term::Number(number) => Term::Number(*number),
        Term::Sum(parts) => Term::Sum(all(parts)),
        Term::DigitSum(modulus, parts) => Term::DigitSum(*modulus, all(parts)),
        Term::Min(parts) => Term::Min(all(parts)),
        Term::Max(parts) => Term::Max(all(parts)),
        Term::Variable(v) => Term::Variable(to(*v)),
        Term::Multiple(k, inner) => Term::Multiple(*k, Box::new(term(inner, to))),
        Term::Quotient(inner, by) => Term::Quotient(Box::new(term(inner, to)), *by),
        Term::Remainder(inner, by) => Term::Remainder(Box::new(term(inner, to)), *by),
        Term::Shift(inner) => Term::Shift(Box::new(term(inner, to))),
        Term::Floor(slope, inner) => Term::Floor(*slope, Box::new(term(inner, to))),
        Term::Arithmetic(word, parts) => Term::Arithmetic(*word, all(parts)),
    }
}

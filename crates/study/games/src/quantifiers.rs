//! Conditions without the quantifiers of a rule file's formula, where equations say what each
//! number is that they bind: `E k: p0 = p1+k & (k = 0 | k = 2)` is `p0 = p1 | p0 = p1+2`.
//!
//! What comes out is read backwards and printed, so that it consists of linear comparisons in their
//! shortest form, without any quantifier. Options are generated from a formula in which some may
//! stay, and in which numbers need not be linear (`heap_options::without_bound` of `heaps`).

use crate::reached::Condition;
use bouton_core::{Node, Relation};

/// Most alternatives of what a quantifier says.
const ALTERNATIVES: usize = 64;

/// Returns the same condition without quantifiers; `None` if some number that one binds is not said
/// by an equation in each alternative, or there are too many of these.
pub(crate) fn without_quantifiers(node: &Node) -> Option<Node> {
    let all = |parts: &[Node]| parts.iter().map(without_quantifiers).collect::<Option<Vec<Node>>>();
    let boxed = |node: &Node| without_quantifiers(node).map(Box::new);
    Some(match node {
        Node::Constant(_) | Node::Compare(..) => node.clone(),
        Node::Not(inner) => Node::Not(boxed(inner)?),
        Node::And(parts) => Node::all(all(parts)?),
        Node::Or(parts) => Node::any(all(parts)?),
        Node::Implies(one, other) => Node::Implies(boxed(one)?, boxed(other)?),
        Node::Iff(one, other) => Node::Iff(boxed(one)?, boxed(other)?),
        Node::Exists(bound, body) => {
            let alternatives = alternatives(&without_quantifiers(body)?)?;
            let freed = alternatives.into_iter().map(|one| freed(one, bound));
            Node::any(freed.collect::<Option<Vec<_>>>()?.into_iter().map(Node::all))
        }
        Node::Forall(..) => return None,
    })
}

/// Returns the alternatives of a condition, each a list of linear ones; `None` if it has other
/// parts.
pub(crate) fn alternatives(node: &Node) -> Option<Vec<Vec<Condition>>> {
    let all: Vec<Vec<Condition>> = match node {
        Node::Constant(true) => vec![Vec::new()],
        Node::Constant(false) => Vec::new(),
        Node::Or(parts) => parts.iter().map(alternatives).collect::<Option<Vec<_>>>()?.concat(),
        Node::And(parts) => {
            let mut made = vec![Vec::new()];
            for part in parts {
                let own = alternatives(part)?;
                if made.len() * own.len() > ALTERNATIVES {
                    return None;
                }
                let joined = |one: &Vec<Condition>| {
                    own.iter().map(|more| [&one[..], &more[..]].concat()).collect()
                };
                made = made.iter().flat_map(|one| -> Vec<_> { joined(one) }).collect();
            }
            made
        }
        node => vec![vec![Condition::read(node)?]],
    };
    (all.len() <= ALTERNATIVES).then_some(all)
}

/// Returns what an alternative says of the other numbers: each bound one is replaced by what an
/// equation says it is, which is then at least 0.
fn freed(mut conditions: Vec<Condition>, bound: &[usize]) -> Option<Vec<Node>> {
    for variable in bound {
        let variable = *variable as _;
        if !conditions.iter().any(|one| one.form.contains(variable)) {
            continue;
        }
        let equations = conditions.iter().filter(|one| one.relation == Relation::Equal);
        let values = equations.filter_map(|one| one.form.solved(variable));
        let value = values.min_by_key(|value| value.terms.len())?;
        for one in &mut conditions {
            one.form = one.form.substitute(variable, &value)?;
        }
        conditions.push(Condition { form: value, relation: Relation::AtLeast });
    }
    let mut said: Vec<Node> = Vec::new();
    for one in conditions.iter().filter(|one| !one.is_trivial()) {
        let node = one.node();
        if !said.contains(&node) {
            said.push(node);
        }
    }
    Some(said)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Formula;

    fn freed_of(text: &str) -> Option<Formula> {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).into();
        let formula = Formula::parse_over(text, &names).unwrap();
        let root = without_quantifiers(&formula.root)?;
        Some(Formula { root, names, free: 3 })
    }

    /// Small numbers meet the condition without quantifiers if and only if, by arithmetic, there
    /// are such values of the bound ones.
    #[test]
    fn quantifiers_go_where_equations_say_the_numbers() {
        type Says = fn(u64, u64, u64) -> bool;
        let piles: Says = |a, b, c| a == b + c + u64::from(b > 0) + u64::from(c > 0);
        let cases: [(&str, Says); 6] = [
            ("E k: a = b+k & (k = 0 | k = 2)", |a, b, _| a == b || a == b + 2),
            (
                "E e,f: a = b+c+e+f & (e = 0 & b = 0 | e = 1 & b > 0) & (f = 0 & c = 0 | f = 1 & \
                 c > 0)",
                piles,
            ),
            ("E k: a = b+k & k <= c", |a, b, c| a >= b && a - b <= c),
            ("E k: a+k = b & (E l: l = k+c & l != a)", |a, b, c| a <= b && b - a + c != a),
            ("~(E k: a = k+3 & k != b)", |a, b, _| a < 3 || a - 3 == b),
            ("c = 0 | E k: a = 7 & k+1 = b & 2*k > c", |a, b, c| {
                c == 0 || a == 7 && b >= 1 && 2 * (b - 1) > c
            }),
        ];
        for (text, says) in cases {
            let formula = freed_of(text).expect(text);
            for code in 0..1000 {
                let p = [code / 100, code / 10 % 10, code % 10];
                assert_eq!(
                    formula.holds(&p),
                    Ok(says(p[0], p[1], p[2])),
                    "{text}: {p:?}, {formula}"
                );
            }
        }
        // Not plain: no equation, one of some alternatives, one that says twice the number; `A`.
        for text in ["E k: a+k > b", "E k: a = k | b > k", "E k: a = 2*k", "A k: a != 2*k+1"] {
            assert_eq!(freed_of(text), None, "{text}");
        }
    }
}

//! Heaps that no move ties together: a position is the sum of its groups.

use bouton_core::{Formula, Node, Relation, Term};

/// Returns sets of heaps such that each alternative of the condition lowers, and asks about, heaps
/// of one set alone; heaps that no move lowers are in no set. The places of the condition are all
/// heaps of the game, 31 at most.
///
/// An alternative says `q = p` of all heaps but those of its set, in the words of an equation; what
/// is said otherwise counts as tied together.
pub(super) fn groups(condition: &Formula) -> Vec<u32> {
    let heaps = condition.free / 2;
    let mut groups: Vec<u32> = Vec::new();
    for alternative in flat(&condition.root, false) {
        let parts = flat(alternative, true);
        let kept = |heap: &usize| parts.iter().any(|part| keeps(part, *heap));
        let is_asked = |heap: &usize| {
            let names = |part: &&&Node| part.mentions(2 * heap) || part.mentions(2 * heap + 1);
            parts.iter().filter(names).any(|part| !keeps(part, *heap))
        };
        if (0..heaps).all(|heap| kept(&heap)) {
            // Nothing is taken.
            continue;
        }
        let tied = (0..heaps).filter(|heap| !kept(heap) || is_asked(heap));
        let mut group = tied.fold(0u32, |group, heap| group | 1 << heap);
        groups.retain(|other| {
            let joins = *other & group != 0;
            group |= if joins { *other } else { 0 };
            !joins
        });
        groups.push(group);
    }
    groups
}

/// Returns the parts of nested conjunctions, or of nested alternatives.
fn flat(node: &Node, is_and: bool) -> Vec<&Node> {
    match node {
        Node::And(nodes) if is_and => nodes.iter().flat_map(|node| flat(node, is_and)).collect(),
        Node::Or(nodes) if !is_and => nodes.iter().flat_map(|node| flat(node, is_and)).collect(),
        other => vec![other],
    }
}

/// Returns whether it says that a heap keeps its tokens.
fn keeps(node: &Node, heap: usize) -> bool {
    let is = |term: &Term, variable: usize| matches!(term, Term::Variable(v) if *v == variable);
    let (before, after) = (2 * heap, 2 * heap + 1);
    match node {
        Node::Compare(left, Relation::Equal, right) => {
            is(left, before) && is(right, after) || is(left, after) && is(right, before)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_options::HeapOptions;
    use bouton_core::{Heaps, Moves, Nimber, Windows, mex, positions_in_box};
    use std::collections::HashMap;
    use std::ops::ControlFlow::Continue;

    #[test]
    fn heaps_are_grouped() {
        for (heaps, condition, expected) in [
            (2, "q0 < p0 & q1 = p1 | p0 = q0 & q1 < p1", vec![1, 2]),
            (2, "q0 < p0 & q1 = p1 | q0 = p0 & q1 < p1 & p0 > 2", vec![3]),
            (2, "q0 < p0 & q1 = p1 | q0 = p0 & q1 < p1 & q0 > 2", vec![3]),
            (2, "q0 < p0 & q1 <= p1", vec![3]),
            (2, "q0 < p0 & q1 = p0 | q0 = p0 & q1 < p1", vec![3]),
            (2, "(q0 < p0 | q1 < p1) & q0 = p0", vec![3]),
            (2, "~(q0 = p0) & q1 = p1 | q0 = p0 & ~(q1 = p1)", vec![1, 2]),
            (3, "q0 < p0 & q1 = p1 & q2 = p2", vec![1]),
            (3, "q0 + 1 = p0 & q1 + 1 = p1 & q2 = p2 | (q0 = p0 & q1 = p1) & q2 < p2", vec![3, 4]),
            (
                3,
                "q0 < p0 & q1 = p1 & q2 = p2 | q1 < p1 & q0 = p0 & q2 = p2 & (q1 + p2) mod 2 = 0",
                vec![1, 6],
            ),
            (3, "q0 = p0 & q1 = p1 & q2 = p2", vec![]),
        ] {
            let moves = Moves::with_formula(Windows::Any(heaps), condition).unwrap();
            let formula = moves.condition.unwrap();
            let mut found = groups(&formula);
            found.sort_unstable();
            assert_eq!(found, expected, "{condition}");
        }
    }

    /// Nim-values of sums of rules drawn at random are the nim-sums of the values of the parts; the
    /// values come from the options alone.
    #[test]
    fn values_of_groups_add_up() {
        let mut random = crate::heap_tables::random(19);
        let one = [
            "q@ < p@",
            "q@+1 = p@",
            "q@ < p@ & (p@-q@) mod 3 = 1",
            "q@ < p@ & p@ <= 2*q@+1",
            "2*q@ = p@",
        ];
        let two =
            ["q@+1 = p@ & q#+2 = p#", "q@ < p@ & p@+q# = p#+q@", "q# = p# & q@ < p@ & p@ <= q@+p#"];
        let mut sums = 0;
        for _ in 0..40 {
            let mut alternatives = Vec::new();
            for _ in 0..2 + random(3) {
                let heap = random(3) as usize;
                let other = (heap + 1) % 3;
                let (text, kept) = match random(3) {
                    0 => (
                        two[random(3) as usize].replace('#', &other.to_string()),
                        vec![(heap + 2) % 3],
                    ),
                    _ => (one[random(5) as usize].to_owned(), vec![other, (heap + 2) % 3]),
                };
                let kept: Vec<String> =
                    kept.iter().map(|kept| format!("q{kept} = p{kept}")).collect();
                alternatives.push(format!(
                    "{} & {}",
                    text.replace('@', &heap.to_string()),
                    kept.join(" & ")
                ));
            }
            let condition = alternatives.join(" | ");
            let moves = Moves::with_formula(Windows::Any(3), &condition).unwrap();
            let formula = moves.condition.clone().unwrap();
            let options = HeapOptions::new(&moves, Some(3), false);
            let mut values: HashMap<Heaps, Nimber> = HashMap::new();
            let _ = positions_in_box::<Heaps, ()>(3, 5, |p| {
                let mut reached = Vec::new();
                let _ = positions_in_box::<Heaps, ()>(3, 5, |q| {
                    let pairs: Vec<u64> = p
                        .iter()
                        .zip(q.iter())
                        .flat_map(|(p, q)| [u64::from(*p), u64::from(*q)])
                        .collect();
                    let is_move = q != p && q.iter().zip(p.iter()).all(|(q, p)| q <= p);
                    if is_move && formula.holds(&pairs).unwrap() {
                        reached.push(values[&q]);
                    }
                    Continue(())
                });
                let value = mex(reached);
                values.insert(p, value);
                let (mut sum, mut parts) = (Nimber(0), 0);
                options.summands(&p, |part| {
                    sum ^= values[&part];
                    parts += 1;
                });
                sums += usize::from(parts > 1);
                assert_eq!(sum, value, "{condition} {p:?}");
                Continue(())
            });
        }
        assert!(sums > 1000, "{sums}");
    }
}

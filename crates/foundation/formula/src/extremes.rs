//! Comparisons with `min` and `max` as comparisons with their parts.

use crate::formula::{Node, Relation, Term};

/// Returns the parts of a multiple of `min` or `max`, and whether it is `max`.
fn extreme(term: &Term) -> Option<(i64, &[Term], bool)> {
    match term {
        Term::Max(parts) => Some((1, parts, true)),
        Term::Min(parts) => Some((1, parts, false)),
        Term::Multiple(k @ 1.., inner) => extreme(inner)
            .and_then(|(times, parts, is_max)| Some((times.checked_mul(*k)?, parts, is_max))),
        _ => None,
    }
}

/// Returns what a comparison with a multiple of `min` or `max` says of the parts of it; `None` if
/// neither side is one.
pub fn without_extremes(left: &Term, relation: Relation, right: &Term) -> Option<Node> {
    use Relation::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
    let Some((times, parts, is_max)) = extreme(left) else {
        extreme(right)?;
        let turned = match relation {
            AtMost => AtLeast,
            AtLeast => AtMost,
            Less => Greater,
            Greater => Less,
            same => same,
        };
        return without_extremes(right, turned, left);
    };
    let each = || {
        let part = |part: &Term| Term::Multiple(times, part.clone().into());
        parts.iter().map(|one| Node::Compare(part(one), relation, right.clone())).collect()
    };
    let both = |one, other| {
        [one, other].map(|relation| Node::Compare(left.clone(), relation, right.clone()))
    };
    Some(match (relation, is_max) {
        (Equal, _) => Node::And(both(AtMost, AtLeast).into()),
        (Unequal, _) => Node::Or(both(Less, Greater).into()),
        (AtMost | Less, true) | (AtLeast | Greater, false) => Node::And(each()),
        _ => Node::Or(each()),
    })
}

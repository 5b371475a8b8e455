//! The sizes to which the one heap of a game may be lowered, with terms that are ready to be
//! evaluated.

use super::pairs::{HEAPS_BELOW, PairValue, VALUES_BELOW};
use super::{Linear, Sign, Sizes, Tree, joined, meet};

/// A condition on one heap.
#[derive(Debug, Clone)]
pub struct SingleSizes(Node);

#[derive(Debug, Clone)]
enum Node {
    /// All of these, none of which leaves a size out from between others.
    Range(Vec<SizeCondition>),
    /// Without one size.
    Unequal(SizeCondition),
    All(Vec<Node>),
    Any(Vec<Node>),
}

/// own · x + rest, compared with 0.
#[derive(Debug, Clone)]
struct SizeCondition {
    own: i64,
    rest: PairValue,
    sign: Sign,
}

impl SizeCondition {
    /// Returns the least and the greatest of the sizes up to `top` of which it holds, which are all
    /// between them; the least is the greater one if there are none. Not of unequal numbers.
    #[inline]
    fn ends(&self, size: u32, top: i64) -> (i64, i64) {
        let rest = self.rest.at([size.into(), 0]);
        let is_equation = self.sign == Sign::Zero;
        match self.own {
            0 if rest == 0 || rest < 0 && !is_equation => (0, top),
            0 => (1, 0),
            1 => (if is_equation { -rest } else { 0 }, -rest),
            -1 => (rest, if is_equation { rest } else { top }),
            own @ 2.. => {
                let most = (-rest).div_euclid(own);
                match is_equation {
                    true if most * own == -rest => (most, most),
                    true => (1, 0),
                    false => (0, most),
                }
            }
            own => {
                let least = -(-rest).div_euclid(-own);
                match is_equation {
                    true if least * -own == rest => (least, least),
                    true => (1, 0),
                    false => (least, top),
                }
            }
        }
    }
}

impl Node {
    fn new(tree: &Tree) -> Option<Node> {
        let all = |parts: &[Tree]| parts.iter().map(Node::new).collect::<Option<Vec<_>>>();
        Some(match tree {
            Tree::Linear(said) => {
                let own = said.after.first().map_or(0, |(_, k)| *k);
                let rest = PairValue::of_one(&Linear { after: Vec::new(), ..said.clone() })?;
                if i128::from(own).abs() >= VALUES_BELOW {
                    return None;
                }
                let of = SizeCondition { own, rest, sign: said.sign };
                if said.sign == Sign::NotZero { Node::Unequal(of) } else { Node::Range(vec![of]) }
            }
            Tree::All(parts) => {
                let (mut range, mut others) = (Vec::new(), Vec::new());
                for part in all(parts)? {
                    match part {
                        Node::Range(said) => range.extend(said),
                        other => others.push(other),
                    }
                }
                match others.is_empty() {
                    true => Node::Range(range),
                    false => Node::All([vec![Node::Range(range)], others].concat()),
                }
            }
            Tree::Any(parts) => Node::Any(all(parts)?),
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => return None,
        })
    }

    /// Returns the sizes below `size` of which the condition holds, in ranges, ascending and apart.
    fn sizes(&self, size: u32) -> Sizes {
        match self {
            Node::Range(said) => range(said, size).into_iter().collect(),
            Node::Unequal(said) => {
                let rest = said.rest.at([size.into(), 0]);
                said.sign.sizes(rest.into(), [0, 0], said.own.into(), size - 1)
            }
            Node::All(parts) => {
                let mut parts = parts.iter();
                let mut all = parts.next().map_or_else(Sizes::new, |first| first.sizes(size));
                for part in parts {
                    if all.is_empty() {
                        break;
                    }
                    all = meet(&all, &part.sizes(size));
                }
                all
            }
            Node::Any(parts) => {
                let mut all = Sizes::new();
                for part in parts {
                    match part {
                        Node::Range(said) => {
                            range(said, size).into_iter().for_each(|one| put(&mut all, one))
                        }
                        part => part.sizes(size).into_iter().for_each(|one| put(&mut all, one)),
                    }
                }
                joined(all)
            }
        }
    }
}

/// Returns the first and the last size below `size` of which all this holds; `None` if there is
/// none.
#[inline]
fn range(said: &[SizeCondition], size: u32) -> Option<(u32, u32)> {
    let top = i64::from(size) - 1;
    let (mut low, mut high) = (0, top);
    for one in said {
        let (least, most) = one.ends(size, top);
        (low, high) = (low.max(least), high.min(most));
        if low > high {
            return None;
        }
    }
    Some((low as u32, high as u32))
}

/// Puts a range in its place among those in order.
#[inline]
fn put(all: &mut Sizes, range: (u32, u32)) {
    let place = all.iter().rposition(|known| *known <= range).map_or(0, |last| last + 1);
    if place == all.len() { all.push(range) } else { all.insert(place, range) }
}

impl SingleSizes {
    pub(super) fn new(tree: &Tree) -> Option<SingleSizes> {
        Node::new(tree).map(SingleSizes)
    }

    /// Returns ranges with both ends, ascending, apart from each other; `None` of a size that is
    /// too large.
    #[inline]
    pub fn lower_sizes(&self, size: u32) -> Option<Sizes> {
        match size {
            0 => Some(Sizes::new()),
            HEAPS_BELOW.. => None,
            _ => Some(self.0.sizes(size)),
        }
    }
}

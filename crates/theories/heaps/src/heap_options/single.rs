//! The sizes to which the one heap of a game may be lowered, with terms that are ready to be
//! evaluated.

use super::pairs::{HEAPS_BELOW, PairValue};
use super::{Linear, Sign, Sizes, Tree, joined, lowered, meet};
use smallvec::SmallVec;

/// A condition on one heap.
#[derive(Debug, Clone)]
pub struct SingleSizes(Node);

#[derive(Debug, Clone)]
enum Node {
    /// own · x + rest, compared with 0.
    Linear {
        own: i64,
        rest: PairValue,
        sign: Sign,
    },
    All(Vec<Node>),
    Any(Vec<Node>),
}

impl Node {
    fn new(tree: &Tree) -> Option<Node> {
        let all = |parts: &[Tree]| parts.iter().map(Node::new).collect::<Option<Vec<_>>>();
        Some(match tree {
            Tree::Linear(said) => {
                let own = said.after.first().map_or(0, |(_, k)| *k);
                let rest = PairValue::of_one(&Linear { after: Vec::new(), ..said.clone() })?;
                Node::Linear { own, rest, sign: said.sign }
            }
            Tree::All(parts) => Node::All(all(parts)?),
            Tree::Any(parts) => Node::Any(all(parts)?),
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => return None,
        })
    }

    fn sizes(&self, size: u32) -> Sizes {
        match self {
            Node::Linear { own, rest, sign } => {
                sign.sizes(rest.at([size.into(), 0]).into(), [0, 0], (*own).into(), size)
            }
            Node::All(parts) => {
                let mut all: Sizes = SmallVec::from_slice(&[(0, size)]);
                for part in parts {
                    all = meet(&all, &part.sizes(size));
                    if all.is_empty() {
                        break;
                    }
                }
                all
            }
            Node::Any(parts) => joined(parts.iter().flat_map(|part| part.sizes(size)).collect()),
        }
    }
}

impl SingleSizes {
    pub(super) fn new(tree: &Tree) -> Option<SingleSizes> {
        Node::new(tree).map(SingleSizes)
    }

    /// Returns ranges with both ends, ascending, apart from each other; `None` of a size that is too
    /// large.
    #[inline]
    pub fn lower_sizes(&self, size: u32) -> Option<Sizes> {
        (size < HEAPS_BELOW).then(|| lowered(self.0.sizes(size), size))
    }
}

//! A strategy tree, as an address asks for it.

use crate::playthrough::Playthrough;
use crate::request::Request;
use crate::request_error::RequestError;
use bouton_core::{Budget, WrittenNumber};
use bouton_draw::tree::{Tree, TreeLimits};

/// How much of the tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extent {
    pub depth: String,
    pub size: String,
}

impl Extent {
    /// Reads the parameters from a request; those that it lacks take their defaults.
    pub fn from_request(request: &Request) -> Extent {
        Extent { depth: request.get("depth").to_owned(), size: request.get("size").to_owned() }
    }

    fn limits(&self) -> Result<TreeLimits, RequestError> {
        let number = |text: &str, name: &str, default: usize, most: usize| match text {
            "" => Ok(default),
            text => {
                let number = WrittenNumber::read(text).filter(|n| (1..=most).contains(n));
                number
                    .ok_or_else(|| RequestError::bad(format!("{name}: a number from 1 to {most}")))
            }
        };
        let depth = number(&self.depth, "depth", 40, 256)?;
        let nodes = number(&self.size, "size", 120, 2000)?;
        Ok(TreeLimits { depth, nodes, analysed: 1500, ..TreeLimits::default() })
    }
}

/// The most moves that are listed of a position that is drawn.
pub(crate) const LISTED: usize = 2000;

/// Grows the tree from the present position.
pub(crate) fn grow(
    playthrough: &Playthrough,
    extent: &Extent,
    budget: &Budget,
) -> Result<Tree, RequestError> {
    // Each analysis lists the moves of a position that is drawn; more than these no picture holds.
    let settings = playthrough.settings(budget, LISTED);
    Ok(Tree::build(&*playthrough.game, playthrough.now(), settings, extent.limits()?)?)
}

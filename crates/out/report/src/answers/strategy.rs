//! Winning strategies, as `bouton strategy --json` prints them.

use super::{PlayName, PositionText};
use bouton_draw::tree::{self, NodeState, Side};
use serde::Serialize;

/// A winning strategy as a tree.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StrategyTree<'a> {
    /// The game.
    pub game: &'a str,
    /// The position at the root.
    pub position: PositionText<'a>,
    /// The convention.
    pub play: PlayName,
    /// The player who wins.
    pub winner: Player,
    /// The positions below which the tree is cut.
    pub cut: usize,
    /// The positions that are drawn; the root is the first.
    pub drawn: Vec<Node<'a>>,
}

/// The first player or the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "player")]
pub enum Player {
    /// The player who moves first.
    #[serde(rename = "I")]
    First,
    /// The other.
    #[serde(rename = "II")]
    Second,
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::First => Player::First,
            Side::Second => Player::Second,
        }
    }
}

/// A position of a strategy that is drawn.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "node")]
pub struct Node<'a> {
    /// What is in its circle: the cell of the token, or the position.
    pub label: &'a str,
    /// The position.
    pub position: PositionText<'a>,
    /// The player to move.
    pub to_move: Player,
    /// Whether play goes on.
    pub state: State,
    /// The moves that are drawn.
    pub edges: Vec<Edge<'a>>,
}

/// Whether play goes on from a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "state", rename_all = "lowercase")]
pub enum State {
    /// It does.
    Open,
    /// There is no move.
    Over,
    /// It does, and the tree does not show it.
    Cut,
}

/// A move, or a run of diamonds.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "edge")]
pub struct Edge<'a> {
    /// The number of a position that is drawn.
    pub to: usize,
    /// The move in a few characters.
    #[serde(rename = "move")]
    pub label: &'a str,
    /// The player who moves.
    pub by: Player,
    /// The number of diamonds; 0 for a single move.
    pub diamonds: usize,
}

/// Returns a strategy, as `bouton strategy --json`.
pub fn tree(tree: &tree::Tree) -> StrategyTree<'_> {
    StrategyTree {
        game: &tree.game,
        position: PositionText(&tree.position),
        play: tree.play.into(),
        winner: tree.winner.into(),
        cut: tree.cut,
        drawn: tree.nodes.iter().map(Node::of).collect(),
    }
}

impl Node<'_> {
    fn of(node: &tree::Node) -> Node<'_> {
        Node {
            label: &node.label,
            position: PositionText(&node.position),
            to_move: node.to_move.into(),
            state: match node.state {
                NodeState::Inner => State::Open,
                NodeState::Over => State::Over,
                NodeState::Cut => State::Cut,
            },
            edges: node.edges.iter().map(Edge::of).collect(),
        }
    }
}

impl Edge<'_> {
    fn of(edge: &tree::Edge) -> Edge<'_> {
        Edge { to: edge.to, label: &edge.label, by: edge.by.into(), diamonds: edge.diamonds }
    }
}

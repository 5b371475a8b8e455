//! What a position looks like, as data: pictures, pages and terminals draw it each in their own
//! way.

use crate::{DotsStructure, Ruleset};

/// A game that can be looked at.
pub trait Appearance: Ruleset {
    /// Returns what the position looks like.
    fn board(&self, p: &Self::Position) -> Board;

    /// Returns what players see on it, if there is a word for it.
    fn sight(&self, p: &Self::Position) -> Option<DotsStructure> {
        let _ = p;
        None
    }
}

/// The board of one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Board {
    /// Heaps side by side.
    Row(Vec<u32>),
    /// Heaps side by side, and what is remembered of the moves before.
    Remembering {
        /// The heaps.
        heaps: Vec<u32>,
        /// What is remembered, as it is written.
        remembered: String,
    },
    /// Heaps side by side, of which a move lowers up to this many.
    Several {
        /// The heaps.
        heaps: Vec<u32>,
        /// The most heaps that a move lowers, at least 2.
        at_once: usize,
    },
    /// Heaps at the vertices of a complex: a move lowers heaps of one face.
    Complex {
        /// The heaps.
        heaps: Vec<u32>,
        /// The maximal faces, each a list of heaps from 0, ascending.
        faces: Vec<Vec<usize>>,
    },
    /// One heap, piled up.
    Pile(u32),
    /// Heaps on a circle, clockwise.
    Ring(Vec<u32>),
    /// Heaps on a loop of string, clockwise: where one is emptied, the loop closes up.
    Loop(Vec<u32>),
    /// Rows of pins that stand side by side, a gap between rows.
    Pins(Vec<u32>),
    /// Strings of beads side by side, a gap between strings.
    Beads(Vec<u32>),
    /// A strip of squares, counted from 0, with at most one coin on each: the squares of the coins,
    /// ascending.
    Strip(Vec<u32>),
    /// A row of coins, counted from 1, each heads or tails: the places of the heads, ascending.
    Faces(Vec<u32>),
    /// A circular track of cells: which are visited, and where the token stands.
    Track {
        /// One flag a cell, clockwise from cell 0.
        visited: Vec<bool>,
        /// The token's cell.
        token: usize,
    },
    /// A queen on an infinite chessboard, moving south, west and south-west; (0, 0) is the corner.
    Queen {
        /// Distance from the west edge.
        x: u32,
        /// Distance from the south edge.
        y: u32,
    },
    /// A grid of dots with some lines drawn.
    Dots {
        /// Boxes down.
        rows: usize,
        /// Boxes across.
        columns: usize,
        /// Horizontal lines drawn, `rows + 1` rows of `columns`.
        horizontal: Vec<bool>,
        /// Vertical lines drawn, `rows` rows of `columns + 1`.
        vertical: Vec<bool>,
    },
    /// Coins held by strings.
    Coins {
        /// The coins at the ends of each string, from 0; `None` is the ground.
        strings: Vec<(usize, Option<usize>)>,
        /// Which strings are not cut.
        whole: Vec<bool>,
    },
    /// A pile of stones between two purses; `None` is unlimited money.
    Purses {
        /// Stones left.
        stones: u64,
        /// Dollars of the player about to move.
        mover: Option<u64>,
        /// Dollars of the other player.
        other: Option<u64>,
    },
    /// A graph.
    Graph(GraphBoard),
    /// Sheets of squares that moves cut: the rows and the columns of each.
    Sheets(Vec<(u32, u32)>),
    /// Cards in a row.
    Cards {
        /// The cards, in a fixed order.
        cards: Vec<Card>,
        /// The text below them; empty if there is none.
        note: String,
    },
    /// A picture made of characters, a line for each row.
    Text(String),
    /// Several boards in one sum.
    Sum(Vec<Board>),
}

/// A graph on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphBoard {
    /// The names of the nodes, each once.
    pub nodes: Vec<String>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
    /// The node of the token, if there is a token.
    pub token: Option<usize>,
    /// How the graph stands.
    pub stand: GraphStand,
    /// Whether moves take nodes, or move the token to them.
    pub takes_nodes: bool,
    /// Whether moves take edges.
    pub takes_edges: bool,
}

/// An edge of a graph on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphEdge {
    /// The nodes at its ends, from 0; of an arc the tail and the head.
    pub ends: [usize; 2],
    /// The kind of the edge.
    pub kind: EdgeKind,
}

/// The kind of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeKind {
    /// An edge for both players.
    Plain,
    /// An edge with a direction.
    Arc,
    /// An edge for Left alone.
    Left,
    /// An edge for Right alone.
    Right,
}

/// How a graph stands on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphStand {
    /// On no side.
    Free,
    /// On the ground, which is this node.
    Ground(usize),
    /// In levels: the second end of each edge is above the first one.
    Levels,
}

/// A card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// What stands on it.
    pub name: String,
    /// The number of cards with this name.
    pub count: u32,
}

impl Board {
    /// Returns the sizes of the heaps, if there is nothing but heaps.
    pub fn heaps(&self) -> Option<&[u32]> {
        match self {
            Board::Row(heaps)
            | Board::Ring(heaps)
            | Board::Loop(heaps)
            | Board::Remembering { heaps, .. }
            | Board::Several { heaps, .. }
            | Board::Complex { heaps, .. } => Some(heaps),
            Board::Pile(heap) => Some(std::slice::from_ref(heap)),
            _ => None,
        }
    }

    /// Returns the lengths of rows of pins, or of strings of beads.
    pub fn rows(&self) -> Option<&[u32]> {
        match self {
            Board::Pins(rows) | Board::Beads(rows) => Some(rows),
            _ => None,
        }
    }

    /// Returns the squares of coins on a strip, or the places of heads in a row of coins.
    pub fn places(&self) -> Option<&[u32]> {
        match self {
            Board::Strip(places) | Board::Faces(places) => Some(places),
            _ => None,
        }
    }

    /// Returns the places of coins ([`Board::places`]) that this board has alone, and those that
    /// the other has alone, each ascending; `None` unless both are strips or both rows of coins.
    pub fn places_apart(&self, other: &Board) -> Option<[Vec<u32>; 2]> {
        let (own, others) = match (self, other) {
            (Board::Strip(own), Board::Strip(others)) => (own, others),
            (Board::Faces(own), Board::Faces(others)) => (own, others),
            _ => return None,
        };
        let alone = |own: &[u32], others: &[u32]| {
            own.iter().filter(|place| !others.contains(place)).copied().collect()
        };
        Some([alone(own, others), alone(others, own)])
    }

    /// Returns whether the heaps lie around a middle: on a circle, on a loop, or at the vertices of
    /// a complex.
    pub fn is_round(&self) -> bool {
        matches!(self, Board::Ring(_) | Board::Loop(_) | Board::Complex { .. })
    }
}

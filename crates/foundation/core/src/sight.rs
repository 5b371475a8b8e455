//! What players see on a board of boxes: boxes that hang together, and lines by what they lead to.
//! Nothing is searched for it.
//!
//! Source: E. R. Berlekamp, *The Dots and Boxes Game* (2000).

/// A position of a board of boxes as players see it; its places are those of
/// [`crate::Board::Dots`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DotsStructure {
    /// Boxes that hang together, when all captures are made; those not closed and in none of them
    /// have three or four open lines.
    pub groups: Vec<Group>,
    /// What the horizontal lines lead to; `None` where one is drawn, or goes with a capture.
    pub horizontal: Vec<Option<LineKind>>,
    /// The same of the vertical ones.
    pub vertical: Vec<Option<LineKind>>,
}

/// Boxes that hang together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// How.
    pub kind: GroupKind,
    /// Its boxes, row by row from 0; of chains and loops each beside the one before.
    pub boxes: Vec<usize>,
}

/// How boxes hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// A row of one or two boxes with two open lines each.
    Chain,
    /// One of three or more: who opens it gives away control.
    LongChain,
    /// A ring of such boxes.
    Loop,
    /// Boxes that can be closed now.
    Captures,
}

impl GroupKind {
    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            GroupKind::Chain => "chain",
            GroupKind::LongChain => "long chain",
            GroupKind::Loop => "loop",
            GroupKind::Captures => "captures",
        }
    }
}

/// What a line leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// It closes a box now.
    Closes,
    /// Nothing can be captured after it.
    Safe,
    /// It gives away one box or two, and no choice with them.
    Gives,
    /// It gives away boxes the last of which can be left to the giver together with the move.
    Loony,
}

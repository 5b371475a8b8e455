//! How a single heap of a game is played, as data for the engines that compute nim-sequences.

/// The moves in one heap, where they are those of a taking-and-breaking or a subtraction game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeapMoves {
    /// A code in the notation of octal games: `0.77`.
    Code(String),
    /// What may be taken, leaving one heap or none; ascending, each number once, at least 1.
    Take(Vec<u64>),
}

//! By what an answer is known.

use crate::verdict::Scope;

/// What an answer is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Justification {
    /// The rules alone.
    Search,
    /// A theorem on the P-positions whose certificate the independent checker accepted.
    Theorem {
        /// What is proved.
        statement: String,
        /// The certificate's hash.
        certificate: String,
    },
    /// A theorem on every game of a family, by a certificate that the independent checker accepted
    /// just now: it says who wins from the start, and its proof labels positions.
    FamilyTheorem {
        /// What is proved.
        statement: String,
        /// Which games it speaks of.
        scope: Scope,
        /// The certificate's hash.
        certificate: String,
    },
    /// Nim-values whose period is proved, by a certificate that the independent checker accepted
    /// just now.
    Period {
        /// The period.
        period: usize,
        /// From this size on.
        preperiod: usize,
        /// What a period adds.
        saltus: u32,
        /// The certificate's hash.
        certificate: String,
    },
    /// Nim-values of single heaps, computed up to the largest.
    HeapValues {
        /// The largest heap.
        largest: usize,
    },
    /// A misère quotient, proved over all sums of its heaps.
    Quotient {
        /// The number of its elements.
        order: usize,
        /// The largest heap that it was computed for.
        heaps: u32,
        /// Period and preperiod of the heaps' elements: then it is the quotient of all heaps.
        period: Option<(usize, usize)>,
    },
    /// A misère quotient of the heaps of several games, proved over all their sums.
    Quotients {
        /// The number of its elements.
        order: usize,
        /// The games, each with its largest heap.
        heaps: Vec<(String, u32)>,
    },
    /// The outcomes of single heaps in misère play: this many in a row as a move can reach were
    /// found again later, so they repeat. Not in the page, which would grow.
    #[cfg(not(target_family = "wasm"))]
    Outcomes {
        /// The period.
        period: usize,
        /// From this size on.
        preperiod: usize,
    },
    /// The lost sizes of a single heap, one after the other: the number that may be taken grows by
    /// at most 1 with each token, so each is the first from which the one before is out of reach.
    /// Not in the page, which would grow.
    #[cfg(not(target_family = "wasm"))]
    Slow,
    /// A theorem of the literature, proved there for any number of heaps.
    Literature(String),
}

//! The engines of a nim-sequence behind one interface.
//!
//! Each engine holds all values that it has computed. [`super::planner`] chooses between them.

use super::moves::CodeMoves;
use super::paged_sparse::PagedSparseEngine;
use super::space::SparseSpace;
use super::sparse::SparseEngine;
use super::split_engine::SplitEngine;
use super::subtraction::SubtractionSequence;
use super::window::Window;
use std::ops::Range;

/// Number of last values that must repeat in a first test for a period.
const REPEATED: usize = 8;

/// An engine with the values that it has computed, and the moves where it uses them.
#[derive(Debug)]
pub enum Engine {
    /// Values one by one; with the moves if another engine may take over.
    Plain(Vec<u32>, Option<CodeMoves>),
    /// A subtraction game.
    Subtraction(SubtractionSequence),
    /// A sparse space of values that fit in a byte, with few exceptions.
    Sparse(Box<SparseEngine>, CodeMoves),
    /// A sparse space of larger values.
    PagedSparse(Box<PagedSparseEngine>, CodeMoves),
    /// All splits, in vectors.
    Splits(Box<SplitEngine>, CodeMoves),
}

impl Engine {
    /// Returns the number of known values: those of heaps 0..`len`.
    pub fn len(&self) -> usize {
        match self {
            Engine::Plain(values, _) => values.len(),
            Engine::Subtraction(game) => game.values().len(),
            Engine::Sparse(sparse, _) => sparse.len(),
            Engine::PagedSparse(paged, _) => paged.len(),
            Engine::Splits(splits, _) => splits.values().len(),
        }
    }

    /// Returns the nim-value of a heap of size `n`, below [`Engine::len`].
    pub fn value(&self, n: usize) -> u32 {
        match self {
            Engine::Plain(values, _) => values[n],
            Engine::Subtraction(game) => game.values()[n],
            Engine::Sparse(sparse, _) => sparse.value(n),
            Engine::PagedSparse(paged, _) => paged.value(n),
            Engine::Splits(splits, _) => u32::from(splits.values()[n]),
        }
    }

    /// Returns the least distance in `distances` at which the last values may repeat.
    ///
    /// A quick test: no true repetition is missed.
    pub fn next_repeat(&self, mut distances: Range<usize>) -> Option<usize> {
        match self {
            Engine::Sparse(sparse, _) => sparse.next_repeat(distances),
            Engine::PagedSparse(paged, _) => paged.next_repeat(distances),
            Engine::Splits(splits, _) => {
                let values = splits.values();
                let last = &values[values.len().saturating_sub(REPEATED)..];
                let earlier = |distance: &usize| values.len().checked_sub(last.len() + distance);
                distances.find(|distance| {
                    earlier(distance).is_none_or(|at| values[at..at + last.len()] == *last)
                })
            }
            Engine::Plain(..) | Engine::Subtraction(_) => distances.next(),
        }
    }

    /// Returns the last heap whose value differs from that of the heap `period` smaller, plus
    /// `saltus`.
    pub fn last_change(&self, period: usize, saltus: u32) -> Option<usize> {
        match self {
            Engine::Sparse(sparse, _) if saltus == 0 => sparse.last_change(period),
            Engine::PagedSparse(paged, _) if saltus == 0 => paged.last_change(period),
            _ => (period..self.len())
                .rev()
                .find(|n| self.value(*n) != self.value(n - period) + saltus),
        }
    }

    /// Returns the sparse space in use and its rare heaps, ascending; `None` without a space.
    pub fn rares(&self) -> Option<(&SparseSpace, Vec<usize>)> {
        let widened = |rares: &[u32]| rares.iter().map(|n| *n as usize).collect();
        match self {
            Engine::Plain(..) | Engine::Subtraction(_) => None,
            Engine::Sparse(sparse, _) => Some((sparse.space(), sparse.rares())),
            Engine::PagedSparse(paged, _) => Some((paged.space(), widened(paged.rares()))),
            Engine::Splits(splits, _) => Some((splits.space(), widened(splits.rares()))),
        }
    }

    /// Returns the width of the dependence window of a sparse space, and the heap from which on it
    /// applies.
    pub fn window(&self) -> Option<(usize, usize)> {
        match self {
            Engine::Sparse(sparse, moves) => Some(sparse.window(moves)),
            Engine::PagedSparse(paged, moves) => Some(paged.window(moves)),
            _ => None,
        }
    }

    /// Returns the last values if, as far as is known, they determine the next ones.
    pub fn settled_window(&self) -> Option<Window> {
        match self {
            Engine::Sparse(sparse, moves) => sparse.settled_window(moves),
            _ => None,
        }
    }
}

//! The moves of a code that leaves at most two heaps, by the number of heaps left.

use super::TakeAndBreakCode;

/// The moves of a finite code that leaves at most two heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeMoves {
    /// Numbers of tokens that may be taken if nothing is left.
    empty: Vec<usize>,
    /// Numbers of tokens that may be taken if one heap is left.
    single: Vec<usize>,
    /// Numbers of tokens that may be taken if two heaps are left, and whether these must differ.
    pub pairs: Vec<(usize, bool)>,
}

impl CodeMoves {
    /// Returns the moves of `code`; `None` if it repeats, leaves more heaps, or compares them as no
    /// plain digit does.
    pub fn new(code: &TakeAndBreakCode) -> Option<CodeMoves> {
        let (most, 0..=2) = (code.most_taken()?, code.most_parts()?) else { return None };
        if !code.is_plain() {
            return None;
        }
        let taken = |parts| (0..=most).filter(move |k| code.digit(*k).allows(parts));
        Some(CodeMoves {
            empty: taken(0).collect(),
            single: taken(1).collect(),
            pairs: taken(2).map(|k| (k, code.digit(k).unequal())).collect(),
        })
    }

    /// Returns the maximum number of tokens that a move takes.
    pub fn most_taken(&self) -> usize {
        let pairs = self.pairs.iter().map(|(taken, _)| taken);
        self.empty.iter().chain(&self.single).chain(pairs).copied().max().unwrap_or(0)
    }

    /// Returns the parity of the tokens taken if two heaps are left, provided that all such moves
    /// agree.
    pub fn parity(&self) -> Option<usize> {
        let (first, _) = self.pairs.first()?;
        self.pairs.iter().all(|(taken, _)| taken % 2 == first % 2).then_some(first % 2)
    }

    /// Returns the single heaps that a heap of `n` may become, 0 included.
    pub fn singles(&self, n: usize) -> impl Iterator<Item = usize> {
        self.empty
            .contains(&n)
            .then_some(0)
            .into_iter()
            .chain(self.single.iter().filter(move |k| **k < n).map(move |k| n - k))
    }

    /// Returns the largest size of the smaller heap if `taken` tokens are taken from `n` and two
    /// heaps are left.
    pub fn half(&self, n: usize, taken: usize, unequal: bool) -> usize {
        n.saturating_sub(taken).saturating_sub(usize::from(unequal)) / 2
    }
}

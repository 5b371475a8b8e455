//! The moves of a code that leaves at most two heaps, sorted by what they leave.

use super::TakeBreak;

/// The moves of a code that ends and leaves at most two heaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moves {
    /// What may be taken when nothing is left.
    empty: Vec<usize>,
    /// What may be taken when one heap is left.
    single: Vec<usize>,
    /// What may be taken when two heaps are left, and whether these must differ.
    pub pairs: Vec<(usize, bool)>,
}

impl Moves {
    /// The moves of `code`; `None` where it has no end or leaves more heaps.
    pub fn new(code: &TakeBreak) -> Option<Moves> {
        let (most, 0..=2) = (code.most_taken()?, code.most_parts()?) else { return None };
        let taken = |parts| (0..=most).filter(move |k| code.digit(*k).allows(parts));
        Some(Moves {
            empty: taken(0).collect(),
            single: taken(1).collect(),
            pairs: taken(2).map(|k| (k, code.digit(k).unequal())).collect(),
        })
    }

    /// The most tokens that a move takes.
    pub fn most_taken(&self) -> usize {
        let pairs = self.pairs.iter().map(|(taken, _)| taken);
        self.empty.iter().chain(&self.single).chain(pairs).copied().max().unwrap_or(0)
    }

    /// The parity of what is taken when two heaps are left, where all such moves agree.
    pub fn parity(&self) -> Option<usize> {
        let (first, _) = self.pairs.first()?;
        self.pairs.iter().all(|(taken, _)| taken % 2 == first % 2).then_some(first % 2)
    }

    /// What a heap of `n` may become as a single heap, 0 included.
    pub fn singles(&self, n: usize) -> impl Iterator<Item = usize> {
        self.empty
            .contains(&n)
            .then_some(0)
            .into_iter()
            .chain(self.single.iter().filter(move |k| **k < n).map(move |k| n - k))
    }

    /// The largest size of the smaller heap, when `taken` are taken from `n` and two heaps are left.
    pub fn half(&self, n: usize, taken: usize, unequal: bool) -> usize {
        n.saturating_sub(taken).saturating_sub(usize::from(unequal)) / 2
    }
}

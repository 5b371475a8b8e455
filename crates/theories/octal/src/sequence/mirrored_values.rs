//! The first values of a sequence, and the last ones in reverse: a split with a small heap is a
//! pair of contiguous runs.

/// Number of heaps kept at each end.
pub const KEPT: usize = 1 << 14;

/// The ends of a growing sequence.
#[derive(Debug, Default)]
pub struct MirroredValues {
    first: Vec<u16>,
    /// The last heap is at `at`, the one before it at `at + 1`, and so on; at least [`KEPT`] heaps
    /// plus the tokens that a move may take.
    back: Vec<u16>,
    at: usize,
    len: usize,
}

impl MirroredValues {
    /// Creates the ends of an empty sequence. `taken` is the maximum number of tokens that a move
    /// takes.
    pub fn new(taken: usize) -> MirroredValues {
        let room = 4 * (KEPT + taken);
        MirroredValues { first: Vec::with_capacity(KEPT), back: vec![0; room], at: room, len: 0 }
    }

    /// Appends the next heap.
    pub fn push(&mut self, word: u16) {
        if self.first.len() < KEPT {
            self.first.push(word);
        }
        if self.at == 0 {
            let keep = self.back.len() / 4;
            self.back.copy_within(..keep, 3 * keep);
            self.at = 3 * keep;
        }
        self.at -= 1;
        self.back[self.at] = word;
        self.len += 1;
    }

    /// Returns the smaller and the larger heaps of the splits of `rest` tokens whose smaller heap
    /// is in `from..to`; fewer if the ends do not cover them.
    pub fn splits(&self, rest: usize, from: usize, to: usize) -> (&[u16], &[u16]) {
        let to = to.min(self.first.len()).max(from);
        // Heap h is at `at + len − 1 − h`.
        let place = self.at + (self.len - 1 + from) - rest.min(self.len - 1 + from);
        let count = (to - from).min(self.back.len().saturating_sub(place));
        match (self.first.get(from..from + count), self.back.get(place..place + count)) {
            (Some(some), Some(others)) => (some, others),
            _ => (&[], &[]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every split returned is one, by ascending smaller heap; none is missing while the ends cover
    /// them.
    #[test]
    fn splits_are_those_of_the_ends() {
        let word = |n: usize| (n * n % 65_521) as u16;
        for taken in [1, 7, 300] {
            let mut ends = MirroredValues::new(taken);
            let mut told = 0;
            for n in 0..5 * (KEPT + taken) {
                ends.push(word(n));
                if n % 9973 != 5 && n != 40 && n % (KEPT + taken) > 1 {
                    continue;
                }
                // The next heap is n + 1; a move leaves `rest` of it.
                let rest = n + 1 - taken.min(n + 1);
                for (from, to) in [(1, 2), (1, 1000), (500, 700), (900, KEPT)] {
                    let to = to.min(rest.div_ceil(2)).max(from);
                    let (some, others) = ends.splits(rest, from, to);
                    assert_eq!(some.len(), others.len());
                    let here =
                        (from..from + some.len()).map(|a| (word(a), word(rest.saturating_sub(a))));
                    assert!(
                        some.iter().copied().zip(others.iter().copied()).eq(here),
                        "{taken} {n} {from} {to}"
                    );
                    assert!(
                        some.len() == to - from || to == from,
                        "{taken} {n} {from} {to}: {}",
                        some.len()
                    );
                    told += some.len();
                }
            }
            assert!(told > 100_000, "{told}");
        }
    }
}

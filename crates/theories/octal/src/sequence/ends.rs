//! Both ends of a sequence in words: the first heaps, and the last ones backwards, so that splits with a small heap are two runs of
//! neighbours.

/// So many heaps at each end.
pub const HEAPS: usize = 1 << 14;

/// The ends of a sequence that grows.
#[derive(Debug, Default)]
pub struct Ends {
    first: Vec<u16>,
    /// The last heap at `at`, the one before it behind it, and so on; at least [`HEAPS`] and what moves take.
    back: Vec<u16>,
    at: usize,
    len: usize,
}

impl Ends {
    /// Of a sequence without heaps; `taken` is the most that a move takes.
    pub fn new(taken: usize) -> Ends {
        let room = 4 * (HEAPS + taken);
        Ends { first: Vec::with_capacity(HEAPS), back: vec![0; room], at: room, len: 0 }
    }

    /// Adds the next heap.
    pub fn push(&mut self, word: u16) {
        if self.first.len() < HEAPS {
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

    /// The splits of `rest` tokens of which the smaller heap is in `from..to`: the smaller heaps and the others. Fewer, where the ends
    /// do not have them.
    pub fn splits(&self, rest: usize, from: usize, to: usize) -> (&[u16], &[u16]) {
        let to = to.min(self.first.len()).max(from);
        // Heap h stands at `at + len − 1 − h`.
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

    /// Each split that is told is one, smaller heaps in order; as long as both ends have them, none is missing.
    #[test]
    fn splits_are_those_of_the_ends() {
        let word = |n: usize| (n * n % 65_521) as u16;
        for taken in [1, 7, 300] {
            let mut ends = Ends::new(taken);
            let mut told = 0;
            for n in 0..5 * (HEAPS + taken) {
                ends.push(word(n));
                if n % 9973 != 5 && n != 40 && n % (HEAPS + taken) > 1 {
                    continue;
                }
                // The next heap is n + 1; a move leaves `rest` of it.
                let rest = n + 1 - taken.min(n + 1);
                for (from, to) in [(1, 2), (1, 1000), (500, 700), (900, HEAPS)] {
                    let to = to.min(rest.div_ceil(2)).max(from);
                    let (some, others) = ends.splits(rest, from, to);
                    assert_eq!(some.len(), others.len());
                    let here = (from..from + some.len()).map(|a| (word(a), word(rest.saturating_sub(a))));
                    assert!(
                        some.iter().copied().zip(others.iter().copied()).eq(here),
                        "{taken} {n} {from} {to}"
                    );
                    assert!(some.len() == to - from || to == from, "{taken} {n} {from} {to}: {}", some.len());
                    told += some.len();
                }
            }
            assert!(told > 100_000, "{told}");
        }
    }
}

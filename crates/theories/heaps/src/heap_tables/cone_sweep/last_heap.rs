//! Takings of the last heap alone: the P-positions of a row by its own P-positions.

use crate::heap_tables::words::Word;

/// Takings of the last heap alone.
pub(super) enum LastHeapMoves<W> {
    None,
    /// This many.
    One(usize),
    /// This many or more.
    From(usize),
    /// Any of these.
    Any(W),
}

impl<W: Word> LastHeapMoves<W> {
    /// Returns the P-positions of a row among those that no other takings lead to P.
    #[inline(always)]
    pub(super) fn settle(&self, free: W) -> W {
        match self {
            LastHeapMoves::None => free,
            LastHeapMoves::From(least) => free.minus(free.first().raised(*least).grown()),
            LastHeapMoves::One(taken) => {
                // y is P if it is in `sure`, or in `open` and y − step is P.
                let below = free.raised(*taken);
                let (mut sure, mut open, mut step) =
                    (free.minus(below), free.and(below), 2 * taken);
                while step < W::BITS {
                    (sure, open) =
                        (sure.or(open.and(sure.raised(step))), open.and(open.raised(step)));
                    step *= 2;
                }
                sure
            }
            LastHeapMoves::Any(takings) => {
                let (mut found, mut left) = (W::EMPTY, free);
                while let Some(y) = left.least() {
                    found = found.or(W::one(y));
                    left = left.minus(takings.raised(y)).minus(W::one(y));
                }
                found
            }
        }
    }
}

/// Returns what may be taken of the last heap alone.
pub(super) fn last_heap_moves<W: Word>(same_line: &[Vec<(usize, usize)>; 4]) -> LastHeapMoves<W> {
    let of = |ways: [usize; 2]| -> Vec<usize> {
        let all = ways.iter().flat_map(|way| &same_line[*way]);
        all.filter(|(dx, _)| *dx == 0).map(|(_, dy)| *dy).collect()
    };
    let (exact, from) = (of([0, 1]), of([2, 3]));
    match (&exact[..], &from[..]) {
        ([], []) => LastHeapMoves::None,
        ([one], []) => LastHeapMoves::One(*one),
        ([], [one]) => LastHeapMoves::From(*one),
        _ => {
            let exact = exact.iter().fold(W::EMPTY, |all, dy| all.or(W::one(*dy)));
            LastHeapMoves::Any(from.iter().fold(exact, |all, dy| all.or(W::one(*dy).grown())))
        }
    }
}

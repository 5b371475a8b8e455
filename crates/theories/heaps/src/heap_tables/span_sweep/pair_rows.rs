//! Tests of two numbers of a move, asked at one position after the other.

use super::bits::has;
use super::row_span::side;
use crate::heap_options::{Admitted, PairTable, PairTest, Place, Span};
use std::ops::ControlFlow::{self, Continue};

/// A test of pairs, ready to be asked at one position after the other.
pub(super) struct PairRows<'s> {
    pub(super) test: &'s PairTest,
    pub(super) answers: Answers,
}

/// Answers to a test of pairs.
pub(super) enum Answers {
    All(PairTable),
    /// Those of one size of the only heap.
    Row {
        size: Option<u32>,
        side: usize,
        words: Vec<u64>,
    },
}

impl<'s> PairRows<'s> {
    /// Returns the tests of a span.
    pub(super) fn new(span: &'s Span, sides: &[usize]) -> Vec<PairRows<'s>> {
        let answers = |test| match *sides {
            [side] => Answers::Row { size: None, side, words: vec![0; side.div_ceil(64)] },
            _ => Answers::All(PairTable::new(test, None, side(span, sides))),
        };
        span.pairs.iter().map(|test| PairRows { test, answers: answers(test) }).collect()
    }

    /// Drops sizes of some words with which it does not hold at a position.
    pub(super) fn restrict(
        &mut self,
        p: &[u32],
        words: &mut [u64],
        range: std::ops::RangeInclusive<usize>,
    ) {
        let row = match &mut self.answers {
            Answers::All(table) => {
                let number = |place| match place {
                    Some(Place::Before(number)) => p[number] as usize,
                    Some(Place::After) | None => 0,
                };
                let row = table.row(number(table.row));
                match table.along {
                    Place::After => row,
                    along if has(row, number(Some(along))) => return,
                    _ => return words[range].fill(0),
                }
            }
            Answers::Row { size, side, words } => {
                let depends = self.test.places.contains(&Place::Before(0));
                if size.is_none() || depends && *size != Some(p[0]) {
                    words.fill(0);
                    self.test.fill(Place::After, p[0].into(), *side, words);
                    *size = Some(p[0]);
                }
                &words[..]
            }
        };
        words[range.clone()].iter_mut().zip(&row[range]).for_each(|(word, more)| *word &= more);
    }
}

/// Returns the sizes of a span at a position between its bounds, those of which the tests of pairs
/// hold as bits.
pub(super) fn sizes_of_pairs<'s>(
    span: &'s Span,
    pairs: &mut [PairRows<'_>],
    p: &[u32],
    words: &mut [u64],
) -> Option<Admitted<'s>> {
    let admitted = span.admitted(p)?;
    let (low, high) = (admitted.low, admitted.high);
    let (first, last) = (low as usize / 64, high as usize / 64);
    words[first..=last].fill(u64::MAX);
    words[first] &= u64::MAX << (low % 64);
    words[last] &= u64::MAX >> (63 - high % 64);
    pairs.iter_mut().for_each(|test| test.restrict(p, words, first..=last));
    Some(admitted)
}

/// Visits sizes that are set and pass the tests, until `visit` breaks.
pub(super) fn visit_sizes(
    admitted: &Admitted<'_>,
    words: &[u64],
    mut visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for at in admitted.low / 64..=admitted.high / 64 {
        let mut word = words[at as usize];
        while word != 0 {
            let size = 64 * at + word.trailing_zeros();
            word &= word - 1;
            if admitted.passes(size) {
                visit(size)?;
            }
        }
    }
    Continue(())
}

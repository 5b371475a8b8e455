//! Nimstring: the same strings are cut, but who cannot move loses, boxes count for nothing, and who closes one must move
//! again. Its winner is the one who gets the last long chain in Dots and Boxes, nearly always the winner there.
//!
//! Source: *Winning Ways*, ch. 16. A position is worth a nimber or is loony: whoever is to move wins whatever is beside
//! it. It is loony when closed boxes can be left to the other with the move ([`super::captures`]). Other captures are
//! forced and change nothing. Else the value is the mex of those of the options that are not loony. Components add; a
//! chain of one or two boxes is *1, a longer one and a loop are 0, for all their openings are loony.

use super::captures::close;
use super::grid::{Grid, Word};
use bouton_core::{LimitReached, Meter, Mex, Nimber};
use rustc_hash::FxHashMap;

/// What a position of Nimstring is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// It equals a heap of Nim.
    Nimber(Nimber),
    /// Who is to move wins whatever is beside it.
    Loony,
}

/// Values of positions of one board, kept for the next question.
#[derive(Debug, Clone, Default)]
pub(super) struct Nimstring {
    /// By the canonical form of a component without captures.
    known: FxHashMap<Word, Nimber>,
}

impl Nimstring {
    /// The worth of a position.
    pub fn worth(&mut self, grid: &Grid, open: Word, meter: &mut Meter) -> Result<Worth, LimitReached> {
        let closed = close(grid, open);
        if closed.deal != 0 {
            return Ok(Worth::Loony);
        }
        let mut left = closed.open;
        let mut sum = Nimber(0);
        while left != 0 {
            let live = grid.counts(closed.open).live();
            let seed = grid.touched(left & left.wrapping_neg()) & live;
            let boxes = grid.reached(seed & seed.wrapping_neg(), live, closed.open);
            let lines = grid.around(boxes) & closed.open;
            left &= !lines;
            sum ^= self.component(grid, lines, boxes, meter)?;
        }
        Ok(Worth::Nimber(sum))
    }

    /// The value of a component without captures.
    fn component(
        &mut self,
        grid: &Grid,
        open: Word,
        boxes: Word,
        meter: &mut Meter,
    ) -> Result<Nimber, LimitReached> {
        let counts = grid.counts(open);
        if counts.two == boxes {
            let is_loop = open.count_ones() == boxes.count_ones();
            return Ok(Nimber((!is_loop && boxes.count_ones() <= 2).into()));
        }
        let open = grid.canonical(open);
        if let Some(value) = self.known.get(&open) {
            return Ok(*value);
        }
        meter.node()?;
        if meter.nodes().is_multiple_of(1024) {
            meter.holding((self.known.capacity() * (size_of::<(Word, Nimber)>() + 1)) as u64)?;
        }
        let mut mex = Mex::default();
        let mut lines = open & !grid.doubles(open);
        while lines != 0 {
            let line = lines & lines.wrapping_neg();
            lines ^= line;
            if let Worth::Nimber(value) = self.worth(grid, open ^ line, meter)? {
                mex.insert(value);
            }
        }
        let value = mex.value();
        self.known.insert(open, value);
        Ok(value)
    }
}

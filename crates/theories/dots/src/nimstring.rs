//! Nimstring: the moves of Dots and Boxes, but the player who cannot move loses and boxes do not
//! count; a player who closes a box must move again. Its winner gets the last long chain of Dots
//! and Boxes, and nearly always wins that game.
//!
//! Source: *Winning Ways*, ch. 16. A position is a nimber or loony: then the player to move wins
//! whatever other components there are. A position is loony if closed boxes can be declined
//! ([`super::captures`]). Other captures are forced and change nothing. Otherwise the value is the
//! mex of the options that are not loony. Components add. A chain of one or two boxes is *1; a
//! longer chain and a loop are 0, because all their openings are loony.

use super::captures::close;
use super::grid::{Grid, Word};
use bouton_core::{LimitReached, Meter, Mex, Nimber};
use rustc_hash::FxHashMap;

/// The value of a position of Nimstring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NimstringValue {
    /// The position equals a heap of Nim.
    Nimber(Nimber),
    /// The player to move wins whatever other components there are.
    Loony,
}

/// Solves positions of one board, and keeps the results for later questions.
#[derive(Debug, Clone, Default)]
pub(super) struct Nimstring {
    /// The values by the canonical form of a component without captures.
    known: FxHashMap<Word, Nimber>,
}

impl Nimstring {
    /// Returns the value of a position.
    pub fn value(
        &mut self,
        grid: &Grid,
        open: Word,
        meter: &mut Meter,
    ) -> Result<NimstringValue, LimitReached> {
        let closed = close(grid, open);
        if closed.deal != 0 {
            return Ok(NimstringValue::Loony);
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
        Ok(NimstringValue::Nimber(sum))
    }

    /// Returns the value of a component without captures.
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
        meter.spend_one()?;
        if meter.nodes().is_multiple_of(1024) {
            meter
                .check_bytes((self.known.capacity() * (size_of::<(Word, Nimber)>() + 1)) as u64)?;
        }
        let mut mex = Mex::default();
        let mut lines = open & !grid.doubles(open);
        while lines != 0 {
            let line = lines & lines.wrapping_neg();
            lines ^= line;
            if let NimstringValue::Nimber(value) = self.value(grid, open ^ line, meter)? {
                mex.insert(value);
            }
        }
        let value = mex.value();
        self.known.insert(open, value);
        Ok(value)
    }
}

//! Pieces of a slab that are solved, and which of them are kept for the pieces and slabs after
//! them.

use super::cone_groups::CrossLineShift;
use crate::heap_tables::words::Word;
use std::collections::VecDeque;
use std::sync::Arc;

/// The P-positions of a piece, or the positions of each nim-value.
pub(super) struct SolvedPiece<W> {
    /// A plane a value: lines, one after the other.
    pub(super) planes: Vec<Vec<W>>,
    /// How many planes of each line hold something.
    pub(super) heights: Vec<u16>,
    pub(super) size: usize,
}

impl<W: Word> SolvedPiece<W> {
    #[inline(never)]
    pub(super) fn new(lines: usize, line: usize) -> Self {
        SolvedPiece { planes: Vec::new(), heights: vec![0; lines], size: lines * line }
    }

    /// Makes room for a plane.
    #[inline(always)]
    pub(super) fn reach(&mut self, plane: usize) {
        if self.planes.len() <= plane {
            self.extend(plane);
        }
    }

    #[inline(never)]
    pub(super) fn extend(&mut self, plane: usize) {
        while self.planes.len() <= plane {
            self.planes.push(vec![W::EMPTY; self.size]);
        }
    }
}

/// A piece in the slabs before, the last one first.
pub(super) type Slabs<W> = [Arc<SolvedPiece<W>>];

/// What is kept of a piece for the next slabs.
pub(super) struct KeptPiece<W> {
    pub(super) past: VecDeque<Arc<SolvedPiece<W>>>,
    pub(super) tables: SolvedPiece<W>,
}

/// The pieces before, the last one first, each in this slab and those before.
pub(super) type Recent<W> = VecDeque<Vec<Arc<SolvedPiece<W>>>>;

/// What is carried along a slab.
pub(super) struct Carried<W> {
    pub(super) recent: Recent<W>,
    pub(super) tables: SolvedPiece<W>,
}

/// What is found in a piece.
pub(super) enum PieceResult<W> {
    Outcomes(Arc<SolvedPiece<W>>),
    Values(Vec<u16>),
}

/// What a shift leads to from the piece that is settled.
#[derive(Clone, Copy)]
pub(super) enum ShiftTarget<'s, W> {
    /// Out of the box.
    Out,
    /// The same piece.
    Here,
    There(&'s SolvedPiece<W>),
}

/// Returns what each shift leads to from the current piece.
#[inline(never)]
pub(super) fn shift_targets<'s, W>(
    shifts: &[CrossLineShift],
    past: &'s Slabs<W>,
    recent: &'s Recent<W>,
) -> Vec<ShiftTarget<'s, W>> {
    shifts.iter().map(|shift| shift.seen(past, recent)).collect()
}

/// Keeps a piece for those that lead back to it: this many slabs, and this many pieces.
#[inline(never)]
pub(super) fn remember<W>(
    here: &Arc<SolvedPiece<W>>,
    [slabs, pieces]: [usize; 2],
    past: &mut VecDeque<Arc<SolvedPiece<W>>>,
    recent: &mut Recent<W>,
) {
    if pieces > 0 {
        let now = std::iter::once(here).chain(&*past).take(slabs + 1).cloned().collect();
        recent.truncate(pieces - 1);
        recent.push_front(now);
    }
    if slabs > 0 {
        past.truncate(slabs - 1);
        past.push_front(Arc::clone(here));
    }
}

/// Returns tables of this many rows.
pub(super) fn kept<W: Word>(size: usize, line: usize) -> SolvedPiece<W> {
    SolvedPiece { planes: Vec::new(), heights: vec![0; size / line], size }
}

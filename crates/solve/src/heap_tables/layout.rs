//! Where the tables of a box are kept: one for each set of axes on which faces agree.
//!
//! The last axes, one or two, are handled by the sweep itself: what a table keeps for all of their places is a unit.
//! The tables of faces whose first axis is i are kept only along the axes after i, for they are overwritten in place
//! from one place along axis i to the next; those with axis 0 are cut into pieces along axis 1 ([`super::slabs`]).

use super::Windows;
use bouton_rules::MAX_HEAPS;

/// How the axes are cut.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// Axes of one place in front of the game's.
    pub pad: usize,
    /// Last axes within a unit.
    pub inner: usize,
}

/// One table, seen from the unit at hand.
pub(super) struct Table {
    /// In which ways its faces hold the inner axes, a bit each; a way is a set of inner axes, the earlier one first.
    pub ways: u8,
    /// Those of them in which no table before it is.
    pub starts: u8,
    /// Whether it also holds axis 1; asked of those that hold axis 0 only.
    pub beside: bool,
    /// Where it is kept.
    pub home: Home,
    /// The first axis it holds.
    pub first: usize,
    /// Its other outer axes, and how far back its predecessors along them stand.
    pub back: Vec<(usize, usize)>,
    /// How far a step along each axis goes in it, later axes going back to 0.
    pub step: [isize; MAX_HEAPS + 2],
    /// Where the unit at hand begins in it.
    pub at: usize,
}

/// Where a table is kept.
pub(super) enum Home {
    /// In the piece, from here on.
    Piece(usize),
    /// In the worker's own table of this number.
    Own(usize),
}

impl Table {
    /// Goes back to the first unit of a piece.
    pub fn rewind(&mut self) {
        self.at = if let Home::Piece(offset) = self.home { offset } else { 0 };
    }
}

/// Goes to the next unit of a piece, and the tables with it: a step along the last axis with room, those after it back to
/// 0. `p` holds the slab, the piece and then the other outer axes; `stands` marks the axes along which there is something
/// before. Whether there was one more.
#[inline(always)]
pub(super) fn next_line(p: &mut [u32], max: u32, stands: &mut u32, tables: &mut [Table]) -> bool {
    let Some(axis) = (2..p.len()).rev().find(|i| p[*i] < max) else { return false };
    p[axis] += 1;
    p[axis + 1..].fill(0);
    for table in tables {
        table.at = table.at.wrapping_add_signed(table.step[axis]);
    }
    *stands = *stands & ((1 << axis) - 1) | 1 << axis;
    true
}

/// All tables.
pub(super) struct Layout {
    /// They.
    pub tables: Vec<Table>,
    /// The sizes of the worker's own.
    pub own: Vec<usize>,
    /// The size of a piece.
    pub piece: usize,
}

/// The outer axes of each table, and its ways.
fn kinds(game: &Windows, cut: Cut) -> Vec<(u32, u8)> {
    let outer = game.heaps() + cut.pad - cut.inner;
    let mut kinds: Vec<(u32, u8)> = Vec::new();
    for face in game.faces().iter().map(|face| face << cut.pad) {
        let (axes, way) = (face & ((1 << outer) - 1), 1 << (face >> outer));
        match kinds.iter_mut().find(|(known, _)| *known == axes) {
            Some((_, ways)) => *ways |= way,
            None if axes != 0 => kinds.push((axes, way)),
            None => {}
        }
    }
    kinds
}

impl Layout {
    /// Tables of units of `unit` entries, on boxes of `side` places along each axis.
    pub fn new(game: &Windows, cut: Cut, side: usize, unit: usize) -> Layout {
        let outer = game.heaps() + cut.pad - cut.inner;
        let mut layout = Layout { tables: Vec::new(), own: Vec::new(), piece: 0 };
        for (axes, ways) in kinds(game, cut) {
            let first = axes.trailing_zeros() as usize;
            let mut stride = [0; MAX_HEAPS + 2];
            let mut step = [0; MAX_HEAPS + 2];
            let (mut size, mut whole) = (unit, 0);
            for axis in (2..outer).rev() {
                if axis > first {
                    stride[axis] = size;
                    size *= side;
                }
                step[axis] = stride[axis] as isize - whole;
                whole += ((side - 1) * stride[axis]) as isize;
            }
            let home = if first == 0 {
                layout.piece += size;
                Home::Piece(layout.piece - size)
            } else {
                layout.own.push(size);
                Home::Own(layout.own.len() - 1)
            };
            let holds = |axis: usize| axes >> axis & 1 == 1;
            let back = (first.max(1) + 1..outer).filter(|a| holds(*a)).map(|a| (a, stride[a])).collect();
            let beside = first == 0 && holds(1);
            let starts = layout.tables.iter().fold(ways, |starts, before| starts & !before.ways);
            layout.tables.push(Table { ways, starts, beside, home, first, back, step, at: 0 });
        }
        layout
    }
}

/// Bytes of all tables, saturating, where a unit takes so many.
pub(super) fn bytes(game: &Windows, cut: Cut, max: u32, unit: u64, threads: usize) -> u64 {
    let outer = game.heaps() + cut.pad - cut.inner;
    let side = u64::from(max) + 1;
    let mut sum = 0u64;
    for (axes, _) in kinds(game, cut) {
        let first = axes.trailing_zeros() as usize;
        let size = side.saturating_pow((outer - 1 - first.max(1)) as u32).saturating_mul(unit);
        // What is carried has as much room again on the way from thread to thread, and back.
        let times = if first == 0 { side } else { 3 * threads as u64 - 2 };
        sum = sum.saturating_add(size.saturating_mul(times));
    }
    sum
}

//! Where the tables of a box are kept: one for each set of axes on which faces agree, and those on
//! the way there.
//!
//! The last axes, one or two, are handled by the sweep itself: what a table keeps for all of their
//! places is a unit. What a set w of axes reaches is what it reaches from the place before along
//! one of them, i, and what w without i reaches here. So a table is written over in place along i
//! and kept only along the axes after i, and it takes over from its parent, that of w without i. Of
//! the axes that leave a set whose table is there the last is taken, for its table is the smallest.
//! Tables along axis 0 are cut into pieces along axis 1 ([`super::slab_pipeline`]).

use super::Windows;
use bouton_core::{Arrange, MAX_HEAPS};

/// How the axes are cut.
#[derive(Clone, Copy)]
pub(super) struct AxisLayout {
    /// Axes of one place in front of the game's.
    pub pad: usize,
    /// Last axes within a unit.
    pub inner: usize,
}

/// One table, seen from the unit at hand.
pub(super) struct PrefixTable {
    /// In which ways its faces hold the inner axes, a bit each; a way is a set of inner axes, the
    /// earlier one first.
    pub ways: u8,
    /// Those of them in which no table before it is.
    pub starts: u8,
    /// The table from which it takes over here, one before it.
    pub parent: Option<usize>,
    /// Where it is kept.
    pub home: Storage,
    /// The axis along which it is written over.
    pub axis: usize,
    /// How far a step along each axis goes in it, later axes going back to 0.
    pub step: [isize; MAX_HEAPS + 2],
    /// Where the unit at hand begins.
    pub at: usize,
}

/// Where a table is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    /// In the piece, from here on.
    Piece(usize),
    /// In what the worker carries along, from here on.
    Own(usize),
}

impl PrefixTable {
    /// Goes back to the first unit of a piece.
    pub fn rewind(&mut self) {
        self.at = match self.home {
            Storage::Piece(at) | Storage::Own(at) => at,
        };
    }
}

/// Returns a unit of `len` of a table, to be changed, and what it takes over from its parent.
#[inline(always)]
pub(super) fn unit<'a, T>(
    tables: &[PrefixTable],
    table: &PrefixTable,
    from: usize,
    len: usize,
    piece: &'a mut [T],
    own: &'a mut [T],
) -> (&'a mut [T], Option<&'a [T]>) {
    let at = table.at + from;
    let parent = table.parent.map(|parent| (&tables[parent].home, tables[parent].at + from));
    match (&table.home, parent) {
        (Storage::Piece(_), None) => (&mut piece[at..][..len], None),
        (Storage::Own(_), None) => (&mut own[at..][..len], None),
        (Storage::Piece(_), Some((Storage::Own(_), parent))) => {
            (&mut piece[at..][..len], Some(&own[parent..][..len]))
        }
        (Storage::Own(_), Some((Storage::Piece(_), parent))) => {
            (&mut own[at..][..len], Some(&piece[parent..][..len]))
        }
        (Storage::Piece(_), Some((Storage::Piece(_), parent))) => {
            let (earlier, here) = piece.split_at_mut(at);
            (&mut here[..len], Some(&earlier[parent..][..len]))
        }
        (Storage::Own(_), Some((Storage::Own(_), parent))) => {
            let (earlier, here) = own.split_at_mut(at);
            (&mut here[..len], Some(&earlier[parent..][..len]))
        }
    }
}

/// Asks for this many entries of a table, that they are near when they are needed: pieces lie in
/// far caches.
#[inline(always)]
pub(super) fn prefetch<T>(kept: &[T], from: usize, len: usize) {
    #[cfg(target_arch = "x86_64")]
    for entry in kept.get(from..(from + len).min(kept.len())).unwrap_or_default() {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: to ask for what is there reads nothing, and all x86-64 can.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(entry).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (kept, from, len);
}

/// Goes to the next unit of a piece, and the tables with it: a step along the last axis with room,
/// those after it back to
/// 0. `p` holds the slab, the piece and then the other outer axes; `stands` marks the axes along
///    which there is something before. Whether there was one more.
#[inline(always)]
pub(super) fn next_line(
    p: &mut [u32],
    max: u32,
    stands: &mut u32,
    tables: &mut [PrefixTable],
) -> bool {
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
    pub tables: Vec<PrefixTable>,
    /// The size of what a worker carries along.
    pub own: usize,
    /// The size of a piece.
    pub piece: usize,
}

/// A table to be kept.
struct Node {
    /// Its outer axes.
    axes: u32,
    /// Its ways.
    ways: u8,
    /// The axis along which it is written over.
    axis: usize,
    parent: Option<usize>,
}

/// Returns the tables, parents first.
fn nodes(game: &Windows, cut: AxisLayout) -> Vec<Node> {
    let outer = game.heaps() + cut.pad - cut.inner;
    let mut faces: Vec<(u32, u8)> = Vec::new();
    for face in game.faces().iter().map(|face| face << cut.pad) {
        let (axes, way) = (face & ((1 << outer) - 1), 1 << (face >> outer));
        match faces.iter_mut().find(|(known, _)| *known == axes) {
            Some((_, ways)) => *ways |= way,
            None if axes != 0 => faces.push((axes, way)),
            None => {}
        }
    }
    faces.arrange_by_key(|(axes, _)| (axes.count_ones(), *axes));
    let mut nodes: Vec<Node> = Vec::new();
    for (axes, ways) in faces {
        let node = node(&mut nodes, axes);
        nodes[node].ways |= ways;
    }
    nodes
}

/// Returns the table of these axes; it and those on the way there are added if they are missing.
fn node(nodes: &mut Vec<Node>, axes: u32) -> usize {
    let find = |nodes: &[Node], axes: u32| nodes.iter().position(|node| node.axes == axes);
    if let Some(known) = find(nodes, axes) {
        return known;
    }
    let inside = (0..u32::BITS as usize).rev().filter(|axis| axes >> axis & 1 == 1);
    let near = inside.clone().find(|axis| *axis > 0 && find(nodes, axes & !(1 << axis)).is_some());
    let axis = near.or(inside.clone().next()).unwrap_or(0);
    let rest = axes & !(1 << axis);
    let parent = (rest != 0).then(|| node(nodes, rest));
    nodes.push(Node { axes, ways: 0, axis, parent });
    nodes.len() - 1
}

/// Returns how far a step along each axis goes in a table along one of them, and the size of the
/// table, or of its part in a piece.
pub(super) fn steps(
    along: usize,
    outer: usize,
    side: usize,
    unit: usize,
) -> ([isize; MAX_HEAPS + 2], usize) {
    let mut step = [0; MAX_HEAPS + 2];
    let (mut size, mut whole) = (unit, 0);
    for axis in (2..outer).rev() {
        let stride = if axis > along { size } else { 0 };
        if axis > along {
            size *= side;
        }
        step[axis] = stride as isize - whole;
        whole += ((side - 1) * stride) as isize;
    }
    (step, size)
}

impl Layout {
    /// Lays out tables of units of `unit` entries, on boxes of `side` places along each axis.
    pub fn new(game: &Windows, cut: AxisLayout, side: usize, unit: usize) -> Layout {
        let outer = game.heaps() + cut.pad - cut.inner;
        let mut layout = Layout { tables: Vec::new(), own: 0, piece: 0 };
        for Node { ways, axis: along, parent, .. } in nodes(game, cut) {
            let (step, size) = steps(along, outer, side, unit);
            let home = if along == 0 {
                layout.piece += size;
                Storage::Piece(layout.piece - size)
            } else {
                layout.own += size;
                Storage::Own(layout.own - size)
            };
            let starts = layout.tables.iter().fold(ways, |starts, before| starts & !before.ways);
            layout.tables.push(PrefixTable {
                ways,
                starts,
                parent,
                home,
                axis: along,
                step,
                at: 0,
            });
        }
        layout
    }
}

/// Returns bytes of all tables, saturating, where a unit takes this many.
pub(super) fn bytes(game: &Windows, cut: AxisLayout, max: u32, unit: u64, threads: usize) -> u64 {
    let outer = game.heaps() + cut.pad - cut.inner;
    let side = u64::from(max) + 1;
    let mut sum = 0u64;
    for node in nodes(game, cut) {
        let size = side.saturating_pow((outer - 1 - node.axis.max(1)) as u32).saturating_mul(unit);
        // What is carried has as much room again on the way from thread to thread, and back.
        let times = if node.axis == 0 { side } else { 3 * threads as u64 - 2 };
        sum = sum.saturating_add(size.saturating_mul(times));
    }
    sum
}

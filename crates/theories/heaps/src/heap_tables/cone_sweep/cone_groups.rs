//! What is read off the cones before a sweep, whatever the words of a row are: which cones share
//! their free heaps, which of their takings stay on a line, and the tables of prefix ORs.

use super::pieces::{Recent, ShiftTarget, Slabs};
use super::{ConeSweep, Extent, LANES};
use crate::heap_options::Cone;
use crate::heap_tables::layout::{PrefixTable, Storage, steps};
use bouton_core::{Arrange, MAX_HEAPS};
use std::ops::Range;

/// How the axes are cut: four at least, those in front of the game's with one place. The last is a
/// row's, the last but one a line's; the first two are those of slabs and pieces.
#[derive(Clone, Copy)]
pub(super) struct AxisLayout {
    pub(super) pad: usize,
    /// Axes before the last two.
    pub(super) outer: usize,
    /// Places along each axis.
    pub(super) sides: Sides,
    /// Rows of a line, filled up.
    pub(super) line: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub(super) sides: [usize; MAX_HEAPS + 2],
    pub(super) axes: usize,
}

impl std::ops::Deref for Sides {
    type Target = [usize];
    #[inline]
    fn deref(&self) -> &[usize] {
        &self.sides[..self.axes]
    }
}

impl AxisLayout {
    pub(super) fn new(heaps: usize, extent: Extent) -> AxisLayout {
        let axes = heaps.max(4);
        let (pad, outer) = (axes - heaps, axes - 2);
        let mut sides = [1; MAX_HEAPS + 2];
        sides[pad..axes].fill(extent.max as usize + 1);
        if heaps > 1 {
            sides[pad] = extent.first as usize + 1;
        }
        let line = sides[outer].next_multiple_of(LANES);
        AxisLayout { pad, outer, sides: Sides { sides, axes }, line }
    }

    /// Returns the least that a cone takes along each axis.
    pub(super) fn least_by_axis(&self, cone: &Cone) -> [u32; MAX_HEAPS + 2] {
        let mut least = [0; MAX_HEAPS + 2];
        least[self.pad..][..cone.least.len()].copy_from_slice(&cone.least);
        least
    }
}

/// A shift to other lines.
pub(super) struct CrossLineShift {
    /// How many slabs and pieces it goes back, and then how many lines.
    pub(super) slab: usize,
    pub(super) piece: usize,
    pub(super) lines: usize,
    /// What it takes along the axes of lines.
    pub(super) needs: Vec<(usize, u32)>,
    /// What it takes along the last two.
    pub(super) dx: usize,
    pub(super) dy: usize,
}

impl CrossLineShift {
    /// Returns what it leads to from the piece that is settled.
    pub(super) fn seen<'s, W>(
        &self,
        past: &'s Slabs<W>,
        recent: &'s Recent<W>,
    ) -> ShiftTarget<'s, W> {
        let there = match (self.piece, self.slab) {
            (0, 0) => return ShiftTarget::Here,
            (0, back) => past.get(back - 1),
            (before, back) => recent.get(before - 1).and_then(|slabs| slabs.get(back)),
        };
        there.map_or(ShiftTarget::Out, |settled| ShiftTarget::There(settled))
    }

    /// Returns whether it stays in the box along the axes of lines.
    #[inline(always)]
    pub(super) fn fits(&self, p: &[u32]) -> bool {
        self.needs.iter().all(|(axis, least)| p[*axis] >= *least)
    }
}

/// The cones with one set of free heaps.
pub(super) struct ConeGroup {
    /// Those that lead to other lines: a range of the shifts.
    pub(super) cross_line: Range<usize>,
    /// Those that stay on the line, by what they take along the last two axes.
    pub(super) same_line: Vec<(usize, usize)>,
    /// In which way the free heaps hold the last two axes.
    pub(super) way: usize,
    /// The last of its tables, if it has any.
    pub(super) last: Option<usize>,
}

/// What a worker reads off the cones, whatever its words are.
pub(super) struct Scheme {
    pub(super) cut: AxisLayout,
    /// What shifts go back along the first two axes, at most.
    pub(super) depth: [usize; 2],
    pub(super) shifts: Vec<CrossLineShift>,
    pub(super) groups: Vec<ConeGroup>,
    pub(super) tables: Vec<PrefixTable>,
    /// The group of each table.
    pub(super) group_of: Vec<usize>,
    /// The sizes of the tables that are carried along a slab, and of those in a piece.
    pub(super) own: usize,
    pub(super) piece: usize,
    /// Takings that stay on a line, by their way, without those that others make needless.
    pub(super) same_line: [Vec<(usize, usize)>; 4],
    /// Which ways there are.
    pub(super) used: [bool; 4],
}

impl Scheme {
    pub(super) fn new(game: &ConeSweep, extent: Extent) -> Scheme {
        let cut = AxisLayout::new(game.heaps, extent);
        let outer = cut.outer;
        let mut groups: Vec<(u32, ConeGroup)> = Vec::new();
        let mut cross_line: Vec<(usize, CrossLineShift)> = Vec::new();
        let mut depth = [0; 2];
        for cone in &game.cones {
            let least = cut.least_by_axis(cone);
            if least.iter().zip(cut.sides.iter()).any(|(least, side)| *least as usize >= *side) {
                continue;
            }
            let free = cone.free << cut.pad;
            let known = groups.iter().position(|(known, _)| *known == free);
            let at = known.unwrap_or_else(|| {
                let way = (free >> outer) as usize & 3;
                groups.push((
                    free,
                    ConeGroup { cross_line: 0..0, same_line: Vec::new(), way, last: None },
                ));
                groups.len() - 1
            });
            let group = &mut groups[at].1;
            let (dx, dy) = (least[outer] as usize, least[outer + 1] as usize);
            if least[..outer].iter().all(|taken| *taken == 0) {
                group.same_line.push((dx, dy));
                continue;
            }
            depth = [depth[0].max(least[0] as usize), depth[1].max(least[1] as usize)];
            let lines =
                (2..outer).fold(0, |lines, axis| lines * cut.sides[axis] + least[axis] as usize);
            let needs = (2..outer)
                .map(|axis| (axis, least[axis]))
                .filter(|(_, least)| *least > 0)
                .collect();
            let shift = CrossLineShift {
                slab: least[0] as usize,
                piece: least[1] as usize,
                lines,
                needs,
                dx,
                dy,
            };
            cross_line.push((at, shift));
        }
        cross_line.arrange_by_key(|(group, _)| *group);
        for (at, (_, group)) in groups.iter_mut().enumerate() {
            group.cross_line = cross_line.partition_point(|(b, _)| *b < at)
                ..cross_line.partition_point(|(b, _)| *b <= at);
        }
        let (mut tables, mut group_of) = (Vec::new(), Vec::new());
        let (mut own, mut piece) = (0, 0);
        for (number, (free, group)) in groups.iter_mut().enumerate() {
            for axis in (0..outer).filter(|axis| *free >> axis & 1 == 1) {
                let side = extent.max as usize + 1;
                let (step, size) = steps(axis, outer, side, cut.line);
                let home = if axis == 0 { &mut piece } else { &mut own };
                let from = *home;
                *home += size;
                let home = if axis == 0 { Storage::Piece(from) } else { Storage::Own(from) };
                let parent = group.last.replace(tables.len());
                tables.push(PrefixTable { ways: 0, starts: 0, parent, home, axis, step, at: 0 });
                group_of.push(number);
            }
        }
        let groups: Vec<ConeGroup> = groups.into_iter().map(|(_, group)| group).collect();
        let same_line = least_same_line(&groups);
        let mut used: [bool; 4] = std::array::from_fn(|way| !same_line[way].is_empty());
        groups.iter().for_each(|group| {
            used[group.way] |= !group.cross_line.is_empty() || group.last.is_some()
        });
        let shifts = cross_line.into_iter().map(|(_, shift)| shift).collect();
        Scheme { cut, depth, shifts, groups, tables, group_of, own, piece, same_line, used }
    }
}

/// Returns the takings that stay on a line, by their way, without those that others make needless.
pub(super) fn least_same_line(groups: &[ConeGroup]) -> [Vec<(usize, usize)>; 4] {
    let mut all: Vec<(usize, (usize, usize))> = Vec::new();
    for group in groups {
        all.extend(group.same_line.iter().map(|same_line| (group.way, *same_line)));
    }
    all.arrange();
    all.dedup();
    let holds = |(way, (dx, dy)): (usize, (usize, usize)),
                 (other, (ox, oy)): (usize, (usize, usize))| {
        let more = |free: bool, least: usize, given: usize| least == given || free && least < given;
        other & !way == 0 && more(way & 1 == 1, dx, ox) && more(way & 2 == 2, dy, oy)
    };
    let mut same_line: [Vec<(usize, usize)>; 4] = Default::default();
    for one in &all {
        if !all.iter().any(|other| other != one && holds(*other, *one)) {
            same_line[one.0].push(one.1);
        }
    }
    same_line
}

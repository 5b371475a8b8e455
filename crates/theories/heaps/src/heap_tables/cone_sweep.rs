//! The sweep of games whose takings do not depend on the heaps: rows of bits, shifted.
//!
//! A position p is N if and only if p − t is P for one of the takings t, and these are cones
//! ([`Cone`]): c, and any tokens more from the heaps of a set w. So what reaches P by the cones of
//! one w is the OR over their c of the P-positions shifted by c, and then a prefix OR along each
//! axis of w. As in [`super::rows`] a row along the last axis is a word of bits, a line is the rows
//! along the last axis but one, prefix ORs along the axes before are kept in tables each along one
//! axis ([`super::layout`]), and those along the last two are done once a line for all w together.
//! Takings that touch the last two heaps alone lead to the same line: its rows are settled one
//! after the other, and where the last heap may be lowered alone the P-positions of a row in
//! ascending order, or, where only one number may be taken, all together by doubling: y is P if it
//! is free and y − a is not.
//!
//! Nim-values: the positions of value v are those left by the values before that reach none of
//! value v. So plane after plane is swept in the same way, as far as something is left.
//!
//! As many places along the first two axes are looked back to as the deepest cone goes. O(box / 64
//! · cones).

use super::layout::{self, PrefixTable, Storage, steps};
use super::rows::positions;
use super::slab_pipeline::{self, SlabWorker};
use super::values::Values;
use super::words::{FITTED, Word};
use super::{HeapTableError, Limits, Plan};
use crate::heap_options::Cone;
use bouton_core::{Arrange, MAX_HEAPS, Play};
use bouton_simd::Simd;
use std::collections::VecDeque;
use std::ops::ControlFlow::{self, Continue};
use std::ops::Range;
use std::sync::Arc;

/// Heaps are at most this.
pub(super) const MAX_HEAP: u32 = 4095;
/// Words of a row at most.
const WORDS: usize = MAX_HEAP as usize / 64 + 1;

/// Rows of a vector: lines are filled up to whole ones.
const LANES: usize = 8;

/// A game of this kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConeSweep {
    heaps: usize,
    cones: Vec<Cone>,
}

/// How far a box goes: the greatest first heap, and the greatest of the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub first: u32,
    pub max: u32,
}

/// What is asked of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Outcomes(Play),
    Values,
}

impl ConeSweep {
    /// Returns the game on so many heaps, 1 to 15, with these takings: a number a heap each, and a
    /// token at least.
    pub(super) fn new(heaps: usize, cones: Vec<Cone>) -> Option<ConeSweep> {
        let fits = |cone: &Cone| {
            cone.least.len() == heaps
                && cone.least.iter().any(|taken| *taken > 0)
                && cone.free >> heaps == 0
        };
        ((1..=MAX_HEAPS).contains(&heaps) && cones.iter().all(fits))
            .then_some(ConeSweep { heaps, cones })
    }

    /// Plans the table of P-positions with heaps ≤ `max`.
    pub fn plan(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        self.admit(None, max, limits, false)
    }

    /// Plans the table of nim-values with heaps ≤ `max`.
    pub fn plan_values(&self, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
        self.admit(None, max, limits, true)
    }

    fn admit(
        &self,
        first: Option<u32>,
        max: u32,
        limits: Limits,
        values: bool,
    ) -> Result<Plan, HeapTableError> {
        let need = |max: u32, threads: usize| {
            // A smaller box is a cube.
            let first = first.filter(|first| *first >= max).unwrap_or(max);
            let planes = if values { self.planes(max) } else { 1 };
            self.bytes(Extent { first, max }, threads, planes, values)
        };
        let words = max as usize / 64 + 1;
        limits.admit(max, positions(self.heaps, max), words, MAX_HEAP, need)
    }

    /// Returns a bound that every nim-value is below: one is at most the number of moves left, and
    /// of ways to move.
    fn planes(&self, max: u32) -> u64 {
        let least =
            self.cones.iter().map(|cone| cone.least.iter().map(|taken| u64::from(*taken)).sum());
        let moves = self.heaps as u64 * u64::from(max) / least.min().unwrap_or(1).max(1);
        let few = self.cones.iter().all(|cone| cone.free == 0);
        1 + if few { moves.min(self.cones.len() as u64) } else { moves }
    }

    /// Returns bytes of all that is kept.
    fn bytes(&self, extent: Extent, threads: usize, planes: u64, values: bool) -> u64 {
        let cut = AxisLayout::new(self.heaps, extent);
        let row = match extent.max {
            ..=15 => 2,
            16..=31 => 4,
            32..=255 => 8 * (u64::from(extent.max) / 64 + 1).next_power_of_two(),
            256..=1023 => 128,
            _ => 8 * WORDS as u64,
        };
        let times = |all: u64, axis: usize| all.saturating_mul(cut.sides[axis] as u64);
        let line = cut.line as u64 * row;
        let within = |from: usize| (from..cut.outer).fold(line, times);
        let piece = within(2);
        let slab = times(piece, 1);
        let depth = |axis: usize| {
            let depths = self.cones.iter().map(|cone| cut.of(cone)[axis]);
            depths.filter(|depth| (*depth as usize) < cut.sides[axis]).max().unwrap_or(0)
        };
        let (slabs, pieces) = (u64::from(depth(0)), u64::from(depth(1)));
        // What goes to the visitor: two slabs may wait.
        let waiting = if threads > 1 { 3 } else { 1 };
        let mut sum = slab.saturating_mul(slabs + if values { 1 } else { waiting });
        sum = sum.saturating_add(piece.saturating_mul(pieces * (slabs + 1)));
        let mut frees: Vec<u32> = self.cones.iter().map(|cone| cone.free).collect();
        frees.arrange();
        frees.dedup();
        for free in frees {
            for axis in (0..cut.outer).filter(|axis| free << cut.pad >> axis & 1 == 1) {
                let (size, times) = match axis {
                    0 => (slab, 1),
                    // On the way from thread to thread, and back.
                    _ => (within(axis + 1), 3 * threads as u64 - 2),
                };
                sum = sum.saturating_add(size.saturating_mul(times));
            }
        }
        sum = sum.saturating_mul(planes);
        if values {
            let all =
                cut.sides[1..].iter().fold(2, |all: u64, side| all.saturating_mul(*side as u64));
            let part = all / cut.sides[1] as u64;
            sum = sum.saturating_add(if threads > 1 { all.saturating_mul(waiting) } else { part });
        }
        sum
    }

    /// Visits the rows of the box in lexicographic order: the heaps but the last, and which sizes
    /// of the last make a P-position, 64 a word. `progress` receives from time to time the number
    /// of positions settled since; either may break.
    pub(super) fn rows<B>(
        &self,
        extent: Extent,
        play: Play,
        limits: Limits,
        mut progress: impl FnMut(u128) -> ControlFlow<B>,
        mut row: impl FnMut(&[u32], &[u64]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let threads = self.admit(Some(extent.first), extent.max, limits, false)?.threads;
        Ok(slab_pipeline::with_break_value(|end| {
            let visit: &mut Visitor<'_> = &mut |part| match part {
                Visited::Row(heaps, bits) => slab_pipeline::keep_break_value(row(heaps, bits), end),
                Visited::Values(_) => Continue(()),
                Visited::Settled(positions) => {
                    slab_pipeline::keep_break_value(progress(positions), end)
                }
            };
            self.run(Simd::best(), extent, threads, Asked::Outcomes(play), visit)
        }))
    }

    /// Visits the nim-values of all positions with heaps ≤ `max`, in lexicographic order, part by
    /// part, until `visit` breaks. The parts are the same whatever the number of threads.
    pub fn values<B>(
        &self,
        max: u32,
        limits: Limits,
        mut visit: impl FnMut(&Values<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, HeapTableError> {
        let threads = self.plan_values(max, limits)?.threads;
        let extent = Extent { first: max, max };
        Ok(slab_pipeline::with_break_value(|end| {
            let visit: &mut Visitor<'_> = &mut |part| match part {
                Visited::Values(values) => slab_pipeline::keep_break_value(visit(values), end),
                Visited::Row(..) | Visited::Settled(_) => Continue(()),
            };
            self.run(Simd::best(), extent, threads, Asked::Values, visit)
        }))
    }

    fn run(
        &self,
        simd: Simd,
        extent: Extent,
        threads: usize,
        asked: Asked,
        visit: &mut Visitor<'_>,
    ) -> ControlFlow<()> {
        match (extent.max as usize / 64 + 1).next_power_of_two() {
            1 if FITTED && extent.max < 16 => {
                self.start::<u16>(simd, extent, threads, asked, visit)
            }
            1 if FITTED && extent.max < 32 => {
                self.start::<u32>(simd, extent, threads, asked, visit)
            }
            1 => self.start::<u64>(simd, extent, threads, asked, visit),
            2 if FITTED => self.start::<[u64; 2]>(simd, extent, threads, asked, visit),
            2 | 4 => self.start::<[u64; 4]>(simd, extent, threads, asked, visit),
            8 | 16 => self.start::<[u64; 16]>(simd, extent, threads, asked, visit),
            _ => self.start::<[u64; WORDS]>(simd, extent, threads, asked, visit),
        }
    }

    fn start<W: Word>(
        &self,
        simd: Simd,
        extent: Extent,
        threads: usize,
        asked: Asked,
        visit: &mut Visitor<'_>,
    ) -> ControlFlow<()> {
        let cut = AxisLayout::new(self.heaps, extent);
        let make = || ShiftWorker::<W>::new(simd, self, extent, asked);
        let (heaps, words) = (self.heaps, extent.max as usize / 64 + 1);
        let (slabs, pieces) = (cut.sides[0] as u32, cut.sides[1] as u32);
        slab_pipeline::run(
            threads,
            &make,
            slabs,
            pieces,
            &mut |slab, piece, found: PieceResult<W>| {
                let mut p = [0u32; MAX_HEAPS];
                let prefix = &[slab, piece][cut.pad.min(2)..];
                p[..prefix.len()].copy_from_slice(prefix);
                let settled = match found {
                    PieceResult::Values(values) => {
                        let part = Values::new(prefix, &values, heaps, extent.max);
                        return visit(Visited::Values(&part));
                    }
                    PieceResult::Outcomes(settled) => settled,
                };
                let mut bits = [0u64; WORDS];
                let of_line = cut.sides[cut.outer];
                for line in settled.planes[0].chunks_exact(cut.line) {
                    for row in &line[..of_line] {
                        (0..W::WORDS).for_each(|w| bits[w] = row.word(w));
                        visit(Visited::Row(&p[..heaps - 1], &bits[..words]))?;
                        let room = |i: &usize| (p[*i] as usize) + 1 < cut.sides[i + cut.pad];
                        if let Some(axis) = (prefix.len()..heaps - 1).rev().find(room) {
                            p[axis] += 1;
                            p[axis + 1..heaps - 1].fill(0);
                        }
                    }
                }
                let positions = cut.sides[2..].iter().fold(1, |all, side| all * *side as u128);
                visit(Visited::Settled(positions))
            },
        )
    }
}

/// What the visitor is shown.
enum Visited<'s> {
    Row(&'s [u32], &'s [u64]),
    Values(&'s Values<'s>),
    /// So many positions more are settled.
    Settled(u128),
}

/// Who is shown the parts of a box.
type Visitor<'v> = dyn FnMut(Visited<'_>) -> ControlFlow<()> + 'v;

/// How the axes are cut: four at least, those in front of the game's with one place. The last is a
/// row's, the last but one a line's; the first two are those of slabs and pieces.
#[derive(Clone, Copy)]
struct AxisLayout {
    pad: usize,
    /// Axes before the last two.
    outer: usize,
    /// Places along each axis.
    sides: Sides,
    /// Rows of a line, filled up.
    line: usize,
}

#[derive(Clone, Copy)]
struct Sides {
    sides: [usize; MAX_HEAPS + 2],
    axes: usize,
}

impl std::ops::Deref for Sides {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.sides[..self.axes]
    }
}

impl AxisLayout {
    fn new(heaps: usize, extent: Extent) -> AxisLayout {
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
    fn of(&self, cone: &Cone) -> [u32; MAX_HEAPS + 2] {
        let mut least = [0; MAX_HEAPS + 2];
        least[self.pad..][..cone.least.len()].copy_from_slice(&cone.least);
        least
    }
}

/// The P-positions of a piece, or the positions of each nim-value.
struct SolvedPiece<W> {
    /// A plane a value: lines, one after the other.
    planes: Vec<Vec<W>>,
    /// How many planes of each line hold something.
    heights: Vec<u16>,
    size: usize,
}

impl<W: Word> SolvedPiece<W> {
    #[inline(never)]
    fn new(lines: usize, line: usize) -> Self {
        SolvedPiece { planes: Vec::new(), heights: vec![0; lines], size: lines * line }
    }

    /// Makes room for a plane.
    #[inline(always)]
    fn reach(&mut self, plane: usize) {
        if self.planes.len() <= plane {
            self.extend(plane);
        }
    }

    #[inline(never)]
    fn extend(&mut self, plane: usize) {
        while self.planes.len() <= plane {
            self.planes.push(vec![W::EMPTY; self.size]);
        }
    }
}

/// A piece in the slabs before, the last one first.
type Slabs<W> = [Arc<SolvedPiece<W>>];

/// What is kept of a piece for the next slabs.
struct KeptPiece<W> {
    past: VecDeque<Arc<SolvedPiece<W>>>,
    tables: SolvedPiece<W>,
}

/// The pieces before, the last one first, each in this slab and those before.
type Recent<W> = VecDeque<Vec<Arc<SolvedPiece<W>>>>;

/// What is carried along a slab.
struct Carried<W> {
    recent: Recent<W>,
    tables: SolvedPiece<W>,
}

/// What is found in a piece.
enum PieceResult<W> {
    Outcomes(Arc<SolvedPiece<W>>),
    Values(Vec<u16>),
}

/// A shift to other lines.
struct CrossLineShift {
    /// How many slabs and pieces it goes back, and then how many lines.
    slab: usize,
    piece: usize,
    lines: usize,
    /// What it takes along the axes of lines.
    needs: Vec<(usize, u32)>,
    /// What it takes along the last two.
    dx: usize,
    dy: usize,
}

impl CrossLineShift {
    /// Returns what it leads to from the piece at hand.
    fn seen<'s, W>(&self, past: &'s Slabs<W>, recent: &'s Recent<W>) -> Seen<'s, W> {
        let there = match (self.piece, self.slab) {
            (0, 0) => return Seen::Here,
            (0, back) => past.get(back - 1),
            (before, back) => recent.get(before - 1).and_then(|slabs| slabs.get(back)),
        };
        there.map_or(Seen::Out, |settled| Seen::There(settled))
    }

    /// Returns whether it stays in the box along the axes of lines.
    #[inline(always)]
    fn fits(&self, p: &[u32]) -> bool {
        self.needs.iter().all(|(axis, least)| p[*axis] >= *least)
    }
}

/// What a shift leads to from the piece at hand.
#[derive(Clone, Copy)]
enum Seen<'s, W> {
    /// Out of the box.
    Out,
    /// The same piece.
    Here,
    There(&'s SolvedPiece<W>),
}

/// A shift from the line at hand that leads to something.
struct ActiveShift {
    /// Its number.
    shift: usize,
    /// Where the line begins that it leads to.
    from: usize,
    /// How many planes of that line hold something.
    height: u16,
    dx: usize,
    dy: usize,
}

/// The cones with one set of free heaps.
struct ConeGroup {
    /// Those that lead to other lines: a range of the shifts.
    apart: Range<usize>,
    /// Those that do not, by what they take along the last two axes.
    near: Vec<(usize, usize)>,
    /// In which way the free heaps hold the last two axes.
    way: usize,
    /// The last of its tables, if it has any.
    last: Option<usize>,
}

/// Takings of the last heap alone.
enum LastHeapMoves<W> {
    None,
    /// So many.
    One(usize),
    /// So many or more.
    From(usize),
    /// Any of these.
    Any(W),
}

/// What a worker reads off the cones, whatever its words are.
struct Scheme {
    cut: AxisLayout,
    /// What shifts go back along the first two axes, at most.
    depth: [usize; 2],
    shifts: Vec<CrossLineShift>,
    bundles: Vec<ConeGroup>,
    tables: Vec<PrefixTable>,
    /// The bundle of each table.
    bundle_of: Vec<usize>,
    /// The sizes of the tables that are carried along a slab, and of those in a piece.
    own: usize,
    piece: usize,
    /// Near takings by their way, none of which another one makes needless.
    near: [Vec<(usize, usize)>; 4],
    /// Which ways there are.
    used: [bool; 4],
}

/// One worker.
struct ShiftWorker<W> {
    simd: Simd,
    asked: Asked,
    cut: AxisLayout,
    /// Planes at most.
    planes: usize,
    /// What shifts go back along the first two axes, at most.
    depth: [usize; 2],
    shifts: Vec<CrossLineShift>,
    bundles: Vec<ConeGroup>,
    tables: Vec<PrefixTable>,
    /// The bundle of each table.
    bundle_of: Vec<usize>,
    own: Carried<W>,
    /// The size of the tables in a piece.
    piece: usize,
    /// Near takings of earlier rows, by their way, none of which another one makes needless.
    near: [Vec<(usize, usize)>; 4],
    alone: LastHeapMoves<W>,
    /// Takings of the last heap alone where more may leave the heap before it, by whether more may
    /// leave the last one too.
    along: [Vec<usize>; 2],
    /// Which ways there are.
    used: [bool; 4],
    /// Whether rows of a line have nothing to do with each other.
    loose: bool,
    /// The shifts of each bundle that lead to something.
    live: Vec<Vec<ActiveShift>>,
    /// How many planes hold something of what each table has from the place before, and of that and
    /// what it takes over.
    heights: Vec<[u16; 2]>,
    /// The places of a line, and those not settled.
    whole: Vec<W>,
    open: Vec<W>,
    /// Places with no move, where these are not P.
    stuck: Vec<W>,
    /// The least last heap with a move, by the heap before it.
    from: Vec<usize>,
    /// What is reached in each of the ways of holding the last two axes.
    ways: [Vec<W>; 4],
}

impl Scheme {
    fn new(game: &ConeSweep, extent: Extent) -> Scheme {
        let cut = AxisLayout::new(game.heaps, extent);
        let outer = cut.outer;
        let mut bundles: Vec<(u32, ConeGroup)> = Vec::new();
        let mut apart: Vec<(usize, CrossLineShift)> = Vec::new();
        let mut depth = [0; 2];
        for cone in &game.cones {
            let least = cut.of(cone);
            if least.iter().zip(cut.sides.iter()).any(|(least, side)| *least as usize >= *side) {
                continue;
            }
            let free = cone.free << cut.pad;
            let known = bundles.iter().position(|(known, _)| *known == free);
            let at = known.unwrap_or_else(|| {
                let way = (free >> outer) as usize & 3;
                bundles.push((free, ConeGroup { apart: 0..0, near: Vec::new(), way, last: None }));
                bundles.len() - 1
            });
            let bundle = &mut bundles[at].1;
            let (dx, dy) = (least[outer] as usize, least[outer + 1] as usize);
            if least[..outer].iter().all(|taken| *taken == 0) {
                bundle.near.push((dx, dy));
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
            apart.push((at, shift));
        }
        apart.arrange_by_key(|(bundle, _)| *bundle);
        for (at, (_, bundle)) in bundles.iter_mut().enumerate() {
            bundle.apart =
                apart.partition_point(|(b, _)| *b < at)..apart.partition_point(|(b, _)| *b <= at);
        }
        let (mut tables, mut bundle_of) = (Vec::new(), Vec::new());
        let (mut own, mut piece) = (0, 0);
        for (number, (free, bundle)) in bundles.iter_mut().enumerate() {
            for axis in (0..outer).filter(|axis| *free >> axis & 1 == 1) {
                let side = extent.max as usize + 1;
                let (step, size) = steps(axis, outer, side, cut.line);
                let home = if axis == 0 { &mut piece } else { &mut own };
                let from = *home;
                *home += size;
                let home = if axis == 0 { Storage::Piece(from) } else { Storage::Own(from) };
                let parent = bundle.last.replace(tables.len());
                tables.push(PrefixTable { ways: 0, starts: 0, parent, home, axis, step, at: 0 });
                bundle_of.push(number);
            }
        }
        let bundles: Vec<ConeGroup> = bundles.into_iter().map(|(_, bundle)| bundle).collect();
        let near = nearest(&bundles);
        let mut used: [bool; 4] = std::array::from_fn(|way| !near[way].is_empty());
        bundles.iter().for_each(|bundle| {
            used[bundle.way] |= !bundle.apart.is_empty() || bundle.last.is_some()
        });
        let shifts = apart.into_iter().map(|(_, shift)| shift).collect();
        Scheme { cut, depth, shifts, bundles, tables, bundle_of, own, piece, near, used }
    }
}

impl<W: Word> ShiftWorker<W> {
    fn new(simd: Simd, game: &ConeSweep, extent: Extent, asked: Asked) -> Self {
        let Scheme { cut, depth, shifts, bundles, tables, bundle_of, own, piece, near, used } =
            Scheme::new(game, extent);
        let outer = cut.outer;
        let alone = alone(&near);
        let along = [1, 3].map(|way: usize| {
            near[way].iter().filter(|(dx, _)| *dx == 0).map(|(_, dy)| *dy).collect()
        });
        let near = near.map(|near| near.into_iter().filter(|(dx, _)| *dx > 0).collect::<Vec<_>>());
        let loose = near.iter().all(Vec::is_empty) && !used[1] && !used[3];
        let row = W::below(extent.max as usize + 1);
        let whole: Vec<W> =
            (0..cut.line).map(|x| if x < cut.sides[outer] { row } else { W::EMPTY }).collect();
        let blank = vec![W::EMPTY; cut.line];
        ShiftWorker {
            simd,
            asked,
            cut,
            planes: if asked == Asked::Values { usize::MAX } else { 1 },
            depth,
            live: bundles.iter().map(|_| Vec::new()).collect(),
            shifts,
            heights: vec![[0; 2]; tables.len()],
            bundles,
            tables,
            bundle_of,
            own: Carried { recent: VecDeque::new(), tables: kept(own, cut.line) },
            piece,
            near,
            alone,
            along,
            used,
            loose,
            open: whole.clone(),
            whole,
            stuck: blank.clone(),
            from: vec![0; cut.line],
            ways: std::array::from_fn(|_| blank.clone()),
        }
    }

    #[inline(always)]
    fn sweep(&mut self, (slab, piece): (u32, u32), current: &mut KeptPiece<W>) -> PieceResult<W> {
        let AxisLayout { outer, sides, line, .. } = self.cut;
        let mut p = [0u32; MAX_HEAPS + 2];
        (p[0], p[1]) = (slab, piece);
        let mut stands = u32::from(slab > 0) | u32::from(piece > 0) << 1;
        if piece == 0 {
            self.own.recent.clear();
        }
        self.tables.iter_mut().for_each(PrefixTable::rewind);
        let lines: usize = sides[2..outer].iter().product();
        let mut here = SolvedPiece::new(lines, line);
        here.reach(0);
        let cells = sides[outer] * sides[outer + 1];
        let mut values = vec![0u16; if self.asked == Asked::Values { lines * cells } else { 0 }];
        let past = current.past.make_contiguous();
        let recent = std::mem::take(&mut self.own.recent);
        let seen = all_seen(&self.shifts, past, &recent);
        for number in 0..lines {
            let of_line =
                if values.is_empty() { 0..0 } else { number * cells..(number + 1) * cells };
            self.settle(
                &p,
                number,
                stands,
                (&seen, &mut current.tables),
                &mut here,
                &mut values[of_line],
            );
            layout::next_line(&mut p[..outer], sides[2] as u32 - 1, &mut stands, &mut self.tables);
        }
        let here = Arc::new(here);
        self.own.recent = recent;
        remember(&here, self.depth, &mut current.past, &mut self.own.recent);
        if self.asked == Asked::Values {
            PieceResult::Values(values)
        } else {
            PieceResult::Outcomes(here)
        }
    }

    /// Settles a line.
    #[inline(always)]
    fn settle(
        &mut self,
        p: &[u32],
        line: usize,
        stands: u32,
        (seen, kept): (&[Seen<'_, W>], &mut SolvedPiece<W>),
        here: &mut SolvedPiece<W>,
        values: &mut [u16],
    ) {
        let filled = self.look(p, line, stands, (seen, &*kept, &*here));
        if self.asked == Asked::Outcomes(Play::Misere) {
            self.stop(p, seen);
        }
        self.open.copy_from_slice(&self.whole);
        let range = line * self.cut.line..(line + 1) * self.cut.line;
        let (mut plane, mut top, mut left) = (0, 0, true);
        while (left || plane < filled) && plane < self.planes {
            if self.piece > 0 {
                kept.reach(plane);
            }
            self.own.tables.reach(plane);
            self.gather(plane, left, (seen, &mut *kept, &*here));
            if left {
                here.reach(plane);
                let rows = &mut here.planes[plane][range.clone()];
                let any = self.rows(rows);
                self.keep(plane, any, rows, kept);
                left = self.open.iter().fold(W::EMPTY, |all, open| all.or(*open)).any();
                if any {
                    top = plane + 1;
                    number(rows, plane, self.cut.sides[self.cut.outer + 1], values);
                }
            }
            plane += 1;
        }
        here.heights[line] = top as u16;
        for ((table, [_, all]), bundle) in
            self.tables.iter().zip(&self.heights).zip(&self.bundle_of)
        {
            let heights = match table.home {
                Storage::Piece(_) => &mut kept.heights,
                Storage::Own(_) => &mut self.own.tables.heights,
            };
            let found = if self.bundles[*bundle].near.is_empty() { 0 } else { top as u16 };
            heights[table.at / self.cut.line] = found.max(*all);
        }
    }

    /// Looks how many planes there are to take over; the most of a table. Nothing here is done with
    /// vectors, so one copy serves all processors.
    #[inline(never)]
    fn look(
        &mut self,
        p: &[u32],
        line: usize,
        stands: u32,
        (seen, kept, here): (&[Seen<'_, W>], &SolvedPiece<W>, &SolvedPiece<W>),
    ) -> usize {
        for (bundle, live) in self.bundles.iter().zip(&mut self.live) {
            live.clear();
            for (shift, apart) in bundle.apart.clone().zip(&self.shifts[bundle.apart.clone()]) {
                let settled = match seen[shift] {
                    Seen::Out => continue,
                    Seen::Here => here,
                    Seen::There(settled) => settled,
                };
                if !apart.fits(p) {
                    continue;
                }
                let height = settled.heights[line - apart.lines];
                if height > 0 {
                    let from = (line - apart.lines) * self.cut.line;
                    live.push(ActiveShift { shift, from, height, dx: apart.dx, dy: apart.dy });
                }
            }
        }
        let mut filled = 0;
        for (i, table) in self.tables.iter().enumerate() {
            let heights = match table.home {
                Storage::Piece(_) => &kept.heights,
                Storage::Own(_) => &self.own.tables.heights,
            };
            let old =
                if stands >> table.axis & 1 == 1 { heights[table.at / self.cut.line] } else { 0 };
            let tallest =
                || self.live[self.bundle_of[i]].iter().map(|live| live.height).max().unwrap_or(0);
            let more = table.parent.map_or_else(tallest, |parent| self.heights[parent][1]);
            self.heights[i] = [old, old.max(more)];
            filled = filled.max(old.max(more));
        }
        filled.into()
    }

    /// Brings all tables up to this line in a plane, and finds what is reached in each way if
    /// something is `left` to be settled.
    #[inline(always)]
    fn gather(
        &mut self,
        plane: usize,
        left: bool,
        (seen, kept, here): (&[Seen<'_, W>], &mut SolvedPiece<W>, &SolvedPiece<W>),
    ) {
        let own = &mut self.own.tables;
        let holds = |height: &u16| usize::from(*height) > plane;
        let bring = |to: &mut [W], bundle: usize| {
            for live in self.live[bundle].iter().filter(|live| holds(&live.height)) {
                let settled = match seen[live.shift] {
                    Seen::Out => continue,
                    Seen::Here => here,
                    Seen::There(settled) => settled,
                };
                add_shifted(to, &settled.planes[plane][live.from..][..to.len()], live.dx, live.dy);
            }
        };
        if left {
            for (way, used) in self.ways.iter_mut().zip(self.used) {
                if used {
                    way.fill(W::EMPTY);
                }
            }
            for (number, bundle) in
                self.bundles.iter().enumerate().filter(|(_, b)| b.last.is_none())
            {
                bring(&mut self.ways[bundle.way], number);
            }
        }
        for (i, (table, [old, all])) in self.tables.iter().zip(&self.heights).enumerate() {
            if !holds(all) {
                continue;
            }
            let (piece, own) = (kept.planes.get_mut(plane), own.planes.get_mut(plane));
            let (piece, own) = (piece.map_or(&mut [][..], |p| p), own.map_or(&mut [][..], |p| p));
            let (to, parent) = layout::unit(&self.tables, table, 0, self.cut.line, piece, own);
            let number = self.bundle_of[i];
            match (table.parent, parent) {
                (Some(at), Some(parent)) if holds(&self.heights[at][1]) => {
                    if holds(old) {
                        add_shifted(to, parent, 0, 0)
                    } else {
                        to.copy_from_slice(parent)
                    }
                }
                (Some(_), _) => {
                    if !holds(old) {
                        to.fill(W::EMPTY);
                    }
                }
                (None, _) => {
                    if !holds(old) {
                        to.fill(W::EMPTY);
                    }
                    bring(to, number);
                }
            }
            if left && self.bundles[number].last == Some(i) {
                add_shifted(&mut self.ways[self.bundles[number].way], to, 0, 0);
            }
        }
    }

    /// Places of the line that have no move are no P-positions in misère play.
    #[inline(never)]
    fn stop(&mut self, p: &[u32], seen: &[Seen<'_, W>]) {
        let none = W::BITS;
        let from = &mut self.from;
        from.fill(none);
        for bundle in &self.bundles {
            for (dx, dy) in &bundle.near {
                from[*dx] = from[*dx].min(*dy);
            }
        }
        for (apart, seen) in self.shifts.iter().zip(seen) {
            if !matches!(seen, Seen::Out) && apart.fits(p) {
                from[apart.dx] = from[apart.dx].min(apart.dy);
            }
        }
        let mut least = none;
        for (stuck, from) in self.stuck.iter_mut().zip(&*from) {
            least = least.min(*from);
            *stuck = W::below(least);
        }
    }

    /// Settles the rows of a line in a plane; whether something is found.
    #[inline(always)]
    fn rows(&mut self, found: &mut [W]) -> bool {
        let [plain, along, grows, both] = &self.ways;
        let mut any = W::EMPTY;
        if self.loose && matches!(self.alone, LastHeapMoves::None) {
            let rows = self.open.iter_mut().zip(&self.stuck).zip(plain).zip(grows);
            for ((((open, stuck), plain), grows), found) in rows.zip(found) {
                let here = open.minus(*plain).minus(grows.grown()).minus(*stuck);
                *open = open.minus(here);
                *found = here;
                any = any.or(here);
            }
            return any.any();
        }
        let (mut one, mut three) = (W::EMPTY, W::EMPTY);
        for x in 0..self.cut.sides[self.cut.outer] {
            let mut reached = plain[x].or(self.stuck[x]);
            let mut two = grows[x];
            one = one.or(along[x]);
            three = three.or(both[x]);
            let from = |near: &(usize, usize)| {
                if near.0 <= x { found[x - near.0].raised(near.1) } else { W::EMPTY }
            };
            self.near[0].iter().for_each(|near| reached = reached.or(from(near)));
            self.near[1].iter().for_each(|near| one = one.or(from(near)));
            self.near[2].iter().for_each(|near| two = two.or(from(near)));
            self.near[3].iter().for_each(|near| three = three.or(from(near)));
            reached = reached.or(one).or(two.or(three).grown());
            let here = self.alone.settle(self.open[x].minus(reached));
            self.open[x] = self.open[x].minus(here);
            found[x] = here;
            any = any.or(here);
            self.along[0].iter().for_each(|dy| one = one.or(here.raised(*dy)));
            self.along[1].iter().for_each(|dy| three = three.or(here.raised(*dy)));
        }
        any.any()
    }

    /// Adds to the tables what was found in the line, if there is `any`.
    #[inline(always)]
    fn keep(&mut self, plane: usize, any: bool, found: &[W], kept: &mut SolvedPiece<W>) {
        for ((table, [_, all]), bundle) in
            self.tables.iter().zip(&self.heights).zip(&self.bundle_of)
        {
            let near = &self.bundles[*bundle].near;
            if near.is_empty() {
                continue;
            }
            let kept = match table.home {
                Storage::Piece(_) => &mut *kept,
                Storage::Own(_) => &mut self.own.tables,
            };
            let to = &mut kept.planes[plane][table.at..][..self.cut.line];
            if usize::from(*all) <= plane {
                to.fill(W::EMPTY);
            }
            if any {
                near.iter().for_each(|(dx, dy)| add_shifted(to, found, *dx, *dy));
            }
        }
    }
}

impl<W: Word> LastHeapMoves<W> {
    /// Returns the P-positions of a row among those that no other takings lead to P.
    #[inline(always)]
    fn settle(&self, free: W) -> W {
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

/// Returns the near takings by their way, without those that others make needless.
fn nearest(bundles: &[ConeGroup]) -> [Vec<(usize, usize)>; 4] {
    let mut all: Vec<(usize, (usize, usize))> = Vec::new();
    for bundle in bundles {
        all.extend(bundle.near.iter().map(|near| (bundle.way, *near)));
    }
    all.arrange();
    all.dedup();
    let holds = |(way, (dx, dy)): (usize, (usize, usize)),
                 (other, (ox, oy)): (usize, (usize, usize))| {
        let more = |free: bool, least: usize, given: usize| least == given || free && least < given;
        other & !way == 0 && more(way & 1 == 1, dx, ox) && more(way & 2 == 2, dy, oy)
    };
    let mut near: [Vec<(usize, usize)>; 4] = Default::default();
    for one in &all {
        if !all.iter().any(|other| other != one && holds(*other, *one)) {
            near[one.0].push(one.1);
        }
    }
    near
}

/// Returns what may be taken of the last heap alone.
fn alone<W: Word>(near: &[Vec<(usize, usize)>; 4]) -> LastHeapMoves<W> {
    let of = |ways: [usize; 2]| -> Vec<usize> {
        let all = ways.iter().flat_map(|way| &near[*way]);
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

/// Returns what each shift leads to from the current piece.
#[inline(never)]
fn all_seen<'s, W>(
    shifts: &[CrossLineShift],
    past: &'s Slabs<W>,
    recent: &'s Recent<W>,
) -> Vec<Seen<'s, W>> {
    shifts.iter().map(|shift| shift.seen(past, recent)).collect()
}

/// Keeps a piece for those that lead back to it: so many slabs, and so many pieces.
#[inline(never)]
fn remember<W>(
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

/// Returns tables of so many rows.
fn kept<W: Word>(size: usize, line: usize) -> SolvedPiece<W> {
    SolvedPiece { planes: Vec::new(), heights: vec![0; size / line], size }
}

/// Writes the value of what was found in a plane.
#[inline(never)]
fn number<W: Word>(found: &[W], plane: usize, side: usize, values: &mut [u16]) {
    if plane == 0 {
        return;
    }
    for (row, values) in found.iter().zip(values.chunks_exact_mut(side)) {
        for w in 0..W::WORDS {
            let mut bits = row.word(w);
            while bits != 0 {
                values[64 * w + bits.trailing_zeros() as usize] = plane as u16;
                bits &= bits - 1;
            }
        }
    }
}

/// Adds rows, so many rows and places further on.
#[inline(always)]
fn add_shifted<W: Word>(to: &mut [W], from: &[W], dx: usize, dy: usize) {
    let Some(to) = to.get_mut(dx..) else { return };
    let len = to.len().min(from.len());
    let (to, from) = (&mut to[..len], &from[..len]);
    let add = |to: &mut [W], from: &[W]| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = to.or(from.raised(dy)));
    };
    if W::WORDS > 1 || len < LANES {
        return add(to, from);
    }
    if W::BITS == 16 && len == 2 * LANES {
        return add(&mut to[..2 * LANES], &from[..2 * LANES]);
    }
    // What does not fill a vector is done with some of what stands before it once more.
    for (to, from) in to.chunks_exact_mut(LANES).zip(from.chunks_exact(LANES)) {
        add(to, from);
    }
    if len % LANES > 0 {
        add(&mut to[len - LANES..], &from[len - LANES..]);
    }
}

impl<W: Word> SlabWorker for ShiftWorker<W> {
    type Piece = KeptPiece<W>;
    type Carried = Carried<W>;
    type Output = PieceResult<W>;

    fn new_piece(&self) -> KeptPiece<W> {
        KeptPiece { past: VecDeque::new(), tables: kept(self.piece, self.cut.line) }
    }

    fn new_carried(&self) -> Carried<W> {
        Carried { recent: VecDeque::new(), tables: kept(self.own.tables.size, self.cut.line) }
    }

    fn swap_carried(&mut self, carried: Carried<W>) -> Carried<W> {
        std::mem::replace(&mut self.own, carried)
    }

    fn process(&mut self, slab: u32, piece: u32, current: &mut KeptPiece<W>) -> PieceResult<W> {
        let at = (slab, piece);
        let simd = self.simd;
        bouton_simd::multiversion! {
            [W: Word] (
                sweeper: &mut ShiftWorker<W> = self, at: (u32, u32) = at, current:
                    &mut KeptPiece<W> = current
            ) -> PieceResult<W> { sweeper.sweep(at, current) }
            ["avx512f", "avx512bw", "avx512vl", "bmi1"] if W::BITS >= 64 && simd == Simd::Avx512,
            ["avx2", "bmi1"] if simd != Simd::Portable,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_options::LineCone;
    use crate::heap_tables::line_cone_sweep::tests::{Known, brute, lost};
    use crate::heap_tables::random;

    /// Returns every position of a box. A free axis is a step of one token along it.
    fn known(heaps: usize, cones: &[Cone], extent: Extent) -> Vec<Known> {
        let step = |axis: usize| (0..heaps).map(|i| u32::from(i == axis)).collect::<Vec<u32>>();
        let as_lines = |cone: &Cone| LineCone {
            least: cone.least.clone(),
            steps: (0..heaps).filter(|axis| cone.free >> axis & 1 == 1).map(step).collect(),
        };
        let cones: Vec<LineCone> = cones.iter().map(as_lines).collect();
        let first = if heaps == 1 { extent.max } else { extent.first };
        brute(heaps, &cones, [first, extent.max])
    }

    fn outcomes(
        game: &ConeSweep,
        simd: Simd,
        extent: Extent,
        threads: usize,
        play: Play,
    ) -> Vec<Vec<u32>> {
        let (mut all, mut settled) = (Vec::new(), 0);
        let done = game.run(simd, extent, threads, Asked::Outcomes(play), &mut |shown| {
            match shown {
                Visited::Row(heaps, bits) => {
                    for y in (0..64 * bits.len()).filter(|y| bits[y / 64] >> (y % 64) & 1 == 1) {
                        all.push([heaps, &[y as u32]].concat());
                    }
                }
                Visited::Settled(positions) => settled += positions,
                Visited::Values(_) => unreachable!("not asked for"),
            }
            Continue(())
        });
        assert_eq!(done, Continue(()));
        let first = if game.heaps == 1 { extent.max } else { extent.first };
        assert_eq!(settled, positions(game.heaps - 1, extent.max) * (u128::from(first) + 1));
        all
    }

    fn values(game: &ConeSweep, simd: Simd, max: u32, threads: usize) -> Vec<(Vec<u32>, u16)> {
        let mut all = Vec::new();
        let done =
            game.run(simd, Extent { first: max, max }, threads, Asked::Values, &mut |shown| {
                match shown {
                    Visited::Values(part) => part.each(|p, value| {
                        all.push((p.to_vec(), value));
                        Continue(())
                    }),
                    Visited::Row(..) | Visited::Settled(_) => unreachable!("not asked for"),
                }
            });
        assert_eq!(done, Continue(()));
        all
    }

    fn compare(heaps: usize, cones: &[Cone], extent: Extent) {
        let game = ConeSweep::new(heaps, cones.to_vec()).unwrap();
        let known = known(heaps, cones, extent);
        for simd in Simd::all() {
            for threads in [1, 3] {
                for play in [Play::Normal, Play::Misere] {
                    let (found, expected) =
                        (outcomes(&game, simd, extent, threads, play), lost(&known, play));
                    assert_eq!(found, expected, "{cones:?} {extent:?} {simd:?} {threads} {play}");
                }
                if extent.first == extent.max {
                    let expected: Vec<_> =
                        known.iter().map(|(p, value, _)| (p.clone(), *value)).collect();
                    let found = values(&game, simd, extent.max, threads);
                    assert!(found == expected, "{cones:?} {extent:?} {simd:?} {threads}");
                }
            }
        }
    }

    /// Cones drawn by lot, in boxes of all widths of rows.
    #[test]
    fn like_brute_force() {
        let mut random = random(7);
        for (heaps, max, games) in [
            (1, 20, 8),
            (1, 70, 4),
            (1, 300, 4),
            (2, 9, 12),
            (2, 20, 8),
            (2, 40, 6),
            (3, 5, 16),
            (3, 8, 8),
            (4, 3, 16),
            (4, 4, 8),
            (5, 2, 12),
            (6, 1, 6),
            (6, 2, 2),
        ] {
            for _ in 0..games {
                let count = 1 + random(5);
                let cones = (0..count).map(|_| {
                    let mut least: Vec<u32> =
                        (0..heaps).map(|_| random(8).saturating_sub(4) as u32).collect();
                    least[random(heaps as u64) as usize] += 1;
                    let free = random(1 << heaps) as u32 & random(1 << heaps) as u32;
                    Cone { least, free: if random(2) == 0 { 0 } else { free } }
                });
                let cones: Vec<Cone> = cones.collect();
                compare(heaps, &cones, Extent { first: max, max });
                if heaps > 1 && heaps < 4 {
                    compare(heaps, &cones, Extent { first: max + 3, max });
                }
            }
        }
    }

    /// Tables that hold nothing of a value between two others.
    #[test]
    fn values_with_gaps() {
        // Two tokens at least in all, from three neighbours on a circle of four.
        let pairs = |heap: usize| (0..4).map(move |other| (heap, other));
        let mut cones = Vec::new();
        for (start, (one, other)) in
            (0..4).flat_map(|s| (0..4).flat_map(pairs).map(move |pair| (s, pair)))
        {
            let free = (0..3).fold(0u32, |free, i| free | 1 << ((start + i) % 4));
            if free >> one & free >> other & 1 == 1 {
                let mut least = vec![0; 4];
                least[one] += 1;
                least[other] += 1;
                cones.push(Cone { least, free });
            }
        }
        compare(4, &cones, Extent { first: 5, max: 5 });
    }

    /// Rows of several words: boxes with few first heaps.
    #[test]
    fn long_rows_like_brute_force() {
        let mut random = random(3);
        for (heaps, first, max, games) in [
            (2, 7, 70, 6),
            (2, 5, 130, 6),
            (2, 4, 200, 4),
            (2, 2, 300, 3),
            (2, 1, 1100, 2),
            (3, 1, 66, 3),
        ] {
            for _ in 0..games {
                let cones = (0..1 + random(4)).map(|_| {
                    let mut least: Vec<u32> = (0..heaps).map(|_| random(3) as u32).collect();
                    let wide = [1, 3, 63, 64, 65, 100, 190];
                    least[heaps - 1] += wide[random(7) as usize] * random(2) as u32;
                    least[random(heaps as u64) as usize] += 1;
                    Cone { least, free: (random(1 << heaps) & random(1 << heaps)) as u32 }
                });
                let cones: Vec<Cone> = cones.collect();
                compare(heaps, &cones, Extent { first, max });
            }
        }
    }
}

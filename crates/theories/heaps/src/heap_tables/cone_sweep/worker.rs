//! A worker of the sweep: it settles the lines of a piece one after the other, plane by plane.

use super::cone_groups::{AxisLayout, ConeGroup, CrossLineShift, Scheme};
use super::last_heap::{LastHeapMoves, last_heap_moves};
use super::pieces::{
    Carried, KeptPiece, PieceResult, ShiftTarget, SolvedPiece, kept, remember, shift_targets,
};
use super::{Asked, ConeSweep, Extent, LANES};
use crate::heap_tables::layout::{self, PrefixTable, Storage};
use crate::heap_tables::slab_pipeline::SlabWorker;
use crate::heap_tables::words::Word;
use bouton_core::{MAX_HEAPS, Play};
use bouton_simd::Simd;
use std::collections::VecDeque;
use std::sync::Arc;

/// A shift from the line that is settled to one with P-positions.
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

/// One worker.
pub(super) struct ShiftWorker<W> {
    simd: Simd,
    asked: Asked,
    cut: AxisLayout,
    /// Planes at most.
    planes: usize,
    /// What shifts go back along the first two axes, at most.
    depth: [usize; 2],
    shifts: Vec<CrossLineShift>,
    groups: Vec<ConeGroup>,
    tables: Vec<PrefixTable>,
    /// The group of each table.
    group_of: Vec<usize>,
    own: Carried<W>,
    /// The size of the tables in a piece.
    piece: usize,
    /// Takings that lead to earlier rows of the line, by their way; those that others make needless
    /// are left out.
    same_line: [Vec<(usize, usize)>; 4],
    last_heap: LastHeapMoves<W>,
    /// Takings of the last heap alone where more may leave the heap before it, by whether more may
    /// leave the last one too.
    along: [Vec<usize>; 2],
    /// Which ways there are.
    used: [bool; 4],
    /// Whether rows of a line have nothing to do with each other.
    rows_independent: bool,
    /// The shifts of each group that lead to something.
    live: Vec<Vec<ActiveShift>>,
    /// How many planes hold something of what each table has from the place before, and of that and
    /// what it takes over.
    heights: Vec<[u16; 2]>,
    /// The places of a line, and those not settled.
    whole: Vec<W>,
    open: Vec<W>,
    /// Places with no move, where these are not P.
    terminal: Vec<W>,
    /// The least last heap with a move, by the heap before it.
    from: Vec<usize>,
    /// What is reached in each of the ways of holding the last two axes.
    ways: [Vec<W>; 4],
}

impl<W: Word> ShiftWorker<W> {
    pub(super) fn new(simd: Simd, game: &ConeSweep, extent: Extent, asked: Asked) -> Self {
        let Scheme { cut, depth, shifts, groups, tables, group_of, own, piece, same_line, used } =
            Scheme::new(game, extent);
        let outer = cut.outer;
        let last_heap = last_heap_moves(&same_line);
        let along = [1, 3].map(|way: usize| {
            same_line[way].iter().filter(|(dx, _)| *dx == 0).map(|(_, dy)| *dy).collect()
        });
        let same_line = same_line
            .map(|same_line| same_line.into_iter().filter(|(dx, _)| *dx > 0).collect::<Vec<_>>());
        let rows_independent = same_line.iter().all(Vec::is_empty) && !used[1] && !used[3];
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
            live: groups.iter().map(|_| Vec::new()).collect(),
            shifts,
            heights: vec![[0; 2]; tables.len()],
            groups,
            tables,
            group_of,
            own: Carried { recent: VecDeque::new(), tables: kept(own, cut.line) },
            piece,
            same_line,
            last_heap,
            along,
            used,
            rows_independent,
            open: whole.clone(),
            whole,
            terminal: blank.clone(),
            from: vec![0; cut.line],
            ways: std::array::from_fn(|_| blank.clone()),
        }
    }

    #[inline(always)]
    fn sweep(&mut self, (slab, piece): (u32, u32), current: &mut KeptPiece<W>) -> PieceResult<W> {
        let AxisLayout { outer, sides, line, .. } = self.cut;
        let mut p = [0u32; MAX_HEAPS + 2];
        (p[0], p[1]) = (slab, piece);
        let mut nonzero_axes = u32::from(slab > 0) | u32::from(piece > 0) << 1;
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
        let seen = shift_targets(&self.shifts, past, &recent);
        for number in 0..lines {
            let of_line =
                if values.is_empty() { 0..0 } else { number * cells..(number + 1) * cells };
            self.settle(
                &p,
                number,
                nonzero_axes,
                (&seen, &mut current.tables),
                &mut here,
                &mut values[of_line],
            );
            layout::next_line(
                &mut p[..outer],
                sides[2] as u32 - 1,
                &mut nonzero_axes,
                &mut self.tables,
            );
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
        nonzero_axes: u32,
        (seen, kept): (&[ShiftTarget<'_, W>], &mut SolvedPiece<W>),
        here: &mut SolvedPiece<W>,
        values: &mut [u16],
    ) {
        let filled = self.count_planes(p, line, nonzero_axes, (seen, &*kept, &*here));
        if self.asked == Asked::Outcomes(Play::Misere) {
            self.mark_terminal(p, seen);
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
                self.add_to_tables(plane, any, rows, kept);
                left = self.open.iter().fold(W::EMPTY, |all, open| all.or(*open)).any();
                if any {
                    top = plane + 1;
                    number(rows, plane, self.cut.sides[self.cut.outer + 1], values);
                }
            }
            plane += 1;
        }
        here.heights[line] = top as u16;
        for ((table, [_, all]), group) in self.tables.iter().zip(&self.heights).zip(&self.group_of)
        {
            let heights = match table.home {
                Storage::Piece(_) => &mut kept.heights,
                Storage::Own(_) => &mut self.own.tables.heights,
            };
            let found = if self.groups[*group].same_line.is_empty() { 0 } else { top as u16 };
            heights[table.at / self.cut.line] = found.max(*all);
        }
    }

    /// Looks how many planes there are to take over; the most of a table. Nothing here is done with
    /// vectors, so one copy serves all processors.
    #[inline(never)]
    fn count_planes(
        &mut self,
        p: &[u32],
        line: usize,
        nonzero_axes: u32,
        (seen, kept, here): (&[ShiftTarget<'_, W>], &SolvedPiece<W>, &SolvedPiece<W>),
    ) -> usize {
        for (group, live) in self.groups.iter().zip(&mut self.live) {
            live.clear();
            for (shift, cross_line) in
                group.cross_line.clone().zip(&self.shifts[group.cross_line.clone()])
            {
                let settled = match seen[shift] {
                    ShiftTarget::Out => continue,
                    ShiftTarget::Here => here,
                    ShiftTarget::There(settled) => settled,
                };
                if !cross_line.fits(p) {
                    continue;
                }
                let height = settled.heights[line - cross_line.lines];
                if height > 0 {
                    let from = (line - cross_line.lines) * self.cut.line;
                    live.push(ActiveShift {
                        shift,
                        from,
                        height,
                        dx: cross_line.dx,
                        dy: cross_line.dy,
                    });
                }
            }
        }
        let mut filled = 0;
        for (i, table) in self.tables.iter().enumerate() {
            let heights = match table.home {
                Storage::Piece(_) => &kept.heights,
                Storage::Own(_) => &self.own.tables.heights,
            };
            let old = if nonzero_axes >> table.axis & 1 == 1 {
                heights[table.at / self.cut.line]
            } else {
                0
            };
            let tallest =
                || self.live[self.group_of[i]].iter().map(|live| live.height).max().unwrap_or(0);
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
        (seen, kept, here): (&[ShiftTarget<'_, W>], &mut SolvedPiece<W>, &SolvedPiece<W>),
    ) {
        let own = &mut self.own.tables;
        let holds = |height: &u16| usize::from(*height) > plane;
        let bring = |to: &mut [W], group: usize| {
            for live in self.live[group].iter().filter(|live| holds(&live.height)) {
                let settled = match seen[live.shift] {
                    ShiftTarget::Out => continue,
                    ShiftTarget::Here => here,
                    ShiftTarget::There(settled) => settled,
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
            for (number, group) in self.groups.iter().enumerate().filter(|(_, b)| b.last.is_none())
            {
                bring(&mut self.ways[group.way], number);
            }
        }
        for (i, (table, [old, all])) in self.tables.iter().zip(&self.heights).enumerate() {
            if !holds(all) {
                continue;
            }
            let (piece, own) = (kept.planes.get_mut(plane), own.planes.get_mut(plane));
            let (piece, own) = (piece.map_or(&mut [][..], |p| p), own.map_or(&mut [][..], |p| p));
            let (to, parent) = layout::unit(&self.tables, table, 0, self.cut.line, piece, own);
            let number = self.group_of[i];
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
            if left && self.groups[number].last == Some(i) {
                add_shifted(&mut self.ways[self.groups[number].way], to, 0, 0);
            }
        }
    }

    /// Places of the line that have no move are no P-positions in misère play.
    #[inline(never)]
    fn mark_terminal(&mut self, p: &[u32], seen: &[ShiftTarget<'_, W>]) {
        let none = W::BITS;
        let from = &mut self.from;
        from.fill(none);
        for group in &self.groups {
            for (dx, dy) in &group.same_line {
                from[*dx] = from[*dx].min(*dy);
            }
        }
        for (cross_line, seen) in self.shifts.iter().zip(seen) {
            if !matches!(seen, ShiftTarget::Out) && cross_line.fits(p) {
                from[cross_line.dx] = from[cross_line.dx].min(cross_line.dy);
            }
        }
        let mut least = none;
        for (terminal, from) in self.terminal.iter_mut().zip(&*from) {
            least = least.min(*from);
            *terminal = W::below(least);
        }
    }

    /// Settles the rows of a line in a plane; whether something is found.
    #[inline(always)]
    fn rows(&mut self, found: &mut [W]) -> bool {
        let [plain, along, grows, both] = &self.ways;
        let mut any = W::EMPTY;
        if self.rows_independent && matches!(self.last_heap, LastHeapMoves::None) {
            let rows = self.open.iter_mut().zip(&self.terminal).zip(plain).zip(grows);
            for ((((open, terminal), plain), grows), found) in rows.zip(found) {
                let here = open.minus(*plain).minus(grows.grown()).minus(*terminal);
                *open = open.minus(here);
                *found = here;
                any = any.or(here);
            }
            return any.any();
        }
        let (mut one, mut three) = (W::EMPTY, W::EMPTY);
        for x in 0..self.cut.sides[self.cut.outer] {
            let mut reached = plain[x].or(self.terminal[x]);
            let mut two = grows[x];
            one = one.or(along[x]);
            three = three.or(both[x]);
            let from = |same_line: &(usize, usize)| {
                if same_line.0 <= x { found[x - same_line.0].raised(same_line.1) } else { W::EMPTY }
            };
            self.same_line[0].iter().for_each(|same_line| reached = reached.or(from(same_line)));
            self.same_line[1].iter().for_each(|same_line| one = one.or(from(same_line)));
            self.same_line[2].iter().for_each(|same_line| two = two.or(from(same_line)));
            self.same_line[3].iter().for_each(|same_line| three = three.or(from(same_line)));
            reached = reached.or(one).or(two.or(three).grown());
            let here = self.last_heap.settle(self.open[x].minus(reached));
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
    fn add_to_tables(&mut self, plane: usize, any: bool, found: &[W], kept: &mut SolvedPiece<W>) {
        for ((table, [_, all]), group) in self.tables.iter().zip(&self.heights).zip(&self.group_of)
        {
            let same_line = &self.groups[*group].same_line;
            if same_line.is_empty() {
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
                same_line.iter().for_each(|(dx, dy)| add_shifted(to, found, *dx, *dy));
            }
        }
    }
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

/// Adds rows, this many rows and places further on.
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
    // What does not fill a vector is done with some of what is before it once more.
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

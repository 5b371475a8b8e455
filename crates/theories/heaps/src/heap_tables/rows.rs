//! The row recurrence: P-positions of a box, a row of positions an operation.
//!
//! Let D_w(p) say that p, or something reached from p by lowering heaps of the face w only, is a
//! P-position. Then D_w(p) = P(p) ∨ ⋁_{i∈w} D_w(p − e_i), and p is P iff no D_w(p − e_i) with i ∈ w
//! holds. Along the last axis stands a row, a bit a position; it has at most one P-position, since
//! the last heap alone may be lowered.
//!
//! Rows along the last axis but one make a line, which is settled at once. D_w is a prefix OR along
//! the axes of w, and these are independent: so only the OR along the axes of w before the last two
//! is kept, E_w, and what all faces say together is spread along the line, and grown along the
//! rows, once a line. Faces alike but in the last two axes share one E_w. If some face holds both
//! of the last heaps, then the P-positions of a line come at ever smaller last heaps: the next is
//! in the first row that has a free place below all found. There are few, so looking for them is
//! one pass and what they change is little.
//!
//! If the first heap of a face is i, E_w is kept only along the axes after i: it is overwritten in
//! place from one place along axis i to the next. So only faces with heap 0 are kept whole, and
//! move from slab to slab ([`super::slab_pipeline`]).

use super::Windows;
use super::layout::{self, AxisLayout, Layout, PrefixTable, Storage};
use super::shrinking::Smaller;
use super::slab_pipeline::{self, SlabWorker};
use super::words::{FITTED, Word, each};
use bouton_core::{MAX_HEAPS, Play};
use std::ops::ControlFlow::{self, Continue};

/// The most positions along one axis: heaps are at most `MAX_SIDE - 1`.
pub const MAX_SIDE: usize = 1024;

/// Positions from which a box is worth more than one thread.
const WORTH_THREADS: u128 = 1 << 22;

/// Why a box isn't swept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeapTableError {
    /// Too few or too many heaps.
    #[error("boxes take 2 to {MAX_HEAPS} heaps, not {0}")]
    WrongHeapCount(usize),
    /// A face names a heap that isn't there, or a heap is in no face.
    #[error("every heap must be in some face, and faces hold only heaps of the game")]
    Faces,
    /// The windows or the heaps don't fit together.
    #[error("a window takes at least one heap")]
    EmptyWindow,
    /// The heaps are larger than tables of this kind reach, whatever they may take.
    #[error("tables reach heaps up to {most}, not {max}; {}",
        fits.map_or("no box fits the bytes allowed".to_owned(), |m|
            format!("heaps up to {m} fit")))]
    HeapTooLarge {
        /// The greatest heap asked for.
        max: u32,
        /// The greatest heap of any table.
        most: u32,
        /// The greatest heap of a box that fits.
        fits: Option<u32>,
    },
    /// The tables would not fit.
    #[error("heaps up to {max} need {bytes} bytes, more than {limit}; {}",
        fits.map_or("no box fits".to_owned(), |m| format!("heaps up to {m} fit")))]
    TooLarge {
        /// The greatest heap asked for.
        max: u32,
        /// Bytes this box needs, saturating.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
        /// The greatest heap of a box that fits.
        fits: Option<u32>,
    },
}

/// What a sweep will take, known before it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Bytes of tables, all threads together.
    pub bytes: u64,
    /// Positions of the box, saturating.
    pub positions: u128,
    /// Words of 64 positions in a row.
    pub words: usize,
    /// Threads.
    pub threads: usize,
}

/// What a sweep may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of tables.
    pub bytes: u64,
    /// Threads; smaller boxes take one.
    pub threads: usize,
}

impl Limits {
    /// Allows this many bytes, and as many threads as the machine runs at once.
    pub fn bytes(bytes: u64) -> Limits {
        Limits { bytes, threads: std::thread::available_parallelism().map_or(1, usize::from) }
    }

    /// Returns the greatest box for which `need` (bytes by the greatest heap and threads) stays
    /// within the limit, or the plan.
    pub(super) fn admit(
        self,
        max: u32,
        positions: u128,
        words: usize,
        most: u32,
        need: impl Fn(u32, usize) -> u64,
    ) -> Result<Plan, HeapTableError> {
        let worth =
            if positions >= WORTH_THREADS { self.threads.clamp(1, max as usize + 1) } else { 1 };
        let threads = if need(max, worth) <= self.bytes { worth } else { 1 };
        let bytes = need(max, threads);
        if bytes <= self.bytes && max <= most {
            return Ok(Plan { bytes, positions, words, threads });
        }
        let fits = (0..=most.min(max)).rev().find(|m| need(*m, 1) <= self.bytes);
        if max > most {
            return Err(HeapTableError::HeapTooLarge { max, most, fits });
        }
        Err(HeapTableError::TooLarge { max, bytes, limit: self.bytes, fits })
    }
}

/// Returns the number of positions of `heaps` heaps of at most `max`, saturating.
pub(super) fn positions(heaps: usize, max: u32) -> u128 {
    (u128::from(max) + 1).saturating_pow(heaps as u32)
}

/// Returns the bytes of a row, and the rows of a line, which is filled up to whole vectors.
fn row(max: u32) -> (u64, u64) {
    let side = u64::from(max) + 1;
    let bytes = match side {
        ..=16 => 2,
        17..=32 => 4,
        33..=256 => 8 * side.div_ceil(64).next_power_of_two(),
        _ => 8 * MAX_SIDE as u64 / 64,
    };
    (bytes, side.next_multiple_of((32 / bytes).max(1)))
}

fn bytes(game: &Windows, max: u32, threads: usize) -> u64 {
    let (row, line) = row(max);
    layout::bytes(game, AxisLayout { pad: leading_axes(game), inner: 2 }, max, line * row, threads)
}

/// Axes of one place to be put in front.
pub(super) fn leading_axes(game: &Windows) -> usize {
    4usize.saturating_sub(game.heaps())
}

/// Plans the sweep of heaps ≤ `max` in at most `limit` bytes, or tells the largest box that fits.
pub fn plan(game: &Windows, max: u32, limit: u64) -> Result<Plan, HeapTableError> {
    plan_within(game, max, Limits::bytes(limit))
}

/// Plans the sweep of heaps ≤ `max` within these limits, or tells the largest box that fits.
pub fn plan_within(game: &Windows, max: u32, limits: Limits) -> Result<Plan, HeapTableError> {
    let words = (max as usize / 64 + 1).next_power_of_two();
    let most = MAX_SIDE as u32 - 1;
    limits.admit(max, positions(game.heaps(), max), words, most, |max, threads| {
        bytes(game, max, threads)
    })
}

/// Visits all P-positions with heaps ≤ `max` in lexicographic order until `visit` breaks, in at
/// most `limit` bytes.
///
/// O(faces · heaps · ⌈(max+1)/64⌉) a row of max+1 positions, on all cores if the box is large.
pub fn sweep<B>(
    game: &Windows,
    max: u32,
    play: Play,
    limit: u64,
    mut visit: impl FnMut(&[u32]) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, HeapTableError> {
    sweep_pieces(game, max, play, Limits::bytes(limit), |piece| piece.each(&mut visit))
}

/// Visits the box in lexicographic order, part by part, until `visit` breaks; also parts without
/// P-positions, so that the visitor can tell how far things are. The parts are the same whatever
/// the number of threads.
pub fn sweep_pieces<B>(
    game: &Windows,
    max: u32,
    play: Play,
    limits: Limits,
    visit: impl FnMut(&BoxPart<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, HeapTableError> {
    let threads = plan_within(game, max, limits)?.threads;
    Ok(match play {
        Play::Normal => run(game, max, threads, &Rule::Plain, visit),
        Play::Misere => run(game, max, threads, &Rule::Misere, visit),
    })
}

/// The P-positions found in a part of a box: those that begin with the same one or two heaps.
#[derive(Debug)]
pub struct BoxPart<'a> {
    /// The first heaps.
    pub prefix: &'a [u32],
    /// The other heaps of each P-position, one after the other.
    rest: &'a [u16],
    heaps: usize,
    /// Positions of the part.
    pub positions: u128,
}

impl BoxPart<'_> {
    /// Returns how many P-positions there are.
    pub fn count(&self) -> usize {
        self.rest.len() / (self.heaps - self.prefix.len())
    }

    /// Visits the P-positions in lexicographic order.
    pub fn each<B>(&self, mut visit: impl FnMut(&[u32]) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut p = [0u32; MAX_HEAPS];
        let fixed = self.prefix.len();
        p[..fixed].copy_from_slice(self.prefix);
        for rest in self.rest.chunks_exact(self.heaps - fixed) {
            p[fixed..].iter_mut().zip(rest).for_each(|(to, from)| *to = (*from).into());
            visit(&p[..self.heaps])?;
        }
        Continue(())
    }
}

/// What is known of a line beforehand. One type, so that the sweep is compiled once for each width.
pub(super) enum Rule {
    /// Normal play: nothing.
    Plain,
    /// Misère play: the empty position is N.
    Misere,
    /// A circle that closes up: positions with an emptied heap are those of smaller circles.
    Closes(Smaller),
}

impl Rule {
    /// Adds to `reached`, a row for each value of the last heap but one, whatever else isn't P; `p`
    /// has the heaps before. All but one place of a row may be added to force the one.
    #[inline(always)]
    fn line<W: Word>(&self, p: &[u32], reached: &mut [W]) {
        match self {
            Rule::Plain => {}
            Rule::Misere => {
                if p.iter().all(|heap| *heap == 0) {
                    reached[0] = reached[0].or(W::one(0));
                }
            }
            Rule::Closes(smaller) => smaller.line(p, reached),
        }
    }
}

/// Sweeps with a rule.
pub(super) fn run<B>(
    game: &Windows,
    max: u32,
    threads: usize,
    rule: &Rule,
    mut visit: impl FnMut(&BoxPart<'_>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    slab_pipeline::with_break_value(|end| {
        run_each(game, max, threads, rule, &mut |part| {
            slab_pipeline::keep_break_value(visit(part), end)
        })
    })
}

/// Who is shown the parts of a box.
type Visitor<'v> = dyn FnMut(&BoxPart<'_>) -> ControlFlow<()> + 'v;

fn run_each(
    game: &Windows,
    max: u32,
    threads: usize,
    rule: &Rule,
    visit: &mut Visitor<'_>,
) -> ControlFlow<()> {
    match (max as usize / 64 + 1).next_power_of_two() {
        1 if FITTED && max < 16 => start::<u16, 16>(game, max, threads, rule, visit),
        1 if FITTED && max < 32 => start::<u32, 8>(game, max, threads, rule, visit),
        1 => start::<u64, 4>(game, max, threads, rule, visit),
        2 if FITTED => start::<[u64; 2], 2>(game, max, threads, rule, visit),
        2 | 4 => start::<[u64; 4], 1>(game, max, threads, rule, visit),
        _ => start::<[u64; 16], 1>(game, max, threads, rule, visit),
    }
}

fn start<W: Word, const L: usize>(
    game: &Windows,
    max: u32,
    threads: usize,
    rule: &Rule,
    visit: &mut Visitor<'_>,
) -> ControlFlow<()> {
    let pad = leading_axes(game);
    let slabs = if pad > 0 { 1 } else { max + 1 };
    let pieces = if pad > 1 { 1 } else { max + 1 };
    let make = || RowWorker::<W, L>::new(game, max, rule);
    slab_pipeline::run(threads, &make, slabs, pieces, &mut |slab, piece, rest: Vec<u16>| {
        let prefix = &[slab, piece][pad..];
        let positions = positions(game.heaps() - prefix.len(), max);
        visit(&BoxPart { prefix, rest: &rest, heaps: game.heaps(), positions })
    })
}

/// Rows in a vector register.
type Lanes<W, const L: usize> = [W; L];

/// One worker. Games of two or three heaps get axes of one place in front, to have slabs and
/// pieces.
struct RowWorker<'r, W, const L: usize> {
    rule: &'r Rule,
    axes: usize,
    pad: usize,
    max: u32,
    /// Vectors in a line.
    line: usize,
    tables: Vec<PrefixTable>,
    /// The tables of what is reached in each of the four ways of holding the last two axes.
    tables_of: [Vec<usize>; 4],
    /// What each table holds at the line at hand, if that is one vector.
    latest: Vec<Lanes<W, L>>,
    own: Vec<Lanes<W, L>>,
    /// Vectors in a piece.
    piece: usize,
    /// Whether some face holds both the last axes.
    falls: bool,
    /// A line with nothing reached but what is outside of the box.
    blank: Vec<Lanes<W, L>>,
    reached: Vec<Lanes<W, L>>,
    /// What is reached in each of the four ways, not yet spread or grown; those not needed stay
    /// empty.
    ways: [Vec<Lanes<W, L>>; 4],
}

impl<'r, W: Word, const L: usize> RowWorker<'r, W, L> {
    fn new(game: &Windows, max: u32, rule: &'r Rule) -> Self {
        let pad = leading_axes(game);
        let (axes, side) = (game.heaps() + pad, max as usize + 1);
        let line = side.div_ceil(L);
        let along = axes - 2;
        let Layout { tables, own, piece } =
            Layout::new(game, AxisLayout { pad, inner: 2 }, side, line);
        let own = vec![[W::EMPTY; L]; own];
        let mut blank = vec![[W::below(W::BITS); L]; line];
        (0..side).for_each(|x| blank[x / L][x % L] = W::below(W::BITS).minus(W::below(side)));
        let falls = game.faces().iter().any(|face| face << pad >> along == 3);
        let reached = blank.clone();
        let ways = std::array::from_fn(|_| vec![[W::EMPTY; L]; line]);
        let of =
            |way: usize| (0..tables.len()).filter(|i| tables[*i].ways >> way & 1 == 1).collect();
        let (tables_of, latest) = (std::array::from_fn(of), vec![[W::EMPTY; L]; tables.len()]);
        RowWorker {
            rule,
            axes,
            pad,
            max,
            line,
            tables,
            tables_of,
            latest,
            own,
            piece,
            falls,
            blank,
            reached,
            ways,
        }
    }

    #[inline(always)]
    fn sweep(&mut self, slab: u32, piece: u32, current: &mut [Lanes<W, L>]) -> Vec<u16> {
        let middle = self.axes - 2;
        let mut p = [0u32; MAX_HEAPS + 2];
        (p[0], p[1]) = (slab, piece);
        // Axes along which there is something before.
        let mut stands = u32::from(slab > 0) | u32::from(piece > 0) << 1;
        let mut found = Vec::new();
        self.tables.iter_mut().for_each(PrefixTable::rewind);
        loop {
            self.settle(&p, stands, current, &mut found);
            if !layout::next_line(&mut p[..middle], self.max, &mut stands, &mut self.tables) {
                return found;
            }
        }
    }

    /// Settles the line at `p`.
    #[inline(always)]
    fn settle(
        &mut self,
        p: &[u32; MAX_HEAPS + 2],
        stands: u32,
        current: &mut [Lanes<W, L>],
        found: &mut Vec<u16>,
    ) {
        let (middle, side) = (self.axes - 2, self.max as usize + 1);
        if self.line == 1 {
            self.gather_vector(stands, current);
        } else {
            self.gather_line(stands, current);
        }
        self.rule.line(&p[self.pad..middle], self.reached.as_flattened_mut());
        if self.falls {
            // Free places count only below those found.
            let mut free = W::below(side);
            let mut from = 0;
            while let Some(x) = first_free(&self.reached, from, free) {
                let y = free.minus(self.reached[x / L][x % L]).least().unwrap_or(0);
                self.take(p, x, y, current, found);
                free = W::below(y);
                from = x + 1;
            }
        } else {
            let mut taken = W::EMPTY;
            for x in 0..side {
                let row = self.reached[x / L][x % L].or(taken);
                if let Some(y) = W::below(side).minus(row).least() {
                    taken = taken.or(W::one(y));
                    self.take(p, x, y, current, found);
                }
            }
        }
    }

    /// Brings all tables up to this line, and finds what is reached in it: lines of one vector.
    #[inline(always)]
    fn gather_vector(&mut self, stands: u32, current: &mut [Lanes<W, L>]) {
        let or =
            |a: Lanes<W, L>, b: &Lanes<W, L>| -> Lanes<W, L> { each(W::EMPTY, |i| a[i].or(b[i])) };
        for (i, table) in self.tables.iter().enumerate() {
            let kept = match table.home {
                Storage::Piece(_) => &mut *current,
                Storage::Own(_) => &mut self.own,
            };
            let here = &mut kept[table.at];
            let mut rows = if stands >> table.axis & 1 == 1 { *here } else { [W::EMPTY; L] };
            if let Some(parent) = table.parent {
                rows = or(rows, &self.latest[parent]);
            }
            *here = rows;
            self.latest[i] = rows;
        }
        let mut ways = [[[W::EMPTY; L]]; 4];
        for (way, tables) in ways.iter_mut().zip(&self.tables_of) {
            for table in tables {
                way[0] = or(way[0], &self.latest[*table]);
            }
        }
        combine(&mut self.reached, &self.blank, each(&[][..], |way| &ways[way][..]));
    }

    /// Does the same for longer lines.
    #[inline(always)]
    fn gather_line(&mut self, stands: u32, current: &mut [Lanes<W, L>]) {
        for table in &self.tables {
            let (here, parent) =
                layout::unit(&self.tables, table, 0, self.line, current, &mut self.own);
            gather(table, stands >> table.axis & 1 == 1, here, parent, Some(&mut self.ways));
        }
        combine(&mut self.reached, &self.blank, each(&[][..], |way| &self.ways[way][..]));
    }

    /// Records that the position with the last heaps `x` and `y` is P.
    #[inline(always)]
    fn take(
        &mut self,
        p: &[u32; MAX_HEAPS + 2],
        x: usize,
        y: usize,
        current: &mut [Lanes<W, L>],
        found: &mut Vec<u16>,
    ) {
        let middle = self.axes - 2;
        found.extend(p[2.max(self.pad)..middle].iter().map(|heap| *heap as u16));
        found.extend([x as u16, y as u16]);
        for table in &self.tables {
            let kept = match table.home {
                Storage::Piece(_) => &mut *current,
                Storage::Own(_) => &mut self.own,
            };
            let row = &mut kept[table.at + x / L][x % L];
            *row = row.or(W::one(y));
        }
    }
}

/// Brings `here`, which holds something if it is `old`, up to date with what its parent has, and
/// adds it to the ways of the table, if they are asked for.
#[inline(always)]
pub(super) fn gather<W: Word, const L: usize>(
    table: &PrefixTable,
    old: bool,
    here: &mut [Lanes<W, L>],
    parent: Option<&[Lanes<W, L>]>,
    ways: Option<&mut [Vec<Lanes<W, L>>; 4]>,
) {
    match (old, parent) {
        (true, Some(parent)) => add(here, parent),
        (true, None) => {}
        (false, Some(parent)) => here.copy_from_slice(parent),
        (false, None) => here.fill([W::EMPTY; L]),
    }
    let Some(ways) = ways else { return };
    for (i, way) in ways.iter_mut().enumerate().filter(|(i, _)| table.ways >> i & 1 == 1) {
        let way = &mut way[..here.len()];
        if table.starts >> i & 1 == 1 { way.copy_from_slice(here) } else { add(way, here) }
    }
}

/// Adds the rows of `more` to `rows`.
#[inline(always)]
pub(super) fn add<W: Word, const L: usize>(rows: &mut [Lanes<W, L>], more: &[Lanes<W, L>]) {
    for (rows, more) in rows.iter_mut().zip(more) {
        *rows = each(W::EMPTY, |lane| rows[lane].or(more[lane]));
    }
}

/// Spreads along the line and grows along the rows what is reached in the four ways.
#[inline(always)]
fn combine<W: Word, const L: usize>(
    reached: &mut [Lanes<W, L>],
    blank: &[Lanes<W, L>],
    ways: [&[Lanes<W, L>]; 4],
) {
    let count = reached.len();
    let (blank, ways): (_, [&[_]; 4]) = (&blank[..count], each(&[][..], |way| &ways[way][..count]));
    let mut before = [W::EMPTY; L];
    for i in 0..count {
        let [plain, along, grows, both] = each([W::EMPTY; L], |way| ways[way][i]);
        let mut rows: Lanes<W, L> = each(W::EMPTY, |lane| along[lane].or(both[lane].grown()));
        rows = spread::<W, L, 1>(rows);
        rows = spread::<W, L, 2>(rows);
        rows = spread::<W, L, 4>(rows);
        rows = spread::<W, L, 8>(rows);
        let last = rows[L - 1];
        reached[i] = each(W::EMPTY, |lane| {
            let here = plain[lane].or(grows[lane].grown()).or(blank[i][lane]);
            here.or(rows[lane]).or(before[lane])
        });
        before = each(W::EMPTY, |lane| before[lane].or(last));
    }
}

/// Adds to each row the one `BY` before it.
#[inline(always)]
fn spread<W: Word, const L: usize, const BY: usize>(rows: Lanes<W, L>) -> Lanes<W, L> {
    if BY >= L {
        return rows;
    }
    each(W::EMPTY, |lane| if lane < BY { rows[lane] } else { rows[lane].or(rows[lane - BY]) })
}

/// Returns the first row from `from` on that lacks something of `free`.
#[inline(always)]
fn first_free<W: Word, const L: usize>(
    reached: &[Lanes<W, L>],
    from: usize,
    free: W,
) -> Option<usize> {
    for (i, rows) in reached.iter().enumerate().skip(from / L) {
        if rows.iter().fold(W::EMPTY, |any, row| any.or(free.minus(*row))).any() {
            let lane = (0..L).find(|lane| i * L + lane >= from && free.minus(rows[*lane]).any());
            if let Some(lane) = lane {
                return Some(i * L + lane);
            }
        }
    }
    None
}

impl<W: Word, const L: usize> SlabWorker for RowWorker<'_, W, L> {
    type Piece = Vec<Lanes<W, L>>;
    type Carried = Vec<Lanes<W, L>>;
    type Output = Vec<u16>;

    fn new_piece(&self) -> Self::Piece {
        vec![[W::EMPTY; L]; self.piece]
    }

    fn new_carried(&self) -> Self::Carried {
        vec![[W::EMPTY; L]; self.own.len()]
    }

    fn swap_carried(&mut self, carried: Self::Carried) -> Self::Carried {
        std::mem::replace(&mut self.own, carried)
    }

    fn process(&mut self, slab: u32, piece: u32, current: &mut Self::Piece) -> Vec<u16> {
        bouton_simd::multiversion! {
            [W: Word, const L: usize] (
                sweeper: &mut RowWorker<'_, W, L> = self,
                at: (u32, u32) = (slab, piece),
                current: &mut [Lanes<W, L>] = current
            ) -> Vec<u16> { sweeper.sweep(at.0, at.1, current) }
            ["avx2", "bmi1"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    const LIMIT: u64 = 1 << 28;

    fn swept(game: &Windows, max: u32, play: Play) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let done = sweep::<()>(game, max, play, LIMIT, |p| {
            all.push(p.to_vec());
            Continue(())
        });
        assert_eq!(done, Ok(Continue(())));
        all
    }

    /// Returns the P-positions in lexicographic order: a position is P iff none found so far is an
    /// option, by the rules alone.
    fn brute(game: &Windows, max: u32, play: Play) -> Vec<Vec<u32>> {
        let n = game.heaps();
        let mut found: Vec<Vec<u32>> = Vec::new();
        for code in 0..(u64::from(max) + 1).pow(n as u32) {
            let heap = |i: usize| {
                (code / (u64::from(max) + 1).pow((n - 1 - i) as u32) % (u64::from(max) + 1)) as u32
            };
            let p: Vec<u32> = (0..n).map(heap).collect();
            let is_option = |q: &Vec<u32>| {
                let changed = (0..n).filter(|i| q[*i] != p[*i]).fold(0u32, |set, i| set | 1 << i);
                (0..n).all(|i| q[i] <= p[i])
                    && changed != 0
                    && game.faces().iter().any(|f| changed & !f == 0)
            };
            let terminal_wins = play == Play::Misere && p.iter().all(|h| *h == 0);
            if !terminal_wins && !found.iter().any(is_option) {
                found.push(p);
            }
        }
        found
    }

    #[test]
    fn like_brute_force() {
        for play in [Play::Normal, Play::Misere] {
            for (n, max) in [(2, 70), (3, 17), (4, 9), (5, 5), (6, 3)] {
                for k in 1..=n {
                    for game in [Windows::circular(n, k), Windows::moore(n, k)] {
                        let game = game.expect("a game");
                        assert_eq!(
                            swept(&game, max, play),
                            brute(&game, max, play),
                            "{game:?} {play}"
                        );
                    }
                }
            }
            for faces in [
                &[0b0011, 0b0110, 0b1000][..],
                &[0b0111, 0b1001],
                &[0b1010, 0b0101, 0b1100],
                &[0b1111],
            ] {
                let game = Windows::simplicial(4, faces).expect("a game");
                assert_eq!(swept(&game, 9, play), brute(&game, 9, play), "{game:?} {play}");
            }
        }
    }

    /// Bouton's theorem across several words a row: P iff the nim-sum is 0.
    #[test]
    fn nim_in_long_rows() {
        let game = Windows::circular(3, 1).expect("a game");
        let all: FxHashSet<Vec<u32>> = swept(&game, 300, Play::Normal).into_iter().collect();
        let nim = (0..=300)
            .flat_map(|a| (0..=300).map(move |b| vec![a, b, a ^ b]))
            .filter(|p| p[2] <= 300);
        assert_eq!(all, nim.collect());
    }

    /// CN(5,2) by the theorem of Dufour and of Ehrenborg & Steingrímsson: (a,b,c,d,b), a+b = c+d, a
    /// the greatest.
    #[test]
    fn circular_five_two() {
        let game = Windows::circular(5, 2).expect("a game");
        let mut theorem = FxHashSet::default();
        for (b, c, d) in
            (0..=20).flat_map(|b| (b..=20).flat_map(move |c| (b..=20).map(move |d| (b, c, d))))
        {
            let a = c + d - b;
            if a <= 20 {
                let mut p = vec![a, b, c, d, b];
                for _ in 0..5 {
                    p.rotate_left(1);
                    theorem.insert(p.clone());
                }
            }
        }
        assert_eq!(swept(&game, 20, Play::Normal).into_iter().collect::<FxHashSet<_>>(), theorem);
    }

    #[test]
    fn too_large_tells_what_fits() {
        let game = Windows::circular(6, 4).expect("a game");
        let Err(HeapTableError::TooLarge { fits: Some(fits), .. }) = plan(&game, 1000, 1 << 20)
        else {
            panic!("refused with a box that fits");
        };
        assert!(plan(&game, fits, 1 << 20).is_ok() && plan(&game, fits + 1, 1 << 20).is_err());
        assert_eq!(Windows::circular(1, 1), Err(HeapTableError::WrongHeapCount(1)));
        assert_eq!(Windows::circular(4, 0), Err(HeapTableError::Faces));
        assert_eq!(Windows::simplicial(3, &[0b1011]), Err(HeapTableError::Faces));
    }
}

//! Heap games with the face of all games: tables of boxes are swept, single positions are searched.
#![cfg_attr(
    target_family = "wasm",
    allow(
        unreachable_code,
        unused_variables,
        unused_assignments,
        reason = "no sweep along spans is there"
    )
)]

use crate::heap_tables::{HeapSweep, HeapTableError, Limits, Plan, RunSweep, SpanSweep};
use crate::possible_outcomes::PossibleOutcomes;
use crate::single_heap::{OutcomeTable, SingleHeap, ValueTable};
use bouton_core::{
    Digits, Domain, HeapGame, HeapMoves, Impartial, LimitReached, MAX_HEAPS, Meter, Moves, Nimber,
    Outcome, Play, Ruleset, Symmetry, Windows,
};
use bouton_engine::game::{
    BoxTables, ByNimValue, ByOutcome, Evaluation, Evaluator, Game, Kind, NamedRuleset, Settings,
    VisitKnown, VisitSizes, with_evaluator,
};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow::{self, Break, Continue};

/// Nodes that a search has before the box below a position is swept.
const SEARCHED: u64 = 1 << 16;
/// Positions of a box that is swept for one position, at most.
const MAX_SWEPT: u128 = 1 << 30;
/// The same of a box that is settled position by position.
const MAX_STEPPED: u128 = 1 << 26;
/// Visits of options that a search may make before a box is thought of.
const FEW_VISITS: u128 = 1 << 19;
/// Positions that a sweep settles while a search visits one option: row by row, or one by one.
const SETTLED: [u128; 2] = [64, 8];
/// Positions of a box whose nim-values are tabled for one position, at least and at most.
const TABLED: std::ops::RangeInclusive<u128> = 1 << 11..=1 << 18;
/// A box takes less by spans if the cube around it has this many times its positions.
const NARROW: u128 = 4;
/// Boxes of nim-values that are kept, at most: as many as a position has summands.
const MAX_VALUE_BOXES: usize = MAX_HEAPS;
/// Options that are counted, at most.
const MAX_COUNTED: u64 = 1 << 12;
/// P-positions that are kept one by one, at most; each takes 32 bytes or so.
const MAX_KEPT: usize = 1 << 22;
/// Sizes of one heap whose table is made for a nim-value where who wins is found without one, at
/// most.
const MAX_FOR_VALUE: u64 = 1 << 20;
/// Options of a size where who wins is found without a table, at most.
const MAX_OPTIONS: usize = 64;
/// Positions of a box for each P-position, at most, if a bit for each position is kept instead.
const MAX_BOX_PER_P_POSITION: u128 = 256;
/// Images of a position under the symmetry of a game, at most.
const MAX_IMAGES: usize = 5040;

/// Evaluates by outcomes: a search, then a sweep of the box below the position, where the moves
/// allow one. Tables of boxes come from a sweep, too.
pub struct BySweep<R: Ruleset> {
    search: ByOutcome<R>,
    play: Play,
    swept: Option<SweptBox>,
    /// The least box that was not swept: too large, or with too many P-positions.
    refused: u32,
    /// What finds nim-values, if there is something; once it is asked for.
    value_sweeps: Option<Option<ValueSweeps>>,
    /// Boxes none of which holds another: those of the summands of a position, and the like.
    values: Vec<ValueBox>,
    /// A position too large for a table of nim-values: so are those below it, of which there are
    /// many.
    untabled: Option<Vec<u64>>,
}

/// What finds the nim-values of boxes of a game on this many heaps.
struct ValueSweeps {
    heaps: usize,
    spans: Option<SpanSweep>,
    cubes: Option<HeapSweep>,
    symmetry: Symmetry,
    images: Vec<Vec<usize>>,
}

impl ValueSweeps {
    fn of(game: &HeapGame) -> Option<ValueSweeps> {
        if game.shrinks || game.moves.memory.count > 0 {
            return None;
        }
        let (spans, cubes) = (SpanSweep::new(game), HeapSweep::from_game(game));
        let HeapGame { heaps, symmetry, .. } = *game;
        let images = symmetry.permutations(heaps, MAX_IMAGES)?;
        (spans.is_some() || cubes.is_some()).then_some(ValueSweeps {
            heaps,
            spans,
            cubes,
            symmetry,
            images,
        })
    }

    /// Returns the least box with these heaps of which there is a sweep: its greatest heaps, and
    /// the sweep for the greatest of them. `None` if none of them takes so few bytes.
    fn least_box(&self, heaps: &[u32], bytes: u64) -> Option<(Vec<u32>, Box<dyn BoxTables>)> {
        let max = heaps.iter().copied().max().unwrap_or(0);
        let (cube, limits) = (vec![max; heaps.len()], Limits::bytes(bytes));
        let most = if self.symmetry == Symmetry::None { heaps } else { &cube };
        let by_spans = || {
            let spans = self.spans.clone()?.limited_to(most.to_vec());
            spans.plan_values(max, limits).ok()?;
            Some((most.to_vec(), Box::new(spans) as Box<dyn BoxTables>))
        };
        let by_cube = || {
            let sweep = self.cubes.clone().filter(|sweep| sweep.is_suitable(max))?;
            sweep.plan_values(max, limits).ok()?;
            Some((cube.clone(), Box::new(sweep) as Box<dyn BoxTables>))
        };
        let is_far_less = cells(most) * NARROW < cells(&cube);
        if is_far_less { by_spans().or_else(by_cube) } else { by_cube().or_else(by_spans) }
    }
}

/// Returns the number of positions with heaps at most these, saturating.
fn cells<T: Copy + Into<u128>>(most: &[T]) -> u128 {
    most.iter().fold(1, |all: u128, most| all.saturating_mul((*most).into() + 1))
}

/// The nim-values of the positions with heaps at most some bounds, in lexicographic order.
struct ValueBox {
    most: Vec<u64>,
    values: Vec<u32>,
}

impl ValueBox {
    /// Returns the place of a position; `None` if it is not in the box.
    fn place(&self, mut sizes: impl Iterator<Item = u64>) -> Option<usize> {
        self.most.iter().zip(&mut sizes).try_fold(0, |place, (most, size)| {
            (size <= *most).then(|| place * (*most as usize + 1) + size as usize)
        })
    }

    /// Returns the value of a position, if the box has it.
    fn value(&self, sizes: &[u64]) -> Option<Nimber> {
        self.values.get(self.place(sizes.iter().copied())?).map(|value| Nimber(*value))
    }

    /// Puts the value of some positions.
    fn put(&mut self, all: impl Iterator<Item = impl Iterator<Item = u64>>, value: Nimber) {
        for sizes in all {
            let place = self.place(sizes).expect("images of a position are in the box");
            self.values[place] = value.0;
        }
    }
}

/// The P-positions with heaps at most some bounds.
struct SweptBox {
    most: Vec<u64>,
    bits: u32,
    images: Vec<Vec<usize>>,
    p_positions: Kept,
}

/// P-positions of a box.
enum Kept {
    /// By their heaps as digits.
    Few(FxHashSet<u128>),
    /// A bit for each position.
    Many(Vec<u64>),
}

impl SweptBox {
    /// Sweeps a box that has these heaps. `None` if there is no sweep of so few positions.
    fn new(
        game: &HeapGame,
        sizes: &[u32],
        play: Play,
        meter: &mut Meter,
    ) -> Result<Option<SweptBox>, LimitReached> {
        let max = sizes.iter().copied().max().unwrap_or(0);
        let bits = u32::BITS - max.leading_zeros();
        let bytes = meter.budget().bytes.unwrap_or(u64::MAX);
        let nodes =
            meter.budget().nodes.map_or(u64::MAX, |limit| limit.saturating_sub(meter.nodes()));
        let images = game.symmetry.permutations(game.heaps, MAX_IMAGES);
        let (Some(found), Some(images)) = (box_sweep(game, sizes, bytes, nodes), images) else {
            return Ok(None);
        };
        if bits * game.heaps as u32 > u128::BITS {
            return Ok(None);
        }
        let p_positions = Kept::Few(FxHashSet::default());
        let mut swept = SweptBox { most: found.most, bits, images, p_positions };
        let sweep = match found.sweep {
            Swept::Positions(sweep) => sweep,
            Swept::Rows(sweep) => {
                // Rows are as long as those of the sweep, which need not have bits beyond it.
                let (mut words, mut place) =
                    (vec![0u64; found.positions.div_ceil(64) as usize + 1], 0);
                let row = |_: &[u32], bits: &[u64]| {
                    add_row(&mut words, place, bits);
                    place += max as usize + 1;
                    Continue(())
                };
                let progress = |positions| spend(meter, positions);
                let sweep = sweep.row_sweep(max).expect("it was found to have rows");
                let end = sweep.rows(max, play, Limits::bytes(bytes), progress, row);
                end.map_err(refused).and_then(ended)?;
                swept.p_positions = Kept::Many(words);
                return Ok(Some(swept));
            }
        };
        let mut is_whole = true;
        sweep.p_positions(max, play, bytes, meter, &mut |sizes| {
            is_whole = swept.keep(sizes);
            if is_whole { Continue(()) } else { Break(()) }
        })?;
        Ok(is_whole.then_some(swept))
    }

    fn has(&self, sizes: &[u64]) -> bool {
        sizes.iter().zip(&self.most).all(|(size, most)| size <= most)
    }

    /// Keeps a P-position; `false` if there are too many.
    fn keep(&mut self, sizes: &[u64]) -> bool {
        let key = self.key(sizes.iter().copied());
        let place = self.place(sizes.iter().copied());
        match &mut self.p_positions {
            Kept::Many(words) => words[place / 64] |= 1 << (place % 64),
            Kept::Few(keys) => {
                keys.insert(key);
                let cells = self.most.iter().map(|most| u128::from(*most) + 1).product::<u128>();
                if cells <= MAX_SWEPT
                    && keys.len() as u128 * MAX_BOX_PER_P_POSITION > cells.max(1 << 20)
                {
                    let keys = std::mem::take(keys);
                    let mut words = vec![0u64; cells.div_ceil(64) as usize];
                    for key in keys {
                        let digit = |heap: usize| {
                            (key >> (self.bits as usize * (self.most.len() - 1 - heap))) as u64
                                & ((1 << self.bits) - 1)
                        };
                        let place = self.place((0..self.most.len()).map(digit));
                        words[place / 64] |= 1 << (place % 64);
                    }
                    self.p_positions = Kept::Many(words);
                } else {
                    return keys.len() <= MAX_KEPT;
                }
            }
        }
        true
    }

    fn has_p(&self, sizes: impl Iterator<Item = u64>) -> bool {
        match &self.p_positions {
            Kept::Few(keys) => keys.contains(&self.key(sizes)),
            Kept::Many(words) => {
                let place = self.place(sizes);
                words[place / 64] >> (place % 64) & 1 == 1
            }
        }
    }

    /// Returns the place of a position in lexicographic order.
    fn place(&self, sizes: impl Iterator<Item = u64>) -> usize {
        sizes.zip(&self.most).fold(0, |place, (size, most)| {
            place.wrapping_mul(*most as usize + 1).wrapping_add(size as usize)
        })
    }

    fn key(&self, sizes: impl Iterator<Item = u64>) -> u128 {
        sizes.fold(0, |key, size| key << self.bits | u128::from(size))
    }

    /// Returns who wins from these heaps, none of them above its bound.
    fn outcome(&self, sizes: &[u64]) -> Outcome {
        // The sweep gives one position of each class.
        let is_p = |image: &Vec<usize>| self.has_p(image.iter().map(|heap| sizes[*heap]));
        if self.images.iter().any(is_p) { Outcome::P } else { Outcome::N }
    }
}

/// How the P-positions of a box are found.
enum Swept {
    /// Row by row, as bits.
    Rows(HeapSweep),
    /// One by one.
    Positions(Box<dyn BoxTables>),
}

/// Adds the bits of a row from a place on.
fn add_row(words: &mut [u64], place: usize, row: &[u64]) {
    let (mut at, shift) = (place / 64, place % 64);
    for bits in row.iter().copied() {
        if bits != 0 {
            words[at] |= bits << shift;
            if shift > 0 {
                words[at + 1] |= bits >> (64 - shift);
            }
        }
        at += 1;
    }
}

/// A sweep of a box that has a position.
struct BoxSweep {
    sweep: Swept,
    /// How many positions it settles.
    positions: u128,
    /// The greatest heaps of the box.
    most: Vec<u64>,
}

/// Returns the sweep for a single position; `None` if there is none of at most `nodes` positions.
fn box_sweep(game: &HeapGame, sizes: &[u32], bytes: u64, nodes: u64) -> Option<BoxSweep> {
    let max = sizes.iter().copied().max().unwrap_or(0);
    let limits = Limits::bytes(bytes);
    let fits = |plan: Result<Plan, HeapTableError>, most: u128| {
        plan.ok()
            .map(|plan| plan.positions)
            .filter(|positions| *positions <= most.min(nodes.into()))
    };
    if let Some(sweep) =
        HeapSweep::from_game(game).filter(|sweep| !game.shrinks && sweep.is_suitable(max))
    {
        let positions = fits(sweep.plan(max, limits), MAX_SWEPT)?;
        let most = vec![max.into(); game.heaps];
        let sweep = match sweep.row_sweep(max).is_some() {
            true => Swept::Rows(sweep),
            false => Swept::Positions(Box::new(sweep)),
        };
        return Some(BoxSweep { sweep, positions, most });
    }
    let sweep = SpanSweep::new(game)?;
    // Heaps that may change places have one bound.
    let keep_places = game.symmetry == Symmetry::None;
    let mut most = if keep_places { sizes.to_vec() } else { vec![max; game.heaps] };
    // What is remembered may become more.
    most[game.heaps - game.moves.memory.count..].fill(max);
    let sweep = if keep_places { sweep.limited_to(most.clone()) } else { sweep };
    let positions = fits(sweep.plan(max, limits), MAX_STEPPED)?;
    let most = most.into_iter().map(u64::from).collect();
    Some(BoxSweep { sweep: Swept::Positions(Box::new(sweep)), positions, most })
}

/// Returns sizes of at most 32 bits.
fn narrow(sizes: &[u64]) -> Option<Vec<u32>> {
    sizes.iter().map(|size| u32::try_from(*size).ok()).collect()
}

impl<R: NamedRuleset + 'static> BySweep<R> {
    /// Returns the box that was swept, if it has these heaps.
    fn known_box(&self, sizes: &[u64]) -> Option<&SweptBox> {
        self.swept.as_ref().filter(|swept| swept.has(sizes))
    }

    /// Returns who wins by the sweep of a box, if one is small enough.
    fn by_box(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Option<Outcome>, LimitReached> {
        let Some(sizes) = rules.sizes(p) else { return Ok(None) };
        if self.known_box(&sizes).is_none() {
            let Some(heaps) = narrow(&sizes) else { return Ok(None) };
            let max = heaps.iter().copied().max().unwrap_or(0);
            let game =
                rules.heap_game().filter(|game| game.heaps == sizes.len() && max < self.refused);
            let Some(game) = game else { return Ok(None) };
            match SweptBox::new(&game, &heaps, self.play, meter)? {
                Some(swept) => self.swept = Some(swept),
                None => self.refused = max,
            }
        }
        Ok(self.known_box(&sizes).map(|swept| swept.outcome(&sizes)))
    }
}

impl<R: NamedRuleset + 'static> Evaluator<R> for BySweep<R> {
    const KIND: Kind = Kind::LastMove;

    fn new(rules: &R, settings: &Settings) -> Self {
        let search = ByOutcome::new(rules, settings);
        BySweep {
            search,
            play: settings.play,
            swept: None,
            refused: u32::MAX,
            value_sweeps: None,
            values: Vec::new(),
            untabled: None,
        }
    }

    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        if self.swept.is_none()
            && !self.comes_first(rules, p, SEARCHED)
            && let Some(found) = searched(meter, |share| self.search.evaluate(rules, p, share))?
        {
            return Ok(found);
        }
        match self.by_box(rules, p, meter)? {
            Some(outcome) => Ok(Evaluation { outcome: Some(outcome), ..Evaluation::default() }),
            None => self.search.evaluate(rules, p, meter),
        }
    }

    fn reach(&self, rules: &R, p: &R::Position) -> Option<u64> {
        // What is remembered may become more than it is.
        let keeps = rules.heap_game().is_some_and(|game| game.moves.memory.count == 0);
        let sizes = rules.sizes(p).filter(|_| keeps)?;
        sizes.iter().try_fold(1u64, |all, size| all.checked_mul(size.checked_add(1)?))
    }

    fn comes_first(&self, rules: &R, p: &R::Position, nodes: u64) -> bool {
        // A browser is not sent what this takes for every kind of game.
        if cfg!(target_family = "wasm") {
            return false;
        }
        let Some(sizes) = rules.sizes(p) else { return false };
        if self.known_box(&sizes).is_some() {
            return true;
        }
        // Few positions are searched in any case, and those that more nodes were given for.
        let below = cells(&sizes);
        let is_meant = nodes > SEARCHED && below <= nodes.into();
        if is_meant || below < *TABLED.start() {
            return false;
        }
        let Some(heaps) =
            narrow(&sizes).filter(|heaps| heaps.iter().all(|heap| *heap < self.refused))
        else {
            return false;
        };
        let mut options = 0u64;
        let _ = rules.options(p, |_| {
            options += 1;
            if options < MAX_COUNTED { Continue(()) } else { Break(()) }
        });
        let visits = u128::from(options) * below.min(nodes.into());
        if visits < FEW_VISITS {
            return false;
        }
        let Some(game) = rules.heap_game().filter(|game| game.heaps == sizes.len()) else {
            return false;
        };
        let sweep = box_sweep(&game, &heaps, u64::MAX, u64::MAX);
        sweep.is_some_and(|found| {
            let [by_rows, one_by_one] = SETTLED;
            let settled = if matches!(found.sweep, Swept::Rows(_)) { by_rows } else { one_by_one };
            found.positions < visits * settled
        })
    }

    fn value_by_table(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        // Not in the page, which would grow.
        if cfg!(target_family = "wasm") || self.play == Play::Misere {
            return None;
        }
        let sizes = rules.sizes(p)?;
        if let Some(value) = self.values.iter().find_map(|known| known.value(&sizes)) {
            return Some(Ok(value));
        }
        let left =
            meter.budget().nodes.map_or(u64::MAX, |limit| limit.saturating_sub(meter.nodes()));
        let is_below = |most: &Vec<u64>| sizes.iter().zip(most).all(|(size, most)| size <= most);
        if self.untabled.as_ref().is_some_and(is_below) {
            return None;
        }
        if cells(&sizes) > *TABLED.end() {
            self.untabled = Some(sizes);
            return None;
        }
        let heaps = narrow(&sizes).filter(|_| cells(&sizes) >= *TABLED.start())?;
        let sweeps = self.value_sweeps.get_or_insert_with(|| ValueSweeps::of(&rules.heap_game()?));
        let sweeps = sweeps.as_ref().filter(|sweeps| sweeps.heaps == heaps.len())?;
        let bytes = meter.budget().bytes.unwrap_or(u64::MAX);
        let (most, sweep) = sweeps.least_box(&heaps, bytes)?;
        let positions = cells(&most);
        if positions > *TABLED.end() || positions > left.into() {
            self.untabled = Some(sizes);
            return None;
        }
        let max = most.iter().copied().max().unwrap_or(0);
        let most: Vec<u64> = most.into_iter().map(u64::from).collect();
        let mut found = ValueBox { most, values: vec![0; positions as usize] };
        // The sweep gives one position of each class.
        let end = sweep.nim_values(max, bytes, meter, &mut |p, value| {
            found.put(sweeps.images.iter().map(|image| image.iter().map(|heap| p[*heap])), value);
            Continue(())
        });
        if let Err(spent) = end {
            return Some(Err(spent));
        }
        let value = found.value(&sizes);
        let is_held =
            |known: &ValueBox| known.most.iter().zip(&found.most).all(|(one, most)| one <= most);
        self.values.retain(|known| !is_held(known));
        self.values.truncate(MAX_VALUE_BOXES - 1);
        self.values.insert(0, found);
        value.map(Ok)
    }

    fn box_tables(game: &HeapGame, max: u32) -> Option<Box<dyn BoxTables>> {
        if let Some(domain) = &game.moves.domain {
            if !Occurring::is_swept(game, domain, max) {
                return None;
            }
            let mut all = game.clone();
            all.moves.domain = None;
            let tables = Self::box_tables(&all, max)?;
            return Some(Box::new(Occurring { tables, domain: domain.clone() }));
        }
        if let Some(sweep) = HeapSweep::from_game(game).filter(|sweep| sweep.is_suitable(max)) {
            let spans = (game.heaps == 1).then(|| SpanSweep::new(game)).flatten();
            return match spans.filter(|spans| spans.has_last_sizes(max)) {
                Some(spans) => Some(Box::new(SingleLine { sweep, spans })),
                None => Some(Box::new(sweep)),
            };
        }
        match SingleHeap::new(game) {
            Some(heap) => Some(Box::new(heap)),
            None => match SpanSweep::new(game) {
                Some(spans) => Some(Box::new(spans)),
                None => Some(Box::new(RunSweep::new(game)?)),
            },
        }
    }
}

/// Evaluates single heaps whose options are ranges of sizes by a table from size 0 on, where a
/// search has not found the answer soon; all other positions as `E` does.
pub struct BySingleHeap<R: Ruleset, E> {
    others: E,
    heap: Option<SingleHeap>,
    play: Play,
    /// The size of a heap up to which its nim-value is sought although who wins is found without
    /// it.
    most_for_value: u64,
    values: ValueTable,
    outcomes: OutcomeTable,
    possible: PossibleOutcomes,
    /// A single heap of a game in which a move lowers one heap to any size, once it is asked for.
    any: Option<Option<SingleHeap>>,
    rules: std::marker::PhantomData<fn() -> R>,
}

impl<R: Impartial + NamedRuleset + 'static, E: Evaluator<R>> BySingleHeap<R, E> {
    /// Returns the nim-value of a single heap: by the table as far as it goes, or without one.
    fn known_value(&self, size: u32, meter: &mut Meter) -> Result<Option<Nimber>, LimitReached> {
        match (self.values.values().get(size as usize), &self.heap) {
            (Some(value), _) => Ok(Some(Nimber(value))),
            (None, Some(heap)) => heap.nim_value(size, meter),
            (None, None) => Ok(None),
        }
    }

    /// Returns who wins from one heap that is larger than tables, where that is found without one.
    fn by_possible_outcomes(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Option<Outcome>, LimitReached> {
        let sizes = rules.sizes(p);
        let Some(&[size]) = sizes.as_deref() else { return Ok(None) };
        let least = match self.play {
            Play::Normal => self.most_for_value.max(self.values.values().len() as u64),
            Play::Misere => 0,
        };
        if size <= least.saturating_add(SEARCHED)
            || u32::try_from(size).is_ok_and(|size| self.outcomes.outcome(size).is_some())
        {
            return Ok(None);
        }
        let options = |size: u64, all: &mut Vec<u64>| {
            let Some(p) = rules.position(&[size]) else { return false };
            let listed = rules.options(&p, |option| match rules.sizes(&option).as_deref() {
                Some([size]) if all.len() < MAX_OPTIONS => {
                    all.push(*size);
                    Continue(())
                }
                _ => Break(()),
            });
            listed.is_continue()
        };
        self.possible.outcome(size, &options, meter)
    }

    /// Returns the one heap of a position, if the table is for it.
    fn size(&self, rules: &R, p: &R::Position) -> Option<u32> {
        self.heap.as_ref()?;
        match rules.sizes(p)?[..] {
            [size] => u32::try_from(size).ok(),
            _ => None,
        }
    }
}

impl<R: Impartial + NamedRuleset + 'static, E: Evaluator<R>> Evaluator<R> for BySingleHeap<R, E> {
    const KIND: Kind = E::KIND;

    fn new(rules: &R, settings: &Settings) -> Self {
        let heap = rules.heap_game().as_ref().and_then(SingleHeap::new);
        BySingleHeap {
            others: E::new(rules, settings),
            play: settings.play,
            // Without a table a heap takes a node for each size below it.
            most_for_value: match settings.nim_value_nodes {
                0 => 0,
                nodes if heap.is_none() => nodes,
                nodes => nodes.max(MAX_FOR_VALUE),
            },
            heap,
            values: ValueTable::default(),
            outcomes: OutcomeTable::new(settings.play),
            possible: PossibleOutcomes::new(settings.play),
            any: None,
            rules: std::marker::PhantomData,
        }
    }

    fn evaluate(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        if let Some(outcome) = self.by_possible_outcomes(rules, p, meter)? {
            return Ok(Evaluation { outcome: Some(outcome), ..Evaluation::default() });
        }
        let Some(size) = self.size(rules, p) else { return self.others.evaluate(rules, p, meter) };
        if self.play == Play::Normal {
            let value =
                self.nim_value(rules, p, meter).unwrap_or(Err(LimitReached::NumbersTooLarge))?;
            return Ok(Evaluation::from_nim_value(value));
        }
        let bytes = meter.budget().bytes.unwrap_or(u64::MAX);
        if self.outcomes.outcome(size).is_none()
            && let Some(heap) = &self.heap
        {
            match searched(meter, |share| self.others.evaluate(rules, p, share))? {
                Some(found) => return Ok(found),
                None => self.outcomes.fill(heap, size, bytes, meter)?,
            }
        }
        Ok(Evaluation { outcome: self.outcomes.outcome(size), ..Evaluation::default() })
    }

    fn nim_value(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        let Some(size) = self.size(rules, p) else { return self.others.nim_value(rules, p, meter) };
        let mut found = || {
            if let Some(value) = self.known_value(size, meter)? {
                return Ok(value);
            }
            // Few sizes may be reached from a large heap.
            let others = &mut self.others;
            let search = |share: &mut Meter| others.nim_value(rules, p, share).transpose();
            if size as usize > self.values.values().len() + SEARCHED as usize
                && let Some(Some(value)) = searched(meter, search)?
            {
                return Ok(value);
            }
            let heap = self.heap.as_ref().ok_or(LimitReached::NumbersTooLarge)?;
            let bytes = meter.budget().bytes.unwrap_or(u64::MAX);
            let values = self.values.fill(heap, size, bytes, meter)?;
            values.get(size as usize).map(Nimber).ok_or(LimitReached::NumbersTooLarge)
        };
        Some(found())
    }

    fn value_by_table(
        &mut self,
        rules: &R,
        p: &R::Position,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        // Of a subtraction set a heap has few options, and one node for each heap below it.
        let is_short = || matches!(rules.heap_moves(), Some(HeapMoves::Take(_)));
        if self.size(rules, p).is_some() || is_short() {
            return self.nim_value(rules, p, meter);
        }
        if let Some(found) = self.others.value_by_table(rules, p, meter) {
            return Some(found);
        }
        let any = self.any.get_or_insert_with(|| any_size(rules)).as_ref()?;
        let mut value = |size| any.nim_value(u32::try_from(size).ok()?, meter).transpose();
        let sizes = rules.sizes(p)?.into_iter();
        sizes.map(&mut value).collect::<Option<Result<Vec<Nimber>, _>>>().map(|values| {
            values.map(|values| values.into_iter().fold(Nimber(0), |sum, value| sum ^ value))
        })
    }

    fn summands(rules: &R, p: &R::Position, visit: &mut dyn FnMut(R::Position)) {
        E::summands(rules, p, visit);
    }

    fn box_tables(game: &HeapGame, max: u32) -> Option<Box<dyn BoxTables>> {
        E::box_tables(game, max)
    }
}

/// Returns a single heap of these rules, if a move lowers one heap to any size and nothing else is
/// said.
fn any_size<R: NamedRuleset>(rules: &R) -> Option<SingleHeap> {
    let moves = rules.moves()?;
    let is_free =
        moves.condition.is_none() && moves.permutation.is_none() && moves.domain.is_none();
    if moves.windows != Windows::Any(1) || !is_free || moves.memory.count > 0 {
        return None;
    }
    let moves = Moves::with_formula(Windows::Any(1), "q0 < p0").ok()?;
    let digits = Digits::Binary;
    SingleHeap::new(&HeapGame { heaps: 1, symmetry: Symmetry::None, shrinks: false, moves, digits })
}

/// Returns what a search of a few nodes finds, if it comes to its end.
fn searched<T>(
    meter: &mut Meter,
    search: impl FnOnce(&mut Meter) -> Result<T, LimitReached>,
) -> Result<Option<T>, LimitReached> {
    let left = meter.budget().nodes.map_or(u64::MAX, |limit| limit.saturating_sub(meter.nodes()));
    if left <= SEARCHED {
        return search(meter).map(Some);
    }
    let mut share = meter.fork(SEARCHED);
    let found = search(&mut share);
    meter.join(&share);
    match found {
        Ok(found) => Ok(Some(found)),
        Err(LimitReached::Nodes(_)) => Ok(None),
        Err(spent) => Err(spent),
    }
}

/// Evaluates positions that have nim-values.
pub type ByHeaps<R> = BySingleHeap<R, ByNimValue<R, BySweep<R>>>;

/// Returns the game of these rules, whose positions have nim-values.
pub fn impartial<R: Impartial + NamedRuleset + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, ByHeaps<R>>(rules)
}

/// Returns the game of these rules, won by the last move, whose positions have no nim-values.
pub fn last_move<R: NamedRuleset + Clone + 'static>(rules: R) -> Box<dyn Game> {
    with_evaluator::<R, BySweep<R>>(rules)
}

/// The tables of a single heap: P-positions by the one sweep, nim-values by the other.
struct SingleLine {
    sweep: HeapSweep,
    spans: SpanSweep,
}

impl BoxTables for SingleLine {
    fn p_positions(
        &self,
        max: u32,
        play: Play,
        bytes: u64,
        meter: &mut Meter,
        visit: VisitSizes<'_>,
    ) -> Result<(), LimitReached> {
        BoxTables::p_positions(&self.sweep, max, play, bytes, meter, visit)
    }

    fn nim_values(
        &self,
        max: u32,
        bytes: u64,
        meter: &mut Meter,
        visit: VisitKnown<'_, Nimber>,
    ) -> Result<(), LimitReached> {
        BoxTables::nim_values(&self.spans, max, bytes, meter, visit)
    }
}

/// The greatest number of positions of a box that is swept although not all of them occur.
const MAX_OCCURRING: u64 = 1 << 26;

/// The tables of a game in which not all positions of a box occur. From the others there is no
/// move, and none leads to them, so that they are swept with the rest, and not visited.
struct Occurring {
    tables: Box<dyn BoxTables>,
    domain: Domain,
}

impl Occurring {
    /// Returns whether a box is small enough, its numbers have no bounds of their own, and the game
    /// does not remember.
    fn is_swept(game: &HeapGame, domain: &Domain, max: u32) -> bool {
        let side = u64::from(max) + 1;
        let positions = u32::try_from(game.heaps).ok().and_then(|heaps| side.checked_pow(heaps));
        game.moves.memory.count == 0
            && positions.is_some_and(|positions| {
                positions <= MAX_OCCURRING && domain.box_size(max.into()) == positions
            })
    }
}

impl BoxTables for Occurring {
    fn p_positions(
        &self,
        max: u32,
        play: Play,
        bytes: u64,
        meter: &mut Meter,
        visit: VisitSizes<'_>,
    ) -> Result<(), LimitReached> {
        self.tables.p_positions(max, play, bytes, meter, &mut |sizes| {
            if self.domain.contains(sizes) { visit(sizes) } else { Continue(()) }
        })
    }

    fn nim_values(
        &self,
        max: u32,
        bytes: u64,
        meter: &mut Meter,
        visit: VisitKnown<'_, Nimber>,
    ) -> Result<(), LimitReached> {
        self.tables.nim_values(max, bytes, meter, &mut |sizes, value| {
            if self.domain.contains(sizes) { visit(sizes, value) } else { Continue(()) }
        })
    }
}

/// Sweeps of boxes of 32-bit heaps as tables.
macro_rules! box_tables {
    ($($sweep:ty),+) => { $(
        impl BoxTables for $sweep {
            fn p_positions(
                &self,
                max: u32,
                play: Play,
                bytes: u64,
                meter: &mut Meter,
                visit: VisitSizes<'_>,
            ) -> Result<(), LimitReached> {
                let mut visit = widened(|sizes, ()| visit(sizes));
                let progress = |positions| spend(meter, positions);
                let limits = Limits::bytes(bytes);
                let end = <$sweep>::p_positions(self, max, play, limits, progress, |p|
                    visit(p, ()));
                end.map_err(refused).and_then(ended)
            }

            fn nim_values(
                &self,
                max: u32,
                bytes: u64,
                meter: &mut Meter,
                visit: VisitKnown<'_, Nimber>,
            ) -> Result<(), LimitReached> {
                let visit = widened(|sizes, value| visit(sizes, Nimber(u32::from(value))));
                let progress = |positions| spend(meter, positions);
                let end = <$sweep>::nim_values(self, max, Limits::bytes(bytes), progress, visit);
                end.map_err(refused).and_then(ended)
            }
        }
    )+ };
}

box_tables!(HeapSweep, RunSweep, SpanSweep);

/// Returns a visitor of heaps of 32 bits that hands them on as sizes.
fn widened<T>(
    mut visit: impl FnMut(&[u64], T) -> ControlFlow<()>,
) -> impl FnMut(&[u32], T) -> ControlFlow<Option<LimitReached>> {
    let mut sizes = Vec::new();
    move |heaps, more| {
        sizes.clear();
        sizes.extend(heaps.iter().map(|heap| u64::from(*heap)));
        visit(&sizes, more).map_break(|()| None)
    }
}

/// Charges positions that a sweep has settled.
fn spend(meter: &mut Meter, positions: u128) -> ControlFlow<Option<LimitReached>> {
    match meter.spend_and_poll(u64::try_from(positions).unwrap_or(u64::MAX)) {
        Ok(()) => Continue(()),
        Err(spent) => Break(Some(spent)),
    }
}

/// Returns why the visitor was not called to the end, if it did not end the sweep itself.
fn ended(end: ControlFlow<Option<LimitReached>>) -> Result<(), LimitReached> {
    match end {
        Break(Some(spent)) => Err(spent),
        Break(None) | Continue(()) => Ok(()),
    }
}

/// Returns why a table was not begun: only its size can be the reason, for the game was read
/// before.
fn refused(error: HeapTableError) -> LimitReached {
    match error {
        HeapTableError::TooLarge { limit, .. } => LimitReached::Bytes(limit),
        HeapTableError::WrongHeapCount(_)
        | HeapTableError::Faces
        | HeapTableError::EmptyWindow
        | HeapTableError::HeapTooLarge { .. } => LimitReached::NumbersTooLarge,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    /// Few P-positions are kept one by one, many as bits; by a sweep that keeps none.
    #[test]
    fn boxes_keep_their_p_positions() {
        for (condition, sizes, is_many) in [
            ("q1 = p1 & q0 < p0 & p0 <= q0+2 | q0 = p0 & q1 < p1 & p1 <= q1+2", [150, 200], true),
            ("q1 = p1 & q0 < p0 & q0+3 >= p1 | q0 = p0 & q1 < p1 & q1+3 >= p0", [50, 40], false),
        ] {
            let moves = Moves::with_formula(Windows::Any(2), condition).unwrap();
            let game = HeapGame {
                heaps: 2,
                symmetry: Symmetry::None,
                shrinks: false,
                moves,
                digits: Digits::Binary,
            };
            let mut meter = Meter::new(&Budget::default());
            let swept = SweptBox::new(&game, &sizes, Play::Normal, &mut meter).unwrap().unwrap();
            assert_eq!(matches!(swept.p_positions, Kept::Many(_)), is_many, "{condition}");
            let mut all = FxHashSet::default();
            let max = sizes.into_iter().max().unwrap();
            let end = RunSweep::new(&game).unwrap().p_positions::<()>(
                max,
                Play::Normal,
                Limits::bytes(1 << 20),
                |_| Continue(()),
                |p| {
                    all.insert([u64::from(p[0]), u64::from(p[1])]);
                    Continue(())
                },
            );
            assert_eq!(end, Ok(Continue(())));
            for p in (0..=u64::from(sizes[0]))
                .flat_map(|a| (0..=u64::from(sizes[1])).map(move |b| [a, b]))
            {
                let expected = if all.contains(&p) { Outcome::P } else { Outcome::N };
                assert_eq!(swept.outcome(&p), expected, "{condition} {p:?}");
            }
        }
    }
}

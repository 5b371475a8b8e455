//! Nim-sequences of taking-and-breaking games: the nim-values of single heaps 0, 1, 2, …
//!
//! [`Sequence`] picks the engine: [`sparse`] for codes that end and leave at most two heaps, [`pairs`] for the same
//! where the run is short, rare heaps are many or values pass a byte, [`takings`] for subtraction games, [`plain`] for all others.

mod brisk;
pub mod checkpoint;
pub mod code;
mod ends;
mod history;
mod kernel;
mod lane;
mod large;
mod marks;
mod moves;
mod near;
mod pairs;
pub mod period;
mod pipeline;
pub mod plain;
mod quiet;
pub mod recurrence;
mod repeats;
pub mod search;
mod sieve;
mod space;
mod sparse;
mod splits;
mod takings;
mod terms;
mod totals;
mod values;
mod wide;
pub mod window;

pub use bouton_simd::Simd;
pub use checkpoint::{Checkpoint, CheckpointError};
pub use code::{Digit, TakeBreak};
pub use history::Room;
pub use period::{Period, Proof};
pub use search::{Search, Searched};
pub use space::Space;
pub use takings::Takings;
pub use values::Values;
pub use window::Window;

use bouton_core::{HeapMoves, LimitReached, Meter, NotationError};
use moves::Moves;
use pairs::Pairs;
use period::Reach;
use sparse::{Sparse, Stop};
use std::ops::Range;
use wide::Wide;

/// Heaps computed plainly before a sparse space is chosen.
const EARLY: usize = 256;

/// The most heaps. In a sparse space only the sizes of rare heaps must be 32-bit numbers.
pub const MOST_HEAPS: usize = if usize::BITS > 32 { (1u64 << 40) as usize } else { MOST_NARROW };

/// The most heaps elsewhere: their sizes, and what moves add to them, are 32-bit numbers.
const MOST_NARROW: usize = u32::MAX as usize - (1 << 16);

/// The nim-sequence of a game, computed as far as asked; the whole history is kept.
#[derive(Debug)]
pub struct Sequence {
    game: String,
    code: Option<TakeBreak>,
    reach: Option<Reach>,
    simd: Simd,
    room: Room,
    threads: Option<usize>,
    engine: Engine,
}

#[derive(Debug)]
enum Engine {
    /// Values one by one; the moves where a sparse space may take over.
    Plain(Vec<u32>, Option<Moves>),
    Takings(Takings),
    Sparse(Box<Sparse>, Moves),
    /// A sparse space of values past a byte.
    Wide(Box<Wide>, Moves),
    /// Vectors over all splits.
    Pairs(Box<Pairs>, Moves),
}

impl Sequence {
    /// Starts with the best instructions of this processor.
    pub fn new(code: TakeBreak) -> Sequence {
        Sequence::with_simd(code, Simd::best())
    }

    /// Starts with given instructions; the values are the same.
    pub fn with_simd(code: TakeBreak, simd: Simd) -> Sequence {
        let moves = Moves::new(&code).filter(|moves| !moves.pairs.is_empty());
        let (game, reach) = (code.to_string(), Reach::of(&code));
        let engine = Engine::Plain(Vec::new(), moves);
        Sequence { game, code: Some(code), reach, simd, room: Room::default(), threads: None, engine }
    }

    /// The subtraction game of a set; `None` where it is empty or has 0.
    pub fn takings(set: &[u64]) -> Option<Sequence> {
        let takings = Takings::new(set)?;
        let set: Vec<String> = takings.set().iter().map(usize::to_string).collect();
        let (game, reach) = (format!("S({})", set.join(",")), Some(Reach::of_takings(takings.set())));
        let (simd, room) = (Simd::best(), Room::default());
        let engine = Engine::Takings(takings);
        Some(Sequence { game, code: None, reach, simd, room, threads: None, engine })
    }

    /// The nim-sequence of the single heaps of a game.
    pub fn of(moves: &HeapMoves) -> Result<Sequence, NotationError> {
        match moves {
            HeapMoves::Code(code) => Ok(Sequence::new(TakeBreak::parse(code)?)),
            HeapMoves::Take(set) => Sequence::takings(set).ok_or_else(|| {
                NotationError::new("", 0..0, "nothing can be taken", "numbers to take, at least 1 each")
            }),
        }
    }

    /// The same sequence with nothing known.
    pub fn anew(&self) -> Sequence {
        let Sequence { game, code, reach, simd, room, threads, engine } = self;
        let engine = match engine {
            Engine::Takings(takings) => Engine::Takings(takings.anew()),
            _ => Engine::Plain(
                Vec::new(),
                code.as_ref().and_then(Moves::new).filter(|moves| !moves.pairs.is_empty()),
            ),
        };
        Sequence {
            game: game.clone(),
            code: code.clone(),
            reach: *reach,
            simd: *simd,
            room: room.clone(),
            threads: *threads,
            engine,
        }
    }

    /// Where values are to be kept; to be said before the first is computed.
    pub fn within(mut self, room: Room) -> Sequence {
        self.room = room;
        self
    }

    /// On how many threads long runs go, at most 4; without this, on as many as the machine has. The values are the same.
    pub fn on(mut self, threads: usize) -> Sequence {
        self.threads = Some(threads);
        self
    }

    /// Where values are kept.
    pub fn room(&self) -> &Room {
        &self.room
    }

    /// Goes on from values computed before: those of heaps 0..`values.len()`. Refused where they have no room.
    pub fn resume(mut self, values: Values) -> Result<Sequence, LimitReached> {
        let all = |values: Values| -> Result<Vec<u32>, LimitReached> {
            self.room.hold(size_of::<u32>() as u64 * values.len() as u64)?;
            Ok(values.iter().collect())
        };
        let engine = std::mem::replace(&mut self.engine, Engine::Plain(Vec::new(), None));
        self.engine = match engine {
            Engine::Plain(_, Some(moves)) if values.len() >= EARLY => {
                match Sparse::new(&moves, values, self.simd) {
                    Ok(mut sparse) if sparse.serves() || !self.has_room_for_pairs(sparse.len()) => {
                        if !sparse.serves() {
                            sparse.last();
                        }
                        Engine::Sparse(Box::new(sparse), moves)
                    }
                    Ok(sparse) => {
                        let known = (0..sparse.len()).map(|n| sparse.value(n));
                        fastest(&self.room, self.simd, moves, known)?
                    }
                    Err((_, values)) => fastest(&self.room, self.simd, moves, values.iter())?,
                }
            }
            Engine::Plain(_, moves) => Engine::Plain(all(values)?, moves),
            Engine::Takings(takings) => Engine::Takings(takings.resume(all(values)?)),
            engine => engine,
        };
        Ok(self)
    }

    /// The game: a code, or S(…).
    pub fn game(&self) -> &str {
        &self.game
    }

    /// What a proof of a period asks for, where there is one.
    pub fn reach(&self) -> Option<Reach> {
        self.reach
    }

    /// How many values are known: those of heaps 0..`len`.
    pub fn len(&self) -> usize {
        match &self.engine {
            Engine::Plain(values, _) => values.len(),
            Engine::Takings(takings) => takings.values().len(),
            Engine::Sparse(sparse, _) => sparse.len(),
            Engine::Wide(wide, _) => wide.len(),
            Engine::Pairs(pairs, _) => pairs.values().len(),
        }
    }

    /// Whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nim-value of a heap of size `n`, below [`Sequence::len`].
    pub fn value(&self, n: usize) -> u32 {
        match &self.engine {
            Engine::Plain(values, _) => values[n],
            Engine::Takings(takings) => takings.values()[n],
            Engine::Sparse(sparse, _) => sparse.value(n),
            Engine::Wide(wide, _) => wide.value(n),
            Engine::Pairs(pairs, _) => u32::from(pairs.values()[n]),
        }
    }

    /// The nim-values of heaps 0, 1, … as far as known.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator {
        (0..self.len()).map(|n| self.value(n))
    }

    /// The least distance in `distances` at which the last values may be repeated; a quick look.
    fn next_repeat(&self, mut distances: Range<usize>) -> Option<usize> {
        match &self.engine {
            Engine::Sparse(sparse, _) => sparse.next_repeat(distances),
            Engine::Wide(wide, _) => wide.next_repeat(distances),
            Engine::Pairs(pairs, _) => {
                let values = pairs.values();
                let last = &values[values.len().saturating_sub(8)..];
                let earlier = |distance: &usize| values.len().checked_sub(last.len() + distance);
                distances
                    .find(|distance| earlier(distance).is_none_or(|at| values[at..at + last.len()] == *last))
            }
            _ => distances.next(),
        }
    }

    /// The last heap whose value is not that of the heap `period` smaller, `saltus` added.
    fn last_change(&self, period: usize, saltus: u32) -> Option<usize> {
        match &self.engine {
            Engine::Sparse(sparse, _) if saltus == 0 => sparse.last_change(period),
            Engine::Wide(wide, _) if saltus == 0 => wide.last_change(period),
            _ => (period..self.len()).rev().find(|n| self.value(*n) != self.value(n - period) + saltus),
        }
    }

    /// The sparse space in use and its rare heaps, ascending; none where the values are computed plainly.
    pub fn rares(&self) -> Option<(&Space, Vec<usize>)> {
        match &self.engine {
            Engine::Plain(..) | Engine::Takings(_) => None,
            Engine::Sparse(sparse, _) => Some((sparse.space(), sparse.rares())),
            Engine::Wide(wide, _) => Some((wide.space(), wide.rares().iter().map(|n| *n as usize).collect())),
            Engine::Pairs(pairs, _) => {
                Some((pairs.space(), pairs.rares().iter().map(|n| *n as usize).collect()))
            }
        }
    }

    /// The sparse window: how far back values are looked at to find the next one, and since which heap that is so.
    fn window(&self) -> Option<(usize, usize)> {
        match &self.engine {
            Engine::Sparse(sparse, moves) => Some(sparse.window(moves)),
            Engine::Wide(wide, moves) => Some(wide.window(moves)),
            _ => None,
        }
    }

    /// The last values, if those to come follow from them as far as is seen: no heap of late was rare, nor common for reasons
    /// from far away.
    pub fn settled(&self) -> Option<Window> {
        match &self.engine {
            Engine::Sparse(sparse, moves) => sparse.settled(moves),
            _ => None,
        }
    }

    /// Extends the values to heaps 0..`len`; one node of the budget a heap. What is known stays when the budget ends.
    pub fn extend(&mut self, len: usize, meter: &mut Meter) -> Result<(), LimitReached> {
        if len > MOST_HEAPS {
            return Err(LimitReached::Heaps(MOST_HEAPS as u64));
        }
        while self.len() < len {
            let mut len = len;
            if !matches!(self.engine, Engine::Sparse(..) | Engine::Wide(..)) {
                narrow(self.len())?;
                len = len.min(MOST_NARROW);
            }
            match &self.engine {
                Engine::Sparse(..) | Engine::Wide(..) | Engine::Plain(_, Some(_)) => {}
                Engine::Pairs(pairs, moves) => match self.room.hold(PAIRS_BYTES * len as u64) {
                    Ok(()) => {}
                    // A sparse space needs less.
                    Err(full) => match sparse_from(&self.room, moves, pairs.values(), len, self.simd)? {
                        Some(mut sparse) => {
                            sparse.last();
                            self.engine = Engine::Sparse(Box::new(sparse), moves.clone());
                        }
                        None => {
                            let known = pairs.values().iter().map(|value| u32::from(*value));
                            self.engine =
                                lasting(&self.room, self.simd, moves.clone(), known)?.ok_or(full)?;
                        }
                    },
                },
                _ => self.room.hold(size_of::<u32>() as u64 * len as u64)?,
            }
            // Asked for only where it matters, for the system takes its time to tell.
            let machine = || std::thread::available_parallelism().map_or(1, usize::from);
            let threads = || self.threads.unwrap_or_else(machine);
            match &mut self.engine {
                Engine::Takings(takings) => takings.extend(len, meter)?,
                Engine::Plain(values, moves) => {
                    let code = self.code.as_ref().expect("this engine is of a code");
                    if moves.is_some() {
                        plain::extend_by_pairs(code, values, len.min(EARLY), meter)?;
                    } else if code.most_parts().is_some_and(|parts| parts <= 2) {
                        plain::extend_by_pairs(code, values, len, meter)?;
                    } else {
                        *values = plain::nim_values(code, len, meter)?;
                    }
                    if let Some(moves) = moves.take_if(|_| values.len() >= EARLY) {
                        let values = std::mem::take(values);
                        self.engine = one_by_one(&self.room, self.simd, moves, values)?;
                    }
                }
                Engine::Pairs(pairs, moves) => match pairs.extend(moves, len, meter) {
                    Ok(()) => {}
                    Err(pairs::Stop::LimitReached(spent)) => return Err(spent),
                    Err(pairs::Stop::Doubled) => {
                        if !Sparse::would_serve(moves, pairs.values()) {
                            let known = pairs.values().iter().map(|value| u32::from(*value));
                            if let Some(wide) = wide_from(&self.room, moves, known, self.simd)? {
                                self.engine = Engine::Wide(Box::new(wide), moves.clone());
                            }
                            continue;
                        }
                        if let Some(sparse) = sparse_from(&self.room, moves, pairs.values(), len, self.simd)?
                        {
                            self.engine = Engine::Sparse(Box::new(sparse), moves.clone());
                        }
                    }
                    Err(pairs::Stop::Large) => {
                        let known = pairs.values().iter().map(|value| u32::from(*value));
                        self.engine = Engine::Plain(known.collect(), None);
                    }
                },
                Engine::Sparse(sparse, moves) => match sparse.extend(moves, len, threads, meter) {
                    Ok(()) => {}
                    Err(Stop::LimitReached(spent)) => return Err(spent),
                    Err(Stop::Dense) if self.room.hold(PAIRS_BYTES * len as u64).is_err() => sparse.last(),
                    Err(Stop::Large | Stop::Dense) => {
                        let (moves, known) = (moves.clone(), (0..sparse.len()).map(|n| sparse.value(n)));
                        self.engine = fastest(&self.room, self.simd, moves, known)?;
                    }
                },
                Engine::Wide(wide, moves) => match wide.extend(moves, len, meter) {
                    Ok(()) => {}
                    Err(Stop::LimitReached(spent)) => return Err(spent),
                    Err(Stop::Dense) if self.room.hold(PAIRS_BYTES * len as u64).is_err() => wide.last(),
                    Err(Stop::Large | Stop::Dense) => {
                        let (moves, known) = (moves.clone(), (0..wide.len()).map(|n| wide.value(n)));
                        self.room.hold(PAIRS_BYTES * wide.len() as u64)?;
                        self.engine = one_by_one(&self.room, self.simd, moves, known.collect())?;
                    }
                },
            }
        }
        Ok(())
    }

    fn has_room_for_pairs(&self, len: usize) -> bool {
        self.room.hold(PAIRS_BYTES * len as u64).is_ok()
    }
}

/// The engine that assumes least and goes on from these values.
fn one_by_one(room: &Room, simd: Simd, moves: Moves, values: Vec<u32>) -> Result<Engine, LimitReached> {
    narrow(values.len())?;
    room.hold(PAIRS_BYTES * values.len() as u64)?;
    Ok(match Pairs::new(&moves, values.iter().copied(), simd) {
        Some(pairs) => Engine::Pairs(Box::new(pairs), moves),
        None => Engine::Plain(values, None),
    })
}

/// Whether other engines than that of a sparse space take one more heap.
fn narrow(len: usize) -> Result<(), LimitReached> {
    if len < MOST_NARROW { Ok(()) } else { Err(LimitReached::Heaps(MOST_NARROW as u64)) }
}

/// A sparse space for known values; `None` where too many of them are past a byte.
fn sparse_from(
    room: &Room,
    moves: &Moves,
    values: &[u16],
    len: usize,
    simd: Simd,
) -> Result<Option<Sparse>, LimitReached> {
    let mut known = Values::new(room.clone());
    known.reserve(len.max(values.len()))?;
    values.iter().for_each(|value| known.push(u32::from(*value)));
    Ok(Sparse::new(moves, known, simd).ok())
}

/// The engine for known values past a byte, or of which too many are rare for one: that of few rare ones, or the one that assumes least.
fn fastest(
    room: &Room,
    simd: Simd,
    moves: Moves,
    values: impl ExactSizeIterator<Item = u32> + Clone,
) -> Result<Engine, LimitReached> {
    match wide_from(room, &moves, values.clone(), simd)? {
        Some(wide) => Ok(Engine::Wide(Box::new(wide), moves)),
        None => match room.hold(PAIRS_BYTES * values.len() as u64) {
            Ok(()) => one_by_one(room, simd, moves, values.collect()),
            Err(full) => lasting(room, simd, moves, values)?.ok_or(full),
        },
    }
}

/// A sparse space of values past a byte that goes on whatever is rare: it needs the least room for them.
fn lasting(
    room: &Room,
    simd: Simd,
    moves: Moves,
    values: impl ExactSizeIterator<Item = u32> + Clone,
) -> Result<Option<Engine>, LimitReached> {
    let wide = Wide::new(&moves, values, room, simd)?;
    Ok(wide.map(|mut wide| {
        wide.last();
        Engine::Wide(Box::new(wide), moves)
    }))
}

/// A sparse space of values past a byte; `None` where another engine is faster, or a value is too large.
fn wide_from(
    room: &Room,
    moves: &Moves,
    values: impl ExactSizeIterator<Item = u32> + Clone,
    simd: Simd,
) -> Result<Option<Wide>, LimitReached> {
    if Wide::would_serve(moves, values.clone(), simd) {
        Wide::new(moves, values, room, simd)
    } else {
        Ok(None)
    }
}

/// Bytes a value, while these are computed one by one.
const PAIRS_BYTES: u64 = 8;

/// Numbers below those asked for, the same ones in each run: a linear congruence (D. E. Knuth's MMIX).
#[cfg(test)]
pub(crate) fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::Budget;
    use std::collections::BTreeSet;

    fn meter() -> Meter {
        Meter::new(&Budget::default())
    }

    fn plainly(code: &TakeBreak, len: usize) -> Vec<u32> {
        plain::nim_values(code, len, &mut meter()).unwrap()
    }

    #[track_caller]
    fn same(found: impl Iterator<Item = u32>, expected: &[u32], what: &str) {
        let first = found.zip(expected).enumerate().find(|(_, (found, expected))| found != *expected);
        assert_eq!(first, None, "{what}");
    }

    /// In a sparse space as early as there is one, though other engines are faster there.
    fn sparse(code: TakeBreak, simd: Simd) -> Sequence {
        let mut sequence = Sequence::with_simd(code, simd);
        sequence.extend(EARLY, &mut meter()).unwrap();
        let mut values = Values::new(Room::default());
        values.reserve(EARLY).unwrap();
        sequence.values().for_each(|value| values.push(value));
        if let Engine::Pairs(_, moves) = &sequence.engine
            && let Ok(mut sparse) = Sparse::new(moves, values, simd)
        {
            sparse.last();
            sequence.engine = Engine::Sparse(Box::new(sparse), moves.clone());
        }
        sequence
    }

    /// In a sparse space of values past a byte, as early as blocks begin.
    fn wide(code: TakeBreak, simd: Simd) -> Sequence {
        let mut sequence = Sequence::with_simd(code, simd);
        sequence.extend(EARLY, &mut meter()).unwrap();
        let values: Vec<u32> = sequence.values().collect();
        if let Engine::Pairs(_, moves) = &sequence.engine
            && let Ok(Some(mut wide)) = Wide::new(moves, values.into_iter(), &Room::default(), simd)
        {
            wide.last();
            sequence.engine = Engine::Wide(Box::new(wide), moves.clone());
        }
        sequence
    }

    fn sequence(text: &str, len: usize, simd: Simd) -> Sequence {
        let mut sequence = sparse(TakeBreak::parse(text).unwrap(), simd);
        sequence.extend(len, &mut meter()).unwrap();
        sequence
    }

    /// Codes of two to four digits, drawn at random: a fixed seed.
    fn drawn(count: usize) -> Vec<TakeBreak> {
        let mut below = random(22);
        let mut codes = Vec::new();
        while codes.len() < count {
            let first = [0, 0, 0, 4][below(4) as usize];
            let digits = (0..2 + below(3)).map(|_| below(8) as u32);
            codes.extend(TakeBreak::of_bits(
                &std::iter::once(first).chain(digits.collect::<Vec<_>>()).collect::<Vec<_>>(),
            ));
        }
        codes
    }

    /// Where moves take many tokens the first heaps are worth nothing, and the best space may be the least one, by value: rare heaps
    /// known before were once overlooked then. From the start and from values known, beside all pairs.
    #[test]
    fn engines_agree_where_moves_take_many_tokens() {
        let mut below = random(5);
        let known = [(31, "065"), (25, "65"), (54, "4"), (59, "7"), (58, "75"), (66, "5252"), (68, "65!03")];
        let mut codes: Vec<String> =
            known.iter().map(|(zeros, rest)| format!("0.{}{rest}", "0".repeat(*zeros))).collect();
        for _ in 0..200 {
            let rest: String = (0..1 + below(4)).map(|_| char::from(b'0' + below(8) as u8)).collect();
            codes.push(format!("0.{}{rest}4", "0".repeat(below(80) as usize)));
        }
        for code in codes {
            let code = TakeBreak::parse(&code).unwrap();
            let expected = plainly(&code, 700);
            let mut sequence = Sequence::new(code.clone());
            sequence.extend(700, &mut meter()).unwrap();
            same(sequence.values(), &expected, &format!("{code}"));
            let mut values = Values::new(Room::default());
            values.reserve(417).unwrap();
            expected[..417].iter().for_each(|value| values.push(*value));
            let mut sequence = Sequence::new(code.clone()).resume(values).unwrap();
            sequence.extend(700, &mut meter()).unwrap();
            same(sequence.values(), &expected, &format!("{code}, from 417"));
        }
    }

    /// Each engine with all instructions of this processor, beside all pairs, on codes that nobody chose.
    #[test]
    fn engines_agree_on_random_codes() {
        let (mut dense, mut past_a_byte) = (0, 0);
        for (i, code) in drawn(40).into_iter().enumerate() {
            let len = [2500, 5000][usize::from(i % 10 == 0)];
            let expected = plainly(&code, len);
            past_a_byte += usize::from(expected.iter().any(|value| *value > 255));
            for simd in Simd::all() {
                let mut sequence = Sequence::with_simd(code.clone(), simd);
                for to in [700, 1025, len] {
                    sequence.extend(to, &mut meter()).unwrap();
                }
                dense += usize::from(sequence.rares().is_some_and(|(_, rares)| 8 * rares.len() > len));
                same(sequence.values(), &expected, &format!("{code} {simd:?}"));
                let mut sequence = sparse(code.clone(), simd);
                sequence.extend(len, &mut meter()).unwrap();
                same(sequence.values(), &expected, &format!("{code} {simd:?}, sparse"));
                let mut sequence = wide(code.clone(), simd);
                for to in [700, 1030, len] {
                    sequence.extend(to, &mut meter()).unwrap();
                }
                same(sequence.values(), &expected, &format!("{code} {simd:?}, wide"));
            }
        }
        assert!(dense > 10 && past_a_byte > 1, "{dense} {past_a_byte}");
    }

    /// Where values come to hundreds, so that a sieve looks for the rare ones, where the processor has one; unequal splits, spaces by
    /// position, and a space chosen anew.
    #[test]
    fn values_in_pages() {
        for (text, len) in [
            ("0.6167", 12_000),
            ("0.764", 9000),
            ("0.566", 9000),
            ("0.744", 9000),
            ("0.206", 6000),
            ("4!.4!34!", 6000),
            ("0.0047", 6000),
            ("4!.0", 6000),
        ] {
            let code = TakeBreak::parse(text).unwrap();
            // Held against all pairs elsewhere; here to where it is quick, and against all pairs at the end.
            let mut expected = Sequence::with_simd(code.clone(), Simd::Portable);
            expected.extend(len, &mut meter()).unwrap();
            assert!(!matches!(expected.engine, Engine::Wide(..)));
            let expected: Vec<u32> = expected.values().collect();
            same(expected.iter().copied(), &plainly(&code, 3000), text);
            for simd in Simd::all() {
                let mut sequence = wide(code.clone(), simd);
                sequence.extend(len, &mut meter()).unwrap();
                assert!(matches!(sequence.engine, Engine::Wide(..)), "{text}");
                same(sequence.values(), &expected, &format!("{text} {simd:?}"));
                let Engine::Wide(wide, _) = &sequence.engine else { panic!("{text}") };
                let rare = |n: &usize| !wide.space().is_common(expected[*n], *n);
                let rares: Vec<usize> = (1..len).filter(rare).collect();
                assert_eq!(sequence.rares().unwrap().1, rares, "{text}");
            }
        }
    }

    /// Where the other engine has no room this one goes on, whatever is rare: a space chosen anew leaves nothing of the old one behind.
    #[test]
    fn pages_go_on_without_room() {
        let mut recoded = 0;
        for (text, len) in
            [("0.6167", 9000), ("0.764", 9000), ("0.4655", 9000), ("0.6657", 9000), ("0.246", 9000)]
        {
            let code = TakeBreak::parse(text).unwrap();
            let expected = {
                let mut all = Sequence::with_simd(code.clone(), Simd::Portable);
                all.extend(len, &mut meter()).unwrap();
                all.values().collect::<Vec<u32>>()
            };
            let moves = Moves::new(&code).unwrap();
            for known in [700, 1501, 2600] {
                let room = Room { memory: 40_000, folder: None };
                let values = expected[..known].iter().copied();
                let wide = Wide::new(&moves, values, &room, Simd::best()).unwrap().unwrap();
                let before = wide.space().clone();
                let mut sequence = Sequence::with_simd(code.clone(), Simd::best()).within(room);
                sequence.engine = Engine::Wide(Box::new(wide), moves.clone());
                for to in (known..=len).step_by(777).chain([len]) {
                    sequence.extend(to, &mut meter()).unwrap();
                }
                let Engine::Wide(wide, _) = &sequence.engine else {
                    panic!("{text}: there is no room for another")
                };
                recoded += usize::from(*wide.space() != before);
                same(sequence.values(), &expected, &format!("{text} from {known}"));
            }
        }
        assert!(recoded > 3, "{recoded}");
    }

    /// Values too large for pages go on otherwise. After random ones, of which all numbers below 4,096 are sums.
    #[test]
    fn values_past_all_pages_go_on() {
        let code = TakeBreak::parse("0.6").unwrap();
        let mut below = random(3);
        let known: Vec<u32> = (0..150_000).map(|_| below(4096) as u32).collect();
        for simd in Simd::all() {
            let mut sequence = Sequence::with_simd(code.clone(), simd);
            let moves = Moves::new(&code).unwrap();
            let wide = Wide::new(&moves, known.iter().copied(), &Room::default(), simd).unwrap().unwrap();
            sequence.engine = Engine::Wide(Box::new(wide), moves);
            assert_eq!((sequence.len(), sequence.value(149_999)), (150_000, known[149_999]));
            sequence.extend(150_001, &mut meter()).unwrap();
            assert_eq!(sequence.value(150_000), 4096, "{simd:?}");
            assert!(!matches!(sequence.engine, Engine::Wide(..)));
        }
    }

    /// Periods are found and proved by the engine of pages as by the others; the rare heaps and the window, too.
    #[test]
    fn periods_in_pages() {
        for text in ["0.77", "0.16", "0.127", "0.156", "0.104", "4.004"] {
            let mut paged = wide(TakeBreak::parse(text).unwrap(), Simd::best());
            let mut other = sequence(text, EARLY, Simd::best());
            let found = [&mut paged, &mut other].map(|one| period::seek(one, 600_000, &mut meter()).unwrap());
            let told =
                found.map(|found| found.map(|found| (found.period, found.preperiod, found.proof.is_some())));
            assert_eq!(told[0], told[1], "{text}");
            assert!(matches!(paged.engine, Engine::Wide(..)), "{text}");
            for distance in [1, 2, 5, 12, 420] {
                let len = paged.len();
                let change = (distance..len).rev().find(|n| paged.value(*n) != paged.value(n - distance));
                assert_eq!(paged.last_change(distance, 0), change, "{text} {distance}");
            }
        }
    }

    /// Values past two bytes go on by all pairs, one by one.
    #[test]
    fn values_past_two_bytes_go_on_plainly() {
        let code = TakeBreak::parse("0.77").unwrap();
        let moves = Moves::new(&code).unwrap();
        let known = plainly(&code, 300);
        assert!(Pairs::new(&moves, known.iter().copied().chain([65_535]), Simd::best()).is_some());
        assert!(Pairs::new(&moves, known.iter().copied().chain([65_536]), Simd::best()).is_none());
        let mut values = Values::new(Room::default());
        values.reserve(301).unwrap();
        known.iter().copied().chain([65_536]).for_each(|value| values.push(value));
        let mut sequence = Sequence::new(code).resume(values).unwrap();
        assert!(matches!(sequence.engine, Engine::Plain(_, None)));
        sequence.extend(310, &mut meter()).unwrap();
        assert_eq!((sequence.value(300), sequence.len()), (65_536, 310));
    }

    /// All games d0.d1d2d3 with d0 in {0, 4}, beside all pairs.
    #[test]
    fn all_octal_games_of_three_digits() {
        for code in 0..1024u32 {
            let bits = [code >> 9 << 2, code >> 6 & 7, code >> 3 & 7, code & 7];
            let code = TakeBreak::of_bits(&bits).unwrap();
            let mut sequence = sparse(code.clone(), Simd::best());
            sequence.extend(1500, &mut meter()).unwrap();
            same(sequence.values(), &plainly(&code, 1500), &code.to_string());
        }
    }

    /// Unequal splits, long codes, moves of both parities, extension in uneven steps.
    #[test]
    fn stranger_codes_in_uneven_steps() {
        let kayles9 = TakeBreak::kayles(9).unwrap().to_string();
        let texts = [
            "4!.0",
            "4!.3",
            "4!.04!",
            "0.4!",
            "0.007",
            "0.104",
            "0.106",
            "0.16",
            "0.04040404",
            "0.10041",
            &kayles9,
        ];
        for text in texts.into_iter().chain(["4.0000000000000000000000000000000000000004", "0.6", "0.77"]) {
            let code = TakeBreak::parse(text).unwrap();
            let expected = plainly(&code, 6000);
            for simd in Simd::all() {
                let mut sequence = sparse(code.clone(), simd);
                for len in [256, 257, 511, 513, 700, 2048, 2049, 2100, 5000, 6000] {
                    sequence.extend(len, &mut meter()).unwrap();
                    assert_eq!(sequence.len(), len);
                }
                same(sequence.values(), &expected, &format!("{text} {simd:?}"));
            }
        }
    }

    /// Grundy's game far into the blocks: AVX2, portable and one-at-a-time agree.
    #[test]
    fn engines_agree_on_grundys_game() {
        let fast = sequence("4!.0", 30_000, Simd::best());
        let portable = sequence("4!.0", 30_000, Simd::Portable);
        assert!(fast.values().eq(portable.values()));
        let code = TakeBreak::parse("4!.0").unwrap();
        let moves = Moves::new(&code).unwrap();
        for simd in Simd::all() {
            let mut pairs = Pairs::new(&moves, plainly(&code, 300).into_iter(), simd).unwrap();
            while pairs.values().len() < 30_000 {
                let end = pairs.extend(&moves, 30_000, &mut meter());
                assert!(matches!(end, Ok(()) | Err(pairs::Stop::Doubled)));
            }
            assert!(fast.values().zip(pairs.values()).all(|(a, b)| a == u32::from(*b)), "{simd:?}");
        }
        // Michon, Mathematical Games: records 101 first at 8337, 113 at 11261, 118 at 11621, 195 at 28304 and 28435.
        let at: Vec<usize> = (0..30_000).filter(|n| fast.value(*n) == 195).collect();
        assert_eq!(at, [28304, 28435]);
        assert_eq!([8337, 11261, 11621].map(|n| fast.value(n)), [101, 113, 118]);
    }

    /// Values past a byte stand aside, or go on in words.
    #[test]
    fn values_past_a_byte_do_not_slip_by() {
        for text in ["0.[3]", "4.[3]"] {
            let nim = sequence(text, 700, Simd::best());
            same(nim.values(), &plainly(&TakeBreak::parse(text).unwrap(), 700), text);
        }
        // Taking 1..=200 and leaving one heap, with one splitting move: values pass 255 after heap 256.
        let mut bits = [3; 257];
        (bits[0], bits[256]) = (0, 7);
        for base in [200, 230, 256] {
            let mut bits = bits[..=base].to_vec();
            bits[base] = 7;
            let code = TakeBreak::of_bits(&bits).unwrap();
            let mut sequence = sparse(code.clone(), Simd::best());
            sequence.extend(3000, &mut meter()).unwrap();
            same(sequence.values(), &plainly(&code, 3000), &format!("base {base}"));
            if base == 230 {
                // Some values stand aside, not so many that another engine takes over.
                assert!(matches!(sequence.engine, Engine::Sparse(..)) && sequence.values().any(|v| v > 255));
            }
        }
    }

    /// Rare heaps more than twice as far as the one before.
    #[test]
    fn late_rares() {
        let mut late = Vec::new();
        for bits in 1..512u32 {
            let code = TakeBreak::of_bits(&[0, bits >> 6, bits >> 3 & 7, bits & 7]).unwrap();
            let mut sequence = sparse(code, Simd::best());
            sequence.extend(4000, &mut meter()).unwrap();
            let rares = sequence.rares().map_or(Vec::new(), |(_, rares)| rares);
            if let Some(pair) =
                rares.windows(2).find(|pair| pair[0] > 100 && pair[1] > 2 * pair[0] && pair[1] > 600)
            {
                late.push((sequence.game().to_owned(), pair[1]));
            }
        }
        assert!(late.len() >= 3, "{late:?}");
        for (text, at) in late.iter().take(6) {
            let code = TakeBreak::parse(text).unwrap();
            let len = at + 1000;
            for simd in [Simd::best(), Simd::Portable] {
                same(sequence(text, len, simd).values(), &plainly(&code, len), text);
            }
        }
    }

    /// A rare value below a heap's own that only sums of two rare heaps reach.
    #[test]
    fn rares_that_witness_one_another() {
        let mut alone = 0;
        for text in ["4!.0", "0.16", "0.106", "0.454"] {
            let code = TakeBreak::parse(text).unwrap();
            let moves = Moves::new(&code).unwrap();
            let expected = plainly(&code, 3000);
            let engine = sequence(text, 3000, Simd::best());
            let space = engine.rares().unwrap().0.clone();
            for n in 300..3000 {
                let mut common = BTreeSet::from_iter(moves.singles(n).map(|rest| expected[rest]));
                let mut rare = BTreeSet::new();
                for (taken, unequal) in &moves.pairs {
                    for a in 1..=moves.half(n, *taken, *unequal) {
                        let b = n - taken - a;
                        let of = if space.is_common(expected[a], a) { &mut common } else { &mut rare };
                        of.insert(expected[a] ^ expected[b]);
                    }
                }
                let lone = |v: &u32| !space.is_common(*v, n) && rare.contains(v) && !common.contains(v);
                alone += usize::from((0..expected[n]).any(|v| lone(&v)));
            }
            same(engine.values(), &expected, text);
        }
        assert!(alone > 0);
    }

    /// By position, a shift of odd length turns the class: values, last changes and periods are those compared one by one.
    #[test]
    fn odd_shifts_in_spaces_by_position() {
        let mut by_position = 0;
        for text in ["0.104", "0.106", "0.404", "0.004", "0.054", "0.15", "0.05", "0.0404", "0.07"] {
            let code = TakeBreak::parse(text).unwrap();
            let expected = plainly(&code, 5000);
            let found = sequence(text, 5000, Simd::best());
            same(found.values(), &expected, text);
            if found.rares().is_none_or(|(space, _)| space.by_position.is_none()) {
                continue;
            }
            by_position += 1;
            for period in (1..400).chain([1001, 2500, 4999]) {
                let change = (period..5000).rev().find(|n| expected[*n] != expected[n - period]);
                assert_eq!(found.last_change(period, 0), change, "{text} {period}");
                let repeats = (4992..5000).all(|n| n >= period && expected[n] == expected[n - period]);
                assert!(!repeats || found.next_repeat(period..period + 1) == Some(period), "{text} {period}");
            }
        }
        assert!(by_position >= 2, "{by_position}");
    }
}

//! Nim-sequences of taking-and-breaking games: the nim-values of single heaps 0, 1, 2, …
//!
//! [`Sequence`] picks the engine: [`sparse`] for codes that end and leave at most two heaps, [`wide`] where values
//! pass a byte, [`takings`] for subtraction games, [`plain`] for all others.

pub mod checkpoint;
pub mod code;
mod history;
mod kernel;
mod moves;
pub mod period;
pub mod plain;
mod space;
mod sparse;
mod takings;
mod values;
mod wide;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use code::{Digit, TakeBreak};
pub use history::Room;
pub use kernel::Simd;
pub use period::{Period, Proof};
pub use space::Space;
pub use takings::Takings;
pub use values::Values;

use crate::{LimitReached, Meter};
use bouton_rules::{HeapMoves, NotationError};
use moves::Moves;
use period::Reach;
use sparse::{Sparse, Stop};
use std::ops::Range;
use wide::Wide;

/// Heaps computed plainly before a sparse space is chosen.
const EARLY: usize = 256;

/// The most heaps: their sizes, and what moves add to them, are 32-bit numbers.
pub const MOST_HEAPS: usize = u32::MAX as usize - (1 << 16);

/// The nim-sequence of a game, computed as far as asked; the whole history is kept.
#[derive(Debug)]
pub struct Sequence {
    game: String,
    reach: Option<Reach>,
    simd: Simd,
    room: Room,
    engine: Engine,
}

#[derive(Debug)]
enum Engine {
    /// Values one by one; the moves where a sparse space may take over.
    Plain(TakeBreak, Vec<u32>, Option<Moves>),
    Takings(Takings),
    Sparse(Box<Sparse>, Moves),
    Wide(Wide, Moves),
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
        Sequence { game, reach, simd, room: Room::default(), engine: Engine::Plain(code, Vec::new(), moves) }
    }

    /// The subtraction game of a set; `None` where it is empty or has 0.
    pub fn takings(set: &[u64]) -> Option<Sequence> {
        let takings = Takings::new(set)?;
        let set: Vec<String> = takings.set().iter().map(usize::to_string).collect();
        let (game, reach) = (format!("S({})", set.join(",")), Some(Reach::of_takings(takings.set())));
        let (simd, room) = (Simd::best(), Room::default());
        Some(Sequence { game, reach, simd, room, engine: Engine::Takings(takings) })
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

    /// Where values are to be kept; to be said before the first is computed.
    pub fn within(mut self, room: Room) -> Sequence {
        self.room = room;
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
        self.engine = match self.engine {
            Engine::Plain(_, _, Some(moves))
                if values.len() >= EARLY && (0..EARLY).all(|n| values.get(n) < 256) =>
            {
                match Sparse::new(&moves, values, self.simd) {
                    Ok(sparse) => Engine::Sparse(Box::new(sparse), moves),
                    Err((space, values)) => Engine::Wide(Wide::new(space, all(values)?), moves),
                }
            }
            Engine::Plain(code, _, moves) => {
                let moves = moves.filter(|_| values.len() < EARLY);
                Engine::Plain(code, all(values)?, moves)
            }
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
            Engine::Plain(_, values, _) => values.len(),
            Engine::Takings(takings) => takings.values().len(),
            Engine::Sparse(sparse, _) => sparse.len(),
            Engine::Wide(wide, _) => wide.values().len(),
        }
    }

    /// Whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nim-value of a heap of size `n`, below [`Sequence::len`].
    pub fn value(&self, n: usize) -> u32 {
        match &self.engine {
            Engine::Plain(_, values, _) => values[n],
            Engine::Takings(takings) => takings.values()[n],
            Engine::Sparse(sparse, _) => sparse.value(n),
            Engine::Wide(wide, _) => wide.values()[n],
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
            _ => distances.next(),
        }
    }

    /// The last heap whose value is not that of the heap `period` smaller, `saltus` added.
    fn last_change(&self, period: usize, saltus: u32) -> Option<usize> {
        match &self.engine {
            Engine::Sparse(sparse, _) if saltus == 0 => sparse.last_change(period),
            _ => (period..self.len()).rev().find(|n| self.value(*n) != self.value(n - period) + saltus),
        }
    }

    /// The sparse space in use and its rare heaps, ascending; none where the values are computed plainly.
    pub fn rares(&self) -> Option<(&Space, &[u32])> {
        match &self.engine {
            Engine::Plain(..) | Engine::Takings(_) => None,
            Engine::Sparse(sparse, _) => Some((sparse.space(), sparse.rares())),
            Engine::Wide(wide, _) => Some((wide.space(), wide.rares())),
        }
    }

    /// The sparse window: how far back values are looked at to find the next one, and since which heap that is so.
    fn window(&self) -> Option<(usize, usize)> {
        match &self.engine {
            Engine::Sparse(sparse, moves) => Some(sparse.window(moves)),
            _ => None,
        }
    }

    /// Extends the values to heaps 0..`len`; one node of the budget a heap. What is known stays when the budget ends.
    pub fn extend(&mut self, len: usize, meter: &mut Meter) -> Result<(), LimitReached> {
        if len > MOST_HEAPS {
            return Err(LimitReached::Heaps(MOST_HEAPS as u64));
        }
        while self.len() < len {
            if !matches!(self.engine, Engine::Sparse(..) | Engine::Plain(.., Some(_))) {
                self.room.hold(size_of::<u32>() as u64 * len as u64)?;
            }
            match &mut self.engine {
                Engine::Takings(takings) => takings.extend(len, meter)?,
                Engine::Plain(code, values, None) => {
                    if code.most_parts().is_some_and(|parts| parts <= 2) {
                        plain::extend_by_pairs(code, values, len, meter)?;
                    } else {
                        *values = plain::nim_values(code, len, meter)?;
                    }
                }
                Engine::Plain(code, values, Some(moves)) => {
                    plain::extend_by_pairs(code, values, len.min(EARLY), meter)?;
                    if values.len() == EARLY {
                        let mut early = Values::new(self.room.clone());
                        early.reserve(EARLY)?;
                        values.iter().for_each(|value| early.push(*value));
                        let small = values.iter().all(|v| *v < 256);
                        let sparse = small.then(|| Sparse::new(moves, early, self.simd));
                        self.engine = match sparse {
                            Some(Ok(sparse)) => Engine::Sparse(Box::new(sparse), moves.clone()),
                            _ => Engine::Plain(code.clone(), std::mem::take(values), None),
                        };
                    }
                }
                Engine::Sparse(sparse, moves) => match sparse.extend(moves, len, meter) {
                    Ok(()) => {}
                    Err(Stop::LimitReached(spent)) => return Err(spent),
                    Err(Stop::Large) => {
                        self.room.hold(size_of::<u32>() as u64 * sparse.len() as u64)?;
                        let values = (0..sparse.len()).map(|n| sparse.value(n)).collect();
                        self.engine = Engine::Wide(Wide::new(sparse.space().clone(), values), moves.clone());
                    }
                },
                Engine::Wide(wide, moves) => wide.extend(moves, len, meter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
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

    fn sequence(text: &str, len: usize, simd: Simd) -> Sequence {
        let mut sequence = Sequence::with_simd(TakeBreak::parse(text).unwrap(), simd);
        sequence.extend(len, &mut meter()).unwrap();
        sequence
    }

    /// All games d0.d1d2d3 with d0 in {0, 4}, beside all pairs.
    #[test]
    fn all_octal_games_of_three_digits() {
        for code in 0..1024u32 {
            let bits = [code >> 9 << 2, code >> 6 & 7, code >> 3 & 7, code & 7];
            let code = TakeBreak::of_bits(&bits).unwrap();
            let mut sequence = Sequence::new(code.clone());
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
            for simd in [Simd::best(), Simd::Portable] {
                let mut sequence = Sequence::with_simd(code.clone(), simd);
                for len in [0, 1, 100, 256, 257, 511, 513, 700, 2048, 2049, 2100, 5000, 6000] {
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
        for space in [fast.rares().unwrap().0.clone(), Space { mask: 1, by_position: Some(0) }] {
            let mut wide = Wide::new(space, plainly(&code, 300));
            wide.extend(&moves, 6_000, &mut meter()).unwrap();
            assert!(fast.values().zip(wide.values()).all(|(a, b)| a == *b));
        }
        // Michon, Mathematical Games: records 101 first at 8337, 113 at 11261, 118 at 11621, 195 at 28304 and 28435.
        let at: Vec<usize> = (0..30_000).filter(|n| fast.value(*n) == 195).collect();
        assert_eq!(at, [28304, 28435]);
        assert_eq!([8337, 11261, 11621].map(|n| fast.value(n)), [101, 113, 118]);
    }

    /// Values past a byte go on in the wide engine.
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
            let mut sequence = Sequence::new(code.clone());
            sequence.extend(3000, &mut meter()).unwrap();
            same(sequence.values(), &plainly(&code, 3000), &format!("base {base}"));
            if base == 230 {
                // Some values stand aside, not so many that the wide engine takes over.
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
            let mut sequence = Sequence::new(code);
            sequence.extend(4000, &mut meter()).unwrap();
            let rares = sequence.rares().map_or(&[][..], |(_, rares)| rares);
            if let Some(pair) =
                rares.windows(2).find(|pair| pair[0] > 100 && pair[1] > 2 * pair[0] && pair[1] > 600)
            {
                late.push((sequence.game().to_owned(), pair[1] as usize));
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

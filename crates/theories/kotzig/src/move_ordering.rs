//! Move ordering that learns: what the free cells around the token have led to before.
//!
//! The key is the pattern of open cells within ±10 and within ±20 cells of the token; the entry,
//! how often the player about to move there won and lost. Patterns come back all over a circle and
//! on circles of other lengths, so a table is worth keeping from n to n + 1. It decides which move
//! is tried first, never what a move is worth.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Slots of the table, a power of two.
const SLOTS: usize = 1 << 17;

/// Wins and games of one pattern, both halved when they grow past [`ENOUGH`].
#[derive(Clone, Copy)]
struct Record {
    wins: u16,
    games: u16,
}

const ENOUGH: u16 = 1 << 12;

/// The table of what patterns have led to, by which moves are ordered. Threads may share it: a
/// record is one word, and a result that is lost when two write
/// at once is no harm.
pub(super) struct MoveOrdering {
    records: Vec<AtomicU32>,
}

impl Record {
    #[inline]
    fn of(word: &AtomicU32) -> Record {
        let word = word.load(Relaxed);
        Record { wins: word as u16, games: (word >> 16) as u16 }
    }

    #[inline]
    fn store(self, word: &AtomicU32) {
        word.store(u32::from(self.games) << 16 | u32::from(self.wins), Relaxed);
    }
}

/// The two slots of a position.
#[derive(Clone, Copy, Default)]
pub(super) struct Slots([u32; 2]);

impl MoveOrdering {
    pub fn new() -> MoveOrdering {
        MoveOrdering { records: (0..SLOTS).map(|_| AtomicU32::new(0)).collect() }
    }

    /// Returns the slots of a position, of which `window` tells the cells so far around the token;
    /// `seed` keeps different step sets apart. O(1).
    #[inline]
    pub fn slots(window: impl Fn(usize) -> u64, seed: u64) -> Slots {
        let slot = |half: usize, salt: u64| {
            let key = window(half) ^ seed ^ salt;
            let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed >> (64 - SLOTS.trailing_zeros())) as u32
        };
        Slots([slot(10, 0), slot(20, 0x5bd1_e995_0000_0000)])
    }

    /// Returns how well the player about to move fares: about −1 (loses) to 1, two patterns added
    /// up.
    #[inline]
    pub fn estimate(&self, slots: Slots) -> f32 {
        let one = |slot: u32| {
            let Record { wins, games } = Record::of(&self.records[slot as usize]);
            (2.0 * f32::from(wins) - f32::from(games)) / (f32::from(games) + 2.0)
        };
        one(slots.0[0]) + one(slots.0[1])
    }

    /// Learns one result of the player about to move.
    #[inline]
    pub fn learn(&self, slots: Slots, won: bool) {
        for slot in slots.0 {
            let word = &self.records[slot as usize];
            let mut record = Record::of(word);
            if record.games >= ENOUGH {
                record = Record { wins: record.wins / 2, games: record.games / 2 };
            }
            record.wins += u16::from(won);
            record.games += 1;
            record.store(word);
        }
    }
}

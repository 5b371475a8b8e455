//! From what is known of the ends of words to an automaton that reads them forwards: J. A.
//! Brzozowski, 1962.
//!
//! A state is what it makes of every end that may follow, a row over the ends; after one more
//! letter it makes of an end what it made of the letter and that end. Most rows are nothing at most
//! ends, and there are few sets of ends at which a row is something, so the values at these are all
//! that is kept. Where the next row is something depends on this set alone, and so do the places
//! that its values come from. Rows are distinguished by 128 bits of them: two that were taken for
//! one would give a certificate that the checker refuses.

use super::circle_words::NONE;
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// What a row consists of.
pub(super) trait Value: Copy + Eq + Into<u64> {
    /// Nothing: no such word is a circle word.
    const NOTHING: Self;
    const BITS: u32;
}

impl Value for u8 {
    const NOTHING: u8 = u8::MAX;
    const BITS: u32 = u8::BITS;
}

impl Value for u16 {
    const NOTHING: u16 = u16::MAX;
    const BITS: u32 = u16::BITS;
}

/// The automaton so far; the ends are numbered, the empty one is 0.
pub(super) struct Reversal<V> {
    /// By letter, the end that has it in front, or none.
    longer: Vec<[u32; 2]>,
    supports: Supports,
    /// By support and print of the row.
    known: FxHashMap<(u32, u128), u32>,
    pub next: Vec<[u32; 2]>,
    /// What states make of the empty end.
    pub last: Vec<V>,
}

/// The sets of ends at which rows are something, and how rows follow on rows.
#[derive(Default)]
struct Supports {
    numbers: FxHashMap<Rc<[u32]>, u32>,
    /// By number: the ends, ascending.
    ends: Vec<Rc<[u32]>>,
    /// By number and letter, once it was asked for.
    after: Vec<[Option<Rc<Reading>>; 2]>,
    bytes: u64,
}

/// How to read a row out of the one before.
struct Reading {
    support: u32,
    /// The places of its values there: whole words, filled up with the place of a nothing.
    places: Vec<u32>,
}

/// A state whose next ones are not known yet.
struct Pending<V> {
    state: u32,
    support: u32,
    /// The values at the ends of the support, then at least one nothing.
    row: Vec<V>,
}

impl Supports {
    /// Returns how to read a row that is something at these ends; `nothing` is the place of a
    /// nothing.
    fn reading(
        &mut self,
        ends: Vec<u32>,
        mut places: Vec<u32>,
        nothing: u32,
        in_word: usize,
    ) -> Rc<Reading> {
        places.resize((places.len() + 1).next_multiple_of(in_word), nothing);
        let fresh = self.ends.len() as u32;
        let ends: Rc<[u32]> = ends.into();
        let support = *self.numbers.entry(ends.clone()).or_insert(fresh);
        if support == fresh {
            self.bytes += 4 * ends.len() as u64;
            self.ends.push(ends);
            self.after.push([None, None]);
        }
        Rc::new(Reading { support, places })
    }
}

impl<V: Value> Reversal<V> {
    /// Values to a word of 64 bits.
    const IN_WORD: usize = (u64::BITS / V::BITS) as usize;

    /// Returns the reversal over `ends`: by letter, the end that has it in front, or none.
    pub(super) fn over(ends: &[[u32; 2]]) -> Reversal<V> {
        let (supports, known) = (Supports::default(), FxHashMap::default());
        Reversal { longer: ends.to_vec(), supports, known, next: vec![], last: vec![] }
    }

    /// Returns the state that makes this of the ends, with all that follow; none if it is nothing.
    pub(super) fn state(
        &mut self,
        mut row: Vec<V>,
        meter: &mut Meter,
    ) -> Result<u32, LimitReached> {
        let nothing = row.len() as u32;
        let ends: Vec<u32> = (0..nothing).filter(|end| row[*end as usize] != V::NOTHING).collect();
        row.push(V::NOTHING);
        let mut todo = VecDeque::new();
        let mut after = Vec::new();
        let reading = self.supports.reading(ends.clone(), ends, nothing, Self::IN_WORD);
        let first = self.read(&row, &reading, &mut after, &mut todo);
        let mut values = after.len();
        while let Some(Pending { state, support, row }) = todo.pop_front() {
            values -= row.len();
            meter.spend(2 + row.len() as u64 / 64)?;
            let pending = values as u64 * u64::from(V::BITS / 8);
            meter.check_bytes(pending + self.supports.bytes + self.next.len() as u64 * 64)?;
            for letter in 0..2 {
                let reading = self.after(support, letter, meter)?;
                let before = todo.len();
                self.next[state as usize][letter] =
                    self.read(&row, &reading, &mut after, &mut todo);
                values += (todo.len() - before) * after.len();
            }
        }
        Ok(first)
    }

    /// Returns how to read the row after this letter out of a row that is something at these ends.
    fn after(
        &mut self,
        support: u32,
        letter: usize,
        meter: &mut Meter,
    ) -> Result<Rc<Reading>, LimitReached> {
        if let Some(reading) = &self.supports.after[support as usize][letter] {
            return Ok(reading.clone());
        }
        meter.spend(1 + self.longer.len() as u64 / 16)?;
        let from = self.supports.ends[support as usize].clone();
        let mut place = vec![NONE; self.longer.len()];
        for (at, end) in (0..).zip(&*from) {
            place[*end as usize] = at;
        }
        let (mut ends, mut places) = (vec![], vec![]);
        for (end, longer) in (0..).zip(&self.longer) {
            if longer[letter] != NONE && place[longer[letter] as usize] != NONE {
                ends.push(end);
                places.push(place[longer[letter] as usize]);
            }
        }
        let reading = self.supports.reading(ends, places, from.len() as u32, Self::IN_WORD);
        self.supports.bytes += 4 * reading.places.len() as u64;
        self.supports.after[support as usize][letter] = Some(reading.clone());
        Ok(reading)
    }

    /// Returns the state of a row, read into `after`.
    fn read(
        &mut self,
        row: &[V],
        reading: &Reading,
        after: &mut Vec<V>,
        todo: &mut VecDeque<Pending<V>>,
    ) -> u32 {
        let support = reading.support;
        after.resize(reading.places.len(), V::NOTHING);
        let ends = &self.supports.ends[support as usize];
        let Some(end) = ends.first() else { return NONE };
        let print = gather(row, &reading.places, after);
        let fresh = self.next.len() as u32;
        let state = *self.known.entry((support, print)).or_insert(fresh);
        if state == fresh {
            self.next.push([NONE; 2]);
            self.last.push(if *end == 0 { after[0] } else { V::NOTHING });
            todo.push_back(Pending { state, support, row: after.clone() });
        }
        state
    }
}

/// Reads these places of the row, a whole number of words, into `after`, as many; 128 bits of that.
/// All the time goes here, so values are packed and mixed as they are read.
fn gather<V: Value>(row: &[V], places: &[u32], after: &mut [V]) -> u128 {
    let in_word = Reversal::<V>::IN_WORD;
    let (mut a, mut b) = (0x9E37_79B9_7F4A_7C15u64, 0xC2B2_AE3D_27D4_EB4Fu64);
    for (places, after) in places.chunks_exact(in_word).zip(after.chunks_exact_mut(in_word)) {
        let mut word = 0;
        for (place, after) in places.iter().zip(after) {
            *after = row[*place as usize];
            word = word << V::BITS | (*after).into();
        }
        a = (a ^ word).wrapping_mul(0x2127_599B_F432_5C37);
        a ^= a >> 32;
        b = b.wrapping_add(word).wrapping_mul(0x8803_55F2_1E6D_1965);
        b ^= b >> 29;
    }
    u128::from(a) << 64 | u128::from(b)
}

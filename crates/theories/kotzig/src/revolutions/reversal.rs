//! From what is known of the ends of words to an automaton that reads them forwards: J. A. Brzozowski, 1962.
//!
//! A state is what it makes of every end that may follow, a row over the ends; after one more letter it makes of an end what it made
//! of the letter and that end. RowInterner are told apart by 128 bits of them: two that were taken for one would give a
//! certificate that the checker refuses.

use super::circle_words::NONE;
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What a row consists of.
pub(super) trait Value: Copy + Eq {
    /// Nothing: no such word is a circle word.
    const NOTHING: Self;
    const BYTES: u64;
    fn word(values: &[Self]) -> u64;
    /// Values to a word of 64 bits.
    const IN_WORD: usize;
}

impl Value for u8 {
    const NOTHING: u8 = u8::MAX;
    const BYTES: u64 = 1;
    const IN_WORD: usize = 8;
    fn word(values: &[u8]) -> u64 {
        values.iter().fold(0, |word, value| word << 8 | u64::from(*value))
    }
}

impl Value for u16 {
    const NOTHING: u16 = u16::MAX;
    const BYTES: u64 = 2;
    const IN_WORD: usize = 4;
    fn word(values: &[u16]) -> u64 {
        values.iter().fold(0, |word, value| word << 16 | u64::from(*value))
    }
}

/// The automaton so far; the ends are numbered, the empty one is 0.
pub(super) struct Reversal<V> {
    /// By letter: the end that has it in front. One more than there are ends stands for none.
    longer: [Vec<u32>; 2],
    known: FxHashMap<u128, u32>,
    pub next: Vec<[u32; 2]>,
    /// What states make of the empty end.
    pub last: Vec<V>,
}

impl<V: Value> Reversal<V> {
    /// `ends`: by letter, the end that has it in front, or none.
    pub(super) fn over(ends: &[[u32; 2]]) -> Reversal<V> {
        let of = |letter: usize| {
            ends.iter()
                .map(|next| if next[letter] == NONE { ends.len() as u32 } else { next[letter] })
                .collect()
        };
        Reversal { longer: [of(0), of(1)], known: FxHashMap::default(), next: vec![], last: vec![] }
    }

    /// The state that makes this of the ends, with all that follow; none if it is nothing.
    pub(super) fn state(&mut self, mut row: Vec<V>, meter: &mut Meter) -> Result<u32, LimitReached> {
        let mut todo = VecDeque::new();
        row.push(V::NOTHING);
        let first = self.add(row, &mut todo);
        while let Some((state, row)) = todo.pop_front() {
            meter.spend(2 + row.len() as u64 / 64)?;
            let pending = todo.len() as u64 * row.len() as u64 * V::BYTES;
            meter.holding(pending + self.next.len() as u64 * 64)?;
            for letter in 0..2 {
                let mut after: Vec<V> = Vec::with_capacity(row.len());
                after.extend(self.longer[letter].iter().map(|end| row[*end as usize]));
                after.push(V::NOTHING);
                self.next[state as usize][letter] = self.add(after, &mut todo);
            }
        }
        Ok(first)
    }

    fn add(&mut self, row: Vec<V>, todo: &mut VecDeque<(u32, Vec<V>)>) -> u32 {
        let Some(print) = print(&row) else { return NONE };
        let fresh = self.next.len() as u32;
        let id = *self.known.entry(print).or_insert(fresh);
        if id == fresh {
            self.next.push([NONE; 2]);
            self.last.push(row[0]);
            todo.push_back((id, row));
        }
        id
    }
}

/// 128 bits of a row; `None` of one that is nothing.
fn print<V: Value>(row: &[V]) -> Option<u128> {
    let (mut a, mut b) = (0x9E37_79B9_7F4A_7C15u64, 0xC2B2_AE3D_27D4_EB4Fu64);
    let nothing = V::word(&vec![V::NOTHING; V::IN_WORD]);
    let mut any = false;
    let words = row.chunks_exact(V::IN_WORD);
    let rest = words.remainder();
    for word in words.map(V::word) {
        any |= word != nothing;
        a = (a ^ word).wrapping_mul(0x2127_599B_F432_5C37);
        a ^= a >> 32;
        b = b.wrapping_add(word).wrapping_mul(0x8803_55F2_1E6D_1965);
        b ^= b >> 29;
    }
    any |= rest.iter().any(|value| *value != V::NOTHING);
    let word = V::word(rest);
    a = (a ^ word).wrapping_mul(0x2127_599B_F432_5C37);
    b = b.wrapping_add(word).wrapping_mul(0x8803_55F2_1E6D_1965);
    any.then_some(u128::from(a ^ a >> 32) << 64 | u128::from(b ^ b >> 29))
}

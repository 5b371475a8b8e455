//! Many values looked for at once: those that may be no sum of a heap stand as bits in a table of two vectors, each 32 sums ask for
//! theirs in a few instructions, and what is found is struck out.
//!
//! A pass over all splits costs the same for one value as for a hundred, and each value found a few instructions more. So few sums
//! need be marked before: with m values in question one more mark finds one of them in 1024/m times. Past a byte and with AVX-512
//! alone, whose table look-up makes it worth its while; elsewhere values are looked for a few at a time ([`super::splits`]).

use super::marks::FEW;
use super::splits::{Found, Marked, Splits, VALUES};
use crate::{LimitReached, Meter};

/// Values of a table.
pub const CODES: usize = 1024;

/// Splits looked through before it is seen whether a value is left.
const STRETCH: usize = 2048;

/// The values in question from a multiple of [`CODES`] on, a bit each.
pub type Table = [u64; WORDS];

/// So many words has a table.
pub const WORDS: usize = CODES / 64;

/// Strikes from the table the sums, `base` being its first value, until none is left: one by one.
pub fn sift(some: &[u16], others: &[u16], base: u16, table: &mut Table) {
    for (a, b) in some.iter().zip(others) {
        let code = usize::from(a ^ b ^ base);
        if code < CODES {
            table[code / 64] &= !(1 << (code % 64));
        }
    }
}

/// The codes in a table, ascending.
fn codes(table: &Table) -> impl Iterator<Item = usize> {
    table.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(|(i, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                64 * i + bit
            })
        })
    })
}

/// The values whose byte at this place is 0: the first `many`, and some more.
pub fn zeros(values: &[[u8; FEW]; CODES], place: usize, many: u32) -> Table {
    let mut table = [0u64; WORDS];
    let mut some = 0;
    for (word, values) in table.iter_mut().zip(values.as_chunks::<64>().0) {
        *word = values.iter().rev().fold(0, |word, bytes| word << 1 | u64::from(bytes[place] == 0));
        some += word.count_ones();
        if some >= many {
            break;
        }
    }
    table
}

impl Splits<'_, u16> {
    /// The least value that is no sum, as [`Splits::least`] finds it; about `many` values are looked for at once. `open` has, from a
    /// multiple of [`CODES`] on, the values that may be no sums.
    pub fn sifted(
        &self,
        many: u32,
        struck: &mut Vec<u16>,
        open: impl Fn(usize, u32) -> Table,
        meter: &mut Meter,
    ) -> Result<Found, LimitReached> {
        let mut reached = [0; 2];
        let (mut base, mut many) = (0, many);
        loop {
            let asked = open(base, many);
            // Of 0, and of what is past the marks, nothing was seen.
            let unseen = base == 0 && asked[0] & 1 == 1 || self.marked.below < self.bound;
            let marked = Marked { count: if unseen { 0 } else { self.marked.count }, ..self.marked };
            let mut left = asked;
            if asked.iter().any(|word| *word != 0) {
                self.any_run(marked, |_, small, large| {
                    small.chunks(STRETCH).zip(large.chunks(STRETCH)).any(|(small, large)| {
                        self.simd.sift(small, large, base as u16, &mut left, struck);
                        left.iter().all(|word| *word == 0)
                    })
                });
            }
            let value = codes(&left).next();
            let found = std::array::from_fn(|i| asked[i] & !left[i]);
            for code in codes(&found).take_while(|code| value.is_none_or(|value| *code < value)) {
                reached[usize::from(!self.is_common(base + code))] += 1;
            }
            if let Some(value) = value.map(|code| base + code) {
                return Ok((Some(value as u16), reached));
            }
            // All that was asked for was found: what is left, then the next table.
            if many < CODES as u32 {
                many = CODES as u32;
            } else {
                base += CODES;
            }
            if base >= self.bound {
                // Sums are below the bound, a power of two.
                return Ok(((self.bound < VALUES).then_some(self.bound as u16), reached));
            }
            meter.spend(0)?;
        }
    }

    fn is_common(&self, value: usize) -> bool {
        self.space.is_common(value as u32, self.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use crate::sequence::moves::Moves;
    use crate::sequence::splits::Runs;
    use crate::sequence::{Simd, Space, TakeBreak};
    use std::collections::BTreeSet;

    fn random() -> impl FnMut(u64) -> u16 {
        let mut any = crate::sequence::random(1);
        move |below| any(below) as u16
    }

    #[test]
    fn all_instructions_sift_the_same() {
        let mut random = random();
        for round in 0..500 {
            let len = round % 200;
            let most = [500, 1024, 3000, 65_536][round % 4];
            let [some, others]: [Vec<u16>; 2] =
                std::array::from_fn(|_| (0..len).map(|_| random(most)).collect());
            let base = random(most) / CODES as u16 * CODES as u16;
            let table: Table = std::array::from_fn(|_| {
                (0..4).fold(0, |word, _| word << 16 | u64::from(random(65_536) & random(65_536)))
            });
            let expected: Vec<usize> = codes(&table)
                .filter(|code| {
                    !some.iter().zip(&others).any(|(a, b)| usize::from(a ^ b) == usize::from(base) + code)
                })
                .collect();
            for simd in Simd::all() {
                let mut left = table;
                simd.sift(&some, &others, base, &mut left, &mut Vec::new());
                assert_eq!(codes(&left).collect::<Vec<_>>(), expected, "{simd:?} {round}");
            }
        }
    }

    #[test]
    fn all_instructions_see_the_same_zeros() {
        let mut random = random();
        for round in 0..100 {
            let mut values = [[0; FEW]; CODES];
            values.iter_mut().flatten().for_each(|byte| *byte = u8::from(random(50) > round % 50));
            let (place, many) = (usize::from(round) % FEW, u32::from(round) * 3);
            let all: Vec<usize> = (0..CODES).filter(|code| values[*code][place] == 0).collect();
            for simd in Simd::all() {
                let found: Vec<usize> = codes(&simd.zeros(&values, place, many)).collect();
                assert!(
                    all.starts_with(&found) && found.len() >= all.len().min(many as usize),
                    "{simd:?} {round}"
                );
            }
        }
    }

    /// The least number that is no sum, nothing being marked before, against all splits.
    #[test]
    fn what_a_sieve_leaves_is_no_sum() {
        let mut random = random();
        let moves = Moves::new(&TakeBreak::parse("0.46").unwrap()).unwrap();
        let space = Space { mask: 1, by_position: None };
        let meter = &mut Meter::new(&Budget::default());
        for round in 0..60 {
            let (n, most) = (300 + usize::from(random(3000)), [30, 300, 900, 1500][round % 4]);
            let mut runs = Runs { values: (0..n).map(|_| random(most)).collect(), back: Vec::new() };
            runs.grow();
            let sums: BTreeSet<u16> = (moves.pairs.iter())
                .flat_map(|(taken, _)| {
                    (1..n - taken).map(|a| runs.values[a] ^ runs.values[n - taken - a]).collect::<Vec<_>>()
                })
                .collect();
            let expected = (0..).find(|value| !sums.contains(value));
            let bound = (most as usize).next_power_of_two();
            let marked = Marked { start: n, block: FEW, count: 0, below: bound, skipped: 0 };
            for simd in Simd::all() {
                let splits =
                    Splits { simd, runs: &runs, moves: &moves, n, space: &space, bound, settled: 0, marked };
                let open = |base: usize, many: u32| {
                    // As many words as are asked for.
                    let words = many.div_ceil(64) as usize;
                    std::array::from_fn(|i| if i < words && base < bound { u64::MAX } else { 0 })
                };
                let found =
                    splits.sifted(1 + u32::from(random(500)), &mut Vec::new(), open, meter).unwrap().0;
                assert_eq!(found, expected, "{simd:?} {round}");
                assert_eq!(found, splits.least(|from| from, meter).unwrap().0, "{simd:?} {round}");
            }
        }
    }
}

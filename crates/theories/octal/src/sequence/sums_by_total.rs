//! Sums of all pairs of heaps of a total, shared by all moves.
//!
//! A move that takes k of n tokens leaves two heaps of total n − k, and another move leaves the
//! same total from another heap. The sums of two heaps of a total are found once, as a set of bits,
//! and serve every move. A heap's value is the least number that is in none of the sets of its
//! moves.
//!
//! A set is found by a membership scan ([`super::membership_scan`]) up to the greatest value so
//! far, and extended for a heap that needs more.

use super::kernel::Kernel;
use super::membership_scan::{CODES, OpenValues, WORDS};
use super::moves::CodeMoves;
use super::simd_value::SimdValue;
use super::split_scan::{VALUES, ValueRuns};
use bouton_simd::Simd;

/// The sums of the latest totals, as far as needed.
#[derive(Debug)]
pub struct SumsByTotal {
    /// A ring buffer of totals, as long as the range of tokens that moves take.
    ring: Vec<TotalSums>,
    /// Number of words of each set.
    words: usize,
    /// Scratch space for a heap's options.
    options: Vec<u64>,
}

/// The sums of two unequal heaps of a total: one bit for each value below 64 times the number of
/// words.
#[derive(Debug, Clone, Default)]
struct TotalSums {
    total: usize,
    found: Vec<u64>,
}

impl SumsByTotal {
    /// Creates the sets for these moves, at least one of which leaves two heaps.
    pub fn new(moves: &CodeMoves) -> SumsByTotal {
        let taken = || moves.pairs.iter().map(|(taken, _)| *taken);
        let (least, most) = (taken().min().unwrap_or(0), taken().max().unwrap_or(0));
        SumsByTotal {
            ring: vec![TotalSums::default(); most - least + 1],
            words: 1,
            options: Vec::new(),
        }
    }

    /// Returns the value of the next heap if it is below [`VALUES`].
    pub fn next<V: SimdValue + Default>(
        &mut self,
        simd: Simd,
        moves: &CodeMoves,
        runs: &ValueRuns<V>,
    ) -> Option<u16> {
        let n = runs.values.len();
        while 64 * self.words <= VALUES {
            self.options.clear();
            self.options.resize(self.words, 0);
            for (taken, unequal) in &moves.pairs {
                let total = n.saturating_sub(*taken);
                let place = total % self.ring.len();
                let sums = &mut self.ring[place];
                if sums.total != total {
                    sums.total = total;
                    sums.found.clear();
                }
                sums.extend(simd, runs, self.words);
                self.options
                    .iter_mut()
                    .zip(&sums.found)
                    .for_each(|(options, found)| *options |= found);
                if !unequal && total > 0 && total.is_multiple_of(2) {
                    // The sum of a heap with itself.
                    self.options[0] |= 1;
                }
            }
            for value in moves.singles(n).map(|rest| runs.values[rest].value()) {
                if let Some(word) = self.options.get_mut(value / 64) {
                    *word |= 1 << (value % 64);
                }
            }
            if let Some(place) = self.options.iter().position(|options| *options != u64::MAX) {
                return Some((64 * place) as u16 + self.options[place].trailing_ones() as u16);
            }
            self.words += 1;
        }
        None
    }
}

impl TotalSums {
    /// Extends the set to `words` words.
    fn extend<V: SimdValue + Default>(&mut self, simd: Simd, runs: &ValueRuns<V>, words: usize) {
        let (some, others) = runs.splits(self.total, self.total.saturating_sub(1) / 2);
        while self.found.len() < words {
            let from = self.found.len();
            let base = from / WORDS * WORDS;
            let asked = from - base..(words - base).min(WORDS);
            let mut left: OpenValues = [0; WORDS];
            left[asked.clone()].fill(u64::MAX);
            Kernel(simd).strike_sums(some, others, base / WORDS * CODES, &mut left);
            self.found.extend(left[asked].iter().map(|left| !left));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequence::{TakeAndBreakCode, random};
    use std::collections::BTreeSet;

    /// Returns the least number that is none of a heap's options, after values that are no
    /// nim-sequence, against all splits.
    #[track_caller]
    fn finds_the_least<V: SimdValue + Default>(
        code: &str,
        most: u64,
        seed: u64,
        lane: impl Fn(u64) -> V,
    ) {
        let moves = CodeMoves::new(&TakeAndBreakCode::parse(code).unwrap()).unwrap();
        for simd in Simd::all() {
            let mut random = random(seed);
            let mut runs = ValueRuns {
                values: (0..200).map(|_| lane(random(20))).collect(),
                reversed: Vec::new(),
            };
            runs.grow();
            let mut totals = SumsByTotal::new(&moves);
            for round in 0..150 {
                // Now and then some heaps are found in another way.
                for _ in 0..[1, 1, 1, 6][random(4) as usize] {
                    let most = if round < 50 { most / 4 + 1 } else { most };
                    runs.push(lane(random(most)));
                }
                let n = runs.values.len();
                let value = |n: usize| runs.values[n].value();
                let mut options = BTreeSet::from_iter(moves.singles(n).map(value));
                for (taken, unequal) in &moves.pairs {
                    let smaller = 1..=moves.half(n, *taken, *unequal);
                    options.extend(smaller.map(|a| value(a) ^ value(n - taken - a)));
                }
                let expected = (0..).find(|value| !options.contains(value)).unwrap();
                let found = totals.next(simd, &moves, &runs).map(usize::from);
                assert_eq!(found, Some(expected), "{code} {simd:?} heap {n}");
            }
        }
    }

    #[test]
    fn what_no_total_has_is_the_value() {
        let far = format!("0.4{}4", "0".repeat(250));
        for (seed, code) in ["0.6", "0.07", "4!.0", "0.4064", "0.6657", "4!.4!34!", "0.04!4", &far]
            .iter()
            .enumerate()
        {
            for most in [8, 40, 100, 256] {
                finds_the_least(code, most, seed as u64, |number| number as u8);
            }
            for most in [100, 400, 1024, 1500, 3000, 5000] {
                finds_the_least(code, most, seed as u64, |number| number as u16);
            }
        }
    }

    /// All numbers up to a bound, more than a table holds, are sums: of 0 with each.
    #[test]
    fn sets_go_on_past_a_table() {
        let moves = CodeMoves::new(&TakeAndBreakCode::parse("0.04").unwrap()).unwrap();
        for bound in [255, 256, 1023, 1024, 2047, 2048, 4100] {
            // Small heaps have the value 0, the others those below the bound.
            let values = (0..=bound).map(|_| 0).chain(0..bound).chain([0; 2]);
            let mut runs = ValueRuns { values: values.collect::<Vec<u16>>(), reversed: Vec::new() };
            runs.grow();
            for simd in Simd::all() {
                assert_eq!(
                    SumsByTotal::new(&moves).next(simd, &moves, &runs),
                    Some(bound),
                    "{simd:?}"
                );
            }
        }
    }
}

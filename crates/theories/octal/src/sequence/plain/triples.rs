//! Values of codes a few of whose moves leave three heaps, of any sizes.
//!
//! The sums of two heaps are kept as a set of bits for each total. A value c is the sum of three
//! heaps of a total m if c ⊕ G(a) is in the set of m − a, where a ≤ m / 3 is the least of the
//! three. The first few sets, each with G(a) added, tell most options of a heap; the least value
//! that is none of them is then looked up with every a, until one is no option. So a heap costs a
//! few look-ups for each third of it, and a step for each pair.

use super::{TakeAndBreakCode, shift};
use crate::sequence::CodeDigit;
use bouton_core::{LimitReached, Meter};

/// Moves that leave three heaps, at most: each is a scan of its own.
const MAX_MOVES: usize = 8;

/// Least heaps whose sets are added whole before values are looked up.
const WHOLE: usize = 8;

/// Heaps that are looked at between two polls of the clock.
const POLL_INTERVAL: usize = 1 << 18;

/// Returns whether [`extend`] can be used: moves leave at most three heaps, three of them of any
/// sizes, and few moves do.
pub fn is_suitable(code: &TakeAndBreakCode) -> bool {
    let (Some(most), Some(3)) = (code.most_taken(), code.most_parts()) else { return false };
    let triples = (0..=most).map(|k| code.digit(k)).filter(|digit| digit.allows(3));
    code.is_plain()
        && triples.clone().count() <= MAX_MOVES
        && triples.into_iter().all(|d| !d.unequal())
}

/// For each total the nim-sums of two unequal heaps, as bits; totals of equal heaps have 0, too.
struct PairSums {
    /// A power of two: sums of values below 64 times as much are below that.
    words: usize,
    sets: Vec<u64>,
}

impl PairSums {
    /// Adds the sums of the next total, all of whose smaller heaps have these values.
    fn push(&mut self, values: &[u32]) {
        let total = self.sets.len() / self.words;
        self.sets.resize(self.sets.len() + self.words, 0);
        let set = &mut self.sets[total * self.words..];
        let half = total.saturating_sub(1) / 2;
        if half > 0 {
            let others = values[total - half..total].iter().rev();
            for (a, b) in values[1..=half].iter().zip(others) {
                let sum = a ^ b;
                set[sum as usize / 64] |= 1 << (sum % 64);
            }
        }
    }

    /// Makes room for a value.
    fn widen(&mut self, value: u32) {
        while value as usize >= 64 * self.words {
            let empty = vec![0; self.words];
            self.sets = self
                .sets
                .chunks_exact(self.words)
                .flat_map(|set| [set, &empty[..]].concat())
                .collect();
            self.words *= 2;
        }
    }

    fn set(&self, total: usize) -> &[u64] {
        &self.sets[total * self.words..][..self.words]
    }

    /// Returns whether two heaps of a total, equal ones too, have this sum.
    fn has(&self, total: usize, sum: u32) -> bool {
        sum == 0 && is_twice(total) || self.set(total)[sum as usize / 64] >> (sum % 64) & 1 == 1
    }

    /// Adds to `found` the sums of three heaps: one with this value, and two of a total.
    fn add(&self, total: usize, value: u32, buffer: &mut Vec<u64>, found: &mut [u64]) {
        buffer.clear();
        buffer.extend_from_slice(self.set(total));
        buffer[0] |= u64::from(is_twice(total));
        shift(buffer, value % 64);
        let high = value as usize / 64;
        (0..self.words).for_each(|w| found[w] |= buffer[w ^ high]);
    }
}

/// Returns whether two equal heaps have this total.
fn is_twice(total: usize) -> bool {
    total > 0 && total.is_multiple_of(2)
}

/// Extends the nim-values of a code for which [`is_suitable`] holds to heaps 0..`len`.
pub fn extend(
    code: &TakeAndBreakCode,
    values: &mut Vec<u32>,
    len: usize,
    meter: &mut Meter,
) -> Result<(), LimitReached> {
    let digits: Vec<CodeDigit> =
        (0..=code.most_taken().unwrap_or(0)).map(|k| code.digit(k)).collect();
    let triples: Vec<usize> = (0..digits.len()).filter(|k| digits[*k].allows(3)).collect();
    let mut pairs = PairSums { words: 1, sets: Vec::new() };
    values.iter().for_each(|value| pairs.widen(*value));
    let (mut found, mut buffer, mut looked) = (Vec::new(), Vec::new(), 0);
    for n in 0..len {
        looked += n / 2;
        if looked > POLL_INTERVAL {
            looked = 0;
            meter.poll((pairs.sets.capacity() * size_of::<u64>()) as u64)?;
        }
        pairs.push(&values[..n]);
        if n < values.len() {
            continue;
        }
        meter.spend_one()?;
        found.clear();
        found.resize(pairs.words, 0u64);
        for (k, digit) in digits.iter().enumerate().take(n + 1) {
            let rest = n - k;
            found[0] |= u64::from(digit.allows(0) && rest == 0);
            if digit.allows(1) && rest > 0 {
                found[values[rest] as usize / 64] |= 1 << (values[rest] % 64);
            }
            if digit.allows(2) {
                found.iter_mut().zip(pairs.set(rest)).for_each(|(found, set)| *found |= set);
                found[0] |= u64::from(!digit.unequal() && is_twice(rest));
            }
        }
        // Totals that are left as three heaps, and the least of these at most.
        let totals =
            || triples.iter().filter_map(|k| n.checked_sub(*k)).map(|total| (total, total / 3));
        for (total, most) in totals() {
            for (a, value) in values.iter().enumerate().take(most.min(WHOLE) + 1).skip(1) {
                pairs.add(total - a, *value, &mut buffer, &mut found);
            }
        }
        let value = loop {
            let full = found.iter().take_while(|word| **word == u64::MAX).count();
            let least = 64 * full as u32 + found.get(full).map_or(0, |word| word.trailing_ones());
            if full == pairs.words {
                // No sum of values so far is as great.
                break least;
            }
            let reaches = |total: usize, a: usize| pairs.has(total - a, least ^ values[a]);
            let hit = totals().find_map(|(total, most)| {
                looked += most;
                Some((total, (WHOLE + 1..=most).find(|a| reaches(total, *a))?))
            });
            match hit {
                Some((total, a)) => pairs.add(total - a, values[a], &mut buffer, &mut found),
                None => break least,
            }
        };
        pairs.widen(value);
        values.push(value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::super::with_knapsack;
    use super::*;
    use bouton_core::Budget;

    /// Values as sets of all sums of any number of heaps give them, made in one go and in two.
    #[test]
    fn values_are_those_of_all_sums() {
        for text in
            ["8.7", "0.F", "0.3F", "0.EDC", "8.3333333", "8.0", "0.08", "0.8004!8", "8.[3]", "C.04"]
        {
            let code = TakeAndBreakCode::parse(text).unwrap();
            let suits = code.most_taken().is_some();
            assert_eq!(is_suitable(&code), suits, "{text}");
            if !suits {
                continue;
            }
            let mut meter = Meter::new(&Budget::default());
            let expected = (0..)
                .find_map(|wide| with_knapsack(&code, 260, 1 << wide, &mut meter).unwrap())
                .unwrap();
            for first in [0, 1, 100, 259] {
                let mut values = Vec::new();
                extend(&code, &mut values, first, &mut meter).unwrap();
                assert_eq!(values.len(), first);
                extend(&code, &mut values, 260, &mut meter).unwrap();
                assert_eq!(values, expected, "{text} from {first}");
            }
        }
        let others = ["0.77", "8!.0", "0.{1,4}", "0.[F]", "0.{3=}"];
        assert!(others.iter().all(|text| !is_suitable(&TakeAndBreakCode::parse(text).unwrap())));
    }
}

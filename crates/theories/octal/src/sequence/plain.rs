//! Nim-sequences directly from the code: no assumption on the values, the code or the number of
//! heaps left.
//!
//! Codes that leave at most two heaps try all splits: O(n²). So do codes a few of whose moves leave
//! three heaps, by the sets of sums of two ([`triples`]). For other codes, the set of nim-values
//! of j heaps of total m is kept for every j and m, and extended like a knapsack as heap sizes
//! become known: O(n²·j·words). For unequal heaps each size is packed at most once.

mod triples;

use super::TakeAndBreakCode;
use bouton_core::{LimitReached, Meter, Mex, Nimber};
use std::ops::ControlFlow::{Break, Continue};

/// Returns the nim-values of heaps 0..`len`. Charges one node of the budget for each heap.
pub fn nim_values(
    code: &TakeAndBreakCode,
    len: usize,
    meter: &mut Meter,
) -> Result<Vec<u32>, LimitReached> {
    let mut values = Vec::new();
    if !code.is_plain() {
        extend_by_options(code, &mut values, len, meter)?;
        return Ok(values);
    }
    if code.most_parts().is_some_and(|parts| parts <= 2) {
        extend_by_splits(code, &mut values, len, meter)?;
        return Ok(values);
    }
    if triples::is_suitable(code) {
        triples::extend(code, &mut values, len, meter)?;
        return Ok(values);
    }
    // Values are below 64·words; if one is not, start again with longer words.
    let mut words = 1;
    loop {
        match with_knapsack(code, len, words, meter)? {
            Some(values) => return Ok(values),
            None => words *= 2,
        }
    }
}

/// Extends the nim-values of any code to heaps 0..`len`. Codes most of whose moves leave three
/// heaps or more begin anew.
///
/// # Errors
///
/// If the budget ends.
pub fn extend(
    code: &TakeAndBreakCode,
    values: &mut Vec<u32>,
    len: usize,
    meter: &mut Meter,
) -> Result<(), LimitReached> {
    if values.len() >= len {
        return Ok(());
    }
    if !code.is_plain() {
        extend_by_options(code, values, len, meter)
    } else if code.most_parts().is_some_and(|parts| parts <= 2) {
        extend_by_splits(code, values, len, meter)
    } else if triples::is_suitable(code) {
        triples::extend(code, values, len, meter)
    } else {
        *values = nim_values(code, len, meter)?;
        Ok(())
    }
}

/// Extends the nim-values of a code that leaves at most two heaps to heaps 0..`len`.
pub fn extend_by_splits(
    code: &TakeAndBreakCode,
    values: &mut Vec<u32>,
    len: usize,
    meter: &mut Meter,
) -> Result<(), LimitReached> {
    let most = code.most_taken().unwrap_or(len);
    let digits: Vec<_> = (0..=most.min(len)).map(|k| code.digit(k)).collect();
    let mut seen = Mex::default();
    let mut tried = 0;
    for n in values.len()..len {
        meter.spend_one()?;
        seen.clear();
        for (k, digit) in digits.iter().enumerate().take(n + 1) {
            let rest = n - k;
            if digit.allows(0) && rest == 0 {
                seen.insert(Nimber(0));
            }
            if digit.allows(1) && rest > 0 {
                seen.insert(Nimber(values[rest]));
            }
            if digit.allows(2) {
                let half = rest.saturating_sub(usize::from(digit.unequal())) / 2;
                // If any number of tokens may be taken, 4,000 heaps take minutes.
                tried += half;
                if tried > POLL_INTERVAL {
                    tried = 0;
                    meter.poll(0)?;
                }
                (1..=half).for_each(|a| seen.insert(Nimber(values[a] ^ values[rest - a])));
            }
        }
        values.push(seen.value().0);
    }
    Ok(())
}

/// Extends the nim-values of any code to heaps 0..`len` by all options of each heap.
///
/// Codes that leave many heaps have very many options.
pub fn extend_by_options(
    code: &TakeAndBreakCode,
    values: &mut Vec<u32>,
    len: usize,
    meter: &mut Meter,
) -> Result<(), LimitReached> {
    let mut seen = Mex::default();
    let mut tried = 0;
    for n in values.len()..len {
        meter.spend_one()?;
        seen.clear();
        let spent = code.options(n as u32, |heaps| {
            tried += heaps.len();
            if tried > POLL_INTERVAL {
                tried = 0;
                if let Err(spent) = meter.poll(0) {
                    return Break(spent);
                }
            }
            seen.insert(Nimber(heaps.iter().fold(0, |sum, heap| sum ^ values[*heap as usize])));
            Continue(())
        });
        if let Break(spent) = spent {
            return Err(spent);
        }
        values.push(seen.value().0);
    }
    Ok(())
}

/// Sets of nim-values reached with 0, 1, …, `cap` heaps of a given total; the last one covers all
/// numbers of heaps from `cap` on, if they are asked for.
struct ValueKnapsack {
    cap: usize,
    len: usize,
    words: usize,
    unequal: bool,
    /// Whether any digit allows `cap` heaps, and so all numbers from there on.
    any_number: bool,
    sets: Vec<u64>,
}

impl ValueKnapsack {
    fn new(
        cap: usize,
        len: usize,
        words: usize,
        [unequal, any_number]: [bool; 2],
    ) -> ValueKnapsack {
        let mut sets = vec![0; (cap + usize::from(any_number)) * len * words];
        if let Some(first) = sets.first_mut() {
            *first = 1;
        }
        ValueKnapsack { cap, len, words, unequal, any_number, sets }
    }

    fn at(&self, heaps: usize, total: usize) -> usize {
        (heaps * self.len + total) * self.words
    }

    fn set(&self, heaps: usize, total: usize) -> &[u64] {
        &self.sets[self.at(heaps, total)..][..self.words]
    }

    /// Adds `value` to every member of the sets of `from` heaps and inserts the results in the sets
    /// of `to` heaps, whose totals are greater by `size`.
    ///
    /// With `from` equal to `to`, results are added again if sizes may be equal, else they are not.
    fn spread(&mut self, [from, to]: [usize; 2], size: usize, value: u32) {
        let (words, totals) = (self.words, self.len - size);
        let most = (BLOCK / words).max(1);
        let most = if from == to && !self.unequal { most.min(size) } else { most };
        let starts = (0..totals).step_by(most);
        let mut buffer = Vec::with_capacity(most.min(totals) * words);
        // Descending totals do not contain this size yet; ascending ones do.
        if self.unequal {
            starts
                .rev()
                .for_each(|start| self.block([from, to], [start, size, most], value, &mut buffer));
        } else {
            starts
                .for_each(|start| self.block([from, to], [start, size, most], value, &mut buffer));
        }
    }

    /// Does the same for at most `most` totals from `start` on.
    fn block(
        &mut self,
        [from, to]: [usize; 2],
        [start, size, most]: [usize; 3],
        value: u32,
        buffer: &mut Vec<u64>,
    ) {
        let words = self.words;
        let count = most.min(self.len - size - start) * words;
        let (source, target) = (self.at(from, start), self.at(to, start + size));
        buffer.clear();
        buffer.extend_from_slice(&self.sets[source..source + count]);
        shift(buffer, value % 64);
        let sums = self.sets[target..target + count].chunks_exact_mut(words);
        // Words change places where the value has digits above the sixth.
        let high = value as usize / 64;
        for (set, sums) in buffer.chunks_exact(words).zip(sums) {
            match high {
                0 => sums.iter_mut().zip(set).for_each(|(sum, word)| *sum |= word),
                _ => (0..words).for_each(|w| sums[w] |= set[w ^ high]),
            }
        }
    }

    /// Packs heaps of `size`, whose nim-value is `value`.
    fn pack(&mut self, size: usize, value: u32, meter: &mut Meter) -> Result<(), LimitReached> {
        let top = if self.any_number { self.cap } else { self.cap - 1 };
        for step in 1..=top {
            // Sets of fewer heaps contain this size already, or not yet.
            let heaps = if self.unequal { top + 1 - step } else { step };
            meter.poll(0)?;
            if heaps == self.cap && self.unequal {
                self.spread([heaps, heaps], size, value);
            }
            self.spread([heaps - 1, heaps], size, value);
            if heaps == self.cap && !self.unequal {
                self.spread([heaps, heaps], size, value);
            }
        }
        Ok(())
    }
}

/// Number of words that are shifted at once.
const BLOCK: usize = 1 << 10;

/// Number of words changed, or of splits tried, between two polls of the clock.
const POLL_INTERVAL: usize = 1 << 18;

/// Replaces each set by {v ^ by : v in set}, for members and `by` below 64.
fn shift(sets: &mut [u64], by: u32) {
    const LOW: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    for (bit, low) in LOW.iter().enumerate().filter(|(bit, _)| by >> bit & 1 == 1) {
        sets.iter_mut()
            .for_each(|set| *set = (*set & low) << (1 << bit) | *set >> (1 << bit) & low);
    }
}

fn with_knapsack(
    code: &TakeAndBreakCode,
    len: usize,
    words: usize,
    meter: &mut Meter,
) -> Result<Option<Vec<u32>>, LimitReached> {
    let digits: Vec<_> =
        (0..=code.most_taken().unwrap_or(len).min(len)).map(|k| code.digit(k)).collect();
    // From `cap` on every digit treats all numbers of heaps alike.
    let cap = digits
        .iter()
        .map(|d| d.any_from().or(d.most_parts()).unwrap_or(0))
        .max()
        .unwrap_or(0)
        .max(1);
    let cap = digits.iter().filter_map(|d| d.any_from()).fold(cap, u32::max) as usize + 1;
    let any_number = digits.iter().any(|digit| digit.allows(cap as u32));
    let levels = cap + usize::from(any_number);
    let bytes = |sacks: usize| (sacks * levels * len * words * 8) as u64;
    let kinds = [false, true].map(|unequal| digits.iter().any(|d| d.unequal() == unequal));
    meter.check_bytes(bytes(kinds.iter().filter(|used| **used).count()))?;
    let mut sacks = [false, true].map(|unequal| {
        let len = if kinds[usize::from(unequal)] { len } else { 0 };
        ValueKnapsack::new(cap, len, words, [unequal, any_number])
    });
    let mut values = Vec::with_capacity(len);
    let mut seen = vec![0u64; words];
    for n in 0..len {
        meter.spend_one()?;
        seen.fill(0);
        for (k, digit) in digits.iter().enumerate().take(n + 1) {
            let sack = &sacks[usize::from(digit.unequal())];
            for heaps in (0..=cap).filter(|heaps| digit.allows(*heaps as u32)) {
                seen.iter_mut().zip(sack.set(heaps, n - k)).for_each(|(seen, set)| *seen |= set);
            }
        }
        let full = seen.iter().take_while(|w| **w == u64::MAX).count();
        if full == words {
            return Ok(None);
        }
        let value = full as u32 * 64 + seen[full].trailing_ones();
        values.push(value);
        if n > 0 {
            for sack in sacks.iter_mut().filter(|sack| sack.len > 0) {
                sack.pack(n, value, meter)?;
            }
        }
    }
    Ok(Some(values))
}

#[cfg(test)]
mod tests;

//! Nim-sequences straight from the code: no assumption on the values, any number of heaps left, any code.
//!
//! Codes that leave at most two heaps try all pairs: O(n²). Codes that leave more keep, for every number of heaps j
//! and every total m, the set of nim-values of j heaps of total m, built up like a knapsack as heap sizes become
//! known: O(n²·j·words). Unequal heaps are the knapsack in which each size is packed at most once.

use super::TakeBreak;
use bouton_core::{LimitReached, Meter, Mex, Nimber};

/// The nim-values of heaps 0..`len`. One node of the budget a heap.
pub fn nim_values(code: &TakeBreak, len: usize, meter: &mut Meter) -> Result<Vec<u32>, LimitReached> {
    let mut values = Vec::new();
    if code.most_parts().is_some_and(|parts| parts <= 2) {
        extend_by_pairs(code, &mut values, len, meter)?;
        return Ok(values);
    }
    // Values are below 64·words; where one is not, start again with longer words.
    let mut words = 1;
    loop {
        match by_knapsack(code, len, words, meter)? {
            Some(values) => return Ok(values),
            None => words *= 2,
        }
    }
}

/// Extends the nim-values of a code that leaves at most two heaps to heaps 0..`len`.
pub fn extend_by_pairs(
    code: &TakeBreak,
    values: &mut Vec<u32>,
    len: usize,
    meter: &mut Meter,
) -> Result<(), LimitReached> {
    let most = code.most_taken().unwrap_or(len);
    let digits: Vec<_> = (0..=most.min(len)).map(|k| code.digit(k)).collect();
    let mut seen = Mex::default();
    let mut tried = 0;
    for n in values.len()..len {
        meter.node()?;
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
                // Where any number may be taken, four thousand heaps take minutes.
                tried += half;
                if tried > MANY {
                    tried = 0;
                    meter.within_node(0)?;
                }
                (1..=half).for_each(|a| seen.insert(Nimber(values[a] ^ values[rest - a])));
            }
        }
        values.push(seen.value().0);
    }
    Ok(())
}

/// Sets of nim-values reached with 0, 1, …, `cap` heaps of a given total; the last means `cap` or more.
struct Knapsack {
    cap: usize,
    len: usize,
    words: usize,
    unequal: bool,
    sets: Vec<u64>,
}

impl Knapsack {
    fn new(cap: usize, len: usize, words: usize, unequal: bool) -> Knapsack {
        let mut sets = vec![0; (cap + 1) * len * words];
        if let Some(first) = sets.first_mut() {
            *first = 1;
        }
        Knapsack { cap, len, words, unequal, sets }
    }

    fn at(&self, heaps: usize, total: usize) -> usize {
        (heaps * self.len + total) * self.words
    }

    fn set(&self, heaps: usize, total: usize) -> &[u64] {
        &self.sets[self.at(heaps, total)..][..self.words]
    }

    /// Adds `value` to every member of the set at `from` and puts them into the set at `to`.
    fn add(&mut self, from: usize, to: usize, value: u32) {
        for w in 0..self.words {
            let moved = shifted(self.sets[from + w], value % 64);
            self.sets[to + (w ^ (value as usize / 64))] |= moved;
        }
    }

    /// Packs heaps of `size`, of this nim-value.
    fn pack(&mut self, size: usize, value: u32, meter: &mut Meter) -> Result<(), LimitReached> {
        let stride = (MANY / (self.cap * self.words)).max(1);
        for i in size..self.len {
            if i % stride == 0 {
                meter.within_node(0)?;
            }
            // Descending totals see no heap of this size yet; ascending ones see those just packed.
            let total = if self.unequal { self.len - 1 - (i - size) } else { i };
            for heaps in (1..=self.cap).rev() {
                let to = self.at(heaps, total);
                self.add(self.at(heaps - 1, total - size), to, value);
                if heaps == self.cap {
                    self.add(self.at(heaps, total - size), to, value);
                }
            }
        }
        Ok(())
    }
}

/// Words of a knapsack changed, and pairs tried, between two looks at the clock.
const MANY: usize = 1 << 18;

/// The set {v ^ by : v in set}, for members and `by` below 64.
fn shifted(set: u64, by: u32) -> u64 {
    const LOW: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    (0..6).filter(|bit| by >> bit & 1 == 1).fold(set, |set, bit| {
        let low = LOW[bit as usize];
        (set & low) << (1 << bit) | set >> (1 << bit) & low
    })
}

fn by_knapsack(
    code: &TakeBreak,
    len: usize,
    words: usize,
    meter: &mut Meter,
) -> Result<Option<Vec<u32>>, LimitReached> {
    let digits: Vec<_> = (0..=code.most_taken().unwrap_or(len).min(len)).map(|k| code.digit(k)).collect();
    // From `cap` on all numbers of heaps are alike to every digit.
    let cap = digits.iter().map(|d| d.any_from().or(d.most_parts()).unwrap_or(0)).max().unwrap_or(0).max(1);
    let cap = digits.iter().filter_map(|d| d.any_from()).fold(cap, u32::max) as usize + 1;
    let bytes = |sacks: usize| (sacks * (cap + 1) * len * words * 8) as u64;
    let kinds = [false, true].map(|unequal| digits.iter().any(|d| d.unequal() == unequal));
    meter.holding(bytes(kinds.iter().filter(|used| **used).count()))?;
    let mut sacks = [false, true]
        .map(|unequal| Knapsack::new(cap, if kinds[usize::from(unequal)] { len } else { 0 }, words, unequal));
    let mut values = Vec::with_capacity(len);
    let mut seen = vec![0u64; words];
    for n in 0..len {
        meter.node()?;
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
mod tests {
    use super::*;
    use bouton_core::{Budget, mex};
    use std::ops::ControlFlow::Continue;

    /// From the options of the code alone.
    fn brute(code: &TakeBreak, len: usize) -> Vec<u32> {
        let mut values: Vec<u32> = Vec::new();
        for n in 0..len {
            let mut sums = Vec::new();
            let _ = code.options(n as u32, |heaps| {
                sums.push(Nimber(heaps.iter().fold(0, |sum, heap| sum ^ values[*heap as usize])));
                Continue::<()>(())
            });
            values.push(mex(sums).0);
        }
        values
    }

    /// A wish to stop is heard among many pairs of few heaps, and what is known stays.
    #[test]
    fn pairs_are_stopped() {
        let code = TakeBreak::parse("0.[7]").unwrap();
        let watch = std::sync::Arc::new(bouton_core::Watch::default());
        watch.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let mut meter = Meter::new(&Budget { watch: Some(watch), ..Budget::default() });
        let mut values = Vec::new();
        let stopped = extend_by_pairs(&code, &mut values, 400, &mut meter);
        assert_eq!(stopped, Err(LimitReached::Cancelled));
        assert!(!values.is_empty() && values.len() < 400);
        assert_eq!(values, brute(&code, values.len())[..]);
    }

    #[test]
    fn plain_values_are_those_of_the_options() {
        for (text, len) in [
            ("0.77", 300),
            ("4!.0", 300),
            ("0.[3]", 200),
            ("0.137", 300),
            ("4.12", 200),
            ("0.4!3", 200),
            ("0.F", 100),
            ("0.3F", 100),
            ("8.7", 100),
            ("8!.[5]", 90),
            ("0.0{1,4}7", 50),
            ("{2+}.3", 34),
            ("{2+}!.3", 60),
            ("0.[{0,3+}]", 32),
            ("{2,3+}!.0D!", 40),
            ("0.0", 10),
        ] {
            let code = TakeBreak::parse(text).unwrap();
            let mut meter = Meter::new(&Budget::default());
            assert_eq!(nim_values(&code, len, &mut meter).unwrap(), brute(&code, len), "{text}");
            // The knapsack can do what pairs can.
            let packed = (0..).find_map(|w| by_knapsack(&code, len, 1 << w, &mut meter).unwrap()).unwrap();
            assert_eq!(packed, brute(&code, len), "{text} packed");
        }
    }

    /// Nim-values of 300 heaps of Nim pass 255; lengths 0 and 1 exist.
    #[test]
    fn large_values_and_short_tables() {
        let mut meter = Meter::new(&Budget::default());
        for text in ["0.[3]", "0.[{0,1,9}]"] {
            let nim = nim_values(&TakeBreak::parse(text).unwrap(), 300, &mut meter).unwrap();
            assert!(nim.iter().take(9).copied().eq(0..9), "{text}");
            assert!(nim.iter().max() > Some(&255), "{text}");
        }
        for len in [0, 1] {
            let code = TakeBreak::parse("0.F").unwrap();
            assert_eq!(nim_values(&code, len, &mut meter).unwrap(), vec![0; len]);
        }
    }

    #[test]
    fn a_spent_budget_is_told() {
        let mut meter = Meter::new(&Budget { nodes: Some(10), ..Budget::default() });
        let code = TakeBreak::parse("0.77").unwrap();
        assert_eq!(nim_values(&code, 11, &mut meter), Err(LimitReached::Nodes(10)));
    }
}

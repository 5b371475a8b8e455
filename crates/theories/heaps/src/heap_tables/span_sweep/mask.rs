//! Numbers in one place that bounds and tests admit, 64 at a time.

use crate::heap_options::Test;
use smallvec::SmallVec;
use std::ops::ControlFlow::{self, Continue};

/// Whether a test holds of k · z + r for 64 numbers z, by the remainder of r.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) modulus: i64,
    /// What 64 more numbers add to the remainder.
    pub(super) step: i64,
    pub(super) words: Vec<u64>,
}

impl Pattern {
    /// Returns the pattern; `None` for a test of no remainder.
    pub(super) fn new(test: Test, k: i64) -> Option<Pattern> {
        let Test::Remainder { modulus, .. } = test else { return None };
        let bit = |rest: i64, z: i64| u64::from(test.holds(k * z + rest)) << z;
        let word = |rest: i64| (0..64).fold(0, |word, z| word | bit(rest, z));
        Some(Pattern {
            modulus,
            step: (64 * k).rem_euclid(modulus),
            words: (0..modulus).map(word).collect(),
        })
    }

    pub(super) fn word(&self, rest: i64, at: usize) -> u64 {
        self.words[((rest + self.step * at as i64) % self.modulus) as usize]
    }
}

/// The numbers in one place that bounds and tests admit.
#[derive(Debug, Clone)]
pub(super) struct Mask<'s> {
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) exceptions: SmallVec<[i64; 2]>,
    pub(super) patterns: SmallVec<[(&'s Pattern, i64); 2]>,
    /// Only numbers whose bits are set.
    pub(super) rows: SmallVec<[&'s [u64]; 2]>,
}

impl<'s> Mask<'s> {
    pub(super) fn new(high: i64) -> Mask<'s> {
        Mask {
            low: 0,
            high,
            exceptions: SmallVec::new(),
            patterns: SmallVec::new(),
            rows: SmallVec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.low > self.high
    }

    pub(super) fn clear(&mut self) {
        self.high = self.low - 1;
    }

    /// Admits only numbers z with k · z + rest ≤ 0.
    #[inline]
    pub(super) fn bound(&mut self, k: i64, rest: i64) {
        match k {
            0 if rest > 0 => self.clear(),
            0 => {}
            1 => self.high = self.high.min(-rest),
            -1 => self.low = self.low.max(rest),
            2.. => self.high = self.high.min((-rest).div_euclid(k)),
            _ => self.low = self.low.max(-((-rest).div_euclid(-k))),
        }
    }

    /// Admits only numbers z of whose k · z + rest the test holds, k ≠ 0.
    #[inline]
    pub(super) fn test(&mut self, pattern: Option<&'s Pattern>, k: i64, rest: i64) {
        match pattern {
            Some(pattern) => self.patterns.push((pattern, rest.rem_euclid(pattern.modulus))),
            None if rest % k == 0 => self.exceptions.push(-rest / k),
            None => {}
        }
    }

    /// Returns whether all numbers between the bounds are admitted.
    pub(super) fn is_plain(&self) -> bool {
        self.exceptions.is_empty() && self.patterns.is_empty() && self.rows.is_empty()
    }

    /// Returns the words that have admitted numbers; some if none has.
    pub(super) fn words(&self) -> std::ops::RangeInclusive<usize> {
        self.low as usize / 64..=self.high as usize / 64
    }

    /// Returns the numbers of a word among [`Mask::words`], as bits.
    #[inline]
    pub(super) fn word(&self, at: usize) -> u64 {
        let (first, mut word) = (64 * at as i64, u64::MAX);
        if self.low > first {
            word &= u64::MAX << (self.low - first);
        }
        if self.high < first + 63 {
            word &= u64::MAX >> (first + 63 - self.high);
        }
        for (pattern, rest) in &self.patterns {
            word &= pattern.word(*rest, at);
        }
        for row in &self.rows {
            word &= row[at];
        }
        for exception in &self.exceptions {
            if (first..first + 64).contains(exception) {
                word &= !(1 << (exception - first));
            }
        }
        word
    }

    pub(super) fn has(&self, number: i64) -> bool {
        (self.low..=self.high).contains(&number)
            && self.word(number as usize / 64) >> (number % 64) & 1 == 1
    }

    /// Returns whether an admitted number is set in a row; some number is between the bounds.
    #[inline]
    pub(super) fn has_one(&self, row: &[u64]) -> bool {
        self.words().any(|at| row[at] != 0 && row[at] & self.word(at) != 0)
    }

    /// Returns whether a number is admitted.
    pub(super) fn has_any(&self) -> bool {
        !self.is_empty() && self.words().any(|at| self.word(at) != 0)
    }

    /// Visits the admitted numbers from the greatest on until `visit` breaks.
    pub(super) fn visit(&self, mut visit: impl FnMut(i64) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.is_empty() {
            return Continue(());
        }
        for at in self.words().rev() {
            let mut word = self.word(at);
            while word != 0 {
                let bit = 63 - word.leading_zeros();
                word ^= 1 << bit;
                visit((64 * at) as i64 + i64::from(bit))?;
            }
        }
        Continue(())
    }
}

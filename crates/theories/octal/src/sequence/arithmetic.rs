//! Proofs of periods with a saltus: G(n + p) = G(n) + s for all n ≥ e.
//!
//! The theorem, with its proof, is in docs/certificates.md (period, Theorem 4). It holds for codes
//! that leave at most three heaps (two if heaps left must differ), with digits that end or repeat.
//! Its numbers are M, the heap from which on options follow a pattern; T, below which values are
//! reached by options that last; and Q, a multiple of 2p after which the pattern recurs. They are
//! sought here; the theorem's conditions are then a finite comparison.

use super::TakeAndBreakCode;
use bouton_core::{LimitReached, Meter};

/// The numbers with which the theorem proves a period and a saltus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArithmeticProof {
    /// M: options of heaps from here on follow a pattern.
    pub from: usize,
    /// T: values below this are reached by options that last.
    pub threshold: usize,
    /// Q: the pattern recurs after this many heaps.
    pub step: usize,
}

/// Maximum of preperiod and period together for which a proof is sought.
const MAX_KINDS: usize = 400;

/// Maximum number of values with which a proof is sought.
const MAX_VALUES: usize = 1 << 11;

/// Number of candidates for M that are tried for each Q.
const STARTS: usize = 12;

/// The multiples of the least Q that are tried.
const MULTIPLES: [usize; 4] = [1, 2, 4, 8];

/// A code, its known values, and the period and saltus that they show.
pub(super) struct ArithmeticPeriod<'s> {
    code: &'s TakeAndBreakCode,
    values: Vec<usize>,
    period: usize,
    saltus: usize,
    /// Heaps from here on are large, others small.
    large: usize,
    /// Index of the last digit that does not repeat.
    last: usize,
    /// The length with which the digits behind it repeat, if they do.
    repeat: Option<usize>,
    parts: usize,
}

/// Heaps left by an option, chosen so far.
#[derive(Clone, Copy, Default)]
struct Chosen {
    size: usize,
    low: usize,
    high: i64,
    small: usize,
    large: usize,
}

/// Kinds of values of options, as bits.
const LASTING: u8 = 1;
const BOTH: u8 = 2;
const MOVING: u8 = 4;

impl<'s> ArithmeticPeriod<'s> {
    /// Creates the period of known values from `preperiod` on; `None` if the theorem does not cover
    /// the code, or the numbers are too large to try.
    pub(super) fn new(
        code: &'s TakeAndBreakCode,
        values: impl Iterator<Item = u32>,
        [period, preperiod, saltus]: [usize; 3],
    ) -> Option<ArithmeticPeriod<'s>> {
        let parts = code.most_parts()?.max(1) as usize;
        let (last, repeat) = code.repetition();
        let repeats = repeat.unwrap_or(1);
        let covered = parts <= if code.has_unequal() { 2 } else { 3 };
        let small = preperiod + period <= MAX_KINDS && repeats <= MAX_KINDS;
        (covered && code.is_plain() && small && saltus > 0 && period > 0).then(|| {
            ArithmeticPeriod {
                code,
                values: values.take(MAX_VALUES).map(|value| value as usize).collect(),
                period,
                saltus,
                large: preperiod.max(1),
                last,
                repeat,
                parts,
            }
        })
    }

    /// Returns the numbers that prove the period, if the known values contain a proof.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    pub(super) fn prove(&self, meter: &mut Meter) -> Result<Option<ArithmeticProof>, LimitReached> {
        if self.first_start() >= self.values.len() || !self.is_avoided(meter)? {
            return Ok(None);
        }
        for multiple in MULTIPLES {
            let step = num_integer::lcm(2 * self.period, self.repeat.unwrap_or(1)) * multiple;
            for start in 0..STARTS {
                let from = self.first_start() + start * step;
                if from + step > self.values.len() {
                    break;
                }
                if let Some(threshold) = self.threshold(from, step, meter)? {
                    return Ok(Some(ArithmeticProof { from, threshold, step }));
                }
            }
        }
        Ok(None)
    }

    /// Returns the least M with which small heaps alone do not have the value of a heap.
    fn first_start(&self) -> usize {
        if self.repeat.is_none() {
            return self.last + self.parts * (self.large - 1) + 1;
        }
        let most = self.values.iter().take(self.large).max().copied().unwrap_or(0);
        let bound = if most == 0 { 1 } else { (most + 1).next_power_of_two() };
        let low = self.values.iter().rposition(|value| *value < bound);
        low.map_or(0, |low| low + 1).max(self.large)
    }

    /// Returns whether no option that leaves a large heap has the value of its heap.
    fn is_avoided(&self, meter: &mut Meter) -> Result<bool, LimitReached> {
        if self.large + self.period > self.values.len() {
            return Ok(false);
        }
        let repeats = self.repeat.map_or(0, |repeat| num_integer::lcm(repeat, self.period));
        for taken in 0..=self.last + repeats {
            let digit = self.code.digit(taken);
            for parts in (1..=self.parts).filter(|parts| digit.allows(*parts as u32)) {
                if !self.chosen(taken, repeats, parts, 1, Chosen::default(), meter)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Chooses further heaps of `first` and more, large ones below `large + period` only.
    fn chosen(
        &self,
        taken: usize,
        repeats: usize,
        further: usize,
        first: usize,
        heaps: Chosen,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        if further == 0 {
            return Ok(heaps.large == 0 || self.differs(taken, repeats, heaps));
        }
        meter.poll(0)?;
        let digits = self.saltus.trailing_zeros();
        for heap in first..self.large + self.period {
            let value = self.values[heap];
            let (low, high) = (value & ((1 << digits) - 1), value >> digits);
            let mut with = Chosen { size: heaps.size + heap, low: heaps.low ^ low, ..heaps };
            if heap < self.large {
                with.small ^= high;
            } else {
                with.high += high as i64;
                with.large += 1;
            }
            if !self.chosen(taken, repeats, further - 1, heap, with, meter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn differs(&self, taken: usize, repeats: usize, heaps: Chosen) -> bool {
        let digits = self.saltus.trailing_zeros();
        let odd = (self.saltus >> digits) as i64;
        let above = heaps.size + taken - self.large;
        let value = self.values[self.large + above % self.period];
        if value & ((1 << digits) - 1) != heaps.low {
            return true;
        }
        let step = if taken > self.last { odd * (repeats / self.period) as i64 } else { 0 };
        let small = heaps.small as i64;
        let mut surplus =
            (value >> digits) as i64 - heaps.high + odd * (above / self.period) as i64;
        while surplus <= small {
            let twice = small - surplus;
            if twice % 2 == 0 && (heaps.large > 1 || (twice / 2) & !small == 0) {
                return false;
            }
            if step == 0 {
                break;
            }
            surplus += step;
        }
        true
    }

    /// Returns a T with which all values below those of heaps from `from` on are reached.
    fn threshold(
        &self,
        from: usize,
        step: usize,
        meter: &mut Meter,
    ) -> Result<Option<usize>, LimitReached> {
        let rise = step / self.period * self.saltus;
        let mut kinds = Vec::with_capacity(step);
        for n in from..from + step {
            kinds.push(self.option_values(n, rise, meter)?);
        }
        let prefix =
            |kinds: &Vec<u8>| kinds.iter().take_while(|kind| **kind & LASTING != 0).count();
        let most = kinds.iter().map(prefix).min().unwrap_or(0);
        let has = |kinds: &Vec<u8>, value: usize, kind: u8| {
            kinds.get(value).is_some_and(|kinds| kinds & kind != 0)
        };
        let fits = |threshold: &usize| {
            kinds.iter().zip(&self.values[from..]).all(|(kinds, value)| {
                (threshold - rise..*threshold).all(|value| has(kinds, value, BOTH))
                    && (*threshold..*value).all(|value| has(kinds, value, MOVING))
            })
        };
        Ok((rise..=most).rev().find(fits))
    }

    /// Returns the kinds of options of heap `n` by value.
    fn option_values(
        &self,
        n: usize,
        rise: usize,
        meter: &mut Meter,
    ) -> Result<Vec<u8>, LimitReached> {
        let mut found = vec![0u8; 4 * (self.values[n] + 1)];
        let last = if self.repeat.is_some() { n } else { self.last.min(n) };
        for taken in 0..=last {
            let (digit, rest) = (self.code.digit(taken), n - taken);
            let gap = usize::from(digit.unequal());
            let mut mark = |heaps: &[usize]| {
                let (value, kind) = self.kind(taken, heaps, digit.unequal(), rise);
                if let Some(kinds) = found.get_mut(value) {
                    *kinds |= kind;
                }
            };
            if digit.allows(0) && rest == 0 {
                mark(&[]);
            }
            if digit.allows(1) && rest > 0 && taken > 0 {
                mark(&[rest]);
            }
            if !(digit.allows(2) || digit.allows(3)) {
                continue;
            }
            meter.poll(0)?;
            for a in (1..rest).take_while(|a| 2 * a + gap <= rest) {
                if digit.allows(2) {
                    mark(&[a, rest - a]);
                }
                if digit.allows(3) {
                    for b in a..=(rest - a) / 2 {
                        mark(&[a, b, rest - a - b]);
                    }
                }
            }
        }
        Ok(found)
    }

    fn kind(&self, taken: usize, heaps: &[usize], unequal: bool, rise: usize) -> (usize, u8) {
        let value = |i: usize| self.values[heaps[i]];
        let is_large = |i: usize| heaps[i] >= self.large;
        let sum = (0..heaps.len()).fold(0, |sum, i| sum ^ value(i));
        let moving = (0..heaps.len()).any(|i| {
            let greatest = (0..heaps.len()).all(|other| other == i || heaps[other] < heaps[i]);
            is_large(i) && (sum ^ value(i)) >> rise.trailing_zeros() == 0 && (greatest || !unequal)
        });
        let mut kind = if moving { MOVING } else { 0 };
        if taken > self.last {
            kind |= LASTING | if moving { BOTH } else { 0 };
        }
        for (b, c) in (0..heaps.len()).flat_map(|c| (0..c).map(move |b| (b, c))) {
            let alike = is_large(b) && is_large(c) && value(b) == value(c);
            if heaps[b] == heaps[c] || alike {
                let third =
                    (0..heaps.len()).any(|third| third != b && third != c && is_large(third));
                kind |= LASTING | if third { BOTH } else { 0 };
            }
        }
        (sum, kind)
    }
}

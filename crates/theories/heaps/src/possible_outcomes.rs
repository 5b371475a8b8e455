//! Who wins from one heap of any size, where each move takes few tokens or leaves a part of the
//! heap: take 9 or divide by 5.
//!
//! The last few outcomes and those of the parts say the next one. So the outcomes before a size
//! need not be known from 0 on: from some way below the size, all outcomes that there may be are
//! followed at once, and mostly they are soon the same. Where they are all the same at the size,
//! that is its outcome.

use bouton_core::{LimitReached, Meter, Outcome, Play};
use rustc_hash::FxHashMap;

/// Tokens that a move takes, at most, unless it leaves a part; and the part that it leaves then at
/// most, as a numerator and a denominator.
const MAX_TAKEN: u64 = 12;
const PART: (u64, u64) = (7, 8);
/// Sizes that are followed, at first and at most.
const FOLLOWED: std::ops::RangeInclusive<u64> = 32..=4096;
/// Outcomes that are kept, at most.
const MAX_KNOWN: usize = 1 << 22;

/// Outcomes of the sizes of one heap that were come to.
#[derive(Debug)]
pub struct PossibleOutcomes {
    play: Play,
    /// Whether sizes are P.
    known: FxHashMap<u64, bool>,
    /// Whether a size was met whose outcome is not found so.
    fails: bool,
}

/// The options of a size: how many tokens short moves take, and what other moves leave.
#[derive(Debug, Default)]
struct Split {
    taken: u32,
    left: Vec<u64>,
    has_any: bool,
}

impl PossibleOutcomes {
    /// Nothing is known yet.
    pub fn new(play: Play) -> PossibleOutcomes {
        PossibleOutcomes { play, known: FxHashMap::default(), fails: false }
    }

    /// Returns the outcome of a size; `None` if the game is not one of such moves, or if the
    /// outcomes that there may be stay different. `options` appends the options of a size, and
    /// returns whether they are few.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    pub fn outcome(
        &mut self,
        size: u64,
        options: &dyn Fn(u64, &mut Vec<u64>) -> bool,
        meter: &mut Meter,
    ) -> Result<Option<Outcome>, LimitReached> {
        let is_p = if self.fails { None } else { self.is_p(size, options, meter)? };
        self.fails |= is_p.is_none();
        if self.known.len() > MAX_KNOWN {
            self.known.clear();
        }
        Ok(is_p.map(|is_p| if is_p { Outcome::P } else { Outcome::N }))
    }

    fn is_p(
        &mut self,
        size: u64,
        options: &dyn Fn(u64, &mut Vec<u64>) -> bool,
        meter: &mut Meter,
    ) -> Result<Option<bool>, LimitReached> {
        let mut followed = *FOLLOWED.start();
        while followed <= *FOLLOWED.end() {
            if let Some(is_p) = self.known.get(&size) {
                return Ok(Some(*is_p));
            }
            if !self.follow(size.saturating_sub(followed)..=size, options, meter)? {
                return Ok(None);
            }
            followed *= 2;
        }
        Ok(self.known.get(&size).copied())
    }

    /// Follows all outcomes that there may be before some sizes, and keeps those of the sizes that
    /// are the same in all. Returns whether the game is one of such moves.
    fn follow(
        &mut self,
        sizes: std::ops::RangeInclusive<u64>,
        options: &dyn Fn(u64, &mut Vec<u64>) -> bool,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        let first = *sizes.start();
        let mut moves = Vec::new();
        for size in sizes.clone() {
            meter.spend_one()?;
            let Some(split) = split(size, options) else { return Ok(false) };
            moves.push(split);
        }
        let taken = moves.iter().fold(0, |taken, split| taken | split.taken);
        // Rows of the last outcomes, the last one as the lowest bit: 1 for P. There are none below
        // 0.
        let width = u32::BITS - taken.leading_zeros();
        let mut rows: Vec<u32> = if first == 0 { vec![0] } else { (0..1 << width).collect() };
        let mut seen = vec![false; 1 << width];
        for (size, split) in sizes.zip(&moves) {
            meter.spend_and_poll(rows.len() as u64 / 64)?;
            let mut settled = self.known.get(&size).copied();
            if !split.has_any {
                settled = Some(self.play == Play::Normal);
            }
            for left in &split.left {
                if settled.is_some() {
                    break;
                }
                let Some(is_p) = self.is_p(*left, options, meter)? else { return Ok(false) };
                settled = is_p.then_some(false);
            }
            let mut later = Vec::new();
            for row in &rows {
                let is_p = settled.unwrap_or(row & split.taken == 0);
                let next = (row << 1 | u32::from(is_p)) & ((1 << width) - 1);
                if !std::mem::replace(&mut seen[next as usize], true) {
                    later.push((next, is_p));
                }
            }
            later.iter().for_each(|(next, _)| seen[*next as usize] = false);
            if later.iter().all(|(_, is_p)| *is_p == later[0].1) {
                self.known.insert(size, later[0].1);
            }
            rows = later.into_iter().map(|(next, _)| next).collect();
        }
        Ok(true)
    }
}

/// Returns the options of a size, if each takes few tokens or leaves a part. Bit k − 1 stands for k
/// tokens.
fn split(size: u64, options: &dyn Fn(u64, &mut Vec<u64>) -> bool) -> Option<Split> {
    let mut all = Vec::new();
    if !options(size, &mut all) {
        return None;
    }
    let mut split = Split { has_any: !all.is_empty(), ..Split::default() };
    for option in all {
        match size - option {
            taken @ 1..=MAX_TAKEN => split.taken |= 1 << (taken - 1),
            _ if u128::from(option) * u128::from(PART.1)
                <= u128::from(size) * u128::from(PART.0) =>
            {
                split.left.push(option);
            }
            _ => return None,
        }
    }
    Some(split)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::heap_tables::random;
    use bouton_core::Budget;

    /// Random moves: sizes at the end of a table from 0 on are found as the table has them.
    #[test]
    fn outcomes_are_those_of_the_table() {
        const MAX_HEAP: u64 = 6000;
        let mut below = random(7);
        let (mut found, mut asked) = (0, 0);
        for _ in 0..100 {
            let taken: Vec<(u64, u64)> =
                (0..1 + below(4)).map(|_| (1 + below(MAX_TAKEN), 1 + below(3))).collect();
            let parts: Vec<(u64, u64)> = (0..below(3)).map(|_| (2 + below(4), below(2))).collect();
            let options = |size: u64, all: &mut Vec<u64>| {
                // Some moves only where the size is a multiple.
                let short = taken.iter().filter(|(k, of)| *k <= size && size.is_multiple_of(*of));
                all.extend(short.map(|(k, _)| size - k));
                let left =
                    parts.iter().map(|(by, more)| size / by + more).filter(|left| *left < size);
                all.extend(left);
                true
            };
            for play in [Play::Normal, Play::Misere] {
                let mut table: Vec<bool> = Vec::new();
                for size in 0..=MAX_HEAP {
                    let mut all = Vec::new();
                    options(size, &mut all);
                    let is_stuck = all.is_empty() && play == Play::Misere;
                    table.push(!is_stuck && all.iter().all(|left| !table[*left as usize]));
                }
                let mut possible = PossibleOutcomes::new(play);
                for size in (MAX_HEAP - 40..=MAX_HEAP).chain([3, 11, 500]) {
                    let mut meter = Meter::new(&Budget::default());
                    let outcome = possible.outcome(size, &options, &mut meter).unwrap();
                    asked += 1;
                    if let Some(outcome) = outcome {
                        found += 1;
                        assert_eq!(
                            outcome.is_p(),
                            table[size as usize],
                            "{size}: {taken:?} {parts:?}"
                        );
                    }
                }
                let mut wrong =
                    possible.known.iter().filter(|(size, is_p)| table[**size as usize] != **is_p);
                assert_eq!(wrong.next(), None, "{taken:?} {parts:?}");
            }
        }
        assert!(found * 2 > asked, "{found} of {asked}");
    }

    /// What takes more than few tokens and leaves more than a part is not followed.
    #[test]
    fn other_moves_are_not_followed() {
        let options = |size: u64, all: &mut Vec<u64>| {
            all.extend(size.checked_sub(100));
            true
        };
        let mut meter = Meter::new(&Budget::default());
        assert_eq!(
            PossibleOutcomes::new(Play::Normal).outcome(1 << 40, &options, &mut meter),
            Ok(None)
        );
    }
}

//! The lost heaps of rules that only say how many tokens leave a heap, by a sieve: from each lost
//! heap all heaps are struck out from which it can be reached.
//!
//! Lost heaps are rare where much may be taken, so that this costs far less than nim-values, for
//! which every heap is asked for all its options. Where little may be taken they are not: then the
//! words of the table are made one after the other, each of 64 heaps, from the words that lie below
//! by what may be taken.

use bouton_core::{LimitReached, Meter, Play};

/// The largest heap that is sieved, whatever may be taken.
pub const MAX_HEAP: u32 = 1 << 24;

/// The largest heap that is sieved at all, and its words times the numbers that may be taken.
pub const MAX_OF_FEW: (u32, u64) = (1 << 31, 1 << 32);

/// Heaps of which the share of lost ones is taken for that of all.
const FIRST: u32 = 1 << 14;

/// Heaps that are struck out between two looks at the budget.
const LOOK_EVERY: usize = 1 << 12;

/// Which heaps up to one are lost for the player to move.
#[derive(Debug)]
pub struct LostHeaps {
    /// A bit for each heap from which a lost one can be reached, or that has no move and is won.
    won: Vec<u64>,
    heaps: u32,
}

impl LostHeaps {
    /// Sieves the heaps up to `heaps`. The takings are ascending, each once. Takes a bit for each
    /// heap, and another one while it works.
    ///
    /// # Errors
    ///
    /// If the budget ends.
    pub fn new(
        takings: &[u32],
        heaps: u32,
        play: Play,
        meter: &mut Meter,
    ) -> Result<LostHeaps, LimitReached> {
        if heaps > FIRST && takings.len() < heaps as usize / 64 {
            let first = LostHeaps::struck(takings, FIRST, play, meter)?;
            let lost = (0..=FIRST).filter(|heap| first.is_lost(*heap) == Some(true)).count();
            // Each lost heap costs as much as each word.
            if lost > FIRST as usize / 64 {
                return LostHeaps::word_by_word(takings, heaps, play, meter);
            }
        }
        LostHeaps::struck(takings, heaps, play, meter)
    }

    /// Strikes out the heaps from which each lost one can be reached.
    fn struck(
        takings: &[u32],
        heaps: u32,
        play: Play,
        meter: &mut Meter,
    ) -> Result<LostHeaps, LimitReached> {
        let mut won = vec![0u64; heaps as usize / 64 + 1];
        meter.check_bytes(16 * won.len() as u64)?;
        let least = takings.first().copied().unwrap_or(u32::MAX);
        let start = if play == Play::Misere { least } else { 0 };
        (0..start.min(heaps + 1)).for_each(|heap| strike(&mut won, heap));
        let mut mask = vec![0u64; won.len()];
        takings.iter().filter(|taken| **taken <= heaps).for_each(|taken| strike(&mut mask, *taken));
        for heap in start..=heaps {
            meter.spend_one()?;
            if won[heap as usize / 64] >> (heap % 64) & 1 == 1 {
                continue;
            }
            let reach = takings.partition_point(|taken| *taken <= heaps - heap);
            // Where many may be taken, 64 at once.
            let (first, by) = (heap as usize / 64, heap % 64);
            let words = won.len() - first;
            if reach > words {
                won[first] |= mask[0] << by;
                for from in (1..words).step_by(LOOK_EVERY) {
                    meter.spend_one()?;
                    let end = (from + LOOK_EVERY).min(words);
                    strike_all(&mut won[first + from..first + end], &mask[from - 1..end], by);
                }
                continue;
            }
            for some in takings[..reach].chunks(LOOK_EVERY) {
                meter.spend_one()?;
                some.iter().for_each(|taken| strike(&mut won, heap + taken));
            }
        }
        Ok(LostHeaps { won, heaps })
    }

    /// Makes the words of 64 heaps one after the other.
    fn word_by_word(
        takings: &[u32],
        heaps: u32,
        play: Play,
        meter: &mut Meter,
    ) -> Result<LostHeaps, LimitReached> {
        let words = heaps as usize / 64 + 1;
        meter.check_bytes(8 * words as u64)?;
        let few = takings.partition_point(|taken| *taken < 64);
        let (near, far) = takings.split_at(few);
        // Bit t says that t may be taken.
        let near_mask = near.iter().fold(0u64, |mask, taken| mask | 1 << taken);
        let least = takings.first().copied().map_or(usize::MAX, |least| least as usize);
        // Lost heaps, until all are known.
        let mut lost: Vec<u64> = Vec::with_capacity(words);
        for word in 0..words {
            meter.spend(1 + far.len() as u64 / 16)?;
            let start = 64 * word;
            let mut won = if play == Play::Misere && least > start {
                if least - start >= 64 { u64::MAX } else { (1 << (least - start)) - 1 }
            } else {
                0
            };
            if let Some(before) = lost.last() {
                won |= near.iter().fold(0, |all, taken| all | before >> (64 - taken));
            }
            for taken in far.iter().map(|taken| *taken as usize) {
                if taken >= start + 64 {
                    break;
                }
                won |= match start.checked_sub(taken) {
                    None => lost[0] << (taken - start),
                    Some(from) => {
                        let (at, by) = (from / 64, from % 64);
                        // A taking of 64 and more ends below this word.
                        if by == 0 { lost[at] } else { lost[at] >> by | lost[at + 1] << (64 - by) }
                    }
                };
            }
            let (mut own, mut open) = (0u64, !won);
            while open != 0 {
                let heap = open.trailing_zeros();
                own |= 1 << heap;
                open &= !(near_mask << heap | 1 << heap);
            }
            lost.push(own);
        }
        lost.iter_mut().for_each(|word| *word = !*word);
        Ok(LostHeaps { won: lost, heaps })
    }

    /// Returns whether a heap is lost; `None` of one that was not sieved.
    pub fn is_lost(&self, heap: u32) -> Option<bool> {
        (heap <= self.heaps).then(|| self.won[heap as usize / 64] >> (heap % 64) & 1 == 0)
    }
}

/// Strikes out the heaps of a mask, moved up by less than 64; the mask is longer by one word, which
/// lies before the heaps.
fn strike_all(won: &mut [u64], mask: &[u64], by: u32) {
    let own = &mask[1..];
    if by == 0 {
        won.iter_mut().zip(own).for_each(|(won, own)| *won |= own);
        return;
    }
    bouton_simd::multiversion! {
        [] (won: &mut [u64] = won, own: &[u64] = own, before: &[u64] = mask, by: u32 = by) -> () {
            for ((won, own), before) in won.iter_mut().zip(own).zip(before) {
                *won |= own << by | before >> (64 - by);
            }
        }
        ["avx512f"],
        ["avx2"],
    }
}

fn strike(won: &mut [u64], heap: u32) {
    won[heap as usize / 64] |= 1 << (heap % 64);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    /// Returns which heaps are lost by the rules: no taking leads to a lost one; in misère play
    /// there is a move besides.
    fn lost(takings: &[u32], heaps: u32, play: Play) -> Vec<bool> {
        let mut lost: Vec<bool> = Vec::new();
        for heap in 0..=heaps {
            let mut options = takings.iter().filter(|taken| **taken <= heap).peekable();
            let has_move = options.peek().is_some();
            let wins = options.any(|taken| lost[(heap - taken) as usize]);
            lost.push(!wins && (has_move || play == Play::Normal));
        }
        lost
    }

    #[test]
    fn lost_heaps_are_those_of_the_rules() {
        let all: Vec<u32> = (1..=20_000).collect();
        let sets: Vec<Vec<u32>> = vec![
            vec![],
            vec![5],
            vec![2, 3],
            (1..150).map(|k| k * k).collect(),
            all.iter()
                .copied()
                .filter(|n| (2..*n).all(|d| d * d > *n || n % d > 0) && *n > 1)
                .collect(),
            all.iter().copied().filter(|n| n % 3 != 1).collect(),
            all.iter().copied().filter(|n| n.count_ones() % 2 == 1 && *n > 40).collect(),
            vec![1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19_683],
            vec![2, 62, 63, 64, 65, 127, 128, 1000],
            vec![64, 65, 640, 5000],
            vec![1000, 1001, 7000],
        ];
        for takings in &sets {
            for play in [Play::Normal, Play::Misere] {
                for heaps in [0, 1, 63, 64, 130, 2500, 20_000] {
                    let mut meter = Meter::new(&Budget::default());
                    let found = LostHeaps::new(takings, heaps, play, &mut meter).unwrap();
                    let expected = lost(takings, heaps, play);
                    let sieved = |found: &LostHeaps| -> Vec<bool> {
                        (0..=heaps).map(|heap| found.is_lost(heap).unwrap()).collect()
                    };
                    let told =
                        || format!("{:?} {heaps} {play:?}", &takings[..takings.len().min(5)]);
                    assert!(sieved(&found) == expected, "{}", told());
                    let other = LostHeaps::word_by_word(takings, heaps, play, &mut meter).unwrap();
                    assert!(sieved(&other) == expected, "word by word: {}", told());
                    let other = LostHeaps::struck(takings, heaps, play, &mut meter).unwrap();
                    assert!(sieved(&other) == expected, "struck: {}", told());
                    assert_eq!(found.is_lost(heaps + 1), None);
                }
            }
        }
    }
}

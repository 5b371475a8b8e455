//! The lost heaps of rules that only say how many tokens leave a heap, by a sieve: from each lost
//! heap all heaps are struck out from which it can be reached.
//!
//! Lost heaps are rare where much may be taken, so that this costs far less than nim-values, for
//! which every heap is asked for all its options.

use bouton_core::{LimitReached, Meter, Play};

/// The largest heap that is sieved.
pub const MOST: u32 = 1 << 24;

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
    /// Sieves the heaps up to `heaps`. The takings are ascending, each once.
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
        let mut won = vec![0u64; heaps as usize / 64 + 1];
        meter.holding(8 * won.len() as u64)?;
        let least = takings.first().copied().unwrap_or(u32::MAX);
        let start = if play == Play::Misere { least } else { 0 };
        (0..start.min(heaps + 1)).for_each(|heap| strike(&mut won, heap));
        let mut mask = vec![0u64; won.len()];
        takings.iter().filter(|taken| **taken <= heaps).for_each(|taken| strike(&mut mask, *taken));
        for heap in start..=heaps {
            meter.node()?;
            if won[heap as usize / 64] >> (heap % 64) & 1 == 1 {
                continue;
            }
            let reach = takings.partition_point(|taken| *taken <= heaps - heap);
            // Where many may be taken, 64 at once.
            let (first, by) = (heap as usize / 64, heap % 64);
            let words = won.len() - first;
            if reach > words {
                for from in (0..words).step_by(LOOK_EVERY) {
                    meter.node()?;
                    let end = (from + LOOK_EVERY).min(words);
                    strike_all(&mut won[first + from..first + end], &mask[from.saturating_sub(1)..end], by);
                }
                continue;
            }
            for some in takings[..reach].chunks(LOOK_EVERY) {
                meter.node()?;
                some.iter().for_each(|taken| strike(&mut won, heap + taken));
            }
        }
        Ok(LostHeaps { won, heaps })
    }

    /// Returns whether a heap is lost; `None` of one that was not sieved.
    pub fn is_lost(&self, heap: u32) -> Option<bool> {
        (heap <= self.heaps).then(|| self.won[heap as usize / 64] >> (heap % 64) & 1 == 0)
    }
}

/// Strikes out the heaps of a mask, moved up by less than 64; where the mask is longer by one, its
/// first word lies before the heaps.
fn strike_all(won: &mut [u64], mask: &[u64], by: u32) {
    let (mut before, own) = match mask.len() > won.len() {
        true => (mask[0], &mask[1..]),
        false => (0, mask),
    };
    for (won, mask) in won.iter_mut().zip(own) {
        *won |= mask << by | if by == 0 { 0 } else { before >> (64 - by) };
        before = *mask;
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
            all.iter().copied().filter(|n| (2..*n).all(|d| d * d > *n || n % d > 0) && *n > 1).collect(),
            all.iter().copied().filter(|n| n % 3 != 1).collect(),
            all.iter().copied().filter(|n| n.count_ones() % 2 == 1 && *n > 40).collect(),
        ];
        for takings in &sets {
            for play in [Play::Normal, Play::Misere] {
                for heaps in [0, 1, 63, 64, 130, 2500] {
                    let mut meter = Meter::new(&Budget::default());
                    let found = LostHeaps::new(takings, heaps, play, &mut meter).unwrap();
                    let expected = lost(takings, heaps, play);
                    let sieved: Vec<bool> = (0..=heaps).map(|heap| found.is_lost(heap).unwrap()).collect();
                    assert_eq!(sieved, expected, "{:?} {heaps} {play:?}", takings.get(..5));
                    assert_eq!(found.is_lost(heaps + 1), None);
                }
            }
        }
    }
}

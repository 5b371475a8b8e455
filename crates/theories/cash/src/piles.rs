//! Several piles, and misère play on stones: the invariant generalises.
//!
//! Idea: with N stones in all piles together, c = d + e + 1 − N does not change with a move. Add
//! the option to resign, worth −(c + N), and leave out moves that cost more than the money on both
//! sides. Then for every c the player to move wins iff d − e + v_c > 0, where v_c is the maximum of
//! −(c + N) and of −a − v_c over the options with c + N ≥ 1. If every pile is below min A, v_c is
//! −(c + N), or c + N if such a player wins (misère on stones; a player without money still loses).
//! The proof is in docs/design/cash.md.

use bouton_core::{LimitReached, Meter};

/// The result for a player who finds every pile too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalRule {
    /// The player loses, as in the paper.
    Loses,
    /// The player wins.
    Wins,
}

/// Returns whether the player to move wins with `mover` dollars against `other` dollars. `set` is
/// the set A: ascending, not empty, members at least 1. Charges one node and eight bytes for each
/// position with at most the given stones in every pile.
pub fn mover_wins_piles(
    set: &[u64],
    piles: &[u64],
    mover: u64,
    other: u64,
    terminal: TerminalRule,
    meter: &mut Meter,
) -> Result<bool, LimitReached> {
    const MAX_POSITIONS: u64 = 1 << 40;
    let stones = piles.iter().try_fold(0u64, |sum, pile| sum.checked_add(*pile));
    let positions =
        piles.iter().try_fold(1u64, |product, pile| product.checked_mul(pile.checked_add(1)?));
    let (Some(stones), Some(positions)) = (stones, positions.filter(|all| *all < MAX_POSITIONS))
    else {
        return Err(LimitReached::NumbersTooLarge);
    };
    if mover >= MAX_POSITIONS || other >= MAX_POSITIONS {
        return Err(LimitReached::NumbersTooLarge);
    }
    meter.check_bytes(positions.saturating_mul(size_of::<Option<i64>>() as u64))?;
    let c = (mover + other + 1) as i64 - stones as i64;
    // Positions in mixed radix, the last pile fastest; a move lowers the number.
    let mut strides = vec![1usize; piles.len()];
    for place in (1..piles.len()).rev() {
        strides[place - 1] = strides[place] * (piles[place] as usize + 1);
    }
    let mut values: Vec<Option<i64>> = Vec::new();
    for number in 0..positions as usize {
        meter.spend_one()?;
        let strides = &strides;
        let left = |place: usize| (number / strides[place]) as u64 % (piles[place] + 1);
        let money = c + (0..piles.len()).map(left).sum::<u64>() as i64;
        values.push((money >= 1).then(|| {
            if terminal == TerminalRule::Wins && (0..piles.len()).all(|place| left(place) < set[0])
            {
                return money;
            }
            let options = (0..piles.len()).flat_map(|place| {
                let takings = set.iter().take_while(move |a| **a <= left(place));
                takings.map(move |a| (*a as i64, number - *a as usize * strides[place]))
            });
            let best = options.filter_map(|(a, option)| Some(-a - values[option]?)).max();
            best.unwrap_or(-money).max(-money)
        }));
    }
    let value = values.last().copied().flatten();
    Ok(value.is_some_and(|value| mover as i64 - other as i64 + value > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invariant::tests::subsets;
    use bouton_core::Budget;
    use std::collections::HashMap;

    type PilePosition = (Vec<u64>, u64, u64);

    /// Decides a position from the rules alone.
    fn wins_by_rules(
        set: &[u64],
        state: PilePosition,
        terminal: TerminalRule,
        known: &mut HashMap<PilePosition, bool>,
    ) -> bool {
        if let Some(wins) = known.get(&state) {
            return *wins;
        }
        let (piles, d, e) = &state;
        let wins = if terminal == TerminalRule::Wins && piles.iter().all(|pile| *pile < set[0]) {
            true
        } else {
            (0..piles.len()).any(|place| {
                set.iter().filter(|a| **a <= piles[place] && **a <= *d).any(|a| {
                    let mut next = piles.clone();
                    next[place] -= a;
                    !wins_by_rules(set, (next, *e, d - a), terminal, known)
                })
            })
        };
        known.insert(state, wins);
        wins
    }

    #[test]
    fn piles_agree_with_the_rules() {
        for set in subsets(4) {
            for terminal in [TerminalRule::Loses, TerminalRule::Wins] {
                let mut known = HashMap::new();
                for piles in (0..=11)
                    .map(|n| vec![n])
                    .chain((0..49).map(|i| vec![i / 7, i % 7]))
                    .chain([vec![2, 3, 3], vec![1, 4, 2]])
                {
                    for d in 0..=12 {
                        for e in 0..=12 {
                            let mut meter = Meter::new(&Budget::default());
                            let found = mover_wins_piles(&set, &piles, d, e, terminal, &mut meter);
                            let wins =
                                wins_by_rules(&set, (piles.clone(), d, e), terminal, &mut known);
                            assert_eq!(found, Ok(wins), "{set:?} {piles:?} {d} {e} {terminal:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_is_out_of_reach() {
        let mut meter = Meter::new(&Budget::default());
        for (piles, d) in
            [(vec![u64::MAX, 1], 1), (vec![1 << 20, 1 << 20, 1 << 20], 1), (vec![1], u64::MAX)]
        {
            assert_eq!(
                mover_wins_piles(&[1, 2], &piles, d, 1, TerminalRule::Loses, &mut meter),
                Err(LimitReached::NumbersTooLarge)
            );
        }
        assert_eq!(
            mover_wins_piles(&[1, 2], &[], 1, 1, TerminalRule::Loses, &mut meter),
            Ok(false)
        );
    }
}

//! The winner of one position of NIM(A;n;d,e), in O(n·|A|) steps and O(max A) memory.
//!
//! Idea: c = d + e + 1 − n does not change with a move. For c ≥ 0 the player to move wins iff d −
//! e + v_c(n) > 0, where v_c(n) = −(c + n) below min A and otherwise the maximum of −a − v_c(n −
//! a). For c ≤ 1 money alone decides, and the player to move wins iff ⌊d / min A⌋ > ⌊e / min A⌋.
//! Proofs are in docs/design/cash.md.

use bouton_core::{LimitReached, Meter};
use num_bigint::BigUint;

/// Returns whether the player to move wins with `stones` stones and `mover` dollars against `other`
/// dollars; `None` is unlimited money. `set` is the set A: ascending, not empty, members at least
/// 1.
///
/// Charges one node per stone. Each of n, d, e must be below 2⁶⁰.
///
/// # Errors
/// Fails with [`LimitReached::NumbersTooLarge`] for greater numbers, and if the budget is
/// exhausted.
pub fn mover_wins(
    set: &[u64],
    stones: u64,
    mover: Option<u64>,
    other: Option<u64>,
    meter: &mut Meter,
) -> Result<bool, LimitReached> {
    let (Some(d), Some(e)) = (mover, other) else {
        return unlimited(set, stones, mover, other, meter);
    };
    const MAX: u64 = 1 << 60;
    if stones >= MAX || d >= MAX || e >= MAX {
        return Err(LimitReached::NumbersTooLarge);
    }
    let c = (d + e + 1) as i64 - stones as i64;
    if c <= 1 {
        return Ok(d / set[0] > e / set[0]);
    }
    let v = last_term(
        set,
        stones,
        |n| -(c + n as i64),
        |values| values.map(|(a, v)| -(a as i64) - v).max(),
        meter,
    )?;
    Ok(d as i64 - e as i64 + v > 0)
}

/// Returns the winner if the purses alone decide: for c = d + e + 1 − n ≤ 1.
pub fn money_decides(
    least: u64,
    stones: &BigUint,
    mover: Option<&BigUint>,
    other: Option<&BigUint>,
) -> Option<bool> {
    let (d, e) = (mover?, other?);
    (d + e <= *stones).then(|| d / least > e / least)
}

/// Returns v_c(n) for c ≥ 0 and numbers far from the ends of i64.
pub(super) fn value(set: &[u64], stones: usize, c: i64) -> i64 {
    let mut values: Vec<i64> = Vec::with_capacity(stones + 1);
    for n in 0..=stones {
        let options = set
            .iter()
            .take_while(|a| **a <= n as u64)
            .map(|a| -(*a as i64) - values[n - *a as usize]);
        values.push(options.max().unwrap_or(-(c + n as i64)));
    }
    values[stones]
}

/// Returns the last term of a sequence in n = 0..=stones: `base` below min A, and otherwise the
/// result of `step` on the pairs (a, term at n − a) with a ≤ n. Only the last max A terms are kept.
fn last_term<T: Copy>(
    set: &[u64],
    stones: u64,
    base: impl Fn(u64) -> T,
    step: impl Fn(&mut dyn Iterator<Item = (u64, T)>) -> Option<T>,
    meter: &mut Meter,
) -> Result<T, LimitReached> {
    // Members of A above the pile never occur.
    let reach = set.iter().copied().take_while(|a| *a <= stones).last().unwrap_or(1);
    let Ok(size) = usize::try_from(reach) else { return Err(LimitReached::Bytes(reach)) };
    meter.check_bytes((size * size_of::<T>()) as u64)?;
    let mut window: Vec<T> = Vec::new();
    let mut term = base(0);
    for n in 0..=stones {
        meter.spend_one()?;
        let mut earlier =
            set.iter().take_while(|a| **a <= n).map(|a| (*a, window[((n - a) % reach) as usize]));
        term = step(&mut earlier).unwrap_or_else(|| base(n));
        let place = (n % reach) as usize;
        if place < window.len() {
            window[place] = term;
        } else {
            window.push(term);
        }
    }
    Ok(term)
}

/// Decides positions with an unlimited purse, by the least purses with which each player wins
/// against it.
fn unlimited(
    set: &[u64],
    stones: u64,
    mover: Option<u64>,
    other: Option<u64>,
    meter: &mut Meter,
) -> Result<bool, LimitReached> {
    /// The least purses with which the players win against unlimited money; `None` if no purse
    /// suffices.
    #[derive(Clone, Copy)]
    struct LeastPurses {
        mover: Option<u64>,
        other: Option<u64>,
    }
    let step = |earlier: &mut dyn Iterator<Item = (u64, LeastPurses)>| {
        let mut any = false;
        let mut need = LeastPurses { mover: None, other: Some(0) };
        for (a, after) in earlier {
            any = true;
            // The player to move pays a and then is the other player, who needs an answer to every
            // move.
            let paid = after.other.and_then(|dollars| dollars.checked_add(a));
            need.mover = [need.mover, paid].into_iter().flatten().min();
            need.other = need.other.zip(after.mover).map(|(x, y)| x.max(y));
        }
        any.then_some(need)
    };
    let need =
        last_term(set, stones, |_| LeastPurses { mover: None, other: Some(0) }, step, meter)?;
    Ok(match (mover, other) {
        (Some(dollars), _) => need.mover.is_some_and(|least| dollars >= least),
        (None, Some(dollars)) => need.other.is_none_or(|least| dollars < least),
        // Without money the player to move wins iff some purse suffices.
        (None, None) => need.mover.is_some(),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Thresholds;
    use bouton_core::Budget;

    /// The game from its rules: one bit per position, for all n, d, e up to a bound.
    pub struct BruteForce {
        bound: usize,
        wins: Vec<bool>,
    }

    impl BruteForce {
        pub fn new(set: &[u64], bound: usize) -> BruteForce {
            let mut plain = BruteForce { bound, wins: vec![false; (bound + 1).pow(3)] };
            for n in 0..=bound {
                for d in 0..=bound {
                    for e in 0..=bound {
                        let affordable =
                            set.iter().map(|a| *a as usize).filter(|a| *a <= n && *a <= d);
                        let place = plain.place(n, d, e);
                        plain.wins[place] = affordable
                            .into_iter()
                            .any(|a| !plain.wins[plain.place(n - a, e, d - a)]);
                    }
                }
            }
            plain
        }

        pub fn wins(&self, n: usize, d: usize, e: usize) -> bool {
            self.wins[self.place(n, d, e)]
        }

        fn place(&self, n: usize, d: usize, e: usize) -> usize {
            (n * (self.bound + 1) + d) * (self.bound + 1) + e
        }
    }

    pub fn subsets(most: u64) -> impl Iterator<Item = Vec<u64>> {
        (1u64..1 << most).map(move |mask| (1..=most).filter(|a| mask >> (a - 1) & 1 == 1).collect())
    }

    /// Compares the invariant with the thresholds, for every subset of {1..6} and all n, d, e up to
    /// 120. The thresholds are compared with the rules on the same range. Positions of equal c
    /// share a run of v_c, as in [`mover_wins`].
    #[test]
    fn the_invariant_agrees_with_the_thresholds() {
        const BOUND: usize = 120;
        for set in subsets(6) {
            let mut table = Thresholds::new(&set, BOUND as u32);
            let rows: Vec<Vec<u32>> = (0..=BOUND).map(|_| table.next_row().to_vec()).collect();
            for c in -(BOUND as i64) + 1..=2 * BOUND as i64 + 1 {
                let mut v: Vec<i64> = Vec::new();
                for n in 0..=BOUND {
                    let earlier = set
                        .iter()
                        .filter(|a| **a as usize <= n)
                        .map(|a| -(*a as i64) - v[n - *a as usize]);
                    v.push(earlier.max().unwrap_or(-(c + n as i64)));
                    let money = c + n as i64 - 1;
                    for d in 0..=BOUND as i64 {
                        let e = money - d;
                        if !(0..=BOUND as i64).contains(&e) {
                            continue;
                        }
                        let wins = (e as u32) < rows[n][d as usize];
                        if c >= 0 {
                            assert_eq!(d - e + v[n] > 0, wins, "{set:?} {n} {d} {e}");
                        }
                        if c <= 1 {
                            let a = set[0] as i64;
                            assert_eq!(d / a > e / a, wins, "{set:?} {n} {d} {e}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn single_questions_agree_with_the_rules() {
        const BOUND: u64 = 14;
        for set in subsets(5) {
            let plain = BruteForce::new(&set, 60);
            for n in 0..=BOUND {
                for d in 0..=BOUND {
                    for e in 0..=BOUND {
                        let ask = |d, e| {
                            mover_wins(&set, n, d, e, &mut Meter::new(&Budget::default())).unwrap()
                        };
                        let wins = |d: u64, e: u64| plain.wins(n as usize, d as usize, e as usize);
                        assert_eq!(ask(Some(d), Some(e)), wins(d, e), "{set:?} {n} {d} {e}");
                        // More money than stones is equivalent to unlimited money.
                        assert_eq!(ask(Some(d), None), wins(d, 60), "{set:?} {n} {d} inf");
                        assert_eq!(ask(None, Some(e)), wins(60, e), "{set:?} {n} inf {e}");
                        assert_eq!(ask(None, None), wins(60, 60), "{set:?} {n} inf inf");
                    }
                }
            }
        }
    }
}

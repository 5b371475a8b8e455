//! Heaps from which a divisor of their number is taken, by the power of 2 in them.
//!
//! Let 2^v be the greatest power of 2 that divides n, and 2^w that of a divisor d of n, w <= v. For
//! w < v that of n − d is 2^w; for w = v, n/2^v and d/2^v are odd, so that it is greater than 2^v
//! (or n − d is 0). As 2^w is such a divisor itself, the options of n have all values below v, and
//! not v: v is the nim-value, if the whole heap may not be taken. If it may, that adds an option of
//! value 0, and all others are greater by one.
//!
//! Source: Project Euler, problem 509 (*Divisor Nim*); E. R. Berlekamp, J. H. Conway, R. K. Guy,
//! *Winning Ways for your Mathematical Plays* (1982), chapter 4 (Dim).

use crate::large_positions::{numbers, of_value};
use bouton_core::{ArithmeticSymbol, MoveText, NotationError, Number};
use bouton_engine::{Analysis, Game, Move};

/// Heaps up to this one are evaluated by their options, with all moves.
const BY_OPTIONS: u64 = 1 << 20;

/// The theorem by which positions are answered.
pub const THEOREM: &str = "Project Euler 509: the nim-value of a heap is the exponent of 2 in its \
    number, one more if the whole heap may be taken";

/// Returns the nim-value of a heap; `whole` if all of it may be taken.
fn value(heap: u64, whole: bool) -> u32 {
    match heap {
        0 => 0,
        heap => heap.trailing_zeros() + u32::from(whole),
    }
}

/// Returns a taking after which the value is this smaller one.
fn taking(heap: u64, whole: bool, value: u32) -> u64 {
    match value {
        0 if whole => heap,
        value => 1 << (value - u32::from(whole)),
    }
}

/// Returns the number of divisors of a positive number below 2^63.
fn count_divisors(n: u64) -> u64 {
    /// What is left has at most two prime divisors.
    const CUBE_ROOT: u64 = 1 << 21;
    let (mut rest, mut count) = (n, 1);
    for prime in 2..=CUBE_ROOT {
        if prime * prime > rest {
            break;
        }
        let mut exponent = 0;
        while rest.is_multiple_of(prime) {
            (rest, exponent) = (rest / prime, exponent + 1);
        }
        count *= exponent + 1;
    }
    let holds =
        |word: ArithmeticSymbol| <i128 as Number>::arithmetic(word, &[i128::from(rest)]) == Some(1);
    count
        * match rest {
            1 => 1,
            _ if holds(ArithmeticSymbol::Prime) => 2,
            _ if holds(ArithmeticSymbol::Square) => 3,
            _ => 4,
        }
}

/// Evaluates heaps in normal play of which one is large, with one move and the number of all;
/// `None` of other positions. `whole` if all of a heap may be taken.
///
/// # Errors
/// If `position` is not a position of the game.
pub fn analyse(
    game: &dyn Game,
    position: &str,
    whole: bool,
) -> Result<Option<(Analysis, u64)>, NotationError> {
    let position = game.normal_form(position)?;
    let Some(heaps) = numbers(&position) else { return Ok(None) };
    if heaps.iter().all(|heap| *heap <= BY_OPTIONS) || heaps.iter().any(|heap| *heap >= 1 << 62) {
        return Ok(None);
    }
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ value(*heap, whole));
    let winning = heaps.iter().enumerate().find_map(|(at, heap)| {
        let own = value(*heap, whole);
        (own ^ sum < own).then(|| (at, taking(*heap, whole, own ^ sum)))
    });
    // Where all moves lose, one token of the first heap that has a move.
    let any = || heaps.iter().position(|heap| *heap > u64::from(!whole)).map(|at| (at, 1));
    let (listed, moves) = match winning.or_else(any) {
        None => (Vec::new(), 0),
        Some((at, taken)) => {
            let mut left = heaps.clone();
            left[at] -= taken;
            let brings = left.iter().fold(0, |sum, heap| sum ^ value(*heap, whole));
            let text: Vec<String> = left.iter().map(u64::to_string).collect();
            let to = game.normal_form(&text.join(","))?;
            let text = MoveText::Change(format!("heap {}: {} → {}", at + 1, heaps[at], left[at]));
            let listed = Move { to, text, evaluation: of_value(brings.into()), brings: None };
            let count = |heap: &u64| count_divisors(*heap) - u64::from(!whole);
            // Equal heaps have the same options.
            let mut different: Vec<u64> = heaps.iter().copied().filter(|heap| *heap > 0).collect();
            different.sort_unstable();
            different.dedup();
            (vec![listed], different.iter().map(count).sum())
        }
    };
    Ok(Some((Analysis::without_search(position, of_value(sum.into()), listed), moves)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the rules alone: the mex of the values after each divisor is taken.
    #[test]
    fn values_are_those_of_the_rules() {
        for whole in [false, true] {
            let mut known: Vec<u32> = vec![0];
            for n in 1..600u64 {
                let takings = (1..=n).filter(|d| n % d == 0 && (whole || *d < n));
                let options: Vec<u32> = takings.map(|d| known[(n - d) as usize]).collect();
                let mex = (0..).find(|value| !options.contains(value)).unwrap_or(0);
                known.push(mex);
                assert_eq!(value(n, whole), mex, "{n} {whole}");
                for less in 0..mex {
                    let taken = taking(n, whole, less);
                    assert!(n % taken == 0 && (whole || taken < n), "{n} {whole} {less}");
                    assert_eq!(known[(n - taken) as usize], less, "{n} {whole}");
                }
            }
        }
    }

    #[test]
    fn divisors_are_counted() {
        for n in 1..3000u64 {
            assert_eq!(count_divisors(n), (1..=n).filter(|d| n % d == 0).count() as u64, "{n}");
        }
        // 2^18 · 5^18; a prime; the square of one, and a product of two.
        assert_eq!(count_divisors(10u64.pow(18)), 361);
        assert_eq!(count_divisors((1 << 61) - 1), 2);
        assert_eq!(count_divisors(2_147_483_647 * 2_147_483_647), 3);
        assert_eq!(count_divisors(2_147_483_647 * 2_147_483_629), 4);
    }
}

//! Euclid on large numbers: a step for each quotient, as the algorithm has it, and not for each
//! option.
//!
//! Let b be the lesser number, 0 < b <= a, and r what a leaves by b. The options of (a, b) are
//! (r + jb, b) with r + jb < a, so each of them has those before it as its options, and (r, b) is
//! the first. The nim-values of r + b, r + 2b, … are then 0, 1, 2, … without the value of (r, b).
//!
//! The game: A. J. Cole, A. J. T. Davie, *A game based on the Euclidean algorithm and a winning
//! strategy for it*, Mathematical Gazette 53 (1969) 354-357.

use crate::large_positions::{numbers, of_value};
use bouton_core::{MoveText, NotationError};
use bouton_engine::{Analysis, Game, Move};

/// Positions with fewer options are searched, with all their moves.
const SEARCHED: u64 = 1 << 12;

/// The theorem by which positions are answered.
pub const THEOREM: &str = "Cole and Davie 1969: the player to move wins exactly if the lesser \
    number divides the greater, or the greater is more than the golden ratio times the lesser";

/// Returns the nim-value of two numbers.
fn value(a: u64, b: u64) -> u64 {
    let (high, low) = (a.max(b), a.min(b));
    if low == 0 {
        return 0;
    }
    after(value(low, high % low), high / low)
}

/// Returns the value of r + jb, where the value of r is `first`.
fn after(first: u64, j: u64) -> u64 {
    match j {
        0 => first,
        _ if j - 1 < first => j - 1,
        _ => j,
    }
}

/// Returns whether a move leads from two numbers to others.
pub fn allows(from: [u64; 2], to: [u64; 2]) -> bool {
    let (high, low) = (from[0].max(from[1]), from[0].min(from[1]));
    let left = if to[0] == low { to[1] } else { to[0] };
    low > 0 && to.contains(&low) && left < high && (high - left).is_multiple_of(low)
}

/// Evaluates a position of Euclid in normal play that has many options, or leads to such, with one
/// move and the number of all; `None` of other positions.
///
/// # Errors
/// If `position` is not a position of the game.
pub fn analyse(game: &dyn Game, position: &str) -> Result<Option<(Analysis, u64)>, NotationError> {
    let position = game.normal_form(position)?;
    let all = numbers(&position);
    let Some([a, b]) = all.as_deref() else { return Ok(None) };
    let (high, low) = (*a.max(b), *a.min(b));
    let (mut one, mut other, mut most) = (high, low, 0);
    while other > 0 {
        most = most.max(one / other);
        (one, other) = (other, one % other);
    }
    if most < SEARCHED {
        return Ok(None);
    }
    // The quotient is positive: a number is 0 only where there is no option.
    let (quotient, rest) = (high / low, high % low);
    let first = value(low, rest);
    let own = after(first, quotient);
    // To the value 0, if there is an option of it: the first or the second.
    let j = if first == 0 || quotient == 1 { 0 } else { 1 };
    let (left, brings) = (rest + j * low, after(first, j));
    let to = game.normal_form(&format!("{left},{low}"))?;
    let listed = Move {
        text: MoveText::Position(to.clone()),
        to,
        evaluation: of_value(brings),
        brings: None,
    };
    let analysis = Analysis::without_search(position, of_value(own), vec![listed]);
    Ok(Some((analysis, quotient)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// By the rules alone: the mex of the options' values. The losing pairs up to 10 have the sum
    /// 211 (Project Euler 325).
    #[test]
    fn values_are_those_of_the_rules() {
        const MAX_HEAP: usize = 60;
        let mut known = vec![vec![0u64; MAX_HEAP + 1]; MAX_HEAP + 1];
        for a in 0..=MAX_HEAP {
            for b in 1..=a {
                let options: Vec<u64> =
                    (1..=a / b).map(|k| known[(a - k * b).max(b)][(a - k * b).min(b)]).collect();
                let mex = (0..).find(|value| !options.contains(value)).unwrap();
                known[a][b] = mex;
                assert_eq!(
                    [value(a as u64, b as u64), value(b as u64, a as u64)],
                    [mex; 2],
                    "{a},{b}"
                );
                let first = value(b as u64, (a % b) as u64);
                for (x, y) in
                    (0..=a as u64 + 1).flat_map(|x| (0..=b as u64 + 1).map(move |y| (x, y)))
                {
                    let (high, low) = (a as u64, b as u64);
                    let is_option = y == low && (1..=high / low).any(|k| high - k * low == x)
                        || x == low && (1..=high / low).any(|k| high - k * low == y);
                    assert_eq!(allows([high, low], [x, y]), is_option, "{a},{b}: {x},{y}");
                }
                for (j, option) in options.iter().rev().enumerate() {
                    assert_eq!(after(first, j as u64), *option, "{a},{b}: {j}");
                }
            }
        }
        let lost = (1..=10usize).flat_map(|a| (1..a).map(move |b| (a, b)));
        let sum: usize = lost.filter(|(a, b)| known[*a][*b] == 0).map(|(a, b)| a + b).sum();
        assert_eq!(sum, 211);
    }
}

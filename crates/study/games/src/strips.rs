//! Games on a strip with coins far out, or on a staircase with many tokens, by their nim-values.
//!
//! On a staircase every other step counts, from the first on: a move changes exactly one of them,
//! and lowers it to any number or raises it, so that the options have all smaller nim-sums of
//! these steps, and not the same (R. Sprague 1947). The gaps before the coins of the Silver Dollar
//! game are such steps, the last one the first.
//!
//! In Welter's game, two coins whose squares agree in more binary digits from the last on than any
//! other two are mates, and so on with the others; a last one may be alone. The nim-value is the
//! nim-sum of (a ⊕ b) − 1 over the mates a and b, and of the coin alone.
//!
//! Sources: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapters 3 and 13 (1982); C.
//! P. Welter, *The theory of a class of games on a sequence of squares, in terms of the advancing
//! operation in a special group*, Indag. Math. 16 (1954) 194-200; by mates in J. H. Conway, *On
//! Numbers and Games* (1976), chapter 13.

use crate::large_positions::of_value;
use bouton_core::{Notation, NotationError, Rows};
use bouton_engine::{Analysis, Game, Move};
use bouton_rulesets::strip::Strip;

/// Positions with at most so many choices of squares below are searched, with all their moves.
const SEARCHED: u64 = 1 << 14;

/// Returns the game on a strip that a game is.
pub fn strip_of(game: &dyn Game) -> Option<Strip> {
    game.ruleset().downcast_ref().copied()
}

/// Returns the theorem by which positions are answered.
pub fn theorem(strip: Strip) -> &'static str {
    match strip {
        Strip::Welter => {
            "Welter 1954: the nim-value is the nim-sum of (a ⊕ b) − 1 over the pairs of coins on \
             squares a and b that are mates, and of the coin that is left"
        }
        Strip::SilverDollar => {
            "Winning Ways, chapter 3: the nim-value is the nim-sum of every other gap, from the one \
             before the last coin on"
        }
        Strip::Staircase => {
            "Sprague 1947: the nim-value is the nim-sum of the tokens on every other step, from the \
             first on"
        }
    }
}

/// Returns the steps of the staircase that a position of it or of the Silver Dollar game is.
fn steps(strip: Strip, numbers: &[u64]) -> Vec<u64> {
    if strip == Strip::Staircase {
        return numbers.to_vec();
    }
    let before = |at: usize| if at == 0 { 0 } else { numbers[at - 1] + 1 };
    (0..numbers.len()).rev().map(|at| numbers[at] - before(at)).collect()
}

/// Returns the position after so many go down from a step.
fn after(strip: Strip, numbers: &[u64], step: usize, many: u64) -> Vec<u64> {
    let mut left = numbers.to_vec();
    match strip {
        Strip::Staircase => {
            left[step] -= many;
            if step > 0 {
                left[step - 1] += many;
            }
        }
        Strip::SilverDollar | Strip::Welter => left[numbers.len() - 1 - step] -= many,
    }
    left
}

/// Returns the nim-value of a position.
fn value(strip: Strip, numbers: &[u64]) -> u64 {
    match strip {
        Strip::Welter => welter(numbers),
        _ => steps(strip, numbers).iter().step_by(2).fold(0, |sum, step| sum ^ step),
    }
}

/// Returns the position after a winning move, or after some move if there is none; nothing if there
/// is no move, or none is found.
fn reply(strip: Strip, numbers: &[u64]) -> Option<Vec<u64>> {
    let sum = value(strip, numbers);
    if strip == Strip::Welter {
        let (at, square) = match sum {
            0 => {
                let free = (0..).find(|square| !numbers.contains(square))?;
                (numbers.iter().rposition(|coin| *coin > free)?, free)
            }
            _ => winning(numbers)?,
        };
        let mut left = numbers.to_vec();
        left[at] = square;
        left.sort_unstable();
        return Some(left);
    }
    let steps = steps(strip, numbers);
    let (step, many) = match sum {
        0 => (steps.iter().position(|step| *step > 0)?, 1),
        _ => steps
            .iter()
            .enumerate()
            .step_by(2)
            .find_map(|(at, step)| (step ^ sum < *step).then(|| (at, step - (step ^ sum))))?,
    };
    Some(after(strip, numbers, step, many))
}

/// Returns the nim-value of coins in Welter's game; of their last digits, some may be the same.
fn welter(coins: &[u64]) -> u64 {
    let mut rest = coins.to_vec();
    let mut sum = 0;
    while rest.len() > 1 {
        let pairs = (0..rest.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let agree = |(i, j): &(usize, usize)| (rest[*i] ^ rest[*j]).trailing_zeros();
        let Some((i, j)) = pairs.max_by_key(agree) else { break };
        // The later one first, so that the other keeps its place.
        let (a, b) = (rest.remove(i), rest.remove(j));
        sum ^= (a ^ b).wrapping_sub(1);
    }
    rest.iter().fold(sum, |sum, alone| sum ^ alone)
}

/// Returns the square on which a coin makes the value 0 beside others, digit by digit from the
/// last: the last digits of the value depend on those of the squares alone.
fn square_of_zero(others: &[u64]) -> Option<u64> {
    let mut square = 0;
    for digit in 0..40 {
        let mask = (2u64 << digit) - 1;
        let mut coins: Vec<u64> = others.iter().map(|other| other & mask).collect();
        coins.push(0);
        let is_zero = |square: &u64| {
            let mut coins = coins.clone();
            if let Some(last) = coins.last_mut() {
                *last = *square;
            }
            welter(&coins) & mask == 0
        };
        square = [square, square | 1 << digit].into_iter().find(is_zero)?;
    }
    Some(square)
}

/// Returns a coin and a lower square without a coin, after which the value is 0.
fn winning(coins: &[u64]) -> Option<(usize, u64)> {
    (0..coins.len()).find_map(|at| {
        let mut others = coins.to_vec();
        let own = others.remove(at);
        let square = square_of_zero(&others)?;
        let is_free = square < own && !others.contains(&square);
        others.push(square);
        (is_free && welter(&others) == 0).then_some((at, square))
    })
}

/// Returns whether a move leads from one position to another.
pub fn allows(strip: Strip, from: &[u64], to: &[u64]) -> bool {
    if from.len() != to.len() {
        return false;
    }
    let changed: Vec<usize> = (0..from.len()).filter(|at| from[*at] != to[*at]).collect();
    match (strip, &changed[..]) {
        (Strip::Welter, _) => {
            let gone: Vec<u64> = from.iter().copied().filter(|coin| !to.contains(coin)).collect();
            let come: Vec<u64> = to.iter().copied().filter(|coin| !from.contains(coin)).collect();
            matches!((&gone[..], &come[..]), ([gone], [come]) if come < gone)
        }
        (Strip::SilverDollar, [at]) => to[*at] < from[*at],
        (Strip::Staircase, [0]) => to[0] < from[0],
        (Strip::Staircase, [below, at]) => {
            below + 1 == *at
                && to[*at] < from[*at]
                && to[*below] == from[*below] + from[*at] - to[*at]
        }
        _ => false,
    }
}

/// Evaluates a position in normal play with too many positions below to be searched, with one move
/// and the number of all; `None` of other positions.
///
/// # Errors
/// If `position` is not a position of the game.
pub fn analyse(
    game: &dyn Game,
    strip: Strip,
    position: &str,
) -> Result<Option<(Analysis, u64)>, NotationError> {
    let position = strip.read(&game.normal_form(position)?)?;
    let numbers: Vec<u64> = position.iter().map(|number| u64::from(*number)).collect();
    let sizes = if strip == Strip::Welter { numbers.clone() } else { steps(strip, &numbers) };
    let below = sizes.iter().zip(1u64..).try_fold(1u64, |all, (size, place)| {
        let orders = if strip == Strip::Welter { place } else { 1 };
        Some(all.checked_mul(size + 1)? / orders).filter(|all| *all <= SEARCHED)
    });
    if below.is_some() {
        return Ok(None);
    }
    let Some(left) = reply(strip, &numbers) else { return Ok(None) };
    let Some(to) = left.iter().map(|number| u32::try_from(*number).ok()).collect::<Option<Rows>>()
    else {
        return Ok(None);
    };
    let listed = Move {
        to: strip.print(&to),
        text: strip.move_text(&position, &to),
        evaluation: of_value(value(strip, &left)),
        brings: None,
    };
    let moves: u64 = sizes.iter().sum();
    // In Welter's game no coin moves to a square with one.
    let taken = match (strip, sizes.len() as u64) {
        (Strip::Welter, coins) => coins * (coins - 1) / 2,
        _ => 0,
    };
    let own = of_value(value(strip, &numbers));
    let analysis = Analysis::without_search(strip.print(&position), own, vec![listed]);
    Ok(Some((analysis, moves - taken)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use std::collections::HashMap;

    /// Returns the options by the rules.
    fn options(strip: Strip, numbers: &[u64]) -> Vec<Vec<u64>> {
        let mut all = Vec::new();
        for at in 0..numbers.len() {
            if strip == Strip::Staircase {
                all.extend((1..=numbers[at]).map(|many| {
                    let mut left = numbers.to_vec();
                    left[at] -= many;
                    if at > 0 {
                        left[at - 1] += many;
                    }
                    left
                }));
                continue;
            }
            for square in (0..numbers[at]).filter(|square| !numbers.contains(square)) {
                let jumps = numbers.iter().any(|coin| square < *coin && *coin < numbers[at]);
                if strip == Strip::Welter || !jumps {
                    let mut left = numbers.to_vec();
                    left[at] = square;
                    left.sort_unstable();
                    all.push(left);
                }
            }
        }
        all
    }

    fn by_rules(strip: Strip, numbers: &[u64], known: &mut HashMap<Vec<u64>, u64>) -> u64 {
        if let Some(known) = known.get(numbers) {
            return *known;
        }
        let values: Vec<u64> =
            options(strip, numbers).iter().map(|option| by_rules(strip, option, known)).collect();
        let mex = (0..).find(|value| !values.contains(value)).unwrap();
        known.insert(numbers.to_vec(), mex);
        mex
    }

    /// By the rules alone, for one to five coins on the first squares, and up to four steps; a move
    /// is found wherever there is one, and wins wherever one does.
    #[test]
    fn values_are_those_of_the_rules() {
        for strip in [Strip::Welter, Strip::SilverDollar, Strip::Staircase] {
            let mut known = HashMap::new();
            let all: Vec<Vec<u64>> = match strip {
                Strip::Staircase => (0..1296u64)
                    .map(|n| (0..4).map(|step| n / 6u64.pow(step) % 6).collect())
                    .collect(),
                _ => (1u64..1 << 12)
                    .filter(|set| set.count_ones() <= 5)
                    .map(|set| (0..12).filter(|square| set >> square & 1 == 1).collect())
                    .collect(),
            };
            for numbers in all {
                let mex = by_rules(strip, &numbers, &mut known);
                assert_eq!(value(strip, &numbers), mex, "{strip:?} {numbers:?}");
                let options = options(strip, &numbers);
                for other in known.keys().take(300).chain(&options) {
                    let allowed = allows(strip, &numbers, other);
                    assert_eq!(allowed, options.contains(other), "{strip:?} {numbers:?} {other:?}");
                }
                match reply(strip, &numbers) {
                    None => assert!(options.is_empty(), "{strip:?} {numbers:?}"),
                    Some(left) => {
                        assert!(options.contains(&left), "{strip:?} {numbers:?} {left:?}");
                        let is_won = by_rules(strip, &left, &mut known) == 0;
                        assert_eq!(is_won, mex > 0, "{strip:?} {numbers:?} {left:?}");
                    }
                }
            }
        }
    }
}

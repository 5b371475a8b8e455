//! Several heaps of one game side by side: how many of their sums are lost, and which.
//!
//! A sum is lost for the player to move iff the nim-sum of its heaps' nim-values is 0 (R. P.
//! Sprague 1935, P. M. Grundy 1939).

use crate::single_heap_sums::is_sum_of_heaps;
use crate::single_heaps::single_heap_values;
use bouton_core::{Budget, LimitReached, Meter, Outcome, Play};
use bouton_engine::{Game, Kind, Settings};
use bouton_games::ParsedGame;
use std::ops::ControlFlow;

/// Counts the multisets of `heaps` heaps of sizes 0, 1, …, `values.len() - 1` whose nim-values,
/// `values[size]`, have the nim-sum 0. `None` if a number on the way does not fit into 128 bits.
///
/// The sign of a value for a mask u is −1 if they have an odd number of bits in common, else 1; the
/// sign of a multiset is the product of those of its heaps. Let p sizes have the sign 1 and m the
/// sign −1. Then the signs of all multisets of k heaps add up to the coefficient of zᵏ in (1−z)^−p
/// (1+z)^−m, and the mean of these sums over all u below N counts the multisets of nim-sum
/// 0. Cost: N log N, N the power of 2 above the values.
pub fn count_lost_sums(values: &[u32], heaps: u32) -> Option<u128> {
    let most = values.iter().max().copied().unwrap_or(0);
    let len = (most as usize + 1).checked_next_power_of_two()?;
    let mut signs = vec![0i64; len];
    values.iter().for_each(|value| signs[*value as usize] += 1);
    // The Walsh-Hadamard transform.
    let mut width = 1;
    while width < len {
        for block in signs.chunks_mut(2 * width) {
            let (left, right) = block.split_at_mut(width);
            for (a, b) in left.iter_mut().zip(right) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        width *= 2;
    }
    let all = values.len() as i64;
    let mut sum = 0i128;
    for sign in signs {
        let (even, odd) = ((all + sign) / 2, (all - sign) / 2);
        for many in 0..=heaps {
            let ways = multisets(even, heaps - many)?.checked_mul(multisets(odd, many)?)?;
            sum = sum.checked_add(if many % 2 == 0 { ways } else { -ways })?;
        }
    }
    u128::try_from(sum / len as i128).ok()
}

/// Counts the multisets of `heaps` heaps of `sizes` sizes. `None` past 127 bits.
pub fn count_sums(sizes: usize, heaps: u32) -> Option<u128> {
    multisets(sizes as i64, heaps)?.try_into().ok()
}

/// Returns the number of multisets of `many` things of `kinds` kinds.
fn multisets(kinds: i64, many: u32) -> Option<i128> {
    let mut ways = 1i128;
    for i in 0..i128::from(many) {
        ways = ways.checked_mul(i128::from(kinds) + i)? / (i + 1);
    }
    Some(ways)
}

/// Visits the multisets of `heaps` heaps of sizes below `values.len()`, in ascending order, with
/// their nim-values; with `lost_only` those of nim-value 0.
///
/// # Errors
///
/// If the budget of the meter ends: a step for each multiset of one heap less that is looked at.
pub fn visit_sums(
    values: &[u32],
    heaps: usize,
    lost_only: bool,
    meter: &mut Meter,
    visit: &mut dyn FnMut(&[u64], u32) -> ControlFlow<()>,
) -> Result<(), LimitReached> {
    if heaps == 0 {
        let _ = visit(&[], 0);
        return Ok(());
    }
    let Some(greatest) = (values.len() as u64).checked_sub(1) else { return Ok(()) };
    let most = values.iter().max().copied().unwrap_or(0) as usize;
    let mut with_value: Vec<Vec<u64>> = vec![Vec::new(); most + 1];
    for (size, value) in values.iter().enumerate() {
        with_value[*value as usize].push(size as u64);
    }
    let mut sizes = vec![0u64; heaps];
    loop {
        meter.spend_one()?;
        let (last, first) = (heaps - 1, if heaps > 1 { sizes[heaps - 2] } else { 0 });
        let so_far = sizes[..last].iter().fold(0, |sum, size| sum ^ values[*size as usize]);
        if lost_only {
            let fitting = with_value.get(so_far as usize).map_or(&[][..], Vec::as_slice);
            for size in &fitting[fitting.partition_point(|size| *size < first)..] {
                sizes[last] = *size;
                if visit(&sizes, 0).is_break() {
                    return Ok(());
                }
            }
        } else {
            for size in first..=greatest {
                sizes[last] = size;
                if visit(&sizes, so_far ^ values[size as usize]).is_break() {
                    return Ok(());
                }
            }
        }
        let Some(place) = sizes[..last].iter().rposition(|size| *size < greatest) else {
            return Ok(());
        };
        let next = sizes[place] + 1;
        sizes[place..last].fill(next);
    }
}

/// Visits the multisets of `heaps` heaps up to `max`, in ascending order.
///
/// # Errors
///
/// As [`visit_sums`].
pub fn visit_multisets(
    max: u32,
    heaps: usize,
    meter: &mut Meter,
    visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
) -> Result<(), LimitReached> {
    // The values are not asked.
    let all = vec![0; max as usize + 1];
    visit_sums(&all, heaps, false, meter, &mut |sizes, _| visit(sizes))
}

/// The most heaps of a sum that is listed.
pub const MAX_SINGLE_HEAPS: usize = 64;

/// Returns whether a number is a heap of the game and numbers with commas between are several heaps
/// of it. They are not those of a program, whose `start(n)` may be anything.
pub fn has_single_heaps(game: &dyn Game) -> bool {
    let has_list = match game.table_shape() {
        Some(shape) => shape.numbers == 1,
        None => game.position(&[1]).is_some(),
    };
    has_list && game.kind() == Kind::Impartial && game.single(1).is_some()
}

/// Returns how many heaps the positions have that are listed of a game on single heaps if nothing
/// is said: as many as it starts with, or one.
pub fn default_heaps(named: &ParsedGame) -> Option<usize> {
    if !has_single_heaps(&*named.game) {
        return None;
    }
    let is_number = |heap: &str| heap.trim().bytes().all(|digit| digit.is_ascii_digit());
    let opening = named.game.start().or_else(|| named.opening.clone());
    let opening = opening.filter(|opening| opening.split(',').all(is_number));
    Some(opening.map_or(1, |opening| opening.split(',').count()))
        .filter(|heaps| *heaps <= MAX_SINGLE_HEAPS)
}

/// Visits the sums of this many heaps up to `max` of a game on single heaps that are lost, each set
/// of heaps once, until `visit` breaks; by the values of single heaps in normal play, else by
/// search. `None` of other games, and if several heaps are no position to be searched.
pub fn visit_lost_sums(
    game: &dyn Game,
    heaps: usize,
    play: Play,
    max: u32,
    budget: &Budget,
    visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
) -> Option<Result<(), LimitReached>> {
    if !has_single_heaps(game) || heaps > MAX_SINGLE_HEAPS {
        return None;
    }
    let mut meter = Meter::new(budget);
    if play == Play::Normal && is_sum_of_heaps(game) {
        let mut values = Vec::new();
        if let Err(spent) = single_heap_values(game, max, budget, &mut values)? {
            return Some(Err(spent));
        }
        let mut visit = |sizes: &[u64], _| visit(sizes);
        return Some(visit_sums(&values, heaps, true, &mut meter, &mut visit));
    }
    let settings = Settings { play, budget: budget.clone(), ..Settings::default() };
    let mut session = game.session(settings);
    let _is_a_position = session.evaluate_sizes(&vec![0; heaps])?;
    let mut end = Ok(());
    let visited = visit_multisets(max, heaps, &mut meter, &mut |sizes| {
        let outcome = match session.evaluate_sizes(sizes) {
            Some(Ok(found)) => found.outcome.ok_or(LimitReached::NumbersTooLarge),
            Some(Err(spent)) => Err(spent),
            None => Err(LimitReached::NumbersTooLarge),
        };
        match outcome {
            Ok(Outcome::P) => visit(sizes),
            Ok(Outcome::N) => ControlFlow::Continue(()),
            Err(spent) => {
                end = Err(spent);
                ControlFlow::Break(())
            }
        }
    });
    Some(end.and(visited))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;

    /// Returns all multisets, one heap after the other.
    fn multisets_of(values: &[u32], heaps: usize) -> Vec<(Vec<u64>, u32)> {
        let mut all = vec![(Vec::new(), 0)];
        for _ in 0..heaps {
            let longer = all.iter().flat_map(|(sizes, sum): &(Vec<u64>, u32)| {
                let first = sizes.last().copied().unwrap_or(0);
                (first..values.len() as u64)
                    .map(move |size| ([&sizes[..], &[size]].concat(), sum ^ values[size as usize]))
            });
            all = longer.collect();
        }
        all
    }

    #[test]
    fn counts_and_lists_are_those_of_all_multisets() {
        let sequences: [Vec<u32>; 4] =
            [(0..9).collect(), vec![0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6], vec![0; 5], vec![3, 3, 5]];
        for values in &sequences {
            for heaps in 0..5 {
                let all = multisets_of(values, heaps);
                let (mut listed, mut lost) = (Vec::new(), Vec::new());
                let mut meter = Meter::new(&Budget::default());
                for (list, lost_only) in [(&mut listed, false), (&mut lost, true)] {
                    let mut take = |sizes: &[u64], value| {
                        list.push((sizes.to_vec(), value));
                        ControlFlow::Continue(())
                    };
                    visit_sums(values, heaps, lost_only, &mut meter, &mut take).unwrap();
                }
                assert_eq!(listed, all);
                let expected: Vec<_> = all.into_iter().filter(|(_, value)| *value == 0).collect();
                assert_eq!(lost, expected);
                assert_eq!(count_lost_sums(values, heaps as u32), Some(expected.len() as u128));
            }
        }
    }

    #[test]
    fn counts_that_do_not_fit_are_none() {
        assert_eq!(count_lost_sums(&vec![0; 1000], 100), None);
    }
}

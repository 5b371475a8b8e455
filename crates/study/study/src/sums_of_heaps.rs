//! Several heaps of one game side by side: how many of their sums are lost, and which.
//!
//! A sum is lost for the player to move iff the nim-sum of its heaps' nim-values is 0 (R. P.
//! Sprague 1935, P. M. Grundy 1939).

use crate::single_heap_sums::is_sum_of_heaps;
use crate::single_heaps::{single_heap_sequence, single_heap_values};
use bouton_core::{Arrange, Budget, LimitReached, Meter, NotationError, Outcome, Play, RuleFault};
use bouton_engine::{Evaluation, Game, Kind, Session, Settings};
use bouton_games::{ParsedGame, Slice};
use num_bigint::{BigInt, BigUint};
use std::ops::ControlFlow;

/// Counts the multisets of `heaps` heaps of which `sizes[value]` sizes have this nim-value, whose
/// nim-sum is 0. `None` if the sizes are 2^63 or more.
///
/// The sign of a value for a mask u is −1 if they have an odd number of bits in common, else 1; the
/// sign of a multiset is the product of those of its heaps. Let p sizes have the sign 1 and m the
/// sign −1. Then the signs of all multisets of k heaps add up to the coefficient of zᵏ in (1−z)^−p
/// (1+z)^−m, and the mean of these sums over all u below N counts the multisets of nim-sum
/// 0. Cost: N log N, N the power of 2 above the values.
pub fn count_lost_sums(sizes: &[u64], heaps: u32) -> Option<BigUint> {
    count_of_value_0(sizes, heaps, multisets)
}

/// Counts the sets of `heaps` different heaps whose nim-sum is 0, as [`count_lost_sums`] the
/// multisets: the coefficient is that of (1+z)^p (1−z)^m.
pub fn count_lost_sets(sizes: &[u64], heaps: u32) -> Option<BigUint> {
    count_of_value_0(sizes, heaps, subsets)
}

/// Counts the choices of `heaps` heaps whose nim-sum is 0; `ways(all, many)` is the number of
/// choices of `many` sizes among `all`.
fn count_of_value_0(
    sizes: &[u64],
    heaps: u32,
    ways: impl Fn(u64, u32) -> BigUint,
) -> Option<BigUint> {
    let all = sizes.iter().try_fold(0u64, |sum, many| sum.checked_add(*many))?;
    let all = i64::try_from(all).ok()?;
    let len = sizes.len().checked_next_power_of_two()?;
    let mut signs = vec![0i64; len];
    signs.iter_mut().zip(sizes).for_each(|(sign, many)| *sign = *many as i64);
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
    let mut sum = BigInt::ZERO;
    for sign in signs {
        let even = ((i128::from(all) + i128::from(sign)) / 2) as u64;
        let odd = all as u64 - even;
        for many in 0..=heaps {
            let ways = BigInt::from(ways(even, heaps - many) * ways(odd, many));
            sum += if many % 2 == 0 { ways } else { -ways };
        }
    }
    (sum / len as u64).try_into().ok()
}

/// Returns how many sizes have each nim-value, of `values[size]`.
pub fn sizes_by_value(values: &[u32]) -> Vec<u64> {
    let most = values.iter().max().map_or(0, |most| *most as usize);
    let mut sizes = vec![0; most + 1];
    values.iter().for_each(|value| sizes[*value as usize] += 1);
    sizes
}

/// Returns the number of multisets of `many` things of `kinds` kinds.
pub fn multisets(kinds: u64, many: u32) -> BigUint {
    let small = (0..u64::from(many)).try_fold(1u128, |ways, i| {
        let factor = u128::from(kinds) + u128::from(i);
        Some(ways.checked_mul(factor)? / u128::from(i + 1))
    });
    small.map_or_else(
        || {
            (0..many)
                .fold(1u8.into(), |ways: BigUint, i| ways * (BigUint::from(kinds) + i) / (i + 1))
        },
        BigUint::from,
    )
}

/// Returns the number of sets of `many` things out of `all`.
pub fn subsets(all: u64, many: u32) -> BigUint {
    match all.checked_sub(u64::from(many)) {
        Some(rest) => multisets(rest + 1, many),
        None => BigUint::ZERO,
    }
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

/// Returns whether the numbers of a position are all different, as the places of heads in a row
/// are: of such a game on single heaps `1,2` is a position and `1,1` is none.
pub fn has_different_heaps(game: &dyn Game) -> bool {
    has_single_heaps(game) && game.position(&[1, 2]).is_some() && game.position(&[1, 1]).is_none()
}

/// Returns whether numbers are a position of a game on single heaps; `is_set` is
/// [`has_different_heaps`] of it.
pub fn is_position_of_heaps(game: &dyn Game, is_set: bool, sizes: &[u64]) -> bool {
    !is_set || game.position(&sorted(sizes)).is_some()
}

/// Returns the heaps in ascending order.
fn sorted(sizes: &[u64]) -> Vec<u64> {
    let mut sizes = sizes.to_vec();
    sizes.arrange();
    sizes
}

/// Returns why a position has no verdict, whose text is as the game writes it: the rules fail there
/// or below.
pub fn fault(error: NotationError) -> LimitReached {
    LimitReached::Rules(RuleFault::new(&error.message))
}

/// Heaps of a game on single heaps side by side, for searches: positions of the game itself, or of
/// its sum with itself if its positions are single heaps.
pub struct HeapsSideBySide<'g> {
    game: &'g dyn Game,
    sum: Option<Box<dyn Game>>,
    /// Whether the heaps of a position are all different.
    is_set: bool,
}

impl<'g> HeapsSideBySide<'g> {
    /// Returns `heaps` heaps of a game.
    pub fn new(game: &'g dyn Game, heaps: usize) -> HeapsSideBySide<'g> {
        let is_single = game.table_shape().is_some_and(|shape| shape.numbers == 1);
        let sum = (is_single && heaps > 1).then(|| bouton_games::multiple(game, heaps)).flatten();
        HeapsSideBySide { game, sum, is_set: has_different_heaps(game) }
    }

    /// Returns the game in which the heaps are a position.
    pub fn game(&self) -> &dyn Game {
        self.sum.as_deref().unwrap_or(self.game)
    }

    /// Evaluates heaps in a session of [`HeapsSideBySide::game`]; `None` if they are no position.
    pub fn evaluate(
        &self,
        session: &mut dyn Session,
        sizes: &[u64],
    ) -> Option<Result<Evaluation, LimitReached>> {
        if self.sum.is_none() {
            return match self.is_set {
                true => session.evaluate_sizes(&sorted(sizes)),
                false => session.evaluate_sizes(sizes),
            };
        }
        let texts: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let position = texts.join(" + ");
        match session.evaluate(&position) {
            Ok(found) => Some(found),
            Err(error) => self.game().normal_form(&position).is_ok().then(|| Err(fault(error))),
        }
    }

    /// Returns whether this many heaps are a position, if all are 0 or all are 1.
    fn are_positions(&self, session: &mut dyn Session, heaps: usize) -> bool {
        [0, 1].iter().any(|size| self.evaluate(session, &vec![*size; heaps]).is_some())
    }
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

/// Visits the single heaps up to `max` that are lost in normal play, until `visit` breaks, by a
/// session that looks at the greatest first: what it finds of that one tells of all smaller ones,
/// as a sieve does. `None` if a sequence is known, or the game has no single heaps.
pub fn visit_lost_heaps(
    game: &dyn Game,
    max: u32,
    budget: &Budget,
    visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
) -> Option<Result<(), LimitReached>> {
    if !is_sum_of_heaps(game) || has_different_heaps(game) || single_heap_sequence(game).is_ok() {
        return None;
    }
    let settings = Settings { budget: budget.clone(), nim_value_nodes: 0, ..Settings::default() };
    let mut session = game.session(settings);
    if let Err(spent) = session.evaluate_sizes(&[max.into()])? {
        return Some(Err(spent));
    }
    for heap in 0..=max {
        let Some(found) = session.evaluate_sizes(&[heap.into()]) else { continue };
        match found.map(|found| found.outcome) {
            Ok(Some(Outcome::P)) if visit(heap).is_break() => break,
            Ok(Some(_)) => {}
            Ok(None) => return Some(Err(LimitReached::NumbersTooLarge)),
            Err(spent) => return Some(Err(spent)),
        }
    }
    Some(Ok(()))
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
    let is_set = has_different_heaps(game);
    let is_position = |sizes: &[u64]| is_position_of_heaps(game, is_set, sizes);
    if play == Play::Normal && is_sum_of_heaps(game) {
        let mut values = Vec::new();
        if let Err(spent) = single_heap_values(game, max, budget, &mut values)? {
            return Some(Err(spent));
        }
        let mut visit = |sizes: &[u64], _| match is_position(sizes) {
            true => visit(sizes),
            false => ControlFlow::Continue(()),
        };
        return Some(visit_sums(&values, heaps, true, &mut meter, &mut visit));
    }
    let settings = Settings { play, budget: budget.clone(), ..Settings::default() };
    let side_by_side = HeapsSideBySide::new(game, heaps);
    let mut session = side_by_side.game().session(settings);
    if !is_set && !side_by_side.are_positions(&mut *session, heaps) {
        return None;
    }
    let mut end = Ok(());
    let visited = visit_multisets(max, heaps, &mut meter, &mut |sizes| {
        if !is_position(sizes) {
            return ControlFlow::Continue(());
        }
        match side_by_side.evaluate(&mut *session, sizes) {
            Some(found) => visit_if_lost(sizes, found, &mut end, visit),
            None => ControlFlow::Continue(()),
        }
    });
    Some(end.and(visited))
}

/// Visits a position if it is lost; breaks with the reason if it is unknown whether it is.
fn visit_if_lost(
    sizes: &[u64],
    found: Result<Evaluation, LimitReached>,
    end: &mut Result<(), LimitReached>,
    visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match found.and_then(|found| found.outcome.ok_or(LimitReached::NumbersTooLarge)) {
        Ok(Outcome::P) => visit(sizes),
        Ok(Outcome::N) => ControlFlow::Continue(()),
        Err(spent) => {
            *end = Err(spent);
            ControlFlow::Break(())
        }
    }
}

/// Visits the positions of a slice with heaps up to `max` that are lost, until `visit` breaks:
/// those of a game on a fixed number of heaps, or sums of single heaps, in normal play by the
/// values of these. Numbers that are no position do not occur. `None` of other games.
pub fn visit_lost_slice(
    game: &dyn Game,
    slice: &Slice,
    play: Play,
    max: u32,
    budget: &Budget,
    visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
) -> Option<Result<(), LimitReached>> {
    let heaps = slice.expressions().len();
    let is_fixed = game.table_shape().is_some_and(|shape| shape.numbers == heaps);
    if !is_fixed && !has_single_heaps(game) {
        return None;
    }
    let (mut meter, mut end) = (Meter::new(budget), Ok(()));
    let is_set = has_different_heaps(game);
    let is_position = |sizes: &[u64]| is_position_of_heaps(game, is_set, sizes);
    let mut spend = |end: &mut Result<(), LimitReached>| {
        *end = meter.spend_one();
        if end.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    if !is_fixed && play == Play::Normal && is_sum_of_heaps(game) {
        let mut values = Vec::new();
        if let Err(spent) = single_heap_values(game, max, budget, &mut values)? {
            return Some(Err(spent));
        }
        slice.visit(&mut |sizes| {
            spend(&mut end)?;
            let value = sizes.iter().fold(0, |sum, size| sum ^ values[*size as usize]);
            let is_lost = value == 0 && is_position(sizes);
            if is_lost { visit(sizes) } else { ControlFlow::Continue(()) }
        });
        return Some(end);
    }
    let settings = Settings { play, budget: budget.clone(), ..Settings::default() };
    let side_by_side = HeapsSideBySide::new(game, heaps);
    let mut session = side_by_side.game().session(settings);
    if !is_fixed && !is_set && !side_by_side.are_positions(&mut *session, heaps) {
        return None;
    }
    slice.visit(&mut |sizes| {
        spend(&mut end)?;
        match side_by_side.evaluate(&mut *session, sizes) {
            Some(found) => visit_if_lost(sizes, found, &mut end, visit),
            None => ControlFlow::Continue(()),
        }
    });
    Some(end)
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
                let counted = count_lost_sums(&sizes_by_value(values), heaps as u32);
                assert_eq!(counted, Some(expected.len().into()));
            }
        }
    }

    #[test]
    fn counts_of_different_heaps_are_those_of_all_sets() {
        for values in [vec![0u32, 1, 2, 1, 4, 1, 2, 1, 8], vec![0, 1, 2, 3, 1, 4, 3, 2], vec![0; 4]]
        {
            for heaps in 0..5 {
                let all = multisets_of(&values, heaps);
                let is_set = |sizes: &[u64]| sizes.windows(2).all(|pair| pair[0] < pair[1]);
                let sets: Vec<_> = all.into_iter().filter(|(sizes, _)| is_set(sizes)).collect();
                assert_eq!(subsets(values.len() as u64, heaps as u32), sets.len().into());
                let lost = sets.iter().filter(|(_, value)| *value == 0).count();
                let counted = count_lost_sets(&sizes_by_value(&values), heaps as u32);
                assert_eq!(counted, Some(lost.into()), "{values:?} {heaps}");
            }
        }
    }

    /// Of sizes with the nim-value 0 alone all multisets are lost: 1099! / (999! 100!), a number of
    /// 144 digits, of which Pascal's rule gives the same.
    /// Where the rules fail there is no verdict, and the position is not left out.
    #[test]
    fn heaps_side_by_side_of_rules_that_fail() {
        let text = "name = \"fails\"\nheaps = 1\nmove = \"q0 < p0 & p0 mod (p0 - 1000000) < 3\"\n";
        let game = bouton_games::RuleFile::parse(text).unwrap().game();
        let heaps = HeapsSideBySide::new(&*game, 2);
        let mut session =
            heaps.game().session(Settings { play: Play::Misere, ..Settings::default() });
        let mut found = |sizes: [u64; 2]| heaps.evaluate(&mut *session, &sizes);
        assert!(matches!(found([2, 3]), Some(Ok(_))));
        assert!(matches!(found([1_000_000, 3]), Some(Err(LimitReached::Rules(_)))));
    }

    #[test]
    fn counts_may_be_large() {
        let mut row = vec![BigUint::from(1u8); 101];
        for _ in 1..1000 {
            for i in 1..row.len() {
                let left = row[i - 1].clone();
                row[i] += left;
            }
        }
        assert_eq!(count_lost_sums(&[1000], 100), Some(row[100].clone()));
        assert_eq!(count_lost_sums(&[u64::MAX], 1), None);
    }
}

//! How many P-positions there are below a bound where moves lower several heaps, or in misère play:
//! by the digits of Moore's theorem, or by the misère quotient of single heaps.

use crate::count_positions::{CountedPositions, MAX_COUNTED};
use crate::misere_sums::heap_elements;
use crate::single_heap_sums::{QUOTIENT_TIME, most_lowered, single_moves};
use crate::sums_of_heaps::multisets;
use bouton_core::{Budget, Meter, Play, Symmetry};
use bouton_engine::Game;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Cycles of one length, or numbers of one weight, and how many there are.
type Alike = (usize, usize);

/// The most heaps of a position that are counted.
const MAX_HEAPS: usize = 24;

/// Counts the P-positions of Nim or Moore's Nim of this many heaps, none above `max`, each set of
/// heaps once. `None` of other games.
///
/// In normal play the binary digits of a P-position sum to 0 modulo b in every place (E. H. Moore,
/// 1910); in misère play the same holds while some heap has two tokens, and else the heaps of one
/// are 1 modulo b (*Winning Ways*, ch. 15).
pub fn count_by_digits(
    game: &dyn Game,
    heaps: usize,
    play: Play,
    max: u64,
) -> Option<CountedPositions> {
    let shape = game.table_shape();
    let are_alike = shape.is_none_or(|shape| {
        shape.numbers == heaps && (shape.symmetry == Symmetry::Full || heaps < 2)
    });
    let b = most_lowered(game).filter(|_| are_alike && heaps <= MAX_HEAPS)? + 1;
    let lost = |max: u64| count_of_digit_sum_0(b, heaps, max);
    let digits = format!("the binary digits sum to 0 modulo {b} in every place");
    let (count, statement) = match play {
        Play::Normal => (lost(max), format!("P iff {digits}")),
        Play::Misere => {
            let ones = (0..=heaps).filter(|ones| max > 0 && ones % b == 1).count();
            let statement = format!(
                "P iff {digits} and some heap has two tokens, or none has and the heaps of one are \
                 1 modulo {b}"
            );
            (lost(max) - lost(max.min(1)) + ones, statement)
        }
    };
    Some(CountedPositions { count, statement, certificate: None })
}

/// Counts the multisets of numbers up to `max` whose binary digits sum to 0 modulo b in every place.
///
/// Burnside: they are as many as the tuples that a permutation leaves alone, on an average of all
/// permutations. Those are a number for each of its cycles, whose digits count as often as the
/// cycle is long.
fn count_of_digit_sum_0(b: usize, heaps: usize, max: u64) -> BigUint {
    let mut sum = BigUint::ZERO;
    let mut all = BigUint::from(1u8);
    (1..=heaps).for_each(|k| all *= k);
    each_partition(heaps, heaps, &mut Vec::new(), &mut |cycles| {
        // n! / (Π c^m · m!) permutations have m cycles of each length c.
        let centralizer = cycles.iter().fold(BigUint::from(1u8), |all, (length, many)| {
            (1..=*many).fold(all, |all, k| all * *length * k)
        });
        sum += tuples(b, cycles, max) * (&all / centralizer);
    });
    sum / all
}

/// Visits the partitions of `left` into parts of at most `most`: each part, and how often.
fn each_partition(
    left: usize,
    most: usize,
    parts: &mut Vec<Alike>,
    visit: &mut dyn FnMut(&[Alike]),
) {
    if left == 0 {
        return visit(parts);
    }
    for part in 1..=most.min(left) {
        for many in 1..=left / part {
            if part == 1 && many < left {
                continue;
            }
            parts.push((part, many));
            each_partition(left - part * many, part - 1, parts, visit);
            parts.pop();
        }
    }
}

/// Counts the tuples of numbers up to `max`, as many of each weight as are said, whose weighted
/// binary digits sum to 0 modulo b in every place: place by place from the highest one, by how many
/// numbers of each weight agree with `max` so far.
fn tuples(b: usize, weights: &[Alike], max: u64) -> BigUint {
    let start: Vec<usize> = weights.iter().map(|(_, many)| *many).collect();
    let mut states = BTreeMap::from([(start, BigUint::from(1u8))]);
    for place in (0..u64::BITS - max.leading_zeros()).rev() {
        let is_set = max >> place & 1 == 1;
        let mut next: BTreeMap<Vec<usize>, BigUint> = BTreeMap::new();
        for (tight, ways) in states {
            // What the digits sum to so far, by how many are tight behind this place.
            let mut partial = BTreeMap::from([((Vec::new(), 0), ways)]);
            for ((weight, many), tight) in weights.iter().zip(tight) {
                let mut longer = BTreeMap::new();
                for ((before, sum), ways) in &partial {
                    for of_tight in 0..=if is_set { tight } else { 0 } {
                        for of_others in 0..=many - tight {
                            let digits = weight * (of_tight + of_others);
                            let behind = if is_set { of_tight } else { tight };
                            let key = ([&before[..], &[behind]].concat(), (sum + digits) % b);
                            let more = chosen(tight, of_tight) * chosen(many - tight, of_others);
                            *longer.entry(key).or_insert(BigUint::ZERO) += ways * more;
                        }
                    }
                }
                partial = longer;
            }
            for ((behind, _), ways) in partial.into_iter().filter(|((_, sum), _)| *sum == 0) {
                *next.entry(behind).or_insert(BigUint::ZERO) += ways;
            }
        }
        states = next;
    }
    states.into_values().sum()
}

/// Returns the number of sets of `some` things out of `all`, which are few.
fn chosen(all: usize, some: usize) -> u64 {
    (0..some).fold(1, |ways, i| ways * (all - i) as u64 / (i + 1) as u64)
}

/// Counts the P-positions in misère play of this many single heaps up to `max`, each set of heaps
/// once, by the misère quotient of these heaps, or of all heaps if it is proved to have a period.
/// `None` if no quotient is found within the budget.
pub fn count_by_quotient(
    game: &dyn Game,
    heaps: usize,
    max: u64,
    budget: &Budget,
) -> Option<CountedPositions> {
    let moves = single_moves(game).filter(|_| heaps <= MAX_HEAPS && max <= MAX_COUNTED)?;
    let mut meter = Meter::new(&Budget { nodes: None, ..budget.within(QUOTIENT_TIME) });
    let (quotient, sizes, statement) = heap_elements(&moves, max, &mut meter)?;
    // By the heaps so far and their product.
    let mut ways = vec![vec![BigUint::ZERO; quotient.order()]; heaps + 1];
    ways[0][0] = BigUint::from(1u8);
    for (element, many) in sizes.iter().enumerate().filter(|(_, many)| **many > 0) {
        let mut next = vec![vec![BigUint::ZERO; quotient.order()]; heaps + 1];
        for (count, before) in ways.iter().enumerate() {
            for (product, ways) in before.iter().enumerate().filter(|(_, w)| **w != BigUint::ZERO) {
                let mut product = product;
                for more in 0..=heaps - count {
                    next[count + more][product] += ways * multisets(*many, more as u32);
                    product = quotient.product(product, element);
                }
            }
        }
        ways = next;
    }
    let count = quotient.p_portion().map(|element| &ways[heaps][element]).sum();
    Some(CountedPositions { count, statement, certificate: None })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::sums_of_heaps::visit_multisets;
    use bouton_engine::Settings;
    use std::ops::ControlFlow::Continue;

    /// As many as search finds, position by position.
    fn searched(game: &dyn Game, heaps: usize, play: Play, max: u32) -> u64 {
        let mut session = game.session(Settings { play, ..Settings::default() });
        let (budget, mut lost) = (Budget::default(), 0);
        let mut meter = Meter::new(&budget);
        visit_multisets(max, heaps, &mut meter, &mut |sizes| {
            let found = session.evaluate_sizes(sizes).unwrap().unwrap();
            lost += u64::from(found.outcome.unwrap() == bouton_core::Outcome::P);
            Continue(())
        })
        .unwrap();
        lost
    }

    #[test]
    fn counts_by_digits_are_those_of_a_search() {
        for (name, heaps, max) in [
            ("nim", 1, 9),
            ("nim", 3, 9),
            ("nim(4)", 4, 5),
            ("moore(3)", 2, 6),
            ("moore(3)", 4, 5),
            ("moore(3;5)", 5, 3),
            ("moore(3)", 6, 2),
            ("moore(4)", 4, 4),
            ("moore(4;5)", 5, 3),
            ("moore(5)", 3, 4),
        ] {
            let game = bouton_games::parse(name).unwrap().game;
            for play in [Play::Normal, Play::Misere] {
                for max in [0, 1, max] {
                    let counted = count_by_digits(&*game, heaps, play, max.into()).unwrap();
                    let right = searched(&*game, heaps, play, max);
                    assert_eq!(counted.count, right.into(), "{name} {heaps} {play:?} {max}");
                }
            }
        }
        // One of two equal heaps of Nim is lost of each size; four of three kinds need a third.
        let nim = bouton_games::parse("nim").unwrap().game;
        let counted = count_by_digits(&*nim, 2, Play::Normal, u64::MAX).unwrap();
        assert_eq!(counted.count, BigUint::from(1u8) << 64);
        for name in ["kayles", "wythoff", "nim(3)"] {
            let game = bouton_games::parse(name).unwrap().game;
            assert!(count_by_digits(&*game, 2, Play::Normal, 9).is_none(), "{name}");
        }
    }

    #[test]
    fn counts_by_a_quotient_are_those_of_a_search() {
        for (name, heaps, max) in [
            ("kayles", 1, 40),
            ("kayles", 2, 30),
            ("kayles", 3, 12),
            ("0.75", 3, 10),
            ("S(1,3,4)", 1, 60),
            ("S(1,3,4)", 2, 25),
            ("S(1,2)", 3, 12),
        ] {
            let game = bouton_games::parse(name).unwrap().game;
            let counted = count_by_quotient(&*game, heaps, max.into(), &Budget::default());
            let right = searched(&*game, heaps, Play::Misere, max);
            assert_eq!(counted.unwrap().count, right.into(), "{name} {heaps} {max}");
        }
        // One heap of which one or two are taken is lost of 1, 4, 7, ….
        let game = bouton_games::parse("S(1,2)").unwrap().game;
        let counted = count_by_quotient(&*game, 1, 999_999_999_999, &Budget::default());
        assert_eq!(counted.unwrap().count, 333_333_333_333u64.into());
    }
}

//! Moves between positions with heaps of any size, by the rules alone: whether one leads to the
//! other, and some move.
//!
//! A theorem answers for positions with too many options to be listed; players may still make any
//! move.

use crate::single_heap_sums::most_lowered;
use bouton_core::{Arrange, HeapMoves, Symmetry};
use bouton_engine::Game;
use bouton_octal::sequence::TakeAndBreakCode;
use bouton_prover::MoveSystem;
use num_bigint::BigUint;
use std::ops::ControlFlow;

/// Returns whether a move leads from one position to the other.
pub(crate) fn allows(game: &dyn Game, from: &[BigUint], to: &[BigUint]) -> bool {
    let (before, after) = changed(from, to);
    if let Some(most) = most_lowered(game) {
        // The same number of heaps, each matched with a larger one in order of size.
        let fewer = after.len() <= before.len();
        let lower = before.iter().rev().zip(after.iter().rev()).all(|(p, q)| q < p);
        return fewer && lower && (1..=most).contains(&before.len());
    }
    let Some(moves) = game.heap_moves() else { return by_statement(game, from, to) };
    let [heap] = &before[..] else { return false };
    let left = after.iter().sum::<BigUint>();
    if left > *heap {
        return false;
    }
    let taken = heap - left;
    match moves {
        HeapMoves::Take(set) => {
            after.len() <= 1 && u64::try_from(taken).is_ok_and(|taken| set.contains(&taken))
        }
        HeapMoves::Code(code) => {
            TakeAndBreakCode::parse(&code).is_ok_and(|code| allows_code(&code, &taken, &after))
        }
    }
}

/// Returns whether a code lets a move take this many tokens and leave these heaps, ascending and
/// none empty.
pub(crate) fn allows_code(code: &TakeAndBreakCode, taken: &BigUint, left: &[BigUint]) -> bool {
    let (last, repeat) = code.repetition();
    // Digits that repeat say the same of fewer tokens.
    let taken = match (usize::try_from(taken), repeat) {
        (Ok(taken), _) => taken,
        (Err(_), None) => return false,
        (Err(_), Some(repeat)) => {
            last + 1 + usize::try_from((taken - (last + 1)) % repeat).unwrap_or(0)
        }
    };
    code.digit(taken).admits(left) && (taken > 0 || left.len() > 1)
}

/// Decides by the moves as the game states them; where heaps may change places as one likes, their
/// order says nothing.
fn by_statement(game: &dyn Game, from: &[BigUint], to: &[BigUint]) -> bool {
    let Some(stated) = game.heap_game() else { return false };
    let Ok((moves, _)) = MoveSystem::from_heap_game(&stated) else { return false };
    let board =
        |heaps: &[BigUint]| moves.boards.iter().rposition(|board| board.heaps == heaps.len());
    let (Some(a), Some(b)) = (board(from), board(to)) else { return false };
    let orders = match stated.symmetry {
        Symmetry::Full => Symmetry::Full.permutations(to.len(), MAX_ORDERS),
        _ => None,
    };
    let orders = orders.unwrap_or_else(|| vec![(0..to.len()).collect()]);
    let image = |order: &Vec<usize>| order.iter().map(|&h| to[h].clone()).collect::<Vec<_>>();
    orders.iter().any(|order| moves.allows((a, from), (b, &image(order))))
}

/// This many orders of heaps are tried.
const MAX_ORDERS: usize = 5040;

/// Returns some option of a position, where a simple one is allowed: a token from one heap or from
/// each, some from one, a heap split.
pub(crate) fn some_option(game: &dyn Game, heaps: &[BigUint]) -> Option<Vec<BigUint>> {
    let with = |i: usize, left: Vec<BigUint>| [&heaps[..i], &left, &heaps[i + 1..]].concat();
    let taken_from = |taken: u64| {
        let fits = (0..heaps.len()).filter(move |&i| heaps[i] > BigUint::from(taken));
        fits.map(move |i| with(i, vec![&heaps[i] - taken]))
    };
    let one_each = heaps.iter().map(|heap| heap - u8::from(*heap > BigUint::ZERO)).collect();
    let split = |taken: u64| {
        let fits = (0..heaps.len()).filter(move |&i| heaps[i] > BigUint::from(taken + 3));
        fits.map(move |i| with(i, vec![1u8.into(), &heaps[i] - (taken + 1)]))
    };
    let mut simple = (1..=MAX_TAKEN)
        .flat_map(taken_from)
        .chain([one_each])
        .chain((0..=MAX_TAKEN).flat_map(split));
    simple.find(|option| allows(game, heaps, option)).or_else(|| stated_option(game, heaps))
}

/// Returns some option by the formula of the moves, as of games with a memory, in which no simple
/// option may be a move.
fn stated_option(game: &dyn Game, heaps: &[BigUint]) -> Option<Vec<BigUint>> {
    let moves = game.moves()?;
    let condition =
        moves.condition.as_ref().filter(|condition| condition.free == 2 * heaps.len())?;
    let numbers =
        heaps.iter().map(|heap| u64::try_from(heap).ok()).collect::<Option<Vec<u64>>>()?;
    let tokens = numbers.len().checked_sub(moves.memory.count)?;
    let given: Vec<Option<u64>> = numbers.iter().flat_map(|number| [Some(*number), None]).collect();
    let top = |(at, number): (usize, &u64)| [None, (at < tokens).then_some(*number)];
    let tops: Vec<Option<u64>> = numbers.iter().enumerate().flat_map(top).collect();
    let mut found = None;
    let searched = condition.solutions(&given, &tops, STEPS, &mut |values| {
        let option: Vec<BigUint> =
            values.iter().skip(1).step_by(2).map(|number| (*number).into()).collect();
        if option[..tokens] == heaps[..tokens] || !allows(game, heaps, &option) {
            return ControlFlow::Continue(());
        }
        found = Some(option);
        ControlFlow::Break(())
    });
    searched.ok().and(found)
}

/// Steps of the search for an option.
const STEPS: u64 = 1 << 16;

/// This many tokens are tried.
const MAX_TAKEN: u64 = 100;

/// Returns the heaps of each position that the other one lacks, ascending; empty ones don't count.
fn changed(from: &[BigUint], to: &[BigUint]) -> (Vec<BigUint>, Vec<BigUint>) {
    let sorted = |heaps: &[BigUint]| {
        let mut heaps: Vec<BigUint> =
            heaps.iter().filter(|heap| **heap != BigUint::ZERO).cloned().collect();
        heaps.arrange();
        heaps
    };
    let mut after = sorted(to);
    let mut before = sorted(from);
    before.retain(|heap| match after.binary_search(heap) {
        Ok(same) => {
            after.remove(same);
            false
        }
        Err(_) => true,
    });
    (before, after)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::answer::sizes;
    use bouton_core::heaps_text;
    use bouton_engine::Settings;
    use bouton_games::parse;

    /// Every pair of small positions: a move leads from one to the other exactly if the one is an
    /// option of the other by the game's own rules, in some order of the heaps where order says
    /// nothing.
    #[test]
    fn moves_are_those_of_the_rules() {
        for (name, heaps, most) in [
            ("nim", 3, 4),
            ("nim(3)", 3, 3),
            ("moore(3)", 3, 3),
            ("kayles", 2, 7),
            ("grundy", 2, 7),
            ("0.137", 2, 6),
            ("4.07", 2, 6),
            ("S(1,3)", 2, 7),
            ("S(1,3;2)", 2, 7),
            ("CN(4,2)", 4, 2),
            ("SCN(4,2)", 4, 2),
            ("wythoff", 2, 7),
        ] {
            let game = &*parse(name).unwrap().game;
            let ordered = game.heap_game().is_some_and(|stated| stated.symmetry != Symmetry::Full);
            let heaps_of = |text: &str| {
                let heaps = sizes(game, text).unwrap();
                if ordered { heaps } else { changed(&heaps, &[]).0 }
            };
            let mut session = game.session(Settings::default());
            let mut all: Vec<Vec<u64>> = vec![vec![]];
            for _ in 0..heaps {
                all = all
                    .iter()
                    .flat_map(|p| (0..=most).map(move |h| [&p[..], &[h]].concat()))
                    .collect();
            }
            let mut all: Vec<String> = all.iter().filter_map(|p| game.position(p)).collect();
            all.sort();
            all.dedup();
            let mut moves = 0;
            for p in &all {
                let analysis = session.analyse(p).unwrap();
                let options: Vec<_> = analysis.moves.iter().map(|m| heaps_of(&m.to)).collect();
                for q in &all {
                    let is_option = options.contains(&heaps_of(q));
                    let (from, to) = (sizes(game, p).unwrap(), sizes(game, q).unwrap());
                    assert_eq!(allows(game, &from, &to), is_option, "{name}: {p} to {q}");
                    moves += usize::from(is_option);
                }
                // Some option is found wherever there is one, but for the last tokens of some
                // codes.
                if let Some(option) = some_option(game, &sizes(game, p).unwrap()) {
                    let option = heaps_text(&option);
                    assert!(options.contains(&heaps_of(&option)), "{name}: {p} to {option}");
                }
            }
            assert!(moves > 20, "{name}");
        }
    }
}

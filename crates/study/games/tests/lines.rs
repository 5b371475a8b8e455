//! Rule files whose takings are lines and cones, drawn at random: their boxes are those of the
//! formula, position by position.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Formula, Moves, Outcome, Play};
use bouton_engine::Game;
use bouton_engine::game::Settings;
use bouton_games::RuleFile;
use bouton_heaps::heap_tables::HeapSweep;
use fastrand::Rng;
use std::collections::HashSet;
use std::ops::ControlFlow::Continue;

/// Returns what a comparison of takings may be: heap i gives as much as heap j, or a little more or
/// less, or nothing, or a number.
fn comparison(lot: &mut Rng, heaps: u64) -> String {
    let (i, j) = (lot.u64(..heaps), lot.u64(..heaps));
    let j = if i == j { (i + 1) % heaps } else { j };
    let (k, c) = (1 + lot.u64(..2), lot.u64(..4));
    match lot.u64(..8) {
        0..3 => format!("p{i}+q{j} = p{j}+q{i}"),
        3 => format!("{k}*p{i}+q{j} = p{j}+{k}*q{i}"),
        4 => format!("p{i}+q{j} <= p{j}+q{i}+{c} & p{j}+q{i} <= p{i}+q{j}+{c}"),
        5 => format!("q{i} = p{i}"),
        6 => format!("q{i}+{c} <= p{i}"),
        _ => format!("p{i} <= q{i}+{c}"),
    }
}

/// Returns the value of each position of a box and whether it is P in misère play, from the formula
/// alone.
fn by_formula(formula: &Formula, all: &[Vec<u64>]) -> Vec<(u32, bool)> {
    let mut known: Vec<(u32, bool)> = Vec::new();
    for p in all {
        let is_move = |q: &Vec<u64>| {
            let pairs: Vec<u64> = p.iter().zip(q).flat_map(|(p, q)| [*p, *q]).collect();
            q != p && q.iter().zip(p).all(|(q, p)| q <= p) && formula.holds(&pairs) == Ok(true)
        };
        let options: Vec<(u32, bool)> =
            known.iter().zip(all).filter(|(_, q)| is_move(q)).map(|(known, _)| *known).collect();
        let value = (0..).find(|value| options.iter().all(|(other, _)| other != value)).unwrap();
        known.push((value, !options.is_empty() && options.iter().all(|(_, is_p)| !is_p)));
    }
    known
}

#[test]
fn boxes_are_those_of_the_formula() {
    let mut lot = Rng::with_seed(3);
    let mut swept = 0;
    for number in 0..60 {
        let heaps = 2 + number % 2;
        let most = if heaps == 2 { 13 } else { 5 };
        let alternatives: Vec<String> = (0..1 + lot.u64(..4))
            .map(|_| {
                let parts: Vec<String> =
                    (0..heaps - 1).map(|_| comparison(&mut lot, heaps)).collect();
                format!("({})", parts.join(" & "))
            })
            .collect();
        let moves = alternatives.join(" | ");
        let Ok(rules) =
            RuleFile::parse(&format!("name = \"x\"\nheaps = {heaps}\nmove = \"{moves}\"\n"))
        else {
            // A formula that no move fulfils, or with an alternative that gives none.
            continue;
        };
        let game = rules.game();
        swept += u32::from(HeapSweep::from_game(&game.heap_game().unwrap()).is_some());
        let formula = Formula::parse_over(&moves, &Moves::names(heaps as usize)).unwrap();
        let mut all = vec![Vec::new()];
        for _ in 0..heaps {
            all = all
                .iter()
                .flat_map(|p: &Vec<u64>| (0..=most).map(|n| [&p[..], &[n]].concat()))
                .collect();
        }
        let known = by_formula(&formula, &all);
        for play in [Play::Normal, Play::Misere] {
            let is_p = |(value, is_p): &(u32, bool)| {
                if play == Play::Normal { *value == 0 } else { *is_p }
            };
            let expected: Vec<&Vec<u64>> =
                all.iter().zip(&known).filter(|(_, known)| is_p(known)).map(|(p, _)| p).collect();
            let mut found = Vec::new();
            let done = game.session(Settings { play, ..Settings::default() }).p_sizes(
                most as u32,
                &mut |p| {
                    found.push(p.to_vec());
                    Continue(())
                },
            );
            assert_eq!(done, Some(Ok(())));
            assert!(found.iter().eq(expected), "{moves}, {play}");
        }
        let mut found = Vec::new();
        let done =
            game.session(Settings::default()).nim_value_table(most as u32, &mut |p, value| {
                found.push((p.to_vec(), value.0));
                Continue(())
            });
        assert_eq!(done, Some(Ok(())));
        let expected: Vec<(Vec<u64>, u32)> =
            all.iter().zip(&known).map(|(p, (value, _))| (p.clone(), *value)).collect();
        assert!(found == expected, "{moves}");
    }
    assert!(swept > 20, "{swept}");
}

/// Returns the game of Project Euler, problem 260.
fn same_number_from_three_heaps() -> Box<dyn Game> {
    let one = ["q1 = p1 & q2 = p2", "q0 = p0 & q2 = p2", "q0 = p0 & q1 = p1"];
    let two = ["q2 = p2 & p0+q1 = p1+q0", "q1 = p1 & p0+q2 = p2+q0", "q0 = p0 & p1+q2 = p2+q1"];
    let all = ["p0+q1 = p1+q0 & p0+q2 = p2+q0"];
    let moves = one
        .iter()
        .chain(&two)
        .chain(&all)
        .map(|way| format!("({way})"))
        .collect::<Vec<_>>()
        .join(" | ");
    let file = format!("name = \"x\"\nheaps = 3\nsymmetry = \"full\"\nmove = \"{moves}\"\n");
    RuleFile::parse(&file).unwrap().game()
}

/// Single positions that are too many for a search are those of a sieve: a P-position rules out
/// what shares two of its heaps, or a heap and the difference of the others, or both differences.
#[test]
fn single_positions_are_those_of_a_sieve() {
    const MAX_HEAP: u64 = 160;
    let mut lost = HashSet::new();
    let (mut heaps, mut difference, mut differences) =
        (HashSet::new(), HashSet::new(), HashSet::new());
    for a in 0..=MAX_HEAP {
        for b in a..=MAX_HEAP {
            for c in b..=MAX_HEAP {
                let pairs = [(a, b), (a, c), (b, c)];
                let one = [(b - a, c), (c - a, b), (c - b, a)];
                let both = (b - a, c - b);
                if pairs.iter().any(|pair| heaps.contains(pair))
                    || one.iter().any(|pair| difference.contains(pair))
                    || differences.contains(&both)
                {
                    continue;
                }
                heaps.extend(pairs);
                difference.extend(one);
                differences.insert(both);
                lost.insert([a, b, c]);
            }
        }
    }
    let game = same_number_from_three_heaps();
    let mut session = game.session(Settings::default());
    let mut is_lost = |heaps: [u64; 3]| {
        session.evaluate_sizes(&heaps).unwrap().unwrap().outcome == Some(Outcome::P)
    };
    assert!(
        !is_lost([MAX_HEAP, MAX_HEAP - 1, MAX_HEAP - 2])
            || lost.contains(&[MAX_HEAP - 2, MAX_HEAP - 1, MAX_HEAP])
    );
    let mut lot = Rng::with_seed(11);
    let drawn = (0..400).map(|_| [0; 3].map(|_| lot.u64(..MAX_HEAP + 1)));
    for heaps in lost.iter().copied().chain(drawn) {
        let [a, b, c] = heaps;
        let mut sorted = heaps;
        sorted.sort_unstable();
        assert_eq!(is_lost([c, a, b]), lost.contains(&sorted), "{heaps:?}");
    }
}

/// Project Euler, problem 260: a number from one heap, or the same number from two or from all
/// three. The positions with heaps up to 100 that are lost for the player to move have 173,895
/// tokens in all.
#[test]
fn the_same_number_from_any_of_three_heaps() {
    let game = same_number_from_three_heaps();
    let mut tokens = 0;
    let done = game.session(Settings::default()).p_sizes(100, &mut |p| {
        tokens += p.iter().sum::<u64>();
        Continue(())
    });
    assert_eq!((done, tokens), (Some(Ok(())), 173_895));
}

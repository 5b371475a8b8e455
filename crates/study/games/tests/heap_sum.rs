//! Sums as one game, compared with the sums of positions that the solver knows.

#![allow(clippy::unwrap_used)]

use bouton_core::{Budget, Meter, Nimber, Notation, Play};
use bouton_engine::Settings;
use bouton_engine::nim_values::NimValues;
use bouton_engine::sum::Sum;
use bouton_games::{RuleFile, heap_sum, parse};
use std::collections::HashMap;

#[test]
fn a_sum_of_heaps_has_the_outcomes_of_the_sum() {
    for (games, most) in [
        (vec!["simplicial(1,2;2,3)", "nim(1)"], 4u32),
        (vec!["CN(4,2)", "nim(1)"], 3),
        (vec!["S(1,2,3;1)", "nim(1)"], 8),
        (vec!["wythoff", "nim(1)"], 6),
        (vec!["S(1,3;2)", "moore(3;2)"], 4),
        (vec!["CN(3,2;each=1)", "nim(1)"], 4),
    ] {
        let parts: Vec<_> = games.iter().map(|name| parse(name).unwrap().game).collect();
        let one = heap_sum(&parts.iter().map(|game| &**game).collect::<Vec<_>>()).unwrap();
        let sum = bouton_engine::sum::sum(
            &games.iter().map(|name| parse(name).unwrap().game).collect::<Vec<_>>(),
        )
        .unwrap();
        let counts: Vec<usize> = parts.iter().map(|game| game.heap_game().unwrap().heaps).collect();
        let heaps: usize = counts.iter().sum();
        for play in [Play::Normal, Play::Misere] {
            let settings = || Settings { play, ..Settings::default() };
            let (mut flat, mut apart) = (one.session(settings()), sum.session(settings()));
            for code in 0..(most + 1).pow(heaps as u32) {
                let p: Vec<String> = (0..heaps as u32)
                    .map(|i| (code / (most + 1).pow(i) % (most + 1)).to_string())
                    .collect();
                let mut rest = &p[..];
                let split: Vec<String> = counts
                    .iter()
                    .map(|n| {
                        let (own, after) = rest.split_at(*n);
                        rest = after;
                        own.join(",")
                    })
                    .collect();
                let found = flat.analyse(&p.join(",")).unwrap().evaluation;
                let known = apart.analyse(&split.join(" + ")).unwrap().evaluation;
                assert_eq!(
                    (found.outcome, found.nim_value),
                    (known.outcome, known.nim_value),
                    "{games:?} {p:?} {play:?}"
                );
            }
        }
    }
}

/// Games that remember something, beside a heap of Nim and beside each other, by their own options:
/// heaps come first, in their order, then what is remembered.
#[test]
fn sums_of_games_that_remember() {
    let game = |text: &str| RuleFile::parse(text).unwrap().game();
    let games = [
        // At most as many as were taken last; the number taken last not again.
        "name = \"same\"\nheaps = 1\nmemory = 1\nmove = \"p0 <= q0+p1 & q0 < p0 & q1+q0 = p0\"\n",
        "name = \"not-again\"\nheaps = 1\nmemory = 1\n\
         move = \"q0 < p0 & p0 <= q0+3 & q1+q0 = p0 & q1 != p1\"\n",
        // A pass, once.
        "name = \"pass\"\nheaps = 2\npositions = \"p1 <= 1\"\n\
         move = \"p1 = q1 & q0 < p0 | q0 = p0 & p0 > 0 & q1 < p1\"\n",
    ];
    type Moves = fn(&[u32]) -> Vec<Vec<u32>>;
    let moves: [Moves; 3] = [
        |p| (1..=p[0].min(p[1])).map(|k| vec![p[0] - k, k]).collect(),
        |p| (1..=p[0].min(3)).filter(|k| *k != p[1]).map(|k| vec![p[0] - k, k]).collect(),
        |p| {
            let passes = (p[0] > 0 && p[1] > 0).then(|| vec![p[0], p[1] - 1]);
            (0..p[0]).map(|left| vec![left, p[1]]).chain(passes).collect()
        },
    ];
    fn is_p(moves: &[Moves], p: &[Vec<u32>], known: &mut HashMap<Vec<Vec<u32>>, bool>) -> bool {
        if let Some(known) = known.get(p) {
            return *known;
        }
        let lost = (0..p.len()).all(|part| {
            moves[part](&p[part]).into_iter().all(|to| {
                let mut q = p.to_vec();
                q[part] = to;
                !is_p(moves, &q, known)
            })
        });
        known.insert(p.to_vec(), lost);
        lost
    }
    let nim: Moves = |p| (0..p[0]).map(|left| vec![left]).collect();
    // Where each number of the parts, one after the other, stands in the sum.
    for (parts, own, order) in [
        (vec![games[0], ""], vec![moves[0], nim], vec![0, 2, 1]),
        (vec![games[1], ""], vec![moves[1], nim], vec![0, 2, 1]),
        (vec![games[2], ""], vec![moves[2], nim], vec![0, 1, 2]),
        (vec!["", games[1]], vec![nim, moves[1]], vec![0, 1, 2]),
        (vec![games[0], games[1]], vec![moves[0], moves[1]], vec![0, 2, 1, 3]),
        (vec![games[2], games[1]], vec![moves[2], moves[1]], vec![0, 1, 2, 3]),
    ] {
        let named = |text: &&str| match text.is_empty() {
            true => parse("nim(1)").unwrap().game,
            false => game(text),
        };
        let made: Vec<_> = parts.iter().map(named).collect();
        let one = heap_sum(&made.iter().map(|game| &**game).collect::<Vec<_>>()).unwrap();
        let mut session = one.session(Settings::default());
        let counts: Vec<usize> = made.iter().map(|game| game.heap_game().unwrap().heaps).collect();
        let (numbers, mut known) = (order.len() as u32, HashMap::new());
        for code in 0..6u32.pow(numbers) {
            let all: Vec<u32> = (0..numbers).map(|i| code / 6u32.pow(i) % 6).collect();
            let mut rest = all.iter().copied();
            let split: Vec<Vec<u32>> =
                counts.iter().map(|count| rest.by_ref().take(*count).collect()).collect();
            if parts.iter().zip(&split).any(|(text, p)| *text == games[2] && p[1] > 1) {
                continue;
            }
            let mut whole = vec![0; all.len()];
            all.iter().zip(&order).for_each(|(number, place)| whole[*place] = *number);
            let text = whole.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let found = session.evaluate(&text).unwrap().unwrap().outcome;
            assert_eq!(
                found.map(|outcome| outcome.is_p()),
                Some(is_p(&own, &split, &mut known)),
                "{parts:?} {text}"
            );
        }
    }
}

#[test]
fn what_has_no_such_sum_says_so() {
    for (games, why) in [
        (["kayles", "nim(1)"], "fixed number of heaps"),
        (["SCN(4,2)", "nim(1)"], "closes up"),
        (["NIM(1,3;n;d,e)", "nim(1)"], "purses"),
    ] {
        let parts: Vec<_> = games.iter().map(|name| parse(name).unwrap().game).collect();
        let error = heap_sum(&parts.iter().map(|game| &**game).collect::<Vec<_>>()).err().unwrap();
        assert!(error.to_string().contains(why), "{error}");
    }
}

/// Values that come from sequences are those that a search of the sum's own options finds.
#[test]
fn values_of_summands_are_those_of_a_search() {
    for (name, positions) in [
        ("kayles + grundy", &["9 + 8", "5,4 + 7", "0 + 3", "7 + 0"][..]),
        ("kayles + nim", &["6 + 4", "3 + 1,2", "4 + 4"]),
        ("S(2,5) + 0.137 + nim(2)", &["9 + 5 + 1,2", "4,3 + 6 + 0,1", "0 + 0 + 2,2"]),
        ("4.[3] + S(1,3,4)", &["6 + 7", "5 + 0"]),
        ("CN(3,2) + kayles", &["1,2,2 + 6", "2,2,2 + 0", "1,1,0 + 5"]),
    ] {
        let game = parse(name).unwrap().game;
        let rules = game.ruleset().downcast_ref::<Sum>().unwrap();
        let mut session = game.session(Settings::default());
        for position in positions {
            let analysis = session.analyse(position).unwrap();
            let value = |text: &str| {
                let mut meter = Meter::new(&Budget::default());
                NimValues::default()
                    .nim_value(rules, &rules.read(text).unwrap(), &mut meter)
                    .unwrap()
            };
            assert_eq!(analysis.evaluation.nim_value, Some(value(position)), "{name} {position}");
            for option in &analysis.moves {
                assert_eq!(
                    option.evaluation.nim_value,
                    Some(value(&option.to)),
                    "{name} {}",
                    option.to
                );
            }
        }
    }
    // Heaps far beyond what a search of the sum reaches.
    let game = parse("kayles + grundy + nim").unwrap().game;
    let mut session = game.session(Settings::default());
    let mut found = |text: &str| session.evaluate(text).unwrap().unwrap().nim_value.unwrap();
    let whole = found("70000 + 4000 + 65000");
    let parts = ["70000 + 0 + 0", "0 + 4000 + 0", "0 + 0 + 65000"].map(&mut found);
    assert_eq!(whole, parts[0] ^ parts[1] ^ parts[2]);
    assert_eq!(parts[2], Nimber(65000));
}

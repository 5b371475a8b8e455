//! Sums as one game, compared with the sums of positions that the solver knows.

#![allow(clippy::unwrap_used)]

use bouton_core::{Budget, Meter, Nimber, Notation, Play};
use bouton_engine::Settings;
use bouton_engine::nim_values::NimValues;
use bouton_engine::sum::Sum;
use bouton_games::{heap_sum, parse};

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

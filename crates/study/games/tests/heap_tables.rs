//! The tables of the facade, by whatever engine, against a memo search of the rules.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Outcome, Play, heaps_text};
use bouton_engine::game::Settings;
use std::ops::ControlFlow::Continue;

/// Games and the greatest heap looked at.
const GAMES: &[(&str, u32)] = &[
    ("nim(1)", 9),
    ("nim(2)", 12),
    ("nim(4)", 5),
    ("moore(3;4)", 5),
    ("moore(4;5)", 3),
    ("CN(1,1)", 6),
    ("CN(2,1)", 9),
    ("CN(3,2)", 8),
    ("CN(5,3)", 4),
    ("CN(6,4)", 3),
    ("SCN(1,1)", 5),
    ("SCN(2,1)", 8),
    ("SCN(3,2)", 7),
    ("SCN(4,1)", 4),
    ("SCN(4,2)", 5),
    ("SCN(5,3)", 4),
    ("wythoff", 20),
    ("NIM(1,3,4;n;d,e)", 7),
    ("CN(4,2;any=1)", 4),
    ("CN(4,2;each=2)", 5),
    ("CN(4,2;each>=1)", 4),
    ("CN(3,2;each>=2)", 6),
    ("CN(4,3;total>=2)", 4),
    ("CN(4,2;total=2)", 4),
    ("S(1,4;3)", 6),
    ("simplicial(1,2;2,3;3,4)", 5),
    ("simplicial(1,2,3;1,4;2,4;3,4)", 4),
    ("simplicial(1,2;2,3;3,4;4,5;5,1)", 3),
    ("simplicial(1;2;3)", 8),
];

#[test]
fn tables_are_those_of_the_rules() {
    for (name, max) in GAMES {
        let game = bouton_games::parse(name).unwrap().game;
        for play in [Play::Normal, Play::Misere] {
            let mut session = game.session(Settings { play, ..Settings::default() });
            let (mut all, mut p) = (Vec::new(), Vec::new());
            let done = session.table(*max, &mut |sizes, outcome| {
                all.push((sizes.to_vec(), outcome));
                Continue(())
            });
            assert_eq!(done, Some(Ok(())), "{name}");
            assert!(all.is_sorted() && all.len() > 3, "{name}");
            let mut judge =
                game.session(Settings { play, nim_value_nodes: 0, ..Settings::default() });
            for (sizes, outcome) in &all {
                let text = heaps_text(sizes);
                let found = judge.evaluate(&text).unwrap().unwrap().outcome;
                assert_eq!(found, Some(*outcome), "{name}, {play}: {text}");
                p.extend((*outcome == Outcome::P).then(|| game.normal_form(&text).unwrap()));
            }
            let mut texts = Vec::new();
            assert_eq!(session.p_positions(*max, &mut |p| texts.push(p.to_owned())), Some(Ok(())));
            assert_eq!(texts, p, "{name}, {play}");
            let mut sizes = Vec::new();
            let done = session.p_sizes(*max, &mut |p| {
                sizes.push(p.to_vec());
                Continue(())
            });
            assert_eq!(done, Some(Ok(())));
            let expected: Vec<_> =
                all.iter().filter(|(_, o)| o.is_p()).map(|(p, _)| p.clone()).collect();
            assert_eq!(sizes, expected, "{name}, {play}");
        }
    }
}

#[test]
fn values_are_those_of_the_rules() {
    for (name, max) in GAMES {
        let game = bouton_games::parse(name).unwrap().game;
        let mut all = Vec::new();
        let done = game.session(Settings::default()).nim_value_table(*max, &mut |sizes, value| {
            all.push((sizes.to_vec(), value));
            Continue(())
        });
        let mut judge = game.session(Settings { nim_value_nodes: u64::MAX, ..Settings::default() });
        if name.starts_with("NIM") {
            assert_eq!(done, None);
            continue;
        }
        assert_eq!(done, Some(Ok(())), "{name}");
        for (sizes, value) in all {
            let text = heaps_text(&sizes);
            assert_eq!(
                judge.evaluate(&text).unwrap().unwrap().nim_value,
                Some(value),
                "{name}: {text}"
            );
        }
    }
}

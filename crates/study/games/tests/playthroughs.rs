//! A golden game of every example: both sides play the first winning or best move, else the first
//! move.
//!
//! The goldens lie in tests/playthroughs; a change in one is a change in rules, notation or
//! verdicts.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Outcome, Play};
use bouton_engine::game::{Game, Settings};
use bouton_games::FAMILIES;
use std::fmt::Write;

fn playthrough(game: &dyn Game, start: &str, play: Play) -> String {
    let mut session = game.session(Settings { play, ..Settings::default() });
    let mut text = format!("{} ({play} play)\n{}\n\n", game.name(), game.describe());
    let mut position = start.to_owned();
    loop {
        let found = session.analyse(&position).unwrap();
        let judged = found.evaluation;
        let outcome = judged.outcome.map_or(String::new(), |o| format!("  {o}"));
        let value = judged.nim_value.map_or(String::new(), |v| format!("  {v}"));
        let margin = judged.margin.map_or(String::new(), |m| format!("  margin {m:+}"));
        writeln!(text, "{position}{outcome}{value}{margin}  {} options", found.moves.len())
            .unwrap();
        let good = found.moves.iter().find(|m| match m.evaluation.margin {
            Some(margin) => Some(margin) == judged.margin,
            None => m.evaluation.outcome == Some(Outcome::P),
        });
        let Some(chosen) = good.or(found.moves.first()) else { return text };
        writeln!(text, "    {}", chosen.text).unwrap();
        position.clone_from(&chosen.to);
    }
}

#[test]
fn every_example_plays_as_before() {
    for family in FAMILIES {
        for (i, example) in family.examples.iter().enumerate() {
            let game = bouton_games::parse(example.game).unwrap().game;
            let start = if example.position.is_empty() {
                game.start().unwrap()
            } else {
                example.position.into()
            };
            let mut text = playthrough(&*game, &start, Play::Normal);
            if game.kind() != bouton_engine::Kind::Scored {
                text += "\n";
                text += &playthrough(&*game, &start, Play::Misere);
            }
            insta::with_settings!({snapshot_path => "../../../../tests/playthroughs",
                prepend_module_to_snapshot => false, omit_expression => true}, {
                insta::assert_snapshot!(format!("{}-{}", family.name, i + 1), text);
            });
        }
    }
}

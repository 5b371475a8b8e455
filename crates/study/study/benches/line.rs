//! From rules to theorems: the whole line of `bouton study`, its verdict asserted, then its times
//! told.
//!
//! `cargo bench -p bouton-study`, or with words behind `--`: only games whose names hold one of
//! them. Tables and searches are those of all boards and rounds; the proof's time has the
//! independent checker's in it.
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use bouton_core::{Budget, Play};
use bouton_study::{PipelineOutcome, Round, Tables, follow};
use std::time::Instant;

/// Games with a published theorem, the id of the claim, and games without.
const GAMES: &[(&str, &str)] = &[
    ("C4", "CN(4,2)"),
    ("C5", "CN(5,2)"),
    ("C6", "CN(5,3)"),
    ("C7", "CN(6,3)"),
    ("C8", "CN(6,4)"),
    ("C9", "CN(8,6)"),
    ("S1", "SCN(4,2)"),
    ("S2", "SCN(5,2)"),
    ("S3", "SCN(5,3)"),
    ("M7", "moore(3;5)"),
    ("M7", "moore(4;5)"),
    ("M14", "wythoff"),
    ("", "moore(5;6)"),
    ("", "CN(7,4)"),
    ("", "CN(7,3)"),
    ("", "CN(3,2;each=1)"),
    ("", "CN(5,3;total>=2)"),
    ("", "S(1,2,3;4)"),
];

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("row  game               classes  tables   search   proof    all");
    for (row, name) in GAMES {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let started = Instant::now();
        let game = bouton_games::parse(name).unwrap().game;
        let stated = game.heap_game().unwrap();
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}));
        let all = started.elapsed().as_secs_f64();
        assert!(matches!(line.ending, PipelineOutcome::Proved(_)), "{name} is not proved");
        let rounds = || line.boards.iter().flat_map(|board| &board.rounds);
        let sum = |time: fn(&Round) -> f64| rounds().map(time).sum::<f64>();
        println!(
            "{row:<4} {name:<18} {:>7} {:>7.2} {:>8.2} {:>8.2} {all:>8.2}",
            rounds().last().map_or(0, |round| round.classes),
            sum(|round| round.table_seconds),
            sum(|round| round.search_seconds),
            line.proof_seconds,
        );
    }
}

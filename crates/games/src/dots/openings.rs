//! Replies in the opening of 4 × 4, where no search ends in a second: positions in which the player to move wins nothing.
//!
//! Found by the engine from the whole search of the board (one line a position, lines drawn in hexadecimal, the least of its eight
//! images): whoever moves to one of these has at least a draw, and from each of them every answer that closes no box and offers none leads to a position from which
//! another of them can be reached. Tests hold the second against the rules and some of the first against the engine.

use super::{Dots, Lines};
use bouton_rules::{Notation, Ruleset, Scored};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::LazyLock;

/// The positions, ascending.
static KEPT: LazyLock<Vec<u128>> = LazyLock::new(|| {
    let lines = include_str!("../../data/dots-4x4.txt").lines();
    let mut all: Vec<u128> = lines.filter_map(|line| u128::from_str_radix(line, 16).ok()).collect();
    all.sort_unstable();
    all
});

/// A move of `dots(4x4)` after which the other wins nothing, by the table of openings: the position it leads to. `None` where the table
/// has none, and for other games.
pub fn opening_reply(game: &str, position: &str) -> Option<String> {
    if game != "dots(4x4)" {
        return None;
    }
    let rules = Dots::new(4, 4);
    let p = rules.read(position).ok()?;
    let found = rules.scored_options(&p, |option, brings| match rules.canonical(option) {
        Lines(least) if brings.gain == 0 && KEPT.binary_search(&least).is_ok() => Break(option),
        _ => Continue(()),
    });
    found.break_value().map(|option| rules.print(&option))
}

/// The positions of the table, each the least of its images.
pub fn kept_openings() -> Vec<String> {
    let rules = Dots::new(4, 4);
    KEPT.iter().map(|lines| rules.print(&Lines(*lines))).collect()
}

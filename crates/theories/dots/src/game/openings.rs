//! Replies in the opening of 4 × 4, where no search ends in a second: positions in which the player to move wins no more boxes
//! than are closed.
//!
//! Found by the engine after the whole search of the board (`examples/dots_openings.rs`; one line a position, lines drawn in hexadecimal, the least
//! of its eight images): whoever closed those boxes and moves to one of these has at least a draw, and from each of them every answer,
//! that offers no more than a box, leads to a position from which another of them can be reached, but for ten of which all replies that keep the
//! draw offer a box. Tests hold that against the rules, and some of the positions against the engine.

use super::{Dots, Lines};
use bouton_core::{Notation, Ruleset, Scored};
use std::ops::ControlFlow::{self, Continue};
use std::sync::LazyLock;

/// What each position is more than the one before, as `build.rs` packs them.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/dots-4x4.bin"));

/// The positions, ascending.
static KEPT: LazyLock<Vec<u128>> = LazyLock::new(|| {
    let (mut all, mut last, mut more, mut shift) = (Vec::new(), 0, 0, 0);
    for byte in PACKED {
        more |= u128::from(byte & 127) << shift;
        shift += 7;
        if *byte < 128 {
            last += more;
            all.push(last);
            (more, shift) = (0, 0);
        }
    }
    all
});

/// A move of `dots(4x4)` that keeps a draw at least, by the table of openings, for a player who has `ahead` boxes more than the other: the
/// position it leads to. `None` where the table has none, where the other has closed a box, and for other games.
pub fn opening_reply(game: &str, position: &str, ahead: i64) -> Option<String> {
    if game != "dots(4x4)" {
        return None;
    }
    let rules = Dots::new(4, 4);
    let p = rules.read(position).ok()?;
    let closed = rules.boxes.len() as i64 - i64::from(rules.points_left(&p));
    if closed != ahead {
        return None;
    }
    reply(&rules, &p).map(|option| rules.print(&option))
}

/// A box that can be closed is closed, if the table leads on from there.
fn reply(rules: &Dots, p: &Lines) -> Option<Lines> {
    let (mut capture, mut quiet) = (None, None);
    let _ = rules.scored_options(p, |option, brings| -> ControlFlow<()> {
        if brings.gain > 0 {
            capture = Some(option);
        } else if KEPT.binary_search(&rules.canonical(option).0).is_ok() {
            quiet = quiet.or(Some(option));
        }
        Continue(())
    });
    match capture {
        Some(option) => reply(rules, &option).map(|_| option),
        None => quiet,
    }
}

/// The positions of the table, each the least of its images.
pub fn kept_openings() -> Vec<String> {
    let rules = Dots::new(4, 4);
    KEPT.iter().map(|lines| rules.print(&Lines(*lines))).collect()
}

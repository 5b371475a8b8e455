//! Replies in the opening of 4 × 4, which no search decides within a second.
//!
//! The table consists of positions in which the player to move wins at most the boxes closed so
//! far. A player who closed those boxes and moves to such a position has at least a draw. From each
//! position, every answer that offers at most one box leads to a position from which another
//! position of the table can be reached. Ten positions are exceptions: there, all replies that keep
//! the draw offer a box. Tests verify this from the rules, and some of the positions by the engine.
//!
//! The engine found the table after the whole search of the board (`examples/dots_openings.rs`). It
//! has one line per position: the drawn lines in hexadecimal, the least of the eight images.

use super::{Dots, Lines};
use bouton_core::{Notation, Ruleset, Scored};
use std::ops::ControlFlow::{self, Continue};
use std::sync::LazyLock;

/// The differences of consecutive positions, as `build.rs` packs them.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/dots-4x4.bin"));

/// The positions in ascending order.
static TABLE: LazyLock<Vec<u128>> = LazyLock::new(|| {
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

/// Returns the position after a move of `dots(4x4)` that keeps at least a draw, by the table of
/// openings, for a player who is `ahead` boxes ahead. Returns `None` if the table has no reply, if
/// the opponent has closed a box, and for other games.
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

/// Closes a box if possible and if the table leads on from there.
fn reply(rules: &Dots, p: &Lines) -> Option<Lines> {
    let (mut capture, mut quiet) = (None, None);
    let _ = rules.scored_options(p, |option, brings| -> ControlFlow<()> {
        if brings.gain > 0 {
            capture = Some(option);
        } else if TABLE.binary_search(&rules.canonical(option).0).is_ok() {
            quiet = quiet.or(Some(option));
        }
        Continue(())
    });
    match capture {
        Some(option) => reply(rules, &option).map(|_| option),
        None => quiet,
    }
}

/// Returns the positions of the table, each the least of its images.
pub fn table_openings() -> Vec<String> {
    let rules = Dots::new(4, 4);
    TABLE.iter().map(|lines| rules.print(&Lines(*lines))).collect()
}

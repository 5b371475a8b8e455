//! An automaton learned from whole boxes, where forms fail.
//!
//! Where what may be taken does not depend on the heaps, boxes of 2^30 positions take seconds ([`Takings`]). A box that is all positions with so many digits has all that automata
//! ([`bouton_conjecture::learned`]) need to know: endings that tell their states apart, and beginnings enough to come to every state. Boxes grow by a digit until one
//! closes; whether it is right is the prover's business.

use crate::line::Round;
use crate::tables::Tables;
use bouton_conjecture::{Whole, learned};
use bouton_rules::clock::Instant;
use bouton_rules::{Deadline, Meter, Play};
use std::time::Duration;

/// Digits of heaps in the least box, and in the greatest of all.
const DIGITS: std::ops::RangeInclusive<u32> = 4..=12;
/// Positions of a box at most, as a power of two.
const POSITIONS: u32 = 30;
/// Images of one position under the game's symmetry, at most.
const MOST_IMAGES: usize = 720;
/// Time for all boxes, where no end is set.
const PATIENCE: Duration = Duration::from_secs(30);

/// Visits the automata of ever larger boxes until `settle` has settled one.
pub(crate) fn automata<T>(tables: &Tables<'_>, mut settle: impl FnMut(Round) -> Option<T>) -> Option<T> {
    let heaps = tables.stated.heaps;
    // Misère play is not proved of automata.
    if tables.play == Play::Misere {
        return None;
    }
    tables.takings(heaps, 1)?;
    let images = tables.stated.symmetry.permutations(heaps, MOST_IMAGES).map_or(MOST_IMAGES, |all| all.len());
    let time = tables.budget.deadline.map_or(PATIENCE, |deadline| deadline.left() / 4 * 3);
    let end = Deadline::after(time);
    for digits in DIGITS.filter(|digits| digits * heaps as u32 <= POSITIONS) {
        let within = tables.budget.within(end.left());
        if end.is_past() || within.interrupted().is_some() {
            return None;
        }
        let max = (1 << digits) - 1;
        (tables.tell)(&format!("{}, an automaton, heaps up to {max}", tables.game.name()));
        let begun = Instant::now();
        let takings = tables.takings(heaps, max)?;
        let box_of = tables.swept(&takings, &within).ok()?;
        let made = Instant::now();
        let is_p = |p: &[i64]| box_of.is_p(p);
        let whole = Whole { base: 2, heaps, digits, is_p: &is_p };
        let found = learned(&whole, box_of.count(), images, &mut Meter::new(&within)).ok()?;
        let seconds = [(made - begun).as_secs_f64(), made.elapsed().as_secs_f64()];
        if let Some(found) = found
            && let Some(settled) = settle(Round::new(heaps, &found, seconds))
        {
            return Some(settled);
        }
    }
    None
}

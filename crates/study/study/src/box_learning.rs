//! An automaton learned from whole boxes, where forms fail.
//!
//! If the takings do not depend on the heaps, a box of 2^35 positions takes half a minute and
//! little memory ([`Residuals`]). The box of all positions with a given number of digits determines
//! an automaton ([`bouton_conjecture::learn_box`]): the residual of each word of leading digits
//! distinguishes states, and there are enough such words to reach every state. Boxes grow by one
//! digit until the automaton is complete; the prover then decides whether it is right.

use crate::board::Round;
use crate::tables::Tables;
use bouton_conjecture::{DigitBox, learn_box};
use bouton_core::clock::Instant;
use bouton_core::{Deadline, HeapGame, Meter, Play};
use bouton_heaps::heap_tables::SubtractionVectors;
use std::time::Duration;

/// Digits of heaps in the least box, and in the greatest of all.
const DIGITS: std::ops::RangeInclusive<u32> = 5..=12;
/// Positions of a box at most, as a power of two.
const POSITIONS: u32 = 35;
/// Images of one position under the game's symmetry, at most.
const MAX_IMAGES: usize = 720;
/// Time for all boxes, where no end is set.
const LEARNING_TIME: Duration = Duration::from_secs(90);

/// Returns whether there are boxes to learn from: few takings, the same of all positions, as far as
/// the least box shows it, in normal play.
pub(crate) fn applies(stated: &HeapGame, play: Play) -> bool {
    play == Play::Normal && SubtractionVectors::of(stated, (1 << DIGITS.start()) - 1).is_some()
}

/// Visits the automata of ever larger boxes until `settle` has settled one.
pub(crate) fn automata<T>(
    tables: &Tables<'_>,
    settle: &mut dyn FnMut(Round) -> Option<T>,
) -> Option<T> {
    if !applies(tables.stated, tables.play) {
        return None;
    }
    let heaps = tables.stated.heaps;
    let alone = || vec![(0..heaps).collect()];
    let images = tables.stated.symmetry.permutations(heaps, MAX_IMAGES).unwrap_or_else(alone);
    // Where every heap has an image in the first place, that one may be greater.
    let tall = (0..heaps).all(|heap| images.iter().any(|image| image[0] == heap));
    let end = Deadline::after(tables.time_or(LEARNING_TIME));
    for digits in DIGITS.filter(|digits| digits * heaps as u32 <= POSITIONS) {
        let within = tables.budget.within(end.left());
        if end.is_past() || within.interrupted().is_some() {
            return None;
        }
        let max = (1u64 << digits) - 1;
        if tables.max.is_some_and(|most| max > most.into()) {
            return None;
        }
        (tables.tell)(&format!("{}, an automaton, heaps up to {max}", tables.game.name()));
        let begun = Instant::now();
        // Beginnings are a digit longer than endings, or two.
        let box_of = tables.residuals(digits, (digits - 1) / 2, tall, &within)?;
        let made = Instant::now();
        let whole = DigitBox {
            heaps,
            digits,
            count: box_of.count(),
            images: &images,
            after: &|beginning| box_of.after(beginning),
            is_p: &|beginning| box_of.is_p(beginning),
        };
        let found = learn_box(&whole, &mut Meter::new(&within)).ok()?;
        let seconds = [(made - begun).as_secs_f64(), made.elapsed().as_secs_f64()];
        if let Some(found) = found
            && let Some(settled) = settle(Round::new(heaps, &found, seconds))
        {
            return Some(settled);
        }
    }
    None
}

//! Nim-values of small circles, by memo over all positions that can be reached.
//!
//! Two positions with the same free cells within reach, seen from the token, have the same game
//! tree and one entry.

use super::position::reach;
use super::{Circulant, MAX_CELLS, Position};
use bouton_core::{LimitReached, Meter, Nimber};
use rustc_hash::FxHashMap;

type Key = [u64; MAX_CELLS / 64];

/// Returns the nim-value of a position in normal play. Exponential in the free cells: 40 bytes a
/// position, a million positions near 36 cells.
///
/// # Errors
/// The budget is exhausted.
///
/// # Panics
/// If the position has marks past the end of the circle.
pub fn nim_value(
    game: &Circulant,
    at: &Position,
    meter: &mut Meter,
) -> Result<Nimber, LimitReached> {
    assert!(at.cells().all(|cell| cell < game.n()), "marks past the end of the circle");
    let mut values = Values {
        steps: game.steps(),
        n: game.n(),
        free: [false; MAX_CELLS],
        known: FxHashMap::default(),
        meter,
    };
    (0..values.n).for_each(|cell| values.free[cell] = !at.has(cell));
    values.of(at.token())
}

struct Values<'m> {
    steps: Vec<usize>,
    n: usize,
    free: [bool; MAX_CELLS],
    known: FxHashMap<Key, Nimber>,
    meter: &'m mut Meter,
}

impl Values<'_> {
    fn of(&mut self, token: usize) -> Result<Nimber, LimitReached> {
        let key = reach(&self.steps, self.n, token, |cell| self.free[cell]);
        if let Some(value) = self.known.get(&key) {
            return Ok(*value);
        }
        self.meter.spend_one()?;
        let mut options = Vec::with_capacity(self.steps.len());
        for i in 0..self.steps.len() {
            let cell = (token + self.steps[i]) % self.n;
            if self.free[cell] {
                self.free[cell] = false;
                let value = self.of(cell);
                self.free[cell] = true;
                options.push(value?);
            }
        }
        let value = bouton_core::mex(options);
        self.meter
            .check_bytes(2 * (self.known.len() as u64 + 1) * size_of::<(Key, Nimber)>() as u64)?;
        self.known.insert(key, value);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::Budget;

    /// Returns the value from the rules alone, without a memo.
    fn by_hand(game: &Circulant, position: Position) -> Nimber {
        let options = game.steps().into_iter().filter_map(|s| position.after(game, s as u64));
        bouton_core::mex(options.map(|option| by_hand(game, option)).collect::<Vec<_>>())
    }

    #[test]
    fn agrees_with_the_rules() {
        for set in [vec![1, 2], vec![1, 4], vec![2, 5], vec![1, 2, 3], vec![1, 3, 4, 7]] {
            for n in 1..=if set.len() == 2 { 18 } else { 11 } {
                let game = Circulant::new(&set, n).unwrap();
                let value =
                    nim_value(&game, &Position::start(), &mut Meter::new(&Budget::default()));
                assert_eq!(value, Ok(by_hand(&game, Position::start())), "{game}");
            }
        }
    }
}

//! The rules, and nothing but the rules: the independent search.
//!
//! It shares no reduction, no label and no table with [`search`](super::search), and re-checks the
//! refutations that are found there. In normal play it tries a move that ends the game before all
//! others; that is all that it does for speed.

use super::{Circulant, MAX_CELLS, Position};
use bouton_core::{LimitReached, Meter, Outcome, Play};

/// Returns the outcome of a position by trying all moves. Exponential in the free cells: within
/// seconds up to 60 to 90 cells.
///
/// # Errors
/// The budget is exhausted.
///
/// # Panics
/// If the position has marks past the end of the circle.
pub fn outcome(
    game: &Circulant,
    from: &Position,
    play: Play,
    meter: &mut Meter,
) -> Result<Outcome, LimitReached> {
    let mut plain =
        Plain { moves: game.steps(), n: game.n(), free: [false; MAX_CELLS], play, meter };
    assert!(from.cells().all(|cell| cell < plain.n), "marks past the end of the circle");
    (0..plain.n).for_each(|cell| plain.free[cell] = !from.has(cell));
    Ok(if plain.mover_wins(from.token())? { Outcome::N } else { Outcome::P })
}

struct Plain<'m> {
    moves: Vec<usize>,
    n: usize,
    free: [bool; MAX_CELLS],
    play: Play,
    meter: &'m mut Meter,
}

impl Plain<'_> {
    /// Returns the cell to which a step leads.
    fn to(&self, cell: usize, step: usize) -> usize {
        if cell + step < self.n { cell + step } else { cell + step - self.n }
    }

    /// Returns whether no move is left from a cell.
    fn stuck(&self, cell: usize) -> bool {
        self.moves.iter().all(|step| !self.free[self.to(cell, *step)])
    }

    fn mover_wins(&mut self, token: usize) -> Result<bool, LimitReached> {
        self.meter.spend_one()?;
        if self.stuck(token) {
            return Ok(self.play == Play::Misere);
        }
        let ends = |option: usize| self.free[option] && self.stuck(option);
        if self.play == Play::Normal && self.moves.iter().any(|step| ends(self.to(token, *step))) {
            return Ok(true);
        }
        for i in 0..self.moves.len() {
            let option = self.to(token, self.moves[i]);
            if self.free[option] {
                self.free[option] = false;
                let other_wins = self.mover_wins(option);
                self.free[option] = true;
                if !other_wins? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

//! One game on a circle, in which the winner moves as a theorem's automata say: an invariant as a
//! walk.

use crate::circle_theorem::{CircleTheorem, name};
use crate::ring::Ring;
use bouton_core::{Outcome, Play};
use bouton_theory::block::Route;
use serde::Serialize;

/// A game on one circle, from its start to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "walk")]
pub struct Playout {
    /// The game, as `Gamma(1,4;23)`.
    pub game: String,
    /// Cells on the circle.
    pub cells: usize,
    /// Whether the player to move first wins.
    pub first_wins: bool,
    /// The moves, in order.
    #[serde(rename = "route")]
    pub moves: Vec<Step>,
}

/// A move of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "step")]
pub struct Step {
    /// The step; back if it is negative.
    pub step: i64,
    /// The cell that the token came to.
    pub to: usize,
    /// Whether the winner made it; then the automaton labels the position after it as lost for the
    /// other.
    pub by_winner: bool,
}

/// Cells of the circle that is shown, at least, if the theorem has one so small.
const SHOWN: usize = 20;
/// Cells of a walk at most.
const MAX_CELLS_OF_WALK: usize = 2000;

impl Playout {
    /// Returns a walk on a circle that shows the theorem well: one that the second player wins, if
    /// there is one, of some twenty cells.
    pub(crate) fn shown(theorem: &CircleTheorem) -> Option<Playout> {
        if !theorem.laps.is_empty() {
            let lost = |n: &usize| theorem.outcome(*n as u64) == Some(Outcome::P);
            return Playout::on(theorem, (SHOWN..3 * SHOWN).find(lost).unwrap_or(SHOWN));
        }
        let least = theorem.classes.iter().map(|class| class.from).min()?.max(SHOWN);
        let covered = |n: &usize| theorem.classes[n % theorem.classes.len()].from <= *n;
        let most = least + 4 * theorem.classes.len() + 2 * SHOWN;
        let lost = |n: &usize| theorem.classes[n % theorem.classes.len()].in_p;
        let all = || (least..=most).filter(covered);
        let n = all().find(lost).or_else(|| all().next())?;
        Playout::on(theorem, n)
    }

    /// Returns the walk on the circle of n cells; `None` if the automata do not say how to win
    /// it, or n is too large. The loser takes his steps by turns.
    pub fn on(theorem: &CircleTheorem, n: usize) -> Option<Playout> {
        let steps = &theorem.steps;
        if !(2..=MAX_CELLS_OF_WALK).contains(&n) {
            return None;
        }
        let mut ring = Ring::start(n);
        let first_wins = theorem.label(&ring)? == Outcome::N;
        let (mut winner_moves, mut turn) = (first_wins, 0);
        let mut moves = Vec::new();
        loop {
            let open: Vec<i64> =
                steps.iter().copied().filter(|step| ring.to(*step).is_some()).collect();
            let step = match (open.is_empty(), winner_moves) {
                (true, _) => break,
                (false, true) => open
                    .into_iter()
                    .find(|step| theorem.label(&ring.after(*step, steps)) == Some(Outcome::P))?,
                (false, false) => {
                    turn += 1;
                    open[turn % open.len()]
                }
            };
            ring = ring.after(step, steps);
            moves.push(Step { step, to: ring.token, by_winner: winner_moves });
            winner_moves = !winner_moves;
        }
        // Whoever cannot move loses, in misère play wins: as was said.
        let mover_wins = theorem.play == Play::Misere;
        if mover_wins != winner_moves {
            return None;
        }
        let game = name(steps, n);
        Some(Playout { game, cells: n, first_wins, moves })
    }

    /// Returns the walk as a picture.
    pub fn route(&self) -> Route {
        let (winner, loser) =
            if self.first_wins { ("first", "second") } else { ("second", "first") };
        let caption = format!(
            "A game of {}, won by the {winner} player. The token runs clockwise from the cell on \
             top, outwards from lap to lap; the numbers on its way count the moves, and the grey \
             cells were visited. Filled: a move of the {winner} player, after which the automaton \
             labels the position as lost for the {loser}. Open: a move of the {loser} player, who \
             takes his steps by turns.",
            self.game
        );
        Route {
            title: format!("A walk on {}", self.game),
            cells: self.cells,
            steps: self.moves.iter().map(|made| (made.step as usize, made.by_winner)).collect(),
            caption,
        }
    }
}

//! Kotzig's Nim on a circle of n cells: the game as plain data, its engines, its theorems, its
//! study.
//!
//! A token stands on cell 0, which is marked. A move takes it clockwise by a step of the move set
//! to a cell not yet marked, and marks that cell. The graph is a *circulant*, and everything here
//! follows from that:
//!
//! - [`canonical`](Circulant::canonical): the 184,032 games Γ(m1,m2;n) with m1 < m2 ≤ 72 and n ≤ 72
//!   are only some two thousand different ones.
//! - [`search`]: who wins from any position in play; retrograde labels, forced chains, learned move
//!   ordering, and a transposition table for what is dear.
//! - [`plain`]: who wins by the rules alone. It shares nothing with `search` but the data types,
//!   and re-checks it.
//! - `work_sharing`, `threads`: one game on several threads.
//! - [`shard`]: many games with one solver that learns, as a pure function.
//! - [`nim_values`]: nim-values of small circles.
//! - [`strategy`]: a winning strategy as a certificate.
//! - [`invariant`], [`revolutions`]: theorems on circles of every size, each with its certificate;
//!   [`CircleTheorem`], what an accepted one says.
//! - `study`, `claims`, `answers`, `findings`: what [`KotzigsNim`] brings as a theory.
//!
//! Source: A. S. Fraenkel, A. Jaffray, A. Kotzig, G. Sabidussi, *Modular Nim*, Theoret. Comput.
//! Sci. 143 (1995) 319–333; X. L. Tan, M. D. Ward, *On Kotzig's Nim*, Integers 14 (2014) #G6.

mod answers;
mod cells;
mod circle_outcome;
mod circle_theorem;
mod claims;
mod classification;
mod family;
mod findings;
mod game;
pub mod invariant;
mod labels;
mod large_circle;
mod move_ordering;
pub mod nim_values;
pub mod plain;
mod playout;
mod position;
mod recheck;
pub mod revolutions;
mod ring;
pub mod search;
pub mod shard;
mod shared_table;
pub mod strategy;
mod study;
mod theory;
mod threads;
mod work_sharing;

pub use circle_outcome::CircleOutcome;
pub use circle_theorem::{
    CircleClass, CircleTheorem, NoCircles, TheoremDetails, circles, settle_circles,
};
pub use claims::{FamilyClaim, FamilyStatement};
pub use classification::Classification;
pub use family::{Instance, KotzigFamily, Range};
pub use game::{FAMILY, Kotzig, kotzig_circle};
pub use large_circle::is_large_circle;
pub use playout::{Playout, Step};
pub use position::Position;
pub use revolutions::automata::RevolutionLayer;
pub use search::{Solver, Techniques};
pub use study::{FamilyStudy, FamilyTheorem, Outcomes, SettledClaim};
pub use theory::KotzigsNim;

use bouton_core::Arrange;
use std::fmt;

/// The largest circle, in cells.
pub const MAX_CELLS: usize = 256;

/// The rules Γ(m1,…,mk;n).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Circulant {
    moves: Vec<u64>,
    n: usize,
}

/// What is not a game of Kotzig's Nim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CirculantError {
    /// No move was given.
    #[error("the move set is empty: give at least one step")]
    NoMoves,
    /// A step of 0 goes nowhere.
    #[error("a step of 0 is not a move: steps are at least 1")]
    ZeroMove,
    /// No circle has this many cells.
    #[error("a circle of {0} cells: the number of cells is 1 to {MAX_CELLS}")]
    Cells(u64),
}

impl Circulant {
    /// Returns the game with these steps, each at least 1, on `n` cells, 1 to [`MAX_CELLS`]. A step
    /// divisible by n is accepted: it is never legal.
    pub fn new(moves: &[u64], n: u64) -> Result<Circulant, CirculantError> {
        if moves.is_empty() {
            return Err(CirculantError::NoMoves);
        }
        if moves.contains(&0) {
            return Err(CirculantError::ZeroMove);
        }
        let cells = usize::try_from(n).ok().filter(|cells| (1..=MAX_CELLS).contains(cells));
        let n = cells.ok_or(CirculantError::Cells(n))?;
        let mut moves = moves.to_vec();
        moves.arrange();
        moves.dedup();
        Ok(Circulant { moves, n })
    }

    /// Returns the game with steps that go forwards or, negative, backwards.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn from_signed(moves: &[i64], n: u64) -> Result<Circulant, CirculantError> {
        let cells = i64::try_from(n).ok().filter(|cells| (1..=MAX_CELLS as i64).contains(cells));
        let cells = cells.ok_or(CirculantError::Cells(n))?;
        let forwards = |step: &i64| match step {
            // To step by a multiple of n is no move.
            ..0 => (step.rem_euclid(cells) + cells * i64::from(step % cells == 0)) as u64,
            _ => *step as u64,
        };
        Circulant::new(&moves.iter().map(forwards).collect::<Vec<u64>>(), n)
    }

    /// Returns the steps as given, ascending.
    pub fn moves(&self) -> &[u64] {
        &self.moves
    }

    /// Returns the cells on the circle.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Returns the steps that can ever be legal, as residues mod n: 1..n, ascending, each once.
    pub fn steps(&self) -> Vec<usize> {
        let mut steps: Vec<usize> =
            self.moves.iter().map(|m| (m % self.n as u64) as usize).collect();
        steps.arrange();
        steps.dedup();
        steps.retain(|step| *step != 0);
        steps
    }

    /// Returns the one representative of all games that are this one under other numbers: the same
    /// outcome, in either play, and the same nim-value.
    ///
    /// - Steps count mod n, and a step divisible by n is no move.
    /// - If g divides n and all steps, the token never leaves the cells divisible by g, and
    ///   dividing by g gives the same game (Lemma 1 of Fraenkel et al. for two moves).
    /// - If u is prime to n, then x ↦ ux is a permutation of the cells that fixes 0 and takes steps
    ///   to steps (Lemma 2).
    ///
    /// Among the images under units, the one whose sorted steps come first. A game without any move
    /// becomes Γ(1;1). O(n·k log k).
    pub fn canonical(&self) -> Circulant {
        let (steps, n) = self.without_common_factor();
        let least = units(n).map(|u| image(&steps, u, n)).min().unwrap_or_default();
        Circulant::from_steps(&least, n)
    }

    /// Returns the image under a unit with the shortest steps, counted both ways around: what
    /// matters to a token then lies near it, and the search, whose move ordering looks at the cells
    /// around the token, is faster on it. All images of a game give the same. O(n·k log k).
    pub fn with_shortest_steps(&self) -> Circulant {
        let (steps, n) = self.without_common_factor();
        let width = |image: &Vec<usize>| {
            let around = image.iter().map(|s| *s.min(&(n - s)));
            (around.clone().max(), around.sum::<usize>(), image.clone())
        };
        let narrow = units(n).map(|u| image(&steps, u, n)).min_by_key(width);
        Circulant::from_steps(&narrow.unwrap_or_default(), n)
    }

    fn without_common_factor(&self) -> (Vec<usize>, usize) {
        let steps = self.steps();
        let g = steps.iter().fold(self.n, |g, s| num_integer::gcd(g, *s));
        (steps.iter().map(|s| s / g).collect(), self.n / g)
    }

    fn from_steps(steps: &[usize], n: usize) -> Circulant {
        if steps.is_empty() {
            return Circulant { moves: vec![1], n: 1 };
        }
        Circulant { moves: steps.iter().map(|s| *s as u64).collect(), n }
    }

    /// Returns whether all steps are odd and n is even: then the circle has two colours that every
    /// move changes.
    ///
    /// In normal play such a game is in N from its start (Theorem 3 of Fraenkel et al. for two
    /// moves): the first player always repeats one fixed step m. He moves from even cells only, and
    /// the cell e + m can only be entered from e by him, so it is free whenever he stands on e.
    pub fn is_two_coloured(&self) -> bool {
        let steps = self.steps();
        self.n.is_multiple_of(2) && !steps.is_empty() && steps.iter().all(|s| s % 2 == 1)
    }
}

/// Γ in letters: `Gamma(1,4;23)`.
impl fmt::Display for Circulant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gamma(")?;
        for (i, m) in self.moves.iter().enumerate() {
            write!(f, "{}{m}", if i == 0 { "" } else { "," })?;
        }
        write!(f, ";{})", self.n)
    }
}

/// Returns the units mod n, 1 first.
fn units(n: usize) -> impl Iterator<Item = usize> {
    (1..=n.max(2) - 1).filter(move |u| num_integer::gcd(*u, n) == 1)
}

fn image(steps: &[usize], unit: usize, n: usize) -> Vec<usize> {
    let mut image: Vec<usize> = steps.iter().map(|s| s * unit % n).collect();
    image.arrange();
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_game() {
        assert_eq!(Circulant::new(&[], 5), Err(CirculantError::NoMoves));
        assert_eq!(Circulant::new(&[0, 1], 5), Err(CirculantError::ZeroMove));
        assert_eq!(Circulant::new(&[1], 0), Err(CirculantError::Cells(0)));
        assert_eq!(Circulant::new(&[1], 257), Err(CirculantError::Cells(257)));
        assert_eq!(Circulant::new(&[1], u64::MAX), Err(CirculantError::Cells(u64::MAX)));
        assert!(Circulant::new(&[u64::MAX], 256).is_ok());
    }

    #[test]
    fn canonical_is_one_form_for_all_images() {
        for n in 1..=36u64 {
            for a in 1..=n {
                for b in a..=n {
                    let game = Circulant::new(&[a, b], n).unwrap();
                    let form = game.canonical();
                    assert_eq!(form.canonical(), form);
                    assert_eq!(
                        (game.with_shortest_steps().canonical(), game.with_shortest_steps()),
                        (form.clone(), form.with_shortest_steps())
                    );
                    for u in (1..n).filter(|u| num_integer::gcd(*u as usize, n as usize) == 1) {
                        let turned = Circulant::new(&[a * u, b * u + 3 * n], n).unwrap();
                        assert_eq!(turned.canonical(), form, "{game} by {u}");
                    }
                    for g in 2..=4 {
                        let scaled = Circulant::new(&[a * g, b * g], n * g).unwrap();
                        assert_eq!(scaled.canonical(), form, "{game} scaled by {g}");
                    }
                }
            }
        }
    }

    /// The orbits of the paper's database: 72·71/2 pairs, 72 lengths.
    #[test]
    fn few_games_under_many_names() {
        let mut forms = std::collections::BTreeSet::new();
        let mut triples = 0;
        for (a, b) in (1..=72).flat_map(|a| (a + 1..=72).map(move |b| (a, b))) {
            for n in 1..=72 {
                triples += 1;
                forms.insert(Circulant::new(&[a, b], n).unwrap().canonical());
            }
        }
        assert_eq!(triples, 184_032);
        assert!(forms.len() < 2100, "{}", forms.len());
    }

    #[test]
    fn a_move_by_the_whole_circle_is_none() {
        let game = Circulant::new(&[5, 10], 5).unwrap();
        assert!(game.steps().is_empty());
        assert_eq!(game.canonical().to_string(), "Gamma(1;1)");
    }
}

//! Wythoff's game: take any number from one of two heaps, or the same number from both.
//!
//! Source: W. A. Wythoff, *A modification of the game of Nim*, Nieuw Arch. Wisk. (2) 7 (1907) 199–202; as a queen
//! on a chessboard by R. P. Isaacs.

use crate::family::{Example, Family, head};
use crate::rows;
use bouton_rules::{
    Board, Digits, HeapGame, Heaps, Impartial, Moves, Notation, NotationError, Ruleset, Scanner, Symmetry,
    Windows,
};
use bouton_solve::game::{Game, impartial};
use std::ops::ControlFlow::{self, Continue};

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "wythoff",
    notation: "wythoff",
    about: "take from one of two heaps, or the same number from both",
    source: "W. A. Wythoff, Nieuw Arch. Wisk. 7 (1907) 199-202",
    examples: &[Example::new("wythoff", "3,5"), Example::new("wythoff", "8,10")],
    claims: |text| head(text) == "wythoff",
    parse,
};

/// Wythoff's game.
#[derive(Debug, Clone)]
pub struct Wythoff;

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "wythoff");
    scanner.expect("wythoff")?;
    scanner.finish()?;
    Ok(impartial(Wythoff))
}

impl Ruleset for Wythoff {
    type Position = Heaps;

    fn options<B>(&self, p: &Heaps, mut visit: impl FnMut(Heaps) -> ControlFlow<B>) -> ControlFlow<B> {
        let (a, b) = (p[0], p[1]);
        for left in (0..a).rev() {
            visit([left, b].into())?;
        }
        for left in (0..b).rev() {
            visit([a, left].into())?;
        }
        for taken in 1..=a.min(b) {
            visit([a - taken, b - taken].into())?;
        }
        Continue(())
    }

    fn rank(&self, p: &Heaps) -> u64 {
        p.total()
    }

    fn canonical(&self, mut p: Heaps) -> Heaps {
        p.sort_unstable();
        p
    }
}

impl Impartial for Wythoff {}

impl Notation for Wythoff {
    fn name(&self) -> String {
        "wythoff".into()
    }

    fn describe(&self) -> String {
        "Take any number of tokens, at least one, from one of two heaps, or the same number from both.".into()
    }

    fn position_form(&self) -> String {
        rows::form(Some(2), "heap")
    }

    fn read(&self, text: &str) -> Result<Heaps, NotationError> {
        Ok(Heaps::from(&rows::read(text, Some(2), "heap")?[..]))
    }

    fn print(&self, p: &Heaps) -> String {
        rows::print(p, None)
    }

    fn positions_up_to<B>(
        &self,
        max: u32,
        mut visit: impl FnMut(Heaps) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        for a in 0..=max {
            for b in 0..=max {
                if let stop @ ControlFlow::Break(_) = visit([a, b].into()) {
                    return Some(stop);
                }
            }
        }
        Some(Continue(()))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        Some(HeapGame {
            heaps: 2,
            symmetry: Symmetry::Full,
            shrinks: false,
            moves: Moves::with(Windows::Any(2), "q0 = p0 | q1 = p1 | p0+q1 = p1+q0"),
            digits: Digits::Zeckendorf,
        })
    }

    fn sizes(&self, p: &Heaps) -> Vec<u64> {
        rows::sizes(p, None)
    }

    fn move_text(&self, p: &Heaps, q: &Heaps) -> String {
        rows::move_text(p, q)
    }

    fn board(&self, p: &Heaps) -> Board {
        Board::Queen { x: p[0], y: p[1] }
    }
}

//! Nim: take any number of tokens from one heap.
//!
//! Source: C. L. Bouton, *Nim, a game with a complete mathematical theory*, Ann. Math. (2) 3 (1902) 35–39.

use crate::family::{Example, Family, head};
use crate::rows::{self, Count};
use bouton_rules::{
    Board, HeapGame, Impartial, Moves, Notation, NotationError, Rows, Ruleset, Scanner, Windows,
};
use bouton_solve::game::{Game, impartial};
use std::ops::ControlFlow::{self, Continue};

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "nim",
    notation: "nim | nim(HEAPS)",
    about: "take any number of tokens from one heap",
    source: "C. L. Bouton, Ann. Math. 3 (1902) 35-39",
    examples: &[Example::new("nim", "1,3,5,7"), Example::new("nim(3)", "3,5,6")],
    claims: |text| head(text) == "nim",
    parse,
};

/// Nim on a given number of heaps, or on any number.
#[derive(Debug, Clone)]
pub struct Nim {
    /// The number of heaps, if the name gives it.
    pub heaps: Count,
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "nim, or nim(5) for five heaps");
    scanner.expect("nim")?;
    let heaps = crate::family::optional_count(&mut scanner)?;
    scanner.finish()?;
    Ok(impartial(Nim { heaps }))
}

impl Ruleset for Nim {
    type Position = Rows;

    fn options<B>(&self, p: &Rows, mut visit: impl FnMut(Rows) -> ControlFlow<B>) -> ControlFlow<B> {
        for (i, heap) in p.iter().enumerate() {
            for left in (0..*heap).rev() {
                let mut q = p.clone();
                q[i] = left;
                visit(q)?;
            }
        }
        Continue(())
    }

    fn rank(&self, p: &Rows) -> u64 {
        rows::total(p)
    }

    fn canonical(&self, p: Rows) -> Rows {
        rows::canonical(p)
    }
}

impl Impartial for Nim {
    fn summands(&self, p: &Rows, visit: impl FnMut(Rows)) {
        rows::each(p, visit);
    }
}

impl Notation for Nim {
    fn name(&self) -> String {
        self.heaps.map_or("nim".into(), |heaps| format!("nim({heaps})"))
    }

    fn describe(&self) -> String {
        "Take any number of tokens, at least one, from one heap.".into()
    }

    fn position_form(&self) -> String {
        rows::form(self.heaps, "heap")
    }

    fn read(&self, text: &str) -> Result<Rows, NotationError> {
        rows::read(text, self.heaps, "heap")
    }

    fn print(&self, p: &Rows) -> String {
        rows::print(p, self.heaps)
    }

    fn positions_up_to<B>(
        &self,
        max: u32,
        visit: impl FnMut(Rows) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        rows::up_to(self.heaps, max, visit)
    }

    fn single(&self, size: u32) -> Option<Rows> {
        self.heaps.is_none_or(|heaps| heaps == 1).then(|| Rows::from_slice(&[size]))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        rows::heap_game(self.heaps, Moves::free(Windows::Any(1)))
    }

    fn sizes(&self, p: &Rows) -> Vec<u64> {
        rows::sizes(p, self.heaps)
    }

    fn move_text(&self, p: &Rows, q: &Rows) -> String {
        rows::move_text(p, q)
    }

    fn board(&self, p: &Rows) -> Board {
        Board::Row(p.to_vec())
    }
}

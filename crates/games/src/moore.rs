//! Moore's Nim: take any number of tokens from each of 1..b−1 heaps.
//!
//! Source: E. H. Moore, *A generalization of the game called Nim*, Ann. Math. (2) 11 (1910) 93–94, as Nim_{b−1}.

use crate::family::{Example, Family, count_and_close, head};
use crate::rows::{self, Count, MAX_ROWS};
use bouton_rules::{
    Board, HeapGame, Impartial, Moves, Notation, NotationError, Rows, Ruleset, Scanner, Windows,
};
use bouton_solve::game::{Game, impartial};
use std::ops::ControlFlow::{self, Continue};

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "moore",
    notation: "moore(B) | moore(B;HEAPS)",
    about: "take from each of one to B-1 heaps",
    source: "E. H. Moore, Ann. Math. 11 (1910) 93-94",
    examples: &[Example::new("moore(3)", "1,3,5,7"), Example::new("moore(4;5)", "1,1,2,3,3")],
    claims: |text| head(text) == "moore",
    parse,
};

/// Moore's Nim with base `b`.
#[derive(Debug, Clone)]
pub struct Moore {
    /// A move plays in 1..b−1 heaps.
    pub b: usize,
    /// The number of heaps, if the name gives it.
    pub heaps: Count,
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner =
        Scanner::new(text, "moore(3), or moore(3;5) for five heaps; a move plays in 1..b-1 heaps");
    scanner.expect("moore")?;
    scanner.expect("(")?;
    let start = scanner.at();
    let b = scanner.number("the base b", MAX_ROWS as u64 + 1)? as usize;
    if b < 2 {
        return Err(scanner.error(start..scanner.at(), "the base b must be at least 2"));
    }
    let heaps = count_and_close(&mut scanner)?;
    scanner.finish()?;
    Ok(impartial(Moore { b, heaps }))
}

impl Moore {
    /// Visits every way to take from at most `left` of the heaps from `from` on; `q` has the takings so far.
    fn take<B>(
        &self,
        q: &mut Rows,
        from: usize,
        left: usize,
        visit: &mut impl FnMut(Rows) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for i in from..q.len() {
            let heap = q[i];
            for rest in (0..heap).rev() {
                q[i] = rest;
                visit(q.clone())?;
                if left > 1 {
                    self.take(q, i + 1, left - 1, visit)?;
                }
            }
            q[i] = heap;
        }
        Continue(())
    }
}

impl Ruleset for Moore {
    type Position = Rows;

    fn options<B>(&self, p: &Rows, mut visit: impl FnMut(Rows) -> ControlFlow<B>) -> ControlFlow<B> {
        self.take(&mut p.clone(), 0, self.b - 1, &mut visit)
    }

    fn rank(&self, p: &Rows) -> u64 {
        rows::total(p)
    }

    fn canonical(&self, p: Rows) -> Rows {
        rows::canonical(p)
    }
}

impl Impartial for Moore {}

impl Notation for Moore {
    fn name(&self) -> String {
        match self.heaps {
            Some(heaps) => format!("moore({};{heaps})", self.b),
            None => format!("moore({})", self.b),
        }
    }

    fn describe(&self) -> String {
        match self.b {
            2 => "Take any number of tokens, at least one, from one heap.".into(),
            b => format!("Take any number of tokens, at least one, from each of one to {} heaps.", b - 1),
        }
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
        rows::heap_game(self.heaps, Moves::free(Windows::Any(self.b - 1)))
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

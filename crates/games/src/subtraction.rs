//! Subtraction games: take s tokens from one heap, s in a fixed set. NIM(A;n) is the same game on one pile.
//!
//! Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, ch. 4; W. Gasarch, J. Purtilo, D. Ulrich, *NIM
//! with Cash*, §1, for NIM(A;n).

use crate::family::{Example, Family, count_and_close, head, list, positive_set};
use crate::rows::{self, Count, MAX_HEAP};
use bouton_rules::{
    Board, HeapGame, HeapMoves, Impartial, Moves, Notation, NotationError, Rows, Ruleset, Scanner, Windows,
};
use bouton_solve::game::{Game, impartial};
use std::ops::ControlFlow::{self, Continue};

/// S(…) in the list.
pub const FAMILY: Family = Family {
    name: "subtraction",
    notation: "S(s,…) | S(s,…;HEAPS)",
    about: "take s tokens from one heap, s in the set",
    source: "Berlekamp, Conway, Guy, Winning Ways, ch. 4",
    examples: &[Example::new("S(1,4,7)", "23"), Example::new("S(2,5;2)", "6,9")],
    claims: |text| head(text) == "S",
    parse,
};

/// NIM(A;n) in the list; with purses it is another family.
pub const PILE: Family = Family {
    name: "nim-pile",
    notation: "NIM(a,…;n) with a number n, or the letter",
    about: "take a stones from one pile, a in A",
    source: "Gasarch, Purtilo, Ulrich, NIM with Cash, Def. 1.2",
    examples: &[Example::new("NIM(1,3,4;14)", ""), Example::new("NIM(2,3;n)", "12")],
    claims: |text| head(text) == "NIM",
    parse: parse_pile,
};

/// A subtraction game.
#[derive(Debug, Clone)]
pub struct Subtraction {
    /// What may be taken, ascending, at least 1.
    pub set: Vec<u64>,
    form: Form,
}

/// How the game was named.
#[derive(Debug, Clone)]
enum Form {
    Set { heaps: Count },
    Pile { start: Option<u32> },
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "S(1,4,7), or S(1,4,7;3) for three heaps");
    scanner.expect("S")?;
    scanner.expect("(")?;
    let set = positive_set(&mut scanner, "a number to take", MAX_HEAP)?;
    let heaps = count_and_close(&mut scanner)?;
    scanner.finish()?;
    Ok(impartial(Subtraction { set, form: Form::Set { heaps } }))
}

fn parse_pile(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "NIM(1,3,4;14) or NIM(1,3,4;n); with purses NIM(1,3,4;14;9,9)");
    scanner.expect("NIM")?;
    scanner.expect("(")?;
    let set = positive_set(&mut scanner, "a number to take", MAX_HEAP)?;
    scanner.expect(";")?;
    let start = if scanner.eat("n") { None } else { Some(scanner.number("the pile", MAX_HEAP)? as u32) };
    scanner.expect(")")?;
    scanner.finish()?;
    Ok(impartial(Subtraction { set, form: Form::Pile { start } }))
}

impl Subtraction {
    fn heaps(&self) -> Count {
        match self.form {
            Form::Set { heaps } => heaps,
            Form::Pile { .. } => Some(1),
        }
    }
}

impl Ruleset for Subtraction {
    type Position = Rows;

    fn options<B>(&self, p: &Rows, mut visit: impl FnMut(Rows) -> ControlFlow<B>) -> ControlFlow<B> {
        for (i, heap) in p.iter().enumerate() {
            for taken in self.set.iter().take_while(|taken| **taken <= u64::from(*heap)) {
                let mut q = p.clone();
                q[i] -= *taken as u32;
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

impl Impartial for Subtraction {
    fn summands(&self, p: &Rows, visit: impl FnMut(Rows)) {
        rows::each(p, visit);
    }
}

impl Notation for Subtraction {
    fn name(&self) -> String {
        let set = list(&self.set);
        match self.form {
            Form::Set { heaps: None } => format!("S({set})"),
            Form::Set { heaps: Some(heaps) } => format!("S({set};{heaps})"),
            Form::Pile { start: None } => format!("NIM({set};n)"),
            Form::Pile { start: Some(start) } => format!("NIM({set};{start})"),
        }
    }

    fn describe(&self) -> String {
        format!("Take s tokens from one heap, s in {{{}}}.", list(&self.set))
    }

    fn position_form(&self) -> String {
        rows::form(self.heaps(), "heap")
    }

    fn read(&self, text: &str) -> Result<Rows, NotationError> {
        rows::read(text, self.heaps(), "heap")
    }

    fn print(&self, p: &Rows) -> String {
        rows::print(p, self.heaps())
    }

    fn start(&self) -> Option<Rows> {
        match self.form {
            Form::Pile { start } => start.map(|start| Rows::from_slice(&[start])),
            Form::Set { .. } => None,
        }
    }

    fn positions_up_to<B>(
        &self,
        max: u32,
        visit: impl FnMut(Rows) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        rows::up_to(self.heaps(), max, visit)
    }

    fn single(&self, size: u32) -> Option<Rows> {
        self.heaps().is_none_or(|heaps| heaps == 1).then(|| Rows::from_slice(&[size]))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        let taken: Vec<String> = self.set.iter().map(|s| format!("q0+{s} = p0")).collect();
        rows::heap_game(self.heaps(), Moves::with(Windows::Any(1), taken.join(" | ")))
    }

    fn heap_moves(&self) -> Option<HeapMoves> {
        Some(HeapMoves::Take(self.set.clone()))
    }

    fn sizes(&self, p: &Rows) -> Vec<u64> {
        rows::sizes(p, self.heaps())
    }

    fn move_text(&self, p: &Rows, q: &Rows) -> String {
        rows::move_text(p, q)
    }

    fn board(&self, p: &Rows) -> Board {
        Board::Row(p.to_vec())
    }
}

//! Shrinking Circular Nim: as circular Nim, but an emptied heap leaves the circle, which closes up.
//!
//! Source: *Shrinking Circular Nim* (2024), Def. 2.2, a variant of the games of Dufour and Heubach.

use crate::family::{Example, Family, head};
use crate::rings;
use crate::rows;
use bouton_rules::{
    Board, Digits, HeapGame, Heaps, Impartial, Moves, Notation, NotationError, Ruleset, Scanner, Symmetry,
    Windows,
};
use bouton_solve::game::{Game, impartial};
use std::ops::ControlFlow::{self, Continue};

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "shrinking",
    notation: "SCN(n,k)",
    about: "take from k consecutive heaps on a circle that closes up where a heap is emptied",
    source: "Shrinking Circular Nim (2024), Def. 2.2",
    examples: &[Example::new("SCN(4,2)", "1,2,1,2"), Example::new("SCN(5,3)", "3,5,2,1,4")],
    claims: |text| head(text) == "SCN",
    parse,
};

/// SCN(n,k): a position has at most n heaps, all positive.
#[derive(Debug, Clone)]
pub struct Shrinking {
    /// Heaps on the circle at first, 1..=15.
    pub n: usize,
    /// Heaps in a window, 1..=n; once fewer are left, all of them.
    pub k: usize,
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let mut scanner = Scanner::new(text, "SCN(n,k) with k <= n, e.g. SCN(5,2)");
    scanner.expect("SCN")?;
    let (n, k) = rings::parameters(&mut scanner)?;
    scanner.expect(")")?;
    scanner.finish()?;
    Ok(impartial(Shrinking { n, k }))
}

/// The circle without its empty heaps.
fn closed_up(p: &[u32]) -> Heaps {
    let mut all = [0; bouton_rules::MAX_HEAPS];
    let mut len = 0;
    for heap in p.iter().filter(|heap| **heap > 0) {
        all[len] = *heap;
        len += 1;
    }
    Heaps::from(&all[..len])
}

impl Ruleset for Shrinking {
    type Position = Heaps;

    fn options<B>(&self, p: &Heaps, mut visit: impl FnMut(Heaps) -> ControlFlow<B>) -> ControlFlow<B> {
        let (n, k) = (p.len(), self.k.min(p.len()));
        let mut q = *p;
        // Each move from its first heap on; where a window is the whole circle, any heap may be the first.
        let mut visit = |q: Heaps| visit(closed_up(&q));
        for first in 0..n {
            let reach = if k == n { n - first } else { k };
            for taken in 1..=p[first] {
                q[first] = p[first] - taken;
                rings::below(&mut q, n, first + 1, reach - 1, &mut visit)?;
            }
            q[first] = p[first];
        }
        Continue(())
    }

    fn rank(&self, p: &Heaps) -> u64 {
        p.total()
    }

    fn canonical(&self, p: Heaps) -> Heaps {
        rings::least_image(p)
    }
}

impl Impartial for Shrinking {}

impl Notation for Shrinking {
    fn name(&self) -> String {
        format!("SCN({},{})", self.n, self.k)
    }

    fn describe(&self) -> String {
        format!(
            "At most {} heaps stand on a circle. Take at least one token in all from up to {} consecutive heaps; a heap that is emptied leaves the circle, which closes up.",
            self.n, self.k
        )
    }

    fn position_form(&self) -> String {
        let example: Vec<String> = (1..=self.n).map(|i| i.to_string()).collect();
        format!("up to {} heaps, e.g. {}", self.n, example.join(","))
    }

    fn read(&self, text: &str) -> Result<Heaps, NotationError> {
        let heaps = rows::read(text, None, "heap")
            .map_err(|error| NotationError { accepted: self.position_form(), ..error })?;
        if heaps.len() > self.n {
            let message = format!("this circle has at most {} heaps, not {}", self.n, heaps.len());
            return Err(NotationError::new(text, 0..text.len(), message, self.position_form()));
        }
        Ok(closed_up(&heaps))
    }

    fn print(&self, p: &Heaps) -> String {
        rows::print(p, None)
    }

    /// Circles of at most n heaps, each in 1..=max; a circle comes before those that go on from it.
    fn positions_up_to<B>(
        &self,
        max: u32,
        mut visit: impl FnMut(Heaps) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        fn longer<B>(
            p: &mut Vec<u32>,
            n: usize,
            max: u32,
            visit: &mut impl FnMut(Heaps) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            visit(Heaps::from(&p[..]))?;
            if p.len() < n {
                for heap in 1..=max {
                    p.push(heap);
                    longer(p, n, max, visit)?;
                    p.pop();
                }
            }
            Continue(())
        }
        Some(longer(&mut Vec::new(), self.n, max, &mut visit))
    }

    fn heap_game(&self) -> Option<HeapGame> {
        Some(HeapGame {
            heaps: self.n,
            symmetry: Symmetry::Ring,
            shrinks: true,
            moves: Moves::free(Windows::Arc(self.k)),
            digits: Digits::Binary,
        })
    }

    fn sizes(&self, p: &Heaps) -> Vec<u64> {
        rows::sizes(p, None)
    }

    fn move_text(&self, p: &Heaps, q: &Heaps) -> String {
        format!("{} → {}", self.print(p), self.print(q))
    }

    fn board(&self, p: &Heaps) -> Board {
        Board::Ring(p.to_vec())
    }
}

//! Kotzig's Nim, or modular Nim: move a token around a circle of n cells by a step from a fixed set; no cell may be
//! visited twice.
//!
//! Source: A. Kotzig, *O k-posunutiach*, Časop. pro Pěst. Mat. a Fys. 71 (1946) 55–61; A. S. Fraenkel, A. Jaffray,
//! A. Kotzig, G. Sabidussi, *Modular Nim*, Theoret. Comput. Sci. 143 (1995) 319–333; X. L. Tan, M. D. Ward, *On
//! Kotzig's Nim*, Integers 14 (2014) #G6, whose convention is ours: cell 0 is marked before the first move.

use crate::family::{Example, Family, head, list, positive_set};
use bouton_rules::{Board, Impartial, Notation, NotationError, Ruleset, Scanner};
use bouton_solve::circulant::{self, Circulant, Solver, Techniques};
use bouton_solve::game::{ByNimValue, Game, How, Judge, Judgement, Kind, judged};
use bouton_solve::{Meter, Spent};
use std::ops::ControlFlow::{self, Continue};

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "kotzig",
    notation: "Gamma(m,…;n), Γ(m,…;n)",
    about: "move a token around n cells by steps m, never twice to a cell",
    source: "Tan, Ward, On Kotzig's Nim, Integers 14 (2014) G6",
    examples: &[
        Example::new("Gamma(1,2;7)", ""),
        Example::new("Gamma(1,4;23)", ""),
        Example::new("Gamma(2,3,5;12)", "0,2,5/5"),
    ],
    claims: |text| matches!(head(text), "Gamma" | "gamma" | "GAMMA" | "Γ"),
    parse,
};

/// The largest circle.
pub const MAX_CELLS: usize = 256;

/// Γ(m1,…,mk;n).
#[derive(Debug, Clone)]
pub struct Kotzig {
    /// Steps, ascending, at least 1.
    pub moves: Vec<u64>,
    /// Cells on the circle, 1..=[`MAX_CELLS`].
    pub n: usize,
}

/// The visited cells, the token's among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Track {
    token: u16,
    visited: [u64; MAX_CELLS / 64],
}

impl Track {
    fn has(&self, cell: usize) -> bool {
        self.visited[cell / 64] >> (cell % 64) & 1 == 1
    }

    fn mark(&mut self, cell: usize) {
        self.visited[cell / 64] |= 1 << (cell % 64);
    }

    fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let visited = self.visited;
        (0..MAX_CELLS).filter(move |cell| visited[cell / 64] >> (cell % 64) & 1 == 1)
    }
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let accepted =
        format!("Gamma(m1,…;n) with moves at least 1 and n in 1..={MAX_CELLS}, e.g. Gamma(1,4;23)");
    let mut scanner = Scanner::new(text, accepted);
    let _ = scanner.run(char::is_alphabetic);
    scanner.expect("(")?;
    let moves = positive_set(&mut scanner, "a move", u64::from(u32::MAX))?;
    scanner.expect(";")?;
    let start = scanner.at();
    let n = scanner.number("the number of cells n", MAX_CELLS as u64)? as usize;
    if n == 0 {
        return Err(scanner.error(start..scanner.at(), "a circle needs at least one cell"));
    }
    scanner.expect(")")?;
    scanner.finish()?;
    Ok(judged::<_, ByNimValue<Kotzig, BySearch>>(Kotzig { moves, n }))
}

impl Ruleset for Kotzig {
    type Position = Track;

    fn options<B>(&self, p: &Track, mut visit: impl FnMut(Track) -> ControlFlow<B>) -> ControlFlow<B> {
        for step in &self.moves {
            let cell = (usize::from(p.token) + (*step % self.n as u64) as usize) % self.n;
            if !p.has(cell) {
                let mut q = Track { token: cell as u16, ..*p };
                q.mark(cell);
                visit(q)?;
            }
        }
        Continue(())
    }

    fn rank(&self, p: &Track) -> u64 {
        let visited: u32 = p.visited.iter().map(|word| word.count_ones()).sum();
        self.n as u64 - u64::from(visited)
    }

    /// The circle turned until the token is at cell 0.
    fn canonical(&self, p: Track) -> Track {
        if p.token == 0 {
            return p;
        }
        let by = usize::from(p.token);
        let (low, high) = (shifted_down(p.visited, by), shifted_up(p.visited, self.n - by));
        let mut visited = [0; MAX_CELLS / 64];
        for (i, word) in visited.iter_mut().enumerate() {
            let cells = self.n.saturating_sub(64 * i);
            let mask = if cells >= 64 { u64::MAX } else { (1 << cells) - 1 };
            *word = (low[i] | high[i]) & mask;
        }
        Track { token: 0, visited }
    }
}

/// The set with every member less by `by`; those below 0 fall off.
fn shifted_down(set: [u64; 4], by: usize) -> [u64; 4] {
    let (words, bits) = (by / 64, by % 64);
    std::array::from_fn(|i| {
        let low = set.get(i + words).copied().unwrap_or(0);
        let high = set.get(i + words + 1).copied().unwrap_or(0);
        if bits == 0 { low } else { low >> bits | high << (64 - bits) }
    })
}

/// The set with every member greater by `by`; those past the end fall off.
fn shifted_up(set: [u64; 4], by: usize) -> [u64; 4] {
    let (words, bits) = (by / 64, by % 64);
    let word = |i: usize| i.checked_sub(words).map_or(0, |i| set[i]);
    std::array::from_fn(|i| {
        let below = if i == 0 { 0 } else { word(i - 1) };
        if bits == 0 { word(i) } else { word(i) << bits | below >> (64 - bits) }
    })
}

impl Impartial for Kotzig {}

impl Notation for Kotzig {
    fn name(&self) -> String {
        format!("Gamma({};{})", list(&self.moves), self.n)
    }

    fn describe(&self) -> String {
        format!(
            "A token stands on cell 0 of a circle of {} cells. Move it clockwise by a step in {{{}}} to a cell not visited before.",
            self.n,
            list(&self.moves)
        )
    }

    fn position_form(&self) -> String {
        "the visited cells and the token's cell, e.g. 0,1,3/3".into()
    }

    fn read(&self, text: &str) -> Result<Track, NotationError> {
        let mut scanner = Scanner::new(text, self.position_form());
        let last = self.n as u64 - 1;
        let mut p = Track { token: 0, visited: [0; 4] };
        loop {
            let start = scanner.at();
            let cell = scanner.number("a cell", last)? as usize;
            if p.has(cell) {
                return Err(scanner.error(start..scanner.at(), format!("cell {cell} is listed twice")));
            }
            p.mark(cell);
            if !scanner.eat(",") {
                break;
            }
        }
        scanner.expect("/")?;
        let start = scanner.at();
        p.token = scanner.number("the token's cell", last)? as u16;
        if !p.has(usize::from(p.token)) {
            return Err(scanner.error(start..scanner.at(), "the token stands on a visited cell"));
        }
        scanner.finish()?;
        Ok(p)
    }

    fn print(&self, p: &Track) -> String {
        let cells: Vec<String> = p.cells().map(|cell| cell.to_string()).collect();
        format!("{}/{}", cells.join(","), p.token)
    }

    fn start(&self) -> Option<Track> {
        let mut p = Track { token: 0, visited: [0; 4] };
        p.mark(0);
        Some(p)
    }

    fn move_text(&self, p: &Track, q: &Track) -> String {
        let step = (self.n + usize::from(q.token) - usize::from(p.token)) % self.n;
        let named = self.moves.iter().find(|m| (**m % self.n as u64) as usize == step);
        format!("{} → {} (step {})", p.token, q.token, named.map_or(step as u64, |m| *m))
    }

    fn board(&self, p: &Track) -> Board {
        Board::Track { visited: (0..self.n).map(|cell| p.has(cell)).collect(), token: usize::from(p.token) }
    }
}

/// Judges outcomes by the search made for circles.
struct BySearch {
    game: Circulant,
    solver: Solver,
}

impl Judge<Kotzig> for BySearch {
    const KIND: Kind = Kind::LastMove;

    fn new(rules: &Kotzig, how: &How) -> Self {
        let game =
            Circulant::new(&rules.moves, rules.n as u64).expect("what the notation accepts is a circle");
        BySearch { game, solver: Solver::new(how.play, Techniques::default()) }
    }

    fn judge(&mut self, _: &Kotzig, p: &Track, meter: &mut Meter) -> Result<Judgement, Spent> {
        let track = circulant::Track::new(&self.game, p.cells(), usize::from(p.token));
        let track = track.expect("the token's cell is visited, and all cells lie on the circle");
        let outcome = self.solver.outcome_of(&self.game, &track, meter)?;
        Ok(Judgement { outcome: Some(outcome), ..Judgement::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turning the circle cell by cell, as anyone would.
    #[test]
    fn canonical_turns_the_circle() {
        for n in [1, 2, 63, 64, 65, 127, 128, 129, 200, 255, 256] {
            let rules = Kotzig { moves: vec![1], n };
            let mut p = Track { token: 0, visited: [0; 4] };
            (0..n).filter(|cell| cell * cell % 7 < 3).for_each(|cell| p.mark(cell));
            for token in (0..n).filter(|cell| cell * cell % 7 < 3) {
                p.token = token as u16;
                let mut turned = Track { token: 0, visited: [0; 4] };
                p.cells().for_each(|cell| turned.mark((cell + n - token) % n));
                assert_eq!(rules.canonical(p), turned, "n = {n}, token = {token}");
            }
        }
    }
}

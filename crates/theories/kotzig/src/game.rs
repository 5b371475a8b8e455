//! Kotzig's Nim, or modular Nim: move a token around a circle of n cells by a step from a fixed
//! set; no cell may be visited twice.
//!
//! Source: A. Kotzig, *O k-posunutiach*, Časop. pro Pěst. Mat. a Fys. 71 (1946) 55–61; A. S.
//! Fraenkel, A. Jaffray, A. Kotzig, G. Sabidussi, *Modular Nim*, Theoret. Comput. Sci. 143 (1995)
//! 319–333; X. L. Tan, M. D. Ward, *On Kotzig's Nim*, Integers 14 (2014) #G6, whose convention is
//! ours: cell 0 is marked before the first move.

use crate::large_circle::{MAX_LARGE_CELLS, large_circle, large_circle_of};
use crate::{Circulant, CirculantError, MAX_CELLS, Position, Solver, Techniques};
use bouton_core::{
    Appearance, Arrange, Board, Coordinates, Impartial, LimitReached, Meter, MoveText, Notation,
    NotationError, Ruleset, Scanner,
};
use bouton_engine::family::{
    Example, Family, Reference, ReferenceKind, joined_by_or, list, name_prefix,
};
use bouton_engine::game::{
    ByNimValue, Evaluation, Evaluator, Game, Kind, Settings, with_evaluator,
};
use std::ops::ControlFlow;

/// This family in the list.
pub const FAMILY: Family = Family {
    name: "kotzig",
    notation: "Gamma(m,…;n), Γ(m,…;n)",
    about: "move a token around n cells by steps m, never twice to a cell",
    title: "Kotzig’s Nim",
    sentence: "One token runs around a circle and never enters a cell twice.",
    opening: Example::new("Gamma(1,4;13)", ""),
    source: "Tan, Ward, On Kotzig's Nim, Integers 14 (2014) G6",
    reference: Reference {
        kind: ReferenceKind::Article,
        key: "tan-ward",
        author: "Xin Lu Tan and Mark Daniel Ward",
        title: "On Kotzig's Nim",
        place: "Integers 14, G6",
        year: "2014",
    },
    examples: &[
        Example::new("Gamma(1,2;7)", ""),
        Example::new("Gamma(1,4;23)", ""),
        Example::new("Gamma(2,3,5;12)", "0,2,5/5"),
    ],
    claims: |text| matches!(name_prefix(text), "Gamma" | "gamma" | "GAMMA" | "Γ"),
    parse,
};

/// Γ(m1,…,mk;n).
#[derive(Debug, Clone)]
pub struct Kotzig {
    game: Circulant,
}

/// Returns the steps, ascending, and the number of cells of a game of Kotzig's Nim; `None` for
/// other games.
pub fn kotzig_circle(game: &dyn Game) -> Option<(Vec<u64>, usize)> {
    let small = game.ruleset().downcast_ref::<Kotzig>();
    let small = small.map(|kotzig| (kotzig.game.moves().to_vec(), kotzig.game.n()));
    small.or_else(|| large_circle_of(game))
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let accepted = format!(
        "Gamma(m1,…;n) with moves at least 1 and n in 1..={MAX_LARGE_CELLS}, e.g. Gamma(1,4;23)"
    );
    let mut scanner = Scanner::new(text, accepted);
    let _ = scanner.run(char::is_alphabetic);
    scanner.expect("(")?;
    let moves = moves(&mut scanner)?;
    scanner.expect(";")?;
    let start = scanner.at();
    let n = scanner.number("the number of cells n", MAX_LARGE_CELLS)?;
    let end = scanner.at();
    scanner.expect(")")?;
    scanner.finish()?;
    // Back by k is forth by n − k; a multiple of n leads nowhere.
    let forth = |step: i64| match u64::try_from(step) {
        Ok(step) => step,
        Err(_) => n - step.unsigned_abs() % n.max(1),
    };
    let mut moves: Vec<u64> = moves.into_iter().map(forth).collect();
    moves.arrange();
    moves.dedup();
    if n > MAX_CELLS as u64 {
        return Ok(large_circle(moves, n as u32));
    }
    let game = Circulant::new(&moves, n).map_err(|error| {
        let message = match error {
            CirculantError::Cells(n) => format!("a circle of {n} cells: a circle has at least one"),
            other => other.to_string(),
        };
        scanner.error(start..end, message)
    })?;
    Ok(with_evaluator::<_, ByNimValue<Kotzig, BySearch>>(Kotzig { game }))
}

/// Moves with commas between, those that go back with a minus.
fn moves(scanner: &mut Scanner<'_>) -> Result<Vec<i64>, NotationError> {
    let mut moves = Vec::new();
    loop {
        let start = scanner.at();
        let back = scanner.eat("-");
        let step = scanner.number("a move", u64::from(u32::MAX))? as i64;
        if step == 0 {
            return Err(scanner.error(start..scanner.at(), "a move must be at least 1".to_owned()));
        }
        moves.push(if back { -step } else { step });
        if !scanner.eat(",") {
            return Ok(moves);
        }
    }
}

impl Ruleset for Kotzig {
    type Position = Position;

    fn options<B>(
        &self,
        p: &Position,
        mut visit: impl FnMut(Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.game
            .moves()
            .iter()
            .filter_map(|step| p.after(&self.game, *step))
            .try_for_each(&mut visit)
    }

    /// Cells not visited.
    fn rank(&self, p: &Position) -> Option<u64> {
        Some((self.game.n() - p.count()) as u64)
    }

    /// Returns the circle rotated until the token is at cell 0.
    fn canonical(&self, p: Position) -> Position {
        p.rotated(self.game.n())
    }
}

impl Impartial for Kotzig {}

impl Notation for Kotzig {
    fn name(&self) -> String {
        format!("Gamma({};{})", list(self.game.moves()), self.game.n())
    }

    fn describe(&self) -> String {
        format!(
            "A token stands on cell 0 of a circle of {} cells. Move it {} {} clockwise, to a cell \
             not visited before.",
            self.game.n(),
            joined_by_or(self.game.moves()),
            if self.game.moves() == [1] { "cell" } else { "cells" }
        )
    }

    fn position_form(&self) -> String {
        "the visited cells and the token's cell, e.g. 0,1,3/3".into()
    }

    fn read(&self, text: &str) -> Result<Position, NotationError> {
        let mut scanner = Scanner::new(text, self.position_form());
        let last = self.game.n() as u64 - 1;
        let mut cells = Vec::new();
        loop {
            let start = scanner.at();
            let cell = scanner.number("a cell", last)? as usize;
            if cells.contains(&cell) {
                return Err(
                    scanner.error(start..scanner.at(), format!("cell {cell} is listed twice"))
                );
            }
            cells.push(cell);
            if !scanner.eat(",") {
                break;
            }
        }
        scanner.expect("/")?;
        let start = scanner.at();
        let token = scanner.number("the token's cell", last)? as usize;
        let position = Position::new(&self.game, cells, token);
        let position = position.ok_or_else(|| {
            scanner.error(start..scanner.at(), "the token stands on a visited cell")
        })?;
        scanner.finish()?;
        Ok(position)
    }

    fn print(&self, p: &Position) -> String {
        p.to_string()
    }

    fn start(&self) -> Option<Position> {
        Some(Position::start())
    }

    fn move_text(&self, p: &Position, q: &Position) -> MoveText {
        let step = self.game.moves().iter().find(|step| p.after(&self.game, **step) == Some(*q));
        let step = step.copied().unwrap_or_default();
        MoveText::Change(format!("{} → {} (step {})", p.token(), q.token(), step))
    }
}

impl Coordinates for Kotzig {}

impl Appearance for Kotzig {
    fn board(&self, p: &Position) -> Board {
        Board::Track {
            visited: (0..self.game.n()).map(|cell| p.has(cell)).collect(),
            token: p.token(),
        }
    }
}

/// Evaluates outcomes by the search made for circles.
struct BySearch(Solver);

impl Evaluator<Kotzig> for BySearch {
    const KIND: Kind = Kind::LastMove;

    fn new(_: &Kotzig, how: &Settings) -> Self {
        BySearch(Solver::new(how.play, Techniques::default()).on_threads(how.threads))
    }

    fn evaluate(
        &mut self,
        rules: &Kotzig,
        p: &Position,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        let outcome = self.0.outcome_of(&rules.game, p, meter)?;
        Ok(Evaluation { outcome: Some(outcome), ..Evaluation::default() })
    }
}

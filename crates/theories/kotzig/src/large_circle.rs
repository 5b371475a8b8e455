//! Kotzig's Nim on circles larger than the fast search takes: the rules, and a search of what is
//! left near the end.
//!
//! Of such a circle theorems tell who wins, and how. The search here is by the rules alone, over
//! the cells that the token can still come to, and only where these are few.

use bouton_core::{
    Appearance, Arrange, Board, Coordinates, Impartial, LimitReached, Meter, MoveText, Notation,
    NotationError, Outcome, Play, Ruleset, Scanner,
};
use bouton_engine::family::{joined_by_or, list};
use bouton_engine::game::{Evaluation, Evaluator, Game, Kind, Settings, with_evaluator};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The largest circle, in cells.
pub const MAX_LARGE_CELLS: u64 = 1_000_000;
/// Free cells within reach of a position that is searched, at most.
const SEARCHED: usize = 60;

/// Γ(m1,…,mk;n) for a large n.
#[derive(Debug, Clone)]
struct LargeCircle {
    moves: Vec<u64>,
    n: u32,
}

/// Returns the game with these moves, ascending, each at least 1, on n cells.
pub(crate) fn large_circle(moves: Vec<u64>, n: u32) -> Box<dyn Game> {
    with_evaluator::<_, ByReach>(LargeCircle { moves, n })
}

/// Returns the steps and the cells of a game on such a circle.
pub(crate) fn large_circle_of(game: &dyn Game) -> Option<(Vec<u64>, usize)> {
    let circle = game.ruleset().downcast_ref::<LargeCircle>()?;
    Some((circle.moves.clone(), circle.n as usize))
}

/// Returns whether a game is one of Kotzig's Nim on a circle of more than
/// [`MAX_CELLS`](crate::MAX_CELLS) cells.
pub fn is_large_circle(game: &dyn Game) -> bool {
    game.ruleset().is::<LargeCircle>()
}

/// The visited cells, ascending, and the token's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Visited {
    cells: Vec<u32>,
    token: u32,
}

impl Visited {
    fn has(&self, cell: u32) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }
}

impl LargeCircle {
    fn after(&self, cell: u32, step: u64) -> u32 {
        ((u64::from(cell) + step % u64::from(self.n)) % u64::from(self.n)) as u32
    }
}

impl Ruleset for LargeCircle {
    type Position = Visited;

    fn options<B>(
        &self,
        p: &Visited,
        mut visit: impl FnMut(Visited) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let free = |token: &u32| !p.has(*token);
        self.moves.iter().map(|step| self.after(p.token, *step)).filter(free).try_for_each(
            |token| {
                let mut cells = p.cells.clone();
                cells.insert(cells.partition_point(|cell| *cell < token), token);
                visit(Visited { cells, token })
            },
        )
    }

    /// Cells not visited.
    fn rank(&self, p: &Visited) -> Option<u64> {
        Some(u64::from(self.n) - p.cells.len() as u64)
    }
}

impl Impartial for LargeCircle {}

impl Notation for LargeCircle {
    fn name(&self) -> String {
        format!("Gamma({};{})", list(&self.moves), self.n)
    }

    fn describe(&self) -> String {
        format!(
            "A token stands on cell 0 of a circle of {} cells. Move it {} {} clockwise, to a cell \
             not visited before.",
            self.n,
            joined_by_or(&self.moves),
            if self.moves == [1] { "cell" } else { "cells" }
        )
    }

    fn position_form(&self) -> String {
        "the visited cells and the token's cell, e.g. 0,1,3/3".into()
    }

    fn read(&self, text: &str) -> Result<Visited, NotationError> {
        let mut scanner = Scanner::new(text, self.position_form());
        let last = u64::from(self.n) - 1;
        let start = scanner.at();
        let mut cells: Vec<u32> =
            scanner.numbers("a cell", last)?.into_iter().map(|cell| cell as u32).collect();
        cells.arrange();
        if let Some(twice) = cells.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(
                scanner.error(start..scanner.at(), format!("cell {} is listed twice", twice[0]))
            );
        }
        scanner.expect("/")?;
        let start = scanner.at();
        let token = scanner.number("the token's cell", last)? as u32;
        let visited = Visited { cells, token };
        if !visited.has(token) {
            return Err(scanner.error(start..scanner.at(), "the token stands on a visited cell"));
        }
        scanner.finish()?;
        Ok(visited)
    }

    fn print(&self, p: &Visited) -> String {
        let cells: Vec<String> = p.cells.iter().map(u32::to_string).collect();
        format!("{}/{}", cells.join(","), p.token)
    }

    fn start(&self) -> Option<Visited> {
        Some(Visited { cells: vec![0], token: 0 })
    }

    fn move_text(&self, p: &Visited, q: &Visited) -> MoveText {
        let step = self.moves.iter().find(|step| self.after(p.token, **step) == q.token);
        let step = step.copied().unwrap_or_default();
        MoveText::Change(format!("{} → {} (step {})", p.token, q.token, step))
    }
}

impl Coordinates for LargeCircle {}

impl Appearance for LargeCircle {
    fn board(&self, p: &Visited) -> Board {
        let mut visited = vec![false; self.n as usize];
        p.cells.iter().for_each(|cell| visited[*cell as usize] = true);
        Board::Track { visited, token: p.token as usize }
    }
}

/// Evaluates positions with few cells in reach.
struct ByReach {
    play: Play,
}

impl Evaluator<LargeCircle> for ByReach {
    const KIND: Kind = Kind::Impartial;

    fn new(_: &LargeCircle, how: &Settings) -> Self {
        ByReach { play: how.play }
    }

    fn evaluate(
        &mut self,
        rules: &LargeCircle,
        p: &Visited,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        // The token's cell, then the free ones that it can come to.
        let mut reach = vec![p.token];
        let mut steps: Vec<Vec<usize>> = Vec::new();
        while steps.len() < reach.len() {
            let cell = reach[steps.len()];
            let mut to = Vec::new();
            for step in &rules.moves {
                let next = rules.after(cell, *step);
                if p.has(next) {
                    continue;
                }
                let at = reach.iter().position(|known| *known == next).unwrap_or_else(|| {
                    reach.push(next);
                    reach.len() - 1
                });
                to.push(at);
            }
            if reach.len() > SEARCHED + 1 {
                return Err(LimitReached::NumbersTooLarge);
            }
            steps.push(to);
        }
        let mut search =
            FewCellSearch { steps, misere: self.play == Play::Misere, known: HashMap::new() };
        let free = (1u64 << reach.len()) - 2;
        let wins = search.mover_wins(0, free, meter)?;
        let outcome = Some(if wins { Outcome::N } else { Outcome::P });
        Ok(Evaluation { outcome, ..Evaluation::default() })
    }
}

/// All positions over a few cells; bit i is the cell i, free.
struct FewCellSearch {
    steps: Vec<Vec<usize>>,
    misere: bool,
    known: HashMap<(usize, u64), bool>,
}

impl FewCellSearch {
    /// Returns whether the mover wins; no deeper than there are cells.
    fn mover_wins(
        &mut self,
        token: usize,
        free: u64,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        if let Some(wins) = self.known.get(&(token, free)) {
            return Ok(*wins);
        }
        meter.spend_one()?;
        let options: Vec<usize> =
            self.steps[token].iter().copied().filter(|to| free >> to & 1 == 1).collect();
        let mut wins = options.is_empty() && self.misere;
        for to in options {
            if !self.mover_wins(to, free & !(1 << to), meter)? {
                wins = true;
                break;
            }
        }
        meter.check_bytes(64 * self.known.len() as u64)?;
        self.known.insert((token, free), wins);
        Ok(wins)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::Budget;
    use bouton_engine::Session;

    fn sessions(play: Play) -> [Box<dyn Session + 'static>; 2] {
        let moves = vec![2, 3, 7];
        let games = [(crate::FAMILY.parse)("Gamma(2,3,7;40)").unwrap(), large_circle(moves, 40)];
        games.map(|game| {
            let game: &'static dyn Game = Box::leak(game);
            let budget = Budget { nodes: Some(2_000_000), ..Budget::default() };
            game.session(Settings { play, budget, ..Settings::default() })
        })
    }

    /// On a circle that both take, the same positions, moves and outcomes as the fast search.
    #[test]
    fn the_same_game_as_on_small_circles() {
        for play in [Play::Normal, Play::Misere] {
            let [mut fast, mut large] = sessions(play);
            let mut position = "0/0".to_owned();
            let mut compared = 0;
            for turn in 0.. {
                let (a, b) = (fast.analyse(&position).unwrap(), large.analyse(&position).unwrap());
                let told = |analysis: &bouton_engine::Analysis| {
                    let mut moves: Vec<_> =
                        analysis.moves.iter().map(|m| (m.to.clone(), m.text.to_string())).collect();
                    moves.sort();
                    (analysis.position.clone(), moves)
                };
                assert_eq!(told(&a), told(&b));
                if let Some(outcome) = b.evaluation.outcome {
                    assert_eq!(a.evaluation.outcome, Some(outcome), "{position}");
                    compared += 1;
                }
                if a.moves.is_empty() {
                    break;
                }
                position = a.moves[turn % a.moves.len()].to.clone();
            }
            assert!(compared > 5, "{compared} positions compared");
        }
    }
}

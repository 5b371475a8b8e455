//! A game of Kotzig's Nim as a walk: the circle, and the way of the token as a spiral, one lap
//! further out each time.

use crate::scene::{ACCENT, Anchor, INK, PAPER, SPENT, Scene, Shape, Style};
use std::f64::consts::TAU;

/// A walk around a circle from cell 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The title.
    pub title: String,
    /// The number of cells, at least 1.
    pub cells: usize,
    /// The moves.
    pub moves: Vec<Step>,
}

/// One move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The number of cells that the move advances.
    pub step: usize,
    /// Whether the mark is filled, which distinguishes the two players.
    pub filled: bool,
}

/// The radius of a cell and of a mark, and the distance between laps.
const CELL: f64 = 11.0;
const MARK: f64 = 8.5;
const LAP: f64 = 21.0;

impl Route {
    /// Lays out the walk, with the given description.
    pub fn scene(&self, description: &str) -> Scene {
        let mut scene = Scene::new(&self.title, description.to_owned());
        let n = self.cells.max(1);
        let length: usize = self.moves.iter().map(|hop| hop.step).sum();
        let inner = (n as f64 * (2.0 * CELL + 3.0) / TAU).max(46.0);
        let first = inner + CELL + MARK + 6.0;
        let outer = first + LAP * length as f64 / n as f64 + MARK + 4.0;
        let centre = outer + 6.0;
        let at = |cell: f64, radius: f64| {
            let angle = TAU * cell / n as f64;
            (centre + radius * angle.sin(), centre - radius * angle.cos())
        };
        let out = |far: f64| at(far, first + LAP * far / n as f64);
        scene.add(Shape::Circle(centre, centre, inner), Style::line(SPENT, 1.5));
        let mut visited = vec![None; n];
        visited[0] = Some(false);
        let mut far = 0;
        for hop in &self.moves {
            for cell in far..far + hop.step {
                let ((a, b), (x, y)) = (out(cell as f64), out(cell as f64 + 1.0));
                scene.add(
                    Shape::Line(a, b, x, y),
                    Style::line(if hop.filled { ACCENT } else { INK }, 1.5),
                );
            }
            far += hop.step;
            visited[far % n] = Some(hop.filled);
        }
        for (cell, by) in visited.iter().enumerate() {
            let (x, y) = at(cell as f64, inner);
            let fill = if by.is_some() { SPENT } else { PAPER };
            scene.add(Shape::Circle(x, y, CELL), Style::line(INK, 1.0).filled(fill));
            scene.text(x, y, 9.5, cell.to_string(), Anchor::Middle);
        }
        let (mut far, (x, y)) = (0, out(0.0));
        scene.add(Shape::Circle(x, y, 3.0), Style::fill(INK));
        for (i, hop) in self.moves.iter().enumerate() {
            far += hop.step;
            let (x, y) = out(far as f64);
            let (fill, letters) = if hop.filled { (ACCENT, PAPER) } else { (PAPER, INK) };
            scene.add(
                Shape::Circle(x, y, MARK),
                Style::line(if hop.filled { ACCENT } else { INK }, 1.2).filled(fill),
            );
            scene.add(
                Shape::Text(x, y, 8.5, (i + 1).to_string(), Anchor::Middle),
                Style::fill(letters),
            );
        }
        scene.width = 2.0 * centre;
        scene.height = 2.0 * centre;
        scene
    }
}

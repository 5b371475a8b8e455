//! A table over two numbers, as an address asks for it.

use crate::playthrough::play;
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::site::Site;
use bouton_core::{Board, Budget, WrittenNumber};
use bouton_draw::heatmap::{CellKind, Heatmap, HeatmapRequest, fill_in, parse_range};
use bouton_engine::Game;

/// A question about a table, as in an address.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableAddress {
    pub game: String,
    pub at: String,
    pub to: String,
    /// The columns and the rows, as 1..72.
    pub x: String,
    pub y: String,
    pub of: String,
    pub misere: String,
    /// `1`: what repeats is marked.
    pub repeats: String,
}

/// The most cells a side of a table that a page shows.
const MAX_SIDE: u64 = 1000;

impl TableAddress {
    /// Reads the parameters from a request; those that it lacks are empty.
    pub fn from_request(request: &Request) -> TableAddress {
        let get = |name| request.get(name).to_owned();
        TableAddress {
            game: get("game"),
            at: get("at"),
            to: get("to"),
            x: get("x"),
            y: get("y"),
            of: get("of"),
            misere: get("misere"),
            repeats: get("repeats"),
        }
    }

    /// Computes the table; cells that the budget did not reach are empty. Fails if a parameter
    /// cannot be read.
    pub fn sheet(&self, site: &Site, budget: &Budget) -> Result<Heatmap, RequestError> {
        let sheet = Heatmap::compute(self.question(site, budget)?)?;
        Ok(if self.repeats == "1" { sheet.marked() } else { sheet })
    }

    /// Returns the table without cells, which says where each would be in its picture.
    pub fn blank(&self, site: &Site, budget: &Budget) -> Result<Heatmap, RequestError> {
        let HeatmapRequest { game, position, x, y, what, play, .. } =
            self.question(site, budget)?;
        Ok(Heatmap {
            game,
            position,
            play,
            what,
            x,
            y,
            cells: Vec::new(),
            absent: Vec::new(),
            spent: None,
            marked: None,
        })
    }

    /// Returns the parameters as a request for a table. Fails if one is out of range.
    pub fn question(&self, site: &Site, budget: &Budget) -> Result<HeatmapRequest, RequestError> {
        let to = match self.to.as_str() {
            "" => 24,
            text => WrittenNumber::read(text)
                .filter(|to| *to <= MAX_SIDE)
                .ok_or_else(|| RequestError::bad(format!("to: a number up to {MAX_SIDE}")))?,
        };
        let what = match self.of.as_str() {
            "" | "outcome" => CellKind::Outcome,
            "nim-value" => CellKind::NimValue,
            "margin" => CellKind::Margin,
            "threshold" => CellKind::Threshold,
            _ => return Err(RequestError::bad("of: outcome, nim-value, margin or threshold")),
        };
        // Circles have at least one cell, and moves at least one step.
        let from = u64::from(fill_in(&self.game, 0, 0).is_some());
        if to < from {
            return Err(RequestError::bad("to: at least 1 here"));
        }
        let range = |text: &str| {
            if text.is_empty() {
                return Ok(from..=to);
            }
            let range =
                parse_range(text).filter(|(a, b)| a <= b && b - a <= MAX_SIDE && *a >= from);
            let wrong = || {
                RequestError::bad(format!("x, y: a range as 1..72, of at most {MAX_SIDE} numbers"))
            };
            range.map(|(a, b)| a..=b).ok_or_else(wrong)
        };
        Ok(HeatmapRequest {
            catalogue: site.catalogue.clone(),
            game: self.game.clone(),
            position: (!self.at.is_empty()).then(|| self.at.clone()),
            x: range(&self.x)?,
            y: range(&self.y)?,
            what,
            play: play(&site.catalogue, &self.game, &self.misere),
            budget: budget.clone(),
        })
    }

    /// Returns the given parameters with their names.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("game", &self.game),
            ("at", &self.at),
            ("to", &self.to),
            ("x", &self.x),
            ("y", &self.y),
            ("of", &self.of),
            ("misere", &self.misere),
            ("repeats", &self.repeats),
        ];
        all.into_iter()
            .map(|(name, value)| (name, value.as_str()))
            .filter(|(_, value)| !value.is_empty())
    }

    /// Returns the given parameters as the part of an address behind `?`.
    pub fn query(&self) -> String {
        self.fields()
            .map(|(name, value)| format!("{name}={}", encoded(value)))
            .collect::<Vec<_>>()
            .join("&")
    }
}

/// Returns the numbers of a position that neither x nor y stands for, with their places.
pub(crate) fn held(at: &str) -> Vec<(usize, u32)> {
    at.split(',').enumerate().filter_map(|(i, part)| Some((i, part.trim().parse().ok()?))).collect()
}

/// The positions through one of which two numbers vary, written x and y.
pub(crate) struct Slice {
    /// The position with the letters.
    pub at: String,
    /// The numbers of the position for which they stand, at most two.
    pub here: Vec<u64>,
}

impl Slice {
    /// Returns the slice in which the first two numbers of a position vary; of a sum, of its
    /// summands that are lists of numbers. Empty if there are none.
    fn new(board: &Option<Board>, position: &str) -> Slice {
        let mut slice = Slice { at: String::new(), here: Vec::new() };
        match board {
            Some(Board::Sum(boards)) => {
                let parts: Vec<&str> = position.split(" + ").collect();
                if parts.len() != boards.len() {
                    return slice;
                }
                let parts: Vec<String> = boards
                    .iter()
                    .zip(parts)
                    .map(|(board, part)| slice.with_letters(board, part))
                    .collect();
                if !slice.here.is_empty() {
                    slice.at = parts.join(" + ");
                }
            }
            Some(board) if has_numbers(board) => slice.at = slice.with_letters(board, position),
            _ => {}
        }
        slice
    }

    /// Returns the slice of a position of a game, as [`Slice::new`]; empty if the game is no game
    /// of heaps and has no position with nothing there, as programs may have it.
    pub fn from_position(game: &dyn Game, position: &str) -> Slice {
        let slice = Slice::new(&game.board(position).ok(), position);
        let is_stated =
            game.heap_game().is_some() || game.moves().is_some() || game.heap_moves().is_some();
        let empty = slice.at.replace(['x', 'y'], "0");
        if slice.at.is_empty() || is_stated || game.board(&empty).is_ok() {
            return slice;
        }
        Slice { at: String::new(), here: Vec::new() }
    }

    /// Writes the letters that are left for the first numbers of a summand.
    fn with_letters(&mut self, board: &Board, position: &str) -> String {
        if !has_numbers(board) {
            return position.to_owned();
        }
        let mut letter = |number: &str| {
            let value = number.trim().parse().ok()?;
            let letter = *["x", "y"].get(self.here.len())?;
            self.here.push(value);
            Some(letter.to_owned())
        };
        let parts: Vec<String> = position
            .split(',')
            .map(|number| letter(number).unwrap_or_else(|| number.to_owned()))
            .collect();
        parts.join(",")
    }
}

/// Returns whether a position is a list of numbers that its board shows.
fn has_numbers(board: &Board) -> bool {
    matches!(board, Board::Queen { .. } | Board::Purses { .. })
        || board.heaps().is_some()
        || board.rows().is_some()
}

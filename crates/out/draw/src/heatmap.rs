//! Heatmaps: tables over two numbers x and y of outcomes, nim-values, or margins.
//!
//! The name of the game and the position are texts in which x and y stand for numbers: `wythoff`
//! with `x,y`, `CN(5,2)` with `x,y,3,1,2x+y`, `Gamma(1,x;y)`, `NIM(1,4;n;d,e)` with `x,y,7`. The
//! session of the game evaluates each cell, so every family has heatmaps. The nim-values of
//! Wythoff's game come from its rows.

use crate::repetition::Repetition;
use crate::scene::{ACCENT, Anchor, Colour, Raster, Scene, Shape, Style, text_width};
use crate::{PeriodTable, Picture};
use bouton_cash::{Cash, Thresholds};
use bouton_core::expression::Expression;
use bouton_core::{
    Budget, LimitReached, Meter, NotationError, Outcome, Play, WrittenNumber, heaps_text,
};
use bouton_engine::Evaluation;
use bouton_engine::game::{Kind, Settings};
use bouton_games::{Catalogue, expressions, summands};
use bouton_heaps::wythoff::{Wythoff, is_wythoff};
use std::ops::RangeInclusive;

/// The value that the cells show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// The outcome: 0 for P, 1 for N.
    Outcome,
    /// The nim-value.
    NimValue,
    /// The best margin, in games won on points.
    Margin,
    /// In NIM with Cash, with x stones and y dollars of the player to move: the number of purses of
    /// the other player that lose.
    Threshold,
}

/// A table over x and y.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heatmap {
    /// The game, with x and y as placeholders.
    pub game: String,
    /// The position, with x and y as placeholders.
    pub position: Option<String>,
    /// The convention.
    pub play: Play,
    /// The value that the cells show.
    pub what: CellKind,
    /// The columns.
    pub x: RangeInclusive<u64>,
    /// The rows; the least number is at the bottom.
    pub y: RangeInclusive<u64>,
    /// The cells row by row, y ascending; `None` is unknown, or no position that occurs.
    pub cells: Vec<Option<i64>>,
    /// The cells that are no position which occurs, ascending.
    pub absent: Vec<usize>,
    /// The limit that left cells unknown.
    pub spent: Option<LimitReached>,
    /// The repetitions of columns and rows, if the picture is to mark them.
    pub marked: Option<[Option<Repetition>; 2]>,
}

/// The parameters of a heatmap.
#[derive(Debug, Clone)]
pub struct HeatmapRequest {
    /// The catalogue of games.
    pub catalogue: Catalogue,
    /// The game, with x and y as placeholders.
    pub game: String,
    /// The position, with x and y as placeholders.
    pub position: Option<String>,
    /// The columns.
    pub x: RangeInclusive<u64>,
    /// The rows.
    pub y: RangeInclusive<u64>,
    /// The value that the cells show.
    pub what: CellKind,
    /// The convention.
    pub play: Play,
    /// The budget: time for all cells together, nodes for each.
    pub budget: Budget,
}

/// An error of a heatmap.
#[derive(Debug, thiserror::Error)]
pub enum HeatmapError {
    /// The text of a cell cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Neither x nor y occurs.
    #[error(
        "neither x nor y occurs: write them for the numbers that vary, as in CN(5,2) with x,y,1,1,2"
    )]
    NothingVaries,
    /// A range is empty, or there are too many cells.
    #[error("a table of {0} cells; from 1 to {MAX_CELLS} can be made")]
    Size(u128),
    /// The position is missing.
    #[error("{0} has no starting position of its own; give one with x and y")]
    NoPosition(String),
    /// The game has no values of this kind.
    #[error("{0} has no {1}")]
    Lacks(String, &'static str),
}

/// The greatest number of columns or rows in which repetitions are sought.
const MAX_LINES: usize = 400;

/// The greatest number of cells.
pub const MAX_CELLS: u128 = 25_000_000;

/// Reads the ends of a range written as `1..72`.
pub fn parse_range(text: &str) -> Option<(u64, u64)> {
    let (a, b) = text.split_once("..")?;
    Some((WrittenNumber::read(a)?, WrittenNumber::read(b)?))
}

/// Replaces x and y by numbers where they stand alone; `None` if neither does.
pub fn fill_in(text: &str, x: u64, y: u64) -> Option<String> {
    let (mut out, mut found, mut before) = (String::with_capacity(text.len()), false, ' ');
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let alone =
            !before.is_alphanumeric() && letters.peek().is_none_or(|next| !next.is_alphanumeric());
        match c {
            'x' | 'y' if alone => {
                found = true;
                out.push_str(&if c == 'x' { x } else { y }.to_string());
            }
            _ => out.push(c),
        }
        before = c;
    }
    found.then_some(out)
}

/// Returns the position of a game with numbers for x and y, expressions in them worked out: of
/// `x,2x+y` at 3, 1 it is `3,7`; in a sum `+` stands between summands. `None` if neither letter
/// occurs. A number may come out negative.
pub fn position_at(game: &str, text: &str, x: u64, y: u64) -> Option<String> {
    if summands(game).len() > 1 {
        return fill_in(text, x, y);
    }
    let is_formula =
        |number: &Expression| !matches!(number, Expression::Number(_) | Expression::Name(_));
    let formulas = expressions(text, &["x", "y"]).filter(|all| all.iter().any(is_formula));
    let Some(formulas) = formulas else { return fill_in(text, x, y) };
    let occurs = |letter| formulas.iter().any(|number| number.has(letter));
    let at = [i64::try_from(x).ok()?, i64::try_from(y).ok()?];
    let numbers: Option<Vec<i64>> = formulas.iter().map(|number| number.value(&at)).collect();
    match numbers {
        Some(numbers) => (occurs(0) || occurs(1)).then(|| heaps_text(&numbers)),
        None => fill_in(text, x, y),
    }
}

/// Returns the position to draw where none is given: x and y for the first two heaps, the others
/// empty, or x for the only heap. `None` if letters stand in the game's name, or if the game is no
/// impartial game on heaps.
pub fn default_position(catalogue: &Catalogue, game: &str) -> Option<String> {
    if fill_in(game, 0, 0).is_some() {
        return None;
    }
    let game = catalogue.parse(game).ok().filter(|named| named.position.is_none())?.game;
    if game.kind() != Kind::Impartial {
        return None;
    }
    let heaps = game.heap_game().map(|stated| stated.heaps);
    let most = heaps.unwrap_or(if game.single(1).is_some() { 2 } else { 0 });
    let pairs = (2..=most).map(|heaps| format!("x,y{}", ",0".repeat(heaps - 2)));
    let texts = pairs.chain((most > 0).then(|| "x".to_owned()));
    let is_read = |text: &String| {
        fill_in(text, 1, 2).is_some_and(|position| game.normal_form(&position).is_ok())
    };
    texts.into_iter().find(is_read)
}

impl Heatmap {
    /// Computes a table. Cells after the exhaustion of the budget are unknown.
    ///
    /// # Errors
    /// Fails if a cell cannot be read, or if the game has no such values.
    pub fn compute(request: HeatmapRequest) -> Result<Heatmap, HeatmapError> {
        let HeatmapRequest { catalogue, game, position, x, y, what, play, budget } = request;
        let width = |range: &RangeInclusive<u64>| {
            (u128::from(*range.end()) + 1).saturating_sub(u128::from(*range.start()))
        };
        let count = width(&x).saturating_mul(width(&y));
        if !(1..=MAX_CELLS).contains(&count) {
            return Err(HeatmapError::Size(count));
        }
        let mut sheet = Heatmap {
            game,
            position,
            play,
            what,
            x,
            y,
            cells: Vec::with_capacity(count as usize),
            absent: Vec::new(),
            spent: None,
            marked: None,
        };
        match what {
            CellKind::Threshold => sheet.thresholds(&catalogue, &budget)?,
            _ if sheet.by_rows(&catalogue, &budget) => {}
            _ => sheet.by_cells(&catalogue, &budget)?,
        }
        Ok(sheet)
    }

    /// Computes the nim-values of Wythoff's game by rows. Returns whether the table is of this
    /// kind.
    fn by_rows(&mut self, catalogue: &Catalogue, budget: &Budget) -> bool {
        let position = self.position.as_deref().map(|p| p.replace(' ', ""));
        let normal = self.play == Play::Normal && self.what == CellKind::NimValue;
        if !matches!(position.as_deref(), Some("x,y" | "y,x")) {
            return false;
        }
        let (rows, columns) = (*self.y.end() as usize + 1, *self.x.end() as usize + 1);
        // Fewer rows are faster; the table is symmetric, so x and y may be exchanged.
        let Some(mut table) = catalogue
            .parse(&self.game)
            .ok()
            .filter(|named| normal && is_wythoff(&*named.game))
            .and_then(|_| Wythoff::new(rows.min(columns)))
        else {
            return false;
        };
        if let Err(spent) = table.extend(rows.max(columns), &mut Meter::new(budget)) {
            self.spent = Some(spent);
        }
        let known = table.columns() as u64;
        for y in self.y.clone() {
            for x in self.x.clone() {
                let (low, high) = (x.min(y), x.max(y));
                let value =
                    (high < known).then(|| i64::from(table.value(low as usize, high as usize)));
                self.cells.push(value);
            }
        }
        true
    }

    /// Computes the thresholds of NIM with Cash, for purses up to the larger of x and y.
    fn thresholds(&mut self, catalogue: &Catalogue, budget: &Budget) -> Result<(), HeatmapError> {
        let game = catalogue.parse(&self.game)?.game;
        let rules = game.ruleset().downcast_ref::<Cash>().filter(|_| game.start().is_none());
        let most = u32::try_from(*self.x.end().max(self.y.end())).ok();
        let (Some(Cash { set, .. }), Some(most), true, true) = (
            rules,
            most,
            self.play == Play::Normal,
            self.position.as_deref().is_none_or(|p| p.replace(' ', "") == "x,y"),
        ) else {
            return Err(HeatmapError::Lacks(game.name(), kind_name(self.what)));
        };
        let mut meter = Meter::new(budget);
        let columns = self.columns();
        self.cells = vec![None; columns * self.rows()];
        let reach = set.iter().filter(|a| **a <= u64::from(most)).max().map_or(1, |a| a + 1);
        if let Err(spent) = meter.check_bytes(4 * reach * (u64::from(most) + 1)) {
            self.spent = Some(spent);
            return Ok(());
        }
        let mut table = Thresholds::new(set, most);
        for n in 0..=*self.x.end() {
            // A row costs as many steps as it has dollars, for each number that may be taken.
            let steps = u64::from(most) * set.len() as u64 / 16 + 1;
            if let Some(spent) = (0..steps).find_map(|_| meter.spend_one().err()) {
                self.spent = Some(spent);
                return Ok(());
            }
            let row = table.next_row();
            if let Some(column) = n.checked_sub(*self.x.start()) {
                for (place, y) in self.y.clone().enumerate() {
                    self.cells[place * columns + column as usize] =
                        Some(i64::from(row[y as usize]));
                }
            }
        }
        Ok(())
    }

    fn by_cells(&mut self, catalogue: &Catalogue, budget: &Budget) -> Result<(), HeatmapError> {
        let settings = || Settings {
            play: self.play,
            budget: budget.clone(),
            nim_value_nodes: if self.what == CellKind::NimValue { u64::MAX } else { 0 },
            ..Settings::default()
        };
        let put = |p: &str, y| position_at(&self.game, p, 1, y);
        let has_y = |p: &str| put(p, 1) != put(p, 2);
        let one_row = fill_in(&self.game, 0, 0) == fill_in(&self.game, 0, 1)
            && !self.position.as_deref().is_some_and(has_y);
        let varies = fill_in(&self.game, 0, 0).is_some();
        let moves = self.position.as_deref().is_some_and(|p| put(p, 1).is_some());
        if !varies && !moves {
            return Err(HeatmapError::NothingVaries);
        }
        let position_of = |game: &bouton_games::ParsedGame, x: u64, y: u64| match &self.position {
            Some(text) => Ok(position_at(&self.game, text, x, y).unwrap_or_else(|| text.clone())),
            None => game
                .position
                .clone()
                .or_else(|| game.game.start())
                .ok_or_else(|| HeatmapError::NoPosition(game.game.name())),
        };
        let parse = |text: &str| match self.position {
            Some(_) => catalogue.parse_alone(text),
            None => catalogue.parse(text),
        };
        let fixed = if varies { None } else { Some(parse(&self.game)?) };
        let tells = |named: &bouton_games::ParsedGame| match (named.game.kind(), self.what) {
            (Kind::Impartial, CellKind::NimValue) => self.play == Play::Normal,
            (Kind::Impartial | Kind::LastMove, CellKind::Outcome)
            | (Kind::Scored, CellKind::Margin) => true,
            _ => false,
        };
        let lacks = |named: &bouton_games::ParsedGame| {
            HeatmapError::Lacks(named.game.name(), kind_name(self.what))
        };
        if let Some(named) = fixed.as_ref().filter(|named| !tells(named)) {
            return Err(lacks(named));
        }
        let mut session = fixed.as_ref().map(|named| named.game.session(settings()));
        let domain = fixed.as_ref().and_then(|named| named.game.heap_game()?.moves.domain);
        // A cell whose position does not occur is left empty.
        let is_empty = |position: &str| {
            let numbers = position.split(',').map(|number| number.trim().parse().ok());
            let Some(numbers) = numbers.collect::<Option<Vec<i64>>>() else { return false };
            let sizes = numbers.iter().map(|number| u64::try_from(*number).ok());
            let Some(sizes) = sizes.collect::<Option<Vec<u64>>>() else { return true };
            domain
                .as_ref()
                .is_some_and(|domain| domain.most.len() == sizes.len() && !domain.contains(&sizes))
        };
        let mut spent = None;
        let (mut cells, mut absent) = (Vec::new(), Vec::new());
        // If y does not occur, one row is the whole table.
        if one_row {
            self.y = *self.y.start()..=*self.y.start();
        }
        for y in self.y.clone() {
            for x in self.x.clone() {
                if let Some(end) = budget.interrupted() {
                    spent = Some(end);
                    cells.push(None);
                    continue;
                }
                let judged = match (&mut session, &fixed) {
                    (Some(session), Some(named)) => {
                        let position = position_of(named, x, y)?;
                        if is_empty(&position) {
                            absent.push(cells.len());
                            cells.push(None);
                            continue;
                        }
                        session.evaluate(&position)?
                    }
                    _ => {
                        let named = parse(&fill_in(&self.game, x, y).unwrap_or_default())?;
                        if !tells(&named) {
                            return Err(lacks(&named));
                        }
                        let position = position_of(&named, x, y)?;
                        named.game.session(settings()).evaluate(&position)?
                    }
                };
                match judged {
                    Ok(evaluation) => cells.push(value(&evaluation, self.what)),
                    Err(end) => {
                        spent = Some(end);
                        cells.push(None);
                    }
                }
            }
        }
        drop(session);
        (self.cells, self.absent, self.spent) = (cells, absent, spent);
        Ok(())
    }

    /// Returns the picture: a period table if only x varies, otherwise a heatmap.
    pub fn picture(self) -> Picture {
        let varies = |text: &str| fill_in(text, 0, 0) != fill_in(text, 0, 1);
        if varies(&self.game) || self.position.as_deref().is_some_and(varies) {
            return Picture::Heatmap(self);
        }
        let (title, outcomes) = (self.title(), self.what == CellKind::Outcome);
        let values = self.cells[..self.columns()].to_vec();
        Picture::PeriodTable(PeriodTable::fit(title, *self.x.start(), values, outcomes))
    }

    /// Returns the title of the picture.
    pub fn title(&self) -> String {
        let misere = if self.play == Play::Misere { ", misère play" } else { "" };
        let position = self.position.as_ref().map_or(String::new(), |p| format!(" at {p}"));
        format!(
            "{}{} of {}{position}{misere}",
            kind_name(self.what)[..1].to_ascii_uppercase(),
            &kind_name(self.what)[1..],
            self.game
        )
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        (self.x.end() - self.x.start() + 1) as usize
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        (self.y.end() - self.y.start() + 1) as usize
    }

    /// Returns the cell at x, y, if it is in the table and known.
    pub fn at(&self, x: u64, y: u64) -> Option<i64> {
        if !self.x.contains(&x) || !self.y.contains(&y) {
            return None;
        }
        self.cells[(y - self.y.start()) as usize * self.columns() + (x - self.x.start()) as usize]
    }

    /// Describes the picture in words.
    pub fn description(&self) -> String {
        let zeros = self.cells.iter().filter(|cell| **cell == Some(0)).count();
        let absent = self.absent.len();
        let unknown = self.cells.iter().filter(|cell| cell.is_none()).count() - absent;
        let zero = match self.what {
            CellKind::Outcome if zeros == 1 => "P-position, in dark blue and marked P",
            CellKind::Outcome => "P-positions, in dark blue and marked P",
            CellKind::NimValue => "cells of nim-value 0 (P-positions), in red",
            CellKind::Margin => "cells of margin 0",
            CellKind::Threshold => "cells where the mover beats no purse, in red",
        };
        let mut text = format!(
            "x from {} to {} to the right, y from {} to {} upwards; {zeros} {zero}.",
            self.x.start(),
            self.x.end(),
            self.y.start(),
            self.y.end()
        );
        if absent > 0 {
            text.push_str(&format!(" {absent} cells are no positions, in white."));
        }
        if unknown > 0 {
            text.push_str(&format!(" {unknown} cells are unknown, in grey."));
        }
        if let Some([columns, rows]) = self.marked {
            let columns = columns.map(|found| found.describe("columns", *self.x.start()));
            let rows = rows.map(|found| found.describe("rows", *self.y.start()));
            match (columns, rows) {
                (None, None) => text.push_str(" Nothing repeats in this table."),
                (columns, rows) => {
                    columns
                        .into_iter()
                        .chain(rows)
                        .for_each(|words| text.push_str(&format!(" {words}")));
                    text.push_str(" (Seen here, not proved.)");
                }
            }
        }
        text
    }

    /// Returns the same table, with the repetitions of columns and rows marked. O(side³).
    #[must_use]
    pub fn marked(self) -> Heatmap {
        let (columns, rows) = (self.columns(), self.rows());
        let cell =
            |column: usize, row: usize| self.cells.get(row * columns + column).copied().flatten();
        let few = columns.max(rows) <= MAX_LINES;
        let across = few.then(|| Repetition::find(columns, rows, cell)).flatten();
        let along =
            few.then(|| Repetition::find(rows, columns, |row, column| cell(column, row))).flatten();
        Heatmap { marked: Some([across, along]), ..self }
    }

    /// Returns the left and upper edge of the cells in the picture and the side of a cell, in
    /// pixels of the SVG.
    pub fn cell_frame(&self) -> (f64, f64, f64) {
        let largest = self.columns().max(self.rows());
        let side = match largest {
            0..=32 => 22,
            33..=64 => 12,
            65..=150 => 6,
            151..=400 => 2,
            _ => 1,
        };
        (48.0, 30.0, f64::from(side))
    }

    pub(crate) fn scene(&self) -> Scene {
        let mut scene = Scene::new(self.title(), self.description());
        let (columns, rows) = (self.columns(), self.rows());
        let (left, top, unit) = self.cell_frame();
        let most = self.cells.iter().flatten().copied().max().unwrap_or(0);
        let colour = |cell: Option<i64>| match self.what {
            CellKind::Outcome => outcome_shade(cell),
            _ => shade(cell, most),
        };
        let mut shades: Vec<Colour> = self.cells.iter().map(|cell| colour(*cell)).collect();
        self.absent.iter().for_each(|cell| shades[*cell] = [0xff; 3]);
        let cells = shades.chunks(columns).rev().flatten().copied().collect();
        let floor = top + rows as f64 * unit;
        scene.text(left, 14.0, 14.0, self.title(), Anchor::Start);
        if unit >= 20.0 {
            for (i, cell) in self.cells.iter().enumerate() {
                let (x, y) =
                    (left + (i % columns) as f64 * unit, floor - (i / columns + 1) as f64 * unit);
                let text = match (cell, self.what) {
                    (None, _) if self.absent.binary_search(&i).is_ok() => continue,
                    (None, _) => "?".into(),
                    (Some(0), CellKind::Outcome) => "P".into(),
                    (Some(_), CellKind::Outcome) => "N".into(),
                    (Some(value), _) => value.to_string(),
                };
                let light = colour(*cell).iter().map(|c| u32::from(*c)).sum::<u32>() > 380;
                let ink = Style::fill(if light { [0; 3] } else { [0xff; 3] });
                let size = if text.len() > 2 { 9.0 } else { 11.0 };
                scene.add(
                    Shape::Text(x + unit / 2.0, y + unit / 2.0, size, text, Anchor::Middle),
                    ink,
                );
            }
        }
        for x in ticks(&self.x) {
            let at = left + ((x - self.x.start()) as f64 + 0.5) * unit;
            scene.text(at, floor + 11.0, 10.0, x.to_string(), Anchor::Middle);
        }
        for y in ticks(&self.y) {
            let at = floor - ((y - self.y.start()) as f64 + 0.5) * unit;
            scene.text(left - 5.0, at, 10.0, y.to_string(), Anchor::End);
        }
        if let Some([across, along]) = self.marked {
            // If all lines are equal, only the beginning of the repetition is marked.
            let end = |found: Repetition, most: usize| {
                if found.period == 1 { found.preperiod } else { most }
            };
            let lines = |found: Repetition, most: usize| {
                (found.preperiod..=end(found, most)).step_by(found.period)
            };
            let right = left + columns as f64 * unit;
            let ink = |first: bool| Style::line(ACCENT, if first { 2.5 } else { 1.25 });
            for x in across.into_iter().flat_map(|found| lines(found, columns)) {
                let at = left + x as f64 * unit;
                let first = across.is_some_and(|found| found.preperiod == x);
                scene.add(Shape::Line(at, top - 4.0, at, floor + 4.0), ink(first));
            }
            for y in along.into_iter().flat_map(|found| lines(found, rows)) {
                let at = floor - y as f64 * unit;
                let first = along.is_some_and(|found| found.preperiod == y);
                scene.add(Shape::Line(left - 4.0, at, right + 4.0, at), ink(first));
            }
        }
        scene.width = left + columns as f64 * unit + 20.0;
        scene.height = floor + 44.0;
        let legend: Vec<(Colour, String)> = match self.what {
            CellKind::Outcome => {
                vec![(outcome_shade(Some(0)), "P".into()), (outcome_shade(Some(1)), "N".into())]
            }
            _ => {
                let steps = [0, 1, most / 3, 2 * most / 3, most];
                let mut ticks_shown: Vec<i64> =
                    steps.into_iter().filter(|v| *v >= 0 && *v <= most).collect();
                ticks_shown.dedup();
                ticks_shown.into_iter().map(|v| (shade(Some(v), most), v.to_string())).collect()
            }
        };
        let mut x = left;
        for (colour, label) in legend {
            scene.add(
                Shape::Box(x, floor + 24.0, 12.0, 12.0, 0.0),
                Style::line([0; 3], 0.5).filled(colour),
            );
            scene.text(x + 16.0, floor + 30.0, 10.0, &label, Anchor::Start);
            x += 30.0 + text_width(&label, 10.0);
        }
        scene.width = scene.width.max(x).max(left + text_width(&self.title(), 14.0));
        scene.raster = Some(Raster { x: left, y: top, side: unit as usize, columns, cells });
        scene
    }
}

/// Returns about ten round numbers in a range.
fn ticks(range: &RangeInclusive<u64>) -> impl Iterator<Item = u64> {
    let span = range.end() - range.start();
    let step = [1, 2, 5].iter().cycle().zip((0..).map(|i| 10u64.pow(i / 3))).map(|(a, b)| a * b);
    let step = step.into_iter().find(|step| span / step <= 12).unwrap_or(1);
    let first = range.start().div_ceil(step) * step;
    (first..=*range.end()).step_by(step as usize)
}

fn kind_name(what: CellKind) -> &'static str {
    match what {
        CellKind::Outcome => "outcomes",
        CellKind::NimValue => "nim-values",
        CellKind::Margin => "margins",
        CellKind::Threshold => "thresholds",
    }
}

fn value(evaluation: &Evaluation, what: CellKind) -> Option<i64> {
    match what {
        CellKind::Outcome => evaluation.outcome.map(|outcome| i64::from(outcome == Outcome::N)),
        CellKind::NimValue => evaluation.nim_value.map(|value| i64::from(value.0)),
        CellKind::Margin => evaluation.margin.map(i64::from),
        CellKind::Threshold => None,
    }
}

fn outcome_shade(cell: Option<i64>) -> Colour {
    match cell {
        None => UNKNOWN,
        Some(0) => [0x0b, 0x3c, 0x73],
        Some(_) => [0xf7, 0xe9, 0xc3],
    }
}

const UNKNOWN: Colour = [0x9a, 0x9a, 0x9a];

/// Returns the colour of a value. 0 stands out. Others run through viridis from dark to light,
/// which stays ordered in grey and for colour-blind readers; negative values run from white to
/// orange.
pub(crate) fn shade(value: Option<i64>, most: i64) -> Colour {
    /// Seven colours of matplotlib's viridis (CC0), S. van der Walt and N. Smith 2015.
    const VIRIDIS: [Colour; 7] = [
        [0x44, 0x01, 0x54],
        [0x44, 0x39, 0x83],
        [0x31, 0x68, 0x8e],
        [0x21, 0x91, 0x8c],
        [0x35, 0xb7, 0x79],
        [0x90, 0xd7, 0x43],
        [0xfd, 0xe7, 0x25],
    ];
    let blend = |a: Colour, b: Colour, t: f64| -> Colour {
        std::array::from_fn(|i| {
            (f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * t).round() as u8
        })
    };
    match value {
        None => UNKNOWN,
        Some(0) => [0xd6, 0x1f, 0x26],
        Some(v) if v < 0 => blend([0xff; 3], [0xe6, 0x7e, 0x00], (-v as f64 / 16.0).min(1.0)),
        Some(v) => {
            let t = (v as f64 / most.max(1) as f64).min(1.0) * 6.0;
            let station = (t as usize).min(5);
            blend(VIRIDIS[station], VIRIDIS[station + 1], t - station as f64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(game: &str, position: &str, what: CellKind) -> HeatmapRequest {
        let position = (!position.is_empty()).then(|| position.to_owned());
        let budget = Budget::default();
        HeatmapRequest {
            catalogue: Catalogue::standard(),
            game: game.into(),
            position,
            x: 0..=24,
            y: 0..=24,
            what,
            play: Play::Normal,
            budget,
        }
    }

    #[test]
    fn letters_alone_are_filled_in() {
        assert_eq!(fill_in("Gamma(1,x;y)", 4, 23).as_deref(), Some("Gamma(1,4;23)"));
        assert_eq!(fill_in("dots(3x3)", 1, 2), None);
        assert_eq!(position_at("nim", "x,2x+y,3", 3, 1).as_deref(), Some("3,7,3"));
        assert_eq!(position_at("nim", "x,y,x xor y", 6, 3).as_deref(), Some("6,3,5"));
        assert_eq!(position_at("nim", "x,x-2", 1, 0).as_deref(), Some("1,-1"));
        assert_eq!(position_at("nim", "0,x/y", 1, 2).as_deref(), Some("0,1/2"));
        assert_eq!(position_at("nim", "3+4", 1, 2), None);
        assert_eq!(position_at("kayles + nim", "x + y", 7, 4).as_deref(), Some("7 + 4"));
        assert_eq!(fill_in("kayles", 1, 2), None);
        assert_eq!(fill_in("x,y,x", 1, 2).as_deref(), Some("1,2,1"));
    }

    /// The values by rows equal those of the session, which knows the rules only; the P-positions
    /// are (⌊nφ⌋, ⌊nφ²⌋) (W. A. Wythoff 1907).
    #[test]
    fn wythoffs_rows_are_the_sessions_values() {
        for position in ["x,y", "y,x"] {
            let rows = Heatmap::compute(question("wythoff", position, CellKind::NimValue)).unwrap();
            let cells = Heatmap::compute(question(
                "wythoff + nim",
                &format!("{position} + 0"),
                CellKind::NimValue,
            ))
            .unwrap();
            assert_eq!(rows.cells, cells.cells);
        }
        let outcomes = Heatmap::compute(question("wythoff", "x,y", CellKind::Outcome)).unwrap();
        let phi = (1.0 + 5f64.sqrt()) / 2.0;
        for m in 0..9u64 {
            let pair = ((m as f64 * phi) as u64, (m as f64 * phi * phi) as u64);
            assert_eq!(outcomes.at(pair.0, pair.1), Some(0));
        }
        assert_eq!(outcomes.cells.iter().filter(|c| **c == Some(0)).count(), 19);
    }

    /// Γ(1,3;n) is in P iff n ≡ 1, 3 (mod 6): Winning Ways, 2nd ed. vol. 3, pp. 516–517.
    #[test]
    fn kotzigs_sheet_has_the_published_row() {
        let asked = HeatmapRequest {
            x: 1..=6,
            y: 1..=24,
            ..question("Gamma(1,x;y)", "", CellKind::Outcome)
        };
        let sheet = Heatmap::compute(asked).unwrap();
        for n in 1..=24 {
            assert_eq!(sheet.at(3, n) == Some(0), n % 6 == 1 || n % 6 == 3, "n = {n}");
        }
    }

    /// The threshold counts the purses that lose, cell by cell of the outcomes.
    #[test]
    fn thresholds_count_the_purses() {
        let asked = HeatmapRequest {
            x: 0..=14,
            y: 0..=14,
            ..question("NIM(1,3,4;n;d,e)", "x,y", CellKind::Threshold)
        };
        let sheet = Heatmap::compute(asked).unwrap();
        let mut beaten = vec![0; sheet.cells.len()];
        for e in 0..=14 {
            let position = format!("x,y,{e}");
            let asked = HeatmapRequest {
                x: 0..=14,
                y: 0..=14,
                ..question("NIM(1,3,4;n;d,e)", &position, CellKind::Outcome)
            };
            let outcomes = Heatmap::compute(asked).unwrap();
            beaten.iter_mut().zip(outcomes.cells).for_each(|(count, cell)| *count += cell.unwrap());
        }
        assert_eq!(sheet.cells, beaten.into_iter().map(Some).collect::<Vec<_>>());
        assert!(Heatmap::compute(question("nim", "x,y", CellKind::Threshold)).is_err());
    }

    #[test]
    fn the_position_drawn_where_none_is_given() {
        let position = |game| default_position(&Catalogue::standard(), game);
        assert_eq!(position("wythoff").as_deref(), Some("x,y"));
        assert_eq!(position("CN(5,2)").as_deref(), Some("x,y,0,0,0"));
        assert_eq!(position("mark").as_deref(), Some("x"));
        assert_eq!(position("Gamma(1,x;y)"), None);
        assert_eq!(position("NIM(1,4;n;d,e)"), None);
        assert_eq!(position("nim 3,4"), None);
        assert_eq!(position("nothing"), None);
    }

    #[test]
    fn what_cannot_be_asked() {
        let lacks = Heatmap::compute(question("NIM(1,4;n;d,e)", "x,y,5", CellKind::NimValue));
        assert!(matches!(lacks, Err(HeatmapError::Lacks(..))));
        assert!(matches!(
            Heatmap::compute(question("nim", "1,2", CellKind::Outcome)),
            Err(HeatmapError::NothingVaries)
        ));
        assert!(matches!(
            Heatmap::compute(question("nim", "1,y,q", CellKind::Outcome)),
            Err(HeatmapError::Notation(_))
        ));
        let huge = HeatmapRequest {
            x: 0..=u64::MAX,
            y: 0..=u64::MAX,
            ..question("nim", "x,y", CellKind::Outcome)
        };
        assert!(matches!(Heatmap::compute(huge), Err(HeatmapError::Size(_))));
    }

    #[test]
    fn an_ended_budget_leaves_cells_unknown() {
        let budget = Budget { nodes: Some(0), ..Budget::default() };
        let sheet = Heatmap::compute(HeatmapRequest {
            budget,
            ..question("wythoff", "x,y", CellKind::Outcome)
        })
        .unwrap();
        assert!(sheet.spent.is_some() && sheet.cells.contains(&None));
        assert!(sheet.scene().description.contains("unknown"));
    }
}

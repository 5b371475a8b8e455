//! Dots and Boxes: players draw lines between neighbouring dots; a player who closes a box owns it
//! and moves again; the player with most boxes wins.
//!
//! Source: S. Loyd, *Cyclopedia of Puzzles* (1914); E. R. Berlekamp, *The Dots and Boxes Game*
//! (2000). The margin counts the remaining boxes only, so a position is the set of lines drawn.

mod boards;
mod openings;
mod remarks;
mod sight;

pub use boards::{BoardValue, board_values};
pub use openings::{opening_reply, table_openings};

use crate::{Analyzer, Margin, Solver};
use bouton_core::{
    Appearance, Board, Consequence, Coordinates, DotsStructure, LimitReached, Meter, MoveText,
    Notation, NotationError, Ruleset, Scanner, Scored,
};
use bouton_engine::family::{Example, Family, Reference, ReferenceKind, name_prefix};
use bouton_engine::game::{
    ByMargin, Evaluation, Evaluator, Game, Kind, ReachedOption, Remark, Settings, with_evaluator,
};
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

/// The entry of this family in the catalogue.
pub const FAMILY: Family = Family {
    name: "dots",
    notation: "dots(RxC) | dots(RxC;swedish) | dots(RxC;icelandic)",
    about: "draw lines between dots; who closes a box owns it and moves again",
    title: "Dots and Boxes",
    sentence: "Draw a line; who closes a box owns it and moves again.",
    opening: Example::new("dots(2x2)", ""),
    source: "E. R. Berlekamp, The Dots and Boxes Game (2000)",
    reference: Reference {
        kind: ReferenceKind::Book,
        key: "berlekamp",
        author: "Elwyn R. Berlekamp",
        title: "The Dots and Boxes Game: Sophisticated Child's Play",
        place: "A K Peters",
        year: "2000",
    },
    examples: &[Example::new("dots(2x2)", ""), Example::new("dots(1x2)", "--/|.|/..")],
    claims: |text| name_prefix(text) == "dots",
    parse,
};

/// The greatest number of lines of a board.
pub const MAX_LINES: usize = 128;

/// A set of lines, one bit each: from top to bottom, each row of horizontal lines before the
/// vertical lines below it, from left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lines(u128);

/// The lines that are drawn at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Border {
    /// No lines: the American board.
    #[default]
    Open,
    /// All lines of the rim.
    Swedish,
    /// The lines of the rim at the left and at the bottom.
    Icelandic,
}

/// A board.
#[derive(Debug, Clone)]
pub struct Dots {
    /// The number of rows of boxes.
    pub rows: usize,
    /// The number of columns of boxes.
    pub columns: usize,
    /// The lines drawn at the start.
    pub border: Border,
    /// The four lines of each box.
    boxes: Arc<[u128]>,
    /// The boxes on each side of a line.
    sides: Arc<[Vec<usize>]>,
    symmetries: Arc<[LinePermutation]>,
}

/// A permutation of lines, as a table by bytes: `images[256 * b + v]` is the image of the lines of
/// byte b with pattern v.
#[derive(Debug)]
struct LinePermutation {
    images: Vec<u128>,
}

impl LinePermutation {
    fn new(to: &[usize]) -> LinePermutation {
        let bytes = to.len().div_ceil(8);
        let image = |b: usize, v: usize| {
            (0..8)
                .filter(|bit| v >> bit & 1 == 1)
                .filter_map(|bit| to.get(8 * b + bit))
                .map(|line| 1 << line)
                .sum()
        };
        LinePermutation {
            images: (0..bytes).flat_map(|b| (0..256).map(move |v| image(b, v))).collect(),
        }
    }

    fn apply(&self, lines: u128) -> u128 {
        let bytes = self.images.len() / 256;
        (0..bytes)
            .map(|b| self.images[256 * b + (lines >> (8 * b) & 255) as usize])
            .fold(0, |a, b| a | b)
    }
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let accepted = format!(
        "dots(RxC), R rows and C columns of boxes with at most {MAX_LINES} lines, e.g. dots(3x3), \
         dots(3x3;swedish) with the rim drawn or dots(3x3;icelandic) with its left and bottom"
    );
    let mut scanner = Scanner::new(text, accepted);
    scanner.expect("dots")?;
    scanner.expect("(")?;
    let start = scanner.at();
    let rows = scanner.number("the number of rows", 63)? as usize;
    if !scanner.eat("×") {
        scanner.expect("x")?;
    }
    let columns = scanner.number("the number of columns", 63)? as usize;
    let end = scanner.at();
    let border = match scanner.eat(";") {
        false => Border::Open,
        true => {
            let start = scanner.at();
            match scanner.run(char::is_alphabetic) {
                "swedish" => Border::Swedish,
                "icelandic" => Border::Icelandic,
                _ => {
                    return Err(
                        scanner.error(start..scanner.at(), "expected `swedish` or `icelandic`")
                    );
                }
            }
        }
    };
    scanner.expect(")")?;
    scanner.finish()?;
    if rows == 0 || columns == 0 {
        return Err(scanner.error(start..end, "a board needs at least one box"));
    }
    let lines = (rows + 1) * columns + rows * (columns + 1);
    if lines > MAX_LINES {
        return Err(scanner
            .error(start..end, format!("this board has {lines} lines; the most is {MAX_LINES}")));
    }
    Ok(with_evaluator::<_, DotsEvaluator>(Dots { border, ..Dots::new(rows, columns) }))
}

impl Dots {
    /// Returns the board of `rows` × `columns` boxes with at most 128 lines.
    pub fn new(rows: usize, columns: usize) -> Dots {
        let (h, v) = (|r, c| r * (2 * columns + 1) + c, |r, c| r * (2 * columns + 1) + columns + c);
        let box_lines = |r: usize, c: usize| {
            1u128 << h(r, c) | 1 << h(r + 1, c) | 1 << v(r, c) | 1 << v(r, c + 1)
        };
        let boxes: Arc<[u128]> =
            (0..rows).flat_map(|r| (0..columns).map(move |c| box_lines(r, c))).collect();
        let count = (rows + 1) * columns + rows * (columns + 1);
        let sides = (0..count)
            .map(|line| (0..boxes.len()).filter(|b| boxes[*b] >> line & 1 == 1).collect())
            .collect();
        // A symmetry is given by the images of the ends of lines: flips always, a transposition on
        // square boards.
        let mut symmetries = Vec::new();
        for image in 1..if rows == columns { 8 } else { 4 } {
            let (down, across, transposed) = (image & 1 == 1, image & 2 == 2, image & 4 == 4);
            let mut to = vec![0; count];
            for r in 0..=rows {
                for c in 0..=columns {
                    let flip = |r: usize, c: usize, last_r: usize, last_c: usize| {
                        (if down { last_r - r } else { r }, if across { last_c - c } else { c })
                    };
                    if c < columns {
                        let (r2, c2) = flip(r, c, rows, columns - 1);
                        to[h(r, c)] = if transposed { v(c2, r2) } else { h(r2, c2) };
                    }
                    if r < rows {
                        let (r2, c2) = flip(r, c, rows - 1, columns);
                        to[v(r, c)] = if transposed { h(c2, r2) } else { v(r2, c2) };
                    }
                }
            }
            symmetries.push(LinePermutation::new(&to));
        }
        Dots { rows, columns, border: Border::Open, boxes, sides, symmetries: symmetries.into() }
    }

    /// Returns the group of a line, counted from the top, and its place in the group. Even groups
    /// are horizontal.
    fn group(&self, line: usize) -> (usize, usize) {
        let (pair, place) = (line / (2 * self.columns + 1), line % (2 * self.columns + 1));
        if place < self.columns { (2 * pair, place) } else { (2 * pair + 1, place - self.columns) }
    }

    /// Returns a line as the names of its dots.
    fn line_text(&self, line: usize) -> String {
        let (group, place) = self.group(line);
        let (r, c) = (group / 2, place);
        let end = if group % 2 == 0 { self.dot(r, c + 1) } else { self.dot(r + 1, c) };
        self.dot(r, c) + &end
    }

    /// Returns the number of closed boxes.
    fn closed(&self, p: &Lines) -> usize {
        self.boxes.iter().filter(|lines| **lines & !p.0 == 0).count()
    }

    /// Returns the name of a dot: a letter, row by row, or row and column on large boards.
    fn dot(&self, r: usize, c: usize) -> String {
        let number = r * (self.columns + 1) + c;
        let letters = (self.rows + 1) * (self.columns + 1) <= 26;
        if letters {
            char::from(b'A' + number as u8).to_string()
        } else {
            format!("({},{})", r + 1, c + 1)
        }
    }
}

impl Ruleset for Dots {
    type Position = Lines;

    fn options<B>(
        &self,
        p: &Lines,
        mut visit: impl FnMut(Lines) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.scored_options(p, |option, _| visit(option))
    }

    fn rank(&self, p: &Lines) -> Option<u64> {
        Some((self.sides.len() as u32 - p.0.count_ones()).into())
    }

    fn canonical(&self, p: Lines) -> Lines {
        Lines(self.symmetries.iter().map(|symmetry| symmetry.apply(p.0)).fold(p.0, u128::min))
    }
}

impl Scored for Dots {
    fn scored_options<B>(
        &self,
        p: &Lines,
        mut visit: impl FnMut(Lines, Consequence) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (line, sides) in self.sides.iter().enumerate().filter(|(line, _)| p.0 >> line & 1 == 0)
        {
            let q = p.0 | 1 << line;
            let gain = sides.iter().filter(|b| self.boxes[**b] & !q == 0).count() as u32;
            visit(Lines(q), Consequence { gain, again: gain > 0 })?;
        }
        Continue(())
    }

    fn points_left(&self, p: &Lines) -> u32 {
        self.boxes.iter().filter(|lines| **lines & !p.0 != 0).count() as u32
    }
}

impl Notation for Dots {
    fn name(&self) -> String {
        let border = match self.border {
            Border::Open => "",
            Border::Swedish => ";swedish",
            Border::Icelandic => ";icelandic",
        };
        format!("dots({}x{}{border})", self.rows, self.columns)
    }

    fn describe(&self) -> String {
        format!(
            "Draw a line between two neighbouring dots of a board of {} × {} boxes. Whoever draws \
             the last line of a box owns it and moves again; most boxes win.",
            self.rows, self.columns
        )
    }

    fn position_form(&self) -> String {
        let empty = self.print(&self.start().unwrap_or(Lines(0)));
        format!("lines from top to bottom, - and | drawn, . open, e.g. {empty}")
    }

    fn read(&self, text: &str) -> Result<Lines, NotationError> {
        let mut scanner = Scanner::new(text, self.position_form());
        let mut lines = 0;
        for line in 0..self.sides.len() {
            let (group, place) = self.group(line);
            if place == 0 && group > 0 {
                scanner.expect("/")?;
            }
            if scanner.eat(if group % 2 == 0 { "-" } else { "|" }) {
                lines |= 1 << line;
            } else if !scanner.eat(".") {
                let wanted = if group % 2 == 0 { "`-` or `.`" } else { "`|` or `.`" };
                return Err(scanner.unexpected(wanted));
            }
        }
        scanner.finish()?;
        Ok(Lines(lines))
    }

    fn print(&self, p: &Lines) -> String {
        let mut text = String::new();
        for line in 0..self.sides.len() {
            let (group, place) = self.group(line);
            if place == 0 && group > 0 {
                text.push('/');
            }
            let drawn = if group % 2 == 0 { '-' } else { '|' };
            text.push(if p.0 >> line & 1 == 1 { drawn } else { '.' });
        }
        text
    }

    fn start(&self) -> Option<Lines> {
        let drawn = |line: usize| {
            let (group, place) = self.group(line);
            match (self.border, group % 2) {
                (Border::Open, _) => false,
                (Border::Swedish, 0) => group == 0 || group == 2 * self.rows,
                (Border::Swedish, _) => place == 0 || place == self.columns,
                (Border::Icelandic, 0) => group == 2 * self.rows,
                (Border::Icelandic, _) => place == 0,
            }
        };
        Some(Lines((0..self.sides.len()).filter(|line| drawn(*line)).map(|line| 1 << line).sum()))
    }

    fn move_text(&self, p: &Lines, q: &Lines) -> MoveText {
        MoveText::Words(self.line_text((p.0 ^ q.0).trailing_zeros() as usize))
    }
}

impl Coordinates for Dots {}

impl Appearance for Dots {
    fn board(&self, p: &Lines) -> Board {
        let drawn = |kind: usize| {
            let of_kind = (0..self.sides.len()).filter(move |line| self.group(*line).0 % 2 == kind);
            of_kind.map(|line| p.0 >> line & 1 == 1).collect()
        };
        Board::Dots {
            rows: self.rows,
            columns: self.columns,
            horizontal: drawn(0),
            vertical: drawn(1),
        }
    }

    fn sight(&self, p: &Lines) -> Option<DotsStructure> {
        let analyst = Analyzer::new(self.rows, self.columns)?;
        Some(sight::structure_marks(self, &analyst.structure(p.0 as u64)))
    }
}

/// Evaluates boards of at most 64 lines by the engine, others as any game won on points.
struct DotsEvaluator {
    solver: Option<Solver>,
    analyst: Option<Analyzer>,
    generic: ByMargin<Dots>,
}

/// The least size of the table.
const MIN_BYTES: u64 = 4 << 20;
/// The greatest size of the table, as far as the budget allows.
const MAX_BYTES: u64 = 512 << 20;
/// The number of lines up to which a board gets a smaller table: it needs no more, and a smaller
/// table is faster.
const FEW_LINES: u32 = 40;
const FEW_BYTES: u64 = 128 << 20;
/// The bytes that a second of search can use.
const BYTES_PER_SECOND: f64 = (32 << 20) as f64;

impl DotsEvaluator {
    /// Returns an engine with a table for the position, or `None` if the board is too large.
    fn solver(
        &mut self,
        rules: &Dots,
        p: &Lines,
        meter: &Meter,
    ) -> Result<Option<&Solver>, LimitReached> {
        let lines = rules.sides.len();
        if lines > 64 {
            return Ok(None);
        }
        // There are no more positions than sets of open lines.
        let open = lines as u32 - p.0.count_ones();
        let most = if open <= FEW_LINES { FEW_BYTES } else { MAX_BYTES };
        let in_time = meter
            .budget()
            .deadline
            .map_or(most, |deadline| (deadline.left().as_secs_f64() * BYTES_PER_SECOND) as u64);
        let limit = meter.budget().bytes.unwrap_or(most).min(most).min(in_time);
        let bytes = 1u64
            .checked_shl(open + 3)
            .map_or(limit, |all| all.clamp(MIN_BYTES, limit.max(MIN_BYTES)));
        meter.check_bytes(bytes)?;
        if self.solver.as_ref().is_none_or(|solver| solver.bytes() < bytes.min(1 << bytes.ilog2()))
        {
            self.solver = Solver::new(rules.rows, rules.columns, bytes, 1);
        }
        Ok(self.solver.as_ref())
    }
}

fn evaluation(margin: Margin) -> Evaluation {
    Evaluation::from_bounds(margin.low, margin.high)
}

impl Evaluator<Dots> for DotsEvaluator {
    const KIND: Kind = Kind::Scored;

    fn new(rules: &Dots, settings: &Settings) -> Self {
        DotsEvaluator {
            solver: None,
            analyst: Analyzer::new(rules.rows, rules.columns),
            generic: ByMargin::new(rules, settings),
        }
    }

    fn evaluate(
        &mut self,
        rules: &Dots,
        p: &Lines,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        match self.solver(rules, p, meter)? {
            Some(solver) => {
                let (margin, end) = solver.margin(p.0 as u64, meter);
                end.map(|()| evaluation(margin))
            }
            None => self.generic.evaluate(rules, p, meter),
        }
    }

    fn known(&self, rules: &Dots, p: &Lines) -> Evaluation {
        match &self.solver {
            Some(solver) => evaluation(solver.known(p.0 as u64)),
            None => self.generic.known(rules, p),
        }
    }

    fn best_move(
        &mut self,
        rules: &Dots,
        p: &Lines,
        meter: &mut Meter,
    ) -> Result<Option<(Lines, Consequence)>, LimitReached> {
        let Some(solver) = self.solver(rules, p, meter)? else {
            return self.generic.best_move(rules, p, meter);
        };
        let Some(line) = solver.best_move(p.0 as u64, meter)? else { return Ok(None) };
        let q = Lines(p.0 | 1 << line);
        let gain = rules.points_left(p) - rules.points_left(&q);
        Ok(Some((q, Consequence { gain, again: gain > 0 })))
    }

    fn remarks(
        &mut self,
        rules: &Dots,
        p: &Lines,
        found: &Evaluation,
        meter: &mut Meter,
    ) -> Vec<Remark> {
        match &mut self.analyst {
            Some(analyst) if rules.points_left(p) > 0 => {
                remarks::structure_remarks(rules, p, analyst, found, meter)
            }
            _ => Vec::new(),
        }
    }

    fn moves(
        &self,
        rules: &Dots,
        p: &Lines,
        most: usize,
    ) -> Result<Vec<ReachedOption<Dots>>, LimitReached> {
        self.generic.moves(rules, p, most)
    }
}

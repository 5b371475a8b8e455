//! Dots and Boxes, exactly.
//!
//! The margin of a position is the number of remaining boxes that the player to move wins less
//! those of the opponent. A position is a board of at most 64 lines with any set of lines drawn.
//! [`Solver`] computes its margin, that of every move and a line of best play, or bounds if the
//! budget is exhausted. docs/design/dots.md describes the gain of each technique. This crate does
//! not know the catalogue or the pages.

mod captures;
mod chains;
mod coins;
mod game;
mod grid;
mod journal;
mod memory;
mod moves;
mod nimstring;
mod order;
mod position;
mod search;
mod strings_and_coins;
mod structure;
mod table;
mod threads;

pub use coins::{CoinGraph, CoinSolver};
pub use game::{BoardValue, Border, Dots, FAMILY, board_values, opening_reply, table_openings};
pub use journal::{Progress, ResumableRun, RunShard};
pub use nimstring::NimstringValue;
pub use strings_and_coins::FAMILY as STRINGS_AND_COINS;
pub use structure::{Chain, Structure};

use bouton_core::{Arrange, LimitReached, Meter};
use captures::Captures;
use chains::Multisets;
use grid::Grid;
use journal::Journal;
use nimstring::Nimstring;
use position::{Node, OpenLines};
use search::SharedSearch;
use std::io;
use table::{BoundTable, Bounds};

/// Bounds on a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// The least possible margin.
    pub low: i32,
    /// The greatest possible margin.
    pub high: i32,
}

impl Margin {
    /// Returns the margin if both bounds are equal.
    pub fn exact(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// Returns the margin for the opponent.
    #[must_use]
    pub fn negated(self) -> Margin {
        Margin { low: -self.high, high: -self.low }
    }

    fn plus(self, boxes: i32) -> Margin {
        Margin { low: self.low + boxes, high: self.high + boxes }
    }
}

impl Captures {
    /// Returns the margin of the player who may close the boxes, given bounds on the value of the
    /// remaining position.
    fn margin(self, rest: Bounds) -> Margin {
        let (count, deal) = (self.count as i32, self.deal);
        if deal == 0 {
            return Margin { low: count + rest.low, high: count + rest.high };
        }
        let (low, high) = (rest.low + deal, rest.high + deal);
        let least = if low > 0 { low } else { (-high).max((low + high) & 1) };
        Margin { low: count - deal + least, high: count - deal + high.max(-low) }
    }
}

/// A move and the margin that it leads to, for the player who makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The number of the line.
    pub line: u32,
    /// The number of boxes that the line closes.
    pub gain: u32,
    /// The margin of the move, with the boxes that it closes.
    pub margin: Margin,
}

/// The structure of positions of one board, and their values in Nimstring.
#[derive(Debug, Clone)]
pub struct Analyzer {
    grid: Grid,
    nimstring: Nimstring,
}

impl Analyzer {
    /// Returns an analyzer for the board of `rows` × `columns` boxes, or `None` if the board has no
    /// boxes or more than 64 lines.
    pub fn new(rows: usize, columns: usize) -> Option<Analyzer> {
        Some(Analyzer { grid: Grid::new(rows, columns)?, nimstring: Nimstring::default() })
    }

    /// Returns the chains, loops, joints and safe lines of the position with these lines drawn.
    pub fn structure(&self, drawn: u64) -> Structure {
        Structure::new(&self.grid, self.grid.all() & !drawn)
    }

    /// Returns the value in Nimstring of the position with these lines drawn.
    ///
    /// # Errors
    /// Fails if the budget is exhausted.
    pub fn nimstring_value(
        &mut self,
        drawn: u64,
        meter: &mut Meter,
    ) -> Result<NimstringValue, LimitReached> {
        self.nimstring.value(&self.grid, self.grid.all() & !drawn, meter)
    }
}

/// Solves positions of one board, and keeps the results for later questions.
#[derive(Debug)]
pub struct Solver {
    shared: SharedSearch,
    threads: usize,
}

impl Solver {
    /// Returns a solver of the board of `rows` × `columns` boxes with a table of at most `bytes`
    /// bytes (but at least 4 MB), or `None` if the board has no boxes or more than 64 lines.
    ///
    /// Lines are numbered from top to bottom, each row of horizontal lines before the vertical
    /// lines below it, from left to right. A set of lines has one bit for each.
    pub fn new(rows: usize, columns: usize, bytes: u64, threads: usize) -> Option<Solver> {
        let grid = Grid::new(rows, columns)?;
        let sets = Multisets::new(grid.boxes, 64 - grid.lines);
        let table = BoundTable::new(bytes);
        let threads = threads.max(1);
        Some(Solver { shared: SharedSearch::new(grid, sets, table), threads })
    }

    /// Returns a solver whose run can be resumed: results are kept in a folder, and results found
    /// there are used.
    ///
    /// # Errors
    /// Fails if files cannot be read or written or belong to another run. A board that has no
    /// solver is invalid input.
    pub fn resumed(
        rows: usize,
        columns: usize,
        bytes: u64,
        threads: usize,
        run: &ResumableRun,
    ) -> io::Result<Solver> {
        let grid = Grid::new(rows, columns).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "a board of 1 to 64 lines is needed")
        })?;
        let sets = Multisets::new(grid.boxes, 64 - grid.lines);
        std::fs::create_dir_all(&run.folder)?;
        let table = if run.keeps_table {
            BoundTable::in_file(
                &run.table(),
                bytes,
                &format!("Dots and Boxes {rows}x{columns}, bounds, 2"),
            )?
        } else {
            BoundTable::new(bytes)
        };
        let journal = Journal::open(run, (rows, columns), &grid, &sets, &table)?;
        let threads = threads.max(1);
        let mut shared = SharedSearch::new(grid, sets, table);
        shared.journal = Some(journal);
        Ok(Solver { shared, threads })
    }

    /// Returns the progress of a resumable run.
    pub fn progress(&self) -> Option<Progress> {
        self.shared.journal.as_ref().map(Journal::progress)
    }

    /// Returns the number of lines.
    pub fn lines(&self) -> u32 {
        self.shared.grid.lines
    }

    /// Returns the memory of the table, in bytes.
    pub fn bytes(&self) -> u64 {
        self.shared.table.bytes()
    }

    /// Returns the margin of the position with these lines drawn, and the reason for stopping if
    /// the margin is not exact.
    pub fn margin(&self, drawn: u64, meter: &mut Meter) -> (Margin, Result<(), LimitReached>) {
        let (closed, node) = self.position(drawn);
        let end = self.settle(node, meter);
        (closed.margin(self.shared.known(node)), end)
    }

    /// Returns whether the margin is at least `least`. This is one question; a margin takes
    /// several.
    ///
    /// # Errors
    /// Fails if the budget is exhausted.
    pub fn is_at_least(
        &self,
        drawn: u64,
        least: i32,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        let (closed, node) = self.position(drawn);
        self.reaches(closed, node, least, meter)
    }

    /// Returns the margin as far as it is known without search.
    pub fn known(&self, drawn: u64) -> Margin {
        let (closed, node) = self.position(drawn);
        closed.margin(self.shared.known(node))
    }

    /// Returns the margin of every move, by line. The budget is spent on one move after the other;
    /// known margins are free.
    pub fn choices(
        &self,
        drawn: u64,
        meter: &mut Meter,
    ) -> (Vec<Choice>, Result<(), LimitReached>) {
        let mut end = Ok(());
        let lines = (0..self.lines()).filter(|line| drawn >> line & 1 == 0);
        let choices = lines.map(|line| {
            let gain = self.gain(drawn, line);
            let (closed, node) = self.position(drawn | 1 << line);
            if end.is_ok() {
                end = self.settle(node, meter);
            }
            let rest = closed.margin(self.shared.known(node));
            let margin = if gain > 0 { rest.plus(gain as i32) } else { rest.negated() };
            Choice { line, gain, margin }
        });
        (choices.collect(), end)
    }

    /// Returns a line of best play to the end of the game, or to the exhaustion of the budget.
    /// Among equal moves those that close boxes come first.
    pub fn best_play(&self, drawn: u64, meter: &mut Meter) -> (Vec<u32>, Result<(), LimitReached>) {
        let (mut drawn, mut play) = (drawn & self.shared.grid.all(), Vec::new());
        let end = loop {
            match self.best_move(drawn, meter) {
                Ok(Some(line)) => {
                    play.push(line);
                    drawn |= 1 << line;
                }
                Ok(None) => break Ok(()),
                Err(limit) => break Err(limit),
            }
        };
        (play, end)
    }

    /// Returns a best move, or `None` if no line is open. Among equal moves those that close boxes
    /// come first.
    ///
    /// # Errors
    /// Fails if the budget is exhausted.
    pub fn best_move(&self, drawn: u64, meter: &mut Meter) -> Result<Option<u32>, LimitReached> {
        if self.shared.grid.all() & !drawn == 0 {
            return Ok(None);
        }
        let (closed, node) = self.position(drawn);
        self.settle(node, meter)?;
        let value = closed.margin(self.shared.known(node)).low;
        let mut lines: Vec<u32> = (0..self.lines()).filter(|line| drawn >> line & 1 == 0).collect();
        let ring = |line: u32| self.shared.grid.rings.iter().position(|ring| ring >> line & 1 == 1);
        lines.arrange_by_key(|line| (std::cmp::Reverse(self.gain(drawn, *line)), ring(*line)));
        let last = lines.pop().unwrap_or(0);
        for line in lines {
            if self.keeps(drawn, line, value, meter)? {
                return Ok(Some(line));
            }
        }
        Ok(Some(last))
    }

    /// Returns the margin and all moves that keep it. This takes less work than the margin of every
    /// move.
    ///
    /// # Errors
    /// Fails if the budget is exhausted.
    pub fn best_moves(
        &self,
        drawn: u64,
        meter: &mut Meter,
    ) -> Result<(i32, Vec<u32>), LimitReached> {
        let (closed, node) = self.position(drawn);
        self.settle(node, meter)?;
        let value = closed.margin(self.shared.known(node)).low;
        let mut best = Vec::new();
        for line in (0..self.lines()).filter(|line| drawn >> line & 1 == 0) {
            if self.keeps(drawn, line, value, meter)? {
                best.push(line);
            }
        }
        Ok((value, best))
    }

    /// Returns whether a move achieves at least `value`.
    fn keeps(
        &self,
        drawn: u64,
        line: u32,
        value: i32,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        let gain = self.gain(drawn, line) as i32;
        let (closed, node) = self.position(drawn | 1 << line);
        if gain > 0 {
            self.reaches(closed, node, value - gain, meter)
        } else {
            Ok(!self.reaches(closed, node, 1 - value, meter)?)
        }
    }

    /// Returns the number of boxes that a line closes.
    fn gain(&self, drawn: u64, line: u32) -> u32 {
        let grid = &self.shared.grid;
        let open = grid.all() & !drawn;
        let live = |open: u64| grid.counts(open).live().count_ones();
        live(open) - live(open & !(1 << line))
    }

    /// Returns the position after all captures.
    fn position(&self, drawn: u64) -> (Captures, Node) {
        let grid = &self.shared.grid;
        let closed = captures::close(grid, grid.all() & !drawn);
        let boxes = grid.counts(closed.open).live().count_ones();
        let state = OpenLines { open: closed.open, set: 0 };
        (closed, Node::from_position(grid, &self.shared.sets, state, grid.all(), boxes))
    }

    /// Returns whether the margin after these captures is at least `least`.
    fn reaches(
        &self,
        closed: Captures,
        node: Node,
        least: i32,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        let rest = least - closed.count as i32;
        if closed.deal == 0 {
            return self.ask(node, rest, meter);
        }
        // Whether |V + deal| is at least `rest + deal`.
        let far = rest + closed.deal;
        Ok(far <= 0
            || self.ask(node, far - closed.deal, meter)?
            || !self.ask(node, 1 - far - closed.deal, meter)?)
    }

    /// Computes the exact value of a position without captures, from the middle outwards.
    fn settle(&self, node: Node, meter: &mut Meter) -> Result<(), LimitReached> {
        loop {
            let known = self.shared.known(node);
            if known.low == known.high {
                return Ok(());
            }
            let middle = (node.boxes as i32) % 2;
            self.ask(node, middle.clamp(known.low + 2, known.high), meter)?;
        }
    }

    /// Returns whether the value of a position without captures is at least `least`.
    fn ask(&self, node: Node, least: i32, meter: &mut Meter) -> Result<bool, LimitReached> {
        // Values have the parity of the number of boxes.
        let least = least + (least + node.boxes as i32).rem_euclid(2);
        if let Some(journal) = &self.shared.journal {
            journal.begin();
        }
        if self.threads == 1 {
            return self.shared.search(meter, None, node, least);
        }
        threads::ask(&self.shared, self.threads, node, least, meter)
    }
}

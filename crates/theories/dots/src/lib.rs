//! Dots and Boxes, exactly.
//!
//! The margin of a position is the mover's boxes less the other's, of those still to be closed. A position is a board of
//! at most 64 lines, drawn as one likes; [`Solver`] finds its margin, that of every move, and a line of best play, or
//! bounds when the budget ends first. See docs/design/dots.md for what each technique gains.

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
pub use game::{BoardValue, Border, Dots, FAMILY, board_values, kept_openings, opening_reply};
pub use journal::{Progress, Run, Shard};
pub use nimstring::Worth;
pub use strings_and_coins::FAMILY as STRINGS_AND_COINS;
pub use structure::{Chain, Structure};

use bouton_core::{LimitReached, Meter};
use captures::Closed;
use chains::Multisets;
use grid::Grid;
use journal::Journal;
use nimstring::Nimstring;
use position::{Node, State};
use search::Shared;
use std::io;
use table::{Bounds, Table};

/// A margin, exact when both bounds are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// At least so many.
    pub low: i32,
    /// At most so many.
    pub high: i32,
}

impl Margin {
    /// The margin, if it is known.
    pub fn exact(self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// The same margin for the other player.
    #[must_use]
    pub fn negated(self) -> Margin {
        Margin { low: -self.high, high: -self.low }
    }

    fn plus(self, boxes: i32) -> Margin {
        Margin { low: self.low + boxes, high: self.high + boxes }
    }
}

impl Closed {
    /// The margin of the player who may close the boxes, given bounds on the value of what is left.
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
    /// The line, by its number.
    pub line: u32,
    /// Boxes closed by it.
    pub gain: u32,
    /// The margin from here on, those boxes included.
    pub margin: Margin,
}

/// Positions of one board as players see them, and their values in Nimstring.
#[derive(Debug, Clone)]
pub struct Analyst {
    grid: Grid,
    nimstring: Nimstring,
}

impl Analyst {
    /// For the board of `rows` × `columns` boxes; `None` if it has no boxes or more than 64 lines.
    pub fn new(rows: usize, columns: usize) -> Option<Analyst> {
        Some(Analyst { grid: Grid::new(rows, columns)?, nimstring: Nimstring::default() })
    }

    /// Chains, loops, joints and safe lines of the position with these lines drawn.
    pub fn structure(&self, drawn: u64) -> Structure {
        Structure::new(&self.grid, self.grid.all() & !drawn)
    }

    /// What the position with these lines drawn is worth in Nimstring.
    pub fn worth(&mut self, drawn: u64, meter: &mut Meter) -> Result<Worth, LimitReached> {
        self.nimstring.worth(&self.grid, self.grid.all() & !drawn, meter)
    }
}

/// Solves positions of one board. What it finds it keeps for the next question.
#[derive(Debug)]
pub struct Solver {
    shared: Shared,
    threads: usize,
}

impl Solver {
    /// A solver of the board of `rows` × `columns` boxes, with a table of at most `bytes` (but at least 4 MB) and so many
    /// threads. `None` if the board has no boxes or more than 64 lines.
    ///
    /// Lines are numbered from top to bottom, each row of horizontal lines before the vertical lines below it, from
    /// left to right; a set of lines has one bit each.
    pub fn new(rows: usize, columns: usize, bytes: u64, threads: usize) -> Option<Solver> {
        let grid = Grid::new(rows, columns)?;
        let sets = Multisets::new(grid.boxes, 64 - grid.lines);
        let table = Table::new(bytes);
        let threads = threads.max(1);
        Some(Solver { shared: Shared::new(grid, sets, table), threads })
    }

    /// The same as a run that can be taken up again: what is found is kept in a folder, and what is there is known.
    ///
    /// # Errors
    /// When files cannot be read or written or are of something else; boards that have no solver are invalid input.
    pub fn resumed(rows: usize, columns: usize, bytes: u64, threads: usize, run: &Run) -> io::Result<Solver> {
        let grid = Grid::new(rows, columns).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "a board of 1 to 64 lines is needed")
        })?;
        let sets = Multisets::new(grid.boxes, 64 - grid.lines);
        std::fs::create_dir_all(&run.folder)?;
        let table = if run.keeps_table {
            Table::in_file(&run.table(), bytes, &format!("Dots and Boxes {rows}x{columns}, bounds, 2"))?
        } else {
            Table::new(bytes)
        };
        let journal = Journal::open(run, (rows, columns), &grid, &sets, &table)?;
        let threads = threads.max(1);
        let mut shared = Shared::new(grid, sets, table);
        shared.journal = Some(journal);
        Ok(Solver { shared, threads })
    }

    /// How far a run is that can be taken up again.
    pub fn progress(&self) -> Option<Progress> {
        self.shared.journal.as_ref().map(Journal::progress)
    }

    /// The number of lines.
    pub fn lines(&self) -> u32 {
        self.shared.grid.lines
    }

    /// Bytes held by the table.
    pub fn bytes(&self) -> u64 {
        self.shared.table.bytes()
    }

    /// The margin of the position with these lines drawn; with the reason for stopping if it is not exact.
    pub fn margin(&self, drawn: u64, meter: &mut Meter) -> (Margin, Result<(), LimitReached>) {
        let (closed, node) = self.position(drawn);
        let end = self.settle(node, meter);
        (closed.margin(self.shared.known(node)), end)
    }

    /// Whether the margin is at least so much: one question, where the margin takes several.
    pub fn is_at_least(&self, drawn: u64, least: i32, meter: &mut Meter) -> Result<bool, LimitReached> {
        let (closed, node) = self.position(drawn);
        self.reaches(closed, node, least, meter)
    }

    /// What is known of the margin without search.
    pub fn known(&self, drawn: u64) -> Margin {
        let (closed, node) = self.position(drawn);
        closed.margin(self.shared.known(node))
    }

    /// The margin of every move, by line. What is already known costs nothing; the rest is found in turn until the
    /// budget ends.
    pub fn choices(&self, drawn: u64, meter: &mut Meter) -> (Vec<Choice>, Result<(), LimitReached>) {
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

    /// Lines of best play to the end of the game, or as far as the budget lets it be found. Moves that close boxes come
    /// first among equals.
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

    /// A best move, if any line is open. Moves that close boxes come first among equals.
    pub fn best_move(&self, drawn: u64, meter: &mut Meter) -> Result<Option<u32>, LimitReached> {
        if self.shared.grid.all() & !drawn == 0 {
            return Ok(None);
        }
        let (closed, node) = self.position(drawn);
        self.settle(node, meter)?;
        let value = closed.margin(self.shared.known(node)).low;
        let mut lines: Vec<u32> = (0..self.lines()).filter(|line| drawn >> line & 1 == 0).collect();
        let ring = |line: u32| self.shared.grid.rings.iter().position(|ring| ring >> line & 1 == 1);
        lines.sort_by_key(|line| (std::cmp::Reverse(self.gain(drawn, *line)), ring(*line)));
        let last = lines.pop().unwrap_or(0);
        for line in lines {
            if self.keeps(drawn, line, value, meter)? {
                return Ok(Some(line));
            }
        }
        Ok(Some(last))
    }

    /// The margin, and all moves that keep it: less work than the margin of every move.
    pub fn best_moves(&self, drawn: u64, meter: &mut Meter) -> Result<(i32, Vec<u32>), LimitReached> {
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

    /// Whether a move brings at least so much.
    fn keeps(&self, drawn: u64, line: u32, value: i32, meter: &mut Meter) -> Result<bool, LimitReached> {
        let gain = self.gain(drawn, line) as i32;
        let (closed, node) = self.position(drawn | 1 << line);
        if gain > 0 {
            self.reaches(closed, node, value - gain, meter)
        } else {
            Ok(!self.reaches(closed, node, 1 - value, meter)?)
        }
    }

    /// Boxes that a line closes.
    fn gain(&self, drawn: u64, line: u32) -> u32 {
        let grid = &self.shared.grid;
        let open = grid.all() & !drawn;
        let live = |open: u64| grid.counts(open).live().count_ones();
        live(open) - live(open & !(1 << line))
    }

    /// A position after all captures.
    fn position(&self, drawn: u64) -> (Closed, Node) {
        let grid = &self.shared.grid;
        let closed = captures::close(grid, grid.all() & !drawn);
        let boxes = grid.counts(closed.open).live().count_ones();
        let state = State { open: closed.open, set: 0 };
        (closed, Node::of(grid, &self.shared.sets, state, grid.all(), boxes))
    }

    /// Whether the margin after these captures is at least so much.
    fn reaches(
        &self,
        closed: Closed,
        node: Node,
        least: i32,
        meter: &mut Meter,
    ) -> Result<bool, LimitReached> {
        let rest = least - closed.count as i32;
        if closed.deal == 0 {
            return self.ask(node, rest, meter);
        }
        // |V + deal| is at least `rest + deal`.
        let far = rest + closed.deal;
        Ok(far <= 0
            || self.ask(node, far - closed.deal, meter)?
            || !self.ask(node, 1 - far - closed.deal, meter)?)
    }

    /// Finds the exact value of a position without captures, from the middle outwards.
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

    /// Whether the value of a position without captures is at least so much.
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

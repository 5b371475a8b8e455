//! The table of openings of 4 × 4, `crates/theories/dots/data/dots-4x4.txt`:
//!
//!     cargo run --release -p bouton-dots --example dots_openings -- \
//!        [--megabytes 2048] [--lines 8] > crates/theories/dots/data/dots-4x4.txt
//!
//! The whole board is searched first. Then, level by level, every answer to a position of the table
//! gets one reply: a position in which the player to move wins at most the boxes closed so far, and
//! one of the table if there is any.

use bouton_core::{Budget, LimitReached, Meter};
use bouton_dots::Solver;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BinaryHeap;
use std::process::ExitCode;

const SIDE: usize = 4;
const LINES: usize = 2 * SIDE * (SIDE + 1);

/// Returns the four lines of each box.
fn boxes() -> Vec<u64> {
    let period = 2 * SIDE + 1;
    let one = |r: usize, c: usize| {
        let top = r * period + c;
        [top, top + SIDE, top + SIDE + 1, top + period].iter().map(|line| 1u64 << line).sum()
    };
    (0..SIDE * SIDE).map(|i| one(i / SIDE, i % SIDE)).collect()
}

/// Returns the images of the lines under the eight symmetries of the square.
fn symmetries() -> Vec<Vec<usize>> {
    // A line is identified by twice the coordinates of its middle.
    let period = 2 * SIDE + 1;
    let middle = |line: usize| {
        let (r, at) = (line / period, line % period);
        if at < SIDE { (2 * r, 2 * at + 1) } else { (2 * r + 1, 2 * (at - SIDE)) }
    };
    let line = |(r, c): (usize, usize)| {
        if r % 2 == 0 { r / 2 * period + c / 2 } else { r / 2 * period + SIDE + c / 2 }
    };
    let turn = |(r, c): (usize, usize)| (c, 2 * SIDE - r);
    let flip = |(r, c): (usize, usize)| (r, 2 * SIDE - c);
    let mut all = Vec::new();
    for turns in 0..4 {
        for flipped in [false, true] {
            let image = |from: usize| {
                let turned = (0..turns).fold(middle(from), |at, _| turn(at));
                line(if flipped { flip(turned) } else { turned })
            };
            all.push((0..LINES).map(image).collect());
        }
    }
    all
}

struct Book {
    solver: Solver,
    boxes: Vec<u64>,
    symmetries: Vec<Vec<usize>>,
    meter: Meter,
    deepest: u32,
}

impl Book {
    fn least(&self, drawn: u64) -> u64 {
        let image = |to: &Vec<usize>| {
            to.iter().enumerate().map(|(from, to)| (drawn >> from & 1) << to).sum()
        };
        self.symmetries.iter().map(image).min().unwrap_or(drawn)
    }

    fn closed(&self, drawn: u64) -> i32 {
        self.boxes.iter().filter(|four| drawn & **four == **four).count() as i32
    }

    /// Returns a line that closes a box, if there is one.
    fn capture(&self, drawn: u64) -> Option<u64> {
        self.boxes.iter().map(|four| four & !drawn).find(|open| open.is_power_of_two())
    }

    fn offers(&self, drawn: u64) -> bool {
        self.capture(drawn).is_some()
    }

    /// Returns the positions after the answers to a position, which need a reply. Captures are made
    /// first, because so early there are few.
    fn awaiting(&self, p: u64) -> Vec<u64> {
        let answers = (0..LINES).filter(|line| p >> line & 1 == 0).map(|line| p | 1 << line);
        let after = |answer: u64| {
            if self.closed(answer) > self.closed(p) {
                return None;
            }
            let mut drawn = answer;
            while let Some(line) = self.capture(drawn) {
                drawn |= line;
            }
            // Two boxes or more might be declined.
            (self.closed(drawn) <= self.closed(p) + 1 && drawn.count_ones() < self.deepest)
                .then(|| self.least(drawn))
        };
        answers.filter_map(after).collect()
    }

    fn replies(&self, a: u64) -> Vec<u64> {
        let mut all: Vec<u64> = (0..LINES)
            .filter(|line| a >> line & 1 == 0)
            .map(|line| a | 1 << line)
            .filter(|q| !self.offers(*q))
            .map(|q| self.least(q))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns whether the player to move wins at most the boxes closed, if it is known without
    /// search.
    fn known(&self, q: u64) -> Option<bool> {
        let (known, most) = (self.solver.known(q), self.closed(q));
        if known.high <= most { Some(true) } else { (known.low > most).then_some(false) }
    }

    fn wins_nothing(&mut self, q: u64) -> Result<bool, LimitReached> {
        Ok(!self.solver.is_at_least(q, self.closed(q) + 1, &mut self.meter)?)
    }
}

fn write(megabytes: u64, deepest: u32) -> Result<(), LimitReached> {
    let Some(solver) = Solver::new(SIDE, SIDE, megabytes << 20, 1) else { return Ok(()) };
    let mut book = Book {
        solver,
        boxes: boxes(),
        symmetries: symmetries(),
        meter: Meter::new(&Budget::default()),
        deepest,
    };
    let (value, end) = book.solver.margin(0, &mut book.meter);
    end?;
    eprintln!("the empty board: {value:?}, {} nodes", book.meter.nodes());
    let mut levels: Vec<Vec<u64>> = vec![Vec::new(); deepest as usize + 1];
    let mut table: FxHashSet<u64> = FxHashSet::default();
    // The first player begins with the first line that keeps the draw, the second player with the
    // empty board.
    for first in book.replies(0) {
        if book.wins_nothing(first)? {
            table.insert(first);
            levels[1].push(first);
            break;
        }
    }
    levels[0].push(0);
    for level in 0..=deepest as usize {
        let mut awaiting: Vec<u64> = levels[level].iter().flat_map(|p| book.awaiting(*p)).collect();
        awaiting.sort_unstable();
        awaiting.dedup();
        let replies: Vec<Vec<u64>> = awaiting.iter().map(|a| book.replies(*a)).collect();
        let all = replies.len();
        let mut open: Vec<bool> =
            replies.iter().map(|options| !options.iter().any(|q| table.contains(q))).collect();
        let mut replies_served: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (i, options) in replies.iter().enumerate().filter(|(i, _)| open[*i]) {
            for q in options {
                replies_served.entry(*q).or_default().push(i);
            }
        }
        // Prefers the position that serves most answers without a reply among those known to be
        // good, then among those not known to be bad.
        let nimstring_value = |book: &Book, open: &[bool], q: u64| {
            let is_known = book.known(q).map_or(Some(false), |yes| yes.then_some(true))?;
            Some((is_known, replies_served[&q].iter().filter(|i| open[**i]).count()))
                .filter(|(_, count)| *count > 0)
        };
        let mut queue: BinaryHeap<((bool, usize), u64)> = replies_served
            .keys()
            .filter_map(|q| Some((nimstring_value(&book, &open, *q)?, *q)))
            .collect();
        while let Some((before, q)) = queue.pop() {
            match nimstring_value(&book, &open, q) {
                None => {}
                Some(now) if now != before => queue.push((now, q)),
                Some((is_known, _)) if is_known || book.wins_nothing(q)? => {
                    table.insert(q);
                    levels[q.count_ones() as usize].push(q);
                    replies_served[&q].iter().for_each(|i| open[*i] = false);
                }
                Some(_) => {}
            }
        }
        let without = open.iter().filter(|open| **open).count();
        eprintln!(
            "{level} lines: {all} answers, {without} without a quiet reply; {} kept, {} nodes",
            table.len(),
            book.meter.nodes()
        );
    }
    let mut table: Vec<u64> = table.into_iter().collect();
    table.sort_unstable();
    for q in table {
        println!("{q:x}");
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mut megabytes, mut deepest) = (2048, 8);
    while let Some(word) = words.next() {
        let number = words.next().and_then(|text| text.parse::<u32>().ok());
        match (word.as_str(), number) {
            ("--megabytes", Some(number)) => megabytes = u64::from(number),
            ("--lines", Some(number)) if number <= 12 => deepest = number,
            _ => {
                eprintln!("accepted: --megabytes 2048 --lines 8");
                return ExitCode::from(2);
            }
        }
    }
    match write(megabytes, deepest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(limit) => {
            eprintln!("{limit}");
            ExitCode::FAILURE
        }
    }
}

//! False strategies in Kotzig's Nim.
//!
//! Whoever loses plays as well as possible: of his moves that leave the other in a lost position,
//! where there are such, and any where there are none.

use super::{Forger, Forgery, Table, Truth};
use crate::lot::Random;
use std::collections::{HashMap, HashSet};

/// Circles with their steps, by the rules alone; a position is the free cells, counted from the
/// token.
pub(super) struct Ring {
    n: usize,
    steps: Vec<usize>,
    misere: bool,
    known: HashMap<u64, bool>,
}

impl Ring {
    pub(super) fn new(n: usize, steps: &[i64], misere: bool) -> Ring {
        let mut steps: Vec<usize> =
            steps.iter().map(|step| step.rem_euclid(n as i64) as usize).collect();
        steps.sort_unstable();
        steps.dedup();
        Ring { n, steps, misere, known: HashMap::new() }
    }

    /// Returns all cells but the token's.
    pub(super) fn start(&self) -> u64 {
        ((1 << self.n) - 1) & !1
    }

    /// Returns the options, with the steps mod n that lead to them.
    fn options(&self, free: u64) -> Vec<(usize, u64)> {
        let legal = self.steps.iter().filter(|step| free >> **step & 1 == 1);
        let turned =
            |step: usize| (free >> step | free << (self.n - step)) & ((1 << self.n) - 1) & !1;
        legal.map(|step| (*step, turned(*step))).collect()
    }

    /// Returns the free cells that the token can come to.
    fn reach(&self, free: u64) -> u64 {
        let (mut reach, mut todo) = (0u64, vec![0]);
        while let Some(cell) = todo.pop() {
            for step in &self.steps {
                let next = (cell + step) % self.n;
                if free >> next & 1 == 1 && reach >> next & 1 == 0 {
                    reach |= 1 << next;
                    todo.push(next);
                }
            }
        }
        reach
    }

    /// Returns whether the mover wins.
    pub(super) fn wins(&mut self, free: u64) -> bool {
        let free = self.reach(free);
        if let Some(wins) = self.known.get(&free) {
            return *wins;
        }
        let options = self.options(free);
        let wins = match options.is_empty() {
            true => self.misere,
            false => options.into_iter().any(|(_, option)| !self.wins(option)),
        };
        self.known.insert(free, wins);
        wins
    }
}

/// The forger.
pub struct Strategy;

const FEATURES: &[&str] = &[
    "one step",
    "two steps",
    "three steps",
    "steps past the circle",
    "steps that meet",
    "a step of a whole turn",
    "one or two cells",
    "position in play",
    "negative step",
];

const LINES: &[&str] = &[
    "forced",
    "whole book",
    "a line less",
    "another step",
    "lines too many",
    "a step that is none",
];

impl Forger for Strategy {
    fn table(&self) -> Table {
        Table { kind: "strategy", features: FEATURES, lines: LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Random) -> Option<Forgery> {
        let n = if feature == 6 { 1 + lot.below(2) } else { 3 + lot.below(10) };
        let most = if feature == 3 { 3 * n } else { 7 };
        let count = match feature {
            0 => 1,
            1 => 2,
            _ => 1 + lot.below(3),
        };
        let mut steps: Vec<i64> = (0..count).map(|_| 1 + lot.below(most) as i64).collect();
        match feature {
            2 => steps = (0..3).map(|i| 1 + 2 * i + lot.below(2) as i64).collect(),
            4 => steps.push(steps[0] + (n * (1 + lot.below(2))) as i64),
            5 => steps.push((n * (1 + lot.below(2))) as i64),
            8 => steps.push(-1 - lot.below(3) as i64),
            _ => {}
        }
        steps.sort_unstable();
        steps.dedup();
        let misere = lot.below(2) == 0;
        let mut ring = Ring::new(n, &steps, misere);
        // Cells are counted from the token's, and are written from 0 on.
        let (mut free, mut token) = (ring.start(), 0);
        if feature == 7 {
            for _ in 0..1 + lot.below(4) {
                let options = ring.options(free);
                if options.is_empty() {
                    break;
                }
                let (step, option) = *lot.one(&options);
                (free, token) = (option, (token + step) % n);
            }
        }
        let wins = ring.wins(free);
        // Now and then the truth.
        let said = if lot.below(5) == 0 { wins } else { !wins };
        let mut book: Vec<(u64, i64)> = Vec::new();
        let mut seen = HashSet::new();
        let mut todo = match said {
            true => vec![free],
            false => ring.options(free).into_iter().map(|(_, option)| option).collect(),
        };
        while let Some(position) = todo.pop() {
            let reach = ring.reach(position);
            if !seen.insert(reach) {
                continue;
            }
            let options = ring.options(position);
            if options.is_empty() {
                continue;
            }
            let best: Vec<(usize, u64)> =
                options.iter().filter(|(_, to)| !ring.wins(*to)).copied().collect();
            let (step, to) = if best.is_empty() { *lot.one(&options) } else { *lot.one(&best) };
            if options.len() > 1 {
                let written =
                    steps.iter().find(|written| written.rem_euclid(n as i64) as usize == step)?;
                book.push((reach, *written));
            }
            todo.extend(ring.options(to).into_iter().map(|(_, option)| option));
        }
        book.sort_unstable();
        let at = lot.below(book.len());
        match line {
            0 => book.clear(),
            2 if !book.is_empty() => drop(book.remove(at)),
            3 if !book.is_empty() => book[at].1 = *lot.one(&steps),
            4 => book.push((lot.below(1 << n) as u64 & !1, *lot.one(&steps))),
            5 if !book.is_empty() => book[at].1 = *lot.one(&[0, n as i64, 1, 2, 30]),
            _ => {}
        }
        let lines: Vec<String> =
            book.iter().map(|(reach, step)| format!("{reach:x} {step}\n")).collect();
        let body = if lines.is_empty() {
            "every move of the winner is forced\n".into()
        } else {
            lines.concat()
        };
        let marked: Vec<String> = (0..n)
            .filter(|cell| free >> ((cell + n - token) % n) & 1 == 0)
            .map(|cell| cell.to_string())
            .collect();
        let claim = format!(
            "{}/{token} is {} in {} play",
            marked.join(","),
            if said { "N" } else { "P" },
            if misere { "misere" } else { "normal" }
        );
        let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
        let truth = match said == wins {
            true => Truth::True,
            false => Truth::False(format!("it is {}", if wins { "N" } else { "P" })),
        };
        Some(Forgery::new(
            "strategy",
            &format!("Gamma({};{n})", steps.join(",")),
            &claim,
            &body,
            truth,
        ))
    }
}

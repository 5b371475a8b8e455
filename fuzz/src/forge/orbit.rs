//! False claims that the P-positions of one heap are those that a step leads through from 0.
//!
//! Games whose options are the heaps before a step, and others near them; steps that are right,
//! that are wrong from the first P-position on, and that are right up to a large heap.

use super::{Forger, Forgery, Table, Truth};
use crate::lot::Lot;

/// Heaps that are played out. Steps are evaluated as far.
const HEAPS: u64 = 400;

/// x ↦ max(x + least, (factor·x + more) div divisor), but at most x + most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    factor: u64,
    more: u64,
    divisor: u64,
    least: u64,
    most: Option<u64>,
}

impl Step {
    fn drawn(lot: &mut Lot) -> Step {
        let divisor = 1 + lot.below(3) as u64;
        Step {
            factor: divisor + lot.below(3) as u64,
            more: lot.below(5) as u64,
            divisor,
            least: 1 + lot.below(3) as u64,
            most: None,
        }
    }

    fn after(&self, x: u64) -> u64 {
        let next = ((self.factor * x + self.more) / self.divisor).max(x + self.least);
        self.most.map_or(next, |most| next.min(x + most))
    }

    /// Returns the step from the heap that is so written.
    fn text(&self, x: &str) -> String {
        let Step { factor, more, divisor, least, most } = *self;
        let next = format!("max({x}+{least}, ({factor}*{x}+{more}) div {divisor})");
        match most {
            None => next,
            Some(most) => format!("min({x}+{most}, {next})"),
        }
    }
}

const FEATURES: [&str; 9] = [
    "options before a step",
    "at most so far",
    "written without quotients",
    "one option less",
    "one option more",
    "every other option",
    "every option",
    "misere play",
    "a number remembered",
];

const LINES: [&str; 8] = [
    "another constant",
    "another factor",
    "another divisor",
    "in other words",
    "wrong of large heaps",
    "not ascending",
    "a quotient below 0",
    "another body",
];

/// The forger.
pub struct Orbit;

/// What may be moved to, and how that is said.
struct Moves {
    /// From the first number to the second, which is less.
    are: Box<dyn Fn(u64, u64) -> bool>,
    said: String,
}

/// Returns a game of this feature whose options are, or are nearly, the heaps before the step.
fn moves(feature: usize, step: Step, lot: &mut Lot) -> Moves {
    let before = format!("p0 < {}", step.text("q0"));
    let (from, to) = {
        let to = lot.below(30) as u64;
        let near = step.after(to);
        (near.saturating_sub(1 + lot.below(2) as u64).max(to + 1), to)
    };
    let beyond = step.after(to) + lot.below(3) as u64;
    match feature {
        2 => {
            let Step { factor, more, divisor, least, .. } = step;
            let said =
                format!("{divisor}*p0 + {divisor} <= {factor}*q0 + {more} | p0 < q0 + {least}");
            Moves { are: Box::new(move |p, q| p < step.after(q)), said }
        }
        3 => Moves {
            are: Box::new(move |p, q| p < step.after(q) && (p, q) != (from, to)),
            said: format!("{before} & ~(p0 = {from} & q0 = {to})"),
        },
        4 => Moves {
            are: Box::new(move |p, q| p < step.after(q) || (p, q) == (beyond, to)),
            said: format!("{before} | (p0 = {beyond} & q0 = {to})"),
        },
        5 => Moves {
            are: Box::new(move |p, q| p < step.after(q) && (p + q) % 2 == 1),
            said: format!("{before} & (p0+q0) mod 2 = 1"),
        },
        6 => Moves { are: Box::new(|_, _| true), said: "true".into() },
        _ => Moves { are: Box::new(move |p, q| p < step.after(q)), said: before },
    }
}

/// Returns the P-positions below a bound, by the rules; in misère play the player who cannot move
/// wins.
fn p_positions(are: &dyn Fn(u64, u64) -> bool, misere: bool) -> Vec<u64> {
    let mut all: Vec<u64> = Vec::new();
    for p in 0..HEAPS {
        let ends = misere && (0..p).all(|q| !are(p, q));
        if !ends && !all.iter().any(|q| are(p, *q)) {
            all.push(p);
        }
    }
    all
}

/// Returns what a step leads through from 0, below the bound; `None` once it does not ascend.
fn orbit(after: &dyn Fn(u64) -> u64) -> Option<Vec<u64>> {
    let mut all = vec![0];
    loop {
        let last = *all.last()?;
        let next = after(last);
        if next <= last {
            return None;
        }
        if next >= HEAPS {
            return Some(all);
        }
        all.push(next);
    }
}

impl Forger for Orbit {
    fn table(&self) -> Table {
        Table { kind: "orbit", features: &FEATURES, lines: &LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Lot) -> Option<Forgery> {
        let mut step = Step::drawn(lot);
        if feature == 1 {
            step.most = Some(step.least + lot.below(20) as u64);
        }
        let Moves { are, said } = moves(feature, step, lot);
        let mut claimed = step;
        // Now and then the truth, if the rules are those of the step.
        let is_changed = lot.below(5) > 0;
        match line {
            1 if is_changed => claimed.factor = step.divisor + lot.below(4) as u64,
            2 if is_changed => claimed.divisor = 1 + lot.below(4) as u64,
            4 if is_changed => {
                // Right of all heaps whose own step is short enough.
                let last = 20 + lot.below(100) as u64;
                let longer = |most| most + 1 + lot.below(4) as u64;
                claimed.most = Some(step.most.map_or(step.after(last) - last, longer));
            }
            5 => (claimed.factor, claimed.more) = (claimed.divisor, 0),
            _ if is_changed => claimed.more = lot.below(6) as u64,
            _ => {}
        }
        let Step { factor, more, divisor, least, most } = claimed;
        let after = move |x: u64| match line {
            // Without the least step nothing ascends.
            5 => (factor * x + more) / divisor,
            _ => claimed.after(x),
        };
        let text = match line {
            3 => {
                let next =
                    format!("max(({factor}*a+{}) div {divisor}-1, a+{least})", more + divisor);
                most.map_or(next.clone(), |most| format!("min({next}, {most}+a)"))
            }
            5 => format!("({factor}*a+{more}) div {divisor}"),
            6 => format!("{} + (a-1) div 2 - (a-1) div 2", claimed.text("a")),
            _ => claimed.text("a"),
        };
        let (misere, remembers) = (feature == 7, feature == 8);
        let truth = match orbit(&after) {
            _ if line == 6 => Truth::False("a number below 0 has no quotient".into()),
            _ if remembers => Truth::False("positions are not heaps alone".into()),
            None => Truth::False("the step does not ascend".into()),
            Some(orbit) => {
                let right = p_positions(&*are, misere);
                let differing = orbit.iter().zip(&right).find(|(said, is)| said != is);
                match differing.map(|(said, is)| said.min(is)) {
                    Some(heap) => Truth::False(format!("heap {heap} is told wrongly")),
                    None if orbit.len() == right.len() => Truth::True,
                    None => Truth::False("P-positions are left out, or are none".into()),
                }
            }
        };
        let game = if remembers {
            format!("rules(1+1;none;binary;({said}) & q1 = p1)")
        } else {
            format!("rules(1;none;binary;{said})")
        };
        let play = if misere { "in misere play " } else { "" };
        let claim = format!("{play}P iff reached from 0 by a -> {text}");
        let body = match line {
            7 => *lot.one(&[
                "",
                "each heap is an option of those before its step\neach heap is an option of those \
                 before its step\n",
                "each heap is an option of those at its step\n",
                "states 1\n",
            ]),
            _ => "each heap is an option of those before its step\n",
        };
        Some(Forgery::new("orbit", &game, &claim, body, truth))
    }
}

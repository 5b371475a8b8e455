//! Outcomes of any position of any ruleset, by memo search.
//!
//! Idea: a position is N if some option is P, and P if all options are N; the first option found to
//! be P settles it. Depth-first with its own stack, so depth costs memory, never the thread's
//! stack. Positions are looked up by their canonical form.

use crate::nim_values::line_of_play;
use bouton_core::{LimitReached, Meter, Outcome, Play, Ruleset};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow::{Break, Continue};

/// Known outcomes under one convention of play, kept between requests.
#[derive(Debug)]
pub struct Outcomes<P> {
    play: Play,
    known: FxHashMap<P, Outcome>,
    frames: Vec<Frame<P>>,
    pending: Vec<P>,
    visits: usize,
}

/// Number of open positions from which on their line is searched for a cycle, whenever it has
/// doubled.
const DEEP: usize = 1 << 10;

/// Number of options visited between two polls of the budget.
const POLL_INTERVAL: usize = 1 << 12;

/// A position whose options from `pending[first..]` on are still open; those before are
/// N-positions.
#[derive(Debug)]
struct Frame<P> {
    position: P,
    first: usize,
}

impl<P: Clone + Eq + std::hash::Hash> Outcomes<P> {
    /// Creates an empty table.
    pub fn new(play: Play) -> Outcomes<P> {
        Outcomes {
            play,
            known: FxHashMap::default(),
            frames: Vec::new(),
            pending: Vec::new(),
            visits: 0,
        }
    }

    /// Returns the number of positions with known outcomes.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the approximate number of bytes in use, each position with this many beside its own.
    fn bytes(&self, beside: usize) -> u64 {
        let entry = size_of::<(P, Outcome)>() + 1;
        (self.known.capacity() * entry
            + self.pending.capacity() * size_of::<P>()
            + self.frames.capacity() * size_of::<Frame<P>>()
            + (self.known.len() + self.pending.len() + self.frames.len()) * beside) as u64
    }

    /// Returns the outcome of `p`. Charges at most one node for each position reachable from `p`.
    ///
    /// # Errors
    ///
    /// If the budget ends. Known outcomes are kept.
    pub fn outcome<R: Ruleset<Position = P>>(
        &mut self,
        rules: &R,
        p: &P,
        meter: &mut Meter,
    ) -> Result<Outcome, LimitReached> {
        self.frames.clear();
        self.pending.clear();
        let root = rules.canonical(p.clone());
        if let Some(stopped) = rules.stopped() {
            return Err(stopped);
        }
        if let Some(known) = self.known.get(&root) {
            return Ok(*known);
        }
        let mut settled = self.open(rules, root, meter)?;
        let mut deep = DEEP;
        loop {
            // A decided position affects its parent: one P-option makes the parent an N-position.
            while let Some(outcome) = settled {
                let Some(frame) = self.frames.last() else { return Ok(outcome) };
                settled = match outcome {
                    Outcome::P => Some(self.settle(frame.first, Outcome::N)),
                    Outcome::N => None,
                };
            }
            let first = self.frames.last().expect("an open frame while nothing is settled").first;
            settled = if self.pending.len() == first {
                Some(self.settle(first, Outcome::P))
            } else {
                let next = self.pending.pop().expect("pending options above the frame's first");
                match self.known.get(&next) {
                    Some(known) => Some(*known),
                    None => {
                        if self.frames.len() >= deep {
                            let line: Vec<&P> =
                                self.frames.iter().map(|frame| &frame.position).collect();
                            line_of_play(rules, &line)?;
                            deep = 2 * self.frames.len();
                        }
                        self.open(rules, next, meter)?
                    }
                }
            };
        }
    }

    /// Decides the topmost frame and drops its pending options.
    fn settle(&mut self, first: usize, outcome: Outcome) -> Outcome {
        let frame = self.frames.pop().expect("a frame to settle");
        self.pending.truncate(first);
        self.known.insert(frame.position, outcome);
        outcome
    }

    /// Visits all options of `p` once, and decides it if the known ones suffice; else pushes a
    /// frame.
    fn open<R: Ruleset<Position = P>>(
        &mut self,
        rules: &R,
        p: P,
        meter: &mut Meter,
    ) -> Result<Option<Outcome>, LimitReached> {
        meter.spend_one()?;
        let beside = rules.bytes_of(&p);
        if rules.is_program() {
            meter.poll(self.bytes(beside))?;
        } else if meter.nodes().is_multiple_of(1024) {
            meter.check_bytes(self.bytes(0))?;
        }
        let first = self.pending.len();
        let mut terminal = true;
        let held = self.bytes(beside);
        let (known, pending, visits) = (&self.known, &mut self.pending, &mut self.visits);
        let found = rules.options(&p, |option| {
            terminal = false;
            *visits += 1;
            if visits.is_multiple_of(POLL_INTERVAL) {
                let more = pending.len().saturating_sub(first) * (size_of::<P>() + beside);
                if let Err(spent) = meter.poll(held + more as u64) {
                    return Break(Err(spent));
                }
            }
            let option = rules.canonical(option);
            match known.get(&option) {
                Some(Outcome::P) => return Break(Ok(())),
                Some(Outcome::N) => {}
                None => pending.push(option),
            }
            Continue(())
        });
        if let Some(stopped) = rules.stopped() {
            return Err(stopped);
        }
        let outcome = match found {
            Break(Err(spent)) => return Err(spent),
            Break(Ok(())) => Some(Outcome::N),
            Continue(()) if terminal => Some(self.play.terminal()),
            Continue(()) if self.pending.len() == first => Some(Outcome::P),
            Continue(()) => None,
        };
        match outcome {
            Some(outcome) => {
                self.pending.truncate(first);
                self.known.insert(p, outcome);
            }
            None => self.frames.push(Frame { position: p, first }),
        }
        Ok(outcome)
    }
}

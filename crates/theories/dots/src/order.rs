//! The order of options: the option with the least remaining work comes first.
//!
//! An option is good if all its own options are bad. If many lines are open, each option is
//! therefore expanded one move ahead: options that the table refutes are left out, and an option
//! with fewer undecided options is searched sooner. If very many lines are open, options that one
//! move refutes are not counted. The expansion is kept for the search. These are the first proof
//! numbers of L. V. Allis, M. van der Meulen, H. J. van den Herik, *Proof-number search*,
//! Artificial Intelligence 66 (1994). On 4 × 4 the order of lines alone needs nearly three times
//! the positions.

use super::moves::Candidate;
use super::position::Node;
use super::search::SearchThread;
use bouton_core::LimitReached;
use std::ops::Range;

/// Positions with fewer open lines are searched in the order of their lines.
const MIN_LINES: u32 = 24;
/// The number of open lines from which options that one move refutes are not counted.
const MANY_LINES: u32 = 32;

/// An option that waits for its search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    pub candidate: Candidate,
    /// The undecided options of the option, if it is expanded: a range of the candidates of the
    /// search.
    pub options: Option<(usize, usize)>,
    /// The number of undecided options.
    effort: usize,
}

/// The result of expanding an option.
enum Expansion {
    Good,
    Bad,
    Open(Waiting),
}

impl SearchThread<'_> {
    /// Queues these candidates, options of a position, most promising first. Returns true if one is
    /// known to be good enough. The caller truncates the candidates again.
    pub fn queue(&mut self, candidates: Range<usize>, from: &Node) -> Result<bool, LimitReached> {
        let lines = from.state.open.count_ones();
        let first = self.waiting.len();
        if lines < MIN_LINES || candidates.len() < 2 {
            self.waiting.extend(self.candidates[candidates].iter().map(|candidate| Waiting {
                candidate: *candidate,
                options: None,
                effort: 0,
            }));
            return Ok(false);
        }
        for i in candidates {
            match self.expand(self.candidates[i], lines >= MANY_LINES)? {
                Expansion::Good => return Ok(true),
                Expansion::Bad => {}
                Expansion::Open(waiting) => self.waiting.push(waiting),
            }
        }
        // Ten places in the order of lines weigh as much as one undecided option.
        for (i, waiting) in self.waiting[first..].iter_mut().enumerate() {
            waiting.effort = 10 * waiting.effort + i;
        }
        self.waiting[first..].sort_by_key(|waiting| waiting.effort);
        Ok(false)
    }

    /// Expands an option by one move, or by two.
    #[inline(never)]
    fn expand(&mut self, candidate: Candidate, is_far: bool) -> Result<Expansion, LimitReached> {
        let shared = self.shared;
        // The value must exceed the greatest good one.
        let (node, least) = (candidate.node, candidate.high + 2);
        let is_enough = candidate.low <= -(node.boxes as i32);
        let mut waiting = Waiting { candidate, options: None, effort: 0 };
        if shared.known(node).high < least {
            return Ok(Expansion::Open(waiting));
        }
        self.meter.spend_one()?;
        let before = self.meter.nodes();
        let start = self.candidates.len();
        let mut answer = self.probe_all(&node, least);
        let end = self.candidates.len();
        if answer.is_none() {
            waiting.options = Some((start, end));
            waiting.effort = end - start;
            if is_far {
                for i in start..end {
                    let look = self.expand(self.candidates[i], false);
                    self.candidates.truncate(end);
                    match look? {
                        Expansion::Good => {
                            answer = Some(true);
                            break;
                        }
                        Expansion::Bad => waiting.effort -= 1,
                        Expansion::Open(_) => {}
                    }
                }
                if waiting.effort == 0 {
                    answer = Some(false);
                }
            }
        }
        let Some(is_more) = answer else { return Ok(Expansion::Open(waiting)) };
        self.candidates.truncate(start);
        self.store(&node, least, is_more, before);
        Ok(match (is_more, is_enough) {
            (true, _) => Expansion::Bad,
            (false, true) => Expansion::Good,
            (false, false) => Expansion::Open(Waiting { candidate, options: None, effort: 0 }),
        })
    }
}

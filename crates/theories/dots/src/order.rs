//! Which option is searched first: the one for which least is left to be shown.
//!
//! An option is good when all its own options are bad, so where many lines are open each is looked at one move ahead:
//! those that the table refutes are left out, and the fewer options of it remain undecided, the sooner it is searched. Where
//! very many lines are open, only those count that no move refutes at once. What was found is kept for the search.
//! These are the first proof numbers of L. V. Allis, M. van der Meulen, H. J. van den Herik, *Proof-number search*,
//! Artificial Intelligence 66 (1994). On 4 × 4 the order of lines alone takes nearly three times the positions.

use super::moves::Candidate;
use super::position::Node;
use super::search::Search;
use bouton_core::LimitReached;
use std::ops::Range;

/// Positions with fewer open lines are searched in the order of their lines.
const LEAST_LINES: u32 = 24;
/// From so many on, what one move refutes does not count.
const MANY_LINES: u32 = 32;

/// An option that is to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    pub candidate: Candidate,
    /// Its own options that are not decided, if they are at hand: first and last place among the candidates of the search.
    pub options: Option<(usize, usize)>,
    /// What is left to be shown of it.
    effort: usize,
}

/// What a look at an option tells.
enum Look {
    Good,
    Bad,
    Open(Waiting),
}

impl Search<'_> {
    /// Puts these candidates, options of a position, in the line of those that wait, best guess first; or tells that one
    /// is good enough. What they left among the candidates is the caller's to take away.
    pub fn line_up(&mut self, candidates: Range<usize>, from: &Node) -> Result<bool, LimitReached> {
        let lines = from.state.open.count_ones();
        let first = self.waiting.len();
        if lines < LEAST_LINES || candidates.len() < 2 {
            self.waiting.extend(self.candidates[candidates].iter().map(|candidate| Waiting {
                candidate: *candidate,
                options: None,
                effort: 0,
            }));
            return Ok(false);
        }
        for i in candidates {
            match self.look_ahead(self.candidates[i], lines >= MANY_LINES)? {
                Look::Good => return Ok(true),
                Look::Bad => {}
                Look::Open(waiting) => self.waiting.push(waiting),
            }
        }
        // Ten places in the order of lines weigh as much as one option more.
        for (i, waiting) in self.waiting[first..].iter_mut().enumerate() {
            waiting.effort = 10 * waiting.effort + i;
        }
        self.waiting[first..].sort_by_key(|waiting| waiting.effort);
        Ok(false)
    }

    /// Looks at an option one move ahead, or two.
    #[inline(never)]
    fn look_ahead(&mut self, candidate: Candidate, is_far: bool) -> Result<Look, LimitReached> {
        let shared = self.shared;
        // Is its value more than what is good enough?
        let (node, least) = (candidate.node, candidate.high + 2);
        let is_enough = candidate.low <= -(node.boxes as i32);
        let mut waiting = Waiting { candidate, options: None, effort: 0 };
        if shared.known(node).high < least {
            return Ok(Look::Open(waiting));
        }
        self.meter.node()?;
        let before = self.meter.nodes();
        let start = self.candidates.len();
        let mut answer = self.by_table(&node, least);
        let end = self.candidates.len();
        if answer.is_none() {
            waiting.options = Some((start, end));
            waiting.effort = end - start;
            if is_far {
                for i in start..end {
                    let look = self.look_ahead(self.candidates[i], false);
                    self.candidates.truncate(end);
                    match look? {
                        Look::Good => {
                            answer = Some(true);
                            break;
                        }
                        Look::Bad => waiting.effort -= 1,
                        Look::Open(_) => {}
                    }
                }
                if waiting.effort == 0 {
                    answer = Some(false);
                }
            }
        }
        let Some(is_more) = answer else { return Ok(Look::Open(waiting)) };
        self.candidates.truncate(start);
        self.learn(&node, least, is_more, before);
        Ok(match (is_more, is_enough) {
            (true, _) => Look::Bad,
            (false, true) => Look::Good,
            (false, false) => Look::Open(Waiting { candidate, options: None, effort: 0 }),
        })
    }
}

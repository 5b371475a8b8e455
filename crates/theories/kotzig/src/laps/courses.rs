//! Which courses of a lap are looked at: any, or those in which one of the players, the keeper, keeps to a habit.
//!
//! Who wins from the start needs no more than one good move of the winner in each position, so all that a strategy of the winner's leads to is
//! enough. Winners like to answer a step with one that makes a certain sum with it, so that two moves come to the same cell whichever was played
//! first (the diamonds of Tan & Ward, *On Kotzig's Nim*, Integers 14, G06). Courses in which either player does so, but for so many times, leave
//! far fewer tapes than any. Which courses are enough is a guess. What is said of the positions that come up is right all the same; of others
//! nothing is said, and if that is not enough for the start, more courses are needed.

/// The courses of a lap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Courses {
    /// Whatever the rules allow.
    Any,
    /// Those in which a keeper, whoever of the two he is, answers so that two steps make this sum, where there is such a step to a free cell, but
    /// for so many times.
    Kept { sum: usize, departures: u8 },
}

/// Whose move it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Turn {
    /// Nobody is watched.
    Anyone,
    /// The keeper's, after this step; after none that is known, 0.
    Keeper(u8),
    Other,
}

/// A lap up to here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Walker {
    /// Cells left to begin on; 0 once it has begun.
    left: u8,
    /// Cells since the token, the next one counted.
    since: u8,
    turn: Turn,
    departures: u8,
    /// Whether the cell that habit asks for was seen to be marked.
    excused: bool,
    /// Cells to come that have to be marked, the next one the lowest bit: else habit could have been kept to.
    marked: u16,
}

impl Walker {
    /// A lap to begin on one of so many cells.
    pub(super) fn before(entries: usize) -> Walker {
        let left = entries as u8;
        Walker { left, since: 0, turn: Turn::Anyone, departures: 0, excused: false, marked: 0 }
    }

    fn has_begun(&self) -> bool {
        self.left == 0
    }

    /// Whether the lap may be over here: a step past the last cell may be a departure, too.
    pub(super) fn may_end(&self, courses: Courses, steps: &[usize]) -> bool {
        let Courses::Kept { departures, .. } = courses else { return self.has_begun() };
        let usual = self.usual(courses, steps);
        let keeps = usual.is_none_or(|usual| usual >= usize::from(self.since) || self.excused);
        self.has_begun() && (keeps || self.departures < departures)
    }

    /// What may become of it with one more cell, marked before the lap or not; with each, whether the cell is marked then. What a cell past
    /// the last is was not read: a habit that asks for it may have been kept to or not.
    pub(super) fn on(
        &self,
        courses: Courses,
        steps: &[usize],
        marked: bool,
        mut to: impl FnMut(Walker, bool),
    ) {
        if !self.has_begun() {
            if self.left > 1 {
                to(Walker { left: self.left - 1, ..*self }, marked);
            }
            if !marked {
                let begun = |turn| Walker { left: 0, since: 1, turn, ..*self };
                if courses == Courses::Any {
                    to(begun(Turn::Anyone), true);
                } else {
                    to(begun(Turn::Keeper(0)), true);
                    to(begun(Turn::Other), true);
                }
            }
            return;
        }
        if self.marked & 1 == 1 && !marked {
            return;
        }
        let on = Walker { marked: self.marked >> 1, ..*self };
        let since = usize::from(self.since);
        let usual = self.usual(courses, steps);
        if steps.last().is_some_and(|furthest| since < *furthest) {
            let excused = self.excused || marked && usual == Some(since);
            to(Walker { since: self.since + 1, excused, ..on }, marked);
        }
        if marked || !steps.contains(&since) {
            return;
        }
        let turn = match self.turn {
            Turn::Anyone => Turn::Anyone,
            Turn::Keeper(_) => Turn::Other,
            Turn::Other => Turn::Keeper(self.since),
        };
        let landed = Walker { since: 1, turn, excused: false, ..on };
        match (usual, courses) {
            (Some(usual), Courses::Kept { departures, .. })
                if usual > since || usual < since && !self.excused =>
            {
                if usual > since {
                    to(Walker { marked: on.marked | 1 << (usual - since - 1), ..landed }, true);
                }
                if self.departures < departures {
                    to(Walker { departures: self.departures + 1, ..landed }, true);
                }
            }
            _ => to(landed, true),
        }
    }

    /// The step that habit asks for.
    fn usual(&self, courses: Courses, steps: &[usize]) -> Option<usize> {
        let (Courses::Kept { sum, .. }, Turn::Keeper(last @ 1..)) = (courses, self.turn) else { return None };
        let step = sum.checked_sub(usize::from(last))?;
        steps.contains(&step).then_some(step)
    }
}

//! Which games of a revolution are looked at: all, or those in which one of the players follows a
//! fixed strategy.
//!
//! Who wins from the start needs no more than one good move of the winner in each position, so all
//! that a strategy of the winner leads to is enough. Winners like to answer a step with one that
//! makes a certain sum with it, so that two moves come to the same cell whichever was played first
//! (the diamonds of Tan & Ward, *On Kotzig's Nim*, Integers 14, G06). Games in which either player
//! does so, but for this many times, leave far fewer circle words than all games. Which games are
//! enough is a guess. What is said of the positions that come up is right all the same; of others
//! nothing is said, and if that is not enough for the start, more games are needed.

/// The games of a revolution that are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StrategyRestriction {
    /// All that the rules allow.
    None,
    /// Those in which one player, whoever of the two it is, answers so that two steps make this
    /// sum, where there is such a step to a free cell, but for this many times.
    FixedSum { sum: usize, departures: u8 },
}

/// Whose move it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Turn {
    /// Nobody is watched.
    Anyone,
    /// The one's who follows the strategy, after this step; after none that is known, 0.
    FixedPlayer(u8),
    Other,
}

/// A revolution up to here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Walker {
    /// Cells left to begin on; 0 once it has begun.
    left: u8,
    /// Cells since the token, the next one counted.
    since: u8,
    turn: Turn,
    departures: u8,
    /// Whether the cell that the strategy asks for was seen to be marked.
    excused: bool,
    /// Cells to come that have to be marked, the next one the lowest bit: else the strategy could
    /// have been followed.
    marked: u16,
}

impl Walker {
    /// Returns a revolution to begin on one of this many cells.
    pub(super) fn before(entries: usize) -> Walker {
        let left = entries as u8;
        Walker { left, since: 0, turn: Turn::Anyone, departures: 0, excused: false, marked: 0 }
    }

    fn has_begun(&self) -> bool {
        self.left == 0
    }

    /// Returns whether the revolution may be over here: a step past the last cell may be a
    /// departure, too.
    pub(super) fn may_end(&self, restriction: StrategyRestriction, steps: &[usize]) -> bool {
        let StrategyRestriction::FixedSum { departures, .. } = restriction else {
            return self.has_begun();
        };
        let usual = self.usual(restriction, steps);
        let keeps = usual.is_none_or(|usual| usual >= usize::from(self.since) || self.excused);
        self.has_begun() && (keeps || self.departures < departures)
    }

    /// Adds what may become of it with one more cell, marked before the revolution or not; with
    /// each, whether the cell is marked then. What a cell past the last is was not read: a strategy
    /// that asks for it may have been followed or not.
    pub(super) fn extended(
        &self,
        restriction: StrategyRestriction,
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
                if restriction == StrategyRestriction::None {
                    to(begun(Turn::Anyone), true);
                } else {
                    to(begun(Turn::FixedPlayer(0)), true);
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
        let usual = self.usual(restriction, steps);
        if steps.last().is_some_and(|furthest| since < *furthest) {
            let excused = self.excused || marked && usual == Some(since);
            to(Walker { since: self.since + 1, excused, ..on }, marked);
        }
        if marked || !steps.contains(&since) {
            return;
        }
        let turn = match self.turn {
            Turn::Anyone => Turn::Anyone,
            Turn::FixedPlayer(_) => Turn::Other,
            Turn::Other => Turn::FixedPlayer(self.since),
        };
        let landed = Walker { since: 1, turn, excused: false, ..on };
        match (usual, restriction) {
            (Some(usual), StrategyRestriction::FixedSum { departures, .. })
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

    /// Returns the step that the strategy asks for.
    fn usual(&self, restriction: StrategyRestriction, steps: &[usize]) -> Option<usize> {
        let (StrategyRestriction::FixedSum { sum, .. }, Turn::FixedPlayer(last @ 1..)) =
            (restriction, self.turn)
        else {
            return None;
        };
        let step = sum.checked_sub(usize::from(last))?;
        steps.contains(&step).then_some(step)
    }
}

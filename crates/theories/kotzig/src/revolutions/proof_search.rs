//! The search for a proof with a given number of revolutions: the last one first, and which
//! restriction of the first revolution is enough.

use super::backward_induction::Suffixes;
use super::circle_words::{CircleWords, NONE};
use super::outcomes::{FirstRevolution, Outcomes};
use super::partition::coarsest;
use super::reversal::{Reversal, Value};
use super::strategy_restriction::StrategyRestriction;
use super::theorem::{Revolution, RevolutionTheorem};
use super::{Classes, MAX_STEP, Rules, UNKNOWN};
use crate::invariant::PSet;
use bouton_core::{Arrange, Budget, LimitReached, Meter};
use std::rc::Rc;

/// Suffixes of circle words at most where a player never departs from the strategy; with each time
/// that it is allowed, four times as many. Without a restriction, as with one.
const FEW_ENDS: usize = 1 << 15;
/// How often he may.
const MAX_DEPARTURES: u8 = 3;

/// A revolution solved, from its end back, and the classes of the circle words before it.
struct Solved {
    ends: Suffixes,
    before: Classes,
}

/// All revolutions solved, the last one first.
type Solution = Vec<Rc<Solved>>;

/// The search for a proof with this many revolutions.
pub(super) struct ProofSearch<'s> {
    rules: &'s Rules,
    budget: &'s Budget,
    meter: Meter,
    tell: &'s dyn Fn(&str),
    /// The circle words before each revolution, without a restriction.
    any: Vec<CircleWords>,
    /// Revolutions on these, the last one first: all that a restriction of the first revolution
    /// leaves as they are.
    later: Solution,
}

impl<'s> ProofSearch<'s> {
    pub(super) fn new(
        rules: &'s Rules,
        laps: usize,
        budget: &'s Budget,
        tell: &'s dyn Fn(&str),
    ) -> Result<ProofSearch<'s>, LimitReached> {
        let mut meter = Meter::new(budget);
        let mut any = vec![CircleWords::blank()];
        for lap in 1..laps {
            any.push(rules.after(&any, lap, StrategyRestriction::None, &mut meter)?);
        }
        Ok(ProofSearch { rules, budget, meter, tell, any, later: vec![] })
    }

    /// Seeks the theorem without a restriction first. Where there are too many suffixes, one player
    /// follows a fixed strategy in the first revolution: all sums that steps make, with few
    /// departures, then the sum by which the most circles were decided with more of them. `None` if
    /// these revolutions are too few.
    pub(super) fn theorem(&mut self) -> Result<Option<RevolutionTheorem>, LimitReached> {
        match self.decided(StrategyRestriction::None, FEW_ENDS << 2) {
            Err(LimitReached::NumbersTooLarge) => {}
            Ok((solution, said)) => return self.whole(&solution, &said),
            Err(limit) => return Err(limit),
        }
        let mut sums: Vec<usize> = Vec::new();
        for (place, step) in self.rules.steps.iter().enumerate() {
            sums.extend(self.rules.steps[place + 1..].iter().map(|other| step + other));
        }
        sums.arrange();
        sums.dedup();
        for departures in 0..=MAX_DEPARTURES {
            let mut open = Vec::new();
            for &sum in &sums {
                let ends = FEW_ENDS << (2 * departures);
                let (solution, said) =
                    match self.decided(StrategyRestriction::FixedSum { sum, departures }, ends) {
                        Err(LimitReached::NumbersTooLarge) => continue,
                        found => found?,
                    };
                if let Some(theorem) = self.whole(&solution, &said)? {
                    return Ok(Some(theorem));
                }
                open.push((said.open(), sum));
            }
            open.arrange_by(|(a, _), (b, _)| a.total_cmp(b));
            sums = open
                .into_iter()
                .filter(|(open, _)| *open < 1.0 || departures == 0)
                .map(|(_, sum)| sum)
                .collect();
            if departures > 0 {
                sums.truncate(1);
            }
        }
        Err(LimitReached::NumbersTooLarge)
    }

    /// Returns the revolutions with this restriction of the first one, and what they say; no more
    /// than this many suffixes of circle words.
    fn decided(
        &mut self,
        restriction: StrategyRestriction,
        most: usize,
    ) -> Result<(Solution, FirstRevolution), LimitReached> {
        let laps = self.any.len();
        let kept = match restriction {
            StrategyRestriction::None => self.any[1].clone(),
            restriction => self.rules.after(&self.any, 1, restriction, &mut self.meter)?,
        };
        if let StrategyRestriction::FixedSum { sum, departures } = restriction {
            (self.tell)(&format!(
                "lap 1 of {laps}: a player makes {sum}, but for {departures} times"
            ));
        }
        let mut solution: Solution = Vec::new();
        for lap in (0..laps).rev() {
            if lap > 1
                && let Some(known) = self.later.get(laps - 1 - lap)
            {
                solution.push(known.clone());
                continue;
            }
            let tapes = if lap == 1 { &kept } else { &self.any[lap] };
            let nothing = self.rules.nothing();
            let after = solution.last().map_or(&nothing, |lap| &lap.before);
            let partly = lap == 0 && restriction != StrategyRestriction::None;
            let ends = Suffixes::new(self.rules, tapes, after, partly, most, &mut self.meter)?;
            (self.tell)(&format!("lap {} of {laps}: {} ends of tapes", lap + 1, ends.next.len()));
            let before = match lap {
                0 => Classes { next: vec![], labels: vec![] },
                _ => classes(&ends, &mut self.meter)?,
            };
            let made = Rc::new(Solved { ends, before });
            if lap > 1 {
                self.later.push(made.clone());
            }
            solution.push(made);
        }
        let after = &solution[laps - 2].before;
        let (starts, words) = words(&solution[laps - 1].ends, after, &mut self.meter)?;
        let said = FirstRevolution::new(after, &starts, &words);
        Ok((solution, said))
    }

    /// Returns the theorem, with all automata, if this is said of all circles but small ones.
    fn whole(
        &mut self,
        solution: &[Rc<Solved>],
        said: &FirstRevolution,
    ) -> Result<Option<RevolutionTheorem>, LimitReached> {
        let Some(Outcomes { from, below, classes }) = said.outcomes(self.rules, self.budget)?
        else {
            return Ok(None);
        };
        let mut laps = Vec::new();
        let nothing = self.rules.nothing();
        for (lap, solved) in solution.iter().rev().enumerate() {
            let after = solution.iter().rev().nth(lap + 1).map_or(&nothing, |next| &next.before);
            let (starts, words) = words(&solved.ends, after, &mut self.meter)?;
            (self.tell)(&format!(
                "lap {} of {}: {} words ahead of the token",
                lap + 1,
                solution.len(),
                words.len()
            ));
            let classes = (0..after.next.len())
                .map(|class| (after.next[class], starts[class], after.labels[class]));
            laps.push(Revolution {
                tapes: self.any[lap].clone(),
                classes: classes.collect(),
                words,
            });
        }
        let (steps, play) = (self.rules.steps.clone(), self.rules.play);
        Ok(Some(RevolutionTheorem {
            steps,
            play,
            p_positions: PSet::new(&below, classes),
            from,
            laps,
        }))
    }
}

/// Returns by class of what lies behind the token, its own cell with it, the automaton of the cells
/// ahead; `NONE` where no token can be.
#[allow(clippy::type_complexity)]
fn words(
    ends: &Suffixes,
    after: &Classes,
    meter: &mut Meter,
) -> Result<(Vec<u32>, Vec<([u32; 2], u8)>), LimitReached> {
    let (classes, columns) = coarsest(&ends.next, &ends.before);
    let mut rows = vec![NONE; columns.len()];
    for (end, class) in classes.iter().enumerate() {
        rows[*class as usize] = ends.before[end];
    }
    // A row is by class without the token's cell.
    let mut without = vec![NONE; after.next.len()];
    for (class, next) in after.next.iter().enumerate() {
        if next[1] != NONE {
            without[next[1] as usize] = class as u32;
        }
    }
    let mut runs: Reversal<u8> = Reversal::over(&columns);
    let mut starts = Vec::with_capacity(without.len());
    for class in without {
        starts.push(match class {
            NONE => NONE,
            class => {
                let value = |row: &u32| match *row {
                    NONE => UNKNOWN,
                    row => ends.rows.get(row, class as usize),
                };
                runs.state(rows.iter().map(value).collect(), meter)?
            }
        });
    }
    Ok((starts, runs.next.into_iter().zip(runs.last).collect()))
}

/// Returns the classes of the circle words before a revolution.
fn classes(ends: &Suffixes, meter: &mut Meter) -> Result<Classes, LimitReached> {
    if ends.texts.len() >= usize::from(u16::NOTHING) {
        return Err(LimitReached::NumbersTooLarge);
    }
    let (classes, columns) = coarsest(&ends.next, &ends.labels);
    let mut row = vec![u16::NOTHING; columns.len()];
    for (end, class) in classes.iter().enumerate() {
        row[*class as usize] = ends.labels[end] as u16;
    }
    let mut runs: Reversal<u16> = Reversal::over(&columns);
    runs.state(row, meter)?;
    let text = |label: &u16| match *label {
        u16::NOTHING => [UNKNOWN; MAX_STEP],
        label => ends.texts[usize::from(label)],
    };
    Ok(Classes { labels: runs.last.iter().map(text).collect(), next: runs.next })
}

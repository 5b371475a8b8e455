//! A local strategy that wins on the circles looked at, by repair.
//!
//! The tree's strategy is played against every reply. Where its move loses and another wins, the
//! features of the position are put down with that other move, and the tree is learned again. Two
//! positions with the same features and opposite forced moves: one of the moves is *pinned* to
//! these features, and the winner has to avoid the positions where it fails. Where no winning
//! strategy is left the last pin is turned round.

use super::class_attempt::Limits;
use super::local_view::{CircleRules, MarkedPosition, View};
use super::tree::{Case, Tree};
use bouton_core::{Arrange, LimitReached, Meter};
use rustc_hash::{FxHashMap, FxHashSet};

/// A local strategy.
#[derive(Debug, Clone)]
pub(super) struct LocalStrategy {
    pub view: View,
    pub tree: Tree,
}

impl LocalStrategy {
    /// Returns the number of the step that it takes, if that is legal; else the first legal one.
    pub(super) fn choose(
        &self,
        circle: &CircleRules,
        spot: MarkedPosition,
        last: u8,
    ) -> Option<u8> {
        let legal = |step: &u8| circle.is_free(spot, circle.steps.all[*step as usize]);
        let count = circle.steps.all.len() as u8;
        let mut all = (0..count).filter(legal);
        let first = all.next()?;
        if all.next().is_none() {
            return Some(first);
        }
        let step = step_of(self.tree.answer(self.view.features(circle, spot, last)), last, count);
        Some(if legal(&step) { step } else { first })
    }
}

impl LocalStrategy {
    /// Returns the step that an answer means after a step of the other player.
    pub(super) fn step(&self, answer: u8, last: u8, steps: usize) -> u8 {
        step_of(answer, last, steps as u8)
    }
}

/// Returns the step that an answer means after a step of the other player, and the other way round:
/// with two steps answers are "the other one" (0) and "the same" (1).
fn step_of(answer: u8, last: u8, steps: u8) -> u8 {
    if steps == 2 { answer ^ last ^ 1 } else { answer.min(steps - 1) }
}

/// Why there is no strategy.
#[derive(Debug)]
pub(super) enum NoStrategy {
    /// The budget.
    Spent(LimitReached),
    /// What may be looked at is not enough, as far as was tried.
    Stuck,
}

impl From<LimitReached> for NoStrategy {
    fn from(limit: LimitReached) -> NoStrategy {
        NoStrategy::Spent(limit)
    }
}

/// Learns a strategy for one class of circles.
pub(super) struct Trainer<'t> {
    view: View,
    /// Who has the strategy: the first player, or the second.
    first_wins: bool,
    cases: FxHashMap<u128, u8>,
    /// The answer that is given where nothing is known.
    usual_answer: u8,
    /// Features with which the usual answer was seen to win: so that the tree differs from it no
    /// more than it must.
    usual: FxHashSet<u128>,
    /// Whether they count.
    keeps_usual: bool,
    /// Features, answer, and whether it was turned round.
    pins: Vec<(u128, u8, bool)>,
    pinned: FxHashMap<u128, u8>,
    tree: Tree,
    /// Positions on one circle at most.
    most: usize,
    pub meter: &'t mut Meter,
    conflicts: usize,
    patience: usize,
}

/// What is known of a position with the winner to move.
#[derive(Clone, Copy)]
struct Known {
    wins: bool,
    chosen: u8,
}

struct RepairSearch<'s, 't> {
    circle: &'s CircleRules,
    trainer: &'s mut Trainer<'t>,
    known: FxHashMap<(MarkedPosition, u8), Known>,
    over: bool,
}

impl<'t> Trainer<'t> {
    pub(super) fn new(
        view: View,
        first_wins: bool,
        limits: &Limits,
        meter: &'t mut Meter,
    ) -> Trainer<'t> {
        let usual_answer = limits.usual;
        Trainer {
            view,
            first_wins,
            usual_answer,
            cases: FxHashMap::default(),
            usual: FxHashSet::default(),
            keeps_usual: limits.keeps_usual,
            pins: Vec::new(),
            pinned: FxHashMap::default(),
            tree: Tree::always(usual_answer),
            most: limits.positions,
            meter,
            conflicts: 0,
            patience: limits.patience,
        }
    }

    /// Makes the strategy win on one circle. Says whether the tree had to change; `None` if the
    /// circle has too many positions.
    pub(super) fn train(&mut self, circle: &CircleRules) -> Result<Option<bool>, NoStrategy> {
        let mut changed = false;
        loop {
            let mut search =
                RepairSearch { circle, trainer: self, known: FxHashMap::default(), over: false };
            let wins = search.start()?;
            if search.over {
                return Ok(None);
            }
            if !wins {
                self.turn_round()?;
                changed = true;
                continue;
            }
            let (deviations, usual, agrees) = search.deviations();
            if self.keeps_usual {
                self.usual.extend(usual);
            }
            if deviations.is_empty() && agrees {
                return Ok(Some(changed));
            }
            changed = true;
            self.learn(deviations)?;
        }
    }

    /// Turns round the last pin that was not, and drops those after it.
    fn turn_round(&mut self) -> Result<(), NoStrategy> {
        self.step_back()?;
        while let Some((features, answer, turned)) = self.pins.pop() {
            self.pinned.remove(&features);
            if !turned {
                self.pin(features, 1 - answer.min(1), true);
                return Ok(());
            }
        }
        Err(NoStrategy::Stuck)
    }

    fn step_back(&mut self) -> Result<(), NoStrategy> {
        self.conflicts += 1;
        if self.conflicts > self.patience { Err(NoStrategy::Stuck) } else { Ok(()) }
    }

    fn pin(&mut self, features: u128, answer: u8, turned: bool) {
        self.pins.push((features, answer, turned));
        self.pinned.insert(features, answer);
        self.cases.insert(features, answer);
    }

    /// Puts down forced answers, and learns the tree again.
    fn learn(&mut self, deviations: FxHashMap<u128, [u32; 4]>) -> Result<(), NoStrategy> {
        let mut all: Vec<(u128, [u32; 4])> = deviations.into_iter().collect();
        all.arrange();
        for (features, counts) in all {
            let (answer, count) = (0..4u8)
                .map(|a| (a, counts[a as usize]))
                .max_by_key(|(a, c)| (*c, 4 - a))
                .unwrap_or((0, 0));
            let others = counts.iter().sum::<u32>() - count;
            let before = self.cases.get(&features).copied();
            if others > 0 || before.is_some_and(|before| before != answer) {
                // The move that was right before stays.
                self.step_back()?;
                let kept = before.filter(|_| others == 0).unwrap_or(answer);
                self.pin(features, kept, false);
            } else {
                self.cases.insert(features, answer);
            }
        }
        self.grow();
        Ok(())
    }

    /// Learns the tree.
    fn grow(&mut self) {
        let mut cases: Vec<Case> = self.cases.iter().map(|(f, a)| (*f, *a)).collect();
        cases.extend(
            self.usual
                .iter()
                .filter(|f| !self.cases.contains_key(*f))
                .map(|f| (*f, self.usual_answer)),
        );
        cases.arrange();
        self.tree = Tree::learn(&mut cases, self.view.count(3).min(128), self.usual_answer);
    }

    pub(super) fn strategy(&self) -> LocalStrategy {
        LocalStrategy { view: self.view, tree: self.tree.clone() }
    }
}

impl RepairSearch<'_, '_> {
    fn start(&mut self) -> Result<bool, LimitReached> {
        if self.trainer.first_wins {
            self.winner(MarkedPosition::START, 0)
        } else {
            self.loser(MarkedPosition::START)
        }
    }

    /// Returns whether the player with the strategy wins, the other one to move.
    fn loser(&mut self, spot: MarkedPosition) -> Result<bool, LimitReached> {
        let mut moves = 0;
        for i in 0..self.circle.steps.all.len() {
            let Some(next) = self.circle.after(spot, self.circle.steps.all[i]) else { continue };
            moves += 1;
            if !self.winner(next, i as u8)? || self.over {
                return Ok(false);
            }
        }
        Ok(moves > 0 || !self.circle.misere)
    }

    /// Returns whether the player with the strategy wins, to move, using pinned moves where there
    /// are some.
    fn winner(&mut self, spot: MarkedPosition, last: u8) -> Result<bool, LimitReached> {
        if let Some(known) = self.known.get(&(spot, last)) {
            return Ok(known.wins);
        }
        self.trainer.meter.spend_one()?;
        if self.known.len() > self.trainer.most {
            self.over = true;
            return Ok(false);
        }
        let count = self.circle.steps.all.len() as u8;
        let legal = |step: &u8| self.circle.is_free(spot, self.circle.steps.all[*step as usize]);
        let moves = (0..count).filter(legal).count();
        if moves == 0 {
            self.known.insert((spot, last), Known { wins: self.circle.misere, chosen: 255 });
            return Ok(self.circle.misere);
        }
        let mut order: smallvec::SmallVec<[u8; 4]> = (0..count).filter(legal).collect();
        if moves > 1 {
            let features = self.trainer.view.features(self.circle, spot, last);
            if let Some(pin) = self.trainer.pinned.get(&features) {
                let step = step_of(*pin, last, count);
                if legal(&step) {
                    order.retain(|other| *other == step);
                }
            } else {
                // To keep to the usual answer is to depart from it only where it was seen to lose.
                let answer = match self.trainer.keeps_usual {
                    true => self
                        .trainer
                        .cases
                        .get(&features)
                        .copied()
                        .unwrap_or(self.trainer.usual_answer),
                    false => self.trainer.tree.answer(features),
                };
                let step = step_of(answer, last, count);
                if let Some(at) = order.iter().position(|other| *other == step) {
                    order[..=at].rotate_right(1);
                }
            }
        }
        let mut known = Known { wins: false, chosen: 255 };
        for step in order {
            let next = self.circle.after(spot, self.circle.steps.all[step as usize]);
            if let Some(next) = next
                && self.loser(next)?
            {
                known = Known { wins: true, chosen: step };
                break;
            }
            if self.over {
                return Ok(false);
            }
        }
        self.known.insert((spot, last), known);
        Ok(known.wins)
    }

    /// Returns where the winning strategy found has another move than the tree, features and how
    /// often each answer is right there; the features with which it gives the usual answer, and
    /// whether the tree does so there.
    fn deviations(&self) -> (FxHashMap<u128, [u32; 4]>, FxHashSet<u128>, bool) {
        let mut agrees = true;
        let mut usual = FxHashSet::default();
        let mut deviations: FxHashMap<u128, [u32; 4]> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut todo: Vec<(MarkedPosition, u8)> = Vec::new();
        let count = self.circle.steps.all.len() as u8;
        let strategy = self.trainer.strategy();
        let replies = |spot: MarkedPosition, todo: &mut Vec<(MarkedPosition, u8)>| {
            for i in 0..count {
                if let Some(next) = self.circle.after(spot, self.circle.steps.all[i as usize]) {
                    todo.push((next, i));
                }
            }
        };
        match self.trainer.first_wins {
            true => todo.push((MarkedPosition::START, 0)),
            false => replies(MarkedPosition::START, &mut todo),
        }
        while let Some((spot, last)) = todo.pop() {
            if !seen.insert((spot, last)) {
                continue;
            }
            let Some(known) = self.known.get(&(spot, last)).filter(|known| known.chosen < count)
            else {
                continue;
            };
            let features = || strategy.view.features(self.circle, spot, last);
            if strategy.choose(self.circle, spot, last) == Some(known.chosen) {
                let choice = self
                    .circle
                    .steps
                    .all
                    .iter()
                    .filter(|step| self.circle.is_free(spot, **step))
                    .count()
                    > 1;
                if choice && known.chosen == step_of(self.trainer.usual_answer, last, count) {
                    usual.insert(features());
                }
            } else if self.trainer.keeps_usual
                && known.chosen == step_of(self.trainer.usual_answer, last, count)
                && !self.trainer.cases.contains_key(&features())
            {
                // The tree has to learn that there was no need to depart.
                usual.insert(features());
                agrees = false;
            } else {
                let answer = (0..4).find(|a| step_of(*a, last, count) == known.chosen).unwrap_or(0);
                deviations.entry(features()).or_default()[answer as usize & 3] += 1;
            }
            if let Some(next) =
                self.circle.after(spot, self.circle.steps.all[known.chosen as usize])
            {
                replies(next, &mut todo);
            }
        }
        (deviations, usual, agrees)
    }
}

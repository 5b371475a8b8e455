//! The words that a strategy reaches on one circle, against every reply, as whole sets.

use super::local_view::{CircleRules, FeatureSource};
use super::sets::{EMPTY, Node, Sets};
use super::strategy_repair::LocalStrategy;
use super::tree::TreeStep;
use bouton_core::{LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Why there are no words.
pub(super) enum WordsError {
    Spent(LimitReached),
    /// More nodes than allowed.
    Many,
    /// The strategy loses.
    Loses,
}

/// Nodes that may lie about before what is not needed is dropped.
const LITTER: usize = 4_000_000;

/// The positions with the token at one place, by the last step where the winner is to move.
#[derive(Debug, Clone, Default)]
struct Level {
    loser: Vec<Node>,
    winner: Vec<Vec<Node>>,
}

/// Puts the set of the labelled words into `into`. The sets of one place of the token after the
/// other, revolutions included, where moves only go forwards. Else places are taken in the order of
/// what every move adds to: the cells that the token has come, and for each move one more than the
/// furthest step back.
pub(super) fn words(
    circle: &CircleRules,
    strategy: &LocalStrategy,
    first_wins: bool,
    most: usize,
    into: &mut Sets,
    meter: &mut Meter,
) -> Result<Node, WordsError> {
    let mut reached = ReachedWords::new(circle, strategy, first_wins);
    let mut idle = 0;
    while idle < reached.levels.len() {
        let here = reached.take_level();
        idle += 1;
        let mut found = Vec::new();
        for (come, level) in here {
            let loser = reached.sets.union_all(level.loser);
            if loser != EMPTY {
                found.push(loser);
                reached.add_replies(come, loser)?;
            }
            for (last, winner) in level.winner.into_iter().enumerate() {
                let winner = reached.sets.union_all(winner);
                if winner != EMPTY {
                    found.push(winner);
                    reached.add_chosen(come, last as u8, winner)?;
                }
            }
        }
        if !found.is_empty() {
            idle = 0;
            reached.unite(found);
        }
        if reached.sets.torn {
            return Err(WordsError::Loses);
        }
        meter.spend_and_poll(64).map_err(WordsError::Spent)?;
        if reached.sets.size() > LITTER.min(4 * most) {
            reached.drop_litter(most, meter)?;
        }
        reached.sets.forget();
        reached.at += 1;
    }
    let ReachedWords { mut sets, done, .. } = reached;
    let all = sets.union_all(done.into_iter().map(|(_, set)| set).collect());
    if sets.torn {
        return Err(WordsError::Loses);
    }
    Ok(into.copied(&sets, all, &mut FxHashMap::default()))
}

/// The words reached so far.
struct ReachedWords<'c> {
    circle: &'c CircleRules,
    strategy: &'c LocalStrategy,
    sets: Sets,
    /// The levels from the current one on, by their number modulo how many there are: as many as a
    /// move goes on. In each the words by the cells that the token has come.
    levels: Vec<BTreeMap<i32, Level>>,
    /// The number of the current level.
    at: usize,
    /// What every move adds to the number of a level, besides its step.
    each: i32,
    letters: usize,
    /// Sets done, united like the digits of a binary number.
    done: Vec<(u32, Node)>,
}

impl<'c> ReachedWords<'c> {
    /// Returns the word of the start alone.
    fn new(circle: &'c CircleRules, strategy: &'c LocalStrategy, first_wins: bool) -> Self {
        let steps = &circle.steps;
        let each = if steps.max_step_back() > 0 { steps.max_step_back() + 1 } else { 0 };
        let furthest = (steps.max_step_forward() + each) as usize;
        let letters = circle.n as usize - 1;
        let mut reached = ReachedWords {
            circle,
            strategy,
            sets: Sets::new(),
            levels: vec![BTreeMap::new(); furthest + 1],
            at: 0,
            each,
            letters,
            done: Vec::new(),
        };
        let label = if first_wins { 2 } else { 1 };
        let start = reached.sets.before(0, letters, label);
        let first = reached.levels[0].entry(0).or_insert_with(|| empty(circle));
        match first_wins {
            true => first.winner[0].push(start),
            false => first.loser.push(start),
        }
        reached
    }

    fn take_level(&mut self) -> BTreeMap<i32, Level> {
        let here = self.at % self.levels.len();
        std::mem::take(&mut self.levels[here])
    }

    /// Returns the words after a step of a token that has come this many cells.
    fn after(&mut self, come: i32, step: i32) -> &mut Level {
        let level = (self.at + (step + self.each) as usize) % self.levels.len();
        self.levels[level].entry(come + step).or_insert_with(|| empty(self.circle))
    }

    /// Adds what every move of the loser leads to from these words.
    fn add_replies(&mut self, come: i32, loser: Node) -> Result<(), WordsError> {
        let circle = self.circle;
        if circle.misere && stuck(&mut self.sets, circle, loser) != EMPTY {
            return Err(WordsError::Loses);
        }
        for (i, step) in circle.steps.all.iter().enumerate() {
            let next = self.sets.after_step(loser, self.letters, &circle.steps, *step);
            if next != EMPTY {
                self.after(come, *step).winner[i].push(next);
            }
        }
        Ok(())
    }

    /// Adds what the winner's moves by the strategy lead to from these words, after the last step.
    fn add_chosen(&mut self, come: i32, last: u8, winner: Node) -> Result<(), WordsError> {
        let circle = self.circle;
        if !circle.misere && stuck(&mut self.sets, circle, winner) != EMPTY {
            return Err(WordsError::Loses);
        }
        let looks = self.strategy.view.looks(circle, come, last);
        let mut chosen = vec![Vec::new(); circle.steps.all.len()];
        choose(&mut self.sets, circle, self.strategy, &looks, last, (winner, 0), &mut chosen);
        for (step, all) in circle.steps.all.iter().zip(chosen) {
            let chosen = self.sets.union_all(all);
            let next = self.sets.after_step(chosen, self.letters, &circle.steps, *step);
            if next != EMPTY {
                self.after(come, *step).loser.push(next);
            }
        }
        Ok(())
    }

    /// Adds the words of a level to those that are done.
    fn unite(&mut self, found: Vec<Node>) {
        let mut set = (0, self.sets.union_all(found));
        while let Some((_, other)) = self.done.pop_if(|(rank, _)| *rank == set.0) {
            set = (set.0 + 1, self.sets.union(set.1, other));
        }
        self.done.push(set);
    }

    /// Keeps the nodes that are needed alone, of which there may be `most`.
    fn drop_litter(&mut self, most: usize, meter: &mut Meter) -> Result<(), WordsError> {
        let (mut kept, mut known) = (Sets::new(), FxHashMap::default());
        let mut keep = |node: &mut Node| *node = kept.copied(&self.sets, *node, &mut known);
        self.done.iter_mut().for_each(|(_, node)| keep(node));
        for level in self.levels.iter_mut().flat_map(BTreeMap::values_mut) {
            level.loser.iter_mut().chain(level.winner.iter_mut().flatten()).for_each(&mut keep);
        }
        if kept.size() > most {
            return Err(WordsError::Many);
        }
        meter.spend_and_poll(kept.size() as u64).map_err(WordsError::Spent)?;
        self.sets = kept;
        Ok(())
    }
}

fn empty(circle: &CircleRules) -> Level {
    Level { loser: Vec::new(), winner: vec![Vec::new(); circle.steps.all.len()] }
}

/// Returns the words without a move.
fn stuck(sets: &mut Sets, circle: &CircleRules, node: Node) -> Node {
    circle.steps.all.iter().fold(node, |node, step| sets.with_letter(node, place(circle, *step), 1))
}

/// Returns where the cell of a step is in a word.
fn place(circle: &CircleRules, step: i32) -> usize {
    step.rem_euclid(circle.n as i32) as usize - 1
}

/// Shares the words out among the steps that the strategy takes, from a node of its tree on.
fn choose(
    sets: &mut Sets,
    circle: &CircleRules,
    strategy: &LocalStrategy,
    looks: &[FeatureSource],
    last: u8,
    (node, at): (Node, u32),
    chosen: &mut [Vec<Node>],
) {
    if node == EMPTY {
        return;
    }
    match strategy.tree.step(at) {
        TreeStep::Answer(answer) => {
            let told = usize::from(strategy.step(answer, last, circle.steps.all.len()));
            let mut rest = node;
            // The step told, else the first legal one.
            let order = std::iter::once(told)
                .chain((0..circle.steps.all.len()).filter(|step| *step != told));
            for step in order {
                let place = place(circle, circle.steps.all[step]);
                chosen[step].push(sets.with_letter(rest, place, 0));
                rest = sets.with_letter(rest, place, 1);
            }
        }
        TreeStep::Look(feature, next) => match looks[feature as usize] {
            FeatureSource::Known(bit) => {
                choose(sets, circle, strategy, looks, last, (node, next[usize::from(bit)]), chosen);
            }
            FeatureSource::Cell(cell) => {
                for (letter, next) in next.into_iter().enumerate() {
                    let part = sets.with_letter(node, cell as usize - 1, letter);
                    choose(sets, circle, strategy, looks, last, (part, next), chosen);
                }
            }
        },
    }
}

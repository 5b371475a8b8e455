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
/// other, laps included, where moves only go forwards. Else places are taken in the order of what
/// every move adds to: the cells that the token has come, and for each move one more than the
/// furthest step back.
pub(super) fn words(
    circle: &CircleRules,
    strategy: &LocalStrategy,
    first_wins: bool,
    most: usize,
    into: &mut Sets,
    meter: &mut Meter,
) -> Result<Node, WordsError> {
    let steps = &circle.steps;
    let each = if steps.back() > 0 { steps.back() + 1 } else { 0 };
    let furthest = (steps.forth() + each) as usize;
    let count = steps.all.len();
    let letters = circle.n as usize - 1;
    let mut sets = Sets::new();
    let empty = || Level { loser: Vec::new(), winner: vec![Vec::new(); count] };
    let mut levels: Vec<BTreeMap<i32, Level>> = vec![BTreeMap::new(); furthest + 1];
    let label = if first_wins { 2 } else { 1 };
    let start = sets.before(0, letters, label);
    let first = levels[0].entry(0).or_insert_with(empty);
    match first_wins {
        true => first.winner[0].push(start),
        false => first.loser.push(start),
    }
    // Sets done, united like the digits of a binary number.
    let mut done: Vec<(u32, Node)> = Vec::new();
    let mut at = 0;
    let mut idle = 0;
    while idle <= furthest {
        let here = std::mem::take(&mut levels[at % (furthest + 1)]);
        idle += 1;
        let after = |step: i32| (at + (step + each) as usize) % (furthest + 1);
        let mut found = Vec::new();
        for (come, level) in here {
            let loser = sets.union_all(level.loser);
            if loser != EMPTY {
                found.push(loser);
                if circle.misere && stuck(&mut sets, circle, loser) != EMPTY {
                    return Err(WordsError::Loses);
                }
                for (i, step) in steps.all.iter().enumerate() {
                    let next = sets.turned(loser, letters, steps, *step);
                    if next != EMPTY {
                        levels[after(*step)].entry(come + step).or_insert_with(empty).winner[i]
                            .push(next);
                    }
                }
            }
            for (last, winner) in level.winner.into_iter().enumerate() {
                let winner = sets.union_all(winner);
                if winner == EMPTY {
                    continue;
                }
                found.push(winner);
                if !circle.misere && stuck(&mut sets, circle, winner) != EMPTY {
                    return Err(WordsError::Loses);
                }
                let looks = strategy.view.looks(circle, come, last as u8);
                let mut chosen = vec![Vec::new(); count];
                choose(&mut sets, circle, strategy, &looks, last as u8, (winner, 0), &mut chosen);
                for (step, all) in steps.all.iter().zip(chosen) {
                    let chosen = sets.union_all(all);
                    let next = sets.turned(chosen, letters, steps, *step);
                    if next != EMPTY {
                        levels[after(*step)]
                            .entry(come + step)
                            .or_insert_with(empty)
                            .loser
                            .push(next);
                    }
                }
            }
        }
        if !found.is_empty() {
            idle = 0;
            let mut set = (0, sets.union_all(found));
            while let Some((_, other)) = done.pop_if(|(rank, _)| *rank == set.0) {
                set = (set.0 + 1, sets.union(set.1, other));
            }
            done.push(set);
        }
        if sets.torn {
            return Err(WordsError::Loses);
        }
        meter.many(64).map_err(WordsError::Spent)?;
        if sets.size() > LITTER.min(4 * most) {
            let (mut kept, mut known) = (Sets::new(), FxHashMap::default());
            let mut keep = |node: &mut Node| *node = kept.copied(&sets, *node, &mut known);
            done.iter_mut().for_each(|(_, node)| keep(node));
            for level in levels.iter_mut().flat_map(BTreeMap::values_mut) {
                level.loser.iter_mut().chain(level.winner.iter_mut().flatten()).for_each(&mut keep);
            }
            if kept.size() > most {
                return Err(WordsError::Many);
            }
            meter.many(kept.size() as u64).map_err(WordsError::Spent)?;
            sets = kept;
        }
        sets.forget();
        at += 1;
    }
    let all = sets.union_all(done.into_iter().map(|(_, set)| set).collect());
    if sets.torn {
        return Err(WordsError::Loses);
    }
    Ok(into.copied(&sets, all, &mut FxHashMap::default()))
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

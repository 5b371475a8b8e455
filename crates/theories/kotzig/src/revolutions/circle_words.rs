//! Circle words: the cells of a circle in order, 0 free, 1 marked, and automata that read them.

use super::partition::coarsest;
use super::strategy_restriction::{StrategyRestriction, Walker};
use bouton_core::{Arrange, LimitReached, Meter};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// No state.
pub(super) const NONE: u32 = u32::MAX;

/// A set of circle words, as an automaton that reads them from cell 0; it begins in state 0.
#[derive(Debug, Clone)]
pub(super) struct CircleWords {
    pub next: Vec<[u32; 2]>,
    /// Where a circle word may end.
    pub ends: Vec<bool>,
}

/// A state of the set being read while a revolution marks cells: where the circle word before it
/// is, and what the token did.
type Place = (u32, Walker);

/// Sets of states, numbered as they come up: the states of an automaton that knows each of these at
/// once.
struct Sets<T> {
    all: Vec<Vec<T>>,
    numbers: FxHashMap<Vec<T>, u32>,
}

impl<T: Copy + Ord + Hash> Sets<T> {
    /// Returns the first of them.
    fn from(start: Vec<T>) -> Sets<T> {
        let mut sets = Sets { all: vec![], numbers: FxHashMap::default() };
        sets.number(start);
        sets
    }

    /// Returns the number of a set, listed in any order; none of the empty one.
    fn number(&mut self, mut set: Vec<T>) -> u32 {
        set.arrange();
        set.dedup();
        if set.is_empty() {
            return NONE;
        }
        let fresh = self.all.len() as u32;
        let number = *self.numbers.entry(set.clone()).or_insert(fresh);
        if number == fresh {
            self.all.push(set);
        }
        number
    }
}

impl CircleWords {
    /// Returns the circle words in which no cell is marked.
    pub(super) fn blank() -> CircleWords {
        CircleWords { next: vec![[0, NONE]], ends: vec![true] }
    }

    /// Returns what a revolution leaves of these circle words, if it begins on one of the first
    /// `entries` cells and is played under this restriction.
    pub(super) fn after_lap(
        &self,
        steps: &[usize],
        entries: usize,
        restriction: StrategyRestriction,
        meter: &mut Meter,
    ) -> Result<CircleWords, LimitReached> {
        let mut sets: Sets<Place> = Sets::from(vec![(0, Walker::before(entries))]);
        let mut left = CircleWords { next: vec![], ends: vec![] };
        while let Some(set) = sets.all.get(left.next.len()).cloned() {
            meter.spend(set.len() as u64)?;
            let mut after = [vec![], vec![]];
            for (state, walker) in &set {
                for letter in 0..2 {
                    let to = self.next[*state as usize][letter];
                    if to != NONE {
                        walker.extended(restriction, steps, letter == 1, |walker, marked| {
                            after[usize::from(marked)].push((to, walker));
                        });
                    }
                }
            }
            left.ends.push(set.iter().any(|(state, walker)| {
                walker.may_end(restriction, steps) && self.ends[*state as usize]
            }));
            left.next.push(after.map(|to| sets.number(to)));
        }
        Ok(left.reduced())
    }

    /// Returns the same set with the fewest states.
    fn reduced(&self) -> CircleWords {
        let backwards = self.backwards();
        let mut useful = self.ends.clone();
        let mut todo: Vec<usize> = (0..useful.len()).filter(|state| useful[*state]).collect();
        while let Some(state) = todo.pop() {
            for from in backwards[state].iter().flatten() {
                if !std::mem::replace(&mut useful[*from as usize], true) {
                    todo.push(*from as usize);
                }
            }
        }
        let to = |to: u32| if to != NONE && useful[to as usize] { to } else { NONE };
        let next: Vec<[u32; 2]> = self.next.iter().map(|next| next.map(to)).collect();
        let kinds: Vec<u32> =
            (0..next.len()).map(|s| u32::from(useful[s]) + u32::from(self.ends[s])).collect();
        let (classes, next) = coarsest(&next, &kinds);
        let mut reduced = CircleWords { ends: vec![false; next.len()], next };
        for (state, class) in classes.iter().enumerate() {
            reduced.ends[*class as usize] = self.ends[state];
        }
        // States from which no circle word ends stay, unreachable: nothing leads there.
        reduced.reachable()
    }

    fn reachable(&self) -> CircleWords {
        let mut place = vec![NONE; self.next.len()];
        let mut order = vec![0usize];
        place[0] = 0;
        let mut at = 0;
        while at < order.len() {
            for to in self.next[order[at]] {
                if to != NONE && place[to as usize] == NONE {
                    place[to as usize] = order.len() as u32;
                    order.push(to as usize);
                }
            }
            at += 1;
        }
        let to = |to: u32| if to == NONE { NONE } else { place[to as usize] };
        CircleWords {
            next: order.iter().map(|state| self.next[*state].map(to)).collect(),
            ends: order.iter().map(|state| self.ends[*state]).collect(),
        }
    }

    fn backwards(&self) -> Vec<[Vec<u32>; 2]> {
        let mut from = vec![[vec![], vec![]]; self.next.len()];
        for (state, next) in self.next.iter().enumerate() {
            for letter in 0..2 {
                if next[letter] != NONE {
                    from[next[letter] as usize][letter].push(state as u32);
                }
            }
        }
        from
    }

    /// Returns the ends of these circle words, read from the last cell on: next states by letter.
    /// It begins in state 0.
    pub(super) fn reversed(&self) -> Vec<[u32; 2]> {
        let backwards = self.backwards();
        let mut sets =
            Sets::from((0..self.ends.len() as u32).filter(|s| self.ends[*s as usize]).collect());
        let mut next = Vec::new();
        while let Some(set) = sets.all.get(next.len()).cloned() {
            next.push([0, 1].map(|letter: usize| {
                sets.number(
                    set.iter()
                        .flat_map(|state| backwards[*state as usize][letter].iter().copied())
                        .collect(),
                )
            }));
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::Budget;
    use std::collections::BTreeSet;

    fn words(tapes: &CircleWords, length: usize) -> BTreeSet<Vec<usize>> {
        let mut all = vec![(0u32, vec![])];
        for _ in 0..length {
            let longer = |(state, word): &(u32, Vec<usize>)| {
                let to = tapes.next[*state as usize];
                let with = |letter: usize| (to[letter], [word.clone(), vec![letter]].concat());
                [with(0), with(1)]
                    .into_iter()
                    .filter(|(state, _)| *state != NONE)
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter()
            .filter(|(state, _)| tapes.ends[*state as usize])
            .map(|(_, word)| word)
            .collect()
    }

    /// A player with a strategy: the sum, departures left, and the other's last step if it is that
    /// player's move.
    type Keeper = Option<(usize, u8, Option<usize>)>;

    fn walk(
        tape: &mut Vec<usize>,
        at: usize,
        steps: &[usize],
        keeper: Keeper,
        left: &mut BTreeSet<Vec<usize>>,
    ) {
        tape[at] = 1;
        for step in steps {
            let mut after = keeper;
            if let Some((sum, departures, turn)) = keeper {
                let usual = turn
                    .and_then(|last| sum.checked_sub(last))
                    .filter(|usual| steps.contains(usual));
                // Cells past the last are free or not, as it may be.
                let departs = |usual| usual != *step && tape.get(at + usual) == Some(&0);
                let departs = usual.is_some_and(departs);
                if departs && departures == 0 {
                    continue;
                }
                let turn = if turn.is_some() { None } else { Some(*step) };
                after = Some((sum, departures - u8::from(departs), turn));
            }
            if at + step >= tape.len() {
                left.insert(tape.clone());
            } else if tape[at + step] == 0 {
                walk(tape, at + step, steps, after, left);
            }
        }
        tape[at] = 0;
    }

    /// Returns all that revolutions leave, by walking.
    fn walked(
        before: &BTreeSet<Vec<usize>>,
        steps: &[usize],
        entries: usize,
        restriction: StrategyRestriction,
    ) -> BTreeSet<Vec<usize>> {
        let keepers: Vec<Keeper> = match restriction {
            StrategyRestriction::None => vec![None],
            StrategyRestriction::FixedSum { sum, departures } => {
                vec![Some((sum, departures, None)), Some((sum, departures, Some(0)))]
            }
        };
        let mut left = BTreeSet::new();
        for tape in before {
            for at in (0..entries).filter(|at| tape[*at] == 0) {
                for keeper in &keepers {
                    walk(&mut tape.clone(), at, steps, *keeper, &mut left);
                }
            }
        }
        left
    }

    #[test]
    fn laps_leave_what_walks_leave() {
        let kept = |sum, departures| StrategyRestriction::FixedSum { sum, departures };
        let all = [
            (vec![1, 2], StrategyRestriction::None),
            (vec![2, 3], StrategyRestriction::None),
            (vec![1, 4], StrategyRestriction::None),
            (vec![2, 5], StrategyRestriction::None),
            (vec![1, 2, 4], StrategyRestriction::None),
            (vec![1, 2], kept(3, 0)),
            (vec![2, 5], kept(7, 0)),
            (vec![2, 5], kept(7, 1)),
            (vec![1, 2, 4], kept(6, 0)),
            (vec![1, 2, 4], kept(6, 1)),
            (vec![1, 2, 4], kept(5, 2)),
        ];
        for (steps, restriction) in all {
            let mut meter = Meter::new(&Budget::default());
            let furthest = *steps.last().unwrap();
            // Restrictions are for the first revolution.
            let laps = if restriction == StrategyRestriction::None { 4 } else { 1 };
            for n in furthest + 1..14 {
                let (mut tapes, mut all) = (CircleWords::blank(), BTreeSet::from([vec![0; n]]));
                for lap in 0..laps {
                    let entries = if lap == 0 { 1 } else { furthest };
                    tapes = tapes.after_lap(&steps, entries, restriction, &mut meter).unwrap();
                    all = walked(&all, &steps, entries, restriction);
                    assert_eq!(
                        words(&tapes, n),
                        all,
                        "{steps:?}, {restriction:?}, {n} cells, lap {lap}"
                    );
                    // The ends, read from behind, are those of the circle words.
                    let behind = tapes.reversed();
                    for tape in &all {
                        let mut state = 0;
                        for letter in tape.iter().rev() {
                            state = behind[state as usize][*letter];
                            assert_ne!(state, NONE);
                        }
                    }
                }
            }
        }
    }
}

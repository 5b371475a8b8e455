//! A heap of Nim beside a game.
//!
//! Nim-values are studied as the P-positions of the game beside a heap of Nim, and rule files have
//! such heaps, too. Whether a position is P is then known from the nim-value of the game alone,
//! whose positions are far fewer than those of both together.

use bouton_conjecture::OutcomeTable;
use bouton_core::{Arrange, Nimber, mex};
use bouton_engine::game::Game;
use bouton_engine::game_graph::GameGraph;

/// Positions on which it is tried whether a number is a heap of Nim, and the fewest of them.
const TRIED: usize = 24;
const FEWEST: usize = 6;
/// Options that are looked at for all values together.
const MAX_OPTIONS: u64 = 1 << 25;
/// Options that are looked at to list P-positions, and the greatest number of these.
const LISTED_OPTIONS: u64 = 1 << 20;
const MAX_LISTED: u64 = 1 << 10;
/// The clock is looked at every so many positions.
const BLOCK: u64 = 256;
/// The value of a position is not known.
const UNKNOWN: u32 = u32::MAX;

/// A game one of whose numbers seems to be a heap of Nim, and the nim-values of the rest that are
/// known. That it is one is seen in some positions, so what is said is no proof.
pub(crate) struct NimHeap {
    graph: Box<dyn GameGraph>,
    /// The place of the heap, and how many numbers a position has.
    place: usize,
    heaps: usize,
    /// The nim-values of nodes.
    values: Vec<u32>,
    /// Options looked at.
    options: u64,
    /// P-positions, by the greatest number of the rest.
    listed: Vec<Vec<u64>>,
    /// The greatest number of the rest of those to come.
    next: u64,
}

/// A position whose value is being computed, with its options.
struct Open {
    node: u32,
    options: Vec<u32>,
    /// How many of the first options have a value.
    known: usize,
}

impl NimHeap {
    /// Returns the heap of Nim among the first numbers of a game, if there seems to be one.
    pub(crate) fn new(game: &dyn Game, tokens: usize, table: &OutcomeTable) -> Option<NimHeap> {
        let mut graph = game.graph();
        let place = (0..tokens).rev().find(|place| is_nim_heap(&mut *graph, *place, table))?;
        Some(NimHeap {
            graph,
            place,
            heaps: table.heaps(),
            values: Vec::new(),
            options: 0,
            listed: Vec::new(),
            next: 0,
        })
    }

    /// Returns whether a position is P; `None` if too many positions lie below it, or it is late.
    pub(crate) fn is_p(&mut self, p: &[u64], is_late: &dyn Fn() -> bool) -> Option<bool> {
        let node = self.graph.position(&without(p, self.place))?;
        Some(u64::from(self.value(node, is_late)?) == p[self.place])
    }

    /// Returns the first P-position of which something holds; of those whose rest has small
    /// numbers, as far as their values are soon known. `occurs` tells which positions occur.
    pub(crate) fn find(
        &mut self,
        occurs: &dyn Fn(&[u64]) -> bool,
        is_late: &dyn Fn() -> bool,
        holds: &dyn Fn(&[u64]) -> bool,
    ) -> Option<Vec<u64>> {
        if let Some(found) = self.listed.iter().find(|p| holds(p)) {
            return Some(found.clone());
        }
        while self.options < LISTED_OPTIONS && self.next < MAX_LISTED && !is_late() {
            let from = self.listed.len();
            self.list(occurs, is_late)?;
            if let Some(found) = self.listed[from..].iter().find(|p| holds(p)) {
                return Some(found.clone());
            }
        }
        None
    }

    /// Lists the P-positions of one more greatest number of the rest.
    fn list(&mut self, occurs: &dyn Fn(&[u64]) -> bool, is_late: &dyn Fn() -> bool) -> Option<()> {
        let heaps = self.heaps;
        let mut p = vec![0; heaps];
        let mut listed = Vec::new();
        loop {
            if p.contains(&self.next) && occurs(&p) {
                let node = self.graph.position(&p)?;
                let mut found = p.clone();
                found[self.place] = self.value(node, is_late)?.into();
                listed.push(found);
            }
            let is_free = |place: &usize| *place != self.place && p[*place] < self.next;
            let Some(place) = (0..heaps).find(is_free) else { break };
            p[place] += 1;
            p[..place].fill(0);
        }
        self.listed.extend(listed);
        self.next += 1;
        Some(())
    }

    fn known(&self, node: u32) -> Option<u32> {
        self.values.get(node as usize).copied().filter(|value| *value != UNKNOWN)
    }

    /// Returns the nim-value of a position without a token on the heap.
    fn value(&mut self, node: u32, is_late: &dyn Fn() -> bool) -> Option<u32> {
        let mut line: Vec<Open> = Vec::new();
        let mut next = Some(node);
        let mut opened = 0u64;
        loop {
            if let Some(node) = next.take().filter(|node| self.known(*node).is_none()) {
                opened += 1;
                if self.options > MAX_OPTIONS || opened.is_multiple_of(BLOCK) && is_late() {
                    return None;
                }
                let options = self.graph.options(node).ok()?.to_vec();
                self.options += 1 + options.len() as u64;
                line.push(Open { node, options, known: 0 });
            }
            let Some(open) = line.last_mut() else { return self.known(node) };
            let values = &self.values;
            let is_open =
                |option: &u32| values.get(*option as usize).is_none_or(|value| *value == UNKNOWN);
            next = open.options[open.known..].iter().copied().find(is_open);
            if let Some(option) = next {
                open.known = open.options.iter().position(|own| *own == option).unwrap_or(0);
                continue;
            }
            let met = open.options.iter().map(|option| Nimber(values[*option as usize]));
            let Nimber(value) = mex(met);
            let at = open.node as usize;
            if at >= self.values.len() {
                self.values.resize(at + 1, UNKNOWN);
            }
            self.values[at] = value;
            line.pop();
        }
    }
}

/// Returns a position without the tokens of one heap.
fn without(p: &[u64], place: usize) -> Vec<u64> {
    let mut rest = p.to_vec();
    rest[place] = 0;
    rest
}

/// Returns whether a number of some positions of a table is a heap of Nim: it may be lowered to any
/// number, all else then stays, and no other move depends on it.
fn is_nim_heap(graph: &mut dyn GameGraph, place: usize, table: &OutcomeTable) -> bool {
    let with_tokens = table.p_positions().filter(|p| p[place] > 0);
    let all: Vec<Vec<u64>> =
        with_tokens.map(|p| p.iter().map(|number| (*number).into()).collect()).collect();
    let tried = all.iter().rev().step_by((all.len() / TRIED).max(1));
    let mut moved = 0;
    for p in tried {
        let Some(options) = options(graph, p) else { return false };
        let rest = without(p, place);
        let Some(mut of_rest) = self::options(graph, &rest) else { return false };
        let (own, mut others): (Vec<_>, Vec<_>) =
            options.into_iter().partition(|q| q[place] != p[place]);
        let is_nim = own.len() as u64 == p[place]
            && own.iter().all(|q| q[place] < p[place] && without(q, place) == rest);
        others.iter_mut().for_each(|q| q[place] = 0);
        others.arrange();
        of_rest.arrange();
        if !is_nim || others != of_rest {
            return false;
        }
        moved += usize::from(!others.is_empty());
    }
    moved >= FEWEST
}

/// Returns the options of a position; `None` if it is none.
fn options(graph: &mut dyn GameGraph, p: &[u64]) -> Option<Vec<Vec<u64>>> {
    let node = graph.position(p)?;
    let options = graph.options(node).ok()?.to_vec();
    options.into_iter().map(|option| graph.sizes(option)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use crate::tables::Tables;
    use bouton_core::{Budget, Play};
    use bouton_games::RuleFile;

    /// Returns what seems to be the heap of Nim of a rule file's game.
    fn nim_heap(rules: &str) -> Option<NimHeap> {
        let game = RuleFile::parse(&format!("name = \"beside\"\n{rules}")).unwrap().game();
        let (stated, budget) = (game.heap_game().unwrap(), Budget::default());
        let tables = Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {});
        let table = tables.make(stated.heaps, 20).unwrap().table;
        NimHeap::new(&*game, stated.heaps - stated.moves.memory.count, &table)
    }

    /// Beside a heap from which one, two or all but half may be taken the heap of Nim holds the
    /// least number that is no value of an option.
    #[test]
    fn positions_beside_a_heap_of_nim() {
        let rules = "heaps = 2\nmove = \"q0 = p0 & (q1+1 = p1 | q1+2 = p1 | q1 = p1 div 2) \
                     | q1 = p1 & q0 < p0\"\n";
        let mut heap = nim_heap(rules).unwrap();
        assert_eq!(heap.place, 0);
        let mut values: Vec<u64> = Vec::new();
        for size in 0..200usize {
            let options: Vec<u64> = [size.checked_sub(1), size.checked_sub(2), Some(size / 2)]
                .into_iter()
                .flatten()
                .filter(|option| *option < size)
                .map(|option| values[option])
                .collect();
            values.push((0..).find(|value| !options.contains(value)).unwrap());
        }
        for (size, value) in values.iter().enumerate() {
            for number in 0..5 {
                let said = heap.is_p(&[number, size as u64], &|| false);
                assert_eq!(said, Some(number == *value), "{number}, {size}");
            }
        }
        let is_wrong = |p: &[u64]| values[p[1] as usize] != p[0];
        assert_eq!(heap.find(&|p| p[1] < 200, &|| false, &is_wrong), None);
        assert_eq!(heap.find(&|_| true, &|| false, &|p| p[1] == 7), Some(vec![values[7], 7]));
    }

    /// No heap of Nim: a move takes from both heaps, or tokens are bounded by the other heap.
    #[test]
    fn other_heaps() {
        for condition in [
            "q0 = p0 | q1 = p1 | q0+1 = p0 & q1+1 = p1",
            "q1 = p1 & p0 <= q0+p1 | q0 = p0 & q1 < p1",
        ] {
            assert!(nim_heap(&format!("heaps = 2\nmove = \"{condition}\"\n")).is_none());
        }
    }
}

//! Options by the automaton of the moves, for conditions that are not linear; by linear systems
//! where the condition is a union of such.

use crate::heap_rules::OptionGenerator;
use bouton_automata::AutomaticRelation;
use bouton_core::{LinearSystems, Memory, Rows};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow::{self, Continue};

/// The options by the automaton of the moves: with the digits of the position given, it runs
/// through the digits of the options. For conditions that are not linear.
#[derive(Debug)]
pub(super) struct Digitwise {
    /// Numbers of a position, those remembered among them.
    pub(super) heaps: usize,
    pub(super) memory: Memory,
    pub(super) moves: AutomaticRelation,
    pub(super) alive: Vec<bool>,
    /// The same moves but for what goes without saying, over p0, q0, p1, q1, …, if they are linear.
    pub(super) systems: Option<LinearSystems>,
}

/// Steps of the search in linear systems, at most; the automaton has no such end.
const STEPS: u64 = 1 << 16;

impl Digitwise {
    /// Returns the options by linear systems, each once; `None` if that does not find them. No heap
    /// grows, and one is lowered.
    fn by_systems(&self, p: &[u32]) -> Option<Vec<Rows>> {
        let systems = self.systems.as_ref()?;
        let given: Vec<Option<u64>> =
            p.iter().flat_map(|heap| [Some(u64::from(*heap)), None]).collect();
        let heaps = self.heaps - self.memory.count;
        let most = |at: usize| if at < heaps { p[at] } else { self.memory.most(p) };
        let tops: Vec<Option<u64>> =
            (0..p.len()).flat_map(|at| [None, Some(u64::from(most(at)))]).collect();
        let mut all: Vec<Rows> = Vec::new();
        let _ = systems.solutions(&given, &tops, STEPS, &mut |values| {
            let option: Rows = values.iter().skip(1).step_by(2).map(|size| *size as u32).collect();
            if option[..heaps] != p[..heaps] {
                all.push(option);
            }
            Continue(())
        })?;
        all.sort_unstable();
        all.dedup();
        Some(all)
    }
}

impl OptionGenerator for Digitwise {
    fn walk(&self, p: &[u32], visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) -> ControlFlow<()> {
        if let Some(all) = self.by_systems(p) {
            return all.iter().try_for_each(|option| visit(option));
        }
        let digits: Vec<Vec<bool>> =
            p.iter().map(|heap| self.moves.numeration.digits(u64::from(*heap))).collect();
        let remembered = match self.memory.count {
            0 => 0,
            _ => self.moves.numeration.digits(self.memory.most(p).into()).len(),
        };
        let columns = digits.iter().map(Vec::len).max().unwrap_or(0).max(remembered);
        let position: Vec<Vec<bool>> = digits
            .iter()
            .map(|own| [vec![false; columns - own.len()], own.clone()].concat())
            .collect();
        let mut run = Run {
            rules: self,
            position: &position,
            columns,
            dead: FxHashMap::default(),
            option: vec![Vec::with_capacity(columns); self.heaps],
        };
        match run.from(self.moves.dfa.start(), 0, visit) {
            Continue(_) => Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        }
    }
}

/// A run through the automaton with the position's digits given.
struct Run<'w> {
    rules: &'w Digitwise,
    position: &'w [Vec<bool>],
    columns: usize,
    /// Whether no option can be reached from a state at a column.
    dead: FxHashMap<(usize, usize), bool>,
    option: Vec<Vec<bool>>,
}

impl Run<'_> {
    /// Returns whether anything was found.
    fn from(
        &mut self,
        state: usize,
        column: usize,
        visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        let automaton = &self.rules.moves;
        if column == self.columns {
            let found = automaton.dfa.accepts(state);
            if found {
                let value = |digits: &Vec<bool>| automaton.numeration.value(digits.iter().copied());
                let heap =
                    |digits| value(digits).and_then(|v| u32::try_from(v).ok()).unwrap_or(u32::MAX);
                let option: Rows = self.option.iter().map(heap).collect();
                visit(&option)?;
            }
            return Continue(found);
        }
        if !self.rules.alive[state] || self.dead.get(&(state, column)) == Some(&true) {
            return Continue(false);
        }
        let mut found = false;
        for digits in 0..1usize << self.rules.heaps {
            let bit = |heap: usize| digits >> heap & 1 == 1;
            let to = automaton.dfa.step(state, |track| {
                let heap = track as usize / 2;
                if track % 2 == 0 { self.position[heap][column] } else { bit(heap) }
            });
            (0..self.rules.heaps).for_each(|heap| self.option[heap].push(bit(heap)));
            let below = self.from(to, column + 1, visit);
            self.option.iter_mut().for_each(|digits| {
                digits.pop();
            });
            found |= below?;
        }
        self.dead.insert((state, column), !found);
        Continue(found)
    }
}

//! The options of a position as runs: one heap has any size between two numbers, the others stay.
//!
//! Each alternative of the condition settles first the heaps that it leaves as they are, so that of
//! `q0 = p0 & q1 < p1 | q1 = p1 & q0 < p0` both halves are one run.

use super::{HeapOptions, Linear, Sign, Tree};
use bouton_core::{Arrange, MAX_HEAPS};
use std::ops::ControlFlow::{self, Continue};

/// The moves of a game on a fixed number of heaps, by alternatives.
#[derive(Debug, Clone)]
pub struct Runs(Vec<Alternative>);

/// A part of a condition, for one window.
#[derive(Debug, Clone)]
struct Alternative {
    /// The condition, its places in the order in which they are settled.
    root: Tree,
    /// The heaps in this order.
    order: Vec<usize>,
}

impl HeapOptions {
    /// Returns the moves as runs, if the heaps are fixed in number, nothing is remembered, and
    /// there is a condition that consists of linear comparisons.
    pub fn runs(&self, heaps: usize) -> Option<Runs> {
        let is_plain = self.memory.count == 0 && heaps <= MAX_HEAPS;
        let condition = self.condition.as_ref().filter(|condition| is_plain && condition.exact)?;
        let parts = match &condition.root {
            Tree::Any(parts) => parts.as_slice(),
            whole => std::slice::from_ref(whole),
        };
        let mut alternatives = Vec::new();
        for window in self.listed.as_ref()? {
            for part in parts {
                let mut places: Vec<usize> = (0..window.len()).collect();
                places.arrange_by_key(|place| !part.keeps(*place));
                let mut rank = vec![0; places.len()];
                places.iter().enumerate().for_each(|(at, place)| rank[*place] = at);
                alternatives.push(Alternative {
                    root: part.reordered(&rank),
                    order: places.iter().map(|place| window[*place]).collect(),
                });
            }
        }
        Some(Runs(alternatives))
    }
}

impl Tree {
    /// Returns whether the condition sets a heap apart from the others: q = p, or q + c = p.
    fn keeps(&self, place: usize) -> bool {
        match self {
            Tree::Linear(linear) => {
                linear.sign == Sign::Zero
                    && matches!(linear.after[..], [(other, 1 | -1)] if other == place)
                    && linear.before.iter().all(|(other, _)| *other == place)
            }
            Tree::All(parts) => parts.iter().any(|part| part.keeps(place)),
            Tree::Any(_) | Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => false,
        }
    }

    /// Returns the same with places in another order.
    fn reordered(&self, rank: &[usize]) -> Tree {
        let all = |parts: &[Tree]| parts.iter().map(|part| part.reordered(rank)).collect();
        let places =
            |sums: &[(usize, i64)]| sums.iter().map(|(place, k)| (rank[*place], *k)).collect();
        let own = |variable: usize| 2 * rank[variable / 2] + variable % 2;
        match self {
            Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => Tree::Beyond,
            Tree::All(parts) => Tree::All(all(parts)),
            Tree::Any(parts) => Tree::Any(all(parts)),
            Tree::Linear(linear) => Tree::Linear(Linear {
                before: places(&linear.before),
                after: places(&linear.after),
                known: linear.known.iter().map(|(term, k)| (term.renumbered(&own), *k)).collect(),
                ..*linear
            }),
        }
    }
}

impl Runs {
    /// Visits the options of `p` until `visit` breaks, some more than once: the heaps, and which of
    /// them has any size from the first number to the second instead.
    pub fn visit<B>(
        &self,
        p: &[u32],
        q: &mut [u32],
        mut visit: impl FnMut(&[u32], usize, [u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        q.copy_from_slice(p);
        self.0.iter().try_for_each(|one| self.lower(one, p, q, 0, false, &mut visit))
    }

    /// Settles the heaps of an alternative from `place` on.
    fn lower<B>(
        &self,
        one: &Alternative,
        p: &[u32],
        q: &mut [u32],
        place: usize,
        moved: bool,
        visit: &mut impl FnMut(&[u32], usize, [u32; 2]) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(&heap) = one.order.get(place) else { return Continue(()) };
        let is_last = place + 1 == one.order.len();
        for &(low, high) in one.root.sizes([p, p], q, &one.order, place).iter().rev() {
            // A token at least must leave.
            let high = match (is_last && !moved, p[heap].checked_sub(1)) {
                (true, None) => continue,
                (true, Some(below)) => high.min(below),
                (false, _) => high,
            };
            if is_last {
                if low <= high {
                    visit(q, heap, [low, high])?;
                }
                continue;
            }
            for size in (low..=high).rev() {
                q[heap] = size;
                self.lower(one, p, q, place + 1, moved || size < p[heap], visit)?;
            }
        }
        q[heap] = p[heap];
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::{Moves, Windows};
    use std::collections::BTreeSet;

    #[test]
    fn other_conditions_are_left_to_other_engines() {
        for condition in ["q0 < p0 & (q0+q1) mod 3 = 1", "q0 xor q1 = 2 | q0 = p0"] {
            let moves = Moves::with_formula(Windows::Any(2), condition).unwrap();
            assert!(HeapOptions::new(&moves, Some(2), false).runs(2).is_none(), "{condition}");
        }
    }

    /// The options of all positions of a box, by asking the formula of every step that takes a
    /// token.
    #[test]
    fn runs_are_the_options() {
        let conditions = [
            "q0 = p0 & q1 < p1 | q1 = p1 & q0 < p0",
            "q1 = p1 & q0 < p0 & p0 >= p1 | q0 = p0 & q1 < p1 & p1 >= p0",
            "q0 = p0 & p1 <= q1+p0 | q1+1 = p1 & q0+q1 <= p1",
            "q0+2 = p0 & 2*q1 <= p1 | q0+3*q1 = p1 & q1 != 1",
            "q0 != p1 & q1 = p1 | q1 != p0 & q0 = p0",
            "2*q0 = p0 & q1 = p1 | p0+q1 = p1+q0 & q0 <= 3",
            "(q0 < p0 | q1+2 <= p1) & q0 <= q1",
            // Terms over the position alone.
            "q1 = p1 & p0 <= q0 + p1 div 2 | q0 = p0 & q1 <= p0 mod 3",
            "q0 = p0 & q1 = (p0 xor p1) div 2 | q1+1 = p1 & q0 <= min(p0, p1 div 2)",
        ];
        for condition in conditions {
            let moves = Moves::with_formula(Windows::Any(2), condition).unwrap();
            let formula = moves.condition.clone().unwrap();
            let runs = HeapOptions::new(&moves, Some(2), false).runs(2).unwrap();
            for p in (0..64u32).map(|number| [number / 8, number % 8]) {
                let steps = (0..=p[0]).flat_map(|x| (0..=p[1]).map(move |y| [x, y]));
                let holds = |q: &[u32; 2]| {
                    let values = [p[0], q[0], p[1], q[1]].map(u64::from);
                    *q != p && formula.holds(&values).unwrap()
                };
                let expected: BTreeSet<[u32; 2]> = steps.filter(holds).collect();
                let mut found = BTreeSet::new();
                let end = runs.visit::<()>(&p, &mut [0, 0], |q, heap, [low, high]| {
                    for size in low..=high {
                        let mut q = [q[0], q[1]];
                        q[heap] = size;
                        found.insert(q);
                    }
                    Continue(())
                });
                assert_eq!((end, &found), (Continue(()), &expected), "{condition} {p:?}");
            }
        }
    }
}

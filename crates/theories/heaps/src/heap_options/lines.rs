//! What may be taken, as cones along any directions: where the moves do not depend on the heaps.
//!
//! A condition of linear comparisons of the takings t ≥ 0 is a union of systems of equations and
//! inequalities. In each, variables that no comparison joins are solved apart. Equations are solved
//! in integers, t = t₀ + Σ sᵢvᵢ; with no s left it is one taking, with one s a line, from which
//! inequalities cut a segment or a ray. Where more are left, a form that is bounded on both sides
//! is split into its values, a sum that is at least something by its first variable, and t₀ ≥ Σ
//! kᵢtᵢ + c is the cone of (1, 0, …) and of the vectors with a 1 at i and kᵢ in front. All else is
//! left to other engines.

use super::{Cone, HeapOptions, Linear, Sign, Tree, without_held};
use bouton_core::{Arrange, MAX_HEAPS};

/// These tokens from each heap, and any multiples of some steps more: Wythoff's diagonal is 1,1 and
/// the step 1,1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineCone {
    /// The least that each heap gives.
    pub least: Vec<u32>,
    /// Steps, none of which is 0, in ascending order.
    pub steps: Vec<Vec<u32>>,
}

/// Factors and constants are no greater.
const GREATEST_FACTOR: u64 = 1 << 31;

/// Systems and values looked at on the way to each cone, at most.
const WORK: usize = 64;

impl From<&Cone> for LineCone {
    fn from(cone: &Cone) -> LineCone {
        let heaps = cone.least.len();
        let free = (0..heaps).rev().filter(|heap| cone.free >> heap & 1 == 1);
        let steps = free.map(|heap| (0..heaps).map(|i| u32::from(i == heap)).collect());
        LineCone { least: cone.least.clone(), steps: steps.collect() }
    }
}

impl LineCone {
    /// Returns whether a taking is one of these.
    pub fn contains(&self, taken: &[u32]) -> bool {
        let Some(rest) = minus(taken, &self.least) else { return false };
        spans(&self.steps, &rest)
    }

    /// Returns the same as a cone along the axes, if its steps are single tokens.
    pub fn along_axes(&self) -> Option<Cone> {
        let heap = |step: &Vec<u32>| {
            let heap = step.iter().position(|taken| *taken > 0)?;
            (step[heap] == 1 && step[heap + 1..].iter().all(|taken| *taken == 0)).then_some(heap)
        };
        let free = self.steps.iter().try_fold(0u32, |free, step| Some(free | 1 << heap(step)?))?;
        Some(Cone { least: self.least.clone(), free })
    }

    /// Returns whether all takings of `other` are seen to be takings of this one.
    fn holds(&self, other: &LineCone) -> bool {
        other.steps.iter().all(|step| self.steps.contains(step)) && self.contains(&other.least)
    }
}

/// Returns the difference, if nothing is below zero.
fn minus(from: &[u32], by: &[u32]) -> Option<Vec<u32>> {
    from.iter().zip(by).map(|(from, by)| from.checked_sub(*by)).collect()
}

/// Returns whether a vector is a sum of multiples of steps.
fn spans(steps: &[Vec<u32>], rest: &[u32]) -> bool {
    let Some((step, others)) = steps.split_first() else { return rest.iter().all(|x| *x == 0) };
    let mut rest = rest.to_vec();
    loop {
        if spans(others, &rest) {
            return true;
        }
        match minus(&rest, step) {
            Some(less) => rest = less,
            None => return false,
        }
    }
}

impl HeapOptions {
    /// Returns what may be taken, where that does not depend on the heaps but where they are too
    /// small: at most this many cones. `None` where it does or may depend on them, where nothing
    /// but the window is asked, and where no such cones are found.
    pub fn line_cones(&self, heaps: usize, limit: usize) -> Option<Vec<LineCone>> {
        let condition =
            self.condition.as_ref().filter(|_| self.memory.count == 0 && heaps <= MAX_HEAPS)?;
        let listed = self.listed.as_ref()?;
        let mut all = Vec::new();
        for window in listed {
            let mut work = WORK * limit;
            let systems = systems(&condition.root, window.len(), limit)?;
            for system in systems {
                for cone in system.solve(&mut work)? {
                    let here = |taken: &[u32]| {
                        let mut here = vec![0; heaps];
                        for (place, heap) in window.iter().enumerate() {
                            *here.get_mut(*heap)? = taken[place];
                        }
                        Some(here)
                    };
                    let least = here(&cone.least)?;
                    let mut steps =
                        cone.steps.iter().map(|step| here(step)).collect::<Option<Vec<_>>>()?;
                    steps.arrange();
                    steps.dedup();
                    if least.iter().any(|taken| *taken > 0) {
                        all.push(LineCone { least, steps });
                        continue;
                    }
                    // A token at least must leave.
                    all.extend(
                        steps
                            .iter()
                            .map(|step| LineCone { least: step.clone(), steps: steps.clone() }),
                    );
                }
                if all.len() > 4 * limit {
                    return None;
                }
            }
        }
        let all = without_held(all, LineCone::holds);
        (all.len() <= limit).then_some(all)
    }
}

/// Σ coefficient · taking + constant = 0, or ≤ 0.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Comparison {
    factors: Vec<i64>,
    constant: i64,
    equal: bool,
}

impl Comparison {
    /// Returns the comparison as one of takings; `None` if it is not.
    fn new(linear: &Linear, places: usize) -> Option<Comparison> {
        let opposite = |((place, k), (other, after)): (&(usize, i64), &(usize, i64))| {
            place == other && k.checked_neg() == Some(*after)
        };
        if !linear.known.is_empty()
            || linear.before.len() != linear.after.len()
            || !linear.before.iter().zip(&linear.after).all(opposite)
        {
            return None;
        }
        let small = |k: i64| k.unsigned_abs() <= GREATEST_FACTOR;
        let mut factors = vec![0; places];
        for (place, k) in &linear.before {
            *factors.get_mut(*place)? = *k;
        }
        if !small(linear.constant) || !factors.iter().all(|k| small(*k)) {
            return None;
        }
        Some(Comparison { factors, constant: linear.constant, equal: linear.sign == Sign::Zero })
    }

    /// Returns the comparison of the negated sum, which then is `more` greater.
    fn negated(&self, more: i64) -> Option<Comparison> {
        let factors = self.factors.iter().map(|k| k.checked_neg()).collect::<Option<_>>()?;
        let constant = self.constant.checked_neg()?.checked_add(more)?;
        Some(Comparison { factors, constant, equal: self.equal })
    }

    fn has(&self, place: usize) -> bool {
        self.factors[place] != 0
    }

    /// Returns the same of takings that are so much less.
    fn beyond(&self, place: usize, by: i64) -> Option<Comparison> {
        let constant = self.factors[place].checked_mul(by)?.checked_add(self.constant)?;
        Some(Comparison { constant, ..self.clone() })
    }
}

/// Returns the union of systems that a tree is; `None` where something is no comparison of takings,
/// or for too many.
fn systems(tree: &Tree, places: usize, limit: usize) -> Option<Vec<System>> {
    let all = match tree {
        Tree::Remainder(_) | Tree::Other(_) | Tree::Beyond => return None,
        Tree::Linear(linear) => {
            let comparison = Comparison::new(linear, places)?;
            if linear.sign == Sign::NotZero {
                let least = comparison.constant.checked_add(1)?;
                let below = Comparison { constant: least, ..comparison.clone() };
                vec![
                    System::new(vec![below], places),
                    System::new(vec![comparison.negated(1)?], places),
                ]
            } else {
                vec![System::new(vec![comparison], places)]
            }
        }
        Tree::Any(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(systems(part, places, limit)?);
                if all.len() > 4 * limit {
                    return None;
                }
            }
            all
        }
        Tree::All(parts) => {
            let mut all = vec![System::new(Vec::new(), places)];
            for part in parts {
                let more = systems(part, places, limit)?;
                if all.len() * more.len() > 4 * limit {
                    return None;
                }
                let with = |one: &System| {
                    let joined = |other: &System| {
                        System::new([&one.comparisons[..], &other.comparisons].concat(), places)
                    };
                    more.iter().map(joined).collect::<Vec<_>>()
                };
                all = all.iter().flat_map(with).collect();
            }
            all
        }
    };
    Some(all)
}

/// What takings must fulfil, none of them negative.
#[derive(Debug, Clone)]
struct System {
    comparisons: Vec<Comparison>,
    /// The takings of these places are asked for.
    places: Vec<usize>,
    /// So much more leaves each place.
    least: Vec<u32>,
}

impl System {
    fn new(comparisons: Vec<Comparison>, places: usize) -> System {
        System { comparisons, places: (0..places).collect(), least: vec![0; places] }
    }

    /// Returns the same where a place gives so much at least; its variable is what it gives beyond
    /// that.
    fn from(&self, place: usize, least: i64) -> Option<System> {
        let mut system = self.clone();
        system.least[place] = system.least[place].checked_add(u32::try_from(least).ok()?)?;
        system.comparisons =
            self.comparisons.iter().map(|one| one.beyond(place, least)).collect::<Option<_>>()?;
        Some(system)
    }

    /// Returns the same with one comparison more.
    fn with(&self, comparison: Comparison) -> System {
        let mut system = self.clone();
        system.comparisons.push(comparison);
        system
    }

    /// Returns all takings, as cones; other places give nothing. `None` where none are found, or
    /// after too much work.
    fn solve(&self, work: &mut usize) -> Option<Vec<LineCone>> {
        *work = work.checked_sub(1)?;
        let size = self.least.len();
        let mut parts: Vec<Vec<usize>> = self.places.iter().map(|place| vec![*place]).collect();
        for comparison in &self.comparisons {
            let (joined, others): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|part| part.iter().any(|place| comparison.has(*place)));
            parts = others;
            if joined.is_empty() {
                let holds = if comparison.equal {
                    comparison.constant == 0
                } else {
                    comparison.constant <= 0
                };
                if !holds {
                    return Some(Vec::new());
                }
            } else {
                parts.push(joined.concat());
            }
        }
        let mut all = vec![LineCone { least: vec![0; size], steps: Vec::new() }];
        for places in parts {
            let own = |one: &&Comparison| places.iter().any(|place| one.has(*place));
            let comparisons: Vec<Comparison> =
                self.comparisons.iter().filter(own).cloned().collect();
            let least = (0..size)
                .map(|place| if places.contains(&place) { self.least[place] } else { 0 })
                .collect();
            let part = System { comparisons, places, least };
            let found = part.joined(work)?;
            *work = work.checked_sub(all.len().checked_mul(found.len())?)?;
            let mut both = Vec::with_capacity(all.len() * found.len());
            for (one, other) in
                all.iter().flat_map(|one| found.iter().map(move |other| (one, other)))
            {
                let least = one.least.iter().zip(&other.least).map(|(a, b)| a + b).collect();
                both.push(LineCone { least, steps: [&one.steps[..], &other.steps].concat() });
            }
            all = both;
        }
        Some(all)
    }

    /// Returns the same where all places are joined by comparisons.
    fn joined(&self, work: &mut usize) -> Option<Vec<LineCone>> {
        let Some(solution) = Solution::new(self)? else { return Some(Vec::new()) };
        let inequalities = || self.comparisons.iter().filter(|one| !one.equal);
        if solution.directions.len() < 2 {
            return solution.cut(self, work);
        }
        // What is the same of all solutions holds of all or of none.
        if let Some(at) = (0..self.comparisons.len())
            .find(|at| !self.comparisons[*at].equal && !solution.varies(&self.comparisons[*at]))
        {
            let one = &self.comparisons[at];
            if dot(&one.factors, &solution.point) + i128::from(one.constant) > 0 {
                return Some(Vec::new());
            }
            let mut system = self.clone();
            system.comparisons.remove(at);
            return system.solve(work);
        }
        // A form with a least and a greatest value has each of them in turn.
        for one in inequalities() {
            let opposite = one.negated(0)?;
            let positive = one.factors.iter().all(|k| *k >= 0);
            let other = inequalities().filter(|other| other.factors == opposite.factors);
            let least = other.map(|other| other.constant).chain(positive.then_some(0)).max();
            let Some(least) = least else { continue };
            let most = one.constant.checked_neg()?;
            let mut all = Vec::new();
            for value in least..=most {
                let constant = value.checked_neg()?;
                let system =
                    self.with(Comparison { factors: one.factors.clone(), constant, equal: true });
                all.extend(system.solve(work)?);
            }
            return Some(all);
        }
        let at_least = |one: &Comparison| !one.equal && one.factors.iter().all(|k| *k <= 0);
        if let Some(at) = self.comparisons.iter().position(at_least) {
            let one = &self.comparisons[at];
            // At least so much: much of the first, or less of it and then of the others.
            let mut system = self.clone();
            system.comparisons.remove(at);
            if one.constant <= 0 {
                return system.solve(work);
            }
            let varies =
                |place: usize| solution.directions.iter().any(|direction| direction[place] != 0);
            let place =
                (0..one.factors.len()).find(|place| one.factors[*place] < 0 && varies(*place))?;
            let enough = one.constant.div_euclid(-one.factors[place])
                + i64::from(one.constant.rem_euclid(-one.factors[place]) != 0);
            let mut all = system.from(place, enough)?.solve(work)?;
            all.extend(self.below(place, enough, work)?);
            return Some(all);
        }
        let [one] = &self.comparisons[..] else { return None };
        let mut lowered = (0..one.factors.len()).filter(|place| one.factors[*place] < 0);
        let (Some(place), None) = (lowered.next(), lowered.next()) else { return None };
        if one.equal || one.factors[place] != -1 {
            return None;
        }
        // The place gives at least the sum of the others and the constant.
        if one.constant < 0 {
            let other = one.factors.iter().position(|k| *k > 0)?;
            let (k, wanted) = (one.factors[other], one.constant.checked_neg()?);
            let enough = wanted.div_euclid(k) + i64::from(wanted.rem_euclid(k) != 0);
            let mut all = self.from(other, enough)?.solve(work)?;
            all.extend(self.below(other, enough, work)?);
            return Some(all);
        }
        let mut least = self.least.clone();
        least[place] = least[place].checked_add(u32::try_from(one.constant).ok()?)?;
        let mut steps = Vec::new();
        for own in &self.places {
            let mut step = vec![0; least.len()];
            step[*own] = 1;
            if *own != place {
                step[place] = u32::try_from(one.factors[*own]).ok()?;
            }
            steps.push(step);
        }
        Some(vec![LineCone { least, steps }])
    }

    /// Returns what there is where a place gives less than this.
    fn below(&self, place: usize, end: i64, work: &mut usize) -> Option<Vec<LineCone>> {
        let mut all = Vec::new();
        for given in 0..end {
            let mut factors = vec![0; self.least.len()];
            factors[place] = 1;
            all.extend(
                self.with(Comparison { factors, constant: -given, equal: true }).solve(work)?,
            );
        }
        Some(all)
    }
}

/// The solutions of a system's equations in integers: a point and any multiples of the directions.
struct Solution {
    point: Vec<i128>,
    directions: Vec<Vec<i128>>,
}

/// Numbers in solutions are no greater, so that their products with factors are numbers too.
const MAX_SOLUTION: i128 = 1 << 40;

/// Returns the sum of products.
fn dot(factors: &[i64], vector: &[i128]) -> i128 {
    factors.iter().zip(vector).map(|(k, x)| i128::from(*k) * x).sum()
}

impl Solution {
    /// Solves the equations; inside `None` if there is no solution, outside if the numbers grow.
    #[expect(clippy::option_option, reason = "no solution is an answer, no answer is not")]
    fn new(system: &System) -> Option<Option<Solution>> {
        let size = system.least.len();
        let unit = |place: &usize| (0..size).map(|i| i128::from(i == *place)).collect();
        let mut solution =
            Solution { point: vec![0; size], directions: system.places.iter().map(unit).collect() };
        for equation in system.comparisons.iter().filter(|one| one.equal) {
            let Solution { point, directions } = &mut solution;
            let rest = dot(&equation.factors, point) + i128::from(equation.constant);
            // As Euclid: in the end one direction is left that changes the sum.
            let last = loop {
                let sums: Vec<i128> =
                    directions.iter().map(|direction| dot(&equation.factors, direction)).collect();
                let changing = || (0..sums.len()).filter(|i| sums[*i] != 0);
                let Some(least) = changing().min_by_key(|i| sums[*i].abs()) else { break None };
                let Some(other) = changing().find(|i| *i != least) else {
                    break Some((least, sums[least]));
                };
                let times = sums[other].div_euclid(sums[least]);
                let by = directions[least].clone();
                directions[other].iter_mut().zip(&by).for_each(|(x, by)| *x -= times * by);
                if directions[other].iter().any(|x| x.abs() > MAX_SOLUTION) {
                    return None;
                }
            };
            match last {
                None if rest == 0 => {}
                None => return Some(None),
                Some((_, sum)) if rest % sum != 0 => return Some(None),
                Some((at, sum)) => {
                    let direction = directions.remove(at);
                    point.iter_mut().zip(&direction).for_each(|(x, by)| *x -= rest / sum * by);
                    if point.iter().any(|x| x.abs() > MAX_SOLUTION) {
                        return None;
                    }
                }
            }
        }
        Some(Some(solution))
    }

    /// Returns whether the sum of a comparison is not the same of all solutions.
    fn varies(&self, comparison: &Comparison) -> bool {
        self.directions.iter().any(|direction| dot(&comparison.factors, direction) != 0)
    }

    /// Returns the point, or what the inequalities leave of the line.
    fn cut(&self, system: &System, work: &mut usize) -> Option<Vec<LineCone>> {
        let nothing = vec![0; self.point.len()];
        let direction = self.directions.first().unwrap_or(&nothing);
        // Point and multiples s of the direction: base + s · slope ≤ 0.
        let own = system.comparisons.iter().filter(|one| !one.equal).map(|one| {
            (
                dot(&one.factors, &self.point) + i128::from(one.constant),
                dot(&one.factors, direction),
            )
        });
        let positive = system.places.iter().map(|place| (-self.point[*place], -direction[*place]));
        let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
        for (base, slope) in own.chain(positive) {
            match slope {
                0 if base > 0 => return Some(Vec::new()),
                0 => {}
                1.. => {
                    let end = (-base).div_euclid(slope);
                    high = Some(high.map_or(end, |high| high.min(end)));
                }
                _ => {
                    let end = base.div_euclid(-slope) + i128::from(base.rem_euclid(-slope) != 0);
                    low = Some(low.map_or(end, |low| low.max(end)));
                }
            }
        }
        let at = |s: i128| {
            let given = self.point.iter().zip(direction).zip(&system.least);
            given
                .map(|((x, by), least)| u32::try_from(x + s * by).ok()?.checked_add(*least))
                .collect::<Option<Vec<u32>>>()
        };
        if self.directions.is_empty() {
            return Some(vec![LineCone { least: at(0)?, steps: Vec::new() }]);
        }
        let towards = |sign: i128| {
            direction.iter().map(|by| u32::try_from(sign * by).ok()).collect::<Option<Vec<u32>>>()
        };
        match (low, high) {
            (Some(low), Some(high)) => {
                let mut all = Vec::new();
                for s in low..=high {
                    *work = work.checked_sub(1)?;
                    all.push(LineCone { least: at(s)?, steps: Vec::new() });
                }
                Some(all)
            }
            (Some(low), None) => Some(vec![LineCone { least: at(low)?, steps: vec![towards(1)?] }]),
            (None, Some(high)) => {
                Some(vec![LineCone { least: at(high)?, steps: vec![towards(-1)?] }])
            }
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;
    use bouton_core::{HeapList, Heaps, Moves, Windows};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow::Continue;

    #[test]
    fn steps_of_single_tokens_are_cones_along_axes() {
        for (least, free) in [([0, 1, 2], 0), ([1, 0, 0], 0b101), ([3, 1, 0], 0b111)] {
            let cone = Cone { least: least.to_vec(), free };
            assert_eq!(LineCone::from(&cone).along_axes(), Some(cone));
        }
        for step in [[1, 1, 0], [0, 2, 0]] {
            let cone = LineCone { least: vec![1, 0, 0], steps: vec![step.to_vec()] };
            assert_eq!(cone.along_axes(), None);
        }
    }

    /// Returns the takings of a condition from heaps of 9 by the options, and by the cones.
    fn compare(condition: &str, windows: &Windows, heaps: usize) -> bool {
        let moves = Moves::with_formula(windows.clone(), condition).unwrap();
        let options = HeapOptions::new(&moves, Some(heaps), false);
        let Some(cones) = options.line_cones(heaps, 1000) else { return false };
        let mut expected = BTreeSet::new();
        let _ = options.visit::<_, ()>(&Heaps::of(&vec![9; heaps]), |q: Heaps| {
            expected.insert(q.iter().map(|left| 9 - left).collect::<Vec<u32>>());
            Continue(())
        });
        let all = (0..10u32.pow(heaps as u32)).map(|number| {
            (0..heaps).map(|i| number / 10u32.pow(i as u32) % 10).collect::<Vec<u32>>()
        });
        let found: BTreeSet<_> =
            all.filter(|taken| cones.iter().any(|cone| cone.contains(taken))).collect();
        assert_eq!(found, expected, "{condition}, {heaps} heaps");
        true
    }

    #[test]
    fn cones_are_the_options() {
        for condition in [
            "q0 = p0 | q1 = p1 | p0+q1 = p1+q0",
            "p0+q1 <= p1+q0+2 & p1+q0 <= p0+q1+2 | q0 = p0 | q1 = p1",
            "p0+2*q1 = 2*p1+q0",
            "2*p0+3*q1 = 3*p1+2*q0",
            "p0+q1+3 = p1+q0",
            "p0+q1 <= p1+q0",
            "p0+q1 <= p1+q0+2",
            "p0+q1+4 <= p1+q0",
            "p0+2*q1 <= 2*p1+q0",
            "q0+q1+3 <= p0+p1",
            "q0+q1+3 = p0+p1",
            "q0+3*q1+7 = p0+3*p1",
            "q0+q1+3 >= p0+p1",
            "p0+q1 != p1+q0",
            "p0+q1 = p1+q0 & q0+3 != p0",
            "p0+q1 = p1+q0 & q0+3 >= p0",
            "~(q0+2 <= p0 & q1+2 <= p1)",
            "q0+1 <= p0 => q1+2 <= p1",
            "2*q0+3 <= 2*p0",
            "2*p0+q1 = p1+2*q0+1",
        ] {
            for windows in [Windows::Any(2), Windows::Arc(2)] {
                for heaps in [2, 3] {
                    let covered = compare(condition, &windows, heaps);
                    // Twice the one against the other has directions that are no unit steps.
                    assert_eq!(covered, condition != "p0+2*q1 <= 2*p1+q0", "{condition}");
                }
            }
        }
    }

    #[test]
    fn cones_of_three_heaps() {
        for condition in [
            "(q1 = p1 & q2 = p2) | (q0 = p0 & q2 = p2) | (q0 = p0 & q1 = p1) | (q2 = p2 & p0+q1 = \
             p1+q0) | (q1 = p1 & p0+q2 = p2+q0) | (q0 = p0 & p1+q2 = p2+q1) | (p0+q1 = p1+q0 & \
             p0+q2 = p2+q0)",
            "p0+q1 = p1+q0",
            "p0+q1 = p1+q0 & q2+2 <= p2",
            "p0+p1+q2 = p2+q0+q1 & q0+3 >= p0",
            "p0+p1+q2 <= p2+q0+q1",
        ] {
            assert!(compare(condition, &Windows::Any(3), 3), "{condition}");
        }
    }

    /// Combinations of comparisons drawn at random: those that are covered are the options.
    #[test]
    fn random_conditions() {
        let mut random = crate::heap_tables::random(11);
        let mut covered = 0;
        for _ in 0..400 {
            let heaps = 2 + random(2) as usize;
            let mut atom = || {
                let side = |given: char, random: &mut dyn FnMut(u64) -> u64| {
                    let other = if given == 'p' { 'q' } else { 'p' };
                    let mut sides = [String::new(), String::new()];
                    for heap in 0..heaps {
                        let k = random(3);
                        let first = random(2) as usize;
                        if k > 0 {
                            sides[first] += &format!("{k}*{given}{heap}+");
                            sides[1 - first] += &format!("{k}*{other}{heap}+");
                        }
                    }
                    sides
                };
                let [left, right] = side('p', &mut random);
                let sign = ["=", "=", "=", "<=", ">=", "!="][random(6) as usize];
                format!("{left}{} {sign} {right}{}", random(4), random(3))
            };
            let (a, b, c) = (atom(), atom(), atom());
            let condition = match random(4) {
                0 => format!("{a} & {b} | {c}"),
                1 => format!("({a} | {b}) & {c}"),
                2 => format!("~({a}) & {b}"),
                _ => format!("{a} & {b}"),
            };
            covered += u32::from(compare(&condition, &Windows::Any(heaps), heaps));
        }
        assert!(covered > 100, "{covered}");
    }

    #[test]
    fn other_conditions_have_none() {
        for condition in ["q0 = p1 & q1 = p0", "q0 <= q1", "q0 mod 2 = 0", "p0+q0 = p1+q1"] {
            let moves = Moves::with_formula(Windows::Any(2), condition).unwrap();
            assert_eq!(
                HeapOptions::new(&moves, Some(2), false).line_cones(2, 80),
                None,
                "{condition}"
            );
        }
    }
}

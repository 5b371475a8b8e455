//! One case of a form: linear equations and conditions, learned so that it contains no N-position
//! of the table.
//!
//! Given the equations, a beam search over conjunctions of conditions keeps as many classes of
//! P-positions as possible, in any image, and excludes all N-positions of a sample. N-positions of
//! the whole box that the result contains are added to the sample, and the search is repeated
//! (counterexample-guided synthesis).

use crate::bits::{self, ConditionCounts, append, count, covered, ones};
use crate::condition::{Condition, candidates, tightened};
use crate::effort::SearchBudget;
use crate::space::{Row, Space, equation};
use crate::table::{Images, OutcomeTable};
use bouton_core::{Arrange, LimitReached};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow::{Break, Continue};

/// The number of classes in a sample.
const MAX_POSITIVES: usize = 64 * bits::MAX_WORDS;
/// The number of N-positions in the first sample.
const FIRST_NEGATIVES: usize = 768;
/// The number of N-positions added per round.
const NEGATIVES_PER_ROUND: usize = 96;
/// The greatest number of rounds.
const MAX_ROUNDS: usize = 16;
/// The number of states kept per step.
const BEAM_WIDTH: usize = 14;
/// The greatest number of conditions.
const MAX_CONDITIONS: usize = 7;
/// The greatest number of positions of a space for which superfluous equations are sought.
const MAX_LOOSENED: u64 = 1 << 26;
/// The costs of losing classes relative to excluding N-positions; one beam for each.
const LOSS_FACTORS: [f64; 2] = [8.0, 2.0];

/// A case: the positions that solve the equations and satisfy the conditions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The equations.
    pub space: Space,
    /// The conditions.
    pub conditions: Vec<Condition>,
}

/// A deterministic sequence of pseudo-random numbers (SplitMix by Steele, Lea & Flood).
pub(crate) struct SplitMix(pub u64);

impl SplitMix {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31) % bound.max(1)
    }
}

impl Cell {
    /// Returns whether the position itself, not an image, is in the case.
    pub fn holds(&self, p: &[i64]) -> bool {
        self.space.contains(p) && self.conditions.iter().all(|c| c.holds(p))
    }

    /// Returns the case that holds of the image of a position iff this one holds of the position.
    pub fn image(&self, permutation: &[usize]) -> Cell {
        Cell {
            space: self.space.image(permutation),
            conditions: self.conditions.iter().map(|c| c.image(permutation)).collect(),
        }
    }

    /// Returns the length of the case in symbols.
    pub fn weight(&self) -> u64 {
        let equations: u64 =
            self.space.equations().iter().map(|row| crate::space::weight(row)).sum();
        equations + self.conditions.iter().map(Condition::weight).sum::<u64>()
    }

    /// Returns the case as a formula.
    pub fn text(&self) -> String {
        self.written(true)
    }

    /// Returns the case as a formula; with `short`, `min = max` says that all heaps are equal.
    pub(crate) fn written(&self, short: bool) -> String {
        let heaps = self.space.heaps();
        let mut parts: Vec<String> = if short && heaps > 2 && self.space.is_diagonal() {
            vec!["min = max".into()]
        } else {
            self.space.equations().iter().map(|row| equation(row)).collect()
        };
        parts.extend(tightened(&self.conditions).iter().map(|c| c.text(heaps)));
        if parts.is_empty() { "true".into() } else { parts.join(" & ") }
    }

    /// Returns N-positions of the table in the case, at most `limit`. Only ascending positions are
    /// visited if `ordered` and if the table takes positions so, or if all orders of the heaps are
    /// equivalent. O(side^dimension), or O(side^dimension / dimension!).
    pub(crate) fn wrong(
        &self,
        table: &OutcomeTable,
        ordered: bool,
        limit: usize,
        effort: &SearchBudget<'_>,
    ) -> Result<Vec<Vec<i64>>, LimitReached> {
        effort.spend(0)?;
        let (mut found, mut looked) = (Vec::new(), 0);
        let (least, most) = (table.least() as i64, table.most() as i64);
        let mut visit = |p: &[i64]| {
            looked += 1;
            if let Err(limit) = effort.position(looked) {
                return Break(Some(limit));
            }
            if self.conditions.iter().all(|c| c.holds(p)) && !table.is_p(p) {
                found.push(p.to_vec());
                if found.len() >= limit {
                    return Break(None);
                }
            }
            Continue(())
        };
        let so_taken = ordered && *table.images() == Images::Ascending;
        let end = if so_taken || table.is_symmetric() && self.is_symmetric() {
            self.space.visit_ascending(least, most, &mut visit)
        } else {
            self.space.visit(least, most, &mut visit)
        };
        match end {
            Break(Some(limit)) => Err(limit),
            _ => Ok(found),
        }
    }

    /// Returns whether the case is invariant under all permutations of the heaps.
    fn is_symmetric(&self) -> bool {
        let heaps = self.space.heaps();
        (1..heaps).all(|i| {
            let mut swap: Vec<usize> = (0..heaps).collect();
            swap.swap(i - 1, i);
            self.space.image(&swap) == self.space
                && self.conditions.iter().all(|c| self.conditions.contains(&c.image(&swap)))
        })
    }

    /// Returns whether all positions of the case in the box are P.
    pub(crate) fn is_sound(
        &self,
        table: &OutcomeTable,
        effort: &SearchBudget<'_>,
    ) -> Result<bool, LimitReached> {
        Ok(self.wrong(table, true, 1, effort)?.is_empty())
    }

    /// Replaces the space by the least one that contains all positions of the case in the box.
    fn tighten(
        &mut self,
        table: &OutcomeTable,
        effort: &SearchBudget<'_>,
    ) -> Result<(), LimitReached> {
        let mut some: Vec<Vec<i64>> = Vec::new();
        let (mut hull, mut looked): (Option<Space>, _) = (None, 0);
        let end = self.space.visit(table.least() as i64, table.most() as i64, &mut |p| {
            looked += 1;
            if let Err(limit) = effort.position(looked) {
                return Break(Some(limit));
            }
            if table.is_domain(p)
                && self.conditions.iter().all(|c| c.holds(p))
                && !hull.as_ref().is_some_and(|h| h.contains(p))
            {
                some.push(p.to_vec());
                hull = Space::hull(self.space.heaps(), some.iter().map(|p| &p[..]));
                if hull.as_ref().is_none_or(|h| h.dimension() == self.space.dimension()) {
                    return Break(None);
                }
            }
            Continue(())
        });
        if let Break(Some(limit)) = end {
            return Err(limit);
        }
        if let Some(hull) = hull {
            self.space = hull;
        }
        Ok(())
    }

    /// Drops equations that the conditions make superfluous: such an equation may hold only because
    /// the table is small.
    fn loosen(
        &mut self,
        table: &OutcomeTable,
        effort: &SearchBudget<'_>,
    ) -> Result<(), LimitReached> {
        if self.conditions.is_empty() {
            return Ok(());
        }
        let side = table.most() - table.least() + 1;
        let heaps = self.space.heaps();
        while side.saturating_pow(self.space.dimension() as u32 + 1) <= MAX_LOOSENED {
            let equations = self.space.equations();
            let mut looser = None;
            for i in 0..equations.len() {
                let rest: Vec<Row> = [&equations[..i], &equations[i + 1..]].concat();
                let Some(space) = Space::new(heaps, &rest) else { continue };
                let cell = Cell { space, conditions: self.conditions.clone() };
                if cell.wrong(table, false, 1, effort)?.is_empty() {
                    looser = Some(cell);
                    break;
                }
            }
            match looser {
                Some(cell) => *self = cell,
                None => break,
            }
        }
        Ok(())
    }

    /// Drops what is not needed, longest first. If the table takes positions in ascending order and
    /// the case needs that, a condition says so.
    pub(crate) fn trim(&mut self, table: &OutcomeTable, effort: &SearchBudget<'_>) {
        let ordered = *table.images() == Images::Ascending;
        let sound = |wrong: Result<Vec<_>, _>| wrong.is_ok_and(|wrong| wrong.is_empty());
        if ordered && !sound(self.wrong(table, false, 1, effort)) {
            for i in 1..table.heaps() {
                let mut row = vec![0; table.heaps() + 1];
                (row[i - 1], row[i]) = (-1, 1);
                self.conditions.push(Condition::AtLeast(row));
            }
        }
        self.conditions.arrange_by_key(Condition::weight);
        for i in (0..self.conditions.len()).rev() {
            let condition = self.conditions.remove(i);
            let wrong = self.wrong(table, false, 1, effort);
            if !wrong.as_ref().is_ok_and(Vec::is_empty) {
                self.conditions.insert(i, condition);
            }
            if wrong.is_err() {
                return;
            }
        }
    }
}

/// A learner of cases from one table.
pub(crate) struct Learner<'t, 'm> {
    table: &'t OutcomeTable,
    candidates: Vec<Condition>,
    weights: Vec<u64>,
    random: SplitMix,
    effort: &'t SearchBudget<'m>,
}

/// The P-positions of some classes in a space, and N-positions there.
struct Sample {
    classes: usize,
    /// By image, then by class. A class with fewer images repeats the last one.
    positives: Columns,
    negatives: Vec<Vec<i64>>,
}

/// Positions by heap, so that a condition is evaluated on all of them at once.
struct Columns {
    heaps: Vec<Vec<i32>>,
    least: Vec<i32>,
    greatest: Vec<i32>,
    len: usize,
}

impl Columns {
    fn new<'p>(heaps: usize, positions: impl Iterator<Item = &'p [i64]>) -> Columns {
        let mut all =
            Columns { heaps: vec![Vec::new(); heaps], least: vec![], greatest: vec![], len: 0 };
        for p in positions {
            all.heaps.iter_mut().zip(p).for_each(|(column, x)| column.push(*x as i32));
            all.least.extend(p.iter().min().map(|x| *x as i32));
            all.greatest.extend(p.iter().max().map(|x| *x as i32));
            all.len += 1;
        }
        all
    }

    fn position(&self, i: usize) -> Vec<i64> {
        self.heaps.iter().map(|column| i64::from(column[i])).collect()
    }

    /// Returns the positions in which a condition holds.
    fn bits(&self, condition: &Condition) -> Vec<u64> {
        let mut bits = vec![0u64; self.len.div_ceil(64)];
        let mut set = |i: usize, holds: bool| bits[i / 64] |= u64::from(holds) << (i % 64);
        let combined = |row: &[i64]| {
            let mut values = vec![0i32; self.len];
            for (column, c) in self.heaps.iter().zip(row).filter(|(_, c)| **c != 0) {
                values.iter_mut().zip(column).for_each(|(v, x)| *v += *c as i32 * x);
            }
            values
        };
        match condition {
            Condition::AtLeast(row) => {
                let bound = row[self.heaps.len()] as i32;
                combined(row).into_iter().enumerate().for_each(|(i, v)| set(i, v >= bound));
            }
            Condition::Unequal(row) => {
                let other = row[self.heaps.len()] as i32;
                combined(row).into_iter().enumerate().for_each(|(i, v)| set(i, v != other));
            }
            Condition::Remainder(row, modulus, left) => {
                let (modulus, left) = (*modulus as i32, *left as i32);
                combined(row)
                    .into_iter()
                    .enumerate()
                    .for_each(|(i, v)| set(i, v.rem_euclid(modulus) == left));
            }
            Condition::Least(heap) => {
                (0..self.len).for_each(|i| set(i, self.heaps[*heap][i] == self.least[i]));
            }
            Condition::Greatest(heap) => {
                (0..self.len).for_each(|i| set(i, self.heaps[*heap][i] == self.greatest[i]));
            }
            Condition::Digits { modulus: 2, heaps, shift, value } => {
                let mut values = vec![0i32; self.len];
                for (_, column) in
                    self.heaps.iter().enumerate().filter(|(h, _)| heaps >> h & 1 == 1)
                {
                    values.iter_mut().zip(column).for_each(|(v, x)| *v ^= x + *shift as i32);
                }
                values.into_iter().enumerate().for_each(|(i, v)| set(i, i64::from(v) == *value));
            }
            Condition::Digits { modulus, heaps, shift, value } => {
                let members: Vec<&Vec<i32>> = self
                    .heaps
                    .iter()
                    .enumerate()
                    .filter(|(h, _)| heaps >> h & 1 == 1)
                    .map(|(_, c)| c)
                    .collect();
                let shifted = |x: &i32| (x + *shift as i32).max(0);
                let bits = |column: &&Vec<i32>| column.iter().fold(0, |all, x| all | shifted(x));
                let places =
                    32 - members.iter().map(bits).fold(0, |all, x| all | x).leading_zeros();
                let mut values = vec![0i64; self.len];
                for place in 0..places {
                    let mut counts = vec![0u8; self.len];
                    for column in &members {
                        let ones = column.iter().map(|x| (shifted(x) >> place & 1) as u8);
                        counts.iter_mut().zip(ones).for_each(|(count, one)| *count += one);
                    }
                    values
                        .iter_mut()
                        .zip(counts)
                        .for_each(|(v, c)| *v += i64::from(c % modulus) << place);
                }
                values.into_iter().enumerate().for_each(|(i, v)| set(i, v == *value));
            }
            Condition::Extremum { least, heap, of } => {
                let [one, other] = of.each_ref().map(|row| {
                    let mut values = combined(row);
                    values.iter_mut().for_each(|v| *v += row[self.heaps.len()] as i32);
                    values
                });
                let heaps = self.heaps[*heap].iter().enumerate();
                heaps.zip(one.into_iter().zip(other)).for_each(|((i, x), (one, other))| {
                    set(i, *x == if *least { one.min(other) } else { one.max(other) });
                });
            }
            Condition::Multiple { .. } | Condition::Outside(_) | Condition::Occurs(_) => {
                (0..self.len).for_each(|i| set(i, condition.holds(&self.position(i))));
            }
        }
        bits
    }
}

/// A conjunction, with the part of the sample that it keeps.
#[derive(Clone)]
struct BeamState {
    kept: Vec<u64>,
    dropped: Vec<u64>,
    chosen: Vec<usize>,
    outside: Option<Space>,
    cover: u32,
    wrong: u32,
    weight: u64,
}

impl<'t, 'm> Learner<'t, 'm> {
    pub(crate) fn new(table: &'t OutcomeTable, effort: &'t SearchBudget<'m>) -> Learner<'t, 'm> {
        let mut candidates = candidates(table.heaps(), table.least() as i64, table.most() as i64);
        candidates.extend(table.occurring().map(|claim| Condition::Occurs(claim.clone())));
        let weights = candidates.iter().map(Condition::weight).collect();
        Learner { table, candidates, weights, random: SplitMix(0x0b00_7011), effort }
    }

    /// Restricts the conditions.
    pub(crate) fn retain_candidates(&mut self, kept: impl Fn(&Condition) -> bool) {
        self.candidates.retain(kept);
        self.weights = self.candidates.iter().map(Condition::weight).collect();
    }

    /// Adds conditions.
    pub(crate) fn extend_candidates(&mut self, more: Vec<Condition>) {
        self.weights.extend(more.iter().map(Condition::weight));
        self.candidates.extend(more);
    }

    /// Returns the number of conditions to choose from.
    pub(crate) fn candidate_count(&self) -> usize {
        self.candidates.len()
    }

    /// Returns the case in this space that has no N-position and, as far as the search goes, most
    /// of the classes.
    pub(crate) fn learn(
        &mut self,
        space: &Space,
        classes: &[Vec<i64>],
    ) -> Result<Option<Cell>, LimitReached> {
        self.effort.spend(0)?;
        let mut sample = self.sample(space, classes);
        if sample.classes == 0 {
            return Ok(None);
        }
        let mut kept: Vec<Vec<u64>> = Vec::with_capacity(self.candidates.len());
        for candidate in &self.candidates {
            self.effort.spend(1)?;
            kept.push(sample.positives.bits(candidate));
        }
        let mut dropped: Vec<Vec<u64>> = vec![Vec::new(); self.candidates.len()];
        let mut seen = 0;
        for _ in 0..MAX_ROUNDS {
            let new = Columns::new(space.heaps(), sample.negatives[seen..].iter().map(|p| &p[..]));
            for (bits, condition) in dropped.iter_mut().zip(&self.candidates) {
                self.effort.spend(1)?;
                append(bits, seen, &new.bits(condition));
            }
            seen = sample.negatives.len();
            let Some(best) = self.conjunction(space, &sample, &kept, &dropped)? else {
                return Ok(None);
            };
            let mut conditions: Vec<Condition> =
                best.chosen.iter().map(|i| self.candidates[*i].clone()).collect();
            conditions.extend(best.outside.map(Condition::Outside));
            let mut cell = Cell { space: space.clone(), conditions };
            let wrong = cell.wrong(self.table, true, NEGATIVES_PER_ROUND, self.effort)?;
            if wrong.is_empty() {
                // Simplifications; the case is correct without them.
                let _ = cell.tighten(self.table, self.effort);
                cell.trim(self.table, self.effort);
                let _ = cell.loosen(self.table, self.effort);
                return Ok(Some(cell));
            }
            sample.negatives.extend(wrong);
        }
        Ok(None)
    }

    fn sample(&mut self, space: &Space, classes: &[Vec<i64>]) -> Sample {
        let mut positives = Vec::new();
        let slots = self.table.permutations().len();
        let wanted = MAX_POSITIVES.min(6000 / slots).max(40);
        let tries = classes.len().min(20_000);
        for i in 0..tries {
            let class = if tries == classes.len() {
                &classes[i]
            } else {
                &classes[self.random.below(classes.len() as u64) as usize]
            };
            let mut images: Vec<Vec<i64>> = Vec::new();
            for s in self.table.permutations() {
                let image: Vec<i64> = s.iter().map(|from| class[*from]).collect();
                if space.contains(&image) && !images.contains(&image) {
                    images.push(image);
                }
            }
            if !images.is_empty() {
                positives.push(images);
            }
        }
        // A uniform choice among the images found.
        while positives.len() > wanted {
            let i = self.random.below(positives.len() as u64) as usize;
            positives.swap_remove(i);
        }
        let mut negatives = Vec::new();
        let (least, most) = (self.table.least() as i64, self.table.most() as i64);
        let side = (most - least + 1) as u64;
        let is_negative = |p: &[i64]| {
            p.iter().all(|x| (least..=most).contains(x))
                && self.table.is_domain(p)
                && !self.table.is_p(p)
        };
        if side.saturating_pow(space.dimension() as u32) <= 20_000 {
            let _ = space.visit::<()>(least, most, &mut |p| {
                if is_negative(p) {
                    negatives.push(p.to_vec());
                }
                Continue(())
            });
            while negatives.len() > FIRST_NEGATIVES {
                let i = self.random.below(negatives.len() as u64) as usize;
                negatives.swap_remove(i);
            }
        } else {
            for _ in 0..20_000 {
                let point = space.point(|| least + self.random.below(side) as i64);
                let sorted = point.map(|mut p| {
                    if *self.table.images() == Images::Ascending && space.rows().is_empty() {
                        p.arrange();
                    }
                    p
                });
                negatives.extend(sorted.filter(|p| is_negative(p)));
                if negatives.len() >= FIRST_NEGATIVES {
                    break;
                }
            }
        }
        // 64 classes per word: the images of one number begin at a word.
        let padded = positives.len().next_multiple_of(64);
        let most_images = positives.iter().map(Vec::len).max().unwrap_or(0);
        let image = |slot: usize, class: usize| {
            let images = &positives[class.min(positives.len() - 1)];
            &images[slot.min(images.len() - 1)][..]
        };
        let places = (0..most_images).flat_map(|slot| (0..padded).map(move |class| (slot, class)));
        let columns = Columns::new(space.heaps(), places.map(|(slot, class)| image(slot, class)));
        Sample { classes: positives.len(), positives: columns, negatives }
    }

    /// Returns the best conjunction that excludes all N-positions of the sample.
    fn conjunction(
        &self,
        space: &Space,
        sample: &Sample,
        kept: &[Vec<u64>],
        dropped: &[Vec<u64>],
    ) -> Result<Option<BeamState>, LimitReached> {
        let words = sample.classes.div_ceil(64);
        let classes = ones(sample.classes);
        let mut kept_all = Vec::new();
        (0..sample.positives.len / 64 / words).for_each(|_| kept_all.extend_from_slice(&classes));
        let start = BeamState {
            kept: kept_all,
            dropped: ones(sample.negatives.len()),
            chosen: Vec::new(),
            outside: None,
            cover: sample.classes as u32,
            wrong: sample.negatives.len() as u32,
            weight: 0,
        };
        if start.wrong == 0 {
            return Ok(Some(start));
        }
        // Conditions that agree on the sample are equivalent; the simplest represents all.
        let mut distinct: FxHashMap<(&[u64], &[u64]), usize> = FxHashMap::default();
        let mut useful: Vec<(usize, &[u64], &[u64])> = Vec::new();
        for i in 0..kept.len() {
            let any = covered(&start.kept, &kept[i], words) > 0 && count(&dropped[i]) < start.wrong;
            if any && distinct.insert((&kept[i], &dropped[i]), i).is_none() {
                useful.push((i, &kept[i], &dropped[i]));
            }
        }
        let (classes, all) = (f64::from(start.cover), f64::from(start.wrong));
        let wrong_logs: Vec<f64> =
            (0..=start.wrong).map(|w| ((f64::from(w) + 0.5) / all).ln()).collect();
        let mut sound: Vec<BeamState> = Vec::new();
        for caution in LOSS_FACTORS {
            let logs: Vec<f64> =
                (0..=start.cover).map(|c| caution * (f64::from(c) / classes).ln()).collect();
            let score = |cover: u32, wrong: u32, weight: u64| {
                logs[cover as usize] - wrong_logs[wrong as usize] - 0.02 * weight as f64
            };
            let mut beam = vec![start.clone()];
            for _ in 0..MAX_CONDITIONS {
                let mut next: Vec<(f64, usize, usize)> = Vec::new();
                for (from, state) in beam.iter().enumerate() {
                    self.effort.spend(useful.len() as u64)?;
                    let left = bits::condition_counts(&state.kept, &state.dropped, &useful, words);
                    for (i, ConditionCounts { cover, wrong }) in left {
                        if wrong < state.wrong && cover > 0 {
                            next.push((
                                score(cover, wrong, state.weight + self.weights[i]),
                                from,
                                i,
                            ));
                        }
                    }
                }
                let order = |x: &(f64, usize, usize), y: &(f64, usize, usize)| {
                    y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2)))
                };
                if next.len() > 20 * BEAM_WIDTH {
                    next.select_nth_unstable_by(20 * BEAM_WIDTH, order);
                    next.truncate(20 * BEAM_WIDTH);
                }
                next.arrange_by(order);
                let mut states: Vec<BeamState> = Vec::new();
                for (_, from, i) in next {
                    let before = &beam[from];
                    let and = |x: &[u64], y: &[u64]| {
                        x.iter().zip(y).map(|(a, b)| a & b).collect::<Vec<u64>>()
                    };
                    let mut state = BeamState {
                        kept: and(&before.kept, &kept[i]),
                        dropped: and(&before.dropped, &dropped[i]),
                        chosen: [&before.chosen[..], &[i]].concat(),
                        weight: before.weight + self.weights[i],
                        ..before.clone()
                    };
                    if states.iter().any(|s| s.kept == state.kept && s.dropped == state.dropped) {
                        continue;
                    }
                    state.cover = covered(&state.kept, &state.kept, words);
                    state.wrong = count(&state.dropped);
                    states.push(state);
                    if states.len() == BEAM_WIDTH {
                        break;
                    }
                }
                for state in beam.iter().chain(&states).take(BEAM_WIDTH) {
                    sound.extend(self.excluding_remaining(space, sample, state, words));
                }
                sound.extend(states.iter().filter(|s| s.wrong == 0).cloned());
                let done = states.iter().any(|s| s.wrong == 0 && s.cover == start.cover);
                states.retain(|s| s.wrong > 0);
                if done || states.is_empty() {
                    break;
                }
                beam = states;
            }
        }
        let score = |s: &BeamState| 60.0 * f64::from(s.cover) / classes - 0.15 * s.weight as f64;
        Ok(sound
            .into_iter()
            .max_by(|x, y| score(x).total_cmp(&score(y)).then(y.chosen.cmp(&x.chosen))))
    }

    /// Returns the state with the space of the remaining N-positions excluded, if they lie in a
    /// smaller one.
    fn excluding_remaining(
        &self,
        space: &Space,
        sample: &Sample,
        state: &BeamState,
        words: usize,
    ) -> Option<BeamState> {
        if state.wrong == 0
            || state.outside.is_some()
            || f64::from(state.wrong) > 0.2 * sample.negatives.len() as f64
        {
            return None;
        }
        let left = sample
            .negatives
            .iter()
            .enumerate()
            .filter(|(i, _)| state.dropped[i / 64] >> (i % 64) & 1 == 1);
        let hull = Space::hull(space.heaps(), left.map(|(_, p)| &p[..]))?;
        if hull.dimension() >= space.dimension() {
            return None;
        }
        let mut state = state.clone();
        let outside = sample.positives.bits(&Condition::Outside(hull.clone()));
        state.kept.iter_mut().zip(outside).for_each(|(word, other)| *word &= other);
        state.cover = covered(&state.kept, &state.kept, words);
        state.wrong = 0;
        state.dropped.fill(0);
        state.weight += Condition::Outside(hull.clone()).weight() + 4;
        state.outside = Some(hull);
        (state.cover > 0).then_some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::multiples;

    /// Conditions evaluated by columns agree with those evaluated by positions.
    #[test]
    fn columns_say_what_positions_say() {
        let mut random = SplitMix(7);
        for heaps in [2, 3, 4, 11] {
            let positions: Vec<Vec<i64>> =
                (0..150).map(|_| (0..heaps).map(|_| random.below(7) as i64).collect()).collect();
            let columns = Columns::new(heaps, positions.iter().map(|p| &p[..]));
            let mut all = candidates(heaps, 0, 6);
            all.extend(multiples(heaps));
            let row = |random: &mut SplitMix| -> Row {
                (0..=heaps).map(|_| random.below(4) as i64 - 1).collect()
            };
            for i in 0..40 {
                let of = [row(&mut random), row(&mut random)];
                all.push(Condition::Extremum { least: i % 2 == 0, heap: i % heaps, of });
                let (modulus, shift) = (2 + (i % 4) as u8, (i % 3) as i64 - 1);
                let heaps = random.below(1 << heaps) as u32;
                all.push(Condition::Digits {
                    modulus,
                    heaps,
                    shift,
                    value: random.below(4) as i64,
                });
            }
            all.extend(Space::new(heaps, &[row(&mut random)]).map(Condition::Outside));
            let mut held = 0;
            for condition in &all {
                let bits = columns.bits(condition);
                for (i, p) in positions.iter().enumerate() {
                    let holds = condition.holds(p);
                    assert_eq!(bits[i / 64] >> (i % 64) & 1 == 1, holds, "{condition:?} {p:?}");
                    held += usize::from(holds);
                }
            }
            assert!(held > 1000, "{held}");
        }
    }
}

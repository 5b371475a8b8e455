//! Shapes of sets of P-positions up to symmetry: a union of cases, found one after the other.
//!
//! The equations to try come from neighbourhoods: around a typical P-position the P-positions
//! nearby span the space of its case, whatever other cases cross elsewhere. Every such space is
//! learned ([`crate::cell`]), and the case that explains most of the remaining classes is kept.
//! Finally cases are merged (x = s here and x = t there becomes x = min(s, t)), and superfluous
//! parts are dropped.
//!
//! A case counts only if it explains more than its description length: the bits of its text,
//! against the probability that as many positions are all P by accident (Rissanen, Modeling by
//! shortest data description, Automatica 14, 1978).

use crate::cell::{Cell, Learner, SplitMix};
use crate::condition::{Condition, multiples};
use crate::effort::SearchBudget;
use crate::fitted_form::{EXTENSION, FittedForm};
use crate::space::{Row, Space, weight};
use crate::table::OutcomeTable;
use bouton_core::{Arrange, LimitReached};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of P-positions whose neighbourhoods are examined in one step.
const MAX_PROBES: usize = 120;
/// The radii of neighbourhoods, one attempt each.
const RADII: [i64; 3] = [1, 2, 3];
/// The radii if no line through P-positions continues within the smaller ones: P-positions with
/// given remainders lie apart, and their images may be nearer.
const FAR_RADII: [i64; 4] = [4, 6, 8, 12];
/// The greatest number of neighbours examined.
const MAX_NEIGHBOURS: usize = 400;
/// The number of spaces learned in one step.
const SPACES_PER_STEP: usize = 10;
/// The greatest number of spaces learned in all.
const MAX_LEARNED: usize = 80;
/// The greatest number of cases.
const MAX_CELLS: usize = 16;
/// The greatest number of single classes in a form.
const MAX_EXCEPTIONS: usize = 12;
/// The least evidence of a case, in bits.
const MARGIN: f64 = 10.0;

/// A union of cases and single positions, up to symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cases {
    /// The number of heaps.
    pub heaps: usize,
    /// The cases.
    pub cells: Vec<Cell>,
    /// The single positions, one per class.
    pub exceptions: Vec<Vec<i64>>,
}

impl Cases {
    /// Returns whether the form holds of a position or of an image of it.
    pub fn holds_up_to(&self, p: &[i64], permutations: &[Vec<usize>]) -> bool {
        let mut image = p.to_vec();
        permutations.iter().any(|s| {
            image.iter_mut().zip(s).for_each(|(place, from)| *place = p[*from]);
            self.cells.iter().any(|cell| cell.holds(&image)) || self.exceptions.contains(&image)
        })
    }

    /// Returns the number of cases and single positions.
    pub(crate) fn len(&self) -> usize {
        self.cells.len() + self.exceptions.len()
    }

    /// Returns the form as a formula.
    pub fn text(&self) -> String {
        self.written(true)
    }

    /// Returns the form as a formula; with `short`, `min = max` says that all heaps are equal.
    pub(crate) fn written(&self, short: bool) -> String {
        let mut parts: Vec<String> = self.cells.iter().map(|cell| cell.written(short)).collect();
        for p in &self.exceptions {
            let heaps =
                p.iter().enumerate().map(|(i, x)| format!("{} = {x}", crate::space::name(i)));
            parts.push(heaps.collect::<Vec<_>>().join(" & "));
        }
        if parts.is_empty() { "false".into() } else { parts.join(" | ") }
    }

    /// Returns the first position of the table that the form classifies wrongly, N-positions in a
    /// case first.
    pub(crate) fn mismatch(
        &self,
        table: &OutcomeTable,
        effort: &SearchBudget<'_>,
    ) -> Result<Option<Vec<i64>>, LimitReached> {
        for cell in &self.cells {
            if let Some(wrong) = cell.wrong(table, false, 1, effort)?.pop() {
                return Ok(Some(wrong));
            }
        }
        let listed = |p: &&Vec<i64>| {
            let inside = p.iter().all(|x| (table.least() as i64..=table.most() as i64).contains(x));
            inside && !table.is_p(p)
        };
        if let Some(wrong) = self.exceptions.iter().find(listed) {
            return Ok(Some(wrong.clone()));
        }
        for (number, p) in (1..).zip(table.classes()) {
            effort.position(number)?;
            if !self.holds_up_to(&p, table.permutations()) {
                return Ok(Some(p));
            }
        }
        Ok(None)
    }
}

/// Searches for cases of a table's P-positions.
pub(crate) fn shape_cases(table: &OutcomeTable, effort: &SearchBudget<'_>) -> FittedForm<Cases> {
    search_cases(CaseSearch::new(table, effort))
}

/// The greatest number of heaps that are compared with irrational multiples of others, and of cases
/// of such forms and of the forms that they are sought after.
const MULTIPLES: usize = 3;
const IRRATIONAL_CELLS: usize = 6;

/// Searches for cases with comparisons of heaps with irrational multiples of others, where those
/// without explain most of the table but not all; `None` if these do not explain all.
pub(crate) fn irrational_cases(
    table: &OutcomeTable,
    found: &FittedForm<Cases>,
    effort: &SearchBudget<'_>,
) -> Option<FittedForm<Cases>> {
    let is_near = found.missed_count > 0 && 5 * found.missed_count <= found.classes;
    let is_short = found.form.cells.len() <= IRRATIONAL_CELLS;
    if !is_near || !is_short || found.cut.is_some() || !(2..=MULTIPLES).contains(&table.heaps()) {
        return None;
    }
    let mut search = CaseSearch { most_cells: IRRATIONAL_CELLS, ..CaseSearch::new(table, effort) };
    search.learner.extend_candidates(multiples(table.heaps()));
    Some(search_cases(search)).filter(|found| found.missed_count == 0)
}

/// Searches for cases of equations, remainders and digit sums, for a table of remainders in which
/// each class stands for `weight` classes.
pub(crate) fn remainder_cases(
    table: &OutcomeTable,
    weight: f64,
    effort: &SearchBudget<'_>,
) -> FittedForm<Cases> {
    let mut search = CaseSearch::new(table, effort);
    search.bits *= weight;
    search.learner.retain_candidates(|condition| {
        matches!(condition, Condition::Remainder(..) | Condition::Digits { .. })
    });
    search_cases(search)
}

fn search_cases(mut search: CaseSearch<'_, '_>) -> FittedForm<Cases> {
    let ended = search.cover().and_then(|()| search.simplify());
    search.found(ended.err())
}

struct CaseSearch<'t, 'm> {
    table: &'t OutcomeTable,
    learner: Learner<'t, 'm>,
    classes: Vec<Vec<i64>>,
    /// By class: whether no case contains it yet.
    open: Vec<bool>,
    cells: Vec<Cell>,
    most_cells: usize,
    random: SplitMix,
    /// The information of one class, in bits.
    bits: f64,
    effort: &'t SearchBudget<'m>,
}

impl<'t, 'm> CaseSearch<'t, 'm> {
    fn new(table: &'t OutcomeTable, effort: &'t SearchBudget<'m>) -> CaseSearch<'t, 'm> {
        let classes: Vec<Vec<i64>> = table.classes().collect();
        CaseSearch {
            table,
            learner: Learner::new(table, effort),
            open: vec![true; classes.len()],
            classes,
            cells: Vec::new(),
            most_cells: MAX_CELLS,
            random: SplitMix(0xc0a7_1e57),
            bits: -table.density().log2(),
            effort,
        }
    }

    fn is_in(&self, cell: &Cell, p: &[i64]) -> bool {
        let mut image = p.to_vec();
        self.table.permutations().iter().any(|s| {
            image.iter_mut().zip(s).for_each(|(place, from)| *place = p[*from]);
            cell.holds(&image)
        })
    }

    /// Returns the description length of a case in bits.
    fn cost(&self, cell: &Cell) -> f64 {
        let heaps = self.table.heaps() as f64;
        // The equality of all heaps is one statement.
        let rows = if cell.space.is_diagonal() { 1 } else { cell.space.rows().len() };
        let equations = rows as f64 * (heaps * 3f64.log2() + 1.0) * 0.75;
        equations
            + cell.conditions.len() as f64 * (self.learner.candidate_count() as f64).log2()
            + MARGIN
    }

    /// Returns the open classes of a case.
    fn newly(&self, cell: &Cell) -> Result<Vec<usize>, LimitReached> {
        let mut all = self.members(cell)?;
        all.retain(|i| self.open[*i]);
        Ok(all)
    }

    /// Returns the classes of a case.
    fn members(&self, cell: &Cell) -> Result<Vec<usize>, LimitReached> {
        let mut all = Vec::new();
        for (i, class) in self.classes.iter().enumerate() {
            self.effort.position(i as u64)?;
            if self.is_in(cell, class) {
                all.push(i);
            }
        }
        Ok(all)
    }

    fn open_classes(&self) -> Vec<Vec<i64>> {
        let open = self.classes.iter().zip(&self.open).filter(|(_, open)| **open);
        open.map(|(class, _)| class.clone()).collect()
    }

    /// Finds cases for as many classes as possible. The cases found before the budget is exhausted
    /// stay.
    fn cover(&mut self) -> Result<(), LimitReached> {
        let mut learned = 0;
        while self.cells.len() < self.most_cells && learned < MAX_LEARNED {
            let open = self.open_classes();
            if open.is_empty() {
                return Ok(());
            }
            let mut best: Option<(f64, Cell, Vec<usize>)> = None;
            // Once half of the rest is explained, only a case of the whole space that explains the
            // rest is sought.
            let mut most = false;
            let mut ended = Ok(());
            for space in self.spaces(&open) {
                if most && (space.dimension() < space.heaps() || !self.cells.is_empty()) {
                    continue;
                }
                learned += 1;
                let cell = match self.learner.learn(&space, &open) {
                    Ok(Some(cell)) => cell,
                    Ok(None) => continue,
                    Err(limit) => {
                        ended = Err(limit);
                        break;
                    }
                };
                let new = match self.newly(&cell) {
                    Ok(new) => new,
                    Err(limit) => {
                        ended = Err(limit);
                        break;
                    }
                };
                let score = new.len() as f64 * self.bits - self.cost(&cell);
                most |= score > 0.0 && 2 * new.len() > open.len();
                let all = new.len() == open.len();
                if score > 0.0 && best.as_ref().is_none_or(|b| score > b.0) {
                    best = Some((score, cell, new));
                }
                if all && most {
                    break;
                }
            }
            if let Some((_, cell, new)) = best {
                new.iter().for_each(|i| self.open[*i] = false);
                self.cells.push(cell);
                ended?;
            } else {
                // Without a complete examination of the neighbourhoods, finding no case means
                // nothing.
                return ended.and_then(|()| self.effort.spend(0));
            }
        }
        Ok(())
    }

    /// Returns the spaces that open P-positions span nearby, most frequent first.
    fn spaces(&mut self, open: &[Vec<i64>]) -> Vec<Space> {
        let heaps = self.table.heaps();
        let mut votes: FxHashMap<Space, usize> = FxHashMap::default();
        for i in 0..MAX_PROBES.min(open.len()) {
            let p = if open.len() <= MAX_PROBES {
                &open[i]
            } else {
                &open[self.random.below(open.len() as u64) as usize]
            };
            let (mut seen, mut continues): (Vec<Space>, bool) = (Vec::new(), false);
            for reach in RADII.into_iter().chain(FAR_RADII) {
                if !self.effort.goes_on() || reach > RADII[RADII.len() - 1] && continues {
                    break;
                }
                let neighbours = self.neighbours(p, reach);
                // Lines that continue: p, q and the next point on the line through them.
                let goes_on = |q: &&Vec<i64>| {
                    let on = |by: i64| {
                        p.iter().zip(*q).map(|(x, y)| x + by * (y - x)).collect::<Vec<i64>>()
                    };
                    self.is_open(&on(2)) || self.is_open(&on(-1))
                };
                let lines: Vec<&Vec<i64>> = neighbours.iter().filter(goes_on).collect();
                continues |= lines.iter().any(|q| *q != p);
                let hulls = [
                    Space::hull(heaps, neighbours.iter().map(|q| &q[..])),
                    Space::hull(heaps, lines.iter().map(|q| &q[..])),
                ];
                for space in hulls.into_iter().flatten() {
                    if space.dimension() > 0 && !seen.contains(&space) {
                        *votes.entry(space.clone()).or_default() += 1;
                        seen.push(space);
                    }
                }
            }
        }
        let mut classes: FxHashMap<Space, usize> = FxHashMap::default();
        for (space, count) in votes {
            let least = self.table.permutations().iter().map(|s| space.image(s)).min();
            *classes.entry(least.unwrap_or(space)).or_default() += count;
        }
        let mut all: Vec<(Space, usize)> = classes.into_iter().collect();
        all.arrange_by(|x, y| y.1.cmp(&x.1).then_with(|| x.0.cmp(&y.0)));
        let mut spaces: Vec<Space> =
            all.into_iter().take(SPACES_PER_STEP).map(|(space, _)| space).collect();
        // The whole space is expensive: it comes last, at the beginning or if neighbourhoods
        // suggest it.
        let whole = Space::whole(heaps);
        let asked = spaces.contains(&whole);
        spaces.retain(|s| *s != whole);
        if asked || self.cells.is_empty() {
            spaces.push(whole);
        }
        spaces
    }

    /// Returns whether the position is an open P-position.
    fn is_open(&self, p: &[i64]) -> bool {
        self.table.is_p(p) && !self.cells.iter().any(|cell| self.is_in(cell, p))
    }

    /// Returns the open P-positions that differ by at most `reach` in every heap.
    fn neighbours(&self, p: &[i64], reach: i64) -> Vec<Vec<i64>> {
        let (mut low, mut high) = (0, self.table.count());
        while low < high {
            let middle = (low + high) / 2;
            if i64::from(self.table.point(middle)[0]) < p[0] - reach {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut neighbours = vec![p.to_vec()];
        for i in low..self.table.count() {
            let q = self.table.point(i);
            if i64::from(q[0]) > p[0] + reach || neighbours.len() > MAX_NEIGHBOURS {
                break;
            }
            if q.iter().zip(p).all(|(x, y)| (i64::from(*x) - y).abs() <= reach) {
                let q: Vec<i64> = q.iter().map(|x| i64::from(*x)).collect();
                if self.is_open(&q) {
                    neighbours.push(q);
                }
            }
        }
        neighbours
    }

    /// Merges cases and drops those that others make superfluous.
    fn simplify(&mut self) -> Result<(), LimitReached> {
        self.drop_superfluous()?;
        'again: loop {
            for i in 0..self.cells.len() {
                for j in 0..self.cells.len() {
                    if i != j
                        && let Some(cell) = self.merged(&self.cells[i], &self.cells[j])?
                    {
                        let (i, j) = (i.min(j), i.max(j));
                        self.cells.remove(j);
                        self.cells[i] = cell;
                        continue 'again;
                    }
                }
            }
            break;
        }
        self.drop_superfluous()?;
        for i in 0..self.cells.len() {
            self.effort.spend(1)?;
            self.cells[i] = self.best_image(self.cells[i].clone());
        }
        Ok(())
    }

    fn drop_superfluous(&mut self) -> Result<(), LimitReached> {
        let mut all: Vec<FxHashSet<usize>> = Vec::new();
        for cell in &self.cells {
            all.push(self.members(cell)?.into_iter().collect());
        }
        let mut kept: Vec<bool> = vec![true; all.len()];
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.arrange_by_key(|i| all[*i].len());
        for i in order {
            let elsewhere =
                |c: &usize| (0..all.len()).any(|j| j != i && kept[j] && all[j].contains(c));
            if all[i].iter().all(elsewhere) {
                kept[i] = false;
            }
        }
        let mut kept = kept.into_iter();
        self.cells.retain(|_| kept.next().unwrap_or(true));
        Ok(())
    }

    /// Merges two cases whose spaces differ in one equation, in which a heap equals one sum or
    /// another.
    fn merged(&self, one: &Cell, other: &Cell) -> Result<Option<Cell>, LimitReached> {
        let heaps = self.table.heaps();
        let dimension = one.space.dimension();
        if other.space.dimension() != dimension || dimension + 1 > heaps {
            return Ok(None);
        }
        let mut merged: Vec<Cell> = Vec::new();
        for s in self.table.permutations() {
            self.effort.spend(1)?;
            let other = other.image(s);
            // The common equations of both spaces, which have one more dimension.
            let common: Vec<Row> = one
                .space
                .simple_equations()
                .into_iter()
                .filter(|row| other.space.implies(row))
                .collect();
            let Some(hull) = Space::new(heaps, &common) else { continue };
            if hull.dimension() != dimension + 1 {
                continue;
            }
            let both: Vec<Condition> =
                one.conditions.iter().filter(|c| other.conditions.contains(c)).cloned().collect();
            for heap in 0..heaps {
                let solved = |space: &Space| -> Option<Row> {
                    let row = space
                        .simple_equations()
                        .into_iter()
                        .find(|r| r[heap] != 0 && !hull.implies(r))?;
                    // x_heap = Σ …: the other terms move to the right.
                    let sign = row[heap];
                    let mut right: Row = row.iter().map(|c| -c * sign).collect();
                    right[heap] = 0;
                    right[heaps] = row[heaps] * sign;
                    Some(right)
                };
                let (Some(s), Some(t)) = (solved(&one.space), solved(&other.space)) else {
                    continue;
                };
                for least in [true, false] {
                    let extremum = Condition::Extremum { least, heap, of: [s.clone(), t.clone()] };
                    for more in [&[][..], &both, &one.conditions, &other.conditions] {
                        let conditions = [std::slice::from_ref(&extremum), more].concat();
                        let mut cell = Cell { space: hull.clone(), conditions };
                        if cell.is_sound(self.table, self.effort)?
                            && self.has_both(&cell, one, &other)?
                        {
                            cell.trim(self.table, self.effort);
                            merged.push(cell);
                            break;
                        }
                    }
                }
            }
            if !merged.is_empty() {
                break;
            }
        }
        Ok(merged.into_iter().min_by_key(|cell| (cell.weight(), cell.text().len())))
    }

    fn has_both(&self, cell: &Cell, one: &Cell, other: &Cell) -> Result<bool, LimitReached> {
        for (number, p) in (1..).zip(&self.classes) {
            self.effort.position(number)?;
            if (self.is_in(one, p) || self.is_in(other, p)) && !self.is_in(cell, p) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the image that is simplest to read: early heaps in the equations and conditions.
    fn best_image(&self, cell: Cell) -> Cell {
        let key = |cell: &Cell| {
            let equations = cell.space.equations();
            let weights: u64 = equations.iter().map(|row| weight(row)).sum();
            (weights, cell.text().len(), cell.text())
        };
        self.table.permutations().iter().map(|s| cell.image(s)).min_by_key(key).unwrap_or(cell)
    }

    /// Returns the greatest heap without which a case or an exception would be unknown: for each
    /// case the least position counts.
    fn settled(&self, exceptions: &[Vec<i64>]) -> u64 {
        let greatest = |p: &Vec<i64>| p.iter().copied().max().unwrap_or(0);
        let first = |cell: &Cell| {
            let members = self.classes.iter().filter(|p| self.is_in(cell, p));
            members.map(greatest).min().unwrap_or(0)
        };
        let all = self.cells.iter().map(first).chain(exceptions.iter().map(greatest));
        all.max().unwrap_or(0).unsigned_abs()
    }

    fn found(self, ended: Option<LimitReached>) -> FittedForm<Cases> {
        // After an exhausted budget, classes without a case count as missed.
        let missing = |p: &Vec<i64>| !self.cells.iter().any(|cell| self.is_in(cell, p));
        let classes = self.classes.iter().zip(&self.open);
        let classes = classes.filter(|(p, open)| if ended.is_some() { **open } else { missing(p) });
        let mut missed: Vec<Vec<i64>> = classes.map(|(p, _)| p.clone()).collect();
        let mut missed_count = missed.len();
        let mut exceptions = Vec::new();
        // If the open classes are few and small, they may be all there are.
        let bound = (self.table.most() / 2) as i64;
        if missed_count <= MAX_EXCEPTIONS && missed.iter().flatten().all(|x| *x <= bound) {
            exceptions = std::mem::take(&mut missed);
            missed_count = 0;
        }
        missed.truncate(20);
        // An empty set of P-positions is evidence of one bit per position.
        let empty =
            if self.classes.is_empty() { self.table.positions() as f64 - MARGIN } else { 0.0 };
        let said: f64 = self.cells.iter().map(|cell| self.cost(cell)).sum();
        let listed =
            exceptions.len() as f64 * self.table.heaps() as f64 * (bound as f64 + 1.0).log2();
        let explained = (self.classes.len() - missed_count) as f64 * self.bits;
        let said = said + listed;
        // A table with less information than twice that of the simplest cases is no evidence
        // against a form.
        let all = self.classes.len() as f64 * self.bits;
        let simplest = 2.0 * ((self.table.heaps() as f64 * 3f64.log2() + 1.0) * 0.75 + MARGIN);
        let short = if missed_count > 0 { (all - simplest).min(0.0) } else { 0.0 };
        let cut = ended.filter(|_| missed_count > 0);
        let settled = self.settled(&exceptions);
        FittedForm {
            classes: self.classes.len(),
            bits: self.bits,
            form: Cases { heaps: self.table.heaps(), cells: self.cells, exceptions },
            missed,
            missed_count,
            said,
            evidence: if short < 0.0 { short } else { explained - said + empty },
            settled,
            most: self.table.most(),
            quiet: EXTENSION,
            cut,
        }
    }
}

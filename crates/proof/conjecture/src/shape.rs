//! Shapes of sets of P-positions up to symmetry: a union of cases, found one after the other.
//!
//! Which equations to try is read off the neighbourhoods: around a typical P-position the P-positions nearby span the
//! space of its case, whatever other cases cross elsewhere. Every space so found is learned ([`crate::cell`]); the case
//! that explains most of what is left is kept, and so on. Then cases are merged (x = s here and x = t there becomes
//! x = min(s, t)), and what a case does not need is dropped.
//! A case counts only if it explains more than it says: as many bits as its text takes, against the chance that so
//! many positions are all P by accident (Rissanen, Modeling by shortest data description, Automatica 14, 1978).

use crate::cell::{Cell, Learner, Random};
use crate::condition::Condition;
use crate::effort::Effort;
use crate::found::{Found, QUIET};
use crate::space::{Row, Space, weight};
use crate::table::OutcomeTable;
use bouton_core::LimitReached;
use rustc_hash::{FxHashMap, FxHashSet};

/// P-positions whose neighbourhoods are looked at, each time.
const PROBES: usize = 120;
/// How far neighbourhoods reach, one try each.
const REACH: [i64; 3] = [1, 2, 3];
/// How far they reach where that is too near to see another one: P-positions of some remainders only lie apart.
const FAR: [i64; 4] = [4, 6, 8, 12];
/// Neighbours that are looked at, at most.
const NEIGHBOURS: usize = 400;
/// Spaces that are learned, each time.
const SPACES: usize = 10;
/// Spaces that are learned, in all.
const MOST_LEARNED: usize = 80;
/// Cases at most.
const MOST_CELLS: usize = 16;
/// Single classes that a form may list.
const MOST_EXCEPTIONS: usize = 12;
/// Bits by which a case must explain more than it says.
const MARGIN: f64 = 10.0;

/// A union of cases and single positions, up to symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cases {
    /// Heaps of a position.
    pub heaps: usize,
    /// The cases.
    pub cells: Vec<Cell>,
    /// Single positions, one a class.
    pub exceptions: Vec<Vec<i64>>,
}

impl Cases {
    /// Whether it holds of a position or of an image of it.
    pub fn holds_up_to(&self, p: &[i64], permutations: &[Vec<usize>]) -> bool {
        let mut image = p.to_vec();
        permutations.iter().any(|s| {
            image.iter_mut().zip(s).for_each(|(place, from)| *place = p[*from]);
            self.cells.iter().any(|cell| cell.holds(&image)) || self.exceptions.contains(&image)
        })
    }

    /// How many cases and single positions.
    pub(crate) fn len(&self) -> usize {
        self.cells.len() + self.exceptions.len()
    }

    /// As the logic reads it.
    pub fn text(&self) -> String {
        self.written(true)
    }

    /// The same, and whether `min = max` says that all heaps are equal.
    pub(crate) fn written(&self, short: bool) -> String {
        let mut parts: Vec<String> = self.cells.iter().map(|cell| cell.written(short)).collect();
        for p in &self.exceptions {
            let heaps = p.iter().enumerate().map(|(i, x)| format!("{} = {x}", crate::space::name(i)));
            parts.push(heaps.collect::<Vec<_>>().join(" & "));
        }
        if parts.is_empty() { "false".into() } else { parts.join(" | ") }
    }

    /// The first position of the table that it gets wrong, N-positions that it names first.
    pub(crate) fn mismatch(
        &self,
        table: &OutcomeTable,
        effort: &Effort<'_>,
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

/// Seeks cases for a table's P-positions.
pub(crate) fn shape_cases(table: &OutcomeTable, effort: &Effort<'_>) -> Found<Cases> {
    sought(Search::new(table, effort))
}

/// Seeks cases of equations, remainders and digit sums for the table of all remainders of a larger one, in which each
/// class stands for `weight` classes.
pub(crate) fn remainder_cases(table: &OutcomeTable, weight: f64, effort: &Effort<'_>) -> Found<Cases> {
    let mut search = Search::new(table, effort);
    search.bits *= weight;
    search.learner.only(|condition| matches!(condition, Condition::Remainder(..) | Condition::Digits { .. }));
    sought(search)
}

fn sought(mut search: Search<'_, '_>) -> Found<Cases> {
    let ended = search.cover().and_then(|()| search.simplify());
    search.found(ended.err())
}

struct Search<'t, 'm> {
    table: &'t OutcomeTable,
    learner: Learner<'t, 'm>,
    classes: Vec<Vec<i64>>,
    /// By class: not in any case yet.
    open: Vec<bool>,
    cells: Vec<Cell>,
    random: Random,
    /// What one class counts, in bits.
    bits: f64,
    effort: &'t Effort<'m>,
}

impl<'t, 'm> Search<'t, 'm> {
    fn new(table: &'t OutcomeTable, effort: &'t Effort<'m>) -> Search<'t, 'm> {
        let classes: Vec<Vec<i64>> = table.classes().collect();
        Search {
            table,
            learner: Learner::new(table, effort),
            open: vec![true; classes.len()],
            classes,
            cells: Vec::new(),
            random: Random(0xc0a7_1e57),
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

    /// Bits that a case takes to say.
    fn cost(&self, cell: &Cell) -> f64 {
        let heaps = self.table.heaps() as f64;
        // That all heaps are equal is said at once.
        let rows = if cell.space.is_diagonal() { 1 } else { cell.space.rows().len() };
        let equations = rows as f64 * (heaps * 3f64.log2() + 1.0) * 0.75;
        equations + cell.conditions.len() as f64 * (self.learner.choices() as f64).log2() + MARGIN
    }

    /// Which open classes a case has.
    fn newly(&self, cell: &Cell) -> Result<Vec<usize>, LimitReached> {
        let mut all = self.members(cell)?;
        all.retain(|i| self.open[*i]);
        Ok(all)
    }

    /// Which classes a case has.
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

    /// Cases for as many classes as can be; those found until the budget ends stay.
    fn cover(&mut self) -> Result<(), LimitReached> {
        let mut learned = 0;
        while self.cells.len() < MOST_CELLS && learned < MOST_LEARNED {
            let open = self.open_classes();
            if open.is_empty() {
                return Ok(());
            }
            let mut best: Option<(f64, Cell, Vec<usize>)> = None;
            // With half of what is left explained, only a case that explains all of it is looked for: in the whole space.
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
                let worth = new.len() as f64 * self.bits - self.cost(&cell);
                most |= worth > 0.0 && 2 * new.len() > open.len();
                let all = new.len() == open.len();
                if worth > 0.0 && best.as_ref().is_none_or(|b| worth > b.0) {
                    best = Some((worth, cell, new));
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
                // No case where the neighbourhoods were not looked at to the end says nothing.
                return ended.and_then(|()| self.effort.spend(0));
            }
        }
        Ok(())
    }

    /// Spaces that P-positions not yet explained span nearby, most frequent first.
    fn spaces(&mut self, open: &[Vec<i64>]) -> Vec<Space> {
        let heaps = self.table.heaps();
        let mut votes: FxHashMap<Space, usize> = FxHashMap::default();
        for i in 0..PROBES.min(open.len()) {
            let p = if open.len() <= PROBES {
                &open[i]
            } else {
                &open[self.random.below(open.len() as u64) as usize]
            };
            let mut seen: Vec<Space> = Vec::new();
            for reach in REACH.into_iter().chain(FAR) {
                if !self.effort.goes_on() || reach > REACH[REACH.len() - 1] && !seen.is_empty() {
                    break;
                }
                let near = self.neighbours(p, reach);
                // Those that go on: p, q and the next one on the line through them.
                let goes_on = |q: &&Vec<i64>| {
                    let on = |by: i64| p.iter().zip(*q).map(|(x, y)| x + by * (y - x)).collect::<Vec<i64>>();
                    self.is_open(&on(2)) || self.is_open(&on(-1))
                };
                let lines: Vec<&Vec<i64>> = near.iter().filter(goes_on).collect();
                let hulls = [
                    Space::hull(heaps, near.iter().map(|q| &q[..])),
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
        all.sort_by(|x, y| y.1.cmp(&x.1).then_with(|| x.0.cmp(&y.0)));
        let mut spaces: Vec<Space> = all.into_iter().take(SPACES).map(|(space, _)| space).collect();
        // The whole space is dear: last, and at first or where neighbourhoods ask for it.
        let whole = Space::whole(heaps);
        let asked = spaces.contains(&whole);
        spaces.retain(|s| *s != whole);
        if asked || self.cells.is_empty() {
            spaces.push(whole);
        }
        spaces
    }

    /// Whether this is a P-position not yet explained.
    fn is_open(&self, p: &[i64]) -> bool {
        self.table.is_p(p) && !self.cells.iter().any(|cell| self.is_in(cell, p))
    }

    /// P-positions not yet explained that differ by at most `reach` in every heap.
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
        let mut near = vec![p.to_vec()];
        for i in low..self.table.count() {
            let q = self.table.point(i);
            if i64::from(q[0]) > p[0] + reach || near.len() > NEIGHBOURS {
                break;
            }
            if q.iter().zip(p).all(|(x, y)| (i64::from(*x) - y).abs() <= reach) {
                let q: Vec<i64> = q.iter().map(|x| i64::from(*x)).collect();
                if self.is_open(&q) {
                    near.push(q);
                }
            }
        }
        near
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
        order.sort_by_key(|i| all[*i].len());
        for i in order {
            let elsewhere = |c: &usize| (0..all.len()).any(|j| j != i && kept[j] && all[j].contains(c));
            if all[i].iter().all(elsewhere) {
                kept[i] = false;
            }
        }
        let mut kept = kept.into_iter();
        self.cells.retain(|_| kept.next().unwrap_or(true));
        Ok(())
    }

    /// One case for two whose spaces differ in one equation: there a heap is one sum here and another there.
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
            // What both spaces have in common, and one dimension more.
            let common: Vec<Row> =
                one.space.simple_equations().into_iter().filter(|row| other.space.implies(row)).collect();
            let Some(hull) = Space::new(heaps, &common) else { continue };
            if hull.dimension() != dimension + 1 {
                continue;
            }
            let both: Vec<Condition> =
                one.conditions.iter().filter(|c| other.conditions.contains(c)).cloned().collect();
            for heap in 0..heaps {
                let solved = |space: &Space| -> Option<Row> {
                    let row =
                        space.simple_equations().into_iter().find(|r| r[heap] != 0 && !hull.implies(r))?;
                    // x_heap = Σ …: the others go to the right.
                    let sign = row[heap];
                    let mut right: Row = row.iter().map(|c| -c * sign).collect();
                    right[heap] = 0;
                    right[heaps] = row[heaps] * sign;
                    Some(right)
                };
                let (Some(s), Some(t)) = (solved(&one.space), solved(&other.space)) else { continue };
                for least in [true, false] {
                    let extremum = Condition::Extremum { least, heap, of: [s.clone(), t.clone()] };
                    for more in [&[][..], &both, &one.conditions, &other.conditions] {
                        let conditions = [std::slice::from_ref(&extremum), more].concat();
                        let mut cell = Cell { space: hull.clone(), conditions };
                        if cell.is_sound(self.table, self.effort)? && self.has_both(&cell, one, &other)? {
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

    /// The image that is simplest to read: early heaps in the equations and conditions.
    fn best_image(&self, cell: Cell) -> Cell {
        let key = |cell: &Cell| {
            let equations = cell.space.equations();
            let weights: u64 = equations.iter().map(|row| weight(row)).sum();
            (weights, cell.text().len(), cell.text())
        };
        self.table.permutations().iter().map(|s| cell.image(s)).min_by_key(key).unwrap_or(cell)
    }

    /// The greatest heap without which a case or an exception would not be known: of each case the least position counts.
    fn settled(&self, exceptions: &[Vec<i64>]) -> u64 {
        let greatest = |p: &Vec<i64>| p.iter().copied().max().unwrap_or(0);
        let first = |cell: &Cell| {
            let members = self.classes.iter().filter(|p| self.is_in(cell, p));
            members.map(greatest).min().unwrap_or(0)
        };
        let all = self.cells.iter().map(first).chain(exceptions.iter().map(greatest));
        all.max().unwrap_or(0).unsigned_abs()
    }

    fn found(self, ended: Option<LimitReached>) -> Found<Cases> {
        // Out of time, classes count as missed that no case was made for.
        let missing = |p: &Vec<i64>| !self.cells.iter().any(|cell| self.is_in(cell, p));
        let classes = self.classes.iter().zip(&self.open);
        let classes = classes.filter(|(p, open)| if ended.is_some() { **open } else { missing(p) });
        let mut missed: Vec<Vec<i64>> = classes.map(|(p, _)| p.clone()).collect();
        let mut missed_count = missed.len();
        let mut exceptions = Vec::new();
        // Few, and all of them small: then they may be all there are.
        let bound = (self.table.most() / 2) as i64;
        if missed_count <= MOST_EXCEPTIONS && missed.iter().flatten().all(|x| *x <= bound) {
            exceptions = std::mem::take(&mut missed);
            missed_count = 0;
        }
        missed.truncate(20);
        // That no position is P is as likely as not of each.
        let empty = if self.classes.is_empty() { self.table.positions() as f64 - MARGIN } else { 0.0 };
        let said: f64 = self.cells.iter().map(|cell| self.cost(cell)).sum();
        let listed = exceptions.len() as f64 * self.table.heaps() as f64 * (bound as f64 + 1.0).log2();
        let explained = (self.classes.len() - missed_count) as f64 * self.bits;
        let said = said + listed;
        // A table that holds less than the simplest cases take to say, twice, is no evidence against a form either.
        let all = self.classes.len() as f64 * self.bits;
        let simplest = 2.0 * ((self.table.heaps() as f64 * 3f64.log2() + 1.0) * 0.75 + MARGIN);
        let short = if missed_count > 0 { (all - simplest).min(0.0) } else { 0.0 };
        let cut = ended.filter(|_| missed_count > 0);
        let settled = self.settled(&exceptions);
        Found {
            classes: self.classes.len(),
            bits: self.bits,
            form: Cases { heaps: self.table.heaps(), cells: self.cells, exceptions },
            missed,
            missed_count,
            said,
            evidence: if short < 0.0 { short } else { explained - said + empty },
            settled,
            most: self.table.most(),
            quiet: QUIET,
            cut,
        }
    }
}

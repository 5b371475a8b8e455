//! Sets that are the solutions of equations between nim-sums of terms: sums of heaps, quotients and remainders of one heap.
//!
//! In every binary place a nim-sum is a sum over the field of two elements. So each P-position gives, place by place, a
//! linear equation for the unknowns "is this term in the nim-sum": the equations that all P-positions satisfy are the null
//! space of a matrix over that field. Of these the shortest are taken that leave no N-position. (Nim on a simplicial complex
//! of several parts, each a simplex, is such a set: the nim-sum of the parts' sums.)

use crate::effort::Effort;
use crate::space::name;
use crate::table::{Images, OutcomeTable};
use bouton_core::{LimitReached, Outcome};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::ops::ControlFlow::{Break, Continue};

/// Most heaps: all sums of them are looked at.
const MOST_HEAPS: usize = 6;
/// P-positions that make the matrix, at most.
const ROWS: usize = 20_000;
/// Positions that the equations are chosen by, at most.
const SAMPLE: usize = 200_000;
/// Positions that are asked first whether there can be equations.
const FIRST: usize = 4096;
/// Equations that are looked at, shortest first.
const MOST_EQUATIONS: usize = 2000;

/// Terms of a form, in all: more say nothing to anybody.
const MOST_TERMS: usize = 10;

/// What is taken of a sum of heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Quotient(i64),
    Remainder(i64),
}

/// A term of a nim-sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Term {
    /// The heaps that are summed, as a bit mask.
    heaps: u32,
    part: Part,
}

impl Term {
    fn value(self, p: &[i64]) -> i64 {
        let sum = p.iter().enumerate().filter(|(i, _)| self.heaps >> i & 1 == 1).map(|(_, x)| x).sum::<i64>();
        match self.part {
            Part::Whole => sum,
            Part::Quotient(d) => sum / d,
            Part::Remainder(m) => sum % m,
        }
    }

    /// How much there is to write.
    fn weight(self) -> u32 {
        self.heaps.count_ones() + if self.part == Part::Whole { 0 } else { 2 }
    }

    /// As formulas write it; in parentheses where it stands among others.
    fn text(self, among: bool) -> String {
        let heaps: Vec<String> =
            (0..32).filter(|i| self.heaps >> i & 1 == 1).map(|i| name(i).to_string()).collect();
        let sum = heaps.join("+");
        match self.part {
            Part::Whole if among && heaps.len() > 1 => format!("({sum})"),
            Part::Whole => sum,
            Part::Quotient(d) => format!("({sum} div {d})"),
            Part::Remainder(m) => format!("({sum} mod {m})"),
        }
    }
}

/// Nim-sums that are 0, all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NimSums {
    heaps: usize,
    equations: Vec<Vec<Term>>,
}

/// Terms of so many heaps, at most 128.
fn terms(heaps: usize) -> Vec<Term> {
    let mut all: Vec<Term> = (1..1u32 << heaps).map(|heaps| Term { heaps, part: Part::Whole }).collect();
    let parts = [2, 3, 4].map(Part::Quotient).into_iter().chain([2, 3, 4, 5, 6, 7, 8].map(Part::Remainder));
    for part in parts {
        all.extend((0..heaps).map(|heap| Term { heaps: 1 << heap, part }));
    }
    all.sort_by_key(|term| term.weight());
    all.truncate(128);
    all
}

/// The reduced rows of a matrix over two elements, fed row by row; bit i of a row belongs to term i.
struct Matrix {
    rows: Vec<u128>,
}

impl Matrix {
    /// A row less what the rows before make up of it: 0 if they make it up.
    fn rest(&self, mut row: u128) -> u128 {
        for known in &self.rows {
            if row >> known.trailing_zeros() & 1 == 1 {
                row ^= known;
            }
        }
        row
    }

    /// Adds a row; whether it was new.
    fn add(&mut self, row: u128) -> bool {
        let row = self.rest(row);
        if row == 0 {
            return false;
        }
        let lead = row.trailing_zeros();
        for known in &mut self.rows {
            if *known >> lead & 1 == 1 {
                *known ^= row;
            }
        }
        self.rows.push(row);
        true
    }

    /// Each term's column.
    fn columns(&self, terms: usize) -> Vec<u128> {
        let column = |term: usize| (0..).zip(&self.rows).map(|(i, row)| (row >> term & 1) << i).sum();
        (0..terms).map(column).collect()
    }
}

/// The rows of a position, one for each binary place.
fn rows(terms: &[Term], p: &[i64]) -> impl Iterator<Item = u128> + use<> {
    let values: Vec<i64> = terms.iter().map(|term| term.value(p)).collect();
    let places = i64::BITS - values.iter().fold(0, |all, x| all | x).leading_zeros();
    (0..places)
        .map(move |place| (0..).zip(&values).map(|(i, x)| u128::from((x >> place & 1) as u64) << i).sum())
}

/// The equations of a table, if they are all of it and at least one of them is between sums; others have shorter forms.
pub(crate) fn nim_sums(table: &OutcomeTable, effort: &Effort<'_>) -> Option<NimSums> {
    let heaps = table.heaps();
    if !effort.goes_on()
        || !(2..=MOST_HEAPS).contains(&heaps)
        || table.least() != 0
        || *table.images() == Images::Ascending
    {
        return None;
    }
    let terms = terms(heaps);
    let mut matrix = Matrix { rows: Vec::new() };
    let step = table.count().div_ceil(ROWS).max(1);
    for (number, p) in (1..).zip(table.p_positions().step_by(step)) {
        effort.position(number).ok()?;
        let p: Vec<i64> = p.iter().map(|x| i64::from(*x)).collect();
        for row in rows(&terms, &p) {
            matrix.add(row);
        }
        if matrix.rows.len() == terms.len() {
            return None;
        }
    }
    // An N-position that satisfies whatever all P-positions satisfy: no equations are all of it.
    let mut never = false;
    let mut looked = 0;
    table.each_class(table.most(), &mut |p, outcome| {
        looked += 1;
        if outcome == Outcome::N {
            let p: Vec<i64> = p.iter().map(|x| *x as i64).collect();
            never = rows(&terms, &p).all(|row| matrix.rest(row) == 0);
        }
        if never || looked >= FIRST { Break(()) } else { Continue(()) }
    });
    if never {
        return None;
    }
    let equations = equations(&matrix.columns(terms.len()), &terms);
    let form = chosen(table, &equations, effort)?;
    if form.equations.iter().map(Vec::len).sum::<usize>() > MOST_TERMS {
        return None;
    }
    let long = |terms: &Vec<Term>| terms.len() > 2 && terms.iter().any(|term| term.weight() > 1);
    let seen = form.equations.iter().any(long);
    (seen && form.mismatch(table, effort).is_ok_and(|wrong| wrong.is_none())).then_some(form)
}

/// Up to three terms.
type Half = SmallVec<[usize; 3]>;

/// Sets of up to six terms whose columns add up to 0, shortest first: sets of up to three meet.
fn equations(columns: &[u128], terms: &[Term]) -> Vec<Vec<Term>> {
    let n = columns.len();
    let weight = |all: &[usize]| all.iter().map(|i| terms[*i].weight()).sum::<u32>();
    let mut halves: Vec<(u32, u128, Half)> = Vec::new();
    let mut add = |sum: u128, half: Half| halves.push((weight(&half), sum, half));
    add(0, Half::new());
    for i in 0..n {
        add(columns[i], smallvec![i]);
        for j in i + 1..n {
            add(columns[i] ^ columns[j], smallvec![i, j]);
            (j + 1..n).for_each(|k| add(columns[i] ^ columns[j] ^ columns[k], smallvec![i, j, k]));
        }
    }
    halves.sort_by_key(|(weight, _, half)| (*weight, half.len()));
    // The lightest few of each sum: of a longer list the heavy ones are never asked for.
    let mut by_sum: FxHashMap<u128, Vec<&Half>> = FxHashMap::default();
    for (_, sum, half) in &halves {
        let list = by_sum.entry(*sum).or_default();
        if list.len() < 12 {
            list.push(half);
        }
    }
    let mut found: Vec<Vec<usize>> = Vec::new();
    for list in by_sum.values() {
        for (i, one) in list.iter().enumerate() {
            for other in &list[..i] {
                // In order, each term once, so that every set is met.
                if one.iter().all(|term| !other.contains(term)) {
                    let mut all = [&one[..], &other[..]].concat();
                    all.sort_unstable();
                    found.push(all);
                }
            }
        }
    }
    found.sort_by_cached_key(|all| (weight(all), all.len(), all.clone()));
    found.dedup();
    found.truncate(MOST_EQUATIONS);
    let mut found: Vec<Vec<Term>> =
        found.into_iter().map(|all| all.into_iter().map(|i| terms[i]).collect()).collect();
    found.iter_mut().for_each(|terms| terms.sort_by_key(|term| term.heaps.trailing_zeros()));
    found
}

/// Whether the terms' nim-sum is 0.
fn holds(terms: &[Term], p: &[i64]) -> bool {
    terms.iter().fold(0, |sum, term| sum ^ term.value(p)) == 0
}

/// The first equations that leave no N-position among some; none if all together leave one.
fn chosen(table: &OutcomeTable, equations: &[Vec<Term>], effort: &Effort<'_>) -> Option<NimSums> {
    // One after the other, so many numbers each.
    let mut positions: Vec<i64> = Vec::new();
    let heaps = table.heaps();
    let mut looked = 0;
    table.each_class(table.most(), &mut |p, outcome| {
        looked += 1;
        if effort.position(looked).is_err() || positions.len() >= SAMPLE * heaps {
            return Break(());
        }
        if outcome == Outcome::N {
            positions.extend(p.iter().map(|x| *x as i64));
        }
        Continue(())
    });
    let all = || positions.chunks_exact(heaps);
    let mut left: Vec<&[i64]> = all().collect();
    let mut kept: Vec<Vec<Term>> = Vec::new();
    for equation in equations {
        effort.spend(left.len() as u64).ok()?;
        if left.is_empty() {
            break;
        }
        let before = left.len();
        left.retain(|p| holds(equation, p));
        if left.len() < before {
            kept.push(equation.clone());
        }
    }
    if !left.is_empty() {
        return None;
    }
    // Long ones that the others make superfluous go first.
    for i in (0..kept.len()).rev() {
        let others = |p: &[i64]| kept.iter().enumerate().all(|(j, equation)| j == i || holds(equation, p));
        effort.spend(all().len() as u64).ok()?;
        if !all().any(others) {
            kept.remove(i);
        }
    }
    Some(NimSums { heaps, equations: kept })
}

impl NimSums {
    fn holds(&self, p: &[i64]) -> bool {
        self.equations.iter().all(|terms| holds(terms, p))
    }

    /// Whether it is one nim-sum in which each heap stands once, and beside it at most equations between two sums: a form
    /// that nothing shorter is likely to say.
    pub(crate) fn is_plain(&self) -> bool {
        let (long, short): (Vec<_>, Vec<_>) = self.equations.iter().partition(|terms| terms.len() > 2);
        let mut seen = 0;
        let once = |term: &Term| {
            let new = seen & term.heaps == 0;
            seen |= term.heaps;
            new
        };
        long.len() == 1
            && long.into_iter().flatten().all(once)
            && short.into_iter().flatten().all(|term| term.part == Part::Whole)
    }

    /// Bits that it takes to say.
    pub(crate) fn cost(&self) -> f64 {
        let terms: usize = self.equations.iter().map(Vec::len).sum();
        terms as f64 * 7.0
    }

    /// The first position of the table that it gets wrong. O(side^heaps).
    pub(crate) fn mismatch(
        &self,
        table: &OutcomeTable,
        effort: &Effort<'_>,
    ) -> Result<Option<Vec<i64>>, LimitReached> {
        let mut wrong = Ok(None);
        let mut looked = 0;
        let mut image = vec![0i64; table.heaps()];
        table.each_class(table.most(), &mut |p, outcome| {
            looked += 1;
            if let Err(limit) = effort.position(looked) {
                wrong = Err(limit);
                return Break(());
            }
            let held = table.permutations().iter().any(|s| {
                image.iter_mut().zip(s).for_each(|(place, from)| *place = p[*from] as i64);
                self.holds(&image)
            });
            if held != (outcome == Outcome::P) {
                wrong = Ok(Some(p.iter().map(|x| *x as i64).collect()));
                return Break(());
            }
            Continue(())
        });
        wrong
    }

    /// As the logic reads it.
    pub fn text(&self) -> String {
        let equation = |terms: &Vec<Term>| {
            let single = |term: &Term| term.heaps.count_ones() == 1 && term.part == Part::Whole;
            match &terms[..] {
                [one] => format!("{} = 0", one.text(false)),
                [one, other] => format!("{} = {}", one.text(false), other.text(false)),
                all if all.len() == self.heaps && all.iter().all(single) => "xor = 0".to_owned(),
                all => {
                    let all: Vec<String> = all.iter().map(|term| term.text(true)).collect();
                    format!("{} = 0", all.join(" xor "))
                }
            }
        };
        self.equations.iter().map(equation).collect::<Vec<_>>().join(" & ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_core::{Budget, Meter};
    use bouton_formula::Claim;

    /// Tables made from formulas give formulas that mean the same, further on than the tables go.
    #[test]
    fn nim_sums_of_sums_are_found() {
        for (heaps, most, truth) in [
            (3, 15, "(a+b) xor c xor (a div 2) = 0"),
            (4, 15, "(a+b) xor c xor d = 0"),
            (4, 11, "(a+b) xor (b+c) xor d = 0"),
            (4, 15, "a = 0 & (b+c) xor d xor b = 0"),
            (4, 15, "(a mod 3) xor b xor (c+d) = 0"),
            (5, 7, "(a+b) xor (c+d) xor e = 0"),
            (5, 7, "(a+b+c) xor d xor e = 0 & a = b"),
        ] {
            let truth = Claim::parse(truth, heaps).unwrap();
            let each = |most: u64, visit: &mut dyn FnMut(Vec<u64>)| {
                let side = most + 1;
                for code in 0..side.pow(heaps as u32) {
                    visit((0..heaps as u32).map(|i| code / side.pow(i) % side).collect());
                }
            };
            let mut positions = Vec::new();
            each(most, &mut |p| {
                if truth.holds(&p).unwrap() {
                    positions.push(p);
                }
            });
            let images = Images::listed(heaps, &[]);
            let table = OutcomeTable::new(heaps, 0, most, images, positions.iter().map(|p| &p[..])).unwrap();
            let mut meter = Meter::new(&Budget::default());
            let form = nim_sums(&table, &Effort::new(&mut meter)).unwrap_or_else(|| panic!("{truth}"));
            let claim = Claim::parse(&form.text(), heaps).unwrap();
            each(most + 3, &mut |p| {
                assert_eq!(claim.holds(&p).unwrap(), truth.holds(&p).unwrap(), "{claim} for {truth}: {p:?}");
            });
        }
    }

    /// What is no such set has none; what has a shorter form is left to it.
    #[test]
    fn other_sets_have_none() {
        for (heaps, most, truth) in [
            (3, 15, "a+b = c | a = 0 & b = 0"),
            (3, 15, "a xor b xor c = 0"),
            (3, 15, "a xor b xor c = 1"),
            (4, 11, "(a+b) xor c xor d = 0 | a+b+c+d = 3"),
        ] {
            let truth = Claim::parse(truth, heaps).unwrap();
            let side = most + 1;
            let positions: Vec<Vec<u64>> = (0..u64::pow(side, heaps as u32))
                .map(|code| (0..heaps as u32).map(|i| code / side.pow(i) % side).collect::<Vec<u64>>())
                .filter(|p| truth.holds(p).unwrap())
                .collect();
            let images = Images::listed(heaps, &[]);
            let table = OutcomeTable::new(heaps, 0, most, images, positions.iter().map(|p| &p[..])).unwrap();
            let mut meter = Meter::new(&Budget::default());
            assert_eq!(nim_sums(&table, &Effort::new(&mut meter)), None, "{truth}");
        }
    }
}

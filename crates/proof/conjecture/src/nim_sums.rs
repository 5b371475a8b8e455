//! Sets of solutions of equations between nim-sums of terms: sums of heaps, quotients and
//! remainders of one heap, quotients of remainders.
//!
//! In every binary place a nim-sum is a sum over the field of two elements. Each P-position
//! therefore gives, place by place, a linear equation for the unknowns "this term is in the
//! nim-sum": the equations that all P-positions satisfy are the null space of a matrix over that
//! field. Among them the shortest are chosen that exclude all N-positions. (Nim on a simplicial
//! complex of several components, each a simplex, is such a set: the nim-sum of the sums of the
//! components.)

use crate::effort::SearchBudget;
use crate::space::name;
use crate::table::{Images, OutcomeTable};
use bouton_core::{Arrange, LimitReached, Outcome};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::ops::ControlFlow::{Break, Continue};

/// The greatest number of heaps: all sums of them are considered.
const MAX_HEAPS: usize = 6;
/// The greatest number of P-positions in the matrix.
const MAX_ROWS: usize = 20_000;
/// The greatest number of positions by which equations are chosen.
const MAX_SAMPLE: usize = 200_000;
/// The number of positions that decide early whether there can be equations.
const FIRST: usize = 4096;
/// The greatest number of equations considered, shortest first.
const MAX_EQUATIONS: usize = 2000;

/// The greatest total number of terms of a form; longer forms explain nothing.
const MAX_TERMS: usize = 10;

/// A function of a sum of heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeapFunction {
    Sum,
    Quotient(i64),
    Remainder(i64),
    /// The quotient by the second number of the remainder by the first: as many tokens as may be
    /// taken of L up to M, the nim-value is x mod (L+M) div L.
    QuotientOfRemainder(i64, i64),
}

impl HeapFunction {
    fn at(self, x: i64) -> i64 {
        match self {
            HeapFunction::Sum => x,
            HeapFunction::Quotient(d) => x / d,
            HeapFunction::Remainder(m) => x % m,
            HeapFunction::QuotientOfRemainder(m, d) => x % m / d,
        }
    }

    /// Returns the function with these values, from 0 on, if it is seen in two whole periods or, of
    /// a quotient, in four values; the sum has none.
    fn through(values: &[i64]) -> Option<HeapFunction> {
        let is_so = |own: &HeapFunction| (0..).zip(values).all(|(x, value)| own.at(x) == *value);
        let d = values.iter().position(|value| *value != 0).filter(|d| *d > 0)? as i64;
        let falls = values.windows(2).position(|two| two[1] < two[0]);
        let own = match falls {
            None if d > 1 => HeapFunction::Quotient(d),
            None => return None,
            Some(last) if d == 1 => HeapFunction::Remainder(last as i64 + 1),
            Some(last) => HeapFunction::QuotientOfRemainder(last as i64 + 1, d),
        };
        let least = match own {
            HeapFunction::Remainder(m) | HeapFunction::QuotientOfRemainder(m, _) => 2 * m,
            _ => 4 * d,
        };
        Some(own).filter(|own| values.len() as i64 >= least && is_so(own))
    }
}

/// A term of a nim-sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SumTerm {
    /// The heaps of the sum, as a bit mask.
    heaps: u32,
    part: HeapFunction,
}

impl SumTerm {
    fn value(self, p: &[i64]) -> i64 {
        let sum = p
            .iter()
            .enumerate()
            .filter(|(i, _)| self.heaps >> i & 1 == 1)
            .map(|(_, x)| x)
            .sum::<i64>();
        self.part.at(sum)
    }

    /// Returns the length of the term in symbols.
    fn weight(self) -> u32 {
        self.heaps.count_ones()
            + match self.part {
                HeapFunction::Sum => 0,
                HeapFunction::Quotient(_) | HeapFunction::Remainder(_) => 2,
                HeapFunction::QuotientOfRemainder(..) => 4,
            }
    }

    /// Returns the term as a formula, in parentheses if it is an operand.
    fn text(self, among: bool) -> String {
        let heaps: Vec<String> =
            (0..32).filter(|i| self.heaps >> i & 1 == 1).map(|i| name(i).to_string()).collect();
        let sum = heaps.join("+");
        match self.part {
            HeapFunction::Sum if among && heaps.len() > 1 => format!("({sum})"),
            HeapFunction::Sum => sum,
            HeapFunction::Quotient(d) if among => format!("({sum} div {d})"),
            HeapFunction::Quotient(d) => format!("{sum} div {d}"),
            HeapFunction::Remainder(m) if among => format!("({sum} mod {m})"),
            HeapFunction::Remainder(m) => format!("{sum} mod {m}"),
            HeapFunction::QuotientOfRemainder(m, d) if among => format!("({sum} mod {m} div {d})"),
            HeapFunction::QuotientOfRemainder(m, d) => format!("{sum} mod {m} div {d}"),
        }
    }
}

/// A conjunction of nim-sums that are 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NimSums {
    heaps: usize,
    equations: Vec<Vec<SumTerm>>,
}

/// Returns the functions of single heaps that the positions with two heaps show: from one heap to
/// the least one beside which it is a P-position.
fn shown(table: &OutcomeTable) -> Vec<SumTerm> {
    let (heaps, most) = (table.heaps(), table.most() as i64);
    let mut all: Vec<SumTerm> = Vec::new();
    for own in 0..heaps {
        for other in (0..heaps).filter(|other| *other != own) {
            let mut p = vec![0i64; heaps];
            let beside = (0..=most).map_while(|x| {
                p[own] = x;
                (0..=most).find(|y| {
                    p[other] = *y;
                    table.is_p(&p)
                })
            });
            // The last ones may stand beside heaps above the table.
            let part = HeapFunction::through(&beside.collect::<Vec<i64>>());
            all.extend(part.map(|part| SumTerm { heaps: 1 << own, part }));
        }
    }
    all
}

/// Returns the terms for a number of heaps, at most 128: with these, which come first.
fn terms(heaps: usize, shown: &[SumTerm]) -> Vec<SumTerm> {
    let mut all: Vec<SumTerm> = shown.to_vec();
    all.extend((1..1u32 << heaps).map(|heaps| SumTerm { heaps, part: HeapFunction::Sum }));
    let parts = [2, 3, 4]
        .map(HeapFunction::Quotient)
        .into_iter()
        .chain([2, 3, 4, 5, 6, 7, 8].map(HeapFunction::Remainder));
    for part in parts {
        let terms = (0..heaps).map(|heap| SumTerm { heaps: 1 << heap, part });
        all.extend(terms.filter(|term| !shown.contains(term)));
    }
    all.arrange_by_key(|term| (!shown.contains(term), term.weight()));
    all.truncate(128);
    all.arrange_by_key(|term| term.weight());
    all
}

/// A reduced matrix over the field of two elements, built row by row; bit i of a row belongs to
/// term i.
struct BitMatrix {
    rows: Vec<u128>,
}

impl BitMatrix {
    /// Reduces a row by the earlier ones: 0 if it depends on them.
    fn reduce(&self, mut row: u128) -> u128 {
        for known in &self.rows {
            if row >> known.trailing_zeros() & 1 == 1 {
                row ^= known;
            }
        }
        row
    }

    /// Adds a row, and returns whether it was independent.
    fn add(&mut self, row: u128) -> bool {
        let row = self.reduce(row);
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

    /// Returns the column of each term.
    fn columns(&self, terms: usize) -> Vec<u128> {
        let column =
            |term: usize| (0..).zip(&self.rows).map(|(i, row)| (row >> term & 1) << i).sum();
        (0..terms).map(column).collect()
    }
}

/// Returns the rows of a position, one for each binary place.
fn rows(terms: &[SumTerm], p: &[i64]) -> impl Iterator<Item = u128> + use<> {
    let values: Vec<i64> = terms.iter().map(|term| term.value(p)).collect();
    let places = i64::BITS - values.iter().fold(0, |all, x| all | x).leading_zeros();
    (0..places).map(move |place| {
        (0..).zip(&values).map(|(i, x)| u128::from((x >> place & 1) as u64) << i).sum()
    })
}

/// Returns the equations of a table, if they are exact and at least one of them is between sums;
/// other sets have shorter forms.
pub(crate) fn nim_sums(table: &OutcomeTable, effort: &SearchBudget<'_>) -> Option<NimSums> {
    let heaps = table.heaps();
    if !effort.goes_on()
        || !(2..=MAX_HEAPS).contains(&heaps)
        || table.least() != 0
        || *table.images() == Images::Ascending
    {
        return None;
    }
    let shown = shown(table);
    let terms = terms(heaps, &shown);
    let mut matrix = BitMatrix { rows: Vec::new() };
    let step = table.count().div_ceil(MAX_ROWS).max(1);
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
    // If an N-position satisfies all equations of the P-positions, no equations are exact.
    let mut never = false;
    let mut looked = 0;
    table.each_class(table.most(), &mut |p, outcome| {
        looked += 1;
        if outcome == Outcome::N {
            let p: Vec<i64> = p.iter().map(|x| *x as i64).collect();
            never = rows(&terms, &p).all(|row| matrix.reduce(row) == 0);
        }
        if never || looked >= FIRST { Break(()) } else { Continue(()) }
    });
    if never {
        return None;
    }
    let equations = equations(&matrix.columns(terms.len()), &terms);
    let form = choose_equations(table, &equations, effort)?;
    if form.equations.iter().map(Vec::len).sum::<usize>() > MAX_TERMS {
        return None;
    }
    let long = |terms: &Vec<SumTerm>| terms.len() > 2 && terms.iter().any(|term| term.weight() > 1);
    let is_shown = |terms: &Vec<SumTerm>| terms.iter().any(|term| shown.contains(term));
    let seen = form.equations.iter().any(|terms| long(terms) || is_shown(terms));
    (seen && form.mismatch(table, effort).is_ok_and(|wrong| wrong.is_none())).then_some(form)
}

/// Up to three terms.
type ShortSet = SmallVec<[usize; 3]>;

/// Returns sets of up to six terms whose columns add up to 0, shortest first, by meeting sets of up
/// to three.
fn equations(columns: &[u128], terms: &[SumTerm]) -> Vec<Vec<SumTerm>> {
    let n = columns.len();
    let weight = |all: &[usize]| all.iter().map(|i| terms[*i].weight()).sum::<u32>();
    let mut halves: Vec<(u32, u128, ShortSet)> = Vec::new();
    let mut add = |sum: u128, half: ShortSet| halves.push((weight(&half), sum, half));
    add(0, ShortSet::new());
    for i in 0..n {
        add(columns[i], smallvec![i]);
        for j in i + 1..n {
            add(columns[i] ^ columns[j], smallvec![i, j]);
            (j + 1..n).for_each(|k| add(columns[i] ^ columns[j] ^ columns[k], smallvec![i, j, k]));
        }
    }
    halves.sort_by_key(|(weight, _, half)| (*weight, half.len()));
    // The few shortest of each sum; longer ones are never needed.
    let mut by_sum: FxHashMap<u128, Vec<&ShortSet>> = FxHashMap::default();
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
                // In order, each term once, so that every set occurs.
                if one.iter().all(|term| !other.contains(term)) {
                    let mut all = [&one[..], &other[..]].concat();
                    all.arrange();
                    found.push(all);
                }
            }
        }
    }
    found.arrange_by(|a, b| (weight(a), a.len(), a).cmp(&(weight(b), b.len(), b)));
    found.dedup();
    found.truncate(MAX_EQUATIONS);
    let mut found: Vec<Vec<SumTerm>> =
        found.into_iter().map(|all| all.into_iter().map(|i| terms[i]).collect()).collect();
    found.iter_mut().for_each(|terms| terms.arrange_by_key(|term| term.heaps.trailing_zeros()));
    found
}

/// Returns whether the nim-sum of the terms is 0.
fn holds(terms: &[SumTerm], p: &[i64]) -> bool {
    terms.iter().fold(0, |sum, term| sum ^ term.value(p)) == 0
}

/// Returns the shortest equations that exclude all N-positions; `None` if all equations together do
/// not.
fn choose_equations(
    table: &OutcomeTable,
    equations: &[Vec<SumTerm>],
    effort: &SearchBudget<'_>,
) -> Option<NimSums> {
    // Positions one after the other, `heaps` numbers each.
    let mut positions: Vec<i64> = Vec::new();
    let heaps = table.heaps();
    let mut looked = 0;
    table.each_class(table.most(), &mut |p, outcome| {
        looked += 1;
        if effort.position(looked).is_err() || positions.len() >= MAX_SAMPLE * heaps {
            return Break(());
        }
        if outcome == Outcome::N {
            positions.extend(p.iter().map(|x| *x as i64));
        }
        Continue(())
    });
    let all = || positions.chunks_exact(heaps);
    let mut left: Vec<&[i64]> = all().collect();
    let mut kept: Vec<Vec<SumTerm>> = Vec::new();
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
    // Long equations that the others make superfluous are dropped first.
    for i in (0..kept.len()).rev() {
        let others =
            |p: &[i64]| kept.iter().enumerate().all(|(j, equation)| j == i || holds(equation, p));
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

    /// Returns whether a term is a function of one heap.
    pub(crate) fn is_shown(&self) -> bool {
        self.equations.iter().flatten().any(|term| term.part != HeapFunction::Sum)
    }

    /// Returns whether the form is one nim-sum in which each heap occurs once, and besides it at
    /// most equations between two sums: such a form is unlikely to have a shorter one.
    pub(crate) fn is_plain(&self) -> bool {
        let is_function = |term: &SumTerm| term.part != HeapFunction::Sum;
        let (long, short): (Vec<_>, Vec<_>) = self
            .equations
            .iter()
            .partition(|terms| terms.len() > 2 || terms.iter().any(is_function));
        let mut seen = 0;
        let once = |term: &SumTerm| {
            let new = seen & term.heaps == 0;
            seen |= term.heaps;
            new
        };
        long.len() == 1
            && long.into_iter().flatten().all(once)
            && short.into_iter().flatten().all(|term| term.part == HeapFunction::Sum)
    }

    /// Returns the description length in bits.
    pub(crate) fn cost(&self) -> f64 {
        let terms = self.equations.iter().flatten();
        // A term is one of at most 128; the numbers of one that the table shows are read off it.
        let bits = terms.map(|term| match term.part {
            HeapFunction::QuotientOfRemainder(m, d) => 7.0 + ((m * d) as f64).log2(),
            _ => 7.0,
        });
        bits.sum()
    }

    /// Returns the first position of the table that the form classifies wrongly. O(side^heaps).
    pub(crate) fn mismatch(
        &self,
        table: &OutcomeTable,
        effort: &SearchBudget<'_>,
    ) -> Result<Option<Vec<i64>>, LimitReached> {
        let mut image = vec![0i64; table.heaps()];
        table.first_wrong(table.most(), effort, &mut |p, outcome| {
            let held = table.permutations().iter().any(|s| {
                image.iter_mut().zip(s).for_each(|(place, from)| *place = p[*from]);
                self.holds(&image)
            });
            held != outcome.is_p()
        })
    }

    /// Returns the form as a formula.
    pub fn text(&self) -> String {
        let equation = |terms: &Vec<SumTerm>| {
            let single =
                |term: &SumTerm| term.heaps.count_ones() == 1 && term.part == HeapFunction::Sum;
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

    /// The forms of tables made from formulas agree with the formulas beyond the tables.
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
            (2, 30, "a mod 7 div 2 = b"),
            (2, 30, "a = b mod 11"),
            (2, 30, "a div 5 = b"),
            (3, 20, "(a mod 8 div 3) xor (b mod 10) xor c = 0"),
            (4, 9, "(a mod 3) xor (b mod 4 div 2) xor c xor d = 0"),
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
            let table = OutcomeTable::new(heaps, 0, most, images, positions.iter().map(|p| &p[..]))
                .unwrap();
            let mut meter = Meter::new(&Budget::default());
            let form = nim_sums(&table, &SearchBudget::new(&mut meter))
                .unwrap_or_else(|| panic!("{truth}"));
            let claim = Claim::parse(&form.text(), heaps).unwrap();
            each(most + 3, &mut |p| {
                assert_eq!(
                    claim.holds(&p).unwrap(),
                    truth.holds(&p).unwrap(),
                    "{claim} for {truth}: {p:?}"
                );
            });
        }
    }

    /// Other sets have no such form, and sets with shorter forms are left to these.
    #[test]
    fn other_sets_have_none() {
        for (heaps, most, truth) in [
            (3, 15, "a+b = c | a = 0 & b = 0"),
            (3, 15, "a xor b xor c = 0"),
            (3, 15, "a xor b xor c = 1"),
            (2, 30, "a = b"),
            (2, 30, "b = a+1"),
            (2, 30, "2*a = b | a = 2*b"),
            (2, 30, "a mod 7 = b | a = 29 & b = 3"),
            (4, 11, "(a+b) xor c xor d = 0 | a+b+c+d = 3"),
        ] {
            let truth = Claim::parse(truth, heaps).unwrap();
            let side = most + 1;
            let positions: Vec<Vec<u64>> = (0..u64::pow(side, heaps as u32))
                .map(|code| {
                    (0..heaps as u32).map(|i| code / side.pow(i) % side).collect::<Vec<u64>>()
                })
                .filter(|p| truth.holds(p).unwrap())
                .collect();
            let images = Images::listed(heaps, &[]);
            let table = OutcomeTable::new(heaps, 0, most, images, positions.iter().map(|p| &p[..]))
                .unwrap();
            let mut meter = Meter::new(&Budget::default());
            assert_eq!(nim_sums(&table, &SearchBudget::new(&mut meter)), None, "{truth}");
        }
    }
}

//! Automata learned from a table: the last resort, for sets that no shape fits.
//!
//! The digits of all heaps are read together, most significant first: binary ones, or those to another base where that is asked. Two beginnings are taken for one state if
//! the same short endings lead from them to P-positions (Myhill and Nerode's relation, bounded); the automaton counts
//! only if it then accepts exactly the P-positions of the table.

use crate::effort::Effort;
use crate::form::MARGIN;
use crate::found::{Found, NoFormula, QUIET};
use crate::space::name;
use crate::table::OutcomeTable;
use bouton_core::LimitReached;
use rustc_hash::FxHashMap;

/// States at most, of a table and of a box.
const MOST_STATES: usize = 400;
const WIDE_STATES: usize = 4000;
/// Heaps at most.
const MOST_HEAPS: usize = 6;
/// Transitions that a formula may write, and states that words may list.
const MOST_WRITTEN: usize = 40;
/// Bits of a state's signature at most, as a power of two.
const SIGNATURE: usize = 12;

/// A deterministic automaton over columns of digits, most significant first; state 0 is where it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    /// The base of the digits.
    pub base: usize,
    /// Heaps of a position; column Σ d·base^i has the digit d of heap i.
    pub heaps: usize,
    /// The next state by state and column.
    pub next: Vec<Vec<usize>>,
    /// Whether positions that end here are P.
    pub accepts: Vec<bool>,
}

/// The automaton of a table, if its P-positions with heaps below the greatest power of two are those of one.
pub(crate) fn automaton(
    table: &OutcomeTable,
    effort: &Effort<'_>,
) -> Result<Option<Automaton>, LimitReached> {
    let heaps = table.heaps();
    let digits = (table.most() + 1).ilog2();
    if table.least() != 0 || heaps > MOST_HEAPS || table.class_count() == 0 {
        return Ok(None);
    }
    let ending = (SIGNATURE / heaps).clamp(1, 3) as u32;
    if digits < ending + 2 {
        return Ok(None);
    }
    let Some(found) = told_apart(table, [2, digits, ending], effort)? else { return Ok(None) };
    let agrees = found.mismatch(table, effort)?.is_none()
        && found.count(digits as usize) == within(table, 1 << digits);
    Ok(agrees.then_some(found))
}

/// The automaton whose states are told apart by endings of up to so many of so many digits to a base.
fn told_apart(
    table: &OutcomeTable,
    [base, digits, ending]: [u32; 3],
    effort: &Effort<'_>,
) -> Result<Option<Automaton>, LimitReached> {
    let side = i64::from(base).pow(digits - ending);
    let after = |beginning: &[i64]| {
        let known = beginning.iter().all(|x| *x < side);
        known.then(|| signature(table, base as usize, beginning, ending))
    };
    let (base, heaps) = (base as usize, table.heaps());
    let cost = base.pow(ending * heaps as u32);
    closed([base, heaps], &after, &|p| table.is_p(p), &[], [MOST_STATES, cost], effort)
}

/// A form that is all of its data: so many classes of so many bits each.
pub(crate) fn all_of(form: Automaton, classes: usize, bits: f64, most: u64) -> Found<Automaton> {
    let said = form.cost();
    Found {
        form,
        classes,
        missed: Vec::new(),
        missed_count: 0,
        bits,
        said,
        evidence: classes as f64 * bits - said - MARGIN,
        settled: 0,
        most,
        quiet: QUIET,
        cut: None,
    }
}

/// A box: all positions with so many binary digits, by what follows their beginnings.
pub struct Whole<'b> {
    /// Heaps of a position.
    pub heaps: usize,
    /// Digits of a heap.
    pub digits: u32,
    /// How many P-positions there are.
    pub count: u64,
    /// How the heaps may change places: image σ of a position has its heap σ(i) in place i.
    pub images: &'b [Vec<usize>],
    /// What may follow a beginning, as a number; beginnings with the same number are taken for alike. None where that is not known.
    pub after: &'b dyn Fn(&[i64]) -> Option<u64>,
    /// Whether a beginning is P as it stands.
    pub is_p: &'b dyn Fn(&[i64]) -> bool,
}

/// The automaton of a box, and how well the box speaks for it, if it has as many P-positions there as the box. A node is a beginning looked at.
pub(crate) fn of_whole(
    whole: &Whole<'_>,
    effort: &Effort<'_>,
) -> Result<Option<Found<Automaton>>, LimitReached> {
    let Whole { heaps, digits, count, images, .. } = *whole;
    if heaps > MOST_HEAPS || count == 0 {
        return Ok(None);
    }
    let found = closed([2, heaps], &whole.after, &whole.is_p, images, [WIDE_STATES, 1], effort)?;
    let agrees = |found: &Automaton| found.count(digits as usize) == u128::from(count);
    let Some(form) = found.filter(agrees) else { return Ok(None) };
    let classes = (count as usize).div_ceil(images.len().max(1));
    let bits = heaps as f64 * f64::from(digits) - (count as f64).log2();
    Ok(Some(all_of(form, classes, bits, (1 << digits) - 1)))
}

/// The automaton whose states are beginnings with the same known future; none if there are too many, or if a future is asked for that is not known.
///
/// Where an image of a beginning is known to be like one that was met before, the beginning is like that one's image.
fn closed<F: std::hash::Hash + Eq>(
    [base, heaps]: [usize; 2],
    after: &dyn Fn(&[i64]) -> Option<F>,
    is_p: &dyn Fn(&[i64]) -> bool,
    images: &[Vec<usize>],
    [most, cost]: [usize; 2],
    effort: &Effort<'_>,
) -> Result<Option<Automaton>, LimitReached> {
    let mut numbers: FxHashMap<F, usize> = FxHashMap::default();
    let mut beginnings: Vec<Vec<i64>> = Vec::new();
    let mut next: Vec<Vec<usize>> = Vec::new();
    let mut state = |p: Vec<i64>, beginnings: &mut Vec<Vec<i64>>| {
        if let Some(future) = after(&p) {
            let new = beginnings.len();
            let state = *numbers.entry(future).or_insert(new);
            if state == new {
                beginnings.push(p);
            }
            return Some(state);
        }
        images.iter().find_map(|image| {
            let moved: Vec<i64> = image.iter().map(|from| p[*from]).collect();
            let like = &beginnings[*numbers.get(&after(&moved)?)?];
            let mut back = vec![0; heaps];
            image.iter().zip(like).for_each(|(from, x)| back[*from] = *x);
            numbers.get(&after(&back)?).copied()
        })
    };
    if state(vec![0; heaps], &mut beginnings) != Some(0) {
        return Ok(None);
    }
    let mut at = 0;
    while at < beginnings.len() {
        let mut row = Vec::new();
        for column in 0..base.pow(heaps as u32) {
            effort.spend(cost as u64)?;
            let digit = |i: usize| (column / base.pow(i as u32) % base) as i64;
            let longer = beginnings[at].iter().enumerate().map(|(i, x)| base as i64 * x + digit(i)).collect();
            let Some(to) = state(longer, &mut beginnings).filter(|_| beginnings.len() <= most) else {
                return Ok(None);
            };
            row.push(to);
        }
        next.push(row);
        at += 1;
    }
    let accepts = beginnings.iter().map(|p| is_p(p)).collect();
    Ok(Some(Automaton { base, heaps, next, accepts }))
}

/// Which endings of up to so many digits lead from a beginning to P-positions.
fn signature(table: &OutcomeTable, base: usize, beginning: &[i64], longest: u32) -> Vec<u64> {
    let mut bits = Vec::new();
    let mut count = 0;
    let mut p = vec![0; beginning.len()];
    for ending in 0..=longest {
        let side = base.pow(ending);
        for code in 0..side.pow(beginning.len() as u32) {
            let mut rest = code;
            for (place, x) in p.iter_mut().zip(beginning) {
                *place = x * side as i64 + (rest % side) as i64;
                rest /= side;
            }
            if count % 64 == 0 {
                bits.push(0u64);
            }
            bits[count / 64] |= u64::from(table.is_p(&p)) << (count % 64);
            count += 1;
        }
    }
    bits
}

/// P-positions with all heaps below `bound`.
fn within(table: &OutcomeTable, bound: u16) -> u128 {
    let all = 0..table.count();
    all.filter(|i| table.point(*i).iter().all(|x| *x < bound)).count() as u128
}

impl Automaton {
    /// Positions of so many digits that it accepts.
    fn count(&self, digits: usize) -> u128 {
        let mut ways: Vec<u128> = self.accepts.iter().map(|a| u128::from(*a)).collect();
        for _ in 0..digits {
            ways = self.next.iter().map(|row| row.iter().map(|to| ways[*to]).sum()).collect();
        }
        ways[0]
    }

    /// A position of the table that it gets wrong: a P-position that it rejects, or, searched for only if their numbers
    /// differ, another one that it accepts.
    pub(crate) fn mismatch(
        &self,
        table: &OutcomeTable,
        effort: &Effort<'_>,
    ) -> Result<Option<Vec<i64>>, LimitReached> {
        let digits = (table.most() + 1).ilog2() as usize;
        for (number, p) in (1..).zip(table.classes()) {
            effort.position(number)?;
            if !self.accepts(&p) {
                return Ok(Some(p));
            }
        }
        if self.count(digits) == within(table, 1 << digits) {
            return Ok(None);
        }
        let mut wrong = Ok(None);
        let mut looked = 0;
        table.each_class((1 << digits) - 1, &mut |p, outcome| {
            looked += 1;
            if let Err(limit) = effort.position(looked) {
                wrong = Err(limit);
                return std::ops::ControlFlow::Break(());
            }
            let p: Vec<i64> = p.iter().map(|x| *x as i64).collect();
            if self.accepts(&p) && !outcome.is_p() {
                wrong = Ok(Some(p));
                return std::ops::ControlFlow::Break(());
            }
            std::ops::ControlFlow::Continue(())
        });
        wrong
    }

    /// The automaton, state by state: what comes after each column, heaps in order; `!` marks those that accept.
    pub fn words(&self) -> String {
        let n = self.next.len();
        let digits = match self.base {
            2 => "binary digits".to_owned(),
            base => format!("digits to base {base}"),
        };
        let head = format!("this automaton of {n} states accepts the {digits}, most significant first");
        if n > MOST_WRITTEN || n * self.next[0].len() > MOST_WRITTEN << MOST_HEAPS {
            return head;
        }
        let digits = |column: usize| -> String {
            (0..self.heaps)
                .map(|heap| (column / self.base.pow(heap as u32) % self.base).to_string())
                .collect()
        };
        let state = |s: usize| {
            let next = self.next[s].iter().enumerate();
            let next: Vec<String> = next.map(|(column, to)| format!("{}→{to}", digits(column))).collect();
            format!("{s}{} {}", if self.accepts[s] { "!" } else { "" }, next.join(" "))
        };
        format!("{head}: {}", (0..n).map(state).collect::<Vec<_>>().join("; "))
    }

    /// As the logic reads it, unless it is too long: the run of the automaton, written in numbers (Büchi, Weak
    /// second-order arithmetic and finite automata, 1960).
    ///
    /// For each state s and column c, one number has the digits 1 where the automaton is in s and reads c. No two of them
    /// have a digit 1 in the same place, so that their sum is their digit sum; those of the columns with a 1 for a heap
    /// make the heap; and what the automaton is in after one place it is in before the next. Leading zeros, read in the
    /// first state, need no number.
    pub fn text(&self) -> Result<String, NoFormula> {
        if self.base != 2 {
            return Err(NoFormula::Base(self.base));
        }
        let alive = self.alive();
        let edges: Vec<(usize, usize)> = (0..self.next.len())
            .flat_map(|state| (0..self.next[state].len()).map(move |column| (state, column)))
            .filter(|&(state, column)| alive[state] && alive[self.next[state][column]])
            .filter(|edge| *edge != (0, 0))
            .collect();
        if !alive[0] {
            return Ok("false".into());
        }
        if edges.len() > MOST_WRITTEN {
            return Err(NoFormula::Transitions { transitions: edges.len(), most: MOST_WRITTEN });
        }
        let names: Vec<String> = (0..edges.len()).map(|i| format!("r{i}")).collect();
        // The sum of the numbers of some transitions.
        let sum = |chosen: &dyn Fn(usize, usize) -> bool, times: &str| {
            let members = edges.iter().zip(&names).filter(|((state, column), _)| chosen(*state, *column));
            let members: Vec<String> = members.map(|(_, name)| format!("{times}{name}")).collect();
            if members.is_empty() { "0".into() } else { members.join("+") }
        };
        let mut parts: Vec<String> = (0..self.heaps)
            .map(|heap| format!("{} = {}", name(heap), sum(&|_, column| column >> heap & 1 == 1, "")))
            .collect();
        let (mut reached, mut left) = (Vec::new(), Vec::new());
        for state in (1..self.next.len()).filter(|state| alive[*state]) {
            let after = sum(&|from, column| self.next[from][column] == state, "");
            let before = sum(&|from, _| from == state, "2*");
            if self.accepts[state] {
                parts.push(format!("{before} <= {after} & {after} <= {before}+1"));
                reached.push(after);
                left.push(before);
            } else {
                parts.push(format!("{after} = {before}"));
            }
        }
        // Not in the first state at the end, if that does not accept.
        if !self.accepts[0] {
            parts.push(format!("{} = {}+1", reached.join("+"), left.join("+")));
        }
        if names.len() > 1 {
            parts.push(format!("{} = {}", names.join(" xor "), names.join("+")));
        }
        let bound = if names.is_empty() { String::new() } else { format!("E {}: ", names.join(",")) };
        Ok(format!("{bound}{}", parts.join(" & ")))
    }

    /// From which states something is accepted.
    fn alive(&self) -> Vec<bool> {
        let mut alive = self.accepts.clone();
        loop {
            let reaches = |state: usize| self.next[state].iter().any(|to| alive[*to]);
            let Some(new) = (0..alive.len()).find(|state| !alive[*state] && reaches(*state)) else {
                return alive;
            };
            alive[new] = true;
        }
    }

    /// Bits it takes to say.
    pub(crate) fn cost(&self) -> f64 {
        let states = self.next.len() as f64;
        states * (self.next[0].len() as f64 * states.log2().max(1.0) + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Images;
    use bouton_automata::{Decision, Numeration, decide, default_budget};
    use bouton_core::{Budget, Meter};
    use bouton_formula::Claim;

    fn learned(table: &OutcomeTable) -> Option<Automaton> {
        automaton(table, &Effort::new(&mut Meter::new(&Budget::default()))).unwrap()
    }

    /// What is learned from numbers below 128 holds beyond, and so does the formula.
    #[test]
    fn formulas_say_what_automata_accept() {
        type Set = fn(u64) -> bool;
        let sets: [Set; 5] = [
            |x| x.trailing_zeros() % 2 == 1,
            |x| x.count_ones() % 2 == 0,
            |x| x > 0 && x.is_power_of_two(),
            |x| x % 3 == 1,
            |x| x & x >> 1 == 0,
        ];
        for (number, set) in sets.iter().enumerate() {
            let members: Vec<[u64; 1]> = (0..128).filter(|x| set(*x)).map(|x| [x]).collect();
            let images = Images::Listed(vec![vec![0]]);
            let table = OutcomeTable::new(1, 0, 127, images, members.iter().map(|p| &p[..])).unwrap();
            let found = learned(&table).unwrap();
            let text = found.text().unwrap();
            let claim = Claim::parse(&text, 1).unwrap();
            let mut meter = Meter::new(&default_budget());
            let said = match decide(claim.formula(), Numeration::Binary, &mut meter).unwrap() {
                Decision::Open(said) => said,
                decided => panic!("{text}: {decided:?}"),
            };
            for x in 0..2000u64 {
                assert_eq!(found.accepts(&[x as i64]), set(x), "set {number}, {x}");
                assert_eq!(said.holds(&[x]), set(x), "set {number}, {x}: {text}");
            }
        }
    }

    #[test]
    fn regular_sets_are_learned_and_others_are_not() {
        let images = || Images::Listed(vec![vec![0, 1], vec![1, 0]]);
        // x = 2y or y = 2x: regular; x = y²: not.
        let doubles: Vec<[u64; 2]> = (0..64).map(|x| [x, 2 * x]).collect();
        let table = OutcomeTable::new(2, 0, 127, images(), doubles.iter().map(|p| &p[..])).unwrap();
        let found = learned(&table).unwrap();
        for a in 0..500 {
            for b in 0..500 {
                assert_eq!(found.accepts(&[a, b]), a == 2 * b || b == 2 * a, "{a},{b}");
            }
        }
        let squares: Vec<[u64; 2]> = (0..12).map(|x| [x, x * x]).collect();
        let table = OutcomeTable::new(2, 0, 127, images(), squares.iter().map(|p| &p[..])).unwrap();
        assert_eq!(learned(&table), None);
    }
}

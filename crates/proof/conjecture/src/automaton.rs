//! Automata learned from a table: the last resort, for sets that no shape fits.
//!
//! The digits of all heaps are read together, most significant first: binary digits, or digits to
//! another base on request. Two prefixes belong to one state if the same short suffixes lead from
//! them to P-positions (the relation of Myhill and Nerode, bounded). The automaton counts only if
//! it accepts exactly the P-positions of the table.

use crate::effort::SearchBudget;
use crate::fitted_form::{EXTENSION, FittedForm, InexpressibleForm};
use crate::form::MARGIN;
use crate::space::name;
use crate::table::OutcomeTable;
use bouton_core::{DigitSystem, LimitReached, Meter};
use rustc_hash::{FxHashMap, FxHashSet};

/// The greatest number of states for a table, and for a box of digits.
const MAX_STATES: usize = 400;
const MAX_BOX_STATES: usize = 4000;
/// The greatest number of heaps.
const MAX_HEAPS: usize = 6;
/// The greatest number of transitions in a formula, and of states in a description.
const MAX_WRITTEN: usize = 40;
/// The least number of prefixes whose futures are compared.
const PREFIXES: usize = 1 << 10;
/// Where futures are few, prefixes of one digit more have at most an eighth more of them, and
/// eight.
const GROWTH: usize = 8;
/// The greatest number of bits of a state's signature, as a power of two.
const MAX_SIGNATURE: usize = 12;

/// A deterministic automaton over columns of digits, most significant first. State 0 is the initial
/// state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    /// The digits.
    pub digits: DigitSystem,
    /// The number of heaps; column Σ d·base^i has the digit d of heap i.
    pub heaps: usize,
    /// The next state by state and column.
    pub next: Vec<Vec<usize>>,
    /// Whether positions that end in a state are P.
    pub accepts: Vec<bool>,
}

/// Returns the automaton of a table, if its P-positions with heaps below the greatest power of two
/// are regular.
pub(crate) fn automaton(
    table: &OutcomeTable,
    effort: &SearchBudget<'_>,
) -> Result<Option<Automaton>, LimitReached> {
    let heaps = table.heaps();
    let digits = (table.most() + 1).ilog2();
    if table.least() != 0 || heaps > MAX_HEAPS || table.class_count() == 0 {
        return Ok(None);
    }
    let suffix = (MAX_SIGNATURE / heaps).clamp(1, 3) as u32;
    if digits < suffix + 2 {
        return Ok(None);
    }
    let Some(found) = by_suffixes(table, [2, digits, suffix], effort)? else { return Ok(None) };
    let agrees = found.mismatch(table, effort)?.is_none()
        && found.count(digits as usize) == within(table, 1 << digits);
    Ok(agrees.then_some(found))
}

/// Returns the automaton whose states are distinguished by suffixes of a length, for numbers of
/// `digits` digits to a base.
fn by_suffixes(
    table: &OutcomeTable,
    [base, digits, suffix]: [u32; 3],
    effort: &SearchBudget<'_>,
) -> Result<Option<Automaton>, LimitReached> {
    let side = i64::from(base).pow(digits - suffix);
    let after = |prefix: &[i64]| {
        let known = prefix.iter().all(|x| *x < side);
        known.then(|| signature(table, base as usize, prefix, suffix))
    };
    let (base, heaps) = (base as usize, table.heaps());
    let cost = base.pow(suffix * heaps as u32);
    by_futures([base, heaps], &after, &|p| table.is_p(p), &[], [MAX_STATES, cost], effort)
}

/// Returns the fit of a form that agrees with all of its data: `classes` classes of `bits` bits
/// each.
pub(crate) fn exact_fit(
    form: Automaton,
    classes: usize,
    bits: f64,
    most: u64,
) -> FittedForm<Automaton> {
    let said = form.cost();
    FittedForm {
        form,
        classes,
        missed: Vec::new(),
        missed_count: 0,
        bits,
        said,
        evidence: classes as f64 * bits - said - MARGIN,
        settled: 0,
        most,
        quiet: EXTENSION,
        cut: None,
    }
}

/// A box of positions with a number of binary digits, given by the future of prefixes.
pub struct DigitBox<'b> {
    /// The number of heaps.
    pub heaps: usize,
    /// The number of digits of a heap.
    pub digits: u32,
    /// The number of P-positions.
    pub count: u64,
    /// The permutations of the heaps under which the set is invariant: image σ of a position has
    /// its heap σ(i) in place i.
    pub images: &'b [Vec<usize>],
    /// Returns the identity of a prefix's future: prefixes with equal numbers have equal futures.
    /// `None` if the future is not known.
    pub after: &'b dyn Fn(&[i64]) -> Option<u64>,
    /// Returns whether a prefix without further digits is P.
    pub is_p: &'b dyn Fn(&[i64]) -> bool,
}

/// Returns the automaton of a box, with its evidence, if it has as many P-positions there as the
/// box. A node is a prefix examined.
pub(crate) fn from_box(
    whole: &DigitBox<'_>,
    effort: &SearchBudget<'_>,
) -> Result<Option<FittedForm<Automaton>>, LimitReached> {
    let DigitBox { heaps, digits, count, images, .. } = *whole;
    if heaps > MAX_HEAPS || count == 0 {
        return Ok(None);
    }
    let found =
        by_futures([2, heaps], &whole.after, &whole.is_p, images, [MAX_BOX_STATES, 1], effort)?;
    let agrees = |found: &Automaton| found.count(digits as usize) == u128::from(count);
    let Some(form) = found.filter(agrees) else { return Ok(None) };
    let classes = (count as usize).div_ceil(images.len().max(1));
    let bits = heaps as f64 * f64::from(digits) - (count as f64).log2();
    Ok(Some(exact_fit(form, classes, bits, (1 << digits) - 1)))
}

/// Returns how many futures the prefixes of positions have, over digits to a base, if longer
/// prefixes have hardly any more: those of an automaton are no more than its states. All heaps are
/// less than `side`; position p is P if `is_p` says so at Σ pᵢ·sideⁱ. A node is a position:
/// O(positions).
///
/// The future of a prefix is which of its suffixes lead to P-positions. Suffixes are so long that
/// [`PREFIXES`] prefixes are left, or a few times as many.
pub fn few_futures(
    [base, heaps]: [usize; 2],
    side: usize,
    is_p: &[bool],
    meter: &mut Meter,
) -> Result<Option<usize>, LimitReached> {
    // This many sizes of a heap are looked at.
    let mut sizes = base.pow(side.checked_ilog(base).unwrap_or(0));
    let heaps_of = |mut position: usize, sizes: usize, p: &mut [usize]| {
        for heap in p {
            *heap = position % sizes;
            position /= sizes;
        }
    };
    let is_p = |p: &[usize]| u32::from(is_p[p.iter().rev().fold(0, |at, heap| at * side + heap)]);
    let mut p = vec![0; heaps];
    let mut classes: Vec<u32> = Vec::new();
    meter.spend_and_poll(sizes.pow(heaps as u32) as u64)?;
    for position in 0..sizes.pow(heaps as u32) {
        heaps_of(position, sizes, &mut p);
        classes.push(is_p(&p));
    }
    let columns = base.pow(heaps as u32);
    let mut count = None;
    let (mut digits, mut future) = (vec![0; heaps], Vec::new());
    while classes.len() >= columns * PREFIXES {
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let shorter = sizes / base;
        let mut prefixes = Vec::with_capacity(shorter.pow(heaps as u32));
        meter.spend_and_poll(classes.len() as u64)?;
        for prefix in 0..shorter.pow(heaps as u32) {
            heaps_of(prefix, shorter, &mut p);
            future.clear();
            future.push(is_p(&p));
            for column in 0..columns {
                heaps_of(column, base, &mut digits);
                let longer = p.iter().zip(&digits).rev();
                future
                    .push(classes[longer.fold(0, |at, (x, digit)| at * sizes + x * base + digit)]);
            }
            let new = known.len() as u32;
            prefixes.push(known.get(&future).copied().unwrap_or(new));
            if prefixes.last() == Some(&new) {
                known.insert(future.clone(), new);
            }
        }
        count = Some(known.len());
        (classes, sizes) = (prefixes, shorter);
    }
    let shorter = (0..classes.len()).filter(|prefix| {
        heaps_of(*prefix, sizes, &mut p);
        p.iter().all(|heap| *heap < sizes / base)
    });
    let before = shorter.map(|prefix| classes[prefix]).collect::<FxHashSet<_>>().len();
    Ok(count.filter(|count| *count <= before + before / GROWTH + GROWTH))
}

/// Returns the automaton whose states are prefixes with equal futures; `None` if there are too
/// many, or if a required future is not known.
///
/// If an image of a prefix has the future of an earlier prefix, the prefix has the future of the
/// corresponding image of that one.
fn by_futures<F: std::hash::Hash + Eq>(
    [base, heaps]: [usize; 2],
    after: &dyn Fn(&[i64]) -> Option<F>,
    is_p: &dyn Fn(&[i64]) -> bool,
    images: &[Vec<usize>],
    [most, cost]: [usize; 2],
    effort: &SearchBudget<'_>,
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
            let longer = beginnings[at]
                .iter()
                .enumerate()
                .map(|(i, x)| base as i64 * x + digit(i))
                .collect();
            let Some(to) = state(longer, &mut beginnings).filter(|_| beginnings.len() <= most)
            else {
                return Ok(None);
            };
            row.push(to);
        }
        next.push(row);
        at += 1;
    }
    let accepts = beginnings.iter().map(|p| is_p(p)).collect();
    Ok(Some(Automaton { digits: DigitSystem::to_base(base), heaps, next, accepts }))
}

/// Returns the set of suffixes of up to `longest` digits that lead from a prefix to P-positions.
fn signature(table: &OutcomeTable, base: usize, prefix: &[i64], longest: u32) -> Vec<u64> {
    let mut bits = Vec::new();
    let mut count = 0;
    let mut p = vec![0; prefix.len()];
    for suffix in 0..=longest {
        let side = base.pow(suffix);
        for code in 0..side.pow(prefix.len() as u32) {
            let mut rest = code;
            for (place, x) in p.iter_mut().zip(prefix) {
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

/// Counts the P-positions with all heaps below `bound`.
fn within(table: &OutcomeTable, bound: u16) -> u128 {
    let all = 0..table.count();
    all.filter(|i| table.point(*i).iter().all(|x| *x < bound)).count() as u128
}

impl Automaton {
    /// Counts the accepted positions with a number of digits.
    fn count(&self, digits: usize) -> u128 {
        let mut counts: Vec<u128> = self.accepts.iter().map(|a| u128::from(*a)).collect();
        for _ in 0..digits {
            counts = self.next.iter().map(|row| row.iter().map(|to| counts[*to]).sum()).collect();
        }
        counts[0]
    }

    /// Returns a position of the table that the automaton classifies wrongly: a P-position that it
    /// rejects or, if the counts differ, another position that it accepts.
    pub(crate) fn mismatch(
        &self,
        table: &OutcomeTable,
        effort: &SearchBudget<'_>,
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
        table.first_wrong((1 << digits) - 1, effort, &mut |p, outcome| {
            self.accepts(p) && !outcome.is_p()
        })
    }

    /// Describes the automaton state by state: the successors by column, with heaps in order; `!`
    /// marks accepting states.
    pub fn describe(&self) -> String {
        let n = self.next.len();
        let head = format!(
            "this automaton of {n} states accepts the {}, most significant first",
            self.digits
        );
        if n > MAX_WRITTEN || n * self.next[0].len() > MAX_WRITTEN << MAX_HEAPS {
            return head;
        }
        let digits = |column| self.digits.column_text(column, self.heaps);
        let state = |s: usize| {
            let next = self.next[s].iter().enumerate();
            let next: Vec<String> =
                next.map(|(column, to)| format!("{}→{to}", digits(column))).collect();
            format!("{s}{} {}", if self.accepts[s] { "!" } else { "" }, next.join(" "))
        };
        format!("{head}: {}", (0..n).map(state).collect::<Vec<_>>().join("; "))
    }

    /// Returns the automaton as a formula, unless that is too long: the run of the automaton, coded
    /// in numbers (Büchi, Weak second-order arithmetic and finite automata, 1960).
    ///
    /// For each state s and column c, one number has the digit 1 in the places where the automaton
    /// is in s and reads c. No two of these numbers have a digit 1 in the same place, so their sum
    /// is their digit sum. The numbers of the columns with a 1 for a heap add up to the heap, and
    /// the state after one place is the state before the next. Leading zeros, read in the initial
    /// state, need no number.
    pub fn text(&self) -> Result<String, InexpressibleForm> {
        match self.digits.coefficients() {
            ([2], []) => {}
            ([base], []) => return Err(InexpressibleForm::Base(usize::from(*base))),
            _ => return Err(InexpressibleForm::Recurrence(self.digits)),
        }
        let can_accept = self.can_accept();
        let edges: Vec<(usize, usize)> = (0..self.next.len())
            .flat_map(|state| (0..self.next[state].len()).map(move |column| (state, column)))
            .filter(|&(state, column)| can_accept[state] && can_accept[self.next[state][column]])
            .filter(|edge| *edge != (0, 0))
            .collect();
        if !can_accept[0] {
            return Ok("false".into());
        }
        if edges.len() > MAX_WRITTEN {
            return Err(InexpressibleForm::Transitions {
                transitions: edges.len(),
                most: MAX_WRITTEN,
            });
        }
        let names: Vec<String> = (0..edges.len()).map(|i| format!("r{i}")).collect();
        // The sum of the numbers of some transitions.
        let sum = |chosen: &dyn Fn(usize, usize) -> bool, times: &str| {
            let members =
                edges.iter().zip(&names).filter(|((state, column), _)| chosen(*state, *column));
            let members: Vec<String> = members.map(|(_, name)| format!("{times}{name}")).collect();
            if members.is_empty() { "0".into() } else { members.join("+") }
        };
        let mut parts: Vec<String> = (0..self.heaps)
            .map(|heap| {
                format!("{} = {}", name(heap), sum(&|_, column| column >> heap & 1 == 1, ""))
            })
            .collect();
        let (mut reached, mut left) = (Vec::new(), Vec::new());
        for state in (1..self.next.len()).filter(|state| can_accept[*state]) {
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
        // The automaton does not end in the initial state if that is not accepting.
        if !self.accepts[0] {
            parts.push(format!("{} = {}+1", reached.join("+"), left.join("+")));
        }
        if names.len() > 1 {
            parts.push(format!("{} = {}", names.join(" xor "), names.join("+")));
        }
        let bound =
            if names.is_empty() { String::new() } else { format!("E {}: ", names.join(",")) };
        Ok(format!("{bound}{}", parts.join(" & ")))
    }

    /// Returns for each state whether an accepting state is reachable.
    pub(crate) fn can_accept(&self) -> Vec<bool> {
        let mut can_accept = self.accepts.clone();
        loop {
            let reaches = |state: usize| self.next[state].iter().any(|to| can_accept[*to]);
            let Some(new) =
                (0..can_accept.len()).find(|state| !can_accept[*state] && reaches(*state))
            else {
                return can_accept;
            };
            can_accept[new] = true;
        }
    }

    /// Returns the description length in bits.
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
    use bouton_core::Budget;
    use bouton_formula::Claim;

    fn learned(table: &OutcomeTable) -> Option<Automaton> {
        automaton(table, &SearchBudget::new(&mut Meter::new(&Budget::default()))).unwrap()
    }

    /// Automata learned from numbers below 128 are correct beyond, and so are their formulas.
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
            let table =
                OutcomeTable::new(1, 0, 127, images, members.iter().map(|p| &p[..])).unwrap();
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

    /// Numbers with an even number of digits 1 to base 2, those with an odd number of digits 2 to
    /// base 3, and pairs of equal numbers have few futures to their bases; a set of random numbers
    /// has many to any.
    #[test]
    fn few_futures_tell_the_base() {
        let few = |base: usize, heaps: usize, side: usize, is_p: &dyn Fn(usize) -> bool| {
            let is_p: Vec<bool> = (0..side.pow(heaps as u32)).map(is_p).collect();
            few_futures([base, heaps], side, &is_p, &mut Meter::new(&Budget::default())).unwrap()
        };
        let is_even = |n: usize| n.count_ones().is_multiple_of(2);
        let is_odd = |n: usize| (0..16).filter(|k| n / 3usize.pow(*k) % 3 == 2).count() % 2 == 1;
        let is_drawn = |n: usize| (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33 & 1 == 1;
        for (base, [even, odd]) in
            [(2, [Some(2), None]), (3, [None, Some(2)]), (4, [Some(2), None])]
        {
            assert_eq!(few(base, 1, 1 << 18, &is_even), even, "even to base {base}");
            assert_eq!(few(base, 1, 1 << 18, &is_odd), odd, "odd to base {base}");
            assert_eq!(few(base, 1, 1 << 18, &is_drawn), None, "drawn, to base {base}");
            assert_eq!(few(base, 2, 729, &|n| n % 729 == n / 729), Some(2), "pairs to base {base}");
        }
    }

    #[test]
    fn regular_sets_are_learned_and_others_are_not() {
        let images = || Images::Listed(vec![vec![0, 1], vec![1, 0]]);
        // x = 2y or y = 2x is regular; x = y² is not.
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

//! The forms of a conjecture, and the search for one, simplest kind first.

use crate::automaton::{Automaton, DigitBox, automaton, from_box};
use crate::cell::Cell;
use crate::condition::Condition;
use crate::effort::SearchBudget;
use crate::fitted_form::{self, EXTENSION, InexpressibleForm, SINGLE_HEAP_EXTENSION};
use crate::nim_sums::{NimSums, nim_sums};
use crate::pairs::{Pairs, pairs};
use crate::periodic_values::periodic_values;
use crate::scaled::{FEW_CASES, Scaled, scaled};
use crate::sequence::classes;
use crate::shape::{Cases, irrational_cases, shape_cases};
use crate::space::Space;
use crate::table::{Images, OutcomeTable};
use bouton_core::{LimitReached, Meter};
use std::fmt;

/// A form with its fit to a table.
pub type FittedForm = fitted_form::FittedForm<ClosedForm>;

/// The least evidence of a form, in bits.
pub(crate) const MARGIN: f64 = 10.0;

/// A form of a set of positions, up to symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClosedForm {
    /// Cases of equations and conditions.
    Cases(Cases),
    /// Cases of quotients and remainders.
    Scaled(Scaled),
    /// Equations between nim-sums of sums.
    NimSums(NimSums),
    /// Two sequences.
    Pairs(Pairs),
    /// An automaton.
    Automaton(Automaton),
}

impl ClosedForm {
    /// Returns the form as a formula, or the reason why there is none.
    pub fn text(&self) -> Result<String, InexpressibleForm> {
        match self {
            ClosedForm::Cases(cases) => Ok(cases.text()),
            ClosedForm::Scaled(scaled) => Ok(scaled.text()),
            ClosedForm::NimSums(sums) => Ok(sums.text()),
            ClosedForm::Pairs(pairs) => pairs.text(),
            ClosedForm::Automaton(automaton) => automaton.text(),
        }
    }

    /// Returns the first position of the table that the form classifies wrongly. A node is a
    /// position of the table.
    pub fn mismatch(
        &self,
        table: &OutcomeTable,
        meter: &mut Meter,
    ) -> Result<Option<Vec<i64>>, LimitReached> {
        let effort = SearchBudget::new(meter);
        effort.spend(0)?;
        match self {
            ClosedForm::Cases(cases) => cases.mismatch(table, &effort),
            ClosedForm::Scaled(scaled) => scaled.mismatch(table, &effort),
            ClosedForm::NimSums(sums) => sums.mismatch(table, &effort),
            ClosedForm::Pairs(pairs) => Ok(pairs.mismatch(table)),
            ClosedForm::Automaton(automaton) => automaton.mismatch(table, &effort),
        }
    }
}

impl fmt::Display for ClosedForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClosedForm::Cases(cases) => f.write_str(&cases.text()),
            ClosedForm::Scaled(scaled) => f.write_str(&scaled.text()),
            ClosedForm::NimSums(sums) => f.write_str(&sums.text()),
            ClosedForm::Pairs(pairs) => f.write_str(&pairs.describe()),
            ClosedForm::Automaton(automaton) => f.write_str(&automaton.describe()),
        }
    }
}

/// Returns the form of a table's P-positions: the simplest kind that agrees with the whole table,
/// or the cases that explain most of it. If the budget is exhausted, returns the best form so far,
/// and `cut` names the limit. A node is a position examined.
pub fn conjecture(table: &OutcomeTable, meter: &mut Meter) -> FittedForm {
    let mut found = search_form(table, meter);
    if found.missed_count == 0 {
        // A set that one heap alone determines is observed once for each size of that heap, not
        // once for each size of the others.
        found.evidence = found.data() / table.repeats() as f64 - found.said;
    }
    found
}

/// Returns the automaton of a box, if its P-positions are regular. A node is a prefix examined.
pub fn learn_box(
    whole: &DigitBox<'_>,
    meter: &mut Meter,
) -> Result<Option<FittedForm>, LimitReached> {
    let found = from_box(whole, &SearchBudget::new(meter))?;
    Ok(found.map(|found| found.map(ClosedForm::Automaton)))
}

fn search_form(table: &OutcomeTable, meter: &mut Meter) -> FittedForm {
    let effort = &SearchBudget::new(meter);
    let bits = -table.density().log2();
    let explained = table.class_count() as f64 * bits;
    let whole = |form: ClosedForm, said: f64| FittedForm {
        form,
        classes: table.class_count(),
        missed: Vec::new(),
        missed_count: 0,
        bits,
        said,
        evidence: explained - said - MARGIN,
        settled: 0,
        most: table.most(),
        quiet: EXTENSION,
        cut: None,
    };
    let sums = nim_sums(table, effort).map(|form| {
        let (said, kind) = (form.cost(), [form.is_plain(), form.is_shown()]);
        (kind, whole(ClosedForm::NimSums(form), said))
    });
    let sums = match sums.filter(|(_, sums)| sums.is_whole()) {
        // Looking through remainders and quotients would say the same at greater length.
        Some(([true, true], sums)) => return sums,
        sums => sums,
    };
    let mut seen = (table.heaps() > 1).then(|| scaled(table, effort)).flatten();
    seen.take_if(|found| !found.is_whole());
    if let Some(found) =
        seen.take_if(|found| found.form.divisor > 1 && found.form.inner.len() <= FEW_CASES)
    {
        return found.map(ClosedForm::Scaled);
    }
    if let Some(([true, _], sums)) = sums {
        return sums;
    }
    let found = if table.heaps() == 1 { single(table, effort) } else { shape_cases(table, effort) };
    let cases = found.clone();
    let mut found = found.map(ClosedForm::Cases);
    // Of two exact forms, the shorter one.
    let length = |found: &FittedForm| found.form.text().map_or(usize::MAX, |text| text.len());
    let seen = seen.map(|found| found.map(ClosedForm::Scaled));
    if let Some(seen) = seen.filter(|seen| !found.is_whole() || length(seen) <= length(&found)) {
        return seen;
    }
    let periodic = periodic_values(table).map(|(form, said)| whole(ClosedForm::Cases(form), said));
    let is_shorter =
        |own: &FittedForm| own.is_whole() && (!found.is_whole() || length(own) < length(&found));
    if let Some(periodic) = periodic.filter(is_shorter) {
        return periodic;
    }
    if found.is_whole() {
        return found;
    }
    // If heaps may be permuted, sums of neighbours are better expressed by cases in a larger table.
    if let Some((_, sums)) = sums.filter(|_| table.permutations().len() == 1) {
        return sums;
    }
    if let Some(form) = pairs(table) {
        return whole(ClosedForm::Pairs(form), 30.0);
    }
    if *table.images() != Images::Ascending {
        match automaton(table, effort) {
            Ok(Some(form)) => {
                let said = form.cost();
                let learned = whole(ClosedForm::Automaton(form), said);
                if learned.is_whole() {
                    return learned;
                }
            }
            Ok(None) => {}
            Err(limit) => found.cut = found.cut.or(Some(limit)),
        }
    }
    match irrational_cases(table, &cases, effort) {
        Some(irrational) => irrational.map(ClosedForm::Cases),
        None => found,
    }
}

/// Returns the residue classes of the P-positions of one heap.
fn single(table: &OutcomeTable, effort: &SearchBudget<'_>) -> fitted_form::FittedForm<Cases> {
    let (least, most) = (table.least() as i64, table.most() as i64);
    let member: Vec<bool> = (least..=most).map(|x| table.is_p(&[x])).collect();
    let count = table.class_count();
    let mut cases = Cases { heaps: 1, cells: Vec::new(), exceptions: Vec::new() };
    let (found, cut) = match effort.within(|meter| classes(least, &member, meter)) {
        Ok(found) => (found, None),
        Err(limit) => (None, Some(limit)),
    };
    let missed: Vec<Vec<i64>> = match &found {
        Some(_) => Vec::new(),
        None => table.classes().collect(),
    };
    // The last heap that differs from the one a period later.
    let mut settled = least;
    let mut said = MARGIN;
    if let Some(found) = found {
        for (residue, from) in &found.classes {
            let mut conditions = Vec::new();
            if found.modulus > 1 {
                conditions.push(Condition::Remainder(vec![1, 0], found.modulus, *residue));
            }
            if *from >= least + found.modulus {
                conditions.push(Condition::AtLeast(vec![1, *from]));
            }
            cases.cells.push(Cell { space: Space::whole(1), conditions });
        }
        cases.exceptions = found.alone.iter().map(|n| vec![*n]).collect();
        let begun = found.classes.iter().map(|(_, from)| from - found.modulus + 1);
        settled = begun.chain(found.alone.iter().map(|n| n + 1)).fold(least, i64::max);
        // A bit for each residue, and the bits for the end of the irregular part and for its
        // members.
        let (before, listed) = (settled - least, cases.exceptions.len() as u64);
        said += found.modulus as f64 + subsets(before as u64, listed);
        said += 2.0 * (before as f64 + 1.0).log2();
        settled += found.modulus;
    }
    fitted_form::FittedForm {
        form: cases,
        classes: count,
        missed_count: missed.len(),
        missed: missed.into_iter().take(20).collect(),
        bits: 1.0,
        said,
        evidence: member.len() as f64 - said,
        settled: (settled - least) as u64,
        most: (most - least) as u64,
        quiet: SINGLE_HEAP_EXTENSION,
        cut,
    }
}

/// Returns the bits that distinguish one set of `k` of `n` elements: log₂ of the binomial
/// coefficient.
fn subsets(n: u64, k: u64) -> f64 {
    (0..k.min(n)).map(|i| ((n - i) as f64 / (i + 1) as f64).log2()).sum()
}

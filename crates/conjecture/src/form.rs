//! The forms that a conjecture may take, and the search for one, simplest kind first.

use crate::automaton::{Automaton, automaton};
use crate::cell::Cell;
use crate::condition::Condition;
use crate::pairs::{Pairs, pairs};
use crate::scaled::{FEW, Scaled, scaled};
use crate::sequence::classes;
use crate::shape::{Cases, Found, shape_cases};
use crate::space::Space;
use crate::table::{Images, Table};
use std::fmt;

/// Asked now and then whether a search shall go on.
pub type GoOn<'a> = &'a dyn Fn() -> bool;

/// Bits by which a form must explain more than it says.
const MARGIN: f64 = 10.0;

/// A form of a set of positions, up to symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Cases: equations and conditions.
    Cases(Cases),
    /// Cases of quotients and remainders.
    Scaled(Scaled),
    /// Two sequences.
    Pairs(Pairs),
    /// An automaton.
    Automaton(Automaton),
}

impl Form {
    /// As the logic reads it, if it can.
    pub fn text(&self) -> Option<String> {
        match self {
            Form::Cases(cases) => Some(cases.text()),
            Form::Scaled(scaled) => Some(scaled.text()),
            Form::Pairs(pairs) => pairs.text(),
            Form::Automaton(automaton) => automaton.text(),
        }
    }

    /// The first position of the table that it gets wrong.
    pub fn mismatch(&self, table: &Table) -> Option<Vec<i64>> {
        match self {
            Form::Cases(cases) => cases.mismatch(table),
            Form::Scaled(scaled) => scaled.mismatch(table),
            Form::Pairs(pairs) => pairs.mismatch(table),
            Form::Automaton(automaton) => automaton.mismatch(table),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Cases(cases) => f.write_str(&cases.text()),
            Form::Scaled(scaled) => f.write_str(&scaled.text()),
            Form::Pairs(pairs) => f.write_str(&pairs.words()),
            Form::Automaton(automaton) => f.write_str(&automaton.words()),
        }
    }
}

/// The form of a table's P-positions: the simplest kind that is all of it, or the cases that explain most.
pub fn conjecture(table: &Table) -> Found {
    conjecture_while(table, &|| true)
}

/// The same, ending soon after `go_on` says no, with the best found until then.
pub fn conjecture_while(table: &Table, go_on: GoOn<'_>) -> Found {
    let mut seen = (table.heaps() > 1).then(|| scaled(table, go_on)).flatten();
    seen.take_if(|(_, found)| !found.is_whole());
    if let Some((form, found)) = seen.take_if(|(form, _)| form.divisor > 1 && form.inner.len() <= FEW) {
        return Found { form: Form::Scaled(form), ..found };
    }
    let found = if table.heaps() == 1 { single(table) } else { shape_cases(table, go_on).1 };
    // Of two forms that are all of it, the shorter one.
    let length = |found: &Found| found.form.text().map_or(usize::MAX, |text| text.len());
    let seen = seen.map(|(form, found)| Found { form: Form::Scaled(form), ..found });
    if let Some(seen) = seen.filter(|seen| !found.is_whole() || length(seen) <= length(&found)) {
        return seen;
    }
    if found.is_whole() {
        return found;
    }
    let bits = -table.density().log2();
    let explained = table.class_count() as f64 * bits;
    let whole = |form: Form, said: f64| Found {
        form,
        classes: table.class_count(),
        missed: Vec::new(),
        missed_count: 0,
        bits,
        said,
        evidence: explained - said - MARGIN,
        cut: false,
    };
    if let Some(form) = pairs(table) {
        return whole(Form::Pairs(form), 30.0);
    }
    if *table.images() != Images::Ascending
        && go_on()
        && let Some(form) = automaton(table)
    {
        let said = form.cost();
        let learned = whole(Form::Automaton(form), said);
        if learned.is_whole() {
            return learned;
        }
    }
    found
}

/// The residue classes of the P-positions of one heap.
fn single(table: &Table) -> Found {
    let (least, most) = (table.least() as i64, table.most() as i64);
    let member: Vec<bool> = (least..=most).map(|x| table.is_p(&[x])).collect();
    let count = table.class_count();
    let mut cases = Cases { heaps: 1, cells: Vec::new(), exceptions: Vec::new() };
    let found = classes(least, &member);
    let missed: Vec<Vec<i64>> = match &found {
        Some(_) => Vec::new(),
        None => table.classes().collect(),
    };
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
        said += (cases.exceptions.len() + found.modulus as usize) as f64;
    }
    Found {
        form: Form::Cases(cases),
        classes: count,
        missed_count: missed.len(),
        missed: missed.into_iter().take(20).collect(),
        bits: 1.0,
        said,
        evidence: member.len() as f64 - said,
        cut: false,
    }
}

//! Whether fractions satisfy linear inequalities, and if not, why.
//!
//! The general simplex of Dutertre and de Moura (2006), with Bland's rule: each row is a linear
//! form, bounds of rows and columns come and go, and a conflict is a sum of bounds, the multipliers
//! of Farkas. Exact; `None` if a number grows too great.

use bouton_core::Arrange;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// A fraction in lowest terms; the denominator is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    pub top: i128,
    pub bottom: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { top: 0, bottom: 1 };

    pub fn whole(top: i128) -> Ratio {
        Ratio { top, bottom: 1 }
    }

    fn reduced(top: i128, bottom: i128) -> Ratio {
        if bottom == 1 {
            return Ratio { top, bottom };
        }
        let (mut a, mut b) = (top.abs(), bottom.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let g = a.max(1) * bottom.signum();
        Ratio { top: top / g, bottom: bottom / g }
    }

    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        if self.bottom == other.bottom {
            return Some(Ratio::reduced(self.top.checked_add(other.top)?, self.bottom));
        }
        let left = self.top.checked_mul(other.bottom)?;
        let right = other.top.checked_mul(self.bottom)?;
        Some(Ratio::reduced(left.checked_add(right)?, self.bottom.checked_mul(other.bottom)?))
    }

    pub fn times(self, other: Ratio) -> Option<Ratio> {
        Some(Ratio::reduced(
            self.top.checked_mul(other.top)?,
            self.bottom.checked_mul(other.bottom)?,
        ))
    }

    pub fn minus(self, other: Ratio) -> Option<Ratio> {
        self.plus(Ratio { top: -other.top, bottom: other.bottom })
    }

    pub fn over(self, other: Ratio) -> Option<Ratio> {
        Some(Ratio::reduced(
            self.top.checked_mul(other.bottom)?,
            self.bottom.checked_mul(other.top)?,
        ))
    }

    pub fn is_below(self, other: Ratio) -> Option<bool> {
        Some(self.minus(other)?.top < 0)
    }
}

/// A bound of a variable, and the fact that says so.
#[derive(Debug, Clone, Copy)]
struct Bound {
    value: Ratio,
    fact: usize,
}

/// A bound as it was before another came: variable, whether the upper one, bound.
type Undo = (usize, bool, Option<Bound>);

/// Facts times numbers, all positive, that add up to a negative number.
pub type Conflict = Vec<(usize, i128)>;

/// The tableau. Variables are unknowns, and forms in them that have been bounded.
#[derive(Debug)]
pub struct Simplex<K> {
    columns: HashMap<K, usize>,
    forms: HashMap<Vec<(usize, i128)>, usize>,
    /// Rows of basic variables: what they are in the others.
    rows: BTreeMap<usize, BTreeMap<usize, Ratio>>,
    values: Vec<Ratio>,
    /// What variables are in columns; a column is itself.
    meant: Vec<Vec<(usize, i128)>>,
    /// Lower and upper bounds.
    bounds: Vec<[Option<Bound>; 2]>,
    undo: Vec<Undo>,
}

/// Rows from which on those without a bound are removed.
const MAX_UNPRUNED_ROWS: usize = 100;

/// What came of a check.
pub enum Checked {
    /// Fractions satisfy all bounds.
    Satisfied,
    /// Nothing does.
    Conflict(Conflict),
}

impl<K: Clone + Eq + Hash + Ord> Simplex<K> {
    pub fn new() -> Simplex<K> {
        Simplex {
            columns: HashMap::new(),
            forms: HashMap::new(),
            rows: BTreeMap::new(),
            values: Vec::new(),
            meant: Vec::new(),
            bounds: Vec::new(),
            undo: Vec::new(),
        }
    }

    fn variable(&mut self, value: Ratio, meant: Option<Vec<(usize, i128)>>) -> usize {
        self.meant.push(meant.unwrap_or_else(|| vec![(self.values.len(), 1)]));
        self.values.push(value);
        self.bounds.push([None; 2]);
        self.values.len() - 1
    }

    /// Returns the column of an unknown.
    pub fn column(&mut self, key: &K) -> usize {
        if let Some(column) = self.columns.get(key) {
            return *column;
        }
        let column = self.variable(Ratio::ZERO, None);
        self.columns.insert(key.clone(), column);
        column
    }

    /// Returns the value of a column.
    pub fn at(&self, column: usize) -> Ratio {
        self.values[column]
    }

    /// Returns all unknowns, in no order, with their columns.
    pub fn keys(&self) -> impl Iterator<Item = (&K, usize)> {
        self.columns.iter().map(|(key, column)| (key, *column))
    }

    /// Returns a mark to which [`Simplex::rollback`] goes.
    pub fn checkpoint(&self) -> usize {
        self.undo.len()
    }

    /// Takes back the bounds that came after a mark.
    pub fn rollback(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((variable, upper, bound)) = self.undo.pop() {
                self.bounds[variable][usize::from(upper)] = bound;
            }
        }
        // Rows of forms that nothing is said of any more slow down the others.
        if self.rows.len() > MAX_UNPRUNED_ROWS {
            let Simplex { rows, forms, bounds, .. } = self;
            forms.retain(|_, variable| {
                let kept =
                    bounds[*variable].iter().any(Option::is_some) || !rows.contains_key(variable);
                if !kept {
                    rows.remove(variable);
                }
                kept
            });
        }
    }

    /// Adds the fact that Σ terms + constant is 0 or more; not all coefficients are 0. A conflict
    /// with one other fact is found at once.
    pub fn add(
        &mut self,
        terms: &BTreeMap<K, i128>,
        constant: i128,
        fact: usize,
    ) -> Option<Checked> {
        let mut form: Vec<(usize, i128)> =
            terms.iter().map(|(key, c)| (self.column(key), *c)).collect();
        form.arrange();
        // A form and its opposite are one variable.
        let upper = form.first()?.1 < 0;
        if upper {
            form.iter_mut().for_each(|(_, c)| *c = -*c);
        }
        let variable = match form[..] {
            [(column, 1)] => column,
            _ => match self.forms.get(&form) {
                Some(variable) => *variable,
                None => self.row(form)?,
            },
        };
        let value = Ratio::whole(if upper { constant } else { -constant });
        let bound = Bound { value, fact };
        let [least, most] = self.bounds[variable];
        let (old, other) = if upper { (most, least) } else { (least, most) };
        let beyond = |a: Ratio, b: Ratio| if upper { b.is_below(a) } else { a.is_below(b) };
        if let Some(old) = old
            && !beyond(old.value, value)?
        {
            return Some(Checked::Satisfied);
        }
        if let Some(other) = other
            && beyond(other.value, value)?
        {
            return Some(Checked::Conflict(vec![(fact, 1), (other.fact, 1)]));
        }
        self.undo.push((variable, upper, old));
        self.bounds[variable][usize::from(upper)] = Some(bound);
        if !self.rows.contains_key(&variable) && beyond(self.values[variable], value)? {
            self.shift(variable, value)?;
        }
        Some(Checked::Satisfied)
    }

    /// Returns sums of columns and a constant that are 0 or more if all unknowns are integers, but
    /// not at the point: Gomory's fractional cuts.
    pub fn gomory(&self) -> Option<Vec<(BTreeMap<usize, i128>, i128)>> {
        let mut all = Vec::new();
        for (basic, row) in &self.rows {
            if self.values[*basic].bottom == 1 {
                continue;
            }
            for sign in [1, -1] {
                // sign · basic = value + Σ k · slack, each slack an integer that is 0 or more.
                let value = Ratio::whole(sign).times(self.values[*basic])?;
                let mut sum: BTreeMap<usize, i128> = BTreeMap::new();
                let mut constant = -value.top.div_euclid(value.bottom) - 1;
                let mut add = |variable: usize, times: i128| {
                    for (column, c) in &self.meant[variable] {
                        let entry = sum.entry(*column).or_insert(0);
                        *entry = entry.checked_add(c.checked_mul(times)?)?;
                    }
                    Some(())
                };
                add(*basic, sign)?;
                let mut cut = true;
                for (column, k) in row {
                    let k = Ratio::whole(sign).times(*k)?;
                    let at = self.values[*column];
                    let [least, most] = self.bounds[*column];
                    let up = if least.is_some_and(|end| end.value == at) {
                        1
                    } else if most.is_some_and(|end| end.value == at) {
                        -1
                    } else if k.bottom == 1 && at.bottom == 1 {
                        // A whole multiple of a whole number.
                        1
                    } else {
                        cut = false;
                        break;
                    };
                    // slack = up · (variable − at), of which ⌊up · k⌋ is left out.
                    let whole = (up * k.top).div_euclid(k.bottom);
                    add(*column, -up * whole)?;
                    constant = constant.checked_add((up * whole).checked_mul(at.top)?)?;
                    cut &= at.bottom == 1;
                }
                if cut {
                    sum.retain(|_, c| *c != 0);
                    all.push((sum, constant));
                }
            }
        }
        Some(all)
    }

    /// Adds a row for a form.
    fn row(&mut self, form: Vec<(usize, i128)>) -> Option<usize> {
        let mut row: BTreeMap<usize, Ratio> = BTreeMap::new();
        let mut value = Ratio::ZERO;
        for (column, c) in &form {
            let c = Ratio::whole(*c);
            value = value.plus(c.times(self.values[*column])?)?;
            match self.rows.get(column) {
                None => accumulate(&mut row, *column, c)?,
                Some(own) => {
                    for (other, k) in own.clone() {
                        accumulate(&mut row, other, c.times(k)?)?;
                    }
                }
            }
        }
        let variable = self.variable(value, Some(form.clone()));
        self.rows.insert(variable, row);
        self.forms.insert(form, variable);
        Some(variable)
    }

    /// Gives a variable that is not basic another value.
    fn shift(&mut self, variable: usize, value: Ratio) -> Option<()> {
        let by = value.minus(self.values[variable])?;
        for (basic, row) in &self.rows {
            if let Some(k) = row.get(&variable) {
                self.values[*basic] = self.values[*basic].plus(k.times(by)?)?;
            }
        }
        self.values[variable] = value;
        Some(())
    }

    /// Seeks values within all bounds.
    pub fn check(&mut self) -> Option<Checked> {
        loop {
            let mut broken = None;
            for basic in self.rows.keys() {
                let [least, most] = self.bounds[*basic];
                if let Some(least) = least
                    && self.values[*basic].is_below(least.value)?
                {
                    broken = Some((*basic, false, least));
                } else if let Some(most) = most
                    && most.value.is_below(self.values[*basic])?
                {
                    broken = Some((*basic, true, most));
                }
                if broken.is_some() {
                    break;
                }
            }
            let Some((basic, above, bound)) = broken else { return Some(Checked::Satisfied) };
            // What can move the variable towards its bound.
            let mut enter = None;
            for (column, k) in &self.rows[&basic] {
                let rises = (k.top > 0) != above;
                let free = match self.bounds[*column][usize::from(rises)] {
                    None => true,
                    Some(end) if rises => self.values[*column].is_below(end.value)?,
                    Some(end) => end.value.is_below(self.values[*column])?,
                };
                if free {
                    enter = Some(*column);
                    break;
                }
            }
            match enter {
                Some(column) => self.pivot(basic, column, bound.value)?,
                None => return self.conflict(basic, above, bound).map(Checked::Conflict),
            }
        }
    }

    /// Returns why a basic variable cannot reach its bound.
    fn conflict(&self, basic: usize, above: bool, bound: Bound) -> Option<Conflict> {
        let mut parts = vec![(bound.fact, Ratio::whole(1))];
        for (column, k) in &self.rows[&basic] {
            let end = self.bounds[*column][usize::from((k.top > 0) != above)]?;
            parts.push((end.fact, Ratio { top: k.top.abs(), bottom: k.bottom }));
        }
        let mut common: i128 = 1;
        for (_, k) in &parts {
            let step = Ratio::reduced(k.bottom, common);
            common = common.checked_mul(step.top)?;
        }
        let mut all: BTreeMap<usize, i128> = BTreeMap::new();
        for (fact, k) in parts {
            let times = k.top.checked_mul(common / k.bottom)?;
            let entry = all.entry(fact).or_insert(0);
            *entry = entry.checked_add(times)?;
        }
        Some(all.into_iter().collect())
    }

    /// Exchanges a basic variable, which gets this value, and a column of its row.
    fn pivot(&mut self, basic: usize, column: usize, value: Ratio) -> Option<()> {
        let row = self.rows.remove(&basic)?;
        let k = *row.get(&column)?;
        let by = value.minus(self.values[basic])?.over(k)?;
        self.values[basic] = value;
        self.values[column] = self.values[column].plus(by)?;
        let mut new: BTreeMap<usize, Ratio> = BTreeMap::new();
        for (other, own) in &row {
            if *other != column {
                new.insert(*other, Ratio::ZERO.minus(*own)?.over(k)?);
            }
        }
        new.insert(basic, Ratio::whole(1).over(k)?);
        for (other, theirs) in &mut self.rows {
            if let Some(times) = theirs.remove(&column) {
                self.values[*other] = self.values[*other].plus(times.times(by)?)?;
                for (index, own) in &new {
                    accumulate(theirs, *index, times.times(*own)?)?;
                }
            }
        }
        self.rows.insert(column, new);
        Some(())
    }
}

/// Adds to a coefficient; those that become 0 are removed.
fn accumulate(row: &mut BTreeMap<usize, Ratio>, column: usize, more: Ratio) -> Option<()> {
    let sum = row.get(&column).copied().unwrap_or(Ratio::ZERO).plus(more)?;
    if sum.top == 0 {
        row.remove(&column);
    } else {
        row.insert(column, sum);
    }
    Some(())
}

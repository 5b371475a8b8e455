//! Multipliers, none negative, with which forms add up to one that is positive whatever the
//! variables are (Farkas 1902).
//!
//! Variables and digit sums are natural numbers, so Σ λ·form is positive if its constant is and no
//! coefficient is negative. That is a linear program in λ, solved by the simplex method in exact
//! fractions with Bland's rule (1977), which never runs in circles.

use bouton_automata::linear_form::{Base, LinearForm};
use std::collections::BTreeMap;

/// A fraction; the denominator is positive.
#[derive(Clone, Copy, PartialEq)]
struct Fraction(i128, i128);

impl Fraction {
    const ZERO: Fraction = Fraction(0, 1);

    fn new(a: i128, b: i128) -> Option<Fraction> {
        let mut g = (a.unsigned_abs(), b.unsigned_abs());
        while g.1 != 0 {
            g = (g.1, g.0 % g.1);
        }
        let g = i128::try_from(g.0.max(1)).ok()? * b.signum();
        Some(Fraction(a / g, b / g))
    }

    fn minus_times(self, k: Fraction, other: Fraction) -> Option<Fraction> {
        if k.0 == 0 || other.0 == 0 {
            return Some(self);
        }
        if (self.1, k.1, other.1) == (1, 1, 1) {
            // Mostly so: nothing to be reduced.
            return Some(Fraction(self.0.checked_sub(k.0.checked_mul(other.0)?)?, 1));
        }
        let (a, b) = (k.0.checked_mul(other.0)?, k.1.checked_mul(other.1)?);
        let top = self.0.checked_mul(b)?.checked_sub(a.checked_mul(self.1)?)?;
        Fraction::new(top, self.1.checked_mul(b)?)
    }

    fn over(self, other: Fraction) -> Option<Fraction> {
        if self.0 == 0 || other == Fraction(1, 1) {
            return Some(self);
        }
        Fraction::new(self.0.checked_mul(other.1)?, self.1.checked_mul(other.0)?)
    }

    fn less(self, other: Fraction) -> Option<bool> {
        Some(self.0.checked_mul(other.1)? < other.0.checked_mul(self.1)?)
    }
}

/// Pivots before it is given up.
const PIVOTS: usize = 400;

/// Returns the multipliers, one a form; None if there are none, or numbers grow too big.
pub fn multipliers(forms: &[LinearForm]) -> Option<Vec<i64>> {
    if !forms.iter().any(|form| form.constant > 0) {
        return None;
    }
    // Rows: for each nim-sum, Σ λ·c − slack = 0; and Σ λ·k = 1. The first kind starts with its
    // slack in the basis.
    let mut rows: BTreeMap<&Base, usize> = BTreeMap::new();
    for form in forms {
        for (base, _) in &form.terms {
            let next = rows.len();
            rows.entry(base).or_insert(next);
        }
    }
    let (count, height) = (forms.len(), rows.len());
    let width = count + height + 1;
    let mut table = vec![vec![Fraction::ZERO; width + 1]; height + 1];
    for (j, form) in forms.iter().enumerate() {
        for (base, c) in &form.terms {
            table[rows[base]][j] = Fraction(-i128::from(*c), 1);
        }
        table[height][j] = Fraction(form.constant.into(), 1);
    }
    for (i, row) in table.iter_mut().take(height).enumerate() {
        row[count + i] = Fraction(1, 1);
    }
    // An artificial variable for the last row, to be brought to 0.
    table[height][count + height] = Fraction(1, 1);
    table[height][width] = Fraction(1, 1);
    let mut basis: Vec<usize> = (count..width).collect();
    for _ in 0..PIVOTS {
        let Some(artificial) = basis.iter().position(|b| *b == count + height) else {
            return solution(&table, &basis, count, width);
        };
        if table[artificial][width].0 == 0 {
            return None;
        }
        // What lowers it: a positive entry in its row; of those the first.
        let enter = (0..count + height).find(|j| table[artificial][*j].0 > 0)?;
        let mut best: Option<(Fraction, usize)> = None;
        for i in 0..=height {
            if table[i][enter].0 > 0 {
                let ratio = table[i][width].over(table[i][enter])?;
                let better = match best {
                    None => true,
                    Some((least, at)) => {
                        ratio.less(least)? || ratio == least && basis[i] < basis[at]
                    }
                };
                if better {
                    best = Some((ratio, i));
                }
            }
        }
        let (_, mut leave) = best?;
        // At a tie the artificial variable goes.
        let ratio = table[artificial][width].over(table[artificial][enter])?;
        if best.is_some_and(|(least, _)| least == ratio) {
            leave = artificial;
        }
        let pivot = table[leave][enter];
        for entry in &mut table[leave] {
            *entry = entry.over(pivot)?;
        }
        let row = table[leave].clone();
        for (i, other) in table.iter_mut().enumerate() {
            let k = other[enter];
            if i != leave && k.0 != 0 {
                for (entry, own) in other.iter_mut().zip(&row) {
                    *entry = entry.minus_times(k, *own)?;
                }
            }
        }
        basis[leave] = enter;
    }
    None
}

fn solution(
    table: &[Vec<Fraction>],
    basis: &[usize],
    count: usize,
    width: usize,
) -> Option<Vec<i64>> {
    let mut values = vec![Fraction::ZERO; count];
    for (row, b) in table.iter().zip(basis) {
        if *b < count {
            values[*b] = row[width];
        }
    }
    let mut common: i64 = 1;
    for value in &values {
        let below = i64::try_from(value.1).ok()?;
        common = common.checked_mul(below / num_integer::gcd(common, below))?;
    }
    values.iter().map(|v| i64::try_from(v.0 * (i128::from(common) / v.1)).ok()).collect()
}

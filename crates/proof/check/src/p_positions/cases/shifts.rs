//! Shifts, and multiples of irrational numbers: read in the digits of their continued fraction
//! alone (digits/ostrowski.rs).

use super::{Comparison, Stop};
use crate::p_positions::form::{Base, Form};
use crate::work::Reason;

impl Comparison<'_> {
    /// Returns a continued fraction (its whole part, its period) times a form, rounded down: ⌊0·α⌋
    /// = 0, and ⌊(m + 1)·α⌋ = whole·(m + 1) + shift(m) − m.
    pub(super) fn floor(&mut self, whole: i64, period: &[i64], form: &Form) -> Result<Form, Stop> {
        let less = form.minus(&Form::constant(1))?;
        let positive = less.constant >= 0 && less.terms.iter().all(|(_, c)| *c > 0);
        if !positive && self.branch(2)? == 0 {
            self.equal(form, &Form::default())?;
            return Ok(Form::default());
        }
        let shift = self.shift(period, &less)?;
        Ok(shift.plus(whole - 1, &less)?.plus(whole, &Form::constant(1))?)
    }

    /// Returns the shift of a form, where shifts are those of this continued fraction.
    pub(super) fn shift(&mut self, period: &[i64], form: &Form) -> Result<Form, Stop> {
        if self.digits.period != period {
            let other = "a multiple of an irrational number in the digits of another one";
            return Err(Reason::from(other).into());
        }
        Ok(Form { terms: vec![(Base::Shift(self.named(form)?), 1)], constant: 0 })
    }
}

//! In digits other than binary: conditions that hold whatever numerals follow.
//!
//! Of "f at most 0": what m rounds more add is, for each positive coefficient c, at most c·(u − 1),
//! u being what 1 becomes in m rounds, in the number or its shift (digits/ostrowski.rs, 2); for
//! negative ones at most 0. So with w what 1 weighs, f ends at most at what value + w becomes, and
//! k less the sum of the c; or, m being 0, at the value and k.

use super::{Condition, Kind};
use crate::p_positions::digits::Digits;
use crate::p_positions::form::{Base, Value};

/// What 1 weighs in some terms of a form, and the sum of their coefficients.
pub(super) type Ones = (Value, i64);

impl Condition {
    /// Returns what 1 weighs where coefficients have this sign, and the sum of these, without their
    /// signs.
    pub(super) fn ones(&self, sign: i64, digits: &Digits) -> Ones {
        self.form.terms.iter().filter(|(_, c)| c * sign > 0).fold(
            ((0, 0), 0),
            |((w, x), sum), (base, c)| {
                let (y, z) = digits.one[usize::from(matches!(base, Base::Shift(_)))];
                ((w + c.abs() * y, x + c.abs() * z), sum + c.abs())
            },
        )
    }

    /// Returns whether the condition holds of all numerals that follow: "form at most 0", or "1 +
    /// form at most 0" or "1 - form at most 0". What holds of other words does not matter: they are
    /// no positions.
    pub(super) fn sure(&self, (a, b): Value, ones: &[Ones; 2], digits: &Digits) -> bool {
        let at_most = |sign: i64, more: i64| {
            let ((w, x), sum) = ones[usize::from(sign < 0)];
            let (a, b, k) = (sign * a, sign * b, sign * self.form.constant + more);
            a + k <= 0 && digits.stays((a + w, b + x), 0.min(sum - k))
        };
        match self.kind {
            Kind::Bound => at_most(1, 0),
            Kind::Differs => at_most(1, 1) || at_most(-1, 1),
            _ => false,
        }
    }
}

//! What the search for refutations asks of forms, as the checker has it (crates/check, p_positions/form.rs).

use crate::linear_form::{Base, LinearForm, Variable};

/// A form without its constant, on digits read so far; in Zeckendorf digits with its value after one 0 more.
pub type Value = (i64, i64);

/// Whether it is positive whatever the variables are.
pub fn is_positive(form: &LinearForm) -> bool {
    form.constant > 0 && form.terms.iter().all(|(_, c)| *c >= 0)
}

/// Whether it is at most 0 whatever the variables are.
pub fn is_idle(form: &LinearForm) -> bool {
    form.constant <= 0 && form.terms.iter().all(|(_, c)| *c <= 0)
}

/// Whether one is the other's negative.
pub fn is_contrary(one: &LinearForm, other: &LinearForm) -> bool {
    one.constant == -other.constant
        && one.terms.len() == other.terms.len()
        && one.terms.iter().zip(&other.terms).all(|((a, c), (b, d))| a == b && *c == -d)
}

/// Divided by a common divisor of the coefficients, the constant rounded up: at most 0 wherever the form is.
pub fn divided(mut form: LinearForm, by: i64) -> LinearForm {
    if by > 1 && form.terms.iter().all(|(_, c)| c % by == 0) {
        form.terms.iter_mut().for_each(|(_, c)| *c /= by);
        form.constant = -(-form.constant).div_euclid(by);
    }
    form
}

/// The greatest common divisor of the coefficients; 0 for constants.
pub fn content(form: &LinearForm) -> i64 {
    form.terms.iter().fold(0, |g, (_, c)| gcd(g, c.abs()))
}

/// The coefficient of a variable that stands alone.
pub fn at(form: &LinearForm, v: Variable) -> i64 {
    form.terms.iter().find(|(base, _)| *base == Base::Plain(v)).map_or(0, |(_, c)| *c)
}

/// The greatest common divisor of natural numbers.
pub fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What one digit of each variable weighs.
pub fn weight(form: &LinearForm, digit: &dyn Fn(Variable) -> bool, zeckendorf: bool) -> Value {
    form.terms.iter().fold((0, 0), |(a, b), (base, c)| match base {
        Base::Plain(v) if !digit(*v) => (a, b),
        Base::Plain(_) => (a + c, b + if zeckendorf { 2 * c } else { 0 }),
        Base::Shift(v) if !digit(*v) => (a, b),
        Base::Shift(_) => (a + 2 * c, b + 3 * c),
        Base::Sum(m, all) => {
            (a + c * (all.iter().filter(|v| digit(**v)).count() % usize::from(*m)) as i64, b)
        }
    })
}

/// The value after one more round of digits.
pub fn grown((a, b): Value, (w, x): Value, zeckendorf: bool) -> Value {
    if zeckendorf { (b + w, a + b + x) } else { (2 * a + w, 0) }
}

/// Whether one value is at most another.
pub fn at_most(one: Value, other: Value) -> bool {
    one.0 <= other.0 && one.1 <= other.1
}

/// From where down "form at most 0" holds whatever follows, and from where up it does not. None if it cannot be read in these digits.
pub fn limits(form: &LinearForm, zeckendorf: bool) -> Option<(Value, Value)> {
    let (mut least, mut greatest) = ((0i64, 0i64), (0i64, 0i64));
    for (base, c) in &form.terms {
        let (x, y) = match (base, zeckendorf) {
            (Base::Sum(modulus, _), false) => (c.checked_mul(i64::from(modulus - 1))?, 0),
            (Base::Plain(_), _) => (*c, if zeckendorf { 2 * c } else { 0 }),
            (Base::Shift(_), true) => (2 * c, 3 * c),
            _ => return None,
        };
        let side = if *c > 0 { &mut greatest } else { &mut least };
        *side = (side.0 + x, side.1 + y);
    }
    let (k, most) = (form.constant, 1 << 40);
    if [least.0, greatest.0, k].iter().any(|x| x.abs() > most) {
        return None;
    }
    Some(if zeckendorf {
        let (low, high) = ((-greatest.1).min(-k), (-least.1).max(1 - k));
        ((low, low - greatest.0), (high, high - least.0))
    } else {
        (((-greatest.0).min(-k), 0), ((-least.0).max(1 - k), 0))
    })
}

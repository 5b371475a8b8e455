//! What the search for refutations asks of forms, as the checker has it (crates/proof/check,
//! p_positions/form.rs).

use bouton_automata::linear_form::{Base, LinearForm, Variable};
use bouton_automata::numeration::{MAX_BITS, Numeration, Round};

pub use bouton_automata::numeration::Value;

/// The digits in which a proof is read, and what is asked of them again and again.
#[derive(Debug)]
pub struct Digits {
    pub numeration: Numeration,
    pub round: Round,
    /// The greatest weights of a round, in the number and in its shift.
    greatest: [Value; 2],
    /// The rounds that spell something, with the state after them.
    pub spelt: Vec<(u32, i64)>,
}

impl Digits {
    pub fn new(numeration: Numeration) -> Digits {
        let round = numeration.round();
        let codes = 0..1u32 << round.bits.min(MAX_BITS);
        let spelt =
            codes.filter_map(|code| Some((code, round.state_after_round(0, code)?))).collect();
        let greatest = [false, true].map(|shift| round.greatest(shift));
        Digits { numeration, round, greatest, spelt }
    }
}

/// Returns whether it is positive whatever the variables are.
pub fn is_positive(form: &LinearForm) -> bool {
    form.constant > 0 && form.terms.iter().all(|(_, c)| *c >= 0)
}

/// Returns whether it is at most 0 whatever the variables are.
pub fn is_idle(form: &LinearForm) -> bool {
    form.constant <= 0 && form.terms.iter().all(|(_, c)| *c <= 0)
}

/// Returns whether one is the other's negative.
pub fn is_contrary(one: &LinearForm, other: &LinearForm) -> bool {
    one.constant == -other.constant
        && one.terms.len() == other.terms.len()
        && one.terms.iter().zip(&other.terms).all(|((a, c), (b, d))| a == b && *c == -d)
}

/// Divides a form by a common divisor of its coefficients and rounds the constant up; the result is
/// at most 0 wherever the form is.
pub fn divided(mut form: LinearForm, by: i64) -> LinearForm {
    if by > 1 && form.terms.iter().all(|(_, c)| c % by == 0) {
        form.terms.iter_mut().for_each(|(_, c)| *c /= by);
        form.constant = -(-form.constant).div_euclid(by);
    }
    form
}

/// Returns the greatest common divisor of the coefficients; 0 for constants.
pub fn content(form: &LinearForm) -> i64 {
    form.terms.iter().fold(0, |g, (_, c)| num_integer::gcd(g, c.abs()))
}

/// Returns the coefficient of a variable that stands alone.
pub fn at(form: &LinearForm, v: Variable) -> i64 {
    form.terms.iter().find(|(base, _)| *base == Base::Plain(v)).map_or(0, |(_, c)| *c)
}

/// Returns what one round of each variable weighs.
pub fn weight(form: &LinearForm, code: &dyn Fn(Variable) -> u32, digits: &Digits) -> Value {
    let round = &digits.round;
    form.terms.iter().fold((0, 0), |(a, b), (base, c)| {
        let (w, x) = match base {
            Base::Plain(v) => round.weight(&round.plain, code(*v)),
            Base::Shift(_, v) => round.weight(&round.shift, code(*v)),
            Base::Sum(m, all) => {
                ((all.iter().filter(|v| code(**v) == 1).count() % usize::from(*m)) as i64, 0)
            }
        };
        (a + c * w, b + c * x)
    })
}

/// Returns the value after one more round of digits.
pub fn grown(value: Value, (w, x): Value, digits: &Digits) -> Value {
    let (a, b) = digits.round.extended(value);
    (a + w, b + x)
}

/// Returns whether one value is at most another.
pub fn at_most(one: Value, other: Value) -> bool {
    one.0 <= other.0 && one.1 <= other.1
}

/// Returns the values that matter for "form at most 0": from the first down it holds whatever
/// follows, from the second up it does not. `None` if the form cannot be read in these digits.
pub fn limits(form: &LinearForm, digits: &Digits) -> Option<(Value, Value)> {
    let (mut least, mut greatest) = ((0i64, 0i64), (0i64, 0i64));
    for (base, c) in &form.terms {
        let (x, y) = match base {
            Base::Sum(modulus, _) if digits.round.is_binary() => (i64::from(modulus - 1), 0),
            Base::Plain(_) => digits.greatest[0],
            Base::Shift(period, _) if digits.numeration == Numeration::Ostrowski(*period) => {
                digits.greatest[1]
            }
            _ => return None,
        };
        let side = if *c > 0 { &mut greatest } else { &mut least };
        *side = (side.0.checked_add(c.checked_mul(x)?)?, side.1.checked_add(c.checked_mul(y)?)?);
    }
    let (k, most) = (form.constant, 1 << 40);
    if [least.0, greatest.0, k].iter().any(|x| x.abs() > most) {
        return None;
    }
    let (a, b) = digits.round.floor((-greatest.0, -greatest.1), k);
    Some(((-a, -b), digits.round.floor(least, 1 - k)))
}

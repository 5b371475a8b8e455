//! Refutations: why forms cannot all be at most 0.
//!
//! **Theorem.** If [`Refutation::refutes`] says so of forms f₁, …, f_r, then for no natural numbers
//! all f_i ≤ 0. *Proof.* Let all be ≤ 0. Each step adds a form that is ≤ 0, too: Σ λ_i·f_i with λ_i
//! ≥ 0, divided and rounded ([`Form::divided`]; Chvátal 1973), or −t, as digit sums are natural. If
//! then a form is positive whatever the variables are, this is absurd (Farkas 1902). Else [`walk`]
//! (Büchi 1960): take the numbers' digits, with leading 0s as many each. By induction on rounds,
//! the walk has met a state s with s_i ≤ the value v_i of f_i on the digits so far, or s_i = lo_i:
//! for the letter of the round is not left out (a digit sum that is at most 0 is 0, so it is 0 in
//! every place, and the digits are a numeral's, which ends where one may), no v_i ever comes to
//! hi_i (it would stay there, and f_i > 0 at the end), and a value that has come down to lo_i, or
//! is taken for it, says nothing any more. At the end f_i ≤ 0 for all i, so that s *ends*; but no
//! state met does. ∎
//!
//! Which sums to take, and what to walk with, stands in the file.

use super::digits::Digits;
use super::form::{Base, Form, Value, Variable, at_most};
use super::list;
use crate::tuples::Tuples;
use crate::work::{Reason, Work, number};

#[derive(Debug)]
enum Step {
    /// Multipliers and places of forms, and what the sum is divided by.
    Sum(Vec<(i64, usize)>, i64),
    /// A variable is at least 0.
    Natural(Variable),
}

/// Forms derived, and then perhaps a walk with some, while others are sums of digits that are 0.
#[derive(Debug)]
pub struct Refutation {
    steps: Vec<Step>,
    walk: Option<(Vec<usize>, Vec<usize>)>,
}

/// Most bits of all variables of a walk in a round.
const BITS: usize = 16;

impl Refutation {
    /// Reads `2*0 1*3 /2; n4; walk 5,6 zero 1`.
    pub fn read(text: &str) -> Option<Refutation> {
        let mut one = Refutation { steps: Vec::new(), walk: None };
        for step in text.split("; ").filter(|step| !step.is_empty()) {
            if one.walk.is_some() {
                return None;
            } else if let Some(rest) = step.strip_prefix("walk ") {
                let (walked, zeros) = rest.split_once(" zero ").unwrap_or((rest, "-"));
                one.walk = Some((list(walked)?, list(zeros)?));
            } else if let Some(v) = step.strip_prefix('n') {
                one.steps.push(Step::Natural(number(v)?));
            } else {
                let (sum, by) = step.split_once(" /").unwrap_or((step, "1"));
                let part = |part: &str| {
                    let (k, at) = part.split_once('*').unwrap_or(("1", part));
                    Some((i64::from(number::<u32>(k)?), number(at)?))
                };
                let parts = sum.split(' ').map(part).collect::<Option<_>>()?;
                one.steps.push(Step::Sum(parts, number::<u32>(by)?.into()));
            }
        }
        Some(one)
    }

    /// Whether it shows that the forms cannot all be at most 0.
    pub fn refutes(&self, given: &[Form], digits: &Digits, work: &Work<'_>) -> Result<bool, Reason> {
        let mut derived: Vec<Form> = Vec::with_capacity(self.steps.len());
        work.spend(16 + 64 * self.steps.len())?;
        for step in &self.steps {
            let form = match step {
                Step::Natural(v) => Form::default().minus(&Form::variable(*v))?,
                Step::Sum(parts, by) => {
                    let mut sum = Form::default();
                    for (k, at) in parts {
                        let own = named(given, &derived, *at)?;
                        work.spend(16 + 4 * (sum.size() + own.size()))?;
                        sum = sum.plus(*k, own)?;
                    }
                    sum.divided(*by)
                }
            };
            if form.is_positive() {
                return Ok(true);
            }
            derived.push(form);
        }
        let Some((walked, zeros)) = &self.walk else { return Ok(false) };
        let walked = walked.iter().map(|at| named(given, &derived, *at)).collect::<Result<Vec<_>, _>>()?;
        let mut sums = Vec::new();
        for at in zeros {
            let form = named(given, &derived, *at)?;
            match &form.terms[..] {
                // Binary digits alone are added place by place.
                [(Base::Sum(modulus, all), c)]
                    if *c > 0 && form.constant >= 0 && (all.len() == 1 || digits.binary) =>
                {
                    sums.push((usize::from(*modulus), &all[..]));
                }
                _ => return Err("a form said to be a digit sum that is 0 is none".into()),
            }
        }
        let before = work.bytes();
        let found = walk(&walked, &sums, digits, work);
        work.release(before);
        found
    }
}

/// The form of this place, given or derived.
fn named<'f>(given: &'f [Form], derived: &'f [Form], at: usize) -> Result<&'f Form, Reason> {
    let form = given.get(at).or_else(|| derived.get(at.checked_sub(given.len())?));
    form.ok_or_else(|| "a refutation names a form that is not there".into())
}

/// Whether no numbers have all forms at most 0, and all sums (with their moduli) 0: walks through
/// all digits.
fn walk(
    forms: &[&Form],
    zeros: &[(usize, &[Variable])],
    digits: &Digits,
    work: &Work<'_>,
) -> Result<bool, Reason> {
    let sums = zeros.iter().flat_map(|(_, all)| all.iter().copied());
    let mut variables: Vec<Variable> = forms.iter().flat_map(|form| form.variables()).chain(sums).collect();
    variables.sort_unstable();
    variables.dedup();
    let bits = variables.len() * digits.bits;
    if bits > BITS {
        return Err("a walk has too many variables".into());
    }
    let limits = forms.iter().map(|form| form.limits(digits)).collect::<Result<Vec<_>, _>>()?;
    // What the letters weigh, each once; and of which variables the first digit is not 0, and the
    // last the greatest there.
    let size = 64
        + forms.iter().map(|form| form.size()).sum::<usize>()
        + 4 * zeros.iter().map(|zero| zero.1.len()).sum::<usize>();
    work.hold((size * 16).saturating_mul(1 << bits))?;
    work.spend((size * 8).saturating_mul(1 << bits))?;
    let mut letters: Vec<(u32, u32, Vec<Value>)> = Vec::new();
    'all: for letter in 0..1u32 << bits {
        let own = |at: usize| letter >> (at * digits.bits) & ((1 << digits.bits) - 1);
        let (mut begun, mut full) = (0, 0);
        for at in 0..variables.len() {
            let Some(ends_full) = digits.spelt(false, own(at)) else { continue 'all };
            begun |= u32::from(digits.spelt(true, own(at)).is_none()) << at;
            full |= u32::from(ends_full) << at;
        }
        let code = |v: Variable| variables.binary_search(&v).map_or(0, own);
        let digit_sum = |all: &[Variable]| all.iter().filter(|v| code(**v) != 0).count();
        if zeros.iter().all(|(modulus, all)| digit_sum(all) % modulus == 0) {
            letters.push((begun, full, forms.iter().map(|form| form.weight(&code, digits)).collect()));
        }
    }
    letters.sort_unstable();
    letters.dedup();
    // What was full in the round before, and the forms' values.
    let mut states = Tuples::new(128 + 40 * forms.len(), work);
    let down = |(low, _): &(Value, Value)| if at_most((0, 0), *low) { *low } else { (0, 0) };
    let mut next: (u32, Vec<Value>) = (0, limits.iter().map(down).collect());
    states.add(&next)?;
    while let Some((last, state)) = states.next() {
        let mut ends = forms.iter().zip(&limits).zip(&state);
        if digits.ends(last != 0)
            && ends.all(|((form, (low, _)), v)| at_most(*v, *low) || v.0 + form.constant <= 0)
        {
            return Ok(false);
        }
        for (begun, full, weights) in &letters {
            work.spend(4 + 2 * state.len())?;
            if begun & last != 0 {
                continue;
            }
            next.0 = *full;
            next.1.clear();
            for ((v, (low, high)), weight) in state.iter().zip(&limits).zip(weights) {
                let v = if at_most(*v, *low) { *low } else { digits.grown(*v, *weight) };
                if at_most(*high, v) {
                    break;
                }
                next.1.push(if at_most(v, *low) { *low } else { v });
            }
            if next.1.len() == state.len() {
                states.add(&next)?;
            }
        }
    }
    Ok(true)
}

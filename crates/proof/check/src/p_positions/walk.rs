//! Walks: why forms cannot all be at most 0 where some digit sums are 0.
//!
//! **Theorem.** (Büchi 1960) If [`walk`] says so of forms f₁, …, f_r and digit sums, then for no
//! natural numbers all f_i ≤ 0 and all sums are 0. *Proof.* Let there be such numbers; take their
//! digits, with leading 0s as many each. By induction on rounds, the walk has met a state s with
//! s_i ≤ the value v_i of f_i on the digits so far, or s_i = lo_i: for the letter of the round is
//! not left out (a digit sum that is 0 is 0 in every place, where a round then weighs 0; and the
//! digits are a numeral's, which ends where one may), no v_i ever comes to hi_i (it would stay
//! there, and f_i > 0 at the end), and a value that has come down to lo_i, or is taken for it, says
//! nothing any more. At the end f_i ≤ 0 for all i, so that s *ends*; but no state met does. ∎

use super::digits::Digits;
use super::form::{Base, Form, Value, Variable, at_most};
use crate::tuples::Tuples;
use crate::work::{Reason, Work};

/// Most bits of all variables of a walk in a round.
const BITS: usize = 16;

/// Returns whether no numbers have all forms at most 0, and these multiples of digit sums, too.
/// Exponential in the variables.
pub fn walk(
    forms: &[&Form],
    zeros: &[&Form],
    digits: &Digits,
    work: &Work<'_>,
) -> Result<bool, Reason> {
    let is_sum = |form: &&Form| {
        matches!(&form.terms[..], [(Base::Sum(..), c)] if *c > 0) && form.constant >= 0
    };
    if !zeros.iter().all(is_sum) {
        return Err("a form said to be a digit sum that is 0 is none".into());
    }
    // Sums of several variables are read in binary digits alone, which are added place by place.
    zeros.iter().try_for_each(|form| form.spread(digits).map(drop))?;
    let all = || forms.iter().chain(zeros);
    let mut variables: Vec<Variable> = all().flat_map(|form| form.variables()).collect();
    variables.sort_unstable();
    variables.dedup();
    let bits = variables.len() * digits.bits;
    if bits > BITS {
        return Err("a walk has too many variables".into());
    }
    let limits = forms.iter().map(|form| form.limits(digits)).collect::<Result<Vec<_>, _>>()?;
    // What the letters weigh, each once; and of which variables the first digit is not 0, and the
    // last the greatest there.
    let size = 64 + all().map(|form| form.size()).sum::<usize>();
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
        if zeros.iter().all(|form| form.weight(&code, digits).0 == 0) {
            letters.push((
                begun,
                full,
                forms.iter().map(|form| form.weight(&code, digits)).collect(),
            ));
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

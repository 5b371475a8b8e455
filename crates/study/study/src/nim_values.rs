//! Nim-values of a game for all heap sizes: the P-positions of the game with a single heap of Nim
//! beside it.
//!
//! g(p) = v if and only if (p, v) is a P-position. So a form of these P-positions is a form of the
//! nim-values, with the same proof, and has exactly one v for each p. What a game remembers stands
//! behind v in the positions, as behind all heaps.

use bouton_core::{Claim, Formula, FormulaError, HeapGame, Node, Relation, Term};
use bouton_engine::Game;
use bouton_games::{HeapSumError, heap_sum};
use num_bigint::BigUint;
use serde::Serialize;

/// What a study of the P-positions says about nim-values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NimValues {
    /// The game whose values they are; the study's own game has one heap more, the value.
    pub game: String,
    /// Which number of the study's positions is the value, counted from 1: the last heap.
    pub place: usize,
    /// The values as a formula, `v = …`, where the form of the P-positions can be solved for them.
    pub formula: Option<String>,
    /// The same unsolved: it holds of the heaps and v if and only if v is the value.
    pub relation: Option<String>,
}

/// What the value is called in formulas.
const VALUE: &str = "v";

/// Returns the game with a heap of Nim beside it.
pub fn with_value(game: &dyn Game) -> Result<Box<dyn Game>, HeapSumError> {
    let nim = bouton_games::parse("nim(1)")
        .map_err(|error| HeapSumError { game: "nim(1)".into(), why: error.to_string() })?;
    heap_sum(&[game, &*nim.game])
}

/// Where the value stands among the numbers of a game with a heap of Nim beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValuePlace {
    /// The numbers of the game alone.
    numbers: usize,
    /// How many of them are before the value.
    before: usize,
}

impl ValuePlace {
    /// Returns the place in the positions of the game with the heap beside it.
    pub fn in_sum(beside: &HeapGame) -> ValuePlace {
        let numbers = beside.heaps.saturating_sub(1);
        ValuePlace { numbers, before: numbers.saturating_sub(beside.moves.memory.count) }
    }

    /// Returns the place behind this many heaps, of a game that remembers nothing.
    pub fn behind(heaps: usize) -> ValuePlace {
        ValuePlace { numbers: heaps, before: heaps }
    }

    /// Returns the place, counted from 0.
    pub fn index(self) -> usize {
        self.before
    }

    /// Returns the names of the numbers, the value among them.
    fn names(self) -> Vec<String> {
        let mut names: Vec<String> =
            ('a'..).filter(|c| *c != 'v').take(self.numbers).map(String::from).collect();
        names.insert(self.before, VALUE.to_owned());
        names
    }
}

/// Returns a formula over a, b, c, …, the numbers of the game alone, and v as a claim about the
/// game with the value's heap.
pub fn value_claim(text: &str, place: ValuePlace) -> Result<String, FormulaError> {
    let formula = Formula::parse_over(text, &place.names())?;
    let letters = ('a'..='z').take(place.numbers + 1).map(String::from);
    let names = letters.chain(formula.names[formula.free..].iter().cloned()).collect();
    Ok(Formula { names, ..formula }.to_string())
}

/// Returns a claim about the game with the value's heap, that heap called v; and, where it can be,
/// solved for it.
pub(crate) fn claim_texts(claim: &Claim, place: ValuePlace) -> [Option<String>; 2] {
    let mut formula = claim.formula().clone();
    let bound = formula.names.split_off(formula.free);
    formula.names = place.names().into_iter().chain(bound).collect();
    let relation = formula.to_string();
    // As people write it: what is summed by digits in parentheses.
    let text = |term: &Term| formula.term_text(term).replace(" + ", "+");
    let part = |term: &Term| match term {
        Term::Number(_) | Term::Variable(_) => text(term),
        _ => format!("({})", text(term)),
    };
    let solved = solved(&formula.root, place.before).map(|value| match &value {
        Term::DigitSum(2, parts) => {
            format!("{VALUE} = {}", parts.iter().map(part).collect::<Vec<_>>().join(" xor "))
        }
        value => format!("{VALUE} = {}", text(value)),
    });
    [solved, Some(relation)]
}

/// Returns the value of a position of any size by a claim about the game with the value's heap,
/// where it can be solved for it. `alone` has that heap, empty.
pub(crate) fn value(claim: &Claim, place: ValuePlace, alone: &[BigUint]) -> Option<BigUint> {
    evaluated(&solved(&claim.formula().root, place.before)?, alone)
}

/// Returns a term without differences.
fn evaluated(term: &Term, heaps: &[BigUint]) -> Option<BigUint> {
    let each = |parts: &[Term]| {
        parts.iter().map(|part| evaluated(part, heaps)).collect::<Option<Vec<_>>>()
    };
    Some(match term {
        Term::Number(k) => BigUint::from(*k),
        Term::Variable(v) => heaps.get(*v)?.clone(),
        Term::Sum(parts) => each(parts)?.into_iter().sum(),
        Term::Multiple(k, inner) => evaluated(inner, heaps)? * u64::try_from(*k).ok()?,
        Term::DigitSum(2, parts) => {
            each(parts)?.into_iter().fold(BigUint::ZERO, |sum, part| sum ^ part)
        }
        Term::Min(parts) => each(parts)?.into_iter().min()?,
        Term::Max(parts) => each(parts)?.into_iter().max()?,
        Term::Quotient(inner, by) => evaluated(inner, heaps)? / *by,
        Term::Remainder(inner, by) => evaluated(inner, heaps)? % *by,
        Term::DigitSum(..) | Term::Shift(_) | Term::Floor(..) | Term::Arithmetic(..) => {
            return None;
        }
    })
}

/// Returns the term that v is equal to, if the formula is one equation that says it.
fn solved(node: &Node, v: usize) -> Option<Term> {
    let Node::Compare(left, Relation::Equal, right) = node else { return None };
    match (left, right) {
        (Term::Variable(alone), other) | (other, Term::Variable(alone))
            if *alone == v && !other.mentions(v) =>
        {
            Some(other.clone())
        }
        // x ⊕ … ⊕ v = y: v is the nim-sum of the others and y.
        (Term::DigitSum(2, parts), other) | (other, Term::DigitSum(2, parts))
            if !other.mentions(v) =>
        {
            let (own, mut others): (Vec<Term>, Vec<Term>) =
                parts.iter().cloned().partition(|part| *part == Term::Variable(v));
            if own.len() != 1 || others.iter().any(|part| part.mentions(v)) {
                return None;
            }
            if *other != Term::Number(0) {
                others.push(other.clone());
            }
            Some(match others.len() {
                0 => Term::Number(0),
                1 => others.remove(0),
                _ => Term::DigitSum(2, others),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_solved_for_the_value() {
        for (claim, value) in [
            ("(a+b) xor c xor d = 0", Some("v = (a+b) xor c")),
            ("xor = 0", Some("v = a xor b xor c")),
            ("d = a+b+c", Some("v = a+b+c")),
            ("(a+b) xor d = c", Some("v = (a+b) xor c")),
            ("a+d = b+c", None),
            ("a = 0 & d = b", None),
        ] {
            let [solved, relation] =
                claim_texts(&Claim::parse(claim, 4).unwrap(), ValuePlace::behind(3));
            assert_eq!(solved.as_deref(), value, "{claim}");
            // What is said means the claim.
            let (claim, relation) = (Claim::parse(claim, 4).unwrap(), relation.unwrap());
            for text in solved.iter().chain([&relation]) {
                let again =
                    Claim::parse(&value_claim(text, ValuePlace::behind(3)).unwrap(), 4).unwrap();
                for code in 0..1296u64 {
                    let p = [code / 216, code / 36 % 6, code / 6 % 6, code % 6];
                    assert_eq!(again.holds(&p).unwrap(), claim.holds(&p).unwrap(), "{text} {p:?}");
                }
            }
        }
    }
}

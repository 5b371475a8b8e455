//! An automaton over digits to another base than 2, learned where nothing else is proved.
//!
//! What automata read to two bases that are no powers of one number is what formulas without digits say (Cobham 1969, Semenov 1977), and cases are looked for before. So
//! another base is tried only where the rules have it: as a number by which they divide or multiply. Tables are all positions with so many digits, larger until an automaton closes and is
//! proved; whether it is right is the prover's business.

use crate::board::Round;
use crate::tables::Tables;
use bouton_conjecture::{Images, learned_to_base};
use bouton_core::clock::Instant;
use bouton_core::{Deadline, Formula, Meter, Node, Term};
use std::collections::BTreeSet;
use std::time::Duration;

/// The greatest base.
const GREATEST: u64 = 10;
/// Digits of heaps in the least table.
const DIGITS: u32 = 3;
/// Positions of a table at most.
const POSITIONS: u64 = 1 << 20;
/// The greatest heap of a table.
const MOST: u64 = u16::MAX as u64;
/// Time for all tables, where no end is set.
const PATIENCE: Duration = Duration::from_secs(20);

/// Visits the automata of ever larger tables until `settle` has settled one.
pub(crate) fn automata<T>(tables: &Tables<'_>, settle: &mut dyn FnMut(Round) -> Option<T>) -> Option<T> {
    let stated = tables.stated;
    // Heaps that leave are not proved of automata.
    if stated.shrinks || Images::of(stated.symmetry, stated.heaps) == Images::Ascending {
        return None;
    }
    let time = tables.time_or(PATIENCE);
    let end = Deadline::after(time);
    let Tables { game, play, max, tell, .. } = *tables;
    let (budget, proof) = (tables.budget.within(time), tables.proof.clone());
    let tables = &Tables { game, stated, play, budget, patience: end, max, proof, tell };
    for base in bases(stated.moves.condition.as_ref()?) {
        for digits in DIGITS.. {
            let most = max.map_or(MOST, u64::from);
            let Some(side) = base.checked_pow(digits).filter(|side| *side - 1 <= most) else { break };
            if side.checked_pow(stated.heaps as u32).is_none_or(|positions| positions > POSITIONS) {
                break;
            }
            if !tables.in_time() {
                return None;
            }
            let Ok(made) = tables.make(stated.heaps, side - 1) else { break };
            tell(&format!("{}, an automaton over digits to base {base}", game.name()));
            let begun = Instant::now();
            let meter = &mut Meter::new(&tables.budget);
            let found = learned_to_base(&made.table, base as usize, meter).ok()?;
            let seconds = [made.seconds, begun.elapsed().as_secs_f64()];
            if let Some(found) = found
                && let Some(settled) = settle(Round::new(stated.heaps, &found, seconds))
            {
                return Some(settled);
            }
        }
    }
    None
}

/// The bases that a condition divides or multiplies by, each by its root, 2 left out: ascending. None where it has what is read in binary digits only.
fn bases(condition: &Formula) -> BTreeSet<u64> {
    let mut all = BTreeSet::new();
    match node(&condition.root, &mut all) {
        Some(()) => all.into_iter().filter_map(root).filter(|base| *base > 2).collect(),
        None => BTreeSet::new(),
    }
}

/// The base of which this is a power.
fn root(number: u64) -> Option<u64> {
    (2..=GREATEST).find(|base| number >= 2 && base.checked_pow(number.ilog(*base)) == Some(number))
}

/// Gathers divisors and coefficients; none if quantifiers or digits come in.
fn node(said: &Node, all: &mut BTreeSet<u64>) -> Option<()> {
    match said {
        Node::Constant(_) => Some(()),
        Node::Compare(left, _, right) => term(left, all).and(term(right, all)),
        Node::Not(inner) => node(inner, all),
        Node::And(parts) | Node::Or(parts) => parts.iter().try_for_each(|part| node(part, all)),
        Node::Implies(one, other) | Node::Iff(one, other) => node(one, all).and(node(other, all)),
        Node::Exists(..) | Node::Forall(..) => None,
    }
}

fn term(said: &Term, all: &mut BTreeSet<u64>) -> Option<()> {
    let inner = match said {
        Term::Number(_) | Term::Variable(_) => return Some(()),
        Term::Multiple(k, inner) => {
            all.insert(k.unsigned_abs());
            inner
        }
        Term::Quotient(inner, k) | Term::Remainder(inner, k) => {
            all.insert(*k);
            inner
        }
        Term::Sum(parts) | Term::Min(parts) | Term::Max(parts) => {
            return parts.iter().try_for_each(|part| term(part, all));
        }
        Term::DigitSum(..) | Term::Shift(_) | Term::Floor(..) | Term::Arithmetic(..) => return None,
    };
    term(inner, all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn bases_are_those_of_the_rules() {
        for (text, expected) in [
            ("q0 = p0 div 3", &[3][..]),
            ("q0+1 = p0 | 2*q0 = p0 | q0 = p0 div 4", &[]),
            ("q0 = p0 div 27 & p0 mod 10 = 1 | 25*q0 >= p0", &[3, 5, 10]),
            ("q0 = p0 div 11 | q0 = p0 div 1 | q0+7 = p0", &[]),
            ("q0 = p0 - 3*(p0 div 9)", &[3]),
            ("q0 = p0 div 3 & (q0 xor p0) = 1", &[]),
            ("E x: q0 = p0 div 3 & x = q0", &[]),
        ] {
            let formula = Formula::parse_over(text, &["p0".into(), "q0".into()]).unwrap();
            assert_eq!(bases(&formula).into_iter().collect::<Vec<_>>(), expected, "{text}");
        }
    }
}

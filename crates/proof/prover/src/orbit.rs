//! P-positions of one heap that follow one another: 0, and each the same function of the one
//! before.
//!
//! If from each heap h(x) > x the heaps that have x as an option are those between x and h(x), then
//! the least heap from which no move leads to a P-position found so far is h of the greatest one.
//! So the P-positions are 0, h(0), h(h(0)), …: "take at most a third" has h(x) = 3x div 2 + 1. Such
//! a set is in general read by no automaton, to whatever base.

use bouton_automata::{Decision, Numeration, Undecided, decide};
use bouton_certificate::{Certificate, CertificateKind, PPositionsClaim};
use bouton_core::{Formula, FormulaBuilder, Meter, Node, Relation, Term};
use std::fmt;

/// A step from each P-position to the next: x ↦ max(x + least, (numerator·x + offset) div divisor).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Orbit {
    /// What a heap is multiplied by.
    pub numerator: u64,
    /// What is added then.
    pub offset: u64,
    /// What it is divided by, rounded down; not 0.
    pub divisor: u64,
    /// The least step.
    pub least: u64,
}

impl Orbit {
    /// Returns the P-position after this one, or `None` if it is beyond 2⁶⁴.
    pub fn next(&self, x: u64) -> Option<u64> {
        let quotient = (u128::from(self.numerator) * u128::from(x) + u128::from(self.offset))
            .checked_div(self.divisor.into())?;
        let least = u128::from(x) + u128::from(self.least);
        u64::try_from(quotient.max(least)).ok()
    }

    /// Returns whether a heap is a P-position. One step for each P-position below it.
    pub fn contains(&self, heap: u64) -> bool {
        let mut x = 0;
        while x < heap {
            match self.next(x) {
                Some(next) if next > x => x = next,
                _ => return false,
            }
        }
        x == heap
    }

    /// Returns the step from the heap that a variable is; `None` if it is multiplied by more than
    /// 2⁶³.
    fn step(&self, variable: usize) -> Option<Term> {
        let Orbit { numerator, offset, divisor, least } = *self;
        let factor = i64::try_from(numerator).ok()?;
        let product = Term::Multiple(factor, Term::Variable(variable).into());
        let sum = Term::Sum(vec![product, Term::Number(offset)]);
        let bound = Term::Sum(vec![Term::Variable(variable), Term::Number(least)]);
        Some(Term::Max(vec![bound, Term::Quotient(sum.into(), divisor)]))
    }

    /// Returns the step from the heap of this name, as a claim has it.
    fn step_from(&self, name: &str) -> String {
        let Orbit { numerator, offset, divisor, least } = *self;
        let product = if numerator == 1 { name.to_owned() } else { format!("{numerator}*{name}") };
        let sum = if offset == 0 { product } else { format!("{product}+{offset}") };
        let quotient = match divisor {
            1 => sum,
            _ if sum == name => format!("{sum} div {divisor}"),
            _ => format!("({sum}) div {divisor}"),
        };
        // A step that is long enough by itself needs no bound: the quotient never falls behind x +
        // offset div divisor.
        if numerator >= divisor && offset / divisor >= least {
            quotient
        } else {
            format!("max({name}+{least}, {quotient})")
        }
    }
}

impl fmt::Display for Orbit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a -> {}", self.step_from("a"))
    }
}

/// Returns `left < right`.
fn less(left: Term, right: Term) -> Node {
    left.compared(Relation::Less, right)
}

/// Decides whether the heaps that have x as an option are those between x and the orbit's next heap
/// after x, for all x, and this heap is greater than x. `condition` says of a move from p0 to q0
/// what it asks beside q0 < p0; without one all of these are moves.
pub fn prove_orbit(
    condition: Option<&Formula>,
    orbit: &Orbit,
    meter: &mut Meter,
) -> Result<bool, Undecided> {
    let mut builder = FormulaBuilder::default();
    let (before, after) = (builder.bind("p0"), builder.bind("q0"));
    let moves = match condition {
        Some(condition) => builder.embed(condition, &[before, after]),
        None => Node::Constant(true),
    };
    let Some(step) = orbit.step(after) else { return Ok(false) };
    let ascends = less(Term::Variable(after), step.clone());
    let lower = less(Term::Variable(after), Term::Variable(before));
    let moves = moves.iff(less(Term::Variable(before), step));
    let root = ascends.and(lower.implies(moves)).for_all(vec![before, after]);
    let sentence = builder.build(root);
    Ok(matches!(decide(&sentence, Numeration::Binary, meter)?, Decision::True(_)))
}

/// Returns the certificate that the P-positions of the game of this name are those of the orbit.
pub fn orbit_certificate(name: &str, orbit: &Orbit) -> Certificate {
    Certificate {
        kind: CertificateKind::Orbit,
        game: name.into(),
        claim: PPositionsClaim::new(&format!("reached from 0 by {orbit}")).to_string(),
        body: "each heap is an option of those before its step\n".into(),
    }
}

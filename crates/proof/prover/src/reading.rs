//! Which digits a statement is read in.
//!
//! Nim-sums are sums of binary digits, multiples of an irrational number are read in the digits of
//! its continued fraction: claims and moves ask for what they need, and what needs neither is read
//! as the game says. Sums, comparisons and remainders are read in all.

use crate::automatic::relations::digits_of_periods;
use crate::game::MoveSystem;
use bouton_automata::digits::Unreadable;
use bouton_automata::effort::Undecided;
use bouton_automata::numeration::Numeration;
use bouton_core::{Claim, DigitSystem, Formula, Node, Period, Term};

/// What a statement asks of the digits.
#[derive(Default)]
struct Asks {
    nim_sums: bool,
    /// The first period met.
    shifts: Option<Period>,
    /// All of multiples, and whether there is a shift.
    periods: Vec<Period>,
    is_shifted: bool,
}

impl Asks {
    /// Returns what claims about a game ask.
    fn new(game: &MoveSystem, claims: &[Claim]) -> Asks {
        let mut asks = Asks::default();
        let conditions = game.ways.iter().filter_map(|way| way.condition.as_ref());
        conditions.for_each(|condition| asks.formula(condition));
        claims.iter().for_each(|claim| asks.formula(claim.formula()));
        asks
    }

    fn formula(&mut self, formula: &Formula) {
        self.node(&formula.root);
    }

    fn choose_numeration(&self, stated: Numeration) -> Numeration {
        match self {
            Asks { nim_sums: true, shifts: None, .. } => Numeration::Binary,
            Asks { nim_sums: false, shifts: Some(period), .. } => Numeration::Ostrowski(*period),
            _ => stated,
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Constant(_) => {}
            Node::Compare(left, _, right) => {
                self.term(left);
                self.term(right);
            }
            Node::Not(inner) | Node::Exists(_, inner) | Node::Forall(_, inner) => self.node(inner),
            Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|part| self.node(part)),
            Node::Implies(left, right) | Node::Iff(left, right) => {
                self.node(left);
                self.node(right);
            }
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Number(_) | Term::Variable(_) => {}
            Term::Sum(parts) | Term::Min(parts) | Term::Max(parts) | Term::Arithmetic(_, parts) => {
                parts.iter().for_each(|part| self.term(part));
            }
            Term::DigitSum(_, parts) => {
                self.nim_sums = true;
                parts.iter().for_each(|part| self.term(part));
            }
            Term::Multiple(_, inner) | Term::Quotient(inner, _) | Term::Remainder(inner, _) => {
                self.term(inner)
            }
            Term::Shift(inner) => {
                self.shifts.get_or_insert(Period::GOLDEN);
                self.is_shifted = true;
                self.term(inner);
            }
            Term::Floor(slope, inner) => {
                self.shifts.get_or_insert(slope.period);
                self.periods.push(slope.period);
                self.term(inner);
            }
        }
    }
}

/// Returns the digits in which claims about a game are read, `stated` being those that the game
/// names: binary where a nim-sum asks for them, those of a continued fraction where a multiple of
/// it does. Where several kinds are asked for, no digits will do, and the prover says so.
pub fn choose_numeration(game: &MoveSystem, claims: &[Claim], stated: Numeration) -> Numeration {
    Asks::new(game, claims).choose_numeration(stated)
}

/// Returns the digits by a recurrence in which automata read claims about a game of which
/// [`choose_numeration`] says that they are read in these; `None` if automata read none.
///
/// Multiples of an irrational number are read in the digits of a unit of its field.
pub fn automatic_digits(
    game: &MoveSystem,
    claims: &[Claim],
    read: Numeration,
) -> Option<DigitSystem> {
    match read {
        Numeration::Binary => Some(DigitSystem::to_base(2)),
        Numeration::ZECKENDORF => Some(DigitSystem::zeckendorf(2)),
        Numeration::Ostrowski(_) => match Asks::new(game, claims) {
            Asks { nim_sums: false, is_shifted: false, periods, .. } => digits_of_periods(&periods),
            _ => None,
        },
    }
}

/// The digits in which a formula by itself is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Digits of one bit.
    Bits(Numeration),
    /// By a recurrence: those of the unit of a field, if a multiple of another irrational number
    /// than the golden ratio is met.
    Digits(DigitSystem),
}

/// Returns the digits in which a formula by itself is read: those that it asks for, or `stated`.
///
/// # Errors
/// If it asks for several kinds of digits, or there are none in which its multiples are read.
pub fn formula_reading(formula: &Formula, stated: Numeration) -> Result<Reading, Undecided> {
    let mut asks = Asks::default();
    asks.formula(formula);
    if asks.periods.iter().all(|period| *period == Period::GOLDEN) {
        return Ok(Reading::Bits(asks.choose_numeration(stated)));
    }
    if asks.nim_sums || asks.is_shifted {
        return Err(Unreadable::Shift.into());
    }
    digits_of_periods(&asks.periods).map(Reading::Digits).ok_or(Undecided::Automatic(
        "multiples of irrational numbers of several fields, or with units that take other digits, or \
         more than ten",
    ))
}

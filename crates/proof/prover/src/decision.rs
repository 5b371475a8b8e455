//! Any formula decided, in the digits that it asks for.
//!
//! [`decide()`] reads binary digits and those of Zeckendorf. Multiples of other irrational numbers
//! are read in the digits of a unit of their field, by the automata that prove claims, too.

use crate::automatic::acceptor_of;
use crate::reading::{Reading, formula_reading};
use bouton_automata::decide::{AutomaticRelation, Decision, Values, decide};
use bouton_automata::effort::Undecided;
use bouton_automata::numeration::Numeration;
use bouton_automata::{Acceptor, columns};
use bouton_core::{DigitSystem, Formula, LimitReached, Meter, Node};

/// What is known of a formula.
#[derive(Debug, Clone)]
pub enum FormulaDecision {
    /// It is true; with values for the variables of its outermost `E`, if it begins with one.
    True(Option<Vec<NamedValue>>),
    /// It is false; with values for the variables of its outermost `A`, if it begins with one.
    False(Option<Vec<NamedValue>>),
    /// It has free variables: the tuples of which it holds.
    Open(Tuples),
}

/// A variable's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue {
    /// The variable.
    pub name: String,
    /// The value, or its digits where it is beyond 64 bits.
    pub value: Result<u64, String>,
}

/// The tuples of which a formula holds, as an automaton.
#[derive(Debug, Clone)]
pub struct Tuples {
    /// The free variables, in the order in which they are written.
    pub names: Vec<String>,
    /// What accepts them.
    pub automaton: TuplesAutomaton,
}

/// An automaton of tuples.
#[derive(Debug, Clone)]
pub enum TuplesAutomaton {
    /// In digits of one bit.
    Bits(AutomaticRelation),
    /// In digits by a recurrence.
    Digits(Acceptor),
}

impl Tuples {
    /// Returns how many states the automaton has.
    pub fn states(&self) -> usize {
        match &self.automaton {
            TuplesAutomaton::Bits(relation) => relation.dfa.states(),
            TuplesAutomaton::Digits(acceptor) => acceptor.states(),
        }
    }

    /// Returns whether the formula holds of these values.
    ///
    /// # Panics
    /// Unless there is one value for each name.
    pub fn holds(&self, values: &[u64]) -> bool {
        match &self.automaton {
            TuplesAutomaton::Bits(relation) => relation.holds(values),
            TuplesAutomaton::Digits(acceptor) => {
                assert_eq!(values.len(), self.names.len(), "one value for each variable");
                acceptor.holds(values)
            }
        }
    }

    /// Returns whether it holds of no values.
    pub fn is_empty(&self) -> bool {
        match &self.automaton {
            TuplesAutomaton::Bits(relation) => relation.dfa.shortest(&relation.tracks()).is_none(),
            TuplesAutomaton::Digits(acceptor) => acceptor.states() == 0,
        }
    }

    /// Returns the number of tuples of which it holds, with no value above `most`, in decimal
    /// digits; `None` of more than eight variables.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn count(&self, most: u64, meter: &mut Meter) -> Result<Option<String>, LimitReached> {
        let count = match &self.automaton {
            TuplesAutomaton::Bits(relation) => relation.count(&most.into(), meter)?,
            TuplesAutomaton::Digits(acceptor) => acceptor.count(most, meter)?,
        };
        Ok(count.map(|count| count.to_string()))
    }

    /// Returns whether it holds of this many tuples altogether. False also where that is not found
    /// out.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn holds_only_of(&self, tuples: usize, meter: &mut Meter) -> Result<bool, LimitReached> {
        match &self.automaton {
            TuplesAutomaton::Bits(relation) => relation.holds_only_of(tuples, meter),
            TuplesAutomaton::Digits(_) => Ok(tuples == 0 && self.is_empty()),
        }
    }
}

/// Decides a formula in the digits that it asks for, `stated` if it asks for none; or finds the
/// automaton of one with free variables.
///
/// # Errors
/// If no automata read it, or one is beyond the budget.
pub fn decide_formula(
    formula: &Formula,
    stated: Numeration,
    meter: &mut Meter,
) -> Result<FormulaDecision, Undecided> {
    let numeration = match formula_reading(formula, stated)? {
        Reading::Bits(numeration) => numeration,
        Reading::Digits(digits) => return decide_in_digits(formula, digits, meter),
    };
    let named = |values: Option<Values>| values.map(|values| named_values(&values));
    Ok(match decide(formula, numeration, meter)? {
        Decision::True(values) => FormulaDecision::True(named(values)),
        Decision::False(values) => FormulaDecision::False(named(values)),
        Decision::Open(relation) => FormulaDecision::Open(Tuples {
            names: relation.names.clone(),
            automaton: TuplesAutomaton::Bits(relation),
        }),
    })
}

fn named_values(values: &Values) -> Vec<NamedValue> {
    let all = values.numbers().zip(&values.digits);
    all.map(|((name, value), (_, digits))| {
        let text = || digits.iter().map(|digit| if *digit { '1' } else { '0' }).collect();
        NamedValue { name: name.to_owned(), value: value.ok_or_else(text) }
    })
    .collect()
}

fn decide_in_digits(
    formula: &Formula,
    digits: DigitSystem,
    meter: &mut Meter,
) -> Result<FormulaDecision, Undecided> {
    if !formula.is_closed() {
        if columns(digits.base(), formula.free).is_none() {
            return Err(Undecided::Automatic("so many numbers together"));
        }
        let own = acceptor_of(formula, digits, meter)?;
        return Ok(FormulaDecision::Open(Tuples {
            names: formula.names[..formula.free].to_vec(),
            automaton: TuplesAutomaton::Digits(own.minimal_on_numerals(meter)?),
        }));
    }
    let (universal, bound, body) = split_outer_quantifiers(&formula.root);
    // What the outermost quantifiers bind are the first variables of a formula that is read, and
    // are free without them.
    let is_first = bound.iter().enumerate().all(|(place, v)| place == *v);
    let (universal, bound, body) =
        if is_first { (universal, bound, body) } else { (false, Vec::new(), formula.root.clone()) };
    let names = &formula.names[..bound.len()];
    let open = Formula {
        names: formula.names.clone(),
        free: bound.len(),
        root: if universal { body.negated() } else { body },
    };
    let sought = acceptor_of(&open, digits, meter)?;
    let found = sought.shortest().map(|word| {
        let numbers = sought.numbers(word.iter().copied());
        let value = |track: usize| {
            let digit = |column: &usize| sought.digit(*column, track).to_string();
            let text = || word.iter().map(digit).collect();
            numbers.as_ref().map(|numbers| numbers[track]).ok_or_else(text)
        };
        let named = |(track, name): (usize, &String)| NamedValue {
            name: name.clone(),
            value: value(track),
        };
        names.iter().enumerate().map(named).collect()
    });
    let shown = found.clone().filter(|_| !bound.is_empty());
    Ok(if found.is_some() == universal {
        FormulaDecision::False(shown)
    } else {
        FormulaDecision::True(shown)
    })
}

/// Returns whether a formula begins with `A`, what its outermost quantifiers of one kind bind, and
/// its body without them.
fn split_outer_quantifiers(root: &Node) -> (bool, Vec<usize>, Node) {
    let universal = matches!(root, Node::Forall(..));
    let (mut bound, mut body) = (Vec::new(), root);
    loop {
        match body {
            Node::Forall(variables, inner) if universal => {
                bound.extend(variables);
                body = inner;
            }
            Node::Exists(variables, inner) if !universal => {
                bound.extend(variables);
                body = inner;
            }
            _ => return (universal, bound, body.clone()),
        }
    }
}

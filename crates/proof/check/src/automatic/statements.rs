//! Statements about all numbers, made of formulas with terms in place of their variables.

use super::machine::{Builder, Machine, Says, variables};
use super::numerals::Numerals;
use super::table::Table;
use crate::p_positions::form::Variable;
use crate::p_positions::formula::{Node, Relation, Term, formula};
use crate::tuples::Tuples;
use crate::work::{Reason, Work};

/// The number from which on variables are bound in a statement, above all that are not.
const BOUND: usize = 64;

/// Reads a term. The last of the letters stands for the term itself, which is made of the others.
pub(crate) fn defined(
    text: &str,
    letters: &[&str],
    else_wrong: &'static str,
) -> Result<Term, Reason> {
    let names: Vec<String> = letters.iter().map(|name| (*name).into()).collect();
    let (value, equation) = (letters.len() - 1, format!("{} = {text}", letters[letters.len() - 1]));
    match formula(&equation, &names)?.root {
        Node::Compare(Term::Variable(left), Relation::Equal, term)
            if left == value && !term.names(value) =>
        {
            Ok(term)
        }
        _ => Err(else_wrong.into()),
    }
}

impl Term {
    /// Returns whether it names a variable.
    pub(crate) fn names(&self, variable: usize) -> bool {
        match self {
            Term::Number(_) => false,
            Term::Variable(number) => *number == variable,
            Term::Sum(all) | Term::Xor(_, all) | Term::Min(all) | Term::Max(all) => {
                all.iter().any(|one| one.names(variable))
            }
            Term::Times(_, one)
            | Term::Div(one, _)
            | Term::Mod(one, _)
            | Term::Shift(one)
            | Term::Floor(_, _, one) => one.names(variable),
        }
    }

    /// Returns the term with these terms in place of its free variables. Those that are bound in a
    /// formula come after them, and get numbers above all that are free in a statement.
    pub(crate) fn with(&self, values: &[Term]) -> Term {
        let one = |term: &Term| Box::new(term.with(values));
        let each = |all: &[Term]| all.iter().map(|term| term.with(values)).collect();
        match self {
            Term::Number(number) => Term::Number(*number),
            Term::Variable(at) => match values.get(*at) {
                Some(value) => value.clone(),
                None => Term::Variable(BOUND + at - values.len()),
            },
            Term::Sum(all) => Term::Sum(each(all)),
            Term::Xor(modulus, all) => Term::Xor(*modulus, each(all)),
            Term::Min(all) => Term::Min(each(all)),
            Term::Max(all) => Term::Max(each(all)),
            Term::Times(times, term) => Term::Times(*times, one(term)),
            Term::Div(term, by) => Term::Div(one(term), *by),
            Term::Mod(term, by) => Term::Mod(one(term), *by),
            Term::Shift(term) => Term::Shift(one(term)),
            Term::Floor(whole, period, term) => Term::Floor(*whole, period.clone(), one(term)),
        }
    }
}

impl Node {
    /// Returns whether it names a variable.
    pub(crate) fn names(&self, variable: usize) -> bool {
        let mut all = Vec::new();
        variables(self, &mut all);
        all.contains(&variable)
    }

    /// Returns the formula with these terms in place of its free variables ([`Term::with`]).
    pub(crate) fn with(&self, values: &[Term]) -> Node {
        let one = |node: &Node| Box::new(node.with(values));
        let each = |all: &[Node]| all.iter().map(|node| node.with(values)).collect();
        let bound = |all: &[usize]| all.iter().map(|at| BOUND + at - values.len()).collect();
        match self {
            Node::Known(truth) => Node::Known(*truth),
            Node::Compare(left, relation, right) => {
                Node::Compare(left.with(values), *relation, right.with(values))
            }
            Node::Not(inner) => Node::Not(one(inner)),
            Node::And(all) => Node::And(each(all)),
            Node::Or(all) => Node::Or(each(all)),
            Node::Iff(left, right) => Node::Iff(one(left), one(right)),
            Node::Exists(names, body, _) => Node::Exists(bound(names), one(body), Vec::new()),
            Node::Forall(names, body, _) => Node::Forall(bound(names), one(body), Vec::new()),
        }
    }
}

/// Checks that a statement about so many numbers holds of all; how many states were looked at.
///
/// The machine of its contrary holds of nothing that is read, if it has no variables but these. If
/// it has others, of which one value fits at most, the statement holds with a value that fits
/// wherever its automaton accepts, and it accepts whatever is read: so a quotient of a negative
/// number, which has no value, is declined.
pub(crate) fn holds_everywhere(
    statement: &Node,
    free: usize,
    else_wrong: &'static str,
    work: &Work<'_>,
) -> Result<usize, Reason> {
    let names: Vec<Variable> = (0..free).collect();
    let machine = |said: &Node| {
        let mut said = |builder: &mut Builder<'_>| builder.formula(said, &names);
        Machine::new(Numerals::BINARY, free, &mut said, work)
    };
    let contrary = machine(&Node::Not(statement.clone().into()))?;
    if contrary.letters() > 1 << free {
        let table = Table::projected(&machine(statement)?, 2, free, work)?;
        return if table.accepts.contains(&false) {
            Err(else_wrong.into())
        } else {
            Ok(table.states())
        };
    }
    let mut states: Tuples<'_, Vec<i64>> = Tuples::new(96 + 16 * contrary.start().len(), work);
    states.add(&contrary.start())?;
    while let Some(state) = states.next() {
        if contrary.says(&state, work)? == Says::Truth(true) {
            return Err(else_wrong.into());
        }
        for letter in 0..contrary.letters() {
            if let Some(next) = contrary.step(&state, letter, work)?
                && !contrary.is_hopeless(&next)
            {
                states.add(&next)?;
            }
        }
    }
    Ok(states.count())
}

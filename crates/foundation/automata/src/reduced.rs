//! Formulas over atoms: what every formula comes down to before it is decided or written down for
//! another program.
//!
//! Only comparisons are rewritten, each to alternatives of [atoms](crate::linear_form::Atom) by way
//! of [`alternatives`]; connectives and quantifiers stay as they are, so any formula has this form.

use crate::effort::Undecided;
use crate::linear_form::{Atom, Variable};
use crate::normal::{Conjunction, alternatives};
use bouton_core::Meter;
use bouton_formula::{Formula, Node};

/// A formula over atoms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reduced {
    /// True or false.
    Constant(bool),
    /// One atom.
    Atom(Atom),
    /// Not.
    Not(Box<Reduced>),
    /// All of them.
    And(Vec<Reduced>),
    /// At least one.
    Or(Vec<Reduced>),
    /// Both or neither.
    Iff(Box<Reduced>, Box<Reduced>),
    /// For some values.
    Exists(Vec<Variable>, Box<Reduced>),
    /// For all values.
    Forall(Vec<Variable>, Box<Reduced>),
}

impl Reduced {
    /// Returns the formula, its variables numbered as in it; those that name parts of terms are
    /// numbered after them.
    pub fn new(formula: &Formula, meter: &mut Meter) -> Result<Reduced, Undecided> {
        let next = formula.names.len() as Variable;
        Reducer { formula, next, meter }.node(&formula.root)
    }

    /// Returns the formula's body without its outermost quantifiers of one kind, and what they
    /// bind.
    pub fn split_outer_quantifiers(self) -> (Quantifier, Vec<Variable>, Reduced) {
        let (mut bound, mut body) = (Vec::new(), self);
        let mut kind = Quantifier::None;
        loop {
            match (kind, body) {
                (Quantifier::None | Quantifier::Exists, Reduced::Exists(variables, inner)) => {
                    (kind, body) = (Quantifier::Exists, *inner);
                    bound.extend(variables);
                }
                (Quantifier::None | Quantifier::Forall, Reduced::Forall(variables, inner)) => {
                    (kind, body) = (Quantifier::Forall, *inner);
                    bound.extend(variables);
                }
                (_, body) => return (kind, bound, body),
            }
        }
    }
}

/// How a formula begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// With none.
    None,
    /// With `E`.
    Exists,
    /// With `A`.
    Forall,
}

struct Reducer<'f, 'm> {
    formula: &'f Formula,
    next: Variable,
    meter: &'m mut Meter,
}

impl Reducer<'_, '_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<Vec<Reduced>, Undecided> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn boxed(&mut self, node: &Node) -> Result<Box<Reduced>, Undecided> {
        self.node(node).map(Box::new)
    }

    fn node(&mut self, node: &Node) -> Result<Reduced, Undecided> {
        let numbers = |variables: &[usize]| variables.iter().map(|&v| v as Variable).collect();
        Ok(match node {
            Node::Constant(value) => Reduced::Constant(*value),
            Node::Not(inner) => Reduced::Not(self.boxed(inner)?),
            Node::And(parts) => Reduced::And(self.nodes(parts)?),
            Node::Or(parts) => Reduced::Or(self.nodes(parts)?),
            Node::Implies(left, right) => {
                Reduced::Or(vec![Reduced::Not(self.boxed(left)?), self.node(right)?])
            }
            Node::Iff(left, right) => Reduced::Iff(self.boxed(left)?, self.boxed(right)?),
            Node::Exists(variables, body) => Reduced::Exists(numbers(variables), self.boxed(body)?),
            Node::Forall(variables, body) => Reduced::Forall(numbers(variables), self.boxed(body)?),
            Node::Compare(..) => self.comparison(node)?,
        })
    }

    fn comparison(&mut self, node: &Node) -> Result<Reduced, Undecided> {
        let names = self.formula.names.clone();
        let place: Vec<Variable> = (0..names.len() as Variable).collect();
        let alone = Formula { free: names.len(), names, root: node.clone() };
        let mut all: Vec<Reduced> = alternatives(&alone, &place, &mut self.next, self.meter)?
            .into_iter()
            .map(conjunction)
            .collect();
        Ok(match all.len() {
            0 => Reduced::Constant(false),
            1 => all.remove(0),
            _ => Reduced::Or(all),
        })
    }
}

fn conjunction(Conjunction { atoms, chosen }: Conjunction) -> Reduced {
    let mut atoms: Vec<Reduced> = atoms.into_iter().map(Reduced::Atom).collect();
    let body = match atoms.len() {
        0 => Reduced::Constant(true),
        1 => atoms.remove(0),
        _ => Reduced::And(atoms),
    };
    if chosen.is_empty() { body } else { Reduced::Exists(chosen, Box::new(body)) }
}

//! Formulas made of parts: connectives on trees, and a builder that numbers variables.
//!
//! A formula that the program makes itself is built here, not written as text and read again. Trees
//! have the shape that the parser gives to the same formula as text.

use crate::claim::{Claim, MAX_CLAIM_HEAPS};
use crate::formula::{Formula, Node, Relation, Term};

impl Node {
    /// Returns the conjunction of all parts: `true` of none, the part itself of one.
    pub fn all(parts: impl IntoIterator<Item = Node>) -> Node {
        joined(parts, Node::And, |node| match node {
            Node::And(parts) => Ok(parts),
            other => Err(other),
        })
        .unwrap_or(Node::Constant(true))
    }

    /// Returns the disjunction of all parts: `false` of none, the part itself of one.
    pub fn any(parts: impl IntoIterator<Item = Node>) -> Node {
        joined(parts, Node::Or, |node| match node {
            Node::Or(parts) => Ok(parts),
            other => Err(other),
        })
        .unwrap_or(Node::Constant(false))
    }

    /// Returns `self & other`.
    pub fn and(self, other: Node) -> Node {
        Node::all([self, other])
    }

    /// Returns `~self`.
    pub fn negated(self) -> Node {
        Node::Not(self.into())
    }

    /// Returns `self => other`.
    pub fn implies(self, other: Node) -> Node {
        Node::Implies(self.into(), other.into())
    }

    /// Returns `self <=> other`.
    pub fn iff(self, other: Node) -> Node {
        Node::Iff(self.into(), other.into())
    }

    /// Returns `A variables: self`; of no variables the formula itself.
    pub fn for_all(self, variables: Vec<usize>) -> Node {
        if variables.is_empty() { self } else { Node::Forall(variables, self.into()) }
    }

    /// Returns `E variables: self`; of no variables the formula itself.
    pub fn exists(self, variables: Vec<usize>) -> Node {
        if variables.is_empty() { self } else { Node::Exists(variables, self.into()) }
    }
}

/// Joins parts; a first part that is joined in the same way is continued, as the parser does it.
fn joined(
    parts: impl IntoIterator<Item = Node>,
    join: fn(Vec<Node>) -> Node,
    opened: fn(Node) -> Result<Vec<Node>, Node>,
) -> Option<Node> {
    let mut parts = parts.into_iter();
    let first = parts.next()?;
    let Some(second) = parts.next() else { return Some(first) };
    let mut all = opened(first).unwrap_or_else(|other| vec![other]);
    all.push(second);
    all.extend(parts);
    Some(join(all))
}

impl Term {
    /// Returns the sum of some variables: 0 of none.
    pub fn sum_of(variables: impl IntoIterator<Item = usize>) -> Term {
        let mut terms: Vec<Term> = variables.into_iter().map(Term::Variable).collect();
        match terms.len() {
            0 => Term::Number(0),
            1 => terms.remove(0),
            _ => Term::Sum(terms),
        }
    }

    /// Returns `self RELATION other`.
    pub fn compared(self, relation: Relation, other: Term) -> Node {
        Node::Compare(self, relation, other)
    }

    /// Returns `self = other`.
    pub fn equals(self, other: Term) -> Node {
        self.compared(Relation::Equal, other)
    }

    /// Returns the term with every variable replaced by the variable that `to` names.
    pub fn renumbered(&self, to: &dyn Fn(usize) -> usize) -> Term {
        let all = |terms: &[Term]| terms.iter().map(|term| term.renumbered(to)).collect();
        let one = |term: &Term| Box::new(term.renumbered(to));
        match self {
            Term::Number(number) => Term::Number(*number),
            Term::Variable(variable) => Term::Variable(to(*variable)),
            Term::Sum(terms) => Term::Sum(all(terms)),
            Term::Multiple(factor, term) => Term::Multiple(*factor, one(term)),
            Term::DigitSum(base, terms) => Term::DigitSum(*base, all(terms)),
            Term::Min(terms) => Term::Min(all(terms)),
            Term::Max(terms) => Term::Max(all(terms)),
            Term::Quotient(term, by) => Term::Quotient(one(term), *by),
            Term::Remainder(term, by) => Term::Remainder(one(term), *by),
            Term::Shift(term) => Term::Shift(one(term)),
            Term::Floor(slope, term) => Term::Floor(*slope, one(term)),
            Term::Arithmetic(word, terms) => Term::Arithmetic(*word, all(terms)),
        }
    }
}

impl Term {
    /// Visits the term and all terms in it, in the order in which they are written.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(&Term)) {
        visit(self);
        match self {
            Term::Number(_) | Term::Variable(_) => {}
            Term::Sum(terms)
            | Term::DigitSum(_, terms)
            | Term::Min(terms)
            | Term::Max(terms)
            | Term::Arithmetic(_, terms) => {
                terms.iter().for_each(|term| term.visit_terms(visit));
            }
            Term::Multiple(_, term)
            | Term::Quotient(term, _)
            | Term::Remainder(term, _)
            | Term::Shift(term)
            | Term::Floor(_, term) => term.visit_terms(visit),
        }
    }

    /// Returns whether a variable is in the term.
    pub fn mentions(&self, variable: usize) -> bool {
        let mut found = false;
        self.visit_terms(&mut |term| found |= *term == Term::Variable(variable));
        found
    }
}

impl Node {
    /// Visits all terms, in the order in which they are written.
    pub fn visit_terms(&self, visit: &mut dyn FnMut(&Term)) {
        match self {
            Node::Constant(_) => {}
            Node::Compare(left, _, right) => {
                left.visit_terms(visit);
                right.visit_terms(visit);
            }
            Node::And(nodes) | Node::Or(nodes) => {
                nodes.iter().for_each(|node| node.visit_terms(visit))
            }
            Node::Implies(left, right) | Node::Iff(left, right) => {
                left.visit_terms(visit);
                right.visit_terms(visit);
            }
            Node::Not(node) | Node::Exists(_, node) | Node::Forall(_, node) => {
                node.visit_terms(visit)
            }
        }
    }

    /// Returns whether a variable is in one of the terms.
    pub fn mentions(&self, variable: usize) -> bool {
        let mut found = false;
        self.visit_terms(&mut |term| found |= *term == Term::Variable(variable));
        found
    }

    /// Returns the tree with every variable, bound ones included, replaced by the variable that
    /// `to` names.
    fn renumbered(&self, to: &dyn Fn(usize) -> usize) -> Node {
        let all = |nodes: &[Node]| nodes.iter().map(|node| node.renumbered(to)).collect();
        let one = |node: &Node| Box::new(node.renumbered(to));
        let each = |variables: &[usize]| variables.iter().map(|variable| to(*variable)).collect();
        match self {
            Node::Constant(value) => Node::Constant(*value),
            Node::Compare(left, relation, right) => {
                Node::Compare(left.renumbered(to), *relation, right.renumbered(to))
            }
            Node::Not(node) => Node::Not(one(node)),
            Node::And(nodes) => Node::And(all(nodes)),
            Node::Or(nodes) => Node::Or(all(nodes)),
            Node::Implies(left, right) => Node::Implies(one(left), one(right)),
            Node::Iff(left, right) => Node::Iff(one(left), one(right)),
            Node::Exists(variables, node) => Node::Exists(each(variables), one(node)),
            Node::Forall(variables, node) => Node::Forall(each(variables), one(node)),
        }
    }
}

/// Builds one formula out of variables and of other formulas.
///
/// ```
/// use bouton_formula::{Formula, FormulaBuilder, Relation, Term};
///
/// let even = Formula::parse_over("E y: x = 2*y", &["x".to_owned()])?;
/// let mut builder = FormulaBuilder::default();
/// let n = builder.bind("n");
/// let odd = builder.embed(&even, &[n]).negated();
/// let sentence = builder.build(odd.exists(vec![n]));
/// assert_eq!(sentence.to_string(), "E n: ~(E y: n = 2*y)");
/// assert_eq!(Formula::parse(&sentence.to_string())?, sentence);
/// # Ok::<(), bouton_formula::FormulaError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct FormulaBuilder {
    names: Vec<String>,
    free: usize,
}

impl FormulaBuilder {
    /// Returns a builder of formulas with these free variables, numbered from 0 in this order.
    pub fn over(names: impl IntoIterator<Item = String>) -> FormulaBuilder {
        let names: Vec<String> = names.into_iter().collect();
        FormulaBuilder { free: names.len(), names }
    }

    /// Returns a new variable for a quantifier. Names may repeat: variables are distinguished by
    /// number.
    pub fn bind(&mut self, name: impl Into<String>) -> usize {
        self.names.push(name.into());
        self.names.len() - 1
    }

    /// Returns the name of a variable.
    pub fn name(&self, variable: usize) -> &str {
        &self.names[variable]
    }

    /// Returns the tree of a formula with its free variables replaced by these, in order, and its
    /// bound variables by new ones.
    ///
    /// # Panics
    /// If there are fewer variables than the formula has free ones.
    pub fn embed(&mut self, formula: &Formula, variables: &[usize]) -> Node {
        assert!(variables.len() >= formula.free, "a free variable has no replacement");
        let first = self.names.len();
        self.names.extend(formula.names[formula.free..].iter().cloned());
        formula.root.renumbered(&|variable| match variable.checked_sub(formula.free) {
            Some(bound) => first + bound,
            None => variables[variable],
        })
    }

    /// Returns the formula with this tree.
    pub fn build(self, root: Node) -> Formula {
        Formula { names: self.names, free: self.free, root }
    }
}

impl Formula {
    /// Returns the formula with its free variables called by these names, in order.
    ///
    /// # Panics
    /// Unless there are as many names as free variables.
    pub fn over(&self, names: &[String]) -> Formula {
        let mut builder = FormulaBuilder::over(names.iter().cloned());
        assert_eq!(names.len(), self.free, "one name for each free variable");
        let variables: Vec<usize> = (0..self.free).collect();
        let root = builder.embed(self, &variables);
        builder.build(root)
    }
}

impl Claim {
    /// Returns the claim that every position of this many heaps meets, or none.
    pub fn constant(value: bool, heaps: usize) -> Claim {
        assert!(heaps <= MAX_CLAIM_HEAPS, "a claim names at most {MAX_CLAIM_HEAPS} heaps");
        let builder = FormulaBuilder::over(('a'..='z').take(heaps).map(String::from));
        Claim::from_formula(builder.build(Node::Constant(value)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// What is built is what the parser reads of the same formula as text.
    #[test]
    fn built_formulas_are_as_read() {
        let names = ["p".to_owned(), "q".to_owned()];
        for [left, right] in [
            ["(p = q | p < 3)", "E x: p + x = q"],
            ["(A x,y: x xor y = p)", "q mod 4 = 1 & p >= 2"],
            ["p <= q & q <= 7", "p = 1 => q = 2"],
        ] {
            let [one, other] = [left, right].map(|text| Formula::parse_over(text, &names).unwrap());
            let mut builder = FormulaBuilder::over(names.iter().cloned());
            let (first, second) = (builder.embed(&one, &[0, 1]), builder.embed(&other, &[1, 0]));
            let built = builder.build(Node::all([first, second.negated()]));
            let turned = right.replace('p', "Q").replace('q', "p").replace('Q', "q");
            let read = Formula::parse_over(&format!("{left} & ~({turned})"), &names).unwrap();
            assert_eq!(built, read, "{left}, {right}");
            assert_eq!(built.to_string(), read.to_string());
        }
        assert_eq!(Node::all([]), Node::Constant(true));
        assert_eq!(Node::any([]), Node::Constant(false));
        assert_eq!(Claim::constant(true, 2), Claim::parse("true", 2).unwrap());
    }
}

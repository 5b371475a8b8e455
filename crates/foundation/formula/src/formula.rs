//! Formulas over the natural numbers: the tree, and how it is printed.
//!
//! A [`Formula`] owns its variables by number, so that a bound variable never clashes with another
//! of the same name. The free ones come first, in the order in which they were declared or written
//! (not alphabetically).

use crate::arithmetic::ArithmeticSymbol;
use crate::slope::{Period, Slope};
use std::fmt;

/// A relation between two terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// Returns whether it holds between two values that compare so.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Relation::Equal => order.is_eq(),
            Relation::Unequal => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::AtLeast => order.is_ge(),
        }
    }

    /// Returns the relation that holds exactly where this one does not.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::Unequal,
            Relation::Unequal => Relation::Equal,
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Greater => Relation::AtMost,
            Relation::AtLeast => Relation::Less,
        }
    }

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Equal => "=",
            Relation::Unequal => "!=",
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
        }
    }
}

/// A term. Values are integers; `⊕`, `div`, `mod`, `shift` and `floor` are applied to terms without
/// minus only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// A constant.
    Number(u64),
    /// A variable, by its number in the formula.
    Variable(usize),
    /// A sum; a difference is a sum with a multiple by −1.
    Sum(Vec<Term>),
    /// A constant multiple.
    Multiple(i64, Box<Term>),
    /// Binary digits summed place by place modulo a number from 2 to 9; modulus 2 is the nim-sum.
    DigitSum(u8, Vec<Term>),
    /// The least of some terms.
    Min(Vec<Term>),
    /// The greatest of some terms.
    Max(Vec<Term>),
    /// The quotient by a positive constant, rounded down.
    Quotient(Box<Term>, u64),
    /// The remainder by a positive constant.
    Remainder(Box<Term>, u64),
    /// The number whose Zeckendorf (Fibonacci) digits are the term's with a 0 put after them.
    Shift(Box<Term>),
    /// A quadratic irrational number times the term, rounded down.
    Floor(Slope, Box<Term>),
    /// A word of arithmetic that no automaton reads.
    Arithmetic(ArithmeticSymbol, Vec<Term>),
}

impl Term {
    /// Returns a term that leaves the same remainders by this modulus, up to 2^32: multiples are
    /// never negative, but in `min` and `max`.
    pub fn without_minus(self, modulus: u64) -> Term {
        match self {
            Term::Sum(parts) => {
                Term::Sum(parts.into_iter().map(|part| part.without_minus(modulus)).collect())
            }
            Term::Multiple(k, inner) if k < 0 => {
                let k = k.rem_euclid(modulus as i64);
                match (k, inner.without_minus(modulus)) {
                    (0, _) => Term::Number(0),
                    (1, inner) => inner,
                    (k, Term::Number(x)) => Term::Number((k as u64 * (x % modulus)) % modulus),
                    (k, inner) => Term::Multiple(k, inner.into()),
                }
            }
            Term::Multiple(k, inner) => Term::Multiple(k, inner.without_minus(modulus).into()),
            term => term,
        }
    }
}

/// A formula's tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// `true` or `false`.
    Constant(bool),
    /// Two terms compared.
    Compare(Term, Relation, Term),
    /// `~`
    Not(Box<Node>),
    /// `&`
    And(Vec<Node>),
    /// `|`
    Or(Vec<Node>),
    /// `=>`
    Implies(Box<Node>, Box<Node>),
    /// `<=>`
    Iff(Box<Node>, Box<Node>),
    /// `E x,y: …`
    Exists(Vec<usize>, Box<Node>),
    /// `A x,y: …`
    Forall(Vec<usize>, Box<Node>),
}

impl Node {
    /// Returns the condition that this comparison is, as `prime(n)`: its word, its arguments, and
    /// whether it is to hold.
    pub fn condition(&self) -> Option<(ArithmeticSymbol, &[Term], bool)> {
        let Node::Compare(Term::Arithmetic(word, parts), relation, Term::Number(1)) = self else {
            return None;
        };
        match relation {
            Relation::Equal if word.is_condition() => Some((*word, parts, true)),
            Relation::Unequal if word.is_condition() => Some((*word, parts, false)),
            _ => None,
        }
    }
}

/// A formula with its variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Formula {
    /// The variables' names by number, the free ones first.
    pub names: Vec<String>,
    /// How many are free.
    pub free: usize,
    /// The tree.
    pub root: Node,
}

impl Formula {
    /// Returns the first word of arithmetic that it says and no automaton reads.
    pub fn arithmetic_word(&self) -> Option<ArithmeticSymbol> {
        let mut found = None;
        self.root.visit_terms(&mut |term| {
            if let Term::Arithmetic(word, _) = term {
                found.get_or_insert(*word);
            }
        });
        found
    }

    /// Returns whether it says nim-sums, or other digit sums.
    pub fn has_digit_sums(&self) -> bool {
        self.has_term(|term| matches!(term, Term::DigitSum(..)))
    }

    /// Returns whether it says shifts, or multiples of the golden ratio.
    pub fn has_golden_multiples(&self) -> bool {
        self.has_term(|term| match term {
            Term::Shift(_) => true,
            Term::Floor(slope, _) => slope.period == Period::GOLDEN,
            _ => false,
        })
    }

    /// Returns whether digits of one bit do for what it says: binary ones, or those of Zeckendorf
    /// if it says shifts or multiples of the golden ratio, but not both.
    pub fn is_read_bit_by_bit(&self) -> bool {
        let has_others = self.has_term(|term| match term {
            Term::Floor(slope, _) => slope.period != Period::GOLDEN,
            _ => false,
        });
        !(has_others || self.has_digit_sums() && self.has_golden_multiples())
    }

    fn has_term(&self, is_sought: impl Fn(&Term) -> bool) -> bool {
        let mut found = false;
        self.root.visit_terms(&mut |term| found |= is_sought(term));
        found
    }

    /// Returns a term over the variables of the formula, printed as a side of a comparison.
    pub fn term_text(&self, term: &Term) -> String {
        struct Side<'f>(Printer<'f>, &'f Term);
        impl fmt::Display for Side<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.term(f, self.1, DIGIT_SUM)
            }
        }
        Side(Printer { names: &self.names }, term).to_string()
    }

    /// Returns whether no variable is free: the formula is then true or false.
    pub fn is_closed(&self) -> bool {
        self.free == 0
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer { names: &self.names }.node(f, &self.root, 0)
    }
}

/// How tightly each construct binds, loosest first; shared with the parser.
pub(crate) mod binding {
    pub const IFF: u8 = 1;
    pub const IMPLIES: u8 = 2;
    pub const OR: u8 = 3;
    pub const AND: u8 = 4;
    pub const NOT: u8 = 5;
    pub const COMPARE: u8 = 6;
    pub const DIGIT_SUM: u8 = 7;
    pub const SUM: u8 = 8;
    pub const PRODUCT: u8 = 9;
    pub const TIGHTEST: u8 = 10;
}
use ArithmeticSymbol::{Product, Quotient, Remainder};
use binding::*;

struct Printer<'f> {
    names: &'f [String],
}

impl Printer<'_> {
    fn node(&self, f: &mut fmt::Formatter<'_>, node: &Node, outer: u8) -> fmt::Result {
        if let Some((word, parts, holds)) = node.condition() {
            f.write_str(if holds { "" } else { "~" })?;
            return self.call(f, word, parts);
        }
        let own = match node {
            Node::Constant(_) => TIGHTEST,
            Node::Compare(..) => COMPARE,
            Node::Not(_) => NOT,
            Node::And(parts) | Node::Or(parts) if parts.len() == 1 => {
                return self.node(f, &parts[0], outer);
            }
            Node::And(parts) => {
                if parts.is_empty() {
                    TIGHTEST
                } else {
                    AND
                }
            }
            Node::Or(parts) => {
                if parts.is_empty() {
                    TIGHTEST
                } else {
                    OR
                }
            }
            Node::Implies(..) => IMPLIES,
            Node::Iff(..) => IFF,
            Node::Exists(..) | Node::Forall(..) => 0,
        };
        // A quantifier reaches as far right as it can, so inside anything it is in parentheses.
        let wrap = own < outer || (own == 0 && outer > 0);
        if wrap {
            f.write_str("(")?;
        }
        match node {
            Node::Constant(value) => write!(f, "{value}")?,
            Node::Compare(left, relation, right) => {
                self.term(f, left, DIGIT_SUM)?;
                write!(f, " {} ", relation.symbol())?;
                self.term(f, right, DIGIT_SUM)?;
            }
            Node::Not(inner) => {
                f.write_str("~")?;
                self.node(f, inner, TIGHTEST)?;
            }
            Node::And(parts) if parts.is_empty() => f.write_str("true")?,
            Node::Or(parts) if parts.is_empty() => f.write_str("false")?,
            Node::And(parts) => self.nodes(f, parts, " & ", AND + 1)?,
            Node::Or(parts) => self.nodes(f, parts, " | ", OR + 1)?,
            Node::Implies(left, right) => {
                self.node(f, left, IMPLIES + 1)?;
                f.write_str(" => ")?;
                self.node(f, right, IMPLIES)?;
            }
            Node::Iff(left, right) => {
                self.node(f, left, IFF + 1)?;
                f.write_str(" <=> ")?;
                self.node(f, right, IFF + 1)?;
            }
            Node::Exists(variables, body) => self.quantifier(f, "E", variables, body)?,
            Node::Forall(variables, body) => self.quantifier(f, "A", variables, body)?,
        }
        if wrap { f.write_str(")") } else { Ok(()) }
    }

    fn nodes(
        &self,
        f: &mut fmt::Formatter<'_>,
        parts: &[Node],
        between: &str,
        inner: u8,
    ) -> fmt::Result {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                f.write_str(between)?;
            }
            self.node(f, part, inner)?;
        }
        Ok(())
    }

    fn quantifier(
        &self,
        f: &mut fmt::Formatter<'_>,
        letter: &str,
        variables: &[usize],
        body: &Node,
    ) -> fmt::Result {
        let names: Vec<&str> = variables.iter().map(|&v| self.names[v].as_str()).collect();
        write!(f, "{letter} {}: ", names.join(","))?;
        self.node(f, body, 0)
    }

    fn term(&self, f: &mut fmt::Formatter<'_>, term: &Term, outer: u8) -> fmt::Result {
        let own = match term {
            Term::Sum(parts) if parts.len() == 1 => return self.term(f, &parts[0], outer),
            Term::DigitSum(_, parts) if parts.len() > 1 => DIGIT_SUM,
            Term::Sum(_) => SUM,
            Term::Multiple(..) | Term::Quotient(..) | Term::Remainder(..) => PRODUCT,
            Term::Arithmetic(Product | Quotient | Remainder, _) => PRODUCT,
            _ => TIGHTEST,
        };
        let wrap = own < outer;
        if wrap {
            f.write_str("(")?;
        }
        match term {
            Term::Number(value) => write!(f, "{value}")?,
            Term::Variable(v) => f.write_str(&self.names[*v])?,
            Term::Sum(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    match part {
                        Term::Multiple(k, inner) if *k < 0 => {
                            f.write_str(if i == 0 { "0 - " } else { " - " })?;
                            if *k != -1 {
                                write!(f, "{}*", k.unsigned_abs())?;
                            }
                            self.term(f, inner, PRODUCT + u8::from(*k != -1))?;
                        }
                        _ => {
                            f.write_str(if i == 0 { "" } else { " + " })?;
                            self.term(f, part, SUM + 1)?;
                        }
                    }
                }
                if parts.is_empty() {
                    f.write_str("0")?;
                }
            }
            Term::Multiple(k, inner) => {
                if *k < 0 {
                    write!(f, "(0 - {}*", k.unsigned_abs())?;
                } else {
                    write!(f, "{k}*")?;
                }
                self.term(f, inner, TIGHTEST)?;
                if *k < 0 {
                    f.write_str(")")?;
                }
            }
            Term::DigitSum(modulus, parts) => {
                let word = if *modulus == 2 { "xor".to_owned() } else { format!("xor{modulus}") };
                if parts.len() > 1 {
                    self.terms(f, parts, &format!(" {word} "), DIGIT_SUM + 1)?;
                } else {
                    write!(f, "{word}(")?;
                    self.terms(f, parts, "", 0)?;
                    f.write_str(")")?;
                }
            }
            Term::Min(parts) | Term::Max(parts) => {
                f.write_str(if matches!(term, Term::Min(_)) { "min(" } else { "max(" })?;
                self.terms(f, parts, ", ", 0)?;
                f.write_str(")")?;
            }
            Term::Quotient(inner, by) => {
                self.term(f, inner, PRODUCT)?;
                write!(f, " div {by}")?;
            }
            Term::Remainder(inner, by) => {
                self.term(f, inner, PRODUCT)?;
                write!(f, " mod {by}")?;
            }
            Term::Shift(inner) => {
                f.write_str("shift(")?;
                self.term(f, inner, 0)?;
                f.write_str(")")?;
            }
            Term::Floor(slope, inner) => {
                write!(f, "floor{slope}(")?;
                self.term(f, inner, 0)?;
                f.write_str(")")?;
            }
            Term::Arithmetic(Product, parts) => self.terms(f, parts, "*", TIGHTEST)?,
            Term::Arithmetic(word @ (Quotient | Remainder), parts) => {
                self.terms(f, parts, &format!(" {} ", word.name()), TIGHTEST)?;
            }
            Term::Arithmetic(word, parts) => self.call(f, *word, parts)?,
        }
        if wrap { f.write_str(")") } else { Ok(()) }
    }

    fn call(
        &self,
        f: &mut fmt::Formatter<'_>,
        word: ArithmeticSymbol,
        parts: &[Term],
    ) -> fmt::Result {
        write!(f, "{}(", word.name())?;
        self.terms(f, parts, ", ", 0)?;
        f.write_str(")")
    }

    fn terms(
        &self,
        f: &mut fmt::Formatter<'_>,
        parts: &[Term],
        between: &str,
        inner: u8,
    ) -> fmt::Result {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                f.write_str(between)?;
            }
            self.term(f, part, inner)?;
        }
        Ok(())
    }
}

//! Formulas as certificates print them: first-order over natural numbers, with sums by digit.
//!
//! `~ & | => <=>`, `E x: …`, `A x: …`, `= != < <= > >=`, `+ - *`, `xor` to `xor9`, `mod`, `div`,
//! `min(…)`, `max(…)`, `shift(…)`, `floor[1;(2)](…)`. Binding, tightest first: `* mod div`, `+ -`,
//! `xor`, comparison, `~`, `&`, `|`, `=>`, `<=>`.

mod fixed;

use super::cases::{FIXED, NONE, Signed};
use super::form::Variable;
use crate::work::{Reason, shown};
pub use fixed::Named;

/// A term; its variables are numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    Number(i64),
    Variable(usize),
    Sum(Vec<Term>),
    Times(i64, Box<Term>),
    /// Binary digits summed place by place, modulo a number from 2 to 9.
    Xor(u8, Vec<Term>),
    Min(Vec<Term>),
    Max(Vec<Term>),
    Div(Box<Term>, i64),
    Mod(Box<Term>, i64),
    /// The number with a 0 after its Zeckendorf digits: n + ⌊(n + 1)/φ⌋.
    Shift(Box<Term>),
    /// A continued fraction (its whole part, its period) times a number, rounded down.
    Floor(i64, Vec<i64>, Box<Term>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Equal,
    Less,
    AtMost,
}

/// A formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Known(bool),
    Compare(Term, Relation, Term),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Iff(Box<Node>, Box<Node>),
    /// With the numbers for which it is used that there are none.
    Exists(Vec<usize>, Box<Node>, Vec<Named>),
    /// With the numbers for which it is used.
    Forall(Vec<usize>, Box<Node>, Vec<Named>),
}

/// A formula read: bound variables are numbered after the free ones, in the order of quantifiers.
#[derive(Debug, Clone)]
pub struct Formula {
    pub root: Node,
    /// How many variables are bound.
    pub bound: usize,
}

impl Formula {
    /// Returns the statement that the formula holds, or does not, of these variables.
    pub fn signed(&self, mut names: Vec<Variable>, truth: bool) -> Signed<'_> {
        names.resize(names.len() + self.bound, if truth { FIXED } else { NONE });
        Signed { node: &self.root, truth, names }
    }
}

/// Most levels, of parentheses as of operators in rows that nest: formulas are walked through by
/// recursion.
const DEPTH: usize = 200;
const MAX_BYTES: usize = 1 << 16;

/// Reads a formula over these free variables.
pub fn formula(text: &str, names: &[String]) -> Result<Formula, Reason> {
    if text.len() > MAX_BYTES {
        return Err("a formula is too long".into());
    }
    let scope = names.iter().map(String::as_str).zip(0..).collect();
    let mut parser =
        Parser { tokens: tokens(text), at: 0, depth: 0, height: 0, scope, next: names.len() };
    let root = parser.node(1)?;
    match parser.peek() {
        "" => Ok(Formula { root, bound: parser.next - names.len() }),
        more => Err(unexpected(more)),
    }
}

fn tokens(text: &str) -> Vec<&str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let signs = ["<=>", "=>", "<=", ">=", "!="];
        let length = match first {
            'E' | 'A' => 1,
            c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            c => signs.iter().find(|s| rest.starts_with(**s)).map_or(c.len_utf8(), |s| s.len()),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn unexpected(token: &str) -> Reason {
    format!("`{}` is not expected", shown(token)).into()
}

enum Item {
    Term(Term),
    Node(Node),
}

struct Parser<'t> {
    tokens: Vec<&'t str>,
    at: usize,
    depth: usize,
    /// Levels below what was read last, at least.
    height: usize,
    scope: Vec<(&'t str, usize)>,
    next: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn take(&mut self) -> &'t str {
        self.at += 1;
        self.tokens.get(self.at - 1).copied().unwrap_or("")
    }

    fn expect(&mut self, token: &str) -> Result<(), Reason> {
        if self.take() == token { Ok(()) } else { Err(format!("`{token}` is missing").into()) }
    }

    fn node(&mut self, least: u8) -> Result<Node, Reason> {
        match self.item(least)? {
            Item::Node(node) => Ok(node),
            Item::Term(_) => Err("a number where a formula should stand".into()),
        }
    }

    fn term(&mut self) -> Result<Term, Reason> {
        match self.item(1)? {
            Item::Term(term) => Ok(term),
            Item::Node(_) => Err("a formula where a number should stand".into()),
        }
    }

    /// Reads an operand, and the operators after it that bind at least so tightly.
    fn item(&mut self, least: u8) -> Result<Item, Reason> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("nested too deeply".into());
        }
        self.height = 0;
        let mut left = self.operand()?;
        let (mut height, mut row) = (self.height, "");
        while let Some(binding) = binding(self.peek()).filter(|own| *own >= least) {
            let operator = self.take();
            // Only implication nests to the right.
            let right = self.item(binding + u8::from(operator != "=>"))?;
            left = match (left, right) {
                (Item::Node(left), Item::Node(right)) => {
                    Item::Node(connected(left, operator, right)?)
                }
                (Item::Term(left), Item::Term(right)) => combined(left, operator, right)?,
                _ => return Err(format!("`{operator}` joins formulas or numbers, not both").into()),
            };
            // Rows of these are gathered in one list; others nest.
            let kind = if operator == "-" { "+" } else { operator };
            let gathered =
                row == kind && (["&", "|", "+"].contains(&kind) || modulus(kind).is_some());
            height =
                if gathered { height.max(self.height + 2) } else { height.max(self.height) + 2 };
            if height > DEPTH {
                return Err("nested too deeply".into());
            }
            row = kind;
        }
        self.height = height;
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Item, Reason> {
        let token = self.take();
        Ok(Item::Term(match token {
            "" => return Err("a formula stops short".into()),
            "~" => {
                let inner = self.node(5)?;
                self.height += 1;
                return Ok(Item::Node(Node::Not(inner.into())));
            }
            "(" => {
                let item = self.item(1)?;
                self.expect(")")?;
                self.height += 1;
                return Ok(match item {
                    // What stands in parentheses is not joined with what follows.
                    Item::Term(sum @ Term::Xor(..)) => Item::Term(Term::Sum(vec![sum])),
                    item => item,
                });
            }
            "true" | "false" => return Ok(Item::Node(Node::Known(token == "true"))),
            "E" | "A" => return Ok(Item::Node(self.quantified(token == "E")?)),
            "min" => Term::Min(self.arguments()?),
            "max" => Term::Max(self.arguments()?),
            "shift" => Term::Shift(self.argument()?),
            "floor" => {
                self.expect("[")?;
                let whole = constant(self.take())?;
                self.expect(";")?;
                self.expect("(")?;
                let mut period = vec![constant(self.take())?];
                while self.peek() == "," {
                    self.take();
                    period.push(constant(self.take())?);
                }
                self.expect(")")?;
                self.expect("]")?;
                Term::Floor(whole, period, self.argument()?)
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => Term::Number(constant(token)?),
            _ => match modulus(token) {
                Some(modulus) => {
                    let parts = self.arguments()?.into_iter().map(Term::natural);
                    Term::Xor(modulus, parts.collect::<Result<_, _>>()?)
                }
                None => {
                    let found = self.scope.iter().rev().find(|(name, _)| *name == token);
                    Term::Variable(
                        found.ok_or_else(|| format!("`{}` is not known", shown(token)))?.1,
                    )
                }
            },
        }))
    }

    /// Reads what follows on `E` (`exists`) or `A`.
    fn quantified(&mut self, exists: bool) -> Result<Node, Reason> {
        let (outer, first) = (self.scope.len(), self.next);
        loop {
            let name = self.take();
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || self.next > 1000 {
                return Err(format!("`{}` is no variable", shown(name)).into());
            }
            self.scope.push((name, self.next));
            self.next += 1;
            match self.take() {
                "," => {}
                ":" => break,
                other => return Err(unexpected(other)),
            }
        }
        let variables: Vec<usize> = (first..self.next).collect();
        let body = self.node(1)?;
        self.height += 1;
        self.scope.truncate(outer);
        let named = fixed::named(&variables, &body, !exists);
        let quantified = if exists { Node::Exists } else { Node::Forall };
        Ok(quantified(variables, body.into(), named))
    }

    fn arguments(&mut self) -> Result<Vec<Term>, Reason> {
        self.expect("(")?;
        let (mut terms, mut height) = (Vec::new(), 0);
        loop {
            terms.push(self.term()?);
            height = height.max(self.height);
            match self.take() {
                "," => {}
                ")" => break,
                other => return Err(unexpected(other)),
            }
        }
        self.height = height + 2;
        Ok(terms)
    }

    fn argument(&mut self) -> Result<Box<Term>, Reason> {
        match <[Term; 1]>::try_from(self.arguments()?) {
            Ok([one]) => Ok(one.natural()?.into()),
            Err(_) => Err("shift and floor have one argument".into()),
        }
    }
}

fn constant(token: &str) -> Result<i64, Reason> {
    token
        .parse::<u32>()
        .map(i64::from)
        .map_err(|_| format!("`{}` is no number", shown(token)).into())
}

fn connected(left: Node, operator: &str, right: Node) -> Result<Node, Reason> {
    Ok(match (operator, left) {
        ("&", Node::And(parts)) => Node::And(joined(parts, right)),
        ("&", left) => Node::And(vec![left, right]),
        ("|", Node::Or(parts)) => Node::Or(joined(parts, right)),
        ("|", left) => Node::Or(vec![left, right]),
        ("=>", left) => Node::Or(vec![Node::Not(left.into()), right]),
        ("<=>", left) => Node::Iff(left.into(), right.into()),
        _ => return Err(format!("`{operator}` takes numbers").into()),
    })
}

fn combined(left: Term, operator: &str, right: Term) -> Result<Item, Reason> {
    if let Some((relation, truth)) = relation(operator) {
        let compared = match (relation, truth) {
            (Relation::Equal, true) => return Ok(Item::Node(equal(left, right))),
            _ => Node::Compare(left, relation, right),
        };
        return Ok(Item::Node(if truth { compared } else { Node::Not(compared.into()) }));
    }
    let positive = match right {
        Term::Number(k) if k > 0 => Ok(k),
        _ => Err(format!("`{operator}` needs a positive constant")),
    };
    Ok(Item::Term(match (operator, left) {
        ("+" | "-", left) => {
            let right = if operator == "-" { Term::Times(-1, right.into()) } else { right };
            Term::Sum(match left {
                Term::Sum(parts) => joined(parts, right),
                left => vec![left, right],
            })
        }
        ("div", left) => Term::Div(left.natural()?.into(), positive?),
        ("mod", left) => Term::Mod(left.natural()?.into(), positive?),
        ("*", Term::Number(k)) => Term::Times(k, right.into()),
        ("*", left) => match right {
            Term::Number(k) => Term::Times(k, left.into()),
            _ => return Err("a product needs a constant".into()),
        },
        (_, left) => {
            let modulus =
                modulus(operator).ok_or_else(|| format!("`{operator}` takes formulas"))?;
            // `a xor b xor c` is one sum, which matters if the modulus is above 2.
            let parts = match left {
                Term::Xor(same, parts) if same == modulus => parts,
                left => vec![left.natural()?],
            };
            Term::Xor(modulus, joined(parts, right.natural()?))
        }
    }))
}

impl Term {
    /// Returns the term, if it has no minus: digits are those of natural numbers.
    fn natural(self) -> Result<Term, Reason> {
        if self.has_no_minus() { Ok(self) } else { Err("a difference has no digits".into()) }
    }

    fn has_no_minus(&self) -> bool {
        match self {
            Term::Times(k, inner) => *k >= 0 && inner.has_no_minus(),
            Term::Sum(parts) | Term::Min(parts) | Term::Max(parts) => {
                parts.iter().all(Term::has_no_minus)
            }
            // Below these it was looked at already.
            _ => true,
        }
    }
}

/// Says that terms are equal. That the least of some is the greatest of them, or that a variable
/// among them is, is said without cases.
fn equal(left: Term, right: Term) -> Node {
    let compared = |a: &Term, relation, b: &Term| Node::Compare(a.clone(), relation, b.clone());
    for (one, other) in [(&left, &right), (&right, &left)] {
        let (Term::Min(parts) | Term::Max(parts)) = one else { continue };
        let least = matches!(one, Term::Min(_));
        if least && matches!(other, Term::Max(same) if same == parts) {
            let pairs = parts.windows(2);
            return Node::And(
                pairs.map(|two| compared(&two[0], Relation::Equal, &two[1])).collect(),
            );
        }
        if matches!(other, Term::Variable(_)) && parts.contains(other) {
            let below = |part| if least { (other, part) } else { (part, other) };
            let rest = parts.iter().filter(|part| *part != other).map(below);
            return Node::And(rest.map(|(a, b)| compared(a, Relation::AtMost, b)).collect());
        }
    }
    Node::Compare(left, Relation::Equal, right)
}

fn joined<T>(mut list: Vec<T>, one: T) -> Vec<T> {
    list.push(one);
    list
}

fn modulus(token: &str) -> Option<u8> {
    match token.strip_prefix("xor")? {
        "" => Some(2),
        digits => digits.parse().ok().filter(|m| (2..=9).contains(m)),
    }
}

/// Returns what a sign says, and whether of what is so or of what is not.
fn relation(token: &str) -> Option<(Relation, bool)> {
    Some(match token {
        "=" => (Relation::Equal, true),
        "!=" => (Relation::Equal, false),
        "<" => (Relation::Less, true),
        ">=" => (Relation::Less, false),
        "<=" => (Relation::AtMost, true),
        ">" => (Relation::AtMost, false),
        _ => return None,
    })
}

fn binding(token: &str) -> Option<u8> {
    Some(match token {
        "<=>" => 1,
        "=>" => 2,
        "|" => 3,
        "&" => 4,
        "+" | "-" => 8,
        "*" | "mod" | "div" => 9,
        _ => relation(token).map(|_| 6).or(modulus(token).map(|_| 7))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The signs are those of numbers: what is read of `a SIGN b` is true of the pairs of which the
    /// sign is.
    #[test]
    fn signs_mean_what_they_do_of_numbers() {
        type Meant = fn(&i64, &i64) -> bool;
        let signs: [(&str, Meant); 6] = [
            ("=", PartialEq::eq),
            ("!=", PartialEq::ne),
            ("<", PartialOrd::lt),
            ("<=", PartialOrd::le),
            (">", PartialOrd::gt),
            (">=", PartialOrd::ge),
        ];
        for (sign, meant) in signs {
            let read =
                formula(&format!("a {sign} b"), &["a".into(), "b".into()]).expect("a formula").root;
            let (node, truth) = match read {
                Node::Not(inner) => (*inner, false),
                node => (node, true),
            };
            let Node::Compare(Term::Variable(0), relation, Term::Variable(1)) = node else {
                panic!("{sign}: {node:?}")
            };
            for (a, b) in [(1, 2), (2, 2), (3, 2)] {
                let holds = match relation {
                    Relation::Equal => a == b,
                    Relation::Less => a < b,
                    Relation::AtMost => a <= b,
                };
                assert_eq!(holds == truth, meant(&a, &b), "{a} {sign} {b}");
            }
        }
    }
}

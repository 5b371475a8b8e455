//! Formulas as certificates print them: first-order over natural numbers, with sums by digit.
//!
//! `~ & | => <=>`, `E x: …`, `A x: …`, `= != < <= > >=`, `+ - *`, `xor` to `xor9`, `mod`, `div`, `min(…)`, `max(…)`,
//! `shift(…)`, `floor[1;(2)](…)`. Binding, tightest first: `* mod div`, `+ -`, `xor`, comparison, `~`, `&`, `|`, `=>`, `<=>`.

use super::cases::{NONE, Said};
use super::form::Variable;
use crate::work::{Reason, shown};

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
    /// A continued fraction, its whole part and the quotients that come again and again, times a number, rounded down.
    Floor(i64, Vec<i64>, Box<Term>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
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
    Exists(Vec<usize>, Box<Node>),
    Forall(Vec<usize>, Box<Node>),
}

/// A formula read: bound variables are numbered after the free ones, in the order of their quantifiers.
#[derive(Debug, Clone)]
pub struct Formula {
    pub root: Node,
    /// How many variables are bound.
    pub bound: usize,
}

impl Formula {
    /// That it holds, or does not, of these variables.
    pub fn said(&self, mut names: Vec<Variable>, truth: bool) -> Said<'_> {
        names.resize(names.len() + self.bound, NONE);
        Said { node: &self.root, truth, names }
    }
}

/// The most levels, of parentheses as of operators in rows that nest: what is read can be walked through by recursion.
const DEPTH: usize = 200;
const LONGEST: usize = 1 << 16;

/// Reads a formula over these free variables.
pub fn formula(text: &str, names: &[String]) -> Result<Formula, Reason> {
    if text.len() > LONGEST {
        return Err("a formula is too long".into());
    }
    let scope = names.iter().cloned().enumerate().map(|(i, name)| (name, i)).collect();
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0, height: 0, scope, next: names.len() };
    let Item::Node(root) = parser.item(1)? else {
        return Err("a number where a formula should stand".into());
    };
    if parser.at < parser.tokens.len() {
        return Err(format!("`{}` is not expected", shown(parser.tokens[parser.at])).into());
    }
    Ok(Formula { root, bound: parser.next - names.len() })
}

fn tokens(text: &str) -> Result<Vec<&str>, Reason> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match first {
            'E' | 'A' => 1,
            c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            _ => {
                ["<=>", "=>", "<=", ">=", "!="].iter().find(|s| rest.starts_with(**s)).map_or(1, |s| s.len())
            }
        };
        if !rest.is_char_boundary(length) || !first.is_ascii() {
            return Err(format!("`{}` is not expected", first.escape_default()).into());
        }
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
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
    scope: Vec<(String, usize)>,
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

    fn term(&mut self, least: u8) -> Result<Term, Reason> {
        match self.item(least)? {
            Item::Term(term) => Ok(term),
            Item::Node(_) => Err("a formula where a number should stand".into()),
        }
    }

    fn item(&mut self, least: u8) -> Result<Item, Reason> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("nested too deeply".into());
        }
        self.height = 0;
        let mut left = self.prefix()?;
        let (mut height, mut row) = (self.height, "");
        while let Some(binding) = binding(self.peek()).filter(|own| *own >= least) {
            let operator = self.take();
            left = match left {
                Item::Node(left) => Item::Node(self.connect(left, operator, binding)?),
                Item::Term(left) => self.combine(left, operator, binding)?,
            };
            // Rows of these are gathered in one list; others nest.
            let kind = if operator == "-" { "+" } else { operator };
            let gathered = row == kind && (["&", "|", "+"].contains(&kind) || modulus(kind).is_some());
            height = if gathered { height.max(self.height + 2) } else { height.max(self.height) + 2 };
            if height > DEPTH {
                return Err("nested too deeply".into());
            }
            row = kind;
        }
        self.height = height;
        self.depth -= 1;
        Ok(left)
    }

    fn connect(&mut self, left: Node, operator: &str, binding: u8) -> Result<Node, Reason> {
        // Only implication nests to the right.
        let right = self.node(if operator == "=>" { binding } else { binding + 1 })?;
        match operator {
            "&" => Ok(Node::And(match left {
                Node::And(parts) => joined(parts, right),
                left => vec![left, right],
            })),
            "|" => Ok(Node::Or(match left {
                Node::Or(parts) => joined(parts, right),
                left => vec![left, right],
            })),
            "=>" => Ok(Node::Or(vec![Node::Not(left.into()), right])),
            "<=>" => Ok(Node::Iff(left.into(), right.into())),
            _ => Err(format!("`{operator}` takes numbers").into()),
        }
    }

    fn combine(&mut self, left: Term, operator: &str, binding: u8) -> Result<Item, Reason> {
        if binding < 6 {
            return Err(format!("`{operator}` takes formulas").into());
        }
        let right = self.term(binding + 1)?;
        let positive = |term: &Term| match term {
            Term::Number(k) if *k > 0 => Ok(*k),
            _ => Err(Reason::from(format!("`{operator}` needs a positive constant"))),
        };
        let relation = match operator {
            "=" => Relation::Equal,
            "!=" => Relation::Unequal,
            "<" => Relation::Less,
            "<=" => Relation::AtMost,
            ">" => Relation::Greater,
            ">=" => Relation::AtLeast,
            "+" | "-" => {
                let right = if operator == "-" { Term::Times(-1, right.into()) } else { right };
                return Ok(Item::Term(Term::Sum(match left {
                    Term::Sum(parts) => joined(parts, right),
                    left => vec![left, right],
                })));
            }
            "div" => return Ok(Item::Term(Term::Div(left.natural()?.into(), positive(&right)?))),
            "mod" => return Ok(Item::Term(Term::Mod(left.natural()?.into(), positive(&right)?))),
            "*" => {
                let (k, term) = match (left, right) {
                    (Term::Number(k), term) | (term, Term::Number(k)) => (k, term),
                    _ => return Err("a product needs a constant".into()),
                };
                return Ok(Item::Term(Term::Times(k, term.into())));
            }
            _ => {
                let modulus = modulus(operator).ok_or("no operator")?;
                // `a xor b xor c` is one sum, which matters if the modulus is above 2.
                let mut parts = match left {
                    Term::Xor(same, parts) if same == modulus => parts,
                    left => vec![left.natural()?],
                };
                parts.push(right.natural()?);
                return Ok(Item::Term(Term::Xor(modulus, parts)));
            }
        };
        Ok(Item::Node(match relation {
            Relation::Equal => equal(left, right),
            _ => Node::Compare(left, relation, right),
        }))
    }

    fn prefix(&mut self) -> Result<Item, Reason> {
        let token = self.take();
        Ok(match token {
            "" => return Err("a formula stops short".into()),
            "~" => {
                let inner = self.node(5)?;
                self.height += 1;
                Item::Node(Node::Not(inner.into()))
            }
            "(" => {
                let item = self.item(1)?;
                self.expect(")")?;
                self.height += 1;
                match item {
                    // What stands in parentheses is not joined with what follows.
                    Item::Term(sum @ Term::Xor(..)) => Item::Term(Term::Sum(vec![sum])),
                    item => item,
                }
            }
            "true" | "false" => Item::Node(Node::Known(token == "true")),
            "E" | "A" => {
                let (outer, mut variables) = (self.scope.len(), Vec::new());
                loop {
                    let name = self.take();
                    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || self.next > 1000 {
                        return Err(format!("`{}` is no variable", shown(name)).into());
                    }
                    self.scope.push((name.to_owned(), self.next));
                    variables.push(self.next);
                    self.next += 1;
                    match self.take() {
                        "," => {}
                        ":" => break,
                        other => return Err(format!("`{}` is not expected", shown(other)).into()),
                    }
                }
                let body = self.node(1)?.into();
                self.height += 1;
                self.scope.truncate(outer);
                Item::Node(if token == "E" {
                    Node::Exists(variables, body)
                } else {
                    Node::Forall(variables, body)
                })
            }
            "min" => Item::Term(Term::Min(self.arguments()?)),
            "max" => Item::Term(Term::Max(self.arguments()?)),
            "shift" => {
                let mut arguments = self.arguments()?;
                let one = arguments.pop().filter(|_| arguments.is_empty()).ok_or("shift has one argument")?;
                Item::Term(Term::Shift(one.natural()?.into()))
            }
            "floor" => {
                self.expect("[")?;
                let whole = self.constant()?;
                self.expect(";")?;
                self.expect("(")?;
                let mut period = vec![self.constant()?];
                while self.peek() == "," {
                    self.take();
                    period.push(self.constant()?);
                }
                self.expect(")")?;
                self.expect("]")?;
                let mut arguments = self.arguments()?;
                let one = arguments.pop().filter(|_| arguments.is_empty()).ok_or("floor has one argument")?;
                Item::Term(Term::Floor(whole, period, one.natural()?.into()))
            }
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => {
                let number: u32 = token.parse().map_err(|_| format!("`{}` is no number", shown(token)))?;
                Item::Term(Term::Number(number.into()))
            }
            _ => match modulus(token) {
                Some(modulus) => {
                    let parts = self.arguments()?.into_iter().map(Term::natural).collect::<Result<_, _>>()?;
                    Item::Term(Term::Xor(modulus, parts))
                }
                None => {
                    let found = self.scope.iter().rev().find(|(name, _)| name == token);
                    Item::Term(Term::Variable(
                        found.ok_or_else(|| format!("`{}` is not known", shown(token)))?.1,
                    ))
                }
            },
        })
    }

    fn constant(&mut self) -> Result<i64, Reason> {
        let token = self.take();
        token.parse::<u32>().map(i64::from).map_err(|_| format!("`{}` is no number", shown(token)).into())
    }

    fn arguments(&mut self) -> Result<Vec<Term>, Reason> {
        self.expect("(")?;
        let mut terms = vec![self.term(1)?];
        let mut height = self.height;
        loop {
            match self.take() {
                "," => terms.push(self.term(1)?),
                ")" => {
                    self.height = height + 2;
                    return Ok(terms);
                }
                other => return Err(format!("`{}` is not expected", shown(other)).into()),
            }
            height = height.max(self.height);
        }
    }
}

impl Term {
    /// The term, if it has no minus: digits are those of natural numbers.
    fn natural(self) -> Result<Term, Reason> {
        fn plain(term: &Term) -> bool {
            match term {
                Term::Times(k, inner) => *k >= 0 && plain(inner),
                Term::Sum(parts) | Term::Min(parts) | Term::Max(parts) => parts.iter().all(plain),
                // Below these it was looked at already.
                _ => true,
            }
        }
        if plain(&self) { Ok(self) } else { Err("a difference has no digits".into()) }
    }
}

/// That terms are equal. That the least of some is the greatest of them, or that a variable among them is, is said without cases.
fn equal(left: Term, right: Term) -> Node {
    let compared = |a: &Term, relation, b: &Term| Node::Compare(a.clone(), relation, b.clone());
    for (one, other) in [(&left, &right), (&right, &left)] {
        match (one, other) {
            (Term::Min(parts), Term::Max(same)) if parts == same => {
                return Node::And(
                    parts.windows(2).map(|two| compared(&two[0], Relation::Equal, &two[1])).collect(),
                );
            }
            (Term::Min(parts), Term::Variable(_)) if parts.contains(other) => {
                let rest = parts.iter().filter(|part| *part != other);
                return Node::And(rest.map(|part| compared(other, Relation::AtMost, part)).collect());
            }
            (Term::Max(parts), Term::Variable(_)) if parts.contains(other) => {
                let rest = parts.iter().filter(|part| *part != other);
                return Node::And(rest.map(|part| compared(part, Relation::AtMost, other)).collect());
            }
            _ => {}
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

fn binding(token: &str) -> Option<u8> {
    Some(match token {
        "<=>" => 1,
        "=>" => 2,
        "|" => 3,
        "&" => 4,
        "=" | "!=" | "<" | "<=" | ">" | ">=" => 6,
        "+" | "-" => 8,
        "*" | "mod" | "div" => 9,
        _ => modulus(token).map(|_| 7)?,
    })
}

//! Expressions with parameters, as text and evaluated.
//!
//! `~ & |`, `= != < <= > >=`, `+ - * mod div`; the grammar is that of docs/certificates.md.

use bouton_core::{NotationError, Relation};
use num_bigint::BigInt;
use std::fmt;

/// What an expression may be.
const ACCEPTED: &str = "~ & |, = != < <= > >=, + - * mod div, numbers, names and parentheses";

/// An arithmetic operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Sum.
    Plus,
    /// Difference.
    Minus,
    /// Product.
    Times,
    /// Quotient, rounded down.
    Div,
    /// Remainder.
    Mod,
}

/// A number or a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(u32),
    /// A parameter, a heap or a purse; and where it is in the text.
    Name(String, usize),
    /// An operation on two numbers; and where its sign stands.
    Operation(Operation, Box<[Expression; 2]>, usize),
    /// A comparison of two numbers.
    Compare(Relation, Box<[Expression; 2]>),
    /// Negation.
    Not(Box<Expression>),
    /// Conjunction, of two or more.
    And(Vec<Expression>),
    /// Disjunction, of two or more.
    Or(Vec<Expression>),
}

use Expression::{And, Compare, Name, Not, Number, Or};

impl Expression {
    /// Parses a text.
    pub fn parse(text: &str) -> Result<Expression, NotationError> {
        let mut parser = Parser { text, at: 0, levels: 0 };
        let whole = parser.disjunction()?;
        parser.blanks();
        if parser.at < text.len() { Err(parser.fault("this is not expected")) } else { Ok(whole) }
    }

    /// Returns whether this is a sentence, no number.
    pub fn is_sentence(&self) -> bool {
        !matches!(self, Number(_) | Name(..) | Expression::Operation(..))
    }

    /// Calls `meet` with each name, and where it stands.
    pub fn names<'e>(&'e self, meet: &mut dyn FnMut(&'e str, usize)) {
        match self {
            Number(_) => {}
            Name(name, at) => meet(name, *at),
            Not(inner) => inner.names(meet),
            Expression::Operation(_, both, _) | Compare(_, both) => {
                both.iter().for_each(|one| one.names(meet));
            }
            And(parts) | Or(parts) => parts.iter().for_each(|part| part.names(meet)),
        }
    }

    /// Calls `meet` with each operation, its operands, and where its sign stands.
    pub fn operations<'e>(&'e self, meet: &mut dyn FnMut(Operation, &'e [Expression; 2], usize)) {
        match self {
            Number(_) | Name(..) => {}
            Not(inner) => inner.operations(meet),
            Compare(_, both) => both.iter().for_each(|one| one.operations(meet)),
            And(parts) | Or(parts) => parts.iter().for_each(|part| part.operations(meet)),
            Expression::Operation(operation, both, at) => {
                both.iter().for_each(|one| one.operations(meet));
                meet(*operation, both, *at);
            }
        }
    }

    /// Returns the number for these values of names; `None` if a name has none, a divisor is below
    /// 1, a number is too great, or this is a sentence.
    pub fn value<N: Integer>(&self, values: &[(&str, N)]) -> Option<N> {
        match self {
            Number(value) => Some((*value).into()),
            Name(name, _) => {
                values.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
            }
            Expression::Operation(operation, both, _) => {
                both[0].value(values)?.joined(*operation, &both[1].value(values)?)
            }
            _ => None,
        }
    }

    /// Returns whether the sentence is true for these values; `None` as in [`Expression::value`].
    pub fn holds<N: Integer>(&self, values: &[(&str, N)]) -> Option<bool> {
        match self {
            Compare(relation, both) => {
                let (left, right) = (both[0].value(values)?, both[1].value(values)?);
                Some(relation.holds(left.cmp(&right)))
            }
            Not(inner) => inner.holds(values).map(|holds| !holds),
            And(parts) => {
                for part in parts {
                    if !part.holds(values)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Or(parts) => {
                for part in parts {
                    if part.holds(values)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            _ => None,
        }
    }
}

/// A number that an expression may have: of 64 bits, or of any size.
pub trait Integer: Clone + Ord + From<u32> {
    /// Returns what an operation makes of two numbers; `None` if that is too great, or a divisor
    /// below 1.
    fn joined(&self, operation: Operation, other: &Self) -> Option<Self>;
}

impl Integer for i64 {
    fn joined(&self, operation: Operation, other: &i64) -> Option<i64> {
        match operation {
            Operation::Plus => self.checked_add(*other),
            Operation::Minus => self.checked_sub(*other),
            Operation::Times => self.checked_mul(*other),
            Operation::Div if *other > 0 => Some(self.div_euclid(*other)),
            Operation::Mod if *other > 0 => Some(self.rem_euclid(*other)),
            Operation::Div | Operation::Mod => None,
        }
    }
}

impl Integer for BigInt {
    fn joined(&self, operation: Operation, other: &BigInt) -> Option<BigInt> {
        let zero = BigInt::from(0u32);
        if matches!(operation, Operation::Div | Operation::Mod) && *other <= zero {
            return None;
        }
        // Of a number below 0 the remainder is not, too.
        let rest = || {
            let rest = self % other;
            if rest < zero { rest + other } else { rest }
        };
        Some(match operation {
            Operation::Plus => self + other,
            Operation::Minus => self - other,
            Operation::Times => self * other,
            Operation::Div => (self - rest()) / other,
            Operation::Mod => rest(),
        })
    }
}

/// As a certificate has it, with parentheses around each operation.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, parts: &[Expression], sign: &str| {
            let parts: Vec<String> = parts.iter().map(|part| format!("({part})")).collect();
            f.write_str(&parts.join(sign))
        };
        match self {
            Number(value) => write!(f, "{value}"),
            Name(name, _) => f.write_str(name),
            Expression::Operation(operation, both, _) => {
                let sign = match operation {
                    Operation::Plus => "+",
                    Operation::Minus => "-",
                    Operation::Times => "*",
                    Operation::Div => " div ",
                    Operation::Mod => " mod ",
                };
                write!(f, "({}{sign}{})", both[0], both[1])
            }
            Compare(relation, both) => write!(f, "{} {} {}", both[0], relation.symbol(), both[1]),
            Not(inner) => write!(f, "~({inner})"),
            And(parts) => row(f, parts, " & "),
            Or(parts) => row(f, parts, " | "),
        }
    }
}

/// Most levels of nesting.
const LEVELS: usize = 60;

struct Parser<'t> {
    text: &'t str,
    at: usize,
    levels: usize,
}

impl Parser<'_> {
    fn fault(&self, what: &str) -> NotationError {
        let end = self.text.len().min(self.at + 1);
        NotationError::new(self.text, self.at.min(end)..end, what, ACCEPTED)
    }

    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    /// Passes over a sign, if it comes next.
    fn eat(&mut self, sign: &str) -> bool {
        self.blanks();
        let eaten = self.text[self.at..].starts_with(sign);
        self.at += if eaten { sign.len() } else { 0 };
        eaten
    }

    /// Returns the word of letters and digits that comes next.
    fn name_ahead(&mut self) -> &str {
        self.blanks();
        let rest = &self.text[self.at..];
        &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())]
    }

    fn sentence(&self, one: Expression) -> Result<Expression, NotationError> {
        if one.is_sentence() {
            Ok(one)
        } else {
            Err(self.fault("before this a comparison should stand"))
        }
    }

    fn term(&self, one: Expression) -> Result<Expression, NotationError> {
        if one.is_sentence() {
            Err(self.fault("before this a number should stand"))
        } else {
            Ok(one)
        }
    }

    fn disjunction(&mut self) -> Result<Expression, NotationError> {
        let mut parts = vec![self.conjunction()?];
        while self.eat("|") {
            let next = self.conjunction()?;
            parts.push(self.sentence(next)?);
        }
        self.row(parts, Or)
    }

    fn conjunction(&mut self) -> Result<Expression, NotationError> {
        let mut parts = vec![self.comparison()?];
        while self.eat("&") {
            let next = self.comparison()?;
            parts.push(self.sentence(next)?);
        }
        self.row(parts, And)
    }

    fn row(
        &self,
        mut parts: Vec<Expression>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Expression, NotationError> {
        if parts.len() > 1 {
            parts[0] = self.sentence(parts[0].clone())?;
            return Ok(join(parts));
        }
        Ok(parts.remove(0))
    }

    fn comparison(&mut self) -> Result<Expression, NotationError> {
        self.blanks();
        if self.eat("~") {
            self.deeper()?;
            let inner = self.comparison()?;
            self.levels -= 1;
            return Ok(Not(self.sentence(inner)?.into()));
        }
        let left = self.sum()?;
        let signs = [
            ("!=", Relation::Unequal),
            ("<=", Relation::AtMost),
            (">=", Relation::AtLeast),
            ("=", Relation::Equal),
            ("<", Relation::Less),
            (">", Relation::Greater),
        ];
        for (sign, relation) in signs {
            if self.eat(sign) {
                let left = self.term(left)?;
                let right = self.sum()?;
                let right = self.term(right)?;
                return Ok(Compare(relation, Box::new([left, right])));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expression, NotationError> {
        let mut left = self.product()?;
        loop {
            self.blanks();
            let at = self.at;
            let operation = match self.text.as_bytes().get(self.at) {
                Some(b'+') => Operation::Plus,
                Some(b'-') => Operation::Minus,
                _ => return Ok(left),
            };
            self.at += 1;
            let first = self.term(left)?;
            let second = self.product()?;
            left = Expression::Operation(operation, Box::new([first, self.term(second)?]), at);
        }
    }

    fn product(&mut self) -> Result<Expression, NotationError> {
        let mut left = self.factor()?;
        loop {
            self.blanks();
            let at = self.at;
            let operation = if self.eat("*") {
                Operation::Times
            } else if self.name_ahead() == "mod" {
                self.at += 3;
                Operation::Mod
            } else if self.name_ahead() == "div" {
                self.at += 3;
                Operation::Div
            } else {
                return Ok(left);
            };
            let first = self.term(left)?;
            let second = self.factor()?;
            left = Expression::Operation(operation, Box::new([first, self.term(second)?]), at);
        }
    }

    fn deeper(&mut self) -> Result<(), NotationError> {
        self.levels += 1;
        if self.levels > LEVELS { Err(self.fault("this is nested too deeply")) } else { Ok(()) }
    }

    fn factor(&mut self) -> Result<Expression, NotationError> {
        if self.eat("(") {
            self.deeper()?;
            let inner = self.disjunction()?;
            if !self.eat(")") {
                return Err(self.fault("`)` should stand here"));
            }
            self.levels -= 1;
            return Ok(inner);
        }
        let word = self.name_ahead().to_owned();
        let here = self.at;
        let whole = match word.bytes().next() {
            Some(b'0'..=b'9') => {
                let number =
                    word.parse().map_err(|_| self.fault("this is no number below 2^32"))?;
                if word.len() > 1 && word.starts_with('0') {
                    return Err(self.fault("a number begins with 0"));
                }
                Number(number)
            }
            Some(_) if word != "mod" && word != "div" => Name(word.clone(), here),
            _ => return Err(self.fault("a number, a name or `(` should stand here")),
        };
        self.at += word.len();
        Ok(whole)
    }
}

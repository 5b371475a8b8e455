//! Whole-number formulas in which claims about NIM with Cash are written: `f((L+1)*k + i) = L*k + (i+1)/2`.
//!
//! From weak to strong: `->`, `|`, `&`, comparisons, `+ -`, `* / %` (rounded down), `!` and `-`. True is 1, false 0; the
//! right side of `->`, `|`, `&` is not looked at where the left side decides.

use std::collections::HashMap;

/// A formula, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    root: Node,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Number(i64),
    Name(String),
    Call(String, Vec<Node>),
    Not(Box<Node>),
    Negative(Box<Node>),
    Binary(&'static str, Box<[Node; 2]>),
}

/// Why a formula has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoValue(pub String);

/// Values of names, and functions.
pub trait Meaning {
    /// The value of a name.
    fn name(&self, name: &str) -> Option<i64>;
    /// The value of a function; `None` outside its range.
    fn call(&self, function: &str, arguments: &[i64]) -> Option<i64>;
}

impl Meaning for HashMap<String, i64> {
    fn name(&self, name: &str) -> Option<i64> {
        self.get(name).copied()
    }
    fn call(&self, _: &str, _: &[i64]) -> Option<i64> {
        None
    }
}

/// Operators by strength, longest first within one.
const LEVELS: [&[&str]; 6] =
    [&["->"], &["|"], &["&"], &["<=", ">=", "!=", "<", ">", "="], &["+", "-"], &["*", "/", "%"]];

impl Formula {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Formula, NoValue> {
        let mut rest = text.trim_start();
        let root = binary(&mut rest, 0)?;
        if rest.is_empty() {
            Ok(Formula { root })
        } else {
            Err(NoValue(format!("`{rest}` follows a formula")))
        }
    }

    /// Its value.
    pub fn value(&self, meaning: &impl Meaning) -> Result<i64, NoValue> {
        value(&self.root, meaning)
    }
}

fn eat(rest: &mut &str, token: &str) -> bool {
    match rest.strip_prefix(token) {
        Some(after) => {
            *rest = after.trim_start();
            true
        }
        None => false,
    }
}

fn binary(rest: &mut &str, level: usize) -> Result<Node, NoValue> {
    let Some(operators) = LEVELS.get(level) else { return unary(rest) };
    let mut left = binary(rest, level + 1)?;
    loop {
        // `-` is not the head of `->`.
        let found =
            operators.iter().find(|op| rest.starts_with(**op) && !(**op == "-" && rest.starts_with("->")));
        let Some(operator) = found else { return Ok(left) };
        eat(rest, operator);
        let right = binary(rest, level + 1)?;
        left = Node::Binary(operator, Box::new([left, right]));
    }
}

fn unary(rest: &mut &str) -> Result<Node, NoValue> {
    if eat(rest, "!") {
        return Ok(Node::Not(Box::new(unary(rest)?)));
    }
    if eat(rest, "-") {
        return Ok(Node::Negative(Box::new(unary(rest)?)));
    }
    if eat(rest, "(") {
        let inner = binary(rest, 0)?;
        return if eat(rest, ")") { Ok(inner) } else { Err(NoValue(format!("`)` is missing at `{rest}`"))) };
    }
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after.trim_start();
    if let Ok(number) = word.parse() {
        return Ok(Node::Number(number));
    }
    if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(NoValue(format!("a number or name is missing at `{word}{rest}`")));
    }
    if !eat(rest, "(") {
        return Ok(Node::Name(word.to_owned()));
    }
    let mut arguments = vec![binary(rest, 0)?];
    while eat(rest, ",") {
        arguments.push(binary(rest, 0)?);
    }
    if eat(rest, ")") {
        Ok(Node::Call(word.to_owned(), arguments))
    } else {
        Err(NoValue(format!("`)` is missing at `{rest}`")))
    }
}

fn value(node: &Node, meaning: &impl Meaning) -> Result<i64, NoValue> {
    Ok(match node {
        Node::Number(number) => *number,
        Node::Name(name) => meaning.name(name).ok_or_else(|| NoValue(format!("`{name}` has no value")))?,
        Node::Not(inner) => i64::from(value(inner, meaning)? == 0),
        Node::Negative(inner) => -value(inner, meaning)?,
        Node::Call(function, arguments) => {
            let arguments: Vec<i64> =
                arguments.iter().map(|a| value(a, meaning)).collect::<Result<_, _>>()?;
            meaning
                .call(function, &arguments)
                .ok_or_else(|| NoValue(format!("{function}{arguments:?} has no value")))?
        }
        Node::Binary(operator, sides) => {
            let left = value(&sides[0], meaning)?;
            match (*operator, left != 0) {
                ("|", true) | ("->", false) => return Ok(1),
                ("&", false) => return Ok(0),
                _ => {}
            }
            let right = value(&sides[1], meaning)?;
            let result = match *operator {
                "|" | "&" | "->" => Some(i64::from(right != 0)),
                "<=" => Some(i64::from(left <= right)),
                ">=" => Some(i64::from(left >= right)),
                "!=" => Some(i64::from(left != right)),
                "<" => Some(i64::from(left < right)),
                ">" => Some(i64::from(left > right)),
                "=" => Some(i64::from(left == right)),
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                "/" => (right > 0).then(|| left.div_euclid(right)),
                _ => (right > 0).then(|| left.rem_euclid(right)),
            };
            result.ok_or_else(|| NoValue(format!("{left} {operator} {right} has no value")))?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_bind_as_they_should() {
        let names = HashMap::from([("x".to_owned(), 7), ("L".to_owned(), 4)]);
        for (text, expected) in [
            ("1 + 2*3 - 4", 3),
            ("-7/2", -4),
            ("-(7/2)", -3),
            ("(-7)/2", -4),
            ("-7 % 4", 1),
            ("(-7) % 4", 1),
            ("x%2 = 1 & L < x", 1),
            ("0 = 1 -> 1/0 = 1", 1),
            ("1 = 1 | 1/0 = 1", 1),
            ("!(x = 7) | L != 4", 0),
            ("1 - 2 - 3", -4),
            ("(x > 3) = (L > 3)", 1),
        ] {
            assert_eq!(Formula::parse(text).and_then(|f| f.value(&names)), Ok(expected), "{text}");
        }
        for text in ["", "1 +", "(1", "x y", "f(1)", "y", "1/0", "9223372036854775807 + 1", "3x", "f("] {
            assert!(Formula::parse(text).and_then(|f| f.value(&names)).is_err(), "{text}");
        }
    }
}

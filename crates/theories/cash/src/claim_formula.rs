//! Formulas over whole numbers in which claims about NIM with Cash are written: `f((L+1)*k + i) =
//! L*k + (i+1)/2`.
//!
//! The shared language (`bouton_core::Formula`) cannot state these claims: automata decide it, so
//! it has neither products of variables nor quotients by them (`b/(L-1)*(L-1)`), numbers are never
//! negative, no function is read off a table (`win(n,d,e)`, `gI(n)`), and a truth value is no side
//! of an equation (`win(n,d,e) = (d < e)`).
//!
//! From weak to strong: `->`, `|`, `&`, comparisons, `+ -`, `* / %` (rounded down), `!` and `-`.
//! True is 1, false 0. The right side of `->`, `|`, `&` is not evaluated if the left side decides.

use std::collections::HashMap;

/// A parsed formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Formula {
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

/// The reason why a formula has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct FormulaError(pub String);

/// The values of names and functions.
pub(crate) trait Environment {
    /// Returns the value of a name.
    fn name(&self, name: &str) -> Option<i64>;
    /// Returns the value of a function; `None` outside its range.
    fn call(&self, function: &str, arguments: &[i64]) -> Option<i64>;
}

impl Environment for HashMap<String, i64> {
    fn name(&self, name: &str) -> Option<i64> {
        self.get(name).copied()
    }
    fn call(&self, _: &str, _: &[i64]) -> Option<i64> {
        None
    }
}

/// The operators by strength, longest first within a level.
const LEVELS: [&[&str]; 6] =
    [&["->"], &["|"], &["&"], &["<=", ">=", "!=", "<", ">", "="], &["+", "-"], &["*", "/", "%"]];

impl Formula {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Formula, FormulaError> {
        let mut rest = text.trim_start();
        let root = binary(&mut rest, 0)?;
        if rest.is_empty() {
            Ok(Formula { root })
        } else {
            Err(FormulaError(format!("`{rest}` follows a formula")))
        }
    }

    /// Returns the value of the formula.
    pub fn value(&self, environment: &impl Environment) -> Result<i64, FormulaError> {
        value(&self.root, environment)
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

fn binary(rest: &mut &str, level: usize) -> Result<Node, FormulaError> {
    let Some(operators) = LEVELS.get(level) else { return unary(rest) };
    let mut left = binary(rest, level + 1)?;
    loop {
        // `-` is not the first character of `->`.
        let operator = operators
            .iter()
            .find(|op| rest.starts_with(**op) && !(**op == "-" && rest.starts_with("->")));
        let Some(operator) = operator else { return Ok(left) };
        eat(rest, operator);
        let right = binary(rest, level + 1)?;
        left = Node::Binary(operator, Box::new([left, right]));
    }
}

fn unary(rest: &mut &str) -> Result<Node, FormulaError> {
    if eat(rest, "!") {
        return Ok(Node::Not(Box::new(unary(rest)?)));
    }
    if eat(rest, "-") {
        return Ok(Node::Negative(Box::new(unary(rest)?)));
    }
    if eat(rest, "(") {
        let inner = binary(rest, 0)?;
        return if eat(rest, ")") {
            Ok(inner)
        } else {
            Err(FormulaError(format!("`)` is missing at `{rest}`")))
        };
    }
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after.trim_start();
    if let Ok(number) = word.parse() {
        return Ok(Node::Number(number));
    }
    if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(FormulaError(format!("a number or name is missing at `{word}{rest}`")));
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
        Err(FormulaError(format!("`)` is missing at `{rest}`")))
    }
}

fn value(node: &Node, environment: &impl Environment) -> Result<i64, FormulaError> {
    Ok(match node {
        Node::Number(number) => *number,
        Node::Name(name) => {
            environment.name(name).ok_or_else(|| FormulaError(format!("`{name}` has no value")))?
        }
        Node::Not(inner) => i64::from(value(inner, environment)? == 0),
        Node::Negative(inner) => value(inner, environment)?
            .checked_neg()
            .ok_or_else(|| FormulaError("a number is too large".into()))?,
        Node::Call(function, arguments) => {
            let arguments: Vec<i64> =
                arguments.iter().map(|a| value(a, environment)).collect::<Result<_, _>>()?;
            environment
                .call(function, &arguments)
                .ok_or_else(|| FormulaError(format!("{function}{arguments:?} has no value")))?
        }
        Node::Binary(operator, sides) => {
            let left = value(&sides[0], environment)?;
            match (*operator, left != 0) {
                ("|", true) | ("->", false) => return Ok(1),
                ("&", false) => return Ok(0),
                _ => {}
            }
            let right = value(&sides[1], environment)?;
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
            result.ok_or_else(|| FormulaError(format!("{left} {operator} {right} has no value")))?
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
        for text in
            ["", "1 +", "(1", "x y", "f(1)", "y", "1/0", "9223372036854775807 + 1", "3x", "f("]
        {
            assert!(Formula::parse(text).and_then(|f| f.value(&names)).is_err(), "{text}");
        }
    }
}

//! Whole-number expressions over named parameters: `2*m2-m1`, `k*(2*m+1)-2`.

use bouton_rules::{NotationError, Scanner};

/// An expression; names are numbers into the family's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    Number(i64),
    Name(usize),
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
}

use Expression::{Difference, Name, Number, Product, Sum};

/// Parentheses may nest so deeply.
const MOST_NESTED: usize = 32;

impl Expression {
    /// Reads an expression; names not in `names` are added to it.
    pub fn read(scanner: &mut Scanner<'_>, names: &mut Vec<String>) -> Result<Expression, NotationError> {
        sum(scanner, names, 0)
    }

    /// The value, `None` if it does not fit.
    pub fn value(&self, values: &[i64]) -> Option<i64> {
        match self {
            Number(number) => Some(*number),
            Name(name) => values.get(*name).copied(),
            Sum(a, b) => a.value(values)?.checked_add(b.value(values)?),
            Difference(a, b) => a.value(values)?.checked_sub(b.value(values)?),
            Product(a, b) => a.value(values)?.checked_mul(b.value(values)?),
        }
    }
}

fn sum(
    scanner: &mut Scanner<'_>,
    names: &mut Vec<String>,
    depth: usize,
) -> Result<Expression, NotationError> {
    let mut left = product(scanner, names, depth)?;
    loop {
        left = if scanner.eat("+") {
            Sum(Box::new(left), Box::new(product(scanner, names, depth)?))
        } else if scanner.eat("-") {
            Difference(Box::new(left), Box::new(product(scanner, names, depth)?))
        } else {
            return Ok(left);
        };
    }
}

fn product(
    scanner: &mut Scanner<'_>,
    names: &mut Vec<String>,
    depth: usize,
) -> Result<Expression, NotationError> {
    let mut left = atom(scanner, names, depth)?;
    while scanner.eat("*") {
        left = Product(Box::new(left), Box::new(atom(scanner, names, depth)?));
    }
    Ok(left)
}

fn atom(
    scanner: &mut Scanner<'_>,
    names: &mut Vec<String>,
    depth: usize,
) -> Result<Expression, NotationError> {
    if depth < MOST_NESTED && scanner.eat("(") {
        let inner = sum(scanner, names, depth + 1)?;
        scanner.expect(")")?;
        return Ok(inner);
    }
    if !scanner.peek().is_some_and(|c| c.is_ascii_lowercase()) {
        return Ok(Number(scanner.number("a number or a name", 1 << 32)? as i64));
    }
    let name = scanner.run(|c| c.is_ascii_lowercase() || c.is_ascii_digit()).to_owned();
    let known = names.iter().position(|other| *other == name);
    Ok(Name(known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })))
}

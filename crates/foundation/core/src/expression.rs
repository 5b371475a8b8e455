//! Whole-number expressions over named parameters: `2*m2-m1`, `k*(2*m+1)-2`, `2^n`, `x xor y`.

use crate::{NotationError, Scanner};

/// An expression; names are numbers into the family's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// A parameter, by its place in the list.
    Name(usize),
    /// A sum.
    Sum(Box<Expression>, Box<Expression>),
    /// A difference.
    Difference(Box<Expression>, Box<Expression>),
    /// A product.
    Product(Box<Expression>, Box<Expression>),
    /// A power.
    Power(Box<Expression>, Box<Expression>),
    /// The sum without carries of two numbers, none of them negative.
    Xor(Box<Expression>, Box<Expression>),
}

use Expression::{Difference, Name, Number, Power, Product, Sum, Xor};

/// Numbers are at most so large.
const MAX_NUMBER: u64 = 1 << 32;
/// Parentheses may nest so deeply.
const MAX_NESTED: usize = 32;

impl Expression {
    /// Reads an expression; names not in `names` are added to it.
    pub fn read(
        scanner: &mut Scanner<'_>,
        names: &mut Vec<String>,
    ) -> Result<Expression, NotationError> {
        xor(scanner, names, 0)
    }

    /// Returns the same, or a minus before a number.
    pub fn read_signed(
        scanner: &mut Scanner<'_>,
        names: &mut Vec<String>,
    ) -> Result<Expression, NotationError> {
        match scanner.eat("-") {
            true => Ok(Number(-(scanner.number("a number", MAX_NUMBER)? as i64))),
            false => Expression::read(scanner, names),
        }
    }

    /// Returns the value, `None` if it does not fit.
    pub fn value(&self, values: &[i64]) -> Option<i64> {
        match self {
            Number(number) => Some(*number),
            Name(name) => values.get(*name).copied(),
            Sum(a, b) => a.value(values)?.checked_add(b.value(values)?),
            Difference(a, b) => a.value(values)?.checked_sub(b.value(values)?),
            Product(a, b) => a.value(values)?.checked_mul(b.value(values)?),
            Power(a, b) => a.value(values)?.checked_pow(b.value(values)?.try_into().ok()?),
            Xor(a, b) => {
                let (a, b) = (a.value(values)?, b.value(values)?);
                (a >= 0 && b >= 0).then_some(a ^ b)
            }
        }
    }

    /// Returns whether a name occurs in it.
    pub fn has(&self, name: usize) -> bool {
        match self {
            Number(_) => false,
            Name(other) => *other == name,
            Sum(a, b) | Difference(a, b) | Product(a, b) | Power(a, b) | Xor(a, b) => {
                a.has(name) || b.has(name)
            }
        }
    }

    /// Returns the value as [slope, at 0] of a line in the one name that has no value; `None` if it
    /// is no line, or does not fit.
    pub fn line(&self, values: &[Option<i64>]) -> Option<[i64; 2]> {
        let both = |a: &Expression, b: &Expression| Some((a.line(values)?, b.line(values)?));
        match self {
            Number(number) => Some([0, *number]),
            Name(name) => Some(values.get(*name)?.map_or([1, 0], |value| [0, value])),
            Sum(a, b) => {
                let (a, b) = both(a, b)?;
                Some([a[0].checked_add(b[0])?, a[1].checked_add(b[1])?])
            }
            Difference(a, b) => {
                let (a, b) = both(a, b)?;
                Some([a[0].checked_sub(b[0])?, a[1].checked_sub(b[1])?])
            }
            Product(a, b) => {
                let (a, b) = both(a, b)?;
                let (line, factor) = if a[0] == 0 { (b, a[1]) } else { (a, b[1]) };
                (a[0] == 0 || b[0] == 0).then_some(())?;
                Some([line[0].checked_mul(factor)?, line[1].checked_mul(factor)?])
            }
            Power(a, b) | Xor(a, b) => {
                let (a, b) = both(a, b)?;
                let numbers = [a[1], b[1]].map(|number| Box::new(Number(number)));
                let [a, b] = Some(numbers).filter(|_| a[0] == 0 && b[0] == 0)?;
                let same = if matches!(self, Power(..)) { Power(a, b) } else { Xor(a, b) };
                Some([0, same.value(&[])?])
            }
        }
    }
}

fn xor(
    scanner: &mut Scanner<'_>,
    names: &mut Vec<String>,
    depth: usize,
) -> Result<Expression, NotationError> {
    let mut left = sum(scanner, names, depth)?;
    while scanner.eat("xor") || scanner.eat("⊕") {
        left = Xor(Box::new(left), Box::new(sum(scanner, names, depth)?));
    }
    Ok(left)
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
    let mut left = power(scanner, names, depth)?;
    while scanner.eat("*") {
        left = Product(Box::new(left), Box::new(power(scanner, names, depth)?));
    }
    Ok(left)
}

fn power(
    scanner: &mut Scanner<'_>,
    names: &mut Vec<String>,
    depth: usize,
) -> Result<Expression, NotationError> {
    let rest = scanner.rest();
    let base = atom(scanner, names, depth)?;
    // `2^3^n` is 2^(3^n), and not 8^n.
    let read = &rest[..rest.len() - scanner.rest().len()];
    if scanner.peek() == Some('^') && read.contains('^') && !read.starts_with('(') {
        return Err(scanner.unexpected("one `^`, or parentheses,"));
    }
    match scanner.eat("^") {
        true => Ok(Power(Box::new(base), Box::new(atom(scanner, names, depth)?))),
        false => Ok(base),
    }
}

fn atom(
    scanner: &mut Scanner<'_>,
    names: &mut Vec<String>,
    depth: usize,
) -> Result<Expression, NotationError> {
    if depth < MAX_NESTED && scanner.eat("(") {
        let inner = xor(scanner, names, depth + 1)?;
        scanner.expect(")")?;
        return Ok(inner);
    }
    if !scanner.peek().is_some_and(|c| c.is_ascii_lowercase()) {
        return Ok(Number(scanner.number("a number or a name", MAX_NUMBER)? as i64));
    }
    if scanner.rest().starts_with("xor") {
        return Err(scanner.unexpected("a number or a name"));
    }
    let name = scanner.run(|c| c.is_ascii_lowercase() || c.is_ascii_digit()).to_owned();
    let known = names.iter().position(|other| *other == name);
    Ok(Name(known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn powers_and_sums_without_carries() {
        let value = |text: &str, values: &[i64]| {
            let mut names = vec!["x".to_owned(), "y".to_owned()];
            let mut scanner = Scanner::new(text, "an expression");
            let read = Expression::read(&mut scanner, &mut names).unwrap();
            scanner.finish().unwrap();
            read.value(values)
        };
        for (x, y) in (0..20).flat_map(|x| (0..20).map(move |y| (x, y))) {
            assert_eq!(value("2^x-1", &[x, y]), Some((1 << x) - 1));
            assert_eq!(value("x xor 2*y+1", &[x, y]), Some(x ^ (2 * y + 1)));
            assert_eq!(value("x ⊕ y ⊕ x", &[x, y]), Some(y));
            assert_eq!(value("(x xor y)+1", &[x, y]), Some((x ^ y) + 1));
            assert_eq!(value("3*2^(x+1)", &[x, y]), Some(3 << (x + 1)));
        }
        assert_eq!(value("2^x", &[64, 0]), None);
        assert_eq!(value("2^(x-y)", &[1, 2]), None);
        assert_eq!(value("x xor y-3", &[1, 2]), None);
        for text in ["xor y", "x xor", "2^", "x^^2", "2^3^x"] {
            let read = Expression::read(&mut Scanner::new(text, ""), &mut Vec::new());
            assert!(read.is_err(), "{text}");
        }
    }
}

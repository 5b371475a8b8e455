//! Polynomials with integer coefficients, exact: what would overflow is an error.

use crate::work::{Reason, Work, number, shown};
use std::collections::BTreeMap;

/// Most factors of a monomial, and most monomials of a polynomial.
const MAX_FACTORS: usize = 8;
const MAX_TERMS: usize = 2000;

/// A polynomial: monomials, each a sorted list of numbers of variables, and their coefficients,
/// none 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Polynomial(BTreeMap<Vec<usize>, i128>);

/// The reason where a number leaves the range.
const OVERFLOW: &str = "a number is too great";

impl Polynomial {
    /// Returns a number.
    pub fn constant(value: i128) -> Polynomial {
        let mut all = BTreeMap::new();
        if value != 0 {
            all.insert(Vec::new(), value);
        }
        Polynomial(all)
    }

    /// Returns a variable.
    pub fn variable(index: usize) -> Polynomial {
        Polynomial(BTreeMap::from([(vec![index], 1)]))
    }

    /// Returns the number that this is; `None` if a variable occurs.
    pub fn as_constant(&self) -> Option<i128> {
        match self.0.iter().next() {
            None => Some(0),
            Some((first, value)) if first.is_empty() && self.0.len() == 1 => Some(*value),
            Some(_) => None,
        }
    }

    /// Returns whether all variables have numbers below `end`.
    pub fn uses_only_below(&self, end: usize) -> bool {
        self.0.keys().flatten().all(|variable| *variable < end)
    }

    /// Adds `times` · `other`.
    pub fn add(&mut self, times: i128, other: &Polynomial, work: &Work<'_>) -> Result<(), Reason> {
        work.spend(8 + 8 * other.0.len())?;
        for (monomial, coefficient) in &other.0 {
            let more = coefficient.checked_mul(times).ok_or(OVERFLOW)?;
            let entry = self.0.entry(monomial.clone()).or_insert(0);
            *entry = entry.checked_add(more).ok_or(OVERFLOW)?;
            if *entry == 0 {
                self.0.remove(monomial);
            }
        }
        if self.0.len() > MAX_TERMS { Err("a sum has too many terms".into()) } else { Ok(()) }
    }

    /// Returns the sum of `times` · `other` and this.
    pub fn plus(
        &self,
        times: i128,
        other: &Polynomial,
        work: &Work<'_>,
    ) -> Result<Polynomial, Reason> {
        let mut sum = self.clone();
        work.spend(8 * self.0.len())?;
        sum.add(times, other, work)?;
        Ok(sum)
    }

    /// Returns −this − 1, which is 0 or more if and only if this is negative.
    pub fn negated(&self, work: &Work<'_>) -> Result<Polynomial, Reason> {
        Polynomial::constant(-1).plus(-1, self, work)
    }

    /// Returns the product.
    pub fn times(&self, other: &Polynomial, work: &Work<'_>) -> Result<Polynomial, Reason> {
        let mut product = Polynomial::default();
        for (own, coefficient) in &self.0 {
            let mut row = Polynomial::default();
            work.spend(16 * other.0.len())?;
            for (theirs, factor) in &other.0 {
                let mut monomial = [own.as_slice(), theirs.as_slice()].concat();
                if monomial.len() > MAX_FACTORS {
                    return Err("a product has too many factors".into());
                }
                monomial.sort_unstable();
                row.0.insert(monomial, *factor);
            }
            product.add(*coefficient, &row, work)?;
        }
        Ok(product)
    }

    /// Returns what is known of integers if this is 0 or more: with g the common divisor of all
    /// coefficients but the constant c, the rest divided by g, plus ⌊c/g⌋, is 0 or more.
    pub fn tightened(&self) -> Polynomial {
        let others = self.0.iter().filter(|(monomial, _)| !monomial.is_empty());
        let g = others.fold(0u128, |g, (_, c)| gcd(g, c.unsigned_abs()));
        match i128::try_from(g) {
            Ok(g) if g > 1 => {
                let divided =
                    self.0.iter().map(|(monomial, c)| (monomial.clone(), c.div_euclid(g)));
                Polynomial(divided.filter(|(_, c)| *c != 0).collect())
            }
            _ => self.clone(),
        }
    }

    /// Returns about how many bytes it takes.
    pub fn bytes(&self) -> usize {
        600 + 120 * self.0.len()
    }

    /// Reads `+1*q1 -2*h*q2 +3`: terms with a sign, a number and names.
    pub fn read(text: &str, names: &[String], work: &Work<'_>) -> Result<Polynomial, Reason> {
        let mut sum = Polynomial::default();
        for term in text.split(' ') {
            work.spend(names.len() + 4 * term.len())?;
            let (sign, rest) = match (term.strip_prefix('+'), term.strip_prefix('-')) {
                (Some(rest), _) => (1, rest),
                (_, Some(rest)) => (-1, rest),
                _ => return Err(format!("the term `{}` has no sign", shown(term)).into()),
            };
            let mut factors = rest.split('*');
            let value: Option<i128> = factors.next().and_then(number);
            let value = value.ok_or_else(|| format!("the term `{}` has no number", shown(term)))?;
            let mut product = Polynomial::constant(value);
            for name in factors {
                let index = names.iter().position(|own| own == name);
                let index =
                    index.ok_or_else(|| format!("no variable is called `{}`", shown(name)))?;
                product = product.times(&Polynomial::variable(index), work)?;
            }
            sum.add(sign, &product, work)?;
        }
        Ok(sum)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

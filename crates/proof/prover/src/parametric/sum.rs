//! Sums of products of integer unknowns, and sentences about them.
//!
//! A product of unknowns is looked at as an unknown of its own: *opaque*. What is known of it comes
//! from products of facts only.

use super::expression::{Expression, Operation};
use bouton_core::{Arrange, Relation, gcd};
use std::collections::BTreeMap;

/// Unknowns multiplied: their numbers, ascending; none: 1.
pub type Product = Vec<u16>;

/// A sum of products with integer coefficients.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Sum {
    /// Coefficients, none 0, without the constant.
    pub terms: BTreeMap<Product, i128>,
    /// The constant.
    pub constant: i128,
}

impl Sum {
    /// Returns a number.
    pub fn number(constant: i128) -> Sum {
        Sum { terms: BTreeMap::new(), constant }
    }

    /// Returns an unknown.
    pub fn unknown(index: u16) -> Sum {
        let mut sum = Sum::number(0);
        sum.terms.insert(vec![index], 1);
        sum
    }

    /// Returns this plus `k` times the other; `None` if a number grows too great.
    pub fn plus(&self, k: i128, other: &Sum) -> Option<Sum> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(k.checked_mul(other.constant)?)?;
        for (product, c) in &other.terms {
            let new = sum.terms.get(product).unwrap_or(&0).checked_add(k.checked_mul(*c)?)?;
            match new {
                0 => sum.terms.remove(product),
                _ => sum.terms.insert(product.clone(), new),
            };
        }
        Some(sum)
    }

    /// Returns the product; `None` if a number grows too great.
    pub fn times(&self, other: &Sum) -> Option<Sum> {
        let mut all = Sum::number(0);
        let one = (Vec::new(), self.constant);
        for (product, c) in self.terms.iter().map(|(p, c)| (p.clone(), *c)).chain([one]) {
            let mut shifted = Sum::number(0);
            for (theirs, k) in &other.terms {
                let mut joined: Product = product.iter().chain(theirs).copied().collect();
                joined.arrange();
                shifted.terms.insert(joined, *k);
            }
            match product.is_empty() {
                true => shifted.constant = other.constant,
                false if other.constant != 0 => {
                    shifted.terms.insert(product, other.constant);
                }
                false => {}
            }
            if c != 0 {
                all = all.plus(c, &shifted)?;
            }
        }
        Some(all)
    }

    /// Returns −this − 1.
    pub fn negation(&self) -> Option<Sum> {
        Sum::number(-1).plus(-1, self)
    }

    /// Returns what is known of integers where this is 0 or more: divided by the common divisor of
    /// the coefficients, the constant rounded down.
    pub fn tightened(mut self) -> Sum {
        let g = self.terms.values().fold(0, |g, c| gcd(g, *c));
        if g > 1 {
            self.terms.values_mut().for_each(|c| *c /= g);
            self.constant = self.constant.div_euclid(g);
        }
        self
    }

    /// Returns the text of a certificate: `+1*q1 -2*h*q2 +3`.
    pub fn text(&self, names: &[String]) -> String {
        let terms = self.terms.iter().map(|(product, c)| {
            let factors: String =
                product.iter().map(|v| format!("*{}", names[usize::from(*v)])).collect();
            format!("{c:+}{factors}")
        });
        terms.chain([format!("{:+}", self.constant)]).collect::<Vec<_>>().join(" ")
    }
}

/// A sentence about sums. Lists are flat: no `All` in an `All`, no `Any` in an `Any`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assertion {
    /// The sum is 0 or more.
    Holds(Sum),
    /// All of them.
    All(Vec<Assertion>),
    /// At least one of them.
    Any(Vec<Assertion>),
}

impl Assertion {
    /// Returns the negation.
    pub fn not(&self) -> Option<Assertion> {
        let each =
            |parts: &[Assertion]| parts.iter().map(Assertion::not).collect::<Option<Vec<_>>>();
        Some(match self {
            Assertion::Holds(sum) => Assertion::Holds(sum.negation()?),
            Assertion::All(parts) => Assertion::Any(each(parts)?),
            Assertion::Any(parts) => Assertion::All(each(parts)?),
        })
    }

    /// Returns the conjunction.
    pub fn all(parts: impl IntoIterator<Item = Assertion>) -> Assertion {
        let flat = parts.into_iter().flat_map(|part| match part {
            Assertion::All(more) => more,
            one => vec![one],
        });
        Assertion::All(flat.collect())
    }

    /// Returns the disjunction.
    pub fn any(parts: impl IntoIterator<Item = Assertion>) -> Assertion {
        let flat = parts.into_iter().flat_map(|part| match part {
            Assertion::Any(more) => more,
            one => vec![one],
        });
        Assertion::Any(flat.collect())
    }
}

/// A quotient: an unknown with 0 ≤ dividend − divisor · unknown < divisor.
#[derive(Debug, Clone)]
pub struct Quotient {
    pub dividend: Sum,
    pub divisor: Sum,
    pub unknown: u16,
}

/// The unknowns of a system. Parameters come first.
#[derive(Debug, Clone)]
pub struct Unknowns {
    /// Their names.
    pub names: Vec<String>,
    /// How many are parameters.
    pub parameters: usize,
    /// Quotients, as they were met.
    pub quotients: Vec<Quotient>,
    /// Sums that are 0 or more by the definition of quotients.
    pub definitions: Vec<Sum>,
}

impl Unknowns {
    /// Returns unknowns of these names.
    pub fn new(parameters: &[String], others: &[&str]) -> Unknowns {
        let names =
            parameters.iter().cloned().chain(others.iter().map(ToString::to_string)).collect();
        Unknowns {
            names,
            parameters: parameters.len(),
            quotients: Vec::new(),
            definitions: Vec::new(),
        }
    }

    /// Returns a number in which names stand for sums; `None` if a number grows too great, a name
    /// stands for nothing, or a divisor is below 1 or no expression in the parameters.
    pub fn sum(&mut self, of: &Expression, values: &[(&str, Sum)]) -> Option<Sum> {
        match of {
            Expression::Number(value) => Some(Sum::number((*value).into())),
            Expression::Name(name, _) => {
                values.iter().find(|(own, _)| own == name).map(|(_, sum)| sum.clone())
            }
            Expression::Operation(operation, both, _) => {
                let (left, right) = (self.sum(&both[0], values)?, self.sum(&both[1], values)?);
                match operation {
                    Operation::Plus => left.plus(1, &right),
                    Operation::Minus => left.plus(-1, &right),
                    Operation::Times => left.times(&right),
                    Operation::Div => self.quotient(left, right),
                    Operation::Mod => {
                        let quotient = self.quotient(left.clone(), right.clone())?;
                        left.plus(-1, &right.times(&quotient)?)
                    }
                }
            }
            _ => None,
        }
    }

    fn quotient(&mut self, dividend: Sum, divisor: Sum) -> Option<Sum> {
        if divisor.terms.is_empty() && divisor.constant < 1 || !self.is_of_parameters(&divisor) {
            return None;
        }
        if divisor.terms.is_empty() && dividend.terms.is_empty() {
            return Some(Sum::number(dividend.constant.div_euclid(divisor.constant)));
        }
        let known = self.quotients.iter().find(|q| q.dividend == dividend && q.divisor == divisor);
        if let Some(known) = known {
            return Some(Sum::unknown(known.unknown));
        }
        let index = u16::try_from(self.names.len()).ok()?;
        self.names.push(format!("q{}", self.quotients.len() + 1));
        let rest = dividend.plus(-1, &divisor.times(&Sum::unknown(index))?)?;
        let top = divisor.plus(-1, &rest)?.plus(-1, &Sum::number(1))?;
        self.definitions.extend([rest, top]);
        self.quotients.push(Quotient { dividend, divisor, unknown: index });
        Some(Sum::unknown(index))
    }

    /// Returns whether a sum has no unknowns but parameters.
    pub fn is_of_parameters(&self, sum: &Sum) -> bool {
        sum.terms.keys().flatten().all(|unknown| usize::from(*unknown) < self.parameters)
    }

    /// Returns whether a sum has no unknowns but parameters and quotients of them.
    pub fn is_of_parameters_alone(&self, sum: &Sum) -> bool {
        let of_parameters = |unknown: &u16| {
            let quotient = self.quotients.iter().find(|quotient| quotient.unknown == *unknown);
            usize::from(*unknown) < self.parameters
                || quotient.is_some_and(|quotient| self.is_of_parameters(&quotient.dividend))
        };
        sum.terms.keys().flatten().all(of_parameters)
    }

    /// Returns a sentence in which names stand for sums; `None` as in [`Unknowns::sum`].
    pub fn assertion(&mut self, of: &Expression, values: &[(&str, Sum)]) -> Option<Assertion> {
        match of {
            Expression::Compare(relation, both) => {
                let (left, right) = (self.sum(&both[0], values)?, self.sum(&both[1], values)?);
                let (up, down) = (left.plus(-1, &right)?, right.plus(-1, &left)?);
                let strictly = |sum: &Sum| sum.plus(-1, &Sum::number(1)).map(Assertion::Holds);
                Some(match relation {
                    Relation::Equal => {
                        Assertion::All(vec![Assertion::Holds(up), Assertion::Holds(down)])
                    }
                    Relation::Unequal => Assertion::Any(vec![strictly(&up)?, strictly(&down)?]),
                    Relation::Less => strictly(&down)?,
                    Relation::AtMost => Assertion::Holds(down),
                    Relation::Greater => strictly(&up)?,
                    Relation::AtLeast => Assertion::Holds(up),
                })
            }
            Expression::Not(inner) => self.assertion(inner, values)?.not(),
            Expression::And(parts) => {
                let parts = parts.iter().map(|part| self.assertion(part, values));
                Some(Assertion::all(parts.collect::<Option<Vec<_>>>()?))
            }
            Expression::Or(parts) => {
                let parts = parts.iter().map(|part| self.assertion(part, values));
                Some(Assertion::any(parts.collect::<Option<Vec<_>>>()?))
            }
            _ => None,
        }
    }
}

//! Sentences without quantifiers over polynomials, and their texts.
//!
//! `~ & |`, `= != < <= > >=`, `+ - * mod div`. Binding, tightest first: `* mod div`, `+ -`,
//! comparison, `~`, `&`, `|`. A text is read with a polynomial for each name, so that the same
//! text speaks of a position and of its options.

use super::polynomial::Polynomial;
use crate::work::{Reason, Work, number, shown};
use std::rc::Rc;

/// A sentence about integers. No list of `All` has an `All` in it, and no list of `Any` an `Any`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sentence {
    /// A polynomial that is 0 or more.
    AtLeast0(Polynomial),
    /// All of these.
    All(Vec<Sentence>),
    /// One of these at least.
    Any(Rc<Vec<Sentence>>),
}

impl Sentence {
    /// Returns the sentence that all of these hold.
    pub fn all(parts: Vec<Sentence>) -> Sentence {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Sentence::All(more) => flat.extend(more),
                other => flat.push(other),
            }
        }
        Sentence::All(flat)
    }

    /// Returns the sentence that one of these holds.
    pub fn any(parts: Vec<Sentence>) -> Sentence {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Sentence::Any(more) => flat.extend(more.iter().cloned()),
                other => flat.push(other),
            }
        }
        Sentence::Any(Rc::new(flat))
    }

    /// Returns the sentence that this one does not hold.
    pub fn negated(&self, work: &Work<'_>) -> Result<Sentence, Reason> {
        Ok(match self {
            Sentence::AtLeast0(value) => Sentence::AtLeast0(value.negated(work)?),
            Sentence::All(parts) => Sentence::any(
                parts.iter().map(|part| part.negated(work)).collect::<Result<_, _>>()?,
            ),
            Sentence::Any(parts) => Sentence::all(
                parts.iter().map(|part| part.negated(work)).collect::<Result<_, _>>()?,
            ),
        })
    }

    /// Returns whether it holds, if no variable occurs.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Sentence::AtLeast0(value) => Some(value.as_constant()? >= 0),
            Sentence::All(parts) => {
                parts.iter().try_fold(true, |all, part| Some(all & part.truth()?))
            }
            Sentence::Any(parts) => {
                parts.iter().try_fold(false, |any, part| Some(any | part.truth()?))
            }
        }
    }

    /// Returns about how many bytes it takes.
    pub fn bytes(&self) -> usize {
        match self {
            Sentence::AtLeast0(value) => value.bytes(),
            Sentence::All(parts) => 64 + parts.iter().map(Sentence::bytes).sum::<usize>(),
            Sentence::Any(parts) => 64 + parts.iter().map(Sentence::bytes).sum::<usize>(),
        }
    }
}

/// The integers that sentences speak of. The first are the parameters; `q1`, `q2`, … are quotients.
pub struct Integers {
    /// Names, one a variable.
    pub names: Vec<String>,
    /// How many of them are parameters.
    parameters: usize,
    /// Dividend, divisor, and the variable that is their quotient.
    quotients: Vec<(Polynomial, Polynomial, usize)>,
    /// What is so by the definition of quotients, if divisors are positive.
    pub defined: Vec<Polynomial>,
    /// Divisors that are no numbers, as they were met.
    pub divisors: Vec<Polynomial>,
}

impl Integers {
    /// Returns parameters and other variables of these names.
    pub fn new(parameters: &[String], others: &[&str]) -> Integers {
        let others = others.iter().map(|name| (*name).to_owned());
        Integers {
            names: parameters.iter().cloned().chain(others).collect(),
            parameters: parameters.len(),
            quotients: Vec::new(),
            defined: Vec::new(),
            divisors: Vec::new(),
        }
    }

    /// Returns a variable by its name.
    pub fn named(&self, name: &str) -> Option<Polynomial> {
        self.names.iter().position(|own| own == name).map(Polynomial::variable)
    }

    /// Returns ⌊dividend / divisor⌋: the number, or a variable with its definition.
    fn quotient(
        &mut self,
        dividend: &Polynomial,
        divisor: &Polynomial,
        work: &Work<'_>,
    ) -> Result<Polynomial, Reason> {
        match divisor.as_constant() {
            Some(value) if value < 1 => return Err(format!("a divisor is {value}").into()),
            Some(value) => {
                if let Some(fixed) = dividend.as_constant() {
                    return Ok(Polynomial::constant(fixed.div_euclid(value)));
                }
            }
            None => {
                if !divisor.uses_only_below(self.parameters) {
                    return Err("a divisor is no expression in the parameters alone".into());
                }
                if !self.divisors.contains(divisor) {
                    self.divisors.push(divisor.clone());
                }
            }
        }
        work.spend(64 * (1 + self.quotients.len()))?;
        let same =
            self.quotients.iter().find(|(top, bottom, _)| top == dividend && bottom == divisor);
        if let Some((.., variable)) = same {
            return Ok(Polynomial::variable(*variable));
        }
        let variable = self.names.len();
        self.names.push(format!("q{}", self.quotients.len() + 1));
        let quotient = Polynomial::variable(variable);
        let rest = dividend.plus(-1, &divisor.times(&quotient, work)?, work)?;
        let below = divisor.plus(-1, &Polynomial::constant(1), work)?.plus(-1, &rest, work)?;
        work.hold(2 * (rest.bytes() + below.bytes()))?;
        self.defined.extend([rest, below]);
        self.quotients.push((dividend.clone(), divisor.clone(), variable));
        Ok(quotient)
    }
}

/// What a text says: a number or a sentence.
enum Meaning {
    Number(Polynomial),
    Sentence(Sentence),
}

/// Most levels of parentheses, and the longest text.
const DEPTH: usize = 100;
const MAX_BYTES: usize = 1 << 14;

/// A text being read; `values` are what its names stand for.
pub struct Reader<'r> {
    tokens: Vec<&'r str>,
    at: usize,
    depth: usize,
    values: &'r [(&'r str, Polynomial)],
    integers: &'r mut Integers,
    work: &'r Work<'r>,
}

/// Returns what a text says of these values: a number.
pub fn number_of<'r>(
    text: &'r str,
    values: &'r [(&'r str, Polynomial)],
    integers: &'r mut Integers,
    work: &'r Work<'_>,
) -> Result<Polynomial, Reason> {
    match whole(text, values, integers, work)? {
        Meaning::Number(value) => Ok(value),
        Meaning::Sentence(_) => Err("a sentence where a number should stand".into()),
    }
}

/// Returns what a text says of these values: a sentence.
pub fn sentence_of<'r>(
    text: &'r str,
    values: &'r [(&'r str, Polynomial)],
    integers: &'r mut Integers,
    work: &'r Work<'_>,
) -> Result<Sentence, Reason> {
    match whole(text, values, integers, work)? {
        Meaning::Sentence(sentence) => Ok(sentence),
        Meaning::Number(_) => Err("a number where a sentence should stand".into()),
    }
}

fn whole<'r>(
    text: &'r str,
    values: &'r [(&'r str, Polynomial)],
    integers: &'r mut Integers,
    work: &'r Work<'_>,
) -> Result<Meaning, Reason> {
    if text.len() > MAX_BYTES {
        return Err("a text is too long".into());
    }
    work.spend(16 * text.len())?;
    let mut reader = Reader { tokens: split(text), at: 0, depth: 0, values, integers, work };
    let meaning = reader.joined(1)?;
    match reader.tokens.get(reader.at) {
        None => Ok(meaning),
        Some(more) => Err(format!("`{}` is not expected", shown(more)).into()),
    }
}

/// Splits a text into names, numbers and signs.
fn split(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches(' ');
    while let Some(first) = rest.chars().next() {
        let end = if first.is_ascii_alphanumeric() {
            rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())
        } else if ["!=", "<=", ">="].iter().any(|sign| rest.starts_with(sign)) {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(' ');
    }
    tokens
}

impl<'r> Reader<'r> {
    fn peek(&self) -> &'r str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    /// Reads what operators join that bind at least as tightly as `least`.
    fn joined(&mut self, least: u8) -> Result<Meaning, Reason> {
        let mut left = self.single()?;
        loop {
            let sign = self.peek();
            let binding = match sign {
                "|" => 1,
                "&" => 2,
                "=" | "!=" | "<" | "<=" | ">" | ">=" => 4,
                "+" | "-" => 5,
                "*" | "mod" | "div" => 6,
                _ => 0,
            };
            if binding < least {
                return Ok(left);
            }
            self.at += 1;
            let right = self.joined(binding + 1)?;
            left = match (left, right) {
                (Meaning::Number(left), Meaning::Number(right)) => {
                    self.numbers(left, sign, right)?
                }
                (Meaning::Sentence(left), Meaning::Sentence(right)) if sign == "|" => {
                    Meaning::Sentence(Sentence::any(vec![left, right]))
                }
                (Meaning::Sentence(left), Meaning::Sentence(right)) if sign == "&" => {
                    Meaning::Sentence(Sentence::all(vec![left, right]))
                }
                _ => return Err(format!("`{sign}` cannot join these").into()),
            };
        }
    }

    /// Joins two numbers.
    fn numbers(
        &mut self,
        left: Polynomial,
        sign: &str,
        right: Polynomial,
    ) -> Result<Meaning, Reason> {
        let work = self.work;
        let (up, down) = (left.plus(-1, &right, work)?, right.plus(-1, &left, work)?);
        let less = |difference: &Polynomial| {
            difference.plus(-1, &Polynomial::constant(1), work).map(Sentence::AtLeast0)
        };
        Ok(Meaning::Number(match sign {
            "+" => left.plus(1, &right, work)?,
            "-" => up,
            "*" => left.times(&right, work)?,
            "div" => self.integers.quotient(&left, &right, work)?,
            "mod" => {
                let quotient = self.integers.quotient(&left, &right, work)?;
                left.plus(-1, &right.times(&quotient, work)?, work)?
            }
            comparison => {
                return Ok(Meaning::Sentence(match comparison {
                    "<=" => Sentence::AtLeast0(down),
                    ">=" => Sentence::AtLeast0(up),
                    "<" => less(&down)?,
                    ">" => less(&up)?,
                    "=" => Sentence::All(vec![Sentence::AtLeast0(up), Sentence::AtLeast0(down)]),
                    "!=" => Sentence::any(vec![less(&up)?, less(&down)?]),
                    other => return Err(format!("`{other}` cannot join numbers").into()),
                }));
            }
        }))
    }

    /// Reads a number, a name, or what stands in parentheses or behind `~`.
    fn single(&mut self) -> Result<Meaning, Reason> {
        let token = self.peek();
        self.at += 1;
        if token == "~" || token == "(" {
            self.depth += 1;
            if self.depth > DEPTH {
                return Err("nested too deeply".into());
            }
            let inner = self.joined(if token == "~" { 3 } else { 1 })?;
            self.depth -= 1;
            if token == "~" {
                return match inner {
                    Meaning::Sentence(inner) => Ok(Meaning::Sentence(inner.negated(self.work)?)),
                    Meaning::Number(_) => Err("`~` before a number".into()),
                };
            }
            self.at += 1;
            let closed = self.tokens.get(self.at - 1) == Some(&")");
            return if closed { Ok(inner) } else { Err("`)` is missing".into()) };
        }
        if let Some((_, value)) = self.values.iter().find(|(name, _)| *name == token) {
            return Ok(Meaning::Number(value.clone()));
        }
        match number::<u32>(token) {
            Some(value) => Ok(Meaning::Number(Polynomial::constant(value.into()))),
            None if token.is_empty() => Err("a text stops short".into()),
            None => Err(format!("`{}` is not expected", shown(token)).into()),
        }
    }
}

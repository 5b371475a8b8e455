//! P-positions of subtraction games and NIM with Cash, for all values of parameters.
//!
//! Every system of the theorem is made anew from the texts of game, claim and witnesses, and its
//! refutation replayed on polynomials with checked integers.

use crate::{Certificate, Checked, Fault, Lines, Work, need, reject, unknown};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The greatest degree of a polynomial.
const DEGREE: usize = 32;

/// The most terms of a polynomial.
const SIZE: usize = 1 << 12;

/// The most terms that the facts of a system may have together.
const TERMS: usize = 1 << 20;

/// Numbers of texts are below this.
const NUMBERS: i128 = 1 << 32;

fn overflow() -> Fault {
    Fault::Unknown("a number is too large".into())
}

/// Reads a number without a sign or a leading 0.
fn plain(text: &str) -> Checked<i128> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    need(digits && (text == "0" || !text.starts_with('0')), "not a number")?;
    text.parse().map_err(|_| overflow())
}

/// Reads a number below 2^32.
fn small(text: &str) -> Checked<i128> {
    let value = plain(text)?;
    need(value < NUMBERS, "a number is not below 2^32")?;
    Ok(value)
}

// Polynomials.

/// The integers that a product multiplies, ascending by their numbers in the system.
type Monomial = Vec<u16>;

/// A polynomial: no factor is 0; the empty product has the constant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Polynomial(BTreeMap<Monomial, i128>);

impl Polynomial {
    fn number(value: i128) -> Polynomial {
        let mut sum = Polynomial::default();
        if value != 0 {
            sum.0.insert(Vec::new(), value);
        }
        sum
    }

    fn variable(variable: u16) -> Polynomial {
        Polynomial(BTreeMap::from([(vec![variable], 1)]))
    }

    /// Returns the value if no integer of the system is in the polynomial.
    fn constant(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    fn size(&self) -> u64 {
        self.0.len() as u64 + 1
    }

    fn fits(&self) -> Checked<()> {
        if self.0.len() > SIZE { unknown("a polynomial is too large") } else { Ok(()) }
    }

    fn add(&mut self, factor: i128, monomial: &[u16]) -> Checked<()> {
        if factor == 0 {
            return Ok(());
        }
        match self.0.get_mut(monomial) {
            Some(old) => {
                *old = old.checked_add(factor).ok_or_else(overflow)?;
                if *old == 0 {
                    self.0.remove(monomial);
                }
            }
            None => {
                self.0.insert(monomial.to_vec(), factor);
            }
        }
        Ok(())
    }

    /// Adds a polynomial times a number.
    fn add_times(&mut self, factor: i128, other: &Polynomial, work: &mut Work) -> Checked<()> {
        work.spend(4 * other.size())?;
        for (monomial, old) in &other.0 {
            self.add(old.checked_mul(factor).ok_or_else(overflow)?, monomial)?;
        }
        self.fits()
    }

    /// Returns `self` + factor·other + number.
    fn plus(
        &self,
        factor: i128,
        other: &Polynomial,
        number: i128,
        work: &mut Work,
    ) -> Checked<Polynomial> {
        work.spend(4 * self.size())?;
        let mut sum = self.clone();
        sum.add_times(factor, other, work)?;
        sum.add(number, &[])?;
        Ok(sum)
    }

    fn product(&self, other: &Polynomial, work: &mut Work) -> Checked<Polynomial> {
        let mut product = Polynomial::default();
        for (one, x) in &self.0 {
            work.spend(8 * other.size())?;
            for (two, y) in &other.0 {
                let mut both = [&one[..], &two[..]].concat();
                if both.len() > DEGREE {
                    return unknown("a product has too many factors");
                }
                both.sort_unstable();
                product.add(x.checked_mul(*y).ok_or_else(overflow)?, &both)?;
            }
            product.fits()?;
        }
        Ok(product)
    }

    /// Returns the fact that follows for integers: divided by the common divisor of the
    /// coefficients, the constant rounded down.
    fn tightened(mut self) -> Polynomial {
        let common =
            self.0.iter().filter(|(monomial, _)| !monomial.is_empty()).fold(0, |common, (_, c)| {
                let (mut a, mut b) = (common, c.unsigned_abs());
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                a
            });
        // A divisor of 2^127 is none of this type.
        if let Ok(common) = i128::try_from(common)
            && common > 1
        {
            self.0.values_mut().for_each(|c| *c = c.div_euclid(common));
            self.0.retain(|_, c| *c != 0);
        }
        self
    }
}

// Expressions.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    Different,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Times,
    Mod,
    Div,
}

#[derive(Debug, Clone, PartialEq)]
enum Expression {
    Number(i128),
    Name(char),
    /// Terms to be added or taken away.
    Sum(Vec<(i128, Expression)>),
    /// Operations from left to right.
    Row(Box<Expression>, Vec<(Operation, Expression)>),
    Compare(Relation, Box<Expression>, Box<Expression>),
    Not(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
}

impl Expression {
    fn is_number(&self) -> bool {
        use Expression::{Name, Number, Row, Sum};
        matches!(self, Number(_) | Name(_) | Sum(_) | Row(..))
    }

    fn parts(&self) -> Vec<&Expression> {
        match self {
            Expression::Number(_) | Expression::Name(_) => Vec::new(),
            Expression::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
            Expression::Row(first, rest) => {
                std::iter::once(&**first).chain(rest.iter().map(|(_, factor)| factor)).collect()
            }
            Expression::Compare(_, one, two) => vec![one, two],
            Expression::Not(one) => vec![one],
            Expression::And(all) | Expression::Or(all) => all.iter().collect(),
        }
    }

    fn has_name(&self, test: &dyn Fn(char) -> bool) -> bool {
        match self {
            Expression::Name(name) => test(*name),
            _ => self.parts().into_iter().any(|part| part.has_name(test)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token {
    Number(i128),
    Name(char),
    Mark(&'static str),
}

const MARKS: [&str; 16] =
    ["!=", "<=", ">=", "=", "<", ">", "(", ")", "+", "-", "*", "~", "&", "|", "mod", "div"];

fn tokens(text: &str) -> Checked<Vec<Token>> {
    need(text.len() <= 65_536, "an expression is too long")?;
    let mut all = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(' ');
        let Some(first) = rest.chars().next() else { return Ok(all) };
        let run = |test: fn(&u8) -> bool| rest.bytes().take_while(test).count();
        let (token, length) = if first.is_ascii_digit() {
            let length = run(u8::is_ascii_digit);
            (Token::Number(small(&rest[..length])?), length)
        } else if first.is_ascii_alphabetic() {
            let length = run(u8::is_ascii_alphanumeric);
            match MARKS.iter().find(|mark| **mark == &rest[..length]) {
                Some(mark) => (Token::Mark(mark), length),
                None if length == 1 => (Token::Name(first), 1),
                None => return reject(format!("`{}` is no name", &rest[..length])),
            }
        } else {
            match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => (Token::Mark(mark), mark.len()),
                None => return reject(format!("`{first}` is in no expression")),
            }
        };
        all.push(token);
        rest = &rest[length..];
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    depth: usize,
}

impl Reader<'_> {
    fn mark(&mut self, among: &[&'static str]) -> Option<&'static str> {
        match self.tokens.first() {
            Some(Token::Mark(mark)) if among.contains(mark) => {
                self.tokens = &self.tokens[1..];
                Some(mark)
            }
            _ => None,
        }
    }

    fn disjunction(&mut self) -> Checked<Expression> {
        self.list("|", Reader::conjunction, Expression::Or)
    }

    fn conjunction(&mut self) -> Checked<Expression> {
        self.list("&", Reader::negation, Expression::And)
    }

    fn list(
        &mut self,
        mark: &'static str,
        inner: fn(&mut Self) -> Checked<Expression>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Checked<Expression> {
        let first = inner(self)?;
        let mut all = vec![first];
        while self.mark(&[mark]).is_some() {
            all.push(inner(self)?);
        }
        if all.len() == 1 {
            return Ok(all.remove(0));
        }
        need(!all.iter().any(Expression::is_number), "a number is joined like a statement")?;
        Ok(join(all))
    }

    fn deeper(&mut self) -> Checked<()> {
        self.depth += 1;
        need(self.depth <= 200, "an expression is nested too deep")
    }

    fn negation(&mut self) -> Checked<Expression> {
        if self.mark(&["~"]).is_none() {
            return self.comparison();
        }
        self.deeper()?;
        let inner = self.negation()?;
        self.depth -= 1;
        need(!inner.is_number(), "a number is negated like a statement")?;
        Ok(Expression::Not(Box::new(inner)))
    }

    fn comparison(&mut self) -> Checked<Expression> {
        let one = self.sum()?;
        let relation = match self.mark(&["=", "!=", "<", "<=", ">", ">="]) {
            Some("=") => Relation::Equal,
            Some("!=") => Relation::Different,
            Some("<") => Relation::Less,
            Some("<=") => Relation::AtMost,
            Some(">") => Relation::Greater,
            Some(_) => Relation::AtLeast,
            None => return Ok(one),
        };
        let two = self.sum()?;
        need(one.is_number() && two.is_number(), "a comparison joins two numbers")?;
        Ok(Expression::Compare(relation, Box::new(one), Box::new(two)))
    }

    fn sum(&mut self) -> Checked<Expression> {
        let first = self.row()?;
        let mut terms = vec![(1, first)];
        while let Some(mark) = self.mark(&["+", "-"]) {
            terms.push((if mark == "+" { 1 } else { -1 }, self.row()?));
        }
        if terms.len() == 1 {
            return Ok(terms.remove(0).1);
        }
        need(terms.iter().all(|(_, term)| term.is_number()), "a sum is one of numbers")?;
        Ok(Expression::Sum(terms))
    }

    fn row(&mut self) -> Checked<Expression> {
        let first = self.atom()?;
        let mut rest = Vec::new();
        while let Some(mark) = self.mark(&["*", "mod", "div"]) {
            let operation = match mark {
                "*" => Operation::Times,
                "mod" => Operation::Mod,
                _ => Operation::Div,
            };
            rest.push((operation, self.atom()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        let numbers = first.is_number() && rest.iter().all(|(_, factor)| factor.is_number());
        need(numbers, "a product is one of numbers")?;
        Ok(Expression::Row(Box::new(first), rest))
    }

    fn atom(&mut self) -> Checked<Expression> {
        let Some((first, rest)) = self.tokens.split_first() else {
            return reject("an expression ends too early");
        };
        self.tokens = rest;
        match first {
            Token::Number(value) => Ok(Expression::Number(*value)),
            Token::Name(name) => Ok(Expression::Name(*name)),
            Token::Mark("(") => {
                self.deeper()?;
                let inner = self.disjunction()?;
                self.depth -= 1;
                need(self.mark(&[")"]).is_some(), "`)` is missing")?;
                Ok(inner)
            }
            Token::Mark(mark) => reject(format!("`{mark}` is not expected")),
        }
    }
}

fn expression(text: &str) -> Checked<Expression> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, depth: 0 };
    let whole = reader.disjunction()?;
    need(reader.tokens.is_empty(), "something follows the expression")?;
    Ok(whole)
}

fn numeric(text: &str) -> Checked<Expression> {
    let whole = expression(text)?;
    need(whole.is_number(), "an expression is no number")?;
    Ok(whole)
}

fn statement(text: &str) -> Checked<Expression> {
    let whole = expression(text)?;
    need(!whole.is_number(), "an expression says nothing")?;
    Ok(whole)
}

// The game and what is claimed of it.

struct Amount {
    low: Expression,
    /// The greatest, if the amount is a range.
    high: Option<Expression>,
}

struct Theorem {
    parameters: Vec<char>,
    /// The letters of a position: the heap, or stones and purses.
    position: &'static [char],
    amounts: Vec<Amount>,
    condition: Expression,
    form: Expression,
    /// Amounts by their places in the list, and numbers of ranges.
    witnesses: Vec<(usize, Option<Expression>)>,
}

fn is_parameter(name: char) -> bool {
    !"andetq".contains(name)
}

fn theorem(certificate: &Certificate) -> Checked<Theorem> {
    let game = certificate.game;
    need(!game.contains(' '), "a blank is in the game's name")?;
    let heap = game.strip_prefix("S(").and_then(|rest| rest.strip_suffix(')'));
    let cash = game.strip_prefix("NIM(").and_then(|rest| rest.strip_suffix(";n;d,e)"));
    let (list, position): (_, &[char]) = match (heap, cash) {
        (Some(list), _) => (list, &['a']),
        (_, Some(list)) => (list, &['n', 'd', 'e']),
        _ => return reject("no game with parameters"),
    };
    let mut parameters = Vec::new();
    for token in tokens(&list.replace([',', '.', ';'], " "))? {
        if let Token::Name(name) = token
            && !parameters.contains(&name)
        {
            need(is_parameter(name), "a parameter has the name of something else")?;
            parameters.push(name);
        }
    }
    need(!parameters.is_empty(), "the game has no parameter")?;
    let amounts = list
        .split(',')
        .map(|amount| match amount.split_once("..") {
            Some((low, high)) => Ok(Amount { low: numeric(low)?, high: Some(numeric(high)?) }),
            None => Ok(Amount { low: numeric(amount)?, high: None }),
        })
        .collect::<Checked<_>>()?;
    let claim =
        certificate.claim.strip_prefix("for ").and_then(|claim| claim.split_once(", P iff "));
    let Some((condition, form)) = claim else {
        return reject("no claim for all values of parameters");
    };
    let (condition, form) = (statement(condition)?, statement(form)?);
    Ok(Theorem { parameters, position, amounts, condition, form, witnesses: Vec::new() })
}

impl Theorem {
    /// Rejects unless all names are ones that may stand there.
    fn names(&self, whole: &Expression, with_position: bool) -> Checked<()> {
        let other = |name: char| {
            !(self.parameters.contains(&name) || with_position && self.position.contains(&name))
        };
        need(!whole.has_name(&other), "a name stands for nothing")
    }

    fn witness(&self, text: &str) -> Checked<(usize, Option<Expression>)> {
        let (place, term) = match text.split_once(' ') {
            Some((place, term)) => (place, Some(numeric(term)?)),
            None => (text, None),
        };
        let place = plain(place)?;
        need((1..=self.amounts.len() as i128).contains(&place), "no amount has this number")?;
        let place = place as usize - 1;
        let ranged = self.amounts[place].high.is_some();
        need(
            ranged == term.is_some(),
            "a witness names a number if and only if its amount is a range",
        )?;
        if let Some(term) = &term {
            self.names(term, true)?;
        }
        Ok((place, term))
    }

    /// Returns the divisors with parameters, each once, as they come in the systems that follow.
    fn divisors(&self, work: &mut Work) -> Checked<Vec<Polynomial>> {
        let mut all = System::new(self, true, false);
        let meaning = all.meaning();
        for amount in &self.amounts {
            all.number(&amount.low, &meaning, work)?;
        }
        all.say(&self.form, true, &meaning, work)?;
        for high in self.amounts.iter().filter_map(|amount| amount.high.as_ref()) {
            all.number(high, &meaning, work)?;
        }
        for term in self.witnesses.iter().filter_map(|(_, term)| term.as_ref()) {
            all.number(term, &meaning, work)?;
        }
        Ok(all.divisors)
    }
}

/// Returns the value of a number or the truth (1 or 0) of a statement on the parameters' values.
fn value(whole: &Expression, at: &BTreeMap<char, i128>) -> Checked<i128> {
    Ok(match whole {
        Expression::Number(number) => *number,
        Expression::Name(name) => match at.get(name) {
            Some(value) => *value,
            None => return reject("a name has no value"),
        },
        Expression::Sum(terms) => {
            let mut sum = 0i128;
            for (factor, term) in terms {
                let term = value(term, at)?.checked_mul(*factor).ok_or_else(overflow)?;
                sum = sum.checked_add(term).ok_or_else(overflow)?;
            }
            sum
        }
        Expression::Row(first, rest) => {
            let mut product = value(first, at)?;
            for (operation, factor) in rest {
                let factor = value(factor, at)?;
                need(*operation == Operation::Times || factor > 0, "a divisor is not positive")?;
                product = match operation {
                    Operation::Times => product.checked_mul(factor).ok_or_else(overflow)?,
                    Operation::Mod => product.rem_euclid(factor),
                    Operation::Div => product.div_euclid(factor),
                };
                if product == i128::MIN {
                    return Err(overflow());
                }
            }
            product
        }
        Expression::Compare(relation, one, two) => {
            let (one, two) = (value(one, at)?, value(two, at)?);
            i128::from(match relation {
                Relation::Equal => one == two,
                Relation::Different => one != two,
                Relation::Less => one < two,
                Relation::AtMost => one <= two,
                Relation::Greater => one > two,
                Relation::AtLeast => one >= two,
            })
        }
        Expression::Not(one) => 1 - value(one, at)?,
        Expression::And(all) => {
            all.iter().try_fold(1, |so_far: i128, one| Ok(so_far.min(value(one, at)?)))?
        }
        Expression::Or(all) => {
            all.iter().try_fold(0, |so_far: i128, one| Ok(so_far.max(value(one, at)?)))?
        }
    })
}

// Systems.

/// What holds together: facts, and choices of which one sentence holds.
#[derive(Debug, Clone)]
enum Item {
    /// A polynomial that is 0 or more.
    Fact(Polynomial),
    Choice(Rc<Vec<Vec<Item>>>),
}

/// The integers of a system, and what is said of them.
struct System {
    /// Parameters, position, and `t`; quotients come behind.
    names: Vec<char>,
    parameters: usize,
    quotients: Vec<(Polynomial, Polynomial)>,
    /// The divisors that are no numbers, each once.
    divisors: Vec<Polynomial>,
    items: Vec<Item>,
    /// How many terms comparisons and quotients have.
    terms: usize,
}

/// What the letters of a text stand for.
type Meaning = BTreeMap<char, Polynomial>;

impl System {
    fn new(theorem: &Theorem, with_position: bool, with_taken: bool) -> System {
        let mut names = theorem.parameters.clone();
        if with_position {
            names.extend(theorem.position);
        }
        if with_taken {
            names.push('t');
        }
        let parameters = theorem.parameters.len();
        System {
            names,
            parameters,
            quotients: Vec::new(),
            divisors: Vec::new(),
            items: Vec::new(),
            terms: 0,
        }
    }

    fn variable(&self, name: char) -> Option<Polynomial> {
        self.names.iter().position(|other| *other == name).map(|at| Polynomial::variable(at as u16))
    }

    fn meaning(&self) -> Meaning {
        let all = self.names.iter().enumerate();
        all.map(|(at, name)| (*name, Polynomial::variable(at as u16))).collect()
    }

    /// Returns the polynomial of a number, with a quotient for each new division.
    fn number(&mut self, whole: &Expression, at: &Meaning, work: &mut Work) -> Checked<Polynomial> {
        work.spend(16)?;
        Ok(match whole {
            Expression::Number(number) => Polynomial::number(*number),
            Expression::Name(name) => match at.get(name) {
                Some(meaning) => {
                    work.spend(4 * meaning.size())?;
                    meaning.clone()
                }
                None => return reject("a name stands for nothing"),
            },
            Expression::Sum(terms) => {
                let mut sum = Polynomial::default();
                for (factor, term) in terms {
                    let term = self.number(term, at, work)?;
                    sum.add_times(*factor, &term, work)?;
                }
                sum
            }
            Expression::Row(first, rest) => {
                let mut so_far = self.number(first, at, work)?;
                for (operation, factor) in rest {
                    let factor = self.number(factor, at, work)?;
                    so_far = match operation {
                        Operation::Times => so_far.product(&factor, work)?,
                        Operation::Div => self.quotient(&so_far, &factor, work)?,
                        Operation::Mod => {
                            let quotient = self.quotient(&so_far, &factor, work)?;
                            so_far.plus(-1, &factor.product(&quotient, work)?, 0, work)?
                        }
                    };
                }
                so_far
            }
            _ => return reject("a statement where a number should be"),
        })
    }

    fn quotient(
        &mut self,
        of: &Polynomial,
        by: &Polynomial,
        work: &mut Work,
    ) -> Checked<Polynomial> {
        if let Some(by) = by.constant() {
            need(by > 0, "a divisor is not positive")?;
            if let Some(of) = of.constant() {
                return Ok(Polynomial::number(of.div_euclid(by)));
            }
        } else {
            let parameters =
                by.0.keys().flatten().all(|variable| usize::from(*variable) < self.parameters);
            need(parameters, "a divisor is no expression in the parameters alone")?;
            work.spend(by.size() * (self.divisors.len() as u64 + 1))?;
            if !self.divisors.contains(by) {
                self.divisors.push(by.clone());
            }
        }
        let mut at = self.quotients.len();
        for (i, (one, two)) in self.quotients.iter().enumerate() {
            work.spend(one.size() + two.size())?;
            if one == of && two == by {
                at = i;
                break;
            }
        }
        if at == self.quotients.len() {
            work.spend(8 * (of.size() + by.size()))?;
            if self.names.len() + at >= 1 << 15 {
                return unknown("there are too many quotients");
            }
            self.keep(of.size() + by.size())?;
            self.quotients.push((of.clone(), by.clone()));
        }
        Ok(Polynomial::variable((self.names.len() + at) as u16))
    }

    fn keep(&mut self, terms: u64) -> Checked<()> {
        self.terms += terms as usize;
        if self.terms > TERMS { unknown("the facts of a system are too large") } else { Ok(()) }
    }

    /// Returns what a statement, or its negation, says: facts and choices that hold together.
    fn together(
        &mut self,
        whole: &Expression,
        holds: bool,
        at: &Meaning,
        work: &mut Work,
    ) -> Checked<Vec<Item>> {
        match (whole, holds) {
            (Expression::Not(one), _) => self.together(one, !holds, at, work),
            (Expression::And(all), true) | (Expression::Or(all), false) => {
                let mut items = Vec::new();
                for one in all {
                    items.extend(self.together(one, holds, at, work)?);
                }
                Ok(items)
            }
            (Expression::And(_), false)
            | (Expression::Or(_), true)
            | (Expression::Compare(Relation::Equal, ..), false)
            | (Expression::Compare(Relation::Different, ..), true) => {
                Ok(vec![Item::Choice(Rc::new(self.sentences(whole, holds, at, work)?))])
            }
            _ => {
                let facts = self.comparison(whole, holds, at, work)?;
                Ok(facts.into_iter().map(Item::Fact).collect())
            }
        }
    }

    /// Returns the sentences of which one holds, if the statement, or its negation, does.
    fn sentences(
        &mut self,
        whole: &Expression,
        holds: bool,
        at: &Meaning,
        work: &mut Work,
    ) -> Checked<Vec<Vec<Item>>> {
        match (whole, holds) {
            (Expression::Not(one), _) => self.sentences(one, !holds, at, work),
            (Expression::Or(all), true) | (Expression::And(all), false) => {
                let mut sentences = Vec::new();
                for one in all {
                    sentences.extend(self.sentences(one, holds, at, work)?);
                }
                Ok(sentences)
            }
            (Expression::Compare(Relation::Different, ..), true)
            | (Expression::Compare(Relation::Equal, ..), false) => {
                let facts = self.comparison(whole, holds, at, work)?;
                Ok(facts.into_iter().map(|fact| vec![Item::Fact(fact)]).collect())
            }
            _ => Ok(vec![self.together(whole, holds, at, work)?]),
        }
    }

    /// Returns the polynomials of a comparison, or of its negation.
    fn comparison(
        &mut self,
        whole: &Expression,
        holds: bool,
        at: &Meaning,
        work: &mut Work,
    ) -> Checked<Vec<Polynomial>> {
        let Expression::Compare(relation, one, two) = whole else {
            return reject("a number where a statement should be");
        };
        let one = self.number(one, at, work)?;
        let two = self.number(two, at, work)?;
        self.keep(2 * (one.size() + two.size()))?;
        let up = two.plus(-1, &one, 0, work)?;
        let down = one.plus(-1, &two, 0, work)?;
        let positive = match relation {
            Relation::Equal => vec![down, up],
            Relation::Different => {
                let none = Polynomial::default();
                vec![down.plus(1, &none, -1, work)?, up.plus(1, &none, -1, work)?]
            }
            Relation::Less => vec![up.plus(1, &Polynomial::default(), -1, work)?],
            Relation::AtMost => vec![up],
            Relation::Greater => vec![down.plus(1, &Polynomial::default(), -1, work)?],
            Relation::AtLeast => vec![down],
        };
        if holds {
            return Ok(positive);
        }
        positive.iter().map(|fact| opposite(fact, work)).collect()
    }

    fn say(
        &mut self,
        whole: &Expression,
        holds: bool,
        at: &Meaning,
        work: &mut Work,
    ) -> Checked<()> {
        let items = self.together(whole, holds, at, work)?;
        self.items.extend(items);
        Ok(())
    }

    fn fact(&mut self, fact: Polynomial) {
        self.items.push(Item::Fact(fact));
    }

    /// Reads a polynomial of a refutation.
    fn polynomial(&self, text: &str, work: &mut Work) -> Checked<Polynomial> {
        let mut sum = Polynomial::default();
        for term in text.split(' ') {
            work.spend(16 + term.len() as u64)?;
            let (sign, rest) = match (term.strip_prefix('+'), term.strip_prefix('-')) {
                (Some(rest), _) => (1, rest),
                (_, Some(rest)) => (-1, rest),
                _ => return reject("a term has no sign"),
            };
            let mut parts = rest.split('*');
            let factor = sign * plain(parts.next().unwrap_or(""))?;
            let mut monomial = Vec::new();
            for name in parts {
                monomial.push(self.integer(name)?);
                if monomial.len() > DEGREE {
                    return unknown("a product has too many factors");
                }
            }
            monomial.sort_unstable();
            sum.add(factor, &monomial)?;
        }
        sum.fits()?;
        Ok(sum)
    }

    fn integer(&self, name: &str) -> Checked<u16> {
        let mut letters = name.chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && let Some(at) = self.names.iter().position(|other| *other == letter)
        {
            return Ok(at as u16);
        }
        let quotient = match name.strip_prefix('q') {
            Some(quotient) => plain(quotient)?,
            None => return reject(format!("no integer is called `{name}`")),
        };
        need((1..=self.quotients.len() as i128).contains(&quotient), "there is no such quotient")?;
        Ok((self.names.len() + quotient as usize - 1) as u16)
    }

    /// Returns the facts and choices at the top of a refutation.
    fn top(&self, work: &mut Work) -> Checked<Branch> {
        let mut branch = Branch::default();
        for (of, by) in &self.quotients {
            let quotient = Polynomial::variable((self.names.len() + branch.facts.len() / 2) as u16);
            let rest = of.plus(-1, &by.product(&quotient, work)?, 0, work)?;
            let under = by.plus(-1, &rest, -1, work)?;
            branch.fact(rest, work)?;
            branch.fact(under, work)?;
        }
        branch.add(&self.items, work)?;
        Ok(branch)
    }

    /// Reads a refutation and shows with it that no integers satisfy the system.
    fn refute(&self, lines: &mut Lines, work: &mut Work) -> Checked<()> {
        let mut branch = self.top(work)?;
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            let line = lines.next()?;
            work.spend(64 + line.len() as u64)?;
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "times" => {
                    let Some((one, two)) = rest.split_once(' ') else {
                        return reject("a product is one of two facts");
                    };
                    let product = branch.at(one)?.product(branch.at(two)?, work)?;
                    branch.fact(product, work)?;
                }
                "split" => {
                    let first = self.polynomial(rest, work)?;
                    let other = opposite(&first, work)?;
                    waiting.push(Waiting {
                        facts: branch.facts.len(),
                        choices: branch.choices.len(),
                        case: Case::Split(other),
                    });
                    branch.fact(first, work)?;
                }
                "or" => {
                    let number = plain(rest)?;
                    need(
                        (1..=branch.choices.len() as i128).contains(&number),
                        "there is no such choice",
                    )?;
                    let choice = branch.choices[number as usize - 1].clone();
                    waiting.push(Waiting {
                        facts: branch.facts.len(),
                        choices: branch.choices.len(),
                        case: Case::Or(choice, 0),
                    });
                    if branch.next(&mut waiting, work)? {
                        return Ok(());
                    }
                }
                "end" => {
                    branch.contradiction(rest, work)?;
                    if branch.next(&mut waiting, work)? {
                        return Ok(());
                    }
                }
                _ => return reject(format!("`{line}` is no line of a refutation")),
            }
        }
    }
}

/// Returns −E − 1, which is 0 or more if and only if E is not.
fn opposite(fact: &Polynomial, work: &mut Work) -> Checked<Polynomial> {
    Polynomial::number(-1).plus(-1, fact, 0, work)
}

/// What is known on the way from the top of a refutation.
#[derive(Clone, Default)]
struct Branch {
    facts: Vec<Polynomial>,
    choices: Vec<Rc<Vec<Vec<Item>>>>,
    terms: usize,
}

/// A branch that comes later: what it keeps of the facts and choices, and what it begins with.
struct Waiting {
    facts: usize,
    choices: usize,
    case: Case,
}

enum Case {
    Split(Polynomial),
    /// A choice, and the number of its next sentence.
    Or(Rc<Vec<Vec<Item>>>, usize),
}

impl Branch {
    fn fact(&mut self, fact: Polynomial, work: &mut Work) -> Checked<()> {
        work.spend(16 * fact.size())?;
        let fact = fact.tightened();
        self.terms += fact.size() as usize;
        if self.terms > TERMS {
            return unknown("the facts of a system are too large");
        }
        self.facts.push(fact);
        Ok(())
    }

    fn add(&mut self, items: &[Item], work: &mut Work) -> Checked<()> {
        for item in items {
            match item {
                Item::Fact(fact) => self.fact(fact.clone(), work)?,
                Item::Choice(choice) => {
                    work.spend(16)?;
                    self.choices.push(choice.clone());
                }
            }
        }
        Ok(())
    }

    fn at(&self, number: &str) -> Checked<&Polynomial> {
        let number = plain(number)?;
        need((1..=self.facts.len() as i128).contains(&number), "there is no such fact")?;
        Ok(&self.facts[number as usize - 1])
    }

    /// Shows that facts add up to a negative number.
    fn contradiction(&self, text: &str, work: &mut Work) -> Checked<()> {
        let mut sum = Polynomial::default();
        for part in text.split(' ') {
            let Some((fact, times)) = part.split_once('*') else {
                return reject("no fact times a number");
            };
            sum.add_times(plain(times)?, self.at(fact)?, work)?;
        }
        need(
            sum.constant().is_some_and(|sum| sum < 0),
            "the facts do not add up to a negative number",
        )
    }

    /// Begins the next branch; returns true if none is left.
    fn next(&mut self, waiting: &mut Vec<Waiting>, work: &mut Work) -> Checked<bool> {
        loop {
            let Some(Waiting { facts, choices, case }) = waiting.pop() else { return Ok(true) };
            for fact in self.facts.drain(facts..) {
                self.terms = self.terms.saturating_sub(fact.size() as usize);
            }
            self.choices.truncate(choices);
            match case {
                Case::Split(fact) => {
                    self.fact(fact, work)?;
                    return Ok(false);
                }
                Case::Or(choice, at) => {
                    let Some(sentence) = choice.get(at) else { continue };
                    waiting.push(Waiting {
                        facts,
                        choices,
                        case: Case::Or(choice.clone(), at + 1),
                    });
                    self.add(sentence, work)?;
                    return Ok(false);
                }
            }
        }
    }
}

/// What a move is about: the amount taken, and the letters of the option.
struct Move {
    /// What stays 0 or more.
    lowered: Vec<Polynomial>,
    option: Meaning,
}

impl Theorem {
    /// Returns the move that takes so many.
    fn take(&self, system: &System, taken: &Polynomial, work: &mut Work) -> Checked<Move> {
        let mut option = system.meaning();
        let less = |name: char, work: &mut Work| match system.variable(name) {
            Some(before) => before.plus(-1, taken, 0, work),
            None => reject("a position has no such number"),
        };
        if self.position == ['a'] {
            let heap = less('a', work)?;
            option.insert('a', heap.clone());
            return Ok(Move { lowered: vec![heap], option });
        }
        // The other player is to move, whose purse is read first.
        let (stones, paid) = (less('n', work)?, less('d', work)?);
        option.insert('n', stones.clone());
        option.insert('d', option[&'e'].clone());
        option.insert('e', paid.clone());
        Ok(Move { lowered: vec![stones, paid], option })
    }

    /// Reads the system of CONDITION, coordinates ≥ 0, FORM or not FORM.
    fn system_of_positions(
        &self,
        form: bool,
        with_taken: bool,
        work: &mut Work,
    ) -> Checked<System> {
        let mut system = System::new(self, true, with_taken);
        let meaning = system.meaning();
        system.say(&self.condition, true, &meaning, work)?;
        for name in self.position {
            system.fact(meaning[name].clone());
        }
        system.say(&self.form, form, &meaning, work)?;
        Ok(system)
    }

    /// Reads the system of CONDITION, on the parameters alone.
    fn system_of_parameters(&self, work: &mut Work) -> Checked<System> {
        let mut system = System::new(self, false, false);
        let meaning = system.meaning();
        system.say(&self.condition, true, &meaning, work)?;
        need(system.divisors.is_empty(), "a divisor of the condition is no number")?;
        Ok(system)
    }

    /// Reads the system of CONDITION, D ≤ 0.
    fn system_of_divisor(&self, divisor: &Polynomial, work: &mut Work) -> Checked<System> {
        let mut system = self.system_of_parameters(work)?;
        system.fact(Polynomial::default().plus(-1, divisor, 0, work)?);
        Ok(system)
    }

    /// Reads the system of CONDITION, lo ≤ 0.
    fn system_of_amount(&self, amount: &Amount, work: &mut Work) -> Checked<System> {
        let mut system = self.system_of_parameters(work)?;
        let meaning = system.meaning();
        let least = system.number(&amount.low, &meaning, work)?;
        system.fact(Polynomial::default().plus(-1, &least, 0, work)?);
        Ok(system)
    }

    /// Says that a move by this amount leads from a position with FORM to one.
    fn to_p(&self, amount: &Amount, work: &mut Work) -> Checked<System> {
        let mut system = self.system_of_positions(true, amount.high.is_some(), work)?;
        let meaning = system.meaning();
        let low = system.number(&amount.low, &meaning, work)?;
        let taken = match &amount.high {
            Some(high) => {
                let high = system.number(high, &meaning, work)?;
                let taken = meaning[&'t'].clone();
                system.fact(taken.plus(-1, &low, 0, work)?);
                system.fact(high.plus(-1, &taken, 0, work)?);
                taken
            }
            None => low,
        };
        let Move { lowered, option } = self.take(&system, &taken, work)?;
        lowered.into_iter().for_each(|fact| system.fact(fact));
        system.say(&self.form, true, &option, work)?;
        Ok(system)
    }

    /// Says that from a position without FORM no witness is a move to one with FORM.
    fn to_n(&self, work: &mut Work) -> Checked<System> {
        let mut system = self.system_of_positions(false, false, work)?;
        let meaning = system.meaning();
        for (place, term) in &self.witnesses {
            let amount = &self.amounts[*place];
            let mut sentences: Vec<Vec<Item>> = Vec::new();
            let taken = match (term, &amount.high) {
                (Some(term), Some(high)) => {
                    let taken = system.number(term, &meaning, work)?;
                    let low = system.number(&amount.low, &meaning, work)?;
                    let high = system.number(high, &meaning, work)?;
                    for fact in [taken.plus(-1, &low, 0, work)?, high.plus(-1, &taken, 0, work)?] {
                        sentences.push(vec![Item::Fact(opposite(&fact, work)?)]);
                    }
                    taken
                }
                _ => system.number(&amount.low, &meaning, work)?,
            };
            let Move { lowered, option } = self.take(&system, &taken, work)?;
            for fact in lowered {
                sentences.push(vec![Item::Fact(opposite(&fact, work)?)]);
            }
            sentences.extend(system.sentences(&self.form, false, &option, work)?);
            system.items.push(Item::Choice(Rc::new(sentences)));
        }
        Ok(system)
    }
}

/// Reads a line that is one word.
fn word(lines: &mut Lines, word: &str) -> Checked<()> {
    let line = lines.next()?;
    need(line == word, &format!("`{word}` expected, not `{line}`"))
}

pub fn check(certificate: &Certificate, work: &mut Work) -> Checked<()> {
    let mut theorem = theorem(certificate)?;
    theorem.names(&theorem.condition, false)?;
    theorem.names(&theorem.form, true)?;
    theorem.system_of_parameters(work)?;
    let mut lines = Lines { lines: &certificate.body };
    let mut example = BTreeMap::new();
    let values: Vec<&str> = lines.field("example")?.split(' ').collect();
    need(values.len() == theorem.parameters.len(), "an example has a value of each parameter")?;
    for (text, name) in values.into_iter().zip(&theorem.parameters) {
        match text.split_once('=') {
            Some((given, number)) if given == name.to_string() => {
                example.insert(*name, small(number)?);
            }
            _ => return reject("the example names other parameters, or in another order"),
        }
    }
    need(value(&theorem.condition, &example)? == 1, "the example does not satisfy the condition")?;
    while lines.peek().is_some_and(|line| line.starts_with("witness")) {
        let witness = theorem.witness(lines.field("witness")?)?;
        theorem.witnesses.push(witness);
        need(theorem.witnesses.len() <= 64, "there are too many witnesses")?;
    }
    for divisor in theorem.divisors(work)? {
        word(&mut lines, "divisor")?;
        theorem.system_of_divisor(&divisor, work)?.refute(&mut lines, work)?;
    }
    for amount in &theorem.amounts {
        word(&mut lines, "amount")?;
        theorem.system_of_amount(amount, work)?.refute(&mut lines, work)?;
    }
    for amount in &theorem.amounts {
        word(&mut lines, "to-p")?;
        theorem.to_p(amount, work)?.refute(&mut lines, work)?;
    }
    word(&mut lines, "to-n")?;
    theorem.to_n(work)?.refute(&mut lines, work)?;
    lines.end()
}

#[cfg(test)]
mod tests;

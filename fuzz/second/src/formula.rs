//! Formulas on numbers: reading, values on given numbers, and values digit by digit.

use crate::{Checked, Work, need, reject, unknown};
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    Number(i64),
    /// A variable, by its number.
    Variable(usize),
    Sum(Vec<(i64, Term)>),
    /// Digits added place by place modulo a number.
    Xor(u32, Vec<Term>),
    Mod(Box<Term>, i64),
    Div(Box<Term>, i64),
    Min(Vec<Term>),
    Max(Vec<Term>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Equal,
    Different,
    Less,
    AtMost,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    Constant(bool),
    Compare(Relation, Term, Term),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
}

impl Formula {
    pub fn and(self, other: Formula) -> Formula {
        Formula::And(Box::new(self), Box::new(other))
    }

    pub fn or(self, other: Formula) -> Formula {
        Formula::Or(Box::new(self), Box::new(other))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Number(i64),
    Sign(&'static str),
}

fn tokens(text: &str) -> Checked<Vec<Token>> {
    const SIGNS: [&str; 20] = [
        "<=>", "=>", "<=", ">=", "!=", "=", "<", ">", "(", ")", "+", "-", "*", "~", "&", "|", ",",
        ":", "[", "]",
    ];
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == ' ' || c == ';' {
            if c == ';' {
                return unknown("multiples of irrational numbers are not covered");
            }
            rest = &rest[1..];
        } else if c.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            match rest[..len].parse::<i64>() {
                Ok(value) if value < 1 << 32 => all.push(Token::Number(value)),
                _ => return reject("a number of a formula is too large"),
            }
            rest = &rest[len..];
        } else if c.is_ascii_alphabetic() || c == '_' {
            let len =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            all.push(Token::Word(rest[..len].to_owned()));
            rest = &rest[len..];
        } else {
            let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) else {
                return reject("a character that no formula has");
            };
            all.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        }
    }
    Ok(all)
}

/// Reads a formula in these variables.
pub fn formula(text: &str, names: &[String]) -> Checked<Formula> {
    let names = names.iter().cloned().enumerate().map(|(i, name)| (name, i)).collect();
    let mut parser = Parser { tokens: tokens(text)?, at: 0, names, depth: 0 };
    let formula = parser.iff()?;
    if parser.at < parser.tokens.len() {
        return reject("something follows the formula");
    }
    Ok(formula)
}

/// Reads a number in these variables.
pub fn term(text: &str, names: &[String]) -> Checked<Term> {
    let names = names.iter().cloned().enumerate().map(|(i, name)| (name, i)).collect();
    let mut parser = Parser { tokens: tokens(text)?, at: 0, names, depth: 0 };
    let term = parser.term()?;
    if parser.at < parser.tokens.len() {
        return reject("something follows the number");
    }
    Ok(term)
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    names: HashMap<String, usize>,
    depth: usize,
}

/// What stands in parentheses: a formula or a term.
enum Part {
    Formula(Formula),
    Term(Term),
}

impl Parser {
    fn is(&self, sign: &str) -> bool {
        self.tokens.get(self.at) == Some(&Token::Sign(sign_of(sign)))
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) -> Checked<()> {
        if self.eat(sign) { Ok(()) } else { reject(format!("`{sign}` expected in a formula")) }
    }

    fn word(&self) -> Option<&str> {
        match self.tokens.get(self.at) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn deeper(&mut self) -> Checked<()> {
        self.depth += 1;
        if self.depth > 2000 { unknown("a formula is nested too deep") } else { Ok(()) }
    }

    fn iff(&mut self) -> Checked<Formula> {
        self.deeper()?;
        let mut left = self.implies()?;
        while self.eat("<=>") {
            left = Formula::Iff(Box::new(left), Box::new(self.implies()?));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn implies(&mut self) -> Checked<Formula> {
        let left = self.or()?;
        if self.eat("=>") {
            self.deeper()?;
            let right = self.implies()?;
            self.depth -= 1;
            return Ok(Formula::Not(Box::new(left)).or(right));
        }
        Ok(left)
    }

    fn or(&mut self) -> Checked<Formula> {
        let mut left = self.and()?;
        while self.eat("|") {
            left = left.or(self.and()?);
        }
        Ok(left)
    }

    fn and(&mut self) -> Checked<Formula> {
        let mut left = self.not()?;
        while self.eat("&") {
            left = left.and(self.not()?);
        }
        Ok(left)
    }

    fn not(&mut self) -> Checked<Formula> {
        self.deeper()?;
        let formula =
            if self.eat("~") { Formula::Not(Box::new(self.not()?)) } else { self.comparison()? };
        self.depth -= 1;
        Ok(formula)
    }

    fn comparison(&mut self) -> Checked<Formula> {
        match self.word() {
            Some("true") => {
                self.at += 1;
                return Ok(Formula::Constant(true));
            }
            Some("false") => {
                self.at += 1;
                return Ok(Formula::Constant(false));
            }
            Some("E" | "A") => return unknown("quantifiers are not covered"),
            _ => {}
        }
        match self.xor()? {
            Part::Formula(formula) => Ok(formula),
            Part::Term(left) => {
                for (sign, relation, turned) in [
                    ("=", Relation::Equal, false),
                    ("!=", Relation::Different, false),
                    ("<=", Relation::AtMost, false),
                    ("<", Relation::Less, false),
                    (">=", Relation::AtMost, true),
                    (">", Relation::Less, true),
                ] {
                    if self.eat(sign) {
                        let right = self.term()?;
                        let (one, two) = if turned { (right, left) } else { (left, right) };
                        return Ok(Formula::Compare(relation, one, two));
                    }
                }
                reject("a number stands where a formula should")
            }
        }
    }

    fn term(&mut self) -> Checked<Term> {
        match self.xor()? {
            Part::Term(term) => Ok(term),
            Part::Formula(_) => reject("a formula stands where a number should"),
        }
    }

    /// Returns M if the next word is `xorM`.
    fn xor_sign(&self) -> Option<u32> {
        match self.word()?.strip_prefix("xor")? {
            "" => Some(2),
            m => m.parse().ok().filter(|m| (2..=9).contains(m)).filter(|_| m.len() == 1),
        }
    }

    fn xor(&mut self) -> Checked<Part> {
        let first = self.sum()?;
        let Part::Term(first) = first else { return Ok(first) };
        let Some(m) = self.xor_sign() else { return Ok(Part::Term(first)) };
        // Sums to different moduli are read from left to right.
        let (mut modulus, mut all) = (m, vec![first]);
        while let Some(m) = self.xor_sign() {
            self.at += 1;
            if m != modulus {
                all = vec![Term::Xor(modulus, all)];
                modulus = m;
            }
            match self.sum()? {
                Part::Term(term) => all.push(term),
                Part::Formula(_) => return reject("a formula stands where a number should"),
            }
        }
        Ok(Part::Term(Term::Xor(modulus, all)))
    }

    fn sum(&mut self) -> Checked<Part> {
        let first = self.product()?;
        let Part::Term(first) = first else { return Ok(first) };
        let mut all = vec![(1, first)];
        loop {
            let sign = if self.eat("+") {
                1
            } else if self.eat("-") {
                -1
            } else {
                break;
            };
            match self.product()? {
                Part::Term(term) => all.push((sign, term)),
                Part::Formula(_) => return reject("a formula stands where a number should"),
            }
        }
        Ok(Part::Term(if all.len() == 1 { all.remove(0).1 } else { Term::Sum(all) }))
    }

    fn product(&mut self) -> Checked<Part> {
        let mut left = self.atom()?;
        loop {
            let word = self.word().map(str::to_owned);
            let times = self.is("*");
            if !times && !matches!(word.as_deref(), Some("mod" | "div")) {
                return Ok(left);
            }
            self.at += 1;
            let Part::Term(one) = left else {
                return reject("a formula stands where a number should");
            };
            let Part::Term(two) = self.atom()? else {
                return reject("a formula stands where a number should");
            };
            left = Part::Term(match (word.as_deref(), one, two) {
                (Some("mod"), one, Term::Number(m)) if m > 0 => Term::Mod(Box::new(one), m),
                (Some("div"), one, Term::Number(m)) if m > 0 => Term::Div(Box::new(one), m),
                (None, Term::Number(k), other) | (None, other, Term::Number(k)) => {
                    Term::Sum(vec![(k, other)])
                }
                _ => return reject("no number where one should stand"),
            });
        }
    }

    fn atom(&mut self) -> Checked<Part> {
        self.deeper()?;
        let part = self.atom_inside()?;
        self.depth -= 1;
        Ok(part)
    }

    fn arguments(&mut self) -> Checked<Vec<Term>> {
        self.expect("(")?;
        let mut all = vec![self.term()?];
        while self.eat(",") {
            all.push(self.term()?);
        }
        self.expect(")")?;
        Ok(all)
    }

    fn atom_inside(&mut self) -> Checked<Part> {
        if self.eat("(") {
            // A term or a formula: whichever it turns out to be.
            let at = self.at;
            let depth = self.depth;
            if let Ok(term) = self.term()
                && self.eat(")")
            {
                return Ok(Part::Term(term));
            }
            (self.at, self.depth) = (at, depth);
            let formula = self.iff()?;
            self.expect(")")?;
            return Ok(Part::Formula(formula));
        }
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        match token {
            Some(Token::Number(value)) => Ok(Part::Term(Term::Number(value))),
            Some(Token::Word(word)) => match word.as_str() {
                "min" => Ok(Part::Term(Term::Min(self.arguments()?))),
                "max" => Ok(Part::Term(Term::Max(self.arguments()?))),
                "shift" | "floor" => unknown("multiples of irrational numbers are not covered"),
                "true" | "false" | "E" | "A" => {
                    self.at -= 1;
                    let formula = self.comparison()?;
                    Ok(Part::Formula(formula))
                }
                _ => {
                    self.at -= 1;
                    if let Some(m) = self.xor_sign() {
                        self.at += 1;
                        return Ok(Part::Term(Term::Xor(m, self.arguments()?)));
                    }
                    self.at += 1;
                    match self.names.get(&word) {
                        Some(variable) => Ok(Part::Term(Term::Variable(*variable))),
                        None => reject(format!("`{word}` is no variable")),
                    }
                }
            },
            _ => reject("a formula ends too early"),
        }
    }
}

fn sign_of(sign: &str) -> &'static str {
    match sign {
        "<=>" => "<=>",
        "=>" => "=>",
        "<=" => "<=",
        ">=" => ">=",
        "!=" => "!=",
        "=" => "=",
        "<" => "<",
        ">" => ">",
        "(" => "(",
        ")" => ")",
        "+" => "+",
        "-" => "-",
        "*" => "*",
        "~" => "~",
        "&" => "&",
        "|" => "|",
        _ => ",",
    }
}

impl Term {
    /// Returns the value on these numbers.
    pub fn value(&self, at: &[i64]) -> i64 {
        match self {
            Term::Number(value) => *value,
            Term::Variable(variable) => at[*variable],
            Term::Sum(parts) => parts.iter().map(|(factor, term)| factor * term.value(at)).sum(),
            Term::Xor(m, parts) => {
                let values: Vec<i64> = parts.iter().map(|term| term.value(at)).collect();
                (0..40)
                    .map(|place| {
                        (values.iter().map(|value| (value >> place) & 1).sum::<i64>()
                            % i64::from(*m))
                            << place
                    })
                    .sum()
            }
            Term::Mod(term, m) => term.value(at).rem_euclid(*m),
            Term::Div(term, m) => term.value(at).div_euclid(*m),
            Term::Min(parts) => parts.iter().map(|term| term.value(at)).min().unwrap_or(0),
            Term::Max(parts) => parts.iter().map(|term| term.value(at)).max().unwrap_or(0),
        }
    }

    /// Tells whether a variable is named.
    pub fn names(&self, variable: usize) -> bool {
        self.any(&|term| matches!(term, Term::Variable(it) if *it == variable))
    }

    /// Adds a multiple to a sum of terms that are none, by their texts; numbers are by "".
    fn add_to(&self, sum: &mut BTreeMap<String, (i64, Term)>, factor: i64) {
        match self {
            Term::Sum(parts) => {
                for (times, term) in parts {
                    term.add_to(sum, factor.saturating_mul(*times));
                }
            }
            Term::Number(value) => {
                let entry = sum.entry(String::new()).or_insert((0, Term::Number(1)));
                entry.0 = entry.0.saturating_add(factor.saturating_mul(*value));
            }
            other => {
                let entry = sum.entry(format!("{other:?}")).or_insert((0, other.clone()));
                entry.0 = entry.0.saturating_add(factor);
            }
        }
    }

    /// Puts terms in the place of the variables.
    pub fn with(&self, by: &[Term]) -> Term {
        let again = |parts: &[Term]| parts.iter().map(|term| term.with(by)).collect();
        match self {
            Term::Number(value) => Term::Number(*value),
            Term::Variable(variable) => by[*variable].clone(),
            Term::Sum(parts) => {
                Term::Sum(parts.iter().map(|(factor, term)| (*factor, term.with(by))).collect())
            }
            Term::Xor(m, parts) => Term::Xor(*m, again(parts)),
            Term::Mod(inner, m) => Term::Mod(Box::new(inner.with(by)), *m),
            Term::Div(inner, m) => Term::Div(Box::new(inner.with(by)), *m),
            Term::Min(parts) => Term::Min(again(parts)),
            Term::Max(parts) => Term::Max(again(parts)),
        }
    }

    /// Tells whether a part of the term has this shape.
    fn any(&self, test: &dyn Fn(&Term) -> bool) -> bool {
        test(self)
            || match self {
                Term::Number(_) | Term::Variable(_) => false,
                Term::Sum(parts) => parts.iter().any(|(_, term)| term.any(test)),
                Term::Xor(_, parts) | Term::Min(parts) | Term::Max(parts) => {
                    parts.iter().any(|term| term.any(test))
                }
                Term::Mod(term, _) | Term::Div(term, _) => term.any(test),
            }
    }
}

impl Formula {
    /// Tells whether the formula is true of these numbers.
    pub fn holds(&self, at: &[i64]) -> bool {
        match self {
            Formula::Constant(value) => *value,
            Formula::Compare(relation, one, two) => {
                compared(*relation, one.value(at) - two.value(at))
            }
            Formula::Not(one) => !one.holds(at),
            Formula::And(one, two) => one.holds(at) && two.holds(at),
            Formula::Or(one, two) => one.holds(at) || two.holds(at),
            Formula::Iff(one, two) => one.holds(at) == two.holds(at),
        }
    }

    /// Tells whether a digit sum is in the formula.
    pub fn has_digit_sums(&self) -> bool {
        self.any(&|term| matches!(term, Term::Xor(..)))
    }

    /// Tells whether a variable is named.
    pub fn names(&self, variable: usize) -> bool {
        self.any(&|term| matches!(term, Term::Variable(it) if *it == variable))
    }

    /// Tells whether a part of a term of the formula has this shape.
    fn any(&self, test: &dyn Fn(&Term) -> bool) -> bool {
        match self {
            Formula::Constant(_) => false,
            Formula::Compare(_, one, two) => one.any(test) || two.any(test),
            Formula::Not(one) => one.any(test),
            Formula::And(one, two) | Formula::Or(one, two) | Formula::Iff(one, two) => {
                one.any(test) || two.any(test)
            }
        }
    }

    /// Puts terms in the place of the variables.
    pub fn with(&self, by: &[Term]) -> Formula {
        let two = |one: &Formula, two: &Formula| (Box::new(one.with(by)), Box::new(two.with(by)));
        match self {
            Formula::Constant(value) => Formula::Constant(*value),
            Formula::Compare(relation, one, two) => {
                Formula::Compare(*relation, one.with(by), two.with(by))
            }
            Formula::Not(one) => Formula::Not(Box::new(one.with(by))),
            Formula::And(left, right) => {
                let (left, right) = two(left, right);
                Formula::And(left, right)
            }
            Formula::Or(left, right) => {
                let (left, right) = two(left, right);
                Formula::Or(left, right)
            }
            Formula::Iff(left, right) => {
                let (left, right) = two(left, right);
                Formula::Iff(left, right)
            }
        }
    }
}

fn compared(relation: Relation, difference: i64) -> bool {
    match relation {
        Relation::Equal => difference == 0,
        Relation::Different => difference != 0,
        Relation::Less => difference < 0,
        Relation::AtMost => difference <= 0,
    }
}

/// A formula as it is read from the most significant digit on.
///
/// Each number is a stream of digits, the same number for all; a term is one as well, with a rest
/// that is added when the numbers end. Comparisons keep the difference of the two sides so far,
/// within limits beyond which no digits matter.
pub struct Machine {
    base: i64,
    nodes: Vec<Node>,
    /// Nodes that are compared with 0, each with its limit.
    compares: Vec<(usize, i64)>,
    /// The comparison of each sum.
    sums: HashMap<Vec<(String, i64)>, usize>,
    /// The node of each term.
    terms: HashMap<String, usize>,
    formula: Tree,
}

enum Node {
    Variable(usize),
    Number(i64),
    Sum(Vec<(i64, usize)>),
    Xor(i64, Vec<usize>),
    /// Keeps the remainder so far, and is that in the end.
    Mod(usize, i64),
    /// Keeps the remainder so far, and has the digits of the quotient.
    Div(usize, i64),
}

enum Tree {
    Constant(bool),
    Compare(Relation, usize),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Iff(Box<Tree>, Box<Tree>),
}

impl Machine {
    pub fn new(formula: &Formula, base: i64) -> Checked<Machine> {
        let mut machine = Machine {
            base,
            nodes: Vec::new(),
            compares: Vec::new(),
            sums: HashMap::new(),
            terms: HashMap::new(),
            formula: Tree::Constant(false),
        };
        machine.formula = machine.tree(formula)?;
        Ok(machine)
    }

    fn tree(&mut self, formula: &Formula) -> Checked<Tree> {
        Ok(match formula {
            Formula::Constant(value) => Tree::Constant(*value),
            Formula::Compare(relation, one, two) => return self.comparison(*relation, one, two),
            Formula::Not(one) => Tree::Not(Box::new(self.tree(one)?)),
            Formula::And(one, two) => {
                Tree::And(Box::new(self.tree(one)?), Box::new(self.tree(two)?))
            }
            Formula::Or(one, two) => Tree::Or(Box::new(self.tree(one)?), Box::new(self.tree(two)?)),
            Formula::Iff(one, two) => {
                Tree::Iff(Box::new(self.tree(one)?), Box::new(self.tree(two)?))
            }
        })
    }

    fn comparison(&mut self, relation: Relation, one: &Term, two: &Term) -> Checked<Tree> {
        let difference = Term::Sum(vec![(1, one.clone()), (-1, two.clone())]);
        // Least and greatest: which argument it is.
        if let Some((best, greatest)) = first_best(&difference) {
            let mut all = Tree::Constant(false);
            for (i, argument) in best.iter().enumerate() {
                let mut case = Tree::Constant(true);
                for (j, other) in best.iter().enumerate().filter(|(j, _)| *j != i) {
                    let (low, high) = if greatest { (other, argument) } else { (argument, other) };
                    let relation = if j < i { Relation::Less } else { Relation::AtMost };
                    let here = self.comparison(relation, low, high)?;
                    case = Tree::And(Box::new(case), Box::new(here));
                }
                let replaced = replace(&difference, &best, greatest, argument);
                let here = self.comparison(relation, &replaced, &Term::Number(0))?;
                all = Tree::Or(Box::new(all), Box::new(Tree::And(Box::new(case), Box::new(here))));
                if self.nodes.len() > 5000 {
                    return unknown("a formula has too many cases");
                }
            }
            return Ok(all);
        }
        let has_minus = |term: &Term| {
            term.any(&|part| {
                matches!(part, Term::Sum(parts) if parts.iter().any(|(factor, _)| *factor < 0))
            })
        };
        if difference.any(&|term| match term {
            Term::Xor(_, parts) => parts.iter().any(has_minus),
            Term::Mod(inner, _) | Term::Div(inner, _) => has_minus(inner),
            _ => false,
        }) {
            return reject("a minus within `xor`, `mod` or `div`");
        }
        let mut sum = BTreeMap::new();
        difference.add_to(&mut sum, 1);
        sum.retain(|_, (factor, _)| *factor != 0);
        let key: Vec<(String, i64)> =
            sum.iter().map(|(name, (factor, _))| (name.clone(), *factor)).collect();
        if let Some(i) = self.sums.get(&key) {
            return Ok(Tree::Compare(relation, *i));
        }
        let node = self.node(&Term::Sum(sum.into_values().collect()))?;
        let (low, high) = self.digits(node);
        let (rest_low, rest_high) = self.rests(node);
        let limit = low.abs().max(high.abs()) + rest_low.abs().max(rest_high.abs()) + 1;
        if limit > 1 << 40 {
            return unknown("the numbers of a formula are too large");
        }
        self.compares.push((node, limit));
        self.sums.insert(key, self.compares.len() - 1);
        Ok(Tree::Compare(relation, self.compares.len() - 1))
    }

    fn node(&mut self, term: &Term) -> Checked<usize> {
        let name = format!("{term:?}");
        if let Some(node) = self.terms.get(&name) {
            return Ok(*node);
        }
        let node = match term {
            Term::Number(value) => Node::Number(*value),
            Term::Variable(variable) => Node::Variable(*variable),
            Term::Sum(parts) => {
                let mut all = Vec::new();
                for (factor, term) in parts {
                    all.push((*factor, self.node(term)?));
                }
                Node::Sum(all)
            }
            Term::Xor(m, parts) => {
                let mut all = Vec::new();
                for term in parts {
                    let node = self.node(term)?;
                    // A number is a constant stream only if it is 0; other arguments need binary
                    // digits.
                    let (low, high) = self.digits(node);
                    if self.base != 2
                        || (low, high) != (low.max(0), high.min(1))
                        || self.rests(node) != (0, 0)
                    {
                        return unknown("an argument of a digit sum has no binary digits");
                    }
                    all.push(node);
                }
                Node::Xor(i64::from(*m), all)
            }
            Term::Mod(inner, m) | Term::Div(inner, m) => {
                let inner = self.node(inner)?;
                if *m > 1 << 30 {
                    return unknown("a number of a formula is too large");
                }
                if matches!(term, Term::Mod(..)) {
                    Node::Mod(inner, *m)
                } else {
                    Node::Div(inner, *m)
                }
            }
            Term::Min(_) | Term::Max(_) => {
                return unknown("a least or greatest number in a digit sum");
            }
        };
        self.nodes.push(node);
        self.terms.insert(name, self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    /// Returns the least and the greatest digit of a node.
    fn digits(&self, node: usize) -> (i64, i64) {
        match &self.nodes[node] {
            Node::Variable(_) => (0, self.base - 1),
            Node::Number(_) | Node::Mod(..) => (0, 0),
            Node::Sum(parts) => self.total(parts, &|node| self.digits(node)),
            Node::Xor(m, parts) => (0, (m - 1).min(parts.len() as i64)),
            Node::Div(inner, m) => (0, (self.base * (m - 1) + self.digits(*inner).1) / m),
        }
    }

    /// Returns the least and the greatest rest that is added to a node's digits in the end.
    fn rests(&self, node: usize) -> (i64, i64) {
        match &self.nodes[node] {
            Node::Variable(_) | Node::Xor(..) => (0, 0),
            Node::Number(value) => (*value, *value),
            Node::Mod(_, m) => (0, m - 1),
            Node::Sum(parts) => self.total(parts, &|node| self.rests(node)),
            Node::Div(inner, m) => (0, (m - 1 + self.rests(*inner).1) / m),
        }
    }

    fn total(&self, parts: &[(i64, usize)], of: &dyn Fn(usize) -> (i64, i64)) -> (i64, i64) {
        parts.iter().fold((0, 0), |(low, high), (factor, node)| {
            let (one, two) = of(*node);
            let (one, two) = (one.saturating_mul(*factor), two.saturating_mul(*factor));
            (one.min(two).saturating_add(low), one.max(two).saturating_add(high))
        })
    }

    /// Returns the state before any digit.
    pub fn start(&self) -> Vec<i64> {
        vec![0; self.nodes.len() + self.compares.len()]
    }

    /// Returns the state after a digit of each variable.
    pub fn step(&self, state: &[i64], letter: &[i64]) -> Vec<i64> {
        let mut next = state.to_vec();
        let mut digits = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            digits[at] = match node {
                Node::Variable(variable) => letter[*variable],
                Node::Number(_) => 0,
                Node::Sum(parts) => parts.iter().map(|(factor, node)| factor * digits[*node]).sum(),
                Node::Xor(m, parts) => parts.iter().map(|node| digits[*node]).sum::<i64>() % m,
                Node::Mod(inner, m) => {
                    next[at] = (self.base * state[at] + digits[*inner]) % m;
                    0
                }
                Node::Div(inner, m) => {
                    let value = self.base * state[at] + digits[*inner];
                    next[at] = value % m;
                    value / m
                }
            };
        }
        for (i, (node, limit)) in self.compares.iter().enumerate() {
            let at = self.nodes.len() + i;
            next[at] = (self.base * state[at] + digits[*node]).clamp(-limit, *limit);
        }
        next
    }

    /// Tells whether the formula is true where the numbers end.
    pub fn holds(&self, state: &[i64]) -> bool {
        let mut rests = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            rests[at] = match node {
                Node::Variable(_) | Node::Xor(..) => 0,
                Node::Number(value) => *value,
                Node::Sum(parts) => parts.iter().map(|(factor, node)| factor * rests[*node]).sum(),
                Node::Mod(inner, m) => (state[at] + rests[*inner]) % m,
                Node::Div(inner, m) => (state[at] + rests[*inner]) / m,
            };
        }
        self.true_of(&self.formula, state, &rests)
    }

    fn true_of(&self, tree: &Tree, state: &[i64], rests: &[i64]) -> bool {
        match tree {
            Tree::Constant(value) => *value,
            Tree::Compare(relation, i) => {
                compared(*relation, state[self.nodes.len() + i] + rests[self.compares[*i].0])
            }
            Tree::Not(one) => !self.true_of(one, state, rests),
            Tree::And(one, two) => {
                self.true_of(one, state, rests) && self.true_of(two, state, rests)
            }
            Tree::Or(one, two) => {
                self.true_of(one, state, rests) || self.true_of(two, state, rests)
            }
            Tree::Iff(one, two) => {
                self.true_of(one, state, rests) == self.true_of(two, state, rests)
            }
        }
    }

    /// Checks that the formula, which names these variables alone, holds of all numbers: wherever
    /// their binary digits may end.
    pub fn holds_everywhere(&self, named: &[usize], why: &str, work: &mut Work) -> Checked<()> {
        let count = named.iter().max().map_or(0, |most| most + 1);
        let letters: Vec<Vec<i64>> = (0..1 << named.len())
            .map(|column: i64| {
                let mut letter = vec![0; count];
                for (i, variable) in named.iter().enumerate() {
                    letter[*variable] = column >> i & 1;
                }
                letter
            })
            .collect();
        let mut seen = HashSet::from([self.start()]);
        let mut stack = vec![self.start()];
        while let Some(state) = stack.pop() {
            need(self.holds(&state), why)?;
            for letter in &letters {
                work.spend(2 * self.size() + 10)?;
                let mut next = self.step(&state, letter);
                if !self.settle(&mut next) && seen.insert(next.clone()) {
                    stack.push(next);
                }
            }
        }
        Ok(())
    }

    /// Forgets the comparisons that no longer matter, whatever digits follow; tells whether the
    /// formula is true then wherever the numbers end.
    fn settle(&self, state: &mut [i64]) -> bool {
        let mut matters = vec![false; self.compares.len()];
        let known = self.known(&self.formula, state);
        self.mark(&self.formula, state, &mut matters);
        for (i, (_, limit)) in self.compares.iter().enumerate() {
            if !matters[i] {
                state[self.nodes.len() + i] = *limit;
            }
        }
        known == Some(true)
    }

    /// Marks the comparisons of which the value of the formula still depends.
    fn mark(&self, tree: &Tree, state: &[i64], matters: &mut [bool]) {
        if self.known(tree, state).is_some() {
            self.witness(tree, state, matters);
            return;
        }
        match tree {
            Tree::Constant(_) => {}
            Tree::Compare(_, i) => matters[*i] = true,
            Tree::Not(one) => self.mark(one, state, matters),
            Tree::And(one, two) | Tree::Or(one, two) | Tree::Iff(one, two) => {
                self.mark(one, state, matters);
                self.mark(two, state, matters);
            }
        }
    }

    /// Marks comparisons by which a value is known.
    fn witness(&self, tree: &Tree, state: &[i64], matters: &mut [bool]) {
        match tree {
            Tree::Constant(_) => {}
            Tree::Compare(_, i) => matters[*i] = true,
            Tree::Not(one) => self.witness(one, state, matters),
            Tree::And(one, two) | Tree::Or(one, two) => {
                let decisive = matches!(tree, Tree::Or(..));
                if self.known(one, state) == Some(decisive) {
                    self.witness(one, state, matters);
                } else if self.known(two, state) == Some(decisive) {
                    self.witness(two, state, matters);
                } else {
                    self.witness(one, state, matters);
                    self.witness(two, state, matters);
                }
            }
            Tree::Iff(one, two) => {
                self.witness(one, state, matters);
                self.witness(two, state, matters);
            }
        }
    }

    /// Returns the value of a formula if comparisons settle it that no further digit changes.
    fn known(&self, tree: &Tree, state: &[i64]) -> Option<bool> {
        match tree {
            Tree::Constant(value) => Some(*value),
            Tree::Compare(relation, i) => {
                let difference = state[self.nodes.len() + i];
                (difference.abs() == self.compares[*i].1).then(|| compared(*relation, difference))
            }
            Tree::Not(one) => self.known(one, state).map(|value| !value),
            Tree::And(one, two) | Tree::Or(one, two) => {
                let decisive = matches!(tree, Tree::Or(..));
                match self.known(one, state) {
                    Some(value) if value == decisive => Some(value),
                    Some(_) => self.known(two, state),
                    None => self.known(two, state).filter(|value| *value == decisive),
                }
            }
            Tree::Iff(one, two) => Some(self.known(one, state)? == self.known(two, state)?),
        }
    }

    /// Returns how much work a step is.
    pub fn size(&self) -> u64 {
        (2 * self.nodes.len() + self.compares.len() + 4) as u64
    }
}

/// Returns the arguments of the first innermost `min` or `max`, and whether it is the latter.
fn first_best(term: &Term) -> Option<(Vec<Term>, bool)> {
    match term {
        Term::Number(_) | Term::Variable(_) => None,
        Term::Sum(parts) => parts.iter().find_map(|(_, term)| first_best(term)),
        Term::Xor(_, parts) => parts.iter().find_map(first_best),
        Term::Mod(term, _) | Term::Div(term, _) => first_best(term),
        Term::Min(parts) | Term::Max(parts) => parts
            .iter()
            .find_map(first_best)
            .or_else(|| Some((parts.clone(), matches!(term, Term::Max(_))))),
    }
}

/// Puts one argument in the place of a `min` or `max`.
fn replace(term: &Term, best: &[Term], greatest: bool, by: &Term) -> Term {
    let again = |term: &Term| replace(term, best, greatest, by);
    match term {
        Term::Min(parts) if !greatest && parts == best => by.clone(),
        Term::Max(parts) if greatest && parts == best => by.clone(),
        Term::Number(_) | Term::Variable(_) => term.clone(),
        Term::Sum(parts) => {
            Term::Sum(parts.iter().map(|(factor, term)| (*factor, again(term))).collect())
        }
        Term::Xor(m, parts) => Term::Xor(*m, parts.iter().map(again).collect()),
        Term::Mod(inner, m) => Term::Mod(Box::new(again(inner)), *m),
        Term::Div(inner, m) => Term::Div(Box::new(again(inner)), *m),
        Term::Min(parts) => Term::Min(parts.iter().map(again).collect()),
        Term::Max(parts) => Term::Max(parts.iter().map(again).collect()),
    }
}

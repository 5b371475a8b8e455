//! Text to formula: a precedence-climbing parser (Pratt 1973) whose errors point at the place.
//!
//! The syntax is Walnut's where it has one, and a quantifier reaches as far right as it can. Terms
//! and formulas share one grammar, so that `(a+b) = c` and `(a=b) | c=d` need no look-ahead; what
//! an operator was given is checked when it is applied.

mod tokens;

use crate::arithmetic::ArithmeticSymbol;
use crate::formula::{Formula, Node, Relation, Term, binding::*};
use crate::slope::{Period, Slope};
use std::ops::Range;
use tokens::{OTHERWISE, RESERVED, Token, error, tokens};

/// Why a text is no formula, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {accepted}")]
pub struct FormulaError {
    /// The bytes of the text at fault; empty at its end if something is missing there.
    pub range: Range<usize>,
    /// What is wrong there.
    pub message: String,
    /// What would have been accepted.
    pub accepted: String,
}

/// How deeply parentheses, negations and quantifiers may nest.
pub const MAX_DEPTH: usize = 128;
/// How many of `<=>`, `*`, `mod` and `div` may follow each other without parentheses.
const MAX_ROW: usize = 4;
/// How many bound, and how many free variables a formula may have.
pub const MAX_VARIABLES: usize = 256;
/// The greatest constant accepted.
pub const MAX_NUMBER: u64 = u32::MAX as u64;

impl Formula {
    /// Reads a formula; its free variables are numbered in the order written.
    pub fn parse(text: &str) -> Result<Formula, FormulaError> {
        Parser::new(text, None)?.formula()
    }

    /// Reads a formula whose free variables are these, in this order; `min`, `max` and `xor` alone
    /// range over all of them.
    pub fn parse_over(text: &str, names: &[String]) -> Result<Formula, FormulaError> {
        Parser::new(text, Some(names))?.formula()
    }
}

/// Words that are said by others: `odd(x)`, `coprime(x, y)`. A variable of such a name is
/// one where no parenthesis follows.
#[cfg(not(target_family = "wasm"))]
const DERIVED: &[&str] = &["odd", "even", "coprime", "triangular", "fibonacci"];

/// Says that a condition holds.
fn condition(word: ArithmeticSymbol, parts: Vec<Term>) -> Node {
    Node::Compare(Term::Arithmetic(word, parts), Relation::Equal, Term::Number(1))
}

/// Returns the absolute value: the greater of a term and its negative.
fn absolute(term: Term) -> Term {
    let negative = |part: &Term| match part {
        Term::Multiple(-1, inner) => (**inner).clone(),
        Term::Multiple(k @ ..=-2, inner) => Term::Multiple(-k, inner.clone()),
        part => Term::Multiple(-1, part.clone().into()),
    };
    let parts = match &term {
        Term::Sum(parts) => parts.iter().map(negative).collect(),
        term => vec![negative(term)],
    };
    // A sum begins without minus.
    let (mut opposite, minus): (Vec<_>, Vec<_>) =
        parts.into_iter().partition(|part| !matches!(part, Term::Multiple(..=-1, _)));
    if opposite.is_empty() {
        opposite.push(Term::Number(0));
    }
    opposite.extend(minus);
    let opposite = if opposite.len() == 1 { opposite.remove(0) } else { Term::Sum(opposite) };
    Term::Max(vec![term, opposite])
}

/// What an expression turned out to be.
enum Item {
    Term(Term),
    Formula(Node),
}

struct Parser<'t> {
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    depth: usize,
    /// The free variables where they are given beforehand.
    given: Option<&'t [String]>,
    free: Vec<String>,
    /// Bound variables' names; in the tree they are numbered from `BOUND` until the number of free
    /// ones is known.
    bound: Vec<String>,
    scope: Vec<(String, usize)>,
    /// The differences whose digits the comparison reads that is being parsed, each with the bound
    /// variable that stands for it.
    differences: Vec<(usize, Term)>,
}

const BOUND: usize = usize::MAX / 2;

impl<'t> Parser<'t> {
    fn new(text: &str, given: Option<&'t [String]>) -> Result<Parser<'t>, FormulaError> {
        let free = given.map(<[String]>::to_vec).unwrap_or_default();
        Ok(Parser {
            tokens: tokens(text)?,
            at: 0,
            depth: 0,
            given,
            free,
            bound: Vec::new(),
            scope: Vec::new(),
            differences: Vec::new(),
        })
    }

    fn formula(mut self) -> Result<Formula, FormulaError> {
        let root = self.node(0)?;
        let (token, range) = self.peek().clone();
        if token != Token::End {
            let message = match token {
                Token::Symbol(")") => "this parenthesis closes nothing".to_owned(),
                _ => "the formula ends before this".to_owned(),
            };
            return error(range, message, "an operator such as & or |, or the end");
        }
        let free = self.free.len();
        let mut root = root;
        renumber(&mut root, free);
        self.free.append(&mut self.bound);
        Ok(Formula { names: self.free, free, root })
    }

    fn peek(&self) -> &(Token, Range<usize>) {
        &self.tokens[self.at]
    }

    fn take(&mut self) -> (Token, Range<usize>) {
        let token = self.tokens[self.at].clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn takes(&mut self, symbol: &'static str) -> bool {
        let found = self.peek().0 == Token::Symbol(symbol);
        if found {
            self.at += 1;
        }
        found
    }

    fn close(&mut self, opened: Range<usize>) -> Result<(), FormulaError> {
        if self.takes(")") {
            return Ok(());
        }
        match self.peek() {
            (Token::End, _) => error(opened, "this parenthesis is never closed", "add `)`"),
            (_, range) => error(
                range.clone(),
                "this does not continue what stands before",
                "an operator or `)`",
            ),
        }
    }

    /// Reads an item, and returns the bytes it came from.
    fn ranged(&mut self, binding: u8) -> Result<(Item, Range<usize>), FormulaError> {
        let start = self.peek().1.start;
        let item = self.item(binding)?;
        let end = self.at.checked_sub(1).map_or(start, |last| self.tokens[last].1.end);
        Ok((item, start..end.max(start)))
    }

    fn node(&mut self, binding: u8) -> Result<Node, FormulaError> {
        match self.ranged(binding)? {
            (Item::Formula(node), _) => Ok(node),
            (Item::Term(_), range) => error(
                range,
                "a number stands where something true or false should",
                "compare it: = != < <= > >=",
            ),
        }
    }

    fn term(&mut self, binding: u8) -> Result<Term, FormulaError> {
        match self.ranged(binding)? {
            (Item::Term(term), _) => Ok(term),
            (Item::Formula(_), range) => error(
                range,
                "something true or false stands where a number should",
                "a name, a number, a sum",
            ),
        }
    }

    fn item(&mut self, binding: u8) -> Result<Item, FormulaError> {
        let start = self.peek().1.clone();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return error(start, "nested too deeply", &format!("at most {MAX_DEPTH} levels"));
        }
        let mut left = self.prefix()?;
        let mut nested = 0;
        while let Some(operator) = self.operator().filter(|&(_, own)| own >= binding) {
            // These nest to the left; all others are gathered in one list.
            nested += usize::from(matches!(operator.1, IFF | PRODUCT));
            if nested > MAX_ROW {
                let message = "too many of <=>, *, mod, div in a row";
                return error(self.peek().1.clone(), message, "write parentheses");
            }
            left = self.infix(left, start.start, operator.0, operator.1)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Returns the infix operator that comes next, and how tightly it binds.
    fn operator(&self) -> Option<(Token, u8)> {
        let token = &self.peek().0;
        let binding = match token {
            Token::Symbol("<=>") => IFF,
            Token::Symbol("=>") => IMPLIES,
            Token::Symbol("|") => OR,
            Token::Symbol("&") => AND,
            Token::Relation(_) | Token::In => COMPARE,
            // `p0-q0 not in {1,3}`.
            Token::Symbol("~") if self.tokens[self.at + 1].0 == Token::In => COMPARE,
            #[cfg(not(target_family = "wasm"))]
            Token::Name(word) if word == "divides" => COMPARE,
            Token::DigitSum(_) => DIGIT_SUM,
            Token::Symbol("+" | "-") => SUM,
            Token::Symbol("*") => PRODUCT,
            Token::Name(word) if word == "mod" || word == "div" => PRODUCT,
            _ => return None,
        };
        Some((token.clone(), binding))
    }

    /// Reads what follows `left` and an infix operator; `start` is where `left` begins.
    fn infix(
        &mut self,
        left: Item,
        start: usize,
        token: Token,
        binding: u8,
    ) -> Result<Item, FormulaError> {
        let before = start..self.tokens[self.at - 1].1.end;
        let (_, range) = self.take();
        let left = match left {
            Item::Formula(left) if binding <= NOT => {
                return self.connective(left, binding).map(Item::Formula);
            }
            Item::Term(_) if binding <= NOT => {
                return error(
                    before,
                    "a number stands where something true or false should",
                    "compare it: = != < <= > >=",
                );
            }
            Item::Term(left) => left,
            Item::Formula(_) => {
                return error(
                    range,
                    "this operator takes numbers",
                    "on its left stands something true or false",
                );
            }
        };
        match token {
            #[cfg(not(target_family = "wasm"))]
            Token::In => {
                let node = self.one_of(left)?;
                Ok(Item::Formula(self.with_differences(node)))
            }
            #[cfg(not(target_family = "wasm"))]
            Token::Symbol("~") => {
                self.take();
                let node = Node::Not(self.one_of(left)?.into());
                Ok(Item::Formula(self.with_differences(node)))
            }
            #[cfg(not(target_family = "wasm"))]
            Token::Name(word) if word == "divides" => {
                let right = self.term(COMPARE + 1)?;
                let node = condition(ArithmeticSymbol::Divides, vec![left, right]);
                Ok(Item::Formula(self.with_differences(node)))
            }
            Token::Relation(first) => {
                let node = self.comparison(left, first)?;
                Ok(Item::Formula(self.with_differences(node)))
            }
            Token::DigitSum(modulus) => {
                self.digit_sum(left, &before, modulus, range).map(Item::Term)
            }
            Token::Symbol(sign @ ("+" | "-")) => self.sum(left, sign).map(Item::Term),
            Token::Symbol("*") => self.product(left, range).map(Item::Term),
            Token::Name(word) => self.division(left, &before, &word).map(Item::Term),
            _ => error(range, "no operator", "an operator"),
        }
    }

    /// Reads what follows `left` and a connective.
    fn connective(&mut self, left: Node, binding: u8) -> Result<Node, FormulaError> {
        let right = self.node(if binding == IMPLIES { IMPLIES } else { binding + 1 })?;
        Ok(match (binding, left) {
            (IFF, left) => Node::Iff(left.into(), right.into()),
            (IMPLIES, left) => Node::Implies(left.into(), right.into()),
            (OR, Node::Or(mut parts)) => {
                parts.push(right);
                Node::Or(parts)
            }
            (OR, left) => Node::Or(vec![left, right]),
            (_, Node::And(mut parts)) => {
                parts.push(right);
                Node::And(parts)
            }
            (_, left) => Node::And(vec![left, right]),
        })
    }

    /// Reads what follows `left` and a relation. A chain `a = b <= c` means `a = b & b <= c`.
    fn comparison(&mut self, left: Term, first: Relation) -> Result<Node, FormulaError> {
        let (mut parts, mut last, mut relation) = (Vec::new(), left, first);
        loop {
            let right = self.term(COMPARE + 1)?;
            parts.push(Node::Compare(last, relation, right.clone()));
            last = right;
            let Token::Relation(next) = self.peek().0 else { break };
            self.take();
            relation = next;
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Node::And(parts) })
    }

    /// Reads what follows `left`, which stands at `before`, and the sign of a digit sum at `sign`.
    fn digit_sum(
        &mut self,
        left: Term,
        before: &Range<usize>,
        modulus: u8,
        sign: Range<usize>,
    ) -> Result<Term, FormulaError> {
        let left = self.natural(left, before)?;
        let from = self.peek().1.start;
        let right = self.term(DIGIT_SUM + 1)?;
        let right = self.natural(right, &(from..self.tokens[self.at - 1].1.end))?;
        match left {
            Term::DigitSum(same, mut parts) if same == modulus => {
                parts.push(right);
                Ok(Term::DigitSum(same, parts))
            }
            Term::DigitSum(..) => {
                error(sign, "two kinds of digit sum without parentheses", "write (a xor b) xor3 c")
            }
            left => Ok(Term::DigitSum(modulus, vec![left, right])),
        }
    }

    /// Reads what follows `left` and `+` or `-`.
    fn sum(&mut self, left: Term, sign: &str) -> Result<Term, FormulaError> {
        let right = self.term(SUM + 1)?;
        let right = if sign == "-" { Term::Multiple(-1, right.into()) } else { right };
        Ok(match left {
            Term::Sum(mut parts) => {
                parts.push(right);
                Term::Sum(parts)
            }
            left => Term::Sum(vec![left, right]),
        })
    }

    /// Reads what follows `left` and a `*` at `sign`.
    fn product(&mut self, left: Term, sign: Range<usize>) -> Result<Term, FormulaError> {
        let right = self.term(PRODUCT + 1)?;
        Ok(match (left, right) {
            (Term::Number(k), Term::Number(j)) => {
                match k.checked_mul(j).filter(|&kj| kj <= MAX_NUMBER) {
                    Some(product) => Term::Number(product),
                    None => {
                        let most = format!("constants go up to {MAX_NUMBER}");
                        return error(sign, "this product is too big", &most);
                    }
                }
            }
            (Term::Number(k), term) | (term, Term::Number(k)) => {
                Term::Multiple(k as i64, term.into())
            }
            (Term::Arithmetic(ArithmeticSymbol::Product, mut parts), term) => {
                parts.push(term);
                Term::Arithmetic(ArithmeticSymbol::Product, parts)
            }
            (left, right) => Term::Arithmetic(ArithmeticSymbol::Product, vec![left, right]),
        })
    }

    /// Reads what follows `left`, which stands at `before`, and the word `mod` or `div`.
    fn division(
        &mut self,
        left: Term,
        before: &Range<usize>,
        word: &str,
    ) -> Result<Term, FormulaError> {
        let remainder = word == "mod";
        let (divisor, from) = self.peek().clone();
        let no_divisor = |at: Range<usize>| {
            error(at, format!("`{word}` needs a divisor"), "a number of at least 1, or a name")
        };
        let (left, by) = match divisor {
            Token::Name(_) | Token::Symbol("(") => {
                let by = self.term(PRODUCT + 1)?;
                let left = self.natural(left, before)?;
                (left, self.natural(by, &(from.start..self.tokens[self.at - 1].1.end))?)
            }
            Token::Number(by @ 1..) => {
                self.take();
                (left, Term::Number(by))
            }
            _ => return no_divisor(from),
        };
        let by = match by {
            Term::Number(0) => return no_divisor(from),
            Term::Number(by) => by,
            by if remainder => {
                return Ok(Term::Arithmetic(ArithmeticSymbol::Remainder, vec![left, by]));
            }
            by => return Ok(Term::Arithmetic(ArithmeticSymbol::Quotient, vec![left, by])),
        };
        let left = if remainder { left.without_minus(by) } else { left };
        let left = self.natural(left, before)?;
        Ok(match remainder {
            true => Term::Remainder(left.into(), by),
            false => Term::Quotient(left.into(), by),
        })
    }

    /// Returns what stands between the one variable of a quantifier and its colon: `E k >= 1: …`,
    /// `A k in {1,3}: …`.
    #[cfg(not(target_family = "wasm"))]
    fn bound_of(&mut self, variables: &[usize]) -> Result<Option<Node>, FormulaError> {
        let (token @ (Token::Relation(_) | Token::In), range) = self.peek().clone() else {
            return Ok(None);
        };
        let [variable] = variables else {
            return error(range, "a bound is of one variable", "E x >= 1: E y >= 1: …");
        };
        let start = self.tokens[self.at - 1].1.start;
        match self.infix(Item::Term(Term::Variable(*variable)), start, token, COMPARE)? {
            Item::Formula(bound) => Ok(Some(bound)),
            Item::Term(_) => error(range, "a bound is a comparison", "E k >= 1: …"),
        }
    }

    /// Reads nothing: the static site has no such bounds.
    #[cfg(target_family = "wasm")]
    fn bound_of(&mut self, _: &[usize]) -> Result<Option<Node>, FormulaError> {
        Ok(None)
    }

    /// Says that a number is one of a set, as `{1,3,4}` or `{1,3..5}`, or within a range, as
    /// `1..3`, whose ends belong to it.
    #[cfg(not(target_family = "wasm"))]
    fn one_of(&mut self, left: Term) -> Result<Node, FormulaError> {
        let named = match &self.peek().0 {
            Token::Name(word) if word == "primes" => Some(ArithmeticSymbol::Prime),
            Token::Name(word) if word == "squares" => Some(ArithmeticSymbol::Square),
            _ => None,
        };
        if let Some(word) = named {
            self.take();
            return Ok(condition(word, vec![left]));
        }
        let is_set = self.takes("{");
        let mut parts = Vec::new();
        loop {
            let from = self.peek().1.start;
            let first = self.term(COMPARE + 1)?;
            if self.takes("..") {
                let last = self.term(COMPARE + 1)?;
                if matches!((&first, &last), (Term::Number(a), Term::Number(b)) if a > b) {
                    let range = from..self.tokens[self.at - 1].1.end;
                    return error(
                        range,
                        "no number is in this range",
                        "the least number first, as 1..3",
                    );
                }
                parts.push(Node::And(vec![
                    Node::Compare(first, Relation::AtMost, left.clone()),
                    Node::Compare(left.clone(), Relation::AtMost, last),
                ]));
            } else if is_set {
                parts.push(Node::Compare(left.clone(), Relation::Equal, first));
            } else {
                let accepted =
                    "numbers in braces, as p0-q0 in {1,3,4}, or a range, as p0-q0 in 1..3";
                return error(from..self.tokens[self.at - 1].1.end, "a set is missing", accepted);
            }
            if !is_set || self.takes("}") {
                return Ok(if parts.len() == 1 {
                    parts.remove(0)
                } else {
                    Node::Or(vec![Node::Or(parts)])
                });
            }
            if !self.takes(",") {
                let accepted = "`,` or `..` or `}`";
                return error(self.peek().1.clone(), "the set goes on or ends here", accepted);
            }
        }
    }

    /// Returns the term, where digits of it are read: those of natural numbers. For a difference a
    /// variable stands, which is that difference where it is not negative.
    fn natural(&mut self, term: Term, range: &Range<usize>) -> Result<Term, FormulaError> {
        fn minus(term: &Term) -> bool {
            match term {
                Term::Multiple(k, inner) => *k < 0 || minus(inner),
                Term::Sum(parts)
                | Term::Min(parts)
                | Term::Max(parts)
                | Term::Arithmetic(ArithmeticSymbol::Product, parts) => parts.iter().any(minus),
                _ => false,
            }
        }
        if !minus(&term) {
            return Ok(term);
        }
        if self.bound.len() == MAX_VARIABLES {
            return error(range.clone(), "too many variables", &format!("at most {MAX_VARIABLES}"));
        }
        let taken =
            |name: &str| self.tokens.iter().any(|(token, _)| *token == Token::Name(name.into()));
        let name = (1..)
            .map(|k| if k == 1 { "difference".to_owned() } else { format!("difference{k}") })
            .find(|name| !taken(name) && !self.bound.contains(name))
            .expect("a text has finitely many names");
        let number = BOUND + self.bound.len();
        self.bound.push(name);
        self.differences.push((number, term));
        Ok(Term::Variable(number))
    }

    /// Makes a comparison hold of the digits of a difference only if the difference is not
    /// negative.
    fn with_differences(&mut self, comparison: Node) -> Node {
        if self.differences.is_empty() {
            return comparison;
        }
        let (numbers, mut parts): (Vec<_>, Vec<_>) = self
            .differences
            .drain(..)
            .map(|(number, term)| {
                (number, Node::Compare(Term::Variable(number), Relation::Equal, term))
            })
            .unzip();
        parts.push(comparison);
        Node::Exists(numbers, Node::And(parts).into())
    }

    fn prefix(&mut self) -> Result<Item, FormulaError> {
        let (token, range) = self.take();
        match token {
            Token::Number(value) => Ok(Item::Term(Term::Number(value))),
            Token::Quantifier(universal) => self.quantifier(universal, range),
            Token::Symbol("~") => Ok(Item::Formula(Node::Not(self.node(NOT)?.into()))),
            Token::Symbol("(") => {
                let item = self.item(0)?;
                self.close(range)?;
                Ok(match item {
                    // What stood in parentheses is not joined with what follows.
                    Item::Formula(Node::And(parts)) => {
                        Item::Formula(Node::And(vec![Node::And(parts)]))
                    }
                    Item::Formula(Node::Or(parts)) => {
                        Item::Formula(Node::Or(vec![Node::Or(parts)]))
                    }
                    Item::Term(sum @ Term::DigitSum(..)) => Item::Term(Term::Sum(vec![sum])),
                    item => item,
                })
            }
            Token::DigitSum(modulus) => {
                let parts = self.arguments(&range, "xor")?;
                let parts = parts.into_iter().map(|part| self.natural(part, &range));
                let parts = parts.collect::<Result<_, _>>()?;
                Ok(Item::Term(Term::DigitSum(modulus, parts)))
            }
            Token::Symbol("|") => {
                let inner = self.term(COMPARE + 1)?;
                match self.takes("|") {
                    true => Ok(Item::Term(absolute(inner))),
                    false => error(
                        range,
                        "an operator has nothing on its left",
                        "|x - y| = 2, or an operand",
                    ),
                }
            }
            Token::Name(word) => match word.as_str() {
                "true" => Ok(Item::Formula(Node::Constant(true))),
                "false" => Ok(Item::Formula(Node::Constant(false))),
                "min" => Ok(Item::Term(Term::Min(self.arguments(&range, "min")?))),
                "max" => Ok(Item::Term(Term::Max(self.arguments(&range, "max")?))),
                "shift" => {
                    Ok(Item::Term(Term::Shift(self.argument(range, "shift", "shift(x)")?.into())))
                }
                "floor" => {
                    let slope = self.slope(range.clone())?;
                    let inner = self.argument(range, "floor", "floor[1;(2)](x)")?;
                    Ok(Item::Term(Term::Floor(slope, inner.into())))
                }
                "abs" if self.peek().0 == Token::Symbol("(") => {
                    match <[Term; 1]>::try_from(self.arguments(&range, "abs")?) {
                        Ok([inner]) => Ok(Item::Term(absolute(inner))),
                        Err(_) => error(range, "`abs` is of one number", "abs(x - y), or |x - y|"),
                    }
                }
                "mod" | "div" => {
                    error(range, format!("`{word}` has nothing on its left"), "write x mod 5")
                }
                name => {
                    match ArithmeticSymbol::FUNCTIONS.into_iter().find(|known| known.name() == name)
                    {
                        Some(known) if self.peek().0 == Token::Symbol("(") => {
                            self.arithmetic(known, range)
                        }
                        #[cfg(not(target_family = "wasm"))]
                        None if self.peek().0 == Token::Symbol("(") && DERIVED.contains(&name) => {
                            self.derived(name, range)
                        }
                        _ => Ok(Item::Term(Term::Variable(self.variable(word, range)?))),
                    }
                }
            },
            Token::End => error(
                range,
                "the formula stops here",
                "a name, a number, `(`, `~`, `A x:` or `E x:`",
            ),
            Token::Symbol(")") => {
                error(range, "nothing stands before this parenthesis", "a name, a number, `(`")
            }
            Token::Symbol("-") => error(range, "a term does not begin with minus", "write 0 - x"),
            _ => error(
                range,
                "an operator has nothing on its left",
                "a name, a number, `(`, `~`, `A x:` or `E x:`",
            ),
        }
    }

    /// Reads a word that other words say.
    #[cfg(not(target_family = "wasm"))]
    fn derived(&mut self, name: &str, range: Range<usize>) -> Result<Item, FormulaError> {
        let parts = self.arguments(&range, name)?;
        let is_two = name == "coprime";
        if parts.len() != 1 + usize::from(is_two) {
            let form = if is_two { format!("{name}(x, y)") } else { format!("{name}(x)") };
            return error(
                range,
                format!("`{name}` does not take {} arguments", parts.len()),
                &form,
            );
        }
        if is_two {
            let common = Term::Arithmetic(ArithmeticSymbol::Gcd, parts);
            return Ok(Item::Formula(Node::Compare(common, Relation::Equal, Term::Number(1))));
        }
        let one = parts.into_iter().next().expect("one argument");
        let product = |term: &Term| {
            Term::Arithmetic(ArithmeticSymbol::Product, vec![term.clone(), term.clone()])
        };
        let square = |parts| condition(ArithmeticSymbol::Square, vec![Term::Sum(parts)]);
        Ok(match name {
            // 8·t + 1 is a square if t is triangular, 5·f·f + 4 or 5·f·f - 4 if f is a Fibonacci
            // number.
            "triangular" => {
                Item::Formula(square(vec![Term::Multiple(8, one.into()), Term::Number(1)]))
            }
            "fibonacci" => {
                let five = Term::Multiple(5, product(&one).into());
                let less = Term::Multiple(-1, Term::Number(4).into());
                let is_natural = Node::Compare(one, Relation::AtLeast, Term::Number(0));
                let either =
                    vec![square(vec![five.clone(), Term::Number(4)]), square(vec![five, less])];
                Item::Formula(Node::And(vec![Node::And(vec![
                    is_natural,
                    Node::Or(vec![Node::Or(either)]),
                ])]))
            }
            _ => {
                let one = self.natural(one.without_minus(2), &range)?;
                let rest = Term::Number(u64::from(name == "odd"));
                let holds = Node::Compare(Term::Remainder(one.into(), 2), Relation::Equal, rest);
                Item::Formula(self.with_differences(holds))
            }
        })
    }

    /// Reads a word of arithmetic with its arguments in parentheses.
    fn arithmetic(
        &mut self,
        word: ArithmeticSymbol,
        range: Range<usize>,
    ) -> Result<Item, FormulaError> {
        let parts = self.arguments(&range, word.name())?;
        if !word.allows_arguments(parts.len()) {
            let count = parts.len();
            return error(
                range,
                format!("`{}` does not take {count} arguments", word.name()),
                word.form(),
            );
        }
        // `power(x, 2)` would ask whether 2 is a power of x.
        if let (ArithmeticSymbol::Power, [base, Term::Number(n)]) = (word, &*parts)
            && !matches!(base, Term::Number(_))
        {
            return error(
                range,
                "the base stands first",
                &format!("power({n}, x): whether x is 1, {n}, {n}*{n}, …"),
            );
        }
        if word.is_condition() {
            let holds = condition(word, parts);
            return Ok(Item::Formula(self.with_differences(holds)));
        }
        // Divisors are those of a number without its sign.
        let parts = match word {
            ArithmeticSymbol::Gcd => parts,
            _ => parts
                .into_iter()
                .map(|part| self.natural(part, &range))
                .collect::<Result<_, _>>()?,
        };
        Ok(Item::Term(Term::Arithmetic(word, parts)))
    }

    /// Reads the one argument of a name whose digits are read.
    fn argument(
        &mut self,
        word: Range<usize>,
        name: &str,
        example: &str,
    ) -> Result<Term, FormulaError> {
        let opened = self.peek().1.clone();
        if !self.takes("(") {
            return error(word, format!("`{name}` needs an argument"), example);
        }
        let inner = self.term(0)?;
        let inner = self.natural(inner, &word)?;
        self.close(opened)?;
        Ok(inner)
    }

    /// Reads a continued fraction, `[1;(2)]`.
    fn slope(&mut self, word: Range<usize>) -> Result<Slope, FormulaError> {
        let accepted = "a continued fraction, its period in parentheses: floor[1;(2)](x) for the \
            square root of 2";
        let number = |parser: &mut Self| match parser.take().0 {
            Token::Number(value) => Some(value),
            _ => None,
        };
        let mut read = || {
            let whole = self.takes("[").then(|| number(self)).flatten()?;
            let whole = u32::try_from(whole).ok().filter(|_| self.takes(";") && self.takes("("))?;
            let mut quotients = vec![number(self)?];
            while self.takes(",") {
                quotients.push(number(self)?);
            }
            let period = Period::new(&quotients)?;
            (self.takes(")") && self.takes("]")).then_some(Slope { whole, period })
        };
        match read() {
            Some(slope) => Ok(slope),
            None => error(word, "`floor` needs the number that it multiplies by", accepted),
        }
    }

    /// Reads the terms in parentheses; takes all the given variables if there are none.
    fn arguments(&mut self, word: &Range<usize>, name: &str) -> Result<Vec<Term>, FormulaError> {
        let opened = self.peek().1.clone();
        if !self.takes("(") {
            return match self.given {
                Some(given) => Ok((0..given.len()).map(Term::Variable).collect()),
                None => error(word.clone(), format!("`{name}` of what?"), &format!("{name}(x, y)")),
            };
        }
        let mut parts = vec![self.term(0)?];
        while self.takes(",") {
            parts.push(self.term(0)?);
        }
        self.close(opened)?;
        Ok(parts)
    }

    fn variable(&mut self, word: String, range: Range<usize>) -> Result<usize, FormulaError> {
        if let Some((_, number)) = self.scope.iter().rev().find(|(name, _)| *name == word) {
            return Ok(*number);
        }
        if let Some(number) = self.free.iter().position(|name| *name == word) {
            return Ok(number);
        }
        if let Some(given) = self.given {
            let list = match given {
                [] => "no variable is free here".to_owned(),
                [one] => format!("the only free variable is {one}"),
                [first, .., last] => format!("the free variables are {first} … {last}"),
            };
            let otherwise = OTHERWISE.iter().find(|(other, _)| *other == word);
            let accepted = match otherwise {
                Some((_, accepted)) => (*accepted).to_owned(),
                None => format!("{list}; others begin with E {word}: …"),
            };
            return error(range, format!("`{word}` is not known here"), &accepted);
        }
        if self.free.len() == MAX_VARIABLES {
            return error(range, "too many variables", &format!("at most {MAX_VARIABLES}"));
        }
        self.free.push(word);
        Ok(self.free.len() - 1)
    }

    fn quantifier(&mut self, universal: bool, letter: Range<usize>) -> Result<Item, FormulaError> {
        let outer = self.scope.len();
        let mut variables = Vec::new();
        loop {
            let (token, range) = self.take();
            match token {
                Token::Name(word) if RESERVED.contains(&word.as_str()) => {
                    return error(
                        range,
                        format!("`{word}` is a word of the language"),
                        "another name",
                    );
                }
                Token::Name(_) if self.bound.len() == MAX_VARIABLES => {
                    return error(range, "too many variables", &format!("at most {MAX_VARIABLES}"));
                }
                Token::Name(word) => {
                    let number = BOUND + self.bound.len();
                    self.bound.push(word.clone());
                    self.scope.push((word, number));
                    variables.push(number);
                }
                _ => return error(letter, "a quantifier needs a variable", "A x: …, E x,y: …"),
            }
            if !self.takes(",") {
                break;
            }
        }
        let bound = self.bound_of(&variables)?;
        if !self.takes(":") && bound.is_some() {
            return error(
                self.peek().1.clone(),
                "the bound of the variable ends here",
                "`:`, as E k >= 1: …",
            );
        }
        let mut body = self.node(0)?;
        if let Some(bound) = bound {
            body = match universal {
                true => Node::Implies(bound.into(), body.into()),
                false => match body {
                    Node::And(parts) => Node::And([vec![bound], parts].concat()),
                    body => Node::And(vec![bound, body]),
                },
            };
        }
        let body = body.into();
        self.scope.truncate(outer);
        Ok(Item::Formula(if universal {
            Node::Forall(variables, body)
        } else {
            Node::Exists(variables, body)
        }))
    }
}

/// Moves bound variables down behind the free ones, and takes off the marks of parentheses.
fn renumber(node: &mut Node, free: usize) {
    fn term(t: &mut Term, free: usize) {
        match t {
            Term::Number(_) => {}
            Term::Variable(v) => {
                if *v >= BOUND {
                    *v = *v - BOUND + free;
                }
            }
            Term::Sum(parts) if parts.len() == 1 => {
                let one = parts.remove(0);
                *t = one;
                term(t, free);
            }
            Term::Sum(parts)
            | Term::DigitSum(_, parts)
            | Term::Min(parts)
            | Term::Max(parts)
            | Term::Arithmetic(_, parts) => {
                parts.iter_mut().for_each(|part| term(part, free));
            }
            Term::Multiple(_, inner)
            | Term::Quotient(inner, _)
            | Term::Remainder(inner, _)
            | Term::Shift(inner)
            | Term::Floor(_, inner) => {
                term(inner, free);
            }
        }
    }
    match node {
        Node::Constant(_) => {}
        Node::Compare(left, _, right) => {
            term(left, free);
            term(right, free);
        }
        Node::Not(inner) => renumber(inner, free),
        Node::And(parts) | Node::Or(parts) => {
            if let [one] = parts.as_mut_slice() {
                *node = std::mem::replace(one, Node::Constant(true));
                renumber(node, free);
            } else {
                parts.iter_mut().for_each(|part| renumber(part, free));
            }
        }
        Node::Implies(left, right) | Node::Iff(left, right) => {
            renumber(left, free);
            renumber(right, free);
        }
        Node::Exists(variables, body) | Node::Forall(variables, body) => {
            variables.iter_mut().for_each(|v| *v = *v - BOUND + free);
            renumber(body, free);
        }
    }
}

#[cfg(test)]
mod tests;

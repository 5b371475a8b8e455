//! The words and signs of a formula.

use super::{FormulaError, MAX_NUMBER};
use crate::formula::Relation;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(target_family = "wasm", allow(dead_code, reason = "no synonyms there"))]
pub(super) enum Token {
    Number(u64),
    Name(String),
    Quantifier(bool),
    DigitSum(u8),
    Relation(Relation),
    Symbol(&'static str),
    /// `in`, before a set.
    In,
    /// Another sign for `mod` or, if false, `div`.
    Division(bool),
    End,
}

const SYMBOLS: &[(&str, &str)] = &[
    ("<=>", "<=>"),
    ("=>", "=>"),
    ("↔", "<=>"),
    ("⇔", "<=>"),
    ("→", "=>"),
    ("⇒", "=>"),
    ("&&", "&"),
    ("&", "&"),
    ("∧", "&"),
    ("||", "|"),
    ("|", "|"),
    ("∨", "|"),
    ("~", "~"),
    ("¬", "~"),
    ("+", "+"),
    ("-", "-"),
    ("−", "-"),
    ("*", "*"),
    ("·", "*"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (";", ";"),
    ("[", "["),
    ("]", "]"),
    (":", ":"),
    ("{", "{"),
    ("}", "}"),
];
const RELATIONS: &[(&str, Relation)] = &[
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("!=", Relation::Unequal),
    ("≤", Relation::AtMost),
    ("≥", Relation::AtLeast),
    ("≠", Relation::Unequal),
    ("<>", Relation::Unequal),
    ("<", Relation::Less),
    (">", Relation::Greater),
    ("==", Relation::Equal),
    ("=", Relation::Equal),
];
pub(super) const RESERVED: &[&str] =
    &["min", "max", "mod", "div", "shift", "floor", "true", "false"];

/// Words and signs of programming languages for what is written otherwise here. Not in the page,
/// which would grow.
#[cfg(not(target_family = "wasm"))]
const SYNONYMS: &[(&str, Token)] = &[
    ("and", Token::Symbol("&")),
    ("or", Token::Symbol("|")),
    ("not", Token::Symbol("~")),
    ("implies", Token::Symbol("=>")),
    ("->", Token::Symbol("=>")),
    ("<->", Token::Symbol("<=>")),
    ("forall", Token::Quantifier(true)),
    ("exists", Token::Quantifier(false)),
    ("in", Token::In),
    ("∈", Token::In),
    ("..", Token::Symbol("..")),
    ("//", Token::Division(false)),
    ("%", Token::Division(true)),
];
#[cfg(target_family = "wasm")]
const SYNONYMS: &[(&str, Token)] = &[];

/// Words and signs that people write, with what says the same here. Not in the page, which would
/// grow.
#[cfg(not(target_family = "wasm"))]
pub(super) const OTHERWISE: &[(&str, &str)] = &[
    ("/", "x div 2, which is rounded down; or without it: 2*y <= x for y <= x/2"),
    ("^", "x*x for a square, x xor y for a nim-sum, power(2, x) for a power of 2"),
    ("sqrt", "y*y <= x for y <= sqrt(x)"),
    ("ceil", "(x+1) div 2 for half of x, rounded up"),
    ("sum", "p0+p1+p2"),
    ("lcm", "gcd(x, y); z is the least common multiple if z*gcd(x, y) = x*y"),
];
#[cfg(target_family = "wasm")]
pub(super) const OTHERWISE: &[(&str, &str)] = &[];

pub(super) fn error<T>(
    range: Range<usize>,
    message: impl Into<String>,
    accepted: &str,
) -> Result<T, FormulaError> {
    Err(FormulaError { range, message: message.into(), accepted: accepted.to_owned() })
}

/// Returns the words and signs of a text with the bytes that each stands on, and its end.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, FormulaError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let rest = &text[at..];
        let (token, length) = if first.is_ascii_digit() {
            number(rest, at)?
        } else if let Some(quantifier) = quantifier(rest) {
            quantifier
        } else if first.is_ascii_alphabetic() {
            word(rest, at)?
        } else {
            sign(rest).ok_or_else(|| no_sign(rest, first, at))?
        };
        found.push((token, at..at + length));
        at += length;
    }
    found.push((Token::End, text.len()..text.len()));
    Ok(found)
}

/// Reads a number, and how many bytes it has; `at` is where it stands.
fn number(rest: &str, at: usize) -> Result<(Token, usize), FormulaError> {
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let Some(value) = rest[..length].parse().ok().filter(|value| *value <= MAX_NUMBER) else {
        let most = format!("constants go up to {MAX_NUMBER}");
        return error(at..at + length, "this number is too big", &most);
    };
    if rest[length..].starts_with(|c: char| c.is_ascii_alphabetic()) {
        let end = at + length;
        let message = "a factor stands right before a name";
        return error(end..end + 1, message, "write 3*x, not 3x");
    }
    Ok((Token::Number(value), length))
}

/// Reads the sign of a quantifier, and how many bytes it has.
fn quantifier(rest: &str) -> Option<(Token, usize)> {
    [("A", true), ("∀", true), ("E", false), ("∃", false)]
        .into_iter()
        .find(|(sign, _)| rest.starts_with(sign))
        .map(|(sign, universal)| (Token::Quantifier(universal), sign.len()))
}

/// Reads a word, and how many bytes it has; `at` is where it stands.
fn word(rest: &str, at: usize) -> Result<(Token, usize), FormulaError> {
    let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let word = &rest[..length];
    let token = match word.strip_prefix("xor") {
        Some("") => Token::DigitSum(2),
        Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => match digits.parse() {
            Ok(modulus @ 2..=9) => Token::DigitSum(modulus),
            _ => {
                let accepted = "xor2 = xor, xor3, … up to xor9";
                return error(at..at + length, "no such digit sum", accepted);
            }
        },
        _ => match SYNONYMS.iter().find(|(synonym, _)| *synonym == word) {
            Some((_, token)) => token.clone(),
            None => Token::Name(word.to_owned()),
        },
    };
    Ok((token, length))
}

/// Reads a sign, and how many bytes it has.
fn sign(rest: &str) -> Option<(Token, usize)> {
    if rest.starts_with('⊕') {
        return Some((Token::DigitSum(2), '⊕'.len_utf8()));
    }
    if let Some((sign, token)) = SYNONYMS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        let token = match token {
            Token::Division(remainder) => {
                Token::Name(if *remainder { "mod" } else { "div" }.into())
            }
            token => token.clone(),
        };
        return Some((token, sign.len()));
    }
    // The three-byte `<=>` before `<=`, and `=>` before `=`.
    let symbol = SYMBOLS.iter().find(|(sign, _)| rest.starts_with(sign));
    let relation = || RELATIONS.iter().find(|(sign, _)| rest.starts_with(sign));
    symbol
        .map(|(sign, symbol)| (Token::Symbol(symbol), sign.len()))
        .or_else(|| relation().map(|(sign, relation)| (Token::Relation(*relation), sign.len())))
}

/// Returns the error of a character that begins no word or sign.
fn no_sign(rest: &str, first: char, at: usize) -> FormulaError {
    let accepted = OTHERWISE.iter().find(|(other, _)| rest.starts_with(other)).map_or(
        "names, numbers, + - * mod div xor, = != < <= > >=, ~ & | => <=>, A E, ( ) , :",
        |(_, accepted)| accepted,
    );
    FormulaError {
        range: at..at + first.len_utf8(),
        message: format!("`{first}` has no meaning here"),
        accepted: accepted.to_owned(),
    }
}

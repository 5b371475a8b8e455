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

pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, FormulaError> {
    let mut found = Vec::new();
    let mut at = 0;
    'next: while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().unwrap_or(' ');
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if first.is_ascii_digit() {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let range = at..at + length;
            match rest[..length].parse::<u64>() {
                Ok(value) if value <= MAX_NUMBER => found.push((Token::Number(value), range)),
                _ => {
                    let most = format!("constants go up to {MAX_NUMBER}");
                    return error(range, "this number is too big", &most);
                }
            }
            at += length;
            if rest[length..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                return error(
                    at..at + 1,
                    "a factor stands right before a name",
                    "write 3*x, not 3x",
                );
            }
            continue;
        }
        for (sign, universal) in [("A", true), ("∀", true), ("E", false), ("∃", false)] {
            if rest.starts_with(sign) {
                found.push((Token::Quantifier(universal), at..at + sign.len()));
                at += sign.len();
                continue 'next;
            }
        }
        if rest.starts_with('⊕') {
            found.push((Token::DigitSum(2), at..at + '⊕'.len_utf8()));
            at += '⊕'.len_utf8();
            continue;
        }
        if first.is_ascii_alphabetic() {
            let length =
                rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let (word, range) = (&rest[..length], at..at + length);
            at += length;
            let token = match word.strip_prefix("xor") {
                Some("") => Token::DigitSum(2),
                Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => {
                    match digits.parse() {
                        Ok(modulus @ 2..=9) => Token::DigitSum(modulus),
                        _ => {
                            return error(
                                range,
                                "no such digit sum",
                                "xor2 = xor, xor3, … up to xor9",
                            );
                        }
                    }
                }
                _ => match SYNONYMS.iter().find(|(synonym, _)| *synonym == word) {
                    Some((_, token)) => token.clone(),
                    None => Token::Name(word.to_owned()),
                },
            };
            found.push((token, range));
            continue;
        }
        let sign = SYNONYMS
            .iter()
            .find(|(sign, _)| !first.is_ascii_alphabetic() && rest.starts_with(sign));
        if let Some((sign, token)) = sign {
            let token = match token {
                Token::Division(remainder) => {
                    Token::Name(if *remainder { "mod" } else { "div" }.into())
                }
                token => token.clone(),
            };
            found.push((token, at..at + sign.len()));
            at += sign.len();
            continue;
        }
        // The three-byte `<=>` before `<=`, and `=>` before `=`.
        if let Some((sign, symbol)) = SYMBOLS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            found.push((Token::Symbol(symbol), at..at + sign.len()));
            at += sign.len();
        } else if let Some((sign, relation)) =
            RELATIONS.iter().find(|(sign, _)| rest.starts_with(sign))
        {
            found.push((Token::Relation(*relation), at..at + sign.len()));
            at += sign.len();
        } else {
            if let Some((_, accepted)) = OTHERWISE.iter().find(|(other, _)| rest.starts_with(other))
            {
                return error(
                    at..at + first.len_utf8(),
                    format!("`{first}` has no meaning here"),
                    accepted,
                );
            }
            return error(
                at..at + first.len_utf8(),
                format!("`{first}` has no meaning here"),
                "names, numbers, + - * mod div xor, = != < <= > >=, ~ & | => <=>, A E, ( ) , :",
            );
        }
    }
    found.push((Token::End, text.len()..text.len()));
    Ok(found)
}

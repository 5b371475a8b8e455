//! Positions of programs: integers, texts, and lists of them.

use bouton_core::{WrittenNumber, is_row_of_signs};
use serde_json::Value as Json;
use std::fmt::Write;
use std::sync::Arc;

/// Depth of the deepest list.
pub(crate) const MAX_DEPTH: usize = 16;

/// A position of a program.
///
/// Integers come before texts, texts before lists; lists are ordered lexicographically.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// An integer.
    Integer(i64),
    /// A text.
    Text(Arc<str>),
    /// A list.
    List(Arc<[Value]>),
}

/// A text that is no position, with what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValueError(String);

/// How texts are written that are positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// All that is no list is a text.
    Plain,
    /// A text that looks like numbers stands in quotation marks.
    Bare,
    /// Every text stands in quotation marks: the program begins with a number or a list, and does
    /// not say itself what a position is.
    Quoted,
}

impl Value {
    /// Reads a position: an integer (`1000`, or as a power: `10^3`, `1e3`), integers with commas
    /// between, a list such as `[[1,2],"ab"]`, or any other text. With `texts` whatever does not
    /// begin with `[` or `"` is a text, also `110`.
    ///
    /// # Errors
    ///
    /// If nothing is left without blanks, or what begins as a list or with a quotation mark is no
    /// JSON of integers, texts and lists.
    pub fn parse(text: &str, texts: TextForm) -> Result<Value, ValueError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ValueError("the position is empty".into()));
        }
        if text.starts_with(['[', '"']) {
            let json: Json = serde_json::from_str(text)
                .map_err(|error| ValueError(format!("no list of JSON: {error}")))?;
            return Value::from_json(&json, MAX_DEPTH);
        }
        if texts == TextForm::Plain {
            return Ok(Value::Text(text.into()));
        }
        match integers(text) {
            Some(integers) if integers.len() == 1 => Ok(Value::Integer(integers[0])),
            Some(integers) => Ok(Value::List(integers.into_iter().map(Value::Integer).collect())),
            None if texts == TextForm::Quoted => Err(ValueError(
                "this is no number and no list, and a text stands in quotation marks".into(),
            )),
            None => Ok(Value::Text(text.into())),
        }
    }

    fn from_json(json: &Json, depth: usize) -> Result<Value, ValueError> {
        match json {
            Json::Number(number) => match number.as_i64() {
                Some(integer) => Ok(Value::Integer(integer)),
                None => Err(ValueError(format!("{number} is no integer of 64 bits"))),
            },
            Json::String(text) => Ok(Value::Text(text.as_str().into())),
            Json::Array(_) if depth == 0 => {
                Err(ValueError(format!("lists are at most {MAX_DEPTH} deep")))
            }
            Json::Array(parts) => {
                let parts: Result<Arc<[Value]>, _> =
                    parts.iter().map(|part| Value::from_json(part, depth - 1)).collect();
                Ok(Value::List(parts?))
            }
            other => Err(ValueError(format!("{other} is no integer, no text and no list"))),
        }
    }

    /// Writes the position so that [`Value::parse`] reads it again, with the same `texts`. The text
    /// holds no `+`, which separates the summands of a sum, unless it is a row of signs.
    pub fn print(&self, texts: TextForm) -> String {
        match self {
            Value::Integer(integer) if texts != TextForm::Plain => integer.to_string(),
            Value::Text(text) if is_bare(text, texts) => text.to_string(),
            Value::List(parts)
                if texts != TextForm::Plain
                    && parts.len() > 1
                    && parts.iter().all(Value::is_integer) =>
            {
                let parts: Vec<String> = parts.iter().map(|part| part.print(texts)).collect();
                parts.join(",")
            }
            _ => {
                let mut out = String::new();
                // An integer among texts is in no list, and nothing else reads as one.
                self.json(&mut out);
                out
            }
        }
    }

    fn is_integer(&self) -> bool {
        matches!(self, Value::Integer(_))
    }

    /// Writes compact JSON.
    fn json(&self, out: &mut String) {
        match self {
            Value::Integer(integer) => {
                let _ = write!(out, "{integer}");
            }
            Value::Text(text) => {
                out.push_str(&Json::from(&**text).to_string().replace('+', "\\u002b"));
            }
            Value::List(parts) => {
                out.push('[');
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    part.json(out);
                }
                out.push(']');
            }
        }
    }

    /// Returns the approximate number of bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Value::Integer(_) => 0,
            Value::Text(text) => 16 + text.len(),
            Value::List(parts) => {
                16 + parts.iter().map(|part| size_of::<Value>() + part.heap_bytes()).sum::<usize>()
            }
        }
    }
}

/// Returns the integers with commas between that a text is.
fn integers(text: &str) -> Option<Vec<i64>> {
    let power = |part: &str| i64::try_from(WrittenNumber::whole(part)?.value()?).ok();
    let integer = |part: &str| part.parse().ok().or_else(|| power(part));
    text.split(',').map(|part| integer(part.trim())).collect()
}

/// Returns whether a text can be written without quotation marks.
fn is_bare(text: &str, texts: TextForm) -> bool {
    texts != TextForm::Quoted
        && !text.is_empty()
        && text.trim() == text
        && !text.starts_with(['[', '"'])
        && !text.contains(char::is_control)
        && (!text.contains('+') || is_row_of_signs(text))
        && (texts == TextForm::Plain || integers(text).is_none())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn positions_survive_printing() {
        for text in [
            "5",
            "-3",
            "1,2,3",
            "[5]",
            "[]",
            "[[1,2],[3]]",
            "[[1,2],\"a,b\"]",
            "X..X",
            "\"5\"",
            "\"1,2\"",
            "\"1e3\"",
            "1e99",
            "\"a\\u002bb\"",
            "\"[\"",
            "\"\"",
            "a b",
            "\" a\"",
        ] {
            let value = Value::parse(text, TextForm::Bare).unwrap();
            assert_eq!(value.print(TextForm::Bare), text);
        }
        for text in
            ["110", "--o", "1,2", "[1,2]", "[[\"110\",4]]", "\"a\\u002bb\"", "++-++", "\"\\u002b\""]
        {
            let value = Value::parse(text, TextForm::Plain).unwrap();
            assert_eq!(value.print(TextForm::Plain), text);
        }
        assert_eq!(Value::parse("1, 2", TextForm::Bare), Value::parse("[1,2]", TextForm::Bare));
        assert_eq!(
            Value::parse("10^3, 2e2", TextForm::Bare),
            Value::parse("1000,200", TextForm::Bare)
        );
        assert_eq!(Value::parse("1e3", TextForm::Plain), Ok(Value::Text("1e3".into())));
        // Of programs that begin with a number or a list.
        for text in ["5", "1,2", "[5]", "\"win\"", "[\"a\",1]"] {
            let value = Value::parse(text, TextForm::Quoted).unwrap();
            assert_eq!(value.print(TextForm::Quoted), text);
        }
        assert!(Value::parse("6, last loses", TextForm::Quoted).is_err());
        assert_ne!(Value::parse("110", TextForm::Plain), Value::parse("110", TextForm::Bare));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for text in [
            "",
            " ",
            "[1,",
            "[1.5]",
            "[true]",
            "{\"a\":1}x",
            "[null]",
            "[99999999999999999999]",
            "[1]]",
        ] {
            let read = Value::parse(text, TextForm::Bare);
            assert!(read.is_err() || text.starts_with('{'), "{text}: {read:?}");
        }
        let deep = format!("{}{}", "[".repeat(40), "]".repeat(40));
        assert!(Value::parse(&deep, TextForm::Bare).is_err());
    }
}

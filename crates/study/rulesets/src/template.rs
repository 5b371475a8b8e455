//! Texts with a parameter: `CN(n,n-1)`, `S(1,h)`. For each value of it the text names a game.

use bouton_core::expression::Expression;
use bouton_core::{NotationError, Scanner, WrittenNumber};
use std::ops::RangeInclusive;

/// A text in which numbers stand for a parameter: sums and products of numbers and its name,
/// between brackets, commas and signs of comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
    name: String,
    pieces: Vec<TemplatePiece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePiece {
    Text(String),
    Value(Expression),
}

/// What ends an expression; so does the `x` of a rectangle, as 3xn.
const BETWEEN: &str = "(),;:=<>|&[]{}";

/// Returns whether the letter at a place is the `x` of a rectangle: between numbers or the
/// parameter `name`.
fn is_times(text: &str, at: usize, name: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    if !text[at..].starts_with('x') {
        return false;
    }
    let before = text[..at].trim_end_matches(|c: char| c.is_alphanumeric() && c != 'x');
    let before = &text[before.len()..at];
    let after =
        text[at + 1..].split(|c: char| !c.is_alphanumeric() || c == 'x').next().unwrap_or_default();
    let side = |side: &str| side == name || !side.is_empty() && side.chars().all(digit);
    side(before) && side(after)
}

impl Template {
    /// Reads a text whose parameter has this name. Told is where it stands if what is around it is
    /// no expression, and that it stands nowhere.
    pub fn parse(text: &str, name: &str) -> Result<Template, NotationError> {
        let accepted = format!(
            "a game with {name} in the place of numbers, e.g. CN({name},{name}-1), S(1,2*{name})"
        );
        let given = text;
        let text = &in_full(text, |word| word == name);
        let mut pieces = Vec::new();
        let (mut start, mut found) = (0, false);
        let ends =
            text.char_indices().filter(|(at, c)| BETWEEN.contains(*c) || is_times(text, *at, name));
        let ends = ends.map(|(at, _)| at);
        for end in ends.chain([text.len()]) {
            let part = &text[start..end];
            if words(part).any(|word| word == name) {
                found = true;
                let mut names = vec![name.to_owned()];
                let mut scanner = Scanner::new(part, &accepted);
                let read = Expression::read(&mut scanner, &mut names);
                let read = read.and_then(|value| scanner.finish().map(|()| value));
                let value = read.map_err(|error| error.in_longer_text(text, start))?;
                if names.len() > 1 {
                    let message = format!("`{}` is another parameter than {name}", names[1]);
                    return Err(NotationError::new(text, start..end, message, accepted));
                }
                pieces.push(TemplatePiece::Value(value));
            } else {
                pieces.push(TemplatePiece::Text(part.to_owned()));
            }
            // The sign itself.
            let next = text[end..].chars().next().map_or(end, |c| end + c.len_utf8());
            pieces.push(TemplatePiece::Text(text[end..next].to_owned()));
            start = next;
        }
        if !found {
            let message = format!("the parameter {name} stands nowhere in it");
            return Err(NotationError::new(text, 0..text.len(), message, accepted));
        }
        Ok(Template { text: given.trim().to_owned(), name: name.to_owned(), pieces })
    }

    /// Returns the text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the parameter's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text for a value; `None` where a number would not fit or be negative.
    pub fn at(&self, value: i64) -> Option<String> {
        let text = |piece: &TemplatePiece| match piece {
            TemplatePiece::Text(text) => Some(text.clone()),
            TemplatePiece::Value(value_of) => value_of
                .value(&[value])
                .filter(|number| *number >= 0)
                .map(|number| number.to_string()),
        };
        self.pieces.iter().map(text).collect()
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the words of a text: letters and digits in one run.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_of_word(c)).filter(|word| !word.is_empty())
}

/// Returns what stands before the first word of a text, the word, and what stands behind it.
fn at_word(text: &str) -> (&str, &str, &str) {
    let (between, rest) = text.split_at(text.find(is_of_word).unwrap_or(text.len()));
    let (word, behind) = rest.split_at(rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()));
    (between, word, behind)
}

/// The highest power of a letter that is written in full.
const MAX_FACTORS: usize = 9;

/// Returns the text with products and powers of the letters in full: `2x` is `2*x`, `x^2` is `x*x`.
pub fn in_full(text: &str, is_letter: impl Fn(&str) -> bool) -> String {
    let mut all = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (between, word, behind) = at_word(rest);
        let letter = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let factor = &word[..word.len() - letter.len()];
        all += between;
        rest = behind;
        if !is_letter(letter) || between.ends_with('^') {
            all += word;
            continue;
        }
        let power = behind.strip_prefix('^').and_then(|power| {
            let (between, exponent, behind) = at_word(power);
            let exponent = exponent.parse().ok().filter(|_| between.is_empty())?;
            let is_whole = (1..=MAX_FACTORS).contains(&exponent) && !behind.starts_with('^');
            is_whole.then_some((exponent, behind))
        });
        let (exponent, behind) = power.unwrap_or((1, behind));
        let factor = (!factor.is_empty()).then_some(factor);
        all += &factor.into_iter().chain(vec![letter; exponent]).collect::<Vec<_>>().join("*");
        rest = behind;
    }
    all
}

/// Returns the text with words replaced by what they stand for, if they stand for something.
pub fn replace_words(text: &str, mut meant: impl FnMut(&str) -> Option<String>) -> String {
    let mut all = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (between, word, behind) = at_word(rest);
        all += between;
        all += meant(word).as_deref().unwrap_or(word);
        rest = behind;
    }
    all
}

/// How a parameter and its values are written.
const ACCEPTED: &str = "a name and a range, both ends counted: h=1..8";

/// Returns the error for a condition in the place of a range of values.
pub fn not_a_range(text: &str) -> NotationError {
    let what = "this is no range of values; conditions are for games such as S(1,h) and NIM(1,L)";
    NotationError::new(text, 0..text.len(), what, ACCEPTED)
}

/// Reads a parameter and its values, both ends counted: `h=1..8`.
///
/// # Errors
///
/// At the place of the first fault.
pub fn parameter(text: &str) -> Result<(String, RangeInclusive<i64>), NotationError> {
    let wrong = |at: std::ops::Range<usize>, message: String| {
        NotationError::new(text, at, message, ACCEPTED)
    };
    let Some((name, range)) = text.split_once('=') else { return Err(not_a_range(text)) };
    let trimmed = name.trim();
    let fine = trimmed.starts_with(|c: char| c.is_ascii_lowercase())
        && trimmed.chars().all(|c| c.is_ascii_alphanumeric());
    if !fine {
        return Err(wrong(
            0..name.len(),
            format!("`{trimmed}` is no name: a small letter, then letters and digits"),
        ));
    }
    let offset = name.len() + 1;
    let Some((from, to)) = range.split_once("..") else {
        return Err(wrong(offset..text.len(), "`..` is missing".into()));
    };
    let number = |part: &str, at: usize| {
        let told = || wrong(at..at + part.len(), format!("`{}` is no number", part.trim()));
        let negative = part.trim().strip_prefix('-');
        let value = WrittenNumber::read::<i64>(negative.unwrap_or(part)).ok_or_else(told)?;
        Ok(if negative.is_some() { -value } else { value })
    };
    let second = offset + from.len() + 2;
    let (low, high) = (number(from, offset)?, number(to.trim_start_matches('='), second)?);
    if low > high {
        return Err(wrong(offset..text.len(), format!("{low} is more than {high}")));
    }
    Ok((trimmed.to_owned(), low..=high))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    #[test]
    fn products_and_powers_in_full() {
        let full = |text| in_full(text, |word| word == "n");
        assert_eq!(full("2n+1, n^2"), "2*n+1, n*n");
        assert_eq!(full("m-3n^3"), "m-3*n*n*n");
        // What is no product or power of a letter stays.
        for text in ["2e3", "P2n", "3xn", "2^n", "2^2n", "n^2^2", "n^n", "n^10", "10^2"] {
            assert_eq!(full(text), text);
        }
        let at = |text, value| Template::parse(text, "n").unwrap().at(value).unwrap();
        assert_eq!(at("n,2n", 3), "3,6");
        assert_eq!(at("S(1,n^2)", 3), "S(1,9)");
    }

    #[test]
    fn numbers_are_put_in() {
        for (text, name, value, made) in [
            ("CN(n,n-1)", "n", 5, "CN(5,4)"),
            ("S(1,2*h+1;2)", "h", 3, "S(1,7;2)"),
            ("CN(4,2;each=h)", "h", 2, "CN(4,2;each=2)"),
            ("walk(h) + nim(1)", "h", 4, "walk(4) + nim(1)"),
            ("NIM(1,k;n)", "k", 9, "NIM(1,9;n)"),
            ("3xn", "n", 5, "3x5"),
            ("nxn", "n", 4, "4x4"),
            ("dots(2xn)", "n", 3, "dots(2x3)"),
            ("n,2*n", "n", 3, "3,6"),
        ] {
            assert_eq!(Template::parse(text, name).unwrap().at(value).as_deref(), Some(made));
        }
        assert_eq!(Template::parse("CN(n,n-3)", "n").unwrap().at(2), None);
    }

    #[test]
    fn errors_name_their_place() {
        let error = |text: &str, name: &str| Template::parse(text, name).unwrap_err();
        assert_eq!(error("CN(5,2)", "n").message, "the parameter n stands nowhere in it");
        assert_eq!(error("nim(3)", "n").message, "the parameter n stands nowhere in it");
        // Letters of more than one byte are no end of an expression, and no fault.
        assert_eq!(error("é\n", "h").message, "the parameter h stands nowhere in it");
        assert_eq!(error("S(1,é)", "h").message, "the parameter h stands nowhere in it");
        let other = error("S(1,h+k)", "h");
        assert_eq!((other.message.as_str(), other.at), ("`k` is another parameter than h", 4..7));
        for (text, at) in
            [("h", 0..1), ("h=1", 2..3), ("h=1..x", 5..6), ("H=1..2", 0..1), ("h=3..1", 2..6)]
        {
            assert_eq!(parameter(text).unwrap_err().at, at, "{text}");
        }
        assert_eq!(parameter("h=1..8").unwrap(), ("h".to_owned(), 1..=8));
    }
}

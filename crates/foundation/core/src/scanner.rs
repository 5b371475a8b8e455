//! A cursor over a line of notation that knows where it is and what it wants.

use crate::NotationError;
use std::ops::Range;

/// Reads a short text from left to right, skipping blanks, with errors that point at the place.
///
/// Every error carries the same `accepted` form, the one that the caller would have liked to see.
#[derive(Debug, Clone)]
pub struct Scanner<'t> {
    text: &'t str,
    at: usize,
    accepted: String,
}

impl<'t> Scanner<'t> {
    /// Starts at the beginning of `text`; `accepted` shows the right form in errors.
    pub fn new(text: &'t str, accepted: impl Into<String>) -> Scanner<'t> {
        let mut scanner = Scanner { text, at: 0, accepted: accepted.into() };
        scanner.skip_blanks();
        scanner
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The byte offset of the next character that is not blank.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Whether all is read.
    pub fn is_done(&self) -> bool {
        self.rest().is_empty()
    }

    /// The next character, left in place.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes `token` if it comes next.
    pub fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
            self.skip_blanks();
        }
        found
    }

    /// Takes `token`, or says that it is missing.
    pub fn expect(&mut self, token: &str) -> Result<(), NotationError> {
        if self.eat(token) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{token}`")))
    }

    /// Takes the longest run of characters that satisfy `is`; may be empty.
    pub fn run(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let run = &rest[..rest.find(|c| !is(c)).unwrap_or(rest.len())];
        self.at += run.len();
        self.skip_blanks();
        run
    }

    /// Takes a number in 0..=max; `what` names it in errors.
    pub fn number(&mut self, what: &str, max: u64) -> Result<u64, NotationError> {
        let start = self.at;
        if self.peek() == Some('-') {
            let len = 1 + self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
            return Err(self.error(start..start + len, format!("{what} can't be negative")));
        }
        let digits = self.run(|c| c.is_ascii_digit());
        let end = start + digits.len();
        if digits.is_empty() {
            return Err(self.unexpected(what));
        }
        match digits.parse::<u64>() {
            Ok(n) if n <= max => Ok(n),
            _ => Err(self.error(start..end, format!("{what} can be at most {max}"))),
        }
    }

    /// Takes one or more numbers, each in 0..=max, separated by commas.
    pub fn numbers(&mut self, what: &str, max: u64) -> Result<Vec<u64>, NotationError> {
        let mut all = vec![self.number(what, max)?];
        while self.eat(",") {
            all.push(self.number(what, max)?);
        }
        Ok(all)
    }

    /// Says so unless all is read.
    pub fn finish(&self) -> Result<(), NotationError> {
        if self.is_done() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    /// An error at the next character: something else was expected here.
    pub fn unexpected(&self, wanted: &str) -> NotationError {
        let message = match self.peek() {
            Some(c) => format!("{wanted} was expected here, not `{c}`"),
            None => format!("{wanted} is missing"),
        };
        let len = self.peek().map_or(0, char::len_utf8);
        self.error(self.at..self.at + len, message)
    }

    /// An error about the bytes `at`.
    pub fn error(&self, at: Range<usize>, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, at, message, self.accepted.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_point_at_the_character() {
        let error = Scanner::new("1, 2,x", "1,2,3").numbers("a heap", 9).unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (5..6, "a heap was expected here, not `x`"));
        let error = Scanner::new("1,-20", "1,2,3").numbers("a heap", 9).unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (2..5, "a heap can't be negative"));
        let error = Scanner::new("1,20", "1,2,3").numbers("a heap", 9).unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (2..4, "a heap can be at most 9"));
        let error = Scanner::new("1,", "1,2,3").numbers("a heap", 9).unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (2..2, "a heap is missing"));
    }
}

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

    /// Returns the byte offset of the next character that is not blank.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns what has not been read yet.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Returns what has been read from byte `start` on, without blanks behind it.
    pub fn text_from(&self, start: usize) -> &'t str {
        self.text[start..self.at].trim_end()
    }

    /// Returns whether all is read.
    pub fn is_done(&self) -> bool {
        self.rest().is_empty()
    }

    /// Returns the next character, left in place.
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

    /// Takes a number in 0..=max, in digits or as a power: `10^9`, `1e9`; `what` names it in
    /// errors.
    pub fn number(&mut self, what: &str, max: u64) -> Result<u64, NotationError> {
        let start = self.at;
        let written = self.written(what)?;
        match written.value() {
            Some(number) if number <= max => Ok(number),
            _ => {
                Err(self
                    .error(start..start + written.length, format!("{what} can be at most {max}")))
            }
        }
    }

    /// Takes a number of any size, as it is written; `what` names it in errors.
    pub fn written(&mut self, what: &str) -> Result<WrittenNumber<'t>, NotationError> {
        let start = self.at;
        if self.peek() == Some('-') {
            let len = 1 + self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
            return Err(self.error(start..start + len, format!("{what} can't be negative")));
        }
        let Some(written) = WrittenNumber::at_start(self.rest()) else {
            return Err(self.unexpected(what));
        };
        self.at += written.length;
        self.skip_blanks();
        Ok(written)
    }

    /// Takes one or more numbers, each in 0..=max, separated by commas.
    pub fn numbers(&mut self, what: &str, max: u64) -> Result<Vec<u64>, NotationError> {
        let start = self.at;
        let mut all = vec![self.number(what, max)?];
        while self.eat(",") {
            self.no_thousands(start)?;
            all.push(self.number(what, max)?);
        }
        Ok(all)
    }

    /// Refuses digits such as `000` behind a comma or a space, in a list of numbers that starts at
    /// a byte: `1,000` and `1 000` are hardly 1 and 0.
    pub fn no_thousands(&self, start: usize) -> Result<(), NotationError> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let before = &self.text[..self.at];
        // Behind a comma and a space there is another number.
        let is_behind = before.ends_with(',') || !before.trim_end().ends_with(',');
        if length == 3 && self.rest().starts_with('0') && is_behind {
            let text = &self.text[start..self.at + length];
            let message = format!(
                "`{text}` may be one number: write {}, or 0 for {}",
                text.replace([',', ' '], ""),
                &self.rest()[..length]
            );
            return Err(self.error(start..self.at + length, message));
        }
        Ok(())
    }

    /// Says so unless all is read.
    pub fn finish(&self) -> Result<(), NotationError> {
        if self.is_done() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    /// Returns an error at the next character: something else was expected here.
    pub fn unexpected(&self, wanted: &str) -> NotationError {
        let message = match self.peek() {
            Some(c) => format!("{wanted} was expected here, not `{c}`"),
            None => format!("{wanted} is missing"),
        };
        let len = self.peek().map_or(0, char::len_utf8);
        self.error(self.at..self.at + len, message)
    }

    /// Returns an error about the bytes `at`.
    pub fn error(&self, at: Range<usize>, message: impl Into<String>) -> NotationError {
        NotationError::new(self.text, at, message, self.accepted.clone())
    }
}

/// A number as people write it, in digits or as a power (`10^9`, `1e9`): factor · base^exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenNumber<'t> {
    /// Its length in bytes.
    pub length: usize,
    /// Digits: `7` of `7e3`, otherwise `1`.
    pub factor: &'t str,
    /// Digits: of `7e3` those of ten.
    pub base: &'t str,
    /// 1 of a number in digits; a larger one is [`u32::MAX`].
    pub exponent: u32,
}

impl<'t> WrittenNumber<'t> {
    /// Returns the number that a text begins with; `None` if the text begins with no digit.
    pub fn at_start(text: &'t str) -> Option<WrittenNumber<'t>> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let length = digits(text);
        if length == 0 {
            return None;
        }
        let (number, exponent_at) = (&text[..length], length + 1);
        let end = exponent_at + text.get(exponent_at..).map_or(0, digits);
        let exponent = || text[exponent_at..end].parse().unwrap_or(u32::MAX);
        Some(match text[length..].chars().next().filter(|_| end > exponent_at) {
            Some('^') => {
                WrittenNumber { length: end, factor: "1", base: number, exponent: exponent() }
            }
            Some('e' | 'E') => {
                WrittenNumber { length: end, factor: number, base: "10", exponent: exponent() }
            }
            _ => WrittenNumber { length, factor: "1", base: number, exponent: 1 },
        })
    }

    /// Returns the number that a text is.
    pub fn whole(text: &'t str) -> Option<WrittenNumber<'t>> {
        WrittenNumber::at_start(text).filter(|number| number.length == text.len())
    }

    /// Returns the number that a text is, perhaps with spaces around; `None` of other texts and
    /// beyond the type.
    pub fn read<T: TryFrom<u64>>(text: &str) -> Option<T> {
        T::try_from(WrittenNumber::whole(text.trim())?.value()?).ok()
    }

    /// Returns its value; `None` beyond 2⁶⁴ − 1.
    pub fn value(&self) -> Option<u64> {
        let (factor, base) = (self.factor.parse::<u64>().ok()?, self.base.parse::<u64>().ok()?);
        factor.checked_mul(base.checked_pow(self.exponent)?)
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
        let error = Scanner::new("1,000", "1,2,3").numbers("a heap", 9).unwrap_err();
        assert!(error.at == (0..5) && error.message.contains("write 1000"), "{error}");
        let error = Scanner::new("12,345,060,7", "1,2,3").numbers("a heap", 999).unwrap_err();
        assert!(error.at == (0..10) && error.message.contains("write 12345060"), "{error}");
        for text in ["1,0", "1, 000", "1,00", "1,100", "001,0000"] {
            assert!(Scanner::new(text, "1,2,3").numbers("a heap", 999).is_ok(), "{text}");
        }
        let error = Scanner::new("1,", "1,2,3").numbers("a heap", 9).unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (2..2, "a heap is missing"));
        let error = Scanner::new("1,10^2", "1,2,3").numbers("a heap", 9).unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (2..6, "a heap can be at most 9"));
    }

    #[test]
    fn powers_are_numbers() {
        let read =
            |text| Scanner::new(text, "").numbers("a heap", u64::MAX).map_err(|error| error.at);
        assert_eq!(read("10^9, 2^0,7e3,12"), Ok(vec![1_000_000_000, 1, 7000, 12]));
        assert_eq!(read("0^0,0^99999999999,1^99999999999,0e0"), Ok(vec![1, 0, 1, 0]));
        assert_eq!(
            read("2^63,10^19,18446744073709551615"),
            Ok(vec![1 << 63, 10_u64.pow(19), u64::MAX])
        );
        assert_eq!(read("3,2^64"), Err(2..6));
        assert_eq!(read("3,2e19"), Err(2..6));
        assert_eq!(read("2^99999999999"), Err(0..13));
        let mut scanner = Scanner::new("10^x", "");
        assert_eq!((scanner.number("a heap", 99), scanner.rest()), (Ok(10), "^x"));
        let mut scanner = Scanner::new("3e", "");
        assert_eq!((scanner.number("a heap", 99), scanner.rest()), (Ok(3), "e"));
    }
}

//! Slices of a game's positions: `x,y,0`, `x,x-1`, `2n+1,n`, `x,x^2`, `n,2^n`, `x,y,x xor y`.

use bouton_core::expression::Expression;
use bouton_core::{NotationError, Scanner};
use bouton_rulesets::template::in_full;
use std::ops::ControlFlow;

/// The form of a slice in errors.
const ACCEPTED: &str =
    "an expression for each heap, e.g. x,y,0 or x,x-1 or 2n+1,n^2 or x,y,x xor y";
/// More letters make no slice.
const MAX_LETTERS: usize = 3;

/// Positions of one shape: each number is an expression in letters that run from 0 on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    text: String,
    letters: usize,
    numbers: Vec<Expression>,
}

impl Slice {
    /// Reads a slice of positions of this many numbers.
    ///
    /// # Errors
    ///
    /// If a part is no expression, if there are not this many parts, or more than three letters.
    pub fn parse(text: &str, numbers: usize) -> Result<Slice, NotationError> {
        let wrong = |message: String| NotationError::new(text, 0..text.len(), message, ACCEPTED);
        let (mut letters, mut parts, mut start) = (Vec::new(), Vec::new(), 0);
        for part in text.split(',') {
            let full = in_full(part, is_letter);
            let mut scanner = Scanner::new(&full, ACCEPTED);
            let read = Expression::read(&mut scanner, &mut letters);
            let read = read.and_then(|value| scanner.finish().map(|()| value));
            parts.push(read.map_err(|error| match full == part {
                true => error.in_longer_text(text, start),
                false => NotationError::new(
                    text,
                    start..start + part.len(),
                    error.message,
                    error.accepted,
                ),
            })?);
            start += part.len() + 1;
        }
        if parts.len() != numbers {
            let parts = parts.len();
            return Err(wrong(format!("a position has {numbers} numbers, and the slice {parts}")));
        }
        if letters.len() > MAX_LETTERS {
            return Err(wrong(format!(
                "{} letters; a slice has at most {MAX_LETTERS}",
                letters.len()
            )));
        }
        Ok(Slice { text: text.trim().to_owned(), letters: letters.len(), numbers: parts })
    }

    /// Returns the text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns how many values the letters have with numbers up to `max`; `None` past 64 bits.
    pub fn len(&self, max: u32) -> Option<u64> {
        (u64::from(max) + 1).checked_pow(self.letters as u32)
    }

    /// Visits the positions whose letters and numbers are at most `max`, the first letter slowest,
    /// until `visit` breaks. A position that has several values of the letters is visited for each.
    pub fn visit(&self, max: u32, visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>) {
        let mut values = vec![0; self.letters];
        loop {
            let sizes = self.numbers.iter().map(|number| {
                let size = u64::try_from(number.value(&values)?).ok()?;
                (size <= u64::from(max)).then_some(size)
            });
            if let Some(sizes) = sizes.collect::<Option<Vec<u64>>>()
                && visit(&sizes).is_break()
            {
                return;
            }
            let Some(place) = values.iter().rposition(|value| *value < i64::from(max)) else {
                return;
            };
            values[place] += 1;
            values[place + 1..].fill(0);
        }
    }
}

/// Returns whether a word is one letter, which may follow a number: 2x.
fn is_letter(word: &str) -> bool {
    word.len() == 1 && word.bytes().all(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    fn positions(text: &str, numbers: usize, max: u32) -> Vec<Vec<u64>> {
        let mut all = Vec::new();
        Slice::parse(text, numbers).unwrap().visit(max, &mut |sizes| {
            all.push(sizes.to_vec());
            ControlFlow::Continue(())
        });
        all
    }

    #[test]
    fn letters_run() {
        assert_eq!(positions("x,y,0", 3, 1), [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]]);
        assert_eq!(positions("x,x-1", 2, 3), [[1, 0], [2, 1], [3, 2]]);
        assert_eq!(positions("2*n+1,n", 2, 5), [[1, 0], [3, 1], [5, 2]]);
        assert_eq!(positions("2n+1,n", 2, 5), [[1, 0], [3, 1], [5, 2]]);
        assert_eq!(positions("x,x^2", 2, 9), [[0, 0], [1, 1], [2, 4], [3, 9]]);
        assert_eq!(positions("2^n,n", 2, 9), [[1, 0], [2, 1], [4, 2], [8, 3]]);
        assert_eq!(positions("x,2^y-1", 2, 1), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(
            positions("x,y,x xor y", 3, 2),
            [[0, 0, 0], [0, 1, 1], [0, 2, 2], [1, 0, 1], [1, 1, 0], [2, 0, 2], [2, 2, 0]]
        );
        assert_eq!(positions("3,4", 2, 5), [[3, 4]]);
        assert_eq!(positions("3,4", 2, 3), Vec::<Vec<u64>>::new());
    }

    #[test]
    fn what_is_no_slice_is_refused() {
        let message = |text: &str| Slice::parse(text, 2).unwrap_err().message;
        assert_eq!(message("x,y,0"), "a position has 2 numbers, and the slice 3");
        assert_eq!(message("a+b,c+d"), "4 letters; a slice has at most 3");
        assert_eq!(Slice::parse("x,)", 2).unwrap_err().at, 2..3);
        assert_eq!(Slice::parse("x,2y)", 2).unwrap_err().at, 2..5);
        assert_eq!(Slice::parse("x,2^2x", 2).unwrap_err().at, 5..6);
    }
}

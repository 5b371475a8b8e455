//! Slices of a game's positions: `x,y,0`, `x,x-1`, `2n+1,n`, `x,x^2`, `n,2^n`, `x,y,x xor y`.

use bouton_core::expression::Expression;
use bouton_core::{NotationError, Scanner};
use bouton_rulesets::template::in_full;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The form of a slice in errors.
const ACCEPTED: &str =
    "an expression for each heap, e.g. x,y,0 or x,x-1 or 2n+1,n^2 or x,y,x xor y";
/// More letters make no slice.
const MAX_LETTERS: usize = 3;

/// Positions of one shape with numbers up to a bound: each number is an expression in letters that
/// run from 0 on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    text: String,
    letters: Vec<String>,
    /// The numbers as they were written, products written out.
    written: Vec<String>,
    numbers: Vec<Expression>,
    /// The largest number of a position.
    max: i64,
    /// The largest value of each letter with which no number need be negative or larger than `max`.
    bounds: Vec<i64>,
}

impl Slice {
    /// Reads a slice of positions of this many numbers, none above `max`.
    ///
    /// # Errors
    ///
    /// If a part is no expression, if there are not this many parts, or more than three letters, or
    /// if numbers up to `max` leave a letter without a bound.
    pub fn parse(text: &str, numbers: usize, max: u32) -> Result<Slice, NotationError> {
        let wrong = |message: String| NotationError::new(text, 0..text.len(), message, ACCEPTED);
        let (mut letters, mut parts, mut start) = (Vec::new(), Vec::new(), 0);
        let mut written = Vec::new();
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
            written.push(full);
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
        let bounds = letter_bounds(&parts, letters.len(), max.into()).ok_or_else(|| {
            wrong("no number of these positions bounds the letters, which may be anything".into())
        })?;
        let text = text.trim().to_owned();
        Ok(Slice { text, letters, written, numbers: parts, max: max.into(), bounds })
    }

    /// Returns the letters, in the order in which they occur.
    pub fn letters(&self) -> &[String] {
        &self.letters
    }

    /// Returns the expressions as texts.
    pub fn expressions(&self) -> &[String] {
        &self.written
    }

    /// Returns the largest value that a letter has in a position with no number above the bound.
    pub fn largest_letter(&self) -> u64 {
        self.bounds.iter().max().map_or(0, |most| *most as u64)
    }

    /// Returns the text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns how many values the letters have; `None` past 64 bits.
    pub fn count(&self) -> Option<u64> {
        self.bounds.iter().try_fold(1u64, |len, bound| len.checked_mul(*bound as u64 + 1))
    }

    /// Returns whether the numbers of a position are seen to tell the values of the letters, one
    /// after the other: as x,x+y does, and x+y,2 does not.
    pub fn is_one_to_one(&self) -> bool {
        let mut known = vec![false; self.letters.len()];
        for _ in 0..known.len() {
            for number in &self.numbers {
                let new: Vec<usize> =
                    (0..known.len()).filter(|name| !known[*name] && number.has(*name)).collect();
                if let [letter] = new[..] {
                    known[letter] = factor(number, letter).is_some_and(|factor| factor != 0);
                }
            }
        }
        known.into_iter().all(|is_known| is_known)
    }

    /// Visits the positions, the first letter slowest, until `visit` breaks. A position that has
    /// several values of the letters is visited once.
    pub fn visit(&self, visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>) {
        let mut values = vec![0; self.bounds.len()];
        let mut seen = (!self.is_one_to_one()).then(HashSet::new);
        loop {
            let sizes = self.numbers.iter().map(|number| {
                let size = number.value(&values)?;
                (0..=self.max).contains(&size).then_some(size as u64)
            });
            if let Some(sizes) = sizes.collect::<Option<Vec<u64>>>()
                && seen.as_mut().is_none_or(|seen| seen.insert(sizes.clone()))
                && visit(&sizes).is_break()
            {
                return;
            }
            let mut places = values.iter().zip(&self.bounds);
            let Some(place) = places.rposition(|(value, bound)| value < bound) else {
                return;
            };
            values[place] += 1;
            values[place + 1..].fill(0);
        }
    }
}

/// Returns the constant by which an expression grows with a name; `None` if it is no constant.
fn factor(expression: &Expression, name: usize) -> Option<i64> {
    match expression {
        _ if !expression.has(name) => Some(0),
        Expression::Name(_) => Some(1),
        Expression::Sum(a, b) => factor(a, name)?.checked_add(factor(b, name)?),
        Expression::Difference(a, b) => factor(a, name)?.checked_sub(factor(b, name)?),
        Expression::Product(a, b) => match (&**a, &**b) {
            (Expression::Number(number), other) | (other, Expression::Number(number)) => {
                factor(other, name)?.checked_mul(*number)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns a position as an expression in these letters for each of its numbers; `None` if it is
/// written in another way.
pub fn expressions(text: &str, letters: &[&str]) -> Option<Vec<Expression>> {
    let mut names: Vec<String> = letters.iter().map(|letter| (*letter).to_owned()).collect();
    let mut read = |part: &str| {
        let full = in_full(part, |word| letters.contains(&word));
        let mut scanner = Scanner::new(&full, ACCEPTED);
        let number = Expression::read(&mut scanner, &mut names).ok()?;
        scanner.is_done().then_some(number)
    };
    let all: Option<Vec<Expression>> = text.split(',').map(&mut read).collect();
    all.filter(|_| names.len() == letters.len())
}

/// What is as large as no letter.
const NO_BOUND: i64 = 1 << 40;

/// Returns values of the letters up to which all positions with numbers from 0 to `max` occur; `None`
/// if there are none.
fn letter_bounds(numbers: &[Expression], letters: usize, max: i64) -> Option<Vec<i64>> {
    let mut bounds = vec![0; letters];
    // A letter that is 0 may make a product of another one: `x,x*y`.
    for zeros in 0..1 << letters {
        let is_zero = |letter: usize| zeros >> letter & 1 == 1;
        let mut ranges: Vec<[i64; 2]> = (0..letters)
            .map(|letter| if is_zero(letter) { [0, 0] } else { [1, NO_BOUND] })
            .collect();
        // What bounds a letter may be bounded itself by then.
        for letter in (0..letters).cycle().take(letters * letters) {
            ranges[letter][1] = last_in_range(numbers, max, &mut ranges.clone(), letter);
        }
        for letter in 0..letters {
            let mut alone = ranges.clone();
            alone[letter][1] = 1;
            let is_free = |number: &Expression| range(number, &ranges) == range(number, &alone);
            bounds[letter] = match ranges[letter][1] {
                NO_BOUND if numbers.iter().all(is_free) => bounds[letter].max(1),
                NO_BOUND => return None,
                most => bounds[letter].max(most),
            };
        }
    }
    Some(bounds)
}

/// Returns the last value of a letter in its range with which all numbers may be from 0 to `max`, if
/// the others are in theirs; the least value if there is none.
fn last_in_range(numbers: &[Expression], max: i64, ranges: &mut [[i64; 2]], letter: usize) -> i64 {
    let [least, most] = ranges[letter];
    let (mut from, mut to) = (least, most + 1);
    while from < to {
        let middle = from + (to - from) / 2;
        ranges[letter] = [middle, most];
        let is_out = numbers.iter().any(|number| {
            let [least, greatest] = range(number, ranges);
            greatest < 0 || least > max
        });
        (from, to) = if is_out { (from, middle) } else { (middle + 1, to) };
    }
    (from - 1).max(least)
}

/// Returns bounds of the values of an expression whose letters have values between these.
fn range(expression: &Expression, letters: &[[i64; 2]]) -> [i64; 2] {
    let both = |a: &Expression, b: &Expression| (range(a, letters), range(b, letters));
    match expression {
        Expression::Number(number) => [*number; 2],
        Expression::Name(letter) => letters[*letter],
        Expression::Sum(a, b) => {
            let (a, b) = both(a, b);
            [a[0].saturating_add(b[0]), a[1].saturating_add(b[1])]
        }
        Expression::Difference(a, b) => {
            let (a, b) = both(a, b);
            [a[0].saturating_sub(b[1]), a[1].saturating_sub(b[0])]
        }
        Expression::Product(a, b) => {
            let (a, b) = both(a, b);
            let corners = a.map(|a| b.map(|b| a.saturating_mul(b)));
            let all = corners.as_flattened();
            [
                all.iter().copied().fold(i64::MAX, i64::min),
                all.iter().copied().fold(i64::MIN, i64::max),
            ]
        }
        Expression::Power(a, b) => {
            let (a, b) = both(a, b);
            let exponents = b.map(|b| u32::try_from(b.max(0)).unwrap_or(u32::MAX));
            match a {
                [..0, _] => [i64::MIN, i64::MAX],
                [0, most] => [0, most.saturating_pow(exponents[1]).max(1)],
                [least, most] => {
                    [least.saturating_pow(exponents[0]), most.saturating_pow(exponents[1])]
                }
            }
        }
        // Neither is negative.
        Expression::Xor(a, b) => {
            let (a, b) = both(a, b);
            if a[1] < 0 || b[1] < 0 {
                return [-1, -1];
            }
            let length = |number: i64| i64::BITS - number.max(0).leading_zeros();
            let least = match (a, b) {
                ([least, _], [_, most]) | ([_, most], [least, _])
                    if length(least) > length(most) =>
                {
                    1 << (length(least) - 1)
                }
                _ => 0,
            };
            let longest = length(a[1]).max(length(b[1]));
            [least, if longest >= 63 { i64::MAX } else { (1 << longest) - 1 }]
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
        Slice::parse(text, numbers, max).unwrap().visit(&mut |sizes| {
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

    /// All positions of the shape are visited, whatever values of the letters they take: against
    /// letters that run much further.
    #[test]
    fn no_position_is_left_out() {
        for (text, numbers, letters) in [
            ("x-1,x-1", 2, 1),
            ("x^2,y-x", 2, 2),
            ("y,x xor y", 2, 2),
            ("2*x,x xor y,2x", 3, 2),
            ("x-3,2*x-y,y", 3, 2),
            ("9-x,x", 2, 1),
            ("2^x,y-2^x", 2, 2),
            ("(x xor y)-z,z,x", 3, 3),
            ("x-y,y-z,z-4", 3, 3),
            ("x,x*y", 2, 2),
            ("x-1,x*y,y^x", 3, 2),
            ("x,x*(y-3)", 2, 2),
            ("x+y,2", 2, 2),
            ("x*y,z", 2, 3),
            ("x xor y,x", 2, 2),
        ] {
            for max in 0..6 {
                let wide = Slice {
                    bounds: vec![40; letters],
                    ..Slice::parse(text, numbers, max)
                        .unwrap_or_else(|error| panic!("{text}: {error}"))
                };
                let mut expected = Vec::new();
                wide.visit(&mut |sizes| {
                    expected.push(sizes.to_vec());
                    ControlFlow::Continue(())
                });
                let mut found = positions(text, numbers, max);
                found.sort();
                expected.sort();
                expected.dedup();
                assert_eq!(found, expected, "{text} up to {max}");
            }
        }
        assert_eq!(positions("x-1,x-1", 2, 2), [[0, 0], [1, 1], [2, 2]]);
        let free = Slice::parse("x-y,3", 2, 5).unwrap_err().message;
        assert!(free.contains("bounds the letters"), "{free}");
    }

    /// Where the numbers tell the letters, no two values of these make one position.
    #[test]
    fn letters_that_the_numbers_tell() {
        for (text, numbers, is_one_to_one) in [
            ("n,2n,3n", 3, true),
            ("x,x+y", 2, true),
            ("3-x,y+2*x", 2, true),
            ("x+y,2", 2, false),
            ("x*y,x", 2, false),
            ("x+y,x+y", 2, false),
        ] {
            let slice = Slice::parse(text, numbers, 5);
            assert!(slice.is_ok_and(|slice| slice.is_one_to_one() == is_one_to_one), "{text}");
        }
    }

    #[test]
    fn what_is_no_slice_is_refused() {
        let message = |text: &str| Slice::parse(text, 2, 9).unwrap_err().message;
        assert_eq!(message("x,y,0"), "a position has 2 numbers, and the slice 3");
        assert_eq!(message("a+b,c+d"), "4 letters; a slice has at most 3");
        assert_eq!(Slice::parse("x,)", 2, 9).unwrap_err().at, 2..3);
        assert_eq!(Slice::parse("x,2y)", 2, 9).unwrap_err().at, 2..5);
        assert_eq!(Slice::parse("x,2^2x", 2, 9).unwrap_err().at, 5..6);
    }
}

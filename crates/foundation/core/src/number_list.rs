//! Lists of numbers as people write them: `3,4,5`, `3 4 5`, `3;4;5`, `3, 4 and 5`, `3-4-5`.

use crate::{NotationError, Scanner};

/// Words that may stand before the numbers of a position, as in `nim with heaps 3, 4 and 5`.
const LEADING: [&str; 10] =
    ["with", "from", "of", "heaps", "heap", "piles", "pile", "rows", "row", "sizes"];

/// Signs that stand between numbers of a list, and between two numbers that are none: `3-5` may be
/// a range, `3/5` a quotient. Three numbers or more with one of them are a list.
const UNCLEAR: [&str; 5] = ["-", "–", "—", "−", "/"];

/// Returns a list of numbers as its numbers with commas between them; `None` if a text is no list
/// of numbers, or is one that may mean something else: of `2 5,7` the first may be no heap.
pub fn comma_list(text: &str) -> Option<String> {
    let mut list = text.trim();
    while let Some((word, rest)) = list.split_once(char::is_whitespace)
        && LEADING.contains(&word.trim_end_matches(':').to_lowercase().as_str())
    {
        list = rest.trim_start();
    }
    let (numbers, signs) = Scanner::new(list, "")
        .numbers_and_signs(|scanner| {
            let start = scanner.at();
            let written = scanner.written("a number")?;
            Ok(&list[start..start + written.length])
        })
        .ok()?;
    // Of `2 5 and 7`, too, the first may be no heap.
    let is_mixed = signs.contains(&BLANK) && signs.iter().any(|sign| *sign != BLANK);
    (!is_mixed).then(|| numbers.join(","))
}

/// Returns the list as [`comma_list`] where positions are of this form; `None` of `1-2-3` where
/// they have dashes themselves: it is a path of edges there rather than a list.
pub fn comma_list_for(text: &str, form: &str) -> Option<String> {
    let is_clear = !has_dash_or_slash(text) || !has_dash_or_slash(form);
    comma_list(text).filter(|_| is_clear)
}

/// Returns whether a text has one of the signs that make a list of three numbers and more, and that
/// stand for something else in positions of many games: edges `1-2`, rows `3/4`.
pub fn has_dash_or_slash(text: &str) -> bool {
    UNCLEAR.iter().any(|sign| text.contains(sign))
}

/// What stands between two numbers without a sign.
const BLANK: &str = " ";
/// `and`, or `&`: between the last two numbers, whatever is between the others.
const AND: &str = "and";

impl Scanner<'_> {
    /// Takes one or more numbers up to the end, each by `number`: in brackets or without, with
    /// commas, semicolons, bars, blanks or `and` between them; three or more also with `-` or `/`.
    ///
    /// # Errors
    /// If something else is there, or `-` or `/` between two numbers alone, among other signs or
    /// among powers.
    pub fn list<T>(
        &mut self,
        number: impl FnMut(&mut Self) -> Result<T, NotationError>,
    ) -> Result<Vec<T>, NotationError> {
        Ok(self.numbers_and_signs(number)?.0)
    }

    /// Takes the same, and returns what stands between the numbers as well.
    fn numbers_and_signs<T>(
        &mut self,
        mut number: impl FnMut(&mut Self) -> Result<T, NotationError>,
    ) -> Result<(Vec<T>, Vec<&'static str>), NotationError> {
        let brackets = [("(", ")"), ("[", "]"), ("{", "}")];
        let close = brackets.into_iter().find(|(open, _)| self.eat(open));
        let start = self.at();
        let mut all = vec![number(self)?];
        let mut signs: Vec<&'static str> = Vec::new();
        while let Some(sign) = self.between_numbers() {
            self.no_thousands(start)?;
            all.push(number(self)?);
            signs.push(sign);
        }
        let read = self.text_from(start);
        if let Some((_, close)) = close {
            self.expect(close)?;
        }
        self.finish()?;
        let unclear = signs.iter().find(|sign| UNCLEAR.contains(sign));
        if let Some(sign) = unclear
            && (all.len() < 3
                || signs.iter().any(|other| other != sign)
                || read.contains(['^', 'e', 'E']))
        {
            let other = if *sign == "/" { "a quotient" } else { "a range or a difference" };
            let message = format!("`{read}` may be a list or {other}; a list has commas");
            return Err(self.error(start..start + read.len(), message));
        }
        // `1,5;2,4` and `1 5, 2 4` are pairs.
        let mut marks = signs.iter().filter(|sign| **sign != AND);
        if let Some(first) = marks.next()
            && marks.any(|sign| sign != first)
        {
            let message = format!("`{read}` may be several lists; a list has commas alone");
            return Err(self.error(start..start + read.len(), message));
        }
        Ok((all, signs))
    }

    /// Takes what may stand between two numbers of a list, and returns it; `None` if nothing of
    /// this kind comes next.
    fn between_numbers(&mut self) -> Option<&'static str> {
        let and = |scanner: &mut Self| {
            let rest = scanner.rest();
            let is_word = rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("and"))
                && rest[3..].starts_with(char::is_whitespace);
            (is_word && scanner.eat(&rest[..3])) || scanner.eat("&")
        };
        if self.eat(",") {
            and(self);
            return Some(",");
        }
        if and(self) {
            return Some(AND);
        }
        let sign = [";", "|"].iter().chain(&UNCLEAR).find(|sign| self.eat(sign));
        sign.copied().or_else(|| self.peek().filter(char::is_ascii_digit).map(|_| BLANK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_people_write_them() {
        for text in [
            "3,4,5",
            "3, 4, 5",
            "3 4 5",
            "(3,4,5)",
            "[3 4 5]",
            "{3, 4, 5}",
            "3;4;5",
            "3 | 4 | 5",
            "3 and 4 and 5",
            "3, 4 and 5",
            "3, 4, and 5",
            "3 & 4 & 5",
            "3-4-5",
            "3 – 4 – 5",
            "3/4/5",
            "heaps 3, 4 AND 5",
            "with piles of 3, 4 and 5",
            "heaps: 3,4,5",
        ] {
            assert_eq!(comma_list(text).as_deref(), Some("3,4,5"), "{text}");
        }
        assert_eq!(comma_list("10^9, 7 and 2^31").as_deref(), Some("10^9,7,2^31"));
        assert_eq!(comma_list("7").as_deref(), Some("7"));
    }

    #[test]
    fn what_may_be_something_else_is_no_list() {
        for text in [
            "",
            "3,",
            ",3",
            "3,,4",
            "3-5",
            "3..5",
            "3–5",
            "3/5",
            "1,3-5",
            "3-4/5",
            "-3",
            "3,-4",
            "2^5-1-3",
            "3 heaps",
            "with 3 heaps",
            "3 and",
            "3 andd 4",
            "(3,4",
            "x,4",
            "1,000",
            "3:4:5",
            "3.4.5",
            "2 5,7",
            "1,5;2,4",
            "1 5, 2 4",
            "3,4|5",
        ] {
            assert_eq!(comma_list(text), None, "{text}");
        }
        let error = Scanner::new("1, 3-5", "").list(|scanner| scanner.number("a heap", 9));
        let error = error.expect_err("a range");
        assert_eq!((error.at, &error.message[..8]), (0..6, "`1, 3-5`"));
        let read = |text| Scanner::new(text, "").list(|scanner| scanner.number("a heap", 9));
        assert_eq!(read("3 4 and 5"), Ok(vec![3, 4, 5]));
        for text in ["1,5;2,4", "1 5, 2 4", "1,5 2,4", "3 4, 5"] {
            assert!(read(text).is_err_and(|error| error.message.contains("several lists")));
        }
    }
}

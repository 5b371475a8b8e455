//! Taking-and-breaking games by their codes, and those with names: Kayles, Dawson's Kayles,
//! Grundy's game.
//!
//! Source: R. K. Guy, C. A. B. Smith, *The G-values of various games*, Proc. Camb. Phil. Soc. 52
//! (1956) 514–526; H. E. Dudeney's Kayles in *The Canterbury Puzzles* (1907); P. M.
//! Grundy, *Mathematics and games*, Eureka 2 (1939).

use bouton_core::{
    Appearance, Board, Coordinates, HeapMoves, Impartial, LimitReached, Meter, MoveText, Nimber,
    Notation, NotationError, Outcome, Play, Rows, Ruleset, Scanner,
};
use bouton_engine::family::{Count, MAX_ROWS, Reference, ReferenceKind};
use bouton_engine::family::{Example, Family, count_and_close, name_prefix, optional_count};
use bouton_engine::game::{
    ByNimValue, Evaluation, Evaluator, Game, Kind, Settings, with_evaluator,
};
use bouton_heaps::rows::{self};
use bouton_octal::sequence::period::extend_until_period;
use bouton_octal::sequence::{ByteValues, CodeDigit, Period, Sequence, TakeAndBreakCode};
use std::ops::ControlFlow::{self, Continue};

/// Codes in the list.
pub const FAMILY: Family = Family {
    name: "take-and-break",
    notation: "0.77, 4!.0, 0.[3], 0.{0,2+}, …, with (HEAPS) behind",
    about: "take from one heap and leave it, split or gone, as the code's digits allow",
    title: "Take and break",
    sentence: "Take from a heap and perhaps split what is left, as a code of digits allows.",
    opening: Example::new("0.137", "9"),
    source: "R. K. Guy, C. A. B. Smith, Proc. Camb. Phil. Soc. 52 (1956) 514-526",
    reference: Reference {
        kind: ReferenceKind::Article,
        key: "guy-smith",
        author: "Richard K. Guy and Cedric A. B. Smith",
        title: "The G-values of various games",
        place: "Proc. Camb. Phil. Soc. 52, 514-526",
        year: "1956",
    },
    examples: &[
        Example::new("0.77", "1,11"),
        Example::new("0.137", "9,14"),
        Example::new("0.8", "11"),
    ],
    claims: |text| {
        let hexadecimal = |c: char| c.is_ascii_digit() || matches!(c, 'A'..='F');
        let letter = text
            .strip_prefix(hexadecimal)
            .is_some_and(|rest| rest.starts_with(['.', '!', '=', '?']));
        letter
            || text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '{' | '[' | '*'))
    },
    parse,
};

/// Games with names in the list.
pub const NAMED: Family = Family {
    name: "kayles",
    notation: "kayles | kayles(K) | dawson-kayles | grundy, with a number of rows kayles(K;ROWS), \
        grundy(ROWS)",
    about: "knock down adjacent pins: one or two, up to K, exactly two; or split a row into \
        unequal parts",
    title: "Kayles",
    sentence: "A row of pins and a sharp eye: knock down one pin, or two that stand side by side.",
    opening: Example::new("kayles", "10"),
    source: "H. E. Dudeney, The Canterbury Puzzles (1907); P. M. Grundy, Eureka 2 (1939)",
    reference: Reference {
        kind: ReferenceKind::Book,
        key: "dudeney",
        author: "Henry E. Dudeney",
        title: "The Canterbury Puzzles",
        place: "",
        year: "1907",
    },
    examples: &[
        Example::new("kayles", "1,11"),
        Example::new("kayles(3)", "9"),
        Example::new("dawson-kayles", "7,12"),
        Example::new("grundy", "12"),
    ],
    claims: |text| matches!(name_prefix(text), "kayles" | "dawson-kayles" | "grundy"),
    parse: parse_named,
};

/// A taking-and-breaking game on rows of tokens.
#[derive(Debug, Clone)]
pub struct TakeAndBreak {
    /// The rules.
    pub code: TakeAndBreakCode,
    name: String,
    rows: Count,
    /// What people call it, if not as its family.
    title: Option<&'static str>,
}

impl TakeAndBreak {
    /// Returns what people call the game, if not as its family.
    pub fn title(&self) -> Option<&'static str> {
        self.title
    }
}

fn parse(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let end = text.find('(').unwrap_or(text.len());
    // `0.77 7` is a code and a heap, not 0.777.
    let after = text[..end].trim_end().rsplit_once(char::is_whitespace).map(|(_, after)| after);
    if after.is_some_and(|after| !after.contains(['.', '}', ']'])) {
        let end = text.trim_end().len();
        return Err(NotationError::new(
            text,
            0..end,
            "a code has no spaces",
            "0.77, then a position",
        ));
    }
    let code =
        TakeAndBreakCode::parse(&text[..end]).map_err(|error| error.in_longer_text(text, 0))?;
    let mut scanner = Scanner::new(&text[end..], "(3) for three heaps");
    let rows = optional_count(&mut scanner).map_err(|error| error.in_longer_text(text, end))?;
    scanner.finish().map_err(|error| error.in_longer_text(text, end))?;
    let name = rows.map_or(code.to_string(), |rows| format!("{code}({rows})"));
    Ok(with_evaluator::<_, BySequence>(TakeAndBreak { code, name, rows, title: None }))
}

fn parse_named(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let accepted = "kayles, kayles(3) for up to 3 pins, kayles(2;4) on 4 rows, dawson-kayles, \
        grundy, grundy(3)";
    let mut scanner = Scanner::new(text, accepted);
    let word = scanner.run(|c| c.is_alphabetic() || c == '-');
    let known = |code: &str| TakeAndBreakCode::parse(code).expect("a code of our own");
    let (code, name, rows, title) = match word {
        "kayles" => {
            let (mut most, mut rows) = (2, None);
            let start = scanner.at();
            if scanner.eat("(") {
                most = scanner.number("the most pins to knock down", u64::from(u32::MAX))? as usize;
                rows = count_and_close(&mut scanner)?;
            }
            let code = TakeAndBreakCode::kayles(most);
            let code = code.ok_or_else(|| {
                scanner.error(start..scanner.at(), format!("no code for up to {most} pins"))
            })?;
            let name = match (most, rows) {
                (2, None) => "kayles".into(),
                (most, None) => format!("kayles({most})"),
                (most, Some(rows)) => format!("kayles({most};{rows})"),
            };
            (code, name, rows, None)
        }
        word => {
            let rows = optional_count(&mut scanner)?;
            let (code, title) = match word {
                "grundy" => ("4!.0", "Grundy’s game"),
                _ => ("0.07", "Dawson’s Kayles"),
            };
            let name = rows.map_or(word.to_owned(), |rows| format!("{word}({rows})"));
            (known(code), name, rows, Some(title))
        }
    };
    scanner.finish()?;
    Ok(with_evaluator::<_, BySequence>(TakeAndBreak { code, name, rows, title }))
}

/// Returns the rules in words, for a finite code that leaves at most two rows.
fn in_words(code: &TakeAndBreakCode) -> Option<String> {
    let most = code.most_taken()?;
    let mut kinds: Vec<(u32, bool, Vec<usize>)> = Vec::new();
    for taken in 1..=most {
        let digit = code.digit(taken);
        if digit == CodeDigit::default() {
            continue;
        }
        let kind = (left_as(digit)?, digit.unequal());
        match kinds.iter_mut().find(|(mask, unequal, _)| (*mask, *unequal) == kind) {
            Some((.., taken_too)) => taken_too.push(taken),
            None => kinds.push((kind.0, kind.1, vec![taken])),
        }
    }
    let two = |unequal: bool| if unequal { "two rows of different sizes" } else { "two rows" };
    let mut ways: Vec<String> = Vec::new();
    for (mask, unequal, taken) in &kinds {
        let tokens = if taken[..] == [1] { "token" } else { "tokens" };
        let two = two(*unequal);
        let left = match mask {
            1 => " if that is the whole row".to_owned(),
            2 => ", not the whole row, and leave the rest as one row".to_owned(),
            3 => " and leave what remains, if any, as one row".to_owned(),
            4 => format!(" and split the rest into {two}"),
            5 => format!(" if that is the whole row, or else split the rest into {two}"),
            6 => format!(", not the whole row, and leave the rest as one row or as {two}"),
            _ => format!(" and leave what remains, if any, as one row or as {two}"),
        };
        ways.push(format!("{} {tokens} from one row{left}", numbers(taken)));
    }
    let take = (!ways.is_empty()).then(|| format!("Take {}.", ways.join("; or ")));
    let none = code.digit(0);
    let split = match (none == CodeDigit::default(), left_as(none)) {
        (true, _) => None,
        (false, Some(4)) => Some(two(none.unequal())),
        _ => return None,
    };
    match (take, split) {
        (Some(take), None) => Some(take),
        (None, Some(two)) => Some(format!("Split one row into {two}.")),
        (Some(take), Some(two)) => {
            Some(format!("{take} Or take nothing and split one row into {two}."))
        }
        (None, None) => None,
    }
}

/// Returns the numbers of rows that may be left as bits, if they are at most two and compare in any
/// way or differ.
fn left_as(digit: CodeDigit) -> Option<u32> {
    let plain = digit.is_plain() && digit.most_parts().is_some_and(|parts| parts <= 2);
    plain.then(|| (0..=2).filter(|parts| digit.allows(*parts)).map(|parts| 1 << parts).sum())
}

/// Returns ascending numbers in words: `1`, `1 or 2`, `1 to 5`.
fn numbers(all: &[usize]) -> String {
    match all {
        [one] => one.to_string(),
        [first, .., last] if all.len() > 2 && last - first == all.len() - 1 => {
            format!("{first} to {last}")
        }
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(usize::to_string).collect();
            format!("{} or {last}", rest.join(", "))
        }
        [] => String::new(),
    }
}

impl Ruleset for TakeAndBreak {
    type Position = Rows;

    fn options<B>(
        &self,
        p: &Rows,
        mut visit: impl FnMut(Rows) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (i, row) in p.iter().enumerate() {
            self.code.options(*row, |parts| {
                let mut q = Rows::from_slice(&p[..i]);
                q.extend_from_slice(parts);
                q.extend_from_slice(&p[i + 1..]);
                visit(q)
            })?;
        }
        Continue(())
    }

    /// Returns twice the tokens less the rows: a move that takes nothing adds a row, one that takes
    /// removes more than it adds.
    fn rank(&self, p: &Rows) -> Option<u64> {
        Some(2 * rows::total(p) - p.iter().filter(|row| **row > 0).count() as u64)
    }

    fn canonical(&self, p: Rows) -> Rows {
        rows::canonical(p)
    }
}

impl Impartial for TakeAndBreak {
    fn summands(&self, p: &Rows, visit: impl FnMut(Rows)) {
        rows::visit_summands(p, visit);
    }
}

impl Notation for TakeAndBreak {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn describe(&self) -> String {
        if let Some(text) = in_words(&self.code) {
            return text;
        }
        let split = match self.code.most_parts() {
            Some(0) => " as no row".to_owned(),
            Some(1) => " as no row or one".to_owned(),
            Some(parts) => format!(" as up to {parts} rows"),
            None => " as any number of rows".to_owned(),
        };
        let unequal = match (self.code.is_plain(), self.code.has_unequal()) {
            (true, false) => "",
            (true, true) => ", of different sizes where the code has `!`",
            (false, _) => {
                "; rows left are all different where the code has `!`, not all equal where it has \
                 `?`, all equal where it has `=`"
            }
        };
        format!(
            "Take tokens from one row and leave its rest{split}, as the digits of {} \
             allow{unequal}.",
            self.code
        )
    }

    fn position_form(&self) -> String {
        rows::form(self.rows, "row")
    }

    fn read(&self, text: &str) -> Result<Rows, NotationError> {
        let mut p = rows::read(text, self.rows, "row")?;
        p.retain(|row| *row > 0);
        Ok(p)
    }

    fn print(&self, p: &Rows) -> String {
        rows::print(p, self.rows)
    }

    fn move_text(&self, p: &Rows, q: &Rows) -> MoveText {
        rows::move_text(p, q)
    }
}

impl Coordinates for TakeAndBreak {
    fn sizes(&self, p: &Rows) -> Option<Vec<u64>> {
        let zeros = self.rows.unwrap_or(0).saturating_sub(p.len());
        Some(std::iter::repeat_n(0, zeros).chain(p.iter().map(|row| u64::from(*row))).collect())
    }

    fn position(&self, sizes: &[u64]) -> Option<Rows> {
        let rows: Option<Rows> = sizes.iter().map(|size| u32::try_from(*size).ok()).collect();
        rows.filter(|rows| self.rows.map_or(rows.len() <= MAX_ROWS, |count| rows.len() == count))
    }

    fn positions_up_to<B>(
        &self,
        max: u32,
        visit: impl FnMut(Rows) -> ControlFlow<B>,
    ) -> Option<ControlFlow<B>> {
        rows::visit_up_to(self.rows, max, visit)
    }

    fn single(&self, size: u32) -> Option<Rows> {
        self.rows
            .is_none_or(|rows| rows == 1)
            .then(|| if size == 0 { Rows::new() } else { Rows::from_slice(&[size]) })
    }

    fn heap_moves(&self) -> Option<HeapMoves> {
        Some(HeapMoves::Code(self.code.to_string()))
    }
}

impl Appearance for TakeAndBreak {
    fn board(&self, p: &Rows) -> Board {
        // Where any neighbours may go from anywhere they are pins that fall: the digits are 0 or 7.
        let code = self.code.to_string();
        let falls = |digits: &str| digits.bytes().all(|digit| matches!(digit, b'0' | b'7'));
        match code.strip_prefix("0.") {
            Some(digits) if falls(digits) => Board::Pins(p.to_vec()),
            _ => Board::Beads(p.to_vec()),
        }
    }
}

/// Evaluates in normal play by the nim-sequence, in misère play as any game.
struct BySequence {
    values: CodeValues,
    generic: ByNimValue<TakeAndBreak>,
    normal: bool,
}

impl Evaluator<TakeAndBreak> for BySequence {
    const KIND: Kind = Kind::Impartial;

    fn new(rules: &TakeAndBreak, how: &Settings) -> Self {
        let values = CodeValues::new(rules.code.clone());
        let normal = how.play == Play::Normal;
        BySequence { values, generic: ByNimValue::new(rules, how), normal }
    }

    fn evaluate(
        &mut self,
        rules: &TakeAndBreak,
        p: &Rows,
        meter: &mut Meter,
    ) -> Result<Evaluation, LimitReached> {
        if !self.normal {
            return self.generic.evaluate(rules, p, meter);
        }
        let value = self.values.value(p, meter)?;
        let outcome = if value == Nimber(0) { Outcome::P } else { Outcome::N };
        Ok(Evaluation { outcome: Some(outcome), nim_value: Some(value), ..Evaluation::default() })
    }

    fn nim_value(
        &mut self,
        rules: &TakeAndBreak,
        p: &Rows,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        self.value_by_table(rules, p, meter)
    }

    fn value_by_table(
        &mut self,
        _: &TakeAndBreak,
        p: &Rows,
        meter: &mut Meter,
    ) -> Option<Result<Nimber, LimitReached>> {
        Some(self.values.value(p, meter))
    }

    fn summands(rules: &TakeAndBreak, p: &Rows, visit: &mut dyn FnMut(Rows)) {
        rules.summands(p, visit);
    }
}

/// The nim-values of rows by a code.
pub struct CodeValues {
    sequence: Sequence,
    /// Rows below this have their values in the sequence.
    known: usize,
    /// Tells the values of longer ones.
    period: Option<Period>,
    /// Whether the code says the values of all rows; else no period is looked for.
    is_whole: bool,
}

impl CodeValues {
    /// Returns the values of a code, of which none is computed yet.
    pub fn new(code: TakeAndBreakCode) -> CodeValues {
        CodeValues { sequence: Sequence::new(code), known: 0, period: None, is_whole: true }
    }

    /// Returns values of which those of the first rows are these; those of longer ones follow by
    /// the code.
    ///
    /// # Errors
    ///
    /// If the values take more memory than there is.
    pub fn from_first(
        code: TakeAndBreakCode,
        values: ByteValues,
    ) -> Result<CodeValues, LimitReached> {
        let known = values.len();
        let sequence = Sequence::new(code).resume(values)?;
        Ok(CodeValues { sequence, known, period: None, is_whole: false })
    }

    /// Returns the nim-sum of the rows' values. The sequence grows by at least a quarter, so that
    /// asking row after row costs no more than asking for the last at once, until it has a period
    /// that is proved.
    pub fn value(&mut self, p: &Rows, meter: &mut Meter) -> Result<Nimber, LimitReached> {
        let longest = p.iter().max().map_or(0, |row| *row as usize);
        if longest >= self.known && self.period.is_none() {
            let ahead = self.known + self.known / 4;
            let (sequence, len) = (&mut self.sequence, ahead.max(longest + 1));
            let found = match self.is_whole {
                true => extend_until_period(sequence, len, meter),
                false => sequence.extend(len, meter).map(|()| None),
            };
            self.known = self.sequence.len();
            self.period = found?;
        }
        if longest >= self.known {
            meter.spend_one()?;
        }
        let value = |row: &u32| match (*row as usize, self.period) {
            (n, Some(period)) if n >= self.known => period.value(&self.sequence, n),
            (n, _) => Some(self.sequence.value(n)),
        };
        let sum = p.iter().try_fold(Nimber(0), |sum, row| Some(sum ^ Nimber(value(row)?)));
        sum.ok_or(LimitReached::NumbersTooLarge)
    }
}

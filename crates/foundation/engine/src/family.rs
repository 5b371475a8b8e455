//! What the list of families says of each.

use crate::game::Game;
use bouton_core::{Arrange, NotationError, RuleSource, Scanner};
use std::fmt::Debug;
use std::sync::Arc;

/// The most heaps or rows in one position.
pub const MAX_ROWS: usize = 4096;

/// How many heaps a game is on: a number that its name gives, or as many as a position lists.
pub type Count = Option<usize>;

/// A family of games, as a catalogue lists it.
pub struct Family {
    /// One word.
    pub name: &'static str,
    /// How a game of the family is written.
    pub notation: &'static str,
    /// The rules in a line.
    pub about: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What one does in it, in a sentence for who has never seen it.
    pub sentence: &'static str,
    /// A game and a position to begin with, won for who plays first.
    pub opening: Example,
    /// Where the game comes from.
    pub source: &'static str,
    /// Where the rules are printed, for bibliographies.
    pub reference: Reference,
    /// Games and positions to try.
    pub examples: &'static [Example],
    /// Whether a text without leading blanks means this family. The first family that claims a text
    /// reads it.
    pub claims: fn(&str) -> bool,
    /// Reads a game's name.
    pub parse: fn(&str) -> Result<Box<dyn Game>, NotationError>,
}

/// An entry of a bibliography.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    /// The kind of publication.
    pub kind: ReferenceKind,
    /// The key of the entry.
    pub key: &'static str,
    /// The authors, with `and` between them; empty if unknown.
    pub author: &'static str,
    /// The title.
    pub title: &'static str,
    /// Journal, volume and pages, or the publisher; empty if unpublished.
    pub place: &'static str,
    /// The year; empty if unknown.
    pub year: &'static str,
}

impl Reference {
    /// *Winning Ways for your Mathematical Plays*, which several families are from.
    pub const WINNING_WAYS: Reference = Reference {
        kind: ReferenceKind::Book,
        key: "winning-ways",
        author: "Elwyn R. Berlekamp and John H. Conway and Richard K. Guy",
        title: "Winning Ways for your Mathematical Plays",
        place: "Academic Press",
        year: "1982",
    };
}

/// A kind of publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// An article in a journal.
    Article,
    /// A book.
    Book,
    /// A report, a thesis, a preprint.
    Other,
}

/// A game and a position to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The game's name in normal form.
    pub game: &'static str,
    /// A position; empty where the game has a start of its own.
    pub position: &'static str,
}

impl Example {
    /// Returns an example.
    pub const fn new(game: &'static str, position: &'static str) -> Example {
        Example { game, position }
    }
}

/// A game that its author brings: its rules are a program or data, read from a text.
pub trait OwnGame: Debug + Send + Sync {
    /// Returns the name by which the game is known.
    fn name(&self) -> &str;
    /// Returns the text, and the file that it was read from.
    fn source(&self) -> Arc<RuleSource>;
    /// Returns the game.
    fn game(&self) -> Box<dyn Game>;
}

/// Returns the word with which a game's name begins: a letter, then letters, digits and `-`.
pub fn name_prefix(text: &str) -> &str {
    let other = |(at, c): &(usize, char)| {
        !c.is_alphabetic() && (*at == 0 || !(c.is_ascii_digit() || *c == '-'))
    };
    let end = text.char_indices().find(other).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// Reads `(5)`, a number of heaps, if it comes next.
pub fn optional_count(scanner: &mut Scanner<'_>) -> Result<Count, NotationError> {
    if !scanner.eat("(") {
        return Ok(None);
    }
    let count = count(scanner)?;
    scanner.expect(")")?;
    Ok(Some(count))
}

/// Reads `;5)` or `)`: the end of a list of parameters, with a number of heaps if given.
pub fn count_and_close(scanner: &mut Scanner<'_>) -> Result<Count, NotationError> {
    let heaps = if scanner.eat(";") { Some(count(scanner)?) } else { None };
    scanner.expect(")")?;
    Ok(heaps)
}

fn count(scanner: &mut Scanner<'_>) -> Result<usize, NotationError> {
    let start = scanner.at();
    let count = scanner.number("the number of heaps", MAX_ROWS as u64)?;
    if count == 0 {
        return Err(scanner.error(start..scanner.at(), "a game needs at least one heap"));
    }
    Ok(count as usize)
}

/// Numbers of a set that are stated as a range, at most.
const MAX_IN_RANGE: u64 = 1 << 16;

/// Returns the numbers by which `1,2,…,last` or `1,3,5,…,last` goes on. `None` unless they lie at
/// equal distances, shown by three of them or by 1 and 2, and end in the last one.
fn continued(set: &[u64], last: u64) -> Option<Vec<u64>> {
    let before = *set.last()?;
    let step = match set {
        [_] => 1,
        [first, second, ..] => second.checked_sub(*first)?,
        [] => return None,
    };
    let is_even = set.windows(2).all(|pair| pair[0] + step == pair[1]);
    let is_plain = step > 0 && is_even && (step == 1 || set.len() > 2);
    let far = last.checked_sub(before).filter(|far| *far > 0)?;
    (is_plain && far % step == 0 && far / step <= MAX_IN_RANGE)
        .then(|| (1..=far / step).map(|k| before + k * step).collect())
}

/// Reads a set of positive numbers and ranges such as `2..5`, in any order: sorted, each once.
pub fn positive_set(
    scanner: &mut Scanner<'_>,
    what: &str,
    max: u64,
) -> Result<Vec<u64>, NotationError> {
    let start = scanner.at();
    let mut set = Vec::new();
    let mut has_commas = None;
    loop {
        let first = scanner.at();
        let from = scanner.number(what, max)?;
        let is_range = ["..", "-", "–"].iter().any(|sign| scanner.eat(sign));
        let to = if is_range { scanner.number(what, max)? } else { from };
        if to < from {
            return Err(scanner.error(first..scanner.at(), format!("{from}..{to} holds no number")));
        }
        if to - from >= MAX_IN_RANGE {
            let message = format!("a range has at most {MAX_IN_RANGE} numbers");
            return Err(scanner.error(first..scanner.at(), message));
        }
        set.extend(from..=to);
        let is_comma = scanner.eat(",");
        if !is_comma && !scanner.peek().is_some_and(|c| c.is_ascii_digit()) {
            break;
        }
        if *has_commas.get_or_insert(is_comma) != is_comma {
            let message = "between these numbers there are commas, or spaces alone";
            return Err(scanner.error(start..scanner.at(), message));
        }
        let dots = scanner.at();
        if scanner.eat("...") || scanner.eat("…") {
            scanner.expect(",")?;
            let last = scanner.number(what, max)?;
            let rest = continued(&set, last).ok_or_else(|| {
                let message = "how these numbers go on is not plain; write a range, as 1..6, or at \
                               least three numbers at equal distances before the dots";
                scanner.error(dots..scanner.at(), message)
            })?;
            set.extend(rest);
            break;
        }
    }
    if set.contains(&0) {
        return Err(scanner.error(start..scanner.at(), format!("{what} must be at least 1")));
    }
    set.arrange();
    set.dedup();
    Ok(set)
}

/// Returns the numbers as a choice, in words: `1, 2 or 3`.
pub fn joined_by_or(numbers: &[u64]) -> String {
    match numbers {
        [first @ .., last] if !first.is_empty() => {
            format!("{} or {last}", list(first).replace(',', ", "))
        }
        _ => list(numbers),
    }
}

/// Returns the numbers with commas between.
pub fn list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

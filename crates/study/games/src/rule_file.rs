//! A user's own game from a rule file: heaps, a symmetry, and one formula that says what a move is;
//! or rules by which each heap becomes others.
//!
//! The formula is over p0, q0, p1, q1, …, the heaps before and after the move; a move also takes at
//! least one token in all and adds none; a formula that states steps which raise a heap is refused
//! (`growth.rs`). Options, tables and statements about all sizes come from this formula as they do
//! for every other game on heaps ([`crate::HeapRules`]); where it is not linear, an automaton made
//! of it finds the options. Where the file says what falls instead of the heaps, or in words of
//! arithmetic what no automaton reads, options are found by search ([`crate::SearchedRules`]).
//! Heaps that become several are [`crate::SplitRules`]. A file that claims a symmetry which its
//! moves don't have is refused, with moves that show it.

use crate::catalogue::NameTaken;
use crate::growth::{self, Growth};
use crate::heap_rules::{HeapRules, Walk};
use crate::large_heaps::{LargeHeaps, Steps};
#[cfg(not(target_family = "wasm"))]
use crate::large_rows::LargeRows;
use crate::quantifiers::without_quantifiers;
use crate::reached;
use crate::searched_rules::{SearchedMoves, SearchedRules};
use crate::split_rules::{Split, SplitRules};
use crate::template::words;
use bouton_automata::{Automatic, Decision, Numeration, Values, decide};
use bouton_core::expression::Expression;
use bouton_core::{
    ArithmeticWord, Budget, Digits, Domain, Formula, FormulaBuilder, FormulaError, HeapGame, MAX_HEAPS,
    Memory, Meter, Moves, Node, Relation, Rows, RuleFault, RuleSource, Scanner, Symmetry, Term, Windows,
    heaps_text,
};
#[cfg(not(target_family = "wasm"))]
use bouton_core::{Coordinates as _, Notation as _};
use bouton_engine::family::head;
use bouton_engine::game::Game;
use bouton_heaps::heap_options::HeapOptions;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow::{self, Continue};
use std::path::PathBuf;
use std::sync::Arc;

/// The most heaps of a rule file of which something can be proved.
pub const MOST_HEAPS: usize = 7;

/// The most numbers of a position.
pub const MOST_NUMBERS: usize = MAX_HEAPS;

/// Values of parameters that are tried when a file is read.
const MOST_VALUES: usize = 64;

/// States of an automaton that tells whether an alternative ever holds.
const MOST_STATES: u64 = 1 << 20;

/// Words of formulas that no parameter may be.
const RESERVED: [&str; 12] =
    ["xor", "mod", "div", "min", "max", "shift", "floor", "true", "false", "of", "to", "into"];

/// Returns what an automaton of the moves may take, and a question about it, within the time there
/// is.
fn meter(budget: &Budget) -> Meter {
    let least = |limit: Option<u64>, most| Some(limit.map_or(most, |limit| limit.min(most)));
    let (nodes, bytes) = (least(budget.nodes, 1 << 24), least(budget.bytes, 1 << 29));
    Meter::new(&Budget { nodes, bytes, ..budget.clone() })
}

/// A game read from a rule file.
#[derive(Debug, Clone)]
pub struct RuleFile {
    source: Arc<RuleSource>,
    /// The game; of a file with parameters, that of their first values.
    rules: FileRules,
    /// The text of a file with parameters.
    family: Option<RuleText>,
}

/// The rules of a file, by what reads them.
#[derive(Debug, Clone)]
enum FileRules {
    Heaps(Box<HeapRules>),
    Searched(SearchedRules),
    Splits(SplitRules),
}

/// Who wrote the fields of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    /// People, who may mean steps that a rule file has not.
    Person,
    /// The same with numbers in the place of parameters: an alternative may hold for others alone.
    PersonWithNumbers,
    /// A program: no heap grows whatever the formula says.
    Program,
}

/// How many heaps a position has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged, expecting = "heaps are a number from 1 to 15, or \"any\"")]
pub enum HeapCount {
    /// So many.
    Fixed(usize),
    /// Any number, each played by itself.
    Any(AnyNumber),
}

/// The word for any number of heaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnyNumber {
    /// `heaps = "any"`
    Any,
}

impl HeapCount {
    /// Any number of heaps.
    pub const ANY: HeapCount = HeapCount::Any(AnyNumber::Any);

    fn is_any(self) -> bool {
        self == HeapCount::ANY
    }

    fn is_unsaid(&self) -> bool {
        *self == HeapCount::Fixed(0)
    }

    /// Returns the number, where it is fixed.
    pub fn fixed(self) -> Option<usize> {
        match self {
            HeapCount::Fixed(heaps) => Some(heaps),
            HeapCount::Any(_) => None,
        }
    }
}

/// A rule by which a heap becomes others: a formula over p0, q0, q1, …, and the heaps where they
/// are not these.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "a rule is a formula, or { when = \"a formula\", into = \"heaps\" }"
)]
pub enum SplitText {
    /// The heaps are q0, q1, ….
    Plain(String),
    /// Other heaps.
    Into {
        /// The formula.
        when: String,
        /// The heaps: `3 of q0, q1 to p0-1`.
        into: String,
    },
}

impl SplitText {
    fn parts(&self) -> (&str, Option<&str>) {
        match self {
            SplitText::Plain(when) => (when, None),
            SplitText::Into { when, into } => (when, Some(into)),
        }
    }
}

/// One text or several.
#[derive(Deserialize)]
#[serde(untagged, expecting = "what is wanted is a text, or a list of texts")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

fn one_or_more<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(match OneOrMore::deserialize(from)? {
        OneOrMore::One(one) => vec![one],
        OneOrMore::More(all) => all,
    })
}

/// A rule file's text, field by field; not yet looked at.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RuleText {
    /// The name by which commands call the game.
    pub name: String,
    /// 1 to [`MOST_NUMBERS`], or any number; the latter where each heap becomes others.
    #[serde(default = "unsaid", skip_serializing_if = "HeapCount::is_unsaid")]
    pub heaps: HeapCount,
    /// How many numbers a position has behind its heaps that are no tokens: they may grow.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub memory: usize,
    /// How many of the numbers remembered, the last ones, are sets of numbers up to 31.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sets: usize,
    /// The formula over p0, q0, p1, q1, …; empty where there are `splits`.
    #[serde(rename = "move", default, skip_serializing_if = "String::is_empty")]
    pub moves: String,
    /// Rules by which a heap becomes others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<SplitText>,
    /// Numbers over p0, p1, … of which the first that changes falls with every move, where heaps
    /// may grow.
    #[serde(default, deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub falls: Vec<String>,
    /// The positions that occur: a formula over p0, p1, …; empty if all do.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub positions: String,
    /// The positions in which games begin, in the place of those that occur: a formula over p0, p1,
    /// …; empty if these are not said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub start: String,
    /// Words for those who read no formulas; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// Which heaps may change places.
    #[serde(default = "plain", with = "FileSymmetry")]
    pub symmetry: Symmetry,
    /// How the prover reads numbers.
    #[serde(default = "binary", with = "FileDigits")]
    pub digits: Digits,
    /// Names that stand for numbers in the move, and the least and greatest value of each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, [u32; 2]>,
    /// What is published of the game; for readers of literature, not looked at here.
    #[serde(default, skip_serializing)]
    pub published: Published,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn unsaid() -> HeapCount {
    HeapCount::Fixed(0)
}

/// A table `[published]` of a rule file, whatever it holds: rules are the same with and without it,
/// so none may stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct Published;

/// A rule that stands in the table `[published]`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is a rule and stands in the table [published], where no rule counts: rules stand above it")]
pub struct RuleInPublished(String);

impl TryFrom<toml::Table> for Published {
    type Error = RuleInPublished;

    fn try_from(table: toml::Table) -> Result<Published, RuleInPublished> {
        // A published claim may list positions; those that occur, or begin, are a formula.
        let is_rule = |rule: &str| match table.get(rule) {
            Some(value) => !["positions", "start"].contains(&rule) || value.is_str(),
            None => false,
        };
        match RULES.iter().find(|rule| is_rule(rule)) {
            Some(rule) => Err(RuleInPublished((*rule).to_owned())),
            None => Ok(Published),
        }
    }
}

/// What only rules are called.
const RULES: [&str; 11] = [
    "heaps",
    "memory",
    "sets",
    "move",
    "splits",
    "falls",
    "positions",
    "start",
    "symmetry",
    "digits",
    "parameters",
];

#[derive(Deserialize, Serialize)]
#[serde(remote = "Symmetry", rename_all = "lowercase")]
enum FileSymmetry {
    None,
    Ring,
    Full,
}

#[derive(Deserialize, Serialize)]
#[serde(remote = "Digits", rename_all = "lowercase")]
enum FileDigits {
    Binary,
    Zeckendorf,
}

fn plain() -> Symmetry {
    Symmetry::None
}

fn binary() -> Digits {
    Digits::Binary
}

impl RuleText {
    /// Reads the fields of a file.
    pub fn read(text: &str) -> Result<RuleText, RuleFileError> {
        Ok(toml::from_str(text)?)
    }

    /// Returns the file for these values of its parameters, in the order of their names.
    fn at(&self, values: &[u32]) -> Result<RuleText, RuleFileError> {
        let fit = values.len() == self.parameters.len()
            && self
                .parameters
                .values()
                .zip(values)
                .all(|([least, most], value)| least <= value && value <= most);
        let listed: Vec<String> = values.iter().map(u32::to_string).collect();
        if !fit {
            return Err(RuleFileError::Values(listed.join(","), self.values_form()));
        }
        let put_in = |text: &str| {
            let each = self.parameters.keys().zip(&listed);
            folded(&each.fold(text.to_owned(), |text, (name, value)| with_number(&text, name, value)))
        };
        let splits = self.splits.iter().map(|split| match split {
            SplitText::Plain(when) => SplitText::Plain(put_in(when)),
            SplitText::Into { when, into } => SplitText::Into { when: put_in(when), into: put_in(into) },
        });
        let (splits, falls) = (splits.collect(), self.falls.iter().map(|text| put_in(text)).collect());
        let [moves, positions, start] = [&self.moves, &self.positions, &self.start].map(|text| put_in(text));
        let name = format!("{}({})", self.name, listed.join(","));
        let rules = match self.rules.trim() {
            "" => String::new(),
            words => {
                let told =
                    self.parameters.keys().zip(&listed).map(|(name, value)| format!("{name} = {value}"));
                format!("{words} Here {}.", told.collect::<Vec<_>>().join(", "))
            }
        };
        let parameters = BTreeMap::new();
        Ok(RuleText { name, moves, splits, falls, positions, start, rules, parameters, ..self.clone() })
    }

    /// Returns all texts that parameters may stand in.
    fn formulas(&self) -> impl Iterator<Item = &str> {
        let splits = self.splits.iter().flat_map(|split| {
            let (when, into) = split.parts();
            [Some(when), into].into_iter().flatten()
        });
        let falls = self.falls.iter().map(String::as_str);
        [&self.moves, &self.positions, &self.start].map(String::as_str).into_iter().chain(splits).chain(falls)
    }

    /// Returns how a game of the file is called: `walk(h) with h from 1 to 9`.
    fn values_form(&self) -> String {
        let names: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
        let ranges: Vec<String> = self
            .parameters
            .iter()
            .map(|(name, [least, most])| format!("{name} from {least} to {most}"))
            .collect();
        format!("{}({}) with {}", self.name, names.join(","), ranges.join(", "))
    }

    /// Returns the text of a file with these fields.
    pub fn to_text(&self) -> String {
        toml::to_string_pretty(self).unwrap_or_default()
    }
}

/// Returns a text with a number in the place of a name.
fn with_number(text: &str, name: &str, number: &str) -> String {
    let mut made = String::new();
    let mut rest = text;
    while let Some(word) = words(rest).next() {
        // Words are slices of the rest.
        let at = word.as_ptr() as usize - rest.as_ptr() as usize;
        made += &rest[..at];
        made += if word == name { number } else { word };
        rest = &rest[at + word.len()..];
    }
    made + rest
}

/// Returns a text in which sums and products of numbers alone, in parentheses, are one number:
/// formulas have numbers behind `mod` and `div`.
fn folded(text: &str) -> String {
    let mut text = text.to_owned();
    let mut from = 0;
    while let Some(open) = text[from..].find('(').map(|at| from + at) {
        let Some(close) = text[open..].find(')').map(|at| open + at) else { break };
        let inner = &text[open + 1..close];
        let applied = text[..open].ends_with(|c: char| c.is_alphanumeric());
        let plain =
            !inner.trim().is_empty() && inner.chars().all(|c| c.is_ascii_digit() || " +-*".contains(c));
        let value = (plain && !applied).then(|| {
            let mut scanner = Scanner::new(inner, "a number");
            Expression::read(&mut scanner, &mut Vec::new()).ok()?.value(&[])
        });
        match value.flatten().filter(|value| *value >= 0) {
            Some(value) => {
                text.replace_range(open..=close, &value.to_string());
                from = 0;
            }
            None => from = open + 1,
        }
    }
    text
}

/// Why a file is no rule file.
#[derive(Debug, thiserror::Error)]
pub enum RuleFileError {
    /// Not TOML, a field missing or unknown.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// The name holds a sign that names of games don't hold, or does not begin with a letter.
    #[error("the name `{0}`: {1}; a name is a letter, then letters, digits and `-`, e.g. name = \"my-game\"")]
    Sign(String, String),
    /// The name is that of a family.
    #[error("{0}")]
    Taken(#[from] NameTaken),
    /// A parameter that formulas could not have.
    #[error("the parameter `{0}`: {1}")]
    Parameter(String, &'static str),
    /// Values that the parameters cannot have.
    #[error("({0}) are no values here: {1}")]
    Values(String, String),
    /// Too few or too many heaps.
    #[error(
        "heaps = {0}: a rule file has 1 to {MOST_NUMBERS} heaps, or heaps = \"any\" for any number of heaps of one rule"
    )]
    Heaps(usize),
    /// Too many heaps and remembered numbers, or a symmetry among them.
    #[error("heaps = {0}, memory = {1}: {2}")]
    Memory(usize, usize, &'static str),
    /// Fields that do not go together.
    #[error("{0}")]
    Fields(&'static str),
    /// A quantity that falls is no number over the heaps, or the options of small positions are
    /// none.
    #[error("{0}")]
    Rules(RuleFault),
    /// What is remembered grows too fast.
    #[error(
        "what is remembered grows beyond {MOST_GROWTH} times all numbers of the position, as in {0} → {1}"
    )]
    Growth(String, String),
    /// The move is no formula; with its text.
    #[error("the move: {1}")]
    Move(String, FormulaError),
    /// The moves have no automaton within the limits.
    #[error("the move: {0}")]
    Undecided(#[from] bouton_automata::Undecided),
    /// No position has a move: all that the formula holds of raises a heap or takes nothing.
    #[error("no position has a move: {0}")]
    NoMoves(String),
    /// One of the alternatives gives no move.
    #[error("the alternative `{0}` gives no move: {1}")]
    NoMovesBy(String, String),
    /// A step that an alternative states raises a heap.
    #[error(
        "{alternative} holds of {from} → {to}, which raises a heap, and says how far it may grow; no heap of a rule file grows: \
         if such steps are not meant, write move = \"(…){bounds}\"; if they are, say what falls with every move, as falls = \"p0+p1\""
    )]
    Raises {
        /// The alternative.
        alternative: String,
        /// The least position.
        from: String,
        /// Its least option.
        to: String,
        /// What makes the formula say so.
        bounds: String,
    },
    /// The positions that occur are no set without quantifiers.
    #[error("positions = \"{0}\": {1}")]
    Positions(String, String),
    /// The positions in which games begin are no set without quantifiers, or what follows is not
    /// seen.
    #[error("start = \"{0}\": {1}")]
    Start(String, String),
    /// A move leaves the positions that occur.
    #[error(
        "the move {0} → {1} leaves the positions that occur: widen `positions`, or have the move keep to them"
    )]
    Leaves(String, String),
    /// The positions that occur are not as symmetric as the file says.
    #[error(
        "of {0} and its image only one is among the positions that occur, but the file says they are alike"
    )]
    PositionsSymmetry(String),
    /// The symmetry does not hold.
    #[error("the game is not as symmetric as the file says: of {0} → {1} and its image only one is a move")]
    Symmetry(String, String),
}

impl RuleFile {
    /// Reads a rule file's text. Moves of many heaps in digits other than binary may take minutes:
    /// see [`RuleFile::parse_within`].
    pub fn parse(text: &str) -> Result<RuleFile, RuleFileError> {
        RuleFile::parse_within(text, &Budget::default())
    }

    /// Returns the same, within a budget of time; automata take 2^24 states and 2^29 bytes at most
    /// in any case.
    pub fn parse_within(text: &str, budget: &Budget) -> Result<RuleFile, RuleFileError> {
        let file = RuleText::read(text)?;
        named(&file.name)?;
        if file.parameters.is_empty() {
            return RuleFile::of(&file, text, budget, Author::Person);
        }
        for (name, [least, most]) in &file.parameters {
            let wrong = |why| Err(RuleFileError::Parameter(name.clone(), why));
            let mut letters = name.chars();
            if !letters.next().is_some_and(|c| c.is_ascii_lowercase())
                || !letters.all(|c| c.is_ascii_alphanumeric())
            {
                return wrong("a name is a small letter, then letters and digits");
            }
            let is_word = ArithmeticWord::FUNCTIONS.iter().any(|word| word.name() == name);
            if Moves::names(MOST_NUMBERS).contains(name) || is_word || RESERVED.contains(&name.as_str()) {
                return wrong("formulas have this word already");
            }
            if least > most {
                return wrong("its least value is above its greatest");
            }
            if !file.formulas().any(|text| words(text).any(|word| word == name)) {
                return wrong("it stands nowhere in the move");
            }
        }
        let one = RuleFile::of_some_values(&file, text, budget)?;
        let source = Arc::new(RuleSource { name: file.name.clone(), path: None, text: text.to_owned() });
        Ok(RuleFile { source, family: Some(file), ..one })
    }

    /// Reads a file with parameters for the first values that give moves. Refuses an alternative
    /// that holds for none of the values that are tried, if these are all.
    fn of_some_values(file: &RuleText, text: &str, budget: &Budget) -> Result<RuleFile, RuleFileError> {
        let (all, are_all) = values_to_try(file);
        let (mut found, mut refused) = (None, None);
        // The alternatives that never held so far.
        let mut void: Option<Vec<Option<(Formula, String)>>> = None;
        for values in all {
            let own = file.at(&values)?;
            if found.is_none() {
                match RuleFile::of(&own, text, budget, Author::PersonWithNumbers) {
                    Ok(one) => found = Some(one),
                    Err(error @ (RuleFileError::NoMoves(_) | RuleFileError::NoMovesBy(..))) => {
                        refused.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                }
            }
            let now = void_alternatives(&own, budget);
            void = Some(match void.take() {
                None => now,
                Some(before) => {
                    // Numbers make the same alternatives, or they are not compared.
                    let is_same = before.len() == now.len();
                    let both = before.into_iter().zip(now);
                    both.map(|(before, now)| before.filter(|_| is_same && now.is_some())).collect()
                }
            });
            if found.is_some() && void.iter().flatten().all(Option::is_none) {
                break;
            }
        }
        if let Some((never, why)) = void.into_iter().flatten().flatten().next().filter(|_| are_all) {
            return Err(RuleFileError::NoMovesBy(never.to_string(), why));
        }
        found.ok_or_else(|| refused.unwrap_or_else(|| RuleFileError::NoMoves(NEVER.into())))
    }

    /// Returns the game of a file with parameters for these values, in the order of their names; of
    /// another file the game itself, for none.
    pub fn at(&self, values: &[u32]) -> Result<Box<dyn Game>, RuleFileError> {
        let Some(family) = &self.family else {
            return if values.is_empty() {
                Ok(self.game())
            } else {
                let listed: Vec<String> = values.iter().map(u32::to_string).collect();
                Err(RuleFileError::Values(listed.join(","), self.name().to_owned()))
            };
        };
        let one = RuleFile::of(
            &family.at(values)?,
            &self.source.text,
            &Budget::default(),
            Author::PersonWithNumbers,
        )?;
        Ok(RuleFile { source: self.source.clone(), ..one }.game())
    }

    /// Returns what a game of a file with parameters is called; `None` of other files.
    pub fn values_form(&self) -> Option<String> {
        self.family.as_ref().map(RuleText::values_form)
    }

    /// Reads a text that was made of the rules of games, in which no heap grows whatever the
    /// formula says.
    pub(crate) fn made(text: &str) -> Result<RuleFile, RuleFileError> {
        RuleFile::made_within(text, &Budget::default())
    }

    /// As [`RuleFile::made`], with what reading it may cost.
    pub(crate) fn made_within(text: &str, budget: &Budget) -> Result<RuleFile, RuleFileError> {
        RuleFile::of(&RuleText::read(text)?, text, budget, Author::Program)
    }

    /// Returns the game of these fields.
    fn of(file: &RuleText, text: &str, budget: &Budget, author: Author) -> Result<RuleFile, RuleFileError> {
        if !file.splits.is_empty() || file.heaps.is_any() {
            let read = RuleFile::of_splits(file, text)?;
            no_alternative_is_void(file, author, budget)?;
            return Ok(read);
        }
        let heaps = file.heaps.fixed().unwrap_or(0);
        if !(1..=MOST_NUMBERS).contains(&heaps) {
            return Err(RuleFileError::Heaps(heaps));
        }
        let memory = file.memory;
        let numbers = heaps.saturating_add(memory);
        if numbers > MOST_NUMBERS {
            return Err(RuleFileError::Memory(
                heaps,
                memory,
                "heaps and what is remembered are 15 numbers at most",
            ));
        }
        if file.sets > memory {
            return Err(RuleFileError::Fields(
                "sets: the last numbers of the memory are sets; memory counts them, too",
            ));
        }
        if file.moves.trim().is_empty() {
            return Err(RuleFileError::Fields(
                "there are no rules: move = \"…\" says what a move is, or splits = [\"…\"] what a heap becomes",
            ));
        }
        if memory > 0 && file.symmetry != Symmetry::None {
            return Err(RuleFileError::Memory(
                heaps,
                memory,
                "with memory every heap keeps its place: no symmetry",
            ));
        }
        let numeration = match file.digits {
            Digits::Binary => Numeration::Binary,
            Digits::Zeckendorf => Numeration::ZECKENDORF,
        };
        let relation = |text: &str| -> Result<Formula, RuleFileError> {
            Formula::parse_over(text, &Moves::names(numbers))
                .map_err(|error| RuleFileError::Move(text.to_owned(), error))
        };
        // The user's text is read alone first, so that errors point into it.
        let condition = relation(&file.moves)?;
        if !file.start.trim().is_empty() {
            let positions = positions_from(file, &condition)?;
            let within = RuleText { positions, start: String::new(), ..file.clone() };
            return RuleFile::of(&within, text, budget, author);
        }
        let beyond = condition.arithmetic_word();
        if numbers > MOST_HEAPS || file.sets > 0 || !file.falls.is_empty() || beyond.is_some() {
            let fields = |why| Err(RuleFileError::Fields(why));
            if file.digits == Digits::Zeckendorf {
                return fields(
                    "digits: nothing is proved of such rules, so no digits are asked for; leave `digits` out",
                );
            }
            let why = match beyond {
                _ if !file.falls.is_empty() => "the prover needs heaps that never grow".to_owned(),
                Some(word) => format!("{} is beyond the prover", word.described()),
                None if file.sets > 0 => "the prover reads no sets".to_owned(),
                None => format!("the prover reads {MOST_HEAPS} numbers at most"),
            };
            let is_symmetric = beyond.is_none()
                && numbers <= MOST_HEAPS
                && file.falls.is_empty()
                && images(file.symmetry, heaps)
                    .iter()
                    .all(|image| symmetric(&file.moves, image, numeration, budget).is_ok());
            let read = RuleFile::searched(file, text, numbers, &condition, is_symmetric, why)?;
            no_alternative_is_void(file, author, budget)?;
            return Ok(read);
        }
        let Some(automaton) = moves(&condition, memory, numeration, budget)? else {
            return Err(RuleFileError::NoMoves(instead(&condition, numeration, budget)?));
        };
        if let Node::Or(parts) = &condition.root {
            for part in parts {
                let part = Formula { root: part.clone(), ..condition.clone() };
                if moves(&part, memory, numeration, budget)?.is_none() {
                    let why = instead(&part, numeration, budget)?;
                    if why != NEVER || author != Author::PersonWithNumbers {
                        return Err(RuleFileError::NoMovesBy(part.to_string(), why));
                    }
                }
            }
        }
        if author != Author::Program {
            no_step_is_lost(&condition, memory, numeration, budget)?;
        }
        let symmetry = file.symmetry;
        let domain = match file.positions.trim() {
            "" => None,
            text => Some(domain(text, &condition, memory, numeration, budget)?),
        };
        for image in images(symmetry, heaps) {
            symmetric(&file.moves, &image, numeration, budget)?;
            if let Some(domain) = &domain {
                symmetric_domain(domain, &image, numeration, budget)?;
            }
        }
        // No other position has a move.
        let (condition, automaton) = match &domain {
            None => (condition, automaton),
            Some(domain) => {
                let within = relation(&format!("({}) & ({})", condition, domain.formula))?;
                match moves(&within, memory, numeration, budget)? {
                    Some(automaton) => (within, automaton),
                    None => {
                        let why = "no move begins in such a position".into();
                        return Err(RuleFileError::Positions(file.positions.clone(), why));
                    }
                }
            }
        };
        let about = about(file, || format!("A move from p to q: {condition}."));
        let factor = if memory > 0 { growth(&condition, memory, numeration, budget)? } else { 0 };
        let memory = Memory { count: memory, factor };
        let moves = Moves {
            windows: Windows::Any(numbers),
            condition: Some(condition),
            turned: None,
            memory,
            domain,
        };
        let walk: Option<Arc<dyn Walk>> = if HeapOptions::new(&moves, Some(numbers), false).is_exact() {
            None
        } else {
            let alive = automaton.dfa.alive();
            Some(Arc::new(Digitwise { heaps: numbers, memory, alive, moves: automaton }))
        };
        let source = Arc::new(RuleSource { name: file.name.clone(), path: None, text: text.to_owned() });
        let rules = HeapRules { digits: file.digits, walk, ..HeapRules::places(numbers, symmetry, moves) };
        let rules = FileRules::Heaps(Box::new(rules.called(&source.name, about)));
        Ok(RuleFile { rules, source, family: None })
    }

    /// Returns a game whose options are found by search.
    fn searched(
        file: &RuleText,
        text: &str,
        numbers: usize,
        condition: &Formula,
        is_symmetric: bool,
        tables_only: String,
    ) -> Result<RuleFile, RuleFileError> {
        let quantity = |text: &String| {
            // A number is read as one side of an equation, in which the option says nothing.
            let names = Moves::names(numbers);
            let read = Formula::parse_over(&format!("{text} = 0"), &names)
                .map_err(|error| RuleFileError::Move(text.clone(), within(error, text)))?;
            match read.root {
                Node::Compare(term, Relation::Equal, Term::Number(0)) if !says_option(&term) => {
                    Ok((text.clone(), term))
                }
                _ => Err(RuleFileError::Fields(
                    "falls: each quantity is a number over the position alone: p0, p1, …, as falls = \"p0+p1\"",
                )),
            }
        };
        let positions = match file.positions.trim() {
            "" => None,
            text => Some(positions_that_occur(text, numbers)?),
        };
        // From no other position is there a move.
        let within_positions = match &positions {
            None => condition.clone(),
            Some(positions) => {
                let text = format!("({condition}) & ({positions})");
                Formula::parse_over(&text, &Moves::names(numbers))
                    .map_err(|error| RuleFileError::Positions(file.positions.clone(), error.to_string()))?
            }
        };
        // The words are beyond the prover, which says so itself; that no heap grows is stated.
        let is_stated = file.falls.is_empty() && file.memory == 0 && numbers <= MOST_HEAPS;
        let stated = is_stated.then(|| HeapGame {
            heaps: numbers,
            symmetry: file.symmetry,
            shrinks: false,
            moves: Moves {
                windows: Windows::Any(numbers),
                condition: Some(within_positions),
                turned: None,
                memory: Memory::default(),
                domain: positions.clone().map(|formula| Domain { formula, most: vec![None; numbers] }),
            },
            digits: file.digits,
        });
        let moves = SearchedMoves {
            name: &file.name,
            about: about(file, || format!("A move from p to q: {condition}.")),
            numbers,
            memory: file.memory,
            sets: file.sets,
            symmetry: file.symmetry,
            is_symmetric,
            condition,
            positions,
            falls: file.falls.iter().map(quantity).collect::<Result<_, _>>()?,
            stated,
            tables_only,
        };
        let rules = SearchedRules::new(moves);
        rules.checked().map_err(RuleFileError::Rules)?;
        let source = Arc::new(RuleSource { name: file.name.clone(), path: None, text: text.to_owned() });
        Ok(RuleFile { rules: FileRules::Searched(rules), source, family: None })
    }

    /// Returns a game on any number of heaps, each of which becomes others.
    fn of_splits(file: &RuleText, text: &str) -> Result<RuleFile, RuleFileError> {
        let fields = |why| Err(RuleFileError::Fields(why));
        if file.heaps.fixed().is_some_and(|heaps| heaps > 1) {
            return fields("splits: each heap is played by itself, any number of them; leave `heaps` out");
        }
        if file.memory > 0 || file.sets > 0 {
            return fields(
                "splits and heaps = \"any\": a heap remembers nothing; memory needs a fixed number of heaps",
            );
        }
        if !file.start.trim().is_empty() {
            return fields("splits and heaps = \"any\": games begin anywhere; leave `start` out");
        }
        if !file.positions.trim().is_empty() {
            return fields(
                "splits and heaps = \"any\": every heap occurs; leave `positions` out, and say in each rule which heaps it holds of",
            );
        }
        if file.symmetry == Symmetry::Ring {
            return fields(
                "splits and heaps = \"any\": heaps have no order, so they stand in no ring; leave `symmetry` out",
            );
        }
        if file.digits == Digits::Zeckendorf {
            return fields(
                "splits and heaps = \"any\" are not proved, so no digits are asked for; leave `digits` out",
            );
        }
        let plain = SplitText::Plain(file.moves.clone());
        let splits: &[SplitText] = match (file.moves.trim().is_empty(), file.splits.is_empty()) {
            (true, true) => {
                return fields(
                    "there are no rules: move = \"…\" says what a move is, or splits = [\"…\"] what a heap becomes",
                );
            }
            (true, false) => &file.splits,
            (false, true) => std::slice::from_ref(&plain),
            (false, false) => {
                return fields(
                    "move and splits: one of them; a rule of `move` on one heap can stand in `splits`",
                );
            }
        };
        let read = |split: &SplitText| {
            let (when, into) = split.parts();
            Split::parse(when, into).map_err(|(text, error)| RuleFileError::Move(text, error))
        };
        let splits = splits.iter().map(read).collect::<Result<Vec<Split>, _>>()?;
        let quantity = |text: &String| {
            let read = Formula::parse_over(&format!("{text} = 0"), &["p0".to_owned()])
                .map_err(|error| RuleFileError::Move(text.clone(), within(error, text)))?;
            match read.root {
                Node::Compare(term, Relation::Equal, Term::Number(0)) => Ok((text.clone(), term)),
                _ => Err(RuleFileError::Fields("falls: a number over p0, the heap that is moved in")),
            }
        };
        let falls = file.falls.iter().map(quantity).collect::<Result<_, _>>()?;
        let told = || {
            let all = file.splits.iter().map(|split| match split.parts() {
                (when, None) => when.to_owned(),
                (when, Some(into)) => format!("{when}, into {into}"),
            });
            let all: Vec<String> =
                all.chain(Some(file.moves.clone()).filter(|text| !text.is_empty())).collect();
            format!("A heap of p0 becomes heaps of q0, q1, …: {}.", all.join("; or "))
        };
        let rules = SplitRules::new(&file.name, about(file, told), splits, falls);
        rules.checked().map_err(RuleFileError::Rules)?;
        let source = Arc::new(RuleSource { name: file.name.clone(), path: None, text: text.to_owned() });
        Ok(RuleFile { rules: FileRules::Splits(rules), source, family: None })
    }

    /// Returns an alternative of the move that says how one heap changes and nothing of others, with
    /// the numbers of these: under `q0+1 = p0` the second of two heaps may become anything smaller.
    /// One that only keeps heaps, as `q0 = p0`, means to leave the others free.
    pub fn left_free(&self) -> Option<(String, Vec<usize>)> {
        let mut file = RuleText::read(&self.source.text).ok()?;
        if !file.parameters.is_empty() {
            let least: Vec<u32> = file.parameters.values().map(|[least, _]| *least).collect();
            file = file.at(&least).ok()?;
        }
        let heaps = file.heaps.fixed().filter(|_| file.splits.is_empty())?;
        let formula = Formula::parse_over(&file.moves, &Moves::names(heaps + file.memory)).ok()?;
        let after = |heap: usize| 2 * heap + 1;
        let keeps = |node: &Node, heap: usize| match node {
            Node::Compare(Term::Variable(one), Relation::Equal, Term::Variable(other)) => {
                one.min(other) + 1 == after(heap) && one.max(other) == &after(heap)
            }
            _ => false,
        };
        growth::alternatives(&formula).into_iter().find_map(|conditions| {
            let is_said = |heap: &usize| conditions.iter().any(|node| node.mentions(after(*heap)));
            let is_kept = |heap: &usize| conditions.iter().any(|node| keeps(node, *heap));
            let (said, free): (Vec<usize>, Vec<usize>) = (0..heaps).partition(is_said);
            let is_left = !free.is_empty() && !said.iter().all(is_kept);
            is_left.then(|| (Formula { root: Node::And(conditions), ..formula.clone() }.to_string(), free))
        })
    }

    /// Returns the game.
    pub fn game(&self) -> Box<dyn Game> {
        let source = self.source.clone();
        match &self.rules {
            FileRules::Heaps(rules) => {
                let small = HeapRules { source: Some(source.clone()), ..(**rules).clone() }.game();
                match large_heaps(rules, source) {
                    Some((large, steps)) => Box::new(LargeHeaps { small, large, steps }),
                    None => small,
                }
            }
            FileRules::Searched(rules) => rules.clone().with_source(source).game(),
            FileRules::Splits(rules) => {
                let small = rules.clone().with_source(source.clone()).game();
                // Not in the page, which would grow.
                #[cfg(not(target_family = "wasm"))]
                if let Some(large) = large_rows(rules, source) {
                    return Box::new(LargeHeaps { small, large, steps: None });
                }
                small
            }
        }
    }

    /// Returns the name by which commands call it.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// Returns the text that was read, with its name.
    pub fn source(&self) -> &RuleSource {
        &self.source
    }

    /// Returns the same rules, read from this file.
    pub fn read_from(mut self, path: impl Into<PathBuf>) -> RuleFile {
        Arc::make_mut(&mut self.source).path = Some(path.into());
        self
    }
}

/// Returns the same rules for heaps of more than 32 bits, if their options can be searched.
fn large_heaps(rules: &HeapRules, source: Arc<RuleSource>) -> Option<(Box<dyn Game>, Option<Steps>)> {
    let condition = rules.moves.condition.as_ref()?;
    let numbers = rules.heaps?;
    let moves = SearchedMoves {
        name: &rules.name,
        about: rules.about.clone(),
        numbers,
        memory: rules.moves.memory.count,
        sets: 0,
        symmetry: rules.symmetry,
        // This was proved when the file was read.
        is_symmetric: true,
        condition,
        positions: rules.moves.domain.as_ref().map(|domain| domain.formula.clone()),
        falls: Vec::new(),
        stated: None,
        tables_only: String::new(),
    };
    let large = SearchedRules::new(moves).with_source(source);
    let one_heap = numbers == rules.moves.memory.count + 1;
    let steps = (one_heap && rules.digits == Digits::Binary && rules.moves.turned.is_none())
        .then(|| Steps::new(large.clone(), condition.clone()));
    Some((large.game(), steps))
}

/// Returns the rules for lists with larger heaps, where each heap is lowered by itself and no code
/// says how.
#[cfg(not(target_family = "wasm"))]
fn large_rows(rules: &SplitRules, source: Arc<RuleSource>) -> Option<Box<dyn Game>> {
    if rules.heap_moves().is_some() {
        return None;
    }
    let names = ["p0".to_owned(), "q0".to_owned()];
    let condition = Formula::parse_over(&rules.of_one_heap()?, &names).ok()?;
    let moves = SearchedMoves {
        name: &rules.name(),
        about: rules.describe(),
        numbers: 1,
        memory: 0,
        sets: 0,
        symmetry: Symmetry::None,
        is_symmetric: true,
        condition: &condition,
        positions: None,
        falls: Vec::new(),
        stated: None,
        tables_only: String::new(),
    };
    let one = SearchedRules::new(moves).with_source(source);
    Some(LargeRows(one).game())
}

/// The options by the automaton of the moves: with the digits of the position given, it runs
/// through the digits of the options. For conditions that are not linear.
#[derive(Debug)]
struct Digitwise {
    /// Numbers of a position, those remembered among them.
    heaps: usize,
    memory: Memory,
    moves: Automatic,
    alive: Vec<bool>,
}

impl Walk for Digitwise {
    fn walk(&self, p: &[u32], visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>) -> ControlFlow<()> {
        let digits: Vec<Vec<bool>> =
            p.iter().map(|heap| self.moves.numeration.digits(u64::from(*heap))).collect();
        let remembered = match self.memory.count {
            0 => 0,
            _ => self.moves.numeration.digits(self.memory.most(p).into()).len(),
        };
        let columns = digits.iter().map(Vec::len).max().unwrap_or(0).max(remembered);
        let position: Vec<Vec<bool>> =
            digits.iter().map(|own| [vec![false; columns - own.len()], own.clone()].concat()).collect();
        let mut run = Run {
            rules: self,
            position: &position,
            columns,
            dead: FxHashMap::default(),
            option: vec![Vec::with_capacity(columns); self.heaps],
        };
        match run.from(self.moves.dfa.start(), 0, visit) {
            Continue(_) => Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        }
    }
}

/// Returns the rules in words, or else as stated.
fn about(file: &RuleText, stated: impl FnOnce() -> String) -> String {
    match file.rules.trim() {
        "" => stated(),
        words => words.to_owned(),
    }
}

/// Returns the error within the text to which something was put behind.
fn within(error: FormulaError, text: &str) -> FormulaError {
    let range = error.range.start.min(text.len())..error.range.end.min(text.len());
    FormulaError { range, ..error }
}

/// Returns whether a term over p0, q0, p1, q1, … says something of the option.
fn says_option(term: &Term) -> bool {
    let mut found = false;
    term.each(&mut |term| found |= matches!(term, Term::Variable(v) if v % 2 == 1));
    found
}

/// Returns two images of heaps that generate the others: a turn by one, and a reflection or an
/// exchange.
fn images(symmetry: Symmetry, heaps: usize) -> Vec<Vec<usize>> {
    let turn = (0..heaps).map(|h| (h + 1) % heaps).collect();
    match symmetry {
        Symmetry::None => Vec::new(),
        Symmetry::Full => {
            vec![turn, (0..heaps).map(|h| if h < 2 && heaps > 1 { 1 - h } else { h }).collect()]
        }
        Symmetry::Ring => vec![turn, (0..heaps).rev().collect()],
    }
}

/// Returns whether the name can stand where games are named.
fn named(name: &str) -> Result<(), RuleFileError> {
    let wrong = |why: String| Err(RuleFileError::Sign(name.to_owned(), why));
    match name.chars().next() {
        None => return wrong("it is empty".into()),
        Some(c) if !c.is_alphabetic() => return wrong(format!("it begins with `{c}`")),
        Some(_) => {}
    }
    if let Some(c) = name[head(name).len()..].chars().next() {
        return wrong(format!("it holds `{c}`"));
    }
    match crate::FAMILIES.iter().find(|family| (family.claims)(name)) {
        Some(family) => {
            Err(NameTaken { name: name.to_owned(), by: format!("the family `{}`", family.name) }.into())
        }
        None => Ok(()),
    }
}

/// Returns the moves of which the formula holds, as an automaton; `None` where there are none.
fn moves(
    formula: &Formula,
    memory: usize,
    numeration: Numeration,
    budget: &Budget,
) -> Result<Option<Automatic>, RuleFileError> {
    let text = whole(&formula.to_string(), formula.free / 2, memory);
    let whole = Formula::parse_over(&text, &formula.names[..formula.free])
        .map_err(|error| RuleFileError::Move(text, error))?;
    let Decision::Open(automaton) = decide(&whole, numeration, &mut meter(budget))? else {
        unreachable!("p0 and q0 are free");
    };
    let alive = automaton.dfa.alive()[automaton.dfa.start()];
    Ok(alive.then_some(automaton))
}

/// The values of a file's parameters that are tried when it is read, those at the ends of their
/// ranges first, and whether these are all.
fn values_to_try(file: &RuleText) -> (Vec<Vec<u32>>, bool) {
    let list = |each: &dyn Fn(&[u32; 2]) -> Vec<u32>| {
        file.parameters.values().fold(vec![Vec::new()], |all: Vec<Vec<u32>>, range| {
            let longer = |one: Vec<u32>| {
                each(range).into_iter().map(move |value| [&one[..], &[value]].concat()).collect::<Vec<_>>()
            };
            all.into_iter().take(MOST_VALUES).flat_map(longer).take(MOST_VALUES).collect()
        })
    };
    let mut all = list(&|[least, most]| vec![*least, *most]);
    let inner = list(&|[least, most]| (*least..=*most).take(MOST_VALUES).collect());
    let count = file
        .parameters
        .values()
        .fold(1u64, |all, [least, most]| all.saturating_mul(u64::from(most - least) + 1));
    for values in inner {
        if !all.contains(&values) {
            all.push(values);
        }
    }
    (all, count <= MOST_VALUES as u64)
}

/// The alternatives that a file states, in moves or in splits, and of each of them whether it never
/// holds, or never where what the file says falls does, as far as automata decide it: then the
/// alternative itself, and which of both.
fn void_alternatives(file: &RuleText, budget: &Budget) -> Vec<Option<(Formula, String)>> {
    let mut stated = Vec::new();
    if !file.moves.trim().is_empty() {
        let numbers = file.heaps.fixed().unwrap_or(1) + file.memory;
        stated.extend(Formula::parse_over(&file.moves, &Moves::names(numbers)).ok());
    }
    for split in &file.splits {
        let (when, into) = split.parts();
        stated.extend(Split::parse(when, into).ok().map(|split| split.formula().clone()));
    }
    let numeration = match file.digits {
        Digits::Binary => Numeration::Binary,
        Digits::Zeckendorf => Numeration::ZECKENDORF,
    };
    let nodes = Some(budget.nodes.map_or(MOST_STATES, |nodes| nodes.min(MOST_STATES)));
    let budget = Budget { nodes, ..budget.clone() };
    let never_holds = |formula: &Formula| {
        let is_read = formula.free <= 2 * MOST_HEAPS && formula.arithmetic_word().is_none();
        is_read && instead(formula, numeration, &budget).is_ok_and(|why| why == NEVER)
    };
    let falls = if file.splits.is_empty() { falling(file) } else { None };
    let never = |formula: Formula| {
        if never_holds(&formula) {
            return Some((formula, NEVER.to_owned()));
        }
        let text = format!("({formula}) & ({})", falls.as_ref()?);
        let falling = Formula::parse_over(&text, &formula.names[..formula.free]).ok()?;
        let why = || format!("{} never falls where it holds", file.falls.join(", then "));
        never_holds(&falling).then(|| (formula, why()))
    };
    let apart = |formula: Formula| match &formula.root {
        Node::Or(parts) => {
            parts.iter().map(|part| Formula { root: part.clone(), ..formula.clone() }).collect()
        }
        _ => vec![formula],
    };
    stated.into_iter().flat_map(apart).map(never).collect()
}

/// That what a file says falls does, as a formula; `None` where it says nothing.
fn falling(file: &RuleText) -> Option<String> {
    let after = |text: &str| {
        (0..MOST_NUMBERS)
            .fold(text.to_owned(), |text, heap| with_number(&text, &format!("p{heap}"), &format!("q{heap}")))
    };
    let first_to_fall = |at: usize| {
        let same = file.falls[..at].iter().map(|text| format!("{} = {text}", after(text)));
        let falls = format!("{} < {}", after(&file.falls[at]), file.falls[at]);
        same.chain([falls]).collect::<Vec<_>>().join(" & ")
    };
    let all: Vec<String> = (0..file.falls.len()).map(first_to_fall).collect();
    (!all.is_empty()).then(|| all.join(" | "))
}

/// Refuses an alternative that never holds, but where it may for other values of parameters.
fn no_alternative_is_void(file: &RuleText, author: Author, budget: &Budget) -> Result<(), RuleFileError> {
    if author != Author::Person {
        return Ok(());
    }
    match void_alternatives(file, budget).into_iter().flatten().next() {
        Some((never, why)) => Err(RuleFileError::NoMovesBy(never.to_string(), why)),
        None => Ok(()),
    }
}

/// Refuses steps that the formula states and that are no moves: by an alternative that bounds how
/// far a heap grows, or by one of which no step is a move, inside a conjunction too.
fn no_step_is_lost(
    condition: &Formula,
    memory: usize,
    numeration: Numeration,
    budget: &Budget,
) -> Result<(), RuleFileError> {
    let heaps = condition.free / 2 - memory;
    if let Some(Growth { alternative, from, to }) =
        growth::growth(condition, memory, numeration, &mut || meter(budget))?
    {
        let bounds: Vec<String> = (0..heaps).map(|h| format!(" & q{h} <= p{h}")).collect();
        return Err(RuleFileError::Raises {
            alternative: alternative.map_or_else(|| "it".into(), |text| format!("`{text}`")),
            from: heaps_text(&from),
            to: heaps_text(&to),
            bounds: bounds.concat(),
        });
    }
    let alternatives = growth::alternatives(condition);
    let top = match &condition.root {
        Node::Or(parts) => parts.len(),
        _ => 1,
    };
    // Else each was looked at already.
    for conditions in alternatives.iter().filter(|_| alternatives.len() > top) {
        let part = Formula { root: Node::And(conditions.clone()), ..condition.clone() };
        if moves(&part, memory, numeration, budget)?.is_some() {
            continue;
        }
        let differs = |number: usize| {
            let [before, after] = [2 * number, 2 * number + 1].map(Term::Variable);
            Node::Compare(before, Relation::Unequal, after)
        };
        // Steps that change nothing at all are nobody's.
        let differ = Node::Or((0..condition.free / 2).map(differs).collect());
        let changes = Formula { root: Node::And(vec![part.root.clone(), differ]), ..condition.clone() };
        let why = instead(&changes, numeration, budget)?;
        if why != NEVER {
            return Err(RuleFileError::NoMovesBy(part.to_string(), why));
        }
    }
    Ok(())
}

/// What remembered numbers are multiplied by at most, tried in this order.
const GROWTHS: [u32; 5] = [1, 2, 4, 8, MOST_GROWTH];
/// The greatest of them.
const MOST_GROWTH: u32 = 16;

/// Returns the least of [`GROWTHS`] that bounds what is remembered after a move, so that a position
/// has as many options as can be counted.
fn growth(
    formula: &Formula,
    memory: usize,
    numeration: Numeration,
    budget: &Budget,
) -> Result<u32, RuleFileError> {
    let numbers = formula.free / 2;
    let names = &formula.names[..formula.free];
    let total = (0..numbers).map(|h| format!("p{h}")).collect::<Vec<_>>().join("+");
    let all = whole(&formula.to_string(), numbers, memory);
    let mut worst = None;
    for factor in GROWTHS {
        let within: Vec<String> =
            (numbers - memory..numbers).map(|m| format!("q{m} <= {factor}*({total}+1)")).collect();
        let text = format!("A {}: ({all}) => {}", names.join(","), within.join(" & "));
        let claim = Formula::parse(&text).map_err(|error| RuleFileError::Move(text, error))?;
        match decide(&claim, numeration, &mut meter(budget))? {
            Decision::False(found) => worst = found,
            _ => return Ok(factor),
        }
    }
    let [from, to] = worst.as_ref().map(sides).unwrap_or_default();
    Err(RuleFileError::Growth(from, to))
}

const NEVER: &str = "it never holds";

/// Returns what a formula without moves holds of instead.
fn instead(formula: &Formula, numeration: Numeration, budget: &Budget) -> Result<String, RuleFileError> {
    let text = format!("E {}: {formula}", formula.names[..formula.free].join(","));
    let closed = Formula::parse(&text).map_err(|error| RuleFileError::Move(text, error))?;
    Ok(match decide(&closed, numeration, &mut meter(budget))? {
        Decision::True(Some(found)) => {
            let [from, to] = sides(&found);
            format!("of {from} → {to} it holds, but a move raises no heap and takes at least one token")
        }
        _ => NEVER.into(),
    })
}

/// Returns the position and the option among values of p0, q0, p1, q1, …
fn sides(found: &Values) -> [String; 2] {
    let values: Vec<String> = found
        .numbers()
        .map(|(_, value)| value.map_or_else(|| "…".into(), |value| value.to_string()))
        .collect();
    [0, 1].map(|from| values.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>().join(","))
}

/// Returns the move as stated, and what every move has: no heap grows, and one token at least is
/// taken; the last `memory` numbers are no heaps.
fn whole(text: &str, numbers: usize, memory: usize) -> String {
    let heaps = numbers - memory;
    let sum = |letter| (0..heaps).map(|h| format!("{letter}{h}")).collect::<Vec<_>>().join("+");
    let falls: Vec<String> = (0..heaps).map(|h| format!("q{h} <= p{h}")).collect();
    format!("({text}) & {} & {} < {}", falls.join(" & "), sum("q"), sum("p"))
}

/// Reads the line `positions`: a formula without quantifiers over p0, p1, ….
fn positions_that_occur(text: &str, numbers: usize) -> Result<Formula, RuleFileError> {
    let wrong = |why: String| RuleFileError::Positions(text.to_owned(), why);
    let names: Vec<String> = (0..numbers).map(|place| format!("p{place}")).collect();
    let formula = Formula::parse_over(text, &names).map_err(|error| wrong(error.to_string()))?;
    if formula.names.len() > formula.free {
        return Err(wrong("which positions occur is said without quantifiers".into()));
    }
    Ok(formula)
}

/// Returns whether a file says which positions occur, or where games begin.
fn stated_positions(file: &RuleText) -> bool {
    [&file.positions, &file.start].iter().any(|text| !text.trim().is_empty())
}

/// Returns the positions that occur where games begin as the file's line `start` says: those, and
/// all that a move leads to as far as this is plain from the formula.
fn positions_from(file: &RuleText, condition: &Formula) -> Result<String, RuleFileError> {
    if !file.positions.trim().is_empty() {
        return Err(RuleFileError::Fields(
            "positions and start: one of them; `positions` are those that occur, with those in which games begin",
        ));
    }
    let start = positions_that_occur(&file.start, condition.free / 2).map_err(|error| match error {
        RuleFileError::Positions(text, why) => RuleFileError::Start(text, why),
        error => error,
    })?;
    match reached::after_a_move(condition, file.memory, Some(&start)) {
        Some(all) if condition.arithmetic_word().is_none() && file.falls.is_empty() && file.sets == 0 => {
            Ok(all.to_string())
        }
        _ => {
            let why = "it is not plain from the moves where they lead; say `positions` in its place";
            Err(RuleFileError::Start(file.start.clone(), why.into()))
        }
    }
}

/// Reads the positions that occur. Refuses those that a move leaves, with such a move.
fn domain(
    text: &str,
    condition: &Formula,
    memory: usize,
    numeration: Numeration,
    budget: &Budget,
) -> Result<Domain, RuleFileError> {
    let numbers = condition.free / 2;
    let wrong = |why: String| RuleFileError::Positions(text.to_owned(), why);
    let formula = positions_that_occur(text, numbers)?;
    let names = &formula.names;
    let asked = |text: String| -> Result<Decision, RuleFileError> {
        let sentence = Formula::parse(&text).map_err(|error| wrong(error.to_string()))?;
        Ok(decide(&sentence, numeration, &mut meter(budget))?)
    };
    let after: Vec<String> = (0..numbers).map(|place| format!("q{place}")).collect();
    let all = whole(&condition.to_string(), numbers, memory);
    let closed = format!(
        "A {}: ({all}) & ({formula}) => ({})",
        condition.names[..condition.free].join(","),
        formula.over(&after)
    );
    if let Decision::False(found) = asked(closed)? {
        let [from, to] = found.as_ref().map(sides).unwrap_or_default();
        return Err(RuleFileError::Leaves(from, to));
    }
    let all = names.join(",");
    let bounded = |place: usize, most: u64| -> Result<bool, RuleFileError> {
        Ok(matches!(asked(format!("A {all}: ({formula}) => p{place} <= {most}"))?, Decision::True(_)))
    };
    let mut most = Vec::new();
    for place in 0..numbers {
        let Some(end) = [MOST_FLAG, MOST_BOUND].into_iter().find_map(|end| match bounded(place, end) {
            Ok(true) => Some(Ok(end)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }) else {
            most.push(None);
            continue;
        };
        let (mut low, mut high) = (0, end?);
        while low < high {
            let middle = (low + high) / 2;
            if bounded(place, middle)? { high = middle } else { low = middle + 1 }
        }
        most.push(u32::try_from(low).ok());
    }
    Ok(Domain { formula, most })
}

/// Returns a rule file's game on the positions from which its formula lets moves begin, where the
/// file does not say which positions occur: from no other one is there a move, and no move leaves
/// them. `None` if no such condition is plain from the formula, or all positions meet it.
pub fn where_moves_begin(game: &dyn Game, budget: &Budget) -> Option<Box<dyn Game>> {
    let [source] = &game.rule_files()[..] else { return None };
    let file = RuleText::read(&source.text).ok()?;
    let stated = game.heap_game()?;
    if stated_positions(&file) || !file.parameters.is_empty() || file.name != game.name() {
        return None;
    }
    let condition = stated.moves.condition.as_ref()?;
    let memory = stated.moves.memory.count;
    let numeration = match stated.digits {
        Digits::Binary => Numeration::Binary,
        Digits::Zeckendorf => Numeration::ZECKENDORF,
    };
    // What is said of the position alone, in each alternative.
    let of_position = |node: &Node| {
        let mut all = true;
        growth::each_variable(node, &mut |v| all &= v < condition.free && v % 2 == 0);
        all && !matches!(node, Node::Constant(_))
    };
    let alternatives: Vec<Vec<Node>> = growth::alternatives(condition)
        .into_iter()
        .map(|parts| {
            let plain = parts.into_iter().map(|part| without_quantifiers(&part).unwrap_or(part));
            plain.filter(of_position).collect()
        })
        .collect();
    let (first, others) = alternatives.split_first()?;
    let text = |root: Node| Formula { root, ..condition.clone() }.to_string();
    let is_kept = |text: &String| domain(text, condition, memory, numeration, budget).is_ok();
    let common: Vec<String> = first
        .iter()
        .filter(|node| others.iter().all(|other| other.contains(node)))
        .map(|node| format!("({})", text(node.clone())))
        .filter(is_kept)
        .collect();
    let positions = if common.is_empty() {
        if alternatives.iter().any(Vec::is_empty) {
            return None;
        }
        let mut each: Vec<Node> = Vec::new();
        for one in alternatives.into_iter().map(Node::And) {
            if !each.contains(&one) {
                each.push(one);
            }
        }
        Some(text(Node::Or(each))).filter(is_kept)?
    } else {
        common.join(" & ")
    };
    let names: Vec<&str> = condition.names[..condition.free].iter().step_by(2).map(String::as_str).collect();
    let all = Formula::parse(&format!("A {}: {positions}", names.join(","))).ok()?;
    if matches!(decide(&all, numeration, &mut meter(budget)), Ok(Decision::True(_))) {
        return None;
    }
    let file = RuleText { positions, ..file };
    let read = RuleFile::of(&file, &source.text, budget, Author::Person).ok()?;
    Some(read.game())
}

/// Returns a rule file's game, with a memory, on the positions to which a move leads, as far as
/// they are plain from its formula, and those in which nothing is remembered: no move leaves them.
/// `None` if all positions are such, or the formula says nothing of it.
pub fn where_moves_lead(game: &dyn Game, budget: &Budget) -> Option<Box<dyn Game>> {
    let [source] = &game.rule_files()[..] else { return None };
    let file = RuleText::read(&source.text).ok()?;
    let stated = game.heap_game()?;
    let memory = stated.moves.memory.count;
    if memory == 0 || !file.parameters.is_empty() || file.name != game.name() {
        return None;
    }
    let condition = stated.moves.condition.as_ref()?;
    let numeration = match stated.digits {
        Digits::Binary => Numeration::Binary,
        Digits::Zeckendorf => Numeration::ZECKENDORF,
    };
    let led = reached::after_a_move(condition, memory, None)?;
    let own = stated.moves.domain.as_ref().map(|domain| &domain.formula);
    let mut builder = FormulaBuilder::default();
    let numbers: Vec<usize> = led.names.iter().map(|name| builder.bind(name)).collect();
    let occurs = own.map_or(Node::Constant(true), |own| builder.embed(own, &numbers));
    let root = occurs.implies(builder.embed(&led, &numbers)).for_all(numbers);
    let all = builder.build(root);
    if !matches!(decide(&all, numeration, &mut meter(budget)), Ok(Decision::False(_))) {
        return None;
    }
    let positions = own.map_or_else(|| led.to_string(), |own| format!("({own}) & ({led})"));
    // Reading it decides that no move leaves these positions.
    let file = RuleText { positions, start: String::new(), ..file };
    let read = RuleFile::of(&file, &source.text, budget, Author::Person).ok()?;
    Some(read.game())
}

/// The greatest number that is a flag, and the greatest bound of a number that is looked for.
const MOST_FLAG: u64 = 3;
const MOST_BOUND: u64 = 255;

/// Refuses an image under which the positions that occur change.
fn symmetric_domain(
    domain: &Domain,
    image: &[usize],
    numeration: Numeration,
    budget: &Budget,
) -> Result<(), RuleFileError> {
    let formula = &domain.formula;
    let turned: Vec<String> = image.iter().map(|heap| format!("p{heap}")).collect();
    let names = formula.names.join(",");
    let text = format!("A {names}: ({formula}) <=> ({})", formula.over(&turned));
    let claim = Formula::parse(&text)
        .map_err(|error| RuleFileError::Positions(formula.to_string(), error.to_string()))?;
    match decide(&claim, numeration, &mut meter(budget))? {
        Decision::False(Some(found)) => {
            let values =
                found.numbers().map(|(_, value)| value.map_or("…".into(), |value| value.to_string()));
            Err(RuleFileError::PositionsSymmetry(values.collect::<Vec<_>>().join(",")))
        }
        _ => Ok(()),
    }
}

/// Refuses an image under which the moves change.
fn symmetric(
    text: &str,
    image: &[usize],
    numeration: Numeration,
    budget: &Budget,
) -> Result<(), RuleFileError> {
    let heaps = image.len();
    let turned: Vec<String> = image.iter().flat_map(|h| [format!("p{h}"), format!("q{h}")]).collect();
    let plain = Formula::parse_over(&whole(text, heaps, 0), &Moves::names(heaps))
        .map_err(|error| RuleFileError::Move(text.to_owned(), error))?;
    // The same relation of the turned heaps.
    let mut image = plain.clone();
    image.names.splice(..plain.free, turned);
    let list = Moves::names(heaps).join(",");
    let claim = format!("A {list}: ({plain}) <=> ({image})");
    let claim = Formula::parse(&claim).map_err(|error| RuleFileError::Move(text.to_owned(), error))?;
    match decide(&claim, numeration, &mut meter(budget))? {
        Decision::False(Some(found)) => {
            let [from, to] = sides(&found);
            Err(RuleFileError::Symmetry(from, to))
        }
        _ => Ok(()),
    }
}

/// A run through the automaton with the position's digits given.
struct Run<'w> {
    rules: &'w Digitwise,
    position: &'w [Vec<bool>],
    columns: usize,
    /// Whether no option can be reached from a state at a column.
    dead: FxHashMap<(usize, usize), bool>,
    option: Vec<Vec<bool>>,
}

impl Run<'_> {
    /// Returns whether anything was found.
    fn from(
        &mut self,
        state: usize,
        column: usize,
        visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        let automaton = &self.rules.moves;
        if column == self.columns {
            let found = automaton.dfa.accepts(state);
            if found {
                let value = |digits: &Vec<bool>| automaton.numeration.value(digits.iter().copied());
                let heap = |digits| value(digits).and_then(|v| u32::try_from(v).ok()).unwrap_or(u32::MAX);
                let option: Rows = self.option.iter().map(heap).collect();
                visit(&option)?;
            }
            return Continue(found);
        }
        if !self.rules.alive[state] || self.dead.get(&(state, column)) == Some(&true) {
            return Continue(false);
        }
        let mut found = false;
        for digits in 0..1usize << self.rules.heaps {
            let bit = |heap: usize| digits >> heap & 1 == 1;
            let to = automaton.dfa.step(state, |track| {
                let heap = track as usize / 2;
                if track % 2 == 0 { self.position[heap][column] } else { bit(heap) }
            });
            (0..self.rules.heaps).for_each(|heap| self.option[heap].push(bit(heap)));
            let below = self.from(to, column + 1, visit);
            self.option.iter_mut().for_each(|digits| {
                digits.pop();
            });
            found |= below?;
        }
        self.dead.insert((state, column), !found);
        Continue(found)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    const WYTHOFF: &str = "name = \"queen\"\nheaps = 2\nsymmetry = \"full\"\ndigits = \"zeckendorf\"\nmove = \"q0 = p0 | q1 = p1 | p0+q1 = p1+q0\"\n";

    fn options(rules: &RuleFile, p: &[u32]) -> Vec<Vec<u32>> {
        let game = rules.game();
        let mut graph = game.graph();
        let node = graph.read(&p.iter().map(u32::to_string).collect::<Vec<_>>().join(",")).unwrap();
        let options = graph.options(node).to_vec();
        let numbers = |node: &u32| graph.print(*node).split(',').map(|heap| heap.parse().unwrap()).collect();
        let mut all: Vec<Vec<u32>> = options.iter().map(numbers).collect();
        all.sort();
        all
    }

    /// Wythoff's game as a rule file has the options that its rules have, found by looking at every
    /// pair; from the linear condition, and from the automaton of one that is not linear and says
    /// the same.
    #[test]
    fn options_are_those_of_the_rules() {
        for (digits, more) in [("zeckendorf", ""), ("binary", ""), ("zeckendorf", "max"), ("binary", "max")] {
            let text = WYTHOFF.replace("zeckendorf", digits);
            let text = if more.is_empty() {
                text
            } else {
                text.replace(
                    "\"q0 = p0 | q1 = p1 | p0+q1 = p1+q0\"",
                    "\"(q0 = p0 | q1 = p1 | p0+q1 = p1+q0) & max(q0, p1) >= q0\"",
                )
            };
            let rules = RuleFile::parse(&text).unwrap();
            let FileRules::Heaps(own) = &rules.rules else { panic!("heaps that never grow") };
            assert_eq!(own.walk.is_some(), !more.is_empty());
            for a in 0..12u32 {
                for b in 0..12u32 {
                    let pairs = (0..=a).flat_map(|c| (0..=b).map(move |d| (c, d)));
                    let moves =
                        pairs.filter(|&(c, d)| (c, d) != (a, b) && (c == a || d == b || a - c == b - d));
                    let mut moves: Vec<Vec<u32>> = moves.map(|(c, d)| vec![c, d]).collect();
                    moves.sort();
                    assert_eq!(options(&rules, &[a, b]), moves, "{a},{b} in {digits} digits");
                }
            }
        }
    }

    #[test]
    fn moves_that_are_none_are_refused() {
        let one = |text: &str| {
            RuleFile::parse(&format!("name = \"one\"\nheaps = 1\nmove = \"{text}\"\n"))
                .map(|_| ())
                .map_err(|e| e.to_string())
        };
        let why = "it holds, but a move raises no heap and takes at least one token";
        assert_eq!(one("q0+1 = p0 | q0+2 = p0"), Ok(()));
        assert_eq!(one("q0 = p0+1"), Err(format!("no position has a move: of 0 → 1 {why}")));
        assert_eq!(one("q0 = p0"), Err(format!("no position has a move: of 0 → 0 {why}")));
        assert_eq!(one("q0 < p0 & p0 < q0"), Err("no position has a move: it never holds".into()));
        let told = format!("the alternative `q0 = p0 + 1` gives no move: of 0 → 1 {why}");
        assert_eq!(one("q0+1 = p0 | q0 = p0+1"), Err(told));
    }

    /// An alternative that never holds is refused wherever rules are stated; with parameters only
    /// if it holds for none of their values, and another value may have moves where the first has
    /// none.
    #[test]
    fn alternatives_that_never_hold_are_refused() {
        let read = |text: &str| {
            let text = format!("name = \"one\"\n{text}\n");
            RuleFile::parse(&text).map_err(|error| error.to_string())
        };
        let never = |part: &str| format!("the alternative `{part}` gives no move: it never holds");
        for (text, part) in [
            (
                "heaps = 2\nfalls = \"p1\"\nmove = \"q1 < p1 & q0 = 0 | q1 < p1 & q1 = p1\"",
                "q1 < p1 & q1 = p1",
            ),
            ("splits = [\"q0 < p0\", \"q0+q1+2 = p0 & q0 > p0\"]", "q0 + q1 + 2 = p0 & q0 > p0"),
            ("heaps = \"any\"\nmove = \"q0+1 = p0 | q0+2 = p0 & p0 < 2\"", "q0 + 2 = p0 & p0 < 2"),
            (
                "heaps = 1\nparameters = { k = [1, 9] }\nmove = \"q0+k = p0 | q0+k = p0 & p0 < k\"",
                "q0 + 1 = p0 & p0 < 1",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), never(part), "{text}");
        }
        let raises = "heaps = 2\nfalls = \"p0+p1\"\nmove = \"q0 = p0 & q1 < p1 | q0 > p0 & q1 > p1\"";
        let told = read(raises).unwrap_err();
        assert!(told.contains("`q0 > p0 & q1 > p1`") && told.contains("p0+p1 never falls"), "{told}");
        // With k = 1 the second alternative never holds; with k = 3 it does.
        let some = read(
            "heaps = 1\nparameters = { k = [1, 9] }\nmove = \"p0-q0 in k..10 | q0 = 0 & p0 < k & p0 > 0\"",
        );
        let some = some.unwrap();
        let game = some.at(&[3]).unwrap();
        let mut graph = game.graph();
        for (p, count) in [("1", 1), ("2", 1), ("3", 1), ("4", 2), ("20", 8)] {
            let node = graph.read(p).unwrap();
            assert_eq!(graph.options(node).len(), count, "{p}");
        }
        // With k = 1 nobody can move.
        let text = "heaps = 1\nparameters = { k = [1, 9] }\nmove = \"q0 < p0 & p0 < q0+k\"";
        assert!(read(text).unwrap().at(&[4]).is_ok());
        assert!(read(text).unwrap().at(&[1]).is_err());
    }

    /// Positions that occur: others are refused, tables list none of them, bounds are seen, and no
    /// file is read whose moves leave them.
    #[test]
    fn positions_that_occur_are_kept() {
        let file = |positions: &str, symmetry: &str, moves: &str| {
            RuleFile::parse(&format!(
                "name = \"one\"\nheaps = 2\nsymmetry = \"{symmetry}\"\npositions = \"{positions}\"\nmove = \"{moves}\"\n"
            ))
        };
        let diagonal = "q0+1 = p0 & q1 = p1 & q0 >= q1 | q0 = p0 & q1+2 = p1";
        let rules = file("p0 >= p1 & p1 <= 5", "none", diagonal).unwrap();
        let FileRules::Heaps(own) = &rules.rules else { panic!("heaps that never grow") };
        let domain = own.moves.domain.clone().unwrap();
        assert_eq!(domain.most, [None, Some(5)]);
        assert_eq!(domain.box_size(9), 60);
        let game = rules.game();
        assert!(game.normal_form("3,2").is_ok());
        let refused = game.normal_form("2,3").unwrap_err();
        assert!(refused.message.contains("does not occur: positions = "), "{refused}");
        assert_eq!(game.position(&[2, 3]), None);
        let mut listed = 0;
        let mut session = game.session(bouton_engine::Settings::default());
        let visited = session.table(9, &mut |p, _| {
            assert!(p[0] >= p[1] && p[1] <= 5, "{p:?}");
            listed += 1;
            Continue(())
        });
        visited.unwrap().unwrap();
        // Of ten first heaps those with as many below, up to 5.
        assert_eq!(listed, 1 + 2 + 3 + 4 + 5 + 6 * 5);
        // (2, 2) has moves to (2, 0) alone.
        assert_eq!(options(&rules, &[2, 2]), [[2, 0]]);
        let leaves = file("p0 >= p1", "none", "q0+1 = p0 & q1 = p1 | q0 = p0 & q1+2 = p1").unwrap_err();
        let RuleFileError::Leaves(from, to) = leaves else { panic!("{leaves}") };
        let read = |text: &str| text.split(',').map(|x| x.parse().unwrap()).collect::<Vec<u32>>();
        let (from, to) = (read(&from), read(&to));
        assert!(from[0] >= from[1] && to[0] < to[1] && to == [from[0] - 1, from[1]], "{from:?} {to:?}");
        let wrong = [
            (file("E x: p0 = 2*x", "none", diagonal), "without quantifiers"),
            (file("p0 > p2", "none", diagonal), "p2"),
            (file("p0 < p0", "none", diagonal), "no move begins in such a position"),
            (file("p0 <= 4", "full", "q0 = p0 | q1 = p1"), "and its image only one is among"),
        ];
        for (read, why) in wrong {
            let told = read.map(|_| ()).unwrap_err().to_string();
            assert!(told.contains(why), "{told}");
        }
    }

    /// Every option of every position is one that a move leads to, and from these the moves are the
    /// game's own.
    #[test]
    fn moves_stay_where_moves_lead() {
        let imitation = "p3 <= 2 & (q0 < p0 & q1 = p1 & q0+q2 = p0 & (p0 <= p1 & q3 = 1 | p0 > p1 & q3 = 0) \
                         & ~(p2 = q2 & p3 = 2 & p0 > p1) | q1 < p1 & q0 = p0 & q1+q2 = p1 & (p1 <= p0 & q3 = 2 \
                         | p1 > p0 & q3 = 0) & ~(p2 = q2 & p3 = 1 & p1 > p0))";
        let blocking = "(q0 = p0 | q1 = p1 | p0+q1 = p1+q0) & ~(q0 = p2 & q1 = p3) & q2 <= q0 & q3 <= q1 \
                        & (q2 = q0 | q3 = q1 | q2+q1 = q3+q0)";
        let read = |memory: usize, moves: &str| {
            let text = format!("name = \"one\"\nheaps = 2\nmemory = {memory}\nmove = \"{moves}\"\n");
            RuleFile::parse(&text).unwrap().game()
        };
        let lead = |game: &dyn Game| where_moves_lead(game, &Budget::default());
        for moves in [imitation, blocking] {
            let game = read(2, moves);
            let led = lead(&*game).unwrap();
            let domain = led.heap_game().unwrap().moves.domain.unwrap();
            let options = |game: &dyn Game, p: &[u64]| {
                let mut graph = game.graph();
                let node = graph.position(p).unwrap();
                let nodes = graph.options(node).to_vec();
                let mut all: Vec<Vec<u64>> = nodes.iter().map(|node| graph.sizes(*node).unwrap()).collect();
                all.sort();
                all
            };
            let [mut inside, mut outside] = [0, 0];
            for code in 0..5u64.pow(4) {
                let p: Vec<u64> = (0..4).map(|place| code / 5u64.pow(place) % 5).collect();
                let all = options(&*game, &p);
                assert!(all.iter().all(|q| domain.contains(q)), "{p:?}");
                if domain.contains(&p) {
                    assert_eq!(options(&*led, &p), all, "{p:?}");
                    inside += 1;
                } else {
                    outside += 1;
                }
            }
            assert!(inside > 50 && outside > inside, "{inside} {outside}");
        }
        // Nothing is remembered, all may be remembered, or the formula says nothing of it.
        assert!(lead(&*read(0, "q0 = p0 | q1 = p1")).is_none());
        assert!(lead(&*read(1, "q0 = p0 & q1+q2 = p1 & q2 != p2")).is_none());
        assert!(lead(&*read(1, "q0 = p0 & p1 <= q1+p2 & q2+2*q1 = 2*p1")).is_none());
    }

    /// A heap that an alternative leaves free, unless the alternative only keeps others.
    #[test]
    fn heaps_left_free_are_seen() {
        for (heaps, moves, free) in [
            (2, "q0+1 = p0", Some(vec![1])),
            (2, "q0 = p0 | q1 = p1", None),
            (3, "q0 = p0 | q1 = p1 | q2 = p2", None),
            (3, "q0 < p0 | q0 = p0 & q1 < p1", Some(vec![1, 2])),
            (2, "q0 < p0 & q1 = p1 | q0 = p0 & q1 < p1", None),
            (2, "q0 = p0 | p0+q1 = p1+q0", None),
            (2, "p0 >= p1 & q0 >= 1 & q0 = p0 | q0 < p0 & q1 = min(p1, q0)", None),
            (2, "(q0+1 = p0 | q0+2 = p0) & q1 = p1 | q1+1 = p1", Some(vec![0])),
            (2, "E k: k >= 1 & q0+k = p0", Some(vec![1])),
            (2, "E k: k >= 1 & q0+k = p0 & q1+k = p1", None),
            (1, "q0 < p0", None),
        ] {
            let text = format!("name = \"x\"\nheaps = {heaps}\nmove = \"{moves}\"");
            let found = RuleFile::parse(&text).unwrap().left_free();
            assert_eq!(found.map(|(_, free)| free), free, "{moves}");
        }
        let family = "name = \"x\"\nheaps = 2\nparameters = { k = [2, 5] }\nmove = \"q0+k = p0\"";
        let found = RuleFile::parse(family).unwrap().left_free();
        assert_eq!(found, Some(("q0 + 2 = p0".to_owned(), vec![1])));
    }

    #[test]
    fn errors_are_reported() {
        let with = |from: &str, to: &str| RuleFile::parse(&WYTHOFF.replace(from, to));
        let Err(RuleFileError::Taken(taken)) = with("queen", "wythoff") else {
            panic!("wythoff is a family")
        };
        assert_eq!((taken.name.as_str(), taken.by.as_str()), ("wythoff", "the family `wythoff`"));
        for (name, why) in [
            ("a b", "it holds ` `"),
            ("", "it is empty"),
            ("2nd", "it begins with `2`"),
            ("a+b", "it holds `+`"),
        ] {
            let Err(RuleFileError::Sign(of, told)) = with("queen", name) else {
                panic!("`{name}` is no name")
            };
            assert_eq!((of.as_str(), told.as_str()), (name, why));
        }
        assert_eq!(with("queen", "queen-2b").unwrap().name(), "queen-2b");
        assert!(matches!(with("heaps = 2", "heaps = 0"), Err(RuleFileError::Heaps(0))));
        assert!(matches!(with("heaps = 2", "heap = 2"), Err(RuleFileError::Toml(_))));
        // Below [published] a rule would change nothing.
        let below = RuleFile::parse(&format!(
            "{}[published]\nsymmetry = \"full\"\n",
            WYTHOFF.replace("symmetry = \"full\"\n", "")
        ));
        let Err(RuleFileError::Toml(error)) = below else { panic!("a rule below [published]") };
        assert!(error.to_string().contains("`symmetry` is a rule"), "{error}");
        assert!(matches!(with("p0+q1 =", "p0+r1 ="), Err(RuleFileError::Move(..))));
        assert!(matches!(with("p0+q1 =", "p0+ ="), Err(RuleFileError::Move(..))));
        let Err(RuleFileError::Symmetry(from, to)) = with("q0 = p0 |", "q0+1 = p0 |") else {
            panic!("taking one from the first heap alone is not symmetric");
        };
        assert!(!from.is_empty() && !to.is_empty());
    }
}

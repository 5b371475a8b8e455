//! The fields of a rule file, as they stand in it.

use super::RuleFileError;
use crate::template::replace_words;
use bouton_core::expression::Expression;
use bouton_core::{Digits, Scanner, Symmetry};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

    pub(super) fn is_any(self) -> bool {
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
    pub(super) fn parts(&self) -> (&str, Option<&str>) {
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
    /// 1 to [`MAX_NUMBERS`](super::MAX_NUMBERS), or any number; the latter where each heap
    /// becomes others.
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
    #[serde(deserialize_with = "parameter_ranges")]
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
#[error(
    "`{0}` is a rule and stands in the table [published], where no rule counts: rules stand above \
     it"
)]
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

/// The keys of rules: all fields of [`RuleText`] but the name and the rules in words.
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

/// The ranges of parameters, with one message for whatever else is written.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "every parameter needs its least and its greatest value, as parameters = { h = [1, 9] }"
)]
enum ParameterRanges {
    Each(BTreeMap<String, [u32; 2]>),
}

/// Reads the ranges of parameters.
fn parameter_ranges<'de, D: serde::Deserializer<'de>>(
    file: D,
) -> Result<BTreeMap<String, [u32; 2]>, D::Error> {
    let ParameterRanges::Each(ranges) = ParameterRanges::deserialize(file)?;
    Ok(ranges)
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
    pub(super) fn at(&self, values: &[u32]) -> Result<RuleText, RuleFileError> {
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
        let value = |word: &str| {
            let place = self.parameters.keys().position(|name| name == word)?;
            Some(listed[place].clone())
        };
        let put_in = |text: &str| folded(&replace_words(text, value));
        let splits = self.splits.iter().map(|split| match split {
            SplitText::Plain(when) => SplitText::Plain(put_in(when)),
            SplitText::Into { when, into } => {
                SplitText::Into { when: put_in(when), into: put_in(into) }
            }
        });
        let (splits, falls) =
            (splits.collect(), self.falls.iter().map(|text| put_in(text)).collect());
        let [moves, positions, start] =
            [&self.moves, &self.positions, &self.start].map(|text| put_in(text));
        let name = format!("{}({})", self.name, listed.join(","));
        let rules = match self.rules.trim() {
            "" => String::new(),
            words => {
                let told = self
                    .parameters
                    .keys()
                    .zip(&listed)
                    .map(|(name, value)| format!("{name} = {value}"));
                format!("{words} Here {}.", told.collect::<Vec<_>>().join(", "))
            }
        };
        let parameters = BTreeMap::new();
        Ok(RuleText {
            name,
            moves,
            splits,
            falls,
            positions,
            start,
            rules,
            parameters,
            ..self.clone()
        })
    }

    /// Returns all texts that parameters may stand in.
    pub(super) fn formulas(&self) -> impl Iterator<Item = &str> {
        let splits = self.splits.iter().flat_map(|split| {
            let (when, into) = split.parts();
            [Some(when), into].into_iter().flatten()
        });
        let falls = self.falls.iter().map(String::as_str);
        [&self.moves, &self.positions, &self.start]
            .map(String::as_str)
            .into_iter()
            .chain(splits)
            .chain(falls)
    }

    /// Returns how a game of the file is called: `walk(h) with h from 1 to 9`.
    pub(super) fn values_form(&self) -> String {
        let names: Vec<&str> = self.parameters.keys().map(String::as_str).collect();
        let ranges: Vec<String> = self
            .parameters
            .iter()
            .map(|(name, [least, most])| format!("{name} from {least} to {most}"))
            .collect();
        format!("{}({}) with {}", self.name, names.join(","), ranges.join(", "))
    }

    /// Returns the fields of a game of which only the rules are said in words, to be filled in.
    pub(crate) fn without_moves(name: &str, heaps: usize, rules: String) -> RuleText {
        RuleText {
            name: name.to_owned(),
            heaps: HeapCount::Fixed(heaps),
            memory: 0,
            sets: 0,
            moves: String::new(),
            splits: Vec::new(),
            falls: Vec::new(),
            positions: String::new(),
            start: String::new(),
            rules,
            symmetry: plain(),
            digits: binary(),
            parameters: BTreeMap::new(),
            published: Published,
        }
    }

    /// Returns the text of a file with these fields.
    pub fn to_text(&self) -> String {
        toml::to_string_pretty(self).unwrap_or_default()
    }
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
        let plain = !inner.trim().is_empty()
            && inner.chars().all(|c| c.is_ascii_digit() || " +-*".contains(c));
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    /// Every key of a rule file is refused in the table `[published]`, but for the words.
    #[test]
    fn all_rules_are_known_as_such() {
        let one = || "p0".to_owned();
        let file = RuleText {
            name: one(),
            heaps: HeapCount::ANY,
            memory: 1,
            sets: 1,
            moves: one(),
            splits: vec![SplitText::Plain(one())],
            falls: vec![one()],
            positions: one(),
            start: one(),
            rules: one(),
            symmetry: Symmetry::Ring,
            digits: Digits::Zeckendorf,
            parameters: BTreeMap::from([(one(), [1, 2])]),
            published: Published,
        };
        let written: toml::Table = file.to_text().parse().unwrap();
        let mut keys: Vec<&str> = written.keys().map(String::as_str).collect();
        keys.retain(|key| !["name", "rules"].contains(key));
        let mut rules = RULES.to_vec();
        rules.sort_unstable();
        keys.sort_unstable();
        assert_eq!(keys, rules);
        assert_eq!(RuleText::read(&file.to_text()).unwrap(), file);
    }
}

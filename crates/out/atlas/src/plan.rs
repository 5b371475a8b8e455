//! The plan of an atlas: its games and the limits of each. Plans are a few lines of TOML, described
//! in `docs/atlas.md`.

use crate::FORMAT;
use crate::expand::{self, NameValues};
use bouton_certificate::sha256;
use bouton_core::Play;
use bouton_store::UsageError;
use bouton_study::{Kind, StudyTarget, StudyTargetError};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// The plans that ship with the program: name and text.
pub const PLANS: &[(&str, &str)] = &[
    ("circles", include_str!("../plans/circles.toml")),
    ("complexes", include_str!("../plans/complexes.toml")),
    ("subtraction", include_str!("../plans/subtraction.toml")),
    ("codes", include_str!("../plans/codes.toml")),
    ("cash", include_str!("../plans/cash.toml")),
    ("kotzig", include_str!("../plans/kotzig.toml")),
];

/// The greatest number of games of a plan.
const MAX_GAMES: usize = 1_000_000;

/// The limits of the study of each game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntryLimits {
    /// Processor time, in seconds. The deadline is extended if the machine is busy.
    pub seconds: Option<f64>,
    /// Positions or steps. Only this limit gives the same entry on every machine.
    pub nodes: Option<u64>,
    /// Memory of tables, in megabytes.
    pub memory: u64,
    /// The greatest parameter of a family of Kotzig's Nim.
    pub to: Option<i64>,
}

/// A game to be studied.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The name of the game in normal form.
    pub game: String,
    /// The convention.
    pub play: Play,
}

/// The plan of an atlas, expanded.
#[derive(Debug, Clone, PartialEq)]
pub struct AtlasPlan {
    /// The name: letters, digits and hyphens.
    pub name: String,
    /// A description, in a sentence.
    pub about: String,
    /// The limits of each game.
    pub limits: EntryLimits,
    /// The games, each once per convention.
    pub jobs: Vec<Job>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanText {
    name: String,
    about: String,
    seconds: Option<f64>,
    nodes: Option<u64>,
    memory: Option<u64>,
    to: Option<i64>,
    games: Vec<Pattern>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pattern {
    game: String,
    #[serde(default)]
    play: Vec<String>,
    #[serde(default)]
    with: BTreeMap<String, NameValues>,
}

/// The fields of a plan.
const FIELDS: &str = "name, about, seconds, nodes, memory, to, and [[games]] with game, play, with";
/// Limits as they are written.
const LIMITS: &str = "seconds = 5.0, nodes = 100000000";
/// The range of accepted seconds.
const SECONDS: &str = "seconds are more than 0 and at most 10^9";
/// The default memory of tables for a game, in megabytes.
const MEMORY: u64 = 1024;

impl AtlasPlan {
    /// Returns a plan that ships with the program, or `None` if the name is unknown.
    pub fn shipped(name: &str) -> Option<Result<AtlasPlan, UsageError>> {
        PLANS.iter().find(|(known, _)| *known == name).map(|(_, text)| AtlasPlan::parse(text))
    }

    /// Reads and expands a plan.
    ///
    /// # Errors
    /// Fails if the text is not a plan, or if one of its games cannot be read or studied.
    pub fn parse(text: &str) -> Result<AtlasPlan, UsageError> {
        let read: PlanText = toml::from_str(text)
            .map_err(|error| UsageError::new(one_line(&error, text), FIELDS))?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if read.name.is_empty() || read.name.len() > 60 || !read.name.chars().all(plain) {
            return Err(UsageError::new(
                format!("the name {:?} is none for a plan", read.name),
                "letters, digits and hyphens",
            ));
        }
        if read.seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds <= 1e9)) {
            return Err(UsageError::new(SECONDS, LIMITS));
        }
        if read.seconds.is_none() && read.nodes.is_none() {
            return Err(UsageError::new("a game without a limit may take for ever", LIMITS));
        }
        let memory = read.memory.unwrap_or(MEMORY);
        let limits = EntryLimits { seconds: read.seconds, nodes: read.nodes, memory, to: read.to };
        let mut seen = BTreeSet::new();
        let mut jobs = Vec::new();
        for games in &read.games {
            let plays = games.play.iter().map(|word| match word.as_str() {
                "normal" => Ok(Play::Normal),
                "misere" => Ok(Play::Misere),
                _ => Err(UsageError::new(format!("play = {word:?}"), "\"normal\", \"misere\"")),
            });
            let mut plays = plays.collect::<Result<Vec<Play>, _>>()?;
            if plays.is_empty() {
                plays.push(Play::Normal);
            }
            let texts = expand::expand(&games.game, &games.with, MAX_GAMES)
                .map_err(|error| error.at(&format!("game = {:?}", games.game)))?;
            for text in texts {
                for &play in &plays {
                    let subject =
                        StudyTarget::parse(&text, play, bouton_games::parse).map_err(unstudied)?;
                    if subject.kind() == Kind::Position {
                        return Err(UsageError::plain(format!(
                            "{text} is a position; a plan lists games"
                        )));
                    }
                    let name = subject.name();
                    if seen.insert((name.clone(), play == Play::Misere)) {
                        jobs.push(Job { game: name, play });
                    }
                }
            }
        }
        if jobs.is_empty() || jobs.len() > MAX_GAMES {
            return Err(UsageError::new(
                format!("the plan has {} games", jobs.len()),
                format!("1 to {MAX_GAMES}"),
            ));
        }
        Ok(AtlasPlan { name: read.name, about: read.about, limits, jobs })
    }

    /// Returns the plan with another limit of seconds per game.
    ///
    /// # Errors
    /// Fails unless 0 < `seconds` ≤ 10^9.
    pub fn with_seconds(mut self, seconds: f64) -> Result<AtlasPlan, UsageError> {
        if !(seconds > 0.0 && seconds <= 1e9) {
            return Err(UsageError::new(SECONDS, LIMITS));
        }
        self.limits.seconds = Some(seconds);
        Ok(self)
    }

    /// Returns the SHA-256 of the name, the limits and the games in their order, which identifies
    /// the plan.
    pub fn digest(&self) -> String {
        let EntryLimits { seconds, nodes, memory, to } = self.limits;
        let mut text = format!("{FORMAT} {} {seconds:?} {nodes:?} {memory} {to:?}\n", self.name);
        for Job { game, play } in &self.jobs {
            let _ = writeln!(text, "{game} {play}");
        }
        sha256(text.as_bytes())
    }
}

impl fmt::Display for EntryLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EntryLimits { seconds, nodes, memory, to } = self;
        if let Some(seconds) = seconds {
            write!(f, "{seconds} s, ")?;
        }
        if let Some(nodes) = nodes {
            write!(f, "{nodes} nodes, ")?;
        }
        write!(f, "{memory} MB")?;
        to.map_or(Ok(()), |to| write!(f, ", parameters to {to}"))
    }
}

/// Returns the error for a game that cannot be read or studied.
fn unstudied(error: StudyTargetError) -> UsageError {
    match error {
        StudyTargetError::Notation(error) => error.into(),
        StudyTargetError::Game { .. } => UsageError::plain(error.to_string()),
    }
}

/// Returns the message of the library in one line, with the number of the line it is about.
fn one_line(error: &toml::de::Error, text: &str) -> String {
    let message = error.message().replace('\n', " ");
    match error.span() {
        Some(span) => {
            format!("line {}: {message}", text[..span.start.min(text.len())].lines().count().max(1))
        }
        None => message,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    fn games(games: &str) -> Result<Vec<String>, UsageError> {
        let plan = AtlasPlan::parse(&format!("name = \"x\"\nabout = \"\"\nnodes = 1000\n{games}"))?;
        Ok(plan.jobs.into_iter().map(|job| format!("{} {}", job.game, job.play)).collect())
    }

    /// Every plan that ships can be read, under its own name, and has the number of games that
    /// combinatorics gives.
    #[test]
    fn the_plans_that_ship() {
        for (name, text) in PLANS {
            let plan = AtlasPlan::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(plan.name, *name);
            let expected = match *name {
                // Pairs k ≤ n ≤ 8, k ≥ 1, four kinds, both conventions, and variations.
                "complexes" => Some(2 * (1 + 2 + 5 + 20 + 180)),
                "codes" => Some(8 * 8 * 8 - 1),
                "cash" => Some((1 << 12) - 1),
                "kotzig" => Some(20 * 19 / 2),
                // Nim-values, and positions of one to three heaps in both conventions.
                "subtraction" => Some(255 * (1 + 2 * 3)),
                _ => None,
            };
            assert!(
                expected.is_none_or(|games| games == plan.jobs.len()),
                "{name}: {}",
                plan.jobs.len()
            );
        }
    }

    #[test]
    fn patterns_expand_in_the_order_of_their_names() {
        let found = games(
            "[[games]]\ngame = \"CN({n},{k})\"\nwith = { n = \"2..3\", k = \"1..n\" }\nplay = \
             [\"normal\", \"misere\"]",
        );
        let expected: Vec<String> = ["2,1", "2,2", "3,1", "3,2", "3,3"]
            .iter()
            .flat_map(|nk| {
                ["normal", "misere"].map(|play| format!("CN({nk}) {}", parse_play(play)))
            })
            .collect();
        assert_eq!(found.unwrap(), expected);
        let twice = games(
            "[[games]]\ngame = \"S({A})\"\nwith = { A = \"subsets 1..2\" }\n[[games]]\ngame = \
             \"S(1)\"",
        );
        assert_eq!(
            twice.unwrap(),
            ["S(1)", "S(2)", "S(1,2)"].map(|game| format!("{game} {}", Play::Normal))
        );
    }

    fn parse_play(word: &str) -> Play {
        if word == "misere" { Play::Misere } else { Play::Normal }
    }

    #[test]
    fn bad_plans_are_refused_with_the_place() {
        let message = |text: &str| games(text).unwrap_err().to_string();
        assert!(message("games = 3").contains("line 4"), "{}", message("games = 3"));
        assert!(message("[[games]]\ngame = \"CN({n},2)\"").contains("{n}"));
        assert!(message("[[games]]\ngame = \"nimm\"").contains("did you mean"));
        assert!(message("[[games]]\ngame = \"CN(4,2)\"\nplay = [\"both\"]").contains("\"misere\""));
        assert!(message("[[games]]\ngame = \"CN(4,2)\"\nwith = { n = \"1..2\" }").contains("n"));
        assert!(
            message("[[games]]\ngame = \"CN({n},2)\"\nwith = { n = \"5..4\" }").contains("0 games")
        );
        assert!(
            message("[[games]]\ngame = \"CN({n},2)\"\nwith = { n = \"a..4\" }").contains("1..8")
        );
        assert!(
            message("[[games]]\ngame = \"S({n})\"\nwith = { n = \"1..999999999999\" }")
                .contains("many")
        );
        assert!(
            message("[[games]]\ngame = \"S({n})\"\nwith = { n = \"subsets 1..64\" }")
                .contains("many")
        );
        assert!(message("[[games]]\ngame = \"Gamma(1,4;23)\"").contains("position"));
        let unlimited =
            AtlasPlan::parse("name = \"x\"\nabout = \"\"\ngames = []").unwrap_err().to_string();
        assert!(unlimited.contains("for ever"), "{unlimited}");
    }
}

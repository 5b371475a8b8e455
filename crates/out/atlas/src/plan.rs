//! A plan: which games an atlas holds, and what each may cost. A few lines of TOML, as `docs/atlas.md` describes them.

use crate::FORMAT;
use crate::expand::{self, ExpandError};
use bouton_certificate::sha256;
use bouton_core::Play;
use bouton_study::{Kind, NoStudy, Subject};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The plans that come with the program: name and text.
pub const PLANS: &[(&str, &str)] = &[
    ("circles", include_str!("../plans/circles.toml")),
    ("complexes", include_str!("../plans/complexes.toml")),
    ("subtraction", include_str!("../plans/subtraction.toml")),
    ("codes", include_str!("../plans/codes.toml")),
    ("cash", include_str!("../plans/cash.toml")),
    ("kotzig", include_str!("../plans/kotzig.toml")),
];

/// The most games of a plan.
pub const MOST_GAMES: usize = 1_000_000;

/// What each game may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Each {
    /// Seconds, at most, of a processor: where the machine is busy the deadline is put off.
    pub seconds: Option<f64>,
    /// Positions or steps, at most. The only limit that gives the same entry on every machine.
    pub nodes: Option<u64>,
    /// Megabytes of tables, at most.
    pub memory: u64,
    /// The greatest parameter of a family of Kotzig's Nim.
    pub to: Option<i64>,
}

/// A game to be studied.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The game's name in normal form.
    pub game: String,
    /// Who wins at the end.
    pub play: Play,
}

/// A plan, expanded.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Its name: letters, digits and hyphens.
    pub name: String,
    /// What it holds, in a sentence.
    pub about: String,
    /// What each game may cost.
    pub each: Each,
    /// The games, each once a convention.
    pub jobs: Vec<Job>,
}

/// What is wrong with a plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// No TOML, or another field; the library's message names the place.
    #[error("{0}; accepted: name, about, seconds, nodes, memory, to, and [[games]] with game, play, with")]
    Toml(String),
    /// A name that could not be one of a file.
    #[error("the name {0:?} is none for a plan; accepted: letters, digits and hyphens")]
    Name(String),
    /// A convention.
    #[error("play = {0:?}; accepted: \"normal\", \"misere\"")]
    Play(String),
    /// A limit that is none.
    #[error("{0}; accepted: seconds = 5.0, nodes = 100000000")]
    Limit(&'static str),
    /// A pattern of games.
    #[error("game = {game:?}: {error}")]
    Expand {
        /// The pattern.
        game: String,
        /// What is wrong with it.
        error: ExpandError,
    },
    /// A game that cannot be read or studied.
    #[error("{0}")]
    Game(#[from] NoStudy),
    /// A position instead of a game.
    #[error("{0} is a position; a plan lists games")]
    Position(String),
    /// Nothing to do, or too much.
    #[error("the plan has {0} games; accepted: 1 to {MOST_GAMES}")]
    Games(usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    about: String,
    seconds: Option<f64>,
    nodes: Option<u64>,
    memory: Option<u64>,
    to: Option<i64>,
    games: Vec<Games>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Games {
    game: String,
    #[serde(default)]
    play: Vec<String>,
    #[serde(default)]
    with: BTreeMap<String, Values>,
}

/// What stands for a name in a pattern: a range or the like, or a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Values {
    Text(String),
    List(Vec<String>),
}

/// What seconds are.
const SECONDS: &str = "seconds are more than 0 and at most 10^9";
/// Megabytes of tables for a game, unless told.
const MEMORY: u64 = 1024;

impl Plan {
    /// A plan that comes with the program.
    pub fn shipped(name: &str) -> Option<Result<Plan, PlanError>> {
        PLANS.iter().find(|(known, _)| *known == name).map(|(_, text)| Plan::parse(text))
    }

    /// Reads a plan and expands it; every game in it has been read.
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let read: Text = toml::from_str(text).map_err(|error| PlanError::Toml(one_line(&error, text)))?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if read.name.is_empty() || read.name.len() > 60 || !read.name.chars().all(plain) {
            return Err(PlanError::Name(read.name));
        }
        if read.seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds <= 1e9)) {
            return Err(PlanError::Limit(SECONDS));
        }
        if read.seconds.is_none() && read.nodes.is_none() {
            return Err(PlanError::Limit("a game without a limit may take for ever"));
        }
        let memory = read.memory.unwrap_or(MEMORY);
        let each = Each { seconds: read.seconds, nodes: read.nodes, memory, to: read.to };
        let mut met = BTreeSet::new();
        let mut jobs = Vec::new();
        for games in &read.games {
            let plays = games.play.iter().map(|word| match word.as_str() {
                "normal" => Ok(Play::Normal),
                "misere" => Ok(Play::Misere),
                _ => Err(PlanError::Play(word.clone())),
            });
            let mut plays = plays.collect::<Result<Vec<Play>, _>>()?;
            if plays.is_empty() {
                plays.push(Play::Normal);
            }
            let texts = expand::expand(&games.game, &games.with, MOST_GAMES)
                .map_err(|error| PlanError::Expand { game: games.game.clone(), error })?;
            for text in texts {
                for &play in &plays {
                    let subject = Subject::of(&text, play, bouton_games::parse)?;
                    if subject.kind() == Kind::Position {
                        return Err(PlanError::Position(text));
                    }
                    let name = subject.name();
                    if met.insert((name.clone(), play == Play::Misere)) {
                        jobs.push(Job { game: name, play });
                    }
                }
            }
        }
        if jobs.is_empty() || jobs.len() > MOST_GAMES {
            return Err(PlanError::Games(jobs.len()));
        }
        Ok(Plan { name: read.name, about: read.about, each, jobs })
    }

    /// The same games with other seconds for each.
    pub fn with_seconds(mut self, seconds: f64) -> Result<Plan, PlanError> {
        if !(seconds > 0.0 && seconds <= 1e9) {
            return Err(PlanError::Limit(SECONDS));
        }
        self.each.seconds = Some(seconds);
        Ok(self)
    }

    /// What tells it from every other plan: a hash of the games in their order and of what each may cost.
    pub fn digest(&self) -> String {
        let Each { seconds, nodes, memory, to } = self.each;
        let mut told = format!("{FORMAT} {} {seconds:?} {nodes:?} {memory} {to:?}\n", self.name);
        for Job { game, play } in &self.jobs {
            let _ = writeln!(told, "{game} {play}");
        }
        sha256(told.as_bytes())
    }

    /// What each game may cost, in words.
    pub fn budget(&self) -> String {
        self.each.words()
    }
}

impl Each {
    /// In words.
    pub fn words(&self) -> String {
        let Each { seconds, nodes, memory, to } = self;
        let parts = [
            seconds.map(|seconds| format!("{seconds} s")),
            nodes.map(|nodes| format!("{nodes} nodes")),
            Some(format!("{memory} MB")),
            to.map(|to| format!("parameters to {to}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The library's message, with the line, in one line.
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

    fn games(games: &str) -> Result<Vec<String>, PlanError> {
        let plan = Plan::parse(&format!("name = \"x\"\nabout = \"\"\nnodes = 1000\n{games}"))?;
        Ok(plan.jobs.into_iter().map(|job| format!("{} {}", job.game, job.play)).collect())
    }

    /// Every plan that ships can be read, under its own name, with as many games as its rules say.
    #[test]
    fn the_plans_that_ship() {
        for (name, text) in PLANS {
            let plan = Plan::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
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
            assert!(expected.is_none_or(|games| games == plan.jobs.len()), "{name}: {}", plan.jobs.len());
        }
    }

    #[test]
    fn patterns_expand_in_the_order_of_their_names() {
        let found = games(
            "[[games]]\ngame = \"CN({n},{k})\"\nwith = { n = \"2..3\", k = \"1..n\" }\nplay = [\"normal\", \"misere\"]",
        );
        let expected: Vec<String> = ["2,1", "2,2", "3,1", "3,2", "3,3"]
            .iter()
            .flat_map(|nk| ["normal", "misere"].map(|play| format!("CN({nk}) {}", parse_play(play))))
            .collect();
        assert_eq!(found.unwrap(), expected);
        let twice = games(
            "[[games]]\ngame = \"S({A})\"\nwith = { A = \"subsets 1..2\" }\n[[games]]\ngame = \"S(1)\"",
        );
        assert_eq!(twice.unwrap(), ["S(1)", "S(2)", "S(1,2)"].map(|game| format!("{game} {}", Play::Normal)));
    }

    fn parse_play(word: &str) -> Play {
        if word == "misere" { Play::Misere } else { Play::Normal }
    }

    #[test]
    fn bad_plans_are_refused_with_the_place() {
        let told = |text: &str| games(text).unwrap_err().to_string();
        assert!(told("games = 3").contains("line 4"), "{}", told("games = 3"));
        assert!(told("[[games]]\ngame = \"CN({n},2)\"").contains("{n}"));
        assert!(told("[[games]]\ngame = \"nimm\"").contains("did you mean"));
        assert!(told("[[games]]\ngame = \"CN(4,2)\"\nplay = [\"both\"]").contains("\"misere\""));
        assert!(told("[[games]]\ngame = \"CN(4,2)\"\nwith = { n = \"1..2\" }").contains("n"));
        assert!(told("[[games]]\ngame = \"CN({n},2)\"\nwith = { n = \"5..4\" }").contains("0 games"));
        assert!(told("[[games]]\ngame = \"CN({n},2)\"\nwith = { n = \"a..4\" }").contains("1..8"));
        assert!(told("[[games]]\ngame = \"S({n})\"\nwith = { n = \"1..999999999999\" }").contains("many"));
        assert!(told("[[games]]\ngame = \"S({n})\"\nwith = { n = \"subsets 1..64\" }").contains("many"));
        assert!(told("[[games]]\ngame = \"Gamma(1,4;23)\"").contains("position"));
        let unlimited = Plan::parse("name = \"x\"\nabout = \"\"\ngames = []").unwrap_err().to_string();
        assert!(unlimited.contains("for ever"), "{unlimited}");
    }
}

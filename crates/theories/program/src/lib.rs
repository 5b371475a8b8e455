//! Games whose rules are a program, or a finite graph.
//!
//! A [`Program`] is a script of a small language ([Rhai](https://rhai.rs)) that gives the options
//! of a position; it reaches nothing outside itself and ends within limits. A [`Graph`] lists the
//! options of every position. Both are [`OwnGame`](bouton_engine::family::OwnGame)s, so that a
//! catalogue can add them.

#[cfg(feature = "scripts")]
mod claims;
mod dot;
mod graph;
#[cfg(feature = "scripts")]
mod library;
#[cfg(feature = "scripts")]
mod picture;
#[cfg(feature = "scripts")]
mod rules;
#[cfg(feature = "scripts")]
mod script;
mod value;

pub use graph::Graph;
#[cfg(feature = "scripts")]
pub use script::{
    MAX_CALLS, MAX_ELEMENTS, MAX_LENGTH, MAX_OPERATIONS, MAX_TEXT, Program, ProgramError, read_game,
};
pub use value::{Value, ValueError};

use bouton_core::NotationError;
use bouton_engine::family::name_prefix;
use std::path::Path;

/// Returns the name of a game from the name of its file without the ending.
fn name_of(path: Option<&Path>) -> String {
    let stem = path.and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    stem.unwrap_or_default()
}

/// Returns an error if `name` cannot be the name of a game; `text` is the text that states it at
/// `at`.
fn check_name(name: &str, text: &str, at: std::ops::Range<usize>) -> Result<(), NotationError> {
    if !name.is_empty() && name_prefix(name) == name {
        return Ok(());
    }
    let message = format!("`{name}` is no name of a game");
    Err(NotationError::new(
        text,
        at,
        message,
        "a letter, then letters, digits and `-`, e.g. my-game",
    ))
}

/// Returns whether a text states a finite graph: JSON, DOT, or lines of moves, in none of which the
/// `=` of a rule file stands. A single line needs an arrow or a colon: two words may be a name.
pub fn is_graph(text: &str) -> bool {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    text.trim_start().starts_with('{')
        || dot::is_dot(text)
        || !lines.iter().any(|line| line.contains('='))
            && match lines[..] {
                [line] => line.starts_with('[') || line.contains([':', '>', '→']),
                _ => lines.iter().any(|line| line.contains([' ', '\t', ',', ':', '>', '→'])),
            }
}

/// Returns whether a text states rules as a program: a line of it begins with `fn `, or the
/// function that every program has is in it, as in no rule file.
pub fn is_program(text: &str) -> bool {
    let needed = ["fn options(", "fn left("];
    text.lines().any(|line| line.starts_with("fn "))
        || needed.iter().any(|function| text.contains(function))
}

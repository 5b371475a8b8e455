//! The families of games, one file each: rules, notation, board.
//!
//! [`FAMILIES`] is the one list. To add a game: write its file, add a line there, and an oracle under tests/oracles.

mod cash;
mod circular;
mod dots;
mod family;
mod kotzig;
mod moore;
mod nim;
mod rings;
mod rows;
mod rule_file;
mod shrinking;
mod simplicial;
mod subtraction;
mod take_and_break;
mod wythoff;

pub use cash::Cash;
pub use circular::{Circular, Taking};
pub use dots::Dots;
pub use family::{Example, Family};
pub use kotzig::Kotzig;
pub use moore::Moore;
pub use nim::Nim;
pub use rule_file::{MOST_HEAPS, RuleFile, RuleFileError, is_registered, own_games, register};
pub use shrinking::Shrinking;
pub use simplicial::Simplicial;
pub use subtraction::Subtraction;
pub use take_and_break::TakeAndBreak;
pub use wythoff::Wythoff;

use bouton_rules::NotationError;
use bouton_solve::game::{Game, Kind};
use bouton_solve::sum::sum;

/// Every family. The first that claims a name reads it.
pub const FAMILIES: &[Family] = &[
    nim::FAMILY,
    moore::FAMILY,
    take_and_break::NAMED,
    take_and_break::FAMILY,
    wythoff::FAMILY,
    subtraction::FAMILY,
    circular::FAMILY,
    shrinking::FAMILY,
    simplicial::FAMILY,
    kotzig::FAMILY,
    cash::FAMILY,
    subtraction::PILE,
    dots::FAMILY,
];

/// A game, with the position that its text went on to name: `kayles:7 + nim:4` is a game and a position.
pub struct Named {
    /// The game.
    pub game: Box<dyn Game>,
    /// The position after the colon, in normal form.
    pub position: Option<String>,
}

/// Reads a game, or a sum of games with `+`; with `:` and a position after each summand, also a position.
pub fn parse(text: &str) -> Result<Named, NotationError> {
    let mut games = Vec::new();
    let mut positions = Vec::new();
    for (offset, part) in summands(text) {
        let (name, position) = match part.split_once(':') {
            Some((name, position)) => (name, Some((offset + name.len() + 1, position))),
            None => (part, None),
        };
        let game = parse_one(name).map_err(|error| error.within(text, offset))?;
        if let Some((at, position)) = position {
            positions.push(game.normal_form(position).map_err(|error| error.within(text, at))?);
        }
        games.push((offset, part.len(), game));
    }
    if !positions.is_empty() && positions.len() < games.len() {
        let accepted = "a position for every summand or for none, e.g. kayles:7 + nim:4";
        return Err(NotationError::new(text, 0..text.len(), "some summands lack a position", accepted));
    }
    let position = (!positions.is_empty()).then(|| positions.join(" + "));
    if let [(_, _, _)] = games[..] {
        let game = games.remove(0).2;
        return Ok(Named { game, position });
    }
    if let Some((at, len, _)) = games.iter().find(|(_, _, game)| game.kind() == Kind::Scored) {
        let accepted = "sums of games that the last move decides, e.g. kayles + nim";
        let message = "a game won on points can't stand in a sum";
        return Err(NotationError::new(text, *at..at + len, message, accepted));
    }
    let games: Vec<Box<dyn Game>> = games.into_iter().map(|(_, _, game)| game).collect();
    let game = sum(&games).expect("more than one game, none scored");
    Ok(Named { game, position })
}

/// The summands of a text with their byte offsets: `+` inside brackets belongs to a code.
fn summands(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0i32);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            '+' if depth <= 0 => {
                parts.push((start, &text[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push((start, &text[start..]));
    parts
}

fn parse_one(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let trimmed = text.trim_start();
    let offset = text.len() - trimmed.len();
    let family = FAMILIES.iter().find(|family| (family.claims)(trimmed));
    match family {
        Some(family) => (family.parse)(text),
        None => {
            if let Some(own) = rule_file::registered(text) {
                return Ok(own);
            }
            let head = family::head(trimmed);
            let first = trimmed.chars().next().map_or(0, char::len_utf8);
            let at = offset..offset + head.len().max(first);
            let message = match &text[at.clone()] {
                "" => "a game is missing".into(),
                word => format!("there is no game `{word}`"),
            };
            let games: Vec<&str> = FAMILIES.iter().map(|family| family.examples[0].game).collect();
            let accepted = format!("games like {}", games.join(", "));
            Err(NotationError::new(text, at, message, accepted))
        }
    }
}

//! A game and a position of it as words: names of several words without quotation marks, positions
//! behind names, heaps that make a sum, and heaps that are larger than positions hold.

use crate::answer::normal_form;
#[cfg(not(target_family = "wasm"))]
use crate::large_sums::SummandPosition;
use bouton_core::NotationError;
use bouton_engine::Game;
use bouton_engine::sum::Sum;
#[cfg(not(target_family = "wasm"))]
use bouton_games::summands;
use bouton_games::{
    Catalogue, ParsedGame, check_numbers, is_multiple, list_for, with_powers_evaluated,
};

/// The most words of a game's name that stand without quotation marks.
const MAX_WORDS: usize = 8;

/// Why words name no position.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NamedPositionError {
    /// No game.
    #[error(transparent)]
    Game(NotationError),
    /// No position of the game.
    #[error(transparent)]
    Position(NotationError),
    /// A position in the game's text, and another one.
    #[error("there are two positions, `{0}` and `{1}`")]
    TwoPositions(String, String),
    /// No position, of a game without a start of its own.
    #[error("{game} has no starting position of its own; give one: {accepted}")]
    NoStart {
        /// The game.
        game: String,
        /// How positions are written.
        accepted: String,
    },
}

/// Reads a game and a position of it: the one given, the one in the game's text, or the game's own
/// start. Heaps of the position are of any size where proofs may answer; heaps of a game on one
/// heap are a sum.
///
/// # Errors
///
/// If the words are no game, no position of it, or two positions, or no position is given and the
/// game has no start.
pub fn named_position(
    catalogue: &Catalogue,
    game: &str,
    position: Option<&str>,
) -> Result<(ParsedGame, String), NamedPositionError> {
    if let Some(words) = position
        && let Some(ParsedGame { game, position: Some(position), opening }) =
            numbered_name(catalogue, game, words).map_err(NamedPositionError::Game)?
    {
        return Ok((ParsedGame { game, position: None, opening }, position));
    }
    let (named, position) = match game_of_words(catalogue, game, position) {
        Ok((named, position)) => longer_name(catalogue, game, named, position)?,
        // A heap that is larger than tables hold: `wythoff 10^12,10^13`; or behind a game in words:
        // `remove 1-3 10`.
        Err(error) => {
            let words: Vec<&str> = std::iter::once(game).chain(position).collect();
            let large = large_position(catalogue, &words.join(" "));
            return large.ok_or(NamedPositionError::Game(error));
        }
    };
    match (position, &named.position) {
        (Some(position), None) => position_of(catalogue, game, named, position),
        (None, Some(position)) => {
            let position = position.clone();
            Ok((named, position))
        }
        (Some(position), Some(other)) => {
            Err(NamedPositionError::TwoPositions(other.clone(), position.to_owned()))
        }
        (None, None) => match named.game.start().or_else(|| named.opening.clone()) {
            Some(start) => Ok((named, start)),
            None => Err(no_start(&*named.game, game)),
        },
    }
}

/// Reads a game and a position apart from it that together have a longer name: the number behind a
/// name belongs to it, `welter 3` with `1,4,8`, and so does one before a list of heaps, `welter` with
/// `3 1,4,8`. `None` if they have none.
///
/// # Errors
///
/// If the number may be a heap, too: `nim` with `2 5,6`.
pub fn numbered_name(
    catalogue: &Catalogue,
    game: &str,
    position: &str,
) -> Result<Option<ParsedGame>, NotationError> {
    match catalogue.numbered_name_at(game, position) {
        None => catalogue.numbered_name(&format!("{game} {position}")),
        named => Ok(named),
    }
}

/// Returns the sum that heaps of a game on one heap make, with its position. `None` if they are a
/// position of the game, or of no such sum.
pub fn heaps_as_sum(
    catalogue: &Catalogue,
    text: &str,
    game: &dyn Game,
    heaps: &str,
) -> Option<ParsedGame> {
    if normal_form(game, heaps).is_ok() {
        return None;
    }
    catalogue.sum_of_heaps(text, heaps)
}

/// Reads a sum of which positions may be larger than a sum holds: `kayles 10^12 + nim 5`, or `kayles
/// + nim` with the position `10^12 + 5`. `None` if a summand is none or lacks a position.
#[cfg(not(target_family = "wasm"))]
pub fn summand_positions(
    catalogue: &Catalogue,
    game: &str,
    position: Option<&str>,
) -> Option<Vec<SummandPosition>> {
    let (game, position) = (with_powers_evaluated(game), position.map(with_powers_evaluated));
    let (games, positions) = (summands(&game), position.as_deref().map(summands));
    let summand_texts: Vec<String> = match positions {
        Some(positions) if games.len() > 1 && games.len() == positions.len() => games
            .iter()
            .zip(positions)
            .map(|(game, position)| [game.1, position.1].join(" "))
            .collect(),
        _ => {
            let words: Vec<&str> =
                [Some(&*game), position.as_deref()].into_iter().flatten().collect();
            summands(&words.join(" ")).into_iter().map(|(_, text)| text.to_owned()).collect()
        }
    };
    if summand_texts.len() < 2 {
        return None;
    }
    let summand = |text: &String| {
        let small =
            catalogue.parse(text).ok().and_then(|named| Some((named.game, named.position?)));
        let large = || {
            large_position(catalogue, text.trim()).map(|(named, position)| (named.game, position))
        };
        let (game, position) = small.or_else(large)?;
        Some(SummandPosition { game, position })
    };
    summand_texts.iter().map(summand).collect()
}

/// Reads a game; words that belong to its name are taken from the position.
fn game_of_words<'p>(
    catalogue: &Catalogue,
    game: &str,
    position: Option<&'p str>,
) -> Result<(ParsedGame, Option<&'p str>), NotationError> {
    if let Some(words) = position {
        check_numbers(&format!("{game} {words}"))?;
    }
    // `3*kayles` with `5` is three times `kayles 5`.
    if let Some(words) = position.filter(|_| is_multiple(game))
        && let Ok(whole) = catalogue.parse(&format!("{game} {words}"))
        && whole.position.is_some()
    {
        return Ok((whole, None));
    }
    let (error, words) = match (catalogue.parse(game), position) {
        (Ok(named), position) => return Ok((named, position)),
        (Err(error), None) => return Err(error),
        (Err(error), Some(words)) => (error, words),
    };
    // A subtraction set in these words, and perhaps a heap: `S 1 2 21`.
    if game.eq_ignore_ascii_case("s") && words.contains(',') {
        // What may be taken, and heaps apart from it: `S 1,3,4 10`.
        if words.contains(char::is_whitespace) {
            return Ok((catalogue.parse(&format!("S {words}"))?, None));
        }
        if let Some((set, heap)) = words.rsplit_once(',').filter(|(set, _)| set.contains(',')) {
            let text = format!("{game} {words}");
            let message = format!("`{heap}` may be what may be taken, too, or a heap");
            let accepted = format!("S({set}) {heap}, or S({words}) 20");
            return Err(NotationError::new(&text, 0..text.len(), message, accepted));
        }
    }
    // A name of several words without quotation marks: `turning turtles HTTH`.
    if let Some(named) = name_of_words(catalogue, game, words) {
        return Ok((named, None));
    }
    if words.contains(char::is_alphabetic) {
        // The error names all words, not the first alone.
        let all = format!("{game} {}", words.replace(',', " "));
        return Ok((catalogue.parse(&all)?, None));
    }
    Err(error)
}

/// Takes words of what was read as the position to the game's name, if together they name a game.
fn longer_name<'p>(
    catalogue: &Catalogue,
    game: &str,
    named: ParsedGame,
    position: Option<&'p str>,
) -> Result<(ParsedGame, Option<&'p str>), NamedPositionError> {
    let Some(words) = position.filter(|_| named.position.is_none()) else {
        return Ok((named, position));
    };
    // The name may go on behind a word that is a name itself: `wythoff nim 8,13`.
    if words.starts_with(char::is_alphabetic)
        && normal_form(&*named.game, words).is_err()
        && let Some(longer) = name_of_words(catalogue, game, words)
    {
        return Ok((longer, None));
    }
    // `kayles 20 + nim 7` in these words is a sum, each summand with its position.
    let is_word = !words.contains(char::is_whitespace) && named.game.normal_form(words).is_ok();
    if words.contains('+') && !is_word && !named.game.ruleset().is::<Sum>() {
        let sum = catalogue.parse(&format!("{game} {words}")).map_err(NamedPositionError::Game)?;
        return Ok((sum, None));
    }
    Ok((named, position))
}

/// Reads a position of a game that was read from a text.
fn position_of(
    catalogue: &Catalogue,
    text: &str,
    named: ParsedGame,
    position: &str,
) -> Result<(ParsedGame, String), NamedPositionError> {
    let error = match normal_form(&*named.game, position) {
        Ok(position) => return Ok((named, position)),
        Err(error) => error,
    };
    // Several heaps of a game on one heap are a sum.
    if let Some(ParsedGame { game, position: Some(position), opening }) =
        catalogue.sum_of_heaps(text, position)
    {
        return Ok((ParsedGame { game, position: None, opening }, position));
    }
    // `dots-and-boxes 2x2` is a game without a position.
    let longer = catalogue.parse(&format!("{text} {position}")).ok();
    let longer = longer.filter(|longer| longer.position.is_none());
    let start = longer.as_ref().and_then(|longer| longer.game.start());
    let sibling = |error| catalogue.with_sibling(&*named.game, position, error);
    longer.zip(start).ok_or_else(|| NamedPositionError::Position(sibling(error)))
}

/// Reads a game whose name goes on in what was taken for its position, words with commas between.
fn name_of_words(catalogue: &Catalogue, game: &str, words: &str) -> Option<ParsedGame> {
    let more =
        (1..=words.matches(',').count() + 1).map(|count| words.replacen(',', " ", count - 1));
    more.take(MAX_WORDS).find_map(|more| catalogue.parse(&format!("{game} {more}")).ok())
}

/// Reads a game and, behind `:` or a space, a position that only what is proved may answer.
fn large_position(catalogue: &Catalogue, text: &str) -> Option<(ParsedGame, String)> {
    let text = &*with_powers_evaluated(text.trim());
    check_numbers(text).ok()?;
    // Names and lists of heaps may have spaces: the longest name counts.
    let spaces = text.rmatch_indices(' ').map(|(at, _)| at);
    text.find(':').into_iter().chain(spaces).find_map(|at| {
        let named = catalogue.parse(&text[..at]).ok().filter(|named| named.position.is_none())?;
        let heaps = list_for(&*named.game, &text[at + 1..])?;
        let position = normal_form(&*named.game, &heaps).ok()?;
        Some((named, position))
    })
}

/// Returns the error for a game without a start, which was read from a text.
fn no_start(game: &dyn Game, text: &str) -> NamedPositionError {
    // `Nim(3,4,5)` may be meant for three heaps.
    let heaps = match text.trim().strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some(("Nim" | "nim", heaps)) if heaps.contains(',') && !heaps.contains(';') => {
            format!("; heaps of Nim stand behind it: nim {heaps}")
        }
        _ => String::new(),
    };
    NamedPositionError::NoStart { game: game.name(), accepted: game.position_form() + &heaps }
}

//! The games that have a name, and the words of the theory, as `bouton games` and `bouton help
//! --json` print them.

use crate::words::Word;
use bouton_engine::Game;
use bouton_games::{Catalogue, Family, Rules, ShelfGame, shelf};
use serde::Serialize;
use std::borrow::Cow;

/// A family, or a game with a name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum GameEntry<'a> {
    /// A family, or a game of a rule file.
    Family(FamilyEntry<'a>),
    /// A game of the shelf.
    Shelf(ShelfEntry<'a>),
}

/// A family, or a game of a rule file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FamilyEntry<'a> {
    /// Its name.
    pub family: Cow<'a, str>,
    /// How a game of it is written.
    pub notation: Cow<'a, str>,
    /// The rules.
    pub about: Cow<'a, str>,
    /// Where they are from.
    pub source: &'a str,
    /// Games of it.
    pub examples: Vec<Example<'a>>,
}

/// A game of a family.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "example")]
pub struct Example<'a> {
    /// The game.
    pub game: &'a str,
    /// A position of it.
    pub position: Option<&'a str>,
}

/// A game with a name.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShelfEntry<'a> {
    /// Its name.
    pub name: &'a str,
    /// Other names.
    pub aliases: Vec<&'a str>,
    /// The group of the shelf.
    pub group: &'a str,
    /// The rules.
    pub about: &'a str,
    /// Where they are from.
    pub source: &'a str,
    /// The game in the notation of a family.
    pub game: &'a str,
    /// A position to begin with.
    pub position: Option<&'a str>,
    /// How people write positions.
    pub positions: Option<&'a str>,
    /// Whether the rules are a program.
    pub program: bool,
}

/// Returns all families and the shelf, as `bouton games --json`.
pub fn games(catalogue: &Catalogue) -> Vec<GameEntry<'_>> {
    let own = catalogue.own_games().into_iter().map(|game| custom_game(&*game));
    let named = shelf().games().iter().map(shelf_game);
    own.chain(catalogue.families().iter().map(family)).chain(named).collect()
}

/// Returns a game of the shelf.
pub fn shelf_game(game: &ShelfGame) -> GameEntry<'_> {
    let notation = match game.rules() {
        Rules::Notation(notation) => notation,
        Rules::File(_) | Rules::Program(_) => &game.name,
    };
    GameEntry::Shelf(ShelfEntry {
        name: &game.name,
        aliases: game.aliases(),
        group: &game.group,
        about: game.sentence(),
        source: game.source(),
        game: notation,
        position: (!game.start.is_empty()).then_some(&game.start),
        positions: game.positions(),
        program: matches!(game.rules(), Rules::Program(_)),
    })
}

/// Returns a game of the user.
pub fn custom_game(game: &dyn Game) -> GameEntry<'static> {
    GameEntry::Family(FamilyEntry {
        family: game.name().into(),
        notation: game.name().into(),
        about: game.describe().into(),
        source: "rule file",
        examples: Vec::new(),
    })
}

/// Returns a family.
pub fn family(family: &Family) -> GameEntry<'_> {
    let examples = family.examples.iter().map(|e| Example {
        game: e.game,
        position: (!e.position.is_empty()).then_some(e.position),
    });
    GameEntry::Family(FamilyEntry {
        family: family.name.into(),
        notation: family.notation.into(),
        about: family.about.into(),
        source: family.source,
        examples: examples.collect(),
    })
}

/// A word of the theory.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename = "word")]
pub struct WordEntry {
    /// The word.
    pub word: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// An example.
    pub example: &'static str,
}

impl From<&Word> for WordEntry {
    fn from(word: &Word) -> WordEntry {
        WordEntry { word: word.name, meaning: word.meaning, example: word.example }
    }
}

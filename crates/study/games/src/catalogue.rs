//! The games that can be named: every family's, and those of rule files. A value, so that two catalogues don't meet.

use crate::{FAMILIES, Family, RuleFile};
use bouton_core::{NotationError, RulesFault};
use bouton_engine::family::head;
use bouton_engine::game::{Game, Kind};
use bouton_engine::sum::sum;
use bouton_kotzig::{MAX_CELLS, is_large_circle};
use std::sync::Arc;

/// A game, with the position that its text went on to name: `kayles:7 + nim:4` is a game and a position.
pub struct Named {
    /// The game.
    pub game: Box<dyn Game>,
    /// The position after the colon, in normal form.
    pub position: Option<String>,
}

/// A name that another game has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the name `{name}` is taken by {by}")]
pub struct NameTaken {
    /// The name.
    pub name: String,
    /// Who has it.
    pub by: String,
}

/// The games that can be named. Clones share the rule files.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    own: Vec<Arc<RuleFile>>,
}

impl Catalogue {
    /// The families that come with Bouton, and nothing else.
    pub fn standard() -> Catalogue {
        Catalogue::default()
    }

    /// This catalogue with one more game.
    pub fn with(mut self, rules: RuleFile) -> Result<Catalogue, NameTaken> {
        if let Some(other) = self.own.iter().find(|own| own.name() == rules.name()) {
            let by = match &other.source().path {
                Some(path) => format!("the rule file {}", path.display()),
                None => "another rule file".into(),
            };
            return Err(NameTaken { name: rules.name().to_owned(), by });
        }
        self.own.push(Arc::new(rules));
        Ok(self)
    }

    /// The families.
    pub fn families(&self) -> &'static [Family] {
        FAMILIES
    }

    /// The games of rule files, in the order in which they were added.
    pub fn own_games(&self) -> Vec<Box<dyn Game>> {
        self.own.iter().map(|rules| rules.game()).collect()
    }

    /// The same of the games that a text names.
    pub fn fault_of(&self, text: &str) -> Option<RulesFault> {
        let named = |rules: &&Arc<RuleFile>| text.contains(rules.name());
        self.own.iter().filter(named).find_map(|rules| rules.fault())
    }

    /// What was found wrong with the rules of a rule file as options were made of them, with its name.
    pub fn fault(&self) -> Option<RulesFault> {
        self.own.iter().find_map(|rules| {
            let fault = rules.fault()?;
            Some(RulesFault { message: format!("{}: {}", rules.name(), fault.message), ..fault })
        })
    }

    /// Reads a game, or a sum of games with `+`; with `:` and a position after each summand, also a position.
    pub fn parse(&self, text: &str) -> Result<Named, NotationError> {
        let mut games = Vec::new();
        let mut positions = Vec::new();
        for (offset, part) in summands(text) {
            let (name, position) = match part.split_once(':') {
                Some((name, position)) => (name, Some((offset + name.len() + 1, position))),
                None => (part, None),
            };
            let game = self.one(name).map_err(|error| error.within(text, offset))?;
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
        if let Some((at, len, _)) = games.iter().find(|(_, _, game)| is_large_circle(&**game)) {
            let accepted = format!("circles of at most {MAX_CELLS} cells in a sum");
            return Err(NotationError::new(
                text,
                *at..at + len,
                "the circle is too large for a sum",
                accepted,
            ));
        }
        let games: Vec<Box<dyn Game>> = games.into_iter().map(|(_, _, game)| game).collect();
        let game = sum(&games).expect("more than one game, none scored");
        Ok(Named { game, position })
    }

    /// Reads one game; a name that is written in other capitals is accepted where only one game can be meant.
    fn one(&self, text: &str) -> Result<Box<dyn Game>, NotationError> {
        if let Some(game) = self.exactly(text) {
            return game;
        }
        let trimmed = text.trim_start();
        let offset = text.len() - trimmed.len();
        let head = head(trimmed);
        let read = |word: &str| {
            let meant = format!("{word}{}", &trimmed[head.len()..]);
            self.exactly(&meant).and_then(Result::ok).map(|game| (meant, game))
        };
        let words = self.words();
        let same = words.iter().filter(|word| !head.is_empty() && word.to_lowercase() == head.to_lowercase());
        let mut meant: Vec<_> = same.filter_map(|word| read(word)).collect();
        if meant.len() == 1 {
            return Ok(meant.remove(0).1);
        }
        let first = trimmed.chars().next().map_or(0, char::len_utf8);
        let at = offset..offset + head.len().max(first);
        let message = match &text[at.clone()] {
            "" => "a game is missing".into(),
            word => {
                let near = |known: &str| distance(&known.to_lowercase(), &word.to_lowercase());
                let likely = words.iter().filter(|known| near(known) <= known.chars().count() / 2);
                // Of two words equally near the one that can be read so, then the one in the same capitals.
                let nearest =
                    likely.min_by_key(|known| (near(known), read(known).is_none(), distance(known, word)));
                match nearest.filter(|known| near(known) <= 2) {
                    Some(near) => {
                        let meant = read(near).map_or_else(|| near.clone(), |(meant, _)| meant);
                        format!("there is no game `{word}`; did you mean `{}`?", meant.trim_end())
                    }
                    None => format!("there is no game `{word}`"),
                }
            }
        };
        let games: Vec<&str> = FAMILIES.iter().map(|family| family.examples[0].game).collect();
        let accepted = format!("games like {}", games.join(", "));
        Err(NotationError::new(text, at, message, accepted))
    }

    /// The game whose name begins just so, if there is one.
    fn exactly(&self, text: &str) -> Option<Result<Box<dyn Game>, NotationError>> {
        let family = FAMILIES.iter().find(|family| (family.claims)(text.trim_start()));
        if let Some(family) = family {
            return Some((family.parse)(text));
        }
        let whole = text.trim();
        let (name, values) = match whole.strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, values)) => (name, Some(values)),
            None => (whole, None),
        };
        let own = self.own.iter().find(|rules| rules.name() == name)?;
        let Some(form) = own.values_form() else { return values.is_none().then(|| Ok(own.game())) };
        let list = values.unwrap_or_default().split(',').map(|value| value.trim().parse::<u32>());
        let game = match list.collect::<Result<Vec<u32>, _>>() {
            Ok(values) => own.at(&values).map_err(|error| error.to_string()),
            Err(_) => Err(format!("{name} has parameters; their values are missing or no numbers")),
        };
        Some(game.map_err(|message| NotationError::new(text, 0..text.len(), message, form)))
    }

    /// The words with which games' names begin, each once.
    fn words(&self) -> Vec<String> {
        let examples = FAMILIES.iter().flat_map(|family| family.examples).map(|example| head(example.game));
        let own = self.own.iter().map(|rules| rules.name());
        let mut words: Vec<String> =
            examples.chain(own).filter(|w| !w.is_empty()).map(str::to_owned).collect();
        words.sort();
        words.dedup();
        words
    }
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

/// How many letters must be changed, put in or left out to make one word of the other (V. I. Levenshtein, 1966);
/// at most the longer word's length. O(product of the lengths), cut at 64 letters.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::*;

    fn own(name: &str) -> RuleFile {
        RuleFile::parse(&format!("name = \"{name}\"\nheaps = 1\nmove = \"q0+1 = p0\"\n")).unwrap()
    }

    #[test]
    fn catalogues_do_not_meet() {
        let one = Catalogue::standard().with(own("walk2").read_from("a/walk.toml")).unwrap();
        assert_eq!(one.parse("walk2:5").unwrap().position.as_deref(), Some("5"));
        assert_eq!(one.own_games()[0].rule_files()[0].path.as_deref(), Some("a/walk.toml".as_ref()));
        let sum = one.parse("nim + walk2 + walk2").unwrap().game;
        assert_eq!(sum.rule_files().iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["walk2"]);
        assert!(Catalogue::standard().parse("walk2").is_err());
        let taken = one.with(own("walk2")).unwrap_err();
        assert_eq!(taken.to_string(), "the name `walk2` is taken by the rule file a/walk.toml");
    }

    #[test]
    fn capitals_that_can_mean_one_game_only_are_accepted() {
        let all = Catalogue::standard().with(own("walk")).unwrap();
        for (text, name) in [
            ("Nim", "nim"),
            ("KAYLES", "kayles"),
            ("cn(4,2)", "CN(4,2)"),
            ("scn(4,2)", "SCN(4,2)"),
            ("Wythoff", "wythoff"),
            ("Nim(1,3;n)", "NIM(1,3;n)"),
            ("Dawson-Kayles", "dawson-kayles"),
            ("WALK", "walk"),
            ("s(1,2)", "S(1,2)"),
        ] {
            assert_eq!(all.parse(text).unwrap().game.name(), name, "{text}");
        }
    }

    #[test]
    fn the_nearest_game_is_named() {
        for (text, meant) in [
            ("nimm", "`nim`"),
            ("kayle", "`kayles`"),
            ("Gama(1,2;7)", "`Gamma(1,2;7)`"),
            ("wytoff", "`wythoff`"),
            ("CM(5,2)", "`CN(5,2)`"),
            ("nim2", "`nim`"),
            ("gruny(2)", "`grundy(2)`"),
        ] {
            let message = Catalogue::standard().parse(text).err().unwrap().message;
            assert!(message.ends_with(&format!("did you mean {meant}?")), "{text}: {message}");
        }
        let far = Catalogue::standard().parse("bridge").err().unwrap().message;
        assert_eq!(far, "there is no game `bridge`");
    }

    #[test]
    fn distances() {
        for (one, other, apart) in [("", "", 0), ("nim", "nimm", 1), ("kitten", "sitting", 3), ("", "abc", 3)]
        {
            assert_eq!((distance(one, other), distance(other, one)), (apart, apart));
        }
    }
}

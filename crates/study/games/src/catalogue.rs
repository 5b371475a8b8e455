//! The games that can be named: every family's, those of the shelf, and those of rule files. A
//! value, so that two catalogues don't meet.

#[cfg(not(target_family = "wasm"))]
use crate::position_reader::PositionReader;
use crate::shelf::with_other_misere;
use crate::{FAMILIES, Family, RuleFile, Rules, ShelfGame, shelf};
use bouton_core::{Arrange, NotationError, Play, WrittenNumber};
use bouton_core::{comma_list, comma_list_for, is_in_row_of_signs, letters_and_digits};
use bouton_engine::family::{OwnGame, name_prefix};
use bouton_engine::game::{Game, Kind};
use bouton_engine::sum::sum;
use bouton_kotzig::{MAX_CELLS, is_large_circle};
use std::borrow::Cow;
use std::sync::Arc;

/// A game, with the position that its text went on to name: `kayles:7 + nim:4` is a game and a
/// position.
pub struct ParsedGame {
    /// The game.
    pub game: Box<dyn Game>,
    /// The position after the colon or the name, in normal form.
    pub position: Option<String>,
    /// A position to begin with if none is given, in normal form; none of a game that is not on the
    /// shelf.
    pub opening: Option<String>,
}

impl ParsedGame {
    /// Returns a game without a position.
    pub fn game(game: Box<dyn Game>) -> ParsedGame {
        ParsedGame { game, position: None, opening: None }
    }
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

/// Heaps of a game on one heap that are read as a sum, at most.
const MAX_COPIES: usize = 64;

/// Reads a game whose rules are the text of a program.
pub type ReadProgram = fn(&str) -> Result<Box<dyn Game>, NotationError>;

/// The games that can be named. Clones share the rule files.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    programs: Option<ReadProgram>,
    own: Vec<Arc<RuleFile>>,
    others: Vec<Arc<dyn OwnGame>>,
}

impl Catalogue {
    /// Returns the families that come with Bouton, and nothing else.
    pub fn standard() -> Catalogue {
        Catalogue::default()
    }

    /// Adds the games of the shelf whose rules are programs; `read` is what runs them.
    #[must_use]
    pub fn with_programs(mut self, read: ReadProgram) -> Catalogue {
        self.programs = Some(read);
        self
    }

    /// Returns whether a game of the shelf can be played here: programs need
    /// [`Catalogue::with_programs`].
    pub fn can_run(&self, game: &ShelfGame) -> bool {
        self.programs.is_some() || !matches!(game.rules(), Rules::Program(_))
    }

    /// Adds the game of a rule file. Fails if another game has its name.
    pub fn with_rule_file(mut self, rules: RuleFile) -> Result<Catalogue, NameTaken> {
        self.free(rules.name())?;
        self.own.push(Arc::new(rules));
        Ok(self)
    }

    /// Adds a game whose rules are a program or data. Fails if another game has its name.
    pub fn with_own_game(mut self, game: Arc<dyn OwnGame>) -> Result<Catalogue, NameTaken> {
        self.free(game.name())?;
        self.others.push(game);
        Ok(self)
    }

    /// Returns an error if a game has the name.
    fn free(&self, name: &str) -> Result<(), NameTaken> {
        let files = self.own.iter().map(|own| (own.name(), own.source().path.clone()));
        let others = self.others.iter().map(|own| (own.name(), own.source().path.clone()));
        if let Some((_, path)) = files.chain(others).find(|(taken, _)| *taken == name) {
            let by = match &path {
                Some(path) => format!("the rule file {}", path.display()),
                None => "another rule file".into(),
            };
            return Err(NameTaken { name: name.to_owned(), by });
        }
        let family = FAMILIES.iter().find(|family| (family.claims)(name));
        match family {
            Some(family) => {
                Err(NameTaken { name: name.to_owned(), by: format!("the family {}", family.name) })
            }
            None => Ok(()),
        }
    }

    /// Returns the families.
    pub fn families(&self) -> &'static [Family] {
        FAMILIES
    }

    /// Returns the game of the shelf that a name or alias means, if `game` is the one of that name
    /// and not one of the user's.
    pub fn entry(&self, name: &str, game: &dyn Game) -> Option<&'static ShelfGame> {
        let is_own = self.own_games().iter().any(|own| own.name() == game.name());
        let is_meant =
            |name: &str| self.parse(name).is_ok_and(|named| named.game.name() == game.name());
        ShelfGame::named(name).filter(|entry| !is_own && is_meant(&entry.name))
    }

    /// Returns what a game is called on pages: the name or alias that was typed, if the shelf has
    /// it, else its own name.
    pub fn display_name(&self, typed: &str, game: &dyn Game) -> String {
        if self.entry(typed, game).is_some() { typed.to_owned() } else { game.name() }
    }

    /// Returns how a game is played: as the shelf says it of this name, else as the game does.
    pub fn sentence(&self, name: &str, game: &dyn Game) -> String {
        let sentence = self.entry(name, game).map(ShelfGame::sentence);
        sentence
            .filter(|sentence| !sentence.is_empty())
            .map_or_else(|| game.describe(), str::to_owned)
    }

    /// Returns the games of rule files, in the order in which they were added.
    pub fn own_games(&self) -> Vec<Box<dyn Game>> {
        let others = self.others.iter().map(|own| own.game());
        self.own.iter().map(|rules| rules.game()).chain(others).collect()
    }

    /// Returns the game of a rule file whose name a text begins with, perhaps with a position
    /// behind it: no other game is meant then, whatever its name is.
    pub(crate) fn own_game_of(&self, text: &str) -> Option<Box<dyn Game>> {
        let is_named = |name: &str| {
            let behind = text.trim_start().strip_prefix(name);
            let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
            behind.is_some_and(|rest| !rest.starts_with(goes_on))
        };
        let file = self.own.iter().find(|own| is_named(own.name())).map(|own| own.game());
        file.or_else(|| self.others.iter().find(|own| is_named(own.name())).map(|own| own.game()))
    }

    /// Reads a game, or a sum of games with `+`; with a position after each summand, behind `:` or
    /// a space, also a position.
    pub fn parse(&self, text: &str) -> Result<ParsedGame, NotationError> {
        let text = &*with_powers_evaluated(text);
        let (mut games, mut positions, mut openings) = (Vec::new(), Vec::new(), Vec::new());
        for (offset, part) in summands(text) {
            let read = match self.summand(part) {
                Ok(named) => vec![named],
                Err(error) => self
                    .copies(part)
                    .or_else(|| Some(vec![self.with_number(part)?]))
                    .ok_or_else(|| error.in_longer_text(text, offset))?,
            };
            for ParsedGame { game, position, opening } in read {
                positions.extend(position);
                openings.extend(opening.or_else(|| game.start()));
                games.push((offset, part.len(), game));
            }
        }
        if !positions.is_empty() && positions.len() < games.len() {
            let accepted = "a position for every summand or for none, e.g. kayles:7 + nim:4";
            return Err(NotationError::new(
                text,
                0..text.len(),
                "some summands lack a position",
                accepted,
            ));
        }
        let position = (!positions.is_empty()).then(|| positions.join(" + "));
        let opening = (openings.len() == games.len()).then(|| openings.join(" + "));
        if let [(_, _, _)] = games[..] {
            let game = games.remove(0).2;
            return Ok(ParsedGame { game, position, opening });
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
        let game = with_other_misere(sum(&games).expect("more than one game, none scored"));
        Ok(ParsedGame { game, position, opening })
    }

    /// Reads a game on one heap with a list of heaps as this many games, each with its heap:
    /// `mark 5,7`, or `take an odd number from 5 and 7`, is a sum of two.
    fn copies(&self, text: &str) -> Option<Vec<ParsedGame>> {
        check_numbers(text).ok()?;
        #[cfg(not(target_family = "wasm"))]
        if let Some(pieces) = self.pieces(text) {
            return Some(pieces);
        }
        let text = text.trim_end().replace(", ", ",");
        let apart = || {
            let places = text.match_indices([':', ' ', '[', '{']);
            let mut parts = places.map(|(at, sign)| {
                let is_bracket = matches!(sign, "[" | "{");
                (&text[..at], comma_list(&text[at + usize::from(!is_bracket)..]))
            });
            parts.find_map(|(name, list)| Some((name.to_owned(), list?)))
        };
        #[cfg(not(target_family = "wasm"))]
        let (name, list): (String, String) = match self.phrase(&text) {
            Some((game, Some(heaps))) => (game, heaps),
            _ => apart()?,
        };
        #[cfg(target_family = "wasm")]
        let (name, list): (String, String) = apart()?;
        let heaps: Vec<&str> = list.split(',').collect();
        let is_number = |heap: &str| WrittenNumber::whole(heap).is_some();
        if heaps.len() < 2 || heaps.len() > MAX_COPIES || !heaps.iter().all(|heap| is_number(heap))
        {
            return None;
        }
        let game = self.one(&name).ok()?;
        if game.position.is_some()
            || game.game.kind() != Kind::Impartial
            || game.game.single(1).is_none()
            // The number says how large the game is: `juniper-green 10`.
            || game.game.normal_form("2").is_ok_and(|position| position != "2")
        {
            return None;
        }
        // A game that reads two numbers says itself what is wrong with these.
        if ["1,2", "2,1", "3,2"].iter().any(|pair| game.game.normal_form(pair).is_ok()) {
            return None;
        }
        heaps.into_iter().map(|heap| self.summand(&format!("{name}:{heap}")).ok()).collect()
    }

    /// Reads words for a take-away game, unless the first are the name of a game of a rule file, or
    /// of one of the shelf without a word for a move behind it: `candy piles 4,3,1`.
    #[cfg(not(target_family = "wasm"))]
    fn phrase(&self, text: &str) -> Option<(String, Option<String>)> {
        let is_shelved = || self.shelf_game(text).is_some_and(|game| game.name != "nim");
        if self.own_game_of(text).is_some() || !crate::phrase::is_meant(text) && is_shelved() {
            return None;
        }
        crate::phrase::read(text)
    }

    /// Reads several squares of a game of one piece on a chessboard as this many games: `wythoff d7
    /// e4` is a sum of two.
    #[cfg(not(target_family = "wasm"))]
    fn pieces(&self, text: &str) -> Option<Vec<ParsedGame>> {
        let text = text.trim();
        let places = text.match_indices([':', ' ']).map(|(at, _)| at);
        let is_square = |word: &&str| {
            let row = word.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
            !row.is_empty() && row.bytes().all(|c| c.is_ascii_digit())
        };
        let apart = |at: usize| -> Option<(&str, Vec<&str>)> {
            let squares = text[at + 1..].split([',', ' ']).filter(|word| !word.is_empty());
            let squares: Vec<&str> = squares.collect();
            let are_pieces = (2..=MAX_COPIES).contains(&squares.len());
            (are_pieces && squares.iter().all(is_square)).then_some((&text[..at], squares))
        };
        let (name, squares) = places.into_iter().find_map(apart)?;
        let entry = self.shelf_game(name)?;
        if entry.reader != Some(PositionReader::Square) || self.one(name).ok()?.position.is_some() {
            return None;
        }
        squares.into_iter().map(|square| self.summand(&format!("{name}:{square}")).ok()).collect()
    }

    /// Returns the game of the shelf that a text names, which may go on with a position: the
    /// longest name counts. `None` of other games, and of those of a rule file.
    pub fn shelf_game(&self, text: &str) -> Option<&'static ShelfGame> {
        let text = text.trim();
        // A position may stand behind a bracket, too: `wythoff-misere[1,2]`.
        let ends_name =
            |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '&' | '\'' | '’'));
        let ends = text.match_indices(ends_name).map(|(at, _)| at).chain([text.len()]);
        let names: Vec<&str> = ends.map(|end| text[..end].trim()).collect();
        if self.own_game_of(text).is_some() {
            return None;
        }
        // `CN(6,3)` is not looked up as CN.
        let is_of_family = || FAMILIES.iter().any(|family| (family.claims)(text));
        let is_notation = |name: &str| {
            text[name.len()..].starts_with('(') && name_prefix(text) == name && is_of_family()
        };
        names.iter().rev().filter(|name| !is_notation(name)).find_map(|name| ShelfGame::named(name))
    }

    /// Returns the games of the shelf among the summands that a text names.
    pub fn shelf_games(&self, text: &str) -> impl Iterator<Item = &'static ShelfGame> {
        summands(text).into_iter().filter_map(|(_, part)| self.shelf_game(part))
    }

    /// Returns how the game that a text names is played: in misère play if that is asked for, or if
    /// its name on the shelf says so, as `nim-3-misere` or `Misère Nim`. A game of a rule file is
    /// what its file says, whatever its name.
    pub fn play_of(&self, text: &str, asked: Play) -> Play {
        let is_misere = |game: &ShelfGame| game.name.ends_with("-misere");
        if self.shelf_games(text).any(is_misere) { Play::Misere } else { asked }
    }

    /// Reads several heaps of a game on one heap, which are no position of it, as the sum of so
    /// many games: `mark` with `5,7` is `mark + mark` with `5 + 7`. Nothing if the game or the text
    /// is of another kind.
    pub fn sum_of_heaps(&self, game: &str, heaps: &str) -> Option<ParsedGame> {
        let text = format!("{game}:{heaps}");
        self.copies(&text)?;
        self.parse(&text).ok().filter(|named| named.position.is_some())
    }

    /// Reads a game of which no position is wanted.
    ///
    /// # Errors
    /// If the text is no game, or names a position of one.
    pub fn parse_alone(&self, text: &str) -> Result<ParsedGame, NotationError> {
        let named = self.parse(text)?;
        let Some(position) = &named.position else { return Ok(named) };
        let other = self.with_number(text).map_or(String::new(), |_| {
            let (name, number) = text.trim().rsplit_once(' ').unwrap_or_default();
            format!(", or '{}-{number}'", name.trim())
        });
        let game = named.game.name();
        Err(NotationError::new(
            text,
            0..text.len(),
            format!(
                "this names the position {position} of {game}, and the question is about a game"
            ),
            format!("'{game}'{other}"),
        ))
    }

    /// Returns the game of the shelf whose name ends in a number, where that stands behind a space:
    /// `welter 3` is welter-3. `None` of other texts.
    fn with_number(&self, text: &str) -> Option<ParsedGame> {
        let (name, number) = text.trim().rsplit_once(' ')?;
        if number.is_empty()
            || !number.bytes().all(|c| c.is_ascii_digit())
            || self.own_game_of(name).is_some()
        {
            return None;
        }
        let name = format!("{}-{number}", name.trim());
        ShelfGame::named(&name)?;
        self.known(&name)?.ok()
    }

    /// Reads a name of the shelf that ends in a number and a list of heaps behind it, as `welter 3
    /// 1,4,8`: the list is the position, and the number belongs to the name. `None` of other texts,
    /// also of `welter 3 1 4 8`, in which nothing tells the number from the list.
    ///
    /// # Errors
    ///
    /// If the number may be a heap, too, or say which game it is: `nim 2 5,6`, `moore 2 1,2,3`.
    pub fn numbered_name(&self, text: &str) -> Result<Option<ParsedGame>, NotationError> {
        for (name, number, list) in numbers_before_lists(text) {
            let named = self.numbered_name_at(&format!("{name} {number}"), list);
            if named.is_some() {
                return Ok(named);
            }
            if let Some((message, accepted)) = self.unclear_number(name, number, list) {
                return Err(refused(text, message, accepted));
            }
        }
        Ok(None)
    }

    /// Returns why a number between a name and a list of heaps is unclear, and what to write, if it
    /// may be a heap, or say which game of a family it is, or end a longer name.
    fn unclear_number(&self, name: &str, number: &str, list: &str) -> Option<(String, String)> {
        let whole = format!("{number},{}", comma_list(list)?);
        let named = self.one(name).ok().filter(|named| named.position.is_none())?;
        named.game.normal_form(&whole).ok()?;
        let (meaning, other) = self.game_with_number(name, number, list)?;
        let message = format!("`{number}` may be a heap, or {meaning}");
        Some((message, format!("{other} {}, or {name} {whole}", comma_list(list)?)))
    }

    /// Returns the game that a name and a number may mean, if a list of heaps is a position of it
    /// or has as many numbers, and what the number says then.
    fn game_with_number(&self, name: &str, number: &str, list: &str) -> Option<(String, String)> {
        let entry = ShelfGame::named(name).filter(|_| self.own_game_of(name).is_none())?;
        if let Some(longer) = self.with_number(&format!("{name} {number}")) {
            let count = comma_list(list)?.split(',').count();
            let is_long = longer.game.table_shape().is_some_and(|shape| shape.numbers == count);
            let other = format!("{}-{number}", name.trim());
            return is_long.then(|| ("belong to the name of the game".to_owned(), other));
        }
        let number = number.parse::<u64>().ok()?.checked_add(entry.number_from)?;
        let other = format!("{}({number})", entry.notation.as_ref()?);
        let game = with_parameters(&other)?.ok()?.game;
        game.normal_form(&comma_list(list)?).ok()?;
        let meaning = entry.number.as_deref().unwrap_or("a parameter of the game");
        Some((meaning.to_owned(), other))
    }

    /// Refuses a number before two heaps with `and` between them alone, where it may belong to a
    /// name or be a heap: `kayles 3 4 and 5`.
    fn no_unclear_number(&self, text: &str) -> Result<(), NotationError> {
        let text = text.trim();
        let Some((before, second)) = text.rsplit_once(" and ") else { return Ok(()) };
        let mut words = before.rsplitn(3, char::is_whitespace);
        let (first, number, name) = (words.next(), words.next(), words.next());
        let (Some(first), Some(number), Some(name)) = (first, number, name) else { return Ok(()) };
        let (named, heaps) = (format!("{name} {number}"), format!("{first},{second}"));
        if [first, number].iter().any(|word| word.parse::<u64>().is_err())
            || self.numbered_name_at(&named, &heaps).is_none()
        {
            return Ok(());
        }
        let start = text.len() - text[name.len()..].trim_start().len();
        let message = format!("`{}` may be three heaps or two", &text[start..]);
        let accepted = format!("{name} {number},{heaps}, or {name}-{number} {heaps}");
        Err(NotationError::new(text, start..text.len(), message, accepted))
    }

    /// Reads such a name and a position that stands apart from it: `welter 3` at `1 4 8`.
    pub fn numbered_name_at(&self, name: &str, position: &str) -> Option<ParsedGame> {
        let mut named = self.with_number(name)?;
        let read = named.game.normal_form(position.trim());
        let listed = || named.game.normal_form(&list_for(&*named.game, position)?).ok();
        named.position = Some(read.ok().or_else(listed)?);
        Some(named)
    }

    /// Reads one game, and a position behind `:` or a space: `kayles:7`, `kayles 7`, `21 flags`.
    fn summand(&self, text: &str) -> Result<ParsedGame, NotationError> {
        check_numbers(text)?;
        self.no_unclear_number(text)?;
        if let Some(named) = self.numbered_name(text)? {
            return Ok(named);
        }
        let whole = match text.split_once(':') {
            None => self.one(text),
            Some((name, position)) => self
                .one(name)
                .or_else(|error| self.with_number(name).ok_or(error))
                .map_err(|error| error.in_longer_text(text, 0))
                .and_then(|mut named| {
                    let read = named.game.normal_form(position);
                    named.position =
                        Some(read.map_err(|error| error.in_longer_text(text, name.len() + 1))?);
                    Ok(named)
                }),
        };
        // The name before a colon is meant, unless the colon belongs to a position:
        // `domineering right:3x3`.
        let colon = text.find(':').filter(|at| self.known(&text[..*at]).is_some());
        if whole.is_ok() {
            return whole;
        }
        #[cfg(not(target_family = "wasm"))]
        if let Some((game, position)) = self.phrase(text) {
            // The words are not the text that is at fault.
            let wrong = |error: NotationError| {
                NotationError::new(text, 0..text.len(), error.message, error.accepted)
            };
            let mut named = self.one(&game).map_err(wrong)?;
            // Heaps may be larger than positions hold: what is proved may know them.
            let is_large = |text: &str| text.split(',').any(|heap| heap.parse::<u32>().is_err());
            let read = |position: String| match named.game.normal_form(&position) {
                Err(_) if is_large(&position) => Ok(position),
                read => read.map_err(wrong),
            };
            let position = position.map(read).transpose()?;
            named.position = position;
            return Ok(named);
        }
        if colon.is_some() {
            return whole;
        }
        #[cfg(not(target_family = "wasm"))]
        if self.own_game_of(text).is_none()
            && let Some((message, accepted)) = crate::phrase::refusal(text)
        {
            return Err(refused(text, message, accepted));
        }
        #[cfg(not(target_family = "wasm"))]
        if let Some((name, list)) = bracketed(text)
            && let Some(Ok(mut named)) = self.known(name)
            && named.position.is_none()
            // A list in brackets may be another position than its numbers: `[5]` and `5`.
            && let written = text.trim()[name.trim_start().len()..].trim_start()
            && let Ok(position) =
                named.game.normal_form(written).or_else(|_| named.game.normal_form(list))
        {
            named.position = Some(position);
            return Ok(named);
        }
        #[cfg(not(target_family = "wasm"))]
        if self.own_game_of(text).is_none()
            && !crate::phrase::is_meant(text)
            && let Some(bare) = crate::phrase::without_unit(text)
        {
            return self.summand(bare).map_err(|error| error.in_longer_text(text, 0));
        }
        // Names have spaces too: the longest name counts.
        let start = text.len() - text.trim_start().len();
        for (at, _) in text.rmatch_indices(char::is_whitespace).filter(|(at, _)| *at > start) {
            let (name, position) = text.split_at(at);
            if position.trim().is_empty() {
                continue;
            }
            let mut named = match self.known(name) {
                Some(Ok(named)) => named,
                // A name of the shelf means its game, also where this build does not run it.
                Some(Err(error)) if ShelfGame::named(name).is_some() => {
                    return Err(error.in_longer_text(text, 0));
                }
                _ => continue,
            };
            let position_of = |game: &dyn Game| {
                let read = game.normal_form(position.trim());
                if read.is_ok() {
                    return read;
                }
                let list = list_for(game, position);
                #[cfg(not(target_family = "wasm"))]
                let list = list.or_else(|| crate::phrase::heaps_said(position));
                match list {
                    Some(list) => game.normal_form(&list).or(read),
                    None => read,
                }
            };
            let read = position_of(&*named.game);
            // `dots and boxes 3x3` is the game with these parameters.
            if read.is_err()
                && is_rectangle(position.trim())
                && let text = format!("{}({})", name.trim(), position.trim())
                && let Some(Ok(meant)) = with_parameters(&text).or_else(|| Some(self.one(&text)))
            {
                return Ok(meant);
            }
            #[cfg(not(target_family = "wasm"))]
            if read.is_err()
                && self.own_game_of(text).is_none()
                && let Some((at, message)) = crate::phrase::not_understood(text)
            {
                return Err(NotationError::new(text, at, message, crate::phrase::ACCEPTED));
            }
            let offset = at + position.len() - position.trim_start().len();
            // Words behind a name are hardly a position: `dawson chess`.
            if read.is_err()
                && position.split_whitespace().all(|word| word.chars().all(char::is_alphabetic))
                && self.nearest_name(text).is_some()
            {
                return whole;
            }
            let sibling = |error| self.with_sibling(&*named.game, position, error);
            let read = read.map_err(|error| sibling(error).in_longer_text(text, offset));
            named.position = Some(read?);
            return Ok(named);
        }
        let mut words = text.split_whitespace();
        let is_phrase = words.next().is_some_and(|word| word.bytes().all(|c| c.is_ascii_digit()))
            && words.next().is_some_and(|word| word.starts_with(char::is_alphabetic));
        #[cfg(not(target_family = "wasm"))]
        let is_phrase =
            is_phrase || crate::phrase::is_meant(text) || crate::phrase::begins_with_number(text);
        #[cfg(not(target_family = "wasm"))]
        if let Some(goal) = crate::phrase::bare_race(text) {
            let message = "how many are added in a move?";
            let accepted = format!("race to {goal} adding 1 to 10");
            return Err(NotationError::new(text, start..text.trim_end().len(), message, accepted));
        }
        #[cfg(not(target_family = "wasm"))]
        if is_phrase && let Some(number) = crate::phrase::thousands(text) {
            let (message, one) = (format!("`{number}` may be one number"), number.replace(',', ""));
            let accepted = format!("{one}, or {}", number.replace(',', ", "));
            return Err(NotationError::new(text, start..text.trim_end().len(), message, accepted));
        }
        #[cfg(not(target_family = "wasm"))]
        if let Some((at, message)) = crate::phrase::not_understood(text) {
            return Err(NotationError::new(text, at, message, crate::phrase::ACCEPTED));
        }
        if is_phrase {
            let message = format!("there is no game `{}`", text.trim());
            let accepted = "a name of `bouton games`, or words as: 21 stones, take up to 3; take \
                1, 2 or 3 from 21";
            return Err(NotationError::new(text, start..text.trim_end().len(), message, accepted));
        }
        whole
    }

    /// Returns what is wrong with a position, with the game of the shelf that has as many heaps and
    /// else the same name: `end-nim-3` where `end-nim-4` is given three.
    pub fn with_sibling(
        &self,
        game: &dyn Game,
        position: &str,
        error: NotationError,
    ) -> NotationError {
        let sibling = || {
            let name = game.name();
            let (stem, number) = name.rsplit_once('-')?;
            number.parse::<u32>().ok()?;
            let list = comma_list(position)?;
            let entry = ShelfGame::named(&format!("{stem}-{}", list.split(',').count()))?;
            let other = self.one(&entry.name).ok()?.game;
            other.normal_form(&list).ok().map(|list| format!("{} {list}", entry.name))
        };
        match sibling() {
            Some(other) => {
                NotationError { accepted: format!("{}; or {other}", error.accepted), ..error }
            }
            None => error,
        }
    }

    /// Reads one game; a name that is written in other capitals is accepted where only one game can
    /// be meant.
    fn one(&self, text: &str) -> Result<ParsedGame, NotationError> {
        if let Some(game) = self.known(text) {
            return game;
        }
        let parameters = with_parameters(text);
        if let Some(Ok(game)) = parameters {
            return Ok(game);
        }
        let trimmed = text.trim_start();
        let offset = text.len() - trimmed.len();
        let head = name_prefix(trimmed);
        let read = |word: &str| {
            let meant = format!("{word}{}", &trimmed[head.len()..]);
            self.known(&meant).and_then(Result::ok).map(|game| (meant, game))
        };
        let words = self.words();
        let may_differ = !head.is_empty() && self.own_game_of(text).is_none();
        let same = words.iter().filter(|word| may_differ && word.eq_ignore_ascii_case(head));
        let mut meant: Vec<_> = same.filter_map(|word| read(word)).collect();
        if meant.len() == 1 {
            return Ok(meant.remove(0).1);
        }
        if let Some(refused) = parameters {
            return refused;
        }
        let first = trimmed.chars().next().map_or(0, char::len_utf8);
        let mut at = offset..offset + head.len().max(first);
        let words = leading_words(trimmed);
        // What is near the first of several words is hardly meant.
        let is_near =
            |(typed, name): &(&str, String)| *typed == words || distance(typed, name) <= 1;
        let is_one_word = !words.contains(char::is_whitespace);
        let nearest = |word| {
            self.nearest(trimmed, word)
                .filter(|near| is_one_word || near.0 != word || is_near(near))
        };
        let message = match &text[at.clone()] {
            "" => "a game is missing".into(),
            word if trimmed[head.len()..].starts_with('(') && ShelfGame::named(word).is_some() => {
                format!("`{word}` takes nothing like this in parentheses")
            }
            word => match (shelf().why_excluded(words), nearest(word)) {
                (Some(why), _) => format!("`{words}` is no game of this kind: {why}"),
                (None, Some((typed, name))) => {
                    format!("there is no game `{typed}`; did you mean `{name}`?")
                }
                (None, None) => {
                    let all = if words.len() > word.len() { words } else { word };
                    at.end = offset + all.len();
                    let similar: Vec<String> =
                        shelf().sharing_words(all).iter().map(|name| format!("`{name}`")).collect();
                    let meant = match similar.split_last() {
                        None => String::new(),
                        Some((only, [])) => format!("; did you mean {only}?"),
                        Some((last, more)) => {
                            format!("; did you mean {} or {last}?", more.join(", "))
                        }
                    };
                    format!("there is no game `{all}`{meant}")
                }
            },
        };
        let accepted =
            "a name of `bouton games`, or a game in notation, as CN(3,2), S(1,4,7), 0.77";
        Err(NotationError::new(text, at, message, accepted))
    }

    /// Returns the game that is perhaps meant by a text that is no game, as errors of
    /// [`Catalogue::parse`] name it.
    pub fn nearest_game(&self, text: &str) -> Option<String> {
        let trimmed = text.trim();
        let word = name_prefix(trimmed);
        if word.is_empty() || self.parse(text).is_ok() {
            return None;
        }
        self.nearest(trimmed, word).map(|(_, name)| name)
    }

    /// Returns what of a text is no game, and the game whose name is nearest to it; `word` is the
    /// first word of the text.
    fn nearest<'t>(&self, text: &'t str, word: &'t str) -> Option<(&'t str, String)> {
        let trimmed = text.trim_end();
        let read = |known: &str| {
            let meant =
                format!("{known}{}", text.get(name_prefix(text).len()..).unwrap_or_default());
            self.known(&meant).is_some_and(|game| game.is_ok()).then_some(meant)
        };
        let near = |known: &str| distance(&known.to_ascii_lowercase(), &word.to_ascii_lowercase());
        let words = self.words();
        let likely = words.iter().filter(|known| near(known) <= known.chars().count() / 2);
        // Of two words equally near the one that can be read so, then the one in the same capitals.
        let nearest =
            likely.min_by_key(|known| (near(known), read(known).is_none(), distance(known, word)));
        match (nearest.filter(|known| near(known) <= 2), self.nearest_name(trimmed)) {
            // The whole of a name counts more than its first word.
            (None, Some((_, name))) => Some((trimmed, name.to_owned())),
            (Some(word_near), Some((far, name)))
                if far < near(word_near) || far == near(word_near) && trimmed != word =>
            {
                Some((trimmed, name.to_owned()))
            }
            (Some(near), _) => {
                let meant = read(near).unwrap_or_else(|| near.clone());
                Some((word, meant.trim_end().to_owned()))
            }
            (None, None) => None,
        }
    }

    /// Returns the name on the shelf that is nearest to a text, and how many letters apart; `None`
    /// if none is near.
    fn nearest_name(&self, text: &str) -> Option<(usize, &'static str)> {
        let typed = letters_and_digits(text)?;
        let most = (typed.chars().count() / 4).clamp(1, 3);
        let names = shelf().games().iter().flat_map(|game| {
            let typed = &typed;
            game.names()
                .filter_map(move |name| Some((distance(&letters_and_digits(name)?, typed), game)))
        });
        // Of names equally near, one that was begun, or begins what was typed: `chomps` is meant to
        // be `chomp`.
        let is_begun = |game: &ShelfGame| {
            let begun = |name: &str| typed.starts_with(name) || name.starts_with(&typed);
            game.names().filter_map(letters_and_digits).any(|name| begun(&name))
        };
        let near = names.filter(|(far, _)| *far <= most);
        let (far, game) = near.min_by_key(|(far, game)| (*far, !is_begun(game)))?;
        Some((far, &game.name))
    }

    /// Returns the game of this name or notation, if there is one: of a rule file, of the shelf, of
    /// a family.
    fn known(&self, text: &str) -> Option<Result<ParsedGame, NotationError>> {
        // `takeaway 2 1` is no name where a rule file has `takeaway`.
        let is_own = self.own_game_of(text).is_some();
        if !is_own && let Some(found @ Ok(_)) = elsewhere(text).and_then(|own| self.known(&own)) {
            return Some(found);
        }
        if is_position(text) {
            let message = "these are numbers, and no game";
            let accepted = "a game, then its position, as nim 3,5, or nim 3 + kayles 7";
            return Some(Err(NotationError::new(text, 0..text.len(), message, accepted)));
        }
        let own = || self.own_game(text.trim()).map(|game| game.map(ParsedGame::game));
        let shelved = || if is_own { None } else { self.shelved(text) };
        #[cfg(not(target_family = "wasm"))]
        let shelved = || shelved().or_else(|| if is_own { None } else { of_kinds(text) });
        own().or_else(shelved).or_else(|| family_by_name(text)).or_else(|| {
            let family = FAMILIES.iter().find(|family| (family.claims)(text.trim_start()))?;
            Some((family.parse)(text).map(|game| ParsedGame {
                opening: family_opening(family, &*game),
                ..ParsedGame::game(game)
            }))
        })
    }

    /// Returns the game of the shelf of this name.
    fn shelved(&self, text: &str) -> Option<Result<ParsedGame, NotationError>> {
        let entry = ShelfGame::named(text)?;
        let within = |error: NotationError| NotationError {
            text: text.to_owned(),
            at: 0..text.len(),
            ..error
        };
        Some(entry.parse(self.programs).map_err(within).map(|game| {
            let start = Some(entry.start.as_str()).filter(|start| !start.is_empty());
            let opening = start.and_then(|start| game.normal_form(start).ok());
            ParsedGame { opening, ..ParsedGame::game(game) }
        }))
    }

    /// Returns the game of a rule file, with values of its parameters if it has any.
    fn own_game(&self, whole: &str) -> Option<Result<Box<dyn Game>, NotationError>> {
        let (name, values) = match whole.strip_suffix(')').and_then(|text| text.split_once('(')) {
            Some((name, values)) => (name, Some(values)),
            None => (whole, None),
        };
        if let Some(other) = self.others.iter().find(|other| other.name() == name) {
            return values.is_none().then(|| Ok(other.game()));
        }
        let own = self.own.iter().find(|rules| rules.name() == name)?;
        let Some(form) = own.values_form() else { return values.is_none().then(|| Ok(own.game())) };
        let list = values.unwrap_or_default().split(',').map(|value| value.trim().parse::<u32>());
        let game = match list.collect::<Result<Vec<u32>, _>>() {
            Ok(values) => own.at(&values).map_err(|error| error.to_string()),
            Err(_) => Err(format!("{name} has parameters; their values are missing or no numbers")),
        };
        Some(game.map_err(|message| NotationError::new(whole, 0..whole.len(), message, form)))
    }

    /// Returns the words with which games' names begin, each once.
    fn words(&self) -> Vec<String> {
        let examples = FAMILIES
            .iter()
            .flat_map(|family| family.examples)
            .map(|example| name_prefix(example.game));
        let own = self.own.iter().map(|rules| rules.name());
        let own = own.chain(self.others.iter().map(|other| other.name()));
        let mut words: Vec<String> =
            examples.chain(own).filter(|w| !w.is_empty()).map(str::to_owned).collect();
        words.arrange();
        words.dedup();
        words
    }
}

/// Returns whether a text is a list of several numbers with signs between them or brackets around,
/// as `4;5;6`, `(4 5 6)`, `4, 5 and 6`: what stands before it is no heap of it.
pub fn is_list_with_signs(text: &str) -> bool {
    let is_blank_or_digit = |c: char| c.is_whitespace() || c.is_ascii_digit();
    !text.chars().all(is_blank_or_digit) && comma_list(text).is_some_and(|list| list.contains(','))
}

/// Refuses a whole text, without the blanks around it.
fn refused(text: &str, message: String, accepted: String) -> NotationError {
    let start = text.len() - text.trim_start().len();
    NotationError::new(text, start..text.trim_end().len(), message, accepted)
}

/// Returns each name, number behind it and list of several numbers behind that, as which a text
/// may be read: `welter 3 1,4,8`.
fn numbers_before_lists(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let text = text.trim();
    let begins_list = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '{');
    text.match_indices(begins_list).filter_map(move |(at, _)| {
        let (name, number) = text[..at].rsplit_once(char::is_whitespace)?;
        let is_number = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
        let list = text[at..].trim_start();
        (is_number && is_list_with_signs(list)).then_some((name.trim_end(), number, list))
    })
}

/// Returns the summands of a text with their byte offsets: `+` inside brackets belongs to a code,
/// and in a word of nothing but `+` and `-` it is a sign of a row, as in `flip game ++-++`.
/// `3*kayles 5` is three of them.
pub fn summands(text: &str) -> Vec<(usize, &str)> {
    let apart = summands_with_counts(text);
    apart.into_iter().flat_map(|(at, part)| copies_of(at, part)).collect()
}

/// Returns whether a text is several times one game: `3*kayles`, `3 x kayles 5`.
pub fn is_multiple(text: &str) -> bool {
    copies_of(0, text).len() > 1
}

/// Returns a summand as often as the number before it and `*`, `×` or ` x ` says; once if there is
/// none.
fn copies_of(at: usize, part: &str) -> Vec<(usize, &str)> {
    let start = part.len() - part.trim_start().len();
    let digits = part[start..].bytes().take_while(u8::is_ascii_digit).count();
    let (count, behind) = part[start..].split_at(digits);
    let sign = behind.trim_start();
    let game = sign.strip_prefix(['*', '×']).or_else(|| {
        let is_apart = sign.len() < behind.len();
        sign.strip_prefix(['x', 'X']).filter(|game| is_apart && game.starts_with(' '))
    });
    let is_code =
        |game: &str| game.starts_with(|c: char| c.is_ascii_digit()) && game[1..].starts_with('.');
    let game = game.map(str::trim_start);
    let game = game.filter(|game| game.starts_with(char::is_alphabetic) || is_code(game));
    match (count.parse::<usize>(), game) {
        (Ok(count @ 1..=MAX_COPIES), Some(game)) => {
            vec![(at + part.len() - game.len(), game); count]
        }
        _ => vec![(at, part)],
    }
}

/// Returns the texts between `+`.
fn summands_with_counts(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0i32);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            '+' if depth <= 0 && !is_in_row_of_signs(text, at) => {
                parts.push((start, &text[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push((start, &text[start..]));
    parts
}

/// Returns the text with a number added to a power, or taken from it, worked out: `10^9+7` and
/// `2^31-1`. What is behind `+` with something else than the end of a number is a summand.
pub fn with_powers_evaluated(text: &str) -> Cow<'_, str> {
    let mut all = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit())
        && let Some(power) = WrittenNumber::at_start(&rest[at..])
    {
        let end = at + power.length;
        let is_power = rest[at..end].contains(['^', 'e', 'E'])
            && !rest[..at].ends_with(|c: char| c.is_alphanumeric() || ".^-_".contains(c));
        let sum = is_power.then(|| sum_with(&power, &rest[end..])).flatten();
        match sum {
            Some((sum, length)) => {
                all += &rest[..at];
                all += &sum.to_string();
                rest = &rest[end + length..];
            }
            None => {
                all += &rest[..end];
                rest = &rest[end..];
            }
        }
    }
    if all.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(all + rest)
}

/// Returns a power and the number that `behind` adds to it or takes from it, with the length of
/// what is read; `None` if nothing is added, or something else than a number.
fn sum_with(power: &WrittenNumber<'_>, behind: &str) -> Option<(u64, usize)> {
    let sign = behind.chars().next().filter(|c| matches!(c, '+' | '-'))?;
    let number = WrittenNumber::at_start(&behind[1..])?;
    let length = 1 + number.length;
    let after = behind[length..].trim_start();
    let ends = after.is_empty()
        || behind[length..].starts_with([',', ')', ']', '}', ';'])
        || after.starts_with('+') && after.len() < behind[length..].len();
    let (power, number) = (power.value()?, number.value()?);
    let sum = if sign == '+' { power.checked_add(number) } else { power.checked_sub(number) }?;
    ends.then_some((sum, length))
}

/// Returns a list of numbers with commas between; `None` of other texts, and of `1-2-3` where
/// positions of the game have dashes themselves: it is a path of edges there rather than a list.
pub fn list_for(game: &dyn Game, position: &str) -> Option<String> {
    comma_list_for(position, &game.position_form())
}

/// Returns whether a text is nothing but a list of numbers, and so a position.
fn is_position(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b',' | b' '))
        || text.starts_with(|c: char| c.is_ascii_digit())
            && (comma_list(text).is_some()
                || text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'-' | b'/' | b' ')))
}

/// Returns a name and the list of numbers behind it in brackets or braces, as `nim[3,4,5]`, or in
/// parentheses, as `wythoff(3,5)`. One number in parentheses is rather a parameter, and so are
/// those of a name on the shelf, as `cyclic-nimhoff(2,4)`.
#[cfg(not(target_family = "wasm"))]
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let within = |open: char, close: char| text.strip_suffix(close)?.rsplit_once(open);
    let listed = || {
        let (name, inner) = within('(', ')')?;
        let numbered = format!("{name}-{}", inner.replace([',', ' '], "-"));
        (inner.contains(',') && ShelfGame::named(&numbered).is_none()).then_some((name, inner))
    };
    let (start, inner) = within('[', ']').or_else(|| within('{', '}')).or_else(listed)?;
    is_position(inner).then_some((start.trim_end(), inner))
}

/// Returns whether a text is a rectangle as 3x4.
fn is_rectangle(text: &str) -> bool {
    let is_number = |side: &str| !side.is_empty() && side.bytes().all(|c| c.is_ascii_digit());
    text.split_once(['x', '×']).is_some_and(|(rows, columns)| is_number(rows) && is_number(columns))
}

/// Returns the words with which a text begins, up to a word that is no name.
fn leading_words(text: &str) -> &str {
    let mut end = 0;
    for word in text.split_whitespace() {
        let from = end + text[end..].find(word).unwrap_or(0);
        let named = word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'));
        if !named {
            break;
        }
        end = from + word.len();
    }
    &text[..end]
}

/// Returns the edit distance of the first 64 letters (V. I. Levenshtein, 1966).
fn distance(one: &str, other: &str) -> usize {
    let cut = |text: &str| text.chars().take(64).collect::<String>();
    strsim::levenshtein(&cut(one), &cut(other))
}

/// Returns the game of a name as `take-1-or-a-prime`, in which a number of several kinds may be
/// taken.
#[cfg(not(target_family = "wasm"))]
fn of_kinds(text: &str) -> Option<Result<ParsedGame, NotationError>> {
    let rules = crate::phrase::rules_of_union(text.trim())?;
    let wrong = |error: crate::RuleFileError| {
        let accepted = "the name of another game";
        NotationError::new(text, 0..text.len(), error.to_string(), accepted)
    };
    Some(RuleFile::parse(&rules).map_err(wrong).map(|file| ParsedGame::game(file.game())))
}

/// Returns a game of the shelf with parameters behind its name: `circular-nim(6,3)` is `CN(6,3)`.
fn with_parameters(text: &str) -> Option<Result<ParsedGame, NotationError>> {
    let open = text.find('(')?;
    let (name, parameters) = text.split_at(open);
    let notated = format!("{}{parameters}", ShelfGame::named(name)?.notation.as_ref()?);
    let family = FAMILIES.iter().find(|family| (family.claims)(&notated))?;
    Some(match (family.parse)(&notated) {
        Ok(game) => {
            Ok(ParsedGame { opening: family_opening(family, &*game), ..ParsedGame::game(game) })
        }
        Err(error) => Err(NotationError { text: text.to_owned(), at: open..text.len(), ..error }),
    })
}

/// Returns the game with which pages begin a family whose name alone is no game: `dots` is
/// `dots(2x2)`.
fn family_by_name(text: &str) -> Option<Result<ParsedGame, NotationError>> {
    let family = FAMILIES.iter().find(|family| family.name.eq_ignore_ascii_case(text.trim()))?;
    let named = |game: Box<dyn Game>| ParsedGame {
        opening: family_opening(family, &*game),
        ..ParsedGame::game(game)
    };
    Some((family.parse)(family.opening.game).map(named))
}

/// Returns the position with which pages begin a game of a family, if it is this very game.
fn family_opening(family: &Family, game: &dyn Game) -> Option<String> {
    let name = game.name();
    let opening = Some(&family.opening)
        .filter(|opening| opening.game == name && !opening.position.is_empty())?;
    game.normal_form(opening.position).ok()
}

/// Returns a game as books and other programs write it, in the notation of this one: `·77`,
/// `0·137`, `octal 0.77`, and of CGSuite `game.heap.Kayles`.
fn elsewhere(text: &str) -> Option<String> {
    let trimmed = text.trim();
    if let Some(set) = subtraction_set(trimmed) {
        return Some(format!("S({set})"));
    }
    let bare = trimmed.strip_prefix("game.heap.").or_else(|| trimmed.strip_prefix("octal "));
    if let Some(digits) = trimmed.strip_prefix("octal ").map(str::trim)
        && !digits.is_empty()
        && digits.bytes().all(|c| c.is_ascii_digit())
    {
        return Some(format!("0.{digits}"));
    }
    let dotted = bare.unwrap_or(trimmed).trim().replace('·', ".");
    let own = if dotted.starts_with('.') { format!("0{dotted}") } else { dotted };
    (own != trimmed).then_some(own)
}

/// Returns the numbers of a subtraction set in brackets behind a word for it: `S{1,3,4}`, `S-Nim
/// {1,3,4}`, `subtraction game [1,3,4]`, `S = {1,3,4}`, `subtract(1,3,4)`. Without brackets they might be heaps, but behind
/// `S`: `S 1 3 4`.
fn subtraction_set(text: &str) -> Option<String> {
    let small = text.to_ascii_lowercase();
    let words = [
        "subtraction game with s",
        "subtraction game s",
        "subtraction game",
        "subtraction set",
        "subtraction nim",
        "subtraction",
        "subtract",
        "s-nim",
        "s nim",
        "s",
    ];
    let (word, rest) =
        words.iter().find_map(|word| Some((*word, small.strip_prefix(word)?.trim())))?;
    let rest = rest.strip_prefix('=').unwrap_or(rest).trim();
    let list = match (word, set_in_brackets(rest)) {
        (_, Some(list)) => list,
        ("s", None) => return bare_set(small.strip_prefix("s ")?),
        (_, None) => rest.strip_prefix('(')?.strip_suffix(')')?,
    };
    let numbers: Vec<&str> = list.split(',').map(str::trim).collect();
    let is_number =
        |number: &&str| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
    numbers.iter().all(is_number).then(|| numbers.join(","))
}

/// Returns what is in braces or brackets, perhaps in parentheses: `{1,3}`, `[1,3]`, `({1,3})`.
fn set_in_brackets(text: &str) -> Option<&str> {
    let within = |open, close| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    let inner = || set_in_brackets(within('(', ')')?.trim());
    within('{', '}').or_else(|| within('[', ']')).or_else(inner)
}

/// Refuses what may mean two games: several numbers behind a word for subtraction games, which may
/// be what may be taken, or heaps; two numbers behind a name as `bash game`, which may be a heap and
/// how many may be taken, or two heaps; `NIM (3,4,5)`, three heaps or NIM with Cash; and `nim-7`, of
/// heaps, or of tokens.
pub fn check_numbers(text: &str) -> Result<(), NotationError> {
    let wrong = |message: &str, accepted: String| {
        Err(NotationError::new(text, 0..text.len(), message, accepted))
    };
    let trimmed = text.trim();
    if let Some((name, list)) = trimmed.split_once(' ')
        && name != "nim"
        && name.eq_ignore_ascii_case("nim")
        && let Some(inner) = list.trim().strip_prefix('(').and_then(|list| list.strip_suffix(')'))
        && is_position(inner)
    {
        let accepted = format!("nim {inner}, or NIM({inner})");
        return wrong("this may be heaps of Nim, or NIM with Cash", accepted);
    }
    if let Some((name, number)) = trimmed.split_once('-')
        && name.eq_ignore_ascii_case("nim")
        && !number.is_empty()
        && number.bytes().all(|c| c.is_ascii_digit())
        && ShelfGame::named(trimmed).is_none()
    {
        let accepted = format!(
            "nim({number}), nim {number}, or take 1 or 2 from {number}, as the numbers are that may \
             be taken"
        );
        return wrong("this may be Nim on so many heaps, or a heap of so many tokens", accepted);
    }
    if let Some((name, last)) = trimmed.rsplit_once([' ', ','])
        && let Some((name, heap)) = name.trim_end_matches(',').rsplit_once(' ')
        && [heap, last].iter().all(|word| WrittenNumber::whole(word).is_some())
        && ShelfGame::named(name).is_some_and(|game| game.takes_bound)
    {
        let accepted = format!("take up to {last} from {heap}; or {name} {heap} + {name} {last}");
        return wrong("this may be a heap and how many may be taken, or two heaps", accepted);
    }
    let words = ["subtraction game ", "subtraction set ", "subtraction ", "subtract "];
    let small = text.trim_start().to_ascii_lowercase();
    let Some(numbers) = words.iter().find_map(|word| small.strip_prefix(word)) else {
        return Ok(());
    };
    let message = "this may be what may be taken, or heaps";
    // `subtract 1,3,4 10`: the last may be a heap.
    let is_list = |text: &str| bare_set(text).is_some();
    if let Some((set, heap)) = numbers.trim().rsplit_once(' ')
        && set.contains(',')
        && is_list(set)
        && WrittenNumber::whole(heap).is_some()
    {
        let accepted =
            format!("a set and a heap, as S({set}) {heap}; or heaps, as S(1,2,3) {set},{heap}");
        return wrong(message, accepted);
    }
    match bare_set(numbers) {
        None => Ok(()),
        Some(numbers) => wrong(
            message,
            format!("a set and a heap, as S({numbers}) 20; or heaps, as S(1,2,3) {numbers}"),
        ),
    }
}

/// Returns at least two numbers with spaces or with commas between, not both: with both, the last
/// may be a heap.
fn bare_set(text: &str) -> Option<String> {
    if !text.bytes().all(|c| c.is_ascii_digit() || matches!(c, b',' | b' ')) {
        // A list in brackets is a set.
        let is_bare = text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        return comma_list(text).filter(|numbers| is_bare && numbers.contains(','));
    }
    let list = text.trim().replace(", ", ",");
    let between = if list.contains(',') { ',' } else { ' ' };
    let numbers: Vec<&str> = list.split(between).filter(|number| !number.is_empty()).collect();
    let is_number = |number: &&str| number.bytes().all(|c| c.is_ascii_digit());
    (numbers.len() > 1 && numbers.iter().all(is_number)).then(|| numbers.join(","))
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
        let one =
            Catalogue::standard().with_rule_file(own("walk2").read_from("a/walk.toml")).unwrap();
        assert_eq!(one.parse("walk2:5").unwrap().position.as_deref(), Some("5"));
        assert_eq!(
            one.own_games()[0].rule_files()[0].path.as_deref(),
            Some("a/walk.toml".as_ref())
        );
        let sum = one.parse("nim + walk2 + walk2").unwrap().game;
        assert_eq!(
            sum.rule_files().iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
            ["walk2"]
        );
        assert!(Catalogue::standard().parse("walk2").is_err());
        let taken = one.with_rule_file(own("walk2")).unwrap_err();
        assert_eq!(taken.to_string(), "the name `walk2` is taken by the rule file a/walk.toml");
    }

    #[test]
    fn capitals_that_can_mean_one_game_only_are_accepted() {
        let all = Catalogue::standard().with_rule_file(own("walk")).unwrap();
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
    fn names_of_books_and_other_programs() {
        for (text, name) in [
            ("·77", "0.77"),
            (".77", "0.77"),
            ("0·137", "0.137"),
            ("4·3", "4.3"),
            ("octal 0.77", "0.77"),
            ("octal ·07", "0.07"),
            ("game.heap.Kayles", "kayles"),
            ("game.heap.Nim", "nim"),
            ("octal 137", "0.137"),
            ("S{1,3,4}", "S(1,3,4)"),
            ("Subtraction game {1, 3, 4}", "S(1,3,4)"),
            ("subtract(1,3,4)", "S(1,3,4)"),
            ("Wythoff Nim", "wythoff"),
            ("Lasker Nim", "4.[3]"),
            ("the game of Nim", "nim"),
            ("Kayles game", "kayles"),
            // No position, so the number belongs to the name.
            ("end nim 3", "end-nim-3"),
            ("S-Nim {2,5}", "S(2,5)"),
            ("S[2,5]", "S(2,5)"),
            ("S = {2, 5}", "S(2,5)"),
            ("S({2,5})", "S(2,5)"),
            ("S(2 5)", "S(2,5)"),
            ("S(2-5)", "S(2,3,4,5)"),
            ("S(1–3, 7)", "S(1,2,3,7)"),
            ("subtraction game [1,3,4]", "S(1,3,4)"),
            ("Subtraction game with S = {1,3,4}", "S(1,3,4)"),
        ] {
            assert_eq!(Catalogue::standard().parse(text).unwrap().game.name(), name, "{text}");
        }
        // A name rather than piles of candies; its rules are a program, which is not run here.
        let candies = Catalogue::standard().parse("candy piles 3 4 5").err().unwrap();
        assert!(candies.message.contains("candy-piles"), "{candies:?}");
        // A position behind the name.
        for (text, position) in
            [("nim 3 5", "3,5"), ("subtract {1,3,4} 10", "10"), ("wythoff nim 8 13", "8,13")]
        {
            let named = Catalogue::standard().parse(text).unwrap();
            assert_eq!(named.position.as_deref(), Some(position), "{text}");
        }
        for text in ["dots and boxes 2x3", "dots 2x3", "dots 2×3"] {
            assert_eq!(
                Catalogue::standard().parse(text).unwrap().game.name(),
                "dots(2x3)",
                "{text}"
            );
        }
        let named = Catalogue::standard().parse("·77 5,3").unwrap();
        assert_eq!((named.game.name(), named.position.as_deref()), ("0.77".into(), Some("5,3")));
    }

    #[test]
    fn what_may_mean_two_games_is_refused() {
        let all = Catalogue::standard();
        for text in
            ["bash game 23 2", "bachet 23,2", "NIM (3,4,5)", "Nim (3,4,5)", "nim-7", "race to 50"]
        {
            assert!(all.parse(text).is_err(), "{text}");
        }
        for text in
            ["nim 2 5,6", "nim 5 1,2", "nim 4 1,2,3,4", "moore 2 1,2,3", "kayles 5 + moore 1 3,4"]
        {
            assert!(all.parse(text).is_err_and(|error| error.message.contains("may be")), "{text}");
        }
        let named = |text: &str| all.parse(text).unwrap();
        for (text, position) in [
            ("bachet 23", "23"),
            ("bachet 23 + bachet 2", "23 + 2"),
            ("bachet:23,2", "23 + 2"),
            ("nim (3,4,5)", "3,4,5"),
            ("race to 50 adding 1 to 7", "50"),
            ("nim 3 1,2,3", "1,2,3"),
            ("Moore's Nim 2 1,2,3", "1,2,3"),
            ("kayles 3 5,6", "5,6"),
            // Squares of two queens.
            ("wythoff d7 e4", "3,6 + 4,3"),
            ("rook d7,e4", "3,6 + 4,3"),
        ] {
            assert_eq!(named(text).position.as_deref(), Some(position), "{text}");
        }
        assert!(all.parse("wythoff d7 e4 x").is_err() && all.parse("kayles d7 e4").is_err());
    }

    #[test]
    fn several_times_one_game() {
        for (text, parts) in [
            ("3*kayles 5", &["kayles 5"; 3][..]),
            ("2 x kayles 5 + nim 3", &["kayles 5 ", "kayles 5 ", " nim 3"]),
            ("nim 3 + 2×0.77:5", &["nim 3 ", "0.77:5", "0.77:5"]),
            ("1 * nim", &["nim"]),
            // No number of times, or no game behind it.
            ("0*nim", &["0*nim"]),
            ("65*nim", &["65*nim"]),
            ("3x4", &["3x4"]),
            ("3 x 4", &["3 x 4"]),
            ("3 xkayles", &["3 xkayles"]),
            ("3 kayles", &["3 kayles"]),
            ("*3", &["*3"]),
        ] {
            let found: Vec<&str> = summands(text).into_iter().map(|(_, part)| part).collect();
            assert_eq!(found, parts, "{text}");
        }
        let named = Catalogue::standard().parse("2*kayles 5 + nim 3").unwrap();
        assert_eq!(
            (named.game.name(), named.position.as_deref()),
            ("kayles + kayles + nim".into(), Some("5 + 5 + 3"))
        );
        let misere = Catalogue::standard().play_of("2*nim-3-misere", Play::Normal);
        assert_eq!(misere, Play::Misere);
    }

    #[test]
    fn numbers_beside_powers() {
        for (text, meant) in [
            ("nim 2^31-1,2^31,10^2+1", "nim 2147483647,2^31,101"),
            ("nim 1e9+7", "nim 1000000007"),
            ("nim 10^2+7 + kayles 2^3-1", "nim 107 + kayles 7"),
            // A summand behind a position, or no power.
            ("nim 10^2+0.77 5", "nim 10^2+0.77 5"),
            ("nim 10^2+21 flags", "nim 10^2+21 flags"),
            ("nim 10^2+21-flags", "nim 10^2+21-flags"),
            ("nim 10^2+4.7+nim 3", "nim 10^2+4.7+nim 3"),
            ("nim 3+5", "nim 3+5"),
            ("nim 2^3-9", "nim 2^3-9"),
            ("nim 2^3^2+1", "nim 2^3^2+1"),
        ] {
            assert_eq!(with_powers_evaluated(text), meant);
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
        let message = |text: &str| Catalogue::standard().parse(text).err().unwrap().message;
        assert_eq!(message("bridge"), "there is no game `bridge`");
        assert_eq!(message("super mega bridge 3"), "there is no game `super mega bridge`");
        assert_eq!(message("nim + 3,5"), "these are numbers, and no game");
        for text in
            ["subtraction 1 3 4 20", "Subtract 2,5", "subtraction game 1,3", "subtract 1,3,4 10"]
        {
            assert_eq!(message(text), "this may be what may be taken, or heaps", "{text}");
        }
        assert!(
            message("tic-tac-toe 3x3").contains("a line decides it"),
            "{}",
            message("tic-tac-toe 3x3")
        );
        assert!(message("Connect Four").contains("a line decides it"));
    }
}

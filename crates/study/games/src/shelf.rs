//! The shelf: every game that has a name, in one namespace, as data (`data/shelf.toml`, and
//! `data/shelf-more.toml` with those that the page does without).
//!
//! A name or alias is read in any capitals, with spaces, hyphens or nothing between its words. An
//! entry says which game it is, how it is played in one sentence, where it is printed, and a
//! position to begin with.

use crate::position_reader::PositionReader;
use crate::read_positions::{ReadingGraph, ReadingSession};
use crate::rule_file::RuleFile;
use crate::{FAMILIES, PROGRAMS, PUBLISHED, ReadProgram};
use crate::{candy_piles, chomp, divisors, euclid, large_positions, strips};
use bouton_core::letters_and_digits;
use bouton_core::{
    Arrange, Board, Budget, DotsStructure, HeapGame, HeapMoves, LimitReached, Moves, Nimber,
    NotationError, Outcome, Play, RuleSource, TableShape,
};
use bouton_engine::game::{
    Analysis, Evaluation, Game, HeapPeriod, Kind, Session, Settings, SuggestedMove,
};
use bouton_engine::game_graph::GameGraph;
use bouton_rulesets::strip::Strip;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock, OnceLock};

/// A game that has a name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShelfGame {
    /// Letters, digits and hyphens.
    pub name: String,
    #[serde(default)]
    aliases: Vec<String>,
    /// The key of one of the groups.
    pub group: String,
    /// Empty where the published game or the program states it.
    #[serde(default)]
    sentence: String,
    /// Empty where the published game states it.
    #[serde(default)]
    source: String,
    /// A position to begin with; empty if the game has a start of its own.
    #[serde(default)]
    pub start: String,
    /// How positions are written besides the notation of the game.
    #[serde(default)]
    pub reader: Option<PositionReader>,
    /// The word that is before parameters instead of the name: `circular-nim(6,3)` is
    /// `CN(6,3)`.
    #[serde(default)]
    pub notation: Option<String>,
    /// What a number behind the name says that is a parameter of this family.
    #[serde(default)]
    pub(crate) number: Option<String>,
    /// The parameter for such a number 0.
    #[serde(default)]
    pub(crate) number_from: u64,
    /// The game in the notation of its family.
    #[serde(default)]
    game: Option<String>,
    /// The text of a rule file.
    #[serde(default)]
    rules: Option<String>,
    /// Whether the game that people know is in misère play, of which its sentence tells.
    #[serde(default)]
    pub misere: bool,
    /// Whether a last token or square is never taken, as it is poisoned: that whoever takes the
    /// last one loses is what the rules say already.
    #[serde(default)]
    pub last_stays: bool,
    /// Whether nobody wins or loses by taking the last one.
    #[serde(default)]
    pub last_decides_nothing: bool,
    /// Whether people write how many may be taken behind the heap, as in `bash game 23 2`: such
    /// numbers may be two heaps, too.
    #[serde(default)]
    pub takes_bound: bool,
    /// The largest heap up to which nim-values are listed if nothing else is said, if further ones
    /// take long.
    #[serde(default)]
    pub values_to: Option<u64>,
    /// Why misère play is not that of the game of this entry, if it is not.
    #[serde(default)]
    other_misere: Option<Box<OtherMisere>>,
    /// Whether the published game of this name is meant.
    #[serde(default)]
    published: bool,
    /// Whether the rules are the program of this name.
    #[serde(default)]
    program: bool,
    /// A theorem on the positions of the program or the rule file.
    #[serde(default)]
    theorem: Option<PositionTheorem>,
    /// What the published game states, read when it is first asked.
    #[serde(skip)]
    stated: OnceLock<PublishedFields>,
}

/// What an entry of the shelf stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules<'s> {
    /// A game in the notation of its family.
    Notation(&'s str),
    /// The text of a rule file.
    File(&'s str),
    /// The text of a program.
    Program(&'s str),
}

/// A theorem that answers large positions of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PositionTheorem {
    /// That of Cole and Davie on Euclid.
    Euclid,
    /// Those of Gale on Chomp.
    Chomp,
    /// That on Candy Piles.
    CandyPiles,
    /// That on the exponent of 2, where a proper divisor is taken.
    ProperDivisor,
    /// The same where the whole heap may be taken.
    Divisor,
    /// Those on the games on a strip.
    #[serde(skip)]
    Strip(Strip),
}

impl PositionTheorem {
    /// Evaluates a position in normal play for which the theorem is better than a search, with one
    /// move and the number of all; `None` of other positions.
    ///
    /// # Errors
    /// If `position` is not a position of the game.
    pub fn analyse(
        self,
        game: &dyn Game,
        position: &str,
    ) -> Result<Option<(Analysis, u64)>, NotationError> {
        match self {
            PositionTheorem::Euclid => euclid::analyse(game, position),
            PositionTheorem::Chomp => chomp::analyse(game, position),
            PositionTheorem::CandyPiles => candy_piles::analyse(game, position),
            PositionTheorem::ProperDivisor => divisors::analyse(game, position, false),
            PositionTheorem::Divisor => divisors::analyse(game, position, true),
            PositionTheorem::Strip(strip) => strips::analyse(game, strip, position),
        }
    }

    /// Returns whether a move leads from one position to another, both in their normal form; `None`
    /// if the game tells that itself.
    pub fn allows(self, from: &str, to: &str) -> Option<bool> {
        let (mut from, mut to) = (large_positions::numbers(from)?, large_positions::numbers(to)?);
        Some(match self {
            PositionTheorem::Euclid => match (&from[..], &to[..]) {
                (&[a, b], &[x, y]) => euclid::allows([a, b], [x, y]),
                _ => false,
            },
            PositionTheorem::Chomp => chomp::allows(&from, &to),
            PositionTheorem::CandyPiles => {
                from.sort_unstable_by(|a, b| b.cmp(a));
                to.sort_unstable_by(|a, b| b.cmp(a));
                candy_piles::allows(&from, &to)
            }
            PositionTheorem::Strip(strip) => strips::allows(strip, &from, &to),
            PositionTheorem::ProperDivisor | PositionTheorem::Divisor => return None,
        })
    }

    /// Returns the theorem, and whose it is.
    pub fn source(self) -> &'static str {
        match self {
            PositionTheorem::Euclid => euclid::THEOREM,
            PositionTheorem::Chomp => chomp::THEOREM,
            PositionTheorem::CandyPiles => candy_piles::THEOREM,
            PositionTheorem::ProperDivisor | PositionTheorem::Divisor => divisors::THEOREM,
            PositionTheorem::Strip(strip) => strips::theorem(strip),
        }
    }
}

/// Returns the theorem on large positions of a game: of games on a strip, or one that the shelf
/// knows of a game that was read from the rules of an entry.
pub fn position_theorem(game: &dyn Game) -> Option<PositionTheorem> {
    if let Some(strip) = strips::strip_of(game) {
        return Some(PositionTheorem::Strip(strip));
    }
    let files = game.rule_files();
    let [file] = &files[..] else { return None };
    let entry = ShelfGame::named(&game.name())?;
    let text = &file.text;
    entry.theorem.filter(|_| [Rules::Program(text), Rules::File(text)].contains(&entry.rules()))
}

/// The games that have a name.
#[derive(Debug)]
pub struct Shelf {
    games: Vec<ShelfGame>,
    groups: Vec<ShelfGroup>,
    places: FxHashMap<String, usize>,
    /// Names without their owners’ genitive, and titles of published games, that are no name: read
    /// when a name is not found.
    titles: OnceLock<FxHashMap<String, usize>>,
}

/// Games of one kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShelfGroup {
    /// One word.
    pub key: String,
    /// The heading of a list.
    pub title: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShelfFile {
    #[serde(default)]
    group: Vec<ShelfGroup>,
    game: Vec<ShelfGame>,
}

/// Returns the shelf.
pub fn shelf() -> &'static Shelf {
    static SHELF: LazyLock<Shelf> = LazyLock::new(Shelf::read);
    &SHELF
}

/// The games of data/shelf.toml and data/shelf-more.toml, as `build.rs` writes them.
const GAMES: &str = include_str!(concat!(env!("OUT_DIR"), "/shelf.json"));

/// Games of another kind, and what decides them.
const OUTSIDE: &[(&[&str], &str)] = &[
    (
        &[
            "tictactoe",
            "noughtsandcrosses",
            "gomoku",
            "fiveinarow",
            "connectfour",
            "connect4",
            "qubic",
        ],
        "a line decides it, not the last move; crosses only are `notakto` and `treblecross`",
    ),
    (
        &["hex", "havannah", "bridgit", "shannonswitchinggame"],
        "a connection decides it, not the last move",
    ),
    (
        &[
            "chess",
            "go",
            "baduk",
            "checkers",
            "draughts",
            "othello",
            "reversi",
            "mancala",
            "kalah",
            "ninemensmorris",
        ],
        "captures or points decide it, not the last move",
    ),
    (
        &["topentails", "goldbach", "wyths"],
        "some of its moves force the answer, and sums of such games have no nim-values",
    ),
];

/// More of them, of which the page does without.
#[cfg(not(target_arch = "wasm32"))]
const MORE_OUTSIDE: &[(&[&str], &str)] = &[
    (
        &["nimstring"],
        "who closes a box moves on, and sums of such games have no nim-values; with points it is \
         `strings-and-coins`",
    ),
    (
        &["pokernim"],
        "tokens come back, so play need not end; the answer is to take them away again: play it \
         as `nim`",
    ),
    (
        &[
            "lgame",
            "annihilation",
            "annihilationgames",
            "entrepreneurialchess",
            "addersandladders",
            "foxandgeese",
            "foxandhounds",
            "hareandhounds",
            "frenchmilitaryhunt",
            "phutball",
            "philosophersfootball",
            "ponghauki",
            "mutorere",
            "baghchal",
            "surakarta",
            "angelproblem",
            "angelanddevil",
            "copsandrobbers",
            "threemensmorris",
            "sixmensmorris",
            "tapatan",
            "achi",
        ],
        "its moves can repeat, so play need not end; a finite graph of positions can be stated with \
         --rules FILE.edges",
    ),
    (
        &[
            "bulgariansolitaire",
            "pegsolitaire",
            "towerofhanoi",
            "towersofhanoi",
            "hanoi",
            "tchoukaillon",
            "taxman",
        ],
        "one player plays it",
    ),
    (
        &["sos", "kropki", "blackhole", "factorgame", "sequencium", "blokus"],
        "points decide it, not the last move; games won on points are `dots-and-boxes` and \
         `strings-and-coins`",
    ),
    (
        &[
            "pente",
            "renju",
            "gobang",
            "connectsix",
            "connect6",
            "fourinarow",
            "scorefour",
            "ultimatetictactoe",
            "quantumtictactoe",
            "wildtictactoe",
            "orderandchaos",
            "fiveup",
            "threeup",
            "ovidsgame",
            "quarto",
            "magicfifteen",
            "numberscrabble",
            "productgame",
            "trafficlights",
            "sim",
        ],
        "a line or a figure decides it, not the last move; crosses only are `notakto` and \
         `treblecross`",
    ),
    (
        &["y", "gameofy", "twixt", "trax", "rex", "slither", "blackpath"],
        "a connection decides it, not the last move",
    ),
    (
        &["pig", "penneysgame", "snakesandladders", "battleship", "mastermind"],
        "chance or what is hidden decides it, not play alone",
    ),
    (
        &["bynum", "bynums", "bynumsgame", "eatcake"],
        "its strips of cake can be stated as a program, as `cutcake` is; its rules have no file \
         here",
    ),
    (
        &["nimbi"],
        "its lines of counters on a board can be stated as a program, as `tac-tix` is; its rules \
         have no file here",
    ),
    (
        &["quintets", "quartets", "quadruplets", "quintuplets", "sextuplets"],
        "coins of which exactly two or three turn are `twins` and `triplets`, and up to five \
         `moebius`",
    ),
    (
        &["lucasta", "jocasta", "contours", "starsandstripes", "bushenhack", "cabbages"],
        "its curves in the plane can be stated as a program, as `sprouts` is; its rules have no \
         file here",
    ),
    (
        &["goldbachs", "goldbachsnim", "goldbachnim", "wytqueenswithtrains", "complimentingmoves"],
        "some of its moves force the answer, and sums of such games have no nim-values",
    ),
    (
        &["epstein", "epsteins", "epsteinsgame", "putortakeasquare", "tribulations", "fibulations"],
        "a move may put tokens back, so play need not end",
    ),
];
#[cfg(target_arch = "wasm32")]
const MORE_OUTSIDE: &[(&[&str], &str)] = &[];

/// Fields of a published game that an entry takes over.
#[derive(Debug, Clone, Deserialize)]
struct PublishedFields {
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    rules: String,
    published: PublishedTable,
}

#[derive(Debug, Clone, Deserialize)]
struct PublishedTable {
    title: String,
    source: String,
}

impl Shelf {
    fn read() -> Shelf {
        let file: ShelfFile =
            serde_json::from_str(GAMES).expect("a file of our own, read by a test");
        let (games, mut places) = (file.game, FxHashMap::default());
        for (place, game) in games.iter().enumerate() {
            let names = std::iter::once(&game.name).chain(&game.aliases);
            places.extend(names.filter_map(|name| Some((letters_and_digits(name)?, place))));
        }
        Shelf { games, groups: file.group, places, titles: OnceLock::new() }
    }

    /// Returns the place of the game of this name, alias or title, given by its [`letters_and_digits`].
    fn place(&self, name: &str) -> Option<usize> {
        let titles = || {
            self.titles.get_or_init(|| {
                let mut titles = FxHashMap::default();
                // `Wythoff Nim` is Wythoff’s Nim.
                for (place, game) in self.games.iter().enumerate() {
                    let names = std::iter::once(&game.name).chain(&game.aliases);
                    for name in
                        names.filter(|name| is_somebodys(name)).filter_map(|name| plain(name))
                    {
                        titles.entry(name).or_insert(place);
                    }
                }
                for (place, title) in
                    self.games.iter().enumerate().filter_map(|(i, g)| Some((i, g.title()?)))
                {
                    for name in [letters_and_digits(title), plain(title)].into_iter().flatten() {
                        titles.entry(name).or_insert(place);
                    }
                }
                titles
            })
        };
        self.places.get(name).or_else(|| titles().get(name)).copied()
    }

    /// Returns every game, in the order of the file.
    pub fn games(&self) -> &[ShelfGame] {
        &self.games
    }

    /// Returns the groups in their order.
    pub fn groups(&self) -> &[ShelfGroup] {
        &self.groups
    }

    /// The game of this name or alias.
    fn find(&self, name: &str) -> Option<&ShelfGame> {
        if let Some((before, number)) = name.trim().rsplit_once(char::is_whitespace)
            && number.bytes().all(|digit| digit.is_ascii_digit())
            && letters_and_digits(before).is_some_and(|before| self.place(&before).is_some())
        {
            return None;
        }
        let typed = numbers(name);
        let name = letters_and_digits(&name.replace('&', "and"))?;
        let bare = |name: &str| -> Option<usize> {
            let name = name.strip_prefix("the").unwrap_or(name);
            let name = name.strip_prefix("gameof").unwrap_or(name);
            let article = || self.place(&format!("the{name}"));
            self.place(name).or_else(|| self.place(name.strip_suffix("game")?)).or_else(article)
        };
        let game = &self.games[self.place(&name).or_else(|| bare(&name))?];
        // `2 1` is not 21.
        let is_same = typed.is_empty() || game.names().any(|own| numbers(own) == typed);
        is_same.then_some(game)
    }

    /// Returns why a game that people name is none of these, if that is known.
    pub fn why_excluded(&self, name: &str) -> Option<&'static str> {
        let name = letters_and_digits(name)?;
        let article = name.strip_prefix("the").unwrap_or(&name);
        let names = [&*name, article, article.strip_suffix("game").unwrap_or(article)];
        let told = |(known, why): &(&[&str], &'static str)| {
            names.iter().any(|name| known.contains(name)).then_some(*why)
        };
        OUTSIDE.iter().chain(MORE_OUTSIDE).find_map(told)
    }

    /// Returns the names of at most three games that share the most words with a text; none if they
    /// share only words that many names have.
    pub fn sharing_words(&self, text: &str) -> Vec<&str> {
        let words_of = |text: &str| -> Vec<String> {
            let plain = text.to_lowercase().replace(['’', '\''], "");
            let words = plain
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| word.chars().count() >= 4);
            words.map(|word| word.trim_end_matches('s').to_owned()).collect()
        };
        let names: Vec<Vec<Vec<String>>> =
            self.games.iter().map(|game| game.names().map(words_of).collect()).collect();
        let is_rare = |word: &String| {
            let with_it = names.iter().filter(|names| names.iter().any(|name| name.contains(word)));
            (1..=6).contains(&with_it.count())
        };
        let mut typed = words_of(text);
        typed.retain(is_rare);
        let shared = |names: &Vec<Vec<String>>| {
            let of_name =
                |name: &Vec<String>| typed.iter().filter(|word| name.contains(word)).count();
            names.iter().map(of_name).max().unwrap_or(0)
        };
        let most = names.iter().map(shared).max().filter(|most| *most > 0);
        let games = self.games.iter().zip(&names).filter(|(_, names)| Some(shared(names)) == most);
        games.map(|(game, _)| game.name.as_str()).take(3).collect()
    }

    /// Returns the games in whose names, aliases, sentence or source all words of a text begin a
    /// word, those whose names hold them all first; if the text is itself a name, that game alone.
    /// Numbers below 1000 are not sought in sources, where they are pages.
    pub fn search(&self, text: &str) -> Vec<&ShelfGame> {
        if let Some(game) = self.find(text).filter(|_| !text.trim().is_empty()) {
            return vec![game];
        }
        let plain = |text: &str| text.to_lowercase().replace('’', "'");
        let words: Vec<String> = text.split_whitespace().map(plain).collect();
        let begins_a_word = |text: &str, word: &String| {
            let text = plain(text);
            let is_begun = |at: usize| !text[..at].ends_with(char::is_alphanumeric);
            text.match_indices(word.as_str()).any(|(at, _)| is_begun(at))
        };
        let named =
            |game: &ShelfGame, word: &String| game.names().any(|name| begins_a_word(name, word));
        let holds = |game: &ShelfGame, word: &String| {
            let is_page = word.len() <= 3 && word.bytes().all(|digit| digit.is_ascii_digit());
            named(game, word)
                || begins_a_word(game.sentence(), word)
                || !is_page && begins_a_word(game.source(), word)
        };
        let mut found: Vec<&ShelfGame> =
            self.games.iter().filter(|game| words.iter().all(|word| holds(game, word))).collect();
        found.arrange_by_key(|game| !words.iter().all(|word| named(game, word)));
        found
    }
}

/// Why misère play of a game on the shelf is another game's.
#[derive(Debug, Clone, Deserialize, thiserror::Error)]
#[serde(deny_unknown_fields)]
#[error("misère play of {game}: {why}; accepted: {instead}")]
pub struct OtherMisere {
    #[serde(skip)]
    game: String,
    why: String,
    /// What to play instead.
    instead: String,
}

impl OtherMisere {
    /// Returns the refusal of a position.
    pub fn refused(&self, position: &str) -> NotationError {
        let why = format!("misère play of {}: {}", self.game, self.why);
        NotationError::new(position, 0..position.len(), why, &*self.instead)
    }
}

impl ShelfGame {
    /// Returns why misère play is not that of the game of this entry, if it is not.
    pub fn other_misere(&self) -> Option<OtherMisere> {
        Some(OtherMisere { game: self.name.clone(), ..*self.other_misere.clone()? })
    }

    /// Returns the game of the shelf of this name or alias. A number behind a name and a space is a
    /// position: `kayles 3` is a row of three pins, `kayles-3` another game. The shelf is read for
    /// texts only that can be a name, as `0.77` and `S(1,3)` cannot.
    pub fn named(name: &str) -> Option<&'static ShelfGame> {
        letters_and_digits(&name.replace('&', "and"))?;
        shelf().find(name)
    }

    /// Returns what the published game of this name states, if it is meant.
    fn stated(&self) -> Option<&PublishedFields> {
        let read = || {
            let text = published(&self.name).expect("a published game, read by a test");
            toml::from_str(text).expect("a file of our own, read by a test")
        };
        self.published.then(|| self.stated.get_or_init(read))
    }

    /// Returns the name as a heading has it: as people write it, if an alias says so, without the
    /// numbers behind it.
    pub fn heading(&self) -> String {
        let plain = self.name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
        let is_same = |alias: &&str| {
            [plain, &self.name]
                .iter()
                .any(|name| letters_and_digits(alias) == letters_and_digits(name))
        };
        if let Some(alias) = self.aliases().iter().find(|alias| is_same(alias)) {
            return (*alias).to_owned();
        }
        let words = self.name.replace('-', " ");
        let end = words.chars().next().map_or(0, char::len_utf8);
        words[..end].to_ascii_uppercase() + &words[end..]
    }

    /// Returns one of its names or aliases as a heading has it.
    pub fn heading_of(&self, name: &str) -> String {
        let bare = |name: &str| {
            letters_and_digits(name).map(|name| name.trim_start_matches("the").to_owned())
        };
        let is_same = |alias: &&str| bare(alias) == bare(name);
        self.aliases().into_iter().find(is_same).map_or_else(|| self.heading(), str::to_owned)
    }

    /// Returns how it is played, for who has never seen it.
    pub fn sentence(&self) -> &str {
        match self.stated() {
            _ if !self.sentence.is_empty() => &self.sentence,
            Some(fields) => &fields.rules,
            None => stated(self.program_text(), "RULES").unwrap_or_default(),
        }
    }

    /// Returns where it is printed.
    pub fn source(&self) -> &str {
        let own = Some(self.source.as_str()).filter(|source| !source.is_empty());
        own.or_else(|| Some(self.stated()?.published.source.as_str())).unwrap_or_default()
    }

    /// Returns the title of the published game, unless it is another game's name or none.
    fn title(&self) -> Option<&str> {
        let title = self.stated()?.published.title.as_str();
        letters_and_digits(title).filter(|title| !shelf().places.contains_key(title)).map(|_| title)
    }

    /// Returns its other names, as people write them.
    pub fn aliases(&self) -> Vec<&str> {
        self.aliases.iter().map(String::as_str).chain(self.title()).collect()
    }

    /// Returns its name and its aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases())
    }

    /// Returns the text of the program of its name.
    fn program_text(&self) -> &'static str {
        PROGRAMS.iter().find(|(own, _)| *own == self.name).map_or("", |(_, text)| text)
    }

    /// Returns how positions are written, if that is stated besides the notation of the game.
    pub fn positions(&self) -> Option<&str> {
        match self.rules() {
            Rules::Program(text) => stated(text, "POSITION"),
            _ => self.reader.map(|reader| reader.form()),
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rules<'_> {
        let game = self.game.as_ref().or_else(|| self.stated()?.game.as_ref());
        match (game, &self.rules) {
            _ if self.program => Rules::Program(self.program_text()),
            (Some(game), _) => Rules::Notation(game),
            (None, Some(text)) => Rules::File(text),
            (None, None) => Rules::File(published(&self.name).unwrap_or_default()),
        }
    }

    /// Returns the game, whose positions are read in every way that people write them; `read` is
    /// what runs programs.
    ///
    /// # Errors
    ///
    /// If the game is a program and nothing runs programs.
    pub(crate) fn parse(&self, read: Option<ReadProgram>) -> Result<Box<dyn Game>, NotationError> {
        let game = match self.rules() {
            Rules::Program(text) => match read {
                Some(read) => read(text)?,
                None => {
                    let message = format!(
                        "the rules of {} are a program, and this build of bouton runs none",
                        self.name
                    );
                    let accepted = "a build with --features programs (or full)";
                    return Err(NotationError::new(
                        &self.name,
                        0..self.name.len(),
                        message,
                        accepted,
                    ));
                }
            },
            Rules::Notation(text) => notated(text)?,
            Rules::File(text) => RuleFile::parse(text)
                .map_err(|error| {
                    let accepted = "the name of another game";
                    NotationError::new(&self.name, 0..self.name.len(), error.to_string(), accepted)
                })?
                .game(),
        };
        Ok(match self.reader {
            Some(reader) => {
                // A code says how its rows are played, not what ends the game.
                let name =
                    if self.other_misere.is_none() { game.name() } else { self.name.clone() };
                Box::new(Shelved {
                    name,
                    game,
                    reader: Some(reader),
                    other_misere: self.other_misere(),
                })
            }
            None => game,
        })
    }
}

/// Returns the numbers in a name.
fn numbers(name: &str) -> Vec<&str> {
    name.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect()
}

/// Returns the text of a constant that a program states in one line: `const NAME = "…";`, or
/// between backquotes where the text has quotation marks.
fn stated<'s>(program: &'s str, constant: &str) -> Option<&'s str> {
    let texts =
        program.lines().filter_map(|line| line.strip_prefix("const ")?.strip_prefix(constant));
    let within = |text: &'s str, mark: char| text.strip_prefix(mark)?.strip_suffix(mark);
    texts
        .filter_map(|text| {
            let text = text.trim().strip_prefix("= ")?.strip_suffix(';')?;
            within(text, '"').or_else(|| within(text, '`'))
        })
        .next()
}

/// Reads a game in the notation of its family.
fn notated(text: &str) -> Result<Box<dyn Game>, NotationError> {
    let family = FAMILIES.iter().find(|family| (family.claims)(text));
    let parse = family.map(|family| family.parse);
    parse.ok_or_else(|| {
        NotationError::new(text, 0..text.len(), "no family has this game", "a game")
    })?(text)
}

/// Returns the text of the file of a published game.
fn published(name: &str) -> Option<&'static str> {
    PUBLISHED.iter().find(|(own, _)| *own == name).map(|(_, text)| *text)
}

/// How a name says that something is somebody's.
const SOMEBODYS: [&str; 2] = ["’s ", "'s "];

fn is_somebodys(name: &str) -> bool {
    SOMEBODYS.iter().any(|ending| name.contains(ending))
}

/// Returns the [`letters_and_digits`] of a name without the words that say whose it is.
fn plain(name: &str) -> Option<String> {
    letters_and_digits(
        &SOMEBODYS.iter().fold(name.to_owned(), |name, ending| name.replace(ending, " ")),
    )
}

/// A game of the shelf, or a sum with one.
struct Shelved {
    name: String,
    game: Box<dyn Game>,
    /// One more way in which positions may be written.
    reader: Option<PositionReader>,
    /// Why there is no misère play of it, if there is none.
    other_misere: Option<OtherMisere>,
}

impl Shelved {
    /// Returns the position in the game's own notation, if it is written in the other way.
    fn read(&self, position: &str) -> Option<Result<String, NotationError>> {
        self.reader?.read(position)
    }

    /// Returns the position in the game's own notation.
    fn own(&self, position: &str) -> Result<String, NotationError> {
        self.read(position).unwrap_or_else(|| Ok(position.to_owned()))
    }
}

impl Game for Shelved {
    fn name(&self) -> String {
        self.name.clone()
    }
    fn describe(&self) -> String {
        self.game.describe()
    }
    fn position_form(&self) -> String {
        match self.reader {
            Some(reader) => format!("{}; or {}", self.game.position_form(), reader.form()),
            None => self.game.position_form(),
        }
    }
    fn kind(&self) -> Kind {
        self.game.kind()
    }
    fn start(&self) -> Option<String> {
        self.game.start()
    }
    fn all(&self) -> Option<Vec<String>> {
        self.game.all()
    }
    fn normal_form(&self, position: &str) -> Result<String, NotationError> {
        let form = |error: NotationError| NotationError { accepted: self.position_form(), ..error };
        match self.read(position) {
            Some(own) => self.game.normal_form(&own?),
            None => self.game.normal_form(position).map_err(form),
        }
    }
    fn board(&self, position: &str) -> Result<Board, NotationError> {
        self.game.board(&self.own(position)?)
    }
    fn sight(&self, position: &str) -> Result<Option<DotsStructure>, NotationError> {
        self.game.sight(&self.own(position)?)
    }
    fn single(&self, size: u32) -> Option<String> {
        self.game.single(size)
    }
    fn sizes(&self, position: &str) -> Result<Option<Vec<u64>>, NotationError> {
        self.game.sizes(&self.own(position)?)
    }
    fn position(&self, sizes: &[u64]) -> Option<String> {
        let text = sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        match self.read(&text) {
            Some(own) => self.game.normal_form(&own.ok()?).ok(),
            None => self.game.position(sizes),
        }
    }
    fn heap_game(&self) -> Option<HeapGame> {
        self.game.heap_game()
    }
    fn table_shape(&self) -> Option<TableShape> {
        self.game.table_shape()
    }
    fn tables_only(&self) -> Option<String> {
        self.game.tables_only()
    }
    fn moves(&self) -> Option<Moves> {
        self.game.moves()
    }
    fn heap_period(&self, budget: &Budget) -> Option<Result<HeapPeriod, LimitReached>> {
        self.game.heap_period(budget)
    }
    fn heap_moves(&self) -> Option<HeapMoves> {
        self.game.heap_moves()
    }
    fn rule_files(&self) -> Vec<Arc<RuleSource>> {
        self.game.rule_files()
    }
    fn session(&self, settings: Settings) -> Box<dyn Session + '_> {
        match &self.other_misere {
            Some(other) if settings.play == Play::Misere => {
                Box::new(NoMisere { shelved: self, other })
            }
            _ => {
                let session = self.game.session(settings);
                match self.reader {
                    Some(reader) => Box::new(ReadingSession { reader, session }),
                    None => session,
                }
            }
        }
    }
    fn graph(&self) -> Box<dyn GameGraph> {
        let graph = self.game.graph();
        match self.reader {
            Some(reader) => Box::new(ReadingGraph { reader, graph }),
            None => graph,
        }
    }
    fn ruleset(&self) -> &dyn Any {
        self.game.ruleset()
    }
}

/// Returns why a game, or a sum of games, has no answers in misère play, if one of those on the
/// shelf has none.
pub fn other_misere(game: &dyn Game) -> Option<OtherMisere> {
    let own: Vec<String> = game.rule_files().iter().map(|file| file.name.clone()).collect();
    game.name()
        .split(" + ")
        .filter(|name| !own.iter().any(|own| own == name))
        .find_map(|name| shelf().find(name).filter(|entry| entry.name == name)?.other_misere())
}

/// Refuses misère play of a game whose rules it would change; the error is about `text`.
pub fn check_misere(game: &dyn Game, text: &str) -> Result<(), NotationError> {
    other_misere(game).map_or(Ok(()), |other| Err(other.refused(text)))
}

/// Returns a sum that has no misère play if one of its summands has none: see [`other_misere`].
pub(crate) fn with_other_misere(sum: Box<dyn Game>) -> Box<dyn Game> {
    match other_misere(&*sum) {
        None => sum,
        other_misere => {
            Box::new(Shelved { name: sum.name(), game: sum, reader: None, other_misere })
        }
    }
}

/// Returns the sum of a game with itself, taken `count` times; `None` if it is won on points.
pub fn multiple(game: &dyn Game, count: usize) -> Option<Box<dyn Game>> {
    bouton_engine::sum::multiple(game, count).map(with_other_misere)
}

/// Misère play of a game whose rules it would change.
struct NoMisere<'g> {
    shelved: &'g Shelved,
    other: &'g OtherMisere,
}

impl Session for NoMisere<'_> {
    fn set_budget(&mut self, _: Budget) {}
    fn analyse(&mut self, position: &str) -> Result<Analysis, NotationError> {
        Err(self.other.refused(position))
    }
    fn suggest_move(&mut self, position: &str) -> Result<Option<SuggestedMove>, NotationError> {
        Err(self.other.refused(position))
    }
    fn evaluate(
        &mut self,
        position: &str,
    ) -> Result<Result<Evaluation, LimitReached>, NotationError> {
        Err(self.other.refused(position))
    }
    fn evaluate_sizes(&mut self, _: &[u64]) -> Option<Result<Evaluation, LimitReached>> {
        None
    }
    fn p_positions(&mut self, _: u32, _: &mut dyn FnMut(&str)) -> Option<Result<(), LimitReached>> {
        None
    }
    fn p_sizes(
        &mut self,
        _: u32,
        _: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        None
    }
    fn nim_value_table(
        &mut self,
        max: u32,
        visit: &mut dyn FnMut(&[u64], Nimber) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        self.shelved.game.session(Settings::default()).nim_value_table(max, visit)
    }
    fn table(
        &mut self,
        _: u32,
        _: &mut dyn FnMut(&[u64], Outcome) -> ControlFlow<()>,
    ) -> Option<Result<(), LimitReached>> {
        None
    }
    fn values(
        &mut self,
        to: u32,
        visit: &mut dyn FnMut(u32, Nimber),
    ) -> Option<Result<(), LimitReached>> {
        self.shelved.game.session(Settings::default()).values(to, visit)
    }
}

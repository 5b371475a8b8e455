//! A game in course, as it is in the address of a page: the game, the line of positions so far,
//! who plays, and how.
//!
//! Nothing is kept between requests: an address is the whole state, so it can be shared, and undo
//! is a shorter line.

use crate::pages::puzzle::PuzzleKey;
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::site::Site;
use bouton_core::{Board, Budget, Play, WrittenNumber};
use bouton_engine::{Analysis, Game, Kind, Move, Settings};
use bouton_games::{Catalogue, ParsedGame};
use bouton_report::text::{end_rule, is_winning};
use bouton_study::{Answer, Answers, heaps_as_sum, normal_form, numbered_name};

/// The parameters of an address.
#[derive(Debug, Clone, Default)]
pub(crate) struct Address {
    pub game: String,
    /// Positions so far, the present one last, `~` between.
    pub line: String,
    /// The first position, where there is no line.
    pub at: String,
    pub misere: String,
    /// Who the visitor is: first, second, both.
    pub you: String,
    /// How many of a hundred moves of the opponent are mistakes.
    pub mistakes: String,
    /// `hint` tells whether there is a winning move, `on` shows outcomes and nim-values; else
    /// nothing is given away.
    pub hints: String,
    /// `on` judges the moves that were made.
    pub judge: String,
    /// What each heap keeps of a move half made.
    pub with: String,
    /// The step of a course that this game is, as `nim-4`.
    pub lesson: String,
    /// The puzzle that this game is, as `20000` or `20000-3`.
    pub puzzle: String,
}

impl Address {
    /// Reads the parameters from a request; those that it lacks are empty.
    pub fn from_request(request: &Request) -> Address {
        let get = |name| request.get(name).to_owned();
        Address {
            game: get("game"),
            line: get("line"),
            at: get("at"),
            misere: get("misere"),
            you: get("you"),
            // Addresses that were shared before have the second name.
            mistakes: Some(get("mistakes"))
                .filter(|text| !text.is_empty())
                .unwrap_or_else(|| get("slips")),
            hints: get("hints"),
            judge: get("judge"),
            with: get("with"),
            lesson: get("lesson"),
            puzzle: get("puzzle"),
        }
    }
}

/// Who the visitor plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum You {
    First,
    Second,
    Both,
}

/// How much is given away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hints {
    None,
    /// Whether there is a winning move, and where to look for it.
    Hint,
    /// Outcomes and nim-values of all moves.
    Moves,
}

/// A game in course, read.
pub(crate) struct Playthrough {
    pub game: Box<dyn Game>,
    /// The name of the game in addresses and titles: the one that was typed, if it is on the
    /// shelf, as Northcott's game, which is played as Nim.
    pub called: String,
    pub line: Vec<String>,
    pub play: Play,
    pub you: You,
    pub mistakes: u32,
    pub hints: Hints,
    pub judge: bool,
    pub draft: Option<Vec<u32>>,
    pub lesson: Option<String>,
    pub puzzle: Option<PuzzleKey>,
}

/// The most positions of a line.
pub(crate) const MAX_TURNS: usize = 400;

/// The longest position, in bytes.
const MAX_POSITION_LENGTH: usize = 4096;
/// The most moves of a position that are listed.
pub(crate) const MAX_MOVES: usize = 20_000;
/// Bytes of positions that a list of moves may hold, about.
const LISTED: usize = 8 << 20;

/// Nodes of a search that only lists moves: enough to see that there are none.
pub(crate) const LISTING: u64 = 1;

/// Returns misère play if the name of the game or the flag `misere` of a request says so.
pub(crate) fn play(catalogue: &Catalogue, game: &str, misere: &str) -> Play {
    catalogue.play_of(game, if misere.is_empty() { Play::Normal } else { Play::Misere })
}

impl Playthrough {
    /// Reads an address. Without a position: the game's own start, or the first example of it.
    pub fn read(catalogue: &Catalogue, address: &Address) -> Result<Playthrough, RequestError> {
        let first =
            address.line.split('~').find(|text| !text.is_empty()).unwrap_or(address.at.trim());
        // The position behind a number that belongs to the name: `3 1,4,8` of welter.
        let mut behind_number = None;
        let mut named = match first {
            "" => catalogue.parse(&address.game)?,
            // `welter 3` at `1,4,8` is welter-3.
            at => match numbered_name(catalogue, &address.game, at)? {
                Some(named) => {
                    behind_number = named.position;
                    ParsedGame { position: None, ..named }
                }
                None => catalogue.parse_alone(&address.game)?,
            },
        };
        // Several heaps of a game on one heap are a sum.
        let own = behind_number.as_deref().unwrap_or(first);
        let sum = heaps_as_sum(catalogue, &address.game, &*named.game, own);
        let is_sum = sum.is_some();
        if let Some(sum) = sum {
            named = sum;
        }
        let game = named.game;
        let texts: Vec<&str> = address.line.split('~').filter(|text| !text.is_empty()).collect();
        if texts.len() > MAX_TURNS {
            return Err(RequestError::bad(format!(
                "a line of play has at most {MAX_TURNS} positions"
            )));
        }
        let read = |text: &str| {
            let text = if text == first { own } else { text };
            let heaps = if is_sum { catalogue.sum_of_heaps(&address.game, text) } else { None };
            let listed = heaps.and_then(|sum| sum.position);
            let position = normal_form(&*game, listed.as_deref().unwrap_or(text))?;
            if position.len() > MAX_POSITION_LENGTH {
                return Err(RequestError::bad(format!(
                    "a position has at most {MAX_POSITION_LENGTH} characters here"
                )));
            }
            Ok(position)
        };
        let mut line = texts.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if line.is_empty() {
            let own = game.name();
            let example = || {
                let all = catalogue.families().iter().flat_map(|family| family.examples);
                all.into_iter()
                    .find(|e| e.game == own && !e.position.is_empty())
                    .map(|e| e.position.to_owned())
            };
            let start = match address.at.trim() {
                "" => named
                    .position
                    .or_else(|| game.start())
                    .or(named.opening)
                    .or_else(example)
                    .ok_or_else(|| {
                        RequestError::bad(format!(
                            "{own} has no start of its own; give a position: {}",
                            game.position_form()
                        ))
                    })?,
                at => at.to_owned(),
            };
            line.push(read(&start)?);
        }
        let mistakes = match address.mistakes.as_str() {
            "" => 0,
            text => WrittenNumber::read(text)
                .filter(|s| *s <= 100)
                .ok_or_else(|| RequestError::bad("mistakes: a number from 0 to 100"))?,
        };
        let you = match address.you.as_str() {
            "" | "first" => You::First,
            "second" => You::Second,
            "both" => You::Both,
            _ => return Err(RequestError::bad("you: first, second or both")),
        };
        let hints = match address.hints.as_str() {
            "on" => Hints::Moves,
            "hint" => Hints::Hint,
            _ => Hints::None,
        };
        let draft = match address.with.as_str() {
            "" => None,
            text => {
                let heaps = text
                    .split(',')
                    .map(|heap| heap.trim().parse().ok())
                    .collect::<Option<Vec<u32>>>();
                Some(
                    heaps
                        .ok_or_else(|| RequestError::bad("with: what each heap keeps, as 3,0,2"))?,
                )
            }
        };
        let called = catalogue.display_name(&address.game, &*game);
        Ok(Playthrough {
            game,
            called,
            line,
            play: play(catalogue, &address.game, &address.misere),
            you,
            mistakes,
            hints,
            judge: address.judge == "on",
            draft,
            lesson: Some(address.lesson.clone()).filter(|lesson| !lesson.is_empty()),
            puzzle: PuzzleKey::parse(&address.puzzle),
        })
    }

    /// Returns the present position: the last of the line.
    pub fn now(&self) -> &str {
        self.line.last().map_or("", String::as_str)
    }

    /// Returns the address of a page about this game as it stands; `more` are parameters of that
    /// page.
    pub fn href(&self, page: &str, more: &[(&str, &str)]) -> String {
        self.href_with(page, &self.line, more)
    }

    /// Returns such an address with another line of positions.
    pub fn href_with(&self, page: &str, line: &[String], more: &[(&str, &str)]) -> String {
        let mut href =
            format!("{page}?game={}&line={}", encoded(&self.called), encoded(&line.join("~")));
        let hints = match self.hints {
            Hints::None => "",
            Hints::Hint => "hint",
            Hints::Moves => "on",
        };
        let own = [
            ("misere", if self.play == Play::Misere { "1" } else { "" }),
            ("you", self.you_word()),
            ("mistakes", &self.mistakes.to_string()),
            ("hints", hints),
            ("judge", if self.judge { "on" } else { "" }),
            ("lesson", self.lesson.as_deref().unwrap_or_default()),
            ("puzzle", &self.puzzle.map_or(String::new(), |key| key.to_string())),
        ];
        let plain = ["", "first", "0", "off"];
        for (name, value) in own {
            if !plain.contains(&value) && more.iter().all(|(other, _)| *other != name) {
                href.push_str(&format!("&{name}={}", encoded(value)));
            }
        }
        for (name, value) in more {
            if !(value.is_empty() || plain.contains(value) && *name != "to") {
                href.push_str(&format!("&{name}={}", encoded(value)));
            }
        }
        href
    }

    /// Returns whether outcomes and nim-values are shown.
    pub fn shows_moves(&self) -> bool {
        self.hints == Hints::Moves
    }

    /// Returns who closed each box, row by row, or took each coin: `true` for the first player.
    /// `None` of other boards.
    pub fn owners(&self) -> Option<Vec<Option<bool>>> {
        let board = |i: usize| self.game.board(&self.line[i]).ok();
        if !matches!(board(0), Some(Board::Dots { .. } | Board::Coins { .. })) {
            return None;
        }
        let mut owners = vec![None; boxes(board(0).as_ref()).len()];
        let turns = self.turns();
        for i in 1..self.line.len() {
            for (owner, closed) in owners.iter_mut().zip(boxes(board(i).as_ref())) {
                if closed && owner.is_none() {
                    *owner = Some(turns[i - 1].0);
                }
            }
        }
        Some(owners)
    }

    pub fn you_word(&self) -> &'static str {
        match self.you {
            You::First => "first",
            You::Second => "second",
            You::Both => "both",
        }
    }

    /// Returns for each position of the line whether the first player is to move, and the first
    /// player's points less the second's.
    pub fn turns(&self) -> Vec<(bool, i64)> {
        let mut turn = (true, 0);
        let mut turns = vec![turn];
        let scored = self.game.kind() == Kind::Scored;
        for pair in self.line.windows(2) {
            let gain = if scored {
                closed(self.game.board(&pair[1]).ok().as_ref())
                    - closed(self.game.board(&pair[0]).ok().as_ref())
            } else {
                0
            };
            turn = (turn.0 == (gain > 0), turn.1 + if turn.0 { gain } else { -gain });
            turns.push(turn);
        }
        turns
    }

    /// Returns whether the visitor is to move.
    pub fn your_turn(&self) -> bool {
        let first = self.turns().last().is_none_or(|turn| turn.0);
        match self.you {
            You::Both => true,
            You::First => first,
            You::Second => !first,
        }
    }

    /// Returns the opponent's move: a winning or best one, or a mistake. The choice
    /// depends on the line alone, so an address always leads to the same game.
    pub fn reply<'a>(&self, found: &'a Analysis) -> Option<&'a Move> {
        let lot = self
            .line
            .iter()
            .flat_map(|p| p.bytes())
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
        let lot = lot ^ lot >> 29;
        let (best, rest): (Vec<&Move>, Vec<&Move>) =
            found.moves.iter().partition(|m| is_winning(found, m));
        let mistaken = (lot % 100) < u64::from(self.mistakes);
        let from = if best.is_empty() || mistaken && !rest.is_empty() {
            &rest
        } else {
            return best.first().copied();
        };
        from.get((lot / 100) as usize % from.len().max(1)).copied()
    }

    /// Returns the move that a visitor typed: its position, its text, or its number from 1.
    pub fn chosen(&self, answer: &Answer, typed: &str) -> Option<Move> {
        let typed = typed.trim();
        let listed = &answer.analysis.moves;
        if let Some(m) = listed.iter().find(|m| *m.text == *typed || m.to == typed) {
            return Some(m.clone());
        }
        let position = normal_form(&*self.game, typed).ok();
        position.and_then(|position| answer.find(&*self.game, &position)).or_else(|| {
            let number: usize = typed.parse().ok()?;
            listed.get(number.checked_sub(1)?).cloned()
        })
    }

    /// Returns how a position is solved for this page: long positions get fewer bytes, and fewer of
    /// their moves are listed.
    pub fn settings(&self, budget: &Budget, most_moves: usize) -> Settings {
        let most_moves = most_moves.min(LISTED / (self.now().len() + 40));
        // Tables count what a short position takes; one of many heaps takes the more.
        let heaps = self.now().split([',', '+', '/']).count() as u64;
        let bytes = budget.bytes.map(|bytes| bytes / (1 + heaps / 16));
        let budget = Budget { bytes, ..budget.clone() };
        Settings { play: self.play, budget, most_moves, ..Settings::default() }
    }

    /// Answers about this game, each within a budget.
    pub fn answers<'a>(&'a self, site: &'a Site, budget: &Budget) -> Answers<'a> {
        let mut answers =
            Answers::new(&*self.game, self.settings(budget, MAX_MOVES), &site.theorems);
        answers.follow(&self.line);
        answers
    }

    /// Lists the moves of the present position, without a search for their values. Fails if a
    /// request is refused, as for a position that cannot be read.
    pub fn listed(&self, site: &Site, budget: &Budget) -> Result<Answer, RequestError> {
        Ok(self
            .answers(site, &Budget { nodes: Some(LISTING), ..budget.clone() })
            .moves(self.now())?)
    }

    /// Analyses the present position and its moves within a budget. Fails if it cannot be read.
    pub fn answer(&self, site: &Site, budget: &Budget) -> Result<Answer, RequestError> {
        Ok(self.answers(site, budget).of(self.now())?)
    }

    /// Returns the rules in a sentence, and how play ends.
    pub fn rules(&self, catalogue: &Catalogue) -> String {
        let end = end_rule(self.game.kind() == Kind::Scored, self.play);
        format!("{} {end}", catalogue.sentence(&self.called, &*self.game)).trim_end().to_owned()
    }
}

/// Boxes closed.
fn closed(board: Option<&Board>) -> i64 {
    boxes(board).into_iter().filter(|closed| *closed).count() as i64
}

/// Returns which boxes are closed, row by row, or which coins are taken.
pub(crate) fn boxes(board: Option<&Board>) -> Vec<bool> {
    if let Some(Board::Coins { strings, whole }) = board {
        let ends = |i: &usize| [Some(strings[*i].0), strings[*i].1];
        let last = (0..strings.len()).flat_map(|i| ends(&i)).flatten().max();
        let held =
            |coin: usize| (0..strings.len()).any(|i| whole[i] && ends(&i).contains(&Some(coin)));
        return (0..last.map_or(0, |last| last + 1)).map(|coin| !held(coin)).collect();
    }
    let Some(Board::Dots { rows, columns, horizontal, vertical }) = board else {
        return Vec::new();
    };
    let is_closed = |r: usize, c: usize| {
        horizontal[r * columns + c]
            && horizontal[(r + 1) * columns + c]
            && vertical[r * (columns + 1) + c]
            && vertical[r * (columns + 1) + c + 1]
    };
    (0..*rows)
        .flat_map(|r| (0..*columns).map(move |c| (r, c)))
        .map(|(r, c)| is_closed(r, c))
        .collect()
}

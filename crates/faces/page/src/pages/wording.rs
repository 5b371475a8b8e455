//! A game in course in words: whose turn it is, what the last move did, and what each move was
//! worth.

use super::board::row_size;
use crate::playthrough::{Playthrough, You, boxes};
use crate::request_error::RequestError;
use crate::site::Site;
use bouton_core::{Board, Notation, Outcome, Play, number_with_noun};
use bouton_dots::Dots;
use bouton_draw::move_highlight::changed_part;
use bouton_draw::scene::BoardPart;
use bouton_engine::sum::Sum;
use bouton_engine::{Analysis, Game, Kind};
use bouton_games::{Catalogue, ShelfGame, TakeAndBreak};
use bouton_report::move_description::{VerbForm, describe_move};
use bouton_report::text::{is_winning, move_in_words};
use bouton_study::Answers;
use std::fmt;

/// Returns what people call a game: as it was typed, if that is a name of its own on the shelf.
pub(super) fn title(catalogue: &Catalogue, called: &str, game: &dyn Game) -> String {
    if game.ruleset().is::<Sum>() {
        return "A sum of games".into();
    }
    let name = game.name();
    if let Some(entry) = catalogue.entry(called, game).filter(|_| called != name) {
        return entry.heading_of(called);
    }
    if catalogue.own_games().iter().any(|own| own.name() == name) {
        return name;
    }
    let family = catalogue.families().iter().find(|family| (family.claims)(&name));
    let own = game.ruleset().downcast_ref().and_then(TakeAndBreak::title);
    match own.or(family.map(|family| family.title)) {
        Some(title) => title.to_owned(),
        None => ShelfGame::named(&name).map_or(name, ShelfGame::heading),
    }
}

/// Who sits at the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Player {
    /// The visitor, against Bouton.
    Visitor,
    /// The program.
    Bouton,
    /// The visitor plays for both: the one who began.
    First,
    /// The other one.
    Second,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Visitor => "You",
            Player::Bouton => "Bouton",
            Player::First => "Player I",
            Player::Second => "Player II",
        })
    }
}

/// Returns a player's name inside a sentence.
fn inside(player: Player) -> String {
    match player {
        Player::Visitor => "you".into(),
        player => player.to_string(),
    }
}

/// Returns who plays first, or second.
pub(super) fn player(playthrough: &Playthrough, first: bool) -> Player {
    match (playthrough.you, first) {
        (You::Both, true) => Player::First,
        (You::Both, false) => Player::Second,
        (You::First, true) | (You::Second, false) => Player::Visitor,
        _ => Player::Bouton,
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Won by the last move, or in misère play because the other made it.
    Won {
        /// The winner.
        winner: Player,
        /// Who cannot move.
        stuck: Player,
    },
    /// Won on points.
    WonBy(Player, u64),
    /// As many points for both.
    Draw,
}

impl Ending {
    /// Returns how a game that is over ended.
    pub(super) fn from_playthrough(playthrough: &Playthrough) -> Ending {
        let (first, score) = playthrough.turns().last().copied().unwrap_or((true, 0));
        let name = |first: bool| player(playthrough, first);
        match (playthrough.game.kind(), score) {
            (Kind::Scored, 0) => Ending::Draw,
            (Kind::Scored, score) => Ending::WonBy(name(score > 0), score.unsigned_abs()),
            _ => Ending::Won {
                winner: name(first == (playthrough.play == Play::Misere)),
                stuck: name(first),
            },
        }
    }

    /// Returns who won.
    pub(super) fn winner(self) -> Option<Player> {
        match self {
            Ending::Won { winner, .. } | Ending::WonBy(winner, _) => Some(winner),
            Ending::Draw => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Won { winner, stuck } => {
                write!(f, "{stuck} cannot move. The game is over: {} won.", inside(*winner))
            }
            Ending::WonBy(winner, points) => {
                write!(f, "The game is over: {} won by {points}.", inside(*winner))
            }
            Ending::Draw => f.write_str("The game is over: a draw."),
        }
    }
}

/// Returns what has happened and what is to do, as it is spoken.
pub(super) fn status(playthrough: &Playthrough, over: bool) -> String {
    let turns = playthrough.turns();
    let (first, _) = turns.last().copied().unwrap_or((true, 0));
    let name = |first: bool| player(playthrough, first);
    let mut text = String::new();
    if playthrough.line.len() > 1 {
        let last = playthrough.line.len() - 1;
        // The opponent's answers since the visitor's own move.
        let mine = |i: usize| name(turns[i - 1].0) == Player::Visitor;
        let since = (1..=last).rev().find(|i| mine(*i)).map_or(last, |i| (i + 1).min(last));
        for i in since..=last {
            text.push_str(&format!("{} {}. ", name(turns[i - 1].0), deed(playthrough, i)));
        }
    }
    if over {
        return format!("{text}{}", Ending::from_playthrough(playthrough));
    }
    let to_move = match name(first) {
        Player::Visitor => "Your turn.".into(),
        who => format!("{who} is to move."),
    };
    format!("{text}{to_move}")
}

/// Returns what the move to this position of the line did.
pub(super) fn deed(playthrough: &Playthrough, turn: usize) -> String {
    let board = |i: usize| playthrough.game.board(&playthrough.line[i]).ok();
    let (from, to) = (&playthrough.line[turn - 1], &playthrough.line[turn]);
    let (before, after) = (board(turn - 1), board(turn));
    if playthrough.game.kind() == Kind::Scored {
        let count = |board| boxes(board).into_iter().filter(|closed| *closed).count();
        let (deed, kind) = match &before {
            Some(Board::Coins { .. }) => ("cut a string".to_owned(), "coin"),
            _ => (
                format!("drew {}", line(playthrough, from, to).as_deref().unwrap_or("a line")),
                "box",
            ),
        };
        return match (count(after.as_ref()) - count(before.as_ref()), kind) {
            (0, _) => deed,
            (count, kind) => format!("{deed}, for {}", number_with_noun(count, kind)),
        };
    }
    before
        .zip(after)
        .and_then(|(before, after)| {
            describe_move(&*playthrough.game, from, [&before, &after], VerbForm::Past)
        })
        .unwrap_or_else(|| format!("moved from {from} to {to}"))
}

/// Returns the name of the line that a move in Dots and Boxes draws.
fn line(playthrough: &Playthrough, from: &str, to: &str) -> Option<String> {
    let rules = playthrough.game.ruleset().downcast_ref::<Dots>()?;
    Some(rules.move_text(&rules.read(from).ok()?, &rules.read(to).ok()?).to_string())
}

/// What a move was worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Worth {
    /// It kept what there was to keep; how that is said.
    Good(&'static str),
    /// It did not; how that is said.
    Bad(String),
    /// There was nothing to keep.
    Lost,
    /// Nothing is known of it.
    Unknown,
}

impl Worth {
    /// Returns the class of the style in which it is said.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Worth::Good(_) => "good",
            Worth::Bad(_) => "bad",
            Worth::Lost | Worth::Unknown => "to",
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Worth::Good(said) => said,
            Worth::Bad(said) => said,
            Worth::Lost => "nothing wins here",
            Worth::Unknown => "not judged",
        })
    }
}

/// A move that was judged.
pub(super) struct Judged {
    /// The position it led to, as a place in the line.
    pub turn: usize,
    pub worth: Worth,
}

/// Judges the moves of the line from this position on, as far as the budget of the answers reaches.
pub(super) fn judge(
    playthrough: &Playthrough,
    answers: &mut Answers<'_>,
    turns: impl Iterator<Item = usize>,
) -> Result<Vec<Judged>, RequestError> {
    let mut judged = Vec::new();
    for turn in turns {
        let answer = answers.of(&playthrough.line[turn - 1])?;
        let made = answer.find(&*playthrough.game, &playthrough.line[turn]);
        let found = &answer.analysis;
        let better = || {
            found
                .moves
                .iter()
                .find(|m| is_winning(found, m))
                .map(|m| move_in_words(&*playthrough.game, &playthrough.line[turn - 1], m))
        };
        let worth = match (found.evaluation.margin, made) {
            (_, None) => Worth::Unknown,
            (Some(margin), Some(made)) => match made.evaluation.margin.map(|kept| margin - kept) {
                Some(0) => Worth::Good("best"),
                Some(lost) => Worth::Bad(format!(
                    "gives away {lost}; better: {}",
                    better().unwrap_or_default()
                )),
                None => Worth::Unknown,
            },
            (None, Some(made)) => match (found.evaluation.outcome, is_winning(found, &made)) {
                (Some(Outcome::N), true) => Worth::Good("wins"),
                (Some(Outcome::N), false) if made.evaluation.outcome.is_some() => {
                    let better =
                        better().map_or(String::new(), |better| format!("; better: {better}"));
                    Worth::Bad(format!("throws the win away{better}"))
                }
                (Some(Outcome::P), _) => Worth::Lost,
                _ => Worth::Unknown,
            },
        };
        judged.push(Judged { turn, worth });
    }
    Ok(judged)
}

/// Returns a hint that gives no move away: whether there is something to find, and where to look
/// for it.
pub(super) fn hint(site: &Site, playthrough: &Playthrough, found: &Analysis) -> String {
    let _ = site;
    let winning: Vec<_> = found.moves.iter().filter(|m| is_winning(found, m)).collect();
    let count = found.moves.len();
    let look = winning.first().and_then(|m| place(playthrough, found, &m.to));
    let look = look.map_or(String::new(), |place| format!(" Look at {}.", place.words));
    if let Some(margin) = found.evaluation.margin {
        let (keep, lose) = match winning.len() {
            1 => (format!("One of {count} moves keeps"), format!("One of {count} moves loses")),
            n => (format!("{n} of {count} moves keep"), format!("{n} of {count} moves lose")),
        };
        return match margin {
            0 => "With best play this ends in a draw.".into(),
            m if m > 0 => format!("You can come out {m} ahead. {keep} that.{look}"),
            m => format!("With best play you end {} behind. {lose} no more.{look}", -m),
        };
    }
    match found.evaluation.outcome {
        Some(Outcome::P) => {
            "No move wins against perfect play. Make it hard: leave many answers, only one of \
             them right."
                .into()
        }
        Some(Outcome::N) => {
            let ways = match (winning.len(), count) {
                (0, _) => "Some move wins.".to_owned(),
                (1, count) => format!("One of {count} moves wins."),
                (n, count) => format!("{n} of {count} moves win."),
            };
            ways + look.as_str()
        }
        None if found.evaluation.is_draw => {
            "Neither player can force the end: with best play this is a draw.".into()
        }
        None => "Who wins is not found within the time of a page.".into(),
    }
}

/// Where on the board to look for a move.
pub(super) struct Place {
    /// What follows *Look at*.
    pub words: String,
    /// The parts to mark, but for heaps.
    pub parts: Vec<BoardPart>,
}

/// Returns where on the board to look for a move, if that does not give it away.
pub(super) fn place(playthrough: &Playthrough, found: &Analysis, to: &str) -> Option<Place> {
    let board = |at: &str| playthrough.game.board(at).ok();
    let (before, after) = (board(playthrough.now())?, board(to)?);
    if let Some([left, _]) = before.places_apart(&after) {
        // The coin that moves, or the one that goes from heads to tails.
        let x = *left.last()?;
        let parts = vec![BoardPart::Square { summand: 0, x, y: 0 }];
        return Some(Place { words: format!("the coin at {x}"), parts });
    }
    match (&before, changed_part(&before, &after)) {
        (Board::Queen { x, y }, Some(BoardPart::Square { x: u, y: v, .. })) => {
            Some(queen_place([*x, *y], [u, v]))
        }
        (_, Some(part @ BoardPart::Pins { summand, row, count, .. })) => {
            let size = row_size(&before, part)?;
            let words = match count {
                0 => "cuts".to_owned(),
                1 => "moves that take one".into(),
                count => format!("moves that take {count}"),
            };
            let words = match before.rows() {
                Some([_]) => words,
                Some(_) => format!("{words} in row {}", row + 1),
                None => format!("{words} in summand {}", summand + 1),
            };
            let parts =
                (0..size).map(|first| BoardPart::Pins { summand, row, first, count }).collect();
            Some(Place { words, parts })
        }
        (
            Board::Dots { rows, columns, horizontal, vertical },
            Some(line @ BoardPart::Line { .. }),
        ) => box_place((*rows, *columns), [horizontal, vertical], line),
        (Board::Coins { strings, whole }, Some(BoardPart::Line { line, .. })) => {
            coin_place(strings, whole, line)
        }
        _ => heaps_place(playthrough, to).or_else(|| {
            // A winning move and the next one that is none.
            let part = |to: &str| changed_part(&before, &board(to)?);
            let (own, at) = (part(to)?, found.moves.iter().position(|m| m.to == to)?);
            let around = found.moves[at..].iter().chain(&found.moves[..at]);
            let other = around
                .filter(|m| !is_winning(found, m))
                .find_map(|m| part(&m.to).filter(|o| *o != own));
            let words = if other.is_some() { "the two marked moves" } else { "what is marked" };
            Some(Place { words: words.into(), parts: std::iter::once(own).chain(other).collect() })
        }),
    }
}

/// Returns the squares in the direction of a queen's move.
fn queen_place([x, y]: [u32; 2], [u, v]: [u32; 2]) -> Place {
    let (words, step, far) = match (x - u, y - v) {
        (0, _) => ("the squares below the queen", [0, 1], y),
        (_, 0) => ("the squares left of the queen", [1, 0], x),
        _ => ("the diagonal", [1, 1], x.min(y)),
    };
    let square = |k: u32| BoardPart::Square { summand: 0, x: x - k * step[0], y: y - k * step[1] };
    Place { words: words.into(), parts: (1..=far).map(square).collect() }
}

/// Returns the open lines of a box that has this line, of the box with the most of them.
fn box_place(
    (rows, columns): (usize, usize),
    [horizontal, vertical]: [&[bool]; 2],
    line: BoardPart,
) -> Option<Place> {
    let boxes = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
    let sides = boxes.map(|(r, c)| {
        let across = |line: usize| BoardPart::Line { horizontal: true, line };
        let down = |line: usize| BoardPart::Line { horizontal: false, line };
        let (low, left) = (r * columns + c, r * (columns + 1) + c);
        [across(low), across(low + columns), down(left), down(left + 1)]
    });
    let open = |part: &BoardPart| match part {
        BoardPart::Line { horizontal: true, line } => !horizontal[*line],
        BoardPart::Line { line, .. } => !vertical[*line],
        _ => false,
    };
    let sides = sides.filter(|sides| sides.contains(&line));
    let parts: Vec<BoardPart> =
        sides.map(|sides| sides.into_iter().filter(open).collect()).max_by_key(Vec::len)?;
    (parts.len() > 1).then(|| Place { words: "the marked box".into(), parts })
}

/// Returns the whole strings of a coin at an end of this string, of the coin with the most of them.
fn coin_place(strings: &[(usize, Option<usize>)], whole: &[bool], line: usize) -> Option<Place> {
    let held = |coin: usize| {
        let holds = |i: &usize| whole[*i] && (strings[*i].0 == coin || strings[*i].1 == Some(coin));
        (0..strings.len()).filter(holds).collect::<Vec<_>>()
    };
    let (coin, other) = strings[line];
    let coin = other.into_iter().chain([coin]).max_by_key(|coin| held(*coin).len())?;
    let part = |line| BoardPart::Line { horizontal: false, line };
    let parts: Vec<BoardPart> = held(coin).into_iter().map(part).collect();
    (parts.len() > 1).then(|| Place { words: format!("the strings of coin {}", coin + 1), parts })
}

/// Returns the heaps that a move lowers; `None` if it lowers none, or heaps do not keep their
/// places.
fn heaps_place(playthrough: &Playthrough, to: &str) -> Option<Place> {
    let heaps: Vec<String> =
        heaps_changed(playthrough, to).iter().map(|i| (i + 1).to_string()).collect();
    let heap = if heaps.len() == 1 { "heap" } else { "heaps" };
    let words = format!("{heap} {}", heaps.join(" and "));
    (!heaps.is_empty()).then(|| Place { words, parts: Vec::new() })
}

/// Returns the heaps that a move lowers, where there are several and they keep their places.
pub(super) fn heaps_changed(playthrough: &Playthrough, to: &str) -> Vec<usize> {
    let board = |at: &str| playthrough.game.board(at).ok();
    let (Some(before), Some(after)) = (board(playthrough.now()), board(to)) else {
        return Vec::new();
    };
    match (before.heaps(), after.heaps()) {
        (Some(a), Some(b)) if a.len() == b.len() && a.len() > 1 => {
            (0..a.len()).filter(|i| a[*i] != b[*i]).collect()
        }
        _ => Vec::new(),
    }
}

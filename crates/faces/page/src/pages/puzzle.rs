//! Puzzles: a position with exactly one move that is best, chosen by a day and a level and nothing
//! else. The page of all of them shows the last days; the script marks those that were solved on
//! this device, and counts the days in a row.

use super::home::picture;
use super::{Page, wording};
use crate::playthrough::LISTING;
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::{Response, Status};
use crate::site::Site;
use bouton_core::{Budget, Outcome};
use bouton_engine::{Game, Kind, Settings};
use bouton_report::text::is_winning;
use maud::html;
use std::fmt;

/// Where a puzzle comes from.
enum Source {
    /// This many numbers, from 1 to the largest, at random.
    Numbers(&'static str, usize, u64),
    /// The start of the game and this many moves, at random; fewer if few moves are left.
    Moves(&'static str, u64),
}

/// How hard puzzles are: a name, the fewest moves to choose from, and the games.
struct Level {
    name: &'static str,
    fewest: usize,
    sources: &'static [Source],
}

use Source::{Moves, Numbers};

/// The levels, from 1.
static LEVELS: [Level; 4] = [
    Level {
        name: "Easy",
        fewest: 4,
        sources: &[
            Numbers("nim", 3, 5),
            Numbers("kayles", 1, 7),
            Numbers("wythoff", 2, 6),
            Numbers("S(1,2,3)", 2, 9),
            Numbers("CN(3,2)", 3, 3),
            Moves("dots(1x3)", 5),
        ],
    },
    Level {
        name: "Steady",
        fewest: 6,
        sources: &[
            Numbers("nim", 4, 8),
            Numbers("CN(4,2)", 4, 4),
            Numbers("wythoff", 2, 12),
            Numbers("moore(3)", 4, 6),
            Numbers("kayles", 3, 8),
            Numbers("SCN(4,2)", 4, 4),
            Numbers("CN(5,3)", 5, 3),
            Numbers("simplicial(1,2;2,3;3,4)", 4, 4),
            Moves("dots(2x2)", 4),
        ],
    },
    Level {
        name: "Hard",
        fewest: 8,
        sources: &[
            Numbers("nim", 5, 15),
            Numbers("kayles", 3, 14),
            Numbers("dawson-kayles", 3, 14),
            Numbers("grundy", 3, 12),
            Numbers("0.137", 2, 16),
            Numbers("CN(5,2)", 5, 4),
            Numbers("wythoff", 2, 30),
            Moves("dots(2x3)", 6),
        ],
    },
    Level {
        name: "Master",
        fewest: 2,
        sources: &[
            Moves("Gamma(1,4;13)", 2),
            Moves("Gamma(1,2,5;17)", 3),
            Moves("NIM(1,3,4;17)", 1),
            Moves("coins(0-1,1-2,2-3,3-0,2-4,4-0)", 2),
            Numbers("kayles", 4, 20),
            Moves("dots(2x3)", 4),
        ],
    },
];

/// The level of the puzzle of the day.
const DAILY: usize = 2;
/// Positions tried for a day.
const TRIES: usize = 400;
/// Days of the archive.
const SHOWN: u32 = 30;

/// Numbers that look drawn at random: a xorshift of 64 bits (G. Marsaglia, 2003).
pub(super) struct Random(u64);

impl Random {
    /// Returns the generator of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number from 0 to `end` − 1; `end` is at least 1.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    /// Returns a position after `steps` random moves from the start of a game, or fewer if at most
    /// `left` moves are left; `None` if the game has no start.
    pub fn wander(&mut self, game: &dyn Game, steps: u64, left: usize) -> Option<String> {
        self.wander_from(game, game.start()?, steps, left)
    }

    /// Returns such a position, from a given one.
    pub fn wander_from(
        &mut self,
        game: &dyn Game,
        mut at: String,
        steps: u64,
        left: usize,
    ) -> Option<String> {
        // One node: the moves are listed, and no more.
        let budget = Budget { nodes: Some(LISTING), ..Budget::default() };
        let mut session = game.session(Settings { budget, ..Settings::default() });
        for step in 0.. {
            let moves = session.analyse(&at).ok()?.moves;
            if moves.len() <= left || step == steps {
                return (!moves.is_empty()).then_some(at);
            }
            at = moves[self.below(moves.len() as u64) as usize].to.clone();
        }
        None
    }
}

/// A puzzle's day and level, as an address names them: `20000`, or `20000-3` if the level is not
/// that of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PuzzleKey {
    day: u32,
    level: usize,
}

impl PuzzleKey {
    /// Returns the puzzle of a day.
    pub(crate) fn daily(day: u32) -> PuzzleKey {
        PuzzleKey { day, level: DAILY }
    }

    /// Reads a key; nothing for any other text.
    pub(crate) fn parse(text: &str) -> Option<PuzzleKey> {
        let (day, level) = match text.split_once('-') {
            Some((day, level)) => (day, level.parse().ok()?),
            None => (text, DAILY),
        };
        (1..=LEVELS.len()).contains(&level).then_some(PuzzleKey { day: day.parse().ok()?, level })
    }

    /// Returns the heading of the puzzle's board.
    pub(super) fn title(self) -> String {
        format!("Puzzle {} · {}", self.day, LEVELS[self.level - 1].name)
    }
}

impl fmt::Display for PuzzleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            DAILY => write!(f, "{}", self.day),
            level => write!(f, "{}-{level}", self.day),
        }
    }
}

/// Returns the game and the position of a puzzle.
pub(super) fn find(site: &Site, key: PuzzleKey) -> Option<(&'static str, String)> {
    let PuzzleKey { day, level } = key;
    let Level { fewest, sources, .. } = &LEVELS[level - 1];
    let offset = (level + LEVELS.len() - DAILY) % LEVELS.len();
    let mut lot = Random::new(u64::from(day) | (offset as u64) << 40);
    let source = &sources[day as usize % sources.len()];
    let (Numbers(name, ..) | Moves(name, _)) = source;
    let game = site.catalogue.parse(name).ok()?.game;
    // In nodes alone, so that a day has the same puzzle everywhere.
    let budget = Budget { nodes: Some(400_000), ..Budget::default() };
    let mut session = game.session(Settings { budget, ..Settings::default() });
    for _ in 0..TRIES {
        let at = match *source {
            Numbers(_, heaps, most) => {
                let sizes: Vec<String> =
                    (0..heaps).map(|_| (1 + lot.below(most)).to_string()).collect();
                sizes.join(",")
            }
            Moves(_, steps) => {
                let steps = lot.below(steps + 1);
                lot.wander(&*game, steps, *fewest)?
            }
        };
        let found = session.analyse(&at).ok()?;
        let best = found.moves.iter().filter(|m| is_winning(&found, m)).count();
        // On points each move is better or worse, whoever is ahead.
        let is_open = match game.kind() {
            Kind::Scored => found.evaluation.margin.is_some(),
            _ => found.evaluation.outcome == Some(Outcome::N),
        };
        if is_open && found.spent.is_none() && found.moves.len() >= *fewest && best == 1 {
            return Some((name, found.position));
        }
    }
    None
}

/// Leads to the board of a day's puzzle.
pub(crate) fn page(site: &Site, request: &Request, _: &Budget) -> Page {
    let day = match request.get("day") {
        "" => request.day().to_string(),
        day => day.to_owned(),
    };
    let level = request.get("level");
    let text = if level.is_empty() { day } else { format!("{day}-{level}") };
    let wrong = || {
        RequestError::bad(format!(
            "day: a number of days since 1970-01-01; level: 1 to {}",
            LEVELS.len()
        ))
    };
    let key = PuzzleKey::parse(&text).ok_or_else(wrong)?;
    let none = || RequestError::new(Status::Unprocessable, "no puzzle was found for this day");
    let (game, at) = find(site, key).ok_or_else(none)?;
    Ok(Response::redirect(format!("/play?game={}&at={}&puzzle={key}", encoded(game), encoded(&at))))
}

/// Shows the puzzles of the last days, at each level.
pub(crate) fn all(site: &Site, request: &Request, _: &Budget) -> Page {
    let today = request.day();
    let days = (1..SHOWN).filter_map(|ago| today.checked_sub(ago));
    let href = |day, level| {
        let level = if level == DAILY { String::new() } else { format!("&level={level}") };
        format!("/puzzle?day={day}{level}")
    };
    let body = html! {
        h1 { "Puzzles" }
        p.lead { "Each has exactly one best move. A new one at every level each day, the same for \
            everybody." }
        p #streak.good data-today=(today) hidden {}
        div.families.levels {
            @for level in 1..=LEVELS.len() {
                @let (key, name) = (PuzzleKey { day: today, level }, LEVELS[level - 1].name);
                @if let Some((game, at)) = find(site, key) {
                    section.family {
                        a.picture href=(href(today, level)) tabindex="-1" aria-hidden="true" {
                            (picture(site, game, &at)) }
                        h2 { a href=(href(today, level)) { (name) } }
                        @if let Ok(named) = site.catalogue.parse(game) {
                            p { (wording::title(&site.catalogue, game, &*named.game)) } }
                        a.button href=(href(today, level)) data-puzzle=(key) aria-label={
                            "Solve: " (name) ", today" } { "Solve" }
                    }
                }
            }
        }
        h2 { "The days before" }
        div.wide tabindex="0" role="region" aria-label="Puzzles" {
            table.archive {
                thead { tr { th scope="col" { "Day" } @for level in &LEVELS {
                    th scope="col" { (level.name) } } } }
                tbody {
                    @for day in days {
                        tr {
                            th scope="row" { @match today - day { 1 => "yesterday", ago => {
                                (ago) " days ago" } } }
                            @for level in 1..=LEVELS.len() {
                                @let key = PuzzleKey { day, level };
                                td { a href=(href(day, level)) data-puzzle=(key) aria-label={
                                    "Solve: " (LEVELS[level - 1].name) ", " (today - day)
                                        " days ago" } { "Solve" } }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(Response::page("Puzzles", body))
}

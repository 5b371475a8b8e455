//! The puzzle of the day: a position with exactly one winning move, chosen by the date and nothing else.

use super::Page;
use crate::refusal::Refusal;
use crate::request::{Request, encoded};
use crate::response::{Response, Status};
use crate::site::Site;
use bouton_core::{Budget, Outcome};
use bouton_engine::Settings;
use bouton_report::text::is_winning;

/// Games that puzzles are taken from: the name, how many numbers, and the largest.
const GAMES: [(&str, usize, u64); 8] = [
    ("nim", 4, 8),
    ("CN(4,2)", 4, 4),
    ("wythoff", 2, 12),
    ("moore(3)", 4, 6),
    ("kayles", 3, 8),
    ("SCN(4,2)", 4, 4),
    ("CN(5,3)", 5, 3),
    ("simplicial(1,2;2,3;3,4)", 4, 4),
];
/// Positions tried for a day.
const TRIES: usize = 400;
/// The fewest moves to choose from.
const FEWEST: usize = 6;

/// Numbers that look drawn by lot: a xorshift of 64 bits (G. Marsaglia, 2003).
pub(super) struct Lot(u64);

impl Lot {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Lot {
        Lot(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below this one, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

/// The game and the position of a day.
pub(super) fn of(site: &Site, day: u32) -> Option<(&'static str, String)> {
    let mut lot = Lot::new(day.into());
    let (name, heaps, most) = GAMES[day as usize % GAMES.len()];
    let game = site.catalogue.parse(name).ok()?.game;
    // In nodes alone, so that a day has the same puzzle everywhere.
    let budget = Budget { nodes: Some(400_000), ..Budget::default() };
    let mut session = game.session(Settings { budget, ..Settings::default() });
    for _ in 0..TRIES {
        let sizes: Vec<String> = (0..heaps).map(|_| (1 + lot.below(most)).to_string()).collect();
        let found = session.analyse(&sizes.join(",")).ok()?;
        let winning = found.moves.iter().filter(|m| is_winning(&found, m)).count();
        if found.evaluation.outcome == Some(Outcome::N)
            && found.spent.is_none()
            && found.moves.len() >= FEWEST
            && winning == 1
        {
            return Some((name, found.position));
        }
    }
    None
}

/// Leads to the board of a day's puzzle.
pub(crate) fn page(site: &Site, request: &Request, _: &Budget) -> Page {
    let day = match request.get("day") {
        "" => request.day(),
        day => day.parse().map_err(|_| Refusal::bad("day: a number of days since 1970-01-01"))?,
    };
    let none = || Refusal::new(Status::Unprocessable, "no puzzle was found for this day");
    let (game, at) = of(site, day).ok_or_else(none)?;
    Ok(Response::redirect(format!("/play?game={}&at={}&puzzle={day}", encoded(game), encoded(&at))))
}

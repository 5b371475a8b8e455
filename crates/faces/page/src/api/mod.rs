//! The JSON API: the same answers as the command line's `--json`.

pub(crate) mod openapi;
pub(crate) mod theory;

use crate::playthrough::{Address, Playthrough, play};
use crate::request::Request;
use crate::request_error::RequestError;
use crate::site::Site;
use crate::table::TableAddress;
use crate::tree::{Extent, grow};
use bouton_core::{Budget, LimitReached, WrittenNumber, heaps_text};
use bouton_draw::heatmap::Heatmap;
use bouton_engine::Settings;
use bouton_games::Slice;
use bouton_report::answers::OrNull;
use bouton_report::answers::tables::{PPositions, PositionList};
use bouton_study::{
    MAX_SINGLE_HEAPS, default_heaps, remoteness_of, visit_lost_slice, visit_lost_sums,
};
use serde::Serialize;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::Ordering;

/// An answer as JSON, in one line.
pub(crate) struct Json(pub String);

impl Json {
    /// Writes an answer.
    pub fn new(answer: &impl Serialize) -> Json {
        Json(bouton_report::to_json(answer))
    }
}

/// An answer as JSON, or why not.
pub(crate) type Answer = Result<Json, RequestError>;

fn number(text: &str, name: &str, most: u32) -> Result<u32, RequestError> {
    let number = WrittenNumber::read(text).filter(|n| *n <= most);
    number.ok_or_else(|| RequestError::bad(format!("{name}: a number up to {most}")))
}

/// Reads the game in course that a question is about: a game, and a position.
fn asked_position(site: &Site, request: &Request) -> Result<Playthrough, RequestError> {
    let address = Address {
        game: request.get("game").to_owned(),
        at: request.get("position").to_owned(),
        misere: request.get("misere").to_owned(),
        ..Address::default()
    };
    Playthrough::read(&site.catalogue, &address)
}

pub(crate) fn games(site: &Site, _: &Request, _: &Budget) -> Answer {
    Ok(Json::new(&bouton_report::games(&site.catalogue)))
}

pub(crate) fn solve(site: &Site, request: &Request, budget: &Budget) -> Answer {
    let playthrough = asked_position(site, request)?;
    let (game, play) = (&*playthrough.game, playthrough.play);
    let found = playthrough.answer(site, budget)?;
    let mut answer = bouton_report::answer(game, play, &found);
    if request.get("remoteness") == "1" {
        let lasts = remoteness_of(game, playthrough.now(), play, budget)?.ok_or_else(|| {
            let name = game.name();
            RequestError::bad(format!(
                "{name} is won on points: remoteness is of games won by the last move"
            ))
        })?;
        let moves = lasts.ok().flatten().map(|lasts| lasts.moves);
        answer.remoteness = Some(OrNull(moves));
    }
    Ok(Json::new(&answer))
}

/// Finds what is wrong with a question about a position, before any work.
pub(crate) fn position_refused(site: &Site, request: &Request) -> Result<(), RequestError> {
    asked_position(site, request).map(|_| ())
}

/// The largest heap of a box of P-positions, and the most of a sequence.
const MAX_BOUND: u32 = 1000;
const MAX_VALUES: u32 = 100_000;
/// P-positions listed.
const MAX_POSITIONS: usize = 50_000;
/// More positions of a slice are not begun.
const MAX_IN_SLICE: u64 = 10_000_000;

pub(crate) fn positions(site: &Site, request: &Request, budget: &Budget) -> Answer {
    let named = site.catalogue.parse_alone(request.get("game"))?;
    let slice = request.get("slice");
    if !slice.is_empty() && !request.get("heaps").is_empty() {
        return Err(RequestError::bad("heaps: a slice says how many heaps there are"));
    }
    let heaps = match request.get("heaps") {
        "" => default_heaps(&named),
        text => Some(number(text, "heaps", MAX_SINGLE_HEAPS as u32)? as usize),
    };
    let game = named.game;
    let max = number(request.get("max"), "max", MAX_BOUND)?;
    let play = play(&site.catalogue, request.get("game"), request.get("misere"));
    let watch = budget.watch.clone().unwrap_or_default();
    let budget = Budget { watch: Some(watch.clone()), ..budget.clone() };
    let mut list = PositionList::default();
    let mut take = |p: &str| {
        if list.len() < MAX_POSITIONS {
            list.push(p, None);
        }
        if list.len() >= MAX_POSITIONS {
            watch.stop.store(true, Ordering::Relaxed);
        }
    };
    let fixed = game.table_shape().map(|shape| shape.numbers).filter(|numbers| *numbers != 1);
    let mut take_sizes = |sizes: &[u64]| {
        take(&heaps_text(sizes));
        if watch.stop.load(Ordering::Relaxed) { Break(()) } else { Continue(()) }
    };
    let found = match (slice, heaps.filter(|_| fixed.is_none())) {
        ("", Some(heaps)) => visit_lost_sums(&*game, heaps, play, max, &budget, &mut take_sizes),
        ("", None) if request.get("heaps").is_empty() => game
            .session(Settings { play, budget, ..Settings::default() })
            .p_positions(max, &mut take),
        ("", None) => None,
        (text, _) => {
            let numbers = fixed.unwrap_or_else(|| text.split(',').count());
            let slice = Slice::parse(text, numbers, max)?;
            if slice.count().is_none_or(|len| len > MAX_IN_SLICE) {
                return Err(RequestError::bad(format!(
                    "{text}: more than {MAX_IN_SLICE} positions with heaps up to {max}"
                )));
            }
            visit_lost_slice(&*game, &slice, play, max, &budget, &mut take_sizes)
        }
    };
    let found = found.ok_or_else(|| {
        RequestError::bad(format!(
            "{} is a game neither on a fixed number of heaps, without `heaps`, nor on single heaps",
            game.name()
        ))
    })?;
    let found = match watch.stop.load(Ordering::Relaxed) {
        true => found.and(Err(LimitReached::Cancelled)),
        false => found,
    };
    let answer = bouton_report::positions(&*game, play, max, &list, found.err());
    let slice = Some(slice.trim()).filter(|slice| !slice.is_empty());
    Ok(Json::new(&PPositions { slice, ..answer }))
}

pub(crate) fn values(site: &Site, request: &Request, budget: &Budget) -> Answer {
    let game = site.catalogue.parse_alone(request.get("game"))?.game;
    let to = number(request.get("to"), "to", MAX_VALUES)?;
    let mut values = Vec::new();
    let found = game
        .session(Settings { budget: budget.clone(), ..Settings::default() })
        .values(to, &mut |_, value| values.push(value.0));
    let found =
        found.ok_or_else(|| RequestError::bad(format!("{} has no nim-sequence", game.name())))?;
    Ok(Json::new(&bouton_report::values(&*game, &values, found.err())))
}

pub(crate) fn strategy(site: &Site, request: &Request, budget: &Budget) -> Answer {
    Ok(Json::new(&bouton_report::tree(&grow(
        &asked_position(site, request)?,
        &Extent::from_request(request),
        budget,
    )?)))
}

pub(crate) fn heatmap(site: &Site, request: &Request, budget: &Budget) -> Answer {
    Ok(Json::new(&bouton_report::heatmap(&Heatmap::compute(
        TableAddress::from_request(request).question(site, budget)?,
    )?)))
}

//! A sheet to print: positions to think about on the first page, answers on the second.

use super::game_tabs::{self, Tab};
use super::puzzle::Random;
use super::{Page, wording};
use crate::playthrough;
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::Response;
use crate::site::Site;
use bouton_core::{Budget, Outcome, Play, WrittenNumber};
use bouton_draw::{Picture, svg};
use bouton_engine::{Analysis, Game, Kind, Move, Settings};
use bouton_games::Catalogue;
use bouton_report::text::{advice, is_over, is_winning, move_in_words};
use maud::{Markup, PreEscaped, html};

/// Positions on a sheet, if nothing else is asked for, and at most.
const POSITIONS: usize = 8;
const MAX_POSITIONS: usize = 24;
/// Positions tried for each of a sheet, for they shall differ, and a share of them be lost.
const TRIES: usize = 25;
/// How hard a sheet is: the word, and the largest heap.
const LEVELS: [(&str, u64); 3] = [("easy", 4), ("middle", 6), ("hard", 11)];
/// Lost positions of a hundred, if nothing else is asked for, and what may be asked for.
const LOST: usize = 50;
const SHARES: [usize; 5] = [0, 25, 50, 75, 100];
/// Winning moves named in the answers.
const MAX_NAMED_MOVES: usize = 3;
/// Moves left in a position of a game that begins with a start of its own.
const LEFT: u64 = 9;

/// What a sheet is asked to be.
struct Asked<'r> {
    game: &'r str,
    seed: u64,
    count: usize,
    /// How hard it is, and the largest heap.
    level: (&'static str, u64),
    /// Lost positions of a hundred.
    lost: usize,
    play: Play,
}

impl<'r> Asked<'r> {
    fn from_request(
        request: &'r Request,
        catalogue: &Catalogue,
    ) -> Result<Asked<'r>, RequestError> {
        let seed = match request.get("seed") {
            "" => request.day().into(),
            seed => WrittenNumber::read(seed).ok_or_else(|| RequestError::bad("seed: a number"))?,
        };
        let count = match request.get("count") {
            "" => POSITIONS,
            count => {
                let number = WrittenNumber::read(count);
                number.filter(|count| (1..=MAX_POSITIONS).contains(count)).ok_or_else(|| {
                    RequestError::bad(format!("count: a number from 1 to {MAX_POSITIONS}"))
                })?
            }
        };
        let level = if request.get("level").is_empty() { "middle" } else { request.get("level") };
        let level = LEVELS.into_iter().find(|(word, _)| *word == level);
        let level = level.ok_or_else(|| RequestError::bad("level: easy, middle or hard"))?;
        let lost = match request.get("lost") {
            "" => LOST,
            lost => WrittenNumber::read(lost).filter(|lost| *lost <= 100).ok_or_else(|| {
                RequestError::bad("lost: of a hundred positions so many, from 0 to 100")
            })?,
        };
        let game = if request.get("game").is_empty() { "nim(3)" } else { request.get("game") };
        let play = playthrough::play(catalogue, game, request.get("misere"));
        Ok(Asked { game, seed, count, level, lost, play })
    }
}

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let asked = Asked::from_request(request, &site.catalogue)?;
    let named = site.catalogue.parse_alone(asked.game)?;
    let game = &*named.game;
    // Where play begins that has no heaps: as the line of play that came along, or as the game
    // does.
    let line =
        request.get("line").split('~').next().filter(|start| !start.is_empty()).map(str::to_owned);
    let start = line.or(game.start()).or(named.opening);
    let found = positions(game, start, &asked, budget)?;
    let called = site.catalogue.display_name(asked.game, game);
    let title = wording::title(&site.catalogue, &called, game);
    let body = html! {
        h1 { (title) ": who wins?" }
        (game_tabs::tabs_of(site, request, Tab::Worksheet))
        p { (site.catalogue.sentence(&called, game)) " " (task(game, asked.play)) }
        (form(request, game, &called, &asked))
        p.acts { "Print this page: the answers come on a second one." }
        ol.sheet {
            @for one in &found {
                li {
                    @if let Ok(board) = game.board(&one.position) {
                        (PreEscaped(svg::inline(&Picture::Board(format!("{} at {}", game.name(),
                            one.position), board).scene(), |_| None)))
                    }
                    p.blank { @if is_scored(game) { "By how many? " } @else { "Won or lost? " }
                        span { } }
                }
            }
        }
        (answers(game, &called, asked.play, &found))
    };
    Ok(Response::page(format!("Sheet: {title}"), body))
}

fn is_scored(game: &dyn Game) -> bool {
    game.kind() == Kind::Scored
}

/// Draws the positions of a sheet, and analyses them.
fn positions(
    game: &dyn Game,
    start: Option<String>,
    asked: &Asked<'_>,
    budget: &Budget,
) -> Result<Vec<Analysis>, RequestError> {
    let Asked { count, play, .. } = *asked;
    let mut sheet = WorksheetBuilder {
        game,
        lot: Random::new(asked.seed),
        found: Vec::new(),
        count,
        lost: count * asked.lost / 100,
        largest: asked.level.1,
        start,
    };
    let mut session =
        game.session(Settings { play, budget: budget.clone(), ..Settings::default() });
    for _ in 0..TRIES * count {
        let Some(at) = sheet.draw() else { continue };
        let one = session.analyse(&at)?;
        // A won position leads to a lost one, which is rare in many games.
        let wins = |m: &&Move| !is_scored(game) && is_winning(&one, m);
        let lost = one.moves.iter().find(wins).map(|m| m.to.clone());
        sheet.take(one);
        if let Some(lost) = lost.filter(|_| sheet.needs(Outcome::P)) {
            let lost = session.analyse(&lost)?;
            sheet.take(lost);
        }
        if sheet.found.len() == count {
            break;
        }
    }
    let WorksheetBuilder { mut lot, mut found, .. } = sheet;
    if found.is_empty() {
        return Err(RequestError::bad(format!(
            "no sheet could be made for {}: try a smaller game",
            game.name()
        )));
    }
    // A lost position does not always follow the one that leads to it.
    for i in (1..found.len()).rev() {
        found.swap(i, lot.below(i as u64 + 1) as usize);
    }
    Ok(found)
}

/// Returns who wins, and what is asked.
fn task(game: &dyn Game, play: Play) -> &'static str {
    match (is_scored(game), play) {
        (true, _) => {
            "You are to move: by how many boxes do you win or lose against best play, and with \
             which line?"
        }
        (_, Play::Normal) => {
            "Whoever cannot move loses. You are to move: is the position won? If so, find a \
             winning move."
        }
        (_, Play::Misere) => {
            "Misère play: whoever cannot move wins. You are to move: is the position won? If so, \
             find a winning move."
        }
    }
}

/// The form for another sheet.
fn form(request: &Request, game: &dyn Game, called: &str, asked: &Asked<'_>) -> Markup {
    let (scored, misere) = (is_scored(game), asked.play == Play::Misere);
    html! {
        form.line action="/worksheet" method="get" {
            input type="hidden" name="game" value=(called);
            label { "Positions " input name="count" type="number" min="1" max=(MAX_POSITIONS)
                value=(asked.count); }
            @if !scored {
                label { "Level " select name="level" { @for (word, _) in LEVELS {
                    option value=(word) selected[word == asked.level.0] { (word) } } } }
                label { "Lost positions " select name="lost" {
                    @for share in SHARES { option value=(share) selected[share == asked.lost] {
                        (share) " %" } } } }
            }
            @if !scored { label { input type="checkbox" name="misere" value="1" checked[misere];
                " misère" } }
            @if !request.get("line").is_empty() { input type="hidden" name="line"
                value=(request.get("line")); }
            input type="hidden" name="seed" value=(asked.seed.wrapping_add(1));
            button { "Another sheet" }
        }
    }
}

/// The second page: who wins, and how.
fn answers(game: &dyn Game, called: &str, play: Play, found: &[Analysis]) -> Markup {
    html! {
        section.answers aria-labelledby="answers" {
            h2 #answers { "Answers" }
            ol {
                @for one in found {
                    li {
                        @if !is_scored(game) { (one.position) ": " }
                            (advice(game, play, one, is_over(one)).unwrap_or_default())
                        @let others = others(game, one);
                        @if !others.is_empty() { " Also: "
                            (others.iter().take(MAX_NAMED_MOVES).cloned().collect::<Vec<_>>()
                                .join("; "))
                                @if others.len() > MAX_NAMED_MOVES { "; and others" } "." }
                        " " a href={ "/play?game=" (encoded(called)) "&at="
                            (encoded(&one.position)) @if play == Play::Misere { "&misere=1" } } {
                                "Play it" }
                    }
                }
            }
        }
    }
}

/// Returns the winning moves besides the one that the advice names, in words, each once.
fn others(game: &dyn Game, one: &Analysis) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    if one.evaluation.outcome == Some(Outcome::N)
        || one.evaluation.margin.is_some_and(|margin| margin >= 0)
    {
        for m in one.moves.iter().filter(|m| is_winning(one, m)) {
            let words = move_in_words(game, &one.position, m);
            if !all.contains(&words) {
                all.push(words);
            }
        }
    }
    all.drain(..1.min(all.len()));
    all
}

/// A sheet in the making.
struct WorksheetBuilder<'g> {
    game: &'g dyn Game,
    lot: Random,
    found: Vec<Analysis>,
    count: usize,
    /// Positions of the sheet that shall be lost.
    lost: usize,
    /// The largest heap.
    largest: u64,
    /// A position to begin with, if the game has one.
    start: Option<String>,
}

impl WorksheetBuilder<'_> {
    /// Draws a position at random: of heaps, or after some moves from the start.
    fn draw(&mut self) -> Option<String> {
        let has_heaps = self.game.heap_game().is_some() || self.game.heap_moves().is_some();
        if has_heaps || self.start.is_none() {
            let heaps = self.game.heap_game().map_or(3, |stated| stated.heaps);
            let sizes: Vec<u64> = (0..heaps).map(|_| 1 + self.lot.below(self.largest)).collect();
            if let Some(at) = self.game.position(&sizes) {
                return Some(at);
            }
        }
        // Boxes: until few lines are left; other games: some moves on.
        let (left, steps) = match self.game.kind() {
            Kind::Scored => (2 + self.lot.below(LEFT - 1), u64::MAX),
            _ => (0, self.lot.below(LEFT)),
        };
        self.lot.wander_from(self.game, self.start.clone()?, steps, left as usize)
    }

    /// Returns whether more positions of this outcome are wanted.
    fn needs(&self, outcome: Outcome) -> bool {
        let so_far =
            self.found.iter().filter(|one| one.evaluation.outcome == Some(outcome)).count();
        so_far < if outcome == Outcome::P { self.lost } else { self.count - self.lost }
    }

    /// Takes a position on the sheet if it is known, is not over, differs from the others, and is
    /// wanted.
    fn take(&mut self, one: Analysis) {
        let is_known = one.evaluation.outcome.is_some() || one.evaluation.margin.is_some();
        let is_wanted = one.evaluation.outcome.is_none_or(|outcome| self.needs(outcome));
        let is_new = self.found.iter().all(|other| other.position != one.position);
        if self.found.len() < self.count && is_known && is_wanted && is_new && !one.moves.is_empty()
        {
            self.found.push(one);
        }
    }
}

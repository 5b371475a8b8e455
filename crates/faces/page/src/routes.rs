//! Which page or answer an address is, and what it costs.

use crate::api::openapi::openapi;
use crate::api::{self, Answer, Json, theory};
use crate::frame::{self, Frame};
use crate::guess;
use crate::link_parameters::add_parameter;
use crate::own_rules::OwnRules;
use crate::pages::{
    Page, check, claims, download, games, home, learn, literature, play, prove, puzzle, research,
    rules, strategy, study, table, why, words, worksheet,
};
use crate::playthrough;
use crate::request::Request;
use crate::request_error::RequestError;
use crate::response::{Response, Status};
use crate::site::Site;
use bouton_core::{Budget, Deadline, Play};
use serde::Serialize;
#[cfg(feature = "assets")]
use std::sync::LazyLock;
use std::time::Duration;

/// `embed=1`: the page is in a frame of another page, without what is around it.
const EMBED: &str = "embed";

/// How long a question for long work is looked at before it is taken.
const REFUSAL_TIME: Duration = Duration::from_secs(1);

/// The style of the pages, behind what they have in common with reports and the atlas.
#[cfg(feature = "assets")]
static STYLE: LazyLock<String> = LazyLock::new(|| {
    [bouton_draw::typeface::STYLE, bouton_draw::STYLE, include_str!("../assets/style.css")].concat()
});

/// Where certificates are sent to.
const CHECK: &str = "/check";

/// Returns whether a form may send its fields to this path ([`Request::sent`]). All else is only
/// read.
pub fn takes_sent(path: &str) -> bool {
    path == CHECK
}

/// What a request costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Nothing to speak of.
    Free,
    /// As much as its budget lets it: a job of some seconds.
    Short,
    /// The same, with more time, told as it goes: see [`Site::tell`].
    Long,
}

/// What long work tells as it goes.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'t> {
    /// What is being done.
    Doing(&'t str),
    /// The stages so far, as HTML.
    Stages(&'t str),
}

/// What ends a long work, or tells of it: an event of a stream (`text/event-stream`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// `progress`, `stages`, `answer` or `refusal`.
    pub name: &'static str,
    /// JSON, in one line.
    pub data: String,
}

/// The data of `progress`.
#[derive(Serialize)]
struct Doing<'t> {
    nodes: u64,
    doing: &'t str,
}

/// The data of `stages`.
#[derive(Serialize)]
struct Stages<'t> {
    html: &'t str,
}

impl Event {
    fn new(name: &'static str, Json(data): Json) -> Event {
        Event { name, data }
    }

    /// Returns the event of work in course: positions expanded so far, and what is being done.
    pub fn progress(nodes: u64, doing: &str) -> Event {
        Event::new("progress", Json::new(&Doing { nodes, doing }))
    }

    /// Returns the event of the stages so far, as HTML.
    pub fn stages(html: &str) -> Event {
        Event::new("stages", Json::new(&Stages { html }))
    }

    /// Returns the event of work that was broken off.
    pub fn refusal(message: &str) -> Event {
        Event::new("refusal", RequestError::new(Status::Internal, message).to_json())
    }
}

/// Who answers.
enum Route {
    #[cfg(feature = "assets")]
    Asset(&'static str, &'static [u8]),
    Page(fn(&Site, &Request, &Budget) -> Page),
    Api(fn(&Site, &Request, &Budget) -> Answer),
    /// What is wrong with the question, seen at once; and the work.
    Stream(fn(&Site, &Request) -> Result<(), RequestError>, EventSource),
}

/// Work that tells what it is doing.
type EventSource = fn(&Site, &Request, &Budget, &dyn Fn(Progress<'_>)) -> Answer;

fn route(path: &str) -> Option<Route> {
    Some(match path {
        "/" => Route::Page(home::page),
        "/games" => Route::Page(games::page),
        "/research" => Route::Page(research::page),
        "/play" => Route::Page(play::page),
        "/move" => Route::Page(play::make_move),
        "/learn" => Route::Page(learn::page),
        "/puzzle" => Route::Page(puzzle::page),
        "/puzzles" => Route::Page(puzzle::all),
        "/why" => Route::Page(why::page),
        "/strategy" => Route::Page(strategy::page),
        "/study" => Route::Page(study::page),
        "/study/stream" => Route::Stream(theory::study_refused, |s, r, b, tell| {
            Ok(Json::new(&theory::article(s, r, b, tell)?))
        }),
        "/rules" => Route::Page(rules::page),
        "/table" => Route::Page(table::page),
        "/table/at" => Route::Page(table::jump),
        "/words" => Route::Page(words::page),
        "/worksheet" => Route::Page(worksheet::page),
        "/prove" => Route::Page(prove::page),
        CHECK => Route::Page(check::page),
        "/ledger" => Route::Page(claims::page),
        "/ledger/claim" => Route::Page(claims::claim),
        "/literature" => Route::Page(literature::page),
        "/literature/game" => Route::Page(literature::game),
        #[cfg(feature = "assets")]
        "/assets/style.css" => Route::Asset("text/css; charset=utf-8", STYLE.as_bytes()),
        #[cfg(feature = "assets")]
        "/assets/bouton.js" => {
            Route::Asset("text/javascript; charset=utf-8", include_bytes!("../assets/bouton.js"))
        }
        #[cfg(feature = "assets")]
        "/assets/icon.svg" => {
            Route::Asset("image/svg+xml; charset=utf-8", include_bytes!("../assets/icon.svg"))
        }
        #[cfg(feature = "assets")]
        "/assets/inter.woff2" => Route::Asset("font/woff2", bouton_draw::typeface::FILES[0].1),
        #[cfg(feature = "assets")]
        "/assets/math.woff2" => Route::Asset("font/woff2", bouton_draw::typeface::FILES[1].1),
        #[cfg(all(feature = "assets", feature = "png"))]
        "/assets/preview.png" => Route::Asset("image/png", crate::preview::PICTURE),
        "/api/games" => Route::Api(api::games),
        "/api/solve" => Route::Api(api::solve),
        "/api/solve/stream" => {
            Route::Stream(api::position_refused, |s, r, b, _| api::solve(s, r, b))
        }
        "/api/positions" => Route::Api(api::positions),
        "/api/values" => Route::Api(api::values),
        "/api/strategy" => Route::Api(api::strategy),
        "/api/heatmap" => Route::Api(api::heatmap),
        "/api/period" => Route::Api(theory::period),
        "/api/genus" => Route::Api(theory::genus),
        "/api/quotient" => Route::Api(theory::quotient),
        "/api/cash" => Route::Api(theory::cash),
        "/api/prove" => Route::Api(theory::proof),
        "/api/logic" => Route::Api(theory::logic),
        "/api/conjecture" => Route::Api(theory::conjecture),
        "/api/study/stream" => Route::Stream(theory::study_refused, theory::study),
        "/api/ledger" => Route::Api(|_, _, _| claims::list()),
        "/api/literature" => Route::Api(|_, _, _| literature::list()),
        "/api/openapi.json" => Route::Api(|_, _, _| Ok(Json::new(&openapi()))),
        _ if path.starts_with("/picture/") => Route::Page(download::picture),
        _ if path.starts_with("/data/") => Route::Page(download::data),
        _ => return None,
    })
}

/// Returns a refusal as the asker reads it: JSON from the API, else a page.
pub fn refuse(request: &Request, status: Status, message: &str) -> Response {
    shown(request, &RequestError::new(status, message), None).framed(&Frame::default())
}

fn shown(request: &Request, refusal: &RequestError, meant: Option<&str>) -> Response {
    let response = if request.is_for_api() {
        Response::json(refusal.to_json())
    } else {
        let meant = meant.map(|name| (request.with_game(name), name));
        Response::of_content(frame::refused(refusal, meant))
    };
    response.status(refusal.status)
}

/// Refuses `misere=0` beside a game that is said to be in misère play.
fn normal_and_misere() -> RequestError {
    RequestError::bad("misere=0 is normal play, and the game is said to be in misère play")
}

/// Reads what says yes or no ([`Request::with_flags`]).
///
/// # Errors
///
/// If something would be ignored. What no page reads is [said](with_note) on pages.
fn read(request: &Request) -> Result<Request, RequestError> {
    if let Some(name) = request.repeated() {
        return Err(RequestError::bad(format!("`{name}` is given twice")));
    }
    // Not in the page, whose own requests these are: it would grow.
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(refusal) = api::openapi::refused(request) {
        return Err(refusal);
    }
    #[cfg(not(target_arch = "wasm32"))]
    if !request.is_for_api() && request.names().any(|name| name == "position") {
        let message = format!("`position` is no parameter of {}: say `at`", request.path());
        return Err(RequestError::bad(message));
    }
    let is_file = ["/picture/", "/data/"].iter().any(|files| request.path().starts_with(files));
    if is_file && let Some(note) = request.unread() {
        return Err(RequestError::bad(note));
    }
    request.clone().with_flags().map_err(RequestError::bad)
}

/// Returns a page with what its address has that no page reads at its top.
fn with_note(mut response: Response, request: &Request) -> Response {
    if let Some(page) = &mut response.page
        && let Some(note) = request.unread()
    {
        page.main = frame::with_note(&note, &page.main);
    }
    response
}

impl Site {
    /// Returns what a request costs, without doing it. A page on which nothing is asked is free.
    pub fn cost(&self, request: &Request) -> Cost {
        match route(request.path()) {
            Some(Route::Page(_) | Route::Api(_)) if !request.is_bare() => Cost::Short,
            Some(Route::Stream(..)) => Cost::Long,
            _ => Cost::Free,
        }
    }

    /// Answers a request within a budget; of long work it waits for the end. A refusal is an
    /// answer, too.
    pub fn answer(&self, request: &Request, budget: &Budget) -> Response {
        let answer = || {
            if request.is_sent() && !takes_sent(request.path()) {
                return Err(RequestError::new(
                    Status::MethodNotAllowed,
                    "only GET: nothing is kept here",
                ));
            }
            let request = &read(request)?;
            Ok(match OwnRules::from_request(self, request, budget)? {
                Some(own) => own.carried(own.site.answered(request, budget)?),
                None => self.answered(request, budget)?,
            })
        };
        let answer = answer().unwrap_or_else(|refusal| {
            // The game alone is guessed at, where it is what cannot be read.
            let is_unread =
                refusal.place.as_ref().is_some_and(|(text, ..)| text == request.get("game"));
            let meant =
                is_unread.then(|| self.catalogue.nearest_game(request.get("game"))).flatten();
            shown(request, &refusal, meant.as_deref())
        });
        let answer = with_note(answer, request);
        let is_embedded = request.get(EMBED) == "1";
        let answer = if is_embedded {
            add_parameter(answer, EMBED, "1", |address| address.contains("game="))
        } else {
            answer
        };
        #[cfg(feature = "png")]
        let preview =
            answer.page.as_ref().and_then(|page| crate::preview::head_tags(page, request));
        #[cfg(not(feature = "png"))]
        let preview = None;
        answer.framed(&Frame {
            preview,
            section: section(request.path()),
            is_embedded,
            has_engine: self.in_browser,
        })
    }

    /// Returns the request: on the static site words say nothing of the play, and are refused; the
    /// name of a game may say it.
    #[cfg(target_family = "wasm")]
    fn with_play(&self, request: &Request) -> Result<Request, RequestError> {
        match playthrough::play(&self.catalogue, request.get("game"), "") {
            Play::Misere if request.denies("misere") => Err(normal_and_misere()),
            _ => Ok(request.clone()),
        }
    }

    /// Returns a [read] request with what the words of a game say of its play, as `nim 3 4 5, last
    /// loses`, in its parameter.
    #[cfg(not(target_family = "wasm"))]
    fn with_play(&self, request: &Request) -> Result<Request, RequestError> {
        let is_at = request.path() == "/api/heatmap" || !request.is_for_api();
        let position = if is_at { "at" } else { "position" };
        let mut words: Vec<String> = vec![request.get("game").to_owned()];
        words.extend(Some(request.get(position).to_owned()).filter(|text| !text.is_empty()));
        let asked = playthrough::play(&self.catalogue, "", request.get("misere"));
        match self.catalogue.take_play(&mut words)? {
            None => return Ok(request.clone()),
            Some(Play::Misere) if request.denies("misere") => return Err(normal_and_misere()),
            Some(Play::Normal) if asked == Play::Misere => {
                return Err(RequestError::bad(
                    "misere=1 is misère play, and the words say normal play",
                ));
            }
            Some(Play::Misere) if matches!(request.path(), "/api/values" | "/api/period") => {
                return Err(RequestError::bad(format!(
                    "{} is said to be in misère play, and nim-values are of normal play",
                    words[0]
                )));
            }
            Some(Play::Normal) if request.path() == "/api/quotient" => {
                let message = "a misère quotient is of misère play, and the words say normal play";
                return Err(RequestError::bad(message));
            }
            // Who wins there is said by its rules; the words stay where they are, and are refused.
            Some(_) if request.path() == "/api/cash" => return Ok(request.clone()),
            Some(Play::Normal) => {}
            Some(Play::Misere) => {
                return Ok(replaced(request, words, position).with("misere", "1".into()));
            }
        }
        Ok(replaced(request, words, position))
    }

    fn answered(&self, request: &Request, budget: &Budget) -> Page {
        let request = &self.with_play(request)?;
        match route(request.path()) {
            None => Err(RequestError::new(
                Status::NotFound,
                if request.is_for_api() {
                    "there is no such answer; see /api/openapi.json"
                } else {
                    "there is no such page"
                },
            )),
            #[cfg(feature = "assets")]
            Some(Route::Asset(kind, bytes)) => {
                Ok(Response::new(kind, bytes).with("cache-control", "max-age=3600".into()))
            }
            Some(Route::Page(page)) => page(self, request, budget),
            Some(Route::Api(answer)) => Ok(Response::json(answer(self, request, budget)?)),
            Some(Route::Stream(refused, work)) => {
                refused(self, request)?;
                let Event { name, data } = ending(work(self, request, budget, &|_| ()));
                Ok(Response::new("text/event-stream", format!("event: {name}\ndata: {data}\n\n")))
            }
        }
    }

    /// Returns the refusal of a request for long work, found before the work; `None` if it may
    /// begin.
    pub fn refused(&self, request: &Request) -> Option<Response> {
        let Some(Route::Stream(refused, _)) = route(request.path()) else { return None };
        let look = || {
            let request = &read(request)?;
            let budget = Budget {
                deadline: Some(Deadline::after(REFUSAL_TIME)),
                bytes: Some(guess::BYTES),
                ..Budget::default()
            };
            match OwnRules::from_request(self, request, &budget)? {
                Some(own) => refused(&own.site, &own.site.with_play(request)?),
                None => refused(self, &self.with_play(request)?),
            }
        };
        look().err().map(|refusal| shown(request, &refusal, None).framed(&Frame::default()))
    }

    /// Does long work within a budget; `tell` is called with each step of the work. The event is
    /// the last of the stream.
    pub fn tell(&self, request: &Request, budget: &Budget, tell: &dyn Fn(Progress<'_>)) -> Event {
        let Some(Route::Stream(_, work)) = route(request.path()) else {
            return Event::refusal("there is no such work");
        };
        let done = || {
            let request = &read(request)?;
            match OwnRules::from_request(self, request, budget)? {
                Some(own) => work(&own.site, &own.site.with_play(request)?, budget, tell),
                None => work(self, &self.with_play(request)?, budget, tell),
            }
        };
        ending(done())
    }
}

/// Returns a request with other words for the game and the position.
#[cfg(not(target_family = "wasm"))]
fn replaced(request: &Request, words: Vec<String>, position: &str) -> Request {
    let mut words = words.into_iter();
    let request = request.clone().with("game", words.next().unwrap_or_default());
    match (words.next(), request.get(position)) {
        (None, "") => request,
        (text, _) => request.with(position, text.unwrap_or_default()),
    }
}

/// Returns the section in which a page lies; nothing for the first page and what is no page.
fn section(path: &str) -> Option<&'static str> {
    Some(match path {
        "/games" | "/play" | "/move" | "/why" | "/strategy" | "/worksheet" => "/games",
        "/learn" | "/puzzle" | "/puzzles" => "/learn",
        "/research" | "/study" | "/rules" | "/table" | "/table/at" | "/prove" | "/check"
        | "/ledger" | "/ledger/claim" | "/literature" | "/literature/game" | "/words" => {
            "/research"
        }
        _ => return None,
    })
}

/// Returns the last event of a work.
fn ending(done: Answer) -> Event {
    match done {
        Ok(value) => Event::new("answer", value),
        Err(refusal) => Event::new("refusal", refusal.to_json()),
    }
}

//! The JSON API: the same answers as the command line's `--json`.

use crate::answers;
use crate::pages::{ledger, prove, strategy, table};
use crate::refusal::Refusal;
use crate::seat::{Address, Seat, play};
use crate::work::{Leash, Works};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use axum::{Json, Router};
use bouton_draw::sheet::Sheet;
use bouton_solve::{How, Watch};
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

type Answer = Result<Json<Value>, Refusal>;

pub(crate) fn routes() -> Router<Works> {
    Router::new()
        .route("/games", get(|| async { Json(answers::games()) }))
        .route("/solve", get(solve))
        .route("/solve/stream", get(stream))
        .route("/positions", get(positions))
        .route("/values", get(values))
        .route("/strategy", get(tree))
        .route("/heatmap", get(heatmap))
        .route("/prove", get(proof))
        .route("/ledger", get(|| async { ledger::list().map(Json) }))
        .route("/openapi.json", get(|| async { Json(openapi()) }))
        .fallback(|| async {
            Refusal::new(StatusCode::NOT_FOUND, "there is no such answer; see /api/openapi.json")
        })
}

impl From<QueryRejection> for Refusal {
    fn from(error: QueryRejection) -> Refusal {
        Refusal::bad(error.body_text())
    }
}

/// A question about a game.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Question {
    game: String,
    position: String,
    misere: String,
    max: String,
    to: String,
}

type Asked<T> = Result<Query<T>, QueryRejection>;

impl Question {
    fn seat(&self) -> Result<Seat, Refusal> {
        Seat::read(&Address {
            game: self.game.clone(),
            at: self.position.clone(),
            misere: self.misere.clone(),
            ..Address::default()
        })
    }
}

fn number(text: &str, name: &str, most: u32) -> Result<u32, Refusal> {
    let number = text.parse().ok().filter(|n| *n <= most);
    number.ok_or_else(|| Refusal::bad(format!("{name}: a number up to {most}")))
}

async fn solve(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let (question, moves) = (question?.0, works.limits.moves);
    let value = works.run(move |budget| {
        let seat = question.seat()?;
        let found = seat.game.session(seat.how(budget, moves)).analyse(seat.now())?;
        Ok(answers::analysis(&*seat.game, seat.play, &found))
    });
    value.await.map(Json)
}

/// The same with more time, telling how it goes: events `progress`, then `answer` or `refusal`.
async fn stream(
    State(works): State<Works>,
    question: Asked<Question>,
) -> Result<Sse<impl tokio_stream::Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let question = question?.0;
    question.seat()?;
    let place = works.place().await?;
    let watch = Arc::new(Watch::default());
    let (budget, moves) = (works.budget(&watch, works.limits.long), works.limits.moves);
    let (send, receive) = tokio::sync::mpsc::channel::<Event>(8);
    let work = tokio::task::spawn_blocking(move || {
        let _place = place;
        let seat = question.seat()?;
        let found = seat.game.session(seat.how(budget, moves)).analyse(seat.now())?;
        Ok::<Value, Refusal>(answers::analysis(&*seat.game, seat.play, &found))
    });
    tokio::spawn(async move {
        let _leash = Leash(watch.clone());
        let mut work = work;
        loop {
            tokio::select! {
                done = &mut work => {
                    let event = match done {
                        Ok(Ok(value)) => Event::default().event("answer").data(value.to_string()),
                        Ok(Err(refusal)) => Event::default().event("refusal").data(refusal.to_json().to_string()),
                        Err(_) => Event::default().event("refusal").data(json!({"error": {"message": "the computation broke off"}}).to_string()),
                    };
                    let _ = send.send(event).await;
                    return;
                }
                () = tokio::time::sleep(Duration::from_millis(250)) => {
                    let nodes = watch.nodes.load(Ordering::Relaxed);
                    let event = Event::default().event("progress").data(json!({"nodes": nodes}).to_string());
                    // Nobody listens any more: the leash stops the work.
                    if send.send(event).await.is_err() {
                        return;
                    }
                }
            }
        }
    });
    Ok(Sse::new(ReceiverStream::new(receive).map(Ok)).keep_alive(KeepAlive::default()))
}

/// The largest heap of a box of P-positions, and the most of a sequence.
const MOST_MAX: u32 = 1000;
const MOST_VALUES: u32 = 100_000;
/// P-positions listed.
const MOST_POSITIONS: usize = 50_000;

async fn positions(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let question = question?.0;
    let value = works.run(move |budget| {
        let game = bouton_games::parse(&question.game)?.game;
        let (max, play) = (number(&question.max, "max", MOST_MAX)?, play(&question.misere));
        let watch = budget.watch.clone();
        let mut list = Vec::new();
        let found = game.session(How { play, budget, ..How::default() }).p_positions(max, &mut |p| {
            list.push(p.to_owned());
            if let Some(watch) = watch.as_ref().filter(|_| list.len() >= MOST_POSITIONS) {
                watch.stop.store(true, Ordering::Relaxed);
            }
        });
        let found = found.ok_or_else(|| {
            Refusal::bad(format!("{} is not a game on a fixed number of heaps", game.name()))
        })?;
        list.truncate(MOST_POSITIONS);
        Ok(answers::positions(&*game, play, max, &list, found.err()))
    });
    value.await.map(Json)
}

async fn values(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let question = question?.0;
    let value = works.run(move |budget| {
        let game = bouton_games::parse(&question.game)?.game;
        let to = number(&question.to, "to", MOST_VALUES)?;
        let mut values = Vec::new();
        let found =
            game.session(How { budget, ..How::default() }).values(to, &mut |_, value| values.push(value.0));
        let found = found.ok_or_else(|| Refusal::bad(format!("{} has no nim-sequence", game.name())))?;
        Ok(answers::values(&*game, &values, found.err()))
    });
    value.await.map(Json)
}

async fn tree(
    State(works): State<Works>,
    question: Asked<Question>,
    extent: Asked<strategy::Extent>,
) -> Answer {
    let (question, extent) = (question?.0, extent?.0);
    let value =
        works.run(move |budget| Ok(answers::tree(&strategy::grow(&question.seat()?, &extent, budget)?)));
    value.await.map(Json)
}

async fn heatmap(State(works): State<Works>, asked: Asked<table::Asked>) -> Answer {
    let asked = asked?.0;
    let value = works.run(move |budget| Ok(answers::sheet(&Sheet::fill(asked.question(budget)?)?)));
    value.await.map(Json)
}

async fn proof(State(works): State<Works>, guess: Asked<prove::Guess>) -> Answer {
    let guess = guess?.0;
    let value = works.run(move |_| {
        let settled = prove::settle(&guess)?;
        let prove::Settled { game, claim, verdict, seconds, recheck, .. } = &settled;
        Ok(answers::verdict(game, claim, verdict, *seconds, None, recheck.as_deref()))
    });
    value.await.map(Json)
}

/// The API in the words of OpenAPI 3.1.
fn openapi() -> Value {
    /// Name, what it is, whether it must be given.
    type Parameter = (&'static str, &'static str, bool);
    /// Path, what it answers, the command that answers the same, parameters.
    type Path = (&'static str, &'static str, &'static str, Vec<Parameter>);
    let parameter = |(name, about, required): &Parameter| json!({"name": name, "in": "query", "required": required, "description": about, "schema": {"type": "string"}});
    let game = ("game", "The game, as `bouton games` lists them; sums with +", true);
    let position = ("position", "The position; by default the game's own start", false);
    let misere = ("misere", "1: who cannot move wins", false);
    let paths: [Path; 9] = [
        ("/games", "The families of games", "games --json", vec![]),
        (
            "/solve",
            "Outcome, nim-value and every move of a position",
            "solve --json",
            vec![game, position, misere],
        ),
        (
            "/solve/stream",
            "The same with more time, as server-sent events: progress, then answer or refusal",
            "solve --json",
            vec![game, position, misere],
        ),
        (
            "/positions",
            "P-positions of a box",
            "positions --json",
            vec![game, ("max", "The largest heap", true), misere],
        ),
        (
            "/values",
            "The nim-sequence of single heaps",
            "values --json",
            vec![game, ("to", "The largest heap", true)],
        ),
        (
            "/strategy",
            "A winning strategy as a tree",
            "strategy --json",
            vec![
                game,
                position,
                misere,
                ("depth", "Moves from the root", false),
                ("size", "Positions drawn", false),
            ],
        ),
        (
            "/heatmap",
            "A table over two numbers x and y",
            "heatmap --json",
            vec![
                game,
                ("at", "The position; x and y stand for numbers", false),
                ("to", "The largest x and y", false),
                ("of", "outcome, nim-value, margin or threshold", false),
                misere,
            ],
        ),
        (
            "/prove",
            "P-positions proved for all heap sizes, or the least counterexample",
            "prove --json",
            vec![
                game,
                ("claim", "A formula over the heaps a, b, c, …", true),
                (
                    "smaller",
                    "What holds of boards with fewer heaps, as `3: a=b=c`, several apart by `;`",
                    false,
                ),
            ],
        ),
        ("/ledger", "Published claims, with the verdicts known so far", "ledger --json", vec![]),
    ];
    let mut all = serde_json::Map::new();
    for (path, summary, command, parameters) in paths {
        let parameters: Vec<Value> = parameters.iter().map(parameter).collect();
        let kind = if path.ends_with("stream") { "text/event-stream" } else { "application/json" };
        let mut responses = json!({
            "200": {"description": format!("As `bouton {command}`; a field `unknown` tells why something is unknown"), "content": {kind: {}}},
        });
        for (status, about) in [
            ("400", "Not understood"),
            ("414", "The address is too long"),
            ("422", "More than one request may cost"),
            ("429", "Too much work is waiting"),
        ] {
            responses[status] = json!({"description": about, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}});
        }
        all.insert(
            format!("/api{path}"),
            json!({"get": {"summary": summary, "parameters": parameters, "responses": responses}}),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Bouton", "version": env!("CARGO_PKG_VERSION"), "description": "Take-away games: the answers of the command line's --json."},
        "paths": all,
        "components": {"schemas": {"Error": {
            "type": "object",
            "required": ["error"],
            "properties": {"error": {
                "type": "object",
                "required": ["message"],
                "properties": {
                    "message": {"type": "string"},
                    "text": {"type": "string", "description": "What was typed"},
                    "at": {"type": "array", "items": {"type": "integer"}, "description": "The place of the slip, in characters from 0"},
                    "accepted": {"type": "string"},
                },
            }},
        }}},
    })
}

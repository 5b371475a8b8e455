//! The JSON API: the same answers as the command line's `--json`.

mod openapi;
mod stream;
mod theory;

use crate::pages::{ledger, strategy, table};
use crate::playthrough::{Address, Playthrough, play};
use crate::refusal::Refusal;
use crate::work::Works;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use bouton_draw::sheet::Sheet;
use bouton_solve::{Budget, Settings};
use openapi::openapi;
use serde::Deserialize;
use serde_json::Value;
use std::sync::atomic::Ordering;
use stream::{Streamed, streamed};

type Answer = Result<Json<Value>, Refusal>;

pub(crate) fn routes() -> Router<Works> {
    Router::new()
        .route("/games", get(|| async { Json(bouton_report::games()) }))
        .route("/solve", get(solve))
        .route("/solve/stream", get(stream))
        .route("/positions", get(positions))
        .route("/values", get(values))
        .route("/strategy", get(tree))
        .route("/heatmap", get(heatmap))
        .merge(theory::routes())
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
    fn playthrough(&self) -> Result<Playthrough, Refusal> {
        Playthrough::read(&Address {
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

/// What a job at one of the places finds, as JSON.
async fn answered(
    works: &Works,
    job: impl FnOnce(Budget) -> Result<Value, Refusal> + Send + 'static,
) -> Answer {
    works.run(job).await.map(Json)
}

async fn solve(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let (question, moves) = (question?.0, works.limits.moves);
    answered(&works, move |budget| {
        let playthrough = question.playthrough()?;
        let found = playthrough.game.session(playthrough.how(budget, moves)).analyse(playthrough.now())?;
        Ok(bouton_report::analysis(&*playthrough.game, playthrough.play, &found))
    })
    .await
}

/// The same with more time.
async fn stream(State(works): State<Works>, question: Asked<Question>) -> Streamed {
    let question = question?.0;
    question.playthrough()?;
    let moves = works.limits.moves;
    streamed(works, move |budget, _| {
        let playthrough = question.playthrough()?;
        let found = playthrough.game.session(playthrough.how(budget, moves)).analyse(playthrough.now())?;
        Ok(bouton_report::analysis(&*playthrough.game, playthrough.play, &found))
    })
    .await
}

/// The largest heap of a box of P-positions, and the most of a sequence.
const MOST_MAX: u32 = 1000;
const MOST_VALUES: u32 = 100_000;
/// P-positions listed.
const MOST_POSITIONS: usize = 50_000;

async fn positions(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let question = question?.0;
    answered(&works, move |budget| {
        let game = bouton_games::parse(&question.game)?.game;
        let (max, play) = (number(&question.max, "max", MOST_MAX)?, play(&question.misere));
        let watch = budget.watch.clone();
        let mut list = Vec::new();
        let found =
            game.session(Settings { play, budget, ..Settings::default() }).p_positions(max, &mut |p| {
                list.push(p.to_owned());
                if let Some(watch) = watch.as_ref().filter(|_| list.len() >= MOST_POSITIONS) {
                    watch.stop.store(true, Ordering::Relaxed);
                }
            });
        let found = found.ok_or_else(|| {
            Refusal::bad(format!("{} is not a game on a fixed number of heaps", game.name()))
        })?;
        list.truncate(MOST_POSITIONS);
        Ok(bouton_report::positions(&*game, play, max, &list, found.err()))
    })
    .await
}

async fn values(State(works): State<Works>, question: Asked<Question>) -> Answer {
    let question = question?.0;
    answered(&works, move |budget| {
        let game = bouton_games::parse(&question.game)?.game;
        let to = number(&question.to, "to", MOST_VALUES)?;
        let mut values = Vec::new();
        let found = game
            .session(Settings { budget, ..Settings::default() })
            .values(to, &mut |_, value| values.push(value.0));
        let found = found.ok_or_else(|| Refusal::bad(format!("{} has no nim-sequence", game.name())))?;
        Ok(bouton_report::values(&*game, &values, found.err()))
    })
    .await
}

async fn tree(
    State(works): State<Works>,
    question: Asked<Question>,
    extent: Asked<strategy::Extent>,
) -> Answer {
    let (question, extent) = (question?.0, extent?.0);
    answered(&works, move |budget| {
        Ok(bouton_report::tree(&strategy::grow(&question.playthrough()?, &extent, budget)?))
    })
    .await
}

async fn heatmap(State(works): State<Works>, asked: Asked<table::Asked>) -> Answer {
    let asked = asked?.0;
    answered(&works, move |budget| Ok(bouton_report::sheet(&Sheet::fill(asked.question(budget)?)?))).await
}

//! The pages: one a file. They read without scripts.

pub(crate) mod download;
pub(crate) mod home;
pub(crate) mod ledger;
pub(crate) mod play;
pub(crate) mod prove;
pub(crate) mod strategy;
pub(crate) mod table;
pub(crate) mod why;

use crate::refusal::Refusal;
use crate::work::Works;
use axum::Router;
use axum::response::Response;
use axum::routing::get;
use maud::{DOCTYPE, Markup, html};

/// A page, or why not.
pub(crate) type Page = Result<Response, Shown>;

/// A refusal that is shown as a page.
pub(crate) struct Shown(Refusal);

impl<E: Into<Refusal>> From<E> for Shown {
    fn from(error: E) -> Shown {
        Shown(error.into())
    }
}

impl axum::response::IntoResponse for Shown {
    fn into_response(self) -> Response {
        self.0.page()
    }
}

pub(crate) fn routes() -> Router<Works> {
    Router::new()
        .route("/", get(home::page))
        .route("/play", get(play::page))
        .route("/move", get(play::play_move))
        .route("/why", get(why::page))
        .route("/strategy", get(strategy::page))
        .route("/table", get(table::page))
        .route("/table/at", get(table::jump))
        .route("/prove", get(prove::page))
        .route("/ledger", get(ledger::page))
        .route("/ledger/claim", get(ledger::claim))
        .route("/picture/{file}", get(download::picture))
        .route("/data/{file}", get(download::data))
}

/// The frame of every page.
pub(crate) fn frame(title: &str, main: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – Bouton" }
                link rel="stylesheet" href="/assets/style.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script src="/assets/bouton.js" defer {}
            }
            body {
                a.skip href="#main" { "To the content" }
                header {
                    nav aria-label="Pages" {
                        a.name href="/" { "Bouton" }
                        a href="/#games" { "Games" }
                        a href="/table" { "Tables" }
                        a href="/prove" { "Prove" }
                        a href="/ledger" { "Ledger" }
                        a href="/api/openapi.json" { "API" }
                    }
                }
                main #main tabindex="-1" { (main) }
            }
        }
    }
}

/// What is wrong, with the place.
pub(crate) fn refused(refusal: &Refusal) -> Markup {
    frame(
        "Not so",
        html! {
            h1 { "Not so" }
            (slip(refusal))
            p { a href="/" { "To the list of games" } }
        },
    )
}

/// A refusal in a page.
pub(crate) fn slip(refusal: &Refusal) -> Markup {
    html! {
        div.slip role="alert" {
            p { (refusal.message) "." }
            @if let Some((text, at, accepted)) = &refusal.slip {
                @let cut = |range: std::ops::Range<usize>| text.get(range).unwrap_or("").to_owned();
                p { code { (short(&cut(0..at.start), true)) mark { (short(&cut(at.clone()), false)) @if at.is_empty() { "▿" } } (short(&cut(at.end..text.len()), false)) } }
                p { "Accepted: " (accepted) }
            }
        }
    }
}

/// At most some sixty characters, of the end or of the beginning.
fn short(text: &str, end: bool) -> String {
    const MOST: usize = 60;
    let count = text.chars().count();
    match (count > MOST, end) {
        (false, _) => text.to_owned(),
        (true, true) => format!("…{}", text.chars().skip(count - MOST).collect::<String>()),
        (true, false) => format!("{}…", text.chars().take(MOST).collect::<String>()),
    }
}

//! What every page has around it, and how a refusal is shown.

use crate::request_error::RequestError;
use crate::response::Status;
use maud::{DOCTYPE, Markup, html};

/// A page without its frame, which is put around it last.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    pub title: String,
    pub main: Markup,
    /// Parameters that the search for a game takes along.
    pub fields: Vec<(String, String)>,
}

impl Content {
    /// Returns a page whose search takes nothing along.
    pub(crate) fn new(title: impl Into<String>, main: Markup) -> Content {
        Content { title: title.into(), main, fields: Vec::new() }
    }
}

/// How a page is framed.
#[derive(Debug, Default)]
pub(crate) struct Frame<'a> {
    /// What a search engine and a preview of a link say of the page ([`crate::preview`]).
    pub preview: Option<Markup>,
    /// The address of the section in which the page lies.
    pub section: Option<&'a str>,
    /// Whether the page is in another page: the board alone.
    pub is_embedded: bool,
    /// Whether the page's script finds the worker for long work in the visitor's browser.
    pub has_engine: bool,
}

/// The sections: address and name.
const SECTIONS: [(&str, &str); 3] =
    [("/games", "Play"), ("/learn", "Learn"), ("/research", "Research")];

/// Frames a page.
pub(crate) fn framed(Content { title, main, fields }: &Content, frame: &Frame<'_>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-engine=[frame.has_engine.then_some("/engine.js")] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – Bouton" }
                @if let Some(preview) = &frame.preview { (preview) }
                meta name="theme-color" content="#0b5c8f";
                link rel="preload" href="/assets/inter.woff2" as="font" type="font/woff2"
                    crossorigin;
                link rel="stylesheet" href="/assets/style.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script src="/assets/bouton.js" defer {}
            }
            body class=[frame.is_embedded.then_some("embedded")] {
                a.skip href="#main" { "To the content" }
                header {
                    nav aria-label="Pages" {
                        a.name href="/" { (logo()) "Bouton" }
                        span.doors {
                            @for (address, name) in SECTIONS {
                                @let is_here = frame.section == Some(address);
                                a href=(address) aria-current=[is_here.then_some("true")] {
                                    (name) }
                            }
                        }
                    }
                    form.search role="search" action="/games" method="get" {
                        @for (name, value) in fields {
                            input type="hidden" name=(name) value=(value);
                        }
                        input #search type="search" name="q" placeholder="Search games"
                            aria-label="Search games: a name, a notation, a position"
                                aria-keyshortcuts="/" autocomplete="off" spellcheck="false";
                    }
                }
                main #main tabindex="-1" { (main) }
                footer { p { "Bouton – after Charles L. Bouton, who solved Nim in 1902. "
                    a href="/study" { "Study" } " · " a href="/table" { "Tables" }
                        " · " a href="/prove" { "Prove" } " · " a href="/ledger" { "Published claims" }
                            " · " a href="/words" { "Words" }
                                " · " a href="/check" { "Check a certificate" }
                                    " · " a href="/api/openapi.json" { "API" } } }
            }
        }
    }
}

/// Draws a button with four holes.
fn logo() -> Markup {
    html! {
        svg.logo viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" {
            circle cx="16" cy="16" r="14" {}
            circle.rim cx="16" cy="16" r="10.5" {}
            @for (x, y) in [(12, 12), (20, 12), (12, 20), (20, 20)] {
                circle.hole cx=(x) cy=(y) r="2.3" {} }
        }
    }
}

/// Shows what is wrong, with the place, and where the page is that was perhaps meant.
pub(crate) fn refused(refusal: &RequestError, meant: Option<(String, &str)>) -> Content {
    let heading = match refusal.status {
        Status::NotFound => "This page does not exist",
        Status::BadRequest | Status::UriTooLong => "This cannot be read",
        Status::Unprocessable => "This has no answer here",
        Status::MethodNotAllowed => "This cannot be sent here",
        _ => "Something went wrong",
    };
    Content::new(
        heading,
        html! {
            h1 { (heading) }
            (error_message(refusal))
            @if let Some((href, name)) = meant { p { a.button.main href=(href) {
                "Go on with " (name) } } }
            p { a href="/" { "To the list of games" } }
        },
    )
}

/// Returns the main part of a page with a sentence at its top.
pub(crate) fn with_note(note: &str, main: &Markup) -> Markup {
    html! { div.error role="status" { p { (quoted(&sentence(note))) } } (main) }
}

/// Shows a refusal in a page.
pub(crate) fn error_message(refusal: &RequestError) -> Markup {
    html! {
        div.error role="alert" {
            p { (quoted(&sentence(&refusal.message))) }
            @if let Some((text, at, accepted)) = &refusal.place {
                @let cut = |range: std::ops::Range<usize>| text.get(range).unwrap_or("").to_owned();
                p { code { (short(&cut(0..at.start), true)) mark {
                    (short(&cut(at.clone()), false)) @if at.is_empty() { "▿" } }
                        (short(&cut(at.end..text.len()), false)) } }
                p { "Accepted: " (quoted(accepted)) }
            }
        }
    }
}

fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first: String =
        letters.next().map_or(String::new(), |first| first.to_uppercase().collect());
    let end = if message.ends_with(['.', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// Shows a text with what it quotes by backticks as code.
fn quoted(text: &str) -> Markup {
    html! { @for (i, part) in text.split('`').enumerate() { @if i % 2 == 0 { (part) }
    @else { code { (part) } } } }
}

/// Returns at most some sixty characters, of the end or of the beginning.
fn short(text: &str, end: bool) -> String {
    const MAX_CHARACTERS: usize = 60;
    let count = text.chars().count();
    match (count > MAX_CHARACTERS, end) {
        (false, _) => text.to_owned(),
        (true, true) => {
            format!("…{}", text.chars().skip(count - MAX_CHARACTERS).collect::<String>())
        }
        (true, false) => format!("{}…", text.chars().take(MAX_CHARACTERS).collect::<String>()),
    }
}

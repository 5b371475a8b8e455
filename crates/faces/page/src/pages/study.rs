//! A game from rules to theorem: with a script the stages are shown as they are reached; without
//! one the page shows what is computed within its time.

use super::Page;
use super::game_tabs::{self, Tab};
use crate::api::theory;
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_core::Budget;
use maud::{Markup, PreEscaped, html};

const EXAMPLES: [(&str, &str); 8] = [
    ("CN(4,2)", "heaps on a circle, a minute’s thought"),
    ("CN(6,3)", "six heaps on a circle"),
    ("CN(6,4)", "a theorem that needs an automaton"),
    ("SCN(4,2)", "a circle that closes up"),
    ("wythoff", "where Fibonacci numbers come in"),
    ("kayles", "a period of twelve"),
    ("Gamma(1,2;n)", "a circle of any length"),
    ("NIM(1,3,4;n;d,e)", "stones and dollars"),
];

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    if request.is_bare() {
        return Ok(Response::redirect(format!("/study?game={}", encoded(EXAMPLES[0].0))));
    }
    let game = request.get("game");
    if !game.is_empty() {
        theory::study_refused(site, request)?;
    }
    let misere = !request.get("misere").is_empty();
    let query = format!("game={}{}", encoded(game), if misere { "&misere=1" } else { "" });
    // Without a script: here and now, as far as the time of a page reaches.
    let found = (!game.is_empty() && request.get("now") == "1")
        .then(|| theory::article(site, request, budget, &|_| ()))
        .transpose()?;
    let body = html! {
        h1 { "Rules in, theorem out" }
        (game_tabs::tabs_of(site, request, Tab::Theorem))
        p { "Losing positions are computed from the rules, a form for them is guessed, tried on a \
            larger table, then proved for all sizes or refuted. What is proved has a certificate \
            that an independent checker has accepted." }
        form.line action="/study" method="get" {
            label { "Game " input #game name="game" value=(if game.is_empty() { "CN(6,3)" }
                else { game }) required autocomplete="off" spellcheck="false"; }
            label { input type="checkbox" name="misere" value="1" checked[misere]; " misère" }
            button.main { "Study" }
        }
        p { "Or write " a href="/rules" { "the rules of a game of your own" } "." }
        @if !game.is_empty() {
            section aria-label="Study" {
                p #status role="status" aria-live="polite" {}
                @match &found {
                    Some(found) => div #article.wide tabindex="0" role="region"
                        aria-label="Findings" { (PreEscaped(&found.html)) },
                    None => {
                        // Filled by the script while the study runs.
                        div #article.wide tabindex="0" role="region" aria-label="Findings"
                            data-stream={ "/study/stream?" (query) } {}
                        p.acts { button #stop type="button" hidden { "Stop" } }
                        noscript { p { a.button href={ "/study?" (query) "&now=1" }
                            { "Study it within the time of a page" } } }
                    }
                }
                @let certificate = found.as_ref().and_then(|found| found.certificate.as_deref());
                form #handover action="/check" method="post" hidden[certificate.is_none()] {
                    input type="hidden" name="certificate" value=(certificate.unwrap_or_default());
                    p.acts {
                        button { "Check the certificate" }
                        a #save.button hidden download={ (file_name(game)) ".cert" } { "Save it" }
                        @if cfg!(feature = "coq") { button name="for" value="coq" {
                            "The theorem for Coq" } }
                    }
                }
                // Filled by the script.
                p.acts #reports hidden {
                    @for (kind, words) in [("html", "Report (HTML)"), ("tex", "LaTeX")] {
                        a.button data-report=(kind) download={ (file_name(game)) "." (kind) }
                            { (words) }
                    }
                    button #print type="button" { "Print, or save as PDF" }
                }
                p { "On the command line: " code { "bouton study '" (game) "'" @if misere {
                    " --misere" } } " · " a href={ "/play?" (query) } { "Play it" } }
            }
        }
        h2 { "Examples" }
        (examples())
    };
    Ok(Response::page(
        if game.is_empty() { "Study".into() } else { format!("Study of {game}") },
        body,
    ))
}

/// Shows games to study.
pub(crate) fn examples() -> Markup {
    html! { ul.examples { @for (game, about) in EXAMPLES {
    li { a href={ "/study?game=" (encoded(game)) } { strong { (game) } " " (about) } } } } }
}

/// Returns a name of a file for a game: `CN(6,3)` is `cn-6-3`.
fn file_name(game: &str) -> String {
    let words = game.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

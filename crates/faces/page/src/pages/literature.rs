//! Games of the literature: a table of all, and a page each, with the verdicts on record. Nothing
//! is computed here: what the rules make is one link away.

use super::Page;
use crate::api::{Answer, Json};
use crate::own_rules::PARAMETER;
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::{Response, Status};
use crate::site::Site;
use bouton_core::Budget;
use bouton_literature::{PublishedGame, Recorded, literature, published_game};
use maud::{Markup, html};

/// Lists the games as `bouton games --published --json`.
pub(crate) fn list() -> Answer {
    let (games, recorded) = (literature()?, Recorded::literature()?);
    let all = games.iter().map(|game| bouton_report::published_game(game, of(&recorded, game)));
    Ok(Json::new(&all.collect::<Vec<_>>()))
}

fn of<'r>(recorded: &'r [Recorded], game: &PublishedGame) -> Option<&'r Recorded> {
    recorded.iter().find(|record| record.id == game.name)
}

fn verdict(record: Option<&Recorded>) -> Markup {
    let word = record.map_or("nothing recorded", |record| record.verdict.as_str());
    // Forms custom are shown as those of the literature are: by their last word.
    let class = word.rsplit(' ').next().unwrap_or_default();
    html! { strong.{ "v-" (class) } { (word) } }
}

pub(crate) fn page(_: &Site, request: &Request, _: &Budget) -> Page {
    let (games, recorded) = (literature()?, Recorded::literature()?);
    let (words, wanted) = (request.get("q").trim().to_ascii_lowercase(), request.get("verdict"));
    let word =
        |game: &PublishedGame| of(&recorded, game).map_or("", |record| record.verdict.as_str());
    let shown: Vec<&PublishedGame> = games
        .iter()
        .filter(|game| {
            let text = format!(
                "{} {} {} {}",
                game.title, game.rules, game.claim.statement, game.claim.source
            );
            let text = text.to_ascii_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
                && (wanted.is_empty() || word(game) == wanted)
        })
        .collect();
    let mut kinds: Vec<&str> = games.iter().map(word).filter(|word| !word.is_empty()).collect();
    kinds.sort_unstable();
    let count = |kind: &str| kinds.iter().filter(|other| **other == kind).count();
    let mut different = kinds.clone();
    different.dedup();
    let body = html! {
        h1 { "Games of the literature" }
        p { (games.len()) " published games with what is claimed of them, and what became of the \
            claim here. " code { "bouton games --published --verify" }
            " computes the verdicts again." }
        form.line action="/literature" method="get" {
            label { "Search " input name="q" value=(request.get("q"))
                placeholder="a game, a word, an author" autocomplete="off"; }
            label { "Verdict " select name="verdict" {
                option value="" { "all (" (games.len()) ")" }
                @for kind in &different { option value=(kind) selected[*kind == wanted] {
                    (kind) " (" (count(kind)) ")" } }
            } }
            button { "Show" }
        }
        @if shown.len() < games.len() { p { (shown.len()) " shown. " a href="/literature" {
            "All of them" } } }
        div.wide tabindex="0" role="region" aria-label="Games" {
            table.ledger {
                thead { tr { th scope="col" { "game" } th scope="col" { "rules" }
                    th scope="col" { "claim" } th scope="col" { "verdict" } } }
                tbody {
                    @for game in &shown {
                        tr {
                            th scope="row" { a href={ "/literature/game?name=" (encoded(&game.name))
                                } { (game.title) } }
                            td { (game.rules) }
                            td { (game.claim.statement) br; span.source { (game.claim.source) } }
                            td { (verdict(of(&recorded, game))) }
                        }
                    }
                }
            }
        }
    };
    Ok(Response::page("Games of the literature", body))
}

pub(crate) fn game(_: &Site, request: &Request, _: &Budget) -> Page {
    let Some(game) = published_game(request.get("name"))? else {
        return Err(RequestError::new(Status::NotFound, "the literature has no such game here"));
    };
    let recorded = Recorded::literature()?;
    let record = of(&recorded, &game);
    let body = html! {
        h1 { (game.title) }
        p { (game.rules) }
        @match &game.file {
            Some(file) => {
                p { "A move from p to q: " code { (file.moves.trim()) } }
                p.acts { a.button href={ "/rules?" (PARAMETER) "=" (encoded(&file.to_text())) }
                    { "Play it, look at it, change its rules" } }
            }
            None => { p { "In the catalogue: " a href={ "/study?game=" (encoded(&game.claim.game)) }
                { code { (game.claim.game) } } } }
        }
        blockquote { (game.claim.statement) }
        p.source { (game.claim.source) }
        dl {
            @if let Some(formula) = game.formula() { dt { "as a formula" }
                dd { code { (formula) } } }
            @if let Some(why) = game.why_no_formula() { dt { "no formula" } dd { (why) } }
            dt { "verdict" } dd { (verdict(record)) }
            @if let Some(record) = record {
                dt { "evidence" } dd { (record.found) }
                @if let Some(hash) = &record.certificate { dt { "certificate" }
                    dd { code { (hash) } } }
                @if let Some(recheck) = &record.recheck { dt { "looked at again" }
                    dd { (recheck) } }
            }
            dt { "to re-make it" } dd { code { "bouton games --published " (game.name) " --verify"
                } }
        }
        p { a href="/literature" { "All games of the literature" } }
    };
    Ok(Response::page(&game.title, body))
}

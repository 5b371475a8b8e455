//! All games: a search over the shelf of names, notations and positions; the families; the shelf by
//! its groups.

use super::{Page, home};
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_core::Budget;
use bouton_games::{Family, ShelfGame, shelf};
use maud::{Markup, html};

/// Games found that are shown with pictures.
const PICTURES: usize = 24;

pub(crate) fn page(site: &Site, request: &Request, _: &Budget) -> Page {
    let text = request.get("q").trim();
    let body = html! {
        h1 { @if text.is_empty() { "Games" } @else { "Games: " (text) } }
        @if text.is_empty() {
            h2 { "Families" }
            div.families {
                @for game in site.catalogue.own_games() { (home::own_card(site, &*game)) }
                @for family in site.catalogue.families() { (home::family_card(site, family)) }
            }
            (all(site))
        } @else {
            (found(site, text))
            p { a href="/games" { "All games" } }
        }
    };
    Ok(Response::page(if text.is_empty() { "Games" } else { text }, body))
}

/// Shows what a text names: a game with or without a position, games of the shelf, or else what is
/// perhaps meant.
fn found(site: &Site, text: &str) -> Markup {
    let named = site.catalogue.parse(text).ok();
    let mut games = shelf().search(text);
    games.retain(|game| site.catalogue.can_run(game));
    // A name of the shelf is shown with what the shelf says of it.
    let typed = named.filter(|named| ShelfGame::named(text).is_none() || named.position.is_some());
    let meant =
        (typed.is_none() && games.is_empty()).then(|| site.catalogue.nearest_game(text)).flatten();
    // A name alone finds one game; the families whose titles hold the word are its kin.
    let word = text.to_lowercase();
    let is_kin = |family: &&Family| {
        games.len() == 1
            && family.name != games[0].name
            && family.title.to_lowercase().contains(&word)
    };
    let kin: Vec<&Family> = site.catalogue.families().iter().filter(is_kin).collect();
    html! {
        p #status role="status" {
            @match (typed.is_some(), games.len()) {
                (true, _) => "A game in notation.",
                (false, 0) => "No game is called so.",
                (false, 1) => "One game.",
                (false, count) => { (count) " games." }
            }
            @if let Some(meant) = meant { " Did you mean " a href={ "/games?q=" (encoded(&meant)) }
                { (meant) } "?" }
        }
        @if typed.is_some() || !games.is_empty() { h2 { "Found" } }
        div.families {
            @if let Some(named) = &typed {
                @let name = named.game.name();
                @let at = named.position.clone().or_else(|| named.game.start()).or_else(||
                    named.opening.clone()).unwrap_or_else(|| home::start(&*named.game));
                (home::card(site, &name, &named.game.describe(), &name, &at, &at))
            }
            @for game in games.iter().take(PICTURES) { (shelf_card(site, game)) }
        }
        @if !kin.is_empty() {
            h2 { "Families of this name" }
            div.families { @for family in kin { (home::family_card(site, family)) } }
        }
        @if games.len() > PICTURES { p { @for game in &games[PICTURES..] {
            a href={ "/play?game=" (encoded(&game.name)) } { (game.name) } " " } } }
    }
}

fn shelf_card(site: &Site, game: &ShelfGame) -> Markup {
    let (title, name) = (game.heading(), &game.name);
    let aliases = game.aliases();
    let others = aliases.iter().filter(|alias| **alias != title).copied();
    let names: Vec<&str> = std::iter::once(name.as_str()).chain(others).collect();
    home::card(site, &title, game.sentence(), name, &game.start, &names.join(", "))
}

/// Shows the shelf by its groups, and how games are written.
fn all(site: &Site) -> Markup {
    let games: Vec<&ShelfGame> =
        shelf().games().iter().filter(|game| site.catalogue.can_run(game)).collect();
    html! {
        section.theory aria-labelledby="shelf" {
            h2 #shelf { (games.len()) " games with a name" }
            @for group in shelf().groups() {
                h3 { (group.title) }
                p.names {
                    @for game in games.iter().filter(|game| game.group == group.key) {
                        a href={ "/play?game=" (encoded(&game.name)) }
                            title=(game.sentence()) { (game.name) } " "
                    }
                }
            }
        }
        section.theory aria-labelledby="any" {
            h2 #any { "Any game, any position" }
            form.line action="/play" method="get" {
                label { "Game " input name="game" value="nim" required autocomplete="off"
                    spellcheck="false"; }
                label { "Position " input name="at" value="1,3,5,7" autocomplete="off"
                    spellcheck="false"; }
                button { "Play" }
            }
            p { "Sums of games are written with +, each with its position: " a href={
                "/play?game=" (encoded("kayles:7 + nim:4 + wythoff:3,5")) }
                    { code { "kayles:7 + nim:4 + wythoff:3,5" } } "." }
            details {
                summary { "How games are written" }
                dl.notation {
                    @for family in site.catalogue.families() {
                        dt { (family.title) }
                        dd { code { (family.notation) }
                            " – " (family.about) ". " span.source { (family.source) } br;
                            @for example in family.examples {
                                @let at = if example.position.is_empty() { String::new() }
                                    else { format!("&at={}", encoded(example.position)) };
                                a href={ "/play?game=" (encoded(example.game)) (at) }
                                    { (example.game) " " (example.position) } " "
                            }
                        }
                    }
                }
            }
        }
    }
}

//! The first page: some games as pictures to play on, a puzzle, and the links to the three
//! sections.

use super::Page;
use super::puzzle::{self, PuzzleKey};
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_core::Budget;
use bouton_draw::{Picture, svg};
use bouton_engine::Game;
use bouton_games::Family;
use maud::{Markup, PreEscaped, html};

/// Mistakes in a hundred moves of the opponent that a visitor meets first.
const FIRST_LEVEL: u32 = 35;

/// The families on the first page.
const HEROES: [&str; 6] = ["nim", "kayles", "dots", "wythoff", "circular", "kotzig"];

pub(crate) fn page(site: &Site, request: &Request, _: &Budget) -> Page {
    let puzzle = puzzle::find(site, PuzzleKey::daily(request.day()));
    let body = html! {
        div.hero {
            div {
                h1 { "Take-away games: play, understand, prove." }
                p.lead { "Two players, some heaps, and no luck at all. Bouton plays as well as \
                    you like, tells you why you lost, and proves it for boards of every size." }
                p.acts {
                    a.button.main href={ "/play?game=nim&at=3,4,5&mistakes=" (FIRST_LEVEL) }
                        { "Play Nim" }
                    a.button href="/learn?course=nim" { "Learn Nim in two minutes" }
                }
            }
            @if let Some((game, at)) = &puzzle {
                section.puzzle aria-labelledby="puzzle" {
                    a.picture href={ "/puzzle?day=" (request.day()) }
                        tabindex="-1" aria-hidden="true" { (picture(site, game, at)) }
                    h2 #puzzle { "Puzzle of the day" }
                    p { "One move is best. Which?" }
                    p.acts { a.button href={ "/puzzle?day=" (request.day()) } { "Solve it" }
                        a href="/puzzles" { "All puzzles" } }
                    p #streak.good data-today=(request.day()) hidden {}
                }
            }
        }
        section #recent aria-labelledby="recently" hidden { h2 #recently { "Recently played" }
            ul.tools {} }
        h2 #games { "Games" }
        div.families.heroes {
            @for game in site.catalogue.own_games() { (own_card(site, &*game)) }
            @for name in HEROES {
                @if let Some(family) = site.catalogue.families().iter().find(|family|
                    family.name == name) { (family_card(site, family)) }
            }
        }
        p.acts { a.button.main href="/games" { "All games" } }
        div.doors-told {
            section.theory { h2 { a href="/learn" { "Learn" } }
                p { "Eight short courses, from “take the last one” to the long-chain rule of Dots \
                    and Boxes. Each answer is judged at once." } }
            section.theory { h2 { a href="/research" { "Research" } }
                p { "Rules in, theorem out: study a game, look at tables, prove a formula, and \
                    see which published claims hold." } }
        }
    };
    Ok(Response::page("Play, understand, prove", body))
}

/// Shows the opening of a family as a picture to play on.
pub(super) fn family_card(site: &Site, family: &Family) -> Markup {
    let Family { title, sentence, opening, notation, .. } = family;
    card(site, title, sentence, opening.game, opening.position, notation)
}

/// Shows the game of a rule file as a picture to play on.
pub(super) fn own_card(site: &Site, game: &dyn Game) -> Markup {
    let name = game.name();
    card(site, &name, &game.describe(), &name, &start(game), "of a rule file")
}

/// Shows a game as a picture to play on.
pub(super) fn card(
    site: &Site,
    title: &str,
    about: &str,
    game: &str,
    at: &str,
    notation: &str,
) -> Markup {
    let at_part = if at.is_empty() { String::new() } else { format!("&at={}", encoded(at)) };
    let href = format!("/play?game={}{at_part}&mistakes={FIRST_LEVEL}", encoded(game));
    html! {
        section.family {
            a.picture href=(href) tabindex="-1" aria-hidden="true" { (picture(site, game, at)) }
            h3 { a href=(href) { (title) } }
            p { (about) }
            p.notation { code { (notation.split(" | ").next().unwrap_or(notation)) } }
            a.button href=(href) aria-label={ "Play " (title) } { "Play" }
        }
    }
}

/// Shows the board of a position, or of the game's start.
pub(super) fn picture(site: &Site, name: &str, at: &str) -> Markup {
    let board = || {
        let game = site.catalogue.parse(name).ok()?.game;
        let at = if at.is_empty() { game.start()? } else { at.to_owned() };
        game.board(&at).ok()
    };
    match board() {
        Some(board) => {
            let scene = Picture::Board(format!("{name} {at}"), board).scene();
            html! { (PreEscaped(svg::inline(&scene, |_| None))) }
        }
        None => html! {},
    }
}

/// Returns a position to begin with: the game's own start, or heaps of 1, 3, 5, ….
pub(super) fn start(game: &dyn Game) -> String {
    let heaps = || game.heap_game().map_or(3, |stated| stated.heaps);
    let odd =
        |heaps: usize| (0..heaps).map(|i| (2 * i + 1).to_string()).collect::<Vec<_>>().join(",");
    game.start().unwrap_or_else(|| odd(heaps()))
}

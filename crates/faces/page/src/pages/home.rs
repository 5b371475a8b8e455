//! The first page: every family as a picture to play on, a puzzle, a lesson, and a field for who has rules of his own.

use super::{Page, puzzle};
use crate::frame::frame;
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_core::Budget;
use bouton_draw::{Picture, svg};
use bouton_engine::Game;
use bouton_games::shelf;
use maud::{Markup, PreEscaped, html};

/// Mistakes in a hundred moves of the opponent that a visitor meets first.
const FIRST_LEVEL: u32 = 35;

pub(crate) fn page(site: &Site, request: &Request, _: &Budget) -> Page {
    let puzzle = puzzle::of(site, request.day());
    let body = html! {
        div.hero {
            div {
                h1 { "Take-away games: play, understand, prove." }
                p.lead { "Two players, some heaps, and no luck at all. Bouton plays as well as you like, tells you why you lost, and proves it for boards of every size." }
                p.acts {
                    a.button.main href={ "/play?game=nim&at=3,4,5&slips=" (FIRST_LEVEL) } { "Play Nim" }
                    a.button href="/learn" { "Learn Nim in two minutes" }
                }
            }
            @if let Some((game, at)) = &puzzle {
                section.puzzle aria-labelledby="puzzle" {
                    a.picture href={ "/puzzle?day=" (request.day()) } tabindex="-1" aria-hidden="true" { (picture(site, game, at)) }
                    h2 #puzzle { "Puzzle of the day" }
                    p { "One move wins. Which?" }
                    p { a.button href={ "/puzzle?day=" (request.day()) } { "Solve it" } }
                }
            }
        }
        section #recent aria-labelledby="recently" hidden { h2 #recently { "Recently played" } ul.tools {} }
        h2 #games { "Games" }
        div.families {
            @for game in site.catalogue.own_games() {
                @let (name, at) = (game.name(), start(&*game));
                (card(site, &name, &game.describe(), &name, &name, &at, "of a rule file"))
            }
            @for family in site.catalogue.families() {
                (card(site, family.title, family.sentence, family.opening.game, family.opening.game, family.opening.position, family.notation))
            }
        }
        section.theory aria-labelledby="theory" {
            h2 #theory { "Rules in, theorem out" }
            p { "Type a game. Its losing positions are computed, a form for them is guessed, tried on a larger table, and proved for all sizes, with a certificate that an independent program checks." }
            form.line action="/study" method="get" {
                label { "Game " input name="game" value="CN(6,3)" required autocomplete="off" spellcheck="false"; }
                button.main { "Study" }
            }
            p { "Or " a href="/rules" { "write the rules of a game of your own" } ", " a href="/prove" { "prove a form of your own" } ", look at " a href="/table" { "tables" } ", at " a href="/literature" { "games of the literature" } ", or at " a href="/ledger" { "what is published and what became of it" } "." }
            details {
                summary { "Any game, any position" }
                form.line action="/play" method="get" {
                    label { "Game " input name="game" value="nim" required autocomplete="off" spellcheck="false"; }
                    label { "Position " input name="at" value="1,3,5,7" autocomplete="off" spellcheck="false"; }
                    button { "Play" }
                }
                @for group in shelf().groups() {
                    h3 { (group.title) }
                    p {
                        @for game in shelf().games().iter().filter(|game| game.group == group.key) {
                            a href={ "/play?game=" (game.name) } { (game.name) } " "
                        }
                    }
                }
                p { "Sums of games are written with +, each with its position: " a href={ "/play?game=" (encoded("kayles:7 + nim:4 + wythoff:3,5")) } { code { "kayles:7 + nim:4 + wythoff:3,5" } } "." }
                dl.notation {
                    @for family in site.catalogue.families() {
                        dt { (family.title) }
                        dd { code { (family.notation) } " – " (family.about) ". " span.source { (family.source) } br;
                            @for example in family.examples {
                                @let at = if example.position.is_empty() { String::new() } else { format!("&at={}", encoded(example.position)) };
                                a href={ "/play?game=" (encoded(example.game)) (at) } { (example.game) " " (example.position) } " "
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(Response::html(frame("Play, understand, prove", body)))
}

/// A game as a picture to play on.
fn card(site: &Site, title: &str, about: &str, name: &str, game: &str, at: &str, notation: &str) -> Markup {
    let at_part = if at.is_empty() { String::new() } else { format!("&at={}", encoded(at)) };
    let href = format!("/play?game={}{at_part}&slips={FIRST_LEVEL}", encoded(game));
    html! {
        section.family {
            a.picture href=(href) tabindex="-1" aria-hidden="true" { (picture(site, name, at)) }
            h3 { a href=(href) { (title) } }
            p { (about) }
            p.notation { code { (notation.split(" | ").next().unwrap_or(notation)) } }
            a.button href=(href) aria-label={ "Play " (title) } { "Play" }
        }
    }
}

/// The board of a position, or of the game's start.
fn picture(site: &Site, name: &str, at: &str) -> Markup {
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

/// A position to begin with: the game's own start, or heaps of 1, 3, 5, ….
fn start(game: &dyn Game) -> String {
    let heaps = || game.heap_game().map_or(3, |stated| stated.heaps);
    let odd = |heaps: usize| (0..heaps).map(|i| (2 * i + 1).to_string()).collect::<Vec<_>>().join(",");
    game.start().unwrap_or_else(|| odd(heaps()))
}

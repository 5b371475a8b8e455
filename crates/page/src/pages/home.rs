//! The first page: what this is, and every family to pick from.

use super::Page;
use crate::frame::frame;
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_solve::{Budget, Game};
use maud::html;

pub(crate) fn page(site: &Site, _: &Request, _: &Budget) -> Page {
    let body = html! {
        h1 { "Take-away games: play, look, understand" }
        p { "Pick a game, or type one with its position. Bouton plays perfectly, or as badly as you like, and says why." }
        form.line action="/play" method="get" {
            label { "Game " input name="game" value="nim" required; }
            label { "Position " input name="at" value="1,3,5,7"; }
            label { input type="checkbox" name="misere" value="1"; " misère" }
            label { "You play " select name="you" { option value="first" { "first" } option value="second" { "second" } option value="both" { "both sides" } } }
            button { "Play" }
        }
        h2 #games { "Games" }
        div.families {
            @for game in site.catalogue.own_games() {
                section.family {
                    h3 { (game.name()) }
                    p { (game.describe()) }
                    @let at = start(&*game);
                    ul { li { a href={ "/play?game=" (encoded(&game.name())) "&at=" (encoded(&at)) } { (game.name()) " " (at) } } }
                    p.source { "rule file" }
                }
            }
            @for family in site.catalogue.families() {
                section.family {
                    h3 { (family.name) }
                    p { code { (family.notation) } }
                    p { (family.about) }
                    ul {
                        @for example in family.examples {
                            @let at = if example.position.is_empty() { String::new() } else { format!("&at={}", encoded(example.position)) };
                            li { a href={ "/play?game=" (encoded(example.game)) (at) } { (example.game) " " (example.position) } }
                        }
                    }
                    p.source { (family.source) }
                }
            }
        }
        p { "Sums of games are written with +, each with its position: " a href={ "/play?game=" (encoded("kayles:7 + nim:4 + wythoff:3,5")) } { code { "kayles:7 + nim:4 + wythoff:3,5" } } "." }
    };
    Ok(Response::html(frame("Games", body)))
}

/// A position to begin with: the game's own start, or heaps of 1, 3, 5, ….
fn start(game: &dyn Game) -> String {
    let heaps = || game.heap_game().map_or(3, |stated| stated.heaps);
    let odd = |heaps: usize| (0..heaps).map(|i| (2 * i + 1).to_string()).collect::<Vec<_>>().join(",");
    game.start().unwrap_or_else(|| odd(heaps()))
}

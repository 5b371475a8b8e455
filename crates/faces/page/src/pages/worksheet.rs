//! A sheet to print: positions to think about on the first page, answers on the second.

use super::puzzle::Lot;
use super::{Page, told};
use crate::frame::frame;
use crate::refusal::Refusal;
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_core::{Budget, Play};
use bouton_draw::{Picture, svg};
use bouton_engine::{Analysis, Settings};
use bouton_report::text::{is_winning, verdict};
use maud::{PreEscaped, html};

/// Positions on a sheet.
const POSITIONS: usize = 8;
/// Positions tried, for they shall differ and have something to find.
const TRIES: usize = 200;
/// The largest heap.
const LARGEST: u64 = 6;
/// Winning moves named in the answers.
const NAMED: usize = 3;

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let name = if request.get("game").is_empty() { "nim(3)" } else { request.get("game") };
    let seed: u64 = match request.get("seed") {
        "" => request.day().into(),
        seed => seed.parse().map_err(|_| Refusal::bad("seed: a number"))?,
    };
    let game = site.catalogue.parse(name)?.game;
    let heaps = game.heap_game().map_or(3, |stated| stated.heaps);
    let mut lot = Lot::new(seed);
    let mut session = game.session(Settings { budget: budget.clone(), ..Settings::default() });
    let mut found: Vec<Analysis> = Vec::new();
    for _ in 0..TRIES {
        let sizes: Vec<u64> = (0..heaps).map(|_| 1 + lot.below(LARGEST)).collect();
        let Some(at) = game.position(&sizes) else { break };
        let one = session.analyse(&at)?;
        // Some of each outcome, and more of those with something to find.
        let lost = one.moves.iter().all(|m| !is_winning(&one, m));
        let many_lost =
            found.iter().filter(|f| f.moves.iter().all(|m| !is_winning(f, m))).count() >= POSITIONS / 4;
        if one.spent.is_none() && !(lost && many_lost) && found.iter().all(|f| f.position != one.position) {
            found.push(one);
        }
        if found.len() == POSITIONS {
            break;
        }
    }
    if found.is_empty() {
        return Err(Refusal::bad(format!(
            "there are no sheets for {}: its positions are no lists of heaps",
            game.name()
        )));
    }
    let title = told::title(&site.catalogue, &game.name());
    let again = format!("/worksheet?game={}&seed={}", encoded(&game.name()), seed.wrapping_add(1));
    let body = html! {
        h1 { (title) ": who wins?" }
        p { (game.describe()) " Who cannot move loses. You are to move: is the position won? If so, find a winning move." }
        p.acts { "Print this page: the answers are on the second. " a.button href=(again) { "Another sheet" } }
        ol.sheet {
            @for one in &found {
                li {
                    @if let Ok(board) = game.board(&one.position) {
                        (PreEscaped(svg::inline(&Picture::Board(format!("{} at {}", game.name(), one.position), board).scene(), |_| None)))
                    }
                    p.blank { "Won or lost? " span { } }
                }
            }
        }
        section.answers aria-labelledby="answers" {
            h2 #answers { "Answers" }
            ol {
                @for one in &found {
                    @let winning: Vec<&str> = one.moves.iter().filter(|m| is_winning(one, m)).map(|m| m.text.as_str()).collect();
                    li {
                        (one.position) ": " (verdict(Play::Normal, one)) "."
                        @if !winning.is_empty() { " " (winning.iter().take(NAMED).copied().collect::<Vec<_>>().join("; or ")) @if winning.len() > NAMED { "; or others" } "." }
                        " " a href={ "/play?game=" (encoded(&game.name())) "&at=" (encoded(&one.position)) } { "Play it" }
                    }
                }
            }
        }
    };
    Ok(Response::html(frame(&format!("Sheet: {title}"), body)))
}

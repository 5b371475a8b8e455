//! A winning strategy as a tree to walk.

use super::Page;
use super::game_tabs::{self, Tab};
use crate::playthrough::{Address, Playthrough};
use crate::request::Request;
use crate::request_error::RequestError;
use crate::response::Response;
use crate::site::Site;
use crate::tree::{Extent, LISTED, grow};
use bouton_core::Budget;
use bouton_draw::Picture;
use bouton_draw::scene::BoardPart;
use bouton_draw::svg::{self, Link};
use bouton_draw::tree::Side;
use bouton_report::text::{is_winning, move_in_words};
use maud::{Markup, PreEscaped, html};

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let extent = Extent::from_request(request);
    let playthrough = Playthrough::read(&site.catalogue, &Address::from_request(request))?;
    let tree = grow(&playthrough, &extent, budget)?;
    let (title, said, longest) = (tree.title(), tree.description(), tree.longest());
    let (nodes, winner) = (tree.nodes.clone(), tree.winner);
    let scene = Picture::Tree(tree).scene();
    let more = [("depth", extent.depth.as_str()), ("size", extent.size.as_str())];
    let picture = svg::inline(&scene, |part| {
        let BoardPart::Node(i) = part else { return None };
        let line = [nodes[i].position.clone()];
        let label = format!("{}, Player {} to move", nodes[i].position, nodes[i].to_move.numeral());
        Some(Link::To { href: playthrough.href_with("/strategy", &line, &more), label, class: "" })
    });
    let body = html! {
        h1 { (title) }
        (game_tabs::tabs(&playthrough, Tab::Tree))
        p { (said) " The longest line takes " (longest) " moves. Each position leads to the tree \
            that begins there." }
        div #tree.wide tabindex="0" role="region" aria-label="Strategy tree" {
            (PreEscaped(picture)) }
        (walk(&playthrough, winner == Side::First, budget, &more)?)
        ul.copies {
            @for kind in ["svg", "png", "tex", "dot"] {
                li { a href=(playthrough.href(&format!("/picture/tree.{kind}"), &more)) { (kind) } }
            }
        }
    };
    Ok(Response::page("Strategy", body))
}

/// Shows the way to here, and a step further: the winning moves of the winner, every move of the
/// other.
fn walk(
    playthrough: &Playthrough,
    wins: bool,
    budget: &Budget,
    more: &[(&str, &str)],
) -> Result<Markup, RequestError> {
    let found = playthrough
        .game
        .session(playthrough.settings(budget, LISTED))
        .analyse(playthrough.now())?;
    let steps = found.moves.iter().filter(|m| !wins || is_winning(&found, m));
    let onward = |to: &str| {
        let mut line = playthrough.line.clone();
        line.push(to.to_owned());
        playthrough.href_with("/strategy", &line, more)
    };
    Ok(html! {
        section aria-labelledby="walk" {
            h2 #walk { "Walk the tree" }
            p {
                @for (i, position) in playthrough.line.iter().enumerate() {
                    @if i > 0 { " → " }
                    a href=(playthrough.href_with("/strategy", &playthrough.line[..=i], more))
                        aria-current=[(i + 1 == playthrough.line.len()).then_some("step")] {
                            (position) }
                }
                " · " a.button href=(playthrough.href("/play", &[])) { "On the board" }
            }
            @if found.moves.is_empty() { p { "No move is left: play is over." } }
            @else if wins { p { "The player to move wins. The winning moves:" } }
            @else { p { "The player to move loses, whatever the move:" } }
            ul.steps { @for m in steps { li { a href=(onward(&m.to)) {
                (move_in_words(&*playthrough.game, playthrough.now(), m)) } " " span.to { (m.to) } }
                    } }
        }
    })
}

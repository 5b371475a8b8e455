//! The tabs that the pages about one game share: they lead from one page to another and keep the
//! line of play.

use crate::playthrough::{Address, Playthrough};
use crate::request::{Request, encoded};
use crate::site::Site;
use crate::table::Slice;
use bouton_core::{Board, Play};
use bouton_engine::sum::Sum;
use maud::{Markup, html};

/// A page about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Board,
    Why,
    Tree,
    Table,
    Theorem,
    Worksheet,
}

/// Returns the tabs of a game in course.
pub(super) fn tabs(playthrough: &Playthrough, current: Tab) -> Markup {
    let name = &playthrough.called;
    let board = playthrough.game.board(playthrough.now()).ok();
    let line = encoded(&playthrough.line.join("~"));
    let misere = if playthrough.play == Play::Misere { "&misere=1" } else { "" };
    let about =
        |page: &str, more: &str| format!("{page}?game={}{more}&line={line}{misere}", encoded(name));
    let mut all = vec![
        (Tab::Board, "Board", playthrough.href("/play", &[])),
        (Tab::Why, "Why", playthrough.href("/why", &[])),
        (Tab::Tree, "Tree", playthrough.href("/strategy", &[])),
    ];
    if matches!(board, Some(Board::Dots { .. })) {
        all.push((Tab::Table, "Table", "/table?game=dots".into()));
    } else if !matches!(&board, Some(board) if board.places().is_some()) {
        // Coins on squares are no two numbers that vary.
        let at = format!(
            "&at={}",
            encoded(&Slice::from_position(&*playthrough.game, playthrough.now()).at)
        );
        all.push((Tab::Table, "Table", about("/table", &at)));
    }
    if !playthrough.game.ruleset().is::<Sum>() {
        all.push((Tab::Theorem, "Theorem", about("/study", "")));
    }
    all.push((Tab::Worksheet, "Worksheet", about("/worksheet", "")));
    html! {
        nav.tabs aria-label="This game" {
            @for (tab, text, href) in &all { a href=(href)
                aria-current=[(*tab == current).then_some("page")] { (text) } }
            a href={ (playthrough.href("/play", &[])) "#share" } { "Share" }
        }
    }
}

/// Returns the tabs on a page that is not about a position, if a line of play came with its
/// address.
pub(super) fn tabs_of(site: &Site, request: &Request, current: Tab) -> Markup {
    if request.get("line").is_empty() {
        return html! {};
    }
    let address = Address { at: String::new(), ..Address::from_request(request) };
    match Playthrough::read(&site.catalogue, &address) {
        Ok(playthrough) => tabs(&playthrough, current),
        Err(_) => html! {},
    }
}

//! A game that is over, looked back at: who erred how often, and the last move that decided it.

use super::wording::{self, Judged, Player, Worth};
use crate::playthrough::{Playthrough, You};
use maud::{Markup, html};

/// Shows the review of a game whose moves have been judged.
pub(super) fn review(playthrough: &Playthrough, judged: &[Judged]) -> Markup {
    let turns = playthrough.turns();
    let who = |judged: &Judged| wording::player(playthrough, turns[judged.turn - 1].0);
    let errors: Vec<&Judged> =
        judged.iter().filter(|judged| matches!(judged.worth, Worth::Bad(_))).collect();
    let unknown = judged.iter().filter(|judged| judged.worth == Worth::Unknown).count();
    let of = |name: Player| errors.iter().filter(|error| who(error) == name).count();
    let names = match playthrough.you {
        You::Both => [Player::First, Player::Second],
        _ => [Player::Visitor, Player::Bouton],
    };
    html! {
        section.review aria-labelledby="review" {
            h2 #review { "The game in review" }
            ul {
                @for name in names {
                    li { strong { (name) } ": " @match of(name) {
                        0 => "no mistake", 1 => "one mistake", n => { (n) " mistakes" } } "." }
                }
            }
            @match errors.last() {
                Some(last) => {
                    p { "Decided at move " (last.turn) ": " (who(last)) " "
                        (wording::deed(playthrough, last.turn)) ", which " (last.worth) "." }
                    p.acts { a.button data-go="" href=(playthrough.href_with("/play",
                        &playthrough.line[..last.turn], &[("judge", "off")])) {
                            "Back to that moment" } }
                }
                None if unknown == 0 && !judged.is_empty() => p {
                    "Nobody erred: who began the game decided it." },
                None => {}
            }
            @if unknown > 0 { p { (unknown) " of the moves could not be judged within the time of \
                a page." } }
        }
    }
}

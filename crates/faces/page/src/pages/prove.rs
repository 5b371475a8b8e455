//! Guess, then prove: a form of the P-positions, proved for all heap sizes or refuted by a position
//! to look at.

use super::Page;
use crate::frame::error_message;
use crate::guess::{Answer, Guess, settle};
use crate::request::{Request, encoded};
use crate::response::Response;
use crate::site::Site;
use bouton_core::{Budget, Claim, Play, heaps_text};
use bouton_draw::{Picture, svg};
use bouton_prover::Counterexample;
use bouton_study::{Failure, Proved, Verdict};
use maud::{Markup, PreEscaped, html};

/// Alternatives of a claim that are shown.
const CASES: usize = 24;

const EXAMPLES: &[(&str, &str, &str)] = &[
    ("nim(4)", "xor = 0", ""),
    ("wythoff", "a = b", ""),
    ("CN(4,2)", "a = c & b = d", ""),
    ("CN(5,3)", "a = 0 & b = e & b = c+d", ""),
    ("CN(6,3)", "a+b = d+e & b+c = e+f", ""),
    ("SCN(4,2)", "a=c & b=d & a!=b", "3: a=b=c"),
];

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    if request.is_bare() {
        let (game, claim, _) = EXAMPLES[2];
        return Ok(Response::redirect(format!(
            "/prove?game={}&claim={}",
            encoded(game),
            encoded(claim)
        )));
    }
    let guess = Guess::from_request(request);
    let settled = (!guess.claim.is_empty()).then(|| settle(site, &guess, budget));
    let body = html! {
        h1 { "Guess, then prove" }
        p { "Look at " a href="/table" { "tables" } ", guess which positions are P, and say so as \
            a formula over the heaps a, b, c, …, meant up to the game’s symmetry. It is proved \
            for all heap sizes, or you get the least position that shows it wrong." }
        form.line #guess action="/prove" method="get" {
            label { "Game " input #game name="game" value=(if guess.game.is_empty() { "CN(4,2)" }
                else { &guess.game }) required; }
            label.long { "P exactly if " input #claim name="claim" value=(guess.claim)
                autocomplete="off" spellcheck="false" required; }
            label { input type="checkbox" name="misere" value="1" checked[!guess.misere.is_empty()];
                " misère" }
            label { "with fewer heaps " input #smaller name="smaller" value=(guess.smaller)
                size="14" placeholder="3: a=b=c" autocomplete="off" spellcheck="false"; }
            button.main { "Prove" }
        }
        div.two.three {
        div #result role="status" aria-live="polite" {
            @match &settled {
                None => {}
                Some(Err(refusal)) => (error_message(refusal)),
                Some(Ok(settled)) => (settled_section(site, settled, &guess)),
            }
        }
        div { h2 { "Examples" }
        ul.examples {
            @for (game, claim, smaller) in EXAMPLES {
                li { a href={ "/prove?game=" (encoded(game)) "&claim=" (encoded(claim))
                    @if !smaller.is_empty() { "&smaller=" (encoded(smaller)) } }
                        { strong { (game) } " " (claim) @if !smaller.is_empty() { "; " (smaller) }
                            } }
            }
        }
        h2 { "Formulas" }
        p { code { "+ - = != < <= > >= & | ~ => <=>" } ", " code { "min max xor" }
            " of all heaps, numbers, " code { "mod" } ". Of boards with fewer heaps, in games \
             whose heaps vanish: a number, a colon, a formula; several apart by semicolons." }
        } }
    };
    Ok(Response::page("Guess, then prove", body))
}

/// Returns the command that settles a guess.
fn command(game: &str, guess: &Guess) -> String {
    let smaller: String = guess
        .smaller
        .split(';')
        .map(str::trim)
        .filter(|s| !s.is_empty())
        .map(|s| format!(" --for-fewer-heaps '{s}'"))
        .collect();
    let misere = if guess.misere.is_empty() { "" } else { " --misere" };
    format!("bouton prove '{game}' --claim '{}'{smaller}{misere}", guess.claim)
}

fn settled_section(site: &Site, answer: &Answer, guess: &Guess) -> Markup {
    let Answer { game, play, claim, settled, seconds } = answer;
    html! {
        @match settled {
            Verdict::Proved(Proved::Theorem(theorem)) => {
                p.outcome.proved { strong { "Proved" } " for all heap sizes" }
                div.statement {
                    p { (game) @if *play == Play::Misere { ", misère play," }
                        " is P exactly if, up to symmetry," }
                    (typeset(site, game, claim))
                }
                p { @if let Some(size) = theorem.cases() { (size.cases) " cases, " (size.sets)
                    " sets of possibilities, " } (format!("{seconds:.2}")) " s. The command: "
                        code { (command(game, guess)) } }
                form action="/check" method="post" {
                    input type="hidden" name="certificate" value=(theorem.certificate.as_str());
                    p.acts {
                        button { "Check the certificate" }
                        a.button href={ "/data/proof.cert?game=" (encoded(game)) "&claim="
                            (encoded(claim)) "&smaller=" (encoded(&guess.smaller)) "&misere="
                                (encoded(&guess.misere)) } { "Save it" }
                        @if cfg!(feature = "coq") { button name="for" value="coq" {
                            "The theorem for Coq" } }
                    }
                }
                (examples(site, game, *play, claim))
            }
            Verdict::Refuted(refuted) => {
                p.outcome.refuted { strong { "Refuted" } @if refuted.least { " by the least \
                    counterexample" } @else { " by a counterexample" } }
                div.statement.refuted {
                    p { (game) @if *play == Play::Misere { ", misère play," }
                        " would be P exactly if, up to symmetry," }
                    (typeset(site, game, claim))
                    p { "But " (refuted.counterexample) "." }
                }
                p { "A second look, without the prover: " (refuted.recheck) "." }
                @if let Failure::Position(found) = &refuted.counterexample {
                    (on_board(site, game, *play, found)) }
            }
            other => p { strong { "Unknown" } ". " (other.found())
                ". On the command line it may take as long as you let it: " code {
                    (command(game, guess)) } },
        }
    }
}

fn heaps_of(site: &Site, game: &str) -> Option<usize> {
    Some(site.catalogue.parse(game).ok()?.game.heap_game()?.heaps)
}

/// Shows the claim in signs, one case a line.
fn typeset(site: &Site, game: &str, text: &str) -> Markup {
    let read = heaps_of(site, game).and_then(|heaps| Claim::parse(text, heaps).ok());
    html! {
        @match read {
            Some(claim) => {
                @let (cases, more) = bouton_report::cases(claim.formula(), CASES);
                (PreEscaped(cases))
                @if more > 0 { p { "or one of " (more) " more cases" } }
            }
            None => p { code { (text) } },
        }
    }
}

/// Shows three positions that a proved claim says are P, as boards: those with most different
/// heaps.
fn examples(site: &Site, name: &str, play: Play, text: &str) -> Markup {
    /// The largest heap, the most heaps and the number of positions.
    const MAX_HEAP: u64 = 4;
    const HEAPS: usize = 6;
    const SHOWN: usize = 3;
    let Some(heaps) = heaps_of(site, name).filter(|heaps| *heaps <= HEAPS) else { return html! {} };
    let Ok(named) = site.catalogue.parse(name) else { return html! {} };
    let occurs = |position: &Vec<u64>| {
        named.game.position(position).is_some_and(|at| named.game.board(&at).is_ok())
    };
    let Ok(claim) = Claim::parse(text, heaps) else { return html! {} };
    // No heap is empty: in games whose heaps vanish the claim is of whole boards.
    let mut found: Vec<Vec<u64>> = (0..MAX_HEAP.pow(heaps as u32))
        .map(|n| (0..heaps as u32).map(|heap| 1 + n / MAX_HEAP.pow(heap) % MAX_HEAP).collect())
        .filter(|position: &Vec<u64>| claim.holds(position) == Ok(true) && occurs(position))
        .collect();
    let kinds = |position: &Vec<u64>| {
        let mut sizes = position.clone();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.len()
    };
    found.sort_by_key(|position| std::cmp::Reverse(kinds(position)));
    html! {
        @if !found.is_empty() {
            section {
                h2 { "So these are lost for whoever is to move" }
                div.pair { @for position in found.iter().take(SHOWN) {
                    (shown(site, name, play, position)) } }
            }
        }
    }
}

/// Shows the counterexample, set on the board.
fn on_board(site: &Site, name: &str, play: Play, found: &Counterexample) -> Markup {
    html! {
        div.pair {
            (shown(site, name, play, &found.position))
            @if let Some((_, option)) = &found.option { (shown(site, name, play, option)) }
        }
    }
}

/// Shows a position as a board, from which one can play.
fn shown(site: &Site, name: &str, play: Play, position: &[u64]) -> Markup {
    let at = heaps_text(position);
    let board = site.catalogue.parse(name).ok().and_then(|named| named.game.board(&at).ok());
    let misere = if play == Play::Misere { "&misere=1" } else { "" };
    let href = format!("/play?game={}&at={}{misere}", encoded(name), encoded(&at));
    html! {
        figure.framed {
            @if let Some(board) = board { (PreEscaped(svg::inline(&Picture::Board(format!("{name} \
                at {at}"), board).scene(), |_| None))) }
            figcaption { a.button href=(href) { "Play from " (at) } }
        }
    }
}

//! A game in course: the board, the moves with what is known of them, and whose turn it is.

use super::Page;
use crate::frame::{frame, slip};
use crate::playthrough::{Address, MOST_MOVES, MOST_TURNS, Playthrough, You};
use crate::refusal::Refusal;
use crate::request::{Request, encoded};
use crate::response::{Response, Status};
use crate::site::Site;
use crate::table::slice;
use bouton_draw::scene::Part;
use bouton_draw::svg::{self, Link};
use bouton_report::text::{is_winning, short, verdict};
use bouton_rules::{Board, Play};
use bouton_solve::{Analysis, Budget, Kind};
use bouton_study::{Answer, Answers, By};
use maud::{Markup, PreEscaped, html};
use std::collections::HashMap;

/// Moves listed on a page.
const LISTED: usize = 200;

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let playthrough = Playthrough::read(&site.catalogue, &Address::of(request))?;
    let answer = playthrough.answer(site, budget)?;
    Ok(Response::html(show(&playthrough, &answer, None)))
}

/// Makes the visitor's move and the opponent's replies, and leads to the new position.
pub(crate) fn make_move(site: &Site, request: &Request, budget: &Budget) -> Page {
    let mut playthrough = Playthrough::read(&site.catalogue, &Address::of(request))?;
    let game = site.catalogue.parse(request.get("game"))?.game;
    let mut answers = Answers::new(&*game, playthrough.settings(budget, MOST_MOVES), &site.theorems);
    let mut answer = answers.of(playthrough.now())?;
    let to = request.get("to");
    if !to.trim().is_empty() {
        let Some(chosen) = playthrough.chosen(&answer, to) else {
            let message = match answer.analysis.spent {
                Some(spent) if answer.analysis.moves.is_empty() => {
                    format!("the moves of this position are too many to look at ({spent})")
                }
                _ => format!("`{}` is no move here", to.chars().take(200).collect::<String>()),
            };
            let refusal = Refusal::new(Status::Unprocessable, message);
            return Ok(Response::html(show(&playthrough, &answer, Some(&refusal))).status(refusal.status));
        };
        playthrough.line.push(chosen.to);
        answer = answers.of(playthrough.now())?;
    }
    while playthrough.you != You::Both && !playthrough.your_turn() && playthrough.line.len() < MOST_TURNS {
        let Some(to) = playthrough.reply(&answer.analysis).map(|m| m.to.clone()) else { break };
        playthrough.line.push(to);
        answer = answers.of(playthrough.now())?;
    }
    Ok(Response::redirect(playthrough.href("/play", &[])))
}

/// What has happened and what is to do, as it is spoken.
fn status(playthrough: &Playthrough, over: bool) -> String {
    let turns = playthrough.turns();
    let (first, score) = turns.last().copied().unwrap_or((true, 0));
    let name = |first: bool| match (playthrough.you, first) {
        (You::Both, true) => "Player I",
        (You::Both, false) => "Player II",
        (You::First, true) | (You::Second, false) => "You",
        _ => "Bouton",
    };
    let mut text = String::new();
    if let [.., before, now] = &playthrough.line[..] {
        let mover = turns[turns.len() - 2].0;
        text.push_str(&format!("{} moved from {before} to {now}. ", name(mover)));
    }
    if over {
        if playthrough.game.kind() == Kind::Scored {
            let result = match score {
                0 => "a draw".to_owned(),
                s => format!("{} won by {}", name(s > 0), s.abs()),
            };
            return text + &format!("The game is over: {result}.");
        }
        let winner = name(first == (playthrough.play == Play::Misere));
        return text + &format!("{} cannot move. The game is over: {winner} won.", name(first));
    }
    let to_move = match name(first) {
        "You" => "Your turn.".into(),
        who => format!("{who} is to move."),
    };
    text + &to_move
}

/// The parts of the board that make a move, each with the place of the move.
fn targets(from: &Board, to: &Board, summand: usize) -> Option<Part> {
    let one = |a: &[u32], b: &[u32]| {
        let mut changed = (0..a.len()).filter(|i| a[*i] != b[*i]);
        match (a.len() == b.len(), changed.next(), changed.next()) {
            (true, Some(heap), None) if b[heap] < a[heap] => {
                Some(Part::Token { summand, heap, left: b[heap].into() })
            }
            _ => None,
        }
    };
    match (from, to) {
        (Board::Row(a), Board::Row(b)) => one(a, b),
        (Board::Ring(a), Board::Ring(b)) if a.len() == b.len() => one(a, b),
        // A circle that closed up: one whole heap went.
        (Board::Ring(a), Board::Ring(b)) => {
            let heap = (0..a.len())
                .find(|i| a[..*i] == b[..(*i).min(b.len())] && a[i + 1..] == b[(*i).min(b.len())..])?;
            Some(Part::Token { summand, heap, left: 0 })
        }
        (Board::Pins(a), Board::Pins(b)) => pins(a, b, summand),
        (Board::Track { .. }, Board::Track { token, .. }) => Some(Part::Cell { summand, cell: *token }),
        (Board::Queen { .. }, Board::Queen { x, y }) => Some(Part::Square { summand, x: *x, y: *y }),
        (Board::Purses { .. }, Board::Purses { stones, .. }) => {
            Some(Part::Token { summand, heap: 0, left: *stones })
        }
        (
            Board::Dots { horizontal: h, vertical: v, .. },
            Board::Dots { horizontal: h2, vertical: v2, .. },
        ) => {
            let new = |a: &[bool], b: &[bool]| a.iter().zip(b).position(|(a, b)| a != b);
            let across = new(h, h2).map(|line| Part::Line { horizontal: true, line });
            across.or_else(|| new(v, v2).map(|line| Part::Line { horizontal: false, line }))
        }
        (Board::Sum(a), Board::Sum(b)) => {
            let moved: Vec<usize> = (0..a.len().min(b.len())).filter(|i| !same(&a[*i], &b[*i])).collect();
            match moved[..] {
                [i] => targets(&a[i], &b[i], i),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether two boards show the same, whoever is to move.
fn same(a: &Board, b: &Board) -> bool {
    match (a, b) {
        (Board::Purses { stones: x, .. }, Board::Purses { stones: y, .. }) => x == y,
        _ => a == b,
    }
}

/// One or two neighbouring pins of one row went.
fn pins(a: &[u32], b: &[u32], summand: usize) -> Option<Part> {
    let (before, after): (u32, u32) = (a.iter().sum(), b.iter().sum());
    let count = before.checked_sub(after).filter(|count| (1..=2).contains(count))?;
    // The rows before it stay; then come what stood before the pins, if any, and what stood behind them.
    let row = a.iter().zip(b).take_while(|(x, y)| x == y).count().min(a.len() - 1);
    let rest = a.len() - row - 1;
    let new = b.get(row..b.len().checked_sub(rest)?)?;
    let first = match new {
        [] => 0,
        [all] if all + count == a[row] => 0,
        [left, right] if left + right + count == a[row] => *left,
        _ => return None,
    };
    Some(Part::Pins { summand, row, first, count })
}

/// The pins in the row of a part.
fn row_size(board: &Board, part: Part) -> Option<u32> {
    match (board, part) {
        (Board::Pins(rows), Part::Pins { row, .. }) => rows.get(row).copied(),
        (Board::Sum(boards), Part::Pins { summand, .. }) => row_size(boards.get(summand)?, part),
        _ => None,
    }
}

fn board(playthrough: &Playthrough, found: &Analysis) -> Markup {
    let Ok(board) = playthrough.game.board(playthrough.now()) else { return html! {} };
    let title = format!("{} at {}", playthrough.game.name(), playthrough.now());
    let scene = bouton_draw::board::scene(&title, &board);
    let mut moves: HashMap<Part, usize> = HashMap::new();
    for (i, m) in found.moves.iter().enumerate() {
        if let Some(part) = playthrough.game.board(&m.to).ok().and_then(|to| targets(&board, &to, 0)) {
            moves.entry(part).or_insert(i);
            // Seen from the row's other end it is the same move.
            if let (Part::Pins { summand, row, first, count }, Some(size)) = (part, row_size(&board, part)) {
                moves.entry(Part::Pins { summand, row, first: size - count - first, count }).or_insert(i);
            }
        }
    }
    // Heaps of which several may be played in at once: a script puts such moves together.
    let many = matches!(board, Board::Row(_) | Board::Ring(_)) && !found.moves.is_empty();
    let picture = svg::inline(&scene, |part| {
        let data = match part {
            Part::Token { heap, left, .. } => vec![("heap", heap.to_string()), ("left", left.to_string())],
            _ => Vec::new(),
        };
        let to = moves.get(&part).map(|i| &found.moves[*i]);
        match (to, part) {
            (Some(m), _) => {
                let tells = if playthrough.hints { format!(". {}", short(m)) } else { String::new() };
                Some(Link {
                    href: Some(playthrough.href("/move", &[("to", &m.to)])),
                    label: format!("{}{tells}", m.text),
                    data,
                })
            }
            (None, Part::Token { heap, left, .. }) if many => Some(Link {
                href: None,
                label: format!("heap {} down to {left}, as part of a move", heap + 1),
                data,
            }),
            _ => None,
        }
    });
    html! { div #board { (PreEscaped(picture)) } }
}

fn hidden(playthrough: &Playthrough) -> Markup {
    html! {
        input type="hidden" name="game" value=(playthrough.game.name());
        input type="hidden" name="line" value=(playthrough.line.join("~"));
        @if playthrough.play == Play::Misere { input type="hidden" name="misere" value="1"; }
        @if playthrough.you != You::First { input type="hidden" name="you" value=(playthrough.you_word()); }
        @if playthrough.slips > 0 { input type="hidden" name="slips" value=(playthrough.slips); }
        @if !playthrough.hints { input type="hidden" name="hints" value="off"; }
    }
}

/// The page of a game in course; `wrong` tells of a move that was none.
fn show(playthrough: &Playthrough, answer: &Answer, wrong: Option<&Refusal>) -> Markup {
    let (name, now) = (playthrough.game.name(), playthrough.now());
    let (found, over) = (&answer.analysis, answer.is_over());
    let yours = playthrough.your_turn();
    let mut order: Vec<usize> = (0..found.moves.len()).collect();
    if playthrough.hints {
        order.sort_by_key(|i| !is_winning(found, &found.moves[*i]));
    }
    let before = |back: usize| playthrough.line[..playthrough.line.len() - back].to_vec();
    // Undo takes back the opponent's moves, too.
    let turns = playthrough.turns();
    let mine = |i: usize| match playthrough.you {
        You::Both => true,
        You::First => turns[i].0,
        You::Second => !turns[i].0,
    };
    let undo =
        (0..playthrough.line.len() - 1).rev().find(|i| mine(*i)).map(|i| playthrough.line.len() - 1 - i);
    let toggle = if playthrough.hints {
        ("off", "Hide outcomes and nim-values")
    } else {
        ("on", "Show outcomes and nim-values")
    };
    let other = if playthrough.play == Play::Misere { ("off", "Normal play") } else { ("1", "Misère play") };
    let link = format!("/api/solve?game={}&position={}", encoded(&name), encoded(now));
    frame(
        &format!("{name} {now}"),
        html! {
            h1 { (name) }
            p.rules { (playthrough.game.describe()) @if !playthrough.end_rule().is_empty() { " " (playthrough.end_rule()) } }
            @if let Some(refusal) = wrong { (slip(refusal)) }
            div.table {
                section.stage aria-label="Board" {
                    (board(playthrough, found))
                    p #status role="status" aria-live="polite" { (status(playthrough, over)) }
                    @if playthrough.hints { p #verdict { (verdict(playthrough.play, found)) } }
                    @if let Some(by) = bouton_report::known_by(&answer.by).filter(|_| playthrough.hints) { p.by { "Known " (by) "." } }
                    @if found.evaluation.outcome.is_none() && found.evaluation.margin.is_none() {
                        p { button #longer type="button" hidden data-stream={ "/api/solve/stream?game=" (encoded(&name)) "&position=" (encoded(now)) (if playthrough.play == Play::Misere { "&misere=1" } else { "" }) } { "Think longer" } " " output #progress {} }
                    }
                    @if !over {
                        form.line #type action="/move" method="get" {
                            (hidden(playthrough))
                            label { "Move: a number of the list, the option, or the move’s text " input #typed name="to" autocomplete="off" required; }
                            button { "Move" }
                        }
                        @if !yours || playthrough.you == You::Both {
                            @if playthrough.you != You::Both { p { a.button data-go="" href=(playthrough.href("/move", &[])) { "Let Bouton move" } } }
                        }
                    }
                    ul.tools {
                        @if let Some(back) = undo { li { a #undo data-go="" href=(playthrough.href_with("/play", &before(back), &[])) { "Undo" } } }
                        @if playthrough.line.len() > 1 { li { a data-go="" href=(playthrough.href_with("/play", &playthrough.line[..1], &[])) { "Begin again" } } }
                        li { a data-go="" href=(playthrough.href("/play", &[("hints", toggle.0)])) { (toggle.1) } }
                        @if playthrough.game.kind() != Kind::Scored { li { a data-go="" href=(playthrough.href("/play", &[("misere", other.0)])) { (other.1) } } }
                        li { a #why href=(playthrough.href("/why", &[])) { "Why?" } }
                        li { a href=(playthrough.href("/strategy", &[])) { "Strategy tree" } }
                        li { a href={ "/table?game=" (encoded(&name)) "&at=" (encoded(&slice(&playthrough.game.board(now).ok(), now))) } { "Table" } }
                    }
                    form.line action="/play" method="get" {
                        input type="hidden" name="game" value=(name);
                        input type="hidden" name="line" value=(playthrough.line.join("~"));
                        @if playthrough.play == Play::Misere { input type="hidden" name="misere" value="1"; }
                        @if !playthrough.hints { input type="hidden" name="hints" value="off"; }
                        label { "You play " select name="you" { @for (value, text) in [("first", "first"), ("second", "second"), ("both", "both sides")] { option value=(value) selected[value == playthrough.you_word()] { (text) } } } }
                        label { "Bouton’s mistakes " select name="slips" { @for value in [0u32, 10, 25, 50, 100] { option value=(value) selected[value == playthrough.slips] { (value) " %" } } } }
                        button { "Set" }
                    }
                }
                section.moves aria-labelledby="moves" {
                    h2 #moves { "Moves" }
                    @if let Some(spent) = found.spent.filter(|_| found.moves.is_empty()) { p { "Too much for this page (" (spent) "). Type a move, or try a smaller position." } }
                    @if over { p { "No move is left." } }
                    @if answer.by != By::Search { p { "The heaps are too large to list all moves" @if let Some(all) = &answer.moves { " (there are " (all) ")" } "; any of them can be typed as the position it leads to." } }
                    ol {
                        @for i in order.iter().take(LISTED) {
                            @let m = &found.moves[*i];
                            li value=(i + 1) {
                                a data-go="" href=(playthrough.href("/move", &[("to", &m.to)])) { (m.text) }
                                @if m.text != m.to { " " span.to { (m.to) } }
                                @if playthrough.hints { " " strong.(if is_winning(found, m) { "good" } else { "bad" }) { (short(m)) } }
                            }
                        }
                    }
                    @if order.len() > LISTED { p { "… and " (order.len() - LISTED) " more; any of them can be typed." } }
                }
                section.history aria-labelledby="history" {
                    h2 #history { "History" }
                    ol start="0" {
                        @for (i, position) in playthrough.line.iter().enumerate() {
                            li { a data-go="" href=(playthrough.href_with("/play", &playthrough.line[..=i], &[])) aria-current=[(i + 1 == playthrough.line.len()).then_some("step")] { (position) } }
                        }
                    }
                    h2 { "Copy" }
                    ul.copies {
                        li { a data-copy="" href=(playthrough.href("/play", &[])) { "link" } }
                        li { a href=(playthrough.href("/picture/board.svg", &[])) { "SVG" } }
                        li { a href=(playthrough.href("/picture/board.tex", &[])) { "TikZ" } }
                        li { a href=(playthrough.href("/picture/board.png", &[])) { "PNG" } }
                        li { a href=(playthrough.href("/data/moves.csv", &[])) { "CSV" } }
                        @if playthrough.game.single(0).is_some() && playthrough.game.kind() == Kind::Impartial { li { a href={ "/data/values.txt?game=" (encoded(&name)) } { "b-file" } } }
                        li { a href={ "/data/cite.bib?game=" (encoded(&name)) } { "BibTeX" } }
                        li { a href=(link) { "JSON" } }
                    }
                }
            }
        },
    )
}

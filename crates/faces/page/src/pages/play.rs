//! A game in course: the board first, whose turn it is, and what may be asked about it. Nothing is
//! given away unasked.

use super::Page;
use super::game_tabs::{self, Tab};
use super::learn::CourseState;
use super::review::review;
use super::table::SHOWN;
use super::wording::{self, Judged, Worth};
use super::{board, box_values, columns, learn};
use crate::frame::error_message;
use crate::playthrough::{Address, Hints, LISTING, MAX_MOVES, MAX_TURNS, Playthrough, You};
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::{Response, Status};
use crate::site::Site;
use crate::table::{Slice, TableAddress, held};
use bouton_core::{Board, Budget, Outcome, Play};
use bouton_dots::opening_reply;
use bouton_draw::board::squares_of;
use bouton_draw::move_highlight::changed_part;
use bouton_engine::{Analysis, Kind, Move};
use bouton_kotzig::KotzigFamily;
use bouton_report::move_description::taken;
use bouton_report::text::{advice, is_winning, move_in_words, short, verdict_in_words};
#[cfg(not(target_family = "wasm"))]
use bouton_report::typed_move::{Chosen, chosen};
use bouton_study::{Answer, Answers};
use maud::{Markup, html};
use std::time::Duration;

/// Moves named where several may be meant.
const MOST_MEANT: usize = 8;
/// Moves listed on a page.
const LISTED: usize = 200;

/// How long Bouton thinks about a reply on points; with the page around it this is a second.
const REPLY: Duration = Duration::from_millis(800);

/// How well Bouton plays: of a hundred moves this many are mistakes.
pub(super) const LEVELS: [(u32, &str); 5] =
    [(60, "Beginner"), (35, "Casual"), (15, "Club"), (5, "Expert"), (0, "Perfect")];

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let playthrough = Playthrough::read(&site.catalogue, &Address::from_request(request))?;
    show(site, &playthrough, budget, Notice { reply: request.get("reply"), wrong: None })
}

/// Makes the visitor's move and the opponent's replies, and leads to the new position.
pub(crate) fn make_move(site: &Site, request: &Request, budget: &Budget) -> Page {
    let mut playthrough = Playthrough::read(&site.catalogue, &Address::from_request(request))?;
    playthrough.draft = None;
    let game = site.catalogue.parse(&playthrough.called)?.game;
    let mut answers = Answers::new(&*game, playthrough.settings(budget, MAX_MOVES), &site.theorems);
    answers.follow(&playthrough.line);
    // On points a perfect reply needs no judgement of every move.
    let is_short = game.kind() == Kind::Scored && playthrough.mistakes == 0;
    let look = |answers: &mut Answers<'_>, at: &str| {
        if !is_short {
            return answers.of(at);
        }
        answers.renew(Budget { nodes: Some(LISTING), ..budget.clone() });
        answers.moves(at)
    };
    let mut by = "";
    let mut answer = look(&mut answers, playthrough.now())?;
    let left = left_in_heaps(&playthrough, request);
    let to = match request.get("to") {
        "" => left.as_str(),
        to => to,
    };
    if !to.trim().is_empty() {
        let meant = meant(&playthrough, &answer, to.trim());
        let [chosen] = &meant[..] else {
            let to: String = to.chars().take(200).collect();
            let words = |m: &Move| move_in_words(&*game, playthrough.now(), m);
            let message = match answer.analysis.spent {
                Some(spent) if answer.analysis.moves.is_empty() => {
                    format!("the moves of this position are too many to look at ({spent})")
                }
                _ if meant.is_empty() => format!("`{to}` is no move here"),
                _ => {
                    let some = meant.iter().take(MOST_MEANT).map(words).collect::<Vec<_>>();
                    format!("`{to}` may be one of several moves: {}", some.join("; "))
                }
            };
            let refusal = RequestError::new(Status::Unprocessable, message);
            let page =
                show(site, &playthrough, budget, Notice { reply: "", wrong: Some(&refusal) })?;
            return Ok(page.status(refusal.status));
        };
        playthrough.line.push(chosen.to.clone());
        answer = look(&mut answers, playthrough.now())?;
    }
    let thinking = budget.within(REPLY);
    while playthrough.you != You::Both
        && !playthrough.your_turn()
        && playthrough.line.len() < MAX_TURNS
    {
        if is_short {
            let (first, score) = playthrough.turns().last().copied().unwrap_or((true, 0));
            let ahead = if first { score } else { -score };
            if let Some(to) = opening_reply(&game.name(), playthrough.now(), ahead) {
                playthrough.line.push(to);
                by = TABLE;
                continue;
            }
            answers.renew(thinking.clone());
            let Some(reply) = answers.reply(playthrough.now())? else { break };
            if reply.unproven.is_some() {
                by = GUESS;
            }
            playthrough.line.push(reply.to);
            continue;
        }
        let Some(to) = playthrough.reply(&answer.analysis).map(|m| m.to.clone()) else { break };
        playthrough.line.push(to);
        answer = answers.of(playthrough.now())?;
    }
    // A hint was about the position before.
    if playthrough.hints == Hints::Hint {
        playthrough.hints = Hints::None;
    }
    Ok(Response::redirect(playthrough.href("/play", &[("reply", by)])))
}

/// Returns the moves that a visitor may have meant.
#[cfg(not(target_family = "wasm"))]
fn meant(playthrough: &Playthrough, answer: &Answer, typed: &str) -> Vec<Move> {
    match chosen(&*playthrough.game, answer, typed) {
        Chosen::None => Vec::new(),
        Chosen::One(m, _) => vec![m],
        Chosen::Several(all) => all,
    }
}

/// In the static page, which would grow, positions and texts of moves only.
#[cfg(target_family = "wasm")]
fn meant(playthrough: &Playthrough, answer: &Answer, typed: &str) -> Vec<Move> {
    playthrough.chosen(answer, typed).into_iter().collect()
}

/// Shows the state of the game as fields of a form, but for what the form itself asks.
fn hidden(playthrough: &Playthrough, asked: &[&str]) -> Markup {
    let hints = match playthrough.hints {
        Hints::None => "",
        Hints::Hint => "hint",
        Hints::Moves => "on",
    };
    let all = [
        ("game", playthrough.called.clone()),
        ("line", playthrough.line.join("~")),
        ("misere", if playthrough.play == Play::Misere { "1".into() } else { String::new() }),
        (
            "you",
            if playthrough.you == You::First {
                String::new()
            } else {
                playthrough.you_word().into()
            },
        ),
        (
            "mistakes",
            if playthrough.mistakes == 0 {
                String::new()
            } else {
                playthrough.mistakes.to_string()
            },
        ),
        ("hints", hints.to_owned()),
        ("judge", if playthrough.judge { "on".into() } else { String::new() }),
        ("lesson", playthrough.lesson.clone().unwrap_or_default()),
        ("puzzle", playthrough.puzzle.map_or(String::new(), |key| key.to_string())),
    ];
    html! {
        @for (name, value) in all.iter().filter(|(name, value)| !value.is_empty() &&
            !asked.contains(name)) {
            input type="hidden" name=(name) value=(value);
        }
    }
}

/// A reply that the budget ended before it was known.
const GUESS: &str = "guess";
/// A reply by the table of openings.
const TABLE: &str = "table";

fn known_by(reply: &str) -> &'static str {
    match reply {
        GUESS => " Not searched to the end: Bouton’s reply is a guess.",
        TABLE => " Bouton’s reply is by its table of openings: it has at least a draw.",
        _ => "",
    }
}

/// What is said beside the game itself.
struct Notice<'r> {
    /// What the reply before is known by, where it was not searched to the end: [`GUESS`] or
    /// [`TABLE`].
    reply: &'r str,
    /// The move before was none.
    wrong: Option<&'r RequestError>,
}

/// Shows the page of a game in course.
fn show(
    site: &Site,
    playthrough: &Playthrough,
    budget: &Budget,
    Notice { reply, wrong }: Notice<'_>,
) -> Page {
    let (name, now) = (playthrough.game.name(), playthrough.now());
    // Nothing is searched that is not shown.
    let answer = if playthrough.hints == Hints::None {
        playthrough.listed(site, budget)?
    } else {
        playthrough.answer(site, budget)?
    };
    let over = answer.is_over();
    let judged = judged(site, playthrough, budget, over)?;
    let title = wording::title(&site.catalogue, &playthrough.called, &*playthrough.game);
    Ok(Response::page(
        format!("{title} {now}"),
        html! {
            div.play {
                section.stage aria-label="Board" {
                    div.head {
                        h1 { (title) @if title.to_ascii_lowercase() != name {
                            " " span.notation { (name) } } }
                        @if playthrough.lesson.is_none() {
                            (game_tabs::tabs(playthrough, Tab::Board)) }
                        (lesson(site, playthrough, budget, over))
                        (puzzle(playthrough, &judged))
                        @if playthrough.lesson.is_none() {
                            p.rules { (playthrough.rules(&site.catalogue)) }
                        }
                    }
                    @if let Some(refusal) = wrong { (error_message(refusal)) }
                    (board::show(playthrough, &answer.analysis))
                    @if let Some(numbers) = board::remembered(playthrough) {
                        p.score { "Remembered: " strong { (numbers) } } }
                    (score(playthrough))
                    p #status role="status" aria-live="polite"
                        data-over=[over.then(|| visitor_ending(playthrough))] {
                            (wording::status(playthrough, over)) (draft_told(playthrough))
                                (known_by(reply)) }
                    (acts(playthrough, &answer, over))
                    @if !over && playthrough.your_turn() {
                        (numbers_form(playthrough, &answer.analysis))
                            (steps(playthrough, &answer)) }
                    (help(site, playthrough, &answer, over))
                    @if over && playthrough.judge && playthrough.line.len() > 1 {
                        (review(playthrough, &judged)) }
                }
                (beside(site, playthrough, budget)?)
                div.panel {
                    (moves(playthrough, &answer, over))
                    (history(playthrough, &judged))
                    (settings(playthrough))
                    (more(playthrough))
                    (keys())
                }
            }
        },
    ))
}

/// Returns the judgements asked for, or that a lesson or a puzzle gives unasked: of the visitor's
/// last move.
fn judged(
    site: &Site,
    playthrough: &Playthrough,
    budget: &Budget,
    over: bool,
) -> Result<Vec<Judged>, RequestError> {
    let last = playthrough.line.len() - 1;
    let mut answers = playthrough.answers(site, budget);
    if playthrough.judge {
        return wording::judge(playthrough, &mut answers, 1..=last);
    }
    if last == 0 || over || playthrough.lesson.is_none() && playthrough.puzzle.is_none() {
        return Ok(Vec::new());
    }
    let turns = playthrough.turns();
    let mine = (1..=last)
        .rev()
        .find(|i| wording::player(playthrough, turns[*i - 1].0) == wording::Player::Visitor);
    wording::judge(playthrough, &mut answers, mine.into_iter())
}

/// Returns how a game that is over ended for the visitor.
fn visitor_ending(playthrough: &Playthrough) -> &'static str {
    match wording::Ending::from_playthrough(playthrough).winner() {
        Some(wording::Player::Visitor) => "won",
        Some(_) => "lost",
        None => "drawn",
    }
}

/// Shows the step of a course that this game is.
fn lesson(site: &Site, playthrough: &Playthrough, budget: &Budget, over: bool) -> Markup {
    let Some(name) = &playthrough.lesson else { return html! {} };
    let won =
        wording::Ending::from_playthrough(playthrough).winner() == Some(wording::Player::Visitor);
    let opening = 1 + usize::from(playthrough.you == You::Second);
    let standing = match (over, won) {
        (true, true) => CourseState::Won,
        (true, false) => CourseState::Lost,
        (false, _) if playthrough.line.len() <= opening => CourseState::Opening,
        (false, _) => CourseState::Course,
    };
    learn::beside(site, name, standing, budget, || columns::columns(&numbers(playthrough.now())))
}

fn numbers(position: &str) -> Vec<u64> {
    position.split(',').filter_map(|n| n.parse().ok()).collect()
}

/// Shows what is asked in a puzzle, and whether it was found.
fn puzzle(playthrough: &Playthrough, judged: &[Judged]) -> Markup {
    let Some(key) = playthrough.puzzle else { return html! {} };
    let scored = playthrough.game.kind() == Kind::Scored;
    let again = playthrough.href_with("/play", &playthrough.line[..1], &[]);
    html! {
        div.lesson {
            p.step { (key.title()) " · " a href="/puzzles" { "all puzzles" } }
            @match judged.last().filter(|_| playthrough.line.len() > 1) {
                None => p { @if scored { "Exactly one move is best. Find it." }
                    @else { "Exactly one move wins. Find it." } },
                Some(Judged { turn: 1, worth: Worth::Good(_) }) =>
                    p.good data-solved=(key) { @if scored { "Found: the only best move." }
                        @else { "Found: the only move that wins." } " Play on, if you like." },
                Some(Judged { turn: 1, worth: Worth::Bad(_) }) => {
                    p.bad { @if scored { "Not this one: it gives boxes away." }
                        @else { "Not this one: Bouton can win now." } }
                    p { a.button data-go="" href=(again) { "Try again" } }
                }
                Some(_) => p { a data-go="" href=(again) { "Back to the puzzle" } },
            }
        }
    }
}

/// Boxes so far, where boxes are counted.
fn score(playthrough: &Playthrough) -> Markup {
    let Some(owners) = playthrough.owners() else { return html! {} };
    let count = |first: bool| owners.iter().filter(|owner| **owner == Some(first)).count();
    html! {
        p.score {
            @for (first, sign) in [(true, "I"), (false, "II")] {
                span.(if first { "first" } else { "second" }) {
                    (sign) " · " (wording::player(playthrough, first)) ": " strong {
                        (count(first)) } } " "
            }
        }
    }
}

/// Shows the half-made move in words.
fn draft_told(playthrough: &Playthrough) -> Markup {
    let Some((sizes, draft)) = drafted(playthrough) else { return html! {} };
    html! { @if let Some(taken) = taken(&sizes, draft) { " Chosen: take " (taken) "." } }
}

/// Returns the heaps and what they would keep, where a move is half made.
fn drafted(playthrough: &Playthrough) -> Option<(Vec<u32>, &Vec<u32>)> {
    let board = playthrough.game.board(playthrough.now()).ok()?;
    let sizes = board::heaps(playthrough, &board)?;
    let draft = playthrough
        .draft
        .as_ref()
        .filter(|draft| board::fits(draft, &sizes) && **draft != sizes)?;
    Some((sizes, draft))
}

/// Shows what can be done now.
fn acts(playthrough: &Playthrough, answer: &Answer, over: bool) -> Markup {
    let turns = playthrough.turns();
    let mine = |i: usize| match playthrough.you {
        You::Both => true,
        You::First => turns[i].0,
        You::Second => !turns[i].0,
    };
    // Undo takes back the opponent's moves, too.
    let undo = (0..playthrough.line.len() - 1).rev().find(|i| mine(*i));
    let draft = drafted(playthrough).map(|(_, draft)| bouton_core::heaps_text(draft));
    let legal = |draft: &str| {
        !answer.analysis.moves.is_empty() && playthrough.chosen(answer, draft).is_some()
            || answer.analysis.moves.is_empty()
    };
    let begin = match (playthrough.lesson.as_deref().and_then(learn::begin), playthrough.you) {
        (Some(href), _) => href,
        (None, You::Second) => playthrough.href_with(
            "/move",
            &playthrough.line[..1],
            &[("hints", "off"), ("judge", "off")],
        ),
        _ => playthrough.href_with(
            "/play",
            &playthrough.line[..1],
            &[("hints", "off"), ("judge", "off")],
        ),
    };
    let yours = playthrough.your_turn();
    html! {
        div.acts {
            @if let Some(draft) = &draft {
                @if legal(draft) {
                    a #confirm.button.main data-go="" href=(playthrough.href("/move",
                        &[("to", draft)])) { "Make this move" }
                } @else {
                    span.not-yet { "Not a move yet" }
                }
                a #clear.button data-go="" href=(playthrough.href("/play", &[])) { "Put back" }
            } @else if over {
                a #again.button.main data-go="" href=(begin) { "Play again" }
                @if !playthrough.judge && playthrough.line.len() > 1 {
                    a #review.button data-go="" href=(playthrough.href("/play", &[("judge", "on")]))
                        { "Review" }
                }
            } @else if !yours {
                a #confirm.button.main data-go="" href=(playthrough.href("/move", &[])) {
                    "Let Bouton move" }
            } @else {
                @match playthrough.hints {
                    Hints::None => a #hint.button data-go=""
                        href=(playthrough.href("/play", &[("hints", "hint")])) { "Hint" },
                    Hints::Hint => a #hint.button data-go=""
                        href=(playthrough.href("/play", &[("hints", "on")])) {
                            "Show winning moves" },
                    Hints::Moves => a #hint.button data-go=""
                        href=(playthrough.href("/play", &[("hints", "off")])) { "Hide" },
                }
            }
            @if let Some(back) = undo { a #undo.button data-go=""
                href=(playthrough.href_with("/play", &playthrough.line[..=back], &[])) { "Undo" } }
        }
    }
}

/// Returns the numbers of a board that may be too large or too small to touch: of its heaps, or of
/// the queen's place.
fn board_numbers(playthrough: &Playthrough) -> Option<Vec<u64>> {
    let board = playthrough.game.board(playthrough.now()).ok()?;
    let numbers: Vec<u64> = match (board.heaps(), &board) {
        (Some(heaps), _) => heaps.iter().copied().map(u64::from).collect(),
        (None, &Board::Queen { x, y }) => vec![x.into(), y.into()],
        _ => return None,
    };
    // Positions that say more than their heaps are typed as a whole.
    let text = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    (playthrough.now() == text).then_some(numbers)
}

/// Heaps up to this many tokens are touched on a telephone without trouble.
const TOUCHED: u64 = 8;
/// Heaps whose numbers are asked for.
const NUMBERED: usize = 12;

/// Fields for what is left of each heap, where tokens are too small to touch.
fn numbers_form(playthrough: &Playthrough, found: &Analysis) -> Markup {
    let is_ring = playthrough.game.board(playthrough.now()).is_ok_and(|board| board.is_round());
    let numbers = board_numbers(playthrough).filter(|numbers| {
        numbers.len() <= NUMBERED
            && (is_ring || numbers.len() > 4 || numbers.iter().any(|n| *n > TOUCHED))
    });
    let Some(numbers) = numbers else { return html! {} };
    let draft = playthrough.draft.as_ref().filter(|draft| draft.len() == numbers.len());
    // One token more or less: as links where the board shows half-made moves, else by the script.
    let by_one = board::steps(playthrough, found);
    let step = |i: usize, up: bool| {
        let (sign, words) =
            if up { ("+", "keep one more of") } else { ("−", "take one more from") };
        let label = format!("{words} heap {}", i + 1);
        html! {
            @match by_one.get(i).map(|both| both[usize::from(up)].as_ref()) {
                None => button.step.scripted type="button" data-step=(if up { 1 }
                    else { -1 }) aria-label=(label) { (sign) },
                Some(Some(href)) => a.button.step data-go="" href=(href) aria-label=(label) {
                    (sign) },
                Some(None) => span.button.step.idle aria-hidden="true" { (sign) },
            }
        }
    };
    html! {
        form.numbers action="/move" method="get" data-go="" {
            (hidden(playthrough, &[]))
            span { "Leave" }
            @for (i, most) in numbers.iter().enumerate() {
                div.one {
                    (step(i, false))
                    label { span { (i + 1) } input id={ "left" (i + 1) } name={ "left" (i + 1) }
                        type="number" inputmode="numeric" min="0" max=(most)
                            value=(draft.map_or(*most, |draft| draft[i].into()))
                                required aria-label={ "What is left of heap " (i + 1) " of " (most)
                                    }; }
                    (step(i, true))
                }
            }
            button { "Make this move" }
        }
    }
}

/// Returns the position that the fields of [`numbers_form`] name; empty if there are none.
fn left_in_heaps(playthrough: &Playthrough, request: &Request) -> String {
    let numbers = board_numbers(playthrough).unwrap_or_default();
    let left: Vec<&str> =
        (1..=numbers.len()).map(|i| request.get(&format!("left{i}")).trim()).collect();
    if left.iter().all(|number| number.is_empty()) { String::new() } else { left.join(",") }
}

/// Shows few moves as buttons, on boards whose parts may be too small to touch.
fn steps(playthrough: &Playthrough, answer: &Answer) -> Markup {
    const MAX_MOVE_BUTTONS: usize = 8;
    /// Cells of a circle that are touched on a telephone without trouble.
    const CELLS: usize = 13;
    /// Heaps up to this many tokens are drawn token by token.
    const TOKENS: u32 = 24;
    let moves = &answer.analysis.moves;
    if moves.is_empty() || moves.len() > MAX_MOVE_BUTTONS {
        return html! {};
    }
    let Ok(board) = playthrough.game.board(playthrough.now()) else { return html! {} };
    let is_small = match &board {
        Board::Track { visited, .. } => visited.len() > CELLS,
        Board::Purses { .. } | Board::Coins { .. } => true,
        // A position of signs alone has its list of moves.
        Board::Text(picture) if squares_of(picture).is_none() => false,
        // Moves that no part of the board makes.
        _ if board::heaps(playthrough, &board).is_some() => false,
        // Bars are no buttons.
        _ if board.heaps().is_some_and(|heaps| heaps.iter().any(|heap| *heap > TOKENS)) => {
            board_numbers(playthrough).is_none()
        }
        _ => moves.iter().any(|m| {
            playthrough.game.board(&m.to).ok().and_then(|to| changed_part(&board, &to)).is_none()
        }),
    };
    if !is_small {
        return html! {};
    }
    html! {
        div.acts.steps {
            @for m in moves { a.button data-go="" href=(playthrough.href("/move", &[("to", &m.to)]))
                { (move_in_words(&*playthrough.game, playthrough.now(), m)) } }
        }
    }
}

/// Shows what was asked for: whether there is a winning move, or who wins and by which; and why.
fn help(site: &Site, playthrough: &Playthrough, answer: &Answer, over: bool) -> Markup {
    let found = &answer.analysis;
    let name = playthrough.game.name();
    let known = found.evaluation;
    let unknown = known.outcome.is_none() && known.margin.is_none() && !known.is_draw;
    html! {
        @match playthrough.hints {
            Hints::None => {}
            Hints::Hint => p #verdict { (wording::hint(site, playthrough, found)) },
            Hints::Moves => {
                div #verdict {
                    (bar(playthrough, found))
                    @if let Some(words) = advice(&*playthrough.game, playthrough.play,
                        found, over).filter(|_| playthrough.your_turn()) {
                            p { strong { (words) } } }
                    p.notation { (verdict_in_words(playthrough.play, found))
                        @if let Some(by) = bouton_report::justification(&answer.by) {
                            ". Known " (by) "." } }
                    @if !over { p { a #why.button href=(playthrough.href("/why", &[])) { "Why?" }
                        } }
                }
            }
        }
        @if playthrough.hints != Hints::None && unknown && !over {
            p { button #longer type="button" hidden data-stream={
                "/api/solve/stream?game=" (encoded(&name)) "&position=" (encoded(playthrough.now()))
                    (if playthrough.play == Play::Misere { "&misere=1" } else { "" }) }
                        { "Think longer" } " " output #progress {} }
        }
    }
}

/// Shows who is winning, as a bar: all of it with best play, or the share of the boxes.
fn bar(playthrough: &Playthrough, found: &Analysis) -> Markup {
    let (first_moves, ahead) = playthrough.turns().last().copied().unwrap_or((true, 0));
    let mover_share = match (found.evaluation.outcome, found.evaluation.margin) {
        (Some(outcome), _) => f64::from(u8::from(outcome == Outcome::N)),
        (None, Some(margin)) => {
            let boxes = playthrough.owners().map_or(0, |owners| owners.len()).max(1) as f64;
            let lead = margin as f64 + (if first_moves { ahead } else { -ahead }) as f64;
            ((1.0 + lead / boxes) / 2.0).clamp(0.0, 1.0)
        }
        (None, None) => return html! {},
    };
    let share = if first_moves { mover_share } else { 1.0 - mover_share };
    let percent = (100.0 * share).round();
    let (one, two) = (wording::player(playthrough, true), wording::player(playthrough, false));
    html! {
        p.bar {
            span { "I · " (one) }
            svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={
                "With best play the first player has " (percent) " % of it" } {
                rect.second width="100" height="8" {}
                rect.first width=(percent) height="8" {}
            }
            span { "II · " (two) }
        }
    }
}

/// Shows every move, folded away until it is wanted.
fn moves(playthrough: &Playthrough, answer: &Answer, over: bool) -> Markup {
    let found = &answer.analysis;
    if over {
        return html! {};
    }
    let mut order: Vec<usize> = (0..found.moves.len()).collect();
    if playthrough.shows_moves() {
        order.sort_by_key(|i| !is_winning(found, &found.moves[*i]));
    }
    html! {
        details.moves #moves open[playthrough.shows_moves()] {
            summary { @if answer.lists_all_moves() && !found.moves.is_empty() {
                "All moves (" (found.moves.len()) ")" } @else { "Moves" } }
            form.line #type action="/move" method="get" {
                (hidden(playthrough, &[]))
                label { "Type a move " input #typed name="to" autocomplete="off"
                    required placeholder="the position after it"; }
                button { "Move" }
            }
            @if let Some(spent) = found.spent.filter(|_| found.moves.is_empty()) {
                p { "Too much for this page (" (spent) "). Type a move, or try a smaller position."
                    } }
            @if !answer.lists_all_moves() { p { "The heaps are too large to list all moves"
                @if let Some(all) = &answer.moves { " (there are " (all) ")" }
                    "; any of them can be typed as the position it leads to." } }
            ol {
                @for i in order.iter().take(LISTED) {
                    @let m = &found.moves[*i];
                    li value=(i + 1) {
                        a data-go="" href=(playthrough.href("/move", &[("to", &m.to)])) {
                            (move_in_words(&*playthrough.game, playthrough.now(), m)) }
                        " " span.to { (m.to) }
                        @if playthrough.shows_moves() {
                            " " strong.(if is_winning(found, m) { "good" }
                                else { "bad" }) { (short(m)) } }
                    }
                }
            }
            @if order.len() > LISTED { p { "… and " (order.len() - LISTED)
                " more; any of them can be typed." } }
        }
    }
}

/// Shows the line of play; each position leads back to it.
fn history(playthrough: &Playthrough, judged: &[Judged]) -> Markup {
    let last = playthrough.line.len() - 1;
    let turns = playthrough.turns();
    // Positions on points are signs that say less than the board does.
    let is_drawn = playthrough.game.kind() == Kind::Scored;
    html! {
        section.history aria-labelledby="history" {
            h2 #history { "Moves so far" }
            ol start="0" {
                @for (i, position) in playthrough.line.iter().enumerate() {
                    li {
                        a data-go="" href=(playthrough.href_with("/play", &playthrough.line[..=i],
                            &[])) aria-current=[(i == last).then_some("step")] {
                                @if !is_drawn { (position) } @else if i == 0 { "Start" }
                                    @else { "Move " (i) } }
                        @if i > 0 { " " span.to { (wording::player(playthrough, turns[i - 1].0)) " "
                            (wording::deed(playthrough, i)) } }
                        @if playthrough.judge {
                            @if let Some(judged) = judged.iter().find(|judged| judged.turn == i) {
                                " " span.(judged.worth.class()) { (judged.worth) }
                            }
                        }
                    }
                }
            }
            // Filled by the script: lines that were left for others.
            p.tools #branches hidden {}
            @if last > 0 {
                p.tools {
                    @if playthrough.judge { a #judge data-go=""
                        href=(playthrough.href("/play", &[("judge", "off")])) { "Stop judging" } }
                    @else { a #judge data-go="" href=(playthrough.href("/play", &[("judge", "on")]))
                        { "Judge the moves" } }
                    a #anew data-go="" href=(playthrough.href_with("/play", &playthrough.line[..1],
                        &[])) { "Begin again" }
                }
            }
        }
    }
}

/// Shows who plays, how well, and how play ends.
fn settings(playthrough: &Playthrough) -> Markup {
    let own = LEVELS
        .iter()
        .all(|(mistakes, _)| *mistakes != playthrough.mistakes)
        .then_some(playthrough.mistakes);
    html! {
        div {
            form.line.settings action="/play" method="get" data-auto="" {
                (hidden(playthrough, &["you", "mistakes", "misere", "hints"]))
                label { "You \
                    play " select name="you" { @for (value, text) in
                    [("first", "first"), ("second", "second"), ("both", "both sides")] {
                        option value=(value) selected[value == playthrough.you_word()] { (text) } }
                            } }
                label { "Bouton plays " select name="mistakes" {
                    @for (value, text) in LEVELS { option value=(value)
                        selected[value == playthrough.mistakes] { (text) } }
                    @if let Some(mistakes) = own { option value=(mistakes) selected {
                        (mistakes) " % mistakes" } }
                } }
                @if playthrough.game.kind() != Kind::Scored {
                    label { "Whoever cannot move " select name="misere" {
                        option value="" { "loses" }
                        option value="1" selected[playthrough.play == Play::Misere] {
                            "wins (misère)" } } }
                }
                button { "Set" }
            }
            // The script beeps, and keeps whether it is asked to.
            p.scripted { button #sound type="button" aria-pressed="false" { "Sound" } }
        }
    }
}

/// Shows the table that the position is in, beside the board. A click makes the move to its
/// cell, or plays from there; sliders change the numbers that the table holds. It is folded until
/// somebody unfolds it or asks for winning moves; on small screens it is not there before. Lessons
/// and puzzles have none.
fn beside(site: &Site, playthrough: &Playthrough, budget: &Budget) -> Result<Markup, RequestError> {
    /// The largest number of a slider.
    const SLIDES: u64 = 16;
    if playthrough.lesson.is_some() || playthrough.puzzle.is_some() {
        return Ok(html! {});
    }
    let Some(Nearby { asked, here: (here_x, here_y), axes }) = Nearby::new(playthrough) else {
        return match box_values::panel(&site.catalogue, playthrough, budget) {
            Some(points) => Ok(html! {
                section.stage.beside.asked[playthrough.shows_moves()] aria-label="Table" {
                    details #beside open[playthrough.shows_moves()] {
                        summary { "Boards and the rule" } (points) }
                }
            }),
            None => heaps_beside(playthrough, budget),
        };
    };
    let name = playthrough.game.name();
    let blank = asked.blank(site, budget)?;
    let (left, top, side) = blank.cell_frame();
    let x = left + (here_x - blank.x.start()) as f64 * side;
    let y = top + (blank.y.end() - here_y) as f64 * side;
    let picture = format!("/picture/table.{SHOWN}?{}", asked.query());
    // Where the table is not shown it is not computed: the script fetches it where it is.
    let asked_for = playthrough.shows_moves();
    // A circle of another size is another game, without this line of play.
    let mut given = vec!["game", "misere"];
    given.extend(asked.at.is_empty().then_some("line"));
    Ok(html! {
        section.stage.beside.asked[asked_for] aria-label="Table" {
            details #beside open[playthrough.shows_moves()] {
            summary { "Who wins nearby" }
            p.notation { (axes) "; here x = " (here_x) ", y = " (here_y)
                ", framed. N: whoever is to move wins; P: who was. A click on a cell makes that \
                 move, or plays from there." }
            @if !held(&asked.at).is_empty() {
                form.line.held action="/play" method="get" data-live="nearby" data-go="" {
                    (hidden(playthrough, &["line"]))
                    input type="hidden" name="at" value=(playthrough.now());
                    @for (i, heap) in held(&asked.at) {
                        label.part { "number " (i + 1) " = " output { (heap) }
                            " " input id={ "part" (i) }
                                data-part=(i) type="range" min="0" max=(SLIDES.max(heap.into()))
                                    value=(heap); }
                    }
                }
            }
            noscript { a href={ "/table?" (asked.query()) } { "The table" } }
            form action="/table/at" method="get" data-go="" {
                (hidden(playthrough, &given))
                @for (name, value) in asked.fields() { input type="hidden" name=(name)
                    value=(value); }
                div #nearby.wide tabindex="0" role="region" aria-label="Outcomes" {
                    div.over {
                        input.map type="image" name="cell" src=[asked_for.then_some(&picture)]
                            data-src=[(!asked_for).then_some(&picture)] alt={
                                "Outcomes of " (name) @if !asked.at.is_empty() { " at " (asked.at) }
                                    ", up to " (asked.to) };
                        svg.marker width=(x + side + 2.0) height=(y + side + 2.0) aria-hidden="true"
                            { rect x=(x) y=(y) width=(side) height=(side) {} }
                    }
                }
            }
        } }
    })
}

/// A table over two numbers in which a position stands.
struct Nearby {
    asked: TableAddress,
    /// The position's own two numbers.
    here: (u64, u64),
    /// What x and y stand for.
    axes: &'static str,
}

impl Nearby {
    /// Returns the table of the first two numbers of a position, or of the size of a circle and a
    /// step on it; nothing for other boards and large numbers.
    fn new(playthrough: &Playthrough) -> Option<Nearby> {
        const TO: u64 = 16;
        let game = playthrough.game.name();
        let misere = if playthrough.play == Play::Misere { "1".into() } else { String::new() };
        let table = |game: String, at: String, here: (u64, u64), axes| Nearby {
            asked: TableAddress { game, at, to: TO.to_string(), misere, ..TableAddress::default() },
            here,
            axes,
        };
        if let Ok(family) = KotzigFamily::parse(&game) {
            let [step, other] = family.fixed()?[..] else { return None };
            let [_, cells] = family.line(&[])?;
            let here = (u64::try_from(other).ok()?, u64::try_from(cells).ok()?);
            let is_near = here.0.max(here.1) <= TO && playthrough.play == Play::Normal;
            let axes = "x is the second step, y the number of cells, at the start of play";
            return is_near.then(|| table(format!("Gamma({step},x;y)"), String::new(), here, axes));
        }
        let Slice { at, here } = Slice::from_position(&*playthrough.game, playthrough.now());
        let &[x, y] = &here[..] else { return None };
        let is_near = x.max(y) <= TO;
        let axes = match playthrough.game.board(playthrough.now()) {
            Ok(Board::Purses { .. }) => "x is the pile, y the dollars of the player to move",
            Ok(Board::Sum(_)) => "x and y are the first two numbers of the sum",
            _ => "x and y are the first two numbers",
        };
        is_near.then(|| table(game, at, (x, y), axes))
    }
}

/// Shows the heaps near a single one, each won or lost, as links that make the move or play from
/// there.
fn heaps_beside(playthrough: &Playthrough, budget: &Budget) -> Result<Markup, RequestError> {
    /// Heaps in the list at least, and the largest heap that has one.
    const TO: u64 = 24;
    const MAX_HEAP: u64 = 60;
    /// Nodes for each of them.
    const NODES: u64 = 20_000;
    let game = &playthrough.game;
    let now: Option<u64> = playthrough.now().parse().ok();
    let Some(now) = now.filter(|now| *now <= MAX_HEAP && game.kind() == Kind::Impartial) else {
        return Ok(html! {});
    };
    let name = game.name();
    let to = now.max(TO);
    if game.position(&[to]).is_none() {
        return Ok(html! {});
    }
    let table = format!(
        "/table?game={}&at=x&to={to}{}",
        encoded(&name),
        match playthrough.play {
            Play::Normal => "",
            Play::Misere => "&misere=1",
        }
    );
    let mut heaps = Vec::new();
    if playthrough.shows_moves() {
        let settings = playthrough.settings(&Budget { nodes: Some(NODES), ..budget.clone() }, 0);
        let mut session = game.session(settings);
        for heap in 0..=to {
            let Some(at) = game.position(&[heap]) else { return Ok(html! {}) };
            let outcome = session.evaluate(&at)?.ok().and_then(|found| found.outcome);
            heaps.push((heap, outcome));
        }
    }
    let here = hidden_query(playthrough);
    // Where the list is not shown it is not computed: the script fetches it where it is.
    let source =
        (!playthrough.shows_moves()).then(|| playthrough.href("/play", &[("hints", "on")]));
    Ok(html! {
        section.stage.beside.asked[playthrough.shows_moves()] aria-label="Table" {
            details #beside open[playthrough.shows_moves()] {
            summary { "Who wins nearby" }
            p.notation { "Heaps from 0 on. N: whoever is to move wins; P: who was. A click makes \
                the move to that heap, or plays from there." }
            ol.heaps #heaps data-from=[source] {
                @for (heap, outcome) in &heaps {
                    @let is_lost = *outcome == Some(Outcome::P);
                    li { a data-go="" class=(if is_lost { "lost" }
                        else { "won" }) aria-current=[(*heap == now).then_some("step")] href={
                            "/table/at?" (here) "&game=" (encoded(&name)) "&at=x&to=" (to)
                                "&column=" (heap) } { (heap) " " span {
                                    @match outcome { Some(Outcome::P) => "P", Some(Outcome::N) =>
                                        "N", _ => "?" } } } }
                }
            }
            noscript { a href=(table) { "The table" } }
        } }
    })
}

/// Returns the state of the game as a query, but for the game itself.
fn hidden_query(playthrough: &Playthrough) -> String {
    let href = playthrough.href("", &[]);
    href.split('&').skip(1).collect::<Vec<_>>().join("&")
}

/// Shows the keys; shown by the script, which listens to them.
fn keys() -> Markup {
    const KEYS: [(&str, &str); 7] = [
        ("h", "hint, then winning moves"),
        ("u", "undo"),
        ("n", "new game"),
        ("r", "review of the game"),
        ("/", "search"),
        ("arrows", "walk the board; elsewhere back and forth in the game"),
        ("?", "these keys"),
    ];
    html! {
        details #keys.scripted {
            summary { "Keys" }
            dl { @for (key, deed) in KEYS { dt { kbd { (key) } } dd { (deed) } } }
        }
    }
}

/// Shows what can be taken away.
fn more(playthrough: &Playthrough) -> Markup {
    let (name, now) = (playthrough.game.name(), playthrough.now());
    let link = format!("/api/solve?game={}&position={}", encoded(&name), encoded(now));
    html! {
        details #share {
            summary { "Share and take away" }
            ul.copies {
                li { a data-copy="" href=(playthrough.href("/play", &[])) { "link" } }
                li { a href=(playthrough.href("/picture/board.svg", &[])) { "SVG" } }
                li { a href=(playthrough.href("/picture/board.tex", &[])) { "TikZ" } }
                @if cfg!(feature = "png") { li { a href=(playthrough.href("/picture/board.png",
                    &[])) { "PNG" } } }
                li { a href=(playthrough.href("/data/moves.csv", &[])) { "CSV" } }
                @if playthrough.game.single(0).is_some() &&
                    playthrough.game.kind() == Kind::Impartial {
                        li { a href={ "/data/values.txt?game=" (encoded(&name)) } { "b-file" } } }
                li { a href={ "/data/cite.bib?game=" (encoded(&name)) } { "BibTeX" } }
                li { a href=(link) { "JSON" } }
            }
            // Filled by the script, which knows the address under which the page is seen.
            figure #qr hidden { figcaption { "This position, for a telephone" } }
            p { "In a page of yours:" }
            pre #embed tabindex="0" { "<iframe src=\"" (playthrough.href("/play",
                &[("embed", "1")])) "\" width=\"480\" height=\"640\" title=\"" (name)
                    "\"></iframe>" }
            // Shown by the script, which copies.
            p { button #copy type="button" hidden { "Copy" } }
            // For a class: the board alone, as large as the screen.
            p { button #projector.scripted type="button" { "Show on a projector" } }
        }
    }
}

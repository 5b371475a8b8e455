//! Why a position is won or lost: an answer to every option, the published form with this
//! position's numbers, and the nim-values of the rows.

use super::conditions::Published;
use super::game_tabs::{self, Tab};
use super::{Page, columns, explanation, wording};
use crate::playthrough::{Address, Playthrough};
use crate::request::{Request, encoded};
use crate::request_error::RequestError;
use crate::response::Response;
use crate::site::Site;
use bouton_cash::{Cash, win_condition};
use bouton_core::{
    Board, Budget, Meter, Moves, Nimber, Node, Notation, Outcome, Play, Ruleset, Symmetry, Windows,
};
use bouton_draw::heatmap::{CellKind, Heatmap, HeatmapRequest};
use bouton_draw::{Picture, svg};
use bouton_engine::sum::{Sum, Summand};
use bouton_engine::{Analysis, Game, Kind, Move};
use bouton_heaps::wythoff;
use bouton_kotzig::{CircleTheorem, FamilyClaim, FamilyStatement, KotzigFamily, Playout, Step};
use bouton_literature::Pattern;
use bouton_prover::Formula;
use bouton_report::text::{advice, best_play, is_winning, move_in_words, verdict_in_words};
use bouton_study::{Answers, ClaimStatement, Form, PublishedClaim, VerdictKind, name_on_heaps};
use maud::{Markup, PreEscaped, html};

/// Rows on the ruler at least, and at most.
const RULER: u64 = 143;
const MAX_RULER: u64 = 400;

/// Options answered on the page, and as many as are shown before they are asked for.
const ANSWERED: usize = 60;
const MAX_SHOWN_OPTIONS: usize = 8;

pub(crate) fn page(site: &Site, request: &Request, budget: &Budget) -> Page {
    let playthrough = &Playthrough::read(&site.catalogue, &Address::from_request(request))?;
    let mut answers = playthrough.answers(site, budget);
    let answer = answers.of(playthrough.now())?;
    let found = &answer.analysis;
    // A won position is won because of the lost one that it leads to.
    let explained = explanation::explanation(playthrough, found);
    // The move of the explanation is listed first.
    let mut found = found.clone();
    if let Some(lost) = explained.as_ref().map(|explained| &explained.lost)
        && let Some(i) = found.moves.iter().position(|m| m.to == *lost)
    {
        found.moves[..=i].rotate_right(1);
    }
    let found = &found;
    let winning = found.moves.iter().find(|m| is_winning(found, m));
    let lost = match found.evaluation.outcome {
        Some(Outcome::P) => Some(playthrough.now()),
        Some(Outcome::N) => winning.map(|m| m.to.as_str()),
        None => None,
    };
    let replies = lost.map(|lost| replies(playthrough, &mut answers, lost)).transpose()?;
    let made = winning.filter(|_| found.evaluation.outcome == Some(Outcome::N));
    let condition = condition(playthrough, made, budget)?;
    // Where an idea is stated, the conditions of the published form are folded away.
    let has_idea = explained.is_some() || !condition.0.is_empty();
    let forms = forms(site, playthrough, made)?;
    let name = playthrough.game.name();
    let title = wording::title(&site.catalogue, &playthrough.called, &*playthrough.game);
    let body = html! {
        h1 { "Why: " (title) @if title.to_ascii_lowercase() != name { " " span.notation { (name) } }
            @if playthrough.game.kind() != Kind::Scored { " at " (playthrough.now()) } }
        (game_tabs::tabs(playthrough, Tab::Why))
        div.why {
        div.seen-first { (board(playthrough, found)) }
        div {
        @if let Some(words) =
            advice(&*playthrough.game, playthrough.play, found, answer.is_over()) {
            p.verdict { strong { (words) } } }
        p.notation { (verdict_in_words(playthrough.play, found)) "."
            @if let Some(by) = bouton_report::justification(&answer.by) { " Known " (by) "." } }
        @if let Some(explained) = &explained { section.story { (explained.text) }
            (explanation::try_it(playthrough, budget)) }
        @match (found.evaluation.outcome, winning) {
            _ if explained.is_some() => {}
            (Some(Outcome::N), Some(m)) => p { "Then the position is " code { (m.to) }
                ", and whoever is to move there loses." },
            (Some(Outcome::N), None) if answer.is_over() => p {
                "No move is left, and whoever cannot move wins." },
            (Some(Outcome::N), None) => p { "Some move leads to a P-position." },
            (Some(Outcome::P), _) if answer.is_over() => p {
                "No move is left, and whoever cannot move loses." },
            (Some(Outcome::P), _) => p { "Whatever you do, the other player has an answer; the \
                answers stand below." },
            _ if playthrough.game.kind() == Kind::Scored => p {
                "The margin is the most points that the player to move can be sure of, less the \
                 other’s. A move is best if it keeps the margin." },
            _ => p { "It is not known within the budget of a page." },
        }
        (remarks(found))
        @if explained.is_none() { (sum(site, playthrough, found, made)) }
        @if explained.is_none() { (ruler(site, playthrough, found.evaluation.nim_value, budget)) }
        @if explained.is_some() { (folded("In Fibonacci numbers", golden(playthrough))) }
            @else { (golden(playthrough)) }
        (condition)
        (walked(site, playthrough, &mut answers, budget))
        @if has_idea { (folded("The published form, condition by condition", forms)) }
            @else { (forms) }
        (families(playthrough)?)
        @if explained.is_none() { (explanation::try_it(playthrough, budget)) }
        @if let Some(replies) = replies {
            details open[explained.is_none() && found.moves.len() <= MAX_SHOWN_OPTIONS] {
                summary { "An answer to every move" } (replies) }
        }
        @if explained.is_some() { (folded("The nim-values of single rows", ruler(site, playthrough,
            found.evaluation.nim_value, budget))) }
        p { a href=(playthrough.href("/play", &[])) { "Back to the board" }
            " · " a href=(playthrough.href("/strategy", &[])) { "the whole strategy as a tree" } }
        } }
    };
    Ok(Response::page(format!("Why {name}"), body))
}

/// Shows what does not come first, folded away.
fn folded(summary: &str, text: Markup) -> Markup {
    html! { @if !text.0.is_empty() { details { summary { (summary) } (text) } } }
}

/// Shows what players say of the position, and how best play goes on.
fn remarks(found: &Analysis) -> Markup {
    html! {
        @if !found.remarks.is_empty() {
            dl {
                @for remark in &found.remarks { dt { (remark.about) } dd { (remark.text) } }
                @if let Some(best) = found.best_play.as_ref().filter(|best| !best.moves.is_empty())
                    {
                    dt { "best play" } dd { (best_play(best)) }
                }
            }
        }
    }
}

/// Shows the board, where there is one to be drawn: with what its lines are worth and what players
/// see on it, where boxes are won.
fn board(playthrough: &Playthrough, found: &Analysis) -> Markup {
    let Ok(board) = playthrough.game.board(playthrough.now()) else { return html! {} };
    let seen = bouton_report::sight(&*playthrough.game, playthrough.now());
    let worth = bouton_report::move_values_picture(&*playthrough.game, found);
    if seen.is_some() || worth.is_some() {
        return html! {
            div.pair {
                @for (scene, caption) in worth.into_iter().chain(seen) {
                    figure.seen { (PreEscaped(svg::inline(&scene, |_| None))) figcaption {
                        (caption) } }
                }
            }
        };
    }
    let scene =
        Picture::Board(format!("{} at {}", playthrough.game.name(), playthrough.now()), board)
            .scene();
    html! { div.standing { (PreEscaped(svg::inline(&scene, |_| None))) } }
}

/// Returns a move in a few words: by its signs where heaps tell what changes, else by the board.
fn in_short(playthrough: &Playthrough, from: &str, m: &Move) -> String {
    let game = &*playthrough.game;
    match game.board(from) {
        Ok(board) if board.heaps().is_some() || board.rows().is_some() => m.text.to_string(),
        _ => move_in_words(game, from, m),
    }
}

/// Shows an answer to every option of a lost position; some of them if not all are listed.
fn replies(
    playthrough: &Playthrough,
    answers: &mut Answers<'_>,
    lost: &str,
) -> Result<Markup, RequestError> {
    let answer = answers.of(lost)?;
    let found = &answer.analysis;
    let words = |from: &str, m: &Move| in_short(playthrough, from, m);
    let mut rows = Vec::new();
    for m in found.moves.iter().take(ANSWERED) {
        let after = answers.of(&m.to)?.analysis;
        let reply = after.moves.iter().find(|reply| is_winning(&after, reply));
        let reply = reply.map(|reply| (words(&m.to, reply), reply.to.clone()));
        rows.push((words(lost, m), m.clone(), reply));
    }
    Ok(html! {
        @if !rows.is_empty() {
            table {
                caption { "Answers to the moves from " (lost) }
                thead { tr { th scope="col" { "move" } th scope="col" { "to" }
                    th scope="col" { "answer" } th scope="col" { "to" } } }
                tbody {
                    @for (text, m, answer) in &rows {
                        tr {
                            td { (text) } td { code { (m.to) } }
                            @match answer {
                                Some((text, to)) => { td { (text) } td { code { (to) } } }
                                None => { td { @if m.evaluation.outcome.is_some() {
                                    "none is needed: play is over" } @else { "unknown" } }
                                        td { "–" } }
                            }
                        }
                    }
                }
            }
            @if found.moves.len() > ANSWERED { p { "… and " (found.moves.len() - ANSWERED)
                " more moves, each with an answer." } }
            @if !answer.lists_all_moves() { p { "Other moves, too many to be listed, have answers \
                as well." } }
        }
    })
}

/// Shows the nim-sum of rows or summands, here and after a winning move.
fn sum(site: &Site, playthrough: &Playthrough, found: &Analysis, made: Option<&Move>) -> Markup {
    let (Some(value), Play::Normal) = (found.evaluation.nim_value, playthrough.play) else {
        return html! {};
    };
    let added = |at: &str, value: Nimber| {
        let parts = part_values(site, playthrough, at)?;
        let sum = parts.iter().fold(0, |sum, (_, part)| sum ^ part.0);
        (sum == value.0).then_some(parts)
    };
    let Some(parts) = added(playthrough.now(), value) else { return html! {} };
    let left = made.and_then(|made| Some((made, added(&made.to, Nimber(0))?)));
    let numbers: Vec<u64> = parts.iter().map(|(_, value)| u64::from(value.0)).collect();
    let terms = |parts: &[(String, Nimber)]| {
        parts
            .iter()
            .map(|(part, value)| format!("{value} (from {part})"))
            .collect::<Vec<_>>()
            .join(" ⊕ ")
    };
    html! {
        section.story {
            h2 { "The idea: each part counts as a heap of Nim" }
            p { "A part counts as a heap of Nim with as many tokens as its nim-value says \
                (Sprague 1935, Grundy 1939), and nim-values add without carrying: " (terms(&parts))
                " = " strong { (value) } @if value == Nimber(0) { ", so the position is P." }
                    @else { ", not *0, so the position is N." } }
            (columns::values(&numbers))
            @match &left {
                Some((made, parts)) => p { "Play: " strong {
                    (move_in_words(&*playthrough.game, playthrough.now(), made)) }
                        ", which leaves " code { (made.to) } ": " (terms(parts)) " = *0." },
                None if value == Nimber(0) => p { "Any move changes one of the values, so that \
                    the sum is not *0 any more, and the other player makes it *0 again." },
                None => {}
            }
        }
    }
}

/// Returns whether each move is made in one heap, and what it may do there depends on nothing else.
fn is_sum_of_heaps(game: &dyn Game) -> bool {
    let one_heap = |moves: Moves| {
        moves.windows == Windows::Any(1)
            && moves.permutation.is_none()
            && moves.memory.count == 0
            && moves.domain.is_none()
    };
    game.heap_moves().is_some() || game.moves().is_some_and(one_heap)
}

/// Returns the parts of a position, summands or rows, with their nim-values; `None` if there are
/// not at least two whose values are found at once.
fn part_values(site: &Site, playthrough: &Playthrough, at: &str) -> Option<Vec<(String, Nimber)>> {
    let named = playthrough.game.name();
    // Summands of a sum, or the rows of a game whose single rows are positions.
    let parts: Vec<Summand> = if let Some(sum) = playthrough.game.ruleset().downcast_ref::<Sum>() {
        sum.summands_of(at).unwrap_or_default()
    } else if is_sum_of_heaps(&*playthrough.game) {
        // nim(3) is nim on three heaps.
        let base = named.split('(').next().unwrap_or_default();
        let of_one =
            |name: &str| site.catalogue.parse(name).is_ok_and(|n| n.game.single(0).is_some());
        let name = [named.as_str(), base].into_iter().find(|name| of_one(name))?;
        let part = |row: &str| Summand { game: name.to_owned(), position: row.to_owned() };
        at.split(',').map(part).collect()
    } else {
        return None;
    };
    if parts.len() < 2 || parts.len() > 40 {
        return None;
    }
    let value = |Summand { game, position }: Summand| {
        let named = site.catalogue.parse(&game).ok()?;
        let budget = Budget {
            nodes: Some(200_000),
            bytes: Some(64 << 20),
            deadline: Some(bouton_core::Deadline::after(core::time::Duration::from_millis(300))),
            watch: None,
        };
        let found = named.game.session(playthrough.settings(&budget, 0)).evaluate(&position);
        Some((position, found.ok()?.ok()?.nim_value?))
    };
    parts.into_iter().map(value).collect()
}

/// Shows a single row: its nim-value on the ruler of their period, where rows are positions and
/// more is to be said of them than in Nim.
fn ruler(site: &Site, playthrough: &Playthrough, value: Option<Nimber>, budget: &Budget) -> Markup {
    let name = playthrough.game.name();
    let rows: Option<Vec<u64>> = playthrough.now().split(',').map(|row| row.parse().ok()).collect();
    let Some(largest) = rows.and_then(|rows| rows.into_iter().max()) else { return html! {} };
    // The values of Nim, and of Moore's game, are the rows.
    let is_free = |moves: Moves| {
        matches!(moves.windows, Windows::Any(_)) && moves == Moves::free(moves.windows.clone())
    };
    let plain =
        playthrough.game.moves().is_some_and(is_free) || playthrough.game.single(0).is_none();
    if plain || playthrough.play == Play::Misere || largest > MAX_RULER {
        return html! {};
    }
    let question = HeatmapRequest {
        catalogue: site.catalogue.clone(),
        game: name,
        position: Some("x".into()),
        x: 0..=largest.max(RULER),
        y: 0..=0,
        what: CellKind::NimValue,
        play: Play::Normal,
        budget: budget.clone(),
    };
    let Ok(sheet) = Heatmap::compute(question) else { return html! {} };
    // Single parts that count as heaps of Nim need no ruler.
    if (0..).zip(&sheet.cells).all(|(size, value)| *value == Some(size)) {
        return html! {};
    }
    let scene = sheet.picture().scene();
    let value = value.filter(|_| !playthrough.now().contains(','));
    html! {
        section {
            h2 { "The nim-values of single rows" }
            @if let Some(value) = value { p { "A row is lost for whoever has to move exactly if \
                its nim-value is 0. The nim-value of " (largest) " is " strong { (value.0) } "." } }
            figure { div.wide tabindex="0" role="region" aria-label="Ruler" {
                (PreEscaped(svg::inline(&scene, |_| None))) } figcaption { (scene.description) } }
        }
    }
}

/// Shows Wythoff's game: both numbers as sums of Fibonacci numbers, no two of them neighbours.
fn golden(playthrough: &Playthrough) -> Markup {
    let sizes: Option<Vec<u64>> = playthrough.now().split(',').map(|n| n.parse().ok()).collect();
    let Some([a, b]) = sizes.as_deref().filter(|_| wythoff::is_wythoff(&*playthrough.game)) else {
        return html! {};
    };
    if playthrough.play == Play::Misere || *a.max(b) > 100_000 || a.max(b) == &0 {
        return html! {};
    }
    let mut sums = vec![1u64, 2];
    while sums[sums.len() - 1] <= *a.max(b) {
        sums.push(sums[sums.len() - 1] + sums[sums.len() - 2]);
    }
    sums.pop();
    sums.reverse();
    let digits = |mut n: u64| -> Vec<bool> {
        let mut digit = |sum: &u64| {
            let taken = n >= *sum;
            n -= if taken { *sum } else { 0 };
            taken
        };
        sums.iter().map(&mut digit).collect()
    };
    html! {
        table.columns {
            caption { "Both numbers as sums of Fibonacci numbers, never two neighbours (Zeckendorf)"
                }
            thead { tr { th scope="col" { "number" } @for sum in &sums { th scope="col" { (sum) } }
                } }
            tbody {
                @for n in [a.min(b), a.max(b)] {
                    tr { th scope="row" { (n) } @for (taken, sum) in digits(*n).iter().zip(&sums) {
                        @if *taken { td.one { (sum) } } @else { td.none { "·" } } } }
                }
            }
        }
        p { "A pair is lost exactly if the lower row is the upper one moved a place to the left, \
            and the upper row ends in an even number of empty places. So the lost pairs lie along \
            two lines of slopes φ and 1/φ, φ = 1.618…, the golden ratio." }
    }
}

/// Shows the published forms of the P-positions with this position's numbers put in.
fn forms(
    site: &Site,
    playthrough: &Playthrough,
    made: Option<&Move>,
) -> Result<Markup, RequestError> {
    let sizes: Option<Vec<u64>> = playthrough.now().split(',').map(|n| n.parse().ok()).collect();
    let Some(sizes) = sizes.filter(|sizes| sizes.len() <= 26) else { return Ok(html! {}) };
    let letters: Vec<String> = ('a'..='z').take(sizes.len()).map(String::from).collect();
    let mut name = playthrough.game.name();
    let mut game = site.catalogue.parse(&name)?.game;
    // A game on any number of heaps.
    if game.heap_game().is_none()
        && let Ok(on) = site.catalogue.parse(&name_on_heaps(&name, sizes.len()))
        && on.game.heap_game().is_some_and(|stated| stated.heaps == sizes.len())
    {
        (name, game) = (on.game.name(), on.game);
    }
    let stated = game.heap_game();
    let images = stated.as_ref().and_then(|g| g.symmetry.permutations(sizes.len(), 5040));
    let mut shown = Vec::new();
    for claim in claims_about(&name)? {
        let ClaimStatement::PPositions(said) = &claim.says else { continue };
        let form = &said.whole;
        let refuted =
            || site.verdicts.recorded(&claim).is_some_and(|f| f.verdict == VerdictKind::Refuted);
        if said.play != playthrough.play || refuted() {
            continue;
        }
        let Ok(formula) = Formula::parse_over(form, &letters) else { continue };
        let images = images.clone().filter(|_| !said.exactly);
        let all = images.unwrap_or_else(|| vec![(0..sizes.len()).collect()]);
        let turned = |sizes: &[u64]| -> Vec<Vec<u64>> {
            all.iter().map(|turn| turn.iter().map(|i| sizes[*i]).collect()).collect()
        };
        let left: Option<Vec<u64>> =
            made.and_then(|made| made.to.split(',').map(|n| n.parse().ok()).collect());
        let left = left.filter(|left| left.len() == sizes.len());
        let after = made.zip(left).map(|(made, left)| (made, turned(&left)));
        let source = html! { a href={ "/ledger/claim?id=" (encoded(&claim.id)) } { (claim.id) }
        "; " (claim.source) @if !said.exactly { "; " a href=(proof(&name, said)) { "its proof" }
            } };
        let ring = stated.as_ref().is_some_and(|g| g.symmetry == Symmetry::Ring);
        let published =
            Published { statement: &claim.statement, form, formula: &formula, ring, source };
        shown.push(published.markup(&turned(&sizes), after));
    }
    Ok(html! { @for shown in shown { (shown) } })
}

/// Returns where a published form is proved, and its certificate is checked or written for Coq.
fn proof(name: &str, said: &Form) -> String {
    let misere = if said.play == Play::Misere { "&misere=1" } else { "" };
    let smaller: Vec<String> = said.smaller.iter().map(ToString::to_string).collect();
    format!(
        "/prove?game={}&claim={}&smaller={}{misere}",
        encoded(name),
        encoded(&said.whole),
        encoded(&smaller.join("; "))
    )
}

/// Cells of a circle round which a game is drawn, at most; and where the winner's moves are
/// searched for.
const WALKED: i64 = 60;
const SEARCHED: i64 = 40;

/// Shows a whole game of Kotzig's Nim in which the winner follows the theorem on circles of every
/// size, or else the search.
fn walked(
    site: &Site,
    playthrough: &Playthrough,
    answers: &mut Answers<'_>,
    budget: &Budget,
) -> Markup {
    let name = playthrough.game.name();
    let Ok(family) = KotzigFamily::parse(&name) else { return html! {} };
    let (Some(steps), Some([_, n])) = (family.fixed(), family.line(&[])) else { return html! {} };
    if n > WALKED || playthrough.game.start().as_deref() != Some(playthrough.now()) {
        return html! {};
    }
    let theorem =
        CircleTheorem::from_store(site.theorems.certificates(), &steps, playthrough.play, budget);
    let theorem = theorem.ok().flatten();
    let by_theorem = theorem.as_ref().and_then(|theorem| Playout::on(theorem, n as usize));
    let known = by_theorem.is_some();
    let walk =
        by_theorem.or_else(|| (n <= SEARCHED).then(|| searched(playthrough, answers)).flatten());
    let Some(walk) = walk.filter(|walk| !walk.moves.is_empty()) else { return html! {} };
    let (scene, words) = bouton_report::route(&walk.route());
    let steps = steps.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    html! {
        section {
            h2 { "The winning strategy as a walk" }
            figure.standing { (PreEscaped(svg::inline(&scene, |_| None))) figcaption {
                @if known { (words) } @else { "A game of " (name) ", won by the "
                    (if walk.first_wins { "first" } else { "second" })
                        " player. The token runs clockwise from the cell on top, outwards from \
                         lap to lap; the numbers on its way count the moves. Filled: a move of \
                         the winner, to a P-position. Open: a move of the other." } } }
            @if known {
                p { "The winner moves as " a href={ "/study?game="
                    (encoded(&format!("Gamma({steps};n)"))) }
                        { "the theorem on circles of every size" }
                            " says: its automata name the positions to leave to the other." }
            } @else {
                p { "The winner’s moves were found by search, the other’s are taken by turns." }
            }
        }
    }
}

/// Finds such a game by search.
fn searched(playthrough: &Playthrough, answers: &mut Answers<'_>) -> Option<Playout> {
    let track = |position: &str| match playthrough.game.board(position) {
        Ok(Board::Track { visited, token }) => Some((visited.len(), token)),
        _ => None,
    };
    let mut at = playthrough.now().to_owned();
    let (cells, mut token) = track(&at)?;
    let (mut first_wins, mut moves): (Option<bool>, Vec<Step>) = (None, Vec::new());
    loop {
        let answer = answers.of(&at).ok()?;
        let found = &answer.analysis;
        let wins = found.evaluation.outcome? == Outcome::N;
        let first_wins = *first_wins.get_or_insert(wins);
        let made = match wins {
            true => found.moves.iter().find(|m| is_winning(found, m)),
            false => found.moves.get(moves.len() / 2 % found.moves.len().max(1)),
        };
        let Some(made) = made else {
            return Some(Playout { game: playthrough.game.name(), cells, first_wins, moves });
        };
        let (_, to) = track(&made.to)?;
        moves.push(Step { step: ((to + cells - token) % cells) as i64, to, by_winner: wins });
        (token, at) = (to, made.to.clone());
    }
}

/// Shows what the win condition for a whole game of NIM with Cash says of this position, and of the
/// one that a winning move leaves.
fn condition(
    playthrough: &Playthrough,
    made: Option<&Move>,
    budget: &Budget,
) -> Result<Markup, RequestError> {
    let Some(rules) = playthrough.game.ruleset().downcast_ref::<Cash>() else {
        return Ok(html! {});
    };
    if playthrough.play == Play::Misere {
        return Ok(html! {});
    }
    let at = rules.read(playthrough.now())?;
    let found =
        win_condition(&rules.set, &mut Meter::new(budget)).ok().and_then(|found| found.condition);
    let Some(condition) = found else { return Ok(html! {}) };
    let purses = |at: &<Cash as Ruleset>::Position| {
        let lines = condition.fill_in(&at.stones, at.mover.as_ref(), at.other.as_ref());
        html! { @for line in lines { br; (line) } }
    };
    let left = made.map(|made| rules.read(&made.to).map(|left| (made, left))).transpose()?;
    Ok(html! {
        section.story {
            h2 { "The idea: the dollars that are over, and a head start" }
            p { "There are n stones; whoever is to move has d dollars, the other e. Every move \
                takes as many dollars as stones, so c = d + e + 1 − n never changes: one more than \
                the dollars that would be over if all stones were paid for." }
            p { "If c is at most 1, no dollar is over, and money alone decides: whoever is to move \
                wins exactly if their own dollars pay for more of the smallest moves than those \
                of the other. If c is larger, the lead in dollars decides, with a head start v \
                that depends on n and c alone: whoever is to move wins exactly if d − e + v > 0." }
            p { "Here" (purses(&at)) }
            @if let Some((made, left)) = &left {
                p { "After " strong { (move_in_words(&*playthrough.game, playthrough.now(), made)) }
                    " the other player is to move, with" (purses(left)) }
            }
        }
        details { summary { "The head start v, proved for all n, d, e" }
            p { @for line in condition.explain() { (line) br; } } }
    })
}

/// Returns the claims that speak of this very game; those about families whose letters the name
/// does not give are left aside.
fn claims_about(name: &str) -> Result<Vec<PublishedClaim>, RequestError> {
    let all = bouton_literature::claims()?.into_iter();
    Ok(all.filter(|claim| bouton_literature::speaks_of(claim, name).unwrap_or(false)).collect())
}

/// Shows the published claims about a family that this game is of, with its numbers put in; they
/// speak of the game's start.
fn families(playthrough: &Playthrough) -> Result<Markup, RequestError> {
    let name = playthrough.game.name();
    if playthrough.game.start().as_deref() != Some(playthrough.now()) {
        return Ok(html! {});
    }
    let mut shown: Vec<(Vec<PublishedClaim>, Truths)> = Vec::new();
    for claim in claims_about(&name)? {
        let Some(family) = claim.says.theory::<FamilyClaim>() else { continue };
        let FamilyStatement::P(form) = &family.says else { continue };
        if family.play != playthrough.play {
            continue;
        }
        let Some(numbers) = Pattern::new(&claim.game).matches(&name) else { continue };
        let (letters, values): (Vec<String>, Vec<u64>) = numbers.iter().cloned().unzip();
        let Ok(formula) = Formula::parse_over(form, &letters) else { continue };
        let Some(truths) = Truths::new(&formula, &values) else { continue };
        match shown.iter_mut().find(|(_, other)| *other == truths) {
            Some((claims, _)) => claims.push(claim),
            None => shown.push((vec![claim], truths)),
        }
    }
    Ok(html! {
        @for (claims, truths) in shown {
            section {
                h2 { "The published form" }
                @for claim in &claims {
                    p { (claim.statement) " (" a href={ "/ledger/claim?id=" (encoded(&claim.id)) }
                        { (claim.id) } "; " (claim.source) ")." }
                }
                p { @match (&truths.holds, truths.cases) {
                    (Some(case), _) => { "Here " code { (case) } ", so who begins loses (P)." }
                    (None, 1) => "It does not hold here, so who begins wins (N).",
                    (None, cases) => { "None of its " (cases)
                        " cases holds here, so who begins wins (N)." }
                } }
            }
        }
    })
}

/// What a form of the games of a family that are lost says of one of them.
#[derive(PartialEq)]
struct Truths {
    /// The case that holds, with the numbers put in; `None` if none does.
    holds: Option<String>,
    cases: usize,
}

impl Truths {
    /// Returns nothing if the form has no truth value for these numbers.
    fn new(formula: &Formula, values: &[u64]) -> Option<Truths> {
        let cases = match &formula.root {
            Node::Or(cases) => cases.clone(),
            one => vec![one.clone()],
        };
        let mut holds = None;
        let numbers: Vec<(String, u64)> =
            formula.names.iter().cloned().zip(values.iter().copied()).collect();
        for case in &cases {
            let case = Formula { root: case.clone(), ..formula.clone() };
            if case.holds(values).ok()? && holds.is_none() {
                holds = Some(filled(&case.to_string(), &numbers));
            }
        }
        Some(Truths { holds, cases: cases.len() })
    }
}

/// Returns the formula with numbers for letters that stand alone.
pub(super) fn filled(form: &str, numbers: &[(String, u64)]) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in form.chars().chain([' ']) {
        if c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        match numbers.iter().find(|(letter, _)| *letter == word) {
            Some((_, number)) => out.push_str(&number.to_string()),
            None => out.push_str(&word),
        }
        word.clear();
        out.push(c);
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn letters_alone_become_numbers() {
        let numbers: Vec<(String, u64)> = ('a'..='e').map(String::from).zip(1..).collect();
        assert_eq!(
            super::filled("a+b = d+e & xor = 0 & a = min", &numbers),
            "1+2 = 4+5 & xor = 0 & 1 = min"
        );
        assert_eq!(super::filled("n mod 6 = 1", &[("n".into(), 13)]), "13 mod 6 = 1");
    }
}

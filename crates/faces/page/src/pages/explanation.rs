//! The idea behind a position in words, and positions to try it on.

use super::columns;
use crate::playthrough::{MAX_MOVES, Playthrough};
use bouton_core::{Budget, Outcome};
use bouton_draw::{Picture, svg};
use bouton_engine::{Analysis, Evaluation, Kind, Session};
use bouton_report::text::{is_winning, move_in_words};
use bouton_study::{CoinGame, IdeaKind, winning_idea};
use maud::{Markup, PreEscaped, html};

/// An idea in words.
pub(super) struct Explanation {
    /// The lost position that it is about: the position itself, or the one that the move leads to.
    pub lost: String,
    pub text: Markup,
}

/// Pairs of Wythoff's game that are listed.
const PAIRS: usize = 5;

/// Returns the explanation of a position, if one of the simple ideas decides it.
pub(super) fn explanation(playthrough: &Playthrough, found: &Analysis) -> Option<Explanation> {
    let idea = winning_idea(&*playthrough.game, playthrough.play, playthrough.now(), found)?;
    let made = idea.made.map(|made| MadeMove {
        to: &made.to,
        words: move_in_words(&*playthrough.game, playthrough.now(), made),
    });
    let made = made.as_ref();
    let text = match &idea.kind {
        IdeaKind::Pairs { heaps } => pairs(heaps, made),
        IdeaKind::PowersOfTwo { heaps, base: 2 } => nim_sum(heaps, made),
        IdeaKind::PowersOfTwo { heaps, base } => sets(heaps, *base, made),
        IdeaKind::Multiples { modulus, taken, heap } => {
            multiples(*modulus, taken, *heap, made.is_some())
        }
        IdeaKind::Remainders { period, lost, taken, heap, left } => {
            remainders(*period, lost, taken, [*heap, *left], made.is_some())
        }
        IdeaKind::MisereNim { heaps, ones, large } => {
            misere_nim(heaps, [*ones, *large], &idea.lost, made.is_some())
        }
        IdeaKind::Coins { kind, heaps } => coins(*kind, heaps, &found.position, made),
        IdeaKind::WythoffPairs { heaps, pairs } => {
            wythoff_pairs(*heaps, pairs, playthrough.now(), made)
        }
    };
    Some(Explanation { lost: idea.lost, text })
}

/// The move by an idea: where it leads, and what it is in words.
struct MadeMove<'m> {
    to: &'m str,
    words: String,
}

/// Returns the numbers of a position, if it is a list of them.
fn numbers(position: &str) -> Option<Vec<u64>> {
    position.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// Returns numbers with this between them.
fn joined(numbers: &[u64], between: &str) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(between)
}

fn pairs(heaps: &[u64], made: Option<&MadeMove<'_>>) -> Markup {
    match made {
        None => html! {
            h2 { "The idea: mirror" }
            p { "The heaps come in pairs: " code { (joined(heaps, ",")) }
                ". Whatever you do in one heap, the other player does in its twin, and the \
                 heaps are in pairs again. So the other player always has a move left, and \
                 makes the last one." }
        },
        Some(made) => html! {
            h2 { "The idea: mirror" }
            p { "Play: " strong { (made.words) }
                ". That leaves " code { (made.to) } ", heaps in pairs. Then mirror: whatever \
                 the other player does in one heap, do in its twin. You always have a \
                 move left, so you make the last one." }
        },
    }
}

fn sets(heaps: &[u64], base: usize, made: Option<&MadeMove<'_>>) -> Markup {
    html! {
        h2 { "The idea: leave every power of two in sets of " (base) }
        p { "Write each heap as a sum of different powers of two. Whoever leaves every power \
            in a multiple of " (base) " heaps wins (Moore 1910)." }
        (columns::table(heaps, base))
        @match made {
            Some(made) => p { "Not every column is a multiple of " (base) ". Play: " strong {
                (made.words) } ", which leaves " code { (made.to) }
                    ": now every column is." },
            None => p { "Every column is a multiple of " (base) "." },
        }
        p { "The next move lowers at most " (base - 1) " heaps. The highest power that it \
            touches leaves at least one heap and comes into none, so its column is no \
            multiple of " (base) " any more, and the other player mends all columns. In the \
            end nothing is left." }
    }
}

fn nim_sum(heaps: &[u64], made: Option<&MadeMove<'_>>) -> Markup {
    html! {
        h2 { "The idea: make the nim-sum zero" }
        @if let [_] = heaps {
            p { "One heap is left: take all of it." }
        } @else {
            p { "Write each heap as a sum of different powers of two. Whoever leaves every power \
                in pairs wins (Bouton 1902)." }
            (columns::table(heaps, 2))
            @match made {
                Some(made) => p { "A column is odd. Play: " strong { (made.words) }
                    ", which leaves " code { (made.to) } ": every column is even. Whatever the \
                     other player does makes some column odd, and you mend it. In the end nothing \
                     is left: you made the last move." },
                None => p { "Every column is even. Any move makes some column odd, and the other \
                    player mends it, to the end." },
            }
        }
    }
}

fn multiples(m: u64, taken: &[u64], heap: u64, won: bool) -> Markup {
    let (times, rest) = (heap / m, heap % m);
    html! {
        h2 { "The idea: leave a multiple of " (m) }
        @if won {
            p { (heap) " = " (times) " · " (m) " + " (rest) ". Take " strong { (rest) }
                " and leave " (heap - rest) ", a multiple of " (m) "." }
            p { "From a multiple of " (m) " no move leads to another one, for none of "
                (joined(taken, ", ")) " is a multiple of " (m)
                    ". So the other player leaves a number that is not, and you take its \
                     remainder again. In the end you leave 0." }
        } @else {
            p { (heap) " = " (times) " · " (m) " is a multiple of " (m)
                ". No move leads to another one, for none of " (joined(taken, ", "))
                    " is a multiple of " (m) "." }
            p { "So you leave a number with a remainder, the other player takes just that, \
                and leaves a multiple of " (m) " again; in the end, 0." }
        }
    }
}

fn remainders(
    period: u64,
    lost: &[u64],
    taken: &[u64],
    [heap, left]: [u64; 2],
    won: bool,
) -> Markup {
    let one_of = |all: &[u64]| match all {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", joined(first, ", ")),
        all => joined(all, ""),
    };
    html! {
        h2 { "The idea: leave a remainder of " (one_of(lost)) }
        p { "Divide the heap by " (period) ". Heaps with a remainder of " (one_of(lost))
            " are lost for whoever has to move, all others are won." }
        @if won {
            p { (heap) " = " (heap / period) " · " (period) " + " (heap % period) ". Take "
                strong { (heap - left) } " and leave " (left) " = " (left / period) " · "
                    (period) " + " (left % period) "." }
        } @else {
            p { (heap) " = " (heap / period) " · " (period) " + " (heap % period)
                ": this is one of them." }
        }
        p { "From such a heap, taking " (one_of(taken)) " never leads to another one; from \
            every other heap, one of these numbers does. So whoever leaves such a heap can do \
            so again and again, and in the end leaves one from which no move is left." }
    }
}

fn misere_nim(heaps: &[u64], [ones, large]: [usize; 2], to: &str, won: bool) -> Markup {
    html! {
        h2 { "The idea: as in Nim, but for the end" }
        p { "Play as in Nim, and make every column of powers of two even – until your move \
            would leave only heaps of one token. Then leave an odd number of them, so that \
            the other player takes the last one (Bouton 1902)." }
        (columns::table(heaps, 2))
        @match (large, won) {
            (0, _) => p { "Here is the exception: only heaps of one token are left, " (ones)
                " of them. Each move takes one, and who takes the last loses: " @if won {
                    "an even number, so you win." } @else { "an odd number, so you lose." } },
            (1, _) => p { "Here is the exception: one heap alone has more than one token, so \
                you decide. Leave " code { (to) } ": an odd number of heaps of one. In normal \
                play the other parity would be right." },
            (_, true) => p { "No exception yet: two heaps or more have more than one token. A \
                column is odd; leave " code { (to) } ", and all columns are even." },
            (_, false) => p { "No exception yet: two heaps or more have more than one token, \
                and every column is even. Any move makes some column odd, and the other \
                player mends it." },
        }
    }
}

fn coins(kind: CoinGame, heaps: &[u64], position: &str, made: Option<&MadeMove<'_>>) -> Markup {
    let rows: Vec<u64> = heaps.iter().copied().filter(|heap| *heap > 0).collect();
    html! {
        @match kind {
            CoinGame::Strip => {
                h2 { "The idea: the gaps are heaps of Nim" }
                p { "Pair the coins from the right. The empty squares between the two of a \
                    pair are a heap of Nim" @if position.split(',').count() % 2 == 1 {
                    "; a coin that is left alone has the squares to its left" }
                        ": " strong { (joined(heaps, ", ")) } "." }
                p { "Moving the right coin of a pair takes from its gap. If the other player \
                    moves a left coin, which widens a gap, follow with its right coin by as \
                    many squares: nothing has changed." }
            }
            CoinGame::Faces => {
                h2 { "The idea: each head is a heap of Nim" }
                p { "A coin that shows heads is a heap with as many tokens as its place: "
                    strong { (joined(heaps, ", ")) } ". Turning it makes its heap vanish; turning \
                        one to its left as well leaves the smaller heap there. Where that one \
                        showed heads, two equal heaps vanish, and these are worth nothing." }
            }
        }
        @if !rows.is_empty() { (columns::table(&rows, 2)) }
        @match made {
            Some(made) => p { "A column is odd. Play: " strong { (made.words) }
                ". Now every column is even." },
            None => p { "Every column is even. Any move makes some column odd, and the other \
                player mends it, to the end." },
        }
    }
}

fn wythoff_pairs(
    [small, large]: [u64; 2],
    pairs: &[(u64, u64)],
    position: &str,
    made: Option<&MadeMove<'_>>,
) -> Markup {
    let first: Vec<String> =
        pairs.iter().skip(1).take(PAIRS).map(|(small, large)| format!("{small},{large}")).collect();
    let place = pairs.iter().position(|pair| *pair == (small, large)).unwrap_or_default();
    html! {
        h2 { "The idea: leave a pair of the list" }
        p { "The lost pairs are " code { "0,0" } ", " @for pair in &first { code { (pair) }
            ", " } "…: each begins with the least number that is in no pair before, and their \
             differences are 0, 1, 2, 3, … So every number is in one pair, and every \
             difference is there once (Wythoff 1907)." }
        @match made {
            Some(made) => p { "Play: " strong { (made.words) }
                ", which leaves " code { (made.to) } ", a pair of the list." },
            None => p { code { (position) } " is \
                number " (place) " of the list: " (large)
                " − " (small) " = " (large - small) "." },
        }
        p { "No move leads from one pair of the list to another: taking from one heap keeps a \
            number, and taking the same from both keeps the difference. From any other pair \
            some move leads into the list. So the other player leaves the list, you come back \
            to it, and in the end you leave " code { "0,0" } "." }
    }
}

/// A position to try, and whether the player to move wins there, or on points comes out ahead.
struct Trial {
    at: String,
    won: bool,
}

/// Positions in a trial.
const TRIALS: usize = 3;

/// Puts a position to those to try, of which one has another answer than the two others.
fn collect(tried: &mut Vec<Trial>, at: String, won: bool) {
    let same = tried.iter().filter(|trial| trial.won == won).count();
    if same + 1 < TRIALS && tried.len() < TRIALS && tried.iter().all(|trial| trial.at != at) {
        tried.push(Trial { at, won });
    }
}

/// Shows positions to try, near this one: each with its answer folded away.
pub(super) fn try_it(playthrough: &Playthrough, budget: &Budget) -> Markup {
    /// Nodes for each of them.
    const NODES: u64 = 20_000;
    let budget = Budget { nodes: Some(NODES), ..budget.clone() };
    let mut session = playthrough.game.session(playthrough.settings(&budget, MAX_MOVES));
    let heaps = heaps_near(playthrough, &mut *session);
    let are_heaps = heaps.len() == TRIALS;
    let tried = if are_heaps { heaps } else { moves_ahead(playthrough, &mut *session) };
    if tried.len() < TRIALS {
        return html! {};
    }
    let on_points = playthrough.game.kind() == Kind::Scored;
    html! {
        section.trying {
            h2 { "Try it" }
            div.trials { @for Trial { at, won } in &tried {
                div {
                    @if !are_heaps && let Ok(board) = playthrough.game.board(at) {
                        (PreEscaped(svg::inline(&Picture::Board(format!("{} at {at}",
                            playthrough.game.name()), board).scene(), |_| None)))
                    }
                    details {
                        summary {
                            @match (are_heaps, on_points) {
                                (true, _) => { "Is " code { (at) } " won for the player to move?" }
                                (false, false) => "Does the player to move win here?",
                                (false, true) => "Of what is left here, does the player to move \
                                    get more?",
                            }
                        }
                        p {
                            @match (won, on_points) {
                                (true, false) => "Yes, it is won.",
                                (false, false) => "No: it is lost, whatever the move.",
                                (true, true) => "Yes, with best play on both sides.",
                                (false, true) => "No, not against best play.",
                            }
                            " " a href=(playthrough.href_with("/play", std::slice::from_ref(at),
                                &[])) { "Play from there" }
                        }
                    }
                }
            } }
        }
    }
}

/// Returns positions with one heap larger or smaller, nearest first, the last heap first.
fn heaps_near(playthrough: &Playthrough, session: &mut dyn Session) -> Vec<Trial> {
    /// Positions that are looked at.
    const LOOKED: usize = 40;
    /// The largest heap of a position to try.
    const MAX_HEAP: u64 = 30;
    let mut tried = Vec::new();
    let Some(rows) =
        numbers(playthrough.now()).filter(|rows| rows.iter().all(|row| *row <= MAX_HEAP))
    else {
        return tried;
    };
    let mut looked = 0;
    for by in 1..=MAX_HEAP {
        for (changed, more) in (0..rows.len()).rev().flat_map(|heap| [(heap, true), (heap, false)])
        {
            if looked == LOOKED {
                break;
            }
            let heap =
                if more { rows[changed].checked_add(by) } else { rows[changed].checked_sub(by) };
            let Some(heap) = heap else { continue };
            let mut sizes = rows.clone();
            sizes[changed] = heap;
            let Some(at) = playthrough.game.position(&sizes).filter(|_| heap > 0) else { continue };
            looked += 1;
            let Ok(Ok(evaluation)) = session.evaluate(&at) else { continue };
            let Some(outcome) = evaluation.outcome else { continue };
            collect(&mut tried, at, outcome == Outcome::N);
        }
        if tried.len() == TRIALS {
            break;
        }
    }
    // Where all near ones are won, what a winning move from one of them leaves is lost.
    let left =
        |found: &Analysis| found.moves.iter().find(|m| is_winning(found, m)).map(|m| m.to.clone());
    if tried.len() == 2 && tried.iter().all(|trial| trial.won) {
        let mut found = tried.iter().filter_map(|trial| left(&session.analyse(&trial.at).ok()?));
        let lost = found.find(|lost| *lost != playthrough.now());
        tried.extend(lost.map(|at| Trial { at, won: false }));
    }
    tried
}

/// Returns positions that one move or two lead to, where play goes on, from here or from the start
/// of the game.
fn moves_ahead(playthrough: &Playthrough, session: &mut dyn Session) -> Vec<Trial> {
    /// Positions whose moves are looked at.
    const LOOKED: usize = 12;
    let mut tried = Vec::new();
    for from in [playthrough.now(), &playthrough.line[0]] {
        let mut ahead = std::collections::VecDeque::from([(from.to_owned(), 0)]);
        for _ in 0..LOOKED {
            let Some((at, depth)) = ahead.pop_front() else { break };
            let Ok(found) = session.analyse(&at) else { break };
            // Where play is over there is nothing to ask.
            if depth > 0 && !found.moves.is_empty() {
                let Evaluation { outcome, margin, .. } = found.evaluation;
                let won = outcome
                    .map(|outcome| outcome == Outcome::N)
                    .or(margin.map(|margin| margin > 0));
                if let Some(won) = won {
                    collect(&mut tried, at, won);
                }
            }
            // From a heap of moves some, of all parts of the list.
            if depth < 2 {
                let step = found.moves.len().div_ceil(4).max(1);
                ahead.extend(found.moves.iter().step_by(step).map(|m| (m.to.clone(), depth + 1)));
            }
            if tried.len() == TRIALS {
                return tried;
            }
        }
        tried.clear();
    }
    tried
}

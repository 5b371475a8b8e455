//! The idea behind a position, where it is provably one of the simple ones: misère Nim's exception,
//! pairs that are mirrored, multiples of a number, the nim-sum, Moore's columns, Wythoff's pairs.
//! The simplest comes first; where none applies there is no story.

use super::columns;
use crate::playthrough::{MAX_MOVES, Playthrough};
use bouton_core::{Budget, HeapMoves, Moves, Outcome, Play, Windows};
use bouton_draw::{Picture, svg};
use bouton_engine::{Analysis, Evaluation, Kind, Move, Session};
use bouton_games::{Strip, Turning};
use bouton_heaps::wythoff;
use bouton_report::text::{is_winning, move_in_words};
use maud::{Markup, PreEscaped, html};

/// An idea with the numbers of a position.
pub(super) struct Story {
    /// The lost position that it is about: the position itself, or the one that the move leads to.
    pub lost: Option<String>,
    pub text: Markup,
}

/// Returns the story of a position.
pub(super) fn story(playthrough: &Playthrough, found: &Analysis) -> Option<Story> {
    let rows: Vec<u64> = numbers(playthrough.now())?.into_iter().filter(|row| *row > 0).collect();
    let outcome = found.evaluation.outcome?;
    // Each move is made in one heap, and what it may do there depends on nothing else.
    let game = &playthrough.game;
    let at_once = match game.moves() {
        Some(moves) => match moves.windows {
            Windows::Any(at_once) if moves == Moves::free(Windows::Any(at_once)) => at_once,
            _ => 0,
        },
        None => 0,
    };
    let won = outcome == Outcome::N;
    if playthrough.play == Play::Normal {
        let rules = game.ruleset();
        if wythoff::is_wythoff(&**game) {
            return golden(playthrough, found, won);
        }
        if rules.downcast_ref() == Some(&Strip::SilverDollar) {
            return coins(playthrough, found, won, Coins::Strip);
        }
        if rules.downcast_ref().is_some_and(Turning::is_turtles) {
            return coins(playthrough, found, won, Coins::Faces);
        }
    }
    let is_nim = at_once == 1;
    let is_sum = game.kind() == Kind::Impartial && (at_once > 0 || game.heap_moves().is_some());
    if !is_sum || rows.is_empty() {
        return None;
    }
    match playthrough.play {
        Play::Misere if is_nim => misere(playthrough, found, &rows, won),
        Play::Misere => None,
        Play::Normal if at_once > 1 => balance(playthrough, found, &rows, (won, at_once + 1)),
        Play::Normal => mirror(playthrough, found, &rows, won).or_else(|| {
            match (game.heap_moves(), &rows[..]) {
                _ if is_nim => balance(playthrough, found, &rows, (won, 2)),
                (Some(HeapMoves::Take(set)), [heap]) => multiples(found, &set, *heap, won)
                    .or_else(|| remainders(found, &set, *heap, won)),
                _ => None,
            }
        }),
    }
}

/// Returns the numbers of a position, if it is a list of them.
fn numbers(position: &str) -> Option<Vec<u64>> {
    position.split(',').map(|number| number.trim().parse().ok()).collect()
}

/// Returns a move to a position whose heaps, in any order, are as wanted.
fn move_to(found: &Analysis, wanted: impl Fn(&[u64]) -> bool) -> Option<&Move> {
    found.moves.iter().find(|m| {
        numbers(&m.to).is_some_and(|rows| {
            wanted(&rows.into_iter().filter(|row| *row > 0).collect::<Vec<_>>())
        })
    })
}

/// Returns whether the heaps are pairs of equal ones.
fn is_paired(rows: &[u64]) -> bool {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    !rows.is_empty() && rows.len().is_multiple_of(2) && rows.chunks(2).all(|two| two[0] == two[1])
}

/// Tells of heaps in pairs: the second player does in one what the first did in the other.
fn mirror(playthrough: &Playthrough, found: &Analysis, rows: &[u64], won: bool) -> Option<Story> {
    let heaps = |rows: &[u64]| rows.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    match won {
        false => is_paired(rows).then(|| Story {
            lost: Some(playthrough.now().to_owned()),
            text: html! {
                h2 { "The idea: mirror" }
                p { "The heaps come in pairs: " code { (heaps(rows)) }
                    ". Whatever you do in one heap, the other player does in its twin, and the \
                     heaps are in pairs again. So the other player always has a move left, and \
                     makes the last one." }
            },
        }),
        true => {
            let made = move_to(found, is_paired)?;
            let to = &made.to;
            Some(Story {
                lost: Some(to.clone()),
                text: html! {
                    h2 { "The idea: mirror" }
                    p { "Play: " strong { (words(playthrough, made)) }
                        ". That leaves " code { (to) } ", heaps in pairs. Then mirror: whatever \
                         the other player does in one heap, do in its twin. You always have a \
                         move left, so you make the last one." }
                },
            })
        }
    }
}

/// Tells of Nim (Bouton 1902): a position is lost if each power of two is in an even number of
/// heaps. If up to `base − 1` heaps may be lowered, if it is in a multiple of `base` heaps (Moore
/// 1910).
fn balance(
    playthrough: &Playthrough,
    found: &Analysis,
    rows: &[u64],
    (won, base): (bool, usize),
) -> Option<Story> {
    let is_balanced = |rows: &[u64]| columns::is_balanced(rows, base);
    if is_balanced(rows) == won {
        return None;
    }
    let made = if won { Some(move_to(found, is_balanced)?) } else { None };
    let lost = made.map_or_else(|| playthrough.now().to_owned(), |made| made.to.clone());
    if base > 2 {
        let text = html! {
            h2 { "The idea: leave every power of two in sets of " (base) }
            p { "Write each heap as a sum of different powers of two. Whoever leaves every power \
                in a multiple of " (base) " heaps wins (Moore 1910)." }
            (columns::table(rows, base))
            @match made {
                Some(made) => p { "Not every column is a multiple of " (base) ". Play: " strong {
                    (words(playthrough, made)) } ", which leaves " code { (made.to) }
                        ": now every column is." },
                None => p { "Every column is a multiple of " (base) "." },
            }
            p { "The next move lowers at most " (base - 1) " heaps. The highest power that it \
                touches leaves at least one heap and comes into none, so its column is no \
                multiple of " (base) " any more, and the other player mends all columns. In the \
                end nothing is left." }
        };
        return Some(Story { lost: Some(lost), text });
    }
    let text = html! {
        h2 { "The idea: make the nim-sum zero" }
        @if let [_] = rows {
            p { "One heap is left: take all of it." }
        } @else {
            p { "Write each heap as a sum of different powers of two. Whoever leaves every power \
                in pairs wins (Bouton 1902)." }
            (columns::table(rows, 2))
            @match made {
                Some(made) => p { "A column is odd. Play: " strong { (words(playthrough, made)) }
                    ", which leaves " code { (made.to) } ": every column is even. Whatever the \
                     other player does makes some column odd, and you mend it. In the end nothing \
                     is left: you made the last move." },
                None => p { "Every column is even. Any move makes some column odd, and the other \
                    player mends it, to the end." },
            }
        }
    };
    Some(Story { lost: Some(lost), text })
}

/// Returns the number whose multiples are the lost heaps, if 1 to one less than it may be taken,
/// and no multiple of it.
fn modulus(set: &[u64]) -> Option<u64> {
    let modulus = (1..).find(|n| !set.contains(n))?;
    (modulus > 1 && set.iter().all(|taken| !taken.is_multiple_of(modulus))).then_some(modulus)
}

/// Tells of one heap of which 1 to m − 1 may be taken, and no multiple of m: the lost heaps are the
/// multiples of m.
fn multiples(found: &Analysis, set: &[u64], heap: u64, won: bool) -> Option<Story> {
    let m = modulus(set)?;
    let (times, rest) = (heap / m, heap % m);
    if (rest > 0) != won {
        return None;
    }
    let left = heap - rest;
    let to = move_to(found, |rows| rows.iter().sum::<u64>() == left);
    let others: Vec<String> = set.iter().map(u64::to_string).collect();
    Some(Story {
        lost: Some(if won { to?.to.clone() } else { heap.to_string() }),
        text: html! {
            h2 { "The idea: leave a multiple of " (m) }
            @if won {
                p { (heap) " = " (times) " · " (m) " + " (rest) ". Take " strong { (rest) }
                    " and leave " (left) ", a multiple of " (m) "." }
                p { "From a multiple of " (m) " no move leads to another one, for none of "
                    (others.join(", ")) " is a multiple of " (m)
                        ". So the other player leaves a number that is not, and you take its \
                         remainder again. In the end you leave 0." }
            } @else {
                p { (heap) " = " (times) " · " (m) " is a multiple of " (m)
                    ". No move leads to another one, for none of " (others.join(", "))
                        " is a multiple of " (m) "." }
                p { "So you leave a number with a remainder, the other player takes just that, \
                    and leaves a multiple of " (m) " again; in the end, 0." }
            }
        },
    })
}

/// Returns the period of the lost heaps, if from 0 on they repeat, and the lost ones below it. As
/// many outcomes as the largest move decide all after them; so that many equal ones are a proof.
fn period(set: &[u64]) -> Option<(u64, Vec<u64>)> {
    const MAX_PERIOD: usize = 60;
    let most =
        usize::try_from(*set.iter().max()?).ok().filter(|most| (1..=MAX_PERIOD).contains(most))?;
    let mut lost: Vec<bool> = Vec::new();
    for heap in 0..MAX_PERIOD + most {
        let leads = |taken: &u64| {
            let left = usize::try_from(*taken).ok().and_then(|taken| heap.checked_sub(taken));
            left.is_some_and(|left| left < heap && lost[left])
        };
        let is_won = set.iter().any(leads);
        lost.push(!is_won);
    }
    let period = (1..=MAX_PERIOD).find(|period| lost[..most] == lost[*period..period + most])?;
    Some((period as u64, (0..period).filter(|heap| lost[*heap]).map(|heap| heap as u64).collect()))
}

/// Tells of one heap whose lost sizes repeat from 0 on: they are those with some remainders.
fn remainders(found: &Analysis, set: &[u64], heap: u64, won: bool) -> Option<Story> {
    /// Remainders that one remembers.
    const MAX_REMAINDERS: usize = 5;
    let (period, lost) = period(set).filter(|(_, lost)| lost.len() <= MAX_REMAINDERS)?;
    if lost.contains(&(heap % period)) == won {
        return None;
    }
    let made = move_to(found, |rows| lost.contains(&(rows.iter().sum::<u64>() % period)));
    let left = if won { numbers(&made?.to)?.iter().sum() } else { heap };
    let one_of = |all: &[u64]| {
        let all: Vec<String> = all.iter().map(u64::to_string).collect();
        match &all[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            all => all.concat(),
        }
    };
    Some(Story {
        lost: Some(if won { made?.to.clone() } else { heap.to_string() }),
        text: html! {
            h2 { "The idea: leave a remainder of " (one_of(&lost)) }
            p { "Divide the heap by " (period) ". Heaps with a remainder of " (one_of(&lost))
                " are lost for whoever has to move, all others are won." }
            @if won {
                p { (heap) " = " (heap / period) " · " (period) " + " (heap % period) ". Take "
                    strong { (heap - left) } " and leave " (left) " = " (left / period) " · "
                        (period) " + " (left % period) "." }
            } @else {
                p { (heap) " = " (heap / period) " · " (period) " + " (heap % period)
                    ": this is one of them." }
            }
            p { "From such a heap, taking " (one_of(set)) " never leads to another one; from \
                every other heap, one of these numbers does. So whoever leaves such a heap can do \
                so again and again, and in the end leaves one from which no move is left." }
        },
    })
}

/// Returns a move from the position on the board, in words.
fn words(playthrough: &Playthrough, m: &Move) -> String {
    move_in_words(&*playthrough.game, playthrough.now(), m)
}

/// Misère Nim (Bouton 1902): as Nim, until only heaps of one token would be left.
fn misere(playthrough: &Playthrough, found: &Analysis, rows: &[u64], won: bool) -> Option<Story> {
    let ones = rows.iter().filter(|row| **row == 1).count();
    let large = rows.len() - ones;
    let sum = rows.iter().fold(0u64, |sum, row| sum ^ row);
    let is_won = if large == 0 { ones % 2 == 0 } else { sum != 0 };
    if is_won != won {
        return None;
    }
    // What a good move leaves: heaps of one, an odd number of them; or all columns even.
    let good = |rows: &[u64]| match rows.iter().all(|row| *row == 1) {
        true => rows.len() % 2 == 1,
        false => rows.iter().fold(0u64, |sum, row| sum ^ row) == 0,
    };
    let lost = if won {
        Some(move_to(found, good)?.to.clone())
    } else {
        Some(playthrough.now().to_owned())
    };
    let to = lost.clone().unwrap_or_default();
    Some(Story {
        text: html! {
            h2 { "The idea: as in Nim, but for the end" }
            p { "Play as in Nim, and make every column of powers of two even – until your move \
                would leave only heaps of one token. Then leave an odd number of them, so that \
                the other player takes the last one (Bouton 1902)." }
            (columns::table(rows, 2))
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
        },
        lost,
    })
}

/// Coins that are heaps of Nim.
#[derive(Clone, Copy, PartialEq)]
enum Coins {
    /// On a strip, each moved to the left past no other: the gaps of pairs of neighbours.
    Strip,
    /// In a row, one turned from heads and perhaps one to its left: the places of the heads.
    Faces,
}

impl Coins {
    /// Returns the heaps of Nim of coins at these places, ascending. On a strip they are paired
    /// from the right; a coin that is left alone has the squares to its left.
    fn heaps(self, places: &[u64]) -> Vec<u64> {
        match self {
            Coins::Faces => places.to_vec(),
            Coins::Strip => {
                let alone = places.len() % 2;
                let gaps = places[alone..].chunks(2).map(|pair| pair[1] - pair[0] - 1);
                places[..alone].iter().copied().chain(gaps).collect()
            }
        }
    }
}

/// Coins whose game is Nim: P exactly if the nim-sum of the heaps is zero.
fn coins(playthrough: &Playthrough, found: &Analysis, won: bool, kind: Coins) -> Option<Story> {
    let heaps = |position: &str| -> Option<Vec<u64>> {
        let places = if position.trim().is_empty() { Vec::new() } else { numbers(position)? };
        let is_ascending = places.windows(2).all(|pair| pair[0] < pair[1]);
        is_ascending.then(|| kind.heaps(&places))
    };
    let all = heaps(&found.position)?;
    if columns::is_balanced(&all, 2) == won {
        return None;
    }
    let is_lost = |m: &&Move| heaps(&m.to).is_some_and(|heaps| columns::is_balanced(&heaps, 2));
    let made = if won { Some(found.moves.iter().find(is_lost)?) } else { None };
    let listed = |heaps: &[u64]| heaps.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let rows: Vec<u64> = all.iter().copied().filter(|heap| *heap > 0).collect();
    Some(Story {
        lost: Some(made.map_or_else(|| found.position.clone(), |made| made.to.clone())),
        text: html! {
            @match kind {
                Coins::Strip => {
                    h2 { "The idea: the gaps are heaps of Nim" }
                    p { "Pair the coins from the right. The empty squares between the two of a \
                        pair are a heap of Nim" @if found.position.split(',').count() % 2 == 1 {
                        "; a coin that is left alone has the squares to its left" }
                            ": " strong { (listed(&all)) } "." }
                    p { "Moving the right coin of a pair takes from its gap. If the other player \
                        moves a left coin, which widens a gap, follow with its right coin by as \
                        many squares: nothing has changed." }
                }
                Coins::Faces => {
                    h2 { "The idea: each head is a heap of Nim" }
                    p { "A coin that shows heads is a heap with as many tokens as its place: "
                        strong { (listed(&all)) } ". Turning it makes its heap vanish; turning \
                            one to its left as well leaves the smaller heap there. Where that one \
                            showed heads, two equal heaps vanish, and these are worth nothing." }
                }
            }
            @if !rows.is_empty() { (columns::table(&rows, 2)) }
            @match made {
                Some(made) => p { "A column is odd. Play: " strong { (words(playthrough, made)) }
                    ". Now every column is even." },
                None => p { "Every column is even. Any move makes some column odd, and the other \
                    player mends it, to the end." },
            }
        },
    })
}

/// The largest number of which a pair is looked for.
const LARGEST_GOLDEN: u64 = 10_000;
/// Pairs that are listed.
const PAIRS: usize = 5;

/// Returns the pairs of which the smaller number is at most `most`: the k-th, from 0, is the least
/// number that is in no pair before it, and k more (Wythoff 1907).
fn golden_pairs(most: u64) -> Vec<(u64, u64)> {
    let mut is_used = vec![false; most as usize + 2];
    let mut pairs = Vec::new();
    for small in 0..=most {
        if !is_used[small as usize] {
            let large = small + pairs.len() as u64;
            if let Some(used) = is_used.get_mut(large as usize) {
                *used = true;
            }
            pairs.push((small, large));
        }
    }
    pairs
}

/// Tells of Wythoff's game: the lost positions are pairs of which each number is in one, and each
/// difference.
fn golden(playthrough: &Playthrough, found: &Analysis, won: bool) -> Option<Story> {
    let [a, b] = numbers(playthrough.now())?[..] else { return None };
    let (small, large) = (a.min(b), a.max(b));
    if large == 0 || large > LARGEST_GOLDEN {
        return None;
    }
    let pairs = golden_pairs(large);
    let place = |small, large| pairs.iter().position(|pair| *pair == (small, large));
    let is_pair = |rows: &[u64]| match rows {
        [] => true,
        [a, b] => place(*a.min(b), *a.max(b)).is_some(),
        _ => false,
    };
    if is_pair(&[a, b]) == won {
        return None;
    }
    let made = if won { Some(move_to(found, is_pair)?) } else { None };
    let first: Vec<String> =
        pairs.iter().skip(1).take(PAIRS).map(|(small, large)| format!("{small},{large}")).collect();
    Some(Story {
        lost: Some(made.map_or_else(|| playthrough.now().to_owned(), |made| made.to.clone())),
        text: html! {
            h2 { "The idea: leave a pair of the list" }
            p { "The lost pairs are " code { "0,0" } ", " @for pair in &first { code { (pair) }
                ", " } "…: each begins with the least number that is in no pair before, and their \
                 differences are 0, 1, 2, 3, … So every number is in one pair, and every \
                 difference is there once (Wythoff 1907)." }
            @match made {
                Some(made) => p { "Play: " strong { (words(playthrough, made)) }
                    ", which leaves " code { (made.to) } ", a pair of the list." },
                None => p { code { (playthrough.now()) } " is \
                    number " (place(small, large).unwrap_or_default()) " of the list: " (large)
                    " − " (small) " = " (large - small) "." },
            }
            p { "No move leads from one pair of the list to another: taking from one heap keeps a \
                number, and taking the same from both keeps the difference. From any other pair \
                some move leads into the list. So the other player leaves the list, you come back \
                to it, and in the end you leave " code { "0,0" } "." }
        },
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// By the rules alone: a heap is lost if no move leads to a lost one.
    #[test]
    fn multiples_are_the_lost_heaps() {
        for set in [
            &[1, 2, 3][..],
            &[1],
            &[1, 3],
            &[1, 2, 4],
            &[1, 2, 3, 5, 6, 7],
            &[2, 3],
            &[1, 4, 7],
            &[1, 2, 6],
        ] {
            let mut lost = vec![true];
            for heap in 1..60u64 {
                let wins = |taken: &u64| *taken <= heap && lost[(heap - taken) as usize];
                lost.push(!set.iter().any(wins));
            }
            if let Some(m) = modulus(set) {
                assert!((0..60).all(|heap| lost[heap as usize] == (heap % m == 0)), "{set:?} {m}");
            }
        }
        let found: Vec<Option<u64>> =
            [&[1, 2, 3][..], &[1, 3], &[1, 2, 4], &[2, 3], &[1, 2, 6]].map(modulus).to_vec();
        assert_eq!(found, [Some(4), Some(2), Some(3), None, None]);
    }

    /// By the rules alone: the lost positions of a queen that goes left, down or both.
    #[test]
    fn golden_pairs_are_the_lost_positions() {
        const SIDE: usize = 40;
        let mut lost = [[false; SIDE]; SIDE];
        for a in 0..SIDE {
            for b in 0..SIDE {
                let left = (1..=a).any(|k| lost[a - k][b]);
                let both = (1..=a.min(b)).any(|k| lost[a - k][b - k]);
                lost[a][b] = !left && !both && !(1..=b).any(|k| lost[a][b - k]);
            }
        }
        let pairs = golden_pairs(SIDE as u64);
        for (a, row) in (0..).zip(&lost) {
            for (b, lost) in (0..).zip(row) {
                assert_eq!(pairs.contains(&(a.min(b), a.max(b))), *lost, "{a},{b}");
            }
        }
    }

    /// By the rules alone: sets of places, each move to a lower one in the order of binary numbers.
    #[test]
    fn coins_are_heaps_of_nim() {
        const PLACES: u64 = 9;
        let sets = |first: u64| {
            (0u64..1 << PLACES).map(move |set| {
                let coins = (0..PLACES).filter(|i| set >> i & 1 == 1);
                coins.map(|i| i + first).collect::<Vec<u64>>()
            })
        };
        let agree = |kind: Coins, first: u64, moves: fn(u64) -> Vec<u64>| {
            let mut lost: Vec<bool> = Vec::new();
            for (set, places) in (0u64..).zip(sets(first)) {
                lost.push(!moves(set).into_iter().any(|to| lost[to as usize]));
                assert_eq!(
                    columns::is_balanced(&kind.heaps(&places), 2),
                    lost[set as usize],
                    "{places:?}"
                );
            }
        };
        agree(Coins::Strip, 0, |set| {
            let coins = (0..PLACES).filter(|i| set >> i & 1 == 1);
            let slides = coins.flat_map(|from| {
                let free = (0..from).rev().take_while(|to| set >> to & 1 == 0).collect::<Vec<_>>();
                free.into_iter().map(move |to| set ^ (1 << from) ^ (1 << to))
            });
            slides.collect()
        });
        agree(Coins::Faces, 1, |set| {
            let heads = (0..PLACES).filter(|i| set >> i & 1 == 1);
            let turns = heads.flat_map(|from| {
                let other = (0..from).map(move |to| set ^ (1 << from) ^ (1 << to));
                other.chain([set ^ (1 << from)])
            });
            turns.collect()
        });
    }

    /// By the rules alone: three heaps, of which one or two are lowered.
    #[test]
    fn balanced_columns_are_the_lost_positions() {
        let all =
            || (0..6u64).flat_map(|a| (0..6).flat_map(move |b| (0..6).map(move |c| [a, b, c])));
        let mut lost: Vec<[u64; 3]> = Vec::new();
        for heaps in all() {
            // Ascending, so what a move leads to comes first.
            let reached = |to: &[u64; 3]| {
                let lowered = to.iter().zip(&heaps).filter(|(to, from)| to < from).count();
                to.iter().zip(&heaps).all(|(to, from)| to <= from) && (1..=2).contains(&lowered)
            };
            if !lost.iter().any(reached) {
                lost.push(heaps);
            }
        }
        for heaps in all() {
            assert_eq!(columns::is_balanced(&heaps, 3), lost.contains(&heaps), "{heaps:?}");
        }
    }

    #[test]
    fn heaps_in_pairs() {
        assert!(is_paired(&[4, 4]) && is_paired(&[1, 3, 1, 3]));
        assert!(
            !is_paired(&[])
                && !is_paired(&[4])
                && !is_paired(&[1, 1, 1])
                && !is_paired(&[1, 1, 2, 3])
        );
    }
}

//! Moves as players type them: *take 2 from the second heap*, *heap 1: 3 -> 1*, *3+12*.
//!
//! What is typed is read whole or not at all: a word that is not understood makes it no move.

use crate::text::move_in_words;
use bouton_core::{Board, GraphStand, MoveText};
use bouton_draw::move_highlight::changed_part;
use bouton_draw::scene::BoardPart;
use bouton_engine::{Game, Move};
use bouton_study::{Answer, normal_form};
use std::collections::BTreeSet;

/// How what was typed was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meant {
    /// As words for the move.
    Words,
    /// As the number of a move.
    Number(usize),
    /// As the position that the move leads to.
    Position,
    /// As a position, though it is the number of a move too.
    NotNumber(usize),
    /// As a position, though as many tokens may be taken, too.
    NotTaken,
}

/// The moves that were typed.
#[derive(Debug)]
pub enum Chosen {
    /// What was typed is no move.
    None,
    /// One move, and how it was read.
    One(Move, Meant),
    /// Several moves, of which what was typed does not say one.
    Several(Vec<Move>),
}

/// Returns the move meant by the position that it leads to, by words for it, or by `#` and its
/// number. A number alone may be a position, a number of tokens, a node or the number of a move: a
/// position goes first; of the others one must be left.
pub fn chosen(game: &dyn Game, answer: &Answer, typed: &str) -> Chosen {
    let listed = &answer.analysis.moves;
    let by_number = |text: &str| {
        let number: usize = text.trim().parse().ok()?;
        Some((listed.get(number.checked_sub(1)?)?.clone(), number))
    };
    // `##/..` is a position.
    if let Some(number) = typed.strip_prefix('#')
        && number.trim().parse::<usize>().is_ok()
    {
        return match by_number(number) {
            Some((m, number)) => Chosen::One(m, Meant::Number(number)),
            None => Chosen::None,
        };
    }
    let numbered = by_number(typed);
    let is_number = typed.parse::<u64>().is_ok();
    let taken = || moves_meant(game, answer, &format!("take {typed}"));
    let to = |position: &str| listed.iter().find(|m| m.to == position).cloned();
    let exact = to(typed);
    let worded = if exact.is_none() { moves_meant(game, answer, typed) } else { Vec::new() };
    let of_position = || answer.find(game, &normal_form(game, typed).ok()?);
    // `3,4,5 -> 1,4,5`, from this position.
    let of_arrow = || {
        let (from, to) = typed.split_once("->").or_else(|| typed.split_once('→'))?;
        let is_here = normal_form(game, from.trim()).is_ok_and(|at| at == answer.analysis.position);
        answer.find(game, &normal_form(game, to.trim()).ok()?).filter(|_| is_here)
    };
    let position =
        exact.or_else(|| if worded.is_empty() { of_position().or_else(of_arrow) } else { None });
    if let Some(m) = position {
        let is_other = |other: &Move| other.to != m.to;
        let meant = match numbered {
            _ if is_number && taken().iter().any(is_other) => Meant::NotTaken,
            Some((other, number)) if is_other(&other) => Meant::NotNumber(number),
            _ => Meant::Position,
        };
        return Chosen::One(m, meant);
    }
    let mut all = worded;
    if is_number {
        all.extend(taken());
    }
    // Where words name each move by a number, no other number is one of the list.
    let numbered =
        numbered.filter(|_| !all.is_empty() || !listed.iter().all(|m| is_named_by_number(&m.text)));
    all.extend(numbered.iter().map(|(m, _)| m.clone()));
    let mut seen = BTreeSet::new();
    all.retain(|m| seen.insert(m.to.clone()));
    match (&all[..], numbered) {
        ([], _) => Chosen::None,
        ([m], Some((_, number))) => Chosen::One(m.clone(), Meant::Number(number)),
        ([m], None) => Chosen::One(m.clone(), Meant::Words),
        _ => Chosen::Several(all),
    }
}

/// Returns whether words name a move by a number: `take node 3`.
fn is_named_by_number(text: &MoveText) -> bool {
    let MoveText::Words(words) = text else { return false };
    words.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).count() == 1
}

/// A word of what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Number(u64),
    /// A place in a row, counted from 1: `second`, `2nd`.
    Place(u64),
    Word(String),
}

/// Words for taking tokens.
const TAKE: &[&str] =
    &["take", "takes", "remove", "removes", "subtract", "pick", "draw", "eat", "knock"];
/// Words for what else is done to a heap.
const CHANGE: &[&str] = &["change", "cut", "lower", "make", "move", "reduce"];
/// Words for what else a move does.
const OTHER: &[&str] = &["bite", "choose", "mark", "put", "split", "turn"];
/// Words for a heap.
const HEAP: &[&str] = &["heap", "heaps", "pile", "piles", "row", "rows", "stack", "stacks"];
/// Words that say nothing.
const SILENT: &[&str] = &["the", "a", "an", "i", "please", "away", "off", "down"];
/// Words that join the numbers of a move.
const JOINTS: &[&str] = &["and", "at", "in", "its", "neighbours", "of", "on", "with"];
/// Words that say what is left and what is reached; may be left out all together.
const DIRECTIONS: &[&str] = &["between", "from", "into", "to"];
/// What the numbers of a move are numbers of; may be left out all together.
const NAMED: &[&str] = &[
    "cell", "coin", "coins", "column", "domino", "edge", "line", "node", "queen", "row", "square",
    "step", "token",
];
/// The same, where nothing but a number is typed: elsewhere `3` is a number of pins.
const PIN: &[&str] = &["pin"];

/// Returns the words of a text; `None` if it has signs that no move has.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let text = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    let text = ["->", "=>", "→"].iter().fold(text, |text, arrow| text.replace(arrow, " to "));
    let letters: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(first) = letters.get(at).copied() {
        let same = |is: &dyn Fn(char) -> bool| {
            letters[at..].iter().take_while(|letter| is(**letter)).collect::<String>()
        };
        let joins = |sign: char| {
            let around = [at.checked_sub(1), Some(at + 1)];
            sign == '-'
                && around.iter().all(|place| {
                    place.is_some_and(|at| letters.get(at).is_some_and(|c| c.is_alphanumeric()))
                })
        };
        let word = if first.is_ascii_digit() {
            same(&|c| c.is_ascii_digit())
        } else if first.is_alphabetic() || first == '_' {
            same(&|c| c.is_alphanumeric() || matches!(c, '_' | '\''))
        } else {
            match first {
                '+' => all.push(Token::Word("and".into())),
                _ if first.is_whitespace() || matches!(first, ',' | ':' | ';') || joins(first) => {}
                _ => return None,
            }
            at += 1;
            continue;
        };
        at += word.chars().count();
        let ending: String = letters[at..].iter().take(2).collect();
        all.push(match word.parse() {
            Ok(number) if matches!(&*ending, "st" | "nd" | "rd" | "th") => {
                at += 2;
                Token::Place(number)
            }
            Ok(number) => Token::Number(number),
            Err(_) if first.is_ascii_digit() => return None,
            Err(_) => match crate::move_description::place_of_ordinal(&word) {
                Some(place) => Token::Place(place),
                None => match bouton_games::number_in_words(&word) {
                    Some(number) => Token::Number(number),
                    None => Token::Word(word),
                },
            },
        });
    }
    Some(all)
}

/// The words that tell a move from others.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Phrase {
    /// The verb, of those that mean the same the first.
    verb: Option<String>,
    rest: Vec<Token>,
}

impl Phrase {
    fn read(text: &str) -> Option<Phrase> {
        let mut rest = tokens(text)?;
        rest.retain(|token| !is(token, SILENT) && !is(token, JOINTS));
        let is_verb = |token: &Token| [TAKE, CHANGE, OTHER].iter().any(|verbs| is(token, verbs));
        let verb = match rest.first() {
            Some(first) if is(first, TAKE) => Some(TAKE[0].to_owned()),
            Some(Token::Word(first)) if is_verb(&Token::Word(first.clone())) => Some(first.clone()),
            _ => None,
        };
        if verb.is_some() {
            rest.remove(0);
        }
        Some(Phrase { verb, rest }).filter(|phrase| !phrase.rest.is_empty())
    }

    /// Returns whether what was typed means what is said of a move. The verb, what the numbers are
    /// numbers of, and words as `from` may be left out.
    fn means(&self, said: &Phrase) -> bool {
        let mut pair = [self.rest.clone(), said.rest.clone()];
        // What only one of the two says.
        for optional in [NAMED, DIRECTIONS] {
            let says = |rest: &Vec<Token>| rest.iter().any(|token| is(token, optional));
            if says(&pair[0]) != says(&pair[1]) {
                pair.iter_mut().for_each(|rest| rest.retain(|token| !is(token, optional)));
            }
        }
        if matches!(pair[0][..], [Token::Number(_)]) && self.verb.is_none() {
            pair[1].retain(|token| !is(token, PIN));
        }
        pair[0] == pair[1] && (self.verb.is_none() || self.verb == said.verb)
    }
}

fn is(token: &Token, of: &[&str]) -> bool {
    matches!(token, Token::Word(word) if of.contains(&&**word))
}

/// Which heaps a move is made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    Any,
    /// The heap at a place, counted from 1.
    At(u64),
    /// A heap of a size.
    Of(u64),
    /// The heap at a place, of a size.
    AtOf(u64, u64),
    /// `heap 3`: the third heap, or one of 3.
    Numbered(u64),
    Last,
    Both,
    Each,
}

/// What is left of a heap.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Left {
    /// So many less.
    Taken(u64),
    /// Nothing.
    Nothing,
    /// These heaps, ascending.
    Heaps(Vec<u64>),
    /// These heaps, ascending, after so many are taken.
    TakenLeaving(u64, Vec<u64>),
}

/// A move of heaps, as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HeapMove {
    which: Which,
    left: Left,
}

/// A heap that a move changes: its place from 0, its size and what is left of it, ascending.
type Change = (usize, u64, Vec<u64>);

impl HeapMove {
    /// Reads what was typed; `None` if it does not speak of heaps.
    fn read(typed: &str) -> Option<HeapMove> {
        let mut all = tokens(typed)?;
        let is_noun = |token: &Token| {
            !is(token, SILENT)
                && matches!(token, Token::Word(word) if bouton_games::is_token_noun(word))
        };
        // `pin 4` is one of the pins, not four of them.
        let names_one = all.iter().enumerate().any(|(at, token)| {
            let before = at.checked_sub(1).map(|before| &all[before]);
            is_noun(token)
                && matches!(all.get(at + 1), Some(Token::Number(_)))
                && !matches!(before, Some(Token::Number(_)))
        });
        if names_one {
            return None;
        }
        all.retain(|token| !is(token, SILENT) && !is_noun(token));
        // `take 1 and leave 3 and 3`.
        let leaving = all.iter().position(|token| is(token, &["leave", "leaves", "leaving"]));
        match leaving {
            None => HeapMove::read_words(&all),
            // `leave 2 in the first heap`.
            Some(0) => {
                let at = all.iter().skip(1).position(|token| is(token, &["in", "of", "on"]));
                let (left, rest) = all[1..].split_at(at.unwrap_or(all.len() - 1));
                let which = match rest {
                    [] => Which::Any,
                    [_, rest @ ..] => Which::read(rest).filter(|(_, rest)| rest.is_empty())?.0,
                };
                Some(HeapMove { which, left: Left::Heaps(sizes(left)?) })
            }
            Some(at) => {
                let taken = all[..at].strip_suffix(&[Token::Word("and".into())]);
                let taken = HeapMove::read_words(taken.unwrap_or(&all[..at]))?;
                let Left::Taken(count) = taken.left else { return None };
                let left = Left::TakenLeaving(count, sizes(&all[at + 1..])?);
                Some(HeapMove { which: taken.which, left })
            }
        }
    }

    /// Reads a move that does not say what is left.
    fn read_words(all: &[Token]) -> Option<HeapMove> {
        let words = all.strip_prefix(&[Token::Word("from".into())]).unwrap_or(all);
        let (before, rest) = match Which::read(words) {
            Some((which, rest)) => (Some(which), rest),
            None => (None, all),
        };
        let (verb, rest) = match rest {
            [verb, rest @ ..] if is(verb, TAKE) => (Verb::Take, rest),
            [verb, rest @ ..] if is(verb, &["split"]) => (Verb::Split, rest),
            [verb, rest @ ..] if is(verb, CHANGE) => (Verb::Change, rest),
            rest => (Verb::None, rest),
        };
        let (which, rest) = match (before, Which::read(rest)) {
            (None, Some((which, rest))) => (Some(which), rest),
            (before, _) => (before, rest),
        };
        match rest {
            // `take the first heap`.
            [] if verb == Verb::Take => Some(HeapMove { which: which?, left: Left::Nothing }),
            // `all`, `everything from the first heap`, `the whole second heap`.
            [word, rest @ ..] if is(word, &["all", "everything", "whole"]) => {
                let which = which_after(which, rest).filter(|_| verb != Verb::Split)?;
                Some(HeapMove { which, left: Left::Nothing })
            }
            // `reduce heap 1 by 2`.
            [by, Token::Number(count)] if is(by, &["by"]) && verb != Verb::Split => {
                Some(HeapMove { which: which?, left: Left::Taken(*count) })
            }
            // `take 2`, `2 from the first heap`.
            [Token::Number(count), rest @ ..]
                if verb == Verb::Take
                    || verb == Verb::None
                        && rest.first().is_some_and(|word| is(word, &["from"])) =>
            {
                Some(HeapMove { which: which_after(which, rest)?, left: Left::Taken(*count) })
            }
            rest if verb != Verb::Take => HeapMove::read_sizes(verb, which, rest),
            _ => None,
        }
    }

    /// Reads `3 to 1`, `from 3 to 1`, `to 1`, `15 into 3 and 12`, `3+12`.
    fn read_sizes(verb: Verb, which: Option<Which>, rest: &[Token]) -> Option<HeapMove> {
        let rest = rest.strip_prefix(&[Token::Word("from".into())]).unwrap_or(rest);
        let to = rest.iter().position(|word| is(word, &["to", "into"]));
        let joined = rest.iter().any(|word| is(word, &["and"]));
        let (which, size, left) = match (to, rest) {
            (Some(0), [_, left @ ..]) if which.is_some() || verb == Verb::Split => {
                (which, None, left)
            }
            (Some(1), [Token::Number(size), _, left @ ..]) => (which, Some(*size), left),
            (None, left) if joined => (which, None, left),
            _ => return None,
        };
        let which = match (which, size) {
            (None, Some(size)) => Which::Of(size),
            (Some(Which::Numbered(place) | Which::At(place)), Some(size)) => {
                Which::AtOf(place, size)
            }
            (Some(_), Some(_)) => return None,
            (which, None) => which.unwrap_or(Which::Any),
        };
        Some(HeapMove { which, left: Left::Heaps(sizes(left)?) })
    }

    /// Returns whether a move that changes these heaps is the one that was typed.
    fn fits(&self, heaps: &[u64], changes: &[Change]) -> bool {
        let is_heap = |(at, size, _): &Change| match self.which {
            Which::Any | Which::Both | Which::Each => true,
            Which::At(place) => place == *at as u64 + 1,
            Which::Of(of) => *size == of,
            Which::AtOf(place, of) => place == *at as u64 + 1 && *size == of,
            Which::Numbered(number) => number == *at as u64 + 1 || *size == number,
            Which::Last => at + 1 == heaps.len(),
        };
        let is_left = |(_, size, left): &Change| match &self.left {
            Left::Taken(taken) => left.iter().sum::<u64>().checked_add(*taken) == Some(*size),
            Left::Nothing => left.is_empty(),
            Left::Heaps(heaps) => left == heaps,
            Left::TakenLeaving(taken, heaps) => {
                left == heaps && left.iter().sum::<u64>().checked_add(*taken) == Some(*size)
            }
        };
        let count = match self.which {
            Which::Both => 2,
            Which::Each => heaps.iter().filter(|heap| **heap > 0).count(),
            _ => 1,
        };
        changes.len() == count && changes.iter().all(|change| is_heap(change) && is_left(change))
    }

    /// Returns the positions that the move may lead to where no heap is split.
    fn targets(&self, heaps: &[u64]) -> Vec<Vec<u64>> {
        let lowered = |size: u64| match &self.left {
            Left::Taken(taken) => size.checked_sub(*taken),
            Left::Nothing => Some(0),
            Left::Heaps(left) | Left::TakenLeaving(_, left) => match left[..] {
                [] => Some(0),
                [left] => Some(left),
                _ => None,
            },
        };
        let one = |at: usize| {
            let mut left = heaps.to_vec();
            left[at] = lowered(heaps[at])?;
            Some(left)
        };
        match self.which {
            Which::Both | Which::Each => {
                let all: Option<Vec<u64>> = heaps.iter().map(|heap| lowered(*heap)).collect();
                all.into_iter().collect()
            }
            _ => (0..heaps.len()).filter_map(one).collect(),
        }
    }
}

/// Reads sizes of heaps, ascending, without empty ones; `None` if there are other words, or none.
fn sizes(words: &[Token]) -> Option<Vec<u64>> {
    let number = |word: &Token| match word {
        Token::Number(size) => Some(*size),
        _ => None,
    };
    let all: Option<Vec<u64>> =
        words.iter().filter(|word| !is(word, &["and"])).map(number).collect();
    let mut all = all.filter(|all| !all.is_empty())?;
    all.retain(|size| *size > 0);
    all.sort_unstable();
    Some(all)
}

/// The kind of verb that a move begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    None,
    Take,
    Split,
    Change,
}

impl Which {
    /// Reads which heap is spoken of, at the beginning; returns the rest, too.
    fn read(words: &[Token]) -> Option<(Which, &[Token])> {
        Some(match words {
            [heap, Token::Number(number), rest @ ..] if is(heap, HEAP) => {
                (Which::Numbered(*number), rest)
            }
            [heap, of, Token::Number(size), rest @ ..]
                if is(heap, HEAP) && is(of, &["of", "with"]) =>
            {
                (Which::Of(*size), rest)
            }
            [Token::Place(place), heap, rest @ ..] if is(heap, HEAP) => (Which::At(*place), rest),
            [Token::Place(place), rest @ ..] => (Which::At(*place), rest),
            [last, heap, rest @ ..] if is(last, &["last"]) && is(heap, HEAP) => (Which::Last, rest),
            [both, heap, rest @ ..] if is(both, &["both"]) && is(heap, HEAP) => (Which::Both, rest),
            [both, rest @ ..] if is(both, &["both"]) => (Which::Both, rest),
            [each, heap, rest @ ..] if is(each, &["each", "every"]) && is(heap, HEAP) => {
                (Which::Each, rest)
            }
            _ => return None,
        })
    }
}

/// Returns which heap is spoken of, before what is taken or behind it: `from the first heap`.
fn which_after(before: Option<Which>, words: &[Token]) -> Option<Which> {
    let named = match words {
        [] => return Some(before.unwrap_or(Which::Any)),
        [word, rest @ ..] if is(word, &["from", "of"]) => rest,
        words => words,
    };
    let after = match named {
        [heap] if is(heap, HEAP) => Which::Any,
        [Token::Number(size)] if named.len() < words.len() => Which::Of(*size),
        named => Which::read(named).filter(|(_, rest)| rest.is_empty())?.0,
    };
    before.is_none().then_some(after)
}

/// Returns the heaps of a position, without what is remembered.
fn heaps(game: &dyn Game, position: &str) -> Option<Vec<u64>> {
    let all: Option<Vec<u64>> = position.split(',').map(|size| size.trim().parse().ok()).collect();
    let mut all = all?;
    all.truncate(all.len().checked_sub(game.memory())?);
    Some(all)
}

/// Returns the heaps that are changed between two positions. Where heaps stay in their places, they
/// are compared by place; else what is on both sides is the same heap.
fn changes(before: &[u64], after: &[u64]) -> Vec<Change> {
    let some = |size: u64| if size > 0 { vec![size] } else { Vec::new() };
    let stay = before.len() == after.len()
        && before.iter().zip(after).all(|(before, after)| after <= before);
    if stay {
        let pairs = before.iter().zip(after).enumerate();
        return pairs
            .filter(|(_, (before, after))| before != after)
            .map(|(at, (before, after))| (at, *before, some(*after)))
            .collect();
    }
    let mut left: Vec<u64> = after.iter().copied().filter(|heap| *heap > 0).collect();
    let mut changed = Vec::new();
    for (at, heap) in before.iter().enumerate() {
        match left.iter().position(|other| other == heap) {
            Some(place) => drop(left.remove(place)),
            None => changed.push((at, *heap, Vec::new())),
        }
    }
    left.sort_unstable();
    match &mut changed[..] {
        [(.., rest)] => *rest = left,
        _ => return Vec::new(),
    }
    changed
}

/// Returns what else may be said of a move, beside its words: the edge, the cell, the pins.
fn other_phrases(game: &dyn Game, from: &str, to: &str, words: &str) -> Vec<String> {
    let verb = words.split(' ').next().unwrap_or_default();
    let boards = game.board(from).ok().zip(game.board(to).ok());
    let Some((before, after)) = boards else { return Vec::new() };
    match (&before, &after) {
        (Board::Graph(graph), Board::Graph(_)) => match changed_part(&before, &after) {
            Some(BoardPart::GraphEdge { edge, .. }) => {
                let Some(edge) = graph.edges.get(edge) else { return Vec::new() };
                let name = |node: usize| {
                    let ground = match graph.stand {
                        GraphStand::Ground(ground) => Some(ground),
                        _ => None,
                    };
                    let name = graph.nodes.get(node).cloned().unwrap_or_default();
                    if Some(node) == ground && name.is_empty() { "ground".into() } else { name }
                };
                let [a, b] = edge.ends.map(name);
                vec![format!("{verb} edge {a} {b}"), format!("{verb} edge {b} {a}")]
            }
            _ => Vec::new(),
        },
        (Board::Track { visited, token: from }, Board::Track { token, .. }) => {
            let steps = (token + visited.len() - from) % visited.len().max(1);
            vec![format!("{verb} to cell {token}"), format!("{verb} step {steps}")]
        }
        (Board::Dots { .. }, Board::Dots { .. }) => {
            let line: String = words.trim_start_matches(verb).trim().chars().rev().collect();
            vec![format!("{verb} {line}")]
        }
        (Board::Pins(rows), Board::Pins(left)) => match (&rows[..], &left[..]) {
            ([row], [] | [_] | [_, _]) => {
                let first = left.first().copied().filter(|_| left.len() == 2).unwrap_or(0);
                let rest: u32 = left.iter().sum();
                let last = rest.saturating_sub(first);
                let count = row.saturating_sub(rest);
                let pins = |before: u32| {
                    let numbers = before + 1..=before + count;
                    let numbers: Vec<String> = numbers.map(|pin| pin.to_string()).collect();
                    let noun = if count == 1 { "pin" } else { "pins" };
                    format!("{verb} {noun} {}", numbers.join(" "))
                };
                vec![pins(first), pins(last)]
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Returns the moves that words mean: a move's own text, what is said of it in an answer, or what
/// people say of heaps, edges, cells, nodes and pins. Several if the words do not say which.
fn moves_meant(game: &dyn Game, answer: &Answer, typed: &str) -> Vec<Move> {
    let (from, listed) = (&answer.analysis.position, &answer.analysis.moves);
    let own: Vec<Move> = listed.iter().filter(|m| *m.text == *typed).cloned().collect();
    if !own.is_empty() {
        return own;
    }
    let words: Vec<(String, &Move)> =
        listed.iter().map(|m| (move_in_words(game, from, m), m)).collect();
    let said = tokens(typed);
    let exact: Vec<Move> = words
        .iter()
        .filter(|(words, _)| said.is_some() && tokens(words) == said)
        .map(|(_, m)| (*m).clone())
        .collect();
    if !exact.is_empty() {
        return exact;
    }
    // Coins on a strip are moved and turned, not taken.
    let is_strip = matches!(game.board(from), Ok(Board::Strip(_) | Board::Faces(_)));
    let heap_move = HeapMove::read(typed)
        .filter(|said| !is_strip || matches!(said.left, Left::Heaps(_)))
        .zip(heaps(game, from));
    let fits = |m: &Move| {
        let (said, before) = heap_move.as_ref()?;
        Some(said.fits(before, &changes(before, &heaps(game, &m.to)?)))
    };
    let mut found: Vec<Move> = listed.iter().filter(|m| fits(m) == Some(true)).cloned().collect();
    if found.is_empty()
        && let Some(meant) = Phrase::read(typed)
    {
        let is_meant = |(words, m): &&(String, &Move)| {
            let phrases = || other_phrases(game, from, &m.to, words);
            let means = |said: &str| Phrase::read(said).is_some_and(|said| meant.means(&said));
            means(words) || phrases().iter().any(|phrase| means(phrase))
        };
        found.extend(words.iter().filter(is_meant).map(|(_, m)| (*m).clone()));
    }
    if found.is_empty()
        && !answer.lists_all_moves()
        && game.memory() == 0
        && let Some((heap_move, before)) = &heap_move
    {
        for left in heap_move.targets(before) {
            if heap_move.fits(before, &changes(before, &left)) {
                let to = left.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
                let to = normal_form(game, &to).ok();
                found.extend(to.and_then(|to| answer.find(game, &to)));
            }
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|m| seen.insert(m.to.clone()));
    found
}

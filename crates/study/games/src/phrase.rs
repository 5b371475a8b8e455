//! Take-away games as people ask of them in words: *take 1, 2 or 3 from 21*.
//!
//! A phrase is read whole or not at all: a word that is not understood makes it none.

use crate::{RuleText, Rules, ShelfGame};
use bouton_core::{Arrange, WrittenNumber};
use std::borrow::Cow;
use std::ops::Range;

/// The most numbers that may be taken, where they are said by a bound.
const MAX_TAKEN: u64 = 1000;

/// The most that must be taken at least: a code has this many digits.
const MAX_LEAST: u64 = 255;

/// The most heaps of one size that are counted.
const MAX_COUNTED: u64 = 64;

/// Words for what heaps consist of.
const UNITS: &[&str] = &[
    "stone",
    "stones",
    "match",
    "matches",
    "matchstick",
    "matchsticks",
    "token",
    "tokens",
    "coin",
    "coins",
    "stick",
    "sticks",
    "counter",
    "counters",
    "object",
    "objects",
    "bean",
    "beans",
    "chip",
    "chips",
    "marble",
    "marbles",
    "pebble",
    "pebbles",
    "flag",
    "flags",
    "toothpick",
    "toothpicks",
    "pin",
    "pins",
    "candy",
    "candies",
    "piece",
    "pieces",
    "item",
    "items",
];

/// Words that say nothing of the rules, longer ones before those that they contain.
const FILLERS: &[&[&str]] = &[
    &["players", "take", "turns"],
    &["taking", "turns"],
    &["take", "turns"],
    &["on", "each", "turn"],
    &["in", "each", "turn"],
    &["on", "every", "turn"],
    &["on", "your", "turn"],
    &["each", "turn"],
    &["every", "turn"],
    &["per", "turn"],
    &["a", "turn"],
    &["in", "one", "move"],
    &["in", "a", "move"],
    &["each", "move"],
    &["every", "move"],
    &["per", "move"],
    &["at", "a", "time"],
    &["in", "turn"],
    &["there", "are"],
    &["there", "is"],
    &["starting", "with"],
    &["start", "with"],
    &["the", "players"],
    &["each", "player"],
    &["a", "player"],
    &["players"],
    &["away"],
    &["you"],
    &["can"],
    &["may"],
    &["must"],
];

/// Words with others that say the same in fewer.
const SHORTER: &[(&[&str], &[&str])] = &[
    (&["as", "many", "as", "you", "like"], &["any"]),
    (&["as", "many", "as", "you", "want"], &["any"]),
    (&["the", "whole", "heap"], &["all"]),
    (&["the", "whole", "pile"], &["all"]),
    (&["all", "of", "them"], &["all"]),
    (&["everything"], &["all"]),
    (&["take", "either"], &["take"]),
    (&["takes", "either"], &["takes"]),
    (&["remove", "either"], &["remove"]),
    (&["take", "any", "of"], &["take"]),
    (&["takes", "any", "of"], &["takes"]),
    (&["remove", "any", "of"], &["remove"]),
];

/// Numbers in words, from one on.
const NUMBERS: &[&str] = &[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

/// Tens in words, from twenty on.
const TENS: &[&str] =
    &["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// Parts of a heap, from the half on.
const PARTS: &[&str] = &[
    "half", "third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "fourth",
];

/// Words for a heap.
const HEAP_NOUNS: &[&str] = &["pile", "piles", "heap", "heaps", "row", "rows", "stack", "stacks"];

/// The other words before the heaps that are given.
const HEAP_WORDS: &[&str] = &["of", "with", "a", "the", "in", "size", "sizes", "containing"];

/// Words for a move.
const VERBS: &[&str] = &[
    "take",
    "takes",
    "taking",
    "remove",
    "removes",
    "removing",
    "subtract",
    "subtracting",
    "erase",
    "erases",
    "discard",
    "discards",
];

/// Words that say who begins, behind the number of the player.
const BEGINS: &[&[&str]] =
    &[&["starts"], &["begins"], &["goes", "first"], &["moves", "first"], &["plays", "first"]];

/// Returns the number that one word says, in lower case: *three*; `None` if it says none.
pub fn number_in_words(word: &str) -> Option<u64> {
    number(word).filter(|_| word.starts_with(char::is_alphabetic))
}

/// The other words of phrases.
const OTHERS: &str = "or and but from to through between at most least up no not more than fewer \
    less exactly any an all each its race count add adding nim number numbers square squares cube \
    cubes triangular fibonacci prime primes power powers multiple multiples divisor divisors \
    proper even odd one both same equal equally either dozen hundred thousand player players \
    alternately alternate -";

/// Phrases that are read, for those who wrote another.
pub(crate) const ACCEPTED: &str = "21 stones, take up to 3; take 1, 2 or 3 from 21; take a prime, \
    1 or all from 20; two piles of 7 and 9, take at most half; take 3 or more";

/// Returns whether a text is meant as a phrase: it has a word for a move as its first one, or
/// behind a number.
pub(crate) fn is_meant(text: &str) -> bool {
    let small = small(&with_numbers(text));
    let words: Vec<&str> = small.split_whitespace().collect();
    let verb = words.iter().position(|word| VERBS.contains(word));
    let is_unit = |word: &&str| UNITS.contains(word) || HEAP_NOUNS.contains(word);
    verb.is_some_and(|verb| {
        verb == 0
            || words[..verb].iter().any(|word| number(word).is_some())
            || words[verb..].iter().any(|word| number(word).is_some() || is_unit(word))
    })
}

/// Returns a text without capitals, and with a blank for each sign between words: a word stays at
/// its place.
fn small(text: &str) -> String {
    let mut small = text.to_ascii_lowercase().replace([',', ';', ':'], " ");
    while let Some(at) = small.find(". ").or(small.ends_with('.').then(|| small.len() - 1)) {
        small.replace_range(at..=at, " ");
    }
    small
}

/// Returns a text in small letters, with digits for numbers of several words: `twenty one`, `two
/// hundred`, `a dozen`.
fn with_numbers(text: &str) -> String {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut written: Vec<Cow<'_, str>> = Vec::new();
    let mut rest = &words[..];
    while let [first, behind @ ..] = rest {
        match number_of_words(rest) {
            Some((value, count)) if count > 1 => {
                let last = rest[count - 1];
                let sign = &last[last.trim_end_matches(ENDS).len()..];
                written.push(format!("{value}{sign}").into());
                rest = &rest[count..];
            }
            _ => {
                written.push((*first).into());
                rest = behind;
            }
        }
    }
    written.join(" ")
}

/// Signs behind a word with which a number ends: `twenty, one` are two.
const ENDS: [char; 5] = [',', ';', ':', '.', ')'];

/// Returns the number that words begin with, and how many words it has.
fn number_of_words(words: &[&str]) -> Option<(u64, usize)> {
    // The words of one number: a sign ends it.
    let count = words.iter().take_while(|word| !word.ends_with(ENDS)).count() + 1;
    let words = &words[..count.min(words.len()).min(5)];
    let words: Vec<&str> = words.iter().map(|word| word.trim_end_matches(ENDS)).collect();
    if let ["half", "a", "dozen", ..] = words[..] {
        return Some((6, 3));
    }
    let below_hundred = |words: &[&str]| {
        let tens = words.first().and_then(|word| TENS.iter().position(|tens| tens == word));
        let ones = words.get(1).and_then(|word| NUMBERS[..9].iter().position(|one| one == word));
        match (tens, ones) {
            (Some(tens), Some(ones)) => Some((10 * (tens as u64 + 2) + ones as u64 + 1, 2)),
            _ => Some((number(words.first()?)?, 1)),
        }
    };
    let (count, len) = if words[0] == "a" { (1, 1) } else { below_hundred(&words)? };
    let unit = match words.get(len) {
        Some(&"dozen") => 12,
        Some(&"hundred") if count < 10 => 100,
        Some(&"thousand") => 1000,
        _ => return (words[0] != "a").then_some((count, len)),
    };
    let (whole, len) = (count.checked_mul(unit)?, len + 1);
    // `two hundred fifty`; two numbers may have `and` between them.
    let more = below_hundred(words.get(len..).unwrap_or_default());
    let is_word = words.get(len).is_some_and(|word| word.starts_with(char::is_alphabetic));
    match more.filter(|(more, _)| unit > 12 && is_word && *more < 100) {
        Some((more, words)) => whole.checked_add(more).map(|sum| (sum, len + words)),
        None => Some((whole, len)),
    }
}

/// Returns words such as `a hundred and five`, which may be one number or two.
fn hundred_and(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.windows(3).position(|three| {
        let is_unit = matches!(three[0], "hundred" | "thousand");
        is_unit && three[1] == "and" && number(three[2].trim_end_matches(ENDS)).is_some()
    })?;
    Some(words[at.saturating_sub(1)..at + 3].join(" "))
}

/// Takes words out, wherever they stand.
fn remove(words: &mut Vec<&str>, removed: &[&str]) {
    while let Some(at) = words.windows(removed.len()).position(|said| said == removed) {
        words.drain(at..at + removed.len());
    }
}

/// Takes the words out that say nothing of the rules, and says others in fewer.
fn shorten(words: &mut Vec<&str>) {
    for (long, short) in SHORTER {
        while let Some(at) = words.windows(long.len()).position(|said| said == *long) {
            words.splice(at..at + long.len(), short.iter().copied());
        }
    }
    words.retain(|word| !UNITS.contains(word));
    FILLERS.iter().for_each(|filler| remove(words, filler));
    // Behind a verb it may say that what is taken alternates.
    for verb in VERBS {
        for turns in ["alternately", "alternate"] {
            while let Some(at) = words.windows(2).position(|pair| pair == [turns, verb]) {
                words.remove(at);
            }
        }
    }
}

/// Returns the game of a phrase and its position, if one is said, as `S(1,2,3):21` is read; `None`
/// if the text is none.
pub(crate) fn read(text: &str) -> Option<(String, Option<String>)> {
    // `*3` is a heap of Nim.
    if let Some(size) = text.trim().strip_prefix('*') {
        let size = if size.is_empty() { 1 } else { number(size)? };
        return Some(("nim".into(), Some(size.to_string())));
    }
    if thousands(text).is_some() {
        return None;
    }
    // `subtract {1,3,4} from 20`.
    let is_set = text.matches('{').count() == 1 && text.matches('}').count() == 1;
    if hundred_and(text).is_some() {
        return None;
    }
    let text = small(&with_numbers(text));
    let text = if is_set { text.replace(['{', '}'], " ") } else { text };
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if other_players(&mut words).is_some() {
        return None;
    }
    // The game of 21 flags, with another number of them.
    if let [number_of, "flags"] = words[..] {
        return Some(("S(1,2,3)".into(), Some(number(number_of)?.to_string())));
    }
    shorten(&mut words);
    if let ["race" | "count", "to", goal, rest @ ..] = &words[..] {
        // Counting up to a number is taking from a heap of as many.
        let said = rest.strip_prefix(&["adding"]).or(rest.strip_prefix(&["add"]));
        // A number alone may be where the race stands, or the most that is added.
        let added = said.or(Some(rest).filter(|rest| rest.len() > 1))?;
        let game = game(added).filter(|_| kind(added).is_none())?;
        return Some((game, Some(number(goal)?.to_string())));
    }
    let verb = words.iter().position(|word| VERBS.contains(word));
    let Some(verb) = verb else {
        // `nim at most 4`; `piles 3 4 5`, `nim with heaps 3, 4 and 5`.
        if let ["nim", "at" | "up", "most" | "to", _] = &words[..] {
            return Some((game(&words[1..])?, None));
        }
        let words = words.strip_prefix(&["nim"]).unwrap_or(&words);
        // `21 stones, at most 8 per turn`.
        let bound = words.windows(2).position(|pair| matches!(pair, ["at", "most"] | ["up", "to"]));
        if let Some(bound) = bound.filter(|bound| *bound > 0) {
            return Some((game(&words[bound..])?, Some(heaps(&words[..bound])?)));
        }
        let is_named = words.iter().any(|word| HEAP_NOUNS.contains(word));
        return is_named.then(|| Some(("nim".into(), Some(heaps(words)?))))?;
    };
    let (before, after) = (&words[..verb], &words[verb + 1..]);
    let before = before.strip_suffix(&["and"]).unwrap_or(before);
    if is_one_or_both(after) {
        let only_counted = matches!(before, ["2" | "two", heaps] if HEAP_NOUNS.contains(heaps));
        let heaps = if only_counted || before.is_empty() { None } else { Some(given(before)?) };
        return heaps
            .as_ref()
            .is_none_or(|all| all.split(',').count() == 2)
            .then(|| ("wythoff".into(), heaps));
    }
    let (taken, heaps) = match after.iter().rposition(|word| *word == "from") {
        Some(from) if before.is_empty() => (&after[..from], Some(heaps(&after[from + 1..])?)),
        // `two piles of 7 and 9, take any number from one pile`.
        Some(from) if is_one_heap(&after[from + 1..]) => (&after[..from], Some(given(before)?)),
        None if before.is_empty() && says_what_is_taken(after) => (after, None),
        // `take at most a third of 100`.
        None if before.is_empty() => match after {
            [taken @ .., "of", heap] if kind(taken).is_some() => (taken, Some(heaps(&[heap])?)),
            _ => return None,
        },
        None => (after, Some(given(before)?)),
        _ => return None,
    };
    Some((game(taken)?, heaps))
}

/// Returns whether words are what may be taken in Wythoff's game: `any number from one pile, or the
/// same number from both`.
fn is_one_or_both(words: &[&str]) -> bool {
    let is_said = |word: &&str| {
        !HEAP_NOUNS.contains(word) && !matches!(*word, "of" | "the" | "an" | "either")
    };
    let said: Vec<&str> = words.iter().copied().filter(is_said).collect();
    let (first, second) = match said.iter().position(|word| *word == "or") {
        Some(or) => (&said[..or], &said[or + 1..]),
        None => return false,
    };
    let from_one = first.strip_prefix(&["any"]).unwrap_or(first);
    let from_one = from_one.strip_prefix(&["number"]).unwrap_or(from_one);
    matches!(from_one, ["from", "one" | "1"])
        && matches!(
            second,
            ["same" | "equal", "number", "from", "both"] | ["equally", "from", "both"]
        )
}

/// Returns whether a word may stand before heaps.
fn is_heap_word(word: &str) -> bool {
    HEAP_NOUNS.contains(&word) || HEAP_WORDS.contains(&word)
}

/// Returns the heaps that are said before the move.
fn given(before: &[&str]) -> Option<String> {
    heaps(before.strip_prefix(&["from"]).unwrap_or(before))
}

/// Returns whether words mean one of the heaps: `one pile`, `any one heap`, `the row`.
fn is_one_heap(words: &[&str]) -> bool {
    let rest = words.strip_suffix(&["pile"]).or(words.strip_suffix(&["heap"]));
    matches!(
        rest.or(words.strip_suffix(&["row"])),
        Some(["one" | "a" | "any" | "the" | "either" | "1"] | ["any", "one"] | ["a", "single"])
    )
}

/// Takes out who begins, and that there are two players, as everywhere; returns the number of them
/// where it is another: `3 players`.
fn other_players<'w>(words: &mut Vec<&'w str>) -> Option<&'w str> {
    const BEFORE: &[&str] = &["with", "for", "by", "between"];
    let player = |words: &[&str]| match words {
        ["player", number, ..] => matches!(number, &"1" | &"2" | &"one" | &"two"),
        [place, "player", ..] => matches!(place, &"first" | &"second"),
        _ => false,
    };
    while let Some((at, len)) = (0..words.len()).find_map(|at| {
        let rest = words.get(at + 2..)?;
        let begins = BEGINS.iter().find(|begins| rest.starts_with(begins))?;
        player(&words[at..]).then_some((at, 2 + begins.len()))
    }) {
        let the = usize::from(at > 0 && words[at - 1] == "the");
        words.drain(at - the..at + len);
    }
    while let Some(at) = words.windows(2).position(|pair| {
        number(pair[0]).is_some() && ["player", "players"].contains(&pair[1].trim_end_matches('.'))
    }) {
        if number(words[at]) != Some(2) {
            return Some(words[at]);
        }
        let begin = at - usize::from(at > 0 && BEFORE.contains(&words[at - 1]));
        words.drain(begin..at + 2);
    }
    None
}

/// Returns why a text with a word for a move is no game, though each word is understood, and what
/// to write instead.
pub(crate) fn refusal(text: &str) -> Option<(String, String)> {
    let refused = |message: String, accepted: String| Some((message, accepted));
    if let Some(number) = hundred_and(text) {
        let message = format!("`{number}` may be one number or two");
        return refused(message, "the numbers in digits, as 105, or 100 and 5".into());
    }
    let small = small(&with_numbers(text));
    let mut words: Vec<&str> = small.split_whitespace().collect();
    if let Some(count) = other_players(&mut words) {
        let message = format!("`{count} players`: the games here have two");
        return refused(message, "take 1, 2 or 3 from 21".into());
    }
    shorten(&mut words);
    let verb = words.iter().position(|word| VERBS.contains(word))?;
    let from = words.iter().rposition(|word| *word == "from").filter(|from| *from > verb);
    let taken = &words[verb + 1..from.unwrap_or(words.len())];
    if let Some(from) = from
        && let [one, "or", other] = words[from + 1..]
        && number(one).is_some()
        && number(other).is_some()
    {
        let message = format!("`{one} or {other}` are two questions");
        let asked = words[..from].join(" ");
        return refused(message, format!("{asked} from {one}, then {asked} from {other}"));
    }
    let mut parts = taken.split(|word| *word == "or");
    if parts.any(|part| part_of_heap(part.strip_prefix(&["exactly"]).unwrap_or(part)) == Some(2)) {
        let message = "half of an odd heap may be rounded down or up, or be the most that is taken";
        let accepted = "take at most half from 10; mark 10, to take one or leave half, rounded \
            down; or a rule file with heaps = 1 and, rounded down, \
            move = \"q0 < p0 & (2*q0 = p0 | 2*q0 = p0+1)\", rounded up, \
            move = \"p0 > 0 & (2*q0 = p0 | 2*q0+1 = p0)\"";
        return refused(message.into(), accepted.into());
    }
    let parts: Vec<&[&str]> = taken.split(|word| *word == "or").collect();
    if let Some((kind, last)) = doubtful(&parts) {
        let message =
            format!("`{}` may be a number that is taken, or one as in `{}`", last, kind.join(" "));
        let other = [&kind[..kind.len() - 1], &[&*last]].concat().join(" ");
        let kind = kind.join(" ");
        return refused(message, format!("take {last} or {kind}; take {kind} or {other}"));
    }
    None
}

/// Returns the first word of a phrase that is not understood, or else the words that say nothing
/// that can be taken, by its bytes, and why.
pub(crate) fn not_understood(text: &str) -> Option<(Range<usize>, String)> {
    if !is_meant(text) {
        return None;
    }
    let small = small(text).replace(['{', '}', '(', ')'], " ");
    let words: Vec<&str> = small.split_whitespace().collect();
    let place = |word: &str| word.as_ptr() as usize - small.as_ptr() as usize;
    if let Some(word) = words.iter().find(|word| !is_understood(word)) {
        let at = place(word)..place(word) + word.len();
        let message = format!("`{}` is not understood", &text[at.clone()]);
        return Some((at, message));
    }
    let verb = words.iter().position(|word| VERBS.contains(word))?;
    let behind = &words[verb + 1..];
    let from = behind.iter().rposition(|word| *word == "from").unwrap_or(behind.len());
    let at = place(behind.first()?)..place(behind[..from].last()?) + behind[from - 1].len();
    let numbered = with_numbers(&text[at.clone()]);
    let listed = self::small(&numbered);
    let mut taken: Vec<&str> = listed.split_whitespace().collect();
    shorten(&mut taken);
    if game(&taken).is_none() {
        let message = format!("`{}` is nothing that can be taken", &text[at.clone()]);
        return Some((at, message));
    }
    let (first, last) = (behind.get(from + 1)?, behind.last()?);
    let at = place(first)..place(last) + last.len();
    let listed = self::small(&with_numbers(&text[at.clone()]));
    let mut said: Vec<&str> = listed.split_whitespace().collect();
    shorten(&mut said);
    let message = format!("`{}` is no list of heaps, and no single one", &text[at.clone()]);
    (heaps(&said).is_none() && !is_one_heap(&said)).then_some((at, message))
}

/// Returns the numbers behind the name of a game as words say them: `with 12 pins`, `on rows of 3
/// and 4`.
pub(crate) fn heaps_said(text: &str) -> Option<String> {
    let text = small(&with_numbers(text));
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.retain(|word| !UNITS.contains(word));
    let behind = words.strip_prefix(&["on"]).or(words.strip_prefix(&["from"]));
    let is_said = behind.is_some() || words.first().is_some_and(|word| is_heap_word(word));
    if is_said { heaps(behind.unwrap_or(&words)) } else { None }
}

/// Returns whether a word is one for what heaps consist of.
pub fn is_token_noun(word: &str) -> bool {
    UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(word))
}

/// Returns a text without the word at its end for what heaps consist of, behind a number: `kayles
/// 12 pins`.
pub(crate) fn without_unit(text: &str) -> Option<&str> {
    let (before, last) = text.trim_end().rsplit_once(char::is_whitespace)?;
    let before = before.trim_end();
    let (name, heap) = before.rsplit_once([' ', ',', ':'])?;
    let is_named = name.trim_start().starts_with(char::is_alphabetic);
    (is_token_noun(last) && is_named && WrittenNumber::whole(heap).is_some()).then_some(before)
}

/// Returns whether a text begins with a number of heaps, or of what they consist of.
pub(crate) fn begins_with_number(text: &str) -> bool {
    let text = with_numbers(text);
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| number(word).is_some())
        && words.next().is_some_and(|word| {
            let word = word.trim_end_matches(ENDS);
            UNITS.contains(&word) || HEAP_NOUNS.contains(&word)
        })
}

/// Returns whether phrases have a word.
fn is_understood(word: &str) -> bool {
    let within = |lists: &[&[&str]]| lists.iter().any(|list| list.contains(&word));
    within(&[UNITS, HEAP_NOUNS, HEAP_WORDS, VERBS, PARTS])
        || within(FILLERS)
        || within(BEGINS)
        || OTHERS.split_whitespace().any(|other| other == word)
        || SHORTER.iter().any(|(long, _)| long.contains(&word))
        || number(word).is_some()
        || range(word).is_some()
}

/// Returns the first kind with a number at its end, as `a power of 2`, and numbers behind it that
/// may be of this kind or be taken.
fn doubtful<'w>(parts: &[&'w [&'w str]]) -> Option<(&'w [&'w str], String)> {
    let ends_in_number =
        |words: &[&str]| kind(words).is_some() && words.last().is_some_and(|w| number(w).is_some());
    let pair = |pair: &[&'w [&'w str]]| {
        (ends_in_number(pair[0]) && listed(pair[1]).is_some()).then(|| (pair[0], pair[1].join(" ")))
    };
    parts.windows(2).find_map(pair)
}

/// Returns the goal of a race that does not say how many are added: `race to 50`.
pub(crate) fn bare_race(text: &str) -> Option<u64> {
    let small = with_numbers(text);
    match small.split_whitespace().collect::<Vec<_>>()[..] {
        ["race" | "count", "to", goal] => number(goal),
        _ => None,
    }
}

/// Returns a number with commas between thousands, or two numbers: `10,500`.
pub(crate) fn thousands(text: &str) -> Option<&str> {
    let words = text.split_whitespace().map(|word| word.trim_end_matches([',', '.', ';', ':']));
    words.into_iter().find(|word| {
        let mut groups = word.split(',');
        let is_group = |group: &str| group.len() == 3 && group.bytes().all(|c| c.is_ascii_digit());
        let first = groups.next().unwrap_or_default();
        let is_first = (1..=3).contains(&first.len()) && first.bytes().all(|c| c.is_ascii_digit());
        is_first && word.contains(',') && groups.all(is_group)
    })
}

/// Returns whether words end in what may be taken, so that no heaps stand behind them: `1 3 or 4`,
/// `up to 3`, `at least 2`, `an odd number`.
fn says_what_is_taken(words: &[&str]) -> bool {
    let begins = |start: &[&str]| words.starts_with(start);
    let is_bound = begins(&["at", "least"])
        || begins(&["no", "more", "than"])
        || begins(&["not", "more", "than"]);
    if kind(words).is_some()
        || union(words).is_some()
        || is_bound
        || begins(&["fewer", "than"])
        || begins(&["less", "than"])
    {
        return true;
    }
    // `1-3`, `2 or more`, `10 or fewer`.
    if let [word] | [word, "or", "more" | "fewer" | "less"] = words {
        return range(word).is_some() || words.len() == 3 && number(word).is_some();
    }
    let joins = |word: &&&str| matches!(**word, "or" | "and" | "to" | "through" | "most");
    let is_one = words.iter().filter(joins).count() == 1;
    let is_range_and = || words.iter().filter(joins).eq([&"to", &"or"]) && words[1] == "to";
    (is_one || is_range_and()) && words.iter().rev().nth(1).filter(joins).is_some()
}

/// Returns the ends of a range in one word: `1..3`, `1-3`.
fn range(word: &str) -> Option<(u64, u64)> {
    let ends = word.split_once("..").or_else(|| word.split_once(['-', '–']));
    let (least, most) = ends?;
    Some((number(least)?, number(most)?))
}

/// Returns the heaps: numbers behind words that say that they are heaps. A number before such a
/// word counts them, as in `2 piles of 5 and 7`, or `2 piles of 5`.
fn heaps(words: &[&str]) -> Option<String> {
    let lead = words.iter().take_while(|word| matches!(**word, "with" | "of" | "in")).count();
    let stated = &words[lead..];
    if let [count, heap, rest @ ..] = stated
        && HEAP_NOUNS.contains(heap)
        && let Some(count) = number(count)
    {
        let rest = rest.strip_prefix(&["of"]).unwrap_or(rest);
        let each = rest.strip_suffix(&["each"]);
        let all = heaps(each.unwrap_or(rest))?;
        let sizes = all.split(',').count() as u64;
        return match count {
            _ if each.is_some() && sizes > 1 => None,
            count if count == sizes => Some(all),
            count @ 2..=MAX_COUNTED if sizes == 1 => Some(vec![all; count as usize].join(",")),
            _ => None,
        };
    }
    let first = words.iter().position(|word| !is_heap_word(word))?;
    let sizes = words[first..].iter().filter(|word| **word != "and");
    let all: Option<Vec<String>> = sizes.map(|word| Some(number(word)?.to_string())).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.join(","))
}

/// Returns a number in digits, or in one word: `21`, `twenty-one`.
fn number(word: &str) -> Option<u64> {
    if let Some(place) = NUMBERS.iter().position(|number| *number == word) {
        return Some(place as u64 + 1);
    }
    let (tens, ones) = word.split_once('-').unwrap_or((word, ""));
    if let Some(place) = TENS.iter().position(|number| *number == tens) {
        let ones = match ones {
            "" if word == tens => Some(0),
            ones => NUMBERS[..9].iter().position(|number| *number == ones).map(|ones| ones + 1),
        };
        return Some(10 * (place as u64 + 2) + ones? as u64);
    }
    let is_whole = !word.starts_with('0') || word == "0";
    WrittenNumber::whole(word).filter(|_| is_whole)?.value()
}

/// Returns the game of the shelf in which numbers of this kind may be taken: `a square number`,
/// `at most half of the heap`.
fn kind(words: &[&str]) -> Option<Cow<'static, str>> {
    match most_of_heap(words) {
        Some(2) => return Some("half-nim".into()),
        Some(3) => return Some("third-nim".into()),
        _ => {}
    }
    let article = ["a", "an", "any"].into_iter().find_map(|word| words.strip_prefix(&[word]));
    let words = article.filter(|rest| !matches!(rest, [] | ["number", ..])).unwrap_or(words);
    // `an odd number of stones`, without the stones.
    let words = words.strip_suffix(&["of"]).unwrap_or(words);
    if let Some(factor) = multiple(words) {
        return Some(format!("0.[{}3]", "0".repeat(factor as usize - 1)).into());
    }
    let name = match words {
        ["square" | "squares"] | ["square", "number" | "numbers"] => "subtract-a-square",
        ["cube" | "cubes"] | ["cube", "number" | "numbers"] => "take-a-cube",
        ["triangular", "number" | "numbers"] => "take-a-triangular-number",
        ["fibonacci", "number" | "numbers"] => "take-a-fibonacci-number",
        ["prime" | "primes"] | ["prime", "number" | "numbers"] => "take-a-prime",
        ["power" | "powers", "of", "2" | "two"] => "powers-of-two",
        ["power" | "powers", "of", "3" | "three"] => "powers-of-three",
        ["divisor" | "divisors"] => "dim",
        ["proper", "divisor" | "divisors"] => "divisor",
        ["even", "number"] => "even-take",
        ["odd", "number"] => "odd-take",
        ["any"] | ["any", "number"] => "nim",
        ["1" | "one", "or", "all"] | ["all", "or", "1" | "one"] => "one-or-all",
        _ => return None,
    };
    Some(name.into())
}

/// Returns how many times the most that may be taken fits into the heap: 2 of `at most half`.
fn most_of_heap(words: &[&str]) -> Option<u64> {
    const BOUNDS: &[&[&str]] =
        &[&["at", "most"], &["up", "to"], &["no", "more", "than"], &["not", "more", "than"]];
    part_of_heap(BOUNDS.iter().find_map(|bound| words.strip_prefix(*bound))?)
}

/// Returns how many times a part fits into the heap: 2 of `half`, 4 of `a quarter of the pile`.
fn part_of_heap(words: &[&str]) -> Option<u64> {
    let part = match words {
        [part @ .., "of", "a" | "the" | "any" | "one" | "its" | "1", heap]
            if HEAP_NOUNS.contains(heap) =>
        {
            part
        }
        [part @ .., "of", "them" | "it"] => part,
        part => part,
    };
    let (article, part) = match part {
        [part] => (false, part),
        ["a" | "one" | "1", part] => (true, part),
        _ => return None,
    };
    let place = PARTS.iter().position(|name| name == part)?;
    let is_half = place == 0;
    let times = if *part == "fourth" { 4 } else { place as u64 + 2 };
    (is_half || article).then_some(times)
}

/// Returns the number of which multiples may be taken: `a multiple of 3`.
fn multiple(words: &[&str]) -> Option<u64> {
    let words = words.strip_prefix(&["a"]).or(words.strip_prefix(&["any"])).unwrap_or(words);
    let ["multiple" | "multiples", "of", factor] = words else { return None };
    number(factor).filter(|factor| (1..=MAX_LEAST).contains(factor))
}

/// Returns the name of the game in which a number of one of several kinds may be taken, or one of
/// some numbers: `1 or a prime` is `take-1-or-a-prime`. `None` of other words, and if it is in
/// doubt to which kind a number belongs.
fn union(words: &[&str]) -> Option<String> {
    let parts: Vec<&[&str]> = words.split(|word| *word == "or").collect();
    if doubtful(&parts).is_some() {
        return None;
    }
    let (mut numbers, mut kinds) = (Vec::new(), Vec::new());
    for part in parts {
        match listed(part) {
            Some(list) => numbers.extend(list),
            None => kinds.push(match most_of_heap(part) {
                Some(2) => "at-most-half".into(),
                Some(times) => format!("at-most-a-{}", PARTS[times as usize - 2]),
                None => part.join("-"),
            }),
        }
    }
    numbers.arrange();
    numbers.dedup();
    let numbers = numbers.iter().map(u64::to_string);
    let name = format!("take-{}", numbers.chain(kinds).collect::<Vec<_>>().join("-or-"));
    rules_of_union(&name).is_some().then_some(name)
}

/// Returns the rule file of a game that [`union`] names.
pub(crate) fn rules_of_union(name: &str) -> Option<String> {
    let words: Vec<&str> = name.strip_prefix("take-")?.split('-').collect();
    let parts: Vec<&[&str]> = words.split(|word| *word == "or").collect();
    let formula = |part: &&[&str]| match part {
        [one] if number(one).is_some_and(|one| one > 0) => {
            Some(format!("q0+{} = p0", number(one)?))
        }
        part if let Some(factor) = multiple(part) => Some(format!("(p0-q0) mod {factor} = 0")),
        ["all"] => Some("q0 = 0".into()),
        part if let Some(times) = most_of_heap(part) => Some(format!("{times}*(p0-q0) <= p0")),
        part => {
            let entry = ShelfGame::named(&kind(part)?)?;
            let Rules::File(text) = entry.rules() else { return None };
            let moves = RuleText::read(text).ok()?.moves;
            (!moves.is_empty() && entry.other_misere().is_none()).then(|| format!("({moves})"))
        }
    };
    if doubtful(&parts).is_some() {
        return None;
    }
    let formulas: Vec<String> = parts.iter().map(formula).collect::<Option<_>>()?;
    let is_kind = |part: &[&str]| kind(part).is_some() || part == ["all"];
    let is_part_of_heap = |part: &[&str]| kind(part).is_none() && most_of_heap(part).is_some();
    let is_union = parts.len() > 1 && parts.iter().any(|part| is_kind(part))
        || parts.iter().any(|part| is_part_of_heap(part));
    let moves = formulas.join(" | ");
    is_union
        .then(|| format!("name = \"{name}\"\nheaps = \"any\"\nmove = \"q0 < p0 & ({moves})\"\n"))
}

/// Returns where the words at the end of a text begin that say who wins, and whether that is who
/// does not make the last move: `last loses`, `the player who takes the last stone wins`,
/// `misère play`.
pub(crate) fn play_phrase_at_end(text: &str) -> Option<(usize, bool)> {
    const BEFORE: &[&str] = &[
        "the", "who", "whoever", "player", "and", "that", "takes", "taking", "eats", "removes",
        "to", "move",
    ];
    let mut words: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        if !word.trim().is_empty() {
            let bare = word.trim().trim_end_matches(['.', '!', ')']).trim_start_matches('(');
            words.push((at, bare.to_ascii_lowercase()));
        }
        at += word.len();
    }
    let is_convention = |word: &str| matches!(word, "misere" | "misère" | "normal");
    if let [before @ .., (begin, word), (_, play)] = &words[..]
        && play == "play"
        && is_convention(word)
    {
        let begin = before.last().filter(|(_, word)| word == "in").map_or(*begin, |(at, _)| *at);
        return Some((begin, word != "normal"));
    }
    let loses = match words.pop()?.1.as_str() {
        "loses" => true,
        "wins" => false,
        _ => return None,
    };
    let last =
        |words: &[(usize, String)]| words.last().map(|(_, word)| word.clone()).unwrap_or_default();
    let words_of = |words: &[(usize, String)], from: usize| -> Vec<String> {
        words[words.len().saturating_sub(from)..].iter().map(|(_, word)| word.clone()).collect()
    };
    // Whoever cannot move loses: that is normal play.
    for stuck in [
        &["cannot", "move"][..],
        &["can't", "move"],
        &["can’t", "move"],
        &["can", "not", "move"],
        &["unable", "to", "move"],
    ] {
        if words_of(&words, stuck.len()) == stuck {
            words.truncate(words.len() - stuck.len());
            let mut begin = words.last()?.0;
            if !["who", "whoever", "that", "player"].contains(&words.pop()?.1.as_str()) {
                return None;
            }
            while ["the", "a", "player"].contains(&last(&words).as_str()) {
                begin = words.pop()?.0;
            }
            return Some((begin, !loses));
        }
    }
    let is_mover =
        |word: &str| UNITS.contains(&word) || ["one", "player", "mover", "move"].contains(&word);
    // The last player to move, or to take one.
    if words_of(&words, 2).first().is_some_and(|word| word == "to")
        && ["move", "take", "play"].contains(&last(&words).as_str())
    {
        words.truncate(words.len() - 2);
    }
    if is_mover(&last(&words)) {
        words.pop();
    }
    let (mut begin, word) = words.pop()?;
    if word != "last" {
        return None;
    }
    // Also the one who takes it.
    let is_the_one = |words: &[(usize, String)]| words_of(words, 2) == ["the", "one"];
    while BEFORE.contains(&last(&words).as_str()) || is_the_one(&words) {
        begin = words.pop()?.0;
    }
    Some((begin, loses))
}

/// Returns the game in which these numbers may be taken.
fn game(words: &[&str]) -> Option<String> {
    let set = |most: u64, least: u64| {
        let is_range = 1 <= least && least <= most && most <= MAX_TAKEN;
        let numbers =
            || (least..=most).map(|number| number.to_string()).collect::<Vec<_>>().join(",");
        is_range.then(|| format!("S({})", numbers()))
    };
    if let Some(name) = kind(words) {
        return Some(name.into_owned());
    }
    match words.strip_prefix(&["exactly"]).unwrap_or(words) {
        ["at", "least", least] | [least, "or", "more"] => {
            // As a code: any number from this one on, with one heap left or none.
            let least = number(least).filter(|least| (1..=MAX_LEAST).contains(least))?;
            Some(format!("0.{}[3]", "0".repeat(least as usize - 1)))
        }
        ["at", "least", least, "and" | "but", "at", "most", most] => {
            set(number(most)?, number(least)?)
        }
        ["up", "to", most]
        | ["at", "most", most]
        | ["no" | "not", "more", "than", most]
        | [most, "or", "fewer" | "less"] => set(number(most)?, 1),
        ["fewer" | "less", "than", bound] => set(number(bound)?.checked_sub(1)?, 1),
        ["from", least, "to", most] | [least, "to" | "-" | "through", most] => {
            set(number(most)?, number(least)?)
        }
        ["between", least, "and", most] => set(number(most)?, number(least)?),
        words => {
            let Some(numbers) = listed(words) else { return union(words) };
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            Some(format!("S({})", numbers.join(",")))
        }
    }
}

/// Returns numbers and ranges of numbers that may be taken, in their order, each once.
fn listed(words: &[&str]) -> Option<Vec<u64>> {
    let listed = words.iter().filter(|word| !matches!(**word, "or" | "and"));
    let listed: Vec<&str> = listed.copied().collect();
    let (mut numbers, mut rest) = (Vec::new(), &listed[..]);
    while let [first, behind @ ..] = rest {
        let (ends, behind) = match behind {
            ["to" | "through", last, behind @ ..] => ((number(first)?, number(last)?), behind),
            _ => (range(first).or_else(|| Some((number(first)?, number(first)?)))?, behind),
        };
        let is_range = 1 <= ends.0 && ends.0 < ends.1 && ends.1 <= MAX_TAKEN;
        if !is_range && ends.0 != ends.1 {
            return None;
        }
        numbers.extend(ends.0..=ends.1);
        rest = behind;
    }
    numbers.arrange();
    numbers.dedup();
    (!numbers.is_empty()).then_some(numbers)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]
    use super::{
        heaps_said, not_understood, play_phrase_at_end, read, refusal, rules_of_union, without_unit,
    };
    use crate::RuleFile;
    use bouton_core::Outcome;

    /// Two players are no heap, and no number that is taken.
    #[test]
    fn players_are_two() {
        let from = |heap: &str| Some(("S(1,2,3)".to_owned(), Some(heap.to_owned())));
        for text in [
            "two players, 21 stones, take 1, 2 or 3",
            "21 stones, 2 players, take 1, 2 or 3",
            "take 1, 2 or 3 from 21, two players",
            "21 stones, take 1, 2 or 3, 2 players",
            "take 1, 2 or 3 from 21 with 2 players",
            "21 stones; two players take 1, 2 or 3",
            "21 stones, players may take 1, 2 or 3",
            "21 stones, take 1, 2 or 3, player 1 starts",
            "21 stones, take 1, 2 or 3; the first player begins",
            "player two goes first; 21 stones, take either 1, 2 or 3",
            "take any of 1, 2, 3 from a stack of 21",
            "21 stones, at most 3 per turn",
        ] {
            assert_eq!(read(text), from("21"), "{text}");
        }
        assert_eq!(read("take at most a third of 100"), read("take at most a third from 100"));
        assert!(read("take at most a third from 100").is_some());
        assert_eq!(read("stacks of 3, 4 and 5"), read("piles of 3, 4 and 5"));
        assert_eq!(read("take a power of 2"), read("take powers of 2"));
        assert_eq!(read("piles 3 4 5, 2 players"), read("piles 3 4 5"));
        for text in [
            "21 stones, take 1, 2 or 3, 4 players",
            "21 stones, take 1, 2 or 3, three players",
            "three players, 21 stones, take 1, 2 or 3",
            "piles 3 4 5, take 1 or 2, 3 players",
            "piles 3 4 5, 1 player",
        ] {
            assert_eq!(read(text), None, "{text}");
            assert!(refusal(text).is_some_and(|(told, _)| told.contains("players")), "{text}");
        }
    }

    #[test]
    fn endings_that_people_write() {
        for (text, before, loses) in [
            ("21 stones take up to 3, last loses", "21 stones take up to 3, ", true),
            ("nim 3 4 5, the player who takes the last one loses", "nim 3 4 5, ", true),
            ("nim 3 4 5 last player wins.", "nim 3 4 5 ", false),
            (
                "take 1 or 2 from 7 and whoever takes the last stone loses",
                "take 1 or 2 from 7 ",
                true,
            ),
            ("last mover loses", "", true),
            ("nim 3 4 5 misère play", "nim 3 4 5 ", true),
            ("nim 3 4 5 in misère play", "nim 3 4 5 ", true),
            ("nim 3 4 5 (last loses)", "nim 3 4 5 ", true),
            ("nim 3 4 5, normal play", "nim 3 4 5, ", false),
            ("nim 3 4 5, last to move loses", "nim 3 4 5, ", true),
            ("nim 3 4 5, the last player to move wins", "nim 3 4 5, ", false),
            ("nim 3 4 5, whoever cannot move loses", "nim 3 4 5, ", false),
            ("nim 3 4 5, the player who can't move wins.", "nim 3 4 5, ", true),
        ] {
            let told = play_phrase_at_end(text).map(|(at, loses)| (&text[..at], loses));
            assert_eq!(told, Some((before, loses)), "{text}");
        }
        for text in ["", "loses", "nim 3 4 5", "cannot move loses", "take the last 3 wins", "last"]
        {
            assert_eq!(play_phrase_at_end(text), None, "{text}");
        }
    }

    #[test]
    fn why_a_phrase_is_no_game() {
        for (text, told) in [
            ("take 1 or 2 from 10 or 11", "two questions"),
            ("take half from 10", "half of an odd heap"),
            ("10 stones, take exactly half of the heap", "half of an odd heap"),
            ("take a power of 2 or 3 from 9", "`3` may be"),
            ("take multiples of 3 or 4", "`4` may be"),
            ("take 1 or half from 10", "half of an odd heap"),
            ("10 stones, take half of the pile or 3", "half of an odd heap"),
            ("take 1 or 2 from a hundred and five", "`a hundred and five` may be"),
        ] {
            assert!(refusal(text).is_some_and(|(why, _)| why.contains(told)), "{text}");
        }
        for text in ["take 1 or 2 from 10", "take at most half from 10", "take 3 or a power of 2"] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_understood() {
        for (text, at) in [
            ("take a prime squared from 20", "squared"),
            ("21 stones, take 1, 2 or 3, but never the same twice", "never"),
            ("take a prime power from 20", "a prime power"),
            ("21 stones, take between 3 and 1", "between 3 and 1"),
            ("21 Münzen, take 1 or 2", "Münzen"),
            ("Take 1, 2 or 3 from 21 PEARS", "PEARS"),
            ("take 1 or 2 from each pile of 3 and 5", "each pile of 3 and 5"),
        ] {
            let told = not_understood(text).map(|(at, _)| &text[at]);
            assert_eq!(told, Some(at), "{text}");
        }
        for text in ["take 1 or 2 from 21", "chess", "take it or leave it"] {
            let told = not_understood(text).map(|(at, _)| &text[at]);
            assert!(told.is_none_or(|told| told == "it"), "{text}: {told:?}");
        }
    }

    /// The rules of games with names as `take-1-or-all`, once more by what may be taken.
    #[test]
    fn unions_by_their_rules() {
        type Rule = fn(u64, u64) -> bool;
        let rules: &[(&str, Rule)] = &[
            ("take-at-most-a-quarter", |heap, taken| 4 * taken <= heap),
            ("take-at-most-a-tenth", |heap, taken| 10 * taken <= heap),
            ("take-1-or-2-or-all", |heap, taken| taken <= 2 || taken == heap),
            ("take-1-or-at-most-half", |heap, taken| taken == 1 || 2 * taken <= heap),
            ("take-5-or-at-most-a-third", |heap, taken| taken == 5 || 3 * taken <= heap),
        ];
        for (name, may_take) in rules {
            let file = RuleFile::parse(&rules_of_union(name).unwrap()).unwrap();
            let game = file.game();
            let mut session = game.session(bouton_engine::Settings::default());
            let mut won: Vec<bool> = Vec::new();
            for heap in 0..60 {
                let wins =
                    (1..=heap).any(|taken| may_take(heap, taken) && !won[(heap - taken) as usize]);
                won.push(wins);
                let found = session.evaluate(&heap.to_string()).unwrap().unwrap().outcome;
                let outcome = if wins { Outcome::N } else { Outcome::P };
                assert_eq!(found, Some(outcome), "{name}: {heap}");
            }
        }
    }

    #[test]
    fn heaps_behind_a_name() {
        for (text, heaps) in [
            ("with 12 pins", "12"),
            ("on rows of 3 and 4", "3,4"),
            ("with piles 3, 4 and 5", "3,4,5"),
            ("from 12", "12"),
            ("with two rows of 5", "5,5"),
        ] {
            assert_eq!(heaps_said(text).as_deref(), Some(heaps), "{text}");
        }
        for text in ["12 pins", "3 4", "with 2 piles of 3 4 5", "with", "on each", "from 3x4"] {
            assert_eq!(heaps_said(text), None, "{text}");
        }
        assert_eq!(without_unit("kayles 12 pins "), Some("kayles 12"));
        assert_eq!(without_unit("moore 2 1,2,3 stones"), Some("moore 2 1,2,3"));
        for text in ["12 pins", "kayles pins", "3 4 stones", "kayles 12"] {
            assert_eq!(without_unit(text), None, "{text}");
        }
    }

    #[test]
    fn phrases_that_people_write() {
        for (text, game, position) in [
            ("take 1 2 or 3 from 21", "S(1,2,3)", "21"),
            ("Take 1, 2, or 3 from 21 stones", "S(1,2,3)", "21"),
            ("remove 1 or 4 tokens from a heap of 10^6", "S(1,4)", "1000000"),
            ("21 stones take up to 3", "S(1,2,3)", "21"),
            ("21 stones, take at most 3", "S(1,2,3)", "21"),
            ("100 matches: take at most 2", "S(1,2)", "100"),
            ("from 21 take 1 2 or 3", "S(1,2,3)", "21"),
            ("take 2 to 4 from 7 9", "S(2,3,4)", "7,9"),
            ("take 2 to 4 from 10, 500", "S(2,3,4)", "10,500"),
            ("take 2 to 4 from 1500,500", "S(2,3,4)", "1500,500"),
            ("take 1-3 from 21", "S(1,2,3)", "21"),
            ("take between 1 and 3 stones from 21", "S(1,2,3)", "21"),
            ("a pile of 12 matches; players take 1 or 2", "S(1,2)", "12"),
            ("subtract squares from 100", "subtract-a-square", "100"),
            ("take a prime from 10 and 11", "take-a-prime", "10,11"),
            ("piles 3 4 5", "nim", "3,4,5"),
            ("*3", "nim", "3"),
            ("*", "nim", "1"),
            ("nim with heaps of 3, 4 and 5", "nim", "3,4,5"),
            ("nim heaps 3,4,5", "nim", "3,4,5"),
            ("take any number from heaps 3 4 5", "nim", "3,4,5"),
            ("take one, two or three from 21 stones.", "S(1,2,3)", "21"),
            ("take away 1, 2 or 3 from 21", "S(1,2,3)", "21"),
            ("take at most half from 20", "half-nim", "20"),
            ("20 stones, take up to half of the pile", "half-nim", "20"),
            ("take at most a third of the heap from 20", "third-nim", "20"),
            ("remove a divisor from 12", "dim", "12"),
            ("remove a proper divisor from 12", "divisor", "12"),
            ("take an odd number of stones from 9", "odd-take", "9"),
            ("take a Fibonacci number from 100", "take-a-fibonacci-number", "100"),
            ("take powers of two from 100", "powers-of-two", "100"),
            ("take a power of 3 from 30", "powers-of-three", "30"),
            ("take at least 3 from 20", "0.00[3]", "20"),
            ("20 stones, take at least 2 and at most 4", "S(2,3,4)", "20"),
            ("take exactly 1 or 5 from 30", "S(1,5)", "30"),
            ("take up to 3 at a time from 21", "S(1,2,3)", "21"),
            ("21 sticks: take 1, 2 or 3 each turn", "S(1,2,3)", "21"),
            ("take one or all from 10", "one-or-all", "10"),
            ("10 stones, take all or 1", "one-or-all", "10"),
            ("take no more than 3 stones from 21", "S(1,2,3)", "21"),
            ("21 stones, take fewer than 4", "S(1,2,3)", "21"),
            ("take less than 4 from 21", "S(1,2,3)", "21"),
            ("take 1..3 from 21", "S(1,2,3)", "21"),
            ("take 1–3 from 21", "S(1,2,3)", "21"),
            ("take 1..3 or 5 from 21", "S(1,2,3,5)", "21"),
            ("21 stones, take 1 to 3 or 5", "S(1,2,3,5)", "21"),
            ("take 1-3, 5 or 7-8 from 21", "S(1,2,3,5,7,8)", "21"),
            ("take 3 or more from 20", "0.00[3]", "20"),
            ("20 flags", "S(1,2,3)", "20"),
            ("twelve flags", "S(1,2,3)", "12"),
            ("take 1, 3, or 4 stones from two piles of 10 and 12", "S(1,3,4)", "10,12"),
            ("take any number from 3 piles of 5", "nim", "5,5,5"),
            ("nim with 3 heaps of 5", "nim", "5,5,5"),
            ("Nim with three piles: 3, 4 and 5", "nim", "3,4,5"),
            ("race to 50 adding 1 to 7", "S(1,2,3,4,5,6,7)", "50"),
            ("take a multiple of 3 from 20", "0.[003]", "20"),
            ("take a prime or 1 from 20", "take-1-or-a-prime", "20"),
            ("20 stones, take 1, 4 or primes", "take-1-or-4-or-primes", "20"),
            ("take a square or a prime from 20", "take-a-square-or-a-prime", "20"),
            ("take 3 or a power of 2 from 9", "take-3-or-a-power-of-2", "9"),
            ("twenty-one stones, take 1, 2 or 3", "S(1,2,3)", "21"),
            ("Twenty one stones: take 1, 2 or 3", "S(1,2,3)", "21"),
            ("take 1, 2 or 3 from a dozen", "S(1,2,3)", "12"),
            ("two dozen coins, take 1 or 2", "S(1,2)", "24"),
            ("a hundred stones, take up to five", "S(1,2,3,4,5)", "100"),
            ("take 1 or 2 from two hundred fifty", "S(1,2)", "250"),
            ("piles of twenty, one and two", "nim", "20,1,2"),
            ("piles of a hundred, twenty and five", "nim", "100,20,5"),
            ("twenty flags", "S(1,2,3)", "20"),
            ("race to fifty adding 1 to seven", "S(1,2,3,4,5,6,7)", "50"),
            ("20 stones, take at most half of a pile", "half-nim", "20"),
            ("take no more than half from 20", "half-nim", "20"),
            ("take not more than 3 from 20", "S(1,2,3)", "20"),
            ("take at most a quarter of a pile from 20", "take-at-most-a-quarter", "20"),
            ("take up to one fifth from 20", "take-at-most-a-fifth", "20"),
            ("take 1 or at most half from 20", "take-1-or-at-most-half", "20"),
            ("take 1, 2 or all from 20", "take-1-or-2-or-all", "20"),
            ("take 3 or the whole pile from 20", "take-3-or-all", "20"),
            ("take 3 or fewer from 20", "S(1,2,3)", "20"),
            ("take fewer than 5 from 20", "S(1,2,3,4)", "20"),
            ("take any prime number from 20", "take-a-prime", "20"),
            ("two piles of 7 and 9, take any number from one pile", "nim", "7,9"),
            ("two piles of 7 and 9, take any number of stones from any one pile", "nim", "7,9"),
            ("one pile of 21 stones, take 1, 2 or 3", "S(1,2,3)", "21"),
            ("3 piles of 5 stones each, take 1 or 2", "S(1,2)", "5,5,5"),
            ("three piles with 4 beans each, take any number", "nim", "4,4,4"),
            ("There are 21 stones. Players take turns removing 1, 2 or 3.", "S(1,2,3)", "21"),
            ("21 coins; on each turn a player takes 1, 2 or 3 coins", "S(1,2,3)", "21"),
            ("21 chips, two players alternately remove 1, 2 or 3 chips", "S(1,2,3)", "21"),
            ("21 chips, players alternate taking 1, 2 or 3", "S(1,2,3)", "21"),
            ("12 candies, each player may take 1 or 2", "S(1,2)", "12"),
            (
                "two piles of 4 and 7, take any number from one pile or the same number from both",
                "wythoff",
                "4,7",
            ),
            ("piles 4 and 7: take from either one or equally from both piles", "wythoff", "4,7"),
            ("take as many as you like from piles of 3, 4 and 5", "nim", "3,4,5"),
            ("Race to 30, add 1, 2 or 3", "S(1,2,3)", "30"),
            ("count to 21, up to 3", "S(1,2,3)", "21"),
        ] {
            assert_eq!(read(text), Some((game.into(), Some(position.into()))), "{text}");
        }
        for (text, game) in [
            ("take 1 3 or 4", "S(1,3,4)"),
            ("take up to 3 stones", "S(1,2,3)"),
            ("take 2 to 4", "S(2,3,4)"),
            ("take at most half", "half-nim"),
            ("take an odd number", "odd-take"),
            ("take a power of 2", "powers-of-two"),
            ("take at least 1", "0.[3]"),
            ("take 2 or more", "0.0[3]"),
            ("take 1..3 or 5", "S(1,2,3,5)"),
            ("take 1 to 3 or 5", "S(1,2,3,5)"),
            ("remove 1-3", "S(1,2,3)"),
            ("take at least 2 but at most 4", "S(2,3,4)"),
            ("nim at most 4", "S(1,2,3,4)"),
        ] {
            assert_eq!(read(text), Some((game.into(), None)), "{text}");
        }
        for text in [
            "take 1 or 2 21",
            "take 1 or 2 21 and 22",
            "take 2 to 4 7 9",
            "take 3",
            "take at least 0",
            "take at least 3 20",
            "take an odd number 20",
            "nim at most 4 5",
            "take exactly half from 20",
            "take half from 21",
            "take up to two thirds from 21",
            "take 1 2 or 3 from 21 but never the last",
            "21 stones take up to 3, last loses",
            "take 1 or 2 from 21 or 22",
            "21 stones",
            "*3a",
            "**",
            "piles",
            "take 0 to 3 from 21",
            "take 3 to 1 from 21",
            "take 1 from 3 from 5",
            "5 piles take 2 from 7",
            "take 1 from each of 3 4 5",
            "take any number from 3 piles of 5 and 7",
            "take any number from 0 piles of 5",
            "take any number from 1000 piles of 5",
            "take fewer than 1 from 5",
            "take no more than 3 20",
            "take less than half from 20",
            "take 3..1 from 5",
            "take 3..1 or 4 from 5",
            "take 1-3 10",
            "take 1-3-5 from 20",
            "take 1 to 3 to 5 from 20",
            "take 2 or more 10",
            "20 flags 12",
            "take 1.5 from 20",
            "take 1 or 2 from 10,000",
            "take 1 or 2 from 10,500.",
            "take 1, 2 or 3 from 1,234,567",
            "piles 3 4 5 misere",
            "nim with 3 heaps 3 4",
            "nim with 2 heaps 3 4 5",
            "race to 50",
            "race to 50 adding at most half",
            "race to 100 50",
            "take 1 or all but one from 10",
            "take 1 or 2 at a time of 3 from 10",
            "race to 21 3",
            "race to 50 adding 1 to 7 but not twice the same",
            "take a power of 2 or 3 from 9",
            "take a multiple of 3 or 4 from 9",
            "take a multiple of 0 from 9",
            "take 0 or a prime from 9",
            "take a prime or half from 9",
            "take a prime or any number from 9",
            "take 1 or 2 from a hundred and five",
            "a hundred and five stones, take 1 or 2",
            "take all from 9",
            "take 1 or half from 9",
            "take a prime power from 9",
            "two piles of 7 and 9, take any number from each pile",
            "two piles of 7 and 9, take 1 or 2 from both piles",
            "2 piles of 7 and 9 stones each, take 1",
            "heap(3)",
            "21 stones, take 1 and 2 alternately",
            "take 1, 2 alternate from 21",
            "three piles of 4, 7 and 8, take any number from one pile or the same number from both",
            "piles 4 and 7: take 1 from one or the same number from both piles",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}

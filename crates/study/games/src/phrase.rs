//! Take-away games as people ask of them in words: *take 1, 2 or 3 from 21*.
//!
//! A phrase is read whole or not at all: a word that is not understood makes it none.

use crate::{RuleText, Rules, ShelfGame};
use bouton_core::{Arrange, WrittenNumber};
use std::borrow::Cow;

/// The most numbers that may be taken, where they are said by a bound.
const MAX_TAKEN: u64 = 1000;

/// The most that must be taken at least: a code has this many digits.
const MAX_LEAST: u64 = 255;

/// The most heaps of one size that are counted.
const MAX_COUNTED: u64 = 64;

/// Words that say nothing of the rules.
const TOKENS: &[&str] = &[
    "stone",
    "stones",
    "match",
    "matches",
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
    "away",
    "you",
    "can",
    "may",
    "players",
];

/// Numbers in words, from one on.
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// Words for the heaps that are given.
const HEAPS: &[&str] = &["pile", "piles", "heap", "heaps", "row", "rows", "of", "with", "a", "the"];

/// Words for a move.
const VERBS: &[&str] =
    &["take", "takes", "taking", "remove", "removes", "removing", "subtract", "subtracting"];

/// Returns whether a word, in lower case, names what is taken: *stones*, *matches*.
pub fn is_token_word(word: &str) -> bool {
    TOKENS.contains(&word)
}

/// Returns the number that a word says, in lower case: *three*; `None` if it says none.
pub fn number_in_words(word: &str) -> Option<u64> {
    NUMBERS.iter().position(|number| *number == word).map(|at| at as u64 + 1)
}

/// Returns whether a text begins as a phrase does: with a word for a move.
pub(crate) fn begins(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    VERBS.iter().any(|verb| verb.eq_ignore_ascii_case(first))
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
    let text = text.to_ascii_lowercase().replace([',', ';', ':'], " ");
    let text = if is_set { text.replace(['{', '}'], " ") } else { text };
    let words = text.split_whitespace().map(|word| word.strip_suffix('.').unwrap_or(word));
    let mut words: Vec<&str> = words.collect();
    if other_players(&mut words).is_some() {
        return None;
    }
    words.retain(|word| !TOKENS.contains(word));
    for each in [&["at", "a", "time"][..], &["per", "turn"], &["each", "turn"]] {
        if let Some(at) = words.windows(each.len()).position(|said| said == each) {
            words.drain(at..at + each.len());
        }
    }
    if let ["race" | "count", "to", goal, rest @ ..] = &words[..] {
        // Counting up to a number is taking from a heap of as many.
        let said = rest.strip_prefix(&["adding"]).or(rest.strip_prefix(&["add"]));
        // A number alone may be where the race stands, or the most that is added.
        let added = said.or(Some(rest).filter(|rest| rest.len() > 1))?;
        let game = game(added).filter(|_| kind(added).is_none())?;
        return Some((game, Some(number(goal)?.to_string())));
    }
    // The game of 21 flags, with another number of them.
    if let [number_of, "flags"] = text.split_whitespace().collect::<Vec<_>>()[..] {
        return Some(("S(1,2,3)".into(), Some(number(number_of)?.to_string())));
    }
    let verb = words.iter().position(|word| VERBS.contains(word));
    let Some(verb) = verb else {
        // `nim at most 4`; `piles 3 4 5`, `nim with heaps 3, 4 and 5`.
        if let ["nim", "at" | "up", "most" | "to", _] = &words[..] {
            return Some((game(&words[1..])?, None));
        }
        let words = words.strip_prefix(&["nim"]).unwrap_or(&words);
        let is_named = words.iter().any(|word| HEAPS[..6].contains(word));
        return is_named.then(|| Some(("nim".into(), Some(heaps(words)?))))?;
    };
    let (before, after) = (&words[..verb], &words[verb + 1..]);
    let (taken, heaps) = match after.iter().position(|word| *word == "from") {
        Some(from) if before.is_empty() => (&after[..from], Some(heaps(&after[from + 1..])?)),
        None if before.is_empty() && says_what_is_taken(after) => (after, None),
        None => (after, Some(heaps(before.strip_prefix(&["from"]).unwrap_or(before))?)),
        _ => return None,
    };
    Some((game(taken)?, heaps))
}

/// Takes out that there are two players, as everywhere; returns the number of them where it is
/// another: `3 players`.
fn other_players<'w>(words: &mut Vec<&'w str>) -> Option<&'w str> {
    const BEFORE: &[&str] = &["with", "for", "by", "between"];
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
    let small = text.to_ascii_lowercase().replace([',', ';', ':'], " ");
    let mut words: Vec<&str> = small.split_whitespace().collect();
    if let Some(count) = other_players(&mut words) {
        let message = format!("`{count} players`: the games here have two");
        return Some((message, "take 1, 2 or 3 from 21".into()));
    }
    words.retain(|word| !TOKENS.contains(word));
    let verb = words.iter().position(|word| VERBS.contains(word))?;
    let from = words.iter().position(|word| *word == "from").filter(|from| *from > verb);
    let taken = &words[verb + 1..from.unwrap_or(words.len())];
    if let Some(from) = from
        && let [one, "or", other] = words[from + 1..]
        && number(one).is_some()
        && number(other).is_some()
    {
        let message = format!("`{one} or {other}` are two questions");
        let asked = words[..from].join(" ");
        return Some((message, format!("{asked} from {one}, then {asked} from {other}")));
    }
    let half = taken.strip_prefix(&["exactly"]).unwrap_or(taken);
    let half =
        ["heap", "pile"].into_iter().find_map(|heap| half.strip_suffix(&["of", "the", heap]));
    if half.unwrap_or(taken).ends_with(&["half"]) && half.unwrap_or(taken).len() <= 2 {
        let message = "half of an odd heap may be rounded down or up, or be the most that is taken";
        let accepted = "take at most half from 10; or a rule file with heaps = 1 and, rounded down, \
            move = \"q0 < p0 & (2*q0 = p0 | 2*q0 = p0+1)\", rounded up, \
            move = \"p0 > 0 & (2*q0 = p0 | 2*q0+1 = p0)\"";
        return Some((message.into(), accepted.into()));
    }
    let parts: Vec<&[&str]> = taken.split(|word| *word == "or").collect();
    let (kind, last) = doubtful(&parts)?;
    let message =
        format!("`{}` may be a number that is taken, or one as in `{}`", last, kind.join(" "));
    let other = [&kind[..kind.len() - 1], &[&*last]].concat().join(" ");
    let kind = kind.join(" ");
    Some((message, format!("take {last} or {kind}; take {kind} or {other}")))
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
    let small = text.to_ascii_lowercase();
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
    let is_bound = begins(&["at", "least"]) || begins(&["no", "more", "than"]);
    if kind(words).is_some()
        || union(words).is_some()
        || is_bound
        || begins(&["fewer", "than"])
        || begins(&["less", "than"])
    {
        return true;
    }
    // `1-3`, `2 or more`.
    if let [word] | [word, "or", "more"] = words {
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
    let stated = words.strip_prefix(&["with"]).or(words.strip_prefix(&["of"])).unwrap_or(words);
    if let [count, "piles" | "heaps" | "rows", rest @ ..] = stated
        && let Some(count) = number(count)
    {
        let rest = rest.strip_prefix(&["of"]).unwrap_or(rest);
        let all = heaps(rest)?;
        let sizes = all.split(',').count() as u64;
        return match count {
            count if count == sizes => Some(all),
            count @ 2..=MAX_COUNTED if sizes == 1 => Some(vec![all; count as usize].join(",")),
            _ => None,
        };
    }
    let first = words.iter().position(|word| !HEAPS.contains(word))?;
    let sizes = words[first..].iter().filter(|word| **word != "and");
    let all: Option<Vec<String>> = sizes.map(|word| Some(number(word)?.to_string())).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.join(","))
}

fn number(word: &str) -> Option<u64> {
    if let Some(number) = number_in_words(word) {
        return Some(number);
    }
    let is_whole = !word.starts_with('0') || word == "0";
    WrittenNumber::whole(word).filter(|_| is_whole)?.value()
}

/// Returns the game of the shelf in which numbers of this kind may be taken: `a square number`,
/// `at most half of the heap`.
fn kind(words: &[&str]) -> Option<Cow<'static, str>> {
    if let ["at" | "up", "most" | "to", part @ ..] = words {
        let part = part.strip_suffix(&["of", "the", "heap"]).unwrap_or(part);
        let part = part.strip_suffix(&["of", "the", "pile"]).unwrap_or(part);
        return match part {
            ["half"] => Some("half-nim".into()),
            ["a" | "one", "third"] => Some("third-nim".into()),
            _ => None,
        };
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
            None => kinds.push(part.join("-")),
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
    let is_union = parts.len() > 1 && parts.iter().any(|part| kind(part).is_some());
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
    for stuck in [&["cannot", "move"][..], &["can't", "move"], &["can’t", "move"]] {
        if words_of(&words, 2) == stuck {
            words.truncate(words.len() - 2);
            let mut begin = words.last()?.0;
            if !["who", "whoever", "that"].contains(&words.pop()?.1.as_str()) {
                return None;
            }
            while ["the", "player"].contains(&last(&words).as_str()) {
                begin = words.pop()?.0;
            }
            return Some((begin, !loses));
        }
    }
    let is_mover =
        |word: &str| TOKENS.contains(&word) || ["one", "player", "mover", "move"].contains(&word);
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
        ["up", "to", most] | ["at", "most", most] | ["no", "more", "than", most] => {
            set(number(most)?, 1)
        }
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
    use super::{play_phrase_at_end, read, refusal};

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
        ] {
            assert_eq!(read(text), from("21"), "{text}");
        }
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
        ] {
            assert!(refusal(text).is_some_and(|(why, _)| why.contains(told)), "{text}");
        }
        for text in ["take 1 or 2 from 10", "take at most half from 10", "take 3 or a power of 2"] {
            assert_eq!(refusal(text), None, "{text}");
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
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}

//! Rules put together from choices: which heaps a move touches, how many tokens it takes, whether
//! what is left may be split. The builder writes a rule file, no more: what the file makes is shown
//! as for any other.

use crate::request::Request;
use crate::request_error::RequestError;
use bouton_core::{Digits, Symmetry, WrittenNumber};
use bouton_games::{HeapCount, RuleText, SplitText};
use maud::{Markup, html};

/// Which heaps a move may lower.
const WHERE: [(&str, &str); 5] = [
    ("one", "one heap"),
    ("circle", "neighbours on a circle"),
    ("row", "neighbours in a row"),
    ("same", "one heap, or the same from two"),
    ("any", "any heaps, but not all"),
];

/// The most heaps, and the most different numbers of tokens.
const HEAPS: usize = 6;
const NUMBERS: usize = 12;
/// The largest number of tokens that is listed.
const MAX_TAKEN: u32 = 99;

/// The choices to begin with: Nim with three heaps of which at most three tokens are taken.
pub(super) const FIRST: &str = "name=my-game&where=one&of=3&take=1,2,3&neighbours=2";

/// The choices.
struct Choices<'r> {
    place: &'r str,
    heaps: usize,
    neighbours: usize,
    /// The numbers of tokens that may be taken; empty for any.
    take: Vec<u32>,
    splits: bool,
}

fn number(
    request: &Request,
    name: &str,
    default: usize,
    least: usize,
    most: usize,
) -> Result<usize, RequestError> {
    match request.get(name).trim() {
        "" => Ok(default),
        text => {
            let number = WrittenNumber::read(text).filter(|n| (least..=most).contains(n));
            number.ok_or_else(|| {
                RequestError::bad(format!("{name}: a number from {least} to {most}"))
            })
        }
    }
}

impl Choices<'_> {
    fn read(request: &Request) -> Result<Choices<'_>, RequestError> {
        let place = match request.get("where") {
            "" => "one",
            place => place,
        };
        if WHERE.iter().all(|(name, _)| *name != place) {
            return Err(RequestError::bad("where: one, circle, row, same or any"));
        }
        let least = if place == "one" { 1 } else { 2 };
        let heaps = number(request, "of", 3.max(least), least, HEAPS)?;
        let neighbours = number(request, "neighbours", 2, 1, heaps)?;
        let take = match request.get("take").trim() {
            "" | "any" => Vec::new(),
            text => {
                let numbers =
                    text.trim_matches(['{', '}']).split([',', ' ']).filter(|part| !part.is_empty());
                let numbers = numbers
                    .map(|part| WrittenNumber::read(part).filter(|n| (1..=MAX_TAKEN).contains(n)));
                numbers
                    .collect::<Option<Vec<u32>>>()
                    .filter(|all| (1..=NUMBERS).contains(&all.len()))
                    .ok_or_else(|| {
                        RequestError::bad(format!(
                            "take: any, or at most {NUMBERS} numbers from 1 to {MAX_TAKEN}, as 1,2,3"
                        ))
                    })?
            }
        };
        let splits = request.get("split") == "1";
        if place != "one" && splits {
            return Err(RequestError::bad(
                "a heap may be split only if a move is made in one heap",
            ));
        }
        if !matches!(place, "one" | "same") && !take.is_empty() {
            return Err(RequestError::bad(
                "numbers of tokens are chosen only if a move is made in one heap, or takes the \
                 same from two",
            ));
        }
        Ok(Choices { place, heaps, neighbours, take, splits })
    }

    /// Returns the sets of heaps that a move may lower.
    fn windows(&self) -> Vec<Vec<usize>> {
        let n = self.heaps;
        match self.place {
            "circle" => {
                let starts = if self.neighbours == n { 1 } else { n };
                (0..starts)
                    .map(|start| (0..self.neighbours).map(|i| (start + i) % n).collect())
                    .collect()
            }
            "row" => (0..=n - self.neighbours)
                .map(|start| (start..start + self.neighbours).collect())
                .collect(),
            "any" => (0..n).map(|left| (0..n).filter(|i| *i != left).collect()).collect(),
            _ => (0..n).map(|i| vec![i]).collect(),
        }
    }

    /// Returns the condition that heap `i` loses one of the numbers; empty if any number will do.
    fn taken(&self, i: usize) -> String {
        let all: Vec<String> = self.take.iter().map(|n| format!("p{i} = q{i}+{n}")).collect();
        match all.len() {
            0 => String::new(),
            1 => all.concat(),
            _ => format!("({})", all.join(" | ")),
        }
    }

    fn moves(&self) -> String {
        let alone = |lowered: &[usize], more: String| {
            let still =
                (0..self.heaps).filter(|i| !lowered.contains(i)).map(|i| format!("q{i}=p{i}"));
            still.chain((!more.is_empty()).then_some(more)).collect::<Vec<_>>().join(" & ")
        };
        let more = |window: &[usize]| match window {
            [i] => self.taken(*i),
            _ => String::new(),
        };
        let mut cases: Vec<String> =
            self.windows().iter().map(|window| alone(window, more(window))).collect();
        if self.place == "same" {
            for i in 0..self.heaps {
                for j in i + 1..self.heaps {
                    let same = format!("p{i}+q{j} = p{j}+q{i}");
                    let taken = self.taken(i);
                    let same = if taken.is_empty() { same } else { format!("{same} & {taken}") };
                    cases.push(alone(&[i, j], same));
                }
            }
        }
        // A move in all heaps is any move.
        cases.iter_mut().filter(|case| case.is_empty()).for_each(|case| "0=0".clone_into(case));
        match &cases[..] {
            [one] => one.clone(),
            all => all.iter().map(|case| format!("({case})")).collect::<Vec<_>>().join(" | "),
        }
    }

    /// Returns the rules as a sentence.
    fn words(&self) -> String {
        let tokens = match &self.take[..] {
            [] => "any number of tokens".to_owned(),
            [1] => "1 token".to_owned(),
            [one] => format!("{one} tokens"),
            [first @ .., last] => {
                let first: Vec<String> = first.iter().map(u32::to_string).collect();
                format!("{} or {last} tokens", first.join(", "))
            }
        };
        let heaps =
            if self.heaps == 1 { "One heap".to_owned() } else { format!("{} heaps", self.heaps) };
        let several = match self.neighbours {
            1 => "one heap".to_owned(),
            n if n == self.heaps => "all heaps together".to_owned(),
            n => format!("{n} neighbouring heaps together"),
        };
        match self.place {
            "circle" => format!("{heaps} on a circle. Take at least 1 token from {several}."),
            "row" => format!("{heaps} in a row. Take at least 1 token from {several}."),
            "same" => {
                format!("{heaps}. Take {tokens} from one of them, or the same number from two.")
            }
            "any" => format!("{heaps}. Take at least 1 token, from any of them but not from all."),
            _ if self.splits => {
                format!(
                    "Any heaps. Take {tokens} from one; what is left of it may be split into two."
                )
            }
            _ if self.heaps == 1 => format!("{heaps}. Take {tokens}."),
            _ => format!("{heaps}. Take {tokens} from one of them."),
        }
    }

    /// Returns the formula by which a heap p0 becomes q0 and q1, either of which may be empty.
    fn split(&self) -> String {
        match self.take.is_empty() {
            true => "q0+q1 < p0".into(),
            false => {
                let cases = self.take.iter().map(|n| format!("p0 = q0+q1+{n}"));
                cases.collect::<Vec<_>>().join(" | ")
            }
        }
    }
}

/// Returns the rules that the choices of a request make, if it has some.
pub(super) fn built(request: &Request) -> Result<Option<RuleText>, RequestError> {
    if request.get("where").is_empty() {
        return Ok(None);
    }
    let choices = Choices::read(request)?;
    let name = match request.get("name").trim() {
        "" => "my-game",
        name => name,
    };
    let symmetry = match choices.place {
        "circle" => Symmetry::Ring,
        "row" => Symmetry::None,
        _ => Symmetry::Full,
    };
    Ok(Some(RuleText {
        name: name.to_owned(),
        heaps: if choices.splits { HeapCount::ANY } else { HeapCount::Fixed(choices.heaps) },
        memory: 0,
        sets: 0,
        splits: if choices.splits { vec![SplitText::Plain(choices.split())] } else { Vec::new() },
        falls: Vec::new(),
        parameters: Default::default(),
        moves: if choices.splits { String::new() } else { choices.moves() },
        positions: String::new(),
        start: String::new(),
        rules: choices.words(),
        symmetry: if choices.splits { Symmetry::None } else { symmetry },
        digits: Digits::Binary,
        published: Default::default(),
    }))
}

/// Returns the form of the choices, as they were made.
pub(super) fn form(request: &Request) -> Markup {
    let get = |name: &str, default: &str| match request.get(name) {
        "" => default.to_owned(),
        text => text.to_owned(),
    };
    let place = get("where", "one");
    html! {
        // Beside a formula the choices would say something else than what is shown.
        details #builder open[!request.get("where").is_empty()] {
        summary { "Put together from choices" }
        form.editing.builder action="/rules" method="get" data-live="made" {
            label { "Name " input name="name" value=(get("name", "my-game")) required maxlength="40"
                autocomplete="off" spellcheck="false"; }
            label { "A move is made in " select name="where" { @for (value, words) in WHERE {
                option value=(value) selected[value == place] { (words) } } } }
            label { "of " input name="of" type="number" min="1" max=(HEAPS) value=(get("of", "3"))
                size="3"; " heaps" }
            label { "and takes " input name="take" value=(get("take", "1,2,3")) autocomplete="off"
                spellcheck="false" size="12"; " tokens: any, or numbers as 1,2,3" }
            label { input type="checkbox" name="split" value="1"
                checked[request.get("split") == "1"]; " and may split what is left of the heap \
                    into two; any number of heaps" }
            label { "Neighbours at a time " input name="neighbours" type="number" min="1"
                max=(HEAPS) value=(get("neighbours", "2")) size="3"; }
            p.acts { button.main { "Show" } }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::Site;
    use bouton_core::Budget;
    use bouton_engine::{Game, Settings};
    use bouton_games::RuleFile;

    fn game(query: &str) -> Box<dyn Game> {
        let text = built(&Request::new("/rules", query)).unwrap_or_default();
        let Some(text) = text else { panic!("{query}") };
        let Ok(rules) = RuleFile::parse_within(&text.to_text(), &Budget::default()) else {
            panic!("{}", text.to_text())
        };
        rules.game()
    }

    #[test]
    fn choices_are_told_in_a_sentence() {
        for (query, words) in [
            ("where=one&of=3&take=1,2,3", "3 heaps. Take 1, 2 or 3 tokens from one of them."),
            ("where=one&of=1&take=any", "One heap. Take any number of tokens."),
            (
                "where=circle&of=4&neighbours=2",
                "4 heaps on a circle. Take at least 1 token from 2 neighbouring heaps together.",
            ),
            (
                "where=row&of=3&neighbours=3",
                "3 heaps in a row. Take at least 1 token from all heaps together.",
            ),
            (
                "where=same&of=2&take=1",
                "2 heaps. Take 1 token from one of them, or the same number from two.",
            ),
            (
                "where=one&take=1,2&split=1",
                "Any heaps. Take 1 or 2 tokens from one; what is left of it may be split into two.",
            ),
        ] {
            assert_eq!(game(query).describe(), words);
        }
    }

    /// What the builder makes is the game that its words say: compared with the catalogue's own
    /// engines on all positions with small numbers.
    #[test]
    fn choices_make_known_games() {
        let site = Site::default();
        for (query, known, numbers, to) in [
            ("where=one&of=3&take=any", "nim(3)", 3usize, 4u64),
            ("where=one&of=1&take=1,2,3", "S(1,2,3;1)", 1, 30),
            ("where=one&of=2&take={1 3 4}", "S(1,3,4;2)", 2, 9),
            ("where=circle&of=4&neighbours=2&take=any", "CN(4,2)", 4, 2),
            ("where=circle&of=5&neighbours=3&take=", "CN(5,3)", 5, 2),
            ("where=circle&of=3&neighbours=3&take=any", "CN(3,3)", 3, 3),
            ("where=same&of=2&take=any", "wythoff", 2, 12),
            ("where=any&of=3&take=any", "moore(3;3)", 3, 4),
            ("where=one&take=1,2&split=1", "kayles", 1, 25),
        ] {
            let game = game(query);
            let Ok(named) = site.catalogue.parse(known) else { panic!("{known}") };
            let settings = Settings::default;
            let (mut ours, mut theirs) = (game.session(settings()), named.game.session(settings()));
            for i in 0..(to + 1).pow(numbers as u32) {
                let sizes: Vec<u64> =
                    (0..numbers as u32).map(|heap| i / (to + 1).pow(heap) % (to + 1)).collect();
                let at = sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
                let (Ok(Ok(our)), Ok(Ok(their))) = (ours.evaluate(&at), theirs.evaluate(&at))
                else {
                    panic!("{query} {known} {at}")
                };
                assert!(
                    our.outcome.is_some() && our.outcome == their.outcome,
                    "{query} {known} {at}"
                );
            }
        }
    }

    #[test]
    fn choices_that_make_no_sense_are_refused() {
        for query in [
            "where=moon",
            "where=circle&take=1,2",
            "where=row&split=1&take=any",
            "where=one&take=0",
            "where=one&of=9",
            "where=circle&of=3&neighbours=4&take=any",
            "where=one&take=x",
        ] {
            assert!(built(&Request::new("/rules", query)).is_err(), "{query}");
        }
        assert!(built(&Request::new("/rules", "name=x")).is_ok_and(|built| built.is_none()));
    }
}

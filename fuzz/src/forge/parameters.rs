//! False theorems on games with parameters.
//!
//! The prover's bodies of some theorems are put under claims near them: another form, a wider
//! condition, another amount, a form that is wrong of large heaps only or of one value of a
//! parameter; and the bodies are changed. What is true is played out for small parameters.

use super::{Forger, Forgery, Table, Truth, joined};
use crate::lot::Random;
use bouton_core::{Budget, Meter};
use bouton_prover::parametric::{ParametricClaim, ParametricGame, ParametricVerdict};
use std::cell::OnceCell;
use std::fmt;

/// Theorems: game, condition, form. Subtraction games: Berlekamp, Conway, Guy, *Winning Ways*,
/// ch. 4. The last is that of NIM with Cash for one amount.
const THEOREMS: [[&str; 3]; 8] = [
    ["S(1,h)", "h >= 1 & h mod 2 = 1", "a mod 2 = 0"],
    ["S(1,h)", "h >= 2 & h mod 2 = 0", "a mod (h + 1) < h & a mod (h + 1) mod 2 = 0"],
    ["S(1,2*h)", "h >= 1", "a mod (2*h + 1) < 2*h & a mod (2*h + 1) mod 2 = 0"],
    ["S(1,h,h+1)", "h >= 2 & h mod 2 = 0", "a mod (2*h) < h & a mod (2*h) mod 2 = 0"],
    ["S(1,h,h+1)", "h >= 1 & h mod 2 = 1", "a mod (2*h + 1) < h & a mod (2*h + 1) mod 2 = 0"],
    ["S(1..M)", "M >= 1", "a mod (M + 1) = 0"],
    ["S(L..M)", "L >= 1 & M >= L", "a mod (L + M) < L"],
    [
        "NIM(L;n;d,e)",
        "L >= 1",
        "d div L <= e div L & 2*(d div L) <= n div L | n div L mod 2 = 0 & n div L <= 2*(d div L) \
         & n div L <= 2*(e div L)",
    ],
];

/// Rows of the table: the theorems.
const FEATURES: [&str; 8] = [
    "S(1,h), h odd",
    "S(1,h), h even",
    "S(1,2h)",
    "S(1,h,h+1), h even",
    "S(1,h,h+1), h odd",
    "S(1..M)",
    "S(L..M)",
    "NIM(L;n;d,e)",
];

const LINES: [&str; 10] = [
    "another form",
    "another condition",
    "another amount",
    "another theorem's body",
    "a step's number",
    "a step left out",
    "a witness",
    "an example",
    "wrong of large heaps",
    "wrong of one value",
];

/// Parameters and heaps that are played out: from the first to the last.
const PARAMETERS: (i64, i64) = (-2, 11);
const HEAPS: i64 = 160;
/// Stones and dollars that are played out.
const PURSES: i64 = 9;

/// Changed statements that are drawn until one is false.
const TRIES: usize = 6;

/// The forger, with the prover's bodies of [`THEOREMS`].
#[derive(Default)]
pub struct Parameters {
    bodies: OnceCell<Vec<Vec<String>>>,
}

impl Parameters {
    fn bodies(&self) -> &[Vec<String>] {
        self.bodies.get_or_init(|| THEOREMS.iter().map(|theorem| body(*theorem)).collect())
    }
}

/// Returns the lines of the prover's proof.
///
/// # Panics
/// Panics if the prover has none: there would be nothing to forge with.
fn body([game, condition, form]: [&str; 3]) -> Vec<String> {
    let claim = ParametricGame::parse(game, "amounts")
        .and_then(|game| ParametricClaim::parse(&game, condition, form))
        .unwrap_or_else(|why| panic!("{game}: {why:?}"));
    let mut meter = Meter::new(&Budget { nodes: Some(3_000_000), ..Budget::default() });
    match claim.prove(&mut meter) {
        ParametricVerdict::Proved(certificate) => {
            certificate.body.lines().map(str::to_owned).collect()
        }
        other => panic!("{game}: {other:?}"),
    }
}

/// A number or a sentence (0 or 1) in names.
#[derive(Debug, Clone)]
enum Term {
    Number(i64),
    Name(char),
    Joined(&'static str, Box<[Term; 2]>),
}

/// Signs and how tightly they bind.
const SIGNS: [(&str, u8); 13] = [
    ("|", 1),
    ("&", 2),
    ("<=", 3),
    (">=", 3),
    ("!=", 3),
    ("<", 3),
    (">", 3),
    ("=", 3),
    ("+", 4),
    ("-", 4),
    ("*", 5),
    ("mod", 5),
    ("div", 5),
];

impl Term {
    /// Reads a text of this bench.
    ///
    /// # Panics
    /// Panics if there is something else in it.
    fn read(text: &str) -> Term {
        let mut rest = text;
        let term = Term::joined(&mut rest, 1);
        assert!(rest.is_empty(), "{text}: {rest}");
        term
    }

    fn joined(rest: &mut &str, least: u8) -> Term {
        *rest = rest.trim_start();
        let mut left = if let Some(inner) = rest.strip_prefix('(') {
            *rest = inner;
            let term = Term::joined(rest, 1);
            *rest = rest.strip_prefix(')').expect("`)`");
            term
        } else {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (number, more) = rest.split_at(end.max(1));
            *rest = more;
            number
                .parse()
                .map_or_else(|_| Term::Name(number.chars().next().expect("a name")), Term::Number)
        };
        loop {
            *rest = rest.trim_start();
            let sign = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
            let Some((sign, binding)) = sign.filter(|(_, binding)| *binding >= least) else {
                return left;
            };
            *rest = &rest[sign.len()..];
            left = Term::Joined(sign, Box::new([left, Term::joined(rest, binding + 1)]));
        }
    }

    /// Returns its value, if divisors are positive.
    fn value(&self, names: &[(char, i64)]) -> Option<i64> {
        Some(match self {
            Term::Number(number) => *number,
            Term::Name(name) => names.iter().find(|(own, _)| own == name)?.1,
            Term::Joined(sign, parts) => {
                let [left, right] = [parts[0].value(names)?, parts[1].value(names)?];
                match *sign {
                    "|" => left | right,
                    "&" => left & right,
                    "<=" => i64::from(left <= right),
                    ">=" => i64::from(left >= right),
                    "!=" => i64::from(left != right),
                    "<" => i64::from(left < right),
                    ">" => i64::from(left > right),
                    "=" => i64::from(left == right),
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left * right,
                    _ if right < 1 => return None,
                    "mod" => left.rem_euclid(right),
                    _ => left.div_euclid(right),
                }
            }
        })
    }

    /// Returns the terms in it, itself the first.
    fn parts(&mut self) -> usize {
        match self {
            Term::Joined(_, parts) => 1 + parts.iter_mut().map(Term::parts).sum::<usize>(),
            _ => 1,
        }
    }

    /// Changes the term of this number among its parts to one of the same sort.
    fn change(&mut self, at: usize, names: &[char], lot: &mut Random) {
        if let (1.., Term::Joined(_, parts)) = (at, &mut *self) {
            let first = parts[0].parts();
            let (part, at) = if at <= first { (0, at - 1) } else { (1, at - 1 - first) };
            return parts[part].change(at, names, lot);
        }
        *self = match std::mem::replace(self, Term::Number(0)) {
            Term::Number(number) => match lot.below(4) {
                0 => Term::Number(number + 1),
                1 if number > 0 => Term::Number(number - 1),
                2 => Term::Name(*lot.one(names)),
                _ => Term::Number(number + 2),
            },
            Term::Name(name) => match lot.below(3) {
                0 => Term::Name(*lot.one(names)),
                1 => Term::Joined("+", Box::new([Term::Name(name), Term::Number(1)])),
                _ => Term::Number(lot.below(4) as i64),
            },
            Term::Joined(sign, parts) => {
                let (_, binding) = SIGNS.iter().find(|(own, _)| *own == sign).expect("a sign");
                let [left, right] = *parts;
                match (binding, lot.below(4)) {
                    (1 | 2, 0) => left,
                    (1 | 2, 1) => right,
                    _ => {
                        let same = |(_, other): &&(&str, u8)| match binding {
                            1 | 2 => *other < 3,
                            other_binding => other == other_binding,
                        };
                        let signs: Vec<_> = SIGNS.iter().filter(same).collect();
                        Term::Joined(lot.one(&signs).0, Box::new([left, right]))
                    }
                }
            }
        };
    }

    /// Changes one of its parts.
    fn changed(&self, names: &[char], lot: &mut Random) -> Term {
        let mut term = self.clone();
        let at = lot.below(term.parts());
        term.change(at, names, lot);
        term
    }

    /// Returns `self SIGN other`.
    fn joined_to(self, sign: &'static str, other: Term) -> Term {
        Term::Joined(sign, Box::new([self, other]))
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Number(number) => write!(f, "{number}"),
            Term::Name(name) => write!(f, "{name}"),
            Term::Joined(sign, parts) => write!(f, "({} {sign} {})", parts[0], parts[1]),
        }
    }
}

/// A claim on a game with parameters.
#[derive(Clone)]
struct Statement {
    /// Amounts, each from one number to another.
    amounts: Vec<[Term; 2]>,
    parameters: Vec<char>,
    /// The position's names: a heap, or stones and purses.
    position: Vec<char>,
    condition: Term,
    form: Term,
}

impl Statement {
    fn read([game, condition, form]: [&str; 3]) -> Statement {
        let (purses, list) = match game.strip_prefix("NIM(") {
            Some(rest) => (true, rest.trim_end_matches(";n;d,e)")),
            None => (false, game.trim_start_matches("S(").trim_end_matches(')')),
        };
        let amount = |text: &str| {
            let (low, high) = text.split_once("..").unwrap_or((text, text));
            [Term::read(low), Term::read(high)]
        };
        let mut parameters: Vec<char> = list.chars().filter(char::is_ascii_alphabetic).collect();
        parameters.dedup();
        Statement {
            amounts: list.split(',').map(amount).collect(),
            parameters,
            position: if purses { vec!['n', 'd', 'e'] } else { vec!['a'] },
            condition: Term::read(condition),
            form: Term::read(form),
        }
    }

    /// Returns the game's name, without blanks.
    fn game(&self) -> String {
        let amount = |[low, high]: &[Term; 2]| {
            let (low, high) = (low.to_string(), high.to_string());
            if low == high { low } else { format!("{low}..{high}") }
        };
        let list: Vec<String> = self.amounts.iter().map(amount).collect();
        let list = list.join(",").replace(' ', "");
        if self.position.len() > 1 { format!("NIM({list};n;d,e)") } else { format!("S({list})") }
    }

    fn claim(&self) -> String {
        format!("for {}, P iff {}", self.condition, self.form)
    }

    /// Plays the game for small parameters.
    fn truth(&self) -> Truth {
        let (least, most) = PARAMETERS;
        let mut values: Vec<Vec<(char, i64)>> = vec![vec![]];
        for name in &self.parameters {
            let with = |before: &Vec<(char, i64)>| {
                let before = before.clone();
                (least..=most).map(move |value| [&before[..], &[(*name, value)]].concat())
            };
            values = values.iter().flat_map(with).collect();
        }
        let mut any = false;
        for names in values {
            match self.condition.value(&names) {
                None => return Truth::Unknown,
                Some(0) => continue,
                Some(_) => any = true,
            }
            if let Some(why) = self.wrong(&names) {
                return Truth::False(format!("{names:?}: {why}"));
            }
        }
        // A condition that no small value satisfies says nothing that could be played out.
        if any { Truth::True } else { Truth::Unknown }
    }

    /// Returns what is wrong of these parameters.
    fn wrong(&self, names: &[(char, i64)]) -> Option<String> {
        let mut amounts = Vec::new();
        for [low, high] in &self.amounts {
            let (Some(low), Some(high)) = (low.value(names), high.value(names)) else {
                return Some("an amount has no value".into());
            };
            if low < 1 {
                return Some(format!("an amount is {low}"));
            }
            amounts.extend(low..=high.min(HEAPS));
        }
        let is_wrong = |position: &[i64], is_p: bool| {
            let position = self.position.iter().copied().zip(position.iter().copied());
            let names: Vec<(char, i64)> = names.iter().copied().chain(position).collect();
            match self.form.value(&names) {
                Some(value) if (value == 1) == is_p => None,
                other => Some(format!("{names:?}: the form is {other:?}, P is {is_p}")),
            }
        };
        if self.position.len() == 1 {
            let mut all: Vec<bool> = Vec::new();
            for heap in 0..HEAPS {
                let wins = amounts.iter().any(|t| *t <= heap && all[(heap - t) as usize]);
                all.push(!wins);
                let wrong = is_wrong(&[heap], !wins);
                if wrong.is_some() {
                    return wrong;
                }
            }
            return None;
        }
        let side = PURSES + 1;
        let index = |n: i64, d: i64, e: i64| ((n * side + d) * side + e) as usize;
        let mut all: Vec<bool> = Vec::new();
        for n in 0..side {
            for d in 0..side {
                for e in 0..side {
                    let can = |t: &&i64| **t <= n && **t <= d;
                    let wins = amounts.iter().filter(can).any(|t| all[index(n - t, e, d - t)]);
                    all.push(!wins);
                    let wrong = is_wrong(&[n, d, e], !wins);
                    if wrong.is_some() {
                        return wrong;
                    }
                }
            }
        }
        None
    }
}

impl Forger for Parameters {
    fn table(&self) -> Table {
        Table { kind: "parameters", features: &FEATURES, lines: &LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Random) -> Option<Forgery> {
        // Of changed statements few may be false: some are drawn, and the first false one is taken.
        let mut last = None;
        for _ in 0..TRIES {
            let forgery = self.draw_once(feature, line, lot);
            if matches!(&forgery, Some(Forgery { truth: Truth::False(_), .. })) || line > 2 {
                return forgery;
            }
            last = forgery.or(last);
        }
        last
    }
}

impl Parameters {
    fn draw_once(&mut self, feature: usize, line: usize, lot: &mut Random) -> Option<Forgery> {
        let mut own = Statement::read(THEOREMS[feature]);
        let mut body = self.bodies()[feature].clone();
        let parameters = own.parameters.clone();
        let all: Vec<char> = parameters.iter().chain(&own.position).copied().collect();
        let step = |body: &[String], word: &str, lot: &mut Random| {
            let steps: Vec<usize> =
                (0..body.len()).filter(|at| body[*at].starts_with(word)).collect();
            (!steps.is_empty()).then(|| *lot.one(&steps))
        };
        match line {
            0 => own.form = own.form.changed(&all, lot),
            1 => own.condition = own.condition.changed(&parameters, lot),
            2 => {
                let amount = lot.below(own.amounts.len());
                let single =
                    own.amounts[amount][0].to_string() == own.amounts[amount][1].to_string();
                let end = lot.below(2);
                let changed = own.amounts[amount][end].changed(&parameters, lot);
                if single {
                    own.amounts[amount] = [changed.clone(), changed];
                } else {
                    own.amounts[amount][end] = changed;
                }
            }
            3 => body = lot.one(self.bodies()).clone(),
            4 => {
                let at = lot.below(body.len());
                let digits: Vec<usize> = body[at]
                    .char_indices()
                    .filter(|(_, c)| c.is_ascii_digit())
                    .map(|(at, _)| at)
                    .collect();
                let place = *digits.get(lot.below(digits.len()))?;
                body[at].replace_range(place..=place, &lot.below(10).to_string());
            }
            5 => {
                body.remove(lot.below(body.len()));
            }
            6 => {
                let at = step(&body, "witness", lot)?;
                let to = 1 + lot.below(own.amounts.len());
                body[at] = match lot.below(2) {
                    0 => format!("witness {to}"),
                    _ => format!("witness {to} {}", lot.one(&all)),
                };
            }
            7 => {
                let at = step(&body, "example", lot)?;
                let values: Vec<String> =
                    parameters.iter().map(|name| format!("{name}={}", lot.below(6))).collect();
                body[at] = format!("example {}", values.join(" "));
            }
            8 => {
                // Most of what is played out agrees.
                let bound = if own.position.len() == 1 { HEAPS - 1 } else { PURSES };
                let heap = Term::Name(own.position[0]);
                let late = Term::Number(bound - lot.below(bound as usize / 3) as i64);
                own.form = match lot.below(2) {
                    0 => own.form.joined_to("&", heap.joined_to("<", late)),
                    _ => own.form.joined_to("|", heap.joined_to("=", late)),
                };
            }
            _ => {
                let name = Term::Name(*lot.one(&parameters));
                let value = Term::Number(2 + lot.below(8) as i64);
                let heap = Term::Name(*lot.one(&own.position));
                let only = name
                    .joined_to("=", value)
                    .joined_to("&", heap.joined_to("=", Term::Number(lot.below(8) as i64)));
                own.form = own.form.joined_to("|", only);
            }
        }
        // Changed bodies stand under true claims and under false ones.
        if (3..8).contains(&line) && lot.below(3) > 0 {
            match lot.below(2) {
                0 => own.form = own.form.changed(&all, lot),
                _ => own.condition = own.condition.changed(&parameters, lot),
            }
        }
        let truth = own.truth();
        Some(Forgery::new("parameters", &own.game(), &own.claim(), &joined(&body), truth))
    }
}

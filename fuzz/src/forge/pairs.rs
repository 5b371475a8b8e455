//! False claims that the P-positions of two heaps are the pairs of two sequences.
//!
//! Games whose P-positions are such pairs by published theorems, others near them, and conditions
//! drawn at random; terms that are right, wrong from the first pair on, and right up to a late one.

use super::{Forger, Forgery, Table, Truth};
use crate::lot::Random;
use std::collections::HashSet;

/// Heaps that are played out. Pairs are computed as far.
const HEAPS: i64 = 110;

/// A number, or 1 or 0 for what is true or false.
#[derive(Debug, Clone)]
enum Expr {
    Number(i64),
    /// A variable by its number.
    Name(usize),
    Sum(Vec<(i64, Expr)>),
    Min(Box<Expr>, Box<Expr>),
    Max(Box<Expr>, Box<Expr>),
    Mod(Box<Expr>, i64),
    Div(Box<Expr>, i64),
    Less(Box<Expr>, Box<Expr>),
    Equal(Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
}

use Expr::{Div, Max, Min, Mod, Name, Number, Sum};

fn boxed(one: Expr, two: Expr) -> (Box<Expr>, Box<Expr>) {
    (Box::new(one), Box::new(two))
}

fn less(one: Expr, two: Expr) -> Expr {
    let (one, two) = boxed(one, two);
    Expr::Less(one, two)
}

fn equal(one: Expr, two: Expr) -> Expr {
    let (one, two) = boxed(one, two);
    Expr::Equal(one, two)
}

fn and(one: Expr, two: Expr) -> Expr {
    let (one, two) = boxed(one, two);
    Expr::And(one, two)
}

fn or(one: Expr, two: Expr) -> Expr {
    let (one, two) = boxed(one, two);
    Expr::Or(one, two)
}

fn not(one: Expr) -> Expr {
    Expr::Not(Box::new(one))
}

fn sum<const N: usize>(parts: [(i64, usize); N], more: i64) -> Expr {
    let names = parts.into_iter().map(|(factor, name)| (factor, Name(name)));
    Sum(names.chain([(more, Number(1))]).collect())
}

impl Expr {
    /// Returns the value; a quotient of a negative number has none.
    fn value(&self, at: &[i64]) -> Option<i64> {
        let both = |one: &Expr, two: &Expr| Some((one.value(at)?, two.value(at)?));
        Some(match self {
            Number(value) => *value,
            Name(name) => at[*name],
            Sum(parts) => {
                let mut all = 0;
                for (factor, part) in parts {
                    all += factor * part.value(at)?;
                }
                all
            }
            Min(one, two) => both(one, two).map(|(one, two)| one.min(two))?,
            Max(one, two) => both(one, two).map(|(one, two)| one.max(two))?,
            Mod(one, m) => one.value(at).filter(|value| *value >= 0)? % m,
            Div(one, m) => one.value(at).filter(|value| *value >= 0)? / m,
            Expr::Less(one, two) => both(one, two).map(|(one, two)| i64::from(one < two))?,
            Expr::Equal(one, two) => both(one, two).map(|(one, two)| i64::from(one == two))?,
            Expr::And(one, two) => both(one, two).map(|(one, two)| one.min(two))?,
            Expr::Or(one, two) => both(one, two).map(|(one, two)| one.max(two))?,
            Expr::Not(one) => 1 - one.value(at)?,
        })
    }

    fn text(&self, names: &[&str]) -> String {
        let of = |expr: &Expr| expr.text(names);
        match self {
            Number(value) => value.to_string(),
            Name(name) => names[*name].to_owned(),
            Sum(parts) => {
                let mut all = String::from("0");
                for (factor, part) in parts.iter().filter(|(factor, _)| *factor != 0) {
                    let sign = if *factor < 0 { "-" } else { "+" };
                    all += &match part {
                        Number(1) => format!("{sign}{}", factor.abs()),
                        part => format!("{sign}{}*{}", factor.abs(), of(part)),
                    };
                }
                format!("({})", all.strip_prefix("0+").unwrap_or(&all))
            }
            Min(one, two) => format!("min({},{})", of(one), of(two)),
            Max(one, two) => format!("max({},{})", of(one), of(two)),
            Mod(one, m) => format!("({} mod {m})", of(one)),
            Div(one, m) => format!("({} div {m})", of(one)),
            Expr::Less(one, two) => format!("{} < {}", of(one), of(two)),
            Expr::Equal(one, two) => format!("{} = {}", of(one), of(two)),
            Expr::And(one, two) => format!("({} & {})", of(one), of(two)),
            Expr::Or(one, two) => format!("({} | {})", of(one), of(two)),
            Expr::Not(one) => format!("~({})", of(one)),
        }
    }

    fn names(&self, name: usize) -> bool {
        match self {
            Number(_) => false,
            Name(it) => *it == name,
            Sum(parts) => parts.iter().any(|(_, part)| part.names(name)),
            Mod(one, _) | Div(one, _) | Expr::Not(one) => one.names(name),
            Min(one, two)
            | Max(one, two)
            | Expr::Less(one, two)
            | Expr::Equal(one, two)
            | Expr::And(one, two)
            | Expr::Or(one, two) => one.names(name) || two.names(name),
        }
    }
}

/// A claim: the width, TERM over n, a, p, q, and FIRST.
#[derive(Debug, Clone)]
struct Claim {
    width: i64,
    term: Expr,
    first: i64,
}

const N: usize = 0;
const A: usize = 1;
const P: usize = 2;
const Q: usize = 3;
/// p0, q0, p1, q1.
const HEAP_NAMES: [&str; 4] = ["p0", "q0", "p1", "q1"];

impl Claim {
    fn starts(&self) -> bool {
        self.term.names(P) || self.term.names(Q)
    }

    fn text(&self) -> String {
        let mex = if self.width == 1 { "mex".into() } else { format!("mex_{}", self.width) };
        let from = if self.starts() { format!(" from {}", self.first) } else { String::new() };
        format!("P iff a = {mex}, b = {}{from}", self.term.text(&["n", "a", "p", "q"]))
    }

    /// Returns the pairs with a number below the bound; `None` if a second number is no natural
    /// number.
    fn pairs(&self) -> Option<Vec<(i64, i64)>> {
        let mut all: Vec<(i64, i64)> = Vec::new();
        loop {
            let stands = |k: i64| all.iter().any(|(a, b)| *a == k || *b == k);
            let free = |k: i64| (0..self.width).all(|less| !stands(k - less));
            let n = all.len() as i64;
            let a = if n == 0 { 0 } else { (0..).find(|k| free(*k))? };
            let (p, q) = all.last().copied().unwrap_or_default();
            let is_first = n == 0 && self.starts();
            let b = if is_first { self.first } else { self.term.value(&[n, a, p, q])? };
            if b < 0 {
                return None;
            }
            if a >= HEAPS {
                return Some(all);
            }
            // Numbers far beyond what is played out are as good as any.
            all.push((a, b.min(1 << 50)));
        }
    }
}

/// Plays by the rules, position after position by the number of tokens, until one is not as said;
/// `None` if all below the bound are.
fn told_wrongly(rule: &Expr, misere: bool, pairs: &[(i64, i64)]) -> Option<(i64, i64)> {
    let is_move = |x: i64, y: i64, z: i64, w: i64| {
        z <= x && w <= y && z + w < x + y && rule.value(&[x, z, y, w]) == Some(1)
    };
    let said: HashSet<(i64, i64)> = pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    let mut losing: Vec<(i64, i64)> = Vec::new();
    for total in 0..2 * HEAPS - 1 {
        let before = losing.len();
        for x in (0..HEAPS).filter(|x| (0..HEAPS).contains(&(total - x))) {
            let y = total - x;
            let stuck = misere && (0..=x).all(|z| (0..=y).all(|w| !is_move(x, y, z, w)));
            let is_p = !stuck && !losing[..before].iter().any(|(z, w)| is_move(x, y, *z, *w));
            if is_p != said.contains(&(x, y)) {
                return Some((x, y));
            }
            if is_p {
                losing.push((x, y));
            }
        }
    }
    None
}

const FEATURES: [&str; 12] = [
    "wythoff",
    "a band of diagonals",
    "a wider mex",
    "s and t",
    "a band that grows",
    "one heap",
    "one move less",
    "one move more",
    "misere play",
    "a number remembered",
    "one order alone",
    "drawn conditions",
];

const LINES: [&str; 11] = [
    "the term, or one more",
    "another term",
    "another width",
    "another first number",
    "wrong of late pairs",
    "wrong of large numbers",
    "no natural number",
    "lemmas that are false",
    "lemmas of a few pairs",
    "another nearest",
    "names that clash",
];

/// The forger.
pub struct Pairs;

/// Condition, right claim, and lemmas that go with it.
struct Base {
    game: Option<&'static str>,
    rule: Expr,
    claim: Claim,
    body: [&'static str; 3],
}

/// x0 − y0 less x1 − y1 is below `by`, and the other way round: the amounts taken differ by less.
fn band(by: Expr) -> Expr {
    let taken = sum([(1, 0), (-1, 1), (-1, 2), (1, 3)], 0);
    let other = sum([(-1, 0), (1, 1), (1, 2), (-1, 3)], 0);
    and(less(taken, by.clone()), less(other, by))
}

fn one_heap() -> Expr {
    or(equal(Name(0), Name(1)), equal(Name(2), Name(3)))
}

/// Returns one of the games of published theorems.
fn base(feature: usize, lot: &mut Random) -> Base {
    let plain = ["true", "true", "b - a"];
    let claim = |width, term, first| Claim { width, term, first };
    let an = |s, t| sum([(s, A), (t, N)], 0);
    let t = 1 + lot.below(3) as i64;
    match feature {
        0 => {
            let rule = or(one_heap(), band(Number(1)));
            Base { game: Some("wythoff"), rule, claim: claim(1, an(1, 1), 0), body: plain }
        }
        2 => {
            // Gurvich, NIM(a, b).
            let width = 2 + lot.below(2) as i64;
            let t = 1 + lot.below(2) as i64;
            let near = |p, q| less(sum([(1, p), (-1, q)], 0), Number(width));
            let rule = or(or(near(0, 1), near(2, 3)), band(Number(t)));
            Base { game: None, rule, claim: claim(width, an(1, t), 0), body: plain }
        }
        3 => {
            // Fraenkel, (s, t): 0 < k ≤ l < s·k + t.
            let s = 1 + lot.below(2) as i64;
            let t = 1 + lot.below(2) as i64;
            let wide = |k: [usize; 2], l: [usize; 2]| {
                less(sum([(1, l[0]), (-1, l[1]), (-s, k[0]), (s, k[1])], 0), Number(t))
            };
            let both = and(wide([0, 1], [2, 3]), wide([2, 3], [0, 1]));
            let both = and(both, and(less(Name(1), Name(0)), less(Name(3), Name(2))));
            let rule = or(one_heap(), both);
            Base { game: None, rule, claim: claim(1, an(s, t), 0), body: plain }
        }
        4 => {
            let least = Min(Box::new(Name(1)), Box::new(Name(3)));
            let rule = or(one_heap(), band(Sum(vec![(1, least), (1, Number(1))])));
            let term = sum([(1, A), (1, Q)], 1);
            let body = ["true", "d + a >= c + b + a + 1", "b - a"];
            Base { game: None, rule, claim: claim(1, term, 0), body }
        }
        5 => {
            let game = *lot.one(&[Some("nim(2)"), None]);
            Base { game, rule: one_heap(), claim: claim(1, an(1, 0), 0), body: plain }
        }
        _ => {
            let rule = or(one_heap(), band(Number(t)));
            Base { game: None, rule, claim: claim(1, an(1, t), 0), body: plain }
        }
    }
}

/// Draws an atom of a condition, the same of both heaps.
fn drawn(lot: &mut Random) -> Expr {
    let small = |lot: &mut Random| lot.below(3) as i64;
    let k = 1 + small(lot);
    let width = |lot: &mut Random| -> Expr {
        let both = |lot: &mut Random, p, q| {
            let (one, two) = boxed(Name(p), Name(q));
            if lot.below(2) == 0 { Min(one, two) } else { Max(one, two) }
        };
        let more = 1 + lot.below(3) as i64;
        let part = match lot.below(5) {
            0 => return Number(more),
            1 => both(lot, 1, 3),
            2 => both(lot, 0, 2),
            3 => Div(Box::new(sum([(1, 1), (1, 3)], 0)), 2 + lot.below(2) as i64),
            _ => Mod(Box::new(sum([(1, 0), (1, 2)], 0)), 2 + lot.below(3) as i64),
        };
        Sum(vec![(1, part), (more, Number(1))])
    };
    match lot.below(6) {
        0 | 1 => band(width(lot)),
        2 => {
            let taken = sum([(1, 0), (-1, 1), (1, 2), (-1, 3)], 0);
            less(taken, width(lot))
        }
        3 => {
            let amount = |p, q| sum([(1, p), (-1, q)], 0);
            or(less(amount(0, 1), Number(k)), less(amount(2, 3), Number(k)))
        }
        4 => {
            let m = 2 + small(lot);
            // No minus stands in a quotient: what is left is added to what was there.
            equal(
                Mod(Box::new(sum([(1, 0), (1, 1), (1, 2), (1, 3)], 0)), m),
                Number(small(lot) % m),
            )
        }
        _ => {
            let wide = |one: [usize; 2], two: [usize; 2]| {
                less(sum([(1, two[0]), (-1, two[1]), (-k, one[0]), (k, one[1])], 0), Number(k))
            };
            and(wide([0, 1], [2, 3]), wide([2, 3], [0, 1]))
        }
    }
}

fn drawn_term(lot: &mut Random) -> Expr {
    let small = |lot: &mut Random| lot.below(3) as i64;
    let s = 1 + lot.below(2) as i64;
    let plain = match lot.below(4) {
        0 | 1 => sum([(s, A), (small(lot), N)], small(lot)),
        2 => sum([(1, A), (1, Q), (-small(lot).min(1), P)], small(lot)),
        _ => sum([(1, A), (1, Q)], small(lot)),
    };
    let (divided, name) = (2 + small(lot), *lot.one(&[N, A]));
    match lot.below(6) {
        0 => Sum(vec![(1, plain), (1, Div(Box::new(Name(name)), divided))]),
        1 => Sum(vec![(1, plain), (1, Mod(Box::new(Name(name)), divided))]),
        2 => {
            let (one, two) = boxed(plain, sum([(2, A)], small(lot)));
            Max(one, two)
        }
        _ => plain,
    }
}

impl Forger for Pairs {
    fn table(&self) -> Table {
        Table { kind: "pairs", features: &FEATURES, lines: &LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Random) -> Option<Forgery> {
        let Base { mut game, mut rule, mut claim, body } = base(feature, lot);
        let mut body = body.map(str::to_owned);
        let exact = |at: [i64; 4]| {
            let [p, q, r, s] = [0, 1, 2, 3].map(|name| equal(Name(name), Number(at[name])));
            and(and(p, q), and(r, s))
        };
        // A move between two positions, and its image.
        let some_move = |lot: &mut Random| {
            let from = [5 + lot.below(60) as i64, 5 + lot.below(60) as i64];
            let to = from.map(|heap| lot.below(heap as usize) as i64);
            let ([x, y], [z, w]) = (from, to);
            or(exact([x, z, y, w]), exact([y, w, x, z]))
        };
        match feature {
            6 => {
                // From a position that is none of a pair to what it may move to, if that is one.
                let pairs = claim.pairs()?;
                let (a, b) = pairs[1 + lot.below(pairs.len().min(12) - 1)];
                let at = [b + 1 + lot.below(9) as i64, b, a, a];
                let turned = [a, a, at[0], b];
                rule = and(rule, not(or(exact(at), exact(turned))));
            }
            7 if lot.below(2) == 0 => rule = or(rule, some_move(lot)),
            7 => {
                let pairs = claim.pairs()?;
                let late = 3 + lot.below(pairs.len().saturating_sub(4).max(1));
                let ((c, d), (a, b)) = (*pairs.get(late)?, pairs[lot.below(late)]);
                rule = or(rule, or(exact([c, a, d, b]), exact([d, b, c, a])));
            }
            10 => {
                rule = and(rule, or(not(less(Name(0), Name(2))), equal(Name(2), Name(3))));
            }
            11 => {
                rule = one_heap();
                for _ in 0..1 + lot.below(2) {
                    let atom = drawn(lot);
                    rule = if lot.below(5) == 0 { and(rule, atom) } else { or(rule, atom) };
                }
                if lot.below(4) > 0 {
                    claim.term = drawn_term(lot);
                    claim.width = if lot.below(5) == 0 { 2 } else { 1 };
                }
                body[1] = lot
                    .one(&["true", "true", "d + a >= c + b", "d + a >= c + b + 1", "d - c > b - a"])
                    .to_string();
                body[2] = lot.one(&["b - a", "b - a", "a + b", "b"]).to_string();
            }
            _ => {}
        }
        if feature > 5 {
            game = None;
        }
        let term = claim.term.clone();
        // Of pairs that grow fast few are played out.
        let late = if feature == 4 { 2 + lot.below(3) } else { 4 + lot.below(20) } as i64;
        let k = 1 + lot.below(3) as i64;
        match line {
            0 if lot.below(5) > 0 => claim.term = Sum(vec![(1, term), (1, Number(1))]),
            1 => claim.term = drawn_term(lot),
            2 => claim.width = 1 + (claim.width + lot.below(2) as i64) % 3,
            3 => {
                // The first number counts for what it says, if the term takes it up.
                if !claim.starts() {
                    claim.term = Sum(vec![(1, term), (1, Name(Q)), (-1, Name(Q))]);
                }
                claim.first = lot.below(4) as i64;
            }
            4 => claim.term = Sum(vec![(1, term), (k, Div(Box::new(Name(N)), late))]),
            5 => {
                let (one, two) = boxed(term, sum([(1, A)], late));
                claim.term = if lot.below(2) == 0 { Min(one, two) } else { Max(one, two) };
            }
            6 => {
                claim.term = match lot.below(5) {
                    0 => sum([(1, Q)], -k),
                    1 => Sum(vec![(1, term), (1, Name(Q)), (-1, Name(Q)), (-k, Name(N))]),
                    2 => {
                        let step = Div(Box::new(Name(N)), late);
                        Sum(vec![(1, term), (0, Name(Q)), (-1000, step)])
                    }
                    3 => Sum(vec![(1, term), (1, Mod(Box::new(sum([(1, N)], -k)), 2))]),
                    _ => sum([(1, P)], -1),
                };
                if lot.below(2) == 0 {
                    body = ["n = 0 & a = 0 & b = 0", "true", "b - a"].map(str::to_owned);
                }
            }
            7 => {
                let place = lot.below(2);
                if lot.below(5) > 0 {
                    let soon = 2 + lot.below(8) as i64;
                    claim.term = Sum(vec![(1, term), (1, Div(Box::new(Name(N)), soon))]);
                }
                body[place] = lot
                    .one(&["0 = 1", "false", "a < a", "E x: x < 0", "a + 1 <= a & true", "b < a"])
                    .to_string();
            }
            8 => {
                body[0] = match lot.below(4) {
                    0 => format!("n < {late}"),
                    1 => format!("a < {late}"),
                    2 => "n = 0 & a = 0 & b = 0".into(),
                    _ => format!("n < {late} | false"),
                };
                claim.term = match lot.below(3) {
                    0 => Sum(vec![(1, term), (1, Div(Box::new(Name(N)), late))]),
                    1 => Sum(vec![(1, term), (1, Name(Q)), (-1, Name(Q)), (-k, Name(N))]),
                    _ => sum([(1, A), (k, N)], 1),
                };
            }
            9 => {
                body[2] = lot.one(&["a", "b", "0", "a + b", "a - b", "2*b - a", "n"]).to_string();
                if lot.below(2) == 0 {
                    claim.term = drawn_term(lot);
                }
            }
            10 => {
                body[0] = lot
                    .one(&[
                        "E n: b = n",
                        "E a: a = b",
                        "A b: b >= 0 & E n, a: n + a = b",
                        "E p: p = b",
                    ])
                    .to_string();
                body[1] = lot
                    .one(&["E m, n: m < n", "A a, b: E c, d: c + d = a + b", "E q: q = d", "true"])
                    .to_string();
                if lot.below(3) > 0 {
                    claim.term = Sum(vec![(1, term), (1, Div(Box::new(Name(N)), late))]);
                }
            }
            _ => {}
        }
        let misere = feature == 8;
        let truth = if feature == 9 {
            Truth::False("positions are not heaps alone".into())
        } else {
            match claim.pairs() {
                None => Truth::False("a second number is none".into()),
                Some(pairs) => match told_wrongly(&rule, misere, &pairs) {
                    Some(position) => Truth::False(format!("{position:?} has the other outcome")),
                    None => Truth::True,
                },
            }
        };
        let said = rule.text(&HEAP_NAMES);
        let game = match game {
            Some(game) => game.to_owned(),
            None if feature == 9 => format!("rules(2+1;none;binary;{said} & q2 = p2)"),
            None => format!("rules(2;full;binary;{said})"),
        };
        let play = if misere { "in misere play " } else { "" };
        let claim = format!("{play}{}", claim.text());
        let [each, two, nearest] = body;
        let body = format!("each pair: {each}\ntwo pairs: {two}\nnearest: {nearest}\n");
        Some(Forgery::new("pairs", &game, &claim, &body, truth))
    }
}

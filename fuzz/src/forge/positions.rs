//! False claims on P-positions.
//!
//! A proof of one game is handed to another: one of another set, number of heaps, symmetry, window,
//! play; or its claim has one position more or fewer, or another constant, and then labels,
//! conditions, states or parts of the body are changed, too. Rules and formulas are read by code of
//! this bench.

use super::{Forger, Forgery, Raw, Table, Truth, joined};
use crate::lot::Lot;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A formula or a term; truth values are 0 and 1.
#[derive(Debug, Clone)]
enum Said {
    Number(i64),
    Name(usize),
    /// An operator and what it joins.
    Row(String, Vec<Said>),
}

/// Operators, loosest first; those of a row bind alike.
const LEVELS: &[&[&str]] = &[
    &["<=>"],
    &["=>"],
    &["|"],
    &["&"],
    &["="],
    &["xor", "xor2", "xor3", "xor4", "xor5", "xor6", "xor7", "xor8", "xor9"],
    &["+", "-"],
    &["*", "mod", "div"],
];
const RELATIONS: &[&str] = &["=", "!=", "<", "<=", ">", ">="];

struct Reader<'t> {
    words: Vec<String>,
    at: usize,
    names: &'t [String],
}

impl Said {
    /// Reads a formula without quantifiers and fractions.
    fn read(text: &str, names: &[String]) -> Option<Said> {
        let mut words: Vec<String> = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if first.is_ascii_alphanumeric() {
                rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())
            } else {
                let long =
                    ["<=>", "=>", "<=", ">=", "!="].iter().find(|word| rest.starts_with(**word));
                long.map_or(first.len_utf8(), |word| word.len())
            };
            words.push(rest[..length].to_owned());
            rest = rest[length..].trim_start();
        }
        let mut reader = Reader { words, at: 0, names };
        let said = reader.level(0)?;
        (reader.at == reader.words.len()).then_some(said)
    }

    fn value(&self, numbers: &[i64]) -> Option<i64> {
        let (word, parts) = match self {
            Said::Number(number) => return Some(*number),
            Said::Name(name) => return numbers.get(*name).copied(),
            Said::Row(word, parts) => (word.as_str(), parts),
        };
        let all: Vec<i64> = parts.iter().map(|part| part.value(numbers)).collect::<Option<_>>()?;
        let truth = |truth: bool| Some(i64::from(truth));
        match (word, &all[..]) {
            ("&", _) => truth(all.iter().all(|x| *x != 0)),
            ("|", _) => truth(all.iter().any(|x| *x != 0)),
            ("~", [x]) => truth(*x == 0),
            ("=>", [x, y]) => truth(*x == 0 || *y != 0),
            ("<=>", [x, y]) => truth((*x != 0) == (*y != 0)),
            ("=", [x, y]) => truth(x == y),
            ("!=", [x, y]) => truth(x != y),
            ("<", [x, y]) => truth(x < y),
            ("<=", [x, y]) => truth(x <= y),
            (">", [x, y]) => truth(x > y),
            (">=", [x, y]) => truth(x >= y),
            ("+", [x, y]) => Some(x + y),
            ("-", [x, y]) => Some(x - y),
            ("*", [x, y]) => x.checked_mul(*y),
            ("mod", [x, y]) => x.checked_rem_euclid(*y),
            ("div", [x, y]) => x.checked_div_euclid(*y),
            ("min", _) => all.iter().min().copied(),
            ("max", _) => all.iter().max().copied(),
            ("shift", [x]) => {
                // x + the whole part of (x + 1)/φ.
                let n = x + 1;
                let golden = (n + ((5 * n * n) as u64).isqrt() as i64) / 2;
                Some(x + golden - n)
            }
            (word, _) => {
                let base: i64 = match word.strip_prefix("xor")? {
                    "" => 2,
                    base => base.parse().ok()?,
                };
                if all.iter().any(|x| *x < 0) {
                    return None;
                }
                let digit = |place: i64| all.iter().map(|x| x >> place & 1).sum::<i64>() % base;
                Some((0..40).map(|place| digit(place) << place).sum())
            }
        }
    }
}

impl Reader<'_> {
    fn word(&self) -> &str {
        self.words.get(self.at).map_or("", String::as_str)
    }

    fn level(&mut self, level: usize) -> Option<Said> {
        let Some(words) = LEVELS.get(level) else { return self.atom() };
        let relation = words[0] == "=";
        if relation && self.word() == "~" {
            self.at += 1;
            return Some(Said::Row("~".into(), vec![self.level(level)?]));
        }
        let mut left = self.level(level + 1)?;
        loop {
            let word = self.word().to_owned();
            let known = if relation { RELATIONS } else { words };
            if !known.contains(&word.as_str()) {
                return Some(left);
            }
            self.at += 1;
            let right = self.level(level + 1)?;
            left = match left {
                // Sums by digit, and what is joined by one word, are one row.
                Said::Row(own, mut parts)
                    if own == word && (level == 2 || level == 3 || level == 5) =>
                {
                    parts.push(right);
                    Said::Row(own, parts)
                }
                left => Said::Row(word, vec![left, right]),
            };
        }
    }

    fn atom(&mut self) -> Option<Said> {
        let word = self.word().to_owned();
        self.at += 1;
        if let Ok(number) = word.parse() {
            return Some(Said::Number(number));
        }
        let row = match word.as_str() {
            "true" => return Some(Said::Number(1)),
            "false" => return Some(Said::Number(0)),
            "(" => {
                let inner = self.level(0)?;
                (self.word() == ")").then_some(())?;
                self.at += 1;
                // Kept apart from a row around it.
                return Some(Said::Row("max".into(), vec![inner]));
            }
            "min" | "max" | "shift" => word,
            _ => return self.names.iter().position(|name| *name == word).map(Said::Name),
        };
        (self.word() == "(").then_some(())?;
        let mut parts = Vec::new();
        loop {
            self.at += 1;
            parts.push(self.level(0)?);
            match self.word() {
                "," => {}
                ")" => {
                    self.at += 1;
                    return Some(Said::Row(row, parts));
                }
                _ => return None,
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    None,
    Ring,
    Full,
}

/// How windows lie.
#[derive(Clone)]
enum Windows {
    /// At most so many heaps.
    Any(usize),
    /// So many neighbours on a circle.
    Arc(usize),
    Listed(Vec<Vec<usize>>),
}

/// A game by its rules.
#[derive(Clone)]
struct Rules {
    heaps: usize,
    symmetry: Symmetry,
    windows: Windows,
    condition: Option<Said>,
    shrinks: bool,
    memory: usize,
    purses: bool,
}

fn list(text: &str) -> Option<Vec<usize>> {
    text.split(',').map(|word| word.parse().ok()).collect()
}

fn condition(text: &str, window: usize) -> Option<Said> {
    let names: Vec<String> = (0..window).flat_map(|i| [format!("p{i}"), format!("q{i}")]).collect();
    Said::read(text, &names)
}

fn by_amounts(set: &[usize]) -> Option<Said> {
    let text: Vec<String> = set.iter().map(|a| format!("q0+{a} = p0")).collect();
    condition(&text.join(" | "), 1)
}

impl Rules {
    fn read(name: &str) -> Option<Rules> {
        let of = |heaps, symmetry, windows| Rules {
            heaps,
            symmetry,
            windows,
            condition: None,
            shrinks: false,
            memory: 0,
            purses: false,
        };
        if name == "wythoff" {
            let condition = condition("q0 = p0 | q1 = p1 | p0+q1 = p1+q0", 2);
            return Some(Rules { condition, ..of(2, Symmetry::Full, Windows::Any(2)) });
        }
        let (family, rest) = name.strip_suffix(')')?.split_once('(')?;
        let fields: Vec<&str> = rest.split(';').collect();
        let number = |text: &str| text.parse::<usize>().ok();
        let rules = match (family, &fields[..]) {
            ("nim", [n]) => of(number(n)?, Symmetry::Full, Windows::Any(1)),
            ("moore", [b, n]) => {
                of(number(n)?, Symmetry::Full, Windows::Any(number(b)?.checked_sub(1)?))
            }
            ("S", [set, n]) => Rules {
                condition: by_amounts(&list(set)?),
                ..of(number(n)?, Symmetry::Full, Windows::Any(1))
            },
            ("NIM", [set, _]) => Rules {
                condition: by_amounts(&list(set)?),
                ..of(1, Symmetry::Full, Windows::Any(1))
            },
            ("NIM", [set, _, _]) => {
                let one = |a: &usize| format!("q0+{a} = p0 & q1 = p2 & q2+{a} = p1");
                let text: Vec<String> = list(set)?.iter().map(one).collect();
                let condition = condition(&text.join(" | "), 3);
                Rules { condition, purses: true, ..of(3, Symmetry::None, Windows::Any(3)) }
            }
            ("CN" | "SCN", [nk, rest @ ..]) => {
                let [n, k] = list(nk)?.try_into().ok()?;
                let rules = of(n, Symmetry::Ring, Windows::Arc(k));
                let rules = Rules { shrinks: family == "SCN", ..rules };
                let of_all = |text: &dyn Fn(usize) -> String, between: &str| {
                    (0..k).map(text).collect::<Vec<_>>().join(between)
                };
                let text = match rest {
                    [] => return Some(rules).filter(|_| k >= 1 && k <= n),
                    [variation] => {
                        let (word, least) = match variation.split_once(">=") {
                            Some(pair) => (pair, true),
                            None => (variation.split_once('=')?, false),
                        };
                        let a = number(word.1)?;
                        let relation = if least { "<=" } else { "=" };
                        match (word.0, least) {
                            ("any", false) => {
                                of_all(&|i| format!("(q{i} = p{i} | q{i}+{a} = p{i})"), " & ")
                            }
                            ("each", _) => of_all(&|i| format!("q{i}+{a} {relation} p{i}"), " & "),
                            ("total", _) => format!(
                                "{}+{a} {relation} {}",
                                of_all(&|i| format!("q{i}"), "+"),
                                of_all(&|i| format!("p{i}"), "+")
                            ),
                            _ => return None,
                        }
                    }
                    _ => return None,
                };
                Rules { condition: Some(condition(&text, k)?), ..rules }
            }
            ("simplicial", lists) => {
                let faces: Vec<Vec<usize>> = lists
                    .iter()
                    .map(|text| list(text)?.iter().map(|h| h.checked_sub(1)).collect())
                    .collect::<Option<_>>()?;
                let n = faces.iter().flatten().max().filter(|h| **h < 5)? + 1;
                let keeps = |place: &dyn Fn(usize) -> usize| {
                    faces.iter().all(|face| {
                        let mut image: Vec<usize> = face.iter().map(|h| place(*h)).collect();
                        image.sort_unstable();
                        faces.contains(&image)
                    })
                };
                let turns = keeps(&|h| (h + 1) % n);
                let symmetry = match (
                    turns && keeps(&|h| if h < 2 && n > 1 { 1 - h } else { h }),
                    turns && keeps(&|h| n - 1 - h),
                ) {
                    (true, _) => Symmetry::Full,
                    (_, true) => Symmetry::Ring,
                    _ => Symmetry::None,
                };
                of(n, symmetry, Windows::Listed(faces))
            }
            ("rules", [heaps, symmetry, _digits, text @ ..]) => {
                let (heaps, memory) = match heaps.split_once('+') {
                    Some((heaps, memory)) => (number(heaps)?, number(memory)?),
                    None => (number(heaps)?, 0),
                };
                let symmetry = match *symmetry {
                    "none" => Symmetry::None,
                    "ring" => Symmetry::Ring,
                    "full" => Symmetry::Full,
                    _ => return None,
                };
                let all = heaps + memory;
                let condition = Some(condition(&text.join(";"), all)?);
                Rules { condition, memory, ..of(all, symmetry, Windows::Any(all)) }
            }
            _ => return None,
        };
        (1..=5).contains(&rules.heaps).then_some(rules)
    }

    /// Returns the number that positions are looked at below.
    fn bound(&self) -> u64 {
        let few = if self.heaps <= 10 { 2 } else { 1 };
        [1, 70, 13, 6, 4, 3].get(self.heaps).copied().unwrap_or(few)
    }

    fn windows(&self, m: usize) -> Vec<Vec<usize>> {
        match &self.windows {
            Windows::Listed(faces) => faces.clone(),
            Windows::Arc(k) if *k >= m => vec![(0..m).collect()],
            Windows::Arc(k) => (0..m).map(|i| (i..i + k).map(|h| h % m).collect()).collect(),
            Windows::Any(k) => {
                let sets = (1u32..1 << m).filter(|set| set.count_ones() as usize == (*k).min(m));
                sets.map(|set| (0..m).filter(|h| set >> h & 1 == 1).collect()).collect()
            }
        }
    }

    fn options(&self, p: &[u64]) -> Option<Vec<Vec<u64>>> {
        let (m, bound) = (p.len(), self.bound());
        let mut options = Vec::new();
        for window in self.windows(m) {
            let mut tails: Vec<Vec<u64>> = vec![p.to_vec()];
            for h in &window {
                let most = match (self.purses, *h) {
                    (true, 1) => p[2],
                    (true, 2) => p[1],
                    (_, h) if h + self.memory >= m && self.memory > 0 => bound - 1,
                    (_, h) => p[h],
                };
                let all = tails.into_iter();
                tails = all
                    .flat_map(|q| {
                        (0..=most).map(move |x| {
                            let mut q = q.clone();
                            q[*h] = x;
                            q
                        })
                    })
                    .collect();
            }
            for mut q in tails {
                let tokens = |p: &[u64]| p[..m - self.memory].iter().sum::<u64>();
                if tokens(&q) >= tokens(p) {
                    continue;
                }
                if let Some(condition) = &self.condition {
                    let numbers: Vec<i64> =
                        window.iter().flat_map(|h| [p[*h] as i64, q[*h] as i64]).collect();
                    if condition.value(&numbers)? == 0 {
                        continue;
                    }
                }
                if self.shrinks {
                    q.retain(|x| *x > 0);
                }
                options.push(q);
            }
        }
        Some(options)
    }

    /// Returns all positions with numbers below the bound and whether they are lost for the mover.
    fn solve(&self, misere: bool) -> Option<BTreeMap<Vec<u64>, bool>> {
        let mut all: Vec<Vec<u64>> = Vec::new();
        let boards = if self.shrinks { 0..=self.heaps } else { self.heaps..=self.heaps };
        for m in boards {
            let mut some: Vec<Vec<u64>> = vec![vec![]];
            for _ in 0..m {
                let least = u64::from(self.shrinks);
                some = some
                    .iter()
                    .flat_map(|p| (least..self.bound()).map(move |x| [&p[..], &[x]].concat()))
                    .collect();
            }
            all.extend(some);
        }
        all.sort_by_key(|p| p[..p.len() - self.memory].iter().sum::<u64>());
        let mut lost: BTreeMap<Vec<u64>, bool> = BTreeMap::new();
        for p in all {
            let options = self.options(&p)?;
            let is_lost = match options.is_empty() {
                true => !misere,
                // What is past the bound is not known; purses may turn past it, too.
                false => !options.iter().any(|q| lost.get(q) == Some(&true)),
            };
            lost.insert(p, is_lost);
        }
        Some(lost)
    }

    /// Returns the images of a position.
    fn images(&self, p: &[u64]) -> Vec<Vec<u64>> {
        let m = p.len();
        let mut all = vec![p.to_vec()];
        let generators: Vec<Vec<usize>> = match self.symmetry {
            _ if m < 2 => vec![],
            Symmetry::None => vec![],
            Symmetry::Ring => vec![(0..m).map(|i| (i + 1) % m).collect(), (0..m).rev().collect()],
            Symmetry::Full => vec![
                (0..m).map(|i| (i + 1) % m).collect(),
                (0..m).map(|i| if i < 2 { 1 - i } else { i }).collect(),
            ],
        };
        let mut at = 0;
        while at < all.len() {
            for generator in &generators {
                let image: Vec<u64> = generator.iter().map(|i| all[at][*i]).collect();
                if !all.contains(&image) {
                    all.push(image);
                }
            }
            at += 1;
        }
        all
    }
}

/// Returns formulas of a claim, by number of heaps.
fn claimed(rules: &Rules, claim: &str) -> Option<HashMap<usize, Said>> {
    let names: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
    let claim = claim.strip_prefix("in misere play ").unwrap_or(claim);
    let text = claim.strip_prefix("P iff ")?;
    // Where players may be stuck in misere play the claim is taken as it stands.
    let text = text.strip_suffix(", up to symmetry").unwrap_or(text);
    if !rules.shrinks {
        return Some([(rules.heaps, Said::read(text, names.get(..rules.heaps)?)?)].into());
    }
    let mut all = HashMap::new();
    for part in text.split("; ") {
        let (heaps, text) = part.split_once(" heaps: ")?;
        let heaps: usize = heaps.parse().ok()?;
        all.insert(heaps, Said::read(text, names.get(..heaps)?)?);
    }
    Some(all)
}

/// Which positions are P, if the bench knows the rules.
type Solved = Option<Rc<BTreeMap<Vec<u64>, bool>>>;

/// The forger.
pub struct Positions {
    raw: Vec<Raw>,
    solved: HashMap<(String, bool), Solved>,
}

impl Positions {
    /// Returns a forger with kept proofs.
    pub fn new(texts: &[String]) -> Positions {
        let raw =
            Raw::all(texts, "p-positions").into_iter().filter(|raw| raw.body.len() < 600).collect();
        Positions { raw, solved: HashMap::new() }
    }

    fn truth(&mut self, game: &str, claim: &str) -> Truth {
        let Some(rules) = Rules::read(game) else { return Truth::Unknown };
        if rules.purses && !game.ends_with(";n;d,e)") {
            return Truth::False("there is no game of this name".into());
        }
        let misere = claim.starts_with("in misere play ");
        let solved = self
            .solved
            .entry((game.to_owned(), misere))
            .or_insert_with(|| rules.solve(misere).map(Rc::new));
        let (Some(solved), Some(formulas)) = (solved.clone(), claimed(&rules, claim)) else {
            return Truth::Unknown;
        };
        for (p, lost) in solved.iter() {
            let holds = |image: &Vec<u64>| {
                let numbers: Vec<i64> = image.iter().map(|x| *x as i64).collect();
                formulas.get(&p.len()).map_or(Some(0), |formula| formula.value(&numbers))
            };
            let mut said = false;
            for image in rules.images(p) {
                match holds(&image) {
                    Some(holds) => said |= holds != 0,
                    None => return Truth::Unknown,
                }
            }
            if said != *lost {
                return Truth::False(format!("{p:?} is {}", if *lost { "P" } else { "N" }));
            }
        }
        Truth::True
    }
}

const FEATURES: &[&str] = &[
    "nim",
    "moore",
    "S, NIM",
    "CN",
    "CN, a variation",
    "SCN",
    "simplicial",
    "wythoff",
    "rules, none",
    "rules, ring or full",
    "digits of their own",
    "memory",
    "purses",
    "purses by another name",
    "misere, players stuck",
];

/// The number of the feature whose bodies begin with `stuck`.
const STUCK: usize = 14;

const LINES: &[&str] = &[
    "another game",
    "a position more",
    "a position fewer",
    "a constant",
    "misere",
    "label",
    "condition",
    "state",
    "a part less",
    "refutation",
    "tree",
    "images",
];

/// Returns whether a game has a feature.
fn has(feature: usize, game: &str) -> bool {
    let of =
        |family: &str| game.starts_with(family) && game.as_bytes().get(family.len()) == Some(&b'(');
    let fields = game.split(';').count();
    match feature {
        0 => of("nim"),
        1 => of("moore"),
        2 => of("S") || of("NIM") && fields == 2,
        3 => of("CN") && fields == 1,
        4 => of("CN") && fields == 2,
        5 => of("SCN"),
        6 => of("simplicial"),
        7 => game == "wythoff",
        8 | STUCK => {
            of("rules")
                && game.contains(";none;")
                && !game.contains('+')
                && game.contains(";binary;")
        }
        9 => of("rules") && !game.contains(";none;"),
        10 => of("rules") && !game.contains(";binary;"),
        11 => of("rules") && game.split(';').next().is_some_and(|heaps| heaps.contains('+')),
        12 => of("NIM") && game.ends_with(";n;d,e)"),
        _ => of("NIM") && fields == 3,
    }
}

fn drawn(feature: usize, lot: &mut Lot) -> String {
    let set = |lot: &mut Lot| {
        let mut set: Vec<usize> = (0..1 + lot.below(3)).map(|_| 1 + lot.below(5)).collect();
        set.sort_unstable();
        set.dedup();
        set.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
    };
    let (n, k) = (1 + lot.below(4), 1 + lot.below(3));
    let rule = |lot: &mut Lot, heaps: usize| {
        let k = 1 + lot.below(3);
        match (heaps, lot.below(4)) {
            (1, 0) => format!("q0+{k} = p0"),
            (1, 1) => format!("q0+{k} <= p0"),
            (1, 2) => format!("p0 <= {}*q0", k + 1),
            (1, _) => format!("q0 mod {} = {}", k + 1, lot.below(k)),
            (_, 0) => "p0+q1 = p1+q0".into(),
            (_, 1) => "q0 = p0 | q1 = p1".into(),
            (_, 2) => format!("q0+q1+{k} = p0+p1"),
            _ => format!("p0+q1 <= p1+q0+{k}"),
        }
    };
    match feature {
        0 => format!("nim({n})"),
        1 => format!("moore({};{n})", 2 + lot.below(3)),
        2 => match lot.below(2) {
            0 => format!("S({};{})", set(lot), 1 + lot.below(2)),
            _ => format!("NIM({};n)", set(lot)),
        },
        3 | 5 => format!("{}({},{})", if feature == 3 { "CN" } else { "SCN" }, n.max(k), k),
        4 => {
            format!(
                "CN({},{k};{}{k})",
                n.max(k),
                lot.one(&["any=", "each=", "each>=", "total=", "total>="])
            )
        }
        6 => (*lot.one(&[
            "simplicial(1,2;2,3)",
            "simplicial(1,2;2,3;1,3)",
            "simplicial(1;2)",
            "simplicial(1,2;3)",
            "simplicial(1,2,3)",
            "simplicial(1,3;2)",
        ]))
        .into(),
        7 => "wythoff".into(),
        8..11 | STUCK => {
            let heaps = if feature == 9 { 2 } else { 1 + lot.below(2) };
            let symmetry =
                if matches!(feature, 8 | STUCK) { "none" } else { lot.one(&["ring", "full"]) };
            let digits = match feature {
                10 => *lot.one(&["zeckendorf", "ostrowski(2)", "ostrowski(1,2)", "ostrowski(3)"]),
                _ => "binary",
            };
            format!("rules({heaps};{symmetry};{digits};{})", rule(lot, heaps))
        }
        11 => format!("rules(1+1;none;binary;q0 + q1 = p0 & q1 <= {k} & q1 != p1)"),
        12 => format!("NIM({};n;d,e)", set(lot)),
        _ => {
            let name =
                *lot.one(&["the empty pile;whatever", "5;d,e", "n;e,d", "n;7,3", "n;d", "a;b"]);
            format!("NIM({};{name})", set(lot))
        }
    }
}

/// Changes one number of the text by one or two.
fn renumbered(text: &str, lot: &mut Lot) -> String {
    let digit = |i: &usize| text.as_bytes()[*i].is_ascii_digit();
    let starts: Vec<usize> = (0..text.len())
        .filter(|i| digit(i) && (*i == 0 || !text.as_bytes()[i - 1].is_ascii_alphanumeric()))
        .collect();
    if starts.is_empty() {
        return text.to_owned();
    }
    let start = *lot.one(&starts);
    let end = (start..text.len()).find(|i| !digit(i)).unwrap_or(text.len());
    let number: i64 = text[start..end].parse().unwrap_or(0);
    let number = (number + *lot.one(&[1, -1, 2, 1, -1])).max(0);
    format!("{}{number}{}", &text[..start], &text[end..])
}

/// Returns a game near this one.
fn neighbour(game: &str, lot: &mut Lot) -> String {
    let swap = |from: &str, to: &str| game.replacen(from, to, 1);
    match lot.below(5) {
        0 if game.contains(";none;") => swap(";none;", lot.one::<&str>(&[";full;", ";ring;"])),
        1 if game.contains(";binary;") => {
            swap(";binary;", lot.one::<&str>(&[";zeckendorf;", ";ostrowski(2);"]))
        }
        2 if game.starts_with("CN(") => swap("CN(", "SCN("),
        2 if game.starts_with("SCN(") => swap("SCN(", "CN("),
        2 if game.contains("<=") => swap("<=", "="),
        2 if game.contains(" = ") => swap(" = ", " <= "),
        3 if game.contains(',') => swap(",", ",1"),
        3 if game.contains(" & ") => swap(" & ", " | "),
        3 if game.contains(" | ") => swap(" | ", " & "),
        _ => renumbered(game, lot),
    }
}

/// Changes the formula part of a claim.
fn reclaimed(claim: &str, heaps: usize, which: usize, lot: &mut Lot) -> String {
    let Some((head, rest)) = claim.split_once("P iff ") else { return claim.to_owned() };
    let formula = rest.strip_suffix(", up to symmetry").unwrap_or(rest);
    // Of circles that close up, the first formula.
    let (before, formula, after) = match formula.split_once(" heaps: ") {
        None => (String::new(), formula, String::new()),
        Some((m, rest)) => {
            let (first, after) = rest.split_once("; ").unwrap_or((rest, ""));
            let after = if after.is_empty() { String::new() } else { format!("; {after}") };
            (format!("{m} heaps: "), first, after)
        }
    };
    let most = [1, 60, 12, 5, 3, 2][heaps.min(5)];
    let one = |relation: &str, lot: &mut Lot| {
        let places = ["a", "b", "c", "d", "e"].iter().take(heaps.min(5));
        places
            .map(|name| format!("{name} {relation} {}", 1 + lot.below(most - 1)))
            .collect::<Vec<_>>()
    };
    let changed = match which {
        0 => format!("({formula}) | {}", one("=", lot).join(" & ")),
        1 => {
            let away = one("!=", lot);
            // Somewhere on the diagonal, where many claims hold.
            let x = lot.below(most);
            let same: Vec<String> = ["a", "b", "c", "d", "e"]
                .iter()
                .take(heaps.min(5))
                .map(|name| format!("{name} != {x}"))
                .collect();
            format!("({formula}) & ({})", if lot.below(3) > 0 { same } else { away }.join(" | "))
        }
        _ => match lot.below(3) {
            0 if formula.contains('=') => {
                formula.replacen('=', "<=", 1).replace("<<=", "<=").replace("><=", ">=")
            }
            1 if formula.contains('&') => formula.replacen('&', "|", 1),
            _ => renumbered(formula, lot),
        },
    };
    format!("{head}P iff {before}{changed}{after}, up to symmetry")
}

impl Forger for Positions {
    fn table(&self) -> Table {
        Table { kind: "p-positions", features: FEATURES, lines: LINES }
    }

    fn draw(&mut self, feature: usize, line: usize, lot: &mut Lot) -> Option<Forgery> {
        let stuck = |raw: &Raw| raw.body.first().is_some_and(|line| line.starts_with("stuck "));
        let of = |raw: &&Raw| stuck(raw) == (feature == STUCK);
        let own: Vec<&Raw> =
            self.raw.iter().filter(of).filter(|raw| has(feature, &raw.game)).collect();
        let (raw, mut game) = match own.is_empty() || lot.below(5) == 0 {
            false => {
                let raw = (*lot.one(&own)).clone();
                let game = raw.game.clone();
                (raw, game)
            }
            true => {
                let game = drawn(feature, lot);
                let heaps = Rules::read(&game)?.heaps;
                // As many heaps, so that the body has a place for each.
                let alike: Vec<&Raw> = self
                    .raw
                    .iter()
                    .filter(of)
                    .filter(|raw| Rules::read(&raw.game).is_some_and(|rules| rules.heaps == heaps))
                    .collect();
                let raw = match (alike.is_empty(), own.is_empty()) {
                    (false, _) => *lot.one(&alike),
                    (true, false) => *lot.one(&own),
                    (true, true) => lot.one(&self.raw),
                };
                (raw.clone(), game)
            }
        };
        let right = lot.below(10) == 0;
        let mut claim = raw.claim.clone();
        let mut body = raw.body.clone();
        if line == 0 && game == raw.game && !right {
            let other = (0..10)
                .map(|_| neighbour(&game, lot))
                .find(|other| *other != game && has(feature, other));
            game = other.unwrap_or_else(|| drawn(feature, lot));
        }
        let heaps = Rules::read(&game)?.heaps;
        if Rules::read(&game)?.shrinks && line == 3 && !right {
            // One board's formula for all: of other boards nothing is claimed.
            claim = format!(
                "P iff 0 heaps: true; {heaps} heaps: {}, up to symmetry",
                lot.one(&["true", "a = 1", "a = 2"])
            );
        }
        if heaps != Rules::read(&raw.game)?.heaps && lot.below(2) == 0 {
            let old = format!("heaps {}", Rules::read(&raw.game)?.heaps);
            for text in body.iter_mut().filter(|text| **text == old) {
                *text = format!("heaps {heaps}");
            }
        }
        match line {
            1..4 if !right => claim = reclaimed(&claim, heaps, line - 1, lot),
            4 => {
                claim = match claim.strip_prefix("in misere play ") {
                    Some(normal) => normal.to_owned(),
                    None => format!("in misere play {claim}"),
                }
            }
            5.. if game == raw.game && !right => {
                claim = reclaimed(&claim, heaps, lot.below(3), lot)
            }
            _ => {}
        }
        let start = |word: &str, body: &[String]| -> Vec<usize> {
            (0..body.len()).filter(|i| body[*i].starts_with(word)).collect()
        };
        let states = body.iter().position(|text| text.starts_with("states ")).unwrap_or(body.len());
        let lines = match line {
            5 => start("@", &body),
            // Half of the time who is stuck, if the body says so.
            6 if stuck(&raw) && lot.below(2) == 0 => vec![0],
            6 => start("if ", &body),
            7 => {
                let count = body.get(states)?.strip_prefix("states ")?.parse::<usize>().ok()?;
                (states + 1..(states + 1 + count).min(body.len())).collect()
            }
            8 => start("part ", &body),
            9 => {
                let first = body.iter().position(|text| text.starts_with("refutations "))?;
                let count = body[first].strip_prefix("refutations ")?.parse::<usize>().ok()?;
                (first + 1..(first + 1 + count).min(body.len())).collect()
            }
            10 => [start("move", &body), start("by", &body)].concat(),
            11 => [start("image", &body), start("within", &body), start("part ", &body)].concat(),
            _ => Vec::new(),
        };
        if line >= 5 {
            if lines.is_empty() {
                return None;
            }
            let at = *lot.one(&lines);
            match line {
                7 if lot.below(2) == 0 => {
                    body[at] = match body[at].strip_suffix(" !") {
                        Some(rest) => rest.to_owned(),
                        None => format!("{} !", body[at]),
                    }
                }
                8 => {
                    let ends =
                        |text: &String| text.starts_with("part ") || text.starts_with("states ");
                    let end =
                        (at + 1..body.len()).find(|end| ends(&body[*end])).unwrap_or(body.len());
                    body.drain(at..end);
                }
                6 if at == 0 && lot.below(2) == 0 => {
                    body[at] += &format!(" | a = {}", lot.below(6))
                }
                11 if lot.below(3) == 0 => drop(body.remove(at)),
                _ => body[at] = renumbered(&body[at].clone(), lot),
            }
        }
        if claimed(&Rules::read(&game)?, &claim).is_none() {
            // A claim of other heaps, or with quantifiers: a plain one.
            let k = 2 + lot.below(4);
            let formula = match heaps {
                1 => format!("a mod {k} = {}", lot.below(k)),
                _ => lot
                    .one(&["a = b", "a xor b = 0", "a = 0 & b = 0", "a mod 2 = b mod 2"])
                    .to_string(),
            };
            let board = match Rules::read(&game)?.shrinks {
                true => format!("0 heaps: true; {heaps} heaps: "),
                false => String::new(),
            };
            claim = format!("P iff {board}{formula}, up to symmetry");
        }
        if feature == STUCK
            && let Some(plain) = claim.strip_suffix(", up to symmetry")
        {
            claim = plain.to_owned();
        }
        let truth = self.truth(&game, &claim);
        Some(Forgery::new("p-positions", &game, &claim, &joined(&body), truth))
    }
}

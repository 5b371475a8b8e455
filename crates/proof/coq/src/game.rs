//! Games by their names in certificates: windows, and further conditions on moves. The rules are
//! written down independently of the checker, and printed for Coq in the terms of coq/Positions.v.

use crate::ExportError;
use crate::formula::Formula;
use bouton_core::Formula as Source;
use itertools::Itertools;

/// The symmetry of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    /// No symmetry.
    None,
    /// Rotations and reflections of the circle.
    Ring,
    /// All permutations.
    Full,
}

/// The heaps that a move may lower, as coq/Verify.v names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// So many neighbours on the circle.
    Neighbours(usize),
    /// Any so many heaps.
    AnyOf(usize),
    /// The heaps of one of the windows.
    OneOf,
}

/// A game.
#[derive(Debug)]
pub struct Game {
    /// The number of heaps, the numbers remembered included.
    pub heaps: usize,
    /// The numbers behind the heaps that a move sets.
    pub memory: usize,
    /// The symmetry of the rules.
    pub symmetry: Symmetry,
    /// The sets of heaps that one move may lower.
    pub windows: Vec<Vec<usize>>,
    /// A further condition on the heaps of the window before and after a move; the latter come
    /// after the former.
    pub rule: Formula,
    /// The windows in a word.
    pub reach: Reach,
    /// The whole move relation as Coq reads it, if it has a name.
    pub move_text: Option<String>,
}

fn number(text: &str) -> Option<usize> {
    text.parse::<usize>().ok().filter(|n| *n <= 26)
}

/// Returns the arcs of k neighbours on a circle of n heaps.
pub fn arcs(n: usize, k: usize) -> Vec<Vec<usize>> {
    let starts = if k < n { n } else { 1 };
    (0..starts).map(|i| (0..k).map(|j| (i + j) % n).collect()).collect()
}

/// Returns the rotations of a circle, then its reflections.
pub fn dihedral(n: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = (0..n).map(|i| (0..n).map(|j| (i + j) % n).collect()).collect();
    all.extend(all.clone().into_iter().map(|turn| turn.into_iter().rev().collect::<Vec<_>>()));
    all
}

fn amounts(set: &str) -> Option<Vec<u64>> {
    set.split(',').map(|a| a.parse::<u64>().ok().filter(|a| *a > 0)).collect()
}

/// Reads a condition on a window of k heaps, before (p) and after (q) a move.
fn parse_rule(text: &str, k: usize) -> Option<Result<Formula, ExportError>> {
    let names: Vec<String> =
        (0..k).map(|i| format!("p{i}")).chain((0..k).map(|i| format!("q{i}"))).collect();
    Some(Formula::read(&Source::parse_over(text, &names).ok()?))
}

fn subtracted(set: &str) -> Option<String> {
    Some(amounts(set)?.iter().map(|s| format!("q0+{s} = p0")).join(" | "))
}

fn variation(text: &str, k: usize) -> Option<String> {
    let (kind, rest) = text.split_at(text.find(['>', '='])?);
    let least = rest.starts_with(">=");
    let a = rest
        .trim_start_matches(if least { ">=" } else { "=" })
        .parse::<u64>()
        .ok()
        .filter(|a| *a > 0)?;
    let relation = if least { "<=" } else { "=" };
    let all = |one: &dyn Fn(usize) -> String, between: &str| (0..k).map(one).join(between);
    Some(match (kind, least) {
        ("any", false) => all(&|i| format!("(q{i} = p{i} | q{i}+{a} = p{i})"), " & "),
        ("each", _) => all(&|i| format!("q{i}+{a} {relation} p{i}"), " & "),
        ("total", _) => {
            format!(
                "{}+{a} {relation} {}",
                all(&|i| format!("q{i}"), "+"),
                all(&|i| format!("p{i}"), "+")
            )
        }
        _ => return None,
    })
}

impl Game {
    /// Reads the name of a game.
    pub fn read(name: &str) -> Result<Game, ExportError> {
        let unknown =
            || ExportError::new(format!("the moves of {name} are not written down for Coq"));
        Game::parse_family(name).ok_or_else(unknown)?
    }

    fn parse_family(name: &str) -> Option<Result<Game, ExportError>> {
        if let Some(rules) = name.strip_prefix("rules(").and_then(|rest| rest.strip_suffix(')')) {
            return Game::parse_rules(rules);
        }
        let (family, rest) = name.strip_suffix(')')?.split_once('(')?;
        let fields: Vec<&str> = rest.split(';').collect();
        let ring = |text: &str| {
            let (n, k) = text.split_once(',')?;
            Some((number(n)?, number(k)?)).filter(|(n, k)| 1 <= *k && k <= n)
        };
        let any = |heaps, symmetry, windows, reach| Game {
            heaps,
            memory: 0,
            symmetry,
            windows,
            rule: Formula::Known(true),
            reach,
            move_text: None,
        };
        let arc = |n, k| any(n, Symmetry::Ring, arcs(n, k), Reach::Neighbours(k));
        let with_rule = |game: Game, text: &str| {
            let k = game.windows.first()?.len();
            Some(parse_rule(text, k)?.map(|rule| Game { rule, move_text: None, ..game }))
        };
        Some(Ok(match (family, &fields[..]) {
            ("nim", [n]) => {
                let n = number(n).filter(|n| *n > 0)?;
                Game { symmetry: Symmetry::Full, move_text: Some(format!("nim {n}")), ..arc(n, 1) }
            }
            ("moore", [b, n]) => {
                let (b, n) = (number(b)?, number(n)?);
                let k = b.checked_sub(1).filter(|k| 1 <= *k)?.min(n);
                any(n, Symmetry::Full, (0..n).combinations(k).collect(), Reach::AnyOf(k))
            }
            ("CN", [nk]) => {
                let (n, k) = ring(nk)?;
                Game { move_text: Some(format!("circular_nim {n} {k}")), ..arc(n, k) }
            }
            ("CN", [nk, how]) => {
                let (n, k) = ring(nk)?;
                return with_rule(arc(n, k), &variation(how, k)?);
            }
            ("S", [set, n]) => {
                let n = number(n).filter(|n| *n > 0)?;
                return with_rule(
                    Game { symmetry: Symmetry::Full, ..arc(n, 1) },
                    &subtracted(set)?,
                );
            }
            ("NIM", [set, _]) => return with_rule(arc(1, 1), &subtracted(set)?),
            ("simplicial", lists) => {
                let heaps = |list: &&str| {
                    amounts(list).map(|all| all.iter().map(|h| *h as usize - 1).collect())
                };
                let windows = lists.iter().map(heaps).collect::<Option<Vec<Vec<usize>>>>()?;
                let n = windows.iter().flatten().max()? + 1;
                any(n, simplicial(n, &windows), windows, Reach::OneOf)
            }
            _ => return None,
        }))
    }

    fn parse_rules(rules: &str) -> Option<Result<Game, ExportError>> {
        let fields: Vec<&str> = rules.splitn(4, ';').collect();
        let [heaps, symmetry, digits, text] = fields[..] else { return None };
        let (heaps, memory) = match heaps.split_once('+') {
            Some((heaps, memory)) => (number(heaps)?, number(memory).filter(|m| *m > 0)?),
            None => (number(heaps)?, 0),
        };
        if heaps == 0 || heaps + memory > 26 || memory > 0 && symmetry != "none" {
            return None;
        }
        let heaps = heaps + memory;
        let symmetry = match symmetry {
            "none" => Symmetry::None,
            "ring" => Symmetry::Ring,
            "full" => Symmetry::Full,
            _ => return None,
        };
        if digits != "binary" {
            return Some(Err(ExportError::new(
                "the digits of continued fractions are not exported",
            )));
        }
        let windows = vec![(0..heaps).collect()];
        let reach = Reach::OneOf;
        let rule = Formula::Known(true);
        let game = Game { heaps, memory, symmetry, windows, rule, reach, move_text: None };
        Some(parse_rule(text, heaps)?.map(|rule| Game { rule, ..game }))
    }

    /// Returns the windows as Coq reads them.
    pub fn windows_text(&self) -> String {
        let n = self.heaps;
        match self.reach {
            Reach::Neighbours(k) => format!("(arcs {n} {k})"),
            Reach::AnyOf(k) => format!("(choices {k} (seq 0 {n}))"),
            Reach::OneOf if self.windows == [(0..n).collect::<Vec<_>>()] => format!("[seq 0 {n}]"),
            Reach::OneOf => print_lists(&self.windows),
        }
    }

    /// Returns the images of a position under the symmetry, as lists of heaps.
    pub fn images(&self) -> Vec<Vec<usize>> {
        let n = self.heaps;
        match self.symmetry {
            Symmetry::None => vec![(0..n).collect()],
            Symmetry::Ring => dihedral(n),
            Symmetry::Full if n <= 6 => (0..n).permutations(n).collect(),
            Symmetry::Full => Vec::new(),
        }
    }

    /// Returns two symmetries that generate all others.
    pub fn generators(&self) -> Vec<Vec<usize>> {
        let n = self.heaps;
        let turn: Vec<usize> = (0..n).map(|i| (i + 1) % n).collect();
        match self.symmetry {
            Symmetry::None => vec![],
            Symmetry::Ring => vec![turn, (0..n).rev().collect()],
            Symmetry::Full => {
                vec![turn, (0..n).map(|i| if i < 2.min(n) && n > 1 { 1 - i } else { i }).collect()]
            }
        }
    }
}

fn simplicial(n: usize, windows: &[Vec<usize>]) -> Symmetry {
    let keeps = |place: &dyn Fn(usize) -> usize| {
        windows.iter().all(|window| {
            let mut image: Vec<usize> = window.iter().map(|h| place(*h)).collect();
            image.sort_unstable();
            windows.contains(&image)
        })
    };
    let turns = keeps(&|h| (h + 1) % n);
    match (
        turns && keeps(&|h| if n > 1 && h < 2 { 1 - h } else { h }),
        turns && keeps(&|h| n - 1 - h),
    ) {
        (true, _) => Symmetry::Full,
        (_, true) => Symmetry::Ring,
        _ => Symmetry::None,
    }
}

/// Prints lists of lists as Coq reads them.
pub fn print_lists(lists: &[Vec<usize>]) -> String {
    let one = |list: &Vec<usize>| format!("[{}]", list.iter().map(usize::to_string).join("; "));
    format!("[{}]%nat", lists.iter().map(one).join("; "))
}

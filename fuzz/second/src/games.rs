//! Games on heaps by their names.

use crate::formula::{Formula, Relation, Term, formula};
use crate::{Checked, ascending, need, number, numbers, reject, unknown};
use std::collections::BTreeSet;

/// Which heaps may be exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    None,
    Ring,
    Full,
}

/// A game on a number of heaps that stay in their places.
pub struct Game {
    pub heaps: usize,
    /// How many numbers, of those that stand last, are remembered and no tokens.
    pub remembered: usize,
    pub images: Vec<Vec<usize>>,
    pub windows: Vec<Vec<usize>>,
    pub condition: Option<Formula>,
    /// Heaps that are emptied leave, and the circle closes up.
    pub closing: Option<usize>,
    pub purses: bool,
    /// Digits of a continued fraction.
    pub irrational: bool,
}

fn difference(i: usize) -> Term {
    Term::Sum(vec![(1, Term::Variable(2 * i)), (-1, Term::Variable(2 * i + 1))])
}

fn compare(relation: Relation, one: Term, two: i64) -> Formula {
    Formula::Compare(relation, one, Term::Number(two))
}

fn any(all: impl IntoIterator<Item = Formula>) -> Formula {
    all.into_iter().fold(Formula::Constant(false), Formula::or)
}

fn every(all: impl IntoIterator<Item = Formula>) -> Formula {
    all.into_iter().fold(Formula::Constant(true), Formula::and)
}

fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    fn go(n: usize, size: usize, from: usize, now: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if now.len() == size {
            all.push(now.clone());
            return;
        }
        for i in from..n {
            now.push(i);
            go(n, size, i + 1, now, all);
            now.pop();
        }
    }
    let mut all = Vec::new();
    go(n, size, 0, &mut Vec::new(), &mut all);
    all
}

/// Returns all permutations of n heaps; none if there are too many.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n > 6 {
        return Vec::new();
    }
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|image: Vec<usize>| {
                let rest: Vec<usize> = (0..n).filter(|i| !image.contains(i)).collect();
                rest.into_iter().map(move |i| [&image[..], &[i]].concat())
            })
            .collect();
    }
    all
}

/// Returns the turns and reflections of n heaps.
pub fn ring(n: usize) -> Vec<Vec<usize>> {
    let turned = |by: usize| (0..n).map(|i| (i + by) % n).collect::<Vec<_>>();
    let set: BTreeSet<Vec<usize>> =
        (0..n).flat_map(|by| [turned(by), turned(by).into_iter().rev().collect()]).collect();
    if n == 0 { vec![Vec::new()] } else { set.into_iter().collect() }
}

/// Returns the windows of k neighbours on a circle of n.
pub fn neighbours(n: usize, k: usize) -> Vec<Vec<usize>> {
    if k >= n {
        return vec![(0..n).collect()];
    }
    (0..n).map(|first| (0..k).map(|i| (first + i) % n).collect()).collect()
}

fn heaps(text: &str) -> Checked<usize> {
    let heaps = number(text)? as usize;
    need((1..=26).contains(&heaps), "a game has 1 to 26 heaps")?;
    Ok(heaps)
}

fn game_of(
    heaps: usize,
    symmetry: Symmetry,
    windows: Vec<Vec<usize>>,
    condition: Option<Formula>,
) -> Game {
    let images = match symmetry {
        Symmetry::None => vec![(0..heaps).collect()],
        Symmetry::Ring => ring(heaps),
        Symmetry::Full => permutations(heaps),
    };
    Game {
        heaps,
        remembered: 0,
        images,
        windows,
        condition,
        closing: None,
        purses: false,
        irrational: false,
    }
}

fn amounts(text: &str) -> Checked<(Vec<u64>, Formula)> {
    let amounts = numbers(text, ',')?;
    need(amounts[0] > 0 && ascending(&amounts), "amounts ascend from 1 on")?;
    let one = any(amounts.iter().map(|a| compare(Relation::Equal, difference(0), *a as i64)));
    Ok((amounts, one))
}

/// Reads the name of a game.
pub fn game(name: &str) -> Checked<Game> {
    if name == "wythoff" {
        let same = Formula::Compare(Relation::Equal, difference(0), difference(1));
        let still = |i: usize| compare(Relation::Equal, difference(i), 0);
        let condition = any([still(0), still(1), same]);
        let mut game = game_of(2, Symmetry::Full, vec![vec![0, 1]], Some(condition));
        game.irrational = true;
        return Ok(game);
    }
    let Some((family, inner)) = name.strip_suffix(')').and_then(|name| name.split_once('(')) else {
        return reject("no game");
    };
    let single = |n: usize| (0..n).map(|i| vec![i]).collect::<Vec<_>>();
    match family {
        "nim" => {
            let n = heaps(inner)?;
            Ok(game_of(n, Symmetry::Full, single(n), None))
        }
        "moore" => {
            let Some((b, n)) = inner.split_once(';') else { return reject("no game") };
            let (b, n) = (number(b)?, heaps(n)?);
            need(b >= 2, "at most b − 1 heaps, b ≥ 2")?;
            let windows = subsets(n, ((b - 1) as usize).min(n));
            need(windows.len() <= 20_000, "too many kinds of moves")?;
            Ok(game_of(n, Symmetry::Full, windows, None))
        }
        "S" => {
            let Some((list, n)) = inner.split_once(';') else {
                return reject("no number of heaps");
            };
            let n = heaps(n)?;
            Ok(game_of(n, Symmetry::Full, single(n), Some(amounts(list)?.1)))
        }
        "NIM" => {
            let fields: Vec<&str> = inner.split(';').collect();
            match fields[..] {
                [list, n] => {
                    need(n == "n" || number(n).is_ok(), "no place where play begins")?;
                    Ok(game_of(1, Symmetry::None, single(1), Some(amounts(list)?.1)))
                }
                [list, n, purses] => {
                    let letters = n == "n" && purses == "d,e";
                    let begun =
                        number(n).is_ok() && numbers(purses, ',').is_ok_and(|list| list.len() == 2);
                    need(letters || begun, "no place where play begins")?;
                    let (list, _) = amounts(list)?;
                    // q0 + a = p0, q1 = p2, q2 + a = p1.
                    let v = Term::Variable;
                    let condition = any(list.iter().map(|a| {
                        let two = Term::Sum(vec![(1, v(2)), (-1, v(5))]);
                        every([
                            compare(Relation::Equal, difference(0), *a as i64),
                            Formula::Compare(Relation::Equal, v(3), v(4)),
                            compare(Relation::Equal, two, *a as i64),
                        ])
                    }));
                    let mut game = game_of(3, Symmetry::None, vec![vec![0, 1, 2]], Some(condition));
                    game.purses = true;
                    Ok(game)
                }
                _ => reject("no game"),
            }
        }
        "CN" | "SCN" => {
            let (size, variant) = match inner.split_once(';') {
                Some((size, variant)) => (size, Some(variant)),
                None => (inner, None),
            };
            let [n, k] = numbers(size, ',')?[..] else { return reject("no circle") };
            let (n, k) = (heaps(&n.to_string())?, k as usize);
            need((1..=n).contains(&k), "a window has 1 to n heaps")?;
            let condition = match variant {
                None => None,
                Some(_) if family == "SCN" => return reject("no variation of a closing circle"),
                Some(variant) => {
                    let (what, relation, a) =
                        match (variant.split_once(">="), variant.split_once('=')) {
                            (Some((what, a)), _) => (what, Relation::AtMost, a),
                            (_, Some((what, a))) => (what, Relation::Equal, a),
                            _ => return reject("no variation"),
                        };
                    let a = number(a)? as i64;
                    need(a >= 1, "an amount is 1 at least")?;
                    // a = x, or a <= x.
                    let is = |x: Term| Formula::Compare(relation, Term::Number(a), x);
                    Some(match (what, relation) {
                        ("any", Relation::Equal) => every((0..k).map(|i| {
                            compare(Relation::Equal, difference(i), 0).or(is(difference(i)))
                        })),
                        ("each", _) => every((0..k).map(|i| is(difference(i)))),
                        ("total", _) => is(Term::Sum((0..k).map(|i| (1, difference(i))).collect())),
                        _ => return reject("no variation"),
                    })
                }
            };
            let mut game = game_of(n, Symmetry::Ring, neighbours(n, k), condition);
            game.closing = (family == "SCN").then_some(k);
            Ok(game)
        }
        "simplicial" => {
            let sets: Vec<Vec<u64>> =
                inner.split(';').map(|set| numbers(set, ',')).collect::<Checked<_>>()?;
            need(
                sets.iter().all(|set| ascending(set) && set[0] >= 1),
                "heaps of a set ascend from 1 on",
            )?;
            let n = heaps(&sets.iter().flatten().max().unwrap_or(&0).to_string())?;
            let windows: Vec<Vec<usize>> = sets
                .iter()
                .map(|set| set.iter().map(|heap| *heap as usize - 1).collect())
                .collect();
            let list: BTreeSet<Vec<usize>> = windows.iter().cloned().collect();
            let keeps = |image: &Vec<usize>| {
                let moved: BTreeSet<Vec<usize>> = list
                    .iter()
                    .map(|set| {
                        let mut set: Vec<usize> = set.iter().map(|heap| image[*heap]).collect();
                        set.sort_unstable();
                        set
                    })
                    .collect();
                moved == list
            };
            // Two generators of each group decide.
            let swapped: Vec<usize> =
                (0..n).map(|i| if i < 2.min(n) && n > 1 { 1 - i } else { i }).collect();
            let turned: Vec<usize> = (0..n).map(|i| (i + 1) % n).collect();
            let reflected: Vec<usize> = (0..n).rev().collect();
            let symmetry = if keeps(&swapped) && keeps(&turned) {
                Symmetry::Full
            } else if keeps(&turned) && keeps(&reflected) {
                Symmetry::Ring
            } else {
                Symmetry::None
            };
            Ok(game_of(n, symmetry, windows, None))
        }
        "rules" => {
            let mut fields = inner.splitn(4, ';');
            let (Some(count), Some(symmetry), Some(digits), Some(condition)) =
                (fields.next(), fields.next(), fields.next(), fields.next())
            else {
                return reject("no rules");
            };
            let (h, r) = match count.split_once('+') {
                Some((h, r)) => (number(h)? as usize, number(r)? as usize),
                None => (number(count)? as usize, 0),
            };
            let n = heaps(&(h + r).to_string())?;
            let symmetry = match symmetry {
                "none" => Symmetry::None,
                "ring" => Symmetry::Ring,
                "full" => Symmetry::Full,
                _ => return reject("no symmetry"),
            };
            need(
                h >= 1 && (r == 0 || symmetry == Symmetry::None),
                "remembered numbers keep their places",
            )?;
            let names: Vec<String> =
                (0..n).flat_map(|i| [format!("p{i}"), format!("q{i}")]).collect();
            let condition = formula(condition, &names)?;
            let mut game = game_of(n, symmetry, vec![(0..n).collect()], Some(condition));
            game.remembered = r;
            game.irrational = digits != "binary";
            need(
                !game.irrational || digits == "zeckendorf" || digits.starts_with("ostrowski("),
                "no digits",
            )?;
            Ok(game)
        }
        _ => unknown(format!("no game called `{family}` is covered")),
    }
}

impl Game {
    /// Returns the whole condition of a move in a window of so many heaps: no heap rises, one
    /// falls, and what the game asks. Variable 2i is heap i before, 2i + 1 after.
    pub fn move_in(&self, length: usize) -> Formula {
        let heaps = length - self.remembered;
        let mut all = Vec::new();
        if self.purses {
            // Tokens are the sum of three numbers, and the purses are turned.
            all.push(Formula::Constant(true));
        } else {
            all.extend((0..heaps).map(|i| {
                Formula::Compare(Relation::AtMost, Term::Variable(2 * i + 1), Term::Variable(2 * i))
            }));
            all.push(any((0..heaps).map(|i| {
                Formula::Compare(Relation::Less, Term::Variable(2 * i + 1), Term::Variable(2 * i))
            })));
        }
        every(all).and(match &self.condition {
            Some(condition) => condition.clone(),
            None => Formula::Constant(true),
        })
    }
}

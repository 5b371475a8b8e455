//! Parts: whatever is accepted is true of all small positions and guesses, by rules written down
//! here a third time.
//!
//! Trees are found as somebody would who has the messages alone: a question is answered in all
//! ways, a branch ends with a walk that takes all forms.

use super::*;
use crate::p_positions::formula::Formula;
use crate::p_positions::names;
use crate::p_positions::{Board, LINES, Lines, claims};

/// The positions that a move leads to, with no number above `most`.
type Options = fn(p: &[i64], most: i64, said: Option<&Formula>) -> Vec<Vec<i64>>;

/// A game: its name, whether in misère play, heaps, kinds of symmetry, and what its moves are.
struct Played {
    name: String,
    misere: bool,
    heaps: usize,
    images: fn(usize) -> Vec<Vec<usize>>,
    options: Options,
    said: Option<Formula>,
}

fn all_below(p: &[i64]) -> Vec<Vec<i64>> {
    p.iter().fold(vec![vec![]], |all: Vec<Vec<i64>>, x| {
        all.iter().flat_map(|q| (0..=*x).map(move |y| [&q[..], &[y]].concat())).collect()
    })
}

fn lowered(p: &[i64], q: &[i64]) -> usize {
    p.iter().zip(q).filter(|(p, q)| p != q).count()
}

fn nim(p: &[i64], _: i64, _: Option<&Formula>) -> Vec<Vec<i64>> {
    all_below(p).into_iter().filter(|q| lowered(p, q) == 1).collect()
}

fn one_or_two(p: &[i64], _: i64, _: Option<&Formula>) -> Vec<Vec<i64>> {
    all_below(p).into_iter().filter(|q| (1..=2).contains(&lowered(p, q))).collect()
}

/// Returns the options on a circle of three that closes up: one or two of them are lowered, and who
/// is empty leaves.
fn closing(p: &[i64], _: i64, _: Option<&Formula>) -> Vec<Vec<i64>> {
    let most = 2.min(p.len());
    let mut all: Vec<Vec<i64>> =
        all_below(p).into_iter().filter(|q| (1..=most).contains(&lowered(p, q))).collect();
    all.iter_mut().for_each(|q| q.retain(|x| *x > 0));
    all
}

fn one_two(p: &[i64], most: i64, said: Option<&Formula>) -> Vec<Vec<i64>> {
    let taken = |q: &Vec<i64>| p.iter().sum::<i64>() - q.iter().sum::<i64>();
    nim(p, most, said).into_iter().filter(|q| taken(q) <= 2).collect()
}

fn queen(p: &[i64], _: i64, _: Option<&Formula>) -> Vec<Vec<i64>> {
    let moves =
        |q: &Vec<i64>| lowered(p, q) == 1 || lowered(p, q) == 2 && p[0] - q[0] == p[1] - q[1];
    all_below(p).into_iter().filter(moves).collect()
}

/// Returns the options where 1 or 2 is paid for as many stones; the purses change places.
fn paid(p: &[i64], _: i64, _: Option<&Formula>) -> Vec<Vec<i64>> {
    (1..=2).filter(|a| *a <= p[0].min(p[1])).map(|a| vec![p[0] - a, p[2], p[1] - a]).collect()
}

/// Returns the options by a rule file's formula.
fn written(p: &[i64], _: i64, said: Option<&Formula>) -> Vec<Vec<i64>> {
    let moves = |q: &Vec<i64>| {
        let mut both: Vec<i64> = p.iter().zip(q).flat_map(|(p, q)| [*p, *q]).collect();
        q != p && node_holds(&said.unwrap().root, &mut both, 0)
    };
    all_below(p).into_iter().filter(moves).collect()
}

/// Returns the options of a heap and a number that is remembered.
fn remembered(p: &[i64], most: i64, said: Option<&Formula>) -> Vec<Vec<i64>> {
    let moves = |q: &Vec<i64>| {
        q[0] < p[0] && node_holds(&said.unwrap().root, &mut vec![p[0], q[0], p[1], q[1]], 0)
    };
    all_below(&[p[0], most]).into_iter().filter(moves).collect()
}

fn itself(m: usize) -> Vec<Vec<usize>> {
    vec![(0..m).collect()]
}

/// Returns every order: of at most three heaps each is a turn or a reflection.
fn orders(m: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..m {
        all = all
            .iter()
            .flat_map(|one| {
                (0..m)
                    .filter(|h| !one.contains(h))
                    .map(|h| [&one[..], &[h]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

fn played(lot: &mut Lot) -> Played {
    let k = 1 + lot.below(2);
    let moves =
        ["q0+K = p0 & q1 = p1 | q0 = p0 & q1+K <= p1", "p0+q1 = p1+q0", "p1 = q1 & p0 <= 3*q0"];
    let jumps =
        ["q1 = p1+K", "q0+K <= p0 & q1 = p1+K", "q0+K = p0 & q1+q1 = p1", "q0 < p0 & q0+q1 = p0"];
    let (text, jump) = (
        lot.one(&moves).replace('K', &k.to_string()),
        lot.one(&jumps).replace('K', &k.to_string()),
    );
    let read =
        |text: &str| formula(text, &["p0".into(), "q0".into(), "p1".into(), "q1".into()]).unwrap();
    let (name, misere, heaps, images, options, said): (_, _, _, fn(usize) -> _, Options, _) =
        match lot.below(9) {
            0 => ("nim(2)".into(), false, 2, orders, nim, None),
            1 => ("nim(2)".into(), true, 2, orders, nim, None),
            2 => ("CN(3,2)".into(), false, 3, orders, one_or_two, None),
            3 => ("SCN(3,2)".into(), false, 3, orders, closing, None),
            4 => ("S(1,2;2)".into(), false, 2, orders, one_two, None),
            5 => ("wythoff".into(), false, 2, orders, queen, None),
            6 => ("NIM(1,2;n;d,e)".into(), false, 3, itself, paid, None),
            7 => (
                format!("rules(2;none;binary;{text})"),
                false,
                2,
                itself,
                written,
                Some(read(&text)),
            ),
            _ => (
                format!("rules(1+1;none;binary;{jump})"),
                false,
                2,
                itself,
                remembered,
                Some(read(&jump)),
            ),
        };
    Played { name, misere, heaps, images, options, said }
}

fn claim(lot: &mut Lot, heaps: usize) -> String {
    let letters = &["a", "b", "c"][..heaps];
    let one = |lot: &mut Lot| {
        let (x, y) = (*lot.one(letters), *lot.one(letters));
        match (lot.below(9), lot.below(3)) {
            (0, k) => format!("{x} mod 3 = {k}"),
            (1 | 2, k) => format!("{x} = {y}+{k}"),
            (3, k) => format!("{x} <= {k}"),
            (4, _) => format!("E x: {x} = x+x"),
            (5, _) if heaps == 3 => format!("{x}+{y} = c"),
            (6, _) => format!("min({x}, {y}) = 0"),
            (7, k) => format!("{x} >= {y}+{k}"),
            _ => letters
                .windows(2)
                .map(|two| format!("{} = {}", two[0], two[1]))
                .collect::<Vec<_>>()
                .join(" & "),
        }
    };
    match lot.below(4) {
        0 => format!("{} & {}", one(lot), one(lot)),
        1 => format!("({} | {})", one(lot), one(lot)),
        _ => one(lot),
    }
}

/// A part as far as it is chosen: its lines up to where something is shown.
struct Chosen {
    text: Vec<String>,
    guesses: usize,
    conditions: Vec<String>,
    /// What further variables are, in order: quotients, then values.
    values: Vec<String>,
    /// Of a move: the window, who leaves of it, the variables of the lower heaps. The image of the
    /// option, or of the position.
    take: Option<(Vec<usize>, Vec<usize>, Vec<usize>)>,
    image: Vec<usize>,
}

fn chosen(lot: &mut Lot, game: &Played) -> Chosen {
    let m = game.heaps;
    let name = |v: usize| if v < m { format!("p{v}") } else { format!("v{v}") };
    let joined = |list: &[usize]| match list {
        [] => "-".into(),
        list => list.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
    };
    let guesses = usize::from(lot.below(4) == 0);
    let mut known = m + guesses;
    let mut values = Vec::new();
    let conditions: Vec<String> = (0..lot.below(4))
        .map(|_| {
            let (x, y, k) = (name(lot.below(known)), name(lot.below(known)), lot.below(3));
            match lot.below(8) {
                0 => {
                    values.push(format!("({x} + {k}) div 2"));
                    format!("({x} + {k}) mod 2 {} 0", lot.one(&["=", "!="]))
                }
                1 => format!("{x} != {y} + {k}"),
                2 => format!("{x} = {y} + {k}"),
                3 => format!("{x} = {y} + {}", name(lot.below(known))),
                4 => format!("{x} = {k}"),
                _ => format!("{x} + {k} <= {y}"),
            }
        })
        .collect();
    let (kind, mut image) = (lot.below(12), lot.one(&(game.images)(m)).clone());
    let (mut text, mut take) = (Vec::new(), None);
    let shrinks = game.name.starts_with("SCN");
    match kind {
        0 => text.push(format!("part stay image {}", joined(&image))),
        1 if shrinks || lot.below(30) == 0 => text.push("part empty".into()),
        2 if game.misere || lot.below(30) == 0 => text.push("part over".into()),
        _ => {
            let window: Vec<usize> = match (&game.name[..], m) {
                ("nim(2)" | "S(1,2;2)", _) => vec![lot.below(2)],
                ("CN(3,2)" | "SCN(3,2)", _) => {
                    let first = lot.below(3);
                    vec![first, (first + 1) % 3]
                }
                _ => (0..m).collect(),
            };
            let gone: Vec<usize> =
                window.iter().copied().filter(|_| shrinks && lot.below(3) == 0).collect();
            let left =
                if gone.is_empty() { String::new() } else { format!(" gone {}", joined(&gone)) };
            image = lot.one(&(game.images)(m - gone.len())).clone();
            text.push(format!("part take {}{left} image {}", joined(&window), joined(&image)));
            take = Some((window, gone, Vec::new()));
        }
    }
    if guesses > 0 {
        text.push(format!("guess {guesses}"));
    }
    text.extend(conditions.iter().map(|one| format!("if {one}")));
    known += values.len();
    for _ in 0..lot.below(3) {
        let (x, y, k) = (name(lot.below(known)), name(lot.below(known)), lot.below(3));
        let value = match lot.below(7) {
            0 => format!("max(0, {x} - {k})"),
            1 => format!("min({x}, {y} + {k})"),
            2 => format!("{x} - {k}"),
            3 => format!("{x} - {y}"),
            4 => format!("max({x}, {y})"),
            5 => format!("min({x}, {y} - {k})"),
            _ => format!("{y} + {k}"),
        };
        text.push(format!("let v{known} = {value} by"));
        values.push(value);
        known += 1;
    }
    if let Some((window, gone, lower)) = &mut take {
        // Often what was defined last.
        *lower = (gone.len()..window.len())
            .map(|_| {
                if lot.below(2) == 0 {
                    known - 1 - lot.below(known.min(3))
                } else {
                    lot.below(known)
                }
            })
            .collect();
        text.push(format!("to {}", joined(lower)));
    }
    Chosen { text, guesses, conditions, values, take, image }
}

/// Returns what the variables are for these heaps and guesses, if they are natural.
fn valued(chosen: &Chosen, m: usize, numbers: &[i64]) -> Option<Vec<i64>> {
    let mut all = numbers.to_vec();
    for value in &chosen.values {
        let names: Vec<String> =
            (0..all.len()).map(|v| if v < m { format!("p{v}") } else { format!("v{v}") }).collect();
        let read = formula(&format!("{value} = 0"), &names).unwrap();
        let Node::Compare(term, ..) = &read.root else { return None };
        all.push(Some(term_value(term, &all)).filter(|x| *x >= 0)?);
    }
    Some(all)
}

/// Tries to have the lines accepted: what is said to be missing is put in.
fn argued(board: &Board<'_>, mut text: Vec<String>) -> bool {
    for _ in 0..300 {
        let body = text.join("\n") + "\nstart 0\n";
        let mut lines = Lines::new(&body, 0, LINES, board.work);
        let why = match board.read_part(&mut lines) {
            Ok(_) => return true,
            Err(why) => why,
        };
        let told = why.to_string();
        if told.starts_with("`by` should stand here") {
            text.insert(lines.at, "by".into());
            continue;
        }
        let Some(line) = text.get_mut(lines.at) else { return false };
        let (start, last) =
            line.rsplit_once(' ').map_or((line.clone(), String::new()), |(start, last)| {
                (start.to_owned(), last.to_owned())
            });
        *line = match &told[..] {
            "a case is missing" => format!("{line} /"),
            "more branches than cases" if last == "/" => format!("{start} ;"),
            "nothing is to be distinguished here" if last == "/" => format!("{start} ."),
            "nothing is to be left out here" if last == "." => format!("{start} 24"),
            "a refutation names a form that is not there" => {
                format!("{start} {}", last.parse::<usize>().unwrap() - 1)
            }
            "a case is not refuted" => match (0..2).find(|i| !line.contains(&format!("?{i}"))) {
                Some(i) => format!("{start} ?{i}"),
                None => return false,
            },
            _ => return false,
        };
    }
    false
}

/// Where the conditions of a part that is accepted hold, for some guesses, what it stands for is
/// true.
#[test]
fn what_a_part_stands_for_is_true() {
    let mut lot = Lot(fastrand::Rng::with_seed(18));
    let table = walks();
    let (mut fine, mut wrong, mut true_of) = (0, 0, 0);
    for _ in 0..20 * cases() {
        let played = played(&mut lot);
        let m = played.heaps;
        let shrinks = played.name.starts_with("SCN");
        let game = names::game(&played.name).unwrap().played(played.misere).unwrap();
        let said = match shrinks {
            true => format!("3 heaps: {}; 2 heaps: {}", claim(&mut lot, 3), claim(&mut lot, 2)),
            false => claim(&mut lot, m),
        };
        let claims = claims(&game, &format!("P iff {said}, up to symmetry"), &work()).unwrap();
        let chosen = chosen(&mut lot, &played);
        let claimed_in = |p: &[i64], image: &[usize]| {
            let mut place: Vec<i64> = image.iter().map(|h| p[*h]).collect();
            claims[p.len()].as_ref().is_some_and(|claim| node_holds(&claim.root, &mut place, 12))
        };
        let claimed = |p: &[i64]| (played.images)(p.len()).iter().any(|image| claimed_in(p, image));
        let stands = |p: &[i64]| match &chosen.text[0][5..9] {
            "stay" => claimed(p),
            "empt" => p.contains(&0),
            "over" => p.iter().all(|x| *x == 0),
            _ => {
                claimed(p)
                    || (played.options)(p, 20, played.said.as_ref()).iter().any(|q| claimed(q))
            }
        };
        // Whether the values are natural, there is such a move (or the position itself is meant),
        // and its option is claimed, as the part says.
        let aimed = |numbers: &[i64]| -> [bool; 3] {
            let p = &numbers[..m];
            let Some((window, gone, lower)) = &chosen.take else {
                let stay = chosen.text[0].contains("stay");
                return [true, true, if stay { claimed_in(p, &chosen.image) } else { stands(p) }];
            };
            let Some(all) = valued(&chosen, m, numbers) else { return [false, true, true] };
            let mut lower = lower.iter().map(|v| all[*v]);
            let left = (0..m).filter(|h| !gone.contains(h));
            let option: Vec<i64> = left
                .map(|h| if window.contains(&h) { lower.next().unwrap() } else { p[h] })
                .collect();
            let legal =
                option == p || (played.options)(p, 20, played.said.as_ref()).contains(&option);
            [true, legal, claimed_in(&option, &chosen.image)]
        };
        let names: Vec<String> = (0..m + chosen.guesses)
            .map(|v| if v < m { format!("p{v}") } else { format!("v{v}") })
            .collect();
        let read: Vec<Formula> =
            chosen.conditions.iter().map(|one| formula(one, &names).unwrap()).collect();
        let (mut about, mut all) = (Vec::new(), [true; 3]);
        for p in all_below(&vec![if m == 2 { 6 } else { 4 }; m]) {
            // Nothing but this is said of what is no circle.
            if shrinks && p.contains(&0) && !chosen.text[0].contains("empty") {
                continue;
            }
            let mut fits = false;
            for guess in 0..if chosen.guesses == 0 { 1 } else { 9 } {
                let numbers = [&p[..], &vec![guess; chosen.guesses]].concat();
                if read.iter().all(|one| node_holds(&one.root, &mut numbers.clone(), 0)) {
                    fits = true;
                    all.iter_mut().zip(aimed(&numbers)).for_each(|(all, one)| *all &= one);
                }
            }
            about.extend(fits.then_some(p));
        }
        // Of those that are quite wrong a few are enough.
        let misses = all.iter().filter(|one| !**one).count();
        if about.is_empty()
            || misses > 1 && lot.below(10) > 0
            || misses == 1 && !all[2] && lot.below(3) > 0
        {
            continue;
        }
        let board = Board {
            game: &game,
            claims: &claims,
            refutations: &table,
            heaps: m,
            ways: game.ways(m).unwrap(),
            work: &Work::new(&Limits::default(), &|| true),
        };
        if argued(&board, chosen.text.clone()) {
            assert_eq!(misses, 0, "{} {said}: {:?}", played.name, chosen.text);
            for p in &about {
                assert!(stands(p), "{} {said} at {p:?}: {:?}", played.name, chosen.text);
            }
            fine += 1;
            true_of += about.len();
        } else {
            wrong += 1;
        }
    }
    assert!(
        fine > cases() / 4 && wrong > cases() / 2 && true_of > 3 * fine,
        "{fine} {wrong} {true_of}"
    );
}

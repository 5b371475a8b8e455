//! Games that people asked for by name, against brute force from their rules and printed answers.

use super::partizan::expected;
use super::{analysis, class, example, mex, value};
use bouton_core::{Budget, Outcome, OutcomeClass, Play};
use bouton_engine::family::OwnGame;
use bouton_program::Program;
use std::collections::{BTreeSet, HashMap};

fn listed(numbers: &[u32]) -> String {
    format!("[{}]", numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
}

/// Returns all texts of some letters, up to a length.
fn texts(letters: &str, length: usize) -> Vec<String> {
    let longer = |all: &Vec<String>| -> Vec<String> {
        all.iter()
            .flat_map(|text| letters.chars().map(move |letter| format!("{text}{letter}")))
            .collect()
    };
    let mut all = vec![vec![String::new()]];
    for at in 0..length {
        let next = longer(&all[at]);
        all.push(next);
    }
    all.into_iter().skip(1).flatten().collect()
}

/// Returns every third of many.
fn some<T>(all: Vec<T>) -> impl Iterator<Item = T> {
    let step = if all.len() > 200 { 3 } else { 1 };
    all.into_iter().step_by(step)
}

#[test]
fn shove_and_push() {
    // A strip as the places of the pieces; a piece at place 0 that is moved is off.
    type Pieces = Vec<(i32, bool)>;
    let read = |text: &str| -> Pieces {
        let pieces = text.chars().enumerate().filter(|(_, c)| *c != '.');
        pieces.map(|(at, c)| (at as i32, c == 'L')).collect()
    };
    let moved =
        |pieces: &Pieces, is_pushed: &dyn Fn(i32, i32) -> bool, mover: usize| -> Vec<Pieces> {
            let own = pieces.iter().filter(|(_, is_left)| *is_left == (mover == 0));
            own.map(|(from, _)| {
                let next = pieces
                    .iter()
                    .map(|(at, is_left)| (at - i32::from(is_pushed(*at, *from)), *is_left));
                next.filter(|(at, _)| *at >= 0).collect()
            })
            .collect()
        };
    let shove = |pieces: &Pieces, mover: usize| moved(pieces, &|at, from| at <= from, mover);
    let push = |pieces: &Pieces, mover: usize| {
        let stands = |at: i32| pieces.iter().any(|(place, _)| *place == at);
        moved(pieces, &|at, from| at <= from && (at..=from).all(stands), mover)
    };
    let (mut shoved, mut pushed) = (HashMap::new(), HashMap::new());
    for strip in some(texts("LR.", 5)) {
        let pieces = read(&strip);
        assert_eq!(
            class(&*example("shove"), &strip),
            expected(&pieces, &shove, &mut shoved),
            "{strip}"
        );
        assert_eq!(
            class(&*example("push"), &strip),
            expected(&pieces, &push, &mut pushed),
            "{strip}"
        );
    }
}

#[test]
fn elephants_and_rhinos() {
    let game = example("elephants-and-rhinos");
    let options = |strip: &String, mover: usize| {
        let (from, to) = [("E.", ".E"), (".R", "R.")][mover];
        let places = strip.match_indices(from).map(|(at, _)| at);
        places.map(|at| format!("{}{to}{}", &strip[..at], &strip[at + 2..])).collect()
    };
    let mut known = HashMap::new();
    for strip in some(texts("ER.", 6)) {
        assert_eq!(class(&*game, &strip), expected(&strip, &options, &mut known), "{strip}");
    }
}

#[test]
fn cherries() {
    let game = example("cherries");
    let options = |row: &Vec<char>, mover: usize| {
        let own = ['L', 'R'][mover];
        let mut all = Vec::new();
        if row.first() == Some(&own) {
            all.push(row[1..].to_vec());
        }
        if row.last() == Some(&own) {
            all.push(row[..row.len() - 1].to_vec());
        }
        all
    };
    let mut known = HashMap::new();
    for row in some(texts("LR", 7)) {
        let cherries = row.chars().collect();
        assert_eq!(class(&*game, &row), expected(&cherries, &options, &mut known), "{row}");
    }
}

#[test]
fn partizan_endnim() {
    let game = example("partizan-endnim");
    // Heaps as written from left to right: an empty heap at an end is as none.
    let options = |row: &Vec<u32>, mover: usize| {
        let mut row = row.clone();
        if mover == 1 {
            row.reverse();
        }
        let Some((heap, rest)) = row.split_first() else { return Vec::new() };
        let left = |left: u32| {
            let mut next = rest.to_vec();
            if left > 0 {
                next.insert(0, left);
            }
            if mover == 1 {
                next.reverse();
            }
            next
        };
        (0..*heap).map(left).collect::<Vec<_>>()
    };
    let mut known = HashMap::new();
    for a in 1..=3u32 {
        for b in 1..=3u32 {
            for c in 1..=3u32 {
                let row = vec![a, b, c];
                assert_eq!(
                    class(&*game, &listed(&row)),
                    expected(&row, &options, &mut known),
                    "{row:?}"
                );
            }
            let row = vec![a, b];
            assert_eq!(
                class(&*game, &listed(&row)),
                expected(&row, &options, &mut known),
                "{row:?}"
            );
        }
    }
}

#[test]
fn maundy_cake() {
    let game = example("maundy-cake");
    // A piece as it is known by its sides; equal pieces each by itself.
    type Pieces = Vec<(u32, u32)>;
    let options = |pieces: &Pieces, mover: usize| {
        let mut all = Vec::new();
        for (at, (rows, columns)) in pieces.iter().enumerate() {
            let side = if mover == 0 { *columns } else { *rows };
            for length in (1..side).filter(|length| side % length == 0) {
                let piece = if mover == 0 { (*rows, length) } else { (length, *columns) };
                let mut next: Pieces = pieces.clone();
                next.remove(at);
                next.extend(std::iter::repeat_n(piece, (side / length) as usize));
                next.retain(|piece| *piece != (1, 1));
                next.sort_unstable();
                all.push(next);
            }
        }
        all
    };
    let mut known = HashMap::new();
    for (rows, columns) in
        [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (4, 3), (2, 6), (5, 2)]
    {
        let expected = expected(&vec![(rows, columns)], &options, &mut known);
        assert_eq!(class(&*game, &format!("{rows}x{columns}")), expected, "{rows} by {columns}");
    }
    // Winning Ways, chapter 2: a prime square is 0.
    assert_eq!(class(&*game, "3x3"), OutcomeClass::P);
}

#[test]
fn konane() {
    let game = example("konane");
    let options = |board: &Vec<Vec<char>>, mover: usize| {
        let (own, other) = [('L', 'R'), ('R', 'L')][mover];
        let at = |board: &[Vec<char>], r: i32, c: i32| {
            board.get(r as usize).and_then(|row| row.get(c as usize)).copied()
        };
        let mut all = Vec::new();
        for (r, row) in board.iter().enumerate() {
            for (c, _) in row.iter().enumerate().filter(|(_, square)| **square == own) {
                for (dr, dc) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                    let (r, c) = (r as i32, c as i32);
                    let mut next = board.clone();
                    for jump in 0.. {
                        let [from, over, to] = [2 * jump, 2 * jump + 1, 2 * jump + 2]
                            .map(|k| (r + k * dr, c + k * dc));
                        if at(&next, over.0, over.1) != Some(other)
                            || at(&next, to.0, to.1) != Some('.')
                        {
                            break;
                        }
                        next[from.0 as usize][from.1 as usize] = '.';
                        next[over.0 as usize][over.1 as usize] = '.';
                        next[to.0 as usize][to.1 as usize] = own;
                        all.push(next.clone());
                    }
                }
            }
        }
        all
    };
    let mut known = HashMap::new();
    let strips = some(texts("LR.", 6)).collect::<Vec<_>>();
    let boards = ["LRLR/R.RL/LRLR", "LR./.L./RL.", "LRL/RLR/LR.", "L.R./.RL./LR.R", "R.L/LRL/.LR"];
    for board in strips.iter().map(String::as_str).chain(boards) {
        let squares = board.split('/').map(|row| row.chars().collect()).collect();
        assert_eq!(class(&*game, board), expected(&squares, &options, &mut known), "{board}");
    }
    assert!(game.normal_form("LR/L").is_err());
}

#[test]
fn sequential_nim() {
    let game = example("sequential-nim");
    let options = |row: &Vec<u32>| match row.split_first() {
        None => Vec::new(),
        Some((heap, rest)) => {
            let left = |left: u32| if left == 0 { rest.to_vec() } else { [&[left], rest].concat() };
            (0..*heap).map(left).collect()
        }
    };
    let mut known = HashMap::new();
    for code in 0..256u32 {
        let row: Vec<u32> =
            (0..4).map(|at| code >> (2 * at) & 3).filter(|heap| *heap > 0).collect();
        assert_eq!(value(&*game, &listed(&row)), mex(&row, &options, &mut known), "{row:?}");
    }
    // Codeforces 1382 B prints these: the first player wins where the leading heaps of one are even
    // in number.
    for (row, wins) in
        [("2,5,4", true), ("1,1,1,1,1,1,1,1", false), ("1,2,3,4,5,6", false), ("1,1,2", true)]
    {
        let found = analysis(&*game, row, Play::Normal).evaluation.outcome;
        assert_eq!(found == Some(Outcome::N), wins, "{row}");
    }
}

#[test]
fn take_one_or_merge() {
    let game = example("take-one-or-merge");
    let options = |heaps: &Vec<u32>| {
        let mut all = Vec::new();
        for i in 0..heaps.len() {
            let mut less = heaps.clone();
            less[i] -= 1;
            all.push(less);
            for j in 0..i {
                let mut joined = heaps.clone();
                joined[j] += joined.remove(i);
                all.push(joined);
            }
        }
        for heaps in &mut all {
            heaps.retain(|heap| *heap > 0);
            heaps.sort_unstable();
        }
        all
    };
    let mut known = HashMap::new();
    for code in 1..256u32 {
        let mut heaps: Vec<u32> =
            (0..4).map(|at| code >> (2 * at) & 3).filter(|heap| *heap > 0).collect();
        heaps.sort_unstable();
        assert_eq!(value(&*game, &listed(&heaps)), mex(&heaps, &options, &mut known), "{heaps:?}");
    }
    // HDU 4111 prints these.
    for (heaps, wins) in [("1,1,2", true), ("3,4", false), ("2,3,5", false)] {
        let found = analysis(&*game, heaps, Play::Normal).evaluation.outcome;
        assert_eq!(found == Some(Outcome::N), wins, "{heaps}");
    }
}

#[test]
fn permutation_game() {
    let game = example("permutation-game");
    let options = |row: &Vec<u32>| {
        let without = |at: usize| [&row[..at], &row[at + 1..]].concat();
        let all = if row.is_sorted() { 0..0 } else { 0..row.len() };
        all.map(without).collect()
    };
    let mut known = HashMap::new();
    for code in 0..625u32 {
        let row: Vec<u32> = (0..4).map(|at| code / 5u32.pow(at) % 5).collect();
        let all: BTreeSet<u32> = row.iter().copied().collect();
        match all.len() == 4 {
            true => {
                assert_eq!(value(&*game, &listed(&row)), mex(&row, &options, &mut known), "{row:?}")
            }
            false => assert!(game.normal_form(&listed(&row)).is_err()),
        }
    }
    // HackerRank prints these.
    for (row, wins) in [("1,3,2", true), ("5,3,2,1,4", false)] {
        let found = analysis(&*game, row, Play::Normal).evaluation.outcome;
        assert_eq!(found == Some(Outcome::N), wins, "{row}");
    }
}

#[test]
fn chocolate_bar() {
    let game = example("chocolate-bar");
    let options = |pieces: &Vec<(u32, u32)>| {
        let mut all = Vec::new();
        for (at, (rows, columns)) in pieces.iter().enumerate() {
            let mut cut = |one, other| {
                let mut next = pieces.clone();
                next[at] = one;
                next.push(other);
                next.sort_unstable();
                all.push(next);
            };
            (1..*rows).for_each(|r| cut((r, *columns), (rows - r, *columns)));
            (1..*columns).for_each(|c| cut((*rows, c), (*rows, columns - c)));
        }
        all
    };
    for (rows, columns) in [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (2, 4)] {
        let text = format!("{rows}x{columns}");
        assert_eq!(
            value(&*game, &text),
            mex(&vec![(rows, columns)], &options, &mut HashMap::new()),
            "{text}"
        );
    }
    // Every break makes one piece more, so that m by n squares take m·n − 1 of them (P. Winkler).
    for rows in 1..6 {
        for columns in 1..6 {
            assert_eq!(value(&*game, &format!("{rows}x{columns}")), (rows * columns - 1) % 2);
        }
    }
}

#[test]
fn juniper_green() {
    let game = example("juniper-green");
    let options = |(last, free): &(u32, BTreeSet<u32>)| -> Vec<(u32, BTreeSet<u32>)> {
        let may = |next: &&u32| match last {
            0 => next.is_multiple_of(2),
            last => last.is_multiple_of(**next) || next.is_multiple_of(*last),
        };
        let after =
            |next: &u32| (*next, free.iter().copied().filter(|other| other != next).collect());
        free.iter().filter(may).map(after).collect()
    };
    for n in 1..=9u32 {
        let start = (0, (1..=n).collect());
        assert_eq!(
            value(&*game, &n.to_string()),
            mex(&start, &options, &mut HashMap::new()),
            "{n}"
        );
    }
}

#[test]
fn even_wins() {
    let game = example("even-wins");
    /// Returns whether the mover wins, with the marbles left and what both have.
    fn wins(left: u32, own: u32, other: u32) -> bool {
        match left {
            0 => own.is_multiple_of(2),
            _ => (1..=left.min(4)).any(|count| !wins(left - count, other, own + count)),
        }
    }
    for left in (1..18).step_by(2) {
        let found = analysis(&*game, &left.to_string(), Play::Normal).evaluation.outcome;
        assert_eq!(found == Some(Outcome::N), wins(left, 0, 0), "{left}");
    }
    for (left, own, other) in [(4, 1, 2), (6, 2, 1), (7, 3, 3), (8, 2, 3), (12, 1, 0), (0, 2, 3)] {
        let position = format!("{left},{},{}", own % 2, other % 2);
        let found = analysis(&*game, &position, Play::Normal).evaluation.outcome;
        assert_eq!(found == Some(Outcome::N), wins(left, own, other), "{position}");
    }
    assert!(game.normal_form("26").is_err());
}

/// Returns the numbers of moves that play can last from a position.
fn lengths(game: &dyn bouton_engine::Game, position: &str) -> BTreeSet<u32> {
    let mut graph = game.graph();
    graph.begin(&Budget::default());
    let start = graph.read(position).unwrap();
    let mut known: HashMap<String, BTreeSet<u32>> = HashMap::new();
    let mut open = vec![start];
    while let Some(node) = open.last().copied() {
        let options: Vec<_> = graph.options(node).unwrap().to_vec();
        assert_eq!(graph.stopped(), None);
        let name = graph.print(node);
        let names: Vec<String> = options.iter().map(|option| graph.print(*option)).collect();
        let before = open.len();
        open.extend(
            options
                .iter()
                .zip(&names)
                .filter(|(_, name)| !known.contains_key(*name))
                .map(|(o, _)| *o),
        );
        if open.len() > before {
            continue;
        }
        open.pop();
        let mut all: BTreeSet<u32> =
            names.iter().flat_map(|name| known[name].iter().map(|n| n + 1)).collect();
        if all.is_empty() {
            all.insert(0);
        }
        known.insert(name, all);
    }
    let start = graph.print(start);
    known.remove(&start).unwrap()
}

#[test]
fn brussels_sprouts() {
    let game = example("brussels-sprouts");
    // Winning Ways, chapter 17: n crosses last 5n − 2 moves, whatever is played.
    for n in 1..=2 {
        assert_eq!(lengths(&*game, &n.to_string()), BTreeSet::from([5 * n - 2]));
        assert_eq!(value(&*game, &n.to_string()), (5 * n - 2) % 2);
    }
}

#[test]
fn sprouts() {
    let game = example("sprouts");
    // Winning Ways, chapter 17: n spots last at least 2n and at most 3n − 1 moves; who begins loses
    // with one spot or two.
    for n in 1..=2 {
        assert_eq!(lengths(&*game, &n.to_string()), (2 * n..3 * n).collect(), "{n}");
        assert_eq!(value(&*game, &n.to_string()), 0, "{n}");
    }
    assert!(game.normal_form("[[0],[[[1]]]]").is_err());
}

#[test]
fn a_function_that_uses_its_own_list_is_told_to_copy_it() {
    let read = |valid: &str| {
        let rules =
            format!("const NAME = \"own\"; fn options(row) {{ [] }} fn valid(row) {{ {valid} }}");
        let game = Program::parse(&rules, None).unwrap().game();
        game.normal_form("[1,2]").map_err(|error| error.to_string())
    };
    let error = read("row.all(|n| row.len() > n - 1)").unwrap_err();
    assert!(error.contains("let copy = list"), "{error}");
    assert_eq!(read("let copy = row; row.all(|n| copy.len() > n - 1)").as_deref(), Ok("1,2"));
}

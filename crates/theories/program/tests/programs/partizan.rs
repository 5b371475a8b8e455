//! Games in which Left and Right have different moves, against brute force.

use super::{class, example};
use bouton_core::OutcomeClass;
use std::collections::HashMap;
use std::hash::Hash;

/// Options of a position for Left (0) or Right (1).
pub(super) type Options<'a, P> = &'a dyn Fn(&P, usize) -> Vec<P>;

/// Returns whether `mover` (0 is Left) wins when it is to move.
fn wins<P: Clone + Eq + Hash>(
    p: &P,
    mover: usize,
    options: Options<'_, P>,
    known: &mut HashMap<(P, usize), bool>,
) -> bool {
    if let Some(wins) = known.get(&(p.clone(), mover)) {
        return *wins;
    }
    let found = options(p, mover).iter().any(|q| !wins(q, 1 - mover, options, known));
    known.insert((p.clone(), mover), found);
    found
}

pub(super) fn expected<P: Clone + Eq + Hash>(
    p: &P,
    options: Options<'_, P>,
    known: &mut HashMap<(P, usize), bool>,
) -> OutcomeClass {
    match [0, 1].map(|mover| wins(p, mover, options, known)) {
        [true, true] => OutcomeClass::N,
        [true, false] => OutcomeClass::L,
        [false, true] => OutcomeClass::R,
        [false, false] => OutcomeClass::P,
    }
}

/// Returns all texts of `length` letters from `letters`.
fn texts(letters: &str, length: usize) -> Vec<String> {
    (0..length).fold(vec![String::new()], |all, _| {
        all.iter()
            .flat_map(|text| letters.chars().map(move |letter| format!("{text}{letter}")))
            .collect()
    })
}

#[test]
fn toads_and_frogs() {
    let game = example("toads-and-frogs");
    // Right sees the strip from the other end, with the animals exchanged.
    let turned = |strip: &str| -> String {
        let exchanged = |c| match c {
            'F' => 'T',
            'T' => 'F',
            c => c,
        };
        strip.chars().rev().map(exchanged).collect()
    };
    let options = |strip: &String, mover: usize| {
        let text = if mover == 0 { strip.clone() } else { turned(strip) };
        let mut all = Vec::new();
        for (from, to) in [("T.", ".T"), ("TF.", ".FT")] {
            for (at, _) in text.match_indices(from) {
                let mut next = text.clone();
                next.replace_range(at..at + from.len(), to);
                all.push(if mover == 0 { next } else { turned(&next) });
            }
        }
        all
    };
    let mut known = HashMap::new();
    for length in 1..=6 {
        for strip in texts("TF.", length).into_iter().step_by(if length < 5 { 1 } else { 7 }) {
            assert_eq!(class(&*game, &strip), expected(&strip, &options, &mut known), "{strip}");
        }
    }
    // Winning Ways, chapter 1: TF. and T.F are 0 and a star.
    assert_eq!(class(&*game, "T.F"), OutcomeClass::N);
    assert!(game.normal_form("TXF").is_err());
}

#[test]
fn clobber() {
    let game = example("clobber");
    for (rows, columns) in [(1, 6), (2, 2), (2, 3)] {
        let options = |board: &String, mover: usize| {
            let squares: Vec<char> = board.chars().collect();
            let (own, other) = if mover == 0 { ('L', 'R') } else { ('R', 'L') };
            let mut all = Vec::new();
            for a in 0..squares.len() {
                for b in 0..squares.len() {
                    let apart =
                        (a / columns).abs_diff(b / columns) + (a % columns).abs_diff(b % columns);
                    if apart == 1 && squares[a] == own && squares[b] == other {
                        let mut next = squares.clone();
                        next[a] = '.';
                        next[b] = own;
                        all.push(next.into_iter().collect());
                    }
                }
            }
            all
        };
        let mut known = HashMap::new();
        for board in texts("LR.", rows * columns).into_iter().step_by(5) {
            let lines: Vec<String> =
                (0..rows).map(|r| board[r * columns..(r + 1) * columns].to_owned()).collect();
            let found = class(&*game, &lines.join("/"));
            assert_eq!(found, expected(&board, &options, &mut known), "{lines:?}");
        }
    }
    assert!(game.normal_form("LR/L").is_err());
}

#[test]
fn toppling_dominoes() {
    let game = example("toppling-dominoes");
    let options = |row: &String, mover: usize| {
        let own = if mover == 0 { "LE" } else { "RE" };
        let mut all = Vec::new();
        for (at, domino) in row.char_indices() {
            if own.contains(domino) {
                all.push(row[..at].to_owned());
                all.push(row[at + 1..].to_owned());
            }
        }
        all
    };
    let mut known = HashMap::new();
    for length in 1..=6 {
        for row in texts("LRE", length).into_iter().step_by(if length < 5 { 1 } else { 4 }) {
            assert_eq!(class(&*game, &row), expected(&row, &options, &mut known), "{row}");
        }
    }
    // Lessons in Play: a row of n blue dominoes is n, so three and two red ones leave Left a move.
    assert_eq!(class(&*game, "LLL/RR"), OutcomeClass::L);
    assert_eq!(class(&*game, "LLL/RRR"), OutcomeClass::P);
}

/// Winning Ways, chapter 2: what counts is the greatest power of 2 in each side.
#[test]
fn cutcake() {
    let game = example("cutcake");
    for rows in 1u32..9 {
        for columns in 1u32..9 {
            let expected = match columns.ilog2().cmp(&rows.ilog2()) {
                std::cmp::Ordering::Less => OutcomeClass::R,
                std::cmp::Ordering::Equal => OutcomeClass::P,
                std::cmp::Ordering::Greater => OutcomeClass::L,
            };
            if rows * columns <= 24 {
                assert_eq!(
                    class(&*game, &format!("{rows}x{columns}")),
                    expected,
                    "{rows}×{columns}"
                );
            }
        }
    }
    // 1 + 1 − 1: two pieces of one row and two columns, one of two rows and one column.
    assert_eq!(class(&*game, "[[1,2],[1,2],[2,1]]"), OutcomeClass::L);
    assert_eq!(class(&*game, "[[1,2],[2,1]]"), OutcomeClass::P);
}

#[test]
fn partizan_kayles() {
    let game = example("partizan-kayles");
    // Each pin by itself: those that stand, on places 0 to 9.
    let options = |pins: &u32, mover: usize| {
        let taken = if mover == 0 { 1 } else { 3 };
        let all = (0..10).map(|at| taken << at);
        all.filter(|taken| pins & taken == *taken).map(|taken| pins & !taken).collect()
    };
    let mut known = HashMap::new();
    for n in 0..=9 {
        let row = (1u32 << n) - 1;
        assert_eq!(class(&*game, &n.to_string()), expected(&row, &options, &mut known), "{n}");
    }
    for (rows, pins) in [
        ("2,3", 0b11_0111),
        ("1,2,4", 0b1_0110_1111),
        ("2,2,2", 0b1101_1011),
        ("5,3", 0b1_1111_0111),
    ] {
        assert_eq!(class(&*game, rows), expected(&pins, &options, &mut known), "{rows}");
    }
}

#[test]
fn amazons() {
    type Squares = Vec<(i32, i32, char)>;
    // Where a queen goes: squares one after the other, each of them there and free.
    let reached = |squares: &Squares, (r, c): (i32, i32)| {
        let is_free =
            |at: (i32, i32)| squares.iter().any(|(y, x, is)| (*y, *x) == at && *is == '.');
        let mut all = Vec::new();
        for step in (0..9).filter(|step| *step != 4) {
            let (y, x) = (step / 3 - 1, step % 3 - 1);
            let line = (1..5).map(|k| (r + k * y, c + k * x)).take_while(|at| is_free(*at));
            all.extend(line);
        }
        all
    };
    let with = |squares: &Squares, at: (i32, i32), sign: char| -> Squares {
        squares.iter().map(|(y, x, is)| (*y, *x, if (*y, *x) == at { sign } else { *is })).collect()
    };
    let options = |squares: &Squares, mover: usize| {
        let own = ['L', 'R'][mover];
        let mut all = Vec::new();
        for (r, c, _) in squares.iter().filter(|(_, _, is)| *is == own) {
            let left = with(squares, (*r, *c), '.');
            for to in reached(&left, (*r, *c)) {
                let there = with(&left, to, own);
                all.extend(reached(&there, to).into_iter().map(|hit| with(&there, hit, '#')));
            }
        }
        all
    };
    let game = example("amazons");
    let mut known = HashMap::new();
    for board in [
        "L../.R.",
        "L..R",
        "L.R..",
        "L#./..R",
        "LR/..",
        "L../.../..R",
        "L.R/.#./...",
        "LL./..R",
        "L",
        "LR",
        "L.#.R",
        "...L/R..#",
        "RL../....",
        "L#.R/...#",
        ".L./.../RR.",
    ] {
        let rows = board.split('/').enumerate();
        let squares = rows.flat_map(|(r, row)| {
            row.chars().enumerate().map(move |(c, is)| (r as i32, c as i32, is))
        });
        let squares: Squares = squares.collect();
        assert_eq!(class(&*game, board), expected(&squares, &options, &mut known), "{board}");
    }
}

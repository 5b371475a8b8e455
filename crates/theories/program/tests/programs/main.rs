//! The programs of examples/rules: their values against brute force from the rules alone, and
//! against the literature.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Outcome, OutcomeClass, Play};
use bouton_engine::Settings;
use bouton_engine::family::OwnGame;
use bouton_engine::game::{Analysis, Game};
use bouton_engine::sum::sum;
use bouton_program::Program;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::path::{Path, PathBuf};

mod asked;
mod boards;
mod graphs;
mod numbers;
mod partizan;
mod rows;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/rules")
}

fn example(name: &str) -> Box<dyn Game> {
    let path = folder().join(format!("{name}.rhai"));
    let text = std::fs::read_to_string(&path).unwrap();
    Program::parse(&text, Some(&path)).unwrap_or_else(|error| panic!("{name}: {error:?}")).game()
}

fn settings(play: Play) -> Settings {
    Settings { play, nim_value_nodes: u64::MAX, ..Settings::default() }
}

fn analysis(game: &dyn Game, position: &str, play: Play) -> Analysis {
    let found = game.session(settings(play)).analyse(position);
    let found = found.unwrap_or_else(|error| panic!("{} at {position}: {error:?}", game.name()));
    assert_eq!(found.spent, None, "{} at {position}", game.name());
    found
}

fn value(game: &dyn Game, position: &str) -> u32 {
    analysis(game, position, Play::Normal).evaluation.nim_value.unwrap().0
}

fn class(game: &dyn Game, position: &str) -> OutcomeClass {
    analysis(game, position, Play::Normal).class.unwrap()
}

fn values(game: &dyn Game, to: u32) -> Vec<u32> {
    let mut values = Vec::new();
    let done =
        game.session(settings(Play::Normal)).values(to, &mut |_, value| values.push(value.0));
    assert_eq!(done, Some(Ok(())), "{}", game.name());
    values
}

/// One heap of Nim.
const NIM: &str =
    "const NAME = \"heap\"; fn options(n) { let all = []; for k in 0..n { all.push(k); } all }";

/// Returns the nim-value of a position, by its options alone.
fn mex<P: Clone + Eq + Hash>(
    p: &P,
    options: &dyn Fn(&P) -> Vec<P>,
    known: &mut HashMap<P, u32>,
) -> u32 {
    if let Some(value) = known.get(p) {
        return *value;
    }
    let values: BTreeSet<u32> = options(p).iter().map(|q| mex(q, options, known)).collect();
    let value = (0..).find(|value| !values.contains(value)).unwrap();
    known.insert(p.clone(), value);
    value
}

/// Returns whether the player to move wins when whoever cannot move wins.
fn misere<P: Clone + Eq + Hash>(
    p: &P,
    options: &dyn Fn(&P) -> Vec<P>,
    known: &mut HashMap<P, bool>,
) -> bool {
    if let Some(wins) = known.get(p) {
        return *wins;
    }
    let all = options(p);
    let wins = all.is_empty() || all.iter().any(|q| !misere(q, options, known));
    known.insert(p.clone(), wins);
    wins
}

/// Winning Ways, chapter 4: Dawson's Kayles, 0.07.
const DAWSON: [u32; 20] = [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3];

#[test]
fn every_example_is_read_and_has_a_start_that_can_be_played() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "rhai") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let game = example(&name);
        assert_eq!(game.name(), name);
        let start = game.start().unwrap();
        assert_eq!(game.normal_form(&start).unwrap(), start);
        let found = game.session(settings(Play::Normal)).analyse(&start).unwrap();
        assert!(!found.moves.is_empty(), "{name}");
        for option in &found.moves {
            assert_eq!(game.normal_form(&option.to).unwrap(), option.to, "{name}");
        }
        assert!(game.board(&start).is_ok());
        count += 1;
    }
    assert!(count >= 53, "{count}");
}

#[test]
fn chomp() {
    let game = example("chomp");
    type Squares = BTreeSet<(usize, usize)>;
    let options = |p: &Squares| -> Vec<Squares> {
        let bites = p.iter().filter(|square| **square != (0, 0));
        bites.map(|(r, c)| p.iter().copied().filter(|(y, x)| y < r || x < c).collect()).collect()
    };
    let mut known = HashMap::new();
    for (text, rows) in
        [("3x4", vec![4, 4, 4]), ("4,2,1", vec![4, 2, 1]), ("5,1", vec![5, 1]), ("2x5", vec![5, 5])]
    {
        let squares: Squares =
            rows.iter().enumerate().flat_map(|(r, n)| (0..*n).map(move |c| (r, c))).collect();
        assert_eq!(value(&*game, text), mex(&squares, &options, &mut known), "{text}");
    }
    // D. Gale, "A curious Nim-type game" (1974): two rows are lost if the upper is one shorter.
    for n in 1..8 {
        let lost = analysis(&*game, &format!("{},{n}", n + 1), Play::Normal).evaluation.outcome;
        assert_eq!(lost, Some(Outcome::P));
    }
    // The table with square bitten off alone: D. Gale's answer, who begins takes the diagonal
    // neighbour of the poisoned square.
    for n in 2..5 {
        let found = analysis(&*game, &format!("{n}x{n}"), Play::Normal);
        let winning = found.moves.iter().filter(|m| m.evaluation.outcome == Some(Outcome::P));
        let winning: Vec<_> = winning.map(|m| m.text.to_string()).collect();
        assert_eq!(winning, ["bite off row 2, column 2"], "{n}");
    }
    for wrong in ["2,3", "0", "[\"a\"]", "3x", "[]"] {
        assert!(game.normal_form(wrong).is_err(), "{wrong}");
    }
}

/// Returns the squares of a board as bits.
fn dominoes(rows: usize, columns: usize, upright: bool) -> Vec<u32> {
    let bit = |r: usize, c: usize| 1 << (r * columns + c);
    let mut all = Vec::new();
    for r in 0..rows {
        for c in 0..columns {
            if upright && r + 1 < rows {
                all.push(bit(r, c) | bit(r + 1, c));
            }
            if !upright && c + 1 < columns {
                all.push(bit(r, c) | bit(r, c + 1));
            }
        }
    }
    all
}

#[test]
fn cram() {
    let game = example("cram");
    // M. Gardner (1974) and J. Lemoine, S. Viennot (2010): 3×3, 3×4, 4×4 have the values 0, 1, 0.
    for (board, expected) in [("3x3", 0), ("3x4", 1), ("4x4", 0), ("2x2", 0), ("2x4", 0)] {
        assert_eq!(value(&*game, board), expected, "{board}");
    }
    assert_eq!(values(&*game, 14), DAWSON[..15]);
    for (rows, columns) in [(1, 4), (2, 3), (3, 3), (2, 5)] {
        let all = [dominoes(rows, columns, true), dominoes(rows, columns, false)].concat();
        let options = |covered: &u32| -> Vec<u32> {
            all.iter()
                .filter(|domino| covered & **domino == 0)
                .map(|domino| covered | domino)
                .collect()
        };
        let expected = mex(&0, &options, &mut HashMap::new());
        assert_eq!(value(&*game, &format!("{rows}x{columns}")), expected);
    }
    assert!(game.normal_form("..x/...").is_err());
}

/// Returns the class of a board of Domineering, by its rules.
fn domineering(rows: usize, columns: usize) -> OutcomeClass {
    let dominoes = [dominoes(rows, columns, true), dominoes(rows, columns, false)];
    fn wins(
        covered: u32,
        mover: usize,
        dominoes: &[Vec<u32>; 2],
        known: &mut HashMap<(u32, usize), bool>,
    ) -> bool {
        if let Some(wins) = known.get(&(covered, mover)) {
            return *wins;
        }
        let mut free = dominoes[mover].iter().filter(|domino| covered & **domino == 0);
        let found = free.any(|domino| !wins(covered | domino, 1 - mover, dominoes, known));
        known.insert((covered, mover), found);
        found
    }
    let mut known = HashMap::new();
    match [0, 1].map(|mover| wins(0, mover, &dominoes, &mut known)) {
        [true, true] => OutcomeClass::N,
        [true, false] => OutcomeClass::L,
        [false, true] => OutcomeClass::R,
        [false, false] => OutcomeClass::P,
    }
}

#[test]
fn domineering_and_sums_of_it() {
    let game = example("domineering");
    for (rows, columns) in
        [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2), (3, 4)]
    {
        let expected = domineering(rows, columns);
        assert_eq!(class(&*game, &format!("{rows}x{columns}")), expected, "{rows}×{columns}");
    }
    // Winning Ways, chapter 5: 2×2 and 3×3 are won by who begins.
    assert_eq!(class(&*game, "2x2"), OutcomeClass::N);
    assert_eq!(class(&*game, "3x3"), OutcomeClass::N);
    // 1 − 1 = 0; 1 + *3 is positive; 2×2 is ±1, and ±1 + *1 is won by who begins.
    let nim = Program::parse(NIM, None).unwrap().game();
    let two = sum(&[example("domineering"), example("domineering")]).unwrap();
    assert_eq!(class(&*two, "2x1 + 1x2"), OutcomeClass::P);
    assert_eq!(class(&*two, "2x1 + 2x1"), OutcomeClass::L);
    assert_eq!(class(&*two, "2x2 + 2x2"), OutcomeClass::P);
    let mixed = sum(&[example("domineering"), nim]).unwrap();
    assert_eq!(class(&*mixed, "2x1 + 3"), OutcomeClass::L);
    assert_eq!(class(&*mixed, "1x2 + 3"), OutcomeClass::R);
    assert_eq!(class(&*mixed, "2x2 + 1"), OutcomeClass::N);
    let other = two.normal_form("left:2x1 + right:1x2").unwrap_err();
    assert!(other.message.contains("Right in another"), "{other}");
    let right = analysis(&*game, "right:2x1", Play::Normal);
    assert_eq!((right.evaluation.outcome, right.class), (Some(Outcome::P), Some(OutcomeClass::L)));
}

#[test]
fn node_kayles() {
    let game = example("node-kayles");
    // OEIS A316632: the lattice 3 × n.
    for (n, expected) in [2, 1, 1, 0, 3].into_iter().enumerate() {
        assert_eq!(value(&*game, &format!("3x{}", n + 1)), expected);
    }
    // A path is Dawson's Chess, which is Dawson's Kayles with one more (Winning Ways, chapter 4).
    assert_eq!(values(&*game, 12), DAWSON[1..14]);
    // A circle of n nodes: its only option is a path of n − 3.
    for n in 3..9 {
        let edges: Vec<String> = (0..n).map(|i| format!("{i}-{}", (i + 1) % n)).collect();
        assert_eq!(value(&*game, &edges.join(",")), u32::from(DAWSON[n - 2] == 0));
    }
}

#[test]
fn arc_kayles() {
    let game = example("arc-kayles");
    assert_eq!(values(&*game, 12), DAWSON[1..14]);
    let graph = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 1), (5, 6)];
    let options = |p: &Vec<(u32, u32)>| -> Vec<Vec<(u32, u32)>> {
        let far = |(a, b): (u32, u32), (c, d): (u32, u32)| a != c && a != d && b != c && b != d;
        p.iter()
            .map(|taken| p.iter().copied().filter(|edge| far(*taken, *edge)).collect())
            .collect()
    };
    let text: Vec<String> = graph.iter().map(|(a, b)| format!("{a}-{b}")).collect();
    let expected = mex(&graph.to_vec(), &options, &mut HashMap::new());
    assert_eq!(value(&*game, &text.join(",")), expected);
    // On a lattice it is Cram: an edge is a domino.
    let cram = example("cram");
    for board in ["1x5", "2x2", "2x3", "3x3", "2x5"] {
        assert_eq!(value(&*game, board), value(&*cram, board), "{board}");
    }
}

/// Returns the value of a tree by the parent of each node, node 0 the ground: the colon principle
/// (Winning Ways, chapter 7).
fn colon(parents: &[usize], node: usize) -> u32 {
    let children = (1..=parents.len()).filter(|child| parents[child - 1] == node);
    children.fold(0, |sum, child| sum ^ (1 + colon(parents, child)))
}

/// Returns the same tree in brackets.
fn brackets(parents: &[usize], node: usize) -> String {
    let children = (1..=parents.len()).filter(|child| parents[child - 1] == node);
    children.map(|child| format!("({})", brackets(parents, child))).collect()
}

#[test]
fn green_hackenbush() {
    let game = example("green-hackenbush");
    assert_eq!(values(&*game, 7), [0, 1, 2, 3, 4, 5, 6, 7]);
    for parents in [
        vec![0, 1, 1, 0],
        vec![0, 1, 2, 2, 1, 0, 6],
        vec![0, 1, 1, 1, 2, 3, 3],
        vec![0, 0, 0, 1, 2],
    ] {
        let edges: Vec<String> =
            parents.iter().enumerate().map(|(i, parent)| format!("{parent}-{}", i + 1)).collect();
        assert_eq!(value(&*game, &edges.join(",")), colon(&parents, 0), "{parents:?}");
        let list: Vec<String> = parents.iter().map(usize::to_string).collect();
        assert_eq!(value(&*game, &list.join(",")), colon(&parents, 0), "{parents:?}");
        assert_eq!(value(&*game, &brackets(&parents, 0)), colon(&parents, 0), "{parents:?}");
    }
    // Fusion principle (Winning Ways, chapter 7): a circle of n edges has the value n mod 2.
    for n in 2..6 {
        let edges: Vec<String> = (0..n).map(|i| format!("{i}-{}", (i + 1) % n)).collect();
        assert_eq!(value(&*game, &edges.join(",")), n % 2);
    }
    assert!(game.normal_form("0-1,2-3").is_err());
}

#[test]
fn red_blue_hackenbush() {
    let game = example("red-blue-hackenbush");
    // Winning Ways, chapter 1: stalks are numbers: 1, −1, 1/2, −1/2, and 1/2 + 1/2 − 1 = 0.
    for (position, expected) in [
        ("[[0,1,0]]", OutcomeClass::L),
        ("[[0,1,1]]", OutcomeClass::R),
        ("[[0,1,0],[1,2,1]]", OutcomeClass::L),
        ("[[0,1,1],[1,2,0]]", OutcomeClass::R),
        ("[[0,1,0],[1,2,1],[0,3,1],[3,4,0]]", OutcomeClass::P),
        ("[[0,1,0],[1,2,1],[0,3,0],[3,4,1],[0,5,1]]", OutcomeClass::P),
        ("[[0,1,0],[1,2,1],[0,5,1]]", OutcomeClass::R),
        ("[]", OutcomeClass::P),
    ] {
        assert_eq!(class(&*game, position), expected, "{position}");
    }
}

/// Returns the size of a greatest matching.
fn matching(edges: &[(u32, u32)]) -> usize {
    let Some(((a, b), rest)) = edges.split_first() else { return 0 };
    let far: Vec<(u32, u32)> = rest
        .iter()
        .copied()
        .filter(|(c, d)| ![c, d].iter().any(|node| *node == a || *node == b))
        .collect();
    matching(rest).max(1 + matching(&far))
}

#[test]
fn geography() {
    // A. S. Fraenkel, E. R. Scheinerman, D. Ullman, "Undirected edge geography" (1993): who begins
    // wins iff every greatest matching covers the node of the token.
    let game = example("geography");
    let mut lot = 1u32;
    for _ in 0..40 {
        let mut edges = Vec::new();
        for a in 1..=6u32 {
            for b in a + 1..=6 {
                lot = lot.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if lot >> 30 == 0 {
                    edges.push((a, b));
                }
            }
        }
        let without: Vec<(u32, u32)> =
            edges.iter().copied().filter(|(a, b)| *a != 1 && *b != 1).collect();
        let wins = matching(&without) < matching(&edges);
        let text: Vec<String> = edges.iter().map(|(a, b)| format!("[{a},{b}]")).collect();
        let found = analysis(&*game, &format!("[1,[{}]]", text.join(",")), Play::Normal);
        assert_eq!(
            found.evaluation.outcome,
            Some(if wins { Outcome::N } else { Outcome::P }),
            "{edges:?}"
        );
    }
}

#[test]
fn treblecross() {
    // Winning Ways, chapter 4: n squares, at least three, are lost iff 0.007 has the value 0 at
    // n + 2.
    let code = [0, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 1, 1, 0];
    let game = example("treblecross-row");
    for n in 3..=10 {
        let lost =
            analysis(&*game, &".".repeat(n), Play::Normal).evaluation.outcome == Some(Outcome::P);
        assert_eq!(lost, code[n + 2] == 0, "{n}");
    }
    assert_eq!(value(&*game, "X.X"), 1);
    assert_eq!(value(&*game, "XXX...."), 0);
}

#[test]
fn notakto() {
    let game = example("notakto");
    const LINES: [u32; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let options = |boards: &Vec<u32>| -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        for (i, board) in boards.iter().enumerate() {
            for square in (0..9).map(|square| 1 << square).filter(|square| board & square == 0) {
                let mut next = boards.clone();
                if LINES.iter().any(|line| (board | square) & line == *line) {
                    next.remove(i);
                } else {
                    next[i] |= square;
                }
                next.sort_unstable();
                all.push(next);
            }
        }
        all
    };
    let mut known = HashMap::new();
    let mut found = Vec::new();
    for boards in 1..=2 {
        let wins = misere(&vec![0; boards], &options, &mut known);
        let ours = analysis(&*game, &boards.to_string(), Play::Misere).evaluation.outcome;
        assert_eq!(ours, Some(if wins { Outcome::N } else { Outcome::P }), "{boards}");
        found.push(wins);
    }
    // T. E. Plambeck, G. Whitehead, "The secrets of Notakto" (2013).
    assert_eq!(found, [true, false]);
}

#[test]
fn sylver_coinage() {
    let game = example("sylver");
    let sums = |named: &BTreeSet<u32>, bound: u32| {
        let mut made = vec![true];
        for n in 1..=bound {
            made.push(named.iter().any(|number| *number <= n && made[(n - number) as usize]));
        }
        made
    };
    for bound in 2..11 {
        let options = |named: &BTreeSet<u32>| -> Vec<BTreeSet<u32>> {
            let made = sums(named, bound);
            let free = (2..=bound).filter(|n| !made[*n as usize]);
            free.map(|n| named.iter().copied().chain([n]).collect()).collect()
        };
        let expected = mex(&BTreeSet::new(), &options, &mut HashMap::new());
        assert_eq!(value(&*game, &format!("[{bound},[]]")), expected, "{bound}");
        assert_eq!(value(&*game, &bound.to_string()), expected, "{bound}");
    }
    // R. L. Hutchings (Winning Ways, chapter 18): of two coprime numbers whoever is to move wins,
    // except from 2 and 3. A bound that no other number exceeds changes nothing: all above it are
    // sums.
    for (a, b) in [(2, 3), (2, 5), (2, 9), (3, 4), (3, 5), (3, 7), (4, 5), (4, 7), (5, 6)] {
        let found = analysis(&*game, &format!("{},{a},{b}", (a * b - a - b).max(b)), Play::Normal)
            .evaluation
            .outcome;
        assert_eq!(found, Some(if (a, b) == (2, 3) { Outcome::P } else { Outcome::N }), "{a}, {b}");
        let named = analysis(&*game, &format!("{{{a},{b}}}"), Play::Normal).evaluation.outcome;
        assert_eq!(named, found, "{a}, {b}");
    }
    let message =
        |text: &str| game.session(settings(Play::Normal)).analyse(text).unwrap_err().to_string();
    assert!(message("4,5").contains("`5` is greater than the bound 4"), "{}", message("4,5"));
    assert!(message("{4,6}").contains("multiples of 2"), "{}", message("{4,6}"));
}

/// Signs that people use in place of those of the programs mean the same position.
#[test]
fn other_signs_of_boards() {
    let read = |name: &str, text: &str| {
        let game = example(name);
        game.session(settings(Play::Normal)).analyse(text).map(|found| found.evaluation.outcome)
    };
    for (name, theirs, ours) in [
        ("cram", "3×4", "3x4"),
        ("cram", "3 by 4", "3x4"),
        ("chomp", "3*4", "3x4"),
        ("node-kayles", "2 × 3", "2x3"),
        ("domineering", "...|...", ".../..."),
        ("clobber", "xo|ox", "LR/RL"),
        ("clobber", "xoxo", "LRLR"),
        ("konane", "xo.o", "LR.R"),
        ("toads-and-frogs", "tt_ff", "TT.FF"),
        ("geography", "0;2×2", "0;0-1,1-3,3-2,2-0"),
        ("geography", "1;C5", "1;1-2,2-3,3-4,4-5,5-1"),
    ] {
        assert_eq!(read(name, theirs).unwrap(), read(name, ours).unwrap(), "{name} {theirs}");
    }
    assert!(read("cram", "0×4").is_err() && read("cram", "3×").is_err());
    let error = read("red-blue-hackenbush", "(())").unwrap_err().to_string();
    assert!(error.contains("green-hackenbush"), "{error}");
}

#[test]
fn arithmetic() {
    // Project Euler 325: lost iff a = 0, or a < b < φ a.
    let euclid = example("euclid");
    let mut sum = 0;
    for a in 0..20u32 {
        for b in a..20 {
            let lost = a == 0 || a < b && b * b < a * b + a * a;
            let found = analysis(&*euclid, &format!("{a},{b}"), Play::Normal).evaluation.outcome;
            assert_eq!(found, Some(if lost { Outcome::P } else { Outcome::N }), "{a},{b}");
            sum += if found == Some(Outcome::P) && 0 < a && a < b && b <= 10 { a + b } else { 0 };
        }
    }
    // Project Euler 325 prints it.
    assert_eq!(sum, 211);
    // AtCoder, typical90 031.
    assert_eq!(value(&*example("white-and-blue"), "20,20"), 2);
}

#[test]
fn numbers_once() {
    // Who takes 5 leaves 1, which is reached by any number.
    let misere = analysis(&*example("numbers-once"), "8,6", Play::Misere).evaluation.outcome;
    assert_eq!(misere, Some(Outcome::N));
    // LeetCode 464.
    let game = example("numbers-once");
    for position in ["10,11", "10,40"] {
        assert_eq!(analysis(&*game, position, Play::Normal).evaluation.outcome, Some(Outcome::P));
    }
    for numbers in 1..=5u32 {
        // Where all numbers together do not reach the target nobody would win: no position.
        let all = numbers as i32 * (numbers as i32 + 1) / 2;
        assert!(game.normal_form(&format!("{numbers},{}", all + 1)).is_err());
        for target in 1..=all.min(12) {
            let options = |p: &(i32, u32)| -> Vec<(i32, u32)> {
                let free = (1..=numbers).filter(|n| p.0 > 0 && p.1 >> n & 1 == 0);
                free.map(|n| (p.0 - n as i32, p.1 | 1 << n)).collect()
            };
            let expected = mex(&(target, 0), &options, &mut HashMap::new());
            let position = format!("{numbers},{target}");
            assert_eq!(value(&*game, &position), expected, "{position}");
            let found = analysis(&*game, &position, Play::Normal).evaluation.outcome;
            assert_eq!(found == Some(Outcome::P), expected == 0, "{position}");
        }
    }
}

#[test]
fn three_numbers_of_euclid() {
    let game = example("euclid-3");
    let options = |p: &[i32; 3]| -> Vec<[i32; 3]> {
        let mut all = Vec::new();
        for (i, j) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            for times in 1..=p[i] {
                let mut next = *p;
                next[i] -= times * p[j];
                if next[i] > 0 {
                    all.push(next);
                }
            }
        }
        all
    };
    let mut known = HashMap::new();
    for n in 0..216 {
        let p = [n % 6 + 1, n / 6 % 6 + 1, n / 36 + 1];
        let text = format!("{},{},{}", p[0], p[1], p[2]);
        assert_eq!(value(&*game, &text), mex(&p, &options, &mut known), "{text}");
    }
}

/// Returns the class of a board of Col or Snort: squares by rows, 0 free; `same` whether neighbours
/// of one colour are forbidden.
fn coloured(rows: usize, columns: usize, same: bool) -> OutcomeClass {
    type Known = HashMap<(Vec<u8>, u8), bool>;
    fn wins(board: &[u8], mover: u8, columns: usize, same: bool, known: &mut Known) -> bool {
        if let Some(wins) = known.get(&(board.to_vec(), mover)) {
            return *wins;
        }
        let forbidden = if same { mover } else { 3 - mover };
        let near = |one: usize, other: usize| {
            let (r, c, y, x) = (one / columns, one % columns, other / columns, other % columns);
            r.abs_diff(y) + c.abs_diff(x) == 1
        };
        let found = (0..board.len()).any(|at| {
            let free =
                board[at] == 0 && (0..board.len()).all(|q| !near(at, q) || board[q] != forbidden);
            let mut next = board.to_vec();
            next[at] = mover;
            free && !wins(&next, 3 - mover, columns, same, known)
        });
        known.insert((board.to_vec(), mover), found);
        found
    }
    let (board, mut known) = (vec![0; rows * columns], Known::new());
    match [1, 2].map(|mover| wins(&board, mover, columns, same, &mut known)) {
        [true, true] => OutcomeClass::N,
        [true, false] => OutcomeClass::L,
        [false, true] => OutcomeClass::R,
        [false, false] => OutcomeClass::P,
    }
}

#[test]
fn col_and_snort() {
    for (name, same) in [("col", true), ("snort", false)] {
        let game = example(name);
        for n in 1..=7 {
            let found = class(&*game, &n.to_string());
            assert_eq!(found, coloured(1, n, same), "{name} {n}");
            // An empty board is its own negative, and the middle square of an odd row wins Snort:
            // then each move is answered by its mirror image.
            assert!(matches!(found, OutcomeClass::N | OutcomeClass::P), "{name} {n}");
            assert!(same || n % 2 == 0 || found == OutcomeClass::N, "{name} {n}");
        }
        for (rows, columns) in [(2, 2), (2, 3), (3, 2)] {
            let expected = coloured(rows, columns, same);
            assert_eq!(
                class(&*game, &format!("{rows}x{columns}")),
                expected,
                "{name} {rows}x{columns}"
            );
        }
    }
    // Free squares beside Left's are his alone in Snort, and Right's alone in Col.
    assert_eq!(class(&*example("snort"), "L.R"), OutcomeClass::P);
    assert_eq!(class(&*example("snort"), ".L."), OutcomeClass::L);
    assert_eq!(class(&*example("col"), ".L."), OutcomeClass::R);
}

/// A program on a number gives no verdict on a list or a text, which it has never seen: both would
/// be without a move. Positions that are lists or texts by its own rules are read.
#[test]
fn positions_of_another_kind_are_refused() {
    let read = |text: &str, position: &str| {
        Program::parse(text, None).unwrap().game().normal_form(position).is_ok()
    };
    let options =
        "fn options(n) { let all = []; for k in 1..3 { if n >= k { all.push(n - k); } } all }";
    for start in ["", "fn start() { 5 }", "fn start(n) { n }"] {
        let numbers = format!("const NAME = \"own\";\n{start}\n{options}\n");
        for (position, is_read) in
            [("6", true), ("2,6", false), ("2 6", false), ("[2,6]", false), ("win", false)]
        {
            // Without quotation marks a text is none where the program begins with a number.
            assert_eq!(read(&numbers, position), is_read, "{start} {position}");
        }
    }
    let lists =
        "const NAME = \"own\";\nfn options(p) { if p == \"win\" { [] } else { [\"win\"] } }\n";
    for position in ["2,6", "win", "7"] {
        assert!(read(lists, position), "{position}");
    }
}

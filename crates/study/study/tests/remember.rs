//! Games that remember: rule files with `memory`. Their options, tables and theorems against brute
//! force from the rules alone, and certificates about them that must not pass.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Claim, Formula, Moves, Play};
use bouton_engine::Game;
use bouton_games::{RuleFile, RuleFileError};
use bouton_study::{Form, PipelineOutcome, Tables, Verdict, follow, settle_form};
use std::collections::HashMap;

/// One heap; one to three are taken, but not as many as were taken last.
const NO_REPEAT: &str =
    "name = \"no-repeat\"\nheaps = 1\nmemory = 1\nmove = \"q0+q1 = p0 & q1 <= 3 & q1 != p1\"\n";
/// Fibonacci Nim: at most twice as many as were taken last; what is remembered is the bound.
const FIBONACCI: &str = "name = \"fibonacci\"\nheaps = 1\nmemory = 1\nmove = \"q0 < p0 & p0 <= \
    q0+p1 & q1+2*q0 = 2*p0\"\n";
/// Two heaps; one or two from either, never twice in a row from the same heap. Not linear: the
/// automaton finds the options.
const TURNS: &str = "name = \"turns\"\nheaps = 2\nmemory = 1\nmove = \"(q0 < p0 & p0 <= q0+2 & q1 \
    = p1 & q2 = 1 & p2 mod 4 != 1) | (q1 < p1 & p1 <= q1+2 & q0 = p0 & q2 = 2 & p2 mod 4 != 2)\"\n";
/// The heap as it was is remembered: no bound by what is taken.
const WAS: &str =
    "name = \"was\"\nheaps = 1\nmemory = 1\nmove = \"q0 < p0 & q1 = p0 & 2*p0 <= q0+p1+5\"\n";

const GAMES: [&str; 4] = [NO_REPEAT, FIBONACCI, TURNS, WAS];

fn game(text: &str) -> Box<dyn Game> {
    RuleFile::parse(text).unwrap().game()
}

/// Returns heaps and remembered numbers.
fn counts(game: &dyn Game) -> (usize, usize) {
    let stated = game.heap_game().unwrap();
    (stated.heaps - stated.moves.memory.count, stated.moves.memory.count)
}

/// Returns the options by the formula alone: no heap grows, a token is taken, remembered numbers
/// are tried up to a bound that is beyond what these rules allow.
fn options(moves: &Formula, (heaps, memory): (usize, usize), p: &[u64]) -> Vec<Vec<u64>> {
    let tops: Vec<u64> = (0..heaps + memory)
        .map(|i| if i < heaps { p[i] } else { 3 * p.iter().sum::<u64>() + 9 })
        .collect();
    let mut all = Vec::new();
    let mut q = vec![0; p.len()];
    loop {
        let taken = p[..heaps].iter().sum::<u64>() > q[..heaps].iter().sum::<u64>();
        let values: Vec<u64> = p.iter().zip(&q).flat_map(|(p, q)| [*p, *q]).collect();
        if taken && moves.holds(&values) == Ok(true) {
            all.push(q.clone());
        }
        let Some(i) = (0..q.len()).rev().find(|i| q[*i] < tops[*i]) else { return all };
        q[i] += 1;
        q[i + 1..].fill(0);
    }
}

struct Brute {
    moves: Formula,
    counts: (usize, usize),
    known: HashMap<Vec<u64>, bool>,
}

impl Brute {
    fn of(game: &dyn Game) -> Brute {
        let moves = game.heap_game().unwrap().moves.condition.unwrap();
        Brute { moves, counts: counts(game), known: HashMap::new() }
    }

    fn is_p(&mut self, p: &[u64]) -> bool {
        if let Some(known) = self.known.get(p) {
            return *known;
        }
        let lost = options(&self.moves, self.counts, p).iter().all(|q| !self.is_p(q));
        self.known.insert(p.to_vec(), lost);
        lost
    }
}

fn boxed(sides: &[u64]) -> Vec<Vec<u64>> {
    sides.iter().fold(vec![vec![]], |all: Vec<Vec<u64>>, side| {
        all.iter().flat_map(|p| (0..*side).map(move |x| [&p[..], &[x]].concat())).collect()
    })
}

fn written(p: &[u64]) -> String {
    p.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

#[test]
fn options_are_those_of_the_formula() {
    for text in GAMES {
        let game = game(text);
        let (heaps, memory) = counts(&*game);
        let moves = game.heap_game().unwrap().moves.condition.unwrap();
        let mut graph = game.graph();
        let mut met = 0;
        for p in boxed(&vec![7; heaps + memory]) {
            let node = graph.read(&written(&p)).unwrap();
            let rank = graph.rank(node);
            let mut found: Vec<Vec<u64>> = Vec::new();
            for option in graph.options(node).unwrap().to_vec() {
                assert!(graph.rank(option) < rank, "{text}: {p:?}");
                found.push(graph.sizes(option).unwrap());
            }
            found.sort();
            assert_eq!(found, options(&moves, (heaps, memory), &p), "{text}: {p:?}");
            met += found.len();
        }
        assert!(met > 50, "{text}");
    }
}

#[test]
fn tables_are_those_of_the_rules_alone() {
    for text in GAMES {
        let game = game(text);
        let stated = game.heap_game().unwrap();
        let tables = Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {});
        let side = if stated.heaps == 2 { 14 } else { 7 };
        let table = tables.make(stated.heaps, side - 1).unwrap().table;
        let mut brute = Brute::of(&*game);
        for p in boxed(&vec![side; stated.heaps]) {
            let signed: Vec<i64> = p.iter().map(|x| *x as i64).collect();
            assert_eq!(table.is_p(&signed), brute.is_p(&p), "{text}: {p:?}");
        }
    }
}

/// Whinihan's theorem, with Zeckendorf's parts computed here: P iff the least part of the heap is
/// more than may be taken.
#[test]
fn fibonacci_nim_is_as_published() {
    let mut fibonacci = vec![1u64, 2];
    while *fibonacci.last().unwrap() < 200 {
        fibonacci.push(fibonacci.iter().rev().take(2).sum());
    }
    let least = |mut n: u64| {
        let mut last = 0;
        while n > 0 {
            last = *fibonacci.iter().rev().find(|f| **f <= n).unwrap();
            n -= last;
        }
        last
    };
    let game = game(FIBONACCI);
    let stated = game.heap_game().unwrap();
    let tables = Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {});
    let table = tables.make(2, 89).unwrap().table;
    for a in 1..90 {
        for bound in 0..90 {
            assert_eq!(table.is_p(&[a as i64, bound as i64]), least(a) > bound, "{a},{bound}");
        }
    }
}

/// The line from rules to theorem; what is proved holds by brute force, and what is wrong is not
/// proved.
#[test]
fn theorems_about_games_that_remember() {
    let mut certificates = Vec::new();
    for text in [NO_REPEAT, TURNS] {
        let game = game(text);
        let stated = game.heap_game().unwrap();
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}));
        let PipelineOutcome::Proved(proved) = &line.ending else {
            panic!("{text}: {:?}", line.ending)
        };
        let claim = line.boards[0].claim.clone().unwrap();
        let said = Claim::parse(&claim, stated.heaps).unwrap();
        let mut brute = Brute::of(&*game);
        let side = if stated.heaps == 2 { 25 } else { 9 };
        for p in boxed(&vec![side; stated.heaps]) {
            assert_eq!(said.holds(&p).unwrap(), brute.is_p(&p), "{text}: {claim}: {p:?}");
        }
        bouton_check::check(&proved.certificate).unwrap();
        for wrong in
            [format!("({claim}) & a != 4"), format!("{claim} | a = 5 & b = 0"), "a = 0".to_owned()]
        {
            let form = Form {
                whole: wrong.clone(),
                smaller: Vec::new(),
                exactly: false,
                play: Play::Normal,
            };
            let verdict = settle_form(&*game, &form, &Budget::default()).unwrap();
            assert!(!matches!(verdict, Verdict::Proved(_)), "{text}: {wrong}");
        }
        certificates.push(proved.certificate.clone());
    }
    // Of the game in which nothing grows the same certificate says what is wrong, or nothing that
    // can be read.
    for certificate in &certificates {
        let plain =
            certificate.replacen("rules(1+1;", "rules(2;", 1).replacen("rules(2+1;", "rules(3;", 1);
        assert_ne!(certificate.as_str(), plain);
        assert!(bouton_check::check(&plain).is_err());
        for other in
            ["rules(0+2;", "rules(1+0;", "rules(1+30;", "rules(1+;", "rules(+1;", "rules(1+1+0;"]
        {
            let forged =
                certificate.replacen("rules(1+1;", other, 1).replacen("rules(2+1;", other, 1);
            assert!(bouton_check::check(&forged).is_err(), "{other}");
        }
    }
}

/// Where a number that is a heap in truth is called remembered, more moves are allowed: the theorem
/// of the one game is none of the other, and the checker sees it.
#[test]
fn a_heap_is_not_what_is_remembered() {
    // One token is taken, and the second number is lowered as one likes, or, remembered, set to at
    // most 2.
    let rules = |memory: bool| {
        // A heap that may grow to 2 has to be bounded in these words.
        let (counts, bound) =
            if memory { ("heaps = 1\nmemory = 1", "") } else { ("heaps = 2", " & q1 <= p1") };
        RuleFile::parse(&format!(
            "name = \"x\"\n{counts}\nmove = \"q0+1 = p0 & p1 > 0 & q1 <= 2{bound}\"\n"
        ))
        .unwrap()
        .game()
    };
    let mut of = Vec::new();
    for memory in [false, true] {
        let game = rules(memory);
        let stated = game.heap_game().unwrap();
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}));
        let PipelineOutcome::Proved(proved) = &line.ending else { panic!("{:?}", line.ending) };
        bouton_check::check(&proved.certificate).unwrap();
        of.push(proved.certificate.clone());
    }
    // Both are P iff a = 0 or b = 0: from elsewhere q1 = 0 wins. What distinguishes them is a move
    // that raises.
    let raise = |memory: bool| {
        let counts = if memory { "heaps = 1\nmemory = 1" } else { "heaps = 2" };
        let text = format!(
            "name = \"x\"\n{counts}\nmove = \"q0+1 = p0 & q1 = p1+1 | q0+2 = p0 & q1 = p1\"\n"
        );
        RuleFile::parse(&text)
    };
    assert!(raise(false).is_err(), "a heap that grows");
    let game = raise(true).unwrap().game();
    let form = |text: &str| Form {
        whole: text.into(),
        smaller: Vec::new(),
        exactly: false,
        play: Play::Normal,
    };
    let verdict = settle_form(&*game, &form("a mod 3 = 0"), &Budget::default()).unwrap();
    let Verdict::Proved(bouton_study::Proved::Theorem(theorem)) = verdict else {
        panic!("{verdict:?}")
    };
    bouton_check::check(&theorem.certificate).unwrap();
    let plain = theorem.certificate.replacen("rules(1+1;", "rules(2;", 1);
    assert!(bouton_check::check(&plain).is_err());
}

#[test]
fn errors_in_files_with_memory() {
    let of = |more: &str| RuleFile::parse(&format!("name = \"x\"\n{more}\n")).err();
    let full = of("heaps = 2\nmemory = 1\nsymmetry = \"full\"\nmove = \"q0+1 = p0\"");
    assert!(matches!(full, Some(RuleFileError::Memory(2, 1, _))), "{full:?}");
    // Nothing bounds what is remembered: infinitely many options.
    let many = of("heaps = 4\nmemory = 4\nmove = \"q0+1 = p0\"");
    assert!(matches!(many, Some(RuleFileError::Rules(..))), "{many:?}");
    let free = of("heaps = 1\nmemory = 1\nmove = \"q0+1 = p0\"");
    assert!(matches!(free, Some(RuleFileError::Growth(..))), "{free:?}");
    // A move that takes nothing is none.
    let none = of("heaps = 1\nmemory = 1\nmove = \"q0 = p0 & q1+1 = p1\"");
    assert!(matches!(none, Some(RuleFileError::NoMoves(_))), "{none:?}");
    let names = Moves::names(2);
    assert_eq!(names, ["p0", "q0", "p1", "q1"]);
}

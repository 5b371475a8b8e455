//! Marks of the circulant search, in seconds; every answer is asserted before it is timed.
//!
//! `cargo bench -p bouton-kotzig --bench circulant [-- PART]`, PART one of `database`, `pair`,
//! `wide`, `threads`.

use bouton_core::{Budget, Meter, Outcome, Play};
use bouton_kotzig::{Circulant, Solver, Techniques};
use std::collections::BTreeSet;
use std::time::Instant;

fn main() {
    let part = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let parts: [(&str, fn()); 4] =
        [("database", database), ("pair", pair), ("wide", wide), ("threads", threads)];
    parts.iter().filter(|(name, _)| name.starts_with(&part)).for_each(|(_, run)| run());
}

fn game(moves: &[u64], n: u64) -> Circulant {
    Circulant::new(moves, n).expect("a game")
}

/// Measures all Γ(m1,m2;n) with m1 < m2 ≤ 72 and n ≤ 72, each canonical game once.
fn database() {
    for play in [Play::Normal, Play::Misere] {
        let started = Instant::now();
        let pairs = (1..=72).flat_map(|a| (a + 1..=72).map(move |b| [a, b]));
        let games: BTreeSet<_> = pairs
            .flat_map(|pair| (1..=72).map(move |n| game(&pair, n).with_shortest_steps()))
            .collect();
        let mut solver = Solver::new(play, Techniques::default());
        let mut meter = Meter::new(&Budget::default());
        let p = games.iter().filter(|g| solver.outcome(g, &mut meter) == Ok(Outcome::P)).count();
        report(
            &format!("database, {play}: {} games, {p} in P", games.len()),
            meter.nodes(),
            started,
        );
    }
}

/// Measures Γ(1,5;n), n odd, against Conjecture 4.1 of Tan & Ward, which they verified to 140.
fn pair() {
    let mut solver = Solver::new(Play::Normal, Techniques::default());
    for n in (1..=128).step_by(2) {
        let (started, mut meter) = (Instant::now(), Meter::new(&Budget::default()));
        let outcome = solver.outcome(&game(&[1, 5], n), &mut meter);
        let early = [1, 3, 5, 7, 13, 15, 21, 23, 25, 33, 43].contains(&n);
        let expected = if early || n % 10 == 3 && n >= 83 { Outcome::P } else { Outcome::N };
        assert_eq!(outcome, Ok(expected), "Gamma(1,5;{n})");
        if n > 100 {
            report(&format!("Gamma(1,5;{n})"), meter.nodes(), started);
        }
    }
}

/// Measures Γ(11,13;119).
fn wide() {
    let (started, mut meter) = (Instant::now(), Meter::new(&Budget::default()));
    let mut solver = Solver::new(Play::Normal, Techniques::default());
    let outcome = solver.outcome(&game(&[11, 13], 119), &mut meter);
    report(&format!("Gamma(11,13;119) {outcome:?}"), meter.nodes(), started);
}

/// Measures hard boards by one thread and by two, in turns. What a search takes is a matter of
/// luck: on wide boards the nodes of one thread differ threefold with what was learned before. So
/// each board is solved by solvers that have learned different things.
fn threads() {
    let boards: [([u64; 2], u64, Outcome); 7] = [
        ([2, 5], 98, Outcome::N),
        ([4, 7], 100, Outcome::N),
        ([2, 5], 104, Outcome::P),
        ([3, 4], 101, Outcome::N),
        ([5, 6], 100, Outcome::N),
        ([11, 13], 119, Outcome::N),
        ([1, 5], 173, Outcome::N),
    ];
    for (moves, n, expected) in boards {
        let mut spent = [(0, 0.0); 2];
        for before in [1, 29, 30, 31] {
            for (threads, spent) in (1..).zip(&mut spent) {
                let mut solver =
                    Solver::new(Play::Normal, Techniques::default()).on_threads(threads);
                let mut meter = Meter::new(&Budget::default());
                assert!(solver.outcome(&game(&moves, before), &mut meter).is_ok());
                let (started, learned) = (Instant::now(), meter.nodes());
                assert_eq!(
                    solver.outcome(&game(&moves, n), &mut meter),
                    Ok(expected),
                    "{moves:?} {n}"
                );
                spent.0 += meter.nodes() - learned;
                spent.1 += started.elapsed().as_secs_f64();
            }
        }
        let [(nodes, seconds), (more, less)] = spent;
        let of = format!("Gamma({},{};{n}), mean of 4", moves[0], moves[1]);
        println!(
            "{of}: one thread {:.2}e6 nodes, {:.2} s; two {:.2} of the nodes, {:.2} s, {:.2} \
             times as fast",
            nodes as f64 / 4e6,
            seconds / 4.0,
            more as f64 / nodes as f64,
            less / 4.0,
            seconds / less
        );
    }
}

fn report(what: &str, nodes: u64, started: Instant) {
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{what}: {nodes} nodes, {seconds:.2} s, {:.2}e6 nodes/s",
        nodes as f64 / seconds / 1e6
    );
}

//! Marks of the box engine. Every count of P-positions is asserted, by a published theorem or by
//! the plain script next to it (`heap_tables/mark.py`, the baseline of the same run), before a
//! figure is printed.
//!
//! `cargo bench -p bouton-heaps --bench heap_tables [-- PART]`, PART one of `baseline`, `one`,
//! `misere`, `two`, `long`, `values`, `variations`.

#[path = "../../../foundation/engine/benches/measures/clock.rs"]
mod clock;
#[path = "heap_tables/theorems.rs"]
mod theorems;
#[path = "heap_tables/variations.rs"]
mod variations;

use bouton_core::Play;
use bouton_heaps::heap_tables::{Limits, Windows, sweep_pieces, values};
use clock::ran;
use std::ops::ControlFlow::Continue;
use std::process::Command;
use std::time::Instant;
use theorems::{eight_six, five_two, six_four};

fn main() {
    let part = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let parts: [(&str, fn()); 7] = [
        ("baseline", baseline),
        ("one", one),
        ("misere", misere),
        ("two", two),
        ("long", long),
        ("values", nim_values),
        ("variations", variations_of_circles),
    ];
    parts.iter().filter(|(name, _)| name.starts_with(&part)).for_each(|(_, run)| run());
}

/// Counts the P-positions of CN(n,k) in a box.
fn count(n: usize, k: usize, max: u32, threads: usize) -> usize {
    count_in(Play::Normal, n, k, max, threads)
}

/// Returns the same count in either play.
fn count_in(play: Play, n: usize, k: usize, max: u32, threads: usize) -> usize {
    let game = Windows::circular(n, k).expect("a game");
    let mut count = 0;
    let done = sweep_pieces::<()>(&game, max, play, Limits { bytes: 1 << 32, threads }, |part| {
        count += part.count();
        Continue(())
    });
    assert_eq!(done, Ok(Continue(())));
    count
}

/// Counts the positions of nim-value 0 of CN(n,k) in a box whose nim-values are all found.
fn zeros(n: usize, k: usize, max: u32, threads: usize) -> usize {
    let game = Windows::circular(n, k).expect("a game");
    let mut count = 0;
    let done = values::sweep::<()>(&game, max, Limits { bytes: 1 << 32, threads }, |part| {
        count += part.values.iter().filter(|value| **value == 0).count();
        Continue(())
    });
    assert_eq!(done, Ok(Continue(())));
    count
}

/// What is counted: heaps, window, greatest heap, threads.
type Count = fn(usize, usize, u32, usize) -> usize;

/// Returns the least seconds of some sweeps: (of this thread's processor time, of wall time).
fn timed(
    count: Count,
    (n, k, max): (usize, usize, u32),
    threads: usize,
    expected: usize,
) -> (f64, f64) {
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..9 {
        let before = ran(Instant::now());
        let started = Instant::now();
        assert_eq!(count(n, k, max, threads), expected, "CN({n},{k}), heaps <= {max}");
        let passed = started.elapsed().as_secs_f64();
        least = (least.0.min(ran(started) - before), least.1.min(passed));
    }
    least
}

/// The marks: heaps, window, greatest heap, the count by theorem.
type Mark = (usize, usize, u32, fn(u32) -> usize);
const MARKS: [Mark; 3] = [(5, 2, 63, five_two), (6, 4, 31, six_four), (8, 6, 10, eight_six)];

fn baseline() {
    for (n, k, max, theorem) in
        [(5, 2, 9, five_two as fn(u32) -> usize), (6, 4, 4, six_four), (8, 6, 2, eight_six)]
    {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/heap_tables/mark.py");
        let parameters = [n.to_string(), k.to_string(), max.to_string()];
        let Ok(output) = Command::new("python3").arg(script).args(&parameters).output() else {
            println!("no python3, no baseline");
            return;
        };
        let line = String::from_utf8_lossy(&output.stdout);
        let (marked, rate) = line.trim().split_once(' ').expect("a count and a rate");
        assert_eq!(marked.parse(), Ok(count(n, k, max, 1)), "CN({n},{k}), heaps <= {max}");
        assert_eq!(theorem(max), count(n, k, max, 1), "CN({n},{k}), heaps <= {max}");
        println!(
            "Python, marking predecessors: CN({n},{k}), heaps <= {max}: {marked} P-positions, \
             {rate} positions/s"
        );
    }
}

fn one() {
    for (n, k, max, theorem) in MARKS {
        report(
            n,
            k,
            max,
            "one thread, processor time",
            timed(count, (n, k, max), 1, theorem(max)).0,
        );
    }
}

/// Returns the P-positions of CN(n,k) in misère play with heaps ≤ `max`, by the rules alone.
fn misere_by_rules(n: usize, k: usize, max: u32) -> Vec<Vec<u32>> {
    let side = max + 1;
    let mut found: Vec<Vec<u32>> = Vec::new();
    for code in 1..side.pow(n as u32) {
        let p: Vec<u32> = (0..n).map(|i| code / side.pow((n - 1 - i) as u32) % side).collect();
        let is_option = |q: &Vec<u32>| {
            let window = |start: usize| (0..n).all(|i| p[i] == q[i] || (i + n - start) % n < k);
            (0..n).all(|i| q[i] <= p[i]) && (0..n).any(window)
        };
        if !found.iter().any(is_option) {
            found.push(p);
        }
    }
    found
}

/// Misère play: those of the P-positions that have small heaps are compared with the rules, the
/// count against one more sweep.
fn misere() {
    for ((n, k, max, _), small) in MARKS.into_iter().zip([4, 3, 1]) {
        let game = Windows::circular(n, k).expect("a game");
        let (mut near, mut expected) = (Vec::new(), 0);
        let limits = Limits { bytes: 1 << 32, threads: 1 };
        let done = sweep_pieces::<()>(&game, max, Play::Misere, limits, |part| {
            expected += part.count();
            part.each(|p| {
                if p.iter().all(|heap| *heap <= small) {
                    near.push(p.to_vec());
                }
                Continue(())
            })
        });
        assert_eq!(done, Ok(Continue(())));
        assert_eq!(near, misere_by_rules(n, k, small), "CN({n},{k}), heaps <= {small}");
        let count: Count = |n, k, max, threads| count_in(Play::Misere, n, k, max, threads);
        report(
            n,
            k,
            max,
            "misère, one thread, processor time",
            timed(count, (n, k, max), 1, expected).0,
        );
    }
}

/// Measures nim-values of a box; those that are 0 are counted by theorem.
fn nim_values() {
    let (n, k, max) = (5, 2, 31);
    let expected = five_two(max);
    let (one, two) =
        (timed(zeros, (n, k, max), 1, expected), timed(zeros, (n, k, max), 2, expected));
    report(n, k, max, "nim-values, one thread, processor time", one.0);
    report(n, k, max, "nim-values, two threads, wall time", two.1);
    println!("    {:.2} times one thread", one.1 / two.1);
}

/// Measures the variations of Circular Nim: small boxes are compared with the rules alone, the
/// least of three runs of large ones is printed.
fn variations_of_circles() {
    let takings =
        [("any=", 1), ("any=", 2), ("each=", 1), ("each>=", 2), ("total=", 3), ("total>=", 2)];
    for (n, k, max, of_values, small) in [
        (4, 2, 127, 63, 6),
        (4, 3, 63, 31, 5),
        (5, 2, 31, 15, 3),
        (6, 4, 15, 9, 2),
        (8, 6, 7, 4, 1),
    ] {
        for taking in takings {
            let game = variations::game(n, k, taking);
            let (how, a) = taking;
            for play in [Play::Normal, Play::Misere] {
                let (count, sum) = variations::by_rules(n, k, taking, small, play);
                assert_eq!(
                    variations::count(&game, small, play, 1),
                    count,
                    "CN({n},{k};{how}{a}), {play}"
                );
                assert_eq!(variations::sum(&game, small, 1), sum, "CN({n},{k};{how}{a})");
            }
            let rate = |max: u32, threads: usize, run: &dyn Fn(u32, usize) -> usize| {
                let expected = run(max, 3 - threads);
                let mut least = (f64::INFINITY, f64::INFINITY);
                for _ in 0..3 {
                    let before = ran(Instant::now());
                    let started = Instant::now();
                    assert_eq!(run(max, threads), expected);
                    let passed = started.elapsed().as_secs_f64();
                    least = (least.0.min(ran(started) - before), least.1.min(passed));
                }
                f64::from(max + 1).powi(n as i32) / if threads == 1 { least.0 } else { least.1 }
            };
            let normal = |max, threads| variations::count(&game, max, Play::Normal, threads);
            let misere = |max, threads| variations::count(&game, max, Play::Misere, threads);
            let values = |max, threads| variations::sum(&game, max, threads);
            println!(
                "CN({n},{k};{how}{a}): heaps <= {max}, {:.1e} positions/s, two threads {:.1e}, \
                 misère {:.1e}; heaps <= {of_values}, nim-values {:.1e}, two threads {:.1e}",
                rate(max, 1, &normal),
                rate(max, 2, &normal),
                rate(max, 1, &misere),
                rate(of_values, 1, &values),
                rate(of_values, 2, &values),
            );
        }
    }
}

fn two() {
    two_threads(&MARKS);
}

/// Measures two threads on runs of a second and more.
fn long() {
    two_threads(&[(5, 2, 127, five_two), (6, 4, 47, six_four), (8, 6, 15, eight_six)]);
}

fn two_threads(marks: &[Mark]) {
    for &(n, k, max, theorem) in marks {
        let expected = theorem(max);
        let (one, two) =
            (timed(count, (n, k, max), 1, expected), timed(count, (n, k, max), 2, expected));
        report(n, k, max, "one thread, wall time", one.1);
        report(n, k, max, "two threads, wall time", two.1);
        println!("    {:.2} times one thread", one.1 / two.1);
    }
}

fn report(n: usize, k: usize, max: u32, how: &str, seconds: f64) {
    let rate = f64::from(max + 1).powi(n as i32) / seconds;
    println!("CN({n},{k}), heaps <= {max}, {how}: {seconds:.4} s, {rate:.3e} positions/s");
}

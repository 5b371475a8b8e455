//! Marks of the box engine. Every count of P-positions is asserted, by a published theorem or by the plain script
//! next to it (`boxes/mark.py`, the baseline of the same run), before a figure is printed.
//!
//! `cargo bench -p bouton-solve --bench boxes [-- PART]`, PART one of `baseline`, `one`, `two`, `values`.

use bouton_rules::Play;
use bouton_solve::heap_tables::{Limits, Windows, sweep_pieces, values};
use std::collections::BTreeSet;
use std::ops::ControlFlow::Continue;
use std::process::Command;
use std::time::Instant;

fn main() {
    let part = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    let parts: [(&str, fn()); 4] =
        [("baseline", baseline), ("one", one), ("two", two), ("values", nim_values)];
    parts.iter().filter(|(name, _)| name.starts_with(&part)).for_each(|(_, run)| run());
}

/// Counts the P-positions of CN(n,k) in a box.
fn count(n: usize, k: usize, max: u32, threads: usize) -> usize {
    let game = Windows::circular(n, k).expect("a game");
    let mut count = 0;
    let done = sweep_pieces::<()>(&game, max, Play::Normal, Limits { bytes: 1 << 32, threads }, |part| {
        count += part.count();
        Continue(())
    });
    assert_eq!(done, Ok(Continue(())));
    count
}

/// Nanoseconds that this thread has run; on other systems than Linux those since `started`.
fn ran(started: Instant) -> u64 {
    let field = |text: String| text.split(' ').next().and_then(|first| first.parse().ok());
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok().and_then(field);
    ran.unwrap_or(started.elapsed().as_nanos() as u64)
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

/// The least seconds of some sweeps: (of this thread's processor time, of wall time).
fn timed(count: Count, (n, k, max): (usize, usize, u32), threads: usize, expected: usize) -> (f64, f64) {
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..9 {
        let started = Instant::now();
        let before = ran(started);
        assert_eq!(count(n, k, max, threads), expected, "CN({n},{k}), heaps <= {max}");
        least.0 = least.0.min((ran(started) - before) as f64 / 1e9);
        least.1 = least.1.min(started.elapsed().as_secs_f64());
    }
    least
}

/// How many positions with heaps ≤ `max` are turned or reflected ones of these.
fn images<const N: usize>(max: u32, some: impl Iterator<Item = [u32; N]>) -> usize {
    let mut all = BTreeSet::new();
    for mut p in some.filter(|p| p.iter().all(|heap| *heap <= max)) {
        for _ in 0..N {
            p.rotate_left(1);
            all.insert(p);
            let mut back = p;
            back.reverse();
            all.insert(back);
        }
    }
    all.len()
}

/// All lists of N numbers up to `max`.
fn lists<const N: usize>(max: u32) -> impl Iterator<Item = [u32; N]> {
    let side = max + 1;
    (0..side.pow(N as u32)).map(move |code| std::array::from_fn(|i| code / side.pow(i as u32) % side))
}

/// CN(5,2): (a,b,c,d,b), a + b = c + d, a the greatest (Dufour & Heubach 2013, Theorem 4.2 there from Dufour's and from
/// Ehrenborg & Steingrímsson's work).
fn five_two(max: u32) -> usize {
    let some = lists(max).filter(|[b, c, d]| c + d >= *b && b.max(c).max(d) <= &(c + d - b));
    images(max, some.map(|[b, c, d]| [c + d - b, b, c, d, b]))
}

/// CN(6,4): a + b = d + e, b + c = e + f, a ⊕ c ⊕ e = 0, a the least (Dufour & Heubach 2013).
fn six_four(max: u32) -> usize {
    let some = lists(max).filter_map(|[a, b, c]: [u32; 3]| {
        let e = a ^ c;
        let p = [a, b, c, (a + b).checked_sub(e)?, e, (b + c).checked_sub(e)?];
        p.iter().all(|heap| *heap >= a).then_some(p)
    });
    images(max, some)
}

/// CN(8,6): (0,x,a,b,e,c,d,x), a + b = c + d = x, e = min(x, a + d) (Dufour & Heubach 2013).
fn eight_six(max: u32) -> usize {
    let some = lists(max).filter(|[a, d, x]| a <= x && d <= x);
    images(max, some.map(|[a, d, x]: [u32; 3]| [0, x, a, x - a, x.min(a + d), x - d, d, x]))
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
            "Python, marking predecessors: CN({n},{k}), heaps <= {max}: {marked} P-positions, {rate} positions/s"
        );
    }
}

fn one() {
    for (n, k, max, theorem) in MARKS {
        report(n, k, max, "one thread, processor time", timed(count, (n, k, max), 1, theorem(max)).0);
    }
}

/// Nim-values of a box; those that are 0 are counted by theorem.
fn nim_values() {
    let (n, k, max) = (5, 2, 31);
    let expected = five_two(max);
    let (one, two) = (timed(zeros, (n, k, max), 1, expected), timed(zeros, (n, k, max), 2, expected));
    report(n, k, max, "nim-values, one thread, processor time", one.0);
    report(n, k, max, "nim-values, two threads, wall time", two.1);
    println!("    {:.2} times one thread", one.1 / two.1);
}

fn two() {
    for (n, k, max, theorem) in MARKS {
        let expected = theorem(max);
        let (one, two) = (timed(count, (n, k, max), 1, expected), timed(count, (n, k, max), 2, expected));
        report(n, k, max, "one thread, wall time", one.1);
        report(n, k, max, "two threads, wall time", two.1);
        println!("    {:.2} times one thread", one.1 / two.1);
    }
}

fn report(n: usize, k: usize, max: u32, how: &str, seconds: f64) {
    let rate = f64::from(max + 1).powi(n as i32) / seconds;
    println!("CN({n},{k}), heaps <= {max}, {how}: {seconds:.4} s, {rate:.3e} positions/s");
}

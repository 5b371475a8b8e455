//! Times of Dots and Boxes: `cargo bench -p bouton-dots --bench dots [-- TARGET …]`.
//!
//! Targets are boards (`3x4`, `4x4`, …, optionally with megabytes, threads and lines drawn before:
//! `4x4/512/2/8000`), and `sample/3x3`, `sample/2x5`, `sample/3x4` (2 GB) and `sample/4x4`: 10^6
//! positions (10^4 of 4 × 4, of at most 24 open lines) against plain values. The default is
//! `3x4/16` and `sample/3x3`. Values are asserted, and on one thread the numbers of nodes.

#[path = "../tests/dots/plain.rs"]
#[expect(dead_code, reason = "tests ask more of it")]
mod plain;

use bouton_core::{Budget, Meter};
use bouton_dots::Solver;
use plain::{Plain, random_lines};
use std::collections::HashMap;
use std::time::Instant;

/// Board, megabytes, margin of the empty board, nodes on one thread.
const KNOWN: &[((u32, u32), u64, i32, u64)] = &[
    ((3, 3), 8, -3, 26_902),
    ((2, 5), 8, -2, 92_938),
    ((2, 6), 8, 2, 1_781_827),
    ((3, 4), 8, 0, 453_476),
    ((3, 4), 16, 0, 451_783),
    ((3, 4), 64, 0, 451_355),
    ((3, 5), 128, -1, 58_625_077),
    ((4, 4), 64, 0, 71_331_312),
    ((4, 4), 128, 0, 53_814_340),
    ((4, 4), 512, 0, 57_917_854),
];

/// Returns the CPU seconds of this process if the system reports them, else elapsed seconds.
fn cpu_seconds(start: Instant) -> f64 {
    let ticks = std::fs::read_to_string("/proc/self/stat").ok().and_then(|text| {
        let fields: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
        Some(fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?)
    });
    ticks.map_or_else(|| start.elapsed().as_secs_f64(), |ticks| ticks / 100.0)
}

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

fn board(text: &str) -> (u32, u32) {
    let (rows, columns) = text.split_once('x').expect("RxC");
    (rows.parse().expect("a number"), columns.parse().expect("a number"))
}

fn solve(rows: u32, columns: u32, megabytes: u64, threads: usize, drawn: u64) {
    let (start, mut meter) = (Instant::now(), meter());
    let before = cpu_seconds(start);
    let solver =
        Solver::new(rows as usize, columns as usize, megabytes << 20, threads).expect("a board");
    let (margin, end) = solver.margin(drawn, &mut meter);
    end.expect("no limit");
    let (cpu, nodes) = (cpu_seconds(start) - before, meter.nodes());
    println!(
        "{rows}x{columns}: {} in {nodes} nodes, {cpu:.2} s CPU, {:.2} s, {megabytes} MB, \
         {threads} threads",
        margin.low,
        start.elapsed().as_secs_f64(),
    );
    for (_, mb, value, expected) in
        KNOWN.iter().filter(|known| known.0 == (rows, columns) && drawn == 0)
    {
        assert_eq!(margin.exact(), Some(*value));
        assert!(threads > 1 || *mb != megabytes || *expected == nodes, "{expected} nodes expected");
    }
}

fn sample(rows: u32, columns: u32) {
    let plain = Plain::new(rows, columns);
    let solver = Solver::new(rows as usize, columns as usize, 64 << 20, 1).expect("a board");
    let mut random = fastrand::Rng::with_seed(5);
    let all = (plain.lines < 32).then(|| plain.all());
    let samples = if all.is_some() { 1_000_000 } else { 10_000 };
    for _ in 0..samples {
        let drawn = match &all {
            Some(_) => random.u64(..) & ((1 << plain.lines) - 1),
            None => {
                let open = 1 + random.u64(..) % 24;
                random_lines(&mut random, plain.lines - open as u32, plain.lines)
            }
        };
        let value = match &all {
            Some(values) => values[drawn as usize].into(),
            None => plain.value(drawn, &mut HashMap::new()),
        };
        let (margin, end) = solver.margin(drawn, &mut meter());
        end.expect("no limit");
        assert_eq!(margin.exact(), Some(value), "{drawn:#b}");
    }
    println!("{rows}x{columns}: {samples} positions agree");
}

fn main() {
    let mut marks: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if marks.is_empty() {
        marks = vec!["3x4/16".into(), "sample/3x3".into()];
    }
    for mark in marks {
        match mark.split('/').collect::<Vec<_>>()[..] {
            ["sample", text] => {
                let (rows, columns) = board(text);
                sample(rows, columns);
            }
            [text, ref rest @ ..] => {
                let number = |i: usize, or: u64| {
                    rest.get(i).map_or(or, |text| text.parse().expect("a number"))
                };
                let (rows, columns) = board(text);
                let drawn = rest
                    .get(2)
                    .map_or(0, |text| u64::from_str_radix(text, 16).expect("hexadecimal"));
                solve(rows, columns, number(0, 512), number(1, 1) as usize, drawn);
            }
            [] => {}
        }
    }
}

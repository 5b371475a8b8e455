//! Nim-sequences against the clock: `cargo bench -p bouton-solve --bench sequence [-- MARK …]`, the marks being `kayles`,
//! `octal`, `short`, `wythoff` and, of minutes and hundreds of megabytes, `long` and `grundy`. The first four by default.
//! Each mark asserts the right answer: values against the plain engine or a plain mex over all moves, periods against
//! those published by A. Gangolli, T. Plambeck (1989) and A. Flammenkamp (Octal games, web tables).

use bouton_solve::sequence::period::seek;
use bouton_solve::sequence::{Sequence, TakeBreak, plain};
use bouton_solve::wythoff::Wythoff;
use bouton_solve::{Budget, Meter};
use std::time::Instant;

/// CPU seconds of this thread, where the system tells; wall-clock seconds otherwise.
fn cpu_seconds(start: Instant) -> f64 {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let before = cpu_seconds(start);
    let result = work();
    println!("{what}: {:.2} s CPU", cpu_seconds(start) - before);
    result
}

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

fn code(text: &str) -> TakeBreak {
    TakeBreak::parse(text).expect("a code")
}

/// A sequence of `len` values, the first ones held against all pairs.
fn extend(text: &str, len: usize) -> Sequence {
    let expected = plain::nim_values(&code(text), len.min(20_000), &mut meter()).expect("no budget");
    let mut sequence = Sequence::new(code(text));
    sequence.extend(expected.len(), &mut meter()).expect("no budget");
    assert!(sequence.values().eq(expected), "{text}");
    let mut sequence = Sequence::new(code(text));
    timed(&format!("{text} to {len}"), || sequence.extend(len, &mut meter()).expect("no budget"));
    sequence
}

/// Kayles and Dawson's Kayles, as far as other programs go.
fn kayles() {
    for (text, period) in [("0.77", 12), ("0.07", 34)] {
        let sequence = extend(text, 100_000);
        // Guy and Smith 1956.
        assert!((100..100_000 - period).all(|n| sequence.value(n) == sequence.value(n + period)), "{text}");
    }
}

/// All games d0.d1d2d3 with d0 in {0, 4}: proved, or left open at 16,384 values.
fn octal() {
    let games: Vec<TakeBreak> = (0..1024u32)
        .filter_map(|n| TakeBreak::of_bits(&[n >> 9 << 2, n >> 6 & 7, n >> 3 & 7, n & 7]))
        .collect();
    let proved = timed("1024 games to 16384", || {
        let mut proved = Vec::new();
        for game in &games {
            let mut sequence = Sequence::new(game.clone());
            let found = seek(&mut sequence, 16_384, &mut meter()).expect("no budget");
            proved.extend(found.filter(|found| found.proof.is_some()).map(|found| (sequence, found.period)));
        }
        proved
    });
    for (mut sequence, period) in proved.iter().cloned() {
        let known = sequence.len();
        sequence.extend(known + 2000, &mut meter()).expect("no budget");
        assert!((known..known + 2000).all(|n| n < period || sequence.value(n) == sequence.value(n - period)));
    }
    println!("  {} proved, {} open", proved.len(), games.len() - proved.len());
}

/// Codes with their published periods, proved.
fn periods(codes: &[(&str, usize)]) {
    for (text, published) in codes {
        let mut sequence = Sequence::new(code(text));
        let found = timed(&format!("{text} proved"), || {
            seek(&mut sequence, 1 << 29, &mut meter()).expect("no budget")
        });
        let found = found.expect("a period");
        assert!(found.proof.is_some() && found.period == *published, "{text}: {found:?}");
        println!("  period {} from {}, {} values", found.period, found.preperiod, found.compared);
    }
}

fn wythoff() {
    let rows = 143;
    let mut table = Wythoff::new(rows).expect("few rows");
    let mut columns = 1 << 16;
    let periods = timed("143 rows of Wythoff's game certified", || {
        loop {
            table.extend(columns, &mut meter()).expect("no budget");
            let periods = table.periods();
            if periods.len() == rows {
                return periods;
            }
            columns *= 2;
        }
    });
    // Michon, Mathematical Games; OEIS A046875.
    let published =
        [1, 3, 3, 6, 12, 24, 12, 24, 24, 24, 24, 48, 48, 96, 96, 96, 192, 192, 384, 384, 384, 768, 768];
    assert!(periods.iter().map(|row| row.period).take(published.len()).eq(published));
    println!("  {columns} columns, row 142 has period {}", periods[rows - 1].period);
}

/// Grundy's game to 10^8 and its late rare values, each again by a plain mex over all splits.
fn grundy() {
    let sequence = extend("4!.0", 100_000_000);
    let large = (0..sequence.len()).filter(|n| sequence.value(*n) > 255);
    let rare = |n: &usize| (sequence.value(*n) & 510).count_ones().is_multiple_of(2);
    let late: Vec<usize> = large.filter(rare).collect();
    println!("  late rare values: {:?}", late.iter().map(|n| (*n, sequence.value(*n))).collect::<Vec<_>>());
    assert_eq!((late.len(), late[0], late[late.len() - 1]), (14, 47_461_861, 48_399_022));
    for n in late {
        let mut seen = [false; 2048];
        for a in 1..n.div_ceil(2) {
            seen[(sequence.value(a) ^ sequence.value(n - a)) as usize] = true;
        }
        assert_eq!(seen.iter().position(|seen| !seen), Some(sequence.value(n) as usize), "{n}");
    }
    println!("  each again by all splits");
}

fn main() {
    let marks: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wanted = |name: &str, default: bool| {
        if marks.is_empty() { default } else { marks.iter().any(|mark| mark == name) }
    };
    if wanted("kayles", true) {
        kayles();
    }
    if wanted("octal", true) {
        octal();
    }
    if wanted("short", true) {
        periods(&[("0.16", 149_459)]);
    }
    if wanted("wythoff", true) {
        wythoff();
    }
    if wanted("long", false) {
        periods(&[("0.104", 11_770_282), ("0.454", 60_620_715)]);
    }
    if wanted("grundy", false) {
        grundy();
    }
}

//! Run times of nim-sequences: `cargo bench -p bouton-octal --bench sequence [-- MARK …]`.
//!
//! The marks are `kayles`, `octal`, `short`, `beside` and, taking minutes and hundreds of
//! megabytes, `long`, `check`, `grundy` and `threads`. The first three run by default. `beside`
//! installs `ogsolve` from crates.io under target/peers and alternates with it. Each mark asserts
//! the right answer: values against the plain engine or a plain mex over all moves, periods against
//! those published by A. Gangolli, T. Plambeck (1989) and A. Flammenkamp (Octal games, web tables),
//! and the signature of all values if one is known.

#[path = "../../../foundation/engine/benches/measures/clock.rs"]
mod clock;

use bouton_core::{Budget, Meter};
use bouton_octal::sequence::period::find_period;
use bouton_octal::sequence::{
    PeriodSearch, PeriodSearchReport, Sequence, Simd, TakeAndBreakCode, plain,
};
use clock::ran;
use std::process::Command;
use std::time::Instant;

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let before = ran(start);
    let result = work();
    println!("{what}: {:.2} s CPU", ran(start) - before);
    result
}

fn meter() -> Meter {
    Meter::new(&Budget::default())
}

fn code(text: &str) -> TakeAndBreakCode {
    TakeAndBreakCode::parse(text).expect("a code")
}

/// Returns the FNV-1a hash of the values.
fn signature(values: impl Iterator<Item = u32>) -> u64 {
    values.fold(0xCBF2_9CE4_8422_2325, |hash, v| {
        (hash ^ u64::from(v)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Computes `len` values; the first are compared with all splits, all with their signature if it is
/// known.
fn extend(text: &str, len: usize, expected_signature: Option<u64>) -> Sequence {
    let expected =
        plain::nim_values(&code(text), len.min(20_000), &mut meter()).expect("no budget");
    let mut sequence = Sequence::new(code(text));
    sequence.extend(expected.len(), &mut meter()).expect("no budget");
    assert!(sequence.values().eq(expected), "{text}");
    let mut sequence = Sequence::new(code(text));
    timed(&format!("{text} to {len}"), || sequence.extend(len, &mut meter()).expect("no budget"));
    let found = signature(sequence.values());
    println!("  signature {found:016x}, {:?}", Simd::best());
    assert!(
        expected_signature.is_none_or(|expected| expected == found),
        "{text}: the values changed"
    );
    sequence
}

/// Returns the next number of a pseudo-random sequence.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Runs Kayles and 0.07 as far as other programs go.
///
/// The signature of Kayles is that of the published period and exceptions; the one of 0.07 pins the
/// period found once. The periods of Guy and Smith are asserted, too. and Smith's period is
/// asserted beside.
fn kayles() {
    for (text, period, signature) in
        [("0.77", 12, 0x67FE_CD4A_020B_45FD), ("0.07", 34, 0xB25D_801C_5F26_B377)]
    {
        let sequence = extend(text, 100_000, Some(signature));
        // Guy and Smith 1956.
        assert!(
            (100..100_000 - period).all(|n| sequence.value(n) == sequence.value(n + period)),
            "{text}"
        );
    }
}

/// Runs all games d0.d1d2d3 with d0 in {0, 4}: proved, or left open at 16,384 values.
fn octal() {
    let games: Vec<TakeAndBreakCode> = (0..1024u32)
        .filter_map(|n| TakeAndBreakCode::from_bits(&[n >> 9 << 2, n >> 6 & 7, n >> 3 & 7, n & 7]))
        .collect();
    let proved = timed("1024 games to 16384", || {
        let mut proved = Vec::new();
        for game in &games {
            let mut sequence = Sequence::new(game.clone());
            let found = find_period(&mut sequence, 16_384, &mut meter()).expect("no budget");
            proved.extend(
                found.filter(|found| found.proof.is_some()).map(|found| (sequence, found.period)),
            );
        }
        proved
    });
    let count = proved.len();
    for (mut sequence, period) in proved {
        let known = sequence.len();
        sequence.extend(known + 2000, &mut meter()).expect("no budget");
        assert!(
            (known..known + 2000)
                .all(|n| n < period || sequence.value(n) == sequence.value(n - period))
        );
    }
    println!("  {count} proved, {} open", games.len() - count);
}

/// Proves the published periods of some codes.
fn periods(codes: &[(&str, usize)]) {
    for (text, published) in codes {
        let mut sequence = Sequence::new(code(text));
        let found = timed(&format!("{text} proved"), || {
            find_period(&mut sequence, 1 << 29, &mut meter()).expect("no budget")
        });
        let found = found.expect("a period");
        assert!(found.proof.is_some() && found.period == *published, "{text}: {found:?}");
        println!("  period {} from {}, {} values", found.period, found.preperiod, found.compared);
    }
}

/// Returns the value of a heap of Grundy's game by all splits.
fn by_all_splits(sequence: &Sequence, n: usize) -> Option<u32> {
    let mut seen = [false; 2048];
    for a in 1..n.div_ceil(2) {
        seen[(sequence.value(a) ^ sequence.value(n - a)) as usize] = true;
    }
    seen.iter().position(|seen| !seen).map(|value| value as u32)
}

/// Runs Grundy's game to 10^8. Its late rare values, and those of 200 random heaps, are checked by
/// all splits.
fn grundy() {
    let sequence = extend("4!.0", 100_000_000, None);
    let rare = |n: &usize| (sequence.value(*n) & 510).count_ones().is_multiple_of(2);
    // After 82,860, the last rare heap for a long time.
    let late: Vec<usize> = (82_861..sequence.len()).filter(rare).collect();
    println!(
        "  late rare values: {:?}",
        late.iter().map(|n| (*n, sequence.value(*n))).collect::<Vec<_>>()
    );
    // A. Flammenkamp, Sprague-Grundy Values of Grundy's Game: 1287 are known.
    assert_eq!((0..sequence.len()).filter(rare).count(), 1287);
    assert_eq!((late.len(), late[0], late[late.len() - 1]), (13, 47_461_861, 48_399_022));
    let mut state = 1;
    let anywhere = (0..200).map(|_| (random(&mut state) % 100_000_000) as usize);
    for n in late.into_iter().chain(anywhere) {
        assert_eq!(by_all_splits(&sequence, n), Some(sequence.value(n)), "{n}");
    }
    println!("  each again by all splits, and two hundred others");
}

/// Runs Grundy's game to 10^6, and from 4·10^6 to 1.2·10^7 on one thread and on two, by wall clock;
/// the values must be equal.
fn threads() {
    for round in 0..3 {
        let mut seconds = [0.0; 2];
        let mut signatures = [0; 2];
        for threads in [1, 2] {
            let mut sequence = Sequence::new(code("4!.0")).with_threads(threads);
            let start = Instant::now();
            sequence.extend(1_000_000, &mut meter()).expect("no budget");
            let first = start.elapsed().as_secs_f64();
            sequence.extend(4_000_000, &mut meter()).expect("no budget");
            let start = Instant::now();
            sequence.extend(12_000_000, &mut meter()).expect("no budget");
            let rest = start.elapsed().as_secs_f64();
            println!(
                "{threads} threads: to 10^6 {first:.2} s, then {:.2}·10^6 values/s",
                8.0 / rest
            );
            (seconds[threads - 1], signatures[threads - 1]) = (rest, signature(sequence.values()));
        }
        assert_eq!(signatures[0], signatures[1]);
        println!(
            "round {round}: two threads are {:.2} times as fast as one",
            seconds[0] / seconds[1]
        );
    }
}

/// Runs Kayles and 0.07 beside the fastest solver of another program, in turns.
fn beside() {
    let peers = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/peers");
    let program = peers.join("bin/ogsolve");
    if !program.exists() {
        let install = ["install", "--quiet", "ogsolve", "--version", "0.0.7", "--root"];
        let done = Command::new(env!("CARGO")).args(install).arg(&peers).status();
        if !done.is_ok_and(|status| status.success()) {
            println!("ogsolve cannot be had here: nothing to compare");
            return;
        }
    }
    for text in ["0.77", "0.07"] {
        let (mut ours, mut theirs) = (f64::MAX, f64::MAX);
        for method in ["rc", "rcs", "rc2", "rc2s"] {
            let mut sequence = Sequence::new(code(text));
            let start = Instant::now();
            sequence.extend(LENGTH, &mut meter()).expect("no budget");
            ours = ours.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let last = (LENGTH - 1).to_string();
            let run = Command::new(&program).args(["-m", method, "-n", &last, text]).output();
            assert!(run.is_ok_and(|run| run.status.success()), "ogsolve -m {method} {text}");
            theirs = theirs.min(start.elapsed().as_secs_f64());
        }
        println!(
            "{text} to {LENGTH}: {ours:.5} s, ogsolve's fastest method {theirs:.5} s: {:.1} times",
            theirs / ours
        );
    }
}

/// Number of values computed beside other programs.
const LENGTH: usize = 100_000;

/// Runs the independent checker on the certificates of long periods, as `bouton period` writes
/// them, by wall clock.
fn check() {
    for (text, period) in [("0.16", 149_459), ("0.104", 11_770_282), ("0.454", 60_620_715)] {
        let search = PeriodSearch::new(1 << 28);
        let PeriodSearchReport { sequence, found, .. } =
            search.run(Sequence::new(code(text)), &mut meter()).expect("no file");
        let certificate =
            found.expect("a period").certificate(&sequence).expect("a proof").to_text();
        drop(sequence);
        let started = Instant::now();
        let accepted = bouton_check::check_within(&certificate, bouton_check::DEPTH, &mut || true);
        println!("{text} checked: {:.2} s", started.elapsed().as_secs_f64());
        let accepted = accepted.expect("accepted");
        assert!(accepted.claim.contains(&format!("period {period} ")), "{}", accepted.claim);
        println!("  {} bytes; {}", certificate.len(), accepted.work);
    }
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
    if wanted("long", false) {
        periods(&[("0.104", 11_770_282), ("0.454", 60_620_715)]);
    }
    if wanted("beside", false) {
        beside();
    }
    if wanted("check", false) {
        check();
    }
    if wanted("grundy", false) {
        grundy();
    }
    if wanted("threads", false) {
        threads();
    }
}

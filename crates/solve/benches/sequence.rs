//! Nim-sequences against the clock: `cargo bench -p bouton-solve --bench sequence [-- MARK …]`.
//! Each mark asserts the right answer before it prints CPU time.

use bouton_solve::sequence::period::seek;
use bouton_solve::sequence::{Period, Sequence, TakeBreak};
use bouton_solve::{Budget, Meter};
use std::time::Instant;

/// CPU seconds of this thread, where the system tells; wall-clock seconds otherwise.
fn cpu_seconds(start: Instant) -> f64 {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let before = cpu_seconds(start);
    let result = work();
    let seconds = cpu_seconds(start) - before;
    println!("{what}: {seconds:.2} s CPU");
    (result, seconds)
}

fn extend(text: &str, len: usize) -> Sequence {
    let mut sequence = Sequence::new(TakeBreak::parse(text).expect("a code"));
    let (_, seconds) = timed(&format!("{text} to {len}"), || {
        sequence.extend(len, &mut Meter::new(&Budget::default())).expect("no budget")
    });
    let rares = sequence.rares().map(|(space, rares)| (space.clone(), rares.len()));
    println!("  {:.2e} values/s, rares {rares:?}", len as f64 / seconds);
    if let Some((_, rares)) = sequence.rares() {
        let large = sequence.values().filter(|v| *v > 255).count();
        println!("  {large} values past a byte");
        // In the space with one bit more these are the rare ones: Grundy's game has 14, the "late" rares.
        let late: Vec<usize> = (0..sequence.len())
            .filter(|n| sequence.value(*n) > 255 && (sequence.value(*n) & 510).count_ones().is_multiple_of(2))
            .collect();
        println!("  late rares by mask 510: {late:?}");
        println!("  last rares {:?}", &rares[rares.len().saturating_sub(16)..]);
    }
    sequence
}

/// The period of a code, proved within `most` values.
fn period(text: &str, most: usize) -> Period {
    let mut sequence = Sequence::new(TakeBreak::parse(text).expect("a code"));
    let (found, _) = timed(&format!("{text} proved"), || {
        seek(&mut sequence, most, &mut Meter::new(&Budget::default())).expect("no budget")
    });
    let found = found.expect("a period");
    println!(
        "  period {} from {}, {} values, {:?}",
        found.period, found.preperiod, found.compared, found.proof
    );
    found
}

fn main() {
    for arg in std::env::args().skip(1).filter(|arg| arg.contains('=')) {
        let (code, most) = arg.split_once('=').expect("filtered");
        period(code, most.parse().expect("a length"));
    }
    for arg in std::env::args().skip(1).filter(|arg| arg.contains(':')) {
        let (code, len) = arg.split_once(':').expect("filtered");
        extend(code, len.parse().expect("a length"));
    }
}

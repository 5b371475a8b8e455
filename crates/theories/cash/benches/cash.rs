//! NIM with Cash: tables of thresholds, conditions for all subsets of {1..8} and of {1..15}.
//! Answers are asserted before times are printed.

use bouton_cash::{Condition, Proof, Thresholds};
use bouton_core::{Budget, Meter};
use num_bigint::BigUint;
use std::time::Instant;

fn subsets(most: u64) -> impl Iterator<Item = Vec<u64>> {
    (1u64..1 << most).map(move |mask| (1..=most).filter(|a| mask >> (a - 1) & 1 == 1).collect())
}

fn find(set: &[u64]) -> Option<Condition> {
    Condition::find(set, &mut Meter::new(&Budget::default())).expect("no limit")
}

fn table(set: &[u64]) {
    let started = Instant::now();
    let mut table = Thresholds::new(set, 4000);
    let mut sum = 0u64;
    for _ in 0..=4000 {
        sum += table.next_row().iter().map(|t| u64::from(*t)).sum::<u64>();
    }
    println!("NIM({set:?}), n, d <= 4000: {:.3} s (sum {sum})", started.elapsed().as_secs_f64());
}

fn all(most: u64, known: usize) {
    let started = Instant::now();
    let (mut windows, mut words, mut open, mut certificates) = (0, 0, Vec::new(), Vec::new());
    for set in subsets(most) {
        let found = find(&set);
        match found.as_ref().map(|condition| &condition.proof) {
            Some(Proof::Window(_)) => windows += 1,
            Some(Proof::Words(_)) => words += 1,
            None => open.push(set),
        }
        certificates.extend(found.map(|condition| condition.certificate().to_text()));
    }
    let seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    for certificate in &certificates {
        let accepted = bouton_check::check(certificate);
        assert!(accepted.is_ok(), "{accepted:?}: {certificate}");
    }
    println!(
        "{} certificates accepted, {:.3} s",
        certificates.len(),
        started.elapsed().as_secs_f64()
    );
    assert!(windows + words >= known);
    println!(
        "subsets of 1..={most}: {windows} windows, {words} words, {seconds:.3} s; open: {open:?}"
    );
}

fn questions() {
    let condition = find(&[1, 4]).expect("found");
    let big = |exponent: u32| BigUint::from(10u32).pow(exponent);
    let (n, d, e) = (big(40), big(39), BigUint::from(7u32));
    // Money decides: c is far below 1.
    assert!(condition.mover_wins(&n, Some(&d), Some(&e)));
    let (d, e) = (&n * 4u32 / 5u32, &n * 4u32 / 5u32);
    // 10^40 is 0 modulo 5, where the second player wins normally, with 4n/5 dollars.
    assert!(!condition.mover_wins(&n, Some(&d), Some(&e)));
    let started = Instant::now();
    for _ in 0..100_000 {
        assert!(!std::hint::black_box(&condition).mover_wins(&n, Some(&d), Some(&e)));
    }
    println!(
        "NIM(1,4;10^40;8*10^39,8*10^39): {:.2} us a question",
        started.elapsed().as_secs_f64() * 10.0
    );
}

fn main() {
    table(&[1, 4]);
    table(&[3, 5, 6, 10, 11]);
    questions();
    all(8, 255);
    all(15, 32_766);
}

//! How fast rules are walked and positions solved. Every figure follows an answer that is
//! asserted first.
//!
//! Run with `cargo bench -p bouton-games`; `cargo test --benches` runs the assertions alone.

use bouton_core::{Heaps, Ruleset};
use bouton_engine::Settings;
use bouton_games::{HeapRuleset, Taking, circular};
use std::hint::black_box;
use std::ops::ControlFlow::Continue;
use std::time::Instant;

fn main() {
    let timed = std::env::args().any(|argument| argument == "--bench");
    box_of_cn_6_3(timed);
    options_of_cn_5_2(timed);
}

/// Solves CN(6,3), every position with heaps up to 6: P iff a+b = d+e and b+c = e+f (Dufour,
/// Heubach 2013).
fn box_of_cn_6_3(timed: bool) {
    let game = bouton_games::parse("CN(6,3)").expect("a game of ours").game;
    let started = Instant::now();
    let mut found = Vec::new();
    let done = game.session(Settings::default()).p_positions(6, &mut |p| found.push(p.to_owned()));
    assert_eq!(done, Some(Ok(())));
    let seconds = started.elapsed().as_secs_f64();
    let is_p = |p: &Heaps| p[0] + p[1] == p[3] + p[4] && p[1] + p[2] == p[4] + p[5];
    let rules = HeapRuleset::<Heaps>::new(circular(6, 3, Taking::TotalAtLeast(1)));
    let mut expected = Vec::new();
    for code in 0..7u32.pow(6) {
        let p: Vec<u32> = (0..6).rev().map(|i| code / 7u32.pow(i) % 7).collect();
        let p = Heaps::from(&p[..]);
        if is_p(&p) && rules.canonical(p) == p {
            expected.push(p.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
        }
    }
    assert_eq!(found, expected);
    if timed {
        println!("CN(6,3), heaps <= 6, all {} positions: {seconds:.3} s", 7u32.pow(6));
    }
}

/// Visits the bare options on the box of CN(5,2), heaps up to 12, against the product formula for
/// the number of visits: a move is visited from its first heap on, with any taking from the next.
fn options_of_cn_5_2(timed: bool) {
    let rules = HeapRuleset::<Heaps>::new(circular(5, 2, Taking::TotalAtLeast(1)));
    let most = if timed { 12u32 } else { 6 };
    let started = Instant::now();
    let mut visits = 0u64;
    let mut p = Heaps::empty(5);
    loop {
        let _ = rules.options(&p, |q| {
            visits += 1;
            black_box(&q);
            Continue::<()>(())
        });
        let Some(last) = p.iter().rposition(|heap| *heap < most) else { break };
        p[last] += 1;
        p[last + 1..].fill(0);
    }
    let seconds = started.elapsed().as_secs_f64();
    // Over the box, heaps average most/2, so from each of 5 heaps: (most/2) · (most/2 + 1) a
    // position.
    let positions = u64::from(most + 1).pow(5);
    let half = u64::from(most) / 2;
    assert_eq!(visits, positions * 5 * half * (half + 1));
    if timed {
        println!(
            "CN(5,2) option visitor: {visits} options in {seconds:.2} s, {:.2e}/s",
            visits as f64 / seconds
        );
    }
}

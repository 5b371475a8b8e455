//! Multiples of irrational numbers: proved in the digits of their continued fractions, and the proofs accepted by the checker; wrong claims are neither.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_logic::{
    Claim, MoveSystem, Numeration, Verdict, claims_for, default_budget, prove, reading, written_name,
};
use bouton_rules::{Certificate, Digits, Meter, Moves, Symmetry, Windows};
use std::time::Instant;

/// A game of two heaps.
fn game(text: &str) -> (MoveSystem, bouton_rules::HeapGame) {
    let names: Vec<String> = ["p0", "q0", "p1", "q1"].map(String::from).to_vec();
    let condition = bouton_rules::Formula::parse_over(text, &names).unwrap();
    let moves = Moves { condition: Some(condition), ..Moves::free(Windows::Any(2)) };
    let stated = bouton_rules::HeapGame {
        heaps: 2,
        symmetry: Symmetry::Full,
        shrinks: false,
        moves,
        digits: Digits::Binary,
    };
    (MoveSystem::of(&stated).unwrap().0, stated)
}

/// Take from one heap, or k from one and l from the other with |k − l| < t.
fn generalized_wythoff(t: u64) -> (MoveSystem, bouton_rules::HeapGame) {
    game(&format!("q0 = p0 | q1 = p1 | p0+q1 < q0+p1+{t} & q0+p1 < p0+q1+{t}"))
}

fn settled(game: &MoveSystem, claim: &str) -> (Verdict, Vec<Claim>, Numeration) {
    let claims = claims_for(game, &[(0, claim)]).unwrap();
    let numeration = reading(game, &claims, Numeration::Binary);
    (prove(game, &claims, numeration, &mut Meter::new(&default_budget())), claims, numeration)
}

fn certificate((game, stated): &(MoveSystem, bouton_rules::HeapGame), claim: &str) -> Certificate {
    let begun = Instant::now();
    let (verdict, claims, numeration) = settled(game, claim);
    let Verdict::Proved(proof) = verdict else { panic!("{claim}: {verdict:?}") };
    println!("{claim}: proved {:?}", begun.elapsed());
    let name = written_name(stated, numeration).unwrap();
    let certificate =
        proof.certificate(&name, game, &claims, numeration, &mut Meter::new(&default_budget())).unwrap();
    println!("{claim}: written {:?}, {} bytes", begun.elapsed(), certificate.body.len());
    certificate
}

fn certified(game: &(MoveSystem, bouton_rules::HeapGame), claim: &str) -> Certificate {
    let certificate = certificate(game, claim);
    let text = certificate.to_text();
    let begun = Instant::now();
    if let Err(rejected) = bouton_check::check(&text) {
        let around: Vec<&str> = text.lines().skip(rejected.line.saturating_sub(2)).take(14).collect();
        panic!("{claim}: {rejected}\n{}", around.join("\n"));
    }
    println!("{claim}: checked {:?}", begun.elapsed());
    certificate
}

/// Fraenkel 1982: the P-positions are (⌊nα⌋, ⌊nα⌋ + tn), α = (2 − t + √(t² + 4))/2 = [1; t, t, …].
#[test]
fn generalized_wythoff_is_proved() {
    for t in 1..=4 {
        certified(&generalized_wythoff(t), &format!("E n: a = floor[1;({t})](n) & b = a+{t}*n"));
    }
}

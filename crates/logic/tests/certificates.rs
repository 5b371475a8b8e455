//! Proofs written down are accepted by the independent checker.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_logic::{HeapGame, Limits, Numeration, Verdict, claims_for, prove};

fn certified(name: &str, game: &HeapGame, claims: &[(usize, &str)], numeration: Numeration) -> String {
    let claims = claims_for(game, claims).unwrap();
    let verdict = prove(game, &claims, numeration, Limits::default());
    let Verdict::Proved(proof) = verdict else { panic!("{name}: {verdict:?}") };
    let text = proof.certificate(name, game, &claims).to_text();
    match bouton_check::check(&text) {
        Ok(_) => text,
        Err(rejected) => {
            let around = text.lines().skip(rejected.line.saturating_sub(2)).take(14).collect::<Vec<_>>();
            panic!("{name}: {rejected}\n{}", around.join("\n"));
        }
    }
}

#[test]
fn circular_nim() {
    for (n, k, claim) in [
        (3, 2, "a=b=c"),
        (6, 5, "a=b=c=d=e=f"),
        (4, 2, "a=c & b=d"),
        (5, 2, "e=b & a+b=c+d & a=max"),
        (5, 3, "a=0 & e=b & b=c+d"),
        (6, 3, "a+b=d+e & b+c=e+f"),
        (6, 4, "a+b=d+e & b+c=e+f & a xor c xor e = 0 & a = min"),
    ] {
        let game = HeapGame::circular(n, k);
        certified(&format!("CN({n},{k})"), &game, &[(0, claim)], Numeration::Binary);
    }
}

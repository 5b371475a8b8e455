//! Sums of binary digits modulo more than 2, as in Moore's Nim: in claims, in moves, and read by
//! automata.

use crate::verify::{Small, answers, is_lower, is_verified};
use crate::{accepted, certificate, rejected, rules_with, stated};
use bouton_coq::{Mutation, translate, translate_mutated};
use bouton_core::{DigitSystem, Formula, Moves, Symmetry, Windows};
use bouton_prover::{
    Attempt, AutomaticClaim, Claim, CounterexampleChoice, MoveSystem, default_budget,
    prove_automatic, written_name,
};
use fastrand::Rng;

/// Returns the certificate of Moore's Nim: at most b - 1 of n heaps.
fn moore(b: usize, n: usize, claim: &str) -> String {
    let game = stated(n, Symmetry::Full, Moves::free(Windows::Any(b - 1)));
    certificate(&format!("moore({b};{n})"), &MoveSystem::from_heap_game(&game).unwrap().0, claim)
}

fn moves_of_moore(b: usize, p: &[u64], q: &[u64]) -> bool {
    is_lower(p, q) && p.iter().zip(q).filter(|(p, q)| p != q).count() < b
}

const THREE: &str = "a xor3 b xor3 c = 0";

#[test]
fn sums_of_digits_are_verified_and_told_in_words() {
    let three = moore(3, 3, THREE);
    // The sum in a rule, and of a bound variable.
    let ruled = rules_with(Symmetry::None, 2, "q1 = p1 & xor3(p0, p1) != q0 xor3 q1", "a = 0");
    let files = [three.clone(), moore(3, 4, "a xor3 b xor3 c xor3 d = 0"), ruled]
        .map(|text| translate(&text).unwrap());
    if let Some(answers) = answers(&files) {
        for (answer, words) in answers.iter().zip([
            "a move lowers at most 2 of 3 heaps",
            "claim: P iff (a xor3 b xor3 c xor3 d) = 0",
            "~((p0 xor3 p1) = (q0 xor3 q1))",
        ]) {
            assert!(is_verified(answer) && answer.contains(words), "{answer}");
        }
    }
    accepted("Moore33", &three);
    rejected("MooreValues", &three, Some("a xor4 b xor4 c = 0"), Mutation::None);
}

/// Claims that are drawn, each with the proofs of Moore's Nim: none is verified that is false of
/// small heaps, and the same claim in other words is.
#[test]
fn drawn_sums_are_verified_where_they_are_true() {
    let mut lot = Rng::with_seed(31);
    let small = Small { numbers: 3, heaps: 3, bound: 6, is_move: |p, q| moves_of_moore(3, p, q) };
    let positions = small.positions(false);
    let letters = ["a", "b", "c"].map(String::from);
    let text = moore(3, 3, THREE);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for turn in 0..60 {
        let letter = |lot: &mut Rng| &letters[lot.usize(..3)];
        let sum = |lot: &mut Rng| {
            let modulus = 3 + lot.usize(..3);
            let own: Vec<&str> = (0..2 + lot.usize(..2)).map(|_| &**letter(lot)).collect();
            match lot.usize(..2) {
                0 => own.join(&format!(" xor{modulus} ")),
                _ => format!("xor{modulus}({})", own.join(", ")),
            }
        };
        let drawn = match lot.usize(..3) {
            0 => format!("{} = {}", sum(&mut lot), lot.usize(..3)),
            1 => format!("{} <= {}", sum(&mut lot), letter(&mut lot)),
            _ => format!("{} != {} + {}", sum(&mut lot), sum(&mut lot), lot.usize(..2)),
        };
        let claim = match turn % 6 {
            0 => drawn,
            1 => format!("{THREE} & {drawn}"),
            2 => format!("{THREE} | {drawn}"),
            3 => ["c xor3 b xor3 a = 0", "xor3(b, a, c) = 0", "2*(a xor3 b xor3 c) <= 1"]
                [lot.usize(..3)]
            .into(),
            4 => format!("a xor{0} b xor{0} c = 0", 2 + lot.usize(..8)),
            _ => format!("{THREE} & {drawn} | {THREE} & ~({drawn})"),
        };
        let formula = Formula::parse_over(&claim, &letters).unwrap();
        if let Ok(file) = translate_mutated(&text, Some(&claim), Mutation::None) {
            let holds = positions.iter().all(|(p, lost)| formula.holds(p).unwrap() == *lost);
            files.push(file);
            truths.push((holds, turn % 6 == 3));
        }
    }
    assert!(truths.iter().filter(|(holds, _)| *holds).count() >= 10);
    assert!(truths.iter().filter(|(holds, _)| !holds).count() >= 25);
    let Some(answers) = answers(&files) else { return };
    for ((answer, file), (holds, is_same)) in answers.iter().zip(&files).zip(truths) {
        let claim = file.lines().nth(2).unwrap();
        assert!(holds || !is_verified(answer), "{claim}: {answer}");
        assert!(!is_same || is_verified(answer), "{claim}: {answer}");
    }
}

/// Other games, claims and numbers before and in the proof.
#[test]
fn forged_sums_are_not_verified() {
    let file = translate(&moore(3, 3, THREE)).unwrap();
    let mut files = Vec::new();
    for (old, new) in [
        ("moore(3;3)", "moore(4;3)"),
        ("moore(3;3)", "moore(2;3)"),
        ("moore(3;3)", "moore(3;4)"),
        ("moore(3;3)", "nim(3)"),
        ("moore(3;3)", "CN(3,1)"),
        ("claim: P", "claim: in misere play P"),
        ("= 0", "= 1"),
        ("= 0", "<= 1"),
        ("xor3", "xor4"),
        ("xor3 b", "xor4 b"),
        ("xor3 c", "xor c"),
        ("xor3 c", "xor3 (c)"),
        ("a xor3 b", "(a xor3 b)"),
        ("xor3 c", "xor3 c + a"),
        ("xor3 c", "xor3 b"),
        ("a xor3 b xor3 c", "a xor b xor c"),
        ("a xor3 b xor3 c", "xor3(a, b)"),
        ("a xor3 b xor3 c", "xor10(a, b, c)"),
    ] {
        assert!(file.contains(old), "{old}");
        files.push(file.replacen(old, new, if old == "xor3" { 2 } else { 1 }));
    }
    let end = file.match_indices('\n').nth(2).unwrap().0;
    let numbers: Vec<u64> = file[end..].split_whitespace().map(|x| x.parse().unwrap()).collect();
    let mut lot = Rng::with_seed(37);
    for _ in 0..60 {
        let mut changed = numbers.clone();
        let at = lot.usize(..changed.len());
        changed[at] = match lot.usize(..3) {
            0 => changed[at] + 1,
            1 => changed[at].saturating_sub(1),
            _ => 3 - changed[at].min(3),
        };
        if changed != numbers {
            let words: Vec<String> = changed.iter().map(u64::to_string).collect();
            files.push(format!("{}\n{}\n", &file[..end], words.join(" ")));
        }
    }
    let Some(answers) = answers(&files) else { return };
    let kept = answers.iter().skip(18).filter(|answer| is_verified(answer)).count();
    for (answer, file) in answers.iter().zip(&files).take(18) {
        assert!(!is_verified(answer), "{}: {answer}", &file[..end]);
    }
    // A changed number is a bound that may be greater, or changes nothing.
    println!("{kept} files with a changed number are verified");
    assert!(kept < files.len() / 4, "{kept}");
}

/// The same claim, read by an automaton; other moduli before the same automata are refused.
#[test]
fn automata_read_sums_of_digits() {
    let game = stated(
        2,
        Symmetry::Full,
        Moves::with_formula(Windows::Any(2), "q0 = p0 | q1 = p1").unwrap(),
    );
    let (known, numeration) = MoveSystem::from_heap_game(&game).unwrap();
    let name = written_name(&game, numeration).unwrap();
    let images = game.symmetry.permutations(2, 720).unwrap();
    // a = b, as sums: 2a without carries is 2b.
    let claim = Claim::parse("a xor9 a = b xor9 b", 2).unwrap();
    let what =
        AutomaticClaim::Formula { claim: &claim, images: &images, digits: DigitSystem::to_base(2) };
    let verdict = prove_automatic(
        &known,
        what,
        CounterexampleChoice::Least,
        &mut bouton_core::Meter::new(&default_budget()),
    );
    let Attempt::Proved(proof) = verdict else { panic!("{name}") };
    let file = translate(&proof.certificate(&name, &known, what).to_text()).unwrap();
    let mut files = vec![file.clone()];
    for (old, new) in [("a xor9 a", "a xor3 b"), ("a xor9 a", "a xor9 b"), ("= b", "!= b")] {
        assert!(file.contains(old), "{file}");
        files.push(file.replacen(old, new, 1));
    }
    let Some(answers) = answers(&files) else { return };
    let verified: Vec<bool> = answers.iter().map(|answer| is_verified(answer)).collect();
    assert_eq!(verified, [true, false, false, false], "{answers:?}");
}

//! Certificates of kind `orbit`: the extracted checker verifies a step if and only if small heaps
//! show no move that contradicts it.

use crate::verify::{answers, is_verified};
use bouton_certificate::{Certificate, CertificateKind};
use bouton_coq::{Mutation, translate, translate_mutated};
use bouton_prover::{Orbit, orbit_certificate};
use fastrand::Rng;

/// A game on one heap, its moves from p to q < p, and its step.
struct Sample {
    game: &'static str,
    is_move: fn(u64, u64) -> bool,
    step: Orbit,
}

fn step(numerator: u64, offset: u64, divisor: u64, least: u64) -> Orbit {
    Orbit { numerator, offset, divisor, least }
}

fn samples() -> Vec<Sample> {
    let sample = |game, is_move, step| Sample { game, is_move, step };
    vec![
        sample("rules(1;none;binary;2*p0 <= 3*q0)", |p, q| 2 * p <= 3 * q, step(3, 2, 2, 1)),
        sample("rules(1;none;binary;3*p0 <= 4*q0)", |p, q| 3 * p <= 4 * q, step(4, 3, 3, 1)),
        sample("rules(1;none;binary;2*p0 < 3*q0 + 3)", |p, q| 2 * p < 3 * q + 3, step(3, 4, 2, 2)),
        sample(
            "rules(1;none;binary;p0 <= q0+2 | 2*p0 <= 3*q0)",
            |p, q| p <= q + 2 || 2 * p <= 3 * q,
            step(3, 2, 2, 3),
        ),
        sample("rules(1;none;binary;p0 <= 2*q0)", |p, q| p <= 2 * q, step(2, 1, 1, 1)),
        sample(
            "rules(1;none;binary;E k: p0 = q0+k & 3*k <= q0)",
            |p, q| 3 * (p - q) <= q,
            step(4, 3, 3, 1),
        ),
        sample("S(1,2;1)", |p, q| p - q <= 2, step(1, 3, 1, 0)),
        sample("NIM(1,2,3;n)", |p, q| p - q <= 3, step(1, 4, 1, 0)),
        sample("CN(1,1;any=1)", |p, q| p - q == 1, step(1, 2, 1, 0)),
    ]
}

/// Returns whether moves between small heaps are those that the theorem asks for.
fn is_borne_out(is_move: fn(u64, u64) -> bool, step: &Orbit) -> bool {
    (0..150).all(|q| {
        let next = step.next(q).unwrap();
        q < next && (q + 1..220).all(|p| is_move(p, q) == (p < next))
    })
}

fn certificate(game: &str, step: &Orbit) -> String {
    orbit_certificate(game, step).to_text()
}

#[test]
fn orbits_are_verified_and_told_in_words() {
    let certificates: Vec<String> =
        samples().iter().map(|one| certificate(one.game, &one.step)).collect();
    for (sample, text) in samples().iter().zip(&certificates) {
        assert!(is_borne_out(sample.is_move, &sample.step), "{text}");
        // The P-positions by the rules alone.
        let mut lost: Vec<bool> = Vec::new();
        for p in 0..200 {
            let is_lost = (0..p).all(|q| !lost[q as usize] || !(sample.is_move)(p, q));
            assert_eq!(is_lost, sample.step.contains(p), "{p}: {text}");
            lost.push(is_lost);
        }
    }
    let files: Vec<String> = certificates.iter().map(|text| translate(text).unwrap()).collect();
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(is_verified(answer), "{file}{answer}");
    }
    for words in [
        "game: a move of 1 heaps lowers some of a",
        "rule: at least one token is taken, and (2 * p0) <= (3 * q0)",
        "play: normal",
        "claim: P iff a is 0, or reached from 0 by steps from a to (((3 * a) + 2) div 2)",
    ] {
        assert!(answers[0].contains(words), "{}", answers[0]);
    }
}

#[test]
fn drawn_steps_are_verified_where_they_are_true() {
    let mut lot = Rng::with_seed(29);
    let (mut files, mut truths) = (Vec::new(), Vec::new());
    for sample in samples() {
        let own = sample.step;
        for turn in 0..30 {
            let mut near =
                |x: u64, least: u64| (x + lot.usize(..3) as u64).saturating_sub(1).max(least);
            let drawn = match turn {
                0 => own,
                // The same in other words.
                1 => step(2 * own.numerator, 2 * own.offset, 2 * own.divisor, own.least),
                _ => step(
                    near(own.numerator, 1),
                    near(own.offset, 0),
                    near(own.divisor, 1),
                    near(own.least, 0),
                ),
            };
            files.push(
                translate_mutated(&certificate(sample.game, &drawn), None, Mutation::None).unwrap(),
            );
            truths.push(is_borne_out(sample.is_move, &drawn));
        }
    }
    assert!(truths.iter().filter(|holds| **holds).count() >= 30);
    assert!(truths.iter().filter(|holds| !**holds).count() >= 100);
    let Some(answers) = answers(&files) else { return };
    for ((answer, file), holds) in answers.iter().zip(&files).zip(truths) {
        assert_eq!(is_verified(answer), holds, "{file}{answer}");
    }
}

/// Moves of which the theorem does not speak, other lines before a proof, other numbers.
#[test]
fn forged_orbits_are_not_verified() {
    let mut files = Vec::new();
    for (moves, step) in [
        // Some heap before the step is no option, or one after it is.
        ("2*p0 <= 3*q0 & p0 != q0+2", step(3, 2, 2, 1)),
        ("p0 = q0+1 | p0 = q0+3", step(1, 2, 1, 0)),
        ("p0 = q0+1 | p0 = q0+3", step(1, 4, 1, 0)),
        ("2*p0 <= 3*q0 | p0 = 2*q0 + 40", step(3, 2, 2, 1)),
        ("q0 mod 2 = 0", step(1, 1, 1, 0)),
        // A step that leads to no greater heap: to 0 from 0, or to 9 from 9.
        ("2*p0 <= 3*q0", step(3, 0, 2, 0)),
        ("q0 != 9 & p0 <= q0 + 1", step(1, 1, 1, 0)),
    ] {
        let text = certificate(&format!("rules(1;none;binary;{moves})"), &step);
        files.push(translate_mutated(&text, None, Mutation::None).unwrap());
    }
    let file = translate(&certificate(samples()[0].game, &samples()[0].step)).unwrap();
    assert!(file.ends_with("\n98\n"), "{file}");
    for (old, new) in [
        ("2*p0", "p0"),
        ("3*q0", "4*q0"),
        ("<=", "<"),
        ("rules(1;", "rules(2;"),
        ("rules(1;", "rules(1+1;"),
        ("binary", "zeckendorf"),
        ("claim: P", "claim: in misere play P"),
        ("from 0", "from 1"),
        ("3*a", "2*a"),
        ("3*a", "3*b"),
        ("+2", "+1"),
        ("+2", "+3"),
        ("+2)", "+2-1+1)"),
        ("div 2", "div 3"),
        ("div 2", "mod 2"),
        ("div 2", "div 2, up to symmetry"),
        ("(3*a+2) div 2", "3*a <= 2"),
        ("(3*a+2) div 2", ""),
        ("claim: P iff reached from 0 by a -> (3*a+2) div 2", "claim: P iff a = 0, up to symmetry"),
        ("\n98\n", "\n"),
        ("\n98\n", "\n98 0\n"),
        ("\n98\n", "\n98 98\n"),
        ("\n98\n", "\n97\n"),
        ("\n98\n", "\n99\n"),
    ] {
        assert!(file.contains(old), "{old}");
        files.push(file.replacen(old, new, 1));
    }
    let Some(answers) = answers(&files) else { return };
    for (answer, file) in answers.iter().zip(&files) {
        assert!(!is_verified(answer), "{file}{answer}");
    }
}

/// What is no orbit of one heap is not translated, nor a certificate that is not accepted.
#[test]
fn other_orbits_are_named() {
    let step = samples()[0].step;
    let reason = |game: &str| {
        translate_mutated(&certificate(game, &step), None, Mutation::None).unwrap_err().to_string()
    };
    assert_eq!(reason("nim(2)"), "an orbit is one of a single heap");
    assert!(reason("wythoff").contains("not written down for Coq"));
    let with = |step: &str| {
        let claim = format!("P iff reached from 0 by a -> {step}");
        let (kind, game) = (CertificateKind::Orbit, samples()[0].game.to_owned());
        let body = "each heap is an option of those before its step\n".to_owned();
        Certificate { kind, game, claim, body }.to_text()
    };
    let reason =
        |text: &str| translate_mutated(text, None, Mutation::None).unwrap_err().to_string();
    assert!(reason(&with("a = 2")).contains("cannot be read"));
    assert!(reason(&with("max(2*a-1, a+1)")).contains("not exported"));
    assert!(translate(&with("2*a+1")).unwrap_err().to_string().contains("not accepted"));
}

/// Pairs of two sequences are not written down for Coq, and this is said.
#[test]
fn pairs_are_not_exported() {
    let (kind, game) = (CertificateKind::Pairs, "wythoff".to_owned());
    let claim = "P iff a = mex, b = a + n".to_owned();
    let body = "each pair: true\ntwo pairs: true\nnearest: b - a\n".to_owned();
    let text = Certificate { kind, game, claim, body }.to_text();
    assert!(bouton_check::check(&text).is_ok());
    for refused in [bouton_coq::export(&text), translate(&text)] {
        assert_eq!(refused.unwrap_err().to_string(), "proofs of kind pairs are not exported");
    }
}

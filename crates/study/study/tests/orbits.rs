//! P-positions of one heap that follow one another: from the rules alone to a theorem, compared
//! with brute force from the file's formula; steps that are wrong, and claims that are no steps.
#![allow(clippy::unwrap_used, reason = "a test")]

mod sealed;

use bouton_certificate::{Certificate, CertificateKind};
use bouton_check::check;
use bouton_core::{Budget, Formula, Moves, Play};
use bouton_engine::Game;
use bouton_games::{RuleFile, RuleText};
use bouton_prover::{Orbit, orbit_certificate};
use bouton_study::{PipelineOutcome, Tables, Verdict, follow, settle_orbit};
use sealed::again;

/// Rules of one heap, of which each P-position is a function of the one before, and that function.
const ORBITS: [(&str, Orbit); 7] = [
    ("2*p0 <= 3*q0", Orbit { numerator: 3, offset: 2, divisor: 2, least: 1 }),
    ("3*p0 <= 4*q0", Orbit { numerator: 4, offset: 3, divisor: 3, least: 1 }),
    ("3*p0 <= 5*q0", Orbit { numerator: 5, offset: 3, divisor: 3, least: 1 }),
    ("2*p0 < 3*q0 + 3", Orbit { numerator: 3, offset: 4, divisor: 2, least: 2 }),
    ("p0 <= q0+2 | 2*p0 <= 3*q0", Orbit { numerator: 3, offset: 2, divisor: 2, least: 3 }),
    ("5*p0 <= 7*q0+10", Orbit { numerator: 7, offset: 15, divisor: 5, least: 3 }),
    ("E k: p0 = q0+k & 3*k <= q0", Orbit { numerator: 4, offset: 3, divisor: 3, least: 1 }),
];

/// Rules of which the theorem does not speak: some heap before the step is no option, or one after
/// it is.
const OTHERS: [&str; 4] = [
    "2*p0 <= 3*q0 & p0 != q0+2",
    "p0 = q0+1 | p0 = q0+3",
    "p0 >= q0+2 & 2*p0 <= 3*q0",
    "q0 mod 2 = 0",
];

fn text(moves: &str) -> String {
    format!("name = \"orbit\"\nheaps = 1\nmove = \"{moves}\"\n")
}

fn game(moves: &str) -> Box<dyn Game> {
    RuleFile::parse(&text(moves)).unwrap().game()
}

/// Returns the P-positions up to a heap by the formula alone.
fn brute(moves: &str, most: u64) -> Vec<bool> {
    let file = RuleText::read(&text(moves)).unwrap();
    let formula = Formula::parse_over(&file.moves, &Moves::names(1)).unwrap();
    let mut is_p: Vec<bool> = Vec::new();
    for p in 0..=most {
        let lost = (0..p).all(|q| !is_p[q as usize] || formula.holds(&[p, q]) != Ok(true));
        is_p.push(lost);
    }
    is_p
}

fn orbit(orbit: &Orbit, most: u64) -> Vec<bool> {
    (0..=most).map(|heap| orbit.contains(heap)).collect()
}

/// The line of each game ends in a theorem with the step, and its P-positions are those of brute
/// force.
#[test]
fn orbits_are_found_and_proved() {
    for (moves, step) in ORBITS {
        assert_eq!(brute(moves, 300), orbit(&step, 300), "{moves}");
        let (game, budget) = (game(moves), Budget::default());
        let stated = game.heap_game().unwrap();
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {}));
        let PipelineOutcome::Proved(proof) = &line.ending else {
            panic!("{moves}: {:?}", line.ending)
        };
        let accepted = check(&proof.certificate).unwrap();
        // A form that says as much in another way may come first.
        if accepted.kind == CertificateKind::Orbit.name() {
            assert_eq!(accepted.claim, orbit_certificate(&proof.game, &step).claim, "{moves}");
        }
        // The prover and the checker take the step, whatever was found.
        let settled = settle_orbit(&*game, &step, &Budget::default()).unwrap();
        assert!(matches!(settled, Verdict::Proved(_)), "{moves}: {settled:?}");
    }
    let (first, _) = ORBITS[0];
    let (game, budget) = (game(first), Budget::default());
    let stated = game.heap_game().unwrap();
    let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {}));
    let board = line.boards.last().unwrap();
    assert_eq!(
        board.form.as_deref(),
        Some("a is 0, or reached from 0 by a -> (3*a+2) div 2 again and again")
    );
    assert_eq!(board.claim, None);
}

/// Of all small steps prover and checker take the same ones, each of which brute force bears out.
#[test]
fn wrong_steps_are_not_accepted() {
    let (mut right, mut wrong) = (0, 0);
    for (moves, _) in ORBITS.into_iter().take(5) {
        let (game, by_rules) = (game(moves), brute(moves, 200));
        let name = format!("rules(1;none;binary;{moves})");
        for numerator in 1..=5 {
            for (offset, divisor) in
                [(0, 1), (1, 2), (2, 2), (3, 2), (4, 2), (2, 3), (3, 3), (4, 3)]
            {
                for least in [0, 1, 2, 3] {
                    let step = Orbit { numerator, offset, divisor, least };
                    let is_accepted = check(&orbit_certificate(&name, &step).to_text()).is_ok();
                    let settled = settle_orbit(&*game, &step, &Budget::default()).unwrap();
                    assert_eq!(
                        matches!(settled, Verdict::Proved(_)),
                        is_accepted,
                        "{moves}: {step}"
                    );
                    if is_accepted {
                        assert_eq!(by_rules, orbit(&step, 200), "{moves}: {step}");
                        right += 1;
                    } else {
                        wrong += 1;
                    }
                }
            }
        }
    }
    assert!(right >= 5 && wrong > 500, "{right} {wrong}");
}

/// Rules of which the theorem does not speak have no such certificate, whatever the step.
#[test]
fn other_games_are_declined() {
    for moves in OTHERS {
        let game = game(moves);
        for step in ORBITS.map(|(_, step)| step) {
            let settled = settle_orbit(&*game, &step, &Budget::default()).unwrap();
            assert!(matches!(settled, Verdict::Unknown(_)), "{moves}: {settled:?}");
            let name = format!("rules(1;none;binary;{moves})");
            assert!(check(&orbit_certificate(&name, &step).to_text()).is_err(), "{moves}: {step}");
        }
    }
}

/// A step is one term of one heap, and nothing else is in claim and body.
#[test]
fn claims_that_are_no_steps_are_refused() {
    let (moves, step) = ORBITS[0];
    let right = orbit_certificate(&format!("rules(1;none;binary;{moves})"), &step);
    assert_eq!(again(right.to_text().rsplit_once("sha256").unwrap().0), right.to_text());
    assert!(check(&right.to_text()).is_ok());
    let start = right.claim.split_once("-> ").unwrap().0;
    for wrong in [
        "b",
        "a+b",
        "max(a+1, b)",
        "(3*a+2) div 2 | b = 0",
        "(3*a+2) div 2 & b < 9",
        "(3*a+2) div 2 | true",
        "(3*a+2) div 2 < 9",
        "(3*a+2) div 2)",
        "",
        "7",
        "a",
        "(3*a+2) div 0",
        "floor[1;(1)](a)+1",
        "a xor 1",
        // Nothing of small heaps: no quotient is there.
        "(3*a+2) div 2 + 0*((a-100) div 2)",
        "(3*a+2) div 2 + ((a-100) div 2) mod 1",
    ] {
        let claim = format!("{start}-> {wrong}");
        assert!(
            check(&Certificate { claim: claim.clone(), ..right.clone() }.to_text()).is_err(),
            "{claim}"
        );
    }
    for body in [
        "",
        "\n",
        "each heap is an option\n",
        &format!("{0}{0}", right.body),
        &format!("{}\n", right.body),
    ] {
        let changed = Certificate { body: body.into(), ..right.clone() };
        assert!(check(&changed.to_text()).is_err(), "{body:?}");
    }
    for game in [
        "rules(2;none;binary;2*p0 <= 3*q0)",
        "rules(1+1;none;binary;2*p0 <= 3*q0)",
        "nim(1)",
        "wythoff",
    ] {
        let changed = Certificate { game: game.into(), ..right.clone() };
        assert!(check(&changed.to_text()).is_err(), "{game}");
    }
    let misere = right.claim.replace("P iff", "in misere play P iff");
    assert!(check(&Certificate { claim: misere, ..right }.to_text()).is_err());
}

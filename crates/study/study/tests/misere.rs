//! Misère play of rule files, where players may be stuck with tokens left: proved forms are what
//! brute force from the formula says, wrong ones are refuted, and certificates with another claim
//! or another set of positions without a move are refused.
#![allow(clippy::unwrap_used, reason = "a test")]

mod brute;

use bouton_certificate::{Certificate, CertificateKind};
use bouton_check::{Envelope, check};
use bouton_core::{Budget, Claim, Play};
use bouton_engine::Game;
use bouton_games::RuleFile;
use bouton_study::{Ending, Failure, Form, Proved, Tables, Verdict, follow, settle_form};
use brute::{Brute, boxed};

fn game(text: &str) -> Box<dyn Game> {
    RuleFile::parse(text).unwrap().game()
}

fn file(heaps: usize, more: &str, moves: &str) -> String {
    format!("name = \"one\"\nheaps = {heaps}\n{more}move = \"{moves}\"\n")
}

/// Rule files whose players are stuck with tokens left, or not.
fn files() -> Vec<(String, u64)> {
    let nim2 = "q0 = p0 | q1 = p1";
    vec![
        (file(1, "", "q0+2 = p0 | q0+3 = p0"), 60),
        (file(1, "", "2*q0 >= p0"), 60),
        (file(2, "symmetry = \"full\"\n", nim2), 14),
        (
            file(
                2,
                "symmetry = \"full\"\n",
                "q0+2 = p0 & q1 = p1 | q1+2 = p1 & q0 = p0 | q0+1 = p0 & q1+1 = p1",
            ),
            14,
        ),
        (file(2, "", "q0+1 = p0 & q1 <= p1 | q0 = p0 & q1+2 = p1"), 14),
        (file(2, "positions = \"p0 >= p1\"\n", "q0+1 = p0 & q1+1 = p1 | q0+2 = p0 & q1 = p1 & q0 >= q1"), 14),
        (file(1, "memory = 1\npositions = \"p1 <= 1\"\n", "q1+p1 = 1 & (q0+1 = p0 | q0+2+p1 = p0)"), 30),
    ]
}

#[test]
fn theorems_are_what_brute_force_says() {
    let mut proved = 0;
    for (text, most) in files() {
        let game = game(&text);
        let stated = game.heap_game().unwrap();
        let line = follow(&Tables::new(&*game, &stated, Play::Misere, &Budget::default(), &|_| {}));
        let mut brute = Brute::new(&text, &vec![1; stated.heaps], Play::Misere);
        let Ending::Proved(proof) = &line.ending else { panic!("{text}: {:?}", line.ending) };
        let accepted = check(&proof.certificate).unwrap();
        assert!(accepted.theorem.ends_with("as it stands.") && accepted.theorem.contains("cannot move wins"));
        let claim = line.boards[0].rounds.last().unwrap().formula().unwrap().clone();
        // The certificate's own claim, read anew.
        let own = accepted.claim.strip_prefix("in misere play P iff ").unwrap();
        let own = Claim::parse(own, stated.heaps).unwrap();
        let images = stated.symmetry.permutations(stated.heaps, 720).unwrap();
        let mut seen = [0; 2];
        let mut stuck = 0;
        for p in boxed(&vec![most; stated.heaps]) {
            if stated.moves.domain.as_ref().is_some_and(|domain| !domain.contains(&p)) {
                assert!(!own.holds(&p).unwrap(), "{text}: {p:?}");
                continue;
            }
            let is_p = brute.is_p(&p);
            assert_eq!(claim.holds_up_to(&p, &images).unwrap(), is_p, "{text}: {p:?}");
            assert_eq!(own.holds(&p).unwrap(), is_p, "{text}: {p:?}");
            seen[usize::from(is_p)] += 1;
            stuck += usize::from(brute.options(&p).is_empty());
        }
        assert!(seen.iter().all(|count| *count > 3) && stuck > 0, "{text}: {seen:?}");
        proved += 1;
    }
    assert_eq!(proved, files().len());
}

/// Claims that differ from the right one in one residue, and those of normal play, are refuted by a
/// position of which brute force says so.
#[test]
fn wrong_claims_are_refuted() {
    let text = file(1, "", "q0+2 = p0 | q0+3 = p0");
    let one = game(&text);
    let mut brute = Brute::new(&text, &[], Play::Misere);
    let mut refuted = 0;
    for code in 0..1u32 << 5 {
        let residues: Vec<String> =
            (0..5).filter(|r| code >> r & 1 == 1).map(|r| format!("a mod 5 = {r}")).collect();
        let whole = if residues.is_empty() { "false".to_owned() } else { residues.join(" | ") };
        let form = Form { whole: whole.clone(), play: Play::Misere, ..Form::default() };
        let right = (0..40).all(|a| brute.is_p(&[a]) == (code >> (a % 5) & 1 == 1));
        match settle_form(&*one, &form, &Budget::default()).unwrap() {
            Verdict::Proved(Proved::Theorem(theorem)) => {
                assert!(right, "{whole}");
                assert!(check(&theorem.certificate).is_ok());
            }
            Verdict::Refuted(found) => {
                assert!(!right, "{whole}");
                let Failure::Position(found) = found.counterexample else { panic!("a position") };
                let claim = Claim::parse(&whole, 1).unwrap();
                let claimed = claim.holds(&found.position).unwrap();
                match &found.option {
                    Some((_, option)) => assert!(claimed && claim.holds(option).unwrap()),
                    None if found.over => {
                        assert!(claimed && brute.options(&found.position).is_empty());
                    }
                    None => {
                        let options = brute.options(&found.position);
                        assert!(!claimed && !options.is_empty());
                        assert!(options.iter().all(|option| !claim.holds(option).unwrap()));
                    }
                }
                refuted += 1;
            }
            other => panic!("{whole}: {other:?}"),
        }
    }
    assert_eq!(refuted, 31);
}

/// A certificate counts for its claim and its rules alone, and for the right positions without a
/// move.
#[test]
fn forged_certificates_are_refused() {
    let text = file(1, "", "q0+2 = p0 | q0+3 = p0");
    let form = Form { whole: "a mod 5 >= 2 & a mod 5 <= 3".into(), play: Play::Misere, ..Form::default() };
    let settled = settle_form(&*game(&text), &form, &Budget::default()).unwrap();
    let Verdict::Proved(Proved::Theorem(theorem)) = settled else { panic!("{settled:?}") };
    let envelope = Envelope::open(&theorem.certificate).unwrap();
    let made = |game: &str, claim: &str, body: String| {
        Certificate { kind: CertificateKind::PPositions, game: game.into(), claim: claim.into(), body }.seal()
    };
    let (name, claim, body) = (envelope.game, &*envelope.claim, envelope.body);
    assert!(check(&made(name, claim, body.into())).is_ok());
    let stuck = body.lines().next().unwrap();
    assert!(stuck.starts_with("stuck "));
    for other in
        ["stuck a = 0", "stuck a <= 2", "stuck a <= 1 | a = 7", "stuck true", "stuck false", "stuck b = 0"]
    {
        assert!(check(&made(name, claim, body.replacen(stuck, other, 1))).is_err(), "{other}");
    }
    let without: String = body.lines().skip(1).map(|line| format!("{line}\n")).collect();
    assert!(check(&made(name, claim, without)).is_err());
    for other in [
        "in misere play P iff a mod 5 >= 2",
        "in misere play P iff a mod 5 <= 1",
        "P iff a mod 5 >= 2 & a mod 5 <= 3",
        "in misere play P iff a mod 5 >= 2 & a mod 5 <= 3) | (a = 0",
    ] {
        assert!(check(&made(name, other, body.into())).is_err(), "{other}");
    }
    let other = name.replace("q0 + 3", "q0 + 4");
    assert_ne!(other, name);
    assert!(check(&made(&other, claim, body.into())).is_err());
}

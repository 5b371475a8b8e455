//! Misère play of rule files, where players may be stuck with tokens left: proved forms are what
//! brute force from the formula says, wrong ones are refuted, and certificates with another claim
//! or another set of positions without a move are refused.
#![allow(clippy::unwrap_used, reason = "a test")]

mod brute;

use bouton_certificate::{Certificate, CertificateKind};
use bouton_check::{Envelope, check};
use bouton_core::{Budget, Claim, DigitSystem, Play};
use bouton_engine::Game;
use bouton_games::RuleFile;
use bouton_prover::Acceptor;
use bouton_study::{
    Failure, Form, PipelineOutcome, Proved, Tables, Verdict, follow, settle_automaton, settle_form,
};
use brute::{Brute, boxed};
use std::time::Duration;

fn game(text: &str) -> Box<dyn Game> {
    RuleFile::parse(text).unwrap().game()
}

fn file(heaps: usize, more: &str, moves: &str) -> String {
    format!("name = \"one\"\nheaps = {heaps}\n{more}move = \"{moves}\"\n")
}

/// Returns rule files whose players are stuck with tokens left, or not.
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
        (
            file(
                2,
                "positions = \"p0 >= p1\"\n",
                "q0+1 = p0 & q1+1 = p1 | q0+2 = p0 & q1 = p1 & q0 >= q1",
            ),
            14,
        ),
        (
            file(
                1,
                "memory = 1\npositions = \"p1 <= 1\"\n",
                "q1+p1 = 1 & (q0+1 = p0 | q0+2+p1 = p0)",
            ),
            30,
        ),
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
        let PipelineOutcome::Proved(proof) = &line.ending else {
            panic!("{text}: {:?}", line.ending)
        };
        let accepted = check(&proof.certificate).unwrap();
        assert!(
            accepted.theorem.ends_with("as it stands.")
                && accepted.theorem.contains("cannot move wins")
        );
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
    let form =
        Form { whole: "a mod 5 >= 2 & a mod 5 <= 3".into(), play: Play::Misere, ..Form::default() };
    let settled = settle_form(&*game(&text), &form, &Budget::default()).unwrap();
    let Verdict::Proved(Proved::Theorem(theorem)) = settled else { panic!("{settled:?}") };
    let envelope = Envelope::open(&theorem.certificate).unwrap();
    let made = |game: &str, claim: &str, body: String| {
        Certificate {
            kind: CertificateKind::PPositions,
            game: game.into(),
            claim: claim.into(),
            body,
        }
        .seal()
    };
    let (name, claim, body) = (envelope.game, &*envelope.claim, envelope.body);
    assert!(check(&made(name, claim, body.into())).is_ok());
    let stuck = body.lines().next().unwrap();
    assert!(stuck.starts_with("stuck "));
    for other in [
        "stuck a = 0",
        "stuck a <= 2",
        "stuck a <= 1 | a = 7",
        "stuck true",
        "stuck false",
        "stuck b = 0",
    ] {
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

/// Returns rule files whose P-positions in misère play no form says, with the digits of the
/// automaton.
fn automatic_files() -> Vec<(String, Vec<u64>, DigitSystem)> {
    vec![
        (file(1, "", "q0+2 = p0 | q0 = p0 div 2 & p0 >= 3"), vec![300], DigitSystem::to_base(2)),
        // A number must not be taken twice in a row.
        (file(1, "memory = 1\n", "q0+q1 = p0 & q1 != p1"), vec![24, 24], DigitSystem::to_base(2)),
        // Fibonacci Nim: at most twice what was taken.
        (
            file(1, "memory = 1\ndigits = \"zeckendorf\"\n", "p0 <= q0+p1 & q1+2*q0 = 2*p0"),
            vec![20, 40],
            DigitSystem::zeckendorf(2),
        ),
    ]
}

#[test]
fn automata_are_learned_in_misere_play() {
    for (text, most, digits) in automatic_files() {
        let game = game(&text);
        let stated = game.heap_game().unwrap();
        // Far more time than is needed: without a limit it is one that a busy machine may exceed.
        let budget = Budget::default().within(Duration::from_secs(1200));
        let line = follow(&Tables::new(&*game, &stated, Play::Misere, &budget, &|_| {}));
        let PipelineOutcome::Proved(proof) = &line.ending else {
            panic!("{text}: {:?}", line.ending)
        };
        let accepted = check(&proof.certificate).unwrap();
        assert!(accepted.theorem.contains("cannot move wins"), "{}", accepted.theorem);
        // A form that was read off it, or else the automaton.
        let form = line.boards[0].rounds.last().unwrap().formula().cloned();
        let automaton = line.automaton();
        let is_automatic = accepted.claim == "in misere play P iff the automaton accepts";
        match &automaton {
            Some(automaton) => {
                assert!(is_automatic, "{}", accepted.claim);
                assert_eq!(automaton.digits, digits, "{text}");
            }
            None => {
                assert!(form.is_some() && digits == DigitSystem::to_base(2), "{}", accepted.claim)
            }
        }
        let mut brute = Brute::new(&text, &vec![2 * most[0]; stated.heaps], Play::Misere);
        let mut seen = [0; 2];
        for p in boxed(&most) {
            let is_p = brute.is_p(&p);
            let said = match (&automaton, &form) {
                (Some(automaton), _) => automaton.holds(&p),
                (None, form) => form.as_ref().unwrap().holds(&p).unwrap(),
            };
            assert_eq!(said, is_p, "{text}: {p:?}");
            seen[usize::from(is_p)] += 1;
        }
        assert!(seen.iter().all(|count| *count > 3), "{text}: {seen:?}");
    }
}

/// The P-positions of Mark-3 in misère play: the powers of 3 with an even exponent, and of other
/// numbers those that end in an odd number of zeros.
const MARK_3: &str = "msd_3\n\
                      0 0\n0 -> 0\n1 -> 1\n2 -> 2\n\
                      1 1\n0 -> 2\n1 -> 2\n2 -> 2\n\
                      2 0\n0 -> 1\n1 -> 2\n2 -> 2\n";

/// The least automaton of misère Mark-3 with any one output or transition changed is refuted by a
/// position of which brute force says so; no certificate with another automaton, another automaton
/// of the game with one heap more, or for normal play counts.
#[test]
fn other_automata_are_refused_in_misere_play() {
    let text = file(1, "", "q0+1 = p0 | q0+2 = p0 | q0 = p0 div 3");
    let game = game(&text);
    let right = Acceptor::parse(MARK_3, 1).unwrap();
    let brute = Brute::new(&text, &[1], Play::Misere);
    let settled = |automaton: &Acceptor| {
        settle_automaton(&*game, Play::Misere, automaton, &Budget::default()).unwrap()
    };
    let states = right.next.len();
    let mut refuted = 0;
    for state in 0..states {
        let changes = (0..3).flat_map(|column| (0..states as u32).map(move |to| (column, to)));
        for change in changes.map(Some).chain([None]) {
            let mut other = right.clone();
            match change {
                None => other.accepts[state] = !other.accepts[state],
                Some((0, _)) if state == 0 => continue,
                Some((column, to)) => other.next[state][column] = to,
            }
            match settled(&other) {
                Verdict::Proved(_) => {
                    assert!((0..250).all(|a| other.holds(&[a]) == right.holds(&[a])), "{other:?}");
                }
                Verdict::Refuted(found) => {
                    let Failure::Position(found) = found.counterexample else {
                        panic!("a position")
                    };
                    let options = brute.options(&found.position);
                    let claimed = other.holds(&found.position);
                    match &found.option {
                        Some((_, option)) => {
                            assert!(claimed && other.holds(option) && options.contains(option));
                        }
                        None if found.over => assert!(claimed && options.is_empty()),
                        None => {
                            assert!(!claimed && !options.is_empty());
                            assert!(options.iter().all(|option| !other.holds(option)));
                        }
                    }
                    refuted += 1;
                }
                verdict => panic!("{verdict:?}"),
            }
        }
    }
    assert!(refuted > 4 * states, "{refuted}");
    let Verdict::Proved(Proved::Theorem(theorem)) = settled(&right) else { panic!("no theorem") };
    let envelope = Envelope::open(&theorem.certificate).unwrap();
    let (name, body) = (envelope.game, envelope.body);
    let made = |game: &str, claim: &str, body: &str| {
        let (game, claim, body) = (game.into(), claim.into(), body.into());
        check(&Certificate { kind: CertificateKind::Automatic, game, claim, body }.seal()).is_ok()
    };
    let misere = "in misere play P iff the automaton accepts";
    assert!(made(name, misere, body));
    for claim in
        ["P iff the automaton accepts", "in misere play P iff a = 1", "in misere play P iff true"]
    {
        assert!(!made(name, claim, body), "{claim}");
    }
    assert!(!made(&name.replace("q0 + 2", "q0 + 4"), misere, body));
    // Each line of the two automata with another mark, or another follower.
    let lines: Vec<&str> = body.lines().collect();
    let end = lines.iter().position(|line| line.starts_with("windows ")).unwrap();
    assert!(lines[0] == "base 3" && lines[1].starts_with("misere "), "{body}");
    let mut changed = 0;
    for at in 1..end {
        let words: Vec<&str> = lines[at].split(' ').collect();
        if !["!", "-"].contains(&words[0]) {
            continue;
        }
        for word in 0..words.len() {
            let mut words = words.clone();
            words[word] = match words[word] {
                "!" => "-",
                "-" => "!",
                "0" => "1",
                _ => "0",
            };
            let line = words.join(" ");
            let mut lines = lines.clone();
            lines[at] = &line;
            changed += 1;
            assert!(!made(name, misere, &(lines.join("\n") + "\n")), "{line}");
        }
    }
    assert!(changed > 40, "{changed}");
}

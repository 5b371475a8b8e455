//! Claims read by automata: proved ones hold by the rules alone, wrong ones are refuted by the
//! least position, and the checker takes no certificate for another claim.
#![allow(clippy::unwrap_used, reason = "a test")]

#[allow(dead_code, reason = "its outcomes are of a formula, and here of a game's moves")]
mod brute;
mod sealed;

use bouton_check::check;
use bouton_core::{Budget, DigitSystem, Meter, Play};
use bouton_engine::Game;
use bouton_games::RuleFile;
use bouton_games::restricted_to_small_heaps;
use bouton_prover::{
    Acceptor, Attempt, AutomaticClaim, Claim, CounterexampleChoice, prove_automatic,
};
use bouton_study::{
    Failure, PipelineOutcome, Proved, Tables, Verdict, follow, settle_automaton, stated,
};
use brute::boxed;
use sealed::again;
use std::collections::HashMap;

/// Equal heaps.
const EQUAL: &str = "msd_2 msd_2\n\n0 1\n0 0 -> 0\n1 1 -> 0\n";

fn game(text: &str) -> Box<dyn Game> {
    bouton_games::parse(text).unwrap().game
}

fn rules(text: &str) -> Box<dyn Game> {
    RuleFile::parse(text).unwrap().game()
}

fn read(text: &str, heaps: usize) -> Acceptor {
    Acceptor::parse(text, heaps).unwrap()
}

/// Returns the P-positions with heaps up to a bound, by the options alone.
fn lost(game: &dyn Game, most: u64) -> HashMap<Vec<u64>, bool> {
    let (moves, _) = stated(game).unwrap();
    let heaps = moves.boards[0].heaps;
    let mut all = boxed(&vec![most; heaps]);
    all.sort_by_key(|p| p.iter().sum::<u64>());
    let mut known: HashMap<Vec<u64>, bool> = HashMap::new();
    for p in all {
        let p_position = moves.options(0, &p).iter().all(|(_, option)| !known[option]);
        known.insert(p, p_position);
    }
    known
}

/// Returns the certificate with something changed in it, and a seal that fits.
fn sealed(certificate: &str, from: &str, to: &str) -> String {
    let (head, _) = certificate.rsplit_once("sha256: ").unwrap();
    let changed = head.replacen(from, to, 1);
    assert_ne!(head, changed, "nothing changed: {from}");
    again(&changed)
}

#[test]
fn an_automaton_is_a_claim() {
    let nim = game("nim(2)");
    let Verdict::Proved(Proved::Theorem(theorem)) =
        settle_automaton(&*nim, Play::Normal, &read(EQUAL, 2), &Budget::default()).unwrap()
    else {
        panic!("a theorem")
    };
    assert!(theorem.is_of_an_automaton() && check(&theorem.certificate).is_ok());
    // Equal heaps, but for those above 4 that are no multiple of 4: then (5,5) has no option that
    // is claimed.
    let wrong = "msd_2 msd_2\n0 1\n0 0 -> 0\n1 1 -> 1\n1 1\n0 0 -> 2\n1 1 -> 2\n2 1\n0 0 -> 3\n1 \
        1 -> 4\n3 1\n0 0 -> 3\n1 1 -> 4\n4 0\n0 0 -> 3\n1 1 -> 4\n";
    let wrong = read(wrong, 2);
    let expected = lost(&*nim, 16);
    let mut first: Vec<&Vec<u64>> =
        expected.keys().filter(|p| expected[*p] != wrong.holds(p)).collect();
    first.sort_by_key(|p| (p.iter().sum::<u64>(), (*p).clone()));
    match settle_automaton(&*nim, Play::Normal, &wrong, &Budget::default()).unwrap() {
        Verdict::Refuted(refuted) => {
            let Failure::Position(found) = &refuted.counterexample else { panic!("a position") };
            assert!(refuted.least && &found.position == first[0], "{found}, {first:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn walnut_texts_are_read_back() {
    let text = read(EQUAL, 2).walnut();
    assert_eq!(text, EQUAL);
    for (text, line, what) in [
        ("", 1, "begins with"),
        ("msd_3 msd_2\n0 1\n", 1, "the same digits"),
        ("msd_2\n0 1\n0 -> 0\n", 1, "stands 1 times"),
        ("msd_2 msd_2\n", 2, "no state"),
        ("msd_2 msd_2\n0 2\n", 2, "0 or 1"),
        ("msd_2 msd_2\n0 1\n0 0 -> 1\n", 3, "no state 1"),
        ("msd_2 msd_2\n0 1\n0 -> 0\n", 3, "1 digits"),
        ("msd_2 msd_2\n0 1\n0 0 -> 0\n0 0 -> 0\n", 4, "not deterministic"),
        ("msd_2 msd_2\n0 0 -> 0\n0 1\n", 2, "below its state"),
        ("msd_2 msd_2\n0 1\n0 1\n", 3, "twice"),
        ("msd_2 msd_2\n0 1\n1 1 -> 0\n", 2, "leading zeros"),
        ("msd_2 msd_2\n0 1\n0 0 -> 0 0\n", 3, "one state"),
        ("msd_2 msd_2\n0 1\n0 x -> 0\n", 3, "a digit"),
        ("msd_luc msd_luc\n0 1\n", 1, "msd_by_3_then_2"),
        ("ost own [0 3] [1 2];\nmsd_pell msd_pell\n0 1\n", 2, "`msd_own`"),
        ("ost own [0 3 [1 2];\nmsd_own msd_own\n0 1\n", 1, "`ost NAME"),
        ("ost own [0] [1 2];\nmsd_own msd_own\n0 1\n", 1, "the first one above 1"),
        ("ost own [0] [3 4];\nmsd_own msd_own\n0 1\n", 1, "below 10"),
        ("ost own [0] [2 3];\nmsd_own msd_own\n0 1\n4 0 -> 0\n", 4, "from 0 to 3"),
        ("ost own [0 2] [3];\n", 2, "begins with"),
    ] {
        let error = Acceptor::parse(text, 2).unwrap_err();
        assert!(error.why.contains(what), "{text:?}: {error}");
        assert_eq!(text[..error.at.start].matches('\n').count() + 1, line, "{text:?}: {error}");
    }
}

/// Equal heaps in Ostrowski's digits of √2, of √3 and of others: a theorem with a certificate; and
/// only those of which a digit is read once, with the least counterexample.
#[test]
fn ostrowski_digits_of_walnut_are_read() {
    let nim = game("nim(2)");
    for head in [
        "msd_pell msd_pell",
        "ost own [0] [2];\nmsd_own msd_own",
        "ost own [0 2] [1 2];\nmsd_own msd_own",
        "ost own [1 2 1] [1 1 2]\nmsd_own msd_own",
    ] {
        let claim = format!("{head}\n0 1\n0 0 -> 0\n1 1 -> 0\n2 2 -> 0\n");
        let equal = read(&claim, 2);
        assert!((0..900).all(|x| equal.holds(&[x / 30, x % 30]) == (x / 30 == x % 30)), "{head}");
        match settle_automaton(&*nim, Play::Normal, &equal, &Budget::default()).unwrap() {
            Verdict::Proved(Proved::Theorem(theorem)) => check(&theorem.certificate).unwrap(),
            other => panic!("{head}: {other:?}"),
        };
        let wrong = read(&claim.replace("1 1 -> 0\n", "1 1 -> 1\n1 1\n0 0 -> 1\n"), 2);
        // The least number of which digits above 0 are several, the first of them 1.
        let least = (1..).find(|x| !wrong.holds(&[*x, *x])).unwrap();
        match settle_automaton(&*nim, Play::Normal, &wrong, &Budget::default()).unwrap() {
            Verdict::Refuted(refuted) => {
                let Failure::Position(found) = &refuted.counterexample else { panic!("{head}") };
                assert_eq!((&found.position, refuted.least), (&vec![least, least], true), "{head}");
            }
            other => panic!("{head}: {other:?}"),
        }
    }
}

/// Certificates of formulas and automata, and everything that is changed in one of them by a word:
/// another claim or game, another automaton, a set left out. What the checker still takes must be
/// the same theorem.
#[test]
fn the_checker_takes_nothing_else() {
    let formulas = [
        ("nim(3)", ("a xor b xor c = 0", "a xor b xor c = 1")),
        ("S(1,2;2)", ("(a + b) mod 3 = 0 & a mod 3 = 0 | (a+2*b) mod 3 = 0", "(a + b) mod 3 = 0")),
        ("moore(3;3)", ("min = max", "min = max & a != 3")),
        (
            "CN(3,2;any=1)",
            ("a mod 2 = b mod 2 & b mod 2 = c mod 2", "a mod 2 = 0 & b mod 2 = 0 & c mod 2 = 0"),
        ),
    ];
    for (name, (right, wrong)) in formulas {
        let game = game(name);
        let (moves, _) = stated(&*game).unwrap();
        let heaps = moves.boards[0].heaps;
        let images = game.heap_game().unwrap().symmetry.permutations(heaps, 720).unwrap();
        let claim = Claim::parse(right, heaps).unwrap();
        let what = AutomaticClaim::Formula {
            claim: &claim,
            images: &images,
            digits: DigitSystem::to_base(2),
        };
        let meter = &mut Meter::new(&Budget::default());
        let Attempt::Proved(proof) =
            prove_automatic(&moves, what, CounterexampleChoice::Least, meter)
        else {
            panic!("{name}")
        };
        let certificate = proof.certificate(name, &moves, what).to_text();
        check(&certificate).unwrap_or_else(|why| panic!("{name}: {why}"));
        // The same proof for another claim.
        let other = Claim::parse(wrong, heaps).unwrap();
        assert!(
            check(&sealed(&certificate, &claim.to_string(), &other.to_string())).is_err(),
            "{name}: {wrong}"
        );
        let refuted = prove_automatic(
            &moves,
            AutomaticClaim::Formula {
                claim: &other,
                images: &images,
                digits: DigitSystem::to_base(2),
            },
            CounterexampleChoice::Least,
            meter,
        );
        assert!(matches!(refuted, Attempt::Refuted(_)), "{name}: {wrong}");
        // As a claim of its own: any state accepting or not, any transition elsewhere, is another
        // set of positions.
        let what = AutomaticClaim::Automaton(&proof.positions);
        let Attempt::Proved(proof) =
            prove_automatic(&moves, what, CounterexampleChoice::Least, meter)
        else {
            panic!("{name}")
        };
        let certificate = proof.certificate(name, &moves, what).to_text();
        check(&certificate).unwrap();
        let lines: Vec<&str> = certificate.lines().collect();
        let states = proof.positions.next.len();
        let mut changed = 0;
        for (number, line) in lines.iter().enumerate().skip(5).take(lines.len() - 6) {
            let table = number > 5 && number <= 5 + states;
            let words: Vec<&str> = line.split(' ').collect();
            for (place, word) in words.iter().enumerate().take(12) {
                let other = match *word {
                    "!" => "-".to_owned(),
                    "-" => "!".to_owned(),
                    _ if word.parse::<usize>().is_ok() => {
                        ((word.parse::<usize>().unwrap() + 1) % states.max(2)).to_string()
                    }
                    _ => "x".to_owned(),
                };
                let mut all: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
                let mut own: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
                if own[place] == other {
                    continue;
                }
                own[place] = other;
                all[number] = own.join(" ");
                let text = again(&format!("{}\n", all[..all.len() - 1].join("\n")));
                changed += 1;
                // Sets may have more in them, and ways may be dropped that nothing needs.
                if let Ok(accepted) = check(&text) {
                    assert!(
                        !table,
                        "{name}: line {number}, word {place} changed to another claim: {accepted:?}"
                    );
                }
            }
        }
        assert!(changed > 20, "{name}");
        // Leading zeros lead nowhere else, neither of positions nor of moves.
        for head in ["positions ", "move "] {
            let own = lines.iter().position(|line| line.starts_with(head)).unwrap() + 1;
            let mut all: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            let mut words: Vec<&str> = lines[own].split(' ').collect();
            assert_eq!(words[1], "0");
            words[1] = "1";
            all[own] = words.join(" ");
            let rejected =
                check(&again(&format!("{}\n", all[..all.len() - 1].join("\n")))).unwrap_err();
            assert!(rejected.to_string().contains("leading zeros"), "{name}: {rejected}");
        }
        // No set may be left out.
        let count = proof.sets();
        let last = lines[lines.len() - 2];
        let short =
            certificate.replace(&format!("sets {count}\n"), &format!("sets {}\n", count - 1));
        assert!(check(&sealed(&short, &format!("{last}\n"), "")).is_err(), "{name}");
    }
}

/// Random games and claims: whatever is proved is what the options say, whatever is refuted is.
#[test]
fn verdicts_are_those_of_the_rules() {
    let games = [
        "name = \"x\"\nheaps = 2\nmove = \"q0+2 = p0 & q1 = p1 | q0 = p0 & q1 = p1 div 2 | q0+1 = \
         p0 & q1+1 = p1\"\n",
        "name = \"x\"\nheaps = 2\nmove = \"q0 < p0 & q1 = p1 & 2*q0 >= p0 | q0 = p0 & q1+3 = \
         p1\"\n",
        "name = \"x\"\nheaps = 2\nsymmetry = \"full\"\nmove = \"q0 <= p0 & q1 <= p1 & (p0 xor p1) \
         mod 2 = 0 | q0+1 = p0 & q1 = p1 | q1+1 = p1 & q0 = p0\"\n",
        "name = \"x\"\nheaps = 1\nmove = \"q0+1 = p0 | q0 = p0 div 3 & p0 mod 3 = 2\"\n",
        "name = \"x\"\nheaps = 3\nmove = \"q0 < p0 & q1 = p1 & q2 = p2 | q0 = p0 & q1+q2+1 = \
         p1+p2 & q1 <= p1 & q2 <= p2\"\n",
    ];
    let formulas = [
        "a mod 3 = 0",
        "a = b",
        "a xor b = 0",
        "a mod 2 = 0 & b mod 3 != 1",
        "b div 2 <= a",
        "max(a, b) mod 4 = 0",
        "a xor c = b",
        "a = 0",
    ];
    let (mut proved, mut refuted) = (0, 0);
    for text in games {
        let game = rules(text);
        let (moves, _) = stated(&*game).unwrap();
        let heaps = moves.boards[0].heaps;
        let images = game.heap_game().unwrap().symmetry.permutations(heaps, 720).unwrap();
        let expected = lost(&*game, if heaps == 3 { 8 } else { 24 });
        // The form that the line finds, too.
        let stated = game.heap_game().unwrap();
        let budget = Budget { nodes: Some(1 << 24), ..Budget::default() };
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {}));
        let own = line.boards[0]
            .claim
            .clone()
            .filter(|_| matches!(line.ending, PipelineOutcome::Proved(_)));
        for formula in formulas.into_iter().map(String::from).chain(own) {
            let Ok(claim) = Claim::parse(&formula, heaps) else { continue };
            let holds = |p: &[u64]| claim.holds_up_to(p, &images).unwrap();
            match prove_automatic(
                &moves,
                AutomaticClaim::Formula {
                    claim: &claim,
                    images: &images,
                    digits: DigitSystem::to_base(2),
                },
                CounterexampleChoice::Least,
                &mut Meter::new(&budget),
            ) {
                Attempt::Proved(_) => {
                    proved += 1;
                    expected.iter().for_each(|(p, lost)| {
                        assert_eq!(holds(p), *lost, "{text}: {formula} at {p:?}")
                    });
                }
                Attempt::Refuted(found) => {
                    refuted += 1;
                    let options = moves.options(0, &found.position);
                    match &found.option {
                        Some(option) => {
                            assert!(
                                options.contains(option)
                                    && holds(&found.position)
                                    && holds(&option.1)
                            );
                        }
                        None => {
                            assert!(
                                !holds(&found.position)
                                    && options.iter().all(|(_, option)| !holds(option))
                            );
                        }
                    }
                }
                Attempt::Unknown(why) => {
                    assert!(formula.starts_with("E "), "{text}: {formula}: {why}")
                }
            }
        }
    }
    assert!(proved >= 2 && refuted >= 20, "{proved} {refuted}");
}

/// What is proved of positions with empty heaps is what the whole game's options say of them.
#[test]
fn parts_are_the_game_where_heaps_are_empty() {
    for (name, empty, most) in [
        ("CN(5,2)", vec![4], 4),
        ("CN(4,2;each=1)", vec![1], 6),
        ("CN(4,2;total=2)", vec![0], 5),
        ("CN(4,3;any=1)", vec![2, 3], 5),
        ("S(1,3;3)", vec![1], 8),
    ] {
        let whole = game(name);
        let part = restricted_to_small_heaps(&*whole, &empty, None, &Budget::default()).unwrap();
        let (all, own) = (lost(&*whole, most), lost(&*part, most));
        let mut compared = 0;
        for (p, lost) in own {
            let mut rest = p.iter();
            let heaps = p.len() + empty.len();
            let full: Vec<u64> = (0..heaps)
                .map(|h| if empty.contains(&h) { 0 } else { *rest.next().unwrap() })
                .collect();
            assert_eq!(all[&full], lost, "{name}: {full:?}");
            compared += 1;
        }
        assert!(compared > 30, "{name}");
    }
}

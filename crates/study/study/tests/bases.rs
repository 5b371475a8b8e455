//! Automata over digits to bases other than 2: learned from tables and proved for games whose rules
//! divide by 3, 5, 6, 7, 10; compared with the rules alone far beyond the tables; wrong ones
//! refuted by the least position; certificates changed by a word.
#![allow(clippy::unwrap_used, reason = "a test")]

mod sealed;

use bouton_check::check;
use bouton_core::{Budget, Play};
use bouton_engine::Game;
use bouton_games::RuleFile;
use bouton_prover::Acceptor;
use bouton_study::{
    Failure, Pipeline, PipelineOutcome, Proved, Tables, Verdict, follow, settle_automaton,
};
use sealed::again;

/// Numbers whose digits to base 3 end in an odd number of zeros, and 0.
const ODD_ZEROS: &str = "msd_3\n\n0 1\n0 -> 0\n1 -> 1\n2 -> 1\n\n1 0\n0 -> 2\n1 -> 1\n2 -> 1\n\n2 \
    1\n0 -> 1\n1 -> 1\n2 -> 1\n";
const MARK_3: &str = "q0+1 = p0 | q0+2 = p0 | q0 = p0 div 3";

fn rules(heaps: usize, condition: &str) -> Box<dyn Game> {
    let text = format!("name = \"x\"\nheaps = {heaps}\nmove = \"{condition}\"\n");
    RuleFile::parse(&text).unwrap().game()
}

fn line(game: &dyn Game) -> Pipeline {
    let stated = game.heap_game().unwrap();
    follow(&Tables::new(game, &stated, Play::Normal, &Budget::default(), &|_| {}))
}

/// Returns whether positions of one heap are lost, by the options as they are told here.
fn lost(options: &dyn Fn(usize) -> Vec<usize>, most: usize) -> Vec<bool> {
    let mut all: Vec<bool> = Vec::new();
    for x in 0..=most {
        let p = options(x).into_iter().all(|option| !all[option]);
        all.push(p);
    }
    all
}

/// Returns the options on one heap: takings, and what is left of it by a division.
fn steps(takings: &[usize], divisor: usize) -> impl Fn(usize) -> Vec<usize> + '_ {
    move |x| {
        let taken = takings.iter().filter_map(move |taking| x.checked_sub(*taking));
        taken.chain((x > 0).then_some(x / divisor)).collect()
    }
}

/// Returns a set of positions on two heaps up to a bound, lost by the options as they are told
/// here.
fn lost_pairs(
    options: &dyn Fn(usize, usize) -> Vec<(usize, usize)>,
    most: usize,
) -> Vec<Vec<bool>> {
    let mut all = vec![vec![false; most + 1]; most + 1];
    for sum in 0..=2 * most {
        for a in sum.saturating_sub(most)..=sum.min(most) {
            all[a][sum - a] = options(a, sum - a).into_iter().all(|(x, y)| !all[x][y]);
        }
    }
    all
}

#[test]
fn games_of_one_heap_are_learned_and_proved() {
    let games: [(&[usize], usize); 9] = [
        (&[1, 2], 3),
        (&[1], 5),
        (&[1, 2, 3, 4, 5, 6], 7),
        (&[1, 2, 3], 10),
        (&[2, 3], 6),
        // Of these a table to 2^16 does not show all states.
        (&[7], 5),
        (&[9], 5),
        (&[3, 4], 4),
        (&[1, 2, 9], 4),
    ];
    for (takings, divisor) in games {
        let taken: Vec<String> = takings.iter().map(|taking| format!("q0+{taking} = p0")).collect();
        let text = format!("{} | q0 = p0 div {divisor}", taken.join(" | "));
        let line = line(&*rules(1, &text));
        let PipelineOutcome::Proved(proof) = &line.ending else {
            panic!("{text}: {:?}", line.ending)
        };
        let automaton = line.automaton().unwrap();
        assert_eq!(automaton.digits.base(), divisor, "{text}");
        let accepted = check(&proof.certificate).unwrap();
        assert!(accepted.theorem.contains(&format!("digits to base {divisor}")), "{accepted:?}");
        let expected = lost(&steps(takings, divisor), 1_000_000);
        for (x, p) in expected.iter().enumerate() {
            assert_eq!(automaton.holds(&[x as u64]), *p, "{text}: {x}");
        }
    }
}

/// Fraenkel's statement on Mark-3 (2012): what is learned is what is published, of any number.
#[test]
fn mark_3_is_as_published() {
    let game = rules(1, MARK_3);
    let automaton = line(&*game).automaton().unwrap();
    let published = Acceptor::parse(ODD_ZEROS, 1).unwrap();
    let zeros = |mut x: u64| {
        let mut count = 0;
        while x > 0 && x.is_multiple_of(3) {
            (x, count) = (x / 3, count + 1);
        }
        count
    };
    for i in 0..200_000u64 {
        let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 64);
        let said = x == 0 || zeros(x) % 2 == 1;
        assert_eq!(automaton.holds(&[x]), said, "{x}");
        assert_eq!(published.holds(&[x]), said, "{x}");
    }
    let proved = settle_automaton(&*game, Play::Normal, &published, &Budget::default()).unwrap();
    assert!(matches!(proved, Verdict::Proved(Proved::Theorem(_))), "{proved:?}");
}

#[test]
fn games_of_two_heaps_are_learned_and_proved() {
    // The second heap can be divided by 3 once for each digit: its nim-value is how many there are
    // modulo 2.
    let game = rules(2, "q0 < p0 & q1 = p1 | q0 = p0 & q1 = p1 div 3");
    let automaton = line(&*game).automaton().unwrap();
    assert_eq!(automaton.digits.base(), 3);
    for a in 0..40u64 {
        for b in 0..5000u64 {
            let digits = b.checked_ilog(3).map_or(0, |last| last + 1);
            assert_eq!(automaton.holds(&[a, b]), a == u64::from(digits % 2), "{a},{b}");
        }
    }
    let game = rules(2, "q0+1 = p0 & q1 = p1 | q0 = p0 & q1+1 = p1 | q0 = p0 & q1 = p1 div 3");
    let line = line(&*game);
    let PipelineOutcome::Proved(proof) = &line.ending else { panic!("{:?}", line.ending) };
    assert!(check(&proof.certificate).is_ok());
    let automaton = line.automaton().unwrap();
    assert_eq!(automaton.digits.base(), 3);
    let options = |a: usize, b: usize| {
        let taken = [
            (a > 0).then(|| (a - 1, b)),
            (b > 0).then(|| (a, b - 1)),
            (b > 0).then_some((a, b / 3)),
        ];
        taken.into_iter().flatten().collect()
    };
    for (a, row) in lost_pairs(&options, 800).iter().enumerate() {
        for (b, p) in row.iter().enumerate() {
            assert_eq!(automaton.holds(&[a as u64, b as u64]), *p, "{a},{b}");
        }
    }
}

/// Any one output or transition changed is another set, and refuted by its least position.
#[test]
fn changed_automata_are_refuted_by_the_least_position() {
    let game = rules(1, MARK_3);
    let right = Acceptor::parse(ODD_ZEROS, 1).unwrap();
    let expected = lost(&steps(&[1, 2], 3), 100_000);
    let mut changed: Vec<Acceptor> = Vec::new();
    for state in 0..3 {
        let mut other = right.clone();
        other.accepts[state] = !other.accepts[state];
        changed.push(other);
        for column in 0..3 {
            for to in 0..4 {
                let mut other = right.clone();
                other.next[state][column] = to;
                if (state, column) != (0, 0) && other != right {
                    changed.push(other);
                }
            }
        }
    }
    assert_eq!(changed.len(), 3 + 8 * 3);
    for wrong in changed {
        let first = (0..expected.len()).find(|x| wrong.holds(&[*x as u64]) != expected[*x]);
        let settled = settle_automaton(&*game, Play::Normal, &wrong, &Budget::default()).unwrap();
        match (first, &settled) {
            (Some(first), Verdict::Refuted(refuted)) => {
                let Failure::Position(found) = &refuted.counterexample else {
                    panic!("a position")
                };
                assert!(refuted.least && found.position == [first as u64], "{found}, {first}");
            }
            (None, Verdict::Proved(_)) => {}
            _ => panic!("{first:?}, {settled:?}: {wrong:?}"),
        }
    }
    // The same digits read to another base.
    let other = Acceptor::parse(&ODD_ZEROS.replace("msd_3", "msd_4"), 1).unwrap();
    let settled = settle_automaton(&*game, Play::Normal, &other, &Budget::default()).unwrap();
    assert!(matches!(settled, Verdict::Refuted(_)), "{settled:?}");
}

#[test]
fn the_checker_takes_nothing_else() {
    let game = rules(1, MARK_3);
    let automaton = Acceptor::parse(ODD_ZEROS, 1).unwrap();
    let settled = settle_automaton(&*game, Play::Normal, &automaton, &Budget::default()).unwrap();
    let Verdict::Proved(Proved::Theorem(theorem)) = settled else { panic!("{settled:?}") };
    let certificate = &theorem.certificate;
    check(certificate).unwrap();
    let lines: Vec<&str> = certificate.lines().collect();
    assert_eq!(lines[5], "base 3");
    assert!(lines[6].starts_with("positions "));
    let states: usize = lines[6]["positions ".len()..].parse().unwrap();
    let body = &lines[..lines.len() - 1];
    // Another base, none, or one written otherwise.
    for base in ["base 2", "base 4", "base 03", "base 11", "base 9", "base"] {
        let mut all = body.to_vec();
        all[5] = base;
        assert!(check(&again(&format!("{}\n", all.join("\n")))).is_err(), "{base}");
    }
    let mut all = body.to_vec();
    all.remove(5);
    assert!(check(&again(&format!("{}\n", all.join("\n")))).is_err());
    // Another game: what is divided by 4, and a move that has no words in this base.
    for (from, to, what) in [
        ("div 3", "div 4", "something else"),
        ("div 3", "div 3 & (p0 xor q0) >= 0", "binary digits"),
    ] {
        let other = body.join("\n").replacen(from, to, 1);
        assert_ne!(other, body.join("\n"));
        let rejected = check(&again(&format!("{other}\n"))).unwrap_err().to_string();
        assert!(rejected.contains(what), "{rejected}");
    }
    // A formula is read in digits 0 and 1.
    let other =
        body.join("\n").replacen("P iff the automaton accepts", "P iff a = 0, up to symmetry", 1);
    let rejected = check(&again(&format!("{other}\n"))).unwrap_err().to_string();
    assert!(rejected.contains("digits 0 and 1"), "{rejected}");
    // Any word changed: another set of positions is never taken.
    let mut changed = 0;
    for (number, line) in body.iter().enumerate().skip(6) {
        let words: Vec<&str> = line.split(' ').collect();
        for (place, word) in words.iter().enumerate() {
            let others: Vec<String> = match *word {
                "!" => vec!["-".into()],
                "-" => vec!["!".into()],
                _ => match word.parse::<usize>() {
                    Ok(number) => {
                        (0..states + 2).filter(|x| *x != number).map(|x| x.to_string()).collect()
                    }
                    Err(_) => vec!["x".into()],
                },
            };
            for other in others {
                let mut own: Vec<&str> = words.clone();
                own[place] = &other;
                let own = own.join(" ");
                let mut all = body.to_vec();
                all[number] = &own;
                changed += 1;
                if let Ok(accepted) = check(&again(&format!("{}\n", all.join("\n")))) {
                    assert!(number > 6 + states, "line {number}, {own}: {accepted:?}");
                }
            }
        }
    }
    assert!(changed > 100, "{changed}");
}

#[test]
fn what_cannot_be_read_to_a_base_is_said() {
    for (text, heaps, what) in [
        ("msd_11\n0 1\n", 1, "`msd_2` to `msd_10`"),
        ("msd_1\n0 1\n", 1, "`msd_2` to `msd_10`"),
        ("msd_03\n0 1\n", 1, "`msd_2` to `msd_10`"),
        ("msd_3 msd_2\n0 1\n", 2, "the same digits"),
        ("msd_3\n0 1\n0 -> 0\n3 -> 0\n", 1, "from 0 to 2"),
        ("msd_10\n0 1\n0 -> 0\n10 -> 0\n", 1, "from 0 to 9"),
        ("msd_10 msd_10 msd_10 msd_10 msd_10\n0 1\n", 5, "columns"),
    ] {
        let error = Acceptor::parse(text, heaps).unwrap_err();
        assert!(error.why.contains(what), "{text:?}: {error}");
    }
    let round = "msd_10 msd_10\n\n0 1\n0 0 -> 0\n1 9 -> 1\n\n1 0\n7 3 -> 0\n";
    assert_eq!(Acceptor::parse(round, 2).unwrap().walnut(), round);
    let equal: String = (0..3).map(|digit| format!("{digit} {digit} -> 0\n")).collect();
    let equal = Acceptor::parse(&format!("msd_3 msd_3\n0 1\n{equal}"), 2).unwrap();
    // A nim-sum is one of binary digits.
    let game = rules(2, "q0 <= p0 & q1 <= p1 & (p0 xor p1) >= (q0 xor q1)");
    let settled = settle_automaton(&*game, Play::Normal, &equal, &Budget::default()).unwrap();
    let Verdict::Unknown(unknown) = &settled else { panic!("{settled:?}") };
    assert!(
        unknown.reason.contains("nim-sums in digits to a base other than 2"),
        "{}",
        unknown.reason
    );
    // What is true of equal heaps to base 2 is so to base 3, and where one has to be left over to
    // neither.
    for (text, right) in [
        ("q0 < p0 & q1 = p1 | q0 = p0 & q1 < p1", true),
        ("q0 < p0 & q1 = p1 | q0 = p0 & q1+1 < p1", false),
    ] {
        let game = rules(2, text);
        match settle_automaton(&*game, Play::Normal, &equal, &Budget::default()).unwrap() {
            Verdict::Proved(_) => assert!(right, "{text}"),
            Verdict::Refuted(refuted) => {
                let Failure::Position(found) = &refuted.counterexample else {
                    panic!("a position")
                };
                assert!(!right && refuted.least && found.position == [0, 1], "{text}: {found}");
            }
            unknown => panic!("{unknown:?}"),
        }
    }
}

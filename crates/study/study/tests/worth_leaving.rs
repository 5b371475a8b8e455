//! Games in which what is remembered after a move depends on the heaps left alone: from the rules
//! to a theorem, compared with brute force; wrong claims and wrong certificates.
#![allow(clippy::unwrap_used, reason = "a test")]

mod brute;
mod sealed;

use bouton_check::check;
use bouton_conjecture::{Learned, Reading, learn};
use bouton_core::{Budget, DigitSystem, Play};
use bouton_engine::Game;
use bouton_games::RuleFile;
use bouton_prover::Acceptor;
use bouton_study::{Failure, PipelineOutcome, Proved, Tables, Verdict, follow, settle_automaton};
use brute::{Brute, boxed};
use sealed::again;

/// Nim on two heaps; after a move one option is forbidden, or none.
const NIM: &str = "name = \"blocking-nim\"\nheaps = 2\nmemory = 2\n\
    move = \"(q0 = p0 | q1 = p1) & ~(q0 = p2 & q1 = p3) & q2 <= q0 & q3 <= q1 & (q2 = q0 | q3 = \
    q1)\"\n";
/// The same with two options forbidden, or fewer.
const TWO: &str = "name = \"blocking-nim-two\"\nheaps = 2\nmemory = 4\n\
    move = \"(q0 = p0 | q1 = p1) & ~(q0 = p2 & q1 = p3) & ~(q0 = p4 & q1 = p5) & q2 <= q0 & q3 <= \
    q1 & (q2 = q0 | q3 = q1) & q4 <= q0 & q5 <= q1 & (q4 = q0 | q5 = q1)\"\n";
/// One, three or four tokens are taken, but not as many as the player before forbade.
const SUBTRACTION: &str = "name = \"blocking-subtraction\"\nheaps = 1\nmemory = 1\n\
    move = \"(p0 = q0+1 & p1 != 1 | p0 = q0+3 & p1 != 3 | p0 = q0+4 & p1 != 4) \
    & (q1 = 0 | q1 = 1 | q1 = 3 | q1 = 4)\"\n";
/// Wythoff's game; after a move, moves from one of the heaps, or from both, are forbidden, or none.
const DIRECTIONS: &str = "name = \"blocking-directions\"\nheaps = 2\nmemory = 1\n\
    move = \"(q1 = p1 & p2 != 1 | q0 = p0 & p2 != 2 | p0+q1 = p1+q0 & p2 != 3) & q2 <= 3\"\n";

fn game(text: &str) -> Box<dyn Game> {
    RuleFile::parse(text).unwrap().game()
}

fn settle(text: &str, automaton: &Acceptor) -> Verdict {
    settle_automaton(&*game(text), Play::Normal, automaton, &Budget::default()).unwrap()
}

/// The automaton says what brute force says of all positions up to these.
fn holds(text: &str, most: &[u64], automaton: &Acceptor) {
    let mut brute = Brute::new(text, most, Play::Normal);
    let mut seen = [0; 2];
    for p in boxed(most) {
        let is_p = brute.is_p(&p);
        assert_eq!(automaton.holds(&p), is_p, "{p:?}");
        seen[usize::from(is_p)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 3), "{seen:?}");
}

/// The automaton of the P-positions, learned from brute force up to these numbers, and its
/// certificate.
fn proved(text: &str, most: &[u64]) -> (String, Acceptor) {
    let brute = std::cell::RefCell::new(Brute::new(text, most, Play::Normal));
    proved_as(text, most, most.into(), &|p| brute.borrow_mut().is_p(p))
}

/// The same learned from outcomes up to some numbers, which are given. The certificate is of moves
/// in two steps.
fn proved_as(
    text: &str,
    most: &[u64],
    learned_to: Vec<u64>,
    is_p: &dyn Fn(&[u64]) -> bool,
) -> (String, Acceptor) {
    let learned = learn::<std::convert::Infallible>(
        Reading { digits: DigitSystem::to_base(2), heaps: most.len() },
        60,
        &mut |p| Ok(is_p(p)),
        &mut |automaton| Ok(automaton.least_wrong(&learned_to, &is_p)),
    );
    let Ok(Learned::Automaton(found)) = learned else { panic!("{learned:?}") };
    let automaton = Acceptor {
        digits: DigitSystem::to_base(2),
        tracks: most.len(),
        next: found.next.iter().map(|row| row.iter().map(|to| *to as u32).collect()).collect(),
        accepts: found.accepts,
    };
    holds(text, most, &automaton);
    let verdict = settle(text, &automaton);
    let Verdict::Proved(Proved::Theorem(theorem)) = verdict else { panic!("{text}: {verdict:?}") };
    check(&theorem.certificate).unwrap();
    let certificate = theorem.certificate.to_string();
    assert!(certificate.contains("\nremembers "), "{certificate}");
    (certificate, automaton)
}

/// Outcomes of Nim on two heaps with this many options forbidden, played with no formula: heaps are
/// worth leaving if no more of their options are, and those are to be forbidden.
fn forbidding(count: usize) -> impl Fn(&[u64]) -> bool {
    const MAX_HEAP: usize = 127;
    let mut left = vec![vec![false; MAX_HEAP + 1]; MAX_HEAP + 1];
    let worth = |left: &[Vec<bool>], a: usize, b: usize| -> Vec<[u64; 2]> {
        let options = (0..a).map(|x| [x, b]).chain((0..b).map(|y| [a, y]));
        options.filter(|[x, y]| left[*x][*y]).map(|[x, y]| [x as u64, y as u64]).collect()
    };
    for a in 0..=MAX_HEAP {
        for b in 0..=MAX_HEAP {
            left[a][b] = worth(&left, a, b).len() <= count;
        }
    }
    move |p| {
        worth(&left, p[0] as usize, p[1] as usize)
            .iter()
            .all(|q| p[2..].chunks(2).any(|own| own == q))
    }
}

/// From the rules alone.
#[test]
fn what_is_worth_leaving_is_learned() {
    let game = game(TWO);
    let stated = game.heap_game().unwrap();
    let budget = Budget::default();
    let mut tables = Tables::new(&*game, &stated, Play::Normal, &budget, &|_| {});
    tables.max = Some(3);
    let line = follow(&tables);
    let PipelineOutcome::Proved(proof) = &line.ending else { panic!("{:?}", line.ending) };
    check(&proof.certificate).unwrap();
    assert!(proof.certificate.to_string().contains("\nremembers "));
    let automaton = line.automaton().unwrap();
    holds(TWO, &[2, 2, 2, 2, 2, 1], &automaton);
    let is_p = forbidding(2);
    let mut seen = [0; 2];
    for p in boxed(&[6; 6]) {
        assert_eq!(automaton.holds(&p), is_p(&p), "{p:?}");
        seen[usize::from(is_p(&p))] += 1;
    }
    assert!(seen.iter().all(|count| *count > 500), "{seen:?}");
}

#[test]
fn automata_of_moves_in_two_steps_are_proved() {
    proved_as(NIM, &[6, 6, 6, 6], [15; 4].into(), &forbidding(1));
    proved(DIRECTIONS, &[20, 20, 7]);
}

/// Every automaton that differs in one mark or transition, and accepts something else, is refuted;
/// by the rules its counterexample is one, and no position with fewer digits is.
#[test]
fn wrong_automata_are_refuted_by_least_positions() {
    let (_, right) = proved(SUBTRACTION, &[127, 7]);
    let brute = Brute::new(SUBTRACTION, &[255, 7], Play::Normal);
    let all = boxed(&[127, 7]);
    let options: Vec<Vec<Vec<u64>>> = all.iter().map(|p| brute.options(p)).collect();
    let mut refuted = 0;
    let mut put = |wrong: &Acceptor| {
        let verdict = settle(SUBTRACTION, wrong);
        let Verdict::Refuted(found) = verdict else {
            assert!(all.iter().all(|p| wrong.holds(p) == right.holds(p)), "{verdict:?}");
            return;
        };
        let Failure::Position(found) = found.counterexample else { panic!("a position") };
        let own = brute.options(&found.position);
        match &found.option {
            Some((_, option)) => {
                assert!(wrong.holds(&found.position) && wrong.holds(option), "{found}");
                assert!(own.contains(option), "{found}");
            }
            None => {
                assert!(
                    !wrong.holds(&found.position) && own.iter().all(|q| !wrong.holds(q)),
                    "{found}"
                );
            }
        }
        let digits =
            |p: &[u64]| p.iter().map(|x| x.checked_ilog2().map_or(0, |last| last + 1)).max();
        let fewer = all.iter().zip(&options).filter(|(p, _)| digits(p) < digits(&found.position));
        for (p, options) in fewer {
            assert_eq!(wrong.holds(p), options.iter().all(|q| !wrong.holds(q)), "{found}: {p:?}");
        }
        refuted += 1;
    };
    let states = right.next.len();
    for state in 0..states {
        let mut wrong = right.clone();
        wrong.accepts[state] = !wrong.accepts[state];
        put(&wrong);
        for column in (0..right.columns()).filter(|column| (state, *column) != (0, 0)) {
            for to in [0, (state + column) % states] {
                let mut wrong = right.clone();
                wrong.next[state][column] = to as u32;
                put(&wrong);
            }
        }
    }
    assert!(refuted > 50, "{refuted}");
}

/// A certificate with another mark of a state, without a set, or of other rules is none.
#[test]
fn wrong_certificates_are_rejected() {
    let (text, _) = proved(SUBTRACTION, &[127, 7]);
    let body = text.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
    assert!(check(&again(&body)).is_ok());
    let lines: Vec<&str> = body.lines().collect();
    let mut marks = 0;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with(['!', '-'])) {
        let other = match line.strip_prefix('!') {
            Some(rest) => format!("-{rest}"),
            None => line.replacen('-', "!", 1),
        };
        let mut changed: Vec<&str> = lines.clone();
        changed[at] = &other;
        assert!(check(&again(&(changed.join("\n") + "\n"))).is_err(), "line {at}: {line}");
        marks += 1;
    }
    assert!(marks > 20, "{marks}");
    let heads: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].starts_with("sets ")).collect();
    assert_eq!(heads.len(), 4, "what is remembered, and three takings");
    for head in heads {
        // The first set is that of the empty position.
        let count: usize = lines[head].strip_prefix("sets ").unwrap().parse().unwrap();
        let fewer = format!("sets {}", count - 1);
        let mut changed = lines.clone();
        changed[head] = &fewer;
        changed.remove(head + 1);
        assert!(check(&again(&(changed.join("\n") + "\n"))).is_err(), "{head}");
    }
    for (one, other) in [
        ("p0 = q0 + 4", "p0 = q0 + 5"),
        ("p1 != 3", "p1 != 2"),
        ("q1 = 0 | ", ""),
        // What is remembered depends on the position.
        ("q1 = 4)", "q1 = p0)"),
        // An alternative more.
        ("p1 != 4)", "p1 != 4 | p0 = q0 + 9)"),
        // In misère play.
        ("claim: P iff", "claim: in misere play P iff"),
    ] {
        let changed = body.replacen(one, other, 1);
        assert_ne!(changed, body, "{one}");
        assert!(check(&again(&changed)).is_err(), "{other}");
    }
}

//! Games in which the positions determine a number: theorems against brute force from the rules
//! alone, written down here once more, and certificates and automata with a wrong determination,
//! which must not pass.
#![allow(clippy::unwrap_used, reason = "a test")]

mod sealed;

use bouton_check::check;
use bouton_core::{Budget, Claim, DigitSystem, Formula, Meter, Moves, Play};
use bouton_engine::Game;
use bouton_games::{RuleFile, without_dependent};
use bouton_prover::{Acceptor, acceptor_of};
use bouton_study::{Failure, PipelineOutcome, Tables, Verdict, follow, settle_automaton};
use sealed::again;
use std::collections::{BTreeMap, HashSet};

/// A move from heaps a, b to u, v.
type Move = (&'static str, fn([u64; 2], [u64; 2]) -> bool);
/// What a third number c is.
type Third = (&'static str, fn([u64; 2]) -> u64);

const MOVES: [Move; 5] = [
    ("u < a & v = b | v < b & u = a", |[a, b], [u, v]| u < a && v == b || v < b && u == a),
    ("u < a & a <= u+2 & v = b | v < b & b <= v+2 & u = a", |[a, b], [u, v]| {
        u < a && a <= u + 2 && v == b || v < b && b <= v + 2 && u == a
    }),
    ("u+1 = a & v = b | v+1 = b & u = a | u+1 = a & v+1 = b", |[a, b], [u, v]| {
        u + 1 == a && v == b || v + 1 == b && u == a || u + 1 == a && v + 1 == b
    }),
    ("u+1 = a & v = b | u+3 = a & v = b | v+2 = b & u = a", |[a, b], [u, v]| {
        v == b && (u + 1 == a || u + 3 == a) || v + 2 == b && u == a
    }),
    ("u < a & v = b | v+1 = b & u = a", |[a, b], [u, v]| u < a && v == b || v + 1 == b && u == a),
];

const THIRDS: [Third; 6] = [
    ("c = a+b", |[a, b]| a + b),
    ("c = a+2*b", |[a, b]| a + 2 * b),
    ("c = 2*a+b+1", |[a, b]| 2 * a + b + 1),
    ("c = b", |[_, b]| b),
    ("c = 1 & a > b | c = 0 & a <= b", |[a, b]| u64::from(a > b)),
    ("c+b = a | c+a = b", |[a, b]| a.abs_diff(b)),
];

/// The greatest heap looked at, and the greatest third number there.
const MAX_HEAP: u64 = 8;
const MAX_THIRD: u64 = 3 * MAX_HEAP + 1;

/// Puts these in the place of a, b, c, u, v and w.
fn put(text: &str, names: [&str; 6]) -> String {
    let letter =
        |c: char| "abcuvw".find(c).map_or_else(|| c.to_string(), |at| names[at].to_owned());
    text.chars().map(letter).collect()
}

const BEFORE: [&str; 6] = ["p0", "p1", "p2", "q0", "q1", "q2"];
const AFTER: [&str; 6] = ["q0", "q1", "q2", "?", "?", "?"];

fn file(own: &Move, third: &Third) -> String {
    format!(
        "name = \"third\"\nheaps = 2\nmemory = 1\npositions = \"{}\"\nmove = \"({}) & ({})\"\n",
        put(third.0, BEFORE),
        put(own.0, BEFORE),
        put(third.0, AFTER)
    )
}

/// Returns the game as certificates name it, in which the third number is one thing before a move
/// and another one after it.
fn named(own: &Move, before: &Third, after: &Third) -> String {
    let moves = format!(
        "({}) & ({}) & ({})",
        put(own.0, BEFORE),
        put(after.0, AFTER),
        put(before.0, BEFORE)
    );
    let moves = Formula::parse_over(&moves, &Moves::names(3)).unwrap();
    format!("rules(2+1;none;binary;{moves})")
}

/// Returns the P-positions of that game in a box: a position has moves only if its third number is
/// the one before a move.
fn lost(own: &Move, before: &Third, after: &Third) -> HashSet<[u64; 3]> {
    // By the heaps: from a position of these with the right third number, does the mover lose?
    let mut loses: BTreeMap<[u64; 2], bool> = BTreeMap::new();
    let mut heaps: Vec<[u64; 2]> =
        (0..=MAX_HEAP).flat_map(|a| (0..=MAX_HEAP).map(move |b| [a, b])).collect();
    heaps.sort_by_key(|p| p[0] + p[1]);
    for p in &heaps {
        let is_option = |q: &&[u64; 2]| q[0] <= p[0] && q[1] <= p[1] && *q != p && own.1(*p, **q);
        let is_lost = |q: &[u64; 2]| before.1(*q) != after.1(*q) || loses[q];
        let won = heaps.iter().filter(is_option).any(is_lost);
        loses.insert(*p, !won);
    }
    let all = heaps.iter().flat_map(|p| (0..=MAX_THIRD).map(|c| [p[0], p[1], c]));
    all.filter(|[a, b, c]| before.1([*a, *b]) != *c || loses[&[*a, *b]]).collect()
}

fn boxed() -> impl Iterator<Item = [u64; 3]> {
    (0..=MAX_HEAP)
        .flat_map(|a| (0..=MAX_HEAP).flat_map(move |b| (0..=MAX_THIRD).map(move |c| [a, b, c])))
}

/// A theorem of the study of a game with a third number.
struct ThirdTheorem {
    game: Box<dyn Game>,
    certificate: String,
    /// All that it says is P.
    automaton: Acceptor,
}

fn proved(own: &Move, third: &Third) -> ThirdTheorem {
    let text = file(own, third);
    let game = RuleFile::parse(&text).unwrap().game();
    assert!(without_dependent(&*game, &Budget::default()).is_some(), "{text}");
    let stated = game.heap_game().unwrap();
    let line = follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}));
    let PipelineOutcome::Proved(proof) = &line.ending else { panic!("{text}: {:?}", line.ending) };
    let certificate = proof.certificate.to_string();
    let said = line_of(&certificate, "claim: ");
    let formula =
        said.strip_prefix("P iff ").and_then(|said| said.strip_suffix(", up to symmetry"));
    let automaton = match formula {
        Some(formula) => {
            let claim = Claim::parse(formula, 3).unwrap();
            let meter = &mut Meter::new(&Budget::default());
            acceptor_of(claim.formula(), DigitSystem::to_base(2), meter)
                .unwrap()
                .with_tracks(3)
                .minimal(meter)
                .unwrap()
        }
        None => line.automaton().unwrap(),
    };
    ThirdTheorem { game, certificate, automaton }
}

fn line_of<'t>(certificate: &'t str, head: &str) -> &'t str {
    certificate.lines().find_map(|line| line.strip_prefix(head)).unwrap()
}

/// Every theorem is what the rules say. Its proof is not taken for another game, in which the third
/// number is another one before a move or after it, nor its claim with the proof of another one.
#[test]
fn another_determination_is_refused() {
    let mut refused = 0;
    for own in &MOVES {
        let all: Vec<ThirdTheorem> = THIRDS.iter().map(|third| proved(own, third)).collect();
        for (third, one) in THIRDS.iter().zip(&all) {
            let truth = lost(own, third, third);
            check(&one.certificate).unwrap();
            assert_eq!(line_of(&one.certificate, "game: "), named(own, third, third));
            for p in boxed() {
                assert_eq!(one.automaton.holds(&p), truth.contains(&p), "{own:?} {third:?}: {p:?}");
            }
            let game = format!("game: {}\n", line_of(&one.certificate, "game: "));
            for before in &THIRDS {
                for after in &THIRDS {
                    let other = lost(own, before, after);
                    if other == truth {
                        continue;
                    }
                    let changed = one
                        .certificate
                        .replace(&game, &format!("game: {}\n", named(own, before, after)));
                    assert!(check(&resealed(&changed)).is_err(), "{changed}");
                    refused += 1;
                }
            }
            let claim = format!("claim: {}\n", line_of(&one.certificate, "claim: "));
            for another in &all {
                let other = format!("claim: {}\n", line_of(&another.certificate, "claim: "));
                if another.automaton != one.automaton && other != claim {
                    let changed = one.certificate.replace(&claim, &other);
                    assert!(check(&resealed(&changed)).is_err(), "{changed}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// Returns a certificate of either version with a seal that fits.
fn resealed(certificate: &str) -> String {
    let (first, rest) = certificate.split_once('\n').unwrap();
    let sealed =
        again(&format!("bouton certificate 1\n{}", rest.rsplit_once("sha256: ").unwrap().0));
    assert_eq!(sealed.split_once('\n').unwrap().0, first);
    sealed
}

/// Returns the least of some positions by their tokens, then by their numbers.
fn least<'p>(all: impl Iterator<Item = &'p [u64; 3]>) -> Option<&'p [u64; 3]> {
    all.min_by_key(|p| (p.iter().sum::<u64>(), **p))
}

/// Automata of the whole game with one state's output or one follower changed are refuted, by
/// positions of which the rules say so. So is the automaton of the same game with another number
/// in the third place.
#[test]
fn wrong_automata_are_refuted() {
    let mut refuted = 0;
    for own in [&MOVES[0], &MOVES[1], &MOVES[3]] {
        let all: Vec<ThirdTheorem> = THIRDS.iter().map(|third| proved(own, third)).collect();
        for (at, (third, one)) in THIRDS.iter().zip(&all).enumerate() {
            let truth = lost(own, third, third);
            let right = &one.automaton;
            let mut wrong: Vec<Acceptor> = all
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, other)| other.automaton.clone())
                .collect();
            for state in 0..right.next.len() {
                let mut output = right.clone();
                output.accepts[state] = !output.accepts[state];
                let mut follower = right.clone();
                let column = 1 + state % (right.columns() - 1);
                let to = &mut follower.next[state][column];
                *to = (*to + 1) % right.next.len() as u32;
                wrong.extend([output, follower]);
            }
            for wrong in wrong {
                let differing: Vec<[u64; 3]> =
                    boxed().filter(|p| wrong.holds(p) != truth.contains(p)).collect();
                let settled =
                    settle_automaton(&*one.game, Play::Normal, &wrong, &Budget::default()).unwrap();
                let Verdict::Refuted(found) = &settled else {
                    assert!(differing.is_empty(), "{}: {settled:?}", file(own, third));
                    continue;
                };
                refuted += 1;
                let Failure::Position(found) = &found.counterexample else { panic!("a position") };
                let p: [u64; 3] = found.position.clone().try_into().unwrap();
                let inside =
                    |p: &[u64; 3]| p[0] <= MAX_HEAP && p[1] <= MAX_HEAP && p[2] <= MAX_THIRD;
                // A position that is claimed with a claimed option, or neither it nor any option.
                let claimed = wrong.holds(&p);
                let options = options(own, third, p);
                match &found.option {
                    Some((_, option)) => {
                        let option: [u64; 3] = option.clone().try_into().unwrap();
                        assert!(
                            claimed && wrong.holds(&option) && options.contains(&option),
                            "{found}"
                        );
                    }
                    None => assert!(!claimed && !options.iter().any(|q| wrong.holds(q)), "{found}"),
                }
                if let Some(first) = least(differing.iter())
                    && inside(&p)
                {
                    assert!(p.iter().sum::<u64>() >= first.iter().sum(), "{found}, {first:?}");
                }
            }
        }
    }
    assert!(refuted > 300, "{refuted}");
}

/// Returns the options of a position by the rules alone.
fn options(own: &Move, third: &Third, [a, b, c]: [u64; 3]) -> Vec<[u64; 3]> {
    if third.1([a, b]) != c {
        return Vec::new();
    }
    let all = (0..=a).flat_map(|u| (0..=b).map(move |v| [u, v]));
    all.filter(|q| *q != [a, b] && own.1([a, b], *q)).map(|q| [q[0], q[1], third.1(q)]).collect()
}

/// Where two positions that occur differ in the third number alone, nothing is left out, however
/// rare they are; and what is proved is what the rules say.
#[test]
fn a_number_that_is_not_determined_stays() {
    for (spare, is_spare) in [
        ("p2 = 0 & p0 = 3 & p1 = 3", (|[a, b, c]| [a, b, c] == [3, 3, 0]) as fn([u64; 3]) -> bool),
        ("p2 = p0+p1+1 & p0 = 2", |[a, b, c]| a == 2 && c == a + b + 1),
        ("p2 = p0+p1+1 & p0 >= 5 & p1 >= 5", |[a, b, c]| a >= 5 && b >= 5 && c == a + b + 1),
    ] {
        let text = format!(
            "name = \"third\"\nheaps = 2\nmemory = 1\npositions = \"p2 = p0+p1 | {spare}\"\n\
             move = \"(q0 < p0 & q1 = p1 | q1 < p1 & q0 = p0) & q2 = q0+q1\"\n"
        );
        let game = RuleFile::parse(&text).unwrap().game();
        if let Some(seen) = without_dependent(&*game, &Budget::default()) {
            assert_ne!(seen.number, 2, "{text}");
            // Another number that is left out is the same in all that occur with the same others.
            let occurs = |p: [u64; 3]| p[2] == p[0] + p[1] || is_spare(p);
            let mut known = HashSet::new();
            for mut p in boxed().filter(|p| occurs(*p)) {
                p[seen.number] = u64::MAX;
                assert!(known.insert(p), "{text}: {p:?}");
            }
        }
        let stated = game.heap_game().unwrap();
        let line = follow(&Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {}));
        let PipelineOutcome::Proved(proof) = &line.ending else {
            panic!("{text}: {:?}", line.ending)
        };
        check(&proof.certificate).unwrap();
        // Nim on two heaps.
        let table = Tables::new(&*game, &stated, Play::Normal, &Budget::default(), &|_| {});
        let table = table.make(3, 12).unwrap().table;
        for p in
            boxed().filter(|p| (p[2] == p[0] + p[1] || is_spare(*p)) && p.iter().all(|x| *x <= 12))
        {
            assert_eq!(table.is_p(&p.map(|x| x as i64)), p[0] == p[1], "{text}: {p:?}");
        }
    }
}

//! Rule files whose formulas state steps that raise a heap: refused with the least of them, by
//! brute force from the formula alone; of all others the game has the steps of the formula that
//! raise none and take something.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Formula, Moves, Outcome, Play};
use bouton_engine::game::Settings;
use bouton_games::{NoMove, RuleFile, RuleFileError};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow::Continue;

fn file(more: &str, moves: &str) -> String {
    format!("name = \"x\"\n{more}\nmove = \"{moves}\"\n")
}

/// Returns the step that a file is refused for.
fn raised(more: &str, moves: &str) -> Option<(String, String)> {
    match RuleFile::parse(&file(more, moves)) {
        Ok(_) => None,
        Err(RuleFileError::Raises { from, to, .. }) => Some((from, to)),
        Err(other) => panic!("{moves}: {other}"),
    }
}

/// Returns the options of a position of the game.
fn options(rules: &RuleFile, p: &[u64]) -> BTreeSet<Vec<u64>> {
    let game = rules.game();
    let mut graph = game.graph();
    let text: Vec<String> = p.iter().map(u64::to_string).collect();
    let node = graph.read(&text.join(",")).unwrap();
    let found: Vec<u32> = graph.options(node).unwrap().to_vec();
    found
        .iter()
        .map(|node| graph.print(*node).split(',').map(|n| n.parse().unwrap()).collect())
        .collect()
}

/// Returns every tuple of this many numbers, none above `most`.
fn boxed(count: usize, most: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .iter()
            .flat_map(|one: &Vec<u64>| (0..=most).map(|n| [&one[..], &[n]].concat()))
            .collect();
    }
    all
}

fn pairs(p: &[u64], q: &[u64]) -> Vec<u64> {
    p.iter().zip(q).flat_map(|(p, q)| [*p, *q]).collect()
}

/// Returns the steps of which the formula holds, no heap raised, something taken.
fn by_trying(formula: &Formula, p: &[u64]) -> BTreeSet<Vec<u64>> {
    let below = boxed(p.len(), p.iter().copied().max().unwrap_or(0));
    let falls = |q: &Vec<u64>| q != p && q.iter().zip(p).all(|(q, p)| q <= p);
    below.into_iter().filter(|q| falls(q) && formula.holds(&pairs(p, q)) == Ok(true)).collect()
}

/// A step that a formula states is not lost: each of these is told with its least example, found by
/// hand.
#[test]
fn steps_that_raise_a_heap_are_refused() {
    let two = "heaps = 2";
    for (more, moves, from, to) in [
        // Empty one box, divide the other.
        (
            "heaps = 2\nsymmetry = \"full\"",
            "q0 >= 1 & q1 >= 1 & (q0+q1 = p0 | q0+q1 = p1)",
            "0,2",
            "1,1",
        ),
        (two, "q0+q1 = p0", "1,0", "0,1"),
        // A staircase: tokens go one step down.
        (two, "E x: x >= 1 & q0+x = p0 & q1 = p1+x | q0 = p0 & q1 < p1", "1,0", "0,1"),
        (two, "q0 = p0 & q1 < p1 | q0 < p0 & p0+p1 = q0+q1", "1,0", "0,1"),
        // Heaps merge.
        (two, "q0 = p0+p1 & q1 = 0 | q0 < p0 & q1 = p1", "0,1", "1,0"),
        ("heaps = 3", "q1 = p1 & q2 = p2 | q0 = 0 & q1+1 = p0+p1 & q2 = p2", "2,0,0", "0,1,0"),
        // Binary digits change.
        ("heaps = 1", "q0 = (p0 xor 3)", "0", "3"),
        ("heaps = 1", "q0 = (p0 xor 1) | q0+2 = p0", "0", "1"),
        // One alternative among others.
        (two, "q0 = p0 | q1 = p1 | p0+q1 = p1+q0 | q0+1 = p0 & q1 <= p1+1", "1,0", "0,1"),
        ("heaps = 1", "q0+1 = p0 | q0 <= p0+1 & q0 mod 2 = 1", "0", "1"),
        // Large heaps only.
        ("heaps = 1", "q0+1 = p0 | p0 >= 300 & (q0+2 = p0 | q0 = p0+5)", "300", "305"),
        (two, "q0 = p0 & q1 < p1 | q1 = p1 & (q0+1 = p0 | p0 = 70 & q0 = 99)", "70,0", "99,0"),
        // Behind quantifiers.
        ("heaps = 1", "E x: x >= 1 & x <= 2 & (q0+x = p0 | q0 = p0+x)", "0", "1"),
        ("heaps = 1", "A x: x > p0+2 => q0 < x & (q0 != p0)", "0", "1"),
        // What is remembered may grow, a heap may not.
        ("heaps = 1\nmemory = 1", "q1 = p0 & (q0+1 = p0 | p1 = 4 & q0 = p0+1)", "0,4", "1,0"),
        ("heaps = 2\nmemory = 1", "q0+q1 = p0 & p1 = 0 & q2 = p2", "1,0,0", "0,1,0"),
        // On a ring.
        (
            "heaps = 3\nsymmetry = \"ring\"",
            "q0 < p0 & p0+p1 = q0+q1 & q2 = p2 | q0 < p0 & p0+p2 = q0+q2 & q1 = p1 | q1 < p1 & \
             p1+p2 = q1+q2 & q0 = p0 | q1 < p1 & p1+p0 = q1+q0 & q2 = p2 | q2 < p2 & p2+p0 = \
             q2+q0 & q1 = p1 | q2 < p2 & p2+p1 = q2+q1 & q0 = p0 | q0 < p0 & q1 = p1 & q2 = p2 | \
             q1 < p1 & q0 = p0 & q2 = p2 | q2 < p2 & q0 = p0 & q1 = p1",
            "0,0,1",
            "0,1,0",
        ),
        // In other digits.
        (
            "heaps = 2\ndigits = \"zeckendorf\"",
            "q0 = p0 | q1 = p1 | q1 = p0 & q0 = 0",
            "1,0",
            "0,1",
        ),
        ("heaps = 1\ndigits = \"zeckendorf\"", "q0 < p0 | q0 = shift(p0)", "1", "2"),
        // A bound that is far away is one.
        ("heaps = 1", "p0 <= 2*q0 & q0 <= 40", "0", "1"),
    ] {
        let expected = Some((from.to_owned(), to.to_owned()));
        // A formula or an alternative of which no step is a move is refused as such, with a step.
        match RuleFile::parse(&file(more, moves)) {
            Err(RuleFileError::NoMovesBy(_, why) | RuleFileError::NoMoves(why)) => {
                assert!(matches!(why, NoMove::OtherSteps { .. }), "{moves}: {why}");
            }
            _ => assert_eq!(raised(more, moves), expected, "{moves}"),
        }
    }
}

/// What is to be written is told, and then it is a game.
#[test]
fn the_bounds_that_are_told_are_enough() {
    let moves = "q0 >= 1 & q1 >= 1 & (q0+q1 = p0 | q0+q1 = p1)";
    let error = RuleFile::parse(&file("heaps = 2", moves)).unwrap_err();
    let told = "`q0 >= 1 & q1 >= 1 & q0 + q1 = p1` holds of 0,2 → 1,1, which raises a heap, and \
                says how far it may grow; no heap of a rule file grows: if such steps are not \
                meant, write move = \"(…) & q0 <= p0 & q1 <= p1\"; if they are, say what falls \
                with every move, as falls = \"p0+p1\"";
    assert_eq!(error.to_string(), told);
    let rules =
        RuleFile::parse(&file("heaps = 2", &format!("({moves}) & q0 <= p0 & q1 <= p1"))).unwrap();
    assert_eq!(options(&rules, &[1, 4]), BTreeSet::from([vec![1, 3]]));
}

/// The quantity that is named as an example is one over the heaps of the file.
#[test]
fn the_example_of_what_falls_is_over_the_heaps() {
    for (heaps, moves, example) in [
        ("heaps = 1", "p0 xor q0 = 1", "falls = \"100-p0\""),
        ("heaps = 2", "q0 >= 1 & q1 >= 1 & (q0+q1 = p0 | q0+q1 = p1)", "falls = \"p0+p1\""),
        (
            "heaps = 3",
            "q1 = p1 & q2 = p2 | q0 = 0 & q1+1 = p0+p1 & q2 = p2",
            "falls = \"p0+p1+p2\"",
        ),
    ] {
        let error = RuleFile::parse(&file(heaps, moves)).unwrap_err().to_string();
        assert!(error.contains(example), "{moves}: {error}");
    }
}

/// Formulas that set no bound to a heap keep their games: that no heap grows goes without saying.
#[test]
fn what_goes_without_saying_is_not_asked_for() {
    for (more, moves) in [
        ("heaps = 1", "p0 <= 2*q0"),
        ("heaps = 1", "(p0+q0) mod 2 = 0"),
        ("heaps = 1", "q0 != p0"),
        ("heaps = 2", "q0 = p0 | q1 = p1 | p0+q1 < q0+p1+3 & q0+p1 < p0+q1+3"),
        ("heaps = 2", "p0+p1 <= q0+q1+2"),
        ("heaps = 2", "p0+q1 != p1+q0"),
        ("heaps = 3", "q0 = p0 | q1 = p1 & q2 = p2"),
        // Which positions there are bounds no step.
        (
            "heaps = 3",
            "(p0+p1+p2) mod 2 = 0 & (q0+q1+q2) mod 2 = 0 & p0 <= p1+p2 & p1 <= p0+p2 & p2 <= \
             p0+p1 & q0 <= q1+q2 & q1 <= q0+q2 & q2 <= q0+q1 & (q0 = p0 & q1 = p1 | q0 = p0 & q2 \
             = p2 | q1 = p1 & q2 = p2)",
        ),
        ("heaps = 2", "p0 >= p1 & q1 <= q0 & (q0 = p0 | q1 = p1)"),
        ("heaps = 2", "p0 <= 9 & q0 <= 9 & (q0 = p0 | q1 = p1)"),
        ("heaps = 2", "(E x: p1+2*x = p0) & (E y: q1+2*y = q0) & (q0 = p0 | q1 = p1)"),
        // A step that changes nothing is nobody's.
        ("heaps = 2", "(q0+1 = p0 | q0 = 0 & p0 = 0) & (q1+1 = p1 | q1 = 0 & p1 = 0)"),
    ] {
        let rules =
            RuleFile::parse(&file(more, moves)).unwrap_or_else(|error| panic!("{moves}: {error}"));
        let heaps = rules.game().heap_game().unwrap().heaps;
        let formula = Formula::parse_over(moves, &Moves::names(heaps)).unwrap();
        for p in boxed(heaps, if heaps == 3 { 3 } else { 6 }) {
            assert_eq!(options(&rules, &p), by_trying(&formula, &p), "{moves} at {p:?}");
        }
    }
}

/// An alternative of which no step is a move is refused inside a conjunction, too.
#[test]
fn alternatives_without_a_move_are_told_wherever_they_stand() {
    let refused = |more: &str, moves: &str| match RuleFile::parse(&file(more, moves)) {
        Err(RuleFileError::NoMovesBy(part, why)) => (part, why),
        other => panic!("{moves}: {other:?}"),
    };
    let (part, why) = refused("heaps = 1", "p0 >= 1 & (q0 < p0 | q0 > p0)");
    assert_eq!(part, "p0 >= 1 & q0 > p0");
    assert_eq!(why, NoMove::OtherSteps { from: "1".into(), to: "2".into() });
    // A pass, which takes nothing and changes what is remembered.
    let (part, _) = refused(
        "heaps = 1\nmemory = 1",
        "p1 <= 1 & (q0 < p0 & q1 = p1 | p1 = 1 & q1 = 0 & q0 = p0)",
    );
    assert_eq!(part, "p1 <= 1 & p1 = 1 & q1 = 0 & q0 = p0");
    // The last of many alternatives is looked at, too.
    let many: Vec<String> = (1..90).map(|n| format!("q0+{n} = p0")).collect();
    let (part, _) = refused("heaps = 1", &format!("{} | q0 = p0", many.join(" | ")));
    assert_eq!(part, "q0 = p0");
}

type Test = fn(&[i64; 4], i64) -> bool;

/// Conditions on p0, q0, p1, q1 and a small number, with what they mean.
const CONDITIONS: [(&str, Test); 26] = [
    ("q0+K = p0", |[p, q, ..], k| q + k == *p),
    ("q1+K = p1", |[.., p, q], k| q + k == *p),
    ("q0 = p0", |[p, q, ..], _| q == p),
    ("q1 = p1", |[.., p, q], _| q == p),
    ("q0 < p0", |[p, q, ..], _| q < p),
    ("q1 < p1", |[.., p, q], _| q < p),
    ("q0 = p0+K", |[p, q, ..], k| *q == p + k),
    ("q1 <= p1+K", |[.., p, q], k| *q <= p + k),
    ("p0 <= q0+K", |[p, q, ..], k| *p <= q + k),
    ("p1 <= 2*q1+K", |[.., p, q], k| *p <= 2 * q + k),
    ("2*q0 <= p0+K", |[p, q, ..], k| 2 * q <= p + k),
    ("q0 = p1", |[_, q, p, _], _| q == p),
    ("q1 = p0 div 2", |[p, _, _, q], _| *q == p / 2),
    ("q0+q1 = p0", |[p, q, _, r], _| q + r == *p),
    ("q0+q1+K = p0+p1", |[p, q, s, r], k| q + r + k == p + s),
    ("q0+q1+K <= p0+p1", |[p, q, s, r], k| q + r + k <= p + s),
    ("p0+p1 <= q0+q1+K", |[p, q, s, r], k| p + s <= q + r + k),
    ("p0+q1 = p1+q0", |[p, q, s, r], _| p + r == s + q),
    ("p0+q1 <= p1+q0+K", |[p, q, s, r], k| p + r <= s + q + k),
    ("q0 >= 1", |[_, q, ..], _| *q >= 1),
    ("q0 != q1", |[_, q, _, r], _| q != r),
    ("q1 mod 2 = 1", |[.., q], _| q % 2 == 1),
    ("p0 >= K", |[p, ..], k| *p >= k),
    ("p1 < 3+K", |[_, _, p, _], k| *p < 3 + k),
    ("q0 = (p0 xor K)", |[p, q, ..], k| *q == p ^ k),
    ("(q1 xor p1) <= K", |[.., p, q], k| q ^ p <= k),
];

/// Positions of this many tokens are looked at, and options with heaps as large as that.
const FROM: u64 = 5;
const TO: u64 = 44;

/// Random formulas: either the least step that raises a heap in a bounded way is told, or there is
/// none and the game has the formula's steps.
#[test]
fn nothing_is_lost_of_random_formulas() {
    let mut drawn = fastrand::Rng::with_seed(1);
    let mut random = |below: u64| drawn.u64(..below);
    let [mut games, mut refused, mut dead] = [0; 3];
    for _ in 0..420 {
        let alternatives: Vec<Vec<(usize, i64)>> = (0..1 + random(3))
            .map(|_| {
                (0..1 + random(3))
                    .map(|_| (random(CONDITIONS.len() as u64) as usize, 1 + random(3) as i64))
                    .collect()
            })
            .collect();
        let said = |(number, k): &(usize, i64)| CONDITIONS[*number].0.replace('K', &k.to_string());
        let texts: Vec<String> = alternatives
            .iter()
            .map(|all| all.iter().map(said).collect::<Vec<_>>().join(" & "))
            .collect();
        let text = texts.join(" | ");
        let holds = |all: &[(usize, i64)], p: &[u64], q: &[u64]| {
            let values = [p[0], q[0], p[1], q[1]].map(|n| n as i64);
            all.iter().all(|(number, k)| CONDITIONS[*number].1(&values, *k))
        };
        // The least step that raises a heap which its alternative bounds: numbers here are bounded
        // well below TO, or not at all.
        let mut expected: Option<(Vec<u64>, Vec<u64>)> = None;
        let order = |one: &[u64]| (one.iter().sum::<u64>(), one.to_vec());
        let mut positions = boxed(2, FROM);
        positions.retain(|p| p.iter().sum::<u64>() <= FROM);
        positions.sort_by_key(|p| order(p));
        let every = boxed(2, TO);
        for p in &positions {
            let mut grown: Vec<&Vec<u64>> = Vec::new();
            for all in &alternatives {
                let steps: Vec<&Vec<u64>> = every.iter().filter(|q| holds(all, p, q)).collect();
                for heap in 0..2 {
                    let most = steps.iter().map(|q| q[heap]).max().unwrap_or(0);
                    assert!(!(TO / 2..TO * 3 / 4).contains(&most), "{text}: TO is too small");
                    if most < TO / 2 {
                        grown.extend(steps.iter().filter(|q| q[heap] > p[heap]));
                    }
                }
            }
            if let Some(q) = grown.into_iter().min_by_key(|q| order(q)) {
                expected = Some((p.clone(), q.clone()));
                break;
            }
        }
        let listed = |one: &[u64]| one.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        match RuleFile::parse(&file("heaps = 2", &text)) {
            Ok(rules) => {
                assert_eq!(expected, None, "{text}");
                for p in &positions {
                    let stated = every.iter().filter(|q| {
                        alternatives.iter().any(|all| holds(all, p, q))
                            && *q != p
                            && q.iter().zip(p).all(|(q, p)| q <= p)
                    });
                    assert_eq!(options(&rules, p), stated.cloned().collect(), "{text} at {p:?}");
                }
                games += 1;
            }
            Err(RuleFileError::Raises { from, to, .. }) => {
                match &expected {
                    Some((p, q)) => assert_eq!((from, to), (listed(p), listed(q)), "{text}"),
                    None => {
                        let tokens: u64 = from.split(',').map(|n| n.parse::<u64>().unwrap()).sum();
                        assert!(tokens > FROM, "{text}: {from} → {to}");
                    }
                }
                refused += 1;
            }
            // An alternative of which no step is a move at all.
            Err(RuleFileError::NoMoves(_) | RuleFileError::NoMovesBy(..)) => dead += 1,
            Err(other) => panic!("{text}: {other}"),
        }
    }
    assert!(games > 60 && refused > 60, "{games} games, {refused} refused, {dead} without a move");
}

/// Words of arithmetic: boxes that are swept, or searched where it is not plain that no heap grows,
/// have the outcomes and nim-values of trying every step.
#[test]
fn boxes_under_words_of_arithmetic_are_what_trying_says() {
    let most = 14;
    for moves in [
        "q1 = p1 & q0 >= 1 & q0 < p0 & divides(q0, p0) | q0 = p0 & q1 < p1 & p1 <= 2*q1+5",
        "q1 = p1 & 3*q0+3 < p0 | q0 = p0 & q1 < p1 & divides(p1-q1, p1)",
        "q1 = p1 & p0 > q0 & gcd(p0-q0, p1) <= 2 | q0 = p0 & p1 >= q1+1 & prime(p0+p1-q1)",
        "q1 = p1 & q0+2 = p0 & square(p1) | q0 = p0 & q1 < p1 & q1*q1 <= p0+3",
        "q1 = p1 & q0 < p0 & p0 xor q0 <= p1 & prime(p0) | q0 <= p0 & q1 < p1 & divides(2, p0+q1)",
        // Nothing is said of one heap beside its own size.
        "p0+q1 = p1+q0 & q0 < p0 & prime(p0-q0) | q1 = p1 & q0 < p0",
    ] {
        let rules = RuleFile::parse(&file("heaps = 2", moves)).unwrap();
        let formula = Formula::parse_over(moves, &Moves::names(2)).unwrap();
        let game = rules.game();
        let mut values: HashMap<Vec<u64>, u32> = HashMap::new();
        for play in [Play::Normal, Play::Misere] {
            let mut lost: HashMap<Vec<u64>, bool> = HashMap::new();
            let mut all = boxed(2, most);
            all.sort_by_key(|p| p.iter().sum::<u64>());
            for p in &all {
                let steps = by_trying(&formula, p);
                let is_lost = match play {
                    Play::Misere if steps.is_empty() => false,
                    _ => steps.iter().all(|q| !lost[q]),
                };
                lost.insert(p.clone(), is_lost);
                let below: BTreeSet<u32> =
                    steps.iter().filter_map(|q| values.get(q).copied()).collect();
                values
                    .entry(p.clone())
                    .or_insert_with(|| (0..).find(|v| !below.contains(v)).unwrap());
            }
            let mut session = game.session(Settings { play, ..Settings::default() });
            let mut seen = 0;
            let done = session.table(most as u32, &mut |sizes, outcome| {
                assert_eq!(outcome == Outcome::P, lost[sizes], "{moves}, {play}: {sizes:?}");
                seen += 1;
                Continue(())
            });
            assert_eq!(done, Some(Ok(())), "{moves}");
            assert_eq!(seen, all.len());
        }
        let mut session = game.session(Settings::default());
        for p in boxed(2, most) {
            let text: Vec<String> = p.iter().map(u64::to_string).collect();
            let found = session.evaluate(&text.join(",")).unwrap().unwrap();
            assert_eq!(found.nim_value.map(|value| value.0), Some(values[&p]), "{moves}: {p:?}");
        }
    }
}

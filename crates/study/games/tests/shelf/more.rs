//! More games of the shelf, and heaps of more than 32 bits, against plain recursion over their
//! rules.

use super::{OptionsOf, parse, plain};
use bouton_core::{Budget, Deadline, Outcome, Play};
use bouton_engine::game::{Evaluation, Game, Kind, Settings};
use bouton_games::{check_misere, shelf};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// Evaluates positions of a game.
fn evaluations(name: &str, play: Play) -> impl FnMut(&str) -> Evaluation {
    let game: &'static dyn Game = Box::leak(parse(name).game);
    let mut session = game.session(Settings { play, ..Settings::default() });
    move |position| session.evaluate(position).unwrap().unwrap()
}

fn values(name: &str) -> impl FnMut(&str) -> u32 {
    let mut evaluate = evaluations(name, Play::Normal);
    move |position| evaluate(position).nim_value.unwrap().0
}

/// The one domino on two squares is a move, whatever stopped a request before.
#[test]
fn moves_are_those_of_the_rules_after_a_request_that_was_stopped() {
    let game = parse("cram").game;
    let late = Budget { deadline: Some(Deadline::after(Duration::ZERO)), ..Budget::default() };
    let stopped = game.session(Settings { budget: late, ..Settings::default() }).evaluate("9x9");
    assert!(!stopped.unwrap().is_ok_and(|found| found.outcome.is_some()));
    let mut graph = game.graph();
    let node = graph.read("1x2").unwrap();
    assert_eq!(graph.options(node).unwrap().len(), 1);
}

/// What is said of a position of any game of the shelf follows from the positions to which its
/// moves lead: the outcome in both plays, and the nim-value as the least number that none of them
/// has. Positions in one text with the name, in any capitals, are the same ones.
#[test]
fn answers_follow_from_the_moves() {
    const MOST: usize = 150;
    let mut asked = 0;
    for entry in shelf().games() {
        let named = parse(&entry.name);
        let game = &*named.game;
        // A name may say which play is meant.
        if game.kind() == Kind::Scored || entry.name.ends_with("misere") {
            continue;
        }
        let (mut rng, mut graph) = (fastrand::Rng::with_seed(11), game.graph());
        let mut options_of = |position: &str| graph.options_of(position);
        let mut path = vec![named.opening.unwrap()];
        loop {
            let options = options_of(path.last().unwrap());
            let Some(next) = rng.choice(options) else { break };
            path.push(next);
        }
        // All positions below the last ones of a play, options first.
        let mut below: Vec<(String, Vec<String>)> = Vec::new();
        for position in path.iter().rev() {
            let mut open = vec![position.clone()];
            let mut seen: HashMap<String, usize> =
                below.iter().enumerate().map(|(at, (p, _))| (p.clone(), at)).collect();
            while let Some(p) = open.last().cloned() {
                if seen.contains_key(&p) {
                    open.pop();
                    continue;
                }
                let options = options_of(&p);
                let new: Vec<_> =
                    options.iter().filter(|q| !seen.contains_key(*q)).cloned().collect();
                if new.is_empty() {
                    seen.insert(p.clone(), below.len());
                    below.push((p, options));
                    open.pop();
                } else if below.len() + open.len() > MOST {
                    break;
                } else {
                    open.extend(new);
                }
            }
            if below.len() + open.len() > MOST {
                break;
            }
        }
        let mut values: HashMap<&str, u32> = HashMap::new();
        for (p, options) in &below {
            let met: BTreeSet<u32> = options.iter().map(|q| values[q.as_str()]).collect();
            values.insert(p, (0..).find(|value| !met.contains(value)).unwrap());
        }
        for play in [Play::Normal, Play::Misere] {
            // Misère play of some is another game.
            if play == Play::Misere && check_misere(game, &entry.name).is_err() {
                continue;
            }
            let mut session = game.session(Settings { play, ..Settings::default() });
            let mut is_lost: HashMap<&str, bool> = HashMap::new();
            for (p, options) in &below {
                let wins = options.iter().any(|q| is_lost[q.as_str()])
                    || options.is_empty() && play == Play::Misere;
                is_lost.insert(p, !wins);
                let found = session.evaluate(p).unwrap().unwrap();
                let outcome = if wins { Outcome::N } else { Outcome::P };
                assert_eq!(found.outcome, Some(outcome), "{} {p} {play:?}", entry.name);
                if let (Play::Normal, Some(value)) = (play, found.nim_value) {
                    assert_eq!(value.0, values[p.as_str()], "{} {p}", entry.name);
                }
                asked += 1;
            }
        }
        let (last, _) = below.last().unwrap();
        for name in [entry.name.clone(), entry.name.to_uppercase()] {
            let whole = parse(&format!("{name}:{last}"));
            assert_eq!(whole.position.as_deref(), Some(last.as_str()), "{name}:{last}");
        }
    }
    assert!(asked > 10_000, "{asked}");
}

/// Equal numbers leave two heaps, and come to the third. There are 3 to the number of binary ones
/// of n lost positions with n tokens (A. Fink, A. S. Fraenkel, C. Santos).
#[test]
fn lim() {
    let options = |p: &[u32; 3]| {
        let mut all = Vec::new();
        for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 2, 0]] {
            for k in 1..=p[a].min(p[b]) {
                let mut q = *p;
                (q[a], q[b], q[c]) = (p[a] - k, p[b] - k, p[c] + k);
                all.push(q);
            }
        }
        all
    };
    let (mut known, mut value) = (HashMap::new(), values("lim"));
    for n in 1..7u32 {
        let mut lost = 0;
        for (a, b) in (0..=n).flat_map(|a| (0..=n - a).map(move |b| (a, b))) {
            let found = plain(&[a, b, n - a - b], &options, &mut known);
            assert_eq!(value(&format!("{a},{b},{}", n - a - b)), found, "{a},{b} of {n}");
            lost += usize::from(found == 0);
        }
        assert_eq!(lost, 3usize.pow(n.count_ones()));
    }
}

/// One of two boxes is emptied, the other divided: lost if both numbers are odd (T. S. Ferguson).
#[test]
fn empty_and_divide() {
    let options = |p: &[u32; 2]| {
        let divided = |n: u32| (1..n).map(move |first| [first, n - first]);
        divided(p[0]).chain(divided(p[1])).collect::<Vec<_>>()
    };
    let (mut known, mut value) = (HashMap::new(), values("empty and divide"));
    for (a, b) in (1..13u32).flat_map(|a| (1..13u32).map(move |b| (a, b))) {
        let found = plain(&[a, b], &options, &mut known);
        assert_eq!(value(&format!("{a},{b}")), found, "{a},{b}");
        assert_eq!(found == 0, a % 2 == 1 && b % 2 == 1, "{a},{b}");
    }
}

/// Powers of three are odd, so the values are 0 and 1.
#[test]
fn powers_of_three() {
    let options = |p: &[u32; 1]| {
        let taken = [1, 3, 9, 27, 81].into_iter();
        taken.filter(|taken| *taken <= p[0]).map(|taken| [p[0] - taken]).collect::<Vec<_>>()
    };
    let (mut known, mut value) = (HashMap::new(), values("powers of three"));
    for heap in 0..100u32 {
        let found = plain(&[heap], &options, &mut known);
        assert_eq!((value(&heap.to_string()), found), (heap % 2, heap % 2), "{heap}");
    }
}

/// No two heaps are alike: three heaps that are not empty are lost if their sizes and one have the
/// nim-sum 0 (Andrew Stankevich Contest 22).
#[test]
fn distinct_heaps() {
    let mut evaluate = evaluations("distinct-heaps", Play::Normal);
    for (a, b, c) in
        (1..8u32).flat_map(|a| (1..a).flat_map(move |b| (1..b).map(move |c| (a, b, c))))
    {
        let found = evaluate(&format!("{a},{b},{c}")).outcome.unwrap();
        assert_eq!(found.is_p(), (a + 1) ^ (b + 1) ^ (c + 1) == 0, "{a},{b},{c}");
    }
}

/// Heads on a table of three rows and three columns, as bits.
fn table(options: impl Fn(u32, u32) -> Vec<u32>) -> impl Fn(&u32) -> Vec<u32> {
    move |heads: &u32| {
        let places = (0..3).flat_map(|r| (0..3).map(move |c| (r, c)));
        let turned = places.filter(|(r, c)| heads >> (3 * r + c) & 1 == 1);
        turned.flat_map(|(r, c)| options(r, c)).map(|turn| heads ^ turn).collect()
    }
}

#[test]
fn coins_on_a_table() {
    let bit = |r: u32, c: u32| 1u32 << (3 * r + c);
    let rug = |r: u32, c: u32| {
        let corners = (0..=r).flat_map(move |top| (0..=c).map(move |left| (top, left)));
        let all = |(top, left): (u32, u32)| {
            (top..=r)
                .flat_map(|y| (left..=c).map(move |x| (y, x)))
                .map(|(y, x)| bit(y, x))
                .sum::<u32>()
        };
        corners.map(all).collect::<Vec<u32>>()
    };
    let twins = |r: u32, c: u32| {
        let above = (0..r).map(|y| bit(r, c) | bit(y, c));
        above.chain((0..c).map(|x| bit(r, c) | bit(r, x))).collect::<Vec<u32>>()
    };
    let (rugs, mut known_rugs) = (table(rug), HashMap::new());
    let (pairs, mut known_pairs) = (table(twins), HashMap::new());
    let (mut of_rugs, mut of_twins) = (values("rugs"), values("acrostic-twins"));
    for heads in (1..512u32).step_by(31) {
        let places = (0..9).filter(|at| heads >> at & 1 == 1);
        let text: Vec<String> =
            places.map(|at| format!("[{},{}]", at / 3 + 1, at % 3 + 1)).collect();
        let text = format!("[{}]", text.join(","));
        assert_eq!(of_rugs(&text), plain(&heads, &rugs, &mut known_rugs), "{text}");
        assert_eq!(of_twins(&text), plain(&heads, &pairs, &mut known_pairs), "{text}");
    }
}

/// An element goes with all above it.
#[test]
fn posets() {
    let mut value = values("poset-game");
    for (text, above) in [
        ("1<3,2<3,2<4", vec![(1, 3), (2, 3), (2, 4)]),
        ("1<2<3,4<3,5", vec![(1, 2), (1, 3), (2, 3), (4, 3)]),
        (
            "1<2,1<3,2<4,3<4,4<5",
            vec![(1, 2), (1, 3), (1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)],
        ),
        ("1<2,3<4,1<4,3<2,5<1", vec![(1, 2), (3, 4), (1, 4), (3, 2), (5, 1), (5, 2), (5, 4)]),
    ] {
        let elements: u32 = (1..=5).filter(|e| text.contains(&e.to_string())).map(|e| 1 << e).sum();
        let options = |left: &u32| {
            let each = (1..=5).filter(|element| left >> element & 1 == 1);
            let gone = |element: u32| {
                let over =
                    above.iter().filter(|(low, _)| *low == element).map(|(_, high)| 1u32 << high);
                over.fold(1 << element, |all, one| all | one)
            };
            each.map(|element| left & !gone(element)).collect()
        };
        assert_eq!(value(text), plain(&elements, &options, &mut HashMap::new()), "{text}");
    }
    assert!(parse("poset game").game.normal_form("1<2,2<1").is_err());
}

#[test]
fn cubes_and_triangular_numbers() {
    for (name, may_take) in [
        ("take-a-cube", (1..9usize).map(|k| k * k * k).collect::<Vec<_>>()),
        ("take a triangular number", (1..30).map(|k| k * (k + 1) / 2).collect()),
    ] {
        let (mut value, mut values) = (values(name), Vec::<u32>::new());
        for heap in 0..200usize {
            let options: Vec<u32> = may_take
                .iter()
                .filter(|taken| **taken <= heap)
                .map(|taken| values[heap - taken])
                .collect();
            values.push((0..).find(|value| !options.contains(value)).unwrap());
            assert_eq!(value(&heap.to_string()), values[heap], "{name} {heap}");
        }
    }
}

/// Heaps past 32 bits, whose divisors are few; and sums of them.
#[test]
fn heaps_of_more_than_32_bits() {
    let divisors =
        |n: &u64| (1..200u64).filter(|d| n.is_multiple_of(*d)).flat_map(|d| [d, n / d]).collect();
    let smaller = |n: &u64| {
        let all: Vec<u64> = divisors(n);
        all.into_iter().filter(|d| d < n).collect::<Vec<u64>>()
    };
    let (mut known, mut value) = (HashMap::new(), values("tower-breakers"));
    // All divisors are products of numbers below 200.
    for heap in [1u64 << 33, 3 << 32, 199 * 197 * 193 * 191 * 7] {
        let mut all = BTreeSet::from([heap]);
        while let Some(more) = all.iter().flat_map(&smaller).find(|d| !all.contains(d)) {
            all.insert(more);
        }
        let options =
            |n: &u64| all.iter().copied().filter(|d| d < n && n.is_multiple_of(*d)).collect();
        known.insert(heap, plain(&heap, &options, &mut HashMap::new()));
        assert_eq!(value(&heap.to_string()), known[&heap], "{heap}");
    }
    let heaps: Vec<String> = known.keys().map(u64::to_string).collect();
    let sum = known.values().fold(0, |sum, value| sum ^ value);
    assert_eq!(value(&format!("{},12", heaps.join(","))), sum ^ 3);
}

/// Lost heaps beyond those whose sequence is made, by a sieve here; misère play, too.
#[test]
fn lost_heaps_far_out() {
    const FAR: usize = 1_100_000;
    for play in [Play::Normal, Play::Misere] {
        let mut won = vec![play == Play::Misere; 1];
        won.resize(FAR + 1, false);
        for heap in 0..=FAR {
            if !won[heap] {
                (1..)
                    .map(|k| heap + k * k)
                    .take_while(|to| *to <= FAR)
                    .for_each(|to| won[to] = true);
            }
        }
        let lost = (0..=FAR).rev().find(|heap| !won[*heap]).unwrap();
        let mut evaluate = evaluations("subtract-a-square", play);
        for heap in [FAR, FAR - 1, lost] {
            let found = evaluate(&heap.to_string());
            let expected = if won[heap] { Outcome::N } else { Outcome::P };
            assert_eq!(found.outcome, Some(expected), "{heap} {play:?}");
        }
    }
}

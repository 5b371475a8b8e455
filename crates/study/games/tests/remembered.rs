//! A heap with a memory: the period of its values, proved by the window, against brute force from
//! the rules.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Budget, Outcome, Play};
use bouton_engine::{Game, Settings};
use bouton_games::RuleFile;
use std::collections::BTreeMap;

fn rules(formula: &str, memory: usize) -> Box<dyn Game> {
    let text = format!("name = \"own\"\nheaps = 1\nmemory = {memory}\nmove = \"{formula}\"\n");
    RuleFile::parse(&text).unwrap_or_else(|error| panic!("{formula}: {error}")).game()
}

/// A heap, what is remembered after each way to take from it: the tokens taken, and the new memory.
type Ways = fn(u64, &[u64]) -> Vec<(u64, Vec<u64>)>;

/// Values by the definition; in misère play 1 where whoever is to move wins.
struct Brute(Ways, Play, BTreeMap<(u64, Vec<u64>), u32>);

impl Brute {
    fn value(&mut self, heap: u64, memory: &[u64]) -> u32 {
        if let Some(known) = self.2.get(&(heap, memory.to_vec())) {
            return *known;
        }
        let ways =
            (self.0)(heap, memory).into_iter().filter(|(taken, _)| (1..=heap).contains(taken));
        let all: Vec<(u64, Vec<u64>)> = ways.collect();
        let values: Vec<u32> =
            all.iter().map(|(taken, next)| self.value(heap - taken, next)).collect();
        let value = match self.1 {
            Play::Normal => (0..).find(|value| !values.contains(value)).unwrap(),
            Play::Misere => u32::from(values.is_empty() || values.contains(&0)),
        };
        self.2.insert((heap, memory.to_vec()), value);
        value
    }
}

fn not_as_last(most: u64, last: u64) -> Vec<(u64, Vec<u64>)> {
    (1..=most).filter(|taken| *taken != last).map(|taken| (taken, vec![taken])).collect()
}

/// The rules as a formula and in words of Rust, how many numbers are remembered, and some memories.
const GAMES: &[(&str, usize, Ways, &[&[u64]])] = &[
    // One to three tokens, but not as many as were taken last (D.U.D.E.N.E.Y, Winning Ways, chapter
    // 15); and one to five.
    (
        "q0+q1 = p0 & q1 <= 3 & q1 != p1",
        1,
        |_, last| not_as_last(3, last[0]),
        &[&[0], &[1], &[2], &[3]],
    ),
    (
        "q0+q1 = p0 & q1 >= 1 & q1 <= 5 & q1 != p1",
        1,
        |_, last| not_as_last(5, last[0]),
        &[&[0], &[4]],
    ),
    // A die is tipped: neither the number on top nor the one below it.
    (
        "q0+q1 = p0 & q1 >= 1 & q1 <= 6 & q1 != p1 & q1+p1 != 7",
        1,
        |_, top| {
            not_as_last(6, top[0]).into_iter().filter(|(taken, _)| taken + top[0] != 7).collect()
        },
        &[&[0], &[1], &[3]],
    ),
    // One of the last two takings may not be repeated.
    (
        "q0+q1 = p0 & q1 >= 1 & q1 <= 4 & q1 != p1 & q1 != p2 & q2 = p1",
        2,
        |_, last| {
            let all = not_as_last(4, last[0]).into_iter().filter(|(taken, _)| *taken != last[1]);
            all.map(|(taken, next)| (taken, vec![next[0], last[0]])).collect()
        },
        &[&[0, 0], &[1, 2]],
    ),
    // One or two tokens, or once in the game three; small heaps are moved in otherwise.
    (
        "q1 = p1 & (q0+1 = p0 | q0+2 = p0) | p1 = 1 & q1 = 0 & q0+3 = p0 & p0 >= 7",
        1,
        |heap, may| {
            let mut all = vec![(1, may.to_vec()), (2, may.to_vec())];
            if may[0] == 1 && heap >= 7 {
                all.push((3, vec![0]));
            }
            all
        },
        &[&[0], &[1]],
    ),
];

#[test]
fn large_heaps_have_the_values_of_the_definition() {
    for (formula, remembered, ways, memories) in GAMES {
        let game = rules(formula, *remembered);
        for play in [Play::Normal, Play::Misere] {
            let mut brute = Brute(*ways, play, BTreeMap::new());
            let mut session = game.session(Settings { play, ..Settings::default() });
            for memory in *memories {
                // Beyond the heaps that are searched, and one by one, so that the definition finds
                // what lies below.
                for heap in 0..=330 {
                    let expected = brute.value(heap, memory);
                    let sizes = [&[heap], *memory].concat();
                    if heap % 7 > 1 && heap < 250 {
                        continue;
                    }
                    let found = session.evaluate_sizes(&sizes).unwrap().unwrap();
                    let is_lost = found.outcome == Some(Outcome::P);
                    assert_eq!(is_lost, expected == 0, "{formula}: {heap} {memory:?} {play:?}");
                    if play == Play::Normal {
                        assert_eq!(
                            found.nim_value.unwrap().0,
                            expected,
                            "{formula}: {heap} {memory:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_period_is_that_of_the_definition_and_goes_on_for_ever() {
    for (formula, remembered, ways, _) in GAMES {
        let game = rules(formula, *remembered);
        let found = game.heap_period(&Budget::default()).unwrap().unwrap();
        let nothing = vec![0; *remembered];
        let mut brute = Brute(*ways, Play::Normal, BTreeMap::new());
        let like = |heap: u64| match heap {
            heap if heap < found.preperiod => heap,
            heap => found.preperiod + (heap - found.preperiod) % found.period,
        };
        for heap in 0..600 {
            let expected = brute.value(heap, &nothing);
            assert_eq!(found.values[like(heap) as usize], expected, "{formula}: {heap}");
        }
        let mut session = game.session(Settings::default());
        for far in [1_000_000, 4_294_967_296, 1_000_000_000_000, 4_611_686_018_427_387_903] {
            let position: Vec<String> =
                [&[far], &nothing[..]].concat().iter().map(u64::to_string).collect();
            let analysis = session.analyse(&position.join(",")).unwrap();
            let expected = brute.value(like(far), &nothing);
            assert_eq!(analysis.evaluation.nim_value.unwrap().0, expected, "{formula}: {far}");
            // The moves lead to one position of each smaller value at least, and to none of the
            // same.
            let reached: Vec<u32> =
                analysis.moves.iter().map(|m| m.evaluation.nim_value.unwrap().0).collect();
            assert!(
                (0..expected).all(|value| reached.contains(&value)) && !reached.contains(&expected)
            );
        }
    }
}

#[test]
fn nothing_is_said_of_moves_without_a_bound() {
    // Fibonacci Nim, and a move that depends on the heap.
    for formula in [
        "q0 < p0 & p0 <= q0+p1 & q1+2*q0 = 2*p0",
        "q1 = p1 & (q0+1 = p0 | q0+2 = p0 & p0 mod 81 = 1)",
        "q1 = 0 & q0+1 = p0 | q1 = 1 & 2*q0 = p0",
    ] {
        assert_eq!(rules(formula, 1).heap_period(&Budget::default()), None, "{formula}");
    }
    for formula in ["q0 < p0", "2*q0 >= p0 & q0 < p0", "q0+1 = p0 | q0+2 = p0 & square(p0)"] {
        let text = format!("name = \"own\"\nheaps = 1\nmove = \"{formula}\"\n");
        let game = RuleFile::parse(&text).unwrap().game();
        assert_eq!(game.heap_period(&Budget::default()), None, "{formula}");
    }
}

/// One heap that remembers nothing: some moves are those of small heaps alone, or depend on a
/// remainder, and the rest are bounded. Both plays, against the rules.
#[test]
fn bounded_moves_of_one_heap_repeat() {
    type Way = fn(u64) -> Vec<u64>;
    fn taken(p: u64, all: &[u64]) -> Vec<u64> {
        all.iter().filter_map(|taken| p.checked_sub(*taken)).collect()
    }
    let games: [(&str, Way); 7] = [
        // By a remainder of the heap.
        ("q0+1 = p0 | q0+2 = p0 & p0 mod 3 = 1", |p| {
            [taken(p, &[1]), if p % 3 == 1 { taken(p, &[2]) } else { vec![] }].concat()
        }),
        ("q0+3 = p0 | q0+4 = p0 & p0 mod 2 = 0 | q0+5 = p0 & p0 mod 5 = 2", |p| {
            let more = [(p % 2 == 0, 4), (p % 5 == 2, 5)].into_iter().filter(|(is, _)| *is);
            taken(p, &std::iter::once(3).chain(more.map(|(_, taken)| taken)).collect::<Vec<_>>())
        }),
        ("q0 < p0 & p0 <= q0+5 & (p0 mod 2 = 0 | q0+1 = p0 | q0+3 = p0)", |p| {
            taken(p, if p % 2 == 0 { &[1, 2, 3, 4, 5] } else { &[1, 3] })
        }),
        // HDU 2897: three to five, and less only if less is left.
        ("p0-q0 >= 3 & p0-q0 <= 5 | q0 = 0 & p0 < 3 & p0 > 0", |p| match p {
            0 => vec![],
            1 | 2 => vec![0],
            p => taken(p, &[3, 4, 5]),
        }),
        ("q0+1 = p0 & p0 <= 20 | q0+2 = p0 | q0+7 = p0", |p| {
            [taken(p, &[2, 7]), if p <= 20 { taken(p, &[1]) } else { vec![] }].concat()
        }),
        ("q0+3 = p0 | q0+400 = p0 & p0 > 500", |p| {
            [taken(p, &[3]), if p > 500 { taken(p, &[400]) } else { vec![] }].concat()
        }),
        ("q0+1 = p0 & p0 != 9 | q0+4 = p0", |p| {
            [taken(p, &[4]), if p != 9 { taken(p, &[1]) } else { vec![] }].concat()
        }),
    ];
    for (formula, ways) in games {
        let text = format!("name = \"own\"\nheaps = 1\nmove = \"{formula}\"\n");
        let game = RuleFile::parse(&text).unwrap().game();
        let found = game.heap_period(&Budget::default()).unwrap().unwrap();
        let (mut values, mut misere): (Vec<u32>, Vec<bool>) = Default::default();
        for p in 0..4000u64 {
            let options = ways(p);
            let value = (0..).find(|v| options.iter().all(|q| values[*q as usize] != *v)).unwrap();
            values.push(value);
            misere.push(options.is_empty() || options.iter().any(|q| !misere[*q as usize]));
        }
        let like = |heap: u64| match heap {
            heap if heap < found.preperiod => heap,
            heap => found.preperiod + (heap - found.preperiod) % found.period,
        };
        assert!(found.preperiod + 2 * found.period < 4000, "{formula}");
        for heap in 0..4000 {
            assert_eq!(
                found.values[like(heap) as usize],
                values[heap as usize],
                "{formula}: {heap}"
            );
        }
        for play in [Play::Normal, Play::Misere] {
            let mut session = game.session(Settings { play, ..Settings::default() });
            for heap in (0..40).chain([257, 499, 500, 501, 999, 1500, 2999, 3999]) {
                let found = session.evaluate_sizes(&[heap]).unwrap().unwrap();
                let is_lost = match play {
                    Play::Normal => values[heap as usize] == 0,
                    Play::Misere => !misere[heap as usize],
                };
                assert_eq!(
                    found.outcome == Some(Outcome::P),
                    is_lost,
                    "{formula}: {heap} {play:?}"
                );
            }
        }
    }
}

/// Several heaps, each moved in by itself: values of sums and of their options, by the mex of
/// single heaps; and in misère play of one heap.
#[test]
fn bounded_moves_of_any_number_of_heaps_repeat() {
    type Way = fn(u64) -> Vec<u64>;
    let games: [(&str, Way); 3] = [
        ("q0 < p0 & p0 <= q0+5 & (p0 mod 3 = 1 | q0 mod 2 = 0)", |p| {
            (1..=5)
                .filter_map(|taken| p.checked_sub(taken))
                .filter(|q| p % 3 == 1 || q % 2 == 0)
                .collect()
        }),
        ("q0+1 = p0 | q0+2 = p0 & p0 mod 3 = 1", |p| {
            [(true, 1), (p % 3 == 1, 2)]
                .into_iter()
                .filter(|(may, _)| *may)
                .filter_map(|(_, taken)| p.checked_sub(taken))
                .collect()
        }),
        ("q0+3 = p0 | q0+4 = p0 & p0 mod 2 = 0 | q0+5 = p0 & p0 mod 5 = 2", |p| {
            [(true, 3), (p % 2 == 0, 4), (p % 5 == 2, 5)]
                .into_iter()
                .filter(|(may, _)| *may)
                .filter_map(|(_, taken)| p.checked_sub(taken))
                .collect()
        }),
    ];
    for (formula, ways) in games {
        let text = format!("name = \"own\"\nheaps = \"any\"\nmove = \"{formula}\"\n");
        let game = RuleFile::parse(&text).unwrap().game();
        let found = game.heap_period(&Budget::default()).unwrap().unwrap();
        let mut values: Vec<u32> = Vec::new();
        let mut wins: Vec<bool> = Vec::new();
        for p in 0..2000u64 {
            let options = ways(p);
            let value = (0..).find(|v| options.iter().all(|q| values[*q as usize] != *v)).unwrap();
            values.push(value);
            wins.push(options.is_empty() || options.iter().any(|q| !wins[*q as usize]));
        }
        // A heap far out has the value of one that is whole periods below.
        let like = |heap: u64| match heap.checked_sub(found.preperiod) {
            Some(more) if heap >= 2000 => found.preperiod + more % found.period,
            _ => heap,
        };
        let value = |heap: u64| values[like(heap) as usize];
        let mut session = game.session(Settings::default());
        for heaps in [
            &[300, 7][..],
            &[257, 1999, 1, 1],
            &[1_000_000_000, 1_000_000_001, 7],
            &[1_000_000_000_000, 5, 300],
            &[1_000_000_000],
        ] {
            let expected = heaps.iter().fold(0, |sum, heap| sum ^ value(*heap));
            let found = session.evaluate_sizes(heaps).unwrap().unwrap();
            assert_eq!(found.nim_value.unwrap().0, expected, "{formula}: {heaps:?}");
            let position: Vec<String> = heaps.iter().map(u64::to_string).collect();
            let analysis = session.analyse(&position.join(",")).unwrap();
            assert_eq!(analysis.evaluation.nim_value.unwrap().0, expected, "{formula}: {heaps:?}");
            let mut listed: Vec<u32> =
                analysis.moves.iter().map(|m| m.evaluation.nim_value.unwrap().0).collect();
            listed.sort_unstable();
            listed.dedup();
            let mut all: Vec<u32> = heaps
                .iter()
                .flat_map(|heap| ways(*heap).into_iter().map(move |left| (*heap, left)))
                .map(|(heap, left)| expected ^ value(heap) ^ value(left))
                .collect();
            all.sort_unstable();
            all.dedup();
            assert_eq!(listed, all, "{formula}: {heaps:?}");
        }
        let mut misere = game.session(Settings { play: Play::Misere, ..Settings::default() });
        for heap in [5, 300, 1999] {
            let found = misere.evaluate_sizes(&[heap]).unwrap().unwrap();
            assert_eq!(
                found.outcome == Some(Outcome::P),
                !wins[heap as usize],
                "{formula}: {heap}"
            );
        }
    }
}

/// Heaps beyond 32 bits whose options are few and small: Codeforces 256C, Furlo and Rublo, where x
/// becomes any y from the fourth root of x, rounded up, to the square root. The values of each
/// range are those of solutions of the contest; and by the mex.
#[test]
fn large_heaps_with_small_options() {
    let formula = "q0 < p0 & q0*q0 <= p0 & p0 <= q0*q0*q0*q0";
    let options = |x: u64| {
        let root: u64 = x.isqrt();
        let fourth = (0..).find(|y: &u64| y.pow(4) >= x).unwrap();
        fourth..(root + 1).min(x)
    };
    let mut values: Vec<u32> = Vec::new();
    let mex = |values: &[u32], x: u64| {
        let reached: Vec<u32> = options(x).map(|y| values[y as usize]).collect();
        (0..).find(|value| !reached.contains(value)).unwrap()
    };
    for x in 0..90_000 {
        let value = mex(&values, x);
        values.push(value);
    }
    let text = format!("name = \"own\"\nheaps = \"any\"\nmove = \"{formula}\"\n");
    let game = RuleFile::parse(&text).unwrap().game();
    let mut session = game.session(Settings::default());
    for (heap, published) in [
        (81, 2),
        (82, 0),
        (6_723, 0),
        (6_724, 3),
        (50_625, 3),
        (50_626, 1),
        (2_562_991_875, 1),
        (2_562_991_876, 2),
        (4_294_967_296, 2),
        (7_777_777_777, 2),
    ] {
        let found = session.evaluate_sizes(&[heap]).unwrap().unwrap();
        assert_eq!(found.nim_value.unwrap().0, published, "{heap}");
        assert_eq!(mex(&values, heap), published, "{heap}");
    }
    let analysis = session.analyse("4294967297").unwrap();
    assert_eq!(analysis.evaluation.nim_value.unwrap().0, 2);
    let all: Vec<u32> = analysis.moves.iter().map(|m| m.evaluation.nim_value.unwrap().0).collect();
    assert_eq!(all.len() as u64, options(4_294_967_297).end - options(4_294_967_297).start);
    let analysis = session.analyse("7777777777,50625,17").unwrap();
    assert_eq!(analysis.evaluation.nim_value.unwrap().0, 2 ^ 3 ^ 2);
    let wins = |m: &&bouton_engine::Move| m.evaluation.outcome == Some(Outcome::P);
    let expected: usize = [7_777_777_777, 50_625, 17]
        .into_iter()
        .map(|heap| (mex(&values, heap), options(heap)))
        .map(|(value, all)| all.filter(|y| values[*y as usize] == value ^ 3).count())
        .sum();
    assert_eq!(analysis.moves.iter().filter(wins).count(), expected);
    assert!(expected > 0);
}

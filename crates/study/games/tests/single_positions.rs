//! Single positions of rule files drawn at random, by whatever way is chosen for them, against
//! loops over the options.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Outcome, Play, heaps_text};
use bouton_engine::game::Settings;
use bouton_games::RuleFile;
use fastrand::Rng;

/// Moves of one kind, as words of a rule file and as a loop.
enum Kind {
    /// This many of these steps.
    Steps { taken: Vec<u64>, most: u64 },
    /// A number from this heap, as the heap after it allows.
    Beside { heap: usize, by: u64, how: u64 },
}

impl Kind {
    fn drawn(lot: &mut Rng, heaps: usize) -> Kind {
        if lot.u64(..3) == 0 {
            return Kind::Beside {
                heap: lot.u64(..heaps as u64) as usize,
                by: 1 + lot.u64(..3),
                how: lot.u64(..4),
            };
        }
        let mut taken: Vec<u64> = (0..heaps).map(|_| lot.u64(..3)).collect();
        if lot.u64(..2) == 0 {
            taken.fill(0);
        }
        taken[lot.u64(..heaps as u64) as usize] = 1;
        let most = if lot.u64(..2) == 0 { u64::MAX } else { 1 + lot.u64(..5) };
        Kind::Steps { taken, most }
    }

    fn rule(&self, heaps: usize) -> String {
        let stays = |i: usize| format!("q{i} = p{i}");
        let parts: Vec<String> = match self {
            Kind::Steps { taken, most } => {
                let first = taken.iter().position(|taken| *taken == 1).unwrap();
                let bound = (*most < u64::MAX).then(|| format!("p{first} <= q{first}+{most}"));
                let part = |(i, k): (usize, &u64)| match k {
                    0 => stays(i),
                    _ if i == first => format!("q{i} < p{i}"),
                    k => format!("{k}*p{first}+q{i} = p{i}+{k}*q{first}"),
                };
                taken.iter().enumerate().map(part).chain(bound).collect()
            }
            Kind::Beside { heap: i, by, how } => {
                let next = (i + 1) % heaps;
                let so = match how {
                    0 => format!("p{i} <= q{i}+p{next}+{by}"),
                    1 => format!("p{i}+{by} >= p{next}"),
                    2 => format!("q{i} != p{next}"),
                    _ => format!("(q{i}+p{next}) mod {} != 0", by + 1),
                };
                let others = (0..heaps).filter(|other| other != i).map(stays);
                others.chain([format!("q{i} < p{i}"), so]).collect()
            }
        };
        parts.join(" & ")
    }

    fn options(&self, p: &[u64], mut visit: impl FnMut(&[u64])) {
        let mut q = p.to_vec();
        match self {
            Kind::Steps { taken, most } => {
                let mut steps = 0;
                while steps < *most && q.iter().zip(taken).all(|(q, taken)| q >= taken) {
                    q.iter_mut().zip(taken).for_each(|(q, taken)| *q -= taken);
                    steps += 1;
                    visit(&q);
                }
            }
            Kind::Beside { heap, by, how } => {
                let next = p[(heap + 1) % p.len()];
                for left in 0..p[*heap] {
                    let is_allowed = match how {
                        0 => p[*heap] <= left + next + by,
                        1 => p[*heap] + by >= next,
                        2 => left != next,
                        _ => !(left + next).is_multiple_of(by + 1),
                    };
                    if is_allowed {
                        q[*heap] = left;
                        visit(&q);
                    }
                }
            }
        }
    }
}

/// Returns the value of each position of a box in lexicographic order, and whether it is P in
/// misère play.
fn by_loops(kinds: &[Kind], heaps: usize, side: u64) -> Vec<(u32, bool)> {
    let cells = side.pow(heaps as u32);
    let mut known: Vec<(u32, bool)> = Vec::with_capacity(cells as usize);
    let mut reached = vec![u64::MAX; 4096];
    for cell in 0..cells {
        let p: Vec<u64> = (0..heaps).rev().map(|i| cell / side.pow(i as u32) % side).collect();
        let (mut is_end, mut loses) = (true, true);
        for kind in kinds {
            kind.options(&p, |q| {
                let (value, is_p) = known[q.iter().fold(0, |at, heap| at * side + heap) as usize];
                reached[value as usize] = cell;
                (is_end, loses) = (false, loses && !is_p);
            });
        }
        let value = reached.iter().position(|last| *last != cell).unwrap() as u32;
        known.push((value, !is_end && loses));
    }
    known
}

/// Returns all orders of the heaps of some steps.
fn orders(taken: &[u64]) -> Vec<Vec<u64>> {
    let Some((first, others)) = taken.split_first() else { return vec![Vec::new()] };
    let with = |order: Vec<u64>| {
        (0..=order.len()).map(move |at| [&order[..at], &[*first], &order[at..]].concat())
    };
    let mut all: Vec<Vec<u64>> = orders(others).into_iter().flat_map(with).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn single_positions_are_those_of_the_loops() {
    let mut lot = Rng::with_seed(4);
    let (mut valued, mut without) = (0, 0);
    for number in 0..24 {
        let heaps = 2 + number % 3;
        let side = [130, 30, 13][heaps - 2];
        let mut kinds: Vec<Kind> =
            (0..1 + lot.u64(..4)).map(|_| Kind::drawn(&mut lot, heaps)).collect();
        let is_symmetric = number % 4 == 3;
        if is_symmetric {
            kinds = kinds
                .into_iter()
                .flat_map(|kind| match kind {
                    Kind::Steps { taken, most } => {
                        let all = orders(&taken).into_iter();
                        all.map(|taken| Kind::Steps { taken, most }).collect::<Vec<_>>()
                    }
                    Kind::Beside { .. } => Vec::new(),
                })
                .collect();
        }
        let rules: Vec<String> = kinds.iter().map(|kind| kind.rule(heaps)).collect();
        let symmetry = if is_symmetric { "symmetry = \"full\"\n" } else { "" };
        let text =
            format!("name = \"x\"\nheaps = {heaps}\n{symmetry}move = \"{}\"\n", rules.join(" | "));
        let Ok(rules) = RuleFile::parse(&text) else {
            assert!(kinds.is_empty(), "{text}");
            continue;
        };
        let game = rules.game();
        let known = by_loops(&kinds, heaps, side);
        for play in [Play::Normal, Play::Misere] {
            for shape in 0..4 {
                // Large positions, and some that are narrow, in one session or in several.
                let settings = || Settings { play, ..Settings::default() };
                let mut session = game.session(settings());
                for _ in 0..4 {
                    if lot.u64(..3) == 0 {
                        session = game.session(settings());
                    }
                    let below = [1, side / 2, side / 2, side][shape] + 1;
                    let heap =
                        |i| side - 1 - lot.u64(..if i == 0 { below } else { side }.min(side));
                    let p: Vec<u64> = (0..heaps).map(heap).collect();
                    let cell = p.iter().fold(0, |at, heap| at * side + heap) as usize;
                    let (value, is_p) = known[cell];
                    let found = session.evaluate(&heaps_text(&p)).unwrap().unwrap();
                    let is_p = if play == Play::Normal { value == 0 } else { is_p };
                    let outcome = if is_p { Outcome::P } else { Outcome::N };
                    assert_eq!(found.outcome, Some(outcome), "{play} {p:?}\n{text}");
                    match found.nim_value {
                        Some(found) => {
                            assert_eq!((found.0, play), (value, Play::Normal), "{p:?}\n{text}");
                            valued += 1;
                        }
                        None => without += 1,
                    }
                }
            }
        }
    }
    assert!(valued > 100 && without > 100, "{valued} {without}");
}

/// One heap from which few tokens may be taken, at some remainders only, and which may be divided:
/// sizes far beyond small ones, by who wins alone, are those of a table from 0 on.
#[test]
fn large_heaps_are_those_of_a_table() {
    const MAX_HEAP: u64 = 200_000;
    let mut lot = Rng::with_seed(9);
    for number in 0..12 {
        let taken: Vec<[u64; 3]> = (0..1 + lot.u64(..4))
            .map(|_| {
                let of = 1 + lot.u64(..4);
                [1 + lot.u64(..12), of, lot.u64(..of)]
            })
            .collect();
        let by = if number % 3 == 0 { None } else { Some(2 + lot.u64(..6)) };
        let taking = taken.iter().map(|[k, of, at]| format!("q0+{k} = p0 & p0 mod {of} = {at}"));
        let rules: Vec<String> = taking.chain(by.map(|by| format!("q0 = p0 div {by}"))).collect();
        let text = format!("name = \"x\"\nheaps = 1\nmove = \"{}\"\n", rules.join(" | "));
        let game = RuleFile::parse(&text).unwrap().game();
        for play in [Play::Normal, Play::Misere] {
            let mut table: Vec<bool> = Vec::new();
            for size in 0..=MAX_HEAP {
                let short = taken.iter().filter(|[k, of, at]| *k <= size && size % of == *at);
                let parts = by.filter(|_| size > 0).map(|by| size / by);
                let options: Vec<u64> = short.map(|[k, ..]| size - k).chain(parts).collect();
                let is_end = options.is_empty() && play == Play::Misere;
                table.push(!is_end && options.iter().all(|left| !table[*left as usize]));
            }
            let mut session =
                game.session(Settings { play, nim_value_nodes: 0, ..Settings::default() });
            for _ in 0..40 {
                let size = lot.u64(70_000..=MAX_HEAP);
                let found = session.evaluate(&size.to_string()).unwrap().unwrap();
                let outcome = if table[size as usize] { Outcome::P } else { Outcome::N };
                assert_eq!(found.outcome, Some(outcome), "{play} {size}\n{text}");
            }
        }
    }
}

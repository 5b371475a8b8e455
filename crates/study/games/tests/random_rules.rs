//! Random rules whose quantity falls, and random rules by which heaps become several, against the
//! definition: every option tried one by one with the formula's truth, and values by the least
//! number that is no option's.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Formula, Moves};
use bouton_engine::{Game, Settings};
use bouton_games::RuleFile;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// No number of an option is above this in the rules made here.
const TOP: u64 = 14;

fn part(letters: &'static [&'static str]) -> impl Strategy<Value = String> {
    let term = (
        prop::sample::select(letters.to_vec()),
        prop::sample::select(letters.to_vec()),
        0u32..3,
        0u32..4,
    )
        .prop_map(|(a, b, k, c)| match k {
            0 => a.to_owned(),
            1 => format!("{a} + {b}"),
            _ => format!("{a} + {c}"),
        });
    let relation = prop::sample::select(vec!["=", "=", "=", "<", "<=", "!="]);
    let compare =
        (term.clone(), relation, term).prop_map(|(a, relation, b)| format!("{a} {relation} {b}"));
    prop_oneof![
        6 => compare,
        1 => prop::sample::select(letters.to_vec()).prop_map(|a| format!("prime({a})")),
        1 => (prop::sample::select(letters.to_vec()), prop::sample::select(letters.to_vec()))
            .prop_map(|(a, b)| format!("divides({a}, {b})")),
    ]
}

fn moves() -> impl Strategy<Value = String> {
    let letters: &[&str] = &["p0", "p1", "q0", "q1"];
    let alternative =
        prop::collection::vec(part(letters), 1..4).prop_map(|parts| parts.join(" & "));
    prop::collection::vec(alternative, 1..3).prop_map(|all| all.join(" | "))
}

fn options(game: &dyn Game, p: &str) -> BTreeSet<String> {
    let mut graph = game.graph();
    let node = graph.read(p).unwrap();
    let all = graph.options(node).unwrap().to_vec();
    all.into_iter().map(|node| graph.print(node)).collect()
}

/// The alternative that is refused because it never holds, or never where something falls.
fn void(error: &str) -> Option<&str> {
    let (_, rest) = error.split_once("the alternative `")?;
    let (alternative, why) = rest.split_once("` gives no move: ")?;
    ["it never holds", "never falls where it holds"]
        .iter()
        .any(|end| why.ends_with(end))
        .then_some(alternative)
}

fn value(game: &dyn Game, p: &str) -> Option<u32> {
    let settings = Settings { nim_value_nodes: 1 << 20, ..Settings::default() };
    Some(game.session(settings).evaluate(p).unwrap().ok()?.nim_value.unwrap().0)
}

fn mex(values: impl IntoIterator<Item = u32>) -> u32 {
    let all: BTreeSet<u32> = values.into_iter().collect();
    (0..).find(|value| !all.contains(value)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// With a bound and the fall in the formula the options are its solutions; values follow.
    /// Without the fall the file is refused just where a step of a small position does not fall.
    #[test]
    fn what_falls(text in moves(), which in 0usize..3) {
        let falls = ["p0+p1", "2*p0+p1", "p1"][which];
        let measure = |p: &[u64]| [p[0] + p[1], 2 * p[0] + p[1], p[1]][which];
        let bounded = format!("({text}) & q0 <= {TOP} & q1 <= {TOP}");
        let formula = Formula::parse_over(&bounded, &Moves::names(2)).unwrap();
        let holds = |p: &[u64], q: &[u64]| formula.holds(&[p[0], q[0], p[1], q[1]]) == Ok(true);
        let steps = |p: &[u64]| {
            let all = (0..=TOP).flat_map(|a| (0..=TOP).map(move |b| [a, b]));
            all.filter(|q| q != p && holds(p, q)).collect::<Vec<[u64; 2]>>()
        };
        let file = |moves: &str| RuleFile::parse(&format!("name = \"x\"\nheaps = 2\nmove = \
            \"{moves}\"\nfalls = \"{falls}\"\n"));
        let small: Vec<[u64; 2]> = (0..=8u64).flat_map(|sum|
            (0..=sum).map(move |a| [a, sum - a])).collect();
        let bad = small.iter().any(|p| steps(p).iter().any(|q| measure(q) >= measure(p)));
        // Whether a small position has a step by this alternative under which the measure falls.
        let moves_by = |alternative: &str| {
            let part = Formula::parse_over(alternative, &Moves::names(2)).unwrap();
            let falls = |p: &[u64; 2], q: &[u64; 2]| measure(q) < measure(p)
                && part.holds(&[p[0], q[0], p[1], q[1]]) == Ok(true);
            small.iter().any(|p| (0..=TOP).any(|a| (0..=TOP).any(|b| falls(p, &[a, b]))))
        };
        match file(&bounded) {
            Ok(_) => prop_assert!(!bad, "{} is accepted", bounded),
            Err(error) => {
                let error = error.to_string();
                match void(&error) {
                    None => prop_assert!(error.contains("does not fall"), "{}: {}", bounded, error),
                    Some(part) => prop_assert!(!moves_by(part), "{}: {}", bounded, error),
                }
            }
        }
        let after = falls.replace('p', "q");
        let whole = format!("({bounded}) & {after} < {falls}");
        let rules = match file(&whole) {
            Ok(rules) => rules,
            Err(error) => {
                let error = error.to_string();
                prop_assert!(
                    void(&error).is_some_and(|part| !moves_by(part)),
                    "{}: {}", whole, error
                );
                return Ok(());
            }
        };
        let game = rules.game();
        let mut known: BTreeMap<[u64; 2], u32> = BTreeMap::new();
        fn by_definition(
            p: [u64; 2],
            known: &mut BTreeMap<[u64; 2], u32>,
            options: &dyn Fn(&[u64]) -> Vec<[u64; 2]>,
        ) -> u32 {
            if let Some(found) = known.get(&p) {
                return *found;
            }
            let values: Vec<u32> = options(&p).into_iter().map(|q| by_definition(q, known,
                options)).collect();
            let found = mex(values);
            known.insert(p, found);
            found
        }
        let falling = |p: &[u64]| steps(p).into_iter().filter(|q| measure(q) <
            measure(p)).collect::<Vec<_>>();
        for a in 0..5u64 {
            for b in 0..5u64 {
                let position = format!("{a},{b}");
                let expected: BTreeSet<String> =
                    falling(&[a, b]).iter().map(|q| format!("{},{}", q[0], q[1])).collect();
                prop_assert_eq!(options(&*game, &position), expected, "{} from {}", whole,
                    position);
                let expected = by_definition([a, b], &mut known, &falling);
                prop_assert_eq!(value(&*game, &position), Some(expected), "{} at {}", whole,
                    position);
            }
        }
    }

    /// Heaps that become one, two or three others.
    #[test]
    fn what_heaps_become(
        parts in prop::collection::vec(part(&["p0", "q0", "q1"]), 1..4),
        copies in 0usize..4,
    ) {
        let text = format!("{} & q0 < p0 & q1 < p0", parts.join(" & "));
        let into = [None, Some("3 of q0, q1"), Some("q0 to q1"), Some("q1 of q0")][copies];
        let formula = Formula::parse_over(&text, &["p0", "q0", "q1"].map(String::from)).unwrap();
        let rule = match into {
            None => format!("\"{text}\""),
            Some(into) => format!("{{ when = \"{text}\", into = \"{into}\" }}"),
        };
        let rules = RuleFile::parse(&format!("name = \"x\"\nsplits = [{rule}]\n"));
        let rules = match rules {
            Ok(rules) => rules,
            Err(error) => {
                let error = error.to_string();
                let all = (0..24u64).flat_map(|n| (0..n * n).map(move |code|
                    [n, code / n, code % n]));
                let holds = all.into_iter().any(|numbers| formula.holds(&numbers) == Ok(true));
                prop_assert!(void(&error).is_some() && !holds, "{}: {}", rule, error);
                return Ok(());
            }
        };
        let game = rules.game();
        let mut values: Vec<u32> = Vec::new();
        for n in 0..12u64 {
            let mut found = BTreeSet::new();
            for a in 0..n {
                for b in 0..n {
                    if formula.holds(&[n, a, b]) != Ok(true) {
                        continue;
                    }
                    let heaps: Vec<u64> = match copies {
                        0 => vec![a, b],
                        1 => vec![a, a, a, b],
                        2 => (a..=b).collect(),
                        _ => vec![a; b as usize],
                    };
                    let mut heaps: Vec<u64> = heaps.into_iter().filter(|heap| *heap > 0).collect();
                    heaps.sort_unstable();
                    found.insert(heaps);
                }
            }
            let value_of = |heaps: &Vec<u64>| heaps.iter().fold(0, |sum, heap| sum ^
                values[*heap as usize]);
            let expected = mex(found.iter().map(value_of));
            let texts: BTreeSet<String> = found
                .iter()
                .map(|heaps| match heaps.is_empty() {
                    true => "0".to_owned(),
                    false => heaps.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
                })
                .collect();
            let own: BTreeSet<String> = options(&*game, &n.to_string())
                .iter()
                .map(|text| {
                    let mut heaps: Vec<u64> = text.split(',').map(|heap|
                        heap.parse().unwrap()).collect();
                    heaps.sort_unstable();
                    heaps.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
                })
                .collect();
            prop_assert_eq!(own, texts, "{} from {}", rule, n);
            prop_assert_eq!(value(&*game, &n.to_string()), Some(expected), "{} at {}", rule, n);
            values.push(expected);
        }
    }
}

//! The moves that a family states as plain data are those of its rules: on every small position of
//! every example, and of some games more, the options are the same.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_core::{Formula, Heaps, Moves, Windows, heaps_text};
use bouton_engine::game::Game;
use bouton_games::{FAMILIES, RuleFile};
use bouton_heaps::heap_options::HeapOptions;
use bouton_prover::MoveSystem;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::ControlFlow::Continue;

/// Games that no example shows: windows that are the whole circle, larger takings, more heaps.
const MORE: &[&str] = &[
    "nim(1)",
    "moore(3;3)",
    "moore(2;3)",
    "moore(5;3)",
    "S(1,3;2)",
    "S(2,3,5;3)",
    "NIM(1,4;n)",
    "CN(2,1)",
    "CN(3,3)",
    "CN(5,3)",
    "CN(3,2;any=1)",
    "CN(3,3;any=2)",
    "CN(4,3;each=1)",
    "CN(4,4;each=2)",
    "CN(4,3;each>=1)",
    "CN(3,2;each>=2)",
    "CN(3,2;total>=3)",
    "CN(4,4;total=3)",
    "SCN(1,1)",
    "SCN(3,1)",
    "SCN(4,3)",
    "SCN(4,4)",
    "NIM(2,3;n;d,e)",
    "simplicial(1)",
    "simplicial(1,2,3)",
    "simplicial(1,2;3)",
    "simplicial(1,2,3;2,3,4;1,3,4;1,2,4)",
];

/// Returns lists of `heaps` numbers in least..=most.
fn positions(heaps: usize, least: u64, most: u64) -> Vec<Vec<u64>> {
    (0..heaps).fold(vec![vec![]], |all, _| {
        all.iter()
            .flat_map(|p| (least..=most).map(move |x| [p.as_slice(), &[x]].concat()))
            .collect()
    })
}

/// Holds the statement against the rules; how many positions were compared.
fn compare(game: &dyn Game) -> usize {
    let name = game.name();
    let (stated, _) = MoveSystem::from_heap_game(&game.heap_game().unwrap()).unwrap();
    let mut graph = game.graph();
    let mut count = 0;
    for (board, rules) in stated.boards.iter().enumerate() {
        let most = match rules.heaps {
            0..=2 => 9,
            3 => 6,
            4 => 4,
            5 => 2,
            _ => 1 + u64::from(rules.positive),
        };
        for position in positions(rules.heaps, u64::from(rules.positive), most) {
            let mut read = |p: &[u64]| graph.read(&heaps_text(p)).unwrap();
            let node = read(&position);
            let own: BTreeSet<u32> =
                stated.options(board, &position).iter().map(|(_, option)| read(option)).collect();
            let theirs: BTreeSet<u32> = graph.options(node).unwrap().iter().copied().collect();
            assert_eq!(own, theirs, "{name} {position:?}");
            count += 1;
        }
    }
    count
}

#[test]
fn stated_moves_are_those_of_the_rules() {
    let examples = FAMILIES.iter().flat_map(|family| family.examples).map(|example| example.game);
    let mut families = BTreeSet::new();
    for name in examples.chain(MORE.iter().copied()) {
        let game = bouton_games::parse(name).unwrap().game;
        if game.heap_game().is_some() {
            assert!(compare(&*game) >= 10, "{name}");
            families.insert(name.split('(').next().unwrap());
        }
    }
    // A family that no longer stated its moves would drop out of the comparison.
    assert!(families.len() >= 8, "{families:?}");
}

/// A symmetry of the board is one of the rules: the prover leans on it.
#[test]
fn stated_symmetries_keep_the_options() {
    for name in MORE {
        let game = bouton_games::parse(name).unwrap().game;
        let (stated, _) = MoveSystem::from_heap_game(&game.heap_game().unwrap()).unwrap();
        let mut graph = game.graph();
        for (board, rules) in stated.boards.iter().enumerate() {
            for position in positions(rules.heaps, u64::from(rules.positive), 3) {
                let mut options = |p: &[u64]| -> BTreeSet<u32> {
                    let all = stated.options(board, p).into_iter();
                    all.map(|(_, q)| {
                        graph.read(&heaps_text(&q)).map(|node| graph.canonical(node)).unwrap()
                    })
                    .collect()
                };
                for symmetry in &rules.symmetries {
                    let image: Vec<u64> = symmetry.iter().map(|&h| position[h]).collect();
                    assert_eq!(
                        options(&position),
                        options(&image),
                        "{name} {position:?} {symmetry:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn too_many_heaps_are_told() {
    for name in ["nim(27)", "CN(15,2)", "moore(9;26)"] {
        let game = bouton_games::parse(name).unwrap().game;
        let stated = MoveSystem::from_heap_game(&game.heap_game().unwrap());
        assert_eq!(stated.is_ok(), name == "CN(15,2)", "{name}");
    }
}

/// Returns a condition on two heaps, a part of it linear, a part not.
fn condition() -> impl Strategy<Value = String> {
    let term = prop_oneof![
        4 => prop::sample::select(vec!["p0", "q0", "p1", "q1"]).prop_map(str::to_owned),
        2 => (0u32..6).prop_map(|k| k.to_string()),
        2 => (1u32..4, prop::sample::select(vec!["p0", "q0", "p1", "q1"])).prop_map(|(k, v)|
            format!("{k}*{v}")),
        1 => prop::sample::select(vec!["(p0 xor q1)", "(q0 mod 3)", "min(q0, p1)",
            "(q1 div 2)"]).prop_map(str::to_owned),
    ];
    let sum = prop::collection::vec(term, 1..4).prop_map(|terms| terms.join("+"));
    let relation = prop::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let atom = (sum.clone(), relation, sum)
        .prop_map(|(left, relation, right)| format!("{left} {relation} {right}"));
    atom.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|all| format!("({})", all.join(" & "))),
            prop::collection::vec(inner.clone(), 2..4)
                .prop_map(|all| format!("({})", all.join(" | "))),
            inner.clone().prop_map(|one| format!("~({one})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} => {b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("(({a}) <=> ({b}))")),
        ]
    })
}

/// Returns all q ≤ p, q ≠ p, of which the formula holds.
fn by_trying(formula: &Formula, p: [u32; 2]) -> BTreeSet<[u32; 2]> {
    let all = (0..=p[0]).flat_map(|a| (0..=p[1]).map(move |b| [a, b]));
    let holds = |q: &[u32; 2]| formula.holds(&[p[0], q[0], p[1], q[1]].map(u64::from)) == Ok(true);
    all.filter(|q| *q != p && holds(q)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Options made from a condition are those found by trying every pair.
    #[test]
    fn options_from_a_condition(text in condition(), a in 0u32..14, b in 0u32..14) {
        let moves = Moves::with_formula(Windows::Any(2), &text).unwrap();
        let expected = by_trying(moves.condition.as_ref().unwrap(), [a, b]);
        let mut found = BTreeSet::new();
        let _ = HeapOptions::new(&moves, Some(2), false).visit(&Heaps::from([a, b]), |q| {
            found.insert([q[0], q[1]]);
            Continue::<()>(())
        });
        prop_assert_eq!(found, expected, "{}", text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A rule file's game has the options of its formula, linear or not.
    #[test]
    fn rule_files_have_the_options_of_their_formulas(text in condition(), a in 0u32..9, b in
        0u32..9) {
        let file = format!("name = \"random\"\nheaps = 2\nmove = \"{text}\"\n");
        // Some have no move, some no automaton within the limits.
        let Ok(rules) = RuleFile::parse(&file) else { return Ok(()) };
        let formula = Moves::with_formula(Windows::Any(2), &text).unwrap().condition.unwrap();
        let game = rules.game();
        let mut graph = game.graph();
        let node = graph.read(&format!("{a},{b}")).unwrap();
        let expected: BTreeSet<String> =
            by_trying(&formula, [a, b]).into_iter().map(|[a, b]| format!("{a},{b}")).collect();
        let found: BTreeSet<u32> = graph.options(node).unwrap().iter().copied().collect();
        let found: BTreeSet<String> = found.into_iter().map(|node| graph.print(node)).collect();
        prop_assert_eq!(found, expected, "{}", text);
    }
}

//! The moves that a family states as plain data are those of its rules: on every small position of every example, and
//! of some games more, the options are the same.
#![allow(clippy::unwrap_used, reason = "a test")]

use bouton_games::FAMILIES;
use bouton_logic::HeapGame;
use bouton_solve::game::Game;
use std::collections::BTreeSet;

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

/// Lists of `heaps` numbers in least..=most.
fn positions(heaps: usize, least: u64, most: u64) -> Vec<Vec<u64>> {
    (0..heaps).fold(vec![vec![]], |all, _| {
        all.iter().flat_map(|p| (least..=most).map(move |x| [p.as_slice(), &[x]].concat())).collect()
    })
}

fn text(p: &[u64]) -> String {
    if p.is_empty() { "0".into() } else { p.iter().map(u64::to_string).collect::<Vec<_>>().join(",") }
}

/// Holds the statement against the rules; how many positions were compared.
fn compare(game: &dyn Game) -> usize {
    let name = game.name();
    let (stated, _) = HeapGame::of(&game.heap_game().unwrap()).unwrap();
    let mut atlas = game.atlas();
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
            let mut read = |p: &[u64]| atlas.read(&text(p)).unwrap();
            let node = read(&position);
            let own: BTreeSet<u32> =
                stated.options(board, &position).iter().map(|(_, option)| read(option)).collect();
            let theirs: BTreeSet<u32> = atlas.options(node).iter().copied().collect();
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
    let expected = ["CN", "NIM", "S", "SCN", "moore", "nim", "simplicial", "wythoff"];
    assert_eq!(families, BTreeSet::from(expected));
}

/// A symmetry of the board is one of the rules: the prover leans on it.
#[test]
fn stated_symmetries_keep_the_options() {
    for name in MORE {
        let game = bouton_games::parse(name).unwrap().game;
        let (stated, _) = HeapGame::of(&game.heap_game().unwrap()).unwrap();
        let mut atlas = game.atlas();
        for (board, rules) in stated.boards.iter().enumerate() {
            for position in positions(rules.heaps, u64::from(rules.positive), 3) {
                let mut options = |p: &[u64]| -> BTreeSet<u32> {
                    let all = stated.options(board, p).into_iter();
                    all.map(|(_, q)| atlas.read(&text(&q)).map(|node| atlas.canonical(node)).unwrap())
                        .collect()
                };
                for symmetry in &rules.symmetries {
                    let image: Vec<u64> = symmetry.iter().map(|&h| position[h]).collect();
                    assert_eq!(options(&position), options(&image), "{name} {position:?} {symmetry:?}");
                }
            }
        }
    }
}

#[test]
fn too_many_heaps_are_told() {
    for name in ["nim(27)", "CN(15,2)", "moore(9;26)"] {
        let game = bouton_games::parse(name).unwrap().game;
        let stated = HeapGame::of(&game.heap_game().unwrap());
        assert_eq!(stated.is_ok(), name == "CN(15,2)", "{name}");
    }
}

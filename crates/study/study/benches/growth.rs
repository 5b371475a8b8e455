//! What proofs, their checks and the search for forms cost against the size of what they are asked,
//! fitted: `cargo bench -p bouton-study --bench growth`. One thread; every answer is asserted. The
//! engines of tables and values are in `cargo bench -p bouton-study --bench engines`, and how the
//! lines are fitted is said there.
//!
//! Words behind `--`: only the parts of these names (proofs, forms, automata).

#[path = "growth/fit.rs"]
mod fit;

use bouton_conjecture::{Images, Learned, OutcomeTable, Reading, conjecture, learn};
use bouton_core::{Budget, DigitSystem, Meter, Symmetry};
use bouton_prover::{Attempt, MoveSystem, Numeration, claims_for, default_budget, prove};
use fit::{Growth, head, row};
use std::convert::Infallible;

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    head();
    for (name, part) in [("proofs", proofs as fn()), ("forms", forms), ("automata", automata)] {
        if words.is_empty() || words.iter().any(|word| word == name) {
            part();
        }
    }
}

/// Returns a = b = … of this many heaps.
fn equal(heaps: usize) -> String {
    let names: Vec<String> = ('a'..='z').take(heaps).map(String::from).collect();
    names.join(" = ")
}

/// Returns a game's certificate, its theorem proved.
fn proved(name: &str, game: &MoveSystem, claim: &str) -> Option<String> {
    let claims = claims_for(game, &[(0, claim)]).expect("a formula");
    let meter = &mut Meter::new(&default_budget());
    let Attempt::Proved(proof) = prove(game, &claims, Numeration::Binary, meter) else {
        return None;
    };
    let certificate = proof.certificate(name, game, &claims, Numeration::Binary, meter);
    Some(certificate.expect("a certificate").to_text())
}

/// Returns sets of this many heaps of all.
fn subsets(heaps: usize, size: usize) -> Vec<Vec<usize>> {
    let chosen = (0..1u32 << heaps).filter(move |set| set.count_ones() as usize == size);
    chosen.map(|set| (0..heaps).filter(|heap| set >> heap & 1 == 1).collect()).collect()
}

/// A family of games by the number of heaps, with a published theorem.
struct Family {
    what: &'static str,
    name: fn(usize) -> String,
    make: fn(usize) -> MoveSystem,
    claim: fn(usize) -> String,
    sizes: [u32; 4],
}

/// C. L. Bouton 1902; E. H. Moore 1910; M. Dufour and S. Heubach 2013 for CN(n,n−1).
const FAMILIES: [Family; 3] = [
    Family {
        what: "Nim",
        name: |heaps| format!("nim({heaps})"),
        make: |heaps| MoveSystem::windows(heaps, &subsets(heaps, 1), &[]),
        claim: |_| "xor = 0".to_owned(),
        sizes: [6, 8, 10, 12],
    },
    Family {
        what: "Moore's Nim, two heaps at most",
        name: |heaps| format!("moore(3;{heaps})"),
        make: |heaps| {
            let images = Symmetry::Full.permutations(heaps, 5040).unwrap_or_default();
            MoveSystem::windows(heaps, &subsets(heaps, 2), &images)
        },
        claim: |_| "xor3 = 0".to_owned(),
        sizes: [4, 5, 6, 7],
    },
    Family {
        what: "CN(n,n−1)",
        name: |heaps| format!("CN({heaps},{})", heaps - 1),
        make: |heaps| MoveSystem::circular(heaps, heaps - 1),
        claim: equal,
        sizes: [5, 6, 7, 8],
    },
];

/// Theorems for all heap sizes: the number of heaps. What is proved is what the checker accepts.
fn proofs() {
    for Family { what, name, make, claim, sizes } in FAMILIES {
        let of =
            |heaps: u32, claim: &str| proved(&name(heaps as usize), &make(heaps as usize), claim);
        let texts = sizes.map(|heaps| {
            let text = of(heaps, &claim(heaps as usize)).expect("a theorem");
            let accepted = bouton_check::check(&text);
            assert!(accepted.is_ok(), "{what}, {heaps}: {accepted:?}");
            // That one heap is 1 besides is false.
            assert_eq!(
                of(heaps, &format!("{} & a = 1", claim(heaps as usize))),
                None,
                "{what}, {heaps}"
            );
            text
        });
        row(
            &format!("proof of {what}, heaps"),
            Growth::Exponential,
            &sizes,
            "not reached",
            |heaps| {
                assert!(of(heaps, &claim(heaps as usize)).is_some());
            },
        );
        row(
            &format!("check of {what}, heaps"),
            Growth::Exponential,
            &sizes,
            "not reached",
            |heaps| {
                let (_, text) = sizes
                    .iter()
                    .zip(&texts)
                    .find(|(size, _)| **size == heaps)
                    .expect("one of these");
                assert!(bouton_check::check(text).is_ok());
            },
        );
    }
}

/// Returns all positions of this many heaps up to `most`.
fn positions(heaps: u32, most: u64) -> impl Iterator<Item = Vec<u64>> {
    let side = most + 1;
    (0..side.pow(heaps)).map(move |code| (0..heaps).map(|i| code / side.pow(i) % side).collect())
}

/// Returns whether a position of CN(4,2) is P: opposite heaps are equal (Dufour and Heubach 2013).
fn is_four_two(p: &[u64]) -> bool {
    p[0] == p[2] && p[1] == p[3]
}

/// Returns whether a position of CN(6,3) is P: sums of two neighbours equal those across (Dufour
/// and Heubach 2013).
fn is_six_three(p: &[u64]) -> bool {
    p[0] + p[1] == p[3] + p[4] && p[1] + p[2] == p[4] + p[5]
}

fn table(heaps: u32, most: u64, is_p: fn(&[u64]) -> bool, symmetry: Symmetry) -> OutcomeTable {
    let all: Vec<Vec<u64>> = positions(heaps, most).filter(|p| is_p(p)).collect();
    let images = Images::from_symmetry(symmetry, heaps as usize);
    OutcomeTable::new(heaps as usize, 0, most, images, all.iter().map(Vec::as_slice))
        .expect("a table")
}

/// Measures forms that fit a table: the greatest heap.
fn forms() {
    type IsP = fn(&[u64]) -> bool;
    let games: [(&str, u32, IsP, [u32; 4]); 2] =
        [("CN(4,2)", 4, is_four_two, [7, 15, 23, 31]), ("CN(6,3)", 6, is_six_three, [4, 6, 8, 10])];
    for (name, heaps, is_p, sizes) in games {
        let tables = sizes.map(|most| table(heaps, most.into(), is_p, Symmetry::Ring));
        row(
            &format!("form of {name}, greatest heap"),
            Growth::Power,
            &sizes,
            "not reached",
            |most| {
                let (_, table) = sizes
                    .iter()
                    .zip(&tables)
                    .find(|(size, _)| **size == most)
                    .expect("one of these");
                let meter = &mut Meter::new(&Budget::default());
                let found = conjecture(table, meter);
                assert!(found.is_whole() && found.cut.is_none(), "{name}, {most}");
                assert_eq!(found.form.mismatch(table, meter), Ok(None), "{name}, {most}");
            },
        );
    }
}

/// Measures automata learned by asking, compared with all positions with three digits: the number
/// of heaps of Nim.
fn automata() {
    let is_nim = |p: &[u64]| p.iter().fold(0, |sum, heap| sum ^ heap) == 0;
    let sizes = [3, 4, 5, 6];
    row("automaton of Nim, heaps", Growth::Exponential, &sizes, "not reached", |heaps| {
        let learned = learn::<Infallible>(
            Reading { digits: DigitSystem::to_base(2), heaps: heaps as usize },
            10,
            &mut |p| Ok(is_nim(p)),
            &mut |found| Ok(found.least_wrong(&vec![7; heaps as usize], &is_nim)),
        );
        let Ok(Learned::Automaton(found)) = learned else { panic!("an automaton") };
        // Far past the table.
        for (a, b) in [(1000, 24), (12_345, 54_321), (1 << 40, 77)] {
            let mut position = vec![a; heaps as usize];
            let others = if heaps % 2 == 0 { 0 } else { a };
            (position[0], position[1]) = (b, b ^ others);
            assert!(found.accepts(&position), "{position:?}");
            position[1] += 1;
            assert!(!found.accepts(&position), "{position:?}");
        }
    });
}
